"""A record replays to equal states, and its text comes back byte for byte."""

from __future__ import annotations

import copy
import pickle
import random

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.files._records import load_record


def played(name, players, actions, seed=5, rules=None):
    randrange = random.Random(seed).randrange
    state = rv.new_game(rules or name, players, seed=seed)
    for _ in range(actions):
        if state.is_over:
            break
        if state.phase == "deal":
            state = rv.game.deal(state)
        else:
            state = rv.apply(state, rv.legal_actions(state).sample(randrange))
    return state


GAMES = [("rummy-500", 2), ("rummy-500", 6), ("rummy-5000", 4), ("2500-house", 3)]


@pytest.mark.parametrize(("name", "players"), GAMES)
@pytest.mark.parametrize("actions", [0, 1, 17, 300])
def test_a_record_replays_to_an_equal_state(name, players, actions):
    state = played(name, players, actions)
    record = rv.record(state, notes='a "note"\nof two lines')
    text = str(record)
    again = rv.files.Record.parse(text)
    assert again == record
    assert str(again) == text
    assert rv.replay(text) == state
    assert rv.replay(record).history == state.history
    assert [step.after for step in rv.files.replay_steps(record)][-1] == state


def test_rounds_are_kept_apart():
    state = played("rummy-5000", 3, 400)
    record = rv.record(state)
    assert len(record.rounds) == state.round_number
    assert all(isinstance(one.actions[0], rv.actions.Deal) for one in record.rounds)


def test_house_rules_travel_with_the_record():
    rules = rv.preset("rummy-5000").with_options("PGV-P4", "PGV-E5=900")
    rules = rules.with_values({"stock.idle_rounds": 2, "score.special": {"Qs": 45}})
    state = played("", 4, 60, rules=rules)
    again = rv.replay(str(rv.record(state)))
    assert again == state
    assert again.rules == rules
    assert again.rules.options == rules.options


def test_a_record_says_by_which_version_of_its_rules_it_was_played():
    rules = rv.preset("rummy-500").with_values({"match.target": 300})
    state = played("", 3, 40, rules=rules)
    text = str(rv.record(state))
    line = f'version = "{rules.fingerprint}"\n'
    assert line in text
    assert rv.replay(text) == state
    other = text.replace("value = 300", "value = 301")
    assert other != text
    with pytest.raises(
        rv.errors.RecordError, match=r"by version .* delete the version"
    ):
        rv.replay(other)
    with pytest.raises(rv.errors.RecordError, match="version: give a text, not 2"):
        rv.replay(text.replace(line, "version = 2\n"))
    # As the first releases wrote it, and as somebody may want to replay it.
    assert rv.replay(text.replace(line, "")) == state
    assert rv.replay(other.replace(line, "")).rules.match.target == 301


@pytest.mark.parametrize("kind", [rv.State, rv.files.Record])
def test_json_says_by_which_version_of_its_rules_a_game_was_played(kind):
    state = played("gin-rummy", 2, 20)
    given = {rv.State: state, rv.files.Record: rv.record(state)}[kind]
    text = rv.files.to_json(given, record=True)
    version = state.rules.fingerprint
    assert rv.files.from_json(text, kind) == given
    with pytest.raises(rv.RummyError, match="by version 1-0 of its rules"):
        rv.files.from_json(text.replace(version, "1-0"), kind)
    assert rv.files.from_json(text.replace(version, ""), kind) == given


def test_rules_that_play_differently_have_other_fingerprints():
    rules = rv.preset("rummy-5000")
    changed = [
        rules,
        rules.with_options("PGV-P4"),
        rules.with_values({"match.target": 700}),
        rules.with_values({"score.points": {"K": 11}}),
        rules.with_values({"score.points": {"K": 12}}),
        attrs.evolve(rules, version=rules.version + 1),
        *[rv.preset(name) for name in ("2500-house", "george", "rummy-500")],
    ]
    assert len({one.fingerprint for one in changed}) == len(changed)
    renamed = {"extends": "rummy-5000", "name": "ours", "title": "Our game"}
    assert rv.rules.read_rules(renamed).fingerprint == rules.fingerprint
    target = rules.match.target
    assert rules.with_values({"match.target": target}).fingerprint == rules.fingerprint


def test_a_record_that_stops_being_legal_gives_the_last_good_state():
    state = played("rummy-500", 2, 12)
    record = rv.record(state)
    text = str(record)
    lines = text.splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if "discard" in line)
    lines[at] = '  "0: take 40",\n'
    with pytest.raises(rv.files.ReplayError) as caught:
        rv.replay("".join(lines))
    error = caught.value
    assert not error.ruling
    assert error.ruling.rule == "RV-07"
    assert error.state.history == record.actions[: error.number - 1]
    assert error.state.phase == "play"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules = ", "line 1"),
        ('rules = "rummy-50000"\nplayers = ["A", "B"]', "did you mean 'rummy-5000'?"),
        ('rules = "rummy-500"\nplayers = ["A"]', "2 to 8 players"),
        ('rules = "rummy-500"\nplayers = ["A", "A"]', "name of their own"),
        ('rules = "rummy-500"\nplayers = ["A", "B"]\nround = 3', "[[round]]"),
        (
            'rules = "rummy-500"\nplayers = ["A", "B"]\n[[round]]\nactions = ["0:dru"]',
            "did you mean 'draw'?",
        ),
        (
            'rules = "rummy-500"\nplayers = ["A", "B"]\n[[round]]\nactions = ["draw"]',
            "names no seat",
        ),
        ('rules = "rummy-500"\nplayers = ["A", "B"]\nformat = 9', "format"),
        ('rules = "rummy-500"\nplayers = ["A", "B"]\nsede = 9', "did you mean 'seed'?"),
    ],
)
def test_what_is_no_record_is_reported(text, message):
    with pytest.raises(rv.errors.RecordError) as caught:
        rv.files.Record.parse(text, "game.toml")
    assert message in str(caught.value)
    assert str(caught.value).startswith("game.toml: ")


def test_all_problems_of_a_record_are_reported_at_once():
    text = 'rules = "rumy"\nseed = 1.5\nnotes = 3\nplayers = "A"\nx = 1'
    with pytest.raises(rv.errors.RecordError) as caught:
        rv.files.Record.parse(text)
    assert len(caught.value.problems) == 5


def test_files_that_cannot_be_read_are_reported(tmp_path):
    with pytest.raises(rv.errors.RecordError, match="cannot be read"):
        load_record(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(rv.errors.RecordError, match="UTF-8"):
        load_record(tmp_path / "bytes.toml")


def test_a_game_from_a_position_is_no_record():
    text = """
rules = "rummy-500"
[position]
seats = ["N", "E"]
stock = "2c 3c"
discards = "9h"
hands = { N = "4c 5c", E = "7d 8d" }
"""
    state = rv.files.parse_scenario(text).start
    with pytest.raises(rv.errors.RecordError, match="scenario"):
        rv.record(state)


def test_states_survive_copies_and_pickles():
    state = played("rummy-5000", 4, 500)
    for other in (
        copy.copy(state),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),  # noqa: S301 -- of our own making
    ):
        assert other == state
        assert hash(other) == hash(state)
        assert other.history == state.history
        assert list(rv.legal_actions(other)) == list(rv.legal_actions(state))


def test_a_running_game_written_out_is_the_same_position():
    randrange = random.Random(11).randrange
    for name, players in GAMES:
        state = rv.new_game(name, players, seed=4)
        for number in range(220):
            if state.phase == "deal":
                state = rv.game.deal(state)
                continue
            if state.is_over:
                break
            if number % 6 == 0:
                again = rv.files.parse_scenario(rv.files.scenario_text(state)).start
                assert again.hands == state.hands
                assert again.stock == state.stock
                assert again.discards == state.discards
                assert again.scores == state.scores
                assert again.phase == state.phase
                assert again.to_act == state.to_act
                assert [str(meld) for meld in again.table] == [
                    str(meld) for meld in state.table
                ]
                assert set(map(str, rv.legal_actions(again))) == set(
                    map(str, rv.legal_actions(state))
                )
            state = rv.apply(state, rv.legal_actions(state).sample(randrange))


def test_a_table_changed_twice_travels_whole():
    rules = rv.preset("rummy-500").with_values({"score.points": {"K": 15}})
    rules = rules.with_values({"score.points": {"Q": 25}})
    state = rv.new_game(rules, 2, seed=1)
    again = rv.replay(str(rv.record(state)))
    assert again.rules.score.points == rules.score.points
    assert {("K", 15), ("Q", 25)} <= set(again.rules.score.points)
    assert again == state


def test_what_a_name_is_cited_for_is_written_without_a_rule():
    text = (
        'rules = { extends = "rummy-500", name = "ours", match = { target = 30 }, '
        'deck = { jokers = { value = 0, rule = "a card" } } }\n'
        'players = ["A", "B"]\nseed = 1\n'
    )
    record = rv.files.Record.parse(text)
    assert "target = 30" in str(record)
    for rules in (record.rules, rv.files.Record.parse(str(record)).rules):
        assert rules.rule_of("match.target") == "ours"
        assert rules.rule_of("deck.jokers") == "a card"


@pytest.mark.parametrize("players", ['players = "AB"', ""])
def test_without_players_no_seat_of_an_action_is_wrong(players):
    text = f'rules = "rummy-500"\n{players}\n[[round]]\nactions = ["1: draw"]\n'
    with pytest.raises(rv.errors.RecordError) as caught:
        rv.files.Record.parse(text)
    (problem,) = caught.value.problems
    assert problem.startswith("players: ")


def test_a_record_file_grows_with_its_game(tmp_path):
    """
    After each action it is the record of the game so far, also after a step back.
    """
    file = rv.files.RecordFile(tmp_path / "game.toml")
    state = rv.game.begin("gin-rummy", 2, seed=3)
    rng = random.Random(5)
    states = []
    while len(states) < 120 or state.phase != "deal":
        file.keep(state)
        text = file.path.read_text(encoding="utf-8")
        assert text == str(rv.record(state))
        file.keep(state)
        assert file.path.read_text(encoding="utf-8") == text
        states.append(state)
        if state.phase == "deal":
            state = rv.game.deal(state)
        else:
            state = rv.playout(state, rng.randrange, actions=1)
    file.keep(states[-9])
    assert rv.replay(rv.files.load_record(file.path)) == states[-9]
    file.keep(states[-5])  # several actions at once
    assert file.path.read_text(encoding="utf-8") == str(rv.record(states[-5]))
    other = rv.position(
        "gin-rummy", hands={"A": "7h", "B": "2c"}, partial=True, fill=True
    )
    with pytest.raises(rv.errors.RecordError, match="began from a position"):
        file.keep(other)
    with pytest.raises(rv.errors.RecordError, match="cannot be written"):
        rv.files.RecordFile(tmp_path / "none" / "x.toml").keep(state)


def test_every_wrong_line_of_a_record_is_reported():
    with pytest.raises(rv.errors.RecordError) as caught:
        rv.files.Record.parse(
            'rules = "rummy-500"\nplayers = ["A", "B"]\n[[round]]\n'
            'actions = [5, "0: bogus", "9: draw"]\n'
        )
    problems = caught.value.problems
    assert len(problems) == 3
    for number, problem in enumerate(problems, 1):
        assert problem.startswith(f"round 1, action {number}: ")
