"""
Decks so small that every state of a round can be walked through.

``python tests/tiny_decks.py`` counts them again and says what differs from the file;
with ``--write`` it puts the new counts into the file.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
import tomllib

from collections import Counter, deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

import rummyvariants as rv

from rummyvariants.files._positions import read_position
from rummyvariants.rules._files import read_rules


FILE = Path(__file__).parent / "data" / "tiny_decks.toml"


@attrs.frozen
class TinyDeck:
    """
    A ruleset for a tiny deck with one deal of it, or a position with few cards.

    Attributes:
        name: What it shows.
        rules: The rules as a rules file states them.
        players: How many play.
        dealer: The dealer's seat.
        deck: The whole deck, in the order in which it is dealt.
        position: A position as a scenario file states it, in place of a deal.
        counts: How many states there are, how many steps between them, and how many of
            the states are ends of the round, by how it ended.
        naive_every: Of how many states one is compared with the naive twin.
        slow: Whether it is too big for the quick tests.
    """

    name: str
    rules: Mapping[str, Any]
    counts: Mapping[str, int]
    players: int = 2
    dealer: int = 0
    deck: str = ""
    position: Mapping[str, Any] = attrs.field(factory=dict)
    naive_every: int = 1
    slow: bool = False

    def start(self) -> rv.State:
        """
        The round as it is dealt.
        """
        rules = read_rules(dict(self.rules))
        if self.position:
            return read_position(self.position, rules)
        state = rv.begin(rules, self.players, seed=None, dealer=self.dealer)
        cards = rv.parse_cards(self.deck)
        assert len(cards) == len(rules.deck.cards_for(self.players)), "name every card"
        return rv.deal(state, deck=cards)


def tiny_decks() -> tuple[TinyDeck, ...]:
    """
    The decks of the file.
    """
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))["deck"]
    return tuple(TinyDeck(**{"counts": {}, **entry}) for entry in entries)


Look = Callable[[int, rv.State, list[rv.Action]], None]


def walk(deck: TinyDeck, look: Look | None = None) -> dict[str, int]:
    """
    Go through every state that a deal can lead to, each once, nearest first.

    Args:
        deck: The deck.
        look: Told the number of each state, the state, and what may be done in it.

    Returns:
        The counts.
    """
    start = deck.start()
    seen = {start}
    waiting = deque([start])
    steps = 0
    ends: Counter[str] = Counter()
    number = 0
    while waiting:
        state = waiting.popleft()
        actions = list(rv.legal_actions(state))
        if look is not None:
            look(number, state, actions)
        number += 1
        if state.phase in {"deal", "over"}:
            ends[state.result.how if state.result else "thrown in"] += 1
            continue
        for action in actions:
            steps += 1
            after = rv.apply(state, action)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return {"states": len(seen), "steps": steps, **dict(sorted(ends.items()))}


def _as_line(counts: Mapping[str, int]) -> str:
    inside = ", ".join(
        f"{key} = {value}" if key.isidentifier() else f'"{key}" = {value}'
        for key, value in counts.items()
    )
    return f"counts = {{ {inside} }}"


def main() -> int:
    """
    Count all decks again.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--write", action="store_true", help="write the new counts")
    parser.add_argument("--quick", action="store_true", help="leave big decks out")
    given = parser.parse_args()
    text = FILE.read_text(encoding="utf-8")
    differ = 0
    for deck in tiny_decks():
        if deck.slow and given.quick:
            continue
        started = time.perf_counter()
        counts = walk(deck)
        took = time.perf_counter() - started
        same = counts == dict(deck.counts)
        differ += not same
        verdict = "as in the file" if same else f"in the file {dict(deck.counts)}"
        print(f"{deck.name}: {counts}, {verdict} ({took:.1f} s)", flush=True)
        head = re.escape(f'name = "{deck.name}"')
        text = re.sub(
            rf"({head}\n(?:(?!\[\[deck\]\]).*\n)*?)counts = .*\n",
            lambda match, line=_as_line(counts): f"{match[1]}{line}\n",
            text,
        )
    if given.write:
        FILE.write_text(text, encoding="utf-8")
    return 1 if differ and not given.write else 0


if __name__ == "__main__":
    sys.exit(main())
