"""What a scenario expects, compared with the state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from rummyvariants.actions import Action
from rummyvariants.cards import CODES, Card
from rummyvariants.errors import ParseError, RecordError, nearest
from rummyvariants.files._documents import Shown, file_slots
from rummyvariants.files._facts import OWNER
from rummyvariants.files._forms import (
    CARDS,
    COUNT,
    POINTS,
    SEAT_OR_NONE,
    SEATS,
    BySeat,
    Form,
    Many,
    Reading,
    Word,
)
from rummyvariants.files._melds import (
    TableCard,
    TableMeld,
    card_text,
    dealers_wild_text,
    meld_document,
    meld_text,
)
from rummyvariants.files._problems import Place, Problems, said
from rummyvariants.game._engine.game import check
from rummyvariants.game._meanings import listed_like, meaning
from rummyvariants.game._moves import LegalActions
from rummyvariants.game._state import State, to_act
from rummyvariants.game._views import View, view
from rummyvariants.game.verbs._short import read_action
from rummyvariants.melds._meld import Played


Looker = Callable[[State, Any], Iterator[str]]


LISTED_AT_MOST: Final = 20_000
"""The most legal actions that a list is compared with."""

HIDDEN: Final = "??"
"""A card that a seat does not know."""


def differences(
    state: State, expected: Mapping[str, Any], where: str = ""
) -> list[str]:
    """
    What differs between a state and an ``[expect]`` table, a sentence for each.

    Args:
        state: The state.
        expected: The table.
        where: The file's name for error messages.

    Raises:
        RecordError: If an expectation cannot be read.
    """
    found: list[str] = []
    for key, looker, value in _looking(expected):
        try:
            found += [f"{key}: {line}" for line in looker(state, value)]
        except (ParseError, RecordError) as error:
            msg = f"expect.{key}: {error}"
            raise RecordError(msg, where=where) from None
        except (AttributeError, TypeError, ValueError) as error:
            msg = f"expect.{key}: {said(value)} cannot be read ({error})"
            raise RecordError(msg, where=where) from None
    return found


def _looking(expected: Mapping[str, Any]) -> Iterator[tuple[str, Looker, Any]]:
    """
    The claims of an ``[expect]`` table, those about views too, with their lookers.
    """
    for key, value in expected.items():
        if key != "view":
            yield key, LOOKERS[key], value
            continue
        for name, claims in value.items():
            for claim, wanted in claims.items():
                yield f"view.{name}.{claim}", _by_view(name, claim), wanted


# ------------------------------------------------------------------------- helpers


def _seat(state: State, name: str) -> int:
    if name not in state.players:
        msg = f"there is no seat {name!r}{nearest(name, state.players)}"
        raise ValueError(msg)
    return state.players.index(name)


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


def _looks(form: Form[Any], of: Callable[[State], Any]) -> Looker:
    """
    A looker for a value of a form.
    """

    def looker(state: State, expected: Any) -> Iterator[str]:
        problems = Problems(_unreadable)
        at = Reading(problems, state.players, len(state.players), state.rules)
        yield from form.differences(of(state), expected, "", at)
        problems.done()

    return looker


def _unreadable(found: Iterable[Place], _: Iterable[str]) -> RecordError:
    return RecordError([f"{path}: {told}" if path else told for path, told in found])


def _of_slot(key: str) -> Looker:
    """
    A looker for a slot of positions, which says nothing in other phases than its own.
    """
    slot, default = file_slots()[key]

    def of(state: State) -> Any:
        there = not slot.phases or state.phase in slot.phases
        return slot.of(Shown(state)) if there else default

    return _looks(slot.form, of)


def _matches(expected: str, actual: Sequence[TableCard | Card]) -> bool:
    """
    Whether the cards written are those on the table; ``=`` counts only if written.
    """
    left = [*map(_word, actual)]
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


def _word(one: TableCard | Card) -> str:
    return str(one) if isinstance(one, Card) else card_text(one)


# ------------------------------------------------------------------------- lookers


def _laid_by(state: State, seat: int) -> list[TableCard | Card]:
    cards: list[TableCard | Card] = []
    melds = list(state.table)
    if state.dealer_wild is not None and state.dealer_wild.kind != "wild":
        melds.append(state.dealer_wild)
    for meld in melds:
        found = meld_document(meld, 0)
        cards += [one for one in found.cards if one.seat == seat]
        cards += [one.card for one in found.beside if one.seat == seat]
    return cards


def _laid(state: State, expected: Mapping[str, str]) -> Iterator[str]:
    for name, text in expected.items():
        there = _laid_by(state, _seat(state, name))
        if not _matches(text, there):
            wanted = _in_order(_as_played(text))
            is_there = _in_order(map(_word, there))
            yield f"{name}: expected {wanted!r}, but it is {is_there!r}"


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


def _meld_differs(state: State, meld: TableMeld, text: str) -> bool:
    expected = _layered(text, state)
    if expected and expected[0][0] != state.players[meld.maker]:
        return True
    actual: dict[int, list[TableCard | Card]] = {}
    for slot in meld.cards:
        actual.setdefault(slot.seat, []).append(slot)
    for one in meld.beside:
        actual.setdefault(one.seat, []).append(one.card)
    # The first part may be empty: a split can remove all of the maker's cards.
    wanted = {_seat(state, name): words for name, words in expected}
    return not {*actual} <= {*wanted} or any(
        not _matches(words, actual.get(seat, ())) for seat, words in wanted.items()
    )


def _table(state: State, expected: Sequence[str]) -> Iterator[str]:
    there = [meld_document(meld, at) for at, meld in enumerate(state.table, 1)]
    if len(expected) != len(there) or any(
        _meld_differs(state, meld, text)
        for meld, text in zip(there, expected, strict=False)
    ):
        shown = [meld_text(meld, state.players) for meld in there]
        yield f"expected {list(expected)!r}, but it is {shown!r}"


def _stock_top(state: State, expected: str) -> Iterator[str]:
    number = len(expected.split()) or 1
    yield from _looks(CARDS, lambda state: state.stock[:number])(state, expected)


def _dealer_wild(state: State, expected: str) -> Iterator[str]:
    meld = state.dealer_wild
    if meld is None or not expected:
        there = "" if meld is None else str(meld.slots[0].card)
        if expected != there:
            yield f"expected {expected!r}, but it is {there!r}"
        return
    found = meld_document(meld, 0)
    if _meld_differs(state, found, f"{state.players[meld.maker]}: {expected}"):
        text = dealers_wild_text(found, state.players)
        yield f"expected {expected!r}, but it is {text!r}"


def _redeals(state: State) -> int:
    if state.phase != "deal":
        return state.dealt.redeals
    return state.match.thrown_in


def _over(state: State) -> str:
    return "match" if state.is_over else "round" if state.is_round_over else ""


def _round_scores(state: State, expected: Mapping[str, int]) -> Iterator[str]:
    result = state.result
    if result is None:
        yield f"expected {dict(expected)!r}, but the round is not over"
        return
    yield from _looks(_POINTS, lambda _: result.points)(state, expected)


# ------------------------------------------------------------------------- actions


def _read_for(state: State, text: str, seats: Sequence[int]) -> list[Action]:
    return [read_action(state, text, seat) for seat in seats]


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
    for action in _at_most(LegalActions(state)):
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
            seats = [_seat(state, name)]
            yield from _legal_for(state, _listed(texts), seats, f"{name}: ")
        return
    yield from _legal_for(state, _listed(expected), to_act(state))


def _listed(texts: Any) -> Sequence[str]:
    """
    Actions as a list; one may be written alone.
    """
    found = [texts] if isinstance(texts, str) else texts
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        msg = "give actions as texts"
        raise ValueError(msg)
    return found


def _for_seats(state: State, expected: Any) -> Iterator[tuple[str, Sequence[int]]]:
    if isinstance(expected, Mapping):
        for name, texts in expected.items():
            for text in _listed(texts):
                yield text, [_seat(state, name)]
        return
    for text in _listed(expected):
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


_POINTS: Final = BySeat(POINTS, 0)
_SIDES: Final = Many(POINTS)
LOOKERS: Final[dict[str, Looker]] = {
    **{key: _of_slot(key) for key in file_slots() if key != "last_buyer"},
    "acting": _looks(SEATS, to_act),
    "hand_sizes": _looks(BySeat(COUNT, 0), lambda s: tuple(map(len, s.hands))),
    "laid": _laid,
    "table": _table,
    "stock_top": _stock_top,
    "stock_size": _looks(COUNT, lambda s: len(s.stock)),
    "dealer_wild": _dealer_wild,
    "upcards": _looks(BySeat(CARDS, ()), lambda s: s.dealt.upcards),
    "redeals": _looks(COUNT, _redeals),
    "eliminated": _looks(SEATS, lambda s: s.eliminated),
    "out": _looks(SEAT_OR_NONE, lambda s: next(iter(s.out), None)),
    "over": _looks(Word("", "round", "match"), _over),
    "round_scores": _round_scores,
    "winners": _looks(SEATS, lambda s: s.winners),
    "boxes": _looks(BySeat(COUNT, 0), lambda s: s.boxes or (0,) * len(s.players)),
    "final_scores": _looks(_POINTS, lambda s: s.final_scores),
    "side_scores": _looks(_SIDES, lambda s: s.side_scores),
    "payments": _looks(_SIDES, lambda s: s.payments),
    "next_dealer": _looks(OWNER, lambda s: s.match.next_dealer),
    "legal": _legal,
    "legal_includes": _legal_includes,
    "legal_excludes": _legal_excludes,
}
"""The keys of ``[expect]`` and their lookers: the slots of positions, and more."""


VIEW_KEYS: Final = tuple(key for key in LOOKERS if key not in {"stock", "stock_top"})
"""The keys of ``view.SEAT``: everything that a seat may see."""
