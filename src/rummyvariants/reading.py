"""
What a player may have meant: named cards read as a meld, or as a lay-off on one.

A wild that is not declared stands for itself where that makes a valid meld, else for
the one thing it can; two wilds exchanged are one reading.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterator, Sequence

import attrs

from rummyvariants.cards import CARDS, JOKER, RANKS, SUITS
from rummyvariants.melds import (
    OWN_PLACE,
    Beside,
    Kind,
    Meld,
    Place,
    Played,
    Slot,
    built,
    counted_wilds,
    place,
)
from rummyvariants.rulings import Objection
from rummyvariants.terms import Terms


@attrs.frozen
class _Draft:
    """
    A meld in the making, its limits not looked at yet.
    """

    kind: Kind
    slots: tuple[Slot, ...]
    low: int = -1
    beside: tuple[Beside, ...] = ()

    @property
    def own_places(self) -> int:
        return sum(slot.own_place for slot in self.slots)


def _words(cards: Sequence[Played]) -> str:
    return " ".join(map(str, cards))


def _misdeclared(terms: Terms, cards: Sequence[Played]) -> Objection | None:
    for one in cards:
        said = one.stands_for
        if said is None:
            continue
        if not terms.wild[one.card.code] and said != OWN_PLACE[one.card.code]:
            return Objection(
                "wild.stands_for",
                f"{one.card} is not wild in this deal and stands for itself alone",
            )
        if said.rank not in terms.ranks or (said.suit and said.suit not in terms.suits):
            return Objection(
                "wild.stands_for",
                f"{one.card} cannot stand for {said}: the deck has no such card",
            )
    return None


def _said(terms: Terms, one: Played) -> Place | None:
    """
    The declaration of a card; None for a natural card and for a bare wild.
    """
    return one.stands_for if terms.wild[one.card.code] else None


# --------------------------------------------------------------------- new melds


def read_meld(terms: Terms, cards: Sequence[Played], seat: int) -> Meld | Objection:
    """
    The one meld that the named cards make, or why they make none.

    Args:
        terms: The terms of the deal.
        cards: The cards in the order written.
        seat: Who lays them.
    """
    wrong = _misdeclared(terms, cards)
    if wrong is not None:
        return wrong
    if (
        terms.wild_melds
        and len(cards) >= terms.least_set
        and all(terms.wild[one.card.code] and one.stands_for is None for one in cards)
    ):
        slots = tuple(Slot(one.card, None, seat) for one in cards)
        return built(terms, "wilds", slots, seat)
    plain = _plain_run(terms, cards, seat) if terms.runs else None
    if plain is not None:
        return plain
    drafts = [*_set_drafts(terms, cards, seat), *_run_drafts(terms, cards, seat)]
    best = _best(drafts, [_limit(terms, draft) for draft in drafts])
    if len(best) == 2:
        best = _by_ace(best, cards)
    if len(best) == 1:
        (draft,) = best
        return built(terms, draft.kind, draft.slots, seat, draft.low)
    if best:
        return _ambiguous(cards, best)
    return _no_meld(terms, cards, drafts)


def _plain_run(terms: Terms, cards: Sequence[Played], seat: int) -> Meld | None:
    """
    A short cut for the run that cards with nothing left open make, if it is one.
    """
    ranks = 0
    suit = -1
    placed = []
    for one in cards:
        code = one.card.code
        if terms.wild[code]:
            if one.stands_for is None:
                return None
            code = one.stands_for.code
        if suit < 0:
            suit = code >> 4
        if code >> 4 != suit or code == JOKER:
            return None
        ranks |= 1 << (code & 15) - 1
        placed.append((code, one))
    lows = terms.runs_along.by_ranks.get(ranks, ())
    if len(lows) != 1 or ranks.bit_count() != len(cards):
        return None
    (low,) = lows
    along = terms.run_codes[SUITS[suit]]
    by_code = dict(placed)
    slots = tuple(
        [
            Slot(one.card, _said(terms, one), seat)
            for one in [by_code[along[at]] for at in range(low, low + len(cards))]
        ]
    )
    if _limit(terms, _Draft("run", slots, low)) is not None:
        return None
    return built(terms, "run", slots, seat, low)


def _best(drafts: list[_Draft], limits: Sequence[Objection | None]) -> list[_Draft]:
    """
    The valid drafts with the most wilds in their own places.
    """
    valid = [
        draft for draft, wrong in zip(drafts, limits, strict=True) if wrong is None
    ]
    most = max((draft.own_places for draft in valid), default=0)
    return [draft for draft in valid if draft.own_places == most]


def _by_ace(drafts: list[_Draft], cards: Sequence[Played]) -> list[_Draft]:
    """
    The run that the written order means where an ace would fit both its ends.
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


def _ambiguous(cards: Sequence[Played], drafts: Sequence[_Draft]) -> Objection:
    texts = dict.fromkeys(
        " ".join(map(str, draft.slots)) + _beside_text(draft) for draft in drafts
    )
    return Objection(
        "wild.stands_for",
        f"{_words(cards)} can be read as {' or as '.join(texts)}: "
        "declare what the wild card stands for",
    )


def _beside_text(draft: _Draft) -> str:
    return "".join(f" (beside it {one.card})" for one in draft.beside)


def _limit(terms: Terms, draft: _Draft) -> Objection | None:
    """
    Whether a draft breaks a limit on wild cards.
    """
    if draft.kind in {"wilds", "wild"}:
        return None
    slots = draft.slots
    if all(slot.stands_for is not None and not slot.own_place for slot in slots):
        question = "wild.limit" if terms.limit == "one" else "wild.stands_for"
        return Objection(question, "a meld holds at least one natural card")
    if terms.limit != "none":
        wilds = counted_wilds(terms, slots)
        if terms.limit == "one" and wilds > 1:
            return Objection("wild.limit", "a meld holds one wild card at most")
        if terms.limit == "more naturals" and len(slots) - wilds <= wilds:
            return Objection("wild.limit", "a meld holds more natural cards than wilds")
    if terms.extra is not None:
        meld = Meld(draft.kind, slots, slots[0].seat, draft.low, draft.beside)
        reason = terms.extra(meld)
        if reason is not None:
            return Objection("meld.extra", reason)
    return None


def limit_of(
    terms: Terms, kind: Kind, slots: tuple[Slot, ...], low: int = -1
) -> Objection | None:
    """
    Why slots are no meld for the wilds among them; None if they are.
    """
    return _limit(terms, _Draft(kind, slots, low))


def _set_drafts(terms: Terms, cards: Sequence[Played], seat: int) -> Iterator[_Draft]:
    if not terms.sets or len(cards) < terms.least_set:
        return
    ranks = {
        one.card.rank if said is None else said.rank
        for one in cards
        if (said := _said(terms, one)) is not None or not terms.wild[one.card.code]
    }
    if not ranks:
        ranks = {one.card.rank for one in cards if not one.card.is_joker}
    elif len(ranks) > 1:
        return
    for rank in sorted(ranks):
        if terms.distinct and rank != "*":
            yield from _distinct_sets(terms, cards, seat, rank, ())
        else:
            slots = tuple(
                Slot(one.card, _free(terms, one, rank), seat) for one in cards
            )
            yield _Draft("set", slots)


def _free(terms: Terms, one: Played, rank: str) -> Place | None:
    """
    What a card stands for in a set whose suits do not matter.
    """
    if not terms.wild[one.card.code]:
        return None
    return OWN_PLACE[one.card.code] if one.card.rank == rank else place(rank)


def _distinct_sets(
    terms: Terms,
    cards: Sequence[Played],
    seat: int,
    rank: str,
    old: tuple[Slot, ...],
) -> Iterator[_Draft]:
    """
    Readings of cards as (an addition to) a set that holds one card a suit.
    """
    free = list(terms.set_codes[rank])
    for slot in old:
        free.remove(slot.code)
    places: list[Place | int | None] = []
    loose = []
    for index, one in enumerate(cards):
        code = one.card.code
        said = _said(terms, one)
        if not terms.wild[code]:
            target, stands_for = code, None
        elif said is not None and said.suit:
            target, stands_for = said.code, said
        else:
            loose.append(index)
            places.append(None)
            continue
        if target not in free:
            return
        free.remove(target)
        places.append(stands_for)
    # Wilds without a word stand for themselves first.
    for index in list(loose):
        code = cards[index].card.code
        if code in free and cards[index].stands_for is None:
            free.remove(code)
            places[index] = OWN_PLACE[code]
            loose.remove(index)
    loose.sort(key=lambda index: cards[index].card.code)
    for suits in itertools.combinations(free, len(loose)):
        chosen = list(places)
        for index, code in zip(loose, suits, strict=True):
            chosen[index] = OWN_PLACE[code]
        slots = tuple(
            Slot(one.card, where, seat)  # type: ignore[arg-type]
            for one, where in zip(cards, chosen, strict=True)
        )
        yield _Draft("set", old + slots)


def _run_drafts(terms: Terms, cards: Sequence[Played], seat: int) -> Iterator[_Draft]:
    if not terms.runs or len(cards) < terms.least_run:
        return
    suits = {
        one.card.suit if said is None else said.suit
        for one in cards
        if (said := _said(terms, one)) is not None or not terms.wild[one.card.code]
    } - {""}
    if any(one.card.is_joker and not terms.wild[one.card.code] for one in cards):
        return
    if not suits:
        suits = {one.card.suit for one in cards} - {""}
    elif len(suits) > 1:
        return
    fixed = 0
    for one in cards:
        said = _said(terms, one)
        if said is not None or not terms.wild[one.card.code]:
            fixed |= 1 << RANKS.index((said or one.card).rank)
    for suit in sorted(suits):
        for low, held in terms.runs_along.by_length.get(len(cards), ()):
            if held & fixed != fixed:
                continue
            ranks = terms.track[low : low + len(cards)]
            slots = _along(terms, cards, seat, suit, ranks)
            if slots is not None:
                yield _Draft("run", slots, low)


def _along(
    terms: Terms, cards: Sequence[Played], seat: int, suit: str, ranks: str
) -> tuple[Slot, ...] | None:
    """
    The cards put on a stretch of ranks, one each; None if they do not fit it.
    """
    slots: dict[str, Slot] = {}
    bare = []
    for one in cards:
        said = _said(terms, one)
        if said is None and terms.wild[one.card.code]:
            bare.append(one.card)
            continue
        rank = one.card.rank if said is None else said.rank
        if rank in slots or rank not in ranks:
            return None
        slots[rank] = Slot(one.card, said and place(rank, suit), seat)
    rest = []
    for card in sorted(bare):
        if card.suit == suit and card.rank in ranks and card.rank not in slots:
            slots[card.rank] = Slot(card, OWN_PLACE[card.code], seat)
        else:
            rest.append(card)
    holes = [rank for rank in ranks if rank not in slots]
    if len(holes) != len(rest):
        return None
    for rank, card in zip(holes, rest, strict=True):
        slots[rank] = Slot(card, place(rank, suit), seat)
    return tuple(slots[rank] for rank in ranks)


def _no_meld(
    terms: Terms, cards: Sequence[Played], drafts: Sequence[_Draft]
) -> Objection:
    """
    Why named cards make no meld: the most telling reason first.
    """
    text = _words(cards)
    if drafts:
        wrong = _limit(terms, drafts[0])
        if wrong is not None:
            return wrong
    naturals = [one for one in cards if not terms.wild[one.card.code]]
    ranks = {one.card.rank for one in naturals}
    suits = {one.card.suit for one in naturals}
    like_set = len(ranks) <= 1 and not (len(suits) == 1 and len(naturals) < len(cards))
    if len(set(ranks)) < len(naturals):
        like_set = True
    shape, other = ("sets", "runs") if like_set else ("runs", "sets")
    if not getattr(terms, shape):
        shape, other = other, shape
    question = f"meld.{shape}"
    least = min(terms.least_set, terms.least_run)
    if len(cards) < least:
        return Objection(question, f"{text} is too short for a meld of {least} cards")
    if any(_said(terms, one) for one in cards):
        bare = [Played(one.card) for one in cards]
        loose = [*_set_drafts(terms, bare, 0), *_run_drafts(terms, bare, 0)]
        if any(_limit(terms, draft) is None for draft in loose):
            return Objection(
                "wild.stands_for",
                f"in {text} a wild card cannot stand there",
                (question,),
            )
    if not naturals:
        return Objection("wild.stands_for", "a meld holds at least one natural card")
    if shape == "sets" and terms.sets:
        if len(ranks) == 1 and terms.distinct:
            return Objection(
                "meld.set_suits",
                f"{text} is no set: it would hold two cards for one suit",
                ("meld.sets",),
            )
        also = ("meld.runs",) if terms.runs else ()
        return Objection(question, f"{text} is no set: its cards differ in rank", also)
    if len(suits) == 1 and terms.runs and _round_the_corner(terms, cards):
        return Objection(
            "meld.ace", f"{text} is no run: an ace ends a run", ("meld.runs",)
        )
    if not terms.runs:
        return Objection("meld.runs", f"{text} is no set, and runs are not melded")
    if len(suits) > 1:
        return Objection(
            question, f"{text} is no run: its suits differ", ("meld.sets",)
        )
    return Objection(question, f"{text} is no run: its cards do not follow one another")


def _round_the_corner(terms: Terms, cards: Sequence[Played]) -> bool:
    """
    Whether the cards would be a run if ranks went round from king to ace to two.
    """
    ranks = [
        one.card.rank if said is None else said.rank
        for one in cards
        if (said := _said(terms, one)) is not None or not terms.wild[one.card.code]
    ]
    if "A" not in ranks or len(cards) > len(RANKS) + 1:
        return False
    circle = RANKS + RANKS
    stretches = (circle[low : low + len(cards)] for low in range(len(RANKS)))
    return any(
        all(stretch.count(rank) >= ranks.count(rank) for rank in ranks)
        for stretch in stretches
    )


# ---------------------------------------------------------------------- lay-offs


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
    What a meld becomes by cards laid off on it, or why they do not fit.

    Args:
        terms: The terms of the deal.
        meld: The meld as it lies.
        cards: The cards in the order written.
        seat: Who lays them.
        end: ``low`` or ``high`` where the player named an end of the run.
        grow: Whether the meld must grow, so that no card may go beside a wild.
    """
    wrong = _misdeclared(terms, cards)
    if wrong is not None:
        return wrong
    if meld.kind == "wild":
        return _build_on_wild(terms, meld, cards, seat)
    if meld.kind == "wilds":
        if all(terms.wild[one.card.code] and one.stands_for is None for one in cards):
            slots = tuple(Slot(one.card, None, seat) for one in cards)
            return attrs.evolve(meld, slots=meld.slots + slots)
        return Objection(
            "wild.wild_melds", "a meld of wild cards takes wild cards alone"
        )
    drafts = list(_layoff_drafts(terms, meld, cards, seat, end, grow=grow))
    best = _best(drafts, [_limit(terms, draft) for draft in drafts])
    if len(best) == 1:
        (draft,) = best
        return built(
            terms, draft.kind, draft.slots, meld.maker, draft.low, draft.beside
        )
    if best:
        misfit = _ambiguous(cards, best)
        if not any(terms.wild[one.card.code] for one in cards):
            # Only an ace that fits both ends comes here.
            return Objection(
                "meld.ace", f"{_words(cards)} fits both ends: say low or high"
            )
        return misfit
    if drafts:
        return _limit(terms, drafts[0]) or _no_layoff(terms, meld, cards)
    return _no_layoff(terms, meld, cards)


def _build_on_wild(
    terms: Terms, meld: Meld, cards: Sequence[Played], seat: int
) -> Meld | Objection:
    """
    A single wild made into a set by its owner (HR-12).
    """
    ranks = {one.card.rank for one in cards}
    if seat != meld.maker:
        return Objection(
            "layoff.single_wilds", "a single wild card is its owner's to build on"
        )
    if any(terms.wild[one.card.code] for one in cards):
        question = "wild.limit" if terms.limit == "one" else "layoff.single_wilds"
        return Objection(
            question,
            "a single wild is built on with natural cards",
            ("layoff.single_wilds",),
        )
    if len(ranks) != 1 or len(cards) + 1 < terms.least_set:
        return Objection(
            "layoff.single_wilds",
            "a single wild is built on with two or more natural cards of one rank",
        )
    wild = Played(meld.slots[0].card)
    drafts = list(_set_drafts(terms, [wild, *cards], seat))
    if not drafts:
        return Objection("meld.sets", f"{_words(cards)} makes no set with {wild}")
    # Where suits matter the wild takes the first one that is free (RV-13).
    wrong = _limit(terms, drafts[0])
    return wrong or built(terms, "set", drafts[0].slots, seat)


def uncovered(terms: Terms, meld: Meld) -> dict[int, int]:
    """
    The real cards that may go beside wilds of a meld: their codes, and the slots.
    """
    if terms.real_card != "beside" or not meld.real:
        return {}
    covered = {one.index for one in meld.beside}
    return {
        slot.code: index
        for index, slot in enumerate(meld.slots)
        if slot.stands_for is not None
        and slot.code >= 0
        and not slot.own_place
        and index not in covered
    }


def _layoff_drafts(
    terms: Terms,
    meld: Meld,
    cards: Sequence[Played],
    seat: int,
    end: str | None,
    *,
    grow: bool,
) -> Iterator[_Draft]:
    places = {} if grow else uncovered(terms, meld)
    beside = list(meld.beside)
    growing = []
    for one in cards:
        code = one.card.code
        own = OWN_PLACE[code]
        if code in places and (not terms.wild[code] or one.stands_for in {None, own}):
            beside.append(Beside(places.pop(code), one.card, seat))
        else:
            growing.append(one)
    lying = tuple(beside)
    if not growing:
        yield _Draft(meld.kind, meld.slots, meld.low, lying)
        return
    if meld.kind == "run":
        yield from _run_layoffs(terms, meld, growing, seat, end, lying)
        return
    rank = meld.rank
    for one in growing:
        said = _said(terms, one)
        named = one.card.rank if said is None else said.rank
        if named != rank and (said is not None or not terms.wild[one.card.code]):
            return
    if terms.distinct and rank != "*":
        for draft in _distinct_sets(terms, growing, seat, rank, meld.slots):
            yield attrs.evolve(draft, beside=lying)
    else:
        new = tuple(Slot(one.card, _free(terms, one, rank), seat) for one in growing)
        yield _Draft("set", meld.slots + new, -1, lying)


def _run_layoffs(
    terms: Terms,
    meld: Meld,
    cards: Sequence[Played],
    seat: int,
    end: str | None,
    beside: tuple[Beside, ...],
) -> Iterator[_Draft]:
    suit = meld.suit
    for one in cards:
        said = _said(terms, one)
        named = one.card.suit if said is None else said.suit or suit
        if named != suit and (said is not None or not terms.wild[one.card.code]):
            return
    total = len(meld) + len(cards)
    top = meld.low + len(meld)
    for below in range(len(cards) + 1):
        above = len(cards) - below
        if (end == "low" and above) or (end == "high" and below):
            continue
        low = meld.low - below
        if not terms.fits_track(low, total):
            continue
        ranks = terms.track[low : meld.low] + terms.track[top : top + above]
        slots = _along(terms, cards, seat, suit, ranks)
        if slots is not None:
            moved = tuple(attrs.evolve(one, index=one.index + below) for one in beside)
            yield _Draft("run", slots[:below] + meld.slots + slots[below:], low, moved)


def _no_layoff(terms: Terms, meld: Meld, cards: Sequence[Played]) -> Objection:
    """
    Why cards do not fit a meld: the most telling reason first.
    """
    text = _words(cards)
    standing = {slot.code: slot for slot in meld.slots}
    for one in cards:
        said = _said(terms, one)
        code = one.card.code if said is None else said.code
        slot = standing.get(code)
        if slot is None or (said is None and terms.wild[one.card.code]):
            continue
        if slot.stands_for is not None and not slot.own_place:
            return Objection(
                "wild.real_card",
                f"the place of {CARDS[code]} in this meld is held by {slot}",
                ("meld.set_suits", "meld.sets")
                if meld.kind == "set"
                else ("layoff.onto",),
            )
        if meld.kind == "set":
            return Objection(
                "meld.set_suits",
                f"the set has its {CARDS[code]} already",
                ("meld.sets", "layoff.onto"),
            )
    if meld.kind == "set" and terms.distinct and len(meld) == len(terms.suits):
        return Objection(
            "meld.set_suits",
            f"the set {meld} is complete",
            ("meld.sets", "layoff.onto"),
        )
    if meld.kind == "run" and _past_the_ace(terms, meld, cards):
        return Objection(
            "meld.ace", f"{text} does not fit: an ace ends a run", ("layoff.onto",)
        )
    shape = "meld.sets" if meld.kind == "set" else "meld.runs"
    return Objection(
        "layoff.onto", f"{text} does not fit the {meld.kind} {meld}", (shape,)
    )


def _past_the_ace(terms: Terms, meld: Meld, cards: Sequence[Played]) -> bool:
    """
    Whether cards would fit a run if ranks went round from king to ace to two.
    """
    ends = (meld.slots[0], meld.slots[-1])
    if "A" not in [(slot.stands_for or slot.card).rank for slot in ends]:
        return False
    named = [_said(terms, one) or OWN_PLACE[one.card.code] for one in cards]
    return all(
        one is None or terms.wild[played.card.code] or one.suit == meld.suit
        for one, played in zip(named, cards, strict=True)
    ) and any(one is not None and one.rank in {"A", "K", "2"} for one in named)
