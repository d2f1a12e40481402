"""
Quick looks at duties: whether a card owed can be used, answered without a search.

Each answers yes, no or unknown; if unknown, `endings` searches.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rummyvariants.cards import (
    CARDS,
    FIELD,
    LANE,
    UNIT,
    common,
    present,
    size,
)
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import AnyState, terms_of
from rummyvariants.game._round import Drawn
from rummyvariants.game._state import fits_of
from rummyvariants.melds._combos import (
    any_meld,
    in_some_meld,
    joining_two,
    natural_in_some_meld,
)
from rummyvariants.melds._layoffs import layoffs_on
from rummyvariants.melds._meld import Meld, Played, Slot
from rummyvariants.melds._tables import Terms
from rummyvariants.policies import Duty


ASKED: Final = frozenset(
    {
        "meld.refuse_another",
        "meld.refuse_first",
        "meld.refuse_together",
        "layoff.refuse",
    }
)
"""The questions that a glance at a hand assumes to be answered by the library."""


class Glance:
    """
    Quick looks at whether a card owed can be laid and the turn then finished.

    Made once for a table and a seat, asked about many hands and cards.

    Attributes:
        enough: How many cards leave at least two after a shortest meld.
        tells_at_all: Whether a glance can decide anything under these rules.
    """

    __slots__ = (
        "_any_first",
        "_fits_now",
        "_limited",
        "_loose",
        "_melded",
        "_melds",
        "_near",
        "_own_open",
        "_seat",
        "_terms",
        "enough",
        "tells_at_all",
    )

    def __init__(self, state: AnyState, seat: int) -> None:
        rules = state.match.rules
        terms = self._terms = terms_of(state)
        self._seat = seat
        has_meld = bool(state._has_meld >> seat & 1)
        self.tells_at_all = (
            terms.extra is None
            and rules.discardable != 0
            and not rules.meld.limits_new
            and not rules.meld.limits_sets
            and not rules.overridden & ASKED
        )
        self.enough = _many(terms)
        self._loose = terms.swaps or rules.wild.split
        self._any_first = has_meld or not rules.settled.first_natural
        self._limited = not (terms.unlimited and self._any_first)
        self._melded = has_meld or not rules.layoff.needs_own_meld
        self._own_open = "layoff.refuse_onto" not in rules.overridden
        fits = fits_of(state, seat)
        wild = () if fits.dealer_wild is None else (fits.dealer_wild,)
        self._melds = (*wild, *fits.table)
        self._near = fits.kin
        self._fits_now = 0 if terms.swaps else fits.grows | fits.real

    def tells(
        self,
        hand: int,
        duties: tuple[Duty, ...],
        held: int,
        goes: int,
        laid: tuple[Played, ...] = (),
        onto: Meld | None = None,
        *,
        found: bool | None = None,
    ) -> bool | None:
        """
        Whether all duties can be met; None if a glance cannot decide.

        Args:
            hand: The hand, which includes the cards owed.
            duties: The duties, one at least.
            held: The hand before the draw.
            goes: Mask of the cards that may be discarded.
            laid: What is laid first, fully declared, so that the seat has a meld.
            onto: The meld on which this is laid; None for a new meld, or for nothing.
            found: The answer of `melds` about the card owed, if it was asked before.
        """
        if not self.tells_at_all:
            return None
        if len(duties) > 1:
            each = [self.tells(hand, (one,), held, goes, laid, onto) for one in duties]
            return False if False in each else None
        owed = duties[0]
        if not owed.any_play:
            if owed.joins_naturals:
                return self._tells_of_two(hand, owed.code, held, goes, laid)
            return None
        code = owed.code
        own = FIELD[code]
        if self._fits_now & own and onto is None and (self._melded or laid):
            if size(hand & goes) > 2:
                return True
        if found is None:
            found = self.melds(hand, code)
        if found and size(hand & goes) >= self.enough:
            return True
        wild = hand & self._terms.wild_mask
        if own & wild or (self._loose and (laid or self._melds)):
            return None
        limited = self._limited and wild > 0
        if limited and not found:
            found = in_some_meld(self._terms, hand, code)
        if laid or self._near & own:
            plainly = self._tells_of_layoffs(hand, code, goes, laid, onto)
            if plainly is not False:
                return None if limited else plainly
        return None if found else False

    def near(self, code: int) -> int:
        """
        Mask of the cards that decide whether `melds` says yes about a card.
        """
        terms = self._terms
        if terms.wild[code]:
            return -1
        return terms.mates[code] | LANE << 64 * (code >> 4) | terms.wild_mask

    def melds(self, hand: int, code: int) -> bool:
        """
        Whether some new meld of a card is certainly allowed, if it leaves enough cards.
        """
        terms = self._terms
        wild = hand & terms.wild_mask
        if wild & FIELD[code]:
            return not self._limited and natural_in_some_meld(terms, hand)
        # Without a wild no limit on wilds can be broken.
        return in_some_meld(terms, hand ^ wild if self._limited else hand, code)

    def _tells_of_two(
        self, hand: int, code: int, held: int, goes: int, laid: tuple[Played, ...]
    ) -> bool | None:
        """
        Whether a new meld takes a card with two naturals that were held before.
        """
        terms = self._terms
        mates = common(hand - UNIT[code], held) & terms.natural_mask
        # Trades bring wilds to the hand; nothing else could help.
        trades = 0
        if self._loose:
            real = present(hand)
            trades = sum([(real & meld.real).bit_count() for meld in self._melds])
            trades += len(laid)
        found = joining_two(terms, hand, mates, code, trades)
        left = size(hand & goes) - 1
        wilds = size(hand & terms.wild_mask)
        sure = not (self._loose and found)
        for mask, number in found:
            is_set = mask in terms.rank_masks.values()
            kind = "set" if is_set else "run"
            cards = max(terms.least_set, 3) if is_set else mask.bit_count() // 4
            if number > wilds or number > terms.wild_room(kind, cards - number, 0):
                # More naturals, or wilds in their own places, might do.
                sure = sure and not (is_set or terms.own_place_is_natural)
            elif cards < left and (self._any_first or not number):
                return True
            else:
                sure = False
        return False if sure else None

    def _tells_of_layoffs(
        self,
        hand: int,
        code: int,
        goes: int,
        laid: tuple[Played, ...],
        onto: Meld | None,
    ) -> bool | None:
        """
        Whether a natural card that no new meld takes can be laid off with others.

        A single play can do to a meld on the table whatever several can, so it is
        enough to look at the melds as they are.
        """
        terms = self._terms
        melded = self._melded or bool(laid)
        found = False
        for meld in self._melds if self._near & FIELD[code] else ():
            if meld is onto or not meld.kin & FIELD[code]:
                continue
            if meld.kind == "wild" and meld.maker != self._seat:
                continue  # a single wild is its owner's to build on
            fewest = _fewest_on(terms, meld, hand, code)
            if fewest:
                if melded and size(hand & goes) - fewest > 1:
                    return True
                found = True
        if laid:
            fewest = -1
            if self._own_open:
                fewest = _fewest_after(terms, laid, onto, hand, code)
            if fewest > 0 and size(hand & goes) - fewest > 1:
                return True
            found = found or fewest != 0
        if not found or not (melded or any_meld(terms, hand - UNIT[code])):
            return False
        # A meld of one's own first, and then the card alone.
        alone = not melded and self._fits_now & FIELD[code]
        return True if alone and size(hand & goes) > self.enough else None


def _fewest_on(terms: Terms, meld: Meld, hand: int, code: int) -> int:
    """
    The fewest cards with which a natural one is laid off, itself included; 0 if none.
    """
    if (meld.grows | meld.real) & FIELD[code]:
        return 1
    if meld.kind == "set":
        return 0
    if meld.kind == "run" and not hand & (meld.grows | terms.wild_mask):
        return 0  # nothing lies between that could be at an end of the run
    if meld.kind == "run" and not terms.runs_along.circle:
        return _fewest_on_run(terms, _lane_of(meld.slots), hand, code)
    ways = layoffs_on(terms, meld, hand, code)
    return min([size(used) for _, used, _ in ways], default=0)


def _fewest_after(
    terms: Terms, laid: tuple[Played, ...], onto: Meld | None, hand: int, code: int
) -> int:
    """
    The same for the meld that some cards make, or that they make of another.

    Returns:
        -1 if a glance cannot decide.
    """
    first = laid[0].stands_for or laid[0].card
    own = CARDS[code]
    if first.rank != own.rank and first.suit != own.suit:
        return 0
    second = (laid[1].stands_for or laid[1].card) if len(laid) > 1 else first
    if onto is None:
        if terms.wild[laid[0].card.code] and laid[0].stands_for is None:
            return 0  # wilds alone
        is_set = first.rank == second.rank
    elif onto.kind in {"set", "run"}:
        is_set = onto.kind == "set"
    else:
        return -1 if first.rank == own.rank else 0
    if is_set and first.rank != own.rank:
        return 0
    if is_set and not terms.distinct:
        if terms.twins:
            return 1
        alike = any(one.card.code == code for one in laid)
        return int(not alike and (onto is None or bool(onto.grows & FIELD[code])))
    if not is_set and first.suit != own.suit:
        return 0
    if any(one.stands_for is not None and one.stands_for.code == code for one in laid):
        return int(terms.lies_beside)
    if onto is not None and (onto.grows | onto.real) & FIELD[code]:
        return 1
    if is_set:
        return int(onto is None)
    if terms.runs_along.circle:
        return -1
    lane = _lane_of(laid) | (0 if onto is None else _lane_of(onto.slots))
    return _fewest_on_run(terms, lane, hand, code)


def _lane_of(cards: Iterable[Played | Slot]) -> int:
    """
    The places of the cards of a run as those of clubs.
    """
    lane = 0
    for one in cards:
        place = one.stands_for
        lane |= UNIT[(one.card.code if place is None else place.code) & 15]
    return lane


def _fewest_on_run(terms: Terms, lane: int, hand: int, code: int) -> int:
    """
    The same for a run, whose places are given as those of clubs.
    """
    own = UNIT[code & 15]
    if lane & own:
        return 0
    wild = hand & terms.wild_mask
    wilds = size(wild) if wild else 0
    held = present(hand - wild >> 64 * (code >> 4) & LANE)
    return min(
        [
            gap.bit_count() + 1
            for gap in terms.runs_along.between(lane, own)
            if (gap & ~held).bit_count() <= wilds
        ],
        default=0,
    )


def glance_at(state: AnyState, seat: int) -> Glance:
    """
    A glance of a seat at the table, made once for a table.
    """
    glances = fits_of(state, seat).glances
    key = (seat, state._has_meld >> seat & 1)
    found: Glance | None = glances.get(key)
    if found is None:
        found = glances[key] = Glance(state, seat)
    return found


def _many(terms: Terms) -> int:
    """
    How many cards leave at least two after a shortest meld.
    """
    return max(terms.least_set, terms.least_run) + 2


def plain_set(state: AnyState, hand: int, drawn: Drawn) -> bool:
    """
    A quick look: whether two cards of the hand make a natural set with the one owed.
    """
    terms = terms_of(state)
    if not (terms.sets and terms.twins) or terms.least_set > 3:
        return False
    rules = state.match.rules
    if terms.extra is not None or not rules.discardable or drawn.melds:
        return False
    if rules.overridden & ASKED or rules.meld.limits_sets:
        return False
    if asking.must_go_out(state, state.frames[0].seat) is not None:
        return False
    if size(hand & rules.discardable) < _many(terms):
        return False
    code = drawn.duties[0].code
    mates = common(hand - UNIT[code], drawn.held) & terms.mates[code]
    return not terms.wild[code] and size(mates & terms.natural_mask) > 1
