"""
The words of the stepwise form, by which every choice is spelled.

The list depends on the rules and the number of players alone, and has no word that
these rules never need. A choice whose text is a word of the list is one index. Any
other text is spelled by its parts, such as the cards of melds; where house rules may
give places names of any kind, a text with a part that is no word is spelled letter by
letter.
"""

from __future__ import annotations

import itertools
import string

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, final

from rummyvariants._patterns import MELDS, PLAYED, SEVERAL, SHOWN
from rummyvariants.actions import (
    Arrange,
    CallRummy,
    Choose,
    Declare,
    HouseAction,
    NewMeld,
    NewMelds,
    Split,
    TakeAndMeld,
)
from rummyvariants.cards import JOKER, RANKS
from rummyvariants.errors import RummyError
from rummyvariants.game._engine.beginning import largest_hand
from rummyvariants.game.verbs._known import VERBS
from rummyvariants.game.verbs._verb import Verb
from rummyvariants.learning._packing import Memo
from rummyvariants.melds._choices import (
    DONE,
    GROW,
    for_beside,
    for_card,
    for_meld,
    for_part,
    for_shape,
)
from rummyvariants.policies.deal import sizes_of
from rummyvariants.rules import Ruleset


_LETTERS: Final = string.printable[:95]
"""The letters in which any text can be written, others escaped as in Python."""
_END: Final = "(end)"
_SHORTEST: Final = 3
"""The fewest cards in a part of a meld that was split."""
_LAID: Final = frozenset({PLAYED, MELDS, SEVERAL})
"""Fields of actions for which melds are chosen card by card, or one after another."""
_NAMED: Final = frozenset({SHOWN, MELDS, SEVERAL})
"""Fields of actions for which whole melds are chosen by their cards."""


@final
class Vocabulary:
    """
    The words with their indices, and how texts are spelled by them.

    Args:
        words: The words, without those that are added to them.
        letters: Whether texts with other words are spelled letter by letter.

    Attributes:
        labels: The words by index: those given, the end, and the letters if wanted.
        end: The index of the end of a text, where another text goes on.
        spelled: By text, the indices that spell it; different texts are spelled
            differently. A `RummyError` says that a word is none of these, and that
            there are no letters.
    """

    __slots__ = ("_letters", "_words", "end", "labels", "spelled")

    def __init__(self, words: Iterable[str], *, letters: bool) -> None:
        names = {one: f"letter {one}" for one in _LETTERS if letters}
        if letters:
            names[" "] = "letter space"
        own = {_END, *names.values()}
        plain = [one for one in dict.fromkeys(words) if one not in own]
        self.labels = (*plain, _END, *names.values())
        numbers = {label: at for at, label in enumerate(self.labels)}
        self.end = numbers[_END]
        self._words = {one: numbers[one] for one in plain}
        self._letters = {one: numbers[label] for one, label in names.items()}
        self.spelled: Final = Memo(self._spell)

    def _spell(self, text: str) -> tuple[int, ...]:
        words = self._words
        if text in words:
            return (words[text],)
        parts: list[str] = []
        for part in text.split(" "):
            word, stands, place = part.partition("=")
            parts += (word, stands, place) if stands else (word,)
        if words.keys() >= {*parts}:
            return tuple([words[one] for one in parts])
        if not self._letters:
            strange = next(one for one in parts if one not in words)
            msg = f"{strange!r} in {text!r} is no word of this encoding"
            raise RummyError(msg)
        letters = text.encode("unicode_escape").decode("ascii")
        return tuple([self._letters[one] for one in letters])


def vocabulary_of(rules: Ruleset, players: int) -> Vocabulary:
    """
    The words of some rules for so many players.
    """
    words = itertools.chain.from_iterable(words_of(rules, players).values())
    return Vocabulary(words, letters=names_anything(rules))


def names_anything(rules: Ruleset) -> bool:
    """
    Whether melds of house rules may have places with names of any kind.
    """
    return any(one.kinds for one in deals_of(rules))


def words_of(rules: Ruleset, players: int) -> dict[str, list[str]]:
    """
    The words with which actions may be chosen, by what they are for, in their order.

    A choice whose text is no word is spelled by the words of its text: ``from 5c`` by
    ``from`` and ``5c``.
    """
    cards = rules.deck.cards_for(players)
    verbs = verbs_under(rules)
    kinds = {verb.kind for verb in verbs}
    fields = {form for verb in verbs for form in verb.fields.values()}
    wild = has_wilds(rules, players)
    names = {HouseAction: actions_of(rules)}
    found = {
        "what is done": [
            name for verb in verbs for name in names.get(verb.kind, [verb.name])
        ],
        "a card": [*map(str, map(for_card, sorted({*cards})))],
        "how many": numbers_under(rules, len(cards)),
    }
    if "meld" in {name for verb in verbs for name in verb.fields}:
        first = 0 if ever(rules, lambda one: one.wild.indicator_stays) else 1
        melds = range(first, most_melds(rules, players) + 1)
        found["a meld"] = [str(for_meld((one, True))) for one in melds]
    runs = ever(rules, lambda one: one.meld.runs)
    if not kinds.isdisjoint(_NEW):
        shapes = [
            rank for rank in _ranks(rules) if ever(rules, partial(_in_sets, rank))
        ]
        shapes += ["*"] * (JOKER in cards and ever(rules, _makes_sets_of_jokers))
        shapes += list(rules.deck.suits) * runs
        shapes += ["wilds"] * (wild and ever(rules, lambda one: one.wild.wild_melds))
        shapes += [kind.name for one in deals_of(rules) for kind in one.kinds]
        calls = CallRummy in kinds and ever(rules, lambda one: one.call.makes_melds)
        called = [str(for_meld((0, None)))] * calls
        found["a new meld"] = [*called, *map(str, map(for_shape, shapes))]
    lays = not fields.isdisjoint(_LAID)
    if lays and runs:
        found["the ends of a run"] = ["from", "to"]
    if lays and wild:
        beside = ["beside", str(for_beside(GROW))]
        beside *= ever(rules, lambda one: one.wild.lies_beside)
        found["a place of a meld"] = ["wild", "for", *beside]
    if SHOWN in fields:
        found["what is shown"] = [
            *("no discard", "of a meld"),
            *(["none"] if Declare in kinds else []),
            str(for_part(())),
        ]
    if not fields.isdisjoint(_NAMED) and wild:
        found["what a wild stands for"] = ["=", *_ranks(rules)]
    if lays or any(one.with_cards for one in deals_of(rules)):
        found["no more"] = [str(for_card(DONE))]
    return found


def ever(rules: Ruleset, holds: Callable[[Ruleset], object]) -> bool:
    """
    Whether something holds under some rules in any of their deals.

    It may, where a house rule does not say what it makes of a deal.
    """
    return not rules.by_deal or any(map(holds, rules.by_deal))


def deals_of(rules: Ruleset) -> tuple[Ruleset, ...]:
    """
    Some rules as they may be in a deal, as far as that is known.
    """
    return rules.by_deal or (rules,)


def actions_of(rules: Ruleset) -> list[str]:
    """
    The names of the actions that house rules offer in any deal.
    """
    return [*dict.fromkeys([name for one in deals_of(rules) for name in one.actions])]


def _in_sets(rank: str, rules: Ruleset) -> bool:
    return rules.meld.sets and rank in rules.meld.set_ranks


def _makes_sets_of_jokers(rules: Ruleset) -> bool:
    return rules.meld.sets and not rules.wild.permanent()[JOKER]


_NEW: Final = frozenset({NewMeld, NewMelds, TakeAndMeld, Arrange})
"""The kinds of actions that lay new melds."""


def _ranks(rules: Ruleset) -> list[str]:
    return [rank for rank in RANKS if rank in rules.deck.ranks]


def verbs_under(rules: Ruleset) -> list[Verb]:
    """
    The kinds of action that players have under some rules, in any of their deals.
    """
    return [verb for verb in VERBS.values() if ever(rules, verb.exists)]


def has_wilds(rules: Ruleset, players: int) -> bool:
    """
    Whether some card may be wild in a deal for so many players.
    """
    cards = rules.deck.cards_for(players)

    def has_some(one: Ruleset) -> bool:
        if one.wild.is_named or "wild_rank" in one.asked:
            return True
        permanent = one.wild.permanent()
        return any(permanent[code] for code in cards)

    return ever(rules, has_some)


def numbers_under(rules: Ruleset, cards: int) -> list[str]:
    """
    The numbers of cards between which players choose.

    Args:
        rules: The rules.
        cards: How many cards the deck has.
    """
    found: set[int] = set()
    if takes_several(rules):
        found.update(range(1, cards + 1))
    if ever(rules, VERBS[Split].exists):
        found.update(range(_SHORTEST, cards))
    if ever(rules, VERBS[Choose].exists):
        found.update(rules.deal.choices())
    return [*map(str, sorted(found)), *(["all"] if takes_several(rules) else [])]


def takes_several(rules: Ruleset) -> bool:
    """
    Whether players ever choose how many discards they take.
    """
    return ever(rules, lambda one: one.draw.takes_several)


def shown_hand(rules: Ruleset, players: int) -> int | None:
    """
    The most cards of a hand, where melds stay in it; None if it may have any number.
    """
    if ever(rules, lambda one: largest_hand(one, players, 1) is None):
        return None
    return max(
        [
            max(sizes_of(one.deal, players)) + 1 + one.wild.by_extra_card
            for one in deals_of(rules)
        ]
    )


def most_melds(rules: Ruleset, players: int) -> int:
    """
    The most melds that may lie on the table, single wilds among them.
    """
    return max([_most_melds(one, players) for one in deals_of(rules)])


def _most_melds(rules: Ruleset, players: int) -> int:
    """
    The same in one deal.
    """
    deck = rules.deck.cards_for(players)
    hand = shown_hand(rules, players)
    # Only the melds of one hand are on the table, if melds stay in hands.
    cards, singles = len(deck) if hand is None else hand, 0
    if rules.layoff.single_wilds:
        named = map(rules.wild.in_deal, ["", *rules.deck.ranks])
        singles = max([sum([wild[code] for code in deck]) for wild in named])
    least = min(rules.meld.least_set, rules.meld.least_run)
    if VERBS[Split].exists(rules):
        least = min(least, _SHORTEST)
    return singles + (cards - singles) // least
