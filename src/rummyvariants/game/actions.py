"""
What a player, or chance, asks for: small values without secrets, and their notation.

Every action knows its seat; None leaves it open where one seat alone may act.
"""

from __future__ import annotations

import functools
import re

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, Literal

import attrs

from rummyvariants._support.limits import ACTION, DIGITS
from rummyvariants.cards import CARDS, Card, parse_cards
from rummyvariants.errors import ParseError, nearest, shown
from rummyvariants.melds._meld import Played, read_played


End = Literal["low", "high"]

_BEYOND: Final = 10**DIGITS


@attrs.frozen
class Draw:
    """
    Draw the top of the stock.
    """

    seat: int | None = None

    def __str__(self) -> str:
        return "draw"


@functools.cache
def draw(seat: int) -> Draw:
    """
    The draw of a seat; always the same object for the same seat.
    """
    return Draw(seat)


@attrs.frozen
class Take:
    """
    Take cards from the discard pile.

    Attributes:
        count: How many, from the top.
    """

    count: int = 1
    seat: int | None = None

    def __str__(self) -> str:
        return f"take {self.count}"


@attrs.frozen
class LayDown:
    """
    Put a new meld down.

    Attributes:
        cards: The cards in the order written.
    """

    cards: tuple[Played, ...]
    seat: int | None = None

    def __str__(self) -> str:
        return f"meld {_words(self.cards)}"


@attrs.frozen
class LayOff:
    """
    Lay cards off on a meld of the table, or beside wilds of it.

    Attributes:
        cards: The cards in the order written.
        meld: The number of the meld: from 1, 0 for the dealer's wild.
        end: The end of a run that an ace goes to, where both would do.
    """

    cards: tuple[Played, ...]
    meld: int
    end: End | None = None
    seat: int | None = None

    def __str__(self) -> str:
        return f"lay {_onto(self.cards, self.end, self.meld)}"


@attrs.frozen
class PutDown:
    """
    Put a single wild card down to be built on.
    """

    card: Card
    seat: int | None = None

    def __str__(self) -> str:
        return f"put {self.card}"


@attrs.frozen
class Swap:
    """
    Trade a real card for the wild of a meld that stands for it.
    """

    card: Card
    meld: int
    seat: int | None = None

    def __str__(self) -> str:
        return f"swap {self.card} on {self.meld}"


@attrs.frozen
class Split:
    """
    Part a meld in two.

    Attributes:
        meld: The number of the meld.
        after: How many of its cards stay in the first part.
    """

    meld: int
    after: int
    seat: int | None = None

    def __str__(self) -> str:
        return f"split {self.meld} after {self.after}"


@attrs.frozen
class Discard:
    """
    Discard a card.
    """

    card: Card
    seat: int | None = None

    def __str__(self) -> str:
        return f"discard {self.card}"


@functools.cache
def discard(code: int, seat: int) -> Discard:
    """
    The discard of a card by a seat; always the same object for the same two.
    """
    return Discard(CARDS[code], seat)


@attrs.frozen
class CallRummy:
    """
    Call rummy: lay cards of the discard pile off, or meld them.

    Attributes:
        cards: The cards in the order written.
        meld: The number of the meld that they go on; None for a new meld.
        end: The end of a run that an ace goes to, where both would do.
    """

    cards: tuple[Played, ...]
    meld: int | None = None
    end: End | None = None
    seat: int | None = None

    def __str__(self) -> str:
        if self.meld is None:
            return f"rummy {_words(self.cards)}"
        return f"rummy {_onto(self.cards, self.end, self.meld)}"


@attrs.frozen
class Pass:
    """
    Decline a call, an offered card, or to take a card when the stock is empty.
    """

    seat: int | None = None

    def __str__(self) -> str:
        return "pass"


@attrs.frozen
class Choose:
    """
    Choose the size of the own hand while cards are dealt.
    """

    cards: int
    seat: int | None = None

    def __str__(self) -> str:
        return f"choose {self.cards}"


@attrs.frozen
class Knock:
    """
    Knock: show melds, and end the round with few points in unmatched cards.

    Attributes:
        card: The discard; None for big gin, which has none.
        melds: The melds that are shown, each with its cards in the order written. None
            leaves them open, for the best there are.
    """

    card: Card | None
    melds: tuple[tuple[Played, ...], ...] | None = None
    seat: int | None = None

    def __str__(self) -> str:
        verb = "big gin" if self.card is None else f"knock {self.card}"
        if self.melds is None:
            return verb
        return f"{verb}: {' / '.join(map(_words, self.melds)) or 'none'}"


@attrs.frozen
class Deal:
    """
    The one action of chance: the order of the whole deck, and who deals.

    Attributes:
        cards: The whole deck, the card that is dealt first in front.
        dealer: The dealer's seat.
        put_back: For each card that is buried or put back, in turn, how many of the
            remaining cards lie above it; counted round where there are fewer, the
            bottom where the list ends.
        shuffle: A number from which the order of a discard pile that is shuffled and
            turned over in the round follows.
        seat: None, since no seat deals: a deal that has one is refused.
    """

    cards: tuple[Card, ...]
    dealer: int
    put_back: tuple[int, ...] = ()
    shuffle: int = 0
    seat: int | None = None

    def __str__(self) -> str:
        back = f" back {' '.join(map(str, self.put_back))}" if self.put_back else ""
        mixed = f" shuffle {self.shuffle}" if self.shuffle else ""
        return f"deal {self.dealer}{back}{mixed} : {' '.join(map(str, self.cards))}"


Action = (
    Draw
    | Take
    | LayDown
    | LayOff
    | PutDown
    | Swap
    | Split
    | Discard
    | CallRummy
    | Pass
    | Choose
    | Knock
    | Deal
)


def _words(cards: Sequence[Played]) -> str:
    return " ".join(map(str, cards))


def _onto(cards: Sequence[Played], end: str | None, meld: int) -> str:
    return " ".join([_words(cards), *([end] if end else []), "on", str(meld)])


# ------------------------------------------------------------------------- types


def _is_number(given: object) -> bool:
    return type(given) is int and -_BEYOND < given < _BEYOND


def _is_end(given: object) -> bool:
    return given is None or (isinstance(given, str) and given in {"low", "high"})


def _is_card(given: object) -> bool:
    return type(given) is Card


def _are_cards(given: object) -> bool:
    return type(given) is tuple and set(map(type, given)) == {Card}


def _are_played(given: object) -> bool:
    return type(given) is tuple and set(map(type, given)) == {Played}


def _are_melds(given: object) -> bool:
    return given is None or (type(given) is tuple and all(map(_are_played, given)))


def _are_numbers(given: object) -> bool:
    return type(given) is tuple and all(map(_is_number, given))


_FIELDS: Final[dict[type[Any], tuple[tuple[str, Callable[[object], bool]], ...]]] = {
    Draw: (),
    Pass: (),
    Take: (("count", _is_number),),
    Choose: (("cards", _is_number),),
    Discard: (("card", _is_card),),
    PutDown: (("card", _is_card),),
    LayDown: (("cards", _are_played),),
    LayOff: (
        ("cards", _are_played),
        ("meld", _is_number),
        ("end", _is_end),
    ),
    CallRummy: (
        ("cards", _are_played),
        ("meld", lambda meld: meld is None or _is_number(meld)),
        ("end", _is_end),
    ),
    Swap: (
        ("card", _is_card),
        ("meld", _is_number),
    ),
    Split: (
        ("meld", _is_number),
        ("after", _is_number),
    ),
    Knock: (
        ("card", lambda card: card is None or _is_card(card)),
        ("melds", _are_melds),
    ),
    Deal: (
        ("cards", _are_cards),
        ("dealer", _is_number),
        ("put_back", _are_numbers),
        ("shuffle", _is_number),
    ),
}
"""What each action has beside its seat, and what asks whether something may be that."""


def wrong_value(action: Any) -> str:
    """
    What of an action made in Python is of a type that it may not be.

    Returns:
        A sentence; empty if the action is one.
    """
    kind = type(action)
    if kind not in _FIELDS:
        return f"{shown(action)} is no action"
    wrong = "seat" if type(action.seat) not in _SEATS else ""
    for name, fits in _FIELDS[kind]:
        if not fits(getattr(action, name)):
            wrong = name
    if not wrong:
        return ""
    return f"{shown(getattr(action, wrong))} cannot be the {wrong} of a {kind.__name__}"


_SEATS: Final = frozenset({int, type(None)})


# ----------------------------------------------------------------------- reading


# All of them are for words with single blanks between, as `parse_action` makes them:
# two repetitions that both take blanks would try every way to share them out.
_ON: Final = re.compile(r"(?P<cards>.+?)(?: (?P<end>low|high))? on (?P<meld>\d+)")
_SPLIT: Final = re.compile(r"(\d+) after (\d+)")
_DEAL: Final = re.compile(r"(\d+)(?: back((?: \d+)+))?(?: shuffle (\d+))? ?:(.+)")
_SEAT: Final = re.compile(r"(\d+) ?: ?")


def parse_action(
    text: str, seat: int | None = None, verbs: Collection[str] | None = None
) -> Action:
    """
    Read an action: ``draw``, ``take 3``, ``meld 7h *=8h 9h``, ``discard Kc`` ...

    Args:
        text: The action in the notation, a seat in front allowed (``2: draw``); at most
            10,000 characters.
        seat: Whose action it is; None to leave that open.
        verbs: The verbs of the game, see `Ruleset.verbs`: an error suggests no others.
            An action that can be read is read whatever its verb.

    Raises:
        ParseError: If the text is no action; the message says what would be.
    """
    if len(text) > ACTION:
        msg = f"{text[:20]!r} ... is no action: it has more than {ACTION} characters"
        raise ParseError(msg)
    try:
        return _parsed(" ".join(text.split()), seat, verbs)
    except ParseError as error:
        msg = f"{text!r} is no action: {error}"
        raise ParseError(msg) from None


def _parsed(words: str, seat: int | None, verbs: Collection[str] | None) -> Action:
    if named := _SEAT.match(words):
        given = _number(named[1], "the seat in front as in '2: draw'")
        seat = given if seat is None else seat
        words = words[named.end() :]
    verb, _, rest = words.partition(" ")
    known = _READERS if verbs is None else verbs
    reader = _READERS.get(verb.casefold())
    if reader is None:
        meant = ["big gin" if one == "big" else one for one in known]
        msg = f"unknown verb {verb!r}{nearest(verb, meant)}"
        raise ParseError(msg)
    try:
        return reader(rest, seat)
    except ParseError:
        if reader is _deal or verb.casefold() in known:
            raise
        msg = f"this game has no {verb.casefold()!r}"
        raise ParseError(msg) from None


def _need(condition: object, form: str) -> None:
    if not condition:
        msg = f"write {form}"
        raise ParseError(msg)


def _whole(text: str, form: str) -> int:
    _need(text.isdecimal() and len(text) < 6, form)
    return int(text)


def _number(text: str, form: str) -> int:
    """
    A number of decimal digits that need not be small.
    """
    _need(len(text) <= DIGITS, form)
    return int(text)


def _cards(text: str, form: str) -> tuple[Played, ...]:
    _need(text, form)
    return tuple(read_played(word) for word in text.replace(",", " ").split())


def _one_card(text: str, form: str) -> Card:
    cards = parse_cards(text)
    _need(len(cards) == 1, form)
    return cards[0]


def _draw(rest: str, seat: int | None) -> Action:
    _need(not rest, "'draw'")
    return Draw(seat)


def _take(rest: str, seat: int | None) -> Action:
    return Take(_whole(rest or "1", "'take' or 'take 3'"), seat)


def _meld(rest: str, seat: int | None) -> Action:
    return LayDown(_cards(rest, "'meld 7h 8h 9h'"), seat)


def _lay(rest: str, seat: int | None) -> Action:
    form = "'lay Th on 2'"
    match = _ON.fullmatch(rest)
    _need(match, form)
    assert match is not None  # noqa: S101 -- for the type checker
    return LayOff(
        _cards(match["cards"], form),
        _whole(match["meld"], form),
        match["end"],  # type: ignore[arg-type]
        seat,
    )


def _put(rest: str, seat: int | None) -> Action:
    return PutDown(_one_card(rest, "'put 7c'"), seat)


def _swap(rest: str, seat: int | None) -> Action:
    form = "'swap 8h on 2'"
    card, on, meld = rest.rpartition(" on ")
    _need(on, form)
    return Swap(_one_card(card, form), _whole(meld.strip(), form), seat)


def _split(rest: str, seat: int | None) -> Action:
    form = "'split 2 after 3'"
    match = _SPLIT.fullmatch(rest)
    _need(match, form)
    assert match is not None  # noqa: S101 -- for the type checker
    return Split(_whole(match[1], form), _whole(match[2], form), seat)


def _discard(rest: str, seat: int | None) -> Action:
    return Discard(_one_card(rest, "'discard Kc'"), seat)


def _rummy(rest: str, seat: int | None) -> Action:
    form = "'rummy 9h on 2' or 'rummy 5c 5d 5h'"
    match = _ON.fullmatch(rest)
    if match is None:
        _need(" on" not in f" {rest} ", form)
        return CallRummy(_cards(rest, form), seat=seat)
    return CallRummy(
        _cards(match["cards"], form),
        _whole(match["meld"], form),
        match["end"],  # type: ignore[arg-type]
        seat,
    )


def _pass(rest: str, seat: int | None) -> Action:
    _need(not rest, "'pass'")
    return Pass(seat)


def _choose(rest: str, seat: int | None) -> Action:
    return Choose(_whole(rest, "'choose 12'"), seat)


def _knock(rest: str, seat: int | None) -> Action:
    form = "'knock Kc: 7h 8h 9h / 5c 5d 5h'"
    card, melds = _before_colon(rest, form)
    return Knock(_one_card(card, form), melds, seat)


def _big(rest: str, seat: int | None) -> Action:
    form = "'big gin: 7h 8h 9h Th / 5c 5d 5h / Ks Kd Kh Kc'"
    word, _, _ = rest.partition(":")
    _need(word.strip().casefold() == "gin", form)
    _, melds = _before_colon(rest, form)
    return Knock(None, melds, seat)


def _gin(rest: str, seat: int | None) -> Action:
    del rest, seat
    msg = (
        "a knock that leaves no card unmatched is gin: write 'knock Kc: 7h 8h 9h ...', "
        "or 'big gin: ...' where there is no discard"
    )
    raise ParseError(msg)


def _before_colon(
    text: str, form: str
) -> tuple[str, tuple[tuple[Played, ...], ...] | None]:
    """
    What stands before a colon, and the melds after it; None without a colon.

    The word ``with`` is read like a colon.
    """
    head, colon, rest = text.replace(" with ", ":", 1).partition(":")
    if not colon:
        return head, None
    if rest.strip().casefold() == "none":
        return head, ()
    return head, tuple(_cards(part.strip(), form) for part in rest.split("/"))


def _deal(rest: str, seat: int | None) -> Action:
    match = _DEAL.fullmatch(rest)
    _need(match, "'deal DEALER : CARDS'")
    assert match is not None  # noqa: S101 -- for the type checker
    form = f"numbers of at most {DIGITS} digits"
    back = tuple(_number(word, form) for word in (match[2] or "").split())
    dealer, shuffle = _number(match[1], form), _number(match[3] or "0", form)
    return Deal(parse_cards(match[4]), dealer, back, shuffle, seat)


_READERS: Final[dict[str, Callable[[str, int | None], Action]]] = {
    "draw": _draw,
    "take": _take,
    "meld": _meld,
    "lay": _lay,
    "put": _put,
    "swap": _swap,
    "split": _split,
    "discard": _discard,
    "rummy": _rummy,
    "pass": _pass,
    "choose": _choose,
    "knock": _knock,
    "big": _big,
    "gin": _gin,
    "deal": _deal,
}
