"""
Whether rules change each other's effect: a factorial design over the same deals.
"""

from __future__ import annotations

import itertools
import math
import operator
import os
import statistics

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from typing import Final

import attrs

from rummyvariants.bots.base import Bot
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.simulation.estimates import Estimate, estimate
from rummyvariants.simulation.files import inside
from rummyvariants.simulation.games import Unit
from rummyvariants.simulation.measures import Measure, measure
from rummyvariants.simulation.plans import SimulationError, planned
from rummyvariants.simulation.rows import GameRow
from rummyvariants.simulation.runs import play
from rummyvariants.simulation.significance import Evidence, evidence, holm


_MOST: Final = 7
"""The most options of a design, which then has 64 runs."""


@attrs.frozen
class Effect:
    """
    What an option does to a measure, or two options beside what each of them does.

    Attributes:
        options: One option, or two.
        size: For one, by how much the measure is greater with it than without it, in
            the mean over all ways to choose the others. For two, by how much the effect
            of one is greater where the other is in force than where it is not.
        evidence: The interval of the size, and its test.
        adjusted: The p-value, adjusted for all effects of the design; None without
            scipy.
    """

    options: tuple[str, ...]
    size: Estimate
    evidence: Evidence
    adjusted: float | None = None


def design(number: int) -> tuple[tuple[int, ...], ...]:
    """
    Which of some options are in force in each run of a design: 1 or -1 for each.

    Up to four options are tried in all ways. Of more, half of the ways are enough to
    tell every effect and every interaction of two from one another, given that at most
    three options act together.

    Args:
        number: How many options.

    Raises:
        SimulationError: If there are too few or too many.
    """
    if not 2 <= number <= _MOST:
        msg = f"a design has 2 to {_MOST} options, not {number}"
        raise SimulationError(msg)
    signs = itertools.product((-1, 1), repeat=number)
    return tuple(run for run in signs if number <= 4 or math.prod(run) == 1)


def interactions(
    rules: Ruleset | str,
    options: Sequence[str],
    *,
    of: str = "points",
    games: int,
    players: int | None = None,
    bots: Sequence[Bot | str] | str = "careful",
    seed: int | str = 0,
    unit: Unit = "round",
    limit: int = 20_000,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> tuple[Effect, ...]:
    """
    What options do to a measure, alone and in twos.

    All runs of the design are played from the same seeds, and effects are worked out
    deal by deal. A deal counts if its games were finished in all runs.

    Args:
        rules: The rules without the options, or the name of a preset.
        options: The options, such as ``PGV-C5``.
        of: The key of the measure.
        games: The number of games of each run.
        players: The number of players; by default the fewest that all runs allow.
        bots: The bots; see `simulate`.
        seed: The seed of the deals and of the bots' random decisions.
        unit: Whether a game is a whole match or the first round of one.
        limit: The most actions of players in a game.
        executor: Plays the games; by default this process does. It is not shut down.
        progress: Called after each game in all runs with the number played.
        output: A folder for the rows of all games, as `simulate` writes them, each when
            it is ready; it is made if it does not exist.
        resume: Whether to continue what an interrupted call left there, with the same
            result.

    Returns:
        The effect of each option, and of each two.

    Raises:
        RulesError: If there is no such preset or option, or some of them do not go
            together.
        BotError: If there is no such bot.
        SimulationError: If there is no such measure, or no deal was finished in all
            runs, or the rows in the folder cannot be continued or written.
    """
    about = measure(of)
    runs = design(len(options))
    if about.whole_match and unit == "round":
        msg = f"{about.name} is measured in whole matches: unit='match'"
        raise SimulationError(msg)
    base = preset(rules) if isinstance(rules, str) else rules
    tables = [
        base.with_options(
            *(one for one, sign in zip(options, run, strict=True) if sign > 0)
        )
        for run in runs
    ]
    if players is None:
        players = max(one.match.players[0] for one in tables)
    plans = [
        planned(one, bots, players=players, seed=seed, unit=unit, limit=limit)
        for one in tables
    ]
    files = inside(output, *(f"run-{one}.jsonl" for one in range(1, len(plans) + 1)))
    values: dict[int, list[tuple[float, ...]]] = {}
    with ExitStack() as stack:
        streams = [
            stack.enter_context(
                closing(play(one, games, executor=executor, output=file, resume=resume))
            )
            for one, file in zip(plans, files, strict=True)
        ]
        for number, rows in enumerate(zip(*streams, strict=True)):
            values.setdefault(rows[0].deal, []).append(_measured(rows, about))
            if progress is not None:
                progress(number + 1)
    effects = tuple(_effects(options, runs, [*_complete(values.values())]))
    if not effects:
        msg = "no deal was finished in all runs of the design"
        raise SimulationError(msg)
    known = [one.evidence.p for one in effects if one.evidence.p is not None]
    if len(known) < len(effects):
        return effects
    return tuple(
        attrs.evolve(one, adjusted=p)
        for one, p in zip(effects, holm(known), strict=True)
    )


def _measured(rows: Sequence[GameRow], about: Measure) -> tuple[float, ...]:
    """
    The measure in a game of each run; empty if one of them was not finished.
    """
    if any(row.status != "finished" or not row.rounds for row in rows):
        return ()
    return tuple(about.of(row) for row in rows)


def _complete(
    values: Iterable[Sequence[tuple[float, ...]]],
) -> Iterator[tuple[float, ...]]:
    """
    For each deal finished in all runs, the mean of its games in each.
    """
    for games in values:
        if all(games):
            yield tuple(statistics.fmean(of_run) for of_run in zip(*games, strict=True))


def _effects(
    options: Sequence[str],
    runs: Sequence[tuple[int, ...]],
    deals: Sequence[tuple[float, ...]],
) -> Iterator[Effect]:
    """
    The effects of single options and of twos; none without a deal.
    """
    for size in (1, 2):
        for chosen in itertools.combinations(range(len(options)), size):
            signs = [math.prod(run[at] for at in chosen) for run in runs]
            # As many runs have each sign, or each two signs.
            scale = 2**size / len(runs)
            found = [
                scale * math.fsum(map(operator.mul, signs, deal)) for deal in deals
            ]
            mean = estimate(found)
            if mean is not None:
                names = tuple(options[at] for at in chosen)
                yield Effect(names, mean, evidence(found, share=False))
