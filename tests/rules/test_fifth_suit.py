"""Stars, the fifth suit: their cards, and decks that have them or lack them."""

from __future__ import annotations

import pickle
import random
import re

from collections import Counter

import pytest

from hypothesis import given
from hypothesis import strategies as st

import rummyvariants as rv

from rummyvariants import cards
from rummyvariants.melds._deadwood import fewest_points
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.shapes._shapes import shapes_of
from rummyvariants.testing import play_match


FIVE = rv.preset("five-suit-thirteen")
FACES = [rank + suit for suit in "cdhsx" for rank in cards.RANKS]
HANDS = st.lists(st.sampled_from([*FACES, "*"]), max_size=20)


@pytest.mark.parametrize("text", ["5x", "5X", " 5x", "5★", "5☆", "5★\ufe0f"])
def test_a_star_is_read_as_it_is_written(text: str) -> None:
    card = rv.Card(text)
    assert (str(card), card.rank, card.suit, card.is_joker) == ("5x", "5", "x", False)
    assert card == text
    assert pickle.loads(pickle.dumps(card)) == card  # noqa: S301 -- of our own making


@pytest.mark.parametrize(
    ("text", "meant"),
    [("five of stars", "5x"), ("x10", "Tx"), ("star", "a rank"), ("5y", "a rank")],
)
def test_what_is_no_star_is_told_how_to_write_it(text: str, meant: str) -> None:
    with pytest.raises(rv.errors.ParseError, match=f"is not a card: write {meant}"):
        rv.Card(text)


def test_cards_of_four_suits_keep_their_codes_and_stars_come_last() -> None:
    codes = [rv.Card(rank + suit).code for suit in "cdhs" for rank in cards.RANKS]
    assert codes == [16 * row + at for row in range(4) for at in range(1, 14)]
    assert rv.Card("*").code == 64
    assert str(rv.Cards("Kx * 3x Ks 3c")) == "3c Ks * 3x Kx"


@given(HANDS, HANDS)
def test_multisets_count_stars_as_any_cards(one: list[str], two: list[str]) -> None:
    first, second = ([f for f in hand if hand.count(f) < 8] for hand in (one, two))
    a, b = rv.Cards(first).bits, rv.Cards(second).bits
    held, other = Counter(first), Counter(second)
    assert cards.size(a) == len(first)
    assert sorted(map(str, rv.Cards(first))) == sorted(first)
    assert [str(cards.CARDS[code]) for code in cards.codes(a)] == [
        str(one) for one in sorted(map(rv.Card, first))
    ]
    assert cards.holds(a, b) == (other <= held)
    assert rv.cards.as_cards(cards.common(a, b)) == rv.Cards((held & other).elements())
    apart = {str(cards.CARDS[code]): by for code, by in cards.differences(a - b)}
    assert apart == {
        face: held[face] - other[face]
        for face in held | other
        if held[face] != other[face]
    }
    for least in range(1, 7):
        ranks = Counter(face[0] for face in first if face != "*")
        wanted = [rank for rank in cards.RANKS if ranks[rank] >= least]
        assert cards.ranks_with(a, least) == "".join(wanted)


def test_a_deck_of_four_suits_says_that_it_has_no_stars() -> None:
    refused = rv.check("rummy-500", "discard 5x", hand="7h 8h")
    assert str(refused) == "refused: there is no 5x: the deck has no stars [RV-07]"
    for hand, what in (("7h 5x", "5x"), ("Kx 7h", "Kx")):
        with pytest.raises(
            rv.errors.ProblemsError, match="the deck has no stars"
        ) as no:
            rv.position("rummy-500", hands={"Ann": hand, "Ben": "Kd Kd"}, fill=True)
        assert f"hands.Ann: there is no {what}" in str(no.value)
    with pytest.raises(rv.errors.RulesError, match="letters out of 'cdhsx'"):
        rv.preset("rummy-500").with_values({"deck.suits": "cdhsy"})


def test_stars_are_wild_with_their_rank_where_the_deck_has_them() -> None:
    terms = FIVE.terms(2, wild_rank="5")
    assert terms.wild[rv.Card("5x").code]
    assert rv.cards.as_cards(terms.wild_mask & cards.ONES) == "5c 5d 5h 5s * 5x"
    plain = rv.preset("three-thirteen").terms(2, wild_rank="5")
    assert rv.cards.as_cards(plain.wild_mask & cards.ONES) == "5c 5d 5h 5s"


GAMES = {
    "three-thirteen": {},
    "rummy-5000": {},
    "indian-rummy": {},
    "gin-rummy": {},
    "kaluki-40": {},
    "persian-rummy": {"wild.own_place": "natural"},
}


@pytest.mark.parametrize("game", GAMES)
def test_stars_in_the_place_of_spades_change_nothing(game: str) -> None:
    rules = rv.preset(game).with_values(GAMES[game])
    stars = rules.with_values({"deck.suits": "cdhx"})
    rank = "7" if rules.wild.is_named else ""
    players = rules.match.players[0]
    here, there = (one.terms(players, wild_rank=rank) for one in (rules, stars))
    deck = [cards.CARDS[code] for code in rules.deck.cards_for(players)]
    chance = random.Random(5)
    for _ in range(60):
        hand = [str(one) for one in chance.sample(deck, chance.randint(3, 11))]
        one = rv.Cards(hand).bits
        two = rv.Cards([_moved(face) for face in hand]).bits
        assert fewest_points(here, one) == fewest_points(there, two)
        assert _melds(here, one, moved=True) == _melds(there, two)


@pytest.mark.parametrize("distinct", [True, False])
def test_a_fifth_suit_without_its_cards_changes_nothing(distinct: bool) -> None:  # noqa: FBT001
    rules = rv.preset("rummy-5000").with_values(
        {"meld.set_suits": "distinct" if distinct else "free"}
    )
    more = rules.with_values({"deck.suits": "cdhsx"})
    here, there = (one.terms(2, wild_rank="7") for one in (rules, more))
    deck = [cards.CARDS[code] for code in rules.deck.cards_for(2)]
    chance = random.Random(6)
    for _ in range(60):
        bits = rv.Cards(chance.sample(deck, 9)).bits
        assert fewest_points(here, bits) == fewest_points(there, bits)
        found = _melds(there, bits)
        assert _melds(here, bits) == Counter(
            {one: number for one, number in found.items() if "x" not in one}
        )


def test_a_set_of_five_suits_is_the_largest_of_distinct_suits() -> None:
    rules = rv.preset("rummy-500").with_values({"deck.suits": "cdhsx"})
    hand = "9c 9d 9h 9s 9x Kd"
    assert rv.check(rules, "meld 9c 9d 9h 9s 9x", hand=hand).legal
    found = _melds(rules.terms(2), rv.Cards(hand).bits)
    assert len(found) == 10 + 5 + 1
    two = rules.with_values({"deck.packs": 2})
    twins = rv.check(two, "meld 9x 9x 9c", hand="9x 9x 9c Kd")
    assert not twins.legal


def test_matches_with_stars_are_written_and_read_again() -> None:
    state = play_match(FIVE, 3, 1, 120)
    assert any("x" in str(one) for one in state.hands)
    for value in (state, rv.view(state, 0)):
        assert rv.files.from_json(rv.files.to_json(value)) == value
    record = rv.files.to_json(state, record=True)
    assert rv.files.from_json(record) == state
    assert pickle.loads(pickle.dumps(state)) == state  # noqa: S301 -- of our own making


def _moved(text: str) -> str:
    """
    Cards with stars in the place of spades.
    """
    return re.sub(r"(?<=[A2-9TJQK])s", "x", text)


def _melds(terms: Terms, bits: int, *, moved: bool = False) -> Counter[str]:
    """
    The new melds of some cards: the cards of each, and what they stand for.
    """
    shapes = shapes_of(terms)
    found: Counter[str] = Counter()
    for number in shapes.numbers(shapes.new(bits)):
        laid = shapes.play(number).cards
        used = sorted([str(one.card) for one in laid])
        places = sorted([str(one.stands_for or one.card) for one in laid])
        text = f"{' '.join(used)} as {' '.join(places)}"
        found[text] += 1
    if moved:
        return Counter({_sorted(_moved(text)): n for text, n in found.items()})
    return found


def _sorted(text: str) -> str:
    return " as ".join(" ".join(sorted(one.split())) for one in text.split(" as "))
