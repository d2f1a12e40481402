"""
A number of games with bots at their tables, stepped together, here or in a process.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import pickle
import random
import traceback

from collections.abc import Collection, Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Any, Final

import attrs
import numpy as np

from rummyvariants import view
from rummyvariants.bots.base import Bot, sources_of
from rummyvariants.envs._table import EnvError
from rummyvariants.game._state import freeze, thaw
from rummyvariants.learning._steps import Game
from rummyvariants.rules import Ruleset
from rummyvariants.simulation.processes import ready
from rummyvariants.vector import Games


_SPAWN: Final = multiprocessing.get_context("spawn")
"""Forks of a process with threads, such as those of a network, may hang."""
_GRACE: Final = 2.0
"""How many seconds a process has to end."""

Info = dict[str, Any]


@attrs.frozen
class Plan:
    """
    What a batch is made from.

    Attributes:
        rules: The rules.
        players: The number of players.
        bots: The bots by their seats; empty if a learner has all seats.
        seat: The seat that learns, if there are bots.
        most: After how many steps of a learner a game is truncated; None for never.
        options: Those of `rummyvariants.vector.Games`.
    """

    rules: Ruleset
    players: int
    bots: dict[int, Bot]
    seat: int
    most: int | None
    options: Mapping[str, Any]

    def games(self, number: int) -> Games:
        """
        So many games.
        """
        # What is a step here is decided here.
        return Games(self.rules, self.players, number, max_steps=None, **self.options)


@attrs.frozen
class Stepped:
    """
    What a step has brought, by place.

    Attributes:
        seats: The seats that have to choose.
        rewards: The rewards of all seats.
        terminated: Whether the game is over, and another has begun.
        truncated: Whether it was cut short, and another has begun.
        infos: What else there is to say, by place.
    """

    seats: tuple[int, ...]
    rewards: Any
    terminated: Any
    truncated: Any
    infos: dict[int, Info]


class Batch:
    """
    Games whose bots play until a learner has to choose.

    Args:
        plan: What they are made from.
        number: How many games there are.
        first: How many games are in other batches before.
        seen: Where observations are written.
        masks: Where masks are written.
    """

    def __init__(
        self, plan: Plan, number: int, first: int, seen: Shared, masks: Shared
    ) -> None:
        self._plan = plan
        self._games = plan.games(number)
        self._first = first
        self._seen, self._masks = seen.array, masks.array
        self._steps = np.zeros(number, int)
        # The rewards for rounds before the first step.
        self._before = np.zeros((number, plan.players))
        self._sources: dict[int, tuple[str, tuple[random.Random, ...]]] = {}

    def reset(self, seed: int) -> Stepped:
        """
        Begin all games anew, from a seed.
        """
        games, infos = self._games, dict[int, Info]()
        games._begin_all(seed, self._first)
        for place in range(games.number):
            self._begin(place, infos)
        return self._seen_after(np.zeros((games.number, self._plan.players)), infos)

    def step(self, indices: Sequence[int]) -> Stepped:
        """
        Choose an index in each game, and let bots play until a learner has to choose.

        Args:
            indices: The indices; -1 for nothing to be done.
        """
        games, plan, actors = self._games, self._plan, self._games.seats
        gained = np.zeros((games.number, plan.players))
        for place, rewards in games._advance(indices).items():
            gained[place] = rewards
        over = dict(games._last)
        for place, index in enumerate(indices):
            if index < 0:
                continue
            gained[place] += self._before[place]
            self._before[place] = 0
            ended = None if place in over else self._let_bots_play(place, gained[place])
            if ended is not None:
                over[place] = ended
        self._steps += 1
        most = plan.most or math.inf
        late = np.flatnonzero(self._steps >= most).tolist()
        cut = [place for place in late if place not in over]
        if cut:
            games.observe(self._seen, self._masks)
        infos: dict[int, Info] = {}
        for place in cut:
            last = (self._seen[place].copy(), self._masks[place].copy())
            infos[place] = _final(*last)
            games._begin_next(place)
        for place, game in over.items():
            # Nobody has to choose: what is seen is seen by who learns, or acted last.
            seat = plan.seat if plan.bots else actors[place]
            vector = games.spec.vector(freeze(thaw(game.draft)), seat)
            infos[place] = _final(vector, np.zeros(games.encoding.size, np.int8))
        for place in infos:
            self._begin(place, infos)
        return self._seen_after(gained, infos, over, cut)

    def _seen_after(
        self,
        gained: Any,
        infos: dict[int, Info],
        over: Collection[int] = (),
        cut: Collection[int] = (),
    ) -> Stepped:
        """
        Write what is seen now, and tell the rest.
        """
        games = self._games
        games.observe(self._seen, self._masks)
        terminated, truncated = np.zeros((2, games.number), np.bool_)
        terminated[[*over]] = True
        truncated[[*cut]] = True
        return Stepped(games.seats, gained, terminated, truncated, infos)

    def _begin(self, place: int, infos: dict[int, Info]) -> None:
        """
        Let the bots of a game that has begun play, and tell what was over by that.

        A game that is over before the learner has to choose is skipped.
        """
        games, seat = self._games, self._plan.seat
        skipped: list[Info] = []
        self._steps[place] = 0
        while True:
            gained = np.zeros(self._plan.players)
            ended = self._let_bots_play(place, gained)
            if ended is None:
                break
            seed = games._seed_of(place, ended.number)
            result, reward = ended.draft.result, float(gained[seat])
            skipped.append({"seed": seed, "result": result, "reward": reward})
        self._before[place] = gained
        rounds = games._games[place].draft.match.round_number - 1
        info: Info = {"skipped": tuple(skipped)} if skipped else {}
        if rounds:
            info |= {"rounds": rounds, "reward": float(gained[seat])}
        if info:
            infos[place] = infos.get(place, {}) | info

    def _let_bots_play(self, place: int, gained: Any) -> Game | None:
        """
        Let bots play until a learner has to choose, or the game is over.

        Args:
            place: The place of the game.
            gained: To what their rewards are added, by seat.

        Returns:
            The game if it is over; another has begun then.
        """
        games, bots = self._games, self._plan.bots
        while True:
            game = games._games[place]
            chooser = bots.get(game.seat)
            if chooser is None:
                return None
            seen = view(freeze(thaw(game.draft)), game.seat)
            source = self._sources_of(place, game.number)[game.seat]
            after = games._act(place, chooser.choose(seen, source))
            if after.gained:
                gained += after.gained
            if after.is_over:
                return after

    def _sources_of(self, place: int, number: int) -> tuple[random.Random, ...]:
        """
        The bots' sources of chance in a game.
        """
        seed = self._games._seed_of(place, number)
        known, found = self._sources.get(place, ("", ()))
        if known != seed:
            found = sources_of(seed, self._plan.players)
            self._sources[place] = seed, found
        return found


def _final(vector: Any, mask: Any) -> Info:
    """
    What is told of a game that has ended, by the custom of Gymnasium.
    """
    return {
        "final_obs": {"observation": vector, "action_mask": mask},
        "final_info": {},
    }


class Here:
    """
    A batch in this process. Its parameters are those of `Batch`.
    """

    def __init__(
        self, plan: Plan, number: int, first: int, seen: Shared, masks: Shared
    ) -> None:
        self._batch = Batch(plan, number, first, seen, masks)
        self._done: Stepped | None = None

    def send(self, name: str, given: Any) -> None:
        """
        Call a method of the batch.
        """
        self._done = getattr(self._batch, name)(given)

    def receive(self) -> Any:
        """
        What the call returned.
        """
        return self._done

    def close(self) -> None:
        """
        Nothing has to be closed.
        """


class There:
    """
    A batch in another process, which ends with this one.

    Args:
        plan: As for `Batch`.
        number: As for `Batch`.
        first: As for `Batch`.
        seen: As for `Batch`.
        masks: As for `Batch`.

    Raises:
        EnvError: If the plan cannot be sent there.
    """

    def __init__(
        self, plan: Plan, number: int, first: int, seen: Shared, masks: Shared
    ) -> None:
        self._calls = 0
        self._pipe, end = _SPAWN.Pipe()
        self._process = _SPAWN.Process(
            target=_serve,
            args=(end, plan, number, first, seen, masks),
            name=f"rummyvariants games from {first}",
            daemon=True,
        )
        try:
            self._process.start()
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            msg = (
                "games cannot be played in other processes unless their bots, rules "
                f"and functions can be imported there: {error}"
            )
            raise EnvError(msg) from None
        end.close()

    def send(self, name: str, given: Any) -> None:
        """
        Call a method of the batch.
        """
        self._calls += 1
        with contextlib.suppress(OSError):  # `receive` says so
            self._pipe.send((self._calls, name, given))

    def receive(self) -> Any:
        """
        What the call returned.

        Raises:
            EnvError: If there was an error, or the process has ended.
        """
        call = 0
        try:
            while call != self._calls:  # others were interrupted before their answer
                call, found, error = self._pipe.recv()
        except (EOFError, OSError):
            msg = (
                "a process with games has ended; a script that uses processes needs "
                "`if __name__ == '__main__':`"
            )
            raise EnvError(msg) from None
        if error:
            msg = f"in a process with games:\n{error}"
            raise EnvError(msg)
        return found

    def close(self) -> None:
        """
        End the process.
        """
        self._pipe.close()
        self._process.join(_GRACE)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join()


def _serve(
    pipe: Connection, plan: Plan, number: int, first: int, seen: Shared, masks: Shared
) -> None:
    """
    Call methods of a batch until nobody asks any more.
    """
    ready()
    batch: Batch | None = None
    with contextlib.suppress(EOFError, OSError):
        while True:
            call, name, given = pipe.recv()
            try:
                if batch is None:
                    batch = Batch(plan, number, first, seen, masks)
                found, error = getattr(batch, name)(given), ""
            except Exception:  # noqa: BLE001 -- it is told in the other process
                found, error = None, traceback.format_exc()
            pipe.send((call, found, error))


@attrs.frozen(eq=False)
class Shared:
    """
    Rows of an array in memory that processes share.

    Attributes:
        memory: The memory, with the rows before and after.
        dtype: The type of the numbers.
        shape: The shape of all rows.
        rows: Which ones are meant.
    """

    memory: Any
    dtype: str
    shape: tuple[int, ...]
    rows: slice

    def at(self, rows: slice) -> Shared:
        """
        Some of the rows.
        """
        return attrs.evolve(self, rows=rows)

    @property
    def array(self) -> Any:
        """
        The rows as an array.
        """
        whole = np.frombuffer(self.memory, self.dtype).reshape(self.shape)
        return whole[self.rows]


def shared(dtype: str, shape: tuple[int, ...]) -> Shared:
    """
    A new array in memory that processes share.
    """
    size = np.dtype(dtype).itemsize * math.prod(shape)
    return Shared(_SPAWN.RawArray("b", size), dtype, shape, slice(None))
