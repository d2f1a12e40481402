"""
Actions and observations as spaces and arrays of Gymnasium.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium import spaces

from rummyvariants.envs._table import Table


Observed = dict[str, Any]
"""An observation and a mask, as ``observation`` and ``action_mask``."""
Index = np.int64
"""The type of the indices that a space gives."""


def action_space(table: Table) -> spaces.Discrete:
    """
    The indices of the actions.
    """
    return spaces.Discrete(table.encoding.size)


def observation_space(table: Table) -> spaces.Dict:
    """
    The observations, each with the mask of the indices that may be chosen.
    """
    spec = table.spec
    sizes = [field.size for field in spec.fields]
    low = np.repeat([field.low for field in spec.fields], sizes).astype(np.int32)
    high = np.repeat([field.high for field in spec.fields], sizes).astype(np.int32)
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, dtype=np.int32),
            "action_mask": spaces.Box(0, 1, (table.encoding.size,), np.int8),
        }
    )


def observed(table: Table, seat: int) -> Observed:
    """
    What a seat observes; it may choose nothing while another seat has to.
    """
    selection = table.selection
    if selection is None or selection.seat != seat:
        vector = table.spec.vector(table.state, seat)
        mask = np.zeros(table.encoding.size, np.int8)
    else:
        vector = table.spec.vector(selection)
        mask = np.frombuffer(table.encoding.mask(selection), np.int8).copy()
    return {"observation": vector, "action_mask": mask}
