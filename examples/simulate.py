"""
Which bot plays better: many games on the same deals, a summary, a file of rows.

The rows are written to a file, the file is cut in the middle of a line as if the power
had failed, and then continued: no game is lost, and none is played twice.
"""

from __future__ import annotations

import tempfile

from pathlib import Path

import rummyvariants as rv

from rummyvariants.simulation.files import read_rows
from rummyvariants.simulation.summary import summarize


GAMES = 60


def played(
    output: Path | None = None, *, resume: bool = False
) -> list[rv.simulation.GameRow]:
    """
    The games, whose rows may be kept in a file.
    """
    return list(
        rv.simulate(
            "rummy-500",
            ["greedy", "random"],
            games=GAMES,
            seed=7,
            unit="round",
            output=output,
            resume=resume,
        )
    )


def main() -> None:
    """
    Compare two bots, and continue an interrupted file.
    """
    rows = played()
    summary = summarize(rows)
    print(summary)
    (difference,) = summary.differences
    won = difference.figures.won
    assert won is not None
    assert won.interval is not None
    assert won.interval[0] > 0, "a bot that lays what it can beats chance"

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "games.jsonl")
        assert played(output=file) == rows
        text = file.read_bytes()
        file.write_bytes(text[: len(text) // 2])
        print(f"\nOf {GAMES} games {len(list(read_rows(file)))} were left.")
        assert played(output=file, resume=True) == rows
        assert file.read_bytes() == text
    print("The continued file is the same as without the interruption.")


if __name__ == "__main__":
    main()
