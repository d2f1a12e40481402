"""What rules and values decide in a turn, in the smallest positions that show it."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.cards import COPIES


@attrs.frozen
class RunsStay(rv.house.HouseRule):
    """Runs are not extended."""

    def may_lay(self, turn: rv.house.Turn, meld: rv.melds.Meld) -> bool:
        del turn
        return meld.kind != "run"


@attrs.frozen
class AcrossNext(rv.house.HouseRule):
    """The seat after the next one plays."""

    def next_seat(self, turn: rv.house.Turn) -> int:
        return (turn.seat + 2) % turn.players


@attrs.frozen
class TwoCards(rv.house.HouseRule):
    """A player draws two cards."""

    def cards_drawn(self, turn: rv.house.Turn) -> int:
        del turn
        return 2


rv.house.register_rule("meld", "runs stay")(RunsStay)
rv.house.register_rule("match", "across next")(AcrossNext)
rv.house.register_rule("draw", "two cards")(TwoCards)


def window(**values: Any) -> rv.State:
    """
    A window for calls in which E or S may call the seven.
    """
    return rv.position(
        rv.preset("rummy-500").with_values(values),
        hands={"N": "Kc 2s", "E": "Th 3c", "S": "5c 7d"},
        table=["N: 4h 5h 6h", "S: 8c 8d 8s"],
        dealer="S",
        turn="E",
        phase="call",
        discarder="N",
        discards="8h 7h 7c",
        stock="9d 9s 2h",
    )


def test_a_call_lays_only_what_a_rule_lets_it_lay() -> None:
    call = "rummy 7h on 1"
    free = window()
    assert rv.check(free, call, 2)
    assert call in {str(one) for one in rv.legal_actions(free, 2)}
    kept = window(**{"meld.rules": ["runs stay"]})
    ruling = rv.check(kept, call, 2)
    assert (ruling.legal, ruling.rule) == (False, "runs stay")
    assert call not in {str(one) for one in rv.legal_actions(kept, 2)}


def test_a_call_takes_from_the_pile_what_its_own_caller_does_not_hold() -> None:
    state = window(**{"call.with_hand": True, "call.takes": "down to the deepest"})
    taken = {
        (one.seat, one.text): " ".join(map(str, one.takes))
        for one in rv.legal_actions(state).details()
    }
    assert taken[2, "rummy 7c 7d 7h"] == "7h 7c"
    assert taken[1, "rummy 7h on 1"] == "7h 7c"
    assert (1, "rummy 7c 7d 7h") not in taken


@pytest.mark.parametrize(("seat", "following"), [("N", 2), ("E", 3), ("S", 0)])
def test_the_seat_that_a_rule_names_is_next(seat: str, following: int) -> None:
    hands = {"N": "Kc 2s", "E": "Th 3c", "S": "5c 7d", "W": "5d 9h"}
    state = rv.position(
        rv.preset("rummy-500").with_values({"match.rules": ["across next"]}),
        hands=hands,
        dealer="W",
        turn=seat,
        phase="play",
        drawn=f"stock {hands[seat][:2]}",
        discards="8h",
        stock="9d 9s 8s",
    )
    after = rv.apply(state, f"discard {hands[seat][:2]}")
    assert (after.phase, after.turn) == ("draw", following)


def test_the_extra_card_of_the_deal_is_one_whatever_a_rule_draws() -> None:
    values = {"deal.first_discard": "by the first player", "draw.rules": ["two cards"]}
    rules = rv.preset("rummy-500").with_values(values)
    state = rv.new_game(rules, 3, seed=1)
    sizes = [len(hand) for hand in state.hands]
    assert sorted(sizes) == [7, 7, 8]
    assert len(state.drawn.cards) == 1
    after = rv.apply(state, f"discard {next(iter(state.hands[state.turn]))}")
    while after.phase == "call":
        after = rv.apply(after, "pass", after.to_act[0])
    assert len(rv.apply(after, "draw").drawn.cards) == 2


@pytest.mark.parametrize("base", ["gin-rummy", "rummy-500"])
def test_as_many_packs_as_a_hand_can_count_are_allowed(base: str) -> None:
    rules = rv.preset(base).with_values({"deck.packs": COPIES[0], "deck.jokers": 1})
    assert rules.deck.packs_for(2) == COPIES[0]
    with pytest.raises(rv.errors.RulesError, match="8 of Ac, but the library counts 7"):
        rules.with_values({"deck.packs": COPIES[0] + 1})
