"""Rulings, rules, tables and scores as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import rummyvariants as rv

from rummyvariants._support.words import figure, listed
from rummyvariants.cards import CARDS, RANKS, faces
from rummyvariants.cli.screen import Screen
from rummyvariants.events import Rejoined, RoundEnded
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


def game_title(rules: rv.Ruleset) -> str:
    """
    The title of a game, with its options.
    """
    if not rules.options:
        return rules.title
    return f"{rules.title} with {listed(rules.options)}"


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


# --------------------------------------------------------------------------- the score


def score_sheet(
    screen: Screen, result: rv.game.RoundResult, names: Sequence[str]
) -> None:
    """
    Write an itemised score: for each player the cards that count alike, then the sum.
    """
    rows = []
    for seat, name in enumerate(names):
        groups: dict[tuple[str, str, int], list[rv.game.ScoreItem]] = {}
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
    head = ("player", "cards", "each", "points", "for", "rule")
    screen.table(head, rows, right=(2, 3))
    for item in result.payments:
        screen.line(f"paid: {names[item.seat]} {item.words}")


Row = tuple[str, tuple[int, ...]]
"""What totals changed by, by seat: the points of a round after its number."""


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


def totals(screen: Screen, state: rv.State, rounds: Sequence[Row]) -> None:
    """
    Write the points of some rounds, as `rows_of` makes their rows, and the totals.
    """
    rows = [[name, *map(str, points)] for name, points in rounds]
    rows.append(["total", *map(str, state.scores)])
    right = range(1, len(state.players) + 1)
    screen.table(("round", *state.players), rows, right=right, last_apart=True)


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
        totals(screen, state, rounds)
    if state.columns:
        screen.line()
    columns(screen, state)


def match_sheet(screen: Screen, state: rv.State) -> None:
    """
    Write the bonuses of the match, if any: each side's points, the bonuses and the sum.

    Where the score is kept in columns, write those of each column.
    """
    columns = [
        (f"Score sheet of column {number}", column.scores, column.bonuses)
        for number, column in enumerate(state.columns, 1)
    ]
    whole = ("Score sheet of the match", state.scores, state.bonuses)
    for title, scores, bonuses in columns or [whole]:
        if not bonuses:
            continue
        rows = []
        sides = zip(side_names(state), state.sides, state.by_side(scores), strict=True)
        for name, side, total in sides:
            rows.append((name, str(total), "the rounds", ""))
            items = [item for item in bonuses if item.seat in side]
            for item in items:
                rows.append(("", f"{item.points:+d}", item.reason, item.rule))
            in_all = total + sum(item.points for item in items)
            rows.append(("", str(in_all), "in all", ""))
        screen.heading(title)
        screen.table(("player", "points", "for", "rule"), rows, right=(1,))


def side_names(state: rv.State) -> list[str]:
    """
    The names of the players, or of the partners of each side together.
    """
    return [listed([state.players[seat] for seat in side]) for side in state.sides]


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


def columns(screen: Screen, state: rv.State) -> None:
    """
    Write the columns of the score, where it is kept in several.
    """
    rows = [
        [
            str(number),
            *map(str, column.scores),
            listed([state.players[seat] for seat in column.winners]) or "open",
            *map(str, column.final_scores),
        ]
        for number, column in enumerate(state.columns, 1)
    ]
    if rows:
        final = [f"{name}, with bonuses" for name in state.players]
        head = ("column", *state.players, "won by", *final)
        screen.table(head, rows, right=[*range(1, len(state.players) + 1)])
