"""
Four cards that count for more together than one by one.
"""

from __future__ import annotations

from collections.abc import Mapping

from rummyvariants.cards import count, faces, size
from rummyvariants.melds._looks import melds_in
from rummyvariants.melds._meld import Meld, is_low_ace
from rummyvariants.melds._tables import Terms
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.solver._goals import low_aces


def more_in(rules: Ruleset, terms: Terms, meld: Meld, seat: int) -> int:
    """
    How many more points a seat's cards in a meld score than they do one by one.
    """
    score = rules.score
    is_of_aces = meld.kind == "set" and meld.rank == "A"
    raised = score.four_ace_points if is_of_aces else None
    aces = [one.seat == seat and one.stands_for is None for one in meld.slots]
    low = low_aces(terms, rules)
    total = 0
    for index, slot in enumerate(meld.slots):
        code = slot.card.code
        is_low = is_low_ace(terms, meld, index, slot.card)
        points = low[code >> 4] if is_low else terms.worth[code]
        if raised is not None and aces[index] and sum(aces) > 3:
            if score.question(code, wild=False) == "score.points.A":
                total += raised - points
                points = raised
        if slot.twice and slot.seat == seat:
            total += points
    return total


def most_more(
    rules: Ruleset, terms: Terms, hand: int, table: Mapping[int, Meld], seat: int
) -> int:
    """
    The most points by which a hand may score more than its cards do one by one.

    Args:
        rules: The rules.
        terms: The terms of the deal.
        hand: The cards.
        table: The melds to which they may be added.
        seat: Who lays them.
    """
    score, total = rules.score, 0
    raised = score.four_ace_points
    if raised is not None:
        mine = hand & terms.natural_mask & terms.rank_masks["A"]
        lying = [
            sum([slot.seat == seat and slot.card.rank == "A" for slot in meld.slots])
            for meld in table.values()
            if meld.kind == "set"
        ]
        aces = size(mine) + max(lying, default=0)
        if mine and aces > 3:
            total += aces * max(0, raised - terms.worth[1])
    if score.doubles_fours:
        within = 0
        for cards, used, _ in melds_in(terms, hand):
            if len(cards) == 4:
                within |= used
        for code in faces(within):
            ace = raised or 0 if code & 15 == 1 else 0
            total += count(hand, code) * max(0, ace, terms.worth[code])
    return total
