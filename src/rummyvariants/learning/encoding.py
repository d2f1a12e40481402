"""
Actions as numbers from a fixed range, for programs that learn.

An encoding belongs to some rules and a number of players. In the stepwise form an
action is a sequence of indices, each a word of a fixed vocabulary: the verb, then
whatever the chooser asks. What has been answered so far is a `Selection`.
"""

from __future__ import annotations

import operator

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, Literal

import attrs

from rummyvariants.errors import RummyError, shown
from rummyvariants.game._engine.game import as_action
from rummyvariants.game._engine.verbs import VERBS, planned
from rummyvariants.game._state import State, remember
from rummyvariants.game._views import View, view
from rummyvariants.game.actions import Action
from rummyvariants.learning._stepwise import Question, first_question
from rummyvariants.learning._vocabulary import Vocabulary, vocabulary_of
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.rulings import IllegalAction, Objection


Form = Literal["stepwise", "flat"]
VERSION: Final = 1
"""The version of the encoding; it moves when an index changes its meaning."""


class EncodingError(RummyError, ValueError):
    """
    An index that may not be chosen, or an encoding used for what it is not made for.
    """


@attrs.frozen(repr=False)
class Selection:
    """
    An action being put together: where, and the indices so far.

    Attributes:
        source: The view that it is chosen from, or the state.
        seat: The seat that acts.
        indices: The indices so far.
    """

    source: View | State
    seat: int
    indices: tuple[int, ...]
    _question: Question = attrs.field(eq=False)
    _encoding: Encoding = attrs.field(eq=False)

    @property
    def view(self) -> View:
        """
        What the seat knows.
        """
        source = self.source
        return source if isinstance(source, View) else view(source, self.seat)

    @property
    def state(self) -> State:
        """
        The state that the action is for; the world of a view.
        """
        source = self.source
        return source.world if isinstance(source, View) else source

    @property
    def labels(self) -> tuple[str, ...]:
        """
        The labels of the indices so far.
        """
        return tuple([self._encoding.labels[index] for index in self.indices])

    def __repr__(self) -> str:
        so_far = " / ".join(self.labels) or "nothing yet"
        return f"<Selection of seat {self.seat}: {so_far}>"


@attrs.frozen(repr=False)
class Encoding:
    """
    The actions of some rules for a number of players, as numbers below a fixed one.

    Attributes:
        rules: The rules.
        players: The number of players.
        form: ``stepwise`` or ``flat``.
        labels: By index, what it means; all are different.
    """

    rules: Ruleset
    players: int
    form: Form
    labels: tuple[str, ...]
    _vocabulary: Vocabulary = attrs.field(eq=False)

    @property
    def version(self) -> int:
        """
        The version of the encoding.
        """
        return VERSION

    @property
    def size(self) -> int:
        """
        How many indices there are.
        """
        return len(self.labels)

    def begin(self, at: View | State, seat: int | None = None) -> Selection:
        """
        Begin to choose an action.

        Args:
            at: A view, or the state.
            seat: With a state, the seat that acts; it may be left out if only one may.

        Raises:
            EncodingError: If the game is another one, or there is no such seat.
        """
        state = at.world if isinstance(at, View) else at
        if isinstance(at, View):
            if seat is not None and seat != at.seat:
                msg = f"the view is that of seat {at.seat}, not of seat {shown(seat)}"
                raise EncodingError(msg)
            seat = at.seat
            if seat is None:
                msg = "a spectator chooses no action: give the view of a seat"
                raise EncodingError(msg)
        self._check_game(state)
        if seat is None:
            acting = state.to_act
            if len(acting) != 1:
                msg = "say which seat acts: several may, or none"
                raise EncodingError(msg)
            seat = acting[0]
        if not 0 <= seat < self.players:
            msg = f"there is no seat {seat}: seats are 0 to {self.players - 1}"
            raise EncodingError(msg)
        question = first_question(self._vocabulary, state, seat)
        return Selection(at, seat, (), question, self)

    def legal(self, at: View | Selection) -> tuple[int, ...]:
        """
        The indices that may be chosen next, lowest first; none if the seat may not act.
        """
        return self._selection(at)._question.indices

    def mask(self, at: View | Selection) -> bytes:
        """
        By index, 1 if it may be chosen next, otherwise 0.
        """
        found = bytearray(self.size)
        for index in self.legal(at):
            found[index] = 1
        return bytes(found)

    def decode(self, index: int, at: View | Selection) -> Action | Selection:
        """
        What an index leads to: the action, or the selection that goes on.

        Raises:
            EncodingError: If the index may not be chosen.
        """
        selection = self._selection(at)
        question = selection._question
        number = self._index(index)
        if number not in question.indices:
            msg = f"{number} ({self.labels[number]!r}) may not be chosen here"
            raise EncodingError(msg)
        found = question.after(number)
        if isinstance(found, Question):
            indices = (*selection.indices, number)
            return attrs.evolve(selection, indices=indices, question=found)
        remember(selection.state, found)
        return found[0]

    def encode(self, action: Action | str, at: View | Selection) -> tuple[int, ...]:
        """
        The indices that lead to a legal action.

        Args:
            action: The action, or its text in the notation.
            at: A view, or a selection that leads to the action.

        Raises:
            IllegalAction: If the action is not legal.
            EncodingError: If it cannot be chosen here.
        """
        selection = self._selection(at)
        state, seat = selection.state, selection.seat
        done = as_action(state, action, seat)
        found = planned(state, done)
        if isinstance(found, Objection):
            raise IllegalAction(state.rules.refusal(found))
        path = next(self._paths(selection._question, done, ()), None)
        if path is None:
            msg = f"'{done}' cannot be chosen here"
            raise EncodingError(msg)
        return path

    def _paths(
        self, question: Question, action: Action, taken: tuple[int, ...]
    ) -> Iterator[tuple[int, ...]]:
        for index in sorted(question.indices, key=_likely(self, action, taken)):
            path = (*taken, index)
            found = question.after(index)
            if isinstance(found, Question):
                yield from self._paths(found, action, path)
            elif found[0] == action:
                yield path

    def _selection(self, at: View | Selection) -> Selection:
        if isinstance(at, Selection):
            if at._encoding is not self and at._encoding != self:
                msg = "the selection belongs to another encoding"
                raise EncodingError(msg)
            return at
        return self.begin(at)

    def _check_game(self, state: State) -> None:
        rules, players = state.rules, len(state.players)
        if players != self.players:
            msg = f"the encoding is for {self.players} players, not {players}"
            raise EncodingError(msg)
        if rules is not self.rules and rules != self.rules:
            msg = f"the encoding is for {self.rules.name}, not {rules.name}"
            raise EncodingError(msg)

    def _index(self, index: object) -> int:
        try:
            number = operator.index(index)  # type: ignore[arg-type]
        except TypeError:
            number = -1
        if isinstance(index, bool) or not 0 <= number < self.size:
            msg = (
                f"{shown(index)} is no index: give a whole number from 0 to "
                f"{self.size - 1}"
            )
            raise EncodingError(msg)
        return number

    def __repr__(self) -> str:
        return (
            f"<Encoding of {self.rules.name} for {self.players}, {self.size} indices>"
        )


def _likely(
    encoding: Encoding, action: Action, taken: tuple[int, ...]
) -> Callable[[int], bool]:
    """
    A key by which those indices come first that an action probably needs.
    """
    named = str(action).replace("=", " ").split()
    words = Counter([VERBS[type(action)].name, *named])
    words.update({letter for one in named if len(one) == 2 for letter in one})

    def unlikely(index: int) -> bool:
        label = encoding.labels[index]
        most = max([words[one] for one in (label, *label.split())])
        return most <= taken.count(index)

    return unlikely


def encoding(rules: Ruleset | str, players: int, form: Form = "stepwise") -> Encoding:
    """
    The actions of some rules for a number of players as numbers.

    Args:
        rules: The rules, or the name of a preset.
        players: The number of players.
        form: The form.
    """
    if isinstance(rules, str):
        rules = preset(rules)
    vocabulary = vocabulary_of(rules, players)
    return Encoding(rules, players, form, vocabulary.labels, vocabulary)
