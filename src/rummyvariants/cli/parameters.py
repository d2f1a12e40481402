"""
Arguments and options that several commands share.
"""

from __future__ import annotations

import functools
import inspect

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import click

from click.shell_completion import CompletionItem

import rummyvariants as rv

from rummyvariants.bots.names import BOT_NAMES
from rummyvariants.cli.explaining import value_names
from rummyvariants.cli.files import import_rules
from rummyvariants.cli.screen import Screen
from rummyvariants.rules._variants import preset_values


_Decorator = Callable[[Any], Any]


def _import_rules(
    context: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> None:
    del parameter
    if not context.resilient_parsing:  # the shell only asks what may come next
        for one in given:
            import_rules(one)


def completing(
    known: Callable[[], Mapping[str, str]], *first: str
) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """
    The completion of names that start with what is typed, in any case.

    Args:
        known: Gives the names, each with a text about it.
        first: What the shell is to complete by itself besides, such as "file".
    """

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        del context, parameter
        start = incomplete.casefold()
        return [
            *(CompletionItem(incomplete, type=kind) for kind in first),
            *(
                CompletionItem(name, help=text or None)
                for name, text in known().items()
                if name.casefold().startswith(start)
            ),
        ]

    return complete


def number(
    name: str, text: str, least: int, most: int | None = None, **more: Any
) -> _Decorator:
    """
    An option for a whole number.
    """
    kind = click.IntRange(least, most)
    return click.option(name, help=text, type=kind, **{"metavar": "N", **more})


def flag(name: str, text: str, *names: str) -> _Decorator:
    """
    An option that is there or not.
    """
    return click.option(name, *names, is_flag=True, help=text)


def bot_option(name: str, text: str, *names: str, **more: Any) -> _Decorator:
    """
    An option for the name of a bot.
    """
    found = completing(lambda: dict.fromkeys(BOT_NAMES, ""))
    return click.option(
        name, *names, help=text, metavar="BOT", shell_complete=found, **more
    )


def _titles() -> Mapping[str, str]:
    return {name: str(preset_values(name)[0]["title"]) for name in rv.presets()}


def _names() -> Mapping[str, str]:
    titles = {one.id: one.title for one in rv.rules.catalogue().values()}
    return {**titles, **dict.fromkeys(value_names(), "")}


# bash shows only these names with the files that it finds.
GAMES: Final = completing(_titles, "file")
GAME: Final = click.argument("rules_name", metavar="PRESET", shell_complete=GAMES)
MAYBE_GAME: Final = click.argument(
    "rules_name", metavar="[PRESET]", required=False, shell_complete=GAMES
)
WORDS: Final = click.argument(
    "words",
    metavar="WORD...",
    nargs=-1,
    required=True,
    shell_complete=completing(_names),
)
OF_GAME: Final = click.option(
    "--game",
    "rules_name",
    metavar="PRESET",
    shell_complete=GAMES,
    help="Ask about this game, or this file of house rules.",
)
FILE: Final = click.Path(path_type=Path, dir_okay=False)
FOLDER: Final = click.Path(path_type=Path, file_okay=False)
# Reading the files, one after another, shows whether they can be read.
READ: Final = click.Path(path_type=Path, readable=False)
JSON: Final = click.option(
    "--json", "data", type=FILE, help="Write the figures to a file."
)
BOTS: Final = bot_option(
    "--bot",
    f"The bot, by default careful: {', '.join(BOT_NAMES)}, with parameters as "
    "in search:playouts=40, or your own as in my_module:MyBot. Repeat it for the next "
    "seats; fewer bots than seats are repeated.",
    "bot_names",
    multiple=True,
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


def with_options(
    text: str = "Add this option to the game, such as PGV-E5=2500.",
) -> _Decorator:
    """
    The option ``--with``, which a command gets as its ``options``.
    """
    return click.option(
        "--with",
        "options",
        multiple=True,
        metavar="ID",
        shell_complete=completing(
            lambda: {one: rv.rule(one).title for one in rv.options()}
        ),
        help=f"{text} It may be given several times.",
    )


OPTIONS: Final = with_options()


def gathered(
    name: str, made: Callable[..., object], *options: _Decorator
) -> _Decorator:
    """
    Options of which a command gets one value.

    Args:
        name: The name by which the command gets it.
        made: What makes it of the values of the options, which are its parameters.
        options: The options, in order.
    """
    names = inspect.signature(made).parameters

    def decorate(command: Callable[..., object]) -> Callable[..., object]:
        @functools.wraps(command)
        def with_one(**given: object) -> object:
            own = {one: given.pop(one) for one in names}
            return command(**given, **{name: made(**own)})

        for option in reversed(options):
            with_one = option(with_one)
        return with_one

    return decorate


def _screen(*, plain: bool) -> Screen:
    return Screen(plain=plain)


PLAIN: Final = gathered(
    "screen",
    _screen,
    flag("--plain", "Write without colour and boxes, as to a pipe."),
)
