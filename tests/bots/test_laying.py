"""
What the strong bot weighs where melds are laid on the table, and whole turns.
"""

from __future__ import annotations

import itertools
import json

import attrs
import pytest

import rummyvariants as rv

from rummyvariants._support.packaged import packaged_text
from rummyvariants.bots import CarefulBot, StrongBot, next_to_decide, play_on
from rummyvariants.bots.advantages import FILE, Learned
from rummyvariants.bots.heuristic import careful
from rummyvariants.bots.laying import Laying, Sight
from rummyvariants.bots.strong import careful_turn, playout_player
from rummyvariants.bots.turns import points_after, whole_turn
from rummyvariants.files._positions import read_position


FAMILY = Laying("any", past=True)
TERMS = json.loads(packaged_text("data", FILE))["laying, rummy-5000"]["kinds"]
TERMS = {kind: has["weights"] for kind, has in TERMS.items()}


def position(
    hand: str,
    *,
    game: str = "rummy-500",
    discards: str = "5s",
    table: tuple[str, ...] = (),
    **more: object,
) -> rv.State:
    """
    A hand to play, of which the last card was drawn; the stock has all other cards.
    """
    three = game != "rummy-500"
    given = {
        "seats": ["N", "E", "S"] if three else ["N", "E"],
        "dealer": "E",
        "turn": "N",
        "phase": "play",
        "hands": {
            "N": hand,
            "E": "4c 4d Js" if three else "3c 4d Js",
            **({"S": "5c 5d"} if three else {}),
        },
        "discards": discards,
        "table": [*table],
        **more,
    }
    if given["phase"] == "play":
        given["drawn"] = f"stock {hand.rsplit(maxsplit=1)[-1]}"
    return read_position(given, rv.preset(game), fill=True)


def features(state: rv.State, base: str, kind: str) -> dict[str, dict[str, float]]:
    """
    The rivals of a kind, each with its features by name.
    """
    terms = TERMS[kind]
    action = rv.game.parse_action(base, 0)
    return {
        str(rival.action): dict(zip(terms, rival.more(terms), strict=True))
        for rival in FAMILY.rivals(state, 0, action, (kind,))
        if rival.kind == kind
    }


# ------------------------------------------------------------------------- features


def test_a_discard_is_compared_with_the_base_choice():
    state = position("7h 8h Kd Kc 2s", discards="7c 7d 5s", table=("N: 9c 9d 9s",))
    found = features(state, "discard Kd", "discard")
    assert [*found] == ["discard Kc", "discard 7h", "discard 8h", "discard 2s"]
    alike = found["discard Kc"]
    assert not any(alike.values())
    one = found["discard 7h"]
    # Seven points against ten; features are in tens.
    assert one["points"] == pytest.approx(-0.3)
    assert one["points * points"] == pytest.approx(0.49 - 1)
    # Only the kings are a pair, and only the sevens lie in the pile.
    assert one["pair"] == -1
    assert one["mates in the pile"] == 2
    assert one["set with the pile"] == 1
    assert one["points * set with the pile"] == pytest.approx(0.7)
    # Of the runs 5-6-7, 6-7-8 and 7-8-9 of hearts two have the eight.
    assert one["near cards"] == 2
    assert one["runs to fill"] == 2
    # Both missing cards are hidden in 5-6-7; of the kings' runs in A-K-Q and K-Q-J.
    assert one["hidden runs"] == pytest.approx((1 - 2) / 3)
    # One seven is hidden, and two kings.
    assert one["hidden mates"] == pytest.approx((1 - 2) / 3)
    assert not one["wild"]
    assert not one["fits"]


def test_a_run_with_the_pile_and_cards_of_the_table_are_noticed():
    state = position("6h 9h * 2s Kd", discards="7h 8h 5s", table=("E: 9c 9d 9s",))
    found = features(state, "discard Kd", "discard")
    assert found["discard 6h"]["run with the pile"] == 1
    assert found["discard 6h"]["points * run with the pile"] == pytest.approx(0.6)
    assert found["discard 9h"]["fits"] == 1
    assert found["discard 9h"]["points * fits"] == pytest.approx(0.9)
    assert found["discard *"]["wild"] == 1
    assert found["discard 2s"]["run with the pile"] == 0


def test_the_features_of_a_draw_are_zeros_and_those_of_a_take_the_contrary():
    state = position("6h 7h Kc Kd 2s", discards="Kh 9s 8h", phase="draw")
    found = features(state, "draw", "take")
    assert [*found] == ["take 1", "take 3"]
    one, three = found["take 1"], found["take 3"]
    assert one["one"] == three["one"] == 1
    assert (one["one card"], three["one card"]) == (1, 0)
    # 6-7-8 of hearts; the kings as well.
    assert one["turn"] == pytest.approx(2.1)
    assert three["turn"] == pytest.approx(2.1 + 3.0)
    assert one["rest"] == 0
    assert three["rest"] == 0  # more is laid than is taken
    assert points_after(state, 0, 3) - points_after(state, 0, 0) == 51
    contrary = features(state, "take 1", "take")["draw"]
    assert contrary == {name: -value for name, value in one.items()}


def test_only_the_kinds_that_are_wanted_are_worked_out():
    state = position("7h 8h Kd Kc 2s")
    base = rv.game.parse_action("discard Kd", 0)
    assert not [*FAMILY.rivals(state, 0, base, ("take",))]
    assert [*FAMILY.rivals(state, 0, base, ("discard",))]


def test_conditions_are_an_unchanged_preset_and_the_number_of_players():
    rules = rv.preset("rummy-500")
    assert FAMILY.conditions(rules, 2) == "rummy-500, 2 players"
    assert FAMILY.conditions(rules, 3) == "rummy-500, 3 players"
    assert FAMILY.conditions(rules.with_values({"deck.jokers": 0}), 2) is None
    assert FAMILY.conditions(rv.preset("gin-rummy"), 2) is None


# ---------------------------------------------------------------------- whole turns


def test_what_the_next_player_threw_and_left_is_counted():
    """
    At the discards of some rounds, against a count in the history.
    """
    counted = 0
    for seed in range(6):
        state = rv.new_game("rummy-500", 2, seed=seed)
        for done in play_on(state, [CarefulBot()] * 2, seed):
            before, action = done.before, done.action
            if before.phase == "play" and isinstance(action, rv.actions.Discard):
                sight = Sight(before, action.seat, past=True)
                values = sight.of_discard(action.card.code)
                naive = naive_counts(before, action)
                assert {name: values[name] for name in naive} == naive
                counted += any(naive.values())
            if done.after.is_round_over:
                break
    assert counted > 20


def naive_counts(state: rv.State, action: rv.actions.Discard) -> dict[str, float]:
    """
    The mates and near cards of a discard that the next player threw, and left.
    """
    card, seat = action.card, action.seat
    discards = [one for one in state.history if isinstance(one, rv.actions.Discard)]
    thrown = {str(one.card) for one in discards if one.seat != seat}
    pile = {str(one) for one in state.discards}
    left = {str(one.card) for one in discards if one.seat == seat} & pile
    hidden = {str(one) for one in (*state.stock, *state.hands[1 - seat])}
    hidden -= {str(one) for one in state.seen_in_hands[1 - seat]}
    ranks = "A23456789TJQKA"
    pairs = []
    for start in range(12):
        run = ranks[start : start + 3]
        if card.rank in run:
            pairs.append([one + card.suit for one in run if one != card.rank])
    mates = {card.rank + suit for suit in "cdhs"} - {str(card)}
    begun = sum(
        (one in pile and other in hidden) + (other in pile and one in hidden)
        for one, other in pairs
    )
    return {
        "mates thrown": len(mates & thrown),
        "near cards thrown": sum(bool({*one} & thrown) for one in pairs),
        "mates left": len(mates & left),
        "near cards left": sum(bool({*one} & left) for one in pairs),
        "runs begun": begun,
    }


def test_two_wilds_make_a_meld_that_opens_the_table():
    """
    The careful bot puts one wild in a meld, so here it lays nothing of 325 points.
    """
    state = two_wilds()
    base = careful(state, 0)
    assert isinstance(base, rv.actions.Discard)
    first = whole_turn(state, 0, base)
    assert str(first).startswith("meld 3c")
    assert {"3c", "3d"} <= {str(one.card) for one in first.cards}
    # 310 points, and the eight of clubs.
    assert left_by(state, 0, careful) - left_by(state, 0, careful_turn) == 315


def two_wilds() -> rv.State:
    table = ("E: Ac Ad Ah", "E: 8d 8h 8s")
    return position(
        "3c 8c 3d Qh As", game="rummy-5000", wild="3", table=table, discards="5s 9h"
    )


def test_whole_turns_in_playouts_are_for_the_seat_that_decides_and_has_a_wild():
    state = two_wilds()
    known = Learned(FAMILY, {}, (), whole_turns=True)
    base = careful(state, 0)
    assert playout_player(known, 0)(state, 0) == careful_turn(state, 0) != base
    assert playout_player(known, 1)(state, 0) == base
    assert playout_player(attrs.evolve(known, whole_turns=False), 0)(state, 0) == base
    plain = position("4h 8c 4s Qh As", game="rummy-5000", wild="3", discards="5s 9h")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rummyvariants.bots.strong.whole_turn", pytest.fail)
        assert playout_player(known, 0)(plain, 0) == careful(plain, 0)


def test_what_the_careful_bot_lays_as_well_is_left_to_it():
    state = position("7h 8h 9h Kd 2s")
    base = careful(state, 0)
    assert str(base) == "meld 7h 8h 9h"
    assert whole_turn(state, 0, base) is base


@pytest.mark.parametrize("game", ["gin-rummy", "basic-rummy", "canasta"])
def test_where_points_on_the_table_are_not_all_turns_stay_the_careful_ones(game):
    state = rv.new_game(game, 2, seed=3)
    for done in itertools.islice(play_on(state, [CarefulBot()] * 2, 3), 60):
        if done.before.phase == "play":
            seat = next_to_decide(done.before)
            assert whole_turn(done.before, seat, done.action) is done.action


@pytest.mark.parametrize(
    ("game", "players"),
    [("rummy-5000", 4), ("persian-rummy", 4), ("george", 3), ("oklahoma-rummy", 3)],
)
def test_a_whole_turn_lays_at_least_what_the_careful_bot_lays(game, players):
    """
    Turn by turn: both from the same state, until the discard.
    """
    more = 0
    for seed in range(6):
        state = rv.new_game(game, players, seed=seed)
        for done in play_on(state, [StrongBot(0)] * players, seed):
            before = done.before
            if before.phase == "play" and not before.laid:
                seat = next_to_decide(before)
                mine, its = [
                    left_by(before, seat, way) for way in (careful, careful_turn)
                ]
                assert its <= mine
                more += its < mine
            if done.after.is_round_over:
                break
    assert more


def left_by(state: rv.State, seat: int, way) -> int:
    """
    The points in a hand before the discard of a turn.
    """
    while state.phase == "play" and not isinstance(
        action := way(state, seat), rv.actions.Discard
    ):
        state = rv.apply(state, action)
    hand = () if state.is_round_over else state.hands[seat]
    seen = rv.view(state, seat)
    return sum(seen.points(card) for card in hand)


def test_fours_that_count_twice_do_not_make_a_turn_seem_better():
    """
    The careful bot's own turns are counted as the solver counts them.
    """
    changed = 0
    for seed in range(40, 60):
        state = rv.new_game("persian-rummy", 4, seed=seed)
        for done in play_on(state, [CarefulBot()] * 4, seed):
            if done.before.phase == "play":
                seat = next_to_decide(done.before)
                if whole_turn(done.before, seat, done.action) != done.action:
                    changed += 1
                    ways = (careful, careful_turn)
                    mine, its = [left_by(done.before, seat, way) for way in ways]
                    assert its < mine
            if done.after.is_round_over:
                break
    assert changed < 20
