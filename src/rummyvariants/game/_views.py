"""
What a seat knows of a game.

A view holds a world of its own: a state in which all that the seat sees is true, and
all that it does not see is in a fixed order that has nothing to do with the true one.
So a view holds no secrets, and two games that differ only in hidden cards give equal
views.
"""

from __future__ import annotations

import random

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants._support.lazy import guessing
from rummyvariants.actions import Action
from rummyvariants.cards import CARDS, Card, Cards, as_cards, codes, size
from rummyvariants.errors import Seat, UnfitError, seat_number
from rummyvariants.game._belief import Asker, believed
from rummyvariants.game._engine.game import as_action
from rummyvariants.game._moves import LegalActions
from rummyvariants.game._round import History, RoundResult, knows
from rummyvariants.game._state import Draft, PublicInformation, State, freeze
from rummyvariants.game._worlds import (
    dealt_anew,
    drawn_as_known,
    hidden_cards,
    history_as_seen,
    known_in_hands,
    known_in_stock,
    world_with,
)
from rummyvariants.house.facts import Location, points_in_hand
from rummyvariants.melds._deadwood import (
    least_unmatched,
)
from rummyvariants.melds._meld import Meld


@attrs.frozen(repr=False)
class View(PublicInformation):
    """
    What a seat, or a spectator, has seen of a game and may infer from it.

    It holds nothing that the seat does not know, and no reference to the state. It
    prints as the table, with the cards that the seat knows.

    >>> hands = {"Ann": "9s 2c", "Ben": "Qh Jh"}
    >>> state = rv.position("rummy-500", hands=hands, stock="3c")
    >>> print(str(rv.view(state, "Ann")).splitlines()[-1])
    Ben holds 2 cards

    Attributes:
        seat: The seat; None for a spectator.
        known: By seat, the cards known to be in the hand: all cards of the seat's own
            hand; for the others, upcards, cards taken from the discard pile, and wilds
            traded for that have not been played since. If one of two equal cards was
            played, one is known to be left.
        known_stock: The known cards of the stock, from the top, with None for each
            unknown card; empty if no card is known.
        world: A state in which all that the seat has seen is true, and what it has not
            seen is in the order of the codes. Functions that take a state accept it:
            `check`, `chooser`, `arrange`. To play on, use `determinize`.

    >>> view = rv.view(rv.new_game("three-thirteen", ["Ann", "Ben"], seed=3), "Ben")
    >>> view.hand, view.hand_sizes
    (Cards('8c Jd 9s'), (3, 3))
    >>> view.known
    (Cards(''), Cards('8c Jd 9s'))
    """

    seat: int | None
    known: tuple[Cards, ...]
    known_stock: tuple[Card | None, ...]
    world: State = attrs.field(eq=lambda world: (world, world.history))

    @property
    def _game(self) -> State:
        return self.world

    # ------------------------------------------------------------------ the match

    @property
    def result(self) -> RoundResult | None:
        """
        The result of the last round that ended; None if none has.
        """
        return self.world.result

    # ------------------------------------------------------------------ the round

    @property
    def phase(self) -> str:
        """
        The name of what has to be done next, as in `State`.
        """
        return self.world.phase

    @property
    def turn(self) -> int:
        """
        The seat whose turn it is; while others act, the seat whose turn comes next.
        """
        return self.world.turn

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
    def dealer_wild(self) -> Meld | None:
        """
        The dealer's wild on the table, meld 0, if the game has one.
        """
        return self.world.dealer_wild

    @property
    def discards(self) -> tuple[Card, ...]:
        """
        The discards that can be seen, the top card last.

        The whole pile if it is spread (``draw.open_pile``), otherwise its top card. The
        others were seen when they were discarded: see `history`.
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
    def apart(self) -> tuple[tuple[str, int, tuple[Card | None, ...]], ...]:
        """
        The cards that lie apart by some rule, such as red threes.

        Each entry has the name of the zone, the seat whose it is (-1 if nobody's), and
        its cards, with None for each that the seat does not know.
        """
        return tuple(
            [
                (zone.name, zone.seat, zone.cards)
                if knows(zone._seen, self.seat)
                else (zone.name, zone.seat, (None,) * len(zone.cards))
                for zone in self.world.zones
            ]
        )

    @property
    def drawn(self) -> tuple[Card, ...]:
        """
        The cards drawn in this turn that the seat has seen.
        """
        return self.world.drawn.cards

    @property
    def unseen(self) -> Cards:
        """
        The cards in the stock and in other hands whose place the seat does not know.

        >>> len(rv.view(rv.new_game("gin-rummy", 2), 0).unseen)
        41
        """
        return as_cards(hidden_cards(self.world, self.seat, self.known))

    @explained
    def points(self, card: Card | str) -> int:
        """
        The points of a card that is left in a hand when the round ends.

        Whom they count for or against, and whether cards in melds count as well, is for
        the score policy to say (``score.hands``, ``score.counted``).

        Args:
            card: The card, or its text.

        Raises:
            ParseError: If the text does not name a card.

        >>> rv.view(rv.new_game("rummy-500", 2), 0).points("Kc")
        10
        """
        named = card if isinstance(card, Card) else Card(card)
        return points_in_hand(self.world, named.code)

    @property
    def deadwood(self) -> Cards:
        """
        The cards of the seat's hand that are in no meld.

        The hand is divided so that they have the fewest points, as it is when a knock
        is counted; melds on the table are not considered. What a player who has
        knocked or declared is left with counts as it is.

        Raises:
            ValueError: If the view is that of a spectator, who has no hand.

        >>> hands = {"Ann": "7h 8h 9h Kc 5d", "Ben": "2c"}
        >>> state = rv.position("gin-rummy", hands=hands, fill=True, partial=True)
        >>> rv.view(state, "Ann").deadwood, rv.view(state, "Ann").deadwood_points
        (Cards('Kc 5d'), 15)
        """
        if self.seat is None:
            msg = "a spectator has no hand, so no deadwood: ask for the view of a seat"
            raise ValueError(msg)
        hand = self.hand
        if self.seat in self.world.out and self.rules.meld.concealed:
            return hand
        return as_cards(least_unmatched(self.world.dealt.terms, hand.bits))

    @property
    def deadwood_points(self) -> int:
        """
        The points of the deadwood.

        Raises:
            ValueError: If the view is that of a spectator, who has no hand.
        """
        return sum(map(self.points, self.deadwood))

    @property
    def actions(self) -> tuple[Action, ...]:
        """
        What the players have done in the round, in order.

        The cards drawn from the stock are not among it.
        """
        return self.world.history

    @property
    def history(self) -> tuple[Sight, ...]:
        """
        What the seat has seen in the round, in order, the deal first.

        It has every action, with what the seat saw then and others may not have seen:
        the cards dealt to it, drawn by it or shown to it. So it holds all that earlier
        views showed, even cards that others have covered since.

        >>> view = rv.view(rv.apply(rv.new_game("rummy-500", 2), "draw"), 1)
        >>> [str(one.action) for one in view.history[1:]]
        ['draw']
        """
        past = self.world._history
        return tuple([_sight(node) for node in (past.start, *past.nodes())])

    def information_state(self) -> tuple[object, ...]:
        """
        A hashable key of all that the seat has seen in the round, in order.

        The seat cannot tell apart games with equal keys: they are one information set.

        >>> state = rv.new_game("rummy-500", 2, seed=3)
        >>> keys = {rv.view(state, seat).information_state() for seat in (0, 1, 0)}
        >>> len(keys)
        2
        """
        return (self, self.history)

    @property
    def legal_actions(self) -> LegalActions:
        """
        What the seat may do now; empty for a spectator.

        >>> rv.view(rv.new_game("rummy-500", 2), 0).legal_actions
        <LegalActions: draw, take 1>
        """
        if self.seat is None:
            return LegalActions._of_nobody(self.world)
        return LegalActions(self.world, self.seat)

    def as_dict(self) -> dict[str, Any]:
        """
        The view as plain dictionaries, lists and texts, ready for `json.dumps`.

        It is what `to_json` writes, and `from_json` reads it back.

        Raises:
            JsonError: If the rules cannot be written.

        >>> view = rv.view(rv.new_game("gin-rummy", ["Ann", "Ben"], seed=1), "Ann")
        >>> view.as_dict()["phase"]
        'offer'
        """
        found: dict[str, Any] = import_module("rummyvariants.files.json").to_data(self)
        return found

    def __str__(self) -> str:
        drawn = import_module("rummyvariants.files._table_text")
        return str(drawn.view_text(self))

    def _repr_html_(self) -> str:
        """
        The view as a notebook shows it: a picture with words for screen readers.
        """
        from rummyvariants import svg  # noqa: PLC0415 -- slow

        return svg.view(self)

    def __repr__(self) -> str:
        who = "a spectator" if self.seat is None else self.players[self.seat]
        cards = f", {self.hand}" if self.seat is not None else ""
        return (
            f"<View of {self.rules.name} for {who}, round {self.round_number}, "
            f"{self.phase}{cards}>"
        )


guessing(View)


@attrs.frozen(repr=False)
class Sight:
    """
    An action, or the deal, as a seat saw it.

    Attributes:
        action: The action; None for the deal.
        shown: What the seat saw and others may not have seen: the cards, and where they
            went.

    >>> state = rv.apply(rv.new_game("rummy-500", 2, seed=3), "draw")
    >>> rv.view(state, 0).history[1]
    <Sight of 'draw': 9d to the hand of seat 0>
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


@explained
def view(state: State, seat: Seat | None = None) -> View:
    """
    What a seat knows of a game.

    Args:
        state: The game.
        seat: The seat, from 0 or by the player's name; None for a spectator.

    Raises:
        RequestError: If there is no such seat.

    >>> state = rv.new_game("three-thirteen", ["Ann", "Ben"], seed=3)
    >>> rv.view(state, "Ann").hand
    Cards('Qd 6h Ts')
    >>> rv.view(state).known
    (Cards(''), Cards(''))
    """
    if seat is not None:
        seat = seat_number(seat, state.players)
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
    return View(seat, known, known_in_stock(state, seat), world)


def picture(state: State) -> str:
    """
    A picture of a game with all hands open.
    """
    return View(None, state.hands, (), state)._repr_html_()


class Player(Protocol):
    """
    Whoever chooses actions, such as a `Bot`.
    """

    def choose(self, view: View, rng: random.Random) -> Action | str:
        """
        Choose a legal action of the seat of a view.
        """


@explained
def determinize(view: View, rng: random.Random, believe: Player | None = None) -> State:
    """
    A complete game that agrees with everything that a view knows.

    All orders of the cards that the seat has not seen are equally likely, among those
    in which other players can do what they must. One who has a duty, for a card taken
    or after a call, can meet it. One who has asked whether to go out can do so, unless
    the answer was no. One who is asked, although the stock is empty and a player who
    can take nothing ends the round (RV-54), can take the discard pile. A card that
    another player has just drawn from the stock may be any that is possible. The seed
    of later deals comes from the source of chance.

    With ``believe``, the other hands are such as that player would hold after the
    actions seen: it is asked at each turn of the round what it would do. Where the
    round cannot be followed (it began from a position, or a rule hides too much), all
    orders are equally likely.

    Args:
        view: What is known.
        rng: The source of chance.
        believe: How the others play, usually a bot. It is asked through
            ``decide(state, seat)`` if it has such a method, which is faster, and may
            then look only at what the seat sees.

    >>> import random
    >>> state = rv.new_game("rummy-500", 2, seed=3)
    >>> world = rv.determinize(rv.view(state, 0), random.Random(1))
    >>> [world.hands[seat] == state.hands[seat] for seat in (0, 1)]
    [True, False]
    """
    world, seat, known = view.world, view.seat, view.known
    if believe is None:
        return dealt_anew(world, seat, known, rng)
    cards = [one.bits for one in known]
    ask = _asking(believe, rng)

    def order(hidden: Sequence[int]) -> list[int] | None:
        return believed(world, seat, cards, hidden, rng, ask)

    return dealt_anew(world, seat, known, rng, order)


def _asking(player: Player, rng: random.Random) -> Asker:
    """
    How a player is asked in a position.
    """
    if isinstance(player, (str, type)) or not callable(getattr(player, "choose", None)):
        msg = f"believe takes a bot, such as bot('careful'), not {player!r}"
        raise UnfitError(msg)
    decide: Asker | None = getattr(player, "decide", None)
    if decide is not None:
        return decide

    def ask(draft: Draft, seat: int) -> Action:
        state = freeze(draft)
        return as_action(state, player.choose(view(state, seat), rng), seat)

    return ask
