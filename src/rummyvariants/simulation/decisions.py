"""
How many decisions of a game matter: another action is tried, and the round played out.
"""

from __future__ import annotations

import itertools
import os
import random

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from typing import Final

import attrs

from rummyvariants.bots.base import Bot, sources_of
from rummyvariants.game._engine.beginning import begin, next_deal
from rummyvariants.game._engine.game import apply
from rummyvariants.game._moves import legal_actions
from rummyvariants.game._state import State, next_to_decide
from rummyvariants.game._views import view
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.simulation.estimates import Estimate, estimate
from rummyvariants.simulation.games import Unit
from rummyvariants.simulation.plans import Plan, SimulationError, planned
from rummyvariants.simulation.rows import DecisionRow
from rummyvariants.simulation.runs import play
from rummyvariants.simulation.significance import wilson


_TRIES: Final = 20
"""How often to look for an action that leads elsewhere."""


@attrs.frozen
class Decisions:
    """
    What depends on the decisions of a round.

    A decision of a player with a choice is drawn from each deal, all equally likely.
    Instead of the bot's action another legal one is done, drawn at random, and the
    round is played to its end by the bots from both.

    Attributes:
        deals: The number of deals, and of decisions tried.
        choices: The share of decisions in which there is a choice, over the deals.
        mattered: In how many of the decisions tried the points of the round differ for
            the player who decides.
        interval: The 95 % interval of their share, by Wilson's method.
        cost: By how many points of the round the bot's own action is better.
    """

    deals: int
    choices: Estimate
    mattered: int
    interval: tuple[float, float]
    cost: Estimate


@attrs.frozen
class Trials(Plan[DecisionRow]):
    """
    Games, in each of which a decision is tried; see `Plan`.
    """

    kind = DecisionRow

    @property
    def about(self) -> str:
        """
        What a row is about, as files of rows say it.
        """
        return f"decision of a {self.unit}"

    def row(self, number: int) -> DecisionRow:
        """
        Play a game, and try another action in one of its decisions.

        Raises:
            IllegalAction: If a bot chooses an action that the rules refuse.
            SimulationError: If a game takes too many actions.
        """
        game = self.game(number)
        bot, name = game.bots[0], game.seed
        state = begin(game.rules, len(game.bots), seed=name)
        met = _played(state, bot, name, game.limit, game.unit)
        # Between rounds, players may be asked whether they come back.
        met = [one for one in met if one.result is None]
        choices = [one for one in met if _has_choice(one)]
        cost = None
        if choices:
            source = random.Random(f"{name}/decision")
            cost = _cost(source.choice(choices), bot, name, source, game.limit)
        return DecisionRow(number, len(met), len(choices), cost)


def decisions(
    rules: Ruleset | str,
    bot: Bot | str = "careful",
    *,
    deals: int,
    players: int | None = None,
    seed: int | str = 0,
    unit: Unit = "match",
    limit: int = 20_000,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Decisions:
    """
    Try other decisions in rounds of a game.

    Args:
        rules: The rules, or the name of a preset.
        bot: The bot that plays all seats.
        deals: The number of deals; each gives one decision.
        players: The number of players; by default the fewest that the rules allow.
        seed: The seed of the deals and of all that is drawn.
        unit: Whether decisions are drawn from whole matches or from their first rounds,
            which takes less time, but is another thing where rounds differ.
        limit: The most actions of players in a game.
        executor: Tries the decisions; by default this process does. It is not shut
            down.
        progress: Called after each deal with the number done.
        output: A file, ``.jsonl``, to which a row for each decision is written.
        resume: Whether to continue what an interrupted call left there, with the same
            result.

    Raises:
        RulesError: If there is no such preset, or it does not allow so many players.
        BotError: If there is no such bot.
        IllegalAction: If the bot chooses an action that the rules refuse.
        SimulationError: If a game takes too many actions, nobody ever has a choice, or
            scipy is not installed, or the rows in the file cannot be continued or
            written.
    """
    plan = planned(rules, [bot], players=players, seed=seed, unit=unit, limit=limit)
    trials = Trials(*attrs.astuple(plan, recurse=False))
    shares: list[float] = []
    costs: list[float] = []
    with closing(
        play(trials, deals, executor=executor, output=output, resume=resume)
    ) as rows:
        for row in rows:
            shares.append(row.choices / row.decisions)
            if row.cost is not None:
                costs.append(row.cost)
            if progress is not None:
                progress(row.number + 1)
    share, cost = estimate(shares), estimate(costs)
    if share is None or cost is None:
        msg = f"nobody had a choice in {deals} deals"
        raise SimulationError(msg)
    mattered = sum(map(bool, costs))
    return Decisions(len(costs), share, mattered, wilson(mattered, len(costs)), cost)


def _played(
    state: State, bot: Bot, seed: str, limit: int, unit: Unit = "round"
) -> Sequence[State]:
    """
    The states of a game, from a given one to its end, those before a deal left out.

    Raises:
        SimulationError: If there are more than the limit.
    """
    sources = sources_of(f"{seed}/on", len(state.players))
    met: list[State] = []
    while not state.is_over and (unit == "match" or state.result is None):
        if state.phase == "deal":
            state = apply(state, next_deal(state))
            continue
        if len(met) >= limit:
            msg = f"a game was not over after {limit} actions"
            raise SimulationError(msg)
        met.append(state)
        seat = next_to_decide(state)
        state = apply(state, bot.choose(view(state, seat), sources[seat]), seat)
    return [*met, state]


def _has_choice(state: State) -> bool:
    seat = next_to_decide(state)
    return len(list(itertools.islice(legal_actions(state, seat), 2))) > 1


def _cost(state: State, bot: Bot, seed: str, source: random.Random, limit: int) -> int:
    """
    By how many points the bot's action is better than another one, for who decides.

    Whatever follows is played with the same sources of chance.
    """
    seat = next_to_decide(state)
    own = _played(state, bot, seed, limit)
    other = own[1]
    for _ in range(_TRIES):
        other = apply(state, legal_actions(state, seat).sample(source.randrange))
        if other != own[1]:
            break
    ends = [own[-1], _played(other, bot, seed, limit)[-1]]
    points = [end.result.points[seat] for end in ends if end.result is not None]
    better = points[0] - points[1]
    return -better if state.rules.match.lowest_wins else better
