"""The test kit notices what does not hold."""

from __future__ import annotations

import itertools

import attrs
import pytest

import rummyvariants as rv

from rummyvariants import testing


@rv.register_rule("meld", "of two minds")
@attrs.frozen
class OfTwoMinds(rv.HouseRule):
    """
    Every third meld that it is asked about is refused.
    """

    _asked = itertools.count()

    def allows_meld(self, meld: rv.Meld) -> bool:
        del meld
        return bool(next(self._asked) % 3)


@rv.register_rule("draw", "now and then")
@attrs.frozen
class NowAndThen(rv.HouseRule):
    """
    Cards are taken every other time.
    """

    _asked = itertools.count()

    def takes(self, turn: rv.Turn) -> tuple[int, ...]:
        del turn
        return (1,) if next(self._asked) % 2 else ()


@rv.register_rule("stock", "patient")
@attrs.frozen
class Patient(rv.HouseRule):
    """
    Nothing changes.
    """

    def may_lay_off(self, turn: rv.Turn) -> None:
        turn.stock_size  # noqa: B018 -- only read


def rules_with(rule: rv.HouseRule) -> rv.Ruleset:
    return rv.preset("rummy-500").with_values(
        {f"{rule.section}.rules": [rule], "match.target": 100}
    )


@pytest.mark.long
def test_a_rule_that_changes_nothing_passes() -> None:
    testing.check_ruleset(rules_with(Patient()), players=[2, 5], matches=1)


@pytest.mark.parametrize("rule", [OfTwoMinds(), NowAndThen()])
def test_a_rule_that_will_not_do_is_found(rule: rv.HouseRule) -> None:
    with pytest.raises(testing.BrokenInvariantError) as caught:
        testing.check_ruleset(rules_with(rule), players=3, matches=5)
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
