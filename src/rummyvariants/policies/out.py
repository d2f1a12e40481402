"""How a player goes out, and what happens then."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

import attrs

from rummyvariants.cards import RANKS, Card
from rummyvariants.policies.base import Policy, by_rank, choice, flag, number_or


@attrs.frozen(eq=False, repr=False)
class OutPolicy(Policy):
    """
    How a player goes out, and what happens then.
    """

    section: ClassVar[str] = "out"

    empty_hand: str = choice(
        "out",
        "float",
        "refused",
        doc="What melding the last card does: the player is out, floats without "
        "cards, or may not do it.",
    )
    last_discard: str = choice(
        "any card",
        "unplayable",
        doc="Whether the discard that goes out must fit no meld on the table.",
    )
    floating: str = choice(
        "draws from the stock",
        "draws like any other",
        doc="A floating player draws from the stock; a playable card must be played, "
        "an unplayable one is discarded and the player is out. Or a floating player "
        "draws, plays and discards like any other.",
    )
    grace: bool = flag(
        False,
        "Whether, when a player goes out on the first turn, all who have not yet "
        "played take a turn before the round ends.",
    )
    last_turn: bool = flag(
        False,
        "Whether, when a player goes out, all others take one more turn each before "
        "the round ends.",
    )
    floaters_draw: bool = flag(
        False, "Whether floating players draw a card each when another goes out."
    )
    knock: str | int = number_or(
        "never",
        "never",
        "the upcard",
        doc="Whether a player may knock, and with how many points in unmatched cards "
        "at most: never, so many, or as many as the first upcard of the deal allows. "
        "With 0 only gin ends the round.",
        least=0,
    )
    knock_counts: tuple[tuple[str, int], ...] = by_rank(
        {"A": 1, "J": 10, "Q": 10, "K": 10},
        "The limit that an upcard sets for a knock; ranks left out set their face "
        "value, and 0 means gin alone.",
    )
    big_gin: bool = flag(
        False,
        "Whether a player may end the round without a discard when all cards of the "
        "hand, the one just drawn too, are in melds.",
    )

    @cached_property
    def by_empty_hand(self) -> bool:
        """
        Whether a player is out by melding the last card.
        """
        return self.empty_hand == "out"

    @cached_property
    def floats(self) -> bool:
        """
        Whether a player who melds the last card floats.
        """
        return self.empty_hand == "float"

    @cached_property
    def keeps_a_card(self) -> bool:
        """
        Whether a player may not meld the last card.
        """
        return self.empty_hand == "refused"

    @cached_property
    def keeps_playable(self) -> bool:
        """
        Whether a card that fits a meld may not be the discard that goes out.
        """
        return self.last_discard == "unplayable"

    @cached_property
    def knocks(self) -> bool:
        """
        Whether a player may knock.
        """
        return self.knock != "never"

    @cached_property
    def fixed_limit(self) -> int:
        """
        What `limit` gives whatever the upcard is; -2 where that matters.
        """
        if self.knock == "never":
            return -1
        return self.knock if isinstance(self.knock, int) else -2

    def limit(self, upcard: Card | None) -> int:
        """
        The most points of unmatched cards with which a player knocks; -1 for no knock.

        Args:
            upcard: The card that was turned up after the deal, where it is known.
        """
        if isinstance(self.knock, int):
            return self.knock
        if self.knock == "never" or upcard is None or upcard.is_joker:
            return -1
        named = dict(self.knock_counts).get(upcard.rank)
        return RANKS.index(upcard.rank) + 1 if named is None else named

    @cached_property
    def play_goes_on(self) -> bool:
        """
        Whether others may have a turn after somebody went out.
        """
        return self.grace or self.last_turn

    @cached_property
    def floats_on_stock(self) -> bool:
        """
        Whether a floating player draws from the stock and nowhere else.
        """
        return self.floating == "draws from the stock"
