"""
Verdicts on a rule: a comparison repeated with several bots, in several blocks of deals.
"""

from __future__ import annotations

import os

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from typing import Any, Final

import attrs

from rummyvariants.bots.base import Bot
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.simulation.comparison import Comparison, called, compare
from rummyvariants.simulation.contrasts import Contrast
from rummyvariants.simulation.estimates import CONFIDENCE
from rummyvariants.simulation.files import inside
from rummyvariants.simulation.games import Unit
from rummyvariants.simulation.measures import Measure
from rummyvariants.simulation.plans import SimulationError
from rummyvariants.simulation.significance import holm, need_scipy
from rummyvariants.simulation.tables import Block, as_text


BOTS: Final = ("careful", "greedy")
"""The bots that play, if no others are named."""
BLOCKS: Final = 2
"""In how many blocks of deals each bot plays."""


@attrs.frozen
class Result:
    """
    What one bot in one block says of a measure.

    Attributes:
        bot: The bot.
        block: The number of the block, from 1.
        contrast: The measure under both rules, its `adjusted` over all results; None
            for what the deals alone decide, if another bot has had the same deals.
    """

    bot: str
    block: int
    contrast: Contrast


@attrs.frozen
class Verdict:
    """
    What all results say of a measure.

    Attributes:
        measure: The measure.
        results: By bot and block.
    """

    measure: Measure
    results: tuple[Result, ...]

    @property
    def word(self) -> str:
        """
        The verdict on B.

        It is ``more`` or ``less`` if all results are sure of it, ``disagree`` if some
        are sure of each, otherwise ``not decided``. Deals that another bot has had are
        no further result where they alone decide.
        """
        counted = [one.contrast for one in self.results]
        return word_of([one.side for one in counted if one.adjusted is not None])


def word_of(sides: Sequence[int]) -> str:
    """
    The verdict of results that are sure of more (1), of less (-1), or not sure (0).
    """
    if {1, -1} <= {*sides}:
        return "disagree"
    if 0 in sides:
        return "not decided"
    return "more" if sides[0] > 0 else "less"


@attrs.frozen
class Verdicts:
    """
    Two rulesets compared by several bots in several blocks; it prints as tables.

    Attributes:
        comparisons: The comparisons, by bot and then by block.
        verdicts: The verdict on each measure.
    """

    comparisons: tuple[Comparison, ...]
    verdicts: tuple[Verdict, ...]

    def __getitem__(self, key: str) -> Verdict:
        """
        The verdict on a measure, by its key.

        Raises:
            SimulationError: If these games do not have it.
        """
        for one in self.verdicts:
            if one.measure.key == key:
                return one
        self.comparisons[0][key]  # says why
        msg = f"there is no verdict on {key!r}: no game was finished under both rules"
        raise SimulationError(msg)

    def to_data(self) -> dict[str, Any]:
        """
        The verdicts and what they stand on as plain data.
        """
        return {
            "verdicts": {one.measure.key: one.word for one in self.verdicts},
            "results": [
                {
                    **comparison.to_data(),
                    "measures": [
                        one.results[at].contrast.to_data() for one in self.verdicts
                    ],
                }
                for at, comparison in enumerate(self.comparisons)
            ],
        }

    @property
    def blocks(self) -> tuple[Block, ...]:
        """
        The lines and tables that are printed.
        """
        return tuple(_blocks(self))

    def __str__(self) -> str:
        return as_text(self.blocks)


def verdicts(
    a: Ruleset | str,
    b: Ruleset | str,
    *,
    games: int,
    players: int | None = None,
    bots: Sequence[Bot | str] = BOTS,
    seed: int | str = 0,
    unit: Unit = "match",
    limit: int = 20_000,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Verdicts:
    """
    Compare two rulesets with several bots, each in two blocks of deals.

    A difference may depend on who plays, and may be chance. So a verdict needs every
    bot in every block, and all p-values together are adjusted by Holm's method. What
    the deals alone decide is tested once in each block, since all bots have them.

    Args:
        a: The first rules, or the name of a preset.
        b: The second rules, or the name of a preset.
        games: The number of games under each of them, in each block.
        players: The number of players; by default the fewest that both rules allow.
        bots: The bots; each of them plays all seats.
        seed: The seed, from which those of the blocks follow.
        unit: Whether a game is a whole match or the first round of one.
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
        SimulationError: If there are no games to compare or no two bots, or scipy is
            not installed, or the rows in the folder cannot be continued or written.
    """
    need_scipy()
    if len(bots) < 2:
        msg = "a verdict needs two bots at least, so that it does not depend on one"
        raise SimulationError(msg)
    found: list[Comparison] = []

    def tell(done: int) -> None:
        if progress is not None:
            progress(len(found) * games + done)

    for number, one in enumerate(bots, 1):
        for block in range(1, BLOCKS + 1):
            (folder,) = inside(output, f"bot-{number}-block-{block}")
            found.append(
                compare(
                    a,
                    b,
                    games=games,
                    players=players,
                    bots=[one],
                    seed=seed_of_block(seed, block),
                    unit=unit,
                    limit=limit,
                    executor=executor,
                    progress=tell,
                    output=folder,
                    resume=resume,
                )
            )
    return Verdicts(tuple(found), tuple(_verdicts(found)))


def seed_of_block(seed: int | str, block: int) -> str:
    """
    The seed of a block of deals, counted from 1.
    """
    return f"{seed}/block {block}"


def _verdicts(comparisons: Sequence[Comparison]) -> Iterator[Verdict]:
    """
    The verdicts on the measures that all comparisons have.
    """
    rows = [one.contrasts for one in comparisons]
    if not all(rows):
        return
    adjusted = iter(
        holm(
            [
                one.evidence.p
                for at, row in enumerate(rows)
                for one in row
                if one.evidence.p is not None and _counts(one, at, comparisons[at])
            ]
        )
    )
    rows = [
        tuple(
            attrs.evolve(
                one,
                adjusted=next(adjusted) if _counts(one, at, comparisons[at]) else None,
            )
            for one in row
        )
        for at, row in enumerate(rows)
    ]
    for column in zip(*rows, strict=True):
        yield Verdict(
            column[0].measure,
            tuple(
                Result(comparison.bots[0], at % BLOCKS + 1, one)
                for at, (comparison, one) in enumerate(
                    zip(comparisons, column, strict=True)
                )
            ),
        )


def _counts(one: Contrast, at: int, comparison: Comparison) -> bool:
    """
    Whether a measure of a comparison is a result of its own.

    The deals of a block are the same for all bots, so what they alone decide is a
    result of the first bot only, unless players choose the size of their hands.

    Args:
        one: The measure.
        at: The number of the comparison, by bot and then by block, from 0.
        comparison: The comparison.
    """
    chosen = any(rules.deal.lets_choose("2") for rules in (comparison.a, comparison.b))
    return at < BLOCKS or not one.measure.dealt or chosen


def _blocks(found: Verdicts) -> Iterator[Block]:
    first = found.comparisons[0]
    yield f"A: {called(first.a)}"
    yield f"B: {called(first.b)}"
    yield ""
    yield from (f"  {one}" for one in first.differences)
    if not first.differences:
        yield "  The rules are equal."
    yield ""
    yield from (one.setting for one in found.comparisons)
    yield ""
    if not found.verdicts:
        yield "There is no verdict: a bot has finished no game under both rules."
        return
    heads = [f"{one.bot} {one.block}" for one in found.verdicts[0].results]
    yield [
        ("B - A", *heads, "B has"),
        *(
            (one.measure.title, *map(_cell, one.results), one.word)
            for one in found.verdicts
        ),
    ]
    yield ""
    results = [one.contrast for of in found.verdicts for one in of.results]
    count = sum(one.adjusted is not None for one in results)
    yield (
        f"* p is below {1 - CONFIDENCE:.2f}, adjusted for all {count} results (Holm). "
        "B has more or less of what every bot finds so in every block."
    )
    if count < len(results):
        yield (
            "In brackets: decided by the deals alone, which another bot has had, so "
            "no further result."
        )
    for one in found.comparisons:
        if any(one.unfinished):
            yield (
                f"{one.bots[0]}, seed {one.seed}: {one.unfinished[0]} games of A and "
                f"{one.unfinished[1]} of B were not finished, and are left out."
            )


def _cell(one: Result) -> str:
    _, _, difference, *_ = one.contrast.cells
    if one.contrast.adjusted is None:
        return f"[{difference}]"
    return f"{difference}{'*' if one.contrast.side else ' '}"
