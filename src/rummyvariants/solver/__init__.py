"""
The best arrangement of a hand: what to put down, and what is left then.

`arrange_hand` looks at cards alone, `arrange` at a seat of a game with the melds on the
table. Both are exact, and say so where a limit or a corner of the rules kept them from
being sure.
"""

from rummyvariants.solver._arrangements import Arrangement, arrange_hand
from rummyvariants.solver._goals import GOALS, ArrangeError
from rummyvariants.solver._turns import arrange


__all__ = ["GOALS", "ArrangeError", "Arrangement", "arrange", "arrange_hand"]
