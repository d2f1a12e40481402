"""
Four cards that count for more together than one by one.

A search adds up what each card is worth. Four cards that count twice when put down at
once, and four aces with points of their own, are worth more; so plays that make them
are tried first, followed by a search for the best of the rest.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rummyvariants.cards import FIELD, UNIT, codes, holds, size
from rummyvariants.game.actions import LayDown, LayOff, PutDown
from rummyvariants.melds._combos import melds_in
from rummyvariants.melds._meld import Meld, is_low_ace, played
from rummyvariants.melds._parts import sub_multisets
from rummyvariants.melds._tables import Terms
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.solver._goals import low_aces
from rummyvariants.solver._situations import Action, Situation, melds_after


@attrs.frozen
class Four:
    """
    A play that makes cards count for more than they do one by one.

    Attributes:
        more: How many points more.
        action: The play.
    """

    more: int
    action: LayDown | LayOff

    def played(self, here: Situation) -> Situation | None:
        """
        A situation after the play; None where it cannot be made.
        """
        cards = self.action.cards
        used = sum([UNIT[one.card.code] for one in cards])
        if not holds(here.hand, used):
            return None
        if isinstance(self.action, LayOff):
            if here.rules.layoff.needs_own_meld and not here.has_meld:
                return None
            return here.laid_off(self.action.meld, cards)
        if used & here.terms.wild_mask:
            if here.rules.meld.first_natural and not here.has_meld:
                return None
        return here.begun(cards)


def fours_in(here: Situation) -> Iterator[Four]:
    """
    The plays that make cards count for more, with as many cards as possible.
    """
    before = more_of(here, here.actions)
    for action in _fours(here):
        more = more_of(here, (*here.actions, action)) - before
        if more > 0:
            yield Four(more, action)


def _fours(here: Situation) -> Iterator[LayDown | LayOff]:
    score, terms = here.rules.score, here.terms
    if score.doubles_fours:
        for cards, _ in melds_in(terms, here.hand):
            if len(cards) == 4:
                yield LayDown(cards, here.seat)
    if not score.raises_four_aces:
        return
    aces = here.hand & terms.natural_mask & terms.rank_masks["A"]
    for cards, _ in melds_in(terms, aces):
        if len(cards) > 4 or (len(cards) == 4 and not score.doubles_fours):
            yield LayDown(cards, here.seat)
    for number, meld in here.melds.items() if here.layoffs else ():
        if meld.kind == "set" and meld.rank == "A":
            for part in sub_multisets(aces, 1):
                cards = tuple([played(code) for code in codes(part)])
                if here.laid_off(number, cards) is not None:
                    yield LayOff(cards, number, None, here.seat)


def more_of(here: Situation, actions: tuple[Action, ...]) -> int:
    """
    How many more points the plays of a turn score than their cards do one by one.

    Args:
        here: A situation of the turn.
        actions: All plays of the turn.
    """
    new = [one for one in here.actions if isinstance(one, LayDown | PutDown)]
    start, seat = here.start, here.seat or 0
    rules, terms = here.rules, here.terms
    after = melds_after(
        terms,
        start,
        actions,
        here.next_number - len(new),
        doubles=rules.score.doubles_fours,
    )
    total = 0
    for number, meld in after.items():
        old = start.get(number)
        if meld is not old:
            total += more_in(rules, terms, meld, seat)
            total -= more_in(rules, terms, old, seat) if old is not None else 0
    return total


def more_in(rules: Ruleset, terms: Terms, meld: Meld, seat: int) -> int:
    """
    How many more points a seat's cards in a meld score than they do one by one.
    """
    score = rules.score
    aces: set[int] = set()
    if score.raises_four_aces and meld.kind == "set" and meld.rank == "A":
        aces = {
            index
            for index, slot in enumerate(meld.slots)
            if slot.seat == seat and slot.stands_for is None
        }
    low = low_aces(rules, terms)
    total = 0
    for index, slot in enumerate(meld.slots):
        code = slot.card.code
        is_low = is_low_ace(terms, meld, index, slot.card)
        points = low[code >> 4] if is_low else terms.worth[code]
        if index in aces and len(aces) > 3:
            if score.question(code, wild=False) == "score.points.A":
                total += score.four_ace_points - points
                points = score.four_ace_points
        if slot.twice and slot.seat == seat:
            total += points
    return total


def is_unsure(here: Situation) -> bool:
    """
    Whether what four cards score may change in ways that are not considered.
    """
    if not may_count_otherwise(here):
        return False
    rules, terms, score = here.rules, here.terms, here.rules.score
    wilds = here.hand & terms.wild_mask or any(
        _wilds(here, meld) for meld in here.melds.values()
    )
    if wilds and rules.wild.swaps:
        return True  # a card that is traded for a wild counts as that did
    if wilds and rules.meld.first_natural and not here.has_meld:
        return True  # four with wilds may come after another meld
    if score.raises_four_aces and rules.layoff.needs_own_meld and not here.has_meld:
        if any(meld.rank == "A" for meld in here.melds.values()):
            return True  # aces may be laid off after another meld
    if not score.doubles_fours:
        return False
    if terms.runs_along.circle and {*low_aces(rules, terms)} - {*terms.worth}:
        return True  # a low ace that counts twice may become high
    if any(terms.worth[code] < 0 for code in codes(here.hand)):
        return True  # three at first, and the fourth laid off, may be better
    aces = here.hand & terms.natural_mask & terms.rank_masks["A"]
    return score.raises_four_aces and size(aces) > 4


def may_count_otherwise(here: Situation) -> bool:
    """
    Whether a seat may get four cards that count for more together.

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
