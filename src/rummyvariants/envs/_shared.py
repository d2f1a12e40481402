"""
What the environments of PettingZoo and Gymnasium have in common.
"""

from __future__ import annotations

import os
import sys

from collections.abc import Collection
from typing import Any, Literal, TypedDict, get_args

import attrs
import gymnasium
import numpy as np

from gymnasium import spaces

from rummyvariants import State, svg, view
from rummyvariants.envs._table import EnvError, Table, refuse_word
from rummyvariants.learning.encodings import Encoding, Form
from rummyvariants.learning.observations import Form as Observation
from rummyvariants.learning.observations import ObservationSpec
from rummyvariants.learning.rewards import MAX_STEPS, Rewards, Until, no_limit
from rummyvariants.rules import Ruleset


Observed = dict[str, Any]
"""An observation and a mask, as ``observation`` and ``action_mask``."""
Index = np.int64
"""The type of the indices that a space gives."""
Mode = Literal["human", "ansi", "svg"]


class Options(TypedDict, total=False):
    """
    The options of every environment; `rummyvariants.envs.aec_env` describes them.
    """

    form: Form
    observation: Observation
    length: int
    fields: Collection[str] | None
    normalized: bool
    until: Until
    rewards: Rewards
    scale: float | None
    max_steps: int | None
    render_mode: Mode | None


class AtTable:
    """
    A game in play at a table, and what an environment shows of it.

    Arguments and errors are those of `rummyvariants.envs.aec_env`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 -- both libraries declare it so
        "render_modes": [*get_args(Mode)],
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: Ruleset | str | os.PathLike[str],
        players: int | None,
        *,
        max_steps: int | None = MAX_STEPS,
        render_mode: Mode | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        if no_limit(max_steps):
            raise EnvError(no_limit(max_steps))
        if render_mode is not None:
            refuse_word("render_mode", render_mode, get_args(Mode))
        self._table = Table(rules, players, **options)
        self.render_mode: str | None = render_mode
        self._most = max_steps
        self._steps = 0

    @property
    def encoding(self) -> Encoding:
        """
        The actions as numbers.
        """
        return self._table.encoding

    @property
    def observation_spec(self) -> ObservationSpec:
        """
        What the vector ``observation`` consists of.
        """
        return self._table.spec

    @property
    def utilities(self) -> tuple[float, float] | None:
        """
        The least and the most that an agent may receive in a game; None for no bounds.
        """
        return self._table.stakes.utilities

    @property
    def game(self) -> State:
        """
        The state of the game, with all that is hidden from players.

        Raises:
            EnvError: If no game has begun.
        """
        return self._table.state

    def render(self) -> str | None:
        """
        The game with all hands, as the mode says; None if it was printed.

        Raises:
            EnvError: If no game has begun.
        """
        if self.render_mode is None:
            gymnasium.logger.warn("nothing is rendered: no render_mode was given")
            return None
        if self.render_mode == "svg":
            state = self.game
            return svg.view(attrs.evolve(view(state), known=state.hands))
        lines = _text(self._table)
        if self.render_mode == "ansi":
            return lines
        sys.stdout.write(f"{lines}\n")
        sys.stdout.flush()
        return None

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    @property
    def _is_truncated(self) -> bool:
        return self._most is not None and self._steps >= self._most

    def _indices(self) -> spaces.Discrete:
        """
        The indices of the actions.
        """
        return spaces.Discrete(self.encoding.size)

    def _observations(self) -> spaces.Dict:
        """
        The observations, each with the mask of the indices that may be chosen.
        """
        spec = self.observation_spec
        measures = [one for field in spec.fields for one in field.measures]
        low = np.array([one.low for one in measures], spec.dtype)
        high = np.array([one.high for one in measures], spec.dtype)
        return spaces.Dict(
            {
                "observation": spaces.Box(low, high, dtype=low.dtype.type),
                "action_mask": spaces.Box(0, 1, (self.encoding.size,), np.int8),
            }
        )

    def _observed(self, seat: int) -> Observed:
        """
        What a seat observes; it may choose nothing while another seat has to.
        """
        table, selection = self._table, self._table.selection
        if selection is None or selection.seat != seat:
            vector = table.spec.vector(table.state, seat)
            mask = np.zeros(table.encoding.size, np.int8)
        else:
            vector = table.spec.vector(selection)
            mask = np.frombuffer(table.encoding.mask(selection), np.int8).copy()
        return {"observation": vector, "action_mask": mask}


def _text(table: Table) -> str:
    """
    A game as lines of text.
    """
    lines = [str(table.state)]
    selection = table.selection
    if selection is not None and selection.indices:
        lines.append(f"chosen so far: {', '.join(selection.labels)}")
    return "\n".join(lines) + "\n"
