"""
The rules in force in a few words: an answer to each question on which games differ.

Like the rule sheet, the answers depend only on the policy values. They are short enough
for a table of many games, and leave out what the sheet says besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from rummyvariants._support.words import (
    card,
    counted,
    listed,
    number,
    ranks,
    span,
    suit,
)
from rummyvariants.cards import RANKS
from rummyvariants.rules._origins import Rules
from rummyvariants.rules._variants import SECTIONS
from rummyvariants.rules.sheet.assembling import section
from rummyvariants.rules.sheet.model import Facts
from rummyvariants.rules.sheet.table import house


NONE: Final = "none"
"""The answer where there is nothing of the kind, or the question does not come up."""


def brief(rules: Rules) -> dict[str, str]:
    """
    The answers for a game, by question, in the order of play.

    Args:
        rules: The rules.
    """
    facts = Facts(rules)
    return {
        question: answer(facts) or NONE for question, answer in BRIEF_QUESTIONS.items()
    }


# ------------------------------------------------------------------- before the play


def _players(facts: Facts) -> str:
    partners = {
        "none": "",
        "partners opposite": ", in partnerships",
        "partners opposite if four": ", four of them in partnerships",
    }
    text = span(*facts.rules.match.players) + partners[facts.rules.match.sides]
    return text + ", anticlockwise" * (facts.side == "right")


def _deck(facts: Facts) -> str:
    deck = facts.rules.deck
    packs = sorted({*facts.packs.values()})
    jokers = [deck.jokers_for(count) for count in packs]
    parts = [_several(packs[0], packs[-1], "pack")]
    parts.append(_several(min(jokers), max(jokers), "joker"))
    ranks_out = [letter for letter in RANKS if letter not in deck.ranks]
    if len(ranks_out) > len(RANKS) // 2:
        parts.append(f"only {_several(len(deck.ranks), len(deck.ranks), 'rank')}")
    else:
        parts += [f"no {ranks(letter)}" for letter in ranks_out]
    parts += [f"no {suit(letter)}" for letter in "cdhs" if letter not in deck.suits]
    return ", ".join(parts)


def _several(low: int, high: int, noun: str) -> str:
    return counted(low, noun) if low == high else f"{span(low, high)} {noun}s"


def _hands(facts: Facts) -> str:
    deal = facts.rules.deal
    if not deal.is_fixed:
        return {
            "additional": "an upcard, and as many more cards as it says",
            "total": "as many cards as the upcard says",
        }[deal.upcard_means]
    sizes = facts.sizes
    if facts.sized_by_rule:
        return f"as {facts.rules.replaced['deal.hand_size'].name!r} says"
    if len(sizes) == 1:
        return counted(sizes[0], "card")
    by = "the round" if deal.by_round else "the number of players"
    low, high = number(sizes[0]), number(sizes[-1])
    return f"{low} {'or' if len(sizes) == 2 else 'to'} {high} cards, by {by}"


def _as_said(facts: Facts, question: str) -> str:
    """
    What a house rule decides, by its name.
    """
    return f"as {facts.answering(question)[0][1].name!r} says"


# ----------------------------------------------------------------- wild cards and melds


def _wilds(facts: Facts) -> str:
    found = facts.always_wild
    if facts.shown:
        found.append("the rank of a card turned up")
    elif facts.rules.wild.by_hand_size:
        found.append("the rank that the number of cards names")
    elif facts.rules.wild.by_round:
        found.append("another rank in each round")
    elif "wild_rank" in facts.rules.asked:
        found.append(f"a rank {_as_said(facts, 'wild_rank')}")
    text = listed(found) if found else ""
    if facts.shown and facts.permanent and facts.rules.wild.shows_wilds:
        text += {
            "aces": ", or aces if that is always wild",
            "no rank": ", or none if that is always wild",
        }[facts.rules.wild.indicator_is_wild]
    if facts.rules.wild.above:
        text += ", and the card above that one"
    return text


def _wilds_in_melds(facts: Facts) -> str:
    if not facts.wilds:
        return ""
    wild = facts.rules.wild
    text = "more in longer melds" if wild.by_naturals else _LIMITS[wild.limit]
    if isinstance(wild.in_runs, int) and facts.rules.meld.runs:
        text += f", {number(wild.in_runs) if wild.in_runs else 'none'} in a run"
    if wild.wild_melds:
        text += ", or wilds alone"
    if facts.real_card == "swap":
        runs = wild.swap_in == "runs" or wild.moves_swapped
        text += f", traded for the real card{' in runs' * runs}"
        text += " and moved to an end" * wild.moves_swapped
    elif facts.real_card == "beside":
        text += ", with the real card beside them"
    return text


_LIMITS: Final = {
    "none": "any number",
    "one": "one",
    "more naturals": "fewer than natural cards",
}


def _melds(facts: Facts) -> str:
    meld = facts.rules.meld
    sets, runs = number(meld.least_set), number(meld.least_run)
    only = "" if facts.kinds else "only "
    if not meld.runs:
        text = f"{only}sets, of {sets} or more"
    elif not meld.sets:
        text = f"{only}runs, of {runs} or more"
    elif sets == runs:
        text = f"sets and runs of {sets} or more"
    else:
        text = f"sets of {sets} or more, runs of {runs} or more"
    if meld.sets and facts.several_packs:
        text += {
            "never": ", with identical cards in sets",
            "with one pack": ", with identical cards in sets of several packs",
            "always": "",
        }[facts.suits_matter]
    if meld.alike and max(facts.packs.values()) > 2:
        text += ", and three identical cards as a pure run"
    if facts.wilds and facts.suits_of_wilds != facts.suits_matter:
        text += ", with wild cards longer than the suits allow"
    if facts.kinds:
        text += f"; also {listed(facts.kinds, 'or')}"
    return text


def _aces(facts: Facts) -> str:
    low, high = facts.ace_low, facts.ace_high
    if low and high:
        corner = facts.rules.meld.ace == "round the corner"
        return "between king and two" if corner else "low or high"
    return "low" * low + "high" * high


def _shown(facts: Facts) -> str:
    if facts.rules.meld.concealed:
        return f"when somebody {facts.out[0]}"
    return "during the turn"


def _new_melds(facts: Facts) -> str:
    meld = facts.rules.meld
    if meld.concealed:
        return ""
    text = "any number"
    if facts.contracts:
        text = f"the contract of the round, {number(len(facts.contracts))} in all"
    elif isinstance(meld.a_turn, int):
        text = f"{number(meld.a_turn)} a turn"
    if not meld.further:
        text += ", and no others later"
    if meld.first_natural and facts.wilds:
        text += ", the first without wilds"
    return text


# ----------------------------------------------------------------------------- the turn


def _from_the_pile(facts: Facts) -> str:
    draw = facts.rules.draw
    text = {
        "any number": "any number of cards",
        "up to the top card's number": "as many cards as the top one allows",
        "the top card": "the top card",
        "the whole pile": "the whole pile",
    }[draw.take]
    several = draw.take != "the top card"
    if facts.keeps_wilds:
        text += ", but no wild other than the first upcard"
    if not draw.melded_takes and not facts.rules.meld.concealed:
        text += f", until a player has {facts.begun}"
    if draw.pair != "none":
        which = {"top": "the top one", "deepest": "the deepest one"}[draw.pair]
        text += f" with two natural cards like {which if several else 'it'}"
    if not facts.duty:
        return text
    if draw.duty == "natural set of the top card":
        return f"{text}; the top one goes into a natural set at once"
    if several and (draw.with_naturals or draw.new_meld):
        used = "the deepest of several goes into a new meld"
    else:
        used = f"{_OWED[draw.duty] if several else 'it'} has to be used"
    return f"{text}; {used}{' before anything else' * draw.at_once}"


_OWED: Final = {
    "top": "the top one",
    "deepest": "the deepest one",
    "deepest of several": "the deepest of several",
}


def _first_upcard(facts: Facts) -> str:
    if facts.rules.deal.first_discard != "turned up":
        return ""
    return {
        "offered": "offered before the first draw",
        "offered to be melded": "offered before the first draw, to be melded",
    }.get(facts.rules.draw.first_upcard, "a discard like any other")


def _lay_offs(facts: Facts) -> str:
    layoff = facts.rules.layoff
    if facts.rules.meld.concealed:
        if layoff.last_turns:
            return "on the melds declared, in the last turns"
        none = facts.gin_only or facts.declares
        return "" if none else "on the melds of the knocker"
    own = "the side's melds" if facts.rules.match.has_sides else "one's own melds"
    text = {"any meld": "on any meld", "own melds": f"on {own}"}[layoff.onto]
    if layoff.needs_own_meld and layoff.onto != "own melds":
        first = "the contract" if facts.contracts else "a meld of one's own"
        text += f" after {first}"
    if layoff.since == "the next turn":
        text += ", from the next turn on"
    if layoff.single_wilds and facts.wilds:
        text += ", and single wilds"
    return text


def _out_of_turn(facts: Facts) -> str:
    call = facts.rules.call
    parts = []
    if call.is_made and not facts.rules.meld.concealed:
        where = {"discard": "the last discard", "pile": "any discard"}[call.calls]
        own = " after a meld of one's own" * call.needs_own_meld
        parts.append(f"rummy may be called on {where}{own}")
    if facts.buys:
        most = f", {number(call.buys[0][1])} times a round" if call.buys else ""
        first = " by the first to speak" * call.asks_buyers_together
        parts.append(f"an upcard that is declined may be bought{first}{most}")
    return "; ".join(parts)


def _discards(facts: Facts) -> str:
    discard, draw = facts.rules.discard, facts.rules.draw
    free = draw.duty in {"none", "deepest of several"}
    text = "any card"
    if discard.throw_back == "refused" or not free:
        text = "any card but a discard just taken"
    if discard.keep:
        text += f", never the {listed(map(card, discard.keep))}"
    return text


# ----------------------------------------------------------------------- the round ends


def _going_out(facts: Facts) -> str:
    out = facts.rules.out
    if facts.declares:
        text = f"by declaring the whole hand{_runs_shown(facts)}"
        if out.dealt_hand:
            text += "; a dealt hand may be declared before the first draw"
    elif facts.gin_only:
        text = "by gin"
    elif facts.rules.meld.concealed:
        limit = f"with {out.knock} points or fewer"
        limit = "within a limit by upcard" if out.knock == "the upcard" else limit
        text = f"by a knock {limit}"
    else:
        text = {
            "out": "by getting rid of all cards",
            "float": "by a last discard; without it a player floats",
            "refused": "by a last discard only",
        }[out.empty_hand]
        if rule := facts.rules.replaced.get("out.empty_hand"):
            text = f"as {rule.name!r} says"
        elif facts.refills:
            text += ", unless the hand is filled again"
        if out.canasta and out.canastas:
            text += f", with {facts.by_players(out.canastas, 'canasta')}"
        if out.keeps_playable:
            text += "; the last discard fits no meld"
        if out.ask and facts.rules.match.sides != "none":
            text += "; a partner may be asked first"
    if facts.rules.meld.concealed and not facts.declares and out.big_gin:
        text += ", or by big gin"
    if out.last_turn:
        text += "; the others have one more turn"
    elif out.play_goes_on:
        text += "; everybody has a first turn"
    return text


def _runs_shown(facts: Facts) -> str:
    """
    The runs that a declaration needs, and what a wrong one costs.
    """
    out = facts.rules.out
    text = ""
    if out.runs:
        pure = out.pure_runs if facts.wilds else 0
        kind = "pure run" if pure == out.runs else "run"
        text = f", with {counted(out.runs, kind)}"
        if 0 < pure < out.runs:
            text += f", {number(pure)} of them pure"
        if out.long_run > facts.rules.meld.least_run:
            text += f", one of {number(out.long_run)} cards"
    if out.wrong_declaration != "refused":
        text += f"; a wrong declaration costs {out.wrong_declaration}"
    return text


def _leaving(facts: Facts) -> str:
    out = facts.rules.out
    first, later = out.first_drop, out.later_drop
    if first == "never" and later == "never":
        return ""
    if first == later:
        return f"before a draw, for {first}"
    if later == "never":
        return f"before the draw of a first turn, for {first}"
    if first == "never":
        return f"before the draw of a later turn, for {later}"
    text = f"before a draw, for {first} on a first turn and {later} later"
    if out.dropped_hand == "under the stock":
        text += "; the cards of a first drop go under the stock"
    return text


def _empty_stock(facts: Facts) -> str:
    stock = facts.rules.stock
    if stock.when_empty == "turn over" and not stock.dead:
        once = ", once" if stock.times == 1 else ""
        how = ", shuffled" if stock.turned == "shuffled" else ""
        return f"the discard pile is turned over{how}{once}"
    text = {
        "after the turn": "the round ends with the turn",
        "a knock with the last discard": "a last discard may be taken to end the round",
    }.get(stock.when_empty, "play goes on while discards are taken")
    if stock.dead:
        text += f", {counted(stock.dead, 'card')} being left"
    return text


# ---------------------------------------------------------------------------- the score


def _values(facts: Facts) -> str:
    return "; ".join(
        f"{row.label[0].lower()}{row.label[1:]} {row.value}"
        for row in next(section(facts, "score").paragraphs).rows
    )


def _scores(facts: Facts) -> str:
    score = facts.rules.score
    if score.counts_difference:
        whose = "the other player's" if facts.gin_only else "the difference in"
        return f"{whose} unmatched cards"
    table = "cards on the table" if score.counts_table else ""
    left = {
        "subtract": f"{facts.left}, subtracted",
        "to the one who is out": f"the other hands, for whoever {facts.out[0]}",
        "add": f"{facts.left}, added",
        "nothing": "",
    }[score.hands]
    if left:
        left += "".join(_adjusted(facts))
    return "; ".join(one for one in (table, left) if one) or "nothing"


def _adjusted(facts: Facts) -> Iterator[str]:
    """
    What the points of a hand become.
    """
    score = facts.rules.score
    if facts.rules.out.runs and score.lives != "none":
        graded = score.lives == "graded"
        yield ", all cards" + " but a pure run" * graded + " without the runs needed"
    if score.rounded_to > 1:
        yield f", rounded to {number(score.rounded_to)}"
    if isinstance(score.most_in_hand, int):
        yield f", {score.most_in_hand} at most"
    if score.no_turn == "half":
        yield ", half without a turn"
    if score.dealt_hand == "double":
        yield ", double after a turn against a dealt hand"


def _bonuses(facts: Facts) -> str:
    return ", ".join(_of_the_round(facts))


def _of_the_round(facts: Facts) -> Iterator[str]:
    rules = facts.rules
    score = rules.score
    if rules.meld.concealed and not facts.declares:
        if score.gin_bonus:
            yield f"{score.gin_bonus} for gin"
        if score.big_gin_bonus and rules.out.big_gin:
            yield f"{score.big_gin_bonus} for big gin"
        if score.undercut_bonus and score.counts_difference and not facts.gin_only:
            yield f"{score.undercut_bonus} for an undercut"
    if score.out_bonus:
        yield f"{score.out_bonus} for going out"
    if score.rummy == "double":
        yield f"double for {rules.meld.whole_hand}"
    elif score.counts_rummy:
        yield f"{score.rummy} for {rules.meld.whole_hand}"
    if score.doubles_fours and score.counts_table:
        yield "double for four put down at once"
    if score.four_ace_points is not None and score.counts_table:
        yield f"{score.four_aces} for each of four aces"
    if score.spade_upcard:
        yield "double for a spade as upcard"
    if score.exact_cut:
        yield f"{score.exact_cut} for an exact cut"


def _match(facts: Facts) -> str:
    match = facts.rules.match
    best = "lowest" if match.lowest_wins else "highest"
    if "match.target" in facts.rules.replaced:
        text = _as_said(facts, "winners")
    elif match.by_wild_rounds:
        text = f"one round for each wild rank, {best} score wins"
    elif match.by_rounds:
        text = f"{counted(facts.most_rounds, 'round')}, {best} score wins"
    elif match.ends == "when one is left":
        text = "until one player is left"
    else:
        text = f"to {match.target} points"
        if match.lowest_wins:
            text += ", lowest score wins"
    if match.eliminated_at != "never":
        text += f"; out at {match.eliminated_at} points"
        if match.rejoin != "never":
            text += f", back while the others have {match.rejoin} at most"
    if match.columns > 1:
        text += f", in {counted(match.columns, 'column')}"
    return text


def _of_the_match(facts: Facts) -> str:
    match = facts.rules.match
    found = []
    if match.game_bonus:
        found.append(f"{match.game_bonus} for winning it")
    if match.box_bonus:
        found.append(f"{match.box_bonus} for each round won")
    if match.shutout:
        double = match.shutout == "double"
        points = "doubled points" if double else match.shutout
        found.append(f"{points} for a shutout")
    if match.settlement != "none":
        found.append("losers pay the difference")
    return ", ".join(found)


def _house_rules(facts: Facts) -> str:
    return " ".join(one.text for section in SECTIONS for one in house(facts, section))


BRIEF_QUESTIONS: Final[Mapping[str, Callable[[Facts], str]]] = MappingProxyType(
    {
        "Players": _players,
        "Deck": _deck,
        "Hands": _hands,
        "Wild cards": _wilds,
        "Wilds in a meld": _wilds_in_melds,
        "Melds": _melds,
        "Aces in runs": _aces,
        "Melds are shown": _shown,
        "New melds": _new_melds,
        "From the discard pile": _from_the_pile,
        "First upcard": _first_upcard,
        "Lay-offs": _lay_offs,
        "Calls and buying": _out_of_turn,
        "Discards": _discards,
        "Going out": _going_out,
        "Leaving a round": _leaving,
        "Empty stock": _empty_stock,
        "Points of cards": _values,
        "What scores": _scores,
        "Bonuses in a round": _bonuses,
        "Match": _match,
        "Bonuses in a match": _of_the_match,
        "House rules": _house_rules,
    }
)
"""The questions in the order of play, and what answers them."""
