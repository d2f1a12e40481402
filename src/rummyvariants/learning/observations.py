"""
What a seat knows of a game as arrays, for programs that learn.

An observation has two forms. The Markov form is what is known of the position. The form
with perfect recall adds the round as the seat saw it, step by step, so that it tells
apart all that `View.information_state` does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, get_args

import attrs

from rummyvariants import State, View
from rummyvariants._support.arguments import explained
from rummyvariants._support.words import listed
from rummyvariants.errors import Seat, nearest, seat_number, shown
from rummyvariants.game._engine.beginning import check_number_of_players
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._worlds import drawn_as_known, known_bits
from rummyvariants.learning._arrays import (
    NUMBERS,
    as_vector,
    fill,
    fill_columns,
    parts_of,
    write,
)
from rummyvariants.learning._fields import (
    Field,
    ObservationError,
    in_a_row,
)
from rummyvariants.learning._layout import Layout
from rummyvariants.learning._normalizing import Normalizer
from rummyvariants.learning._packing import Column, in_rows
from rummyvariants.learning._past import Past
from rummyvariants.learning._planes import Group, Making, Planes, Sight
from rummyvariants.learning._vocabulary import vocabulary_of
from rummyvariants.learning.encodings import Selection
from rummyvariants.policies.base import is_whole
from rummyvariants.rules import Ruleset, read_rules


VERSION: Final = 1
"""The version of observations; it moves when a number changes its meaning."""
LENGTH: Final = 2_048
"""How many words of the past there is room for, if not said otherwise."""
_OUTPUTS: Final = {"i": NUMBERS, "f": {one: NUMBERS[one] for one in "fd"}}
"""By the letter of the type of the numbers, into what arrays they can be written."""
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
        normalized: Whether every number is a 32-bit float from 0 to 1.
        fields: The fields, in the order in which a vector holds them.
        size: How many numbers there are in all.
        words: By number, the words in which the past is told; empty in the Markov form.

    >>> spec = rv.learning.observation_spec("rummy-500", 2)
    >>> spec.size, spec.fields[0].name
    (1989, 'scores')
    """

    rules: Ruleset
    players: int
    form: Form
    length: int
    normalized: bool
    fields: tuple[Field, ...]
    size: int = attrs.field(eq=False)
    words: tuple[str, ...] = attrs.field(eq=False)
    _asked: tuple[str, ...] | None = attrs.field(eq=False)
    _makers: tuple[tuple[int, Making], ...] = attrs.field(eq=False)
    _by_name: Mapping[str, Field] = attrs.field(eq=False)
    _past: Past | None = attrs.field(eq=False)
    _normalize: Normalizer | None = attrs.field(eq=False)
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
        return _OUTPUTS[self._letter][self._letter]

    @property
    def _letter(self) -> str:
        """
        The letter of the type of the numbers, as the module `array` has it.
        """
        return "f" if self.normalized else "i"

    @property
    def _outputs(self) -> Mapping[str, str]:
        """
        The types of arrays that observations can be written into, by their letters.
        """
        return _OUTPUTS[self._letter]

    def __getitem__(self, name: str) -> Field:
        found = self._by_name.get(name) if type(name) is str else None
        if found is None:
            raise _no_field(name, self._by_name)
        return found

    @explained
    def vector(
        self, at: View | Selection | State, seat: Seat | None = None, out: Any = None
    ) -> Any:
        """
        An observation as one vector: all fields, one after another.

        Args:
            at: A view; an action of it that is being chosen; or a state. The
                observation of a state is that of the seat's view, and takes less time.
            seat: The seat, from 0 or by the player's name, with a state.
            out: An array to write it into, with one axis of `size` places; of numpy, or
                like those of the module `array`. A new one by default.

        Returns:
            The array; without numpy, and if none was given, a list.

        Raises:
            ObservationError: If there is no such seat, the game is another one, the
                array is not fit, or there is no room for something.

        >>> spec = rv.learning.observation_spec("rummy-500", 2)
        >>> len(spec.vector(rv.new_game("rummy-500", 2), seat=0)) == spec.size
        True
        """
        data = self._packed([self._seen(at, seat)])
        if out is None:
            return as_vector(data, self._letter)
        write(data, self._letter, out, (self.size,), self._outputs)
        return out

    @explained
    def tokens(
        self, at: View | Selection | State, seat: Seat | None = None
    ) -> list[int]:
        """
        The round as a seat saw it, as a list of small whole numbers, oldest first.

        Each stands for the word with that number in `words`, and none is 0. It is what
        the field ``history`` holds, without the zeros and without a limit.

        Args:
            at: As for `vector`.
            seat: As for `vector`.

        Raises:
            ObservationError: If the form has no past, or as for `vector`.

        >>> spec = rv.learning.observation_spec("gin-rummy", 2, "perfect recall")
        >>> state = rv.apply(rv.new_game("gin-rummy", 2, seed=3), "pass")
        >>> [spec.words[token] for token in spec.tokens(state, seat=1)[-2:]]
        ['1 to the left acts', 'pass']
        """
        state, seat, *_ = self._seen(at, seat)
        return self._tokens(state, seat)

    def _tokens(self, state: AnyState, seat: int) -> list[int]:
        """
        The past of a seat, which is not checked.
        """
        if self._past is None:
            msg = "only observations with form='perfect recall' tell the past"
            raise ObservationError(msg)
        return self._past.tokens(state, seat)

    @explained
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

        >>> wanted = ["hands", "scores"]
        >>> spec = rv.learning.observation_spec("rummy-500", 2, fields=wanted)
        >>> list(spec.named(spec.vector(rv.new_game("rummy-500", 2), seat=0)))
        ['scores', 'hands']
        """
        return parts_of(vector, self.fields, self.size)

    @explained
    def observe(
        self, at: View | Selection | State, seat: Seat | None = None
    ) -> dict[str, Any]:
        """
        An observation as arrays by the names of the fields; without numpy, as lists.

        Arguments and errors are those of `vector`.

        >>> spec = rv.learning.observation_spec("rummy-500", 2)
        >>> observed = spec.observe(rv.new_game("rummy-500", 2), seat=0)
        >>> len(observed) == len(spec.fields)
        True
        """
        return self.named(self.vector(at, seat))

    def _seen(self, at: View | Selection | State, seat: Seat | None) -> Sight:
        """
        What an observation is made from.
        """
        chosen: tuple[int, ...] = ()
        source = at
        if isinstance(at, Selection):
            source, chosen = at.source, at.indices
            seat = self._same(at.seat, seat, at.state, "selection")
        if isinstance(source, State):
            state = source
            self._check_game(state)
            if seat is None:
                msg = "a state is observed by a seat: say which"
                raise ObservationError(msg)
            seat = seat_number(seat, state.match.players, ObservationError)
            drawn = drawn_as_known(state, seat)
        elif isinstance(source, View):
            state, drawn = source.world, source.world.drawn
            self._check_game(state)
            if source.seat is None:
                msg = "a spectator has no hand to observe: give the view of a seat"
                raise ObservationError(msg)
            seat = self._same(source.seat, seat, state, "view")
        else:
            raise ObservationError(_no_source(at))
        return state, seat, drawn, known_bits(state, seat), chosen

    def _write(
        self, games: Iterable[tuple[AnyState, int, tuple[int, ...]]], out: Any
    ) -> None:
        """
        Write observations of several games, which may be kept as drafts.

        Args:
            games: Games of these rules, for so many players, which is not checked; the
                seat that observes, and the indices of an action that is being chosen.
            out: An array that is fit.
        """
        sights = [
            (one, seat, drawn_as_known(one, seat), known_bits(one, seat), chosen)
            for one, seat, chosen in games
        ]
        if self._normalize is None:
            fill_columns(out, self._columns(sights), len(sights))
        else:
            fill(out, self._packed(sights), self._letter)

    def _columns(self, sights: Sequence[Sight]) -> list[Column]:
        """
        Several observations in whole numbers, some fields of all of them at a time.
        """
        return [(make(sights), width) for width, make in self._makers]

    def _packed(self, sights: Sequence[Sight]) -> bytes:
        """
        Several observations, one after another.
        """
        data = in_rows(self._columns(sights), len(sights))
        return data if self._normalize is None else self._normalize(data)

    @staticmethod
    def _same(own: int, seat: Seat | None, state: State, what: str) -> int:
        """
        The seat of a view or a selection, whichever was given beside it.
        """
        names = state.players
        if seat is not None and seat_number(seat, names, ObservationError) != own:
            msg = f"the {what} is that of seat {own}, not of seat {shown(seat)}"
            raise ObservationError(msg)
        return own

    def _check_game(self, state: State) -> None:
        match = state.match
        if len(match.players) != self.players:
            msg = f"it observes games of {self.players}, not of {len(match.players)}"
            raise ObservationError(msg)
        rules = match.rules.of_table
        if rules is self.rules or id(rules) in self._alike:
            return
        if rules != self.rules:
            msg = f"it observes games of {self.rules.name}, not of {rules.name}"
            raise ObservationError(msg)
        if len(self._alike) >= _ALIKE_AT_MOST:
            self._alike.clear()
        self._alike[id(rules)] = rules

    def __reduce__(self) -> tuple[Any, ...]:
        length = self.length or LENGTH
        return (
            partial(observation_spec, normalized=self.normalized),
            (self.rules, self.players, self.form, length, self._asked),
        )

    def __repr__(self) -> str:
        return (
            f"<ObservationSpec of {self.rules.name} for {self.players}, {self.form}, "
            f"{self.size} numbers{' from 0 to 1' if self.normalized else ''}>"
        )


def _no_source(given: object) -> str:
    return f"{shown(given)} cannot be observed: give a view, a selection or a state"


@explained
def observation_spec(
    rules: Ruleset | str,
    players: int,
    form: Form = "markov",
    length: int = LENGTH,
    fields: Collection[str] | None = None,
    *,
    normalized: bool = False,
) -> ObservationSpec:
    """
    What observations of some games consist of.

    Args:
        rules: The rules, or the name of a preset.
        players: The number of players.
        form: ``markov``, what is known of the position, or ``perfect recall``, which
            adds the round as the seat saw it.
        length: How many words of the past there is room for, with perfect recall.
        fields: The names of the only fields that are wanted; None for all. They come in
            their usual order, whatever the order of the names, and to make an
            observation takes the less time the fewer they are.
        normalized: Whether every number is a 32-bit float from 0 to 1, as networks take
            them; it needs numpy.

    Raises:
        ObservationError: If there is no such form or field, a number is none, or an
            observation of this form cannot be normalized.
        RulesError: If there is no such preset, or it is not for so many players.

    >>> rv.learning.observation_spec("gin-rummy", 2, fields=["unseen"]).size
    52
    """
    rules = (rules if isinstance(rules, Ruleset) else read_rules(rules)).of_table
    if form not in get_args(Form):
        known = listed(map(repr, get_args(Form)))
        msg = f"there is no form {shown(form)} of an observation: forms are {known}"
        raise ObservationError(msg)
    if not is_whole(players, 1):
        msg = f"{shown(players)} is no number of players: give a whole number from 1"
        raise ObservationError(msg)
    if not is_whole(length, 1):
        msg = f"{shown(length)} is no length: give a whole number of words from 1"
        raise ObservationError(msg)
    if not isinstance(normalized, bool):
        msg = f"normalized cannot be {shown(normalized)}: give True or False"
        raise ObservationError(msg)
    recalls = form == "perfect recall"
    asked = None if fields is None else _names(fields)
    room = length * recalls
    key = ("observation", players, form, room, asked, normalized)
    found: ObservationSpec | None = rules._memo.get(key)
    if found is None:
        found = _made(rules, players, form, room, asked, normalized=normalized)
        rules._memo[key] = found
    return found


def _names(fields: object) -> tuple[str, ...]:
    """
    The names of fields that are wanted, sorted.
    """
    try:
        found: tuple[Any, ...] = () if isinstance(fields, str) else tuple(fields)  # type: ignore[arg-type]
    except TypeError:
        found = ()
    if not found or not all(isinstance(one, str) for one in found):
        msg = f"fields cannot be {shown(fields)}: give the names of some, or None"
        raise ObservationError(msg)
    return tuple(sorted({*found}))


def _made(
    rules: Ruleset,
    players: int,
    form: Form,
    length: int,
    asked: tuple[str, ...] | None,
    *,
    normalized: bool,
) -> ObservationSpec:
    check_number_of_players(rules, players)
    layout = Layout(rules, players, len(vocabulary_of(rules, players).labels))
    past = Past(layout, length) if length else None
    fields = in_a_row([*layout.fields(), *(past.fields() if past else ())])
    groups = [*Planes(layout).groups(), *(past.groups() if past else ())]
    if asked is not None:
        known = {field.name: field for field in fields}
        for name in asked:
            if name not in known:
                raise _no_field(name, known)
        groups = [*_only(asked, groups, known)]
        fields = in_a_row([field for field in fields if field.name in asked])
    normalizer = Normalizer(fields) if normalized else None
    fields = normalizer.fields if normalizer else fields
    return ObservationSpec(
        rules,
        players,
        form,
        length,
        normalized,
        fields,
        fields[-1].stop,
        past.words if past else (),
        asked,
        tuple([(width, make) for _, width, make in groups]),
        {field.name: field for field in fields},
        past,
        normalizer,
    )


def _no_field(name: object, known: Mapping[str, Field]) -> ObservationError:
    return ObservationError(
        f"there is no field {shown(name)}{nearest(str(name), known)}"
    )


def _only(
    asked: Collection[str], groups: Iterable[Group], known: Mapping[str, Field]
) -> Iterator[Group]:
    """
    The groups of fields that are wanted, without what else belongs to a group.

    Args:
        asked: The names of the fields.
        groups: All groups.
        known: All fields that have any numbers, by name.
    """
    for names, width, make in groups:
        there = [known[name] for name in names.split() if name in known]
        wanted = [field for field in there if field.name in asked]
        if wanted == there != []:
            yield names, width, make
        elif wanted:
            first = there[0].start
            spans = [
                (width * (one.start - first), width * (one.stop - first))
                for one in wanted
            ]
            yield names, width, partial(_cut, make, spans)


def _cut(
    make: Making, spans: Sequence[tuple[int, int]], sights: Sequence[Sight]
) -> bytes:
    """
    Some spans of what a group of fields is written as.
    """
    found = make(sights)
    size = len(found) // len(sights)
    starts = range(0, len(found), size)
    return b"".join([found[at + one : at + to] for at in starts for one, to in spans])


@explained
def observation(
    at: View | Selection | State,
    seat: Seat | None = None,
    *,
    form: Form = "markov",
    length: int = LENGTH,
    normalized: bool = False,
) -> dict[str, Any]:
    """
    What a seat knows of a game, as arrays by the names of their fields.

    The arrays are those of numpy if it is installed, and otherwise nested lists with
    the same numbers. Equal views give equal arrays.

    Args:
        at: A view; an action of it that is being chosen; or a state.
        seat: The seat, from 0 or by the player's name, with a state.
        form: As for `observation_spec`.
        length: As for `observation_spec`.
        normalized: As for `observation_spec`.

    Raises:
        ObservationError: If there is no such form or seat, the view is that of a
            spectator, or there is no room for something.

    >>> observed = rv.learning.observation(rv.new_game("rummy-500", 2), seat=0)
    >>> [name for name in observed if "hand" in name]
    ['hands']
    """
    source = at.source if isinstance(at, Selection) else at
    if not isinstance(source, View | State):
        raise ObservationError(_no_source(at))
    spec = observation_spec(
        source.rules, len(source.players), form, length, normalized=normalized
    )
    return spec.observe(at, seat)
