"""
The middle of a turn: what may be laid on the table, and what may be discarded.

A play is planned without being done: what leaves the hand, and how the table looks
afterwards. From the plan the one question behind RV-03 is answered: can the turn still
be finished, with every duty met?
"""

from __future__ import annotations

import itertools

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, cast

import attrs

from rummyvariants._support.values import Value
from rummyvariants._support.words import figure, listed, ranks, times
from rummyvariants.actions import (
    Arrange,
    LayOff,
    NewMeld,
    NewMelds,
    PutWild,
    Split,
    Swap,
)
from rummyvariants.cards import (
    CARDS,
    FIELD,
    UNIT,
    Card,
    count,
    faces,
    holds,
    pack,
    present,
    size,
)
from rummyvariants.game import _asking as asking
from rummyvariants.game._events import Log
from rummyvariants.game._locations import HANDS, TABLE, move
from rummyvariants.game._round import Drawn
from rummyvariants.game._state import (
    Draft,
    State,
    fits_of,
    makers_open_to,
    side_of,
)
from rummyvariants.melds._limits import limit_of_draft
from rummyvariants.melds._meld import (
    Beside,
    Meld,
    Played,
    Slot,
    bits_of,
    built,
)
from rummyvariants.melds._reading import read_layoff, read_meld, trade
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.shapes._shapes import shapes_of
from rummyvariants.policies import Duty
from rummyvariants.policies._duties import swapped
from rummyvariants.policies.deck import refuse_number
from rummyvariants.policies.meld import ONE_BY_ONE
from rummyvariants.rulings import Objection


AnyState = State | Draft
PlayAction = NewMeld | NewMelds | LayOff | PutWild | Swap | Split | Arrange
TO_SPLIT: Final = 6
"""The fewest cards of a meld that may be split."""
LATER: Final = "later"
"""Used in place of a plan: the action is legal, but has not been planned. The number
of a new meld or a lay-off may stand there too: see `plan_legal`."""


@attrs.define(eq=False, repr=False)
class Play(Value):
    """
    What a play would do. Not frozen, since one is made for every play considered.

    Attributes:
        used: The cards that leave the hand, as a multiset.
        number: The number of the meld that is made or changed.
        after: The meld as it would be.
        is_meld: Whether it is a new meld of the player's own.
        is_natural: Whether the new meld holds no wild card.
        gained: The code of a wild that comes to the hand; -1 for none.
        second: The second part of a meld that was split.
        how: The word for it in events.
        then: Further new melds made with it.
        regrouped: The numbers of melds that are regrouped.
        layout: The melds in their place, in the order of their numbers.
    """

    used: int
    number: int
    after: Meld
    is_meld: bool = False
    is_natural: bool = False
    gained: int = -1
    second: Meld | None = None
    how: str = "lay-off"
    then: tuple[Play, ...] = ()
    regrouped: tuple[int, ...] = ()
    layout: tuple[Meld, ...] = ()


def keeps_melds(state: AnyState) -> bool:
    """
    Whether no card may be laid on the table in a turn, but for a knock or declaration.
    """
    rules = state.match.rules
    if not rules.meld.concealed:
        return False
    return not (rules.layoff.last_turns and state.out)


def melds_by_number(state: AnyState) -> Iterator[tuple[int, Meld]]:
    """
    The melds on the table with their numbers, the dealer's wild first.
    """
    if state.dealer_wild is not None:
        yield 0, state.dealer_wild
    yield from enumerate(state._table, 1)


def melds_open_to(
    state: AnyState,
    seat: int,
    *,
    melded: bool = False,
    among: Iterable[tuple[int, Meld]] | None = None,
) -> Iterator[tuple[int, Meld]]:
    """
    The melds on which a seat may lay cards, with their numbers.

    Args:
        state: The state.
        seat: Who would lay cards.
        melded: Whether to assume that the seat has a meld of its own.
        among: Melds with their numbers, if only some of the table are asked about.
    """
    melds = melds_by_number(state) if among is None else iter(among)
    single = fits_of(state).single and not melded
    if single and refuse_first(state, seat, natural=False) is not None:
        # A single wild that is built on would be the first meld.
        melds = (one for one in melds if one[1].kind != "wild")
    if state.match.rules.opens_all_melds:
        return melds
    makers = makers_open_to(state, seat)
    return ((number, meld) for number, meld in melds if makers >> meld.maker & 1)


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
    Whether a card alone fits some meld of the table, whoever may lay it (PG-17).
    """
    fits = fits_of(state)
    return bool((fits.grows | fits.real) & FIELD[code])


# ----------------------------------------------------------------- working plays out


def plan(
    state: AnyState, seat: int, action: PlayAction, number: int = -1
) -> Play | Objection:
    """
    What a play would do, or why it is refused, apart from dead ends.

    Args:
        state: A state in which the seat may play.
        seat: Who plays.
        action: The play.
        number: The number of a new meld or a lay-off, if it is known; then its cards
            need not be read.
    """
    wrong = refuse_last(state, seat)
    if wrong is not None:
        return wrong
    play = _planned(state, seat, action, number)
    drawn = state.drawn
    if isinstance(play, Objection):
        return play
    if "forbids" in state.match.rules.asked:
        wrong = asking.forbidden(state, action, play)
        if wrong is not None:
            return wrong
    if not drawn.duties:
        return play
    duty = next((one for one in drawn.duties if one.at_once), None)
    plays = (play, *play.then)
    if duty is not None and not any(meets(state, one, duty) for one in plays):
        return Objection(
            duty.path,
            f"{CARDS[duty.code]} {duty}, before anything else is done",
            _why_at_once(duty),
        )
    return play


def refuse_last(state: AnyState, seat: int) -> Objection | None:
    """
    Why nothing may follow what a seat has melded as its last meld.
    """
    last = state.match.rules.meld.last_ranks
    if last and any(rank in sets_of(state, seat) for rank in last):
        reason = f"after {listed(map(ranks, last))} only the last discard follows"
        return Objection("meld.last_ranks", reason)
    return None


def judges_melds(state: AnyState, seat: int) -> bool:
    """
    Whether rules judge first melds of a seat that its cards and the table allow.
    """
    rules = state.match.rules
    if rules.settled.vetoes_plays:
        return True
    return "opening" in rules.asked and bool(asking.asked_openings(state, seat))


def plan_legal(
    state: AnyState, seat: int, action: NewMeld | LayOff, number: int
) -> Play:
    """
    What a play does that is known to be legal; nothing is checked.

    Args:
        state: The state in which it was found.
        seat: Who plays.
        action: The play.
        number: Its number.
    """
    shapes = shapes_of(state.dealt.terms)
    used = shapes.play(number).used
    if isinstance(action, NewMeld):
        return _new(state, shapes.meld(number, seat), used)
    meld = cast("Meld", meld_at(state, action.meld))
    if meld.kind == "wild":
        return cast("Play", plan(state, seat, action))
    return _grown(meld, action.meld, shapes.enlarged(meld, number, seat), used)


def _new(state: AnyState, meld: Meld, used: int, at: int = 0) -> Play:
    """
    A new meld of some cards, put down after so many others.
    """
    natural = not used & state.dealt.terms.wild_mask
    number = len(state._table) + 1 + at
    return Play(used, number, meld, is_meld=True, is_natural=natural, how="meld")


def _grown(meld: Meld, number: int, after: Meld, used: int) -> Play:
    """
    A meld on which cards are laid; a single wild becomes a new meld.
    """
    return Play(used, number, after, is_meld=meld.kind == "wild")


def _why_at_once(duty: Duty) -> tuple[str, ...]:
    """
    What makes a duty come first, besides the value that requires it.
    """
    return () if duty.is_natural_set else ("draw.at_once",)


def _planned(
    state: AnyState, seat: int, action: PlayAction, number: int
) -> Play | Objection:
    match action:
        case NewMeld():
            return _meld(state, seat, action.cards, state._hands[seat], number=number)
        case LayOff():
            return plan_layoff(state, seat, action, state._hands[seat], number)
        case PutWild():
            return _put(state, seat, action.card)
        case Swap():
            return _swap(state, seat, action)
        case Split():
            return _split(state, seat, action)
        case NewMelds():
            return plan_melds(state, seat, action.melds, state._hands[seat])
        case Arrange():
            return _arrange(state, seat, action)


def missing(state: AnyState, held: int, used: int) -> Objection | None:
    """
    An objection if a hand does not hold the cards that are named.

    Args:
        state: The state.
        held: The hand as a multiset.
        used: The cards that are named, as a multiset.
    """
    return None if holds(held, used) else not_there(state, held, used, "the hand")


def not_there(state: AnyState, held: int, used: int, where: str) -> Objection:
    """
    The objection that some of the cards named are not where they should be.

    Args:
        state: The state.
        held: The cards that are there, as a multiset.
        used: The cards that are named, some of which are not.
        where: The words for where they should be.
    """
    wrong = not_in_deck(state, used)
    if wrong is not None:
        return wrong
    lacking = [code for code in faces(used) if not holds(held, used & FIELD[code])]
    absent = [str(CARDS[code]) for code in lacking if not held & FIELD[code]]
    if absent:
        verb = "is" if len(absent) == 1 else "are"
        return Objection("RV-07", f"{listed(absent)} {verb} not in {where}")
    first = lacking[0]
    has, named = times(count(held, first)), times(count(used, first))
    return Objection("RV-07", f"{CARDS[first]} is in {where} {has}, not {named}")


def not_in_deck(state: AnyState, used: int) -> Objection | None:
    """
    An objection if the whole deck does not hold the cards that are named.
    """
    deck, terms = state.match.rules.deck, state.dealt.terms
    for code in faces(used):
        wrong = refuse_number(deck, terms, code, count(used, code))
        if wrong is not None:
            return attrs.evolve(wrong, also=("RV-07",))
    return None


def _owing(state: AnyState) -> tuple[str, ...]:
    return tuple(duty.path for duty in state.drawn.duties if duty.at_once)


def plan_melds(
    state: AnyState,
    seat: int,
    melds: tuple[tuple[Played, ...], ...],
    held: int,
    more: int = 0,
) -> Play | Objection:
    """
    Plan new melds of cards from the hand as one play.

    Args:
        state: The state.
        seat: Who lays them.
        melds: The melds.
        held: The cards that they may be made of, as a multiset.
        more: How many further cards the hand gets with the play.
    """
    if len(melds) == 1:
        return _meld(state, seat, melds[0], held, more)
    lacking = missing(state, held, bits_of(itertools.chain(*melds)))
    if lacking is not None:
        return lacking
    plays: list[Play] = []
    for at, cards in enumerate(melds):
        meld = read_meld(state.dealt.terms, cards, seat)
        if isinstance(meld, Objection):
            return attrs.evolve(meld, also=meld.also + _owing(state))
        plays.append(_new(state, meld, bits_of(cards), at))
    laid = tuple([play.after for play in plays])
    if not asking.asked_openings(state, seat):
        return ONE_BY_ONE
    natural = all(play.is_natural for play in plays)
    wrong = refuse_first(state, seat, natural=natural)
    wrong = wrong or refuse_another(state, len(melds) - 1)
    used = sum([play.used for play in plays])
    wrong = wrong or refuse_sets(state, seat, laid, size(held - used) + more)
    wrong = wrong or asking.refuse_lay(state, seat, *laid)
    wrong = wrong or asking.refuse_opening(state, seat, laid, used)
    return wrong or attrs.evolve(plays[0], then=tuple(plays[1:]))


def _meld(
    state: AnyState,
    seat: int,
    cards: tuple[Played, ...],
    held: int,
    more: int = 0,
    number: int = -1,
) -> Play | Objection:
    used = bits_of(cards)
    lacking = missing(state, held, used)
    if lacking is not None:
        return lacking
    play = plan_meld(state, seat, cards, used, number)
    if isinstance(play, Objection):
        return play
    left = size(held - used) + more
    wrong = refuse_sets(state, seat, (play.after,), left) or refuse_another(state)
    return wrong or play


WILD_RANK: Final = "*"
"""The rank of a meld of wild cards alone, of which a side may have one."""


def rank_of(meld: Meld) -> str:
    """
    The rank by which a side has a meld once; empty for melds of no rank.
    """
    return WILD_RANK if meld.kind == "wilds" else meld.rank


def is_closed(terms: Terms, meld: Meld) -> bool:
    """
    Whether a meld has as many cards as it may have.
    """
    return len(meld) >= terms.most_cards(meld.kind)


def sets_of(state: AnyState, seat: int) -> dict[str, int]:
    """
    By rank, the number of the first meld of a seat's side that is not closed.
    """
    known = fits_of(state).known
    makers, terms = side_of(state, seat), state.dealt.terms
    found: dict[str, int] | None = known.get(("sets", makers))
    if found is None:
        found = known["sets", makers] = {}
        for number, meld in enumerate(state._table, 1):
            rank = rank_of(meld)
            if rank and makers >> meld.maker & 1 and not is_closed(terms, meld):
                found.setdefault(rank, number)
    return found


def set_of_rank(state: AnyState, seat: int, rank: str) -> int:
    """
    The number of the meld of a rank to which a seat's side may add; 0 for none.
    """
    return sets_of(state, seat).get(rank, 0)


def open_shapes(state: AnyState, seat: int, hand: int, shapes: list[str]) -> list[str]:
    """
    The shapes of new melds without the sets that `refuse_sets` certainly refuses.
    """
    rules = state.match.rules.meld
    if not rules.limits_sets:
        return shapes
    terms = state.dealt.terms
    masks = terms.rank_masks
    laid = sets_of(state, seat) if rules.one_of_a_rank else {}
    named = {"wilds": WILD_RANK, **{shape: shape for shape in shapes if shape in masks}}
    return [
        shape
        for shape in shapes
        if shape not in named
        or not (
            named[shape] in laid
            or (
                shape in rules.last_ranks
                and size(hand & ~cards_for_set(terms, shape)) > 1
            )
        )
    ]


def cards_for_set(terms: Terms, rank: str) -> int:
    """
    Mask of the cards of which a set of a rank may be made.
    """
    wild = 0 if rank in terms.natural_ranks else terms.wild_mask
    return terms.rank_masks[rank] | wild


def refuse_sets(
    state: AnyState, seat: int, melds: tuple[Meld, ...], left: int
) -> Objection | None:
    """
    Why new sets are refused that leave so many cards in the hand.
    """
    rules = state.match.rules.meld
    if not rules.limits_sets:
        return None
    laid: set[str] = set()
    for meld in melds:
        rank = rank_of(meld)
        if not rank:
            continue
        if rules.one_of_a_rank:
            what = f"set of {ranks(rank)}"
            if rank == WILD_RANK:
                what = "meld of wild cards"
            there = set_of_rank(state, seat, rank)
            if there:
                reason = f"the side has a {what}: lay cards on meld {there}"
                return Objection("meld.one_of_a_rank", reason)
            if rank in laid:
                still = " at a time" if rules.closes else ""
                reason = f"a side has one {what}{still}: lay the cards as one meld"
                return Objection("meld.one_of_a_rank", reason)
            laid.add(rank)
        if rank in rules.last_ranks and left > 1:
            reason = (
                f"{ranks(rank)} are melded only as the last meld of a hand, and "
                f"{figure(left, 'card')} would be left"
            )
            return Objection("meld.last_ranks", reason)
    return None


def refuse_another(state: AnyState, more: int = 0) -> Objection | None:
    """
    Why no new meld may be made in the turn, or none after so many more.
    """
    rules = state.match.rules
    if not rules.counts_melds:
        return None
    made = state.drawn.melds + more
    wrong: Objection | None = rules.meld.refuse_another(made)
    return wrong or asking.refusal(state, state.frames[0].seat, "most_melds", made)


def plan_meld(
    state: AnyState, seat: int, cards: tuple[Played, ...], used: int, number: int = -1
) -> Play | Objection:
    """
    Plan a new meld, wherever its cards come from.
    """
    terms = state.dealt.terms
    known = None if number < 0 else shapes_of(terms).meld(number, seat)
    meld = allowed(terms, known) or read_meld(terms, cards, seat)
    if isinstance(meld, Objection):
        return attrs.evolve(meld, also=meld.also + _owing(state))
    play = _new(state, meld, used)
    wrong = refuse_first(state, seat, natural=play.is_natural)
    if wrong is None and not state.match.rules.settled.plays_by_values:
        wrong = asking.refuse_lay(state, seat, meld)
        wrong = wrong or asking.refuse_opening(state, seat, (meld,), used)
    return wrong or play


def allowed(terms: Terms, known: Meld | None) -> Meld | None:
    """
    A meld that follows from the number of a play, unless its cards have to be read.

    If house rules refuse it, they may be read as another one.
    """
    if known is None or (terms.extra is not None and terms.extra(known) is not None):
        return None
    return known


def refuse_first(state: AnyState, seat: int, *, natural: bool) -> Objection | None:
    """
    Why a seat may not make a meld, put down or built on a wild, as its first.
    """
    wrong: Objection | None = state.match.rules.meld.refuse_first(
        has_meld=bool(state._has_meld >> seat & 1), natural=natural
    )
    return wrong


def refuse_layoff(state: AnyState, seat: int) -> Objection | None:
    """
    Why a seat may not lay off at all.
    """
    rules = state.match.rules
    if rules.settled.lays_off:
        return None
    wrong: Objection | None = rules.layoff.refuse(
        has_meld=bool(state._has_meld >> seat & 1)
    )
    return wrong or asking.refusal(state, seat, "may_lay_off")


def refuse_onto(state: AnyState, seat: int, meld: Meld) -> Objection | None:
    """
    Why a seat may put no card on a meld.
    """
    if state.match.rules.opens_all_melds:
        return None
    own = bool(side_of(state, seat) >> meld.maker & 1)
    wrong: Objection | None = state.match.rules.layoff.refuse_onto(own=own)
    return wrong or asking.refusal(state, seat, "lays_off_on", meld.maker)


def plan_joined(
    state: AnyState,
    seat: int,
    melds: tuple[tuple[Played, ...], ...],
    held: int,
    number: int,
) -> Play | Objection:
    """
    Plan a meld whose cards join one on the table.

    Args:
        state: The state.
        seat: Who lays it.
        melds: The meld, which others must not follow.
        held: The cards that it may be made of, as a multiset.
        number: The number of the meld that it joins.
    """
    alone = read_meld(state.dealt.terms, melds[0], seat)
    if isinstance(alone, Objection):
        return alone
    if len(melds) > 1:
        return ONE_BY_ONE
    return plan_layoff(state, seat, LayOff(melds[0], number, seat=seat), held)


def plan_layoff(
    state: AnyState, seat: int, action: LayOff, held: int, number: int = -1
) -> Play | Objection:
    """
    Plan a lay-off of cards, of those held as a multiset.
    """
    used = bits_of(action.cards)
    lacking = missing(state, held, used)
    if lacking is not None:
        return lacking
    meld = meld_at(state, action.meld)
    if isinstance(meld, Objection):
        return meld
    wrong = refuse_layoff(state, seat) or refuse_onto(state, seat, meld)
    terms = state.dealt.terms
    known = None
    if number >= 0 and meld.kind != "wild":
        known = shapes_of(terms).enlarged(meld, number, seat)
    after = allowed(terms, known) or read_layoff(
        terms, meld, action.cards, seat, action.end
    )
    if wrong is not None:
        also = (after.path,) if isinstance(after, Objection) else ()
        if isinstance(after, Meld) and len(after.beside) > len(meld.beside):
            also = ("wild.real_card",)
        return attrs.evolve(wrong, also=also + _owing(state))
    if isinstance(after, Objection):
        return attrs.evolve(after, also=after.also + _owing(state))
    if meld.kind == "wild":
        wrong = refuse_first(state, seat, natural=False) or refuse_another(state)
        wrong = wrong or asking.refuse_opening(state, seat, (after,), used)
    if wrong is None and not state.match.rules.settled.plays_by_values:
        wrong = asking.refuse_lay(state, seat, after)
    return wrong or _grown(meld, action.meld, after, used)


def _put(state: AnyState, seat: int, card: Card) -> Play | Objection:
    lacking = missing(state, state._hands[seat], UNIT[card.code])
    if lacking is not None:
        return lacking
    terms = state.dealt.terms
    wrong = state.match.rules.layoff.refuse_single(
        has_meld=bool(state._has_meld >> seat & 1), wild=terms.wild[card.code]
    )
    if wrong is not None:
        return wrong
    meld = built(terms, "wild", (Slot(card, None, seat),), seat)
    return Play(UNIT[card.code], len(state._table) + 1, meld, how="put")


def _swap(state: AnyState, seat: int, action: Swap) -> Play | Objection:
    terms = state.dealt.terms
    if not terms.swaps:
        return Objection(
            "wild.real_card", "melded wild cards are not traded in this game"
        )
    code = action.card.code
    more = tuple([one.code for one in action.more or ()])
    used = pack([code, *more])
    lacking = missing(state, state._hands[seat], used)
    if lacking is not None:
        return lacking
    meld = meld_at(state, action.meld)
    if isinstance(meld, Objection):
        return meld
    wrong = refuse_layoff(state, seat) or refuse_onto(state, seat, meld)
    if wrong is not None:
        return attrs.evolve(wrong, also=("wild.real_card",))
    locked = action.meld == 0
    traded = trade(terms, meld, code, seat, action.end, more=more, locked=locked)
    if isinstance(traded, Objection):
        return traded
    after, index = traded
    wrong = asking.refuse_lay(state, seat, after)
    if wrong is not None:
        return wrong
    gained = -1 if terms.moves_swapped else meld.slots[index].card.code
    return Play(used, action.meld, after, gained=gained, how="swap")


def _split(state: AnyState, seat: int, action: Split) -> Play | Objection:
    if not state.match.rules.wild.split:
        return Objection("wild.split", "melds are not split in this game")
    meld = meld_at(state, action.meld)
    if isinstance(meld, Objection):
        return meld
    if not any(one.seat == seat for one in meld.laid):
        return Objection(
            "wild.split", "only a player with a card in a meld may split it"
        )
    terms = state.dealt.terms
    least = terms.least_set if meld.kind == "set" else terms.least_run
    after = action.after
    if (
        meld.kind not in {"set", "run"}
        or len(meld) < TO_SPLIT
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
        if 0 < sum(slot.twice for slot in slots) < 4:
            # Four cards that are split are no longer a meld of four (RV-40).
            slots = tuple(attrs.evolve(slot, twice=False) for slot in slots)
        start = meld.low + low if meld.kind == "run" else -1
        beside = tuple(
            Beside(one.index - low, one.card, one.seat)
            for one in meld.beside
            if low <= one.index < high
        )
        draft = Meld(meld.kind, slots, meld.maker, start, beside)
        wrong = limit_of_draft(terms, draft)
        if wrong is not None:
            return attrs.evolve(wrong, also=("wild.split",))
        parts.append(built(terms, meld.kind, slots, meld.maker, start, beside))
    return Play(0, action.meld, parts[0], second=parts[1], how="split")


def melds_to_regroup(state: AnyState, seat: int) -> list[tuple[int, Meld]]:
    """
    The melds that a seat may regroup, with their numbers.

    Single wilds, and melds with cards beside their wilds, stay as they are.
    """
    rules = state.match.rules.layoff
    if not rules.rearranges or refuse_layoff(state, seat) is not None:
        return []
    makers = side_of(state, seat)
    return [
        (number, meld)
        for number, meld in enumerate(state._table, 1)
        if makers >> meld.maker & 1 and meld.kind != "wild" and not meld.beside
    ]


def _arrange(state: AnyState, seat: int, action: Arrange) -> Play | Objection:
    path = "layoff.rearranging"
    if not state.match.rules.layoff.rearranges:
        return Objection(path, "melds on the table are not regrouped in this game")
    wrong = refuse_layoff(state, seat)
    if wrong is not None:
        return wrong
    old = melds_to_regroup(state, seat)
    lying = pack([slot.card.code for _, meld in old for slot in meld.slots])
    if not lying:
        return Objection(path, "there is no meld that the player may regroup")
    laid = bits_of(itertools.chain(*action.melds))
    lacking = [
        str(CARDS[code])
        for code in faces(lying)
        if count(laid, code) < count(lying, code)
    ]
    if lacking:
        verb = "stays" if len(lacking) == 1 else "stay"
        reason = f"{listed(lacking)} {verb} on the table: name every meld of one's own"
        return Objection(path, reason)
    used = laid - lying
    wrong = missing(state, state._hands[seat], used)
    if wrong is not None:
        return wrong
    if not used:
        return Objection(path, "a card of the hand has to join the melds")
    melds = []
    for cards in action.melds:
        meld = read_meld(state.dealt.terms, cards, seat)
        if isinstance(meld, Objection):
            return attrs.evolve(meld, also=(*meld.also, path))
        if not present(bits_of(cards)) & present(lying):
            reason = f"{meld} has no card of the table: it is melded by itself"
            return Objection(path, reason)
        melds.append(meld)
    if _keeps_each([meld for _, meld in old], melds):
        reason = "each meld stays together: lay the cards off"
        return Objection(path, reason)
    layout = _with_seats([meld for _, meld in old], melds)
    known = {meld for _, meld in old}
    wrong = asking.refuse_lay(state, seat, *[one for one in layout if one not in known])
    if wrong is not None:
        return wrong
    numbers = tuple([number for number, _ in old])
    return Play(
        used, numbers[0], layout[0], how="arrange", regrouped=numbers, layout=layout
    )


def _keeps_each(old: list[Meld], new: list[Meld]) -> bool:
    """
    Whether melds only grow: there are as many, and each lies whole in one of them.
    """
    if len(old) != len(new):
        return False
    places = [Counter(map(str, meld.slots)) for meld in new]
    return all(
        any(Counter(map(str, meld.slots)) <= one for one in places) for meld in old
    )


def _with_seats(old: list[Meld], new: list[Meld]) -> tuple[Meld, ...]:
    """
    New melds in which each card has the seat that laid it.
    """
    seats: dict[int, list[int]] = {}
    for meld in old:
        for slot in meld.slots:
            seats.setdefault(slot.card.code, []).append(slot.seat)
    found = []
    for meld in new:
        slots = []
        for slot in meld.slots:
            before = seats.get(slot.card.code)
            seat = before.pop(0) if before else slot.seat
            slots.append(attrs.evolve(slot, seat=seat))
        found.append(attrs.evolve(meld, slots=tuple(slots)))
    return tuple(found)


# --------------------------------------------------------------------- doing plays


def place_meld(draft: Draft, seat: int, play: Play, log: Log = None) -> None:
    """
    Put the meld of a play on the table under its number.
    """
    table, number, meld = draft._table, play.number, play.after
    if log is not None:
        before = dict(melds_by_number(draft)).get(number)
        if play.layout:
            log.arrange(seat, table, play.regrouped, play.layout)
        elif play.second is None:
            log.lay(seat, number, before, meld)
        elif before is not None:
            log.split(number, before, len(meld), len(table) + 1)
    if play.layout:
        draft._table = _regrouped(table, play)
    elif number == 0:
        draft.dealer_wild = meld
    elif number > len(table):
        if len(meld) == 4 and draft.match.rules.score.doubles_fours:
            twice = tuple(attrs.evolve(slot, twice=True) for slot in meld.slots)
            meld = attrs.evolve(meld, slots=twice)
        draft._table = (*table, meld)
    else:
        draft._table = (*table[: number - 1], meld, *table[number:])


def _regrouped(table: tuple[Meld, ...], play: Play) -> tuple[Meld, ...]:
    """
    A table with a layout in place of the melds that are regrouped.

    The new melds take their numbers in turn. Further ones come last, and where there
    are fewer, the others move up.
    """
    places = dict(itertools.zip_longest(play.regrouped, play.layout))
    more = play.layout[len(play.regrouped) :]
    kept = [places.get(number, meld) for number, meld in enumerate(table, 1)]
    return (*filter(None, kept), *more)


def perform(draft: Draft, seat: int, play: Play, log: Log = None) -> None:
    """
    Do a planned play: hand, table and duties, nothing else.
    """
    drawn = draft.drawn
    if drawn.duties:
        drawn = draft.drawn = _owing_still(drawn, unmet(draft, play))
    rules = draft.match.rules
    if drawn.source and play.is_meld and rules.counts_melds:
        draft.drawn = attrs.evolve(drawn, melds=drawn.melds + 1)
    move(draft, play.used, HANDS[seat], TABLE)
    if play.gained >= 0:
        move(draft, UNIT[play.gained], TABLE, HANDS[seat])
        if rules.wild.uses_swapped:
            duties = (*draft.drawn.duties, swapped(play.gained))
            draft.drawn = attrs.evolve(draft.drawn, duties=duties)
    place_meld(draft, seat, play, log)
    if play.second is not None:
        draft._table = (*draft._table, play.second)
    else:
        draft.laid = True
        draft.fresh = True
    if play.is_meld:
        draft._has_meld |= side_of(draft, seat)
    for one in play.then:
        perform(draft, seat, one, log)


def forget_lost(draft: Draft) -> None:
    """
    Forget duties for cards that are no longer in the hand: they cannot be met.
    """
    drawn = draft.drawn
    if drawn.duties:
        hand = draft._hands[draft.turn]
        left = [one for one in drawn.duties if hand & FIELD[one.code]]
        draft.drawn = _owing_still(drawn, left)


def _owing_still(drawn: Drawn, duties: list[Duty]) -> Drawn:
    """
    What was drawn with the duties that are left.
    """
    if len(duties) == len(drawn.duties):
        return drawn
    return Drawn(drawn.source, drawn._cards, drawn.held, tuple(duties), drawn.melds)


def unmet(state: AnyState, play: Play) -> list[Duty]:
    """
    The duties that are left after a play.

    Of equal duties, such as those of two wilds traded for, each takes its own card.
    """
    left: list[Duty] = []
    met: list[Duty] = []
    for one in state.drawn.duties:
        cards = size(play.used & FIELD[one.code])
        known = one in met
        if meets(state, play, one) and (not known or met.count(one) < cards):
            met.append(one)
        else:
            left.append(one)
    return left


def meets(state: AnyState, play: Play, duty: Duty) -> bool:
    return duty.met_by(
        state.dealt.terms,
        play.used,
        state.drawn.held,
        meld=play.is_meld and play.how == "meld",
        natural=play.is_natural and play.after.kind == "set",
    )
