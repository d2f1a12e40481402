"""
A round of Rummy 500, played by hand from a deck in a known order.

The player who goes out may win by little, and a card laid off on another player's meld
counts for the player who laid it.
"""

from __future__ import annotations

import rummyvariants as rv


PLAYERS = ("Ann", "Ben", "Cleo")
DECK = """
7h 5c Qd
8h 6c Qs
9h 7c 3h
4s 9d 8s
4d Td Ah
Kc Js Kd
Qc 2s 6s
Jd
4h Th 8c
"""
"""Seven cards for each in turn, the first discard, and the first cards of the stock."""

ROUND = (
    ("Ann", "draw", "meld 7h 8h 9h", "meld 4d 4h 4s", "discard Kc"),
    ("Ben", "take 2", "meld 9d Td Jd", "meld 5c 6c 7c", "discard Kc"),
    ("Cleo", "draw", "lay Th on 1", "discard Kd"),
    ("Ann", "draw", "lay 8c on 4", "discard Qc"),
)


def play_round(state: rv.State) -> rv.State:
    """
    The state after the round above.
    """
    for name, *actions in ROUND:
        assert [state.players[seat] for seat in state.to_act] == [name]
        for action in actions:
            assert action in rv.legal_actions(state), rv.check(state, action)
            state = rv.apply(state, action)
        print(f"{name}: {', '.join(actions)}")
    return state


def main() -> None:
    """
    Deal, play, and look at the points.
    """
    start = rv.new_game("rummy-500", PLAYERS, deck=DECK, dealer=2)
    assert str(start.hands[0]) == "Qc Kc 4d 7h 8h 9h 4s"

    # Ben has to use the jack, the deeper of the two cards taken.
    end = play_round(start)
    assert end.is_round_over
    assert end.result is not None
    assert end.result.out == 0

    run = end.table[0]
    assert run.maker == 0
    assert [str(card) for card in run.laid_by(2)] == ["Th"]

    print()
    print(end.result)
    assert end.result.points == (44, 35, -42)

    # The first state has not changed.
    assert start == rv.new_game("rummy-500", PLAYERS, deck=DECK, dealer=2)


if __name__ == "__main__":
    main()
