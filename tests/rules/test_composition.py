"""Options put together at random, and what that found."""

from __future__ import annotations

import itertools
import random

from collections import Counter
from collections.abc import Callable

import pytest

import composition
import keeping
import naive_turns
import rummyvariants as rv

from amounts import rest_is_slow
from composition import Sample


pytestmark = pytest.mark.long


SETS = 200
AT_ONCE = 20
FIRST = 1_000_000
"""Seeds of their own: the long runs begin at 0."""


FOUND = {
    "a single wild is not built on where there are no sets": Sample(
        "2500-house", ("PGV-P13",), players=2, seed=1
    ),
    "three play alone where only four play in sides": Sample(
        "2500-house",
        values={"match.sides": "partners opposite if four", "match.target": 20},
    ),
    "two play alone where only four play in sides": Sample(
        "gin-rummy", values={"match.sides": "partners opposite if four"}, players=2
    ),
    "no wild makes a set of jokers that are not wild": Sample(
        "rummy-500",
        ("PGV-C4b",),
        {"wild.jokers": False, "deck.packs": 2, "deck.ranks": "89TJQ"},
        players=3,
        seed=6,
    ),
    "a card melded with the pile is not the one of its face in the pile": Sample(
        "canasta", (), {"deck.ranks": "26T9", "deal.hand_size": 5}, players=3, seed=6
    ),
}
"""The smallest game that showed each thing that the runs found."""


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_stays_mended(name: str) -> None:
    found = composition.try_out(FOUND[name])
    assert not found.failed, found.failed
    assert not found.refused


SPLITS = """
[rules]
extends = "2500-house"
with = ["PGV-C5", "PGV-P2b", "PGV-P6"]

[position]
seats = ["N", "S"]
dealer = "S"
turn = "N"
wild = "4"
stock = "9d"
discards = "5c Kc"
dealer_wild = "4h"
table = [
    "N: Qc Qc Qc Qd Qd Qd Qh Qh Qh Qs Qs Qs",
    "N: Jc Jc Jc Jd Jd Jd Jh Jh Jh Js Js Js",
    "N: Tc Tc Tc Td Td Td Th Th Th Ts Ts Ts",
]
hands = { N = "Kd Kh 3c 7d", S = "8c" }
"""


def test_splits_are_not_tried_in_every_order() -> None:
    """
    A set and P6: the king can be met, the five cannot, however sets are split.
    """
    state = rv.files.parse_scenario(SPLITS).start
    assert state is not None
    assert rv.check(state, "take 1")
    ruling = rv.check(state, "take 2")
    assert not ruling
    assert "PGV-P6" in ruling.cites


ANOTHERS_WILD = """
rules = { extends = "rummy-5000", wild = { indicator_stays = true } }

[position]
seats = ["N", "E", "S"]
dealer = "E"
turn = "N"
wild = "Q"
stock = "9d"
discards = "8h Jc"
dealer_wild = "Qh"
table = ["N: Kc Kd Ks"]
hands = { N = "Ac 2d 7s 8s Jh", E = "8c", S = "5c" }
"""


def test_anothers_single_wild_meets_no_duty() -> None:
    """
    Two eights make a set with a single wild, but for its owner only.
    """
    state = rv.files.parse_scenario(ANOTHERS_WILD).start
    assert state is not None
    assert not rv.check(state, "take 2")
    assert rv.actions.Take(2, 0) not in list(rv.legal_actions(state))
    assert not naive_turns.Judge(state).allows(state, rv.actions.Take(2, 0))


ONE_ON_A_WILD = """
[rules]
extends = "rummy-5000"
with = ["PGV-P2a"]
meld = { least_set = 2 }
layoff = { single_wilds = true }

[position]
seats = ["N", "S", "E"]
dealer = "S"
turn = "N"
phase = "play"
drawn = "stock 3c"
wild = "4"
table = ["N: Kc Kd Ks", "N: 4c"]
hands = { N = "Ad 3c 7s 9s", S = "8c", E = "8d" }
"""


def test_one_card_on_a_single_wild_keeps_the_limit() -> None:
    """
    Where sets have two cards, a natural one on a wild does not outnumber it.
    """
    state = rv.files.parse_scenario(ONE_ON_A_WILD).start
    assert state is not None
    ruling = rv.check(state, "lay Ad on 2")
    assert not ruling
    assert ruling.rule == "PGV-P2a"
    assert rv.actions.LayOff((rv.melds.Played("Ad"),), 2, None, 0) not in list(
        rv.legal_actions(state)
    )


def test_an_upcard_turned_up_on_a_black_three_is_offered() -> None:
    rules = rv.preset("gin-rummy").with_options("CAV-01")
    deck = [rv.Card(rank + suit) for rank in "3456789TJQKA2" for suit in "cdhs"]
    deck.insert(20, deck.pop(0))
    state = rv.game.deal(rv.game.begin(rules, 2, seed=1, dealer=0), deck=deck)
    assert (state.phase, [*map(str, state.discards)]) == ("offer", ["3c", "8d"])
    keeping.keeps(state, random.Random(1), phases={"offer"})
    with pytest.raises(rv.errors.PositionError, match="but for those on which another"):
        rv.position(
            rules,
            hands={"N": "4c 4d 4h", "S": "5c 5d 5h"},
            discards="3c 4s 8d",
            phase="offer",
            stock="Tc Td",
        )


def play(
    first: int,
    sets: int,
    sampler: Callable[[int], Sample] = composition.sample,
) -> Counter[str]:
    """
    Play so many sets.

    Returns:
        What came up in them.
    """
    marks: Counter[str] = Counter()
    played = 0
    for seed in itertools.count(first):
        found = composition.try_out(sampler(seed))
        if found.refused:
            marks["refused"] += 1
            continue
        assert not found.failed, f"{found.sample}\n{found.failed}"
        marks.update(found.marks)
        played += 1
        if played == sets:
            return marks
    raise AssertionError


@pytest.mark.parametrize("part", rest_is_slow(range(SETS // AT_ONCE), 4))
def test_options_compose(part: int) -> None:
    marks = play(FIRST + 1_000 * part, AT_ONCE)
    assert marks["over"] > 0
    assert marks["refused"]


@pytest.mark.parametrize("part", rest_is_slow(range(1, 5), 1))
def test_options_of_canasta_compose(part: int) -> None:
    """
    Part 0 is left out, because it alone takes a minute.
    """
    marks = play(3 * FIRST + 1_000 * part, AT_ONCE, composition.with_canasta)
    for kind in ("TakeAndMeld", "TakeAndLayOff", "LayOff"):
        assert marks[f"action {kind}"], f"no {kind} came up"
    assert marks["over"] > 0
    assert marks["refused"]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_more_options_compose(part: int) -> None:
    marks = play(2 * FIRST + 1_000 * part, 100)
    for kind in ("NewMeld", "LayOff", "CallRummy", "Swap", "Split", "PutWild"):
        assert marks[f"action {kind}"], f"no {kind} came up"
    for how in ("out", "stock", "idle"):
        assert marks[f"ended {how}"], f"no round ended {how}"


def test_a_refused_set_says_why() -> None:
    found = composition.try_out(Sample("george", ("PGV-P13",)))
    assert found.refused == "... and ... exclude each other"


def test_a_failure_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(game: Sample) -> composition.Found:
        bad = "PGV-P4" in game.options and game.players > 2
        return composition.Found(game, failed="so it is" if bad else "")

    monkeypatch.setattr(composition, "try_out", fail)
    given = Sample(
        "rummy-500", ("PGV-C5", "PGV-P4", "PGV-E3"), {"match.target": 50}, 6, 99
    )
    assert composition.shrink(given) == Sample("rummy-500", ("PGV-P4",), {}, 3, 0)
