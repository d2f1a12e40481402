"""
The additional effects of an action, by house rules.

House rules remember actions, send cards somewhere, and lay aside cards that no hand
keeps.
"""

from __future__ import annotations

import attrs

from rummyvariants.cards import FIELD, common, pack
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.asides import lay_aside
from rummyvariants.game._engine.phases import PHASES
from rummyvariants.game._engine.plays import forget_lost
from rummyvariants.game._engine.rounds import end_round
from rummyvariants.game._events import Log
from rummyvariants.game._locations import (
    DISCARDS,
    EVERYBODY,
    HANDS,
    STOCK,
    move,
    zone_of,
)
from rummyvariants.game._round import BETWEEN_ROUNDS, Location
from rummyvariants.game._state import Draft, absent, stock_left
from rummyvariants.game.actions import Action, Draw
from rummyvariants.policies import Move


class Effects:
    """
    The effects of an action: asked for before it is done, performed afterwards.
    """

    def __init__(self, draft: Draft, action: Action, log: Log, *, begins: bool) -> None:
        self._draft, self._action, self._log = draft, action, log
        self._begins = begins
        self._turns = draft.turns
        self._moves: list[Move] = []
        self._memory = draft._memory
        seat = action.seat
        if seat is None:
            return
        if "follows" in draft.match.rules.asked:
            self._moves = asking.followed(draft, seat, action)
        if "remembers" in draft.match.rules.asked:
            self._memory = asking.memory_after(draft, seat, action, draft._memory)
            if not begins:
                draft._memory = self._memory

    def follow(self) -> None:
        """
        Perform what follows the action, now that it is done.
        """
        draft = self._draft
        if self._begins:
            draft._memory = self._memory
        if draft._memory and draft.turns != self._turns:
            rules = draft.match.rules
            draft._memory = asking.memory_kept(rules, draft._memory, "turn")
        for one in self._moves:
            if draft.phase not in BETWEEN_ROUNDS:
                self._move(one)
        aside = "lays_aside" in draft.match.rules.asked
        if aside and draft.phase not in BETWEEN_ROUNDS:
            self._lay_aside()
        forget_lost(draft)
        if PHASES[draft.phase].opens and not draft._discards:
            # Effects of a discard end with the discards.
            draft.frames = draft.frames[:1]
            PHASES[draft.phase].resume(draft, self._log)
        seat = draft.frames[-1].seat
        if not draft._hands[seat]:
            PHASES[draft.phase].emptied(draft, seat, self._log)

    def _move(self, one: Move) -> None:
        draft = self._draft
        source, target = _location(one.source, one.source_seat), _target(one)
        if target.name == "hand" and _has_left(draft, target.seat):
            return
        if source == STOCK:
            cards = pack(draft._stock[: max(0, min(one.number, stock_left(draft)))])
        elif source == DISCARDS:
            cards = pack(draft._discards[-one.number :]) if one.number else 0
        elif source.name == "hand":
            cards = common(draft._hands[source.seat], one.cards.bits)
        else:
            cards = common(pack(zone_of(draft, source)._cards), one.cards.bits)
        if not cards:
            return
        shown = EVERYBODY if one.shown or target == DISCARDS else 0
        move(draft, cards, source, target, shown_to=shown, log=self._log)
        if target.name == "hand":
            draft._floating &= ~(1 << target.seat)
            if draft.drawn.source and target.seat == draft.turn:
                # Counted as held before the draw; otherwise others could infer what
                # came.
                held = draft.drawn.held + cards
                draft.drawn = attrs.evolve(draft.drawn, held=held)
        if source.name == "hand":
            self._lose(source.seat, cards)

    def _lose(self, seat: int, cards: int) -> None:
        """
        Note that cards have left a hand that are not laid or discarded.
        """
        draft = self._draft
        drawn = draft.drawn
        if drawn.source and seat == draft.turn:
            held = drawn.held - common(drawn.held, cards)
            left = pack(drawn._cards)
            left -= common(left, cards - common(drawn.held, cards))
            kept = bytes([code for code in drawn._cards if left & FIELD[code]])
            draft.drawn = attrs.evolve(drawn, cards=kept, held=held)
        if draft._hands[seat] or (seat == draft.turn and draft.phase == "play"):
            return
        if draft.phase not in BETWEEN_ROUNDS and seat not in absent(draft):
            draft._floating |= 1 << seat

    def _lay_aside(self) -> None:
        draft = self._draft
        held = 0
        for hand in draft._hands:
            held |= hand
        aside = asking.laid_aside(draft.match, draft.dealt.dealer)
        if not any(held & faces for _, faces in aside):
            return
        for seat in range(len(draft._hands)):
            held = draft._hands[seat]
            last = lay_aside(draft, seat, self._log)
            if held and not draft._hands[seat]:
                self._lose(seat, 0)
            drew = isinstance(self._action, Draw) and seat == self._action.seat
            if drew and last and draft.match.rules.stock.last_laid_aside:
                end_round(draft, "stock", self._log)
                return


def _location(name: str, seat: int) -> Location:
    if name == "hand":
        return HANDS[seat]
    return Location(name, seat if name not in {"stock", "discards"} else -1)


def _target(one: Move) -> Location:
    return _location(one.target, one.target_seat)


def _has_left(draft: Draft, seat: int) -> bool:
    """
    Whether a seat is out of the round or the match.
    """
    return seat in absent(draft)
