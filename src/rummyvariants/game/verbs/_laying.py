"""
Cards put on the table in the middle of a turn, and by a call out of turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, final

from rummyvariants._support.words import listed
from rummyvariants.actions import (
    Action,
    Arrange,
    LayOff,
    NewMeld,
    NewMelds,
    PutWild,
    Split,
    Swap,
)
from rummyvariants.cards import CARDS, FIELD, as_cards
from rummyvariants.game import _events as events
from rummyvariants.game._engine.candidates import (
    PlayEnd,
    to_arrange,
    to_go_down,
    to_lay,
    to_meld,
    to_put,
    to_split,
    to_swap,
)
from rummyvariants.game._engine.finish import refuse_dead_end
from rummyvariants.game._engine.naming import cards_added, cards_named
from rummyvariants.game._engine.offers import Branch, PlayCheck
from rummyvariants.game._engine.phases import PHASES
from rummyvariants.game._engine.plays import (
    AnyState,
    Play,
    forget_lost,
    keeps_melds,
    perform,
    plan,
    plan_legal,
)
from rummyvariants.game._engine.reasons import (
    fit_in_words,
    meld_in_words,
    melds_in_words,
)
from rummyvariants.game._events import Log
from rummyvariants.game._state import Draft, State
from rummyvariants.game.verbs._knocking import of_layoffs
from rummyvariants.game.verbs._verb import Verb
from rummyvariants.melds._meld import Played, played
from rummyvariants.melds._tree import Node
from rummyvariants.policies.meld import ONE_BY_ONE
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


class Laying(Verb):
    """
    Base of the plays in the middle of a turn.

    Attributes:
        grow: What grows its branch from what the cards allow.
    """

    phases: tuple[str, ...] = ("play",)
    asks_vetoes = True
    grow: ClassVar[staticmethod[[AnyState, int, int, PlayEnd], Node]]

    def exists(self, rules: Ruleset) -> bool:
        """
        Whether melds are on the table before somebody knocks.
        """
        return not rules.meld.concealed

    def offer(self, state: AnyState, seat: int) -> Node:
        """
        The plays that a finished turn may hold.
        """
        drawn = state.drawn
        must = drawn.at_once if drawn.duties else -1
        need = 0 if must < 0 else FIELD[must]
        return self.grow(state, seat, need, PlayCheck(state, seat))

    def plan(self, state: AnyState, action: Any) -> Play | Objection:
        """
        What a play would do; refused where melds stay in the hand.
        """
        seat = action.seat or 0
        if state.match.rules.meld.concealed:
            if keeps_melds(state) or not isinstance(action, LayOff):
                return _refuse_shown(state, action)
        play = plan(state, seat, action)
        if isinstance(play, Objection):
            return play
        return refuse_dead_end(state, seat, play) or play

    def perform(self, draft: Draft, action: Any, plan: Any, log: Log) -> None:
        """
        Move the cards, and end the turn or the round with the last of them.

        A play that was listed comes with its number.
        """
        seat = action.seat or 0
        play = plan_legal(draft, seat, action, plan) if type(plan) is int else plan
        perform(draft, seat, play, log)
        after_play(draft, seat, action, play, log)


def _refuse_shown(state: AnyState, action: Any) -> Objection:
    """
    The objection that cards stay in the hand, and whether they would be a meld.
    """
    rules = state.match.rules
    reason = f"melds stay in the hand until somebody {rules.meld.shown_by}"
    if isinstance(action, NewMeld):
        play = plan(state, action.seat or 0, action)
        if isinstance(play, Objection):
            reason += f", and {play.reason}"
        else:
            reason += f", though {_melded(rules, play)[1]}"
    if state.out:
        name = state.match.players[state.out[0]]
        plays = "makes melds" if rules.layoff.last_turns else "melds or lays off"
        reason = f"{name} has declared: nobody {plays} in a last turn"
    return Objection("meld.shown", reason, ("RV-07",))


def after_play(draft: Draft, seat: int, action: Action, play: Play, log: Log) -> None:
    """
    Note what was laid, and go on if that was the last card.
    """
    if log is not None:
        if isinstance(action, Arrange):
            named = tuple([tuple(map(str, cards)) for cards in action.melds])
            log.append(events.Arranged(seat, named))
        else:
            for one in (play, *play.then):
                log.append(_laid(seat, action, one))
    forget_lost(draft)
    if not draft._hands[seat]:
        PHASES[draft.frames[-1].phase].emptied(draft, seat, log)


def _laid(seat: int, action: Action, play: Play) -> events.Laid:
    named: Iterable[Played] = cards_named(action)
    if hasattr(action, "melds"):
        # One of several melds, or one with the top discard, which is not named.
        named = [played(one.card.code, one.stands_for) for one in play.after.slots]
    cards = tuple(map(str, named))
    gained = CARDS[play.gained] if play.gained >= 0 else None
    end, after = getattr(action, "end", None), getattr(action, "after", None)
    return events.Laid(seat, cards, play.number, play.how, gained, end, after)


@final
class MeldVerb(Laying):
    """
    A new meld.
    """

    kind = NewMeld
    grow = staticmethod(to_meld)

    def permit(self, state: State, action: NewMeld, plan: Play) -> tuple[str, str]:
        del action
        return _melded(state.match.rules, plan)

    def meaning(self, state: State, action: Any, plan: Play) -> tuple[object, ...]:
        return _meaning(state, action, plan)


def _meaning(state: State, action: Action, play: Play) -> tuple[object, ...]:
    """
    What a play means: the kind, the meld, and the cards that it adds.
    """
    return (type(action).__name__, play.number, *cards_added(state, play, play.used))


def _melded(rules: Ruleset, play: Play) -> tuple[str, str]:
    """
    The policy value that allows a new meld, and the reason.
    """
    kind = play.after.kind
    reason = f"the cards make {meld_in_words(play.after)}"
    if kind == "wilds":
        return "wild.wild_melds", reason
    declared = {one.name: one.path for one in rules.kinds}
    return declared.get(kind, f"meld.{kind}s"), reason


@final
class GoDownVerb(Laying):
    """
    Several new melds, which are judged as a whole.
    """

    kind = NewMelds
    called = "go down"
    grow = staticmethod(to_go_down)

    def exists(self, rules: Ruleset) -> bool:
        return "opening" in rules.asked and not rules.meld.concealed

    def plan(self, state: AnyState, action: NewMelds) -> Play | Objection:
        rules = state.match.rules
        if not ("opening" in rules.asked or rules.meld.concealed):
            return ONE_BY_ONE
        return super().plan(state, action)

    def permit(self, state: State, action: NewMelds, plan: Play) -> tuple[str, str]:
        path, _ = _melded(state.match.rules, plan)
        if not state._has_meld >> (action.seat or 0) & 1:
            path = next(iter(state.rules.asked.get("opening", ())), (path,))[0]
        melds = melds_in_words((plan, *plan.then))
        return path, f"the cards make {melds}, which go down together"

    def meaning(self, state: State, action: Any, plan: Play) -> tuple[object, ...]:
        del action
        each = [cards_added(state, play, play.used) for play in (plan, *plan.then)]
        return ("NewMelds", *sorted(each, key=str))


@final
class LayVerb(Laying):
    """
    Cards laid on a meld, in a turn or after a knock.
    """

    kind = LayOff
    phases: tuple[str, ...] = ("play", "layoff")
    grow = staticmethod(to_lay)

    def exists(self, rules: Ruleset) -> bool:
        if rules.layoff.last_turns:
            return True
        knocks = rules.out.knocks and rules.layoff.after_knock
        return knocks or not rules.meld.concealed

    def offered(self, rules: Ruleset, phase: str) -> Branch | None:
        if phase == "layoff":
            return of_layoffs
        # Where melds stay in the hand, none is on the table before a knock.
        waits = rules.meld.concealed and not rules.layoff.last_turns
        return self.offer if not waits else None

    def plan(self, state: AnyState, action: LayOff) -> Play | Objection:
        if state.phase == "layoff":
            return plan(state, action.seat or 0, action)
        return super().plan(state, action)

    def permit(self, state: State, action: LayOff, plan: Play) -> tuple[str, str]:
        cards = [one.card for one in action.cards]
        if len(plan.after.beside) and not plan.is_meld:
            wild, number = state.dealer_wild, plan.number
            before = wild if number == 0 else state._table[number - 1]
            if before is not None and len(plan.after) == len(before):
                slots, beside = plan.after.slots, plan.after.beside
                wilds = [slots[one.index] for one in beside if one.card in cards]
                names = listed(map(str, dict.fromkeys(wilds)))
                go = "goes" if len(cards) == 1 else "go"
                reason = f"{listed(map(str, cards))} {go} beside {names}"
                return "wild.real_card", reason
        path = "layoff.knocked" if state.phase == "layoff" else "layoff.onto"
        if state.rules.meld.concealed and state.phase == "play":
            path = "layoff.last_turns"
        return path, fit_in_words(state, action.cards, plan)

    def meaning(self, state: State, action: Any, plan: Play) -> tuple[object, ...]:
        return _meaning(state, action, plan)


@final
class PutVerb(Laying):
    """
    A single wild put down to be built on.
    """

    kind = PutWild
    grow = staticmethod(to_put)

    def exists(self, rules: Ruleset) -> bool:
        return rules.layoff.single_wilds and not rules.meld.concealed

    def permit(self, state: State, action: PutWild, plan: Play) -> tuple[str, str]:
        del state, plan
        reason = f"{action.card} is wild, and may be put down alone to be built on"
        return "layoff.single_wilds", reason


@final
class SwapVerb(Laying):
    """
    A wild of a meld traded for the real card.
    """

    kind = Swap
    grow = staticmethod(to_swap)

    def exists(self, rules: Ruleset) -> bool:
        return rules.wild.swaps and not rules.meld.concealed

    def permit(self, state: State, action: Swap, plan: Play) -> tuple[str, str]:
        del state
        reason = f"{action.card} takes the place of the wild that stands for it"
        if action.more:
            cards = listed(list(map(str, (action.card, *action.more))))
            reason = f"{cards} are all that the set lacks without its only wild"
        if plan.gained >= 0:
            reason += f", and {CARDS[plan.gained]} comes to the hand"
        else:
            reason += f", and the meld becomes {meld_in_words(plan.after)}"
        return "wild.real_card", reason


@final
class SplitVerb(Laying):
    """
    A meld split in two.
    """

    kind = Split
    grow = staticmethod(to_split)

    def exists(self, rules: Ruleset) -> bool:
        return rules.wild.split and not rules.meld.concealed

    def permit(self, state: State, action: Split, plan: Play) -> tuple[str, str]:
        del state, action
        parts = [one for one in (plan.after, plan.second) if one is not None]
        return (
            "wild.split",
            f"both parts are melds: {listed(map(meld_in_words, parts))}",
        )


@final
class ArrangeVerb(Laying):
    """
    Melds of the table regrouped together with cards of the hand.
    """

    kind = Arrange
    grow = staticmethod(to_arrange)

    def exists(self, rules: Ruleset) -> bool:
        return rules.layoff.rearranges and not rules.meld.concealed

    def permit(self, state: State, action: Arrange, plan: Play) -> tuple[str, str]:
        del state, action
        added = listed(map(str, as_cards(plan.used)))
        return "layoff.rearranging", f"with {added} all cards there lie in melds"

    def meaning(self, state: State, action: Any, plan: Play) -> tuple[object, ...]:
        del state, action
        return ("Arrange", *sorted([str(meld) for meld in plan.layout]))
