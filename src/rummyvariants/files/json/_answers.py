"""
What a server and its clients exchange besides views, as typed documents.

Each kind has a form. Readers check types; what follows from other keys is written for
clients and not read.
"""

from __future__ import annotations

import functools
import re

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from rummyvariants import events
from rummyvariants._support.limits import ONE_LINE, is_line
from rummyvariants.actions import Action, End
from rummyvariants.cards import Card, Cards
from rummyvariants.errors import RulesError, nearest
from rummyvariants.events import Event
from rummyvariants.files import _forms as forms
from rummyvariants.files._facts import ACTION, RULES, action_of, plain
from rummyvariants.files._forms import (
    TEXT,
    Fields,
    Form,
    Names,
    Reading,
    Schema,
    register,
)
from rummyvariants.files._melds import TableMeld, meld_document
from rummyvariants.files._problems import joined, said
from rummyvariants.files.json._problems import JsonError
from rummyvariants.game._card_moves import CardMove, SeenEvent
from rummyvariants.game._chooser import ChoiceError, Chooser, chooser
from rummyvariants.game._listing import ActionPage, LegalAction
from rummyvariants.game._round import RoundResult
from rummyvariants.game._sheets import ScoreSheet, SheetRound
from rummyvariants.game._views import View
from rummyvariants.melds._meld import Place, Played, played
from rummyvariants.rules._origins import Origin
from rummyvariants.rules._ruleset import Ruleset, build, shared
from rummyvariants.rules._variants import no_preset, presets
from rummyvariants.rulings import Ruling
from rummyvariants.solver import GOALS, ArrangeError, Arrangement
from rummyvariants.solver._arrangements import melds_after


register(Action, ACTION)
RULING: Final = Fields(Ruling, "ruling", derived={"source": TEXT}, without=("case",))


# --------------------------------------------------------------------- legal actions


@attrs.frozen(kw_only=True)
class LegalActionDocument:
    """
    A legal action, with what an interface needs to show it.

    Attributes:
        text: The action in the notation.
        seat: The seat that may do it.
        takes: The cards that it takes from the discard pile, the deepest first.
        verb: The kind of action.
        cards: The cards that it names.
        stands_for: What each of these is declared to stand for; null for most.
        melds: The new melds that it makes or shows.
        meld: The number of the meld that it changes.
        end: The end of the meld at which an ace goes.
        number: Its number, such as that of the cards taken.
    """

    text: str
    seat: int | None
    takes: tuple[Card, ...] = ()
    verb: str = ""
    cards: tuple[Card, ...] = ()
    stands_for: tuple[Place | None, ...] = ()
    melds: tuple[tuple[Played, ...], ...] = ()
    meld: int | None = None
    end: End | None = None
    number: int | None = None


class _LegalActionForm(Fields[Any]):
    """
    A legal action; all but its text, seat and takes follows.
    """

    def read(self, given: object, path: str, at: Reading) -> Any:
        found: LegalActionDocument | None = super().read(given, path, at)
        if found is None:
            return None
        action = action_of(found.text, found.seat, path, "text", at)
        return None if action is None else LegalAction(action, found.takes)


LEGAL_ACTION: Final = _LegalActionForm(LegalActionDocument, "legal_action")
register(LegalAction, LEGAL_ACTION)


@attrs.frozen(kw_only=True)
class CardActions:
    """
    The actions on a page that involve a card.

    Attributes:
        card: The card.
        actions: The places of these actions on the page, from 0.
    """

    card: Card
    actions: tuple[int, ...]


class _PageForm(Fields[ActionPage]):
    """
    A page of legal actions.
    """

    def write(self, value: ActionPage, names: Names = None) -> Any:
        places = {id(one): at for at, one in enumerate(value.actions)}
        by_card = [
            CardActions(card=card, actions=tuple([places[id(one)] for one in some]))
            for card, some in value.by_card.items()
        ]
        page = self.fields(value)
        return page | {"by_card": self.derived["by_card"].write(tuple(by_card))}


PAGE: Final = _PageForm(
    ActionPage,
    "legal_actions",
    derived={"by_card": forms.Many(Fields(CardActions, "card_actions"))},
)


# -------------------------------------------------------------------------- choosers


@attrs.frozen(kw_only=True)
class ChoiceDocument:
    """
    One of the choices at a step.

    Attributes:
        text: The choice, which `choose` accepts.
        kind: What is chosen.
        card: The card chosen.
        number: The number chosen.
    """

    text: str
    kind: str | None = None
    card: Card | None = None
    number: int | None = None


@attrs.frozen(kw_only=True)
class ChooserDocument:
    """
    An action being put together: the choices made, and what may come next.

    Attributes:
        seat: Whose action it is.
        taken: The choices made.
        choices: What may come next.
        action: The action, once it is complete.
    """

    seat: int | None
    taken: tuple[ChoiceDocument, ...]
    choices: tuple[ChoiceDocument, ...] = ()
    action: Action | None = None


CHOOSER: Final = Fields(ChooserDocument, "chooser")


def chooser_of(given: ChooserDocument, at: View) -> Chooser:
    """
    The chooser that a document describes, for the seat of a view.

    Args:
        given: The document.
        at: What the seat knows.

    Raises:
        JsonError: If it is another seat's, or something in it is not offered.
    """
    if at.seat is None:
        raise JsonError([("seat", "a spectator chooses nothing")])
    if given.seat not in {None, at.seat}:
        message = f"it is seat {given.seat}'s, but the view is seat {at.seat}'s"
        raise JsonError([("seat", message)])
    found = chooser(at.world, at.seat)
    for number, one in enumerate(given.taken):
        try:
            found = found.choose(one.text)
        except ChoiceError as error:
            raise JsonError([(f"taken[{number}]", str(error))]) from None
    return found


# ---------------------------------------------------------------------- arrangements


@attrs.frozen(kw_only=True)
class ArrangementDocument:
    """
    The best that can be done with a hand.

    Attributes:
        goal: The goal.
        actions: The plays, in an order in which they can be made.
        left: The cards that stay in the hand.
        points: The points of the cards laid down.
        points_left: The points of the cards left.
        goes_out: Whether the player can go out now.
        exact: Whether it is certain that nothing is better.
        melds: The melds that the plays make or change, or that stay in the hand.
    """

    goal: str
    actions: tuple[Action, ...]
    left: tuple[Card, ...]
    points: int
    points_left: int
    goes_out: bool
    exact: bool
    melds: tuple[TableMeld, ...] = ()


class _ArrangementForm(Fields[Any]):
    """
    An arrangement.
    """

    def write(self, value: Arrangement, names: Names = None) -> Any:
        slots = {
            field.name: getattr(value, field.name)
            for field in attrs.fields(ArrangementDocument)
        }
        numbered = value.melds_by_number.items()
        slots["melds"] = tuple([meld_document(meld, at) for at, meld in numbered])
        return super().write(ArrangementDocument(**slots))


ARRANGEMENT: Final = _ArrangementForm(
    ArrangementDocument, "arrangement", goal=forms.Word(*GOALS)
)


def arrangement_of(given: ArrangementDocument, at: View) -> Arrangement:
    """
    The arrangement that a document describes, of the hand of a view.

    That it is the best is not checked, only that its plays can be made.

    Args:
        given: The document.
        at: What the seat knows.

    Raises:
        JsonError: If they cannot.
    """
    world, seat = at.world, at.seat or 0
    try:
        made = melds_after(world, seat, given.actions)
        # Melds that stay in the hand are made by no action.
        numbers = {number for number, _ in made}
        kept = [
            tuple([played(one.card.code, one.stands_for) for one in meld.cards])
            for meld in given.melds
            if meld.number not in numbers
        ]
        melds = melds_after(world, seat, given.actions, tuple(kept)) if kept else made
    except ArrangeError as error:
        raise JsonError([("actions", str(error))]) from None
    return Arrangement(
        given.goal,
        given.actions,  # type: ignore[arg-type]
        Cards(given.left),
        given.points,
        given.points_left,
        given.goes_out,
        given.exact,
        melds,
    )


# ---------------------------------------------------------------------------- scores


_BY_SEAT: Final = forms.BySeat(forms.POINTS, 0)
ROUND_RESULT: Final = Fields(
    RoundResult,
    "round_result",
    rare=("payments",),
    counted="players",
    points=_BY_SEAT,
)


class _SheetForm(Fields[Any]):
    """
    A score sheet; its results take the names from it.
    """

    def read(self, given: object, path: str, at: Reading) -> Any:
        sheet: ScoreSheet | None = super().read(given, path, at)
        if sheet is None:
            return None
        rounds = [
            SheetRound(one.number, attrs.evolve(one.result, players=sheet.players))
            for one in sheet.rounds
        ]
        return attrs.evolve(sheet, rounds=tuple(rounds))


SCORE_SHEET: Final = _SheetForm(
    ScoreSheet,
    "score_sheet",
    counted="players",
    sides=forms.Many(forms.SEATS),
    scores=_BY_SEAT,
    final_scores=_BY_SEAT,
    boxes=forms.BySeat(forms.COUNT, 0, may_be_empty=True),
)
register(SheetRound, Fields(SheetRound, "sheet_round", number=forms.Whole(1)))


# ---------------------------------------------------------------------------- events


def event_name(kind: Any) -> str:
    """
    The name of a kind of event: ``hand-dealt`` for `HandDealt`.
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


EVENTS: Final[Mapping[str, type[Event]]] = {
    event_name(kind): kind
    for kind in vars(events).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
}
"""The library's own kinds of events by their names."""
_TOLD: Final[Mapping[str, Form[Any]]] = {
    "text": TEXT,
    "moves": forms.Many(Fields(CardMove, "card_move")),
}
"""The keys that an event has besides its own once it was told to a seat."""


def event_kinds() -> dict[str, type[Event]]:
    """
    All kinds of events by their names, those of third parties too.
    """
    found = dict(EVENTS)
    kinds = Event.__subclasses__()
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        found.setdefault(event_name(kind), kind)
    return found


@functools.cache
def _fields_of(kind: Any) -> Fields[Any]:
    return Fields(kind, f"event_{event_name(kind).replace('-', '_')}")


class _EventForm(Form[Event]):
    """
    What happened, as a seat may see it.
    """

    name = "event"

    def write(self, value: Event, names: Names = None) -> Any:
        kind: Any = type(value)
        return {"event": event_name(kind), **_fields_of(kind).write(value)}

    def read(self, given: object, path: str, at: Reading) -> Event:
        nothing: Event = self.nothing
        if not isinstance(given, Mapping):
            at.unfit(path, "an object", given)
            return nothing
        name, kinds = given.get("event"), event_kinds()
        if not isinstance(name, str) or name not in kinds:
            message = (
                "is missing" if "event" not in given else f"{said(name)} is unknown"
            )
            hint = nearest(name, kinds) if isinstance(name, str) else ""
            at.wrong(joined(path, "event"), message + hint)
            return nothing
        kind: Any = kinds[name]
        found = _fields_of(kind).values(given, path, at, ("event", *_TOLD))
        return nothing if found is None else kind(**found)

    def schema(self, defs: dict[str, Schema]) -> Schema:
        return {
            "description": "What happened, as a seat may see it.",
            "oneOf": [self._of(name, kind, defs) for name, kind in EVENTS.items()],
        }

    def _of(self, name: str, kind: Any, defs: dict[str, Schema]) -> Schema:
        fields = _fields_of(kind)
        found = fields.described(defs)
        own = defs[fields.name]
        if "event" not in own["properties"]:
            more = {key: form.described(defs) for key, form in _TOLD.items()}
            named = {"event": {"const": name}, "format": forms.FORMAT_SCHEMA}
            own["properties"] = named | own["properties"] | more
            own["required"] = ["event", *own["required"]]
        return found


EVENT: Final = _EventForm()


class _SeenEventForm(Form[SeenEvent]):
    """
    An event as it was told to a seat, with the cards that moved.
    """

    name = "seen_event"

    def write(self, value: SeenEvent, names: Names = None) -> Any:
        told = {key: form.write(getattr(value, key)) for key, form in _TOLD.items()}
        return EVENT.write(value.event) | told

    def read(self, given: object, path: str, at: Reading) -> SeenEvent:
        noted = len(at.problems.found)
        event = EVENT.read(given, path, at)
        found = {}
        told: Any = given if isinstance(given, Mapping) else _TOLD
        for key, form in _TOLD.items():
            if key in told:
                found[key] = form.read(told[key], joined(path, key), at)
            else:
                at.wrong(joined(path, key), "is missing")
        if len(at.problems.found) > noted:
            return self.nothing  # type: ignore[no-any-return]
        return SeenEvent(event, **found)

    def schema(self, defs: dict[str, Schema]) -> Schema:
        return {
            "description": "An event as it was told to a seat.",
            "allOf": [EVENT.described(defs), {"required": [*_TOLD]}],
        }


SEEN_EVENT: Final = _SeenEventForm()


# -------------------------------------------------------------------------- rulesets


@attrs.frozen(kw_only=True)
class RuleValue:
    """
    A policy value.

    Attributes:
        value: The value.
        rule: The rule that it states.
        set_by: The preset, option or file that set it.
    """

    value: Any
    rule: str
    set_by: str


@attrs.frozen(kw_only=True)
class ValueChange:
    """
    A single value that was changed.

    Attributes:
        name: Its name, such as 'match.target'.
        value: The value.
        rule: The rule that it states, if it was given.
        set_by: What changed it.
    """

    name: str
    value: Any
    rule: str | None
    set_by: str


@attrs.frozen(kw_only=True)
class RulesetDocument:
    """
    The rules of a game, with where each value came from.

    Attributes:
        name: The name.
        title: The title.
        preset: The preset on which they are built.
        version: The version of the preset, which moves when it plays differently.
        source: The document that the preset comes from.
        options: Options by their ids, such as 'PGV-P4' or 'PGV-E5=2500'.
        option_files: For options from a rules file, the name of the file.
        changes: Single values changed after the options, in order.
        values: All values.
        parts: Where parts of values came from.
    """

    name: str
    title: str
    preset: str
    version: int
    source: str = ""
    options: tuple[str, ...] = ()
    option_files: Mapping[str, str] = {}
    changes: tuple[ValueChange, ...] = ()
    values: Mapping[str, RuleValue] = {}
    parts: Mapping[str, Origin] = {}


class _RulesetForm(Fields[Any]):
    """
    Rules, built again from their preset, options and changes.
    """

    def write(self, value: Ruleset, names: Names = None) -> Any:
        RULES.write(value)  # refuses what could not be read again
        values = value.values()
        return super().write(
            RulesetDocument(
                name=value.name,
                title=value.title,
                preset=value.base,
                version=value.version,
                source=value.source,
                options=value.options,
                option_files=dict(value.files),
                changes=tuple(
                    ValueChange(name=path, value=plain(one), rule=rule, set_by=set_by)
                    for path, (one, rule, set_by) in value.changes
                ),
                values={
                    path: RuleValue(
                        value=plain(one), rule=origin.rule, set_by=origin.set_by
                    )
                    for path, one in values.items()
                    for origin in [value.origin(path)]
                },
                parts={
                    path: one
                    for path, one in value.origins.items()
                    if path not in values
                },
            )
        )

    def read(self, given: object, path: str, at: Reading) -> Ruleset:
        nothing: Ruleset = self.nothing
        document: RulesetDocument | None = super().read(given, path, at)
        if document is None:
            return nothing
        noted = len(at.problems.found)
        if document.preset not in presets():
            at.wrong(joined(path, "preset"), no_preset(document.preset))
        for key, text in self._lines(document):
            if text is not None and not (text and is_line(text)):
                at.wrong(joined(path, key), ONE_LINE)
        if len(at.problems.found) > noted:
            return nothing
        try:
            rules = build(
                document.preset,
                document.options,
                [
                    (one.name, (one.value, one.rule, one.set_by))
                    for one in document.changes
                ],
                name=document.name,
                title=document.title,
            )
        except RulesError as error:
            for message in error.problems:
                at.problems.add(path, message, *error.rules)
            return nothing
        if document.version != rules.version:
            message = (
                f"this library has version {rules.version} of {document.preset}, which "
                f"may play differently from version {document.version}"
            )
            at.wrong(joined(path, "version"), message)
        return shared(attrs.evolve(rules, files=tuple(document.option_files.items())))

    def _lines(self, given: RulesetDocument) -> Sequence[tuple[str, str | None]]:
        """
        The texts that have to be lines, with their keys.
        """
        found: list[tuple[str, str | None]] = [
            ("name", given.name),
            ("title", given.title),
        ]
        for at, one in enumerate(given.changes):
            found.append((f"changes[{at}].rule", one.rule))
            found.append((f"changes[{at}].set_by", one.set_by))
        return found


RULESET: Final = _RulesetForm(
    RulesetDocument,
    "ruleset",
    option_files=forms.Table(TEXT),
    values=forms.Table(Fields(RuleValue, "rule_value")),
    parts=forms.Table(Fields(Origin, "value_origin")),
)
