"""
What every kind of action is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, ClassVar

import attrs

from rummyvariants._patterns import Form
from rummyvariants.game._engine.naming import cards_named
from rummyvariants.game._engine.offers import Branch
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._events import Log
from rummyvariants.game._state import Draft, State
from rummyvariants.melds._meld import Played
from rummyvariants.melds._tree import Node
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


Cited = tuple[str, int]
"""The policy value that allows an action, and the number that it is about."""
Plan = Any
"""What a verb works out before an action is done; None for simple actions."""


class Verb:
    """
    A kind of action, with all that the engine asks about it.

    Attributes:
        kind: The class of the actions, which has the patterns of the notation.
        called: Its name, if its patterns begin with a word of another verb.
        hints: Further words that players use, each with what to write instead.
        phases: The phases in which it may be done.
        follows: The attribute of a phase that says what follows it; it may be done in
            every phase that sets this. Empty if `phases` names them.
        also: The policy value that also refuses it at the wrong time.
        asks_vetoes: Whether its plan asks the house rules that forbid actions, so that
            searches for the end of a turn ask them as well.
        permitted_by: The policy value that allows it, and the reason.
        name: Its name in counts and as a choice.
        words: The words that it begins with in the notation, unless they are another's.
        fields: The forms of the fields of an action, without its seat. Others than
            those that its patterns name are not checked.
    """

    kind: ClassVar[type[Any]]
    called: ClassVar[str] = ""
    hints: ClassVar[Mapping[str, str]] = {}
    phases: tuple[str, ...] = ()
    follows: ClassVar[str] = ""
    also: ClassVar[str] = ""
    asks_vetoes: ClassVar[bool] = False
    permitted_by: ClassVar[tuple[str, str]] = ("RV-07", "")

    def __init__(self) -> None:
        patterns = self.kind.patterns
        words = dict.fromkeys([*[one.word for one in patterns], *self.hints])
        self.words = () if self.called else tuple(words)
        self.name = self.called or self.words[0]
        forms = {name: form for one in patterns for name, form in one.forms.items()}
        known = [one for one in attrs.fields(self.kind) if one.name in forms]
        self.fields: dict[str, Form] = {one.name: forms[one.name] for one in known}
        self._optional = {one.name for one in known if one.default is None}

    def accepts(self, name: str, value: object) -> bool:
        """
        Whether a field of an action may have a value.
        """
        if value is None and name in self._optional:
            return True
        return self.fields[name].fits(value)

    def exists(self, rules: Ruleset) -> bool:
        """
        Whether players can ever do it under some rules.
        """
        del rules
        return True

    def name_of(self, action: Any) -> str:
        """
        The name of the branch of an action.
        """
        del action
        return self.name

    def branches(self, rules: Ruleset, phase: str) -> list[tuple[str, Branch]]:
        """
        Its branches in one of its phases under some rules, each with its name.
        """
        offer = self.offered(rules, phase)
        return [] if offer is None else [(self.name, offer)]

    def wrong(self, action: Any) -> str:
        """
        The name of a field of an action that has a wrong value; empty if none has.
        """
        for name in self.fields:
            if not self.accepts(name, getattr(action, name)):
                return name
        return ""

    def offered(self, rules: Ruleset, phase: str) -> Branch | None:
        """
        What grows its branch in one of its phases under some rules; None for nothing.

        It is asked once for these rules, so that what they settle is not asked again.
        """
        del phase
        return self.offer if self.exists(rules) else None

    def offer(self, state: AnyState, seat: int) -> Node:
        """
        Its branch of the tree of choices, for a seat that may act.

        A leaf is a legal action with its plan, or `LATER`.
        """
        action = self.kind(seat=seat)
        found = self.plan(state, action)
        return None if isinstance(found, Objection) else (action, found)

    def meant(self, state: AnyState, action: Any) -> Any:
        """
        An action whose seat is known, with what it leaves out filled in.
        """
        del state
        return action

    def plan(self, state: AnyState, action: Any) -> Plan | Objection:
        """
        What an action would do, or why it is refused.
        """
        del state, action
        return None

    def perform(self, draft: Draft, action: Any, plan: Any, log: Log) -> None:
        """
        Do an action by its plan.
        """
        raise NotImplementedError

    def permit(self, state: State, action: Any, plan: Any) -> tuple[str, ...]:
        """
        The policy value that allows an action, the reason, and what gave way.
        """
        del state, action, plan
        return self.permitted_by

    def meaning(self, state: State, action: Any, plan: Any) -> tuple[object, ...]:
        """
        What an action means by its plan: the same for all that do the same.
        """
        del state, plan
        return (str(action),)

    def times(self, rules: Ruleset, action: Any) -> Collection[str]:
        """
        The phases in which an action may be done under some rules.
        """
        del rules, action
        return self.phases

    def refused_by(self, state: AnyState, action: Any) -> str:
        """
        The policy value that also refuses it where it has to wait; empty for none.
        """
        del state, action
        return self.also

    def early(self, state: AnyState, seat: int) -> Objection | None:
        """
        Why a seat may not do it in such a phase; None for the words that hold for all.
        """
        del state, seat
        return None

    def named(self, action: Any) -> Iterable[Played]:
        """
        The cards that a player touches to do it.
        """
        return cards_named(action)

    def takes(self, state: AnyState, action: Any) -> bytes:
        """
        The codes of the cards that it takes from the discard pile, the deepest first.
        """
        del state, action
        return b""
