"""
A game as an environment of Gymnasium: one seat learns, bots have the others.

It needs the extra ``gymnasium``. When it is imported, each preset is registered as
``rummyvariants/NAME-v1``.
"""

from __future__ import annotations

import os
import random

from collections.abc import Iterator, Sequence
from typing import Any, Final, SupportsFloat, Unpack

from rummyvariants import view
from rummyvariants.bots.base import Bot, sources_of
from rummyvariants.bots.names import bot, checked
from rummyvariants.envs._extras import extra
from rummyvariants.envs._table import EnvError, fewest_players
from rummyvariants.errors import Seat, seat_number, shown
from rummyvariants.game._engine.beginning import player_names
from rummyvariants.learning.encodings import EncodingError
from rummyvariants.learning.rewards import is_finite
from rummyvariants.rules import Ruleset, presets
from rummyvariants.rules._files import rules_of


with extra("gymnasium"):
    import gymnasium
    import numpy as np

    from numpy.typing import NDArray

    from rummyvariants.envs._shared import AtTable, Index, Observed, Options


NO_MASK: Final = (
    "choose by the mask, or give illegal=REWARD, such as -1, for such an index to "
    "change nothing"
)
"""What to do if an index is masked out."""


class RummyEnv(AtTable, gymnasium.Env[Observed, Index]):
    """
    A game that one seat learns; `rummyvariants.envs.gym_env` describes it.
    """

    def __init__(
        self,
        rules: Ruleset | str | os.PathLike[str],
        players: int | None = None,
        *,
        opponents: Sequence[Bot | str] | Bot | str = "greedy",
        seat: Seat = 0,
        illegal: float | None = None,
        **options: Unpack[Options],
    ) -> None:
        if illegal is not None and not is_finite(illegal):
            msg = f"illegal cannot be {shown(illegal)}: give a number, or None"
            raise EnvError(msg)
        bots = [*_bots(opponents)]
        found = rules_of(rules)
        if players is None:
            players = max(fewest_players(found), len(bots) + 1)
        super().__init__(found, players, **options)
        if len(bots) == 1:
            bots *= players - 1
        if len(bots) != players - 1:
            msg = (
                f"{len(bots)} bots cannot have {players - 1} seats: name one for each "
                "seat, or one for all"
            )
            raise EnvError(msg)
        seat = seat_number(seat, player_names(players), EnvError)
        others = [at for at in range(players) if at != seat]
        self._bots = dict(zip(others, bots, strict=True))
        self._seat = seat
        self._sources: tuple[random.Random, ...] = ()
        self._illegal = illegal
        self._before = 0.0  # the reward for rounds before the first step
        self.action_space = self._indices()
        self.observation_space = self._observations()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """
        Deal a new game, and let the bots before the seat play.

        A game that is over before the seat has to choose is skipped, as if `reset` were
        called again without a seed.

        Args:
            seed: A whole number from 0. The game is the one that
                `rummyvariants.new_game` deals with it, and it decides the seeds of the
                games after that.
            options: Has no meaning.

        Returns:
            The observation with the mask, and a dictionary, which is empty unless
            rounds were over before the seat had to choose. With ``skipped`` it has the
            games that were over, a dictionary for each: its ``seed``, the ``result`` of
            its last round, as in `rummyvariants.State`, and the ``reward`` of the seat,
            which no step brings. With ``rounds`` it has the number of rounds of this
            match that were over, and with ``reward`` what they brought the seat, which
            is part of the reward of the first step.
        """
        super().reset(seed=seed, options=options)
        number = int(self.np_random.integers(1 << 60)) if seed is None else int(seed)
        self._steps = 0
        skipped: list[dict[str, Any]] = []
        while True:
            self._table.begin(number)
            self._sources = sources_of(number, len(self._bots) + 1)
            self._before = self._let_bots_play()
            if not self._table.is_over:
                break
            result = self._table.state.result
            skipped.append({"seed": number, "result": result, "reward": self._before})
            number = int(self.np_random.integers(1 << 60))
        info: dict[str, Any] = {"skipped": tuple(skipped)} if skipped else {}
        rounds = self._table.state.round_number - 1
        if rounds:
            info |= {"rounds": rounds, "reward": self._before}
        self._show()
        return self._observed(self._seat), info

    def step(
        self, action: int | Index
    ) -> tuple[Observed, SupportsFloat, bool, bool, dict[str, Any]]:
        """
        Choose an index, and let the bots play until the seat has to choose again.

        Args:
            action: The index.

        Returns:
            The observation with the mask, the reward, whether the game is over, whether
            it was truncated, and a dictionary: with ``illegal``, the reason, if the
            index is masked out and that is no error, otherwise empty.

        Raises:
            EncodingError: If the index is masked out, unless there is a reward for it;
                then nothing has changed.
            EnvError: If no game has begun, or it is over.
        """
        info: dict[str, Any] = {}
        try:
            gained = self._table.choose(action)
        except EncodingError as error:
            if self._illegal is None:
                error.add_note(NO_MASK)
                raise
            info["illegal"] = str(error)
            reward = float(self._illegal)
        else:
            reward = gained[self._seat] if gained else 0.0
            reward += self._before + self._let_bots_play()
            self._before = 0.0
        self._steps += 1
        over = self._table.is_over
        truncated = not over and self._is_truncated
        self._show()
        return self._observed(self._seat), reward, over, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """
        Which indices may be chosen, as libraries with masked policies ask for it.

        Raises:
            EnvError: If no game has begun.
        """
        mask = self._observed(self._seat)["action_mask"]
        return np.asarray(mask, np.bool_)

    def _let_bots_play(self) -> float:
        """
        Let the bots play until the seat has to choose; return its rewards.
        """
        table, reward = self._table, 0.0
        while not table.is_over and table.seat != self._seat:
            at = table.seat
            seen, source = view(table.state, at), self._sources[at]
            gained = table.act(self._bots[at].choose(seen, source))
            reward += gained[self._seat] if gained else 0.0
        return reward


def _bots(given: Sequence[Bot | str] | Bot | str) -> Iterator[Bot]:
    """
    Bots that are given by their names or as they are, several or one.

    Raises:
        BotError: If there is no such bot.
    """
    if isinstance(given, str):
        yield bot(given)
    elif isinstance(given, Sequence):
        for one in given:
            yield from _bots(one)
    else:
        yield checked(given)


VERSION: Final = 1
"""The version in the ids; it moves when an environment plays differently."""


for _name in presets():
    gymnasium.register(
        f"rummyvariants/{_name}-v{VERSION}",
        f"{__name__}:{RummyEnv.__name__}",
        kwargs={"rules": _name},
        vector_entry_point="rummyvariants.envs.vectors:RummyVectorEnv",
    )
