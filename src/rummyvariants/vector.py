"""
Many games of the same rules, stepped together for programs that learn.

The games are kept in the form in which the engine works on them, so that no states are
made, and observations and masks go straight into arrays of the caller's.
"""

from __future__ import annotations

import os

from array import array
from collections.abc import Collection, Mapping
from typing import Any, Final

import attrs

from rummyvariants import State
from rummyvariants._support.arguments import explained
from rummyvariants.errors import RummyError, shown
from rummyvariants.game import begin
from rummyvariants.game._engine.beginning import deal_known
from rummyvariants.game._engine.game import do_leaf
from rummyvariants.game._round import History
from rummyvariants.game._state import (
    Draft,
    between_rounds,
    freeze,
    next_to_decide,
    thaw,
)
from rummyvariants.learning._arrays import NUMBERS, fill, fill_columns, unfit
from rummyvariants.learning.encodings import (
    Encoding,
    Form,
    Question,
    encoding,
    whole_number,
)
from rummyvariants.learning.observations import (
    LENGTH,
    ObservationSpec,
    observation_spec,
)
from rummyvariants.learning.observations import Form as Observation
from rummyvariants.learning.rewards import Rewards, Until, earned, refused
from rummyvariants.policies.base import is_whole
from rummyvariants.rules import Ruleset
from rummyvariants.rules._files import rules_of


__all__ = ["Games", "VectorError"]

_FLAGS: Final = {"b": "int8", "B": "uint8", "?": "bool"}
_POINTS: Final = {"f": "float32", "d": "float64"}
"""The types of arrays for flags and for rewards, by their letters in `array`."""


class VectorError(RummyError, ValueError):
    """
    Games that cannot be made or stepped, or an array that cannot be written into.
    """


@attrs.define(eq=False)  # frozen, it takes longer to make
class _Game:
    """
    One of the games; it never changes.

    Attributes:
        draft: The game.
        number: How many games began in its place before it.
        seat: The seat that has to choose.
        question: What the seat is asked.
        chosen: The indices of its action so far.
    """

    draft: Draft
    number: int
    seat: int
    question: Question
    chosen: tuple[int, ...] = ()


class Games:
    """
    A number of games of the same rules that go on side by side.

    When one is over, another begins in its place. The games that begin in place ``i``
    are those of the seeds ``"SEED/i/0"``, ``"SEED/i/1"`` and so on: `new_game` deals
    the same.

    Args:
        rules: The rules, the name of a preset, or the path of a file of rules.
        players: The number of players.
        number: How many games there are.
        form: The form of the actions, as for `rummyvariants.learning.encoding`.
        observation: The form of the observations, as for
            `rummyvariants.learning.observation_spec`.
        length: How many words of the past there is room for, with perfect recall.
        fields: The names of the only fields of observations that are wanted; None for
            all.
        until: Where a game ends: after a ``match``, or after its first ``round``.
        rewards: ``round`` for points after each round, ``match`` for the match alone,
            as for `rummyvariants.envs.aec_env`.
        seed: From what the seeds of the games follow: a whole number or a text.

    Attributes:
        number: How many games there are.
        encoding: The actions as numbers.
        spec: What the observations consist of.

    Raises:
        VectorError: If an argument is not as described.
        RulesError: If there is no such preset, the file cannot be read, or the rules
            are not for so many players or do not allow the seed.
        EncodingError: If the rules have no encoding of this form.
        ObservationError: If the form of the observations, the length or a field is
            none.

    >>> from rummyvariants.vector import Games
    >>> games = Games("rummy-500", players=2, number=3)
    >>> games.seats, games.state(0).phase
    ((0, 1, 1), 'draw')
    """

    @explained
    def __init__(
        self,
        rules: Ruleset | str | os.PathLike[str],
        players: int,
        number: int,
        *,
        form: Form = "stepwise",
        observation: Observation = "markov",
        length: int = LENGTH,
        fields: Collection[str] | None = None,
        until: Until = "match",
        rewards: Rewards = "round",
        seed: int | str = 0,
    ) -> None:
        if not is_whole(number, 1):
            msg = f"{shown(number)} is no number of games: give a whole number from 1"
            raise VectorError(msg)
        wrong = refused(until, rewards)
        if wrong:
            raise VectorError(wrong)
        if isinstance(seed, bool) or not isinstance(seed, int | str):
            msg = f"{shown(seed)} is no seed: give a whole number or a text"
            raise VectorError(msg)
        self.number: Final = number
        self.encoding: Final[Encoding] = encoding(rules_of(rules), players, form)
        # Equal rules may have been there first, and to compare them takes long.
        self._rules = self.encoding.rules
        self._actions = self.encoding._actions
        self.spec: Final[ObservationSpec] = observation_spec(
            self._rules, players, observation, length, fields
        )
        self._players = players
        self._by_round = until == "round"
        self._rewards: Rewards = rewards
        self._seed = seed
        self._games = [self._begun(place, 0) for place in range(number)]

    @property
    def seats(self) -> tuple[int, ...]:
        """
        For each game, the seat that has to choose.
        """
        return tuple([game.seat for game in self._games])

    @explained
    def state(self, game: int) -> State:
        """
        A game as it stands, with all that is hidden.

        It has no history before the round, so no record can be made of later rounds.

        Args:
            game: Its number, from 0.

        Raises:
            VectorError: If there is no such game.
        """
        if not is_whole(game, 0) or game >= self.number:
            last = self.number - 1
            msg = f"there is no game {shown(game)}: games are 0 to {last}"
            raise VectorError(msg)
        return freeze(thaw(self._games[game].draft))

    @explained
    def observe(self, observations: Any = None, masks: Any = None) -> None:
        """
        Write what the seats that have to choose know, and what they may choose.

        Nothing is written if there is an error. An array is one of numpy, or anything
        else that lies in one piece in memory, such as an `array.array` with all numbers
        one after another; None for what is not wanted.

        Args:
            observations: An array for `spec.size` numbers of each game, of int32,
                int64, float32 or float64.
            masks: An array for `encoding.size` flags of each game, of int8, uint8 or
                bool: 1 for an index that may be chosen.

        Raises:
            VectorError: If an array has another shape or type.
            ObservationError: If there is no room for something, such as the past.

        >>> import numpy as np
        >>> from rummyvariants.vector import Games
        >>> games = Games("rummy-500", players=2, number=3)
        >>> masks = np.zeros((3, games.encoding.size), "int8")
        >>> games.observe(masks=masks)
        >>> masks.sum(axis=1)
        array([2, 2, 2])
        """
        indices = self.encoding.size
        self._check("observations", observations, (self.spec.size,), NUMBERS)
        self._check("masks", masks, (indices,), _FLAGS)
        if observations is not None:
            games = [(one.draft, one.seat, one.chosen) for one in self._games]
            columns = self.spec._columns(games)
            fill_columns(observations, columns, self.number)
        if masks is not None:
            flags = bytearray(self.number * indices)
            start = 0
            for game in self._games:
                for index in game.question.answers:
                    flags[start + index] = 1
                start += indices
            fill(masks, flags, "B")

    @explained
    def step(self, indices: Any, rewards: Any = None, ended: Any = None) -> None:
        """
        Choose an index in each game, for the seat that has to choose.

        Nothing is done or written if there is an error: if an index or an array is
        wrong, or a rule of a third party fails.

        Args:
            indices: An index for each game: a sequence, or an array with one axis.
            rewards: An array for the rewards of each seat of each game, of float32 or
                float64, as for `observe`. The players of a game that ended get theirs
                with this step.
            ended: An array for a flag of each game, of int8, uint8 or bool: 1 if the
                game has ended, and another one has begun.

        Raises:
            VectorError: If an index may not be chosen, or an array has another shape or
                type.

        >>> import numpy as np
        >>> from rummyvariants.vector import Games
        >>> games = Games("rummy-500", players=2, number=3)
        >>> games.step(np.zeros(3, int))
        >>> games.state(2).phase
        'play'
        """
        self._check("rewards", rewards, (self._players,), _POINTS)
        self._check("ended", ended, (), _FLAGS)
        given = self._checked(indices)
        flags = bytearray(self.number)
        gained: dict[int, tuple[float, ...]] = {}
        after: list[_Game] = []
        try:
            for place, (game, index) in enumerate(zip(self._games, given, strict=True)):
                found = game.question.after(index)
                if not isinstance(found, tuple):
                    chosen = (*game.chosen, index)
                    after.append(
                        _Game(game.draft, game.number, game.seat, found, chosen)
                    )
                    continue
                draft = thaw(game.draft)
                do_leaf(draft, found)
                going = self._asked(draft, game.number)
                if draft.match is not game.draft.match:
                    before = game.draft.match
                    gained[place] = earned(before, draft.match, self._rewards)
                flags[place] = going is None
                after.append(going or self._begun(place, game.number + 1))
        except BaseException as error:
            error.add_note(f"in game {len(after)}; no game has been stepped")
            raise
        self._games = after
        if rewards is not None:
            nothing = (0.0,) * self._players
            numbers = array("d")
            for place in range(self.number):
                numbers.extend(gained.get(place, nothing))
            fill(rewards, numbers.tobytes(), "d")
        if ended is not None:
            fill(ended, flags, "B")

    def _checked(self, indices: Any) -> list[int]:
        """
        The given indices, each of which may be chosen in its game.
        """
        try:
            tolist = getattr(indices, "tolist", None)
            given = list(indices) if tolist is None else tolist()
        except TypeError:
            given = None
        if not isinstance(given, list) or len(given) != self.number:
            them = f"{len(given)}" if isinstance(given, list) else shown(indices)
            msg = f"give one index for each of {self.number} games, not {them}"
            raise VectorError(msg)
        for place, (game, index) in enumerate(zip(self._games, given, strict=True)):
            number = index if type(index) is int else whole_number(index)
            if number not in game.question.answers:
                reason = self.encoding._refusal(index, game.question, game.seat)
                msg = f"game {place}: {reason}"
                raise VectorError(msg)
            given[place] = number
        return given

    def _check(
        self, name: str, out: Any, each: tuple[int, ...], types: Mapping[str, str]
    ) -> None:
        """
        Refuse an array that is not fit; there may be none.
        """
        wrong = out is not None and unfit(out, (self.number, *each), types)
        if wrong:
            msg = f"{name} cannot be written into {wrong}"
            raise VectorError(msg)

    def _begun(self, place: int, number: int) -> _Game:
        """
        A game of a place, by its number; the next one if nobody has to choose in it.
        """
        found = None
        while found is None:
            seed = f"{self._seed}/{place}/{number}"
            draft = thaw(begin(self._rules, self._players, seed=seed))
            found = self._asked(draft, number)
            number += 1
        return found

    def _asked(self, draft: Draft, number: int) -> _Game | None:
        """
        A game at what has to be chosen next; None if it is over.
        """
        while True:
            phase = draft.phase
            if phase == "over" or (self._by_round and between_rounds(draft)):
                return None
            if phase != "deal":
                seat = next_to_decide(draft)
                return _Game(draft, number, seat, self._actions.ask(draft, seat))
            if draft.result is not None:
                # Nobody may look further back, and long matches would fill the memory.
                draft._history = History()
                draft.from_position = True
            deal_known(draft)
