"""
The notation of actions, read: the words behind each verb, and what values may be.
"""

from __future__ import annotations

import re

from typing import Final

from rummyvariants._support.limits import DIGITS
from rummyvariants.cards import Card, parse_cards
from rummyvariants.errors import ParseError
from rummyvariants.game.actions import (
    Action,
    Ask,
    Buy,
    CallRummy,
    Choose,
    Deal,
    Declare,
    Discard,
    Draw,
    Drop,
    GoDown,
    Knock,
    LayDown,
    LayOff,
    No,
    Pass,
    Peek,
    PutDown,
    Rejoin,
    Split,
    Swap,
    Take,
    TakeOn,
    TakeWith,
    Yes,
)
from rummyvariants.melds._meld import Played, read_played


_BEYOND: Final = 10**DIGITS


# ------------------------------------------------------------------------- types


def is_number(given: object) -> bool:
    return type(given) is int and -_BEYOND < given < _BEYOND


def is_number_or_none(given: object) -> bool:
    return given is None or is_number(given)


def is_end(given: object) -> bool:
    return given is None or (isinstance(given, str) and given in {"low", "high"})


def is_card(given: object) -> bool:
    return type(given) is Card


def is_card_or_none(given: object) -> bool:
    return given is None or is_card(given)


def are_cards(given: object) -> bool:
    return type(given) is tuple and set(map(type, given)) == {Card}


def are_played(given: object) -> bool:
    if type(given) is not tuple or not given:
        return False
    return not [one for one in given if type(one) is not Played]


def are_melds(given: object) -> bool:
    return given is None or (type(given) is tuple and all(map(are_played, given)))


def are_some_melds(given: object) -> bool:
    return given is not None and given != () and are_melds(given)


def are_several_melds(given: object) -> bool:
    return are_some_melds(given) and given[1:] != ()  # type: ignore[index]


def are_numbers(given: object) -> bool:
    return type(given) is tuple and all(map(is_number, given))


# ----------------------------------------------------------------------- reading


# Compiled, and kept by `re`, when they are first needed, since that takes long. All are
# for words with single blanks between them, as `parse_action` makes them: two
# repetitions that both accept blanks would try every way to divide them.
_ON: Final = r"(?P<cards>.+?)(?: (?P<end>low|high))? on (?P<meld>\d+)"
_SPLIT: Final = r"(\d+) after (\d+)"
_DEAL: Final = r"(\d+)(?: back((?: \d+)+))?(?: shuffle (\d+))?(?: cut (\d+))? ?:(.+)"
SEAT: Final = r"(\d+) ?: ?"


def _need(condition: object, form: str) -> None:
    if not condition:
        msg = f"write {form}"
        raise ParseError(msg)


def _matched(pattern: str, text: str, form: str) -> re.Match[str]:
    found = re.fullmatch(pattern, text)
    if found is None:
        msg = f"write {form}"
        raise ParseError(msg)
    return found


def _whole(text: str, form: str) -> int:
    _need(text.isdecimal() and len(text) < 6, form)
    return int(text)


def number_of(text: str, form: str) -> int:
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


def read_draw(rest: str, seat: int | None) -> Action:
    _need(not rest, "'draw'")
    return Draw(seat)


def read_take(rest: str, seat: int | None) -> Action:
    form = "'take all with 9c 9h', the top card left out, or 'take 3 with 9c 9h'"
    number, together, cards = rest.partition(" with ")
    if together:
        return TakeWith(_number_taken(number, form), _several(cards, form), seat)
    number, on, meld = rest.partition(" on ")
    if on:
        form = "'take all on 2', or 'take 3 on 2'"
        count = _number_taken(number, form)
        return TakeOn(count, _whole(meld.strip(), form), seat)
    form = "'take' or 'take 3': a take names the number of cards, not the cards"
    return Take(_whole(rest or "1", form), seat)


def _number_taken(number: str, form: str) -> int | None:
    return None if number.casefold() == "all" else _whole(number, form)


def read_meld(rest: str, seat: int | None) -> Action:
    if "/" in rest:
        return GoDown(_several(rest, "'meld 7h 8h 9h / Kc Kd Ks'"), seat)
    return LayDown(_cards(rest, "'meld 7h 8h 9h'"), seat)


def read_lay(rest: str, seat: int | None) -> Action:
    form = "'lay Th on 2'"
    match = _matched(_ON, rest, form)
    return LayOff(
        _cards(match["cards"], form),
        _whole(match["meld"], form),
        match["end"],  # type: ignore[arg-type]
        seat,
    )


def read_put(rest: str, seat: int | None) -> Action:
    return PutDown(_one_card(rest, "'put 7c'"), seat)


def read_swap(rest: str, seat: int | None) -> Action:
    form = "'swap 8h on 2'"
    match = _matched(_ON, rest, form)
    return Swap(
        _one_card(match["cards"], form),
        _whole(match["meld"], form),
        seat,
        match["end"],  # type: ignore[arg-type]
    )


def read_split(rest: str, seat: int | None) -> Action:
    form = "'split 2 after 3'"
    match = _matched(_SPLIT, rest, form)
    return Split(_whole(match[1], form), _whole(match[2], form), seat)


def read_discard(rest: str, seat: int | None) -> Action:
    return Discard(_one_card(rest, "'discard Kc'"), seat)


def read_rummy(rest: str, seat: int | None) -> Action:
    form = "'rummy 9h on 2' or 'rummy 5c 5d 5h'"
    match = re.fullmatch(_ON, rest)
    if match is None:
        _need(" on" not in f" {rest} ", form)
        return CallRummy(_cards(rest, form), seat=seat)
    return CallRummy(
        _cards(match["cards"], form),
        _whole(match["meld"], form),
        match["end"],  # type: ignore[arg-type]
        seat,
    )


def read_peek(rest: str, seat: int | None) -> Action:
    _need(not rest, "'peek' alone")
    return Peek(seat)


def read_ask(rest: str, seat: int | None) -> Action:
    _need(not rest, "'ask' alone")
    return Ask(seat)


def read_yes(rest: str, seat: int | None) -> Action:
    _need(not rest, "'yes' alone")
    return Yes(seat)


def read_no(rest: str, seat: int | None) -> Action:
    _need(not rest, "'no' alone")
    return No(seat)


def read_drop(rest: str, seat: int | None) -> Action:
    _need(not rest, "'drop' alone")
    return Drop(seat)


def read_rejoin(rest: str, seat: int | None) -> Action:
    _need(not rest, "'rejoin' alone")
    return Rejoin(seat)


def read_buy(rest: str, seat: int | None) -> Action:
    _need(not rest, "'buy' alone")
    return Buy(seat)


def read_pass(rest: str, seat: int | None) -> Action:
    _need(not rest, "'pass'")
    return Pass(seat)


def read_choose(rest: str, seat: int | None) -> Action:
    return Choose(_whole(rest, "'choose 12'"), seat)


def read_knock(rest: str, seat: int | None) -> Action:
    form = "'knock Kc: 7h 8h 9h / 5c 5d 5h'"
    card, melds = _before_colon(rest, form)
    return Knock(_one_card(card, form), melds, seat)


def read_declare(rest: str, seat: int | None) -> Action:
    form = "'declare Kc: 7h 8h 9h / 5c 5d 5h'"
    card, melds = _before_colon(f" {rest}", form)
    thrown = _one_card(card, form) if card.strip() else None
    return Declare(thrown, melds, seat)


def read_big(rest: str, seat: int | None) -> Action:
    form = "'big gin: 7h 8h 9h Th / 5c 5d 5h / Ks Kd Kh Kc'"
    word, _, _ = rest.partition(":")
    _need(word.strip().casefold() == "gin", form)
    _, melds = _before_colon(rest, form)
    return Knock(None, melds, seat)


def read_gin(rest: str, seat: int | None) -> Action:
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
    The text before a colon, and the melds after it; None without a colon.

    The word ``with`` is read like a colon.
    """
    head, colon, rest = text.replace(" with ", ":", 1).partition(":")
    if not colon:
        if len(head.split()) > 1:
            msg = f"one card is discarded, and the melds follow a colon: write {form}"
            raise ParseError(msg)
        return head, None
    if rest.strip().casefold() == "none":
        return head, ()
    return head, _several(rest, form)


def _several(text: str, form: str) -> tuple[tuple[Played, ...], ...]:
    if not {*text}.isdisjoint(";|+&"):
        msg = f"melds are separated by '/': write {form}"
        raise ParseError(msg)
    return tuple(_cards(part.strip(), form) for part in text.split("/"))


def read_deal(rest: str, seat: int | None) -> Action:
    match = _matched(_DEAL, rest, "'deal DEALER : CARDS'")
    form = f"numbers of at most {DIGITS} digits"
    back = tuple(number_of(word, form) for word in (match[2] or "").split())
    dealer, shuffle, cut = [number_of(match[at] or "0", form) for at in (1, 3, 4)]
    return Deal(parse_cards(match[5]), dealer, back, shuffle, seat, cut)
