"""
How bots play games whose melds are one set of each rank and side, such as Canasta.

All natural cards of a rank go together; what there is to choose is which ranks are laid
and where the wilds go.

The greedy bot takes the pile whenever that pays, and opens and lays as much as it can.
The careful bot weighs what a card is worth in the hand against the pile that its
discard may give away, and keeps wilds for canastas.
"""

from __future__ import annotations

import itertools

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import attrs

from rummyvariants.actions import (
    Action,
    Discard,
    LayOff,
    NewMeld,
    NewMelds,
    TakeAndLayOff,
    TakeAndMeld,
)
from rummyvariants.bots.outlook import Outlook, one_or_two
from rummyvariants.bots.plays import Style
from rummyvariants.cards import CARDS, FIELD, UNIT, codes, faces, pack, size, total
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.draws import top_number
from rummyvariants.game._engine.plays import WILD_RANK, AnyState, sets_of
from rummyvariants.game._engine.transfers import refills
from rummyvariants.game._state import side_of
from rummyvariants.melds import Played
from rummyvariants.melds._meld import place, played
from rummyvariants.policies.draw import allowed_numbers, blocks, freezes
from rummyvariants.policies.out import canastas_to_go_out


_NO_CANASTA: Final = 99
"""The size of a canasta where no meld is one."""

# Found by trial over some thousands of deals of Canasta.
_GIFT: Final = 10.0
"""What each card of the pile costs that the next opponent is sure to take."""
_WILD: Final = 60.0
"""What a wild in the hand is worth."""
_OWN: Final = 30.0
"""The same for a card of a rank that the side has melded."""
_BLOCKING: Final = 30.0
"""The same for a card with which nobody may take the pile."""
_MATES: Final = (0.0, 12.0, 25.0)
"""The same for any other card by its mates in the hand: none, one, or more."""
_SHED: Final = 0.2
"""What a point of the card saves."""
_LARGE: Final = 4
"""How many cards a set has at least that wilds are added to."""
_SINGLE: Final = 0.5
"""How likely a player with one mate and a wild is to take the pile with them."""


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
        lacking: How many canastas the side lacks to empty the hand.
        alone: The meld of wilds alone, if wilds are best used for one.
        saving: Whether the side has no canasta of wilds alone, and so keeps them.
    """

    ranks: tuple[Rank, ...]
    wilds: tuple[int, ...]
    least: int
    canasta: int
    lacking: int
    alone: Rank | None = None
    saving: bool = False

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
        if not held and not number:
            continue
        meld = state._table[number - 1].slots if number else ()
        added = sum([terms.wild[slot.card.code] for slot in meld])
        room, below = 0, len(meld) - added
        if name not in terms.natural_ranks:
            room = max(0, terms.wild_room("set", below + size(held), added))
        last = name in rules.meld.last_ranks
        ranks.append(Rank(name, held, number, below, added, room, last))
    ranks.sort(key=lambda one: -terms.worth[terms.set_codes[one.name][0]])
    wilds = sorted(codes(hand & terms.wild_mask), key=lambda code: -terms.worth[code])
    canasta = rules.out.canasta or _NO_CANASTA
    side, players = side_of(state, seat), len(state._hands)
    mine = [meld for meld in state._table if side >> meld.maker & 1]
    made = sum([len(meld) >= canasta for meld in mine])
    lacking = max(0, canastas_to_go_out(rules.out, players) - made)
    if "refills" in rules.asked and refills(state, seat):
        lacking = 0
    alone, saving = None, False
    if terms.wild_melds and rules.score.canastas[2] > rules.score.canastas[1]:
        number = laid.get(WILD_RANK, 0)
        there = len(state._table[number - 1]) if number else 0
        room = terms.most_wild_meld - there
        alone = Rank(WILD_RANK, 0, number, 0, there, room, last=False)
        saving = not any(one.kind == "wilds" and len(one) >= canasta for one in mine)
    sets = tuple(ranks), tuple(wilds), terms.least_set
    return Holding(*sets, canasta, lacking, alone, saving)


Laying = tuple[Rank, int, tuple[int, ...]]
"""A rank, natural cards of it as a multiset, and wilds by their codes."""


def cards_of(laying: Laying) -> tuple[Played, ...]:
    """
    The cards of a laying, declared.
    """
    rank, natural, wilds = laying
    standing = None if rank.name == WILD_RANK else place(rank.name)
    return (
        *[played(code) for code in codes(natural)],
        *[played(code, standing) for code in wilds],
    )


def laid(layings: Iterable[Laying], seat: int) -> NewMeld | LayOff | NewMelds:
    """
    New sets laid together, or cards added to one set of the side, as an action.
    """
    (rank, *_), *others = found = tuple(layings)
    melds = tuple(map(cards_of, found))
    if others:
        return NewMelds(melds, seat)
    if rank.number:
        return LayOff(melds[0], rank.number, None, seat)
    return NewMeld(melds[0], seat)


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


def wild_layings(holding: Holding) -> Iterator[list[Laying]]:
    """
    Wilds for a meld of their own, where it counts more than any other, all together.
    """
    alone = holding.alone
    if alone is not None:
        wilds = holding.wilds[: alone.room]
        if wilds and (alone.number or len(wilds) >= holding.least):
            yield [(alone, 0, wilds)]


def growing(holding: Holding, least: int) -> Iterator[list[Laying]]:
    """
    Single wilds on sets of so many cards at least that are no canastas, largest first.
    """
    wild = holding.wilds[:1]
    if holding.saving:
        return
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
    for (laying,) in wild_layings(holding):
        for number in range(bool(top), len(sets) + 1):
            made = [*sets[:number], laying]
            if points_of(worth, made) >= points:
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
    # A wild makes a canasta of natural cards worth less.
    for one in sorted(
        ranks, key=lambda one: not one.wilds and one.size >= holding.canasta
    ):
        give(one, min(spare, one.room - given[one.name]))
    wilds = iter(holding.wilds)
    found = [
        (one, one.held, tuple(itertools.islice(wilds, given[one.name])))
        for one in sorted(ranks, key=lambda one: (one.last, -one.size))
        if one.held or given[one.name]
    ]
    left = attrs.evolve(holding, wilds=tuple(wilds))
    for (laying,) in wild_layings(left):
        found.insert(0, laying)
        spare -= len(laying[2])
    return None if lacking or spare else found


def _out(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The next play of a way to go out in this turn, if there is one.
    """
    way = way_out(state, seat)
    if way is None:
        return
    layings, gone = way
    first = [one for one in layings if not one[0].number]
    if first and not state._has_meld >> seat & 1:
        yield laid([one for one in first if not one[0].last] or first, seat)
    for laying in layings:
        yield laid([laying], seat)
    for code in codes(gone):
        yield Discard(CARDS[code], seat)


# ---------------------------------------------------------------------- taking the pile


def _takes(state: AnyState, seat: int) -> Iterator[Action]:
    """
    Takes of the pile that bring more points than they cost in wilds, cheapest first.
    """
    worth, wilds = state.dealt.terms.worth, state.dealt.terms.wild_mask
    if not state._discards:
        return
    gained = total(worth, pack(state._discards[-_taken_at_once(state) :]))
    for used, action in _takings(state, seat):
        if gained > total(worth, used & wilds):
            yield action


def _taken_at_once(state: AnyState) -> int:
    """
    The most discards that are taken from the pile.
    """
    draw = state.match.rules.draw
    return max(allowed_numbers(draw, state._discards, top_number(state)))


def _takings(
    state: AnyState, seat: int
) -> Iterator[tuple[int, TakeAndLayOff | TakeAndMeld]]:
    """
    Takes of the pile, each with the cards of the hand that are laid with the top card.
    """
    pile, terms = state._discards, state.dealt.terms
    if terms.wild[pile[-1]]:
        return
    top, hand = pile[-1], state._hands[seat]
    number = _taken_at_once(state)
    count = None if number == len(pile) else number
    rank = CARDS[top].rank
    number = sets_of(state, seat).get(rank, 0)
    if number:
        yield 0, TakeAndLayOff(count, number, seat)
    points = points_needed(state, seat)
    if points:
        holding = holding_of(state, seat, hand + UNIT[top])
        for (first, held, wilds), *others in first_sets(state, holding, points, rank):
            layings = [(first, held - UNIT[top], wilds), *others]
            used = sum([natural + pack(added) for _, natural, added in layings])
            yield used, TakeAndMeld(count, tuple(map(cards_of, layings)), seat)
        return
    mates = codes(hand & terms.mates[top] & terms.natural_mask)[:2]
    if len(mates) > 1:
        yield pack(mates), TakeAndMeld(count, (tuple(map(played, mates)),), seat)
    for wild in faces(hand & terms.wild_mask) if mates else ():
        cards = played(mates[0]), played(wild, place(rank))
        yield UNIT[mates[0]] + UNIT[wild], TakeAndMeld(count, (cards,), seat)


# ------------------------------------------------------------------------------- styles


Lays = Callable[[AnyState, int, Holding], Iterator[list[Laying]]]
"""What a seat lays that does not go out, best first: melds laid together."""


def _playing(lays: Lays) -> Callable[[AnyState, int], Iterator[Action]]:
    """
    To go out, or else to lay something.
    """

    def plays(state: AnyState, seat: int) -> Iterator[Action]:
        yield from _out(state, seat)
        for found in lays(state, seat, holding_of(state, seat, state._hands[seat])):
            yield laid(found, seat)

    return plays


def _everything(state: AnyState, seat: int, holding: Holding) -> Iterator[list[Laying]]:
    """
    Natural cards, and wilds on sets that are no canastas yet and with pairs.
    """
    if not state._has_meld >> seat & 1:
        yield from first_sets(state, holding, points_needed(state, seat))
        return
    yield from natural_layings(holding)
    yield from wild_layings(holding)
    yield from growing(holding, holding.least - 1)


def _loose(state: AnyState, seat: int) -> list[int]:
    """
    The cards of the hand, those without mates first, then those worth most; wilds last.
    """
    terms, hand = state.dealt.terms, state._hands[seat]

    def keep(code: int) -> tuple[bool, int, int, int]:
        mates = size(hand & terms.mates[code] & terms.natural_mask)
        return terms.wild[code], mates, -terms.worth[code], code

    return sorted(faces(hand), key=keep)


def _some(state: AnyState, seat: int, holding: Holding) -> Iterator[list[Laying]]:
    """
    Natural cards, and wilds on large sets; with a partner, wilds to open as well.
    """
    if not state._has_meld >> seat & 1:
        alone = side_of(state, seat).bit_count() == 1
        for found in first_sets(state, holding, points_needed(state, seat)):
            if not (alone and any(wilds for _, _, wilds in found)):
                yield found
        return
    yield from natural_layings(holding)
    yield from wild_layings(holding)
    yield from growing(holding, _LARGE)


def _spare(state: AnyState, seat: int) -> list[int]:
    """
    The cards of the hand, the most expendable first.
    """
    terms, hand = state.dealt.terms, state._hands[seat]
    blocked = state.match.rules.draw.blocked_mask
    mine, taken = sets_of(state, seat), _taken(state, seat)
    given = allowed_numbers(state.match.rules.draw, state._discards + b"\0", 0)
    pile = max(given, default=1)

    def cost(code: int) -> tuple[float, int]:
        if terms.wild[code]:
            keep = _WILD
        elif blocked & FIELD[code]:
            keep = _BLOCKING * (CARDS[code].rank in terms.set_ranks)
        elif CARDS[code].rank in mine:
            keep = _OWN
        else:
            mates = size(hand & terms.mates[code] & terms.natural_mask) - 1
            keep = _MATES[min(mates, len(_MATES) - 1)]
        gift = _GIFT * pile * taken(code)
        return keep + gift - _SHED * terms.worth[code], code

    return sorted(faces(hand), key=cost)


def _taken(state: AnyState, seat: int) -> Callable[[int], float]:
    """
    About how likely the next opponent is to take the pile with a card discarded on it.
    """
    terms, outlook = state.dealt.terms, Outlook(state, seat)
    hidden, known, other = outlook.hidden, outlook.known, outlook.following
    sets = sets_of(state, other)
    share = size(state._hands[other] - known) / max(1, size(hidden))
    wild = 1.0
    if not known & terms.wild_mask:
        wild -= (1 - share) ** size(hidden & terms.wild_mask)

    def chance(code: int) -> float:
        needed = _mates_needed(state, other, code)
        if needed is None:
            return 0.0
        if not needed and CARDS[code].rank in sets:
            return 1.0
        mates = terms.mates[code] & terms.natural_mask
        single, pair = one_or_two(size(known & mates), size(hidden & mates), share)
        return pair + (_SINGLE * single * wild if needed < 2 else 0.0)

    return chance


def _mates_needed(state: AnyState, seat: int, code: int) -> int | None:
    """
    How many natural cards a seat needs to take the pile with a card discarded on it.

    Returns:
        0 if it may be laid off, 1 if a wild will do besides; None if nobody may.
    """
    draw, terms = state.match.rules.draw, state.dealt.terms
    pile, aside = state._discards + bytes((code,)), asking.never_held(state)
    if blocks(draw, terms, pile, size(state._hands[seat]), aside) is not None:
        return None
    melded = bool(state._has_meld >> seat & 1)
    for mates in (0, 1):
        if freezes(draw, terms, pile, mates, aside, melded=melded) is None:
            return mates
    return 2


GREEDY: Final = Style(_takes, _playing(_everything), _loose)
CAREFUL: Final = Style(_takes, _playing(_some), _spare)
