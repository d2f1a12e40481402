"""Observations hold what a seat knows, as numbers that are the same everywhere."""

from __future__ import annotations

import array
import hashlib
import pickle
import random
import runpy
import subprocess
import sys

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from syrupy.assertion import SnapshotAssertion

import composition
import rummyvariants as rv

from amounts import rest_is_slow
from observing import (
    LONG,
    RECALL,
    as_lists,
    digest,
    kept_games,
    look,
    normalized,
    played,
)
from places import EXAMPLES, TESTS
from rummyvariants import events
from rummyvariants.bots import GreedyBot, play_on
from rummyvariants.house import rules as house
from test_encoding import ends, forms_of
from tiny_decks import TinyDeck, tiny_decks
from walks import exchanged


GAMES = [
    (rv.preset(name), players)
    for name in rv.presets()
    for players in {rv.preset(name).match.players[0], rv.preset(name).match.players[1]}
]


@pytest.mark.parametrize(
    ("rules", "players"), GAMES, ids=[f"{one.name} {two}" for one, two in GAMES]
)
def test_an_observation_holds_what_the_view_shows(
    rules: rv.Ruleset, players: int
) -> None:
    if rv.preset(rules.name).match.sides != "none" and players % 2:
        players = 4
    for number, state in enumerate(played(rules, players, players, 400)):
        if number % 13 == 0 or state.is_round_over:
            look(state, seats=range(number % 2, players, 2))


def sampled() -> Iterator[tuple[rv.Ruleset, int, int]]:
    """
    Rules with options at random, players, seeds.
    """
    for seed in range(60):
        game = composition.sample(900_000 + seed)
        try:
            rv.game.begin(game.rules(), game.players, seed=seed)
        except rv.errors.RulesError:
            continue
        yield game.rules(), game.players, seed


@pytest.mark.parametrize(
    ("rules", "players", "seed"), [*sampled()], ids=lambda one: str(one)[:24]
)
def test_with_options_at_random(rules: rv.Ruleset, players: int, seed: int) -> None:
    for number, state in enumerate(played(rules, players, seed, 220)):
        if number % 11 == 0 or state.is_round_over or len(state.frames) > 1:
            look(state, seats=range(number % players, players, 3))


def test_hidden_cards_change_no_observation() -> None:
    for name in rv.presets():
        rules = rv.preset(name)
        players = max(2, rules.match.players[0])
        spec = rv.learning.observation_spec(rules, players, RECALL, length=LONG)
        chance = random.Random(name)
        for number, state in enumerate(played(rules, players, 7, 150)):
            if state.dealer is None or number % 7 or state.is_round_over:
                continue
            for seat in range(players):
                vector = list(spec.vector(state, seat))
                world = rv.determinize(rv.view(state, seat), chance)
                assert list(spec.vector(world, seat)) == vector
                other = exchanged(state, seat, chance)
                assert list(spec.vector(other, seat)) == vector


@pytest.mark.parametrize("name", rv.presets())
def test_a_view_from_json_is_observed_alike(name: str) -> None:
    rules = rv.preset(name)
    players = max(2, rules.match.players[0])
    for number, state in enumerate(played(rules, players, 3, 120)):
        if number % 17 == 5 and state.dealer is not None:
            view = rv.view(state, number % players)
            again = rv.files.from_json(rv.files.to_json(view), rv.View)
            for form in ("markov", RECALL):
                found = rv.learning.observation(view, form=form)
                assert as_lists(found) == as_lists(
                    rv.learning.observation(again, form=form)
                )


# ------------------------------------------------------------------ information sets


def markov_key(view: rv.View) -> tuple[Any, ...]:
    """
    All of a view that the Markov form claims to hold.
    """
    state = view.world
    match, dealt, drawn, result = (
        state.match,
        state.dealt,
        state.drawn,
        state.result,
    )
    columns = [(one.scores, one.boxes, one.winners) for one in match.columns]
    return (
        view.seat,
        view.known,
        view.known_stock,
        view.unseen,
        view.hand_sizes,
        view.discards_size,
        attrs.evolve(match, bonuses=(), columns=()),
        match.bonuses and state.final_scores,
        tuple(
            (*one, *end.final_scores)
            for one, end in zip(columns, match.columns, strict=True)
        ),
        attrs.evolve(dealt, upcards=()),
        state.frames,
        state.discards,
        state.stock,
        state.table,
        state.dealer_wild,
        tuple(map(state.has_meld, range(len(view.players)))),
        (drawn.source, drawn.held, drawn.melds, rv.Cards(drawn.cards)),
        tuple(sorted((one.code, one.how) for one in drawn.duties)),
        (state.laid, state.idle, state.turns, state.floating, state.out),
        result and (result.points, result.how, result.out),
        (state.turned, state.fresh),
        tuple((one.name, one.seat, rv.Cards(one.cards)) for one in state.zones),
        tuple(
            (
                name,
                tuple((*one[:2], one[2] == "out.wrong_declaration") for one in value),
            )
            if name == "dropped"
            else (name, value)
            for name, value in state._memory
        ),
    )


class Sets:
    """
    The information sets that were met: keys and observations, one for the other.

    Attributes:
        met: How many states, each as one seat sees it.
    """

    def __init__(self) -> None:
        self.met = 0
        self._of_key: dict[Any, bytes] = {}
        self._of_observation: dict[bytes, tuple[Any, list[str]]] = {}

    def meet(self, key: Any, found: Any, legal: list[str]) -> None:
        """
        Assert that equal keys have equal observations, and the same legal actions.

        Args:
            key: What identifies the information set.
            found: The observation.
            legal: The legal actions, and the indices that lead to them.
        """
        self.met += 1
        data = hashlib.sha256(memoryview(found)).digest()
        assert self._of_key.setdefault(key, data) == data, "other numbers, the same key"
        other, actions = self._of_observation.setdefault(data, (key, legal))
        assert key == other, "the same numbers, another key"
        assert legal == actions, "the same numbers, other actions"

    @property
    def number(self) -> int:
        """
        How many information sets there are.
        """
        return len(self._of_key)


@attrs.define
class Both:
    """
    The information sets of both forms.
    """

    markov: Sets = attrs.field(factory=Sets)
    recall: Sets = attrs.field(factory=Sets)

    def explore(self, start: rv.State, seats: list[int], most: int) -> None:
        """
        Look at the states of a round by every way that leads to them.

        Args:
            start: Where it begins.
            seats: The seats whose views are looked at.
            most: The most states that are looked at.
        """
        players = len(start.players)
        spec = rv.learning.observation_spec(start.rules, players, RECALL, length=LONG)
        markov = rv.learning.observation_spec(start.rules, players).size
        encodings = forms_of(start.rules, players)
        waiting = [start]
        for _ in range(most):
            if not waiting:
                break
            state = waiting.pop()
            actions = list(rv.legal_actions(state))
            for seat in seats:
                view = rv.view(state, seat)
                legal = [str(one) for one in actions if one.seat == seat]
                if legal:
                    begun = [one.begin(state, seat) for one in encodings]
                    legal += [f"{one}" for at in begun for one in ends(at.encoding, at)]
                vector = spec.vector(state, seat)
                self.recall.meet(view.information_state(), vector, legal)
                self.markov.meet(markov_key(view), vector[:markov], legal)
            if not state.is_round_over:
                waiting += [rv.apply(state, action) for action in actions]

    def explore_worlds(self, start: rv.State, worlds: int, most: int) -> None:
        """
        The same in games that one seat cannot tell apart at the start.
        """
        for seat in range(len(start.players)):
            view = rv.view(start, seat)
            for number in range(worlds):
                world = rv.determinize(view, random.Random(number))
                self.explore(world, [seat], most)


WHOLE = 1_000_000
"""More states than any history of a deck of the tests has."""


def endings(deck: TinyDeck) -> int:
    """
    How many ways there are to play a round.
    """
    return sum(one for one in deck.sequences.values() if isinstance(one, int))


def smallest_first() -> list[TinyDeck]:
    return sorted(tiny_decks(), key=endings)


@pytest.mark.parametrize("deck", tiny_decks(), ids=lambda one: one.name)
def test_observations_are_information_sets(deck: TinyDeck) -> None:
    """
    Equal keys have equal observations, different ones different observations.
    """
    sets = Both()
    start = deck.start()
    sets.explore(start, list(range(len(start.players))), 120)
    sets.explore_worlds(start, 4, 40)
    assert sets.markov.met == sets.recall.met > 300
    # Some of them hold several states.
    assert sets.markov.number <= sets.recall.number < sets.recall.met


@pytest.mark.long
@pytest.mark.parametrize(
    "deck",
    rest_is_slow([one for one in smallest_first() if endings(one) < 5_000], 22),
    ids=lambda one: one.name,
)
def test_observations_are_information_sets_whatever_is_played(deck: TinyDeck) -> None:
    """
    The same in every history of the deal.
    """
    sets = Both()
    start = deck.start()
    sets.explore(start, list(range(len(start.players))), WHOLE)
    assert 50 < sets.markov.number <= sets.recall.number


@pytest.mark.long
@pytest.mark.parametrize(
    "deck",
    rest_is_slow([one for one in smallest_first() if endings(one) < 300], 6),
    ids=lambda one: one.name,
)
def test_observations_are_information_sets_whatever_is_hidden(deck: TinyDeck) -> None:
    """
    The same in every history of many deals that one seat cannot tell apart.
    """
    sets = Both()
    sets.explore_worlds(deck.start(), 40, WHOLE)
    assert 50 < sets.markov.number <= sets.recall.number < sets.recall.met


# -------------------------------------------------------------------- third parties


@pytest.mark.parametrize(
    "path", sorted(EXAMPLES.glob("rules/*.py")), ids=lambda one: one.stem
)
def test_house_rules_of_others(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "_RULES", {})
    example = runpy.run_path(str(path))
    rules = rv.files.parse_scenario(example["SCENARIO"]).rules
    assert rules is not None
    low, high = rules.match.players
    players = max(low, min(3, high))
    for number, state in enumerate(played(rules, players, 5, 200)):
        if number % 9 == 0 or state.is_round_over:
            look(state, seats=range(number % 2, players, 2))


@pytest.mark.parametrize("name", ["gleaners", "three_to_king"])
def test_games_of_others(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "_RULES", {})
    runpy.run_path(str(EXAMPLES / "games" / f"{name}.py"))
    rules = rv.load_rules(EXAMPLES / "games" / f"{name}.toml")
    players = rules.match.players[0]
    for number, state in enumerate(played(rules, players, 6, 300)):
        if number % 9 == 0 or state.is_round_over:
            look(state, seats=range(players))


@attrs.frozen
class Diary(rv.house.HouseRule):
    """
    What was discarded is written down, and the top of the stock goes to a cellar.
    """

    section = "discard"
    name = "a diary"
    memory = rv.house.Memory(("nobody yet", None))
    effects = frozenset({rv.house.Remember, rv.house.Move})
    piles = (rv.house.Pile("cellar", of="seat"), rv.house.Pile("a diary"))

    def follows(self, turn: rv.house.Turn, event: object) -> Iterator[rv.house.Effect]:
        """
        Who discarded what, and how long the diary is; too much for an observation.

        After a draw, a card for the player's own cellar, and one for everybody's.
        """
        match event:
            case events.Discarded(card=card):
                done = f"discard {card}"
                yield rv.house.Remember((done, True, turn.seat, *turn.memory)[:9])
            case events.Drew() if turn.stock_size > 9:
                yield rv.house.Move("stock", "cellar", 1, target_seat=turn.seat)
                yield rv.house.Move("stock", self.name, 1, shown=True)


def with_a_diary(monkeypatch: pytest.MonkeyPatch) -> rv.Ruleset:
    """
    Rules with zones of two names and a memory that outgrows its place.
    """
    monkeypatch.setattr(house, "_RULES", {})
    rv.house.register_rule("discard", "a diary")(Diary)
    return rv.preset("rummy-500").with_values({"discard.rules": ["a diary"]})


def test_zones_and_memories_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = with_a_diary(monkeypatch)
    spec = rv.learning.observation_spec(rules, 3)
    assert spec["zones"].axes[0].labels == ("a diary", "cellar", "others")
    assert spec["memory"].axes[0].labels == ("discard.a diary",)
    spelled = set()
    for state in played(rules, 3, 2, 60):
        look(state, seats=range(3))
        found = as_lists(spec.observe(state, 0))
        spelled.add(found["memory"][0][0])
        lying = sum([len(one.cards) for one in state.zones])
        assert sum(map(sum, found["zone_sizes"])) == lying
    assert spelled == {4, 5}, "a tuple, and a summary of one"


# -------------------------------------------------------------------------- choosing


@pytest.mark.parametrize("name", ["rummy-500", "canasta", "gin-rummy"])
def test_an_action_being_chosen_is_part_of_the_observation(name: str) -> None:
    players = 2
    encoding = rv.learning.encoding(name, players)
    spec = rv.learning.observation_spec(name, players)
    place = slice(spec["chosen"].start, spec["chosen"].stop)
    room = spec["chosen"].size
    chance = random.Random(3)
    deepest = 0
    for number, state in enumerate(played(rv.preset(name), players, 4, 90)):
        if number % 4 or len(state.to_act) != 1:
            continue
        (seat,) = state.to_act
        view = rv.view(state, seat)
        at: Any = encoding.begin(view)
        while isinstance(at, rv.learning.Selection):
            indices = [one + 1 for one in at.indices]
            found = list(spec.vector(at))
            assert found[place] == indices + [0] * (room - len(indices))
            assert found[: place.start] == list(spec.vector(view))[: place.start]
            assert as_lists(rv.learning.observation(at)) == as_lists(spec.named(found))
            deepest = max(deepest, len(indices))
            at = encoding.decode(chance.choice(encoding.legal(at)), at)
        (first, *_) = encoding.legal(view)
        after = encoding.decode(first, encoding.begin(state, seat))
        if isinstance(after, rv.learning.Selection):
            assert list(spec.vector(after)) == list(
                spec.vector(encoding.decode(first, view))
            )
    assert deepest > 0
    assert spec["chosen"].high == encoding.size


# ---------------------------------------------------------------- arrays everywhere


@pytest.mark.parametrize("game", kept_games())
def test_observations_are_the_same(game: str, snapshot: SnapshotAssertion) -> None:
    """
    On all platforms on which this test passes; if not: raise the version.
    """
    found = digest(*kept_games()[game])
    assert f"version {SPEC.version}: {found[:16]}" == snapshot


WITHOUT = """
import sys
sys.modules["numpy"] = None
import rummyvariants as rv
from observing import digest
spec = rv.learning.observation_spec("rummy-500", 3)
state = rv.new_game("rummy-500", 3, seed=8)
found = rv.learning.observation(state, 1)
assert type(found["hands"]) is type(found["hands"][0]) is list
assert type(found["hands"][0][0]) is int
assert spec.named(spec.vector(state, 1)) == found
print(digest("rummy-500", 2, 1, "markov"), digest("canasta", 2, 2, "perfect recall"))
"""


def test_without_numpy_the_numbers_are_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        cwd=TESTS,
        capture_output=True,
        text=True,
        check=True,
    )
    games = (("rummy-500", 2, 1, "markov"), ("canasta", 2, 2, "perfect recall"))
    assert done.stdout.split() == [digest(*game) for game in games]


def test_numpy_is_asked_for_only_by_observations() -> None:
    code = "import sys; from rummyvariants import learning; learning.observation; "
    code += "learning.observation_spec('gin-rummy', 2); print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


STATE = rv.new_game("rummy-500", 3, seed=5)
SPEC = rv.learning.observation_spec("rummy-500", 3)


@pytest.mark.parametrize("kind", ["i", "q", "f", "d"])
def test_an_array_of_ones_own_is_written_into(kind: str) -> None:
    plain = list(SPEC.vector(STATE, 2))
    own = array.array(kind, [9] * SPEC.size)
    assert SPEC.vector(STATE, 2, own) is own
    assert list(own) == plain
    rows = array.array(kind, [9] * 2 * SPEC.size)
    SPEC.vector(STATE, 2, memoryview(rows)[SPEC.size :])
    assert list(rows) == [9] * SPEC.size + plain


def test_arrays_of_numpy_are_written_into() -> None:
    np = pytest.importorskip("numpy")
    plain = SPEC.vector(STATE, 1)
    assert plain.dtype == SPEC.dtype == "int32"
    for dtype in (np.int32, np.int64, np.float32, np.float64, ">i4"):
        rows = np.full((4, SPEC.size), 9, dtype)
        for number in (0, 2):
            SPEC.vector(STATE, number, rows[number])
        assert (rows[[1, 3]] == 9).all()
        assert (rows[2] == SPEC.vector(STATE, 2)).all()
    columns = np.zeros((SPEC.size, 2), np.float32)
    SPEC.vector(STATE, 1, columns[:, 1])
    assert (columns[:, 1] == plain).all()
    assert not columns[:, 0].any()


def test_named_fields_are_parts_of_the_same_array() -> None:
    np = pytest.importorskip("numpy")
    rows = np.zeros((2, 3, SPEC.size), np.float32)
    SPEC.vector(STATE, 1, rows[1, 2])
    found = SPEC.named(rows)
    assert [*found] == [one.name for one in SPEC.fields]
    for field in SPEC.fields:
        part = found[field.name]
        assert part.shape == (2, 3, *field.shape)
        assert np.shares_memory(part, rows)
        assert (part[1, 2] == rv.learning.observation(STATE, 1)[field.name]).all()
    SPEC.vector(STATE, 0, rows[0, 0])
    assert found["hands"][0, 0].any()


# ------------------------------------------------------------------------- the spec


def test_shapes_follow_from_the_rules_and_the_players() -> None:
    rules = rv.preset("rummy-500").with_options("BNV-01")
    again = rv.preset("rummy-500").with_options("BNV-01")
    for form in ("markov", RECALL):
        spec = rv.learning.observation_spec(rules, 4, form)
        assert rv.learning.observation_spec(rules, 4, form) is spec
        assert rv.learning.observation_spec(again, 4, form).fields == spec.fields
        assert rv.learning.observation_spec(again, 4, form) == spec
        assert pickle.loads(pickle.dumps(spec)) == spec  # noqa: S301 -- of our own
    fields = rv.learning.observation_spec(rules, 4).fields
    assert [one.start for one in fields[1:]] == [one.stop for one in fields[:-1]]
    assert fields[-1].stop == rv.learning.observation_spec(rules, 4).size
    assert all(one.doc.endswith(".") for one in fields)
    longer = rv.learning.observation_spec(rules, 4, RECALL, length=77)
    assert longer["history"].shape == (77,)
    assert longer.size == fields[-1].stop + 77 + 16
    assert longer.words[0] == ""
    assert len({*longer.words}) == len(longer.words) == longer["history"].high + 1
    assert repr(longer) == (
        f"<ObservationSpec of rummy-500 for 4, perfect recall, {longer.size} numbers>"
    )


@pytest.mark.parametrize(
    ("name", "players"),
    [("gin-rummy", 2), ("canasta", 4), ("shanghai-rummy", 3), ("indian-rummy", 3)],
)
def test_fields_that_are_asked_for_are_those_of_all(name: str, players: int) -> None:
    rules = rv.preset(name)
    every = rv.learning.observation_spec(rules, players, RECALL, length=LONG)
    names = [field.name for field in every.fields]
    few = [
        rv.learning.observation_spec(rules, players, RECALL, LONG, fields)
        for fields in (names[::2], names[1::2], *[[one] for one in names])
    ]
    for spec, one in zip(few[2:], names, strict=True):
        assert [field.name for field in spec.fields] == [one]
        assert spec[one].shape == every[one].shape
        assert spec.size == every[one].size
    for number, state in enumerate(played(rules, players, 6, 100)):
        if number % 10 == 0:
            seat = number // 10 % players
            whole = as_lists(every.observe(state, seat))
            for spec in few:
                found = as_lists(spec.observe(rv.view(state, seat)))
                assert [*found] == [one for one in names if one in found]
                assert found == {one: whole[one] for one in found}


def test_fields_may_be_named_in_any_order() -> None:
    few = rv.learning.observation_spec("rummy-500", 3, fields=["top", "hands", "top"])
    assert [field.name for field in few.fields] == ["hands", "top"]
    assert rv.learning.observation_spec("rummy-500", 3, fields={"hands", "top"}) is few
    assert few != SPEC
    assert pickle.loads(pickle.dumps(few)) == few  # noqa: S301 -- of our own


def test_the_words_of_the_past_spell_every_game_of_ours() -> None:
    """
    Letters are for what house rules name.
    """
    for name in rv.presets():
        rules = rv.preset(name)
        players = max(2, rules.match.players[0])
        spec = rv.learning.observation_spec(rules, players, RECALL, length=LONG)
        for state in played(rules, players, 9, 250):
            if state.is_round_over:
                told = as_lists(spec.observe(state, 0))["history"]
                words = {spec.words[one] for one in told}
                assert not [one for one in words if one.startswith("letter")]


# ---------------------------------------------------------------------------- errors


ERRORS = {
    "there is no form 'recall' of an observation: forms are 'markov' and 'perfect "
    "recall'": lambda: rv.learning.observation_spec("gin-rummy", 2, "recall"),
    "there is no form 7 of": lambda: rv.learning.observation(STATE, 1, form=7),
    "0 is no length: give a whole number of words from 1": lambda: (
        rv.learning.observation_spec("gin-rummy", 2, length=0)
    ),
    "gin-rummy is for 2 players, not 3": lambda: rv.learning.observation_spec(
        "gin-rummy", 3
    ),
    "'two' is no number of players": lambda: rv.learning.observation_spec(
        "gin-rummy", "two"
    ),
    "no preset 'gin'": lambda: rv.learning.observation_spec("gin", 2),
    "there is no seat 3; seats go from 0 to 2": lambda: rv.learning.observation(
        STATE, 3
    ),
    "there is no seat -1; seats": lambda: SPEC.vector(STATE, -1),
    "there is no seat True; seats": lambda: SPEC.vector(STATE, True),
    "there is no seat 'Ann'": lambda: SPEC.vector(STATE, "Ann"),
    "a state is observed by a seat: say which": lambda: rv.learning.observation(STATE),
    "a spectator has no hand to observe: give the view of a seat": (
        lambda: rv.learning.observation(rv.view(STATE))
    ),
    "the view is that of seat 1, not of seat 2": lambda: SPEC.vector(
        rv.view(STATE, 1), 2
    ),
    "the selection is that of seat 0, not of seat 2": lambda: SPEC.vector(
        rv.learning.encoding("rummy-500", 3).begin(STATE, 0), 2
    ),
    "'a view' cannot be observed: give a view, a selection or a state": (
        lambda: rv.learning.observation("a view")
    ),
    "7 cannot be observed": lambda: SPEC.vector(7, 1),
    "it observes games of 3, not of 2": lambda: SPEC.vector(
        rv.new_game("rummy-500", 2), 1
    ),
    "it observes games of rummy-500, not of basic-rummy": lambda: SPEC.vector(
        rv.new_game("basic-rummy", 3), 1
    ),
    "there is no field 'hand'; did you mean 'hands'?": lambda: SPEC["hand"],
    "there is no field 'histori'; did": lambda: rv.learning.observation_spec(
        "gin-rummy", 2, RECALL, fields=("hands", "histori")
    ),
    "there is no field 'history'": lambda: rv.learning.observation_spec(
        "gin-rummy", 2, fields=["history"]
    ),
    "fields cannot be 'hands': give the names of some, or None": (
        lambda: rv.learning.observation_spec("gin-rummy", 2, fields="hands")
    ),
    "fields cannot be []: give": lambda: rv.learning.observation_spec(
        "gin-rummy", 2, fields=[]
    ),
    "fields cannot be [7]: give": lambda: rv.learning.observation_spec(
        "gin-rummy", 2, fields=[7]
    ),
    "written into a list: give an array of shape": lambda: SPEC.vector(STATE, 1, []),
    "written into an array of shape (7,): give": lambda: SPEC.vector(
        STATE, 1, array.array("i", [0] * 7)
    ),
    "written into an array of the type 'b': give": lambda: SPEC.vector(
        STATE, 1, array.array("b", [0] * SPEC.size)
    ),
    "written into a bytes, which is read-only: give": lambda: SPEC.vector(
        STATE, 1, bytes(SPEC.size)
    ),
    f"an observation is a vector of {SPEC.size} numbers, not of shape (3,)": (
        lambda: SPEC.named([1, 2, 3])
    ),
    "the round so far takes 11 words, and the observation has room for 9: ask for a "
    "greater length": lambda: rv.learning.observation(STATE, 1, form=RECALL, length=9),
}


@pytest.mark.parametrize("message", ERRORS, ids=lambda one: one[:40])
def test_errors(message: str) -> None:
    with pytest.raises((rv.learning.ObservationError, rv.errors.RulesError)) as caught:
        ERRORS[message]()
    assert message in str(caught.value)


def test_errors_about_arrays_of_numpy() -> None:
    np = pytest.importorskip("numpy")
    whole = np.zeros(SPEC.size, np.float32)
    bad = {
        f"a numpy array of float32 and of shape (3, {SPEC.size}): give an array "
        f"of shape ({SPEC.size},) and of int32, int64, float32, float64": np.zeros(
            (3, SPEC.size), np.float32
        ),
        "a numpy array of int8 and": np.zeros(SPEC.size, np.int8),
        "a numpy array of object and": np.zeros(SPEC.size, object),
        "a read-only numpy array of float32 and": np.broadcast_to(whole[:1], SPEC.size),
    }
    for message, out in bad.items():
        with pytest.raises(rv.learning.ObservationError) as caught:
            SPEC.vector(STATE, 1, out)
        assert message in str(caught.value)
    with pytest.raises(rv.learning.ObservationError, match=r"not of shape \(2, 5\)"):
        SPEC.named(np.zeros((2, 5)))


def test_what_there_is_no_room_for() -> None:
    """
    It is refused, never left out.
    """
    view = rv.view(STATE, 0)
    chosen = attrs.evolve(
        rv.learning.encoding("rummy-500", 3).begin(view), indices=tuple(range(65))
    )
    with pytest.raises(
        rv.learning.ObservationError, match="65 indices have been chosen, and"
    ):
        SPEC.vector(chosen)
    (frame,) = STATE.frames
    deep = attrs.evolve(STATE, frames=(frame,) * 5)
    with pytest.raises(
        rv.learning.ObservationError, match="5 things are in progress at once"
    ):
        SPEC.vector(deep, 0)
    rich = attrs.evolve(STATE, match=attrs.evolve(STATE.match, scores=(0, 1 << 24, 0)))
    with pytest.raises(
        rv.learning.ObservationError, match="16777216 of the scores is too"
    ):
        SPEC.vector(rich, 0)
    many = attrs.evolve(STATE, table=(melded("7h 8h 9h"),) * 19)
    with pytest.raises(
        rv.learning.ObservationError, match=r"19 melds on the table, and .* 18"
    ):
        SPEC.vector(many, 0)
    strange = attrs.evolve(STATE, hands=(rv.Cards("*" * 1).bits, 0, 0))
    gin = rv.new_game("gin-rummy", 2, seed=1)
    odd = attrs.evolve(gin, hands=(strange._hands[0], 0))
    with pytest.raises(
        rv.learning.ObservationError, match=r"the observed game has no \*"
    ):
        rv.learning.observation(odd, 0)


def melded(cards: str) -> rv.melds.Meld:
    """
    A meld as it lies on the table.
    """
    state = rv.position(
        "rummy-500", hands={"N": "2c", "S": "3c"}, table=[f"N: {cards}"], fill=True
    )
    return state.table[0]


# -------------------------------------------------------------------- what cards count


@pytest.mark.parametrize(
    ("rules", "points"),
    [
        ("gin-rummy", {"Kd": 10, "Ad": 1, "7c": 7}),
        ("rummy-500", {"Kd": 10, "Ad": 15, "7c": 7, "*": 15}),
        (rv.preset("oklahoma-rummy").with_options("OKV-04"), {"Qs": 100, "*": 200}),
    ],
)
def test_what_a_card_counts(rules: Any, points: dict[str, int]) -> None:
    state = rv.new_game(rules, 2, seed=1)
    for seat in (None, 0, 1):
        view = rv.view(state, seat)
        for card, worth in points.items():
            assert view.points(card) == view.points(rv.Card(card)) == worth
    with pytest.raises(rv.errors.ParseError, match="'Zz' is not a card"):
        rv.view(state, 0).points("Zz")


@pytest.mark.parametrize(
    "name", ["rummy-500", "2500-house", "canasta", "oklahoma-rummy"]
)
def test_points_are_those_of_the_result(name: str) -> None:
    """
    Of cards left in hands, whoever they count for.
    """
    looked = 0
    for state in played(rv.preset(name), 2, 8, 700):
        if state.is_round_over and state.result.how != "drop":
            for item in state.result.items:
                if item.reason.startswith("left in the hand"):
                    points = rv.view(state, item.seat).points(item.card)
                    assert abs(item.points) == points
                    looked += 1
    assert looked


def test_deadwood() -> None:
    hand = "3c 4c 5c 5d 5h Kd Qd 9s 2h Ah"
    hands = {"N": hand, "S": "7c"}
    state = rv.position("gin-rummy", hands=hands, stock="2c 2d 9c", partial=True)
    view = rv.view(state, 0)
    assert str(view.deadwood) == "5d 9s Kd Qd".replace(
        "5d 9s Kd Qd", str(view.deadwood)
    )
    left = rv.solver.arrange_hand("gin-rummy", hand, "least points left")
    assert view.deadwood == left.left
    assert view.deadwood_points == left.points_left
    with pytest.raises(ValueError, match="a spectator has no hand, so no deadwood"):
        _ = rv.view(state).deadwood
    with pytest.raises(ValueError, match="a spectator has no hand"):
        _ = rv.view(state).deadwood_points


@pytest.mark.parametrize("name", ["gin-rummy", "three-thirteen", "indian-rummy"])
def test_deadwood_is_what_is_counted(name: str) -> None:
    """
    Of both hands after a knock, and of the others after a declaration.
    """
    counted = 0
    for seed in range(8):
        bots = [GreedyBot(), GreedyBot()]
        steps = play_on(rv.new_game(name, 2, seed=seed), bots)
        state = next(one.after for one in steps if one.after.is_round_over)
        result = state.result
        assert result is not None
        if result.how not in {"knock", "out"}:
            continue
        for seat in range(2):
            lines = [
                item
                for item in result.items
                if item.reason == f"unmatched in the hand of {state.players[seat]}"
                or (item.reason in {"unmatched", "left in the hand"})
                & (item.seat == seat)
            ]
            view = rv.view(state, seat)
            assert [*view.deadwood] == sorted(item.card for item in lines)
            assert view.deadwood_points == sum(abs(item.points) for item in lines)
            counted += len(lines)
    assert counted


# ---------------------------------------------------------------- forms for networks


@pytest.mark.parametrize("name", rest_is_slow(rv.presets(), 16))
def test_normalized_numbers_are_those_of_a_plain_twin(name: str) -> None:
    np = pytest.importorskip("numpy")
    rules = rv.preset(name)
    players = max(2, rules.match.players[0])
    spec = rv.learning.observation_spec(rules, players, normalized=True)
    whole = rv.learning.observation_spec(rules, players)
    encoding = rv.learning.encoding(rules, players)
    chance = random.Random(players)
    for number, state in enumerate(played(rules, players, players, 120)):
        if number % 20 or not state.to_act:
            continue
        at = encoding.begin(state, state.to_act[0])
        while isinstance(at, rv.learning.Selection):
            found = spec.vector(at)
            assert found.dtype == spec.dtype == "float32"
            assert 0 <= found.min() <= found.max() <= 1
            expected = normalized(whole, whole.vector(at))
            assert np.allclose(found, expected, rtol=0, atol=1e-6)
            at = encoding.decode(chance.choice(encoding.legal(at)), at)


def test_different_observations_differ_when_normalized() -> None:
    pytest.importorskip("numpy")
    for name in ("gin-rummy", "canasta", "rummy-5000"):
        players = max(2, rv.preset(name).match.players[0])
        spec = rv.learning.observation_spec(name, players, normalized=True)
        whole = rv.learning.observation_spec(name, players)
        states = [*played(rv.preset(name), players, 7, 200)]
        both = {
            (spec.vector(one, 0).tobytes(), whole.vector(one, 0).tobytes())
            for one in states
        }
        assert len({one for one, _ in both}) == len(both)
        assert len({one for _, one in both}) == len(both) > 100


def test_a_normalized_specification_says_what_its_numbers_are() -> None:
    np = pytest.importorskip("numpy")
    fields = ("scores", "deal", "pile", "chosen")
    spec = rv.learning.observation_spec(
        "oklahoma-gin", 2, fields=fields, normalized=True
    )
    assert {field.name: field.shape for field in spec.fields} == {
        "scores": (4, 2),
        "deal": (55,),
        "pile": (32, 52),
        "chosen": (68,),
    }
    assert (spec.fields[0].low, spec.fields[0].high) == (0, 1)
    assert spec["deal"].axes[0].labels[3:5] == (
        "card that began the discard pile: Ac",
        "card that began the discard pile: 2c",
    )
    state = rv.new_game("oklahoma-gin", 2, seed=3)
    found = spec.observe(state, seat=0)
    assert found["pile"].sum() == 1
    card = spec["pile"].axes[1].labels[int(np.flatnonzero(found["pile"][0])[0])]
    assert card == str(state.discards[-1])
    assert pickle.loads(pickle.dumps(spec)) == spec  # noqa: S301
    assert spec != rv.learning.observation_spec("oklahoma-gin", 2, fields=fields)
    out = np.zeros(spec.size)
    assert (spec.vector(state, 0, out) == spec.vector(state, 0)).all()
    assert spec.vector(state, 0, array.array("f", [0] * spec.size))[0] == 0.5


def test_what_cannot_be_normalized_or_told_is_refused() -> None:
    np = pytest.importorskip("numpy")
    spec = rv.learning.observation_spec("gin-rummy", 2, normalized=True)
    state = rv.new_game("gin-rummy", 2)
    with pytest.raises(rv.learning.ObservationError, match="and of float32, float64"):
        spec.vector(state, 0, np.zeros(spec.size, np.int32))
    with pytest.raises(rv.learning.ObservationError, match="perfect recall"):
        spec.tokens(state, 0)
    with pytest.raises(rv.learning.ObservationError, match="from `tokens`"):
        rv.learning.observation_spec("gin-rummy", 2, RECALL, normalized=True)
    with pytest.raises(rv.learning.ObservationError, match="give True or False"):
        rv.learning.observation_spec("gin-rummy", 2, normalized="yes")  # type: ignore[arg-type]


def test_tokens_are_the_past_without_zeros_and_without_a_limit() -> None:
    spec = rv.learning.observation_spec("rummy-500", 2, RECALL, length=1)
    state = [*played(rv.preset("rummy-500"), 2, 5, 40)][-1]
    longer = rv.learning.observation_spec("rummy-500", 2, RECALL, length=LONG)
    told = spec.tokens(state, 1)
    assert told == spec.tokens(rv.view(state, 1))
    history = longer["history"]
    past = list(longer.vector(state, 1))[history.start : history.stop]
    assert told == [one for one in past if one]
    assert max(told) < len(spec.words)
