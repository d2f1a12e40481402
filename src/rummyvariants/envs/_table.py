"""
A game whose players choose by index, as every adapter runs it.
"""

from __future__ import annotations

import itertools
import os

from collections.abc import Collection
from typing import Any

from rummyvariants import State, apply
from rummyvariants.actions import Action
from rummyvariants.errors import RummyError, nearest, shown
from rummyvariants.game import begin, deal
from rummyvariants.game._engine.beginning import refuse_number_of_players
from rummyvariants.game._state import next_to_decide
from rummyvariants.learning.encodings import Encoding, Form, Selection, encoding
from rummyvariants.learning.observations import (
    LENGTH,
    ObservationSpec,
    observation_spec,
)
from rummyvariants.learning.observations import Form as Observation
from rummyvariants.learning.rewards import BySeat, Rewards, Stakes, Until, added
from rummyvariants.rules import Ruleset
from rummyvariants.rules._files import rules_of


class EnvError(RummyError, ValueError):
    """
    An environment that cannot be made, or one that is asked about an agent it lacks.
    """


class Table:
    """
    A game in play.

    Args:
        rules: The rules, the name of a preset, or the path of a file of rules.
        players: The number of players; None for the fewest that there may be.
        form: The form of the actions.
        observation: The form of the observations.
        length: How many words of the past there is room for, with perfect recall.
        fields: The names of the only fields of observations that are wanted.
        normalized: Whether observations are 32-bit floats from 0 to 1.
        until: Where the game ends.
        rewards: What rewards are given for.
        scale: How many points are worth 1; None for points.

    Attributes:
        stakes: Where the game ends, and what rewards are given for.
        encoding: The actions as numbers.
        spec: What the observations consist of.
        names: The players' names, by seat.

    Raises:
        EnvError: If an argument is none of those that there are.
        RulesError: If the rules cannot be had, or are not for so many players.
        EncodingError: If the rules have no encoding of this form.
        ObservationError: If the form of the observations or the length is none.
    """

    def __init__(
        self,
        rules: Ruleset | str | os.PathLike[str],
        players: int | None,
        *,
        form: Form = "stepwise",
        observation: Observation = "markov",
        length: int = LENGTH,
        fields: Collection[str] | None = None,
        normalized: bool = False,
        until: Until = "match",
        rewards: Rewards = "round",
        scale: float | None = None,
    ) -> None:
        self.stakes = Stakes(until, rewards, scale)
        if self.stakes.wrong:
            raise EnvError(self.stakes.wrong)
        found = rules_of(rules)
        number = fewest_players(found) if players is None else players
        self.encoding: Encoding = encoding(found, number, form)
        # Equal rules may have been there first, and to compare them takes long.
        self._rules = self.encoding.rules
        self.spec: ObservationSpec = observation_spec(
            self._rules, number, observation, length, fields, normalized=normalized
        )
        self.names = tuple([f"player_{seat}" for seat in range(number)])
        self._total: BySeat = ()
        self._at: State | Selection | None = None

    @property
    def state(self) -> State:
        """
        The state of the game, with all that is hidden.

        Raises:
            EnvError: If no game has begun.
        """
        at = self._at
        if at is None:
            msg = "no game has begun: call reset first"
            raise EnvError(msg)
        return at if isinstance(at, State) else at.state

    @property
    def selection(self) -> Selection | None:
        """
        The action that is being chosen; None if the game is over or has not begun.
        """
        return self._at if isinstance(self._at, Selection) else None

    @property
    def is_over(self) -> bool:
        """
        Whether the game is over.
        """
        return isinstance(self._at, State)

    @property
    def seat(self) -> int:
        """
        The seat that has to choose; -1 for none.
        """
        return self._at.seat if isinstance(self._at, Selection) else -1

    def begin(self, seed: int | str) -> None:
        """
        Deal a new game.

        Args:
            seed: The seed of its deals, as for `new_game`.
        """
        self._go_on(begin(self._rules, self.names, seed=seed))
        self._total = (0.0,) * len(self.names)

    def choose(self, index: Any) -> BySeat:
        """
        Choose an index for the seat that has to choose.

        Args:
            index: The index.

        Returns:
            By seat, the rewards; empty if there are none.

        Raises:
            EncodingError: If it may not be chosen; then nothing has changed.
        """
        selection = self.selection
        if selection is None:
            # The state says that no game has begun.
            over = f"the game of {self.state.rules.name} is over: call reset"
            raise EnvError(over)
        found = self.encoding.decode(index, selection)
        if isinstance(found, Selection):
            self._at = found
            return ()
        return self._do(found, None)

    def act(self, action: Action | str) -> BySeat:
        """
        Do an action of the seat that has to choose, whatever it has chosen so far.

        Args:
            action: The action.

        Returns:
            As for `choose`.

        Raises:
            IllegalAction: If it is refused.
            ParseError: If it is a text that is no action.
        """
        return self._do(action, self.seat)

    def _do(self, action: Action | str, seat: int | None) -> BySeat:
        states = self._go_on(apply(self.state, action, seat))
        rewards: BySeat = ()
        for before, after in itertools.pairwise(states):
            gained, self._total = self.stakes.pay(before, after, self._total)
            rewards = added(rewards, gained)
        return rewards

    def _go_on(self, state: State) -> list[State]:
        """
        Go on to a state, and to what has to be chosen next or to the end.

        Returns:
            The state in which it stood, if any, and those to which it has come.
        """
        states = [] if self._at is None else [self.state]
        states.append(state)
        while not self.stakes.is_over(state):
            if state.phase != "deal":
                self._at = self.encoding.begin(state, next_to_decide(state))
                return states
            state = deal(state)
            states.append(state)
        self._at = state
        return states


def fewest_players(rules: Ruleset) -> int:
    """
    The smallest number of players of some rules.
    """
    low, high = rules.match.players
    numbers = range(low, high + 1)
    return next(
        (one for one in numbers if refuse_number_of_players(rules, one) is None), low
    )


def refuse_word(name: str, given: object, known: tuple[str, ...]) -> None:
    """
    Refuse an argument that is none of several words.

    Raises:
        EnvError: If it is none of them.
    """
    if not isinstance(given, str) or given not in known:
        msg = f"{name} cannot be {shown(given)}{nearest(given, known)}"
        raise EnvError(msg)
