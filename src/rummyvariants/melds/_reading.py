"""
What a player may have meant: the cards named, read as a meld, a lay-off or a trade.

Of several readings the one counts in which most wilds stand for themselves. What makes
none is refused, for a reason that `_reasons` finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rummyvariants._support.memos import kept
from rummyvariants._support.words import listed
from rummyvariants.cards import CARDS, FIELD, pack
from rummyvariants.melds._limits import limit_of_draft, refuse_rank, too_long
from rummyvariants.melds._matching import (
    alike_draft,
    drafts_of,
    layoff_drafts,
    set_drafts,
    words,
)
from rummyvariants.melds._meld import (
    OWN_PLACE,
    Beside,
    Meld,
    Played,
    Slot,
    bits_of,
    built,
    ends_of,
    is_traded,
    own_places,
    played,
    traded_with,
)
from rummyvariants.melds._reasons import (
    ambiguous,
    misdeclared,
    no_layoff,
    no_meld,
    no_trade,
    nor_of_kinds,
)
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.shapes._kinds import kinds_of
from rummyvariants.melds.shapes._track import Side
from rummyvariants.rulings import Objection, Unclear


def read_meld(terms: Terms, cards: Sequence[Played], seat: int) -> Meld | Objection:
    """
    The meld that the named cards make, or why they make none.

    The terms remember melds, since the same ones come up again and again.

    Args:
        terms: The terms of the deal.
        cards: The cards in the order written.
        seat: Who lays them.
    """
    key = (cards if isinstance(cards, tuple) else tuple(cards), seat)
    known: Meld | Objection | None = terms.melds.get(key)
    if known is None:
        known = _read(terms, cards, seat)
        if isinstance(known, Meld):
            kept(terms.melds, key, known, _MELDS_AT_MOST)
    return known


_MELDS_AT_MOST: Final = 8_000


def _read(terms: Terms, cards: Sequence[Played], seat: int) -> Meld | Objection:
    wrong = misdeclared(terms, cards)
    if wrong is not None:
        return wrong
    if terms.wild_melds and len(cards) >= terms.least_set:
        alone = _of_wilds(terms, (), cards, seat, seat)
        if alone is not None:
            return alone
    alike = alike_draft(terms, cards, seat)
    if alike is not None and limit_of_draft(terms, alike) is None:
        return built(terms, "alike", alike.slots, seat)
    drafts = [*drafts_of(terms, cards, seat)]
    best = _best(drafts, [limit_of_draft(terms, draft) for draft in drafts])
    if len(best) == 2:
        best = _by_ace(best, cards)
    if len(best) == 1:
        (draft,) = best
        return built(terms, draft.kind, draft.slots, seat, draft.low)
    if best:
        if not any(terms.wild[one.card.code] for one in cards):
            return Unclear(
                "meld.ace",
                f"the ace fits both ends of {words(cards)}: write it first or last",
            )
        return ambiguous(cards, best)
    return _of_kind(terms, cards, seat, drafts)


def _of_kind(
    terms: Terms, cards: Sequence[Played], seat: int, drafts: Sequence[Meld]
) -> Meld | Objection:
    """
    The meld of a declared kind that cards make which are no other meld.
    """
    at, kinds = -1, kinds_of(terms)
    if terms.kinds:
        at = kinds.of(bits_of(cards))
    if at < 0:
        wrong = no_meld(terms, cards, drafts)
        return nor_of_kinds(terms, wrong) if terms.kinds else wrong
    slots = tuple([Slot(one.card, None, seat) for one in cards])
    found = built(terms, kinds.names[at], slots, seat)
    return limit_of_draft(terms, found) or found


def _of_wilds(
    terms: Terms, old: tuple[Slot, ...], cards: Sequence[Played], seat: int, maker: int
) -> Meld | Objection | None:
    """
    A meld of wilds that stand for nothing, old ones and others; None for other cards.
    """
    if not all(terms.wild[one.card.code] and one.stands_for is None for one in cards):
        return None
    slots = (*old, *[Slot(one.card, None, seat) for one in cards])
    if len(slots) > terms.most_wild_meld:
        return too_long(terms, "wilds", slots)
    return built(terms, "wilds", slots, maker)


def read_shown(terms: Terms, cards: Sequence[Played], seat: int) -> Meld | Objection:
    """
    The meld that named cards show if nobody lays off on it, or why they make none.

    What its wilds stand for changes nothing then. So any reading will do, a run rather
    than a set where runs may be needed, and wilds alone may be said to stand for cards.

    Args:
        terms: The terms of the deal.
        cards: The cards in the order written.
        seat: Who shows them.
    """
    found = read_meld(terms, cards, seat)
    if isinstance(found, Unclear) and found.readings:
        draft = max(found.readings, key=lambda one: one.kind == "run")
        return built(terms, draft.kind, draft.slots, seat, draft.low)
    if isinstance(found, Objection) and terms.wild_melds:
        if all(terms.wild[one.card.code] for one in cards):
            drafts = drafts_of(terms, cards, seat)
            if any(
                draft.kind == "run" or refuse_rank(terms, draft.slots) is None
                for draft in drafts
            ) and not misdeclared(terms, cards):
                return read_meld(terms, [played(one.card.code) for one in cards], seat)
    return found


def _best(drafts: list[Meld], limits: Sequence[Objection | None]) -> list[Meld]:
    """
    The valid drafts with the most wilds in their own places.
    """
    valid = [
        draft for draft, wrong in zip(drafts, limits, strict=True) if wrong is None
    ]
    most = max(map(own_places, valid), default=0)
    return [draft for draft in valid if own_places(draft) == most]


def _by_ace(drafts: list[Meld], cards: Sequence[Played]) -> list[Meld]:
    """
    The run that the written order means if an ace would fit both ends.
    """
    first, second = drafts
    if {first.kind, second.kind} != {"run"} or first.low == second.low:
        return drafts
    low, high = sorted(drafts, key=lambda draft: draft.low)
    ends = (low.slots[0], high.slots[-1])
    if any((slot.stands_for or slot.card).rank != "A" for slot in ends):
        return drafts
    if low.slots[1:] != high.slots[:-1]:
        return drafts
    ace = ends[0].card
    if cards[0].card == ace:
        return [low]
    if cards[-1].card == ace:
        return [high]
    return drafts


def is_allowed(terms: Terms, cards: Sequence[Played]) -> bool:
    """
    Whether house rules allow cards that make a meld.
    """
    return terms.extra is None or not isinstance(read_meld(terms, cards, 0), Objection)


def read_layoff(
    terms: Terms,
    meld: Meld,
    cards: Sequence[Played],
    seat: int,
    end: str | None = None,
    *,
    grow: bool = False,
) -> Meld | Objection:
    """
    A meld with cards laid off on it, or why they do not fit.

    Args:
        terms: The terms of the deal.
        meld: The meld as it lies.
        cards: The cards in the order written.
        seat: Who lays them.
        end: ``low`` or ``high`` if the player named an end of the run.
        grow: Whether the meld must grow, so that no card may go beside a wild.
    """
    wrong = misdeclared(terms, cards)
    if wrong is not None:
        return wrong
    if end is not None and meld.kind != "run":
        return Objection("RV-31", f"only a run has a {end} end", ("layoff.onto",))
    if meld.kind == "wild":
        return _build_on_wild(terms, meld, cards, seat)
    if meld.kind == "wilds":
        return _of_wilds(terms, meld.slots, cards, seat, meld.maker) or Objection(
            "wild.wild_melds", "only wild cards go on a meld of wild cards"
        )
    if terms.kinds and meld.kind not in {"set", "run", "alike"}:
        return _onto_kind(terms, meld, cards, seat)
    drafts = list(layoff_drafts(terms, meld, cards, seat, end, grow=grow))
    limits = [limit_of_draft(terms, draft) for draft in drafts]
    best = _best(drafts, limits)
    if len(best) == 1:
        (draft,) = best
        return built(
            terms, draft.kind, draft.slots, meld.maker, draft.low, draft.beside
        )
    if best:
        misfit = ambiguous(cards, best)
        if not any(terms.wild[one.card.code] and not one.stands_for for one in cards):
            # Only an ace that fits both ends comes here.
            return Objection(
                "meld.ace", f"{words(cards)} fits both ends: say low or high"
            )
        return misfit
    for wrong in limits:
        if wrong is not None:
            return wrong
    if end is not None:
        elsewhere = read_layoff(terms, meld, cards, seat, grow=grow)
        if isinstance(elsewhere, Meld):
            return Objection(
                "RV-31",
                f"{words(cards)} would not lie at the {end} end of the run {elsewhere}",
                ("layoff.onto", "meld.ace"),
            )
    return no_layoff(terms, meld, cards, grow=grow)


def _onto_kind(
    terms: Terms, meld: Meld, cards: Sequence[Played], seat: int
) -> Meld | Objection:
    """
    A meld of a declared kind with cards laid off on it.
    """
    kinds = kinds_of(terms)
    at, lying = kinds.names.index(meld.kind), pack([one.code for one in meld.cards])
    if not kinds.joins(at, lying, bits_of(cards)):
        reason = f"{words(cards)} does not fit the {meld.kind} {meld}"
        return Objection("layoff.onto", reason, (terms.kinds[at].path,))
    slots = (*meld.slots, *[Slot(one.card, None, seat) for one in cards])
    found = built(terms, meld.kind, slots, meld.maker)
    return limit_of_draft(terms, found) or found


def _build_on_wild(
    terms: Terms, meld: Meld, cards: Sequence[Played], seat: int
) -> Meld | Objection:
    """
    A single wild made into a set by its owner (HR-12).
    """
    ranks = {one.card.rank for one in cards}
    if seat != meld.maker:
        return Objection(
            "layoff.single_wilds", "only its owner may build on a single wild card"
        )
    if any(terms.wild[one.card.code] for one in cards):
        one = terms.most_in_sets[-1] <= 1
        path = "wild.limit" if one else "layoff.single_wilds"
        return Objection(
            path,
            "only natural cards may be built on a single wild card",
            ("layoff.single_wilds",),
        )
    if len(ranks) != 1 or len(cards) + 1 < terms.least_set:
        return Objection(
            "layoff.single_wilds",
            "a single wild card takes at least two natural cards of one rank",
        )
    wild = played(meld.slots[0].card.code)
    drafts = list(set_drafts(terms, [wild, *cards], seat))
    if not drafts:
        return Objection("meld.sets", f"{words(cards)} makes no set with {wild}")
    # Where suits matter the wild takes the first one that is free (RV-13).
    wrong = limit_of_draft(terms, drafts[0])
    return wrong or built(terms, "set", drafts[0].slots, seat)


def trade(
    terms: Terms,
    meld: Meld,
    code: int,
    seat: int,
    end: Side | None = None,
    *,
    more: Sequence[int] = (),
    locked: bool,
) -> tuple[Meld, int] | Objection:
    """
    A meld with a real card traded for one of its wilds, or why that is refused.

    If several wilds in a set would do, because suits do not matter, the first one laid
    is taken.

    Args:
        terms: The terms of the deal.
        meld: The meld as it lies.
        code: The real card.
        seat: Who trades.
        end: ``low`` or ``high``: the end of the run that the wild moves to, where it
            does not come to the hand.
        more: The cards that are traded together with it.
        locked: Whether the first card is the dealer's wild, which may not be traded.

    Returns:
        The meld, and the number of the slot that held the wild.
    """
    if meld.kind == "set" and not terms.swaps_sets:
        return Objection("wild.swap_in", "a wild card in a set is not traded")
    index = _wild_for(terms, meld, code, locked=locked)
    if index < 0:
        return no_trade(terms, meld, code)
    wrong = _refuse_together(terms, meld, code, more)
    if wrong is not None:
        return wrong
    if terms.moves_swapped != (end is not None):
        message = "the wild card comes to the hand: no end of a run is named"
        if end is None:
            message = "say whether the wild card moves to the low or the high end"
        return Objection("wild.swapped", message)
    if more:
        code, *more = sorted([code, *more])
    slots = list(meld.slots)
    wild = slots[index]
    stands_for = OWN_PLACE[code] if terms.wild[code] else None
    slots[index] = Slot(CARDS[code], stands_for, seat, wild.twice and end is None)
    slots += [Slot(CARDS[one], None, seat) for one in more]
    low, beside = meld.low, meld.beside
    if end is not None:
        at = ends_of(terms, meld).get(end)
        if at is None:
            message = f"the run {meld} does not grow at its {end} end"
            return Objection("wild.swapped", message, ("meld.runs",))
        moved = Slot(wild.card, OWN_PLACE[at], wild.seat, wild.twice)
        slots.insert(0 if end == "low" else len(slots), moved)
        if end == "low":
            low -= 1
            beside = tuple(
                [Beside(one.index + 1, one.card, one.seat) for one in beside]
            )
    draft = Meld(meld.kind, tuple(slots), meld.maker, low, beside)
    wrong = limit_of_draft(terms, draft)
    if wrong is not None:
        return wrong
    return built(terms, meld.kind, draft.slots, meld.maker, low, beside), index


def _refuse_together(
    terms: Terms, meld: Meld, code: int, more: Sequence[int]
) -> Objection | None:
    """
    Why a card is not traded together with just these.
    """
    needed = traded_with(terms, meld, code)
    if {*more} == {*needed} and len(more) == len(needed):
        return None
    if not needed:
        return Objection("wild.swap_with", f"{CARDS[code]} is traded alone for a wild")
    cards = listed([str(CARDS[one]) for one in needed])
    reason = (
        f"the only wild card of the set {meld} is traded for {CARDS[code]} together "
        f"with {cards}"
    )
    return Objection("wild.swap_with", reason, ("wild.real_card",))


def _wild_for(terms: Terms, meld: Meld, code: int, *, locked: bool) -> int:
    """
    The slot of the wild that a real card may be traded for; -1 for none.
    """
    if meld.real & FIELD[code]:
        for index, slot in enumerate(meld.slots):
            if is_traded(terms, slot) and not (locked and index == 0):
                if slot.code in {-1, code}:
                    return index
    return -1
