"""
The words of the stepwise encoding, by which every choice is spelled.

The list depends on the rules and the number of players alone. A choice whose text is a
word of the list is one index. Any other text is spelled by its parts, such as the cards
of melds; a text that has a part which is no word is spelled letter by letter, so that
the choices of third parties can be spelled whatever they are called.
"""

from __future__ import annotations

import itertools
import string

from collections.abc import Iterable, Iterator
from typing import Final, final

from rummyvariants.cards import CARDS, JOKER, RANKS
from rummyvariants.game._engine.verbs import VERBS
from rummyvariants.melds._choices import (
    DONE,
    GROW,
    for_beside,
    for_card,
    for_high,
    for_low,
    for_meld,
    for_number,
    for_place,
    for_shape,
)
from rummyvariants.rules._ruleset import Ruleset


_LETTERS: Final = string.printable[:95]
"""What letters of other alphabets are written with, as in a text of Python."""
_END: Final = "(end)"


@final
class Vocabulary:
    """
    The words, each with its index, and how texts are spelled by them.

    Args:
        words: The words, without the letters and the end of a text.
        places: The texts of what a wild may stand for in a meld.

    Attributes:
        labels: The words by index.
        end: The index of the end of a text, used where a longer text begins alike.
    """

    __slots__ = ("_letters", "_places", "_words", "end", "labels")

    def __init__(self, words: Iterable[str], places: Iterable[str]) -> None:
        standing = {place: f"={place}" for place in places}
        letters = {letter: f"letter {letter}" for letter in _LETTERS}
        own = {_END, *standing.values(), *letters.values()}
        plain = [one for one in dict.fromkeys(words) if one not in own]
        self.labels = (*plain, *standing.values(), _END, *letters.values())
        numbers = {label: at for at, label in enumerate(self.labels)}
        self.end = numbers[_END]
        self._words = {one: numbers[one] for one in plain}
        self._places = {one: numbers[label] for one, label in standing.items()}
        self._letters = {one: numbers[label] for one, label in letters.items()}

    def spelled(self, text: str) -> tuple[int, ...]:
        """
        The indices that spell a text; different texts are spelled differently.
        """
        whole = self._words.get(text)
        if whole is not None:
            return (whole,)
        found: list[int] = []
        for part in text.split(" "):
            word, stands, place = part.partition("=")
            if word not in self._words or (stands and place not in self._places):
                letters = text.encode("unicode_escape").decode("ascii")
                return tuple([self._letters[one] for one in letters])
            found.append(self._words[word])
            if stands:
                found.append(self._places[place])
        return tuple(found)


def vocabulary_of(rules: Ruleset, players: int) -> Vocabulary:
    """
    The words of some rules for so many players.
    """
    faces = sorted({*rules.deck.cards_for(players)})
    suited = [code for code in faces if code != JOKER]
    cards = len(rules.deck.cards_for(players))
    numbers = range(1, cards + 1)
    places = [str(CARDS[code]) for code in suited]
    ranks = [rank for rank in RANKS if rank in rules.deck.ranks]
    texts = itertools.chain(
        (verb.name for verb in VERBS.values() if verb.exists(rules)),
        map(str, [for_card(DONE), for_beside(GROW), for_meld((0, None))]),
        ("no discard", "of a meld", "all", "none", "/"),
        (f"seat {seat}" for seat in range(players)),
        _texts(for_meld((number, True)) for number in range(cards + 1)),
        _texts(map(for_number, numbers)),
        _texts(map(for_shape, [*ranks, "*", *rules.deck.suits, "wilds"])),
        _texts(map(for_card, faces)),
        _texts(for_place(~code) for code in suited),
        _texts(map(for_beside, suited)),
        _texts(map(for_low, suited)),
        _texts(map(for_high, suited)),
    )
    return Vocabulary(texts, [*places, *ranks])


def _texts(choices: Iterable[object]) -> Iterator[str]:
    return map(str, choices)
