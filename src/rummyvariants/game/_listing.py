"""
Legal actions as structures, by pages and by card: what an interface shows.
"""

from __future__ import annotations

import itertools
import sys

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants._support.values import Value
from rummyvariants.actions import Action, End
from rummyvariants.cards import CARDS, Card
from rummyvariants.errors import RequestError, shown
from rummyvariants.game._engine.naming import (
    melds_named,
    number_named,
    number_of_meld,
)
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game.verbs._known import VERBS
from rummyvariants.melds._meld import Place, Played


PAGE: Final = 200
"""How many actions a page holds, unless another number is given."""


@attrs.frozen(eq=False, repr=False)
class LegalAction(Value):
    """
    A legal action, with what an interface needs to show it.

    Attributes:
        action: The action.
        takes: The cards that it takes from the discard pile, the deepest first.

    >>> legal = rv.legal_actions(rv.new_game("rummy-500", 2, seed=3))
    >>> [(one.verb, one.text, one.takes) for one in legal.details()]
    [('draw', 'draw', ()), ('take', 'take 1', (Card('8c'),))]
    """

    action: Action
    takes: tuple[Card, ...] = ()

    @classmethod
    @explained
    def of(cls, state: AnyState, action: Action) -> LegalAction:
        """
        A legal action of a state.

        >>> state = rv.new_game("rummy-500", 2, seed=3)
        >>> rv.game.LegalAction.of(state, rv.actions.Take(1)).takes
        (Card('8c'),)
        """
        codes = VERBS[type(action)].takes(state, action)
        return cls(action, tuple([CARDS[code] for code in codes]))

    @property
    def text(self) -> str:
        """
        The action in the notation, which `apply` accepts.
        """
        return str(self.action)

    @property
    def seat(self) -> int | None:
        """
        The seat that may do it.
        """
        return self.action.seat

    @property
    def verb(self) -> str:
        """
        The kind of action, by the name that the chooser gives it.
        """
        return VERBS[type(self.action)].name_of(self.action)

    @property
    def played(self) -> tuple[Played, ...]:
        """
        The cards that it names, each with what a wild is declared to stand for.

        The melds that a knock or a declaration shows are not among them.
        """
        return tuple(VERBS[type(self.action)].named(self.action))

    @property
    def cards(self) -> tuple[Card, ...]:
        """
        The cards that it names: those that a player touches to do it.
        """
        return tuple([one.card for one in self.played])

    @property
    def stands_for(self) -> tuple[Place | None, ...]:
        """
        What each of its cards is declared to stand for; None for most.
        """
        return tuple([one.stands_for for one in self.played])

    @property
    def melds(self) -> tuple[tuple[Played, ...], ...]:
        """
        The new melds that it makes or shows, each with its cards.
        """
        return melds_named(self.action)

    @property
    def meld(self) -> int | None:
        """
        The number of the meld on the table that it changes; None if it changes none.
        """
        return number_of_meld(self.action)

    @property
    def end(self) -> End | None:
        """
        The end of a run that an ace goes to, where it fits both.
        """
        return getattr(self.action, "end", None)

    @property
    def number(self) -> int | None:
        """
        The number that it names: of cards to take, of a hand, of the first part.
        """
        return number_named(self.action)

    @explained
    def involves(self, card: Card) -> bool:
        """
        Whether it names a card, or takes it from the discard pile.

        >>> legal = rv.legal_actions(rv.new_game("rummy-500", 2, seed=3))
        >>> [one.text for one in legal.details() if one.involves(rv.Card("8c"))]
        ['take 1']
        """
        return card in self.cards or card in self.takes

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<LegalAction {self.text!r}>"


@attrs.frozen
class ActionPage:
    """
    Some legal actions, and where the others begin.

    Attributes:
        seat: Whose actions they are; None if several seats may act, or nobody may.
        card: The card that all of them involve; None if they were not chosen by card.
        start: How many actions come before them.
        actions: The actions, in the order of `LegalActions`.
        next: The start of the next page; None if this one is the last.

    >>> state = rv.apply(rv.new_game("rummy-500", 2, seed=3), "draw")
    >>> page = rv.legal_actions(state).page(0, 2)
    >>> [one.text for one in page.actions], page.next
    (['discard 6c', 'discard 4d'], 2)
    """

    seat: int | None
    card: Card | None
    start: int
    actions: tuple[LegalAction, ...]
    next: int | None

    @property
    def by_card(self) -> Mapping[Card, tuple[LegalAction, ...]]:
        """
        For each card, the actions of this page that involve it.
        """
        return grouped(self.actions)


def grouped(actions: Iterable[LegalAction]) -> dict[Card, tuple[LegalAction, ...]]:
    """
    Actions by the cards that they involve, in the order of the cards.
    """
    found: dict[Card, list[LegalAction]] = {}
    for one in actions:
        for card in dict.fromkeys((*one.cards, *one.takes)):
            found.setdefault(card, []).append(one)
    return {card: tuple(found[card]) for card in sorted(found)}


def page_of(
    actions: Iterator[LegalAction],
    seat: int | None,
    card: Card | None,
    start: int,
    size: int,
) -> ActionPage:
    """
    A page of legal actions; no more of them are found than it needs.

    Args:
        actions: The actions, from the first.
        seat: Whose they are.
        card: The card by which they were chosen, if they were.
        start: How many to pass over.
        size: The most to list.

    Raises:
        RequestError: If there is no such page.
    """
    for name, value, least in (("start", start, 0), ("size", size, 1)):
        if type(value) is not int or value < least:
            msg = f"{name}: give a whole number from {least}, not {shown(value)}"
            raise RequestError(msg)
    # `islice` takes no longer numbers, and no list goes so far.
    ends = [min(end, sys.maxsize) for end in (start, start + size)]
    found = tuple(itertools.islice(actions, *ends))
    more = next(actions, None) is not None
    return ActionPage(seat, card, start, found, start + size if more else None)
