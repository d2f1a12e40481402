"""
The parameters of a game of OpenSpiel: numbers, truth values, and words.

A game of OpenSpiel is made from a text like ``name(players=3,options=R5V-01)``, in
which commas, equals signs and brackets separate things, so that no parameter can have
them.
"""

from __future__ import annotations

import tomllib

from collections.abc import Mapping
from typing import Any, Final

from rummyvariants.envs._plays import Setup
from rummyvariants.envs._table import EnvError, fewest_players
from rummyvariants.errors import shown
from rummyvariants.learning.encodings import encoding
from rummyvariants.learning.observations import observation_spec
from rummyvariants.learning.rewards import MAX_STEPS, Stakes
from rummyvariants.rules import Ruleset, read_rules
from rummyvariants.rules._files import rules_at


LENGTH: Final = 16_384
"""How many words of the past there is room for, if nothing else is said."""
SCALE: Final = 10_000
"""How many points are worth 1, if nothing else is said; no round brings so many."""
COMMON: Final[Mapping[str, Any]] = {
    "players": 0,
    "form": "stepwise",
    "until": "round",
    "rewards": "round",
    "scale": SCALE,
    "max_steps": MAX_STEPS,
    "length": LENGTH,
    "dealer": -1,
    "sampled": False,
    "seed": -1,
}
"""The parameters that every game has, with what holds if they are left out."""
CHANGES: Final[Mapping[str, Any]] = {"options": "", "values": ""}
"""Those of presets."""
FILE: Final[Mapping[str, Any]] = {"rules": "basic-rummy"}
"""That of the game whose rules are in a file."""


def setup_of(name: str, rules: Ruleset | None, given: Mapping[str, Any]) -> Setup:
    """
    What a game is played by.

    Args:
        name: The name of the game.
        rules: The rules that are known by that name; None if a parameter names them.
        given: The parameters that were given.

    Raises:
        EnvError: If a parameter is not as described.
        RulesError: If there are no such rules, or they are not for so many players.
        EncodingError: If the rules have no encoding of the form.
        ObservationError: If the length is none.
    """
    known = {**COMMON, **CHANGES, **FILE, **given}
    if rules is None:
        rules = rules_at(known["rules"])
    rules = _changed(rules, known["options"], known["values"])
    players = known["players"] or fewest_players(rules)
    made = encoding(rules, players, known["form"])
    # What is left out is no scale for rewards that need none.
    scale = known["scale"] if known["rewards"] == "round" else given.get("scale")
    return Setup(
        made,
        observation_spec(made.rules, players),
        observation_spec(made.rules, players, "perfect recall", known["length"]),
        Stakes(known["until"], known["rewards"], scale or None),
        known["max_steps"],
        known["sampled"],
        known["dealer"],
        (name, (*sorted(given.items()),)),
    )


def _changed(rules: Ruleset, options: str, values: str) -> Ruleset:
    """
    Rules with options and values as parameters write them.
    """
    if not (options or values):
        return rules
    table: dict[str, Any] = {
        "extends": rules.name,
        "with": [one.strip().replace(":", "=") for one in options.split("+") if one],
    }
    for item in values.split(";"):
        if item.strip():
            _set(table, item)
    return read_rules(table)


def _set(table: dict[str, Any], item: str) -> None:
    """
    Set a policy value in the table of a rules file.

    Args:
        table: The table.
        item: The value with its path, such as ``deal.hand_size:7``.
    """
    path, colon, text = item.partition(":")
    policy, dot, key = path.strip().partition(".")
    if not (colon and dot and key and text.strip()):
        msg = (
            f"values cannot have {shown(item)}: write POLICY.KEY:VALUE, with ; between "
            "several, such as deal.hand_size:7;stock.dead:2"
        )
        raise EnvError(msg)
    values = table.setdefault(policy, {})
    if not isinstance(values, dict):
        msg = f"values cannot have {shown(item)}: {policy!r} is no policy"
        raise EnvError(msg)
    values[key] = _value(text.strip())


def _value(text: str) -> object:
    """
    A value as TOML has it, or else a word.
    """
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
