"""
Many games as one environment of Gymnasium, in this process or in several.

It needs the extra ``gymnasium``. `gymnasium.make_vec` makes it from the ids of the
presets, once `rummyvariants.envs.gymnasium` is imported.
"""

from __future__ import annotations

import os

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Unpack

from rummyvariants.bots.base import Bot
from rummyvariants.envs._extras import extra
from rummyvariants.envs._table import EnvError
from rummyvariants.errors import Seat, shown
from rummyvariants.learning._flat import Offered
from rummyvariants.learning.encodings import Encoding, EncodingError
from rummyvariants.learning.observations import ObservationSpec
from rummyvariants.learning.rewards import MAX_STEPS
from rummyvariants.policies.base import is_whole
from rummyvariants.rules import Ruleset


with extra("gymnasium"):
    import numpy as np

    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

    from rummyvariants.envs._batches import Here, Plan, Stepped, There, shared
    from rummyvariants.envs._shared import Observed, Options
    from rummyvariants.envs.gymnasium import NO_MASK, RummyEnv


class RummyVectorEnv(VectorEnv[Observed, Any, Any]):
    """
    Games side by side; `rummyvariants.envs.vector_env` describes it.
    """

    metadata = {  # noqa: RUF012 -- Gymnasium declares it so
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        rules: Ruleset | str | os.PathLike[str],
        players: int | None = None,
        num_envs: int = 1,
        *,
        opponents: Sequence[Bot | str] | Bot | str | None = "greedy",
        seat: Seat = 0,
        illegal: float | None = None,
        processes: int | None = None,
        **options: Unpack[Options],
    ) -> None:
        for name, given, most in (
            ("num_envs", num_envs, None),
            ("processes", 1 if processes is None else processes, num_envs),
        ):
            if not (is_whole(given, 1) and given <= (most or given)):
                upto = f" to {most}, the number of games" if most else ""
                msg = f"{name} cannot be {shown(given)}: give a whole number from 1"
                raise EnvError(msg + upto)
        if options.get("render_mode") is not None:
            msg = "many games are not rendered: leave out render_mode"
            raise EnvError(msg)
        one = RummyEnv(
            rules,
            players,
            opponents="random" if opponents is None else opponents,
            seat=seat,
            illegal=illegal,
            **options,
        )
        self._parts: list[tuple[slice, Here | There]] = []
        self.num_envs = num_envs
        self.single_observation_space = one.observation_space
        self.single_action_space = one.action_space
        self.observation_space = batch_space(one.observation_space, num_envs)
        self.action_space = batch_space(one.action_space, num_envs)
        self.encoding: Encoding = one.encoding
        self.observation_spec: ObservationSpec = one.observation_spec
        self.utilities: tuple[float, float] | None = one.utilities
        self._illegal = illegal
        self._learner = None if opponents is None else one._seat
        self._seats: tuple[int, ...] = ()
        kept = {
            name: value
            for name, value in options.items()
            if name not in {"max_steps", "render_mode"}
        }
        plan = Plan(
            one.encoding.rules,
            one.encoding.players,
            {} if opponents is None else one._bots,
            one._seat,
            options.get("max_steps", MAX_STEPS),
            kept,
        )
        self._open(plan, processes)

    def _open(self, plan: Plan, processes: int | None) -> None:
        """
        Divide the games among processes.
        """
        number = self.num_envs
        spaces = self.observation_space.spaces  # type: ignore[attr-defined]
        arrays = [
            shared(str(spaces[name].dtype), spaces[name].shape)
            for name in ("observation", "action_mask")
        ]
        self._vectors, self._masks = (one.array for one in arrays)
        edges = [part * number // (processes or 1) for part in range(processes or 1)]
        for first, end in pairwise([*edges, number]):
            rows = slice(first, end)
            seen, masks = (one.at(rows) for one in arrays)
            make: Callable[..., Here | There] = There if processes else Here
            self._parts.append((rows, make(plan, end - first, first, seen, masks)))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """
        Deal new games.

        Args:
            seed: A whole number from 0. The games of place ``i`` are those that
                `rummyvariants.new_game` deals with the seeds ``"SEED/i/0"``,
                ``"SEED/i/1"`` and so on, in however many processes.
            options: Has no meaning.

        Returns:
            The observations with the masks, and what there is to say, by the custom of
            Gymnasium as a dictionary of arrays; as for
            `rummyvariants.envs.gymnasium.RummyEnv.reset`.

        Raises:
            EnvError: If there is an error in another process.
        """
        super().reset(seed=seed, options=options)
        number = int(self.np_random.integers(1 << 60)) if seed is None else int(seed)
        found = self._called("reset", [number] * len(self._parts))
        return self._observed(), self._told(found)

    def step(self, actions: Any) -> tuple[Observed, Any, Any, Any, dict[str, Any]]:
        """
        Choose an index in each game, and let bots play until a learner has to choose.

        Args:
            actions: An index for each game.

        Returns:
            The observations with the masks, the rewards, which games are over, which
            were truncated, and what there is to say. Where a game has ended, the
            observation is that of the next one, and ``final_obs`` has the last one.

        Raises:
            EncodingError: If an index is masked out, unless there is a reward for it;
                then no game has changed.
            EnvError: If no game has begun, an argument is none, or there is an error in
                another process. After an error of a bot or a function, call `reset`.
        """
        if not self._seats:
            msg = "no game has begun: call reset first"
            raise EnvError(msg)
        actors = self._seats if self._learner is None else self._learner
        indices, refused = self._checked(actions)
        given = [indices[rows].tolist() for rows, _ in self._parts]
        found = self._called("step", given)
        infos = self._told(found)
        gained = np.concatenate([one.rewards for one in found])
        rewards = gained[np.arange(self.num_envs), actors]
        if self._learner is None:
            infos |= {"rewards": gained, "_rewards": np.ones(self.num_envs, np.bool_)}
        for place, why in refused.items():
            rewards[place] = self._illegal
            infos = self._add_info(infos, {"illegal": why}, place)
        terminated = np.concatenate([one.terminated for one in found])
        truncated = np.concatenate([one.truncated for one in found])
        return self._observed(), rewards, terminated, truncated, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """
        Which indices may be chosen in each game.
        """
        return np.asarray(self._masks, np.bool_)

    def close_extras(self, **kwargs: Any) -> None:
        """
        End the other processes.
        """
        del kwargs
        for _, part in self._parts:
            part.close()
        self._parts = []

    def _observed(self) -> Observed:
        return {"observation": self._vectors.copy(), "action_mask": self._masks.copy()}

    def _called(self, name: str, given: Sequence[Any]) -> list[Stepped]:
        """
        What the batches return for a call; all of them answer before an error is told.
        """
        if self.closed:
            msg = "the environment is closed"
            raise EnvError(msg)
        self._seats = ()  # after an error, games have to begin anew
        for (_, part), one in zip(self._parts, given, strict=True):
            part.send(name, one)
        found, errors = [], []
        for _, part in self._parts:
            try:
                found.append(part.receive())
            except EnvError as error:
                errors.append(error)
        if errors:
            raise errors[0]
        self._seats = tuple([seat for one in found for seat in one.seats])
        return found

    def _told(self, found: Sequence[Stepped]) -> dict[str, Any]:
        """
        What there is to say, as Gymnasium has it.
        """
        infos: dict[str, Any] = {}
        for (rows, _), one in zip(self._parts, found, strict=True):
            for place, info in sorted(one.infos.items()):
                infos = self._add_info(infos, info, rows.start + place)
        if self._learner is None:
            every = np.ones(self.num_envs, np.bool_)
            infos |= {"seat": np.array(self._seats), "_seat": every}
        return infos

    def _checked(self, actions: Any) -> tuple[NDArray[Any], dict[int, str]]:
        """
        The indices, with -1 for those that are masked out, and why these are refused.
        """
        given = np.array(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            msg = (
                f"{shown(actions)} cannot be chosen: give one index for each of "
                f"{self.num_envs} games"
            )
            raise EnvError(msg)
        within = (given >= 0) & (given < self.encoding.size)
        allowed = within & self._masks[np.arange(self.num_envs), given * within] > 0
        refused: dict[int, str] = {}
        for place in np.flatnonzero(~allowed).tolist():
            legal = dict.fromkeys(np.flatnonzero(self._masks[place]).tolist(), ())
            seat, asked = self._seats[place], Offered(legal)
            why = self.encoding._refusal(int(given[place]), asked, seat)
            refused[place] = why
            if self._illegal is None:
                error = EncodingError(f"game {place}: {why}")
                error.add_note(NO_MASK)
                raise error
        return np.where(allowed, given, -1), refused
