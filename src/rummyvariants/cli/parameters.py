"""
Arguments and options that several commands take.
"""

from __future__ import annotations

import functools

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from rummyvariants.cli import completing
from rummyvariants.cli.screen import Screen


_Command = TypeVar("_Command", bound=Callable[..., Any])


GAME: Final = click.argument(
    "rules_name", metavar="PRESET", shell_complete=completing.games
)
PLAYERS: Final = click.option(
    "--players",
    type=click.IntRange(0, 99),
    metavar="N",
    help="How many play; 4 if the game allows it.",
)
NAMES: Final = click.option(
    "--names", metavar="A,B,C", help="The players' names, in order of seats."
)
SEED: Final = click.option(
    "--seed",
    metavar="SEED",
    help="What the shuffles come from: the same seed, the same deals.",
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
    help="Who plays, in order of seats: careful, greedy, random, search, with "
    "parameters as in search:playouts=40, or one of your own as in my_module:MyBot. "
    "Give it several times; fewer bots than seats are repeated. careful by default.",
)


def with_options(
    text: str = "Put this option on the game, as in PGV-E5=2500.",
) -> Callable[[_Command], _Command]:
    """
    The option ``--with``, which a command gets as its ``options``.

    Args:
        text: What the help says of it.
    """
    return click.option(
        "--with",
        "options",
        multiple=True,
        metavar="ID",
        shell_complete=completing.switches,
        help=f"{text} May be given several times.",
    )


def plain(command: Callable[..., None]) -> Callable[..., None]:
    """
    The option ``--plain``, which a command gets as its ``screen``.
    """

    @click.option(
        "--plain",
        is_flag=True,
        help="Write without colour and boxes, as for a pipe.",
    )
    @functools.wraps(command)
    def with_screen(*, plain: bool, **rest: object) -> None:
        command(screen=Screen(plain=plain), **rest)

    return with_screen


def file_argument(
    name: str, **more: Any
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """
    A file that is read, or several.
    """
    # Whether it can be read is found out by reading it, one file after another.
    kind = click.Path(path_type=Path, readable=False)
    return click.argument(name, type=kind, **more)
