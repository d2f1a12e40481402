"""
A position made in Python: what a scenario file says in its section ``[position]``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rummyvariants.cards import Card, Cards
from rummyvariants.errors import PositionError
from rummyvariants.files._positions import read_position
from rummyvariants.game._state import State
from rummyvariants.rules._files import read_rules
from rummyvariants.rules._ruleset import Ruleset


_OF_CARDS: Final = frozenset({"stock", "discards", "indicator", "upcard", "owed"})
"""The keys that take cards; `hands` takes them by seat."""


def position(
    rules: Ruleset | str | Mapping[str, Any],
    *,
    hands: Mapping[str, str | Cards | Sequence[Card]] | None = None,
    table: Sequence[str] = (),
    seats: Sequence[str] | None = None,
    fill: bool = False,
    **keys: Any,
) -> State:
    """
    A position as a state: to settle a dispute, or to begin in the middle of a round.

    Args:
        rules: The rules, the name of a preset, or a table as a rules file holds it.
        hands: By the name of a seat, its cards as a text or as values. A seat that is
            left out holds none, and nothing is asked about that.
        table: The melds, each with who laid what: ``"Ben: 6h 7h 8h | Ann: 9h"``.
        seats: The names clockwise; if left out, those in ``hands`` and then those in
            ``table``, in the order in which they come.
        fill: Put every card of the deck that lies nowhere below the stock that is
            given: clubs, diamonds, hearts, spades, each from the ace up to the king,
            jokers last.
        keys: ``turn``, ``phase``, ``discards``, ``stock``, ``wild``, ``drawn`` and all
            other keys that ``[position]`` has in a scenario file.

    Raises:
        RulesError: If the rules cannot be.
        PositionError: If the position cannot be; with all its problems.
    """
    if not isinstance(rules, Ruleset):
        rules = read_rules(rules)
    hands = {} if hands is None else hands
    if not isinstance(hands, Mapping):
        msg = "hands: give cards by seat, such as {'Ann': '7h 8h'}"
        raise PositionError(msg)
    if seats is None:
        seats = _named(hands, table)
    by_seat = {name: _text(cards) for name, cards in hands.items()}
    given: dict[str, Any] = {"seats": seats, "hands": by_seat, "table": table, **keys}
    for key, value in given.items():
        if key in _OF_CARDS:
            given[key] = _text(value)
        elif isinstance(value, tuple):
            given[key] = list(value)
    return read_position(given, rules, fill=fill)


def _named(hands: Mapping[str, object], table: object) -> list[str]:
    """
    The seats that hands and melds name, each once.
    """
    names = list(hands)
    for meld in table if isinstance(table, Sequence) else ():
        parts = meld.split("|") if isinstance(meld, str) else ()
        names += [part.partition(":")[0].strip() for part in parts if ":" in part]
    return list(dict.fromkeys(names))


def _text(cards: object) -> object:
    """
    Cards as a text; anything else as it is, for the reader to object to.
    """
    if isinstance(cards, Card | Cards):
        return str(cards)
    if isinstance(cards, tuple | list) and all(isinstance(one, Card) for one in cards):
        return " ".join(map(str, cards))
    return cards
