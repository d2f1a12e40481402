"""What the engine keeps to while house rules have effects, offers and places."""

from __future__ import annotations

import random

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.policies import house


@pytest.fixture(autouse=True)
def _no_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "_RULES", {})


def _table(base: str, *rules: type[rv.HouseRule], **sections: object) -> rv.Ruleset:
    given: dict[str, dict[str, object]] = {
        name: dict(values)  # type: ignore[call-overload]
        for name, values in sections.items()
    }
    for rule in rules:
        given.setdefault(rule.section, {})["rules"] = [rule.name]
    return rv.read_rules({"extends": base, **given})


def test_one_meld_a_turn_holds_in_a_turn_without_a_draw() -> None:
    @rv.register_rule("draw", "no draw")
    @attrs.frozen
    class NoDraw(rv.HouseRule):
        """A turn may go on without a draw."""

        actions = ("skip",)

        def offers(self, turn: rv.Turn) -> list[rv.Offer]:
            before = turn.phase == "draw"
            return [rv.Offer("skip", [rv.GoOn("play")])] if before else []

    hands = {"Ann": "7h 8h 9h Kc Kd Ks 2c", "Ben": "Qh 3d"}
    rules = _table("basic-rummy", NoDraw)
    piles = {"stock": "4c 5c", "discards": "Jd"}
    state = rv.position(rules, hands=hands, turn="Ann", partial=True, **piles)
    state = rv.apply(rv.apply(state, "skip"), "meld 7h 8h 9h")
    assert rv.check(state, "meld Kc Kd Ks").rule == "BR-05"
    assert rv.from_json(rv.to_json(state), rv.State) == state
    # The count is that of the turn.
    state = rv.apply(rv.apply(state, "discard 2c"), "draw")
    state = rv.apply(rv.apply(state, "discard 4c"), "skip")
    assert rv.check(state, "meld Kc Kd Ks")


@pytest.mark.parametrize(
    ("shown", "seen"),
    [("nobody", (0, 0)), ("owner", (2, 0)), ("everybody", (2, 2))],
)
def test_a_zone_of_a_position_is_seen_by_those_who_see_its_pile(
    shown: str, seen: tuple[int, int]
) -> None:
    @rv.register_rule("out", "foot")
    @attrs.frozen
    class Foot(rv.HouseRule):
        """Each player has two cards apart."""

        piles = (rv.Pile("foot", 2, of="seat", shown=shown),)

    hands = {"Ann": "7h 8h", "Ben": "Qh 3d"}
    state = rv.position(
        _table("rummy-500", Foot),
        hands=hands,
        turn="Ann",
        stock="4c 5c 6c",
        discards="Jd",
        zones={"foot": {"Ann": "Kc Kd"}},
    )
    (zone,) = state._zones
    assert [2 * (zone._seen >> seat & 1) for seat in (0, 1)] == [*seen]


def test_a_hand_that_is_declared_is_not_filled_again() -> None:
    @rv.register_rule("out", "second hand")
    @attrs.frozen
    class Second(rv.HouseRule):
        """An empty hand is filled with two cards."""

        def refills(self, turn: rv.Turn) -> list[rv.Move]:
            return [rv.Move("stock", "hand", 2, target_seat=turn.seat)]

    values = {"last_turn": False}
    state = rv.position(
        _table("three-thirteen", Second, out=values),
        hands={"Ann": "7h 7c 7d Kc", "Ben": "Qh 8d 2c"},
        turn="Ann",
        phase="play",
        drawn="stock Kc",
        stock="4c 5c 6c",
        discards="Jd",
        wild="3",
    )
    state = rv.apply(state, "declare Kc: 7h 7c 7d")
    assert state.result is not None
    assert state.result.out == 0


@pytest.mark.parametrize("base", ["basic-rummy", "three-thirteen"])
def test_rules_know_in_turns_and_between_rounds_who_wins(base: str) -> None:
    told = []

    @rv.register_rule("match", "told")
    @attrs.frozen
    class Told(rv.HouseRule):
        """Nothing is said, and all is heard."""

        def takes(self, turn: rv.Turn) -> None:
            told.append(("turn", turn.lowest_wins))

        def deals_next(self, match: rv.MatchFacts) -> None:
            told.append(("match", match.lowest_wins))

        def eliminated(self, match: rv.MatchFacts) -> None:
            told.append(("eliminated", match.lowest_wins))

    state = rv.new_game(_table(base, Told), 2, seed=1)
    chance = random.Random(3)
    while state.phase not in {"deal", "over"}:
        state = rv.apply(state, rv.legal_actions(state).sample(chance.randrange))
    lowest = base == "three-thirteen"
    assert {*told} == {("turn", lowest), ("match", lowest), ("eliminated", lowest)}
