"""
A position put together on the page, an action, and the ruling on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import desk
import rummyvariants as rv

from rummyvariants._support import toml
from rummyvariants.bots import CarefulBot, play_on
from rummyvariants.errors import PositionError, RecordError
from rummyvariants.files._facts import rules_table
from rummyvariants.files._positions import read_position, write_position
from rummyvariants.files.json import to_data
from rummyvariants.rulings import catalogue


Answer = dict[str, Any]

SHOWN: Final = 60
"""How many legal actions are sent."""
FIELDS: Final = (
    *("seats", "dealer", "turn", "phase", "wild", "drawn", "discards", "stock"),
    *("table", "hands", "scores", "round"),
)
"""The keys of a position that have a field of their own on the page."""
_NAMES: Final = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo")
_BEFORE: Final = 4
"""How many actions of each player are behind the example."""
_SPARE: Final[Mapping[str, object]] = {
    "idle_turns": 0,
    "laid": False,
    "owed": "",
}
"""Values that say nothing, so that they need not be shown."""


# ------------------------------------------------------------------------------ reading


def ask(
    table: desk.Table,
    position: Mapping[str, Any],
    more: str = "",
    action: str = "",
    seat: str = "",
    *,
    fill: bool = True,
) -> Answer:
    """
    What may be done in a position, and the ruling on one action.

    Args:
        table: The rules.
        position: The keys of `FIELDS`, as in a position.
        more: Further keys, as lines of TOML.
        action: The action in the notation; empty to ask for none.
        seat: The name of the player who asks; by default whoever may act.
        fill: Whether all other cards are in the stock.

    Returns:
        The ``message`` that shows the position to the player, as the table component
        has it; with an action also its ``ruling``, the ``rules`` that it cites, and the
        ``scenario`` that holds the question.

    Raises:
        RummyError: If the rules or the position are impossible, with all problems, or
            the action cannot be read.
    """
    given = {key: value for key, value in position.items() if value}
    state = read_position({**given, **_read(more)}, desk.of(table), fill=fill)
    asker = _asker(state, seat)
    found: Answer = {"message": _shown(state, asker), "seat": state.players[asker]}
    if action:
        found |= _ruled(state, action, asker)
    return found


def _read(more: str) -> dict[str, Any]:
    """
    The keys that have no field.
    """
    try:
        return toml.read(more)
    except ValueError as error:
        msg = f"the further keys: {desk.not_toml(error)}"
        raise PositionError(msg) from None


def _asker(state: rv.State, name: str) -> int:
    """
    The seat of a player; the first that may act, if no name is given.
    """
    if name in state.players:
        return state.players.index(name)
    return state.to_act[0] if state.to_act else 0


def _shown(state: rv.State, seat: int) -> Answer:
    mine = seat in state.to_act
    page = rv.legal_actions(state, seat).page(size=SHOWN) if mine else None
    return {
        "type": "table",
        "number": len(state.history),
        "players": [*state.players],
        "view": to_data(rv.view(state, seat), legal=0),
        "first_melds": [str(one) for one in state.first_melds(seat)],
        "actions": to_data(page) if page is not None else None,
        "events": [],
        "can": [],
        "over": None,
    }


def _ruled(state: rv.State, action: str, seat: int) -> Answer:
    ruling = rv.check(state, action, seat)
    return {
        "action": action,
        "ruling": to_data(ruling),
        "rules": desk.cited(ruling),
        "scenario": scenario(state, action, seat, ruling),
    }


def scenario(state: rv.State, action: str, seat: int, ruling: rv.Ruling) -> str:
    """
    A question and its answer as a scenario file.

    Raises:
        PositionError: If no round is being played.
    """
    name = state.players[seat]
    verdict = "may" if ruling else "may not"
    step = {"seat": name, "do": action}
    if not ruling:
        step["refused"] = ruling.rule if ruling.rule in catalogue() else "*"
    head = {
        "title": f"{name} {verdict} {action}",
        "cites": [one for one in ruling.cites if one in catalogue()],
        "rules": rules_table(state.rules),
    }
    parts = [
        toml.table(head),
        toml.table(write_position(state), "[position]"),
        toml.table(step, "[[step]]"),
        "[expect]\n",
    ]
    return "\n".join(parts)


# ------------------------------------------------------------------------------ pasting


def paste(text: str, table: desk.Table) -> Answer:
    """
    A pasted position, scenario or record, as the fields of the page.

    Args:
        text: TOML: a scenario, a record, or the keys of a position, with or without a
            heading.
        table: The rules, if the text names none.

    Returns:
        The ``table`` of its rules, the ``position`` after its steps or actions,
        ``more`` for keys without a field, the ``rulings`` on its steps and what
        ``differs`` from what it expects.

    Raises:
        RummyError: If it cannot be read or is impossible; with all problems.
    """
    try:
        given = toml.read(text)
    except ValueError as error:
        raise RecordError(desk.not_toml(error)) from None
    desk.run_nothing(given.get("rules"))
    state: rv.State | None
    rulings: list[Answer] = []
    differs: list[str] = []
    if "rules" in given and "players" in given:
        state = rv.replay(text)
    elif "rules" in given:
        scenario = rv.files.parse_scenario(text)
        if scenario.problem is not None:
            raise scenario.problem
        outcome = rv.files.run(scenario)
        state = outcome.state
        rulings = [
            {"seat": line.seat, "do": line.do, "said": str(ruling)}
            for line, ruling in outcome.rulings
        ]
        differs = [*outcome.differences]
    else:
        position = given.get("position", given)
        if not isinstance(position, Mapping):
            msg = "position: write it as a section, [position]"
            raise PositionError(msg)
        state = read_position(position, desk.of(table))
    if state is None:
        msg = "there is no position in it"
        raise RecordError(msg)
    return {**_fields(state), "rulings": rulings, "differs": differs}


def _fields(state: rv.State) -> Answer:
    """
    A state as what the fields of the page hold.
    """
    written = write_position(state)
    spare = {
        **_SPARE,
        "turns_taken": dict.fromkeys(state.players, 1),
    }
    brief = {
        key: value
        for key, value in written.items()
        if key in FIELDS or key not in spare or spare[key] != value
    }
    if _same(brief, state):
        written = brief
    rules = rules_table(state.rules)
    return {
        "table": {"extends": rules} if isinstance(rules, str) else rules,
        "position": {key: written[key] for key in FIELDS if key in written},
        "more": toml.table(
            {key: value for key, value in written.items() if key not in FIELDS}
        ),
    }


def _same(position: Mapping[str, Any], state: rv.State) -> bool:
    """
    Whether a position is read as a state.
    """
    try:
        return read_position(position, state.rules) == state
    except PositionError:
        return False


def example(table: desk.Table) -> Answer:
    """
    A position of a game by some rules, to begin with: a few turns after the deal.

    Raises:
        RummyError: If the rules are impossible.
    """
    rules = desk.of(table)
    low, high = rules.match.players
    players = min(max(low, 2), high)
    state = rv.new_game(rules, _NAMES[:players], seed=11)
    for done in play_on(state, [CarefulBot()] * players):
        state = done.after
        if len(state.history) > _BEFORE * players and state.phase == "play":
            break
        if state.result is not None:
            state = done.before
            break
    return _fields(state)
