"""
An action in the making, as users see it: what was chosen, and what may come next.
"""

from __future__ import annotations

import functools

import attrs

from rummyvariants.errors import nearest
from rummyvariants.game._chooser.choices import Choice, ChoiceError
from rummyvariants.game._chooser.tree import Node, fork, leads
from rummyvariants.game._chooser.verbs import verbs
from rummyvariants.game._state import State
from rummyvariants.game.actions import Action


@attrs.frozen(repr=False)
class Chooser:
    """
    An action in the making: what was chosen so far, and what may be chosen next.

    Attributes:
        state: The state that the action is for.
        taken: The choices so far.
    """

    state: State
    taken: tuple[Choice, ...]
    _node: Node = attrs.field(eq=False)

    @functools.cached_property
    def choices(self) -> tuple[Choice, ...]:
        """
        What may be chosen next, `MOST_CHOICES` at most; each leads to a legal action.
        """
        return tuple(choice for choice, _ in self._open())

    def _open(self) -> list[tuple[Choice, Node]]:
        return [(choice, node) for choice, node in self._node.branches if leads(node)]

    @property
    def action(self) -> Action | None:
        """
        The action, once it is complete.
        """
        return self._node.action

    @property
    def is_complete(self) -> bool:
        """
        Whether there is nothing left to choose, and the action is there.
        """
        return self._node.action is not None

    def choose(self, *choices: Choice | str) -> Chooser:
        """
        Go on by one choice, or by several.

        Args:
            choices: Choices, or their texts.

        Returns:
            Another chooser; this one stays as it is.

        Raises:
            ChoiceError: If one of them is not offered.
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
        for choice, node in self._node.branches:
            if choice.text.casefold() == wanted and leads(node):
                return Chooser(self.state, (*self.taken, choice), node)
        if not self.choices:
            msg = f"{text!r} cannot be chosen: nobody may act"
            raise ChoiceError(msg)
        known = [choice.text for choice in self.choices]
        msg = f"{text!r} cannot be chosen here{nearest(text, known)}"
        raise ChoiceError(msg)

    def __repr__(self) -> str:
        so_far = " / ".join(map(str, self.taken)) or "nothing yet"
        if self.is_complete:
            return f"<Chooser: {so_far}: {self.action}>"
        return f"<Chooser: {so_far}; {', '.join(map(str, self.choices)) or 'none'}>"


def chooser(state: State, seat: int | None = None) -> Chooser:
    """
    Begin to choose an action.

    Args:
        state: The state that it is for.
        seat: Who is to act; if it is left out and several may, that is chosen first.

    Returns:
        A chooser, without choices if the seat may not act, or nobody.

    Raises:
        ChoiceError: If there is no such seat.
    """
    if seat is not None and not 0 <= seat < len(state.players):
        msg = f"there is no seat {seat}: seats are 0 to {len(state.players) - 1}"
        raise ChoiceError(msg)
    acting = [one for one in state.to_act if seat in {None, one}]
    if len(acting) == 1:
        return Chooser(state, (), verbs(state, acting[0]))
    seats = fork(
        [
            (
                Choice(f"seat {one}", "seat", number=one),
                functools.partial(verbs, state, one),
            )
            for one in acting
        ]
    )
    return Chooser(state, (), seats)
