"""How a turn starts, and what must be done with a card that was taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, Final

import attrs

from rummyvariants._support.words import figure, number, ranks
from rummyvariants.cards import CARDS, CODES, FIELD, Card, size
from rummyvariants.house.rules import HouseRule
from rummyvariants.melds._tables import Terms
from rummyvariants.policies import cases
from rummyvariants.policies._duties import Duty, duty
from rummyvariants.policies.base import (
    MOST,
    Policy,
    by_players,
    cards,
    choice,
    flag,
    number_or,
    unless,
    when,
)
from rummyvariants.rulings import Objection


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

    take: str | int = number_or(
        "any number",
        "up to the top card's number",
        "the top card",
        "the whole pile",
        doc="How many cards may be taken from the discard pile; with a number, just so "
        "many from the top, or all where there are fewer.",
        least=2,
    )
    takes_top = when("take", "the top card")
    takes_all = when("take", "the whole pile")
    pair: str = choice(
        "none",
        "top",
        "deepest",
        doc="Which two natural cards a take requires in the hand: none, two of the "
        "top card's rank, or two of the rank of the deepest card taken.",
    )
    asks_for_deepest = when("pair", "deepest")
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
        "play or discard at once",
        doc="Whether a card drawn from the stock may stay in the hand, or must be "
        "played or discarded, in that turn or before anything else is done.",
    )
    shown: bool = flag(
        False, "Whether everybody sees a card that is drawn from the stock."
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
    offers_upcard = unless("first_upcard", "part of the pile")

    top_card: str = choice(
        "kept",
        "melded at once",
        doc="What a player does with the top card of a discard pile that they take: "
        "keep it like the others; or meld it with cards of the hand, or lay it off, "
        "as part of the take, before the others join the hand.",
    )
    melds_top = unless("top_card", "kept")
    from_stock: tuple[tuple[int, int], ...] = by_players(
        {}, "How many cards are drawn from the stock at once; empty for one."
    )
    frozen: str = choice(
        "never",
        "by a wild card",
        "always",
        doc="When the discard pile is frozen for everybody, so that the top card is "
        "melded with two natural cards of its rank from the hand: never, while a "
        "wild card or a card that no hand keeps lies in it, or always.",
    )
    frozen_first: bool = flag(
        False, "Whether the discard pile is frozen for a side that has not melded."
    )
    blocked: tuple[str, ...] = cards(
        "Cards that nobody takes from the top of the discard pile, in addition to wild "
        "cards, where the top card is melded at once."
    )
    wild_top: str = choice(
        "blocks",
        "with two of its kind",
        doc="Whether nobody takes a pile whose top card is wild, where it is melded at "
        "once, or a player melds it with two wild cards of its rank from the hand.",
    )
    takes_wilds = unless("wild_top", "blocks")
    onto_canasta: bool = flag(
        True, "Whether the top card of a pile that is taken may be laid on a canasta."
    )
    pile_of_one: bool = flag(
        True, "Whether a player with one card may take a discard pile of one card."
    )
    melded_takes: bool = flag(
        True, "Whether a player who has melded may take from the discard pile."
    )

    unmelded_takes: str = choice(
        "like anybody",
        "to meld it at once",
        "never",
        doc="How a player who has not melded takes from the discard pile: like anybody "
        "else; to use the deepest card taken before anything else is done, and so in "
        "the first melds; or not at all.",
    )

    def by_rules(self) -> Iterator[tuple[str, HouseRule]]:
        """
        Wild cards that stay in the discard pile, and players who take none from it.
        """
        if self.wilds != "free":
            yield "draw.wilds", cases.draws.WildsStay()
        if not self.melded_takes:
            yield "draw.melded_takes", cases.draws.StockAlone(melded=True)
        if self.unmelded_takes != "like anybody":
            never = self.unmelded_takes == "never"
            draws = cases.draws
            rule = draws.StockAlone(melded=False) if never else draws.TakesToMeld()
            yield "draw.unmelded_takes", rule
        if self.from_stock:
            yield "draw.from_stock", cases.draws.DrawsSeveral(self.from_stock)

    @cached_property
    def many(self) -> str:
        """
        How many discards an example takes, in the notation.
        """
        if isinstance(self.take, int):
            return str(self.take)
        return "all" if self.takes_all else "1" if self.takes_top else "3"

    @cached_property
    def takes_several(self) -> bool:
        """
        Whether players choose how many discards they take.
        """
        return not (self.takes_top or self.takes_all or isinstance(self.take, int))

    @cached_property
    def how_melded(self) -> str:
        """
        How to write a take whose top card is melded at once.
        """
        return (
            f"the top card is melded at once: write 'take {self.many} with 9c 9h', the "
            f"top card left out, or 'take {self.many} on 2'"
        )

    @cached_property
    def most_alike(self) -> int:
        """
        How many cards may be taken at most, where `counts` gives any number up to that.

        It is 0 where that depends on more than how many there are.
        """
        if self.pair == "top" or self.melds_top:
            return 0
        return {"any number": MOST, "the top card": 1}.get(str(self.take), 0)

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
        if self.melds_top:
            return Objection("draw.top_card", self.how_melded)
        wrong = self._refuse_pair(terms, hand, pile, count)
        if wrong is not None:
            return wrong
        return refuse_take_number(self, pile, count, top_number)

    def counts(
        self, terms: Terms, hand: int, pile: bytes, top_number: int
    ) -> Sequence[int]:
        """
        The numbers of cards that `refuse_take` might allow; it refuses all others.

        This saves time and is not a rule. The arguments are those of `refuse_take`.
        """
        if (
            not pile
            or self.melds_top
            or (self.pair == "top" and self._refuse_pair(terms, hand, pile, 1))
        ):
            return ()
        return allowed_numbers(self, pile, top_number)

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

    @cached_property
    def blocked_mask(self) -> int:
        """
        Mask of the cards that block the pile in addition to wild cards.
        """
        return sum([FIELD[Card(name).code] for name in self.blocked])

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
        if self.stock_card == "free":
            return ()
        return (duty(code, self.stock_card, "draw.stock_card"),)


def refuse_take_number(
    draw: DrawPolicy, pile: bytes, count: int, top_number: int
) -> Objection | None:
    """
    Why so many cards may not be taken from a pile, whatever the hand holds.

    Args:
        draw: The policy.
        pile: The codes of the discard pile, the top last; it is not empty.
        count: How many cards are to be taken: at least one, and perhaps more than there
            are.
        top_number: The number that the top card would name as an upcard.
    """
    if count in allowed_numbers(draw, pile, top_number):
        return None
    there = figure(len(pile), "card")
    if isinstance(draw.take, int):
        many = f"the top {number(draw.take)} cards are taken, or none of them"
        if len(pile) < draw.take:
            many = f"the whole pile is taken, {there}, or none of it"
        return Objection("draw.take", many)
    if draw.take == "up to the top card's number" and count > top_number:
        return Objection(
            "draw.take",
            f"the top card, {CARDS[pile[-1]]}, allows {figure(top_number, 'card')} "
            f"at most, not {count}",
        )
    if count > len(pile):
        return Objection("RV-07", f"the discard pile holds {there}, not {count}")
    if draw.takes_top:
        return Objection("draw.take", "only the top card may be taken")
    return Objection("draw.take", f"the whole pile is taken, {there}, or none of it")


def allowed_numbers(draw: DrawPolicy, pile: bytes, top_number: int) -> Sequence[int]:
    """
    The numbers of cards that `refuse_take_number` allows of a pile that is not empty.
    """
    if isinstance(draw.take, int):
        return (min(draw.take, len(pile)),)
    return _TAKEN[draw.take](len(pile), top_number)


_TAKEN: Final[Mapping[str, Callable[[int, int], Sequence[int]]]] = {
    "any number": lambda pile, _: range(1, pile + 1),
    "up to the top card's number": lambda pile, top: range(1, min(pile, top) + 1),
    "the top card": lambda *_: (1,),
    "the whole pile": lambda pile, _: (pile,),
}
"""What `take` allows, given how many cards the pile holds and the top card's number."""


def blocks(
    draw: DrawPolicy, terms: Terms, pile: bytes, held: int, aside: int
) -> Objection | None:
    """
    Why nobody may take the pile, whatever the top card is melded with.

    Args:
        draw: The policy.
        terms: The terms of the deal.
        pile: The codes of the discard pile, the top last.
        held: How many cards the player holds.
        aside: Mask of the cards that no hand keeps.
    """
    top = pile[-1]
    wild = terms.wild[top] and not draw.takes_wilds
    if wild or FIELD[top] & (draw.blocked_mask | aside):
        reason = f"{CARDS[top]} on top blocks the discard pile: nobody may take it"
        return Objection("draw.blocked", reason)
    if held == 1 and len(pile) == 1 and not draw.pile_of_one:
        reason = "a player with one card does not take a discard pile of one card"
        return Objection("draw.pile_of_one", reason)
    return None


def mates_in(terms: Terms, top: int, used: int) -> int:
    """
    How many cards count as mates of the top card, with which it is melded.

    Args:
        terms: The terms of the deal.
        top: The code of the top card.
        used: The cards of the hand that it is melded with, as a multiset.

    Returns:
        Natural cards; or beside a wild card, where all are wild, those of its rank.
    """
    if not terms.wild[top]:
        return size(used & terms.natural_mask)
    alone = not used & terms.natural_mask
    return size(used & terms.rank_masks[CARDS[top].rank]) * alone


def freezes(
    draw: DrawPolicy, terms: Terms, pile: bytes, mates: int, aside: int, *, melded: bool
) -> Objection | None:
    """
    Why the pile is not taken with so few natural cards from the hand.

    Args:
        draw: The policy.
        terms: The terms of the deal.
        pile: The codes of the discard pile, the top last.
        mates: How many cards of the hand count as its mates, as for `mates_in`.
        aside: Mask of the cards that no hand keeps.
        melded: Whether the player's side has melded.
    """
    if mates > 1:
        return None
    path, why = "", ""
    if terms.wild[pile[-1]]:
        path, why = "draw.wild_top", f"{CARDS[pile[-1]]} is wild"
    elif draw.frozen == "always":
        path, why = "draw.frozen", "the discard pile is always frozen"
    elif draw.frozen != "never":
        cold = [one for one in pile if terms.wild[one] or FIELD[one] & aside]
        if cold:
            path = "draw.frozen"
            why = f"{CARDS[cold[-1]]} freezes the discard pile for all"
    if not path and draw.frozen_first and not melded:
        path = "draw.frozen_first"
        why = "the discard pile is frozen for a side that has not melded"
    if not path:
        return None
    rank = CARDS[pile[-1]].rank
    two = "* *" if rank == "*" else f"{rank}c {rank}d"
    natural = "natural " * (not terms.wild[pile[-1]])
    only = f"it is taken only with two {natural}{ranks(rank)}"
    return Objection(path, f"{why}: {only}, as in 'take {draw.many} with {two}'")
