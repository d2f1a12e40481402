"""
Your own policy: runs that go round the corner, such as king, ace, two.

Runs lie along a track, a sequence of ranks, and a run is a stretch of it without a
repeated rank. If the ranks go round, so do the runs; nothing else changes.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv

from rummyvariants import testing
from rummyvariants.policies import MeldPolicy


@rv.register_policy("round the corner")
@attrs.frozen
class RoundTheCorner(MeldPolicy):
    """
    Runs go round the corner: an ace may be between a king and a two.
    """

    def track(self, deck_ranks: str) -> str:
        """
        The ranks from ace to king, three times over.

        Repeated three times, so that any run can grow at either end.
        """
        once = attrs.evolve(self, ace="low")
        return MeldPolicy.track(once, deck_ranks) * 3


POSITION = """
[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
phase    = "play"
stock    = "2c 9s"
discards = "Qd"
hands    = { Ann = "Qh Kh Ah 2h 3h 7c 9d *", Ben = "3c 5d" }
"""
BY_THE_BOOK = 'rules = "rummy-500"'
CORNER = """
[rules]
extends = "rummy-500"

[rules.meld]
policy = "round the corner"
"""


def position(rules: str, text: str = POSITION) -> rv.State:
    """
    The state of a position under some rules.
    """
    state = rv.parse_scenario(rules + text).start
    assert state is not None
    return state


def main() -> None:
    """
    Meld and lay off round the corner, and let the test kit check the rest.
    """
    refused = rv.check(position(BY_THE_BOOK), "meld Kh Ah 2h")
    print(f"by the book: {refused}")
    assert refused.rule == "BN-07"

    start = position(CORNER)
    print(f"round the corner: {rv.check(start, 'meld Kh Ah 2h')}")
    actions = rv.legal_actions(start)
    for text in ("meld Kh Ah 2h", "meld Qh Kh Ah 2h 3h", "meld Kh *=Ah 2h"):
        assert text in actions
        assert text in [str(action) for action in actions]

    # Ranks that do not follow one another are still not a run.
    assert "meld Kh 2h 3h" not in actions
    assert "meld 3h Qh Kh" not in actions

    # It grows at both ends, card by card, also with a wild.
    grown = start
    for text in ("meld Kh Ah 2h", "lay 3h on 1", "lay Qh on 1", "lay *=Jh on 1"):
        assert text in [str(action) for action in rv.legal_actions(grown)]
        grown = rv.apply(grown, text)
    print(grown.table[0])
    assert str(grown.table[0]) == "*=Jh Qh Kh Ah 2h 3h"

    # The run of all ranks is a circle. It has one reading, wherever it begins.
    ranks = "6h 7h 8h 9h Th Jh Qh Kh Ah 2h 3h 4h"
    circle = position(
        CORNER,
        POSITION.replace("discards", f'table = ["Ben: {ranks}"]\ndiscards').replace(
            "Qh Kh Ah 2h 3h 7c 9d *", "5h 7c 9d"
        ),
    )
    print(rv.legal_actions(circle))
    print(rv.apply(circle, "lay 5h on 1").table[0])

    # A game by such rules has a record, which anyone with the policy can replay.
    rules = start.rules
    state = rv.apply(rv.new_game(rules, 2, seed=1), "draw")
    assert rv.replay(str(rv.record(state))) == state

    # The rule sheet has the policy's own description.
    assert "Runs go round the corner" in rules.describe()
    print(*rv.preset("rummy-500").diff(rules))

    # Check in a few random matches that this is a sound game.
    testing.check_ruleset(rules, players=2, matches=2)


if __name__ == "__main__":
    main()
