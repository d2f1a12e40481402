"""
Input that hurts: what every reader is given, and what has to come of it.

``python tests/fuzz.py`` gives each reader more of it than the tests do, and counts what
came of it: ``--examples 5000``, and the names of readers to look at these alone.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import functools
import itertools
import json
import random
import re
import string
import sys
import tempfile
import time
import tomllib
import traceback
import unicodedata

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs

from click.testing import CliRunner

import rummyvariants as rv

from effort import within
from rummyvariants import bots
from rummyvariants._support import toml
from rummyvariants.bots.names import BotError
from rummyvariants.cli.commands import commands
from rummyvariants.files import _records as records
from rummyvariants.files import json as jsontext
from rummyvariants.files._checks import PHASES
from rummyvariants.files._positions import read_position, write_position
from rummyvariants.files.json import JsonError
from rummyvariants.game.verbs import _known as verbs
from rummyvariants.simulation.files import RowFile, read_rows
from rummyvariants.simulation.plans import SimulationError, planned
from rummyvariants.simulation.runs import play
from rummyvariants.simulation.summary import Tally
from strategies import Game


CALLS = 10_000_000
"""The most calls of Python functions that one input may take."""


# --------------------------------------------------------------------- what hurts


@attrs.frozen(eq=False)
class Odd:
    """
    A value as it stands in a file, where that is not what `json` would write.

    Attributes:
        text: How it is written.
        data: What it is in Python.
    """

    text: str = attrs.field(repr=lambda text: repr(text[:20]))
    data: Any = attrs.field(repr=False)

    def __deepcopy__(self, memo: object) -> Odd:
        return self


def _nested(depth: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


DEEP = 100_000
LENGTH = 300_000
ODD = (
    *(None, True, False, -1, 0, 1, 2, 7, 99, 1_000, 10**6, 1 << 63, 10**25, 0.5, 1e300),
    *("", " ", "?", "x", "9: draw", "draw", "Ann", "7h", "*", "A:B", "N|E", " N"),
    *("\x1b[31mred", "\r\n", "\0", "\ud800", "9" * 5_000, "x" * 200_000, " " * 40_000),
    *([], {}, [1], ["x"], [[]], [None], {"x": 1}, {"value": 1, "rule": 2}),
    *(["7h"] * 500, Odd("9" * 5_000, 10**5_000), Odd("-" + "9" * 4_000, -(10**4_000))),
    *(Odd("[" * DEEP + "]" * DEEP, _nested(DEEP)), Odd("NaN", float("nan"))),
    *(Odd("nan", float("nan")), Odd("inf", float("inf")), Odd("1e999", float("inf"))),
    *(Odd("0x" + "f" * 5_000, 16**5_000), Odd("1979-05-27", b"x"), Odd("1.0", 1.0)),
)
LONG = (
    *("9" * 5_000, "x" * 20_000, " " * 40_000, "[" * DEEP, "{" * 2_000, "a." * 2_000),
    *("7h " * 30_000, " with " * 8_000, " on 1" * 8_000, "=" * 9_000, "0 " * 3_000),
)
SHORT = (
    *"\"'#=:|/,*-\n\r\t\0\x1b\x7f\x85\u017f\u0663\u2028\u202e\u212a\ud800\ufeff",
    *(" on ", " on 1", " high", " with ", " back 1", "7h ", "7h 7h 7h 7h 7h 7h 7h 7h "),
    *("1e999", "NaN", "-1", "0", "99", "9: ", "[]", "{}", "null", "true", "=8h", '"""'),
)
NUMBERS = ("9" * 5_000, "-1", "0", "99", "9" * 18, "1e999", "NaN", "0.5", "٣", "²", "")
VOCABULARY = """
draw take meld lay put swap split discard rummy pass choose knock big gin deal on after
low high with none back shuffle : / = * 0 1 2 12 7h 8h 9h Th 10h ♥ 4c=8h *=8 Kc Kd *=*
?? PGV-P4 PGV-E5=2500 PGV-C7b=Qs:45 BN-01 careful search:playouts=40 greedy random
playouts=2 my_module:MyBot
"""
WORDS = tuple(VOCABULARY.split())


def letters(rng: random.Random) -> str:
    """
    Some characters.
    """
    kinds = ("0123456789AJQKcdhs*=: ", string.printable, range(0x180), range(0x11_0000))
    return "".join(
        one if isinstance(one, str) else chr(one)
        for one in (rng.choice(rng.choice(kinds)) for _ in range(rng.randrange(12)))
    )


def word(rng: random.Random) -> str:
    """
    A word of the notation, or a piece of text that belongs nowhere.
    """
    return rng.choice(rng.choice((WORDS, SHORT, SHORT, LONG, (letters(rng),))))


def sentence(rng: random.Random) -> str:
    """
    Some words.
    """
    return " ".join(word(rng) for _ in range(rng.randrange(8)))


def value(rng: random.Random, depth: int = 2) -> Any:
    """
    A value of any kind.
    """
    kind = rng.randrange(8 if depth else 6)
    if kind < 4:
        return copy.deepcopy(rng.choice(ODD))
    if kind < 6:
        return word(rng)
    inside = [value(rng, depth - 1) for _ in range(rng.randrange(4))]
    return inside if kind == 6 else {word(rng): one for one in inside}


def hurt(rng: random.Random, text: str) -> str:
    """
    A text with a word or a line that is another, is left out, or comes too often.
    """
    for _ in range(rng.choice((1, 1, 1, 2))):
        pieces = re.findall(r"\w+|\W", text) or [" "]
        lines = text.split("\n")
        at = rng.randrange(len(pieces))
        numbers = [one for one, piece in enumerate(pieces) if piece.isdecimal()]
        match rng.randrange(5 if len(lines) < 3 else 7):
            case 0:
                pieces[at] = rng.choice((word(rng), rng.choice(pieces)))
            case 1:
                pieces.insert(at, rng.choice((word(rng), rng.choice(pieces))))
            case 2:
                pieces[at : at + rng.randrange(1, 4)] = []
            case 3:
                pieces[at] *= min(rng.choice((2, 9, 40_000)), LENGTH // len(pieces[at]))
            case 4 if numbers:
                pieces[rng.choice(numbers)] = rng.choice(NUMBERS)
            case _:
                row = rng.randrange(len(lines))
                most = LENGTH // (len(lines[row]) + 1)
                times = min(rng.choice((0, 0, 2, 30_000)), most)
                lines[row : row + 1] = [lines[row]] * times
                pieces = ["\n".join(lines)]
        text = "".join(pieces)
    return text


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """
    The path of every value of a document.
    """
    entries: Any = ()
    if isinstance(data, dict):
        entries = data.items()
    elif isinstance(data, list):
        entries = enumerate(data)
    for key, one in entries:
        yield (*path, key)
        yield from places(one, (*path, key))


def _at(data: Any, path: Sequence[Any]) -> Any:
    return functools.reduce(lambda inside, key: inside[key], path, data)


def spoiled(rng: random.Random, document: Any) -> Any:
    """
    A document of which some value is another, is missing, or stands somewhere else.
    """
    data = copy.deepcopy(document)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        every = list(places(data))
        if not every:
            break
        path = rng.choice(every)
        inside, key = _at(data, path[:-1]), path[-1]
        match rng.randrange(8):
            case 0:
                del inside[key]
            case 1:
                inside[key] = copy.deepcopy(_at(data, rng.choice(every)))
            case 2 if isinstance(inside, dict):
                inside[word(rng)] = value(rng)
            case 2:
                inside.insert(key, value(rng))
            case 3 if isinstance(inside, dict):
                name = rng.choice(WORDS)
                more = range(rng.choice((2, 2, 2, 20_000)))
                inside |= {f"{name}{number}": number for number in more}
            case 3:
                most = LENGTH // 50 // (1 + len(list(places(inside[key]))))
                inside[key:key] = [inside[key]] * min(rng.choice((1, 20, 2_000)), most)
            case 4 | 5:
                inside[key] = _near(rng, inside[key])
            case _:
                inside[key] = value(rng)
    return data


def _near(rng: random.Random, old: Any) -> Any:
    """
    A value that might stand in the place of another one.
    """
    match old:
        case bool():
            return not old
        case int():
            return old + rng.choice((-1, 1, 2, -old))
        case str():
            return hurt(rng, old)
        case list():
            return rng.sample(old, len(old))
        case _:
            return value(rng)


def _text_of(value: Any, between: str, comma: str) -> str:
    """
    A value as JSON, or as TOML does it in a line.
    """
    match value:
        case Odd():
            return value.text
        case dict():
            pairs = [
                f"{json.dumps(key)}{between}{_text_of(one, between, comma)}"
                for key, one in value.items()
            ]
            return f"{{{comma.join(pairs)}}}"
        case list():
            return f"[{comma.join([_text_of(one, between, comma) for one in value])}]"
        case _:
            return json.dumps(value)


def as_json(value: Any) -> str:
    """
    A document as JSON, a value a line.
    """
    return _text_of(value, ": ", ",\n")


def as_toml(table: Any) -> str:
    """
    A document as TOML, a value a line.
    """
    return "\n".join(
        f"{toml.key(name)} = {_text_of(one, ' = ', ', ')}"
        for name, one in table.items()
    )


def as_data(value: Any) -> Any:
    """
    A document as data, what is odd in Python's own form.
    """
    match value:
        case Odd():
            return value.data
        case dict():
            return {key: as_data(one) for key, one in value.items()}
        case list():
            return [as_data(one) for one in value]
        case _:
            return value


# -------------------------------------------------------------- what there is to spoil


@functools.cache
def states() -> tuple[rv.State, ...]:
    """
    Games of several presets, in most phases.
    """
    found = []
    for number, name in enumerate(rv.presets()):
        rules = rv.preset(name)
        least, most = rules.match.players
        for steps in (0, 9 + number, 60 + 7 * number):
            players = min(most, least + number % 3)
            played = Game(rules, players, number, steps).play()
            found.append(
                played if played.is_over or played.to_act else rv.game.deal(played)
            )
    choosing = rv.preset("rummy-5000").with_options("PGV-D3e", "PGV-C2a", "PGV-P4")
    asked = (rv.new_game(choosing, 3, seed=seed) for seed in range(30))
    found.append(next(one for one in asked if one.phase == "choose"))
    return tuple(found)


def _plain(value: Any) -> Any:
    """
    A policy value as files have it.
    """
    if isinstance(value, tuple):
        pairs = all(isinstance(one, tuple) for one in value)
        return {str(key): one for key, one in value} if pairs else list(value)
    return value


@functools.cache
def rules_tables() -> tuple[dict[str, Any], ...]:
    """
    Rules files: every value of each preset, and options.
    """
    found: list[dict[str, Any]] = [
        {"extends": "rummy-5000", "with": ["PGV-P4", "PGV-E5=2500", "PGV-C7b=Qs:45"]},
        {"extends": "rummy-500", "name": "ours", "title": "Ours", "notes": "by hand"},
    ]
    for name in rv.presets():
        table: dict[str, Any] = {"extends": name}
        for path, value in rv.preset(name).values().items():
            section, _, key = path.partition(".")
            if value != ():
                table.setdefault(section, {})[key] = _plain(value)
        table["meld"]["least_run"] = {"value": 4, "rule": "OUR-1"}
        found.append(table)
    return tuple(found)


@functools.cache
def scenario_tables() -> tuple[dict[str, Any], ...]:
    """
    Scenarios, and positions of games.
    """
    files = sorted((Path(__file__).parent / "scenarios").rglob("*.toml"))
    texts = [file.read_text(encoding="utf-8") for file in files[::9]]
    texts += [rv.files.scenario_text(one) for one in states() if one.phase in PHASES]
    return tuple(tomllib.loads(text) for text in texts)


@functools.cache
def record_tables() -> tuple[dict[str, Any], ...]:
    """
    Records of games.
    """
    return tuple(tomllib.loads(str(rv.record(one, "words"))) for one in states())


GOAL = "most points"


@functools.cache
def asked_about() -> rv.View:
    """
    The view that choosers and arrangements are read with.
    """
    state = rv.position(
        "rummy-500",
        hands={"Ann": "7h 7d 7s * Kc", "Ben": "8c"},
        table=["Ben: 4h *=5h 6h"],
        discards="5c",
        phase="play",
        drawn="stock Kc",
        fill=True,
    )
    return rv.view(state, 0)


def about(kind: str) -> rv.View | None:
    """
    What a kind of document is read with.
    """
    return asked_about() if kind in {"chooser", "arrangement"} else None


@functools.cache
def documents(kind: str) -> tuple[Any, ...]:
    """
    JSON documents of a kind.
    """
    found: list[object] = []
    for number, state in enumerate(states()):
        seat = number % len(state.players)
        view = rv.view(state, None if number % 4 == 0 else seat)
        match kind:
            case "view":
                found.append(view)
            case "state" if state.dealer is not None:
                found += [state, rv.determinize(view, random.Random(number))]
            case "record":
                found.append(rv.record(state))
            case "action":
                found += state.history[-3:]
            case "event" | "seen_event":
                for done in itertools.islice(
                    rv.files.replay_steps(rv.record(state)), 40
                ):
                    told = done.seen_by(0) if kind == "seen_event" else done.events
                    found += told[-1:]
            case "ruleset":
                found.append(state.rules)
            case "ruling":
                found.append(rv.check(state, "draw", seat))
            case "legal_actions":
                found.append(rv.legal_actions(state).page(size=5))
            case "round_result" if state.result is not None:
                found.append(state.result)
            case "score_sheet":
                found.append(rv.game.score_sheet(state))
    if kind == "chooser":
        found.append(rv.chooser(asked_about().world))
        found.append(rv.chooser(asked_about().world).choose("lay", "on 1"))
        found.append(rv.chooser(asked_about().world).choose("discard", "Kc"))
    elif kind == "arrangement":
        found += [rv.arrange(asked_about().world, 0, goal) for goal in ("out", GOAL)]
    return tuple(jsontext.to_data(one, legal=6) for one in found)


@functools.cache
def row_files() -> tuple[str, ...]:
    """
    Files of rows.
    """
    found = []
    for rules in ("rummy-500", rv.preset("gin-rummy").with_options("GRV-03")):
        plan = planned(rules, ["random"], seed="x", unit="round")
        with _file("valid.jsonl") as file:
            list(play(plan, 3, output=file))
            found.append(file.read_text(encoding="utf-8"))
    return tuple(found)


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@contextlib.contextmanager
def _file(name: str, content: str | bytes | None = None) -> Iterator[Path]:
    """
    A file of its own, gone afterwards.
    """
    path = Path(_folder().name) / name
    if content is not None:
        if isinstance(content, str):
            content = content.encode("utf-8", "surrogatepass")
        path.write_bytes(content)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


# ------------------------------------------------------------------------ the readers


@attrs.frozen
class Reader:
    """
    A way from outside into the library.

    Attributes:
        given: What it is given.
        read: The reader.
        errors: What it may raise, as its documentation says.
        use: What has to work with everything that was read.
    """

    given: Callable[[random.Random], Any]
    read: Callable[[Any], Any]
    errors: tuple[type[Exception], ...]
    use: Callable[[Any], object]


def _texts(*valid: str) -> Callable[[random.Random], str]:
    def given(rng: random.Random) -> str:
        if rng.random() < 0.2:
            return rng.choice((sentence, letters))(rng)
        return hurt(rng, rng.choice(valid))

    return given


def _files(
    tables: Callable[[], Sequence[Any]], write: Callable[[Any], str] = as_toml
) -> Callable[[random.Random], str]:
    def given(rng: random.Random) -> str:
        if rng.random() < 0.05:
            return sentence(rng)
        table = rng.choice(tables())
        if rng.random() < 0.7:
            table = spoiled(rng, table)
            return write(table)
        return hurt(rng, write(table))

    return given


def _json(kind: str) -> Callable[[random.Random], Any]:
    """
    JSON as text, as bytes, and as the same in plain Python.
    """
    text = _files(lambda: documents(kind), as_json)

    def given(rng: random.Random) -> Any:
        match rng.randrange(6):
            case 0:
                return _encoded(text(rng))
            case 1:
                return (as_data(spoiled(rng, rng.choice(documents(kind)))),)
            case 2 if rng.random() < 0.3:
                return rng.choice(((as_data(value(rng)),), rng.randbytes(20)))
            case _:
                return text(rng)

    return given


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _from_json(kind: str) -> Callable[[Any], Any]:
    def read(given: Any) -> Any:
        if isinstance(given, tuple):
            return jsontext.from_data(given[0], kind, about(kind))
        return jsontext.from_json(given, kind, about(kind))

    return read


def _writes_back(kind: str) -> Callable[[Any], None]:
    def use(value: Any) -> None:
        text = jsontext.to_json(value, legal=3)
        assert jsontext.from_json(text, kind, about(kind)) == value
        if kind == "state":
            use_state(value)
        elif kind == "view":
            assert value._repr_html_()
            use_state(value.world)

    return use


def use_state(state: rv.State) -> None:
    """
    A state that was read can be shown, written and played on.
    """
    assert repr(state)
    for seat in (None, *range(len(state.players))):
        assert jsontext.to_json(rv.view(state, seat), legal=1)
    if state.phase in PHASES and state.dealer is not None:
        assert tomllib.loads(rv.files.scenario_text(state))
    chance = random.Random(1)
    for _ in range(4):
        if not rv.legal_actions(state):
            break
        state = rv.apply(state, rv.legal_actions(state).sample(chance.randrange))


def use_action(action: rv.Action) -> None:
    """
    An action that was read is written back, and every state has a ruling on it.
    """
    assert rv.game.parse_action(str(action), action.seat) == action
    for state in states():
        assert str(rv.check(state, action))


def use_rules(rules: rv.Ruleset) -> None:
    """
    Rules that were read are described, written back and played by.
    """
    assert rules.describe()
    assert rules.notices is not None
    table = records.rules_table(rules)
    again = rv.rules.read_rules(tomllib.loads(toml.table({"rules": table}))["rules"])
    assert again == rules
    for players in rules.match.players:
        try:
            state = rv.new_game(rules, players, seed=1)
        except rv.errors.RulesError:
            continue
        use_state(state)
        assert rv.files.Record.parse(str(rv.record(state))) == rv.record(state)


def use_scenario(scenario: rv.files.Scenario) -> None:
    """
    A scenario that was read is run, and its state written out.
    """
    try:
        state = rv.files.run(scenario).state
    except rv.errors.RecordError:
        state = scenario.start
    if state is not None:
        use_state(state)


def use_record(record: rv.files.Record) -> None:
    """
    A record that was read is written back, and replayed as far as it is legal.
    """
    assert rv.files.Record.parse(str(record)) == record
    assert jsontext.from_json(jsontext.to_json(record), "record") == record
    try:
        rv.replay(record)
    except rv.files.ReplayError as error:
        assert str(error)


def _rows() -> Reader:
    def read(given: Any) -> Any:
        with _file("rows.jsonl", given) as file:
            return list(read_rows(file))

    def use(rows: Any) -> None:
        tally = Tally()
        for row in rows:
            tally.add(row)
        if rows:
            assert str(tally.summary())
            plan = planned("rummy-500", ["random"], players=len(rows[0].bots))
            with _file("again.jsonl") as file:
                with RowFile(file, plan) as out:
                    for row in rows:
                        out.write(row)
                assert list(read_rows(file)) == rows

    def given(rng: random.Random) -> Any:
        text = rng.choice(row_files())
        if rng.random() < 0.5:
            return hurt(rng, text)
        head, first, *lines = text.splitlines()
        odd = as_json(spoiled(rng, json.loads(first))).replace("\n", "")
        return "\n".join([head, odd, *lines, ""])

    return Reader(given, read, (SimulationError,), use)


def made_action(rng: random.Random) -> tuple[type[Any], dict[str, Any]]:
    """
    An action made in Python, of which some value may be of a wrong type.
    """
    action = rng.choice([one for each in states() for one in each.history])
    kind = rng.choice([type(action), *verbs.VERBS])
    values = {
        one.name: getattr(action, one.name, 0) for one in attrs.fields(kind) if one.init
    }
    values[rng.choice(list(values))] = as_data(value(rng))
    return kind, values


def use_made(action: rv.Action) -> None:
    for state in states():
        ruling = rv.check(state, action)
        assert str(ruling)
        assert (action in rv.legal_actions(state)) == bool(ruling)
        if ruling:
            after = rv.apply(state, action)
            assert rv.replay(str(rv.record(after))) == after


def odd_options(rng: random.Random) -> tuple[str, list[str]]:
    """
    A preset, and options of which some may be spoiled.
    """
    chosen = []
    for name in rng.choices(list(rv.options()), k=rng.choice((1, 1, 2, 5))):
        text = name
        if rv.options()[name].argument or rng.random() < 0.1:
            argument = rng.choice(("2500", "Qs:45", rng.choice(NUMBERS), word(rng)))
            text = rng.choice((f"{name}={argument}", f"{name}=Qs:{argument}"))
        chosen.append(hurt(rng, text) if rng.random() < 0.1 else text)
    return rng.choice(rv.presets()), chosen


def odd_position(rng: random.Random) -> tuple[Any, rv.Ruleset]:
    """
    A position as it stands in a file, and the rules that it belongs to.
    """
    state = rng.choice([one for one in states() if one.phase in PHASES])
    return as_data(spoiled(rng, write_position(state))), state.rules


def odd_command(rng: random.Random) -> tuple[list[str], str]:
    """
    Words of a command line, and what stands in its file.
    """
    file = rng.choice(("rules file", "scenario", "record", "rows.jsonl"))
    game = rng.choice((rng.choice(rv.presets()), "FILE", word(rng)))
    words = rng.choice(
        (
            ["rules", game],
            ["rules", game, "--diff", rng.choice((word(rng), "FILE"))],
            [
                "explain",
                rng.choice((word(rng), rng.choice(list(rv.rules.catalogue())))),
            ],
            [
                "watch",
                game,
                "--rounds=1",
                f"--names={word(rng)},B",
                f"--seed={word(rng)}",
            ],
            ["watch", game, "--rounds=1", "--step", "--with", word(rng)],
            ["watch", game, "--rounds=1", "--bot", word(rng)],
            ["simulate", game, "--games=1", "--unit=round", "--bot", word(rng)],
            [
                "simulate",
                game,
                "--games=3",
                "--unit=round",
                "--resume",
                "--output=FILE",
            ],
            [rng.choice(("check", "ask", "replay", "play")), "FILE"],
            ["play", "--resume", "FILE", "--seed", word(rng)],
            [word(rng), word(rng)],
        )
    )
    if rng.random() < 0.1:
        words.insert(rng.randrange(len(words)), word(rng))
    # What is no text comes from a shell as single bytes.
    as_bytes = [one.encode("utf-8", "surrogatepass") for one in words]
    arguments = [one.decode("utf-8", "surrogateescape") for one in as_bytes]
    return arguments, READERS[file].given(rng)


def _command(given: tuple[list[str], str]) -> None:
    """
    Give a command; it ends by itself, and writes nothing that a terminal obeys.
    """
    words, content = given
    ending = ".jsonl" if content.startswith('{"form"') else ".toml"
    with _file(f"file{ending}", content) as file:
        words = [one.replace("FILE", str(file)) for one in words]
        done = CliRunner().invoke(commands, words, input="?\nquit\n")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code in {0, 1, 2}
    assert not any(map(_obeyed, set(done.output))), (
        f"not fit to be shown: {done.output!r}"
    )


def _load_rules(given: Any) -> rv.Ruleset:
    with _file("rules.toml", given) as file:
        return rv.load_rules(file)


def _parsed_card(text: str) -> rv.Card:
    return rv.Card(text)


def _same(read: Callable[[str], Any]) -> Callable[[Any], None]:
    def use(value: Any) -> None:
        assert read(str(value)) == value

    return use


ACTIONS = (
    *("draw", "take 3", "meld 7h *=8h 9h", "lay 9h Th on 2", "lay Ah low on 1"),
    *(
        "put 7c",
        "swap 8h on 2",
        "swap 8h low on 2",
        "split 2 after 3",
        "discard Kc",
        "rummy 5c 5d 5h",
    ),
    *("rummy 9h on 2", "pass", "choose 12", "knock Kd: 3c 3d 3h / 5s 6s 7s"),
    *("big gin: 7h 8h 9h Th / 5c 5d 5h", "knock 2c with none", "deal 1 : 7h 8h"),
    *("deal 1 back 3 4 shuffle 9 : 7h 8h", "2: draw", "lay 5c on 1", "lay 5c"),
)

BAD_SCENARIO = (rv.errors.RecordError, rv.errors.PositionError, rv.errors.RulesError)

READERS = {
    "card": Reader(
        _texts("7h", "10h", "*", "JK", "t♥"),
        rv.Card,
        (rv.errors.ParseError,),
        _same(rv.Card),
    ),
    "played card": Reader(
        _texts("4c=8h", "*=8", "*=8h"),
        rv.melds.Played,
        (rv.errors.ParseError,),
        _same(rv.melds.Played),
    ),
    "action": Reader(
        _texts(*ACTIONS), rv.game.parse_action, (rv.errors.ParseError,), use_action
    ),
    "action in Python": Reader(
        made_action, lambda one: one[0](**one[1]), (TypeError,), use_made
    ),
    "options": Reader(
        odd_options,
        lambda one: rv.preset(one[0]).with_options(*one[1]),
        (rv.errors.RulesError,),
        use_rules,
    ),
    "bot": Reader(
        _texts("search:playouts=40", "careful", "my_module:MyBot:depth=2"),
        bots.bot,
        (BotError,),
        lambda found: planned("rummy-500", [found]),
    ),
    "rules": Reader(
        lambda rng: as_data(spoiled(rng, rng.choice(rules_tables()))),
        rv.rules.read_rules,
        (rv.errors.RulesError,),
        use_rules,
    ),
    "rules file": Reader(
        _files(rules_tables), _load_rules, (rv.errors.RulesError,), use_rules
    ),
    "position": Reader(
        odd_position,
        lambda one: read_position(*one),
        (rv.errors.PositionError,),
        use_state,
    ),
    "scenario": Reader(
        _files(scenario_tables), rv.files.parse_scenario, BAD_SCENARIO, use_scenario
    ),
    "record": Reader(
        _files(record_tables),
        rv.files.Record.parse,
        (rv.errors.RecordError,),
        use_record,
    ),
    **{
        f"json {kind}": Reader(
            _json(kind), _from_json(kind), (JsonError,), _writes_back(kind)
        )
        for kind in jsontext._KINDS
    },
    "schema": Reader(
        lambda rng: as_data(value(rng)), jsontext.schema, (JsonError,), str
    ),
    "rows.jsonl": _rows(),
    "command line": Reader(odd_command, _command, (), str),
}


# ------------------------------------------------------------------------- what comes


def outcome(reader: Reader, given: Any) -> str:
    """
    What comes of an input: ``read`` or ``refused``.

    Raises:
        Exception: Whatever no reader may raise.
    """
    return within(CALLS, lambda: _outcome(reader, given))


def _outcome(reader: Reader, given: Any) -> str:
    try:
        value = reader.read(given)
    except reader.errors as error:
        message = str(error)
        assert message.strip(), "the error says nothing"
        lines = message.split("\n")
        assert not any(map(_obeyed, set(message))), (
            f"not fit to be shown: {message[:200]!r}"
        )
        assert max(map(len, lines)) < 1_000, f"not one sentence: {message[:300]!r}"
        return "refused"
    reader.use(value)
    return "read"


def _obeyed(letter: str) -> bool:
    """
    Whether a terminal may obey a character in place of showing it.
    """
    kind = unicodedata.category(letter)
    turned = unicodedata.bidirectional(letter) in {"LRE", "RLE", "LRO", "RLO", "RLI"}
    return turned or (kind in {"Cc", "Cs", "Zl", "Zp"} and letter not in "\n\t")


def _place(error: BaseException) -> str:
    """
    The innermost line of the library that an error came through.
    """
    frames = traceback.extract_tb(error.__traceback__)
    ours = [one for one in frames if "rummyvariants" in one.filename] or frames[-1:]
    name = ours[-1].filename.rpartition("rummyvariants/")[2]
    return f"{name}:{ours[-1].lineno}"


def count(name: str, examples: int, seed: int) -> Counter[str]:
    """
    What came of so many inputs of a reader, errors by where they came from.
    """
    found: Counter[str] = Counter()
    reader = READERS[name]
    for number in range(seed, seed + examples):
        given = reader.given(random.Random(number))
        try:
            found[outcome(reader, given)] += 1
        except Exception as error:  # noqa: BLE001 -- these are what is looked for
            failure = re.sub(r"(?s)[\d'\"].*", "", str(error))[:60]
            failure = f"{type(error).__name__} in {_place(error)}: {failure}"
            if failure not in found:
                print(f"  seed {number}: {failure!a}", flush=True)
            found[failure] += 1
    return found


def main() -> int:
    """
    Give the readers much, and print what came of it.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--examples", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("readers", nargs="*", help="only these readers")
    given = parser.parse_args()
    wrong = 0
    for name in given.readers or READERS:
        begun = time.perf_counter()
        found = count(name, given.examples, given.seed)
        took = time.perf_counter() - begun
        read, refused = found.pop("read", 0), found.pop("refused", 0)
        print(f"{name}: {read} read, {refused} refused ({took:.0f} s)", flush=True)
        for failure, times in found.most_common():
            print(f"  {times:>4} {failure!a}", flush=True)
        wrong += len(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
