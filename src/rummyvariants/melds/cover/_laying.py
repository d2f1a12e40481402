"""
The melds behind what a search has found: where wilds go, and what they stand for.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rummyvariants.cards import CARDS, JOKER, RANKS, codes, pack
from rummyvariants.melds._meld import OWN_PLACE, Meld, Played, place, played
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.cover._runs import Piece
from rummyvariants.melds.cover._search import NATURAL_JOKERS, Cover, Use
from rummyvariants.melds.cover._table import EMPTY, Table
from rummyvariants.melds.cover._wilds import dearest, longest_set_alone
from rummyvariants.melds.shapes._track import Window, codes_along


@attrs.define(eq=False)
class LaidMeld:
    """
    Cards that go to one meld.

    Attributes:
        kind: ``set``, ``run``, ``alike`` or ``wilds``.
        onto: The number of the meld on the table; -1 for a new one.
        places: For each place, what it stands for and the code of the card in it. It
            stands for a card, given by its code, or for a rank where suits do not
            matter. The card is -1 for a wild that is still to be chosen.
        beside: The codes of the cards laid beside its wilds.
        window: Where a run lies; None for other melds.
        row: The number of the suit of a run; -1 for other melds.
        piece: What the search has found; None for wilds alone.
    """

    kind: str
    onto: int = -1
    places: list[tuple[int | str, int]] = attrs.field(factory=list)
    beside: list[int] = attrs.field(factory=list)
    window: Window | None = None
    row: int = -1
    piece: Piece | None = None

    def cards(self, terms: Terms) -> tuple[Played, ...]:
        """
        The cards in the places, as an action names them.
        """
        return tuple([_named(terms, code, at) for at, code in self.places])

    def beside_cards(self, terms: Terms) -> tuple[Played, ...]:
        """
        The cards laid beside wilds, as an action names them.
        """
        return tuple([_named(terms, code, code) for code in self.beside])


def _named(terms: Terms, code: int, at: int | str) -> Played:
    if not terms.wild[code] or at == "":
        return played(code)
    if isinstance(at, int):
        return played(code, OWN_PLACE[at])
    return played(code, OWN_PLACE[code] if CARDS[code].rank == at else place(at))


@attrs.frozen(eq=False)
class Layout:
    """
    What a search has found, as melds.

    Attributes:
        melds: What goes to each meld, new ones first.
        singles: The codes of further wilds that are laid down, outside these melds.
        left: The cards that are left, as a multiset.
    """

    melds: list[LaidMeld]
    singles: tuple[int, ...]
    left: int


def layout(cover: Cover, use: Use, table: Table = EMPTY) -> Layout | None:
    """
    What a search has found, as melds.

    Returns:
        The melds; None if no wild at hand fits a place that needs one, which can be
        only where a card lies beside it.
    """
    terms, tail = cover.terms, use.tail
    melds = [laid_piece(terms, table.melds, at, piece) for at, piece in use.pieces]
    if not use.pool:
        melds.sort(key=_onto)
        return Layout(melds, (), use.left)
    for row in terms.every_row:
        runs = [one for one in melds if one.row == row and one.onto < 0]
        _extend(terms, runs, use.spare[row])
    number = use.inside + tail.more
    chosen = dearest(cover.prices, use.pool, number, tail.seeds)
    rest = list(chosen)
    seeds = [code for code in rest if code != JOKER][: tail.seeds]
    for code in seeds:
        rest.remove(code)
    others = [rest.pop() for _ in range(tail.more - len(seeds) if tail.melds else 0)]
    if not _fill(melds, rest):
        return None
    for length, seeded in tail.melds:
        own = [seeds.pop(0)] if seeded else []
        wilds = own + [others.pop(0) for _ in range(length - len(own))]
        melds.append(_alone(terms, wilds, seeded=seeded))
    melds.sort(key=_onto)
    left = use.left + pack(use.pool) - pack(chosen)
    return Layout(melds, tuple(rest), left)


def _onto(laid: LaidMeld) -> int:
    return laid.onto


def laid_piece(
    terms: Terms, melds: Mapping[int, Meld], at: int, piece: Piece
) -> LaidMeld:
    """
    A piece as cards in places, -1 for its wilds.

    Args:
        terms: The terms of the deal.
        melds: The melds on the table.
        at: The number of its suit, or of its rank.
        piece: The piece.
    """
    laid = LaidMeld(piece.kind, piece.onto, piece=piece)
    if at == NATURAL_JOKERS:
        laid.places = [("", JOKER)] * piece.used
    elif piece.kind == "run":
        assert piece.window is not None  # noqa: S101
        laid.row, laid.window = at, piece.window
        slots = melds[piece.onto].slots if piece.onto >= 0 else ()
        lying = {slot.code for slot in slots}
        along = [one for one in codes_along(at, piece.window) if one not in lying]
        own = {16 * at + one for one in codes(piece.used - piece.beside)}
        laid.places = [(one, one if one in own else -1) for one in along]
        laid.beside = [16 * at + one for one in codes(piece.beside)]
    else:
        _place_set(terms, melds, at, piece, laid)
    return laid


def _place_set(
    terms: Terms, melds: Mapping[int, Meld], rank: int, piece: Piece, laid: LaidMeld
) -> None:
    used = codes(piece.used << 4 * rank + 4)
    if piece.kind == "alike":
        laid.places = [(one, one) for one in used]
    elif not terms.distinct:
        laid.places = [(RANKS[rank], one) for one in used]
        laid.places += [(RANKS[rank], -1)] * piece.wilds
    else:
        laid.beside = [*codes(piece.beside << 4 * rank + 4)]
        own = [one for one in used if one not in laid.beside]
        slots = melds[piece.onto].slots if piece.onto >= 0 else ()
        taken = {*own, *[slot.code for slot in slots]}
        free = [one for one in terms.set_codes[RANKS[rank]] if one not in taken]
        free.sort(key=lambda one: one not in laid.beside)
        holes = [(one, -1) for one in free[: piece.wilds]]
        laid.places = sorted([*[(one, one) for one in own], *holes])


def _extend(terms: Terms, runs: list[LaidMeld], spare: int) -> None:
    """
    Add wilds that are to spare to the ends of runs.
    """
    for laid in runs:
        while spare and laid.window is not None:
            longer = terms.runs_along.longer(laid.window)
            if not longer:
                break
            # The least that can be added, if possible above.
            laid.window = min(longer, key=lambda one: one.window.length).window
            there = dict(laid.places)
            along = codes_along(laid.row, laid.window)
            spare -= len(along) - len(there)
            laid.places = [(code, there.get(code, -1)) for code in along]


def _fill(melds: list[LaidMeld], wilds: list[int]) -> bool:
    """
    Choose the wilds of melds, and remove them from the list.

    Returns:
        Whether there was one for each place.
    """
    # A card can lie only beside a wild that does not stand for itself.
    holes = sorted(
        [
            (at not in laid.beside, number, index)
            for number, laid in enumerate(melds)
            for index, (at, code) in enumerate(laid.places)
            if code < 0
        ]
    )
    for free, number, index in holes:
        at = melds[number].places[index][0]
        fits = [code for code in wilds if free or code != at]
        if not fits:
            return False
        wilds.remove(fits[0])
        melds[number].places[index] = (at, fits[0])
    return True


def _alone(terms: Terms, wilds: list[int], *, seeded: bool) -> LaidMeld:
    """
    A meld of wilds alone; in a set or run, the first stands for itself.
    """
    if not seeded:
        return LaidMeld("wilds", -1, [("", code) for code in wilds])
    home, rest, length = wilds[0], wilds[1:], len(wilds)
    rank = CARDS[home].rank
    if terms.least_set <= length <= longest_set_alone(terms, wilds):
        laid = LaidMeld("set")
        if terms.distinct:
            free = [code for code in terms.set_codes[rank] if code != home]
            laid.places = [(home, home), *zip(free, rest, strict=False)]
        else:
            laid.places = [(rank, code) for code in wilds]
        return laid
    bit, row = 1 << RANKS.index(rank), home >> 4
    those = terms.runs_along.by_length[length]
    window = next(one for one in those if one.ranks & bit)
    along = codes_along(row, window)
    places = [(code, home if code == home else rest.pop()) for code in along]
    return LaidMeld("run", -1, [*places], window=window, row=row)
