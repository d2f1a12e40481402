"""
What differs where the modules behind each action are compiled, and what does not.

The same holds of the pure form, but for what is skipped there.
"""

from __future__ import annotations

import copy
import inspect
import pickle

import attrs
import pytest

import rummyvariants as rv

from rummyvariants import actions
from rummyvariants.game import _state as state
from rummyvariants.melds import _meld as melds


COMPILED = pytest.mark.skipif(not rv.IS_COMPILED, reason="this form is pure Python")

CLASSES = [
    kind
    for module in (actions, melds, state)
    for kind in vars(module).values()
    if isinstance(kind, type) and kind.__module__ == module.__name__ and attrs.has(kind)
]


def some_state() -> rv.State:
    return rv.apply(rv.new_game("rummy-5000", 3, seed=27), "take 1")


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_a_class_tells_what_it_is_and_what_it_holds(kind: type) -> None:
    assert inspect.getdoc(kind)
    given = tuple(one.name for one in attrs.fields(kind) if one.init)
    assert kind.__match_args__ == given  # type: ignore[attr-defined]
    assert all(one.type for one in attrs.fields(attrs.resolve_types(kind)))


@pytest.mark.parametrize("field", ["phase", "turn", "_hands", "match"])
def test_a_state_cannot_be_changed(field: str) -> None:
    state = some_state()
    with pytest.raises(AttributeError):
        setattr(state, field, getattr(state, field))


def test_a_state_is_copied_pickled_and_evolved() -> None:
    state = some_state()
    for same in (copy.copy(state), pickle.loads(pickle.dumps(state))):  # noqa: S301
        assert same == state
        assert hash(same) == hash(state)
        assert same.history == state.history
    assert attrs.evolve(state, idle=state.idle) == state
    other = attrs.evolve(state, idle=state.idle + 1)
    assert other != state
    assert other.match is state.match


def test_actions_are_matched_by_place_and_by_name() -> None:
    match rv.game.parse_action("discard 7h", 1):
        case rv.actions.Discard(card, seat=1):
            assert str(card) == "7h"
        case other:
            pytest.fail(f"{other!r} is no discard")


def test_values_are_shown_and_compared_by_their_fields() -> None:
    one = rv.actions.Discard(rv.Card("7h"), 1)
    assert repr(one) == "Discard(card=Card('7h'), seat=1)"
    assert (
        one
        == rv.actions.Discard(rv.Card("7h"), 1)
        != rv.actions.Discard(rv.Card("7h"), 0)
    )
    assert (
        len({one, rv.actions.Discard(rv.Card("7h"), 1), attrs.evolve(one, seat=0)}) == 2
    )
    assert len({rv.actions.Draw(1), rv.actions.Pass(1), 1}) == 3
    stock, other = (rv.preset(name).stock for name in ("rummy-500", "rummy-5000"))
    assert repr(stock).startswith("StockPolicy(rules=(), when_empty=")
    assert stock == pickle.loads(pickle.dumps(stock)) != other  # noqa: S301
    assert len({stock, pickle.loads(pickle.dumps(stock))}) == 1  # noqa: S301
    assert rv.house.Price() == rv.house.Price(1) != rv.house.Memory()


@COMPILED
def test_the_compiled_form_says_so_of_each_module() -> None:
    for module in (actions, melds, state):
        assert not (module.__file__ or "").endswith(".py")


def test_two_arrangements_of_a_hand_are_equal() -> None:
    one, other = [
        rv.solver.arrange_hand("rummy-500", "7h 8h 9h Kc 2d") for _ in range(2)
    ]
    assert one == other
    assert one is not other
