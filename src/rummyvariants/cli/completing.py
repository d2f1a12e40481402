"""
Shell completion of games, options, bots and what `explain` accepts.
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
    The presets that start with what is typed, and files of house rules.
    """
    del context, parameter
    titles = {name: str(preset_values(name)[0]["title"]) for name in presets()}
    # The shell finds files itself; bash shows only these names with them.
    return [CompletionItem(incomplete, type="file"), *_items(titles, incomplete)]


def switches(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """
    The options of the catalogue that start with what is typed.
    """
    del context, parameter
    return _items({one: catalogue()[one].title for one in options()}, incomplete)


def bots(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """
    The bots of the library that start with what is typed.
    """
    del context, parameter
    return _items(dict.fromkeys(BOT_NAMES, ""), incomplete)


def names(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """
    The rule ids and the names of policy values that start with what is typed.
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
