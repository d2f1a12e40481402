"""
What plays of a turn lead to, played as the engine plays them, and what they bring.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, get_args

import attrs

from rummyvariants.actions import LayOff, NewMeld, NewMelds, PutWild, Swap
from rummyvariants.cards import count, lowest, size
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.endings import refuse_discard, refuse_empty_hand
from rummyvariants.game._engine.finish import can_finish
from rummyvariants.game._engine.plays import (
    Play,
    melds_by_number,
    melds_open_to,
    perform,
    plan,
    refuse_layoff,
)
from rummyvariants.game._round import Drawn, turn_frames
from rummyvariants.game._state import Draft, State, side_of, thaw
from rummyvariants.melds._deadwood import worth_of
from rummyvariants.melds._meld import Beside, Meld, Slot, is_low_ace
from rummyvariants.melds.cover._prices import FIRST
from rummyvariants.policies.out import canastas_to_go_out
from rummyvariants.solver._fours import more_in
from rummyvariants.solver._goals import low_aces


TurnPlay = NewMeld | NewMelds | LayOff | PutWild | Swap
"""A play."""
TURN_PLAYS: Final = get_args(TurnPlay)
"""The kinds of plays."""
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
    actions: tuple[TurnPlay, ...]
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
        ends: Whether the turn must be finished.

    Attributes:
        start: The state in which the seat plays.
        seat: The seat.
        goal: The goal.
        layoffs: Whether cards may be laid off on the melds of the table.
    """

    def __init__(
        self,
        state: State,
        seat: int,
        goal: str,
        *,
        layoffs: bool = True,
        ends: bool = True,
    ) -> None:
        draft = thaw(state)
        if state.phase != "play" or state.turn != seat:
            draft.frames = turn_frames("play", seat)
            draft.drawn = Drawn("stock", b"", draft._hands[seat])
        self.start = draft
        self.seat = seat
        self.goal = goal
        self.layoffs = layoffs
        self._ends = ends
        self._low_aces = low_aces(state.dealt.terms, state.rules)
        self._points = self._down(draft)
        # A card drawn from the stock may leave no way to finish; play goes on all the
        # same.
        from_stock = ends and draft.drawn.source == "stock"
        self._stuck = from_stock and not can_finish(draft, seat)

    # ---------------------------------------------------------------- what is possible

    def owed(self, draft: Draft) -> Counter[int] | None:
        """
        How many cards must still be played, by their codes.

        Returns:
            None if some of them are no longer in the hand.
        """
        binding = [duty.code for duty in draft.drawn.duties if duty.is_binding]
        owed, hand = Counter(binding), draft._hands[self.seat]
        lost = any(count(hand, code) < number for code, number in owed.items())
        return None if lost else owed

    def open_to(self, draft: Draft) -> dict[int, Meld]:
        """
        The melds to which the seat may add cards, by number, as far as is known.

        Args:
            draft: The state.
        """
        if not self.lays_off(draft):
            return {}
        melds = dict(melds_open_to(draft, self.seat))
        return {number: one for number, one in melds.items() if self.may_use(number)}

    def may_use(self, number: int) -> bool:
        """
        Whether cards may be laid on a meld, by its number, as far as it was asked for.
        """
        return self.layoffs or number > len(self.start._table)

    def makes_melds(self, draft: Draft) -> bool:
        """
        Whether one more new meld may be made in the turn, as far as is known.
        """
        rules, made = draft.match.rules, draft.drawn.melds
        if not rules.counts_melds:
            return True
        if rules.meld.refuse_another(made) is not None:
            return False
        if not self._stays(draft, "most_melds"):
            return True
        return asking.refusal(draft, self.seat, "most_melds", made) is None

    def as_if_melded(self, draft: Draft) -> Draft:
        """
        The state as if the seat had made new melds, whatever they are.

        If it has none before, they are its first melds.
        """
        after, openings = thaw(draft), asking.asked_openings(draft, self.seat)
        made = max([len(groups) for *_, groups in openings], default=0) or 1
        after._has_meld |= side_of(draft, self.seat)
        after.drawn = attrs.evolve(draft.drawn, melds=draft.drawn.melds + made)
        return after

    def lays_off(self, draft: Draft) -> bool:
        """
        Whether cards may be laid off, now or later in the turn, as far as is known.
        """
        settled = not self.makes_melds(draft)
        if not self._stays(draft, "may_lay_off", melds=settled):
            return True
        return refuse_layoff(draft, self.seat) is None

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
        reads = draft.match.rules.reads.get(question, frozenset())
        return reads is not None and reads.isdisjoint(changing)

    # -------------------------------------------------------------------------- ends

    @property
    def ends_matter(self) -> bool:
        """
        Whether there are conditions under which a hand is laid down to the last card.
        """
        rules = self.start.match.rules
        asked = not {"may_go_out", "must_go_out"}.isdisjoint(rules.asked)
        hand, masks = self.start._hands[self.seat], self.start.dealt.terms.rank_masks
        return asked or any(hand & masks[rank] for rank in rules.meld.last_ranks)

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
        return asking.refusal(self.start, self.seat, "must_go_out") is None

    def canastas_needed(self, draft: Draft) -> int:
        """
        How many more canastas the seat's side needs to go out.
        """
        out, side = draft.match.rules.out, side_of(draft, self.seat)
        made = [meld for meld in draft._table if side >> meld.maker & 1]
        lying = sum([len(meld) >= out.canasta for meld in made])
        return max(canastas_to_go_out(out, len(draft._hands)) - lying, 0)

    def may_throw_last(self, code: int) -> bool:
        """
        Whether policies let a card be discarded as the last of the hand.
        """
        drawn = self.start.drawn
        taken = drawn._cards if drawn.source == "discards" else b""
        discard = self.start.match.rules.discard
        return discard.refuse(code, taken=taken, left=1) is None

    # ----------------------------------------------------------------------- playing

    def after(self, actions: Iterable[TurnPlay], start: Draft) -> Draft | None:
        """
        The state after plays; None if they cannot be made.

        Args:
            actions: The plays.
            start: The state before them.
        """
        draft = thaw(start)
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
        if self._stuck or not self._ends:
            return True
        if asking.refusal(draft, self.seat, "must_go_out") is not None:
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

    def done(self, draft: Draft, actions: tuple[TurnPlay, ...]) -> Done:
        """
        A state in which a turn may end after plays.
        """
        left = draft._hands[self.seat]
        out = (bool(left) or bool(actions)) and self._is_out(draft)
        return Done(self.value(draft), actions, draft, out)

    # ------------------------------------------------------------------------- value

    def value(self, draft: Draft) -> int:
        """
        The value for the goal of the plays that led to a state.
        """
        terms, seat = draft.dealt.terms, self.seat
        before, left = self.start._hands[seat], draft._hands[seat]
        cards = size(before) - size(left)
        if self.goal == "most points":
            return self.points(draft) * FIRST + cards
        if self.goal == "least points left":
            return (worth_of(terms, before) - worth_of(terms, left)) * FIRST + cards
        return cards * FIRST + self.points(draft)

    def points(self, draft: Draft) -> int:
        """
        The points on the table that the seat has made since the start.
        """
        return self._down(draft) - self._points

    def _down(self, draft: Draft) -> int:
        """
        The points of the cards on the table that are the seat's.
        """
        terms = draft.dealt.terms
        rules = draft.match.rules
        side = side_of(draft, self.seat)
        total = 0
        for _, meld in melds_by_number(draft):
            if self.goal == "most points":
                total += more_in(rules, terms, meld, self.seat)
                if side >> meld.maker & 1 and 0 < rules.out.canasta <= len(meld):
                    kind = 2 if meld.kind == "wilds" else 0
                    kind = kind or any(terms.wild[one.code] for one in meld.cards)
                    total += rules.score.canastas[kind]
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
