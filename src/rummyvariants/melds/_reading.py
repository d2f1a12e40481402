"""
What a player may have meant: the cards named, read as a meld or a lay-off.

A wild that is not declared stands for itself if that makes a valid meld, otherwise for
the only card that it can. Two wilds that change places make one reading.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from rummyvariants._support.values import Value
from rummyvariants._support.words import counted
from rummyvariants._support.words import rank as name_of
from rummyvariants._support.words import ranks as ranks_named
from rummyvariants.cards import JOKER, RANKS
from rummyvariants.melds._meld import (
    ALIKE,
    OWN_PLACE,
    Beside,
    Kind,
    Meld,
    Place,
    Played,
    Slot,
    built,
    counted_wilds,
    is_natural,
    own_slots,
    place,
    played,
)
from rummyvariants.melds._tables import GAP, Terms
from rummyvariants.rulings import Objection, Unclear


@attrs.frozen(eq=False, repr=False)
class MeldDraft(Value):
    """
    A meld being read, its limits not checked yet.
    """

    kind: Kind
    slots: tuple[Slot, ...]
    low: int = -1
    beside: tuple[Beside, ...] = ()

    @property
    def own_places(self) -> int:
        """
        How many of its wilds stand for themselves.
        """
        return sum(slot.own_place for slot in self.slots)


def words(cards: Sequence[Played]) -> str:
    """
    Cards as they were written.
    """
    return " ".join(map(str, cards))


def misdeclared(terms: Terms, cards: Sequence[Played]) -> Objection | None:
    """
    Why the declarations of the cards are impossible.
    """
    for one in cards:
        said = one.stands_for
        if said is None:
            continue
        if not terms.wild[one.card.code] and said != OWN_PLACE[one.card.code]:
            return Objection(
                "wild.stands_for",
                f"{one.card} is not wild in this deal and stands for itself alone",
            )
        lacking = terms.lacks(said.rank, said.suit)
        if lacking:
            return Objection(
                "wild.stands_for",
                f"{one.card} cannot stand for {said}: the deck has no {lacking}",
            )
    return None


def declared(terms: Terms, one: Played) -> Place | None:
    """
    The declaration of a card; None for a natural card and for a bare wild.
    """
    return one.stands_for if terms.wild[one.card.code] else None


# --------------------------------------------------------------------- new melds


def read_meld(
    terms: Terms, cards: Sequence[Played], seat: int, *, legal: bool = False
) -> Meld | Objection:
    """
    The meld that the named cards make, or why they make none.

    The terms remember melds, since the same ones come up again and again.

    Args:
        terms: The terms of the deal.
        cards: The cards in the order written.
        seat: Who lays them.
        legal: Whether they are known to make one, so that limits need no check.
    """
    key = (cards if isinstance(cards, tuple) else tuple(cards), seat)
    known: Meld | Objection | None = terms.melds.get(key)
    if known is None:
        known = _read(terms, cards, seat, legal=legal)
        if isinstance(known, Meld):
            if len(terms.melds) >= _MELDS_AT_MOST:
                terms.melds.clear()
            terms.melds[key] = known
    return known


_MELDS_AT_MOST: Final = 8_000


def _read(
    terms: Terms, cards: Sequence[Played], seat: int, *, legal: bool
) -> Meld | Objection:
    wrong = None if legal else misdeclared(terms, cards)
    if wrong is not None:
        return wrong
    if (
        terms.wild_melds
        and len(cards) >= terms.least_set
        and all(terms.wild[one.card.code] and one.stands_for is None for one in cards)
    ):
        slots = tuple(Slot(one.card, None, seat) for one in cards)
        return built(terms, "wilds", slots, seat)
    if terms.alike and (alike := _alike(terms, cards, seat)) is not None:
        return alike
    plain = _plain_set(terms, cards, seat, legal=legal) if terms.sets else None
    if plain is None and terms.runs:
        plain = _plain_run(terms, cards, seat, legal=legal)
    if plain is not None:
        return plain
    drafts = [*set_drafts(terms, cards, seat), *_run_drafts(terms, cards, seat)]
    best = best_of(drafts, [limit_of_draft(terms, draft) for draft in drafts])
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
    return _no_meld(terms, cards, drafts)


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
            drafts = [*set_drafts(terms, cards, seat), *_run_drafts(terms, cards, seat)]
            if any(
                draft.kind == "run" or _refuse_rank(terms, draft.slots) is None
                for draft in drafts
            ) and not misdeclared(terms, cards):
                return read_meld(terms, [played(one.card.code) for one in cards], seat)
    return found


def _alike(terms: Terms, cards: Sequence[Played], seat: int) -> Meld | None:
    """
    The meld of three identical cards that stand for themselves, if they are that.
    """
    card = cards[0].card
    if len(cards) != ALIKE or card.is_joker or {one.card for one in cards} != {card}:
        return None
    for one in cards:
        said = one.stands_for
        if said is not None and said not in {OWN_PLACE[card.code], place(card.rank)}:
            return None
    own = OWN_PLACE[card.code] if terms.wild[card.code] else None
    slots = (Slot(card, own, seat),) * ALIKE
    if limit_of_draft(terms, MeldDraft("alike", slots)) is not None:
        return None
    return built(terms, "alike", slots, seat)


def _plain_set(
    terms: Terms, cards: Sequence[Played], seat: int, *, legal: bool
) -> Meld | None:
    """
    A shortcut for cards with nothing left open: the set that they make, if they do.
    """
    if len(cards) < terms.least_set:
        return None
    wild = terms.wild
    distinct = terms.distinct
    own = own_slots(seat)
    rank = ""
    taken = 0
    slots = []
    for one in cards:
        card = one.card
        code = card.code
        named = card.rank
        slot = own[code]
        if wild[code]:
            where = one.stands_for
            if where is None:
                return None
            named, code = where.rank, where.code
            if not distinct:
                where = free_place(terms, one, named)
            elif code < 0:
                return None
            slot = Slot(card, where, seat)
        if named == "*" or named != (rank or named):
            return None
        rank = named
        if distinct:
            taken |= 1 << code
        slots.append(slot)
    if distinct and taken.bit_count() < len(cards):
        return None
    placed = tuple(slots)
    if not (distinct or terms.twins) and has_twins(placed):
        return None
    if not legal and limit_of_draft(terms, MeldDraft("set", placed)) is not None:
        return None
    return built(terms, "set", placed, seat)


def _plain_run(
    terms: Terms, cards: Sequence[Played], seat: int, *, legal: bool
) -> Meld | None:
    """
    A shortcut for cards with nothing left open: the run that they make, if they do.
    """
    wild = terms.wild
    own = own_slots(seat)
    ranks = 0
    suit = -1
    slots: dict[int, Slot] = {}
    for one in cards:
        card = one.card
        code = card.code
        slot = own[code]
        if wild[code]:
            where = one.stands_for
            if where is None:
                return None
            code = where.code
            slot = Slot(card, where, seat)
        if suit < 0:
            suit = code >> 4
        if code >> 4 != suit or code == JOKER:
            return None
        ranks |= 1 << (code & 15) - 1
        slots[code] = slot
    lows = terms.runs_along.by_ranks.get(ranks, ())
    if len(lows) != 1 or len(slots) != len(cards):
        return None
    low = lows[0]
    codes = terms.runs_along.codes[suit][low : low + len(cards)]
    placed = tuple([slots[code] for code in codes])
    if not legal and limit_of_draft(terms, MeldDraft("run", placed, low)) is not None:
        return None
    return built(terms, "run", placed, seat, low)


def best_of(
    drafts: list[MeldDraft], limits: Sequence[Objection | None]
) -> list[MeldDraft]:
    """
    The valid drafts with the most wilds in their own places.
    """
    valid = [
        draft for draft, wrong in zip(drafts, limits, strict=True) if wrong is None
    ]
    most = max((draft.own_places for draft in valid), default=0)
    return [draft for draft in valid if draft.own_places == most]


def _by_ace(drafts: list[MeldDraft], cards: Sequence[Played]) -> list[MeldDraft]:
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


def ambiguous(cards: Sequence[Played], drafts: Sequence[MeldDraft]) -> Objection:
    """
    The refusal of cards with several readings; it lists them all.
    """
    texts = dict.fromkeys(
        " ".join(map(str, draft.slots)) + _beside_text(draft) for draft in drafts
    )
    return Unclear(
        "wild.stands_for",
        f"{words(cards)} can be read as {' or as '.join(texts)}: "
        "declare what the wild card stands for",
        readings=tuple(drafts),
    )


def _beside_text(draft: MeldDraft) -> str:
    return "".join(f" (beside it {one.card})" for one in draft.beside)


def _all_wild(terms: Terms) -> Objection:
    """
    The refusal of a set or run in which every card is a wild in another place.
    """
    reason = "a meld needs at least one natural card"
    if terms.wild_melds:
        reason = "wilds alone are a meld only if they are said to stand for nothing"
    return Objection("wild.wild_melds", reason)


def limit_of_draft(
    terms: Terms, draft: MeldDraft, maker: int | None = None
) -> Objection | None:
    """
    Whether a draft breaks a limit on wild cards, or a third party refuses it.

    Args:
        terms: The terms of the deal.
        draft: The draft.
        maker: The seat that made the meld; None for the seat that laid its first card.
    """
    if draft.kind in {"wilds", "wild"}:
        return None
    slots = draft.slots
    if terms.limits_ranks and draft.kind == "set":
        wrong = _refuse_rank(terms, slots)
        if wrong is not None:
            return wrong
    if terms.extra is None and is_natural(slots):
        return None
    if all(slot.stands_for is not None and not slot.own_place for slot in slots):
        wrong = _all_wild(terms)
        return attrs.evolve(wrong, path="wild.limit") if terms.one_at_most else wrong
    if not terms.unlimited:
        wilds = counted_wilds(terms, slots)
        naturals = len(slots) - wilds
        room = terms.wild_room(draft.kind, naturals, wilds)
        if room < 0:
            return terms.too_many(draft.kind, naturals, wilds + room)
    if terms.extra is not None:
        maker = slots[0].seat if maker is None else maker
        meld = Meld(draft.kind, slots, maker, draft.low, draft.beside)
        found: Objection | None = terms.extra(meld)
        return found
    return None


def _refuse_rank(terms: Terms, slots: tuple[Slot, ...]) -> Objection | None:
    """
    Why no set is made of a rank, or none with a wild.
    """
    first = slots[0]
    rank = (first.stands_for or first.card).rank
    if rank != "*" and rank not in terms.set_ranks:
        return Objection("meld.set_ranks", f"{ranks_named(rank)} are not melded")
    if rank in terms.natural_ranks and not is_natural(slots):
        reason = f"a set of {ranks_named(rank)} holds no wild card"
        return Objection("meld.natural_ranks", reason)
    return None


def is_allowed(terms: Terms, cards: Sequence[Played]) -> bool:
    """
    Whether third parties allow cards that make a meld.
    """
    return terms.extra is None or not isinstance(read_meld(terms, cards, 0), Objection)


def set_drafts(terms: Terms, cards: Sequence[Played], seat: int) -> Iterator[MeldDraft]:
    """
    All readings of cards as a set, limits not checked.
    """
    if not terms.sets or len(cards) < terms.least_set:
        return
    ranks = {
        one.card.rank if said is None else said.rank
        for one in cards
        if (said := declared(terms, one)) is not None or not terms.wild[one.card.code]
    }
    if not ranks:
        ranks = {one.card.rank for one in cards if not one.card.is_joker}
    elif len(ranks) > 1:
        return
    for rank in sorted(ranks):
        if rank == "*" and any(terms.wild[one.card.code] for one in cards):
            # A wild card stands for a card with a rank, not for a joker.
            continue
        if terms.distinct and rank != "*":
            yield from distinct_sets(terms, cards, seat, rank, ())
        else:
            slots = tuple(
                Slot(one.card, free_place(terms, one, rank), seat) for one in cards
            )
            if rank == "*" or terms.twins or not has_twins(slots):
                yield MeldDraft("set", slots)


def has_twins(slots: Sequence[Slot]) -> bool:
    """
    Whether two natural cards among these are of one face.
    """
    natural = [slot.card.code for slot in slots if slot.stands_for is None]
    return len({*natural}) < len(natural)


def free_place(terms: Terms, one: Played, rank: str) -> Place | None:
    """
    What a card stands for in a set whose suits do not matter.
    """
    if not terms.wild[one.card.code]:
        return None
    return OWN_PLACE[one.card.code] if one.card.rank == rank else place(rank)


def distinct_sets(
    terms: Terms,
    cards: Sequence[Played],
    seat: int,
    rank: str,
    old: tuple[Slot, ...],
) -> Iterator[MeldDraft]:
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
        said = declared(terms, one)
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
    # Wilds without a declaration stand for themselves first.
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
        yield MeldDraft("set", old + slots)


def _run_drafts(
    terms: Terms, cards: Sequence[Played], seat: int
) -> Iterator[MeldDraft]:
    if not terms.runs or len(cards) < terms.least_run:
        return
    suits = {
        one.card.suit if said is None else said.suit
        for one in cards
        if (said := declared(terms, one)) is not None or not terms.wild[one.card.code]
    } - {""}
    if any(one.card.is_joker and not terms.wild[one.card.code] for one in cards):
        return
    if not suits:
        suits = {one.card.suit for one in cards} - {""}
    elif len(suits) > 1:
        return
    fixed = 0
    for one in cards:
        said = declared(terms, one)
        if said is not None or not terms.wild[one.card.code]:
            fixed |= 1 << RANKS.index((said or one.card).rank)
    for suit in sorted(suits):
        for low, held in terms.runs_along.by_length.get(len(cards), ()):
            if held & fixed != fixed:
                continue
            ranks = terms.track[low : low + len(cards)]
            slots = along(terms, cards, seat, suit, ranks)
            if slots is not None:
                yield MeldDraft("run", slots, low)


def along(
    terms: Terms, cards: Sequence[Played], seat: int, suit: str, ranks: str
) -> tuple[Slot, ...] | None:
    """
    The cards put on a stretch of ranks, one on each; None if they do not fit.
    """
    slots: dict[str, Slot] = {}
    bare = []
    for one in cards:
        said = declared(terms, one)
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
    terms: Terms, cards: Sequence[Played], drafts: Sequence[MeldDraft]
) -> Objection:
    """
    Why named cards make no meld: the most helpful reason.
    """
    text = words(cards)
    if drafts:
        wrong = limit_of_draft(terms, drafts[0])
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
    path = f"meld.{shape}"
    least = terms.least_set if shape == "sets" else terms.least_run
    if len(cards) < least:
        kind = shape[:-1]
        number = counted(least, "card")
        return Objection(
            f"meld.least_{kind}", f"{text} is too short: a {kind} has at least {number}"
        )
    if any(declared(terms, one) for one in cards):
        bare = [played(one.card.code) for one in cards]
        loose = [*set_drafts(terms, bare, 0), *_run_drafts(terms, bare, 0)]
        if any(limit_of_draft(terms, draft) is None for draft in loose):
            suits_differ = ["meld.set_suits"] * (shape == "sets" and not terms.twins)
            return Objection(
                "wild.stands_for",
                f"{text} is not a meld: a wild card cannot stand for that",
                (path, *suits_differ),
            )
    if not naturals:
        return _all_wild(terms)
    if shape == "sets":
        if ranks == {"*"} and len(naturals) < len(cards):
            return Objection(
                "wild.stands_for",
                f"{text} is not a set: a wild card does not stand for a joker",
                ("meld.sets",),
            )
        if terms.distinct and len({one.card.code for one in naturals}) == len(naturals):
            if len(ranks) == 1 and len(cards) > len(terms.suits):
                most = counted(len(terms.suits), "card")
                return Objection(
                    "meld.set_suits",
                    f"{text} is not a set: a set has at most {most}, one of each suit",
                    ("meld.set_wilds", "meld.sets"),
                )
        if len(ranks) == 1 and not terms.twins:
            return Objection(
                "meld.set_suits",
                f"{text} is not a set: it would hold two cards of one suit",
                ("meld.sets",),
            )
        also = ("meld.runs",) if terms.runs else ()
        return Objection(path, f"{text} is not a set: its cards differ in rank", also)
    if len(suits) == 1 and round_the_corner(terms, cards):
        why = corner(terms, cards)
        return Objection("meld.ace", f"{text} is not a run: {why}", ("meld.runs",))
    if len(suits) > 1:
        return Objection(path, f"{text} is not a run: its suits differ", ("meld.sets",))
    return Objection(path, f"{text} is not a run: its cards do not follow one another")


def corner(terms: Terms, cards: Sequence[Played]) -> str:
    """
    Why cards that would be a run round the corner are not a run.
    """
    aces = [one for one in cards if (declared(terms, one) or one.card).rank == "A"]
    if len(aces) > 1:
        return "no run goes from ace to ace"
    low, high = name_of(terms.ranks[1]), name_of(terms.ranks[-1])
    for end, missing in ((terms.track[:2], "2"), (terms.track[:-3:-1], "K")):
        if end == f"A{GAP}":
            return f"the deck has no {ranks_named(missing)} to lie next to the ace"
    if terms.track[0] != "A":
        return f"aces are high and do not go below the {low}"
    if terms.track[-1] != "A":
        return f"aces are low and do not go above the {high}"
    return f"no run goes round the corner from {high} to ace to {low}"


def round_the_corner(terms: Terms, cards: Sequence[Played]) -> bool:
    """
    Whether cards with an ace would be a run if ranks continued from king to ace.
    """
    ranks = [
        one.card.rank if said is None else said.rank
        for one in cards
        if (said := declared(terms, one)) is not None or not terms.wild[one.card.code]
    ]
    if "A" not in ranks or len(cards) > len(terms.ranks) + 1:
        return False
    circle = terms.ranks + terms.ranks
    stretches = (circle[low : low + len(cards)] for low in range(len(terms.ranks)))
    return any(
        all(stretch.count(rank) >= ranks.count(rank) for rank in ranks)
        for stretch in stretches
    )
