"""How much of a test runs at every change, and how much at night alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def rest_is_slow(values: Iterable[Any], number: int) -> list[Any]:
    """
    The values as parameters of a test; those after the first so many are marked slow.
    """
    return [
        value if at < number else pytest.param(value, marks=pytest.mark.slow)
        for at, value in enumerate(values)
    ]
