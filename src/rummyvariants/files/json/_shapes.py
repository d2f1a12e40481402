"""
Documents of what a server and its clients exchange besides views, actions and events.

Each class is an object of the schema in ``data/schema.json``, as in `_documents`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from rummyvariants.cards import Card
from rummyvariants.files._documents import FORMAT, ActionDocument, Format, TableMeld
from rummyvariants.game._round import Column, RoundResult, ScoreItem
from rummyvariants.game.actions import Action, End
from rummyvariants.melds._meld import Place, Played


@attrs.frozen(kw_only=True)
class RulingDocument:
    """
    A ruling, with the source of its rule.
    """

    format: Format = FORMAT
    legal: bool
    rule: str
    reason: str
    source: str
    also: tuple[str, ...]


@attrs.frozen(kw_only=True)
class RuleValue:
    """
    A policy value, the rule that it states, and what set it.
    """

    value: Any
    rule: str
    set_by: str


@attrs.frozen(kw_only=True)
class ValueOrigin:
    """
    Where a part of a policy value came from.
    """

    rule: str
    set_by: str


@attrs.frozen(kw_only=True)
class ValueChange:
    """
    A single value that was changed, and by what.
    """

    name: str
    value: Any
    rule: str | None
    set_by: str


@attrs.frozen(kw_only=True)
class RulesetDocument:
    """
    A ruleset, with where each of its values came from.
    """

    format: Format = FORMAT
    name: str
    title: str
    preset: str
    version: int
    source: str
    options: tuple[str, ...]
    option_files: Mapping[str, str]
    changes: tuple[ValueChange, ...]
    values: Mapping[str, RuleValue]
    parts: Mapping[str, ValueOrigin]


@attrs.frozen(kw_only=True)
class LegalActionDocument:
    """
    A legal action, with what an interface needs to show it.
    """

    text: str
    seat: int | None
    verb: str
    cards: tuple[Card, ...]
    stands_for: tuple[Place | None, ...]
    takes: tuple[Card, ...]
    melds: tuple[tuple[Played, ...], ...]
    meld: int | None
    end: End | None
    number: int | None


@attrs.frozen(kw_only=True)
class CardActions:
    """
    The numbers of the actions on a page that involve a card.
    """

    card: Card
    actions: tuple[int, ...]


@attrs.frozen(kw_only=True)
class PageDocument:
    """
    Some legal actions, and where the others begin.
    """

    format: Format = FORMAT
    seat: int | None
    card: Card | None
    start: int
    actions: tuple[LegalActionDocument, ...]
    next: int | None
    by_card: tuple[CardActions, ...]


@attrs.frozen(kw_only=True)
class ChoiceDocument:
    """
    One of the choices at a step.
    """

    text: str
    kind: str | None = None
    card: Card | None = None
    number: int | None = None


@attrs.frozen(kw_only=True)
class ChooserDocument:
    """
    An action being put together: the choices made, and what may come next.
    """

    format: Format = FORMAT
    seat: int | None
    taken: tuple[ChoiceDocument, ...]
    choices: tuple[ChoiceDocument, ...] | None = None
    action: ActionDocument | None = None


@attrs.frozen(kw_only=True)
class ArrangementDocument:
    """
    The best that can be done with a hand.
    """

    format: Format = FORMAT
    goal: str
    actions: tuple[Action, ...]
    left: tuple[Card, ...]
    points: int
    points_left: int
    goes_out: bool
    exact: bool
    melds: tuple[TableMeld, ...]


@attrs.frozen(kw_only=True)
class ResultDocument:
    """
    The result of a round, with the players' names.
    """

    format: Format = FORMAT
    players: tuple[str, ...]
    points: tuple[int, ...]
    items: tuple[ScoreItem, ...]
    out: int | None
    how: str
    rule: str


@attrs.frozen(kw_only=True)
class SheetRoundDocument:
    """
    A finished round on a score sheet.
    """

    number: int
    result: RoundResult


@attrs.frozen(kw_only=True)
class SheetDocument:
    """
    The score sheet of a match.
    """

    format: Format = FORMAT
    players: tuple[str, ...]
    sides: tuple[tuple[int, ...], ...]
    rounds: tuple[SheetRoundDocument, ...]
    scores: tuple[int, ...]
    boxes: tuple[int, ...]
    bonuses: tuple[ScoreItem, ...]
    columns: tuple[Column, ...]
    final_scores: tuple[int, ...]
    side_scores: tuple[int, ...]
    winners: tuple[int, ...]
    payments: tuple[int, ...]
