"""
Scenario files: a position or a deal, steps, and what must hold.
"""

from __future__ import annotations

import functools
import os

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from rummyvariants._support import toml
from rummyvariants._support.arguments import explained
from rummyvariants.actions import Action, Deal
from rummyvariants.cards import Card
from rummyvariants.errors import (
    ParseError,
    PositionError,
    RecordError,
    RulesError,
    nearest,
)
from rummyvariants.files._checks import read_document
from rummyvariants.files._documents import file_slots
from rummyvariants.files._expectations import LOOKERS, VIEW_KEYS, differences
from rummyvariants.files._facts import rules_table
from rummyvariants.files._forms import (
    ANYTHING,
    CARDS,
    COUNT,
    TEXT,
    Fields,
    Form,
    Many,
    Maybe,
    Plain,
    Reading,
    Table,
    unknown_keys,
)
from rummyvariants.files._positions import (
    MATCH_KEYS,
    FileReader,
    read_position,
    write_position,
)
from rummyvariants.files._problems import Place, Problems, said
from rummyvariants.files._records import in_words, read_text
from rummyvariants.game._engine.beginning import whole_deck
from rummyvariants.game._engine.deals import next_deal
from rummyvariants.game._engine.game import apply, check
from rummyvariants.game._state import State
from rummyvariants.game.verbs._known import parse_action
from rummyvariants.game.verbs._short import short_form
from rummyvariants.rules._files import load_rules, read_rules
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Ruling, catalogue, rule_names


@attrs.frozen(kw_only=True)
class StepLine:
    """
    A step of a scenario.

    Attributes:
        seat: The name of the seat; empty if only one seat may act.
        do: The action, in the notation.
        refused: The rules, one of which the refusal has to cite, ``*`` for any; None if
            the step has to be legal.
        notes: Notes on it.
    """

    seat: str = ""
    do: str
    refused: tuple[str, ...] | None = None
    notes: str = ""


@attrs.frozen(kw_only=True)
class Scenario:
    """
    A scenario as its file states it, key by key, and what follows from that.

    Attributes:
        title: What it shows.
        cites: The ids of the rules that it shows.
        rules: The rules of its game; None if they must be refused.
        position: The section for its position, if it has one.
        deal: The section for its deal, if it has one.
        step: Its steps.
        expect: What must hold at the end.
        invalid: The rules, one of which the refusal of its position has to cite.
        notes: Notes on it.
        start: The state that it starts from; None if that must be refused.
        problem: The error that refused its position or rules.
        decks: Decks for further deals if the first is thrown in.
        put_back: The places of cards that are buried or put back into the deck.
        shuffle: The number that determines the order of a pile that is shuffled.
        cut: How many cards the player before the dealer cut off.
        where: The name of its file; empty if it has none.

    >>> state = rv.new_game("rummy-500", 2)
    >>> scenario = rv.files.parse_scenario(rv.files.scenario_text(state, "A draw"))
    >>> scenario.title, scenario.start.phase
    ('A draw', 'draw')
    """

    title: str = ""
    cites: tuple[str, ...] = ()
    rules: Ruleset | None = None
    position: Mapping[str, Any] | None = None
    deal: Mapping[str, Any] | None = None
    step: tuple[StepLine, ...] = ()
    expect: Mapping[str, Any] = attrs.field(factory=dict)
    invalid: tuple[str, ...] = ()
    notes: str = ""
    start: State | None = None
    problem: PositionError | RulesError | None = None
    decks: tuple[tuple[Card, ...], ...] = ()
    put_back: tuple[int, ...] = ()
    shuffle: int = 0
    cut: int = 0
    where: str = ""


@attrs.frozen
class Outcome:
    """
    The result of running a scenario.

    Attributes:
        rulings: Each step reached, with its ruling.
        state: The state after the last step; None if the position was refused.
        differences: What differs from the scenario; empty if nothing does.

    >>> text = rv.files.scenario_text(rv.new_game("rummy-500", 2))
    >>> outcome = rv.files.run(rv.files.parse_scenario(text))
    >>> outcome.differences, outcome.rulings, outcome.state.phase
    ((), (), 'draw')
    """

    rulings: tuple[tuple[StepLine, Ruling], ...]
    state: State | None
    differences: tuple[str, ...]


# -------------------------------------------------------------------------- reading


@explained
def load_scenario(path: str | os.PathLike[str], *, modules: bool = False) -> Scenario:
    """
    Read a scenario file.

    Args:
        path: The file.
        modules: Whether to import the ``modules`` that its rules, or its file of rules,
            name; see `load_rules`.

    Raises:
        RecordError: If the file cannot be read or is not a scenario; with all problems.
        PositionError: If its position is impossible, unless it says so itself.
        RulesError: If its rules are not valid, unless it says so itself.

    >>> import pathlib, tempfile
    >>> text = rv.files.scenario_text(rv.new_game("rummy-500", 2), "Before the draw")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "dispute.toml")
    ...     _ = path.write_text(text)
    ...     rv.files.load_scenario(path).title
    'Before the draw'
    """
    folder = Path(path).parent
    return parse_scenario(read_text(path), str(path), folder=folder, modules=modules)


@explained
def parse_scenario(
    text: str,
    where: str = "",
    *,
    folder: str | os.PathLike[str] | None = None,
    modules: bool = False,
) -> Scenario:
    """
    Read a scenario from its text; the errors are those of `load_scenario`.

    Args:
        text: The text of a scenario file.
        where: The file's name for error messages.
        folder: Where files that it names lie: its rules may be one of them. Without a
            folder it may name none.
        modules: As for `load_scenario`.

    >>> scenario = rv.files.parse_scenario('''
    ... rules = "rummy-500"
    ... position = { hands = { Ann = "7h 8h 2c", Ben = "Kd" }, fill = true }
    ... ''')
    >>> scenario.start.hands
    (Cards('2c 7h 8h'), Cards('Kd'))
    """
    try:
        given = toml.read(text)
    except ValueError as error:
        raise RecordError(str(error), where=where) from None
    rules = given.get("rules")
    if folder is not None and isinstance(rules, str) and rules.endswith(".toml"):
        found = load_rules(Path(folder) / rules, modules=modules)
        given["rules"] = rules_table(found)

    def refusal(found: Iterable[Place], _: Iterable[str]) -> RecordError:
        return RecordError([in_words(*one) for one in found], where=where)

    at = Reading(Problems(refusal))
    scenario = _read(given, at, where)
    at.problems.done()
    try:
        read = read_rules(
            given["rules"],
            where,
            modules=modules,
            folder=None if folder is None else Path(folder),
        )
        return _set_up(attrs.evolve(scenario, rules=read), read)
    except (PositionError, RulesError) as error:
        if scenario.invalid:
            return attrs.evolve(scenario, problem=error)
        raise


class _Ids(Many[str]):
    """
    Ids of rules: one, or a list.
    """

    def read(self, given: object, path: str, at: Reading) -> tuple[str, ...]:
        return super().read([given] if isinstance(given, str) else given, path, at)


_IDS: Final = _Ids(TEXT, "a rule id or a list of them")


_BEFORE_EACH: Final = "[[step]] before each step"
_STEP: Final = Fields(
    StepLine,
    wanted=_BEFORE_EACH,
    seat=Plain(str, "the name of a seat", "string"),
    do=Plain(str, 'the action, as in do = "draw"', "string"),
    refused=Maybe(_IDS),
)
_DOCUMENT: Final = Fields(
    Scenario,
    without=("start", "problem", "decks", "put_back", "shuffle", "cut", "where"),
    cites=_IDS,
    rules=ANYTHING,
    invalid=_IDS,
    position=Table(ANYTHING, "a section, [position]"),
    deal=Table(ANYTHING, "a section, [deal]"),
    expect=Table(ANYTHING, "a section, [expect]"),
    step=Many(_STEP, _BEFORE_EACH),
)


def _read(given: Mapping[str, Any], at: Reading, where: str) -> Scenario:
    """
    A scenario without its rules and start; what is wrong with it is noted.
    """
    found = _DOCUMENT.parts(given, "", at)
    scenario = Scenario(**{**found, "rules": None}, where=where)
    if "rules" not in given:
        at.wrong("rules", 'name the preset, such as rules = "rummy-5000"')
    if "position" in given and "deal" in given:
        at.wrong("", "write either [position] or [deal]")
    elif not {"position", "deal", "invalid"} & {*given}:
        at.wrong("", "write a [position] or a [deal]")
    known = {"*", *catalogue(), *_texts(given.get("rules"))}
    cited = {"cites": scenario.cites, "invalid": scenario.invalid}
    for number, one in enumerate(scenario.step):
        if one is None:
            continue  # which was noted
        cited[f"step[{number}].refused"] = one.refused or ()
        try:
            parse_action(one.do)
        except ParseError as error:
            if short_form(one.do) is None:
                at.wrong(f"step[{number}].do", str(error))
    for path, ids in cited.items():
        for name in ids:
            if name and name not in known:
                at.wrong(path, rule_names().problem(name, len(at.problems.found)))
    unknown_keys(scenario.expect, [*LOOKERS, "view"], "expect", at)
    views = scenario.expect.get("view", {})
    if isinstance(views, Mapping) and all(
        isinstance(x, Mapping) for x in views.values()
    ):
        for seat, claims in views.items():
            unknown_keys(claims, VIEW_KEYS, f"expect.view.{seat}", at)
    else:
        at.wrong("expect.view", "write a section for each seat: [expect.view.N]")
    if scenario.invalid and scenario.step:
        at.wrong("invalid", "a position that must be refused has no steps")
    return scenario


def _set_up(scenario: Scenario, rules: Ruleset) -> Scenario:
    if scenario.position is not None:
        start = read_position(scenario.position, rules, scenario.where)
        _check_steps(scenario, start)
        return attrs.evolve(scenario, start=start)
    if scenario.deal is not None:
        return _deal(scenario, scenario.deal, rules)
    return scenario


def _texts(given: object) -> Iterator[str]:
    """
    Every text in a table; house rules are cited as the table names them.
    """
    if isinstance(given, str):
        yield given
    elif isinstance(given, Mapping | list):
        for one in given.values() if isinstance(given, Mapping) else given:
            yield from _texts(one)


def _check_steps(scenario: Scenario, start: State) -> None:
    """
    Check that every step names an existing seat.
    """
    problems: list[str] = []
    for number, line in enumerate(scenario.step, 1):
        if line.seat and line.seat not in start.players:
            hint = nearest(line.seat, start.players, len(problems))
            told = f"there is no seat {said(line.seat)}{hint}"
            problems.append(f"step {number}: {told}")
    if problems:
        raise RecordError(problems, where=scenario.where)


@functools.cache
def _deal_forms() -> Mapping[str, Form[Any]]:
    """
    The forms of the keys of a deal.
    """
    found: dict[str, Form[Any]] = {
        key: file_slots()[key][0].form for key in ("seats", "dealer", *MATCH_KEYS)
    }
    numbers = Many(COUNT, "a list of whole numbers")
    return found | {
        "deck": Many(CARDS, "the cards as a text, or a list of such texts"),
        "put_back": numbers,
        "shuffle": COUNT,
        "cut": COUNT,
    }


def _deal(scenario: Scenario, given: Mapping[str, Any], rules: Ruleset) -> Scenario:
    decks = given.get("deck", "")
    given = {**given, "deck": [decks] if isinstance(decks, str) else decks}
    reader = FileReader(given, rules, _deal_forms(), scenario.where)
    orders: list[tuple[Card, ...]] = []
    for cards in reader.found["deck"]:
        try:
            orders.append(whole_deck(rules, len(reader.names), cards))
        except PositionError as error:
            for problem in error.problems:
                reader.problems.add("deck", problem, *error.rules)
    cut = reader.found.get("cut", 0)
    most = len(rules.deck.cards_for(len(reader.names))) - 1
    if cut > most:
        message = f"at most {most} cards can be cut off, not {cut}"
        reader.problems.add("cut", message)
    document = reader.document(shuffle=reader.found.get("shuffle", 0))
    state = read_document(document, reader.problems)
    scenario = attrs.evolve(
        scenario,
        decks=tuple(orders),
        put_back=reader.found.get("put_back", ()),
        shuffle=document.shuffle,
        cut=cut,
    )
    _check_steps(scenario, state)
    state, left = _deal_on(state, scenario)
    return attrs.evolve(scenario, start=state, decks=left)


def _deal_on(
    state: State, scenario: Scenario
) -> tuple[State, tuple[tuple[Card, ...], ...]]:
    """
    Deal until a deal succeeds or waits: from given decks, then from shuffles.
    """
    left = list(scenario.decks)
    while state.phase == "deal" and state.result is None:
        if left:
            action: Action = Deal(
                left.pop(0),
                state.match.next_dealer,
                scenario.put_back,
                scenario.shuffle,
                cut=scenario.cut,
            )
        else:
            action = next_deal(state)
        state = apply(state, action)
    return state, tuple(left)


# -------------------------------------------------------------------------- running


@explained
def run(scenario: Scenario) -> Outcome:
    """
    Run a scenario.

    Returns:
        The outcome, without differences if everything is as it must be.

    Raises:
        RecordError: If an expectation cannot be read.

    >>> scenario = rv.files.parse_scenario('''
    ... rules = "rummy-500"
    ... position = { hands = { Ann = "7h 8h 2c", Ben = "Kd" }, fill = true }
    ... step = [{ do = "draw" }, { do = "discard 2c" }]
    ... ''')
    >>> outcome = rv.files.run(scenario)
    >>> [ruling.legal for _, ruling in outcome.rulings], outcome.state.discards
    ([True, True], (Card('2c'),))
    """
    state = scenario.start
    if state is None or scenario.invalid:
        return Outcome((), None, _refused_as_must_be(scenario))
    rulings: list[tuple[StepLine, Ruling]] = []
    found: list[str] = []
    for number, line in enumerate(scenario.step, 1):
        seat = state.players.index(line.seat) if line.seat else None
        ruling = check(state, line.do, seat)
        rulings.append((line, ruling))
        who = f"step {number}, {line.seat}{line.seat and ' '}'{line.do}'"
        if line.refused is not None:
            found += _refusal_differs(who, line.refused, ruling)
            if ruling:
                break
            continue
        if not ruling:
            found.append(f"{who} is {ruling}")
            break
        state = apply(state, line.do, seat)
        if state.match.thrown_in and state.phase == "deal":
            state, _ = _deal_on(state, scenario)
    else:
        found += differences(state, scenario.expect, scenario.where)
    return Outcome(tuple(rulings), state, tuple(found))


def _refusal_differs(who: str, wanted: Sequence[str], ruling: Ruling) -> list[str]:
    if ruling:
        return [f"{who} must be refused, but is legal"]
    if "*" in wanted or set(wanted) & set(ruling.cites):
        return []
    rules = " or ".join(wanted)
    return [f"{who} must be refused by {rules}, but the refusal is: {ruling.words}"]


def _refused_as_must_be(scenario: Scenario) -> tuple[str, ...]:
    error = scenario.problem
    wanted = scenario.invalid
    if error is None:
        return (f"it must be refused by {' or '.join(wanted)}, but it is accepted",)
    if "*" in wanted or set(wanted) & set(error.rules):
        return ()
    message = "; ".join(error.problems)
    cited = ", ".join(error.rules) or "no rule"
    return (
        f"it must be refused by {' or '.join(wanted)}, but {cited} is cited: {message}",
    )


# -------------------------------------------------------------------------- writing


@explained
def scenario_text(state: State, title: str = "A position of a game") -> str:
    """
    The position of a game in progress as a scenario file, to save it or report a bug.

    Raises:
        PositionError: If no round is being played.

    >>> state = rv.new_game("three-thirteen", ["Ann", "Ben"], seed=3)
    >>> print(rv.files.scenario_text(state, "Before the first draw"))
    title = "Before the first draw"
    rules = "three-thirteen"
    ...
    """
    position = write_position(state)
    head = {"title": title, "rules": rules_table(state.rules.of_table)}
    return toml.table(head) + "\n" + toml.table(position, "[position]") + "\n[expect]\n"
