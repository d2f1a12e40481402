"""
The rows of the rule sheet name what there is, and every one of them is said of a game.
"""

from __future__ import annotations

import re

from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs
import pytest

import rummyvariants as rv

from rummyvariants._support.packaged import packaged_text
from rummyvariants.errors import nearest
from rummyvariants.house import rules as house
from rummyvariants.policies._questions import ROWS as QUESTIONS
from rummyvariants.rules import _contradictions, _rows
from rummyvariants.rules._rows import rows_of, sorted_out
from rummyvariants.rules._variants import SECTIONS
from rummyvariants.rules.sheet import ORDER
from rummyvariants.rules.sheet.facts import Facts
from test_sheet import PATHS, case_of, with_value


PLAYED: Final = (
    *("rummy-500", "rummy-5000", "canasta", "gin-rummy", "oklahoma-gin"),
    *("indian-rummy", "three-thirteen", "contract-rummy"),
)
"""Games in which each policy value is tried."""
POLICIES: Final = {f"{at}.{name}" for at, cls in SECTIONS.items() for name in dir(cls)}
COMPUTED: Final = {name for name in dir(Facts) if not name.startswith("_")}
COMMON: Final = rows_of("words")[0]


def words_in(policy: str) -> set[str]:
    """
    The words that a policy value may be; empty if it is no word.
    """
    at, _, name = policy.partition(".")
    field = SECTIONS[at].values().get(name)
    takes = field.metadata["takes"] if field else ""
    found = re.findall(r"""'([^']*)'|"([^"]*)\"""", takes)
    return {one or other for one, other in found}


@attrs.frozen
class Reader:
    """
    The names that a row may use, and what is wrong with it.
    """

    where: str
    words: Mapping[str, Any]

    def name(self, name: str) -> Iterator[str]:
        kind, dot, rest = name.partition(".")
        if dot and kind in {"house", "asked"}:
            known, wanted = {*QUESTIONS}, rest
        elif dot and kind in {"replaced", "said"}:
            known, wanted = POLICIES, rest
        elif dot:
            known, wanted = POLICIES, name
        else:
            known, wanted = {*self.words, *COMPUTED}, name
        if wanted not in known:
            yield f"{self.where}: there is no {name!r}{nearest(wanted, sorted(known))}"

    def condition(self, text: str) -> Iterator[str]:
        for atom in re.split("; |, ", text):
            if atom == "else":
                continue
            found = _rows._ATOM.fullmatch(atom)
            if found is None:
                yield f"{self.where}: {atom!r} is not a condition"
                continue
            _, name, how, given = found.groups()
            yield from self.name(name)
            for value in (given or "").split(" | ") if how else ():
                if value.startswith("{"):
                    yield from self.name(value.strip("{}"))
                elif how.startswith("is") and not value.isdecimal():
                    yield from self.value(name, value)

    def value(self, name: str, value: str) -> Iterator[str]:
        kind, dot, _ = name.partition(".")
        known = words_in(name) if dot and kind in SECTIONS else set()
        if known and value not in known:
            yield f"{self.where}: {name} is never {value!r}{nearest(value, known)}"

    def text(self, text: str) -> Iterator[str]:
        for name, how, _ in _rows._PLACE.findall(text):
            yield from self.name(name)
            if how and how not in _rows._HOW and how not in COMPUTED:
                ways = [*_rows._HOW, *COMPUTED]
                yield f"{self.where}: there is no way {how!r}{nearest(how, ways)}"
        left = _rows._PLACE.sub("", text)
        if "{" in left or "}" in left:
            yield f"{self.where}: {text!r} has a brace too many"

    def cite(self, text: str) -> Iterator[str]:
        for one in text.split("; "):
            path, _, condition = one.partition(" if ")
            if condition:
                yield from self.condition(condition)
            if "-" in path:
                if path not in rv.rules.catalogue():
                    yield f"{self.where}: there is no rule {path!r}"
            elif "." not in path or path not in rv.preset("rummy-500").values():
                yield from (
                    self.name(path)
                    if "." not in path
                    else [f"{self.where}: there is no policy value {path!r}"]
                )

    def word(self, row: Any) -> Iterator[str]:
        if isinstance(row, list):
            yield from self.condition(*row)
        elif isinstance(row, str):
            yield from self.text(row)
        else:
            of_items = dict.fromkeys((*_rows.OF_ITEMS, "first", "last", "next"))
            each = Reader(self.where, {**self.words, **of_items})
            yield from self.name(row["each"]) if "each" in row else ()
            yield from (each if "each" in row else self).table(row)

    def table(self, row: Mapping[str, Any]) -> Iterator[str]:
        by = f"{row['by']} is " if "by" in row else ""
        for condition, one in row.items():
            if condition in _rows.NO_CONDITIONS:
                continue
            if condition != "else":
                yield from self.condition(by + condition)
            text, *paths = [one] if isinstance(one, str) else one
            yield from (
                self.name(text[1:]) if text.startswith("*") else self.text(text)
            )
            for path in paths:
                yield from self.cite(path)


def problems(name: str) -> Iterator[str]:
    """
    What is wrong with the rows of a section.
    """
    words, rows = rows_of(name)
    shared = {**COMMON, **words}
    for key, word in words.items():
        yield from Reader(f"{name}.toml, {key}", shared).word(word)
    for row in rows:
        yield from wrong_with(f"{name}.toml", row, shared)


def wrong_with(
    file: str, row: Mapping[str, Any], shared: Mapping[str, Any]
) -> Iterator[str]:
    """
    What is wrong with a row, given the words that it shares with others.
    """
    own = row["words"]
    reader = Reader(f"{file}, {row['text']!r}", {**shared, **own})
    yield from Reader(reader.where, shared).condition(row["when"])
    yield from reader.text(row["text"])
    yield from reader.cite(row["cite"]) if row["cite"] else ()
    for key, word in own.items():
        yield from reader.word(word)
        others = row["text"] + str({at: own[at] for at in own if at != key})
        if not re.search(rf"\b{key}\b", others):
            yield f"{reader.where}: the word {key!r} is not used"
    for line in row["rows"]:
        if "each" in line:
            yield from reader.name(line["each"])
        else:
            yield from reader.text(line["label"] + line["value"])
            yield from reader.cite(line["cite"])
            yield from reader.condition(line.get("when", "wilds"))


@pytest.mark.parametrize("name", ["words", *ORDER])
def test_rows_name_what_there_is(name: str) -> None:
    assert [*problems(name)] == []


# ------------------------------------------------------------------ nothing is in vain


@pytest.mark.parametrize("name", ["words", *ORDER])
def test_every_word_is_used(name: str) -> None:
    files = ["words", *ORDER] if name == "words" else [name]
    text = "".join(packaged_text("data", "sheet", f"{one}.toml") for one in files)
    for word in {*rows_of(name)[0]} - {"title"}:
        assert len(re.findall(rf"\b{word}\b", text)) > 1, word


def in_games() -> Iterator[rv.Ruleset]:
    """
    The games, each policy value in a game where it matters, and tables for the rest.
    """
    yield from map(rv.preset, rv.presets())
    for path in PATHS:
        name, others, choices = case_of(path)
        rules = rv.preset(name).with_values(others)
        yield from [with_value(rules, path, one) for one in choices]
    for name, values in TABLES:
        yield rv.preset(name).with_values(values)


TABLES: Final[list[tuple[str, dict[str, Any]]]] = [
    ("contract-rummy", {"layoff.since": "the same turn"}),
    ("rummy-5000", {"meld.rules": ["pairs and ends"]}),
    (
        "rummy-500",
        {
            "match.rules": ["pairs and ends"],
            "match.ends": "when one is left",
            "match.winner": "lowest",
        },
    ),
]
"""A preset and values, for rows that are said of no other game."""


@pytest.fixture
def _a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A rule that declares a kind of melds, and who is out of the match.
    """
    monkeypatch.setattr(house, "_RULES", {})

    for at in ("meld", "match"):

        @rv.house.register_rule(at, "pairs and ends")
        @attrs.frozen
        class PairsAndEnds(rv.house.HouseRule):
            """
            Two cards are a pair, and the first player is out.
            """

            kinds = (rv.house.Kind("pair", lambda _rule, cards: len(cards) == 2, 2, 2),)

            def eliminated(self, match: rv.house.MatchFacts) -> list[int]:
                del match
                return [0]


@pytest.mark.long
@pytest.mark.usefixtures("_a_rule")
def test_every_row_is_said_of_a_game() -> None:
    left = {name: rows_of(name)[1] for name in ORDER}
    for rules in in_games():
        known = Facts(rules)
        for name, rows in left.items():
            said = [row for row, *_ in known.section(name).said]
            left[name] = tuple([row for row in rows if row not in said])
    assert {name: rows for name, rows in left.items() if rows} == {}


# ------------------------------------------------------------- what is wrong is told


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"when": "draw.tak is free"}, "no 'draw.tak'; did you mean 'draw.take'"),
        ({"when": "wild"}, "there is no 'wild'; did you mean 'wilds'"),
        ({"when": "draw.take is top card"}, "draw.take is never 'top card'"),
        ({"when": "draw.take free"}, "'draw.take free' is not a condition"),
        ({"when": "house.owe"}, "there is no 'house.owe'; did you mean 'owes'"),
        ({"text": "A {begin}."}, "there is no 'begin'; did you mean 'begun'"),
        ({"text": "{match.target:figures}."}, "there is no way 'figures'"),
        ({"text": "A {one."}, "has a brace too many"),
        ({"cite": "RV-999"}, "there is no rule 'RV-999'"),
        ({"cite": "draw.taken"}, "there is no policy value 'draw.taken'"),
        ({"but": {"else": "x"}}, "the word 'but' is not used"),
    ],
)
def test_what_is_wrong_with_a_row_is_told(row: dict[str, Any], said: str) -> None:
    (found,) = wrong_with("a.toml", sorted_out({"text": "A meld.", **row}), COMMON)
    assert said in found


# -------------------------------------------------------------------- contradictions


def clashes() -> Iterator[tuple[str, dict[str, Any]]]:
    """
    A preset and values, some of which cannot be in force together.
    """
    for path in PATHS:
        for one in case_of(path)[2]:
            yield from ((name, {path: one}) for name in PLAYED)
    yield "rummy-500", {"wild.tens": True, "deck.ranks": "A23456789JQK"}
    yield "rummy-500", {"wild.one_eyed_jacks": True, "deck.ranks": "A23456789TQK"}
    yield "burraco", {"meld.ace": "round the corner"}


def test_contradictions_name_what_there_is() -> None:
    for reason, also, when, paths in _contradictions.rows():
        reader = Reader(reason, dict.fromkeys(dir(rv.Ruleset)))
        assert [*reader.text(reason), *reader.condition(f"{also}; {when}")] == []
        assert {*paths} <= {*rv.preset("rummy-500").values()}


def test_every_contradiction_is_told() -> None:
    found = set()
    for name, values in clashes():
        try:
            rv.preset(name).with_values(values)
        except rv.errors.RulesError as error:
            found.update(error.problems)
    for reason, _, when, paths in _contradictions.rows():
        start = reason.partition("{")[0]
        assert any(
            one.startswith(start) and all(f"{path} = " in one for path in paths)
            for one in found
        ), f"{reason}: {when}"
