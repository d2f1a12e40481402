"""
Worlds: states that agree with what a seat knows of one.

What the seat knows is taken from a state, and so are the cards hidden from it. Laid out
in any order, the hidden cards complete a world.
"""

from __future__ import annotations

import itertools
import random

from collections.abc import Callable, Sequence
from typing import Final

import attrs

from rummyvariants.actions import Action, Deal, HouseAction
from rummyvariants.cards import (
    CARDS,
    FIELD,
    UNIT,
    Card,
    Cards,
    as_cards,
    codes,
    common,
    pack,
    size,
)
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.endings import may_discard, must_knock
from rummyvariants.game._engine.finish import can_finish
from rummyvariants.game._engine.offers import asks_takers_alone, can_take
from rummyvariants.game._engine.phases import PHASES
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._round import Drawn, Frame, History, Match, knows
from rummyvariants.game._state import State, freeze, shows_hands, thaw
from rummyvariants.game.verbs._permission import permitted


# ---------------------------------------------------------------- what a seat knows


def known_in_hands(state: AnyState, seat: int | None) -> tuple[Cards, ...]:
    """
    By seat, the cards that a seat knows to be in a hand.
    """
    return tuple(map(as_cards, known_bits(state, seat)))


def known_bits(state: AnyState, seat: int | None) -> list[int]:
    """
    The same as multisets.
    """
    if shows_hands(state):
        return list(state._hands)
    known = list(state._seen)
    for holder, viewers, cards in state._seen_by_some:
        if knows(viewers, seat):
            known[holder] += cards
    if seat is not None:
        known[seat] = state._hands[seat]
    return known


def known_in_stock(state: AnyState, seat: int | None) -> tuple[Card | None, ...]:
    """
    The cards of the stock that a seat knows, from the top, down to the last one known.
    """
    known = [
        CARDS[code] if knows(mask, seat) else None
        for code, mask in zip(state._stock, state._stock_seen, strict=False)
    ]
    while known and known[-1] is None:
        known.pop()
    return tuple(known)


def hidden_cards(state: AnyState, seat: int | None, known: Sequence[Cards]) -> int:
    """
    The cards whose place a seat does not know, as a multiset.

    Args:
        state: The state.
        seat: The seat; None for a spectator.
        known: By seat, the cards that are known to be in a hand.
    """
    return hidden_bits(state, seat, [cards.bits for cards in known])


def hidden_bits(state: AnyState, seat: int | None, known: Sequence[int]) -> int:
    """
    The same with the known cards as multisets.
    """
    hidden = sum(state._hands) - sum(known)
    hidden += _in_stock(state._stock)
    if state._stock_seen:
        for card in known_in_stock(state, seat):
            hidden -= 0 if card is None else UNIT[card.code]
    for zone in state._zones:
        if not knows(zone._seen, seat):
            hidden += pack(zone._cards)
    return hidden


def _in_stock(stock: bytes) -> int:
    """
    The cards of a stock as a multiset, remembered for all that will be left of it.
    """
    found = _STOCKS.get(stock)
    if found is None:
        if len(_STOCKS) >= _STOCKS_AT_MOST:
            _STOCKS.clear()
        found = 0
        for at in range(len(stock), -1, -1):
            found += UNIT[stock[at]] if at < len(stock) else 0
            _STOCKS[stock[at:]] = found
    return found


_STOCKS: Final[dict[bytes, int]] = {}
_STOCKS_AT_MOST: Final = 65_536


def action_as_seen(
    action: Action | None, seat: int | None, secrets: frozenset[str]
) -> Action | None:
    """
    An action without the cards that a seat does not know.

    Args:
        action: The action.
        seat: The seat; None for a spectator.
        secrets: The names of the actions whose cards only the player knows.
    """
    if not secrets or not isinstance(action, HouseAction) or action.seat == seat:
        return action
    return attrs.evolve(action, cards=Cards()) if action.name in secrets else action


def history_as_seen(state: State, seat: int | None) -> History:
    """
    What a seat saw in the round: a history without the deal, which is secret.
    """
    secrets = state.match.rules.secrets
    at, past = _SEEN.get(seat, (None, None))
    node: History | None = state._history
    new: list[History] = []
    while node is not None and node is not at:
        new.append(node)
        node = None if isinstance(node.action, Deal) else node.before
    if node is None:
        # The last view may be of another way from a state before.
        places = {one: number for number, one in enumerate(new)}
        while at is not None and past is not None and at not in places:
            at, past = at.before, past.before
        if at is not None and past is not None:
            del new[places[at] :]
    for one in reversed(new):
        done = action_as_seen(one.action, seat, secrets)
        past = History() if past is None else History(past, done)
        if one._seen:
            past._seen = tuple([sight for sight in one._seen if knows(sight[0], seat)])
    assert past is not None  # noqa: S101
    _SEEN[seat] = state._history, past
    return past


_SEEN: Final[dict[int | None, tuple[History, History]]] = {}
"""By seat, the history last viewed and what was seen of it: views go on from there."""


def drawn_as_known(state: AnyState, seat: int | None) -> Drawn:
    """
    What was drawn, as far as a seat may know it.

    For other seats, ``held`` is the hand before the draw without the cards that it
    holds now: the cards played since, less those taken or gained.
    """
    drawn = state.drawn
    if not drawn.source or seat == state.frames[0].seat:
        return drawn
    since = drawn.held - state._hands[state.turn]
    if drawn.source == "stock":
        before = since + pack(drawn._cards)
        # With an empty stock there may be fewer than the rules say.
        several = "cards_drawn" in state.match.rules.asked
        number = len(drawn._cards) if several else None
        return Drawn("stock", b"", before, melds=drawn.melds, number=number)
    return attrs.evolve(drawn, held=since)


# --------------------------------------------------------- the hidden cards laid out


def world_with(
    state: State,
    seat: int | None,
    known: Sequence[Cards],
    sizes: Sequence[int],
    hidden: Sequence[int],
    drawn: Drawn,
    past: History,
) -> State:
    """
    A state in which the hidden cards lie in a given order.

    Args:
        state: A state from which all that the seat knows is taken, except the hands.
        seat: The seat; None for a spectator.
        known: By seat, the cards that are known to be in a hand.
        sizes: By seat, how many cards there are.
        hidden: The codes of the hidden cards. The hands take theirs first, then zones,
            then the stock.
        drawn: What was drawn, as the seat may know it.
        past: What the seat saw in the round.
    """
    missing = [number - len(mine) for number, mine in zip(sizes, known, strict=True)]
    never = asking.never_held(state)
    unseen = iter(_hands_first(hidden, never, sum(missing)) if never else hidden)
    hands = [
        mine.bits + pack(itertools.islice(unseen, number))
        for number, mine in zip(missing, known, strict=True)
    ]
    zones = [
        zone
        if knows(zone._seen, seat)
        else attrs.evolve(zone, cards=bytes(itertools.islice(unseen, len(zone._cards))))
        for zone in state._zones
    ]
    stock = [
        next(unseen) if card is None else card.code
        for card in known_in_stock(state, seat)
    ]
    stock += itertools.islice(unseen, len(state._stock) - len(stock))
    world = thaw(state)
    world.frames = tuple([_open(frame) for frame in state.frames])
    world.match = _without_seed(state.match)
    world._hands = tuple(hands)
    world._zones = tuple(zones)
    world._stock = bytes(stock)
    world.drawn = drawn
    world._shuffle = 0
    world._history = past
    world.from_position = True
    some = [one for one in state._seen_by_some if knows(one[1], seat)]
    world._seen_by_some = tuple(some)
    return freeze(world)


def _without_seed(match: Match) -> Match:
    """
    A match as the players know it; remembered for the last one.
    """
    before, found = _OPEN[0]
    if found is None or before is not match:
        found = attrs.evolve(match, seed=None)
        _OPEN[0] = match, found
    return found


_OPEN: Final[list[tuple[Match | None, Match | None]]] = [(None, None)]


def _hands_first(pool: Sequence[int], never: int, number: int) -> list[int]:
    """
    A pool with so many cards that a hand can hold moved to the front.
    """
    fit = [at for at, code in enumerate(pool) if not never & FIELD[code]][:number]
    first = {*fit}
    rest = [code for at, code in enumerate(pool) if at not in first]
    return [*(pool[at] for at in fit), *rest]


def _open(frame: Frame) -> Frame:
    """
    A frame as everybody knows it.
    """
    return attrs.evolve(frame, secrets=()) if frame.secrets else frame


Order = Callable[[Sequence[int]], Sequence[int] | None]
"""What lays hidden cards out, the cards of the hands first; None if it cannot."""


def dealt_anew(
    world: State,
    seat: int | None,
    known: Sequence[Cards],
    rng: random.Random,
    order: Order | None = None,
) -> State:
    """
    The world of a view with its hidden cards in a random order that can go on.

    Args:
        world: The world.
        seat: The seat; None for a spectator.
        known: By seat, the cards that are known to be in a hand.
        rng: The source of chance.
        order: What is asked for an order a few times, before all orders are equally
            likely.
    """
    for deal in range(_DEALS_AT_MOST):
        asked = order if deal < _ORDERS_AT_MOST else None
        state = _dealt_once(world, seat, known, rng, asked)
        if _can_go_on(state, seat):
            break
    return state


_DEALS_AT_MOST: Final = 2_000
"""How often the unseen cards are dealt anew; enough except in odd positions."""
_ORDERS_AT_MOST: Final = 4
"""How often another order is asked for."""


def _dealt_once(
    world: State,
    seat: int | None,
    known: Sequence[Cards],
    rng: random.Random,
    order: Order | None,
) -> State:
    """
    A world with its hidden cards as they are laid out, or else in random order.
    """
    hidden: Sequence[int] | None = None
    cards = list(codes(hidden_cards(world, seat, known)))
    if order is not None:
        hidden = order(cards)
    if hidden is None:
        rng.shuffle(cards)
        hidden = cards
    sizes = list(map(size, world._hands))
    drawn, past = world.drawn, world._history
    state = world_with(world, seat, known, sizes, hidden, drawn, past)
    if drawn.source and seat != world.turn:
        drawn = _drawn_anew(state, known[world.turn].bits, rng)
    return attrs.evolve(
        state,
        frames=tuple(PHASES[one.phase].redeal(one, rng) for one in world.frames),
        match=attrs.evolve(state.match, seed=rng.getrandbits(63)),
        drawn=drawn,
        shuffle=rng.getrandbits(62) if world.rules.settled.shuffles else 0,
    )


def _drawn_anew(state: State, seen: int, rng: random.Random) -> Drawn:
    """
    What another player has drawn, in a world in which that player holds other cards.
    """
    drawn, hand = state.drawn, state._hands[state.turn]
    if drawn.source != "stock":
        return attrs.evolve(drawn, held=hand + drawn.held)
    before = hand + drawn.held  # and the card drawn
    kept = list(codes(hand - seen))
    gone = list(codes(before - common(before, hand)))
    number = drawn.number
    if number is None:
        number = (asking.answer_to(state, state.turn, "cards_drawn") or ("", 1))[1]
    drew = rng.sample(kept + gone, min(number, len(kept + gone)))
    duties = [
        one
        for code in drew
        if code in kept
        for one in state.rules.draw.stock_duties(code)
    ]
    held = before - pack(drew)
    return Drawn("stock", bytes(drew), held, (*duties,), drawn.melds)


def _can_go_on(state: State, seat: int | None) -> bool:
    """
    Whether other players can do what is due: finish a turn, or discard after a call.

    A player who has asked whether to go out can, and so can one take the discard pile
    who is asked although the stock is empty, where others are not.
    """
    if state.phase == "discard":
        return all(
            other == seat or next(may_discard(state, other), None) is not None
            for other in state.to_act
        )
    drawn, turn = state.drawn, state.turn
    if state.phase == "answer" and seat != turn:
        return can_finish(permitted(state), turn)
    if state.phase == "draw" and seat != turn and asks_takers_alone(state):
        return can_take(state, turn)
    if state.phase != "play" or seat == turn:
        return True
    # A player who cannot finish a turn with a card of the stock may discard any card.
    if drawn.source == "stock" and not drawn.duties and not must_knock(state):
        if asking.refusal(state, turn, "must_go_out") is None:
            return True
    return can_finish(state, turn)
