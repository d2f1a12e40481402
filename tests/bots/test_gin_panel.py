"""
The panel of gin: its rules, its strategies sentence by sentence, and its figures.
"""

from __future__ import annotations

import functools
import itertools
import random
import statistics
import sys

from collections import Counter

import attrs
import pytest

import eaai_simple
import eaai_winner
import gin_panel
import rummyvariants as rv
import simple_gin

from eaai_hands import hand_of
from places import ROOT
from rummyvariants.bots import CarefulBot, RandomBot, SearchBot, next_to_decide, play_on
from rummyvariants.cards import CARDS, pack
from rummyvariants.files._positions import read_position
from rummyvariants.simulation.rows import GameRow
from rummyvariants.simulation.significance import sign_test
from walks import exchanged


SIMPLE, WINNER = eaai_simple.Simple(), eaai_winner.Winner()


@functools.cache
def rules() -> rv.Ruleset:
    return rv.load_rules(ROOT / "bench" / "eaai.toml")


def position(
    hand: str,
    *,
    discards: str = "As",
    other: str = "",
    known: str = "",
    top: str = "",
    **more: object,
) -> rv.State:
    """
    A hand of the challenge in which the first player acts; the stock has the rest.

    Args:
        hand: That player's hand; of eleven cards, the last one was drawn.
        discards: The discard pile, the top card last.
        other: What the other player holds and nobody has seen; ten cards in all.
        known: What the other player holds and everybody has seen.
        top: What the stock has on top, not counting the card drawn.
        more: Further keys of the position.
    """
    rest = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
    for card in f"{hand} {other} {known} {discards} {top}".split():
        rest.remove(card)
    # Spread over ranks and suits.
    rest = rest[::7] + [card for at, card in enumerate(rest) if at % 7]
    lacking = 10 - len(f"{other} {known}".split())
    theirs = " ".join([other, known, *rest[:lacking]])
    plays = len(hand.split()) == 11
    given = {
        "seats": ["N", "E"],
        "dealer": "E",
        "turn": "N",
        "phase": "play" if plays else "draw",
        "hands": {"N": hand, "E": theirs},
        "discards": discards,
        "stock": " ".join([top, *rest[lacking:]]),
        **({"drawn": f"stock {hand.rsplit(maxsplit=1)[-1]}"} if plays else {}),
        **more,
    }
    state = read_position(given, rules())
    return attrs.evolve(
        state, seen=(0, pack(rv.Card(one).code for one in known.split()))
    )


def chosen(bot, state: rv.State, tries: int = 40) -> set[str]:
    """
    What a bot chooses, with several sources of chance.
    """
    view = rv.view(state, next_to_decide(state))
    return {str(bot.choose(view, random.Random(number))) for number in range(tries)}


def turned(state: rv.State, turns: int) -> rv.State:
    """
    A position in which both players have finished so many turns.
    """
    return attrs.evolve(state, turns=(turns, turns))


# ------------------------------------------------------------------------- the rules


def test_two_cards_left_end_the_hand_without_points_and_the_same_player_deals_again():
    state = rv.new_game(rules(), 2, seed=4)
    dealer = state.dealer
    for action in ("pass", "pass"):
        state = rv.apply(state, action)
    drawn = 0
    while not state.is_round_over:
        assert len(state.stock) > 2
        assert not drawn or rv.check(state, "take 1")
        state = rv.apply(state, "draw")
        drawn += 1
        state = rv.apply(state, f"discard {state.drawn.cards[0]}")
    assert (drawn, len(state.stock)) == (29, 2)
    assert (state.result.how, state.result.points) == ("stock", (0, 0))
    assert rv.deal(state).dealer == dealer


def knocked(mine: str, theirs: str) -> tuple[int, ...]:
    """
    The points of a knock with the eleventh card, nothing laid off.
    """
    state = position(mine, other=theirs)
    state = rv.apply(state, f"knock {mine.rsplit(maxsplit=1)[-1]}")
    while not state.is_round_over:
        state = rv.apply(state, "pass")
    assert rv.deal(state).dealer == 0  # who started the hand
    return state.result.points


MELDS = "2c 3c 4c 7d 8d 9d Jh Qh Kh"
THEIRS = "2d 3d 4d 8s 9s Ts 5c 5h"


@pytest.mark.parametrize(
    ("mine", "theirs", "points"),
    [
        (f"{MELDS} 8c Js", f"{THEIRS} 5s 9h", (1, 0)),
        (f"{MELDS} 9c Js", f"{THEIRS} 5s 9h", (0, 25)),  # equal hands: an undercut
        (f"{MELDS} Tc Js", f"{THEIRS} 5s 9h", (0, 26)),
        (f"{MELDS} Ac Js", f"{THEIRS} 5s 9h", (34, 0)),
    ],
)
def test_the_difference_gin_and_the_undercut_score_as_in_the_challenge(
    mine, theirs, points
):
    assert knocked(mine, theirs) == points


def test_no_more_than_ten_no_big_gin_no_boxes_and_games_to_100():
    state = position("2c 3c 4c 7d 8d 9d Jh Qh 5s 6s Js")
    assert not rv.check(state, "knock Js")
    state = position("2c 3c 4c 5c 7d 8d 9d Td Jh Qh Kh")
    assert not rv.check(state, "big gin")
    assert rv.check(state, "knock 5c")
    row = next(iter(rv.simulate(rules(), [SIMPLE, WINNER], games=1, seed="rules")))
    assert max(row.scores) >= 100
    total = [sum(one.points[seat] for one in row.rounds) for seat in (0, 1)]
    assert list(row.scores) == total
    for one, following in itertools.pairwise(row.rounds):
        assert (one.dealer != following.dealer) == any(one.points)


# --------------------------------------------------------------- the simple strategy


LOOSE = "2c 4c 6h 8h Tc Qc 3d 5s 9s Kd"


def test_simple_1_ignores_the_opponent_and_cards_out_of_play():
    state = position(f"{LOOSE} 7d")
    wanted = chosen(SIMPLE, state)
    assert wanted == {"discard Tc", "discard Qc", "discard Kd"}
    for known, discards in (
        ("Kc Kh Qd Qh", "As"),
        ("", "Ts Td Th As"),
        ("Jc Td", "Ks"),
    ):
        other = position(f"{LOOSE} 7d", known=known, discards=discards)
        assert chosen(SIMPLE, other) == wanted


@pytest.mark.parametrize(
    ("hand", "upcard", "takes"),
    [
        ("7h 7s 2h 4h 9c Tc Kd Jh 4d 5c", "7c", True),
        ("7h 6s 2h 4h 9c Tc Kd Jh 4d 5c", "7c", False),  # a pair
        ("5d 6d 2h 4h 9c Tc Kd Jh 8s Qc", "7d", True),
        ("6d 8d 2h 4h 9c Tc Kd Jh 8s Qc", "7d", True),
        ("8d 9d 2h 4h 9c Tc Kd Jh 8s Qc", "7d", True),
        ("5d 8d 2h 4h 9c Tc Kd Jh 8s Qc", "7d", False),
        ("8d 8h 2h 4h 9c Tc Kd Jh 2s Qc", "7d", False),
        ("Qd Kd 2h 4h 9c Tc 2s Jh 8s Qc", "Ad", False),  # the ace is low
        ("2d 3d 2h 4h 9c Tc 6s Jh 8s Qc", "Ad", True),
        ("Jd Qd 2h 4h 9c Tc 6s Jh 8s 5c", "Kd", True),
    ],
)
def test_simple_2_draws_the_upcard_only_into_a_meld(hand, upcard, takes):
    state = position(hand, discards=upcard)
    assert chosen(SIMPLE, state) == {"take 1" if takes else "draw"}
    offered = position(hand, discards=upcard, phase="offer")
    assert chosen(SIMPLE, offered) == {"take 1" if takes else "pass"}


def test_simple_2_counts_any_meld_even_one_that_the_best_division_leaves_out():
    hand = "7d 8d 9d 7s 8s 9s Kh Qc 2c 4h"
    state = position(hand, discards="7h")
    assert chosen(SIMPLE, state) == {"take 1"}
    assert chosen(simple_gin.SimpleGin(), state) == {"draw"}


@pytest.mark.parametrize(
    ("hand", "discards"),
    [
        (f"{LOOSE} 7d", {"Tc", "Qc", "Kd"}),
        ("Kc Kd 2c 3c 4c 7h 8h 9h 5s 6d Ac", {"Kc", "Kd"}),  # breaks up the pair
        ("2c 3c 4c 7h 8h 9h Js Qs Ks 4d 5d", {"5d"}),
        ("2c 3c 4c 5c 7h 8h 9h Js Qs Ks 4d", {"4d"}),  # never a meld
    ],
)
def test_simple_3_discards_a_highest_unmatched_card_at_random(hand, discards):
    state = position(hand)
    assert {one.split(":")[0].split()[1] for one in chosen(SIMPLE, state)} == discards


def test_simple_3_keeps_the_card_taken_and_repeats_no_draw_with_a_discard():
    hand = "2c 3c 4c 7h 8h 9h 5s 6d Ac Qd"
    state = position(hand, top="Kd 3s 4s", other="2d 2h 9c 9d Tc Ts 8s Jc Jd Jh")
    for action in ("draw", "discard Qd", "take 1", "discard 2d"):
        state = rv.apply(state, action)
    for action in ("draw", "discard 3s", "draw", "discard Qd"):
        state = rv.apply(state, action)
    # Who had not drawn the king when the queen went would let it go now.
    state = rv.apply(state, "take 1")
    assert {str(one) for one in state.hands[0]} == {*hand.split(), "Kd"}
    assert chosen(SIMPLE, state) == {"discard 6d"}
    fresh = position(f"{hand[:-2]}Kd Qd", drawn="take Qd")
    assert chosen(SIMPLE, fresh) == {"discard Kd"}


@pytest.mark.parametrize(
    ("hand", "wanted"),
    [
        ("2c 3c 4c 7h 8h 9h Js Qs Ks Td Kc", {"knock Td", "knock Kc"}),
        ("2c 3c 4c 5c 7h 8h 9h 6d Ad 4s Kc", {"discard Kc"}),  # eleven
        ("2c 3c 4c 5c 7h 8h 9h Js Qs Ks Td", {"knock Td"}),
        ("2c 3c 4c 5c 6c 7h 8h 9h Js Qs Ks", {"knock 2c", "knock 6c"}),  # no big gin
    ],
)
def test_simple_4_knocks_as_early_as_it_can(hand, wanted):
    for turns in (0, 12):
        found = chosen(SIMPLE, turned(position(hand), turns))
        assert {one.split(":")[0] for one in found} == wanted


def test_simple_4_shows_any_of_the_best_melds():
    found = chosen(SIMPLE, position("5c 5d 5h 7s 8s 9s 9h Th Jh Ac Ks"))
    assert {frozenset(one.partition(": ")[2].split(" / ")) for one in found} == {
        frozenset(("5c 5d 5h", "7s 8s 9s", "9h Th Jh"))
    }
    found = chosen(SIMPLE, position("2c 2d 2h 3c 3d 3h 4c 4d 4h 9s Ks"))
    assert len({one.partition(": ")[2] for one in found}) == 2


def after_a_knock(theirs: str) -> rv.State:
    """
    What the other player may lay off on: 2c 3c 4c, 7d 8d 9d and Jh Js Jd.
    """
    state = position("2c 3c 4c 7d 8d 9d Jh Js Jd 9c Ks", other=theirs)
    return rv.apply(state, "knock Ks: 2c 3c 4c / 7d 8d 9d / Jh Js Jd")


@pytest.mark.parametrize("bot", [SIMPLE, WINNER], ids=["simple", "winner"])
def test_unmatched_cards_are_laid_off_one_by_one_and_matched_ones_are_not(bot):
    state = after_a_knock("Jd Td 5c 6c 6d 6h 6s Qh Qd Qs".replace("Jd", "Jc"))
    laid = []
    while state.phase == "layoff":
        (action,) = chosen(bot, state)
        if action != "pass":
            laid.append(action.split()[1])
        state = rv.apply(state, action)
    assert set(laid) <= {"5c", "6c", "Td", "Jc", "6d"}
    assert {"Td", "Jc", "5c"} <= set(laid)


# -------------------------------------------------------------- the winner's strategy


@pytest.mark.parametrize(
    ("hand", "upcard", "takes"),
    [
        ("7h 7s 2h 4h 9c Tc Kd Jh 4d 5c", "7c", True),
        ("7h 6s 2h 4h 9c Tc Kd Jh 4d 5c", "7c", False),
        # Its best melds leave the seven out, though three of them would be a meld.
        ("7d 8d 9d 7s 8s 9s Kh Qc 2c 4h", "7h", False),
        # The card would be in a meld, but the hand cannot get better.
        ("2c 3c 4c 7h 8h 9h Ts Js Qs Ks", "5c", False),
        # The hand would get better, but without a meld.
        ("2c 3c 4c 7h 8h 9h Ts Js Qs Kd", "Ad", False),
    ],
)
def test_winner_1_draws_an_upcard_of_its_best_melds_that_lowers_its_points(
    hand, upcard, takes
):
    state = position(hand, discards=upcard)
    assert chosen(WINNER, state) == {"take 1" if takes else "draw"}
    offered = position(hand, discards=upcard, phase="offer")
    assert chosen(WINNER, offered) == {"take 1" if takes else "pass"}


@pytest.mark.parametrize(
    ("hand", "drawn", "wanted"),
    [
        ("2c 3c 4c 7h 8h 9h 5s 4d 8c Ad Tc", "stock Tc", "5s 8c Tc"),
        ("2c 3c 4c 7h 8h 9h 5s 4d 8c Ad Tc", "take Tc", "4d 5s 8c"),
        # Either division may leave them: three tens, or a run with one of them.
        ("Th Td Tc Jc Qc 2h 3h 4h 2s 6s Ad", "stock Ad", "Th Td Jc Qc 6s"),
        ("Th Td Tc Jc 2h 3h 4h 2s 6s Ad Qc", "take Qc", "Th Td Jc 6s"),
        (
            "2c 3c 4c 5c 7d 8d 9d Td Jh Qh Kh",
            "stock Kh",
            "2c 3c 4c 5c 7d 8d 9d Td Jh Qh Kh",
        ),
    ],
)
def test_winner_2_considers_dear_unmatched_cards_or_else_all(hand, drawn, wanted):
    view = rv.view(position(hand, drawn=drawn), 0)
    found = eaai_winner.candidates(hand_of(view))
    assert {str(CARDS[code]) for code in found} == set(wanted.split())


def test_winner_3_goes_gin_when_it_can():
    for turns in (0, 9):
        state = turned(position("2c 3c 4c 7h 8h 9h 8c 8d 8s 5c Kd"), turns)
        (action,) = chosen(WINNER, state)
        assert action.startswith("knock Kd: ")
        state = turned(position("2c 3c 4c 5c 7d 8d 9d Td Jh Qh Kh"), turns)
        assert {one[:5] for one in chosen(WINNER, state)} == {"knock"}


def naive_points(hand: frozenset[str]) -> int:
    """
    The fewest points unmatched, by trying every meld with the first card or none.
    """
    return _naive_points(tuple(sorted(hand)))


RANKS = "A23456789TJQK"
WORTH = dict(zip(RANKS, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10], strict=True))


def _melds_of(first: str, hand: frozenset[str]):
    rank, suit = first
    others = [rank + one for one in "cdhs" if one != suit and rank + one in hand]
    for number in (2, 3):
        for more in itertools.combinations(others, number):
            yield {first, *more}
    for low, high in itertools.combinations(range(14), 2):
        run = {one + suit for one in RANKS[low:high]}
        if len(run) >= 3 and first in run and run <= hand:
            yield run


@functools.cache
def _naive_points(hand: tuple[str, ...]) -> int:
    if not hand:
        return 0
    first, held = hand[0], frozenset(hand)
    return min(
        WORTH[first[0]] + naive_points(held - {first}),
        *(naive_points(held - meld) for meld in _melds_of(first, held)),
        999,
    )


def naive_costs(view: rv.View, turn: int) -> dict[str, float]:
    """
    The sums of 4, from the words of the description.
    """
    hand = frozenset(map(str, view.hand))
    taken = str(view.drawn[0]) if isinstance(view.actions[-1], rv.Take) else ""
    unseen = {str(card) for card in view.unseen}
    known = {str(card) for card in view.known[1 - view.seat]}
    least = naive_points(hand)
    # Unmatched in a best division: left over, and the others then have no more.
    loose = [
        one
        for one in hand - {taken}
        if WORTH[one[0]] + naive_points(hand - {one}) == least
    ]
    dearest = max((WORTH[one[0]] for one in loose), default=0)
    considered = [one for one in loose if WORTH[one[0]] >= dearest - 5]
    found = {}
    for one in considered or hand - {taken}:
        rest = hand - {one}
        next_ones = sorted(
            min(naive_points((rest | {new}) - {gone}) for gone in rest | {new})
            for new in unseen
        )[:7]
        place, suit = RANKS.index(one[0]), one[1]
        near = {
            step: RANKS[place + step] + suit if 0 <= place + step < 13 else ""
            for step in (-2, -1, 1, 2)
        }
        gone = {step for step, card in near.items() if card not in unseen | known}
        held = {step for step, card in near.items() if card in known}
        if place >= 11:
            gone = gone - {2} | {1}
        mates = [one[0] + other for other in "cdhs" if other != suit]
        settling = ({-1, 1}, {-2, 1}, {-1, 2})
        danger = (
            -10
            if any(pair <= gone for pair in settling)
            else -5 * len(gone & {-1, 1}) - 3 * len(gone & {-2, 2})
        )
        danger += (
            20
            if any(pair <= held for pair in settling)
            else 5 * len(held & {-1, 1}) + 3 * len(held & {-2, 2})
        )
        out = sum(card not in unseen | known for card in mates)
        danger += 4 if out == 0 else -4 if out == 1 else -10
        danger += 20 if sum(card in known for card in mates) >= 2 else 0
        to_come = sum(next_ones) / len(next_ones) if next_ones else 0
        found[one] = naive_points(rest) + 18 * 0.9 ** (turn - 1) * to_come + danger
    return found


@pytest.mark.long
def test_winner_4_makes_the_discard_with_the_lowest_sum_as_a_naive_twin_adds_it():
    rng = random.Random(4)
    compared = 0
    for seed in range(4):
        state = rv.new_game(rules(), 2, seed=seed)
        for done in play_on(state, [WINNER, WINNER], seed):
            before = done.before
            if done.after.is_round_over:
                break
            if before.phase != "play" or rng.random() < 0.75:
                continue
            seat = before.turn
            view = rv.view(before, seat)
            wanted = naive_costs(view, before.turns[seat] + 1)
            hand = hand_of(view)
            sight = eaai_winner.Sight(view)
            costs = eaai_winner.discards(hand, sight, before.turns[seat] + 1)
            costs = {str(CARDS[code]): cost for code, cost in costs.items()}
            assert costs == pytest.approx(wanted)
            best = {one for one, cost in costs.items() if cost == min(costs.values())}
            assert {
                one.split(":")[0].split()[1] for one in chosen(WINNER, before)
            } == best
            compared += 1
    assert compared >= 10


def test_winner_4_chooses_at_random_among_equals():
    # Neither black king can become part of a meld, for this player or the other.
    state = position("2c 3c 4c 7h 8h 9h Ad Td 5s Kc Ks", discards="Qc Qs Jc Js Kd Kh")
    view = rv.view(state, 0)
    costs = eaai_winner.discards(hand_of(view), eaai_winner.Sight(view), 1)
    least = min(costs.values())
    assert {str(CARDS[one]) for one in costs if costs[one] == least} == {"Kc", "Ks"}
    assert chosen(WINNER, state) == {"discard Kc", "discard Ks"}


FILLER = "Ac 2c Jh Qh Kh Js Qs Ks Ah 2h"


@pytest.mark.parametrize(
    ("card", "gone", "known", "danger"),
    [
        ("7d", "", "", 4),
        ("7d", "8d", "", 4 - 5),
        ("7d", "9d", "", 4 - 3),
        ("7d", "5d 9d", "", 4 - 6),
        ("7d", "8d 9d", "", 4 - 8),
        ("7d", "6d 8d", "", 4 - 10),
        ("7d", "5d 8d", "", 4 - 10),
        ("7d", "6d 9d", "", 4 - 10),
        ("7d", "", "8d", 4 + 5),
        ("7d", "", "9d", 4 + 3),
        ("7d", "", "8d 9d", 4 + 8),
        ("7d", "", "6d 8d", 4 + 20),
        ("7d", "", "5d 8d", 4 + 20),
        ("7d", "", "6d 9d", 4 + 20),
        ("7d", "7c", "", -4),
        ("7d", "7c 7s", "", -10),
        ("7d", "7c 7s 7h", "", -10),
        ("7d", "", "7c", 4),
        ("7d", "", "7c 7s", 4 + 20),
        ("7d", "7h", "7c 7s 8d", -4 + 20 + 5),
        ("Ad", "", "", -10 - 8),  # two aces of the hand are out of reach
        ("2d", "", "", -10 - 3),
        ("Qd", "", "", -10 - 5),
        ("Qd", "Td", "", -10 - 10),
        ("Kd", "", "", -10 - 5),
        ("Jd", "", "", -10),
    ],
)
def test_winner_6_danger(card, gone, known, danger):
    state = position(f"{FILLER} {card}", discards=f"{gone} As", known=known)
    sight = eaai_winner.Sight(rv.view(state, 0))
    assert eaai_winner.danger(sight, rv.Card(card).code) == danger


def test_winner_5_counts_what_is_to_come_less_from_turn_to_turn():
    state = position(f"{LOOSE} 7d")
    view = rv.view(state, 0)
    hand, sight = hand_of(view), eaai_winner.Sight(view)
    costs = [eaai_winner.discards(hand, sight, turn) for turn in (1, 2, 3)]
    for code in costs[0]:
        still = hand.minus(code).points + eaai_winner.danger(sight, code)
        weights = [one[code] - still for one in costs]
        assert weights[0] == pytest.approx(
            18 * eaai_winner.to_come(hand.minus(code), sight)
        )
        assert weights[1:] == pytest.approx([0.9 * weights[0], 0.81 * weights[0]])


@pytest.mark.parametrize(
    ("hand", "turns", "knocks"),
    [
        ("2c 3c 4c 7h 8h 9h Js Qs Ks 9d 9s", 0, True),
        ("2c 3c 4c 7h 8h 9h Js Qs Ks 9d 9s", 2, True),
        ("2c 3c 4c 7h 8h 9h Js Qs Ks 9d 9s", 3, False),
        ("2c 3c 4c 7h 8h 9h Js Qs Ks Ad Kd", 3, False),
        ("2c 3c 4c 5c 7h 8h 9h 6d Ad 4s Kc", 0, False),  # eleven
        ("2c 3c 4c 7h 8h 9h Ts Js Qs Ks Kd", 3, True),
        ("2c 3c 4c 7h 8h 9h Ts Js Qs Ks Kd", 15, True),
    ],
)
def test_winner_7_knocks_in_three_turns_and_then_only_with_gin(hand, turns, knocks):
    found = chosen(WINNER, turned(position(hand), turns))
    assert {one.startswith("knock") for one in found} == {knocks}


@pytest.mark.parametrize(
    ("discards", "known", "melds"),
    [
        # Three fourths of sets cost 9; the ends of the runs cost 2 and 4 each.
        ("9c", "", {"2c 2d 2h", "3c 3d 3h", "4c 4d 4h"}),
        ("Ac Ad Ah 5c 5d 9c", "", {"2c 3c 4c", "2d 3d 4d", "2h 3h 4h"}),
        ("Ac Ad Ah 5c 5d 9c", "5h", {"2c 3c 4c", "2d 3d 4d", "2h 3h 4h"}),
        ("Ac Ad Ah 5c 5d 5h 2s 3s 4s 9c", "", None),
    ],
)
def test_winner_8_shows_the_melds_on_which_least_can_be_laid_off(
    discards, known, melds
):
    state = position("2c 2d 2h 3c 3d 3h 4c 4d 4h 8s Ks", discards=discards, known=known)
    found = chosen(WINNER, state)
    assert {one[:5] for one in found} == {"knock"}
    shown = {frozenset(one.partition(": ")[2].split(" / ")) for one in found}
    assert len(shown) == 1
    assert melds is None or shown == {frozenset(melds)}


# ---------------------------------------------------------------------------- bots


@pytest.mark.parametrize("bot", [SIMPLE, WINNER], ids=["simple", "winner"])
def test_no_illegal_action_in_two_hundred_random_hands(bot):
    rows = rv.simulate(rules(), [bot, RandomBot()], games=200, unit="round", seed="200")
    assert Counter(row.status for row in rows) == {"finished": 200}


def test_what_is_hidden_changes_no_choice():
    rng = random.Random(9)
    phases = Counter()
    for seed in range(8):
        state = rv.new_game(rules(), 2, seed=seed)
        for number, done in enumerate(play_on(state, [SIMPLE, CarefulBot()], seed)):
            before = done.before
            if before.to_act:
                seat = next_to_decide(before)
                views = [
                    rv.view(one, seat) for one in (before, exchanged(before, seat, rng))
                ]
                for bot in (SIMPLE, WINNER):
                    one, other = (
                        bot.choose(view, random.Random(number)) for view in views
                    )
                    assert one == other
                    assert rv.check(before, one)
                phases[before.phase] += 1
            if done.after.is_round_over:
                break
    assert {"offer", "draw", "play", "layoff"} <= set(phases)


def test_the_search_bot_needs_no_row_since_it_plays_as_the_careful_one():
    state = rv.new_game(rules(), 2, seed=5)
    for done in play_on(state, [CarefulBot()] * 2, seed=5):
        if done.before.to_act:
            view = rv.view(done.before, next_to_decide(done.before))
            assert SearchBot().choose(view, random.Random(1)) == done.action
        if done.after.is_round_over:
            break
    assert not {"search"} & {row["bot"] for row in gin_panel.declared()}


# -------------------------------------------------------------------------- figures


@pytest.mark.parametrize("number", range(11))
def test_the_sign_test_counts_all_ways_that_a_fair_coin_can_fall(number):
    ways = [sum(one) for one in itertools.product((0, 1), repeat=number)]
    for won in range(number + 1):
        least = max(won, number - won)
        as_far = sum(max(one, number - one) >= least for one in ways)
        assert sign_test(won, number) == pytest.approx(as_far / len(ways))


def _game(number: int, winner: str, scores: tuple[int, int]) -> GameRow:
    names = ("a", "b") if number % 2 == 0 else ("b", "a")
    if number % 2:
        scores = (scores[1], scores[0])
    return GameRow(
        number,
        number // 2,
        "",
        names,
        "finished",
        "",
        None,
        scores,
        (names.index(winner),),
        (),
        0,
    )


def test_the_figures_are_those_of_pairs():
    rng = random.Random(2)
    winners = rng.choices("ab", [3, 1], k=60)
    scores = [
        (100, rng.randrange(100)) if one == "a" else (rng.randrange(100), 100)
        for one in winners
    ]
    games = [
        _game(at, *one) for at, one in enumerate(zip(winners, scores, strict=True))
    ]
    found = gin_panel.figures(games, "a")
    pairs = [winners[at : at + 2].count("a") for at in range(0, 60, 2)]
    assert found["wins"] == winners.count("a")
    assert found["share"] == pytest.approx(winners.count("a") / 60)
    error = statistics.stdev([one / 2 for one in pairs]) / 30**0.5
    assert found["share_half"] == pytest.approx(1.959964 * error)
    assert found["pairs_won"] == [pairs.count(2), pairs.count(1), pairs.count(0)]
    assert found["sign_test"] == sign_test(pairs.count(2), 30 - pairs.count(1))
    leads = [mine - theirs for mine, theirs in scores]
    halves = [(leads[at] + leads[at + 1]) / 2 for at in range(0, 60, 2)]
    assert found["lead"] == pytest.approx(statistics.fmean(halves))
    error = statistics.stdev(halves) / 30**0.5
    assert found["lead_half"] == pytest.approx(1.959964 * error)
    assert gin_panel.figures(games, "b")["lead"] == pytest.approx(-found["lead"])


def test_a_row_goes_on_where_it_was_interrupted(tmp_path):
    row = {**gin_panel.declared()[0], "pairs": 2, "seed": "interrupted"}
    whole = gin_panel.measure(row, tmp_path / "whole")
    path = tmp_path / "cut" / "greedy-simple.jsonl"
    path.parent.mkdir()
    text = (tmp_path / "whole" / path.name).read_text()
    lines = text.splitlines(keepends=True)
    path.write_text("".join(lines[:2]) + lines[2][:40])
    again = gin_panel.measure(row, tmp_path / "cut")
    assert path.read_text() == text
    whole.pop("decisions_a_second")
    again.pop("decisions_a_second")
    assert whole == again


# ------------------------------------------------------------------------- the page


def test_a_row_that_has_been_measured_is_not_played_again(monkeypatch):
    lines = gin_panel.known()
    monkeypatch.setattr(gin_panel, "declared", lambda: lines)
    monkeypatch.setattr(gin_panel, "measure", lambda *_: pytest.fail("played again"))
    monkeypatch.setattr(sys, "argv", ["gin_panel.py"])
    assert gin_panel.main() == 0
    monkeypatch.setattr(gin_panel, "declared", lambda: [{"bot": "x", "against": "y"}])
    with pytest.raises(pytest.fail.Exception):
        gin_panel.main()


def test_the_rows_measured_are_those_declared():
    lines = gin_panel.known()
    declared = {(row["bot"], row["against"]): row for row in gin_panel.declared()}
    assert lines
    for line in lines:
        row = declared[line["bot"], line["against"]]
        assert {key: line[key] for key in row} == row
        assert line["games"] == 2 * row["pairs"] == 2 * sum(line["pairs_won"])
        assert line["wins"] == 2 * line["pairs_won"][0] + line["pairs_won"][1]
        won, _, lost = line["pairs_won"]
        assert line["sign_test"] == pytest.approx(sign_test(won, won + lost))
        assert not line["unfinished"]
        assert line["measured"] >= row["declared"]
    assert len(gin_panel.table(lines).splitlines()) == len(lines) + 2
