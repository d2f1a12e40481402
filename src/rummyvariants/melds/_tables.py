"""
The terms of one deal: a ruleset turned into lookup tables.

Wild cards change from deal to deal, so there is one `Terms` for each ruleset, number of
players and wild rank. The policies decide what the values mean, not this module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import attrs

from rummyvariants._support import words
from rummyvariants._support.memos import remembered
from rummyvariants.cards import (
    ALL_CODES,
    CARDS,
    CODES,
    FIELD,
    JOKER,
    LANE,
    RANKS,
    ROW_OF,
    ROWS,
    STARS,
    SUITS,
    code_of,
    thrice,
)
from rummyvariants.melds.shapes._filling import ANY_NUMBER, Limit
from rummyvariants.melds.shapes._track import Track, track_of
from rummyvariants.rulings import Objection


NATURALS: Final = 99
"""The most natural cards of a meld that matter for the number of wilds."""


class Lives(NamedTuple):
    """
    The runs that a hand needs.

    Attributes:
        runs: How many runs there are at least.
        pure: How many of them are pure, with no wild that stands for another card.
        longest: How many cards the longest has at least.
    """

    runs: int = 0
    pure: int = 0
    longest: int = 0

    def beside(self, length: int, *, pure: bool) -> Lives:
        """
        What is still needed beside a run of so many cards.
        """
        return Lives(
            max(self.runs - 1, 0),
            max(self.pure - pure, 0),
            self.longest if length < self.longest else 0,
        )


NO_LIVES: Final = Lives()
UNMATCHED: Final = "unmatched"
"""Without its lives a hand counts as any other: the cards outside of melds."""
ALL_COUNTED: Final = "all"
"""Without its lives all cards of a hand count."""
GRADED: Final = "graded"
"""Without its lives all cards of a hand count, or all but those of a pure run."""
REFUSED: Final = "refused"
"""Without its lives a hand cannot be divided at all."""


UNKNOWN: Final = -1 << 200
"""An entry of the tables that has not been worked out."""

Four = tuple[list[int], list[int], list[int], list[int]]
"""A table for each suit, by the cards of the suit; see `_suit_tables`."""


class MeldKind(NamedTuple):
    """
    A kind of meld that a house rule declares.

    Attributes:
        name: Its name.
        fits: Whether some natural cards, as a multiset, may be such a meld.
        least: The fewest cards of such a meld.
        most: The most.
        path: What a refusal cites.
    """

    name: str
    fits: Callable[[int], bool]
    least: int
    most: int
    path: str

    def __str__(self) -> str:
        most = f" to {self.most}" if self.most != self.least else ""
        return f"{words.a(self.name)} of {self.least}{most} cards"


class SuitTables:
    """
    What is remembered about the cards of a suit that stay outside of melds.

    Without cards every entry is zero; all others are worked out when needed.

    Args:
        usable: Whether the tables can hold any hand; if not, not even one of no cards.

    Attributes:
        usable: The same.
        unfit: The bits of which none is set in hands that the tables hold.
        left: The points of the cards that no run takes, as `_suit_tables` counts them.
        cards: These cards.
        spared: How many points the best discard saves.
        sets: What may go into sets, by the cards of all ranks that make some.
        best: The best of them; 0 if none is worth anything.
        gained: The points of that one, where `left` counts them.
    """

    def __init__(self, *, usable: bool = True) -> None:
        self.usable = usable
        self.unfit = (1 << 4 * CODES) - 1
        self.left: Four = ([0 if usable else UNKNOWN], [0], [0], [0])
        self.cards: Four = ([0], [0], [0], [0])
        self.spared: Four = ([0], [0], [0], [0])
        self.sets: dict[int, tuple[int, ...]] = {}
        self.best: dict[int, int] = {}
        self.gained: dict[int, int] = {}


@attrs.frozen(eq=False, repr=False)
class Terms:
    """
    The rules for the cards and melds of one deal.

    Attributes:
        wild_rank: The rank made wild for this deal, empty for none.
        wild: By code, whether the card is wild.
        ranks: The ranks of the deck, low to high, the ace first.
        suits: The suits of the deck.
        every_row: The rows of these, of the ordinary suits that the deck lacks, and of
            what lies between.
        codes: The codes of all cards of these rows, and of jokers.
        copies: By code, how many the deck holds.
        sets: Whether sets may be melded.
        runs: Whether runs may be melded.
        distinct: Whether the cards of a set must differ in suit, wilds by what they
            stand for.
        twins: Whether a set may hold two natural cards of one suit.
        alike: Whether three identical cards are a meld of their own.
        above: The code of the card above the one shown, where that is wild as well; -1
            for none.
        track: The order of ranks along which runs lie.
        stretches: The places of all runs on it, those too short for new ones included.
        least_set: The least number of cards of a set.
        largest: By kind of meld, the most cards and the value that says so.
        least_run: The least number of cards of a run.
        most_in_sets: By the number of natural cards of a set, from 0 to `NATURALS`, the
            most wilds that may stand beside them; never fewer than for fewer cards.
        most_in_runs: The same for runs.
        too_many: Why a meld with more wilds is refused, given its kind and both
            numbers.
        own_place_is_natural: Whether a wild in its own place is natural for the limit.
        wild_melds: Whether wilds alone are a meld of their own.
        lies_beside: Whether a real card may lie beside a wild that stands for it.
        swaps: Whether a real card may be traded for a wild that stands for it.
        swaps_sets: Whether it may also be traded for one in a set.
        swaps_together: Whether the only wild of a set is traded for all that it lacks.
        moves_swapped: Whether a wild that is traded moves to an end of its run.
        moves: Whether the wild of a run moves as the run grows.
        trade_mask: Mask of the cards for which it may be traded when they are wild.
        worth: By code, the points of a card outside of a run.
        low_ace: Points of a natural ace that is low in a run.
        number: By code, how many cards it names as an upcard; 0 for a joker.
        extra: Why a house rule refuses a meld; None if there is no such rule.
        again: What makes the same terms, and the arguments, for a pickle.
        set_ranks: The ranks of which sets are made.
        natural_ranks: The ranks of which sets hold no wild.
        one_of_a_rank: Whether a side has at most one set of each rank.
        lives: The runs that a declaration needs.
        without: What counts of a hand without them: `UNMATCHED`, `ALL_COUNTED`,
            `GRADED` or `REFUSED`.
        kinds: The kinds of melds that house rules declare.
        by_values: Whether melds are those of the values, which nobody refuses.
        has_lives: Whether it matters if a hand has them.
        unlimited: Whether every meld may hold any number of wilds.
        rising: Whether another natural card may allow another wild.
        limits_ranks: Whether some ranks make no sets, or no sets with wilds.
        sets_fit: Whether there are enough suits for a set.
        in_sets: Mask of the cards of ranks of which sets are made; 0 if there are none.
        mates: By code, mask of the cards that a set of the card is made of, wilds
            aside; 0 where there are no sets.
        melds: The melds that were read.
        fits: What fits the tables that were looked at last, by their ids.

    >>> terms = rv.preset("three-thirteen").terms(2, wild_rank="3")
    >>> terms.least_set, terms.wild[rv.Card("3h").code]
    (3, True)
    """

    wild_rank: str
    wild: tuple[bool, ...]
    ranks: str
    suits: str
    copies: tuple[int, ...]
    sets: bool
    runs: bool
    distinct: bool
    twins: bool
    track: str
    stretches: tuple[tuple[int, ...], ...]
    least_set: int
    least_run: int
    most_in_sets: tuple[int, ...]
    most_in_runs: tuple[int, ...]
    too_many: Callable[[str, int, int], Objection]
    own_place_is_natural: bool
    wild_melds: bool
    lies_beside: bool
    swaps: bool
    swaps_sets: bool
    swaps_together: bool
    moves_swapped: bool
    moves: bool
    trade_mask: int
    worth: tuple[int, ...]
    low_ace: int
    number: tuple[int, ...]
    extra: Callable[[Any], Any] | None = None
    set_ranks: str = RANKS
    natural_ranks: str = ""
    one_of_a_rank: bool = False
    lives: Lives = NO_LIVES
    without: str = UNMATCHED
    alike: bool = False
    above: int = -1
    again: tuple[Any, ...] = ()
    largest: Mapping[str, tuple[int, str]] = MappingProxyType({})
    kinds: tuple[MeldKind, ...] = ()

    every_row: range = attrs.field(init=False, repr=False)
    codes: tuple[int, ...] = attrs.field(init=False, repr=False)
    by_values: bool = attrs.field(init=False, repr=False)
    has_lives: bool = attrs.field(init=False, repr=False)
    unlimited: bool = attrs.field(init=False, repr=False)
    rising: bool = attrs.field(init=False, repr=False)
    wild_mask: int = attrs.field(init=False, repr=False)
    natural_mask: int = attrs.field(init=False, repr=False)
    rank_masks: dict[str, int] = attrs.field(init=False, repr=False)
    limits_ranks: bool = attrs.field(init=False, repr=False)
    sets_fit: bool = attrs.field(init=False, repr=False)
    in_sets: int = attrs.field(init=False, repr=False)
    mates: tuple[int, ...] = attrs.field(init=False, repr=False)
    by_worth: tuple[int, ...] = attrs.field(init=False, repr=False)
    runs_along: Track = attrs.field(init=False, repr=False)
    rows: tuple[int, ...] = attrs.field(init=False, repr=False)
    set_codes: dict[str, tuple[int, ...]] = attrs.field(init=False, repr=False)
    set_masks: dict[str, int] = attrs.field(init=False, repr=False)
    melds: dict[Any, Any] = attrs.field(init=False, repr=False, factory=dict)
    fits: dict[int, Any] = attrs.field(init=False, repr=False, factory=dict)
    suit_tables: SuitTables = attrs.field(init=False, repr=False)
    limits: tuple[Limit, Limit] = attrs.field(init=False, repr=False)
    _memo: dict[Any, Any] = attrs.field(init=False, repr=False, factory=dict)

    def changed(self, **values: Any) -> Terms:
        """
        The same terms with some other values.
        """
        again = _changed, self.again, values  # these terms would keep themselves alive
        return attrs.evolve(self, again=again, **values)

    def __reduce__(self) -> tuple[Any, ...]:
        return self.again[0], self.again[1:]

    def __repr__(self) -> str:
        return f"<Terms: wild rank {self.wild_rank or 'none'}>"

    @every_row.default
    def _every_row(self) -> range:
        return range(ROWS if STARS in self.suits else len(SUITS))

    @codes.default
    def _codes(self) -> tuple[int, ...]:
        most = 16 * len(self.every_row)
        return tuple([code for code in ALL_CODES if code <= most])

    @by_values.default
    def _by_values(self) -> bool:
        return self.extra is None and not self.kinds

    @has_lives.default
    def _has_lives(self) -> bool:
        return self.without != UNMATCHED and any(self.lives)

    @unlimited.default
    def _unlimited(self) -> bool:
        most = min(self.most_in_sets[0], self.most_in_runs[0])
        return most >= ANY_NUMBER and not self.natural_ranks

    @rising.default
    def _rising(self) -> bool:
        return any(
            most[0] < most[-1] for most in (self.most_in_sets, self.most_in_runs)
        )

    @wild_mask.default
    def _wild_mask(self) -> int:
        return sum([FIELD[code] for code in self.codes if self.wild[code]])

    @natural_mask.default
    def _natural_mask(self) -> int:
        return sum([FIELD[code] for code in self.codes if not self.wild[code]])

    @rank_masks.default
    def _rank_masks(self) -> dict[str, int]:
        masks = dict.fromkeys(RANKS + "*", 0)
        for code in self.codes:
            masks[CARDS[code].rank] |= FIELD[code]
        return masks

    @limits_ranks.default
    def _limits_ranks(self) -> bool:
        return bool(self.natural_ranks) or not {*self.ranks} <= {*self.set_ranks}

    @sets_fit.default
    def _sets_fit(self) -> bool:
        return self.sets and not (self.distinct and len(self.suits) < self.least_set)

    @in_sets.default
    def _in_sets(self) -> int:
        return self.sets_fit * sum([self.rank_masks[rank] for rank in self.set_ranks])

    @mates.default
    def _mates(self) -> tuple[int, ...]:
        found = [self.rank_masks.get(one.rank, 0) & self.in_sets for one in CARDS]
        found[JOKER] = FIELD[JOKER] * self.sets
        return tuple(found)

    @by_worth.default
    def _by_worth(self) -> tuple[int, ...]:
        # All cards of equal points, those of the most points first.
        masks = dict.fromkeys(sorted(set(self.worth), reverse=True), 0)
        for code in self.codes:
            masks[self.worth[code]] |= FIELD[code]
        return tuple(masks.values())

    @runs_along.default
    def _runs_along(self) -> Track:
        most = self.most_cards("run")
        runs = tuple([one for one in self.stretches if len(one) <= most])
        return track_of(self.track, runs, self.least_run)

    @rows.default
    def _rows(self) -> tuple[int, ...]:
        return tuple(ROW_OF[suit] for suit in self.suits)

    @set_codes.default
    def _set_codes(self) -> dict[str, tuple[int, ...]]:
        return {
            rank: tuple(code_of(rank, suit) for suit in self.suits) for rank in RANKS
        }

    @set_masks.default
    def _set_masks(self) -> dict[str, int]:
        # Those of `rank_masks` without the suits that the deck lacks.
        lanes = sum([LANE << 64 * row for row in self.rows]) | FIELD[JOKER]
        return {rank: mask & lanes for rank, mask in self.rank_masks.items()}

    @limits.default
    def _limits(self) -> tuple[Limit, Limit]:
        own = self.own_place_is_natural
        return Limit(self.most_in_sets, own), Limit(self.most_in_runs, own)

    @suit_tables.default
    def _suit_tables(self) -> SuitTables:
        return SuitTables(usable=not self.has_lives)

    @property
    def any_runs(self) -> Track:
        """
        The runs that there would be if they might be of any length.
        """
        return track_of(self.track, self.stretches, self.least_run)

    def most_cards(self, kind: str) -> int:
        """
        The most cards of a meld of a kind.
        """
        return self.largest[kind][0] if kind in self.largest else ANY_NUMBER

    @property
    def most_set(self) -> int:
        """
        The most cards of a set.
        """
        return self.most_cards("set")

    @property
    def most_wild_meld(self) -> int:
        """
        The most cards of a meld of wilds alone.
        """
        return self.most_cards("wilds")

    def most_wilds(self, kind: str) -> tuple[int, ...]:
        """
        The most wilds of a meld of a kind, by the number of its natural cards.
        """
        return self.most_in_runs if kind == "run" else self.most_in_sets

    def most_in_one(self) -> int:
        """
        The most wilds of a meld of any kind.
        """
        return max(self.most_in_sets[-1], self.most_in_runs[-1])

    def wild_room(self, kind: str, naturals: int, wilds: int) -> int:
        """
        How many more wilds a meld with so many naturals and counted wilds takes.
        """
        return self.limit(kind).room(naturals, 0, wilds)

    def limit(self, kind: str) -> Limit:
        """
        How many wilds a meld of a kind may hold.
        """
        return self.limits[kind == "run"]

    def alike_in(self, bits: int) -> int:
        """
        One copy of each face of which some cards are three that make a meld.
        """
        if not self.alike:
            return 0
        found = thrice(bits) & ~FIELD[JOKER]
        if self.own_place_is_natural or self.wild_room("alike", 0, 3) >= 0:
            return found
        return found & ~self.wild_mask

    def lacks(self, rank: str, suit: str) -> str:
        """
        What a deck lacks of a card's rank and suit, such as ``twos``, if anything.

        Args:
            rank: The rank of the card, ``*`` for a joker.
            suit: Its suit; empty where that does not matter.
        """
        if rank not in self.ranks:
            return words.ranks(rank)
        return words.suit(suit) if suit and suit not in self.suits else ""


def _changed(again: tuple[Any, ...], values: dict[str, Any]) -> Terms:
    terms: Terms = again[0](*again[1:])
    return terms.changed(**values)


def plain(terms: Terms) -> Terms:
    """
    The terms of a deal under which a hand needs no run.
    """
    return _without_lives(terms) if terms.has_lives else terms


@remembered(1)
def _without_lives(terms: Terms) -> Terms:
    return terms.changed(without=UNMATCHED)


@remembered(64)
def needing(terms: Terms, lives: Lives) -> Terms:
    """
    The terms of a deal under which a hand is divided only with certain runs.
    """
    return terms.changed(lives=lives, without=REFUSED)
