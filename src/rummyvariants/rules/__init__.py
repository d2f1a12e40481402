"""
Rulesets: presets with options and single values, and files of them.
"""

from rummyvariants.rules._origins import Difference, Origin
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.rules._variants import Option, options, presets


__all__ = [
    "Difference",
    "Option",
    "Origin",
    "Ruleset",
    "options",
    "preset",
    "presets",
]
