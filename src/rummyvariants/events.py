"""
What happened, who may see it, and how it is told.

An event that holds a secret names the seats that may see it. `Event.seen_by` gives the
event as a seat, or a spectator, may see it, and `Event.describe` says it in a sentence.
"""

from __future__ import annotations

import re

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, Literal, Self

import attrs

from rummyvariants._support.words import capital, counted, figure, listed, rank
from rummyvariants.cards import Card
from rummyvariants.house.facts import ASIDE, DROPPED, Location
from rummyvariants.melds._meld import Played


@attrs.frozen
class Event:
    """
    Base of all events.

    An event of your own says what it is about in `doing` if it has a seat, otherwise in
    `line`. If it has secrets, it also needs a `seen_by`.

    >>> event = rv.step(rv.new_game("rummy-500", 2, seed=3), "draw").events[0]
    >>> event, event.seen_by(1)
    (Drew(seat=0, card=Card('9d')), Drew(seat=0, card=None))
    """

    def seen_by(self, seat: int | None) -> Self:
        """
        The event as a seat may see it; None for a spectator.
        """
        del seat
        return self

    def as_dict(self) -> dict[str, Any]:
        """
        The event as plain values, ready for `json.dumps`; `from_json` reads it back.

        It has all that this event holds: send a player what `seen_by` leaves.

        Raises:
            JsonError: If it is an event of your own.

        >>> state = rv.new_game("rummy-500", ["Ann", "Ben"], seed=3)
        >>> rv.step(state, "take 1").events[0].as_dict()["event"]
        'took'
        """
        found: dict[str, Any] = import_module("rummyvariants.files.json").to_data(self)
        return found

    def describe(self, players: Sequence[str], seat: int | None = None) -> str:
        """
        What happened, in a sentence for a seat, without anything that it may not see.

        Args:
            players: The players' names, by seat.
            seat: The seat of the reader, who is called *you*; None for a spectator.

        Raises:
            ValueError: If the event is about a seat that none of the players has.

        >>> event = rv.step(rv.new_game("rummy-500", 2, seed=3), "draw").events[0]
        >>> players = ["Ann", "Ben"]
        >>> event.describe(players, seat=0), event.describe(players, seat=1)
        ('You draw 9d.', 'Ann draws a card.')
        """
        return self.seen_by(seat).line(players, seat)

    def doing(self, *, you: bool = False) -> str:
        """
        What its player does, as a part of a sentence: ``draws a card``.

        Args:
            you: Whether the reader is that player: ``draw a card``.

        Returns:
            The words; empty if it is about no player.
        """
        del you
        return ""

    def line(self, players: Sequence[str], you: int | None = None) -> str:
        """
        What happened, in a sentence, with all that this event holds.

        Args:
            players: The players' names, by seat.
            you: The seat of the reader; None for anybody else.

        Raises:
            ValueError: If the event is about a seat that none of the players has.
        """
        seat = getattr(self, "seat", None)
        if not isinstance(seat, int):
            return f"{capital(_kind_in_words(type(self)))}."
        doing = self.doing(you=seat == you)
        if doing:
            return f"{capital(_name(players, seat, you))} {doing}."
        return f"{capital(_name(players, seat, you))}: {_kind_in_words(type(self))}."


def _kind_in_words(kind: type[Event]) -> str:
    """
    The name of a kind of event in words: ``hand dealt`` for `HandDealt`.
    """
    return re.sub(r"(?<!^)(?=[A-Z])", " ", kind.__name__).lower()


def _name(players: Sequence[str], seat: int, you: int | None) -> str:
    """
    The name of a player, or *you*.

    Raises:
        ValueError: If there is no such player.
    """
    if not 0 <= seat < len(players):
        are = f"{figure(len(players), 'name')} {'is' if len(players) == 1 else 'are'}"
        msg = f"the event is about seat {seat}, and only {are} given"
        raise ValueError(msg)
    return "you" if seat == you else players[seat]


def _names(players: Sequence[str], seats: Iterable[int], you: int | None) -> str:
    """
    The names of some players, *you* before the others.
    """
    first = sorted(seats, key=lambda seat: seat != you)
    return listed([_name(players, seat, you) for seat in first])


def _says(verb: str, *, you: bool) -> str:
    """
    A verb in the present, for *you* or for somebody else.
    """
    if you:
        return verb
    return f"{verb}es" if verb.endswith(("s", "o")) else f"{verb}s"


def _several(seats: Sequence[int], you: int | None, verb: str) -> str:
    """
    A verb in the present for one or several players.
    """
    return _says(verb, you=len(seats) != 1 or seats[0] == you)


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


def _what(cards: tuple[Card, ...] | None, size: int) -> str:
    """
    Cards, or how many they are if they are hidden.
    """
    return _cards(cards) if cards else counted(size, "card")


def _place(location: Location, players: Sequence[str], you: int | None) -> str:
    """
    A location in words: ``the discard pile``, ``Ann's hand``, ``your hand``.
    """
    name = "discard pile" if location.name == "discards" else location.name
    if location.seat < 0:
        return f"the {name}"
    holder = _name(players, location.seat, you)
    return f"your {name}" if location.seat == you else f"{holder}'s {name}"


@attrs.frozen
class DealStarted(Event):
    """
    A round begins.
    """

    round_number: int
    dealer: int

    def line(self, players: Sequence[str], you: int | None = None) -> str:
        """
        What happened, in a sentence.
        """
        who = _name(players, self.dealer, you)
        deals = _says("deal", you=self.dealer == you)
        return f"Round {self.round_number}. {capital(who)} {deals}."


@attrs.frozen
class UpcardShown(Event):
    """
    A card dealt face up to a seat; the seat keeps it unless the next event buries it.
    """

    seat: int
    card: Card

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        return f"{_says('turn', you=you)} up {self.card}"


@attrs.frozen
class CardBuried(Event):
    """
    A card that everybody has seen went back into the deck.
    """

    card: Card

    def line(self, players: Sequence[str], you: int | None = None) -> str:
        """
        What happened, in a sentence.
        """
        del players, you
        return f"{self.card} goes back into the deck."


@attrs.frozen
class HandDealt(Event):
    """
    The face-down cards of a seat; ``cards`` is None for all others.
    """

    seat: int
    size: int
    cards: tuple[Card, ...] | None

    def seen_by(self, seat: int | None) -> Self:
        """
        The cards are the seat's own secret.
        """
        return self if seat == self.seat else attrs.evolve(self, cards=None)

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        shown = f" ({_cards(sorted(self.cards))})" if self.cards else ""
        return f"{'are' if you else 'is'} dealt {figure(self.size, 'card')}{shown}"


@attrs.frozen
class HandSizeAsked(Event):
    """
    A seat has to choose the size of its hand.
    """

    seat: int

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        whose = "your" if you else "their"
        return f"{'have' if you else 'has'} to choose the size of {whose} hand"


@attrs.frozen
class HandSizeChosen(Event):
    """
    A seat chose the size of its hand.
    """

    seat: int
    size: int

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        return f"{_says('choose', you=you)} {figure(self.size, 'card')}"


@attrs.frozen
class WildNamed(Event):
    """
    The wild rank of the deal, and the card that names it, if there is one.
    """

    rank: str
    card: Card | None

    def line(self, players: Sequence[str], you: int | None = None) -> str:
        """
        What happened, in a sentence.
        """
        del players, you
        if not self.rank:
            return f"{self.card} makes no rank wild."
        by = f"{self.card} makes" if self.card else "This round makes"
        return f"{by} every {rank(self.rank)} wild."


@attrs.frozen
class FirstDiscard(Event):
    """
    The card turned up to start the discard pile.
    """

    card: Card

    def line(self, players: Sequence[str], you: int | None = None) -> str:
        """
        What happened, in a sentence.
        """
        del players, you
        return f"{self.card} starts the discard pile."


@attrs.frozen
class DealThrownIn(Event):
    """
    The deck had too few cards; they are dealt again.
    """

    def line(self, players: Sequence[str], you: int | None = None) -> str:
        """
        What happened, in a sentence.
        """
        del players, you
        return "The deck has too few cards: the deal is thrown in."


@attrs.frozen
class TurnStarted(Event):
    """
    A seat's turn begins.
    """

    seat: int

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        return f"{'are' if you else 'is'} next to play"


@attrs.frozen
class Drew(Event):
    """
    A card drawn from the stock; ``card`` is None for all others.
    """

    seat: int
    card: Card | None

    def seen_by(self, seat: int | None) -> Self:
        """
        The card is the seat's own secret.
        """
        return self if seat == self.seat else attrs.evolve(self, card=None)

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        return f"{_says('draw', you=you)} {self.card or 'a card'}"


@attrs.frozen
class TurnedOver(Event):
    """
    The discard pile turned over as the new stock.

    Attributes:
        seat: The seat that turned it over, to draw.
        size: How many cards were turned over; they are hidden now.
        shuffled: Whether they were shuffled.
    """

    seat: int
    size: int
    shuffled: bool

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        turns = _says("turn", you=you)
        if self.shuffled:
            return f"{_says('shuffle', you=you)} the pile and {turns} it over"
        return f"{turns} the pile over"


@attrs.frozen
class Took(Event):
    """
    Cards taken from the discard pile.

    Attributes:
        seat: Who took them.
        cards: The cards, the deepest first.
        how: ``take``, or ``buy`` if a discard was bought.
    """

    seat: int
    cards: tuple[Card, ...]
    how: Literal["take", "buy"] = "take"

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        return f"{_says(self.how, you=you)} {_cards(self.cards)}"


@attrs.frozen
class Laid(Event):
    """
    Cards laid on the table: a new meld, a lay-off, a card beside or for a wild.

    Attributes:
        seat: Who laid them.
        cards: The cards as they were named; the meld shows what a wild stands for.
        meld: The number of the meld.
        how: ``meld``, ``lay-off``, ``put``, ``swap``, ``split`` or ``call``.
        gained: The wild that the player got by a swap.
        end: The end of a run that the player named: for an ace that fits both, or for
            a wild that moves there.
        after: How many cards stay in the first part of a meld that was split.
        declared: Whether it is a meld of a declaration.
        begun: Whether a call began the meld, and did not add to it.
    """

    seat: int
    cards: tuple[str, ...]
    meld: int
    how: str
    gained: Card | None = None
    end: Literal["low", "high"] | None = None
    after: int | None = None
    declared: bool = False
    begun: bool = False

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        cards = " ".join(self.cards)
        if self.declared:
            return f"{_says('declare', you=you)} {cards}"
        if self.how == "meld" or self.begun:
            return f"{_says('meld', you=you)} {cards} as {self.meld}"
        if self.how == "put":
            return f"{_says('put', you=you)} {cards} down as {self.meld}"
        if self.how == "swap":
            swaps = _says("swap", you=you)
            if self.end:
                moves = f"{_says('move', you=you)} the wild card to the {self.end} end"
                return f"{swaps} {cards} in on {self.meld} and {moves}"
            return f"{swaps} {cards} for {self.gained} on {self.meld}"
        if self.how == "split":
            after = "" if self.after is None else f" after {self.after}"
            return f"{_says('split', you=you)} {self.meld}{after}"
        end = f" {self.end}" if self.end else ""
        return f"{_says('lay', you=you)} {cards}{end} on {self.meld}"


@attrs.frozen
class Arranged(Event):
    """
    Melds of the table regrouped together with cards of a hand.

    The new melds take the numbers of the old ones in turn. Further ones come last, and
    where there are fewer, the melds after them move up.

    Attributes:
        seat: Who regrouped them.
        melds: The cards of each meld, as they were named.
    """

    seat: int
    melds: tuple[tuple[str, ...], ...]

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        melds = " / ".join(map(" ".join, self.melds))
        return f"{_says('regroup', you=you)} melds as {melds}"


@attrs.frozen
class Moved(Event):
    """
    Cards that went from one location to another in a way that has no other event.

    Attributes:
        source: Where they lay.
        target: Where they lie now.
        size: How many they are.
        cards: The cards; None for a seat that did not see them.
        shown_to: The seats that saw them; None for everybody.
    """

    source: Location
    target: Location
    size: int
    cards: tuple[Card, ...] | None
    shown_to: tuple[int, ...] | None

    def seen_by(self, seat: int | None) -> Self:
        """
        The cards are known to those who saw them.
        """
        saw = self.shown_to is None or seat in self.shown_to
        return self if saw else attrs.evolve(self, cards=None)

    def line(self, players: Sequence[str], you: int | None = None) -> str:
        """
        What happened, in a sentence.
        """
        source = _place(self.source, players, you)
        what = capital(_what(self.cards, self.size))
        is_ = "is" if self.size == 1 else "are"
        if self.target.name == DROPPED:
            return f"{what} {is_} set aside."
        if self.target.name == ASIDE:
            return f"{what} {is_} laid aside from {source}."
        target = _place(self.target, players, you)
        return f"{what} {'goes' if self.size == 1 else 'go'} from {source} to {target}."


@attrs.frozen
class Shown(Event):
    """
    Cards shown where they lie.

    Attributes:
        location: Where they lie.
        size: How many they are.
        cards: The cards; None for a seat that did not see them.
        shown_to: The seats that saw them; None for everybody.
    """

    location: Location
    size: int
    cards: tuple[Card, ...] | None
    shown_to: tuple[int, ...] | None

    def seen_by(self, seat: int | None) -> Self:
        """
        The cards are known to those who saw them.
        """
        saw = self.shown_to is None or seat in self.shown_to
        return self if saw else attrs.evolve(self, cards=None)

    def line(self, players: Sequence[str], you: int | None = None) -> str:
        """
        What happened, in a sentence.
        """
        where = _place(self.location, players, you)
        is_ = "is" if self.size == 1 else "are"
        return f"{capital(_what(self.cards, self.size))} {is_} shown in {where}."


@attrs.frozen
class Discarded(Event):
    """
    A card discarded.
    """

    seat: int
    card: Card

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        return f"{_says('discard', you=you)} {self.card}"


@attrs.frozen
class CallsOpened(Event):
    """
    The seats that may call rummy.
    """

    seats: tuple[int, ...]

    def line(self, players: Sequence[str], you: int | None = None) -> str:
        """
        What happened, in a sentence.
        """
        return f"{capital(_names(players, self.seats, you))} may call rummy."


@attrs.frozen
class Called(Event):
    """
    Rummy was called.

    Attributes:
        seat: Who called.
        cards: The cards that left the discard pile.
        named: The cards of the call as they were named; others were taken with them.
        meld: The number of the meld that they go on; None for a new meld.
        end: The end of a run that the player named, for an ace that fits both.
    """

    seat: int
    cards: tuple[Card, ...]
    named: tuple[str, ...] = ()
    meld: int | None = None
    end: Literal["low", "high"] | None = None

    @property
    def taken(self) -> tuple[Card, ...]:
        """
        The cards that went to the hand, because they lay above those of the call.
        """
        left = list(self.cards) if self.named else []
        for one in map(Played, self.named):
            if one.card in left:
                left.remove(one.card)
        return tuple(left)

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        called = " ".join(self.named) or _cards(self.cards)
        if self.meld is not None:
            called += f"{f' {self.end}' if self.end else ''} on {self.meld}"
        doing = f"{_says('call', you=you)} rummy: {called}"
        if self.taken:
            doing += f" and {_says('take', you=you)} {_cards(self.taken)}"
        return doing


@attrs.frozen
class Passed(Event):
    """
    A seat passed.
    """

    seat: int

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        return _says("pass", you=you)


@attrs.frozen
class Acted(Event):
    """
    A seat did what a house rule offers.

    Attributes:
        name: The name of the action.
        cards: The cards that it names.
        secret: Whether only the player knows the cards.
    """

    seat: int
    name: str
    cards: tuple[Card, ...] = ()
    secret: bool = False

    def seen_by(self, seat: int | None) -> Self:
        """
        The cards may be the seat's own secret.
        """
        hidden = self.secret and seat != self.seat
        return attrs.evolve(self, cards=()) if hidden else self

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        said = f"{_says('choose', you=you)} to {self.name}"
        return f"{said} {_cards(self.cards)}" if self.cards else said


@attrs.frozen
class Asked(Event):
    """
    A seat asked another whether to go out.

    Attributes:
        seat: Who asked.
        asked: Who has to answer.
    """

    seat: int
    asked: int

    def line(self, players: Sequence[str], you: int | None = None) -> str:
        """
        What happened, in a sentence.
        """
        who, whom = (_name(players, one, you) for one in (self.seat, self.asked))
        asks = _says("ask", you=self.seat == you)
        return f"{capital(who)} {asks} {whom} whether to go out."


@attrs.frozen
class Answered(Event):
    """
    A seat answered such a question.

    Attributes:
        seat: Who answered.
        agrees: Whether the answer is yes, so that the player who asked has to go out.
    """

    seat: int
    agrees: bool

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        return f"{_says('answer', you=you)} {'yes' if self.agrees else 'no'}"


@attrs.frozen
class Floated(Event):
    """
    A seat floats: it plays on without cards.
    """

    seat: int

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        return f"{_says('float', you=you)} without cards"


@attrs.frozen
class Dropped(Event):
    """
    A seat left the round.

    Attributes:
        seat: Who left it.
        points: What that costs.
        wrong: Whether it was because of a wrong declaration.
    """

    seat: int
    points: int
    wrong: bool = False

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        leaves = f"{_says('leave', you=you)} the round for "
        leaves += figure(self.points, "point")
        if self.wrong:
            return f"{_says('make', you=you)} a wrong declaration and {leaves}"
        return leaves


@attrs.frozen
class Rejoined(Event):
    """
    A seat came back into the match.

    Attributes:
        seat: Who came back.
        total: The total with which they go on.
    """

    seat: int
    total: int

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        return f"{_says('come', you=you)} back with {figure(self.total, 'point')}"


@attrs.frozen
class WentOut(Event):
    """
    A seat went out.
    """

    seat: int

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        return f"{'are' if you else 'is'} out"


@attrs.frozen
class Knocked(Event):
    """
    A seat knocked; its discard and its melds are in the events before.

    Attributes:
        seat: Who knocked.
        how: ``knock``, ``gin`` or ``big gin``.
        left: The unmatched cards, which everybody sees now.
    """

    seat: int
    how: str
    left: tuple[Card, ...]

    def doing(self, *, you: bool = False) -> str:
        """
        What the player does, as a part of a sentence.
        """
        if self.how != "knock":
            return f"{_says('go', you=you)} {self.how}"
        return f"{_says('knock', you=you)} with {_cards(self.left)} left"


@attrs.frozen
class RoundEnded(Event):
    """
    The round is over.

    Attributes:
        how: ``out``, ``dealt hand``, ``stock``, ``idle``, ``drop``, ``knock``, ``gin``,
            ``big gin``, or ``rule`` where a house rule has ended it.
        points: The points of the round by seat.
        scores: The totals of the match by seat.
        out: The first seat that went out; None if nobody did.
        rule: The id of the rule that ended the round.
        stock: How many cards were left in the stock.
        left: The seats that had neither gone out nor left the round.
    """

    how: str
    points: tuple[int, ...]
    scores: tuple[int, ...]
    out: int | None = None
    rule: str = ""
    stock: int = 0
    left: tuple[int, ...] = ()

    def line(self, players: Sequence[str], you: int | None = None) -> str:
        """
        What happened, in a sentence.
        """
        return f"The round is over: {self.why(players, you)}."

    def why(self, players: Sequence[str], you: int | None = None) -> str:
        """
        How the round ended, and by which rule: ``Ann is out (PG-19)``.

        Args:
            players: The players' names, by seat.
            you: The seat of the reader; None for anybody else.
        """
        rule = f" ({self.rule})" if self.rule else ""
        return f"{self._how(players, you)}{rule}"

    def _how(self, players: Sequence[str], you: int | None) -> str:
        if self.out is not None:
            name = _name(players, self.out, you)
            has = "have" if self.out == you else "has"
            if self.how == "knock":
                return f"{name} {has} knocked"
            if self.how in {"gin", "big gin"}:
                return f"{name} {has} gone {self.how}"
            if self.how == "dealt hand":
                return f"{name} {has} declared the hand as it was dealt"
            return f"{name} {'are' if self.out == you else 'is'} out"
        if self.how == "drop":
            if not self.left:
                return "nobody is left"
            one = len(self.left) == 1 and self.left[0] != you
            names = _names(players, self.left, you)
            return f"{names} {'is' if one else 'are'} the last left"
        if self.how == "idle":
            return "no progress"
        if self.how == "rule":
            return "a rule ends it"
        if self.stock:
            cards = (
                f"{counted(self.stock, 'card')} {'is' if self.stock == 1 else 'are'}"
            )
            return f"only {cards} left in the stock"
        return "the stock is empty"


@attrs.frozen
class MatchEnded(Event):
    """
    The match is over.
    """

    winners: tuple[int, ...]

    def line(self, players: Sequence[str], you: int | None = None) -> str:
        """
        What happened, in a sentence.
        """
        names = _names(players, self.winners, you)
        return f"{capital(names)} {_several(self.winners, you, 'win')} the match."
