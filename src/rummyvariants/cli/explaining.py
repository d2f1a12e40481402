"""
Rules, options and policy values explained, and questions answered.
"""

from __future__ import annotations

import tomllib

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import rummyvariants as rv

from rummyvariants._support.words import listed
from rummyvariants.cli.screen import Screen
from rummyvariants.cli.show import titled
from rummyvariants.rules import Option
from rummyvariants.rules._origins import show_value
from rummyvariants.rules._search import is_played
from rummyvariants.rules._variants import SECTIONS, documented, known_policy
from rummyvariants.rulings import rule_names


_LABEL: Final = 10
"""How many columns the label of a fact takes."""


def explain(screen: Screen, text: str, rules: rv.Ruleset | None = None) -> None:
    """
    Explain a rule, an option or a policy value, or answer a question about the rules.

    Args:
        screen: Where to write.
        text: The id or the title of a rule, the name of a policy value, such a name
            with a value as in ``match.target = 1000``, or a question, which `rv.search`
            answers.
        rules: The rules of a game. A rule is then explained with the values that it
            sets there, instead of those that it sets in any game, and a question is
            about this game.

    Raises:
        RulesError: If nothing is found; the message suggests the nearest.
    """
    text = " ".join(text.split())
    name, equals, given = (part.strip() for part in text.partition("="))
    paths = {one.casefold(): one for one in value_names()}
    if name.casefold() in paths:
        _value(screen, paths[name.casefold()], given if equals else None, rules)
        return
    section, dot, value = name.casefold().partition(".")
    if dot and section in SECTIONS and not value:
        for path in paths.values():
            if path.startswith(name.casefold()):
                screen.line(f"{path}  {documented(path)['doc']}", 4)
        return
    if dot and " " not in name and (section in SECTIONS or equals):
        known_policy(section, value)
    entry = _named(name, option=bool(equals))
    if entry is not None and (
        rules is None
        or entry.kind != "base"
        or is_played(rules, entry)
        or rule_names().id_of(name)
    ):
        _rule(screen, entry, rules)
        return
    # What a rule of another game is called may be a question about this one.
    game = text.casefold()
    if game in rv.presets():
        msg = f"{game} is a game: `rummyvariants rules {game}` prints its rules"
        raise rv.errors.RulesError(msg)
    found = rv.search(text, rules)
    if not found:
        about = f" in {rules.name}" if rules is not None else ""
        msg = f"nothing is found about {text!r}{about}; try other words"
        raise rv.errors.RulesError(msg)
    if len(found) == 1 and found.certain and rules is None:
        explain(screen, found[0].id)
        return
    screen.lines(found.told(screen.width))
    screen.line()
    screen.line("Explain one of them by its id.")


def _named(name: str, *, option: bool) -> rv.rules.Rule | None:
    """
    The rule with an id or a title; only an option with a value, if that is wanted.
    """
    found = rv.rules.catalogue().get(rule_names().exactly(name))
    one = rv.options().get(found.id) if found else None
    return found if not option or (one is not None and one.argument) else None


def value_names() -> tuple[str, ...]:
    """
    The name of every policy value, in the order of play.
    """
    return tuple(
        f"{section}.{name}"
        for section, cls in SECTIONS.items()
        for name in cls.values()
    )


# --------------------------------------------------------------------------- explaining


def _facts(screen: Screen, facts: Mapping[str, str | list[str]]) -> None:
    """
    Write facts one below the other, each after its label, without empty ones.
    """
    screen.line()
    for name, value in facts.items():
        for at, text in enumerate([value] if isinstance(value, str) else value):
            if text:
                screen.line(f"{'' if at else name + ':':<{_LABEL}}{text}", _LABEL)


def _rule(screen: Screen, entry: rv.rules.Rule, rules: rv.Ruleset | None) -> None:
    set_by = []
    if rules is None:
        set_by = [*_set_by(entry)]
    elif is_played(rules, entry):
        by: dict[str, list[str]] = {}
        for path, one in rules.origins.items():
            if one.rule == entry.id:
                by.setdefault(one.set_by, []).append(_in_force(rules, path))
        set_by = [f"{name}: {', '.join(settings)}" for name, settings in by.items()]
    kind = f"a rule of {entry.game}"
    if entry.game == "library":
        kind = "a reading of this library"
    kind = {"option": "an option", "declined": "not played here"}.get(entry.kind, kind)
    screen.heading(f"{entry.id}  {entry.title}")
    if rules is not None and not is_played(rules, entry):
        screen.line(f"Not played in {rules.name}: it is {kind}.")
    screen.line(entry.text)
    _facts(
        screen,
        {
            "reading": entry.reading,
            "trap": entry.trap,
            "source": entry.source,
            "kind": f"{kind}, owned by the policy '{entry.policy}'",
            **_terms_of(entry, titled),
            "excludes": [*map(titled, entry.excludes)],
            "set by": set_by or ["nothing in this game"] * (rules is not None),
        },
    )


def _terms_of(entry: rv.rules.Rule, cite: Callable[[str], str]) -> dict[str, str]:
    """
    What an option takes, needs and excludes.
    """
    option = rv.options().get(entry.id)
    takes = ""
    if option is not None and option.argument:
        default = f" ({option.default} unless given)" if option.default else ""
        takes = f"{option.takes}; write {option.example}{default}"
    return {
        "takes": takes,
        "needs": listed(map(cite, entry.needs), "or"),
        "excludes": listed(map(cite, entry.excludes)),
    }


def _set_by(entry: rv.rules.Rule) -> Iterator[str]:
    """
    The presets and options that put a rule in force, with the policy values.
    """
    values: set[str] = set()
    for name in rv.presets():
        rules = rv.preset(name)
        found = [path for path, one in rules.origins.items() if one.rule == entry.id]
        values.update(found)
        if found:
            yield f"preset {name}: {', '.join(_in_force(rules, one) for one in found)}"
    # The option itself comes first.
    every = rv.options().values()
    for option in sorted(every, key=lambda one: one.id != entry.id):
        for written, sets in _ways(option):
            ours = option.id == entry.id
            way = f"changed by option {written}, {rv.rule(option.id).title}"
            if ours:
                way = f"with {written} also" if "=" in written else f"option {written}"
            changes = [
                f"{' and '.join(paths)} = {shown}"
                for paths, shown in sets
                if ours or not values.isdisjoint(paths)
            ]
            if changes:
                yield f"{way}: {', '.join(changes)}"


def _ways(option: Option) -> Iterator[tuple[str, list[tuple[Sequence[str], str]]]]:
    """
    How an option may be written, and what it then sets: names of values, and to what.
    """
    for argument, values in {"": option.set, **option.brings}.items():
        written = f"{option.id}={argument}" if argument else option.id
        sets: list[tuple[Sequence[str], str]] = [
            ([path], show_value(value)) for path, value in values.items()
        ]
        if option.argument and not argument:
            sets.append((option.arguments, option.takes))
        yield written, sets


def _in_force(rules: rv.Ruleset, path: str) -> str:
    section, _, rest = path.partition(".")
    name, _, part = rest.partition(".")
    value = rules.value(f"{section}.{name}")
    shown = show_value(dict(value)[part] if part and name != "rules" else value)
    return f"{path} = {shown}"


def _value(
    screen: Screen, path: str, given: str | None, rules: rv.Ruleset | None
) -> None:
    """
    Explain a policy value, or one setting of it, and what it is in a game.

    Raises:
        RulesError: If the setting is not allowed.
    """
    section, _, name = path.partition(".")
    default = show_value(SECTIONS[section].values()[name].default)
    wanted = None if given is None else show_value(_read(path, given))
    unset, set_by = [], []
    for game in rv.presets():
        base = rv.preset(game)
        shown = show_value(base.value(path))
        cited = dict.fromkeys(
            one.rule
            for at, one in base.origins.items()
            if at == path or at.startswith(f"{path}.")
        )
        if not cited:
            unset.append(game)
        elif wanted in {None, shown}:
            set_by.append(f"preset {game}: {shown} ({', '.join(cited)})")
    for option in rv.options().values():
        for written, sets in _ways(option):
            for paths, shown in sets:
                # What is given with an option may be anything.
                if path in paths and (wanted in {None, shown} or shown == option.takes):
                    title = rv.rule(option.id).title
                    set_by.append(f"option {written}, {title}: {shown}")
    as_in = ""
    if unset and wanted in {None, default}:
        every = len(unset) == len(rv.presets())
        as_in = f", as in {'every game' if every else listed(unset)}"
    about = documented(path)
    screen.heading(path if wanted is None else f"{path} = {wanted}")
    screen.line(about["doc"])
    _facts(
        screen,
        {
            "takes": about["takes"],
            "here": show_value(rules.value(path)) if rules is not None else "",
            "default": f"{default}{as_in}",
            "set by": set_by or "no preset and no option",
        },
    )


def _read(path: str, given: str) -> Any:
    """
    A policy value as a rules file or a message of this library writes it.

    Raises:
        RulesError: If it is not valid.
    """
    section, _, name = path.partition(".")
    try:
        value = tomllib.loads(f"value = {given}")["value"]
    except tomllib.TOMLDecodeError:
        value = {"yes": True, "no": False}.get(given, given)
    try:
        return SECTIONS[section].read(name, value)
    except ValueError as error:
        msg = f"{path}: {error}"
        raise rv.errors.RulesError(msg) from None


# ------------------------------------------------------------------------------ options


def write_option(
    screen: Screen, option: Option, fit: rv.rules.Fit | None = None
) -> None:
    """
    Write what an option is, and whether it goes with a game.
    """
    entry = rv.rules.catalogue()[option.id]
    terms = _terms_of(entry, str)
    if fit is not None and fit.status == "goes":
        # Options that the game already has need not be set.
        terms["needs"] = listed(fit.needs, "or")
    screen.heading(option.titled)
    screen.line(entry.text)
    if fit is not None:
        terms["left out"] = fit.why
    screen.each(f"{name}: {text}" for name, text in terms.items() if text)
