"""
How a rule changes a game: the same bots play two rulesets from the same seeds.
"""

from __future__ import annotations

import os

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from importlib import metadata
from typing import Any, Final

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants._support.tables import Block, Grid, as_text
from rummyvariants._support.words import figure
from rummyvariants.bots.base import Bot
from rummyvariants.bots.names import bot
from rummyvariants.files._facts import rules_table
from rummyvariants.rules import Difference, Ruleset, preset
from rummyvariants.rules._origins import show_value
from rummyvariants.simulation.contrasts import Contrast, Pair, contrasts
from rummyvariants.simulation.files import inside
from rummyvariants.simulation.games import Unit
from rummyvariants.simulation.measures import measure
from rummyvariants.simulation.plans import SimulationError, planned
from rummyvariants.simulation.rows import GameRow
from rummyvariants.simulation.runs import play
from rummyvariants.simulation.skill import SKILL


FILES: Final = ("a.jsonl", "b.jsonl")
"""The files for the rows of two rulesets, in the folder of their comparison."""
_FEW: Final = 30
"""With fewer deals than this an interval may be far from the truth."""


@attrs.frozen
class Comparison:
    """
    Two rulesets compared; it prints as a table.

    Attributes:
        a: The first rules.
        b: The second rules.
        games: The number of games under each of them.
        players: The number of players.
        bots: The bots' names, by seat in the first game.
        seed: The seed of the deals and of the bots' random decisions.
        unit: Whether a game was a whole match or the first round of one.
        limit: The most actions of players in a game.
        version: The version of the library.
        same_deals: Whether both games have the same deck, and so the same cards in the
            same order; otherwise only the seeds are the same.
        contrasts: The measures that both games have.
        rows: The games of each ruleset.

    >>> both = "rummy-500", "rummy-500-pagat"
    >>> comparison = rv.compare(*both, games=2, bots="random", unit="round")
    >>> [row.actions for row in comparison.rows[0]], comparison.unfinished
    ([68, 61], (0, 0))
    """

    a: Ruleset
    b: Ruleset
    games: int
    players: int
    bots: tuple[str, ...]
    seed: int | str
    unit: Unit
    limit: int
    version: str
    same_deals: bool
    contrasts: tuple[Contrast, ...] = attrs.field(repr=False)
    rows: tuple[tuple[GameRow, ...], tuple[GameRow, ...]] = attrs.field(repr=False)

    @property
    def differences(self) -> tuple[Difference, ...]:
        """
        The policy values in which the rules differ.
        """
        return self.a.diff(self.b)

    @property
    def is_tested(self) -> bool:
        """
        Whether the differences were tested, for which scipy must be installed.
        """
        return all(one.adjusted is not None for one in self.contrasts)

    @property
    def unfinished(self) -> tuple[int, int]:
        """
        How many games under each ruleset were not played to their end.
        """
        first, second = (
            sum(row.status != "finished" for row in rows) for rows in self.rows
        )
        return first, second

    def __getitem__(self, key: str) -> Contrast:
        """
        A measure by its key, such as ``points``.

        Raises:
            SimulationError: If there is no such measure, or these games do not have it.
        """
        for one in self.contrasts:
            if one.measure.key == key:
                return one
        if key == SKILL.key:
            why = "it takes two bots, and two deals"
        else:
            wanted = measure(key)
            why = "no game was finished under both rules"
            if wanted.whole_match and self.unit == "round":
                why = "the games were single rounds"
            elif wanted.knocks and not knocks(self.a, self.b):
                why = "nobody knocks under these rules"
        msg = f"there is no figure for {key!r}: {why}"
        raise SimulationError(msg)

    @property
    def notes(self) -> tuple[str, ...]:
        """
        Notes on how to read the figures, a sentence or two each.
        """
        return tuple(_notes(self))

    @property
    def setting(self) -> str:
        """
        What was played, in a line that allows you to repeat it.
        """
        noun = {"match": "match", "round": "round"}[self.unit]
        noun += "" if self.games == 1 else {"match": "es", "round": "s"}[self.unit]
        bots = ", ".join(dict.fromkeys(self.bots))
        return (
            f"{self.games} {noun} each, {self.players} players, bots: {bots}, "
            f"seed {self.seed}, rummyvariants {self.version}"
        )

    @property
    def blocks(self) -> tuple[Block, ...]:
        """
        The lines and the table that are printed.
        """
        rows: list[tuple[str, ...]] = [
            ("measure", "A", "B", "B - A", "95 % interval", "p", "")
        ]
        for one in self.contrasts:
            mark = "*" if one.side else ""
            rows.append((one.measure.title, *one.cells, mark))
        if not self.is_tested:
            rows = [row[:5] for row in rows]
        differences = [f"  {one}" for one in self.differences]
        return (
            *(f"A: {called(self.a)}", f"B: {called(self.b)}", ""),
            *(differences or ["  The rules are equal."]),
            *("", self.setting, ""),
            Grid(rows),
            *("", *self.notes),
        )

    def __str__(self) -> str:
        return as_text(self.blocks)

    def to_data(self) -> dict[str, Any]:
        """
        The comparison as plain data, without the games.
        """
        return {
            "library": self.version,
            "a": {"name": called(self.a), "rules": rules_table(self.a)},
            "b": {"name": called(self.b), "rules": rules_table(self.b)},
            "differences": [str(one) for one in self.differences],
            "games": self.games,
            "players": self.players,
            "bots": list(self.bots),
            "seed": self.seed,
            "unit": self.unit,
            "limit": self.limit,
            "same_deals": self.same_deals,
            "games_by_status": [
                dict(sorted(Counter(row.status for row in rows).items()))
                for rows in self.rows
            ],
            "measures": [one.to_data() for one in self.contrasts],
            "notes": list(self.notes),
        }


# -------------------------------------------------------------------------- comparing


@explained
def compare(
    a: Ruleset | str,
    b: Ruleset | str,
    *,
    games: int,
    players: int | None = None,
    bots: Sequence[Bot | str] | Bot | str = "careful",
    seed: int | str = 0,
    unit: Unit = "match",
    limit: int = 20_000,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Comparison:
    """
    Let the same bots play two rulesets, and report how the games differ.

    Both are played from the same seeds, and each game is compared with its twin, so
    that chance that affects both alike does not blur the difference.

    Args:
        a: The first rules, or the name of a preset.
        b: The second rules, or the name of a preset.
        games: The number of games under each of them.
        players: The number of players; by default the number of bots, or the fewest
            that both rules allow if that is more.
        bots: A bot for all seats, or several in order of seats; see `simulate`.
        seed: The seed of the deals and of the bots' random decisions: the same seed
            gives the same comparison.
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
        SimulationError: If there are no games to compare, or the bots do not fit, or
            the rows in the folder cannot be continued or written.

    >>> comparison = rv.compare(
    ...     "rummy-500", "rummy-500-pagat", games=2, bots="random", unit="round"
    ... )
    >>> cards = comparison["hand"]
    >>> cards.measure.name, cards.a, cards.b
    ('cards dealt to a hand', 10.0, 13.0)
    """
    if games < 1:
        msg = f"a comparison needs at least one game, not {games}"
        raise SimulationError(msg)
    a = preset(a) if isinstance(a, str) else a
    b = preset(b) if isinstance(b, str) else b
    one_for_all = isinstance(bots, str) or not isinstance(bots, Sequence)
    named: Any = [bots] if one_for_all else bots
    made: list[Bot] = [bot(one) if isinstance(one, str) else one for one in named]
    if players is None:
        players = max(len(made), a.match.players[0], b.match.players[0])
    plans = [
        planned(rules, made, players=players, seed=seed, unit=unit, limit=limit)
        for rules in (a, b)
    ]
    pairs: list[Pair] = []
    first, second = (
        play(plan, games, executor=executor, output=file, resume=resume)
        for plan, file in zip(plans, inside(output, *FILES), strict=True)
    )
    with closing(first), closing(second):
        for pair in zip(first, second, strict=True):
            pairs.append(pair)
            if progress is not None:
                progress(len(pairs))
    return Comparison(
        a,
        b,
        games,
        players,
        plans[0].names,
        seed,
        unit,
        limit,
        metadata.version("rummyvariants"),
        a.deck.cards_for(players) == b.deck.cards_for(players),
        contrasts(pairs, unit, knocks=knocks(a, b)),
        (tuple(one for one, _ in pairs), tuple(other for _, other in pairs)),
    )


# -------------------------------------------------------------------------- reporting


def called(rules: Ruleset) -> str:
    """
    The name of a ruleset in a table, with the options and changes added to it.
    """
    added = [*rules.options]
    if rules.name == rules.base:
        added += [
            f"{path} = {show_value(value)}" for path, (value, *_) in rules.changes
        ]
    return f"{rules.name} with {', '.join(added)}" if added else rules.name


def knocks(*rules: Ruleset) -> bool:
    """
    Whether players knock under any of these rules.
    """
    return any(one.meld.concealed and not one.out.declares for one in rules)


def _notes(found: Comparison) -> Iterator[str]:
    if not found.is_tested:
        yield (
            "The differences are not tested, and the intervals assume many deals: for "
            "exact tests, pip install 'rummyvariants[statistics]'."
        )
    else:
        if any(one.side for one in found.contrasts):
            yield (
                "* p is below 0.05. It is adjusted for the number of measures (Holm): "
                "of twenty comparisons of equal games one has such a mark by chance."
            )
        if any(one.has_only_signs for one in found.contrasts):
            yield (
                "Where too few deals differ, only the signs of the differences are "
                "tested, and there is no interval."
            )
    if found.same_deals:
        yield "The deck is the same: both games had the same cards in the same order."
    else:
        yield (
            "The decks differ: the games had the same seeds, but not the same cards, "
            "so the intervals are wider."
        )
    differ = {one.value for one in found.differences}
    if found.unit == "match" and differ & {"match.target", "match.ends"}:
        yield (
            "Matches end at different points: figures per round can be compared, "
            "figures per match reflect the different end."
        )
    if any(value.startswith("score.") for value in differ):
        yield (
            "Cards are counted differently: points differ because of the counting as "
            "well as the play."
        )
    deals = max((one.difference.count for one in found.contrasts), default=0)
    if deals < _FEW:
        number = figure(deals, "deal")
        yield f"With {number} little can be shown: play at least {_FEW}."
    yield from _unfinished_notes(found)


def _unfinished_notes(found: Comparison) -> Iterator[str]:
    if not any(found.unfinished):
        yield "All games were finished."
        return
    for name, rows, count in zip("AB", found.rows, found.unfinished, strict=True):
        if not count:
            continue
        status = Counter(row.status for row in rows if row.status != "finished")
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(status.items()))
        problem = next(row.problem for row in rows if row.status != "finished")
        share = 100 * count / len(rows)
        yield (
            f"{name}: {count} of {figure(len(rows), 'game')} ({share:.1f} %) "
            f"{'was' if count == 1 else 'were'} not finished "
            f"({kinds}; the first: {problem})."
        )
    yield "The figures cover the deals whose games were finished under both rules."
