"""Legal actions: lazy, set-like, in a stable order."""

from __future__ import annotations

import itertools

from collections.abc import Iterator
from typing import Final

from rummyvariants.game._engine.calls import calls_of, may_discard
from rummyvariants.game._engine.candidates import knocked_on
from rummyvariants.game._engine.choices import legal_discards, legal_plays
from rummyvariants.game._engine.draws import legal_takes, refuse_draw
from rummyvariants.game._engine.game import check
from rummyvariants.game._engine.knocks import knocks_of
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._engine.samples import random_action
from rummyvariants.game._state import State
from rummyvariants.game.actions import (
    Action,
    Choose,
    Pass,
    Take,
    discard,
    draw,
)
from rummyvariants.melds._shapes import RandRange


_SHOWN: Final = 12
_LOOKED_AT: Final = 64
_KEPT: Final = 4096


class LegalActions:
    """
    Everything that may be done in a state.

    Iterating yields each action once, up to cards of one face and to wilds exchanged,
    with wilds fully declared. ``in`` asks the rules about the one action and does not
    enumerate. A deal, being an action of chance, is found by ``in`` where no seat was
    asked about, but not listed.
    ``len`` and `count_by_kind` list all; nothing is counted before they are asked.

    The order depends on the state alone. Seat by seat it is: draw, takes from one card
    up, pass; or melds (sets by rank, runs by suit, wilds alone), lay-offs by the number
    of the meld, single wilds put down, swaps, splits, discards by suit and rank, knocks
    by their discards, big gin last; or calls on the melds by number, calls of new
    melds, pass; or the first upcard, pass; or lay-offs after a knock, pass.
    """

    __slots__ = ("_all", "_kept", "_seats", "_state")

    def __init__(self, state: State, seat: int | None = None) -> None:
        self._state = state
        self._kept: tuple[Action, ...] | None = None
        self._all = seat is None
        acting = state.to_act
        self._seats = acting if seat is None else tuple(s for s in acting if s == seat)

    def __iter__(self) -> Iterator[Action]:
        # `list` asks for an iterator, then for the length, then for the items: what was
        # counted need not be found again.
        yield from self._found() if self._kept is None else self._kept

    def _found(self) -> Iterator[Action]:
        if len(self._seats) == 1:
            return actions_of(self._state, self._seats[0])
        return itertools.chain.from_iterable(
            actions_of(self._state, seat) for seat in self._seats
        )

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, str | Action):
            return False
        if self._seats != self._state.to_act or not (self._seats or self._all):
            return any(check(self._state, action, seat) for seat in self._seats)
        return bool(check(self._state, action))

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __len__(self) -> int:
        if self._kept is None:
            first = tuple(itertools.islice(self._found(), _KEPT + 1))
            if len(first) > _KEPT:
                return sum(1 for _ in self._found())
            self._kept = first
        return len(self._kept)

    def count_by_kind(self) -> dict[str, int]:
        """
        How many there are of each kind, by the verb: ``{"draw": 1, "take": 3}``.

        Kinds of which there are none are left out; the others are in the order of the
        list.
        """
        counts: dict[type[Action], int] = {}
        verbs: dict[type[Action], str] = {}
        for action in self:
            kind = type(action)
            if kind not in counts:
                counts[kind] = 0
                verbs[kind] = str(action).partition(" ")[0]
            counts[kind] += 1
        return {verbs[kind]: number for kind, number in counts.items()}

    def sample(self, randrange: RandRange) -> Action:
        """
        A legal action at random, without listing all of them.

        A turn starts with the stock or the pile, as likely as not; then a card of the
        hand is drawn, and one of its uses: a new meld, a meld on the table, the discard
        pile. Not each comes as often as any other, and of the lay-offs of one hand on
        one meld, and of the calls, only the first 64 come at all.

        Args:
            randrange: A source of chance, such as the ``randrange`` of a
                `random.Random`: called with a number, it gives one below it.

        Raises:
            ValueError: If nothing may be done.
        """
        if not self._seats:
            msg = "nobody may act"
            raise ValueError(msg)
        return sample(self._state, self._seats, randrange)

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


def sample(state: AnyState, seats: tuple[int, ...], randrange: RandRange) -> Action:
    """
    What one of some seats does at random, as `LegalActions.sample` tells.
    """
    seat = seats[randrange(len(seats))] if len(seats) > 1 else seats[0]
    found = random_action(state, seat, randrange)
    if found is None:
        some = list(itertools.islice(actions_of(state, seat), _LOOKED_AT))
        if not some:
            msg = f"{state.match.players[seat]} is to act, and no action is legal"
            raise ValueError(msg)
        found = some[randrange(len(some))]
    return found


def actions_of(state: AnyState, seat: int) -> Iterator[Action]:
    """
    What a seat that may act may do, in the order of `LegalActions`.
    """
    match state.phase:
        case "draw":
            draws = refuse_draw(state) is None
            if draws:
                yield draw(seat)
            for count in legal_takes(state, seat):
                yield Take(count, seat)
            if not draws:
                yield Pass(seat)
        case "play":
            yield from legal_plays(state, seat)
            for code in legal_discards(state, seat):
                yield discard(code, seat)
            yield from knocks_of(state, seat)
        case "offer":
            for count in legal_takes(state, seat):
                yield Take(count, seat)
            yield Pass(seat)
        case "layoff":
            yield from knocked_on(state, seat)
            yield Pass(seat)
        case "call":
            yield from calls_of(state, seat)
            yield Pass(seat)
        case "discard":
            for code in may_discard(state, seat):
                yield discard(code, seat)
        case "choose":
            for size in state.match.rules.deal.choices():
                yield Choose(size, seat)
