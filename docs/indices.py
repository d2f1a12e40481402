"""
The tables of actions as numbers: words and sizes.
"""

from __future__ import annotations

import contextlib

from collections.abc import Iterator
from typing import Final

import rummyvariants as rv

from rummyvariants.learning._vocabulary import words_of


EXAMPLES: Final = (("gin-rummy", 2), ("rummy-500", 2), ("canasta", 4))
"""The games whose indices the table of words shows."""
MEANINGS: Final = {
    "what is done": "the verb of an action, always asked first",
    "a card": "a card that is laid, put, traded or discarded; also in a text of cards",
    "how many": "a number of cards; `all` for the whole discard pile",
    "a meld": "a meld of the table by its number",
    "a new meld": "a new one; a set of a rank, a run of a suit, wilds alone",
    "the ends of a run": "its lowest card, then its highest",
    "a place of a meld": "a wild for the place, or a card beside its wild; `grow` for "
    "cards after that",
    "what is shown": "a knock without a discard, or with one that would break a meld; "
    "in a wrong declaration no melds; a card that is in no meld",
    "what a wild stands for": "in a text of cards: the wild before it stands for the "
    "card or the rank after it",
    "no more": "no further cards, or no further melds",
    "the end of a text": "only where another text begins with the same words",
    "letters": "for names that house rules give",
}
"""What the words are for, by their groups."""


def parts() -> dict[str, str]:
    """
    The tables, by their names.
    """
    return {
        "words": "\n".join(_words()),
        "sizes": "\n".join(_sizes("stepwise")),
        "flat_sizes": "\n".join(_sizes("flat")),
    }


def _words() -> Iterator[str]:
    """
    The table of words, with their indices in some games.
    """
    groups = [_groups(*one) for one in EXAMPLES]
    names = " | ".join(f"`{name}`, {players}" for name, players in EXAMPLES)
    yield f"| for | words | meaning | {names} |"
    yield "| :--- | :--- | :--- |" + " ---: |" * len(EXAMPLES)
    for name, meaning in MEANINGS.items():
        widest = max([one.get(name, []) for one in groups], key=len)
        spans = [_span(one, name) for one in groups]
        yield f"| {name} | {_shown(widest)} | {meaning} | {' | '.join(spans)} |"


def _groups(name: str, players: int) -> dict[str, list[str]]:
    """
    All labels of a game, by what they are for.
    """
    rules = rv.preset(name)
    found = words_of(rules, players)
    known = {word for words in found.values() for word in words}
    labels = rv.learning.encoding(rules, players).labels
    others = [one for one in labels if one not in known]
    found["the end of a text"] = [*others[:1]]
    found["letters"] = [*others[1:]]
    return found


def _span(groups: dict[str, list[str]], name: str) -> str:
    """
    The first and the last index of a group.
    """
    if not groups.get(name):
        return ""
    before = [*groups][: [*groups].index(name)]
    first = sum([len(groups[one]) for one in before])
    last = first + len(groups[name]) - 1
    return f"{first}" if first == last else f"{first} to {last}"


def _shown(words: list[str]) -> str:
    """
    Words, the middle of many left out.
    """
    marked = [f"`{word}`" for word in words]
    if len(marked) > 12:
        marked = [*marked[:2], "...", *marked[-2:]]
    return ", ".join(marked)


def _sizes(form: str) -> Iterator[str]:
    """
    The sizes of all presets that have a form, by the number of players.
    """
    found = {name: _by_players(name, form) for name in rv.presets()}
    numbers = sorted({number for sizes in found.values() for number in sizes})
    yield f"| game | {' | '.join(map(str, numbers))} |"
    yield "| :--- |" + " ---: |" * len(numbers)
    for name, sizes in found.items():
        if sizes:
            row = [str(sizes.get(number, "")) for number in numbers]
            yield f"| `{name}` | {' | '.join(row)} |"


def _by_players(name: str, form: str) -> dict[int, int]:
    """
    The sizes of a game by the number of players.
    """
    found = {}
    for players in range(1, 13):
        with contextlib.suppress(rv.errors.RulesError, rv.learning.EncodingError):
            found[players] = rv.learning.encoding(name, players, form).size
    return found
