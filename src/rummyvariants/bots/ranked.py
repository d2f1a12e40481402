"""
How bots play games whose melds are one set of each rank and side, such as Canasta.

This holds what all of our bots share, and the choices of the greedy one: it takes the
pile whenever it can, opens and goes out as soon as it can, and lays all it may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rummyvariants.bots.first_sets import first_sets, points_needed
from rummyvariants.bots.going_out import WayOut, way_out
from rummyvariants.bots.outlook import next_opponent
from rummyvariants.bots.piles import Taking, fits_table, takings
from rummyvariants.bots.ranks import (
    Holding,
    Laying,
    holding_of,
    laid,
    laid_together,
    parts_of,
)
from rummyvariants.cards import CARDS, codes, faces, pack, size, total
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import AnyState, terms_of
from rummyvariants.game.actions import Action, Discard, Draw, Pass


Wants = Callable[[AnyState, int, Taking], bool]
"""Whether a seat takes the pile in a way that may be legal."""
Lays = Callable[[AnyState, int, Holding], Iterator[Laying | list[Laying]]]
"""What a seat lays that does not go out, best first: on its own, or together."""
Ends = Callable[[AnyState, int, WayOut], bool]
"""Whether a seat goes out in a way that there is."""
Spare = Callable[[AnyState, int], list[int]]
"""The cards of a hand as codes, the preferred discard first."""


def in_turn(
    state: AnyState, seat: int, *, wants: Wants, lays: Lays, ends: Ends, spare: Spare
) -> Iterator[Action]:
    """
    Actions that may be worth doing, best first; some may be illegal.

    Args:
        state: A state in which the seat may act; only what it may see is used.
        seat: Who acts.
        wants: Whether to take the pile.
        lays: What to lay.
        ends: Whether to go out.
        spare: What to discard.
    """
    if state.phase == "draw":
        for taking in takings(state, seat):
            if wants(state, seat, taking):
                yield taking.action
        yield Draw(seat)
        yield Pass(seat)
        return
    way = way_out(state, seat)
    if way is not None and (_has_to(state, seat) or ends(state, seat, way)):
        yield from _out(state, seat, way)
    holding = holding_of(state, seat, state._hands[seat])
    for found in lays(state, seat, holding):
        if isinstance(found, list):
            yield laid_together(found, seat)
        else:
            yield laid(found, seat)
    for code in spare(state, seat):
        yield Discard(CARDS[code], seat)


def _has_to(state: AnyState, seat: int) -> bool:
    """
    Whether a seat can end its turn only by going out.
    """
    return asking.must_go_out(state, seat) is not None


def _out(state: AnyState, seat: int, way: WayOut) -> Iterator[Action]:
    """
    The next play of a way out.
    """
    first = [one for one in way.layings if not one[0].number]
    if first and not state._has_meld >> seat & 1:
        ordinary = [one for one in first if not one[0].last]
        yield laid_together(ordinary or first, seat)
    for laying in way.layings:
        yield laid(laying, seat)
    for code in codes(way.gone):
        yield Discard(CARDS[code], seat)


def ranked(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The greedy bot's candidates, best first; some may be illegal.
    """
    return in_turn(
        state, seat, wants=_pays, lays=_everything, ends=_at_once, spare=_loose
    )


def _pays(state: AnyState, seat: int, taking: Taking) -> bool:
    """
    Whether the pile counts more than the wilds that it costs.
    """
    del seat
    terms = terms_of(state)
    spent = total(terms.worth, taking.used & terms.wild_mask)
    return total(terms.worth, pack(state._discards)) > spent


def _at_once(state: AnyState, seat: int, way: WayOut) -> bool:
    del state, seat, way
    return True


def _everything(
    state: AnyState, seat: int, holding: Holding
) -> Iterator[Laying | list[Laying]]:
    """
    All that may be laid: natural cards, wilds that complete canastas, pairs with one.
    """
    if not state._has_meld >> seat & 1:
        yield from first_sets(state, holding, points_needed(state, seat))
        return
    yield from natural_layings(holding)
    yield from completing(holding)
    for rank in holding.open:
        if not rank.number and size(rank.held) == holding.least - 1 and rank.room:
            if holding.wilds:
                yield rank, rank.held, holding.wilds[:1]


def natural_layings(holding: Holding) -> Iterator[Laying]:
    """
    Natural cards added to sets of the side, and new sets of natural cards.
    """
    for rank in holding.open:
        if rank.held:
            least = 1 if rank.number else holding.least
            for part in parts_of(rank.held, least):
                yield rank, part, ()


def completing(holding: Holding) -> Iterator[Laying]:
    """
    Wilds that make canastas of sets, those that need fewest first.
    """
    short = []
    for rank in holding.open:
        more = holding.canasta - rank.size
        whole = rank.number or size(rank.held) >= holding.least
        if whole and 0 < more <= min(rank.room, len(holding.wilds)):
            short.append((more, rank))
    for more, rank in sorted(short, key=lambda one: one[0]):
        yield rank, rank.held, holding.wilds[:more]


def _loose(state: AnyState, seat: int) -> list[int]:
    """
    Single cards that the next player cannot lay first, then pairs, the dearest first.
    """
    terms, hand = terms_of(state), state._hands[seat]
    following = next_opponent(state, seat)

    def keep(code: int) -> tuple[bool, bool, int, int, int]:
        mates = size(hand & terms.mates[code] & terms.natural_mask)
        given = fits_table(state, following, code)
        return terms.wild[code], given, min(mates, 2), -terms.worth[code], code

    return sorted(faces(hand), key=keep)
