"""
What plays of a turn lead to, played as the engine plays them, and what they bring.
"""

from __future__ import annotations

from typing import Final

import attrs

from rummyvariants.cards import lowest, size
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.endings import (
    can_finish,
    refuse_discard,
    refuse_empty_hand,
)
from rummyvariants.game._engine.plays import (
    Play,
    melds_by_number,
    melds_open_to,
    perform,
    plan,
    sets_of,
    terms_of,
)
from rummyvariants.game._round import Drawn, turn_frames
from rummyvariants.game._state import Draft, State, side_of, thaw
from rummyvariants.melds._deadwood import worth_of
from rummyvariants.melds._meld import Beside, Slot, is_low_ace
from rummyvariants.melds.dividing._prices import FIRST
from rummyvariants.policies.base import from_table
from rummyvariants.solver._fours import more_in
from rummyvariants.solver._goals import low_aces
from rummyvariants.solver._situations import Action, Situation, most_melds


_PLAYS_CHANGE: Final = frozenset(
    {"hand", "has_melded", "melds_made", "memory", "sizes", "table", "zones"}
)
"""The facts that plays change."""


@attrs.frozen(eq=False)
class Done:
    """
    Plays that can be made.

    Attributes:
        value: Their value for the goal.
        actions: The plays.
        after: The state after them.
        goes_out: Whether the player goes out with them, or with a discard after them.
    """

    value: int
    actions: tuple[Action, ...]
    after: Draft
    goes_out: bool


class Playing:
    """
    The turn of a seat.

    Args:
        state: The game. A seat that cannot play now gets a turn that begins with a draw
            from the stock.
        seat: The seat.
        goal: The goal.
        layoffs: Whether cards may be laid off on the melds of the table.

    Attributes:
        start: The state in which the seat plays.
        seat: The seat.
        goal: The goal.
        layoffs: Whether cards may be laid off on the melds of the table.
    """

    __slots__ = ("_low_aces", "_points", "_stuck", "goal", "layoffs", "seat", "start")

    def __init__(self, state: State, seat: int, goal: str, *, layoffs: bool) -> None:
        draft = thaw(state)
        if state.phase != "play" or state.turn != seat:
            draft.frames = turn_frames("play", seat)
            draft.drawn = Drawn("stock", b"", draft._hands[seat])
        self.start = draft
        self.seat = seat
        self.goal = goal
        self.layoffs = layoffs
        self._low_aces = low_aces(state.rules, terms_of(state))
        self._points = self._down(draft)
        # A card drawn from the stock may leave no way to finish; play goes on all the
        # same.
        self._stuck = draft.drawn.source == "stock" and not can_finish(draft, seat)

    # ------------------------------------------------------------------- situations

    def situation(self, draft: Draft, hand: int) -> Situation:
        """
        What may still be done, whatever house rules may say about it later.

        Args:
            draft: The state.
            hand: The cards that may be used.
        """
        seat = self.seat
        melds = dict(melds_open_to(draft, seat, melded=True))
        old = len(self.start._table)
        if not self.layoffs:
            melds = {number: one for number, one in melds.items() if number > old}
        has_meld = bool(draft._has_meld >> seat & 1)
        most = self._most_melds(draft)
        return Situation(
            draft.match.rules,
            terms_of(draft),
            hand,
            seat,
            melds,
            len(draft._table) + 1,
            has_meld,
            (self.layoffs or bool(melds)) and self.lays_off(draft, most),
            made=draft.drawn.melds,
            most=most,
            start=melds,
            closed="".join(sets_of(draft, seat)),
        )

    def _most_melds(self, draft: Draft) -> int | None:
        """
        How many new melds may be made in the turn at most; None for any number.
        """
        rules, cards = draft.match.rules, size(draft._hands[self.seat])
        found = most_melds(rules.meld.refuse_another, cards)
        if self._stays(draft, "most_melds"):
            for made in range(draft.drawn.melds, cards if found is None else found):
                if asking.refuse_another(draft, self.seat, made) is not None:
                    return made
        return found

    def lays_off(self, draft: Draft, most: int | None) -> bool:
        """
        Whether cards may be laid off, now or later in the turn, as far as is known.

        Args:
            draft: The state.
            most: How many new melds may be made in the turn; None for any number.
        """
        none_left = most is not None and most <= draft.drawn.melds
        if not self._stays(draft, "may_lay_off", melds=none_left):
            return True
        return asking.refuse_layoff(draft, self.seat) is None

    def _stays(self, draft: Draft, question: str, *, melds: bool = False) -> bool:
        """
        Whether plays cannot change the answer to a question.

        Args:
            draft: The state.
            question: The question.
            melds: Whether no new melds can be made.
        """
        changing = _PLAYS_CHANGE
        if draft._has_meld >> self.seat & 1:
            changing -= {"has_melded"}
        if melds:
            changing -= {"melds_made"}
        reads = asking.read_by(draft.match.rules, question)
        return reads is not None and reads.isdisjoint(changing)

    # -------------------------------------------------------------------------- ends

    @property
    def ends_matter(self) -> bool:
        """
        Whether there are conditions under which a hand is laid down to the last card.
        """
        rules = self.start.match.rules
        asked = not {"may_go_out", "must_go_out"}.isdisjoint(rules.asked)
        return asked or bool(rules.meld.last_ranks)

    @property
    def may_go_out(self) -> bool:
        """
        Whether the seat may go out in this turn, as far as plays do not decide it.
        """
        return not asking.refused_for_good(
            self.start, self.seat, "may_go_out", _PLAYS_CHANGE
        )

    @property
    def may_stay(self) -> bool:
        """
        Whether the seat may end the turn with cards in the hand.
        """
        return asking.must_go_out(self.start, self.seat) is None

    def canastas_needed(self, draft: Draft | None = None) -> int:
        """
        How many more canastas the seat's side needs to go out; by default at the start.
        """
        draft = draft or self.start
        out, side = draft.match.rules.out, side_of(draft, self.seat)
        made = [meld for meld in draft._table if side >> meld.maker & 1]
        lying = sum([len(meld) >= out.canasta for meld in made])
        table = out.canasta_table
        needed = from_table(table, len(draft._hands)) if table else 0
        return max(needed - lying, 0)

    def may_throw_last(self, code: int) -> bool:
        """
        Whether policies let a card be discarded as the last of the hand.
        """
        drawn = self.start.drawn
        taken = drawn._cards if drawn.source == "discards" else b""
        discard = self.start.match.rules.discard
        return discard.refuse(code, taken=taken, left=1) is None

    # ----------------------------------------------------------------------- playing

    def played(self, actions: tuple[Action, ...]) -> Done | None:
        """
        What plays lead to; None if they cannot be made, or the turn cannot be finished.
        """
        draft = self.after(actions)
        return self.done(draft, actions) if draft and self.may_end(draft) else None

    def after(self, actions: tuple[Action, ...]) -> Draft | None:
        """
        The state after plays; None if they cannot be made.
        """
        draft = thaw(self.start)
        for action in actions:
            play = plan(draft, self.seat, action)
            if not isinstance(play, Play):
                return None
            perform(draft, self.seat, play)
        return draft

    def may_end(self, draft: Draft) -> bool:
        """
        Whether no duty is left and the turn can be finished.
        """
        if any(duty.is_binding for duty in draft.drawn.duties):
            return False
        if self._stuck:
            return True
        if asking.must_go_out(draft, self.seat) is not None:
            return self._is_out(draft)
        return can_finish(draft, self.seat)

    def _is_out(self, draft: Draft) -> bool:
        """
        Whether the seat goes out, perhaps with a discard.
        """
        left = draft._hands[self.seat]
        if size(left) == 1:
            return refuse_discard(draft, self.seat, lowest(left)) is None
        by_empty_hand = draft.match.rules.out.by_empty_hand
        return not left and by_empty_hand and not refuse_empty_hand(draft, self.seat)

    def done(self, draft: Draft, actions: tuple[Action, ...]) -> Done:
        """
        A state in which a turn may end after plays.
        """
        left = draft._hands[self.seat]
        value = self.value(self.points(draft), self.start._hands[self.seat], left)
        out = (bool(left) or bool(actions)) and self._is_out(draft)
        return Done(value, actions, draft, out)

    # ------------------------------------------------------------------------- value

    def value(self, points: int, before: int, left: int) -> int:
        """
        The value of plays for the goal.

        Args:
            points: The points that they bring on the table.
            before: The hand before them.
            left: The hand after them.
        """
        terms = terms_of(self.start)
        cards = size(before) - size(left)
        if self.goal == "most points":
            return points * FIRST + cards
        worth = worth_of(terms, before) - worth_of(terms, left)
        if self.goal == "least points left":
            return worth * FIRST + cards
        return cards * FIRST + points

    def points(self, draft: Draft) -> int:
        """
        The points on the table that the seat has made since the start.
        """
        return self._down(draft) - self._points

    def _down(self, draft: Draft) -> int:
        """
        The points of the cards on the table that are the seat's.
        """
        terms = terms_of(draft)
        rules = draft.match.rules
        side = side_of(draft, self.seat)
        total = 0
        for _, meld in melds_by_number(draft):
            if self.goal == "most points":
                total += more_in(rules, terms, meld, self.seat)
                if side >> meld.maker & 1 and 0 < rules.out.canasta <= len(meld):
                    mixed = any(terms.wild[one.code] for one in meld.cards)
                    total += rules.score.canastas[mixed]
            laid: list[tuple[int, Slot | Beside]] = [*enumerate(meld.slots)]
            laid += [(beside.index, beside) for beside in meld.beside]
            for index, one in laid:
                if one.seat != self.seat:
                    continue
                code = one.card.code
                if is_low_ace(terms, meld, index, one.card):
                    total += self._low_aces[code >> 4]
                else:
                    total += terms.worth[code]
        return total
