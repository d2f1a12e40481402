"""
What a seat knows of a position, as the numbers that `_layout` describes.

What seldom changes is remembered: the match, the table, the cards of a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from struct import Struct
from typing import Any, Final, final

from rummyvariants.cards import RANKS, UNIT, pack, replaced, size
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._round import (
    Dealt,
    Drawn,
    Frame,
    Match,
    RoundResult,
    Zone,
    knows,
    with_bonuses,
)
from rummyvariants.game._state import LAST_TURN, noted
from rummyvariants.game._worlds import hidden_bits, known_in_stock
from rummyvariants.game.verbs._known import NUMBERED_PHASES
from rummyvariants.learning._fields import ObservationError
from rummyvariants.learning._layout import (
    CHOSEN,
    COUNTS,
    FRAMES,
    FREE_PLACES,
    LYING,
    PROGRESS,
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
from rummyvariants.melds._meld import Meld, Place
from rummyvariants.policies._duties import HOWS
from rummyvariants.policies.facts import AWARDED, DROPPED, LAID_BEFORE, left_round


_PHASES: Final = {phase.name: at for at, phase in enumerate(NUMBERED_PHASES, 1)}
_HOWS: Final = {how: at for at, how in enumerate(HOWS)}
_OWN_NOTES: Final = frozenset({LAID_BEFORE, LAST_TURN, DROPPED})


_OF_MATCH: Final = ("scores", "columns", "last_round", "deal", "wild_rank", "wild")


Sight = tuple[AnyState, int, Drawn, list[int], tuple[int, ...]]
"""
What an observation is made from, often enough that it is no object.

A game, or the world of a view; the seat that observes; what was drawn, as the seat may
know it; by seat, the cards that the seat knows to be in a hand, as a multiset; and the
indices of an action that is being chosen.
"""
Group = tuple[tuple[str, ...], Callable[[Sight], bytes]]
"""The names of fields that are worked out together, and what makes their numbers."""


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
        self._seats = Memo(self._masks_of)
        self._nothing = (0,) * players
        self._pack = Struct(f"{len(COUNTS) * players + len(PROGRESS)}i").pack
        self._draws = Memo(self._of_draw)
        self._piles = Memo(self._pile)
        self._in_piles = Memo(self._in_pile)
        self._in_piles[b""] = 0
        self._thrown = Memo(self._row_of_pile)
        self._tops: Memo[bytes, bytes] = Memo(lambda top: self._rows[pack(top)])
        self._stocks = Memo(self._known_stock)
        self._tables = Kept(self._table)
        self._melds = Memo(self._meld)
        self._memories = Memo(self._memory)
        self._shape = len(layout.kinds) + 1 + players
        self._nothing_drawn = zeros(len(layout.sources) + (2 + len(HOWS)) * faces)
        self._no_zones = zeros((len(layout.zones) + 1) * (players + 1) * (faces + 1))
        self._no_stock = zeros(layout.cards)
        self._no_others = zeros(SUMMARY)
        self._nothing_chosen = zeros(CHOSEN)

    def groups(self) -> Iterator[Group]:
        """
        What writes the fields of the Markov form, in the order of the layout.
        """
        yield (*_OF_MATCH, "seats"), self._match_and_seats
        yield ("counts", "progress"), self._numbers_of
        yield ("phase", "frames"), self._phase_and_frames
        yield ("drawn_from", "drawn", "spent", "owed"), self._draw
        yield ("hands", "unseen"), self._hands_and_unseen
        yield ("stock",), self._stock
        yield ("pile",), self._in_order
        yield ("discards",), self._discards
        yield ("top",), self._top
        yield ("melds", "shapes", "table", "laid"), self._on_table
        yield ("zones", "zone_sizes"), self._in_zones
        yield ("memory", "awarded"), self._remembered
        yield ("others",), self._others
        yield ("chosen",), self._choosing

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
        totals = [match.scores, match.boxes or nothing, points, bonuses]
        if layout.pays:
            totals.append(match.paid or nothing)
        numbers = [total[one] for total in totals for one in order]
        # Before the first deal there are no columns yet.
        for column in match.columns or ((None,) * layout.columns):
            if column is None:
                numbers += nothing * 4
                continue
            won = [one in column.winners for one in range(layout.players)]
            more = with_bonuses(nothing, column.bonuses)
            for found in (column.scores, column.boxes, won, more):
                numbers += [int(found[one]) for one in order]
        numbers += [
            int(result is not None and result.how == how) for how in layout.ends
        ]
        numbers += [match.round_number, match.thrown_in, dealt.redeals]
        for card in (dealt.indicator, dealt.upcard):
            numbers.append(self._numbers[card.code] if card else 0)
        numbers += [int(rank == dealt.wild_rank) for rank in RANKS]
        numbers += [int(dealt.terms.wild[code]) for code in layout.faces]
        masks = self._masks[seat]
        out = -1 if result is None or result.out is None else result.out
        sides = layout.rules.match.sides_of(layout.players)
        side = next(side for side in sides if seat in side)
        said = [
            _mask([0]),
            _mask([dealt.dealer]),
            _mask([match.next_dealer]),
            _mask(side),
            _mask(asking.eliminated(match)),
            _mask(match.winners),
            _mask([out]),
        ]
        return bounded(numbers, "the scores") + b"".join([masks[one] for one in said])

    # ---------------------------------------------------------------------- the turn

    def _match_and_seats(self, sight: Sight) -> bytes:
        """
        The match, and what is true of each seat.
        """
        state, seat, _, _, _ = sight
        laid_before = last_turn = left = wrong = 0
        if state._memory:
            laid_before = noted(state, LAID_BEFORE)
            last_turn = noted(state, LAST_TURN)
            for one, _, path in left_round(state):
                left |= 1 << one
                wrong |= (path == "out.wrong_declaration") << one
        return (
            self._matches(seat, state.match, state.result, state.dealt)
            + self._seats[
                seat,
                1 << state.frames[0].seat,
                state.frames[-1].waiting,
                state._has_meld,
                state._floating,
                laid_before,
                last_turn,
                left,
                wrong,
            ]
        )

    def _masks_of(self, key: tuple[int, ...]) -> bytes:
        """
        The given masks of seats, the first number being the seat that observes.
        """
        masks = self._masks[key[0]]
        return b"".join([masks[one] for one in key[1:]])

    def _numbers_of(self, sight: Sight) -> bytes:
        """
        Numbers for each seat, for the round and for the turn.
        """
        state, seat, drawn, _, _ = sight
        sizes = [size(hand) for hand in state._hands]
        turns = state.turns or self._nothing
        places = prices = self._nothing
        for at, one in enumerate(state.out, 1):
            places = replaced(places, one, at)
        if state._memory:
            for one, points, _ in left_round(state):
                prices = replaced(prices, one, points)
        numbers = (
            *sizes[seat:],
            *sizes[:seat],
            *turns[seat:],
            *turns[:seat],
            *places[seat:],
            *places[:seat],
            *prices[seat:],
            *prices[:seat],
            len(state._stock),
            len(state._discards),
            state.idle,
            state.turned,
            state.fresh,
            state.laid,
            drawn.melds,
        )
        return bounded(numbers, "a seat") if any(prices) else self._pack(*numbers)

    def _phase_and_frames(self, sight: Sight) -> bytes:
        return self._frames(sight[1], sight[0].frames)

    def _draw(self, sight: Sight) -> bytes:
        state, seat, drawn, _, _ = sight
        if not drawn.source:
            return self._nothing_drawn
        cards = pack(drawn._cards)
        # For others `held` is already less what the hand holds now.
        spent = drawn.held + cards
        if seat == state.turn:
            spent -= state._hands[seat]
        owed = [(duty.how, duty.code) for duty in drawn.duties]
        return self._draws[drawn.source, cards, spent, *owed]

    def _in_progress(self, seat: int, frames: tuple[Frame, ...]) -> bytes:
        """
        The phase, and the frames.
        """
        if len(frames) > FRAMES:
            msg = (
                f"{len(frames)} things are in progress at once, and an observation has "
                f"room for {FRAMES}"
            )
            raise ObservationError(msg)
        number = _PHASES.get(frames[-1].phase, len(_PHASES) + 1)
        parts = [packed([at == number for at in range(1, len(_PHASES) + 2)])]
        for frame in frames:
            known = _PHASES.get(frame.phase)
            notes = frame.notes if known else (frame.phase, *frame.notes)
            parts += [
                packed([known or len(_PHASES) + 1, self._place(frame.seat, seat) + 1]),
                self._masks[seat][frame.waiting],
                folded(notes, WIDTH),
            ]
        wide = 2 + self._layout.players + WIDTH
        parts.append(zeros((FRAMES - len(frames)) * wide))
        return b"".join(parts)

    def _of_draw(self, key: tuple[Any, ...]) -> bytes:
        """
        What was drawn, what left the hand since, and what is owed.

        Args:
            key: Where it was drawn from, the cards, those that left the hand, and how
                which cards are owed.
        """
        source, cards, spent, *duties = key
        owed = [0] * len(HOWS)
        for how, code in duties:
            owed[_HOWS[how]] += UNIT[code]
        return b"".join(
            [
                packed([source == one for one in self._layout.sources]),
                self._rows[cards],
                self._rows.difference(spent),
                *[self._rows[one] for one in owed],
            ]
        )

    # -------------------------------------------------------------------- the cards

    def _hands_and_unseen(self, sight: Sight) -> bytes:
        """
        The cards known to be in each hand, and those whose place is not known.
        """
        state, seat, _, known, _ = sight
        unseen = hidden_bits(state, seat, known)
        return self._rows.of((*known[seat:], *known[:seat], unseen))

    def _stock(self, sight: Sight) -> bytes:
        state, seat, _, _, _ = sight
        if not state._stock_seen:
            return self._no_stock
        return self._stocks[known_in_stock(state, seat)]

    def _in_order(self, sight: Sight) -> bytes:
        return self._piles[sight[0]._discards]

    def _discards(self, sight: Sight) -> bytes:
        return self._thrown[sight[0]._discards]

    def _row_of_pile(self, pile: bytes) -> bytes:
        return self._rows.of((self._in_piles[pile],))

    def _in_pile(self, pile: bytes) -> int:
        """
        A pile as a multiset.
        """
        # What lay below the top card has most often been met before.
        below = self._in_piles.get(pile[:-1])
        return pack(pile) if below is None else below + UNIT[pile[-1]]

    def _top(self, sight: Sight) -> bytes:
        return self._tops[sight[0]._discards[-1:]]

    def _known_stock(self, known: tuple[Any, ...]) -> bytes:
        numbers = [0 if card is None else self._numbers[card.code] for card in known]
        return packed(numbers) + zeros(self._layout.cards - len(numbers))

    def _pile(self, pile: bytes) -> bytes:
        """
        The discard pile in its order.
        """
        numbers = pile[::-1].translate(self._numbering)
        return widened(numbers) + zeros(self._layout.cards - len(numbers))

    # -------------------------------------------------------------------- the table

    def _on_table(self, sight: Sight) -> bytes:
        state, seat, _, _, _ = sight
        return self._tables(seat, state._table, state.dealer_wild)

    def _table(
        self, seat: int, table: tuple[Meld, ...], dealer_wild: Meld | None
    ) -> bytes:
        """
        The melds with their cards and shapes, every card, and who laid them.
        """
        layout = self._layout
        no_meld = (self._rows[0], zeros(self._shape), b"", ())
        melds = [
            no_meld if meld is None else self._melds[seat, number, meld]
            for number, meld in enumerate((dealer_wild, *table), 1)
        ]
        lying = b"".join([one[2] for one in melds])
        left = layout.melds - len(melds)
        free = BYTES * len(LYING) * layout.cards - len(lying)
        if left < 0 or free < 0:
            msg = (
                f"there are {len(table)} melds on the table, and an observation has "
                f"room for {layout.melds - 1}"
            )
            raise ObservationError(msg)
        laid = [0] * layout.players
        for one in melds:
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
                *[self._rows[one] for one in laid],
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
        players = self._layout.players
        kind = [int(meld.kind == one) for one in self._layout.kinds]
        maker = self._masks[seat][1 << meld.maker]
        laid: dict[int, int] = {}
        lying: list[int] = []
        for slot in meld.slots:
            place = (slot.seat - seat) % players
            laid[place] = laid.get(place, 0) + UNIT[slot.card.code]
            lying += (number, self._numbers[slot.card.code])
            lying += (_standing(slot.stands_for), place + 1, slot.twice, 0)
        for one in meld.beside:
            place = (one.seat - seat) % players
            laid[place] = laid.get(place, 0) + UNIT[one.card.code]
            lying += (number, self._numbers[one.card.code])
            lying += (0, place + 1, 0, one.index + 1)
        return (
            self._rows[sum(laid.values())],
            packed([*kind, meld.low + 1]) + maker,
            packed(lying),
            tuple(laid.items()),
        )

    # -------------------------------------------------------------------- the rules

    def _in_zones(self, sight: Sight) -> bytes:
        zones = sight[0]._zones
        return self._lying(zones, sight[1]) if zones else self._no_zones

    def _lying(self, zones: tuple[Zone, ...], seat: int) -> bytes:
        """
        The cards in zones by the zone and its owner, as far as they are known.
        """
        layout = self._layout
        owners = layout.players + 1
        cards = [0] * owners * (len(layout.zones) + 1)
        sizes = list(cards)
        for zone in zones:
            at = self._zone_number(zone) * owners + layout.players
            if zone.seat >= 0:
                at += self._place(zone.seat, seat) - layout.players
            sizes[at] += len(zone._cards)
            if knows(zone._seen, seat):
                cards[at] += pack(zone._cards)
        return b"".join([*[self._rows[one] for one in cards], packed(sizes)])

    def _zone_number(self, zone: Zone) -> int:
        names = self._layout.zones
        return names.index(zone.name) if zone.name in names else len(names)

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
        zones = [
            (
                zone.name,
                zone.seat,
                len(zone._cards),
                pack(zone._cards) if knows(zone._seen, seat) else None,
            )
            for zone in state._zones
            if zone.name not in known.zones
        ]
        return packed(summary((*zones, *notes))) if zones or notes else self._no_others

    def _choosing(self, sight: Sight) -> bytes:
        """
        The indices of an action that is being chosen.
        """
        chosen = sight[4]
        if not chosen:
            return self._nothing_chosen
        if len(chosen) > CHOSEN:
            msg = (
                f"{len(chosen)} indices have been chosen, and an observation has room "
                f"for {CHOSEN}"
            )
            raise ObservationError(msg)
        return packed([one + 1 for one in chosen]) + zeros(CHOSEN - len(chosen))


def _standing(place: Place | None) -> int:
    """
    The number of what a wild stands for; 0 for a card that is not wild.
    """
    if place is None:
        return 0
    return place.code + 1 if place.suit else FREE_PLACES + RANKS.index(place.rank)


def _mask(seats: Iterable[int]) -> int:
    """
    The mask of some seats; -1 is none.
    """
    return sum([1 << seat for seat in seats if seat >= 0])
