"""
What has to be done next in a game, in a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rummyvariants._support.words import capital, listed


_PHASES: Final = {
    "deal": "a deal is due",
    "choose": "has to choose the size of a hand",
    "offer": "may take the first upcard",
    "draw": "has to draw",
    "stock": "has to draw from the stock",
    "play": "plays",
    "answer": "has to say whether the partner goes out",
    "call": "may call",
    "buy": "may buy the discard",
    "discard": "owes a discard",
    "layoff": "may lay off after a knock",
    "rejoin": "may come back into the match",
    "over": "the match is over",
}


def whose_turn(
    phase: str, players: Sequence[str], to_act: Iterable[int], winners: Iterable[int]
) -> str:
    """
    Who has to do what, or who has won.

    Args:
        phase: The name of what has to be done.
        players: The players' names, by seat.
        to_act: The seats that may act.
        winners: The seats that have won the match.
    """
    phrase = _PHASES.get(phase, "may act")
    acting = [players[seat] for seat in to_act]
    if acting:
        if len(acting) > 1:
            phrase = phrase.replace("has to", "have to")
        return f"{listed(acting)} {phrase}"
    won = listed([players[seat] for seat in winners])
    return capital(f"{phrase}; {won} won" if won else phrase)
