"""
What a seat knows of a game.

A view holds a world of its own: a state in which all that the seat sees is as it is,
and all that it does not see lies in one order that has nothing to do with the true one.
So nothing in it is a secret, and two games that differ in hidden cards alone give equal
views.
"""

from __future__ import annotations

import random

import attrs

from rummyvariants.cards import CARDS, Card, Cards, as_cards, codes, size
from rummyvariants.game._moves import LegalActions, legal_actions
from rummyvariants.game._round import Column, History, Location, RoundResult, ScoreItem
from rummyvariants.game._state import State
from rummyvariants.game._worlds import (
    dealt_anew,
    drawn_as_known,
    hidden_cards,
    history_as_seen,
    known_in_hands,
    known_in_stock,
    world_with,
)
from rummyvariants.game.actions import Action
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
        return as_cards(hidden_cards(self.world, self.seat, self.known))

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
    known = known_in_hands(state, seat)
    world = world_with(
        state,
        seat,
        known,
        list(map(size, state._hands)),
        sorted(codes(hidden_cards(state, seat, known))),
        drawn_as_known(state, seat),
        history_as_seen(state, seat),
    )
    return View(seat, known, known_in_stock(state, seat), world.history, world)


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
    return dealt_anew(view.world, view.seat, view.known, rng)
