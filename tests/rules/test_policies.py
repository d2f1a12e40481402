"""
What the policies of the library answer, asked directly.
"""

from __future__ import annotations

from typing import Any

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.cards import CODES, JOKER, code_of, pack
from rummyvariants.policies import (
    DealPolicy,
    DeckPolicy,
    DiscardPolicy,
    DrawPolicy,
    LayoffPolicy,
    MatchPolicy,
    MeldPolicy,
    OutPolicy,
    ScorePolicy,
    StockPolicy,
    WildPolicy,
)
from rummyvariants.policies.deck import refuse_number
from rummyvariants.rulings import Objection


@pytest.mark.parametrize(
    ("aces", "ranks", "wild"),
    [
        (False, "A23456789TJQK", "23456789TJQK"),
        (True, "A23456789TJQK", "A23456789TJQK"),
        (False, "A3456789TJQK", "3456789TJQK"),
        (True, "A3K", "A3K"),
    ],
)
def test_a_wild_rank_of_each_round_is_one_of_the_deck(
    *, aces: bool, ranks: str, wild: str
) -> None:
    assert WildPolicy(aces=aces).in_rounds(ranks) == wild


@pytest.mark.parametrize(
    ("settlement", "winner", "winners", "paid"),
    [
        ("none", "highest", (1,), (0, 0, 0)),
        ("the differences", "highest", (1,), (-20, 50, -30)),
        ("the differences", "lowest", (2,), (-10, -30, 40)),
        ("the differences", "highest", (0, 1), (10, 30, -40)),
        # Nobody pays whoever is behind, as the winner of a match with bonuses may be.
        ("the differences", "highest", (2,), (0, 0, 0)),
    ],
)
def test_losers_pay_by_how_much_the_winners_are_ahead(
    settlement: str, winner: str, winners: tuple[int, ...], paid: tuple[int, ...]
) -> None:
    policy = MatchPolicy(settlement=settlement, winner=winner)
    assert policy.payments((30, 50, 20), winners) == paid


def test_the_deal_passes_to_the_left() -> None:
    policy = rv.preset("rummy-500").match
    assert [policy.next_dealer(seat, 3) for seat in range(3)] == [1, 2, 0]
    assert attrs.evolve(policy).next_dealer(0, 2) == 1


@pytest.mark.parametrize(
    ("values", "code", "path", "reason"),
    [
        ({"deck.ranks": "A3456789TJQK"}, code_of("2", "c"), "deck.ranks", "twos"),
        ({"deck.suits": "cdh"}, code_of("2", "s"), "deck.suits", "spades"),
        ({"deck.jokers": 0}, JOKER, "deck.jokers", "jokers"),
    ],
)
def test_a_card_that_the_deck_lacks_is_refused_by_what_it_lacks(
    values: dict[str, object], code: int, path: str, reason: str
) -> None:
    rules = rv.preset("rummy-500").with_values(values)
    refused = refuse_number(rules.deck, rules.terms(3), code, 1)
    assert refused is not None
    assert refused.path == path
    assert refused.reason.endswith(f": the deck has no {reason}")
    assert refuse_number(rules.deck, rules.terms(3), code_of("3", "c"), 1) is None


def test_single_wilds_are_an_option() -> None:
    assert LayoffPolicy().refuse_single(has_meld=True, wild=True) == Objection(
        "layoff.single_wilds", "cards are not put down singly in this game"
    )


@pytest.mark.parametrize(("most", "words"), [(1, "once"), (2, "2 times")])
def test_the_pile_is_turned_over_so_many_times(most: int, words: str) -> None:
    policy = StockPolicy(when_empty="turn over", times=most)
    assert policy.refuse_turning(9, most - 1, fresh=True) is None
    refused = policy.refuse_turning(9, most, fresh=True)
    assert refused is not None
    assert refused.reason == f"the discard pile is turned over {words} at most"


@pytest.mark.parametrize(
    ("boxes", "won", "columns"),
    [
        ((0, 0, 0), False, (0,)),
        ((0, 0, 0), True, (0,)),
        ((1, 0, 0), False, (0,)),
        ((1, 0, 0), True, (0, 1)),
        ((2, 1, 1), True, (0, 1, 2)),
    ],
)
def test_a_column_is_entered_by_a_round_won(
    boxes: tuple[int, ...], columns: tuple[int, ...], *, won: bool
) -> None:
    policy = MatchPolicy(columns=3)
    assert policy.columns_for(boxes, (0, 1, 2), won=won) == columns


def test_an_ace_is_a_high_one_unless_a_run_makes_it_low() -> None:
    ace = code_of("A", "c")
    policy = rv.preset("rummy-500").score
    assert policy.question(ace, wild=False) == "score.points.A"
    assert policy.question(ace, wild=False, low_ace=True) == "score.low_ace"


# ------------------------------------------------------------------- deck and deal


def test_more_packs_are_two_for_up_to_four_and_three_beyond() -> None:
    policy = DeckPolicy(more_packs=True)
    assert [policy.packs_for(players) for players in (2, 3, 4, 5, 8)] == [2, 2, 2, 3, 3]
    assert DeckPolicy(least_packs=2).packs_for(2) == 2
    two = DeckPolicy(packs=((2, 2),), more_packs=True)
    assert [two.packs_for(players) for players in (2, 3, 5)] == [3, 2, 3]


def test_an_upcard_that_is_not_listed_names_its_face_value() -> None:
    policy = DealPolicy(upcard_counts=(("K", 13), ("3", 5)))
    assert [policy.upcard_number(rank) for rank in "A3TJ"] == [1, 5, 10, 11]


# ---------------------------------------------------------------------- melds and runs


@pytest.mark.parametrize(
    ("ace", "ranks", "track"),
    [
        ("high or low", "A23456789TJQK", "A23456789TJQKA"),
        ("high", "A23456789TJQK", "23456789TJQKA"),
        ("low", "A23456789TJQK", "A23456789TJQK"),
        ("round the corner", "A23456789TJQK", "A23456789TJQKA23456789TJQ"),
        ("high", "A3456789TJQK", ".3456789TJQKA"),
    ],
)
def test_runs_lie_along_the_ranks_of_the_deck(ace: str, ranks: str, track: str) -> None:
    assert MeldPolicy(ace=ace).track(ranks) == track


@pytest.mark.parametrize(
    ("ace", "ranks", "track"),
    [
        ("low", "A234567JQK", "A234567JQK"),
        ("high or low", "A23456789JQK", "A23456789JQKA"),
        ("high", "3579JK", "3579JK"),
        ("round the corner", "A27Q", "A27QA27Q"),
    ],
)
def test_runs_may_pass_over_what_the_deck_lacks(
    ace: str, ranks: str, track: str
) -> None:
    policy = MeldPolicy(ace=ace, missing_ranks="are passed over")
    assert policy.track(ranks) == track


@pytest.mark.parametrize(
    ("most", "made", "reason"),
    [
        ("any number", 9, None),
        (1, 0, None),
        (1, 1, "only one new meld may be made in a turn"),
        (3, 2, None),
        (3, 3, "only 3 new melds may be made in a turn"),
    ],
)
def test_so_many_new_melds_are_made_in_a_turn(
    most: str | int, made: int, reason: str | None
) -> None:
    refused = MeldPolicy(a_turn=most).refuse_another(made)
    assert (refused and refused.reason) == reason


# ------------------------------------------------------------- the discard pile


PILE = bytes(code_of(rank, "c") for rank in "3478")
TERMS = rv.preset("rummy-500").terms(3)
"""No card is wild but jokers."""
EIGHTS = pack([code_of("8", "d"), code_of("8", "h")])
FOURS = pack([code_of("4", "d"), code_of("4", "h")])


@pytest.mark.parametrize(
    ("values", "hand", "pile", "number", "counts"),
    [
        ({}, 0, PILE, 2, [1, 2, 3, 4]),
        ({}, 0, b"", 2, []),
        ({"take": "the top card"}, 0, PILE, 2, [1]),
        ({"take": "the whole pile"}, 0, PILE, 2, [4]),
        ({"take": "up to the top card's number"}, 0, PILE, 2, [1, 2]),
        ({"take": "up to the top card's number"}, 0, PILE, 9, [1, 2, 3, 4]),
        ({"pair": "top"}, EIGHTS, PILE, 2, [1, 2, 3, 4]),
        ({"pair": "top"}, FOURS, PILE, 2, []),
        ({"pair": "deepest"}, FOURS, PILE, 2, [1, 2, 3, 4]),
    ],
)
def test_numbers_that_are_never_taken_are_left_out(
    values: dict[str, Any], hand: int, pile: bytes, number: int, counts: list[int]
) -> None:
    policy = DrawPolicy(**values)
    found = list(policy.counts(TERMS, hand, pile, number))
    assert found == counts
    allowed = [
        count
        for count in range(1, len(PILE) + 2)
        if policy.refuse_take(TERMS, hand, pile, count, number) is None
    ]
    assert set(allowed) <= set(found)
    assert policy.asks_for_deepest or allowed == found


def test_the_deepest_of_too_many_is_not_looked_at() -> None:
    policy = DrawPolicy(pair="deepest")
    refused = policy.refuse_take(TERMS, FOURS, PILE, 5, 2)
    assert refused is not None
    assert refused.reason == "the discard pile holds 4 cards, not 5"
    assert policy.refuse_take(TERMS, FOURS, PILE, 3, 2) is None
    refused = DrawPolicy(pair="top").refuse_take(TERMS, FOURS, PILE, 5, 2)
    assert refused is not None
    assert refused.path == "draw.pair"


@pytest.mark.parametrize(
    ("values", "first", "duties"),
    [
        ({"duty": "none"}, False, []),
        ({"duty": "none", "with_naturals": True}, False, ["two naturals from hand"]),
        ({"duty": "none", "new_meld": True}, False, ["new meld"]),
        ({"duty": "deepest"}, False, ["play"]),
        ({"duty": "top", "at_once": True}, False, ["play at once"]),
        ({"duty": "none", "first_upcard": "offered to be melded"}, False, []),
        ({"duty": "none", "first_upcard": "offered to be melded"}, True, ["new meld"]),
    ],
)
def test_discards_oblige_to_what_the_policy_says(
    values: dict[str, Any], duties: list[str], *, first: bool
) -> None:
    policy = DrawPolicy(**values)
    assert [one.how for one in policy.duties(PILE[2:], first=first)] == duties
    if not first:
        assert policy.duties(PILE[2:]) == policy.duties(PILE[2:], first=False)


def test_a_card_that_is_kept_may_be_the_last_discard() -> None:
    policy = DiscardPolicy(keep=("Qs",))
    queen = code_of("Q", "s")
    assert policy.refuse(queen, taken=b"", left=2) is not None
    assert policy.refuse(queen, taken=b"", left=1) is None


# ------------------------------------------------------------------------------ knocks


@pytest.mark.parametrize(
    ("knock", "upcard", "limit"),
    [
        (7, None, 7),
        ("never", "5c", -1),
        ("the upcard", None, -1),
        ("the upcard", "*", -1),
        ("the upcard", "Ac", 1),
        ("the upcard", "5c", 5),
        ("the upcard", "Tc", 10),
        ("the upcard", "Kc", 10),
    ],
)
def test_a_knock_has_a_limit(knock: str | int, upcard: str | None, limit: int) -> None:
    card = None if upcard is None else rv.Card(upcard)
    assert OutPolicy(knock=knock).limit(card) == limit


@pytest.mark.parametrize(
    ("equal", "mine", "theirs", "winner"),
    [
        ("undercut", 3, 4, "knocker"),
        ("undercut", 4, 4, "other"),
        ("nobody", 4, 4, "nobody"),
        ("nobody", 5, 4, "other"),
    ],
)
def test_a_knock_is_won_by_fewer_points(
    equal: str, mine: int, theirs: int, winner: str
) -> None:
    assert ScorePolicy(equal_hands=equal).knock_winner(mine, theirs) == winner


# ------------------------------------------------------------------------------ points


def test_a_rank_without_points_counts_nothing() -> None:
    policy = ScorePolicy(points=(("K", 10),))
    worth = policy.worth((False,) * CODES)
    assert worth[code_of("K", "c")] == 10
    assert worth[code_of("2", "c")] == 0
    assert policy.low_ace_points() == 0


def test_a_low_ace_counts_as_any_ace_unless_it_has_points_of_its_own() -> None:
    assert ScorePolicy(points=(("A", 15),)).low_ace_points() == 15
    assert ScorePolicy(points=(("A", 15),), low_ace=1).low_ace_points() == 1


# -------------------------------------------------------------------------- the match


@pytest.mark.parametrize(
    ("rotation", "points", "out", "dealer"),
    [
        ("left", (5, 9, 1), 0, 2),
        ("left", (0, 0, 0), None, 2),
        ("left after a score", (5, 0, 0), 0, 2),
        ("left after a score", (0, -3, 0), None, 2),
        ("left after a score", (0, 0, 0), None, 1),
        ("to who is out", (5, 9, 1), 0, 0),
        ("to who is out", (1, 9, 5), None, 2),
        ("the winner", (5, 1, 9), 0, 2),
        ("the winner", (9, 1, 9), 0, 1),
        ("the loser", (1, 5, 9), None, 0),
        ("the loser", (1, 5, 1), None, 1),
        ("the loser", (5, 5, 5), None, 1),
    ],
)
def test_who_deals_follows_from_the_round(
    rotation: str, points: tuple[int, ...], out: int | None, dealer: int
) -> None:
    policy = MatchPolicy(rotation=rotation)
    assert policy.dealer_after(1, points, out) == dealer


@pytest.mark.parametrize(
    ("players", "fits"), [(2, False), (3, False), (4, True), (5, False), (6, True)]
)
def test_sides_need_an_even_number_of_four_or_more(players: int, *, fits: bool) -> None:
    assert MatchPolicy(sides="partners opposite").makes_sides(players) == fits
    assert MatchPolicy().makes_sides(players)


def test_equal_final_totals_are_played_off_where_the_rules_say_so() -> None:
    policy = MatchPolicy(decided_by="the final totals", tie="play on")
    assert policy.decided((0,), (90, 70, 50)) == (0,)
    assert policy.decided((0,), (90, 90, 50)) == ()
    assert attrs.evolve(policy, tie="joint").decided((0,), (90, 90, 50)) == (0, 1)
    partners = attrs.evolve(policy, sides="partners opposite")
    assert partners.decided((0, 2), (50, 40, 50, 40)) == (0, 2)


@pytest.mark.parametrize(
    ("values", "winners", "bonuses"),
    [
        ({}, (0,), [(0, 100, "match.game_bonus")]),
        ({}, (0, 1), [(0, 100, "match.game_bonus"), (1, 100, "match.game_bonus")]),
        ({"shared_bonus": "to nobody"}, (0, 1), []),
        (
            {"box_bonus": 20, "shutout": "double"},
            (0,),
            [
                (0, 100, "match.game_bonus"),
                (0, 60, "match.box_bonus"),
                (0, 50 + 100 + 60, "match.shutout"),
            ],
        ),
    ],
)
def test_the_end_of_a_match_adds_its_bonuses(
    values: dict[str, Any],
    winners: tuple[int, ...],
    bonuses: list[tuple[int, int, str]],
) -> None:
    policy = MatchPolicy(game_bonus=100, **values)
    found = policy.bonuses((50, 50), (3, 0), winners)
    assert [(seat, points, path) for seat, points, _, path in found] == bonuses


def test_the_bonuses_of_partners_stand_with_the_first_of_them() -> None:
    policy = MatchPolicy(sides="partners opposite", box_bonus=20, shutout=300)
    found = policy.bonuses((30, 0, 20, 0), (1, 0, 2, 0), (0, 2))
    assert [(seat, points) for seat, points, _, _ in found] == [(0, 60), (0, 300)]
    assert list(policy.bonuses((0, 30, 0, 20), (1, 1, 2, 0), (1, 3))) == [
        (0, 60, "for 3 boxes", "match.box_bonus"),
        (1, 20, "for 1 box", "match.box_bonus"),
    ]
