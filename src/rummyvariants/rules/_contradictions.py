"""
Policy values that cannot all be in force.
"""

from __future__ import annotations

import functools
import itertools
import math
import re

from collections.abc import Iterable, Iterator, Mapping

from rummyvariants._support.packaged import packaged_table
from rummyvariants._support.words import a, figure
from rummyvariants.cards import COPIES, JOKER, STARS, Card
from rummyvariants.melds.shapes._numbers import (
    KIND_AT_MOST,
    KINDS_AT_MOST,
    LEAST_AT_MOST,
)
from rummyvariants.policies.base import from_table
from rummyvariants.rules._claims import claimed_twice
from rummyvariants.rules._origins import Origin, Rules, show_value
from rummyvariants.rules._rows import Teller
from rummyvariants.rules._variants import Problem, every_option
from rummyvariants.rulings import catalogue


def contradictions(rules: Rules, unread: Iterable[str] = ()) -> list[Problem]:
    """
    Why the policy values of a ruleset cannot all be in force.

    Args:
        rules: The ruleset.
        unread: Policy values that are wrong in themselves, about which nothing is said.

    Returns:
        A sentence for each contradiction, with the ids of the rules in conflict.
    """
    problems: list[Problem] = []

    def clash(reason: str, *paths: str) -> None:
        if not {*paths}.isdisjoint(unread):
            return
        sides = [rules.origin(path) for path in paths]
        values = " and ".join(
            f"{path} = {show_value(rules.value(path))} ({one})"
            for path, one in zip(paths, sides, strict=True)
        )
        problems.append(
            (f"{reason}: {values}; {_remedy(sides)}", tuple(one.rule for one in sides))
        )

    for one in map(Card, rules.wild.cards):
        if one.is_joker:
            clash("jokers are wild by another value", "wild.cards", "wild.jokers")
        elif one.rank not in rules.deck.ranks or one.suit not in rules.deck.suits:
            path = "deck.suits" if one.rank in rules.deck.ranks else "deck.ranks"
            clash(f"{one} is wild, but the deck has none", "wild.cards", path)
    low, high = rules.match.players
    if not any(rules.match.makes_sides(number) for number in range(low, high + 1)):
        clash("no sides can be made of the players", "match.sides", "match.players")
    for question in ("eliminated", "winners"):
        for path, rule in rules.asked.get(question, ()):
            if rules.match.columns > 1:
                reason = "a match that a rule decides has one column"
                by = path if "rules" not in path else f"{rule.section}.rules"
                clash(reason, by, "match.columns")
    for reason, paths in _by_rows(rules):
        clash(reason, *paths)
    for reason, *others in (*_beside_contracts(rules), *_beside_hands(rules)):
        clash(reason, *others)
    problems += _beside_kinds(rules)
    problems.extend(claimed_twice(rules))
    for reason in itertools.islice(_beyond_the_library(rules), 1):
        problems.append((f"deck: {reason}", ()))
    if not rules.deck.ranks:
        problems.append(("deck.ranks: the deck has no cards", ()))
    return problems


@functools.cache
def rows() -> tuple[tuple[str, str, str, tuple[str, ...]], ...]:
    """
    Contradictions as rows: reason, further condition, condition, values in conflict.
    """
    return tuple(
        [
            (row["text"], row.get("also", "else"), when, _named(row, when))
            for row in packaged_table("data", "contradictions.toml")["say"]
            for when in row.get("each") or [row["when"]]
        ]
    )


def _named(row: Mapping[str, str], when: str) -> tuple[str, ...]:
    cited = row["cite"].split("; ") if "cite" in row else []
    if cited and "each" not in row:
        return tuple(cited)
    return (*re.findall(r"[a-z]+\.[a-z_]+", when), *cited)


def _by_rows(rules: Rules) -> Iterator[tuple[str, tuple[str, ...]]]:
    told = Teller(rules, {})
    for reason, also, when, paths in rows():
        if told.holds(when) and told.holds(also):
            yield told.filled(reason)[0], paths


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
    if rules.kinds and STARS in rules.deck.suits:
        path = rules.kinds[0].path
        text = f"{path} declares {rules.kinds[0]}, and deck.suits has stars: leave one"
        yield f"{text} of them out, the library's limit", (rules.rule_of(path),)


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


def _remedy(sides: Iterable[Origin]) -> str:
    """
    How to resolve a conflict between values.
    """
    chosen = dict.fromkeys(one.set_by for one in sides if one.set_by in every_option())
    needed = [need for one in chosen for need in catalogue()[one].needs]
    ways = []
    if needed:
        ways.append(f"put {' or '.join(needed)} on")
    if chosen:
        ways.append(f"take {' or '.join(chosen)} out")
    return " or ".join(ways) or "change one of them"


def _beside_contracts(rules: Rules) -> Iterator[tuple[str, ...]]:
    """
    Conflicts of values with contracts, which nobody could lay then.

    Yields:
        The reason, and the policy values in conflict.
    """
    meld = rules.meld
    contracts = [[one.split() for one in text.split(", ")] for text in meld.contracts]
    if not contracts:
        return
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


def _beside_hands(rules: Rules) -> Iterator[tuple[str, ...]]:
    """
    Conflicts of contracts with hands that never hold so many cards.

    Nothing is said where discards that are taken, calls or rules of the table may bring
    any number of cards.

    Yields:
        The reason, and the policy values in conflict.
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

    Where nobody buys their own discard, of two players only the dealer ever buys, and
    only the first upcard.
    """
    buys = rules.call.buys
    if rules.call.buying == "none" or players < 2:
        return 0
    most = from_table(buys, round_number) if buys else math.inf
    return min(1, most) if players == 2 and not rules.call.own_discard else most
