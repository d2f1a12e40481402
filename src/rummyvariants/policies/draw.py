"""How a turn starts, and what must be done with a card that was taken."""

from __future__ import annotations

import functools

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final

import attrs

from rummyvariants._support.values import Value
from rummyvariants._support.words import figure, ranks
from rummyvariants.cards import (
    CARDS,
    CODES,
    FIELD,
    UNIT,
    common,
    size,
)
from rummyvariants.melds._tables import Terms
from rummyvariants.policies.base import Policy, choice, flag
from rummyvariants.rulings import Objection


if TYPE_CHECKING:
    from rummyvariants.melds._meld import Meld


NOT_WITH_A_MELD: Final = Objection(
    "RV-07", "cards are not taken together with a meld in this game"
)
"""The refusal where no rule allows it."""


@attrs.frozen(eq=False, repr=False)
class Duty(Value):
    """
    What must be done with a card that was drawn.

    Attributes:
        code: The code of the card.
        how: ``natural set at once``, ``two naturals from hand``, ``new meld``, ``play``
            or ``play or discard``; the middle three may also end in ``at once``.
        path: The policy value that requires it.
    """

    code: int
    how: str
    path: str

    @cached_property
    def at_once(self) -> bool:
        """
        Whether nothing else may be done first.
        """
        return self.how.endswith(" at once")

    @cached_property
    def use(self) -> str:
        """
        What has to be done with the card: `how` without ``at once``.
        """
        return self.how.removesuffix(" at once")

    @cached_property
    def is_binding(self) -> bool:
        """
        Whether the card has to be played, because no discard meets the duty.
        """
        return self.how != "play or discard"

    @cached_property
    def any_play(self) -> bool:
        """
        Whether any play of the card meets it, and at any time in the turn.
        """
        return self.how == "play"

    @cached_property
    def needs_meld(self) -> bool:
        """
        Whether only a new meld meets it.
        """
        return self.use not in {"play", "play or discard"}

    @cached_property
    def is_natural_set(self) -> bool:
        """
        Whether only a natural set meets it.
        """
        return self.use == "natural set"

    @cached_property
    def joins_naturals(self) -> bool:
        """
        Whether any new meld with two natural cards from the hand meets it.
        """
        return self.use == "two naturals from hand"

    def __repr__(self) -> str:
        return f"<Duty of {CARDS[self.code]}: {self.how}>"

    def met_by(
        self, terms: Terms, used: int, held: int, *, meld: bool, natural: bool
    ) -> bool:
        """
        Whether a play meets this duty.

        Args:
            terms: The terms of the deal.
            used: The cards that leave the hand, as a multiset.
            held: The hand before the draw, as a multiset.
            meld: Whether the play is a new meld.
            natural: Whether the meld is a set without wilds.
        """
        if not used & FIELD[self.code]:
            return False
        if not self.needs_meld:
            return True
        if self.use == "new meld":
            return meld
        if self.is_natural_set:
            used &= terms.rank_masks[CARDS[self.code].rank]
            return meld and natural and self.joins(terms, used, held)
        return meld and self.joins(terms, used, held)

    def joins(self, terms: Terms, used: int, held: int) -> bool:
        """
        Whether two naturals held before are among some cards, besides the one owed.

        Args:
            terms: The terms of the deal.
            used: The cards, as a multiset.
            held: The hand before the draw, as a multiset.
        """
        if used & FIELD[self.code]:
            used -= UNIT[self.code]
        return size(common(used & terms.natural_mask, held)) >= 2

    def __str__(self) -> str:
        return {
            "natural set at once": "has to go down at once in a natural set with two "
            "cards of its rank from the hand",
            "two naturals from hand": "has to be melded this turn with two natural "
            "cards from the hand",
            "new meld": "has to go into a new meld this turn",
            "play": "has to be melded or laid off this turn",
            "two naturals from hand at once": "has to go down at once in a new meld "
            "with two natural cards from the hand",
            "new meld at once": "has to go down at once in a new meld",
            "play at once": "has to be melded or laid off at once",
            "play or discard": "has to be melded, laid off or discarded this turn",
        }[self.how]


@functools.cache
def duty(code: int, how: str, path: str) -> Duty:
    """
    The duty of a card; always the same object for the same arguments.
    """
    return Duty(code, how, path)


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
    first_upcard: str = choice(
        "part of the pile",
        "offered",
        "offered to be melded",
        doc="What happens to the card turned up after the deal: it is a discard like "
        "any other; or it is offered to each player in turn before the first "
        "draw, which is from the stock if nobody takes it; or it is offered in "
        "this way to players who put it into a new meld in that turn.",
    )

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
