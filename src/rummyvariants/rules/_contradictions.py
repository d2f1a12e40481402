"""
Policy values that cannot all be in force.
"""

from __future__ import annotations

import itertools
import math

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from rummyvariants._support.words import a, figure
from rummyvariants.cards import COPIES, JOKER, Card
from rummyvariants.melds.shapes._numbers import (
    KIND_AT_MOST,
    KINDS_AT_MOST,
    LEAST_AT_MOST,
)
from rummyvariants.policies.base import from_table
from rummyvariants.rules._claims import claimed_twice
from rummyvariants.rules._origins import Origin, Rules, show_value
from rummyvariants.rules._variants import Problem, options
from rummyvariants.rulings import catalogue


Clash = tuple[str, ...]
"""A reason, and the policy values in conflict."""


def contradictions(rules: Rules, unread: Iterable[str] = ()) -> list[Problem]:
    """
    Why the policy values of a ruleset cannot all be in force.

    Args:
        rules: The ruleset.
        unread: Policy values that are wrong in themselves, about which nothing is said.

    Returns:
        A sentence for each contradiction, with the ids of the rules in conflict.
    """
    clashes = itertools.chain.from_iterable(find(rules) for find in _FINDERS)
    problems = [
        _told(rules, reason, paths)
        for reason, *paths in clashes
        if {*paths}.isdisjoint(unread)
    ]
    problems += _beside_kinds(rules)
    problems += claimed_twice(rules)
    beyond = itertools.islice(_beyond_the_library(rules), 1)
    problems += [(f"deck: {reason}", ()) for reason in beyond]
    if not rules.deck.ranks:
        problems.append(("deck.ranks: the deck has no cards", ()))
    return problems


def _told(rules: Rules, reason: str, paths: Iterable[str]) -> Problem:
    """
    A clash with the values, where they come from, and what to do about it.
    """
    sides = {path: rules.origin(path) for path in paths}
    values = " and ".join(
        f"{path} = {show_value(rules.value(path))} ({one})"
        for path, one in sides.items()
    )
    text = f"{reason}: {values}; {_remedy(sides.values())}"
    return text, tuple(one.rule for one in sides.values())


def _remedy(sides: Iterable[Origin]) -> str:
    """
    How to resolve a conflict between values.
    """
    chosen = dict.fromkeys(one.set_by for one in sides if one.set_by in options())
    needed = [need for one in chosen for need in catalogue()[one].needs]
    ways = []
    if needed:
        ways.append(f"put {' or '.join(needed)} on")
    if chosen:
        ways.append(f"take {' or '.join(chosen)} out")
    return " or ".join(ways) or "change one of them"


def _beside_wilds(rules: Rules) -> Iterator[Clash]:
    """
    Conflicts of values with the cards that are wild.
    """
    wild, deck = rules.wild, rules.deck
    if not (rules.meld.sets or rules.meld.runs or rules.kinds):
        yield "neither sets nor runs could be melded", "meld.sets", "meld.runs"
    for path, name, rank in (
        ("wild.twos", "twos", "2"),
        ("wild.tens", "tens", "T"),
        ("wild.one_eyed_jacks", "jacks", "J"),
    ):
        if rules.value(path) and rank not in deck.ranks:
            yield f"{name} are wild, but the deck has none", path, "deck.ranks"
    for one in map(Card, wild.cards):
        if one.is_joker:
            yield "jokers are wild by another value", "wild.cards", "wild.jokers"
        elif one.rank not in deck.ranks or one.suit not in deck.suits:
            path = "deck.suits" if one.rank in deck.ranks else "deck.ranks"
            yield f"{one} is wild, but the deck has none", "wild.cards", path
    if rules.deal.two_upcard == "choose" and not wild.twos:
        yield "a choice for twos needs wild twos", "deal.two_upcard", "wild.twos"


def _beside_scores(rules: Rules) -> Iterator[Clash]:
    """
    Conflicts of values with the score, the end of the match, and sides.
    """
    score, match, deal = rules.score, rules.match, rules.deal
    # Where only the hands count, a bonus goes with their points.
    only_hands = score.down == "nothing" and score.hands != "add"
    if score.out_bonus and score.hands != "subtract" and not only_hands:
        reason = "the bonus for going out needs hand cards to be subtracted"
        yield reason, "score.out_bonus", "score.hands"
    if match.ends == "after the kings" and rules.wild.indicator != "by round":
        reason = "a match that ends after the kings needs wilds named by the round"
        yield reason, "match.ends", "wild.indicator"
    low, high = match.players
    if not any(match.makes_sides(number) for number in range(low, high + 1)):
        yield "no sides can be made of the players", "match.sides", "match.players"
    if match.columns > 1:
        if match.sides != "none":
            yield "sides keep one column", "match.sides", "match.columns"
        reason = "a match that a rule decides has one column"
        for question in ("eliminated", "winners"):
            for path, rule in rules.asked.get(question, ()):
                by = path if "rules" not in path else f"{rule.section}.rules"
                yield reason, by, "match.columns"
    if deal.method != "fixed":
        if rules.wild.indicator == "hand size":
            reason = "hands of different sizes name no wild rank"
            yield reason, "wild.indicator", "deal.method"
        if score.exact_cut:
            reason = "nobody knows beforehand how many cards such a deal needs"
            yield reason, "score.exact_cut", "deal.method"
    if match.ends == "after the rounds" and match.rounds == "any number":
        yield "no number of rounds is set", "match.ends", "match.rounds"


def _beside_shown(rules: Rules) -> Iterator[Clash]:
    """
    Conflicts of values with aces that a shown wild card makes wild.
    """
    if rules.wild.shows_wilds and rules.wild.indicator_is_wild == "aces":
        reason = "a wild card that is shown makes aces wild"
        if not rules.wild.aces:
            yield reason, "wild.indicator_is_wild", "wild.aces"
        if "A" not in rules.deck.ranks:
            yield reason, "wild.indicator_is_wild", "deck.ranks"


def _beside_knocks(rules: Rules) -> Iterator[Clash]:
    """
    Conflicts of values with melds that stay in the hand, or with knocks.
    """
    meld, out, draw, score = rules.meld, rules.out, rules.draw, rules.score
    knocks = out.knock != "never"
    if knocks != (meld.shown == "at the knock"):
        reason = "melds are shown at the knock if players knock, and only then"
        yield reason, "out.knock", "meld.shown"
    if out.declares != (meld.shown == "at the declaration"):
        reason = "melds are shown at the declaration if players declare, and only then"
        yield reason, "out.declare", "meld.shown"
    if knocks and out.last_turn:
        yield "a knock ends the round", "out.last_turn", "out.knock"
    if knocks and rules.match.players != (2, 2):
        yield "only two players can knock", "out.knock", "match.players"
    if rules.deal.first_discard != "turned up":
        reason, other = "no card is turned up after the deal", "deal.first_discard"
        if draw.offers_upcard:
            yield reason, "draw.first_upcard", other
        if rules.asks_for_upcard:
            yield reason, "out.knock", other
    if score.spade_upcard and out.knock != "the upcard":
        reason = "a spade doubles a round only if the upcard sets the limit for knocks"
        yield reason, "score.spade_upcard", "out.knock"
    if not knocks:
        if score.hands == "the difference":
            reason = "hands are compared only if players knock"
            yield reason, "score.hands", "out.knock"
        if rules.stock.when_empty == "a knock with the last discard":
            yield "players do not knock", "stock.when_empty", "out.knock"
    if meld.concealed:
        reason = f"melds stay in the hand until somebody {meld.shown_by}"
        if draw.first_upcard == "offered to be melded":
            yield reason, "draw.first_upcard", "meld.shown"
        for path, wanted in _CONCEALED.items():
            if rules.value(path) != wanted:
                yield reason, path, "meld.shown"


def _beside_contracts(rules: Rules) -> Iterator[Clash]:
    """
    Conflicts of values with contracts, which nobody could lay then.
    """
    meld = rules.meld
    contracts = [[one.split() for one in text.split(", ")] for text in meld.contracts]
    if not contracts:
        return
    if meld.concealed:
        yield "contracts are laid in turn", "meld.contracts", "meld.shown"
    melds = max(map(len, contracts))
    if isinstance(meld.a_turn, int) and meld.a_turn < melds:
        reason = f"a contract has {figure(melds, 'meld')}, laid in one turn"
        yield reason, "meld.contracts", "meld.a_turn"
    for kind, allowed, least in (
        ("set", meld.sets, meld.least_set),
        ("run", meld.runs, meld.least_run),
    ):
        sizes = [int(size) for one in contracts for name, size in one if name == kind]
        if sizes and not allowed:
            yield f"a contract has a {kind}", "meld.contracts", f"meld.{kind}s"
        elif sizes and min(sizes) < least:
            reason = f"a contract has a {kind} of {min(sizes)}"
            yield reason, "meld.contracts", f"meld.least_{kind}"
    if meld.last_contract == "the whole hand" and rules.out.empty_hand == "refused":
        reason = "the last contract leaves no card to discard"
        yield reason, "meld.last_contract", "out.empty_hand"


def _beside_hands(rules: Rules) -> Iterator[Clash]:
    """
    Conflicts of contracts with hands that never hold so many cards.

    Nothing is said where discards that are taken, calls or rules of the table may bring
    any number of cards.
    """
    questions = ("buys", "cards_drawn", "follows", "values")
    asked = [rules.asked.get(one, ()) for one in questions]
    known = {"call.buying", "draw.from_stock"}
    if not (rules.draw.takes_top and rules.deal.is_fixed) or rules.call.is_made:
        return
    if any(path not in known for found in asked for path, _ in found):
        return
    drawn = max([1, *(number for _, number in rules.draw.from_stock)])
    low, high = rules.match.players
    for at, text in enumerate(rules.meld.contracts, 1):
        needed = sum([int(one.split()[1]) for one in text.split(", ")])
        needed += rules.out.empty_hand == "refused"
        for players in range(low, high + 1):
            bought = _most_bought(rules, players, at) * (1 + rules.call.buy_price)
            held = rules.deal.fixed_size(players, at) + drawn + bought
            if held < needed:
                reason = (
                    f"the contract of deal {at} needs {figure(needed, 'card')}, and of "
                    f"{figure(players, 'player')} nobody ever holds more than {held}"
                )
                yield reason, "meld.contracts", "match.players"
                return


def _most_bought(rules: Rules, players: int, round_number: int) -> float:
    """
    How many upcards a player can buy in a round; infinite without a limit.

    Nobody buys their own discard, so of two players only the dealer ever buys, and only
    the first upcard.
    """
    buys = rules.call.buys
    if rules.call.buying == "none" or players < 2:
        return 0
    most = from_table(buys, round_number) if buys else math.inf
    return min(1, most) if players == 2 else most


def _beside_card_above(rules: Rules) -> Iterator[Clash]:
    """
    Conflicts of values with the card above the one that names the wild rank.
    """
    if rules.wild.above and not rules.wild.by_separate_card:
        reason = "no card lies under the stock that another could be above"
        yield reason, "wild.above", "wild.indicator"
    if rules.score.above and not rules.wild.above:
        reason = "the card above the one shown is like any other"
        yield reason, "score.above", "wild.above"


def _beside_elimination(rules: Rules) -> Iterator[Clash]:
    """
    Conflicts of values with the elimination of players whose totals are too high.
    """
    match = rules.match
    if match.ends == "when one is left" and "eliminated" not in rules.asked:
        yield "nobody is ever eliminated", "match.ends", "match.eliminated_at"
    if match.eliminated_at == "never":
        if match.rejoin != "never":
            reason = "only players who are eliminated come back"
            yield reason, "match.rejoin", "match.eliminated_at"
        return
    if not match.lowest_wins:
        reason = "a high total eliminates only where the lowest score wins"
        yield reason, "match.eliminated_at", "match.winner"
    if match.sides != "none":
        reason = "partners are not eliminated one by one"
        yield reason, "match.eliminated_at", "match.sides"


def _beside_declarations(rules: Rules) -> Iterator[Clash]:
    """
    Conflicts of values with what a declaration shows.
    """
    out = rules.out
    if not out.declares:
        for path, wanted in _DECLARED.items():
            if rules.value(path) != wanted:
                yield "players do not declare", path, "out.declare"
    elif rules.layoff.last_turns and not out.last_turn:
        reason = "nobody has a turn after a declaration"
        yield reason, "layoff.last_turns", "out.last_turn"
    if out.declares and out.runs and not rules.meld.runs:
        yield "a declaration needs runs", "out.runs", "meld.runs"
    if out.dealt_hand and out.last_turn:
        reason = "a hand declared as it was dealt ends the round"
        yield reason, "out.dealt_hand", "out.last_turn"
    if rules.score.dealt_hand != "as any other" and not out.dealt_hand:
        reason = "no hand is declared as it was dealt"
        yield reason, "score.dealt_hand", "out.dealt_hand"
    if out.pure_runs > out.runs:
        reason = "more runs would have to be pure than there are"
        yield reason, "out.pure_runs", "out.runs"


def _beside_kinds(rules: Rules) -> Iterator[Problem]:
    """
    Conflicts of house rules that declare kinds of melds.
    """
    named: dict[str, str] = {}
    for kind in rules.kinds:
        if kind.name in named:
            both = [rules.rule_of(one) for one in (named[kind.name], kind.path)]
            reason = f"{named[kind.name]} and {kind.path} both declare {a(kind.name)}"
            yield f"{reason}: leave one of them out", tuple(both)
        named.setdefault(kind.name, kind.path)
        sizes = (kind.least, kind.most)
        whole = all(type(one) is int for one in sizes)
        if not whole or not 2 <= kind.least <= min(kind.most, LEAST_AT_MOST):
            wanted = f"2 to {LEAST_AT_MOST} at least"
        elif kind.most > KIND_AT_MOST:
            wanted = f"{KIND_AT_MOST} at most"
        else:
            continue
        reason = f"{kind.path} declares {kind}: give {wanted}"
        yield f"{reason}, the library's limit", (rules.rule_of(kind.path),)
    if len(rules.kinds) > KINDS_AT_MOST:
        number = figure(len(rules.kinds), "kind")
        text = f"house rules declare {number} of melds, but the library tells"
        yield f"{text} {KINDS_AT_MOST} apart; this is its limit", ()


def _beyond_the_library(rules: Rules) -> Iterator[str]:
    """
    Why there are more cards of a face than the library counts, which is no rule.
    """
    low, high = rules.match.players
    for players in range(low, high + 1):
        packs = rules.deck.packs_for(players)
        for face, number, most in (
            (rules.deck.ranks[:1] + rules.deck.suits[:1], packs, COPIES[0]),
            ("*", rules.deck.jokers_for(packs), COPIES[JOKER]),
        ):
            if number > most:
                what = figure(number, "joker") if face == "*" else f"{number} of {face}"
                with_players = figure(players, "player")
                yield (
                    f"with {with_players} there would be {what}, but the library "
                    f"counts {most} at most; this is its limit, not a rule of the game"
                )


_DECLARED: Final[Mapping[str, Any]] = {
    "meld.alike": False,
    "layoff.last_turns": False,
    "out.dealt_hand": False,
    "out.runs": 0,
    "out.long_run": 0,
    "out.wrong_declaration": "refused",
    "score.lives": "none",
}
"""What policy values must be where players do not declare."""
_CONCEALED: Final[Mapping[str, Any]] = {
    "wild.indicator_stays": False,
    "meld.first_natural": False,
    "meld.a_turn": "any number",
    "draw.duty": "none",
    "draw.with_naturals": False,
    "draw.stock_card": "free",
    "score.in_hand": (),
    "layoff.onto": "any meld",
    "layoff.needs_own_meld": False,
    "layoff.single_wilds": False,
    "call.calls": "none",
    "out.grace": False,
    "out.ask": False,
    # Going rummy is called gin there, with a bonus of its own.
    "score.rummy": "nothing",
}
"""What policy values must be where melds stay in the hand."""
_FINDERS: Final = (
    _beside_wilds,
    _beside_scores,
    _beside_shown,
    _beside_knocks,
    _beside_contracts,
    _beside_hands,
    _beside_card_above,
    _beside_elimination,
    _beside_declarations,
)
