"""
Melds: as they lie, as they are read, and as a hand allows them.

A `Played` card is a card as a player names it, a `Slot` the same card on the table. A
meld of kind ``set`` or ``run`` is ordinary; ``wilds`` is the combination of wild cards
alone; ``wild`` is a single wild put down to be built on.
"""

from rummyvariants.melds._meld import Beside, Meld, Place, Played, Slot
from rummyvariants.melds._tables import Terms


__all__ = ["Beside", "Meld", "Place", "Played", "Slot", "Terms"]
