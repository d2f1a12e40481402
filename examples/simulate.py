"""
Which bot plays better: many games on the same deals, a summary, a file of rows.

The rows are written to a file, the file is cut in the middle of a line as if the power
had failed, and then continued: no game is lost, and none is played twice.
"""

from __future__ import annotations

import tempfile

from pathlib import Path

import rummyvariants as rv

from rummyvariants.simulation.files import RowFile, read_rows
from rummyvariants.simulation.plans import planned
from rummyvariants.simulation.runs import play
from rummyvariants.simulation.summary import summarize


GAMES = 60


def main() -> None:
    """
    Compare two bots, and continue an interrupted file.
    """
    rows = list(
        rv.simulate(
            "rummy-500", ["greedy", "random"], games=GAMES, seed=7, unit="round"
        )
    )
    summary = summarize(rows)
    print(summary)
    (difference,) = summary.differences
    won = difference.figures.won
    assert won is not None
    assert won.interval is not None
    assert won.interval[0] > 0, "a bot that lays what it can beats chance"

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "games.csv")
        asked = planned("rummy-500", ["greedy", "random"], seed=7, unit="round")
        with RowFile(file, asked) as out:
            for row in play(asked, GAMES):
                out.write(row)
        text = file.read_bytes()
        file.write_bytes(text[: len(text) // 2])
        with RowFile(file, asked, resume=True) as out:
            print(f"\nOf {GAMES} games {out.kept} were left.")
            for row in play(asked, GAMES, first=out.kept):
                out.write(row)
        assert file.read_bytes() == text
        assert list(read_rows(file)) == rows
    print("The continued file is the same as without the interruption.")


if __name__ == "__main__":
    main()
