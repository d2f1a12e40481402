"""
A legal action chosen step by step, with few choices at each step.

First what to do, then with which cards, then where they go.
"""

from rummyvariants.game._chooser.choices import Choice, ChoiceError
from rummyvariants.game._chooser.choosers import Chooser, chooser
from rummyvariants.game._chooser.tree import LOOKS, MOST_CHOICES


__all__ = ["LOOKS", "MOST_CHOICES", "Choice", "ChoiceError", "Chooser", "chooser"]
