"""Actions chosen step by step: what is legal, all of it, and nothing else."""

from __future__ import annotations

import itertools
import random

from collections import Counter
from collections.abc import Iterator

import pytest

import composition
import rummyvariants as rv

from amounts import every_so_many, every_third
from choosing import look_at_some
from rummyvariants.melds._looks import melds_in
from rummyvariants.melds.shapes._shapes import apart
from tiny_decks import TinyDeck, tiny_decks, walk
from tiny_options import tiny_options
from walks import states


def ends(chooser: rv.game.Chooser) -> Iterator[rv.game.Chooser]:
    """
    Every way to choose to the end.
    """
    if chooser.is_complete:
        assert not chooser.choices
        yield chooser
        return
    texts = [str(one) for one in chooser.choices]
    assert len(set(texts)) == len(texts), texts
    assert 0 < len(texts) <= rv.game.MOST_CHOICES, f"a dead end: {chooser}"
    for choice in chooser.choices:
        yield from ends(chooser.choose(choice))


def look(state: rv.State, actions: list[rv.Action]) -> None:
    """
    Assert that just what is listed can be chosen, each in one way.
    """
    start = rv.chooser(state)
    if not actions:
        assert not start.choices
        assert not start.is_complete
        return
    found = Counter(one.action for one in ends(start))
    assert set(found) == set(actions)
    assert max(found.values()) == 1


DECKS = (*tiny_decks(), *tiny_options())


@pytest.mark.long
@pytest.mark.parametrize(("deck", "every"), every_so_many(DECKS, 4, big=False))
def test_tiny_decks(deck: TinyDeck, every: int) -> None:
    walk(deck, lambda at, state, actions: None if at % every else look(state, actions))


@pytest.mark.slow
@pytest.mark.parametrize(("deck", "every"), every_so_many(DECKS, 1, big=True))
def test_every_state_of_the_tiny_decks(deck: TinyDeck, every: int) -> None:
    walk(deck, lambda at, state, actions: None if at % every else look(state, actions))


# ------------------------------------------------------------------------ bigger games


@pytest.mark.parametrize("base", every_third(rv.presets()))
@pytest.mark.parametrize("options", [(), ("PGV-P4", "PGV-C4b"), ("PGV-P6", "PGV-C2a")])
def test_presets(base: str, options: tuple[str, ...]) -> None:
    game = composition.Sample(base, options, players=4, seed=7)
    chance = random.Random(1)
    for number, state in enumerate(states(game, 250)):
        if number % 10 == 0:
            look_at_some(state, chance)


def _look_at_games(seeds: range, most: int) -> Counter[str]:
    looked: Counter[str] = Counter()
    for seed in seeds:
        chance = random.Random(seed)
        for state in states(composition.sample(seed), 120):
            actions = list(itertools.islice(rv.legal_actions(state), most + 1))
            if len(actions) <= most:
                look(state, actions)
            else:
                look_at_some(state, chance)
            looked[state.phase] += 1
    return looked


def test_random_games() -> None:
    looked = _look_at_games(range(3_000_000, 3_000_090), 60)
    assert looked.total() > 1_500
    assert {"draw", "play", "call", "discard"} <= set(looked)


@pytest.mark.slow
def test_many_random_games() -> None:
    looked = _look_at_games(range(4_000_000, 4_000_300), 400)
    assert set(looked) == {"draw", "play", "call", "discard", "choose"}


# ----------------------------------------------------------------------- how it works


TABLE = """
rules = "rummy-500"

[position]
seats = ["N", "S"]
dealer = "S"
turn = "N"
phase = "play"
drawn = "stock Kc"
stock = "9d 9c"
discards = "5c"
table = ["S: 4h *=5h 6h"]
hands = { N = "7h 7d 7s * Kc", S = "8c" }
"""


def table() -> rv.State:
    state = rv.files.parse_scenario(TABLE).start
    assert state is not None
    return state


def test_what_is_chosen_step_by_step() -> None:
    chooser = rv.chooser(table())
    assert [str(one) for one in chooser.choices] == ["meld", "lay", "discard"]
    chooser = chooser.choose("lay", "on 1", "from 4h")
    assert [str(one) for one in chooser.choices] == ["to 7h", "to 8h"]
    chooser = chooser.choose("to 8h")
    assert chooser.is_complete
    assert str(chooser.action) == "lay 7h *=8h on 1"
    assert [str(one) for one in chooser.taken] == ["lay", "on 1", "from 4h", "to 8h"]


def test_texts_and_choices_are_taken_alike() -> None:
    chooser = rv.chooser(table())
    (choice,) = (one for one in chooser.choices if one.text == "meld")
    assert chooser.choose(choice) == chooser.choose("Meld ") == chooser.choose("meld")
    assert hash(chooser.choose(choice)) == hash(chooser.choose("meld"))
    assert chooser.choose("meld") != chooser.choose("lay")
    assert repr(choice) == "<Choice 'meld'>"


def test_a_chooser_tells_where_it_is() -> None:
    chooser = rv.chooser(table())
    assert repr(chooser) == "<Chooser: nothing yet; meld, lay, discard>"
    done = chooser.choose("discard", "Kc")
    assert repr(done) == "<Chooser: discard / Kc: discard Kc>"
    assert chooser.action is None


def test_an_unknown_choice_names_the_nearest() -> None:
    chooser = rv.chooser(table())
    with pytest.raises(rv.game.ChoiceError, match="did you mean 'discard'"):
        chooser.choose("discrad")
    with pytest.raises(rv.game.ChoiceError, match="the known ones are"):
        chooser.choose("xyz")
    with pytest.raises(rv.game.ChoiceError, match="cannot be chosen"):
        chooser.choose("lay", "on 2")


def test_nothing_is_chosen_after_the_end() -> None:
    done = rv.chooser(table()).choose("discard", "Kc")
    with pytest.raises(rv.game.ChoiceError, match="'discard Kc' is complete"):
        done.choose("Kc")


def test_nobody_else_chooses() -> None:
    chooser = rv.chooser(table(), seat=1)
    assert chooser.choices == ()
    assert not chooser.is_complete
    with pytest.raises(rv.game.ChoiceError, match="nobody may act"):
        chooser.choose("draw")


CALL = """
rules = "rummy-500"

[position]
seats = ["N", "S", "E"]
dealer = "S"
turn = "E"
phase = "call"
stock = "9d 9c"
discards = "5c 7h"
table = ["S: 4h 5h 6h"]
hands = { N = "7d Kc", S = "8c", E = "8d" }
"""


def test_where_several_may_act_the_seat_is_chosen_first() -> None:
    state = rv.files.parse_scenario(CALL).start
    assert state is not None
    chooser = rv.chooser(state)
    assert [str(one) for one in chooser.choices] == [f"seat {s}" for s in state.to_act]
    seat = state.to_act[0]
    called = chooser.choose(f"seat {seat}", "rummy", "on 1")
    alone = rv.chooser(state, seat).choose("rummy", "on 1")
    look(state, list(rv.legal_actions(state)))
    assert [str(one) for one in called.choices] == [str(one) for one in alone.choices]


def test_many_numbers_are_chosen_by_ranges() -> None:
    """
    A pile of more cards than choices may be offered at once.
    """
    pile = " ".join(f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "cdhs")
    state = rv.files.parse_scenario(f"""
rules = {{ extends = "rummy-500", deck = {{ packs = 2 }} }}

[position]
seats = ["N", "S"]
dealer = "S"
turn = "N"
phase = "draw"
discards = "{pile} {pile[:60]}"
stock = "Kd"
hands = {{ N = "Kh Ks Kc", S = "Qs" }}
""").start
    assert state is not None
    takes = [one for one in rv.legal_actions(state) if isinstance(one, rv.actions.Take)]
    assert len(takes) > rv.game.MOST_CHOICES
    chooser = rv.chooser(state).choose("take")
    assert [one.kind for one in chooser.choices] == ["numbers"] * 2
    look(state, list(rv.legal_actions(state)))


@pytest.mark.parametrize("seed", range(200))
def test_wilds_are_arranged_as_they_are_listed(seed: int) -> None:
    """
    The same places as by trying all orders, and without trying them.
    """
    chance = random.Random(seed)
    number = chance.randint(1, 5)
    wilds = tuple(sorted(chance.choices(range(1, 6), k=number)))
    targets = tuple(chance.sample(range(1, 8), number))
    slowly = next(
        (
            order
            for order in itertools.permutations(wilds)
            if all(wild != at for wild, at in zip(order, targets, strict=True))
        ),
        None,
    )
    if slowly is not None:
        assert apart(wilds, targets) == slowly


def test_as_many_ways_to_fill_a_run_as_are_listed() -> None:
    """
    A run with many wilds, one of them in its own place.
    """
    rules = rv.preset("rummy-500").with_options("PGV-C2a", "PGV-C4b")
    state = rv.files.parse_scenario("""
rules = { extends = "rummy-500", with = ["PGV-C2a", "PGV-C4b"] }

[position]
seats = ["N", "S"]
dealer = "S"
turn = "N"
phase = "play"
drawn = "stock Kc"
stock = "9d"
hands = { N = "2h 3h 4h 5h 2c 2d Th * Kc Kd Ks", S = "Qs" }
""").start
    assert state is not None
    assert state.rules == rules
    terms = state.dealt.terms
    run = {rv.melds.Place(one) for one in ["2h", "3h", "4h", "5h", "6h"]}
    listed = {
        one.cards
        for one in melds_in(terms, state.hands[0].bits)
        if {rv.melds.Place(str(card.stands_for or card.card)) for card in one.cards}
        == run
    }
    chooser = rv.chooser(state).choose("meld", "run of h", "from 2h", "to 6h")
    assert {one.action.cards for one in ends(chooser)} == listed


def test_the_verbs_are_the_kinds_that_are_counted() -> None:
    state = table()
    moves = rv.legal_actions(state)
    counts = moves.count_by_kind()
    assert counts == {"meld": 8, "lay": 5, "discard": 5}
    assert sum(counts.values()) == len(moves)
    assert list(counts) == [str(one) for one in rv.chooser(state).choices]
    assert rv.legal_actions(state, seat=1).count_by_kind() == {}
