"""The test kit notices what does not hold."""

from __future__ import annotations

import itertools
import logging

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

import rummyvariants as rv

from rummyvariants import events, testing


@rv.house.register_rule("meld", "of two minds")
@attrs.frozen
class OfTwoMinds(rv.house.HouseRule):
    """
    Every third meld that it is asked about is refused.
    """

    _asked = itertools.count()

    def allows_meld(self, meld: rv.melds.Meld) -> bool:
        del meld
        return bool(next(self._asked) % 3)


@rv.house.register_rule("draw", "now and then")
@attrs.frozen
class NowAndThen(rv.house.HouseRule):
    """
    Cards are taken every other time.
    """

    _asked = itertools.count()

    def takes(self, turn: rv.house.Turn) -> tuple[int, ...]:
        del turn
        return (1,) if next(self._asked) % 2 else ()


@rv.house.register_rule("stock", "patient")
@attrs.frozen
class Patient(rv.house.HouseRule):
    """
    Nothing changes.
    """

    def may_lay_off(self, turn: rv.house.Turn) -> None:
        turn.stock_size  # noqa: B018 -- only read


def rules_with(rule: rv.house.HouseRule) -> rv.Ruleset:
    return rv.preset("rummy-500").with_values(
        {f"{rule.section}.rules": [rule], "match.target": 100}
    )


@pytest.mark.long
def test_a_rule_that_changes_nothing_passes() -> None:
    testing.check_ruleset(rules_with(Patient()), players=[2, 5], matches=1)


@pytest.mark.parametrize("rule", [OfTwoMinds(), NowAndThen()])
def test_a_rule_that_will_not_do_is_found(rule: rv.house.HouseRule) -> None:
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
    with pytest.raises(rv.errors.RulesError):
        testing.check_ruleset("rummy-5000", players=2)


# ------------------------------------------------------------- what is never seen


def a_rule(**said: Any) -> rv.Ruleset:
    """
    A short game with a house rule that says and declares something.
    """
    given = {"__doc__": "Something is so.", "__module__": __name__, **said}
    cls = attrs.frozen(type("ARule", (rv.house.HouseRule,), given))
    globals()["ARule"] = cls  # where a pickle looks for it
    rv.house.register_rule("match", "a rule")(cls)
    values = {"match.rules": ["a rule"], "deal.hand_size": 4}
    ends = {"match.ends": "after the rounds", "match.rounds": 2, "match.tie": "joint"}
    return rv.preset("basic-rummy").with_values({**values, **ends})


@pytest.fixture
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Matches are checked for a short time only, and then just played on.
    """
    monkeypatch.setattr("rummyvariants.testing.matches._ACTIONS", 100)


def offers(
    *effects: rv.house.Effect, phase: str = "draw", refused: str = ""
) -> Callable[[rv.house.HouseRule, rv.house.Turn], Iterator[rv.house.Offer]]:
    def said(rule: rv.house.HouseRule, turn: rv.house.Turn) -> Iterator[rv.house.Offer]:
        del rule
        if turn.phase == phase:
            yield rv.house.Offer("wave", effects, refused=refused)

    return said


def on_discard(
    *effects: rv.house.Effect, first: bool = False
) -> Callable[..., tuple[rv.house.Effect, ...]]:
    kinds = (events.Discarded, events.Acted) if first else events.Discarded
    return lambda *given: effects if isinstance(given[-1], kinds) else ()


END = rv.house.EndMatch([0])
OFFERED = {"actions": ("wave",), "offers": offers(rv.house.GoOn("next turn"))}
ENDS = {"effects": {rv.house.EndRound}, "follows": on_discard(rv.house.EndRound())}
ENDS_ALL = {"effects": {rv.house.EndMatch}, "follows": on_discard(END)}


@pytest.mark.usefixtures("_short")
@pytest.mark.parametrize(
    ("said", "notice"),
    [
        (OFFERED, ""),
        ({**OFFERED, "offers": offers(phase="rejoin")}, "never offered 'wave' in two"),
        (
            {**OFFERED, "offers": offers(refused="not now")},
            "never offered 'wave' but to be refused in two matches",
        ),
        (
            {**OFFERED, "vetoes": ("wave",), "forbids": lambda *_: True},
            "never offered 'wave' but to be refused in two matches",
        ),
        (ENDS, ""),
        ({**ENDS, "follows": on_discard()}, "not seen to end a round in two matches"),
        (ENDS_ALL, ""),
        ({**ENDS_ALL, "follows": on_discard()}, "not seen to end a match in two"),
        ({**OFFERED, "effects": {rv.house.EndMatch}, "offers": offers(END)}, ""),
    ],
)
def test_what_a_house_rule_never_does_is_a_notice(
    said: dict[str, Any], notice: str, caplog: pytest.LogCaptureFixture
) -> None:
    testing.check_ruleset(a_rule(**said), players=2, matches=2)
    assert len(caplog.records) == bool(notice)
    assert notice in caplog.text
    assert not notice or "basic-rummy: 'a rule' " in caplog.text


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({"actions": ("wave",)}, "'wave' in `actions`, but does not answer 'offers'"),
        (
            {
                "effects": {rv.house.EndRound, rv.house.EndMatch},
                "score": lambda *_: None,
            },
            "EndRound and EndMatch in `effects`, but answers neither 'follows'",
        ),
    ],
)
def test_what_a_house_rule_can_never_do_is_a_fault(
    said: dict[str, Any], wrong: str
) -> None:
    with pytest.raises(testing.BrokenInvariantError, match=wrong):
        testing.check_rules(a_rule(**said))


BACK = rv.house.Move("discards", "stock", number=None)
AGAIN = rv.house.AskOthers([0], may_pass=False)


@pytest.mark.usefixtures("_short")
@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        (
            {"follows": on_discard(BACK), "may_go_out": lambda *_: False},
            r"the round has reached turn \d+; the reason could be 'a rule'",
        ),
        (
            {
                **OFFERED,
                "offers": offers(phase="asked"),
                "follows": on_discard(AGAIN, first=True),
            },
            r"the turn has gone on for \d+ actions; the reason could be 'a rule'",
        ),
        (
            {"winners": lambda *_: ()},
            "after 20,000 .* could be 'a rule'; by the values of `match` it is over",
        ),
    ],
)
def test_what_never_ends_is_a_fault_that_names_the_reason(
    said: dict[str, Any], wrong: str
) -> None:
    rules = a_rule(**said)
    with pytest.raises(testing.BrokenInvariantError, match=wrong) as caught:
        testing.check_ruleset(rules, players=2, matches=1)
    assert "2 players, seed 0, after " in str(caught.value)


@pytest.mark.usefixtures("_short")
def test_a_match_that_nobody_has_won_after_so_long_is_a_notice(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rules = a_rule(score=lambda *_: ()).with_values(
        {
            "match.ends": "at the target",
            "match.target": 9_999,
            "match.rounds": "any number",
        }
    )
    testing.check_ruleset(rules, players=2, matches=1)
    (said,) = [one.getMessage() for one in caplog.records]
    assert said.startswith("basic-rummy with no options, 2 players, seed 0: the match")
    assert said.endswith("20,000 actions; the reason could be 'a rule'")


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.0001, ""), (0.1, "as much as "), (0.03, "two matches will take about ")],
)
def test_long_checks_are_announced_once(
    seconds: float,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """
    After some seconds of the first match, or when it is over.
    """
    clock = itertools.count(step=seconds)
    timer = SimpleNamespace(monotonic=lambda: next(clock))
    monkeypatch.setattr("rummyvariants.testing.watching.time", timer)
    testing.check_ruleset("indian-rummy-pool", players=6, matches=3)
    assert len(caplog.records) == bool(said)
    assert said in caplog.text
    assert caplog.records[0].levelno == logging.WARNING if said else True
