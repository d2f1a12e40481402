"""What the library says at the prompt: values that read what they print."""

from __future__ import annotations

import copy
import doctest
import itertools
import pickle
import random
import re
import subprocess
import sys

from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import metadata
from typing import Any

import pytest

from hypothesis import given
from hypothesis import strategies as st

import rummyvariants as rv
import strategies

from rummyvariants import (
    actions,
    cards,
    events,
    files,
    game,
    house,
    melds,
    policies,
    rules,
    rulings,
)
from rummyvariants.files import _records, _scenarios
from rummyvariants.game import _round
from rummyvariants.melds._tables import Lives
from rummyvariants.rules._settled import Settled


NAMES: dict[str, Any] = {}
for module in (policies, rulings, _records, _round, events, cards, _scenarios, actions):
    NAMES |= vars(module)
for module in (rules, game, files, house, melds):
    NAMES |= {name: getattr(module, name) for name in module.__all__}
NAMES |= {"Lives": Lives, "Settled": Settled}
NAMES |= {name: getattr(rv, name) for name in rv.__all__}


def reads_back(value: object) -> None:
    text = repr(value)
    assert eval(text, dict(NAMES)) == value, text  # noqa: S307 -- what we printed


# --------------------------------------------------------------------------- cards


hands = strategies.multisets.map(
    lambda counts: cards.as_cards(cards.pack(Counter(counts).elements()))
)


@given(st.one_of(strategies.faces, strategies.places, strategies.played, hands))
def test_what_is_printed_can_be_typed(value: Any) -> None:
    """
    A card, a place, a played card and a hand are what their repr, text and copies say.
    """
    reads_back(value)
    copies = (
        type(value)(str(value)),
        copy.copy(value),
        copy.deepcopy(value),
        pickle.loads(pickle.dumps(value)),  # noqa: S301
    )
    for one in copies:
        assert one == value
        assert hash(one) == hash(value)
        assert str(one) == str(value)


@given(st.lists(strategies.faces, max_size=7))
def test_cards_take_a_text_or_cards(faces: list[rv.Card]) -> None:
    one = rv.Cards(" ".join(map(str, faces)))
    assert one == rv.Cards(faces) == rv.Cards(map(str, faces)) == rv.Cards(one)
    assert sorted(one) == sorted(faces)
    assert sorted(one, reverse=True) == sorted(faces, reverse=True)


def test_cards_of_nothing_are_none() -> None:
    assert rv.Cards() == rv.Cards("") == rv.Cards([])
    assert len(rv.Cards()) == 0


@pytest.mark.parametrize("kind", [rv.Card, rv.Cards, rv.melds.Place, rv.melds.Played])
@pytest.mark.parametrize(
    "wrong", ["7y", "1h", "7h8h", 7, None, 7.5, b"7h", ["7y"], {7}]
)
def test_what_is_no_card_is_refused_at_once(kind: Any, wrong: object) -> None:
    with pytest.raises(rv.errors.ParseError, match=r"\w"):
        kind(wrong)


@pytest.mark.parametrize("kind", [rv.Card, rv.melds.Place, rv.melds.Played])
def test_a_card_has_to_be_named(kind: Any) -> None:
    with pytest.raises(rv.errors.ParseError):
        kind("")


@pytest.mark.parametrize(
    "value", [rv.Card("7h"), rv.melds.Place("8"), rv.melds.Played("*=8")]
)
def test_a_card_cannot_be_changed(value: Any) -> None:
    name = "card" if isinstance(value, rv.melds.Played) else "rank"
    with pytest.raises(AttributeError):
        setattr(value, name, getattr(value, name))


# ------------------------------------------------------------------ what is printed


def within(value: Any, depth: int) -> Iterator[Any]:
    """
    A value and what its public attributes give, and theirs.
    """
    yield value
    if isinstance(value, str | int | float | None):
        return
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, tuple | list | frozenset):
        for one in itertools.islice(value, 6):
            yield from within(one, depth)
    elif depth and type(value).__module__.startswith("rummyvariants"):
        for name in dir(type(value)):
            if name[0] != "_" and not callable(getattr(type(value), name)):
                yield from within(getattr(value, name), depth - 1)


PACKED = re.compile(r"\d{12}|\bb['\"]|\bat 0x")
"""Numbers longer than any score, bytes, and addresses of objects."""


def shown(name: str) -> Iterator[Any]:
    """
    Public values of every kind, from a random game.
    """
    chance = random.Random(name)
    state = rv.new_game(name, rv.preset(name).match.players[0], seed=4)
    yield rv.record(state)
    for _ in range(30):
        if state.is_over:
            break
        actions = rv.legal_actions(state)
        action = (
            actions.sample(chance.randrange) if actions else rv.game.next_deal(state)
        )
        step = rv.step(state, action)
        yield step
        yield rv.check(state, action)
        yield rv.chooser(state)
        yield rv.view(state, 0)
        yield actions
        state = step.after
    while not state.is_round_over:
        state = rv.playout(state, chance.randrange, actions=50)
    yield state
    yield rv.round_result(state, "stock")


@pytest.mark.parametrize(
    "name", ["rummy-5000", "2500-house", "gin-rummy", "hollywood-gin"]
)
def test_a_repr_hides_what_is_packed_and_can_be_typed(name: str) -> None:
    """
    No integer of cards, no bytes; and what looks like a call makes an equal value.
    """
    seen = set()
    for value in itertools.chain.from_iterable(within(one, 2) for one in shown(name)):
        text = repr(value)
        if text in seen:
            continue
        seen.add(text)
        assert isinstance(value, int) or not PACKED.search(text), text
        if re.match(r"[A-Z]\w*\(", text) and "<" not in text:
            reads_back(value)
    assert len(seen) > 200


@given(strategies.actions())
def test_an_action_can_be_typed_as_it_is_printed(action: rv.Action) -> None:
    reads_back(action)


def test_other_public_values_print_no_packed_number() -> None:
    """
    What needs no game: rules and their parts, options, scenarios, arrangements.
    """
    hand = rv.solver.arrange_hand("rummy-500", "7h 8h 9h * 2c 2d")
    scenario = rv.files.parse_scenario(rv.files.scenario_text(dispute()))
    rules = rv.preset("rummy-5000").with_options("PGV-P4")
    given = (
        hand,
        scenario,
        rv.files.run(scenario),
        rules,
        rv.options(),
        rv.rule("PG-15"),
    )
    for value in itertools.chain.from_iterable(within(one, 2) for one in given):
        text = repr(value)
        assert isinstance(value, int) or not PACKED.search(text), text
        if re.match(r"[A-Z]\w*\(", text) and "<" not in text:
            reads_back(value)


def test_a_rule_and_a_ruling_print_as_sentences() -> None:
    lines = str(rv.rule("PG-15")).splitlines()
    assert lines[0] == "PG-15, The real card beside a wild"
    assert lines[2].startswith("Reading: ")
    assert lines[-1] == "Source: The Rummy Rulebook, Rummy 5000"
    state = dispute()
    no = rv.check(state, "meld 9h Kc 2c")
    assert str(no).startswith("refused: ")
    assert str(no).endswith(f"[{', '.join(no.cites)}]")
    assert str(rv.check(state, "lay 9h on 1")).startswith("legal: ")
    with pytest.raises(rv.IllegalAction) as error:
        rv.apply(state, "meld 9h Kc 2c")
    assert f"refused: {error.value}" == str(no)


def test_a_result_groups_its_items_by_player() -> None:
    state = rv.position(
        "rummy-500", hands={"Ann": "9h", "Ben": "6h 2c"}, stock="3c", phase="play"
    )
    result = rv.apply(state, "discard 9h").result
    assert result is not None
    assert str(result).splitlines() == [
        "player  cards  each  points  for               rule",
        "Ann                      +0  in all",
        "Ben     2c       -2      -2  left in the hand  BN-17",
        "        6h       -6      -6  left in the hand  BN-17",
        "                         -8  in all",
    ]
    assert str(result.items[1]) == "seat 1: -6 6h left in the hand [BN-17]"
    end = rv.apply(state, "discard 9h")
    for one, kind in ((end, "state"), (rv.view(end, 0), "view")):
        again = rv.files.from_json(rv.files.to_json(one), kind).result
        assert str(again) == str(result)


# ----------------------------------------------------------------------- positions


def dispute(**keys: Any) -> rv.State:
    given: dict[str, Any] = {
        "hands": {"Ann": "9h Kc 2c", "Ben": "5d"},
        "table": ["Cleo: 6h 7h 8h", "Ann: 3c 3d 3h"],
        "phase": "play",
        "fill": True,
    }
    return rv.position("rummy-5000", **given | keys)


def test_a_dispute_takes_two_lines() -> None:
    state = dispute()
    assert state.players == ("Ann", "Ben", "Cleo")
    assert rv.check(state, "lay 9h on 1")
    assert not rv.check(state, "lay 9h on 2")
    assert state.assumed == ("that no rank is wild", "Cleo's hand", "the stock", DRAWN)
    assert dispute(hands={"Ann": "9h Kc 2c", "Cleo": ""}).hands[2] == rv.Cards()


DRAWN = "that Ann has drawn from the stock"


def test_a_position_is_what_its_scenario_says() -> None:
    state = dispute(fill=False, stock="2d 4s", discards="Qd")
    assert rv.files.parse_scenario(rv.files.scenario_text(state)).start == state
    hands = dict(zip(state.players, state.hands, strict=True))
    del hands["Cleo"]
    assert (
        dispute(fill=False, hands=hands, stock=state.stock, discards=rv.Cards("Qd"))
        == state
    )


@pytest.mark.parametrize(
    "rules", ["rummy-5000", "2500-house", "rummy-500", "gin-rummy"]
)
def test_a_filled_stock_has_every_other_card(rules: str) -> None:
    state = rv.position(
        rules,
        hands={"Ann": "7h 8h", "Ben": "9c"},
        seats=["Ann", "Ben", "Cleo"][: 2 + (rules in {"rummy-5000", "2500-house"})],
        stock="Kd 9s",
        discards="3c",
        fill=True,
        partial=True,
    )
    deck = [cards.CARDS[one] for one in state.rules.deck.cards_for(len(state.players))]
    placed = [card for hand in state.hands for card in hand]
    assert sorted([*placed, *state.stock, *state.discards]) == sorted(deck)
    assert state.stock[:2] == rv.cards.parse_cards("Kd 9s")
    assert list(state.stock[2:]) == sorted(state.stock[2:])


def test_rules_may_be_a_ruleset_or_a_table() -> None:
    for wanted in (rv.preset("rummy-500"), {"extends": "rummy-500", "with": []}):
        state = rv.position(wanted, hands={"Ann": "7h", "Ben": "9c"}, stock="2c")
        assert state.rules == rv.preset("rummy-500")


def test_all_that_is_wrong_with_a_position_is_said_at_once() -> None:
    with pytest.raises(rv.errors.PositionError) as error:
        rv.position(
            "rummy-500", hands={"Ann": "Kc Kc", "Ben": "2y"}, discord="6c", turn="Dora"
        )
    said = error.value.problems
    assert len(said) == 4
    assert said[0] == "discord: there is no such key; did you mean 'discards'?"
    table = ["Ann: 7h 8h", "Ann: x", "Ann: 9h Th Qh"]
    with pytest.raises(rv.errors.PositionError) as error:
        rv.position("rummy-500", hands={"Ann": "2c", "Ben": "3c"}, table=table)
    places = [one.partition(":")[0] for one in error.value.problems]
    assert sorted(places) == ["table, meld 1", "table, meld 2", "table, meld 3"]
    with pytest.raises(rv.errors.PositionError, match="hands: give cards by seat"):
        rv.position("rummy-500", hands="7h")  # type: ignore[arg-type]


# ---------------------------------------------------------------------- the package


def test_the_package_shows_what_is_public_and_its_version() -> None:
    assert dir(rv) == sorted(rv.__all__)
    assert rv.__version__ == metadata.version("rummyvariants")


def test_help_begins_with_a_tour_that_is_true() -> None:
    examples = doctest.DocTestParser().get_doctest(
        rv.__doc__ or "", {}, "tour", None, 0
    )
    assert len(examples.examples) >= 8
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_the_version_costs_nothing_until_it_is_asked_for() -> None:
    # How Python finds an installed package may have brought the module already.
    asked = (
        "import sys; sys.modules.pop('importlib.metadata', None)",
        "import rummyvariants; print('importlib.metadata' in sys.modules)",
    )
    done = subprocess.run(
        [sys.executable, "-c", "; ".join(asked)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "False"
