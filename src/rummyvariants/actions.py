"""
What a player, or chance, asks for: small values without secrets, and their notation.

Every action knows its seat; None leaves it open where one seat alone may act.
"""

from __future__ import annotations

import functools
import re

from collections.abc import Callable, Sequence
from typing import Final, Literal

import attrs

from rummyvariants.cards import CARDS, Card, parse_cards
from rummyvariants.errors import ParseError, nearest
from rummyvariants.melds import Played, read_played


End = Literal["low", "high"]


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


# ----------------------------------------------------------------------- reading


_ON: Final = re.compile(r"(?P<cards>.+?)(?:\s+(?P<end>low|high))?\s+on\s+(?P<meld>\d+)")
_SPLIT: Final = re.compile(r"(\d+)\s+after\s+(\d+)")
_DEAL: Final = re.compile(
    r"(\d+)(?:\s+back((?:\s+\d+)+))?(?:\s+shuffle\s+(\d+))?\s*:(.+)", re.DOTALL
)
_WITH: Final = re.compile(r"\s+with\s+")
_SEAT: Final = re.compile(r"(\d+)\s*:\s*")


def parse_action(text: str, seat: int | None = None) -> Action:
    """
    Read an action: ``draw``, ``take 3``, ``meld 7h *=8h 9h``, ``discard Kc`` ...

    Args:
        text: The action in the notation, a seat in front allowed (``2: draw``).
        seat: Whose action it is; None to leave that open.

    Raises:
        ParseError: If the text is no action; the message says what would be.
    """
    words = text.strip()
    named = _SEAT.match(words)
    if named and not words.casefold().startswith("deal"):
        seat = int(named[1]) if seat is None else seat
        words = words[named.end() :]
    verb, _, rest = words.partition(" ")
    reader = _READERS.get(verb.casefold())
    if reader is None:
        msg = f"{text!r} is no action: unknown verb {verb!r}{nearest(verb, _READERS)}"
        raise ParseError(msg)
    try:
        return reader(rest.strip(), seat)
    except ParseError as error:
        msg = f"{text!r} is no action: {error}"
        raise ParseError(msg) from None


def _need(condition: object, form: str) -> None:
    if not condition:
        msg = f"write {form}"
        raise ParseError(msg)


def _whole(text: str, form: str) -> int:
    _need(text.isdecimal() and len(text) < 6, form)
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
    match = _SPLIT.fullmatch(rest)
    _need(match, "'split 2 after 3'")
    assert match is not None  # noqa: S101 -- for the type checker
    return Split(int(match[1]), int(match[2]), seat)


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
    head, colon, rest = _WITH.sub(":", text, count=1).partition(":")
    if not colon:
        return head, None
    if rest.strip().casefold() == "none":
        return head, ()
    return head, tuple(_cards(part.strip(), form) for part in rest.split("/"))


def _deal(rest: str, seat: int | None) -> Action:
    match = _DEAL.fullmatch(rest)
    _need(match, "'deal DEALER : CARDS'")
    assert match is not None  # noqa: S101 -- for the type checker
    back = tuple(int(word) for word in (match[2] or "").split())
    cards = parse_cards(match[4])
    return Deal(cards, int(match[1]), back, int(match[3] or 0), seat)


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
