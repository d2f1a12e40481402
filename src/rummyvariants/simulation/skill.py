"""
How much a game rewards skill: the lead of a better bot, measured by the game's chance.
"""

from __future__ import annotations

import math
import os
import statistics

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from contextlib import closing
from typing import Any, Final

import attrs

from rummyvariants._support.tables import Block, Grid
from rummyvariants.bots.base import Bot
from rummyvariants.rules import Ruleset
from rummyvariants.simulation.estimates import Estimate, estimate
from rummyvariants.simulation.games import Unit
from rummyvariants.simulation.measures import Figure
from rummyvariants.simulation.plans import SimulationError, planned, seatings
from rummyvariants.simulation.rows import GameRow, RoundRow
from rummyvariants.simulation.runs import play
from rummyvariants.simulation.significance import interval_of, with_interval


OFTEN: Final = 0.9
"""In what share of matches the better bot should lead after enough rounds."""
SKILL: Final = Figure(
    "skill",
    "skill share",
    "The lead of the first bot over the second in a round, divided by the standard "
    "deviation of that lead.",
    "",
    3,
)
"""What two games are compared by if two bots play."""


class SkillError(SimulationError):
    """
    The games do not tell how far one bot leads the other.
    """


@attrs.frozen
class Skill:
    """
    How far a better bot leads a weaker one, compared with the chance of a round.

    Attributes:
        better: The bot that should lead.
        weaker: The other bot.
        lead: The points by which the better bot leads in a round, over deals. Each deal
            is played in every order of the bots' seats.
        deviation: By how many points that lead varies from round to round.
        share: The lead by the deviation: the skill share of the game.
    """

    better: str
    weaker: str
    lead: Estimate
    deviation: float
    share: Estimate

    @property
    def rounds(self) -> int | None:
        """
        How many rounds a match needs so that the better bot leads in 90 % of them.

        None if it does not lead at all. The sum of the rounds is taken as normal, which
        is nearly right from some five rounds on.
        """
        return rounds_for(self.share.mean)

    @property
    def rounds_interval(self) -> tuple[int | None, int | None]:
        """
        The 95 % interval of `rounds`; None is without an end.
        """
        low, high = interval_of(self.share) or (self.share.mean, self.share.mean)
        return rounds_for(high), rounds_for(low)

    @property
    def table(self) -> Block:
        """
        The figures as they are printed.
        """
        low, high = self.rounds_interval
        ends = f"{low} to {high}" if high else f"from {low}" if low else ""
        rows = [
            (f"{self.better} against {self.weaker}", "", "95 % interval"),
            ("lead in a round (points)", *with_interval(self.lead, 1)),
            ("standard deviation of a round", f"{self.deviation:.1f}", ""),
            ("skill share", *with_interval(self.share, 3)),
            (
                f"rounds until the lead in {100 * OFTEN:.0f} % of matches",
                str(self.rounds or "never"),
                ends,
            ),
        ]
        return Grid(rows)

    def to_data(self) -> dict[str, Any]:
        """
        The figures as plain data.
        """
        return {
            "better": self.better,
            "weaker": self.weaker,
            "deals": self.lead.count,
            "lead": self.lead.mean,
            "lead_interval": interval_of(self.lead),
            "deviation": self.deviation,
            "share": self.share.mean,
            "share_interval": interval_of(self.share),
            "rounds": self.rounds,
            "rounds_interval": self.rounds_interval,
        }


def rounds_for(share: float) -> int | None:
    """
    After how many rounds a bot with a skill share leads in 90 % of matches, if ever.
    """
    if share <= 0:
        return None
    return math.ceil((statistics.NormalDist().inv_cdf(OFTEN) / share) ** 2)


def skill_of(rows: Iterable[GameRow], better: str, weaker: str) -> Skill:
    """
    How far a bot leads another in games between the two.

    Args:
        rows: The games; those that were not finished are left out, with all of their
            deal.
        better: The name of the bot that should lead.
        weaker: The name of the other.

    Raises:
        SimulationError: If other bots play.
        SkillError: If there are not enough games, or all have the same lead.
    """
    return _skill(leads_by_deal(rows, better, weaker), better, weaker)


def leads_by_deal(
    rows: Iterable[GameRow], better: str, weaker: str
) -> dict[int, tuple[float, float]]:
    """
    For each finished deal the mean lead in a round, and the mean of its square.

    A deal that was not played in all orders of seats is left out.
    """
    leads: dict[int, list[float]] = {}
    lacking: dict[int, int] = {}
    for row in rows:
        if {*row.bots} != {better, weaker}:
            msg = f"skill is measured between {better} and {weaker}, not {row.bots}"
            raise SimulationError(msg)
        lacking.setdefault(row.deal, seatings(row.bots))
        lacking[row.deal] -= row.status == "finished"
        leads.setdefault(row.deal, []).extend(
            _lead(row, one, better) for one in row.rounds
        )
    return {
        deal: (
            statistics.fmean(found),
            statistics.fmean([one**2 for one in found]),
        )
        for deal, found in leads.items()
        if found and not lacking[deal]
    }


def _lead(row: GameRow, one: RoundRow, better: str) -> float:
    """
    By how many points a bot leads in a round: the mean of its seats less the others'.
    """
    ours, theirs = (
        [
            points
            for points, name in zip(one.points, row.bots, strict=True)
            if side(name)
        ]
        for side in (better.__eq__, better.__ne__)
    )
    lead = statistics.fmean(ours) - statistics.fmean(theirs)
    return -lead if row.lowest else lead


def _skill(found: Mapping[int, tuple[float, float]], better: str, weaker: str) -> Skill:
    if len(found) < 2:
        msg = "skill cannot be measured: there are fewer than two finished deals"
        raise SkillError(msg)
    lead = estimate(one for one, _ in found.values())
    share = estimate(shares_by_deal(found).values())
    assert lead is not None  # noqa: S101 -- there are deals
    assert share is not None  # noqa: S101 -- as above
    return Skill(better, weaker, lead, _deviation(found), share)


def _deviation(found: Mapping[int, tuple[float, float]]) -> float:
    mean = statistics.fmean([one for one, _ in found.values()])
    square = statistics.fmean([one for _, one in found.values()])
    return math.sqrt(max(square - mean**2, 0.0))


def shares_by_deal(found: Mapping[int, tuple[float, float]]) -> dict[int, float]:
    """
    What each deal contributes to the skill share, whose mean they are.

    The ratio of lead and deviation is not linear in what a deal adds; near the means of
    all deals it nearly is, and by that slope each deal is counted.

    Raises:
        SkillError: If the lead is always the same.
    """
    deviation = _deviation(found)
    if not deviation:
        msg = "skill cannot be measured: no two finished rounds differ in their lead"
        raise SkillError(msg)
    mean = statistics.fmean([one for one, _ in found.values()])
    square = statistics.fmean([one for _, one in found.values()])
    by_lead = square / deviation**3
    by_square = -mean / (2 * deviation**3)
    return {
        deal: mean / deviation + by_lead * (one - mean) + by_square * (of - square)
        for deal, (one, of) in found.items()
    }


def measure_skill(
    rules: Ruleset | str,
    *,
    better: Bot | str = "careful",
    weaker: Bot | str = "greedy",
    games: int,
    players: int | None = None,
    seed: int | str = 0,
    unit: Unit = "match",
    limit: int = 20_000,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Skill:
    """
    Measure how much a game rewards skill.

    Each deal is played in every order of the bots' seats.

    Args:
        rules: The rules, or the name of a preset.
        better: The bot that should lead.
        weaker: The other bot.
        games: The number of games, which is raised to whole deals.
        players: The number of players, whose seats the bots take in turn; by default
            two, or the fewest that the rules allow if that is more.
        seed: The seed of the deals and of the bots' random decisions.
        unit: Whether a game is a whole match or the first round of one, which takes
            less time, but is another thing where rounds differ.
        limit: The most actions of players in a game; a longer one is stopped.
        executor: Plays the games; by default this process does. It is not shut down.
        progress: Called after each game with the number played.
        output: A file for the rows of the games, as `simulate` writes them.
        resume: Whether to continue what an interrupted call left there, with the same
            result.

    Raises:
        RulesError: If there is no such preset, or it does not allow so many players.
        BotError: If there is no such bot.
        SimulationError: If the bots are the same, or the rows in the file cannot be
            continued or written.
        SkillError: If too few deals are finished, or all have the same lead.
    """
    plan = planned(
        rules,
        (better, weaker),
        players=players,
        seed=seed,
        unit=unit,
        limit=limit,
    )
    if plan.rotations == 1:
        msg = f"skill is measured between two bots, and both are {plan.names[0]}"
        raise SimulationError(msg)
    games = -(-games // plan.rotations) * plan.rotations
    rows = []
    with closing(
        play(plan, games, executor=executor, output=output, resume=resume)
    ) as played:
        for row in played:
            rows.append(row)
            if progress is not None:
                progress(len(rows))
    return skill_of(rows, plan.names[0], plan.names[1])
