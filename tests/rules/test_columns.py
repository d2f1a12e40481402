"""
Scores kept in columns: whole matches counted again, and what reads and writes columns.
"""

from __future__ import annotations

import json
import random

from collections.abc import Sequence

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.bots import Bot, CarefulBot, GreedyBot, RandomBot, play_on
from rummyvariants.files._positions import read_position, write_position
from rummyvariants.rules.sheet import sheet
from rummyvariants.simulation.measures import measure
from rummyvariants.testing import check_ruleset, play_match


HOLLYWOOD = rv.preset("gin-rummy").with_options("GRV-09")
SPADES = HOLLYWOOD.with_options("GRV-05a", "GRV-05c")


def match(rules: rv.Ruleset, bots: Sequence[Bot], seed: int) -> list[rv.State]:
    """
    The states at the end of each round of a match.
    """
    state = rv.game.begin(rules, len(bots), seed=seed)
    ends = []
    for done in play_on(state, list(bots), seed):
        if done.after.is_round_over and not done.before.is_round_over:
            ends.append(done.after)
    return ends


@attrs.define
class Sheet:
    """
    A score sheet for two, kept by hand as the rules have it.
    """

    rows: list[list[tuple[int, int, int]]] = attrs.field(factory=lambda: [[], [], []])
    entered: list[int] = attrs.field(factory=lambda: [0, 0])

    def total(self, at: int, seat: int) -> int:
        return sum(points for who, points, _ in self.rows[at] if who == seat)

    def boxes(self, at: int, seat: int) -> int:
        return sum(box for who, _, box in self.rows[at] if who == seat)

    def is_won(self, at: int, target: int) -> bool:
        return max(self.total(at, 0), self.total(at, 1)) >= target

    def write(self, seat: int, points: int, box: int, target: int) -> None:
        """
        Enter a win: into the columns entered before, and one more.
        """
        open_ones = [at for at in range(3) if not self.is_won(at, target)]
        fresh = [
            at for at in open_ones if not any(who == seat for who, *_ in self.rows[at])
        ]
        for at in open_ones:
            if at not in fresh or at == fresh[0]:
                self.rows[at].append((seat, points, box))

    def final(self, at: int, seat: int, target: int) -> int:
        mine = self.total(at, seat)
        if not self.is_won(at, target):
            return mine
        mine += 25 * self.boxes(at, seat)
        if self.total(at, seat) >= target:
            mine += 100
            if not self.boxes(at, 1 - seat):
                mine *= 2
        return mine


@pytest.mark.parametrize("rules", [HOLLYWOOD, SPADES], ids=["plain", "spades"])
@pytest.mark.parametrize("seed", range(6))
def test_a_match_counted_again(rules: rv.Ruleset, seed: int) -> None:
    bots = [CarefulBot(), (CarefulBot(), GreedyBot(), RandomBot())[seed % 3]]
    paper = Sheet()
    for state in match(rules, bots, seed):
        points = state.result.points
        if any(points):
            winner = points.index(max(points))
            upcard = state.dealt.upcard
            twice = upcard is not None and upcard.suit == "s"
            paper.write(winner, points[winner], 2 if twice else 1, 100)
        for at, column in enumerate(state.columns):
            assert column.scores == (paper.total(at, 0), paper.total(at, 1))
            assert column.boxes == (paper.boxes(at, 0), paper.boxes(at, 1))
            assert bool(column.winners) == paper.is_won(at, 100)
            assert column.final_scores == tuple(
                paper.final(at, seat, 100) for seat in (0, 1)
            )
        sums = [sum(paper.final(at, seat, 100) for at in range(3)) for seat in (0, 1)]
        assert state.standing == state.final_scores == tuple(sums)
        over = all(paper.is_won(at, 100) for at in range(3))
        assert state.is_over == over
        if over:
            best = max(sums)
            assert state.winners == tuple(s for s in (0, 1) if sums[s] == best)
    assert state.is_over


def test_a_row_tells_the_points_that_decide_the_match() -> None:
    # In the first of these matches the winner has fewer points of hands.
    trailed = set()
    for row in rv.simulate(HOLLYWOOD, [CarefulBot()] * 2, games=3, seed=1):
        paper = Sheet()
        for one in row.rounds:
            if any(one.points):
                winner = one.points.index(max(one.points))
                paper.write(winner, max(one.points), 1, 100)
        sums = [sum(paper.final(at, seat, 100) for at in range(3)) for seat in (0, 1)]
        assert row.scores == tuple(sums)
        (won,) = row.winners
        assert measure("lead").of(row) == sums[won] - sums[1 - won] > 0
        hands = [sum(one.points[seat] for one in row.rounds) for seat in (0, 1)]
        trailed.add(hands[won] < hands[1 - won])
    assert trailed == {True, False}


def said(rules: rv.Ruleset) -> str:
    return " ".join(one.text for part in sheet(rules) for one in part.paragraphs)


def test_the_sheet_says_where_the_match_ends() -> None:
    until = "Rounds are played until somebody has 100 points"
    assert f"{until} in each of the three columns of the score." in said(HOLLYWOOD)
    assert "wins the column; the match is over with the last column" in said(HOLLYWOOD)
    plain = said(rv.preset("gin-rummy"))
    assert f"{until}." in plain
    assert "100 points or more, the match is over, and that player wins." in plain
    assert "column" not in plain


def test_a_shutout_comes_up_and_counts() -> None:
    found = 0
    for seed in range(8):
        state = match(HOLLYWOOD, [CarefulBot(), RandomBot()], seed)[-1]
        for column in state.columns:
            items = [one for one in column.bonuses if one.rule == "GR-14"]
            assert bool(items) == (0 in column.boxes)
            found += len(items)
    assert found


@pytest.mark.long
def test_all_that_must_hold_holds_of_columns() -> None:
    check_ruleset(HOLLYWOOD, matches=1)
    # Where all may score in a round, and several play.
    rules = rv.preset("rummy-500").with_values(
        {"match.columns": 2, "match.target": 60, "match.box_bonus": 5}
    )
    state = play_match(rules, 3, 1, 3_000, every=400)
    assert state.is_over
    assert state.final_scores[state.winners[0]] == max(state.final_scores)
    low = rv.preset("basic-rummy").with_options("BAS-09")
    low = low.with_values({"match.columns": 2, "match.target": 40})
    state = play_match(low, 2, 1, 3_000, every=400)
    assert state.is_over
    assert state.final_scores[state.winners[0]] == min(state.final_scores)


def test_the_last_round_ends_all_columns() -> None:
    rules = HOLLYWOOD.with_options("R5V-43=3")
    ends = match(rules, [CarefulBot(), CarefulBot()], 2)
    assert len(ends) == 3
    assert ends[-1].is_over
    assert all(column.winners for column in ends[-1].columns)


def test_columns_are_written_and_read() -> None:
    ends = match(HOLLYWOOD, [CarefulBot(), CarefulBot()], 5)
    some = next(one for one in ends if any(column.winners for column in one.columns))
    for state in (ends[0], some, rv.game.deal(some), ends[-1]):
        assert rv.files.from_json(rv.files.to_json(state), rv.State) == state
        for seat in (None, 0, 1):
            view = rv.view(state, seat)
            assert view.columns == state.columns
            assert rv.files.from_json(rv.files.to_json(view), rv.View) == view
        assert rv.replay(rv.files.Record.parse(str(rv.record(state)))) == state
    dealt = rv.game.deal(some)
    again = read_position(write_position(dealt), dealt.rules)
    assert again.columns == dealt.columns


def test_what_a_document_leaves_out_is_as_at_the_beginning() -> None:
    state = rv.new_game(HOLLYWOOD, 2, seed=1)
    document = json.loads(
        rv.files.to_json(rv.determinize(rv.view(state), random.Random(1)))
    )
    for key in ("boxes", "columns"):
        document.pop(key, None)
    again = rv.files.from_json(json.dumps(document), rv.State)
    assert (again.boxes, again.columns) == (state.boxes, state.columns)


def test_what_is_wrong_with_columns_is_reported() -> None:
    state = rv.game.deal(match(HOLLYWOOD, [CarefulBot(), CarefulBot()], 5)[-2])
    document = json.loads(rv.files.to_json(rv.view(state, 0)))
    for change, problem in (
        (lambda one: one["columns"].pop(), "in 3 columns, not 2"),
        (lambda one: one["columns"][0]["scores"].pop(), r"columns\[0\].scores"),
        (lambda one: one["columns"][2].update(winners=[0]), "all columns are won"),
        (lambda one: one["columns"][2].update(winners=[7]), "there is no seat 7"),
        (
            lambda one: one["columns"][2].update(bonuses=one["columns"][0]["bonuses"]),
            "nobody has won the column",
        ),
    ):
        wrong = json.loads(json.dumps(document))
        change(wrong)
        with pytest.raises(rv.RummyError, match=problem):
            rv.files.from_json(json.dumps(wrong), rv.View)
    table = write_position(state)
    for columns_given, problem in (
        ([{}], "columns: the score is kept in 3 columns, not 1"),
        ([{}, {}, 5], "columns, 3: give a table"),
        ([{"score": {}}, {}, {}], "did you mean 'scores'"),
        (
            [{"boxes": {"player 0": -1}}, {}, {}],
            "columns, 1, boxes.player 0: give",
        ),
        ([{"winners": ["Bo"]}, {}, {}], "columns, 1, winners: there is no seat"),
    ):
        with pytest.raises(rv.errors.PositionError, match=problem):
            read_position({**table, "columns": columns_given}, state.rules)
    plain = rv.preset("gin-rummy")
    with pytest.raises(rv.errors.PositionError, match="there is only one"):
        read_position(table, plain)


def test_one_column_is_no_column() -> None:
    state = rv.new_game("gin-rummy", 2)
    assert state.columns == ()
    assert rv.view(state, 0).columns == ()
    with pytest.raises(rv.errors.RulesError, match=r"match.columns"):
        rv.preset("gin-rummy").with_values({"match.columns": 0})
    ends = rv.playout(rv.new_game(HOLLYWOOD, 2, seed=1), random.Random(1).randrange)
    assert len(ends.columns) == 3
