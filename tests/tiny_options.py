"""
A tiny deck for each option, so that every state of a round with it is walked through.
"""

from __future__ import annotations

import tomllib

from collections import Counter
from pathlib import Path

import attrs

import rummyvariants as rv

from tiny_decks import Look, Sequences, TinyDeck, walk


FILE = Path(__file__).parent / "data" / "tiny_options.toml"


def tiny_options() -> tuple[TinyDeck, ...]:
    """
    The decks of the file, each named after its option.
    """
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))["deck"]
    return tuple(TinyDeck(**{"counts": {}, **entry}) for entry in entries)


def without_option(deck: TinyDeck) -> TinyDeck:
    """
    The same deck and deal without the option, as far as the deck still has the cards.
    """
    name = deck.name
    left = [one for one in deck.rules["with"] if one.partition("=")[0] != name]
    return attrs.evolve(deck, rules={**deck.rules, "with": left})


def tally(deck: TinyDeck, look: Look | None = None) -> tuple[dict[str, int], Sequences]:
    """
    Walk through a deck, and count the states and what the ends of it come to.

    Args:
        deck: The deck.
        look: Told of each state.

    Returns:
        The counts of `walk`; all points, those of later seats taken more often; how
        many ends are ends of the match, and whose; what is paid after them; where that
        depends on the round, after how many of them who deals; and the sum of the
        columns, later ones taken more often. Beside them what `sequences` says.
    """
    more: Counter[str] = Counter()

    def see(number: int, state: rv.State, actions: list[rv.Action]) -> None:
        if look is not None:
            look(number, state, actions)
        if state.phase in {"deal", "over"} and state.result is not None:
            for seat, points in enumerate(state.result.points, 1):
                more["points"] += seat * abs(points)
            more["over"] += state.is_over
            if state.rules.match.rotation != "left":
                more[f"next_dealt_by_{state.match.next_dealer}"] += 1
            more["paid"] += sum(map(abs, state.payments))
            for seat in state.winners:
                more[f"won_by_{seat}"] += 1
            for place, column in enumerate(state.columns, 1):
                more["columns"] += place * sum(column.final_scores)

    counts, found = walk(deck, see)
    more_counts = {key: one for key, one in sorted(more.items()) if one}
    return {**counts, **more_counts}, found
