"""
Deviations that may pay where melds are laid on the table as they are made.

The kinds are: to discard another card, and to take other discards or none.
"""

from __future__ import annotations

import functools

from collections.abc import Collection, Iterator
from typing import Final

import attrs

from rummyvariants.actions import Action, Discard, Draw, Take
from rummyvariants.bots.advantages import Rival
from rummyvariants.bots.outlook import Outlook, companies
from rummyvariants.bots.plays import can_lay
from rummyvariants.bots.turns import points_after
from rummyvariants.cards import (
    CARDS,
    FIELD,
    UNIT,
    codes,
    faces,
    pack,
    present,
    size,
    total,
)
from rummyvariants.game._engine.draws import Takes
from rummyvariants.game._engine.game import is_legal
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._round import History
from rummyvariants.rules import Ruleset


_POINTS: Final = 10
"""Points are features in tens."""
_TURNS: Final = 8
"""With so many turns left, a round has only begun."""
_PILE: Final = 20
"""The cards of the discard pile are counted so far."""
_FOOD: Final = 4
"""So many top discards may be what the next player takes."""


@attrs.frozen
class Laying:
    """
    A preset in which melds are laid on the table, without changes to its rules.

    What pays depends on the points, the melds and the number of players, so each game
    has weights of its own.

    Attributes:
        name: Its name in the data file.
        past: Whether what the next player threw and left in the round counts.
    """

    name: str
    past: bool = False

    def conditions(self, rules: Ruleset, players: int) -> str | None:
        """
        The game and the number of players, if the rules are those of a preset.
        """
        known = rules == rules.preset and not rules.meld.concealed
        return f"{rules.base}, {players} players" if known else None

    def rivals(
        self, state: AnyState, seat: int, base: Action, kinds: Collection[str]
    ) -> Iterator[Rival]:
        """
        The rivals of a base choice; some may be illegal.
        """
        match base:
            case Discard() if state.phase == "play" and "discard" in kinds:
                sight = Sight(state, seat, past=self.past)
                its = sight.of_discard(base.card.code)
                for code in faces(state._hands[seat]):
                    if code != base.card.code:
                        mine = sight.of_discard(code)
                        yield Rival(Discard(CARDS[code], seat), "discard", mine, its)
            case Draw() | Take() if state.phase == "draw" and "take" in kinds:
                yield from _other_draws(state, seat, base)


def _other_draws(state: AnyState, seat: int, base: Draw | Take) -> Iterator[Rival]:
    """
    Taking another number of discards, or none.
    """
    numbers = [0, *Takes(state, seat).numbers()]
    chosen = base.count if isinstance(base, Take) else 0
    if numbers == [chosen]:
        return
    sight = Sight(state, seat)
    its = sight.of_taking(chosen)
    for count in numbers:
        action = Take(count, seat) if count else Draw(seat)
        if count != chosen and is_legal(state, action):
            yield Rival(action, "take", sight.of_taking(count), its)


class Sight:
    """
    What a seat sees of a state.
    """

    def __init__(self, state: AnyState, seat: int, *, past: bool = False) -> None:
        self._state, self._seat, self._past = state, seat, past
        self._terms = state.dealt.terms
        self._hand = hand = state._hands[seat]
        self._outlook = outlook = Outlook(state, seat)
        self._hidden, self._known = outlook.hidden, outlook.known
        self._pile = pack(state._discards)
        self._next = outlook.following
        self._early = min(1.0, outlook.turns / _TURNS)
        others = [size(one) for at, one in enumerate(state._hands) if at != seat]
        self._danger = 1 / (1 + min(others))
        self._chances = {code: outlook.melds(hand, code) for code in faces(hand)}

    @functools.cached_property
    def _now(self) -> int:
        """
        The points that can be laid without a card drawn.
        """
        return points_after(self._state, self._seat, 0)

    @functools.cached_property
    def _thrown(self) -> tuple[int, int]:
        """
        The discards of the next player in the round, and the seat's own in the pile.

        Those the next player has left there. Each face counts once.
        """
        thrown = {self._next: 0, self._seat: 0}
        node: History | None = self._state._history
        while node is not None and not node.starts_round:
            action = node.action
            if isinstance(action, Discard) and action.seat in thrown:
                thrown[action.seat] |= UNIT[action.card.code]
            node = node.before
        return thrown[self._next], thrown[self._seat] & present(self._pile)

    def _expected(self, hand: int, changed: int) -> tuple[float, float]:
        """
        The points of a hand that are likely to be laid, and the others, in tens.

        Args:
            hand: The hand.
            changed: The cards in which it differs from the hand now.
        """
        worth, chances, melds = self._terms.worth, self._chances, self._outlook.melds
        near = 0
        for code in faces(changed):
            near |= companies(self._terms)[code].all
        coming = 0.0
        for code in codes(hand):
            if near & FIELD[code] or code not in chances:
                coming += worth[code] * melds(hand, code)
            else:
                coming += worth[code] * chances[code]
        return coming / _POINTS, (total(worth, hand) - coming) / _POINTS

    def of_discard(self, code: int) -> dict[str, float]:
        """
        The features of a discard.
        """
        terms, rest, field = self._terms, self._hand - UNIT[code], FIELD[code]
        hidden, pile, known = self._hidden, self._pile, self._known
        near = companies(terms)[code]
        mates = near.mates & ~field
        piled = size(pile & mates)
        ends = fill = fill_piled = run = run_known = run_piled = run_hidden = 0
        for one, other, _ in near.pairs:
            first, second = rest & one, rest & other
            if first and second:
                run = 1
            elif first or second:
                ends += 1
                lacks = other if first else one
                fill += bool(hidden & lacks)
                fill_piled += bool(pile & lacks)
            run_hidden += bool(hidden & one and hidden & other)
            run_piled |= bool(pile & one and pile & other)
            run_known |= bool(known & (one | other))
        coming, losing = self._expected(rest, field)
        return {
            "one": 1.0,
            "early": self._early,
            "danger": self._danger,
            "end": len(self._state._stock) <= len(self._state._hands),
            "pile": min(len(self._state._discards), _PILE) / 10,
            "points": terms.worth[code] / _POINTS,
            "chance": self._chances[code],
            "use": self._outlook.serves_next(code),
            "wild": terms.wild[code],
            "twin": bool(rest & field),
            "fits": bool(self._outlook.fitting & field),
            "pair": size(rest & mates) == 1,
            "near cards": ends,
            "run": run,
            "hidden mates": size(hidden & mates) / 3,
            "hidden runs": run_hidden / 3,
            "runs to fill": fill,
            "mates in the pile": piled,
            "set with the pile": piled >= 2,
            "run with the pile": run_piled,
            "runs to fill from the pile": fill_piled,
            "mate of the next": bool(known & mates),
            "run of the next": run_known,
            "coming": coming,
            "losing": losing,
            **(self._of_the_past(code) if self._past else {}),
        }

    def _of_the_past(self, code: int) -> dict[str, float]:
        """
        What the round so far says of a discard that the next player may have a use for.
        """
        pile, hidden, known = self._pile, self._hidden, self._known
        near = companies(self._terms)[code]
        mates = near.mates & ~FIELD[code]
        thrown, left = self._thrown
        near_thrown = near_left = begun = begun_known = 0
        for one, other, _ in near.pairs:
            near_thrown += bool(thrown & (one | other))
            near_left += bool(left & (one | other))
            for here, there in ((one, other), (other, one)):
                begun += bool(pile & here and hidden & there)
                begun_known |= bool(pile & here and known & there)
        return {
            "melded": self._state._has_meld >> self._next & 1,
            "mates thrown": (thrown & mates).bit_count(),
            "near cards thrown": near_thrown,
            "mates left": (left & mates).bit_count(),
            "near cards left": near_left,
            "runs begun": begun,
            "runs begun of the next": begun_known,
            "set begun of the next": bool(pile & mates and known & mates),
        }

    def of_taking(self, count: int) -> dict[str, float]:
        """
        The features of taking so many discards; those of a draw are zeros.
        """
        if not count:
            return {}
        state, hand, terms = self._state, self._hand, self._terms
        taken = state._discards[-count:]
        top, bits = taken[-1], pack(taken)
        uses = [
            self._outlook.serves_next(code) * terms.worth[code] / _POINTS
            for code in state._discards[-_FOOD:]
        ]
        before = can_lay(state, self._seat, hand)
        gain = (can_lay(state, self._seat, hand + bits) - before) / _POINTS
        coming, losing = self._expected(hand + bits, bits)
        had_coming, had_losing = self._expected(hand, 0)
        near = companies(terms)[top]
        mates = size(hand & near.mates)
        return {
            "one": 1.0,
            "early": self._early,
            "danger": self._danger,
            "stock": len(state._stock) / len(state._hands) / 10,
            "hand": size(hand) / 10,
            "cards": count / 5,
            "one card": count == 1,
            "gain": gain,
            "turn": (points_after(state, self._seat, count) - self._now) / _POINTS,
            "rest": max(0.0, total(terms.worth, bits) / _POINTS - gain),
            "coming": coming - had_coming,
            "losing": losing - had_losing,
            "points": terms.worth[top] / _POINTS,
            "use": self._outlook.serves_next(top),
            "use of the pile": sum(uses),
            "pair": mates == 1,
            "set": mates >= 2,
            "near card": any(hand & (one | other) for one, other, _ in near.pairs),
            "wilds": size(bits & terms.wild_mask),
            "fits": bool(self._outlook.fitting & FIELD[top]),
        }
