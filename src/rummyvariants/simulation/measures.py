"""
The measures of a game.
"""

from __future__ import annotations

import functools
import itertools
import statistics

from collections.abc import Callable
from typing import Final

import attrs

from rummyvariants.errors import nearest
from rummyvariants.simulation.plans import SimulationError
from rummyvariants.simulation.rows import GameRow, RoundRow


_SMALL: Final = 4
"""A hand of this many cards or fewer is small."""


@attrs.frozen
class Measure:
    """
    A number that every finished game has.

    Attributes:
        key: Its name in data.
        name: Its name in tables.
        sentence: What it measures.
        unit: Its unit.
        of: Its value for a game; a game without a finished round has none.
        whole_match: Whether it applies only to whole matches, not to single rounds.
        knocks: Whether it applies only to games in which players knock.
        decimals: The number of decimals shown.
        dealt: Whether the deal alone decides it, whoever plays.
    """

    key: str
    name: str
    sentence: str
    unit: str
    of: Callable[[GameRow], float] = attrs.field(repr=False)
    whole_match: bool = False
    knocks: bool = False
    decimals: int = 2
    dealt: bool = False

    @property
    def title(self) -> str:
        """
        Its name, with its unit if the name does not say it.
        """
        return (
            f"{self.name} ({self.unit})" if self.unit in {"%", "points"} else self.name
        )


# ------------------------------------------------------------------------- of a match


def _rounds(row: GameRow) -> float:
    return len(row.rounds)


def _length(row: GameRow) -> float:
    return row.actions


def _lead(row: GameRow) -> float:
    """
    By how much the winner leads all who have not won; zero for joint winners.

    Partners are one winner, and their points one total.
    """
    scores = row.merits
    winners = {row.sides[seat] for seat in row.winners} if row.sides else row.winners
    if len(winners) != 1:
        return 0
    others = [score for seat, score in enumerate(scores) if seat not in row.winners]
    return scores[row.winners[0]] - max(others)


def _leaders(row: GameRow) -> list[int | None]:
    """
    Who leads after each round: the first seat of a side alone in front, or None.
    """
    found: list[int | None] = []
    for scores in row.course:
        best = [seat for seat, score in enumerate(scores) if score == max(scores)]
        sides = {row.sides[seat] for seat in best} if row.sides else best
        found.append(best[0] if len(sides) == 1 else None)
    return found


def _lead_changes(row: GameRow) -> float:
    leaders = [seat for seat in _leaders(row) if seat is not None]
    return sum(before != after for before, after in itertools.pairwise(leaders))


def _settled(row: GameRow) -> float:
    """
    The round from whose end on the winner leads alone, or the last one.
    """
    leaders = _leaders(row)
    number = len(leaders)
    if leaders[-1] not in row.winners:
        return number
    while number > 1 and leaders[number - 2] in row.winners:
        number -= 1
    return number


# ------------------------------------------------------------------------- of a round


def _per_round(of: Callable[[RoundRow], float], row: GameRow) -> float:
    return statistics.fmean([of(one) for one in row.rounds])


def _turns(one: RoundRow) -> float:
    return one.turns


def _actions(one: RoundRow) -> float:
    return one.actions


def _points(one: RoundRow) -> float:
    return statistics.fmean(one.points)


def _spread(one: RoundRow) -> float:
    return statistics.pstdev(one.points)


def _ends(how: tuple[str, ...], one: RoundRow) -> float:
    return 100.0 * (one.how in how)


def _undercut(one: RoundRow) -> float:
    """
    Whether a player knocked and another got the points.
    """
    if one.how != "knock" or one.out is None:
        return 0.0
    return 100.0 * (one.points[one.out] < max(one.points))


def _thrown_in(one: RoundRow) -> float:
    return one.thrown_in


def _wilds(one: RoundRow) -> float:
    return one.wilds


def _hand(one: RoundRow) -> float:
    return statistics.fmean(one.hand_sizes)


def _small_hands(one: RoundRow) -> float:
    return 100 * statistics.fmean([size <= _SMALL for size in one.hand_sizes])


def dealer_advantage(one: RoundRow) -> float:
    """
    The points of the dealer less the mean of the others'.
    """
    return _advantage(one, one.dealer)


def _first_advantage(one: RoundRow) -> float:
    return _advantage(one, (one.dealer + 1) % len(one.points))


def _advantage(one: RoundRow, seat: int) -> float:
    others = [points for at, points in enumerate(one.points) if at != seat]
    return one.points[seat] - statistics.fmean(others)


def _of_rounds(
    key: str,
    name: str,
    sentence: str,
    unit: str,
    of: Callable[[RoundRow], float],
    decimals: int = 2,
    *,
    knocks: bool = False,
    dealt: bool = False,
) -> Measure:
    """
    The mean of a number that every round has.
    """
    per_round = functools.partial(_per_round, of)
    return Measure(
        key,
        name,
        sentence,
        unit,
        per_round,
        knocks=knocks,
        decimals=decimals,
        dealt=dealt,
    )


MEASURES: Final = (
    Measure(
        "rounds",
        "rounds per match",
        "How many rounds a match takes.",
        "rounds",
        _rounds,
        whole_match=True,
    ),
    Measure(
        "match_actions",
        "actions per match",
        "How many actions the players take in a match.",
        "actions",
        _length,
        whole_match=True,
        decimals=1,
    ),
    Measure(
        "lead",
        "winner's lead",
        "By how much the winner's score beats the best of the others'; zero for joint "
        "winners.",
        "points",
        _lead,
        whole_match=True,
        decimals=1,
    ),
    Measure(
        "lead_changes",
        "changes of the lead",
        "How often in a match another player, or another side, leads after a round "
        "than before; a tie is no lead.",
        "changes",
        _lead_changes,
        whole_match=True,
    ),
    Measure(
        "settled",
        "round of the last lead",
        "In which round the winner of a match takes the lead for good; the last if "
        "only its end decides.",
        "rounds",
        _settled,
        whole_match=True,
    ),
    _of_rounds(
        "turns",
        "turns per round",
        "How many turns the players finish in a round.",
        "turns",
        _turns,
    ),
    _of_rounds(
        "actions",
        "actions per round",
        "How many actions the players take in a round.",
        "actions",
        _actions,
    ),
    _of_rounds(
        "points",
        "points per round and seat",
        "What a player scores in a round.",
        "points",
        _points,
    ),
    _of_rounds(
        "spread",
        "spread of a round",
        "The standard deviation of the points of a round over the seats.",
        "points",
        _spread,
    ),
    _of_rounds(
        "first_advantage",
        "advantage of the first",
        "The points of the player on the dealer's left, who begins, less the mean of "
        "the others'.",
        "points",
        _first_advantage,
    ),
    _of_rounds(
        "dealer_advantage",
        "advantage of the dealer",
        "The points of the dealer less the mean of the others'.",
        "points",
        dealer_advantage,
    ),
    _of_rounds(
        "ends_out",
        "rounds: somebody out",
        "The share of rounds that end because somebody goes out.",
        "%",
        functools.partial(_ends, ("out", "dealt hand")),
    ),
    _of_rounds(
        "ends_stock",
        "rounds: stock used up",
        "The share of rounds that end because no card is left to draw.",
        "%",
        functools.partial(_ends, ("stock",)),
    ),
    _of_rounds(
        "ends_idle",
        "rounds: no progress",
        "The share of rounds that end because for some turns of each player no card "
        "comes from the stock or to the table.",
        "%",
        functools.partial(_ends, ("idle",)),
    ),
    _of_rounds(
        "ends_knock",
        "rounds: a knock",
        "The share of rounds that end with a knock that is not gin.",
        "%",
        functools.partial(_ends, ("knock",)),
        knocks=True,
    ),
    _of_rounds(
        "ends_gin",
        "rounds: gin",
        "The share of rounds that end with gin, big gin included.",
        "%",
        functools.partial(_ends, ("gin", "big gin")),
        knocks=True,
    ),
    _of_rounds(
        "undercuts",
        "rounds: an undercut",
        "The share of rounds in which a player knocks and another gets the points.",
        "%",
        _undercut,
        knocks=True,
    ),
    _of_rounds(
        "thrown_in",
        "deals thrown in per round",
        "How many deals are thrown in, before a round, because there are too few "
        "cards.",
        "deals",
        _thrown_in,
        4,
        dealt=True,
    ),
    _of_rounds(
        "hand",
        "cards dealt to a hand",
        "How many cards a player is dealt.",
        "cards",
        _hand,
        dealt=True,
    ),
    _of_rounds(
        "small_hands",
        f"hands of {_SMALL} cards or fewer",
        f"The share of hands with {_SMALL} cards or fewer in the deal.",
        "%",
        _small_hands,
        dealt=True,
    ),
    _of_rounds(
        "wilds",
        "wild cards melded per round",
        "How many wild cards are in melds when a round ends.",
        "cards",
        _wilds,
    ),
)
"""All measures, in the order of the tables."""


def measure(key: str) -> Measure:
    """
    A measure by its key.

    Raises:
        SimulationError: If there is none; the message suggests the nearest.
    """
    for one in MEASURES:
        if one.key == key:
            return one
    msg = f"there is no measure {key!r}{nearest(key, [one.key for one in MEASURES])}"
    raise SimulationError(msg)
