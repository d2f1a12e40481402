"""
Scores as lines and tables of text: of a round, of the rounds so far, of a match.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from rummyvariants._support.tables import Block, Grid, Heading, as_text
from rummyvariants._support.words import listed
from rummyvariants.files._table_text import cards_text
from rummyvariants.game._round import Column, RoundResult, ScoreItem
from rummyvariants.game._sheets import ScoreSheet
from rummyvariants.game._state import State


Row = tuple[str, tuple[int, ...]]
"""What totals changed by, by seat: the points of a round after its number."""


def result_text(result: RoundResult) -> str:
    """
    The score sheet of a round.
    """
    return as_text(result_blocks(result, result.names))


def result_blocks(
    result: RoundResult, names: Sequence[str], seats: Collection[int] | None = None
) -> Iterator[Block]:
    """
    The score sheet of a round: for each player the cards that count alike, the sum.

    Args:
        result: The score.
        names: The players.
        seats: Whose score to show; None for everybody's.
    """
    rows = [("player", "cards", "each", "points", "for", "rule")]
    for seat, name in enumerate(names):
        if seats is not None and seat not in seats:
            continue
        groups: dict[tuple[str, str, int], list[ScoreItem]] = {}
        for item in result.items:
            if item.seat == seat:
                key = (item.reason, item.rule, item.points)
                groups.setdefault(key, []).append(item)
        label = name
        for (reason, rule_id, each), items in groups.items():
            cards = cards_text(item.card for item in items if item.card is not None)
            points = f"{each * len(items):+d}"
            rows.append((label, cards, str(each), points, reason, rule_id))
            label = ""
        rows.append((label, "", "", f"{result.points[seat]:+d}", "in all", ""))
    yield Grid(rows, right=(2, 3))
    for item in result.payments:
        yield f"paid: {names[item.seat]} {item.words}"


def points_grid(
    players: Sequence[str], rounds: Iterable[Row], totals: Sequence[int]
) -> Grid:
    """
    The points by round, with the totals below them.
    """
    rows = [(name, *map(str, points)) for name, points in rounds]
    every = [("round", *players), *rows, ("total", *map(str, totals))]
    return Grid(every, last_apart=True)


def column_blocks(players: Sequence[str], columns: Iterable[Column]) -> Iterator[Block]:
    """
    The columns of the score, if it is kept in several.
    """
    rows = [
        (
            str(number),
            *map(str, column.scores),
            listed([players[seat] for seat in column.winners]) or "open",
            *map(str, column.final_scores),
        )
        for number, column in enumerate(columns, 1)
    ]
    if rows:
        final = [f"{name}, with bonuses" for name in players]
        head = ("column", *players, "won by", *final)
        yield Grid([head, *rows], right=range(1, len(players) + 1))


def match_blocks(game: State | ScoreSheet) -> Iterator[Block]:
    """
    The bonuses of the match, if any: each side's points, the bonuses and the sum.

    Where the score is kept in columns, those of each column.
    """
    columns = [
        (f"Score sheet of column {number}", column.scores, column.bonuses)
        for number, column in enumerate(game.columns, 1)
    ]
    whole = ("Score sheet of the match", game.scores, game.bonuses)
    for title, scores, bonuses in columns or [whole]:
        if not bonuses:
            continue
        rows = [("player", "points", "for", "rule")]
        for name, side in zip(side_names(game), game.sides, strict=True):
            total = sum(scores[seat] for seat in side)
            rows.append((name, str(total), "the rounds", ""))
            items = [item for item in bonuses if item.seat in side]
            for item in items:
                rows.append(("", f"{item.points:+d}", item.reason, item.rule))
            in_all = total + sum(item.points for item in items)
            rows.append(("", str(in_all), "in all", ""))
        yield Heading(title)
        yield Grid(rows, right=(1,))


def side_names(game: State | ScoreSheet) -> list[str]:
    """
    The names of the players, or of the partners of each side together.
    """
    return [listed([game.players[seat] for seat in side]) for side in game.sides]


def sheet_text(sheet: ScoreSheet) -> str:
    """
    The score sheet of a match: each round, the points by round, what the end adds.
    """
    return as_text(_sheet_blocks(sheet))


def _sheet_blocks(sheet: ScoreSheet) -> Iterator[Block]:
    for one in sheet.rounds:
        yield Heading(f"Score sheet of round {one.number}")
        yield from result_blocks(one.result, sheet.players)
    yield Heading("Points by round")
    rows = [(str(one.number), one.result.points) for one in sheet.rounds]
    yield points_grid(sheet.players, rows, sheet.scores)
    if sheet.columns:
        yield ""
        yield from column_blocks(sheet.players, sheet.columns)
    yield from match_blocks(sheet)
    if sheet.winners or any(sheet.payments):
        yield ""
    if sheet.winners:
        names = zip(side_names(sheet), sheet.sides, strict=True)
        won = [name for name, side in names if side[0] in sheet.winners]
        one_alone = len(won) == 1 and len(sheet.sides) == len(sheet.players)
        yield f"{listed(won)} win{'s' * one_alone} the match."
    if any(sheet.payments):
        paid = zip(side_names(sheet), sheet.payments, strict=True)
        yield f"Paid: {listed([f'{name} {points:+d}' for name, points in paid])}."
