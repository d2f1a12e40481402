"""
The games as games of OpenSpiel: its own tests, and its figures beside ours.

They are left out where OpenSpiel is not installed; `.ci/run` has it for `lockstep`.
"""

from __future__ import annotations

import hashlib
import math
import pickle
import random
import re

from collections import defaultdict
from pathlib import Path
from typing import Any

import attrs
import pytest

from syrupy.assertion import SnapshotAssertion

import rummyvariants as rv

from places import DOCS
from rummyvariants.learning.exact import lay_out
from tiny_options import tiny_options


pyspiel: Any = pytest.importorskip(
    "pyspiel", reason="the dependency group `lockstep` is not there"
)

from open_spiel.integration_tests import api_test  # noqa: E402 -- where it is there
from open_spiel.python import policy as policies  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    cfr,
    expected_game_score,
    exploitability,
    generate_playthrough,
    get_all_states,
)
from open_spiel.python.observation import make_observation  # noqa: E402

from rummyvariants.envs import EnvError  # noqa: E402
from rummyvariants.envs import openspiel as adapter  # noqa: E402
from rummyvariants.envs._parameters import CHANGES, COMMON  # noqa: E402


TINY_GIN = (
    "rummyvariants_gin_rummy(dealer=0,scale=0,values=deck.ranks:A2;deck.suits:cd;"
    "deal.hand_size:1;meld.least_set:2;meld.least_run:2;out.knock:1;stock.dead:0;"
    "stock.idle_rounds:1)"
)
TINY_500 = (
    "rummyvariants_rummy_500(dealer=0,scale=0,values=deck.ranks:A2;deck.suits:cd;"
    "deck.jokers:0;deal.hand_size:1;meld.least_set:2;meld.least_run:2;"
    "call.calls:none;stock.idle_rounds:1)"
)
DECKS = tiny_options()
TINY = {"gin": TINY_GIN, "rummy-500": TINY_500}


def name_of(preset: str) -> str:
    return f"rummyvariants_{preset.replace('-', '_')}"


def step(state: Any, rng: random.Random) -> None:
    """
    Let chance, or a player at random, decide.
    """
    if state.is_chance_node():
        outcomes, odds = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, odds)[0])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def play(game: Any, seed: int, most: int = 100_000) -> Any:
    """
    A game at random, to its end or so many steps far.
    """
    state, rng = game.new_initial_state(), random.Random(seed)
    for _ in range(most):
        if state.is_terminal():
            break
        step(state, rng)
    return state


# ------------------------------------------------------------------ OpenSpiel's tests


@pytest.mark.parametrize("preset", rv.presets())
def test_the_random_simulation_of_openspiel_passes(preset: str) -> None:
    game = pyspiel.load_game(name_of(preset))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("preset", rv.presets())
def test_it_passes_in_the_sampled_form(preset: str) -> None:
    game = pyspiel.load_game(f"{name_of(preset)}(sampled=True,seed=3)")
    kind = game.get_type()
    assert kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
    # OpenSpiel cannot keep the random numbers of a game in Python with the game.
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
    state = play(game, 5, 40)
    again = game.deserialize_state(state.serialize())
    assert str(again) == str(state)
    assert again.history() == state.history()
    assert again.play.state == state.play.state


@pytest.mark.parametrize(
    "text",
    [
        "rummyvariants_gin_rummy(form=flat,players=2)",
        "rummyvariants_rummy_500(players=4,options=R5V-01+R5V-04)",
        "rummyvariants_three_thirteen(until=match,players=3,max_steps=150)",
        "rummyvariants_indian_rummy_pool(until=match,rewards=match,players=3)",
        "rummyvariants_persian_rummy(until=match,max_steps=300)",
        "rummyvariants_basic_rummy(max_steps=7)",
        "rummyvariants_canasta(until=match,players=4,scale=100,max_steps=600)",
        "rummyvariants_gin_rummy(until=match,sampled=True,seed=1,max_steps=500)",
        TINY_GIN,
        TINY_500,
    ],
)
def test_it_passes_with_parameters(text: str) -> None:
    game = pyspiel.load_game(text)
    pyspiel.random_sim_test(
        game, num_sims=1, serialize="sampled" not in text, verbose=False
    )


@pytest.mark.parametrize("deck", DECKS, ids=lambda one: one.name)
def test_it_passes_with_every_option(deck: Any) -> None:
    rules = rv.rules.read_rules(deck.rules)
    name = adapter.register(rules, f"tiny {deck.name}")
    game = pyspiel.load_game(f"{name}(length=2048,max_steps=60,until=match)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    # What a seat is told tells apart what it can tell apart, and nothing else.
    by_text: dict[Any, Any] = {}
    by_key: dict[Any, Any] = {}
    for seed in range(6):
        state, rng = game.new_initial_state(), random.Random(seed)
        while not state.is_terminal() and len(state.history()) < 60:
            if not state.is_chance_node() and not state.play.ended:
                seat, told = state.current_player(), state.information_state_string()
                key = key_of(state)
                assert by_text.setdefault((seat, told), key) == key
                assert by_key.setdefault(key, told) == told
            step(state, rng)


class _PartialTree(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc]
    game_name = "tiny gin"
    game = pyspiel.load_game(TINY_GIN)


class _OtherPartialTree(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc]
    game_name = "tiny rummy 500"
    game = pyspiel.load_game(TINY_500)


TestPartialTreeOfTinyGin = _PartialTree
TestPartialTreeOfTinyRummy500 = _OtherPartialTree
# Collected by those names alone; the base itself has no game.
del _PartialTree, _OtherPartialTree


@pytest.mark.parametrize("text", TINY.values(), ids=TINY)
def test_chance_is_complete_and_recall_is_perfect(text: str) -> None:
    game = pyspiel.load_game(text)
    assert api_test._assert_is_perfect_recall(game)
    states = get_all_states.get_all_states(game, include_chance_states=True)
    assert max(len(one.history()) for one in states.values()) > 5
    for state in states.values():
        if state.is_chance_node():
            assert sum(odds for _, odds in state.chance_outcomes()) == pytest.approx(1)


# ------------------------------------------------------------------- what a seat knows


def key_of(state: Any) -> tuple[object, ...]:
    """
    What the player who decides has seen in the round, and has chosen so far.
    """
    seat = state.current_player()
    own = [one.action for one in state.full_history() if one.player == seat]
    return seat, rv.view(state.play.state, seat).information_state(), *own


def decisions(game: Any) -> list[Any]:
    """
    All states of a game in which a player decides.
    """
    return [*get_all_states.get_all_states(game, include_terminals=False).values()]


@pytest.mark.parametrize("text", TINY.values(), ids=TINY)
def test_a_text_is_an_information_set(text: str) -> None:
    by_text, by_key = defaultdict(set), defaultdict(set)
    tensors = {}
    for state in decisions(pyspiel.load_game(text)):
        seat = state.current_player()
        key = key_of(state)
        told = state.information_state_string()
        by_text[told].add(key)
        by_key[key].add(told)
        tensor = tuple(state.information_state_tensor())
        assert tensors.setdefault(told, tensor) == tensor
        assert tensor[seat] == 1
    assert len(by_text) == len(by_key) > 100
    assert all(len(found) == 1 for found in (*by_text.values(), *by_key.values()))


@pytest.mark.parametrize("preset", rv.presets())
def test_what_is_hidden_is_in_no_observation(preset: str) -> None:
    game = pyspiel.load_game(f"{name_of(preset)}(until=match)")
    state, rng = game.new_initial_state(), random.Random(preset)
    observers = [
        make_observation(game, pyspiel.IIGObservationType(perfect_recall=recalls))
        for recalls in (False, True)
    ]
    checked = 0
    for number in range(2_000):
        if checked == 8:
            break
        if state.is_terminal():
            state = game.new_initial_state()
        step(state, rng)
        if number % 5 or state.is_chance_node() or state.is_terminal():
            continue
        seat = state.current_player()
        other = state.clone()
        selection = state.play.selection
        world = rv.determinize(rv.view(state.play.state, seat), rng)
        begun: Any = state.play.setup.encoding.begin(world, seat)
        for index in selection.indices:
            begun = state.play.setup.encoding.decode(index, begun)
        moment = type(state.play.moment)(world)
        other.play = attrs.evolve(state.play, moment=moment, selection=begun)
        for observer in observers:
            assert observer.string_from(state, seat) == observer.string_from(
                other, seat
            )
            observer.set_from(state, seat)
            tensor = observer.tensor.copy()
            observer.set_from(other, seat)
            assert (observer.tensor == tensor).all()
        checked += 1
    assert checked == 8


def test_parts_of_an_observation_can_be_had_apart() -> None:
    game = pyspiel.load_game("rummyvariants_gin_rummy")
    state = play(game, 3, 30)
    seat = 0
    hand = str(rv.view(state.play.state, seat).hand)
    kinds = pyspiel.PrivateInfoType

    def told(private: Any, *, public: bool = True) -> str | None:
        kind = pyspiel.IIGObservationType(
            public_info=public, perfect_recall=False, private_info=private
        )
        observer = make_observation(game, kind)
        return observer and observer.string_from(state, seat)

    assert told(kinds.SINGLE_PLAYER) == state.observation_string(seat)
    assert hand in state.observation_string(seat)
    assert hand not in str(told(kinds.NONE))
    assert str(told(kinds.SINGLE_PLAYER, public=False)).startswith(f"hand: {hand}")
    assert told(kinds.NONE, public=False) == ""
    assert told(kinds.ALL_PLAYERS) is None
    observer = make_observation(game)
    observer.set_from(state, seat)
    wanted = rv.learning.observation(state.play.state, seat)
    assert wanted.keys() < observer.dict.keys()
    assert (observer.dict["hands"] == wanted["hands"]).all()


def test_a_hand_that_left_the_round_is_in_the_text_of_its_owner_alone() -> None:
    game = pyspiel.load_game("rummyvariants_indian_rummy(players=3,sampled=True)")
    state = game.new_initial_state()
    state.apply_action(0)
    seat = state.current_player()
    hand = str(state.play.state.hands[seat])
    state.apply_action(game.setup.encoding.labels.index("drop"))
    for other in range(3):
        cards = hand if other == seat else " ".join(["??"] * 13)
        line = f"player {seat}, dropped: {cards}"
        assert line in state.observation_string(other).splitlines()
        assert line in state.information_state_string(other).splitlines()


def test_earlier_rounds_of_a_match_are_remembered() -> None:
    game = pyspiel.load_game("rummyvariants_three_thirteen(until=match,max_steps=300)")
    state, rng = game.new_initial_state(), random.Random(2)
    told = [""]
    while state.play.state.round_number < 3 and not state.is_terminal():
        step(state, rng)
        if not state.is_chance_node():
            told.append(state.information_state_string(0))
    first = [line for line in told[1].splitlines() if line.startswith("> ")]
    assert len(state.play.ended) == 2
    assert first[0].startswith("> the deal, ")
    assert first[0] in told[-1]
    assert told[-1].count("> the deal") == 3


# ----------------------------------------------------------------------- the rewards


@pytest.mark.parametrize("form", ["", ",sampled=True,seed=4"])
def test_returns_are_the_points_of_the_match(form: str) -> None:
    game = pyspiel.load_game(
        "rummyvariants_indian_rummy_pool"
        f"(until=match,players=2,max_steps=50000,scale=0{form})"
    )
    assert game.max_utility() == math.inf
    state = play(game, 8)
    final = state.play.state
    assert final.is_over
    first, second = final.final_scores
    assert state.returns() == [second - first, first - second] != [0, 0]
    assert len(state.play.ended) > 1


@pytest.mark.parametrize("scale", ["", ",scale=20"])
def test_utilities_are_bounded_and_add_up_to_zero(scale: str) -> None:
    game = pyspiel.load_game(
        f"rummyvariants_indian_rummy_pool(until=match,max_steps=50000{scale})"
    )
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)
    state = play(game, 8)
    first, second = state.play.state.final_scores
    margin = (second - first) / (20 if scale else 10_000)
    assert state.returns() == pytest.approx([margin, -margin] if not scale else [1, -1])


def test_a_match_that_is_won_is_one_point() -> None:
    game = pyspiel.load_game(
        "rummyvariants_indian_rummy_pool(until=match,rewards=match,players=3)"
    )
    assert (game.min_utility(), game.max_utility()) == (-1, 1)
    state = play(game, 8)
    (winner,) = state.play.state.winners
    wanted = [-0.5] * 3
    wanted[winner] = 1
    assert state.returns() == wanted == state.rewards()


def test_a_game_ends_after_so_many_steps() -> None:
    game = pyspiel.load_game("rummyvariants_rummy_500(max_steps=9)")
    assert game.max_game_length() == 9
    state = play(game, 1)
    players = [one.player for one in state.full_history() if one.player >= 0]
    assert len(players) == 9
    assert state.is_terminal()
    assert state.returns() == [0, 0]
    assert state.legal_actions() == []


# -------------------------------------------------------------------------- the values


def policy_of(tree: Any, game: Any, shares: Any) -> Any:
    """
    A policy for our tree as one of OpenSpiel.

    In the stepwise form, an index is as likely as all actions to which it may lead,
    given what was chosen before.
    """
    sets = {
        (one.seat, one.view.information_state()): (one, share)
        for one, share in zip(tree.sets, shares, strict=True)
    }
    found: dict[str, Any] = {}
    for state in decisions(game):
        selection = state.play.selection
        seat, encoding = selection.seat, state.play.setup.encoding
        view = rv.view(state.play.state, seat)
        one, share = sets[seat, view.information_state()]
        odds = dict.fromkeys(state.legal_actions(), 0.0)
        taken = selection.indices
        for action, likely in zip(one.actions, share, strict=True):
            path = encoding.encode(action, view)
            if path[: len(taken)] == taken:
                odds[path[len(taken)]] += likely
        total = sum(odds.values())
        odds = {
            index: likely / total if total else 1 / len(odds)
            for index, likely in odds.items()
        }
        found[state.information_state_string()] = [*odds.items()]
    return policies.tabular_policy_from_callable(
        game, lambda state: dict(found[state.information_state_string()])
    )


@pytest.mark.parametrize("text", TINY.values(), ids=TINY)
def test_values_are_those_of_openspiel(text: str) -> None:
    game = pyspiel.load_game(text)
    tree = lay_out(game.setup.encoding.rules, dealer=0)
    for shares in (tree.uniform(), tree.solve(20)):
        policy = policy_of(tree, game, shares)
        (value, _) = expected_game_score.policy_value(
            game.new_initial_state(), [policy, policy]
        )
        assert value == pytest.approx(tree.value(shares), abs=1e-9)
        assert exploitability.exploitability(game, policy) == pytest.approx(
            tree.exploitability(shares), abs=1e-9
        )


def shares_of(tree: Any, game: Any, policy: Any) -> list[tuple[float, ...]]:
    """
    A policy of OpenSpiel as one for our tree: an action is as likely as its indices.
    """
    found: dict[Any, dict[int, float]] = {}
    for state in decisions(game):
        selection = state.play.selection
        seat = selection.seat
        key = seat, rv.view(state.play.state, seat).information_state()
        odds = policy.action_probabilities(state)
        assert found.setdefault((*key, selection.indices), odds) == odds
    encoding = game.setup.encoding
    shares = []
    for one in tree.sets:
        key = one.seat, one.view.information_state()
        share = []
        for action in one.actions:
            path = encoding.encode(action, one.view)
            odds = [found[(*key, path[:at])][index] for at, index in enumerate(path)]
            share.append(math.prod(odds))
        shares.append(tuple(share))
    return shares


def test_an_equilibrium_of_openspiel_is_one_of_ours() -> None:
    game = pyspiel.load_game(TINY_500)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    tree = lay_out(game.setup.encoding.rules, dealer=0)
    shares = shares_of(tree, game, average)
    found = exploitability.exploitability(game, average)
    assert tree.exploitability(shares) == pytest.approx(found, abs=1e-9)
    assert found < tree.exploitability(tree.uniform()) / 10


# ---------------------------------------------------------------------- the parameters


def test_a_file_of_rules_is_a_game(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text('[rules]\nextends = "basic-rummy"\ndeal = { hand_size = 5 }\n')
    game = pyspiel.load_game(f"rummyvariants(rules={path},players=3)")
    assert game.num_players() == 3
    assert game.setup.encoding.rules == rv.load_rules(path)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    assert pyspiel.load_game("rummyvariants").setup.encoding.rules.name == "basic-rummy"


def test_a_ruleset_can_be_registered() -> None:
    rules = rv.rules.read_rules({"extends": "gin-rummy", "deal": {"hand_size": 7}})
    name = adapter.register(rules, "Our Seven-Card Gin")
    assert name == "rummyvariants_our_seven_card_gin"
    assert adapter.register(rules, "our seven card gin") == name
    game = pyspiel.load_game(name)
    assert game.setup.encoding.rules == rules
    state = play(game, 2, 30)
    again = pickle.loads(pickle.dumps(state))  # noqa: S301 -- it was made here
    assert str(again) == str(state)
    with pytest.raises(EnvError, match="with other rules"):
        adapter.register(rv.preset("gin-rummy"), "our seven card gin")
    with pytest.raises(EnvError, match="needs a letter"):
        adapter.register(rules, "?")


def test_options_and_values_are_those_of_the_rules() -> None:
    text = (
        "rummyvariants_rummy_5000(options=PGV-P4+PGV-E5:2500,values=deal.hand_size:9)"
    )
    rules = pyspiel.load_game(text).setup.encoding.rules
    assert rules == rv.rules.read_rules(
        {
            "extends": "rummy-5000",
            "with": ["PGV-P4", "PGV-E5=2500"],
            "deal": {"hand_size": 9},
        }
    )
    assert str(pyspiel.load_game(text)) == (
        "rummyvariants_rummy_5000(options=PGV-P4+PGV-E5:2500,values=deal.hand_size:9)"
    )


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ("players=9", rv.errors.RulesError, "is for 2 players, not 9"),
        ("until=hand", EnvError, "until cannot be 'hand'"),
        ("rewards=match", EnvError, "no match is won in a round"),
        ("scale=-1", EnvError, "scale cannot be -1: give a number above 0"),
        ("until=match,rewards=match,scale=9", EnvError, "a scale is for points"),
        ("max_steps=0", EnvError, "give a whole number from 1 to 1,000,000"),
        ("dealer=2", EnvError, "give a seat from 0 to 1"),
        ("form=long", rv.RummyError, "'stepwise' or 'flat'"),
        ("length=0", rv.RummyError, "is no length"),
        ("options=XX-1", rv.errors.RulesError, "XX-1"),
        ("values=hand_size:7", EnvError, "write POLICY.KEY:VALUE"),
        ("values=with.hand:7", EnvError, "'with' is no policy"),
        ("values=deal.hand_size:many", rv.errors.RulesError, "hand_size"),
    ],
)
def test_a_wrong_parameter_is_one_clear_error(
    parameters: str, error: Any, message: str
) -> None:
    with pytest.raises(error, match=re.escape(message)):
        pyspiel.load_game(f"rummyvariants_gin_rummy({parameters})")


def test_a_past_without_room_is_an_error() -> None:
    game = pyspiel.load_game("rummyvariants_gin_rummy(length=20)")
    state = play(game, 1, 60)
    with pytest.raises(rv.RummyError, match="ask for a greater length"):
        state.information_state_tensor(0)


def test_the_page_does_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    text = (DOCS / "how-to" / "use-openspiel.md").read_text(encoding="utf-8")
    code = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert len(code) == 2
    exec("".join(code), {})  # noqa: S102 -- our own page
    returns, found = capsys.readouterr().out.splitlines()
    assert sum(map(float, returns.strip("[]").split(","))) == 0
    game = pyspiel.load_game(TINY_500)
    tree = lay_out(game.setup.encoding.rules, dealer=0)
    uniform = shares_of(tree, game, policies.UniformRandomPolicy(game))
    assert float(found) == pytest.approx(tree.exploitability(uniform), abs=1e-9)
    for name in (*COMMON, *CHANGES):
        assert f"| `{name}` |" in text


# -------------------------------------------------------------------- the playthroughs


def playthrough(preset: str) -> str:
    """
    What OpenSpiel tells of the first steps of a game, with summaries of what is long.
    """
    game = f"{name_of(preset)}(length=256,max_steps=9)"
    told = generate_playthrough.playthrough(game, [], seed=7)
    told = re.sub(
        r"^(\w+Tensor\(\d\))\..*\n(?:\1.*\n|[ ◯◉]+\n|\n(?=[◯◉]))*",
        lambda found: f"{found[1]}: {summary(found[0])}\n",
        told,
        flags=re.MULTILINE,
    )
    return "".join(
        f"{line[:60]}... {summary(line)}\n" if len(line) > 100 else f"{line}\n"
        for line in told.splitlines()
    )


def summary(text: str) -> str:
    return f"sha256 {hashlib.sha256(text.encode()).hexdigest()[:16]}"


@pytest.mark.parametrize("preset", rv.presets())
def test_a_game_goes_as_it_did(preset: str, snapshot: SnapshotAssertion) -> None:
    assert playthrough(preset) == snapshot
