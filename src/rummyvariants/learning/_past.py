"""
The round as a seat saw it, as numbers: the part of perfect recall.

The past is a text of words, each word a number: who acted, the words of the action in
the notation, and what the seat saw then.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterator
from typing import Any, Final, final

from rummyvariants.actions import Deal
from rummyvariants.cards import CARDS, RANKS
from rummyvariants.game import Dealt, Drawn, Match, RoundResult, ScoreItem
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._round import History, knows
from rummyvariants.game._worlds import action_as_seen
from rummyvariants.house.facts import left_round
from rummyvariants.learning._fields import (
    Axis,
    Field,
    ObservationError,
    axis,
    named,
)
from rummyvariants.learning._layout import DIGEST, Layout
from rummyvariants.learning._packing import (
    BYTES,
    SUMMARY,
    Kept,
    packed,
    summary,
    zeros,
)
from rummyvariants.learning._planes import Group, Sight, each
from rummyvariants.learning._vocabulary import (
    Vocabulary,
    actions_of,
    names_anything,
    numbers_under,
    verbs_under,
)


_KNOWN_AT_MOST: Final = 4_096
"""How many pasts are remembered before they are forgotten."""
_SEES: Final = "sees"
_DEAL: Final = "the deal"
_PILES: Final = ("stock", "discards", "table", "hand")
_NOTATION: Final = ("on", "after", "with", "all", "low", "high", "none", "/", ":")


@final
class Past:
    """
    The numbers that the form with perfect recall adds.

    Args:
        layout: The layout.
        length: How many words there is room for.

    Attributes:
        words: By number, what a word means; 0 is no word.
    """

    def __init__(self, layout: Layout, length: int) -> None:
        self._layout = layout
        self._length = length
        others = [f"{one} to the left" for one in range(1, layout.players)]
        self._names = ["the observer", *others]
        self._vocabulary = _vocabulary(layout, self._names)
        self._known: dict[tuple[int, int], tuple[History, bytes]] = {}
        self._of_match = Kept(self._match_details)
        self.words = ("", *self._vocabulary.labels)

    def fields(self) -> tuple[Field, ...]:
        """
        The fields, in the order of their numbers.
        """
        return (
            Field(
                "history",
                (Axis("place", self._length),),
                named(axis("word", self.words[1:])),
                "The round as the observer saw it, word by word; then zeros.",
            ),
            Field(
                "details",
                (axis("about", ("the match", "the round")), Axis("number", SUMMARY)),
                DIGEST,
                "Summaries of what the Markov form leaves out besides the past; zeros "
                "where there is nothing.",
            ),
        )

    def groups(self) -> Iterator[Group]:
        """
        What writes these fields, in their order.
        """
        yield "history", BYTES, each(self._history)
        yield "details", BYTES, each(self._details)

    def _history(self, sight: Sight) -> bytes:
        """
        The past, word by word.

        Raises:
            ObservationError: If it has too many words.
        """
        past = self._past(sight[0]._history, sight[1])
        left = self._length - len(past) // BYTES
        if left < 0:
            msg = (
                f"the round so far takes {len(past) // BYTES} words, and the "
                f"observation has room for {self._length}: ask for a greater length"
            )
            raise ObservationError(msg)
        return past + zeros(left)

    def tokens(self, state: AnyState, seat: int) -> list[int]:
        """
        The past of a seat, as the numbers of `words`.
        """
        return memoryview(self._past(state._history, seat)).cast("i").tolist()

    def _details(self, sight: Sight) -> bytes:
        """
        The summaries.
        """
        state, seat, drawn, _, _ = sight
        _, of_match = self._of_match(seat, state.match, state.result, state.dealt)
        return of_match + _turn_details(state, seat, drawn)

    def _past(self, node: History, seat: int) -> bytes:
        """
        The steps up to a node, since the deal.
        """
        known = self._known
        told = b""
        nodes: list[History] = []
        step: History | None = node
        while step is not None:
            found = known.get((seat, id(step)))
            if found is not None:
                told = found[1]
                break
            nodes.append(step)
            step = None if isinstance(step.action, Deal) else step.before
        for step in reversed(nodes):
            told += self._tell(seat, step)
        if len(known) >= _KNOWN_AT_MOST:
            known.clear()
        # An entry keeps its node, so that no other one gets the same id meanwhile.
        known[seat, id(node)] = node, told
        return told

    def _tell(self, seat: int, node: History) -> bytes:
        """
        A step: who acted, the action, and what the seat saw.
        """
        spelled = self._vocabulary.spelled
        words: list[int] = []
        action = action_as_seen(node.action, seat, self._layout.secrets)
        if action is None or isinstance(action, Deal):
            words += spelled[_DEAL]
        else:
            actor = -1 if action.seat is None else action.seat
            words += spelled[f"{self._name(actor, seat)} acts"]
            words += spelled[str(action).replace(":", " :")]
        for viewers, cards, there in node._seen:
            if knows(viewers, seat):
                words += spelled[_SEES]
                for code in cards:
                    words += spelled[str(CARDS[code])]
                words += spelled[f"to {there.name}"]
                words += spelled[f"of {self._name(there.seat, seat)}"]
        return packed([one + 1 for one in words])

    def _name(self, seat: int, observer: int) -> str:
        if seat < 0:
            return "nobody"
        return self._names[(seat - observer) % self._layout.players]

    def _match_details(
        self, seat: int, match: Match, result: RoundResult | None, dealt: Dealt
    ) -> bytes:
        """
        A summary of the cards turned up in the deal, of the last result, of bonuses.
        """
        del seat
        found = (
            tuple([tuple(map(str, cards)) for cards in dealt.upcards if cards]),
            (result.rule, _items(result.items)) if result else (),
            _items(match.bonuses),
            tuple([_items(one.bonuses) for one in match.columns if one.bonuses]),
        )
        return packed(summary(found)) if any(found) else _NO_DETAILS


_NO_DETAILS: Final = zeros(SUMMARY)


def _turn_details(state: AnyState, seat: int, drawn: Drawn) -> bytes:
    """
    A summary of orders of cards, and of what duties and prices follow from.
    """
    if not (drawn.duties or len(drawn._cards) > 1 or state._zones or state._memory):
        return _NO_DETAILS
    found = (
        tuple([(one.code, one.path) for one in drawn.duties]),
        tuple(drawn._cards) if len(drawn._cards) > 1 else (),
        tuple([path for *_, path in left_round(state)]),
        tuple([tuple(zone._cards) for zone in state._zones if knows(zone._seen, seat)]),
    )
    return packed(summary(found)) if any(found) else _NO_DETAILS


def _items(items: tuple[ScoreItem, ...]) -> tuple[Any, ...]:
    """
    The lines of a score sheet as plain values.
    """
    return tuple(
        [
            (one.seat, one.card and str(one.card), one.points, one.reason, one.rule)
            for one in items
        ]
    )


def _vocabulary(layout: Layout, names: list[str]) -> Vocabulary:
    """
    The words of which the past is told.
    """
    everybody = [*names, "nobody"]
    faces = [str(CARDS[code]) for code in layout.faces]
    actions = actions_of(layout.rules)
    words = itertools.chain(
        (_DEAL, _SEES),
        [f"{one} acts" for one in everybody],
        [f"to {one}" for one in (*_PILES, *layout.zones)],
        [f"of {one}" for one in everybody],
        [word for verb in verbs_under(layout.rules) for word in verb.words],
        actions,
        [word for name in actions for word in name.split()],
        _NOTATION,
        faces,
        map(str, range(layout.cards + 1)),
        numbers_under(layout.rules, layout.cards),
    )
    ranks = [rank for rank in RANKS if rank in layout.rules.deck.ranks]
    every = itertools.chain(words, ("=",), ranks)
    return Vocabulary(every, letters=names_anything(layout.rules))
