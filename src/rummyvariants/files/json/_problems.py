"""
The error about JSON, and its message for a value of the wrong kind.
"""

from __future__ import annotations

import json
import reprlib

from collections.abc import Iterable
from typing import Final

from rummyvariants.errors import ProblemsError
from rummyvariants.files._problems import Place


class JsonError(ProblemsError):
    """
    A value that JSON cannot hold exactly, or a document that describes no value.

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


_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 40
_SHORT.maxlist = _SHORT.maxdict = 3


def wrong(given: object, wanted: str) -> JsonError:
    """
    The error about a value of the wrong kind.
    """
    is_word = given is None or isinstance(given, bool)
    said = json.dumps(given) if is_word else _SHORT.repr(given)
    return JsonError(f"give {wanted}, not {said}")
