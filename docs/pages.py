"""
The pages that are made when the documentation is built, and are not kept in git.

They follow from the rules, the options, the scenarios and the measurements. `conf.py`
calls `make` before Sphinx reads any page.
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys

from pathlib import Path
from typing import Any, Final

import click

import house_rules
import indices
import keys
import learned
import observations
import questions
import rule_pages
import rummyvariants as rv

from rummyvariants import svg
from rummyvariants.cli.commands import commands


DOCS: Final = Path(__file__).resolve().parent
BENCH: Final = DOCS.parent / "bench"
sys.path.append(str(BENCH))

import compare  # noqa: E402 -- they are in another folder
import gin_duel  # noqa: E402
import strength  # noqa: E402


REFERENCE: Final = DOCS / "reference"
PICTURES: Final = DOCS / "pictures"
PARTS: Final = DOCS / "parts"
"""The parts that a page which is written by hand includes."""
MODULES: Final = """\
---
no-search: true
---

# Modules

The modules of each folder, with the first sentence of their docstrings; {doc}`/design` explains how they fit together.
"""  # noqa: E501 -- one sentence a line
NUMBERS: Final = """\
# Words, sizes and fields

These tables belong to {{doc}}`choosing`, which explains them.

## The words of a game

{words}

How many there are follows from these:

* *What is done*: the verbs that can ever be used under the rules.
* *How many*: as far as there are cards in the deck; up to 13 where one discard at most may be taken and no meld is split.
* *A card* and all groups that name cards: the faces of the deck, not the copies.
* *A meld*: as many as the cards of the deck can make, each of the fewest cards that a meld may have; as many as there are cards where single wilds may lie on the table; and 0, the dealer's wild.
* *A place of a meld*, *beside a wild*, *what a wild stands for*: only if some card may be wild.
* *The discard of a knock*, *the melds of a hand*: only if players knock or declare.
* *Letters*: no action needs them; observations spell with them what house rules have named, letters outside of ASCII as Python escapes them.

The number of indices in the stepwise form, by the number of players:

{sizes}

In the flat form the indices are, verb by verb, all actions for all cards of the deck.
Lay-offs are on as many melds as the largest hand that is dealt can make.

{flat_sizes}

## The fields of an observation

A vector holds the fields in this order.
`columns` is there only if the score is kept in several columns, and `memory` only if a rule remembers something.
`history` and `details` belong to the form with perfect recall.

{fields}

These axes have names for their places.
Some have a last one more where the rules call for it: `score` has `payments after rounds` where a rule `pays`, `end` has `dealt hand` with `out.dealt_hand`, and the kinds of melds in `shapes` have `alike` with `meld.alike`.

{axes}

The shapes in some games, each with the fewest players:

{shapes}
"""  # noqa: E501 -- one sentence a line
SPEED: Final = """\
# Figures of speed

{{doc}}`/explanation/performance` says what is measured, and how to read the figures.

## Pure Python

{pure}

## The compiled wheel

{compiled}

## Every preset

`python bench/compare.py --presets --write` measures random play of all presets in one run.

{presets}

## Programs that learn

`python bench/compare.py --learners --write` measures random players that look at an observation and a mask before each step.
A stepwise action takes several steps, such as `discard` and `7h`.

{learners}
"""  # noqa: E501 -- one sentence a line
STAMP: Final = DOCS / "_build" / "pages.txt"
"""What the pages were made of last, and their names."""


def pictures() -> dict[Path, str]:
    """
    Every picture by its path.
    """
    drawn = {
        "hand": svg.hand("2c 7d Td Jh Qs Ks *", height=110),
        "four-colours": svg.hand("2c 7d Td Jh Qs Ks *", height=110, four_colours=True),
        "wilds": svg.meld("7h *=8h 9h 4c=Th", height=110),
        "beside": svg.meld(beside(), height=110),
        "view": svg.view(rv.view(table(), 0)),
        "question": question(),
        "house-rules": house_rules.picture(),
        "learned": learned.picture(),
    }
    return {PICTURES / f"{name}.svg": f"{text}\n" for name, text in drawn.items()}


def question() -> str:
    """
    The cards of the question on the first page.
    """
    parts = []
    for at, label, cards in (
        (14, "Discard pile", "9h Qd 4s"),
        (214, "Ann holds", "7h 8h Kc"),
    ):
        drawn = svg.hand(cards, height=112)
        parts.append(f'<text x="{at}" y="26">{label}</text>')
        parts.append(f'<g transform="translate({at} 36)">{drawn}</g>')
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 380 162" width="380">'
        '<rect width="380" height="162" rx="8" fill="#1d5c3f"/>'
        f'<g font-family="system-ui,sans-serif" font-size="15" fill="#f4f4f0">'
        f"{''.join(parts)}</g></svg>"
    )


def beside() -> rv.melds.Meld:
    """
    A meld with a real card beside the wild that stands for it.
    """
    state = rv.position(
        "rummy-5000",
        hands={"Ann": "8h Kc Js", "Ben": "2c", "Cleo": "2d"},
        table=["Ann: 7h 4c=8h 9h"],
        wild="4",
        phase="play",
        turn="Ann",
        drawn="stock 8h",
    )
    return rv.apply(state, "lay 8h on 1").table[0]


def table() -> rv.State:
    """
    A game of Rummy 500 in the middle of a round.
    """
    return rv.position(
        "rummy-500",
        hands={"Ann": "3d 4d 7s Jc Qc Kc", "Ben": "2c 5s 9d", "Cleo": "8c 8d Ts 6h"},
        table=["Ben: 7h *=8h 9h | Ann: Th", "Cleo: 5c 5d 5h"],
        discards="2h Qd 6s",
        dealer="Cleo",
        turn="Ann",
        scores={"Ann": 120, "Ben": 85, "Cleo": -15},
        fill=True,
    )


def pages() -> dict[Path, str]:
    """
    Every page and picture by its path.
    """
    made = {
        REFERENCE / "rules" / f"{name}.md": rule_pages.game_page(name)
        for name in rv.presets()
    }
    made[REFERENCE / "rules" / "library.md"] = rule_pages.library_page()
    made[REFERENCE / "figures.md"] = house_rules.page()
    made[REFERENCE / "keys.md"] = keys.page()
    made[REFERENCE / "questions.md"] = questions.page()
    made[REFERENCE / "options.md"] = rule_pages.options_page()
    made[REFERENCE / "policy-values.md"] = rule_pages.values_page()
    made[REFERENCE / "coverage.md"] = rule_pages.coverage_page()
    made[REFERENCE / "modules.md"] = modules()
    parts = benchmarks() | options_of_commands()
    made[REFERENCE / "numbers.md"] = NUMBERS.format(
        **indices.parts(), **observations.parts()
    )
    made[REFERENCE / "speed.md"] = SPEED.format(**speed())
    made |= {PARTS / f"{name}.md": text for name, text in parts.items()}
    written = {path: f"{text.strip()}\n" for path, text in made.items()}
    return written | pictures()


def figures(path: Path) -> Any:
    """
    What a measurement has kept.
    """
    return json.loads(path.read_text("utf-8"))


def benchmarks() -> dict[str, str]:
    """
    The tables of what the programs in ``bench`` have measured, by name.
    """
    return {
        "strength": strength.table(figures(strength.DATA)),
        "decisions": strength.table_of_times(figures(strength.TIMES)),
        "gin-duel": gin_duel.own_table(figures(gin_duel.DATA)),
        "learned": learned.table(),
    }


def speed() -> dict[str, str]:
    """
    The tables of how fast the library is, by name.
    """
    blocks = figures(compare.DATA).items()
    found = {
        name: compare.section(block).replace("\n#### ", "\n### ")
        for name, block in blocks
    }
    of_forms = [text for name, text in found.items() if name.startswith("learners")]
    return {**found, "learners": "\n\n".join(of_forms)}


def options_of_commands() -> dict[str, str]:
    """
    The options of each command, as its help has them.
    """
    made = {}
    for name, command in commands.commands.items():
        lines = ["| option | what it does |", "| :--- | :--- |"]
        context = click.Context(command, show_default=True)
        for one in command.params:
            said = isinstance(one, click.Option) and one.get_help_record(context)
            if said:
                option, text = (part.replace("|", "\\|") for part in said)
                lines.append(f"| `{option}` | {text} |")
        made[f"options-of-{name}"] = "\n".join(lines)
    return made


def modules() -> str:
    """
    The modules of each folder of the package, with what they say of themselves.
    """
    package = Path(rv.__file__).parent
    folders = sorted({path.parent for path in package.rglob("_*.py")} - {package})
    lines = [MODULES]
    for folder in folders:
        lines += [f"## `{folder.relative_to(package).as_posix()}/`", ""]
        lines += ["| module | purpose |", "| :--- | :--- |"]
        for path in sorted(folder.glob("*.py")):
            said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
            purpose = " ".join(said.partition("\n\n")[0].split()).rstrip(".")
            if path.stem != "__init__":
                lines.append(f"| `{path.stem}` | {purpose} |")
        lines.append("")
    return "\n".join(lines)


def fingerprint() -> str:
    """
    A hash of all that the pages are made of.
    """
    package = Path(rv.__file__).parent
    sources = [
        *package.rglob("*.py"),
        *(package / "data").rglob("*.*"),
        *(path for path in DOCS.glob("*.*") if path.suffix != ".md"),
        *BENCH.glob("*.py"),
        *rule_pages.SCENARIOS.rglob("*.toml"),
        *rule_pages.HOUSE_RULES.glob("*.py"),
    ]
    found = hashlib.sha256()
    for path in sorted(sources):
        found.update(f"{path}\n".encode() + path.read_bytes())
    return found.hexdigest()


def make() -> None:
    """
    Write the pages, unless nothing that they are made of has changed.

    A page that says what it said is left alone, so that Sphinx does not read it again.
    """
    made_of = fingerprint()
    before, *names = STAMP.read_text("utf-8").splitlines() if STAMP.exists() else [""]
    old = [DOCS / name for name in names]
    if before == made_of and all(path.exists() for path in old):
        return
    made = pages()
    for path, text in made.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
    for path in {*old} - {*made}:
        path.unlink(missing_ok=True)
    names = [path.relative_to(DOCS).as_posix() for path in made]
    STAMP.parent.mkdir(exist_ok=True)
    STAMP.write_text("\n".join([made_of, *names, ""]), "utf-8")
