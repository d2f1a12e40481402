"""
Libraries that extras install.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final


_NEEDS: Final = {
    "gymnasium": ("gymnasium", "numpy"),
    "openspiel": ("pyspiel", "numpy"),
    "pettingzoo": ("pettingzoo", "gymnasium", "numpy"),
}
"""By the name of an extra, what its adapter imports."""


@contextmanager
def extra(name: str) -> Iterator[None]:
    """
    Import what an adapter uses, or say which extra it needs.

    Args:
        name: The name of the extra.

    Raises:
        ModuleNotFoundError: If what it installs is not there.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in _NEEDS[name]:
            raise
        msg = f"this environment needs {missing}: pip install 'rummyvariants[{name}]'"
        raise ModuleNotFoundError(msg, name=missing) from None
