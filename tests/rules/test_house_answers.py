"""What house rules are asked together, may answer, and are named."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import textwrap

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs
import pytest

import rummyvariants as rv

from effort import within
from rummyvariants import events, testing
from rummyvariants._support import toml
from rummyvariants.rules._origins import show_value
from rummyvariants.rules._variants import SECTIONS


def made(
    name: str,
    *,
    memory: rv.house.Memory | None = None,
    doc: str = "A rule.",
    **said: Any,
) -> type[rv.house.HouseRule]:
    """
    A rule that gives these answers, registered under a name in ``match``.
    """
    given = {"__module__": __name__, "__doc__": doc, "memory": memory, **said}
    cls = attrs.frozen(type(name, (rv.house.HouseRule,), given))
    globals()[name] = cls  # where a pickle looks for it
    return rv.house.register_rule("match", name)(cls)


def with_rules(
    base: str, *rules: type[rv.house.HouseRule], **values: Any
) -> rv.Ruleset:
    return rv.preset(base).with_values(
        {**values, "match.rules": [rule() for rule in rules]}
    )


# ------------------------------------------------------------------- several at once


def of_canasta(*rules: type[rv.house.HouseRule]) -> rv.State:
    """
    A position in which the pile may be taken onto a meld, or with two cards.
    """
    return rv.position(
        with_rules("canasta", *rules),
        hands={"N": "9c 9h Kc 3s 4d", "E": "2h 3s 5c"},
        table=["N: 9c 9h 9s"],
        dealer="E",
        turn="N",
        stock="4s 5d 6h Jc Qd",
        discards="Ks 9d",
    )


TAKES = ("take all on 1", "take all with 9c 9h")


@pytest.mark.parametrize(
    ("said", "legal"),
    [
        ({}, True),
        ({"takes": lambda *_: None}, True),
        ({"takes_with": lambda *_: None}, True),
        ({"takes": lambda *_: (1,)}, False),
        ({"takes": lambda *_: ()}, False),
        ({"takes_with": lambda *_: False}, False),
        ({"takes_with": lambda _, __, count, ___: count < 2}, False),
        ({"takes_with": lambda _, __, ___, meld: len(meld) < 4}, False),
        # What a rule says about a take with a meld is all that it says of it.
        ({"takes": lambda *_: (), "takes_with": lambda *_: True}, True),
    ],
)
@pytest.mark.parametrize("text", TAKES)
def test_each_take_whose_top_card_is_laid_asks_the_same_rules(
    text: str, said: Mapping[str, Any], *, legal: bool
) -> None:
    state = of_canasta(made("of_takes", doc="So many.", **said))
    ruling = rv.check(state, text)
    assert bool(ruling) == legal
    assert (text in map(str, rv.legal_actions(state))) == legal
    if not legal:
        assert ruling.reason.endswith(": so many")


@pytest.mark.parametrize("text", TAKES)
def test_what_one_rule_forbids_no_other_allows(text: str) -> None:
    leader = made("the_leader", takes=lambda *_: (1,))
    frozen = made("the_frozen_pile", takes_with=lambda *_: True)
    for rules in ((leader, frozen), (frozen, leader)):
        assert not rv.check(of_canasta(*rules), text)
    assert rv.check(of_canasta(frozen), text)


def test_a_number_is_forbidden_where_takes_with_a_meld_come_from_a_rule() -> None:
    few = made("two_at_most", takes=lambda *_: (1, 2))
    pair = made("with_a_pair", takes_with=lambda *_: True)
    state = rv.position(
        with_rules("rummy-500", few, pair, **{"draw.duty": "none"}),
        hands={"Ann": "9c 9h Kd 2s", "Ben": "5c 7s"},
        turn="Ann",
        stock="Jc 4s",
        discards="5d 2h 9d",
    )
    assert rv.check(state, "take 2 with 9c 9h")
    assert not rv.check(state, "take all with 9c 9h")


# ------------------------------------------------------------------- long answers


ENDLESS: Mapping[str, Callable[[], Any]] = {
    "discards": lambda: range(10**9),
    "eliminated": itertools.count,
    "follows": lambda: itertools.repeat(rv.house.Move("stock", "cellar", 0)),
    "offers": lambda: itertools.repeat(rv.house.Offer("endless", [])),
    "refills": lambda: itertools.repeat(
        rv.house.Move("stock", "hand", 0, target_seat=0)
    ),
    "lays_aside": lambda: itertools.cycle([rv.Card("3h")]),
    "lays_off_on": lambda: range(10**30),
    "owes": lambda: itertools.repeat(rv.house.Owed(rv.Card("3h"))),
    "pays": lambda: range(10**12),
    "score": lambda: itertools.repeat(rv.house.Points(0, 1, "for ever")),
    "takes": lambda: itertools.count(1),
    "winners": lambda: range(10**9),
}
LISTS = {
    name
    for name, method in vars(rv.house.HouseRule).items()
    if "Iterable" in str(getattr(method, "__annotations__", {}).get("return"))
}


def played(rules: rv.Ruleset, players: int, actions: int) -> Iterator[rv.State]:
    """
    The states of a random game.
    """
    chance = random.Random(7)
    state = rv.game.begin(rules, players, seed=1)
    for _ in range(actions):
        yield state
        if state.is_over:
            return
        if state.phase == "deal":
            state = rv.game.deal(state)
        else:
            legal = rv.legal_actions(state)
            state = rv.apply(state, legal.sample(chance.randrange))


def test_every_answer_that_is_a_list_is_tried() -> None:
    assert {*ENDLESS} == LISTS


@pytest.mark.parametrize("question", ENDLESS)
def test_an_answer_without_an_end_is_an_error(question: str) -> None:
    said = {question: lambda *_: ENDLESS[question](), "actions": ("endless",)}
    rule = made(f"endless_{question}", **said)
    small = {"match.target": 5, "deal.hand_size": 3}
    with pytest.raises(
        rv.errors.RulesError, match=f"answers {question!r} with .*: give "
    ):
        for _ in played(with_rules("rummy-500", rule, **small), 2, 400):
            pass


def test_any_number_of_cards_may_be_said_as_a_range() -> None:
    rule = made("any_number", takes=lambda *_: range(1, 10**9))
    for state in played(with_rules("rummy-500", rule), 2, 40):
        assert state.phase != "draw" or rv.check(state, "take 1").rule != "any_number"


# ------------------------------------------------------------------- long searches


@pytest.mark.parametrize(
    "said",
    [
        {"discards": lambda *_: ()},
        pytest.param({"must_go_out": lambda *_: True}, marks=pytest.mark.long),
    ],
    ids=["no discard", "out at once"],
)
def test_a_rule_that_lets_no_turn_end_is_no_long_search(
    said: Mapping[str, Any],
) -> None:
    """Each of 139 plays was searched to its end, and the whole turn for each again."""
    rules = with_rules("rummy-5000", made("no_end", **said))
    state = rv.apply(rv.game.deal(rv.game.begin(rules, 4, seed=1)), "draw")
    listed = within(600_000, lambda: [*rv.legal_actions(state)])
    # The whole turn cannot end, so that whatever is not refused itself is legal.
    assert len(listed) > 100
    assert all(rv.check(state, one) for one in listed)


# ------------------------------------------------------------------- names


@pytest.mark.parametrize(
    "name", [None, "", "\n", " ", "a\nb", " x", 3, ["x"], "x" * 999, "hand", "stock"]
)
def test_a_rule_has_a_name_that_can_be_written(name: Any) -> None:
    rule = attrs.frozen(type("Named", (rv.house.HouseRule,), {"__doc__": "A rule."}))
    with pytest.raises(rv.errors.RulesError, match="no rule is named "):
        rv.house.register_rule("match", name)(rule)


def test_what_is_no_class_is_no_rule() -> None:
    for wrong in (3, "rule", None, int):
        with pytest.raises(rv.errors.RulesError, match="is not a rule: derive it"):
            rv.house.register_rule("match", "wrong")(wrong)  # type: ignore[type-var]


@pytest.mark.parametrize("name", ["stok", "discard", "hands"])
def test_a_zone_that_no_rule_declares_is_refused_with_the_nearest(name: str) -> None:
    rule = made(
        "to_a_zone",
        follows=lambda _, __, event: (
            [rv.house.Move("stock", name, 1)] if isinstance(event, events.Drew) else []
        ),
    )
    state = rv.game.deal(rv.game.begin(with_rules("rummy-500", rule), 2, seed=1))
    wanted = "declare a Pile of that name; did you mean"
    with pytest.raises(rv.errors.RulesError, match=wanted):
        rv.apply(state, "draw")


def test_rules_are_registered_without_docstrings() -> None:
    """With ``python -OO`` a rule is described by its name."""
    script = """
        import attrs
        import rummyvariants as rv

        @rv.house.register_rule("match", "kept cards")
        @attrs.frozen
        class Kept(rv.house.HouseRule):
            '''The {number} last cards are kept.'''

            number: int = 2

            def may_go_out(self, turn):
                return False

        rules = rv.preset("rummy-500").with_values({"match.rules": ["kept cards"]})
        dealt = rv.game.deal(rv.game.begin(rules, 2))
        print(Kept().describe(), len(rv.legal_actions(dealt)))
    """
    done = subprocess.run(
        [sys.executable, "-OO", "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("kept cards ")


# ------------------------------------------------------------------- values as shown


def test_every_value_is_shown_as_it_can_be_written() -> None:
    """Empty tables were shown as empty lists, and refused as such."""
    for section, policy in SECTIONS.items():
        for name, field in policy.values().items():
            found = {
                field.default,
                *(
                    getattr(getattr(rv.preset(game), section), name)
                    for game in rv.presets()
                ),
            }
            for value in found:
                text = (
                    f"extends = 'rummy-500'\n[{section}]\n{name} = {show_value(value)}"
                )
                read = toml.read(text)[section][name]
                assert policy.read(name, read) == value


# ------------------------------------------------------------------- the kit


TOLD = {
    "the hand": lambda turn, _: str(turn.hand),
    "its best card": lambda turn, _: min(map(str, turn.hand), default=""),
    "the card drawn": lambda turn, _: str(turn.drawn),
    "the card of a draw": lambda turn, event: (
        str(event.card) if isinstance(event, events.Drew) else turn.memory
    ),
}
KNOWN = {
    "how many cards": lambda turn, _: len(turn.hand),
    "the kind of event": lambda _, event: type(event).__name__,
    "the discard": lambda turn, event: (
        str(event.card) if isinstance(event, events.Discarded) else turn.memory
    ),
    "the table": lambda turn, _: str((turn.table, turn.discards)),
}


@pytest.mark.parametrize("what", [*TOLD, *KNOWN])
def test_the_kit_finds_a_memory_that_tells_of_a_hand(what: str) -> None:
    kept = (TOLD | KNOWN)[what]
    rule = made(
        "remembering",
        memory=rv.house.Memory(""),
        follows=lambda _, turn, event: [rv.house.Remember(kept(turn, event))],
    )
    rules = with_rules("rummy-500", rule)
    states = [state for state in played(rules, 3, 60) if state.to_act]
    if what in KNOWN:
        _check_all(states[::4])
        return
    with pytest.raises(AssertionError, match=r"only seat \d sees"):
        _check_all(states)


def _check_all(states: list[rv.State]) -> None:
    for state in states:
        testing.check_secrecy(state, 4)


def test_the_kit_allows_what_follows_when_somebody_leaves() -> None:
    rule = made(
        "leaving",
        actions=("go",),
        offers=lambda *_: [rv.house.Offer("go", [rv.house.Leave(20)])],
        piles=(rv.house.Pile("cellar"),),
        follows=lambda _, __, event: (
            [rv.house.Move("stock", "cellar", 2)]
            if isinstance(event, events.Dropped)
            else []
        ),
    )
    state = rv.game.deal(rv.game.begin(with_rules("rummy-500", rule), 3, seed=1))
    after = testing.do(state, "go")
    assert after.dropped
    assert sum(len(one.cards) for one in after.zones) > 2
