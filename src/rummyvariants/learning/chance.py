"""
A game in which chance is decided card by card, when a card is first needed.

In the engine a deal is one action that holds the order of the whole deck. Programs that
look at all that may happen want each card to be an event of its own, as late as
possible: the stock then has no order yet, and equal games are one. Here an action is
tried with the cards that are known. What it turns out to need beyond them is an event
of chance, and the action is tried again.
"""

from __future__ import annotations

import functools

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Literal

import attrs

from rummyvariants import State
from rummyvariants.actions import Action, Deal, Draw
from rummyvariants.cards import CARDS
from rummyvariants.events import CardBuried
from rummyvariants.game import begin
from rummyvariants.game._card_moves import StepLog
from rummyvariants.game._engine.deals import may_put_back
from rummyvariants.game._engine.draws import turn_over
from rummyvariants.game._engine.game import act, as_action, do_leaf
from rummyvariants.game._state import freeze, thaw
from rummyvariants.game.verbs._known import planned
from rummyvariants.rules import Ruleset
from rummyvariants.rulings import IllegalAction, Objection


@attrs.frozen
class Outcome:
    """
    What chance may decide.

    Attributes:
        kind: A ``card`` of the deck or the stock, the first ``dealer``, or the
            ``place`` of a card that is put back into the deck.
        number: The code of the card, the seat, or how many cards lie above the place.
        probability: How likely it is.
    """

    kind: Literal["dealer", "card", "place"]
    number: int
    probability: Fraction

    def __str__(self) -> str:
        if self.kind == "card":
            return str(CARDS[self.number])
        return f"{self.kind} {self.number}"


@attrs.frozen
class Moment:
    """
    A game between two decisions, of a player or of chance.

    Attributes:
        state: The state. While chance decides, the state before the action that waits
            for it; what lies in the stock where nobody has looked has no meaning.
        waiting: The action that waits for chance; None if a player decides, a deal is
            due, or the match is over.
    """

    state: State
    waiting: Action | None = None
    # The lengths of the parts of the stock, from the top, within which every order is
    # as likely as any other. A part of one card is decided.
    _parts: tuple[int, ...] = ()
    # For the action that waits: the next cards, from the top, and the places.
    _cards: bytes = b""
    _places: tuple[int, ...] = ()
    _dealer: int = -1

    @property
    def is_chance(self) -> bool:
        """
        Whether chance decides.
        """
        return self.waiting is not None or self.state.phase == "deal"

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """
        What chance may decide next, in a fixed order; empty if a player decides.
        """
        found = self._found if self.is_chance else ()
        return found if isinstance(found, tuple) else ()

    @functools.cached_property
    def _found(self) -> tuple[Outcome, ...] | Moment:
        """
        What chance has to decide, or the moment after the action that waited for it.
        """
        if self.waiting is None:
            return self._dealt()
        return self._done(self.waiting)

    def after(self, outcome: Outcome) -> Moment:
        """
        The next moment after an event of chance.

        Raises:
            ValueError: If it is none of the `outcomes`.
        """
        if outcome not in self.outcomes:
            msg = f"chance cannot decide '{outcome}' here"
            raise ValueError(msg)
        return _decided(self._with(outcome))

    def act(self, action: Action | str, seat: int | None = None) -> Moment:
        """
        The next moment after an action of a player.

        Args:
            action: The action, or its text.
            seat: The seat that acts, as for `apply`.

        Raises:
            IllegalAction: If the rules refuse it.
            ValueError: If chance decides.
        """
        if self.is_chance:
            msg = "no player acts while chance decides"
            raise ValueError(msg)
        wanted = as_action(self.state, action, seat)
        return _decided(Moment(self.state, wanted, self._parts))

    def _with(self, outcome: Outcome) -> Moment:
        number = outcome.number
        if outcome.kind == "dealer":
            return attrs.evolve(self, dealer=number)
        if outcome.kind == "place":
            return attrs.evolve(self, places=(*self._places, number))
        return attrs.evolve(self, cards=self._cards + bytes([number]))

    # ------------------------------------------------------------------- the deal

    def _dealt(self) -> tuple[Outcome, ...] | Moment:
        match = self.state.match
        players = len(match.players)
        dealer = max(self._dealer, match.next_dealer)
        if dealer < 0:
            each = Fraction(1, players)
            return tuple([Outcome("dealer", seat, each) for seat in range(players)])
        deck = bytes(match.rules.deck.cards_for(players))
        buries = may_put_back(match.rules)
        order, parts = _ordered(deck, (len(deck),), self._cards)
        if buries and len(self._cards) < len(deck):
            # Cards may come back, so where each lies has to be known.
            return _next_card(deck, (len(deck),), self._cards)
        after, buried = self._try_deal(order, dealer, self._places)
        if buried > len(self._places):
            number = self._number_of_places(order, dealer)
            each = Fraction(1, number)
            return tuple([Outcome("place", place, each) for place in range(number)])
        if buries:
            return Moment(after, parts=(1,) * len(after._stock))
        return self._next(order, parts, (0,) * len(order), after)

    def _try_deal(
        self, order: bytes, dealer: int, places: tuple[int, ...]
    ) -> tuple[State, int]:
        """
        The state after a deal, and how many cards were put back in it.
        """
        log = StepLog()
        cards = tuple([CARDS[code] for code in order])
        after = act(self.state, Deal(cards, dealer, places), log)
        return after, sum([isinstance(event, CardBuried) for event in log.events])

    def _number_of_places(self, order: bytes, dealer: int) -> int:
        """
        How many places there are for the next card that is put back.

        The engine divides by their number and uses the rest, so the states after the
        deal repeat at that distance; if sooner, equal places are taken together.
        """
        most = len(order) + 1
        found = [
            self._try_deal(order, dealer, (*self._places, place))[0]
            for place in range(2 * most)
        ]
        return next(
            number for number in range(1, most + 1) if found[number:] == found[:-number]
        )

    # ------------------------------------------------------------------ an action

    def _done(self, action: Action) -> tuple[Outcome, ...] | Moment:
        before, parts = self.state, self._parts
        # What is legal does not depend on an order that nobody knows.
        plan = planned(before, action)
        if isinstance(plan, Objection):
            raise IllegalAction(before.rules.refusal(plan))
        draft = thaw(before)
        if not before._stock and isinstance(action, Draw):
            turned = turn_over(draft)
            parts = (turned,) if before.rules.stock.shuffles else (1,) * turned
        draft._stock, parts = _ordered(draft._stock, parts, self._cards)
        order, seen = draft._stock, draft._stock_seen
        do_leaf(draft, (action, plan))
        return self._next(order, parts, seen, freeze(draft))

    def _next(
        self, order: bytes, parts: tuple[int, ...], seen: Sequence[int], after: State
    ) -> tuple[Outcome, ...] | Moment:
        """
        The next moment, or the next card if the action needs one more.

        Args:
            order: The stock before the action, with the known cards on top.
            parts: Its parts; the known cards are parts of their own.
            seen: For each card of that stock, the mask of the seats that knew it.
            after: The state after the action.
        """
        gone, above = _moved(order, after._stock)
        needed = gone
        for at, mask in enumerate(after._stock_seen[above:], gone):
            if mask and at < len(order) and not (at < len(seen) and seen[at]):
                needed = at + 1
        if needed > len(self._cards):
            return _next_card(order, parts, self._cards)
        under = len(after._stock) - above - (len(order) - gone)
        kept = [*_without(parts, gone), *([under] if under else [])]
        return Moment(after, parts=(*(1,) * above, *kept))


def begin_open(
    rules: Ruleset | str, players: int | Sequence[str], *, dealer: int | None = None
) -> Moment:
    """
    Begin a match in which chance is decided card by card.

    Args:
        rules: The rules, or the name of a preset.
        players: How many play, or their names.
        dealer: The seat that deals first; if left out, the rules or chance decide.

    Raises:
        RulesError: If the rules cannot be played so.
    """
    return Moment(begin(rules, players, seed=None, dealer=dealer))


def _decided(moment: Moment) -> Moment:
    """
    The next moment in which there is more than one thing to decide.
    """
    while moment.waiting is not None or moment._cards or moment._places:
        found = moment._found
        if isinstance(found, Moment):
            return found
        if len(found) > 1:
            return moment
        moment = moment._with(found[0])
    return moment


def _ordered(
    stock: bytes, parts: tuple[int, ...], known: bytes
) -> tuple[bytes, tuple[int, ...]]:
    """
    A stock with the known cards on top, and its parts.

    The other cards of each part follow in the order of their codes.
    """
    order = b""
    for start, cards in _cut(stock, parts):
        mine = known[start : start + len(cards)]
        left = Counter(cards) - Counter(mine)
        order += mine + bytes(sorted(left.elements()))
    return order, ((1,) * len(known) + tuple(_without(parts, len(known))))


def _next_card(
    order: bytes, parts: tuple[int, ...], known: bytes
) -> tuple[Outcome, ...]:
    """
    Which cards may come after the known ones.
    """
    at = len(known)
    for start, cards in _cut(order, parts):
        if start + len(cards) > at:
            left = Counter(cards) - Counter(known[start:])
            odds = [(code, Fraction(left[code], left.total())) for code in sorted(left)]
            return tuple([Outcome("card", code, likely) for code, likely in odds])
    return ()


def _cut(stock: bytes, parts: tuple[int, ...]) -> Iterator[tuple[int, bytes]]:
    """
    The parts of a stock, each with where it begins.
    """
    start = 0
    for length in parts:
        yield start, stock[start : start + length]
        start += length


def _without(parts: tuple[int, ...], gone: int) -> Iterator[int]:
    """
    The parts that are left when so many cards have gone from the top.
    """
    for length in parts:
        if gone < length:
            yield length - gone
        gone = max(0, gone - length)


def _moved(before: bytes, after: bytes) -> tuple[int, int]:
    """
    How many cards left the top of a stock, and how many came to lie on what was left.
    """
    for gone in range(len(before) + 1):
        above = after.find(before[gone:])
        if above >= 0:
            return gone, above
    raise AssertionError
