"""
The score sheet of a match: the rounds with every point, and the totals.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants._support.values import Value
from rummyvariants._support.words import figure
from rummyvariants.game._round import Column, RoundResult, ScoreItem
from rummyvariants.game._state import State
from rummyvariants.game._views import View


@attrs.frozen(eq=False, repr=False)
class SheetRound(Value):
    """
    A finished round on a score sheet.

    Attributes:
        number: Its number, from 1.
        result: Its result.

    >>> import random
    >>> end = rv.playout(rv.new_game("rummy-500", 2), random.Random(1))
    >>> [(one.number, one.result.how) for one in rv.game.score_sheet(end).rounds]
    [(1, 'out')]
    """

    number: int
    result: RoundResult


@attrs.frozen(eq=False, repr=False)
class ScoreSheet(Value):
    """
    The scores of a match so far, as every player may see them, also when printed.

    Attributes:
        players: The players' names, by seat.
        sides: The seats of each side; without partners, every seat is a side.
        rounds: Finished rounds, in order.
        scores: By seat, the totals of the finished rounds.
        boxes: By seat, the rounds won; empty where they do not count.
        bonuses: What the end of the match has added.
        columns: The columns of the score, if it is kept in several.
        final_scores: By seat, the totals with all bonuses.
        side_scores: The same by side.
        winners: The seats that have won; empty while the match goes on.
        payments: What each side has received, after rounds and after the match.

    >>> import random
    >>> end = rv.playout(rv.new_game("rummy-500", ["Ann", "Ben"]), random.Random(1))
    >>> sheet = rv.game.score_sheet(end)
    >>> sheet.players, sheet.final_scores, len(sheet.rounds)
    (('Ann', 'Ben'), (139, 123), 1)
    """

    players: tuple[str, ...]
    sides: tuple[tuple[int, ...], ...]
    rounds: tuple[SheetRound, ...]
    scores: tuple[int, ...]
    boxes: tuple[int, ...]
    bonuses: tuple[ScoreItem, ...]
    columns: tuple[Column, ...]
    final_scores: tuple[int, ...]
    side_scores: tuple[int, ...]
    winners: tuple[int, ...]
    payments: tuple[int, ...]

    def __str__(self) -> str:
        drawn = import_module("rummyvariants.files._score_text")
        return str(drawn.sheet_text(self))


@explained
def score_sheet(
    state: State | View, results: Iterable[RoundResult] | None = None
) -> ScoreSheet:
    """
    The score sheet of a match.

    Args:
        state: The game, or what a seat knows of it; the sheet is the same.
        results: The results of all rounds that are over, in order. A state holds that
            of the last round only, until the next one is dealt; by default the sheet
            has that one.

    Raises:
        ValueError: If so many rounds are not over.

    >>> hands = {"Ann": "9h", "Ben": "Kd"}
    >>> state = rv.position("rummy-500", hands=hands, phase="play", fill=True)
    >>> rv.game.score_sheet(rv.apply(state, "discard 9h")).scores
    (0, -10)
    """
    game = state.world if isinstance(state, View) else state
    over = game.match.round_number - 1
    rounds: tuple[SheetRound, ...] = ()
    if results is None:
        if game.result is not None:
            rounds = (SheetRound(over, game.result),)
    else:
        rounds = tuple(SheetRound(at, one) for at, one in enumerate(results, 1))
        if len(rounds) != over:
            are = f"{figure(over, 'round')} {'is' if over == 1 else 'are'}"
            msg = f"{are} over: give the results of all of them, not {len(rounds)}"
            raise ValueError(msg)
    return ScoreSheet(
        players=game.players,
        sides=game.sides,
        rounds=rounds,
        scores=game.scores,
        boxes=game.boxes,
        bonuses=game.bonuses,
        columns=game.columns,
        final_scores=game.final_scores,
        side_scores=game.side_scores,
        winners=game.winners,
        payments=game.payments,
    )
