"""States of games with house rules are written, and read back as equal ones."""

from __future__ import annotations

import functools
import json
import random

from collections.abc import Iterator
from typing import Any

import attrs
import pytest

import rummyvariants as rv

from amounts import every_third
from rummyvariants import events, testing
from rummyvariants.files._checks import PHASES
from rummyvariants.files._positions import read_position, write_position
from rummyvariants.files.json import JsonError, from_json, to_data, to_json
from rummyvariants.files.json import from_data as read_data
from rummyvariants.testing.states import check_state
from test_json import assert_valid, seats


# ----------------------------------------------------------------------------- rules


@rv.house.register_rule("draw", "files: a peek a round")
@attrs.frozen
class Peeks(rv.house.HouseRule):
    """Once a round a player may look at the top of the stock before drawing."""

    memory = rv.house.Memory(())
    actions = ("peek",)

    def offers(self, turn: rv.house.Turn) -> Iterator[rv.house.Offer]:
        if turn.phase == "draw" and turn.seat not in turn.memory:
            look = rv.house.Show("stock", to=(turn.seat,), number=2)
            yield rv.house.Offer(
                "peek", [look, rv.house.Remember((*turn.memory, turn.seat))]
            )


@rv.house.register_rule("match", "files: what was done last")
@attrs.frozen
class LastDone(rv.house.HouseRule):
    """It is remembered through the match who did what last."""

    memory = rv.house.Memory(("nothing", None), "match")

    def follows(
        self, turn: rv.house.Turn, event: object
    ) -> Iterator[rv.house.Remember]:
        done = (events.Drew, events.Took, events.Laid, events.Discarded, events.Shown)
        if isinstance(event, done):
            seat = turn.seat
            yield rv.house.Remember((type(event).__name__, (seat, seat == 0, None)))


@rv.house.register_rule("deal", "files: red threes")
@attrs.frozen
class RedThrees(rv.house.HouseRule):
    """Red threes are laid out at once and replaced."""

    def lays_aside(self, deal: rv.house.DealFacts) -> list[rv.Card]:
        return [one for one in deal.deck if str(one) in {"3h", "3d"}]


@rv.house.register_rule("call", "files: buying")
@attrs.frozen
class Buys(rv.house.HouseRule):
    """The discard just made may be bought out of turn, for a card of the stock."""

    reads = frozenset({"seat"})

    def buys(self, turn: rv.house.Turn) -> rv.house.Price:
        return rv.house.Price(1, priority=turn.seat % 2)


@rv.house.register_rule("match", "files: out above a hundred")
@attrs.frozen
class Eliminates(rv.house.HouseRule):
    """A player with more than {points} points is out of the match."""

    points: int = 60

    def eliminated(self, match: rv.house.MatchFacts) -> list[int]:
        best = min(match.scores)
        return [
            seat
            for seat, points in enumerate(match.scores)
            if points > self.points and points > best
        ]


@rv.house.register_rule("draw", "files: two from the stock")
@attrs.frozen
class TwoCards(rv.house.HouseRule):
    """Two cards are drawn from the stock."""

    reads = frozenset()

    def cards_drawn(self, turn: rv.house.Turn) -> int:
        del turn
        return 2


@rv.house.register_rule("draw", "files: the top card is owed")
@attrs.frozen
class OwesTop(rv.house.HouseRule):
    """The upper one of two discards that are taken is played or discarded."""

    reads = frozenset({"source", "drawn"})

    def owes(self, turn: rv.house.Turn) -> list[rv.house.Owed]:
        if turn.source != "discards":
            return []
        return [rv.house.Owed(turn.drawn[-1], or_discard=True)]


@rv.house.register_rule("discard", "files: two discards")
@attrs.frozen
class TwoDiscards(rv.house.HouseRule):
    """Whoever took from the discard pile ends the turn with two discards."""

    reads = frozenset({"source"})

    def discards_owed(self, turn: rv.house.Turn) -> int:
        return 2 if turn.source == "discards" else 1


@rv.house.register_rule("discard", "files: a card goes left")
@attrs.frozen
class GoesLeft(rv.house.HouseRule):
    """With a discard the lowest card of the hand goes to the next player."""

    def follows(self, turn: rv.house.Turn, event: object) -> Iterator[rv.house.Move]:
        others = [seat for seat, size in enumerate(turn.sizes) if size]
        if isinstance(event, events.Discarded) and turn.hand and len(others) > 1:
            cards = [*turn.hand][:1]
            target = others[(others.index(turn.seat) + 1) % len(others)]
            yield rv.house.Move(
                "hand", "hand", cards=cards, source_seat=turn.seat, target_seat=target
            )


@rv.house.register_rule("wild", "files: wild by round")
@attrs.frozen
class WildByRound(rv.house.HouseRule):
    """Aces are wild in the first round, and threes in the others."""

    def wild_rank(self, deal: rv.house.DealFacts) -> str:
        return "A" if deal.round_number == 1 else "3"


@rv.house.register_rule("deal", "files: hands of eleven")
@attrs.frozen
class Hands(rv.house.HouseRule):
    """Each player is dealt eleven cards."""

    def values(self, deal: rv.house.DealFacts) -> dict[str, int]:
        del deal
        return {"deal.hand_size": 11}


# ----------------------------------------------------------------------------- games

LOW = {
    "score.hands": "add",
    "score.down": "nothing",
    "match.winner": "lowest",
    "match.target": 250,
    "match.players": [2, 4],
}
GAMES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "peek": (
        "rummy-500",
        2,
        {
            "draw.rules": ["files: a peek a round"],
            "match.rules": ["files: what was done last"],
        },
    ),
    "red threes": ("rummy-500", 3, {"deal.rules": ["files: red threes"]}),
    "buy": ("rummy-500", 4, {"call.rules": ["files: buying"]}),
    "buy and call": ("rummy-5000", 3, {"call.rules": ["files: buying"]}),
    "eliminated": (
        "rummy-500",
        4,
        {
            **LOW,
            "match.rules": ["files: out above a hundred"],
            "call.rules": ["files: buying"],
        },
    ),
    "two cards": ("rummy-500", 2, {"draw.rules": ["files: two from the stock"]}),
    "two cards floating": (
        "rummy-5000",
        3,
        {
            "draw.rules": ["files: two from the stock", "files: a peek a round"],
            "deal.rules": ["files: red threes"],
        },
    ),
    "owed": (
        "rummy-500",
        3,
        {
            "draw.rules": ["files: the top card is owed"],
            "discard.rules": ["files: two discards"],
        },
    ),
    "moves": ("rummy-500", 3, {"discard.rules": ["files: a card goes left"]}),
    "wild": ("rummy-500", 2, {"wild.rules": ["files: wild by round"]}),
    "gin": (
        "gin-rummy",
        2,
        {
            "deal.rules": ["files: hands of eleven"],
            "draw.rules": ["files: two from the stock"],
        },
    ),
}


def rules_of(name: str) -> rv.Ruleset:
    base, _, values = GAMES[name]
    return rv.preset(base).with_values(values)


@functools.cache
def states(name: str) -> tuple[rv.State, ...]:
    """
    The states of two matches between random players.
    """
    found: list[rv.State] = []
    for seed in range(2):
        testing.play_match(
            rules_of(name),
            GAMES[name][1],
            seed,
            limit=220,
            every=400,
            look=lambda state, _: found.append(state),
        )
    return tuple(found)


# ----------------------------------------------------------------------- round trips


@pytest.mark.parametrize(
    "every",
    [
        pytest.param(20, marks=pytest.mark.long),
        pytest.param(7, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("name", GAMES)
def test_states_views_and_records_read_back(name: str, every: int) -> None:
    rng = random.Random(name)
    for state in states(name)[::every]:
        check_state(state)
        for record in (False, True):
            data = to_data(state, record=record)
            assert_valid(data, "state")
            assert read_data(data, rv.State) == state
        for seat in seats(state):
            view = rv.view(state, seat)
            text = to_json(view, legal=20)
            again = from_json(text, rv.View)
            assert again == view
            assert to_json(again, legal=20) == text
            assert again.world.memory == state.memory
            assert_valid(json.loads(text), "view")
            world = rv.determinize(again, rng)
            assert rv.view(world, seat) == view
            data = to_data(world)
            assert_valid(data, "state")
            twin = from_json(json.dumps(data), rv.State)
            assert twin == world
            assert hash(twin) == hash(world)
            assert twin.zones == world.zones
    last = states(name)[-1]
    assert rv.replay(rv.files.Record.parse(str(rv.record(last)))) == last


@pytest.mark.parametrize("name", every_third(GAMES))
def test_positions_in_the_notation_read_back(name: str) -> None:
    """
    Equal but for what a position does not say: what the hand was before the draw.
    """
    for state in states(name)[::7]:
        if state.phase not in PHASES:
            continue
        table = write_position(state)
        again = read_position(table, state.rules)
        assert write_position(again) == table
        match = attrs.evolve(state.match, seed=again.match.seed)
        match = attrs.evolve(match, next_dealer=again.match.next_dealer)
        same = attrs.evolve(
            state,
            match=match,
            dealt=attrs.evolve(state.dealt, upcards=again.dealt.upcards),
            drawn=attrs.evolve(state.drawn, held=again.drawn.held),
            seen=(),
            result=None,
        )
        if state.drawn.source == "stock" and not state.drawn.cards:
            continue
        assert same == again
        assert same._stock_seen == again._stock_seen
        assert rv.files.parse_scenario(rv.files.scenario_text(state)).start == again


def test_every_feature_is_met() -> None:
    assert any(one.memory for one in states("peek"))
    assert any(one._stock_seen and one.phase == "draw" for one in states("peek"))
    assert any(one.zones for one in states("red threes"))
    assert any(len(one.frames) == 3 for one in states("buy and call"))
    assert any(one.eliminated and one.phase == "play" for one in states("eliminated"))
    assert any(len(one.drawn.cards) == 2 for one in states("two cards"))
    paths = {duty.path for one in states("owed") for duty in one.drawn.duties}
    assert "draw.rules.files: the top card is owed" in paths
    assert any(one.frames[-1].notes for one in states("owed") if one.phase == "play")
    assert {one.wild_rank for one in states("wild")} >= {"A"}


def test_what_is_as_at_the_start_is_left_out() -> None:
    state = rv.new_game(rules_of("peek"), 2)
    assert "memory" not in to_data(state)
    assert to_data(rv.view(state, 0))["memory"] == {}
    again = rv.position(
        rules_of("peek"),
        hands={"Ann": "4c 5c", "Ben": "7h 8h"},
        stock="9h",
        memory={"draw.files: a peek a round": []},
    )
    assert not again.memory


# ------------------------------------------------------------------------- refusals

HANDS = {"Ann": "4c 5c", "Ben": "7h 8h", "Cleo": "Jc Qc"}


def refusal(name: str, **keys: Any) -> str:
    with pytest.raises(rv.errors.PositionError) as caught:
        rv.position(rules_of(name), **{"hands": HANDS, "stock": "9h Th", **keys})
    return str(caught.value)


PEEK = "draw.files: a peek a round"


@pytest.mark.parametrize(
    ("name", "keys", "message"),
    [
        (
            "buy",
            {"memory": {PEEK: [0]}},
            f"memory.{PEEK}: no rule in force remembers '{PEEK}'",
        ),
        ("buy", {"memory": [1]}, "memory: give a table by rule"),
        ("buy", {"zones": "3h"}, "zones: give a table by zone"),
        ("buy", {"zones": {"aside": {"Bee": "3h"}}}, "did you mean 'Ben'?"),
        (
            "buy",
            {"zones": {"aside": {"Ben": "Kc Kc"}}},
            "zones.aside.Ben: the deck holds",
        ),
        ("buy", {"zones": {"aside": "3y"}}, "zones.aside: "),
        ("buy", {"zones": {"aside": ""}}, "zones.aside: give each zone once"),
        ("buy", {"zones": {"stock": "3h"}}, "'stock' is not a zone"),
        ("buy", {"stock_seen_by": "Ann"}, "stock_seen_by: give the seats by card"),
        ("buy", {"stock_seen_by": ["Ann"]}, "stock_seen_by: give a list of seats"),
        ("buy", {"stock_seen_by": [["Bee"]]}, "did you mean 'Ben'?"),
        ("buy", {"stock_seen_by": [[]] * 3}, "stock_seen_by: it lists more cards"),
        ("red threes", {"phase": "buy", "discards": "2h"}, "no discard is for sale"),
        ("buy", {"phase": "buy"}, "phase: there is no discard to buy"),
        (
            "buy",
            {"phase": "buy", "discards": "2h", "turn": "Ben", "asked": ["Ann"]},
            "asked: name the seats asked",
        ),
        ("buy", {"asked": ["Ann"]}, "asked: it belongs only to the phase 'buy'"),
        (
            "eliminated",
            {"scores": {"Ann": 61}, "hands": {**HANDS, "Ann": ""}},
            "turn: Ann is out of the match",
        ),
        (
            "eliminated",
            {"scores": {"Cleo": 61}, "hands": {**HANDS, "Cleo": ""}},
            "dealer: Cleo is out of the match",
        ),
        (
            "eliminated",
            {"scores": {"Ben": 61}},
            "hands.Ben: Ben is out of the match but holds cards",
        ),
        ("buy", {"phase": "play", "drawn": "stock 4c 5c"}, "drawn: write 'stock 5h'"),
    ],
)
def test_a_position_that_cannot_be_is_refused(
    name: str, keys: dict[str, Any], message: str
) -> None:
    assert message in refusal(name, **keys)


@pytest.mark.parametrize(
    ("memory", "message"),
    [
        ({f"{PEEK}s": [0]}, f"did you mean '{PEEK}'?"),
        ({PEEK: [0, {"x": 1}]}, f"memory.{PEEK}[1]: give true or false"),
        ({PEEK: 1.5}, f"memory.{PEEK}: give true or false"),
    ],
)
def test_what_cannot_be_remembered_is_refused(
    memory: dict[str, Any], message: str
) -> None:
    rules = rules_of("peek")
    hands = {"Ann": "4c 5c", "Ben": "7h 8h"}
    with pytest.raises(rv.errors.PositionError) as caught:
        rv.position(rules, hands=hands, stock="9h", memory=memory)
    assert message in str(caught.value)
    state = rv.position(rules, hands=hands, stock="9h", memory={PEEK: [0]})
    assert state.memory == {PEEK: (0,)}
    for value, kind in ((rv.view(state, 0), rv.View), (state, rv.State)):
        data = to_data(value)
        inside = data.get("position", data)
        assert inside["memory"] == {PEEK: [0]}
        inside["memory"] = memory
        with pytest.raises(JsonError) as refused:
            read_data(data, kind)
        assert message in str(refused.value)


def test_a_sale_is_opened_by_itself() -> None:
    keys = {"hands": HANDS, "stock": "9h Th", "discards": "2h", "phase": "buy"}
    state = rv.position(rules_of("buy"), turn="Ann", **keys)
    assert (state.phase, state.to_act) == ("buy", (1,))
    after = rv.apply(state, "buy")
    assert (after.phase, len(after.hands[1])) == ("draw", 4)


def test_cards_may_lie_apart_in_a_position() -> None:
    zones = {"files: red threes": {"Ann": "3h", "Ben": "3d"}}
    state = rv.position(
        rules_of("red threes"), hands=HANDS, stock="9h", zones=zones, fill=True
    )
    assert [str(one.cards[0]) for one in state.zones] == ["3h", "3d"]
    assert write_position(state)["zones"] == zones
    check_state(state)


def test_a_position_says_who_has_seen_cards_of_the_stock() -> None:
    seen = ["everybody", ["Ben", "Cleo"], [], ["Ben"]]
    state = rv.position(
        "rummy-500", hands=HANDS, stock="9h Th 2c 3c Kd", stock_seen_by=seen
    )
    known = [rv.view(state, seat).known_stock for seat in (None, 0, 1)]
    assert [" ".join(map(str, one)) for one in known[:2]] == ["9h", "9h"]
    assert known[2] == (*map(rv.Card, ["9h", "Th"]), None, rv.Card("3c"))
    assert write_position(state)["stock_seen_by"] == seen
    again = rv.files.parse_scenario(rv.files.scenario_text(state)).start
    assert again is not None
    assert again._stock_seen == state._stock_seen
