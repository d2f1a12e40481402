"""
How the careful bot plays where melds are one set of each rank and side.
"""

from __future__ import annotations

from collections.abc import Iterator

from rummyvariants.bots.first_sets import first_sets, points_needed
from rummyvariants.bots.going_out import WayOut
from rummyvariants.bots.outlook import next_opponent, unseen
from rummyvariants.bots.piles import Taking, opens
from rummyvariants.bots.ranked import completing, in_turn, natural_layings
from rummyvariants.bots.ranks import Holding, Laying
from rummyvariants.cards import CARDS, FIELD, faces, pack, size, total
from rummyvariants.game._engine.plays import AnyState, sets_of, terms_of
from rummyvariants.game.actions import Action


import os
P = {k: float(v) for k, v in (x.split("=") for x in os.environ.get("P", "").split() )}
def par(name, default):
    return P.get(name, default)


def collecting(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The careful bot's candidates, best first; some may be illegal.
    """
    return in_turn(state, seat, wants=_wants, lays=_lays, ends=_ends, spare=_spare)


class Watch:
    def __init__(self, state: AnyState, seat: int) -> None:
        self.state, self.seat = state, seat
        self.terms = terms_of(state)
        self.hidden = unseen(state, seat)
        hidden = max(1, size(self.hidden))
        self.following = next_opponent(state, seat)
        hand = state._hands[self.following]
        self.known = state._seen[self.following]
        self.share = (size(hand) - size(self.known)) / hidden
        self.sets = sets_of(state, self.following)
        self.melded = bool(state._has_meld >> self.following & 1)
        wilds = size(self.hidden & self.terms.wild_mask)
        self.has_wild = 1.0 if self.known & self.terms.wild_mask else 1 - (1 - self.share) ** wilds

    def takes(self, code: int) -> float:
        state, following = self.state, self.following
        if not opens(state, following, code, 2):
            return 0.0
        if CARDS[code].rank in self.sets and opens(state, following, code, 0):
            return 1.0
        mates = self.terms.mates[code] & self.terms.natural_mask
        known, unseen = size(self.known & mates), size(self.hidden & mates)
        none = (1 - self.share) ** unseen
        one = unseen * self.share * (1 - self.share) ** (unseen - 1) if unseen else 0.0
        if known == 0:
            single, pair = one, 1 - none - one
        elif known == 1:
            single, pair = none, 1 - none
        else:
            single, pair = 0.0, 1.0
        found = pair
        if opens(state, following, code, 1):
            found += single * self.has_wild * par("single", 0.5)
        if not self.melded:
            found *= par("unopened", 0.5)
        return found


def _wants(state: AnyState, seat: int, taking: Taking) -> bool:
    terms = terms_of(state)
    spent = total(terms.worth, taking.used & terms.wild_mask)
    return total(terms.worth, pack(state._discards)) > spent


def _ends(state: AnyState, seat: int, way: WayOut) -> bool:
    mode = par("ends", 0)
    if mode == 0:
        return True
    from rummyvariants.game._state import side_of
    side = side_of(state, seat)
    others = [size(h) for o, h in enumerate(state._hands) if not side >> o & 1]
    if min(others) <= par("endsmin", 3): return True
    if len(state._stock) <= par("endsstock", 8) : return True
    return False


def _lays(state: AnyState, seat: int, holding: Holding) -> Iterator[Laying | list[Laying]]:
    if not state._has_meld >> seat & 1:
        for found in first_sets(state, holding, points_needed(state, seat)):
            if sum([len(one[2]) for one in found]) <= par("openwilds", 9):
                yield found
        return
    yield from natural_layings(holding)
    yield from completing(holding)
    if par("pairs", 0):
     for rank in holding.open:
        if not rank.number and size(rank.held) == holding.least - 1 and rank.room:
            if holding.wilds:
                yield rank, rank.held, holding.wilds[:1]


def _spare(state: AnyState, seat: int) -> list[int]:
    terms, hand = terms_of(state), state._hands[seat]
    watch = Watch(state, seat)
    mine = sets_of(state, seat)
    pile = len(state._discards) + 1
    blocked = state.match.rules.draw.blocked_mask

    def cost(code: int) -> tuple[float, int]:
        mates = size(hand & terms.mates[code] & terms.natural_mask)
        if terms.wild[code]:
            keep = par("wild", 60)
        elif blocked & FIELD[code]:
            keep = par("black", 4)
        elif CARDS[code].rank in mine:
            keep = par("own", 30)
        else:
            keep = [0, 0, par("pair", 12)][mates] if mates < 3 else par("three", 25)
        given = watch.takes(code) * (par("gift", 12) * pile + par("gift0",0))
        return keep + given - par("shed", 0.2) * terms.worth[code], code

    return sorted(faces(hand), key=cost)
