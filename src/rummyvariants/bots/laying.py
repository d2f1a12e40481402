"""
Deviations that may pay where melds are laid on the table as they are made.

The kinds are: to discard another card, to take other discards or none, and to end the
turn rather than lay a meld or a card.
"""

from __future__ import annotations

import functools

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Final

import attrs

from rummyvariants.bots.advantages import Rival
from rummyvariants.bots.careful import preferred
from rummyvariants.bots.guarded import companies
from rummyvariants.bots.outlook import Outlook, next_opponent, unseen
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
from rummyvariants.game._state import fits_of
from rummyvariants.game.actions import (
    Action,
    Discard,
    Draw,
    LayDown,
    LayOff,
    Take,
)
from rummyvariants.rules import Ruleset


_POINTS: Final = 10
"""Points are features in tens."""
_TURNS: Final = 8
"""With so many turns left, a round has only begun."""
_PILE: Final = 20
"""The cards of the discard pile are counted so far."""
_FOOD: Final = 4
"""So many top discards may be what the next player takes."""


_FEATURES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "discard": (
            "points",
            "points early",
            "squared points",
            "points by danger",
            "points at the end",
            "chance to meld",
            "points by chance",
            "chance early",
            "use to the next",
            "points by use",
            "use early",
            "use by pile",
            "pair",
            "pair early",
            "points of a pair",
            "hidden mates",
            "hidden mates early",
            "mates in the pile",
            "mates in the pile early",
            "near cards",
            "near cards early",
            "runs to fill",
            "runs to fill from the pile",
            "runs that are hidden",
            "of a run",
            "fits the table",
            "fits the table early",
            "points that fit",
            "mate of the next",
            "run of the next",
            "set with the pile",
            "points of a set with the pile",
            "run with the pile",
            "points of a run with the pile",
            "twin",
            "wild",
            "pair by mates in the pile",
            "points to come",
            "points to come early",
            "points to lose early",
            "points to lose by danger",
        ),
        "take": (
            "one",
            "early",
            "stock",
            "danger",
            "hand",
            "one card",
            "one card early",
            "gain",
            "gain early",
            "gain by one card",
            "points of the turn",
            "points of the turn early",
            "rest",
            "rest early",
            "rest by danger",
            "cards",
            "cards early",
            "points to come",
            "points to come early",
            "points to lose",
            "points to lose early",
            "points to lose by hand",
            "use to the next",
            "points by use",
            "use of the pile",
            "pair",
            "set",
            "near card",
            "wilds",
            "fits the table",
        ),
        "hold": (
            "one",
            "early",
            "first turn",
            "danger",
            "hand",
            "points",
            "points by danger",
            "lay off",
            "lay off early",
            "points of a lay-off",
            "lay off in the first turn",
            "points to lay",
            "last card",
            "last cards",
            "wild",
        ),
    }
)
"""By kind of deviation, what every seat sees of a position."""
_OF_THE_PAST: Final = (
    "squared use",
    "use by melded",
    "mates thrown by the next",
    "mates thrown by the next early",
    "points by mates thrown",
    "near cards thrown by the next",
    "near cards thrown by the next early",
    "mates left by the next",
    "mates left by the next early",
    "near cards left by the next",
    "near cards left by the next early",
    "runs begun in the pile",
    "runs begun in the pile early",
    "points of runs begun in the pile",
    "runs of the pile and the next",
    "set of the pile and the next",
)
"""What the round so far says of a discard."""
_WITH_THE_PAST: Final = MappingProxyType(
    {**_FEATURES, "discard": _FEATURES["discard"] + _OF_THE_PAST}
)


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

    @property
    def features(self) -> Mapping[str, tuple[str, ...]]:
        """
        By kind of deviation, the names of the features.
        """
        return _WITH_THE_PAST if self.past else _FEATURES

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
                known = sight.of_discard(base.card.code)
                for code in faces(state._hands[seat]):
                    if code != base.card.code:
                        features = _less(sight.of_discard(code), known)
                        yield Rival(Discard(CARDS[code], seat), "discard", features)
            case Draw() | Take() if state.phase == "draw" and "take" in kinds:
                yield from _other_draws(state, seat, base)
            case LayDown() | LayOff() if state.phase == "play" and "hold" in kinds:
                spare = [
                    action
                    for action in preferred(state, seat)
                    if isinstance(action, Discard) and is_legal(state, action)
                ]
                if spare:
                    features = Sight(state, seat).of_holding(base)
                    yield Rival(spare[0], "hold", features)


def _less(mine: tuple[float, ...], its: tuple[float, ...]) -> tuple[float, ...]:
    return tuple([one - other for one, other in zip(mine, its, strict=True)])


def _other_draws(state: AnyState, seat: int, base: Draw | Take) -> Iterator[Rival]:
    """
    Taking another number of discards, or none.
    """
    numbers = [0, *Takes(state, seat).numbers()]
    chosen = base.count if isinstance(base, Take) else 0
    if numbers == [chosen]:
        return
    sight = Sight(state, seat)
    known = sight.of_taking(chosen)
    for count in numbers:
        action = Take(count, seat) if count else Draw(seat)
        if count != chosen and is_legal(state, action):
            yield Rival(action, "take", _less(sight.of_taking(count), known))


class Sight:
    """
    What a seat sees of a state.
    """

    def __init__(self, state: AnyState, seat: int, *, past: bool = False) -> None:
        self._state, self._seat, self._past = state, seat, past
        self._terms = state.dealt.terms
        self._hand = hand = state._hands[seat]
        self._outlook = outlook = Outlook(state, seat)
        self._hidden = unseen(state, seat)
        self._pile = pack(state._discards)
        self._next = next_opponent(state, seat)
        self._known = state._seen[self._next]
        self._fits = _fitting(state, seat)
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

    def of_discard(self, code: int) -> tuple[float, ...]:
        """
        The features of a discard.
        """
        terms, early, danger = self._terms, self._early, self._danger
        rest = self._hand - UNIT[code]
        hidden, pile, known, field = self._hidden, self._pile, self._known, FIELD[code]
        points = terms.worth[code] / _POINTS
        chance = self._chances[code]
        use = self._outlook.serves_next(code)
        near = companies(terms)[code]
        mates = near.mates & ~field
        pair = float(size(rest & mates) == 1)
        unseen_mates = size(hidden & mates) / 3
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
        fits = float(bool(self._fits & field))
        set_piled = float(piled >= 2)
        coming, losing = self._expected(rest, field)
        return (
            points,
            points * early,
            points * points,
            points * danger,
            points * (len(self._state._stock) <= len(self._state._hands)),
            chance,
            chance * points,
            chance * early,
            use,
            use * points,
            use * early,
            use * min(len(self._state._discards), _PILE) / 10,
            pair,
            pair * early,
            pair * points,
            unseen_mates,
            unseen_mates * early,
            float(piled),
            piled * early,
            float(ends),
            ends * early,
            float(fill),
            float(fill_piled),
            run_hidden / 3,
            float(run),
            fits,
            fits * early,
            fits * points,
            float(bool(known & mates)),
            float(run_known),
            set_piled,
            set_piled * points,
            float(run_piled),
            run_piled * points,
            float(bool(rest & field)),
            float(terms.wild[code]),
            pair * piled,
            coming,
            coming * early,
            losing * early,
            losing * danger,
            *(self._of_the_past(code, use) if self._past else ()),
        )

    def _of_the_past(self, code: int, use: float) -> tuple[float, ...]:
        """
        What the round so far says of a discard that the next player may have a use for.
        """
        early, pile, hidden, known = self._early, self._pile, self._hidden, self._known
        points = self._terms.worth[code] / _POINTS
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
        mates_thrown = (thrown & mates).bit_count()
        mates_left = (left & mates).bit_count()
        return (
            use * use,
            use * (self._state._has_meld >> self._next & 1),
            float(mates_thrown),
            mates_thrown * early,
            mates_thrown * points,
            float(near_thrown),
            near_thrown * early,
            float(mates_left),
            mates_left * early,
            float(near_left),
            near_left * early,
            float(begun),
            begun * early,
            begun * points,
            float(begun_known),
            float(bool(pile & mates and known & mates)),
        )

    def of_taking(self, count: int) -> tuple[float, ...]:
        """
        The features of taking so many discards; those of a draw are zeros.
        """
        state, hand, early = self._state, self._hand, self._early
        terms, danger = self._terms, self._danger
        if not count:
            return (0.0,) * len(_FEATURES["take"])
        taken = state._discards[-count:]
        top, bits = taken[-1], pack(taken)
        uses = [
            self._outlook.serves_next(code) * terms.worth[code] / _POINTS
            for code in state._discards[-_FOOD:]
        ]
        before = can_lay(state, self._seat, hand)
        gain = (can_lay(state, self._seat, hand + bits) - before) / _POINTS
        turn = (points_after(state, self._seat, count) - self._now) / _POINTS
        rest = max(0.0, total(terms.worth, bits) / _POINTS - gain)
        coming, losing = self._expected(hand + bits, bits)
        had_coming, had_losing = self._expected(hand, 0)
        coming, losing = coming - had_coming, losing - had_losing
        near = companies(terms)[top]
        mates = size(hand & near.mates)
        alone = float(count == 1)
        return (
            1.0,
            early,
            len(state._stock) / len(state._hands) / 10,
            danger,
            size(hand) / 10,
            alone,
            alone * early,
            gain,
            gain * early,
            gain * alone,
            turn,
            turn * early,
            rest,
            rest * early,
            rest * danger,
            count / 5,
            count / 5 * early,
            coming,
            coming * early,
            losing,
            losing * early,
            losing * size(hand) / 10,
            self._outlook.serves_next(top),
            uses[-1],
            sum(uses),
            float(mates == 1),
            float(mates >= 2),
            float(any(hand & (one | other) for one, other, _ in near.pairs)),
            float(size(bits & terms.wild_mask)),
            float(bool(self._fits & FIELD[top])),
        )

    def of_holding(self, base: LayDown | LayOff) -> tuple[float, ...]:
        """
        The features of a discard instead of a meld or a lay-off.
        """
        state, terms, seat = self._state, self._terms, self._seat
        early, danger = self._early, self._danger
        laid = [one.card.code for one in base.cards]
        points = sum([terms.worth[code] for code in laid]) / _POINTS
        left = size(self._hand) - len(laid)
        first = float(not state.turns[seat])
        off = float(isinstance(base, LayOff))
        return (
            1.0,
            early,
            first,
            danger,
            size(self._hand) / 10,
            points,
            points * danger,
            off,
            off * early,
            off * points,
            off * first,
            can_lay(state, seat, self._hand) / _POINTS,
            float(left <= 1),
            float(left <= 3),
            float(any(terms.wild[code] for code in laid)),
        )


def _fitting(state: AnyState, seat: int) -> int:
    """
    The cards that fit the table for a seat.
    """
    fits = fits_of(state, seat)
    return fits.grows | fits.real
