"""
The pages on rules, options, policy values and coverage.
"""

from __future__ import annotations

import functools
import inspect
import re
import tomllib

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs

import rummyvariants as rv

from rummyvariants._support.words import listed
from rummyvariants.policies import Policy
from rummyvariants.rules._origins import show_value
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rules._variants import SECTIONS, Option, preset_file
from rummyvariants.rules.sheet import sheet, statements
from rummyvariants.rules.sheet.forms import markdown
from rummyvariants.rules.sheet.model import Paragraph, Section
from rummyvariants.rulings import Rule


DOCS: Final = Path(__file__).resolve().parent
SCENARIOS: Final = DOCS.parent / "tests" / "scenarios"
HOUSE_RULES: Final = DOCS.parent / "examples" / "rules"
SCENARIO_OF: Final = re.compile(r'^SCENARIO = """$(.*?)^"""$', re.DOTALL | re.MULTILINE)
GAME: Final = """\
# {title}

These are the rules of the preset `{name}`, version {version}, after *{source}*.
{below}

## The rule sheet
"""
VARIANT: Final = """\
Only what differs from the sheet of [{title}]({base}.md) stands here; each paragraph takes the place of the one on the same matter.
`rummyvariants rules {name}` prints the whole sheet.
"""  # noqa: E501 -- one sentence a line
COPY: Final = "It is the sheet of [{title}]({base}.md)."
SCHOOLS: Final[Mapping[str, str]] = {
    "indian-rummy": """\
## As it is played at home

The rule sheet above is that of the online rooms.
Pagat describes the game as it is played at home, which is a list of options.
They are ready in `examples/indian-at-home.toml`:

```{literalinclude} ../../../examples/indian-at-home.toml
:language: toml
```

At home hand rummy ([INV-07](#rule-inv-07)) is played too.
{doc}`/reference/variations` lists further options, and what cannot be played here.
""",
}
"""How else a game is played, by its preset; after the rule sheet."""
BELOW: Final = "The rules of this game follow below it, one by one."
NONE_BELOW: Final = """\
No rule belongs to this game alone.
It is `{extends}` with the {options}."""
SAME: Final = """\
No rule belongs to this game alone.
It is `{extends}` under another name."""
LIBRARY: Final = """\
# In every game

These rules answer questions that no source settles but every table must.
They are the library's own readings, and apply in every game.
"""
OPTIONS: Final = """\
# Options

An option changes a rule of any game that it makes sense for.
Add it by its id: in Python `rules.with_options("PGV-P4", "PGV-E5=2500")`, in a rules file `with = ["PGV-P4", "PGV-E5=2500"]`.
An option sets policy values, which you can also set one by one: see {doc}`/reference/policy-values`.
"""  # noqa: E501 -- one sentence a line
VALUES: Final = """\
# Policy values

A game is a choice of these values.
A rules file sets them by section: `target = 1000` below `[match]`.
In Python, write `rules.with_values({"match.target": 1000})`.
Each section also accepts `rules` of your own: {doc}`/how-to/write-a-rule`.
"""
COVERAGE: Final = """\
---
no-search: true
---

# Rule coverage

This page lists every rule of the catalogue, the policy responsible for it, and the scenarios that show it.
Scenarios are files below `tests/scenarios/`; those that only some table plays are shown by examples.
A rule that is easily misread needs two scenarios.
"""  # noqa: E501 -- one sentence a line
STATUS: Final[Mapping[str, str]] = {
    "shown": "by as many scenarios as it needs",
    "one more wanted": "by one, although it is easily misread",
    "not shown": "by none yet",
    "declined": "not played here, for the reason that its reading gives",
    "no switch": "it says how rules combine, and changes nothing",
    "advice": "how to play well, which no rule enforces",
}
"""How far a rule can be shown to hold."""
WHY: Final[Mapping[frozenset[str], str]] = {
    frozenset({"GRV-09", "R5V-47"}): "sides keep one column",
    **{
        frozenset({one, "INV-14"}): "in a pool the last one left wins"
        for one in ("GRV-09", "PGV-E6", "R5V-44", "R5V-47")
    },
    frozenset({"INV-07", "R5V-37"}): "a hand declared as it was dealt ends the round",
    frozenset({"OKV-03", "R5V-15"}): "no card is turned up after the deal",
    frozenset({"PGV-C2a", "PGV-C3"}): "a two brings cards, or is put back, not both",
    frozenset({"PGV-C2b", "PGV-C3"}): "a two brings cards, or is put back, not both",
    frozenset({"PGV-C3", "PGV-D3e"}): "a two brings cards, or is put back, not both",
    frozenset({"PGV-C6b", "PGV-D7"}): "aces are wild in the first round of the series",
    frozenset({"PGV-C6b", "THV-05"}): "aces are wild in the twelfth round",
    **{
        frozenset({one, "PGV-D3e"}): "both say what a wild two as upcard brings"
        for one in ("PGV-D3a", "PGV-D3b", "PGV-D3c", "PGV-D3d")
    },
    frozenset({"PGV-D5a", "PGV-D6"}): "a card turned up apart is none of the dealer's",
    frozenset({"PGV-D5a", "PGV-D7"}): "no card names the wild rank",
    frozenset({"PGV-D5b", "PGV-D7"}): "no card names the wild rank",
    frozenset({"PGV-D7", "BNV-02"}): "after the kings' round none is left to play",
    frozenset({"PGV-P3", "PGV-P13"}): "wilds alone are no run",
    **{
        frozenset({one, "PGV-P13"}): "a contract has sets"
        for one in ("COV-09", "COV-18", "COV-19", "COV-20")
    },
    **{
        frozenset({one, "PGV-P12"}): "a contract has runs"
        for one in ("COV-09", "COV-18", "COV-19", "COV-20")
    },
    **{
        frozenset({one, "CAV2-05"}): "red twos are wild, but the deck has none"
        for one in ("PGV-C1a", "PGV-C1b", "PGV-C1c")
    },
    frozenset({"CHV-01", "LOV-02"}): "both say how many wilds a meld holds",
    frozenset({"HFV-02a", "HFV-02b"}): "both say how many cards the hand has",
    **{
        frozenset({one, "LOV-01"}): "both say what a joker counts"
        for one in ("R5V-03", "R5V-04", "THV-03")
    },
    frozenset({"COV-03", "COV-04"}): "a wild card of a set has no end to move to",
    frozenset({"R5V-31", "COV-20"}): "the last contract leaves no card to discard",
    frozenset({"PGV-E4b", "BAS-09"}): "a bonus helps nobody to a low score",
    frozenset({"BAS-06b", "BAS-09"}): "a bonus helps nobody to a low score",
}
"""Why options exclude each other that do not decide the same value."""
TRUST: Final[Mapping[str, str]] = {
    "": "",
    "read": "read on its own page",
    "audited": "second-hand, checked against the page by its author",
    "second-hand": "second-hand, not checked",
    "weak": "weak: it is played somewhere, and may not be usual",
    "implementation": "so some program plays",
    "memory": "from memory, and checked by nobody",
}
"""How far a source goes that is not one of the documents the games rest on."""
GROUPS: Final[Mapping[str, str]] = {
    "PGV-C": "Cards, wild cards and card values",
    "PGV-D": "Dealing and choosing the wild card",
    "PGV-P": "Rules of play",
    "PGV-E": "Ending the play and scoring",
    "BAS-": "From basic rummy",
    "OKV-": "From Oklahoma rummy",
    "R5V-": "From the variations of Rummy 500",
    "GRV-": "Gin rummy",
    "": "What a source leaves open",
}
"""The headings of the options page, by the start of the ids below them."""


# --------------------------------------------------------------------------- links


def anchor(name: str) -> str:
    """
    The label of a rule or a policy value.
    """
    kind = "value" if "." in name else "rule"
    return f"{kind}-{name.lower().replace('.', '-').replace('_', '-')}"


def cite(rule_id: str) -> str:
    """
    A rule id as a link, if the rule stands on some page.
    """
    entry = rv.rules.catalogue().get(rule_id)
    if entry is None or entry.kind == "declined":
        return rule_id
    return f"[{rule_id}](#{anchor(rule_id)})"


def linked(text: str) -> str:
    """
    A text with the rule ids in it as links.
    """

    def one(found: re.Match[str]) -> str:
        word = found[0]
        return word if word.startswith("`") else cite(word)

    return re.sub(r"`[^`]*`|\b[A-Z][A-Z0-9]{1,2}-[A-Z]?\d+[a-e]?\b", one, text)


def value(path: str) -> str:
    """
    A policy value as a link.
    """
    return f"[`{path}`](#{anchor(path)})"


# ------------------------------------------------------------------ pages of rules


def rule_entry(entry: Rule) -> Iterator[str]:
    """
    A rule of the catalogue with everything that is known of it.
    """
    yield f"({anchor(entry.id)})="
    yield f"### {entry.id}: {entry.title}"
    yield ""
    yield linked(entry.text)
    yield ""
    if entry.reading:
        yield from (f"**As we read it:** {linked(entry.reading)}", "")
    if entry.trap:
        yield from (f"**Easily missed:** {linked(entry.trap)}", "")


def sourced(entry: Rule) -> str:
    """
    The source of a rule, and how far it goes.
    """
    trust = TRUST[entry.trust]
    return f"{entry.source} ({trust})" if trust else entry.source


def none_below(extends: str, rules: Ruleset) -> str:
    """
    What stands in place of the rules of a game that has none of its own.
    """
    ids = dict.fromkeys(one.there_from.rule for one in rv.preset(extends).diff(rules))
    if not ids:
        return SAME.format(extends=extends)
    return NONE_BELOW.format(
        extends=extends,
        options=f"option{'s' if len(ids) > 1 else ''} {listed(map(cite, ids))}",
    )


def game_page(name: str) -> str:
    """
    The rules of a game: its sheet, then its part of the catalogue.
    """
    rules = rv.preset(name)
    entries = [one for one in rv.rules.catalogue().values() if one.game == name]
    lines = [
        GAME.format(
            title=rules.title,
            name=name,
            version=rules.version,
            source=rules.source,
            below=(
                BELOW if entries else none_below(preset_file(name)["extends"], rules)
            ),
        )
    ]
    told, base = sheet(rules), sheet_of(name)
    if base != name:
        title = rv.preset(base).title
        told = differing(told, sheet(rv.preset(base)))
        intro = VARIANT if told else COPY
        lines += [intro.format(name=name, base=base, title=title)]
    text = markdown(rules, told, cite=cite, level=2, closing=False)
    _, heading, body = text.partition("\n### ")
    lines += [re.sub(r"(?m)^### \d+\. ", "### ", f"{heading.lstrip()}{body}")]
    lines += [SCHOOLS[name]] if name in SCHOOLS else []
    lines += ["## Rule by rule", ""] if entries else []
    for entry in entries:
        lines += [
            *rule_entry(entry),
            f"*Source: {sourced(entry)}. Policy: {entry.policy}.*",
            "",
        ]
    return "\n".join(lines)


@functools.cache
def sheet_of(name: str) -> str:
    """
    The game whose page has the whole sheet: itself, or one that says most of it.
    """
    base = preset_file(name).get("extends")
    if base is None:
        return name
    base = sheet_of(base)
    full, there = sheet(rv.preset(name)), sheet(rv.preset(base))
    return base if length(differing(full, there)) < length(full) / 2 else name


def length(told: Iterable[Section]) -> int:
    """
    How many characters a sheet has, its tables apart.
    """
    return sum(len(one.text) for part in told for one in part.paragraphs)


def differing(here: Iterable[Section], there: Iterable[Section]) -> tuple[Section, ...]:
    """
    What a sheet says otherwise than another, and what the other alone says.
    """
    before = {one.title: one.paragraphs for one in there}
    found = []
    for part in here:
        old = before.get(part.title, ())
        new = [one for one in part.paragraphs if not said_by(one, old)]
        decided = {path for one in part.paragraphs for path in one.values}
        gone = [
            attrs.evolve(one, text=f"Not in this game: {one.text}")
            for one in old
            if not said_by(one, part.paragraphs) and not decided & {*one.values}
        ]
        if new or gone:
            found.append(Section(part.title, (*new, *gone)))
    return tuple(found)


def said_by(one: Paragraph, others: Sequence[Paragraph]) -> bool:
    """
    Whether other paragraphs say the same, with the same lines of a table.
    """
    lines = {(row.label, row.value) for other in others for row in other.rows}
    text = " ".join(other.text for other in others)
    return one.text in text and {(row.label, row.value) for row in one.rows} <= lines


def library_page() -> str:
    """
    The readings that hold in every game.
    """
    lines = [LIBRARY]
    for entry in rv.rules.catalogue().values():
        if entry.game == "library":
            lines += [*rule_entry(entry), f"*Policy: {entry.policy}.*", ""]
    return "\n".join(lines).replace("\n### ", "\n## ")


# ------------------------------------------------------------------------- options


def options_page() -> str:
    """
    Every option: what it says, what it sets, and where it has nothing to do.
    """
    lines = [OPTIONS]
    left = dict(rv.options())
    for start, title in GROUPS.items():
        lines += [f"## {title}", ""]
        for name in [one for one in left if one.startswith(start)]:
            lines += option_entry(left.pop(name))
    return "\n".join(lines)


def option_entry(option: Option) -> Iterator[str]:
    """
    One option.
    """
    entry = rv.rule(option.id)
    yield from rule_entry(entry)
    yield f"* Sets: {patch_text(option)}"
    if option.argument:
        default = f", {option.default} unless given" if option.default else ""
        yield f"* Takes {option.takes}{default}: `{option.example}`"
    if entry.needs:
        yield f"* Needs: {' or '.join(map(cite, entry.needs))}"
    reasons: dict[str, list[str]] = {}
    for other in entry.excludes:
        reasons.setdefault(why(option.id, other), []).append(cite(other))
    for reason, others in reasons.items():
        yield f"* Excludes {', '.join(others)}{reason and f': {reason}'}"
    yield from effect_lines(option.id)
    yield from (f"* Source: {sourced(entry)}", "")
    yield from shown(option.id)


def why(first: str, second: str) -> str:
    """
    Why two options exclude each other; maybe nothing if one is the rule of a game.
    """
    known = WHY.get(frozenset({first, second}), "")
    if known or second not in rv.options():
        return known
    here, there = rv.options()[first], rv.options()[second]
    both = [
        path
        for path in here.set
        if there.set.get(path, here.set[path]) != (here.set[path])
        or path in there.arguments
    ]
    both += sorted({*here.arguments} & {*there.set, *there.arguments})
    if both:
        return f"both decide {listed([value(path) for path in both])}"
    wild, ranks = sorted([here, there], key=lambda one: "deck.ranks" in one.set)
    if wild.set.get("wild.twos") and "2" not in ranks.set.get("deck.ranks", "2"):
        return "twos are wild, but the deck has none"
    msg = f"{first} and {second}: say why they exclude each other, in WHY of {__file__}"
    raise ValueError(msg)


def shown(option_id: str) -> Iterator[str]:
    """
    A position for an option, with its answer.
    """
    path = examples().get(option_id)
    if path is not None:
        name = path.relative_to(DOCS.parent).as_posix()
        yield "For example:"
        yield ""
        yield f"```{{literalinclude}} ../../{name}"
        yield ":language: toml"
        yield from ("```", "")


@functools.cache
def examples() -> Mapping[str, Path]:
    """
    For each option the first scenario that is about it, those among options first.
    """
    found: dict[str, Path] = {}
    every = sorted(
        SCENARIOS.glob("*/*.toml"), key=lambda one: one.parent.name != "options"
    )
    for path in every:
        cites = tomllib.loads(path.read_text(encoding="utf-8")).get("cites", [])
        if cites:
            found.setdefault(cites[0], path)
    return found


@functools.cache
def said(name: str, options: tuple[str, ...]) -> Sequence[object]:
    """
    What the rule sheet of a game with some options says.
    """
    return statements(rv.preset(name).with_options(*options))


def patch_text(option: Option) -> str:
    """
    The policy values that an option sets.
    """
    changes = [
        f"{value(path)} to `{show_value(given)}`" for path, given in option.set.items()
    ]
    if option.argument:
        given = listed([value(path) for path in option.arguments])
        changes.append(f"{given} to what is given")
    return ", ".join(changes) or "nothing, it is no switch"


def fitting(rules: Ruleset, text: str) -> tuple[str, ...]:
    """
    What has to be put on a game before an option: nothing, or one that it needs.
    """
    for before in ((), *((one,) for one in rv.rule(text.partition("=")[0]).needs)):
        try:
            rules.with_options(*before, text)
        except rv.errors.RulesError as error:
            problem = error
        else:
            return before
    raise problem


def effect_lines(option_id: str) -> Iterator[str]:
    """
    In which games an option changes nothing by itself, and which refuse it.
    """
    option = rv.options()[option_id]
    text = option.example
    idle: list[str] = []
    refused: dict[str, list[str]] = {}
    for name in rv.presets():
        rules = rv.preset(name)
        try:
            before = fitting(rules, text)
        except rv.errors.RulesError as error:
            reason = error.problems[0].partition(": ")[0]
            refused.setdefault(linked(reason), []).append(f"`{name}`")
        else:
            if said(name, before) == statements(rules.with_options(*before, text)):
                idle.append(f"`{name}`")
    if idle and (option.default or not option.argument):
        left = {f"`{name}`" for name in rv.presets()} - {*idle}
        left -= {name for names in refused.values() for name in names}
        if 0 < len(left) < len(idle):
            yield f"* Makes a difference by itself only in {listed(sorted(left))}"
        else:
            yield f"* Changes nothing by itself in {listed(idle)}"
    for reason, names in refused.items():
        yield f"* Not possible by itself in {listed(names)}: {reason}"


# ------------------------------------------------------------------- policy values


def values_page() -> str:
    """
    Every policy value, as its policy documents it.
    """
    lines = [VALUES]
    for section, cls in SECTIONS.items():
        lines += [f"## {section}", "", first_line(cls), ""]
        for name in cls.values():
            lines += value_entry(cls, f"{section}.{name}")
    return "\n".join(lines)


def first_line(cls: type[Policy]) -> str:
    """
    What a policy says of itself.
    """
    return (inspect.getdoc(cls) or "").partition("\n")[0]


def value_entry(cls: type[Policy], path: str) -> Iterator[str]:
    """
    One policy value.
    """
    field = cls.values()[path.partition(".")[2]]
    yield f"({anchor(path)})="
    yield f"### `{path}`"
    yield ""
    yield linked(field.metadata["doc"])
    yield ""
    words = r"""'([^']*)'|"([^"]*)\""""
    takes = re.sub(words, r'`"\1\2"`', field.metadata["takes"])
    yield f"* Takes {takes}"
    yield f"* Default: `{show_value(field.default)}`"
    for name in rv.presets():
        rules = rv.preset(name)
        found = rules.origin(path)
        if found.set_by in rv.presets():
            yield f"* `{name}`: `{show_value(rules.value(path))}` {cite(found.rule)}"
    for option in rv.options().values():
        if path in option.set:
            yield f"* {cite(option.id)} sets it to `{show_value(option.set[path])}`"
        elif path in option.arguments:
            yield f"* {cite(option.id)} sets it to the value given with it"
    yield ""


# ------------------------------------------------------------------------ coverage


def scenarios() -> dict[str, list[str]]:
    """
    The scenarios that cite each rule.
    """
    found: dict[str, list[str]] = {one: [] for one in rv.rules.catalogue()}
    texts = {
        path: path.read_text(encoding="utf-8")
        for path in sorted(SCENARIOS.glob("**/*.toml"))
    }
    for path in sorted(HOUSE_RULES.glob("*.py")):
        texts[path] = "".join(SCENARIO_OF.findall(path.read_text(encoding="utf-8")))
    for path, text in texts.items():
        of = SCENARIOS if path.suffix == ".toml" else DOCS.parent
        name = path.relative_to(of).with_suffix("").as_posix()
        for one in tomllib.loads(text).get("cites", []):
            if one not in found:
                msg = f"{path}: cites {one}, which the catalogue does not have"
                raise ValueError(msg)
            found[one].append(name)
    return found


def status(entry: Rule, shown_by: Sequence[str]) -> str:
    """
    How far a rule is shown to hold.
    """
    if entry.policy == "strategy":
        return "advice"
    option = rv.options().get(entry.id)
    if option is not None and not option.set and not option.argument:
        return "no switch"
    if shown_by:
        return "one more wanted" if entry.trap and len(shown_by) == 1 else "shown"
    return "declined" if entry.kind == "declined" else "not shown"


def coverage_page() -> str:
    """
    Which scenarios show which rule.
    """
    shown = scenarios()
    found = {
        one.id: status(one, shown[one.id]) for one in rv.rules.catalogue().values()
    }
    count = [*found.values()].count
    lines = [COVERAGE, "| status | rules | |", "| :--- | ---: | :--- |"]
    lines += [
        f"| {one} | {count(one)} | {meaning} |" for one, meaning in STATUS.items()
    ]
    lines.append("")
    games = dict.fromkeys(one.game for one in rv.rules.catalogue().values())
    for game in games:
        lines += [f"## {game}", ""]
        lines += [
            "| rule | policy | status | scenarios |",
            "| :--- | :--- | :--- | :--- |",
        ]
        for entry in rv.rules.catalogue().values():
            if entry.game == game:
                files = "<br>".join(f"`{one}`" for one in shown[entry.id])
                lines.append(
                    f"| {cite(entry.id)} {entry.title} | {entry.policy} | "
                    f"{found[entry.id]} | {files} |"
                )
        lines.append("")
    return "\n".join(lines)
