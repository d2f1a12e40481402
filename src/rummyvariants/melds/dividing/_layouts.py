"""
The melds behind what a search has found: where wilds go, and what they stand for.
"""

from __future__ import annotations

from typing import Final

import attrs

from rummyvariants.cards import (
    CARDS,
    FIELD,
    JOKER,
    LANE,
    RANKS,
    SUITS,
    UNIT,
    codes,
    count,
)
from rummyvariants.melds._meld import OWN_PLACE, Played, place, played
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.dividing._growths import Growth, Growths, Table, growths_of
from rummyvariants.melds.dividing._prices import Prices
from rummyvariants.melds.dividing._runs import NEVER, Stretch
from rummyvariants.melds.dividing._search import Found
from rummyvariants.melds.dividing._searcher import Searcher
from rummyvariants.melds.dividing._sets import NATURAL_JOKERS, Part
from rummyvariants.melds.dividing._wilds import (
    alone,
    alone_lengths,
    among,
    grown,
    longest_set_alone,
)


@attrs.define(eq=False)
class Laid:
    """
    Cards that go to one meld.

    Attributes:
        kind: ``set``, ``run`` or ``wilds``.
        onto: The number of the meld on the table; -1 for a new one.
        places: For each place, what it stands for and the code of the card in it. It
            stands for a card, given by its code, or for a rank where suits do not
            matter. The card is -1 for a wild that is still to be chosen.
        beside: The codes of the cards laid beside its wilds.
        below: How many of the places lie below the run on the table.
        low_aces: By how much the number of low aces grows.
        suit: The suit of a run; -1 for other melds.
    """

    kind: str
    onto: int = -1
    places: list[tuple[int | str, int]] = attrs.field(factory=list)
    beside: list[int] = attrs.field(factory=list)
    below: int = 0
    low_aces: int = 0
    suit: int = -1

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


@attrs.define(eq=False)
class Layout:
    """
    What a search has found, as melds.

    Attributes:
        melds: What goes to each meld, new ones first.
        singles: The codes of further wilds that are laid down, outside these melds.
        left: The cards that are left, as a multiset.
    """

    melds: list[Laid]
    singles: tuple[int, ...]
    left: int


def layout(
    searcher: Searcher,
    found: Found,
    bits: int,
    pool: tuple[int, ...],
    tails: tuple[int, ...],
    table: Table,
    *,
    any_number: bool,
    least: int = 0,
) -> Layout | None:
    """
    What a search has found, as melds.

    Args:
        searcher: The search.
        found: What it has found.
        bits: The cards that stood for themselves in the search.
        pool: The codes of all other wilds.
        tails: By the number of wilds used, their value.
        table: What lies on the table.
        any_number: Whether any number of further wilds can be laid down.
        least: How many wilds at least are in melds of their own.

    Returns:
        The melds; None if no wild at hand fits a place that needs one.
    """
    terms = searcher.terms
    melds, wilds, left = _without_wilds(searcher, found, bits, tails, table)
    if not pool:
        melds.sort(key=_onto)
        return Layout(melds, (), left)
    homes = None if any_number else alone(terms, pool)
    numbers = range(least, len(pool) - wilds + 1)
    chosen, more, need = _chosen(
        searcher.prices, pool, wilds, tails[wilds], homes, table.wilds, numbers
    )
    rest = list(chosen)
    by_themselves: list[int] = []
    if more and not any_number:
        by_themselves = [code for code in rest if code != JOKER][:need]
        for code in by_themselves:
            rest.remove(code)
        while len(by_themselves) < more:
            by_themselves.append(rest.pop())
    if not _fill(melds, rest):
        return None
    if by_themselves:
        melds += _alone(terms, by_themselves, need)
    unused = list(pool)
    for code in chosen:
        unused.remove(code)
    left += sum([UNIT[code] for code in unused])
    melds.sort(key=_onto)
    return Layout(melds, tuple(rest) if any_number else (), left)


def _without_wilds(
    searcher: Searcher, found: Found, bits: int, tails: tuple[int, ...], table: Table
) -> tuple[list[Laid], int, int]:
    """
    The melds without their wilds, the number of those, and the cards left over.
    """
    melds: list[Laid] = []
    left = bits
    for number, parts in found.sets:
        if number == NATURAL_JOKERS:
            jokers = [JOKER] * count(bits, JOKER)
            melds.append(Laid("set", table.joker_set, [("", code) for code in jokers]))
            left &= ~FIELD[JOKER]
            continue
        for part in parts:
            melds.append(_set(searcher.terms, table, number, part))
            left -= part.used << 4 * number + 4
    wilds = found.wilds
    for suit, lane, number in _shares(found, tails, table):
        wilds += number
        new, used = _suit(searcher, found, table, (suit, lane, number))
        melds += new
        left -= used << 64 * suit
    return melds, wilds, left


def _chosen(
    prices: Prices,
    pool: tuple[int, ...],
    wilds: int,
    target: int,
    homes: dict[int, int] | None,
    lying: int,
    numbers: range,
) -> tuple[tuple[int, ...], int, int]:
    """
    Choose the wilds that are used.

    Args:
        prices: What cards are worth.
        pool: The codes of all wilds.
        wilds: How many are in melds with other cards.
        target: The value of all wilds that are used.
        homes: How many wilds can make melds of their own, see `alone`; None where any
            number of further wilds can be laid down.
        lying: How many lie in a meld of wilds alone.
        numbers: How many may be in no meld with other cards.

    Returns:
        Their codes, how many of them are in no meld with other cards, and how many of
        those have to stand for themselves.
    """
    for more in numbers:
        if more and homes is not None and more not in homes:
            continue
        need = 0 if homes is None else homes.get(more, 0)
        chosen = among(prices, pool, wilds + more, need)
        value = sum([prices.cards[code] for code in chosen])
        if more and not need:
            value += grown(prices, lying, more)
        if value == target:
            return chosen, more, need
    msg = "no choice of wilds has the value that was found"
    raise AssertionError(msg)


def _onto(laid: Laid) -> int:
    return laid.onto


def _suit(
    searcher: Searcher,
    found: Found,
    table: Table,
    share: tuple[int, int, int],
) -> tuple[list[Laid], int]:
    """
    What goes into the runs of a suit, and its cards that are used, as a lane.

    Args:
        searcher: The search.
        found: What it has found.
        table: What lies on the table.
        share: The suit, its cards, and how many wilds its runs hold.
    """
    terms = searcher.terms
    suit, lane, number = share
    melds: list[Laid] = []
    used = 0
    growths: Growths = ()
    tables = found.tables
    if suit in table.runs:
        growths = growths_of(table.runs[suit], tables[suit], lane)[1][number]
    for growth in growths:
        melds.append(_growth(suit, growth))
        used += growth.used
        number -= growth.wilds
    stretches = tables[suit].runs(lane - used, number)
    new = []
    for stretch in stretches:
        number -= stretch.wilds
        used += stretch.used
        new.append(_run(terms, suit, stretch))
    _append(terms, suit, new, stretches, number)
    return [*melds, *new], used


def _fill(melds: list[Laid], wilds: list[int]) -> bool:
    """
    Choose the wilds of melds, and remove them from the list.

    Returns:
        Whether there was one for each place.
    """
    # A card can lie only beside a wild that does not stand for itself.
    holes = sorted(
        [
            (0 if at in laid.beside else 1, number, index)
            for number, laid in enumerate(melds)
            for index, (at, code) in enumerate(laid.places)
            if code < 0
        ]
    )
    for first, number, index in holes:
        at = melds[number].places[index][0]
        fits = [code for code in wilds if first or code != at]
        if not fits:
            return False
        wilds.remove(fits[0])
        melds[number].places[index] = (at, fits[0])
    return True


def _shares(
    found: Found,
    tails: tuple[int, ...],
    table: Table,
) -> list[tuple[int, int, int]]:
    """
    Each suit with its cards and the number of wilds that its runs hold.
    """
    tables = found.tables
    lanes = []
    for suit in range(4):
        lane = found.bits >> 64 * suit & LANE
        if lane or suit in table.runs:
            vector = tables[suit].of(lane)
            if suit in table.runs:
                vector = growths_of(table.runs[suit], tables[suit], lane)[0]
            lanes.append((suit, lane, vector))
    if len(tails) == 1:
        return [(suit, lane, 0) for suit, lane, _ in lanes]
    value = found.value - found.sets_value
    shares: list[tuple[int, int, int]] = []
    shared = _share(lanes, found.wilds, value, tails, shares)
    assert shared  # noqa: S101 -- the search found this value
    return shares


def _share(
    lanes: list[tuple[int, int, tuple[int, ...]]],
    wilds: int,
    value: int,
    tails: tuple[int, ...],
    shares: list[tuple[int, int, int]],
) -> bool:
    """
    Share wilds among the suits so as to reach a value.

    Args:
        lanes: The suits, their cards, and what these are worth by the number of wilds.
        wilds: How many wilds are used already.
        value: The value of the suits without a share yet and of all wilds.
        tails: By the number of wilds used, their value.
        shares: The shares found so far; those of the other suits are added.

    Returns:
        Whether the value can be reached.
    """
    at = len(shares)
    if at == len(lanes):
        return tails[wilds] == value
    suit, lane, vector = lanes[at]
    for number in range(len(tails) - wilds):
        worth = vector[number]
        if worth > _HARDLY:
            shares.append((suit, lane, number))
            if _share(lanes, wilds + number, value - worth, tails, shares):
                return True
            shares.pop()
    return False


_HARDLY: Final = NEVER // 2
"""Anything worth less is impossible."""


def _set(terms: Terms, table: Table, number: int, part: Part) -> Laid:
    rank = RANKS[number]
    laid = Laid("set", part.onto)
    if not terms.distinct:
        taken = part.used << 4 * number + 4
        laid.places = [(rank, code) for code in codes(taken)]
        laid.places += [(rank, -1)] * part.wilds
        return laid
    free = sum([1 << suit for suit in terms.rows])
    if part.onto >= 0:
        (standing,) = [one for one in table.sets[number] if one.number == part.onto]
        free = standing.free
    holes: list[int] = []
    for suit in range(4):
        code = 16 * suit + number + 1
        if part.beside >> suit & 1:
            laid.beside.append(code)
            if free >> suit & 1:
                holes.insert(0, code)
        elif part.used >> 64 * suit & 1:
            laid.places.append((code, code))
        elif free >> suit & 1:
            holes.append(code)
    if part.wilds:
        if laid.beside:
            holes.sort(key=lambda code: code not in laid.beside)
        laid.places += [(code, -1) for code in holes[: part.wilds]]
        laid.places.sort()
    return laid


def _run(terms: Terms, suit: int, stretch: Stretch) -> Laid:
    laid = Laid("run", low_aces=int(stretch.low_ace), suit=suit)
    along = terms.run_codes[SUITS[suit]]
    for at in range(stretch.low, stretch.low + stretch.length):
        code = along[at]
        rank = (code & 15) - 1
        if stretch.beside >> rank & 1:
            laid.beside.append(code)
            laid.places.append((code, -1))
        else:
            there = stretch.used >> 4 * (rank + 1) & 7
            laid.places.append((code, code if there else -1))
    return laid


def _append(
    terms: Terms, suit: int, new: list[Laid], stretches: list[Stretch], number: int
) -> None:
    """
    Add the remaining wilds to the ends of runs.
    """
    along = terms.run_codes[SUITS[suit]]
    for laid, stretch in zip(new, stretches, strict=True):
        low, length = stretch.low, stretch.length
        while number and terms.fits_track(low, length + 1):
            laid.places.append((along[low + length], -1))
            length += 1
            number -= 1
        while number and terms.fits_track(low - 1, length + 1):
            low -= 1
            length += 1
            laid.places.insert(0, (along[low], -1))
            number -= 1


def _growth(suit: int, growth: Growth) -> Laid:
    laid = Laid("run", growth.number, below=growth.below)
    laid.low_aces, laid.suit = growth.low_aces, suit
    for code in growth.places:
        rank = (code & 15) - 1
        laid.places.append((code, code if growth.given >> rank & 1 else -1))
    laid.beside = [
        16 * suit + rank + 1 for rank in range(13) if growth.beside >> rank & 1
    ]
    return laid


def _alone(terms: Terms, wilds: list[int], homes: int) -> list[Laid]:
    """
    Melds of wilds alone; in a set or run, the first stands for itself.
    """
    if not homes:
        return [Laid("wilds", -1, [("", code) for code in wilds])]
    lengths = _lengths(alone_lengths(terms, wilds), len(wilds), homes)
    found = []
    own, others = wilds[:homes], wilds[homes:]
    for home, length in zip(own, lengths, strict=True):
        rest, others = others[: length - 1], others[length - 1 :]
        rank = CARDS[home].rank
        if terms.least_set <= length <= longest_set_alone(terms, length):
            laid = Laid("set")
            if terms.distinct:
                free = [code for code in terms.set_codes[rank] if code != home]
                laid.places = [
                    (home, home),
                    *zip(free, rest, strict=False),
                ]
            else:
                laid.places = [(rank, code) for code in (home, *rest)]
        else:
            laid = Laid("run")
            bit = 1 << RANKS.index(rank)
            low = next(
                low for low, held in terms.runs_along.by_length[length] if held & bit
            )
            along = terms.run_codes[CARDS[home].suit]
            for code in along[low : low + length]:
                card = home if code == home else rest.pop()
                laid.places.append((code, card))
        found.append(laid)
    return found


def _lengths(lengths: list[int], total: int, number: int) -> tuple[int, ...]:
    if number == 0:
        return () if total == 0 else (-1,)
    for length in lengths:
        if length <= total:
            rest = _lengths(lengths, total - length, number - 1)
            if -1 not in rest:
                return (length, *rest)
    return (-1,)
