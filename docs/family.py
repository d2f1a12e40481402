"""
The page on what the games share, with a picture.
"""

from __future__ import annotations

import html
import textwrap

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rummyvariants._support.words import figure, listed
from rummyvariants.rules._family import Relative, answers, tree
from rummyvariants.rules._ruleset import Ruleset


PAGE: Final = """\
# The family

This page shows what the games share and where they differ.
It is made from their policy values.
`rummyvariants family` prints the same at the terminal, also for some games only, and with house rules of your own: see {{ref}}`the command <family-command>`.

## The tree

Every game is joined to the one that it is nearest to, which is above or below it.
The first game is the one that is nearest to all others together.
The longer a line, the more policy values differ from those of the game above.
Below each name is what the game changes, the most unusual first.

{picture}

The distance of two games is the number of policy values in which they differ, out of {values}.
Every value counts as one, a target as much as a rule about melds, and also where it makes no difference in one of the two.
The tree joins all games with the smallest sum of distances.
It compares the rules as they are played here, and says nothing about which game is older.

## Question by question

Each answer is followed by the games that give it.
*All others* stands for more than half of the games.

| question | answer | games |
| :--- | :--- | :--- |
{answers}

## What each game changes

| game | what it changes |
| :--- | :--- |
{changes}
"""  # noqa: E501 -- one sentence a line


def page(games: Sequence[Ruleset]) -> str:
    """
    The page.

    Args:
        games: The games.
    """
    relatives = tree(games)
    return PAGE.format(
        picture=picture(relatives),
        values=len(games[0].values()),
        answers="\n".join(_answers([one.game for one in relatives])),
        changes="\n".join(_changes(relatives)),
    )


def _linked(game: Ruleset) -> str:
    return f"[{game.title}](rules/{game.name}.md)"


def _apart(one: Relative) -> str:
    return figure(one.distance, "value") if one.distance else "the same rules"


def _changes(relatives: Iterable[Relative]) -> Iterator[str]:
    for one in relatives:
        if one.beside is not None:
            text = "<br>".join(f"*{asked}:* {answer}" for asked, answer in one.changes)
            beside = f"beside {one.beside.title}: {_apart(one)}"
            yield f"| {_linked(one.game)},<br>{beside} | {text or 'nothing'} |"


def _answers(games: Sequence[Ruleset]) -> Iterator[str]:
    for question, by in answers(games).items():
        label = question
        # The answer that most games give comes last.
        for answer, of in sorted(
            by.items(), key=lambda pair: 2 * len(pair[1]) > len(games)
        ):
            names = "; ".join(map(_linked, of))
            if 2 * len(of) > len(games):
                names = "all others" if len(by) > 1 else "all"
            yield f"| {label} | {answer} | {names} |"
            label = ""


# ------------------------------------------------------------------------- the picture


WIDTH: Final = 720
LEFT: Final = 8
LONGEST: Final = 200
"""How far to the right the farthest game is from the root."""
SHORTEST: Final = 14
"""The least length of a line, or games with the same rules would cover each other."""
LETTER: Final = 7
"""The width of a letter of the small text in a wide font."""
LINE: Final = 16
LINES: Final = 4
"""The most lines of small text below a name."""


def picture(relatives: Sequence[Relative]) -> str:
    """
    The tree as a drawing in the page: text that can be selected, in the page's colours.
    """
    far: list[int] = []
    above: list[int] = []
    last: dict[int, int] = {}
    for at, one in enumerate(relatives):
        above.append(last.get(one.depth - 1, at))
        far.append(one.distance + (far[above[at]] if one.depth else 0))
        last[one.depth] = at
    scale = LONGEST / max(*far, 1)
    across: list[float] = []
    down: list[int] = []
    bottom = LINE + 4
    parts = []
    for at, one in enumerate(relatives):
        length = max(SHORTEST, scale * one.distance) if one.depth else 0
        across.append((across[above[at]] if one.depth else LEFT) + length)
        down.append(bottom)
        lines = small_text(one, int((WIDTH - across[at] - 12) / LETTER))
        bottom += LINE * (len(lines) + 1) + 12
        parts += _node(one, across[at], down[at], lines)
    joins = [
        f'<path d="M{across[above[at]]:.0f} {down[above[at]] + 1}'
        f'V{down[at] - 5}H{across[at]:.0f}"/>'
        for at, one in enumerate(relatives)
        if one.depth
    ]
    said = listed(
        f"{one.game.title} beside {one.beside.title}"
        for one in relatives
        if one.beside is not None
    )
    return "\n".join(
        [
            "```{raw} html",
            '<div class="family" tabindex="0">',
            f'<svg viewBox="0 0 {WIDTH} {bottom}" width="{WIDTH}" role="group"',
            f'  aria-label="A tree of {len(relatives)} games: {html.escape(said)}.">',
            *joins,
            *parts,
            "</svg>",
            "</div>",
            "```",
        ]
    )


def _node(one: Relative, x: float, y: int, lines: Sequence[str]) -> Iterator[str]:
    title = html.escape(one.game.title)
    apart = f" <tspan>{_apart(one)}</tspan>" if one.depth else ""
    yield f'<circle cx="{x:.0f}" cy="{y - 5}" r="4"/>'
    yield (
        f'<text x="{x + 10:.0f}" y="{y}">'
        f'<a href="rules/{one.game.name}.html">{title}</a>{apart}</text>'
    )
    for number, line in enumerate(lines, 1):
        yield (
            f'<text class="small" x="{x + 10:.0f}" y="{y + LINE * number}">'
            f"{html.escape(line)}</text>"
        )


def small_text(one: Relative, width: int) -> list[str]:
    """
    As many changes as fit below the name of a game, and how many more there are.

    Args:
        one: The game.
        width: The most letters of a line.
    """
    changes = [f"{question}: {answer}." for question, answer in one.changes]
    for shown in range(len(changes), 0, -1):
        left = len(changes) - shown
        more = [f"And {left} more."] if left else []
        text = " ".join([*changes[:shown], *more])
        lines = textwrap.wrap(text, width, break_on_hyphens=False)
        if len(lines) <= LINES:
            return lines
    return [f"{len(changes)} answers differ."] if changes else []
