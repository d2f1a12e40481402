"""
A game as an environment of PettingZoo: each player is an agent.

It needs the extra ``pettingzoo``. By the custom of PettingZoo, `env` makes the
environment in the wrapper that enforces the order of calls, `raw_env` without it, and
`parallel_env` as one in which all agents step together.
"""

from __future__ import annotations

import operator
import os
import random

from typing import Any, Unpack

from rummyvariants.envs._extras import extra
from rummyvariants.envs._table import EnvError
from rummyvariants.errors import shown
from rummyvariants.rules import Ruleset


with extra("pettingzoo"):
    import pettingzoo

    from gymnasium import spaces
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    from rummyvariants.envs._shared import AtTable, Index, Observed, Options


class RawEnv(AtTable, pettingzoo.AECEnv[str, Observed, Index]):
    """
    A game whose players are agents; `rummyvariants.envs.aec_env` describes it.
    """

    metadata = {  # noqa: RUF012 -- PettingZoo declares it so
        **AtTable.metadata,
        "name": "rummyvariants_v1",
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Ruleset | str | os.PathLike[str],
        players: int | None = None,
        **options: Unpack[Options],
    ) -> None:
        super().__init__(rules, players, **options)
        self._chance = random.Random()
        names = self._table.names
        self._seats = {name: seat for seat, name in enumerate(names)}
        self.possible_agents = [*names]
        self._spaces = {name: (self._observations(), self._indices()) for name in names}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> None:
        """
        Deal a new game.

        Args:
            seed: A whole number. The game is the one that `rummyvariants.new_game`
                deals with it, and it decides the seeds of the games after that. By
                default the seed follows from the one before.
            options: Has no meaning.

        Raises:
            EnvError: If the seed is no whole number.
        """
        del options
        if seed is not None:
            seed = _whole(seed)
            self._chance = random.Random(seed)
        self._table.begin(self._chance.randrange(1 << 60) if seed is None else seed)
        self._steps = 0
        agents = [*self.possible_agents]
        self.agents = agents
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos = {agent: {} for agent in agents}
        self._skip_agent_selection = None  # type: ignore[assignment]
        self.agent_selection = agents[self._table.seat]
        self._show()

    def step(self, action: int | Index | None) -> None:
        """
        Choose an index for the agent that is selected.

        Args:
            action: The index; None if the agent's game is over.

        Raises:
            EncodingError: If the index may not be chosen; then nothing has changed.
            EnvError: If no game has begun.
            ValueError: If the agent's game is over and this is not None.
        """
        if not self._table.is_over and not self._is_truncated:
            self._choose(action)
            self._show()
        elif self.agents:
            self._was_dead_step(action)  # type: ignore[arg-type]

    def _choose(self, index: Any) -> None:
        gained = self._table.choose(index)
        self._steps += 1
        agents = self.agents
        self._cumulative_rewards[self.agent_selection] = 0.0
        gained = gained or (0.0,) * len(agents)
        self.rewards = dict(zip(agents, gained, strict=True))
        self._accumulate_rewards()
        if self._table.is_over:
            self.terminations = dict.fromkeys(agents, True)
            self._deads_step_first()
        else:
            self.agent_selection = agents[self._table.seat]
            if self._is_truncated:
                self.truncations = dict.fromkeys(agents, True)
                self._deads_step_first()

    def observe(self, agent: str) -> Observed:
        """
        What an agent knows, as ``observation``, with ``action_mask``.

        Args:
            agent: The agent. All indices are masked out unless it has to choose.

        Raises:
            EnvError: If there is no such agent, or no game has begun.
        """
        return self._observed(self._seat(agent))

    def observation_space(self, agent: str) -> spaces.Dict:
        """
        The observations of an agent.

        Raises:
            EnvError: If there is no such agent.
        """
        self._seat(agent)
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Discrete:
        """
        The indices of an agent's actions.

        Raises:
            EnvError: If there is no such agent.
        """
        self._seat(agent)
        return self._spaces[agent][1]

    def close(self) -> None:
        """
        Nothing has to be closed.
        """

    def _seat(self, agent: object) -> int:
        found = self._seats.get(agent) if isinstance(agent, str) else None
        if found is None:
            last = self.possible_agents[-1]
            msg = f"there is no agent {shown(agent)}: agents are player_0 to {last}"
            raise EnvError(msg)
        return found


def _whole(seed: object) -> int:
    """
    A seed of any type of whole numbers.
    """
    try:
        found = operator.index(seed)  # type: ignore[arg-type]
    except TypeError:
        found = None
    if found is None or isinstance(seed, bool):
        msg = f"{shown(seed)} is no seed: give a whole number"
        raise EnvError(msg)
    return found


def raw_env(*args: Any, **options: Any) -> RawEnv:
    """
    An environment without wrappers. Arguments and errors are those of `RawEnv`.
    """
    return RawEnv(*args, **options)


def env(*args: Any, **options: Any) -> OrderEnforcingWrapper[str, Observed, Index]:
    """
    An environment as it is used. Arguments and errors are those of `RawEnv`.
    """
    return OrderEnforcingWrapper(raw_env(*args, **options))


def parallel_env(
    *args: Any, **options: Any
) -> pettingzoo.ParallelEnv[str, Observed, Index | None]:
    """
    An environment in which all agents choose in each step.

    Only the choice of the agent counts that has to choose; the masks of the others
    allow nothing. ``active_agent`` in the dictionary of each agent says who is next.

    Arguments and errors are those of `RawEnv`.
    """
    return turn_based_aec_to_parallel(env(*args, **options))  # type: ignore[arg-type]
