"""
Whether cards of a meld may count more than each of them does by itself.

The search adds up what each card is worth. Four that count twice when they are put down
at once, and four aces with points of their own, are worth more than that;
nothing better is sure then where a hand can come by them.
"""

from __future__ import annotations

from rummyvariants.cards import FIELD, size
from rummyvariants.melds._meld import Meld
from rummyvariants.solver._situations import Situation


def may_count_otherwise(here: Situation) -> bool:
    """
    Whether a seat may come by four cards that do not count as each does by itself.

    Args:
        here: The hand and the table.

    Returns:
        False only where it is sure that nothing of `ScorePolicy.four_at_once` and
        `ScorePolicy.four_aces` is within reach.
    """
    score = here.rules.score
    return (score.doubles_fours and _four_at_once(here)) or (
        score.raises_four_aces and here.rules.meld.sets and _four_aces(here)
    )


def _four_at_once(here: Situation) -> bool:
    terms = here.terms
    wilds = size(here.hand & terms.wild_mask)
    if here.rules.wild.swaps:
        melds = here.melds.values()
        if any(slot.twice for meld in melds for slot in meld.slots):
            return True  # a card that is traded for a wild counts as that did
        # Wilds may come to the hand.
        wilds += sum(_wilds(here, meld) for meld in melds)
    natural = here.hand & terms.natural_mask
    if wilds > 3:
        return True
    if here.rules.meld.sets and any(
        wilds + size(natural & mask) > 3 for mask in terms.rank_masks.values()
    ):
        return True
    return here.rules.meld.runs and any(
        wilds + sum([natural & FIELD[code] > 0 for code in along[low : low + 4]]) > 3
        for along in terms.run_codes.values()
        for low in range(len(along) - 3)
        if terms.fits_track(low, 4)
    )


def _wilds(here: Situation, meld: Meld) -> int:
    return sum(here.terms.wild[card.code] for card in meld.cards)


def _four_aces(here: Situation) -> bool:
    terms = here.terms
    mine = size(here.hand & terms.natural_mask & terms.rank_masks["A"])
    lying = [
        sum(slot.seat == here.seat and slot.card.rank == "A" for slot in meld.slots)
        for meld in here.melds.values()
        if meld.kind == "set"
    ]
    return mine > 0 and mine + max(lying, default=0) > 3
