"""
What house rules see of a game: facts in public types, computed when read.
"""

from __future__ import annotations

import functools
import operator

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Final

import attrs

from rummyvariants._support.values import Value
from rummyvariants.cards import CARDS, FIELD, Card, Cards, as_cards, pack, size
from rummyvariants.melds._deadwood import least_unmatched
from rummyvariants.melds._meld import Meld, is_low_ace
from rummyvariants.melds._tables import Terms


ASIDE: Final = "laid aside"
"""The name of the zones of the cards that no hand keeps."""
LAID_BEFORE: Final = "laid before"
"""The name under which it remembers who had laid a card before the present turn."""
AWARDED: Final = "points"
"""The name under which a state remembers points that rules have awarded in a round."""
DROPPED: Final = "dropped"
"""The name under which a state remembers who has left the round, and of their zones."""


@attrs.frozen(eq=False, repr=False)
class Location(Value):
    """
    A place where cards lie.

    Attributes:
        name: ``stock``, ``discards``, ``hand``, ``table``, or the name of a zone.
        seat: Whose hand or zone it is; -1 if it belongs to no seat.
    """

    name: str
    seat: int = -1

    def __str__(self) -> str:
        return self.name if self.seat < 0 else f"{self.name} of seat {self.seat}"


def left_round(state: Any) -> tuple[tuple[int, int, str], ...]:
    """
    The seats that have left the round, lowest first, the points, and what they cite.
    """
    for known, value in state._memory:
        if known == DROPPED:
            found: tuple[tuple[int, int, str], ...] = value
            return found
    return ()


def points_in_hand(state: Any, code: int) -> int:
    """
    The points of a card left in a hand.
    """
    worth: int = state.dealt.terms.worth[code]
    other = state.match.rules.score.in_hand
    return dict(other).get(str(CARDS[code]), worth) if other else worth


class Engine:
    """
    What facts ask of the engine, which comes later in the order of imports.

    Attributes:
        after: The state after a legal action, given a state, the action and its plan.
        may: Whether a seat may do something, given a state, the seat and the text.
    """

    after: ClassVar[Callable[[Any, Any, Any], Any]]
    may: ClassVar[Callable[[Any, int, str], bool]]


class _Facts:
    """
    What may be known about a game at any time.

    Attributes:
        memory: What the rule being asked remembers.
    """

    __slots__ = ("_state", "_terms", "memory")

    def __init__(self, state: Any, memory: Any) -> None:
        self._state = state
        self._terms: Terms = state.dealt.terms
        self.memory = memory

    def is_wild(self, card: Card) -> bool:
        """
        Whether a card is wild in this deal.
        """
        return self._terms.wild[card.code]

    def points(self, cards: Meld | Iterable[Card], laid_by: int | None = None) -> int:
        """
        The points that a meld, or some cards outside of melds, are worth.

        Args:
            cards: The meld, or the cards.
            laid_by: The seat whose cards of the meld are counted; None for all.
        """
        terms = self._terms
        if not isinstance(cards, Meld):
            return sum([terms.worth[card.code] for card in cards])
        laid = [(at, one.card, one.seat) for at, one in enumerate(cards.slots)]
        laid += [(one.index, one.card, one.seat) for one in cards.beside]
        found, rules = 0, self._state.match.rules
        for index, card, seat in laid:
            if laid_by in {None, seat}:
                at = cards.slots[index]
                own = (
                    rules.worth_in(at, cards, terms.worth) if at.card == card else None
                )
                if own is not None:
                    found += own[1]
                    continue
                low = is_low_ace(terms, cards, index, card)
                found += terms.low_ace if low else terms.worth[card.code]
        return found

    def unmatched(self, hand: Cards) -> Cards:
        """
        The cards of a hand that are in no meld if it is divided at its best.

        Their `points` are its deadwood.
        """
        return as_cards(least_unmatched(self._terms, hand.bits))

    def fits(self, card: Card) -> bool:
        """
        Whether a card alone fits a meld on the table, whoever may lay it there.
        """
        face = FIELD[card.code]
        return any((meld.grows | meld.real) & face for meld in self.table)

    def copies(self, card: Card) -> int:
        """
        How many of a card the deck holds.
        """
        return self._terms.copies[card.code]

    def side_of(self, seat: int) -> frozenset[int]:
        """
        A seat and its partners.
        """
        match = self._state.match
        return _seats_in(match.rules.side_masks(len(match.players))[seat])

    @property
    def players(self) -> int:
        """
        How many players there are.
        """
        return len(self._state.match.players)

    @property
    def laid_aside(self) -> tuple[Card, ...]:
        """
        The cards that no hand keeps by ``deal.laid_aside``.
        """
        return tuple([Card(one) for one in self._state.match.rules.deal.laid_aside])

    @property
    def canasta_size(self) -> int:
        """
        The fewest cards of a canasta; 0 if no meld is one.
        """
        return int(self._state.match.rules.out.canasta)

    @property
    def round_number(self) -> int:
        """
        The round, from 1.
        """
        return int(self._state.match.round_number)

    @property
    def scores(self) -> tuple[int, ...]:
        """
        By seat, the total scores of the finished rounds.
        """
        return tuple(self._state.match.scores)

    @property
    def lowest_wins(self) -> bool:
        """
        Whether the lowest score wins the match.
        """
        return bool(self._state.match.rules.match.lowest_wins)

    @property
    def wild_rank(self) -> str:
        """
        The rank that is wild in this deal; empty if there is none.
        """
        return self._terms.wild_rank

    @property
    def turns_taken(self) -> tuple[int, ...]:
        """
        How many turns each seat has finished in this round.
        """
        return tuple(self._state.turns)

    @property
    def table(self) -> tuple[Meld, ...]:
        """
        The melds on the table, without the dealer's wild.
        """
        return tuple(self._state._table)

    @property
    def discards(self) -> tuple[Card, ...]:
        """
        The discard pile, the top card last.
        """
        return tuple([CARDS[code] for code in self._state._discards])

    @property
    def stock_size(self) -> int:
        """
        How many cards the stock holds.
        """
        return len(self._state._stock)

    @property
    def out(self) -> tuple[int, ...]:
        """
        The seats that have gone out, in order.
        """
        return tuple(self._state.out)

    @property
    def dropped(self) -> frozenset[int]:
        """
        The seats that have left the round.
        """
        return frozenset([seat for seat, *_ in left_round(self._state)])

    @property
    def have_drawn(self) -> frozenset[int]:
        """
        The seats that have finished a turn with a draw, and not only left before one.
        """
        left = left_round(self._state)
        undrawn = [seat for seat, _, by in left if by != "out.wrong_declaration"]
        turns = enumerate(self._state.turns)
        return frozenset([seat for seat, done in turns if done > undrawn.count(seat)])

    def zone_size(self, name: str, seat: int = -1) -> int:
        """
        How many cards lie in a zone. It reads ``zone_sizes``.

        Args:
            name: The name of the zone.
            seat: Whose it is; -1 for a zone that belongs to no seat.
        """
        return {one[:2]: one[2] for one in self.zone_sizes}.get((name, seat), 0)

    @property
    def zone_sizes(self) -> tuple[tuple[str, int, int], ...]:
        """
        The name, the seat and the number of cards of each zone.
        """
        lying = self._state._zones
        return tuple([(one.name, one.seat, len(one._cards)) for one in lying])

    @property
    def zones(self) -> tuple[tuple[str, int, tuple[Card, ...]], ...]:
        """
        The name, seat and cards of each zone that lies face up.
        """
        lying = self._state._zones
        return tuple(
            [(one.name, one.seat, one.cards) for one in lying if one._seen < 0]
        )


class Turn(_Facts):
    """
    A moment of a game, seen by a player who acts or may act.

    >>> turn = rv.house.Turn(rv.new_game("rummy-500", 2, seed=3), seat=0)
    >>> turn.sizes, turn.may("take 1"), turn.has_melded
    ((10, 10), True, False)
    """

    __slots__ = ("_seat",)

    def __init__(self, state: Any, seat: int, memory: Any = None) -> None:
        # Not by the base's method: one is made whenever a rule is asked.
        self._state, self._seat, self.memory = state, seat, memory
        self._terms = state.dealt.terms

    @property
    def seat(self) -> int:
        """
        The seat that acts, or that is asked.
        """
        return self._seat

    @property
    def side(self) -> frozenset[int]:
        """
        The seat and its partners.
        """
        return self.side_of(self._seat)

    @property
    def phase(self) -> str:
        """
        What is going on, such as ``draw``, ``play``, or ``asked`` after an `AskOthers`.
        """
        return str(self._state.frames[-1].phase)

    @property
    def dealer(self) -> int:
        """
        The dealer's seat.
        """
        return int(self._state.dealt.dealer)

    def may(self, action: str) -> bool:
        """
        Whether the seat may do something now, such as ``take 1`` or ``lay 7h on 2``.

        What house rules forbid by `HouseRule.forbids` is not looked at. For other seats
        than those who may act it is False.

        Raises:
            ParseError: If it is no action.

        >>> state = rv.new_game("rummy-500", 2)
        >>> [rv.house.Turn(state, seat).may("draw") for seat in (0, 1)]
        [True, False]
        """
        return Engine.may(self._state, self._seat, action)

    @property
    def whose_turn(self) -> int:
        """
        The seat whose turn it is, or whose turn comes next while others are asked.
        """
        return int(self._state.frames[0].seat)

    @property
    def hand(self) -> Cards:
        """
        The hand of the seat.
        """
        return as_cards(self._state._hands[self._seat])

    @property
    def sizes(self) -> tuple[int, ...]:
        """
        How many cards each hand holds, by seat.
        """
        return tuple(map(size, self._state._hands))

    @property
    def has_melded(self) -> bool:
        """
        Whether the seat or its partner has a meld of its own.
        """
        return bool(self._state._has_meld >> self._seat & 1)

    @property
    def source(self) -> str:
        """
        Where the draw came from, as ``stock``, ``discards`` or ``call``; else empty.

        It is ``rule`` where a rule lets the turn go on without a draw.
        """
        return str(self._state.drawn.source)

    @property
    def drawn(self) -> tuple[Card, ...]:
        """
        What was drawn this turn, the deepest card of the pile first.
        """
        return tuple([CARDS[code] for code in self._state.drawn._cards])

    @property
    def melds_made(self) -> int:
        """
        How many new melds the player has made in this turn.
        """
        return int(self._state.drawn.melds)

    @property
    def discards_made(self) -> int:
        """
        How many cards have been discarded in this turn, where several end it.
        """
        top = self._state.frames[-1]
        return top.discards_made if top.phase == "play" else 0

    @property
    def answer(self) -> str:
        """
        What was answered in this turn to the question whether to go out.

        It is ``yes`` or ``no``; empty if there was no answer.
        """
        first = self._state.frames[0]
        return first.answer if first.phase == "play" else ""

    @property
    def floating(self) -> frozenset[int]:
        """
        The seats that float, and so play on without cards.
        """
        return _seats_in(self._state._floating)


FACTS: Final = frozenset(
    {"memory"}.union(
        name
        for cls in Turn.__mro__
        for name, value in vars(cls).items()
        if isinstance(value, property)
    )
)
"""What a rule may read of a turn."""


Reader = Callable[[Any, int], object]
"""What finds in a state, for a seat, what a fact follows from."""
_PACKED: Final[dict[str, Reader]] = {
    "canasta_size": lambda state, _: state.match.rules.out.canasta,
    "discards": lambda state, _: state._discards,
    "drawn": lambda state, _: state.drawn._cards,
    "hand": lambda state, seat: state._hands[seat],
    "has_melded": lambda state, seat: state._has_meld >> seat & 1,
    "melds_made": lambda state, _: state.drawn.melds,
    "phase": lambda state, _: state.frames[-1].phase,
    "players": lambda state, _: len(state.match.players),
    "round_number": lambda state, _: state.match.round_number,
    "scores": lambda state, _: state.match.scores,
    "seat": lambda _, seat: seat,
    "side": lambda state, seat: state.match.rules.side_masks(len(state._hands))[seat],
    "stock_size": lambda state, _: len(state._stock),
    "table": lambda state, _: state._table,
    "turns_taken": lambda state, _: state.turns,
}
"""The facts that are asked for most, as the state holds them."""


@functools.cache
def readers(facts: frozenset[str]) -> tuple[Reader, ...]:
    """
    What finds that on which answers depend that read some facts.

    What a rule remembers is not among them.
    """
    return tuple([_reader(one) for one in sorted(facts - {"memory"})])


def _reader(fact: str) -> Reader:
    return _PACKED.get(fact) or (lambda state, seat: getattr(Turn(state, seat), fact))


class RoundFacts(_Facts):
    """
    A round that is over, before its points are added to the totals.

    Attributes:
        how: ``out``, ``dealt hand``, ``stock``, ``idle``, ``drop``, ``knock``, ``gin``,
            ``big gin``, or ``rule`` where a house rule has ended it.
        so_far: By seat, the points from the policy values and from earlier rules.

    >>> hands = {"Ann": "9h", "Ben": "Kd 2c"}
    >>> state = rv.position("rummy-500", hands=hands, fill=True)
    >>> end = rv.house.RoundFacts(state, "stock", so_far=(-9, -12))
    >>> end.how, end.hands
    ('stock', (Cards('9h'), Cards('2c Kd')))
    """

    __slots__ = ("how", "so_far")

    def __init__(
        self, state: Any, how: str, so_far: tuple[int, ...], memory: Any = None
    ) -> None:
        super().__init__(state, memory)
        self.how = how
        self.so_far = so_far

    @property
    def card_above(self) -> Card | None:
        """
        The card above the one that names the wild rank, where it is wild as well.
        """
        above = self._terms.above
        return None if above < 0 else CARDS[above]

    @property
    def laid_before(self) -> frozenset[int]:
        """
        The seats that had laid a card on the table before their last turn.

        Known only where going rummy or going out concealed scores.
        """
        mask = dict(self._state._memory).get(LAID_BEFORE, 0)
        return frozenset([seat for seat in range(self.players) if mask >> seat & 1])

    @property
    def source(self) -> str:
        """
        Where the last draw came from, as for a `Turn`.
        """
        return str(self._state.drawn.source or self._state.frames[0].last_source)

    @property
    def hands(self) -> tuple[Cards, ...]:
        """
        By seat, the cards left in the hand.
        """
        return tuple(map(as_cards, self._state._hands))

    def points_left(self, cards: Iterable[Card]) -> int:
        """
        The points that some cards count when they are left in a hand.
        """
        return sum([points_in_hand(self._state, card.code) for card in cards])

    def lying(self, name: str, seat: int = -1) -> tuple[Card, ...]:
        """
        The cards in a zone, whether or not they lie face up.

        Args:
            name: The name of the zone.
            seat: Whose it is; -1 for a zone that belongs to no seat.
        """
        lying = self._state._zones
        found = [one for one in lying if (one.name, one.seat) == (name, seat)]
        return found[0].cards if found else ()


@attrs.frozen(eq=False, repr=False)
class MatchFacts(Value):
    """
    A match between two rounds.

    Attributes:
        players: How many play.
        scores: By seat, the total scores.
        rounds: How many rounds are over.
        out: The seat that went out first in the last round, if any did.
        eliminated: The seats that are out of the match.
        dealer: The seat that dealt the last round; -1 if that is not known.
        points: By seat, the points of the last round; empty if they are not known.
        how: How the last round ended, as for `RoundFacts`.
        paid: By seat, what was paid after rounds, beside the points; empty if nothing
            was.
        memory: What the rule being asked remembers.
        lowest_wins: Whether the lowest score wins the match.

    >>> match = rv.house.MatchFacts(players=2, scores=(510, 480), rounds=7)
    >>> [seat for seat, total in enumerate(match.scores) if total >= 500]
    [0]
    """

    players: int
    scores: tuple[int, ...]
    rounds: int
    out: int | None = None
    eliminated: frozenset[int] = frozenset()
    dealer: int = -1
    points: tuple[int, ...] = ()
    how: str = ""
    paid: tuple[int, ...] = ()
    memory: Any = None
    lowest_wins: bool = False


@attrs.frozen(eq=False, repr=False)
class DealFacts(Value):
    """
    A deal that is about to be made, or that is done.

    Attributes:
        players: How many play.
        round_number: The round, from 1.
        dealer: The dealer's seat.
        scores: The totals by seat of the rounds that are over.
        deck: The whole deck.
        order: The seats that are dealt cards, the dealer last.
        cut: How many cards were cut off before the deal; 0 if nobody cut, or if a
            player has chosen the size of a hand since.
        dealt: How many cards were dealt to the hands; 0 before the deal.
        memory: What the rule being asked remembers.

    >>> deal = rv.house.DealFacts(
    ...     2, round_number=3, dealer=0, scores=(5, 0), deck=rv.Cards("Ac 2c 3c")
    ... )
    >>> {"deal.hand_size": 2 + deal.round_number}
    {'deal.hand_size': 5}
    """

    players: int
    round_number: int
    dealer: int
    scores: tuple[int, ...]
    deck: Cards
    order: tuple[int, ...] = ()
    cut: int = 0
    dealt: int = 0
    memory: Any = None


@functools.cache
def _seats_in(mask: int) -> frozenset[int]:
    """
    The seats of a mask.
    """
    seats = range(mask.bit_length())
    return frozenset([seat for seat in seats if mask >> seat & 1])


@functools.lru_cache(maxsize=64)
def as_deck(cards: tuple[int, ...]) -> Cards:
    """
    The cards of a deck, given by their codes.
    """
    return as_cards(pack(cards))


def mask_of(cards: Iterable[Card]) -> int:
    """
    The faces of some cards, all four bits of each.
    """
    return functools.reduce(operator.or_, [FIELD[card.code] for card in cards], 0)
