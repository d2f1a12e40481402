"""
What a player's first melds must be, and the tree of new melds laid as one action.

Only those melds are looked at that fit a group of the opening, and leave enough cards,
and points enough, for the others.
"""

from __future__ import annotations

import bisect
import functools
import operator

from collections.abc import Callable, Iterable, Sequence
from typing import Final, final

from rummyvariants.cards import LANE, ROW_OF, codes, faces, size, total
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import AnyState, cards_for_set
from rummyvariants.house.answers import Opening
from rummyvariants.house.rules import HouseRule
from rummyvariants.melds._choices import DONE, Choice, for_made, for_shape
from rummyvariants.melds._meld import kind_of
from rummyvariants.melds._tables import Terms
from rummyvariants.melds._tree import Fork, Node
from rummyvariants.melds.cover._divisions import Melds
from rummyvariants.melds.shapes._shapes import Filled, Lot, shapes_of
from rummyvariants.policies._questions import Groups


Sizes = dict[str, tuple[int, int]]
"""By kind of meld, the fewest and the most cards of the next one."""
_KINDS: Final = ("set", "run", "wilds")
"""The kinds of melds, in the order in which they are chosen."""


Openings = list[tuple[str, HouseRule, Opening, Groups]]
"""What first melds must be, as `asked_openings` gives it."""
_LANES: Final = {suit: LANE << 64 * row for suit, row in ROW_OF.items()}


@final
class Bound:
    """
    Whether cards may still be enough for an opening: its groups, its points.

    Made once for a state, asked about many cards. What it refuses is impossible; what
    it allows need not be possible.

    Args:
        state: The state.
        openings: What a player's first melds must be.
    """

    __slots__ = ("_openings", "_points", "_terms", "_waived", "_worth")

    def __init__(self, state: AnyState, openings: Openings) -> None:
        terms = self._terms = state.dealt.terms
        self._openings = openings
        self._points = max([one.points for _, _, one, _ in openings], default=0)
        score, told = state.match.rules.score, state.match.rules.asked.get("worth", ())
        if len(told) > score.counts_as_card:
            self._points = 0  # rules may count a card for more than it is worth alone
        # The most that each card counts on the table, by its code.
        worth = [*terms.worth]
        if score.counts_as_card:
            for code in faces(terms.wild_mask):
                worth[code] = max(terms.worth)
        for code in terms.set_codes["A"] if terms.runs else ():
            worth[code] = max(worth[code], terms.low_ace)
        self._worth = tuple(worth)
        from_stock = state.drawn.source == "stock"
        self._waived = from_stock and any(one.waived_at for _, _, one, _ in openings)

    def allows(
        self, made: Melds, left: int, shapes: Sequence[str], *, once: bool = False
    ) -> bool:
        """
        Whether the points may be reached by melds that are chosen and some more.

        Args:
            made: The melds that are chosen.
            left: The cards that are left.
            shapes: The shapes of which more melds may be made.
            once: Whether only one may be made of each.
        """
        if not self._points:
            return True
        terms, worth = self._terms, self._worth
        wild = left & terms.wild_mask if shapes else 0
        best = sorted([worth[code] for code in codes(wild)], reverse=True)
        used, whole = wild, 0
        short: list[int] = []
        for shape in shapes:
            cards = left & _cards_of(terms, shape)
            used |= cards
            if len(shape) > 1 or shape in ROW_OF or size(cards) >= terms.least_set:
                whole |= cards
            else:
                short.append(total(worth, cards & terms.natural_mask))
        points = sum([worth[one.card.code] for meld in made for one in meld])
        points += total(worth, whole & terms.natural_mask)
        # Each set that lacks cards needs a wild of its own.
        points += sum(sorted(short, reverse=True)[: len(best)])
        if once and "wilds" not in shapes and not terms.own_place_is_natural:
            best = best[: terms.most_in_one() * len(shapes)]
        if points + sum(best) >= self._points:
            return True
        # A hand that goes out may need no points.
        return self._waived and size(left & ~used) < 2

    def has_groups(self, hand: int) -> bool:
        """
        Whether each group may get cards of its own, before any meld is chosen.
        """
        terms = self._terms
        wild = hand & terms.wild_mask
        for *_, groups in self._openings:
            sets = [max(one, terms.least_set) for kind, one in groups if kind == "set"]
            runs = [max(one, terms.least_run) for kind, one in groups if kind == "run"]
            lacking = _fewest_wilds(hand ^ wild, terms.rank_masks.values(), sets)
            if lacking + _fewest_wilds(hand ^ wild, _LANES.values(), runs) > size(wild):
                return False
        return True


def _cards_of(terms: Terms, shape: str) -> int:
    """
    The cards that melds of a shape are made of, wilds aside.
    """
    if shape in ROW_OF:
        return _LANES[shape]
    if shape in {one.name for one in terms.kinds}:
        return terms.natural_mask
    return terms.rank_masks.get(shape, 0)


def _fewest_wilds(natural: int, shapes: Iterable[int], sizes: list[int]) -> int:
    """
    The fewest wilds with which natural cards make so many melds, at least.

    Args:
        natural: The cards.
        shapes: For each shape of such melds, a mask of its cards.
        sizes: The least number of cards of each meld.
    """
    if not sizes:
        return 0
    least, number = min(sizes), len(sizes)
    lacking: list[int] = []
    for mask in shapes:
        held = size(natural & mask)
        # Of a shape, each meld is made of the cards beyond those of the others.
        lacking += [
            min(max(least * one - held, 0), least) for one in range(1, number + 1)
        ]
    return sum(sorted(lacking)[:number])


@final
class Together:
    """
    The new melds that may be laid together, each combination in one order only.

    Args:
        state: The state.
        seat: Who lays them.
        hand: The cards that they are made of.
        least: How many melds there must be.
        end: What makes a leaf of the melds, and of the cards that are left then.
    """

    def __init__(
        self,
        state: AnyState,
        seat: int,
        hand: int,
        least: int,
        end: Callable[[Melds, int], Node],
    ) -> None:
        self.hand = hand
        self._terms = state.dealt.terms
        self._least = least
        self._end = end
        self._openings = asking.asked_openings(state, seat)
        self._bound = Bound(state, self._openings)
        self._few_wilds = [
            answer
            for _, _, answer, _ in self._openings
            if answer.wilds is not None or answer.wilds_each is not None
        ]
        rules = state.match.rules.meld
        self._once = rules.one_of_a_rank
        self._last = frozenset(rules.last_ranks)
        self._leasts = {one.name: one.least for one in self._terms.kinds}
        self._kinds = (*_KINDS, *self._leasts)
        self._shapes: list[str] = []
        self._known: dict[int, list[Lot]] = {}

    def after(self, made: Melds, left: int, shape: int = 0, at: int = 0) -> Node:
        """
        What may be laid beside melds that are chosen.

        Args:
            made: The melds.
            left: The cards of the hand that are left.
            shape: The number of the last one's shape.
            at: The number of the last one as a play.
        """
        if not (made or self._bound.has_groups(left)):
            return None
        if any(asking.wilds_beyond(answer, made) for answer in self._few_wilds):
            return None
        if not self._shapes:
            # Sets that end a hand come last.
            found = self._named(self.hand)
            self._shapes = sorted(found, key=lambda one: one in self._last)
        ahead = self._ahead(made, shape)
        shapes = [self._shapes[number] for number in ahead]
        once = self._once and not self._terms.runs
        if not self._bound.allows(made, left, shapes, once=once):
            return None
        laid = [(kind_of(self._terms, one), len(one)) for one in made]
        sizes, missing = self._wanted(laid, left)
        options = [DONE] if len(made) >= self._least and not missing else []
        if sizes:
            there = self._named(left)
            if not {_kind_of(one) for one in there}.issuperset(missing):
                return None
            # Those that are still missing come first.
            kinds = self._kinds
            last = kinds.index(min(missing, key=kinds.index, default=kinds[-1]))
            ending = [one for one in shapes if one in self._last]
            if ending:
                # They come after all others, and leave no card but the discard.
                last = len(kinds)
                fitting = [cards_for_set(self._terms, one) for one in ending]
                if size(left & ~functools.reduce(operator.or_, fitting)) > 1:
                    ahead = [one for one in ahead if self._shapes[one] not in ending]
            options += [
                number
                for number in ahead
                if (one := self._shapes[number]) in there
                and (kind := _kind_of(one)) in sizes
                and kinds.index(kind) <= last
            ]
        return _Shapes(options, self, made, left, sizes, (shape, at)).node()

    def _ahead(self, made: Melds, shape: int) -> list[int]:
        """
        The shapes of which more melds may be made, by number, from one on.
        """
        numbers = range(shape, len(self._shapes))
        if not self._once:
            return [*numbers]
        laid = {(one[0].stands_for or one[0].card).rank for one in made}
        return [number for number in numbers if self._shapes[number] not in laid]

    def of_shape(
        self, shape: int, made: Melds, left: int, sizes: Sizes, at: int
    ) -> Node:
        """
        The melds of a shape that are made of the cards left, from a number on.
        """
        name, shapes = self._shapes[shape], shapes_of(self._terms)
        lots = shapes.of_names(self._new(left), [name])
        numbers = shapes.numbers(shapes.of_sizes(lots, *sizes[_kind_of(name)]))
        options = numbers[bisect.bisect_left(numbers, at) :]
        return _Melds(options, self, shape, made, left).node()

    def meld(self, number: int) -> Filled:
        """
        The meld of a play.
        """
        return shapes_of(self._terms).play(number)

    def _new(self, bits: int) -> list[Lot]:
        """
        The new melds of some cards.
        """
        if bits not in self._known:
            self._known[bits] = shapes_of(self._terms).new(bits)
        return self._known[bits]

    def _named(self, bits: int) -> list[str]:
        """
        The shapes of the new melds of some cards.
        """
        return shapes_of(self._terms).named(self._new(bits))

    def name(self, number: int) -> Choice:
        """
        The choice of a shape, or of no more melds.
        """
        return for_made(0, ()) if number == DONE else for_shape(self._shapes[number])

    def end(self, made: Melds, left: int) -> Node:
        """
        The leaf of the melds that are chosen.
        """
        return self._end(made, left)

    def _wanted(
        self, laid: Sequence[tuple[str, int]], left: int
    ) -> tuple[Sizes, set[str]]:
        """
        What the next meld may be beside those chosen, and which kinds are missing.
        """
        cards = size(left)
        sizes = dict.fromkeys(self._kinds, (0, cards))
        missing: set[str] = set()
        number = 0
        for _, _, answer, groups in self._openings:
            short, others = asking.lacking(groups, laid, exact=answer.exact)
            missing.update(kind for kind, _ in short)
            if answer.only:
                fitting = (
                    {} if others else self._of_groups(short, cards, exact=answer.exact)
                )
                sizes = {
                    kind: (max(low, fitting[kind][0]), min(high, fitting[kind][1]))
                    for kind, (low, high) in sizes.items()
                    if kind in fitting
                }
                number = len(short)
        left_over = [answer.leaves for _, _, answer, _ in self._openings]
        for most in left_over:
            if most is not None and number == 1:
                # The last meld takes what is left.
                sizes = {k: (max(s[0], cards - most), s[1]) for k, s in sizes.items()}
        return {kind: one for kind, one in sizes.items() if one[0] <= one[1]}, missing

    def _of_groups(self, short: Groups, cards: int, *, exact: bool) -> Sizes:
        """
        What the next meld may be if it and others must be some groups and nothing else.
        """
        terms = self._terms
        least = {"set": terms.least_set, "run": terms.least_run, **self._leasts}
        full = [(kind, max(number, least[kind])) for kind, number in short]
        spare = cards - sum([number for _, number in full])
        sizes = {}
        for kind in least:
            mine = [number for one, number in full if one == kind]
            if mine:
                # It stands for the biggest group that it fits.
                most = max(mine) + spare
                if exact and (kind, 0) not in short:
                    most = min(most, max(mine)) if spare >= 0 else 0
                sizes[kind] = min(mine), most
        return sizes


def _kind_of(shape: str) -> str:
    """
    The kind of the melds of a shape.
    """
    if len(shape) > 1 and shape != "alike":
        return shape
    return "run" if shape in ROW_OF else "set"


@final
class _Shapes(Fork):
    """
    The shape of one more meld to be laid together with others, or no more.
    """

    __slots__ = ("_at", "_left", "_made", "_sizes", "_together")

    _wide = True

    def __init__(
        self,
        options: list[int],
        together: Together,
        made: Melds,
        left: int,
        sizes: Sizes,
        at: tuple[int, int],
    ) -> None:
        self._options = options
        self._together = together
        self._made = made
        self._left = left
        self._sizes = sizes
        self._at = at

    def go(self, shape: int) -> Node:
        together = self._together
        if shape == DONE:
            return together.end(self._made, self._left)
        last, at = self._at
        return together.of_shape(
            shape, self._made, self._left, self._sizes, at if shape == last else 0
        )

    def name(self, shape: int) -> Choice:
        return self._together.name(shape)


@final
class _Melds(Fork):
    """
    One more meld of a shape to be laid together with others.
    """

    __slots__ = ("_left", "_made", "_shape", "_together")

    _wide = True

    def __init__(
        self, options: list[int], together: Together, shape: int, made: Melds, left: int
    ) -> None:
        self._options = options
        self._together = together
        self._shape = shape
        self._made = made
        self._left = left

    def go(self, number: int) -> Node:
        cards, used, _ = self._together.meld(number)
        made, left = (*self._made, cards), self._left - used
        return self._together.after(made, left, self._shape, number)

    def name(self, number: int) -> Choice:
        return for_made(1, self._together.meld(number).cards)
