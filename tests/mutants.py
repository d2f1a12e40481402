"""
Change the rules in thousands of small ways, and see whether a test notices each.

``python tests/mutants.py`` runs mutmut (the dependency group ``mutation``) over the
modules that ``pyproject.toml`` names, which takes an hour or two, and goes on where it
was interrupted. It prints each mutant that no test noticed, and fails if those are more
than three in a hundred. Mutants that do the same as the code are listed, each with the
reason, in ``data/equivalent_mutants.toml``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tomllib

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final


ROOT: Final = Path(__file__).parent.parent
EQUIVALENT: Final = Path(__file__).parent / "data" / "equivalent_mutants.toml"
WANTED: Final = 0.97
"""The share of the mutants that tests have to notice."""


def results() -> Iterator[tuple[str, bool]]:
    """
    Every mutant that was tried, and whether a test noticed it.
    """
    for file in sorted((ROOT / "mutants" / "src").rglob("*.meta")):
        for name, status in json.loads(file.read_text())["exit_code_by_key"].items():
            if status is not None:
                # 0: all tests passed; 33: no test comes by here.
                yield name, status not in {0, 33}


def change(name: str) -> tuple[str, str]:
    """
    The line that a mutant changed, before and after.
    """
    command = [sys.executable, "-m", "mutmut", "show", name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    lines = [
        line for line in done.stdout.splitlines() if line[:3] not in {"---", "+++"}
    ]
    before = " ".join(line[1:].strip() for line in lines if line.startswith("-"))
    after = " ".join(line[1:].strip() for line in lines if line.startswith("+"))
    return before, after


def equivalent() -> set[tuple[str, str, str]]:
    """
    The changes that change nothing: the function, the line before, the line after.
    """
    entries = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("mutant", [])
    return {(one["function"], one["before"], one["after"]) for one in entries}


def main() -> int:
    """
    Run, and report.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--report", action="store_true", help="only say what is known")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    if not given.report:
        run = [sys.executable, "-m", "mutmut", "run", "--max-children"]
        environment = {**os.environ, "CI": "true"}
        command = [*run, str(given.processes)]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
    same = equivalent()
    counts: Counter[str] = Counter()
    for name, noticed in results():
        function = name.rpartition("__mutmut_")[0]
        if noticed:
            counts["noticed"] += 1
            continue
        before, after = change(name)
        if (function, before, after) in same:
            counts["equivalent"] += 1
            continue
        counts["not noticed"] += 1
        print(f"{function}\n  - {before}\n  + {after}")
    tried = counts["noticed"] + counts["not noticed"]
    share = counts["noticed"] / tried if tried else 0.0
    numbers = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    print(f"{numbers}: {share:.1%}")
    return int(share < WANTED)


if __name__ == "__main__":
    sys.exit(main())
