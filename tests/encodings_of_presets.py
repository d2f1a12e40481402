"""
What the indices of the encodings of all presets mean, as digests.

``python tests/encodings_of_presets.py --write`` puts them into the file, with the
version. An index that changes its meaning needs a new version.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import sys

from pathlib import Path
from typing import Any

import rummyvariants as rv

from rummyvariants.learning.encoding import VERSION


FILE = Path(__file__).parent / "data" / "encodings.json"


def digests(name: str) -> dict[str, str]:
    """
    By form and number of players, how many labels there are and a digest of them.
    """
    found = {}
    for form in ("stepwise", "flat"):
        for players in range(1, 9):
            with contextlib.suppress(rv.RulesError, rv.EncodingError):
                labels = rv.encoding(name, players, form).labels
                digest = hashlib.sha256("\n".join(labels).encode()).hexdigest()
                found[f"{form} for {players}"] = f"{len(labels)} {digest[:16]}"
    return found


def kept() -> dict[str, Any]:
    """
    What is in the file.
    """
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def main() -> int:
    """
    Compare the file, or write it.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--write", action="store_true", help="write the file")
    given = parser.parse_args()
    now = {
        "version": VERSION,
        "presets": {name: digests(name) for name in rv.presets()},
    }
    if given.write:
        FILE.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
        return 0
    return int(now != kept())


if __name__ == "__main__":
    sys.exit(main())
