"""
Arguments and options that several commands share.
"""

from __future__ import annotations

import functools

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from rummyvariants.cli import completing
from rummyvariants.cli.files import import_rules
from rummyvariants.cli.screen import Screen


_Command = TypeVar("_Command", bound=Callable[..., Any])


def _import_rules(
    context: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> None:
    del parameter
    if not context.resilient_parsing:  # the shell only asks what may come next
        for one in given:
            import_rules(one)


GAME: Final = click.argument(
    "rules_name", metavar="PRESET", shell_complete=completing.games
)
PLAYERS: Final = click.option(
    "--players",
    type=click.IntRange(0, 99),
    metavar="N",
    help="The number of players; by default 4, if the game allows it.",
)
NAMES: Final = click.option(
    "--names", metavar="A,B,C", help="The players' names, in order of seats."
)
SEED: Final = click.option(
    "--seed",
    metavar="SEED",
    help="The seed of the shuffles: the same seed gives the same deals.",
)
RECORD: Final = click.option(
    "--record",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep a record of the game in this file.",
)
BOTS: Final = click.option(
    "--bot",
    "bot_names",
    multiple=True,
    metavar="BOT",
    shell_complete=completing.bots,
    help="The bot, by default careful: careful, greedy, random, search, with "
    "parameters as in search:playouts=40, or your own as in my_module:MyBot. "
    "Repeat it for the next seats; fewer bots than seats are repeated.",
)
TIME_LIMIT: Final = click.option(
    "--time-limit",
    "seconds",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="Stop a bot that takes longer than this for a choice.",
)
RULES_MODULES: Final = click.option(
    "--rules-module",
    multiple=True,
    metavar="MODULE",
    expose_value=False,
    callback=_import_rules,
    help="Import your own rules first: a Python module by its name or file, or those "
    "that a file of house rules names. It may be given several times.",
)
PROCESSES: Final = click.option(
    "--processes",
    "number",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="The number of processes that play.",
)


def with_options(
    text: str = "Add this option to the game, such as PGV-E5=2500.",
) -> Callable[[_Command], _Command]:
    """
    The option ``--with``, which a command gets as its ``options``.

    Args:
        text: Its help text.
    """
    return click.option(
        "--with",
        "options",
        multiple=True,
        metavar="ID",
        shell_complete=completing.switches,
        help=f"{text} It may be given several times.",
    )


def plain(command: Callable[..., None]) -> Callable[..., None]:
    """
    The option ``--plain``, which a command gets as its ``screen``.
    """

    @click.option(
        "--plain",
        is_flag=True,
        help="Write without colour and boxes, as to a pipe.",
    )
    @functools.wraps(command)
    def with_screen(*, plain: bool, **rest: object) -> None:
        command(screen=Screen(plain=plain), **rest)

    return with_screen


def file_argument(
    name: str, **more: Any
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """
    An argument for a file to read, or several.
    """
    # Reading the files, one after another, shows whether they can be read.
    kind = click.Path(path_type=Path, readable=False)
    return click.argument(name, type=kind, **more)
