"""
How much a game rewards skill: the lead of a better bot, measured by the game's chance.
"""

from __future__ import annotations

import math
import os
import statistics

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from typing import Any, Final

import attrs

from rummyvariants._support.words import figure
from rummyvariants.bots.base import Bot
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.simulation.comparison import FILES, called
from rummyvariants.simulation.estimates import Estimate, estimate
from rummyvariants.simulation.files import inside
from rummyvariants.simulation.games import Unit
from rummyvariants.simulation.plans import Simulation, SimulationError, planned
from rummyvariants.simulation.rows import GameRow, RoundRow
from rummyvariants.simulation.runs import play
from rummyvariants.simulation.significance import interval_of, t_test
from rummyvariants.simulation.tables import Block, as_text


OFTEN: Final = 0.9
"""In what share of matches the better bot should lead after enough rounds."""


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
        SimulationError: If other bots play, or there are not enough games.
    """
    return _skill(_by_deal(rows, better, weaker), better, weaker)


def _by_deal(
    rows: Iterable[GameRow], better: str, weaker: str
) -> dict[int, tuple[float, float]]:
    """
    For each finished deal the mean lead in a round, and the mean of its square.
    """
    leads: dict[int, list[float]] = {}
    unfinished = set()
    for row in rows:
        if {*row.bots} != {better, weaker}:
            msg = f"skill is measured between {better} and {weaker}, not {row.bots}"
            raise SimulationError(msg)
        if row.status != "finished":
            unfinished.add(row.deal)
        leads.setdefault(row.deal, []).extend(
            _lead(row, one, better) for one in row.rounds
        )
    return {
        deal: (
            statistics.fmean(found),
            statistics.fmean([one**2 for one in found]),
        )
        for deal, found in leads.items()
        if found and deal not in unfinished
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
        raise SimulationError(msg)
    lead = estimate(one for one, _ in found.values())
    share = estimate(_shares(found).values())
    assert lead is not None  # noqa: S101 -- there are deals
    assert share is not None  # noqa: S101 -- as above
    return Skill(better, weaker, lead, _deviation(found), share)


def _deviation(found: Mapping[int, tuple[float, float]]) -> float:
    mean = statistics.fmean([one for one, _ in found.values()])
    square = statistics.fmean([one for _, one in found.values()])
    return math.sqrt(max(square - mean**2, 0.0))


def _shares(found: Mapping[int, tuple[float, float]]) -> dict[int, float]:
    """
    What each deal contributes to the skill share, whose mean they are.

    The ratio of lead and deviation is not linear in what a deal adds; near the means of
    all deals it nearly is, and by that slope each deal is counted.

    Raises:
        SimulationError: If the lead is always the same.
    """
    deviation = _deviation(found)
    if not deviation:
        msg = "skill cannot be measured: no two finished rounds differ in their lead"
        raise SimulationError(msg)
    mean = statistics.fmean([one for one, _ in found.values()])
    square = statistics.fmean([one for _, one in found.values()])
    by_lead = square / deviation**3
    by_square = -mean / (2 * deviation**3)
    return {
        deal: mean / deviation + by_lead * (one - mean) + by_square * (of - square)
        for deal, (one, of) in found.items()
    }


# ---------------------------------------------------------------------- two rulesets


@attrs.frozen
class SkillComparison:
    """
    The skill share of two rulesets compared; it prints as a table.

    Attributes:
        a: The first rules.
        b: The second rules.
        players: The number of players.
        seed: The seed of the deals and of the bots' random decisions.
        unit: Whether a game was a whole match or the first round of one.
        first: The skill under the first rules.
        second: The skill under the second.
        difference: By how much the skill share is greater under the second, by deals.
        left_out: How many deals were not finished under both rules.
        troubles: How many games ended because of a bot.
    """

    a: Ruleset
    b: Ruleset
    players: int
    seed: int | str
    unit: Unit
    first: Skill
    second: Skill
    difference: Estimate
    left_out: int
    troubles: int

    def to_data(self) -> dict[str, Any]:
        """
        The figures as plain data.
        """
        return {
            "a": called(self.a),
            "b": called(self.b),
            "players": self.players,
            "seed": self.seed,
            "unit": self.unit,
            "skill": [self.first.to_data(), self.second.to_data()],
            "difference": self.difference.mean,
            "interval": interval_of(self.difference),
            "p": self.p,
            "left_out": self.left_out,
            "troubles": self.troubles,
        }

    @property
    def p(self) -> float | None:
        """
        How often chance alone gives as great a difference; None if nothing varies.

        Raises:
            SimulationError: If scipy is not installed.
        """
        return t_test(self.difference)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """
        The lines and the table that are printed.
        """
        return tuple(_blocks(self))

    def __str__(self) -> str:
        return as_text(self.blocks)


def _blocks(found: SkillComparison) -> Iterator[Block]:
    pair = (found.first, found.second)
    better, weaker = found.first.better, found.first.weaker
    yield f"A: {called(found.a)}"
    yield f"B: {called(found.b)}"
    yield ""
    games = "whole matches" if found.unit == "match" else "first rounds of matches"
    yield (
        f"{found.difference.count} deals in every order of the bots' seats, {games}, "
        f"{found.players} players, seed {found.seed}"
    )
    yield ""
    yield [
        (f"{better} against {weaker}", "A", "B"),
        ("lead in a round (points)", *(with_interval(one.lead, 1) for one in pair)),
        ("standard deviation of a round", *(f"{one.deviation:.1f}" for one in pair)),
        ("skill share", *(with_interval(one.share, 3) for one in pair)),
        (
            f"rounds until the lead in {OFTEN:.0%} of matches".replace("%", " %"),
            *(shown_rounds(one) for one in pair),
        ),
    ]
    yield ""
    ends = interval_of(found.difference)
    interval = f" ({ends[0]:+.3f} to {ends[1]:+.3f})" if ends else ""
    p = "" if found.p is None else f", p = {found.p:.2g}"
    yield f"The skill share differs by {found.difference.mean:+.3f}{interval}{p}."
    if found.left_out:
        deals = figure(found.left_out, "deal")
        yield f"Left out, because not finished under both rules: {deals}."


def with_interval(found: Estimate, places: int) -> str:
    """
    A mean with its interval, as in a table.
    """
    ends = interval_of(found)
    text = f"{found.mean:.{places}f}"
    return f"{text} ({ends[0]:.{places}f} to {ends[1]:.{places}f})" if ends else text


def shown_rounds(one: Skill) -> str:
    """
    The number of rounds until the better bot leads, as in a table.
    """
    low, high = one.rounds_interval
    if one.rounds is None:
        return "never" if low is None else f"never (from {low})"
    return f"{one.rounds} ({low} to {high})" if high else f"{one.rounds} (from {low})"


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
        SimulationError: If the bots are the same, or too few deals are finished, or
            the rows in the file cannot be continued or written.
    """
    plan = _planned(rules, (better, weaker), players, seed, unit, limit)
    (rows,) = _played([plan], games, executor, progress, [output], resume=resume)
    return skill_of(rows, *_pair(plan))


def compare_skill(
    a: Ruleset | str,
    b: Ruleset | str,
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
) -> SkillComparison:
    """
    Measure how much two rulesets reward skill, from the same seeds.

    Args:
        a: The first rules, or the name of a preset.
        b: The second rules, or the name of a preset.
        better: The bot that should lead.
        weaker: The other bot.
        games: The number of games under each of them, which is raised to whole deals.
        players: The number of players; by default two, or the fewest that both rules
            allow if that is more.
        seed: The seed of the deals and of the bots' random decisions.
        unit: Whether a game is a whole match or the first round of one, which takes
            less time, but is another thing where rounds differ.
        limit: The most actions of players in a game; a longer one is stopped.
        executor: Plays the games; by default this process does. It is not shut down.
        progress: Called after each game and its twin with the number played.
        output: A folder for the rows of all games, as `simulate` writes them, each when
            it is ready; it is made if it does not exist.
        resume: Whether to continue what an interrupted call left there, with the same
            result.

    Raises:
        RulesError: If there is no such preset, or it does not allow so many players.
        BotError: If there is no such bot.
        SimulationError: If the bots are the same, or too few deals are finished under
            both rules, or the rows in the folder cannot be continued or written.
    """
    rules = [preset(one) if isinstance(one, str) else one for one in (a, b)]
    if players is None:
        players = max(2, *(one.match.players[0] for one in rules))
    plans = [
        _planned(one, (better, weaker), players, seed, unit, limit) for one in rules
    ]
    files = inside(output, *FILES)
    rows = _played(plans, games, executor, progress, files, resume=resume)
    return compared(plans, rows)


def compared(
    plans: Sequence[Simulation], rows: Sequence[Sequence[GameRow]]
) -> SkillComparison:
    """
    Compare how much two rulesets reward skill, by games that have been played.

    Args:
        plans: The simulations under the first rules and under the second; all but the
            rules is the same. The better bot has the first seat.
        rows: The games of each.

    Raises:
        SimulationError: If too few deals are finished under both rules.
    """
    here, there = plans
    pair = _pair(here)
    deals = [_by_deal(of, *pair) for of in rows]
    both = sorted(deals[0].keys() & deals[1].keys())
    kept = [{deal: of[deal] for deal in both} for of in deals]
    first, second = (_skill(of, *pair) for of in kept)
    shares = [_shares(of) for of in kept]
    difference = estimate(shares[1][deal] - shares[0][deal] for deal in both)
    assert difference is not None  # noqa: S101 -- `_skill` has seen two deals
    return SkillComparison(
        here.rules,
        there.rules,
        len(here.names),
        here.seed,
        here.unit,
        first,
        second,
        difference,
        len({row.deal for row in rows[0]}) - len(both),
        sum(row.culprit is not None for of in rows for row in of),
    )


def _planned(
    rules: Ruleset | str,
    bots: tuple[Bot | str, Bot | str],
    players: int | None,
    seed: int | str,
    unit: Unit,
    limit: int,
) -> Simulation:
    plan = planned(rules, bots, players=players, seed=seed, unit=unit, limit=limit)
    if plan.rotations == 1:
        msg = f"skill is measured between two bots, and both are {plan.names[0]}"
        raise SimulationError(msg)
    return plan


def _pair(plan: Simulation) -> tuple[str, str]:
    return plan.names[0], plan.names[1]


def _played(
    plans: Sequence[Simulation],
    games: int,
    executor: Executor | None,
    progress: Callable[[int], None] | None,
    files: Sequence[str | os.PathLike[str] | None],
    *,
    resume: bool,
) -> list[list[GameRow]]:
    """
    The games of each plan, with whole deals.
    """
    rotations = plans[0].rotations
    games = -(-games // rotations) * rotations
    rows: list[list[GameRow]] = [[] for _ in plans]
    with ExitStack() as stack:
        streams = [
            stack.enter_context(
                closing(
                    play(plan, games, executor=executor, output=file, resume=resume)
                )
            )
            for plan, file in zip(plans, files, strict=True)
        ]
        for number, found in enumerate(zip(*streams, strict=True)):
            for kept, row in zip(rows, found, strict=True):
                kept.append(row)
            if progress is not None:
                progress(number + 1)
    return rows
