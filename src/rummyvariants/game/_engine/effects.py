"""
What house rules do to a game: the effects of their answers, performed.

Rules hear the events of an action as they happen. What they remember and the points
that they award count at once; other effects follow when the action is done.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import attrs

from rummyvariants.actions import Action, Draw
from rummyvariants.errors import RulesError
from rummyvariants.game import _asking as asking
from rummyvariants.game import _events as events
from rummyvariants.game._engine.asides import lay_aside
from rummyvariants.game._engine.leaving import leave_round
from rummyvariants.game._engine.phases import PHASES, finish_turn
from rummyvariants.game._engine.plays import forget_lost
from rummyvariants.game._engine.rounds import end_round
from rummyvariants.game._engine.transfers import location, lose, transfer
from rummyvariants.game._events import Log
from rummyvariants.game._locations import reveal
from rummyvariants.game._round import (
    BETWEEN_ROUNDS,
    BY_RULE,
    EVERYBODY,
    Drawn,
    Frame,
    turn_frames,
)
from rummyvariants.game._state import Draft, absent
from rummyvariants.house import (
    AskOthers,
    Effect,
    EndMatch,
    EndRound,
    GoOn,
    HouseRule,
    Leave,
    Move,
    Points,
    Remember,
    Show,
)
from rummyvariants.house.facts import Turn
from rummyvariants.house.rules import no_sense
from rummyvariants.policies._questions import ask


if TYPE_CHECKING:
    from rummyvariants.events import Event


_AT_MOST: Final = 1_000
"""How many effects may follow an action."""


class Effects:
    """
    The effects of an action by house rules.

    Args:
        draft: The state in the making, before the action is done.
        action: The action.
        log: Where what happens is noted, and where the rules hear of it, if they do.

    Attributes:
        turns: By seat, the turns finished for which memory has been looked through.
        due: Whether effects wait for the action to be done.
    """

    def __init__(self, draft: Draft, action: Action, log: Log) -> None:
        self._draft, self._action, self._log = draft, action, log
        self.turns = draft.turns
        self._waiting: list[tuple[str, Effect]] = []
        self.due = "lays_aside" in draft.match.rules.asked
        if log is not None and "follows" in draft.match.rules.asked:
            log.hears = self._hear

    def _hear(self, event: Event) -> None:
        draft = self._draft
        if isinstance(event, events.TurnStarted):
            self._forget_turn()
        seat = getattr(event, "seat", -1)
        seat = seat if type(seat) is int and seat >= 0 else draft.frames[0].seat
        match = draft.match
        for path, rule in match.rules.asked["follows"]:
            memory = rule.memory and asking.remembered(draft, rule)
            said = ask(rule, "follows", match, Turn(draft, seat, memory), event)
            if said is not None:
                self.add(path, rule, said)

    def add(self, path: str, rule: HouseRule, effects: Iterable[Effect]) -> None:
        """
        Perform effects of a rule, those that have to wait when the action is done.
        """
        for one in effects:
            if not (rule.effects is None or type(one) in rule.effects):
                wanted = (
                    f"an effect of a kind named in {type(rule).__qualname__}.effects"
                )
                raise no_sense(rule, "follows", one, wanted)
            if isinstance(one, Remember):
                asking.remember_now(self._draft, rule, one.value)
            elif isinstance(one, Points):
                asking.award(self._draft, path, one)
            else:
                self._waiting.append((path, one))
                self.due = True

    def follow(self) -> None:
        """
        Perform what follows the action, now that it is done.
        """
        draft, asked = self._draft, self._draft.match.rules.asked
        self._forget_turn()
        for at, (path, one) in enumerate(self._waiting):
            if at == _AT_MOST:
                msg = f"the effects of {self._action} cause others without an end"
                raise RulesError(msg, [draft.match.rules.rule_of(path)])
            if draft.phase not in BETWEEN_ROUNDS:
                self._perform(path, one)
        self._forget_turn()
        if not self.due or draft.phase in BETWEEN_ROUNDS:
            return
        if "lays_aside" in asked:
            self._lay_aside()
        forget_lost(draft)
        if PHASES[draft.phase].opens and not draft._discards:
            # Effects of a discard end with the discards.
            draft.frames = draft.frames[:1]
            PHASES[draft.phase].resume(draft, self._log)
        seat = draft.frames[-1].seat
        if draft.phase not in BETWEEN_ROUNDS and not draft._hands[seat]:
            PHASES[draft.phase].emptied(draft, seat, self._log)

    def _forget_turn(self) -> None:
        """
        Forget what rules remember for a turn, if one is over.
        """
        draft = self._draft
        if draft._memory and draft.turns is not self.turns:
            rules = draft.match.rules
            draft._memory = asking.memory_kept(rules, draft._memory, "turn")
        self.turns = draft.turns

    # ------------------------------------------------------------------ the effects

    def _perform(self, path: str, effect: Effect) -> None:
        draft, log = self._draft, self._log
        match effect:
            case Move():
                transfer(draft, effect, log)
            case Show(source=source, source_seat=seat, to=to, cards=cards):
                seen = EVERYBODY if to is None else sum({1 << one for one in to})
                where, number = location(source, seat), effect.number
                some = None if cards is None else cards.bits
                reveal(draft, where, seen, number, log, some)
            case Leave(points=cost, under_stock=under):
                leave_round(draft, draft.turn, cost, path, log, under_stock=under)
            case AskOthers():
                ask_others(draft, path, effect)
            case GoOn():
                self._go_on(effect)
            case EndRound(out=out) | EndMatch(out=out):
                draft.out += tuple([one for one in out if one not in draft.out])
                won = effect.winners if isinstance(effect, EndMatch) else ()
                end_round(draft, "out" if draft.out else BY_RULE, log, path, won)

    def _go_on(self, effect: GoOn) -> None:
        """
        Let the turn go on without what is due.
        """
        draft = self._draft
        seat = draft.turn
        if effect.to == "play":
            draft.frames = turn_frames("play", seat)
            if not draft.drawn.source:
                draft.drawn = Drawn(BY_RULE, b"", draft._hands[seat])
            return
        finish_turn(draft, seat, discarded=False, log=self._log, named=effect.seat)

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
                lose(draft, seat, 0)
            drew = isinstance(self._action, Draw) and seat == self._action.seat
            if drew and last and draft.match.rules.stock.last_laid_aside:
                end_round(draft, "stock", self._log)
                return


def ask_others(draft: Draft, path: str, effect: AskOthers) -> None:
    """
    Ask the seats to whom a rule offers something, one after another.

    Args:
        draft: The state in the making.
        path: What is cited for the rule.
        effect: Who is asked.
    """
    paths = [one for one, _ in draft.match.rules.house]
    gone = absent(draft)
    order = tuple([seat for seat in effect.seats if seat not in gone])
    notes = (paths.index(path), int(effect.all), int(effect.may_pass), *order)
    frame = Frame("asked", draft.turn, 0, notes)
    draft.frames = (*draft.frames, frame)
    ask_next(draft)


def ask_next(draft: Draft) -> None:
    """
    Let the next seat answer that has something to answer with; if none has, go on.
    """
    frame = draft.frames[-1]
    how, order = frame.notes[:3], frame.notes[3:]
    while order:
        seat, *left = order
        order = tuple(left)
        notes = (*how, *order)
        asked = attrs.evolve(frame, waiting=1 << seat, notes=notes)
        draft.frames = (*draft.frames[:-1], asked)
        if any(not one.refused for *_, one in asking.offers_to(draft, seat)):
            return
    draft.frames = draft.frames[:-1]
