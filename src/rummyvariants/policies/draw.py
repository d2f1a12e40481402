"""How a turn starts, and what must be done with a card that was taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final

import attrs

from rummyvariants._support.words import figure, ranks
from rummyvariants.cards import (
    CARDS,
    CODES,
    size,
)
from rummyvariants.melds._tables import Terms
from rummyvariants.policies._by_rules import WildsStay
from rummyvariants.policies._duties import Duty, duty
from rummyvariants.policies.base import MOST, Policy, choice, flag
from rummyvariants.policies.house import HouseRule
from rummyvariants.rulings import Objection


if TYPE_CHECKING:
    from rummyvariants.melds._meld import Meld


NOT_WITH_A_MELD: Final = Objection(
    "RV-07", "cards are not taken together with a meld in this game"
)
"""The refusal where no rule allows it."""


@attrs.frozen(eq=False, repr=False)
class DrawPolicy(Policy):
    """
    How a turn starts, and what must be done with a card that was taken.
    """

    section: ClassVar[str] = "draw"

    take: str = choice(
        "any number",
        "up to the top card's number",
        "the top card",
        "the whole pile",
        doc="How many cards may be taken from the discard pile.",
    )
    pair: str = choice(
        "none",
        "top",
        "deepest",
        doc="Which two natural cards a take requires in the hand: none, two of the "
        "top card's rank, or two of the rank of the deepest card taken.",
    )
    duty: str = choice(
        "none",
        "deepest of several",
        "deepest",
        "top",
        "natural set of the top card",
        doc="Which of the cards taken must be melded or laid off this turn: none, the "
        "deepest of several, the deepest of any number, the top card, or the top "
        "card at once in a natural set.",
    )
    with_naturals: bool = flag(
        False,
        "Whether the deepest of several cards taken must be melded with two natural "
        "cards that were in the hand before.",
    )
    new_meld: bool = flag(
        False, "Whether the deepest of several cards taken must go into a new meld."
    )
    at_once: bool = flag(
        False,
        "Whether a card taken that must be used has to go down before any other play "
        "of the turn.",
    )
    stock_card: str = choice(
        "free",
        "play or discard",
        doc="Whether a card drawn from the stock may stay in the hand, or must be "
        "played or discarded.",
    )
    open_pile: bool = flag(
        True, "Whether the discard pile is spread so that all its cards can be seen."
    )
    wilds: str = choice(
        "free",
        "only the first upcard",
        doc="Which wild cards may be taken from the discard pile: any, or only the "
        "first upcard, by the first player.",
    )
    first_upcard: str = choice(
        "part of the pile",
        "offered",
        "offered to be melded",
        doc="What happens to the card turned up after the deal: it is a discard like "
        "any other; or it is offered to each player in turn before the first "
        "draw, which is from the stock if nobody takes it; or it is offered in "
        "this way to players who put it into a new meld in that turn.",
    )

    def by_rules(self) -> Iterator[tuple[str, HouseRule]]:
        """
        Wild cards that stay in the discard pile.
        """
        if self.wilds != "free":
            yield "draw.wilds", WildsStay()

    @cached_property
    def takes_top(self) -> bool:
        """
        Whether only the top card may be taken.
        """
        return self.take == "the top card"

    @cached_property
    def takes_all(self) -> bool:
        """
        Whether the whole pile is taken, or none of it.
        """
        return self.take == "the whole pile"

    @cached_property
    def offers_upcard(self) -> bool:
        """
        Whether the first upcard is offered before the first draw.
        """
        return self.first_upcard != "part of the pile"

    @cached_property
    def asks_for_deepest(self) -> bool:
        """
        Whether the deepest card decides if so many may be taken, apart from duties.

        If it does not, `refuse_take` allows all the numbers that `counts` gives.
        """
        return self.pair == "deepest"

    @cached_property
    def most_alike(self) -> int:
        """
        How many cards may be taken at most, where `counts` gives any number up to that.

        It is 0 where that depends on more than how many there are.
        """
        if self.pair == "top":
            return 0
        return {"any number": MOST, "the top card": 1}.get(self.take, 0)

    def refuse_take(
        self, terms: Terms, hand: int, pile: bytes, count: int, top_number: int
    ) -> Objection | None:
        """
        Why so many cards may not be taken, apart from duties.

        Args:
            terms: The terms of the deal.
            hand: The hand as a multiset.
            pile: The codes of the discard pile, the top last.
            count: How many cards are to be taken: at least one, and perhaps more than
                there are.
            top_number: The number that the top card would name as an upcard.
        """
        if not pile:
            return Objection("RV-07", "the discard pile is empty")
        wrong = self._refuse_pair(terms, hand, pile, count)
        if wrong is not None:
            return wrong
        if self.take == "up to the top card's number" and count > top_number:
            return Objection(
                "draw.take",
                f"the top card, {CARDS[pile[-1]]}, allows {figure(top_number, 'card')} "
                f"at most, not {count}",
            )
        if count > len(pile):
            return Objection(
                "RV-07",
                f"the discard pile holds {figure(len(pile), 'card')}, not {count}",
            )
        if self.take == "the top card" and count > 1:
            return Objection("draw.take", "only the top card may be taken")
        if self.take == "the whole pile" and count != len(pile):
            return Objection(
                "draw.take",
                f"the whole pile is taken, {figure(len(pile), 'card')}, or none of it",
            )
        return None

    def counts(
        self, terms: Terms, hand: int, pile: bytes, top_number: int
    ) -> Sequence[int]:
        """
        The numbers of cards that `refuse_take` might allow; it refuses all others.

        This saves time and is not a rule: a policy that overrides only `refuse_take` is
        asked about every number. The arguments are those of `refuse_take`.
        """
        if not pile or (self.pair == "top" and self._refuse_pair(terms, hand, pile, 1)):
            return ()
        most = len(pile)
        if self.take == "the top card":
            most = 1
        elif self.take == "the whole pile":
            return (most,)
        elif self.take == "up to the top card's number":
            most = min(most, top_number)
        return range(1, most + 1)

    def _refuse_pair(
        self, terms: Terms, hand: int, pile: bytes, count: int
    ) -> Objection | None:
        if self.pair == "none" or (self.pair == "deepest" and count > len(pile)):
            return None
        code = pile[-1] if self.pair == "top" else pile[-count]
        if terms.wild[code]:
            return Objection(
                "draw.pair", f"{CARDS[code]} is wild, and natural cards cannot match it"
            )
        mates = hand & terms.rank_masks[CARDS[code].rank] & terms.natural_mask
        if size(mates) < 2:
            named = ranks(CARDS[code].rank)
            return Objection(
                "draw.pair",
                f"{CARDS[code]} is taken only with two natural {named} in the hand",
            )
        return None

    def refuse_take_with(
        self, terms: Terms, hand: int, pile: bytes, count: int, meld: Meld
    ) -> Objection | None:
        """
        Why so many cards may not be taken together with a meld of the top one.

        Args:
            terms: The terms of the deal.
            hand: The hand as a multiset, before any card is taken.
            pile: The codes of the discard pile, the top last.
            count: How many cards are to be taken; the pile has as many.
            meld: The new meld, which includes the top card.
        """
        del terms, hand, pile, count, meld
        return NOT_WITH_A_MELD

    def duties(self, taken: bytes, *, first: bool = False) -> tuple[Duty, ...]:
        """
        The duties that taking cards from the discard pile brings.

        Args:
            taken: The codes of the cards, the deepest first.
            first: Whether the card is the first upcard, taken when it was offered.
        """
        if first and self.first_upcard == "offered to be melded":
            return (duty(taken[0], "new meld", "draw.first_upcard"),)
        if self.duty == "none" and not (self.with_naturals or self.new_meld):
            return ()
        duties = []
        several = len(taken) > 1
        when = " at once" if self.at_once else ""
        if self.duty == "natural set of the top card":
            duties.append(duty(taken[-1], "natural set at once", "draw.duty"))
        elif self.duty == "top":
            duties.append(duty(taken[-1], f"play{when}", "draw.duty"))
        if self.with_naturals and several:
            duties.append(
                duty(taken[0], f"two naturals from hand{when}", "draw.with_naturals")
            )
        elif self.new_meld and several:
            duties.append(duty(taken[0], f"new meld{when}", "draw.new_meld"))
        elif self.duty == "deepest" or (self.duty == "deepest of several" and several):
            duties.append(duty(taken[0], f"play{when}", "draw.duty"))
        return tuple(duties)

    @cached_property
    def duties_alone(self) -> tuple[tuple[Duty, ...], ...]:
        """
        The duties that one card brings, by its code.
        """
        return tuple([self.duties(bytes((code,))) for code in range(CODES)])

    @cached_property
    def duties_of_several(self) -> tuple[tuple[Duty, ...], ...]:
        """
        The duties that several cards bring, by the code of the deepest.

        Empty where they depend on the others as well.
        """
        if self.duty in {"top", "natural set of the top card"}:
            return ()
        return tuple([self.duties(bytes((code, code))) for code in range(CODES)])

    def stock_duties(self, code: int) -> tuple[Duty, ...]:
        """
        The duties that a card drawn from the stock brings.
        """
        if self.stock_card == "play or discard":
            return (duty(code, "play or discard", "draw.stock_card"),)
        return ()
