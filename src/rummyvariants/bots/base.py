"""
What a bot is, and how bots play a game against one another.
"""

from __future__ import annotations

import random

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol

from rummyvariants import State, Step, View, step, view
from rummyvariants._support.arguments import explained
from rummyvariants._support.words import listed
from rummyvariants.actions import Action
from rummyvariants.errors import RequestError, Seat, seat_number
from rummyvariants.game import next_deal
from rummyvariants.game._engine.game import is_legal
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._moves import leaves_of
from rummyvariants.game._state import next_to_decide, seats_of


_LONGEST: Final = 300
"""How many characters of a bot's error are kept."""


class Bot(Protocol):
    """
    The player that decides for a seat.

    One bot may decide for several seats and in many games at once, so it remembers
    nothing: the view holds all that the seat has seen.

    >>> class FirstChoice:
    ...     def choose(self, view, rng):
    ...         return view.legal_actions[0]
    >>> bots = [FirstChoice(), "random"]
    >>> next(rv.simulate("rummy-500", bots, games=1, unit="round")).status
    'finished'
    """

    def choose(self, view: View, rng: random.Random) -> Action | str:
        """
        Choose a legal action.

        Args:
            view: What the seat knows; ``view.seat`` acts, and may do any of
                ``view.legal_actions``.
            rng: The source of random decisions.

        Returns:
            The action, or its text in the notation.
        """


def deciding(state: AnyState, seat: Seat | None) -> int:
    """
    The seat that is asked to decide, as a number.

    Args:
        state: The game.
        seat: The seat; None for a spectator.

    Raises:
        RequestError: If there is no such seat, or it is not to act.
    """
    players, waiting = state.match.players, state.frames[-1].waiting
    number = -1 if seat is None else seat_number(seat, players)
    if number < 0 or not waiting >> number & 1:
        who = "a spectator" if seat is None else players[number]
        acting = [players[one] for one in seats_of(waiting)] or ["nobody"]
        are = "is" if len(acting) == 1 else "are"
        msg = f"{who} has nothing to decide now: {listed(acting)} {are} to act"
        raise RequestError(msg)
    return number


def first_legal(state: AnyState, seat: int, wanted: Iterable[Action]) -> Action:
    """
    The first legal action among those wanted; if none is legal, any legal action.
    """
    for action in wanted:
        if is_legal(state, action):
            return action
    return next(leaves_of(state, seat))[0]


@explained
def play_on(state: State, bots: Sequence[Bot], seed: int | str = 0) -> Iterator[Step]:
    """
    Let bots play a match to its end, deals included, one step at a time.

    Args:
        state: The state to start from.
        bots: The bots, by seat; as many as there are players.
        seed: The seed of their random decisions.

    Raises:
        IllegalAction: If a bot chooses an action that the rules refuse.
        ParseError: If a bot's text is not an action.
        ValueError: If there are too few bots.

    >>> bots = [rv.bots.bot("greedy"), rv.bots.bot("random")]
    >>> for step in rv.bots.play_on(rv.new_game("rummy-500", 2), bots):
    ...     if step.result:
    ...         break
    >>> step.result.how
    'out'
    """
    if len(bots) < len(state.players):
        msg = f"{len(bots)} bots cannot play for {len(state.players)} players"
        raise ValueError(msg)
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


@explained
def sources_of(seed: int | str, seats: int) -> tuple[random.Random, ...]:
    """
    A source of chance for each seat, independent of the deals.

    >>> first, second = rv.bots.sources_of(seed=7, seats=2)
    >>> first.random() == second.random()
    False
    """
    return tuple(random.Random(f"{seed}/bot/{seat}") for seat in range(seats))


def raised(error: BaseException) -> str:
    """
    An error raised by a bot, in one line.
    """
    line = in_a_line(error)
    return f"{type(error).__name__}{': ' if line else ''}{line}"


def in_a_line(thing: object) -> str:
    """
    What a bot made, as text in one line of limited length.
    """
    try:
        text = " ".join(str(thing).split())
    except Exception:  # noqa: BLE001 -- what a bot makes may be broken too
        return "cannot be shown"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."
