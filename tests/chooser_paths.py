"""
How many actions are chosen in one step, in two, and so on, from fixed deals.

``python tests/chooser_paths.py`` counts again and says what differs from the file; with
``--write`` it puts the counts into the file. The deals are those of `perft`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys

from collections.abc import Iterable
from pathlib import Path

import rummyvariants as rv

from perft import Entry, entries


FILE = Path(__file__).parent / "data" / "chooser.json"

Paths = list[int]
"""How many paths end after one choice, after two, and so on."""


def paths(chooser: rv.Chooser) -> Paths:
    """
    The paths that go on from a chooser to an action.
    """
    if chooser.is_complete:
        return []
    found = [0]
    for choice in chooser.choices:
        after = chooser.choose(choice)
        found[0] += after.is_complete
        found = added([found, [0, *paths(after)]])
    return found


def added(several: Iterable[Paths]) -> Paths:
    """
    Several counts of paths together.
    """
    return [sum(one) for one in itertools.zip_longest(*several, fillvalue=0)]


def counted(entry: Entry) -> list[Paths]:
    """
    The paths from the start of an entry, and those from all states one action later.
    """
    start = entry.start()
    after = (rv.apply(start, action) for action in rv.legal_actions(start))
    return [paths(rv.chooser(start)), added(paths(rv.chooser(one)) for one in after)]


def kept() -> dict[str, list[Paths]]:
    """
    What is in the file, by the name of the entry.
    """
    found: dict[str, list[Paths]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def as_text(found: dict[str, list[Paths]]) -> str:
    """
    Counts as a file, which has a line for each entry.
    """
    lines = [f" {json.dumps(name)}: {json.dumps(one)}" for name, one in found.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> int:
    """
    Count all entries again.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--write", action="store_true", help="write the new counts")
    given = parser.parse_args()
    now = {entry.name: counted(entry) for entry in entries()}
    if given.write:
        FILE.write_text(as_text(now), encoding="utf-8")
        return 0
    before = kept()
    differ = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    for name in differ:
        print(f"{name}: {now.get(name)}, in the file {before.get(name)}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
