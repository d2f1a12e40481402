"""
Any number of games between bots, and their results.
"""

from typing import TYPE_CHECKING, Final

from rummyvariants._support.lazy import offered


if TYPE_CHECKING:
    from rummyvariants.simulation.comparison import Comparison as Comparison
    from rummyvariants.simulation.comparison import compare as compare
    from rummyvariants.simulation.rows import GameRow as GameRow
    from rummyvariants.simulation.runs import simulate as simulate


_OFFERED: Final = {
    "simulation.comparison": "Comparison compare",
    "simulation.rows": "GameRow",
    "simulation.runs": "simulate",
}
__getattr__, __dir__, _names = offered(__name__, _OFFERED)
if not TYPE_CHECKING:
    __all__ = list(_names)
