"""
What is wrong with a JSON document, each problem with the path of its key.
"""

from __future__ import annotations

import reprlib

from collections.abc import Iterable
from typing import Final

import attrs

from rummyvariants.errors import ProblemsError


class JsonError(ProblemsError):
    """
    A value that JSON cannot tell exactly, or a document that tells none.

    Attributes:
        places: The problems with the paths of their keys, such as ``hand_sizes[2]``;
            the path is empty where the whole document is meant.
    """

    def __init__(self, found: str | Iterable[tuple[str, str]]) -> None:
        pairs = [("", found)] if isinstance(found, str) else found
        self.places = tuple(dict.fromkeys(pairs))
        super().__init__(
            f"{path}: {told}" if path else told for path, told in self.places
        )


@attrs.define
class Problems:
    """
    Problems as they are found, to be told all at once.
    """

    found: list[tuple[str, str]] = attrs.field(factory=list)

    def add(self, path: str, told: str) -> None:
        """
        Note a problem.
        """
        self.found.append((path, told))

    def done(self) -> None:
        """
        Raise all problems, if there are any.

        Raises:
            JsonError: With every problem.
        """
        if self.found:
            raise JsonError(self.found)


def joined(path: str, inner: str) -> str:
    """
    The path of a key below another.
    """
    if not path or not inner or inner.startswith("["):
        return path + inner
    return f"{path}.{inner}"


_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 40
_SHORT.maxlist = _SHORT.maxdict = 3


def wrong(given: object, wanted: str) -> JsonError:
    """
    The error about a value of the wrong kind.
    """
    return JsonError(f"give {wanted}, not {_SHORT.repr(given)}")
