"""
The table: its rules, names and bots, from the arguments of a command.
"""

from __future__ import annotations

import random

from collections.abc import Sequence
from typing import Final

import attrs
import click

from rummyvariants._support.words import figure
from rummyvariants.bots import Bot, BotError, TimedBot, bot
from rummyvariants.bots.base import in_a_line, raised
from rummyvariants.bots.names import BOT_NAMES
from rummyvariants.cli.files import named_rules
from rummyvariants.cli.many_games import find_bots_here
from rummyvariants.cli.screen import complain
from rummyvariants.game._engine.game import check
from rummyvariants.game._views import View
from rummyvariants.game.actions import Action
from rummyvariants.rules._ruleset import Ruleset


NAMES: Final = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo")


def rules_with(name: str, options: Sequence[str]) -> Ruleset:
    """
    The rules of a game with options added; a note names those that change nothing.

    Raises:
        RulesError: If there is no such game or option, or they do not go together.
    """
    rules = named_rules(name)
    if options:
        rules = rules.with_options(*options)
        for notice in rules.notices:
            complain(f"Note: {notice}")
    return rules


def players_of(
    rules: Ruleset, players: int | None, names: str | None, least: int = 0
) -> list[str]:
    """
    The names of the players, from the command line.

    Args:
        rules: The game.
        players: The number of players, if given.
        names: Their names separated by commas, if given.
        least: The least number of seats, if neither is given.
    """
    if names is not None:
        found = [name.strip() for name in names.split(",")]
        if players is not None and players != len(found):
            msg = f"--players is {players}, but --names has {len(found)}"
            raise click.UsageError(msg)
        return found
    if players is None:
        low, high = rules.match.players
        players = max(min(max(low, 4), high), least)
    return [
        NAMES[seat] if seat < len(NAMES) else f"player {seat + 1}"
        for seat in range(players)
    ]


def bots_of(
    names: Sequence[str], seats: int, seconds: float | None = None
) -> tuple[Bot, ...]:
    """
    A bot for each of some seats.

    Args:
        names: Their names, in order; fewer than seats are repeated, and without any
            the careful bot plays.
        seats: The number of seats for bots.
        seconds: How long a bot may take for a choice; None for as long as it likes.

    Raises:
        BotError: If there is no such bot.
    """
    if len(names) > seats:
        number = figure(len(names), "bot")
        msg = f"{number} cannot fill {figure(seats, 'seat')}: name fewer with --bot"
        raise click.UsageError(msg)
    if set(names) - {*BOT_NAMES}:
        find_bots_here()
    found = [_seated(one) for one in names or ("careful",)]
    if seconds is not None:
        found = [TimedBot(one, seconds) for one in found]
    return tuple(found[seat % len(found)] for seat in range(seats))


def _seated(name: str) -> Bot:
    found = bot(name)
    ours = name.partition(":")[0] in BOT_NAMES
    return found if ours else _Guarded(found, name)


@attrs.frozen
class _Guarded:
    """
    A bot of the user's, whose errors are reported in one line.
    """

    bot: Bot
    name: str

    def choose(self, view: View, rng: random.Random) -> Action | str:
        """
        The bot's choice, checked to be legal.

        Raises:
            BotError: If it raises an error, or chooses an action that is refused.
        """
        try:
            action = self.bot.choose(view, rng)
            ruling = check(view.world, action, view.seat)
        except (Exception, SystemExit) as error:
            msg = f"the bot {self.name} failed: {raised(error)}"
            raise BotError(msg) from error
        if not ruling:
            asked = in_a_line(action)
            msg = f"the bot {self.name} chose {asked!r}: {ruling}"
            raise BotError(msg)
        return action
