"""
First melds that are laid together, arranged: against every turn, played by the twin.
"""

from __future__ import annotations

import itertools
import random

from collections import Counter

import attrs
import pytest

import arranging
import rummyvariants as rv
import turn_twin

from amounts import every_third
from rummyvariants.files._positions import read_position
from rummyvariants.solver import GOALS


OPTIONS = {
    "contract-rummy": (
        (),
        ("COV-02",),
        ("COV-16",),
        ("COV-17",),
        ("COV-02", "COV-16", "COV-17"),
        ("COV-02", "COV-04"),
        ("COV-02", "COV-03"),
        ("COV-09",),
        ("COV-18", "COV-02"),
    ),
    "liverpool-rummy": ((), ("COV-02",), ("COV-17",)),
    "shanghai-rummy": ((), ("COV-02",), ("COV-17",), ("COV-02", "COV-17")),
}
"""By game with contracts, options that change what a turn may bring."""
CONTRACTS = [
    (name, number)
    for name in OPTIONS
    for number in range(1, rv.preset(name).match.rounds + 1)
]
TABLES = (
    (),
    ("E: 9c 9d 9h",),
    ("E: 5h 6h *=7h 8h", "E: Kc Kd *=K"),
    ("E: 3s *=4s 5s 6s", "E: 9d Td Jd Qd Kd", "E: 2c 2d 2h"),
)
"""What lies on the table before the first melds."""


def shown(found):
    return "; ".join(map(str, found.actions))


def turns_before(name, number, count, tables=TABLES):
    """
    Turns in which a contract of a game may be laid, and their judges.
    """
    chance = random.Random(f"{name} {number}")
    games = [rv.preset(name).with_options(*those) for those in OPTIONS[name]]
    while count:
        rules = chance.choice(games)
        if number > rules.match.rounds:
            continue
        twin = turn_twin.Twin(in_round(rules, number, "7c"))
        size = sum(least for _, least in twin.groups) + chance.choice([0, 1, 1, 2, 3])
        hand = likely_hand(rules, twin.groups, size, chance)
        try:
            state = in_round(rules, number, hand, chance.choice(tables))
        except rv.errors.PositionError:
            continue  # the deck has not so many of a card
        count -= 1
        yield twin, state, chance


def in_round(rules, number, hand, table=(), drawn=None):
    """
    A player with a hand to play from in a round.
    """
    hand = hand.split() if isinstance(hand, str) else [*map(str, hand)]
    seats = [*"NESW"][: max(2, rules.match.players[0])]
    words = [word.partition("=")[0] for meld in table for word in meld.split()[1:]]
    left = Counter(map(str, arranging.Table(rules, len(seats)).deck()))
    left.subtract([*hand, *words])
    rest = sorted(left.elements(), reverse=True)
    hands = {seat: rest[at] for at, seat in enumerate(seats)}
    return read_position(
        {
            "seats": seats,
            "dealer": seats[-1],
            "turn": "N",
            "phase": "play",
            "round": number,
            "drawn": drawn or f"stock {hand[-1]}",
            "stock": " ".join(rest[5:8]),
            "discards": rest[4],
            "table": [*table],
            "hands": {**hands, "N": " ".join(hand)},
        },
        rules,
    )


def hold_against_every_turn(twin, state, goal, *, layoffs=True):
    """
    Play what is arranged, and hold it against every turn.

    Returns:
        Whether something is laid.
    """
    seat = state.turn
    hand = state.hands[seat]
    found = rv.arrange(state, goal=goal, layoffs=layoffs)
    about = f"{hand}, {[*map(str, state.table)]}, {goal}, {layoffs=}: {found}"
    after = state
    for action in found.actions:
        ruling = rv.check(after, action)
        assert ruling, f"{action} is {ruling}: {about}"
        after = rv.apply(after, action)
    assert found.exact, about
    if after.phase == "play" and after.turn == seat and not after.is_round_over:
        assert after.hands[seat] == found.left, about
    best = turn_twin.best_turn(twin, state, goal, layoffs=layoffs)
    worth = sum(state.dealt.terms.worth[card.code] for card in hand)
    got = arranging.value_of(
        goal, found.points, worth - found.points_left, len(hand) - found.cards_left
    )
    if goal == "out":
        is_out = turn_twin.goes_out(twin, state, layoffs=layoffs)
        assert found.goes_out == is_out, about
        assert is_out or got[0] == best[0], f"there is {best}, not {got}: {about}"
    else:
        assert got == best, f"there is {best}, not {got}: {about}"
    return bool(found.actions)


def likely_hand(rules, groups, size, chance):
    """
    A hand in which a contract may lie: most of it, some jokers, and other cards.
    """
    deck = arranging.Table(rules, 3).deck()
    cards = []
    for kind, number in groups:
        if kind == "set":
            rank = chance.choice("3456789TJQKA")
            cards += [rv.Card(rank + chance.choice("cdhs")) for _ in range(number)]
        else:
            low = chance.randrange(15 - number)
            suit = chance.choice("cdhs")
            track = "A23456789TJQKA"[low : low + number]
            cards += [rv.Card(rank + suit) for rank in track]
    jokers = [rv.Card("*")] * chance.choice([0, 0, 1, 1, 2, 3])
    chance.shuffle(cards)
    kept = cards[: max(0, len(cards) - chance.randint(0, len(jokers) + 1))]
    left = Counter(deck)
    hand = []
    for card in (*jokers, *kept, *chance.sample(deck, len(deck))):
        if left[card] and len(hand) < size:
            left[card] -= 1
            hand.append(card)
    chance.shuffle(hand)
    return hand


# -------------------------------------------------------------- against every turn


@pytest.mark.long
@pytest.mark.parametrize(("name", "number"), CONTRACTS)
def test_first_melds_are_the_best_of_all(name, number):
    laid = 0
    for twin, state, chance in turns_before(name, number, 4):
        goal, layoffs = chance.choice(GOALS), chance.random() < 0.8
        laid += hold_against_every_turn(twin, state, goal, layoffs=layoffs)
    assert laid


@pytest.mark.long
@pytest.mark.parametrize(("name", "number"), CONTRACTS)
def test_first_melds_are_the_best_of_all_in_many_turns(name, number):
    laid = 0
    for twin, state, chance in turns_before(name, number, 12):
        for goal in chance.sample(GOALS, 2):
            layoffs = chance.random() < 0.8
            laid += hold_against_every_turn(twin, state, goal, layoffs=layoffs)
    assert laid > 4


@rv.house.register_rule("meld", "no kings at first")
@attrs.frozen
class NoKings(rv.house.HouseRule):
    """No king is melded in the first round."""

    def may_lay(self, turn, meld):
        return turn.round_number > 1 or meld.rank != "K"


def test_a_rule_that_only_says_no_is_heard():
    rules = rv.preset("contract-rummy").with_values({"meld.rules": [NoKings()]})
    state = in_round(rules, 1, "Kc Kd Kh 9c 9d 9h 4c 4d 4h 2c 2d")
    for goal in GOALS:
        found = rv.arrange(state, goal=goal)
        assert found.exact
        assert found.left == rv.Cards("2c 2d Kc Kd Kh")
        assert rv.check(state, found.actions[0])


def test_a_seat_out_of_turn_may_be_asked_for_its_first_melds():
    state = in_round(rv.preset("contract-rummy"), 1, "Kc Kd Kh 9c 9d 9h 9s 2d")
    state = rv.apply(state, "discard 2d")
    found = rv.arrange(state, 0, "least points left")
    assert (shown(found), found.exact) == ("meld 9c 9d 9h / Kc Kd Kh", True)


@pytest.mark.parametrize(
    ("options", "number", "hand", "laid", "left"),
    [
        # Jokers count 15, so one takes the place of a two.
        ((), 1, "2c 2d 2h Kc Kd Kh * 4s", 1, "2h 4s"),
        (("COV-02",), 1, "2c 2d 2h Kc Kd Kh * 4s", 2, "4s"),
        # A fourth card is laid off, and two runs may not be contiguous.
        ((), 3, "3c 4c 5c 6c 7c 8c 9c Tc Jc 2d", 1, "7c 2d"),
        (("COV-17",), 3, "3c 4c 5c 6c 7c 8c 9c Tc Jc 2d", 1, "2d"),
        # The last contract takes the whole hand, or all but the discard.
        ((), 7, "3c 4c 5c 6c 3d 4d 5d 6d 3h 4h 5h 6h 7h", 1, ""),
        ((), 7, "3c 4c 5c 6c 3d 4d 5d 6d 3h 4h 5h 6h Kh", 0, None),
        (("COV-16",), 7, "3c 4c 5c 6c 3d 4d 5d 6d 3h 4h 5h 6h Kh", 1, "Kh"),
    ],
)
def test_what_a_contract_leaves(options, number, hand, laid, left):
    rules = rv.preset("contract-rummy").with_options(*options)
    found = rv.arrange(in_round(rules, number, hand), goal="least points left")
    assert found.exact
    assert len(found.actions) == laid
    assert found.left == rv.Cards(hand if left is None else left)


TINY = {
    "deck.ranks": "3456",
    "deck.suits": "dh",
    "deck.packs": 2,
    "meld.least_run": 3,
    "deal.by_round": {1: 5},
}
"""A deck of which all hands can be looked at."""
TINY_GAMES = (
    {"meld.contracts": ["set 3, run 3"]},
    {"meld.contracts": ["run 3, run 3"], "layoff.since": "the same turn"},
    {"meld.contracts": ["set 3, set 3"], "meld.contract_size": "at least"},
    {"meld.contracts": ["set 3"], "meld.last_contract": "all but a discard"},
)


@pytest.mark.parametrize("values", TINY_GAMES, ids=lambda one: one["meld.contracts"][0])
@pytest.mark.parametrize(
    "every",
    [
        40,
        pytest.param(6, marks=pytest.mark.long),
        pytest.param(1, marks=pytest.mark.slow),
    ],
)
def test_first_melds_of_all_hands_of_a_tiny_deck(values, every):
    last = {"meld.last_contract": "like the others"}
    rules = rv.preset("contract-rummy").with_values({**TINY, **last, **values})
    deck = sorted(arranging.Table(rules, 3).deck())
    hands = sorted({*itertools.combinations(deck, 7)})
    twin = turn_twin.Twin(in_round(rules, 1, hands[0]))
    laid = 0
    for number, hand in enumerate(hands[::every]):
        state = in_round(rules, 1, hand)
        laid += hold_against_every_turn(twin, state, GOALS[number % 4])
    assert laid > len(hands) // every // 20


MINE = (
    ("N: 4c 4d 4h", "N: 7s 8s *=9s Ts", "E: 3h *=4h 5h 6h", "E: Qc Qd *=Q"),
    ("N: 4c 4d 4h", "N: 7s 8s 9s Ts", "E: 2h 3h *=4h 5h *=6h", "E: Qc Qd *=Q"),
)
"""The contract of a player, and that of another."""


@pytest.mark.parametrize(
    "options", [(), ("COV-03",), ("COV-04",), ("COV-02",), ("COV-17",)]
)
@pytest.mark.parametrize("name", every_third(["contract-rummy", "shanghai-rummy"]))
def test_turns_after_the_contract_are_the_best_of_all(name, options):
    """
    Nothing is melded, and jokers that are traded for are laid off again.
    """
    chance = random.Random(f"{name} {options}")
    rules = rv.preset(name).with_options(*options)
    near = "4s 4c Js Qs 9s 6s 5s Jh 7h 6h 4h Ah Qh Qs Kd * Kc 8h 5c"
    laid = 0
    for number in range(16):
        hand = chance.sample(near.split(), chance.choice([3, 4, 5]))
        state = in_round(rules, 2, hand, MINE[number % 2])
        goal = GOALS[number // 2 % 4]
        laid += hold_against_every_turn(turn_twin.Twin(state), state, goal)
    assert laid > 8


VALUES = {
    "meld.contracts": (["set 3"], ["run 3"], ["set 3, set 3"], ["set 3, run 3"]),
    "meld.contract_size": ("exactly", "at least"),
    "meld.further": (True, False),
    "meld.runs_apart": (True, False),
    "meld.last_contract": ("like the others", "all but a discard", "the whole hand"),
    "layoff.since": ("the next turn", "the same turn"),
    "wild.swapped": ("kept", "used at once", "moved to an end"),
}


@pytest.mark.parametrize("layoffs", [True, False])
def test_a_contract_is_as_long_as_it_may_be_where_lay_offs_wait(layoffs):
    """
    It was left short, as if what is left over could be laid off.
    """
    rules = rv.preset("george").with_values(
        {
            "meld.contracts": ["set 3"],
            "meld.contract_size": "at least",
            "layoff.since": "the next turn",
        }
    )
    state = rv.position(
        rules,
        hands={"A": "4c 7c 4d 5h 4s", "B": "9c Td", "C": "8h Ts"},
        turn="A",
        phase="play",
        drawn="stock 5h",
        table=["B: Ac Ac Ah Ad"],
        wild="5",
        stock="Jd Js",
        discards="6c",
        partial=True,
    )
    found = rv.arrange(state, goal="least points left", layoffs=layoffs)
    assert shown(found) == "meld 4c 4d 4s 5h=4"


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_contracts_in_games_of_other_rules(seed):
    """
    Further melds, lay-offs before the contract, aces that are low, and so on.
    """
    chance, seen = random.Random(f"contracts {seed}"), Counter()
    while seen["turns"] < 300:
        values = {
            name: chance.choice(those)
            for name, those in VALUES.items()
            if name == "meld.contracts" or chance.random() < 0.5
        }
        size = {"deal.hand_size": chance.choice([5, 6])}
        natural = {"meld.first_natural": chance.random() < 0.1}
        table = arranging.random_table(chance, **size, **natural, **values)
        rules = table.rules
        if rules.meld.concealed or arranging.counts_fours(rules):
            continue
        try:
            state = rv.new_game(rules, table.players, seed=chance.randrange(10**6))
        except rv.RummyError:
            continue
        look_at_turns(state, chance, seen)
    assert seen["laid"] > 10
    assert seen["unsure"] < seen["turns"] // 5


def look_at_turns(state, chance, seen):
    """
    Go on with a game at random, and hold what is arranged against every turn.
    """
    for _ in range(40):
        if state.phase == "deal":
            state = rv.game.deal(state)
        if not state.to_act:
            return
        seat = state.to_act[0]
        if state.phase == "play" and len(state.hands[seat]) < 8:
            look_at_turn(state, chance, seen)
        moves = [*itertools.islice(rv.legal_actions(state, seat), 40)]
        if not moves:
            return
        plays = [one for one in moves if str(one).startswith(("meld", "lay"))]
        if chance.random() < 0.5:
            moves = plays or moves
        state = rv.apply(state, chance.choice(moves))


def look_at_turn(state, chance, seen):
    """
    Hold what is arranged against every turn.
    """
    goal, layoffs = chance.choice(GOALS[:3]), chance.random() < 0.8
    found = rv.arrange(state, goal=goal, layoffs=layoffs)
    twin = turn_twin.Twin(state)
    best = turn_twin.best_turn(twin, state, goal, layoffs=layoffs, most=300)
    if best is None:
        return
    hand = state.hands[state.turn]
    worth = sum(state.dealt.terms.worth[card.code] for card in hand)
    used = worth - found.points_left, len(hand) - found.cards_left
    got = arranging.value_of(goal, found.points, *used)
    assert got == best or (got < best and not found.exact), (
        f"there is {best}, not {got}: {state.rules!r}, {hand}, "
        f"{[*map(str, state.table)]}, {goal}, {layoffs=}: {found}"
    )
    seen["turns"] += 1
    seen["laid"] += bool(found.actions)
    seen["unsure"] += not found.exact
