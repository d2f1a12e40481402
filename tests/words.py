"""
What the library says in every scenario: each ruling, and each line of a score.

Users read these texts and programs read the rule ids in them, so a change to either is
meant to be seen. ``python tests/words.py --write`` writes the file ``words.txt`` anew;
look at the difference before you commit it.
"""

from __future__ import annotations

import argparse
import os

from collections.abc import Iterator
from pathlib import Path

from rummyvariants.files._scenarios import Outcome, Scenario, load_scenario, run


FOLDER = Path(__file__).parent / "scenarios"
FILES = {str(path.relative_to(FOLDER)): path for path in sorted(FOLDER.rglob("*.toml"))}
WORDS = Path(__file__).parent / "data" / "words.txt"


def words_of(scenario: Scenario, outcome: Outcome) -> list[str]:
    """
    Why a scenario cannot be, or the rulings on its steps and the score of its round.
    """
    if scenario.problem is not None:
        found = [f"invalid: {problem}" for problem in scenario.problem.problems]
        # A value set in the file comes from its path, which is another one elsewhere.
        return [one.replace(f"{FOLDER}{os.sep}", "") for one in found]
    said = [
        f"{line.number} {'legal' if ruling else 'refused'}: {ruling.reason}"
        f" [{', '.join(ruling.cites)}]"
        for line, ruling in outcome.rulings
    ]
    if outcome.state is not None and outcome.state.result is not None:
        result = outcome.state.result
        said.append(f"ended: {result.how} [{result.rule}]")
        said += [
            f"{item.seat} {item.points:+d} {item.card or '-'} {item.reason}"
            f" [{item.rule}]"
            for item in result.items
        ]
    return said


def written() -> dict[str, list[str]]:
    """
    What the file says, by scenario.
    """
    found: dict[str, list[str]] = {}
    for line in WORDS.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            found[line.removeprefix("# ")] = said = []
        elif line:
            said.append(line)
    return found


def _lines() -> Iterator[str]:
    for name, path in FILES.items():
        scenario = load_scenario(path)
        said = words_of(scenario, run(scenario))
        if said:
            yield from (f"# {name}", *said, "")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", required=True, help="do it")
    parser.parse_args()
    WORDS.write_text("\n".join(_lines()), encoding="utf-8")
