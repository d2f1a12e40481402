"""JSON reads back to equal values, gives away no secret, and keeps to its schema."""

from __future__ import annotations

import copy
import functools
import hashlib
import html.parser
import itertools
import json
import random
import runpy

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from hypothesis import given
from jsonschema import Draft202012Validator

import composition
import rummyvariants as rv
import strategies

from amounts import every_third
from places import EXAMPLES, SCENARIOS
from rummyvariants import events
from rummyvariants._support import toml
from rummyvariants.files.json import (
    FORMAT,
    JsonError,
    from_data,
    from_json,
    loads,
    schema,
    to_data,
    to_json,
)
from rummyvariants.files.json._answers import EVENTS
from rummyvariants.game._card_moves import SeenEvent
from rummyvariants.game._engine.phases import PHASES
from rummyvariants.game._listing import ActionPage
from rummyvariants.game._sheets import ScoreSheet
from rummyvariants.house import rules as house
from rummyvariants.house.facts import Location
from walks import exchanged, walk


KINDS = {
    "view": rv.View,
    "state": rv.State,
    "action": rv.Action,
    "event": events.Event,
    "seen_event": SeenEvent,
    "record": rv.files.Record,
    "ruleset": rv.Ruleset,
    "ruling": rv.Ruling,
    "legal_actions": ActionPage,
    "chooser": rv.game.Chooser,
    "arrangement": rv.solver.Arrangement,
    "round_result": rv.game.RoundResult,
    "score_sheet": ScoreSheet,
}
SCENARIOS = sorted((SCENARIOS).rglob("*.toml"))

# The deal of the first one waits for a choice of hand sizes.
CHOICES = (
    ("rummy-5000", ("PGV-D3e", "PGV-C2a")),
    ("2500-house", ("PGV-C5",)),
    ("2500-house", ("BNV-02",)),
    ("george", ()),
    ("rummy-500", ("BNV-01",)),
    ("rummy-500", ("PGV-P4", "PGV-P10")),
    ("rummy-5000", ()),
    ("rummy-5000", ("PGV-D4b", "PGV-P8")),
    ("rummy-5000", ("PGV-E2", "PGV-P4")),
    ("rummy-5000", ("PGV-P2b", "PGV-P7")),
    ("basic-rummy", ("BAS-08a",)),
    ("gin-rummy", ()),
    ("gin-rummy", ("GRV-03", "GRV-05a")),
    ("rummy-5000", ("PGV-C3",)),
    ("contract-rummy", ()),
    ("three-thirteen", ()),
    ("indian-rummy-pool", ("INV-05",)),
)


# Few cards, of which partners can ask each other whether to go out.
SMALL_CANASTA = {
    "deck.ranks": "A23456",
    "deal.hand_size": 4,
    "out.canasta": 3,
    "meld.minimum": {0: 15},
}


@rv.house.register_rule("discard", "json: bids")
@attrs.frozen
class Bids(rv.house.HouseRule):
    """
    The others may bid for a discard, and a player may pass the draw.
    """

    actions = ("bid", "bid with", "pass the draw")

    def follows(self, turn: rv.house.Turn, event: object) -> Iterator[rv.house.Effect]:
        """
        The others are asked, all of them.
        """
        if isinstance(event, events.Discarded):
            others = [one for one in range(turn.players) if one != turn.seat]
            yield rv.house.AskOthers(others, all=True)

    def offers(self, turn: rv.house.Turn) -> Iterator[rv.house.Offer]:
        """
        Actions with and without cards.
        """
        if turn.phase == "asked":
            yield rv.house.Offer("bid", [rv.house.Points(turn.seat, -1, "for a bid")])
            for card in turn.hand:
                points = rv.house.Points(turn.seat, -2, "for a bid", card)
                yield rv.house.Offer("bid with", [points], [card])
        elif turn.phase == "draw":
            yield rv.house.Offer("pass the draw", [rv.house.GoOn("play")])


def games() -> Iterator[tuple[rv.Ruleset, int, int]]:
    """
    Rulesets, numbers of players, seeds: chosen ones, and options at random.
    """
    for number, (base, names) in enumerate(CHOICES):
        rules = rv.preset(base).with_options(*names)
        yield rules, min(4 - number % 2, rules.match.players[1]), number
    yield rv.preset("gin-rummy").with_values({"out.knock": 60}), 2, 1
    yield rv.preset("canasta").with_values(SMALL_CANASTA), 4, 1
    yield rv.preset("rummy-500").with_values({"discard.rules": ["json: bids"]}), 3, 2
    low = {"match.eliminated_at": 30, "match.rejoin": 400}
    yield rv.preset("indian-rummy-pool").with_values(low), 3, 1
    for seed in range(16):
        game = composition.sample(810_000 + seed)
        try:
            rv.game.begin(game.rules(), game.players, seed=seed)
        except rv.errors.RulesError:
            continue
        yield game.rules(), game.players, seed


GAMES = list(games())
IDS = [f"{number} {players}" for number, (_, players, _) in enumerate(GAMES)]


@functools.cache
def walked(number: int) -> tuple[rv.Step, ...]:
    """
    The steps of a game.
    """
    return tuple(walk(*GAMES[number], 150))


@functools.cache
def steps(number: int) -> tuple[rv.Step, ...]:
    """
    Some steps of a game: the first ones that lead to each phase, and some others.
    """
    every = walked(number)
    seen: dict[str, list[rv.Step]] = {}
    for done in every:
        seen.setdefault(done.after.phase, []).append(done)
    chosen = {id(one) for some in seen.values() for one in some[:2]}
    chosen |= {id(one) for one in every[:: 1 + len(every) // 9]}
    return tuple(one for one in every if id(one) in chosen)


@functools.cache
def validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator(schema(kind))


def assert_valid(data: object, kind: str) -> None:
    error = next(validator(kind).iter_errors(data), None)
    assert error is None, f"{error.json_path}: {error.message}"


def seats(state: rv.State) -> tuple[int | None, ...]:
    return (None, *range(len(state.players)))


# ---------------------------------------------------------------------- round trips


@pytest.mark.parametrize("number", every_third(range(len(GAMES))), ids=IDS)
def test_views_read_back(number: int) -> None:
    """
    Equal, with the same actions to choose from, whoever looks.
    """
    for at, done in enumerate(steps(number)):
        state = done.after
        for seat in seats(state):
            view = rv.view(state, seat)
            text = to_json(view, legal=40)
            again = from_json(text, rv.View)
            assert again == view
            assert again.actions == again.world.history == view.actions
            assert again.world.seen_in_hands == view.world.seen_in_hands
            assert to_json(again, legal=40) == text
            some = [
                list(map(str, itertools.islice(one.legal_actions, 50)))
                for one in (view, again)
            ]
            assert some[0] == some[1]
            if at % 6 == 0:
                assert_valid(json.loads(text), "view")
                world = rv.determinize(again, random.Random(1))
                assert rv.view(world, seat) == view


def test_all_phases_are_looked_at() -> None:
    phases = {one.after.phase for number in range(len(GAMES)) for one in steps(number)}
    assert phases == set(PHASES)


@pytest.mark.parametrize("number", every_third(range(len(GAMES))), ids=IDS)
def test_hidden_cards_change_no_text(number: int) -> None:
    rng = random.Random(number)
    for done in steps(number)[::2]:
        state = done.after
        if state.dealer is None or state.is_round_over:
            continue
        for seat in seats(state):
            other = exchanged(state, seat, rng)
            texts = {to_json(rv.view(one, seat), legal=20) for one in (state, other)}
            assert len(texts) == 1
            assert (
                len({rv.view(one, seat)._repr_html_() for one in (state, other)}) == 1
            )


def test_a_view_tells_no_seed_and_no_deal() -> None:
    state = rv.apply(rv.new_game("rummy-5000", 4, seed="secret words"), "draw")
    text = to_json(rv.view(state, 2))
    assert "secret words" not in text
    assert "deal " not in text
    data = json.loads(text)
    assert data["drawn"]["cards"] == []
    assert not {"seed", "stock", "hands", "stock_seen_by"} & set(data)
    named = json.dumps([data["hand"], data["known"], data["shown"], data["upcards"]])
    assert len(data["hand"]) == len(state.hands[2])
    for card in state.stock[:5]:
        if card not in state.hands[2] and card not in state.seen_in_hands[2]:
            shown = [str(one) for cards in state.seen_in_hands for one in cards]
            up = [str(one) for cards in state.dealt.upcards for one in cards]
            assert str(card) in shown + up or f'"{card}"' not in named


@pytest.mark.parametrize("number", every_third(range(len(GAMES))), ids=IDS)
def test_states_and_records_read_back(number: int) -> None:
    """
    A state as its position, with views of it alike, or as the record of its game.
    """
    rng = random.Random(number)
    for at, done in enumerate(steps(number)[::3]):
        state = done.after
        data = to_data(state)
        assert_valid(data, "state")
        again = from_json(json.dumps(data), rv.State)
        assert again == state
        assert again.from_position
        for seat in seats(state):
            assert rv.view(again, seat) == rv.view(state, seat)
        assert to_data(again) == data
        data = to_data(state, record=True)
        assert {*data} <= {"format", "record", "first_dealer"}
        assert_valid(data, "state")
        again = from_data(data, rv.State)
        assert again == state
        assert again.history == state.history
        record = rv.record(state, notes="words")
        text = to_json(record)
        assert from_json(text, rv.files.Record) == record
        assert_valid(json.loads(text), "record")
        for seat in seats(state)[: 1 + at % 3]:
            if state.dealer is None:
                continue
            world = rv.determinize(rv.view(state, seat), rng)
            twin = from_json(to_json(world), rv.State)
            assert twin == world
            assert (twin.history, twin.from_position) == (world.history, True)
            assert twin.seen_in_hands == world.seen_in_hands


def test_a_state_is_written_in_time_that_does_not_grow_with_the_game() -> None:
    """
    It tells what was done in its round, and no more.
    """
    state = rv.new_game("rummy-5000", 4, seed=1)
    rng = random.Random(2)
    longest = 0
    for _ in range(900):
        longest = max(longest, len(to_data(state).get("actions", ())))
        if state.phase == "deal":
            state = rv.game.deal(state)
            assert "actions" not in to_data(state)
        state = rv.playout(state, rng.randrange, actions=1)
    assert len(state.history) > 3 * longest


def test_the_record_of_a_position_is_refused() -> None:
    state = rv.position("rummy-500", hands={"Ann": "7h", "Ben": "2c"}, stock="9d")
    with pytest.raises(rv.errors.RecordError, match="began from a position"):
        to_json(state, record=True)


@pytest.mark.parametrize(
    "path", SCENARIOS[::8], ids=lambda one: f"{one.parent.name} {one.stem}"
)
def test_positions_made_by_hand_read_back(path: Path) -> None:
    scenario = rv.files.load_scenario(path)
    if scenario.start is None:
        return
    states = [scenario.start]
    end = rv.files.run(scenario).state
    if end is not None:
        states.append(end)
    for state in states:
        assert from_json(to_json(state), rv.State) == state
        for seat in seats(state):
            view = rv.view(state, seat)
            assert from_json(to_json(view, legal=20), rv.View) == view


def test_games_that_have_not_begun_read_back() -> None:
    for dealer in (None, 0, 2):
        state = rv.game.begin("rummy-500", 3, seed=None, dealer=dealer)
        recorded = to_data(state, record=True)
        assert recorded.get("first_dealer") == dealer
        for data in (recorded, to_data(state)):
            assert_valid(data, "state")
            assert from_data(data, "state") == state
        view = rv.view(state, 1)
        assert from_json(to_json(view), "view") == view


def test_a_state_put_together_by_hand_is_written_slot_by_slot() -> None:
    state = rv.new_game("rummy-500", 3, seed=1)
    match = attrs.evolve(state.match, scores=(5, 0, -5))
    changed = attrs.evolve(state, match=match, seen=state._seen)
    data = to_data(changed)
    assert data["scores"] == [5, 0, -5]
    assert from_data(data, "state") == changed


@given(strategies.actions())
def test_actions_read_back(action: rv.Action) -> None:
    data = to_data(action)
    assert from_data(data, rv.Action) == action
    assert from_json(to_json(action), type(action)) == action
    assert from_json(json.dumps(action.as_dict())) == action
    assert_valid(data, "action")
    assert (
        from_data({"seat": data["seat"], "action": data["action"]}, "action") == action
    )


def test_events_read_back_as_they_may_be_seen() -> None:
    cards = (rv.Card("7h"), rv.Card("2c"))
    aside = Location("set aside", 1)
    seldom = (
        events.DealThrownIn(),
        events.Floated(1),
        events.Acted(1, "pass the draw"),
        events.Acted(1, "give away", cards),
        events.Dropped(1, 20),
        events.Rejoined(1, 76),
        events.Arranged(1, (("4c", "4d", "4h"), ("3s", "4s", "*=5s"))),
        events.Moved(Location("hand", 0), aside, 2, cards, (0, 1)),
        events.Moved(aside, Location("stock"), 2, cards, None),
        events.Shown(Location("stock"), 2, cards, (2,)),
    )
    for event, seat in itertools.product(seldom, (None, 0, 2)):
        data = to_data(event.seen_by(seat))
        assert from_data(data, "event") == event.seen_by(seat)
        assert_valid(data, "event")
    counts: dict[type[events.Event], int] = dict.fromkeys(map(type, seldom), 0)
    for number in range(len(GAMES)):
        for done in walked(number):
            for event in done.events:
                times = counts[type(event)] = counts.get(type(event), 0) + 1
                if times > 20:
                    continue
                for seat in seats(done.after):
                    seen = event.seen_by(seat)
                    data = to_data(seen)
                    assert from_data(data, events.Event) == seen
                    assert from_data(seen.as_dict()) == seen
                    if times < 4:
                        assert_valid(data, "event")
    assert set(counts) == set(EVENTS.values())


# ------------------------------------------------------------------------ the schema


def test_the_schema_is_one() -> None:
    whole = schema()
    Draft202012Validator.check_schema(whole)
    assert [one["$ref"] for one in whole["anyOf"]] == [
        f"#/$defs/{kind}" for kind in KINDS
    ]
    for kind, known in KINDS.items():
        assert schema(kind)["$ref"] == f"#/$defs/{kind}"
        assert schema(kind) == schema(known)
    for name, one in whole["$defs"].items():
        assert "description" in one, name
        if "properties" in one:
            assert one["additionalProperties"] is False, name


def test_a_change_of_the_schema_raises_the_format() -> None:
    """
    Whoever changes a key raises `FORMAT`, and writes down what changed.
    """
    keys = json.dumps(keys_of(schema()), sort_keys=True)
    known = {1: "91082c22b037"}
    assert hashlib.sha256(keys.encode()).hexdigest()[:12] == known[FORMAT]


def keys_of(given: Any) -> Any:
    """
    A schema without its descriptions.
    """
    if isinstance(given, dict):
        return {
            key: keys_of(one)
            for key, one in given.items()
            if key != "description" or not isinstance(one, str)
        }
    return [*map(keys_of, given)] if isinstance(given, list) else given


def test_every_kind_of_event_has_a_schema() -> None:
    defs = schema()["$defs"]
    named = {one["$ref"].rpartition("/")[2] for one in defs["event"]["oneOf"]}
    assert named == {f"event_{name.replace('-', '_')}" for name in EVENTS}
    for name, event in EVENTS.items():
        found = defs[f"event_{name.replace('-', '_')}"]
        fields = {one.name for one in attrs.fields(event)}
        assert {*found["properties"]} == {"format", "event", *fields, "text", "moves"}


Sample = tuple[str, dict[str, Any], rv.View | None]
"""A kind, a document, and the view that it is read with, if it needs one."""


def samples() -> Iterator[Sample]:
    """
    Documents of every kind, taken from games in many phases.
    """
    for kind, value in values():
        yield kind, to_data(value, legal=10), None
    for number in range(len(CHOICES)):
        for done in {one.after.phase: one for one in steps(number)}.values():
            for seat in done.after.to_act[:1]:
                view = rv.view(done.after, seat)
                found = rv.chooser(view.world, seat)
                yield "chooser", to_data(found), view
                while found.choices:
                    found = found.choose(found.choices[0])
                    yield "chooser", to_data(found), view
                if done.after.phase == "play":
                    yield "arrangement", to_data(rv.arrange(view.world, seat)), view


def values() -> Iterator[tuple[str, object]]:
    """
    Values of every kind that is read by itself.
    """
    for number in range(len(CHOICES)):
        found = {one.after.phase: one for one in steps(number)}
        for done in found.values():
            state = done.after
            for seat in (None, *state.to_act[:1]):
                yield "view", rv.view(state, seat)
            for seat in state.to_act[:1]:
                yield "legal_actions", rv.legal_actions(state, seat).page(size=6)
                yield "ruling", rv.check(state, "draw", seat)
            if state.result is not None:
                yield "round_result", state.result
                yield "score_sheet", rv.game.score_sheet(state)
        state = steps(number)[-1].after
        yield "record", rv.record(state)
        yield "ruleset", state.rules
        if state.dealer is not None:
            yield "state", rv.determinize(rv.view(state), random.Random(1))
        for done in steps(number)[-2:]:
            yield "action", done.action
            for event in done.events:
                yield "event", event
            for seen in done.seen_by(0):
                yield "seen_event", seen


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """
    The path of every value of a document, without what policy values hold.
    """
    entries: Any = ()
    if isinstance(data, dict):
        entries = data.items()
    elif isinstance(data, list):
        entries = enumerate(data)
    for key, one in entries:
        yield (*path, key)
        if key not in {"rules", "value", "memory"}:
            yield from places(one, (*path, key))


def mutations(
    data: dict[str, Any], rng: random.Random, number: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """
    Documents with one key deleted, added or given another type of value.
    """
    every = list(places(data))
    for path in rng.sample(every, min(number, len(every))):
        for how in ("delete", "add", "retype"):
            if path[-1] == "value" and "values" in path and how == "retype":
                continue  # a policy value may be anything
            if path[-2:-1] in {("values",), ("parts",), ("option_files",)}:
                continue  # the names are those of the policy values
            other = copy.deepcopy(data)
            inside: Any = other
            for key in path[:-1]:
                inside = inside[key]
            if how == "add" and isinstance(inside, dict):
                inside[f"{path[-1]}s"] = inside[path[-1]]
            elif how == "delete" and isinstance(inside, dict):
                del inside[path[-1]]
            elif how == "retype":
                inside[path[-1]] = rng.choice([7.5, {"x": 1}])
            else:
                continue
            yield f"{how} {path}", other


@pytest.mark.long
def test_schema_and_reader_refuse_the_same() -> None:
    rng = random.Random(1)
    seen = 0
    for kind, data, view in samples():
        assert_valid(data, kind)
        for what, other in mutations(data, rng, 2):
            if what.startswith("delete") and validator(kind).is_valid(other):
                continue  # what has a default may be left out
            seen += 1
            assert not validator(kind).is_valid(other), f"{kind}: {what}"
            with pytest.raises(JsonError):
                from_data(other, kind, view)
    assert seen > 250


# ------------------------------------------------------------------------- refusals


def change_turn(data: dict[str, Any], **slots: Any) -> None:
    """
    Let another phase be, or another player's turn, wherever a document says so.
    """
    data.update(slots)
    frame = {"phase": data["phase"], "seat": data["turn"], "waiting": [data["turn"]]}
    data["frames"] = [frame]


def refusal(change: Callable[[dict[str, Any]], object], seat: int | None = 0) -> str:
    """
    What is said of a view's document with something changed.
    """
    state = rv.new_game("rummy-500", ["Ann", "Ben", "Cleo"], seed=3)
    state = rv.apply(state, "take 1")
    data = to_data(rv.view(state, seat))
    change(data)
    with pytest.raises(JsonError) as caught:
        from_json(json.dumps(data), rv.View)
    return str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["hand_sizes"].__setitem__(2, "x"), "hand_sizes[2]: give a whole"),
        (lambda d: d["hand_sizes"].__setitem__(2, 9), "stock_size: "),
        (
            lambda d: d["hand_sizes"].pop(),
            "hand_sizes: give one entry for each",
        ),
        (lambda d: d.update(hand_size=[]), "did you mean 'hand_sizes'?"),
        (lambda d: d.pop("stock_size"), "stock_size: is missing"),
        (
            lambda d: d.update(stock_size=30),
            "unseen cards by their sizes, but the deck leaves",
        ),
        (lambda d: d.update(stock_size=-3), "stock_size: give a whole number from 0"),
        (lambda d: d["discards"].append("Ky"), "discards[0]: give a card such as 'Kc'"),
        (lambda d: d["discards"].append("10h"), "give 'Th', not '10h'"),
        (lambda d: d.update(discards=["Kc"] * 2), "the deck holds Kc once, not twice"),
        (lambda d: d.update(format=3), "format: 3 is unknown; the known format is 1"),
        (lambda d: d.update(format=True), "format: true is unknown"),
        (
            lambda d: d.update(phase="plai"),
            "there is no phase 'plai'; did you mean 'play'",
        ),
        (
            lambda d: change_turn(d, phase="draw"),
            "drawn: it belongs only to the phases 'play' and 'answer'",
        ),
        (lambda d: d.update(seat=3), "seat: there is no seat 3; seats go from 0 to 2"),
        (lambda d: d.update(seat=1), "hand_sizes[1]: a seat knows its whole hand"),
        (lambda d: d.update(turn=2), "turn: 2 does not agree with the rest"),
        (lambda d: d.update(phase="draw"), "phase: 'draw' does not agree"),
        (lambda d: d.update(frames=[]), "frames: give at least one, and"),
        (
            lambda d: d["frames"][0].update(phase="plai"),
            "frames[0].phase: there is no phase 'plai'; did you mean 'play'?",
        ),
        (
            lambda d: d["frames"][0].update(waiting=[1, 2]),
            "frames[0].waiting: (1, 2) does not agree",
        ),
        (
            lambda d: d["frames"][0].update(secrets=[1]),
            "frames[0].secrets: there are none in this phase",
        ),
        (
            lambda d: d["frames"].append({"phase": "call", "seat": 0, "waiting": [1]}),
            "frames[1]: 'call' interrupts 'draw', not ['play']",
        ),
        (
            lambda d: d["frames"].insert(0, d["frames"][0]),
            "frames[1]: it interrupts no other phase",
        ),
        (lambda d: d["sights"].pop(), "sights: give what was seen of the deal"),
        (
            lambda d: d.update(known_stock=d["hand"][:1]),
            "once, not twice",
        ),
        (
            lambda d: d.update(known_stock=[None] * 40),
            "known_stock: the stock holds 32 cards, not 40",
        ),
        (lambda d: d.update(seats=["A", "A", "B"]), "seats: every player needs"),
        (lambda d: d.update(rules="rummy-50"), "rules: there is no preset 'rummy-50'"),
        (
            lambda d: d.update(
                owed=[{"card": "8c", "how": "play", "value": "draw.duty"}]
            ),
            "owed[0]: the rules impose no such duty",
        ),
        (lambda d: d["actions"][0].update(action="tke 1"), "actions[0].action: "),
        (lambda d: d["actions"][0].update(action="1: draw"), "in the key 'seat'"),
        (lambda d: d["actions"][0].update(seat=None), "say whose each action is"),
        (lambda d: d.update(wild="K"), "no rank is made wild in rummy-500"),
        (lambda d: d.update(winners=[0]), "winners: there are winners if"),
    ],
)
def test_what_is_no_view_is_reported(
    change: Callable[[dict[str, Any]], object], message: str
) -> None:
    assert message in refusal(change)


def test_all_problems_are_reported_at_once() -> None:
    def change(data: dict[str, Any]) -> None:
        data["hand_sizes"][0] = None
        data["hand_sizes"][2] = True
        data["turnn"] = 1
        data["upcards"] = {"0": []}

    message = refusal(change)
    assert len(message.splitlines()) == 4
    assert "turnn: there is no such key; did you mean 'turn'?" in message


def test_melds_that_are_none_are_reported() -> None:
    state = rv.new_game("rummy-500", 2, seed=1)
    rng = random.Random(1)
    while not state.table or state.is_round_over:
        state = rv.playout(state, rng.randrange, actions=1)
        if state.phase == "deal":
            state = rv.game.deal(state)
    data = to_data(rv.view(state))
    slots = data["table"][0]["cards"]
    slots[0], slots[-1] = slots[-1], slots[0]
    data["table"][0]["kind"] = "run"
    data["table"][0]["number"] = 4
    with pytest.raises(JsonError) as caught:
        from_data(data, "view")
    paths = [path for path, _ in caught.value.places]
    assert paths == ["table[0].number", "table[0].cards"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["table"][0].update(cards=[]), "table[0].cards: it holds no card"),
        (
            # In a set of one pack the suit matters, so a rank alone is no place.
            lambda d: d["table"][0]["cards"][2].update(stands_for="8"),
            "table[0].cards: 8c 8d *=8 can be read as",
        ),
        (
            lambda d: d.update(stock_seen_by=[[0, 0]]),
            "stock_seen_by[0]: a seat appears twice",
        ),
        (
            lambda d: d.update(
                known_by_some=[{"seat": 0, "cards": ["7h"], "seen_by": [1]}]
            ),
            "shown[0]: a card is not in the hand",
        ),
        (
            lambda d: d.update(frames=d["frames"] * 400),
            "frames: give at least one, and",
        ),
        (
            lambda d: d.update(memory={"points": [2, 1e300]}),
            "no rule in force remembers 'points'",
        ),
    ],
)
def test_what_is_no_state_is_reported(
    change: Callable[[dict[str, Any]], object], message: str
) -> None:
    state = rv.position(
        "rummy-500",
        hands={"Ann": "Kc", "Ben": "2c"},
        table=["Ann: 8c 8d *=8h"],
        fill=True,
    )
    data = to_data(state)
    change(data)
    with pytest.raises(JsonError) as caught:
        from_data(data, "state")
    assert message in str(caught.value)


def test_states_under_rules_of_a_single_deal_read_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """
    The dealer makes a rank wild for one deal, also when its round is over.
    """
    monkeypatch.setattr(house, "_RULES", dict(house._RULES))
    path = EXAMPLES / "rules" / "dealers_choice.py"
    runpy.run_path(str(path))
    rules = rv.preset("basic-rummy").with_values({"deal.rules": ["dealers choice"]})
    rng = random.Random(3)
    phases = set()
    state = rv.new_game(rules, 2, seed=5)
    for _ in range(150):
        phases.add(state.phase)
        assert from_json(to_json(state), rv.State) == state
        if state.phase in {"draw", "play"} and not state.drawn.cards:
            again = rv.files.parse_scenario(rv.files.scenario_text(state)).start
            assert again is not None
            assert again.hands == state.hands
        if state.phase == "deal":
            state = rv.game.deal(state)
        else:
            state = rv.playout(state, rng.randrange, actions=1)
    assert "deal" in phases


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1, column 2: it is not JSON"),
        (
            '{"seat": true, "action": "draw"}',
            "seat: give a whole number from 0, not true",
        ),
        ('{"seat": 0, "action": null}', "action: give a text, not null"),
        ('{"seat": 0, "seat": 1, "action": "draw"}', "seat: the key appears twice"),
        ('{"seat": NaN, "action": "draw"}', "NaN is not a number"),
        ('{"seat": 0, "action": "discrd Kc"}', "did you mean 'discard'?"),
        ('{"seat": 0, "action": "deal 0 : Kc"}', "give null"),
        ('{"seat": -1, "action": "draw"}', "give a whole number from 0, not -1"),
        ('{"actoin": "draw"}', "actoin: there is no such key; did you mean 'action'?"),
        ("[]", "give an object"),
        ("[" * 100_000, "nested too deep"),
    ],
)
def test_what_is_no_action_is_reported(text: str, message: str) -> None:
    with pytest.raises(JsonError) as caught:
        from_json(text, "action")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\xff", "it is not JSON: not a text in UTF-8"),
        ("{'a': 1}", "line 1, column 2: it is not JSON"),
        ('{"ask": {"a": 1, "a": 2}}', "a: the key appears twice"),
        ('{"ask": -Infinity}', "-Infinity is not a number in JSON"),
        ('{"ask": [1' + "0" * 100 + "]}", "ask[0]: a whole number has at most 100"),
        ('{"ask": "\\ud800"}', "ask: a text holds whole characters"),
        ("[" * 50 + "]" * 50, "it is nested too deep"),
        ("[" * 100_000, "it is nested too deep"),
    ],
)
def test_a_message_is_read_strictly(text: str | bytes, message: str) -> None:
    assert loads(b'{"ask": ["view", null]}') == {"ask": ["view", None]}
    with pytest.raises(JsonError) as caught:
        loads(text)
    assert message in str(caught.value)


def test_a_number_of_legal_actions_is_one() -> None:
    view = rv.view(rv.new_game("rummy-500", 2, seed=3), 0)
    for legal in (-1, "3", None):
        with pytest.raises(JsonError, match="legal: give a whole number from 0, not"):
            to_data(view, legal=legal)  # type: ignore[arg-type]


def test_states_that_cannot_be_are_refused() -> None:
    state = rv.apply(rv.new_game("rummy-500", 3, seed=3), "take 1")
    data = to_data(state)
    data = to_data(state, record=True)
    data["record"]["round"][0]["actions"].append("0: take 40")
    with pytest.raises(JsonError, match=r"record: action 3 of player 0"):
        from_data(data, "state")
    with pytest.raises(JsonError, match="rules: is missing"):
        from_data({"format": 1}, "state")
    world = to_data(rv.determinize(rv.view(state), random.Random(1)))
    world["stock"].append("Kc")
    with pytest.raises(JsonError, match=r"stock: the deck holds Kc once, not twice"):
        from_data(world, "state")


@pytest.mark.parametrize(
    ("rules", "keys", "slots", "message", "cites"),
    [
        ("rummy-500", {"phase": "offer"}, {}, "no upcard is offered", "BN-11"),
        ("gin-rummy", {"phase": "offer"}, {}, "while it is the only discard", "GR-04"),
        ("rummy-500", {"stock": ""}, {"stock": []}, "would be over", "BN-16"),
        ("gin-rummy", {"stock": "7c"}, {"stock": ["7c"]}, "would be over", "GR-11"),
        ("rummy-500", {"wild": "7"}, {"wild": "7"}, "no rank is made", "BN-09"),
        (
            "rummy-5000",
            {"floating": ["Ann"]},
            {"floating": [0]},
            "holds cards",
            "",
        ),
        (
            "rummy-500",
            {"floating": ["Ann"]},
            {"floating": [0]},
            "nobody floats",
            "BN-16",
        ),
        ("gin-rummy", {"out": ["Ann"]}, {"out": [0]}, "who has knocked", "GR-06"),
        ("rummy-500", {"boxes": {"Ann": 1}}, {"boxes": [1, 0, 0]}, "do not count", ""),
        ("rummy-500", {"upcard": "9s"}, {}, "no rule of this game asks", "BN-11"),
        (
            "rummy-500",
            {"discards": "9h"},
            {"discards": ["9h"]},
            "holds 9h once",
            "BN-02",
        ),
    ],
)
def test_json_and_scenario_files_refuse_the_same_positions(
    rules: str, keys: dict[str, Any], slots: dict[str, Any], message: str, cites: str
) -> None:
    """
    In the same words, citing the same rules.
    """
    names = ["Ann", "Ben"] if rules == "gin-rummy" else ["Ann", "Ben", "Cleo"]
    given: dict[str, Any] = {
        "seats": names,
        "hands": dict(zip(names, ("9h Kc", "5d 6d", "8s"), strict=False)),
        "stock": "7c 3s 4d",
        "discards": "Qd Jd",
        "turns_taken": dict.fromkeys(names, 1),
        "partial": rules == "gin-rummy",
    }
    data = to_data(rv.position(rules, **given))
    if "phase" in keys:
        change_turn(data, **keys)
    else:
        data |= slots or keys
    with pytest.raises(JsonError) as by_json:
        from_data(data, "state")
    with pytest.raises(rv.errors.PositionError) as by_hand:
        rv.position(rules, **{**given, **keys})
    (one,), (other,) = by_json.value.problems, by_hand.value.problems
    assert message in one
    assert other.partition(": ")[2].startswith(one.partition(": ")[2])
    assert cites in by_json.value.rules or not cites
    assert by_json.value.rules == by_hand.value.rules


@pytest.mark.parametrize(
    ("slots", "place", "message", "cites"),
    [
        ({"players": ["Ann"]}, "players", "2 to 8 players", ["BN-01"]),
        ({"players": ["Ann", "Ann"]}, "players", "name of their own", ["RV-07"]),
        ({"seed": "x" * 1001}, "seed", "at most 1000 characters", ["RV-07"]),
        ({"round": [{"actions": ["0: drw"]}]}, "round[0].actions[0]", "'drw'", []),
        ({"round": [{"actions": ["draw"]}]}, "round[0].actions[0]", "no seat", []),
        ({"rules": "rumy-500"}, "rules", "did you mean 'rummy-500'?", []),
    ],
)
def test_json_and_record_files_refuse_the_same_records(
    slots: dict[str, Any], place: str, message: str, cites: list[str]
) -> None:
    """
    In the same words, citing the same rules.
    """
    data = to_data(rv.record(rv.game.begin("rummy-500", ["Ann", "Ben"]))) | slots
    with pytest.raises(JsonError) as by_json:
        from_data(data, "record")
    with pytest.raises(JsonError) as in_state:
        from_data({"record": data}, "state")
    with pytest.raises(rv.errors.RecordError) as by_file:
        rv.files.Record.parse(toml.table(data | {"format": 1}))
    ((path, words),) = by_json.value.places
    assert path == place
    assert message in words
    assert in_state.value.places == ((f"record.{place}", words),)
    (problem,) = by_file.value.problems
    assert problem.endswith(f": {words}")
    for error in (by_json, in_state, by_file):
        assert [*error.value.rules] == cites


def test_a_position_may_be_too_small_for_a_deal() -> None:
    rules = rv.preset("rummy-500").with_values({"deck.ranks": "A23"})
    with pytest.raises(rv.errors.RulesError):
        rv.new_game(rules, 2)
    state = rv.position(rules, hands={"Ann": "Ac 2c", "Ben": "3d"}, stock="Ad")
    assert from_json(to_json(state), "state") == state


def test_rules_that_cannot_be_written_are_refused() -> None:
    rules = rv.preset("rummy-500").with_options("PGV-P4")
    rules = attrs.evolve(rules, options=())
    state = rv.new_game(rules, 2)
    with pytest.raises(JsonError, match="rules: they cannot be written exactly"):
        to_json(rv.view(state, 0))


@pytest.mark.parametrize("number", range(0, len(GAMES), 3))
def test_a_document_says_by_its_keys_what_it_is(number: int) -> None:
    *_, last = walked(number)
    state = last.after
    views = [rv.view(state, seat) for seat in seats(state)]
    for value in (state, rv.check(state, "draw"), *views):
        assert from_json(json.dumps(value.as_dict())) == value
        assert value.as_dict() == to_data(value)
    told = last.seen_by(None)
    others = (last.action, last.before.rules, rv.check(state, "draw"), *told)
    legal = rv.legal_actions(last.before).page()
    for value in (*others, legal, rv.game.score_sheet(state), *last.events):
        assert from_json(to_json(value)) == value


@pytest.mark.parametrize("text", ["{}", "[]", "7", '"draw"', '{"hands": 1}', "null"])
def test_what_says_not_what_it_is_has_to_be_named(text: str) -> None:
    with pytest.raises(JsonError, match="give the kind, one of view, state, action"):
        from_json(text)


def test_a_document_with_a_mistake_is_still_known_by_its_keys() -> None:
    data = rv.new_game("rummy-500", 2, seed=3).as_dict()
    with pytest.raises(JsonError, match="trun"):
        from_data({**data, "trun": 1})
    with pytest.raises(JsonError, match="give `at`"):
        from_json(to_json(rv.chooser(rv.new_game("rummy-500", 2, seed=3))))


def test_an_unknown_kind_suggests_the_nearest() -> None:
    for ask in (lambda: from_json("{}", "veiw"), lambda: schema("veiw")):
        with pytest.raises(JsonError, match="no kind 'veiw'; did you mean 'view'"):
            ask()
    with pytest.raises(JsonError, match="give one of view, state"):
        to_json({})
    with pytest.raises(JsonError, match="there is no kind <class 'int'>"):
        from_json("{}", int)
    with pytest.raises(JsonError, match="it is not a Draw"):
        from_json('{"seat": 0, "action": "pass"}', rv.actions.Draw)
    assert issubclass(JsonError, ValueError)
    assert issubclass(JsonError, rv.RummyError)


# ------------------------------------------------------------------------ notebooks


class Page(html.parser.HTMLParser):
    """
    The texts of a page, and whether its tags are closed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize("number", range(0, len(GAMES), 4))
def test_a_view_shows_itself_in_a_notebook(number: int) -> None:
    for done in steps(number):
        for seat in seats(done.after):
            page = Page()
            page.feed(rv.view(done.after, seat)._repr_html_())
            assert page.open == []
            shown = {one.partition(":")[0] for one in page.texts}
            assert {"Stock", "Discards"} <= shown


def test_names_are_escaped_and_cards_are_said() -> None:
    names = ["<script>", "a & b"]
    state = rv.new_game("rummy-500", names, seed=3)
    text = rv.view(state, 0)._repr_html_()
    assert "<script>" not in text
    page = Page()
    page.feed(text)
    assert set(names) <= {one.split(" (")[0].split(":")[0] for one in page.texts}
    first = next(iter(state.hands[0]))
    suits = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
    assert f"of {suits[first.suit]}" in text


def test_a_state_shows_all_hands_in_a_notebook_and_a_view_does_not() -> None:
    state = rv.position(
        "rummy-500", hands={"Ann": "9s 2c", "Ben": "Qh"}, discards="7d", fill=True
    )
    page, seen = Page(), Page()
    page.feed(state._repr_html_())
    seen.feed(rv.view(state, "Ann")._repr_html_())
    assert "Ben (dealer): 0 points, 1 card: queen of hearts" in page.texts
    assert any("with open hands" in one for one in page.texts)
    assert not any("queen of hearts" in one for one in seen.texts)
    assert any("nine of spades" in one for one in seen.texts)


def test_the_repr_of_a_state_never_shows_its_cards() -> None:
    state = rv.new_game("rummy-500", 3, seed=3)
    shown = "<State of rummy-500, round 1, draw: player 1, scores (0, 0, 0)>"
    assert repr(state) == shown
    assert repr(rv.apply(state, "draw")) == shown.replace("draw", "play")
