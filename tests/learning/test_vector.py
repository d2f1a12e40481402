"""Many games stepped together are the same as each game alone."""

from __future__ import annotations

import array
import copy
import pickle
import random
import runpy
import subprocess
import sys

from collections.abc import Callable, Iterator
from typing import Any

import attrs
import pytest

import rummyvariants as rv

from places import EXAMPLES
from rummyvariants.bots import next_to_decide
from rummyvariants.house import rules as house
from rummyvariants.learning import _arrays
from rummyvariants.vector import Games, VectorError


NUMBER = 3


class Alone:
    """
    One place of `Games`, played by the functions that take states.
    """

    def __init__(self, games: Games, place: int, **options: Any) -> None:
        self.games = games
        self.place = place
        self.until = options.get("until", "match")
        self.rewards = options.get("rewards", "round")
        self.seed = options.get("seed", 0)
        self.number = -1
        self.begin()

    def begin(self) -> None:
        self.number += 1
        encoding = self.games.encoding
        seed = f"{self.seed}/{self.place}/{self.number}"
        state = rv.new_game(encoding.rules, encoding.players, seed=seed)
        self.at: Any = encoding.begin(state, next_to_decide(state))

    def step(self, index: int) -> tuple[list[float], bool]:
        """
        Choose an index; the rewards, and whether the game has ended.
        """
        encoding = self.games.encoding
        found = encoding.decode(index, self.at)
        if isinstance(found, rv.learning.Selection):
            self.at = found
            return [0.0] * encoding.players, False
        before = self.at.state
        state = rv.apply(before, found)
        rewards = self.earned(before, state)
        over = state.is_over or (self.until == "round" and state.is_round_over)
        if over:
            self.begin()
        else:
            if state.phase == "deal":
                state = rv.game.deal(state)
            self.at = encoding.begin(state, next_to_decide(state))
        return rewards, over

    def earned(self, before: rv.State, after: rv.State) -> list[float]:
        """
        By seat, the rewards of a step; nobody has partners or leaves the match.
        """
        players = range(len(after.players))
        if self.rewards == "match":
            if not after.is_over:
                return [0.0 for _ in players]
            won = [one in after.winners for one in players]
            losers = len(players) - sum(won)
            return [1 / sum(won) if one else -1 / losers for one in won]
        sign = -1 if after.rules.match.lowest_wins else 1
        gains = [
            sign * (now - then)
            for then, now in zip(before.final_scores, after.final_scores, strict=True)
        ]
        others = len(gains) - 1
        return [gain - (sum(gains) - gain) / others for gain in gains]


def rows(numbers: Any, size: int) -> list[list[Any]]:
    """
    The numbers of an array by game.
    """
    found = list(numbers)
    return [found[at : at + size] for at in range(0, len(found), size)]


def compare(games: Games, steps: int, **options: Any) -> list[int]:
    """
    Step games at random, and each of them alone; how often each of them ended.
    """
    encoding, spec = games.encoding, games.spec
    alone = [Alone(games, place, **options) for place in range(games.number)]
    chance = random.Random(steps)
    seen = array.array("i", [7]) * (games.number * spec.size)
    masks = array.array("b", [7]) * (games.number * encoding.size)
    gained = array.array("d", [7]) * (games.number * encoding.players)
    ended = array.array("b", [7]) * games.number
    for _ in range(steps):
        games.observe(seen, masks)
        assert games.seats == tuple(one.at.seat for one in alone)
        assert rows(seen, spec.size) == [list(spec.vector(one.at)) for one in alone]
        assert rows(masks, encoding.size) == [[*encoding.mask(one.at)] for one in alone]
        chosen = [chance.choice(encoding.legal(one.at)) for one in alone]
        games.step(chosen, gained, ended)
        done = [one.step(index) for one, index in zip(alone, chosen, strict=True)]
        assert rows(gained, encoding.players) == [
            pytest.approx(rewards) for rewards, _ in done
        ]
        assert [*ended] == [over for _, over in done]
    for place, one in enumerate(alone):
        assert games.state(place) == one.at.state
        for seat in range(encoding.players):
            known, same = (
                rv.view(state, seat).information_state()
                for state in (games.state(place), one.at.state)
            )
            assert known == same
    return [one.number for one in alone]


CASES: dict[str, tuple[tuple[str, int], dict[str, Any], int]] = {
    "flat": (("gin-rummy", 2), {"form": "flat", "until": "round"}, 500),
    "matches": (("indian-rummy-deals", 2), {"rewards": "match"}, 500),
    "rounds of matches": (("indian-rummy-deals", 2), {"seed": 3}, 500),
    "columns": (("hollywood-gin", 2), {"form": "flat"}, 300),
    "lowest wins": (("three-thirteen", 3), {"seed": "a text"}, 400),
    "stepwise": (("rummy-500", 3), {"until": "round", "seed": 5}, 500),
    "calls": (("rummy-5000", 3), {}, 200),
    "buys": (("shanghai-rummy", 4), {"until": "round"}, 150),
    "perfect recall": (
        ("rummy-500", 2),
        {"observation": "perfect recall", "until": "round", "length": 3_000},
        200,
    ),
    "some fields": (
        ("canasta", 2),
        {"fields": ("top", "laid", "hands", "seats", "spent"), "until": "round"},
        150,
    ),
    "some fields and the past": (
        ("gin-rummy", 2),
        {"fields": ("details", "phase"), "observation": "perfect recall"},
        100,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_games_are_those_that_are_played_alone(case: str) -> None:
    (name, players), options, steps = CASES[case]
    games = Games(name, players, NUMBER, **options)
    ended = compare(games, steps, **options)
    if steps == 500:
        assert min(ended) > 0, "games end and others begin"


@pytest.mark.parametrize("name", rv.presets())
def test_every_preset_is_stepped(name: str) -> None:
    players = max(2, rv.preset(name).match.players[0])
    games = Games(name, players, 2, until="round")
    masks = bytearray(2 * games.encoding.size)
    seen = array.array("f", [0]) * (2 * games.spec.size)
    gained = array.array("f", [7]) * (2 * players)
    chance = random.Random(1)
    for _ in range(60):
        games.observe(seen, masks)
        games.step(
            [
                chance.choice([at for at, one in enumerate(row) if one])
                for row in rows(masks, games.encoding.size)
            ],
            gained,
        )
        assert [sum(row) for row in rows(gained, players)] == pytest.approx([0, 0])


@pytest.mark.parametrize("name", ["buying", "out_of_the_match", "growing_hands"])
def test_rules_of_third_parties(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "_RULES", {})
    path = EXAMPLES / "rules" / f"{name}.py"
    rules = rv.files.parse_scenario(runpy.run_path(str(path))["SCENARIO"]).rules
    assert rules is not None
    players = max(2, rules.match.players[0])
    compare(Games(rules, players, 2), 120)


def pickled(games: Games) -> Games:
    copied: Games = pickle.loads(pickle.dumps(games))  # noqa: S301
    return copied


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
@pytest.mark.parametrize(
    ("rules", "form"),
    [("gin-rummy", "flat"), ("gin-rummy", "stepwise"), ("rummy-500", "stepwise")],
)
def test_a_copy_goes_on_as_the_games_do(
    rules: str, form: Any, copied: Callable[[Games], Games]
) -> None:
    chance = random.Random(4)
    games = Games(rules, 2, NUMBER, form=form, until="round", seed=4)
    for at in range(600):
        if not at % 37:
            other = copied(games)
        indices = [chance.choice([*one.question.answers]) for one in games._games]
        for each in (games, other):
            each.step(indices)
        assert standing(other) == standing(games)
        assert [one.chosen for one in other._games] == [
            one.chosen for one in games._games
        ]
        assert [one.gained for one in other._games] == [
            one.gained for one in games._games
        ]


def test_a_rule_that_fails_leaves_all_games_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(house, "_RULES", {})

    @rv.house.register_rule("score", "fails")
    @attrs.frozen
    class Fails(rv.house.HouseRule):
        """
        Fails when a round is over.
        """

        def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
            msg = f"a mistake of its author, after {end.how}"
            raise ArithmeticError(msg)

    rules = rv.rules.read_rules({"extends": "gin-rummy", "score": {"rules": ["fails"]}})
    notes = set()
    for seed in range(6):
        games = Games(rules, 2, NUMBER, seed=seed)
        before, gained, error = step_until_it_fails(games, random.Random(seed))
        assert standing(games) == before
        assert {*gained} == {7}
        notes.update(error.__notes__)
    assert f"in game {NUMBER - 1}; no game has been stepped" in notes


def step_until_it_fails(
    games: Games, chance: random.Random
) -> tuple[object, array.array[float], rv.errors.RulesError]:
    """
    How games stood before the step that failed, the rewards, and the error.
    """
    while True:
        before = standing(games)
        gained = array.array("d", [7]) * (2 * games.number)
        try:
            games.step([*map(chance.choice, before[0])], gained)
        except rv.errors.RulesError as error:
            return before, gained, error


def standing(games: Games) -> tuple[list[list[int]], tuple[int, ...], list[rv.State]]:
    """
    What may be chosen in each game, by whom, and the states.
    """
    masks = bytearray(games.number * games.encoding.size)
    games.observe(None, masks)
    allowed = [
        [at for at, flag in enumerate(row) if flag]
        for row in rows(masks, games.encoding.size)
    ]
    states = [games.state(place) for place in range(games.number)]
    return allowed, games.seats, states


def test_files_of_rules_are_taken() -> None:
    games = Games(EXAMPLES / "our-table.toml", 3, 2)
    assert games.encoding.rules == rv.load_rules(EXAMPLES / "our-table.toml")


def test_the_same_seed_gives_the_same_games() -> None:
    first, again, other = (Games("gin-rummy", 2, 2, seed=seed) for seed in (4, 4, 5))
    for place in range(2):
        assert first.state(place) == again.state(place)
        assert first.state(place).stock != other.state(place).stock
    assert first.state(0).stock != first.state(1).stock


def test_arrays_of_numpy_are_written_into() -> None:
    np = pytest.importorskip("numpy")
    games = Games("rummy-500", 2, NUMBER)
    size, indices = games.spec.size, games.encoding.size
    plain = array.array("i", [0]) * (NUMBER * size)
    flags = bytearray(NUMBER * indices)
    games.observe(plain, flags)
    for dtype in (np.int32, np.int64, np.float32, np.float64):
        seen = np.full((NUMBER, size), 9, dtype)
        games.observe(seen)
        assert seen.ravel().tolist() == [*plain]
    for dtype in (np.int8, np.uint8, bool):
        masks = np.ones((NUMBER, indices), dtype)
        games.observe(None, masks)
        assert masks.ravel().tolist() == [*flags]
    wide = np.zeros((NUMBER, 2 * size), np.float32)
    games.observe(wide[:, ::2])
    assert wide[:, ::2].ravel().tolist() == [*plain]
    assert not wide[:, 1::2].any()
    gained, ended = np.ones((NUMBER, 2), np.float32), np.ones(NUMBER, bool)
    games.step(np.argmax(masks, axis=1), gained, ended)
    assert not gained.any()
    assert not ended.any()


def test_numpy_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_arrays, "numpy", lambda: None)
    compare(Games("gin-rummy", 2, 2, form="flat"), 40)


def test_the_module_is_not_imported_with_the_package() -> None:
    code = "import sys, rummyvariants as rv; rv.new_game('gin-rummy', 2)\n"
    code += "print('rummyvariants.vector' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


GAMES = Games("gin-rummy", 2, 2, form="flat")
LEGAL = [GAMES.encoding.legal(GAMES.state(place))[0] for place in range(2)]
DISCARD = GAMES.encoding.labels.index("discard 7h")
SIZE, INDICES = GAMES.spec.size, GAMES.encoding.size

ERRORS = {
    "0 is no number of games: give a whole number from 1": lambda: Games(
        "gin-rummy", 2, 0
    ),
    "until cannot be 'rounds'; did you mean 'round'?": lambda: Games(
        "gin-rummy", 2, 1, until="rounds"
    ),
    "no match is won in a round": lambda: Games(
        "gin-rummy", 2, 1, until="round", rewards="match"
    ),
    "1.5 is no seed: give a whole number or a text": lambda: Games(
        "gin-rummy", 2, 1, seed=1.5
    ),
    "gin-rummy is for 2 players, not 3": lambda: Games("gin-rummy", 3, 1),
    "rummy-500 has no flat form": lambda: Games("rummy-500", 2, 1, form="flat"),
    "there is no field 'hand'; did you mean 'hands'?": lambda: Games(
        "gin-rummy", 2, 1, fields=["hand"]
    ),
    "there is no game 2: games are 0 to 1": lambda: GAMES.state(2),
    f"game 1: {DISCARD} ('discard 7h') cannot be chosen here: the mask allows ": (
        lambda: GAMES.step([LEGAL[0], DISCARD])
    ),
    "game 0: True is not an index: give a whole number from 0 to": (
        lambda: GAMES.step([True, LEGAL[1]])
    ),
    f"game 1: {INDICES} is not an index: give a whole number from 0 to": (
        lambda: GAMES.step([LEGAL[0], INDICES])
    ),
    "give one index for each of 2 games, not 1": lambda: GAMES.step(LEGAL[:1]),
    "give one index for each of 2 games, not 7": lambda: GAMES.step(7),
    f"observations cannot be written into an array of shape (5,): give an array of "
    f"shape (2, {SIZE}) and of int32, int64, float32, float64": (
        lambda: GAMES.observe(array.array("i", [0] * 5), bytearray(2 * INDICES))
    ),
    f"masks cannot be written into an array of the type 'i': give an array of shape "
    f"(2, {INDICES}) and of int8, uint8, bool": lambda: GAMES.observe(
        array.array("i", [0] * 2 * SIZE), array.array("i", [0] * 2 * INDICES)
    ),
    "rewards cannot be written into a list: give an array of shape (2, 2) and of "
    "float32, float64": lambda: GAMES.step(LEGAL, [0.0] * 4),
    "7 are no rules: give the name of a preset, the path of a file": lambda: Games(
        7, 2, 1
    ),
    "ended cannot be written into a bytes, which is read-only": lambda: GAMES.step(
        LEGAL, None, bytes(2)
    ),
}


@pytest.mark.parametrize("message", ERRORS, ids=lambda one: one[:48])
def test_errors_change_nothing(message: str) -> None:
    before = [GAMES.state(place) for place in range(2)]
    with pytest.raises((rv.RummyError, VectorError)) as caught:
        ERRORS[message]()
    assert message in str(caught.value)
    assert [GAMES.state(place) for place in range(2)] == before


def test_nothing_is_written_with_an_error() -> None:
    games = Games("rummy-500", 2, 2, observation="perfect recall", length=9)
    seen = array.array("i", [7]) * (2 * games.spec.size)
    masks = bytearray([7]) * (2 * games.encoding.size)
    with pytest.raises(VectorError, match="masks cannot be"):
        games.observe(seen, masks[1:])
    with pytest.raises(rv.learning.ObservationError, match="ask for a greater length"):
        games.observe(seen, masks)
    assert {*seen} == {*masks} == {7}
