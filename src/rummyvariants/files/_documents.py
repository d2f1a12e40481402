"""
Documents: positions and views as plain values, a slot for each fact.

The fields of these classes are the one table of such facts. Each has its key, the same
in scenario files and in JSON, its form, how it is got from a state, what it is if left
out, and whether files have it. Positions, expectations, JSON, its schema and the page
of keys are made from it; `_states` makes states of documents.
"""

from __future__ import annotations

import functools

from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs

from rummyvariants.actions import Action, Deal
from rummyvariants.cards import CARDS as EVERY_CARD
from rummyvariants.cards import COPIES, Card, as_cards, differences, pack, size
from rummyvariants.errors import PositionError
from rummyvariants.files import _facts as facts
from rummyvariants.files import _forms as forms
from rummyvariants.files._facts import (
    DrawnCards,
    DroppedSeat,
    KnownCards,
    OpenFrame,
    OwedCard,
    SeenCards,
    ZoneCards,
)
from rummyvariants.files._forms import BySeat, Form, Many, Maybe
from rummyvariants.files._invariants import is_partial
from rummyvariants.files._melds import TableMeld, laid_on, meld_document
from rummyvariants.game._round import (
    ANSWERS,
    BETWEEN_ROUNDS,
    Column,
    History,
    RoundResult,
    ScoreItem,
    Zone,
    knows,
)
from rummyvariants.game._state import State, seats_of
from rummyvariants.game._views import View
from rummyvariants.game.verbs._calling import callers
from rummyvariants.house.facts import ASIDE, LAID_BEFORE, left_round
from rummyvariants.rules._ruleset import Ruleset


DRAWN: Final = ("play", "answer")
"""The phases in which a player has drawn."""
WHOLE: Final = -1
"""The seat that sees everything."""


@attrs.define
class Shown:
    """
    A state as somebody sees it.

    Attributes:
        state: The state, or the world of a view.
        seat: The seat; None for a spectator, `WHOLE` for all of it.
        view: The view, if there is one.
    """

    state: State
    seat: int | None = WHOLE
    view: View | None = None

    @functools.cached_property
    def hand(self) -> int:
        """
        The hand of the player in turn as a multiset, if it is not secret; else 0.
        """
        turn = self.state.turn
        return self.state._hands[turn] if self.seat in {WHOLE, turn} else 0

    @functools.cached_property
    def past(self) -> list[History]:
        """
        The steps of the round, from where it begins.
        """
        found = []
        node: History | None = self.state._history
        while node is not None:
            found.append(node)
            node = None if isinstance(node.action, Deal) else node.before
        found.reverse()
        return found


@attrs.frozen
class Slot:
    """
    A fact of a position.

    Attributes:
        form: How it is written and read.
        of: How it is got from a state.
        in_files: Whether positions in files have it.
        always: Whether it is written in files even if it says nothing.
        phases: The phases to which it belongs; none for all.
    """

    form: Form[Any]
    of: Callable[[Shown], Any]
    in_files: bool = False
    always: bool = False
    phases: tuple[str, ...] = ()


def _slot(
    form: Form[Any],
    of: Callable[[Shown], Any] | str,
    default: Any = attrs.NOTHING,
    **more: Any,
) -> Any:
    """
    A field of a document. A name stands for that property of the state.
    """
    if isinstance(of, str):
        name = of

        def of(shown: Shown) -> Any:
            return getattr(shown.state, name)

    metadata = {"slot": Slot(form, of, **more), "form": form}
    return attrs.field(default=default, metadata=metadata)


def _file(form: Form[Any], of: Any, default: Any = attrs.NOTHING, **more: Any) -> Any:
    """
    The same with a key in files.
    """
    return _slot(form, of, default, in_files=True, **more)


# ------------------------------------------------------------- how facts are got


def _mask(mask: int) -> tuple[int, ...] | None:
    return None if mask < 0 else seats_of(mask)


def _drawn(shown: Shown) -> DrawnCards | None:
    drawn = shown.state.drawn
    if not drawn.source:
        return None
    held = drawn.held + pack(drawn._cards) - shown.hand
    spent, gained = over_and_lacking(held)
    return DrawnCards(
        source=drawn.source,
        cards=drawn.cards,
        spent=spent,
        gained=gained,
        number=drawn.number,
    )


def over_and_lacking(difference: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """
    The difference of two multisets: the cards left over, and the cards missing.

    Raises:
        PositionError: If it is not such a difference.
    """
    over: list[Card] = []
    lack: list[Card] = []
    for code, number in differences(difference):
        card = EVERY_CARD[code]
        if not card.rank or abs(number) > COPIES[code]:
            msg = "the hand before the draw does not follow from the hand now"
            raise PositionError(msg)
        (over if number > 0 else lack).extend([card] * abs(number))
    return tuple(over), tuple(lack)


def _owed(shown: Shown) -> tuple[OwedCard, ...]:
    return tuple(
        OwedCard(card=EVERY_CARD[one.code], how=one.how, value=one.path)
        for one in shown.state.drawn.duties
    )


def _frames(shown: Shown) -> tuple[OpenFrame, ...]:
    return tuple(
        OpenFrame(
            phase=frame.phase,
            seat=frame.seat,
            waiting=seats_of(frame.waiting),
            notes=frame.notes,
            secrets=frame.secrets,
        )
        for frame in shown.state.frames
    )


def _zone(zone: Zone, seat: int | None) -> ZoneCards:
    known = seat == WHOLE or knows(zone._seen, seat)
    return ZoneCards(
        name=zone.name,
        owner=zone.seat,
        size=len(zone.cards),
        cards=zone.cards if known else None,
        seen_by=_mask(zone._seen),
    )


def _sights(shown: Shown) -> tuple[tuple[SeenCards, ...], ...]:
    """
    What seats saw at each step, the deal first; empty if there was nothing to see.
    """
    found = [
        tuple(
            SeenCards(
                cards=tuple(EVERY_CARD[code] for code in cards),
                to=there.name,
                owner=there.seat,
                seen_by=_mask(mask),
            )
            for mask, cards, there in node._seen
        )
        for node in shown.past
    ]
    return tuple(found) if any(found) else ()


def _melds(shown: Shown) -> tuple[TableMeld, ...]:
    table = shown.state._table
    return tuple([meld_document(meld, at) for at, meld in enumerate(table, 1)])


def _dealers_wild(shown: Shown) -> TableMeld | None:
    meld = shown.state.dealer_wild
    return None if meld is None else meld_document(meld, 0)


def _laid_before(shown: Shown) -> tuple[int, ...]:
    noted = dict(shown.state._memory).get(LAID_BEFORE, 0)
    return seats_of(noted)


def _is_partial(shown: Shown) -> bool:
    state = shown.state
    sizes = [*map(size, state._hands)]
    return is_partial(state, sizes, has_drawn=bool(state.drawn.source))


# ------------------------------------------------------------------------- the slots


@attrs.frozen(kw_only=True)
class TableDocument:
    """
    What is open to all, in views and positions alike.

    Attributes:
        rules: The rules.
        seats: The players, clockwise; play goes round in this order.
        dealer: Who dealt; the last seat if left out.
        turn: Whose turn it is; the seat after the dealer if left out; while several
            may act, the seat that plays next.
        phase: The stage of the turn; ``draw`` if left out.
        frames: The turn in progress and what interrupts it, the last to be done first.
        wild: The rank that is wild in this deal; leave it out if there is none.
        indicator: The card turned up only to show what is wild (PGV-D6).
        upcard: The card that began the discard pile, where a rule depends on it
            (GRV-05a).
        dealer_wild: The dealer's wild on the table (HR-04): ``"4h"``; or, built on,
            ``"4h | S: 9h 9d | E: 9s"``, with the suit that it stands for where
            suits matter, ``"4h=9c | S: 9h 9d"``.
        upcards: By seat, the cards dealt face up that were kept.
        shown: By seat, the cards of the hand that everybody knows.
        discards: The discard pile, the oldest card first.
        table: The melds, in the order of their numbers.
        floating: The seats that float (PG-19); an empty hand has the same meaning.
        out: The seats that are out while others have a last turn (HR-08, PGV-E3,
            THR-09); in phase ``layoff``, the seat that has knocked.
        dropped: The seats that have left this round, with the points that it costs
            them, as in ``{ S = 20 }`` (IND-17); if left out, none.
        drawn: In phases ``play`` and ``answer``: what was drawn, ``"stock 5h"`` or
            ``"take 5h 6h"``; ``"rummy 5h 6h"`` for the cards that a call took from
            the pile, where it begins a turn; ``"rule"`` where a house rule lets the
            turn go on without a draw.
        owed: In phases ``play`` and ``answer``: which of the cards drawn must still be
            used, ``""`` for none; if left out, all that the rules require.
        laid: In phases ``play`` and ``answer``: ``true`` if a card was laid this turn
            (RV-01).
        melds_made: In phase ``play``: how many new melds were made this turn
            (BR-05); if left out, 0.
        laid_before: The seats that had laid a card before their present turn
            (BR-11); if left out, all that have a card on the table.
        had_last_turn: The seats that have had their last turn since a player went
            out (R5V-37, THR-09); if left out, none.
        idle_turns: Successive turns without progress (RV-01); if left out, 0.
        turns_taken: How many turns each seat has finished in this round; if left
            out, 1 each, so that rules for first turns do not apply, and 0 in phase
            ``offer``.
        turned: How often the discard pile was turned over in this round (BR-09); if
            left out, 0.
        fresh: ``false`` if no card has reached the table since the pile was last
            turned over (RV-08).
        round: The number of the round, from 1.
        scores: The totals of the match before this round, by seat.
        boxes: The rounds that each seat has won, where boxes count (GR-13); if left
            out, 0 each.
        paid: What each seat was paid after earlier rounds, beside the points
            (INV-11); negative if it has paid; if left out, 0 each.
        columns: The columns of a score kept in several (GRV-09): a list of tables
            with ``scores``, ``boxes`` and, for a column that is won, ``winners``;
            if left out, new columns.
        bonuses: What was added at the end of the match.
        winners: Who has won the match.
        result: The result of the last round that ended.
        next_dealer: Who deals next; null if chance decides.
        thrown_in: How many deals of the coming round were abandoned.
        redeals: How many deals were abandoned before this one.
        zones: Cards that a rule keeps apart, by the name that it gives them:
            ``{ "cellar" = { Ann = "3h" } }``, or only the cards where they belong to
            nobody. Hands that have left the round are called ``dropped``. Who sees the
            cards follows from the rules. Where a position is filled, what a deal lays
            apart lies there unless this is given: ``{}`` for nothing.
        memory: What house rules remember, by section and name: ``{ "draw.one take a
            round" = [0, 1] }``, or ``{}`` for nothing; what is left out has its
            first value. Under ``points``, what rules have awarded in the round:
            ``[[0, -10, "for passing the draw", "", "draw.rules.pass the draw"]]``.
        partial: ``true`` if not everything is shown: where melds stay in the hand,
            a hand may have any size, and not the one that was dealt or after the
            draw one card more; and melds need not be the contract of the round. If
            left out, ``false``.
        known_by_some: Cards that some others know to be in a hand.
        actions: What the players have done in the round.
        sights: What seats saw at the deal and at each action.
    """

    rules: Ruleset = _slot(facts.RULES, "rules")
    seats: tuple[str, ...] = _file(Many(forms.TEXT), "players", always=True)
    dealer: int | None = _file(forms.SEAT_OR_NONE, "dealer", always=True)
    turn: int = _file(forms.SEAT, "turn", always=True)
    phase: str = _file(forms.TEXT, "phase", always=True)
    frames: tuple[OpenFrame, ...] = _slot(facts.FRAMES, _frames)
    wild: str = _file(facts.RANK, "wild_rank", "")
    indicator: Card | None = _file(
        Maybe(forms.CARD), lambda s: s.state.dealt.indicator, None
    )
    upcard: Card | None = _file(Maybe(forms.CARD), lambda s: s.state.dealt.upcard, None)
    dealer_wild: TableMeld | None = _file(Maybe(facts.MELD), _dealers_wild, None)
    upcards: tuple[tuple[Card, ...], ...] = _slot(
        BySeat(forms.CARDS, ()), lambda s: s.state.dealt.upcards
    )
    shown: tuple[tuple[Card, ...], ...] = _slot(
        BySeat(forms.CARDS, ()), lambda s: tuple(map(tuple, s.state.seen_in_hands))
    )
    discards: tuple[Card, ...] = _file(forms.CARDS, "discards", always=True)
    table: tuple[TableMeld, ...] = _file(Many(facts.MELD), _melds, always=True)
    floating: tuple[int, ...] = _file(forms.SEATS, "floating", ())
    out: tuple[int, ...] = _file(forms.SEATS, "out", ())
    dropped: tuple[DroppedSeat, ...] = _file(
        facts.DROPPED,
        lambda s: tuple(
            DroppedSeat(seat=seat, points=points, by=by)
            for seat, points, by in left_round(s.state)
        ),
        (),
    )
    drawn: DrawnCards | None = _file(Maybe(facts.DRAWN), _drawn, None, phases=DRAWN)
    owed: tuple[OwedCard, ...] = _file(facts.OWED, _owed, (), phases=DRAWN)
    laid: bool = _file(forms.FLAG, "laid", False, phases=DRAWN)
    melds_made: int = _file(
        forms.COUNT, lambda s: s.state.drawn.melds, 0, phases=("play",)
    )
    laid_before: tuple[int, ...] = _file(forms.SEATS, _laid_before, ())
    had_last_turn: tuple[int, ...] = _file(forms.SEATS, "had_last_turn", ())
    idle_turns: int = _file(forms.COUNT, "idle", 0, always=True)
    turns_taken: tuple[int, ...] = _file(
        BySeat(forms.COUNT, 1, may_be_empty=True), "turns", (), always=True
    )
    turned: int = _file(forms.COUNT, "turned", 0)
    fresh: bool = _file(forms.FLAG, "fresh", True)
    round: int = _file(forms.Whole(1), "round_number", 1, always=True)
    scores: tuple[int, ...] = _file(BySeat(forms.POINTS, 0), "scores", always=True)
    boxes: tuple[int, ...] = _file(
        BySeat(forms.COUNT, 0, may_be_empty=True), "boxes", ()
    )
    paid: tuple[int, ...] = _file(
        BySeat(forms.POINTS, 0, may_be_empty=True),
        lambda s: s.state.paid if any(s.state.paid) else (),
        (),
    )
    columns: tuple[Column, ...] = _file(facts.COLUMNS, "columns", ())
    bonuses: tuple[ScoreItem, ...] = _slot(Many(facts.SCORE_ITEM), "bonuses", ())
    winners: tuple[int, ...] = _slot(forms.SEATS, "winners", ())
    result: RoundResult | None = _slot(Maybe(facts.RESULT), "result", None)
    next_dealer: int = _slot(facts.OWNER, lambda s: s.state.match.next_dealer, -1)
    thrown_in: int = _slot(forms.COUNT, lambda s: s.state.match.thrown_in, 0)
    redeals: int = _slot(forms.COUNT, lambda s: s.state.dealt.redeals, 0)
    zones: tuple[ZoneCards, ...] = _file(
        facts.ZONES, lambda s: tuple([_zone(one, s.seat) for one in s.state.zones]), ()
    )
    memory: Mapping[str, Any] = _file(facts.MEMORY, "memory", attrs.Factory(dict))
    partial: bool = _file(forms.FLAG, _is_partial, False)
    known_by_some: tuple[KnownCards, ...] = _slot(
        facts.KNOWN_BY_SOME,
        lambda s: tuple(
            KnownCards(seat=seat, cards=_cards_of(cards), seen_by=seats_of(mask))
            for seat, mask, cards in s.state._seen_by_some
        ),
        (),
    )
    actions: tuple[Action, ...] = _slot(
        Many(facts.ACTION),
        lambda s: tuple([one.action for one in s.past[1:]]),
        (),
    )
    sights: tuple[tuple[SeenCards, ...], ...] = _slot(facts.SIGHTS, _sights, ())

    @property
    def is_round_over(self) -> bool:
        """
        Whether a round is over and the next one is not dealt yet.
        """
        return self.phase in BETWEEN_ROUNDS and self.result is not None

    @property
    def shows_hands(self) -> bool:
        """
        Whether a round is over and the hands were counted in front of everybody.
        """
        result = self.result
        return result is not None and self.is_round_over and result.shows_hands

    @property
    def no_cards(self) -> bool:
        """
        Whether no cards are dealt: before the first deal, or after one thrown in.
        """
        return self.phase == "deal" and self.result is None

    @property
    def upcard_asked(self) -> Card | None:
        """
        The card whose holder chooses the hand size; it lies nowhere else.
        """
        for frame in self.frames:
            if frame.phase == "choose" and frame.notes:
                return EVERY_CARD[frame.notes[0] % len(EVERY_CARD)]
        return None

    @property
    def melds(self) -> tuple[TableMeld, ...]:
        """
        The melds of the table, the dealer's wild among them.
        """
        return self.table + (() if self.dealer_wild is None else (self.dealer_wild,))


@attrs.frozen(kw_only=True)
class PositionDocument(TableDocument):
    """
    A complete state, slot by slot. It holds every secret.

    Attributes:
        seed: The seed of further shuffles; null if decks are given by hand.
        hands: The hands, by seat; a hand left out is empty unless ``fill`` deals it,
            and where players float (PG-19) that seat floats.
        stock: The stock, the next card first.
        stock_seen_by: The seats that have seen each card of the stock, from its
            top, as a house rule may show them: ``[["N", "S"], ["N"]]``, or
            ``"everybody"`` for a card; nobody has seen those after the end of the
            list.
        shuffle: The number that determines the order of a pile that is shuffled and
            turned over (BAS-08a); if left out, 0.
    """

    seed: int | str | None = _slot(facts.SEED, lambda s: s.state.match.seed, None)
    hands: tuple[tuple[Card, ...], ...] = _file(
        BySeat(forms.HAND, ()),
        lambda s: tuple(map(tuple, s.state.hands)),
        always=True,
    )
    stock: tuple[Card, ...] = _file(forms.CARDS, "stock", (), always=True)
    stock_seen_by: tuple[tuple[int, ...] | None, ...] = _file(
        Many(forms.SeatsOrAll(), "the seats by card, such as [['N', 'S']]"),
        lambda s: tuple(map(_mask, s.state._stock_seen)),
        (),
    )
    shuffle: int = _file(forms.COUNT, "_shuffle", 0)


def _nothing(_: Shown) -> tuple[Any, ...]:
    """
    Nothing: whoever writes the document adds it.
    """
    return ()


def _of_view(name: str) -> Callable[[Shown], Any]:
    return lambda shown: getattr(shown.view, name)


@attrs.frozen(kw_only=True)
class ViewDocument(TableDocument):
    """
    What a seat, or a spectator, has seen of a game and may infer from it.

    Attributes:
        seat: The seat; null for a spectator.
        to_act: The seats that may act now.
        sides: The seats of each side; empty where everybody plays alone.
        has_meld: By seat, whether its side has made a meld.
        hand: The seat's own hand.
        known: By seat, the cards known to be in the hand.
        hand_sizes: By seat, how many cards the hand holds.
        stock_size: How many cards the stock holds.
        known_stock: The known cards of the stock from its top; null for one unknown.
        left_out: The cards of the deck that are nowhere.
        legal_actions: The first of the seat's legal actions.
        legal_next: Where the others begin; null if these are all.
    """

    seat: int | None = _slot(forms.SEAT_OR_NONE, lambda s: s.seat)
    to_act: tuple[int, ...] = _slot(forms.SEATS, "to_act", ())
    sides: tuple[tuple[int, ...], ...] = _slot(
        Many(Many(forms.SEAT)),
        lambda s: s.state.sides if len(s.state.sides) < len(s.state.players) else (),
        (),
    )
    has_meld: tuple[bool, ...] = _slot(
        BySeat(forms.FLAG, False, may_be_empty=True),
        lambda s: tuple(map(s.state.has_meld, range(len(s.state.players)))),
        (),
    )
    hand: tuple[Card, ...] = _slot(forms.CARDS, _of_view("hand"), ())
    known: tuple[tuple[Card, ...], ...] = _slot(
        BySeat(forms.CARDS, ()), _of_view("known")
    )
    hand_sizes: tuple[int, ...] = _slot(BySeat(forms.COUNT, 0), _of_view("hand_sizes"))
    stock_size: int = _slot(forms.COUNT, _of_view("stock_size"))
    known_stock: tuple[Card | None, ...] = _slot(
        facts.MAYBE_CARDS, _of_view("known_stock"), ()
    )
    left_out: tuple[Card, ...] = _slot(forms.CARDS, _nothing, ())
    legal_actions: tuple[str, ...] = _slot(Many(forms.TEXT), _nothing, ())
    legal_next: int | None = _slot(Maybe(forms.COUNT), _nothing, None)


def _cards_of(bits: int) -> tuple[Card, ...]:
    return tuple(as_cards(bits))


# ------------------------------------------------------------------- keys of files


def _of_last(name: str) -> Callable[[Shown], Any]:
    """
    What the last frame says.
    """
    return lambda shown: getattr(shown.state.frames[-1], name)


def _discarder(shown: Shown) -> int | None:
    declined = shown.state.frames[0].phase == "stock"
    return None if declined else shown.state.frames[-1].seat


def _asked(shown: Shown) -> tuple[int, ...]:
    frame = shown.state.frames[-1]
    if frame.phase == "answer":
        return (frame.seat,)
    return (*seats_of(frame.waiting), *frame.notes)


def _passed(shown: Shown) -> tuple[int, ...]:
    frame = shown.state.frames[-1]
    return seats_of(callers(shown.state, frame.seat) & ~frame.waiting)


def _red_threes(shown: Shown) -> tuple[tuple[Card, ...], ...]:
    lying = {one.seat: one.cards for one in shown.state.zones if one.name == ASIDE}
    return tuple(lying.get(seat, ()) for seat in range(len(shown.state.players)))


FILE_KEYS: Final = """\
Keys of positions in files.

Attributes:
    caller: In phase ``discard``: who owes the discard.
    discarder: In phases ``call`` and ``buy``: who discarded; if left out, the seat
        before ``turn``.
    asked: In phase ``buy``: the seats that are still to be asked, the next one
        first; if left out, all that may buy. In phase ``answer``: a list of the
        seat that is asked; if left out, the partner.
    passed: In phase ``call``: the seats that have declined.
    discards_made: In phase ``play``: how many of several discards have been made.
    answered: In phase ``play``: ``"yes"`` or ``"no"``, if the player has asked the
        partner whether to go out (CAN-18).
    doubled: The numbers of the melds in which four cards count twice because they
        were laid in one play (PER-07, RV-40); write these four first in the entry
        of ``table``; if left out, none.
    red_threes: By seat, the cards that no hand keeps, as they lie before it;
        ``zones`` says it too.
    last_buyer: The seat that bought the last upcard of this round (CON-15); it has
        bought once. For more, set ``memory``, as in ``{ "call.buying" = [1, 0, 2,
        1] }`` where purchases are limited: the last buyer's number, then how often
        each seat has bought.
"""
IN_FILES_ONLY: Final[Mapping[str, tuple[Slot, Any]]] = {
    "caller": (Slot(forms.SEAT_OR_NONE, _of_last("seat"), phases=("discard",)), None),
    "discarder": (
        Slot(forms.SEAT_OR_NONE, _discarder, phases=("call", "buy")),
        None,
    ),
    "asked": (Slot(forms.SEATS, _asked, phases=("buy", "answer")), ()),
    "passed": (Slot(forms.SEATS, _passed, phases=("call",)), ()),
    "discards_made": (
        Slot(forms.COUNT, _of_last("discards_made"), phases=("play",)),
        0,
    ),
    "answered": (
        Slot(forms.Word(*ANSWERS[1:]), _of_last("answer"), phases=("play",)),
        "",
    ),
    "doubled": (Slot(Many(forms.Whole(1)), lambda s: s.state.doubled), ()),
    "red_threes": (Slot(BySeat(forms.HAND, ()), _red_threes), ()),
    "last_buyer": (Slot(forms.SEAT, _nothing), None),
}
"""The keys in files for what JSON says in another way, with their defaults."""
_FIRST: Final = (
    *("seats", "dealer", "turn", "phase", "wild", "stock", "discards", "table"),
    *("hands", "drawn", "owed", "laid"),
)
"""What stands first in a file, since it tells most."""
_OF_DRAW: Final = frozenset({"drawn", "owed", "laid"})
"""What is said together, if it is known what was drawn."""
_ANOTHER_WAY: Final = frozenset({"red_threes", "last_buyer"})
"""Short ways to write what `zones` and `memory` say."""


@functools.cache
def slots_of(shape: Any) -> Mapping[str, tuple[Slot, Any]]:
    """
    The slots of a document by key, each with its default.
    """
    return {
        one.name: (one.metadata["slot"], forms.default_of(one))
        for one in attrs.fields(shape)
    }


@functools.cache
def file_slots() -> Mapping[str, tuple[Slot, Any]]:
    """
    The slots that a position in a file may have.
    """
    slots = slots_of(PositionDocument)
    found = {key: one for key, one in slots.items() if one[0].in_files}
    return {key: found[key] for key in _FIRST} | found | {**IN_FILES_ONLY}


def position_of(state: State) -> PositionDocument:
    """
    A complete state as a document.

    Raises:
        PositionError: If the cards drawn do not go with the hand.
    """
    shown = Shown(state)
    return PositionDocument(
        **{key: slot.of(shown) for key, (slot, _) in slots_of(PositionDocument).items()}
    )


def file_of(state: State) -> dict[str, Any]:
    """
    A complete state in mid-round as the table of a file.
    """
    shown, names = Shown(state), state.players
    drew = bool(state.drawn.cards) or state.drawn.source == "rule"
    found = {}
    for key, (slot, default) in file_slots().items():
        if key in _ANOTHER_WAY or (slot.phases and state.phase not in slot.phases):
            continue
        value = slot.of(shown)
        if slot.always or (drew if key in _OF_DRAW else value != default):
            found[key] = slot.form.write(value, names)
    if {*_laid_before(shown)} == laid_on(
        state.rules, _melds(shown), _dealers_wild(shown)
    ):
        found.pop("laid_before", None)
    elif not _laid_before(shown):
        found["laid_before"] = []
    return found
