"""The command that shows what games share and where they differ."""

from __future__ import annotations

import json

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from rummyvariants._support.words import figure
from rummyvariants.cli import completing
from rummyvariants.cli.files import named_rules, write_whole
from rummyvariants.cli.parameters import RULES_MODULES, plain
from rummyvariants.cli.screen import Screen
from rummyvariants.rules._family import Relative, answers, nearest, tree
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.rules._variants import presets


@click.command()
@click.argument(
    "names", metavar="[PRESET]...", nargs=-1, shell_complete=completing.games
)
@RULES_MODULES
@click.option(
    "--json",
    "data",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the same to a file.",
)
@plain
def family(screen: Screen, names: tuple[str, ...], data: Path | None) -> None:
    """
    Show what the games share and where they differ.

    All games, or those named, stand in a tree, each joined to the one that it is
    nearest to, with what it changes. Then the rules are listed question by question,
    each answer with the games that give it. For a single PRESET, all other games are
    listed, the nearest first. PRESET is the name of a game or a file of house rules.
    """
    named = {name: named_rules(name) for name in names or presets()}
    games = [*named.values()]
    if len(games) == 1:
        relatives = nearest(
            games[0], [preset(name) for name in presets() if name not in named]
        )
        head = f"The games beside {games[0].name}, the nearest first."
        above = games[0].name
        by_question = {}
    else:
        relatives = tree(games)
        head = "Every game is joined to the one that it is nearest to, above or below."
        above = "the one above it"
        by_question = answers([one.game for one in relatives])
    screen.line(
        f"{head} The number says in how many of the {len(games[0].values())} policy "
        f"values a game differs from {above}. What it changes follows, the most "
        "unusual first."
    )
    screen.line()
    for one in relatives:
        indent = "  " * one.depth
        screen.line(f"{indent}{_changes(one)}", len(indent) + 4)
    _questions(screen, by_question, len(games))
    if data is not None:
        write_whole(data, json.dumps(_data(relatives, by_question), indent=2) + "\n")


def _changes(one: Relative) -> str:
    """
    A game with what it changes, as a line.
    """
    if one.beside is None:
        return one.game.name
    differ = figure(one.distance, "value") if one.distance else "the same rules"
    changes = [f"{question}: {answer}." for question, answer in one.changes]
    return " ".join([f"{one.game.name}, {differ}.", *changes])


def _questions(
    screen: Screen, found: dict[str, dict[str, list[Ruleset]]], games: int
) -> None:
    """
    Write the answers by question, those that all games share at the end.
    """
    shared = {question: by for question, by in found.items() if len(by) == 1}
    for question, by in found.items():
        if question not in shared:
            screen.heading(question)
            for answer, of in by.items():
                screen.line(f"  {answer}: {', '.join(_names(of))}", 4)
    if shared:
        screen.heading("The same in both" if games == 2 else "The same in all")
        for question, by in shared.items():
            screen.line(f"  {question}: {', '.join(by)}", 4)


def _names(games: Iterable[Ruleset]) -> list[str]:
    return [one.name for one in games]


def _data(
    relatives: Iterable[Relative], found: dict[str, dict[str, list[Ruleset]]]
) -> dict[str, Any]:
    """
    What is shown, as JSON can hold it.
    """
    return {
        "games": [
            {
                "name": one.game.name,
                "beside": one.beside and one.beside.name,
                "values": one.distance,
                "changes": dict(one.changes),
            }
            for one in relatives
        ],
        "questions": {
            question: {answer: _names(games) for answer, games in by.items()}
            for question, by in found.items()
        },
    }
