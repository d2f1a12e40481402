"""
Decks so small that every state of a round can be walked through.

How many states there are depends on what a state of ours holds; how many sequences of
actions lead to the end of the round is the same for every engine, so
`docs/conformance.md` asks for those.
"""

from __future__ import annotations

import re
import tomllib

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs

import rummyvariants as rv

from rummyvariants.files._positions import read_position
from rummyvariants.rules._files import read_rules


FILE = Path(__file__).parent / "data" / "tiny_decks.toml"
MODULUS = 1_000_000_007
"""What numbers of sequences are counted modulo, so that they fit any integer."""

Sequences = dict[str, int | list[int]]
"""How many sequences end in which way, and what their ends bring, by seat."""


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
        sequences: What `sequences` says of them.
        naive_every: Of how many states one is compared with the naive twin; 0 where
            house rules decide that it does not know.
    """

    name: str
    rules: Mapping[str, Any]
    counts: Mapping[str, int]
    sequences: Mapping[str, Any] = attrs.field(factory=dict)
    players: int = 2
    dealer: int = 0
    deck: str = ""
    position: Mapping[str, Any] = attrs.field(factory=dict)
    naive_every: int = 1

    @property
    def is_big(self) -> bool:
        """
        Whether its states are too many to look at them all at every change.
        """
        return self.counts.get("states", 0) > 2_000

    def start(self) -> rv.State:
        """
        The round as it is dealt.
        """
        rules = read_rules(dict(self.rules))
        if self.position:
            return read_position(self.position, rules)
        state = rv.game.begin(rules, self.players, seed=None, dealer=self.dealer)
        cards = rv.cards.parse_cards(self.deck)
        assert len(cards) == len(rules.deck.cards_for(self.players)), "name every card"
        return rv.game.deal(state, deck=cards)


def tiny_decks() -> tuple[TinyDeck, ...]:
    """
    The decks of the file.
    """
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))["deck"]
    return tuple(TinyDeck(**{"counts": {}, **entry}) for entry in entries)


Look = Callable[[int, rv.State, list[rv.Action]], None]


Moves = Callable[[rv.State], Iterable[rv.Action]]


def walk(
    deck: TinyDeck, look: Look | None = None, moves: Moves = rv.legal_actions
) -> tuple[dict[str, int], Sequences]:
    """
    Go through every state that a deal can lead to, each once, nearest first.

    Args:
        deck: The deck.
        look: Told the number of each state, the state, and what may be done in it.
        moves: Says what may be done in a state.

    Returns:
        The counts, and what `sequences` says.
    """
    start = deck.start()
    numbers = {start: 0}
    waiting = deque([start])
    after: list[list[int]] = []
    ends: dict[int, rv.State] = {}
    while waiting:
        state = waiting.popleft()
        actions = list(moves(state))
        if look is not None:
            look(len(after), state, actions)
        if state.phase in {"deal", "over"}:
            ends[len(after)] = state
            actions = []
        found = []
        for action in actions:
            state_after = rv.apply(state, action)
            if state_after not in numbers:
                numbers[state_after] = len(numbers)
                waiting.append(state_after)
            found.append(numbers[state_after])
        after.append(found)
    how = Counter(map(_how, ends.values()))
    counts = {"states": len(after), "steps": sum(map(len, after))}
    return {**counts, **dict(sorted(how.items()))}, sequences(after, ends)


def _how(end: rv.State) -> str:
    return end.result.how if end.result else "thrown in"


def sequences(after: list[list[int]], ends: Mapping[int, rv.State]) -> Sequences:
    """
    How many sequences of actions lead from the first state to the end of the round.

    Args:
        after: By the number of a state, the states that its actions lead to, one for
            each action.
        ends: The states in which the round is over, by number.

    Returns:
        By how the round ended, how many sequences end so; and by seat the points that
        all of them bring, and after how many of them the seat has won the match. All
        numbers are counted modulo `MODULUS`.
    """
    leading = dict.fromkeys(range(len(after)), 0)
    leading[0] = 1
    for number in _in_order(after):
        for later in after[number]:
            leading[later] = (leading[later] + leading[number]) % MODULUS
    how: Counter[str] = Counter()
    players = len(ends[max(ends)].players)
    points, won = [0] * players, [0] * players
    for number, end in ends.items():
        how[_how(end)] += leading[number]
        for seat, brought in enumerate(end.result.points if end.result else ()):
            points[seat] += leading[number] * brought
        for seat in end.winners:
            won[seat] += leading[number]
    return {
        **{key: one % MODULUS for key, one in sorted(how.items())},
        "points": [one % MODULUS for one in points],
        "won": [one % MODULUS for one in won],
    }


def _in_order(after: list[list[int]]) -> list[int]:
    """
    The states, each before all that it leads to.
    """
    into = Counter(later for found in after for later in found)
    ready = [0]
    for number in ready:
        for later in after[number]:
            into[later] -= 1
            if not into[later]:
                ready.append(later)
    assert len(ready) == len(after), "a sequence goes round in a circle"
    return ready


def as_lines(counts: Mapping[str, int], sequences: Sequences) -> str:
    """
    Counts and sequences as they stand in the file.
    """
    lines = ""
    for name, table in {"counts": counts, "sequences": sequences}.items():
        inside = ", ".join(
            f"{key} = {value}" if key.isidentifier() else f'"{key}" = {value}'
            for key, value in table.items()
        )
        lines += f"{name} = {{ {inside} }}\n"
    return lines


def with_lines(text: str, name: str, lines: str) -> str:
    """
    The text of a file with other counts and sequences for the deck of a name.
    """
    head = re.escape(f'name = "{name}"')
    pattern = rf"({head}\n(?:(?!\[\[deck\]\]).*\n)*?)counts = .*\n(?:sequences = .*\n)?"
    return re.sub(pattern, lambda match: f"{match[1]}{lines}", text)
