"""
What playouts add to what was learned: the tool that looks at single decisions.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys

from collections import Counter

import pytest

import rummyvariants as rv
import trials

from rummyvariants.bots.search import Candidate


FIRST, SECOND = Candidate(rv.Draw(0)), Candidate(rv.Take(1, 0))
LEADS = [[4.0, 9.0], [6.0, 1.0], [5.0, -40.0], [5.0, -20.0]]


def trial(leads: list[list[float]], deal: int = 0) -> trials.Trial:
    ways = {"believed": leads, "at random": [[-1.0, -2.0]] * len(leads)}
    return trials.Trial(deal, "take", (FIRST, SECOND), ways, [7.0, 11.0])


def test_the_choice_is_valued_by_the_true_state():
    made = trial(LEADS)
    # Means of 5 with an error of 1, and of 5 with one of 4: the first comes first.
    assert made.gain("believed", 2) == 7.0
    assert made.gain("believed", 4) == 7.0
    assert made.gain("at random", 4) == 0.0
    assert trial([[0.0, 9.0], [0.0, 11.0]]).gain("believed", 2) == 11.0
    # An error as large as the mean is not enough.
    assert trial([[9.0, -1.0], [-1.0, -1.0]]).gain("believed", 2) == 0.0


def test_the_table_is_in_points_a_round_and_seat():
    asked = argparse.Namespace(deals=2, players=2, share=0.5, worlds=4)
    found = [trial(LEADS), trial([[-1.0, -2.0]] * 4, deal=1)]
    half = 1.96 * statistics.pstdev([7.0, 0.0]) * 2**0.5 / 2
    last = trials.table(found, asked).splitlines()[-1]
    assert last == f"| take | 2 | 4 | +3.5 ± {half:.1f} | +0.0 ± 0.0 |"


def test_the_same_seed_gives_the_same_trials():
    looking = trials.Looking("rummy-500", 2, 3, 0.3, 3, 2, "test")
    found = looking.trials(range(2))
    assert found
    assert {one.deal for one in found} <= {0, 1}
    assert {one.kind for one in found} == {"discard"}
    assert [*looking.trials(range(1)), *looking.trials(range(1, 2))] == found
    for one in found:
        assert {way: len(rows) for way, rows in one.leads.items()} == dict.fromkeys(
            trials.WAYS, 3
        )
        assert len(one.worth) == len(one.others)


def test_a_new_order_changes_the_stock_alone():
    state = rv.new_game("rummy-500", 2, seed=1)
    other = trials.in_new_order(state, random.Random(1))
    assert other.stock != state.stock
    assert Counter(other.stock) == Counter(state.stock)
    assert other.hands == state.hands
    assert other.discards == state.discards


def test_games_without_playouts_are_refused():
    with pytest.raises(ValueError, match="plays nothing out in gin-rummy with 2"):
        trials.known_of("gin-rummy", 2)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("--game rumy-500", "there is no preset 'rumy-500'; did you mean 'rummy-500'?"),
        ("--players 3", "strong plays nothing out in rummy-500 with 3 players"),
        ("--deals 0", "--deals has to be 1 at least"),
        ("--worlds 1", "--worlds has to be 2 at least"),
        ("--processes 0", "--processes has to be 1 at least"),
        ("--share 2", "--share has to be more than 0, and 1 at most"),
    ],
)
def test_bad_input_gets_one_sentence(monkeypatch, capsys, given, said):
    monkeypatch.setattr(sys, "argv", ["trials.py", *given.split()])
    with pytest.raises(SystemExit):
        trials.main()
    assert capsys.readouterr().err.splitlines()[-1] == f"trials.py: error: {said}"
