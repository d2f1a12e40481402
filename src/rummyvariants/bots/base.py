"""
What a bot is, and how bots play a game among themselves.
"""

from __future__ import annotations

import random

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol

from rummyvariants.game._engine.beginning import next_deal
from rummyvariants.game._engine.game import is_legal
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._engine.steps import Step, step
from rummyvariants.game._moves import leaves_of
from rummyvariants.game._state import State
from rummyvariants.game._views import View, view
from rummyvariants.game.actions import Action


_LONGEST: Final = 300
"""How many letters of a bot's error are kept."""


class Bot(Protocol):
    """
    What decides for a seat.

    One bot may decide for several seats and in many games at once, so it keeps nothing
    in mind: all that has been seen stands in the view.
    """

    def choose(self, view: View, rng: random.Random) -> Action | str:
        """
        A legal action.

        Args:
            view: What the seat knows; ``view.seat`` is who acts, ``view.legal_actions``
                what it may do.
            rng: Where random decisions come from.

        Returns:
            The action, or its text in the notation.
        """


def first_legal(state: AnyState, seat: int, wanted: Iterable[Action]) -> Action:
    """
    The first of some actions that is legal.

    Where none is, in the rare case that nothing good was found, it is the first of all
    legal actions.
    """
    for action in wanted:
        if is_legal(state, action):
            return action
    return next(leaves_of(state, seat))[0]


def play_on(state: State, bots: Sequence[Bot], seed: int | str = 0) -> Iterator[Step]:
    """
    Let bots play a match to its end, deals included, one step at a time.

    Args:
        state: Where they begin.
        bots: By seat, who decides.
        seed: What their random decisions come from.

    Raises:
        IllegalAction: If a bot asks for what the rules refuse.
        ParseError: If a bot's text is no action.
    """
    sources = sources_of(seed, len(bots))
    while not state.is_over:
        if state.phase == "deal":
            done = step(state, next_deal(state))
        else:
            seat = next_to_decide(state)
            action = bots[seat].choose(view(state, seat), sources[seat])
            done = step(state, action, seat)
        yield done
        state = done.after


def sources_of(seed: int | str, seats: int) -> tuple[random.Random, ...]:
    """
    A source of chance for each seat, apart from that of the deals.
    """
    return tuple(random.Random(f"{seed}/bot/{seat}") for seat in range(seats))


def next_to_decide(state: State) -> int:
    """
    Of the seats that may act, the one that is asked first: round from the next turn.
    """
    seats = len(state.players)
    return min(state.to_act, key=lambda seat: (seat - state.turn) % seats)


def raised(error: BaseException) -> str:
    """
    An error of somebody's bot, in a line.
    """
    line = in_a_line(error)
    return f"{type(error).__name__}{': ' if line else ''}{line}"


def in_a_line(thing: object) -> str:
    """
    What somebody's bot has made, in a line that is not too long.
    """
    try:
        text = " ".join(str(thing).split())
    except Exception:  # noqa: BLE001 -- what a bot makes may be broken too
        return "cannot be told"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."
