"""
What a seat has seen, as text: equal texts for equal knowledge.
"""

from __future__ import annotations

import json

from collections.abc import Iterable, Iterator

from rummyvariants import State, View, view
from rummyvariants.envs._plays import Play
from rummyvariants.files._checks import PHASES
from rummyvariants.files._positions import write_position
from rummyvariants.files._table_text import (
    heading,
    pile_line,
    table_lines,
    zone_lines,
)


def observed(play: Play, seat: int | None) -> str:
    """
    What a seat, or a spectator, knows of the position.
    """
    return "\n".join([*_position(view(play.state, seat)), *_chosen(play, seat)])


def recalled(play: Play, seat: int | None) -> str:
    """
    All that a seat, or a spectator, has seen and done since the game began.

    Two games have the same text exactly if the seat cannot tell them apart.
    """
    lines: list[str] = []
    for state in (*play.ended, play.state):
        seen = view(state, seat)
        lines += [*_position(seen), *_story(seen)]
    own = [str(number) for actor, number in play.decisions() if actor == seat]
    if own:
        lines.append(f"chose: {' '.join(reversed(own))}")
    return "\n".join(lines)


def private(play: Play, seat: int) -> str:
    """
    What a seat alone knows of the position.
    """
    hand = f"hand: {_text(view(play.state, seat).hand)}"
    return "\n".join([hand, *_chosen(play, seat)])


def everything(play: Play) -> str:
    """
    The position with all that is hidden.
    """
    state = play.state
    if state.phase in PHASES:
        lines = [*_items(write_position(state))]
    else:
        lines = [*_outline(state, None, openly=True)]
        lines += [f"hand: {_text(hand)}" for hand in state.hands]
    if play.moment.waiting is not None:
        lines.append(f"chance decides: {play.moment.waiting}")
    lines += _chosen(play, play.seat)
    return "\n".join(lines)


def _chosen(play: Play, seat: int | None) -> Iterator[str]:
    """
    What a seat has chosen of its action so far.
    """
    selection = play.selection
    if selection is not None and selection.seat == seat and selection.indices:
        yield f"chosen: {', '.join(selection.labels)}"


def _position(seen: View) -> Iterator[str]:
    """
    A position as a seat sees it.
    """
    world, seat = seen.world, seen.seat
    if seat is not None:
        yield f"seat: {seen.players[seat]}"
    abandoned = (world.dealt.redeals, world.match.thrown_in)
    if any(abandoned):
        yield f"abandoned deals: {abandoned}"
    if seen.phase in PHASES:
        # Where hidden cards lie in a world says nothing.
        position = write_position(world)
        position["stock"] = [
            len(world._stock),
            *[card and str(card) for card in seen.known_stock],
        ]
        position["hands"] = {}
        apart = position.pop("zones", None)
        yield from _items(position)
        if apart:
            yield from zone_lines(world, seat)
    else:
        yield from _outline(world, seat)
    for name, known, size in zip(
        seen.players, seen.known, seen.hand_sizes, strict=True
    ):
        yield f"{name}: {size} cards, of which: {_text(known)}"


def _outline(state: State, seat: int | None, *, openly: bool = False) -> Iterator[str]:
    """
    What a seat sees on the table, and the score, where the notation has no position.
    """
    match, result = state.match, state.result
    yield heading(state)
    for frame in state.frames:
        who = f" of {state.players[frame.seat]}" if frame.waiting else ""
        yield f"phase: {frame.phase}{who} {' '.join(map(str, frame.notes))}".rstrip()
    yield from table_lines(state, seat, openly=openly)
    yield pile_line(state)
    yield f"scores: {' '.join(map(str, state.final_scores))}"
    if match.boxes:
        yield f"boxes: {' '.join(map(str, match.boxes))}"
    for column in match.columns:
        yield f"column: {column}"
    if state.is_round_over and result is not None:
        yield f"result: {result.rule} {' '.join(map(str, result.points))}"
        for item in result.items:
            yield f"- {item}"


def _story(seen: View) -> Iterator[str]:
    """
    A round as a seat saw it, step by step.
    """
    for sight in seen.history:
        action = sight.action
        line = "the deal"
        if action is not None:
            who = "" if action.seat is None else f"{seen.players[action.seat]}: "
            line = f"{who}{action}"
        for cards, there in sight.shown:
            line += f", {_text(cards)} to the {there}"
        yield f"> {line}"


def _items(table: dict[str, object]) -> Iterator[str]:
    for name, value in table.items():
        if value not in ({}, [], ""):
            text = value if isinstance(value, str) else json.dumps(value)
            yield f"{name}: {text}"


def _text(cards: Iterable[object]) -> str:
    return " ".join(map(str, cards)) or "none"
