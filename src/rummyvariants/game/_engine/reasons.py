"""
What makes plays and takes legal, in words. Only `check` asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from rummyvariants._support.words import a, listed, number, rank, ranks, suit
from rummyvariants.cards import CARDS, FIELD, RANKS
from rummyvariants.game._engine.candidates import to_lay, to_meld
from rummyvariants.game._engine.draws import take
from rummyvariants.game._engine.offers import PlayCheck
from rummyvariants.game._engine.plays import (
    AnyState,
    Play,
    meets,
    melds_by_number,
    plan,
)
from rummyvariants.game._state import Draft, thaw
from rummyvariants.melds._meld import Meld, rank_of_set
from rummyvariants.melds._tree import leaves
from rummyvariants.policies import Duty


_EXAMPLES: Final = 3
"""How many plays are named that meet a duty."""


def meld_in_words(meld: Meld) -> str:
    """
    What a meld is: ``a run of hearts from seven to nine with * as 8h``.
    """
    slots = meld.slots
    if meld.kind == "run":
        low, high = (rank(RANKS[(one.code & 15) - 1]) for one in (slots[0], slots[-1]))
        found = f"a run of {suit(meld.suit)} from {low} to {high}"
    elif meld.kind == "set":
        found = f"a set of {number(len(slots))} {ranks(rank_of_set(slots))}"
    elif meld.kind == "alike":
        found = f"a meld of {number(len(slots))} identical cards"
    elif meld.kind == "wilds":
        found = f"a meld of {number(len(slots))} wild cards"
    elif meld.kind == "wild":
        found = "a single wild"
    else:
        found = a(meld.kind)
    # In a set whose suits do not matter, what a wild stands for goes without saying.
    wilds = [
        f"{one.card} as {one.stands_for}"
        for one in slots
        if one.substitutes and one.code >= 0
    ]
    return f"{found} with {listed(wilds)}" if wilds else found


def melds_in_words(plays: Iterable[Play]) -> str:
    """
    What several melds are.
    """
    return listed([meld_in_words(one.after) for one in plays])


def fit_in_words(state: AnyState, cards: Sequence[object], play: Play) -> str:
    """
    That cards fit a meld of the table, and what becomes of it.

    Args:
        state: The state before the play.
        cards: The cards.
        play: What becomes of the meld.
    """
    old = dict(melds_by_number(state))[play.number]
    kind = {"wild": "single wild", "wilds": "meld", "alike": "meld"}
    what = f"{kind.get(old.kind, old.kind)} {old}"
    verb = "fits" if len(cards) == 1 else "fit"
    becomes = meld_in_words(play.after)
    return f"{listed(map(str, cards))} {verb} the {what}, which becomes {becomes}"


def take_in_words(state: AnyState, seat: int, count: int) -> str:
    """
    What has to be done with cards of the pile, and by which plays it can be done.

    Returns:
        An empty text if nothing has to be done with them.
    """
    draft = thaw(state)
    take(draft, seat, count)
    owed = []
    for duty in draft.drawn.duties:
        uses = listed(islice(_uses(draft, seat, duty), _EXAMPLES), "or")
        owed.append(f"{CARDS[duty.code]} {duty}{f', as in {uses}' if uses else ''}")
    return "; ".join(owed)


def _uses(draft: Draft, seat: int, duty: Duty) -> Iterator[str]:
    """
    The plays that meet a duty, new melds first.
    """
    for grow in (to_meld, to_lay):
        tree = grow(draft, seat, FIELD[duty.code], PlayCheck(draft, seat))
        for action, _ in leaves(tree):
            play = plan(draft, seat, action)
            if isinstance(play, Play) and meets(draft, play, duty):
                yield f"'{action}'"
