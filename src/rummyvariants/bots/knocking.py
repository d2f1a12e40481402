"""
Deviations that may pay where a knock ends the round and melds stay in the hand (GR-02).

The kinds are: to knock rather than wait, to take the upcard rather than draw, and to
discard another card. The contrary of a kind has the same features with other signs.
"""

from __future__ import annotations

import math

from collections.abc import Collection, Iterator
from typing import ClassVar, Final

import attrs

from rummyvariants._support.memos import remembered
from rummyvariants.actions import Action, Discard, Draw, Knock, Pass, Take
from rummyvariants.bots.advantages import Rival
from rummyvariants.bots.concealed import Prospects, shown
from rummyvariants.cards import (
    ALL_CODES,
    CARDS,
    JOKER,
    UNIT,
    faces,
    size,
)
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._state import stock_left
from rummyvariants.melds import Terms
from rummyvariants.melds._deadwood import (
    fewest_after_discard,
    fewest_points,
    least_unmatched,
    worth_of,
)
from rummyvariants.melds.shapes._shapes import shapes_of
from rummyvariants.rules import Ruleset


_DISCARDS: Final = 4
"""How many discards are compared with the base choice."""
_DEARER: Final = 8.0
"""By how much the careful bot may hold such a discard to be worse than the best."""
_TAKING: Final = -2.0
"""The least saving, as the careful bot reckons it, with which taking is considered."""
"""The cards of one pack without jokers."""
_TURNS: Final = 12
"""The turns are counted so far."""


@attrs.frozen
class Knocking:
    """
    Two players, one pack, and a knock that scores the difference of the hands.
    """

    name: ClassVar[str] = "knocking"

    def conditions(self, rules: Ruleset, players: int) -> str | None:
        """
        The limit and the bonuses, where all else is as in the usual game.
        """
        out, score = rules.out, rules.score
        usual = (
            players == 2
            and rules.meld.concealed
            and rules.draw.offers_upcard
            and rules.discard.keeps_taken
            and out.knocks
            and score.counts_difference
            and not out.declares
            and not rules.house
            and sorted(rules.deck.cards_for(players))
            == [code for code in ALL_CODES if code < JOKER]
        )
        if not usual:
            return None
        limit = "by upcard" if out.fixed_limit < 0 else out.fixed_limit
        big = score.big_gin_bonus if out.big_gin else "none"
        return (
            f"limit {limit}, gin {score.gin_bonus}, big gin {big}, "
            f"undercut {score.undercut_bonus}"
        )

    def rivals(
        self, state: AnyState, seat: int, base: Action, kinds: Collection[str]
    ) -> Iterator[Rival]:
        """
        The rivals of a base choice; some may be illegal.
        """
        del kinds  # their features are worked out together
        match base:
            case Draw() | Pass() | Take() if state.phase in {"draw", "offer"}:
                yield from _other_draw(state, seat, base)
            case Discard() | Knock() if state.phase == "play":
                yield from _other_end(state, seat, base)


def _other_draw(state: AnyState, seat: int, base: Action) -> Iterator[Rival]:
    """
    Taking the upcard, or not taking it.
    """
    if not state._discards or stock_left(state) < 1:
        return
    sight = Sight(state, seat)
    before, after = sight.costs_of_taking()
    saving = before - (0.0 if after == math.inf else after)  # no card is left over
    taking = isinstance(base, Take)
    if saving < _TAKING and not taking:
        return
    terms, hand = sight.terms, sight.hand
    top = UNIT[state._discards[-1]]
    points = fewest_points(terms, hand)
    left = least_unmatched(terms, hand + top)
    # The card taken stays in the hand.
    least = min([fewest_points(terms, hand + top - UNIT[code]) for code in faces(hand)])
    ahead = sight.ahead(hand)
    features = {
        "one": 1.0,
        "offered": state.phase == "offer",
        "turn": sight.turn,
        "saving": saving,
        "points saved": points - least,
        "points saved by the stock": points - ahead["next points"],
        "knock": least <= sight.limit,
        "gin": not least,
        **ahead,
        "melded": not left & top,
        "stock": sight.stock,
    }
    if not taking:
        yield Rival(Take(1, seat), "take", features)
        return
    other = Pass(seat) if state.phase == "offer" else Draw(seat)
    yield Rival(other, "take", {}, features)


def _other_end(state: AnyState, seat: int, base: Discard | Knock) -> Iterator[Rival]:
    """
    Knocking or waiting, and other discards where the base choice is to discard.
    """
    if isinstance(base, Knock) and base.card is None:
        return
    sight = Sight(state, seat)
    rated, knocks = sight.endings()
    if not rated:
        return
    if knocks and knocks[0][0]:
        points, _, code = knocks[0]
        features = sight.of_knock(sight.hand - UNIT[code], points)
        if isinstance(base, Discard):
            yield Rival(shown(state, seat, code), "knock", features)
        else:
            other = Discard(CARDS[rated[0][2]], seat)
            yield Rival(other, "knock", {}, features)
    if isinstance(base, Knock):
        return
    costs = {code: cost for cost, _, code in rated}
    if base.card.code not in costs:
        return
    its = sight.of_discard(base.card.code)
    for cost, _, code in rated[:_DISCARDS]:
        if code != base.card.code and cost < costs[base.card.code] + _DEARER:
            mine = sight.of_discard(code)
            yield Rival(Discard(CARDS[code], seat), "discard", mine, its)


class Sight(Prospects):
    """
    What a seat sees of a state.

    Attributes:
        turn: The turns that it has had, in tens.
        stock: The cards that may still be drawn, in tens.
    """

    def __init__(self, state: AnyState, seat: int) -> None:
        super().__init__(state, seat)
        self.turn = min(_TURNS, state.turns[seat]) / 10
        self.stock = stock_left(state) / 10

    def ahead(self, hand: int) -> dict[str, float]:
        """
        What a hand may expect of the next card of the stock, on average.

        That is the points that are left after the best discard, and how likely a knock
        or gin is possible then.
        """
        return _ahead(self.terms, hand, self.hidden, self.limit)

    def of_knock(self, rest: int, points: float) -> dict[str, float]:
        """
        The features of a knock with a hand, against waiting with it.
        """
        terms = self.terms
        others = self.hidden + self.known
        fit = [
            code
            for code in faces(others)
            if fewest_points(terms, rest + UNIT[code]) <= points
        ]
        return {
            "one": 1.0,
            "points": points / 10,
            "turn": self.turn,
            "known cards": size(self.known) / 10,
            "stock": self.stock,
            **self.ahead(rest),
            "cards that fit": len(fit) / 10,
            "known points": worth_of(terms, least_unmatched(terms, self.known)) / 10,
        }

    def of_discard(self, code: int) -> dict[str, float]:
        """
        The features of a discard.
        """
        terms, rest = self.terms, self.hand - UNIT[code]
        left = least_unmatched(terms, rest)
        points = worth_of(terms, left)
        return {
            "one": 1.0,
            "turn": self.turn,
            "points": points,
            "hope": points - self.cost(rest, left),
            "gift": self.gift(code),
            "worth": terms.worth[code],
            **self.ahead(rest),
        }


@remembered(256)
def _ahead(terms: Terms, hand: int, hidden: int, limit: int) -> dict[str, float]:
    """
    What a hand may expect of the next of some hidden cards.
    """
    points = fewest_points(terms, hand)
    kept = fewest_after_discard(terms, hand)
    shapes = shapes_of(terms)
    after = [
        fewest_after_discard(terms, hand + UNIT[code])
        if shapes.fewest(hand + UNIT[code], code)
        # A card of no meld goes again, or stays in the place of another.
        else min(points, kept + terms.worth[code])
        for code in faces(hidden)
    ]
    number = max(1, len(after))
    return {
        "next points": sum(after) / number,
        "knock next": sum([one <= limit for one in after]) / number,
        "gin next": after.count(0) / number,
    }
