"""
Rulesets: presets with options and single values, and files of them.
"""

from typing import TYPE_CHECKING, Final

from rummyvariants._support.lazy import offered


if TYPE_CHECKING:
    from rummyvariants.rules._files import load_rules as load_rules
    from rummyvariants.rules._files import read_rules as read_rules
    from rummyvariants.rules._origins import Difference as Difference
    from rummyvariants.rules._origins import Differences as Differences
    from rummyvariants.rules._origins import Origin as Origin
    from rummyvariants.rules._ruleset import Ruleset as Ruleset
    from rummyvariants.rules._ruleset import preset as preset
    from rummyvariants.rules._search import Finding as Finding
    from rummyvariants.rules._search import Findings as Findings
    from rummyvariants.rules._search import options as options
    from rummyvariants.rules._search import search as search
    from rummyvariants.rules._variants import Option as Option
    from rummyvariants.rules._variants import presets as presets
    from rummyvariants.rules.sheet.fitting import Fit as Fit
    from rummyvariants.rules.sheet.fitting import options_for as options_for
    from rummyvariants.rulings import Rule as Rule
    from rummyvariants.rulings import catalogue as catalogue
    from rummyvariants.rulings import rule as rule


_OFFERED: Final = {
    "rules._files": "load_rules read_rules",
    "rules._origins": "Difference Differences Origin",
    "rules._ruleset": "Ruleset preset",
    "rules._search": "Finding Findings options search",
    "rules._variants": "Option presets",
    "rules.sheet.fitting": "Fit options_for",
    "rulings": "Rule catalogue rule",
}
__getattr__, __dir__, _names = offered(__name__, _OFFERED)
if not TYPE_CHECKING:
    __all__ = list(_names)
