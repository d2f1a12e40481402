"""
What a server sends: structured actions, choosers, rulings, rulesets, scores, views.

None of it depends on a card that its reader has not seen, and whatever a client makes
of it is checked when it comes back.
"""

from __future__ import annotations

import copy
import itertools
import json
import random

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.files.json import JsonError, from_data, from_json, to_data, to_json
from rummyvariants.game.verbs._known import VERBS
from test_events import IDS, TABLES, seats, walked
from walks import exchanged


def states(number: int, every: int = 7) -> Iterator[rv.State]:
    """
    Some states of a game in which somebody may act.
    """
    for done in walked(number)[::every]:
        if done.after.to_act:
            yield done.after


# ---------------------------------------------------------------------- legal actions


@pytest.mark.parametrize("number", range(len(TABLES)), ids=IDS)
def test_pages_make_up_the_list(number: int) -> None:
    for state in states(number, 23):
        for seat in (None, *state.to_act):
            legal = rv.legal_actions(state, seat)
            every = list(map(str, itertools.islice(legal, 120)))
            found: list[str] = []
            start: int | None = 0
            while start is not None and len(found) < len(every):
                page = legal.page(start, 7)
                assert page.start == start
                found += [one.text for one in page.actions]
                start = page.next
            assert found[: len(every)] == every
            there = len([*itertools.islice(legal, 140)])
            assert (start is None) == (len(found) == there)


@pytest.mark.parametrize("number", range(len(TABLES)), ids=IDS)
def test_a_legal_action_names_what_it_does(number: int) -> None:
    """
    The cards that it says leave the pile do, and the melds that it makes are there.
    """
    for state in states(number):
        for one in itertools.islice(rv.legal_actions(state).details(), 40):
            done = rv.step(state, one.action)
            assert one.text == str(one.action)
            assert one.verb in rv.legal_actions(state, one.seat).count_by_kind()
            moves = [move for event in done.seen_by(one.seat) for move in event.moves]
            left = Counter(
                move.card for move in moves if move.source.place == "discards"
            )
            if not any(move.target.place == "stock" for move in moves):
                taken = Counter(one.takes)
                assert taken <= left
                if one.verb != "rummy":
                    assert taken == left or state.rules.call.penalises
            there = Counter(state.hands[one.seat or 0])
            if one.verb == "arrange":
                there.update(card for meld in state.table for card in meld.cards)
            assert Counter(one.cards) <= there + Counter(one.takes)
            if one.meld is not None and one.verb != "take on":
                assert one.meld <= len(state.table)
            for cards in one.melds[1:] or one.melds:
                if done.after.table and one.verb not in {"declare", "take with"}:
                    faces = Counter(played.card for played in cards)
                    assert any(
                        faces <= Counter(meld.cards) for meld in done.after.table
                    )


@pytest.mark.parametrize("number", range(0, len(TABLES), 3), ids=IDS[::3])
def test_a_card_has_the_actions_that_involve_it(number: int) -> None:
    for state in states(number, 11):
        for seat in state.to_act:
            legal = rv.legal_actions(state, seat)
            if len(list(itertools.islice(legal, 200))) == 200:
                continue
            groups = legal.by_card()
            assert list(groups) == sorted(groups)
            for card, some in groups.items():
                every = [one for one in legal.details() if one.involves(card)]
                assert list(some) == every == list(legal.details(str(card)))
                page = legal.page(1, 2, card)
                assert list(page.actions) == every[1:3]
                assert page.next == (3 if len(every) > 3 else None)
                assert all(card in page.by_card for _ in page.actions)


def test_a_page_looks_no_further_than_it_must(monkeypatch: pytest.MonkeyPatch) -> None:
    state = rv.position(
        "rummy-5000",
        hands={
            "Ann": "2c 3c 4c 5c 6c 7c 8c 9c Tc 2h 3h 4h 5h 6h 7h 8h 4d 4s Kc Kd",
            "Ben": "8s",
            "Cleo": "9s",
        },
        wild="4",
        discards="Qd",
        phase="play",
        fill=True,
    )
    made = []
    kept = rv.game.LegalAction.of
    monkeypatch.setattr(
        rv.game.LegalAction,
        "of",
        lambda at, action: (made.append(action), kept(at, action))[1],
    )
    page = rv.legal_actions(state).page(4, 5)
    assert len(page.actions) == 5
    assert page.next == 9
    assert len(made) == 10
    last = rv.legal_actions(state).page(7400, 5)
    assert (len(last.actions), last.next) == (2, None)
    beyond = rv.legal_actions(state).page(9000)
    assert (beyond.actions, beyond.next) == ((), None)
    data = to_data(rv.view(state, 0), legal=5)
    assert (len(data["legal_actions"]), data["legal_next"]) == (5, 5)
    assert from_data(data, "view") == rv.view(state, 0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"start": -1}, "start: give a whole number from 0, not -1"),
        ({"start": "2"}, "start: give a whole number from 0, not '2'"),
        ({"size": 0}, "size: give a whole number from 1, not 0"),
        ({"size": True}, "size: give a whole number from 1, not True"),
        ({"card": "Ky"}, "'Ky' is not a card"),
    ],
)
def test_a_page_that_cannot_be_is_refused(given: dict[str, Any], message: str) -> None:
    state = rv.new_game("rummy-500", 2, seed=1)
    with pytest.raises(rv.RummyError, match=message) as caught:
        rv.legal_actions(state).page(**given)
    assert isinstance(caught.value, ValueError)


def test_a_page_may_begin_anywhere() -> None:
    legal = rv.legal_actions(rv.new_game("rummy-500", 2, seed=1))
    page = legal.page(start=10**99)
    assert (page.actions, page.start, page.next) == ((), 10**99, None)
    assert from_data(to_data(page), rv.game.ActionPage) == page
    page = legal.page(start=1, size=10**99)
    assert [one.action for one in page.actions] == list(legal)[1:]


@pytest.mark.skipif(rv.IS_COMPILED, reason="there it is a TypeError")
@pytest.mark.parametrize("seat", [3, -1, 10**30, True, 1.0, [0]])
def test_a_seat_that_is_none_is_refused(seat: Any) -> None:
    state = rv.new_game("rummy-500", 3, seed=1)
    done = rv.step(state, "draw")
    for ask in (
        lambda: rv.view(state, seat),
        lambda: done.seen_by(seat),
        lambda: rv.chooser(state, seat),
        lambda: rv.arrange(state, seat),
    ):
        with pytest.raises(rv.RummyError) as caught:
            ask()
        message = str(caught.value)
        assert message == f"there is no seat {seat!r}; seats go from 0 to 2"


def structure(text: str) -> tuple[Any, ...]:
    one = rv.game.LegalAction(rv.game.parse_action(text, 0))
    melds = [" ".join(map(str, cards)) for cards in one.melds]
    cards = " ".join(map(str, one.cards))
    return one.verb, cards, melds, one.meld, one.end, one.number


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("draw", ("draw", "", [], None, None, None)),
        ("take 3", ("take", "", [], None, None, 3)),
        ("meld 7h *=8h 9h", ("meld", "7h * 9h", ["7h *=8h 9h"], None, None, None)),
        ("lay Ah low on 1", ("lay", "Ah", [], 1, "low", None)),
        ("swap 8h on 2", ("swap", "8h", [], 2, None, None)),
        ("split 2 after 3", ("split", "", [], 2, None, 3)),
        ("choose 12", ("choose", "", [], None, None, 12)),
        ("knock Kd: 3c 3d 3h", ("knock", "Kd", ["3c 3d 3h"], None, None, None)),
        ("big gin: 3c 3d 3h", ("knock", "", ["3c 3d 3h"], None, None, None)),
        ("declare 2c: 3c 3d 3h", ("declare", "2c", ["3c 3d 3h"], None, None, None)),
        (
            "meld 7h 8h 9h / Kc Kd Ks",
            ("go down", "7h 8h 9h Kc Kd Ks", ["7h 8h 9h", "Kc Kd Ks"], *[None] * 3),
        ),
        (
            "take all with 9c 9h / Kc Kd Ks",
            ("take with", "9c 9h Kc Kd Ks", ["9c 9h", "Kc Kd Ks"], *[None] * 3),
        ),
        ("take all on 2", ("take on", "", [], 2, None, None)),
        ("rummy 5c 5d 5h", ("rummy", "5c 5d 5h", ["5c 5d 5h"], None, None, None)),
        ("rummy 9h on 2", ("rummy", "9h", [], 2, None, None)),
    ],
)
def test_an_action_has_a_structure(text: str, wanted: tuple[Any, ...]) -> None:
    assert structure(text) == wanted


def test_every_kind_of_action_has_one() -> None:
    for kind, verb in VERBS.items():
        values: dict[str, Any] = {
            "card": rv.Card("Kd"),
            "cards": 3 if kind is rv.actions.Choose else (rv.melds.Played("Kd"),),
            "melds": ((rv.melds.Played("Kd"),),),
        }
        names = {one.name for one in attrs.fields(kind)}
        given = {name: values.get(name, 1) for name in names & {*verb.fields}}
        if kind is rv.actions.Deal:
            continue
        if kind is rv.actions.HouseAction:
            given = {"name": verb.name, "cards": rv.Cards("Kd")}
        one = rv.game.LegalAction(kind(**given, seat=0))
        assert one.verb == verb.name
        named = bool(names & {*values}) and kind is not rv.actions.Choose
        assert (rv.Card("Kd") in one.cards) == named


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["actions"][0].update(text="rob"), "actions[0].text: 'rob' is not"),
        (lambda d: d.update(start=-2), "start: give a whole number from 0, not -2"),
        (
            lambda d: d["actions"][1].update(seat=-1),
            "actions[1].seat: give a whole number from 0",
        ),
    ],
)
def test_what_is_no_page_is_reported(
    change: Callable[[dict[str, Any]], object], message: str
) -> None:
    state = rv.new_game("rummy-500", 2, seed=3)
    data = to_data(rv.legal_actions(state).page())
    change(data)
    with pytest.raises(JsonError) as caught:
        from_data(data, rv.game.ActionPage)
    assert message in str(caught.value)


# ---------------------------------------------------------------------------- choosers


def test_a_stateless_server_goes_on_from_a_chooser() -> None:
    state = rv.new_game("rummy-500", ["Ann", "Ben"], seed=3)
    view = from_json(to_json(rv.view(state, 0)), rv.View)
    sent = to_data(rv.chooser(view.world, 0).choose("take"))
    assert [one["text"] for one in sent["taken"]] == ["take"]
    answer = {"seat": 0, "taken": [*sent["taken"], {"text": "1"}]}
    done = from_data(answer, rv.game.Chooser, view)
    assert str(done.action) == "take 1"
    assert to_data(done)["action"] == {"seat": 0, "action": "take 1"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"seat": 1, "taken": []}, "seat: it is seat 1's, but the view is seat 0's"),
        (
            {"seat": 0, "taken": [{"text": "tkae"}]},
            "taken[0]: 'tkae' cannot be chosen here; did you mean 'take'?",
        ),
        (
            {"seat": 0, "taken": [{"text": "draw"}, {"text": "1"}]},
            "taken[1]: '1' comes too late",
        ),
        ({"seat": 0}, "taken: is missing"),
    ],
)
def test_what_is_no_chooser_is_reported(data: dict[str, Any], message: str) -> None:
    view = rv.view(rv.new_game("rummy-500", ["Ann", "Ben"], seed=3), 0)
    with pytest.raises(JsonError) as caught:
        from_data(data, "chooser", view)
    assert message in str(caught.value)
    assert len(caught.value.problems) == 1


def test_some_kinds_are_read_with_what_they_are_about() -> None:
    state = rv.new_game("rummy-500", ["Ann", "Ben"], seed=3)
    data = to_data(rv.chooser(state))
    with pytest.raises(JsonError, match="read together with the view of its seat"):
        from_data(data, rv.game.Chooser)
    with pytest.raises(JsonError, match="read together with the view of its seat"):
        from_data(data, rv.game.Chooser, state)
    with pytest.raises(JsonError, match="not a View with a ruling"):
        from_data(to_data(rv.check(state, "draw")), rv.Ruling, rv.view(state, 0))
    with pytest.raises(JsonError, match="seat: a spectator chooses nothing"):
        from_data(data, rv.game.Chooser, rv.view(state))


def test_an_arrangement_is_read_with_the_hand_that_it_is_of() -> None:
    state = rv.position(
        "rummy-500",
        hands={"Ann": "7h 7d 7s * Kc", "Ben": "8c"},
        table=["Ben: 4h *=5h 6h"],
        discards="5c",
        phase="play",
        drawn="stock Kc",
        fill=True,
    )
    view = rv.view(state, 0)
    found = rv.arrange(view.world, 0)
    data = to_data(found)
    again = from_data(data, rv.solver.Arrangement, view)
    assert again == found
    assert again.melds == found.melds
    for change, message in (
        ({"goal": "most pionts"}, "goal: 'most pionts' is unknown; did you mean"),
        (
            {"actions": [{"seat": 0, "action": "meld 7h 7d Kc"}]},
            "actions: 'meld 7h 7d Kc' cannot be played",
        ),
        ({"actions": [{"seat": 0, "action": "lay 7h on 9"}]}, "there is no meld 9"),
        ({"actions": [{"seat": 1, "action": "draw"}]}, "puts no cards on the table"),
    ):
        with pytest.raises(JsonError) as caught:
            from_data(data | change, "arrangement", view)
        assert message in str(caught.value)


# ---------------------------------------------------------------------------- rulesets


def house_rules() -> rv.Ruleset:
    rules = rv.preset("rummy-500").with_options("PGV-P4")
    return rules.with_values({"match.target": 300, "score.points": {"A": 20}}, "Cleo's")


def test_a_ruleset_tells_where_each_value_comes_from() -> None:
    data = to_data(house_rules())
    assert data["preset"] == "rummy-500"
    assert data["version"] == rv.preset("rummy-500").version
    assert data["options"] == ["PGV-P4"]
    assert data["values"]["match.target"]["value"] == 300
    assert data["values"]["match.target"]["set_by"] == "Cleo's"
    assert data["values"]["wild.real_card"]["rule"] == "PGV-P4"
    assert data["parts"]["score.points.A"]["set_by"] == "Cleo's"
    again = from_json(json.dumps(data), rv.Ruleset)
    assert again == house_rules()
    assert again.origins == house_rules().origins
    assert again.diff(house_rules()) == ()
    assert to_data(again) == data


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda d: d.update(preset="rumy-500"),
            "preset: there is no preset 'rumy-500'",
        ),
        (lambda d: d.update(version=9), "version: this library has version"),
        (lambda d: d.update(options=["PGV-P99"]), "'PGV-P99'"),
        (lambda d: d["changes"][0].update(name="match.tarket"), "did you mean"),
        (lambda d: d.update(name="a\nb"), "name: give a line"),
        (lambda d: d["values"].update(x=3), "values.x: give an object, not 3"),
    ],
)
def test_what_is_no_ruleset_is_reported(
    change: Callable[[dict[str, Any]], object], message: str
) -> None:
    data = to_data(house_rules())
    change(data)
    with pytest.raises(JsonError) as caught:
        from_data(data, rv.Ruleset)
    assert message in str(caught.value)


# ------------------------------------------------------------------------------ scores


def test_the_columns_of_a_score_sheet_are_checked() -> None:
    data = to_data(rv.game.score_sheet(rv.new_game("hollywood-gin", 2, seed=1)))
    data["columns"][0]["boxes"][1] = -1
    data["columns"][1]["boxes"].append(0)
    with pytest.raises(JsonError) as caught:
        from_data(data, "score_sheet")
    assert [path for path, _ in caught.value.places] == [
        "columns[0].boxes[1]",
        "columns[1].boxes",
    ]


@pytest.mark.parametrize("number", range(len(TABLES)), ids=IDS)
def test_a_step_has_the_result_of_the_round_that_it_ends(number: int) -> None:
    steps = walked(number)
    results = [done.result for done in steps if done.result is not None]
    sheet = rv.game.score_sheet(steps[-1].after, results)
    assert [one.result for one in sheet.rounds] == results
    for done in steps:
        if done.result is not None:
            assert done.result is done.after.result
            before, after = done.before.scores, done.after.scores
            gained = [new - old for old, new in zip(before, after, strict=True)]
            assert gained == list(done.result.points)


def test_a_score_sheet_has_every_round() -> None:
    state = rv.game.begin("gin-rummy", ["Ann", "Ben"], seed=5)
    results = []
    rng = random.Random(5)
    while not state.is_over:
        state = rv.playout(rv.game.deal(state), rng.randrange, until="round")
        results.append(state.result)
    sheet = rv.game.score_sheet(state, results)
    assert [one.number for one in sheet.rounds] == [*range(1, len(results) + 1)]
    points = [sum(one.points[seat] for one in results) for seat in (0, 1)]
    assert list(sheet.scores) == points
    assert sheet.final_scores == state.final_scores
    assert sheet.winners == state.winners
    again = from_json(to_json(sheet), rv.game.ScoreSheet)
    assert again == sheet
    assert again.rounds[0].result.players == ("Ann", "Ben")
    last = rv.game.score_sheet(rv.view(state, 1))
    assert last.rounds == sheet.rounds[-1:]
    with pytest.raises(ValueError, match="give the results of all of them, not 1"):
        rv.game.score_sheet(state, results[:1])
    data = to_data(sheet)
    for change, message in (
        (lambda d: d["scores"].pop(), "scores: give one entry for each player"),
        (lambda d: d.update(sides=[[2]]), "sides[0][0]: there is no seat 2"),
        (lambda d: d.update(winners=[7]), "winners[0]: there is no seat 7"),
        (lambda d: d["rounds"][0].update(number=0), "rounds[0].number: give a whole"),
    ):
        other = copy.deepcopy(data)
        change(other)
        with pytest.raises(JsonError) as caught:
            from_data(other, "score_sheet")
        assert message in str(caught.value)


# ------------------------------------------------------------------------------ secrets


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(TABLES)), ids=IDS)
def test_hidden_cards_change_no_message(number: int) -> None:
    """
    Whatever a server answers to a seat is the same if the hidden cards are others.
    """
    rng = random.Random(number)
    for state in states(number, 13):
        if state.dealer is None or state.is_round_over:
            continue
        for seat in seats(state):
            other = exchanged(state, seat, rng)
            told = {answers(one, seat, str(number)) for one in (state, other)}
            assert len(told) == 1


def answers(state: rv.State, seat: int | None, seed: str) -> str:
    """
    What a server sends a seat about a state, as one text.
    """
    view = rv.view(state, seat)
    found: list[Any] = [to_data(view, legal=8), to_data(rv.game.score_sheet(state))]
    if seat is not None:
        found.append(to_data(rv.legal_actions(state, seat).page(size=8)))
        for text in ("draw", "take 1", "discard Kc", "meld Kc Kd Kh", "pass"):
            found.append(to_data(rv.check(state, text, seat)))
    if seat in state.to_act:
        rng = random.Random(seed)
        chooser = rv.chooser(state, seat)
        while chooser.choices:
            found.append(to_data(chooser))
            chooser = chooser.choose(rng.choice(chooser.choices))
        found.append(to_data(chooser))
    return json.dumps(found)
