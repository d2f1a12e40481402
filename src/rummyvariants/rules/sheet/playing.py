"""
The middle of a rule sheet: melds, and what a turn allows.
"""

from __future__ import annotations

import itertools
import re

from collections.abc import Iterator
from typing import Final

from rummyvariants._support.words import (
    capital,
    cards,
    counted,
    listed,
    number,
    ordinal,
    rank,
    ranks,
    span,
    suit,
)
from rummyvariants.policies.answers import Opening
from rummyvariants.rules.sheet.model import Facts, Paragraph


# --------------------------------------------------------------------------- melds


def melds(facts: Facts) -> Iterator[Paragraph]:
    """
    The melds.
    """
    policy = facts.rules.meld
    yield _what_is_a_meld(facts)
    if policy.sets:
        yield _suits_of_sets(facts)
        yield from _ranks_of_sets(facts)
    if policy.alike and max(facts.packs.values()) > 2:
        yield facts.say(
            "Three identical cards, other than jokers, are a meld too, a tanala: no "
            "wild card stands for one of them. A tanala counts as a pure run.",
            "meld.alike",
        )
    if policy.runs:
        yield from _ends_of_runs(facts)
    if facts.wilds:
        yield from _wilds_in_melds(facts)
    if facts.rules.out.canasta and not policy.concealed:
        yield facts.say(
            f"A canasta is a meld of {number(facts.rules.out.canasta)} or more cards.",
            "out.canasta",
        )
    if not policy.concealed:
        yield from _first_melds(facts)
    if policy.first_natural and facts.wilds:
        yield facts.say(
            "The first meld that a player makes in a round must be natural: no card in "
            "it is wild.",
            "meld.first_natural",
        )
    if facts.rules.wild.split and not policy.concealed:
        yield facts.say(
            "A meld of six or more cards may be split in two, each part a meld of its "
            "own. The player in turn may do so with any meld in which they "
            "have cards, at any time between draw and discard.",
            "wild.split",
        )
    if policy.concealed:
        yield facts.say(
            f"Melds stay in the hand until somebody {facts.out[0]}.",
            "meld.shown",
            "meld.melding",
        )
        return
    if isinstance(policy.a_turn, int):
        calls = "" if facts.rules.call.calls == "none" else " Calls are not counted."
        single = (
            "one new meld"
            if policy.a_turn == 1
            else f"{number(policy.a_turn)} new melds"
        )
        yield facts.say(
            f"A player may make at most {single} in a turn; lay-offs are not "
            f"limited.{calls}",
            "meld.a_turn",
        )
    owed = facts.duty or facts.rules.draw.stock_card != "free"
    owed = owed or bool(facts.answering("owes"))
    unless = ["a card just drawn has to be used"] * owed
    unless += ["the player has to go out"] * bool(facts.answering("must_go_out"))
    but = f", unless {listed(unless, 'or')}" if unless else ""
    optional = f"Melding is optional{but}. "
    yield facts.say(
        f"{optional}Melds lie in front of the players who made them.", "meld.melding"
    )


def _first_melds(facts: Facts) -> Iterator[Paragraph]:
    """
    What the first melds of a player must be, and whether others follow them.
    """
    policy = facts.rules.meld
    if facts.contracts:
        yield from _contracts(facts)
    if policy.minimum:
        yield from _minimum(facts)
    if policy.runs_apart and policy.runs:
        among = "in a contract" if facts.contracts else "that a player lays first"
        yield facts.say(
            f"Two runs of one suit {among} may not be contiguous, as three to six and "
            "seven to ten are. They may overlap.",
            "meld.runs_apart",
        )
    if not policy.further:
        yield facts.say(
            f"A player who has {facts.begun} makes no further melds in that round.",
            "meld.further",
        )


def _minimum(facts: Facts) -> Iterator[Paragraph]:
    """
    What the first melds of a side are worth.
    """
    rules = facts.rules
    (_, least), *later = rules.meld.minimum
    one = "player" if rules.match.sides == "none" else "side"
    below = f" with a score below {later[0][0]}" if later else ""
    parts = [
        f"{least} points{below}",
        *[f"{points} from {total} on" for total, points in later],
    ]
    score = f" The score is that of the {one} before the round." if later else ""
    yield facts.say(
        f"The first melds of a {one} in a round, the initial meld, are laid as one "
        f"action. Their cards are worth at least {listed(parts)}.{score}",
        "meld.minimum",
    )
    plus = ["wild cards"] * facts.wilds
    minus = []
    if rules.draw.melds_top:
        plus.append("the top card of a pile that is taken")
        minus.append("the cards below it")
    if rules.out.canasta:
        minus.append("the bonus for a canasta")
    if rules.deal.laid_aside:
        minus.append(cards(rules.deal.laid_aside))
    if plus:
        verb = "count" if len(plus) > 1 or facts.wilds else "counts"
        but = f", but not {listed(minus, 'or')}" if minus else ""
        yield facts.say(
            f"{capital(listed(plus))} {verb} towards this{but}.", "meld.minimum"
        )
    if rules.meld.minimum_waived and rules.out.canasta:
        yield facts.say(
            "They may be worth less if the player drew from the stock and melds the "
            "whole hand, or all but the discard, with a canasta.",
            "meld.minimum_waived",
        )


def _contracts(facts: Facts) -> Iterator[Paragraph]:
    """
    The contracts by round.
    """
    policy = facts.rules.meld
    labels = [
        f"{capital(ordinal(at))} round" for at, _ in enumerate(facts.contracts, 1)
    ]
    ends = facts.most_rounds == len(labels)
    if not ends:
        labels[-1] += " and later"
    yield facts.say(
        "The first melds of a player in a round are its contract. All of it is laid at "
        "once, and no other meld with it:",
        "meld.contracts",
        rows=[
            facts.row(label, Opening(one.split(", "), exact=True), "meld.contracts")
            for label, one in zip(labels, facts.contracts, strict=True)
        ],
        columns=("round", "contract"),
    )
    yield from _out_of_reach(facts)
    exactly = policy.contract_size == "exactly"
    yield facts.say(
        "The melds of a contract have exactly so many cards; only lay-offs make them "
        "longer."
        if exactly
        else "The melds of a contract may have more cards than this.",
        "meld.contract_size",
    )
    last = len(policy.contracts)
    if policy.last_contract == "like the others" or last != len(labels):
        return
    when = f"In the {ordinal(last)} round"
    if not ends:
        when = f"From the {ordinal(last)} round on"
    cards = {
        "the whole hand": "all cards of the hand, without a discard",
        "all but a discard": "all cards of the hand, or all but one for the discard",
    }[policy.last_contract]
    longer = ", so that its melds may be longer" if exactly else ""
    yield facts.say(f"{when} the contract takes {cards}{longer}.", "meld.last_contract")


def _out_of_reach(facts: Facts) -> Iterator[Paragraph]:
    """
    The contracts that take more cards than a player holds who has bought no upcard.
    """
    rules = facts.rules
    if not facts.buys or rules.draw.from_stock or rules.draw.take != "the top card":
        return
    by_need: dict[int, list[str]] = {}
    for at, one in enumerate(facts.contracts, 1):
        most = max(rules.deal.fixed_size(count, at) for count in facts.players)
        cards_needed = sum(int(size) for size in re.findall("[0-9]+", one))
        need = -(-(cards_needed - most - 1) // (1 + rules.call.buy_price))
        if need > 0:
            by_need.setdefault(need, []).append(ordinal(at))
    parts = [
        f"in the {listed(rounds)} round{'s' * (len(rounds) > 1)} only "
        f"{'one' if at else 'a player'} who has bought at least "
        f"{counted(need, 'upcard')}{'' if at else ' can lay the contract'}"
        for at, (need, rounds) in enumerate(by_need.items())
    ]
    if parts:
        text = capital(", and ".join(parts))
        yield facts.say(f"{text}.", "meld.contracts", "call.buying")


def _what_is_a_meld(facts: Facts) -> Paragraph:
    policy = facts.rules.meld
    least = [
        f"meld.least_{one}" for one in ("set", "run") if getattr(policy, f"{one}s")
    ]
    a_set = f"{number(policy.least_set)} or more cards of one rank"
    a_run = f"{number(policy.least_run)} or more cards of one suit in unbroken order"
    if facts.kinds:
        known = [f"a set, {a_set},"] * policy.sets + [f"a run, {a_run},"] * policy.runs
        return facts.say(
            f"A meld is {' '.join(known)} or, by a rule of this table, "
            f"{listed(facts.kinds, 'or')}.",
            "meld.sets",
            "meld.runs",
            *least,
        )
    if policy.sets and policy.runs:
        return facts.say(
            f"A meld is a set, {a_set}, or a run, {a_run}.",
            "meld.sets",
            "meld.runs",
            "meld.least_set",
            "meld.least_run",
        )
    if policy.sets:
        return facts.say(
            f"Only sets are melded: {a_set}. There are no runs.",
            "meld.sets",
            "meld.runs",
            "meld.least_set",
        )
    return facts.say(
        f"Only runs are melded: {a_run}. There are no sets.",
        "meld.runs",
        "meld.sets",
        "meld.least_run",
    )


def _suits_of_sets(facts: Facts) -> Paragraph:
    deck = facts.rules.deck
    letter = "5" if facts.has("5") else deck.ranks[-1]
    twins = f"two {ranks(letter)} of {suit(deck.suits[-1])}"
    alike = f"may also hold identical cards, such as {twins}"
    packs = ", with several packs too" if facts.several_packs else ""
    if len({*facts.packs.values()}) == 1 and packs:
        packs = f", although there are {number(max(facts.packs.values()))} packs"
    most = f"{number(len(deck.suits))} cards"
    values = ["meld.set_suits"]
    cards, so = "cards", f", so a set has at most {most}{packs}"
    if facts.wilds and not facts.rules.meld.wilds_take_suits:
        values.append("meld.set_wilds")
        cards, so = "natural cards", f", but wild cards make it longer than {most}"
    text = {
        "always": f"No two {cards} of a set are of one suit{so}.",
        "with one pack": f"With one pack, no two {cards} of a set are of one suit"
        f"{so if len(values) > 1 else ''}. With several, a set {alike}, and has no "
        "greatest size.",
        "never": f"A set {alike}, and has no greatest size."
        if facts.several_packs
        else "The suits of a set do not matter.",
    }[facts.suits_matter]
    return facts.say(text, *values[: 1 if facts.suits_matter == "never" else 2])


def _ranks_of_sets(facts: Facts) -> Iterator[Paragraph]:
    """
    The ranks that make no sets, or only some, and how many sets of a rank there are.
    """
    policy, deck = facts.rules.meld, facts.rules.deck
    none = [ranks(one) for one in deck.ranks if one not in policy.set_ranks]
    if none:
        yield facts.say(f"No sets are made of {listed(none)}.", "meld.set_ranks")
    natural = [_kept(facts, one) for one in policy.natural_ranks if one in deck.ranks]
    if natural and facts.wilds:
        yield facts.say(
            f"A set of {listed(natural, 'or')} holds no wild card.",
            "meld.natural_ranks",
        )
    last = [_kept(facts, one) for one in policy.last_ranks if one in deck.ranks]
    if last and not policy.concealed:
        yield facts.say(
            f"{capital(listed(last))} are melded only as the last meld of a hand, with "
            "no card left or only one for the last discard.",
            "meld.last_ranks",
        )
    if policy.one_of_a_rank:
        side = "player" if facts.rules.match.sides == "none" else "side"
        yield facts.say(
            f"A {side} has at most one set of each rank: further cards of the rank are "
            "laid off on it.",
            "meld.one_of_a_rank",
        )


def _kept(facts: Facts, letter: str) -> str:
    """
    The cards of a rank that a hand can hold: ``threes``, or ``black threes``.
    """
    aside = facts.rules.deal.laid_aside
    for colour, suits in (("black", "dh"), ("red", "cs")):
        if {letter + one for one in suits} <= {*aside}:
            return f"{colour} {ranks(letter)}"
    return ranks(letter)


def _ends_of_runs(facts: Facts) -> Iterator[Paragraph]:
    """
    The ace in runs, and ranks that are missing.
    """
    letters = [letter for letter in "23456789TJQK" if facts.has(letter)]
    if facts.has("A"):
        low, high = facts.ace_low, facts.ace_high
        if facts.rules.meld.ace == "round the corner" and low and high:
            text = (
                "Runs go round the corner: the ace is between the "
                f"{rank(letters[-1])} and the {rank(letters[0])}, and a run may go on "
                "from one to the other over the ace, but it holds no rank twice."
            )
        elif low and high:
            text = (
                f"In a run the ace goes next to the {rank(letters[0])} or next to the "
                f"{rank(letters[-1])}, but not to both at once, and no run turns the "
                "corner. Where it would fit either end, the player says which."
            )
        elif high:
            text = (
                f"In a run the ace is high: it goes next to the {rank(letters[-1])}, "
                f"and never below the {rank(letters[0])}."
            )
        elif low:
            text = (
                f"In a run the ace is low: it goes next to the {rank(letters[0])}, and "
                f"never above the {rank(letters[-1])}."
            )
        else:
            text = "An ace fits no run."
        yield facts.say(text, "meld.ace")
    if facts.gap is not None:
        below, above = map(rank, facts.gap)
        yield facts.say(
            f"No run passes over a rank that the deck lacks: {below} and {above} do "
            "not follow each other.",
            "deck.ranks",
        )


def _by_naturals(most: tuple[tuple[int, int], ...], least: int) -> str:
    """
    How many wilds there may be beside so many natural cards, in words.

    Args:
        most: By the number of natural cards, the most wilds.
        least: The length of the shortest meld.
    """
    if not most[-1][1]:
        return "A meld holds no wild card."
    if len(most) == 1:
        ((naturals, wilds),) = most
        least_natural = counted(naturals, "natural card")
        return (
            f"A meld with wild cards holds {least_natural} or more, and at most "
            f"{counted(wilds, 'wild card')}."
        )
    # By the length of the meld, as players know it.
    lengths: dict[int, int] = {}
    for wilds in range(1, most[-1][1] + 1):
        needed = min(naturals for naturals, held in most if held >= wilds)
        lengths[max(needed + wilds, least)] = wilds
    spans = [
        f"{number(length)} or more" if end is None else span(length, end - 1)
        for length, end in itertools.zip_longest(lengths, [*lengths][1:])
    ]
    first, *others = zip(spans, lengths.values(), strict=True)
    parts = [
        f"A meld of {first[0]} cards holds at most {counted(first[1], 'wild card')}"
    ]
    parts += [f"one of {length}, {number(wilds)}" for length, wilds in others]
    return "; ".join(parts) + "."


def _wilds_in_melds(facts: Facts) -> Iterator[Paragraph]:
    """
    How many wild cards a meld holds.
    """
    yield from _wilds_in_any_meld(facts)
    if facts.kinds:
        natural = capital(listed(facts.kinds, "or"))
        paths = dict.fromkeys([kind.path for kind in facts.rules.kinds])
        yield facts.say(f"{natural} holds no wild card.", *paths)
    most = facts.rules.wild.in_runs
    if isinstance(most, int) and facts.rules.meld.runs:
        wilds = f"at most {counted(most, 'wild card')}" if most else "no wild card"
        yield facts.say(f"A run holds {wilds}.", "wild.in_runs")


def _wilds_in_any_meld(facts: Facts) -> Iterator[Paragraph]:
    policy = facts.rules.wild
    natural = "natural"
    if facts.wild_homes:
        natural += ", or a wild that stands for itself"
    text = {
        "none": "A meld may hold any number of wild cards, as long as one card of it "
        f"is {natural}.",
        "one": "A meld never holds more than one wild card.",
        "more naturals": "A meld always holds more natural cards than wild ones, after "
        "each lay-off too.",
    }[policy.limit]
    if policy.by_naturals:
        meld = facts.rules.meld
        shortest = min(
            [meld.least_set] * meld.sets + [meld.least_run] * meld.runs, default=3
        )
        yield facts.say(_by_naturals(policy.by_naturals, shortest), "wild.by_naturals")
    else:
        natural_one = ["wild.stands_for"] if policy.limit == "none" else []
        if not policy.wild_melds and facts.is_set("wild.wild_melds"):
            natural_one.append("wild.wild_melds")
        yield facts.say(text, "wild.limit", *natural_one)
        if policy.limit != "none" and facts.wild_selves:
            yield facts.say(
                {
                    "wild": "For this, a wild that stands for itself counts as wild.",
                    "natural": "For this, a wild that stands for itself counts as "
                    "natural, though it still scores as a wild.",
                }[policy.own_place],
                "wild.own_place",
            )
    if policy.wild_melds:
        least = number(facts.rules.meld.least_set)
        limited = policy.by_naturals or policy.limit != "none"
        free = " There, wild cards are not limited." if limited else ""
        alone = "a meld of a kind of its own, to which only wild cards can be added"
        if facts.declares:
            alone = "a meld as well"
        once = facts.rules.meld.one_of_a_rank
        one = " A side has at most one of them." if once else ""
        yield facts.say(
            f"{capital(least)} or more wild cards alone are {alone}.{free}{one}",
            "wild.wild_melds",
            *(["meld.one_of_a_rank"] if once else []),
        )


# ------------------------------------------------------------------------- drawing


def drawing(facts: Facts) -> Iterator[Paragraph]:
    """
    The course of a turn, and the draw.
    """
    two = facts.only_two
    yield facts.say(
        "The player who did not deal starts, and the two take turns."
        if two
        else f"The player on the dealer's {facts.side} starts, and the turns go round "
        f"{facts.rules.match.direction}.",
        "match.start",
        *([] if two else ["match.direction"]),
    )
    if facts.rules.draw.offers_upcard:
        meld = ""
        if facts.rules.draw.first_upcard == "offered to be melded":
            meld = ", has to put it into a new meld in that turn,"
        order = "that player and then to the dealer" if two else "the players in turn"
        yield facts.say(
            "First, the card that begins the discard pile is offered to "
            f"{order}{'' if two else ', the dealer last'}. The player who takes it "
            f"plays a turn with it instead of a draw{meld or ','} and the next player "
            f"goes on from there. If {'both' if two else 'all'} decline it, the first "
            "draw is from the stock.",
            "draw.first_upcard",
        )
    elif facts.rules.deal.first_discard == "turned up":
        but, path = "", list[str]()
        if facts.keeps_wilds:
            but = ", but if it is wild, only the first player to draw may take it"
            path = ["draw.wilds"]
        yield facts.say(
            f"The card that begins the discard pile is a discard like any other{but}.",
            "draw.first_upcard",
            *path,
        )
    if facts.rules.meld.concealed:
        ends = " or a declaration" if facts.declares else " or a knock"
        ends = "" if facts.gin_only else ends
        yield facts.say(
            f"A turn opens with a draw and closes with a discard{ends}.", "RV-07"
        )
    else:
        by_rule = facts.answering("most_melds")
        limited = isinstance(facts.rules.meld.a_turn, int) or facts.contracts or by_rule
        plays = (
            f"melds and lay-offs in any {'order' if limited else 'number and order'}"
        )
        apart = facts.rules.layoff.since == "the next turn"
        if facts.contracts and not facts.rules.meld.further and apart:
            plays = "the contract or, in later turns, lay-offs"
        yield facts.say(
            f"A turn opens with a draw, goes on with {plays}, and closes with a "
            "discard.",
            "RV-07",
            *(() if limited else ("meld.a_turn",)),
        )
    yield from _take(facts)
    yield from _several_cards(facts)
    if facts.rules.draw.melds_top:
        yield from _top_card(facts)
    yield from _pair(facts)
    yield from _duties(facts)
    if facts.rules.draw.stock_card == "play or discard":
        uses = {
            "nothing": "melded, laid off or discarded",
            "beside": "melded, laid off, laid beside a wild or discarded",
            "swap": "melded, laid off, traded for a wild or discarded",
        }[facts.real_card]
        yield facts.say(
            f"A card drawn from the stock must be {uses} in the same turn."
            + _LIKE_IT[facts.twins],
            "draw.stock_card",
        )


def _take(facts: Facts) -> Iterator[Paragraph]:
    draw = facts.rules.draw
    pile = {
        "any number": "one card or more from the top of the discard pile",
        "up to the top card's number": "one card or more from the top of the discard "
        "pile, at most as many as its top card allows; the player first says how many",
        "the top card": "the top card of the discard pile",
        "the whole pile": "the whole discard pile",
    }[draw.take]
    wilds = facts.wilds and facts.is_set("draw.wilds") and not facts.keeps_wilds
    yield facts.say(
        f"To draw, a player takes the top card of the stock, or else {pile}.",
        "draw.take",
        *["draw.wilds"] * wilds,
    )
    if facts.keeps_wilds:
        wild = "A"
        if facts.rules.deal.first_discard == "turned up":
            wild = "Apart from the card that begins it, a"
        yield facts.say(
            f"{wild} wild card may not be taken from the discard pile.", "draw.wilds"
        )
    if not draw.melded_takes and not facts.rules.meld.concealed:
        yield facts.say(
            f"A player who has {facts.begun} takes no card from the discard pile.",
            "draw.melded_takes",
        )
    if draw.take == "up to the top card's number":
        counts, paths = facts.upcard_numbers("allows")
        none = ", and a joker none" if facts.has("*") else ""
        yield facts.say(f"{capital(counts)}{none}.", "draw.take", *paths)


def _several_cards(facts: Facts) -> Iterator[Paragraph]:
    """
    How many cards are drawn from the stock.
    """
    drawn = facts.rules.draw.from_stock
    if drawn:
        yield facts.say(
            f"A draw from the stock takes {facts.by_players(drawn, 'card')}.", "draw.from_stock"
        )


def _top_card(facts: Facts) -> Iterator[Paragraph]:
    """
    Takes whose top card is used as part of them, and piles that nobody takes.
    """
    draw = facts.rules.draw
    joins = ""
    if facts.rules.meld.one_of_a_rank:
        joins = " If there is a set of its rank already, the new cards join it."
    yield facts.say(
        "Whoever takes from the discard pile uses its top card at once: they meld it "
        "with cards of the hand, or lay it off. Only then do the other cards join the "
        f"hand.{joins}",
        "draw.top_card",
        *["RV-50"] * bool(joins),
    )
    two = "two natural cards of the rank of its top card from the hand"
    if draw.frozen == "always":
        yield facts.say(f"The pile is taken only with {two}.", "draw.frozen")
    elif draw.frozen == "by a wild card":
        aside = facts.rules.deal.laid_aside
        what = f"a wild card or {cards(aside)}" if aside else "a wild card"
        yield facts.say(
            f"While {what} lies in it, the pile is frozen: it is taken only with "
            f"{two}.",
            "draw.frozen",
        )
    if draw.frozen_first and draw.frozen != "always":
        one = "player who" if facts.rules.match.sides == "none" else "side that"
        text = f"A {one} has not melded takes the pile only with {two}."
        if draw.frozen == "by a wild card":
            text = f"For a {one} has not melded it is always frozen."
        yield facts.say(text, "draw.frozen_first")
    blocked = [cards(draw.blocked)] * bool(draw.blocked)
    if blocked or facts.wilds:
        what = listed(["a wild card"] * facts.wilds + blocked, "or")
        yield facts.say(
            f"Nobody takes a pile with {what} on top.",
            *["draw.blocked"] if blocked else ["draw.top_card"],
        )
    if facts.rules.out.canasta:
        may = "may be" if draw.onto_canasta else "is not"
        yield facts.say(
            f"The top card of the pile {may} laid on a canasta.", "draw.onto_canasta"
        )
    if not draw.pile_of_one:
        yield facts.say(
            "A player with one card may not take a pile of one card.",
            "draw.pile_of_one",
        )
    if facts.rules.stock.forced_take:
        yield facts.say(
            "When the stock is empty, a player who may lay the top card on a meld has "
            "to take the pile.",
            "stock.forced_take",
        )


def _pair(facts: Facts) -> Iterator[Paragraph]:
    draw = facts.rules.draw
    if draw.pair == "none":
        return
    which = "its top card"
    if draw.pair == "deepest" and draw.take != "the top card":
        which = "the deepest card taken, even if it is the only one"
    wilds = " A wild card cannot be matched." if facts.wilds else ""
    yield facts.say(
        "A player may take from the discard pile only if their hand already holds two "
        f"natural cards of the rank of {which}.{wilds}",
        "draw.pair",
    )


def _duties(facts: Facts) -> Iterator[Paragraph]:
    """
    The duties that come with taking from the discard pile.
    """
    draw = facts.rules.draw
    several = draw.take != "the top card"
    natural_set = draw.duty == "natural set of the top card"
    if not facts.duty:
        if not facts.rules.meld.concealed:
            taken = "Cards taken from it" if several else "A card taken from it"
            if draw.melds_top:
                taken = "The other cards of the pile"
            yield facts.say(f"{taken} need not be used.", "draw.duty")
        return
    if natural_set:
        yield facts.say(
            "A player who takes from the discard pile must, before anything else, put "
            "down a new natural set with its top card and two or more cards of that "
            "rank that were in the hand before.",
            "draw.duty",
        )
    if draw.with_naturals and several:
        yield facts.say(
            "A player who takes more than one discard must, in the same turn, put down "
            "a new meld with the deepest of them and two natural cards that were in "
            "the hand before the draw; laying it off is not enough. The deepest card "
            "itself may be wild.",
            "draw.with_naturals",
        )
    elif draw.new_meld and several:
        yield facts.say(
            "A player who takes more than one discard must, in the same turn, put down "
            "a new meld with the deepest of them; laying it off is not enough.",
            "draw.new_meld",
        )
    strict = draw.with_naturals or draw.new_meld
    which = ""
    if draw.duty == "top":
        which = "from the discard pile must use its top card"
    elif draw.duty == "deepest":
        which = {
            (False, False): "a discard must use it",
            (True, False): "a single discard must use it",
            (False, True): "discards must use the deepest of them, or the only one,",
            (True, True): "a single discard must use it",
        }[strict, several]
    elif draw.duty == "deepest of several" and several and not strict:
        which = "more than one discard must use the deepest of them"
    if which:
        uses = {
            "nothing": "meld it or lay it off",
            "beside": "meld it, lay it off, or lay it beside a wild",
            "swap": "meld it, lay it off, or trade it for a wild",
        }[facts.real_card]
        helped = " The other cards taken may help." if several else ""
        yield facts.say(
            f"A player who takes {which} in the same turn: {uses}.{helped}"
            + _LIKE_IT[facts.twins],
            "draw.duty",
        )
    deep = strict and several
    if draw.at_once and (deep or not natural_set):
        first = "The deepest card"
        if draw.duty == "top":
            first = "The top card and the deepest one" if deep else "The top card"
        yield facts.say(
            f"{first} must be used before any other play"
            + (" except the natural set." if natural_set else "."),
            "draw.at_once",
        )
    yield facts.say(
        "A player may not take a card that they cannot use in this way, or make a move "
        "that would rule out its use.",
        "RV-03",
    )


_LIKE_IT: Final = {
    "any": " An identical card will do as well.",
    "jokers": " One joker will do for another.",
    "none": "",
}
"""The card that may replace one that has to be used, by the twins in the deck."""


# --------------------------------------------------------------------- laying off


def laying_off(facts: Facts) -> Iterator[Paragraph]:
    """
    The cards that may be added to melds on the table.
    """
    policy = facts.rules.layoff
    if facts.rules.meld.concealed:
        if not (facts.gin_only or facts.declares):
            yield from _after_a_knock(facts)
        if policy.last_turns:
            yield from _in_last_turns(facts)
        return
    if policy.onto == "own melds":
        text = (
            "A player may lay cards off only on their own melds: those that they "
            "began, even if others have added to them."
        )
        if facts.rules.match.sides != "none":
            text = "A player may lay cards off only on melds that they or their "
            text += "partner began."
        yield facts.say(text, "layoff.onto")
    else:
        yield facts.say(
            (
                f"Once a player has {facts.begun}, they"
                if policy.needs_own_meld
                else "A player, with or without a meld of their own,"
            )
            + " may lay cards off on any meld on the table, whoever made it.",
            "layoff.needs_own_meld",
            "layoff.onto",
        )
    contract = facts.contracts and not facts.rules.meld.further
    if policy.since == "the next turn":
        text = "Nobody lays cards off in a turn in which they make melds"
        so = ", so lay-offs begin in the turn after the contract" if contract else ""
        yield facts.say(f"{text}{so}.", "layoff.since")
    elif contract and policy.needs_own_meld:
        text = "Lay-offs may begin in the same turn, after the contract."
        yield facts.say(text, "layoff.since")
    text = "Cards laid off join the meld and cannot be moved again."
    if facts.rules.score.down == "add" and policy.onto != "own melds":
        text = (
            "The player names the meld, but keeps the card in front of them, where it "
            "counts for them. It cannot be moved again, and the meld continues from "
            "there."
        )
    yield facts.say(text, "layoff.onto", "score.down")
    if policy.single_wilds and facts.wilds:
        yield facts.say(
            "A player who has made a meld may also put down single wild cards."
            + (
                " Such a card stands for nothing until its owner, and nobody else, "
                f"lays off on it {number(max(facts.rules.meld.least_set - 1, 1))} or "
                "more natural cards of one rank together: that makes it a set"
                + (", to which all can add." if policy.onto == "any meld" else ".")
                if facts.rules.meld.sets
                else " Such a card cannot be added to."
            ),
            "layoff.single_wilds",
        )
    if facts.wilds:
        yield from _real_card(facts)


def _after_a_knock(facts: Facts) -> Iterator[Paragraph]:
    yield facts.say(
        "Cards are laid off only after a knock: then the other player may add cards to "
        "the knocker's melds, one lay-off after the other, until a pass ends it. "
        "Nothing is laid off if the knocker went gin.",
        "layoff.knocked",
        "layoff.onto",
    )
    if facts.wilds:
        yield from _real_card(facts)


def _in_last_turns(facts: Facts) -> Iterator[Paragraph]:
    last = "A player who lays off all cards of the hand discards none."
    if facts.rules.out.empty_hand == "refused":
        last = "One card has to be left for the discard."
    yield facts.say(
        "Cards are laid off only in the last turns after a declaration: between their "
        f"draw and their discard, players may add cards to the melds shown. {last}",
        "layoff.last_turns",
        "layoff.onto",
    )
    if facts.real_card == "beside":
        yield from _real_card(facts)


_OF_TRADES: Final = ("wild.swapped", "wild.swap_in", "wild.swap_for")


def _real_card(facts: Facts) -> Iterator[Paragraph]:
    rules = facts.rules
    suits = facts.suits_of_wilds if rules.meld.sets else "always"
    own = ""
    if rules.layoff.onto == "own melds":
        own = " The meld must be the player's own, as for laying off."
    elif rules.layoff.needs_own_meld:
        first = "The contract" if facts.contracts else "A meld of the player's own"
        own = f" {first} must come first, as for laying off."
    if rules.wild.real_card == "nothing":
        yield facts.say(
            "A wild in a meld stays where it is: the card that it stands for is "
            "neither traded for it nor laid beside it.",
            "wild.real_card",
        )
    elif rules.wild.real_card == "swap":
        any_of = {
            "always": "",
            "with one pack": " In a set of several packs every natural card of the "
            "rank will do.",
            "never": " In a set every natural card of the rank will do.",
        }[suits]
        if rules.wild.swap_in == "runs":
            any_of = " A wild in a set stays where it is." * rules.meld.sets
        used = {
            "kept": "and meld the wild elsewhere or keep it",
            "used at once": "and must put the wild down again in the same turn, in the "
            "same meld or another",
        }.get(rules.wild.swapped, "")
        counts = ""
        if rules.score.down == "add":
            counts = (
                " The real card then counts for the player who laid it, and the wild "
                "no longer for its old owner."
            )
        dealers = ", nor is the dealer's face-up wild" if facts.face_up_wild else ""
        itself = ""
        if facts.wild_selves or dealers:
            itself = f" A wild that stands for itself is not traded{dealers}."
        if rules.wild.swap_for == "jokers" and facts.wild_selves:
            itself = " Only jokers are traded: another wild card stays where it is."
        trades = (
            "A player who holds the card that a wild on the table stands for may trade "
            f"it for the wild during their turn, {used}."
        )
        if rules.wild.moves_swapped:
            counts = " The wild still counts for its owner." * bool(counts)
            any_of = " A wild in a set stays where it is." * rules.meld.sets
            trades = (
                "A player who holds the card that a wild in a run stands for may put "
                "it in the wild's place during their turn, and moves the wild to the "
                "low or the high end of the same run if the run can grow there."
            )
        yield facts.say(
            f"{trades}{counts}{any_of}{own}{itself}",
            "wild.real_card",
            *[path for path in _OF_TRADES if facts.is_set(path)],
        )
    elif facts.real_card == "beside":
        where = {
            "always": "",
            "with one pack": " In a set of several packs this is not possible: there a "
            "card of the rank just extends the set.",
            "never": " This is only for runs: in a set a card of the rank just "
            "extends the set.",
        }[suits]
        score = ", and score it" if rules.score.down == "add" else ""
        itself = ""
        if facts.wild_selves:
            itself = " Nothing is laid beside a wild that stands for itself."
        yield facts.say(
            "A player who holds the card that a wild on the table stands for may lay "
            f"it down beside the wild, in front of themselves{score}. The wild stays "
            "where it is, the meld does not grow, and each wild admits one such card."
            f"{where}{own}{itself}",
            "wild.real_card",
        )


# --------------------------------------------------------------------------- calls


def calling(facts: Facts) -> Iterator[Paragraph]:
    """
    Calls of rummy, and the sale of upcards.
    """
    call = facts.rules.call
    rules = facts.rules
    known = rules.meld.concealed or "buys" in rules.asked or rules.draw.melds_top
    if call.calls == "none" and not known:
        yield facts.say(
            "Nobody may call rummy: discards are for the player whose turn it is.",
            "call.calls",
        )
    elif call.calls != "none" and not facts.rules.meld.concealed:
        yield from _calls(facts)
    if facts.buys:
        yield from _buying(facts)


def _buying(facts: Facts) -> Iterator[Paragraph]:
    """
    The sale of upcards.
    """
    call = facts.rules.call
    price = ", with no other card," if not call.buy_price else ""
    if call.buy_price:
        left = ", or as many as it has left," if call.buy_price > 1 else ""
        cards = counted(call.buy_price, "card")
        price = f", with {cards} from the stock as its price{left or ','}"
    yield facts.say(
        "A player who is to draw and does not want the top discard, the upcard, "
        "declines it. Then another player may buy it: they take it into the hand"
        f"{price} and do nothing else. The player in turn then draws from the stock.",
        "call.buy_price",
        "call.buying",
        "draw.take",
    )
    order = f"one after another, from the {facts.side} of the player in turn,"
    if call.asks_buyers_together:
        order = "together,"
    yield facts.say(
        f"The others are asked {order} and the first to buy it closes the sale.",
        "call.buy_order",
    )
    often = "A player may buy any number of upcards in a round."
    if call.buys:
        (_, times), *later = call.buys
        parts = [f"{counted(times, 'upcard')} in a round"]
        parts += [
            f"{number(most)} from the {ordinal(at)} round on" for at, most in later
        ]
        often = f"A player may buy at most {listed(parts)}."
    yield facts.say(often, "call.buys")
    if not call.buys_again:
        yield facts.say(
            "A player who has bought an upcard may buy another only after somebody "
            "else has bought one.",
            "call.buys_again",
        )
    verb = "may still buy upcards" if call.melded_buys else "buys no more upcards"
    yield facts.say(f"A player who has {facts.begun} {verb}.", "call.melded_buys")
    first = ""
    if facts.rules.deal.first_discard == "turned up":
        first = "The card that begins the discard pile may be bought too. "
    yield facts.say(
        f"{first}Nobody buys their own discard, or while the stock is empty.",
        "call.buying",
    )


def _calls(facts: Facts) -> Iterator[Paragraph]:
    """
    Who may call rummy, on what, and what the caller does.
    """
    call = facts.rules.call
    new_melds = call.calls == "pile" and call.melds
    who = (
        "any other player who has made a meld"
        if call.needs_own_meld
        else "any other player"
    )
    theirs = facts.rules.layoff.onto == "own melds"
    grown = "a meld of the caller's own" if theirs else "a meld on the table"
    if call.calls == "discard":
        what = f"When a discard would extend {grown}"
    else:
        what = (
            "When a turn has been closed with a discard, and cards from anywhere in "
            f"the discard pile would extend {grown}"
            + (" or make a new one" if new_melds else "")
        )
    yield facts.say(
        f"{what}, {who} may call rummy. The first to speak has the call.",
        "call.calls",
        *(["call.melds"] if call.calls == "pile" else []),
        *(["layoff.onto"] if theirs else []),
        "call.needs_own_meld",
    )
    if call.calls == "pile":
        yield from _calls_in_the_pile(facts, new_melds=new_melds)
    else:
        yield facts.say(
            "The caller takes that card and lays it off at once on a meld that they "
            "name.",
            "call.takes",
            "call.calls",
        )
    yield from _after_a_call(facts, new_melds=new_melds)


def _calls_in_the_pile(facts: Facts, *, new_melds: bool) -> Iterator[Paragraph]:
    call = facts.rules.call
    deep = call.takes == "down to the deepest"
    done = "melds them or lays them off" if new_melds else "lays them off"
    yield facts.say(
        f"The caller {done} at once, for their own score, and "
        + (
            "also takes all the cards that lay above the deepest of them; those not "
            "used stay in the hand."
            if deep
            else "takes no other card: what covered them stays in the pile."
        ),
        "call.takes",
    )
    if call.with_hand and (new_melds or deep):
        where = "help" if deep else "help to make a new meld"
        text = (
            f"Cards from the caller's hand may {where}, as long as one card or more "
            "comes from the pile."
        )
        out = "out.empty_hand" in facts.rules.replaced or facts.refills
        if facts.rules.out.empty_hand == "out" and not out:
            text += " A caller left without a card is out."
    else:
        text = "All these cards come from the pile, none from the caller's hand."
    yield facts.say(text, "call.with_hand")


def _after_a_call(facts: Facts, *, new_melds: bool) -> Iterator[Paragraph]:
    rules = facts.rules
    if facts.real_card != "nothing":
        how = {"beside": "beside a wild", "swap": "in exchange for a wild"}
        made = " or be made by it" if new_melds else " by it"
        yield facts.say(
            f"A meld must grow{made}: a card whose only place is "
            f"{how[facts.real_card]} cannot be called.",
            "call.calls",
        )
    paths = ["call.then_discard"]
    if rules.call.next == "the caller":
        had = "the caller has had a last turn, or if " * rules.out.play_goes_on
        text = (
            "The caller then goes on as in any turn after the draw: melds, lays off "
            "and discards, and that card can be called in its turn. If "
            f"{had}there is no way to finish the turn, it is over with the "
            "call."
        )
        paths = []
    elif rules.call.then_discard:
        text = (
            "The caller then discards one card, if there is one that may be discarded, "
            "and that card can be called in its turn."
        )
    else:
        text = (
            "The caller neither draws nor discards for it, and further calls may "
            "follow."
        )
    then = "the player who was to be next"
    if rules.call.next != "as it was":
        then = f"the player on the caller's {facts.side}"
        paths.append("call.next")
    yield facts.say(f"{text} Play then goes on with {then}.", *paths)
    if rules.call.penalty != "none":
        price = {
            "two cards": "draws two cards from the stock for it, or as many as it has "
            "left",
            "the whole pile": "takes the rest of the discard pile for it",
        }[rules.call.penalty]
        yield facts.say(
            f"The player whose discard came before the call {price}. A player who is "
            "already out does not.",
            "call.penalty",
            "RV-41",
        )
    yield facts.say("Nobody can call once the round is over.", "call.calls")
    yield facts.say(
        "The next turn begins when all who may call have called or passed.", "RV-04"
    )


# ---------------------------------------------------------------------- discarding


def discarding(facts: Facts) -> Iterator[Paragraph]:
    """
    The discard.
    """
    policy = facts.rules.discard
    yield facts.say(
        "The discard that closes a turn goes face up on the discard pile."
        if facts.rules.meld.concealed
        else "A player who still has cards closes the turn with one discard, face up "
        "on the discard pile.",
        "discard.ends_turn",
    )
    yield from _throwing_back(facts)
    if policy.keep:
        verb = "is" if len(policy.keep) == 1 else "are"
        kept = capital(cards(policy.keep, "and"))
        yield facts.say(
            f"{kept} {verb} never discarded except as a player's last card.",
            "discard.keep",
        )
    if facts.face_up_wild:
        yield facts.say(
            "The wild card face up in front of the dealer cannot be discarded"
            + (
                "; an identical one in the dealer's hand can."
                if facts.several_packs
                else "."
            ),
            "discard.face_up_wild",
        )
    yield facts.say(
        "The discard pile is spread so that all of it can be seen."
        if facts.rules.draw.open_pile
        else "Only the top card of the discard pile can be seen.",
        "draw.open_pile",
        "RV-06",
    )
    if facts.stuck != "nothing":
        text = "No move may leave a player unable to finish the turn."
        if facts.stuck == "a draw":
            text += (
                " If the card drawn from the stock leaves no way to finish it, any "
                "card may be discarded."
            )
        yield facts.say(text, "RV-03")


def _throwing_back(facts: Facts) -> Iterator[Paragraph]:
    """
    Whether a discard taken may be discarded in the same turn.
    """
    draw = facts.rules.draw
    took = {
        "the top card": "the top discard",
        "the whole pile": "a discard pile of one card",
    }.get(draw.take, "only the top discard")
    if facts.rules.discard.throw_back == "refused":
        like_it = {
            "any": ", or an identical one",
            "jokers": "; all jokers count as one card for this",
            "none": "",
        }[facts.twins]
        yield facts.say(
            f"A player who took {took} may not discard that card in the same turn"
            f"{like_it}.",
            "discard.throw_back",
        )
    elif draw.duty in {"none", "deepest of several"}:
        yield facts.say(
            "Cards taken from the discard pile may be discarded in the same turn."
            if draw.take == "the whole pile"
            else f"A player who took {took} may discard that card again.",
            "discard.throw_back",
        )
