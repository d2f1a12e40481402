"""
The best arrangement of a hand: what to put down, and what is left.

`arrange_hand` looks only at cards, `arrange` at a seat of a game with the melds on the
table. Both are exact; where a limit or an odd rule keeps them from being sure, they say
so.
"""

from rummyvariants.solver._arrangements import Arrangement, arrange_hand
from rummyvariants.solver._goals import GOALS, ArrangeError
from rummyvariants.solver._turns import arrange


__all__ = ["GOALS", "ArrangeError", "Arrangement", "arrange", "arrange_hand"]
