"""Games with so few cards that they are short and everything in them can be tried."""

from __future__ import annotations


SMALL = {
    "deck.ranks": "A23456",
    "deck.suits": "cdh",
    "deal.hand_size": 4,
    "match.target": 60,
}
SHORT_MELDS = {"meld.least_set": 2, "meld.least_run": 2}
TWOS_WILD = {"wild.twos": True, "deck.ranks": "A2345", "deal.hand_size": 3}
