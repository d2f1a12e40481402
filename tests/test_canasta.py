"""Canasta beside its twin, which knows only the rules: random deals and tiny ones."""

from __future__ import annotations

import random

from collections import deque
from collections.abc import Iterable

import attrs
import pytest

import naive_canasta as twin
import rummyvariants as rv

from rummyvariants.bots import bot
from rummyvariants.game._engine import candidates, endings
from rummyvariants.game._engine.outs import goes_out
from rummyvariants.game._engine.permission import allowed


def beside(rules: rv.Ruleset, game: twin.Game, seed: int) -> str:
    """
    Play a deal at random, and compare all that may be done and what it brings.

    Returns:
        How the deal ended.
    """
    chance = random.Random(seed)
    state = rv.new_game(rules, game.players, seed=seed, dealer=game.players - 1)
    first = state.history[0]
    assert isinstance(first, rv.Deal)
    deck = [str(card) for card in first.cards]
    other = twin.deal(game, deck, dealer=game.players - 1)
    while not state.is_round_over:
        listed = list(rv.legal_actions(state))
        here = {twin.plain(str(one)) for one in listed}
        there = {twin.plain(one) for one in twin.legal(other)}
        assert here == there, (rv.view(state, None), here ^ there)
        action = chance.choice(listed)
        assert action.seat == other.to_act
        state, other = rv.apply(state, action), twin.do(other, str(action))
    assert other.phase == "over"
    result = state.result
    assert result is not None
    for side in range(game.sides):
        seats = range(side, game.players, game.sides)
        assert sum(result.points[seat] for seat in seats) == twin.points(other, side)
    assert result.how == other.how
    return result.how


GAMES = {
    2: attrs.evolve(twin.FOR_TWO, one_by_one=False),
    3: attrs.evolve(twin.FOR_THREE, one_by_one=False),
    4: attrs.evolve(twin.FOR_FOUR, one_by_one=False),
}


@pytest.mark.parametrize("players", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_random_deals_are_those_of_the_twin(players: int, seed: int) -> None:
    beside(rv.preset("canasta"), GAMES[players], seed)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("option", "changed"),
    [
        ("CAV-01", {"turn_black": True}),
        ("CAV-02", {"to_go_out": 2}),
        ("CAV-03", {"draws": 2}),
        ("CAV-04", {"always_frozen": True}),
        ("CAV-05", {"closed": True}),
        ("CAV-06", {"no_pile": True}),
        ("CAV-07", {"nothing_down": True}),
        ("CAV-08", {"fewer_wilds": True}),
        ("CAV-09", {"wild_melds": True}),
    ],
)
def test_deals_with_options_are_those_of_the_twin(
    option: str, changed: dict[str, bool | int], seed: int
) -> None:
    rules = rv.preset("canasta").with_options(option)
    for players in (2, 4):
        beside(rules, attrs.evolve(GAMES[players], **changed), seed)


@pytest.mark.long
@pytest.mark.parametrize("players", GAMES)
@pytest.mark.parametrize("seed", range(3, 40))
def test_many_random_deals_are_those_of_the_twin(players: int, seed: int) -> None:
    beside(rv.preset("canasta"), GAMES[players], seed)


# -------------------------------------------------------------------- tiny positions


SIZE = 4
"""How many cards are a canasta in tiny positions."""
TINY = {"out.canasta": SIZE, "meld.minimum": {0: 15}}
FEW = [rank + suit for rank in "456" for suit in "cdhs" * 2]
FEW += ["2c", "2d", "2h", "*", "*", "3c", "3s"]
NAMES = "NESW"


def tiny(
    rules: rv.Ruleset, game: twin.Game, chance: random.Random
) -> tuple[rv.State, twin.State]:
    """
    A position with few cards, with some melds on the table, and that of the twin.
    """
    deck = chance.sample(FEW, len(FEW))
    hands = [
        twin.in_order(deck.pop() for _ in range(chance.choice((2, 3, 4))))
        for _ in range(game.players)
    ]
    stock = [deck.pop() for _ in range(chance.choice((1, 2, 3, 4)))]
    pile = [deck.pop(), deck.pop()]
    names, table, lines, melders = NAMES[: game.players], [], [], set()
    for rank in chance.sample("789", chance.choice((1, 2, 3))):
        seat = chance.randrange(game.players)
        meld = [rank + suit for suit in "cdhs"[: chance.choice((3, 4, 4, 4))]]
        table.append(twin.Spread(seat % game.sides, rank, twin.in_order(meld)))
        lines.append(f"{names[seat]}: {' '.join(meld)}")
        melders.add(seat)
    other = twin.State(
        game,
        hands=tuple(hands),
        stock=tuple(stock),
        pile=tuple(pile),
        table=tuple(table),
        melders=frozenset(melders),
        lay_before=len(table),
    )
    state = rv.position(
        rules,
        seats=[*names],
        hands=dict(zip(names, map(" ".join, hands), strict=True)),
        stock=" ".join(stock),
        discards=" ".join(pile),
        table=lines,
    )
    return state, other


def walk(state: rv.State, other: twin.State, most: int) -> int:
    """
    Go through states of a deal, near ones and far ones, and compare with the twin's.

    Returns:
        In how many of them the partner may be asked.
    """
    known = {(state, other)}
    waiting = deque(known)
    asks = 0
    for number in range(most):
        if not waiting:
            break
        state, other = waiting.pop() if number % 2 else waiting.popleft()
        if state.is_round_over:
            assert other.phase == "over"
            assert state.result is not None
            assert state.result.how == other.how
            for side in range(other.game.sides):
                seats = range(side, other.game.players, other.game.sides)
                points = [state.result.points[seat] for seat in seats]
                assert sum(points) == twin.points(other, side)
            continue
        listed = list(rv.legal_actions(state))
        here = {twin.plain(str(one)) for one in listed}
        there = {twin.plain(one) for one in twin.legal(other)}
        assert here == there, (other, here ^ there)
        asks += "ask" in here
        for action in listed:
            after = rv.apply(state, action), twin.do(other, str(action))
            if after not in known:
                known.add(after)
                waiting.append(after)
    return asks


CHANGED: dict[str, dict[str, bool | int]] = {
    "": {},
    "CAV-02": {"to_go_out": 2},
    "CAV-03": {"draws": 2},
    "CAV-04": {"always_frozen": True},
    "CAV-05": {"closed": True},
    "CAV-06": {"no_pile": True},
    "CAV-07": {"nothing_down": True},
    "CAV-08": {"fewer_wilds": True},
    "CAV-09": {"wild_melds": True},
}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("option", CHANGED)
def test_states_of_tiny_positions_are_those_of_the_twin(
    option: str, players: int
) -> None:
    asks = walks(option, players, range(4), 150)
    assert not asks or players == 4


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("option", CHANGED)
def test_all_states_of_tiny_positions_are_those_of_the_twin(
    option: str, seed: int
) -> None:
    walks(option, 4, [seed], 6_000)


def test_the_partner_is_asked_in_tiny_positions() -> None:
    assert walks("", 4, range(4, 12), 300) > 10


def walks(option: str, players: int, seeds: Iterable[int], most: int) -> int:
    """
    Walk through tiny positions with an option.

    Returns:
        In how many states the partner may be asked.
    """
    rules = rv.preset("canasta").with_values(TINY)
    if option:
        rules = rules.with_options(option)
    game = attrs.evolve(
        GAMES[players],
        canasta=SIZE,
        minimums=((-1_000_000, 15),),
        **CHANGED[option],  # type: ignore[arg-type]
    )
    chances = [random.Random(f"{option}/{players}/{seed}") for seed in seeds]
    return sum(walk(*tiny(rules, game, chance), most) for chance in chances)


@pytest.mark.parametrize("option", ["", "CAV-02", "CAV-08", "CAV-09"])
def test_a_glance_at_a_whole_hand_sees_what_the_search_finds(
    option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "_LOOKS", 10**9)
    monkeypatch.setattr(endings, "goes_out", lambda *_: None)
    rules = rv.preset("canasta").with_values(TINY)
    if option:
        rules = rules.with_options(option)
    chance = random.Random(option)
    found = dict.fromkeys([True, False], 0)
    while min(found.values()) < 25:
        state = asker(rules, chance)
        after = allowed(state)
        seen = goes_out(after, 0)
        assert seen == endings.can_finish(after, 0), state
        found[bool(seen)] += 1


def asker(rules: rv.Ruleset, chance: random.Random) -> rv.State:
    """
    A player with some cards of few ranks, after the draw, behind some melds.
    """
    ranks = chance.sample("456789", 3)
    pool = [rank + suit for rank in ranks for suit in "cdhs" * 2]
    pool += ["2c", "2d", "2h", "2s", "*", "*", "3c", "3s", "3c"]
    table = []
    for rank in chance.sample([*ranks, "K", "Q"], chance.choice((0, 1, 2))):
        laid = [rank + suit for suit in "cdhs"[: chance.choice((2, 3, 4))]]
        laid += ["2c", "*"][: chance.choice((0, 1, 2)) if len(laid) > 2 else 1]
        table.append(f"{chance.choice('NSE')}: {' '.join(laid)}")
        for card in laid:
            if card in pool:
                pool.remove(card)
    hand = chance.sample(pool, chance.choice((2, 3, 4, 5)))
    return rv.position(
        rules,
        seats=[*NAMES],
        hands={"N": " ".join(hand), "E": "Tc", "S": "Td", "W": "Th"},
        phase="play",
        stock="Ts",
        discards="Ac",
        table=table,
    )


# ------------------------------------------------------------------- bots as partners


@pytest.mark.parametrize("name", ["greedy", "careful"])
def test_bots_ask_a_partner_with_many_cards_and_answer_by_their_points(
    name: str,
) -> None:
    player = bot(name)
    chance = random.Random(1)
    for held, asked, answer in (
        ("8c 8d", "meld", "yes"),
        ("8c 8d 8h 6d 7d", "ask", "yes"),
        ("* * 8h 6d 7d", "ask", "no"),
    ):
        state = rv.position(
            "canasta",
            hands={"N": "4c 4d 4h 5c", "E": "6c 7c", "S": held, "W": "9c 9d"},
            phase="play",
            table=["N: Kc Kd Kh Ks Kc Kd Kh"],
            stock="Tc Td",
            discards="7h",
        )
        action = player.choose(rv.view(state, 0), chance)
        assert str(action).split()[0] == asked
        question = rv.apply(state, "ask")
        assert str(player.choose(rv.view(question, 2), chance)) == answer
