"""
A hand of gin: may I knock, with which melds, and what does it score?

Ann holds eleven cards and may choose her melds. A partition that leaves too much
deadwood is refused, and the ruling cites the rule; the library finds the best one.
"""

from __future__ import annotations

import rummyvariants as rv


POSITION = """
title = "Ann may knock"
rules = "gin-rummy"

[position]
seats    = ["Ann", "Ben"]
dealer   = "Ben"
turn     = "Ann"
phase    = "play"
drawn    = "stock 8h"
stock    = "Kh Qh Tc 7c 7d 8s 3s"
discards = "Ks"

[position.hands]
Ann = "6h 7h 8h 9h 9c 9d Js Jd Jh 3d Kd"
Ben = "5h Th 9s 2d 2s 2h Kc Qc 8d As"
"""


def main() -> None:
    """
    Ask, knock, lay off, and score.
    """
    state = rv.files.parse_scenario(POSITION).start
    assert state is not None

    best = rv.arrange(state)
    print(f"Best: {best.actions[0]}; {best.points_left} points are left.")
    for action in (
        "knock 3d: 6h 7h 8h / 9c 9d 9h / Js Jd Jh",
        "knock Kd: 6h 7h 8h 9h / Js Jd Jh",
        "knock Kd: 6h 7h 8h / 9c 9d 9h / Js Jd Jh",
        "big gin: 6h 7h 8h / 9c 9d 9h / Js Jd Jh",
    ):
        print(f"{action}\n  {rv.check(state, action)}")
    assert rv.check(state, "knock Kd: 6h 7h 8h 9h / Js Jd Jh").rule == "GR-06"

    # Melds stay in the hand until the knock: Ben sees nothing of Ann's hand.
    assert str(rv.view(state, 1).known[0]) == ""

    # A knock without melds shows the best ones. Then Ben may lay off on them.
    state = rv.apply(state, "knock Kd")
    print(f"\nOn the table: {'; '.join(map(str, state.table))}")
    for action in rv.arrange(state, 1).actions:
        print(f"Ben: {action}")
        state = rv.apply(state, action)
    state = rv.apply(state, "pass")
    assert state.result is not None
    print(state.result)
    assert sum(item.points for item in state.result.items) == state.scores[0]


if __name__ == "__main__":
    main()
