"""
The terms of one deal: a ruleset turned into tables that need only be looked up.

Who is wild changes from deal to deal, so there is one `Terms` for each ruleset, number
of players and wild rank. The policies say what the values mean; nothing here decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import attrs

from rummyvariants.cards import (
    CARDS,
    CODES,
    FIELD,
    JOKER,
    RANKS,
    SUITS,
    code_of,
)


GAP: Final = "."
"""In a track: a rank that the deck lacks, so that its neighbours do not meet."""


@attrs.frozen(eq=False)
class Terms:
    """
    What holds for the cards and melds of one deal.

    Attributes:
        wild_rank: The rank made wild for this deal, empty for none.
        wild: By code, whether the card is wild.
        ranks: The ranks of the deck, low to high, the ace first.
        suits: The suits of the deck.
        copies: By code, how many the deck holds.
        sets: Whether sets may be melded.
        runs: Whether runs may be melded.
        distinct: Whether a set holds one card a suit at most.
        track: The order of ranks along which runs lie; a run is a stretch of it in
            which no rank comes twice.
        least_set: The least number of cards of a set.
        least_run: The least number of cards of a run.
        limit: ``none``, ``one`` or ``more naturals``.
        own_place_is_natural: Whether a wild in its own place is natural for the limit.
        wild_melds: Whether wilds alone are a meld of their own.
        real_card: ``beside``, ``swap`` or ``nothing``.
        worth: By code, the points of a card outside of a run.
        low_ace: Points of a natural ace that is low in a run.
        extra: A further question of a third party's policy to every meld.
    """

    wild_rank: str
    wild: tuple[bool, ...]
    ranks: str
    suits: str
    copies: tuple[int, ...]
    sets: bool
    runs: bool
    distinct: bool
    track: str
    least_set: int
    least_run: int
    limit: str
    own_place_is_natural: bool
    wild_melds: bool
    real_card: str
    worth: tuple[int, ...]
    low_ace: int
    extra: Callable[[Any], str | None] | None = None

    wild_mask: int = attrs.field(init=False, repr=False)
    natural_mask: int = attrs.field(init=False, repr=False)
    rank_masks: dict[str, int] = attrs.field(init=False, repr=False)
    windows: tuple[tuple[int, int, int], ...] = attrs.field(init=False, repr=False)
    memo: dict[Any, Any] = attrs.field(init=False, repr=False, factory=dict)

    @wild_mask.default
    def _wild_mask(self) -> int:
        return sum([FIELD[code] for code in range(CODES) if self.wild[code]])

    @natural_mask.default
    def _natural_mask(self) -> int:
        return sum(
            [
                FIELD[code]
                for code in range(CODES)
                if CARDS[code].rank and not self.wild[code]
            ]
        )

    @rank_masks.default
    def _rank_masks(self) -> dict[str, int]:
        masks = {
            rank: sum([FIELD[code_of(rank, suit)] for suit in SUITS]) for rank in RANKS
        }
        return {**masks, "*": FIELD[JOKER]}

    @windows.default
    def _windows(self) -> tuple[tuple[int, int, int], ...]:
        """
        Every run there can be: its place on the track, its length, its ranks as bits.
        """
        found: dict[str, tuple[int, int, int]] = {}
        middle = len(self.track)
        for low in range(len(self.track)):
            ranks = 0
            for high in range(low, len(self.track)):
                rank = self.track[high]
                if rank == GAP or ranks >> RANKS.index(rank) & 1:
                    break
                ranks |= 1 << RANKS.index(rank)
                length = high - low + 1
                if length >= self.least_run:
                    # A round track repeats: the stretch nearest its middle serves.
                    text = self.track[low : high + 1]
                    best = found.get(text, (low, length, ranks))
                    if abs(2 * low + length - middle) <= abs(2 * best[0] + length - middle):
                        found[text] = (low, length, ranks)
        return tuple(sorted(found.values()))

    def fits_track(self, low: int, length: int) -> bool:
        """
        Whether a stretch of the track holds every rank once at most.
        """
        if low < 0 or low + length > len(self.track):
            return False
        ranks = self.track[low : low + length]
        return GAP not in ranks and len(set(ranks)) == length
