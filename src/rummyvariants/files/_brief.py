"""
Positions of which only a few facts are given: short keys, and what goes without saying.

The keys of `SHORT` say what those of a whole position say, in fewer words. What is left
out is made up; the notes say what was, and another `order` makes up something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Self

import attrs

from rummyvariants._support.seats import names_in
from rummyvariants.cards import FIELD, Card
from rummyvariants.errors import PositionError
from rummyvariants.game import _asking as asking
from rummyvariants.game._chance import Chance
from rummyvariants.game._round import Match
from rummyvariants.rules._ruleset import Ruleset


SHORT: Final[Mapping[str, str]] = {
    "hand": "hands",
    "pile": "discards",
    "melds": "table",
    "players": "seats",
}
"""The short keys, each with the key that says the same of a whole position."""
SHORT_KEYS: Final = """\
Short keys of positions.

Attributes:
    hand: The hand of the player who acts: of the first player, if no ``turn`` is given.
    pile: The discard pile, as ``discards``.
    melds: The melds, as ``table``: a list, or one text with `` / `` between them. A
        meld without an owner is taken to be the first player's.
    players: The players, as ``seats``, or their number; if left out, those that are
        named, or as few as can play, called Ann, Ben, ...
    fill: ``true`` deals the cards that are placed nowhere to the hands left out, and
        puts the others below the ``stock``: clubs, diamonds, hearts, spades, each from
        the ace up to the king, jokers last. If left out, ``false`` if ``hands`` is a
        table and there is no ``hand``, else ``true``.
"""
OTHER_OWNER: Final = 1
"""The order that differs from the first, 0, only in who laid melds."""
_NAMES: Final = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo")
_ONE_NUMBER: Final = ("boxes", "paid", "scores", "turns_taken")
"""The keys with a number for each player; one number is of the player who acts."""
_USUAL_HAND: Final = 7
"""The size of a hand where only the deal of a round decides it."""


class Assumed(str):  # noqa: SLOT000 -- it has its key
    """
    What was made up, in words.

    Attributes:
        key: The key of a position that would say it, with the player's name after a
            full stop for one hand; ``fill`` for cards below a stock that is given.
    """

    key: str

    def __new__(cls, text: str, key: str) -> Self:
        """
        Make it of its words and its key.
        """
        found = super().__new__(cls, text)
        found.key = key
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        """
        How it is copied.
        """
        return Assumed, (str(self), self.key)


def names_of(number: int, named: Iterable[str] = ()) -> list[str]:
    """
    Names for so many players, with those that have one; in alphabetical order at first.
    """
    named = list(dict.fromkeys(named))
    others = [one for one in _NAMES if one not in named]
    others += [f"player {seat}" for seat in range(len(_NAMES) + 1, number + 1)]
    added = others[: max(number - len(named), 0)]
    if not {*named} <= {*_NAMES}:
        return [*named, *added]
    known = {*named, *added}
    return [one for one in _NAMES if one in known] + [
        one for one in added if one not in _NAMES
    ]


def fewest_players(rules: Ruleset, least: int = 2) -> int:
    """
    The fewest players from `least` on with whom a game can be played.
    """
    low, high = rules.match.players
    counts = range(min(max(low, least), high), high + 1)
    return next(filter(rules.match.makes_sides, counts), high)


def is_brief(given: Mapping[str, Any]) -> bool:
    """
    Whether a position leaves what it does not say to be made up, unless it says so.
    """
    return "hand" in given or not isinstance(given.get("hands"), Mapping)


@attrs.define
class Brief:
    """
    A position written out in the keys of a whole one.

    Attributes:
        keys: Its keys.
        said: The keys that were given in other words, with these.
        unowned: The numbers of the melds of nobody in particular.
        chosen: Whether the number of players was made up.
        order: The number that decides what else is made up.
        named: Cards to be in the hand of the player who acts if it is made up.
        actor: The name of that player, if something is made up.
        calls: Whether that player is asked for a call even if none is possible.
    """

    keys: dict[str, Any]
    said: Mapping[str, str]
    unowned: tuple[int, ...]
    chosen: bool
    order: int
    named: tuple[Card, ...]
    actor: str
    calls: bool


def written_out(
    given: Mapping[str, Any],
    rules: Ruleset,
    where: str = "",
    *,
    order: int = 0,
    named: Sequence[Card] = (),
    calls: bool = False,
) -> Brief:
    """
    A position with its short keys replaced.

    Args:
        given: The keys of a position, short or not.
        rules: The rules of the game.
        where: The file's name for error messages.
        order: The number that decides what is made up. With `OTHER_OWNER` the second
            player has laid the melds of nobody in particular, otherwise the first.
        named: Cards to be in the hand of the player who acts if it is made up.
        calls: Whether that player is asked for a call even if none is possible.

    Raises:
        PositionError: If something is said twice, or the players cannot be named.
    """
    keys: dict[str, Any] = {**given}
    said = {key: short for short, key in SHORT.items() if short in keys}
    twice = [
        f"{short}: write either {short} or {key}"
        for short, key in SHORT.items()
        if short in keys and key in keys and short != "hand"
    ]
    if twice:
        raise PositionError(twice, where=where)
    brief = is_brief(given)
    keys.setdefault("fill", brief)
    for short in ("pile", "melds", "players"):
        if short in keys:
            keys[SHORT[short]] = keys.pop(short)
    hands = keys.get("hands")
    if isinstance(hands, Mapping) and hands and all(type(one) is int for one in hands):
        keys.setdefault("seats", fewest_players(rules, max(*hands, 1) + 1))
    table = melds_of(keys.get("table"))
    if table is not None:
        keys["table"] = table
    brief |= keys["fill"] is True
    chosen = _name_players(keys, rules, where, brief=brief)
    seats = keys.get("seats")
    names = seats if isinstance(seats, list | tuple) else named_in(keys)
    if isinstance(hands, Mapping):
        keys["hands"] = {
            names[one] if type(one) is int and 0 <= one < len(names) else one: cards
            for one, cards in hands.items()
        }
    if isinstance(hands, list | tuple):
        if len(hands) > len(names):
            message = f"hands: there are {len(names)} players, not {len(hands)}"
            raise PositionError(message, where=where)
        keys["hands"] = dict(zip(names, hands, strict=False))
    actor = acting(keys, names, rules) if names and brief else ""
    for key in _ONE_NUMBER:
        if actor and type(keys.get(key)) is int:
            keys[key] = {actor: keys[key]}
    hand, hands = keys.pop("hand", None), keys.get("hands", {})
    if isinstance(hands, Mapping) and hand is not None:
        if actor in hands:
            message = f"hand: the cards of {actor} are in hands, so leave it out"
            raise PositionError(message, where=where)
        keys["hands"] = {actor: hand, **hands} if actor else {}
    unowned = []
    if table is not None and names:
        owner = names[(order == OTHER_OWNER) % len(names)]
        for at, meld in enumerate(table):
            if isinstance(meld, str) and not {":", "|"} & {*meld}:
                unowned.append(at + 1)
                table[at] = f"{owner}: {meld}"
    unowned_melds, cards = tuple(unowned), tuple(named)
    return Brief(keys, said, unowned_melds, chosen, order, cards, actor, calls)


def named_in(keys: Mapping[str, Any]) -> list[str]:
    """
    The seats named by hands and melds, each once.
    """
    hands, table = keys.get("hands"), keys.get("table")
    named = hands if isinstance(hands, Mapping) else ()
    names = [one for one in named if type(one) is not int]
    for meld in table if isinstance(table, list | tuple) else ():
        parts = meld.split("|") if isinstance(meld, str) else ()
        names += [part.partition(":")[0].strip() for part in parts if ":" in part]
    return list(dict.fromkeys(names))


def melds_of(given: object) -> list[Any] | None:
    """
    The melds of a table: a list, or one text with ' / ' between them.
    """
    if isinstance(given, str):
        return [one.strip() for one in given.split("/") if one.strip()]
    return [*given] if isinstance(given, list | tuple) else None


def _name_players(
    keys: dict[str, Any], rules: Ruleset, where: str, *, brief: bool
) -> bool:
    """
    Name the players where only their number is given, or not even that.

    The one whose hand is given alone is the first unless `turn` names one.

    Returns:
        Whether their number was made up.
    """
    seats, named = keys.get("seats"), named_in(keys)
    if isinstance(seats, str):
        keys["seats"] = names_in(seats)
        return False
    turn = keys.get("turn")
    if isinstance(turn, str) and turn:
        named.insert(0, turn)
    elif "hand" in keys:
        named.insert(0, _NAMES[0])
    number = len(dict.fromkeys(named))
    if type(seats) is int:
        if not number <= seats <= _MOST:
            message = f"players: give {number} to {_MOST}, or names, not {seats}"
            raise PositionError(message, where=where)
        keys["seats"] = names_of(seats, named)
    elif seats is None and brief:
        hands = keys.get("hands")
        listed = len(hands) if isinstance(hands, list | tuple) else 0
        least = 3 if keys.get("phase") == "buy" else 2
        found = fewest_players(rules, max(number, listed, least))
        keys["seats"] = names_of(found, named)
        return found > max(number, listed)
    return False


_MOST: Final = 99


def acting(keys: dict[str, Any], names: Sequence[str], rules: Ruleset) -> str:
    """
    The name of the player who acts; what the phase needs to be so is added to the keys.
    """
    number = len(names)
    dealer = keys.get("dealer")
    seat = (names.index(dealer) + 1) % number if dealer in names else 0
    turn = keys.get("turn")
    seat = names.index(turn) if turn in names else seat
    phase = keys.get("phase", "draw")
    if phase == "buy":
        asked = keys.get("asked")
        if asked:
            return str(asked if isinstance(asked, str) else asked[0])
        if not turn:
            keys["turn"], seat = names[seat - 1], (seat - 1) % number
        return names[(seat + 1) % number]
    if phase == "discard":
        return str(keys.setdefault("caller", names[seat]))
    if phase == "answer":
        sides = rules.match.sides_of(number)
        side = next(one for one in sides if seat in one)
        others = [(seat + step) % number for step in range(1, number)]
        return names[next((one for one in others if one in side), others[0])]
    return names[seat]


# --------------------------------------------------------------------- what is made up


def hand_size(rules: Ruleset, match: Match, told: int) -> int:
    """
    How many cards each player is dealt.

    Args:
        rules: The rules of the deal.
        match: The match before the round.
        told: The size of the largest hand that is given, if any.
    """
    if not rules.deal.is_fixed:
        return told or rules.deal.whole_hand(_USUAL_HAND)
    return rules.deal.fixed_size(len(match.players), match.round_number)


@attrs.frozen
class Wanted:
    """
    What is wanted of a hand.

    Attributes:
        seat: Whose hand it is.
        cards: Cards that it holds.
        size: How many it is to hold.
    """

    seat: int
    cards: tuple[Card, ...]
    size: int


def dealt_out(
    left: Sequence[Card],
    hands: Iterable[tuple[Card, ...]],
    wanted: Iterable[Wanted],
    never: int,
    order: int,
) -> tuple[list[tuple[Card, ...]], tuple[Card, ...]]:
    """
    Hands filled up from the cards that are left, and what is left then.

    Args:
        left: The cards, in the order of their codes.
        hands: The hands so far.
        wanted: What is wanted of some of them.
        never: The faces of cards that no hand holds.
        order: The number that decides which cards they get.
    """
    cards = [
        card
        for card in Chance("made up", max(order - 1, 0)).shuffled(left)
        if not never & FIELD[card.code]
    ]
    filled, spent = [*hands], Counter[Card]()
    for one in wanted:
        number = max(one.size - len(one.cards), 0)
        filled[one.seat] = (*one.cards, *cards[:number])
        spent.update(cards[:number])
        del cards[:number]
    kept = (Counter(left) - spent).elements()
    return filled, tuple(sorted(kept, key=lambda one: one.code))


def never_held(match: Match, dealer: int) -> int:
    """
    The faces of the cards that no hand holds.
    """
    found = 0
    for _, faces in asking.laid_aside(match, dealer):
        found |= faces
    return found
