"""What a scenario expects, compared with the state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from rummyvariants._support.words import figure
from rummyvariants.cards import CODES, Card, parse_cards
from rummyvariants.errors import ParseError, nearest
from rummyvariants.files._position_text import dealers_wild_text, meld_text
from rummyvariants.game._engine.game import check
from rummyvariants.game._meanings import listed_like, meaning
from rummyvariants.game._moves import legal_actions
from rummyvariants.game._state import State, to_act
from rummyvariants.game._views import View, view
from rummyvariants.game.actions import Action
from rummyvariants.game.verbs._known import parse_action, verbs_of
from rummyvariants.melds._meld import Meld, Played, Slot
from rummyvariants.policies.facts import ASIDE


Looker = Callable[[State, Any], Iterator[str]]


LISTED_AT_MOST: Final = 20_000
"""The most legal actions that a list is compared with."""

HIDDEN: Final = "??"
"""A card that a seat does not know."""


@attrs.frozen
class Unreadable(Exception):  # noqa: N818 -- caught by the scenario reader
    """
    An expectation that cannot be read.
    """

    problem: str


def differences(state: State, expected: Mapping[str, Any]) -> list[str]:
    """
    What differs between a state and an ``[expect]`` table.

    Returns:
        A sentence for each difference.

    Raises:
        Unreadable: If an expectation cannot be read.
    """
    found: list[str] = []
    for key, value in expected.items():
        if key != "view":
            found += _differences(key, LOOKERS[key], state, value)
            continue
        for name, claims in value.items():
            for claim, wanted in claims.items():
                at = f"view.{name}.{claim}"
                found += _differences(at, _by_view(name, claim), state, wanted)
    return found


def _differences(key: str, looker: Looker, state: State, value: Any) -> list[str]:
    try:
        return [f"{key}: {line}" for line in looker(state, value)]
    except ParseError as error:
        msg = f"expect.{key}: {error}"
        raise Unreadable(msg) from None
    except (AttributeError, TypeError, ValueError) as error:
        msg = f"expect.{key}: {value!r} cannot be read ({error})"
        raise Unreadable(msg) from None


# ------------------------------------------------------------------------- helpers


def _seat(state: State, name: str) -> int:
    if name not in state.players:
        msg = f"there is no seat {name!r}{nearest(name, state.players)}"
        raise ValueError(msg)
    return state.players.index(name)


def _same(expected: object, actual: object) -> Iterator[str]:
    if expected != actual:
        yield f"expected {expected!r}, but it is {actual!r}"


def _names(state: State, seats: Iterable[int]) -> list[str]:
    return [state.players[seat] for seat in seats]


def _name(state: State, seat: int | None) -> str:
    return "" if seat is None or seat < 0 else state.players[seat]


def _text(cards: Iterable[object]) -> str:
    return " ".join(map(str, cards))


def _in_order(words: Iterable[object]) -> str:
    """
    Cards by suit and rank, with what they stand for; those that are hidden come last.
    """

    def place(word: str) -> tuple[int, str]:
        card = word.partition("=")[0]
        return (CODES if card == HIDDEN else Card(card).code, word)

    found: list[str] = sorted(map(str, words), key=place)
    return _text(found)


def _as_played(text: str) -> list[str]:
    return [str(Played(word)) for word in text.replace(",", " ").split()]


def _faces(text: str) -> Counter[str]:
    return Counter(map(str, parse_cards(text)))


def _is(actual: Callable[[State], object]) -> Looker:
    """
    A looker for one value, such as a number or a name.
    """
    return lambda state, expected: _same(expected, actual(state))


def _lists(actual: Callable[[State], Iterable[object]]) -> Looker:
    """
    A looker for a list, in order.
    """
    return lambda state, expected: _same(list(expected), list(actual(state)))


def _seats(actual: Callable[[State], Iterable[int]]) -> Looker:
    """
    A looker for seats by name, one or several, in any order.
    """

    def looker(state: State, expected: Any) -> Iterator[str]:
        wanted = [expected] if isinstance(expected, str) else expected
        named = sorted(name for name in wanted if name)
        return _same(named, sorted(_names(state, actual(state))))

    return looker


def _by_seat(actual: Callable[[State], Sequence[object]]) -> Looker:
    """
    A looker for values by seat.
    """
    return lambda state, expected: _per_seat(state, expected, actual(state))


def _pile(actual: Callable[[State], Sequence[Card]]) -> Looker:
    """
    A looker for cards in order.
    """
    return lambda state, expected: _cards_differ(expected, actual(state))


def _per_seat(
    state: State, expected: Mapping[str, Any], actual: Sequence[object]
) -> Iterator[str]:
    for name, value in expected.items():
        there = actual[_seat(state, name)]
        if value != there:
            yield f"{name}: expected {value!r}, but it is {there!r}"


def _cards_differ(expected: str, there: Sequence[Card]) -> Iterator[str]:
    if list(parse_cards(expected)) != list(there):
        yield f"expected {expected!r}, but it is {_text(there)!r}"


def _matches(expected: str, actual: Sequence[Slot | Card]) -> bool:
    """
    Whether the cards written are those on the table; ``=`` counts only if written.
    """
    left = [str(one) for one in actual]
    for word in sorted(_as_played(expected), key=lambda one: "=" not in one):
        if word in left:
            left.remove(word)
            continue
        match = next(
            (one for one in left if "=" not in word and one.split("=")[0] == word), None
        )
        if match is None:
            return False
        left.remove(match)
    return not left


# ------------------------------------------------------------------------- lookers


def _hands(state: State, expected: Mapping[str, str]) -> Iterator[str]:
    for name, text in expected.items():
        hand = state.hands[_seat(state, name)]
        if _faces(text) != Counter(map(str, hand)):
            wanted = _in_order(parse_cards(text))
            yield f"{name}: expected {wanted!r}, but it is {str(hand)!r}"


def _laid_by(state: State, seat: int) -> list[Slot | Card]:
    cards: list[Slot | Card] = []
    melds = list(state.table)
    if state.dealer_wild is not None and state.dealer_wild.kind != "wild":
        melds.append(state.dealer_wild)
    for meld in melds:
        cards += [slot for slot in meld.slots if slot.seat == seat]
        cards += [one.card for one in meld.beside if one.seat == seat]
    return cards


def _laid(state: State, expected: Mapping[str, str]) -> Iterator[str]:
    for name, text in expected.items():
        there = _laid_by(state, _seat(state, name))
        if not _matches(text, there):
            wanted = _in_order(_as_played(text))
            yield f"{name}: expected {wanted!r}, but it is {_in_order(there)!r}"


def _layered(text: str, state: State) -> list[tuple[str, str]]:
    parts: dict[str, list[str]] = {}
    for part in text.split("|"):
        name, colon, cards = part.partition(":")
        if not colon:
            msg = f"say who laid the cards, as in 'N: {part.strip()}'"
            raise ValueError(msg)
        _seat(state, name.strip())
        words = [word for word in cards.split() if word not in {"low", "high"}]
        parts.setdefault(name.strip(), []).extend(words)
    return [(name, " ".join(words)) for name, words in parts.items()]


def _meld_differs(state: State, meld: Meld, text: str) -> bool:
    expected = _layered(text, state)
    if expected and expected[0][0] != state.players[meld.maker]:
        return True
    actual: dict[int, list[Slot | Card]] = {}
    for slot in meld.slots:
        actual.setdefault(slot.seat, []).append(slot)
    for one in meld.beside:
        actual.setdefault(one.seat, []).append(one.card)
    # The first part may be empty: a split can remove all of the maker's cards.
    wanted = {_seat(state, name): words for name, words in expected}
    return not {*actual} <= {*wanted} or any(
        not _matches(words, actual.get(seat, ())) for seat, words in wanted.items()
    )


def _table(state: State, expected: Sequence[str]) -> Iterator[str]:
    shown = [meld_text(meld, state.players) for meld in state.table]
    if len(expected) != len(state.table) or any(
        _meld_differs(state, meld, text)
        for meld, text in zip(state.table, expected, strict=False)
    ):
        yield f"expected {list(expected)!r}, but it is {shown!r}"


def _stock_top(state: State, expected: str) -> Iterator[str]:
    return _cards_differ(expected, state.stock[: len(parse_cards(expected)) or 1])


def _wild(state: State, expected: str) -> Iterator[str]:
    return _same(expected.upper().replace("10", "T"), state.wild_rank)


def _dealer_wild(state: State, expected: str) -> Iterator[str]:
    meld = state.dealer_wild
    if meld is None or not expected:
        yield from _same(expected, "" if meld is None else str(meld.slots[0].card))
    elif _meld_differs(state, meld, f"{state.players[meld.maker]}: {expected}"):
        there = dealers_wild_text(meld, state.players)
        yield f"expected {expected!r}, but it is {there!r}"


def _indicator(state: State) -> Sequence[Card]:
    there = state.dealt.indicator
    return [there] if there else []


def _upcards(state: State, expected: Mapping[str, str]) -> Iterator[str]:
    upcards = state.dealt.upcards
    for name, text in expected.items():
        lines = _cards_differ(text, upcards[_seat(state, name)])
        yield from (f"{name}: {line}" for line in lines)


def _redeals(state: State) -> int:
    if state.phase != "deal":
        return state.dealt.redeals
    return state.match.thrown_in


def _over(state: State, expected: object) -> Iterator[str]:
    there = "match" if state.is_over else "round" if state.is_round_over else ""
    return _same(expected or "", there)


def _round_scores(state: State, expected: Mapping[str, int]) -> Iterator[str]:
    result = state.result
    if result is None:
        yield f"expected {dict(expected)!r}, but the round is not over"
        return
    yield from _per_seat(state, expected, result.points)


def _columns(state: State, expected: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if len(expected) != len(state.columns):
        there = figure(len(expected), "column")
        yield f"expected {there}, but there are {len(state.columns)}"
        return
    for number, (wanted, column) in enumerate(
        zip(expected, state.columns, strict=True), 1
    ):
        for key, value in wanted.items():
            if key == "winners":
                names = [state.players[seat] for seat in column.winners]
                lines = _same(sorted(value), sorted(names))
            elif key in {"scores", "boxes", "final_scores"}:
                points = getattr(column, key)
                lines = _per_seat(state, value, points)
            else:
                lines = iter([f"there is no key {key!r}"])
            yield from (f"column {number}, {key}: {one}" for one in lines)


# ------------------------------------------------------------------------- actions


def _read_for(state: State, text: str, seats: Sequence[int]) -> list[Action]:
    return [parse_action(text, seat, verbs_of(state.rules)) for seat in seats]


def _at_most(actions: Iterable[Action]) -> Iterator[Action]:
    """
    Listed actions, as far as so many are looked at.
    """
    for number, action in enumerate(actions):
        if number == LISTED_AT_MOST:
            msg = f"there are more than {LISTED_AT_MOST:,} legal actions to look at"
            raise ValueError(msg)
        yield action


def _legal_for(
    state: State, texts: Sequence[str], seats: Sequence[int], head: str = ""
) -> Iterator[str]:
    there: dict[tuple[object, ...], str] = {}
    for action in _at_most(legal_actions(state)):
        if action.seat in seats:
            means = meaning(state, action)
            if means is None:
                yield f"{head}{_listed_only(state, action)}"
            else:
                there[means] = str(action)
    wanted = set()
    for text in texts:
        means_of = [meaning(state, one) for one in _read_for(state, text, seats)]
        known = {one for one in means_of if one is not None}
        if not known:
            yield f"{head}'{text}' is not legal"
        elif known.isdisjoint(there):
            yield f"{head}{_allowed_only(text)}"
        wanted |= known
    for means, text in there.items():
        if means not in wanted:
            yield f"{head}'{text}' is legal too"


def _allowed_only(text: str) -> str:
    return f"'{text}' is legal, but not among the legal actions that are listed"


def _listed_only(state: State, action: Action) -> str:
    return f"'{action}' is listed as legal, but is not: {check(state, action)}"


def _legal(state: State, expected: Any) -> Iterator[str]:
    if isinstance(expected, Mapping):
        for name, texts in expected.items():
            yield from _legal_for(state, texts, [_seat(state, name)], f"{name}: ")
        return
    yield from _legal_for(state, expected, to_act(state))


def _for_seats(state: State, expected: Any) -> Iterator[tuple[str, Sequence[int]]]:
    if isinstance(expected, Mapping):
        for name, texts in expected.items():
            for text in texts:
                yield text, [_seat(state, name)]
        return
    for text in expected:
        yield text, to_act(state)


def _legal_includes(state: State, expected: Any) -> Iterator[str]:
    for text, seats in _for_seats(state, expected):
        actions = _read_for(state, text, seats)
        legal = [one for one in actions if check(state, one)]
        if not legal:
            why = f": {check(state, actions[0])}" if actions else ""
            yield f"'{text}' is not legal{why}"
        elif not any(_is_listed(state, one) for one in legal):
            yield _allowed_only(text)


def _is_listed(state: State, action: Action) -> bool:
    """
    Whether a legal action is among those that are listed.
    """
    means = meaning(state, action)
    listed = _at_most(listed_like(state, action))
    return any(meaning(state, one) == means for one in listed)


def _legal_excludes(state: State, expected: Any) -> Iterator[str]:
    for text, seats in _for_seats(state, expected):
        actions = _read_for(state, text, seats)
        if any(check(state, one) for one in actions):
            yield f"'{text}' is legal"
        for action in actions:
            for one in _at_most(listed_like(state, action)):
                if not check(state, one):
                    yield _listed_only(state, one)


# --------------------------------------------------------------------------- views


def _by_view(name: str, key: str) -> Looker:
    """
    A looker for a key of a seat's view: one for states, given the view's world.
    """

    def looker(state: State, expected: Any) -> Iterator[str]:
        seen = view(state, _seat(state, name))
        if key == "hands":
            return _known_hands(seen, expected)
        own = {name: expected} if key.startswith("legal") else expected
        return LOOKERS[key](seen.world, own)

    return looker


def _known_hands(seen: View, expected: Mapping[str, str]) -> Iterator[str]:
    for name, text in expected.items():
        seat = _seat(seen.world, name)
        known = list(map(str, seen.known[seat]))
        there = known + [HIDDEN] * (seen.hand_sizes[seat] - len(known))
        words = text.replace(",", " ").split()
        wanted = [one if one == HIDDEN else str(Card(one)) for one in words]
        if Counter(wanted) != Counter(there):
            shown = _in_order(wanted)
            yield f"{name}: expected {shown!r}, but it is {_in_order(there)!r}"


def _red_threes(state: State, expected: Mapping[str, str]) -> Iterator[str]:
    """
    The cards that no hand keeps, as they lie before each seat.
    """
    for name, text in expected.items():
        seat = _seat(state, name)
        lying = [one for one in state.zones if (one.name, one.seat) == (ASIDE, seat)]
        there = [str(card) for one in lying for card in one.cards]
        wanted = [str(Card(word)) for word in text.replace(",", " ").split()]
        if Counter(wanted) != Counter(there):
            shown = _in_order(wanted)
            yield f"{name}: expected {shown!r}, but it is {_in_order(there)!r}"


LOOKERS: Final[dict[str, Looker]] = {
    "turn": _is(lambda state: state.players[state.turn]),
    "phase": _is(lambda state: state.phase),
    "acting": _seats(to_act),
    "hands": _hands,
    "hand_sizes": _by_seat(lambda state: [len(hand) for hand in state.hands]),
    "laid": _laid,
    "table": _table,
    "red_threes": _red_threes,
    "discards": _pile(lambda state: state.discards),
    "stock": _pile(lambda state: state.stock),
    "stock_top": _stock_top,
    "stock_size": _is(lambda state: len(state.stock)),
    "wild": _wild,
    "dealer": _is(lambda state: _name(state, state.dealer)),
    "dealer_wild": _dealer_wild,
    "indicator": _pile(_indicator),
    "upcards": _upcards,
    "redeals": _is(_redeals),
    "floating": _seats(lambda state: state.floating),
    "dropped": _by_seat(
        lambda state: [state.dropped.get(seat, 0) for seat in range(len(state.players))]
    ),
    "eliminated": _seats(lambda state: state.eliminated),
    "out": _is(lambda state: _name(state, next(iter(state.out), None))),
    "over": _over,
    "round_scores": _round_scores,
    "scores": _by_seat(lambda state: state.scores),
    "winners": _seats(lambda state: state.winners),
    "boxes": _by_seat(lambda state: state.boxes or (0,) * len(state.players)),
    "columns": _columns,
    "final_scores": _by_seat(lambda state: state.final_scores),
    "side_scores": _lists(lambda state: state.side_scores),
    "payments": _lists(lambda state: state.payments),
    "next_dealer": _is(lambda state: _name(state, state.match.next_dealer)),
    "legal": _legal,
    "legal_includes": _legal_includes,
    "legal_excludes": _legal_excludes,
}
"""The keys of ``[expect]`` and their lookers."""


VIEW_KEYS: Final = tuple(key for key in LOOKERS if key not in {"stock", "stock_top"})
"""The keys of ``view.SEAT``: everything that a seat may see."""
