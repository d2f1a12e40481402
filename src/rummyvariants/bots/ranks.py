"""
What a seat holds and its side has of each rank, where melds are one set of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import attrs

from rummyvariants.cards import codes, size, total
from rummyvariants.game._engine.plays import AnyState, sets_of, terms_of
from rummyvariants.game._state import side_of
from rummyvariants.game.actions import GoDown, LayDown, LayOff
from rummyvariants.melds._meld import Meld, Played, place, played


_NO_CANASTA: Final = 99
"""The size of a canasta where no meld is one."""


@attrs.frozen(eq=False)
class Rank:
    """
    What there is of a rank.

    Attributes:
        name: The rank.
        held: Its natural cards in the hand, as a multiset.
        number: The number of the side's set on the table; 0 if there is none.
        laid: How many natural cards that set has.
        wilds: How many wilds it has.
        room: How many more wilds it could have with the natural cards of the hand.
        last: Whether it is melded only as the last meld of a hand.
    """

    name: str
    held: int
    number: int
    laid: int
    wilds: int
    room: int
    last: bool

    @property
    def size(self) -> int:
        """
        How many cards the set has if the natural cards of the hand are laid.
        """
        return self.laid + self.wilds + size(self.held)


@attrs.frozen(eq=False)
class Holding:
    """
    What a hand and the table hold for its side.

    Attributes:
        ranks: What there is of each rank, if anything; those worth most first.
        wilds: The wilds of the hand by their codes, those worth most first.
        least: The fewest cards of a set.
        canasta: The fewest cards of a canasta.
        lacking: How many canastas the side lacks to go out.
    """

    ranks: tuple[Rank, ...]
    wilds: tuple[int, ...]
    least: int
    canasta: int
    lacking: int

    def of(self, name: str) -> Rank | None:
        """
        What there is of a rank.
        """
        return next((one for one in self.ranks if one.name == name), None)

    @property
    def open(self) -> list[Rank]:
        """
        The ranks of which cards may be laid before the end of a hand.
        """
        return [one for one in self.ranks if not one.last]


def holding_of(state: AnyState, seat: int, hand: int) -> Holding:
    """
    What a hand and the table hold for the side of a seat.

    Args:
        state: A state after the deal; only what the seat may see is used.
        seat: The seat.
        hand: Its hand, or what the hand may become, as a multiset.
    """
    rules, terms = state.match.rules, terms_of(state)
    natural = hand & terms.natural_mask
    laid = sets_of(state, seat)
    found = []
    for name in terms.set_ranks:
        held = natural & terms.rank_masks[name]
        number = laid.get(name, 0)
        if held or number:
            found.append(_rank(state, name, held, number))
    found.sort(key=lambda one: -terms.worth[terms.set_codes[one.name][0]])
    wilds = sorted(codes(hand & terms.wild_mask), key=lambda code: -terms.worth[code])
    canasta = rules.out.canasta or _NO_CANASTA
    made = sum([len(meld) >= canasta for meld in melds_of(state, seat)])
    needed = rules.out.canastas_needed(len(state.match.players))
    return Holding(
        tuple(found), tuple(wilds), terms.least_set, canasta, max(0, needed - made)
    )


def _rank(state: AnyState, name: str, held: int, number: int) -> Rank:
    rules, terms = state.match.rules, terms_of(state)
    laid = wilds = 0
    if number:
        meld = state._table[number - 1]
        wilds = sum([terms.wild[slot.card.code] for slot in meld.slots])
        laid = len(meld) - wilds
    room = 0
    if name not in terms.natural_ranks:
        room = max(0, terms.wild_room("set", laid + size(held), wilds))
    last = name in rules.meld.last_ranks
    return Rank(name, held, number, laid, wilds, room, last)


def melds_of(state: AnyState, seat: int) -> list[Meld]:
    """
    The melds of a seat's side.
    """
    side = side_of(state, seat)
    return [meld for meld in state._table if side >> meld.maker & 1]


Laying = tuple[Rank, int, tuple[int, ...]]
"""A rank, natural cards of it as a multiset, and wilds by their codes."""


def cards_of(laying: Laying) -> tuple[Played, ...]:
    """
    The cards of a laying, declared.
    """
    rank, natural, wilds = laying
    standing = place(rank.name)
    return (
        *[played(code) for code in codes(natural)],
        *[played(code, standing) for code in wilds],
    )


def laid(laying: Laying, seat: int) -> LayDown | LayOff:
    """
    Some cards of a rank as a play: a new set, or added to that of the side.
    """
    rank = laying[0]
    if rank.number:
        return LayOff(cards_of(laying), rank.number, None, seat)
    return LayDown(cards_of(laying), seat)


def laid_together(layings: Iterable[Laying], seat: int) -> LayDown | GoDown:
    """
    Some new sets as one play.
    """
    melds = tuple(map(cards_of, layings))
    return LayDown(melds[0], seat) if len(melds) == 1 else GoDown(melds, seat)


def points_of(worth: tuple[int, ...], layings: Iterable[Laying]) -> int:
    """
    The points of the cards of some layings.
    """
    found = 0
    for _, natural, wilds in layings:
        found += total(worth, natural) + sum([worth[code] for code in wilds])
    return found


def parts_of(held: int, least: int) -> Iterator[int]:
    """
    Natural cards of a rank, all of them first, then fewer, so many at least.
    """
    found = codes(held)
    for number in range(len(found), max(least, 1) - 1, -1):
        part = 0
        for code in found[:number]:
            part += 1 << 4 * code
        yield part
