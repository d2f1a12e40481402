"""
Your own house rules: options, single values, differences, the rule sheet.

The rules are in `our-table.toml`, next to this file.
"""

from __future__ import annotations

from pathlib import Path

import rummyvariants as rv


FILE = Path(__file__).with_name("our-table.toml")

BY_THE_BOOK = 'rules = "rummy-5000"'
WITH_TRADES = 'rules = { extends = "rummy-5000", with = ["PGV-P4"] }'
POSITION = """
[position]
seats    = ["Ann", "Ben", "Cleo"]
turn     = "Ann"
phase    = "play"
wild     = "4"
stock    = "2c 9s"
discards = "Qd"
table    = ["Ann: 6h 4c=7h 8h 9h"]
hands    = { Ann = "7h Kc Td", Ben = "3c", Cleo = "5d" }
"""


def main() -> None:
    """
    Load the rules, see what is special about them, and play by them.
    """
    printed = rv.preset("rummy-5000")
    ours = rv.load_rules(FILE)

    # The same in Python. Only what is cited differs: the lines of the file.
    same = printed.with_options("PGV-P4", "PGV-E5=2500").with_values(
        {"meld.least_run": 4, "score.points": {"Q": 15, "K": 15}}
    )
    assert same.values() == ours.values()

    # What differs, and where each value comes from.
    for difference in printed.diff(ours):
        print(difference)
    assert [one.value for one in printed.diff(ours)] == [
        "wild.real_card",
        "meld.least_run",
        "score.points.Q",
        "score.points.K",
        "match.target",
    ]
    assert ours.origin("match.target").rule == "PGV-E5"
    assert ours.origin("score.points.K").set_by.startswith("our-table.toml, line ")
    assert ours.origin("score.points.J").set_by == "rummy-5000"

    # The rule sheet is made from the values, so it describes this game.
    sheet = ours.describe()
    print()
    print(*[line for line in sheet.splitlines() if "2500" in line], sep="\n")
    assert "PGV-P4" in sheet
    assert "5000 points" not in sheet

    # Rules that do not go together are refused.
    try:
        printed.with_options("PGV-P4", "PGV-P5").with_values({"match.target": 0})
    except rv.errors.RulesError as error:
        conflict = error
    print(f"\n{conflict}\n")
    assert set(conflict.rules) == {"PGV-P4", "PGV-P5"}

    # A trade for a wild is refused by the book, and legal at this table.
    for rules, legal in ((BY_THE_BOOK, False), (WITH_TRADES, True)):
        state = rv.files.parse_scenario(rules + POSITION).start
        assert state is not None
        ruling = rv.check(state, "swap 7h on 1")
        print(f"swap 7h on 1 is {ruling}")
        assert bool(ruling) == legal


if __name__ == "__main__":
    main()
