"""
The flat form: one index for an action, which is a verb and no more than a card.

A label is the text of the action in the notation. A knock or a declaration names no
melds there, and so shows its best ones.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterable, Iterator
from typing import Any, final

import attrs

from rummyvariants._patterns import CARD, END, NUMBER, PLAYED, SHOWN, THROWN, Form
from rummyvariants.actions import (
    Action,
    Choose,
    Declare,
    HouseAction,
    Knock,
    LayOff,
    Take,
)
from rummyvariants.cards import CARDS
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._state import Leaf
from rummyvariants.game.verbs._known import offers_in
from rummyvariants.game.verbs._verb import Verb
from rummyvariants.learning._packing import KEPT_AT_MOST
from rummyvariants.learning._vocabulary import (
    has_wilds,
    most_melds,
    takes_several,
    verbs_under,
)
from rummyvariants.melds._meld import played
from rummyvariants.melds._tree import Fork, Known, Node
from rummyvariants.rules import Ruleset


def obstacle(rules: Ruleset, players: int) -> str:
    """
    Why not all actions can have an index each; empty if they can.
    """
    if "values" in rules.asked:
        return "what may be done depends on the deal"
    if rules.with_cards:
        return f"an action of the kind '{rules.with_cards[0]}' may name any cards"
    for verb in verbs_under(rules):
        if _values(verb, rules, players) is None:
            return f"an action of the kind '{verb.name}' names more than a card"
        if verb.kind is LayOff and has_wilds(rules, players):
            kind = f"an action of the kind '{verb.name}'"
            return f"{kind} says what wild cards stand for"
    return ""


def actions(rules: Ruleset, players: int) -> Iterator[Action]:
    """
    All actions, of no seat, without the melds of knocks.

    The rules are such that there is no `obstacle`.
    """
    track = rules.meld.track(rules.deck.ranks)
    for verb in verbs_under(rules):
        if verb.kind is HouseAction:
            yield from map(HouseAction, rules.actions)
            continue
        values = _values(verb, rules, players) or {}
        for some in itertools.product(*values.values()):
            fields = dict(zip(values, some, strict=True))
            if fields.get("end") and track.count(fields["cards"][0].card.rank) < 2:
                continue  # there is only one end that it fits
            yield verb.kind(**fields, seat=None)


def _values(
    verb: Verb, rules: Ruleset, players: int
) -> dict[str, Iterable[Any]] | None:
    """
    The values that the fields of an action may have; None if they are too many.
    """
    deck = rules.deck.cards_for(players)
    faces = [CARDS[code] for code in sorted({*deck})]
    known: dict[Form, list[Any]] = {
        CARD: faces,
        THROWN: [*faces, None],
        SHOWN: [None],
        END: [None, "low", "high"],
    }
    found: dict[str, Iterable[Any]] = {}
    for name, form in verb.fields.items():
        values: Iterable[Any] | None = known.get(form)
        if form is NUMBER:
            values = _numbers(verb.kind, rules, players)
        elif form is PLAYED and verb.kind is LayOff:
            values = [(played(card.code),) for card in faces]
        if values is None:
            return None
        found[name] = values
    return found


def _numbers(kind: type[Action], rules: Ruleset, players: int) -> Iterable[int] | None:
    """
    The numbers that actions of a kind may name; None if these are not known.
    """
    cards = len(rules.deck.cards_for(players))
    if kind is Take:
        return range(1, cards + 1 if takes_several(rules) else 2)
    if kind is Choose:
        return rules.deal.choices()
    if kind is LayOff:
        return range(1, most_melds(rules, players) + 1)
    return None


@final
class Offered:
    """
    The question which action is done.

    Attributes:
        answers: By index, the action with its plan, or a fork with the best one.
    """

    __slots__ = ("answers",)

    def __init__(self, answers: dict[int, Node]) -> None:
        self.answers = answers

    @property
    def indices(self) -> tuple[int, ...]:
        """
        The indices that answer it, lowest first.
        """
        return tuple(sorted(self.answers))

    def after(self, index: int) -> Leaf:
        """
        The action of an index, with its plan.
        """
        found: Any = self.answers[index]
        return found.best() if isinstance(found, Fork) else found  # type: ignore[no-any-return]

    def toward(self, action: Action, taken: tuple[int, ...]) -> list[int]:
        """
        The indices of actions of a kind; of knocks, those that mean the best melds.
        """
        del taken
        if isinstance(action, Knock | Declare):
            action = attrs.evolve(action, melds=None)
        return [
            index
            for index, node in self.answers.items()
            if (
                node.summary == action
                if isinstance(node, Fork)
                else type(node[0]) is type(action)
            )
        ]


@final
class Flat:
    """
    The flat form of the actions of some rules.

    Args:
        actions: All of them, without the melds of knocks.

    Attributes:
        labels: By index, the text of the action.
    """

    __slots__ = ("_known", "_numbers", "labels")

    def __init__(self, actions: Iterable[Action]) -> None:
        self.labels = tuple(map(str, actions))
        self._numbers = {text: at for at, text in enumerate(self.labels)}
        # By its id, an action with its index: most that are offered are always the same
        # objects, and to write one takes long. It is kept so that no other action gets
        # the same id.
        self._known: dict[int, tuple[Action, int | None]] = {}

    def ask(self, state: AnyState, seat: int) -> Offered:
        """
        What a seat that may act is asked.
        """
        found: dict[int, Node] = {}
        for _, offer in offers_in(state):
            node = offer(state, seat)
            if node is not None:
                self._gather(node, found)
        return Offered(found)

    def _gather(self, node: Node, found: dict[int, Node]) -> None:
        """
        Add all that a node leads to and has an index.
        """
        leaves: Iterable[Node]
        if not isinstance(node, Fork):
            leaves = (node,)
        elif (summary := node.summary) is not None:
            at = self._numbers.get(str(summary))
            if at is not None:
                found[at] = node
            return
        elif isinstance(node, Known):
            leaves = node.every()
        else:
            for option in node.options:
                after = node.go(option)
                if after is not None:
                    self._gather(after, found)
            return
        known = self._known
        for leaf in leaves:
            action = leaf[0]
            _, at = known.get(id(action)) or self._kept(action)
            if at is not None:
                found[at] = leaf

    def _kept(self, action: Action) -> tuple[Action, int | None]:
        """
        An action with its index, if it has one; remembered.
        """
        if len(self._known) >= KEPT_AT_MOST:
            self._known.clear()
        found = self._known[id(action)] = action, self._numbers.get(str(action))
        return found
