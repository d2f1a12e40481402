"""
What a seat knows of a game, and the games that agree with what it knows.

A view holds a world of its own: a state in which all that the seat sees is as it is,
and all that it does not see lies in one order that has nothing to do with the true one.
So nothing in it is a secret, and two games that differ in hidden cards alone give equal
views.
"""

from __future__ import annotations

import itertools
import random

from collections.abc import Sequence
from typing import Final

import attrs

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
from rummyvariants.game._engine.calls import may_discard
from rummyvariants.game._engine.endings import can_finish, must_knock
from rummyvariants.game._engine.phases import PHASES
from rummyvariants.game._moves import LegalActions, legal_actions
from rummyvariants.game._round import (
    Column,
    Drawn,
    Frame,
    History,
    Location,
    RoundResult,
    ScoreItem,
    knows,
)
from rummyvariants.game._state import State
from rummyvariants.game.actions import Action, Deal
from rummyvariants.melds._meld import Meld
from rummyvariants.rules._ruleset import Ruleset


@attrs.frozen(repr=False)
class View:
    """
    What a seat, or a spectator, has seen of a game and may infer from it.

    It holds nothing that the seat does not know, and no reference to the state.

    Attributes:
        seat: The seat; None for a spectator.
        known: By seat, the cards that are known to be in a hand: all of the own one; of
            the others upcards, cards taken from the discard pile, and wilds traded for,
            as far as they were not played since. Of two equal cards of which one was
            played, one is known to be left.
        known_stock: The cards of the stock that are known, from the top: None for one
            that is not; empty where none is.
        actions: What the players have done in the round, in order. What they drew from
            the stock does not stand there.
        world: A state in which all that the seat has seen is as it is, and what it has
            not seen lies in the order of the codes. Whatever takes a state can be asked
            about it: `check`, `chooser`, `arrange`. To play on take `determinize`.
    """

    seat: int | None
    known: tuple[Cards, ...]
    known_stock: tuple[Card | None, ...]
    actions: tuple[Action, ...]
    world: State

    # ------------------------------------------------------------------ the match

    @property
    def rules(self) -> Ruleset:
        """
        The rules of the game.
        """
        return self.world.rules

    @property
    def players(self) -> tuple[str, ...]:
        """
        The players' names, by seat.
        """
        return self.world.players

    @property
    def scores(self) -> tuple[int, ...]:
        """
        The totals by seat of the rounds that are over.
        """
        return self.world.scores

    @property
    def round_number(self) -> int:
        """
        The round that is played, or was played last, from 1.
        """
        return self.world.round_number

    @property
    def is_over(self) -> bool:
        """
        Whether the match is over.
        """
        return self.world.is_over

    @property
    def winners(self) -> tuple[int, ...]:
        """
        The seats that have won the match; empty while it goes on.
        """
        return self.world.winners

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """
        The seats that play together, by side; each seat alone where nobody does.
        """
        return self.world.sides

    @property
    def side_scores(self) -> tuple[int, ...]:
        """
        The totals by side, in the order of `sides`, bonuses at the end included.
        """
        return self.world.side_scores

    @property
    def result(self) -> RoundResult | None:
        """
        The result of the round that is over last; None while none is.
        """
        return self.world.result

    # ------------------------------------------------------------------ the round

    @property
    def phase(self) -> str:
        """
        Where the turn stands, as in `State`.
        """
        return self.world.phase

    @property
    def turn(self) -> int:
        """
        The seat whose turn it is; while others act, the seat that plays next.
        """
        return self.world.turn

    @property
    def to_act(self) -> tuple[int, ...]:
        """
        The seats that may act now.
        """
        return self.world.to_act

    @property
    def dealer(self) -> int | None:
        """
        The dealer's seat; None before the first deal.
        """
        return self.world.dealer

    @property
    def wild_rank(self) -> str:
        """
        The rank that is wild in this deal; empty for none.
        """
        return self.world.wild_rank

    @property
    def hand(self) -> Cards:
        """
        The seat's own hand; empty for a spectator.
        """
        return Cards() if self.seat is None else self.known[self.seat]

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """
        How many cards each seat holds.
        """
        return tuple(map(len, self.world.hands))

    @property
    def table(self) -> tuple[Meld, ...]:
        """
        The melds in the order in which they came; the first one has the number 1.
        """
        return self.world.table

    @property
    def dealer_wild(self) -> Meld | None:
        """
        The dealer's wild on the table, meld 0, where the game has one.
        """
        return self.world.dealer_wild

    @property
    def discards(self) -> tuple[Card, ...]:
        """
        The discards that lie open, the top card last.

        They are the whole pile where it is spread (``draw.open_pile``), else its top
        card. The others were seen as well, and stand in `history`.
        """
        pile = self.world.discards
        return pile if self.rules.draw.open_pile else pile[-1:]

    @property
    def discards_size(self) -> int:
        """
        How many cards the discard pile holds.
        """
        return len(self.world._discards)

    @property
    def stock_size(self) -> int:
        """
        How many cards the stock holds.
        """
        return len(self.world.stock)

    @property
    def floating(self) -> tuple[int, ...]:
        """
        The seats that play on without a card.
        """
        return self.world.floating

    @property
    def boxes(self) -> tuple[int, ...]:
        """
        By seat, the rounds won, each as often as it counts; empty where none do.
        """
        return self.world.boxes

    @property
    def bonuses(self) -> tuple[ScoreItem, ...]:
        """
        What the end of the match has added to the totals, each with reason and rule.

        It is empty before, and where the score is kept in columns, which have bonuses
        of their own. What a side gets stands with the first of its seats.
        """
        return self.world.bonuses

    @property
    def columns(self) -> tuple[Column, ...]:
        """
        The columns of the score, where it is kept in several; else empty.
        """
        return self.world.columns

    def has_meld(self, seat: int) -> bool:
        """
        Whether a seat has made a meld of its own.
        """
        return self.world.has_meld(seat)

    @property
    def drawn(self) -> tuple[Card, ...]:
        """
        The cards drawn in this turn, as far as the seat has seen them.
        """
        return self.world.drawn.cards

    @property
    def unseen(self) -> Cards:
        """
        The cards that are in the stock or in others' hands, nobody knows where.
        """
        return as_cards(_pool(self.world, self.seat, self.known))

    @property
    def history(self) -> tuple[Sight, ...]:
        """
        What the seat has seen in the round, in order, the deal first.

        Every action is there, and with it what the seat saw then and others may not
        have: the cards dealt to it, those that it drew, those that it was shown. So
        it holds what views in a row would show, and nothing is forgotten that others
        have covered since.
        """
        past = self.world._history
        return tuple([_sight(node) for node in (past.start, *past.nodes())])

    def information_state(self) -> tuple[object, ...]:
        """
        A hashable key of all that the seat has seen in the round, in order.

        Games in which it is the same are the same to the seat: its information set.
        """
        return (self, self.history)

    @property
    def legal_actions(self) -> LegalActions:
        """
        What the seat may do now; nothing for a spectator.
        """
        return legal_actions(self.world, -1 if self.seat is None else self.seat)

    def _repr_html_(self) -> str:
        """
        The view as a notebook shows it.
        """
        from rummyvariants.game._view_html import view_html  # noqa: PLC0415 -- slow

        return view_html(self)

    def __repr__(self) -> str:
        who = "a spectator" if self.seat is None else self.players[self.seat]
        cards = f", {self.hand}" if self.seat is not None else ""
        return (
            f"<View of {self.rules.name} for {who}, round {self.round_number}, "
            f"{self.phase}{cards}>"
        )


@attrs.frozen(repr=False)
class Sight:
    """
    Something that was done, as a seat saw it.

    Attributes:
        action: What was done; None for the deal.
        shown: What the seat saw then, though not everybody may have: the cards, and
            where they came to lie.
    """

    action: Action | None
    shown: tuple[tuple[tuple[Card, ...], Location], ...] = ()

    def __repr__(self) -> str:
        shown = [
            f"{' '.join(map(str, cards))} to the {there}" for cards, there in self.shown
        ]
        what = "the deal" if self.action is None else f"'{self.action}'"
        return f"<Sight of {what}{': ' * bool(shown)}{', '.join(shown)}>"


def _sight(node: History) -> Sight:
    return Sight(
        node.action,
        tuple(
            [
                (tuple([CARDS[code] for code in cards]), there)
                for _, cards, there in node._seen
            ]
        ),
    )


def view(state: State, seat: int | None = None) -> View:
    """
    What a seat knows of a game.

    Args:
        state: The game.
        seat: The seat, from 0; None for a spectator.

    Raises:
        ValueError: If there is no such seat.
    """
    number = len(state.players)
    if seat is not None and not 0 <= seat < number:
        msg = f"there is no seat {seat}; seats go from 0 to {number - 1}"
        raise ValueError(msg)
    seen = [as_cards(bits) for bits in _seen_in_hands(state, seat)]
    pool = sorted(codes(_pool(state, seat, seen)))
    world = _world(state, seat, seen, pool, _round_so_far(state, seat))
    stock = [
        CARDS[code] if knows(mask, seat) else None
        for code, mask in zip(state._stock, state._stock_seen, strict=False)
    ]
    while stock and stock[-1] is None:
        stock.pop()
    return View(seat, tuple(seen), tuple(stock), world.history, world)


def _seen_in_hands(state: State, seat: int | None) -> list[int]:
    """
    By seat, the cards that a seat knows to be in a hand.
    """
    if state.is_round_over:
        # What was left in the hands has been counted before everybody's eyes.
        return list(state._hands)
    seen = list(state._seen)
    for holder, viewers, cards in state._seen_by_some:
        if knows(viewers, seat):
            seen[holder] += cards
    if seat is not None:
        seen[seat] = state._hands[seat]
    return seen


def _pool(state: State, seat: int | None, known: Sequence[Cards]) -> int:
    """
    The cards of which a seat does not know where they lie.
    """
    hidden = sum(state._hands) - sum([cards.bits for cards in known])
    masks = state._stock_seen + (0,) * (len(state._stock) - len(state._stock_seen))
    for code, mask in zip(state._stock, masks, strict=True):
        if not knows(mask, seat):
            hidden += UNIT[code]
    for zone in state._zones:
        if not knows(zone._seen, seat):
            hidden += pack(zone._cards)
    return hidden


def _round_so_far(state: State, seat: int | None) -> History:
    """
    What a seat saw in the round: a history without the deal, which is secret.
    """
    done: list[History] = []
    node: History | None = state._history
    while node is not None and node.action is not None:
        if isinstance(node.action, Deal):
            break
        done.append(node)
        node = node.before
    past = History()
    if node is not None:
        past._seen = _seen_by(node, seat)
    for one in reversed(done):
        past = History(past, one.action)
        past._seen = _seen_by(one, seat)
    return past


def _seen_by(
    node: History, seat: int | None
) -> tuple[tuple[int, bytes, Location], ...]:
    if not node._seen:
        return ()
    return tuple([one for one in node._seen if knows(one[0], seat)])


def _world(
    state: State,
    seat: int | None,
    known: Sequence[Cards],
    pool: Sequence[int],
    past: History,
) -> State:
    """
    A state with hidden cards in the order of a pool.
    """
    hidden = [
        size(hand) - len(mine) for hand, mine in zip(state._hands, known, strict=True)
    ]
    never: int = state.rules.deal.never_held(state.dealt.terms)
    unseen = iter(_hands_first(pool, never, sum(hidden)) if never else pool)
    hands = []
    for number, mine in zip(hidden, known, strict=True):
        hands.append(mine.bits + pack(itertools.islice(unseen, number)))
    zones = [
        zone
        if knows(zone._seen, seat)
        else attrs.evolve(zone, cards=bytes(itertools.islice(unseen, len(zone._cards))))
        for zone in state._zones
    ]
    masks = state._stock_seen + (0,) * (len(state._stock) - len(state._stock_seen))
    stock = [
        code if knows(mask, seat) else next(unseen)
        for code, mask in zip(state._stock, masks, strict=True)
    ]
    return attrs.evolve(
        state,
        frames=tuple(_open(frame) for frame in state.frames),
        match=attrs.evolve(state.match, seed=None),
        hands=tuple(hands),
        zones=tuple(zones),
        stock=bytes(stock),
        drawn=_masked(state, seat),
        shuffle=0,
        history=past,
        from_position=True,
        seen=state._seen,
        seen_by_some=tuple([one for one in state._seen_by_some if knows(one[1], seat)]),
        stock_seen=state._stock_seen,
    )


def _hands_first(pool: Sequence[int], never: int, number: int) -> list[int]:
    """
    A pool with the first cards that a hand can hold in front, as many as are wanted.
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


def _masked(state: State, seat: int | None) -> Drawn:
    """
    What was drawn as a seat may know it.

    For the others ``held`` tells what the hand was before the draw but for the cards
    that it holds now: the cards played since, less those that were taken or gained.
    """
    drawn = state.drawn
    if not drawn.source or seat == state.turn:
        return drawn
    since = drawn.held - state._hands[state.turn]
    if drawn.source == "stock":
        return Drawn("stock", b"", since + pack(drawn._cards), melds=drawn.melds)
    return attrs.evolve(drawn, held=since)


def determinize(view: View, rng: random.Random) -> State:
    """
    A whole game that agrees with all that a view knows.

    Every order of the cards that the seat has not seen is as likely as any other, of
    those in which a player who owes a card, for one taken or after a call, can give it.
    Of a card that another player has just drawn from the stock, any card is taken that
    may be it.
    Later deals come from a seed that the source of chance gives.

    Args:
        view: What is known.
        rng: The source of chance.
    """
    for _ in range(_DEALS_AT_MOST):
        state = _dealt_anew(view, rng)
        if _can_go_on(state, view.seat):
            break
    return state


_DEALS_AT_MOST: Final = 2_000
"""How often the unseen cards are dealt anew; only in odd positions it is not enough."""


def _can_go_on(state: State, seat: int | None) -> bool:
    """
    Whether another player can do what is due: finish a turn, or discard after a call.
    """
    if state.phase == "discard":
        return all(
            other == seat or next(may_discard(state, other), None) is not None
            for other in state.to_act
        )
    drawn = state.drawn
    if state.phase != "play" or seat == state.turn:
        return True
    # Whoever cannot finish a turn with a card of the stock may discard any card.
    if drawn.source == "stock" and not drawn.duties and not must_knock(state):
        return True
    return can_finish(state, state.turn)


def _dealt_anew(view: View, rng: random.Random) -> State:
    """
    A world with the unseen cards in random order.
    """
    world = view.world
    pool = list(codes(view.unseen.bits))
    rng.shuffle(pool)
    state = _world(world, view.seat, view.known, pool, world._history)
    drawn = world.drawn
    if drawn.source and view.seat != world.turn:
        drawn = _unmasked(state, drawn, view.known[world.turn].bits, rng)
    return attrs.evolve(
        state,
        frames=tuple(PHASES[one.phase].redeal(one, rng) for one in world.frames),
        match=attrs.evolve(state.match, seed=rng.getrandbits(63)),
        drawn=drawn,
        shuffle=rng.getrandbits(62) if world.rules.stock.may_shuffle else 0,
    )


def _unmasked(state: State, drawn: Drawn, seen: int, rng: random.Random) -> Drawn:
    """
    What another player has drawn, in a world in which that player holds other cards.
    """
    hand = state._hands[state.turn]
    if drawn.source != "stock":
        return attrs.evolve(drawn, held=hand + drawn.held)
    before = hand + drawn.held  # and the card drawn
    kept = list(codes(hand - seen))
    gone = list(codes(before - common(before, hand)))
    code = rng.choice(kept + gone)
    duties = state.rules.draw.stock_duties(code) if code in kept else ()
    held = before - UNIT[code]
    return Drawn("stock", bytes([code]), held, duties, drawn.melds)


def view_again(
    table: State,
    seat: int | None,
    known: Sequence[Cards],
    sizes: Sequence[int],
    known_stock: Sequence[Card | None],
    unseen: Sequence[int],
    drawn: Drawn,
) -> View:
    """
    A view put together again from all that it showed; nothing is checked.

    Args:
        table: A state of which only what lies open is looked at, and the history.
        seat: The seat; None for a spectator.
        known: By seat, the cards that are known to be in a hand.
        sizes: By seat, how many cards there are.
        known_stock: The cards of the stock that are known, from the top.
        unseen: The codes of the cards of which nobody knows where they are.
        drawn: What was drawn, as the seat may know it.
    """
    pool = sorted(unseen)
    fill = iter(pool)
    hands = [
        mine.bits + pack(itertools.islice(fill, number - len(mine)))
        for number, mine in zip(sizes, known, strict=True)
    ]
    hidden = len(pool) + sum(map(len, known)) - sum(sizes)
    for zone in table._zones:
        hidden -= 0 if knows(zone._seen, seat) else len(zone._cards)
    stock = [0 if card is None else card.code for card in known_stock]
    mine = -1 if seat is None else 1 << seat
    rest = hidden - known_stock.count(None)
    bare = attrs.evolve(
        table,
        hands=tuple(hands),
        stock=bytes([*stock, *(0,) * rest]),
        stock_seen=tuple(0 if card is None else mine for card in known_stock),
        seen=table._seen,
        history=table._history,
    )
    world = _world(bare, seat, known, pool, table._history)
    world = attrs.evolve(world, drawn=drawn, seen=table._seen, history=table._history)
    return View(seat, tuple(known), tuple(known_stock), world.history, world)
