"""Turns of Canasta, arranged: against every turn, played by the twin."""

from __future__ import annotations

import random

from collections import Counter

import attrs
import pytest

import arranging
import naive_canasta as twin
import rummyvariants as rv

from canasta_twin import as_twin, game_of
from rummyvariants.solver import GOALS


NAMES = "NESW"


def best_turn(start, goal):
    """
    The best that the player in turn can do, of all plays, and whether it goes out.
    """
    seen, waiting = set(), [start]
    values = []
    while waiting:
        state = waiting.pop()
        key = (state.hand, frozenset(state.table), state.phase)
        if key in seen:
            continue
        seen.add(key)
        if twin.is_fine(state):
            laid = twin.worth(start.hand) - twin.worth(state.hand)
            cards = len(start.hand) - len(state.hand)
            points = laid + bonus(state) - bonus(start)
            if goal != "most points":
                points = laid
            is_out = len(state.hand) < 2 and (state.phase == "over" or out(state))
            if is_out or state.answer != "yes":
                values.append((is_out, arranging.value_of(goal, points, laid, cards)))
        if state.phase == "play":
            waiting += [twin.do(state, text) for text in twin.plays(state)]
    best = max(value for _, value in values)
    return best, any(is_out for is_out, _ in values)


def out(state):
    """
    Whether the player can discard the last card.
    """
    return len(state.hand) == 1 and twin.may_go_out(state)


def bonus(state):
    """
    What the canastas of the side in turn count.
    """
    total = 0
    for meld in twin.own(state).values():
        if twin.is_canasta(state.game, meld):
            total += 300 if any(map(twin.is_wild, meld.cards)) else 500
    return total


def position(rules, players, hand, table=(), score=0):
    """
    A position after the draw.

    Args:
        rules: The rules.
        players: How many play.
        hand: The hand of N.
        table: The melds, each with the seat that made it.
        score: The total of N's side.
    """
    names = NAMES[:players]
    used = Counter(hand) + Counter(card for _, cards in table for card in cards)
    deck = [rank + suit for rank in "JQK456789TA" for suit in "cdhs" * 2]
    rest = [*(Counter(deck) - used).elements()]
    hands = {name: rest[at] for at, name in enumerate(names)}
    return rv.position(
        rules,
        seats=[*names],
        hands={**hands, "N": " ".join(hand)},
        phase="play",
        drawn=f"stock {hand[0]}",
        stock=" ".join(rest[5:8]),
        discards=rest[4],
        table=[f"{names[seat]}: {' '.join(cards)}" for seat, cards in table],
        scores={name: score * (name == "N") for name in names},
    )


def hold_against_every_turn(state, other, goal):
    """
    Play what is arranged, and hold it against every turn.

    Returns:
        Whether something is laid, and whether the player goes out.
    """
    found = rv.arrange(state, goal=goal)
    about = f"{state.hands[0]}, {[*map(str, state.table)]}, {goal}: {found}"
    after = state
    for action in found.actions:
        ruling = rv.check(after, action)
        assert ruling, f"{action} is {ruling}: {about}"
        after = rv.apply(after, action)
    best, goes_out = best_turn(other, goal)
    hand = state.hands[0]
    worth = twin.worth(map(str, hand)) - found.points_left
    points = found.points if goal == "most points" else worth
    got = arranging.value_of(goal, points, worth, len(hand) - found.cards_left)
    assert found.exact, f"{best} {goes_out} {about}"
    if goal == "out":
        assert found.goes_out == goes_out, about
        assert goes_out or got[0] == best[0], f"there is {best}, not {got}: {about}"
    else:
        assert got == best, f"there is {best}, not {got}: {about}"
    return bool(found.actions), found.goes_out


# ------------------------------------------------------------------ against every turn


OPTIONS = ("", "CAV-02", "CAV-08", "CAV-09", "CAV-02 CAV-03 CAV-08 CAV-09")
MINIMUMS = (
    {},
    {"meld.minimum": {-100_000: 0}},
    {"meld.minimum": {-100_000: 0, 0: 20, 1500: 30}},
    {"meld.minimum": {-100_000: 150, 0: 65}},
)
WILDS = ["2c", "2d", "2h", "2s", "2c", "*", "*", "*"]


def random_position(chance, rules, most):
    """
    A position with few ranks; canastas are smaller than usual.
    """
    players = chance.choice([2, 3, 4])
    rules = rules.with_values({"out.canasta": chance.choice([4, 5, 7])})
    ranks = chance.sample("456789TJQA", chance.choice([2, 3, 4]))
    pool = [rank + suit for rank in ranks for suit in "cdhs" * 2]
    pool += [*WILDS, "3c", "3s", "3c"]
    table = []
    for rank in chance.sample([*ranks, "K"], chance.choice([0, 0, 1, 2])):
        laid = [rank + suit for suit in "cdhs"[: chance.choice([2, 3, 4])]]
        wilds = chance.choice([0, 1, 2]) if len(laid) > 2 else 1
        laid += chance.sample(["2c", "*"], min(wilds, len(laid) - 1))
        table.append((chance.randrange(players), laid))
        pool = [*(Counter(pool) - Counter(laid)).elements()]
    hand = chance.sample(pool, chance.randint(3, most))
    score = chance.choice([-100, 0, 0, 1500, 3000])
    return position(rules, players, hand, table, score)


@pytest.mark.long
@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize(
    ("number", "most"), [(150, 6), pytest.param(500, 9, marks=pytest.mark.slow)]
)
def test_turns_of_canasta_are_the_best_of_all(option, number, most):
    chance, seen = random.Random(f"{option} {most}"), Counter()
    for _ in range(number):
        rules = rv.preset("canasta").with_options(*option.split())
        rules = rules.with_values(chance.choice(MINIMUMS))
        state = random_position(chance, rules, most)
        other = as_twin(state, game_of(state.rules, len(state.players)))
        if chance.random() < 0.5 and rv.check(state, "ask"):
            answer = chance.choice(["yes", "no"])
            state = rv.apply(rv.apply(state, "ask"), answer)
            other = attrs.evolve(other, answer=answer)
            seen[answer] += 1
        laid, is_out = hold_against_every_turn(state, other, chance.choice(GOALS))
        seen.update({"laid": laid, "out": is_out})
    assert seen["laid"] > number // 5
    assert min(seen["yes"], seen["no"]) > 0 or number < 500
    # With two canastas to be made, hardly anybody goes out.
    assert seen["out"] > number // 50 or "CAV-02" in option


@pytest.mark.parametrize(
    ("hand", "table", "score", "laid"),
    [
        # Fifty points are needed, and then further cards count as well.
        ("Kc Kd Kh 9c 9d 4s 4c", (), 0, ""),
        ("Kc Kd Kh 9c 9d * 4s 5s", (), 0, "meld 9c 9d *=9 / Kc Kd Kh"),
        ("Kc Kd Kh 9c 9d * 4s 5s", (), 1500, "meld 9c 9d *=9 / Kc Kd Kh"),
        ("Kc Kd Kh 9c 9d * 4s 5s", (), 3000, ""),
        # Six kings are one meld; the joker would spoil a natural canasta.
        ("Kc Kd Kh Ks Kc Kd 4s 5s", (), 0, "meld Kc Kc Kd Kd Kh Ks"),
        ("Kc Kd Kh Ks Kc Kd Kh * 4s 5s", (), 0, "meld Kc Kc Kd Kd Kh Kh Ks"),
        # Without a canasta a card must be left beside the discard.
        ("Kc Kd Kh 9c", ("Ac Ad Ah",), 0, ""),
        ("Kc Kd Kh 9c 9d", ("Ac Ad Ah",), 0, "meld Kc Kd Kh"),
        # With one, black threes are the last meld.
        ("3c 3s 3c 9c", ("Ac Ad Ah As Ac Ad Ah",), 0, "meld 3c 3c 3s"),
        ("3c 3s 3c 9c 8c", ("Ac Ad Ah As Ac Ad Ah",), 0, ""),
    ],
)
def test_examples(hand, table, score, laid):
    table = [(0, cards.split()) for cards in table]
    rules = rv.preset("canasta")
    state = position(rules, 4, hand.split(), table, score)
    other = as_twin(state, game_of(rules, 4))
    found = rv.arrange(state)
    assert found.exact
    melds = "; ".join(map(str, found.actions)).removeprefix("meld ").split(" / ")
    assert sorted(melds) == sorted(laid.removeprefix("meld ").split(" / "))
    for goal in GOALS:
        hold_against_every_turn(state, other, goal)


HOUSE = {
    "layoff.needs_own_meld": [False],
    "layoff.onto": ["any meld"],
    "layoff.single_wilds": [True],
    "meld.a_turn": [1, 2],
    "meld.first_natural": [True],
    "meld.last_ranks": [""],
    "meld.least_set": [4],
    "meld.minimum_waived": [False],
    "meld.natural_ranks": ["", "34"],
    "meld.one_of_a_rank": [False],
    "meld.runs": [True],
    "out.canastas": [{}, {2: 1}, {2: 2}],
    "out.empty_hand": ["refused"],
    "score.mixed_canasta": [0, 700],
    "score.natural_canasta": [0, 50],
    "wild.by_naturals": [{2: 1, 3: 2, 4: 3}, {2: 4}, {3: 1}],
    "wild.limit": ["one"],
    "wild.own_place": ["natural"],
    "wild.real_card": ["beside", "swap"],
}
"""Values of other tables that change what is laid or what it counts."""


@pytest.mark.parametrize(
    ("number", "most"), [(150, 5), pytest.param(3_000, 6, marks=pytest.mark.slow)]
)
def test_values_of_other_tables_are_arranged_as_they_are_played(number, most):
    chance, seen = random.Random(f"house {most}"), arranging.Seen()
    while seen.turns < number:
        values = {
            path: chance.choice(those)
            for path, those in HOUSE.items()
            if chance.random() < 0.05
        }
        try:
            rules = rv.preset("canasta").with_values(values | chance.choice(MINIMUMS))
            state = random_position(chance, rules, most)
        except rv.RummyError:
            continue  # these values or melds do not go together
        arranging.look_at_turn(state, chance, seen, most)
    assert seen.tried > 0.7 * number
    assert seen.unsure < 0.3 * number


def test_a_wild_that_is_put_down_may_become_a_second_canasta():
    values = {"layoff.single_wilds": True, "meld.minimum": {0: 0}, "out.canasta": 4}
    state = position(
        rv.preset("canasta").with_values(values),
        2,
        ["5s", "2d", "2h", "5h", "3s"],
        [(0, ["5c", "5d", "5h", "5s"])],
    )
    found = rv.arrange(state, goal="least cards left")
    assert [str(one) for one in found.actions] == [
        "put 2d",
        "lay 5h 5s on 2",
        "lay 2h=5 on 2",
    ]


BIG = (
    "Kc Kd Kh 9c 9d 9h 9s 4s 4c 5d 5h 8c 2c 2d *",
    "Ac Ad Ah As Kc Kd Kh Ks Qc Qd Qh Qs Jc Jd 2c 2d 2h 2s * * 7d 6s 3c 3s 3c",
    " ".join(rank + suit for rank in "456789TJQ" for suit in "cdhs")
    + " Kc Kd 2c 2d 2h 2s * * * 3c",
)


@pytest.mark.parametrize("number", range(len(BIG)))
@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("table", [(), ("Kc Kd Ks 2c", "6c 6d 6h 6s 6c 6d")])
def test_big_hands_take_little_work(number, option, table):
    rules = rv.preset("canasta").with_options(*option.split())
    lying = Counter(" ".join(table).split())
    hand = [*(Counter(BIG[number].split()) - lying).elements()]
    lines = [f"N: {cards}" for cards in table]
    for score in (0, 3000):
        state = rv.position(
            rules,
            seats=[*NAMES],
            hands={"N": " ".join(hand), "E": "Tc", "S": "Td", "W": "Th"},
            phase="play",
            drawn=f"stock {hand[0]}",
            stock="Ts",
            discards="Ac",
            table=lines,
            scores={"N": score, "S": 0, "E": 0, "W": 0},
        )
        for goal in GOALS:
            found = rv.arrange(state, goal=goal, limit=20_000)
            assert found.exact
            after = state
            for action in found.actions:
                after = rv.apply(after, action)
