"""
A game replayed from its record, and played on otherwise from the middle.

The record is in `short-game.toml`, beside this file: a match with fifteen cards.
"""

from __future__ import annotations

from pathlib import Path

import rummyvariants as rv


FILE = Path(__file__).with_name("short-game.toml")


def main() -> None:
    """
    Replay, go back, try everything out, and tamper with the record.
    """
    record = rv.load_record(FILE)
    assert str(record) == FILE.read_text(encoding="utf-8")

    # Every state on the way is there to be kept.
    steps = list(rv.replay_steps(record))
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
        print(f"{action}: then {rv.legal_actions(after)}")
    other = rv.apply(rv.apply(before, "draw"), "discard 3h")
    assert other != end
    assert before == steps[10].before, "the state that we branched from is the same"

    # A branch has a record of its own, and replays as well.
    branch = rv.record(other)
    assert branch.actions[:-2] == record.actions[:-2]
    assert rv.replay(str(branch)) == other

    # Going back without having kept a state: leave out the last action.
    shorter = rv.begin(record.rules, record.players, seed=record.seed)
    for action in other.history[:-1]:
        shorter = rv.apply(shorter, action)
    assert rv.apply(shorter, "discard 3h") == other

    # A record that somebody tampered with stops where it stops being legal.
    wrong = str(record).replace("0: meld 2h 3h 4h 5h", "0: discard 5h")
    try:
        rv.replay(wrong)
    except rv.ReplayError as error:
        stopped = error
    print(f"\n{stopped}")
    assert stopped.state == steps[-1].before
    assert stopped.ruling.rule == "BN-12"


if __name__ == "__main__":
    main()
