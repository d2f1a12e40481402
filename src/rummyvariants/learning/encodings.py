"""
Actions as numbers below a fixed one, for programs that learn.

An encoding belongs to some rules and a number of players. In the stepwise form an
action is a sequence of indices, each a word: the verb, and then the answers to what a
chooser asks. In the flat form, where there is one, an action is a single index.
"""

from __future__ import annotations

import itertools
import operator

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, Literal, get_args

import attrs

from rummyvariants import State, View, view
from rummyvariants._support.arguments import explained
from rummyvariants._support.memos import remembered
from rummyvariants._support.words import figure, listed
from rummyvariants.actions import Action, LayOff, NewMeld
from rummyvariants.errors import RummyError, Seat, seat_number, shown
from rummyvariants.game._engine.beginning import check_number_of_players
from rummyvariants.game._engine.game import as_action
from rummyvariants.game._engine.plays import AnyState, Play
from rummyvariants.game._meanings import meaning
from rummyvariants.game._state import remember
from rummyvariants.game.verbs._known import VERBS, planned
from rummyvariants.game.verbs._verb import Plan, Verb
from rummyvariants.learning._flat import Flat, Offered, actions, obstacle
from rummyvariants.learning._stepwise import Asked, Stepwise
from rummyvariants.melds._meld import bits_of
from rummyvariants.rules import Ruleset, read_rules
from rummyvariants.rulings import IllegalAction, Objection


Form = Literal["stepwise", "flat"]
VERSION: Final = 1
"""The version of both forms; it moves when an index changes its meaning."""
MOST_INDICES: Final = 2_048
"""The most indices that an encoding may have."""
_NAMED: Final = 3
"""How many indices that may be chosen are named in a refusal."""


class EncodingError(RummyError, ValueError):
    """
    An index that cannot be chosen, or an encoding asked for what it cannot do.
    """


Question = Offered | Asked
"""What is asked about an action."""


@attrs.frozen(repr=False)
class Selection:
    """
    An action that is being chosen.

    Selections are equal if they stand at the same point of the same choice.

    Attributes:
        encoding: The encoding.
        source: What it is chosen from: a view, or a state.
        seat: The seat that acts.
        indices: The indices so far.

    >>> encoding = rv.learning.encoding("rummy-500", 2)
    >>> state = rv.apply(rv.new_game("rummy-500", 2, seed=3), "draw")
    >>> first = encoding.legal(rv.view(state, 0))[0]
    >>> encoding.decode(first, rv.view(state, 0))
    <Selection of seat 0: discard>
    """

    encoding: Encoding
    source: View | State
    seat: int
    indices: tuple[int, ...]
    _question: Question = attrs.field(eq=False)

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
        The state that the action is for; of a view, its world.
        """
        source = self.source
        return source.world if isinstance(source, View) else source

    @property
    def labels(self) -> tuple[str, ...]:
        """
        What the indices so far mean.
        """
        return tuple([self.encoding.labels[index] for index in self.indices])

    def __reduce__(self) -> tuple[Any, ...]:
        return _chosen, (self.encoding, self.source, self.seat, self.indices)

    def __repr__(self) -> str:
        so_far = ", ".join(self.labels) or "nothing yet"
        return f"<Selection of seat {self.seat}: {so_far}>"


@attrs.frozen(repr=False, cache_hash=True)
class Encoding:
    """
    The actions of some rules for a number of players as numbers.

    Attributes:
        rules: The rules.
        players: The number of players.
        form: ``stepwise`` or ``flat``.
        labels: By index, what it means: a word, or the text of an action. All labels
            are different.
        version: The version of the form, which moves when an index changes its meaning.

    >>> encoding = rv.learning.encoding("rummy-500", 2)
    >>> encoding.size, encoding.labels[:5]
    (157, ('draw', 'take', 'meld', 'lay', 'discard'))
    """

    rules: Ruleset
    players: int
    form: Form
    labels: tuple[str, ...]
    version: int = attrs.field(default=VERSION, init=False)
    _actions: Stepwise | Flat = attrs.field(eq=False)
    # What a selection was begun from last, and the selection: it is asked for again.
    _last: list[tuple[Any, Any]] = attrs.field(
        factory=lambda: [(None, None)], init=False, eq=False
    )

    @property
    def size(self) -> int:
        """
        How many indices there are; they go from 0 to one less.
        """
        return len(self.labels)

    @explained
    def begin(self, at: View | State, seat: Seat | None = None) -> Selection:
        """
        Begin to choose an action.

        Args:
            at: The view of the seat that acts. A program that runs the game may give
                the state instead, which saves it the view; it must not show players a
                selection that was begun so.
            seat: With a state, the seat that acts, from 0 or by the player's name; it
                may be left out if only one seat may act.

        Returns:
            A selection; if the seat may not act now, nothing can be chosen.

        Raises:
            EncodingError: If the rules or the number of players are others, there is no
                such seat, or it is not the seat of the view.

        >>> encoding = rv.learning.encoding("rummy-500", 2)
        >>> encoding.begin(rv.new_game("rummy-500", 2), seat=0)
        <Selection of seat 0: nothing yet>
        """
        if isinstance(at, View):
            state = at.world
            if at.seat is None:
                msg = "a spectator does not act: give the view of a seat"
                raise EncodingError(msg)
            names = at.players
            if seat is not None and seat_number(seat, names, EncodingError) != at.seat:
                msg = f"this is the view of seat {at.seat}, not of seat {shown(seat)}"
                raise EncodingError(msg)
            seat = at.seat
        elif isinstance(at, State):
            state = at
        else:
            msg = f"{shown(at)} is not a view, a state or a selection"
            raise EncodingError(msg)
        self._check_game(state)
        if seat is None:
            acting = state.to_act
            if len(acting) != 1:
                may = f"seats {listed(map(str, acting))} may" if acting else "none may"
                msg = f"say which seat acts: {may}"
                raise EncodingError(msg)
            (seat,) = acting
        number = seat_number(seat, state.match.players, EncodingError)
        return Selection(self, at, number, (), self._ask(state, number))

    def _ask(self, state: AnyState, seat: int) -> Question:
        """
        The first question to a seat.

        This is for games that are kept as drafts. A draft may change only once the
        action is chosen.

        Args:
            state: A game of these rules, for so many players; that is not checked.
            seat: The seat.
        """
        if state.frames[-1].waiting >> seat & 1:
            return self._actions.ask(state, seat)
        return _NOTHING

    def _check_game(self, state: State) -> None:
        players = len(state.players)
        if players != self.players:
            msg = f"the encoding is for {self.players} players, not for {players}"
            raise EncodingError(msg)
        rules = state.rules.of_table
        if rules is not self.rules and rules != self.rules:
            msg = f"the encoding is for {self.rules!r}, and this game is {rules!r}"
            raise EncodingError(msg)

    def _selection(self, at: View | State | Selection) -> Selection:
        """
        Where something stands: a selection as it is, or one that begins.
        """
        if isinstance(at, Selection):
            if at.encoding is not self and at.encoding != self:
                msg = f"the selection is of {at.encoding!r}, not of {self!r}"
                raise EncodingError(msg)
            return at
        given, found = self._last[0]
        if given is not at:
            found = self.begin(at)
            self._last[0] = at, found
        return found  # type: ignore[no-any-return]

    @explained
    def legal(self, at: View | State | Selection) -> tuple[int, ...]:
        """
        The indices that may be chosen next, lowest first.

        Args:
            at: A view or a selection, or a state in which one seat alone may act.

        Returns:
            The indices; none if the seat may not act.

        Raises:
            EncodingError: As for `begin`, or if the selection is of another encoding.

        >>> encoding = rv.learning.encoding("rummy-500", 2)
        >>> legal = encoding.legal(rv.view(rv.new_game("rummy-500", 2), 0))
        >>> [encoding.labels[index] for index in legal]
        ['draw', 'take']
        """
        return self._selection(at)._question.indices

    @explained
    def mask(self, at: View | State | Selection) -> bytes:
        """
        Which indices may be chosen next.

        Arguments and errors are those of `legal`.

        Returns:
            A byte for each index, 1 if it may be chosen and 0 if not. With numpy,
            ``numpy.frombuffer(mask, numpy.int8)`` makes it an array.

        >>> encoding = rv.learning.encoding("rummy-500", 2)
        >>> sum(encoding.mask(rv.view(rv.new_game("rummy-500", 2), 0)))
        2
        """
        found = bytearray(len(self.labels))
        for index in self.legal(at):
            found[index] = 1
        return bytes(found)

    @explained
    def decode(self, index: int, at: View | State | Selection) -> Action | Selection:
        """
        What is chosen by an index.

        Args:
            index: The index.
            at: As for `legal`.

        Returns:
            The action, which is legal; in the stepwise form, a selection if there is
            more to choose.

        Raises:
            EncodingError: If the index may not be chosen, and as for `legal`.

        >>> encoding = rv.learning.encoding("rummy-500", 2)
        >>> encoding.decode(0, rv.view(rv.new_game("rummy-500", 2), 0))
        Draw(seat=0)
        """
        selection = self._selection(at)
        question = selection._question
        number = whole_number(index)
        if number not in question.answers:
            raise EncodingError(self._refusal(index, question, selection.seat))
        found = question.after(number)
        if isinstance(found, tuple):
            remember(selection.state, found)
            return found[0]
        indices = (*selection.indices, number)
        return Selection(self, selection.source, selection.seat, indices, found)

    def _refusal(self, index: object, question: Question, seat: int) -> str:
        """
        Why an index may not be chosen.
        """
        number = whole_number(index)
        if not 0 <= number < self.size:
            return (
                f"{shown(index)} is not an index: give a whole number from 0 to "
                f"{self.size - 1}"
            )
        if not question.answers:
            return f"{number} cannot be chosen: seat {seat} may not act now"
        indices = question.indices
        first = [f"{one} ({self.labels[one]!r})" for one in (number, *indices[:_NAMED])]
        if len(indices) > _NAMED:
            first.append(figure(len(indices) - _NAMED, "other"))
        return f"{first[0]} cannot be chosen here: the mask allows {listed(first[1:])}"

    @explained
    def encode(
        self, action: Action | str, at: View | State | Selection
    ) -> tuple[int, ...]:
        """
        The indices by which an action is chosen.

        Args:
            action: A legal action, or its text in the notation. Its cards and melds may
                be in any order.
            at: As for `legal`.

        Returns:
            The indices in their order; one in the flat form. From a selection, those
            that are left.

        Raises:
            IllegalAction: If the action is not legal.
            ParseError: If a text is not an action.
            EncodingError: If no indices lead to the action from here, and as for
                `legal`.

        >>> encoding = rv.learning.encoding("rummy-500", 2)
        >>> state = rv.apply(rv.new_game("rummy-500", 2, seed=3), "draw")
        >>> indices = encoding.encode("discard Kd", rv.view(state, 0))
        >>> [encoding.labels[index] for index in indices]
        ['discard', 'Kd']
        """
        selection = self._selection(at)
        state, seat = selection.state, selection.seat
        done = as_action(state, action, None)
        if done.seat is None:
            done = done.by(seat)
        elif done.seat != seat:
            msg = (
                f"'{done}' is an action of seat {shown(done.seat)}, not of seat {seat}"
            )
            raise EncodingError(msg)
        plan = planned(state, done)
        if isinstance(plan, Objection):
            raise IllegalAction(state.rules.refusal(plan))
        taken = selection.indices
        is_meant = partial(_is_meant, state, done, _used(done, plan))
        found = next(_paths(selection._question, done, taken, is_meant), None)
        if found is not None:
            return found[len(taken) :]
        why = ""
        if self.form == "flat" and getattr(done, "melds", None) is not None:
            why = ": in the flat form the best melds are shown; 'stepwise' names them"
        elif self.form == "flat":
            why = ": the flat form lays one card at a time"
        msg = f"no index leads to '{done}' here{why}"
        raise EncodingError(msg)

    def __reduce__(self) -> tuple[Any, ...]:
        return encoding, (self.rules, self.players, self.form)

    def __repr__(self) -> str:
        return (
            f"<Encoding of {self.rules.name} for {self.players} players, {self.form}, "
            f"{self.size} indices>"
        )


def _chosen(
    made: Encoding, source: View | State, seat: int, indices: tuple[int, ...]
) -> Selection:
    """
    A selection made anew from what it stands for.
    """
    found: Any = made.begin(source, seat)
    for index in indices:
        found = made.decode(index, found)
    return found  # type: ignore[no-any-return]


def _paths(
    question: Question,
    wanted: Action,
    taken: tuple[int, ...],
    is_meant: Callable[[Action, Plan], bool],
) -> Iterator[tuple[int, ...]]:
    """
    The indices taken before a question and those that lead on to an action.
    """
    for index in question.toward(wanted, taken):
        found = question.after(index)
        if not isinstance(found, tuple):
            yield from _paths(found, wanted, (*taken, index), is_meant)
        elif is_meant(*found):
            yield (*taken, index)


def _is_meant(
    state: State, wanted: Action, used: int | None, action: Action, plan: Plan
) -> bool:
    """
    Whether a legal action is the wanted one, however its cards and melds are ordered.

    Args:
        state: The state.
        wanted: The action.
        used: The cards that it takes from the hand.
        action: The other action.
        plan: The plan of that.
    """
    if action == wanted:
        return True
    if type(action) is not type(wanted) or _used(action, plan) not in {None, used}:
        return False
    return meaning(state, action) == meaning(state, wanted)


def _used(action: Action, plan: Any) -> int | None:
    """
    The cards that a play takes from the hand; None if the action is of another kind.
    """
    if isinstance(plan, Play):
        return plan.used + sum([one.used for one in plan.then])
    # What was listed may not be planned yet.
    return bits_of(action.cards) if isinstance(action, NewMeld | LayOff) else None


def whole_number(index: object) -> int:
    """
    A whole number of any kind as an integer; -1 for anything else.
    """
    if type(index) is int:
        return index
    try:
        return -1 if isinstance(index, bool) else operator.index(index)  # type: ignore[arg-type]
    except TypeError:
        return -1


_NOTHING: Final = Offered({})
"""What a seat is asked that may not act."""


@explained
def encoding(rules: Ruleset | str, players: int, form: Form = "stepwise") -> Encoding:
    """
    The actions of some rules for a number of players as numbers.

    Args:
        rules: The rules, or the name of a preset.
        players: The number of players.
        form: ``stepwise`` for an action as a sequence of indices, or ``flat`` for a
            single index. Only some rules have a flat form.

    Returns:
        The encoding, the same for equal arguments.

    Raises:
        RulesError: If there is no such preset, or it is not for so many players.
        EncodingError: If the form is none of the two, the rules have no flat form, or
            it has more than 2,048 indices.

    >>> rv.learning.encoding("gin-rummy", 2)
    <Encoding of gin-rummy for 2 players, stepwise, 68 indices>
    """
    rules = (rules if isinstance(rules, Ruleset) else read_rules(rules)).of_table
    if type(players) is not int:
        msg = f"{shown(players)} is not a number of players: give a whole number"
        raise EncodingError(msg)
    check_number_of_players(rules, players)
    if form not in get_args(Form):
        msg = f"{shown(form)} is not a form: it is 'stepwise' or 'flat'"
        raise EncodingError(msg)
    return _encoding(rules, players, form, (*VERBS.values(),))


@remembered(8)
def _encoding(
    rules: Ruleset, players: int, form: Form, verbs: tuple[Verb, ...]
) -> Encoding:
    """
    The encoding of rules under which some of all verbs exist.
    """
    del verbs
    made: Stepwise | Flat
    if form == "stepwise":
        made = Stepwise(rules, players)
    else:
        reason = obstacle(rules, players)
        if reason:
            msg = f"{rules.name} has no flat form: {reason}; use the form 'stepwise'"
            raise EncodingError(msg)
        made = Flat(itertools.islice(actions(rules, players), MOST_INDICES + 1))
    if len(made.labels) > MOST_INDICES:
        msg = (
            f"the {form} form of {rules.name} for {players} players has more than "
            f"{MOST_INDICES:,} indices"
        )
        raise EncodingError(msg)
    return Encoding(rules, players, form, made.labels, made)
