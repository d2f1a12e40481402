"""
A hand divided where it needs certain runs, its lives.

The lives are chosen first, and what they leave is divided as any other hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from rummyvariants._support.memos import remembered
from rummyvariants.cards import LANE, UNIT, faces, present, size, total
from rummyvariants.melds._looks import melds_in
from rummyvariants.melds._meld import HOME, IDENTICAL, PLAIN, Played, is_pure
from rummyvariants.melds._reading import is_allowed
from rummyvariants.melds._tables import GRADED, REFUSED, Lives, Terms, plain
from rummyvariants.melds.cover._divisions import (
    REMEMBERED,
    Division,
    Melds,
    cover_of,
    divided,
)
from rummyvariants.melds.cover._laying import laid_piece, layout
from rummyvariants.melds.cover._prices import FIRST
from rummyvariants.melds.cover._runs import NEVER, WIDE, Piece, run_pieces
from rummyvariants.melds.cover._search import Use, Work


NO_WAY: Final = 1 << 40
"""More points than a hand has: what it leaves if it lacks the lives and needs them."""
_NODES: Final = 20_000
"""The most work for a hand, in nodes; a hand of thirteen cards needs less."""


class Life(NamedTuple):
    """
    A run that a hand can make.

    Attributes:
        used: Its cards that stand for themselves, as a multiset; where rules of a third
            party judge each meld, all its cards.
        wilds: How many wilds it takes besides.
        length: How many cards it has.
        cards: These as an action names them; none where wilds are still to be chosen.
        piece: The run, with the number of its suit.
    """

    used: int
    wilds: int
    length: int
    cards: tuple[Played, ...]
    piece: tuple[int, Piece] | None


@remembered(REMEMBERED)
def with_lives(terms: Terms, bits: int) -> Division:
    """
    The division of a hand that needs runs, with the fewest points, then fewest cards.

    Args:
        terms: The terms of the deal. Without the runs all cards that count are left
            over.
        bits: The hand as a multiset.
    """
    search = _Search(terms)
    search.look(bits, 0, terms.lives, 0, ())
    ways = []
    if search.found is not None:
        ways.append(search.laid())
    if terms.without == GRADED:
        ways += [((run,), bits - used) for run, used in pure_runs(terms, bits)]
    ways.append(((), bits))
    melds, left = min(ways, key=lambda way: _count(terms, way[1], way[0]))
    points, cards = total(terms.worth, left), size(left)
    if not melds and terms.without == REFUSED:
        points += NO_WAY
    work = search.work
    return Division(points, cards, work.exact, work.nodes, None, (melds, left))


def _count(terms: Terms, left: int, melds: Melds) -> tuple[bool, int, int]:
    """
    The points of some cards, and how many they are; worse if no meld is needed.
    """
    refused = not melds and terms.without == REFUSED
    return refused, total(terms.worth, left), size(left)


class _Search:
    """
    A search for the lives of a hand that leave the best of it.

    Attributes:
        found: The lives, and what else is made of the hand; None if it lacks them.
        work: What was looked at.
    """

    __slots__ = ("_best", "_cover", "_seen", "_terms", "found", "work")

    def __init__(self, terms: Terms) -> None:
        self._terms, self._cover = plain(terms), cover_of(plain(terms))
        self._seen: set[tuple[int, int, Lives]] = set()
        self._best = NEVER
        self.found: tuple[tuple[Life, ...], Use | Division] | None = None
        self.work = Work(_NODES)

    def look(
        self, bits: int, taken: int, lives: Lives, value: int, chosen: tuple[Life, ...]
    ) -> None:
        """
        Look at all ways to choose the lives that are still needed.

        Pure runs are chosen first, then a long one, then any.

        Args:
            bits: The cards that are left.
            taken: How many wilds among them are in the lives chosen before.
            lives: What is needed.
            value: What the lives chosen before are worth, without those wilds.
            chosen: These.
        """
        if (bits, taken, lives) in self._seen or not self.work.spend():
            return
        self._seen.add((bits, taken, lives))
        needy, pure = any(lives), lives.pure > 0
        least = 0 if pure else lives.longest
        ways = lives_of(self._terms, bits, taken, least, pure) if needy else []
        if needy and not ways:
            return
        # No lives leave less than a hand that needs none.
        worth, rest = self._rest(bits, taken, self._best - value)
        if rest is None:
            return
        if not needy:
            self._best, self.found = value + worth, (chosen, rest)
        for one in ways:
            if self._best >= value + worth:
                return
            left = lives.beside(one.length, pure=pure)
            more = value + total(self._cover.prices.cards, one.used)
            number = taken + one.wilds
            self.look(bits - one.used, number, left, more, (*chosen, one))

    def _rest(
        self, bits: int, taken: int, above: int
    ) -> tuple[int, Use | Division | None]:
        """
        The best of what is left, and what it is worth; None if that is not enough.
        """
        if not self._terms.by_values:
            rest = divided(self._terms, bits)
            self.work.spend(rest.work)
            self.work.exact = self.work.exact and rest.exact
            points = total(self._terms.worth, bits) - rest.points
            value = points * FIRST + size(bits) - rest.cards
            return value, rest if value > above else None
        use = self._cover.best(bits, above=above, work=self.work, taken=taken)
        return (NEVER, None) if use is None else (use.value, use)

    def laid(self) -> tuple[Melds, int]:
        """
        What was found as melds, the lives first, and the cards left over.
        """
        assert self.found is not None  # noqa: S101
        lives, rest = self.found
        if isinstance(rest, Division):
            melds, left = rest.laid()
            return (*[one.cards for one in lives], *melds), left
        own = [one.piece for one in lives if one.piece is not None]
        laid = layout(self._cover, rest._replace(pieces=[*own, *rest.pieces]))
        assert laid is not None  # noqa: S101
        terms = self._cover.terms
        return tuple([one.cards(terms) for one in laid.melds]), laid.left


# ------------------------------------------------------------------------ single runs


def pure_runs(terms: Terms, bits: int) -> Iterator[tuple[tuple[Played, ...], int]]:
    """
    The pure runs that a hand can make, as actions name them and as multisets.
    """
    for one in lives_of(terms, bits, 0, 0, True):
        yield one.cards, one.used


@remembered(REMEMBERED)
def lives_of(
    terms: Terms,
    bits: int,
    taken: int,
    least: int,
    pure: bool,  # noqa: FBT001 -- remembered by what it is given
) -> list[Life]:
    """
    The runs that a hand can make, those of the most points first.

    Three identical cards that count as a run are among them.

    Args:
        terms: The terms of the deal.
        bits: The hand.
        taken: How many of its wilds cannot be used.
        least: The fewest cards of a run.
        pure: Whether only pure runs are sought.
    """
    if not terms.by_values:
        found = [*_allowed(terms, bits, pure=pure)]
    else:
        wilds = size(bits & terms.wild_mask) - taken
        found = [*_alike(terms, bits, wilds)]
        for row in terms.rows if terms.runs else ():
            found += _of_suit(terms, row, bits >> 64 * row & LANE, wilds, pure=pure)
    found = [one for one in found if one.length >= least]
    worth = terms.worth
    return sorted(found, key=lambda one: (-total(worth, one.used), one.wilds, one.used))


def _alike(terms: Terms, bits: int, wilds: int) -> Iterator[Life]:
    for code in faces(terms.alike_in(bits)):
        if not terms.wild[code] or wilds >= IDENTICAL:
            card = HOME[code] if terms.wild[code] else PLAIN[code]
            piece = Piece("alike", IDENTICAL << 64 * (code >> 4))
            used = IDENTICAL * UNIT[code]
            yield Life(
                used, 0, IDENTICAL, (card,) * IDENTICAL, ((code & 15) - 1, piece)
            )


def _of_suit(
    terms: Terms, row: int, lane: int, wilds: int, *, pure: bool
) -> Iterator[Life]:
    """
    The runs of a suit, however many of the wilds they take.

    Where wilds are all alike, one is in its own place only in a run of wilds.
    """
    homes = present(lane) & terms.wild_mask >> 64 * row
    runs = run_pieces(terms, row, 0 if pure else wilds, WIDE, splits=False)
    held = present(lane)
    while held:
        for piece, _ in runs.starts(held):
            own = (piece.used & homes).bit_count()
            alike = terms.unlimited and not pure and piece.used.bit_count() > 1
            if own + piece.wilds <= wilds and not (own and alike):
                laid = laid_piece(terms, {}, row, piece)
                cards = () if piece.wilds else laid.cards(terms)
                used = piece.used << 64 * row
                length = piece.window.length if piece.window else 0
                yield Life(used, piece.wilds, length, cards, (row, piece))
        held -= held & -held


def _allowed(terms: Terms, bits: int, *, pure: bool) -> Iterator[Life]:
    """
    The same where house rules judge or declare melds.
    """
    for cards, used, _ in melds_in(_runs_alone(terms), bits):
        if not (pure and not is_pure(cards)) and is_allowed(terms, cards):
            yield Life(used, 0, len(cards), cards, None)


@remembered(1)
def _runs_alone(terms: Terms) -> Terms:
    """
    The terms of a deal in which nothing but runs is melded.
    """
    return plain(terms).changed(sets=False, wild_melds=False, kinds=())
