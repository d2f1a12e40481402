"""
A hand and the table, and the plays that change the table for good.

Trading a real card for a wild, and building on a single wild, change everything that
may follow; so each way to do so is a situation of its own, in which the rest is
searched for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import attrs

from rummyvariants.cards import CARDS, UNIT, codes, faces
from rummyvariants.game.actions import GoDown, LayDown, LayOff, PutDown, Swap
from rummyvariants.melds._layoff_reading import (
    Side,
    read_layoff,
    trade,
    trade_ends,
)
from rummyvariants.melds._layoffs import layoffs_on
from rummyvariants.melds._meld import Meld, Played, Slot, built, is_low_ace
from rummyvariants.melds._reading import read_meld
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.dividing._prices import FIRST, Prices
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection
from rummyvariants.solver._goals import ArrangeError


Action = LayDown | GoDown | LayOff | PutDown | Swap


@attrs.frozen(eq=False)
class Situation:
    """
    A hand and a table, as far as they decide what can be laid down.

    Attributes:
        rules: The rules.
        terms: The terms of the deal.
        hand: The cards of the hand.
        seat: Whose hand it is.
        melds: The melds on the table by number.
        next_number: The number of the next meld.
        has_meld: Whether the seat has a meld of its own.
        layoffs: Whether cards may be added to the melds that lay there at first.
        new_melds: Whether new melds may be made.
        actions: The plays that led here.
        down: The cards laid by these, each with whether it is a low ace.
        gained: The wilds that came to the hand by these, each with whether it was the
            seat's own.
        made: How many new melds were made in the turn.
        most: How many new melds may be made in the turn; None for any number.
        start: The melds that lay on the table at first, by number.
        closed: The ranks of which the seat's side has a set, where it makes but one.
        long: How many more canastas there must be.
        spare: How many cards may be left; None for any number.
        last: Whether sets may be made that end a hand.
    """

    rules: Ruleset
    terms: Terms
    hand: int
    seat: int | None
    melds: dict[int, Meld] = attrs.field(factory=dict)
    next_number: int = 1
    has_meld: bool = False
    layoffs: bool = True
    new_melds: bool = True
    actions: tuple[Action, ...] = ()
    down: tuple[tuple[int, bool], ...] = ()
    gained: tuple[tuple[int, bool], ...] = ()
    made: int = 0
    most: int | None = None
    start: dict[int, Meld] = attrs.field(factory=dict)
    closed: str = ""
    long: int = 0
    spare: int | None = None
    last: bool = True

    @property
    def melds_left(self) -> int | None:
        """
        How many new melds may still be made in the turn; None for any number.
        """
        return None if self.most is None else max(0, self.most - self.made)

    @property
    def owed(self) -> dict[int, int]:
        """
        How many wilds that were traded for must still be laid, by their codes.
        """
        if not self.gained or not self.rules.wild.uses_swapped:
            return {}
        gained = Counter([code for code, _ in self.gained])
        gained.subtract([code for code, _ in self.down if code in gained])
        return {code: number for code, number in gained.items() if number > 0}

    def value(self, prices: Prices, goal: str) -> int:
        """
        The value of the plays so far for a goal.
        """
        total = 0
        for code, low in self.down:
            total += prices.low_aces[code >> 4] if low else prices.cards[code]
        for code, own in self.gained:
            total -= prices.cards[code] if own else regained(goal, prices, code)
        return total

    def begun(self, cards: tuple[Played, ...]) -> Situation | None:
        """
        The same with a new meld laid down; None if the cards make none.
        """
        meld = read_meld(self.terms, cards, self.seat or 0)
        if isinstance(meld, Objection):
            return None
        melds = {**self.melds} if self.layoffs else {}
        return attrs.evolve(
            self,
            hand=self.hand - sum([UNIT[one.card.code] for one in cards]),
            melds={**melds, self.next_number: meld},
            next_number=self.next_number + 1,
            has_meld=True,
            layoffs=True,
            made=self.made + 1,
            closed=self.closed + meld.rank,
            actions=(*self.actions, LayDown(cards, self.seat)),
            down=(*self.down, *_down(self.terms, meld, range(len(meld)))),
        )

    def laid_off(self, number: int, cards: tuple[Played, ...]) -> Situation | None:
        """
        The same with cards laid off on a set; None if they do not fit it.
        """
        after = read_layoff(self.terms, self.melds[number], cards, self.seat or 0)
        if isinstance(after, Objection):
            return None
        used = [one.card.code for one in cards]
        return attrs.evolve(
            self,
            hand=self.hand - sum([UNIT[code] for code in used]),
            melds={**self.melds, number: after},
            actions=(*self.actions, LayOff(cards, number, None, self.seat)),
            down=(*self.down, *[(code, False) for code in used]),
        )

    def variants(self) -> Iterator[Situation]:
        """
        This situation, and those that trades and single wilds built on lead to.
        """
        yield self
        if not (self.layoffs and self.melds):
            return
        seen = {self._key()}
        waiting = [self]
        while waiting:
            here = waiting.pop()
            for there in (*here._traded(), *here.built_on()):
                key = there._key()
                if key not in seen:
                    seen.add(key)
                    waiting.append(there)
                    yield there

    def _key(self) -> object:
        return self.hand, tuple(
            [(number, meld.kind, meld.slots) for number, meld in self.melds.items()]
        )

    def _traded(self) -> Iterator[Situation]:
        terms = self.terms
        if not terms.swaps:
            return
        for number, meld in self.melds.items():
            for code in faces(self.hand & meld.real):
                for end in trade_ends(terms, meld):
                    there = self._after_trade(number, code, end)
                    if there is not None:
                        yield there

    def _after_trade(
        self, number: int, code: int, end: Side | None
    ) -> Situation | None:
        """
        The same with a real card traded for a wild; None if that is refused.

        Args:
            number: The number of the meld.
            code: The real card.
            end: The end of the run that the wild moves to; None if it comes to the
                hand.
        """
        terms, meld, seat = self.terms, self.melds[number], self.seat or 0
        found = trade(terms, meld, code, seat, end, locked=number == 0)
        if isinstance(found, Objection):
            return None
        after, index = found
        old = meld.slots[index]
        # A natural ace is low where the wild stood for an ace below the two.
        low = is_low_ace(terms, meld, index, CARDS[code])
        mine = () if end else ((old.card.code, old.seat == seat),)
        return attrs.evolve(
            self,
            hand=self.hand - UNIT[code] + sum([UNIT[one] for one, _ in mine]),
            melds={**self.melds, number: after},
            actions=(*self.actions, Swap(CARDS[code], number, self.seat, end)),
            down=(*self.down, (code, low)),
            gained=(*self.gained, *mine),
        )

    def built_on(self) -> Iterator[Situation]:
        """
        The situations after a single wild of the seat's own was built on.
        """
        terms = self.terms
        if self.rules.meld.first_natural and not self.has_meld:
            return
        for number, meld in self.melds.items():
            if meld.kind != "wild" or meld.maker != self.seat:
                continue
            for cards, part, _ in layoffs_on(terms, meld, self.hand):
                after = read_layoff(terms, meld, cards, self.seat or 0)
                if isinstance(after, Objection):
                    continue
                yield attrs.evolve(
                    self,
                    hand=self.hand - part,
                    melds={**self.melds, number: after},
                    has_meld=True,
                    made=self.made + 1,
                    actions=(*self.actions, LayOff(cards, number, None, self.seat)),
                    down=(*self.down, *[(code, False) for code in codes(part)]),
                )


def regained(goal: str, prices: Prices, code: int) -> int:
    """
    What a wild that somebody else had laid takes off when it comes to the hand.

    It has to be laid down again; the points of it are all gain then, unless only those
    left in the hand count.
    """
    if goal == "least points left":
        return prices.cards[code]
    return prices.each + (1 if goal == "most points" else FIRST)


def most_melds(refuse: Callable[[int], object], cards: int) -> int | None:
    """
    How many new melds may be made in a turn by a hand of so many cards.

    Args:
        refuse: What refuses one more after so many; None if nothing does.
        cards: The number of cards.

    Returns:
        None for any number.
    """
    refused = (made for made in range(cards) if refuse(made) is not None)
    return next(refused, None)


def _down(
    terms: Terms, meld: Meld, places: range | list[int]
) -> list[tuple[int, bool]]:
    cards = [(index, meld.slots[index].card) for index in places]
    return [(card.code, is_low_ace(terms, meld, index, card)) for index, card in cards]


def melds_after(
    terms: Terms,
    before: dict[int, Meld],
    actions: Iterable[Action],
    number: int = 0,
    *,
    doubles: bool = False,
) -> dict[int, Meld]:
    """
    The melds by number after plays that can be made.

    Args:
        terms: The terms of the deal.
        before: The melds by number.
        actions: The plays.
        number: The number of the next meld; if left out, the one after the last.
        doubles: Whether four that are put down at once are marked to count twice.

    Raises:
        ArrangeError: If they cannot be made.
    """
    melds = dict(before)
    number = number or max(melds, default=0) + 1
    for action in actions:
        seat = action.seat or 0
        after: Meld | Objection
        match action:
            case LayDown():
                at, number = number, number + 1
                after = read_meld(terms, action.cards, seat)
                if doubles and isinstance(after, Meld) and len(after) == 4:
                    twice = [attrs.evolve(one, twice=True) for one in after.slots]
                    after = attrs.evolve(after, slots=tuple(twice))
            case GoDown():
                parts = [LayDown(cards, seat) for cards in action.melds]
                melds = melds_after(terms, melds, parts, number, doubles=doubles)
                number += len(parts)
                continue
            case LayOff() if action.meld in melds:
                at = action.meld
                after = read_layoff(terms, melds[at], action.cards, seat, action.end)
            case PutDown():
                at, number = number, number + 1
                after = built(terms, "wild", (Slot(action.card, None, seat),), seat)
            case Swap() if action.meld in melds:
                at = action.meld
                code = action.card.code
                found = trade(terms, melds[at], code, seat, action.end, locked=at == 0)
                after = found if isinstance(found, Objection) else found[0]
            case _:
                msg = f"'{action}' cannot be played on these melds"
                raise ArrangeError(msg)
        if isinstance(after, Objection):
            msg = f"'{action}' cannot be played: {after.reason}"
            raise ArrangeError(msg)
        melds[at] = after
    return melds
