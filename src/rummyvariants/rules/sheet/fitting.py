"""
Which options go with a game.
"""

from __future__ import annotations

import re

from collections.abc import Iterator
from typing import Final, Literal

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants.errors import RulesError
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.rules._variants import Option, every_option
from rummyvariants.rules.sheet import statements
from rummyvariants.rules.sheet.table import overruled, why_unchanged
from rummyvariants.rulings import catalogue


_REMEDY: Final = re.compile(r"[:;] (put|take) .* out$")
"""The end of an error that suggests what to do about an option."""


@attrs.frozen
class Fit:
    """
    What an option does to a ruleset.

    Attributes:
        option: The option.
        status: ``goes`` if it can be added and changes the rule sheet, ``idle`` if it
            changes nothing, ``refused`` if it cannot be added.
        needs: Ids of options one of which has to be added with it; empty if it goes
            by itself.
        why: Why it changes nothing, or is refused; empty if it goes.

    >>> fits = {one.option.id: one for one in rv.rules.options_for("gin-rummy")}
    >>> fits["PGV-E5"].status, fits["PGV-P4"].status
    ('goes', 'idle')
    >>> fits["PGV-P4"].why
    'it does not come up'
    """

    option: Option
    status: Literal["goes", "idle", "refused"]
    needs: tuple[str, ...] = ()
    why: str = ""


@explained
def options_for(rules: Ruleset | str) -> tuple[Fit, ...]:
    """
    Every option with its effect on a ruleset, in the order of the catalogue.

    Options that take a value are tried with the example of their entry.

    Args:
        rules: The rules, or the name of a preset.

    Raises:
        RulesError: If there is no such preset.

    >>> fits = rv.rules.options_for("gin-rummy")
    >>> [one.option.id for one in fits if one.status == "goes"][:3]
    ['PGV-C1a', 'PGV-C1b', 'PGV-C1c']
    """
    if isinstance(rules, str):
        rules = preset(rules)
    return tuple(_fits(rules))


def _fits(rules: Ruleset) -> Iterator[Fit]:
    said = statements(rules)
    for option in every_option().values():
        yield fit(rules, said, option)


def fit(rules: Ruleset, said: tuple[object, ...], option: Option) -> Fit:
    """
    The effect of an option.

    Args:
        rules: The rules to which it would be added.
        said: What their sheet says.
        option: The option.
    """
    if option.id in {text.partition("=")[0] for text in rules.options}:
        return Fit(option, "idle", why="it is on already")
    if not option.set and not option.argument:
        return Fit(option, "idle", why="it turns nothing on")
    return _tried(rules, said, option)


def _tried(rules: Ruleset, said: tuple[object, ...], option: Option) -> Fit:
    """
    The effect of an option, first by itself, then with each option that it needs.
    """
    alone = _effect(rules, said, option)
    if alone.status == "goes":
        return alone
    needs = []
    for need in catalogue()[option.id].needs:
        try:
            before = rules.with_options(every_option()[need].example)
        except RulesError:
            continue
        if _effect(before, statements(before), option).status == "goes":
            needs.append(need)
    return Fit(option, "goes", tuple(needs)) if needs else alone


def _effect(rules: Ruleset, said: tuple[object, ...], option: Option) -> Fit:
    try:
        with_it = rules.with_options(option.example)
    except RulesError as error:
        # The suggestion is only for a user who has added the option.
        why = [re.sub(_REMEDY, "", problem) for problem in error.problems]
        return Fit(option, "refused", why="; ".join(why))
    if statements(with_it) != said:
        return Fit(option, "goes")
    if why_not := overruled(with_it, option):
        return Fit(option, "idle", why=why_not)
    if with_it.values() != rules.values():
        return Fit(option, "idle", why="it does not come up")
    if option.argument and option.default is None:
        # The game has the value of the example; another one would change it.
        return Fit(option, "goes")
    return Fit(option, "idle", why=why_unchanged(with_it, option.example))
