"""
A legal action chosen step by step, with few choices at each step.

A chooser shows the tree of choices. A choice is offered once one legal action is found
behind it. The search for one tries cards that are owed first, and few cards before
many. To keep the work small for big hands, it looks at no more than `MOST_LOOKS` points
of the branch of one shape; if it finds no legal action there, the shape is not offered.
"""

from __future__ import annotations

import functools

from collections.abc import Sequence
from typing import Any, Final

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants.actions import Action
from rummyvariants.errors import RummyError, Seat, nearest, seat_number
from rummyvariants.game._offered import leads, offered, past_single, wanted_in
from rummyvariants.game._state import State
from rummyvariants.game.verbs._known import tree_of
from rummyvariants.melds._choices import Choice
from rummyvariants.melds._tree import Branches, Fork, Node


MOST_CHOICES: Final = 64
"""The most choices offered at once."""


class ChoiceError(RummyError, ValueError):
    """
    A choice that is not offered.
    """


@attrs.frozen(repr=False)
class Chooser:
    """
    An action being put together: what was chosen so far, and what may come next.

    Attributes:
        state: The state in which the action is chosen.
        taken: The choices so far.
        seat: The seat that acts; None if that is the first choice.

    >>> chooser = rv.chooser(rv.apply(rv.new_game("rummy-500", 2, seed=3), "draw"))
    >>> [one.text for one in chooser.choices]
    ['discard']
    >>> chooser.choose("discard", "Kd").action
    Discard(card=Card('Kd'), seat=0)
    """

    state: State
    taken: tuple[Choice, ...]
    _node: Node = attrs.field(eq=False)
    seat: int | None = None

    @functools.cached_property
    def choices(self) -> tuple[Choice, ...]:
        """
        What may be chosen next, at most `MOST_CHOICES`; each leads to a legal action.
        """
        wanted = wanted_in(self.state)
        return tuple([choice for choice, _ in offered(self._fork(), wanted)])

    def _fork(self) -> Node:
        """
        Where it stands, with ranges before too many numbers.
        """
        fork = self._node
        if isinstance(fork, Fork) and len(fork.options) > MOST_CHOICES:
            return _by_ranges(fork)
        return fork

    @property
    def action(self) -> Action | None:
        """
        The action, once it is complete.
        """
        return self._node[0] if self.is_complete else None

    @property
    def is_complete(self) -> bool:
        """
        Whether nothing is left to choose.
        """
        return not isinstance(self._node, Fork)

    @explained
    def choose(self, *choices: Choice | str) -> Chooser:
        """
        Make one or more choices.

        Args:
            choices: Choices, or their texts.

        Returns:
            A new chooser; this one stays as it is.

        Raises:
            ChoiceError: If one of them is not offered.

        >>> state = rv.apply(rv.new_game("rummy-500", 2, seed=3), "draw")
        >>> chooser = rv.chooser(state).choose("discard")
        >>> [one.text for one in chooser.choices[:3]]
        ['6c', '4d', '7d']
        """
        chooser = self
        for choice in choices:
            chooser = chooser._chosen(str(choice))
        return chooser

    def _chosen(self, text: str) -> Chooser:
        if self.is_complete:
            msg = f"{text!r} comes too late: '{self.action}' is complete"
            raise ChoiceError(msg)
        wanted = text.strip().casefold()
        fork = self._fork()
        for option in fork.options:
            choice = fork.name(option)
            if choice.text.casefold() == wanted:
                node = past_single(fork.go(option))
                if leads(node, wanted_in(self.state)):
                    return Chooser(self.state, (*self.taken, choice), node, self.seat)
        if not self.choices:
            msg = f"{text!r} cannot be chosen: nobody may act"
            raise ChoiceError(msg)
        known = [choice.text for choice in self.choices]
        msg = f"{text!r} cannot be chosen here{nearest(text, known)}"
        raise ChoiceError(msg)

    def __reduce__(self) -> tuple[Any, ...]:
        # The tree of choices holds functions, and follows from the state.
        return _again, (self.state, self.seat, tuple(map(str, self.taken)))

    def __str__(self) -> str:
        so_far = f"chosen: {' / '.join(map(str, self.taken)) or 'nothing yet'}"
        if self.is_complete:
            return f"{so_far}\naction: {self.action}"
        return f"{so_far}\nnext: {', '.join(map(str, self.choices)) or 'nothing'}"

    def __repr__(self) -> str:
        so_far = " / ".join(map(str, self.taken)) or "nothing yet"
        if self.is_complete:
            return f"<Chooser: {so_far}: {self.action}>"
        return f"<Chooser: {so_far}; {', '.join(map(str, self.choices)) or 'none'}>"


def _again(state: State, seat: int | None, taken: Sequence[str]) -> Chooser:
    return chooser(state, seat).choose(*taken)


@explained
def chooser(state: State, seat: Seat | None = None) -> Chooser:
    """
    Begin to choose an action.

    Args:
        state: The state in which it is chosen.
        seat: The seat that acts, from 0 or by the player's name; if left out and
            several may act, the seat is chosen first.

    Returns:
        A chooser; it has no choices if the seat may not act, or nobody may.

    Raises:
        ChoiceError: If there is no such seat.

    >>> chooser = rv.chooser(rv.new_game("rummy-500", 2))
    >>> [one.text for one in chooser.choices]
    ['draw', 'take']
    """
    if seat is not None:
        seat = seat_number(seat, state.players, ChoiceError)
    acting = [one for one in state.to_act if seat in {None, one}]
    if len(acting) == 1:
        return Chooser(state, (), tree_of(state, acting[0]), acting[0])
    seats = Branches(
        acting,
        functools.partial(tree_of, state),
        lambda one: Choice(f"seat {one}", "seat", number=one),
        wide=True,
    )
    return Chooser(state, (), seats, seat)


def _by_ranges(fork: Fork) -> Fork:
    """
    A fork with more numbers than can be offered at once, with ranges before it.
    """
    options = list(fork.options)
    some = [
        options[at : at + MOST_CHOICES] for at in range(0, len(options), MOST_CHOICES)
    ]

    def name(part: list[Any]) -> Choice:
        first, last = fork.name(part[0]).number, fork.name(part[-1]).number
        return Choice(f"{first} to {last}", "numbers")

    def go(part: list[Any]) -> Fork:
        return Branches(part, fork.go, fork.name, wide=fork.wide)

    return Branches(some, go, name, wide=fork.wide)
