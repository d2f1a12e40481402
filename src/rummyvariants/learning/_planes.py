"""
What a seat knows of a position, as the numbers that `_layout` describes.

What seldom changes is remembered: the match, the table, the cards of a hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from struct import Struct
from typing import Any, Final, final

from rummyvariants.cards import RANKS, UNIT, pack, size
from rummyvariants.game import Dealt, Drawn, Frame, Match, RoundResult
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._round import knows, with_bonuses
from rummyvariants.game._state import LAST_TURN, noted
from rummyvariants.game._worlds import hidden_bits, known_in_stock
from rummyvariants.house.facts import AWARDED, DROPPED, LAID_BEFORE, left_round
from rummyvariants.learning._fields import ObservationError
from rummyvariants.learning._layout import (
    COUNTS,
    DEAL,
    FREE_PLACES,
    LYING,
    OF_MATCH,
    OF_ROUND,
    PROGRESS,
    TOTALS,
    WIDTH,
    Layout,
)
from rummyvariants.learning._packing import (
    BYTES,
    SUMMARY,
    CardRows,
    Kept,
    Memo,
    bounded,
    folded,
    packed,
    summary,
    widened,
    zeros,
)
from rummyvariants.melds import Beside, Meld, Place, Slot


_NO_CARD: Final = b"\xff"
"""A code of no card, whose number is 0."""
_OWN_NOTES: Final = frozenset({LAID_BEFORE, LAST_TURN, DROPPED})


Sight = tuple[AnyState, int, Drawn, list[int], tuple[int, ...]]
"""
What an observation is made from, often enough that it is no object.

A game, or the world of a view; the seat that observes; what was drawn, as the seat may
know it; by seat, the cards that the seat knows to be in a hand, as a multiset; and the
indices of an action that is being chosen.
"""
Making = Callable[[Sequence[Sight]], bytes]
"""What makes some numbers of several observations, one observation after another."""
Group = tuple[str, int, Making]
"""
Fields that are worked out together.

Their names, how many bytes each of their numbers takes, one or `BYTES`, and what makes
the numbers: for many observations at once, since a call for each of them takes longer
than what is done in it.
"""


@final
class Planes:
    """
    The numbers of the Markov form.

    Args:
        layout: The layout.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        players, faces = layout.players, len(layout.faces)
        self._rows = CardRows(layout.faces)
        self._numbers = {code: at for at, code in enumerate(layout.faces, 1)}
        # The same for all bytes of a pile at once; a joker's code is the highest.
        self._numbering = bytes([self._numbers.get(code, 0) for code in range(256)])
        self._masks = tuple([self._masks_from(seat) for seat in range(players)])
        self._matches = Kept(self._match)
        self._frames = Kept(self._in_progress)
        self._seats = Memo(self._seats_of_round)
        self._nothing = (0,) * players
        self._none_left = (0,) * 2 * players
        self._totals = _kept(layout, TOTALS)
        self._deal = _kept(layout, DEAL)
        self._of_match = _kept(layout, OF_MATCH)
        self._of_round = _kept(layout, OF_ROUND)
        self._counts = [self._counts_from(seat) for seat in range(players)]
        self._lying = _kept(layout, LYING)
        self._phases = {name: at for at, name in enumerate(layout.phases, 1)}
        numbers = len(layout.kept(COUNTS)) * players + len(layout.kept(PROGRESS))
        self._pack = Struct(f"{numbers}i").pack
        self._draws = Memo(self._of_draw)
        self._piles = Memo(self._in_pile)
        self._stocks = Memo(self._known_stock)
        self._tables = Kept(self._table)
        self._melds = Memo(self._meld)
        self._memories = Memo(self._memory)
        self._shape = len(layout.kinds) + 1 + players
        self._no_meld = (self._rows[0], zeros(self._shape), b"", ())
        self._room = BYTES * len(layout.kept(LYING)) * layout.lying
        rows = 1 + layout.spends + len(layout.duties)
        self._nothing_drawn = zeros(len(layout.sources) + rows * faces)
        zones = len(layout.zones) + layout.may("other zones")
        self._no_zones = zeros(zones * (players + 1) * (faces + 1))
        self._no_others = zeros(SUMMARY)
        self._nothing_chosen = zeros(layout.chosen)

    def groups(self) -> Iterator[Group]:
        """
        What writes the fields of the Markov form, in the order of the layout.
        """
        layout = self._layout
        of_match = "scores columns last_round deal wild_rank wild seats"
        yield of_match, BYTES, self._match_and_seats
        yield "counts progress", BYTES, self._numbers_of
        yield "phase frames", BYTES, self._frame
        yield "drawn_from drawn spent owed", BYTES, self._draw
        yield "hands unseen", 1, self._hands_and_unseen
        if layout.may("cards of the stock that are known"):
            yield "stock", BYTES, each(self._stock)
        yield "pile", 1, self._pile
        yield "discards top", 1, self._discards
        yield "melds shapes table laid", BYTES, self._on_table
        if self._no_zones:
            yield "zones zone_sizes", BYTES, each(self._in_zones)
        if layout.memories or layout.awards:
            yield "memory awarded", BYTES, each(self._remembered)
        if layout.may("strange things"):
            yield "others", BYTES, each(self._others)
        yield "chosen", BYTES, self._choosing

    # ----------------------------------------------------------------------- by seat

    def _masks_from(self, seat: int) -> Memo[int, bytes]:
        """
        By a mask of seats, 1 for each seat in it, the given seat first.
        """
        order = self._order(seat)
        return Memo(lambda mask: packed([mask >> one & 1 for one in order]))

    def _order(self, seat: int) -> tuple[int, ...]:
        seats = range(self._layout.players)
        return (*seats[seat:], *seats[:seat])

    def _place(self, seat: int, observer: int) -> int:
        return (seat - observer) % self._layout.players

    # --------------------------------------------------------------------- the match

    def _match(
        self, seat: int, match: Match, result: RoundResult | None, dealt: Dealt
    ) -> bytes:
        """
        The scores, the deal, and what a match says of each seat.
        """
        layout, order = self._layout, self._order(seat)
        nothing = (0,) * layout.players
        points = result.points if result else nothing
        bonuses = with_bonuses(nothing, match.bonuses)
        paid, boxes = match.paid or nothing, match.boxes or nothing
        totals = self._totals((match.scores, boxes, points, bonuses, paid))
        numbers = [total[one] for total in totals for one in order]
        for column in match.columns:
            won = [one in column.winners for one in range(layout.players)]
            more = with_bonuses(nothing, column.bonuses)
            for found in (column.scores, column.boxes, won, more):
                numbers += [int(found[one]) for one in order]
        if not match.columns:  # as before the first deal
            numbers += nothing * 4 * layout.columns
        how = result.how if result else ""
        numbers += [int(how == one) for one in layout.ends]
        cards = [
            self._numbers[card.code] if card else 0
            for card in (dealt.indicator, dealt.upcard)
        ]
        deal = (match.round_number, match.thrown_in, dealt.redeals, *cards)
        numbers += self._deal(deal)
        if layout.may("the wild rank"):
            numbers += [int(rank == dealt.wild_rank) for rank in RANKS]
            numbers += [int(dealt.terms.wild[code]) for code in layout.faces]
        sides = layout.rules.match.sides_of(layout.players)
        said: list[Iterable[int]] = [
            (0,),
            (dealt.dealer,),
            (match.next_dealer,),
            next(side for side in sides if seat in side),
            asking.eliminated(match),
            match.winners,
            () if result is None or result.out is None else (result.out,),
        ]
        # The seat -1 is none.
        masks = [sum([1 << one for one in seats if one >= 0]) for seats in said]
        true = self._masks_of((seat, *self._of_match(masks)))
        return bounded(numbers, "the scores") + true

    # ---------------------------------------------------------------------- the turn

    def _match_and_seats(self, sights: Sequence[Sight]) -> bytes:
        """
        The match, and what is true of each seat.
        """
        matches, known, seats = self._matches, self._matches.found, self._seats
        parts: list[bytes] = []
        for state, seat, _, _, _ in sights:
            match, result, dealt = state.match, state.result, state.dealt
            found = known.get((seat, id(match), id(result), id(dealt)))
            if found is None:
                found = matches(seat, match, result, dealt)
            memory, frames = state._memory, state.frames
            true = (
                seat,
                1 << frames[0].seat,
                frames[-1].waiting,
                state._has_meld,
                state._floating,
                *(_noted(state) if memory else _NO_NOTES),
            )
            parts += (found[1], seats[true])
        return b"".join(parts)

    def _seats_of_round(self, key: tuple[int, ...]) -> bytes:
        """
        What is true of each seat in the round.
        """
        return self._masks_of((key[0], *self._of_round(key[1:])))

    def _masks_of(self, key: tuple[int, ...]) -> bytes:
        """
        The given masks of seats, the first number being the seat that observes.
        """
        masks = self._masks[key[0]]
        return b"".join([masks[one] for one in key[1:]])

    def _counts_from(self, seat: int) -> itemgetter[Any]:
        """
        What takes the numbers of an observation out of those of `_numbers_of`.
        """
        layout, order = self._layout, self._order(seat)
        after = len(COUNTS) * layout.players
        places = [
            at * layout.players + one
            for at, label in enumerate(COUNTS)
            if layout.may(label)
            for one in order
        ]
        places += [after + at for at, one in enumerate(PROGRESS) if layout.may(one)]
        return itemgetter(*places)

    def _numbers_of(self, sights: Sequence[Sight]) -> bytes:
        """
        Numbers for each seat, for the round and for the turn.
        """
        counts, write = self._counts, self._pack
        nobody, nothing = self._nothing, self._none_left
        parts: list[bytes] = []
        for state, seat, drawn, _, _ in sights:
            memory, out = state._memory, state.out
            left = self._left(state) if memory or out else nothing
            numbers = counts[seat](
                (
                    *map(size, state._hands),
                    *(state.turns or nobody),
                    *left,
                    len(state._stock),
                    len(state._discards),
                    state.idle,
                    state.turned,
                    state.fresh,
                    state.laid,
                    drawn.melds,
                )
            )
            parts.append(bounded(numbers, "a seat") if memory else write(*numbers))
        return b"".join(parts)

    def _left(self, state: AnyState) -> tuple[int, ...]:
        """
        By seat, the place in the order of going out, and then the points for leaving.
        """
        found = [0] * 2 * self._layout.players
        for at, one in enumerate(state.out, 1):
            found[one] = at
        for one, points, _ in left_round(state):
            found[self._layout.players + one] = points
        return tuple(found)

    def _draw(self, sights: Sequence[Sight]) -> bytes:
        """
        What was drawn, what left the hand since, and what is owed.
        """
        draws, nothing, spends = self._draws, self._nothing_drawn, self._layout.spends
        parts: list[bytes] = []
        for state, seat, drawn, _, _ in sights:
            if not drawn.source:
                parts.append(nothing)
                continue
            cards = pack(drawn._cards)
            spent = 0
            if spends:
                # For others `held` is already less what the hand holds now.
                spent = drawn.held + cards
                if seat == state.frames[0].seat:
                    spent -= state._hands[seat]
            duties = drawn.duties
            owed = [(one.how, one.code) for one in duties] if duties else ()
            parts.append(draws[drawn.source, cards, spent, *owed])
        return b"".join(parts)

    def _frame(self, sights: Sequence[Sight]) -> bytes:
        """
        The phase, and the frames.
        """
        frames, known = self._frames, self._frames.found
        parts: list[bytes] = []
        for state, seat, _, _, _ in sights:
            there = state.frames
            found = known.get((seat, id(there)))
            parts.append((frames(seat, there) if found is None else found)[1])
        return b"".join(parts)

    def _in_progress(self, seat: int, frames: tuple[Frame, ...]) -> bytes:
        """
        The same of some frames.
        """
        layout = self._layout
        if len(frames) > layout.frames:
            msg = (
                f"{len(frames)} things are in progress at once, and an observation has "
                f"room for {layout.frames}"
            )
            raise ObservationError(msg)
        known, strange = self._phases, len(layout.phases)
        number = known.get(frames[-1].phase, strange)
        parts = [packed([at == number for at in range(1, len(layout.phases) + 1)])]
        for frame in frames:
            is_known = frame.phase in known
            notes = frame.notes if is_known else (frame.phase, *frame.notes)
            place = self._place(frame.seat, seat) + 1
            parts += [
                packed([known.get(frame.phase, strange), place]),
                self._masks[seat][frame.waiting],
                folded(notes, layout.notes) if layout.notes else b"",
            ]
        wide = 2 + layout.players + layout.notes
        parts.append(zeros((layout.frames - len(frames)) * wide))
        return b"".join(parts)

    def _of_draw(self, key: tuple[Any, ...]) -> bytes:
        """
        The same of one draw.

        Args:
            key: Where it was drawn from, the cards, those that left the hand, and how
                which cards are owed.
        """
        source, cards, spent, *duties = key
        layout = self._layout
        owed = dict.fromkeys(layout.duties, 0)
        for how, code in duties:
            owed[how] += UNIT[code]
        return b"".join(
            [
                packed([source == one for one in layout.sources]),
                self._rows[cards],
                *([self._rows.difference(spent)] if layout.spends else []),
                *[self._rows[one] for one in owed.values()],
            ]
        )

    # -------------------------------------------------------------------- the cards

    def _hands_and_unseen(self, sights: Sequence[Sight]) -> bytes:
        """
        The cards known to be in each hand, and those whose place is not known.
        """
        found: list[int] = []
        for state, seat, _, known, _ in sights:
            found += known[seat:]
            found += known[:seat]
            found.append(hidden_bits(state, seat, known))
        return self._rows.of(found)

    def _stock(self, sight: Sight) -> bytes:
        state, seat, _, _, _ = sight
        known = known_in_stock(state, seat) if state._stock_seen else ()
        return self._stocks[known]

    def _known_stock(self, known: tuple[Any, ...]) -> bytes:
        numbers = [0 if card is None else self._numbers[card.code] for card in known]
        return packed(numbers) + zeros(self._layout.cards - len(numbers))

    def _pile(self, sights: Sequence[Sight]) -> bytes:
        """
        The discard pile in its order, the top card first.
        """
        room = self._layout.pile
        piles = [sight[0]._discards[::-1].ljust(room, _NO_CARD) for sight in sights]
        return b"".join(piles).translate(self._numbering)

    def _discards(self, sights: Sequence[Sight]) -> bytes:
        """
        The discard pile as a row of cards, and its top card.
        """
        piles = self._piles
        found: list[int] = []
        for sight in sights:
            found += piles[sight[0]._discards]
        return self._rows.of(found)

    def _in_pile(self, pile: bytes) -> tuple[int, int]:
        """
        The cards of a pile, and its top card, as multisets.
        """
        below = self._piles.get(pile[:-1])
        top = pack(pile[-1:])
        return pack(pile) if below is None else below[0] + top, top

    # -------------------------------------------------------------------- the table

    def _on_table(self, sights: Sequence[Sight]) -> bytes:
        """
        The melds with their cards and shapes, every card, and who laid them.
        """
        tables, known = self._tables, self._tables.found
        parts: list[bytes] = []
        for state, seat, _, _, _ in sights:
            table, wild = state._table, state.dealer_wild
            found = known.get((seat, id(table), id(wild)))
            parts.append((tables(seat, table, wild) if found is None else found)[1])
        return b"".join(parts)

    def _table(
        self, seat: int, table: tuple[Meld, ...], dealer_wild: Meld | None
    ) -> bytes:
        """
        The same of one table.
        """
        layout, known = self._layout, self._melds
        first = (dealer_wild,) if layout.may("wild") else ()
        melds = [
            self._no_meld if meld is None else known[seat, number, meld]
            for number, meld in enumerate((*first, *table), 1)
        ]
        lying = b"".join([one[2] for one in melds])
        left = layout.melds - len(melds)
        free = self._room - len(lying)
        if left < 0 or free < 0:
            msg = (
                f"there are {len(table)} melds on the table, and an observation has "
                f"room for {layout.melds - layout.may('wild')}"
            )
            raise ObservationError(msg)
        laid = [0] * layout.players * layout.may("cards laid in turns")
        for one in melds if laid else ():
            for place, cards in one[3]:
                laid[place] += cards
        return b"".join(
            [
                *[one[0] for one in melds],
                zeros(left * len(layout.faces)),
                *[one[1] for one in melds],
                zeros(left * self._shape),
                lying,
                bytes(free),
                widened(self._rows.of(laid)) if laid else b"",
            ]
        )

    def _meld(
        self, key: tuple[int, int, Meld]
    ) -> tuple[bytes, bytes, bytes, tuple[tuple[int, int], ...]]:
        """
        The cards of a meld, its shape, each card, and who laid which, by place.

        Args:
            key: The seat that observes, the number of the meld plus one, and the meld.
        """
        seat, number, meld = key
        kind = [int(meld.kind == one) for one in self._layout.kinds]
        maker = self._masks[seat][1 << meld.maker]
        laid: Counter[int] = Counter()
        lying: list[int] = []
        told: list[tuple[Slot | Beside, int, bool, int]] = [
            *[(one, _standing(one.stands_for), one.twice, 0) for one in meld.slots],
            *[(one, 0, False, one.index + 1) for one in meld.beside],
        ]
        for one, stands_for, twice, beside in told:
            place = self._place(one.seat, seat)
            laid[place] += UNIT[one.card.code]
            card = self._numbers[one.card.code]
            lying += self._lying((number, card, stands_for, place + 1, twice, beside))
        return (
            self._rows[sum(laid.values())],
            packed([*kind, meld.low + 1]) + maker,
            packed(lying),
            tuple(laid.items()),
        )

    # -------------------------------------------------------------------- the rules

    def _in_zones(self, sight: Sight) -> bytes:
        """
        The cards in zones by the zone and its owner, as far as they are known.
        """
        zones, seat, layout = sight[0]._zones, sight[1], self._layout
        if not zones:
            return self._no_zones
        owners, names = layout.players + 1, layout.zones
        cards = [0] * owners * (len(layout.zones) + layout.may("other zones"))
        sizes = list(cards)
        for zone in zones:
            number = names.index(zone.name) if zone.name in names else len(names)
            owner = self._place(zone.seat, seat) if zone.seat >= 0 else layout.players
            at = number * owners + owner
            sizes[at] += len(zone._cards)
            if knows(zone._seen, seat):
                cards[at] += pack(zone._cards)
        return b"".join([*[self._rows[one] for one in cards], packed(sizes)])

    def _remembered(self, sight: Sight) -> bytes:
        return self._memories[sight[0]._memory, sight[1]]

    def _memory(self, key: tuple[tuple[tuple[str, Any], ...], int]) -> bytes:
        """
        What each rule remembers, and then the points that rules have awarded.
        """
        memory, seat = key
        found = {**self._layout.memories, **dict(memory)}
        kept = b"".join([folded(found[one], WIDTH) for one in self._layout.memories])
        if not self._layout.awards:
            return kept
        total = [0] * self._layout.players
        for one, points, *_ in found.get(AWARDED, ()):
            total[one] += points
        order = self._order(seat)
        return kept + bounded([total[one] for one in order], "the points awarded")

    def _others(self, sight: Sight) -> bytes:
        """
        A summary of zones whose names are not known, and of strange notes.
        """
        state, seat, _, _, _ = sight
        known = self._layout
        if not (state._zones or state._memory):
            return self._no_others
        notes = [
            (name, value)
            for name, value in state._memory
            if name not in known.memories and name not in _OWN_NOTES
        ]
        zones = [zone for zone in state._zones if zone.name not in known.zones]
        if not (zones or notes):
            return self._no_others
        seen = [
            pack(zone._cards) if knows(zone._seen, seat) else None for zone in zones
        ]
        told = [
            (zone.name, zone.seat, len(zone._cards), cards)
            for zone, cards in zip(zones, seen, strict=True)
        ]
        return packed(summary((*told, *notes)))

    def _choosing(self, sights: Sequence[Sight]) -> bytes:
        """
        The indices of an action that is being chosen.
        """
        nothing, chosen = self._nothing_chosen, self._chosen
        return b"".join([chosen(one[4]) if one[4] else nothing for one in sights])

    def _chosen(self, chosen: tuple[int, ...]) -> bytes:
        room = self._layout.chosen
        if len(chosen) > room:
            msg = (
                f"{len(chosen)} indices have been chosen, and an observation has room "
                f"for {room}"
            )
            raise ObservationError(msg)
        return packed([one + 1 for one in chosen]) + zeros(room - len(chosen))


def _kept(layout: Layout, labels: Sequence[str]) -> Callable[[Sequence[Any]], Any]:
    """
    What leaves those of some values whose labels the layout keeps.
    """
    places = [at for at, one in enumerate(labels) if layout.may(one)]
    if len(places) == len(labels):
        return tuple
    if len(places) < 2:
        return lambda values: tuple([values[one] for one in places])
    return itemgetter(*places)


def each(make: Callable[[Sight], bytes]) -> Making:
    """
    What makes the numbers of several observations, given what makes those of one.
    """
    return lambda sights: b"".join([make(sight) for sight in sights])


_NO_NOTES: Final = (0, 0, 0, 0)


def _noted(state: AnyState) -> tuple[int, ...]:
    """
    Masks of the seats about which something is remembered.
    """
    left = wrong = 0
    for one, _, path in left_round(state):
        left |= 1 << one
        wrong |= (path == "out.wrong_declaration") << one
    return noted(state, LAID_BEFORE), noted(state, LAST_TURN), left, wrong


def _standing(place: Place | None) -> int:
    """
    The number of what a wild stands for; 0 for a card that is not wild.
    """
    if place is None:
        return 0
    return place.code + 1 if place.suit else FREE_PLACES + RANKS.index(place.rank)
