"""Rulings, rules, tables and scores as text."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

import rummyvariants as rv

from rummyvariants._support.words import figure, listed
from rummyvariants.cards import CARDS, RANKS, faces
from rummyvariants.cli.screen import Screen
from rummyvariants.events import Rejoined, RoundEnded
from rummyvariants.files._score_text import (
    Row,
    column_blocks,
    points_grid,
    result_blocks,
    side_names,
)
from rummyvariants.files._table_text import cards_text
from rummyvariants.rules.sheet import rule_sheet
from rummyvariants.rules.sheet.forms import WIDTH


COUNTED: Final = 2000
"""How many legal actions are counted exactly; beyond that, "at least" is enough."""


# ------------------------------------------------------------------------------- rules


def ruling_lines(ruling: rv.Ruling) -> Iterator[str]:
    """
    A ruling: legal or refused, why, and the rules behind it with their titles.
    """
    yield f"{'legal' if ruling else 'refused'}: {ruling.reason}"
    for rule_id in ruling.cites:
        yield f"  {titled(rule_id)}"


def titled(rule_id: str) -> str:
    """
    The id of a rule with its title.
    """
    entry = rv.rules.catalogue().get(rule_id)
    return f"{rule_id}, {entry.title}" if entry else rule_id


def sheet(screen: Screen, rules: rv.Ruleset) -> str:
    """
    The rule sheet of a game, as wide as fits the screen.
    """
    return rule_sheet(rules, "text", width=min(screen.width or WIDTH, WIDTH))


# ---------------------------------------------------------------------------- the hand


def hand_lines(state: rv.State, seat: int) -> Iterator[str]:
    """
    A hand by suit and by rank, with its wilds and its points.
    """
    hand = state.hands[seat]
    if not len(hand):
        yield "no cards"
        return
    yield f"by suit: {hand}"
    by_rank = sorted(hand, key=lambda one: ((RANKS + "*").index(one.rank), one.suit))
    yield f"by rank: {cards_text(by_rank)}"
    terms = state.dealt.terms
    wilds = [CARDS[code] for code in faces(hand.bits & terms.wild_mask)]
    if wilds:
        yield f"wild: {cards_text(wilds)}"
    points = sum(terms.worth[card.code] for card in hand)
    yield f"{figure(len(hand), 'card')}, {figure(points, 'point')}"


def told_hands(state: rv.State) -> list[int]:
    """
    The seats whose hands are known: no part of them was made up.
    """
    made_up = {getattr(one, "key", "") for one in state.assumed}
    names = enumerate(state.players)
    return [seat for seat, name in names if f"hands.{name}" not in made_up]


# --------------------------------------------------------------------------- the score


def score_sheet(
    screen: Screen,
    result: rv.game.RoundResult,
    names: Sequence[str],
    seats: Collection[int] | None = None,
) -> None:
    """
    Write an itemised score: for each player the cards that count alike, then the sum.

    Args:
        screen: Where to write.
        result: The score.
        names: The players.
        seats: Whose score to write; None for everybody's.
    """
    screen.blocks(result_blocks(result, names, seats))


def rows_of(step: rv.Step) -> Iterator[Row]:
    """
    What changed the totals in a step: a round, or a player who came back.
    """
    for event in step.events:
        if isinstance(event, RoundEnded):
            yield str(step.after.round_number), event.points
        elif isinstance(event, Rejoined):
            points = [0] * len(step.before.players)
            points[event.seat] = event.total - step.before.scores[event.seat]
            yield "back", tuple(points)


def standing(
    screen: Screen,
    state: rv.State,
    rounds: Sequence[Row] | None,
    ended: tuple[int, rv.game.RoundResult] | None = None,
) -> None:
    """
    Write the points by round, and the columns of the score if there are any.

    Args:
        screen: Where to write.
        state: The game.
        rounds: The rows, as `rows_of` makes them; None to leave the points out.
        ended: The number and the result of a round, to be written out first.
    """
    if ended is not None:
        number, result = ended
        screen.heading(f"Score sheet of round {number}")
        score_sheet(screen, result, state.players)
    if rounds is not None:
        screen.heading("Points by round")
        screen.blocks([points_grid(state.players, rounds, state.scores)])
    if state.columns:
        screen.line()
    screen.blocks(column_blocks(state.players, state.columns))


def winners_line(state: rv.State) -> str:
    """
    The winners, or the leaders.
    """
    names = side_names(state)
    standings = [
        f"{name} {points}"
        for name, points in zip(names, state.side_scores, strict=True)
    ]
    won = [
        name
        for name, side in zip(names, state.sides, strict=True)
        if side[0] in state.winners
    ]
    if len(names) < len(state.players):
        every = "; ".join(standings)
        if not won:
            return f"The match is not over: {every}."
        return f"{' / '.join(won)} win the match: {every}.{_paid(state, names)}"
    best = state.winners or state.rules.match.best(state.standing)
    several = "" if len(best) > 1 else "s"
    leaders = listed([state.players[seat] for seat in best])
    points = figure(state.standing[best[0]], "point")
    if not won:
        return f"The match is not over: {leaders} lead{several} with {points}."
    line = f"{leaders} win{several} the match with {points}."
    if state.match.bonuses:
        line += f" With the bonuses of the match: {listed(standings)}."
    return f"{line}{_paid(state, names)}"


def _paid(state: rv.State, names: Sequence[str]) -> str:
    """
    The payments, those after rounds included; empty where there are none.
    """
    if not any(state.payments):
        return ""
    paid = zip(names, state.payments, strict=True)
    amounts = listed([f"{name} {points:+d}" for name, points in paid])
    rules = dict.fromkeys([state.rules.rule_of("match.settlement")])
    if state.result is not None:
        rules |= dict.fromkeys([one.rule for one in state.result.payments])
    return f" Paid: {amounts} [{', '.join(rules)}]."
