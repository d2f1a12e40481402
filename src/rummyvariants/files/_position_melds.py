"""
The melds of a position, read from their texts.
"""

from __future__ import annotations

import itertools

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from rummyvariants.errors import ParseError
from rummyvariants.files._position_reader import Reader
from rummyvariants.melds._meld import Beside, Meld, Played, Slot, built
from rummyvariants.melds._reading import read_meld
from rummyvariants.melds._tables import Terms
from rummyvariants.rulings import Objection


class TableReader:
    """
    Reads the melds on the table; what is wrong is noted with the reader's problems.

    Attributes:
        misplaced: The codes of the cards of melds that are none.
        written: The cards of each meld of the table with who laid them, as written.
    """

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.given = reader.given
        self.rules = reader.rules
        self.problems = reader.problems
        self.misplaced: Counter[int] = Counter()
        self.written: list[list[tuple[Played, int]]] = []

    def objection(self, head: str, wrong: Objection) -> None:
        """
        Note what a rule objects to.
        """
        ids = [wrong.question, *wrong.also]
        self.problems.add(
            f"{head}: {wrong.reason}", *[self.rules.rule_of(one) for one in ids]
        )

    def table(self, terms: Terms) -> list[Meld]:
        """
        The melds of the key ``table``, in the order given.
        """
        entries = self.given.get("table", [])
        if not isinstance(entries, list):
            self.problems.add("table: give a list of melds, such as ['N: 7h 8h 9h']")
            return []
        melds: list[Meld] = []
        left = len(self.rules.deck.cards_for(len(self.reader.names)))
        for number, entry in enumerate(entries, 1):
            parts = self._parts(entry, f"table, meld {number}")
            left -= sum(len(cards) for _, cards, _ in parts)
            if left < 0:
                self.problems.add(
                    "table: it holds more cards than the deck",
                    self.rules.rule_of("deck.packs"),
                )
                return melds
            if parts:
                meld = self._meld(terms, parts, f"table, meld {number}")
                if meld is not None:
                    melds.append(meld)
                    self.written.append(_laid(parts))
        return melds

    def counting_twice(self, table: tuple[Meld, ...], number: int) -> Meld | None:
        """
        A meld of the table of which the first four cards that are written count twice.

        Returns:
            The meld; None if there is none of that number with four such cards.
        """
        if not 0 < number <= len(table):
            return None
        slots = list(table[number - 1].slots)
        for one, seat in self.written[number - 1][:4]:
            for at, slot in enumerate(slots):
                if (slot.card, slot.seat, slot.twice) == (one.card, seat, False):
                    if one.stands_for in {None, slot.stands_for}:
                        slots[at] = attrs.evolve(slot, twice=True)
                        break
        if sum(slot.twice for slot in slots) < 4:
            return None
        return attrs.evolve(table[number - 1], slots=tuple(slots))

    def _parts(self, entry: object, at: str) -> list[tuple[int, list[Played], str]]:
        """
        The parts of a meld: who laid which cards, and the end of an ace if it is said.
        """
        if not isinstance(entry, str):
            self.problems.add(f"{at}: give a text such as 'N: 7h 8h 9h'")
            return []
        parts: list[tuple[int, list[Played], str]] = []
        for part in entry.split("|"):
            name, colon, words = part.partition(":")
            if not colon:
                self.problems.add(
                    f"{at}: say who laid the cards, as in 'N: {part.strip()}'"
                )
                return []
            seat = self.reader.seat(name.strip(), at)
            cards, end = [], ""
            for word in words.replace(",", " ").split():
                if word in {"low", "high"}:
                    end = word
                    continue
                try:
                    cards.append(Played(word))
                except ParseError as error:
                    self.problems.add(f"{at}: {error}")
                    return []
            if cards or not parts:
                # Who made a meld comes first, even if all their cards were split off.
                parts.append((seat, cards, end))
        if not any(cards for _, cards, _ in parts):
            self.problems.add(f"{at}: it holds no card", "RV-07")
            return []
        return parts

    def _meld(
        self, terms: Terms, parts: list[tuple[int, list[Played], str]], at: str
    ) -> Meld | None:
        """
        A meld of the table, cards beside its wilds found out.
        """
        laid = _laid(parts)
        maker = parts[0][0]
        if len(laid) == 1 and terms.wild[laid[0][0].card.code]:
            wrong = self.rules.layoff.refuse_single(has_meld=True, wild=True)
            if wrong is None and laid[0][0].stands_for is None:
                return built(
                    terms, "wild", (Slot(laid[0][0].card, None, maker),), maker
                )
        ends = [end for _, _, end in parts if end]
        first: Objection | None = None
        ways = _ways_beside(terms, [one for one, _ in laid], len(parts[0][1]))
        for chosen in itertools.islice(ways, _TRIED):
            rest = [pair for index, pair in enumerate(laid) if index not in chosen]
            found = _meld_of(terms, rest, maker, ends)
            if isinstance(found, Objection):
                first = first or found
                continue
            placed = _beside(terms, found, [laid[index] for index in chosen])
            if placed is not None:
                return placed
        if next(ways, None) is not None:
            self.problems.add(f"{at}: say with '=' what each wild card stands for")
        elif first is not None:
            text = " ".join(str(one) for one, _ in laid)
            if len(laid) == 1:
                first = attrs.evolve(
                    first, also=(*first.also, "layoff.single_wilds", "meld.sets")
                )
            named = first.reason.startswith(f"{text} ")
            self.objection(at if named else f"{at}: {text} is no meld", first)
            self.misplaced.update(one.card.code for one, _ in laid)
        return None

    def dealers_wild(self, terms: Terms, dealer: int) -> Meld | None:
        """
        The dealer's wild that the key ``dealer_wild`` tells of, with what lies on it.
        """
        entry = self.given.get("dealer_wild", "")
        if entry == "":
            return None
        rule = self.rules.rule_of("wild.indicator_stays")
        if not isinstance(entry, str):
            self.problems.add("dealer_wild: give a card as a text, such as '4h'", rule)
            return None
        if not self.rules.wild.indicator_stays:
            self.problems.add(
                "dealer_wild: in this game no card of the dealer stays on the table",
                rule,
            )
            return None
        head, _, tail = entry.partition("|")
        try:
            wild = Played(head.strip())
        except ParseError as error:
            self.problems.add(f"dealer_wild: name the one card: {error}", rule)
            return None
        card = wild.card
        if not terms.wild[card.code] or card.rank != terms.wild_rank:
            self.problems.add(
                f"dealer_wild: {card} is not of the wild rank, "
                f"which is {terms.wild_rank or 'none'}",
                rule,
            )
            return None
        slot = Slot(card, None, dealer)
        if not tail.strip():
            return built(terms, "wild", (slot,), dealer)
        parts = self._parts(tail, "dealer_wild")
        laid = [(wild, dealer)]
        laid += [(one, seat) for seat, some, _ in parts for one in some]
        ends = [end for _, _, end in parts if end]
        found = _meld_of(terms, laid, dealer, ends)
        if isinstance(found, Objection):
            self.objection("dealer_wild: it is no set", found)
            return None
        return found


def _laid(parts: list[tuple[int, list[Played], str]]) -> list[tuple[Played, int]]:
    """
    The cards of the parts of a meld, each with who laid it.
    """
    return [(one, seat) for seat, cards, _ in parts for one in cards]


_TRIED: Final = 500
"""The most ways of laying cards beside wilds that are tried for one meld."""


def _ways_beside(
    terms: Terms, cards: Sequence[Played], own: int
) -> Iterator[tuple[int, ...]]:
    """
    Which cards of a meld may lie beside its wilds, by their numbers; few of them first.

    Args:
        terms: The terms of the deal.
        cards: The cards of the meld.
        own: How many of them are the maker's, which lie beside nothing.
    """
    wilds = [one for one in cards if terms.wild[one.card.code]]
    places = {one.stands_for.code for one in wilds if one.stands_for is not None}
    # One that is not declared may stand for anything.
    anywhere = any(one.stands_for is None for one in wilds)
    loose = [
        index
        for index, one in enumerate(cards)
        if index >= own and (anywhere or one.card.code in places)
    ]
    most = min(len(wilds), len(loose)) if terms.real_card == "beside" else 0
    for number in range(most + 1):
        yield from itertools.combinations(loose, number)


def _meld_of(
    terms: Terms, laid: Sequence[tuple[Played, int]], maker: int, ends: Sequence[str]
) -> Meld | Objection:
    """
    A meld of cards by several players, made by one of them.

    Args:
        terms: The terms of the deal.
        laid: The cards, each with who laid it.
        maker: Who made the meld.
        ends: Where its ace is said to lie.
    """
    cards = [one for one, _ in laid]
    if ends:
        aces = [
            pair for pair in laid if (pair[0].stands_for or pair[0].card).rank == "A"
        ]
        rest = [pair for pair in laid if pair not in aces]
        laid = [*aces, *rest] if ends[0] == "low" else [*rest, *aces]
        cards = [one for one, _ in laid]
    found = read_meld(terms, cards, maker)
    if isinstance(found, Objection):
        return found
    for end in ends:
        slot = found.slots[0 if end == "low" else -1]
        if found.kind != "run" or (slot.stands_for or slot.card).rank != "A":
            return Objection("RV-31", f"no ace lies at its {end} end")
    left = list(laid)
    slots = []
    for slot in found.slots:
        said = [pair for pair in left if pair[0].card == slot.card]
        pair = next(
            (one for one in said if one[0].stands_for == slot.stands_for), said[0]
        )
        left.remove(pair)
        slots.append(attrs.evolve(slot, seat=pair[1]))
    return built(terms, found.kind, tuple(slots), maker, found.low)


def _beside(
    terms: Terms, meld: Meld, laid: Sequence[tuple[Played, int]]
) -> Meld | None:
    """
    A meld with real cards beside its wilds; None if they do not belong there.
    """
    placed: list[Beside] = []
    for one, seat in laid:
        index = next(
            (
                at
                for at, slot in enumerate(meld.slots)
                if slot.stands_for is not None
                and not slot.own_place
                and slot.code == one.card.code
                and all(other.index != at for other in placed)
            ),
            None,
        )
        if index is None:
            return None
        placed.append(Beside(index, one.card, seat))
    if not placed:
        return meld
    return built(terms, meld.kind, meld.slots, meld.maker, meld.low, tuple(placed))
