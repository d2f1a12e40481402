"""
The middle of a turn: what may be laid on the table, and what may be discarded.

A play is worked out without being done: what leaves the hand, and how the table looks
after it. From that the one question behind RV-03 is answered: can the turn still be
finished, with every duty met?
"""

from __future__ import annotations

import itertools

from collections.abc import Iterator

import attrs

from rummyvariants.actions import Discard, LayDown, LayOff, PutDown, Split, Swap
from rummyvariants.cards import (
    CARDS,
    FIELD,
    UNIT,
    Card,
    count,
    faces,
    holds,
    show,
    size,
)
from rummyvariants.combos import (
    RandRange,
    in_some_meld,
    layoffs_on,
    melds_in,
    one_of_shape,
    shapes_in,
    wild_in_some_meld,
)
from rummyvariants.melds import (
    OWN_PLACE,
    Beside,
    Meld,
    Played,
    Slot,
    bits_of,
    built,
    is_natural,
    playable,
)
from rummyvariants.reading import limit_of, read_layoff, read_meld
from rummyvariants.rulings import Objection
from rummyvariants.state import Draft, Drawn, State, thaw
from rummyvariants.terms import Terms


AnyState = State | Draft
PlayAction = LayDown | LayOff | PutDown | Swap | Split


@attrs.frozen
class Play:
    """
    What a play would do.

    Attributes:
        used: The cards that leave the hand, as a multiset.
        number: The number of the meld that is made or changed.
        after: The meld as it would lie.
        is_meld: Whether it is a new meld of the player's own.
        is_natural: Whether the new meld holds no wild card.
        gained: The code of a wild that comes to the hand; -1 for none.
        second: The second part of a meld that was split.
        how: The word for it in events.
    """

    used: int
    number: int
    after: Meld
    is_meld: bool = False
    is_natural: bool = False
    gained: int = -1
    second: Meld | None = None
    how: str = "lay-off"


def terms_of(state: AnyState) -> Terms:
    """
    The terms of the deal that is played.
    """
    assert state.dealt is not None  # noqa: S101 -- for the type checker
    return state.dealt.terms


def melds_by_number(state: AnyState) -> Iterator[tuple[int, Meld]]:
    """
    The melds on the table with their numbers, the dealer's wild first.
    """
    if state.dealer_wild is not None:
        yield 0, state.dealer_wild
    yield from enumerate(state._table, 1)


def meld_at(state: AnyState, number: int) -> Meld | Objection:
    """
    The meld of a number.
    """
    if number == 0 and state.dealer_wild is not None:
        return state.dealer_wild
    if 1 <= number <= len(state._table):
        return state._table[number - 1]
    return Objection("RV-07", f"there is no meld {number} on the table")


def is_playable(state: AnyState, code: int) -> bool:
    """
    Whether a card alone could be laid on some meld of the table (PG-17).
    """
    terms = terms_of(state)
    return any(playable(terms, meld, code) for _, meld in melds_by_number(state))


# ----------------------------------------------------------------- working plays out


def plan(state: AnyState, seat: int, action: PlayAction) -> Play | Objection:
    """
    What a play would do, or why it is refused; dead ends are not looked at.

    Args:
        state: A state in which the seat may play.
        seat: Who plays.
        action: The play.
    """
    play = _planned(state, seat, action)
    drawn = state.drawn
    if drawn is None or isinstance(play, Objection):
        return play
    for duty in drawn.duties:
        if duty.at_once and not _meets(state, play, drawn, 0):
            return Objection(
                duty.question,
                f"{CARDS[duty.code]} {duty}, before anything else is done",
            )
    return play


def _planned(state: AnyState, seat: int, action: PlayAction) -> Play | Objection:
    match action:
        case LayDown():
            return _meld(state, seat, action.cards)
        case LayOff():
            return _layoff(state, seat, action)
        case PutDown():
            return _put(state, seat, action.card)
        case Swap():
            return _swap(state, seat, action)
        case Split():
            return _split(state, seat, action)


def missing(hand: int, used: int, place: str = "the hand") -> Objection | None:
    """
    An objection if a multiset does not hold the cards that are named.
    """
    if holds(hand, used):
        return None
    lacking = [code for code in faces(used) if not holds(hand, used & FIELD[code])]
    return Objection("RV-07", f"{show(lacking)} is not in {place} as often as named")


def _owing(state: AnyState) -> tuple[str, ...]:
    drawn = state.drawn
    if drawn is None:
        return ()
    return tuple(duty.question for duty in drawn.duties if duty.at_once)


def _meld(state: AnyState, seat: int, cards: tuple[Played, ...]) -> Play | Objection:
    used = bits_of(cards)
    lacking = missing(state._hands[seat], used)
    if lacking is not None:
        return lacking
    return plan_meld(state, seat, cards, used)


def plan_meld(
    state: AnyState, seat: int, cards: tuple[Played, ...], used: int
) -> Play | Objection:
    """
    A new meld planned, from wherever its cards come.
    """
    meld = read_meld(terms_of(state), cards, seat)
    if isinstance(meld, Objection):
        return attrs.evolve(meld, also=meld.also + _owing(state))
    natural = meld.kind != "wilds" and is_natural(meld.slots)
    rules = state.match.rules
    wrong = rules.meld.refuse_first(
        has_meld=bool(state._has_meld >> seat & 1), natural=natural
    )
    if wrong is not None:
        return wrong
    number = len(state._table) + 1
    return Play(used, number, meld, is_meld=True, is_natural=natural, how="meld")


def _refuse_layoff(state: AnyState, seat: int) -> Objection | None:
    wrong: Objection | None = state.match.rules.layoff.refuse(
        has_meld=bool(state._has_meld >> seat & 1)
    )
    return wrong


def _layoff(state: AnyState, seat: int, action: LayOff) -> Play | Objection:
    meld = meld_at(state, action.meld)
    if isinstance(meld, Objection):
        return meld
    used = bits_of(action.cards)
    lacking = missing(state._hands[seat], used)
    if lacking is not None:
        return lacking
    wrong = _refuse_layoff(state, seat)
    after = read_layoff(terms_of(state), meld, action.cards, seat, action.end)
    if wrong is not None:
        also = (after.question,) if isinstance(after, Objection) else ()
        if isinstance(after, Meld) and len(after.beside) > len(meld.beside):
            also = ("wild.real_card",)
        return attrs.evolve(wrong, also=also + _owing(state))
    if isinstance(after, Objection):
        return attrs.evolve(after, also=after.also + _owing(state))
    begun = meld.kind == "wild"
    return Play(
        used,
        action.meld,
        after,
        is_meld=begun,
        is_natural=begun and is_natural(after.slots),
    )


def _put(state: AnyState, seat: int, card: Card) -> Play | Objection:
    lacking = missing(state._hands[seat], UNIT[card.code])
    if lacking is not None:
        return lacking
    terms = terms_of(state)
    wrong = state.match.rules.layoff.refuse_single(
        has_meld=bool(state._has_meld >> seat & 1), wild=terms.wild[card.code]
    )
    if wrong is not None:
        return wrong
    meld = built(terms, "wild", (Slot(card, None, seat),), seat)
    return Play(UNIT[card.code], len(state._table) + 1, meld, how="put")


def _swap(state: AnyState, seat: int, action: Swap) -> Play | Objection:
    terms = terms_of(state)
    if terms.real_card != "swap":
        return Objection("wild.real_card", "a melded wild card is not traded")
    meld = meld_at(state, action.meld)
    if isinstance(meld, Objection):
        return meld
    code = action.card.code
    lacking = missing(state._hands[seat], UNIT[code])
    if lacking is not None:
        return lacking
    wrong = _refuse_layoff(state, seat)
    if wrong is not None:
        return attrs.evolve(wrong, also=("wild.real_card",))
    index = _wild_for(terms, meld, code, locked=action.meld == 0)
    if index < 0:
        return Objection(
            "wild.real_card",
            f"no wild card of the meld {meld} stands for {action.card}",
        )
    old = meld.slots[index]
    said = OWN_PLACE[code] if terms.wild[code] else None
    slots = (
        *meld.slots[:index],
        Slot(action.card, said, seat),
        *meld.slots[index + 1 :],
    )
    wrong = limit_of(terms, meld.kind, slots, meld.low)
    if wrong is not None:
        return wrong
    after = built(terms, meld.kind, slots, meld.maker, meld.low, meld.beside)
    return Play(UNIT[code], action.meld, after, gained=old.card.code, how="swap")


def _wild_for(terms: Terms, meld: Meld, code: int, *, locked: bool) -> int:
    """
    The slot of the wild that a real card may be traded for; -1 for none.

    Of several in a set whose suits do not matter it is the first one laid. The card
    that the dealer's wild was dealt as is never traded.
    """
    if not meld.real & FIELD[code]:
        return -1
    for index, slot in enumerate(meld.slots):
        if slot.stands_for is None or slot.own_place or (locked and index == 0):
            continue
        if slot.code in {-1, code}:
            return index
    return -1


def _split(state: AnyState, seat: int, action: Split) -> Play | Objection:
    if not state.match.rules.wild.split:
        return Objection("wild.split", "melds are not split")
    meld = meld_at(state, action.meld)
    if isinstance(meld, Objection):
        return meld
    if not any(one.seat == seat for one in meld.laid):
        return Objection("wild.split", "only who has a card in a meld may split it")
    terms = terms_of(state)
    least = terms.least_set if meld.kind == "set" else terms.least_run
    after = action.after
    if (
        meld.kind not in {"set", "run"}
        or len(meld) < 6
        or not least <= after <= len(meld) - least
    ):
        return Objection(
            "wild.split",
            f"meld {action.meld} cannot be split there: both parts must be melds, and "
            "the whole has six cards or more",
        )
    parts = []
    for low, high in ((0, after), (after, len(meld))):
        slots = meld.slots[low:high]
        start = meld.low + low if meld.kind == "run" else -1
        wrong = limit_of(terms, meld.kind, slots, start)
        if wrong is not None:
            return attrs.evolve(wrong, also=("wild.split",))
        beside = tuple(
            Beside(one.index - low, one.card, one.seat)
            for one in meld.beside
            if low <= one.index < high
        )
        parts.append(built(terms, meld.kind, slots, meld.maker, start, beside))
    return Play(0, action.meld, parts[0], second=parts[1], how="split")


# --------------------------------------------------------------------- doing plays


def place_meld(draft: Draft, number: int, meld: Meld) -> None:
    """
    Put a meld on the table under its number.
    """
    table = draft._table
    if number == 0:
        draft.dealer_wild = meld
    elif number > len(table):
        draft._table = (*table, meld)
    else:
        draft._table = (*table[: number - 1], meld, *table[number:])


def perform(draft: Draft, seat: int, play: Play) -> None:
    """
    Do a planned play: hand, table and duties, nothing else.
    """
    hands = list(draft._hands)
    hands[seat] -= play.used
    if play.gained >= 0:
        hands[seat] += UNIT[play.gained]
    drawn = draft.drawn
    if drawn is not None and drawn.duties:
        draft.drawn = attrs.evolve(
            drawn,
            duties=tuple(
                duty
                for at, duty in enumerate(drawn.duties)
                if not _meets(draft, play, drawn, at)
            ),
        )
    draft._hands = tuple(hands)
    place_meld(draft, play.number, play.after)
    if play.second is not None:
        draft._table = (*draft._table, play.second)
    else:
        draft.laid = True
    if play.is_meld:
        draft._has_meld |= 1 << seat


def _meets(state: AnyState, play: Play, drawn: Drawn, index: int) -> bool:
    return drawn.duties[index].met_by(
        terms_of(state),
        play.used,
        drawn.held,
        meld=play.is_meld and play.how == "meld",
        natural=play.is_natural and play.after.kind == "set",
    )


# -------------------------------------------------------------------- dead ends


def refuse_discard(state: AnyState, seat: int, code: int) -> Objection | None:
    """
    Why a card of the hand may not be discarded, dead ends aside.
    """
    rules = state.match.rules
    drawn = state.drawn
    taken = b""
    if drawn is not None:
        for duty in drawn.duties:
            if duty.how != "play or discard":
                return Objection(duty.question, f"{CARDS[duty.code]} {duty}")
            if duty.code != code:
                return Objection(
                    duty.question,
                    f"{CARDS[duty.code]} {duty}, so it must be the discard",
                )
        if drawn.source == "discards":
            taken = drawn.cards
    hand = state._hands[seat]
    wrong: Objection | None = rules.discard.refuse(code, taken=taken, left=size(hand))
    if wrong is not None:
        return wrong
    if (
        rules.out.last_discard == "unplayable"
        and hand == UNIT[code]
        and is_playable(state, code)
    ):
        reason = (
            f"{CARDS[code]} fits a meld on the table, so it cannot be the last card"
        )
        if state._floating >> seat & 1:
            return Objection("out.floating", reason, ("out.last_discard",))
        return Objection("out.last_discard", reason)
    return None


def surely_ends(state: AnyState, left: int) -> bool:
    """
    A quick look: whether a hand without duties can surely be finished with a discard.
    """
    if left == 0:
        return state.match.rules.out.empty_hand != "refused"
    discard = state.match.rules.discard
    if discard.keep:
        return False
    drawn = state.drawn
    if (
        discard.throw_back == "refused"
        and drawn is not None
        and drawn.source == "discards"
        and len(drawn.cards) == 1
    ):
        left &= ~FIELD[drawn.cards[0]]
        return left != 0 and size(left) > 1
    return size(left) > 1


def can_finish(state: AnyState, seat: int) -> bool:
    """
    Whether the turn can be finished by some plays and a discard, all duties met.
    """
    drawn = state.drawn
    if drawn is not None and any(d.how != "play or discard" for d in drawn.duties):
        return _can_meet(state, seat)
    hand = state._hands[seat]
    owes = drawn is not None and bool(drawn.duties)
    if not owes and surely_ends(state, hand):
        return True
    if any(refuse_discard(state, seat, code) is None for code in faces(hand)):
        return True
    if not hand:
        return state.match.rules.out.empty_hand != "refused"
    return any(
        can_finish(_after(state, seat, play), seat)
        for _, play in _plans(state, seat, -1)
        if play.used
    )


def _after(state: AnyState, seat: int, play: Play) -> Draft:
    draft = thaw(state)
    perform(draft, seat, play)
    return draft


def _can_meet(state: AnyState, seat: int) -> bool:
    """
    Whether the first duty that is owed can be met, and the turn finished then.

    The plays that use the card owed are tried first, then those that may make one
    possible: a first meld of one's own, a trade for a wild, a split.
    """
    drawn = state.drawn
    assert drawn is not None  # noqa: S101 -- for the type checker
    owed = next(duty for duty in drawn.duties if duty.how != "play or discard")
    hand = state._hands[seat]
    if not hand & FIELD[owed.code]:
        return False
    if owed.at_once and len(drawn.duties) == 1 and _plain_set(state, hand, drawn):
        return True
    if len(drawn.duties) == 1 and owed.how == "play":
        plainly = Glance(state, seat).tells(hand, owed.code)
        if plainly is not None:
            return plainly
    for _, play in _plans(state, seat, owed.code):
        after = _after(state, seat, play)
        assert after.drawn is not None  # noqa: S101 -- for the type checker
        if len(after.drawn.duties) < len(drawn.duties) and can_finish(after, seat):
            return True
    if owed.at_once:
        return False
    return any(
        _can_meet(_after(state, seat, play), seat)
        for play in _openings(state, seat, owed.code)
    )


class Glance:
    """
    Quick looks at whether a card owed can be laid and the turn be finished then.

    Made once for a table and a seat, asked for many hands and cards.
    """

    __slots__ = (
        "_first",
        "_laid_on",
        "_loose",
        "_near",
        "_plain",
        "_terms",
        "_unlimited",
    )

    def __init__(self, state: AnyState, seat: int) -> None:
        rules = state.match.rules
        terms = self._terms = terms_of(state)
        has_meld = state._has_meld >> seat & 1
        self._plain = terms.extra is None and not rules.discard.keep
        self._loose = terms.real_card == "swap" or rules.wild.split
        self._unlimited = terms.limit == "none"
        self._first = rules.meld.first_natural and not has_meld
        self._laid_on = self._near = 0
        for _, meld in melds_by_number(state):
            self._near |= _kin(terms, meld)
            self._laid_on |= meld.grows | meld.real
            if meld.takes_wild:
                self._laid_on |= terms.wild_mask
        if terms.real_card == "swap" or (rules.layoff.needs_own_meld and not has_meld):
            self._laid_on = 0

    def tells(self, hand: int, code: int, *, fixed: bool = False) -> bool | None:
        """
        Whether a card owed, by any play, can be laid; None if a glance does not tell.

        Args:
            hand: The hand, the card in it.
            code: The card owed.
            fixed: Whether only a new meld is looked for, since the table will change.
        """
        terms = self._terms
        if not self._plain or not _many(terms, hand):
            return None
        if not fixed and self._laid_on & FIELD[code]:
            return True
        if not self._unlimited or self._first:
            return None
        if terms.wild[code]:
            return wild_in_some_meld(terms, hand) or None
        if in_some_meld(terms, hand, code):
            return True
        if fixed or self._loose or self._near & FIELD[code]:
            return None
        return False


def _kin(terms: Terms, meld: Meld) -> int:
    """
    Mask of the natural cards of a set's rank or a run's suit; all for other melds.
    """
    if meld.kind == "run":
        return _SUIT_MASK << 64 * (meld.slots[0].code >> 4)
    if meld.kind == "set":
        return terms.rank_masks[meld.rank]
    return terms.natural_mask | terms.wild_mask


_SUIT_MASK = (1 << 64) - 1


def _many(terms: Terms, hand: int) -> bool:
    """
    Whether two cards at least are left after a shortest meld.
    """
    return size(hand) >= max(terms.least_set, terms.least_run) + 2


def _plain_set(state: AnyState, hand: int, drawn: Drawn) -> bool:
    """
    A quick look: whether two cards of the hand make a natural set with the one owed.
    """
    terms = terms_of(state)
    if not terms.sets or terms.distinct or terms.least_set > 3:
        return False
    if terms.extra is not None or state.match.rules.discard.keep:
        return False
    if not _many(terms, hand):
        return False
    code = drawn.duties[0].code
    mates = drawn.held & terms.rank_masks[CARDS[code].rank] & terms.natural_mask
    return not terms.wild[code] and size(mates) > 1


def _openings(state: AnyState, seat: int, code: int) -> Iterator[Play]:
    """
    Plays that do not use a card but may make a use for it.
    """
    rules = state.match.rules
    wild = rules.wild
    hand = state._hands[seat]
    spare = hand - UNIT[code]
    loose = wild.real_card == "swap" or wild.split
    if not state._has_meld >> seat & 1 and (
        rules.layoff.needs_own_meld or rules.meld.first_natural
    ):
        opened = thaw(state)
        opened._has_meld |= 1 << seat
        if loose or next(_plans(opened, seat, code), None) is not None:
            for cards, _ in melds_in(terms_of(state), spare):
                play = plan(state, seat, LayDown(cards, seat))
                if isinstance(play, Play):
                    yield play
    if loose:
        trades: list[tuple[PlayAction, int]] = [
            *_swaps(state, seat, -1),
            *_splits(state, seat),
        ]
        for action, _ in trades:
            play = plan(state, seat, action)
            if isinstance(play, Play) and not play.used & FIELD[code]:
                yield play


def refuse_dead_end(state: AnyState, seat: int, play: Play) -> Objection | None:
    """
    Why a planned play would leave no way to finish the turn (RV-03).
    """
    drawn = state.drawn
    if (drawn is None or not drawn.duties) and play.gained < 0 and play.used:
        if surely_ends(state, state._hands[seat] - play.used):
            return None
    after = _after(state, seat, play)
    if can_finish(after, seat):
        return None
    # Discards are taken only where the turn can be finished, so it still can.
    from_stock = drawn is not None and drawn.source == "stock"
    if from_stock and not can_finish(state, seat):
        return None
    return why_stuck(after, seat)


def why_stuck(state: AnyState, seat: int) -> Objection:
    """
    The rule that a player who cannot finish the turn would have to break.
    """
    drawn = state.drawn
    if drawn is not None and drawn.duties:
        duty = drawn.duties[0]
        return Objection(
            duty.question,
            f"{CARDS[duty.code]} {duty}, and then nothing would allow it",
            ("RV-03",),
        )
    hand = state._hands[seat]
    if not hand:
        return Objection(
            "out.empty_hand", "the last card has to be discarded", ("RV-03",)
        )
    for code in faces(hand):
        wrong = refuse_discard(state, seat, code)
        if wrong is not None:
            return Objection(
                wrong.question,
                f"only {show(faces(hand))} would be left, and {wrong.reason}",
                (*wrong.also, "RV-03"),
            )
    return Objection("RV-03", "the turn could not be finished")


# ------------------------------------------------------------------- enumeration


def _swaps(state: AnyState, seat: int, must: int) -> Iterator[tuple[Swap, int]]:
    terms = terms_of(state)
    if terms.real_card != "swap" or _refuse_layoff(state, seat) is not None:
        return
    hand = state._hands[seat]
    for number, meld in melds_by_number(state):
        for code in faces(hand & meld.real):
            if must in {-1, code}:
                yield Swap(CARDS[code], number, seat), UNIT[code]


def _splits(state: AnyState, seat: int) -> Iterator[tuple[Split, int]]:
    if not state.match.rules.wild.split:
        return
    for number, meld in melds_by_number(state):
        for after in range(3, len(meld) - 2):
            yield Split(number, after, seat), 0


def actions_using(
    state: AnyState, seat: int, must: int = -1
) -> Iterator[tuple[PlayAction, int]]:
    """
    The plays that the cards allow, first melds and dead ends not looked at.

    Args:
        state: A state in which the seat may play.
        seat: Who plays.
        must: The code of a card that every play has to use; -1 for none.

    Yields:
        Each play, and the cards that would leave the hand.
    """
    terms = terms_of(state)
    hand = state._hands[seat]
    for cards, used in melds_in(terms, hand, must):
        yield LayDown(cards, seat), used
    for number, meld in _onto(state, seat, must):
        for cards, used, end in layoffs_on(terms, meld, hand, must):
            yield LayOff(cards, number, end, seat), used  # type: ignore[arg-type]
    for put, used in _puts(state, seat):
        if must in {-1, put.card.code}:
            yield put, used
    yield from _swaps(state, seat, must)
    if must < 0:
        yield from _splits(state, seat)


def _onto(state: AnyState, seat: int, must: int) -> Iterator[tuple[int, Meld]]:
    """
    The melds that some card of the hand might go on, by a glance.
    """
    if _refuse_layoff(state, seat) is not None:
        return
    terms = terms_of(state)
    hand = state._hands[seat]
    wilds = hand & terms.wild_mask
    # Where naturals must outnumber wilds, one of each may fit where a wild does not.
    together = terms.limit == "more naturals"
    for number, meld in melds_by_number(state):
        if meld.kind == "wild":
            if meld.maker != seat:
                continue
        elif not hand & (meld.grows | meld.real):
            if not wilds or not (meld.takes_wild or together):
                continue
        elif must >= 0 and not (_kin(terms, meld) | terms.wild_mask) & FIELD[must]:
            continue
        yield number, meld


def _puts(state: AnyState, seat: int) -> Iterator[tuple[PutDown, int]]:
    rules = state.match.rules
    if rules.layoff.single_wilds and state._has_meld >> seat & 1:
        for code in faces(state._hands[seat] & terms_of(state).wild_mask):
            yield PutDown(CARDS[code], seat), UNIT[code]


def _may_take(cards: tuple[Played, ...], code: int) -> bool:
    """
    A quick look: whether a meld of fully declared cards could take a natural one.
    """
    first, second = [one.stands_for or one.card for one in cards[:2]]
    if first.rank == second.rank:
        return first.rank == CARDS[code].rank
    return first.suit == CARDS[code].suit


def _plans(state: AnyState, seat: int, must: int) -> Iterator[tuple[PlayAction, Play]]:
    for action, _ in actions_using(state, seat, must):
        play = plan(state, seat, action)
        if isinstance(play, Play):
            yield action, play


class PlayCheck:
    """
    Whether plays that the cards allow are legal, by short cuts where a glance tells.

    Made once for a state and a seat, asked for many plays.
    """

    __slots__ = (
        "_easy",
        "_first",
        "_glance",
        "_hand",
        "_owed",
        "_seat",
        "_spare",
        "_state",
        "_wild",
    )

    def __init__(self, state: AnyState, seat: int) -> None:
        rules = state.match.rules
        terms = terms_of(state)
        drawn = state.drawn
        hand = state._hands[seat]
        self._state, self._seat, self._hand = state, seat, hand
        self._wild = terms.wild_mask
        self._first = rules.meld.first_natural and not state._has_meld >> seat & 1
        plain = terms.extra is None and not rules.discard.keep
        self._easy = plain and (drawn is None or not drawn.duties)
        # With so many cards left one can be discarded, whatever may not be thrown back.
        self._spare = size(hand) - 1
        if drawn is not None and drawn.source == "discards":
            self._spare -= count(hand, drawn.cards[0])
        self._owed = -1
        self._glance: Glance | None = None
        if plain and not self._first and drawn is not None and len(drawn.duties) == 1:
            (duty,) = drawn.duties
            if duty.how == "play" and len(drawn.cards) > 1:
                self._owed = duty.code
                self._glance = Glance(state, seat)

    def allows(self, action: PlayAction, used: int) -> bool:
        """
        Whether a play is legal.

        Args:
            action: A play that `actions_using` may give.
            used: The cards that leave the hand.
        """
        state, seat = self._state, self._seat
        if isinstance(action, (LayDown, LayOff)):
            if self._easy:
                if self._first and isinstance(action, LayDown) and used & self._wild:
                    return False
                left = self._hand - used
                if len(action.cards) < self._spare or surely_ends(state, left):
                    return True
            elif self._glance is not None:
                plainly = self._for_duty(self._glance, action, used)
                if plainly is not None:
                    return plainly
        play = plan(state, seat, action)
        return isinstance(play, Play) and refuse_dead_end(state, seat, play) is None

    def _for_duty(
        self, glance: Glance, action: LayDown | LayOff, used: int
    ) -> bool | None:
        left = self._hand - used
        if used & FIELD[self._owed]:
            return True if size(left) > 1 else None
        fixed = isinstance(action, LayOff)
        plainly = glance.tells(left, self._owed, fixed=fixed)
        if plainly is False and _may_take(action.cards, self._owed):
            return None
        return plainly


def legal_plays(state: AnyState, seat: int) -> Iterator[PlayAction]:
    """
    Every legal play: melds, lay-offs, single wilds, swaps, splits.
    """
    check = PlayCheck(state, seat)
    for action, used in actions_using(state, seat):
        if check.allows(action, used):
            yield action


def random_play(
    state: AnyState, seat: int, randrange: RandRange
) -> PlayAction | Discard | None:
    """
    A legal play or discard at random, without listing all of them.

    Discards, shapes of melds, and melds to lay off on are drawn from alike. Each legal
    action can come, but for melds and lay-offs with many wilds.

    Returns:
        None if a few draws found none.
    """
    hand = state._hands[seat]
    terms = terms_of(state)
    discards = list(faces(hand))
    shapes = shapes_in(terms, hand)
    rest: list[tuple[PlayAction, int]] = [
        *_puts(state, seat),
        *_swaps(state, seat, -1),
        *_splits(state, seat),
    ]
    onto = list(_onto(state, seat, -1))
    total = len(discards) + len(shapes) + len(rest) + len(onto)
    check = None
    for _ in range(_DRAWS if total else 0):
        at = randrange(total)
        if at < len(discards):
            code = discards[at]
            if refuse_discard(state, seat, code) is None:
                return Discard(CARDS[code], seat)
            continue
        at -= len(discards)
        action: PlayAction | None = None
        used = 0
        if at < len(shapes):
            choice = one_of_shape(terms, shapes[at], hand, randrange)
            if choice is not None:
                action, used = LayDown(choice[0], seat), choice[1]
        elif at < len(shapes) + len(rest):
            action, used = rest[at - len(shapes)]
        else:
            number, meld = onto[at - len(shapes) - len(rest)]
            found = list(itertools.islice(layoffs_on(terms, meld, hand), _LOOKED_AT))
            if found:
                cards, used, end = found[randrange(len(found))]
                action = LayOff(cards, number, end, seat)  # type: ignore[arg-type]
        if action is not None:
            check = check or PlayCheck(state, seat)
            if check.allows(action, used):
                return action
    return None


_DRAWS = 8
_LOOKED_AT = 64


def legal_discards(state: AnyState, seat: int) -> Iterator[int]:
    """
    The codes of the cards that may be discarded.
    """
    hand = state._hands[seat]
    if (
        not state.match.rules.discard.keep
        and (
            state.drawn is None
            or not (state.drawn.duties or state.drawn.source != "stock")
        )
        and size(hand) > 1
    ):
        yield from faces(hand)
        return
    found = False
    for code in faces(hand):
        if refuse_discard(state, seat, code) is None:
            found = True
            yield code
    drawn = state.drawn
    if (
        not found
        and drawn is not None
        and drawn.source == "stock"
        and not can_finish(state, seat)
    ):
        yield from faces(hand)
