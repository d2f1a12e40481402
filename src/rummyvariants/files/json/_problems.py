"""
The error about JSON.
"""

from __future__ import annotations

from collections.abc import Iterable

from rummyvariants.errors import ProblemsError
from rummyvariants.files._problems import Place


class JsonError(ProblemsError):
    """
    A document that describes no value, or a value that is no document.

    Attributes:
        places: The problems with the paths of their keys, such as ``hand_sizes[2]``;
            an empty path means the whole document.
    """

    def __init__(self, found: str | Iterable[Place], rules: Iterable[str] = ()) -> None:
        pairs = [("", found)] if isinstance(found, str) else found
        self.places = tuple(dict.fromkeys(pairs))
        super().__init__(
            (
                f"{path}: {message}" if path else message
                for path, message in self.places
            ),
            rules,
        )
