"""How many cards each player gets, and how they come."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

import attrs

from rummyvariants.cards import RANKS
from rummyvariants.melds._tables import Terms
from rummyvariants.policies.base import (
    Policy,
    by_players,
    by_rank,
    choice,
    number_or,
    ranks,
)
from rummyvariants.policies.deck import from_table


@attrs.frozen(eq=False, repr=False)
class DealPolicy(Policy):
    """
    How many cards each player gets, and how they come.
    """

    section: ClassVar[str] = "deal"

    method: str = choice(
        "fixed",
        "upcard",
        doc="fixed: hands of one size, dealt a card at a time; upcard: whole hands, "
        "each of the size that its first card, dealt face up, names.",
    )
    hand_size: tuple[tuple[int, int], ...] = by_players(
        {2: 10, 3: 7}, "The size of a hand where it is fixed."
    )
    for_two: str | int = number_or(
        "as others",
        "as others",
        doc="The size of a fixed hand where two play, if that is a matter of its own.",
    )
    upcard_counts: tuple[tuple[str, int], ...] = by_rank(
        {"J": 10, "Q": 10, "K": 10, "A": 11},
        "The number that an upcard names; ranks left out name their face value.",
        least=0,
    )
    upcard_means: str = choice(
        "additional",
        "total",
        doc="Whether an upcard names the cards that come on top of it, or the whole "
        "hand.",
    )
    put_back_ranks: str = ranks(
        "", "Upcards of these ranks go back into the deck and are replaced."
    )
    wild_upcard: str | int = number_or(
        "bury",
        "bury",
        doc="What a permanent wild as upcard does: a number of cards, or it is buried "
        "and replaced.",
    )
    two_upcard: str | int = number_or(
        "as wild",
        "as wild",
        "choose",
        doc="What a two that is a permanent wild does as upcard: a number of cards, "
        "the player's choice of 2 or 12, or what other permanent wilds do.",
    )
    first_discard: str = choice(
        "turned up",
        "by the first player",
        doc="Where the first discard comes from: the deal ends with one card turned "
        "up, or the first player is dealt a card more and begins without a draw.",
    )
    dealer: str = choice(
        "random", doc="How the first dealer is found: any seat at random."
    )
    too_few: str = choice(
        "redeal",
        "short",
        doc="What happens when the deck does not suffice: a new deal, or the hands "
        "served last get fewer cards.",
    )

    @cached_property
    def is_fixed(self) -> bool:
        """
        Whether hands are of one size, dealt a card at a time.
        """
        return self.method == "fixed"

    @cached_property
    def turns_up(self) -> bool:
        """
        Whether the deal ends with one card turned up.
        """
        return self.first_discard == "turned up"

    @cached_property
    def may_be_short(self) -> bool:
        """
        Whether hands may get fewer cards where the deck does not suffice.
        """
        return self.too_few == "short"

    def fixed_size(self, players: int) -> int:
        """
        The size of a hand for so many players where it is fixed.
        """
        if players == 2 and isinstance(self.for_two, int):
            return self.for_two
        return from_table(self.hand_size, players)

    def upcard_number(self, rank: str) -> int:
        """
        The number that an upcard of a rank names, no wild being permanent.
        """
        named = dict(self.upcard_counts).get(rank)
        return RANKS.index(rank) + 1 if named is None else named

    def whole_hand(self, number: int) -> int:
        """
        The size of a whole hand, its upcard too, whose upcard names a number.
        """
        return max(1, number + (self.upcard_means == "additional"))

    def buries(self, rank: str) -> bool:
        """
        Whether a permanent wild of a rank is buried and replaced as upcard.
        """
        return self._wild(rank) == "bury"

    def lets_choose(self, rank: str) -> bool:
        """
        Whether a permanent wild of a rank as upcard lets the player choose a size.
        """
        return self._wild(rank) == "choose"

    def wild_number(self, rank: str) -> int:
        """
        The number that a permanent wild of a rank names as upcard, if it names one.
        """
        return int(self._wild(rank))

    def _wild(self, rank: str) -> str | int:
        """
        What a permanent wild of a rank does as upcard.
        """
        if rank == "2" and self.two_upcard != "as wild":
            return self.two_upcard
        return self.wild_upcard

    def choices(self) -> tuple[int, ...]:
        """
        The sizes of a whole hand that a player may choose from.
        """
        return (2, 12)

    def never_held(self, terms: Terms) -> int:
        """
        The cards that no hand ever holds, since a rule lays them aside at once.

        Worlds that agree with a view give them to nobody. None of the library's own
        rules lays cards aside.

        Args:
            terms: The terms of the deal.

        Returns:
            A mask of their faces.
        """
        del terms
        return 0
