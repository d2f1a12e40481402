"""
Cards, and multisets of cards held in one integer.

A card has a small *code*: sixteen codes for each suit, of which 1 (ace) to 13 (king)
are used, and one code for all jokers. A hand is an integer with four bits for each
code: three count the copies (up to seven), and the fourth stays zero, so one
subtraction answers whether a hand holds certain cards. Jokers lie above the four suits
of an ordinary pack, where there is room: four bits count them (up to fifteen), and a
fifth stays zero. Stars, which few decks have, lie above jokers, so that they cost
nothing elsewhere. The functions in lower case work on those integers; `Cards` is the
type that users see.
"""

from __future__ import annotations

import functools
import re

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, Final

import attrs

from rummyvariants.errors import CopiesError, ParseError, need


RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
"""The suits of an ordinary pack."""
STARS: Final = "x"
"""The fifth suit of some decks."""
JOKER: Final = 64
ROW_OF: Final = {**{suit: row for row, suit in enumerate(SUITS)}, STARS: 5}
"""By suit, its row: the codes of a row are sixteen times its number, and the rank. The
row between is that of jokers."""
ROWS: Final = 6
SUIT_BIT: Final = (8, 4, 2, 1, 0, 16)
"""By row, the bit of the suit where suits are given as bits."""
CODES: Final = 16 * ROWS
COPIES: Final = (7,) * JOKER + (15,) + (7,) * (CODES - JOKER - 1)
"""The most copies of each face that a multiset can hold, by code."""
MOST_COPIES: Final = max(COPIES)

_BLACK_AND_RED: Final = str.maketrans("♣♦♥♠♧♢♡♤★☆", "cdhscdhsxx", "\ufe0f")
"""The letters for signs of suits; the character that asks for colours is left out."""


_CODES: Final = {
    rank + suit: 16 * row + column + 1
    for suit, row in ROW_OF.items()
    for column, rank in enumerate(RANKS)
}
_FACES: Final = {code: (face[0], face[1]) for face, code in _CODES.items()} | {
    JOKER: ("*", "")
}
_WORDS: Final = {face.lower(): code for face, code in _CODES.items()} | {
    **{f"10{suit}": _CODES[f"T{suit}"] for suit in ROW_OF},
    **dict.fromkeys(("*", "jk", "joker"), JOKER),
    **_CODES,
}
"""The text of each card, by code."""


def code_of(rank: str, suit: str) -> int:
    """
    The code of a face, from the letters of its rank and suit.
    """
    return _CODES[rank + suit]


def _code_in(text: str) -> int | None:
    """
    The code of a card from its text; None if it names no card.
    """
    code = _WORDS.get(text)
    if code is None:
        code = _WORDS.get(text.strip().translate(_BLACK_AND_RED).lower())
    return code


def _read(text: object) -> int:
    """
    The code of a card from its text.
    """
    code = _code_in(text) if isinstance(text, str) else None
    if code is not None:
        return code
    hint = _meant_by(text) if isinstance(text, str) and len(text) < 60 else ""
    hint = hint or (
        "a rank (2 3 4 5 6 7 8 9 T J Q K A) and a suit (c d h s), or * for a joker"
    )
    msg = f"{text!r} is not a card: write {hint}"
    raise ParseError(msg)


_RANKS_SAID: Final = {
    **{rank.lower(): rank for rank in RANKS},
    **dict(zip(("1", "10", "11", "12", "13", "14"), "ATJQKA", strict=True)),
    **dict(zip(("ace", "two", "three", "four", "five"), "A2345", strict=True)),
    **dict(zip(("six", "seven", "eight", "nine", "ten"), "6789T", strict=True)),
    "jack": "J",
    "queen": "Q",
    "king": "K",
}
"""The letters of ranks as people write and say them."""


def _meant_by(text: str) -> str:
    """
    What to write for the card that a text seems to mean; empty if that is not clear.
    """
    said = text.strip().translate(_BLACK_AND_RED).lower()
    if re.fullmatch(f"(?:{_FACE}){{2,}}", said):
        apart = " ".join(str(Card(one)) for one in re.findall(_FACE, said))
        return f"blanks between the cards, as in '{apart}'"
    rank, suit = said[:-1], said[-1:]
    if said[:1] in ROW_OF and said[1:] in _RANKS_SAID and len(said) < 4:
        rank, suit = said[1:], said[0]
    elif found := re.fullmatch(
        r"(\w+)(?: of)? ?([cdhs])(?:lub|iamond|eart|pade)s?", said
    ):
        rank, suit = found[1], found[2]
    elif found := re.fullmatch(r"(\w+)(?: of)? ?stars?", said):
        rank, suit = found[1], STARS
    if rank in _RANKS_SAID and suit in ROW_OF:
        return _RANKS_SAID[rank] + suit
    if said in _RANKS_SAID:
        letter = _RANKS_SAID[said]
        return f"its suit too: {', '.join(letter + suit for suit in SUITS)}"
    return ""


_FACE: Final = "(?:10|[2-9tjqka])[cdhsx]"


@attrs.frozen(init=False, repr=False, eq=False)
class Card:
    """
    A card by its face: in two packs there are two equal cards of each.

    ``Card("Th")`` reads its text; it also accepts ``10h``, ``t♥``, ``JK`` and
    ``joker``. A card equals each of its texts, but is not found by them in a set or a
    dict: its hash is that of a card.

    Attributes:
        rank: One of ``A23456789TJQK``, or ``*`` for a joker.
        suit: One of ``cdhs``, or ``x`` for stars, which few decks have; empty for a
            joker.
        code: A small integer, one for each face.

    Raises:
        ParseError: If the text does not name a card.

    >>> card = rv.Card("10♥")
    >>> card, card.rank, card.suit
    (Card('Th'), 'T', 'h')
    >>> card == "Th"
    True
    """

    rank: str
    suit: str
    code: int

    def __init__(self, text: str) -> None:
        code = _read(text)
        rank, suit = _FACES.get(code, ("", ""))
        object.__setattr__(self, "rank", rank)
        object.__setattr__(self, "suit", suit)
        object.__setattr__(self, "code", code)

    @property
    def is_joker(self) -> bool:
        """
        Whether this is a joker.

        >>> rv.Card("*").is_joker, rv.Card("2c").is_joker
        (True, False)
        """
        return self.code == JOKER

    def __str__(self) -> str:
        return self.rank + self.suit

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Card, (str(self),)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Card):
            return self.code == other.code
        if isinstance(other, str):
            return _code_in(other) == self.code
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.code)

    def __lt__(self, other: Card) -> bool:
        if not isinstance(other, Card):
            return NotImplemented
        return self.code < other.code


def card_of(text: str) -> Card | None:
    """
    The card that a text names; None if it names none.
    """
    code = _code_in(text)
    return None if code is None else CARDS[code]


def _card(code: int) -> Card:
    """
    The card of a code; a card without a face if no card has the code.
    """
    if code in _FACES:
        return Card("".join(_FACES[code]))
    # The word exists only while the card is made, so nobody else can make one.
    _WORDS[""] = code
    card = Card("")
    del _WORDS[""]
    return card


CARDS: Final = tuple([_card(code) for code in range(CODES)])
"""Every face by its code; codes that no card has hold an empty card."""

ALL_CODES: Final = tuple(sorted(_FACES))
UNIT: Final[tuple[int, ...]] = tuple(1 << 4 * code for code in range(CODES))
"""The multiset of one card, by code."""
FIELD: Final[tuple[int, ...]] = tuple(15 << 4 * code for code in range(CODES))
"""The four bits of one face, by code."""
LANE: Final = (1 << 64) - 1
"""All bits of a suit, in a multiset from which the suits below it are shifted out."""
ONES: Final = sum(UNIT)
_TWOS: Final = ONES << 1
_FOURS: Final = ONES << 2
GUARDS: Final = (ONES << 3) + UNIT[JOKER] * 8
"""The bit above the count of each face, which no multiset sets."""
_EIGHT: Final = 4 * JOKER + 3
"""The number of the bit that is set where eight jokers or more are held."""
_COPIES: Final = _TWOS | _FOURS | 1 << _EIGHT
"""The bits that are set where a face is held more than once."""
_STARS: Final = 64 * ROW_OF[STARS]
"""The first bit of stars."""
_NO_PLAIN: Final = _COPIES | LANE << _STARS
"""The bits that are set where a face is held more than once, or stars are held."""


def size(bits: int) -> int:
    """
    How many cards a multiset holds.
    """
    if not bits & _COPIES:
        return bits.bit_count()
    return (
        (bits & ONES).bit_count()
        + 2 * (bits & _TWOS).bit_count()
        + 4 * (bits & _FOURS).bit_count()
        + 8 * (bits >> _EIGHT & 1)
    )


def count(bits: int, code: int) -> int:
    """
    How many copies of one face a multiset holds.
    """
    return bits >> 4 * code & 15


def holds(bits: int, part: int) -> bool:
    """
    Whether a multiset holds all the cards of another.
    """
    return (bits | GUARDS) - part & GUARDS == GUARDS


def common(first: int, second: int) -> int:
    """
    The cards that two multisets share, each as often as both hold it.
    """
    if not (first | second) & _COPIES:
        return first & second
    shared = 0
    for code in faces(first & present(second) * 15):
        shared += min(count(first, code), count(second, code)) << 4 * code
    return shared


def present(bits: int) -> int:
    """
    One copy of each face that a multiset holds.
    """
    if not bits & _COPIES:
        return bits
    pairs = bits | bits >> 2
    return (pairs | pairs >> 1) & ONES


def thrice(bits: int) -> int:
    """
    One copy of each face that a multiset holds three times or more.
    """
    return (bits >> 3 | bits >> 2 | bits >> 1 & bits) & ONES


def ranks_by_suit(bits: int, rows: Iterable[int] = range(4)) -> list[int]:
    """
    The ranks of each suit that a multiset holds as bits, the ace lowest.

    Args:
        bits: The multiset.
        rows: The rows of the suits.
    """
    return [ranks_held(bits >> 64 * row) for row in rows]


def ranks_held(bits: int) -> int:
    """
    The ranks as bits, the ace lowest, of the suit that is lowest in a multiset.
    """
    lane = bits & LANE
    found = _RANKS_IN.get(lane)
    if found is None:
        lane = present(lane)
        found = _RANKS_IN.get(lane)
        if found is None:
            # The hexadecimal digits of `present` are binary ones.
            found = _RANKS_IN[lane] = int(f"{lane:x}", 2) >> 1 & _RANK_BITS
    return found


_RANK_BITS: Final = (1 << len(RANKS)) - 1
_RANKS_IN: Final[dict[int, int]] = {0: 0}
"""The ranks by the faces of a suit as they lie in a multiset, 8,192 entries at most."""


def ranks_with(bits: int, least: int) -> str:
    """
    The ranks of which at least so many cards are held, ace first, without jokers.
    """
    if bits & _NO_PLAIN or not 0 < least < 5:
        return _held_often(bits, least)
    clubs, diamonds = bits & LANE, bits >> 64 & LANE
    hearts, spades = bits >> 128 & LANE, bits >> 192 & LANE
    if least == 3:
        minor, major = clubs & diamonds, hearts & spades
        held = minor & (hearts | spades) | major & (clubs | diamonds)
    elif least == 2:
        either = (clubs | diamonds) & (hearts | spades)
        held = clubs & diamonds | hearts & spades | either
    elif least == 1:
        held = clubs | diamonds | hearts | spades
    else:
        held = clubs & diamonds & hearts & spades
    return _text_of(held) if held else ""


@functools.cache
def _text_of(lane: int) -> str:
    """
    The ranks that a suit holds once each, as a text; one entry for each set of ranks.
    """
    return "".join([rank for at, rank in enumerate(RANKS, 1) if lane >> 4 * at & 1])


def _held_often(bits: int, least: int) -> str:
    """
    The ranks of which so many cards are held, copies counted.
    """
    # A byte a rank, so that seven copies in five suits fit: those of even number in the
    # lowest lane, the others four lanes higher. The lanes above are added to both.
    number = bits & _EVEN | (bits >> 4 & _EVEN) << 256
    number += number >> 64
    number += number >> 128
    if stars := bits >> _STARS:
        number += stars & _EVEN | (stars >> 4 & _EVEN) << 256
    # Then the top bit of a byte says whether the number is high enough.
    enough = number + _BYTES * (128 - least) & _TOPS
    return _text_of_bytes(enough) if enough else ""


@functools.cache
def _text_of_bytes(enough: int) -> str:
    """
    The ranks whose top bits are set; one entry for each set of ranks.
    """
    places = [256 * (at & 1) + 8 * (at >> 1) + 7 for at in range(1, len(RANKS) + 1)]
    return "".join(
        [rank for rank, at in zip(RANKS, places, strict=True) if enough >> at & 1]
    )


_EVEN: Final = sum(15 << 64 * row + 8 * at for row in range(4) for at in range(8))
_BYTES: Final = sum(1 << 256 * odd + 8 * at for odd in range(2) for at in range(8))
_TOPS: Final = _BYTES << 7


def faces(bits: int) -> tuple[int, ...]:
    """
    The codes of the different faces of a multiset, lowest first.
    """
    left = present(bits)
    clubs, diamonds, hearts, spades = _FACES_IN
    found: tuple[int, ...] = ()
    if lane := left & LANE:
        found = clubs.get(lane) or _faces_in(0, lane)
    if lane := left >> 64 & LANE:
        found += diamonds.get(lane) or _faces_in(1, lane)
    if lane := left >> 128 & LANE:
        found += hearts.get(lane) or _faces_in(2, lane)
    if lane := left >> 192:
        found += spades.get(lane) or _faces_in(3, lane)
    return found


def _faces_in(row: int, lane: int) -> tuple[int, ...]:
    """
    The faces of one suit, or of spades and all above; remembered but for stars.
    """
    if stars := lane >> 128:
        lane ^= stars << 128
        lower = (_FACES_IN[row].get(lane) or _faces_in(row, lane)) if lane else ()
        return lower + tuple([one + 16 * ROW_OF[STARS] for one in faces(stars)])
    found = []
    left = lane
    while left:
        first = left & -left
        found.append(16 * row + (first.bit_length() >> 2))
        left ^= first
    _FACES_IN[row][lane] = tuple(found)
    return _FACES_IN[row][lane]


_FACES_IN: Final[tuple[dict[int, tuple[int, ...]], ...]] = ({}, {}, {}, {})
"""By suit, its faces by the cards as they lie in a multiset: 16,384 entries at most."""


def lowest(bits: int) -> int:
    """
    The code of the lowest face of a multiset that is not empty.
    """
    return (bits & -bits).bit_length() - 1 >> 2


def codes(bits: int) -> tuple[int, ...]:
    """
    The codes of all cards of a multiset, lowest first, copies one after another.
    """
    if not bits & _COPIES:
        return faces(bits)
    return tuple([code for code in faces(bits) for _ in range(count(bits, code))])


def differences(bits: int) -> Iterator[tuple[int, int]]:
    """
    The faces that two multisets hold in different numbers, and by how many.

    What is not the difference of two multisets gives codes that no card has.

    Args:
        bits: The first less the second.

    Yields:
        The code, and how many more the first holds: below zero if it holds fewer.
    """
    code = 0
    while bits:
        # The joker has room for as many again.
        half = 128 if code == JOKER else 8
        number = (bits + half) % (2 * half) - half
        if number:
            yield code, number
        bits = (bits - number) >> 4
        code += 1


def total(values: tuple[int, ...], bits: int) -> int:
    """
    The total value of cards, by the value of each code.
    """
    found = 0
    while bits:
        # Of the four bits of a code, bit n counts two to the n copies.
        at = bits.bit_length() - 1
        found += values[at >> 2] << (at & 3)
        bits ^= 1 << at
    return found


def pack(cards: Iterable[int]) -> int:
    """
    The multiset of the given codes.

    Raises:
        CopiesError: If there are more cards of one face than a hand can hold.
    """
    bits = 0
    for before, code in enumerate(cards):
        bits += UNIT[code]
        if before >= _FEWEST and bits & GUARDS:
            raise _too_many(code)
    return bits


_FEWEST: Final = min(COPIES)


def _too_many(code: int) -> CopiesError:
    most = f"the library counts {COPIES[code]} of one face at most"
    return CopiesError(f"{CARDS[code]} comes too often: {most}")


def replaced(numbers: tuple[int, ...], at: int, by: int) -> tuple[int, ...]:
    """
    Numbers with one of them replaced, such as the hands when one has changed.
    """
    changed = list(numbers)
    changed[at] = by
    return tuple(changed)


def show(cards: Iterable[int]) -> str:
    """
    Cards given by their codes as text, ``7h 8h 9h``.
    """
    return " ".join([str(CARDS[code]) for code in cards])


def parse_cards(text: str) -> tuple[Card, ...]:
    """
    Read a list of cards separated by spaces or commas, in their order.

    Raises:
        ParseError: If a word does not name a card.

    >>> from rummyvariants.cards import parse_cards
    >>> parse_cards("Kc 7h Kc")
    (Card('Kc'), Card('7h'), Card('Kc'))
    """
    if not isinstance(text, str):
        raise _no_cards(text)
    return tuple([CARDS[_read(word)] for word in text.replace(",", " ").split()])


def _no_cards(given: object) -> ParseError:
    return ParseError(f"{given!r} is not a text with cards, such as '7h 8h'")


@attrs.frozen(init=False, repr=False, eq=False)
class Cards:
    """
    A multiset of cards, such as a hand. Copies of one face are interchangeable.

    ``Cards("7h 8h")`` reads cards separated by spaces. It also accepts any iterable of
    cards or their texts; without an argument it is empty. A hand takes texts where it
    takes cards: ``"7h" in hand``, ``hand.count("7h")``, ``hand - "7h 8h"``. It equals a
    text that names its cards, in any order, but is not found by one in a set or a dict:
    its hash is that of its cards.

    Attributes:
        bits: The cards as one integer (see this module).

    Raises:
        ParseError: If something in it is not a card, or there are more than seven cards
            of one face or fifteen jokers, which is as many as the library counts.

    >>> hand = rv.Cards("7h 8h 8h Kc")
    >>> "8h" in hand, len(hand)
    (True, 4)
    >>> hand - "8h Kc"
    Cards('7h 8h')
    """

    bits: int

    def __init__(self, cards: str | Iterable[Card | str] = ()) -> None:
        if isinstance(cards, str):
            cards = parse_cards(cards)
        elif not isinstance(cards, Iterable):
            raise _no_cards(cards)
        found = [one if isinstance(one, Card) else Card(one) for one in cards]
        _set_bits(self, pack([card.code for card in found]))

    def count(self, card: Card | str) -> int:
        """
        How many copies of a card are held.

        Args:
            card: The card, or its text.

        Raises:
            ParseError: If it is not a card.

        >>> rv.Cards("7h 8h 8h").count("8h")
        2
        """
        code = card.code if isinstance(card, Card) else _read(card)
        return count(self.bits, code)

    def __len__(self) -> int:
        return size(self.bits)

    def __iter__(self) -> Iterator[Card]:
        return (CARDS[code] for code in codes(self.bits))

    def __contains__(self, card: object) -> bool:
        code = _code_in(card) if isinstance(card, str) else None
        if isinstance(card, Card):
            code = card.code
        return code is not None and count(self.bits, code) > 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Cards):
            return self.bits == other.bits
        if isinstance(other, str):
            try:
                return self.bits == Cards(other).bits
            except ParseError:
                return False
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.bits)

    def __add__(self, other: Cards | str) -> Cards:
        # Seven and seven copies stay within the four bits of their face, fifteen and
        # fifteen jokers within their five.
        bits = self.bits + _bits_of(other)
        if over := bits & GUARDS:
            raise _too_many(lowest(over >> 3))
        return as_cards(bits)

    def __sub__(self, other: Cards | str) -> Cards:
        bits = _bits_of(other)
        if not holds(self.bits, bits):
            msg = f"{other} is not held by {self}"
            raise ValueError(msg)
        return as_cards(self.bits - bits)

    def __le__(self, other: Cards | str) -> bool:
        return holds(_bits_of(other), self.bits)

    def __str__(self) -> str:
        return show(codes(self.bits))

    def _repr_html_(self) -> str:
        """
        The cards as a notebook shows them: a picture with words for screen readers.
        """
        return str(import_module("rummyvariants.svg").hand(self))

    def __repr__(self) -> str:
        return f"Cards({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Cards, (str(self),)


def _bits_of(cards: Cards | str) -> int:
    """
    The multiset of cards that were given as such, or as a text.
    """
    need("what comes after the sign", cards, Cards, str)
    return (Cards(cards) if isinstance(cards, str) else cards).bits


_bare: Any = object.__new__
_set_bits: Any = Cards.__dict__["bits"].__set__


def as_cards(bits: int) -> Cards:
    """
    The cards of a multiset, which is not checked.
    """
    cards: Cards = _bare(Cards)
    _set_bits(cards, bits)
    return cards


def sub_multisets(bits: int, least: int = 0, most: int = 99) -> Iterable[int]:
    """
    The parts of a multiset with so many cards, those with the lowest cards first.
    """
    if least <= 0:
        yield 0
    if most > 0 and size(bits) >= least:
        for code in faces(bits):
            unit = UNIT[code]
            for part in sub_multisets(bits - unit, least - 1, most - 1):
                yield unit + part
            bits &= ~FIELD[code]
