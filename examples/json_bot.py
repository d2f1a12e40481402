"""
A bot in another program: it reads views as lines of JSON, and writes actions.

``python json_bot.py bot`` is that program. It reads only keys of the JSON, so it could
be written in any language. `Program` is the other end: a bot for `simulate` and for the
command line that leaves each decision to a program.
"""

from __future__ import annotations

import functools
import json
import random
import shlex
import subprocess
import sys

from typing import Any

import attrs

import rummyvariants as rv


# ----------------------------------------------------------------- the other program

LIKED = ("meld", "lay", "rummy", "draw", "discard", "pass")
"""The verbs, the preferred one first."""
RANKS = "A23456789TJQK*"


# [bot: begin]
def answer(view: dict[str, Any]) -> dict[str, Any]:
    """
    An action for a view, both as JSON data.
    """
    legal = view["legal_actions"]
    verb = next(verb for verb in LIKED if any(one.startswith(verb) for one in legal))
    choices = [one for one in legal if one.startswith(verb)]
    if verb == "discard":
        choices.sort(key=lambda one: loneliness(one.split()[1], view["hand"]))
    return {"seat": view["seat"], "action": choices[-1]}


def loneliness(card: str, hand: list[str]) -> tuple[int, int]:
    """
    A key that is greatest for cards with few partners, then for higher cards.
    """
    friends = sum(
        other[0] == card[0]
        or (
            other[-1] == card[-1]
            and abs(RANKS.index(other[0]) - RANKS.index(card[0])) < 3
        )
        for other in hand
        if other != card
    )
    return -friends, RANKS.index(card[0])


def serve() -> None:
    """
    Answer line by line until the input ends.
    """
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


# [bot: end]


# ---------------------------------------------------------------- this end of the pipe


# [program: begin]
@attrs.frozen
class Program:
    """
    A bot that another program plays.

    Attributes:
        command: The command that starts it.
    """

    command: str

    def choose(self, view: rv.View, rng: random.Random) -> rv.Action:
        """
        The program's answer to the view.
        """
        del rng
        pipe = started(self.command)
        assert pipe.stdin is not None
        assert pipe.stdout is not None
        pipe.stdin.write(rv.files.to_json(view, legal=1000) + "\n")
        pipe.stdin.flush()
        return rv.files.from_json(pipe.stdout.readline(), rv.Action)


@functools.lru_cache
def started(command: str) -> subprocess.Popen[str]:
    """
    The program of a command, started at its first decision.
    """
    return subprocess.Popen(  # noqa: S603 -- whoever names a command may run it
        shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


# [program: end]


def main() -> None:
    """
    Let the program play against chance, and show what went over the pipe.
    """
    state = rv.new_game("rummy-500", ["Ann", "Ben"], seed=8)
    sent = json.loads(rv.files.to_json(rv.view(state, state.turn)))
    assert "seed" not in sent
    for key in ("phase", "to_act", "hand", "hand_sizes", "discards", "legal_actions"):
        print(f"{key}: {json.dumps(sent[key])}")
    print(json.dumps(answer(sent)))

    command = shlex.join([sys.executable, __file__, "bot"])
    bots: list[Any] = [Program(command), "random"]
    rows = list(rv.simulate("rummy-500", bots, games=20, seed=1, unit="round"))
    with started(command) as program:
        pass  # this ends its input and waits for it
    assert program.returncode == 0
    assert all(row.status == "finished" for row in rows)

    lead = sum(
        points if name != "random" else -points
        for row in rows
        for name, points in zip(row.bots, row.scores, strict=True)
    )
    assert lead > 0
    print(f"The program leads chance by {lead / len(rows):.1f} points a round.")


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["bot"] else main()
