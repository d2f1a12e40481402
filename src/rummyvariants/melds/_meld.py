"""
Melds on the table: where each card lies, what it stands for, and who laid it.
"""

from __future__ import annotations

import contextlib
import functools

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

import attrs

from rummyvariants._support.values import Value
from rummyvariants.cards import (
    CARDS,
    CODES,
    FIELD,
    JOKER,
    LANE,
    RANKS,
    ROW_OF,
    SUIT_BIT,
    Card,
    faces,
    pack,
)
from rummyvariants.errors import ParseError, Seat, seat_number
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.shapes._filling import Counted
from rummyvariants.melds.shapes._kinds import kinds_of
from rummyvariants.melds.shapes._numbers import PLACE_OF
from rummyvariants.melds.shapes._track import (
    RUN_CODES,
    Side,
    Track,
    Window,
    codes_along,
)


@attrs.frozen(init=False, repr=False, order=False)
class Place:
    """
    What a wild card stands for: ``Place("8h")``, or ``Place("8")`` alone.

    Attributes:
        rank: The rank.
        suit: The suit; empty in a set whose suits do not matter.
        code: The code of the card; -1 if the suit does not matter.

    Raises:
        ParseError: If the text is neither a card nor a rank.

    >>> rv.melds.Place("8h"), rv.melds.Place("8").suit
    (Place('8h'), '')
    """

    rank: str
    suit: str
    code: int = attrs.field(eq=False)

    def __init__(self, text: str) -> None:
        rank, suit, code = _place(text)
        object.__setattr__(self, "rank", rank)
        object.__setattr__(self, "suit", suit)
        object.__setattr__(self, "code", code)

    def __reduce__(self) -> tuple[Any, ...]:
        return Place, (str(self),)

    def __str__(self) -> str:
        return self.rank + self.suit

    def __repr__(self) -> str:
        return f"Place({str(self)!r})"


@functools.cache
def place(rank: str, suit: str = "") -> Place:
    """
    The place of a rank and suit; always the same object for the same arguments.
    """
    return Place(rank + suit)


def _place(text: object) -> tuple[str, str, int]:
    """
    The rank, the suit and the code of a place from its text.
    """
    if isinstance(text, str):
        rank = text.strip().upper().replace("10", "T")
        if len(rank) == 1 and rank in RANKS:
            return rank, "", -1
        with contextlib.suppress(ParseError):
            card = Card(text)
            if card.suit:
                return card.rank, card.suit, card.code
    msg = f"a wild card cannot stand for {text!r}: write a card or a rank"
    raise ParseError(msg)


LIVES: Final = frozenset({"run", "alike"})
"""The kinds of melds that count as the runs that a declaration needs."""
IDENTICAL: Final = 3
"""How many identical cards are a meld, where they are one."""
OWN_PLACE: Final = tuple(
    place(card.rank, card.suit) if card.suit else None for card in CARDS
)
"""By code, the place of a card that stands for itself."""


@attrs.frozen(init=False, repr=False, order=False)
class Played:
    """
    A card as it is named in an action: ``Played("8h")``, ``Played("*=8h")``.

    Attributes:
        card: The card.
        stands_for: What it is declared to stand for; None without a declaration.

    Raises:
        ParseError: If a part of the text does not name a card.

    >>> joker = rv.melds.Played("*=8h")
    >>> joker.card, joker.stands_for
    (Card('*'), Place('8h'))
    """

    card: Card
    stands_for: Place | None
    _hash: int = attrs.field(init=False, eq=False, repr=False)

    def __init__(self, text: str) -> None:
        card, place = _named(text)
        object.__setattr__(self, "card", card)
        object.__setattr__(self, "stands_for", place)
        object.__setattr__(self, "_hash", hash((card, place)))

    def __hash__(self) -> int:
        return self._hash

    @property
    def substitutes(self) -> bool:
        """
        Whether it is declared to stand for another card.
        """
        return self.stands_for is not None and self.stands_for.code != self.card.code

    def __reduce__(self) -> tuple[Any, ...]:
        return Played, (str(self),)

    def __str__(self) -> str:
        return f"{self.card}={self.stands_for}" if self.stands_for else str(self.card)

    def __repr__(self) -> str:
        return f"Played({str(self)!r})"


@functools.cache
def played(code: int, stands_for: Place | None = None) -> Played:
    """
    The played card of a code and place; always the same object for the same arguments.
    """
    return Played(_Read(CARDS[code], stands_for))  # type: ignore[arg-type]


class _Read(NamedTuple):
    """
    What the text of a played card would say.
    """

    card: Card
    stands_for: Place | None


def _named(text: object) -> tuple[Card, Place | None]:
    """
    A card and what it is declared to stand for, from their text.
    """
    if isinstance(text, _Read):
        return text
    if not isinstance(text, str):
        msg = f"{text!r} is not a card such as '8h' or '*=8h'"
        raise ParseError(msg)
    card, equals, place = text.partition("=")
    return Card(card), Place(place) if equals else None


PLAIN: Final = tuple(
    played(code if card.rank else JOKER) for code, card in enumerate(CARDS)
)
"""By code, the card as it is played without a declaration."""
HOME: Final = tuple(
    played(code, OWN_PLACE[code]) if card.suit else played(JOKER)
    for code, card in enumerate(CARDS)
)
"""By code, the card as it is played in its own place, declared."""


class _Standing(dict[int, Played]):
    """
    Cards as they stand for others, made when they are asked for.
    """

    def __missing__(self, key: int) -> Played:
        found = self[key] = played(key // CODES, OWN_PLACE[key % CODES])
        return found


STANDING: Final = _Standing()
"""A card as it stands for another one, by ``CODES * code + code of the other``."""


def read_played(text: str) -> Played:
    """
    The played card of a text: like `Played`, but always the same object for a text.
    """
    card, place = _named(text)
    return played(card.code, place)


def bits_of(cards: Iterable[Played]) -> int:
    """
    The multiset of the cards of an action.

    Raises:
        CopiesError: If more cards of one face are named than a hand can hold.
    """
    return pack([one.card.code for one in cards])


@attrs.frozen(repr=False, order=False)
class Slot:
    """
    A card of a meld on the table.

    Attributes:
        card: The card.
        stands_for: What it stands for if it is wild, otherwise None.
        seat: The seat that laid it and scores for it.
        twice: Whether it counts twice, as one of four put down as a meld.

    >>> hands, table = {"Ann": "2c", "Ben": "Kd"}, ["Ben: 7s *=8s 9s"]
    >>> meld = rv.position("rummy-500", hands=hands, table=table, fill=True).table[0]
    >>> [(slot.card, slot.stands_for) for slot in meld.slots[:2]]
    [(Card('7s'), None), (Card('*'), Place('8s'))]
    """

    card: Card
    stands_for: Place | None
    seat: int
    twice: bool = False

    @property
    def own_place(self) -> bool:
        """
        Whether this is a wild card that stands for itself.
        """
        return self.stands_for is not None and self.stands_for.code == self.card.code

    @property
    def substitutes(self) -> bool:
        """
        Whether this is a wild card that stands for another card.
        """
        return self.stands_for is not None and not self.own_place

    @property
    def code(self) -> int:
        """
        The code of the card that the slot stands for; -1 if the suit does not matter.
        """
        return self.card.code if self.stands_for is None else self.stands_for.code

    def __str__(self) -> str:
        return f"{self.card}={self.stands_for}" if self.stands_for else str(self.card)

    def __repr__(self) -> str:
        twice = ", twice" if self.twice else ""
        return f"<Slot {self}, seat {self.seat}{twice}>"


@attrs.frozen(eq=False, repr=False)
class Beside(Value):
    """
    A real card laid beside the wild that stands for it.

    Attributes:
        index: The slot of the wild, from 0.
        card: The real card.
        seat: The seat that laid it.

    >>> rv.melds.Beside(1, rv.Card("8h"), seat=0)
    Beside(index=1, card=Card('8h'), seat=0)
    """

    index: int
    card: Card
    seat: int


@attrs.frozen(repr=False, order=False, cache_hash=True)
class Meld:
    """
    A meld on the table.

    Attributes:
        kind: ``set``, ``run``, ``alike``, ``wilds`` or ``wild``; or the name of a kind
            that a house rule declares.
        slots: Its cards; in a run, from low to high, and in melds of declared kinds by
            rank.
        maker: The seat that began it.
        low: Where a run begins on the track of its terms; -1 for other melds.
        beside: Real cards that lie beside its wilds.
        grows: Mask of the cards that can be added as themselves (see `cards`).
        real: Mask of the cards that its wilds stand for.
        takes_wild: Whether another wild can be added, standing for another card.
        kin: Mask of the natural cards of a set's rank or a run's suit; for other melds,
            of all cards.
        counted: How many of its cards count as natural and as wild for its limit.
        taken: Of a set, the suits that no other card of it may have, as bits, clubs the
            highest; where only natural cards must differ, no other natural card.
        window: Where a run lies; None for other melds.
        rank: The rank of a set; empty for other melds.
        row: The number of the suit of a run; -1 for other melds.

    >>> hands, table = {"Ann": "Ts 2c", "Ben": "Kd"}, ["Ben: 7s 8s *=9s"]
    >>> meld = rv.position("rummy-500", hands=hands, table=table, fill=True).table[0]
    >>> meld.kind, meld.suit, meld.cards
    ('run', 's', (Card('7s'), Card('8s'), Card('*')))
    """

    kind: str
    slots: tuple[Slot, ...]
    maker: int
    low: int = -1
    beside: tuple[Beside, ...] = ()
    grows: int = attrs.field(default=0, eq=False, repr=False)
    real: int = attrs.field(default=0, eq=False, repr=False)
    takes_wild: bool = attrs.field(default=False, eq=False, repr=False)
    kin: int = attrs.field(default=0, eq=False, repr=False)
    counted: Counted = attrs.field(default=(0, 0), eq=False, repr=False)
    taken: int = attrs.field(default=0, eq=False, repr=False)
    window: Window | None = attrs.field(default=None, eq=False, repr=False)
    rank: str = attrs.field(init=False, eq=False, repr=False)
    row: int = attrs.field(init=False, eq=False, repr=False)

    @rank.default
    def _rank(self) -> str:
        return rank_of_set(self.slots) if str(self.kind) == "set" else ""

    @row.default
    def _row(self) -> int:
        return self.slots[0].code >> 4 if str(self.kind) == "run" else -1

    @property
    def is_life(self) -> bool:
        """
        Whether it counts as one of the runs that a declaration needs.
        """
        return self.kind in LIVES

    @property
    def suit(self) -> str:
        """
        The suit of a run; empty for other melds.
        """
        return CARDS[self.slots[0].code].suit if self.row >= 0 else ""

    @property
    def laid(self) -> tuple[Slot | Beside, ...]:
        """
        All its cards with who laid them, those beside its wilds last.

        >>> hands, table = {"Ann": "2c", "Ben": "Kd"}, ["Ben: 7s 8s 9s | Ann: Ts"]
        >>> state = rv.position("rummy-500", hands=hands, table=table, fill=True)
        >>> state.table[0].laid[2:]
        (<Slot 9s, seat 1>, <Slot Ts, seat 0>)
        """
        return (*self.slots, *self.beside)

    @property
    def cards(self) -> tuple[Card, ...]:
        """
        All its cards, those beside its wilds last.
        """
        return tuple([one.card for one in self.laid])

    def laid_by(self, seat: Seat) -> tuple[Card, ...]:
        """
        The cards that a seat laid in it.

        Args:
            seat: The seat, by its number: a meld does not know the players' names.

        Raises:
            RequestError: If it is not a number from 0.

        >>> hands, table = {"Ann": "2c", "Ben": "Kd"}, ["Ben: 7s 8s 9s | Ann: Ts"]
        >>> state = rv.position("rummy-500", hands=hands, table=table, fill=True)
        >>> state.table[0].laid_by(0)
        (Card('Ts'),)
        """
        number = seat_number(seat, None)
        return tuple(one.card for one in self.laid if one.seat == number)

    def __len__(self) -> int:
        return len(self.slots)

    def __str__(self) -> str:
        return " ".join(map(str, self.slots))

    def _repr_html_(self) -> str:
        """
        The meld as a notebook shows it: a picture with words for screen readers.
        """
        return str(import_module("rummyvariants.svg").meld(self))

    def __repr__(self) -> str:
        beside = "".join(f" beside {one.card}" for one in self.beside)
        return f"<Meld {self}{beside}, begun by seat {self.maker}>"


def rank_of_set(slots: Sequence[Slot]) -> str:
    """
    The rank of the cards of a set.
    """
    return (slots[0].stands_for or slots[0].card).rank


def own_places(meld: Meld) -> int:
    """
    How many wilds of a meld stand for themselves.
    """
    return sum([slot.own_place for slot in meld.slots])


_SUIT_MASKS: Final = {row: LANE << 64 * row for row in ROW_OF.values()}


def built(
    terms: Terms,
    kind: str,
    slots: tuple[Slot, ...],
    maker: int,
    low: int = -1,
    beside: tuple[Beside, ...] = (),
) -> Meld:
    """
    A meld with what fits it worked out; the meld is not checked.
    """
    full = len(slots) >= terms.most_cards(kind)
    if kind in {"wild", "wilds"}:
        every = terms.natural_mask | terms.wild_mask
        takes_wild = kind == "wilds" and not full
        return Meld(kind, slots, maker, low, beside, 0, 0, takes_wild, every)
    if kind == "alike":
        return Meld(kind, slots, maker, kin=FIELD[slots[0].card.code])
    if terms.kinds and kind not in {"set", "run"}:
        lying = tuple(sorted(slots, key=lambda slot: PLACE_OF[slot.card.code]))
        kinds = kinds_of(terms)
        cards = pack([slot.card.code for slot in slots])
        grows = kinds.takes(kinds.names.index(kind), cards)
        kin, counted = terms.natural_mask, (len(slots), 0)
        return Meld(kind, lying, maker, -1, (), grows, 0, False, kin, counted)
    has_wilds = not is_natural(slots)
    wilds = counted_wilds(terms, slots) if has_wilds else 0
    naturals, rank, taken, window = len(slots) - wilds, "", 0, None
    if kind == "run":
        row = slots[0].code >> 4
        ranks = sum([1 << (slot.code & 15) - 1 for slot in slots])
        window = terms.runs_along.window(low, ranks)
        if window.low != low:
            slots, beside = laid_along(slots, beside, codes_along(row, window))
            low = window.low
        kin = _SUIT_MASKS[row]
        grows = _room(terms.runs_along, row, window)
        if terms.moves and wilds:
            at, own = _moving(terms, slots)
            grows |= _room_moved(terms.runs_along, row, window, at, own)
    else:
        rank = rank_of_set(slots)
        kin = terms.rank_masks[rank]
        grows = terms.set_masks[rank]
        if rank != "*":
            taken = _taken(terms, slots)
            grows &= ~_OF_SUITS[taken]
    if full:
        grows = 0
    # A wild stands for a card with a rank, not for a joker.
    natural = kind == "set" and rank in terms.natural_ranks
    room = grows > 0 or (kind == "set" and not terms.distinct and not full)
    takes_wild = room and rank != "*" and not natural
    if takes_wild and not terms.unlimited:
        takes_wild = terms.wild_room(kind, naturals, wilds) > 0
    if natural or not (takes_wild or terms.own_place_is_natural):
        grows &= ~terms.wild_mask
    real = 0
    if has_wilds and (terms.lies_beside or terms.swaps):
        # A wild that would have to move needs a free end of its run.
        if not terms.moves_swapped or (kind == "run" and room):
            real = _real(terms, kind, slots, beside)
    fits = grows, real, takes_wild, kin, (naturals, wilds), taken, window
    return Meld(kind, slots, maker, low, beside, *fits)


def _taken(terms: Terms, slots: Iterable[Slot]) -> int:
    """
    The suits that no other card of a set may have, as bits, clubs the highest.
    """
    if terms.distinct:
        return sum([SUIT_BIT[slot.code >> 4] for slot in slots])
    natural = 0 if terms.twins else taken_in(slots)
    return sum([SUIT_BIT[row] for row, mask in _SUIT_MASKS.items() if natural & mask])


_OF_SUITS: Final = tuple(
    [
        sum([mask for row, mask in _SUIT_MASKS.items() if bits & SUIT_BIT[row]])
        for bits in range(32)
    ]
)
"""The cards of suits given as bits (see `SUIT_BIT`)."""


@functools.lru_cache(maxsize=4_000)
def _room(track: Track, row: int, window: Window) -> int:
    """
    Mask of the cards by which a run of a suit becomes longer by one.
    """
    longer = [one.window for one in track.longer(window)]
    new = [
        one.ranks & ~window.ranks for one in longer if one.length == window.length + 1
    ]
    return sum([FIELD[RUN_CODES[row][bit.bit_length() - 1]] for bit in {*new}])


@functools.lru_cache(maxsize=4_000)
def _room_moved(track: Track, row: int, window: Window, at: int, own: int) -> int:
    """
    Mask of the cards by which a run becomes longer by one as its wild moves.
    """
    ways = track.shifted(window, at, own)
    new = {one.ranks for one in ways if one.ranks.bit_count() == 1}
    return sum([FIELD[RUN_CODES[row][bit.bit_length() - 1]] for bit in new])


def _moving(terms: Terms, slots: Sequence[Slot]) -> tuple[int, int]:
    """
    The place of the one wild of a run, and the rank as which it would be natural.
    """
    for at, slot in enumerate(slots):
        if slot.stands_for and counted_wilds(terms, [slot]):
            home = terms.own_place_is_natural and slot.card.suit == slot.stands_for.suit
            return at, (slot.card.code & 15) - 1 if home else -1
    raise AssertionError  # it is asked about runs with a wild


def moving_in(terms: Terms, meld: Meld) -> tuple[int, int] | None:
    """
    Which wild of a run moves as the run grows (see `Track.shifted`), if one does.
    """
    moves = terms.moves and meld.window is not None and meld.counted[1]
    return _moving(terms, meld.slots) if moves else None


def moved_in(
    slots: tuple[Slot, ...], along: Sequence[int], held: int
) -> tuple[Slot, ...]:
    """
    The cards of a run, the wild that moves in its new place.

    Args:
        slots: The cards as they lie.
        along: The codes of the longer run's places from low to high.
        held: Those of its places that take no further card, as bits.
    """
    codes = {code for at, code in enumerate(reversed(along)) if held >> at & 1}
    new = [OWN_PLACE[one] for one in codes - {slot.code for slot in slots}]
    return tuple(
        [
            one if one.code in codes else attrs.evolve(one, stands_for=new[0])
            for one in slots
        ]
    )


def laid_along(
    slots: Sequence[Slot], beside: Iterable[Beside], along: tuple[int, ...]
) -> tuple[tuple[Slot, ...], tuple[Beside, ...]]:
    """
    The cards of a run in the order of its places, and those that lie beside them.

    Args:
        slots: The cards in any order.
        beside: Real cards that lie beside wilds of these.
        along: The codes of the places from low to high.
    """
    by_code = {slot.code: slot for slot in slots}
    moved = [attrs.evolve(on, index=along.index(slots[on.index].code)) for on in beside]
    return tuple([by_code[code] for code in along]), tuple(moved)


def _real(
    terms: Terms, kind: str, slots: tuple[Slot, ...], beside: tuple[Beside, ...]
) -> int:
    """
    Mask of the cards, wild ones too, for which a wild of this meld stands.
    """
    if kind == "set" and terms.swaps and not terms.swaps_sets:
        return 0
    if kind == "set" and not terms.distinct:
        if not terms.swaps:
            return 0
        wilds = sum([is_traded(terms, slot) for slot in slots])
        if not wilds:
            return 0
        real = terms.rank_masks[rank_of_set(slots)] & terms.natural_mask
        lacking = real & ~taken_in(slots)
        if terms.swaps_together and wilds == 1:
            return lacking if len(faces(lacking)) > 1 else 0
        return real if terms.twins else lacking
    standing = _standing(slots, beside)
    if terms.swaps:
        standing = {
            code: at for code, at in standing.items() if is_traded(terms, slots[at])
        }
    return sum([FIELD[code] for code in standing])


def _standing(slots: Sequence[Slot], beside: Iterable[Beside]) -> dict[int, int]:
    """
    The slots of wilds beside which nothing lies, by the cards for which they stand.
    """
    covered = {one.index for one in beside}
    return {
        where.code: index
        for index, slot in enumerate(slots)
        if (where := slot.stands_for) is not None
        if where.code not in {-1, slot.card.code} and index not in covered
    }


def is_traded(terms: Terms, slot: Slot) -> bool:
    """
    Whether the card of a slot is a wild that may be traded for the real card.
    """
    if slot.stands_for is None or slot.own_place:
        return False
    return bool(terms.trade_mask & FIELD[slot.card.code])


def traded_with(terms: Terms, meld: Meld, code: int) -> tuple[int, ...]:
    """
    The cards that have to be traded together with a real card for a wild of a meld.
    """
    if not terms.swaps_together or meld.kind != "set" or terms.distinct:
        return ()
    if sum([is_traded(terms, slot) for slot in meld.slots]) != 1:
        return ()
    return tuple([one for one in faces(meld.real) if one != code])


def taken_in(slots: Iterable[Slot]) -> int:
    """
    Mask of the faces of the natural cards among these.
    """
    taken = 0
    for slot in slots:
        if slot.stands_for is None:
            taken |= FIELD[slot.card.code]
    return taken


def counted_wilds(terms: Terms, slots: Iterable[Slot]) -> int:
    """
    How many of these wilds count for the limit on wilds in a meld.
    """
    return sum(
        [
            slot.stands_for is not None
            and not (terms.own_place_is_natural and slot.own_place)
            for slot in slots
        ]
    )


def uncovered(terms: Terms, meld: Meld) -> dict[int, int]:
    """
    The real cards that may go beside wilds of a meld: the slots, by code.
    """
    if not terms.lies_beside or not meld.real:
        return {}
    return _standing(meld.slots, meld.beside)


def window_of(run: Meld) -> Window:
    """
    Where a run lies.
    """
    assert run.window is not None  # noqa: S101
    return run.window


def ends_of(terms: Terms, meld: Meld) -> dict[Side, int]:
    """
    The cards by which a run becomes longer, by the end at which they would lie.
    """
    ends = terms.runs_along.ends(window_of(meld))
    codes = RUN_CODES[meld.row]
    return {end: codes[rank] for end, rank in ends.items()}


def trade_ends(terms: Terms, meld: Meld) -> tuple[Side | None, ...]:
    """
    What may be named as the end in a trade: ends of the run, or None for no end.
    """
    return tuple(ends_of(terms, meld)) if terms.moves_swapped else (None,)


def is_low_ace(terms: Terms, meld: Meld, index: int, card: Card) -> bool:
    """
    Whether a card at a place of a meld, or beside the wild there, is a low ace.

    That is a natural ace at the low end of a run, below the two.
    """
    lowest = meld.kind == "run" and not index
    return lowest and card.rank == "A" and not terms.wild[card.code]


def is_natural(slots: Iterable[Slot]) -> bool:
    """
    Whether no wild card is among these.
    """
    for slot in slots:  # noqa: SIM110 -- a generator takes several times as long
        if slot.stands_for is not None:
            return False
    return True


def is_pure(cards: Iterable[Slot | Played]) -> bool:
    """
    Whether no wild card among these stands for another card.
    """
    return not any(one.substitutes for one in cards)


def kind_of(terms: Terms, cards: Sequence[Played]) -> str:
    """
    The kind of a meld whose wilds are declared, as far as they stand for something.
    """
    if terms.kinds:
        kinds = kinds_of(terms)
        declared = kinds.of(bits_of(cards))
        if declared >= 0:
            return kinds.names[declared]
    first, second = [one.stands_for or one.card for one in cards[:2]]
    if cards[0].stands_for is None and terms.wild[cards[0].card.code]:
        return "wilds"
    if first.rank != second.rank:
        return "run"
    same = terms.alike and len(cards) == IDENTICAL and is_pure(cards)
    return "alike" if same and len({one.card for one in cards}) == 1 else "set"


@attrs.frozen(eq=False, repr=False)
class Fits:
    """
    What fits the melds of a table.

    Attributes:
        table: The melds.
        dealer_wild: The dealer's wild, if there is one.
        grows: Mask of the cards that alone can be added to some meld, as themselves or
            as wilds.
        real: Mask of the cards that some wild stands for.
        kin: Mask of the natural cards of the ranks of sets and of the suits of runs.
        single: Whether a single wild waits to be built on.
        known: What other modules have worked out about the same table.
    """

    table: tuple[Meld, ...]
    dealer_wild: Meld | None
    grows: int
    real: int
    kin: int
    single: bool
    known: dict[Any, Any] = attrs.field(factory=dict)

    @classmethod
    def of(
        cls, terms: Terms, table: tuple[Meld, ...], dealer_wild: Meld | None
    ) -> Fits:
        """
        What fits the melds of a table.
        """
        grows = real = near = 0
        single = False
        for meld in table if dealer_wild is None else (dealer_wild, *table):
            grows |= meld.grows
            real |= meld.real
            near |= meld.kin
            if meld.takes_wild:
                grows |= terms.wild_mask
            single = single or meld.kind == "wild"
        return cls(table, dealer_wild, grows, real, near, single)


def grows_by(terms: Terms, meld: Meld, code: int) -> bool:
    """
    Whether one card, as itself or as a wild, makes a meld grow.
    """
    return bool(meld.grows & FIELD[code]) or (meld.takes_wild and terms.wild[code])


def playable(terms: Terms, meld: Meld, code: int) -> bool:
    """
    Whether one card can be laid on a meld, or beside or for a wild of it.
    """
    return bool(meld.real & FIELD[code]) or grows_by(terms, meld, code)
