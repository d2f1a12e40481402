"""
Views as documents: exactly what a seat knows.
"""

from __future__ import annotations

import itertools

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs

from rummyvariants._support.words import figure
from rummyvariants.cards import Card, Cards
from rummyvariants.errors import ParseError, PositionError
from rummyvariants.files._documents import FORMAT, ViewDocument
from rummyvariants.files._evidence import check_claims
from rummyvariants.files._problems import Problems
from rummyvariants.files._reader import PHASES, Reader, sorted_cards
from rummyvariants.files._slots import history_of, open_slots
from rummyvariants.files.json._problems import JsonError
from rummyvariants.game._moves import LegalActions
from rummyvariants.game._state import State, to_act
from rummyvariants.game._views import View, view
from rummyvariants.game._worlds import world_with


def view_document(given: View, legal: int) -> ViewDocument:
    """
    The document of a view.

    Args:
        given: The view.
        legal: The most legal actions to list.

    Raises:
        JsonError: If it cannot be written exactly.
    """
    world = given.world
    mine = given.seat == world.turn
    hand = world._hands[world.turn] if mine else 0
    try:
        slots = open_slots(world, given.actions, hand, given.seat)
    except PositionError as error:
        raise JsonError([("drawn", str(error))]) from None
    document = ViewDocument(
        **slots,
        format=FORMAT,
        seat=given.seat,
        to_act=world.to_act,
        hand=tuple(given.hand),
        known=tuple(tuple(cards) for cards in given.known),
        hand_sizes=given.hand_sizes,
        stock_size=given.stock_size,
        known_stock=given.known_stock,
        left_out=(),
        **_listed(given, legal),
    )
    reader = Reader(document, Problems(JsonError))
    left = reader.left(*_known(document))
    left.subtract(card.code for card in given.unseen)
    if reader.problems.found or any(number < 0 for number in left.values()):
        message = "it holds cards that are not in the deck of its game"
        raise JsonError(message)
    return attrs.evolve(document, left_out=sorted_cards(left))


def _listed(given: View, legal: int) -> dict[str, Any]:
    """
    The texts of the first legal actions, and where the others begin.
    """
    if not legal:
        more = given.seat is not None and given.seat in given.to_act
        return {"legal_actions": (), "legal_next": 0 if more else None}
    page = given.legal_actions.page(size=legal)
    texts = tuple([one.text for one in page.actions])
    return {"legal_actions": texts, "legal_next": page.next}


def view_of(given: ViewDocument) -> View:
    """
    The view that a document describes.

    Raises:
        JsonError: With every problem, if there is no such view.
    """
    reader = Reader(given, Problems(JsonError))
    reader.check()
    reader.problems.done()
    table = reader.state()
    reader.hand_sizes("hand_sizes", given.hand_sizes)
    _knowledge(reader, given)
    check_claims(reader, given)
    unseen = reader.left(*_known(given), ("left_out", given.left_out))
    hidden = given.stock_size - sum(card is not None for card in given.known_stock)
    hidden += sum(zone.size for zone in given.zones if zone.cards is None)
    for at, (size, mine) in enumerate(zip(given.hand_sizes, given.known, strict=True)):
        hidden += size - len(mine)
        if size < len(mine):
            verb = "is" if len(mine) == 1 else "are"
            number = figure(len(mine), "card")
            message = f"{number} {verb} known to be there, so it is not {size}"
            reader.wrong(f"hand_sizes[{at}]", message)
    if len(given.known_stock) > given.stock_size:
        number = figure(given.stock_size, "card")
        message = f"the stock holds {number}, not {len(given.known_stock)}"
        reader.wrong("known_stock", message)
    if hidden != unseen.total():
        message = (
            f"the hands and the stock hold {figure(hidden, 'unseen card')} by their "
            f"sizes, but the deck leaves {unseen.total()}"
        )
        reader.wrong("stock_size", message)
    reader.problems.done()
    own = given.seat == given.turn
    known = [Cards(cards) for cards in given.known]
    drawn = reader.drawn(known[given.turn].bits if own else 0, own=own)
    spent = 0 if given.drawn is None else len(given.drawn.spent)
    if (drawn.number or 0) > given.hand_sizes[given.turn] + spent:
        reader.wrong("drawn.number", "so many were not in the hand after the draw")
    reader.same("to_act", given.to_act, to_act(table))
    if given.phase in PHASES:
        bits = [cards.bits for cards in known]
        reader.invariants(table, bits, given.hand_sizes)
    reader.problems.done()
    stock = [0 if card is None else card.code for card in given.known_stock]
    mask = -1 if given.seat is None else 1 << given.seat
    table = attrs.evolve(
        table,
        stock=bytes(stock).ljust(given.stock_size, bytes(1)),
        stock_seen=tuple(0 if card is None else mask for card in given.known_stock),
    )
    world = world_with(
        table,
        given.seat,
        known,
        given.hand_sizes,
        sorted(unseen.elements()),
        drawn,
        history_of(given),
    )
    found = View(given.seat, tuple(known), given.known_stock, world)
    _legal(reader, given, found)
    reader.problems.done()
    return found


def _known(given: ViewDocument) -> tuple[tuple[str, Iterable[Card]], ...]:
    """
    The cards known to be in places where others are hidden.
    """
    stock = [card for card in given.known_stock if card is not None]
    return (
        ("known", itertools.chain.from_iterable(given.known)),
        ("known_stock", stock),
    )


def _knowledge(reader: Reader, given: ViewDocument) -> None:
    """
    Note knowledge of hands that the seat cannot have, or lacks.
    """
    for at, (known, shown) in enumerate(zip(given.known, given.shown, strict=True)):
        if given.shows_hands or at == given.seat:
            if not Cards(shown) <= Cards(known):
                message = "cards were shown that are not known to be in the hand"
                reader.wrong(f"shown[{at}]", message)
        else:
            some = [one for one in given.known_by_some if one.seat == at]
            others = [card for one in some for card in one.cards]
            if _sorted(known) != _sorted((*shown, *others)):
                message = "exactly the cards shown of another hand are known"
                reader.wrong(f"known[{at}]", message)
        if given.shows_hands and len(known) != given.hand_sizes[at]:
            message = "the round is over, so the whole hand is known"
            reader.wrong(f"known[{at}]", message)
    mine = () if given.seat is None else given.known[given.seat]
    if _sorted(given.hand) != _sorted(mine):
        reader.wrong("hand", "it differs from what is known of the seat's own hand")
    if given.seat is not None and len(mine) != given.hand_sizes[given.seat]:
        message = "a seat knows its whole hand"
        reader.wrong(f"hand_sizes[{given.seat}]", message)


def _sorted(cards: Sequence[Card]) -> list[Card]:
    return sorted(cards)


def _legal(reader: Reader, given: ViewDocument, found: View) -> None:
    """
    Note listed legal actions that are not those of the view, in any order.
    """
    said, after = given.legal_actions, given.legal_next
    every = found.legal_actions
    if after is None:
        some = itertools.islice(every, len(said) + 1)
        same = sorted(said) == sorted([str(action) for action in some])
    elif after != len(said):
        reader.same("legal_next", after, len(said))
        return
    else:
        more = next(itertools.islice(every, after, None), None) is not None
        same = more and len({*said}) == after and all(map(_asks(every), said))
    if not same:
        message = "these are not the legal actions; leave them out with an empty list"
        reader.wrong("legal_actions", f"{message} and 0 for 'legal_next'")


def _asks(every: LegalActions) -> Callable[[str], bool]:
    """
    A function that says whether a text is one of some legal actions.
    """

    def is_legal(text: str) -> bool:
        try:
            return text in every
        except ParseError:
            return False

    return is_legal


def check_view(given: View, state: State) -> None:
    """
    Refuse a view that is not its seat's view of a state.

    Nothing is said about what is true instead.

    Raises:
        JsonError: With every key that differs, and the cards that the seat has not
            seen where it claims them.
    """
    try:
        true = view_document(view(state, given.seat), 0)
    except ValueError as error:
        raise JsonError([("seat", str(error))]) from None
    said = view_document(given, 0)
    problems = Problems(JsonError)
    for field in attrs.fields(ViewDocument):
        mine, its = getattr(said, field.name), getattr(true, field.name)
        if mine == its:
            continue
        claims: list[tuple[int, str]] = []
        if field.name == "known":
            claims = [
                (seat, " ".join(map(str, more.elements())))
                for seat, (claimed, seen) in enumerate(zip(mine, its, strict=False))
                if (more := Counter(claimed) - Counter(seen))
            ]
        for seat, cards in claims:
            problems.add(f"known[{seat}]", f"the seat has not seen {cards} there")
        if not claims:
            problems.add(field.name, "it does not agree with the game")
    problems.done()
