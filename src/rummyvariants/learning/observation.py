"""
What a seat knows of a game as arrays, for programs that learn.

An observation has two forms. The Markov form is what is known of the position. The form
with perfect recall adds the round as the seat saw it, step by step, so that it tells
apart all that `View.information_state` does.
"""

from __future__ import annotations

import operator

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

import attrs

from rummyvariants._support.words import listed
from rummyvariants.errors import RulesError, nearest, shown
from rummyvariants.game._engine.beginning import refuse_number_of_players
from rummyvariants.game._engine.verbs import changes
from rummyvariants.game._state import State
from rummyvariants.game._views import View
from rummyvariants.game._worlds import drawn_as_known
from rummyvariants.learning._arrays import DTYPE, as_vector, parts_of, write
from rummyvariants.learning._fields import (
    Field,
    ObservationError,
    in_a_row,
)
from rummyvariants.learning._layout import Layout
from rummyvariants.learning._past import Past
from rummyvariants.learning._planes import Planes
from rummyvariants.learning._vocabulary import vocabulary_of
from rummyvariants.learning.encoding import Selection
from rummyvariants.policies.base import is_whole
from rummyvariants.rules._ruleset import Ruleset, preset


VERSION: Final = 1
"""The version of observations; it moves when a number changes its meaning."""
LENGTH: Final = 2_048
"""How many words of the past there is room for, if not said otherwise."""
_ALIKE_AT_MOST: Final = 64
"""How many rulesets are remembered that are equal to those of a specification."""
Form = Literal["markov", "perfect recall"]


@attrs.frozen(repr=False)
class ObservationSpec:
    """
    What observations of a game consist of, and what makes them.

    It follows from the rules and the number of players alone.

    Attributes:
        rules: The rules.
        players: The number of players.
        form: ``markov`` or ``perfect recall``.
        length: How many words of the past there is room for; 0 in the Markov form.
        fields: The fields, in the order in which a vector holds them.
        size: How many numbers there are in all.
        words: By number, the words in which the past is told; empty in the Markov form.
    """

    rules: Ruleset
    players: int
    form: Form
    length: int
    fields: tuple[Field, ...] = attrs.field(eq=False)
    size: int = attrs.field(eq=False)
    words: tuple[str, ...] = attrs.field(eq=False)
    _planes: Planes = attrs.field(eq=False)
    _past: Past | None = attrs.field(eq=False)
    _by_name: Mapping[str, Field] = attrs.field(eq=False)
    # Equal rules that were met, by their ids: to compare them takes long.
    _alike: dict[int, Ruleset] = attrs.field(factory=dict, init=False, eq=False)

    @property
    def version(self) -> int:
        """
        The version of observations.
        """
        return VERSION

    @property
    def dtype(self) -> str:
        """
        The name of the type of the numbers, as numpy has it.
        """
        return DTYPE

    def __getitem__(self, name: str) -> Field:
        found = self._by_name.get(name)
        if found is None:
            msg = f"there is no field {shown(name)}{nearest(str(name), self._by_name)}"
            raise ObservationError(msg)
        return found

    def vector(
        self, at: View | Selection | State, seat: int | None = None, out: Any = None
    ) -> Any:
        """
        An observation as one vector: all fields, one after another.

        Args:
            at: A view; an action of it that is being chosen; or a state. The
                observation of a state is that of the seat's view, and takes less time.
            seat: The seat, with a state.
            out: An array to write it into, with one axis of `size` places; of numpy, or
                like those of the module `array`. A new one by default.

        Returns:
            The array; without numpy, and if none was given, a list.

        Raises:
            ObservationError: If there is no such seat, the game is another one, the
                array is not fit, or there is no room for something.
        """
        data = self._data(at, seat)
        if out is None:
            return as_vector(data)
        write(data, out)
        return out

    def named(self, vector: Any) -> dict[str, Any]:
        """
        The fields of an observation by their names.

        Args:
            vector: The observation as one vector; with numpy also an array of several,
                whose last axis is that of the vectors.

        Returns:
            Parts of the same array in the shapes of the fields; lists if it is a list.

        Raises:
            ObservationError: If it has another size.
        """
        return parts_of(vector, self.fields, self.size)

    def observe(
        self, at: View | Selection | State, seat: int | None = None
    ) -> dict[str, Any]:
        """
        An observation as arrays by the names of the fields; without numpy, as lists.

        Arguments and errors are those of `vector`.
        """
        return self.named(self.vector(at, seat))

    def _data(self, at: View | Selection | State, seat: int | None) -> bytes:
        """
        An observation as bytes.
        """
        chosen: tuple[int, ...] = ()
        source = at
        if isinstance(at, Selection):
            source, chosen = at.source, at.indices
            seat = self._same(at.seat, seat, "selection")
        if isinstance(source, State):
            state = source
            self._check_game(state)
            seat = self._seat(seat)
            drawn = drawn_as_known(state, seat)
        elif isinstance(source, View):
            state, drawn = source.world, source.world.drawn
            self._check_game(state)
            if source.seat is None:
                msg = "a spectator has no hand to observe: give the view of a seat"
                raise ObservationError(msg)
            seat = self._same(source.seat, seat, "view")
        else:
            raise ObservationError(_no_source(at))
        parts: list[bytes] = []
        self._planes.write(parts, state, seat, drawn, chosen)
        if self._past is not None:
            self._past.write(parts, state, seat, drawn)
        return b"".join(parts)

    @staticmethod
    def _same(own: int, seat: int | None, what: str) -> int:
        """
        The seat of a view or a selection, whichever was given beside it.
        """
        if seat is not None and seat != own:
            msg = f"the {what} is that of seat {own}, not of seat {shown(seat)}"
            raise ObservationError(msg)
        return own

    def _check_game(self, state: State) -> None:
        match = state.match
        if len(match.players) != self.players:
            msg = f"it observes games of {self.players}, not of {len(match.players)}"
            raise ObservationError(msg)
        rules = match.rules
        if rules is self.rules or id(rules) in self._alike:
            return
        if rules != self.rules:
            msg = f"it observes games of {self.rules.name}, not of {rules.name}"
            raise ObservationError(msg)
        if len(self._alike) >= _ALIKE_AT_MOST:
            self._alike.clear()
        self._alike[id(rules)] = rules

    def _seat(self, seat: object) -> int:
        try:
            number = operator.index(seat)  # type: ignore[arg-type]
        except TypeError:
            number = -1
        if isinstance(seat, bool) or not 0 <= number < self.players:
            msg = f"there is no seat {shown(seat)}: seats are 0 to {self.players - 1}"
            if seat is None:
                msg = "a state is observed by a seat: say which"
            raise ObservationError(msg)
        return number

    def __reduce__(self) -> tuple[Any, ...]:
        length = self.length or LENGTH
        return observation_spec, (self.rules, self.players, self.form, length)

    def __repr__(self) -> str:
        return (
            f"<ObservationSpec of {self.rules.name} for {self.players}, {self.form}, "
            f"{self.size} numbers>"
        )


def _no_source(given: object) -> str:
    return f"{shown(given)} cannot be observed: give a view, a selection or a state"


def observation_spec(
    rules: Ruleset | str,
    players: int,
    form: Form = "markov",
    length: int = LENGTH,
) -> ObservationSpec:
    """
    What observations of some games consist of.

    Args:
        rules: The rules, or the name of a preset.
        players: The number of players.
        form: ``markov``, what is known of the position, or ``perfect recall``, which
            adds the round as the seat saw it.
        length: How many words of the past there is room for, with perfect recall.

    Raises:
        ObservationError: If there is no such form, or a number is none.
        RulesError: If there is no such preset, or it is not for so many players.
    """
    if isinstance(rules, str):
        rules = preset(rules)
    if form not in _FORMS:
        msg = f"there is no form {shown(form)} of an observation: {_known_forms()}"
        raise ObservationError(msg)
    if not is_whole(players, 1):
        msg = f"{shown(players)} is no number of players"
        raise ObservationError(msg)
    if not is_whole(length, 1):
        msg = f"{shown(length)} is no length: give a whole number of words from 1"
        raise ObservationError(msg)
    recalls = form == "perfect recall"
    key = ("observation", changes(), players, form, length if recalls else 0)
    found: ObservationSpec | None = rules._memo.get(key)
    if found is None:
        found = rules._memo[key] = _made(rules, players, form, length * recalls)
    return found


_FORMS: Final = get_args(Form)


def _known_forms() -> str:
    return f"forms are {listed([repr(one) for one in _FORMS])}"


def _made(rules: Ruleset, players: int, form: Form, length: int) -> ObservationSpec:
    wrong = refuse_number_of_players(rules, players)
    if wrong is not None:
        raise RulesError(wrong.reason, [rules.rule_of(wrong.path)])
    layout = Layout(rules, players, len(vocabulary_of(rules, players).labels))
    past = Past(layout, length) if length else None
    fields = in_a_row([*layout.fields(), *(past.fields() if past else ())])
    return ObservationSpec(
        rules,
        players,
        form,
        length,
        fields,
        fields[-1].stop,
        past.words if past else (),
        Planes(layout),
        past,
        {field.name: field for field in fields},
    )


def observation(
    at: View | Selection | State,
    seat: int | None = None,
    *,
    form: Form = "markov",
    length: int = LENGTH,
) -> dict[str, Any]:
    """
    What a seat knows of a game, as arrays by the names of their fields.

    The arrays are those of numpy if it is installed, and otherwise nested lists with
    the same numbers. Equal views give equal arrays.

    Args:
        at: A view; an action of it that is being chosen; or a state.
        seat: The seat, with a state.
        form: As for `observation_spec`.
        length: As for `observation_spec`.

    Raises:
        ObservationError: If there is no such form or seat, the view is that of a
            spectator, or there is no room for something.
    """
    source = at.source if isinstance(at, Selection) else at
    if not isinstance(source, View | State):
        raise ObservationError(_no_source(at))
    spec = observation_spec(source.rules, len(source.players), form, length=length)
    return spec.observe(at, seat)
