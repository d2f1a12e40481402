"""
The page of keys: what positions and views hold, in files and in JSON.
"""

from __future__ import annotations

import re

from collections.abc import Iterable, Mapping
from typing import Final

from rummyvariants.files._brief import SHORT_KEYS
from rummyvariants.files._documents import (
    FILE_KEYS,
    IN_FILES_ONLY,
    PositionDocument,
    TableDocument,
    ViewDocument,
    file_slots,
    slots_of,
)
from rummyvariants.files._forms import attributes_of


HEAD: Final = """\
# Keys of positions and views

A fact of a game has one key, whether a scenario file or a JSON document tells it.
What stands for it differs in three ways:

| | in a file | in JSON |
| :-- | :-- | :-- |
| a seat | a player's name, `"Ann"` | a number from 0 |
| cards | one text, `"7h 8h"` | a list of texts, `["7h", "8h"]` |
| something by seat | a table, `{ Ann = 20 }` | a list in the order of the seats |

{doc}`/reference/notation` shows how a file writes melds, what was drawn and the rest.
What the table says of keys that are left out holds for files.
A position in JSON leaves out what holds its default; a view has every key.
The [schema](json.md#the-schema) says which keys a reader needs.
"""


def meanings() -> Mapping[str, str]:
    """
    What each key holds.
    """
    found: dict[str, str] = {}
    for text in (
        TableDocument.__doc__,
        PositionDocument.__doc__,
        ViewDocument.__doc__,
        FILE_KEYS,
        SHORT_KEYS,
    ):
        found |= attributes_of(text or "")[1]
    return found


def rows(keys: Iterable[str], *, where: bool) -> str:
    """
    A table of some keys.

    Args:
        keys: The keys.
        where: Whether to say where each is found.
    """
    said = meanings()
    shared = slots_of(TableDocument)
    head = "| key | in | holds |\n| :-- | :-- | :-- |\n"
    lines = [head if where else "| key | holds |\n| :-- | :-- |\n"]
    for key in keys:
        places = ["files"] * (key in file_slots())
        places += ["positions"] * (key in slots_of(PositionDocument))
        places += ["views"] * (key in shared or key in slots_of(ViewDocument))
        text = said[key].replace("|", "\\|")
        text = re.sub("``(.+?)``", r"`\1`", text)
        column = f" {', '.join(places)} |" if where else ""
        lines.append(f"| `{key}` |{column} {text} |\n")
    return "".join(lines)


def page() -> str:
    """
    The page of keys.
    """
    every = [
        *slots_of(PositionDocument),
        *(key for key in slots_of(ViewDocument) if key not in slots_of(TableDocument)),
    ]
    return "\n".join(
        [
            HEAD,
            rows(every, where=True),
            "## Keys of files alone",
            "",
            "They say what `frames`, `table`, `zones` and `memory` say in JSON.",
            "",
            rows(IN_FILES_ONLY, where=False),
            "## Short keys of files",
            "",
            "They say what others say, in fewer words.",
            "",
            rows(attributes_of(SHORT_KEYS)[1], where=False),
        ]
    )
