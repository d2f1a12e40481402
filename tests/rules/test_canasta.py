"""Canasta beside its twin, which knows only the rules: random deals and tiny ones."""

from __future__ import annotations

import random

from collections import deque
from collections.abc import Iterable
from typing import Any

import attrs
import pytest

import naive_canasta as twin
import rummyvariants as rv

from amounts import every_third, rest_is_slow
from keeping import keeps
from rummyvariants.bots import bot
from rummyvariants.cards import FIELD
from rummyvariants.game._engine import candidates, finish, phases
from rummyvariants.game._engine.outs import goes_out
from rummyvariants.game.verbs._permission import permitted
from rummyvariants.testing import check_legality, check_secrecy, play_match


def beside(rules: rv.Ruleset, game: twin.Game, seed: int) -> str:
    """
    Play a deal at random, and compare all that may be done and what it brings.

    Returns:
        How the deal ended.
    """
    chance = random.Random(seed)
    state = rv.new_game(rules, game.players, seed=seed, dealer=game.players - 1)
    first = state.history[0]
    assert isinstance(first, rv.actions.Deal)
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


@pytest.mark.parametrize("seed", every_third(range(2)))
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
@pytest.mark.parametrize("seed", rest_is_slow(range(3, 40), 8))
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


@pytest.mark.parametrize("players", every_third([4, 2, 3]))
@pytest.mark.parametrize("option", CHANGED)
def test_states_of_tiny_positions_are_those_of_the_twin(
    option: str, players: int
) -> None:
    asks = walks(option, players, range(4), 150)
    assert not asks or players == 4


@pytest.mark.long
@pytest.mark.parametrize("seed", rest_is_slow(range(3), 1))
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
    monkeypatch.setattr(finish, "goes_out", lambda *_: None)
    rules = rv.preset("canasta").with_values(TINY)
    if option:
        rules = rules.with_options(option)
    chance = random.Random(option)
    found = dict.fromkeys([True, False], 0)
    while min(found.values()) < 25:
        state = asker(rules, chance)
        after = permitted(state)
        seen = goes_out(after, 0)
        assert seen == finish.can_finish(after, 0), state
        found[bool(seen)] += 1


def test_a_glance_where_wilds_are_traded_says_no_only_where_the_search_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(candidates, "_LOOKS", 10**9)
    monkeypatch.setattr(finish, "goes_out", lambda *_: None)
    rules = rv.preset("canasta").with_values(TINY).with_options("PGV-P4")
    assert not rules.settled.sets_alone
    chance = random.Random(4)
    refused = 0
    for _ in range(120):
        after = permitted(asker(rules, chance))
        seen = goes_out(after, 0)
        assert seen in {None, False}
        if seen is False:
            refused += 1
            assert not finish.can_finish(after, 0), after
    assert refused > 10


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


# ------------------------------------------------------- what sets of options showed


def test_all_red_threes_count_what_they_count_together() -> None:
    """
    Three of them as well as four: 800 points are no three equal parts.
    """
    rules = rv.preset("canasta").with_values({"deck.suits": "chs", "deck.packs": 3})
    for red in ({"N": "3h 3h 3h"}, {"N": "3h 3h", "S": "3h"}):
        state = rv.position(
            rules,
            hands={"N": "4c", "E": "6c 7c", "S": "8c", "W": "9c"},
            phase="play",
            table=["N: Kc Kc Kc Kh Kh Kh Ks"],
            red_threes=red,
            stock="Tc",
            discards="7h",
        )
        result = rv.apply(state, "discard 4c").result
        assert result is not None
        points = [one.points for one in result.items if "laid out" in one.reason]
        assert sum(points) == 800


def test_a_joker_that_is_not_wild_keeps_a_hand_from_going_out() -> None:
    for option, may in ((None, True), ("R5V-04", False)):
        rules = rv.preset("canasta").with_options(*filter(None, [option]))
        state = rv.position(
            rules,
            hands={"N": "Kd Js * *", "E": "6c 7c", "S": "8c", "W": "9c"},
            phase="play",
            table=["N: Kc Kc Kh Kh Ks Ks Kd"],
            stock="Tc",
            discards="7h",
        )
        assert bool(rv.check(state, "ask")) == may


def test_a_draw_of_two_may_come_to_the_end_of_the_stock() -> None:
    state = rv.position(
        "canasta",
        hands={"N": "9c Kd", "E": "3c 2d"},
        stock="3d 3s",
        discards="Kh",
    )
    check_legality(state)
    assert len(rv.apply(state, "draw").drawn.cards) == 1


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


# ------------------------------------------------------------------- what seats know


LAST = {"seats": [*NAMES], "discards": "7h", "table": ["E: Kc Kd Kh", "N: Qc Qd Qh"]}


def test_others_know_how_many_cards_the_last_draw_brought() -> None:
    """
    Two are drawn, but not from a stock of one.
    """
    for stock, number in (("Ts", 1), ("Ts Th", 2), ("3d Ts", 1), ("3d Ts Th", 2)):
        state = rv.position(
            "canasta",
            hands={"N": "4c 5d 6h 8s Jc", "E": "7c 8d 9h"},
            stock=stock,
            discards="Qd",
        )
        after = rv.apply(state, "draw")
        view = rv.view(after, 1)
        assert rv.files.from_json(rv.files.to_json(view), rv.View) == view
        for seed in range(5):
            world = rv.determinize(view, random.Random(seed))
            assert len(world.drawn.cards) == number == len(after.drawn.cards)
            assert rv.view(world, 1) == view


def test_a_player_asked_with_an_empty_stock_is_known_to_be_able_to_take() -> None:
    hands = {"N": "9c 4d", "E": "9d 9s 5c", "S": "4c 5d 6h", "W": "6c 7d 8h"}
    state = rv.apply(
        rv.position("canasta", phase="play", hands=hands, **LAST), "discard 9c"
    )
    view = rv.view(state, 0)
    assert view.to_act == (1,)
    worlds = [rv.determinize(view, random.Random(seed)) for seed in range(30)]
    for world in worlds:
        takes = [one for one in rv.legal_actions(world) if one != rv.actions.Pass(1)]
        assert takes, world.hands[1]
    assert len({world.hands[1] for world in worlds}) > 1


def test_nobody_is_asked_in_a_position_in_which_nothing_can_be_taken() -> None:
    hands = {"N": "9c 4d", "E": "8d 9s 5c", "S": "4c 5d 6h", "W": "6c 7d 8h"}
    with pytest.raises(
        rv.errors.PositionError, match="nothing can be drawn or taken"
    ) as no:
        rv.position("canasta", hands=hands, turn="E", **{**LAST, "discards": "7h 9c"})
    assert "RV-54" in no.value.rules


@pytest.mark.parametrize("other", [1, 2])
def test_the_end_of_a_round_depends_on_the_next_player_alone(
    other: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    On what that player can take (RV-54), and on no other hand.
    """
    hands = {"N": "9c 4d", "E": "9d 9s 5c", "S": "4c 5d 6h", "W": "6c 7d 8h"}
    state = rv.position("canasta", phase="play", hands=hands, **LAST)

    def by_a_hand(draft: Any, seat: int) -> bool:
        held = draft._hands[(seat + other - 1) % 4]
        return bool(held & FIELD[rv.Card("9d").code])

    exchange_often(state)
    monkeypatch.setattr(phases, "can_take", by_a_hand)
    with pytest.raises(AssertionError, match="depends on hidden cards, and not on"):
        exchange_often(state)


def exchange_often(state: rv.State) -> None:
    """
    Exchange the cards that the player cannot see, many times.
    """
    for seed in range(100):
        check_secrecy(state, randrange=random.Random(seed).randrange)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hidden_cards_change_nothing_but_that(players: int) -> None:
    rules = rv.preset("canasta").with_values(
        {
            **TINY,
            "out.canasta": 7,
            "deck.ranks": "A23456",
            "deal.hand_size": {2: 5, 3: 4, 4: 9},
        }
    )
    ends = set()
    for seed in range(6):
        chance = random.Random(seed)
        state = rv.new_game(rules, players, seed=seed)
        while not state.is_round_over:
            check_secrecy(state, 400)
            state = rv.apply(state, rv.legal_actions(state).sample(chance.randrange))
        assert state.result is not None
        ends.add(state.result.how)
    assert "stock" in ends


# -------------------------------------------------------------- options and matches


@pytest.mark.parametrize("seed", range(8))
def test_options_together_are_those_of_the_twin(seed: int) -> None:
    chance = random.Random(seed)
    names = chance.sample([*CHANGED][1:], 2 + seed % 4)
    changed = {key: value for one in names for key, value in CHANGED[one].items()}
    players = 2 + seed % 3
    game = attrs.evolve(GAMES[players], **changed)  # type: ignore[arg-type]
    rules = rv.preset("canasta").with_options(*names)
    beside(rules, game, seed)
    low = attrs.evolve(game, canasta=SIZE, minimums=((-1_000_000, 15),))
    walk(*tiny(rules.with_values(TINY), low, chance), 200)


def test_all_options_go_together() -> None:
    names = [one for one in rv.options() if one.startswith("CAV-")]
    assert len(names) == 10
    rules = rv.preset("canasta").with_options(*names)
    # A pile that is always frozen is taken onto no canasta anyway.
    assert rules.notices == ("CAV-05 changes nothing: it does not come up",)
    play_match(rules, 4, 1, 400, every=20)


SHORT = {
    "deck.ranks": "A23456",
    "deal.hand_size": {2: 6, 3: 5, 4: 4},
    "out.canasta": 4,
    "match.target": 2000,
}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_matches_at_random_come_to_their_end(players: int, seed: int) -> None:
    rules = rv.preset("canasta").with_values(SHORT)
    state = play_match(rules, players, seed, 20_000, every=40)
    assert state.is_over
    ahead = max(state.side_scores)
    assert ahead >= rules.match.target
    assert state.side_scores.count(ahead) == 1
    assert state.winners == state.sides[state.side_scores.index(ahead)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_phase_is_kept_in_json_and_records(players: int) -> None:
    rules = rv.preset("canasta").with_values(SHORT)
    chance = random.Random(players)
    seen: dict[str, int] = {}
    state = rv.new_game(rules, players, seed=players)
    while not state.is_over:
        number = seen[state.phase] = seen.get(state.phase, 0) + 1
        if number < 8 or state.is_round_over:
            keeps(state, chance)
        if state.phase == "deal":
            state = rv.game.deal(state)
        else:
            state = rv.apply(state, rv.legal_actions(state).sample(chance.randrange))
    keeps(state, chance)
    asked = {"answer"} if players == 4 else set()
    assert {*seen} == {"deal", "draw", "play"} | asked


def test_wilds_that_leave_too_few_cards_are_not_listed() -> None:
    """
    One wild may be laid off and two may not: plays of one part of a list.
    """
    state = rv.position(
        "canasta",
        seats=["N", "S"],
        hands={"N": "2c 4d *", "S": "9c 9d"},
        phase="play",
        drawn="stock 4d",
        stock="Tc Td",
        discards="Jc",
        table=["N: 6c 6d 6h"],
    )
    legal = rv.legal_actions(state)
    lying = [str(one) for one in legal if str(one).startswith("lay")]
    assert lying == ["lay 2c=6 on 1", "lay *=6 on 1"]
    assert len(legal) == len([*legal])
