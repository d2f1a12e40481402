"""
"May I ...": a question of a few facts, and the ruling on it.
"""

from __future__ import annotations

import re

from collections.abc import Mapping
from typing import Any, Final

import desk
import rummyvariants as rv

from rummyvariants._support import toml
from rummyvariants.bots import CarefulBot, play_on
from rummyvariants.cards import parse_cards
from rummyvariants.errors import PositionError, RecordError
from rummyvariants.files._facts import rules_table
from rummyvariants.files._positions import read_position, write_position
from rummyvariants.files._situations import asker, ruled, situation
from rummyvariants.files.json import to_data
from rummyvariants.rulings import catalogue


Answer = dict[str, Any]
Facts = Mapping[str, Any]
"""
What the page is told of a position: ``hand``, ``pile``, ``melds``, ``players`` and
``phase`` as texts, and ``more``, further keys as lines of TOML.
"""

SHOWN: Final = 60
"""How many legal actions are sent."""
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


def ask(table: desk.Table, facts: Facts, action: str = "") -> Answer:
    """
    What may be done in a position, and the ruling on one action.

    Args:
        table: The rules.
        facts: What is known of the position.
        action: The action in the notation; empty to ask for none.

    Returns:
        The ``message`` that shows the position to whoever acts, as the table component
        has it, the name of that ``player``, and what was ``assumed``; with an action
        also its ``ruling``, the ``rules`` that it cites, and the ``scenario`` that
        holds the question.

    Raises:
        RummyError: If the rules or the position are impossible, with all problems, or
            the action cannot be read.
    """
    rules, keys = desk.of(table), _keys(facts)
    found: Answer = {}
    if action:
        state, ruling = ruled(rules, action, **keys)
        found = _ruled(state, action, ruling)
    else:
        state = situation(rules, **keys)
    found["message"] = _shown(state)
    found["player"] = state.players[_seat(state)]
    found["assumed"] = [*state.assumed]
    return found


def allowed_by(table: desk.Table, facts: Facts, action: str) -> list[Answer]:
    """
    The options each of which would allow by itself what is refused.
    """
    state = situation(desk.of(table), action, **_keys(facts))
    ruling = rv.check(state, action, asker(state))
    entries = [catalogue()[one] for one in ruling.allowed_by()]
    return [{"id": one.id, "title": one.title, "text": one.text} for one in entries]


def cards(text: str) -> list[str]:
    """
    The cards of a text.

    Raises:
        RummyError: If it is not one of cards.
    """
    return [*map(str, parse_cards(text))]


def _keys(facts: Facts) -> dict[str, Any]:
    """
    Facts as the keys of a position.

    Raises:
        PositionError: If the further keys are not TOML.
    """
    keys: dict[str, Any] = {key: text for key, text in facts.items() if text.strip()}
    try:
        more = toml.read(keys.pop("more", ""))
    except ValueError as error:
        msg = f"the further keys: {desk.not_toml(error)}"
        raise PositionError(msg) from None
    if melds := keys.get("melds"):
        keys["melds"] = [one for one in re.split(r"\s*[/\n]\s*", melds) if one]
    if players := keys.get("players", "").strip():
        names = [one.strip() for one in players.split(",")]
        keys["players"] = int(players) if players.isdecimal() else names
    return keys | more


def _seat(state: rv.State) -> int:
    """
    The seat that acts.
    """
    seat = asker(state)
    return next(iter(state.to_act), state.turn) if seat is None else seat


def _shown(state: rv.State) -> Answer:
    seat = _seat(state)
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


def _ruled(state: rv.State, action: str, ruling: rv.Ruling) -> Answer:
    return {
        "action": action,
        "ruling": to_data(ruling),
        "rules": desk.cited(ruling),
        "scenario": scenario(state, action, ruling),
    }


def scenario(state: rv.State, action: str, ruling: rv.Ruling) -> str:
    """
    A question and its answer as a scenario file.

    Raises:
        PositionError: If no round is being played.
    """
    name = state.players[_seat(state)]
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
        The ``table`` of its rules, the ``facts`` after its steps or actions, the
        ``rulings`` on its steps and what ``differs`` from what it expects.

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
    spare = {**_SPARE, "turns_taken": dict.fromkeys(state.players, 1)}
    brief = {
        key: value
        for key, value in written.items()
        if key not in spare or spare[key] != value
    }
    if _same(brief, state):
        written = brief
    actor = state.players[_seat(state)]
    hands = written["hands"]
    facts = {
        "hand": hands.pop(actor) if actor == written.get("turn") else "",
        "pile": written.pop("discards", ""),
        "melds": "\n".join(written.pop("table", ())),
        "players": ", ".join(written.pop("seats")),
        "phase": written.pop("phase", "draw"),
    }
    rules = rules_table(state.rules)
    return {
        "table": {"extends": rules} if isinstance(rules, str) else rules,
        "facts": {**facts, "more": toml.table(written)},
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
