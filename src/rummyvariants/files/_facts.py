"""
The forms of facts that only a game has: rules, melds, zones, what was drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal

import attrs

from rummyvariants._support.words import figure
from rummyvariants.actions import Action, Deal
from rummyvariants.cards import Card
from rummyvariants.errors import ParseError, PositionError, RequestError, RulesError
from rummyvariants.files._forms import (
    ANYTHING,
    CARD,
    CARDS,
    COUNT,
    HAND,
    POINTS,
    SEAT,
    SEATS,
    TEXT,
    BySeat,
    Fields,
    Form,
    Many,
    Maybe,
    Names,
    Reading,
    Schema,
    SeatsOrAll,
    Table,
    is_exact,
    register,
)
from rummyvariants.files._melds import TableMeld, dealers_wild_text, meld_text
from rummyvariants.files._problems import joined, said
from rummyvariants.game._engine.beginning import check_seed
from rummyvariants.game._round import Column, RoundResult, ScoreItem
from rummyvariants.game.verbs._known import parse_action, verbs_of
from rummyvariants.game.verbs._short import short_form
from rummyvariants.house.answers import GoOn
from rummyvariants.house.facts import Location
from rummyvariants.house.rules import HouseRule, rule_spelled
from rummyvariants.rules._files import read_rules
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rules._variants import PATCHED


NOT_EXACT: Final = (
    "they cannot be written exactly: a rule has to be registered, and named in them"
)
WORDS: Final[Mapping[str, str]] = {
    "stock": "stock",
    "take": "discards",
    "rummy": "call",
    "rule": "rule",
}
"""The words of a file for the source of the cards that began a turn."""


# ----------------------------------------------------------------------------- rules


def plain(given: Any) -> Any:
    """
    A value of a rules table in the types that JSON has.
    """
    match given:
        case Mapping():
            return {str(name): plain(one) for name, one in given.items()}
        case HouseRule():
            return plain(rule_spelled(given))
        case tuple() if given and all(
            isinstance(one, tuple) and len(one) == 2 for one in given
        ):
            return {str(name): plain(one) for name, one in given}
        case tuple() | list() | set() | frozenset():
            return [plain(one) for one in given]
        case bool() | int() | str() | None:
            return given
        case _:
            return str(given)


def rules_table(rules: Ruleset) -> str | dict[str, Any]:
    """
    The value of ``rules`` in a file: a preset's name, or a table.
    """
    rules = rules.of_table
    if not rules.options and not rules.changes:
        return rules.base
    table: dict[str, Any] = {"extends": rules.base}
    if rules.name != rules.base:
        table["name"] = rules.name
    if rules.options:
        table["with"] = list(rules.options)
    changed: dict[str, list[dict[str, Any]]] = {}
    for path, (value, rule, set_by) in rules.changes:
        if path.endswith(".rules") and value:
            cited = rule  # each house rule is cited by its own id or name
        elif path.partition(".")[2] in PATCHED:
            cited = rule or set_by
        else:
            cited = rules.rule_of(path)
        entry = {"value": value}
        if cited and cited != table.get("name"):
            entry["rule"] = cited  # a table with a name cites that by itself
        changed.setdefault(path, []).append(entry)
    for path, entries in changed.items():
        section, _, name = path.partition(".")
        first = entries[0] if "rule" in entries[0] else entries[0]["value"]
        # Entries of a table and house rules may have been added one after another.
        table.setdefault(section, {})[name] = entries if entries[1:] else first
    return table


class _Rules(Form[Ruleset]):
    """
    Rules: the name of a preset, or a table as in a rules file.
    """

    name = "rules"

    def write(self, value: Ruleset, names: Names = None) -> Any:
        """
        As for every form, but rules that could not be read again are refused, once.

        Raises:
            RulesError: If rules read from it would be different.
        """
        rules = value.of_table
        key = "as data"
        if key not in rules._memo:
            table = rules_table(rules)
            data = table if isinstance(table, str) else plain(table)
            try:
                same = read_rules(data) == rules
            except RulesError:
                same = False
            if not same:
                raise RulesError(NOT_EXACT)
            rules._memo[key] = data
        found = rules._memo[key]
        return found if isinstance(found, str) else plain(found)

    def read(self, given: object, path: str, at: Reading) -> Ruleset:
        try:
            at.rules = read_rules(given)
        except RulesError as error:
            for message in error.problems:
                at.wrong(path, message)
        return at.rules  # type: ignore[no-any-return]

    def schema(self, defs: dict[str, Schema]) -> Schema:
        table = {"type": "object", "required": ["extends"]}
        return {
            "description": "The name of a preset, or a table as in a rules file.",
            "anyOf": [{"type": "string"}, table],
        }


RULES: Final = _Rules()


class _Rank(Form[str]):
    """
    A rank, or nothing.
    """

    nothing = ""

    def read(self, given: object, path: str, at: Reading) -> str:
        text = TEXT.read(given, path, at)
        return text if at.names is None else text.upper().replace("10", "T")

    def schema(self, defs: dict[str, Schema]) -> Schema:
        return {"type": "string", "pattern": "^[2-9TJQKA]?$"}


RANK: Final = _Rank()


class _Seed(Form[int | str | None]):
    """
    The seed of shuffles.
    """

    def read(self, given: object, path: str, at: Reading) -> int | str | None:
        seed: Any = given
        try:
            check_seed(seed)
        except RulesError as error:
            at.problems.add(path, str(error), *error.rules)
            return None
        return seed  # type: ignore[no-any-return]

    def schema(self, defs: dict[str, Schema]) -> Schema:
        return {"type": ["integer", "string", "null"]}


SEED: Final = _Seed()


class _Owner(Maybe[int]):
    """
    A seat, -1 for none; null in JSON.
    """

    def write(self, value: int | None, names: Names = None) -> Any:
        return super().write(None if value == -1 else value, names)

    def read(self, given: object, path: str, at: Reading) -> int:
        found = super().read(given, path, at)
        return -1 if found is None else found


OWNER: Final = _Owner(SEAT)
register(Location, Fields(Location, "location", seat=OWNER))


# --------------------------------------------------------------------------- actions


def action_of(
    text: str, seat: int | None, path: str, key: str, at: Reading
) -> Action | None:
    """
    The action of a seat; None, with a note, if it cannot be read.

    Args:
        text: The action in the notation.
        seat: The seat.
        path: The place of the object that holds them.
        key: The key of the text.
        at: What is known.
    """
    place = joined(path, key)
    if text.lstrip()[:1].isdigit():
        at.wrong(place, f"name the seat in the key 'seat', not in {said(text)}")
        return None
    try:
        action = parse_action(text, seat)
    except RequestError as error:
        at.wrong(joined(path, "seat"), str(error))
    except ParseError as error:
        at.wrong(place, str(error))
    else:
        if not isinstance(action, Deal) or seat is None:
            return action
        message = "a deal is an action of chance: give null"
        at.wrong(joined(path, "seat"), message)
    return None


class _ActionForm(Fields[Any]):
    """
    An action in the notation, and its seat.
    """

    def write(self, value: Action, names: Names = None) -> Any:
        return {"seat": value.seat, "action": str(value)}

    def read(self, given: object, path: str, at: Reading) -> Action | None:
        found: ActionDocument | None = super().read(given, path, at)
        if found is None:
            return None
        return action_of(found.action, found.seat, path, "action", at)


@attrs.frozen(kw_only=True)
class ActionDocument:
    """
    An action in the notation, and its seat.

    Attributes:
        seat: The seat; null for a deal.
        action: The action, such as 'meld 7h 8h 9h'.
    """

    seat: int | None
    action: str


ACTION: Final = _ActionForm(ActionDocument, "action")


@attrs.frozen(eq=False, repr=False)
class InShort(Action):
    """
    An action of a record in a short form, which waits for the state to complete it.

    Attributes:
        text: The short form, without the seat.
    """

    text: str
    seat: int | None = None

    def __str__(self) -> str:
        return self.text


class _ActionLine(Form[Action]):
    """
    An action as a record writes it: a line with its seat.

    What is read may be in short: see `InShort`.
    """

    def write(self, value: Action, names: Names = None) -> Any:
        return str(value) if value.seat is None else f"{value.seat}: {value}"

    def read(self, given: object, path: str, at: Reading) -> Action:
        nothing: Action = self.nothing
        if not isinstance(given, str):
            at.unfit(path, "an action as a text", given)
            return nothing
        try:
            verbs = None if at.rules is None else {*verbs_of(at.rules), "deal"}
            action = parse_action(given, verbs=verbs)
        except ParseError as error:
            short = short_form(given)
            if short is None:
                at.wrong(path, str(error))
                return nothing
            seat, verb, words = short
            action = InShort(" ".join((verb, *words)), seat)
        if action.seat is None and not str(action).startswith("deal"):
            at.wrong(path, f"{given!r} names no seat: write {f'0: {given}'!r}")
        elif action.seat is not None and at.seats and action.seat >= at.seats:
            last = at.seats - 1
            message = f"there is no seat {action.seat}; seats go from 0 to {last}"
            at.wrong(path, f"{given!r}: {message}")
        return action

    def schema(self, defs: dict[str, Schema]) -> Schema:
        return TEXT.schema(defs)


ACTION_LINE: Final = _ActionLine()


# ----------------------------------------------------------------------------- melds


class _MeldForm(Fields[TableMeld]):
    """
    A meld on the table: an object in JSON, who laid what as a text in a file.
    """

    def write(self, value: TableMeld, names: Names = None) -> Any:
        if names is None:
            return super().write(value)
        return (meld_text if value.number else dealers_wild_text)(value, names)


MELD: Final = _MeldForm(TableMeld, "meld", rare=("doubled",))
register(TableMeld, MELD)


# ---------------------------------------------------------------------------- scores

SCORE_ITEM: Final = Fields(ScoreItem, "score_item")
register(ScoreItem, SCORE_ITEM)
RESULT: Final = Fields(
    RoundResult,
    "result",
    without=("players",),
    rare=("payments",),
    points=BySeat(POINTS, 0),
)
register(RoundResult, RESULT)


class _Column(Fields[Column]):
    """
    A column of the score; a file may leave out zeros, and the bonuses, which follow.
    """

    def read(self, given: object, path: str, at: Reading) -> Column:
        if at.names is not None and isinstance(given, Mapping):
            given = {"scores": {}, "boxes": {}, **given}
        return super().read(given, path, at)

    def write(self, value: Column, names: Names = None) -> Any:
        found = super().write(value, names)
        if names is not None:
            found.pop("bonuses", None)
            if not value.winners:
                del found["winners"]
        return found

    def differences(
        self, there: Column, given: object, path: str, at: Reading
    ) -> Iterator[str]:
        if not isinstance(given, Mapping):
            at.unfit(path, "a table", given)
            return
        final = BySeat(POINTS, 0)
        for key, wanted in given.items():
            form, _ = self.forms.get(key, (final, None))
            if key not in self.forms and key != "final_scores":
                yield f"there is no key {key!r}"
                continue
            place = joined(path, key)
            lines = form.differences(getattr(there, key), wanted, place, at)
            yield from (f"{key}: {one}" for one in lines)


COLUMN: Final = _Column(
    Column,
    "column",
    scores=BySeat(POINTS, 0),
    boxes=BySeat(COUNT, 0, may_be_empty=True),
    winners=SEATS,
)
register(Column, COLUMN)


class _Columns(Many[Column]):
    """
    All columns of the score.
    """

    def differences(
        self, there: tuple[Column, ...], given: object, path: str, at: Reading
    ) -> Iterator[str]:
        if not isinstance(given, list | tuple):
            at.unfit(path, "a list of tables", given)
        elif len(given) != len(there):
            wanted = figure(len(given), "column")
            yield f"expected {wanted}, but there are {len(there)}"
        else:
            for number, pair in enumerate(zip(there, given, strict=True), 1):
                place = f"column {number}"
                lines = COLUMN.differences(*pair, place, at)
                yield from (f"{place}, {one}" for one in lines)


COLUMNS: Final = _Columns(COLUMN, "a list of tables")


# ------------------------------------------------------------------- what was drawn


@attrs.frozen(kw_only=True)
class OwedCard:
    """
    A card that was drawn on condition.

    Attributes:
        card: The card.
        how: What has to be done with it.
        value: The policy value or house rule that asks for it.
    """

    card: Card
    how: str = ""
    value: str = ""


class _Owed(Many[OwedCard]):
    """
    The cards drawn on condition; in a file only which they are.
    """

    def write(self, value: tuple[OwedCard, ...], names: Names = None) -> Any:
        if names is None:
            return super().write(value)
        return CARDS.write([one.card for one in value], names)

    def read(self, given: object, path: str, at: Reading) -> tuple[OwedCard, ...]:
        if at.names is None:
            return super().read(given, path, at)
        return tuple([OwedCard(card=one) for one in CARDS.read(given, path, at)])


OWED: Final = _Owed(Fields(OwedCard, "owed_card"))


@attrs.frozen(kw_only=True)
class DrawnCards:
    """
    What the player in turn drew, and the changes of that hand since.

    Attributes:
        source: Where the cards came from.
        cards: The cards, the deepest of the pile first.
        spent: The cards that have left the hand since.
        gained: The cards that have come to it since.
        number: How many came from the stock, if they are not known.
    """

    source: Literal["stock", "discards", "call", "rule"]
    cards: tuple[Card, ...]
    spent: tuple[Card, ...] = ()
    gained: tuple[Card, ...] = ()
    number: int | None = None


class _Drawn(Fields[DrawnCards]):
    """
    What was drawn: in a file a word and the cards, as in ``take 5h 6h``.
    """

    nothing = DrawnCards(source="stock", cards=())

    def write(self, value: DrawnCards, names: Names = None) -> Any:
        if names is None:
            return super().write(value)
        word = next(word for word, one in WORDS.items() if one == value.source)
        return f"{word} {CARDS.write(value.cards, names)}".strip()

    def read(self, given: object, path: str, at: Reading) -> DrawnCards:
        if at.names is None:
            return super().read(given, path, at)
        word, _, words = str(given).strip().partition(" ")
        cards = CARDS.read(words, path, at)
        rules = at.rules
        one = word == "stock" and "cards_drawn" not in rules.asked
        none = word == "rule"
        if word not in WORDS or (not cards) != none or (one and len(cards) != 1):
            message = "write 'stock 5h', 'take 5h 6h', the oldest card first, or "
            message += "'rummy 5h 6h' for a turn that a call began"
            if GoOn in rules.effects:
                message += ", or 'rule' where a rule lets it go on without a draw"
            at.problems.add(path, message, "RV-07")
            return DrawnCards(source="stock", cards=cards)
        return DrawnCards(source=WORDS[word], cards=cards)  # type: ignore[arg-type]


DRAWN: Final = _Drawn(DrawnCards, "drawn", rare=("number",), number=Maybe(COUNT))


# ------------------------------------------------------------------------ open to all


@attrs.frozen(kw_only=True)
class OpenFrame:
    """
    A phase in progress.

    Attributes:
        phase: Its name.
        seat: The seat that it is about.
        waiting: The seats that may act.
        notes: What it remembers, as numbers that everybody knows.
        secrets: The same, as numbers that nobody knows.
    """

    phase: str
    seat: int
    waiting: tuple[int, ...]
    notes: tuple[int, ...] = ()
    secrets: tuple[int, ...] = ()


FRAMES: Final = Many(
    Fields(OpenFrame, "frame", notes=Many(POINTS), secrets=Many(COUNT))
)


@attrs.frozen(kw_only=True)
class ZoneCards:
    """
    Cards that lie apart by some rule.

    Attributes:
        name: The name of the zone.
        owner: Whose it is; null if it is nobody's.
        size: How many cards lie there.
        cards: The cards; null if they are not known.
        seen_by: The seats that know them; null for everybody.
    """

    name: str
    owner: int
    size: int
    cards: tuple[Card, ...] | None
    seen_by: tuple[int, ...] | None


class _Zones(Many[ZoneCards]):
    """
    The zones: in a file a table by name, with cards or with cards by seat.
    """

    def write(self, value: tuple[ZoneCards, ...], names: Names = None) -> Any:
        if names is None:
            return super().write(value)
        found: dict[str, Any] = {}
        for zone in value:
            cards = CARDS.write(zone.cards or (), names)
            if zone.owner < 0:
                found[zone.name] = cards
            elif isinstance(found.setdefault(zone.name, {}), dict):
                found[zone.name][names[zone.owner]] = cards
            else:
                msg = f"the zone {zone.name!r} belongs both to nobody and to a seat"
                raise PositionError(msg)
        return found

    def read(self, given: object, path: str, at: Reading) -> tuple[ZoneCards, ...]:
        if at.names is None:
            return super().read(given, path, at)
        if not isinstance(given, Mapping):
            at.wrong(path, "give a table by zone")
            return ()
        return tuple(
            one
            for name, cards in given.items()
            for one in self.named(str(name), cards, f"{path}.{name}", at)
        )

    def in_order(self, value: tuple[ZoneCards, ...]) -> tuple[ZoneCards, ...]:
        return tuple([attrs.evolve(one, cards=_sorted(one.cards)) for one in value])

    def named(
        self, name: str, given: object, path: str, at: Reading
    ) -> Iterator[ZoneCards]:
        """
        The zones of one name.
        """
        each: Iterable[tuple[int, tuple[Card, ...]]]
        if isinstance(given, Mapping):
            each = BySeat(CARDS, ()).entries(given, path, at)
        else:
            each = [(-1, CARDS.read(given, path, at))]
        for owner, cards in each:
            yield zone_of(name, owner, cards, at.rules)


def _sorted(cards: tuple[Card, ...] | None) -> tuple[Card, ...]:
    return HAND.in_order(cards or ())


def zone_of(
    name: str, owner: int, cards: tuple[Card, ...], rules: Ruleset
) -> ZoneCards:
    """
    A zone, seen by those who see it by the rules; by all if no rule says otherwise.
    """
    shown = {pile.name: pile.shown for _, rule in rules.house for pile in rule.piles}
    seen_by: tuple[int, ...] | None = None
    if shown.get(name) == "owner" and owner >= 0:
        seen_by = (owner,)
    elif shown.get(name) == "nobody":
        seen_by = ()
    return ZoneCards(
        name=name, owner=owner, size=len(cards), cards=cards, seen_by=seen_by
    )


ZONES: Final = _Zones(Fields(ZoneCards, "zone", owner=OWNER, seen_by=SeatsOrAll()))


@attrs.frozen(kw_only=True)
class DroppedSeat:
    """
    A seat that has left the round.

    Attributes:
        seat: The seat.
        points: What that costs it.
        by: The policy value that says so.
    """

    seat: int
    points: int
    by: str


class _Dropped(Many[DroppedSeat]):
    """
    The seats that have left the round: in a file a table of points.
    """

    def write(self, value: tuple[DroppedSeat, ...], names: Names = None) -> Any:
        if names is None:
            return super().write(value)
        return {names[one.seat]: one.points for one in value}

    def read(self, given: object, path: str, at: Reading) -> tuple[DroppedSeat, ...]:
        if at.names is None:
            return super().read(given, path, at)
        leaving = at.rules.out.leaving
        return tuple(
            DroppedSeat(
                seat=seat, points=points, by=leaving.get(points, "out.later_drop")
            )
            for seat, points in sorted(BySeat(POINTS, 0).entries(given, path, at))
        )

    def differences(
        self, there: tuple[DroppedSeat, ...], given: object, path: str, at: Reading
    ) -> Iterator[str]:
        points = dict.fromkeys(range(len(at.names or ())), 0)
        points |= {one.seat: one.points for one in there}
        by_seat = BySeat(POINTS, 0)
        yield from by_seat.differences(tuple(points.values()), given, path, at)


DROPPED: Final = _Dropped(Fields(DroppedSeat, "dropped_seat"))


class _Memory(Table[Any]):
    """
    What rules remember. TOML has no null, so a file writes ``{}`` for nothing.
    """

    def write(self, value: Mapping[str, Any], names: Names = None) -> Any:
        return {name: self._told(one, names) for name, one in value.items()}

    def _told(self, value: Any, names: Names) -> Any:
        if isinstance(value, Mapping):
            return {name: self._told(one, names) for name, one in value.items()}
        if isinstance(value, tuple):
            return [self._told(one, names) for one in value]
        return {} if value is None and names is not None else value

    def read(self, given: object, path: str, at: Reading) -> Mapping[str, Any]:
        found = super().read(given, path, at)
        return {name: self._kept(one, at) for name, one in found.items()}

    def _kept(self, value: Any, at: Reading) -> Any:
        if isinstance(value, Mapping) and not value and at.names is not None:
            return None
        if isinstance(value, list | tuple):
            return tuple([self._kept(one, at) for one in value])
        if isinstance(value, float) and is_exact(value):
            return int(value)
        return value


# ------------------------------------------------------------------------- knowledge


@attrs.frozen(kw_only=True)
class SeenCards:
    """
    Cards that some seats saw as they moved.

    Attributes:
        cards: The cards.
        to: Where they went: 'hand', 'stock', 'discards', 'table', or a zone.
        owner: Whose place that is; null if it is nobody's.
        seen_by: The seats that saw them; null for everybody.
    """

    cards: tuple[Card, ...]
    to: str
    owner: int
    seen_by: tuple[int, ...] | None


SIGHTS: Final = Many(
    Many(Fields(SeenCards, "sight", owner=OWNER, seen_by=SeatsOrAll()))
)


@attrs.frozen(kw_only=True)
class KnownCards:
    """
    Cards that some others know to be in a hand.

    Attributes:
        seat: Whose hand it is.
        cards: The cards.
        seen_by: The seats that know them.
    """

    seat: int
    cards: tuple[Card, ...]
    seen_by: tuple[int, ...]


KNOWN_BY_SOME: Final = Many(Fields(KnownCards, "known_cards", seen_by=SEATS))
MAYBE_CARDS: Final = Many(Maybe(CARD))
MEMORY: Final = _Memory(ANYTHING, "a table by rule, such as 'draw.its name'")
