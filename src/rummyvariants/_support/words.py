"""
Numbers, ranks, cards and lists in plain English, for rule sheets and messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rummyvariants.cards import RANKS


_NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve"),
)
_ORDINALS: Final = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"),
    *("ninth", "tenth", "eleventh", "twelfth", "thirteenth"),
)
_RANKS: Final[Mapping[str, str]] = {
    "A": "ace",
    **{str(value): _NUMBERS[value] for value in range(2, 10)},
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "*": "joker",
}
_SUITS: Final[Mapping[str, str]] = {
    "c": "clubs",
    "d": "diamonds",
    "h": "hearts",
    "s": "spades",
    "x": "stars",
}
_STRETCH: Final = 3
"""How many neighbouring ranks are needed to name only the first and the last."""


def number(value: int) -> str:
    """
    A number as a word up to twelve, in figures beyond.
    """
    return _NUMBERS[value] if 0 <= value < len(_NUMBERS) else str(value)


def ordinal(value: int) -> str:
    """
    A number as a place in an order.
    """
    return _ORDINALS[value - 1]


def counted(value: int, noun: str) -> str:
    """
    A number with its noun, whose plural ends in -s: ``one pack``, ``no packs``.
    """
    return f"{number(value)} {noun}{'' if value == 1 else 's'}"


def figure(value: int, noun: str) -> str:
    """
    A number in figures with its noun, whose plural ends in -s: ``1 card``, ``0 cards``.
    """
    return f"{value} {noun}{'' if abs(value) == 1 else 's'}"


def from_to(low: int, high: int, noun: str) -> str:
    """
    From one number to another in figures: ``2 to 8 players``, or ``4 players``.
    """
    return f"{low} to {high} {noun}s" if low < high else figure(low, noun)


def times(value: int) -> str:
    """
    How often something occurs: ``once``, ``three times``; ``not at all`` for 0.
    """
    often = {0: "not at all", 1: "once", 2: "twice"}
    return often.get(value) or f"{number(value)} times"


def capital(text: str) -> str:
    """
    A text that starts with a capital.
    """
    return text[:1].upper() + text[1:]


def listed(items: Iterable[str], word: str = "and") -> str:
    """
    A list in words: ``a, b and c``; empty for none.
    """
    *some, last = [*items] or [""]
    return f"{', '.join(some)} {word} {last}" if some else last


def rank(letter: str) -> str:
    """
    The name of a rank.
    """
    return _RANKS[letter]


def ranks(letter: str) -> str:
    """
    The name of a rank in the plural.
    """
    return "sixes" if letter == "6" else _RANKS[letter] + "s"


def suit(letter: str) -> str:
    """
    The name of a suit.
    """
    return _SUITS[letter]


def card(text: str) -> str:
    """
    The name of a card: ``queen of spades``.
    """
    return f"{rank(text[0])} of {suit(text[1])}" if len(text) > 1 else rank(text)


def cards(names: Iterable[str], word: str = "or") -> str:
    """
    Cards with their articles; both red or both black ones of a rank by that name.

    ``["3d", "3h", "Qs"]`` are ``a red three or the queen of spades``.
    """
    left = [*names]
    found = []
    while left:
        one = left.pop(0)
        colour = "dh" if one[1:] in {*"dh"} else "cs"
        twin = one[0] + colour.replace(one[1:], "")
        if one[1:] and twin in left:
            left.remove(twin)
            found.append(f"a {'red' if colour == 'dh' else 'black'} {rank(one[0])}")
        else:
            found.append(a(card(one)) if one == "*" else f"the {card(one)}")
    return listed(found, word)


def a(noun: str) -> str:
    """
    A noun with its article: ``an ace``.
    """
    vowel = noun[0].lower() in "aeio" and not noun.startswith("one")
    return f"{'an' if vowel else 'a'} {noun}"


def rank_list(letters: Iterable[str], word: str = "and") -> str:
    """
    Ranks with neighbours drawn together: ``two to nine and king``.
    """
    order = RANKS[1:] + "A*"
    places = sorted(order.index(letter) for letter in letters)
    named: list[str] = []
    start = 0
    for at in range(1, len(places) + 1):
        if at < len(places) and places[at] == places[at - 1] + 1:
            continue
        stretch = [rank(order[place]) for place in places[start:at]]
        is_long = len(stretch) > _STRETCH
        named += [f"{stretch[0]} to {stretch[-1]}"] if is_long else stretch
        start = at
    return listed(named, word)


def span(low: int, high: int, word: str = "or") -> str:
    """
    Numbers from one to another: ``two``, ``three or four``, ``five to eight``.
    """
    if low == high:
        return number(low)
    return f"{number(low)} {word if high == low + 1 else 'to'} {number(high)}"


def stretches(values: Mapping[int, int]) -> Sequence[tuple[int, int, int]]:
    """
    A table by number as stretches of one value: (lowest, highest, value).
    """
    found: list[tuple[int, int, int]] = []
    for key in sorted(values):
        if found and found[-1][2] == values[key] and found[-1][1] == key - 1:
            found[-1] = (found[-1][0], key, values[key])
        else:
            found.append((key, key, values[key]))
    return found
