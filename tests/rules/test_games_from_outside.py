"""A game of the library, copied out under another name, plays the same from outside."""

from __future__ import annotations

import random
import re

import pytest

import rummyvariants as rv

from places import PACKAGE


GAMES = PACKAGE / "games"
NEW = sorted(
    one.stem
    for one in GAMES.glob("*.toml")
    if "[[rule]]" in one.read_text(encoding="utf-8")
)
"""The games whose files hold their own numbered rules."""


def copied(name, folder):
    """
    The rules of a copy of a game's file and module, with other names of rules.
    """
    text = (GAMES / f"{name}.toml").read_text(encoding="utf-8")
    file = folder / "copy.toml"
    for module in GAMES.glob("*.py"):
        if f'modules = ["{module.stem}"]' not in text:
            continue
        code = module.read_text(encoding="utf-8")
        for called in re.findall(r'register_rule\("\w+", "(.+)"\)', code):
            code = code.replace(f', "{called}")', f', "copied {called}")')
            text = text.replace(f'"{called}"', f'"copied {called}"')
        (folder / module.name).write_text(code, encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    return rv.load_rules(file, modules=True)


@pytest.mark.parametrize("name", NEW)
def test_a_game_on_basic_rummy_cites_rules_of_its_own(name):
    if 'extends = "basic-rummy"' not in (GAMES / f"{name}.toml").read_text("utf-8"):
        return
    known = rv.rules.catalogue()
    others = {
        path: origin.rule
        for path, origin in rv.preset(name).origins.items()
        if known[origin.rule].game not in {name, "library"}
    }
    assert not others


@pytest.mark.parametrize("name", NEW)
def test_a_game_copied_out_plays_the_same(name, tmp_path):
    ours, copy = rv.preset(name), copied(name, tmp_path)
    own = {type(rule) for _, rule in ours.house}
    assert not {type(rule) for _, rule in copy.house} & {
        one for one in own if one.__module__.startswith("rummyvariants.games.")
    }
    players = ours.match.players[0]
    one, other = (rv.new_game(rules, players, seed=11) for rules in (ours, copy))
    chance = random.Random(11)
    for _ in range(300):
        if one.is_over:
            break
        if one.phase == "deal":
            one, other = rv.game.deal(one), rv.game.deal(other)
            continue
        legal = [*map(str, rv.legal_actions(one))]
        assert [*map(str, rv.legal_actions(other))] == legal
        action = chance.choice(legal)
        one, other = rv.apply(one, action), rv.apply(other, action)
        assert other.hands == one.hands
        assert other.scores == one.scores
