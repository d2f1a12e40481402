"""Chance card by card, and exact values of tiny games, against other ways to them."""

from __future__ import annotations

import itertools
import random

from collections import Counter
from fractions import Fraction

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.bots import bot
from rummyvariants.cards import CARDS
from rummyvariants.learning.chance import Moment, begin_open
from rummyvariants.learning.exact import (
    CHANCE,
    END,
    InformationSet,
    Tree,
    TreeError,
    lay_out,
)


def tiny_gin(knock: int = 1, hand: int = 1, dead: int = 2) -> rv.Ruleset:
    return rv.rules.read_rules(
        {
            "extends": "gin-rummy",
            "deck": {"ranks": "A23", "suits": "cd"},
            "deal": {"hand_size": hand},
            "meld": {"least_set": 2, "least_run": 2},
            "out": {"knock": knock},
            "stock": {"dead": dead, "idle_rounds": 1},
        }
    )


def tiny_500() -> rv.Ruleset:
    return rv.rules.read_rules(
        {
            "extends": "rummy-500",
            "deck": {"ranks": "A2", "suits": "cd", "jokers": 0},
            "deal": {"hand_size": 1},
            "meld": {"least_set": 2, "least_run": 2},
            "call": {"calls": "none"},
            "stock": {"idle_rounds": 1},
        }
    )


# ------------------------------------------------------------------ chance by cards


def is_over(moment: Moment) -> bool:
    state = moment.state
    return moment.waiting is None and state.phase in {"deal", "over", "rejoin"}


def play(moment: Moment, rng: random.Random) -> Moment:
    """
    Play a round at random to its end.
    """
    begun = False
    while not (begun and is_over(moment)):
        if moment.is_chance:
            outcomes = moment.outcomes
            assert sum(one.probability for one in outcomes) == 1
            assert len(set(outcomes)) == len(outcomes)
            weights = [float(one.probability) for one in outcomes]
            moment = moment.after(rng.choices(outcomes, weights)[0])
        else:
            begun = True
            actions = rv.legal_actions(moment.state)
            moment = moment.act(actions.sample(rng.randrange))
    return moment


@pytest.mark.parametrize("name", rv.presets())
def test_rounds_of_every_preset_can_be_played_card_by_card(name: str) -> None:
    rules = rv.preset(name)
    rng = random.Random(name)
    end = play(begin_open(rules, rules.match.players[0]), rng).state
    assert end.result is not None
    placed = Counter(itertools.chain(end.stock, end.discards, *end.hands))
    for meld in end.table:
        placed += Counter(meld.cards)
    placed += Counter(card for zone in end._zones for card in zone.cards)
    if end.dealt.indicator is not None:
        placed[end.dealt.indicator] += 1
    if end.dealer_wild is not None:
        placed += Counter(slot.card for slot in end.dealer_wild.slots)
    deck = rules.deck.cards_for(len(end.players))
    assert sorted(card.code for card in placed.elements()) == sorted(deck)


def deals(moment: Moment) -> Counter[object]:
    """
    How likely each state after the deal is, its stock as a multiset.
    """
    found: Counter[object] = Counter()
    waiting = [(moment, Fraction(1))]
    while waiting:
        here, odds = waiting.pop()
        if here.is_chance:
            waiting += [
                (here.after(one), odds * one.probability) for one in here.outcomes
            ]
        else:
            found[unordered(here.state)] += odds
    return found


def unordered(state: rv.State) -> object:
    return attrs.evolve(state, stock=bytes(sorted(state._stock)))


def all_deals(rules: rv.Ruleset) -> Counter[object]:
    """
    The same from every order of the deck.
    """
    state = rv.game.begin(rules, 2, seed=None, dealer=0)
    deck = [CARDS[code] for code in rules.deck.cards_for(2)]
    found = Counter(
        unordered(rv.game.deal(state, deck=order))
        for order in itertools.permutations(deck)
    )
    total = found.total()
    return Counter({one: Fraction(number, total) for one, number in found.items()})


def test_cards_are_dealt_as_by_every_order_of_the_deck() -> None:
    for rules in (tiny_gin(), tiny_500()):
        assert deals(begin_open(rules, 2, dealer=0)) == all_deals(rules)


def test_a_card_that_is_put_back_may_lie_anywhere() -> None:
    rules = rv.rules.read_rules(
        {
            "extends": "rummy-5000",
            "deck": {"packs": 1, "ranks": "A23", "suits": "c", "jokers": 1},
            "wild": {"jokers": True},
            "match": {"players": [2, 8]},
            "deal": {"too_few": "short"},
        }
    )
    # The joker is turned up first and put back: above, between or below three cards.
    moment = begin_open(rules, 2, dealer=0)
    for card in ("*", "2c", "3c", "Ac"):
        wanted = [one for one in moment.outcomes if str(one) == card]
        moment = moment.after(wanted[0]) if wanted else moment
    assert [str(one) for one in moment.outcomes] == [f"place {at}" for at in range(4)]
    assert {one.probability for one in moment.outcomes} == {Fraction(1, 4)}
    below = moment.after(moment.outcomes[3]).state
    assert rv.Card("*") not in below.hands[1]


def test_what_chance_cannot_decide_is_refused() -> None:
    moment = begin_open(tiny_gin(), 2, dealer=0)
    impossible = attrs.evolve(moment.outcomes[0], number=51)
    with pytest.raises(ValueError, match="chance cannot decide"):
        moment.after(impossible)
    with pytest.raises(ValueError, match="no player acts"):
        moment.act("draw")


def test_a_card_that_was_looked_at_is_the_one_drawn() -> None:
    state = rv.position(
        "rummy-500", hands={"Ann": "9s 2c", "Ben": "Qh"}, stock="4c 5c 6c", fill=True
    )
    moment = Moment(state, parts=(1,) * len(state.stock))
    after = moment.act("draw")
    assert not after.is_chance
    assert rv.Card("4c") in after.state.hands[0]


# ----------------------------------------------------------------------- the values


def kuhn() -> Tree:
    """
    Kuhn's poker: three cards, one each; the value for the first player is -1/18.
    """
    tree = Tree([], [], [], [], [], [])
    numbers: dict[tuple[str, str], int] = {}
    view = rv.view(rv.new_game("gin-rummy", 2, seed=1), 0)

    def add(before: int, seat: int, points: float = 0, key: object = None) -> int:
        node = len(tree.points)
        tree.seats.append(seat)
        tree.children.append([])
        tree.odds.append(())
        tree.points.append(points)
        number = -1
        if key is not None:
            number = numbers.setdefault(key, len(tree.sets))
            if number == len(tree.sets):
                actions = (rv.game.parse_action("pass"), rv.game.parse_action("draw"))
                tree.sets.append(InformationSet(seat, view, actions))
            tree.sets[number].nodes.append(node)
        tree.belongs.append(number)
        if before >= 0:
            tree.children[before].append(node)
        return node

    def go(before: int, cards: tuple[int, int], past: str) -> None:
        high = 1 if cards[0] > cards[1] else -1
        ends = {"pp": high, "bb": 2 * high, "pbb": 2 * high, "bp": 1, "pbp": -1}
        if past in ends:
            add(before, END, ends[past])
            return
        seat = len(past) % 2
        node = add(before, seat, key=(cards[seat], past))
        for one in "pb":
            go(node, cards, past + one)

    root = add(-1, CHANCE)
    pairs = list(itertools.permutations(range(3), 2))
    tree.odds[root] = (1 / len(pairs),) * len(pairs)
    for cards in pairs:
        go(root, cards, "")
    return tree


def test_kuhns_poker_has_its_published_values() -> None:
    tree = kuhn()
    solved = tree.solve(2_000)
    assert tree.value(solved) == pytest.approx(-1 / 18, abs=1e-3)
    assert tree.exploitability(solved) < 2e-3
    # OpenSpiel's figures for the uniform policy.
    assert tree.value(tree.uniform()) == pytest.approx(0.125)
    assert tree.exploitability(tree.uniform()) == pytest.approx(0.4583333333333333)


def test_best_responses_are_the_best_of_all_ways_to_play() -> None:
    tree = kuhn()
    rng = random.Random(5)
    for _ in range(20):
        policy = []
        for one in tree.sets:
            share = rng.random()
            policy.append((share, 1 - share))
            assert len(one.actions) == 2
        for seat in (0, 1):
            own = [at for at, one in enumerate(tree.sets) if one.seat == seat]
            best = -99.0
            for choices in itertools.product((0, 1), repeat=len(own)):
                other = list(policy)
                for at, choice in zip(own, choices, strict=True):
                    other[at] = (1.0 - choice, float(choice))
                best = max(best, (1 - 2 * seat) * tree.value(other))
            assert tree.best_response(seat, policy) == pytest.approx(best)


@pytest.mark.parametrize("rules", [tiny_500()], ids=["rummy-500"])
def test_tiny_games_are_solved(rules: rv.Ruleset) -> None:
    tree = lay_out(rules)
    assert sum(len(one.nodes) for one in tree.sets) == sum(
        seat >= 0 for seat in tree.seats
    )
    solved = tree.solve(100)
    assert tree.exploitability(solved) < 0.01
    # Between the best responses lies the value of the game.
    value = tree.value(solved)
    assert -tree.best_response(1, solved) <= value <= tree.best_response(0, solved)
    for name in ("greedy", "careful"):
        assert tree.exploitability(tree.policy(bot(name).choose)) > 0.1


def test_a_tree_that_grows_too_big_is_refused() -> None:
    with pytest.raises(TreeError, match="more than 500 nodes"):
        lay_out(tiny_gin(), most=500)
    with pytest.raises(rv.errors.RulesError, match="4 players"):
        lay_out("persian-rummy", most=5)


def test_a_policy_of_illegal_actions_is_refused() -> None:
    tree = lay_out(tiny_500())
    with pytest.raises(TreeError, match="'draw 7' is not legal"):
        tree.policy(lambda *_: "draw 7")


def test_a_bot_that_leaves_things_to_chance_is_asked_more_often() -> None:
    tree = lay_out(tiny_500())

    def choose(seen: rv.View, rng: random.Random) -> rv.Action:
        return rng.choice([*seen.legal_actions])

    shares = tree.policy(choose, times=400)
    assert all(sum(share) == pytest.approx(1) for share in shares)
    near = pytest.approx(tree.exploitability(tree.uniform()), rel=0.02)
    assert tree.exploitability(shares) == near
    assert tree.exploitability(tree.policy(choose)) != near
    sure = tree.policy(bot("greedy").choose)
    assert tree.policy(bot("greedy").choose, times=3) == sure
    with pytest.raises(TreeError, match="cannot be asked 0 times: give a whole number"):
        tree.policy(choose, times=0)
