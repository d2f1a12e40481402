"""
What callers get who give a wrong argument: one sentence that says what was expected.

Every public function, method and class is called with every kind of wrong argument, in
every place, and with two arguments swapped. What comes back may be a result, or an
error that the library raises itself; no error of Python's from its inside may come.
"""

from __future__ import annotations

import array
import importlib
import inspect
import itertools
import linecache
import random
import traceback

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import rummyvariants as rv

from rummyvariants import bots, house, policies, rules, vector
from rummyvariants.melds import Terms
from rummyvariants.policies import Duty


np: Any
try:
    import numpy as np
except ModuleNotFoundError:
    np = None

SOURCE: Final = Path(rv.__file__).parent
MODULES: Final = (
    "",
    "bots",
    "envs",
    "files",
    "files.json",
    "game",
    "house",
    "learning",
    "melds",
    "policies",
    "rules",
    "rules.sheet",
    "solver",
    "svg",
    "testing",
    "vector",
)
ASKED_BY_THE_ENGINE: Final = (policies.Policy, house.HouseRule, Terms, Duty)
"""Classes whose methods the engine calls in every step: authors write them, and the
testing kit checks their answers."""

MADE_BY_THE_LIBRARY: Final = (
    *(
        rv.Ruleset,
        rv.rules.Rule,
        rules.Option,
        rv.house.RoundFacts,
        rv.house.Turn,
        rv.house.MatchFacts,
    ),
    rv.house.DealFacts,
)
"""Classes that nobody makes by hand: there are functions for it, or the engine does."""

RULES: Final = rv.preset("rummy-500").with_values({"match.target": 1})
STATE: Final = rv.new_game(RULES, ["Ann", "Ben"], seed=1)
PLAYING: Final = rv.apply(STATE, "draw")
ON_THE_TABLE: Final = rv.position(
    RULES, seats=["Ann", "Ben"], table=["Ann: 7c 8c 9c"], fill=True
)
VIEW: Final = rv.view(STATE, 0)
RECORD: Final = rv.record(STATE)
SCENARIO: Final = rv.files.parse_scenario(rv.files.scenario_text(STATE))
ENCODING: Final = rv.learning.encoding(RULES, 2)
SPEC: Final = rv.learning.observation_spec(RULES, 2)


class Own:
    """
    Something that the library has never heard of.
    """

    def __repr__(self) -> str:
        return "an object of mine"


WRONG: Final[list[Any]] = [
    None,
    7,
    -1,
    2.5,
    float("nan"),
    True,
    "",
    "nonsense",
    b"7h",
    [],
    ["7h", 7],
    {"7h": 7},
    {7},
    Own(),
    Own,
    len,
    STATE,
    VIEW,
    RULES,
    random.Random(1),
    rv.Card("7h"),
    rv.actions.Draw(0),
    array.array("i", [1, 2]),
]
if np is not None:
    WRONG += [np.arange(3), np.int64(9), np.float64(0.0)]

RIGHT: Final[dict[str, Any]] = {
    "state": STATE,
    "before": STATE,
    "after": PLAYING,
    "action": "draw",
    "seat": 0,
    "rules": RULES,
    "a": RULES,
    "b": "rummy-500",
    "other": RULES,
    "players": 2,
    "hand": "7h 8h 9h",
    "cards": "7h 8h",
    "card": "7h",
    "meld": "7h 8h 9h",
    "melds": (),
    "view": VIEW,
    "at": STATE,
    "source": STATE,
    "rng": random.Random(1),
    "randrange": random.Random(1).randrange,
    "actions": 2,
    "limit": 20,
    "games": 1,
    "number": 1,
    "matches": 1,
    "bots": "random",
    "bot": "random",
    "name": "random",
    "seconds": 5.0,
    "opponents": "random",
    "unit": "round",
    "until": "round",
    "seed": 1,
    "text": "draw",
    "path": "rules.toml",
    "record": RECORD,
    "scenario": SCENARIO,
    "value": VIEW,
    "data": {},
    "kind": rv.State,
    "how": "out",
    "option": "R5V-01",
    "options": "R5V-01",
    "values": {"match.target": 300},
    "rule_id": "RV-07",
    "section": "draw",
    "index": 0,
    "vector": SPEC.vector(VIEW),
    "choices": "draw",
    "points": [1, 2],
    "objection": None,
    "game": 0,
    "indices": [0],
    "seats": 2,
    "given": "rummy-500",
}
"""A good argument by the name of the parameter."""
IN_PLACE: Final[dict[str, dict[str, Any]]] = {
    "Record.parse": {"text": str(RECORD)},
    "parse_scenario": {"text": rv.files.scenario_text(STATE)},
    "parse_cards": {"text": "7h 8h"},
    "from_json": {"text": rv.files.to_json(VIEW), "kind": rv.View},
    "loads": {"text": rv.files.to_json(VIEW)},
    "preset": {"name": "rummy-500"},
    "play_on": {"bots": [bots.bot("random")] * 2},
    "bot_name": {"bot": bots.bot("random")},
    "Cards.count": {"card": rv.Card("7h")},
    "check_answers": {"action": rv.actions.Draw(0)},
    "check_step": {"action": rv.actions.Draw(0)},
    "LegalAction.of": {"action": rv.actions.Draw(0)},
    "deal": {"state": rv.game.begin(RULES, 2)},
    "next_deal": {"state": rv.game.begin(RULES, 2)},
    "Ruleset.origin": {"value": "match.target"},
    "Ruleset.value": {"path": "match.target"},
    "Ruleset.rule_of": {"path": "match.target"},
    "run": {},
    "view": {"view": VIEW},
    "round_result": {"state": PLAYING},
    "determinize": {"believe": None},
    "play_match": {"limit": 5},
    "check_ruleset": {"matches": 0},
    "compare": {"games": 0},
}
"""Where another one is needed."""
OF: Final[dict[str, Any]] = {
    "Cards": STATE.hands[0],
    "Chooser": rv.chooser(STATE),
    "Encoding": ENCODING,
    "LegalAction": next(rv.legal_actions(STATE).details()),
    "LegalActions": rv.legal_actions(STATE),
    "Meld": ON_THE_TABLE.table[0],
    "ObservationSpec": SPEC,
    "Record": RECORD,
    "Ruleset": RULES,
    "State": STATE,
    "Step": rv.step(STATE, "draw"),
    "View": VIEW,
    "CarefulBot": bots.CarefulBot(),
    "GreedyBot": bots.GreedyBot(),
    "RandomBot": bots.RandomBot(),
    "SearchBot": bots.SearchBot(2),
    "StrongBot": bots.StrongBot(1),
    "TimedBot": bots.TimedBot("random", 5.0),
    "Games": vector.Games(RULES, 2, 1),
}
"""Something that has the methods of a class."""


def callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    """
    Every public function, class and method that takes arguments.
    """
    seen = set()
    for name in MODULES:
        module = importlib.import_module(f"rummyvariants.{name}".rstrip("."))
        for public in module.__all__:
            found = getattr(module, public)
            if not callable(found) or id(found) in seen:
                continue
            seen.add(id(found))
            if not inspect.isclass(found):
                yield public, found
            elif not issubclass(found, (*ASKED_BY_THE_ENGINE, Exception, str)):
                by_hand = found not in MADE_BY_THE_LIBRARY
                if by_hand and not getattr(found, "_is_protocol", False):
                    yield public, found
                yield from methods(found)


def methods(kind: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    """
    The public methods of a class, of something that has them.
    """
    for name, method in vars(kind).items():
        bound = kind.__name__ in OF and inspect.isfunction(method)
        if not name.startswith("_") and (bound or isinstance(method, classmethod)):
            thing = OF.get(kind.__name__, kind)
            yield f"{kind.__name__}.{name}", getattr(thing, name)


PUBLIC: Final = {
    name: found for name, found in callables() if inspect.signature(found).parameters
}


def good(name: str) -> dict[str, Any]:
    """
    Arguments with which a call is right, or nearly so.
    """
    own = IN_PLACE.get(name, {})
    return {
        key: (RIGHT | own).get(key)
        for key, one in inspect.signature(PUBLIC[name]).parameters.items()
        if key in own or (one.default is one.empty and one.kind is not one.VAR_KEYWORD)
    }


def calls(name: str) -> Iterator[dict[str, Any]]:
    """
    The arguments of wrong calls, by name.
    """
    right = good(name)
    for key, one in inspect.signature(PUBLIC[name]).parameters.items():
        if one.kind is not one.VAR_KEYWORD:
            for wrong in WRONG[:: 6 if name in SLOW else 1]:
                if not tolerated(key, wrong):
                    yield right | {key: wrong}
    for first, other in itertools.combinations(right, 2):
        yield right | {first: right[other], other: right[first]}


HOW_MANY: Final = frozenset({"matches", "games", "limit", "every"})
"""Parameters for which a number is no mistake, but much work."""
OWN_CODE: Final = frozenset({"randrange", "look", "progress"})
"""Parameters for functions of the caller, whose errors are the caller's."""


SLOW: Final = frozenset({"check_ruleset", "check_rules", "play_match", "compare"})
"""Functions that play whole games, and so get fewer wrong arguments."""


def tolerated(key: str, wrong: Any) -> bool:
    number = isinstance(wrong, int) or type(wrong).__name__ == "int64"
    if key in OWN_CODE:
        return callable(wrong)
    return key in HOW_MANY and number and wrong > 0


def called(name: str, given: dict[str, Any]) -> str:
    """
    What is wrong with the error of a call; empty for nothing.
    """
    function = PUBLIC[name]
    parameters = inspect.signature(function).parameters
    starred = [
        one.name for one in parameters.values() if one.kind is one.VAR_POSITIONAL
    ]
    named = {key: value for key, value in given.items() if key not in starred}
    try:
        found = function(*[given[key] for key in starred if key in given], **named)
        if isinstance(found, Iterator):
            next(found, None)
    except Exception as error:  # noqa: BLE001 -- this is what is looked at
        return fault(error)
    return ""


def fault(error: Exception) -> str:
    """
    What is wrong with an error: empty if the library raises it and says something.
    """
    last = traceback.extract_tb(error.__traceback__)[-1]
    line = linecache.getline(last.filename, last.lineno or 0).strip()
    ours = Path(last.filename).is_relative_to(SOURCE) and line.startswith("raise")
    kinds = rv.RummyError | TypeError | ValueError | AssertionError
    if ours and isinstance(error, kinds) and " " in str(error):
        return ""
    return f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})"


@pytest.mark.skipif(rv.IS_COMPILED, reason="compiled functions check types themselves")
@pytest.mark.parametrize("name", PUBLIC)
def test_a_wrong_argument_gets_one_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Nothing but results and the library's own errors come back.
    """
    monkeypatch.chdir(tmp_path)
    faults = {}
    for given in calls(name):
        wrong = called(name, given)
        if wrong:
            faults[wrong] = f"{wrong}, given {given!r:.300}"
    assert not faults, "\n".join(faults.values())


@pytest.mark.skipif(rv.IS_COMPILED, reason="compiled functions check types themselves")
@pytest.mark.parametrize("at", range(len(WRONG)))
def test_operators_take_nothing_wrong(at: int) -> None:
    """
    What is done with signs, brackets and ``in`` is said as well as what has a name.
    """
    wrong, hand, legal = WRONG[at], STATE.hands[0], rv.legal_actions(STATE)
    for done in (
        lambda: hand + wrong,
        lambda: hand - wrong,
        lambda: hand <= wrong,
        lambda: wrong in hand,
        lambda: hand == wrong,
        lambda: rv.Card("7h") == wrong,
        lambda: wrong in legal,
        lambda: legal[wrong],
        lambda: SPEC[wrong],
    ):
        try:
            done()
        except IndexError as error:
            assert "range" in str(error)
        except Exception as error:  # noqa: BLE001 -- this is what is looked at
            assert not fault(error)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: rv.arrange("7h 8h"), r"as in arrange\('rummy-500', '7h 8h'\)"),
        (lambda: rv.apply("draw", STATE), "state is 'draw', but has to be a State"),
        (lambda: rv.rules.options_for(STATE), "rules is <State of .* to be a Ruleset"),
        (
            lambda: rv.playout(random.Random(1), STATE),
            "state is <random.* a State",
        ),
        (
            lambda: rv.playout(STATE, 7),
            "randrange is 7, but has to be a random.Random",
        ),
        (lambda: RULES.diff("rumy-500"), "did you mean 'rummy-500'"),
        (lambda: RULES.diff(7), "other is 7, but has to be a Ruleset or a text"),
        (lambda: rv.preset(RULES), "there is no preset <Ruleset rummy-500"),
        (lambda: rv.determinize(STATE, random.Random(1)), "view is <State .* a View"),
        (lambda: rv.files.Record.parse(None), "give a text, not None"),
        (lambda: rv.replay(5), "give a record or its text, not 5"),
        (
            lambda: rv.learning.encoding(None, 2),
            "rules are the name of a preset or a table",
        ),
        (lambda: rv.view(STATE).points(5), "5 is not a card"),
        (
            lambda: rv.new_game("gin-rummy"),
            r"'players', as in rv.new_game\(\"gin-rummy\", \[\"Ann\", \"Ben\"\]",
        ),
        (lambda: rv.step(STATE), r"'action', as in rv.step\(rv.new_game"),
        (lambda: rv.playout(STATE), r"as in rv.playout\(rv.new_game\(.*, random.Ran"),
        (RULES.with_values, r"as in rv.preset\(\"rummy-500\"\).with_values"),
        (lambda: rv.presets("x"), r"given, as in rv.presets\(\)$"),
        (lambda: rv.compare("gin-rummy", ["random"]), "bots by what they win: rv.sim"),
        (lambda: rv.check("canasta", ["7h", "7d"]), "or a text; write 'meld 7h 7d'$"),
        (lambda: rv.apply(STATE, ["7h", "7d"]), "; write 'meld 7h 7d'"),
    ],
)
def test_the_sentence_names_the_argument(call: Callable[[], Any], said: str) -> None:
    """
    What was given, and what was expected.
    """
    with pytest.raises((TypeError, ValueError, rv.RummyError), match=said) as caught:
        call()
    assert caught.value.__context__ is None or caught.value.__suppress_context__
    assert "swapped" not in str(caught.value) or said.startswith("state is 'draw'")


def test_cards_are_known_by_their_texts() -> None:
    """
    A text says the same as the cards that it names, wherever cards are compared.
    """
    hand = rv.Cards("7h 7h 8h *")
    assert hand == "8h 7♥ joker 7h"
    assert hand != "7h 8h *"
    assert hand != "nonsense"
    assert "7h" in hand
    assert "9h" not in hand
    assert "nonsense" not in hand
    assert hand.count("7h") == hand.count(rv.Card("7h")) == 2
    assert hand - "7h *" == rv.Cards("7h 8h")
    assert "7h 8h" == rv.Cards("7h") + "8h"  # noqa: SIM300 -- from both sides
    assert rv.Card("Th") == "10h"
    assert "Kd" not in rv.cards.parse_cards("7h 8h")
    assert "7h" in rv.cards.parse_cards("7h 8h")
    assert len({rv.Card("7h"), rv.Card("7H")}) == 1


def test_legal_actions_are_a_sequence() -> None:
    """
    What chooses from a list chooses from them.
    """
    legal = rv.legal_actions(PLAYING)
    every = list(legal)
    assert random.Random(3).choice(legal) in every
    assert [legal[at] for at in range(len(legal))] == every
    assert legal[-1] == every[-1]
    assert legal[1:3] == tuple(every[1:3])
    with pytest.raises(IndexError):
        legal[len(every)]


@pytest.mark.parametrize("how", ["sample", "choice"])
def test_chance_comes_as_a_random_or_its_randrange(how: str) -> None:
    """
    Both choose the same.
    """
    legal = rv.legal_actions(PLAYING)
    plain = getattr(legal, how)(random.Random(5))
    assert plain == getattr(legal, how)(random.Random(5).randrange)
    played = rv.playout(STATE, random.Random(5))
    assert played == rv.playout(STATE, random.Random(5).randrange)


def test_rules_are_compared_with_a_preset_by_name() -> None:
    """
    As everywhere else, rules may be the name of a preset.
    """
    assert RULES.diff("gin-rummy") == RULES.diff(rv.preset("gin-rummy"))
