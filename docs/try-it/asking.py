"""
A position, an action, and the ruling on it.
"""

from __future__ import annotations

from typing import Any

import rummyvariants as rv

from rummyvariants.files.json import to_data


Answer = dict[str, Any]


def of_text(text: str, action: str, seat: str | None = None) -> Answer:
    """
    The ruling on an action in the position of a scenario's text.

    Args:
        text: The scenario.
        action: The action in the notation.
        seat: The name of the player; by default whoever may act.

    Raises:
        RummyError: If the scenario or the action cannot be read.
    """
    scenario = rv.parse_scenario(text)
    if scenario.start is None:
        raise rv.RecordError(str(scenario.problem))
    number = scenario.start.players.index(seat) if seat else None
    return {"ruling": to_data(rv.check(scenario.start, action, number))}
