"""
The table: its rules, names and bots, from the options of a command.
"""

from __future__ import annotations

import random

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import attrs
import click

import rummyvariants as rv

from rummyvariants._support.words import figure
from rummyvariants.bots import Bot, BotError, TimedBot, bot
from rummyvariants.bots.base import in_a_line, raised
from rummyvariants.bots.names import BOT_NAMES
from rummyvariants.cli import parameters as asks
from rummyvariants.cli.files import named_rules
from rummyvariants.cli.many_games import find_bots_here
from rummyvariants.cli.screen import complain
from rummyvariants.files._brief import names_of


def rules_with(rules_name: str, options: Sequence[str]) -> rv.Ruleset:
    """
    The rules of a game with options added; a note names those that change nothing.

    Raises:
        RulesError: If there is no such game or option, or they do not go together.
    """
    rules = named_rules(rules_name)
    if options:
        rules = rules.with_options(*options)
        for notice in rules.notices:
            complain(f"Note: {notice}")
    return rules


RULES: Final = asks.gathered(
    "rules", rules_with, asks.GAME, asks.OPTIONS, asks.RULES_MODULES
)
"""A game and options added to it: a command gets its `rules`."""


@attrs.frozen
class Table:
    """
    Who plays a game, and with what, as the options of a command say.

    Attributes:
        players: The number of players, if given.
        names: Their names separated by commas, if given.
        bot_names: The bots' names, in order.
        seconds: How long a bot may take for a choice; None for as long as it likes.
        options: The options added to the game.
        seed: The seed, if given.
        file: The file of the record, if one is kept.
    """

    players: int | None
    names: str | None
    bot_names: tuple[str, ...]
    seconds: float | None
    options: tuple[str, ...]
    seed: str | None
    file: Path | None

    def seats(self, rules: rv.Ruleset, least: int) -> list[str]:
        """
        The names of the players.

        Args:
            rules: The game.
            least: The least number of seats, unless the options say the number.
        """
        if self.names is not None:
            found = [name.strip() for name in self.names.split(",")]
            if self.players not in {None, len(found)}:
                msg = f"--players is {self.players}, but --names has {len(found)}"
                raise click.UsageError(msg)
            return found
        low, high = rules.match.players
        default = max(min(max(low, 4), high), least)
        number = default if self.players is None else self.players
        return names_of(number)

    def bots(self, seats: int) -> tuple[Bot, ...]:
        """
        A bot for each of some seats.

        Fewer bots than seats are repeated; without any the careful bot plays.

        Raises:
            BotError: If there is no such bot.
        """
        names = self.bot_names or ("careful",)
        if len(self.bot_names) > seats:
            number = figure(len(names), "bot")
            msg = f"{number} cannot fill {figure(seats, 'seat')}: name fewer with --bot"
            raise click.UsageError(msg)
        if set(names) - {*BOT_NAMES}:
            find_bots_here()
        found: list[Bot] = []
        for name in names:
            one = bot(name)
            ours = name.partition(":")[0] in BOT_NAMES
            guarded = one if ours else _Guarded(one, name)
            found.append(
                TimedBot(guarded, self.seconds) if self.seconds is not None else guarded
            )
        return tuple(found[seat % len(found)] for seat in range(seats))


asks_for_table: Final = asks.gathered(
    "table",
    Table,
    asks.number(
        "--players",
        "The number of players; by default 4, if the game allows it.",
        0,
        99,
    ),
    click.option(
        "--names", metavar="A,B,C", help="The players' names, in order of seats."
    ),
    asks.BOTS,
    asks.TIME_LIMIT,
    asks.OPTIONS,
    asks.RULES_MODULES,
    click.option(
        "--seed",
        metavar="SEED",
        help="The seed of the shuffles: the same seed gives the same deals.",
    ),
    click.option(
        "--record",
        "file",
        type=asks.FILE,
        help="Keep a record of the game in this file.",
    ),
)
"""The options for a game that is played: a command gets `table`, its `Table`."""


@attrs.frozen
class _Guarded:
    """
    A bot of the user's, whose errors are reported in one line.
    """

    bot: Bot
    name: str

    def choose(self, view: rv.View, rng: random.Random) -> rv.Action | str:
        """
        The bot's choice, checked to be legal.

        Raises:
            BotError: If it raises an error, or chooses an action that is refused.
        """
        try:
            action = self.bot.choose(view, rng)
            ruling = rv.check(view.world, action, view.seat)
        except (Exception, SystemExit) as error:
            msg = f"the bot {self.name} failed: {raised(error)}"
            raise BotError(msg) from error
        if not ruling:
            asked = in_a_line(action)
            msg = f"the bot {self.name} chose {asked!r}: {ruling}"
            raise BotError(msg)
        return action
