"""
What cards may mean, by the rules and by brute force, compared with the reader.
"""

from __future__ import annotations

import itertools
import random

from collections import Counter
from collections.abc import Iterator, Sequence

import attrs
import pytest

from hypothesis import assume, given
from hypothesis import strategies as st

import naive
import rummyvariants as rv
import wild_limits

from amounts import every_third
from naive import MeldRules
from rummyvariants.cards import CARDS, FIELD, JOKER, code_of, pack
from rummyvariants.melds._limits import limit_of_draft
from rummyvariants.melds._looks import layoffs_on, melds_in
from rummyvariants.melds._meld import Beside, Meld, Slot, built
from rummyvariants.melds._reading import read_layoff, read_meld, trade
from rummyvariants.melds._tables import Terms
from rummyvariants.policies._duties import duty
from rummyvariants.rulings import Objection


@attrs.frozen
class Table:
    """
    The rules of a deal for the reader and for its twin.

    Attributes:
        terms: What the reader goes by.
        rules: What the twin goes by.
    """

    terms: Terms
    rules: MeldRules

    @classmethod
    def of(
        cls,
        base: str,
        *options: str,
        players: int = 3,
        wild: str = "",
        **values: object,
    ) -> Table:
        """
        A deal under a preset with options and values, a rank made wild.
        """
        paths = {name.replace("__", "."): one for name, one in values.items()}
        rules = rv.preset(base).with_options(*options).with_values(paths)
        return cls(rules.terms(players, wild), MeldRules.under(rules, players, wild))

    def faces(self) -> list[rv.Card]:
        """
        The faces of the deck.
        """
        suited = [
            CARDS[code_of(rank, suit)]
            for suit in self.terms.suits
            for rank in self.terms.ranks
        ]
        return [*suited, CARDS[JOKER]] if self.terms.wild[JOKER] else suited


SMALL = {"deck__ranks": "A234", "deck__suits": "cd"}
ROUND = {"deck__ranks": "A23QK", "deck__suits": "c"}
TABLES = {
    "runs and jokers": Table.of("rummy-500", **SMALL),
    "three suits": Table.of("rummy-500", deck__ranks="A2", deck__suits="cdh"),
    "a rank that is missing": Table.of(
        "rummy-500", deck__ranks="2456", deck__suits="c"
    ),
    "missing ranks passed over": Table.of(
        "rummy-500",
        deck__ranks="A257K",
        deck__suits="c",
        meld__missing_ranks="are passed over",
    ),
    "missing ranks passed over, no aces": Table.of(
        "rummy-500",
        deck__ranks="258T",
        deck__suits="c",
        meld__ace="high",
        meld__missing_ranks="are passed over",
    ),
    "missing ranks passed over round the corner": Table.of(
        "rummy-500",
        deck__ranks="A27Q",
        deck__suits="c",
        meld__ace="round the corner",
        meld__missing_ranks="are passed over",
    ),
    "aces high": Table.of("rummy-500", meld__ace="high", **ROUND),
    "aces low": Table.of("rummy-500", meld__ace="low", **ROUND),
    "one wild": Table.of("rummy-500", "PGV-P2b", **SMALL),
    "more naturals": Table.of("rummy-500", "PGV-P2a", "PGV-C2a", **SMALL),
    "wilds of their own": Table.of("rummy-500", "PGV-P3", **SMALL),
    "runs alone": Table.of("rummy-500", "PGV-P13", **SMALL),
    "a wild rank": Table.of(
        "rummy-5000", deck__ranks="3456", deck__suits="cd", wild="4"
    ),
    "a wild rank in three suits": Table.of(
        "rummy-5000", deck__ranks="345", deck__suits="cdh", wild="4"
    ),
    "a wild rank in two packs": Table.of(
        "rummy-5000", players=5, deck__ranks="345", deck__suits="cd", wild="4"
    ),
    "a wild at home is natural": Table.of(
        "rummy-5000",
        "PGV-P2a",
        "PGV-P2d",
        deck__ranks="345",
        deck__suits="cd",
        wild="4",
    ),
    "one wild, and at home it is natural": Table.of(
        "rummy-5000",
        "PGV-P2b",
        "PGV-P2d",
        players=6,
        deck__ranks="345",
        deck__suits="cd",
        wild="4",
    ),
    "a wild moves in its run": Table.of(
        "rummy-500",
        "PGV-P2b",
        deck__ranks="A2345",
        deck__suits="cd",
        wild__twos=True,
        wild__own_place="natural",
        wild__real_card="moves the wild",
    ),
    "a wild moves, even home": Table.of(
        "rummy-500",
        "PGV-P2b",
        deck__ranks="A234567",
        deck__suits="c",
        wild__jokers=True,
        deck__jokers=1,
        wild__cards=["3c"],
        wild__real_card="moves the wild",
    ),
    "wilds for any suit": Table.of(
        "rummy-500",
        players=6,
        deck__ranks="234",
        deck__suits="cd",
        wild__twos=True,
        meld__set_wilds="for any suit",
    ),
    "a wild rank for any suit": Table.of(
        "rummy-5000",
        "PGV-P2d",
        players=5,
        deck__ranks="345",
        deck__suits="cd",
        wild="4",
        meld__set_suits="distinct",
        meld__set_wilds="for any suit",
    ),
    "wilds for an open suit": Table.of(
        "rummy-500",
        players=6,
        deck__ranks="23",
        deck__suits="cdh",
        wild__twos=True,
        meld__set_suits="distinct",
        meld__set_wilds="for an open suit",
    ),
    "wilds for an open suit, for trade": Table.of(
        "rummy-500",
        "PGV-P4",
        deck__ranks="34",
        deck__suits="cdhs",
        meld__set_suits="distinct",
        meld__set_wilds="for an open suit",
        wild__swap_with="all missing suits",
    ),
    "wilds for any suit, for trade": Table.of(
        "rummy-500",
        "PGV-P4",
        players=6,
        deck__ranks="34",
        deck__suits="cd",
        meld__set_wilds="for any suit",
    ),
    "three identical cards": Table.of(
        "three-thirteen",
        players=5,
        deck__ranks="234",
        deck__suits="cd",
        wild="4",
        wild__wild_melds=False,
        meld__alike=True,
    ),
    "three identical cards beside sets of a kind": Table.of(
        "indian-rummy",
        "INV-10",
        deck__ranks="A2345",
        deck__suits="c",
        wild="4",
    ),
    "twos and a wild rank": Table.of(
        "rummy-5000", "PGV-C2a", deck__ranks="A23", deck__suits="cdh", wild="3"
    ),
    **{
        f"{name} {title}": Table.of("rummy-5000", wild__rules=[name], **values)
        for name in wild_limits.NAMES
        for title, values in {
            "in two packs": {
                "players": 5,
                "deck__ranks": "345",
                "deck__suits": "cd",
                "wild": "4",
            },
            "in one pack": {
                "deck__ranks": "23456",
                "deck__suits": "c",
                "wild": "4",
                "wild__twos": True,
                "wild__own_place": "natural",
            },
        }.items()
    },
    "2500": Table.of("2500-house", deck__ranks="345", deck__suits="cd", wild="4"),
    "george": Table.of("george", deck__ranks="345", deck__suits="cd", wild="4"),
}
FULL = [
    TABLES[name]
    for name in (
        "three suits",
        "a rank that is missing",
        "aces high",
        "aces low",
        "wilds for an open suit",
    )
]
"""Decks so small that every meld of three cards is all that it can be."""
tables = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
some_tables = pytest.mark.parametrize("table", every_third(TABLES.values()), ids=TABLES)


def undeclared(table: Table, least: int, most: int) -> Iterator[list[rv.melds.Played]]:
    """
    Every multiset of so many cards, nothing said of the wilds.
    """
    for number in range(least, most + 1):
        for cards in itertools.combinations_with_replacement(table.faces(), number):
            yield [rv.melds.Played(str(card)) for card in cards]


def wilds_in(table: Table, written: Sequence[rv.melds.Played]) -> int:
    return sum(table.rules.is_wild(one.card) for one in written)


def compare_meld(table: Table, written: Sequence[rv.melds.Played]) -> Meld | None:
    """
    Assert that the reader finds a meld just if there is one reading, and that one.
    """
    wanted = naive.readings(table.rules, written)
    found = read_meld(table.terms, written, seat=1)
    text = " ".join(map(str, written))
    if not isinstance(found, Meld):
        assert len(wanted) != 1, f"{text} is {wanted}, but: {found.reason}"
        if len(wanted) > 1:
            assert " or as " in found.reason
        return None
    assert {naive.meaning_of(table.rules, found)} == wanted, f"{text} read as {found}"
    assert naive.is_standing(table.rules, found)
    assert found.maker == 1
    assert {slot.seat for slot in found.slots} == {1}
    assert sorted(found.cards) == sorted(one.card for one in written)
    return found


@tables
def test_every_few_cards_are_read_as_the_rules_say(table: Table) -> None:
    """
    All multisets of up to four cards, wilds left open.
    """
    melds = 0
    for written in undeclared(table, 1, 4):
        if wilds_in(table, written) < 4:
            melds += compare_meld(table, written) is not None
    assert melds


@some_tables
def test_every_declaration_of_three_cards_is_read_as_the_rules_say(
    table: Table,
) -> None:
    """
    All multisets of three cards with up to two wilds, each with every declaration.
    """
    for plain in undeclared(table, 3, 3):
        cards = [one.card for one in plain]
        if wilds_in(table, plain) in {1, 2}:
            for written in naive.declared(table.rules, cards):
                compare_meld(table, written)


@tables
def test_every_meld_of_a_hand_is_found_once(table: Table) -> None:
    """
    What is listed for a hand is what its parts can be read as, each once.
    """
    faces = table.faces()
    starts = range(0, len(faces), 3)
    hands = [[*(faces[at:] + faces[:at])[:5], faces[at]] for at in starts]
    for hand in hands:
        if sum(map(table.rules.is_wild, hand)) <= 2:
            compare_hand(table, hand)


def with_masks(meld: Meld) -> tuple[object, ...]:
    """
    All of a meld, with what does not count for its equality.
    """
    return meld, meld.grows, meld.real, meld.takes_wild, meld.kin


def compare_hand(table: Table, hand: list[rv.Card]) -> int:
    """
    Assert that the melds listed for a hand are those that can be written, each once.

    Returns:
        The most wilds in one of them.
    """
    most = 0
    listed = []
    for cards, used, _ in melds_in(table.terms, pack(card.code for card in hand)):
        meld = read_meld(table.terms, cards, 0)
        assert isinstance(meld, Meld), f"{cards}: {meld}"
        assert used == pack(one.card.code for one in cards)
        table.terms.melds.clear()
        known = read_meld(table.terms, cards, 0)
        assert isinstance(known, Meld)
        assert with_masks(known) == with_masks(meld)
        listed.append(naive.meaning_of(table.rules, meld))
        most = max(most, wilds_in(table, cards))
    assert len(listed) == len(set(listed))
    wanted = set()
    for written in naive.written_melds(table.rules, hand):
        means = naive.readings(table.rules, written)
        if len(means) == 1:
            wanted |= means
    assert set(listed) == wanted
    return most


@pytest.mark.long
@pytest.mark.parametrize("name", wild_limits.NAMES)
@pytest.mark.parametrize("own_place", ["wild", "natural"])
def test_any_limit_on_wilds_holds_in_every_hand(name: str, own_place: str) -> None:
    """
    Hands with up to three wilds, in one pack and in two, and sets that hold either.
    """
    chance = random.Random(f"{name} {own_place}")
    most = 0
    for players in (3, 5):
        table = Table.of(
            "rummy-5000",
            players=players,
            deck__ranks="34567",
            deck__suits="cd",
            wild="4",
            wild__rules=[name],
            wild__own_place=own_place,
        )
        looked = 0
        while looked < 12:
            hand = chance.sample([*table.faces(), *table.faces()], 6)
            if 0 < sum(map(table.rules.is_wild, hand)) <= 3:
                most = max(most, compare_hand(table, hand))
                looked += 1
    assert most > (name != "one wild beside four")


# ---------------------------------------------------------------------- lay-offs


def melds_of(table: Table, most: int) -> list[Meld]:
    """
    Some melds, evenly taken from all those of three cards and four, wilds declared.
    """
    found: dict[naive.Meaning, Meld] = {}
    for plain in undeclared(table, 3, 4):
        if wilds_in(table, plain) > 2:
            continue
        for cards, _, _ in melds_in(table.terms, pack(one.card.code for one in plain)):
            meld = read_meld(table.terms, cards, 1)
            assert isinstance(meld, Meld)
            if meld.kind in {"set", "run"}:
                found.setdefault(naive.meaning_of(table.rules, meld), meld)
    melds = list(found.values())
    return melds[:: max(1, len(melds) // most)]


def compare_layoff(
    table: Table, meld: Meld, written: Sequence[rv.melds.Played], end: str | None
) -> Meld | None:
    """
    Assert that the reader finds a lay-off just if there is one reading, and that one.
    """
    wanted = naive.layoff_readings(table.rules, meld, written, end)
    found = read_layoff(table.terms, meld, written, 2, end)
    text = f"{' '.join(map(str, written))} {end or ''} on {meld}"
    if not isinstance(found, Meld):
        assert len(wanted) != 1, f"{text} is {wanted}, but: {found.reason}"
        return None
    new = found.beside[len(meld.beside) :]
    lying = tuple(sorted(str(one.card) for one in new))
    means = (*naive.meaning_of(table.rules, found), lying)
    assert {means} == wanted, f"{text} read as {found}"
    assert naive.is_standing(table.rules, found)
    assert found.maker == meld.maker
    assert sorted(found.cards) == sorted([*meld.cards, *(one.card for one in written)])
    laid = Counter(found.laid_by(2)) - Counter(meld.laid_by(2))
    assert laid == Counter(one.card for one in written)
    fresh = built(
        table.terms, found.kind, found.slots, found.maker, found.low, found.beside
    )
    assert (fresh.grows, fresh.real, fresh.takes_wild) == (
        found.grows,
        found.real,
        found.takes_wild,
    )
    return found


@some_tables
def test_every_card_laid_off_is_read_as_the_rules_say(table: Table) -> None:
    """
    One card, with every declaration and end, on melds of all kinds.
    """
    fits = 0
    for meld in melds_of(table, 60):
        for card in table.faces():
            for written in naive.declared(table.rules, [card]):
                for end in (None, "low", "high"):
                    fits += compare_layoff(table, meld, written, end) is not None
    assert bool(fits) == (table not in FULL)


@some_tables
def test_what_fits_a_meld_at_a_glance_is_what_may_be_laid_off(table: Table) -> None:
    """
    One card as itself, and a wild as any other card, those beside wilds aside.
    """
    for meld in melds_of(table, 60):
        takes_wild = False
        for card in table.faces():
            own = {str(card), f"{card}={card}", f"{card}={card.rank}"}
            fits = {
                str(one[0])
                for one in naive.declared(table.rules, [card])
                for end in (None, "low", "high")
                for *_, beside in naive.layoff_readings(table.rules, meld, one, end)
                if not beside
            }
            wild = table.terms.wild[card.code]
            if not wild:
                assert bool(meld.grows & FIELD[card.code]) == bool(fits), meld
            elif card.suit:
                grows = f"{card}={card}" in fits
                assert bool(meld.grows & FIELD[card.code]) == grows, meld
            takes_wild = takes_wild or (wild and not fits <= own)
        if table.terms.wild_mask:
            assert meld.takes_wild == takes_wild, meld


@pytest.mark.parametrize("own_place", ["wild", "natural"])
def test_a_wild_fits_its_own_place_where_no_more_may_be_held(own_place: str) -> None:
    """
    It does only if it counts as natural there.
    """
    table = Table.of(
        "rummy-5000",
        "PGV-P2b",
        deck__ranks="34567",
        deck__suits="cd",
        wild="7",
        wild__own_place=own_place,
    )
    meld = read_meld(table.terms, played("4c 7d=5c 6c"), 0)
    assert isinstance(meld, Meld)
    assert not meld.takes_wild
    fits = FIELD[rv.Card("3c").code]
    if own_place == "natural":
        fits |= FIELD[rv.Card("7c").code]
    assert meld.grows == fits


@some_tables
def test_every_two_cards_laid_off_are_read_as_the_rules_say(table: Table) -> None:
    """
    Two cards, wilds left open, on melds of all kinds, and again on what they became.
    """
    for number, meld in enumerate(melds_of(table, 25)):
        for written in undeclared(table, 2, 2):
            for end in ("low", "high") if not number % 4 else ():
                compare_layoff(table, meld, written, end)
            grown = compare_layoff(table, meld, written, None)
            if grown is not None and grown.beside:
                for more in undeclared(table, 1, 1):
                    compare_layoff(table, grown, more, None)


@some_tables
def test_every_lay_off_of_a_hand_is_found_once(table: Table) -> None:
    """
    What is listed for a hand and a meld is what its parts can be read as, each once.
    """
    faces = table.faces()
    for number, meld in enumerate(melds_of(table, 12)):
        hand = (faces[number:] + faces[:number])[:4]
        if sum(map(table.rules.is_wild, hand)) > 2:
            continue
        listed = []
        for cards, _, end in layoffs_on(
            table.terms, meld, pack(card.code for card in hand)
        ):
            after = read_layoff(table.terms, meld, cards, 2, end)
            assert isinstance(after, Meld), f"{cards} {end} on {meld}: {after}"
            new = after.beside[len(meld.beside) :]
            lying = tuple(sorted(str(one.card) for one in new))
            listed.append((*naive.meaning_of(table.rules, after), lying))
        assert len(listed) == len(set(listed))
        wanted = set()
        for written in naive.written_melds(table.rules, hand):
            for end in (None, "low", "high"):
                means = naive.layoff_readings(table.rules, meld, written, end)
                if len(means) == 1:
                    wanted |= means
        assert set(listed) == wanted


def _with_naturals(wild: rv.Card, cards: Sequence[rv.Card]) -> list[naive.Standing]:
    """
    A wild in a set with natural cards; in its own place if its rank is theirs.
    """
    naturals = [(card, card.rank, card.suit) for card in cards]
    return [(wild, cards[0].rank, ""), *naturals]


@tables
def test_a_single_wild_is_built_on_by_its_owner_with_naturals(table: Table) -> None:
    """
    Two or more natural cards of one rank together, by who put the wild down.
    """
    wilds = [card for card in table.faces() if table.rules.is_wild(card)]
    for wild in wilds:
        single = built(table.terms, "wild", (Slot(wild, None, 1),), 1)
        for written in undeclared(table, 1, 3):
            cards = [one.card for one in written]
            suits = [card.suit for card in cards]
            fits = (
                table.rules.sets
                and len(cards) + 1 >= max(3, table.rules.least_set)
                and len(cards) + 1 <= table.rules.most_set
                and len({card.rank for card in cards}) == 1
                and not any(map(table.rules.is_wild, cards))
                and naive.keeps_limits(table.rules, _with_naturals(wild, cards), "set")
            )
            if not table.rules.twins:
                fits = fits and len(set(suits)) == len(suits)
            if table.rules.one_a_suit:
                # A suit has to be left for the wild.
                fits = fits and len(set(suits)) == len(suits) < len(table.rules.suits)
            found = read_layoff(table.terms, single, written, 1)
            assert isinstance(found, Meld) == fits, f"{cards} on {wild}"
            if isinstance(found, Meld):
                assert naive.is_standing(table.rules, found)
            assert not isinstance(read_layoff(table.terms, single, written, 2), Meld)


# -------------------------------------------------------- whole decks, at random


WHOLE = {
    "rummy-500": Table.of("rummy-500"),
    "rummy-500 with two packs": Table.of("rummy-500", players=6),
    "rummy-5000": Table.of("rummy-5000", wild="6"),
    "rummy-5000, aces wild": Table.of("rummy-5000", wild="A"),
    "rummy-5000 with two packs": Table.of("rummy-5000", players=5, wild="9"),
    "2500-house": Table.of("2500-house", wild="4"),
    "jacks and tens": Table.of("rummy-5000", "PGV-C4b", "PGV-C4c", "PGV-P2a", wild="Q"),
}


@st.composite
def near_runs_and_sets(draw: st.DrawFn) -> tuple[str, list[rv.melds.Played]]:
    """
    Cards that nearly make a meld: a stretch of a suit or a rank, some of them wild.
    """
    name = draw(st.sampled_from(sorted(WHOLE)))
    table = WHOLE[name]
    faces = table.faces()
    wilds = [card for card in faces if table.rules.is_wild(card)]
    length = draw(st.integers(3, 6))
    start = draw(st.integers(0, 12))
    suit = draw(st.sampled_from("cdhs"))
    circle = naive.CIRCLE * 2
    if draw(st.booleans()):
        near = [f"{circle[(start + at) % 13]}{suit}" for at in range(length)]
    else:
        near = [f"{circle[start]}{'cdhs'[at % 4]}" for at in range(length)]
    written = []
    bare = 0
    for text in near:
        card = rv.Card(text)
        what = draw(st.integers(0, 9))
        if what == 0 or card not in faces:
            card = draw(st.sampled_from(faces))
        if what >= 6 and bare < 2:
            wild = draw(st.sampled_from(wilds))
            said = draw(st.sampled_from(["", text, text[0], "none"]))
            if said in {"", "none"}:
                bare += 1
            place = f"={said}" if said not in {"", "none"} else ""
            written.append(rv.melds.Played(f"{wild}{place}"))
        else:
            bare += table.rules.is_wild(card)
            written.append(rv.melds.Played(str(card)))
    assume(bare <= 2)
    return name, draw(st.permutations(written))


@given(near_runs_and_sets())
def test_cards_of_a_whole_deck_are_read_as_the_rules_say(
    drawn: tuple[str, list[rv.melds.Played]],
) -> None:
    """
    Stretches of suits and ranks with wilds among them, in any order.
    """
    name, written = drawn
    compare_meld(WHOLE[name], written)


@pytest.mark.parametrize(
    ("text", "low"),
    [
        ("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc", 0),
        ("2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", 1),
        ("2c Ac 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc", None),
        ("*=Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc", 0),
        ("2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc *=Ac", 1),
    ],
)
def test_the_order_decides_the_end_of_an_ace(text: str, low: int | None) -> None:
    """
    Where an ace fits both ends, the end at which it is written is the one meant.
    """
    table = WHOLE["rummy-500"]
    written = [rv.melds.Played(word) for word in text.split()]
    found = read_meld(table.terms, written, 0)
    assert (found.low if isinstance(found, Meld) else None) == low
    if low is not None:
        assert naive.readings(table.rules, written) == {
            naive.meaning_of(table.rules, found)  # type: ignore[arg-type]
        }


R500, ONE_WILD = Table.of("rummy-500", players=5), Table.of("rummy-500", "PGV-P2b")
AS_MANY, TWO_AT_MOST, ONE_BESIDE_FOUR, *_ = [
    Table.of("rummy-500", wild__rules=[name]) for name in wild_limits.NAMES
]
RULES, TOO_MANY = "wild.rules.", "the meld holds too many wilds"
SETS_ALONE = Table.of("rummy-500", meld__runs=False)
RUNS_ONLY = Table.of("rummy-500", "PGV-P13", players=5)
PAIRS = Table.of("rummy-500", "PGV-P2b", meld__least_set=2, meld__runs=False)
CLUBS = Table.of("rummy-500", deck__suits="cd", deck__ranks="A456789TJQK")
LONG_RUNS = Table.of("rummy-500", meld__least_run=4)
TWOS = Table.of("persian-rummy", players=4, wild__twos=True)
FOURS = Table.of("rummy-5000", players=5, wild="4")
THREE_SUITS = Table.of("rummy-5000", deck__suits="cdh", wild="4")
SUIT = "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"


def played(text: str) -> list[rv.melds.Played]:
    return [rv.melds.Played(word) for word in text.split()]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("Kh Ah 2h", "meld.ace"),
        ("Kh *=Ah 2h", "meld.ace"),
        ("Kh Ah 2h *", "meld.ace"),
        # A wild that nobody calls an ace is none.
        ("Kh * 2h", "meld.runs"),
        ("Kh *=Th 2h", "meld.runs"),
        ("Kh Ad 2h", "meld.runs"),
        ("Ah 3h 5h", "meld.runs"),
        ("Ah Ah 2h", "meld.runs"),
        # Round the corner a suit closes with its ace, and no card comes after that.
        (f"{SUIT} *", "meld.ace"),
        (f"{SUIT} Ah", "meld.ace"),
        (f"{SUIT} * *", "meld.runs"),
        (f"{SUIT} Ah 2h", "meld.runs"),
    ],
)
def test_an_ace_at_the_corner_is_the_reason_where_there_is_one(
    text: str, path: str
) -> None:
    found = read_meld(RUNS_ONLY.terms, played(text), 0)
    assert isinstance(found, Objection)
    assert found.path == path


@pytest.mark.parametrize(
    ("ranks", "text", "lacking"),
    [
        ("A3456789TJQK", "Kc Ac 3c", "twos"),
        ("A23456789TJQ", "Qc Ac 2c", "kings"),
    ],
)
def test_a_deck_without_twos_or_kings_keeps_aces_off_runs(
    ranks: str, text: str, lacking: str
) -> None:
    terms = rv.preset("rummy-500").with_values({"deck.ranks": ranks}).terms(2)
    found = read_meld(terms, played(text), 0)
    assert isinstance(found, Objection)
    assert found.reason.endswith(f"the deck has no {lacking} to lie next to the ace")


def test_wilds_that_are_not_declared_take_the_places_of_a_set_in_order() -> None:
    """
    So that the order in which they are written says nothing.
    """
    state = rv.position(
        "rummy-5000",
        hands={"N": "Kh Kd 4s 4c 9c", "E": "2d", "S": "3d"},
        wild="4",
        phase="play",
        drawn="stock 9c",
        stock="5d",
        discards="6d",
    )
    for text in ("meld Kh Kd 4s 4c", "meld Kh Kd 4c 4s"):
        (meld,) = rv.apply(state, text).table
        assert {"4c=Kc", "4s=Ks"} <= {str(slot) for slot in meld.slots}


def test_a_refusal_names_each_card_beside_its_wild() -> None:
    state = rv.position(
        "rummy-5000",
        hands={"N": "6h 7h 4s 9c", "E": "2d", "S": "Kd"},
        table=["N: 5h 4c=6h 4d=7h 8h"],
        wild="4",
        phase="play",
        drawn="stock 9c",
        stock="5d",
        discards="6d",
    )
    refused = rv.check(state, "lay 6h 7h 4s on 1")
    assert "4s=9h (beside it 6h) (beside it 7h) or as 4s=4h" in refused.reason


@pytest.mark.parametrize(
    ("run", "text", "path"),
    [
        ("Qh Kh Ah", "2h", "meld.ace"),
        ("Qh Kh *=Ah", "2h", "meld.ace"),
        ("Qh Kh Ah", "*=2h", "meld.ace"),
        ("Qh Kh Ah", "*=2", "meld.ace"),
        ("Ah 2h 3h", "* Kh", "meld.ace"),
        ("Jh Qh Kh", "2h", "layoff.onto"),
        ("Qh Kh Ah", "2d", "layoff.onto"),
        ("Qh Kh Ah", "*=2d", "layoff.onto"),
        ("Qh Kh Ah", "3h", "layoff.onto"),
    ],
)
def test_an_ace_keeps_a_card_off_a_run(run: str, text: str, path: str) -> None:
    lying = read_meld(RUNS_ONLY.terms, played(run), 0)
    assert isinstance(lying, Meld)
    cards = played(text)
    found = read_layoff(RUNS_ONLY.terms, lying, cards, 0)
    assert isinstance(found, Objection)
    assert found.path == path


NO_PLACE = ("meld.set_suits", "meld.sets", "layoff.onto")
HELD_IN_SET = ("wild.real_card", "meld.set_suits", "meld.sets")
HELD_IN_RUN = ("wild.real_card", "layoff.onto")
CORNER = "no run goes round the corner from king to ace to two"
NO_SET, NO_RUN = ("layoff.onto", "meld.sets"), ("layoff.onto", "meld.runs")


@pytest.mark.parametrize(
    ("table", "meld", "text", "paths", "reason"),
    [
        (TWOS, "5c 5d 5h", "9c", NO_SET, "9c does not fit the set 5c 5d 5h"),
        (TWOS, "5c 6c 7c", "9c", NO_RUN, "9c does not fit the run 5c 6c 7c"),
        (TWOS, "5c 5d 5h", "5s 5c", NO_PLACE, "the set already has its 5c"),
        (TWOS, "5c 5d 5h 5s", "9c", NO_PLACE, "the set 5c 5d 5h 5s is complete"),
        (
            TWOS,
            "5c 5d 2c=5h",
            "2d=5h",
            HELD_IN_SET,
            "2c=5h already holds the place of 5h in this meld",
        ),
        # The suit of a card says nothing there.
        (TWOS, "* * *", "2c", NO_SET, "2c does not fit the set * * *"),
        (TWOS, "* * *", "2c *", NO_SET, "2c * does not fit the set * * *"),
        (TWOS, "* * * *", "2c", NO_SET, "2c does not fit the set * * * *"),
        (FOURS, "5c 5d 5h", "5c Kd", NO_SET, "5c Kd does not fit the set 5c 5d 5h"),
        (
            FOURS,
            "5c 5d 4c=5",
            "4d=5 Kd",
            NO_SET,
            "4d=5 Kd does not fit the set 5c 5d 4c=5",
        ),
        (
            FOURS,
            "5c 5d 5h 5s",
            "9c",
            NO_SET,
            "9c does not fit the set 5c 5d 5h 5s",
        ),
        (
            FOURS,
            "5h 4c=6h 7h",
            "4d=6h",
            HELD_IN_RUN,
            "4c=6h already holds the place of 6h in this meld",
        ),
        # It is not the six that does not fit: it may lie beside the wild.
        (
            FOURS,
            "5h 4c=6h 7h",
            "6h Kd",
            NO_RUN,
            "6h Kd does not fit the run 5h 4c=6h 7h",
        ),
        (
            RUNS_ONLY,
            "Qh Kh Ah",
            "2h",
            ("meld.ace", "layoff.onto"),
            f"2h does not fit the run Qh Kh Ah: {CORNER}",
        ),
    ],
)
def test_a_lay_off_that_does_not_fit_is_refused_for_what_it_lacks(
    table: Table, meld: str, text: str, paths: tuple[str, ...], reason: str
) -> None:
    found = read_layoff(table.terms, lying(table, meld), played(text), 0)
    assert found == Objection(paths[0], reason, paths[1:])


WILDS_ALONE = Table.of("rummy-500", "PGV-P3")
WITHOUT_ACE = SUIT[3:]


@pytest.mark.parametrize(
    ("table", "meld", "text", "end", "after"),
    [
        (WILDS_ALONE, "* * *", "* *", None, "* * * * *"),
        (R500, WITHOUT_ACE, "Ah", "low", f"Ah {WITHOUT_ACE}"),
        (R500, WITHOUT_ACE, "Ah", "high", f"{WITHOUT_ACE} Ah"),
        (R500, "5h 6h 7h", "8h", "high", "5h 6h 7h 8h"),
        (R500, "5h 6h 7h", "8h=8h", None, "5h 6h 7h 8h"),
    ],
)
def test_a_lay_off_lies_where_it_was_said(
    table: Table, meld: str, text: str, end: str | None, after: str
) -> None:
    found = read_layoff(table.terms, lying(table, meld), played(text), 1, end)
    assert isinstance(found, Meld)
    assert str(found) == after
    assert found.maker == 0
    assert sum(slot.seat == 1 for slot in found.slots) == len(text.split())


def test_a_card_beside_a_wild_stays_its_players_when_the_run_grows_below() -> None:
    run = read_layoff(FOURS.terms, lying(FOURS, "5h 4c=6h 7h"), played("6h"), 1)
    assert isinstance(run, Meld)
    grown = read_layoff(FOURS.terms, run, played("3h"), 0)
    assert isinstance(grown, Objection)
    grown = read_layoff(FOURS.terms, run, played("4h=4h"), 0)
    assert isinstance(grown, Meld)
    assert grown.beside == (Beside(2, rv.Card("6h"), 1),)


TWO_ENDS = (
    "* can be read as 5h 6h 7h *=8h or as *=4h 5h 6h 7h: "
    "declare what the wild card stands for"
)
BY_OWNER = "only its owner may build on a single wild card"
NATURALS = "only natural cards may be built on a single wild card"
ONE_RANK = "a single wild card takes at least two natural cards of one rank"


@pytest.mark.parametrize(
    ("table", "meld", "text", "end", "paths", "reason"),
    [
        (
            WILDS_ALONE,
            "* * *",
            "* 5c",
            None,
            ("wild.wild_melds",),
            "only wild cards go on a meld of wild cards",
        ),
        (
            WILDS_ALONE,
            "* * *",
            "*=5c",
            None,
            ("wild.wild_melds",),
            "only wild cards go on a meld of wild cards",
        ),
        (
            R500,
            "5c 5d 5h",
            "5s",
            "low",
            ("RV-31", "layoff.onto"),
            "only a run has a low end",
        ),
        (
            R500,
            WITHOUT_ACE,
            "Ah",
            None,
            ("meld.ace",),
            "Ah fits both ends: say low or high",
        ),
        (
            R500,
            WITHOUT_ACE,
            "*=Ah",
            None,
            ("meld.ace",),
            "*=Ah fits both ends: say low or high",
        ),
        (
            R500,
            "5h 6h 7h",
            "*",
            None,
            ("wild.stands_for",),
            TWO_ENDS,
        ),
        (
            R500,
            "5h 6h 7h",
            "4h",
            "high",
            ("RV-31", "layoff.onto", "meld.ace"),
            "4h would not lie at the high end of the run 4h 5h 6h 7h",
        ),
        (
            ONE_WILD,
            "5h *=6h 7h",
            "*=8h",
            None,
            ("wild.limit",),
            "a meld may hold only one wild card",
        ),
        (
            R500,
            "5h 6h 7h",
            "8h=9h",
            None,
            ("wild.stands_for",),
            "8h is not wild in this deal and stands for itself alone",
        ),
    ],
)
def test_a_lay_off_is_refused_for_what_is_said_of_it(
    table: Table,
    meld: str,
    text: str,
    end: str | None,
    paths: tuple[str, ...],
    reason: str,
) -> None:
    found = read_layoff(table.terms, lying(table, meld), played(text), 0, end)
    assert isinstance(found, Objection)
    assert ((found.path, *found.also), found.reason) == (paths, reason)


@pytest.mark.parametrize(
    ("table", "wild", "text", "seat", "path", "reason"),
    [
        (FOURS, "4h", "5c 5d", 1, "layoff.single_wilds", BY_OWNER),
        (FOURS, "4h", "5c 4d", 0, "layoff.single_wilds", NATURALS),
        (ONE_WILD, "*", "5c *", 0, "wild.limit", NATURALS),
        (FOURS, "4h", "5c", 0, "layoff.single_wilds", ONE_RANK),
        (FOURS, "4h", "5c 6c", 0, "layoff.single_wilds", ONE_RANK),
        (TWOS, "2h", "* *", 0, "meld.sets", "* * makes no set with 2h"),
    ],
)
def test_what_is_built_on_a_single_wild_is_refused_for_a_reason(
    table: Table, wild: str, text: str, seat: int, path: str, reason: str
) -> None:
    slot = Slot(rv.Card(wild), None, 0)
    lying = built(table.terms, "wild", (slot,), 0)
    found = read_layoff(table.terms, lying, played(text), seat)
    assert isinstance(found, Objection)
    assert (found.path, found.reason) == (path, reason)


def test_jokers_that_are_not_wild_are_laid_off_on_their_set() -> None:
    meld = lying(TWOS, "* * *")
    assert str(read_layoff(TWOS.terms, meld, played("*"), 0)) == "* * * *"
    assert str(read_layoff(TWOS.terms, meld, played("* *"), 0)) == "* * * * *"
    assert TWOS.terms.distinct


def test_a_set_of_wilds_and_natural_jokers_is_refused_by_the_value_for_sets() -> None:
    found = read_meld(TWOS.terms, played("* * 2c"), 0)
    assert isinstance(found, Objection)
    assert found.also == ("meld.sets",)


@pytest.mark.parametrize(
    ("table", "text", "path", "reason"),
    [
        (AS_MANY, "7h *=8h *=9h", f"{RULES}as many wilds as naturals", TOO_MANY),
        (TWO_AT_MOST, "7h * * *", f"{RULES}two wilds at most", TOO_MANY),
        (
            ONE_BESIDE_FOUR,
            "7h 8h 9h *=Th",
            f"{RULES}one wild beside four",
            TOO_MANY,
        ),
        (ONE_BESIDE_FOUR, "*=7h *=8h *=9h", "wild.limit", "at least one natural"),
        (TWO_AT_MOST, "*=7h *=8h *=9h", "wild.wild_melds", "at least one natural"),
        (R500, "7h 7d", "meld.least_set", "too short: a set has at least three cards"),
        (R500, "7h", "meld.least_set", "too short: a set has at least three cards"),
        (R500, "7h 8h", "meld.least_run", "too short: a run has at least three cards"),
        (R500, "7h *", "meld.least_run", "too short: a run has at least three cards"),
        (
            SETS_ALONE,
            "7h 8h",
            "meld.least_set",
            "too short: a set has at least three cards",
        ),
        (
            RUNS_ONLY,
            "7h 7d",
            "meld.least_run",
            "too short: a run has at least three cards",
        ),
        (R500, "* *", "meld.least_set", "too short: a set has at least three cards"),
        (
            LONG_RUNS,
            "7h 7d",
            "meld.least_set",
            "too short: a set has at least three cards",
        ),
        (
            LONG_RUNS,
            "7h 8h 9h",
            "meld.least_run",
            "too short: a run has at least four cards",
        ),
        (R500, "7h 7d 8c", "meld.sets", "differ in rank"),
        (R500, "7h 8h 8h", "meld.sets", "differ in rank"),
        (SETS_ALONE, "7h 8h 9h", "meld.sets", "differ in rank"),
        (R500, "7h 7d 7d", "meld.set_suits", "two cards of one suit"),
        (R500, "7h 7h *", "meld.set_suits", "two cards of one suit"),
        (R500, "7h 8d 9c", "meld.runs", "its suits differ"),
        (R500, "7h *=8h Kd", "meld.runs", "its suits differ"),
        (RUNS_ONLY, "7h 7d 7c", "meld.runs", "its suits differ"),
        (R500, "7h 9h Jh", "meld.runs", "do not follow one another"),
        (R500, "7h *=9h *=Jh", "wild.stands_for", "a wild card cannot stand for that"),
        (FOURS, "7c 7h 4d=8", "wild.stands_for", "a wild card cannot stand for that"),
        (R500, "*=7h *=8h *=9h", "wild.wild_melds", "at least one natural"),
        (ONE_WILD, "*=7h *=8h *=9h", "wild.limit", "at least one natural"),
        (ONE_WILD, "7h * *", "wild.limit", "may hold only one wild card"),
        (R500, "7h=6h 8h 9h", "wild.stands_for", "7h is not wild"),
        (TWOS, "* * 2c", "wild.stands_for", "a wild card does not stand for a joker"),
        (TWOS, "* 2c 7c 7d", "meld.sets", "differ in rank"),
        (CLUBS, "4c 4d *=4h", "wild.stands_for", "the deck has no hearts"),
        (CLUBS, "4c 5c *=3c", "wild.stands_for", "the deck has no threes"),
        (R500, "8c 8d *=8", "wild.stands_for", "*=8h or as 8c 8d *=8s"),
        # The order says where an ace stands in a run of all ranks, and in no other.
        (R500, f"2h Ah {SUIT[6:]}", "meld.ace", "write it first or last"),
        (R500, f"Ah {SUIT[6:-3]} *", "wild.stands_for", "can be read as"),
    ],
)
def test_a_refusal_gives_the_reason(
    table: Table, text: str, path: str, reason: str
) -> None:
    found = read_meld(table.terms, played(text), 0)
    assert isinstance(found, Objection)
    assert found.path == path
    assert reason in found.reason
    if path == "meld.sets":
        assert ("meld.runs" in found.also) == table.terms.runs


@pytest.mark.parametrize(
    ("table", "text", "meld"),
    [
        (R500, "7h=7h 8h 9h", "7h 8h 9h"),
        (R500, "7h *=8 9h", "7h *=8h 9h"),
        (R500, "8c 8d 8h *=8", "8c 8d 8h *=8s"),
        (PAIRS, "7h *=7c", "7h *=7c"),
        (FOURS, "7c 7h 4d=7", "7c 7h 4d=7"),
        (FOURS, "3h 4h 4h 6h", "3h 4h=4h 4h=5h 6h"),
        (FOURS, "3h 5h 4c 4h 7h", "3h 4h=4h 5h 4c=6h 7h"),
        (THREE_SUITS, "4c 4d=4 4h=4c", "4c=4h 4d=4d 4h=4c"),
    ],
)
def test_what_is_said_of_a_wild_holds(table: Table, text: str, meld: str) -> None:
    assert str(read_meld(table.terms, played(text), 0)) == meld


# --------------------------------------------------------------- what is limited where

SWAPS = Table.of("rummy-500", "PGV-P4")
SWAPS_FOURS = Table.of("rummy-5000", "PGV-P4", players=3, wild="4")


def lying(table: Table, text: str) -> Meld:
    meld = read_meld(table.terms, played(text), 0)
    assert isinstance(meld, Meld)
    return meld


def test_a_wild_in_the_first_place_can_be_traded_but_for_the_dealers() -> None:
    meld = lying(SWAPS, "*=6h 7h 8h")
    code = rv.Card("6h").code
    found = trade(SWAPS.terms, meld, code, 1, locked=False)
    assert not isinstance(found, Objection)
    after, index = found
    assert index == 0
    assert after.slots[0] == Slot(rv.Card("6h"), None, 1)
    assert after.slots[1:] == meld.slots[1:]
    locked = trade(SWAPS.terms, meld, code, 1, locked=True)
    assert isinstance(locked, Objection)
    assert locked.path == "wild.real_card"


def test_a_wild_in_a_later_place_is_traded_though_the_first_is_locked() -> None:
    meld = lying(SWAPS, "6h 7h *=8h")
    found = trade(SWAPS.terms, meld, rv.Card("8h").code, 1, locked=True)
    assert not isinstance(found, Objection)
    assert found[1] == 2


def test_a_real_card_that_is_wild_stands_in_its_own_place() -> None:
    meld = lying(SWAPS_FOURS, "3h 4c=4h 5h")
    found = trade(SWAPS_FOURS.terms, meld, rv.Card("4h").code, 1, locked=False)
    assert not isinstance(found, Objection)
    slot = found[0].slots[1]
    assert (str(slot.card), slot.own_place, slot.seat) == ("4h", True, 1)
    assert slot.stands_for == rv.melds.Place("4h")


def test_four_that_count_twice_do_so_after_a_trade() -> None:
    meld = lying(SWAPS, "*=6h 7h 8h")
    slots = tuple([attrs.evolve(slot, twice=True) for slot in meld.slots])
    twice = built(SWAPS.terms, "run", slots, 0, meld.low)
    found = trade(SWAPS.terms, twice, rv.Card("6h").code, 1, locked=False)
    assert not isinstance(found, Objection)
    assert all(slot.twice for slot in found[0].slots)


def test_a_policy_of_a_third_party_sees_the_meld_that_a_trade_makes() -> None:
    seen = []

    refused = Objection("meld.policy", "no six is traded here")

    def object_to(meld: Meld) -> Objection | None:
        seen.append((meld.kind, meld.low, str(meld.slots[0].card)))
        return refused if meld.slots[0].card == rv.Card("6h") else None

    terms = attrs.evolve(SWAPS.terms, extra=object_to)
    meld = lying(SWAPS, "*=6h 7h *=8h")
    found = trade(terms, meld, rv.Card("6h").code, 1, locked=False)
    assert found == refused
    assert not isinstance(
        trade(terms, meld, rv.Card("8h").code, 1, locked=False), Objection
    )
    assert seen == [("run", meld.low, "6h"), ("run", meld.low, "*")]


def test_a_policy_of_a_third_party_sees_each_meld_that_is_laid() -> None:
    seen = []
    terms = attrs.evolve(
        FOURS.terms,
        extra=lambda meld: seen.append((meld.kind, meld.low, meld.beside)),
    )
    run = read_meld(terms, played("5h 4c=6h 7h"), 0)
    assert isinstance(run, Meld)
    assert ("run", run.low, ()) in seen
    natural = read_meld(terms, played("7c 7d 7h"), 0)
    assert isinstance(natural, Meld)
    assert ("set", -1, ()) in seen
    grown = read_layoff(terms, run, played("6h"), 1)
    assert isinstance(grown, Meld)
    assert seen[-1] == ("run", run.low, (Beside(1, rv.Card("6h"), 1),))


def test_a_policy_of_a_third_party_is_not_asked_of_wilds_alone() -> None:
    def object_to(meld: Meld) -> str:
        raise AssertionError(meld)

    table = Table.of("rummy-5000", players=5, wild="4", wild__wild_melds=True)
    terms = attrs.evolve(table.terms, extra=object_to)
    slots = tuple(Slot(card, None, 0) for card in rv.Cards("4c 4d 4h"))
    assert limit_of_draft(terms, Meld("wilds", slots, 0)) is None
    single = (Slot(rv.Card("4c"), rv.melds.Place("4c"), 0),)
    assert limit_of_draft(terms, Meld("wild", single, 0)) is None


def test_a_meld_of_wilds_takes_another_until_it_is_full() -> None:
    table = Table.of("rummy-5000", players=5, wild="4", wild__wild_melds=True)
    terms = attrs.evolve(table.terms, largest={"wilds": (4, "meld.largest")})
    three = read_meld(terms, played("4c 4d 4h"), 0)
    assert isinstance(three, Meld)
    four = read_layoff(terms, three, played("4s"), 1)
    assert isinstance(four, Meld)
    assert (three.takes_wild, four.takes_wild) == (True, False)


def test_a_card_beside_a_wild_stays_there_after_a_trade() -> None:
    meld = lying(SWAPS, "*=6h 7h *=8h")
    beside = (Beside(0, rv.Card("6h"), 2),)
    meld = built(SWAPS.terms, "run", meld.slots, 0, meld.low, beside)
    found = trade(SWAPS.terms, meld, rv.Card("8h").code, 1, locked=False)
    assert not isinstance(found, Objection)
    assert found[0].beside == beside


def test_a_policy_of_a_third_party_sees_what_is_built_on_a_single_wild() -> None:
    table = Table.of("2500-house", wild="4")
    terms = attrs.evolve(
        table.terms, extra=lambda meld: Objection("meld.policy", f"no {meld.kind}")
    )
    single = built(terms, "wild", (Slot(rv.Card("4c"), rv.melds.Place("4c"), 0),), 0)
    found = read_layoff(terms, single, played("7h 7d"), 0)
    assert found == Objection("meld.policy", "no set")


def test_only_its_owner_builds_on_a_single_wild_and_with_naturals() -> None:
    for table, path in (
        (
            Table.of("2500-house", wild="4", wild__limit="none"),
            "layoff.single_wilds",
        ),
        (Table.of("2500-house", wild="4", wild__limit="one"), "wild.limit"),
    ):
        single = built(
            table.terms, "wild", (Slot(rv.Card("4c"), rv.melds.Place("4c"), 0),), 0
        )
        found = read_layoff(table.terms, single, played("7h 4d"), 0)
        assert isinstance(found, Objection)
        assert found.path == path
        assert "layoff.single_wilds" in found.also
        found = read_layoff(table.terms, single, played("7h 7d"), 1)
        assert isinstance(found, Objection)
        assert found.path == "layoff.single_wilds"


DUTIES = {
    "natural set at once": (
        "has to go down at once in a natural set with two cards of its rank from the "
        "hand"
    ),
    "two naturals from hand": (
        "has to be melded this turn with two natural cards from the hand"
    ),
    "two naturals from hand at once": (
        "has to go down at once in a new meld with two natural cards from the hand"
    ),
    "new meld": "has to go into a new meld this turn",
    "new meld at once": "has to go down at once in a new meld",
    "play": "has to be melded or laid off this turn",
    "play at once": "has to be melded or laid off at once",
    "play or discard": "has to be melded, laid off or discarded this turn",
    "play or discard at once": "has to be melded or laid off at once, or discarded",
}


@pytest.mark.parametrize("how", DUTIES)
def test_a_duty_says_what_has_to_be_done(how: str) -> None:
    owed = duty(rv.Card("7h").code, how, "draw.duty")
    assert str(owed) == DUTIES[how]
    assert owed.at_once == ("at once" in how)


@pytest.mark.parametrize(
    ("how", "used", "held", "meld", "natural", "met"),
    [
        ("play", "7h", "", False, False, True),
        ("play", "7d", "7d", True, True, False),
        ("new meld", "7h 8h 9h", "", True, False, True),
        ("new meld at once", "7h 8h 9h", "8h 9h", True, False, True),
        ("new meld", "7h", "8h 9h", False, False, False),
        ("two naturals from hand", "7h 8h 9h", "8h 9h", True, True, True),
        ("two naturals from hand", "7h 8h 9h", "8h 9h", False, True, False),
        ("two naturals from hand", "7h 8h *", "8h *", True, False, False),
        # The card itself is none of the two, though the hand holds its twin.
        ("two naturals from hand", "7h 8h *", "7h 8h *", True, False, False),
        ("two naturals from hand", "7h 7h 8h", "7h 8h", True, False, True),
        ("natural set at once", "7h 7c 7d", "7c 7d", True, True, True),
        ("natural set at once", "7h 7c 7d", "7c 7d", True, False, False),
        ("natural set at once", "7h 8h 9h", "8h 9h", True, True, False),
    ],
)
def test_a_duty_is_met_by_what_it_asks_for(
    how: str, used: str, held: str, *, meld: bool, natural: bool, met: bool
) -> None:
    owed = duty(rv.Card("7h").code, how, "draw.duty")
    terms = Table.of("rummy-500", players=5).terms
    one, other = (rv.Cards(text).bits for text in (used, held))
    assert owed.met_by(terms, one, other, meld=meld, natural=natural) == met


def test_a_third_party_sees_who_made_the_meld_that_a_lay_off_makes() -> None:
    makers = []
    terms = attrs.evolve(FOURS.terms, extra=lambda meld: makers.append(meld.maker))
    run = read_meld(terms, played("6h 7h 8h"), 2)
    assert isinstance(run, Meld)
    assert isinstance(read_layoff(terms, run, played("5h"), 1), Meld)
    assert makers[-1] == 2
