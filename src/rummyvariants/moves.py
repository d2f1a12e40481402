"""Legal actions: lazy, set-like, in a stable order."""

from __future__ import annotations

import itertools

from collections.abc import Iterator

from rummyvariants.actions import (
    Action,
    Choose,
    Discard,
    Draw,
    Pass,
    Take,
    discard,
)
from rummyvariants.engine.calls import calls_of, may_discard
from rummyvariants.engine.choices import legal_discards, legal_plays, random_play
from rummyvariants.engine.draws import legal_takes, random_draw
from rummyvariants.engine.game import check
from rummyvariants.shapes import RandRange
from rummyvariants.state import State, remember


_SHOWN = 12
_LOOKED_AT = 64


class LegalActions:
    """
    Everything that may be done in a state.

    Iterating yields each action once, up to cards of one face and to wilds exchanged:
    draws, plays, discards, calls, seat by seat, wilds fully declared. ``in`` asks the
    rules about the one action and does not enumerate. A deal, being an action of
    chance, is found by ``in`` but not listed.
    """

    __slots__ = ("_seats", "_state")

    def __init__(self, state: State, seat: int | None = None) -> None:
        self._state = state
        acting = state.to_act
        self._seats = acting if seat is None else tuple(s for s in acting if s == seat)

    def __iter__(self) -> Iterator[Action]:
        for seat in self._seats:
            yield from _actions(self._state, seat)

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, str | Action):
            return False
        if self._seats != self._state.to_act:
            return any(check(self._state, action, seat) for seat in self._seats)
        return bool(check(self._state, action))

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def sample(self, randrange: RandRange) -> Action:
        """
        A legal action at random, without listing all of them.

        The choice is between the stock and the pile, between discards, shapes of melds
        and melds to lay off on, or between a pass and a call, then of one among them:
        every action can come, though not each as often as any other.

        Args:
            randrange: A source of chance, such as the ``randrange`` of a
                `random.Random`: called with a number, it gives one below it.

        Raises:
            ValueError: If nothing may be done.
        """
        if not self._seats:
            msg = "nobody may act"
            raise ValueError(msg)
        seat = self._seats[randrange(len(self._seats))]
        state = self._state
        found: Action | None = None
        if state.phase == "draw":
            found = random_draw(state, seat, randrange)
        elif state.phase == "play":
            found = random_play(state, seat, randrange)
        elif state.phase == "call":
            found = Pass(seat)
            if randrange(2):
                calls = list(itertools.islice(calls_of(state, seat), _LOOKED_AT))
                found = calls[randrange(len(calls))] if calls else found
        if found is None:
            some = list(itertools.islice(_actions(state, seat), _LOOKED_AT))
            found = some[randrange(len(some))]
        if isinstance(found, (Draw, Take, Discard)):
            remember(state, found, None)
        return found

    def __repr__(self) -> str:
        first = list(itertools.islice(self, _SHOWN + 1))
        texts = [str(action) for action in first[:_SHOWN]]
        if len(first) > _SHOWN:
            texts.append("...")
        return f"<LegalActions: {', '.join(texts) or 'none'}>"


def legal_actions(state: State, seat: int | None = None) -> LegalActions:
    """
    Everything that may be done in a state.

    Args:
        state: The state.
        seat: Only what this seat may do; by default all seats that may act.
    """
    return LegalActions(state, seat)


def _actions(state: State, seat: int) -> Iterator[Action]:
    match state.phase:
        case "draw":
            if state._stock:
                yield Draw(seat)
            for count in legal_takes(state, seat):
                yield Take(count, seat)
            if not state._stock:
                yield Pass(seat)
        case "play":
            yield from legal_plays(state, seat)
            for code in legal_discards(state, seat):
                yield discard(code, seat)
        case "call":
            yield from calls_of(state, seat)
            yield Pass(seat)
        case "discard":
            for code in may_discard(state, seat):
                yield discard(code, seat)
        case "choose":
            for size in state.rules.deal.choices():
                yield Choose(size, seat)
