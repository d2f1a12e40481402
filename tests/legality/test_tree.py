"""One tree of choices: list, samples and choosers walk it, and verbs grow it."""

from __future__ import annotations

import gc
import itertools
import random

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

import attrs
import pytest

from syrupy.assertion import SnapshotAssertion

import rummyvariants as rv

from perft import Entry, entries
from rummyvariants._patterns import NUMBER, Pattern
from rummyvariants.game import _moves as moves
from rummyvariants.game._engine import game
from rummyvariants.game._engine.plays import Play, plan, plan_legal
from rummyvariants.game.verbs import _known as verbs
from rummyvariants.game.verbs._verb import Verb
from rummyvariants.melds._choices import for_number
from rummyvariants.melds._tree import Branches, Fork, descend, leaves
from test_chooser import table
from test_readings import with_masks


ENTRIES = [pytest.param(entry, id=entry.name) for entry in entries()]

# -------------------------------------------------------------------------- the walks


def tree(branches: Any) -> Any:
    """
    A tree of nested lists, with numbers as leaves.
    """
    if not isinstance(branches, list):
        return branches
    return Branches(branches, tree, for_number)


def test_all_leaves_come_in_order() -> None:
    assert list(leaves(tree([1, [], [2, [None, 3]], None, [[4]]]))) == [1, 2, 3, 4]
    assert list(leaves(7)) == [7]
    assert list(leaves(None)) == []


def test_each_branch_with_a_leaf_is_as_likely_as_another() -> None:
    chance = random.Random(1)
    branches = tree([1, None, [2, [3, None, []], 4], [None, []]])
    found = Counter(descend(branches, chance.randrange, [99]) for _ in range(12_000))
    assert set(found) == {1, 2, 3, 4}
    assert found[1] == pytest.approx(6_000, abs=250)
    for leaf in (2, 3, 4):
        assert found[leaf] == pytest.approx(2_000, abs=200)


def test_a_descent_ends_after_so_many_dead_ends() -> None:
    looked: list[int] = []

    def dead(number: int) -> None:
        looked.append(number)

    assert descend(Branches(range(50), dead, for_number), lambda _: 0, [4]) is None
    assert len(looked) == 4


# ------------------------------------------------------------------------ one action


def test_a_sample_takes_each_verb_as_often_as_another() -> None:
    state = table()
    chance = random.Random(1)
    actions = rv.legal_actions(state)
    found = Counter(actions.sample(chance.randrange) for _ in range(6_000))
    assert set(found) == set(actions)
    verbs = Counter[str]()
    for action, number in found.items():
        verbs[str(action).partition(" ")[0]] += number
    for verb in ("meld", "lay", "discard"):
        assert verbs[verb] == pytest.approx(2_000, abs=160)


def walked(node: Any) -> Iterator[Any]:
    """
    The leaves of a tree, of which nothing is taken that a fork knows at once.
    """
    if isinstance(node, Fork):
        for option in node.options:
            yield from walked(node.go(option))
    elif node is not None:
        yield node


@pytest.mark.parametrize("name", rv.presets())
def test_what_forks_know_at_once_is_what_a_walk_finds(name: str) -> None:
    chance = random.Random(1)
    state = rv.new_game(name, rv.preset(name).match.players[-1], seed=1)
    for _ in range(80):
        if state.is_over:
            state = rv.new_game(name, len(state.players), seed=2)
        if state.phase == "deal":
            state = rv.game.deal(state)
        actions = rv.legal_actions(state)
        trees = [verbs.tree_of(state, seat) for seat in state.to_act]
        found = [action for one in trees for action, _ in walked(one)]
        assert Counter(found) == Counter(actions)
        state = rv.apply(state, actions.sample(chance.randrange))


@pytest.mark.long
@pytest.mark.parametrize("name", rv.presets())
def test_what_was_offered_keeps_no_state_alive(name: str) -> None:
    """
    Closures that refer to themselves did, until the garbage collector came by.
    """
    chance = random.Random(1)
    state = rv.new_game(name, rv.preset(name).match.players[0], seed=1)
    gc.collect()
    gc.disable()
    try:
        for number in range(60):
            if state.is_over:
                state = rv.new_game(name, len(state.players), seed=2)
            if state.phase == "deal":
                state = rv.game.deal(state)
            actions = rv.legal_actions(state)
            one = actions.choice if number % 2 else actions.sample
            state = rv.apply(state, one(chance.randrange))
            rv.chooser(state)
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        assert not [one for one in gc.garbage if isinstance(one, rv.State)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def test_a_choice_takes_each_action_as_often_as_another() -> None:
    state = table()
    chance = random.Random(1)
    actions = rv.legal_actions(state)
    found = Counter(actions.choice(chance.randrange) for _ in range(6_000))
    assert set(found) == set(actions)
    for number in found.values():
        assert number == pytest.approx(6_000 / len(actions), abs=80)
    with pytest.raises(ValueError, match="nothing may be done"):
        rv.legal_actions(state, seat=1).choice(chance.randrange)


def test_what_was_offered_is_not_asked_about_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def asked(_: rv.State, action: rv.Action) -> None:
        pytest.fail(f"{action} is asked about")

    state = table()
    plain = {action: rv.apply(state, action) for action in rv.legal_actions(state)}
    monkeypatch.setattr(game, "planned", asked)
    for action in rv.legal_actions(state):
        assert rv.apply(state, action) == plain[action]
    sampled = rv.legal_actions(state).sample(random.Random(1).randrange)
    assert rv.apply(state, sampled) == plain[sampled]


@pytest.mark.parametrize("name", rv.presets())
def test_a_play_that_was_offered_does_what_it_does_when_it_is_read(name: str) -> None:
    chance = random.Random(name)
    state = rv.new_game(name, rv.preset(name).match.players[0], seed=1)
    compared = 0
    for _ in range(300):
        if state.phase == "deal":
            state = rv.game.deal(state)
        terms = state.dealt.terms
        for seat in state.to_act:
            for action, used in moves.leaves_of(state, seat):
                if (
                    isinstance(action, (rv.actions.NewMeld, rv.actions.LayOff))
                    and type(used) is int
                ):
                    terms.melds.clear()
                    offered = plan_legal(state, seat, action, used)
                    terms.melds.clear()
                    read = plan(state, seat, action)
                    assert isinstance(offered, Play)
                    assert offered == read
                    assert with_masks(offered.after) == with_masks(read.after)
                    compared += 1
        actions = rv.legal_actions(state)
        state = rv.apply(state, actions.choice(chance.randrange))
        if state.is_over:
            break
    # In some games every play is worked out when it is listed.
    assert compared > 50 or name not in {"rummy-500", "rummy-5000", "basic-rummy"}


# -------------------------------------------------------------------------- the verbs


@attrs.frozen(eq=False, repr=False)
class Wave(rv.Action):
    """
    An action that the library does not know: a number of fingers is shown.
    """

    patterns: ClassVar = (Pattern("wave {fingers}", fingers=NUMBER),)

    fingers: int
    seat: int | None = None


class Waving(Verb):
    """
    A kind of action that costs a turn's progress.
    """

    kind = Wave
    phases = ("play",)
    permitted_by = ("RV-07", "hands are free")

    def exists(self, rules: rv.Ruleset) -> bool:
        return rules.base == "rummy-500"

    def offer(self, state: Any, seat: int) -> Fork:
        del state
        return Branches(
            range(1, 6), lambda number: (Wave(number, seat), None), for_number
        )

    def perform(self, draft: Any, action: Wave, plan: None, log: Any) -> None:
        del action, plan, log
        draft.idle += 1


@pytest.fixture
def with_waves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(verbs.VERBS, Wave, Waving())
    monkeypatch.setattr(verbs, "_ways", verbs._ways.__wrapped__)


@pytest.mark.usefixtures("with_waves")
def test_a_new_kind_of_action_is_offered_by_its_entry_alone() -> None:
    start = table()
    # Rules that nobody asked before.
    rules = start.rules.with_values({"match.target": 7_000})
    state = attrs.evolve(start, match=attrs.evolve(start.match, rules=rules))
    actions = rv.legal_actions(state)
    waves = [action for action in actions if isinstance(action, Wave)]
    assert waves == [Wave(number, 0) for number in range(1, 6)]
    assert actions.count_by_kind()["wave"] == 5
    assert Wave(3, 0) in actions
    chance = random.Random(1)
    assert {actions.sample(chance.randrange) for _ in range(600)} == set(actions)
    done = rv.chooser(state).choose("wave", "3")
    assert done.action == Wave(3, 0)
    assert rv.apply(state, done.action).idle == state.idle + 1
    draws = rv.new_game(rv.preset("rummy-500"), players=2, seed=1)
    assert "wave" not in rv.legal_actions(draws).count_by_kind()


# ----------------------------------------------------------------- the paths to actions


Paths = list[int]
"""How many paths end after one choice, after two, and so on."""


def paths(chooser: rv.game.Chooser) -> Paths:
    """
    The paths that go on from a chooser to an action.
    """
    if chooser.is_complete:
        return []
    found = [0]
    for choice in chooser.choices:
        after = chooser.choose(choice)
        found[0] += after.is_complete
        found = added([found, [0, *paths(after)]])
    return found


def added(several: Iterable[Paths]) -> Paths:
    """
    Several counts of paths together.
    """
    return [sum(one) for one in itertools.zip_longest(*several, fillvalue=0)]


def counted(entry: Entry) -> list[Paths]:
    """
    The paths from the start of an entry, and those from all states one action later.
    """
    start = entry.start()
    after = (rv.apply(start, action) for action in rv.legal_actions(start))
    return [paths(rv.chooser(start)), added(paths(rv.chooser(one)) for one in after)]


@pytest.mark.parametrize("entry", ENTRIES)
def test_paths(entry: Entry, snapshot: SnapshotAssertion) -> None:
    """
    As many as there were, by the number of choices, and one for each action.
    """
    now = counted(entry)
    assert str(now) == snapshot
    assert tuple(map(sum, now)) == entry.counts[:2]
