"""
The tree of plays that a hand and a table offer, without regard to dead ends.

Each function grows the branch of one kind of play. It is given a state, the seat that
plays, a mask of cards of which one must be used, and an object that makes leaves of
plays and the cards that would leave the hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, final

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
    common,
    faces,
    holds,
    lowest,
    pack,
    present,
)
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.openings import Bound, Together
from rummyvariants.game._engine.plays import (
    TO_SPLIT,
    AnyState,
    Play,
    PlayAction,
    keeps_melds,
    melds_by_number,
    melds_open_to,
    melds_to_regroup,
    open_shapes,
    plan,
    refuse_another,
    refuse_first,
    refuse_layoff,
)
from rummyvariants.game._state import fits_of
from rummyvariants.melds._choices import (
    Choice,
    for_card,
    for_end,
    for_made,
    for_meld,
    for_number,
)
from rummyvariants.melds._looks import melds_in, melds_with
from rummyvariants.melds._meld import Meld, bits_of, ends_of, traded_with
from rummyvariants.melds._tables import Terms
from rummyvariants.melds._tree import Branches, Fork, Node, leaves
from rummyvariants.melds.cover._divisions import Melds
from rummyvariants.melds.shapes._filling import ANY_NUMBER
from rummyvariants.melds.shapes._shapes import Filled, Shapes, shapes_of
from rummyvariants.melds.shapes._track import Side
from rummyvariants.melds.shapes._walk import by_shape, grown


class PlayEnd:
    """
    What makes a leaf of a play.
    """

    __slots__ = ()

    def leaf(self, action: PlayAction, used: int, number: int = -1) -> Node:
        """
        The plainest leaf; subclasses do more with the play.

        Args:
            action: The play.
            used: The cards that would leave the hand.
            number: The number of a new meld or a lay-off (see `_numbers`).
        """
        del used, number
        return action

    def sure(self) -> int:
        """
        Plays of fewer cards than this are leaves for sure; 0 if that is not known.
        """
        return ANY_NUMBER


Grow = Callable[[AnyState, int, int, PlayEnd], Node]
"""A function that grows a branch."""


def to_meld(state: AnyState, seat: int, need: int, end: PlayEnd) -> Node:
    """
    New melds of the hand, without those that may not be the first.
    """
    openings = asking.asked_openings(state, seat)
    if any(len(groups) > 1 for *_, groups in openings):
        return None
    terms = state.dealt.terms
    bits = state._hands[seat]
    if bits & terms.wild_mask and refuse_first(state, seat, natural=False) is not None:
        bits &= ~terms.wild_mask
    shapes = shapes_of(terms)
    lots = shapes.new(bits, need)
    if not lots:
        return None
    named = open_shapes(state, seat, state._hands[seat], shapes.named(lots))
    if not named or refuse_another(state) is not None:
        return None
    if openings:
        allows = Bound(state, openings).allows
        named = [one for one in named if allows((), bits, [one], once=True)]
    enough = _asked_at_once(state)
    if enough is not None:
        lots = shapes.kept(lots, enough)
    lots = shapes.of_names(lots, named)
    if not lots:
        return None
    return by_shape(shapes, lots, partial(_laid_down, shapes, seat, end), end.sure())


def _laid_down(shapes: Shapes, seat: int, end: PlayEnd, number: int) -> Node:
    """
    The leaf of a new meld.
    """
    play = shapes.play(number)
    return end.leaf(NewMeld(play.cards, seat), play.used, number)


def _asked_at_once(state: AnyState) -> Callable[[int], bool] | None:
    """
    A test whether a new meld holds the naturals that the most urgent duty requires.
    """
    drawn = state.drawn
    for owed in drawn.duties:
        if owed.at_once:
            held = drawn.held
            joins = partial(owed.joins, state.dealt.terms, held=held)
            return joins if owed.joins_naturals else None
    return None


def to_go_down(state: AnyState, seat: int, need: int, end: PlayEnd) -> Node:
    """
    Several new melds of the hand that are laid as one action.
    """
    rules = state.match.rules
    if "opening" not in rules.asked or refuse_another(state, 1) is not None:
        return None
    if not asking.asked_openings(state, seat):
        return None  # only first melds are laid together
    hand = state._hands[seat]
    laid = partial(_gone_down, seat, hand, need, end)
    return Together(state, seat, hand, 2, laid).after((), hand)


def _gone_down(
    seat: int, hand: int, need: int, end: PlayEnd, melds: Melds, left: int
) -> Node:
    """
    The leaf of melds laid together and the cards that are left.
    """
    if need and not hand - left & need:
        return None
    return end.leaf(NewMelds(melds, seat), hand - left)


def to_lay(state: AnyState, seat: int, need: int, end: PlayEnd) -> Node:
    """
    On which meld cards are laid, of those that a card seems to fit, and then which.
    """
    terms = state.dealt.terms
    hand = state._hands[seat]
    wilds = hand & terms.wild_mask
    fits = fits_of(state, seat)
    if not wilds and not fits.single and not hand & (fits.grows | fits.real):
        return None
    if _asked_at_once(state) is not None:
        return None  # a new meld has to come first
    if refuse_layoff(state, seat) is not None:
        return None
    # Where naturals let wilds in, one of each may fit where a wild does not.
    together = terms.rising
    kin = 0 if need & terms.wild_mask else need
    near = []
    for one in melds_by_number(state):
        meld = one[1]
        if hand & (meld.grows | meld.real):
            if not kin or meld.kin & kin:
                near.append(one)
        elif meld.kind == "wild":
            if meld.maker == seat:
                near.append(one)
        elif wilds and (meld.takes_wild or together):
            near.append(one)
    if not near:
        return None
    melds = [*melds_open_to(state, seat, among=near)]
    return _OnMeld(melds, terms, seat, hand, need, end) if melds else None


@final
class _OnMeld(Fork):
    """
    Which meld is laid on.
    """

    __slots__ = ("_end", "_hand", "_need", "_seat", "_terms")

    _wide = True

    def __init__(
        self,
        melds: list[tuple[int, Meld]],
        terms: Terms,
        seat: int,
        hand: int,
        need: int,
        end: PlayEnd,
    ) -> None:
        self._options = melds
        self._terms = terms
        self._seat = seat
        self._hand = hand
        self._need = need
        self._end = end

    def go(self, option: tuple[int, Meld]) -> Node:
        onto, meld = option
        shapes = shapes_of(self._terms)
        lots = shapes.longer(meld, self._hand, self._need)
        leaf = partial(_laid_off, shapes, onto, self._seat, self._end)
        return grown(shapes, lots, leaf, self._end.sure() if lots else 0)

    def name(self, option: tuple[int, Meld]) -> Choice:
        return for_meld(option)


def _laid_off(shapes: Shapes, onto: int, seat: int, end: PlayEnd, number: int) -> Node:
    """
    The leaf of what is laid off on a meld.
    """
    play = shapes.play(number)
    return end.leaf(LayOff(play.cards, onto, play.side, seat), play.used, number)


def to_put(state: AnyState, seat: int, need: int, end: PlayEnd) -> Node:
    """
    Which wild is put down.
    """
    wilds = state._hands[seat] & state.dealt.terms.wild_mask & (need or -1)
    has_meld = bool(state._has_meld >> seat & 1)
    single = state.match.rules.layoff
    if not wilds or single.refuse_single(has_meld=has_meld, wild=True) is not None:
        return None
    put = partial(_put, seat, end)
    return Branches(faces(wilds), put, for_card, wide=True)


def _put(seat: int, end: PlayEnd, code: int) -> Node:
    """
    The leaf of a wild that is put down.
    """
    return end.leaf(PutWild(CARDS[code], seat), UNIT[code])


def to_swap(state: AnyState, seat: int, need: int, end: PlayEnd) -> Node:
    """
    Which card is traded for a wild, and in which meld.
    """
    if not state.dealt.terms.swaps or refuse_layoff(state, seat) is not None:
        return None
    hand = state._hands[seat]
    melds = list(melds_open_to(state, seat))
    real = faces(hand & fits_of(state, seat).real & (need or -1))
    of_card = partial(_swaps_of, state.dealt.terms, seat, hand, melds, need, end)
    return Branches(real, of_card, for_card, wide=True)


def _swaps_of(
    terms: Terms,
    seat: int,
    hand: int,
    melds: list[tuple[int, Meld]],
    need: int,
    end: PlayEnd,
    code: int,
) -> Node:
    """
    In which meld a card is traded.
    """
    near = [one for one in melds if one[1].real & FIELD[code]]
    if terms.swaps_together:
        allowed = need or -1
        near = [
            (number, meld)
            for number, meld in near
            for more in [traded_with(terms, meld, code)]
            # Of cards that are traded together, the lowest is chosen.
            if holds(hand, pack(more))
            and code == min([one for one in (code, *more) if FIELD[one] & allowed])
        ]
    of_meld = partial(_move if terms.moves_swapped else _swap, terms, seat, code, end)
    return Branches(near, of_meld, for_meld, wide=True)


def _swap(
    terms: Terms, seat: int, code: int, end: PlayEnd, option: tuple[int, Meld]
) -> Node:
    """
    The leaf of a card that is traded, alone or with others.
    """
    number, meld = option
    codes = traded_with(terms, meld, code)
    more = tuple([CARDS[one] for one in codes]) or None
    return end.leaf(Swap(CARDS[code], number, seat, more=more), pack([code, *codes]))


def _move(
    terms: Terms, seat: int, code: int, end: PlayEnd, option: tuple[int, Meld]
) -> Node:
    """
    To which end of its run the wild moves that a card is traded for.
    """
    number, meld = option
    ends = [*ends_of(terms, meld).items()]
    to_end = partial(_moved, number, seat, code, end)
    return Branches(ends, to_end, for_end, wide=True)


def _moved(
    number: int, seat: int, code: int, end: PlayEnd, option: tuple[Side, int]
) -> Node:
    """
    The leaf of a card that is traded for a wild that moves.
    """
    return end.leaf(Swap(CARDS[code], number, seat, option[0]), UNIT[code])


def to_split(state: AnyState, seat: int, need: int, end: PlayEnd) -> Node:
    """
    Which meld is split, and after how many cards.
    """
    if need or not state.match.rules.wild.split:
        return None
    melds = [one for one in melds_by_number(state) if len(one[1]) >= TO_SPLIT]
    return Branches(melds, partial(_splits_of, seat, end), for_meld, wide=True)


def _splits_of(seat: int, end: PlayEnd, option: tuple[int, Meld]) -> Node:
    """
    After how many cards a meld is split.
    """
    number, meld = option
    split = partial(_split, seat, number, end)
    return Branches(range(3, len(meld) - 2), split, for_number, wide=True)


def _split(seat: int, number: int, end: PlayEnd, after: int) -> Node:
    """
    The leaf of a meld that is split.
    """
    return end.leaf(Split(number, after, seat), 0)


def to_arrange(state: AnyState, seat: int, need: int, end: PlayEnd) -> Node:
    """
    The layouts into which melds may be regrouped, one meld after the other.
    """
    melds = melds_to_regroup(state, seat)
    hand = state._hands[seat]
    if not melds or not hand:
        return None
    lying = pack([slot.card.code for _, meld in melds for slot in meld.slots])
    return _Layouts(state.dealt.terms, seat, lying, hand, end, need).after(
        (), lying, hand
    )


Key = tuple[int, str]
"""What orders melds."""


@final
class _Layouts:
    """
    The divisions into melds of all cards of some melds and some of a hand.

    Each has a card that lies on the table; the next one takes the lowest that is left.

    Args:
        terms: The terms of the deal.
        seat: Who regroups the melds.
        lying: The cards of these melds.
        hand: The hand.
        end: What makes leaves.
        need: A mask of cards one of which must leave the hand; 0 for any.
    """

    def __init__(
        self, terms: Terms, seat: int, lying: int, hand: int, end: PlayEnd, need: int
    ) -> None:
        self._terms = terms
        self._seat = seat
        self._hand = hand
        self._end = end
        self._need = need or -1
        self._lying = sum([FIELD[code] for code in faces(lying)])
        # Of two cards that are alike, either may be the one that lies on the table.
        self._twins = lying != present(lying) or bool(hand & self._lying)

    def after(
        self,
        made: Melds,
        lying: int,
        hand: int,
        least: tuple[tuple[int, Key], ...] = (),
    ) -> Node:
        """
        What may follow melds that are chosen.

        Args:
            made: The melds.
            lying: The cards of the table that are left.
            hand: The cards of the hand that are left.
            least: Masks of cards, each with the least meld that may still have one, so
                that no layout comes in two orders.
        """
        terms, mask = self._terms, self._lying
        options: list[Filled | None] = []
        if lying:
            code = lowest(lying & terms.natural_mask or lying)
            options += melds_with(terms, lying + hand, code)
            mask = FIELD[code]
        else:
            if (self._hand - hand) & self._need:
                options.append(None)
            if hand & mask:
                options += [one for one in melds_in(terms, hand) if one.used & mask]
        if least:
            options = [one for one in options if one is None or _is_late(one, least)]

        def go(one: Filled | None) -> Node:
            if one is None:
                action = Arrange(made, self._seat)
                return self._end.leaf(action, self._hand - hand)
            taken = common(one.used, lying)
            more = ((mask, _key(one)),) if self._twins else ()
            return self.after(
                (*made, one.cards), lying - taken, hand - one.used + taken, least + more
            )

        return Branches(options, go, _for_layout, wide=True).node() if options else None


def _for_layout(one: Filled | None) -> Choice:
    """
    The choice of one more meld of a layout, or of no more.
    """
    return for_made(0, ()) if one is None else for_made(1, one.cards)


def _key(one: Filled) -> Key:
    return one.used, " ".join(map(str, one.cards))


def _is_late(one: Filled, least: tuple[tuple[int, Key], ...]) -> bool:
    """
    Whether a meld may follow others: it has no card for which an earlier one is due.
    """
    return all(_key(one) >= key for mask, key in least if one.used & mask)


def unplanned(grow: Grow, state: AnyState, seat: int) -> Iterator[Any]:
    """
    The plays of a branch, whether or not the rules refuse them.
    """
    return leaves(grow(state, seat, 0, PlayEnd()))


def longer_runs(state: AnyState, seat: int, code: int) -> Iterator[Play]:
    """
    Lay-offs after which a run may be split next to a card in it.

    Then another card of its face fits the end of a part.
    """
    short = {
        number
        for number, meld in melds_open_to(state, seat)
        if meld.kind == "run"
        and len(meld) < TO_SPLIT
        and any(slot.code == code for slot in meld.slots)
    }
    for action in unplanned(to_lay, state, seat) if short else ():
        if action.meld in short and not bits_of(action.cards) & FIELD[code]:
            play = plan(state, seat, action)
            if isinstance(play, Play):
                yield play


Ends = dict[tuple[object, ...], bool | None]
"""By hand, table, dealer's wild and draw, whether the turn can be finished there; None
if a search of its own does not settle it."""


class Tried:
    """
    What a search for the end of a turn has looked at.

    Args:
        state: A state of the turn.
        ends: What other searches of the turn have found.

    Attributes:
        ends: What it knows. A search that may stop early must not know more than the
            one before it, and so begins with nothing.
    """

    __slots__ = ("_left", "ends")

    def __init__(self, state: AnyState, ends: Ends) -> None:
        # Where the values decide, every search ends by itself.
        whole = state.match.rules.settled.plays_by_values
        self.ends: Ends = ends if whole else {}
        self._left = -1 if whole else _LOOKS

    def count(self) -> None:
        """
        Count a play that is looked at.

        Raises:
            SpentError: If it is one too many.
        """
        self._left -= 1
        if not self._left:
            raise SpentError


class SpentError(Exception):
    """
    A search has looked at as many plays as it may without an answer.
    """


_LOOKS: Final = 2_000
PLAYS: Final = (to_meld, to_lay, to_put, to_swap, to_split, to_go_down, to_arrange)
NEW_MELDS: Final = (to_meld, to_go_down)
"""The branches of plays that make new melds."""


def plans(
    state: AnyState,
    seat: int,
    must: int,
    tried: Tried | None = None,
    branches: tuple[Grow, ...] = PLAYS,
) -> Iterator[tuple[PlayAction, Play]]:
    """
    The plays that are not refused, apart from dead ends, with their plans.

    Args:
        state: The state.
        seat: Who plays.
        must: The code of a card that each has to use; -1 for none.
        tried: The search that looks at them.
        branches: What grows them.

    Raises:
        SpentError: If the search has looked at as many plays as it may.
    """
    if state.match.rules.meld.concealed:
        if keeps_melds(state):
            return
        branches = (to_lay,)
    need = 0 if must < 0 else FIELD[must]
    end = _Planned(state, seat, tried)
    for grow in branches:
        yield from leaves(grow(state, seat, need, end))


@final
class _Planned(PlayEnd):
    """
    Leaves of plays that are not refused, with their plans.
    """

    __slots__ = ("_seat", "_state", "_tried")

    def __init__(self, state: AnyState, seat: int, tried: Tried | None) -> None:
        self._state = state
        self._seat = seat
        self._tried = tried

    def leaf(self, action: PlayAction, used: int, number: int = -1) -> Node:
        del used
        if self._tried is not None:
            self._tried.count()
        play = plan(self._state, self._seat, action, number)
        return (action, play) if isinstance(play, Play) else None

    def sure(self) -> int:
        return 0
