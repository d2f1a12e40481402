"""
A round played again from what a seat saw of it.

So there is a position for each decision of the other seats, correct but for the cards
that the seat did not see: those lie in some order that makes the actions possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from rummyvariants.actions import (
    Action,
    Buy,
    CallRummy,
    Choose,
    Deal,
    Discard,
    Draw,
    Take,
    TakeAndLayOff,
    TakeAndMeld,
)
from rummyvariants.cards import FIELD, UNIT, codes, common, pack, replaced, size
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.game import do_known
from rummyvariants.game._engine.phases import begin_play, draw_card, next_seat
from rummyvariants.game._locations import put
from rummyvariants.game._round import BETWEEN_ROUNDS, NOTHING_DRAWN, STOCK, History
from rummyvariants.game._state import Draft, State, thaw
from rummyvariants.melds._meld import Slot, bits_of, built


TAKES: Final = (Take, TakeAndMeld, TakeAndLayOff)
NO_TURN: Final = 1 << 30
"""After all actions."""


class Unlike(Exception):  # noqa: N818 -- never leaves the package
    """
    The round cannot have gone that way.
    """


@attrs.define
class SeenCards:
    """
    The cards of another seat through a round, as everybody could follow them.

    Attributes:
        seen: The cards that were known to be in the hand: each with the numbers of the
            first and the last action before which it was.
        played: The other cards that left the hand, with the number of the action.
        missing: How many cards of the hand are hidden now.
    """

    seen: list[tuple[int, int, int]] = attrs.field(factory=list)
    played: list[tuple[int, int]] = attrs.field(factory=list)
    missing: int = 0

    def known(self, number: int) -> int:
        """
        The cards known to be in the hand before an action, as a multiset.
        """
        return sum(
            [UNIT[code] for code, came, left in self.seen if came <= number <= left]
        )

    def played_from(self, number: int) -> list[int]:
        """
        The other cards that the seat played from an action on, by their codes.
        """
        return [code for code, left in self.played if left >= number]

    def follow(self, before: Draft, after: Draft, seat: int, number: int) -> None:
        """
        Note what an action brought to the hand, and what it took away.
        """
        old, new = before._hands[seat], after._hands[seat]
        if old == new and before._seen[seat] == after._seen[seat]:
            return
        was, now = before._seen[seat], after._seen[seat]
        for code in codes(was - common(was, now)):
            at = next(at for at, one in enumerate(self.seen) if _is_held(one, code))
            self.seen[at] = (code, self.seen[at][1], number)
        self.seen += [
            (code, number + 1, NO_TURN) for code in codes(now - common(was, now))
        ]
        hidden = old - was
        left = new - now
        self.played += [(code, number) for code in codes(hidden - common(hidden, left))]


def _is_held(one: tuple[int, int, int], code: int) -> bool:
    return one[0] == code and one[2] == NO_TURN


@attrs.frozen
class Decision:
    """
    A decision of another seat.

    Attributes:
        number: The number of the action.
        before: The position in which the seat decided.
        seat: The seat.
        action: What it did.
        due: The hidden cards that it laid in the same turn after that.
    """

    number: int
    before: Draft
    seat: int
    action: Action
    due: int = 0


@attrs.frozen
class Past:
    """
    A round as a seat saw it.

    Attributes:
        decisions: The decisions of the other seats that say something of their hands:
            whether to take discards, and what to discard.
        tracks: By seat, the cards of the others.
    """

    decisions: tuple[Decision, ...]
    tracks: dict[int, SeenCards]


def past_of(world: State, seat: int | None, known: Sequence[int]) -> Past | None:
    """
    The round as a seat saw it; None if it cannot be played again.

    Args:
        world: The world of the seat's view.
        seat: The seat; None for a spectator.
        known: By seat, the cards that it knows to be in a hand, as multisets.
    """
    actions = [one for one in world.history if not isinstance(one, (Deal, Choose))]
    if world.dealt.dealer < 0 or world.phase in BETWEEN_ROUNDS or not actions:
        return None
    own = (seat, 0 if seat is None else known[seat])
    try:
        sizes = _first_sizes(world)
        for _ in range(2):
            for pile in _first_piles(world, actions, known):
                again = _Again(world, actions, own)
                if not again.plays(sizes, pile):
                    continue
                if again.agrees():
                    return again.past(known)
                wrong = again.excess()
                if any(wrong):
                    sizes = [one - more for one, more in zip(sizes, wrong, strict=True)]
                    break
    except Exception:  # noqa: BLE001 -- guesses at a start may break anything
        return None
    return None


class _Again:
    """
    A round played again from a guess at its start.
    """

    def __init__(
        self, world: State, actions: Sequence[Action], own: tuple[int | None, int]
    ) -> None:
        self.world = world
        self.actions = actions
        self.own = own
        self.draft = thaw(world)
        self.found: list[Decision] = []
        self.tracks: dict[int, SeenCards] = {}

    def plays(self, sizes: Sequence[int], pile: Sequence[int]) -> bool:
        """
        Play all actions from hands of some sizes; whether that is possible.
        """
        draft = self.draft = _start(self.world, sizes, pile)
        for seat in range(len(sizes)):
            if seat != self.own[0]:
                seen = [(code, 0, NO_TURN) for code in codes(draft._seen[seat])]
                self.tracks[seat] = SeenCards(seen)
        try:
            for number in range(len(self.actions)):
                self._play(number)
        except Exception:  # noqa: BLE001 -- as above
            return False
        return draft.phase not in BETWEEN_ROUNDS

    def _play(self, number: int) -> None:
        draft, action = self.draft, self.actions[number]
        seat = action.seat or 0
        lying = 0
        if isinstance(action, TAKES):
            lying = pack(draft._discards[-(action.count or NO_TURN) :])
        elif isinstance(action, CallRummy):
            lying = pack(draft._discards)
        needed = self._needs(number)
        _supply(draft, seat, needed - common(needed, lying), type(action) is Draw)
        before = thaw(draft)
        do_known(draft, action)
        if draft.turned != before.turned:
            # What lay on the pile may be in any hand from now on.
            self.found.clear()
        elif seat in self.tracks and _tells(before, action):
            self.found.append(Decision(number, before, seat, action))
        for other, track in self.tracks.items():
            track.follow(before, draft, other, number)

    def _needs(self, number: int) -> int:
        """
        The cards that a seat plays from an action on until it gains others.
        """
        seat = self.actions[number].seat
        needed = named_in(self.actions[number])
        for action in self.actions[number + 1 :]:
            if action.seat != seat or isinstance(action, (Draw, *TAKES)):
                return needed
            needed += named_in(action)
        return needed + (self.own[1] if seat == self.own[0] else 0)

    def agrees(self) -> bool:
        """
        Whether the round has led to the position that the seat sees.
        """
        return _face(self.draft) == _face(self.world)

    def excess(self) -> list[int]:
        """
        By seat, how many cards too many there are in the hand.
        """
        pairs = zip(self.draft._hands, self.world._hands, strict=True)
        return [size(here) - size(there) for here, there in pairs]

    def past(self, known: Sequence[int]) -> Past:
        """
        What can be said of the others' hands.
        """
        end = len(self.actions)
        for seat, track in self.tracks.items():
            more = known[seat] - common(known[seat], self.draft._seen[seat])
            track.seen += [(code, end, NO_TURN) for code in codes(more)]
            track.missing = size(self.draft._hands[seat]) - size(known[seat])
        decisions = [attrs.evolve(one, due=self._due(one)) for one in self.found]
        return Past(tuple(decisions), self.tracks)

    def _due(self, decision: Decision) -> int:
        if isinstance(decision.action, Discard):
            return 0
        last = decision.number
        for action in self.actions[decision.number + 1 :]:
            if action.seat != decision.seat or isinstance(action, Discard):
                break
            last += 1
        played = self.tracks[decision.seat].played
        return pack([code for code, left in played if decision.number < left <= last])


def _tells(before: Draft, action: Action) -> bool:
    """
    Whether an action is the answer to a question about the hand.
    """
    if isinstance(action, Discard):
        return before.phase == "play"
    return before.phase in {"draw", "offer"} and bool(before._discards)


def _face(state: State | Draft) -> tuple[object, ...]:
    """
    What everybody sees of a position.
    """
    return (
        [(one.phase, one.seat, one.waiting) for one in state.frames],
        [size(hand) for hand in state._hands],
        len(state._stock),
        state._discards,
        state._table,
        state.dealer_wild,
        state._seen,
        state.turns,
        state.drawn.source,
    )


# ----------------------------------------------------------------------- the start


def _start(world: State, sizes: Sequence[int], pile: Sequence[int]) -> Draft:
    """
    A round as it may have been dealt.
    """
    draft = thaw(world)
    dealt = draft.dealt
    draft._history = History()
    draft._table = ()
    draft._has_meld = 0
    draft.drawn = NOTHING_DRAWN
    draft.laid = False
    draft.idle = 0
    draft.turns = (0,) * len(sizes)
    draft._floating = 0
    draft.out = ()
    draft.result = None
    draft.turned = 0
    draft.fresh = True
    draft._zones = ()
    draft._memory = asking.memory_kept(world.rules, world._memory, "turn", "round")
    draft._seen_by_some = ()
    draft._stock_seen = ()
    open_cards = [pack([card.code for card in cards]) for cards in dealt.upcards]
    left = _all_cards(world) - pack(pile) - sum(open_cards)
    if draft.dealer_wild is not None:
        card = dealt.upcards[dealt.dealer][-1]
        open_cards[dealt.dealer] -= UNIT[card.code]
        slot = Slot(card, None, dealt.dealer)
        draft.dealer_wild = built(dealt.terms, "wild", (slot,), dealt.dealer)
    order = list(codes(left))
    hands = []
    for shown, number in zip(open_cards, sizes, strict=True):
        more = number - size(shown)
        hands.append(shown + pack(order[:more]))
        del order[:more]
    draft._hands = tuple(hands)
    draft._seen = tuple(open_cards)
    draft._stock = bytes(order)
    draft._discards = b""
    if draft.match.rules.deal.turns_up:
        draft._discards = bytes(pile)
    begin_play(draft, next_seat(draft, dealt.dealer), None)
    if draft.match.rules.deal.deals_one_more:
        put(draft, pack(pile), bytes(pile), STOCK, 0)
        draw_card(draft, draft.turn, None, dealt=True)
    return draft


def _all_cards(state: State) -> int:
    """
    All cards of a round, as a multiset.
    """
    bits = sum(state._hands) + pack(state._stock) + pack(state._discards)
    for zone in state._zones:
        bits += pack(zone._cards)
    for meld in (*state._table, *filter(None, [state.dealer_wild])):
        bits += pack([one.card.code for one in meld.slots])
        bits += pack([one.card.code for one in meld.beside])
    return bits


def _first_sizes(world: State) -> list[int]:
    """
    By seat, how many cards were dealt, as far as the rules say.
    """
    rules, dealt = world.rules, world.dealt
    gone = asking.eliminated(world.match)
    seats = len(world._hands)
    found = []
    for seat in range(seats):
        if seat in gone:
            number = 0
        elif rules.deal.is_fixed:
            number = rules.deal.fixed_size(seats, world.match.round_number)
        else:
            rank = dealt.upcards[seat][-1].rank
            number = rules.deal.whole_hand(rules.deal.upcard_number(rank))
        on_table = seat == dealt.dealer and world.dealer_wild is not None
        found.append(number - on_table)
    return found


def _first_piles(
    world: State, actions: Sequence[Action], known: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """
    The cards with which the discard pile may have begun, the likeliest first.
    """
    if not world.rules.deal.turns_up:
        more = int(world.rules.deal.deals_one_more)
        yield codes(pack(world._stock))[:more]
        return
    if world.dealt.upcard is not None:
        yield (world.dealt.upcard.code,)
        return
    called = [named_in(one) for one in actions if isinstance(one, CallRummy)]
    height, taker = 0, -1
    for action in actions:
        if isinstance(action, Discard):
            height += 1
        elif isinstance(action, (Buy, *TAKES)):
            height -= 1 if isinstance(action, Buy) else action.count or NO_TURN
            if height < 0:
                taker = action.seat or 0
                height = 0
                break
    if taker < 0:
        yield tuple(world._discards[: max(1, len(world._discards) - height)])
        for code in codes(sum(called)):
            yield (code,)
        return
    # It was taken, and has been played or is known to be held.
    played = [named_in(action) for action in actions if action.seat == taker]
    for code in dict.fromkeys(
        [one for bits in (*played, known[taker]) for one in codes(bits)]
    ):
        yield (code,)


# ------------------------------------------------------------------------- the cards


def named_in(action: Action) -> int:
    """
    The cards that an action names, as a multiset.
    """
    card = getattr(action, "card", None)
    bits = 0 if card is None else UNIT[card.code]
    for cards in (
        getattr(action, "cards", ()),
        *(getattr(action, "melds", None) or ()),
    ):
        bits += bits_of(cards)
    return bits


def _supply(draft: Draft, seat: int, needed: int, draws: bool) -> None:  # noqa: FBT001
    """
    Exchange hidden cards so that a hand holds what it plays next, or draws it.

    Raises:
        Unlike: If that is impossible.
    """
    hand = draft._hands[seat]
    missing = codes(needed - common(needed, hand))
    spare = hand - common(hand, needed)
    junk = list(codes(spare - common(spare, draft._seen[seat])))
    for code in missing:
        if junk:
            exchange(draft, seat, junk.pop(), code)
        elif draws:
            _lay_on_top(draft, code)
        else:
            raise Unlike


def _lay_on_top(draft: Draft, code: int) -> None:
    """
    Exchange the top card of the stock for one from below or from a hand.

    Raises:
        Unlike: If it is in neither, as far as seats do not know what is there.
    """
    stock = draft._stock
    at = stock.find(code)
    if at < 0:
        top = stock[0]
        draft._hands = _given_up(draft, code, top, -1)
        draft._stock = bytes([code]) + stock[1:]
    elif at:
        between = stock[1:at] + stock[:1]
        draft._stock = bytes([code]) + between + stock[at + 1 :]


def exchange(draft: Draft, seat: int, given: int, wanted: int) -> None:
    """
    Exchange a hidden card of a hand for one from the stock or from another hand.

    Raises:
        Unlike: If it is in neither, as far as seats do not know what is there.
    """
    hands = draft._hands
    mine = hands[seat] + UNIT[wanted] - UNIT[given]
    at = draft._stock.find(wanted)
    if at >= 0:
        draft._stock = draft._stock[:at] + bytes([given]) + draft._stock[at + 1 :]
    else:
        hands = _given_up(draft, wanted, given, seat)
    draft._hands = replaced(hands, seat, mine)


def _given_up(draft: Draft, code: int, given: int, seat: int) -> tuple[int, ...]:
    """
    The hands after one of them, not that of the seat, has exchanged a hidden card.
    """
    for other, hand in enumerate(draft._hands):
        if other != seat and (hand - draft._seen[other]) & FIELD[code]:
            theirs = hand + UNIT[given] - UNIT[code]
            return replaced(draft._hands, other, theirs)
    raise Unlike
