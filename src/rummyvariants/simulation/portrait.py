"""
A game in figures: its length, its course, its seats, and what depends on skill.
"""

from __future__ import annotations

import os

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import closing
from typing import Any

import attrs

from rummyvariants.bots.base import Bot
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.simulation.comparison import called
from rummyvariants.simulation.decisions import Decisions, decisions
from rummyvariants.simulation.estimates import Estimate, estimate
from rummyvariants.simulation.files import inside
from rummyvariants.simulation.games import Unit
from rummyvariants.simulation.matches import (
    Comeback,
    Quantile,
    SeatShare,
    comebacks,
    finished,
    lengths,
    seat_shares,
)
from rummyvariants.simulation.measures import measure
from rummyvariants.simulation.plans import planned
from rummyvariants.simulation.runs import play
from rummyvariants.simulation.significance import interval_of, need_scipy
from rummyvariants.simulation.skill import (
    OFTEN,
    Skill,
    measure_skill,
    shown_rounds,
    with_interval,
)
from rummyvariants.simulation.tables import Block, as_text


@attrs.frozen
class Portrait:
    """
    A game for a number of players, in figures; it prints as tables.

    Attributes:
        rules: The rules.
        players: The number of players.
        games: The number of matches; as many games were played for the skill, and as
            many decisions tried.
        bot: The bot that plays all seats, and leads the weaker one.
        seed: The seed of the deals and of all that is drawn.
        unit: Whether skill and decisions are those of whole matches or first rounds.
        unfinished: How many matches were not played to their end.
        lengths: The quantiles of the rounds and of the actions of a match.
        lead_changes: How often the lead changes in a match.
        settled: In which round the winner takes the lead for good.
        comebacks: How often a match is won by who was far behind.
        seats: How often each seat wins, by place after the first dealer.
        skill: How far the bot leads a weaker one.
        decisions: What depends on the decisions of a round.
    """

    rules: Ruleset
    players: int
    games: int
    bot: str
    seed: int | str
    unit: Unit
    unfinished: int
    lengths: dict[str, tuple[Quantile, ...]]
    lead_changes: Estimate
    settled: Estimate
    comebacks: tuple[Comeback, ...]
    seats: tuple[SeatShare, ...]
    skill: Skill
    decisions: Decisions

    def to_data(self) -> dict[str, Any]:
        """
        The figures as plain data.
        """
        return {
            "rules": called(self.rules),
            "players": self.players,
            "games": self.games,
            "bot": self.bot,
            "seed": self.seed,
            "unit": self.unit,
            "unfinished": self.unfinished,
            "lengths": {
                name: [attrs.asdict(one) for one in of]
                for name, of in self.lengths.items()
            },
            "lead_changes": _data(self.lead_changes),
            "settled": _data(self.settled),
            "comebacks": [attrs.asdict(one) for one in self.comebacks],
            "seats": [attrs.asdict(one) for one in self.seats],
            "skill": self.skill.to_data(),
            "decisions": {
                "deals": self.decisions.deals,
                "choices": _data(self.decisions.choices),
                "mattered": self.decisions.mattered,
                "interval": self.decisions.interval,
                "cost": _data(self.decisions.cost),
            },
        }

    @property
    def blocks(self) -> tuple[Block, ...]:
        """
        The lines and tables that are printed.
        """
        return tuple(_blocks(self))

    def __str__(self) -> str:
        return as_text(self.blocks)


def portrait(
    rules: Ruleset | str,
    *,
    games: int,
    players: int | None = None,
    bot: Bot | str = "careful",
    weaker: Bot | str = "greedy",
    seed: int | str = 0,
    unit: Unit = "match",
    limit: int = 20_000,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Portrait:
    """
    Measure a game.

    Args:
        rules: The rules, or the name of a preset.
        games: The number of matches, of games for the skill, and of decisions.
        players: The number of players; by default the fewest that the rules allow.
        bot: The bot that plays.
        weaker: The bot whom it should lead.
        seed: The seed of the deals and of all that is drawn.
        unit: Whether skill and decisions are those of whole matches or of their first
            rounds, which takes less time, but is another thing where rounds differ.
        limit: The most actions of players in a game; a longer one is stopped.
        executor: Plays the games and tries the decisions; by default this process does.
            It is not shut down.
        progress: Called with the number of games and deals done, of three times
            `games`.
        output: A folder for the rows of all games, as `simulate` writes them, each when
            it is ready; it is made if it does not exist.
        resume: Whether to continue what an interrupted call left there, with the same
            result.

    Raises:
        RulesError: If there is no such preset, or it does not allow so many players.
        BotError: If there is no such bot.
        SimulationError: If the bots are the same, too few games are finished, or scipy
            is not installed, or the rows in the folder cannot be continued or written.
    """
    need_scipy()
    tell = progress or (lambda _: None)
    found = preset(rules) if isinstance(rules, str) else rules
    players = max(found.match.players[0], 2) if players is None else players
    plan = planned(found, [bot], players=players, seed=seed, limit=limit)
    files = inside(output, "matches.jsonl", "skill.jsonl", "decisions.jsonl")
    rows = []
    with closing(
        play(plan, games, executor=executor, output=files[0], resume=resume)
    ) as played:
        for row in played:
            rows.append(row)
            tell(len(rows))
    whole = finished(rows)
    changes, settled = (
        estimate(measure(key).of(row) for row in whole)
        for key in ("lead_changes", "settled")
    )
    assert changes is not None  # noqa: S101 -- `finished` has found a match
    assert settled is not None  # noqa: S101 -- as above
    return Portrait(
        found,
        players,
        games,
        plan.names[0],
        seed,
        unit,
        len(rows) - len(whole),
        lengths(whole),
        changes,
        settled,
        comebacks(whole),
        seat_shares(whole),
        measure_skill(
            found,
            better=bot,
            weaker=weaker,
            games=games,
            players=players,
            seed=seed,
            unit=unit,
            limit=limit,
            executor=executor,
            progress=lambda done: tell(games + min(done, games)),
            output=files[1],
            resume=resume,
        ),
        decisions(
            found,
            bot,
            deals=games,
            players=players,
            seed=seed,
            unit=unit,
            limit=limit,
            executor=executor,
            progress=lambda done: tell(2 * games + done),
            output=files[2],
            resume=resume,
        ),
    )


def _data(found: Estimate | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"mean": found.mean, "interval": interval_of(found), "count": found.count}


def _blocks(found: Portrait) -> Iterator[Block]:
    yield f"{called(found.rules)}, {found.players} players, seed {found.seed}"
    yield ""
    yield f"{found.games} matches, with {found.bot} in all seats:"
    if found.unfinished:
        yield f"{found.unfinished} of them were not finished, and are left out."
    yield ""
    yield [
        ("share of matches", *(f"{one.share:.0%}" for one in found.lengths["rounds"])),
        *(
            (f"{name}, at most", *(f"{one.value:g}" for one in of))
            for name, of in found.lengths.items()
        ),
    ]
    yield ""
    yield f"Changes of the lead in a match: {with_interval(found.lead_changes, 2)}"
    yield f"The winner leads for good from round: {with_interval(found.settled, 2)}"
    yield ""
    yield [
        ("points behind", "matches", "won", "95 % interval"),
        *(
            (
                f"{one.behind} or more",
                str(one.matches),
                f"{100 * one.wins / one.matches:.1f} %" if one.matches else "",
                _percent(one.interval),
            )
            for one in found.comebacks
        ),
    ]
    yield ""
    yield [
        ("seat", "won", "95 % interval"),
        *(
            (_place(one.place), f"{100 * one.won:.1f} %", _percent(one.interval))
            for one in (*found.seats[1:], found.seats[0])
        ),
    ]
    yield ""
    skill = found.skill
    if found.unit == "round":
        yield "In the first rounds of matches:"
    often = f"{100 * OFTEN:.0f} % of matches"
    yield (
        f"Lead of {skill.better} over {skill.weaker} in a round, in points: "
        f"{with_interval(skill.lead, 1)}"
    )
    yield f"Standard deviation of the lead: {skill.deviation:.1f}"
    yield f"Skill share: {with_interval(skill.share, 3)}"
    yield f"Rounds until {skill.better} leads in {often}: {shown_rounds(skill)}"
    yield ""
    tried = found.decisions
    share = f"{100 * tried.mattered / tried.deals:.1f} %"
    yield f"Decisions in which there is a choice: {100 * tried.choices.mean:.1f} %"
    yield (
        "Those in which another action changes the player's points of the round: "
        f"{share} ({_percent(tried.interval)})"
    )
    yield f"Cost of the other action, in points: {with_interval(tried.cost, 1)}"


def _place(place: int) -> str:
    return "first dealer" if not place else f"{place} after the first dealer"


def _percent(ends: tuple[float, float] | None) -> str:
    return "" if ends is None else f"{100 * ends[0]:.1f} to {100 * ends[1]:.1f} %"
