"""
The actions that house rules offer, and the players who are asked for them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Final, NamedTuple, final

from rummyvariants.actions import HouseAction
from rummyvariants.cards import Cards
from rummyvariants.game import _asking as asking
from rummyvariants.game import _events as events
from rummyvariants.game._engine.effects import ask_next
from rummyvariants.game._engine.offers import Branch
from rummyvariants.game._engine.phases import Phase, permitted_by
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._events import Log
from rummyvariants.game._state import Draft, Leaf, State
from rummyvariants.game.verbs._verb import Verb
from rummyvariants.house import Effect, HouseRule
from rummyvariants.house.rules import OFFERED_IN
from rummyvariants.melds._choices import Choice
from rummyvariants.melds._tree import Branches, Node
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


class Offered(NamedTuple):
    """
    The plan of an action that a house rule offers.

    Attributes:
        path: What is cited for it.
        rule: The rule.
        effects: What it does.
    """

    path: str
    rule: HouseRule
    effects: Sequence[Effect]


@final
class HouseVerb(Verb):
    """
    What house rules offer before the draw, after it, or when a player is asked.
    """

    kind = HouseAction
    called = "house action"
    phases = OFFERED_IN

    def __init__(self) -> None:
        self.words = ()
        self.name = self.called
        self.fields = {}

    def wrong(self, action: HouseAction) -> str:
        name: object = action.name
        cards: object = action.cards
        if not isinstance(name, str):
            return "name"
        return "" if isinstance(cards, Cards) else "cards"

    def exists(self, rules: Ruleset) -> bool:
        return bool(rules.actions)

    def name_of(self, action: HouseAction) -> str:
        return action.name

    def times(self, rules: Ruleset, action: HouseAction) -> Collection[str]:
        return rules.actions.get(action.name, ())

    def refused_by(self, state: AnyState, action: HouseAction) -> str:
        return next((one for one, _ in _offering(state.match.rules, action)), "")

    def branches(self, rules: Ruleset, phase: str) -> list[tuple[str, Branch]]:
        return [
            (name, partial(_to_do, name))
            for name, times in rules.actions.items()
            if phase in times
        ]

    def plan(self, state: AnyState, action: HouseAction) -> Offered | Objection:
        found = [
            (path, rule, one)
            for path, rule, one in asking.offers_to(state, action.seat or 0)
            if (one.name, one.cards) == (action.name, action.cards)
        ]
        for path, rule, one in found:
            if not one.refused:
                return Offered(path, rule, one.effects)
        if found:
            path, _, one = found[0]
            return Objection(path, one.refused, ("RV-07",))
        path, rule = _offering(state.match.rules, action)[0]
        return Objection(path, rule.because(f"'{action}' is not offered now"))

    def perform(
        self, draft: Draft, action: HouseAction, plan: Offered, log: Log
    ) -> None:
        del plan
        if log is not None:
            seat, cards = action.seat or 0, tuple(action.cards)
            secret = action.name in draft.match.rules.secrets
            log.append(events.Acted(seat, action.name, cards, secret))
        frame = draft.frames[-1]
        if frame.phase != "asked":
            return
        _, every, *_ = frame.notes
        if every:
            ask_next(draft)
        else:
            draft.frames = draft.frames[:-1]

    def permit(
        self, state: State, action: HouseAction, plan: Offered
    ) -> tuple[str, str]:
        del state
        return plan.path, plan.rule.because(f"'{action}' is offered")


def _offering(rules: Ruleset, action: HouseAction) -> list[tuple[str, HouseRule]]:
    """
    The rules that may offer an action, each with what is cited for it.
    """
    asked = rules.asked.get("offers", ())
    return [(path, rule) for path, rule in asked if action.name in rule.actions]


def _to_do(name: str, state: AnyState, seat: int) -> Node:
    """
    The offers of a name, by the cards that they name.
    """
    found: dict[Cards, Leaf] = {}
    for path, rule, one in asking.offers_to(state, seat):
        if one.name == name and not one.refused and one.cards not in found:
            plan = Offered(path, rule, one.effects)
            found[one.cards] = HouseAction(name, one.cards, seat), plan
    return Branches([*found], found.__getitem__, _named, wide=True).node()


def _named(cards: Cards) -> Choice:
    return Choice(str(cards) or "done", "melds" if cards else "done")


def _refuse_pass(state: AnyState) -> Objection | None:
    _, _, may_pass, *_ = state.frames[-1].notes
    if may_pass:
        return None
    return Objection("RV-07", "the player has to choose one of the actions offered")


def _passed(draft: Draft, seat: int, log: Log) -> None:
    del seat, log
    ask_next(draft)


ASKED: Final[Phase] = Phase(
    "asked",
    "a player is asked for an action of a house rule",
    refuse_pass=_refuse_pass,
    permit_pass=permitted_by("RV-07", "nobody has to do what a rule offers"),
    passed=_passed,
    passes=lambda rules: bool(rules.actions),
)
