"""
The start of a turn: a draw from the stock, or a take whose duties can be met.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from rummyvariants._support.values import Value
from rummyvariants._support.words import figure, number
from rummyvariants.actions import LayOff, TakeAndLayOff, TakeAndMeld
from rummyvariants.cards import CARDS, FIELD, UNIT, pack, size
from rummyvariants.game import _asking as asking
from rummyvariants.game._chance import Chance
from rummyvariants.game._engine.asides import take_aside
from rummyvariants.game._engine.endings import goes_later, has_to_throw
from rummyvariants.game._engine.finish import Uses, can_finish, uses_of, why_stuck
from rummyvariants.game._engine.plays import (
    WILD_RANK,
    AnyState,
    Play,
    is_playable,
    perform,
    plan_joined,
    plan_layoff,
    plan_melds,
    refuse_layoff,
    set_of_rank,
)
from rummyvariants.game._events import Log
from rummyvariants.game._locations import DISCARDS, HANDS, move, recycle
from rummyvariants.game._round import Drawn, turn_frames
from rummyvariants.game._state import (
    Draft,
    stock_left,
    thaw,
    upcard_offered,
)
from rummyvariants.melds._meld import bits_of, played
from rummyvariants.policies import Duty
from rummyvariants.policies.draw import (
    blocks,
    freezes,
    mates_in,
    refuse_take_number,
)
from rummyvariants.rulings import Objection


def top_number(state: AnyState) -> int:
    """
    The number that the top discard would name as an upcard; 0 for none.
    """
    pile = state._discards
    return state.dealt.terms.number[pile[-1]] if pile else 0


def refuse_draw(state: AnyState) -> Objection | None:
    """
    Why no card can be drawn from the stock, even by turning the discard pile over.
    """
    if stock_left(state) > 0:
        return None
    if state._stock:
        dead = state.match.rules.stock.dead
        left = figure(len(state._stock), "card")
        last = "its last one is" if dead == 1 else f"its last {number(dead)} are"
        return Objection(
            "stock.dead",
            f"the stock holds {left}, and {last} not drawn",
            ("stock.when_empty", "RV-07"),
        )
    wrong: Objection | None = state.match.rules.stock.refuse_turning(
        len(state._discards), state.turned, fresh=state.fresh
    )
    return wrong


def turn_over(draft: Draft, log: Log = None) -> int:
    """
    Turn the discard pile over as the new stock; nothing is checked.

    Args:
        draft: The state in the making.
        log: Where the cards that move are noted, if anywhere.

    Returns:
        How many cards are turned over.
    """
    rules = draft.match.rules.stock
    pile = draft._discards
    turned = rules.to_turn(len(pile))
    cards = pile[:turned]
    if rules.shuffles:
        # It depends only on the deal, so a record leads to the same order everywhere.
        chance = Chance("turned over", draft._shuffle, draft.turned)
        cards = bytes(chance.shuffled(cards))
    recycle(draft, cards, log)
    draft.turned += 1
    draft.fresh = False
    return turned


_MANY: Final = 3
"""With so many discards, it pays to find first which might be used at all."""


class Takes:
    """
    The numbers of discards that may be taken; what all have in common is asked once.

    Made once for a state and a seat, asked about many numbers.
    """

    def __init__(self, state: AnyState, seat: int) -> None:
        rules = state.match.rules
        self._state, self._seat, self._pile = state, seat, state._discards
        self._first = upcard_offered(state)
        self._asks: bool | None = None
        # The duties of one card and of several, where only the deepest decides.
        self._alone: tuple[tuple[Duty, ...], ...] = ()
        self._several: tuple[tuple[Duty, ...], ...] = ()
        if rules.settled.owes_by_values and not self._first:
            self._alone = rules.draw.duties_alone
            self._several = rules.draw.duties_of_several
        # What may be discarded; a card taken alone may be an exception.
        self._goes = 0 if takes_to_knock(state) else goes_later(state, seat)
        self._uses: Uses | None = None
        # The cards that might be used if the whole pile were taken.
        self._reach = -1
        # By number, the hand after so many were taken, as far as it was needed.
        self._hands = [state._hands[seat]]

    def numbers(self) -> Sequence[int]:
        """
        The numbers that may be legal, without regard to duties.
        """
        state, seat = self._state, self._seat
        rules, pile = state.match.rules, state._discards
        most = rules.draw.most_alike
        if most:
            return range(1, min(most, len(pile)) + 1)
        found: Sequence[int] = rules.draw.counts(
            state.dealt.terms, state._hands[seat], pile, top_number(state)
        )
        return found

    def allows(self, count: int) -> bool:
        """
        Whether one of these numbers is legal: the turn can be finished after it.
        """
        state = self._state
        if self._asks is None:
            # Otherwise what the policy counts is allowed, apart from duties.
            asks = state.match.rules.settled.asks_number
            self._asks = asks or refuse_any(state, self._seat, 1) is not None
        if self._asks and self._refuse_number(count) is not None:
            return False
        pile, goes = self._pile, self._goes
        known = self._several if count > 1 else self._alone
        duties = known[pile[-count]] if known else self._duties(count)
        if duties:
            uses = self._uses
            if uses is None:
                uses = self._uses = uses_of(state, self._seat)
                if len(pile) >= _MANY:
                    self._reach = uses.reach(self._hands[0], pile)
            owed = duties[0]
            if not FIELD[owed.code] & self._reach and owed.is_binding:
                return False
            if count == 1:
                goes &= ~FIELD[pile[-1]]
            hands, most = self._hands, min(count, len(pile))
            while len(hands) <= most:
                hands.append(hands[-1] + UNIT[pile[-len(hands)]])
            plainly = uses.tells(hands[most], duties, hands[0], goes)
            if plainly is not None:
                return plainly
        elif has_to_throw(state.match.rules, self._hands[0] & goes & ~FIELD[pile[-1]]):
            return True
        return can_finish(self._after(count), self._seat)

    def refuse(self, count: int) -> Objection | None:
        """
        Why so many discards may not be taken.
        """
        state, seat = self._state, self._seat
        wrong = self._refuse_number(count)
        if wrong is not None:
            return wrong
        if self.allows(count):
            return None
        duties = self._after(count).drawn.duties
        if not duties:
            return why_stuck(self._after(count), seat)
        also: tuple[str, ...] = ("RV-03",)
        wrong = refuse_layoff(state, seat)
        if wrong is not None:
            also = (wrong.path, "RV-03")
        duty = self._unmet(count, duties)
        if not state.match.rules.opens_all_melds and is_playable(state, duty.code):
            also = ("layoff.onto", *also)
        return Objection(
            duty.path,
            f"{CARDS[duty.code]} {duty}, which is not possible",
            also,
        )

    def _refuse_number(self, count: int) -> Objection | None:
        """
        Why it may not be this number, apart from duties.
        """
        state, seat = self._state, self._seat
        wrong = refuse_any(state, seat, count)
        if wrong is not None:
            return wrong
        rules = state.match.rules
        if rules.draw.melds_top and state._discards:
            wrong = refuse_pile(state, seat, 0)
            if wrong is not None:
                return attrs.evolve(wrong, also=(*wrong.also, "draw.top_card"))
        wrong = rules.draw.refuse_take(
            state.dealt.terms,
            state._hands[seat],
            state._discards,
            count,
            top_number(state),
        )
        if wrong is None:
            wrong = asking.refusal(state, seat, "takes", count)
        return wrong

    def _duties(self, count: int) -> tuple[Duty, ...]:
        """
        The duties that so many discards bring.
        """
        rules = self._state.match.rules
        if "owes" in rules.asked:
            return self._after(count).drawn.duties
        taken = self._pile[-count:]
        found: tuple[Duty, ...] = rules.draw.duties(taken, first=self._first)
        return found

    def _after(self, count: int) -> Draft:
        """
        The state after so many were taken.
        """
        after = thaw(self._state)
        take(after, self._seat, count)
        return after

    def _unmet(self, count: int, duties: tuple[Duty, ...]) -> Duty:
        """
        The first duty that cannot be met together with those before.
        """
        if len(duties) == 1:
            return duties[0]
        after = self._after(count)
        for at, duty in enumerate(duties[:-1], 1):
            after.drawn = attrs.evolve(after.drawn, duties=duties[:at])
            if not can_finish(after, self._seat):
                return duty
        return duties[-1]


@attrs.frozen(eq=False, repr=False)
class TakePlan(Value):
    """
    What a take together with a meld would do.

    Attributes:
        count: How many cards are taken.
        play: The melds, the top card in the first.
    """

    count: int
    play: Play


def plan_take_with(
    state: AnyState, seat: int, action: TakeAndMeld
) -> TakePlan | Objection:
    """
    What a take together with a meld would do, or why it is refused.

    The melds are planned on the hand and the top card alone.
    """
    pile, hand, terms = state._discards, state._hands[seat], state.dealt.terms
    count = len(pile) if action.count is None else action.count
    wrong = _refuse_count(state, seat, count)
    if wrong is None:
        mates = mates_in(terms, pile[-1], bits_of(action.melds[0]))
        wrong = refuse_pile(state, seat, mates)
    if wrong is not None:
        return wrong
    first = (*action.melds[0], played(pile[-1]))
    held = hand + UNIT[pile[-1]]
    joined = 0
    if state.match.rules.meld.one_of_a_rank:
        wild = terms.wild[pile[-1]]
        rank = WILD_RANK if wild else CARDS[pile[-1]].rank
        joined = set_of_rank(state, seat, rank)
    if joined:
        play = plan_joined(state, seat, (first, *action.melds[1:]), held, joined)
    else:
        melds = (first, *action.melds[1:])
        play = plan_melds(state, seat, melds, held, count - 1)
    if isinstance(play, Objection):
        return play
    if joined and _closes(state, play):
        return _NOT_ON_CANASTAS
    return _taken(state, seat, TakePlan(count, play))


def plan_take_on(
    state: AnyState, seat: int, action: TakeAndLayOff
) -> TakePlan | Objection:
    """
    What a take would do whose top card is laid on a meld, or why it is refused.
    """
    pile = state._discards
    count = len(pile) if action.count is None else action.count
    wrong = _refuse_count(state, seat, count) or refuse_pile(state, seat, 0)
    if wrong is not None:
        return wrong
    layoff = LayOff((played(pile[-1]),), action.meld, seat=seat)
    play = plan_layoff(state, seat, layoff, UNIT[pile[-1]])
    if isinstance(play, Objection):
        return play
    if _closes(state, play):
        return _NOT_ON_CANASTAS
    return _taken(state, seat, TakePlan(count, play))


def _closes(state: AnyState, play: Play) -> bool:
    """
    Whether the meld that a top card joins is closed to it, as a canasta may be.
    """
    rules = state.match.rules
    before = len(state._table[play.number - 1])
    return not rules.draw.onto_canasta and before >= rules.out.canasta > 0


_NOT_ON_CANASTAS: Final = Objection(
    "draw.onto_canasta", "the top card of the discard pile is not laid on a canasta"
)


def _taken(state: AnyState, seat: int, plan: TakePlan) -> TakePlan | Objection:
    """
    A plan of a take, unless rules refuse it, or the turn could not be finished.
    """
    count, meld = plan.count, plan.play.after
    wrong = asking.refuse_take_with(state, seat, count, meld)
    if wrong is not None:
        return wrong
    after = thaw(state)
    take(after, seat, plan.count, play=plan.play)
    return plan if can_finish(after, seat) else why_stuck(after, seat)


def _refuse_count(state: AnyState, seat: int, count: int) -> Objection | None:
    """
    Why so many discards may not be taken, whatever the top card goes into.
    """
    pile = state._discards
    wrong = refuse_any(state, seat, count) if pile else _NO_PILE
    if wrong is not None:
        return wrong
    return refuse_take_number(state.match.rules.draw, pile, count, top_number(state))


def refuse_pile(state: AnyState, seat: int, mates: int) -> Objection | None:
    """
    Why the pile may not be taken with so many natural cards of the top card's rank.
    """
    draw, terms, pile = state.match.rules.draw, state.dealt.terms, state._discards
    if not draw.melds_top:
        return None
    aside = asking.never_held(state)
    held = size(state._hands[seat])
    wrong: Objection | None = blocks(draw, terms, pile, held, aside)
    melded = bool(state._has_meld >> seat & 1)
    frozen: Objection | None = freezes(draw, terms, pile, mates, aside, melded=melded)
    return wrong or frozen


_NO_PILE: Final = Objection("RV-07", "the discard pile is empty")


def refuse_any(state: AnyState, seat: int, count: int) -> Objection | None:
    """
    Why no discards may be taken now, or not so few.
    """
    if state._floating >> seat & 1 and state.match.rules.out.floats_on_stock:
        return Objection(
            "out.floating",
            "a floating player draws from the stock, not the discard pile",
        )
    if count < 1:
        return Objection("RV-07", "a take needs at least one card")
    if state.phase == "draw" and upcard_offered(state):
        return Objection(
            "draw.first_upcard",
            "nobody wanted the first upcard, so the first draw is from the stock",
        )
    return None


def takes_to_knock(state: AnyState) -> bool:
    """
    Whether the discard is taken only to knock with it.
    """
    return state.match.rules.stock.last_is_to_knock and stock_left(state) < 1


def take(
    draft: Draft, seat: int, count: int, log: Log = None, play: Play | None = None
) -> None:
    """
    Take discards into the hand, with their duties; nothing is checked.

    Args:
        draft: The state in the making.
        seat: Who takes them.
        count: How many.
        log: Where what happened is noted, if anywhere.
        play: What is laid with the top card before the others join the hand, if
            anything is.
    """
    cards = draft._discards[-count:]
    duties = draft.match.rules.draw.duties(cards, first=upcard_offered(draft))
    kept = take_aside(draft, seat, cards, log)
    draft.drawn = Drawn("discards", kept or cards, draft._hands[seat], duties)
    add_duties(draft, seat)
    if play is not None:
        move(draft, UNIT[kept[-1]], DISCARDS, HANDS[seat], log=log)
        perform(draft, seat, play, log)
        kept = kept[:-1]
    if kept:
        move(draft, pack(kept), DISCARDS, HANDS[seat], log=log)
    draft.frames = turn_frames("play", seat)


def add_duties(draft: Draft, seat: int) -> None:
    """
    Add the duties of house rules to those of a draw.
    """
    if "owes" in draft.match.rules.asked:
        drawn = draft.drawn
        duties = (*drawn.duties, *asking.owed(draft, seat))
        draft.drawn = attrs.evolve(drawn, duties=duties)
