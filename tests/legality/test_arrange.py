"""The best arrangement of a hand: against trying everything, and played by `apply`."""

from __future__ import annotations

import itertools
import random

from collections import Counter

import attrs
import pytest

import arranging
import rummyvariants as rv
import wild_limits

from amounts import every_third
from rummyvariants.files._positions import read_position
from rummyvariants.melds.cover import _runs as runs
from rummyvariants.melds.shapes._filling import Limit
from rummyvariants.rules import _ruleset
from rummyvariants.solver import GOALS, ArrangeError
from rummyvariants.solver._goals import LIMIT


def shown(found: rv.solver.Arrangement) -> str:
    return "; ".join(map(str, found.actions))


# ------------------------------------------------------------------------- examples


def test_the_goals_differ():
    hand = "As 2s 3s Ac Ad Kd Qd"
    most = rv.solver.arrange_hand("rummy-500", hand)
    assert (shown(most), most.points) == ("meld Ac Ad As", 45)
    fewest = rv.solver.arrange_hand("rummy-500", hand, "least cards left")
    assert shown(fewest) == "meld Qd Kd Ad; meld As 2s 3s"
    assert (fewest.points, fewest.cards_left) == (41, 1)


def test_a_wild_takes_the_place_of_a_card_that_is_worth_less():
    found = rv.solver.arrange_hand("rummy-500", "2c 2d 2h 2s *")
    assert found.points == 21
    assert found.points_left == 2
    assert found.exact


def test_real_cards_beside_own_wilds():
    rules = rv.preset("rummy-500").with_values({"wild.real_card": "beside"})
    found = rv.solver.arrange_hand(rules, "8c 8d 8h 8s *")
    assert shown(found) == "meld 8c 8d 8h *=8s; lay 8s on 1"
    assert found.cards_left == 0
    assert [len(meld.cards) for meld in found.melds] == [5]


def test_a_first_meld_is_natural_and_may_be_added_to():
    rules = rv.preset("rummy-500").with_values({"meld.first_natural": True})
    assert rv.solver.arrange_hand(rules, "8c 8d *").actions == ()
    found = rv.solver.arrange_hand(rules, "8c 8d 8h *")
    assert shown(found) == "meld 8c 8d 8h; lay *=8s on 1"


def test_single_wilds_go_down_with_a_meld():
    found = rv.solver.arrange_hand("2500-house", "Kc Kd Kh 6c 6d 6h", wild_rank="6")
    assert found.cards_left == 0
    assert rv.solver.arrange_hand("2500-house", "Kc Kd 6c", wild_rank="6").actions == ()


def test_wilds_alone_are_a_meld_where_one_stands_for_itself():
    found = rv.solver.arrange_hand("rummy-5000", "6c 6d 6h", wild_rank="6")
    assert found.cards_left == 0
    assert rv.solver.arrange_hand("rummy-500", "* * *", players=5).cards_left == 3


def test_out_asks_for_the_last_discard_of_the_rules():
    assert rv.solver.arrange_hand("rummy-500", "8c 8d 8h", "out").goes_out
    # Who melds all floats; the last card must be discarded, and must fit nothing.
    stuck = rv.solver.arrange_hand("rummy-5000", "8c 8d 8h 8s", "out")
    assert (stuck.goes_out, stuck.cards_left) == (False, 0)
    out = rv.solver.arrange_hand("rummy-5000", "8c 8d 8h Ks", "out")
    assert (out.goes_out, str(out.left)) == (True, "Ks")
    # Whichever card is kept, it fits what the others make, but for one of the ends.
    kept = rv.solver.arrange_hand("rummy-5000", "8c 8d 8h 9h Th Jh 7h", "out")
    assert shown(kept) == "meld 8c 8d 8h; meld 9h Th Jh"
    assert (kept.goes_out, str(kept.left)) == (True, "7h")


@pytest.mark.parametrize("goal", ["most point", "outt", "least card left"])
def test_a_goal_that_nobody_knows_is_refused(goal):
    with pytest.raises(ArrangeError, match="did you mean"):
        rv.solver.arrange_hand("rummy-500", "8c", goal)


def test_bad_questions_are_refused():
    with pytest.raises(ArrangeError, match="is for 2 to 8 players, not 9"):
        rv.solver.arrange_hand("rummy-500", "8c", players=9)
    with pytest.raises(ArrangeError, match="is not a rank"):
        rv.solver.arrange_hand("rummy-500", "8c", wild_rank="X")
    with pytest.raises(rv.errors.ParseError):
        rv.solver.arrange_hand("rummy-500", "8y")
    with pytest.raises(ArrangeError, match="counts 7 of one face at most"):
        rv.solver.arrange_hand("rummy-500", "8c " * 8)
    with pytest.raises(rv.errors.RulesError):
        rv.solver.arrange_hand("rummy-501", "8c")
    state = rv.new_game("rummy-500", 3, seed=1)
    with pytest.raises(ArrangeError, match="there is no seat 3"):
        rv.arrange(state, 3)


def test_any_seat_may_be_asked_for():
    state = rv.new_game("rummy-500", 3, seed=4)
    for seat in range(3):
        for goal in GOALS:
            found = rv.arrange(state, seat, goal)
            alone = rv.solver.arrange_hand(
                state.rules, state.hands[seat], goal, players=3
            )
            assert (found.points, found.left) == (alone.points, alone.left)


def test_a_limit_below_nothing_is_refused():
    state = rv.new_game("rummy-500", 3, seed=1)
    with pytest.raises(ArrangeError, match="limit is -1, but cannot be negative"):
        rv.solver.arrange_hand("rummy-500", "8c", limit=-1)
    with pytest.raises(ArrangeError, match="limit is -1, but cannot be negative"):
        rv.arrange(state, 0, limit=-1)


@rv.house.register_rule("meld", "short runs, no sevens")
@attrs.frozen
class NoSevens(rv.house.HouseRule):
    """
    There is no set of sevens, and no run of more than four.
    """

    def allows_meld(self, meld: rv.melds.Meld) -> bool:
        return meld.rank != "7" and not (meld.kind == "run" and len(meld) > 4)


def test_a_rule_that_limits_melds_is_asked():
    rules = rv.preset("rummy-500").with_values({"meld.rules": [NoSevens()]})
    found = rv.solver.arrange_hand(
        rules, "7c 7d 7h 8h 9h Th Jh Qh *", "least cards left"
    )
    assert found.exact
    assert str(found.left) == "7c 7d"
    assert max(len(meld) for meld in found.melds) <= 4
    natural = rules.with_values({"meld.first_natural": True})
    assert rv.solver.arrange_hand(natural, "7c 7d 7h 8h *").actions == ()
    assert shown(rv.solver.arrange_hand(natural, "6h 7h 8h Kc Kd *")) == (
        "meld 6h 7h 8h; meld Kc Kd *=Kh"
    )


# ------------------------------------------------------------------------- the limit


def test_a_limit_gives_a_bound():
    hand = rv.Cards("4c 4d 4h 5c 5d 5h 6c 6d 6h 7c 7d 7h * * 8s 9s")
    best = rv.solver.arrange_hand("rummy-500", hand, players=5)
    some = rv.solver.arrange_hand("rummy-500", hand, players=5, limit=3)
    assert best.exact
    assert not some.exact
    assert some.points <= best.points


# Where a wild moves in its run, every play is tried, and a whole search takes long.
@pytest.mark.parametrize(
    "name",
    [
        name
        for name in rv.presets()
        if rv.preset(name).wild.real_card != "moves the wild"
    ],
)
def test_ordinary_hands_are_never_cut_by_the_default(name):
    chance, rules = random.Random(f"ordinary {name}"), rv.preset(name)
    for _ in range(6):
        players = chance.randint(*rules.match.players)
        named = rules.wild.indicator != "none"
        rank = chance.choice(rules.deck.ranks) if named else ""
        deck = arranging.Table(rules, players, rank).deck()
        hand = chance.sample(deck, chance.randint(7, 25))
        for goal in GOALS:
            asked = {"goal": goal, "players": players, "wild_rank": rank}
            found = rv.solver.arrange_hand(rules, hand, **asked)
            for limit in (LIMIT // 2, None):
                assert found == rv.solver.arrange_hand(
                    rules, hand, **asked, limit=limit
                )


def assert_bounds(some, best, some_value, best_value):
    """
    Assert that an answer is a bound, and that it says so if and only if it was cut.
    """
    if best.exact:
        assert some_value <= best_value
    if some.exact:
        assert some_value >= best_value


@pytest.mark.parametrize("seed", range(4))
def test_a_limit_gives_a_bound_for_any_hand(seed):
    chance = random.Random(f"limits {seed}")
    cut = 0
    for _ in range(40):
        table = arranging.random_table(chance)
        hand = arranging.random_hand(table, chance, chance.randint(3, 9), 3)
        for goal in GOALS:
            asked = (table.rules, hand, goal)
            deal = {"players": table.players, "wild_rank": table.wild_rank}
            best = rv.solver.arrange_hand(*asked, **deal, limit=None)
            some = rv.solver.arrange_hand(*asked, **deal, limit=chance.randint(0, 60))
            cut += best.exact and not some.exact
            values = [arranging.value_found(table, hand, one) for one in (some, best)]
            if goal == "out":
                # To be out is worth more than the last card.
                values = [
                    (one.goes_out, *value)
                    for one, value in zip((some, best), values, strict=True)
                ]
            assert_bounds(some, best, *values)
            down = [card for meld in some.melds for card in meld.cards]
            assert sorted([*down, *some.left]) == sorted(hand)
    assert cut > 15


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_what_a_limit_leaves_can_be_played(seed):
    chance, cut = random.Random(f"limited turns {seed}"), 0
    while cut < 25:
        table = arranging.random_table(chance)
        if table.rules.meld.concealed:
            continue
        try:
            seed = chance.randrange(10**6)
            state = rv.new_game(table.rules, table.players, seed=seed)
        except rv.RummyError:
            continue
        for _ in range(60):
            if state.phase == "play":
                cut += look_at_a_limited_turn(table, state, chance)
            if not state.to_act:
                break
            moves = itertools.islice(rv.legal_actions(state, state.to_act[0]), 40)
            legal = [one for one in moves if rv.check(state, one)]
            if not legal:
                break
            state = rv.apply(state, chance.choice(legal))


def look_at_a_limited_turn(table, state, chance):
    """
    Play what is found within a limit, and hold it against what is found without.

    Returns:
        Whether the limit was what left it unsure.
    """
    seat, goal = state.turn, chance.choice(arranging.GOALS)
    hand = state.hands[seat]
    limit = chance.randint(0, 200)
    some = rv.arrange(state, goal=goal, limit=limit)
    cut = False
    if len(hand) < 9:
        best = rv.arrange(state, goal=goal, limit=None)
        values = [arranging.value_found(table, hand, one) for one in (some, best)]
        if best.exact and some.actions:
            assert_bounds(some, best, *values)
        cut = best.exact and not some.exact
    after = state
    for action in some.actions:
        after = rv.apply(after, action)
    if after.phase == "play" and after.turn == seat and not after.is_round_over:
        assert after.hands[seat] == some.left
    return cut


FORTY = (
    "6c 6c 6c 6d 6d 6h 6h 6s 6s 6s 2c 2d 3d 3h 4c 4c 4h 4s 5d 5d 7c 7h 7s 8c 8d 8h 9c "
    "9d 9s Tc Th Jd Jd Js Qc Qh Kd Ks Ad As"
)


@pytest.fixture
def tables_made_anew():
    for remembered in (_ruleset._terms, runs._pieces_of):
        remembered.cache_clear()


@pytest.mark.long
@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.usefixtures("tables_made_anew")
def test_forty_cards_with_ten_wilds_end_near_the_limit(goal, monkeypatch):
    calls = Counter()

    def counted(name, call):
        def counting(*args):
            calls[name] += 1
            return call(*args)

        return counting

    monkeypatch.setattr(Limit, "room", counted("fillings", Limit.room))
    lanes = counted("lanes", runs.SuitRuns.of)
    monkeypatch.setattr(runs.SuitRuns, "of", lanes)
    found = rv.solver.arrange_hand("rummy-5000", FORTY, goal, players=8, wild_rank="6")
    assert found.cards_left <= 1
    assert calls["fillings"] + calls["lanes"] <= 20 * LIMIT


@pytest.mark.long
@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.usefixtures("tables_made_anew")
def test_forty_cards_and_many_runs_on_the_table_end_near_the_limit(goal):
    melds = "7c 8c 9c", "7d 8d 9d", "8h 9h Th", "3s 4s 5s", "9c Tc Jc", "3d 4d 5d"
    seats = "NSABCDEF"
    position = {
        "seats": [*seats],
        "turn": "N",
        "phase": "play",
        "wild": "6",
        "drawn": "stock 2c",
        "stock": "2h",
        "discards": "2s",
        "table": [f"S: {meld}" for meld in melds],
        "hands": dict(
            zip(
                seats, [FORTY, *["2d", "3d", "4d", "Kh", "Kd", "Ks", "Kc"]], strict=True
            )
        ),
    }
    rules = rv.preset("rummy-5000").with_values({"deck.packs": 4})
    state = read_position(position, rules)
    found = rv.arrange(state, goal=goal)
    assert not found.exact
    assert found.cards_left < 5
    for action in found.actions:
        state = rv.apply(state, action)
    assert state.hands[0] == found.left


# ----------------------------------------------------------- against trying everything


@pytest.mark.parametrize("suits", ["h", "dhs"])
@pytest.mark.parametrize("hand", ["3h 4h 5h", "2h 3h 5h"])
def test_runs_are_found_in_a_deck_without_clubs(suits, hand):
    rules = rv.preset("three-thirteen").with_values({"deck.suits": suits})
    found = rv.solver.arrange_hand(rules, hand, players=2, wild_rank="2")
    assert found.cards_left == 0


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_nothing_better_can_be_found_by_trying_everything(seed):
    chance = random.Random(f"hands {seed}")
    unsure = 0
    for _ in range(30):
        table = arranging.random_table(chance)
        for _ in range(8):
            hand = arranging.random_hand(table, chance, chance.randint(3, 7), 3)
            unsure += not arranging.compare(table, hand, chance.choice(arranging.GOALS))
    assert unsure < 3


@pytest.mark.parametrize("seed", every_third(range(4)))
def test_hands_that_are_declared_by_trying_everything(seed):
    """
    Up to eight cards, half of them wild, where wilds alone are a meld too.
    """
    chance = random.Random(f"declared {seed}")
    options = [(), ("THV-01",), ("THV-02a",), ("THV-02b",), ("THV-03",)]
    for _ in range(20):
        rules = rv.preset("three-thirteen").with_options(*chance.choice(options))
        players, rank = chance.choice([2, 3, 5]), chance.choice("3456789TJQK")
        table = arranging.Table(rules, players, rank)
        hand = arranging.random_hand(table, chance, chance.randint(3, 8), 4)
        for goal in ("least points left", "least cards left"):
            assert arranging.compare(table, hand, goal)


FOURS = {"score.four_at_once": "twice"}, {"score.four_aces": 250}


@pytest.mark.parametrize(("values", "points"), [(FOURS[0], 120), (FOURS[1], 1000)])
def test_four_cards_that_count_more_are_put_together(values, points):
    rules = rv.preset("rummy-500").with_values(values)
    # Card by card the run is best; the four aces in one set bring more.
    hand = "Ac Ad Ah As Ks Qs"
    found = rv.solver.arrange_hand(rules, hand)
    assert found.exact
    assert found.points == points
    assert rv.solver.arrange_hand(rules, "Ac Ad Ah Ks Qs").points == 45
    assert rv.solver.arrange_hand("rummy-500", hand).points == 80
    assert rv.solver.arrange_hand(rules, hand, "least points left").points_left == 0


@pytest.mark.parametrize(
    ("values", "table", "hand", "points"),
    [
        ({"score.four_aces": 25}, "N: Ac Ad Ah", "As 9d", 55),
        ({"score.four_aces": 25}, "S: Ac Ad Ah", "As 9d", 15),
        ({"score.four_aces": 25}, "N: Ac Ad Ah", "Ks 9d", 0),
        ({"score.four_at_once": "twice"}, "N: Kc Kd Kh", "Ks 9d", 10),
        ({"score.four_at_once": "twice"}, "S: Kc Kd *=Kh", "Kh 9c 9d 9h", 27),
        ({"score.four_at_once": "twice"}, "S: Kc Kd Kh", "5c 6c 7c 9c", 18),
        ({"score.four_at_once": "twice"}, "S: Kc Kd Kh", "5c 6c 7c 8c 9d", 52),
        ({"score.four_at_once": "twice"}, "S: Kc Kd Kh", "5c 7c 8c * 9d", 70),
        ({"score.four_at_once": "twice"}, "S: Kc Kd Kh", "Ac 2c Qc * 9d", 40),
        (
            {"score.four_at_once": "twice", "wild.real_card": "swap"},
            "S: Kc Kd *=Kh",
            "Kh 9c 9d 9h",
            94,
        ),
    ],
)
def test_four_cards_with_what_lies_on_the_table(values, table, hand, points):
    position = {
        "seats": ["N", "S"],
        "turn": "N",
        "phase": "play",
        "drawn": f"stock {hand[:2]}",
        "stock": "2d",
        "discards": "Jd",
        "table": [table],
        "hands": {"N": hand, "S": "5h"},
    }
    state = read_position(position, rv.preset("rummy-500").with_values(values))
    found = rv.arrange(state)
    assert found.exact
    assert found.points == points


@pytest.mark.long
@pytest.mark.parametrize("values", FOURS, ids=lambda one: next(iter(one)))
def test_four_cards_that_count_more_by_trying_everything(values):
    chance = random.Random("fours")
    unsure = tried = 0
    for _ in range(30):
        table = arranging.random_table(chance)
        if table.rules.meld.concealed:
            continue  # nothing is put down at once
        fours = attrs.evolve(table, rules=table.rules.with_values(values))
        for _ in range(8):
            hand = arranging.random_hand(table, chance, chance.randint(3, 7), 3)
            unsure += not arranging.compare(fours, hand, "most points")
            tried += 1
    assert unsure < tried // 10


@pytest.mark.parametrize("values", FOURS, ids=lambda one: next(iter(one)))
def test_turns_where_four_cards_count_more(values):
    chance, seen = random.Random("turns with fours"), arranging.Seen()
    rules = rv.preset("rummy-5000").with_values(values)
    while seen.tried < 20:
        state = rv.new_game(rules, 3, seed=chance.randrange(10**6))
        arranging.play_turns(state, chance, seen, 5, ("most points",))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_nothing_better_can_be_found_in_tens_of_thousands_of_hands(seed):
    chance = random.Random(f"many hands {seed}")
    for _ in range(100):
        table = arranging.random_table(chance)
        for _ in range(8):
            hand = arranging.random_hand(table, chance, chance.randint(3, 8))
            arranging.compare(table, hand, chance.choice(arranging.GOALS))


@pytest.mark.parametrize("seed", every_third(range(4)))
def test_what_is_arranged_can_be_played_and_is_the_best(seed):
    chance, seen = random.Random(f"turns {seed}"), arranging.Seen()
    while seen.turns < 300:
        arranging.compare_turns(chance, seen, most_cards=5)
    assert seen.tried > 20
    assert seen.unsure < seen.turns // 50


def test_lay_offs_on_own_melds_alone_are_arranged():
    chance, seen = random.Random("own melds"), arranging.Seen()
    own = {"layoff.onto": "own melds"}
    while seen.turns < 300:
        arranging.compare_turns(chance, seen, most_cards=5, **own)
    assert seen.tried > 20
    assert seen.unsure < seen.turns // 50


@pytest.mark.long
@pytest.mark.parametrize("melds", [1, 2])
def test_few_new_melds_may_come_after_a_trade(melds):
    chance, seen = random.Random(f"trades {melds}"), arranging.Seen()
    few = {"wild.real_card": "swap", "meld.a_turn": melds}
    while seen.turns < 200:
        arranging.compare_turns(chance, seen, most_cards=5, **few)
    assert seen.tried > 20


def test_a_wild_gained_by_a_trade_goes_into_the_one_new_meld():
    position = {
        "seats": ["N", "S"],
        "turn": "N",
        "phase": "play",
        "drawn": "stock Kh",
        "stock": "2d",
        "discards": "Jd",
        "table": ["S: Kc Kd *=Kh"],
        "hands": {"N": "Kh 9c 9d 4s 2s", "S": "5h"},
    }
    values = {"wild.real_card": "swap", "meld.a_turn": 1}
    state = read_position(position, rv.preset("rummy-500").with_values(values))
    assert shown(rv.arrange(state)) == "swap Kh on 1; meld 9c 9d *=9h"


def test_a_card_owed_is_melded_with_a_wild_that_is_traded_for():
    position = {
        "seats": ["N", "S"],
        "turn": "N",
        "phase": "play",
        "drawn": "take 7h 9d",
        "owed": "7h",
        "stock": "2c 3c",
        "discards": "8c",
        "table": ["S: 3d *=4d"],
        "hands": {"N": "4d 9d Qd 7h Jh Qh", "S": "4c"},
        "partial": True,
    }
    values = {
        "wild.real_card": "swap",
        "meld.a_turn": 1,
        "meld.least_run": 2,
        "layoff.needs_own_meld": False,
    }
    state = read_position(position, rv.preset("rummy-500").with_values(values))
    found = rv.arrange(state, goal="least points left")
    assert shown(found) == "swap 4d on 1; meld *=6h 7h"


def test_runs_may_want_both_copies_of_a_card_that_a_set_wants():
    rules = rv.preset("oklahoma-rummy").with_values({"meld.least_run": 2})
    found = rv.solver.arrange_hand(rules, "3c 3c 4c 4c 4d 4h 4s", "least points left")
    assert shown(found) == "meld 4d 4h 4s; meld 3c 4c; meld 3c 4c"


def test_the_dealers_wild_is_built_on_after_a_natural_first_meld():
    chance, seen = random.Random("house"), arranging.Seen()
    rules = rv.preset("2500-house").with_values({"deal.hand_size": 5})
    for seed in range(20):
        state = rv.new_game(rules, 3, seed=seed)
        arranging.play_turns(state, chance, seen, 6)
    assert seen.tried > 50
    assert not seen.unsure


@pytest.mark.long
@pytest.mark.parametrize("name", wild_limits.NAMES)
def test_any_limit_on_wilds_is_kept_and_made_the_most_of(name):
    chance = random.Random(name)
    limit = {"wild.rules": [name], "deck.jokers": 3, "wild.jokers": True}
    unsure = tried = 0
    while tried < 150:
        table = arranging.random_table(chance, **limit)
        for _ in range(3):
            hand = arranging.random_hand(table, chance, chance.randint(3, 7), 3)
            unsure += not arranging.compare(table, hand, chance.choice(arranging.GOALS))
            tried += 1
    assert unsure < tried // 20
    seen = arranging.Seen()
    while seen.turns < 150:
        arranging.compare_turns(chance, seen, most_cards=5, **limit)
    assert seen.tried > 10


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
def test_inv_09_wilds_for_any_suit_are_made_the_most_of(seed):
    chance = random.Random(f"any suit {seed}")
    wilds = {
        "meld.sets": True,
        "meld.set_suits": "distinct",
        "meld.set_wilds": "for any suit",
        "deck.suits": "cdh",
        "deck.jokers": 3,
        "wild.jokers": True,
    }
    unsure = tried = longer = 0
    while tried < 150:
        table = arranging.random_table(chance, **wilds)
        for _ in range(3):
            hand = arranging.random_hand(table, chance, chance.randint(4, 7), 4)
            goal = chance.choice(arranging.GOALS)
            unsure += not arranging.compare(table, hand, goal)
            tried += 1
            longer += any(
                meld.kind == "set" and len(meld) > len(table.rules.deck.suits)
                for meld in rv.solver.arrange_hand(
                    table.rules,
                    hand,
                    goal,
                    players=table.players,
                    wild_rank=table.wild_rank,
                ).melds
            )
    assert longer > 5
    assert unsure < tried // 20
    seen = arranging.Seen()
    while seen.turns < 100:
        arranging.compare_turns(chance, seen, most_cards=5, **wilds)
    assert seen.tried > 10


@pytest.mark.parametrize("ace", ["low", "high or low", "round the corner"])
def test_aces_beside_wilds_and_under_the_king_are_worth_what_they_score(ace):
    """
    An ace beside a wild may be low, and one that was low may be high after a play.
    """
    chance, seen = random.Random(f"aces {ace}"), arranging.Seen()
    rules = rv.preset("rummy-500").with_values(
        {
            "wild.jokers": True,
            "wild.real_card": "beside",
            "deck.jokers": 3,
            "deck.ranks": "A2345QK",
            "deal.hand_size": 5,
            "meld.ace": ace,
            "layoff.needs_own_meld": False,
        }
    )
    for seed in range(40):
        state = rv.new_game(rules, 2, seed=f"{ace} {seed}")
        arranging.play_turns(state, chance, seen, most_cards=5)
    assert seen.tried > 200


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_what_is_arranged_can_be_played_in_many_games(seed):
    chance, seen = random.Random(f"many turns {seed}"), arranging.Seen()
    while seen.turns < 3_000:
        arranging.compare_turns(chance, seen)


# ------------------------------------------------------------------------ worst cases


WORST = (
    # Four suits of the same ranks: every card is in sets and in runs.
    (
        "rummy-500",
        {},
        5,
        "",
        "4c 5c 6c 7c 8c 4d 5d 6d 7d 8d 4h 5h 6h 7h 8h 4s 5s 6s 7s 8s",
        3_000,
    ),
    (
        "rummy-500",
        {},
        5,
        "",
        "4c 5c 6c 7c 4d 5d 6d 7d 4h 5h 6h 7h 4s 5s 6s 7s * * * *",
        100,
    ),
    (
        "rummy-500",
        {},
        5,
        "",
        "4c 5c 6c 7c 4d 5d 6d 7d 4h 5h 6h 7h 4s 5s 6s 7s Kc 2h Td As Js * * * *",
        90_000,
    ),
    # Two of each, and wilds.
    (
        "rummy-500",
        {},
        5,
        "",
        "4c 4c 5c 5c 6c 6c 4d 4d 5d 5d 6d 6d 4h 4h 5h 5h 6h 6h * *",
        20_000,
    ),
    # Pairs that wait for a wild.
    (
        "rummy-500",
        {},
        5,
        "",
        "2c 2d 4h 4s 6c 6d 8h 8s Tc Td Qh Qs Ac Ad 3h 5c 7d 9s Jc Kh * * * *",
        20_000,
    ),
    (
        "rummy-5000",
        {},
        5,
        "6",
        "2c 3c 3d 4d 5h 7h 7s 8s 9c Tc Jd Qd Kh Ah As 2s 5d 8h Td Js Kc 6c 6d 6h 6s",
        40_000,
    ),
    (
        "rummy-5000",
        {"wild.limit": "more naturals"},
        5,
        "6",
        "2c 3c 3d 4d 5h 7h 7s 8s 9c Tc Jd Qd Kh Ah 6c 6d 6h",
        20_000,
    ),
)


@pytest.mark.parametrize(("name", "values", "players", "wild", "hand", "work"), WORST)
def test_worst_cases_by_the_count_of_work(name, values, players, wild, hand, work):
    rules = rv.preset(name).with_values(values)
    for goal in arranging.GOALS:
        found = rv.solver.arrange_hand(
            rules, hand, goal, players=players, wild_rank=wild, limit=work
        )
        assert found.exact
