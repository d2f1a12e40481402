"""
Melds as they are written: who laid which cards, as text and as plain values.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from rummyvariants.cards import RANKS, Card
from rummyvariants.errors import ParseError
from rummyvariants.files._forms import SEAT, Reading
from rummyvariants.melds._meld import Beside, Meld, Place, Played, built
from rummyvariants.melds._reading import read_meld
from rummyvariants.melds._tables import Terms
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


@attrs.frozen(kw_only=True)
class TableCard:
    """
    A card of a meld.

    Attributes:
        card: The card.
        stands_for: What it stands for, if it is wild.
        seat: The seat that laid it.
    """

    card: Card
    stands_for: Place | None
    seat: int


@attrs.frozen(kw_only=True)
class BesideCard:
    """
    A real card beside the wild that stands for it.

    Attributes:
        index: The place of the wild in the meld, from 0.
        card: The card.
        seat: The seat that laid it.
    """

    index: int
    card: Card
    seat: int


@attrs.frozen(kw_only=True)
class TableMeld:
    """
    A meld on the table.

    Attributes:
        number: Its number, from 1; the dealer's wild is meld 0.
        kind: Its kind: 'set', 'run', 'wild', ...
        maker: The seat that began it.
        cards: Its cards in order.
        beside: The real cards beside its wilds.
        doubled: The places of the four cards that count twice.
    """

    number: int
    kind: str
    maker: int
    cards: tuple[TableCard, ...]
    beside: tuple[BesideCard, ...]
    doubled: tuple[int, ...] = ()

    @property
    def laid(self) -> tuple[TableCard | BesideCard, ...]:
        """
        All its cards, those beside wilds last.
        """
        return self.cards + self.beside


def meld_document(meld: Meld, number: int) -> TableMeld:
    """
    A meld as a document holds it.
    """
    return TableMeld(
        number=number,
        kind=meld.kind,
        maker=meld.maker,
        cards=tuple(
            TableCard(card=one.card, stands_for=one.stands_for, seat=one.seat)
            for one in meld.slots
        ),
        beside=tuple(
            BesideCard(index=one.index, card=one.card, seat=one.seat)
            for one in meld.beside
        ),
        doubled=tuple(at for at, one in enumerate(meld.slots) if one.twice),
    )


# ---------------------------------------------------------------------------- writing


def layers(meld: TableMeld) -> list[tuple[int, list[str]]]:
    """
    Who laid which cards of a meld, the maker first; cards beside wilds last.

    Four cards that count twice come first: that is how a position marks them.
    """
    found: list[tuple[int, list[str]]] = [(meld.maker, [])]
    twice = meld.doubled
    cards = [meld.cards[at] for at in twice]
    cards += [one for at, one in enumerate(meld.cards) if at not in twice]
    in_turn = meld.kind != "run" or twice
    for slot in cards:
        if found[-1][0] != slot.seat and in_turn:
            found.append((slot.seat, []))
        target = next(
            (some for seat, some in reversed(found) if seat == slot.seat), None
        )
        if target is None:
            target = []
            found.append((slot.seat, target))
        target.append(card_text(slot))
    for one in meld.beside:
        found.append((one.seat, [str(one.card)]))
    return [(seat, some) for seat, some in found if some]


def card_text(one: TableCard) -> str:
    """
    A card of a meld in the notation.
    """
    return f"{one.card}={one.stands_for}" if one.stands_for else str(one.card)


def meld_text(meld: TableMeld, names: Sequence[str]) -> str:
    """
    A meld as an entry of ``table``.
    """
    laid = layers(meld)
    parts = [
        f"{names[seat]}: {' '.join(cards)}{_ace_end(meld, cards)}"
        for seat, cards in laid
    ]
    if laid[0][0] != meld.maker:
        # A part split off from a meld whose other part has the maker's cards.
        parts.insert(0, f"{names[meld.maker]}:")
    return " | ".join(parts)


def _ace_end(meld: TableMeld, cards: Sequence[str]) -> str:
    """
    The word for the end of an ace, where a run holds every rank.
    """
    if meld.kind != "run" or len(meld.cards) != len(RANKS):
        return ""
    for one, end in ((meld.cards[0], " low"), (meld.cards[-1], " high")):
        if (one.stands_for or one.card).rank == "A" and card_text(one) in cards:
            return end
    return ""


def dealers_wild_text(meld: TableMeld, names: Sequence[str]) -> str:
    """
    The dealer's wild on the table as text, with what was built on it.
    """
    first = meld.cards[0]
    suited = first.stands_for is not None and first.stands_for.suit
    head = card_text(first) if suited else str(first.card)
    rest = attrs.evolve(meld, cards=meld.cards[1:])
    if not rest.cards:
        return head
    parts = [f"{names[seat]}: {' '.join(cards)}" for seat, cards in layers(rest)]
    return " | ".join([head, *parts])


def laid_on(
    rules: Ruleset, table: Iterable[TableMeld], dealer_wild: TableMeld | None
) -> set[int]:
    """
    The seats that have a card on the table, where that matters later.
    """
    if not rules.score.asks_who_laid:
        return set()
    melds = [*table] if dealer_wild is None else [*table, dealer_wild]
    return {one.seat for meld in melds for one in meld.laid[not meld.number :]}


# ---------------------------------------------------------------------------- reading


@attrs.frozen
class _Written:
    """
    A meld as it is written.

    Attributes:
        laid: Its cards, each with the seat that laid it.
        maker: The seat that began it.
        own: How many cards the maker began it with; they do not lie beside wilds.
        ends: The end where its ace is said to lie.
    """

    laid: tuple[tuple[Played, int], ...]
    maker: int
    own: int
    ends: tuple[str, ...]


class MeldReader:
    """
    Reads the melds of a position from their texts.

    Args:
        given: The position.
        at: The players, and where problems are noted.
        terms: The terms of the deal.
        twice: The numbers of the melds whose first four cards count twice.

    Attributes:
        numbers: The numbers of the melds that can be read, in order.
    """

    def __init__(
        self,
        given: Mapping[str, Any],
        at: Reading,
        terms: Terms,
        twice: Iterable[int],
    ) -> None:
        self.given, self.at, self.terms, self.twice = given, at, terms, {*twice}
        self.numbers: list[int] = []
        self._left = sum(terms.copies)

    def table(self) -> tuple[TableMeld, ...]:
        """
        The melds of the key ``table``, in the order given.
        """
        entries = self.given.get("table", ())
        if not isinstance(entries, list | tuple):
            message = "give a list of melds, such as ['N: 7h 8h 9h']"
            self.at.problems.add("table", message)
            return ()
        melds: list[TableMeld] = []
        for number, entry in enumerate(entries, 1):
            at = f"table, meld {number}"
            written = self._written(entry, at)
            if written is None:
                continue
            meld = self._meld(written, at, len(melds) + 1)
            if number in self.twice:
                meld = _doubled(meld, written)
                if meld.doubled:
                    self.twice.discard(number)
            melds.append(meld)
            self.numbers.append(number)
        rule = self.at.rules.rule_of("score.four_at_once")
        for number in sorted(self.twice):
            message = f"{number} is not a meld of four or more cards with the four"
            message += " that count twice written first"
            self.at.problems.add("doubled", message, rule)
        return tuple(melds)

    def dealers_wild(self, dealer: int) -> TableMeld | None:
        """
        The dealer's wild that the key ``dealer_wild`` names, with the cards on it.
        """
        entry = self.given.get("dealer_wild", "")
        if isinstance(entry, str) and not entry:
            return None
        if isinstance(entry, str):
            entry = f"{(self.at.names or ())[dealer]}: {entry}"
        written = self._written(entry, "dealer_wild")
        if written is None:
            return None
        if written.own != 1:
            self.at.problems.add("dealer_wild", "name one card")
        return self._meld(written, "dealer_wild", 0)

    def _written(self, entry: object, at: str) -> _Written | None:
        """
        A meld as it is written; None, with a note, if it cannot be read.
        """
        if not isinstance(entry, str):
            self.at.problems.add(at, "give a text such as 'N: 7h 8h 9h'")
            return None
        laid: list[tuple[Played, int]] = []
        ends = []
        maker = own = -1
        for part in entry.split("|"):
            name, colon, words = part.partition(":")
            if not colon:
                message = f"say who laid the cards, as in 'N: {part.strip()}'"
                self.at.problems.add(at, message)
                return None
            seat = SEAT.read(name.strip(), at, self.at)
            for word in words.replace(",", " ").split():
                if word in {"low", "high"}:
                    ends.append(word)
                    continue
                try:
                    laid.append((Played(word), seat))
                except ParseError as error:
                    self.at.problems.add(at, str(error))
                    return None
            if maker < 0:
                # The maker of a meld comes first, even without cards after a split.
                maker, own = seat, len(laid)
        if not laid:
            self.at.problems.add(at, "it holds no card", "RV-07")
            return None
        self._left -= len(laid)
        if self._left < 0:
            rule = self.at.rules.rule_of("deck.packs")
            self.at.problems.add("table", "it holds more cards than the deck", rule)
            return None
        return _Written(tuple(laid), maker, own, tuple(ends))

    def _meld(self, written: _Written, at: str, number: int) -> TableMeld:
        """
        A meld with the cards beside its wilds found; as written if it is not a meld.
        """
        laid, terms = written.laid, self.terms
        ways = _ways_beside(terms, [one for one, _ in laid], written.own)
        for chosen in itertools.islice(ways, _TRIED):
            rest = [pair for index, pair in enumerate(laid) if index not in chosen]
            found = _meld_of(terms, rest, written)
            if found is None:
                continue
            placed = _beside(terms, found, [laid[index] for index in chosen])
            if placed is not None:
                self._ends(written, placed, at)
                return meld_document(placed, number)
        if next(ways, None) is not None:
            message = "write with '=' what each wild card represents"
            self.at.problems.add(at, message)
        alone = len(laid) == 1 and terms.wild[laid[0][0].card.code]
        return TableMeld(
            number=number,
            kind="wild" if alone else "set",
            maker=written.maker,
            cards=tuple(
                TableCard(card=one.card, stands_for=one.stands_for, seat=seat)
                for one, seat in laid
            ),
            beside=(),
        )

    def _ends(self, written: _Written, meld: Meld, at: str) -> None:
        """
        Note an ace that does not lie at the end given.
        """
        for end in written.ends:
            slot = meld.slots[0 if end == "low" else -1]
            if meld.kind != "run" or (slot.stands_for or slot.card).rank != "A":
                text = " ".join(str(one) for one, _ in written.laid)
                message = f"{text} is not a meld: no ace lies at its {end} end"
                self.at.problems.add(at, message, "RV-31")


_TRIED: Final = 500
"""The most ways of laying cards beside wilds to try for one meld."""


def _ways_beside(
    terms: Terms, cards: Sequence[Played], own: int
) -> Iterator[tuple[int, ...]]:
    """
    Which cards of a meld may lie beside its wilds, by their numbers; few of them first.

    Args:
        terms: The terms of the deal.
        cards: The cards of the meld.
        own: How many of them are the maker's, which do not lie beside wilds.
    """
    wilds = [one for one in cards if terms.wild[one.card.code]]
    places = {one.stands_for.code for one in wilds if one.stands_for is not None}
    # A wild that is not declared may represent any card.
    anywhere = any(one.stands_for is None for one in wilds)
    loose = [
        index
        for index, one in enumerate(cards)
        if index >= own and (anywhere or one.card.code in places)
    ]
    most = min(len(wilds), len(loose)) if terms.lies_beside else 0
    for number in range(most + 1):
        yield from itertools.combinations(loose, number)


def _meld_of(
    terms: Terms, laid: Sequence[tuple[Played, int]], written: _Written
) -> Meld | None:
    """
    The meld made by some cards of a written one, with their seats; None if none.
    """
    if written.ends:
        aces = [
            pair for pair in laid if (pair[0].stands_for or pair[0].card).rank == "A"
        ]
        rest = [pair for pair in laid if pair not in aces]
        laid = [*aces, *rest] if written.ends[0] == "low" else [*rest, *aces]
    found = read_meld(terms, [one for one, _ in laid], written.maker)
    if isinstance(found, Objection):
        return None
    left = list(laid)
    slots = []
    for slot in found.slots:
        said = [pair for pair in left if pair[0].card == slot.card]
        pair = next(
            (one for one in said if one[0].stands_for == slot.stands_for), said[0]
        )
        left.remove(pair)
        slots.append(attrs.evolve(slot, seat=pair[1]))
    return built(terms, found.kind, tuple(slots), written.maker, found.low)


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
                if slot.substitutes
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


def _doubled(meld: TableMeld, written: _Written) -> TableMeld:
    """
    A meld whose first four cards written count twice, if it has four.
    """
    found: list[int] = []
    for one, seat in written.laid[:4]:
        for at, card in enumerate(meld.cards):
            same = (card.card, card.seat) == (one.card, seat)
            if same and at not in found and one.stands_for in {None, card.stands_for}:
                found.append(at)
                break
    return attrs.evolve(meld, doubled=tuple(sorted(found))) if len(found) == 4 else meld
