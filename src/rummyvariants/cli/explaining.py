"""
Rules, options and policy values looked up by name or by word, and explained.
"""

from __future__ import annotations

import difflib
import functools
import re
import tomllib

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

import rummyvariants as rv

from rummyvariants._support.limits import LINE
from rummyvariants._support.words import capital, listed
from rummyvariants.cli.screen import Screen
from rummyvariants.cli.show import titled
from rummyvariants.rules import Option
from rummyvariants.rules._origins import show_value
from rummyvariants.rules._variants import SECTIONS, known_policy


_LABEL: Final = 10
"""How many columns the label of a fact takes."""
_ID: Final = re.compile(r"[A-Za-z][A-Za-z0-9]{1,2}-[A-Za-z]?\d+\w?")
"""The pattern of a rule id."""


def explain(screen: Screen, text: str, rules: rv.Ruleset | None = None) -> None:
    """
    Explain a rule, an option or a policy value.

    Args:
        screen: Where to write.
        text: The id of a rule, the name of a policy value, such a name with a value as
            in ``match.target = 1000``, or words to search for. A single match is
            explained, several are listed. If nothing has all the words, the entries
            that have the most of them are listed.
        rules: The rules of a game. A rule is then explained with the values that it
            sets there, instead of those that it sets in any game.

    Raises:
        RulesError: If nothing is found; the message suggests the nearest.
    """
    text = " ".join(text.split())
    if not text or len(text) > LINE:
        msg = "give the name of a rule, an option or a policy value, or a few words"
        raise rv.errors.RulesError(msg)
    name, equals, given = (part.strip() for part in text.partition("="))
    known = {one.casefold(): one for one in (*rv.rules.catalogue(), *value_names())}
    found = known.get(name.casefold(), "")
    if "." in found:
        _value(screen, found, given if equals else None)
        return
    option = rv.options().get(found)
    if found and (not equals or (option is not None and option.argument)):
        _rule(screen, rv.rule(found), rules)
        return
    entries, matched = search(text)
    words = len(text.split())
    if len(entries) == 1 and matched == words:
        explain(screen, entries[0].name, rules)
        return
    if not entries or (matched < words and "=" in text):
        # An unknown id raises the same error as elsewhere.
        if _ID.fullmatch(text):
            rv.rule(text)
        raise rv.errors.RulesError(_nothing(text))
    for entry in entries:
        screen.line(f"{entry.name}  {entry.title}", 4)
    screen.line()
    said = (
        f"{len(entries)} found, the best first. Explain one of them by its name, or "
        "add a word to find fewer."
    )
    if matched < words:
        screen.line(capital(_nothing(text)))
        said = (
            f"The list has what matches {matched} of the {words} words, the best "
            "first. Explain one of them by its name."
        )
    screen.line(said)


def value_names() -> tuple[str, ...]:
    """
    The name of every policy value, in the order of play.
    """
    return tuple(
        f"{section}.{name}"
        for section, cls in SECTIONS.items()
        for name in cls.values()
    )


# ---------------------------------------------------------------------------- searching


@attrs.frozen
class Entry:
    """
    Something that can be explained.

    Attributes:
        name: The name that `explain` takes.
        title: A line about it.
        texts: The texts to search, the most important first.
    """

    name: str
    title: str
    texts: tuple[str, ...]


@functools.cache
def _entries() -> tuple[Entry, ...]:
    entries = []
    for one in rv.rules.catalogue().values():
        kind = {"library": "in every game"}.get(one.game, one.game)
        kind = {"option": "option", "declined": "not played"}.get(one.kind, kind)
        texts = (one.id, one.title, one.text)
        entries.append(Entry(one.id, f"{one.title} ({kind})", texts))
    for path in value_names():
        about = _field(path)
        # The rest explains the words that the value takes.
        short = re.match(r"[^:;.]+ [^:;.]+", about["doc"])
        title = (short[0] if short else about["doc"]).rstrip(".")
        texts = (path, title, f"{about['doc']} {about['takes']}")
        entries.append(Entry(path, f"{title} (policy value)", texts))
    return tuple(entries)


def search(text: str) -> tuple[tuple[Entry, ...], int]:
    """
    The entries that match the most words of a text, the best first, and how many.

    A word matches a word that starts with it. A whole word is better than a beginning,
    and a match in a name or a title is better than one in a text. Shorter texts are
    better.
    """
    words = [re.escape(word) for word in text.casefold().split()]
    ways = [re.compile(rf"(?<![^\W_]){word}(?P<whole>\b|_)?") for word in words]
    ranked = []
    for place, entry in enumerate(_entries() if ways else ()):
        ranks = [rank for rank in (_rank(way, entry) for way in ways) if rank]
        if ranks:
            ranked.append((-len(ranks), *map(sum, zip(*ranks, strict=True)), place))
    ranked.sort()
    most = ranked[0][0] if ranked else 0
    found = [_entries()[place] for number, *_, place in ranked if number == most]
    return tuple(found), -most


def _rank(way: re.Pattern[str], entry: Entry) -> tuple[int, int] | None:
    """
    How well a word matches, lower being better; None if it is not there.
    """
    ranks = []
    for place, text in enumerate(entry.texts):
        found = list(way.finditer(text.casefold()))
        if found:
            begins_only = all(one["whole"] is None for one in found)
            ranks.append((2 * (place == len(entry.texts) - 1) + begins_only, len(text)))
    return min(ranks, default=None)


def _nothing(text: str) -> str:
    """
    The message that nothing was found, with suggestions.
    """
    game = text.casefold()
    if game in rv.presets():
        return f"{game} is a game: `rummyvariants rules {game}` prints its rules"
    missing = [word for word in text.casefold().split() if not search(word)[0]]
    if not missing:
        return f"nothing has all the words of {text!r}"
    known = {
        word: word
        for entry in _entries()
        for part in entry.texts
        for word in re.findall(r"[^\W\d_]{4,}", part.casefold())
    }
    known |= {one.name.casefold(): one.name for one in _entries()}
    meant = [
        repr(known[one])
        for word in missing
        for one in difflib.get_close_matches(word, known, n=3, cutoff=0.7)
    ]
    quoted = listed(map(repr, missing))
    hint = f"; did you mean {listed(meant, 'or')}?" if meant else ""
    return f"no rule, option or policy value has the word {quoted}{hint}"


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
    if rules is not None:
        by: dict[str, list[str]] = {}
        for path, one in rules.origins.items():
            if one.rule == entry.id:
                by.setdefault(one.set_by, []).append(_in_force(rules, path))
        set_by = [f"{name}: {', '.join(settings)}" for name, settings in by.items()]
    else:
        set_by = [*_set_by(entry)]
    kind = f"a rule of {entry.game}"
    if entry.game == "library":
        kind = "a reading of this library"
    kind = {"option": "an option", "declined": "not played here"}.get(entry.kind, kind)
    screen.heading(f"{entry.id}  {entry.title}")
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


def _field(path: str) -> Mapping[str, Any]:
    """
    The documentation of a policy value.
    """
    section, _, name = path.partition(".")
    found: Mapping[str, Any] = known_policy(section, name).values()[name].metadata
    return found


def _value(screen: Screen, path: str, given: str | None) -> None:
    """
    Explain a policy value, or one setting of it.

    Raises:
        RulesError: If the setting is not allowed.
    """
    section, _, name = path.partition(".")
    default = show_value(SECTIONS[section].values()[name].default)
    wanted = None if given is None else show_value(_read(path, given))
    unset, set_by = [], []
    for game in rv.presets():
        rules = rv.preset(game)
        shown = show_value(rules.value(path))
        cited = dict.fromkeys(
            one.rule
            for at, one in rules.origins.items()
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
    about = _field(path)
    screen.heading(path if wanted is None else f"{path} = {wanted}")
    screen.line(about["doc"])
    _facts(
        screen,
        {
            "takes": about["takes"],
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
    screen.heading(f"{entry.id}  {entry.title}")
    screen.line(entry.text)
    if fit is not None:
        terms["left out"] = fit.why
    screen.each(f"{name}: {text}" for name, text in terms.items() if text)
