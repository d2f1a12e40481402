"""
Games in the form that learning programs need: actions and observations as numbers.
"""

from rummyvariants.learning._fields import Axis, Field


__all__ = ["Axis", "Field"]
