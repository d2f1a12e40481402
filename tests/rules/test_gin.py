"""
Hands that stay concealed until a knock: partitions, knocks, what is seen and scored.
"""

from __future__ import annotations

import itertools
import random

from collections import Counter

import attrs
import pytest

import naive
import naive_rounds
import rummyvariants as rv

from amounts import rest_is_slow
from rummyvariants.bots import CarefulBot, GreedyBot, RandomBot, play_on
from rummyvariants.cards import CARDS, UNIT, faces, lowest, size
from rummyvariants.game._scoring import KNOCKS
from rummyvariants.melds._deadwood import (
    ABOVE,
    PLACES,
    fewest_after_discard,
    fewest_points,
    least_unmatched,
    matched,
    worth_of,
)
from rummyvariants.melds._looks import melds_in
from rummyvariants.melds._partitions import (
    partitions,
)
from rummyvariants.melds._reading import read_meld
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.cover._divisions import cover_of, divided
from rummyvariants.melds.cover._search import Work
from rummyvariants.policies import MatchPolicy
from rummyvariants.rulings import Objection
from rummyvariants.testing import check_ruleset, play_match


GIN = rv.preset("gin-rummy")
TERMS = GIN.terms(2)
OPTIONS = [
    (),
    ("GRV-01",),
    ("GRV-02", "GRV-03"),
    ("GRV-03", "GRV-04", "GRV-05b"),
    ("GRV-05a", "GRV-05c", "GRV-08"),
    ("GRV-06", "GRV-07"),
    ("GRV-10", "GRV-11", "GRV-09"),
    ("R5V-18",),
    ("PGV-C4a",),
    ("PGV-C5", "PGV-C4b"),
]
DECK = [str(card) for card in rv.game.next_deal(rv.game.begin(GIN, 2, seed=0)).cards]


def hands(number: int, size: int, seed: int) -> list[rv.Cards]:
    """
    Hands of a few ranks, so that there is much to choose from.
    """
    chance = random.Random(f"hands {seed}")
    found = []
    for _ in range(number):
        ranks = chance.sample("A23456789TJQK", chance.choice([4, 5, 7, 13]))
        pool = [card for card in DECK if card[0] in ranks]
        some = chance.sample(pool, min(size, len(pool)))
        found.append(rv.Cards(rv.cards.parse_cards(" ".join(some))))
    return found


# ----------------------------------------------------------------------- partitions


RULES = {
    "as it comes": GIN,
    "two packs": GIN.with_options("PGV-C5"),
    "wilds": GIN.with_options("PGV-C4a"),
    "round the corner": GIN.with_values({"meld.ace": "round the corner"}),
    "shorter and longer": GIN.with_values({"meld.least_set": 2, "meld.least_run": 4}),
    "sets of four": GIN.with_values({"meld.least_set": 4}),
    "no sets": GIN.with_values({"meld.sets": False}),
    "no runs": GIN.with_values({"meld.runs": False}),
    "no rank between": GIN.with_values({"deck.ranks": "A2345789JQK"}),
    "other points": GIN.with_values(
        {"score.points": {"A": 15, "K": 0, "2": 300}, "score.special": {"Qs": 40}}
    ),
}


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_tables_and_partitions_agree(rules: rv.Ruleset) -> None:
    """
    Fewest points, then fewest cards, with a discard and without, by all partitions.
    """
    terms = rules.terms(2)
    deck = rv.game.next_deal(rv.game.begin(rules, 2, seed=0)).cards
    chance = random.Random(3)
    for number in range(60):
        ranks = chance.sample(terms.ranks, chance.choice([3, 4, 7]))
        pool = [card for card in deck if card.rank in ranks]
        bits = rv.Cards(chance.sample(pool, min(len(pool), 4 + number % 8))).bits
        assert _least(terms, bits) == _best_partition(terms, bits)
        assert fewest_points(terms, bits) == _best_partition(terms, bits)[0]
        after = [fewest_points(terms, bits - UNIT[code]) for code in faces(bits)]
        assert fewest_after_discard(terms, bits) == min(after)


@pytest.mark.parametrize("suit", "cdhs")
def test_all_cards_of_a_suit_have_a_place_of_their_own(suit: str) -> None:
    lanes = [0]
    for card in rv.cards.parse_cards(" ".join(rank + suit for rank in "A23456789TJQK")):
        # Spades are shifted down to be looked up.
        bits = UNIT[card.code] >> (ABOVE if suit == "s" else 0)
        lanes += [lane + bits for lane in lanes]
    assert len({lane % PLACES for lane in lanes}) == len(lanes) == 1 << 13


def test_suits_share_what_is_worked_out_where_they_count_the_same() -> None:
    def shared(name: str) -> list[int]:
        runs = cover_of(RULES[name].terms(2)).runs(0, 0, Work())
        return [runs.index(one) for one in runs]

    assert shared("as it comes") == [0, 0, 0, 0]
    assert shared("other points") == [0, 0, 0, 3]


def _least(terms: Terms, bits: int) -> tuple[int, int]:
    left = least_unmatched(terms, bits)
    return worth_of(terms, left), size(left)


def _best_partition(terms: Terms, bits: int) -> tuple[int, int]:
    most = worth_of(terms, bits)
    return min(
        (worth_of(terms, left), size(left)) for _, left in partitions(terms, bits, most)
    )


def test_a_quick_look_sees_the_same_melds_where_none_compete() -> None:
    compete = 0
    for hand in hands(400, 11, 8):
        seen = matched(TERMS, hand.bits)
        assert seen & ~hand.bits == 0
        sets = [
            rank for rank, number in Counter(c.rank for c in hand).items() if number > 2
        ]
        for code in faces(hand.bits):
            assert CARDS[code].rank not in sets or seen & UNIT[code]
        if sets:
            compete += 1
        else:
            assert seen == hand.bits - least_unmatched(TERMS, hand.bits)
    assert 0 < compete < 400


def test_a_hand_leaves_the_same_whatever_was_asked_before() -> None:
    found = [least_unmatched(TERMS, hand.bits) for hand in hands(200, 11, 5)]
    fresh = attrs.evolve(TERMS)
    asked = [least_unmatched(fresh, hand.bits) for hand in reversed(hands(200, 11, 5))]
    assert asked[::-1] == found


def test_a_hand_of_many_sets_is_partitioned_as_well() -> None:
    hand = rv.Cards("Ac Ad Ah 2c 2d 2h 3c 3d 3h 4c 4d 4h As 2s 3s 4s Kc")
    assert _least(TERMS, hand.bits) == (10, 1)
    assert fewest_points(TERMS, hand.bits) == 10
    assert fewest_after_discard(TERMS, hand.bits) == 0


LIMITED = {
    "two packs": {"deck.more_packs": True},
    "twos": {"wild.twos": True},
    "twos of two packs": {"wild.twos": True, "deck.more_packs": True},
    "one wild": {"wild.twos": True, "wild.limit": "one"},
    "more naturals": {"wild.twos": True, "wild.limit": "more naturals"},
    "natural at home": {
        "wild.twos": True,
        "wild.limit": "more naturals",
        "wild.own_place": "natural",
    },
    "any suits": {"wild.twos": True, "meld.set_suits": "free"},
    "wilds alone": {"wild.twos": True, "wild.wild_melds": True},
    "cards beside": {"wild.twos": True, "wild.real_card": "beside"},
    "less than nothing": {"wild.twos": True, "score.special": {"Qs": -20}},
}


@pytest.mark.parametrize("values", LIMITED.values(), ids=LIMITED)
def test_the_search_finds_what_trying_every_meld_finds(
    values: dict[str, object],
) -> None:
    rules = GIN.with_values(values)
    terms = rules.terms(2)
    deck = [CARDS[code] for code in rules.deck.cards_for(2)]
    chance = random.Random(9)
    for _ in range(40):
        ranks = chance.sample(terms.ranks, chance.choice([3, 5, 13]))
        near = [card for card in deck if card.rank in ranks or terms.wild[card.code]]
        bits = rv.Cards(chance.sample(near, chance.randint(3, 8))).bits
        division = divided(terms, bits)
        melds, left = division.laid()
        best = _by_every_meld(terms, bits, {})
        assert division.exact
        assert division.points == best[0] == worth_of(terms, left)
        assert size(left) == best[1]
        used = [rv.Cards([one.card for one in cards]).bits for cards in melds]
        assert sum(used) + left == bits
        for cards in melds:
            assert not isinstance(read_meld(terms, cards, 0), Objection)


def _by_every_meld(
    terms: Terms, bits: int, known: dict[int, tuple[int, int]]
) -> tuple[int, int]:
    """
    The fewest points and cards left, card by card, every meld of it tried.
    """
    if not bits:
        return 0, 0
    if bits not in known:
        code = lowest(bits)
        points, cards = _by_every_meld(terms, bits - UNIT[code], known)
        ways = [(points + terms.worth[code], cards + 1)]
        for used in {used for _, used, _ in melds_in(terms, bits, code)}:
            ways.append(_by_every_meld(terms, bits - used, known))
        known[bits] = min(ways)
    return known[bits]


def test_a_card_of_negative_points_lets_others_be_left_over() -> None:
    terms = GIN.with_values({"score.special": {"Kd": -10}}).terms(2)
    hand = rv.Cards("3c Kd").bits
    assert list(partitions(terms, hand, 0)) == [((), hand)]


@rv.house.register_rule("meld", "no set of sevens")
@attrs.frozen
class NoSevens(rv.house.HouseRule):
    """
    There is no set of sevens.
    """

    def allows_meld(self, meld: rv.melds.Meld) -> bool:
        return meld.rank != "7"


def test_what_a_rule_refuses_is_no_meld_of_a_hand() -> None:
    terms = GIN.with_values({"meld.rules": [NoSevens()]}).terms(2)
    hand = rv.Cards("7c 7d 7h 8h 9h Kc").bits
    assert fewest_points(TERMS, hand) == 10 + 14 == fewest_points(terms, hand)
    hand = rv.Cards("7c 7d 7h Kc").bits
    assert (fewest_points(TERMS, hand), fewest_points(terms, hand)) == (10, 31)
    assert [left for _, left in partitions(terms, hand, 31)] == [hand]


@pytest.mark.parametrize("size", range(1, 8))
def test_no_partition_leaves_less(size: int) -> None:
    state = rv.new_game(GIN, 2, seed=1)
    for hand in hands(12, size, size):
        left = least_unmatched(TERMS, hand.bits)
        assert worth_of(TERMS, left) == naive_rounds.fewest_points(state, hand)


@pytest.mark.parametrize("size", [10, 11])
def test_the_arranger_finds_as_little_left(size: int) -> None:
    for hand in hands(150, size, size):
        left = least_unmatched(TERMS, hand.bits)
        best = rv.solver.arrange_hand(GIN, hand, "least points left")
        assert best.exact
        assert worth_of(TERMS, left) == best.points_left


@pytest.mark.parametrize("options", rest_is_slow([(), ("PGV-C5",), ("PGV-C4a",)], 1))
def test_all_partitions_are_found_and_each_once(options: tuple[str, ...]) -> None:
    rules = GIN.with_options(*options).with_values(
        {"meld.least_set": 2, "meld.least_run": 2, "meld.set_suits": "free"}
    )
    state = rv.new_game(rules, 2, seed=1)
    terms, melds = rules.terms(2), naive.MeldRules.of(state)
    chance = random.Random(7)
    deck = rv.game.next_deal(rv.game.begin(rules, 2, seed=0)).cards
    jokers = [card for card in deck if card.is_joker][:1]
    for _ in range(10):
        hand = chance.sample([c for c in deck if c.rank in "A23"], 5 - len(jokers))
        bits = rv.Cards([*hand, *jokers]).bits
        for most in (0, 3, 8, 30):
            found = [
                tuple(sorted(_meaning(melds, group) for group in groups))
                for groups, _ in partitions(terms, bits, most)
            ]
            assert len(set(found)) == len(found)
            assert set(found) == _by_hand(state, melds, [*hand, *jokers], most)


def _meaning(melds: naive.MeldRules, group: tuple[rv.melds.Played, ...]) -> str:
    (means,) = naive.readings(melds, group)
    return repr(means)


def _by_hand(
    state: rv.State, melds: naive.MeldRules, cards: list[rv.Card], most: int
) -> set[tuple[str, ...]]:
    found = set()
    for groups in naive.grouped(cards):
        used = list(itertools.chain.from_iterable(groups))
        left = list(cards)
        for card in used:
            left.remove(card)
        if sum(naive_rounds.points_of(state, card) for card in left) > most:
            continue
        ways = [
            {
                repr(means)
                for written in naive.declared(melds, group)
                for means in naive.readings(melds, written)
            }
            for group in groups
        ]
        found |= {tuple(sorted(way)) for way in itertools.product(*ways)}
    return found


# ------------------------------------------------------------------------- arranging

ENDS = (rv.actions.Discard, rv.actions.Knock)


@pytest.mark.long
@pytest.mark.parametrize(
    "options",
    rest_is_slow([("GRV-06", "PGV-C4a"), (), ("GRV-03", "GRV-05b")], 1),
)
def test_what_is_arranged_can_be_done_and_nothing_leaves_less(
    options: tuple[str, ...],
) -> None:
    phases: set[str] = set()

    def look(state: rv.State, number: int) -> None:
        if (number % 3 and state.phase != "layoff") or not state.to_act:
            return
        (seat,) = state.to_act
        best = rv.arrange(state, goal="least points left")
        assert best.exact
        after = state
        for action in best.actions:
            after = rv.apply(after, action)
        phases.add(state.phase)
        legal = list(rv.legal_actions(state))
        assert best.goes_out == any(isinstance(one, rv.actions.Knock) for one in legal)
        assert best.points_left == _least_left(state, seat)
        other = rv.arrange(state, 1 - seat, "least points left")
        assert other.actions == ()

    for seed in range(3):
        play_match(GIN.with_options(*options), 2, seed=seed, look=look)
    assert {"draw", "play"} <= phases


def _least_left(state: rv.State, seat: int) -> int:
    """
    The fewest points that a seat can be left with, by doing all that it may do.
    """
    terms = state.dealt.terms
    hand = state.hands[seat].bits
    ways = [fewest_points(terms, hand)] if state.phase != "play" else []
    for action in rv.legal_actions(state):
        if isinstance(action, ENDS):
            thrown = UNIT[action.card.code] if action.card is not None else 0
            ways.append(fewest_points(terms, hand - thrown))
        elif isinstance(action, rv.actions.LayOff):
            after = rv.apply(state, action)
            ways.append(0 if after.is_round_over else _least_left(after, seat))
    return min(ways)


def test_the_cards_that_are_left_may_be_what_counts() -> None:
    hand = "5h 6h 7h 7c 7d Kc Kd 9s 2c 2d"
    fewest = rv.solver.arrange_hand(GIN, hand, "least cards left")
    state = rv.new_game(GIN, 2, deck=_dealt(hand), dealer=1)
    assert rv.arrange(state, goal="least cards left").cards_left == fewest.cards_left
    assert rv.arrange(state, goal="out").points_left == fewest_points(
        TERMS, rv.Cards(hand).bits
    )


def _dealt(hand: str) -> str:
    """
    A deck that begins with a hand, its cards going to seat 0 by turns.
    """
    mine = hand.split()
    theirs = [card for card in DECK if card not in mine]
    return " ".join(card for pair in zip(mine, theirs, strict=False) for card in pair)


def test_what_a_knocker_has_left_is_not_partitioned_again() -> None:
    deck = _dealt("7h 8h 9h Jc Js Jd Jh Ac Ad Ah")
    state = rv.new_game(GIN, 2, deck=deck, dealer=1)
    for action in ("pass", "pass", "draw"):
        state = rv.apply(state, action)
    (drawn,) = state.hands[0] - rv.Cards("7h 8h 9h Jc Js Jd Jh Ac Ad Ah")
    state = rv.apply(state, f"knock {drawn}: 7h 8h 9h / Jc Js Jd Jh")
    found = rv.arrange(state, 0)
    assert (found.points_left, found.actions, found.melds) == (3, (), ())


# ---------------------------------------------------------------------------- knocks


@pytest.mark.long
@pytest.mark.parametrize("options", rest_is_slow(OPTIONS, 2), ids="+".join)
def test_all_that_must_hold_of_a_game_holds(options: tuple[str, ...]) -> None:
    check_ruleset(GIN.with_options(*options), matches=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_what_a_round_brings_by_hand(seed: int) -> None:
    """
    Differences, bonuses and boxes counted again, from the state alone.
    """
    options = OPTIONS[seed]
    ends = set()

    def look(state: rv.State, number: int) -> None:
        del number
        result = state.result
        if not state.is_round_over or result is None:
            return
        ends.add(result.how)
        assert result.points == naive_rounds.knocked_points(state)

    rules = GIN.with_options(*options).with_values(
        {"deal.hand_size": 5, "deck.ranks": "A23456", "out.knock": 6}
        if "GRV-05a" not in options and "GRV-05b" not in options
        else {"deal.hand_size": 5, "deck.ranks": "A23456"}
    )
    for match in range(8):
        play_match(rules, 2, f"{seed} {match}", 400, every=400, look=look)
    assert ends & KNOCKS


def test_a_knock_reads_back_as_it_is_written() -> None:
    for text in (
        "knock Kc: 7h 8h 9h / 5c 5d 5h",
        "knock Kc: none",
        "knock Kc",
        "big gin: 7h 8h 9h / 5c 5d 5h",
        "big gin",
        "knock *: 7h *=8h 9h",
    ):
        assert str(rv.game.parse_action(text)) == text
    assert str(rv.game.parse_action("knock kc with 7H 8H 9H/5C 5D 5H")) == (
        "knock Kc: 7h 8h 9h / 5c 5d 5h"
    )
    for wrong in ("knock", "knock Kc:", "knock Kc: 7h /", "big", "gin Kc", "knock K c"):
        with pytest.raises(rv.errors.ParseError):
            rv.game.parse_action(wrong)


def test_a_declaration_reads_back_as_it_is_written() -> None:
    for text in (
        "declare Kc: 7h 8h 9h / 5c 5d 5h",
        "declare: 7h 8h 9h / 5c 5d 5h",
        "declare Kc",
        "declare",
    ):
        assert str(rv.game.parse_action(text)) == text
    for same in ("declare with 7h 8h 9h", "Declare : 7h 8h 9h", "1: declare: 7h 8h 9h"):
        assert str(rv.game.parse_action(same)) == "declare: 7h 8h 9h"
    for wrong in ("declare:", "declare Kc:", "declare K c", "declare / 7h 8h 9h"):
        with pytest.raises(rv.errors.ParseError):
            rv.game.parse_action(wrong)


def test_a_knock_without_melds_is_written_down_with_the_best() -> None:
    text = """
    title = "A knock"
    cites = ["GR-06"]
    rules = "gin-rummy"
    [position]
    seats = ["N", "E"]
    turn = "N"
    dealer = "E"
    phase = "play"
    drawn = "stock Kd"
    stock = "Kh Qh 4s"
    discards = "Ks"
    hands = { N = "7h 8h 9h 9c 9d 9s Js Jd Jh 2c Kd", E = "6h" }
    partial = true
    """
    state = rv.files.run(rv.files.parse_scenario(text)).state
    after = rv.apply(state, "knock Kd")
    shown = str(after.history[-1]).partition(": ")[2].split(" / ")
    assert sorted(shown) == ["7h 8h 9h", "9c 9d 9s", "Jd Jh Js"]
    assert after == rv.apply(
        state, rv.actions.Knock(rv.cards.parse_cards("Kd")[0], None, 0)
    )
    assert rv.apply(state, after.history[-1]) == after
    assert not rv.check(state, "knock Qs")
    assert not rv.check(state, "big gin")


# ------------------------------------------------------------------------ what is seen


def test_melds_are_seen_with_the_knock_and_not_before() -> None:
    rng = random.Random(3)
    knocks = 0
    for seed in range(40):
        state = rv.new_game(GIN, 2, seed=seed)
        while not state.is_round_over:
            knocked = state.phase == "layoff"
            for seat in (None, 0, 1):
                view = rv.view(state, seat)
                assert bool(view.table) <= knocked
                other = [at for at in range(2) if at != seat]
                for at in other:
                    # Of a hand only cards taken from the pile are known before.
                    known, hand = view.known[at], state.hands[at]
                    assert known <= hand
                    if knocked and at == state.out[0]:
                        assert known == hand
            if knocked:
                knocks += 1
                seat = state.turn
                world = rv.determinize(rv.view(state, 1 - seat), rng)
                assert world.hands[1 - seat] == state.hands[1 - seat]
                assert world.table == state.table
            state = rv.apply(state, rv.legal_actions(state).sample(rng.randrange))
    assert knocks > 5


def test_in_the_last_turn_a_world_lets_the_other_player_knock() -> None:
    rules = GIN.with_options("GRV-03", "GRV-04").with_values({"out.knock": 40})
    rng = random.Random(5)
    found = 0
    for seed in range(60):
        state = rv.new_game(rules, 2, seed=seed)
        while not state.is_round_over:
            # Nobody knocks before the stock has run out.
            legal = list(rv.legal_actions(state))
            over = len(state.stock) <= 2
            quiet = [one for one in legal if not isinstance(one, rv.actions.Knock)]
            some = [one for one in quiet if isinstance(one, rv.actions.Draw)] or quiet
            if over and state.phase == "draw":
                takes = [one for one in legal if isinstance(one, rv.actions.Take)]
                some = takes or some
            state = rv.apply(state, rng.choice(some or legal))
            if over and state.phase == "play" and state.drawn.source == "discards":
                found += 1
                other = rv.determinize(rv.view(state, 1 - state.turn), rng)
                assert any(
                    isinstance(one, rv.actions.Knock) for one in rv.legal_actions(other)
                )
                assert not any(
                    isinstance(one, rv.actions.Discard)
                    for one in rv.legal_actions(state)
                )
    assert found > 3


# ----------------------------------------------------------------------------- matches


@pytest.mark.parametrize("bot", [GreedyBot(), CarefulBot()])
def test_a_bot_that_counts_wins(bot: object) -> None:
    won = 0
    for seed in range(6):
        state = rv.game.begin(GIN, 2, seed=seed)
        for done in play_on(state, [bot, RandomBot()], seed):
            state = done.after
        won += state.winners == (0,)
    assert won == 6


@pytest.mark.parametrize(
    ("points", "sides", "winner"),
    [
        ((5, 7, 3), False, 1),
        ((5, 5, 3), False, None),
        ((5, 5, 5), False, None),
        ((1, 0), False, 0),
        ((0, -5), False, None),
        ((0, 0), False, None),
        ((-1, -5), False, None),
        ((0, 5, 9, 6), True, 1),
        ((0, 5, 9, 3), True, 0),
        ((4, 5, 6, 5), True, None),
        ((-4, -5, 3, 5), True, None),
    ],
)
def test_who_wins_a_round(
    points: tuple[int, ...], *, sides: bool, winner: int | None
) -> None:
    policy = MatchPolicy(sides="partners opposite" if sides else "none")
    assert policy.round_winner(points) == winner


@pytest.mark.long
@pytest.mark.parametrize("decided_by", ["the totals", "the final totals"])
def test_who_has_won_a_match_by_hand(decided_by: str) -> None:
    """
    Winners found again by the twin; the player at the target is not always one.
    """
    rules = GIN.with_values(
        {
            "deal.hand_size": 4,
            "deck.ranks": "A23456",
            "match.target": 40,
            "match.box_bonus": 60,
            "match.game_bonus": 30,
            "match.decided_by": decided_by,
        }
    )
    others = 0

    def look(state: rv.State, number: int) -> None:
        nonlocal others
        del number
        if not state.is_round_over:
            return
        assert state.winners == naive_rounds.ahead(state)
        if state.is_over:
            assert list(state.final_scores) == naive_rounds.with_extras(state)
            others += any(state.scores[seat] < 40 for seat in state.winners)

    for match in range(30):
        play_match(rules, 2, match, 800, every=800, look=look)
    assert bool(others) == (decided_by == "the final totals")


def test_who_deals_the_next_round() -> None:
    for options, which in (((), "loser"), (("GRV-08",), "winner")):
        state = rv.new_game(GIN.with_options(*options), 2, seed=4)
        while not state.is_over:
            points, dealt = state.result, state.dealer
            state = rv.playout(state, random.Random(state.round_number).randrange)
            points = state.result.points
            following = state.match.next_dealer
            if points[0] == points[1]:
                assert following == dealt
            else:
                winner = points.index(max(points))
                assert (following == winner) == (which == "winner")
            if not state.is_over:
                state = rv.game.deal(state)


def test_nothing_of_gin_is_kept_where_nothing_asks_for_it() -> None:
    for name in rv.presets():
        rules = rv.preset(name)
        state = rv.new_game(rules, rules.match.players[0], seed=1)
        assert (state.dealt.upcard is not None) == rules.asks_for_upcard
        assert bool(state.boxes) == rules.match.counts_boxes
        assert state.final_scores == state.scores


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"call.calls": "pile"}, "melds stay in the hand"),
        ({"draw.duty": "deepest"}, "melds stay in the hand"),
        ({"match.players": [2, 4]}, "only the hands of two players are compared"),
        ({"out.knock": "never"}, "at the knock if players knock"),
        ({"meld.shown": "in turn"}, "at the knock if players knock"),
    ],
)
def test_what_cannot_be_beside_knocks_is_refused(
    changes: dict[str, object], message: str
) -> None:
    with pytest.raises(rv.errors.RulesError, match=message):
        GIN.with_values(changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"meld.shown": "in turn"}, "at the declaration if players declare"),
        ({"out.declare": "never"}, "at the declaration if players declare"),
        ({"layoff.onto": "own melds"}, "until somebody declares"),
        ({"out.knock": 10}, "at the knock if players knock"),
        ({"deal.method": "upcard"}, "hands of different sizes name no wild rank"),
        (
            {"layoff.last_turns": True, "out.last_turn": False},
            "nobody has a turn after a declaration",
        ),
    ],
)
def test_what_cannot_be_beside_declarations_is_refused(
    changes: dict[str, object], message: str
) -> None:
    with pytest.raises(rv.errors.RulesError, match=message):
        rv.preset("three-thirteen").with_values(changes)


AMONG_MANY = GIN.with_values(
    {
        "match.players": [2, 4],
        "match.winner": "lowest",
        "match.rotation": "left",
        "draw.first_upcard": "part of the pile",
        "score.hands": "add",
        "score.counted": "unmatched cards",
    }
)


def test_after_a_knock_all_others_lay_off_in_turn() -> None:
    """
    Each on the melds as those before left them; then all hands count.
    """
    hands = {
        "N": "7h 7s 7d 4c 5c 6c 2h As Ac 3d Kd",
        "E": "7c Jc Qc Kc Ks Qs Jd 9d 9s 5h",
        "S": "8c 3c 2c Th Tc Td Ts Kh Qh Jh",
        "W": "8h 8d 8s 2d 4d 6d 6h 4h 3h 9h",
    }
    state = rv.position(AMONG_MANY, hands=hands, turn="N", drawn="stock Kd", fill=True)
    state = rv.apply(state, "knock Kd: 7h 7s 7d / 4c 5c 6c")
    seats = []
    for text in ("lay 7c on 2", "pass", "lay 8c on 2", "lay 3c on 2", "pass", "pass"):
        seats.append(state.turn)
        assert state.phase == "layoff"
        state = rv.apply(state, text)
    assert seats == [1, 1, 2, 2, 2, 3]
    assert state.is_round_over
    assert state.result.how == "knock"
    assert list(state.result.points) == [
        7,
        *[
            sum(AMONG_MANY.terms(4).worth[card.code] for card in rv.Cards(left))
            for left in ("9d 9s 5h Jd Qs Ks", "2c", "2d 4d 6d 6h 4h 3h 9h")
        ],
    ]


def test_who_has_no_card_left_is_passed_over_after_a_knock() -> None:
    """
    Whether the last card was laid off or the player is out of the match.
    """
    hands = {"N": "2h 2s", "E": "7c", "S": "", "W": "8c"}
    table = ["N: 4c 5c 6c"]
    rules = AMONG_MANY.with_values(
        {"match.eliminated_at": 50, "match.ends": "when one is left"}
    )
    state = rv.position(
        rules,
        players=["N", "E", "S", "W"],
        hands=hands,
        table=table,
        scores={"N": 0, "E": 0, "S": 60, "W": 0},
        phase="layoff",
        turn="E",
        out="N",
        partial=True,
        fill=True,
    )
    state = rv.apply(state, "lay 7c on 1")
    assert (state.phase, state.turn) == ("layoff", 3)
    state = rv.apply(state, "lay 8c on 1")
    assert list(state.result.points) == [4, 0, 0, 0]


def test_gin_takes_points_off_where_the_lowest_score_wins() -> None:
    hands = {"N": "7h 7s 7d 4c 5c 6c Ah 2h 3h 4h Kd", "E": "Ks"}
    state = rv.position(
        AMONG_MANY, hands=hands, turn="N", drawn="stock Kd", partial=True, fill=True
    )
    state = rv.apply(state, "knock Kd: 7h 7s 7d / 4c 5c 6c / Ah 2h 3h 4h")
    assert list(state.result.points) == [-25, 10]


def test_bots_play_knocks_among_many() -> None:
    for players in (3, 4):
        check_ruleset(AMONG_MANY, players=players, matches=1)
