"""
Why named cards make no meld, or do not fit one: the most helpful reason.

Nothing here decides what is legal; it is asked once that is settled.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rummyvariants._support.words import counted, listed
from rummyvariants._support.words import rank as name_of
from rummyvariants._support.words import ranks as ranks_named
from rummyvariants.cards import CARDS, RANKS
from rummyvariants.melds._limits import all_wild, limit_of_draft
from rummyvariants.melds._matching import (
    declared,
    drafts_of,
    said_of,
    words,
)
from rummyvariants.melds._meld import (
    OWN_PLACE,
    Meld,
    Played,
    Slot,
    is_traded,
    moving_in,
    played,
    uncovered,
    window_of,
)
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.shapes._track import GAP
from rummyvariants.rulings import Objection, Unclear


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


def ambiguous(cards: Sequence[Played], drafts: Sequence[Meld]) -> Objection:
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


def _beside_text(draft: Meld) -> str:
    return "".join(f" (beside it {one.card})" for one in draft.beside)


def no_meld(terms: Terms, cards: Sequence[Played], drafts: Sequence[Meld]) -> Objection:
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
        loose = drafts_of(terms, bare, 0)
        if any(limit_of_draft(terms, draft) is None for draft in loose):
            suits_differ = ["meld.set_suits"] * (shape == "sets" and not terms.twins)
            return Objection(
                "wild.stands_for",
                f"{text} is not a meld: a wild card cannot stand for that",
                (path, *suits_differ),
            )
    if not naturals:
        return all_wild(terms)
    if shape == "sets":
        if ranks == {"*"} and len(naturals) < len(cards):
            return Objection(
                "wild.stands_for",
                f"{text} is not a set: a wild card does not stand for a joker",
                ("meld.sets",),
            )
        if terms.distinct and len({one.card.code for one in naturals}) == len(naturals):
            if len(ranks) == 1 and len(cards) > len(terms.suits):
                number = counted(len(terms.suits), "card")
                return Objection(
                    "meld.set_suits",
                    f"{text} is not a set: "
                    f"a set has at most {number}, one of each suit",
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


def nor_of_kinds(terms: Terms, wrong: Objection) -> Objection:
    """
    Why cards are no meld, where house rules declare further kinds of melds.
    """
    kinds = listed([*map(str, terms.kinds)], "or")
    paths = [one.path for one in terms.kinds]
    also = tuple(dict.fromkeys([*wrong.also, *paths]))
    return attrs.evolve(wrong, reason=f"{wrong.reason}; nor is it {kinds}", also=also)


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
    said = [said_of(terms, one) for one in cards]
    ranks = [one.rank for one in said if one is not None]
    if "A" not in ranks or len(cards) > len(terms.ranks) + 1:
        return False
    circle = terms.ranks + terms.ranks
    stretches = (circle[low : low + len(cards)] for low in range(len(terms.ranks)))
    return any(
        all(stretch.count(rank) >= ranks.count(rank) for rank in ranks)
        for stretch in stretches
    )


def no_trade(terms: Terms, meld: Meld, code: int) -> Objection:
    """
    Why no wild of a meld may be traded for a card.
    """
    kept = [slot for slot in meld.slots if _stands_for(slot, code)]
    if kept and not any(is_traded(terms, slot) for slot in kept):
        message = f"{kept[0].card} is a wild card that is not traded"
        return Objection("wild.swap_for", message)
    if kept and terms.moves_swapped:
        message = f"the {meld.kind} {meld} has no end for the wild card to move to"
        return Objection("wild.swapped", message)
    if kept and terms.swaps_together:
        message = f"the set {meld} is complete, and keeps its wild card"
        return Objection("wild.swap_with", message)
    message = f"no wild card of the meld {meld} stands for {CARDS[code]}"
    return Objection("wild.real_card", message)


def _stands_for(slot: Slot, code: int) -> bool:
    """
    Whether a slot holds a wild that stands for a card.
    """
    where = slot.stands_for
    if where is None or slot.own_place:
        return False
    return where.code == code or (where.code < 0 and where.rank == CARDS[code].rank)


def no_layoff(
    terms: Terms, meld: Meld, cards: Sequence[Played], *, grow: bool
) -> Objection:
    """
    Why cards do not fit a meld: the most helpful reason.
    """
    text = words(cards)
    one_a_suit = meld.kind == "set" and not terms.twins and meld.rank != "*"
    taken = meld.slots if one_a_suit or meld.kind == "run" else ()
    standing = {slot.code: slot for slot in taken}
    beside = {} if grow else uncovered(terms, meld)
    for one in cards:
        said = declared(terms, one)
        code = one.card.code if said is None else said.code
        slot = standing.get(code)
        if slot is None or (
            said is None and (terms.wild[one.card.code] or code in beside)
        ):
            continue
        if slot.substitutes:
            return Objection(
                "wild.real_card",
                f"{slot} already holds the place of {CARDS[code]} in this meld",
                ("meld.set_suits", "meld.sets")
                if meld.kind == "set"
                else ("layoff.onto",),
            )
        if one_a_suit:
            return Objection(
                "meld.set_suits",
                f"the set already has its {CARDS[code]}",
                ("meld.sets", "layoff.onto"),
            )
    if one_a_suit and terms.distinct and len(meld) == len(terms.suits):
        return Objection(
            "meld.set_suits",
            f"the set {meld} is complete",
            ("meld.sets", "layoff.onto"),
        )
    if meld.kind == "run" and _past_the_ace(terms, meld, cards):
        lying = [played(slot.card.code, slot.stands_for) for slot in meld.slots]
        why = corner(terms, [*lying, *cards])
        return Objection(
            "meld.ace", f"{text} does not fit the run {meld}: {why}", ("layoff.onto",)
        )
    moving = moving_in(terms, meld)
    if moving is not None and 0 < moving[0] < len(meld) - 1:
        slot = meld.slots[moving[0]]
        free = {one.ranks for one in terms.any_runs.shifted(window_of(meld), *moving)}
        named = [said_of(terms, one) for one in cards]
        held = sum({1 << RANKS.index(one.rank) for one in named if one})
        if held | 1 << (slot.code & 15) - 1 in free:
            return Objection(
                "wild.real_card",
                f"{text} does not fit the run {meld}: {slot.card} is shut in, and "
                f"moves only with the {slot.stands_for}",
            )
    shape = "meld.sets" if meld.kind == "set" else "meld.runs"
    return Objection(
        "layoff.onto", f"{text} does not fit the {meld.kind} {meld}", (shape,)
    )


def _past_the_ace(terms: Terms, meld: Meld, cards: Sequence[Played]) -> bool:
    """
    Whether cards would fit a run if ranks continued from king to ace.
    """
    said = [said_of(terms, one) for one in cards]
    if any(one is not None and one.suit not in {"", meld.suit} for one in said):
        return False
    lying = [played(slot.card.code, slot.stands_for) for slot in meld.slots]
    return round_the_corner(terms, [*lying, *cards])
