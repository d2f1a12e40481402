"""
Solve a game of gin with six cards, and see how far the bots are from perfect play.

Run it with ``python examples/solve_a_tiny_game.py``.
"""

import rummyvariants as rv

from rummyvariants.bots import bot
from rummyvariants.learning.exact import lay_out


RULES = rv.rules.read_rules(
    {
        "extends": "gin-rummy",
        "deck": {"ranks": "A23", "suits": "cd"},
        "deal": {"hand_size": 1},
        "meld": {"least_set": 2, "least_run": 2},
        "out": {"knock": 0},
        "stock": {"dead": 2, "idle_rounds": 1},
    }
)


def main() -> None:
    """
    Print how much a perfect opponent wins against each way to play.
    """
    tree = lay_out(RULES)
    print(f"{len(tree.points):,} nodes, {len(tree.sets):,} information sets")

    solved = tree.solve(iterations=30)
    print(f"the dealer (seat 0) leads by {tree.value(solved):+.2f} points on average")

    lost = {name: tree.exploitability(tree.policy(bot(name).choose)) for name in BOTS}
    lost["uniform"] = tree.exploitability(tree.uniform())
    lost["solved"] = tree.exploitability(solved)
    for name, points in lost.items():
        print(f"{name:<8} a perfect opponent wins {points:5.2f} points a round")
    assert lost["solved"] < 0.1 < lost["greedy"] < lost["uniform"]


BOTS = ("greedy", "careful")


if __name__ == "__main__":
    main()
