"""
Many games of the same rules, stepped together for programs that learn.

The games are kept in the form in which the engine works on them, so that no states are
made, and observations and masks go straight into arrays of the caller's.
"""

from __future__ import annotations

import os

from array import array
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from rummyvariants import State, apply
from rummyvariants._support.arguments import explained
from rummyvariants.actions import Action
from rummyvariants.errors import RummyError, shown
from rummyvariants.game import begin
from rummyvariants.game._state import freeze, thaw
from rummyvariants.learning._arrays import fill, unfit
from rummyvariants.learning._steps import Game, Stepper
from rummyvariants.learning.encodings import (
    Encoding,
    Form,
    encoding,
    whole_number,
)
from rummyvariants.learning.observations import (
    LENGTH,
    ObservationSpec,
    observation_spec,
)
from rummyvariants.learning.observations import Form as Observation
from rummyvariants.learning.rewards import (
    MAX_STEPS,
    BySeat,
    Rewards,
    Stakes,
    Until,
    no_limit,
)
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


class Games:
    """
    A number of games of the same rules that go on side by side.

    When one is over, another begins in its place. The games that begin in place ``i``
    are those of the seeds ``"SEED/i/0"``, ``"SEED/i/1"`` and so on: `new_game` deals
    the same. `Games` can be copied, and pickled if the function for rewards can.

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
        normalized: Whether observations are 32-bit floats from 0 to 1, as networks take
            them; it needs numpy.
        until: Where a game ends: after a ``match``, or after its first ``round``.
        rewards: ``round`` for points after each round, ``match`` for the match alone,
            or a function, as for `rummyvariants.envs.aec_env`.
        scale: How many points are worth 1, for rewards with bounds, as for
            `rummyvariants.envs.aec_env`.
        max_steps: After how many steps a game is truncated; None for never.
        seed: From what the seeds of the games follow: a whole number or a text.

    Attributes:
        number: How many games there are.
        encoding: The actions as numbers.
        spec: What the observations consist of.
        utilities: The least and the most that a seat may receive in a game; None for no
            bounds.

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
        normalized: bool = False,
        until: Until = "match",
        rewards: Rewards = "round",
        scale: float | None = None,
        max_steps: int | None = MAX_STEPS,
        seed: int | str = 0,
    ) -> None:
        if not is_whole(number, 1):
            msg = f"{shown(number)} is no number of games: give a whole number from 1"
            raise VectorError(msg)
        stakes = Stakes(until, rewards, scale)
        if stakes.wrong:
            raise VectorError(stakes.wrong)
        if no_limit(max_steps):
            raise VectorError(no_limit(max_steps))
        if isinstance(seed, bool) or not isinstance(seed, int | str):
            msg = f"{shown(seed)} is no seed: give a whole number or a text"
            raise VectorError(msg)
        self.number: Final = number
        self.encoding: Final[Encoding] = encoding(rules_of(rules), players, form)
        # Equal rules may have been there first, and to compare them takes long.
        self._rules = self.encoding.rules
        self.spec: Final[ObservationSpec] = observation_spec(
            self._rules, players, observation, length, fields, normalized=normalized
        )
        self._players = players
        self.utilities: Final = stakes.utilities
        self._stakes = stakes
        self._stepper = Stepper(self.encoding._actions, stakes)
        self._most = max_steps
        self._games: list[Game] = []
        self._last: dict[int, Game] = {}
        self._begin_all(seed)

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
        return freeze(thaw(self._numbered(game).draft))

    @explained
    def tokens(self, game: int) -> list[int]:
        """
        The round as the seat saw it that has to choose in a game, as small numbers.

        Args:
            game: Its number, from 0.

        Raises:
            VectorError: If there is no such game.
            ObservationError: If the form of the observations has no past.

        >>> from rummyvariants.vector import Games
        >>> games = Games("gin-rummy", 2, 3, observation="perfect recall")
        >>> [games.spec.words[token] for token in games.tokens(0)[:3]]
        ['the deal', 'sees', '3h']
        """
        found = self._numbered(game)
        return self.spec._tokens(found.draft, found.seat)

    def _numbered(self, game: int) -> Game:
        """
        A game by its number.
        """
        if not is_whole(game, 0) or game >= self.number:
            last = self.number - 1
            msg = f"there is no game {shown(game)}: games are 0 to {last}"
            raise VectorError(msg)
        return self._games[game]

    @explained
    def observe(self, observations: Any = None, masks: Any = None) -> None:
        """
        Write what the seats that have to choose know, and what they may choose.

        Nothing is written if there is an error. An array is one of numpy, or anything
        else that lies in one piece in memory, such as an `array.array` with all numbers
        one after another; None for what is not wanted.

        Args:
            observations: An array for `spec.size` numbers of each game, of int32,
                int64, float32 or float64; normalized ones of float32 or float64.
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
        self._check("observations", observations, (self.spec.size,), self.spec._outputs)
        self._check("masks", masks, (indices,), _FLAGS)
        if observations is not None:
            games = [(one.draft, one.seat, one.chosen) for one in self._games]
            self.spec._write(games, observations)
        if masks is not None:
            flags = bytearray(self.number * indices)
            start = 0
            for game in self._games:
                for index in game.question.answers:
                    flags[start + index] = 1
                start += indices
            fill(masks, flags, "B")

    @explained
    def step(
        self,
        indices: Any,
        rewards: Any = None,
        ended: Any = None,
        truncated: Any = None,
    ) -> None:
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
            truncated: An array like that: 1 if the game has ended because it had
                `max_steps`.

        Raises:
            VectorError: If an index may not be chosen, or an array has another shape or
                type.
            RewardError: If a function for rewards gives none.

        >>> import numpy as np
        >>> from rummyvariants.vector import Games
        >>> games = Games("rummy-500", players=2, number=3)
        >>> games.step(np.zeros(3, int))
        >>> games.state(2).phase
        'play'
        """
        self._check("rewards", rewards, (self._players,), _POINTS)
        self._check("ended", ended, (), _FLAGS)
        self._check("truncated", truncated, (), _FLAGS)
        gained = self._advance(self._checked(indices))
        if rewards is not None:
            nothing = (0.0,) * self._players
            numbers = array("d")
            for place in range(self.number):
                numbers.extend(gained.get(place, nothing))
            fill(rewards, numbers.tobytes(), "d")
        for out, only_truncated in ((ended, False), (truncated, True)):
            if out is not None:
                flags = bytearray(self.number)
                for place, game in self._last.items():
                    flags[place] = not (only_truncated and game.is_over)
                fill(out, flags, "B")

    def _advance(self, indices: Sequence[int]) -> dict[int, BySeat]:
        """
        Choose an index in each game; if there is an error, nothing is done.

        Args:
            indices: The indices, which are not checked; -1 for nothing to be done.

        Returns:
            By game, the rewards, where there are any.
        """
        gained: dict[int, BySeat] = {}
        last: dict[int, Game] = {}
        after: list[Game] = []
        try:
            for place, (game, index) in enumerate(
                zip(self._games, indices, strict=True)
            ):
                if index < 0:
                    after.append(game)
                    continue
                going = self._stepper.after(game, index)
                if going.gained:
                    gained[place] = going.gained
                if going.is_over or going.steps == self._most:
                    last[place] = going
                    going = self._begun(place, game.number + 1)
                after.append(going)
        except BaseException as error:
            error.add_note(f"in game {len(after)}; no game has been stepped")
            raise
        self._games = after
        self._last = last
        return gained

    def _act(self, place: int, action: Action | str) -> Game:
        """
        Do an action in one game, whatever its seat has chosen so far.

        It counts as no step. If the game is over, another begins in its place.

        Returns:
            The game after it, even if it is over.
        """
        game = self._games[place]
        state = apply(freeze(thaw(game.draft)), action, game.seat)
        after = self._stepper.asked(thaw(state), game, game.steps)
        self._games[place] = after
        if after.is_over:
            self._begin_next(place)
        return after

    def _begin_next(self, place: int) -> None:
        """
        Begin the next game of a place.
        """
        self._games[place] = self._begun(place, self._games[place].number + 1)

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

    def _begin_all(self, seed: int | str, first: int = 0) -> None:
        """
        Begin in every place.

        Args:
            seed: From what the seeds of the games follow.
            first: How many places there are before, in which others play.
        """
        self._seed, self._first = seed, first
        self._games = [self._begun(place, 0) for place in range(self.number)]
        self._last = {}

    def _seed_of(self, place: int, number: int) -> str:
        return f"{self._seed}/{self._first + place}/{number}"

    def _begun(self, place: int, number: int) -> Game:
        """
        A game of a place, by its number; the next one if nobody has to choose in it.
        """
        nothing = (0.0,) * self._players
        while True:
            seed = self._seed_of(place, number)
            state = begin(self._rules, self._players, seed=seed)
            found = self._stepper.begun(state, number, nothing)
            if not found.is_over:
                return found
            number += 1

    def __getstate__(self) -> dict[str, Any]:
        games = [
            (freeze(thaw(one.draft)), one.number, one.total, one.steps, one.chosen)
            for one in self._games
        ]
        return {**vars(self), "_stepper": None, "_games": games, "_last": {}}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        # Questions hold plans, so a copy asks its own.
        self._stepper = Stepper(self.encoding._actions, self._stakes)
        self._games = [self._stepper.begun(*one) for one in kept["_games"]]
