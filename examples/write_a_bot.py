"""
A player of one's own, against one that plays at random.

The player looks at its own hand, at the table and at the discard pile, and at nothing
else. It lays down what it can, holds cards that go together, and gets rid of dear ones.
"""

from __future__ import annotations

import random

from collections.abc import Callable

import rummyvariants as rv


Player = Callable[[rv.State, int], rv.Action]
MATCHES = 8


def thinker(state: rv.State, seat: int) -> rv.Action:
    """
    The legal action that is liked best.
    """
    return max(rv.legal_actions(state, seat), key=lambda one: liking(state, one))


def liking(state: rv.State, action: rv.Action) -> int:
    """
    How well the thinker likes an action.
    """
    match action:
        case rv.LayDown() | rv.LayOff() | rv.CallRummy():
            return 1000 + sum(worth(state, one.card) for one in action.cards)
        case rv.Take():
            # Discards are taken only if they can be used, and a few of them at most.
            return 900 if 1 < action.count < 5 else 0
        case rv.Draw():
            return 500
        case rv.Discard():
            hand = state.hands[action.seat or 0]
            return worth(state, action.card) - 10 * friends(hand, action.card)
        case _:
            return -1000


def worth(state: rv.State, card: rv.Card) -> int:
    """
    What a card is worth by the rules of the game.
    """
    assert state.dealt is not None
    return state.dealt.terms.worth[card.code]


def friends(hand: rv.Cards, card: rv.Card) -> int:
    """
    How many other cards of a hand may come to a meld with a card.
    """
    ranks = "A23456789TJQK"
    if card.is_joker:
        return 9
    return sum(
        other.rank == card.rank
        or (
            other.suit == card.suit
            and abs(ranks.index(other.rank) - ranks.index(card.rank)) <= 2
        )
        for other in hand
        if other != card and not other.is_joker
    )


def at_random(seed: int) -> Player:
    """
    A player that plays at random, without listing all that it may do.
    """
    randrange = random.Random(seed).randrange
    return lambda state, seat: rv.legal_actions(state, seat).sample(randrange)


def play(rules: str, players: dict[str, Player], seed: int) -> rv.State:
    """
    The end of a match between some players.
    """
    state = rv.new_game(rules, list(players), seed=seed)
    choose = tuple(players.values())
    while not state.is_over:
        if state.is_round_over:
            state = rv.deal(state)
        else:
            seat = state.to_act[0]
            state = rv.apply(state, choose[seat](state, seat))
    return state


def main() -> None:
    """
    Play some matches, and count who wins.
    """
    won = 0
    for seed in range(MATCHES):
        end = play("rummy-500", {"thinker": thinker, "dice": at_random(seed)}, seed)
        assert end.winners
        won += end.winners == (0,)
        print(f"match {seed}: {end.scores[0]:4} to {end.scores[1]:4}")
    print(f"The thinker wins {won} of {MATCHES}.")
    assert won > MATCHES / 2

    # The same players play any other game too.
    end = play("rummy-5000", {"a": thinker, "b": thinker, "c": at_random(1)}, seed=1)
    assert max(end.scores) >= end.rules.match.target


if __name__ == "__main__":
    main()
