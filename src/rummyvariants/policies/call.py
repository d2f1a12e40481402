"""Who may call rummy, on what, and what a caller does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar

import attrs

from rummyvariants.house.rules import HouseRule
from rummyvariants.policies import cases
from rummyvariants.policies.base import (
    Policy,
    by_players,
    choice,
    flag,
    number,
    unless,
    when,
)


@attrs.frozen(eq=False, repr=False)
class CallPolicy(Policy):
    """
    Who may call rummy, on what, and what a caller does.
    """

    section: ClassVar[str] = "call"

    calls: str = choice(
        "none",
        "discard",
        "pile",
        doc="Which cards can be called: none, the discard just made, or any card of "
        "the discard pile.",
    )
    is_made = unless("calls", "none")
    top_alone = when("calls", "discard")
    melds: bool = flag(
        False,
        "Whether a call may make a new meld rather than only extend one on the table.",
    )
    takes: str = choice(
        "those cards",
        "down to the deepest",
        doc="What a caller takes: only the cards called, or also all cards above the "
        "deepest of them.",
    )
    takes_above = unless("takes", "those cards")
    with_hand: bool = flag(
        False, "Whether cards of the caller's hand may help to make the meld."
    )
    needs_own_meld: bool = flag(
        False, "Whether players need a meld of their own before they may call."
    )
    then_discard: bool = flag(
        False, "Whether the caller discards a card after the call, if possible."
    )

    next: str = choice(
        "as it was",
        "left of the caller",
        "the caller",
        doc="Who plays after a call: the player who was next anyway; the player on "
        "the caller's left; or the caller, for whom the call replaces the draw, "
        "and who then melds, lays off and discards before the player on their "
        "left.",
    )
    caller_plays = when("next", "the caller")
    moves_turn = unless("next", "as it was")

    penalty: str = choice(
        "none",
        "two cards",
        "the whole pile",
        doc="What the player who made the last discard has to take after a call: "
        "nothing; two cards from the stock, or as many as it has left; or what "
        "the call leaves of the discard pile.",
    )
    penalises = unless("penalty", "none")
    penalty_from_stock = when("penalty", "two cards")

    buying: str = choice(
        "none",
        "if declined",
        doc="Whether players out of turn may buy the upcard: no, or if the player in "
        "turn declines it. It goes into the hand.",
    )
    buy_order: str = choice(
        "in turn",
        "first to speak",
        doc="Who buys an upcard that several players want: the next in turn, as they "
        "are asked one after another, or the first to speak, as they are asked "
        "together. The first to buy closes the sale.",
    )
    asks_buyers_together = unless("buy_order", "in turn")
    buy_price: int = number(
        1, "How many cards from the stock a player takes with an upcard that they buy."
    )
    buys: tuple[tuple[int, int], ...] = by_players(
        {},
        "How often a player may buy in a round, from a round on; empty for any number.",
        by="the round",
    )
    buys_again: bool = flag(
        True, "Whether a player may buy two upcards with no purchase by others between."
    )
    melded_buys: bool = flag(True, "Whether a player who has melded may still buy.")
    own_discard: bool = flag(
        False, "Whether players may buy the card that they discarded themselves."
    )

    def by_rules(self) -> Iterator[tuple[str, HouseRule]]:
        """
        The sale of upcards.
        """
        if self.buying != "none":
            rule = cases.buying.Buying(
                self.buy_price, self.buys, self.buys_again, self.melded_buys
            )
            yield "call.buying", rule

    @cached_property
    def makes_melds(self) -> bool:
        """
        Whether a call may make a new meld.
        """
        return self.calls == "pile" and self.melds

    @cached_property
    def uses_hand(self) -> bool:
        """
        Whether cards of the caller's hand may be in a meld that is called.
        """
        return self.calls == "pile" and self.with_hand

    @cached_property
    def owes_discard(self) -> bool:
        """
        Whether a caller discards and does nothing else after the call.
        """
        return self.then_discard and not self.caller_plays

    @cached_property
    def is_secret(self) -> bool:
        """
        Whether having a call depends on cards that the others do not see.
        """
        return self.with_hand and (self.melds or self.takes_above)
