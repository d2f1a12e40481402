"""
What a shell completes: games, options, bots, and what can be explained.
"""

from __future__ import annotations

from collections.abc import Mapping

import click

from click.shell_completion import CompletionItem

from rummyvariants.bots.names import BOT_NAMES
from rummyvariants.cli.explaining import value_names
from rummyvariants.rules._variants import options, preset_values, presets
from rummyvariants.rulings import catalogue


def games(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """
    The presets that begin so, and files of house rules.
    """
    del context, parameter
    titles = {name: str(preset_values(name)[0]["title"]) for name in presets()}
    # The shell looks for files itself; in bash only what follows is beside them.
    return [CompletionItem(incomplete, type="file"), *_items(titles, incomplete)]


def switches(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """
    The options of the catalogue that begin so.
    """
    del context, parameter
    return _items({one: catalogue()[one].title for one in options()}, incomplete)


def bots(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """
    The bots of the library that begin so.
    """
    del context, parameter
    return _items(dict.fromkeys(BOT_NAMES, ""), incomplete)


def names(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """
    The rule ids and the names of policy values that begin so.
    """
    del context, parameter
    known = {one.id: one.title for one in catalogue().values()}
    return _items({**known, **dict.fromkeys(value_names(), "")}, incomplete)


def _items(known: Mapping[str, str], incomplete: str) -> list[CompletionItem]:
    start = incomplete.casefold()
    return [
        CompletionItem(name, help=text or None)
        for name, text in known.items()
        if name.casefold().startswith(start)
    ]
