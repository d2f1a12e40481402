"""
The state of a game: small frozen values, and the draft in which a step is prepared.

A `State` is never changed. The engine thaws one into a `Draft`, works on that, and
freezes it. Both have the same slots, so freezing only changes the class.
"""

from __future__ import annotations

import functools
import operator

from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from typing import Any, Final

import attrs

from rummyvariants._support.lazy import guessing
from rummyvariants._support.seats import EachSeat
from rummyvariants.actions import Action
from rummyvariants.cards import CARDS, Card, Cards, as_cards
from rummyvariants.errors import Seat, need, seat_number, unfit
from rummyvariants.game import _asking as asking
from rummyvariants.game._round import (
    BETWEEN_ROUNDS,
    EVERYBODY,
    NOTHING_DRAWN,
    Column,
    Dealt,
    Drawn,
    Frame,
    History,
    Match,
    RoundResult,
    ScoreItem,
    Zone,
    final_scores,
    standing,
)
from rummyvariants.house.answers import Opening
from rummyvariants.house.facts import DROPPED, LAID_BEFORE, left_round
from rummyvariants.melds._meld import Fits, Meld
from rummyvariants.rules._ruleset import Ruleset


Leaf = tuple[Action, Any]
"""A legal action, and its plan or what replaces it."""
action_of: Final = operator.itemgetter(0)
"""The action of a leaf."""


def _cards(codes: bytes) -> tuple[Card, ...]:
    return tuple(CARDS[code] for code in codes)


class PublicInformation:
    """
    What everybody knows of a game: the properties that states and views share.
    """

    __slots__ = ()

    @property
    def _game(self) -> State | Draft:
        """
        The state in which it is true.
        """
        assert isinstance(self, (State, Draft))  # noqa: S101
        return self

    # ------------------------------------------------------------------- the match

    @property
    def rules(self) -> Ruleset:
        """
        The rules of the game.
        """
        return self._game.match.rules

    @property
    def players(self) -> tuple[str, ...]:
        """
        The players' names, by seat.
        """
        return self._game.match.players

    @property
    def scores(self) -> EachSeat[int]:
        """
        The total scores of the finished rounds, by seat or by the player's name.
        """
        match = self._game.match
        return EachSeat(match.scores, match.players)

    @property
    def boxes(self) -> tuple[int, ...]:
        """
        By seat, the rounds won; one may count more than once. Empty if none count.
        """
        return self._game.match.boxes

    @property
    def bonuses(self) -> tuple[ScoreItem, ...]:
        """
        The points added to the totals at the end of the match, with reasons and rules.

        Empty before the end, and where the score is kept in columns, which have bonuses
        of their own. The points of a side are with the first of its seats.
        """
        return self._game.match.bonuses

    @property
    def columns(self) -> tuple[Column, ...]:
        """
        The columns of the score, if it is kept in several; otherwise empty.
        """
        return self._game.match.columns

    @property
    def round_number(self) -> int:
        """
        The round in play, or else the last one, from 1.
        """
        number = self._game.match.round_number
        return number - 1 if between_rounds(self._game) else number

    @property
    def is_over(self) -> bool:
        """
        Whether the match is over.
        """
        return self._game.phase == "over"

    @property
    def winners(self) -> tuple[int, ...]:
        """
        The seats that have won the match; empty while it goes on.
        """
        return self._game.match.winners

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """
        The seats of each side; without partners, every seat is a side of its own.
        """
        return sides_of(self._game)

    @property
    def side_scores(self) -> tuple[int, ...]:
        """
        The totals by side, in the order of `sides`, including bonuses at the end.
        """
        match = self._game.match
        found: tuple[int, ...] = match.rules.match.by_side(final_scores(match))
        return found

    @property
    def paid(self) -> tuple[int, ...]:
        """
        By seat, what was paid after rounds, beside the points; empty if nothing was.
        """
        return self._game.match.paid

    # ------------------------------------------------------------------- the round

    @property
    def to_act(self) -> tuple[int, ...]:
        """
        The seats that may act now.
        """
        return to_act(self._game)

    @property
    def dealer(self) -> int | None:
        """
        The dealer's seat; None before the first deal.
        """
        dealer = self._game.dealt.dealer
        return None if dealer < 0 else dealer

    @property
    def wild_rank(self) -> str:
        """
        The rank that is wild in this deal; empty for none.
        """
        return self._game.dealt.wild_rank

    @property
    def table(self) -> tuple[Meld, ...]:
        """
        The melds in the order in which they were made; the first has the number 1.
        """
        return self._game._table

    @property
    def floating(self) -> tuple[int, ...]:
        """
        The seats that float, and so play on without cards.
        """
        return seats_of(self._game._floating)

    def has_meld(self, seat: Seat) -> bool:
        """
        Whether a seat has made a meld of its own, or its partner has (RV-20).

        Args:
            seat: The seat, from 0 or by the player's name.

        Raises:
            RequestError: If there is no such seat.
        """
        return bool(self._game._has_meld >> seat_number(seat, self.players) & 1)


# No slot for weak references: with one, Python 3.11 refuses the change of class.
@attrs.frozen(repr=False, weakref_slot=False)
class State(PublicInformation):
    """
    A game at one moment. Equal states play on alike, however they came about.

    It prints as the table, with all hands open.

    >>> print(rv.position("rummy-500", hands={"Ann": "9s 2c", "Ben": "Qh"}, stock="3c"))
    Rummy 500
    Ann has to draw.
    Round 1, Ben deals, stock: 1, played to 500
    player  cards  points
    Ann         2       0  to act
    Ben         1       0  dealer
         no meld yet
    discards: none
    Ann holds 2c 9s
    Ben holds Qh

    Attributes:
        match: The rules, the players and the total scores.
        dealt: What the deal decided.
        frames: What is in progress: the turn, or what comes between turns, followed by
            what interrupts it. The last one has to be dealt with first.
        dealer_wild: The dealer's wild on the table, with what was built on it; meld 0.
        drawn: What the player in turn has drawn.
        laid: Whether a card has been laid on the table this turn.
        idle: How many turns in a row were idle: no card drawn from the stock or laid.
        turns: By seat, how many turns were finished in this round.
        out: The seats that have gone out, in order.
        result: The result of the last round that ended; None if none has.
        turned: How often the discard pile has been turned over in this round.
        fresh: Whether a card has reached the table since then.
        from_position: Whether the game began from a position made by hand.
        assumed: What was made up of that position, since it was not given, in words.

    >>> state = rv.new_game("rummy-500", ["Ann", "Ben"], seed=3)
    >>> state
    <State of rummy-500, round 1, draw: Ann, scores (0, 0)>
    >>> state.phase, state.players[state.turn], state.discards
    ('draw', 'Ann', (Card('8c'),))
    """

    match: Match
    dealt: Dealt
    frames: tuple[Frame, ...]
    _hands: tuple[int, ...]
    _stock: bytes
    _discards: bytes
    _table: tuple[Meld, ...] = ()
    dealer_wild: Meld | None = None
    _has_meld: int = 0
    drawn: Drawn = NOTHING_DRAWN
    laid: bool = False
    idle: int = 0
    turns: tuple[int, ...] = ()
    _floating: int = 0
    out: tuple[int, ...] = ()
    result: RoundResult | None = None
    turned: int = 0
    fresh: bool = True
    # What lies apart by some rule, by the names and seats of the zones.
    _zones: tuple[Zone, ...] = ()
    # What rules remember, by their names, if it has changed since the start.
    _memory: tuple[tuple[str, Any], ...] = ()
    # The secret number behind the order of a pile that is shuffled and turned over.
    _shuffle: int = attrs.field(default=0, repr=False)
    _history: History = attrs.field(factory=History, eq=False, repr=False)
    from_position: bool = attrs.field(default=False, eq=False)
    assumed: tuple[str, ...] = attrs.field(default=(), eq=False)
    # The facts from which that position was made, if something was made up, and the
    # cards that are in the hand of the player who acts.
    _told: tuple[Mapping[str, Any], tuple[Card, ...]] | None = attrs.field(
        default=None, eq=False, repr=False
    )

    # By seat, the cards of a hand that everybody saw go there: upcards, cards taken
    # from the discard pile, wilds traded for. Empty in positions made by hand.
    _seen: tuple[int, ...] = attrs.field(default=(), eq=False, repr=False)
    # Cards in hands that some others know to be there: whose hand, the mask of the
    # seats that know, the cards.
    _seen_by_some: tuple[tuple[int, int, int], ...] = attrs.field(
        default=(), eq=False, repr=False
    )
    # For each card from the top of the stock, the mask of the seats that know it.
    _stock_seen: tuple[int, ...] = attrs.field(default=(), eq=False, repr=False)

    # What need not be worked out again for this state: the actions last found to be
    # legal, with their plans; one action, or those of a list.
    _known: Leaf | list[Leaf] | None = attrs.field(
        default=None, init=False, eq=False, repr=False
    )

    # ------------------------------------------------------------------- the match

    @property
    def standing(self) -> tuple[int, ...]:
        """
        By seat, the points that decide the match.

        These are the totals; they include the bonuses of the match only if the rules
        say that bonuses decide too. If the score is kept in columns, these are the sums
        of all columns, with the bonuses of those that are won.

        >>> rv.new_game("canasta", 4).standing
        (0, 0, 0, 0)
        """
        return standing(self.match)

    @property
    def final_scores(self) -> tuple[int, ...]:
        """
        By seat, the totals with the points added at the end of the match.

        If the score is kept in columns, the sums of all columns, with the bonuses of
        those that are won.
        """
        return final_scores(self.match)

    @property
    def is_round_over(self) -> bool:
        """
        Whether a round is over and the next one has not been dealt.
        """
        return between_rounds(self)

    @property
    def shows_hands(self) -> bool:
        """
        Whether a round is over and the hands were counted in front of everybody.
        """
        return shows_hands(self)

    def by_side(self, points: Sequence[int]) -> tuple[int, ...]:
        """
        Points by seat, such as those of a result, added up for each side.

        Raises:
            TypeError: If they are not numbers, one for each seat.

        >>> rv.new_game("canasta", 4).by_side([100, 50, 20, 0])
        (120, 50)
        """
        try:
            found: tuple[int, ...] = self.rules.match.by_side(points)
        except (TypeError, LookupError):
            raise unfit(points, "points", "a list of points by seat") from None
        return found

    @property
    def payments(self) -> tuple[int, ...]:
        """
        What each side has received in all; negative if it has paid.

        In points, in the order of `sides`: payments after the rounds so far, and after
        the match. Zeros in games without payments.

        >>> rv.new_game("persian-rummy", 4).payments
        (0, 0)
        """
        match = self.match
        found: tuple[int, ...] = match.rules.match.payments(
            self.final_scores, match.winners
        )
        if match.paid:
            rounds = match.rules.match.by_side(match.paid)
            found = tuple(map(operator.add, found, rounds))
        return found

    # ------------------------------------------------------------------- the round

    @property
    def phase(self) -> str:
        """
        The name of what has to be done next.

        ``deal`` (a deal is due), ``choose`` (a hand size), ``offer`` (the first upcard
        is offered), ``draw``, ``stock`` (the upcard was declined), ``play`` (after the
        draw), ``answer`` (a partner is asked whether the player in turn goes out),
        ``call`` (a window for calls is open), ``buy`` (the discard is for sale),
        ``discard`` (a caller owes a discard), ``layoff`` (after a knock), ``rejoin``
        (an eliminated player may come back) or ``over`` (the match is over).
        """
        return self.frames[-1].phase

    @property
    def turn(self) -> int:
        """
        The seat whose turn it is; while others act, the seat whose turn comes next.
        """
        return self.frames[0].seat

    @property
    def hands(self) -> EachSeat[Cards]:
        """
        The hands, by seat or by the player's name.

        >>> rv.new_game("three-thirteen", ["Ann", "Ben"], seed=3).hands["Ben"]
        Cards('8c Jd 9s')
        """
        return EachSeat(map(as_cards, self._hands), self.match.players)

    @property
    def stock(self) -> tuple[Card, ...]:
        """
        The stock; the card that is drawn next comes first.
        """
        return _cards(self._stock)

    @property
    def discards(self) -> tuple[Card, ...]:
        """
        The discard pile, the top card last.
        """
        return _cards(self._discards)

    @property
    def zones(self) -> tuple[Zone, ...]:
        """
        The cards that lie apart because of a rule, in the order of the zones' names.

        >>> rv.new_game("canasta", 4, seed=3).zones
        (<Zone laid aside of seat 0: 3d>,)
        """
        return self._zones

    @property
    def seen_in_hands(self) -> tuple[Cards, ...]:
        """
        By seat, the cards that everybody knows to be in the hand.

        They were upcards, cards taken from the discard pile, or wilds traded for.

        >>> rv.apply(rv.new_game("rummy-500", 2, seed=3), "take 1").seen_in_hands
        (Cards('8c'), Cards(''))
        """
        return tuple(map(as_cards, self._seen))

    def first_melds(self, seat: Seat) -> tuple[Opening, ...]:
        """
        What a seat's first melds must be, such as a contract; nothing if it has melded.

        The text of an `Opening` says it in words. Arguments and errors are those of
        `has_meld`.

        >>> rv.new_game("canasta", 4).first_melds(0)[0].points
        50
        """
        return asking.openings(self, seat_number(seat, self.players))

    def had_laid(self, seat: Seat) -> bool:
        """
        Whether a seat had laid a card on the table before this turn of its own.

        Recorded only where going rummy or going out concealed scores; otherwise always
        false. Arguments and errors are those of `has_meld`.
        """
        number = seat_number(seat, self.players)
        return bool(noted(self, LAID_BEFORE) >> number & 1)

    @property
    def had_last_turn(self) -> tuple[int, ...]:
        """
        The seats that have had a turn since somebody went out, where each gets one.
        """
        return seats_of(noted(self, LAST_TURN))

    @property
    def memory(self) -> Mapping[str, Any]:
        """
        What house rules remember, by section and name, as in ``draw.one take a round``.

        Values that have not changed since the start are left out.
        """
        return {name: one for name, one in self._memory if name not in _OUR_OWN}

    @property
    def dropped(self) -> dict[int, int]:
        """
        The seats that have left the round, with the points that it costs them.
        """
        return {seat: points for seat, points, _ in left_round(self)}

    @property
    def eliminated(self) -> tuple[int, ...]:
        """
        The seats that are out of the match.
        """
        return tuple(sorted(asking.eliminated(self.match)))

    @property
    def doubled(self) -> tuple[int, ...]:
        """
        The numbers of the melds in which four cards count twice (RV-40).
        """
        return tuple(
            number
            for number, meld in enumerate(self._table, 1)
            if any(slot.twice for slot in meld.slots)
        )

    @property
    def history(self) -> tuple[Action, ...]:
        """
        The actions that led here, deals included, from the start of the game.

        >>> state = rv.apply(rv.new_game("rummy-500", 2), "draw")
        >>> len(state.history), state.history[-1]
        (2, Draw(seat=0))
        """
        nodes = self._history.nodes()
        return tuple([one.action for one in nodes if one.action is not None])

    @property
    def history_nodes(self) -> list[History]:
        """
        The steps that led here, first to last.
        """
        return self._history.nodes()

    def under(self, rules: Any) -> State:
        """
        The same table under other rules.

        What was made up is made up again; otherwise every card stays where it is, and
        if the deck is another one, the rest of it is the stock.

        Args:
            rules: A ruleset, the name of a preset, or an option to add.

        Raises:
            PositionError: If no round is being played, or the position is impossible
                under these rules; with all its problems.
            RulesError: If there is no such preset or option.

        >>> state = rv.position("rummy-500", hand="7h 8h 2c", pile="9s 4d")
        >>> state.under("trade the real card").rules.options
        ('PGV-P4',)
        """
        positions = import_module("rummyvariants.files._positions")
        found: State = positions.under(self, rules)
        return found

    def as_dict(self) -> dict[str, Any]:
        """
        The game as plain dictionaries, lists and texts, ready for `json.dumps`.

        It is what `to_json` writes, and `from_json` reads it back. It holds every
        secret of the game: send a player the `View` of a seat.

        Raises:
            JsonError: If its rules cannot be written.

        >>> import json
        >>> state = rv.new_game("gin-rummy", ["Ann", "Ben"], seed=1)
        >>> rv.files.from_json(json.dumps(state.as_dict())) == state
        True
        """
        found: dict[str, Any] = import_module("rummyvariants.files.json").to_data(self)
        return found

    def __str__(self) -> str:
        drawn = import_module("rummyvariants.files._table_text")
        return str(drawn.state_text(self))

    def _repr_html_(self) -> str:
        """
        The game as a notebook shows it: a picture with all hands open.
        """
        return str(import_module("rummyvariants.game._views").picture(self))

    def __repr__(self) -> str:
        where = f"round {self.round_number}, {self.phase}"
        if self.to_act:
            where += ": " + ", ".join(self.players[seat] for seat in self.to_act)
        return f"<State of {self.rules.name}, {where}, scores {self.scores}>"


guessing(State)
guessing(Card)  # cards know nothing of games


class Draft(PublicInformation):
    """
    A state being made, private to one step.
    """

    __slots__ = State.__slots__

    match: Match
    dealt: Dealt
    frames: tuple[Frame, ...]
    _hands: tuple[int, ...]
    _stock: bytes
    _discards: bytes
    _table: tuple[Meld, ...]
    dealer_wild: Meld | None
    _has_meld: int
    drawn: Drawn
    laid: bool
    idle: int
    turns: tuple[int, ...]
    _floating: int
    out: tuple[int, ...]
    result: RoundResult | None
    turned: int
    fresh: bool
    _zones: tuple[Zone, ...]
    _memory: tuple[tuple[str, Any], ...]
    _shuffle: int
    _history: History
    from_position: bool
    assumed: tuple[str, ...]
    _told: tuple[Mapping[str, Any], tuple[Card, ...]] | None
    _seen: tuple[int, ...]
    _seen_by_some: tuple[tuple[int, int, int], ...]
    _stock_seen: tuple[int, ...]
    _known: Leaf | list[Leaf] | None

    @property
    def phase(self) -> str:
        """
        As in a state.
        """
        return self.frames[-1].phase

    @property
    def turn(self) -> int:
        """
        As in a state.
        """
        return self.frames[0].seat


def thaw(state: State | Draft) -> Draft:
    """
    A draft that can be changed without a trace in the state.
    """
    draft = Draft()
    draft.match = state.match
    draft.dealt = state.dealt
    draft.frames = state.frames
    draft._hands = state._hands
    draft._stock = state._stock
    draft._discards = state._discards
    draft._table = state._table
    draft.dealer_wild = state.dealer_wild
    draft._has_meld = state._has_meld
    draft.drawn = state.drawn
    draft.laid = state.laid
    draft.idle = state.idle
    draft.turns = state.turns
    draft._floating = state._floating
    draft.out = state.out
    draft.result = state.result
    draft.turned = state.turned
    draft.fresh = state.fresh
    draft._zones = state._zones
    draft._memory = state._memory
    draft._shuffle = state._shuffle
    draft._history = state._history
    draft.from_position = state.from_position
    draft.assumed = state.assumed
    draft._told = state._told
    draft._seen = state._seen
    draft._seen_by_some = state._seen_by_some
    draft._stock_seen = state._stock_seen
    draft._known = None
    return draft


def freeze(draft: Draft) -> State:
    """
    The state that a draft has become; the draft must not be touched again.
    """
    draft.__class__ = State  # type: ignore[assignment]
    return draft  # type: ignore[return-value]


def fits_of(state: State | Draft, seat: int = -1) -> Fits:
    """
    What fits the table of a state, worked out once for each table.

    Args:
        state: A state after the deal.
        seat: The seat that would lay off, where not every meld is open to all; -1 for
            the whole table.
    """
    terms, table, dealer_wild = state.dealt.terms, state._table, state.dealer_wild
    # An entry keeps its table, so that no other one gets the same id meanwhile.
    found: Fits | None = terms.fits.get(id(table))
    if (
        found is None
        or found.table is not table
        or found.dealer_wild is not dealer_wild
    ):
        if len(terms.fits) >= _TABLES_AT_MOST:
            terms.fits.clear()
        found = terms.fits[id(table)] = Fits.of(terms, table, dealer_wild)
    if seat < 0 or state.match.rules.opens_all_melds:
        return found
    makers = makers_open_to(state, seat)
    own: Fits | None = found.known.get(makers)
    if own is None:
        melds = tuple(meld for meld in table if makers >> meld.maker & 1)
        if dealer_wild is not None and not makers >> dealer_wild.maker & 1:
            dealer_wild = None
        own = found.known[makers] = Fits.of(terms, melds, dealer_wild)
    return own


_TABLES_AT_MOST: Final = 1_024
"""The most tables of which the terms of a deal remember what fits them."""


def makers_open_to(state: State | Draft, seat: int) -> int:
    """
    Mask of the seats on whose melds a seat may lay cards.
    """
    layoff = state.match.rules.layoff
    side = side_of(state, seat)
    makers = 0
    if layoff.opens_own:
        makers |= side
    if layoff.opens_others:
        makers |= (1 << len(state._hands)) - 1 & ~side
    if "lays_off_on" in state.match.rules.asked:
        makers &= asking.makers_allowed(state, seat)
    return makers


LAST_TURN: Final = "last turn"
"""Who has had a turn since somebody went out, where each gets one."""
_OUR_OWN: Final = frozenset({LAID_BEFORE, LAST_TURN, DROPPED})


def absent(state: State | Draft) -> Collection[int]:
    """
    The seats that have no further turn: out, out of the match, or gone from the round.
    """
    rules = state.match.rules
    found: Collection[int] = state.out
    if "eliminated" in rules.asked:
        found = {*found, *asking.eliminated(state.match)}
    if rules.settled.leaves:
        found = {*found, *[seat for seat, *_ in left_round(state)]}
    return found


def noted(state: State | Draft, name: str) -> int:
    """
    Mask of the seats about which something is remembered for the round.
    """
    for known, mask in state._memory:
        if known == name:
            return int(mask)
    return 0


def note(draft: Draft, name: str, seat: int) -> None:
    """
    Remember something about a seat for the round.
    """
    others = [one for one in draft._memory if one[0] != name]
    mine = (name, noted(draft, name) | 1 << seat)
    draft._memory = tuple(sorted([*others, mine]))  # no two with the same name


def remember(state: State | Draft, known: Leaf | list[Leaf] | None) -> None:
    """
    Keep the plans of legal actions, for when one of them is done.

    Args:
        state: The state.
        known: One action with its plan, or a list of several; None to forget them.
    """
    object.__setattr__(state, "_known", known)


def known_leaf(state: State | Draft, action: object) -> Leaf | None:
    """
    An action with its plan, if it was found to be legal last.

    Of several that were listed, only the very object is found.
    """
    known = state._known
    if isinstance(known, list):
        actions = map(id, map(action_of, known))
        return dict(zip(actions, known, strict=True)).get(id(action))
    if known is not None and (known[0] is action or known[0] == action):
        return known
    return None


def between_rounds(state: State | Draft) -> bool:
    """
    Whether a round is over and the next one has not been dealt.
    """
    return state.frames[-1].phase in BETWEEN_ROUNDS and state.result is not None


def shows_hands(state: State | Draft) -> bool:
    """
    Whether a round is over and the hands were counted in front of everybody.
    """
    if state.frames[-1].phase not in BETWEEN_ROUNDS:
        return False
    result = state.result
    return result is not None and result.shows_hands


def to_act(state: State | Draft) -> tuple[int, ...]:
    """
    The seats that may act now.
    """
    return seats_of(state.frames[-1].waiting)


def next_to_decide(state: State | Draft) -> int:
    """
    The first of the seats that may act, counting round from the player in turn.

    Raises:
        ValueError: If nobody may act.

    >>> rv.bots.next_to_decide(rv.new_game("rummy-500", 2))
    0
    """
    if type(state) is not State and type(state) is not Draft:
        need("state", state, State)
    waiting, turn = state.frames[-1].waiting, state.turn
    if waiting >> turn & 1:
        return turn
    if not waiting:
        msg = "nobody is to act"
        raise ValueError(msg)
    seats = len(state._hands)
    return min(seats_of(waiting), key=lambda seat: (seat - turn) % seats)


@functools.cache
def seats_of(mask: int) -> tuple[int, ...]:
    """
    The seats of a mask, lowest first.
    """
    return tuple(seat for seat in range(mask.bit_length()) if mask >> seat & 1)


def seats_shown(mask: int) -> tuple[int, ...] | None:
    """
    The seats of a mask that see something; None for everybody.
    """
    return None if mask == EVERYBODY else seats_of(mask)


def sides_of(state: State | Draft) -> tuple[tuple[int, ...], ...]:
    """
    The seats of each side; without partners, every seat is a side of its own.
    """
    match = state.match
    found: tuple[tuple[int, ...], ...] = match.rules.match.sides_of(len(match.players))
    return found


def side_of(state: State | Draft, seat: int) -> int:
    """
    Mask of a seat and its partners.
    """
    match = state.match
    if not match.rules.match.has_sides:
        return 1 << seat
    mask: int = match.rules.side_masks(len(match.players))[seat]
    return mask


def stock_left(state: State | Draft) -> int:
    """
    How many cards of the stock can still be drawn; 0 if none can.
    """
    return len(state._stock) - state.match.rules.stock.dead


def upcard_offered(state: State | Draft) -> bool:
    """
    Whether the first upcard is offered and nobody has finished a turn since.

    A card taken then is that upcard. In the phase `draw` nobody wanted it, so the first
    draw is from the stock.
    """
    return state.match.rules.draw.offers_upcard and not any(state.turns)
