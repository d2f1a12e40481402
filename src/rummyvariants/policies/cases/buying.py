"""
Upcards that are bought out of turn.
"""

from __future__ import annotations

from typing import Any, Final

import attrs

from rummyvariants._support.words import counted
from rummyvariants.house.answers import Memory, Price, Remember
from rummyvariants.house.facts import Turn
from rummyvariants.house.rules import HouseRule
from rummyvariants.policies.base import from_table
from rummyvariants.rulings import Objection


Bought = tuple[int, ...]
"""The last buyer of a round, and how often each seat has bought if that is limited."""
NOBODY: Final = -1
"""The last buyer of a round in which nobody has bought."""


@attrs.frozen(eq=False, repr=False)
class Buying(HouseRule):
    """
    A player out of turn may buy the upcard that the player in turn declines.

    Attributes:
        price: How many cards from the stock come with it.
        most: How often a player may buy, from a round on; empty for any number.
        again: Whether a player may buy twice in succession.
        melded: Whether a player who has melded may buy.
    """

    section = "call"
    name = "buying"
    reads = frozenset({"seat", "round_number", "stock_size", "has_melded", "memory"})
    memory = Memory((NOBODY,))
    effects = frozenset({Remember})

    price: int
    most: tuple[tuple[int, int], ...]
    again: bool
    melded: bool

    def buys(self, turn: Turn) -> Price | None:
        """
        The price, unless the player may not buy now.
        """
        if self.refuse_buy(turn) is not None:
            return None
        return Price(self.price, if_declined=True)

    def refuse_buy(self, turn: Turn) -> Objection | None:
        """
        Why a player may not buy: an empty stock, or too many upcards bought.
        """
        last, *bought = turn.memory
        if not turn.stock_size:
            return Objection("call.buying", "nobody buys while the stock is empty")
        if turn.has_melded and not self.melded:
            reason = "a player who has melded buys no more upcards"
            return Objection("call.melded_buys", reason)
        times = bought[turn.seat] if bought else 0
        most = from_table(self.most, turn.round_number) if self.most else times + 1
        if times >= most:
            reason = f"a player buys at most {counted(most, 'upcard')} in a round"
            return Objection("call.buys", reason)
        if last == turn.seat and not self.again:
            reason = "a player who bought the last upcard sold may not buy the next"
            return Objection("call.buys_again", reason)
        return None

    def follows(self, turn: Turn, event: object) -> list[Remember] | None:
        """
        Remember who bought last, and how often each seat has bought if it is limited.
        """
        # The engine's events come after the policies.
        if getattr(event, "how", "") != "buy":
            return None
        return [Remember(self.after(turn.memory, turn.seat, turn.players))]

    def could_remember(self, value: Any, players: int) -> bool:
        """
        Whether it is a seat, and a number of purchases for each seat or none.
        """
        whole = (
            isinstance(value, tuple)
            and value
            and all(type(one) is int for one in value)
        )
        if not whole or not NOBODY <= value[0] < players:
            return False
        times = value[1:]
        return not times or (len(times) == players and min(times) >= 0)

    def after(self, memory: Bought, seat: int, players: int) -> Bought:
        """
        What is remembered after a seat has bought.
        """
        _, *bought = memory
        if not self.most:
            return (seat,)
        times = bought or [0] * players
        times[seat] += 1
        return (seat, *times)
