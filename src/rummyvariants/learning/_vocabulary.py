"""
The words of the stepwise form, by which every choice is spelled.

The list depends on the rules and the number of players alone. A choice whose text is a
word of the list is one index. Any other text is spelled by its parts, such as the cards
of melds; a text with a part that is no word, such as the name of a place that a house
rule declares, is spelled letter by letter.
"""

from __future__ import annotations

import itertools
import string

from collections.abc import Iterable
from typing import Final, final

from rummyvariants._patterns import MELDS, PLAYED, SEVERAL, SHOWN
from rummyvariants.actions import Choose, PutWild, Split
from rummyvariants.cards import CARDS, JOKER, RANKS
from rummyvariants.game import Choice
from rummyvariants.game.verbs._known import VERBS
from rummyvariants.game.verbs._verb import Verb
from rummyvariants.melds._choices import (
    DONE,
    GROW,
    for_beside,
    for_card,
    for_high,
    for_low,
    for_meld,
    for_number,
    for_part,
    for_place,
    for_shape,
)
from rummyvariants.rules import Ruleset


_LETTERS: Final = string.printable[:95]
"""The letters in which any text can be written, others escaped as in Python."""
_END: Final = "(end)"
_FEW: Final = len(RANKS)
"""How far is counted where one discard is taken at most."""
_SHORTEST: Final = 3
"""The fewest cards in a part of a meld that was split."""


@final
class Vocabulary:
    """
    The words with their indices, and how texts are spelled by them.

    Args:
        words: The words, without those that are added to them.
        places: The texts of what a wild may stand for in a meld.

    Attributes:
        labels: The words by index: those given, those for the places, the end, letters.
        end: The index of the end of a text, where another text goes on.
    """

    __slots__ = ("_letters", "_places", "_words", "end", "labels")

    def __init__(self, words: Iterable[str], places: Iterable[str]) -> None:
        standing = {place: f"={place}" for place in places}
        letters = {letter: f"letter {letter}" for letter in _LETTERS}
        letters[" "] = "letter space"
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
    words = itertools.chain.from_iterable(words_of(rules, players).values())
    return Vocabulary(words, _places(rules, players))


def words_of(rules: Ruleset, players: int) -> dict[str, list[str]]:
    """
    The words that follow from the rules, by what they are for, in their order.
    """
    cards = rules.deck.cards_for(players)
    verbs = verbs_under(rules)
    fields = {form for verb in verbs for form in verb.fields.values()}
    numbers = range(1, most_counted(rules, len(cards)) + 1)
    found = {
        "what is done": [name for verb in verbs for name in verb.names(rules)],
        "a seat": [f"seat {seat}" for seat in range(players)],
        "how many": [*map(str, map(for_number, numbers)), "all"],
        "a card": [*map(str, map(for_card, sorted({*cards})))],
    }
    if not fields.isdisjoint(_LAID):
        found |= _to_lay(rules, cards, wild=has_wilds(rules, players))
    if SHOWN in fields:
        found["the discard of a knock"] = ["no discard", "of a meld"]
        found["the melds of a hand"] = ["none", str(for_part(()))]
    if rules.with_cards:
        found["no more"] = [str(for_card(DONE))]
    return found


def _to_lay(
    rules: Ruleset, cards: tuple[int, ...], *, wild: bool
) -> dict[str, list[str]]:
    """
    The words with which melds are put together from cards.
    """
    suited = sorted({*cards} - {JOKER})
    shapes = [*_ranks(rules), "*", *rules.deck.suits, "wilds"]
    shapes += [one.name for one in rules.kinds]
    melds = range(most_melds(rules, len(cards)) + 1)
    found: dict[str, list[Choice]] = {
        "a meld": [for_meld((0, None)), *[for_meld((one, True)) for one in melds]],
        "the shape of a meld": [*map(for_shape, shapes)],
        "the ends of a run": [*map(for_low, suited), *map(for_high, suited)],
        "no more": [for_card(DONE)],
    }
    if wild:
        found["a place of a meld"] = [for_place(~code) for code in suited]
        found["beside a wild"] = [*map(for_beside, (*suited, GROW))]
    return {what: [*map(str, choices)] for what, choices in found.items()}


def _places(rules: Ruleset, players: int) -> list[str]:
    """
    What a wild may stand for in a meld that is chosen as a whole.
    """
    fields = {check for verb in verbs_under(rules) for check in verb.fields.values()}
    if fields.isdisjoint(_NAMED) or not has_wilds(rules, players):
        return []
    suited = sorted({*rules.deck.cards_for(players)} - {JOKER})
    return [*(str(CARDS[code]) for code in suited), *_ranks(rules)]


def _ranks(rules: Ruleset) -> list[str]:
    return [rank for rank in RANKS if rank in rules.deck.ranks]


_LAID: Final = frozenset({PLAYED, MELDS, SEVERAL})
"""Fields of actions for which melds are chosen card by card, or one after another."""
_NAMED: Final = frozenset({SHOWN, MELDS, SEVERAL})
"""Fields of actions for which whole melds are chosen by their cards."""


def verbs_under(rules: Ruleset) -> list[Verb]:
    """
    The kinds of action that players have under some rules.
    """
    return [verb for verb in VERBS.values() if verb.exists(rules)]


def has_wilds(rules: Ruleset, players: int) -> bool:
    """
    Whether some card may be wild in a deal for so many players.
    """
    if rules.wild.is_named:
        return True
    permanent = rules.wild.permanent()
    return any(permanent[code] for code in rules.deck.cards_for(players))


def most_counted(rules: Ruleset, cards: int) -> int:
    """
    The largest number of cards that is a word.
    """
    several = takes_several(rules) or VERBS[Split].exists(rules)
    chosen = rules.deal.choices() if VERBS[Choose].exists(rules) else ()
    return max(cards if several else min(cards, _FEW), *chosen, 1)


def takes_several(rules: Ruleset) -> bool:
    """
    Whether several discards may ever be taken at once.
    """
    return not rules.draw.takes_top


def most_melds(rules: Ruleset, cards: int) -> int:
    """
    How many melds so many cards can make, single wilds counted where they may lie.
    """
    singles = VERBS[PutWild].exists(rules)
    least = min(rules.meld.least_set, rules.meld.least_run, _SHORTEST)
    return cards // (1 if singles else least)
