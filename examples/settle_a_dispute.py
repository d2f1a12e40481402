"""
A dispute settled: a position, the questions, and the rulings.

It is Ann's turn in Rummy 5000, fours are wild, and everybody at the table has an
opinion.
"""

from __future__ import annotations

from typing import Any

import rummyvariants as rv


POSITION: dict[str, Any] = {
    "hands": {"Ann": "Ad 2d Kd 7h 9c 9h", "Ben": "3c 5d", "Cleo": "8s Qh"},
    "table": ["Ben: 6h 4c=7h 8h"],
    "discards": "Ks 9d Jc 6s",
    "wild": "4",
    "fill": True,
}
"""The cards in sight; all others are in the stock."""

QUESTIONS = (
    ("Can she take the whole pile for the king?", (), "take 4", "PG-11"),
    ("Can she take three, for the nine that she can meld?", (), "take 3", None),
    ("Is king, ace, two a run?", ("draw",), "meld Kd Ad 2d", "PG-09"),
    ("Can she lay her seven off at once?", ("draw",), "lay 7h on 1", "PG-13"),
    ("And after a meld of her own?", ("take 3", "meld 9c 9d 9h"), "lay 7h on 1", None),
    ("Can she throw back the six?", ("take 1",), "discard 6s", "PG-14"),
    ("May Ben draw already?", (), "1: draw", "RV-07"),
)
"""The question, the actions before, the action asked about, and the rule against it."""


def main() -> None:
    """
    Ask the questions.
    """
    start = rv.position("rummy-5000", **POSITION)
    for question, before, action, rule in QUESTIONS:
        state = start
        for done in before:
            state = rv.apply(state, done)
        ruling = rv.check(state, action)
        assert bool(ruling) == (rule is None)
        assert rule is None or rule in ruling.cites
        print(f"{question}\n  {ruling}")

    # The whole text of a rule, and how the library reads it.
    real = rv.rule("PG-15")
    print(f"\n{real}")
    assert "PG-13" in real.reading

    # An impossible position is refused, with all its problems.
    try:
        rv.position("rummy-5000", **POSITION | {"turn": "Dora", "discards": "8s 8y"})
    except rv.errors.PositionError as error:
        wrong = error
    print(f"\n{wrong}")
    assert len(wrong.problems) == 3


if __name__ == "__main__":
    main()
