"""
What a hand can lay where melds are one set of each rank and side, such as in Canasta.

All natural cards of a rank go together; what there is to choose is which ranks are laid
and where the wilds go.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterable, Iterator
from typing import Final

import attrs

from rummyvariants.cards import UNIT, codes, faces, pack, size, total
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import AnyState, sets_of
from rummyvariants.game._state import side_of
from rummyvariants.game.actions import GoDown, LayDown, LayOff
from rummyvariants.melds._meld import Played, place, played
from rummyvariants.policies.out import canastas_to_go_out


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
        room: How many more it could have beside the natural cards of the hand.
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
    What a hand and the table hold for a side.

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

    @property
    def open(self) -> list[Rank]:
        """
        The ranks of which cards may be laid before the end of a hand.
        """
        return [one for one in self.ranks if not one.last]

    @property
    def pairs(self) -> list[Rank]:
        """
        The ranks that lack one card, which may be a wild, for a new set.
        """
        lacking = self.least - 1
        return [
            one
            for one in self.open
            if not one.number and one.room and size(one.held) == lacking
        ]


def holding_of(state: AnyState, seat: int, hand: int) -> Holding:
    """
    What a hand and the table hold for the side of a seat.

    Args:
        state: A state after the deal; only what the seat may see is used.
        seat: The seat.
        hand: Its hand, or what the hand may become, as a multiset.
    """
    rules, terms = state.match.rules, state.dealt.terms
    laid = sets_of(state, seat)
    ranks = []
    for name in terms.set_ranks:
        held = hand & terms.natural_mask & terms.rank_masks[name]
        number = laid.get(name, 0)
        if held or number:
            ranks.append(_rank(state, name, held, number))
    ranks.sort(key=lambda one: -terms.worth[terms.set_codes[one.name][0]])
    wilds = sorted(codes(hand & terms.wild_mask), key=lambda code: -terms.worth[code])
    canasta = rules.out.canasta or _NO_CANASTA
    side, players = side_of(state, seat), len(state._hands)
    mine = [meld for meld in state._table if side >> meld.maker & 1]
    made = sum([len(meld) >= canasta for meld in mine])
    lacking = max(0, canastas_to_go_out(rules.out, players) - made)
    return Holding(tuple(ranks), tuple(wilds), terms.least_set, canasta, lacking)


def _rank(state: AnyState, name: str, held: int, number: int) -> Rank:
    terms = state.dealt.terms
    laid = wilds = room = 0
    if number:
        meld = state._table[number - 1]
        wilds = sum([terms.wild[slot.card.code] for slot in meld.slots])
        laid = len(meld) - wilds
    if name not in terms.natural_ranks:
        room = max(0, terms.wild_room("set", laid + size(held), wilds))
    last = name in state.match.rules.meld.last_ranks
    return Rank(name, held, number, laid, wilds, room, last)


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


def laid(layings: Iterable[Laying], seat: int) -> LayDown | LayOff | GoDown:
    """
    New sets laid together, or cards added to one set of the side, as an action.
    """
    (rank, *_), *others = found = tuple(layings)
    melds = tuple(map(cards_of, found))
    if others:
        return GoDown(melds, seat)
    if rank.number:
        return LayOff(melds[0], rank.number, None, seat)
    return LayDown(melds[0], seat)


def points_of(worth: tuple[int, ...], layings: Iterable[Laying]) -> int:
    """
    The points of the cards of some layings.
    """
    return sum([total(worth, natural + pack(wilds)) for _, natural, wilds in layings])


# ------------------------------------------------------------------------ in mid-hand


def natural_layings(holding: Holding) -> Iterator[list[Laying]]:
    """
    Natural cards added to sets of the side, and new sets of natural cards.

    Of each rank all cards come first, then fewer, since a hand may have to keep some.
    """
    for rank in holding.open:
        found = codes(rank.held)
        least = 1 if rank.number else holding.least
        for number in range(len(found), least - 1, -1):
            yield [(rank, pack(found[:number]), ())]


def growing(holding: Holding, least: int) -> Iterator[list[Laying]]:
    """
    Single wilds on sets of so many cards at least that are no canastas, largest first.
    """
    wild = holding.wilds[:1]
    for rank in sorted(holding.open, key=lambda one: -one.size):
        large = max(least, holding.least - 1) <= rank.size < holding.canasta
        if wild and large and rank.room:
            yield [(rank, rank.held, wild)]


# ---------------------------------------------------------------------- the first melds


def points_needed(state: AnyState, seat: int) -> int:
    """
    The points that a seat's first melds need; 0 for none, or if it has melded.
    """
    found = asking.asked_openings(state, seat)
    return max([answer.points for _, _, answer, _ in found], default=0)


def first_sets(
    state: AnyState, holding: Holding, points: int, top: str = ""
) -> Iterator[list[Laying]]:
    """
    Sets that come to some points together, those with few wilds first.

    Args:
        state: A state after the deal.
        holding: What a hand holds; its side has no meld.
        points: The points.
        top: A rank of which there must be a set of natural cards alone, which comes
            first; empty for none.
    """
    worth = state.dealt.terms.worth
    sets: list[Laying] = [
        (one, one.held, ())
        for one in sorted(holding.open, key=lambda one: one.name != top)
        if size(one.held) >= holding.least
    ]
    if top and not (sets and sets[0][0].name == top):
        return
    paired = [
        (rank, rank.held, (wild,))
        for rank, wild in zip(holding.pairs, holding.wilds, strict=False)
    ]
    for wilds in range(len(paired) + 1):
        for number in range(bool(top), len(sets) + 1):
            made = [*sets[:number], *paired[:wilds]]
            if made and points_of(worth, made) >= points:
                yield made
                break


# ---------------------------------------------------------------------------- going out


def way_out(state: AnyState, seat: int) -> tuple[list[Laying], int] | None:
    """
    How a seat goes out in this turn with most points on the table.

    Args:
        state: A state in which the seat may play.
        seat: The seat.

    Returns:
        What is laid, canastas first, and the last discard as a multiset, 0 for none;
        None if the seat cannot go out.
    """
    hand, worth = state._hands[seat], state.dealt.terms.worth
    ways = []
    for gone in (0, *[UNIT[code] for code in faces(hand)]):
        layings = _all_laid(holding_of(state, seat, hand - gone), hand - gone)
        if layings is not None:
            ways.append((layings, gone))
    return max(ways, key=lambda way: points_of(worth, way[0]), default=None)


def _all_laid(holding: Holding, cards: int) -> list[Laying] | None:
    """
    Layings of all cards that make enough canastas; None if there are none.
    """
    ranks, lacking = holding.ranks, holding.lacking
    spare = len(holding.wilds)
    if sum([size(one.held) for one in ranks]) + spare != size(cards):
        return None  # some card is in no rank of which sets are made
    given = dict.fromkeys([one.name for one in ranks], 0)

    def give(rank: Rank, wilds: int) -> bool:
        nonlocal spare
        if wilds > min(spare, rank.room - given[rank.name]):
            return False
        given[rank.name] += wilds
        spare -= wilds
        return True

    for one in ranks:
        if one.held and not one.number:
            if not give(one, max(0, holding.least - size(one.held))):
                return None
    for one in sorted(ranks, key=lambda one: -one.size - given[one.name]):
        missing = max(0, holding.canasta - one.size - given[one.name])
        if lacking and one.laid + one.wilds < holding.canasta and give(one, missing):
            lacking -= 1
    for one in sorted(ranks, key=lambda one: _spoiled(holding, one)):
        give(one, min(spare, one.room - given[one.name]))
    if lacking or spare:
        return None
    wilds = iter(holding.wilds)
    return [
        (one, one.held, tuple(itertools.islice(wilds, given[one.name])))
        for one in sorted(ranks, key=lambda one: (one.last, -one.size))
        if one.held or given[one.name]
    ]


def _spoiled(holding: Holding, rank: Rank) -> bool:
    """
    Whether a set is a canasta of natural cards, which a wild makes worth less.
    """
    return not rank.wilds and rank.size >= holding.canasta
