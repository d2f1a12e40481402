"""
The legal part of the tree of choices: the branches that the verbs offer in a phase.

Each function grows the branch of one verb, given a state and a seat that may act. A
leaf is a legal action with its plan, or with what replaces it (see `LATER`).
"""

from __future__ import annotations

import functools

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, final

from rummyvariants.actions import (
    LayOff,
    NewMeld,
    Take,
    TakeAndLayOff,
    TakeAndMeld,
    discard,
)
from rummyvariants.cards import CODES, FIELD, UNIT, faces, size
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.candidates import PlayEnd
from rummyvariants.game._engine.draws import (
    TakePlan,
    Takes,
    plan_take_on,
    plan_take_with,
    refuse_any,
    refuse_draw,
    refuse_pile,
    takes_to_knock,
    top_number,
)
from rummyvariants.game._engine.endings import (
    discardable,
    discards_of,
    goes_later,
    has_to_throw,
)
from rummyvariants.game._engine.finish import (
    Uses,
    is_released,
    refuse_dead_end,
    surely_ends,
    uses_of,
)
from rummyvariants.game._engine.openings import Together
from rummyvariants.game._engine.plays import (
    AnyState,
    Play,
    PlayAction,
    allowed,
    judges_melds,
    meld_at,
    melds_by_number,
    melds_open_to,
    plan,
    refuse_another,
    refuse_last,
)
from rummyvariants.game._state import Leaf, stock_left
from rummyvariants.melds._choices import (
    Choice,
    for_card,
    for_made,
    for_meld,
    for_number,
    for_verb,
)
from rummyvariants.melds._deadwood import (
    matched,
)
from rummyvariants.melds._looks import melds_with
from rummyvariants.melds._meld import Meld, Played, played
from rummyvariants.melds._tree import Branches, Fork, Known, Node, leaves
from rummyvariants.melds.cover._divisions import Melds
from rummyvariants.melds.shapes._shapes import shapes_of
from rummyvariants.policies import Duty
from rummyvariants.policies.draw import allowed_numbers, mates_in
from rummyvariants.rulings import Objection


Branch = Callable[[AnyState, int], Node]
"""What grows the branch of a verb, given a state and a seat."""


@final
class Verbs(Fork):
    """
    The verb of an action.
    """

    __slots__ = ("_seat", "_state")

    _wide = True

    def __init__(
        self, offers: Sequence[tuple[str, Branch]], state: AnyState, seat: int
    ) -> None:
        self._options = offers
        self._state = state
        self._seat = seat

    def go(self, offered: tuple[str, Branch]) -> Node:
        return offered[1](self._state, self._seat)

    def name(self, offered: tuple[str, Branch]) -> Choice:
        return for_verb(offered[0])


# ------------------------------------------------------------------ putting cards down


@final
class PlayCheck(PlayEnd):
    """
    Whether plays that the cards allow are legal, by shortcuts if they decide.

    Made once for a branch, asked about many plays.
    """

    def __init__(self, state: AnyState, seat: int) -> None:
        self._state, self._seat = state, seat
        self._easy: bool | None = None

    def _look(self) -> None:
        """
        Find which shortcuts there are, once there is something to ask about.
        """
        state, seat = self._state, self._seat
        rules = state.match.rules
        drawn = state.drawn
        hand = self._hand = state._hands[seat]
        judged = state.dealt.terms.extra is not None
        self._judged = judged or "may_lay" in rules.asked
        plain = (
            rules.discardable != 0
            and not judges_melds(state, seat)
            and refuse_last(state, seat) is None
            and refuse_another(state) is None
        )
        self._easy = plain and not drawn.duties
        self._last = rules.meld.last_mask
        self._goes = discardable(state)
        # With so many cards left one can be discarded.
        self._spare = size(hand & self._goes) - max(rules.few, 1)
        self._duty: tuple[Duty, Uses] | None = None
        first = rules.meld.first_natural and not state._has_meld >> seat & 1
        # A player who cannot meet the duty for a card of the stock is released from it.
        tells = plain and not first and drawn.source != "stock"
        if tells and len(drawn.duties) == 1:
            (duty,) = drawn.duties
            if duty.is_binding and not duty.is_natural_set:
                uses = uses_of(state, seat)
                if uses.tells_at_all:
                    self._duty = duty, uses

    def leaf(self, action: PlayAction, used: int, number: int = -1) -> Leaf | None:
        """
        A play as a leaf with its plan, or with its number if none was worked out.

        Returns:
            None if it is not legal.
        """
        if self._easy is None:
            self._look()
        state, seat = self._state, self._seat
        if isinstance(action, (NewMeld, LayOff)):
            plainly: bool | None = None
            if self._easy and not used & self._last:
                few = len(action.cards) < self._spare
                plainly = few or surely_ends(state, self._hand - used, laid=True)
                plainly = plainly or None
            elif self._duty is not None:
                plainly = self._for_duty(*self._duty, action, used, number)
            if plainly and self._judged:
                plainly = self._allowed(action, number)
            if plainly is not None:
                return (action, number) if plainly else None
        play = plan(state, seat, action, number)
        if isinstance(play, Play) and refuse_dead_end(state, seat, play) is None:
            return action, play
        return None

    def sure(self) -> int:
        if self._easy is None:
            self._look()
        easy = self._easy and not (self._judged or self._hand & self._last)
        return self._spare if easy else 0

    def _allowed(self, action: NewMeld | LayOff, number: int) -> bool | None:
        """
        Whether rules let a meld be laid that all else allows; None if unknown.
        """
        state, seat, terms = self._state, self._seat, self._state.dealt.terms
        shapes = shapes_of(terms)
        if isinstance(action, NewMeld):
            after = shapes.meld(number, seat)
        else:
            meld = meld_at(state, action.meld)
            if isinstance(meld, Objection) or meld.kind == "wild":
                return None
            after = shapes.enlarged(meld, number, seat)
        if allowed(terms, after) is None:
            return None
        return asking.refuse_lay(state, seat, after) is None

    def _for_duty(
        self, owed: Duty, uses: Uses, action: NewMeld | LayOff, used: int, number: int
    ) -> bool | None:
        """
        Whether a play leaves a way to meet a duty; None if the shapes do not tell.
        """
        state = self._state
        held = state.drawn.held
        left = self._hand - used
        onto: Meld | None = None
        if isinstance(action, LayOff):
            meld = meld_at(state, action.meld)
            onto = meld if isinstance(meld, Meld) else None
        if used & FIELD[owed.code]:
            if not owed.needs_meld or owed.met_by(
                state.dealt.terms, used, held, meld=onto is None, natural=False
            ):
                return True if len(action.cards) < self._spare else None
        if owed.at_once or not left & FIELD[owed.code]:
            return False
        if onto is not None and onto.kind == "wild":
            return None
        return uses.tells(left, (owed,), held, self._goes, number, onto)


# -------------------------------------------------------------- the ends of a turn


def of_takes(state: AnyState, seat: int) -> Node:
    """
    How many discards are taken.
    """
    takes = Takes(state, seat)
    numbers = takes.numbers()
    return _Takes(numbers, takes, seat) if numbers else None


def of_top(state: AnyState, seat: int) -> Node:
    """
    As `of_takes`, where only the top discard may be taken and brings no duty.
    """
    pile, rules = state._discards, state.match.rules
    goes = state._hands[seat] & goes_later(state, seat)
    if pile and has_to_throw(rules, goes & ~FIELD[pile[-1]]):
        if refuse_any(state, seat, 1) is None and not takes_to_knock(state):
            return _top(seat)
    return of_takes(state, seat)


@functools.cache
def _top(seat: int) -> Node:
    """
    The take of the top discard as a branch; always the same object for the same seat.
    """
    return Branches((1,), partial(_take, seat=seat), for_number, wide=True)


@final
class _Takes(Known):
    """
    How many discards are taken.
    """

    __slots__ = ("_seat", "_takes")

    _wide = True

    def __init__(self, numbers: Sequence[int], takes: Takes, seat: int) -> None:
        self._options = numbers
        self._takes = takes
        self._seat = seat

    def go(self, number: int) -> Leaf | None:
        return _take(number, self._seat) if self._takes.allows(number) else None

    def name(self, number: int) -> Choice:
        return for_number(number)

    def every(self) -> list[Leaf]:
        seat, allows = self._seat, self._takes.allows
        return [_take(one, seat) for one in self._options if allows(one)]


@functools.cache
def _take(number: int, seat: int) -> Leaf:
    """
    A take of so many discards as a leaf; always the same object for the same arguments.
    """
    return Take(number, seat), None


def of_takes_with(state: AnyState, seat: int) -> Node:
    """
    How many discards are taken together with a meld, and with which melds.
    """
    pile, hand, terms = state._discards, state._hands[seat], state.dealt.terms
    if not pile:
        return None
    top = pile[-1]
    if terms.wild[top]:
        hand &= terms.wild_mask
    mates = hand
    if not (terms.runs or terms.kinds or terms.wild[top]):
        mates &= terms.mates[top]
    if refuse_pile(state, seat, mates_in(terms, top, mates)) is not None:
        return None
    named = {}
    allowed: dict[int, bool] = {}
    for cards, used, _ in melds_with(terms, hand + UNIT[top], top):
        number = mates_in(terms, top, used - UNIT[top])
        if number not in allowed:
            allowed[number] = refuse_pile(state, seat, number) is None
        if allowed[number]:
            at = max(at for at, one in enumerate(cards) if one.card.code == top)
            named[cards[:at] + cards[at + 1 :]] = used - UNIT[top]
    return _TakesWith(state, seat, [*named.items()]) if named else None


First = tuple[tuple[Played, ...], int]
"""Cards that are melded with the top discard, and the same as a multiset."""


@final
class _TakesWith(Fork):
    """
    How many discards are taken together with a meld.
    """

    __slots__ = ("_firsts", "_melded", "_seat", "_state")

    _wide = True

    def __init__(self, state: AnyState, seat: int, firsts: list[First]) -> None:
        self._options = _numbers(state)
        self._state = state
        self._seat = seat
        self._firsts = firsts
        melds_top = state.match.rules.draw.melds_top
        self._melded = melds_top and bool(state._has_meld >> seat & 1)

    def go(self, count: int) -> Node:
        firsts = self._firsts
        first = partial(self._with_first, count)
        return Branches(range(len(firsts)), first, self._name_of_first, wide=True)

    def name(self, count: int) -> Choice:
        return _name_of_number(self._state, count)

    def _with_first(self, count: int, number: int) -> Node:
        """
        What is laid together with the meld that the top discard goes into.
        """
        state, seat = self._state, self._seat
        cards, used = self._firsts[number]
        left = state._hands[seat] - used
        laid = partial(self._laid, count)
        together = "opening" in state.match.rules.asked
        if not together or self._melded:
            return laid(((*cards, played(state._discards[-1])),), left)
        # Among the melds the first is whole, as it will lie on the table.
        whole = (*cards, played(state._discards[-1]))
        return Together(state, seat, left, 1, laid).after((whole,), left)

    def _name_of_first(self, number: int) -> Choice:
        return for_made(number + 1, self._firsts[number][0])

    def _laid(self, count: int, melds: Melds, left: int) -> Leaf | None:
        """
        The leaf of all that is laid.
        """
        del left
        state = self._state
        whole = None if count == len(state._discards) else count
        first, *others = melds
        action = TakeAndMeld(whole, (first[:-1], *others), self._seat)
        plan = plan_take_with(state, self._seat, action)
        return (action, plan) if isinstance(plan, TakePlan) else None


def _numbers(state: AnyState) -> Sequence[int]:
    """
    How many discards may be taken where their top card is laid at once.
    """
    draw = state.match.rules.draw
    return allowed_numbers(draw, state._discards, top_number(state))


def _name_of_number(state: AnyState, count: int) -> Choice:
    """
    How many discards are taken, as a choice: the whole pile is "all".
    """
    if count == len(state._discards):
        return Choice("all", "number")
    return for_number(count)


def of_takes_on(state: AnyState, seat: int) -> Node:
    """
    How many discards are taken whose top card is laid on a meld, and on which meld.
    """
    pile = state._discards
    if not pile or refuse_pile(state, seat, 0) is not None:
        return None
    card = FIELD[pile[-1]]
    near = [one for one in melds_by_number(state) if one[1].grows & card]
    melds = [*melds_open_to(state, seat, among=near)]
    if not melds:
        return None
    counts = _numbers(state)
    name = partial(_name_of_number, state)
    return Branches(counts, partial(_takes_on, state, seat, melds), name, wide=True)


def _takes_on(
    state: AnyState, seat: int, melds: Sequence[tuple[int, Meld]], count: int
) -> Node:
    """
    On which meld the top card is laid, so many discards being taken.
    """
    return Branches(melds, partial(_take_on, state, seat, count), for_meld, wide=True)


def _take_on(
    state: AnyState, seat: int, count: int, option: tuple[int, Meld]
) -> Leaf | None:
    """
    The leaf of a take of so many discards whose top card is laid on a meld.
    """
    whole = None if count == len(state._discards) else count
    action = TakeAndLayOff(whole, option[0], seat)
    plan = plan_take_on(state, seat, action)
    return (action, plan) if isinstance(plan, TakePlan) else None


def can_take(state: AnyState, seat: int) -> bool:
    """
    Whether a seat can take the discard pile, its top card melded or laid off.
    """
    grown = (of_takes_on(state, seat), of_takes_with(state, seat))
    return any(next(leaves(one), None) is not None for one in grown)


def asks_takers_alone(state: AnyState) -> bool:
    """
    Whether a player to draw who can take nothing ends the round unasked (RV-54).

    So everybody knows of one who is asked that they can take the discard pile.
    """
    melds_top = state.match.rules.draw.melds_top and stock_left(state) < 1
    return melds_top and refuse_draw(state) is not None


def forced_take(state: AnyState, seat: int) -> Objection | None:
    """
    Why a seat may not pass although the stock is empty.
    """
    if not state.match.rules.stock.forced_take:
        return None
    leaf = next(leaves(of_takes_on(state, seat)), None)
    if leaf is None:
        return None
    take, _ = leaf
    reason = f"the stock is empty and the top card fits meld {take.meld}: take the pile"
    return Objection("stock.forced_take", reason)


def of_discards(state: AnyState, seat: int) -> Node:
    """
    Which card is discarded. Where melds stay in the hand, their cards are one option.
    """
    hand = state._hands[seat]
    allowed = discards_of(state, seat)
    if allowed != hand and (allowed or not is_released(state, seat)):
        hand = allowed
    if state.match.rules.meld.concealed:
        return _Concealed(hand, state, seat)
    return _Discards(faces(hand), 0, discards_by_code(seat))


@final
class _Discards(Known):
    """
    Which card is discarded, the cards of melds left out.
    """

    __slots__ = ("_loose", "_melded", "_thrown")

    _wide = True

    def __init__(
        self, loose: tuple[int, ...], melded: int, thrown: tuple[Leaf, ...]
    ) -> None:
        self._options = (*loose, _MELDED) if melded else loose
        self._loose = loose
        self._melded = melded
        self._thrown = thrown

    def go(self, code: int) -> Node:
        thrown = self._thrown
        if code == _MELDED:
            return Branches(faces(self._melded), thrown.__getitem__, for_card)
        return thrown[code]

    def name(self, code: int) -> Choice:
        return Choice("of a meld", "on") if code == _MELDED else for_card(code)

    def every(self) -> list[Leaf]:
        codes = self._loose
        if self._melded:
            codes += faces(self._melded)
        return [*map(self._thrown.__getitem__, codes)]


@final
class _Concealed(Known):
    """
    The discards of a hand whose melds stay in it, with those from melds as one option.

    A list takes all leaves at once, and need not know which cards are in melds.
    """

    __slots__ = ("_seat", "_state")

    def __init__(self, hand: int, state: AnyState, seat: int) -> None:
        self._options = (hand,)
        self._state = state
        self._seat = seat

    def go(self, hand: int) -> Node:
        state, seat = self._state, self._seat
        melded = hand & matched(state.dealt.terms, state._hands[seat])
        return _Discards(faces(hand - melded), melded, discards_by_code(seat))

    def every(self) -> list[Leaf]:
        thrown = discards_by_code(self._seat)
        return [*map(thrown.__getitem__, faces(self._options[0]))]


_MELDED: Final = -1
"""Stands for the discards that would break a meld of a hand."""


@functools.cache
def discards_by_code(seat: int) -> tuple[Leaf, ...]:
    """
    The discards of a seat as leaves, by the codes of the cards.
    """
    return tuple([(discard(code, seat), None) for code in range(CODES)])
