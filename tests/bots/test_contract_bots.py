"""
The plans of bots for first melds that have to be certain groups.
"""

from __future__ import annotations

import itertools
import random

import pytest

import rummyvariants as rv

from rummyvariants.bots import Bot, CarefulBot, GreedyBot
from rummyvariants.bots.contracts import plan_of
from rummyvariants.cards import CARDS, holds, pack, size
from rummyvariants.files._positions import read_position


def _name(bot: Bot) -> str:
    return type(bot).__name__


TRACK = "A23456789TJQKA"


def _naive(cards, groups, length):
    """
    The fewest cards missing, by trying every place for every group.

    Sets are ranks and runs stretches of a suit; as wilds fill any place, only the
    number of natural cards counts.
    """
    wilds = sum(card.is_joker for card in cards)
    held = [str(card) for card in cards if not card.is_joker]
    ways = []
    for kind, least in groups:
        sizes = range(least, least + length - sum(n for _, n in groups) + 1)
        found = []
        for n in sizes:
            if kind == "set":
                found += [[rank + "cdhs"] * n for rank in "A23456789TJQK"]
            else:
                found += [
                    [rank + suit for rank in TRACK[low : low + n]]
                    for suit in "cdhs"
                    for low in range(len(TRACK) - n + 1)
                ]
        ways.append(found)
    fewest = length
    for melds in itertools.product(*ways):
        if sum(map(len, melds)) != length or _contiguous(melds):
            continue
        left, natural = list(held), 0
        # Runs first, as in a plan: they want one certain card for each place.
        for meld in sorted(melds, key=lambda one: len(one[0])):
            for want in meld:
                fits = [one for one in left if one[0] == want[0] and one[1] in want[1:]]
                if fits:
                    left.remove(fits[0])
                    natural += 1
        fewest = min(fewest, max(0, length - natural - wilds))
    return fewest


def _contiguous(melds):
    runs = [one for one in melds if len(one[0]) == 2]
    return any(
        one[0][1] == other[0][1] and "".join(card[0] for card in one + other) in TRACK
        for one, other in itertools.permutations(runs, 2)
    )


def _in_round(number, hand, **more):
    """
    A player of Contract Rummy with a hand to play from in a round.
    """
    hand = hand.split() if isinstance(hand, str) else hand
    position = {
        "seats": ["N", "E", "S"],
        "dealer": "S",
        "turn": "N",
        "phase": "play",
        "round": number,
        "drawn": f"stock {hand[-1]}",
        "stock": "2c 3d 4h",
        "discards": "2d",
        "hands": {"N": " ".join(map(str, hand)), "E": "5c 6d", "S": "5d 6c"},
        **more,
    }
    if position["phase"] != "play":
        del position["drawn"]
    return read_position(position, rv.preset("contract-rummy"))


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_a_plan_lacks_as_few_cards_as_any(number, seed):
    groups = [
        [("set", 3), ("set", 3)],
        [("set", 3), ("run", 4)],
        [("run", 4), ("run", 4)],
        [("set", 3), ("set", 3), ("set", 3)],
    ][number - 1]
    rng = random.Random(f"{number}/{seed}")
    others = ["2c", "3d", "4h", "2d", "5c", "6d", "5d", "6c"]
    deck = [card for card in CARDS if card.rank and card.suit in "cdhs"]
    deck += [card for card in deck if str(card) not in others]
    hand = sorted(rng.sample(deck, 11), key=str)
    state = _in_round(number, hand)
    bits = pack([card.code for card in hand])
    plan = plan_of(state, 0, bits)
    assert plan is not None
    assert plan.missing == _naive(hand, groups, sum(n for _, n in groups))
    assert holds(bits, plan.used)
    assert size(plan.used) == sum(n for _, n in groups) - plan.missing


@pytest.mark.parametrize("bot", [CarefulBot(), GreedyBot()], ids=_name)
@pytest.mark.parametrize(
    ("number", "hand", "down"),
    [
        (1, "9c 9d 9h Kc Ks * 2d 2h 4s 7c Jd", "meld 9c 9d 9h / Kc Ks *=K"),
        (2, "7c 7d 7d 4s 5s * 7s Kh Qd 2c 9h", "meld 4s 5s *=6s 7s / 7c 7d 7d"),
        # Two runs in one suit must not be contiguous.
        (3, "3s 4s 5s 6s 7s 8s 9s Ts 2d Kh 2h", "discard Kh"),
        (3, "3s 4s 5s 6s 7s 9s Ts Js Qs Kh 2h", None),
        # The last contract takes the whole hand.
        (
            7,
            "2c 3c 4c 5c 6c 8d 9d Td Jd Ah 2h 3h *",
            "meld 2c 3c 4c 5c 6c / 8d 9d Td Jd / Ah 2h 3h *=4h",
        ),
        (7, "2c 3c 4c 5c 8d 9d Td Jd Ah 2h 3h * Kh", "discard Kh"),
    ],
)
def test_a_bot_goes_down_when_no_card_is_missing(bot, number, hand, down):
    state = _in_round(number, hand)
    chosen = bot.choose(rv.view(state, 0), random.Random(0))
    assert rv.check(state, chosen)
    if down is None:
        assert str(chosen).startswith("meld")
    else:
        assert sorted(str(chosen).partition(" ")[2].split(" / ")) == sorted(
            down.partition(" ")[2].split(" / ")
        )


@pytest.mark.parametrize("bot", [CarefulBot(), GreedyBot()], ids=_name)
@pytest.mark.parametrize(
    ("upcard", "taken"), [("Kh", True), ("*", True), ("3h", False)]
)
def test_a_bot_takes_or_buys_what_its_contract_lacks(bot, upcard, taken):
    hand = "9c 9d 9h Kc Ks 2d 4s 6c 8d Jd"
    state = _in_round(1, hand, phase="draw", discards=upcard)
    chosen = bot.choose(rv.view(state, 0), random.Random(0))
    assert str(chosen) == ("take 1" if taken else "pass")
    state = _in_round(
        1,
        "5c 6d",
        phase="draw",
        discards=upcard,
        hands={"N": "5c 6d", "E": hand, "S": "5d 6c"},
    )
    state = rv.apply(state, "pass")
    assert state.phase == "buy"
    chosen = bot.choose(rv.view(state, 1), random.Random(0))
    assert str(chosen) == ("buy" if taken else "pass")


@pytest.mark.parametrize("goal", ["most points", "least points left", "out"])
def test_an_arrangement_before_the_first_melds_is_legal_and_exact(goal):
    state = _in_round(2, "7c 7d 7d 4s 5s * 7s Kh Qd 2c 9h")
    found = rv.arrange(state, goal=goal)
    assert found.exact
    assert [str(one) for one in found.actions] == ["meld 7c 7d 7d / 4s 5s *=6s 7s"]
    assert rv.check(state, found.actions[0])
