"""
Melds: on the table, as players write them, and as hands allow them.

A `Played` card is a card as a player names it; a `Slot` is the same card on the table.
Most melds are of the kind ``set`` or ``run``; ``alike`` are three identical cards where
these count as a pure run, ``wilds`` is a meld of wild cards alone,
and ``wild`` a single wild put down to be built on.
"""

from rummyvariants.melds._meld import Beside, Meld, Place, Played, Slot
from rummyvariants.melds._tables import Terms


__all__ = ["Beside", "Meld", "Place", "Played", "Slot", "Terms"]
