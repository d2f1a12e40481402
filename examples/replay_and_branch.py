"""
A game replayed from its record, and played differently from the middle.

The record is in `short-game.toml`, next to this file: a match with fifteen cards.
"""

from __future__ import annotations

from pathlib import Path

import rummyvariants as rv


FILE = Path(__file__).with_name("short-game.toml")


def main() -> None:
    """
    Replay, go back, try everything out, and tamper with the record.
    """
    record = rv.files.load_record(FILE)
    assert str(record) == FILE.read_text(encoding="utf-8")

    # Every state on the way can be kept.
    steps = list(rv.files.replay_steps(record))
    for step in steps[1:]:
        name = record.players[step.action.seat or 0]
        print(f"{name}: {step.action}")
    end = steps[-1].after
    assert end == rv.replay(record)
    assert end.is_over
    print(f"Ann {end.scores[0]}, Ben {end.scores[1]}\n")

    # Ann took three cards and was out. What else could she have done?
    before = next(step.before for step in steps if str(step.action) == "take 3")
    for action in rv.legal_actions(before):
        after = rv.apply(before, action)
        print(f"{action}: then {rv.legal_actions(after)!r}")
    other = rv.apply(rv.apply(before, "draw"), "discard 3h")
    assert other != end
    assert before == steps[10].before, "the state we branched from has not changed"

    # A branch has its own record, which can be replayed too.
    branch = rv.record(other)
    assert branch.actions[:-2] == record.actions[:-2]
    assert rv.replay(str(branch)) == other

    # To go back without a kept state, leave out the last action.
    shorter = rv.game.begin(record.rules, record.players, seed=record.seed)
    for action in other.history[:-1]:
        shorter = rv.apply(shorter, action)
    assert rv.apply(shorter, "discard 3h") == other

    # The replay of a forged record stops at the first illegal action.
    wrong = str(record).replace("0: meld 2h 3h 4h 5h", "0: discard 5h")
    try:
        rv.replay(wrong)
    except rv.files.ReplayError as error:
        stopped = error
    print(f"\n{stopped}")
    assert stopped.state == steps[-1].before
    assert stopped.ruling.rule == "BN-12"


if __name__ == "__main__":
    main()
