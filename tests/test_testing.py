"""The test kit notices what does not hold."""

from __future__ import annotations

import itertools

import attrs
import pytest

import rummyvariants as rv

from rummyvariants import testing
from rummyvariants.policies import (
    DiscardPolicy,
    DrawPolicy,
    MeldPolicy,
    ScorePolicy,
    StockPolicy,
)
from rummyvariants.rulings import Objection


@rv.register_policy("of two minds")
@attrs.frozen
class OfTwoMinds(MeldPolicy):
    """
    Refuses every third meld that it is asked about.
    """

    _asked = itertools.count()

    def objection(self, meld: rv.Meld) -> str | None:
        del meld
        return None if next(self._asked) % 3 else "not today"


@rv.register_policy("without a rule")
@attrs.frozen
class WithoutRule(DiscardPolicy):
    """
    Refuses low discards, and names no rule.
    """

    def refuse(self, code: int, *, taken: bytes, left: int) -> Objection | None:
        del taken
        return Objection("", "too low") if code % 16 < 3 and left > 4 else None


@rv.register_policy("now low, now high")
@attrs.frozen
class NowLow(ScorePolicy):
    """
    Every other card is worth what a low ace is.
    """

    _asked = itertools.count()

    def question(self, code: int, *, wild: bool, low_ace: bool = False) -> str:
        if next(self._asked) % 2:
            return "score.low_ace"
        return super().question(code, wild=wild, low_ace=low_ace)


@rv.register_policy("by the stock")
@attrs.frozen
class Peeping(DrawPolicy):
    """
    Counts what nobody is to know: how many cards were asked about before.
    """

    _asked = itertools.count()

    def counts(self, terms, hand, pile, top_number):
        found = super().counts(terms, hand, pile, top_number)
        return found if next(self._asked) % 2 else ()


@rv.register_policy("patient")
@attrs.frozen
class Patient(StockPolicy):
    """
    A policy that changes nothing.
    """


def rules_with(section: str, name: str) -> rv.Ruleset:
    return rv.preset("rummy-500").with_values(
        {f"{section}.policy": name, "match.target": 100}
    )


@pytest.mark.long
def test_a_policy_that_changes_nothing_passes() -> None:
    testing.check_ruleset(rules_with("stock", "patient"), players=[2, 5], matches=1)


@pytest.mark.parametrize(
    ("section", "name"),
    [
        ("meld", "of two minds"),
        ("discard", "without a rule"),
        ("draw", "by the stock"),
        ("score", "now low, now high"),
    ],
)
def test_a_policy_that_will_not_do_is_found(section: str, name: str) -> None:
    with pytest.raises(testing.BrokenInvariantError) as caught:
        testing.check_ruleset(rules_with(section, name), players=3, matches=5)
    message = str(caught.value)
    assert message.startswith("rummy-500 with no options, 3 players, seed ")
    assert caught.value.state is not None
    assert caught.value.state.rules.name == "rummy-500"


@pytest.fixture
def state() -> rv.State:
    """
    A state in the middle of a round, with melds on the table.
    """
    return testing.play_match("rummy-5000", 3, seed=4, limit=60)


def test_a_good_state_passes(state: rv.State) -> None:
    assert state.table
    testing.check_state(state)
    testing.check_legality(state)
    testing.check_secrecy(state)
    testing.check_record(state)


def test_a_lost_card_is_found(state: rv.State) -> None:
    with pytest.raises(AssertionError, match=r"no card too many, \S+ is missing"):
        testing.check_state(attrs.evolve(state, stock=state._stock[1:]))


def test_a_card_too_many_is_found(state: rv.State) -> None:
    more = state._stock + state._stock[:1]
    with pytest.raises(AssertionError, match=r"\S+ too many, no card is missing"):
        testing.check_state(attrs.evolve(state, stock=more))


def test_a_meld_that_is_none_is_found(state: rv.State) -> None:
    first, *others = state.table
    short = attrs.evolve(first, slots=first.slots[:2])
    left = first.slots[2:]
    bad = attrs.evolve(
        state,
        table=(short, *others),
        stock=state._stock + bytes(slot.card.code for slot in left),
    )
    with pytest.raises(AssertionError, match="meld"):
        testing.check_state(bad)


def test_a_card_of_another_player_is_found(state: rv.State) -> None:
    action = state.to_act and next(iter(rv.legal_actions(state)))
    after = rv.apply(state, action)
    first, *others = after.table
    slot = attrs.evolve(first.slots[0], seat=(first.slots[0].seat + 1) % 3)
    thief = attrs.evolve(first, slots=(slot, *first.slots[1:]))
    bad = attrs.evolve(after, table=(thief, *others))
    with pytest.raises(AssertionError, match="from the table"):
        testing.check_step(state, after.history[-1], bad)


def test_a_shuffled_stock_is_found(state: rv.State) -> None:
    action = next(iter(rv.legal_actions(state)))
    after = rv.apply(state, action)
    bad = attrs.evolve(after, stock=after._stock[::-1])
    with pytest.raises(AssertionError, match="order of the stock"):
        testing.check_step(state, after.history[-1], bad)


def test_points_out_of_nothing_are_found(state: rv.State) -> None:
    action = next(iter(rv.legal_actions(state)))
    after = rv.apply(state, action)
    match = attrs.evolve(after.match, scores=(5, 0, 0))
    with pytest.raises(AssertionError, match="points before the round was over"):
        testing.check_step(state, after.history[-1], attrs.evolve(after, match=match))


def test_an_impossible_game_is_an_error_of_its_own() -> None:
    with pytest.raises(rv.RulesError):
        testing.check_ruleset("rummy-5000", players=2)
