"""
A legal action chosen step by step, with few choices at each step.

First what to do, then with which cards, then where they go.
"""

from rummyvariants.stepwise.choices import Choice, ChoiceError
from rummyvariants.stepwise.choosers import Chooser, chooser
from rummyvariants.stepwise.tree import LOOKS, MOST_CHOICES


__all__ = ["LOOKS", "MOST_CHOICES", "Choice", "ChoiceError", "Chooser", "chooser"]
