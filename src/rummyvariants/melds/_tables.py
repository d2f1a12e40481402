"""
The terms of one deal: a ruleset turned into lookup tables.

Wild cards change from deal to deal, so there is one `Terms` for each ruleset, number of
players and wild rank. The policies decide what the values mean, not this module.
"""

from __future__ import annotations

import functools

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import attrs

from rummyvariants._support import words
from rummyvariants._support.memos import remembered
from rummyvariants.cards import (
    CARDS,
    CODES,
    FIELD,
    JOKER,
    LANE,
    RANKS,
    SUITS,
    UNIT,
    code_of,
    ranks_held,
    thrice,
)
from rummyvariants.rulings import Objection


ANY_NUMBER: Final = 999
"""More wilds than a meld can hold."""

NATURALS: Final = 99
"""The most natural cards of a meld that matter for the number of wilds."""

GAP: Final = "."
"""In a track: a rank that the deck lacks, so that its neighbours do not meet."""


Window = tuple[int, int, int]
"""A possible run: its place on the track, its length, its ranks as bits."""
Longer = tuple[int, int, str | None]
"""Where a run begins on the track and ends, and the end if it must be named."""


@attrs.frozen(eq=False, repr=False)
class RunTable:
    """
    The runs that a track allows, and which of them a suit's cards come near to.

    Attributes:
        windows: Every possible run: its place on the track, its length, and its ranks
            as bits, the ace lowest.
        by_length: The same by length.
        by_ranks: The places of the runs that hold just these ranks.
        stretches: Every place and length of a run, its repetitions on a round track
            and runs too short to meld among them.
        elsewhere: By place and length, the other place of a run that is a repetition.
        circle: On a round track, the length of the run of all ranks, which has neither
            beginning nor end; 0 on other tracks.
        least: The least number of cards of a run.
        codes: By suit, the codes of the cards along the track; 0 in a gap.
    """

    windows: tuple[Window, ...]
    by_length: dict[int, tuple[tuple[int, int], ...]]
    by_ranks: dict[int, tuple[int, ...]]
    stretches: frozenset[tuple[int, int]]
    elsewhere: dict[tuple[int, int], int]
    circle: int
    least: int
    codes: tuple[tuple[int, ...], ...]
    _by_place: dict[int, list[Window]] = attrs.field(init=False, repr=False)
    _near: dict[int, tuple[Window, ...]] = attrs.field(
        init=False, repr=False, factory=dict
    )
    _covered: dict[int, int] = attrs.field(init=False, repr=False, factory=dict)
    _between: dict[tuple[int, int], tuple[int, ...]] = attrs.field(
        init=False, repr=False, factory=dict
    )
    _by_low: dict[int, tuple[tuple[Window, ...], ...]] = attrs.field(
        init=False, repr=False, factory=dict
    )
    _longer: dict[int, Longer | None] = attrs.field(
        init=False, repr=False, factory=dict
    )
    _rooms: dict[int, int] = attrs.field(init=False, repr=False, factory=dict)

    @_by_place.default
    def _from_each_place(self) -> dict[int, list[Window]]:
        found: dict[int, list[Window]] = {}
        for one in self.windows:
            found.setdefault(one[0], []).append(one)
        return found

    def near(self, ranks: int, holes: int) -> tuple[Window, ...]:
        """
        The runs of which at most so many cards are missing.

        Args:
            ranks: The ranks that are there, as bits, the ace lowest.
            holes: How many may be missing; at least one must be there.
        """
        if ranks.bit_count() + holes < self.least:
            return ()
        key = ranks << 8 | holes
        found = self._near.get(key)
        if found is None:
            lacking = ~ranks
            near: list[Window] = []
            for windows in self._by_place.values():
                # A longer run lacks no fewer cards.
                for one in windows:
                    if (one[2] & lacking).bit_count() > holes:
                        break
                    if one[2] & ranks:
                        near.append(one)
            found = tuple(near)
            _keep(self._near, key, found)
        return found

    def covered(self, ranks: int, holes: int) -> int:
        """
        The ranks of all runs that `near` finds, as bits.
        """
        key = ranks << 8 | holes
        found = self._covered.get(key)
        if found is None:
            found = 0
            for _, _, wanted in self.near(ranks, holes):
                found |= wanted
            _keep(self._covered, key, found)
        return found

    def between(self, lane: int, card: int) -> tuple[int, ...]:
        """
        What a run lacks to hold one more card: the shortest ways.

        On a round track there may be others.

        Args:
            lane: The cards of the run, as they lie in a multiset of clubs.
            card: A card that the run does not hold, in the same way.

        Returns:
            For each way the cards between, in the same way.
        """
        found = self._between.get((lane, card))
        if found is None:
            both = ranks_held(lane | card)
            lacking = {
                ranks & ~both for _, _, ranks in self.windows if not both & ~ranks
            }
            least: list[int] = []
            for one in sorted(lacking, key=int.bit_count):
                if all(less & ~one for less in least):
                    least.append(one)
            found = tuple(sorted([as_lane(ranks) for ranks in least]))
            _keep(self._between, (lane, card), found)
        return found

    def by_low(self, ranks: int, holes: int) -> tuple[tuple[Window, ...], ...]:
        """
        The runs of `near`, those with one lowest card together.
        """
        key = ranks << 8 | holes
        found = self._by_low.get(key)
        if found is None:
            grouped: dict[int, list[Window]] = {}
            for one in self.near(ranks, holes):
                grouped.setdefault(self.codes[0][one[0]], []).append(one)
            found = tuple([tuple(runs) for runs in grouped.values()])
            _keep(self._by_low, key, found)
        return found

    def longer(self, low: int, length: int, below: int, above: int) -> Longer | None:
        """
        A run made longer by so many cards at each end; None if that is impossible.
        """
        key = low << 24 | length << 16 | below << 8 | above
        if key not in self._longer:
            self._longer[key] = self._made_longer(low, length, below, above)
        return self._longer[key]

    def _made_longer(
        self, low: int, length: int, below: int, above: int
    ) -> Longer | None:
        total = below + length + above
        if (low - below, total) not in self.stretches:
            return None
        # If both ends close a full circle, one stands for both.
        if below and total == self.circle and (low, total) in self.stretches:
            return None
        end = low + length + above
        return low - below, end, self.end_to_say(low, length, below, above)

    def room(self, row: int, low: int, length: int) -> int:
        """
        Mask of the cards by which a run becomes longer by one.

        Args:
            row: The number of its suit.
            low: Where it begins on the track.
            length: How many cards it has.
        """
        key = row << 16 | low << 8 | length
        found = self._rooms.get(key)
        if found is None:
            along = self.codes[row]
            found = 0
            for start, at in ((low - 1, low - 1), (low, low + length)):
                if (start, length + 1) in self.stretches:
                    found |= FIELD[along[at]]
            self._rooms[key] = found
        return found

    def end_to_say(self, low: int, length: int, below: int, above: int) -> str | None:
        """
        The end to name if the same ranks would also fit another way.
        """
        along = self.codes[0]

        def laid(below: int, above: int) -> list[int]:
            top = low + length
            return sorted(along[low - below : low] + along[top : top + above])

        mine = laid(below, above)
        more = below + above
        for other in range(more + 1):
            if other != below and (low - other, length + more) in self.stretches:
                if laid(other, more - other) == mine:
                    return "low" if below > other else "high"
        return None


@functools.cache
def as_lane(ranks: int) -> int:
    """
    Ranks given as bits, the ace lowest, as the cards of a suit in a multiset of clubs.
    """
    return sum([UNIT[at + 1] for at in range(len(RANKS)) if ranks >> at & 1])


def _keep(memo: dict[Any, Any], key: object, value: object) -> None:
    """
    Remember a value; a memo that is full starts anew.
    """
    if len(memo) >= _NEAR_AT_MOST:
        memo.clear()
    memo[key] = value


_NEAR_AT_MOST: Final = 40_000


@functools.lru_cache(maxsize=32)
def run_table(track: str, least: int) -> RunTable:
    """
    The runs of so many cards or more that a track allows.
    """
    stretches: dict[tuple[int, int], int] = {}
    for low in range(len(track)):
        ranks = 0
        for high in range(low, len(track)):
            rank = track[high]
            if rank == GAP or ranks >> RANKS.index(rank) & 1:
                break
            ranks |= 1 << RANKS.index(rank)
            stretches[low, high - low + 1] = ranks
    # A round track repeats: of equal stretches, the one nearest its middle is used.
    best: dict[str, tuple[int, int, int]] = {}
    for (low, length), ranks in stretches.items():
        if length >= least:
            text = track[low : low + length]
            known = best.get(text)
            if known is None or _off_middle(track, low, length) < _off_middle(
                track, known[0], length
            ):
                best[text] = (low, length, ranks)
    circle = 0
    windows = tuple(sorted(best.values()))
    by_ranks: dict[int, list[int]] = {}
    for low, length, ranks in windows:
        by_ranks.setdefault(ranks, []).append(low)
        if len(by_ranks[ranks]) > 2:
            circle = length
    if circle:
        # For a full circle, one beginning stands for all.
        full = [text for text in best if len(text) == circle]
        middle = min(
            (best[text] for text in full), key=lambda one: _off_middle(track, *one[:2])
        )
        best.update(dict.fromkeys(full, middle))
        windows = tuple(sorted(set(best.values())))
        by_ranks[middle[2]] = [middle[0]]
    by_length: dict[int, list[tuple[int, int]]] = {}
    for low, length, ranks in windows:
        by_length.setdefault(length, []).append((low, ranks))
    return RunTable(
        windows,
        {length: tuple(found) for length, found in by_length.items()},
        {ranks: tuple(found) for ranks, found in by_ranks.items()},
        frozenset(stretches),
        {
            (low, length): best[text][0]
            for low, length in stretches
            if (text := track[low : low + length]) in best and best[text][0] != low
        },
        circle,
        least,
        tuple(
            tuple(0 if rank == GAP else code_of(rank, suit) for rank in track)
            for suit in SUITS
        ),
    )


def _off_middle(track: str, low: int, length: int) -> int:
    return abs(2 * low + length - len(track))


def most_of_places(
    most_wilds: tuple[int, ...], places: int, naturals: int = 0, wilds: int = 0
) -> int:
    """
    How many of some places wilds may take, if naturals take all others.

    Args:
        most_wilds: As `Terms` has them for a kind of meld.
        places: How many places there are.
        naturals: How many natural cards the meld holds already.
        wilds: How many wilds it holds already.

    Returns:
        The number; less than 0 where not even naturals in all places would do.
    """
    naturals += places
    found = min(places, most_wilds[min(naturals, NATURALS)] - wilds)
    while found > 0 and most_wilds[min(naturals - found, NATURALS)] < wilds + found:
        found -= 1
    return found


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
ALL: Final = "all"
"""Without its lives all cards of a hand count."""
GRADED: Final = "graded"
"""Without its lives all cards of a hand count, or all but those of a pure run."""
REFUSED: Final = "refused"
"""Without its lives a hand cannot be divided at all."""


UNKNOWN: Final = -1 << 200
"""An entry of the tables that has not been worked out."""

Four = tuple[list[int], list[int], list[int], list[int]]
"""A table for each suit, by the cards of the suit; see `_suit_tables`."""


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
        alike: By suit, the suits whose cards are worth the same; empty until first
            used.
        runs: The runs by their lowest card, as they lie in a multiset of clubs, each
            with what its cards count as for sets.
    """

    __slots__ = (
        "alike",
        "best",
        "cards",
        "gained",
        "left",
        "runs",
        "sets",
        "spared",
        "unfit",
        "usable",
    )

    def __init__(self, *, usable: bool = True) -> None:
        self.usable = usable
        self.unfit = (1 << 4 * CODES) - 1
        self.left: Four = ([0 if usable else UNKNOWN], [0], [0], [0])
        self.cards: Four = ([0], [0], [0], [0])
        self.spared: Four = ([0], [0], [0], [0])
        self.sets: dict[int, tuple[int, ...]] = {}
        self.best: dict[int, int] = {}
        self.gained: dict[int, int] = {}
        self.alike: tuple[tuple[int, ...], ...] = ()
        self.runs: dict[int, list[tuple[int, int]]] = {}


@attrs.frozen(eq=False, repr=False)
class Terms:
    """
    The rules for the cards and melds of one deal.

    Attributes:
        wild_rank: The rank made wild for this deal, empty for none.
        wild: By code, whether the card is wild.
        ranks: The ranks of the deck, low to high, the ace first.
        suits: The suits of the deck.
        copies: By code, how many the deck holds.
        sets: Whether sets may be melded.
        runs: Whether runs may be melded.
        distinct: Whether the cards of a set must differ in suit, wilds by what they
            stand for.
        twins: Whether a set may hold two natural cards of one suit.
        alike: Whether three identical cards are a meld of their own.
        above: The code of the card above the one shown, where that is wild as well; -1
            for none.
        track: The order of ranks along which runs lie; a run is a stretch of it in
            which no rank comes twice.
        least_set: The least number of cards of a set.
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
        moves_swapped: Whether a wild that is traded moves to an end of its run.
        trade_mask: Mask of the cards for which it may be traded when they are wild.
        worth: By code, the points of a card outside of a run.
        low_ace: Points of a natural ace that is low in a run.
        number: By code, how many cards it names as an upcard; 0 for a joker.
        extra: Why a third party refuses a meld; None if there is no such rule.
        again: What makes the same terms, and the arguments, for a pickle.
        set_ranks: The ranks of which sets are made.
        natural_ranks: The ranks of which sets hold no wild.
        one_of_a_rank: Whether a side has at most one set of each rank.
        lives: The runs that a declaration needs.
        without: What counts of a hand without them: `UNMATCHED`, `ALL`, `GRADED` or
            `REFUSED`.
        has_lives: Whether it matters if a hand has them.
        unlimited: Whether every meld may hold any number of wilds.
        rising: Whether another natural card may allow another wild.
        one_at_most: Whether a meld may hold at most one wild.
        first_wild: The fewest natural cards with which a set may hold a wild; more than
            `NATURALS` if no set may hold one.
        shape_ranks: Those of `set_ranks` of which some card may count as natural.
        limits_ranks: Whether some ranks make no sets, or no sets with wilds.
        sets_fit: Whether there are enough suits for a set.
        in_sets: Mask of the cards of ranks of which sets are made; 0 if there are none.
        mates: By code, mask of the cards that a set of the card is made of, wilds
            aside; 0 where there are no sets.
        melds: The melds that were read.
        fits: What fits the tables that were looked at last, by their ids.
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
    moves_swapped: bool
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

    has_lives: bool = attrs.field(init=False, repr=False)
    unlimited: bool = attrs.field(init=False, repr=False)
    rising: bool = attrs.field(init=False, repr=False)
    one_at_most: bool = attrs.field(init=False, repr=False)
    first_wild: int = attrs.field(init=False, repr=False)
    wild_mask: int = attrs.field(init=False, repr=False)
    natural_mask: int = attrs.field(init=False, repr=False)
    rank_masks: dict[str, int] = attrs.field(init=False, repr=False)
    shape_ranks: str = attrs.field(init=False, repr=False)
    limits_ranks: bool = attrs.field(init=False, repr=False)
    sets_fit: bool = attrs.field(init=False, repr=False)
    in_sets: int = attrs.field(init=False, repr=False)
    mates: tuple[int, ...] = attrs.field(init=False, repr=False)
    by_worth: tuple[int, ...] = attrs.field(init=False, repr=False)
    runs_along: RunTable = attrs.field(init=False, repr=False)
    rows: tuple[int, ...] = attrs.field(init=False, repr=False)
    run_codes: dict[str, tuple[int, ...]] = attrs.field(init=False, repr=False)
    set_codes: dict[str, tuple[int, ...]] = attrs.field(init=False, repr=False)
    set_masks: dict[str, int] = attrs.field(init=False, repr=False)
    melds: dict[Any, Any] = attrs.field(init=False, repr=False, factory=dict)
    fits: dict[int, Any] = attrs.field(init=False, repr=False, factory=dict)
    suit_tables: SuitTables = attrs.field(init=False, repr=False)
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

    @one_at_most.default
    def _one_at_most(self) -> bool:
        return self.most_in_one() <= 1

    @first_wild.default
    def _first_wild(self) -> int:
        return sum([most < 1 for most in self.most_in_sets])

    @wild_mask.default
    def _wild_mask(self) -> int:
        return sum([FIELD[code] for code in range(CODES) if self.wild[code]])

    @natural_mask.default
    def _natural_mask(self) -> int:
        return sum(
            [
                FIELD[code]
                for code in range(CODES)
                if CARDS[code].rank and not self.wild[code]
            ]
        )

    @rank_masks.default
    def _rank_masks(self) -> dict[str, int]:
        masks = {
            rank: sum([FIELD[code_of(rank, suit)] for suit in SUITS]) for rank in RANKS
        }
        return {**masks, "*": FIELD[JOKER]}

    @shape_ranks.default
    def _shape_ranks(self) -> str:
        if self.own_place_is_natural or self.most_in_sets[0] > 0:
            return self.set_ranks
        masks, natural = self.rank_masks, self.natural_mask
        return "".join([one for one in self.set_ranks if masks[one] & natural])

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
        return (*found[:JOKER], FIELD[JOKER] * self.sets)

    @by_worth.default
    def _by_worth(self) -> tuple[int, ...]:
        # All cards of equal points, those of the most points first.
        masks = dict.fromkeys(sorted(set(self.worth), reverse=True), 0)
        for code in range(CODES):
            masks[self.worth[code]] |= FIELD[code]
        return tuple(masks.values())

    @runs_along.default
    def _runs_along(self) -> RunTable:
        return run_table(self.track, self.least_run)

    @rows.default
    def _rows(self) -> tuple[int, ...]:
        return tuple(SUITS.index(suit) for suit in self.suits)

    @run_codes.default
    def _run_codes(self) -> dict[str, tuple[int, ...]]:
        codes = self.runs_along.codes
        return {suit: codes[SUITS.index(suit)] for suit in self.suits}

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

    @suit_tables.default
    def _suit_tables(self) -> SuitTables:
        return SuitTables(usable=not self.has_lives)

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
        return self.most_wilds(kind)[min(naturals, NATURALS)] - wilds

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

    def fits_track(self, low: int, length: int) -> bool:
        """
        Whether a stretch of the track holds every rank once at most.
        """
        return (low, length) in self.runs_along.stretches


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
