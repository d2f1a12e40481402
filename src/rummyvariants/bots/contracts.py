"""
How bots play games whose first melds have to be certain groups, such as a contract.

A plan gives each group a rank or a stretch of a suit, and no card to two groups. The
best plan is found by branch and bound over the groups; the bound is what the remaining
groups would lack if each could use all natural cards of the hand.

The greedy bot counts only how many cards are missing. The careful bot weighs a plan by
the chance that unseen cards complete it before the round is over.
"""

from __future__ import annotations

import functools
import itertools
import math

from collections.abc import Callable, Iterator
from typing import Final

import attrs

from rummyvariants.actions import Action, Buy, NewMeld, NewMelds, Take
from rummyvariants.bots.outlook import Outlook, fitting
from rummyvariants.bots.plays import Style, dearest, plays
from rummyvariants.cards import (
    CARDS,
    FIELD,
    UNIT,
    codes,
    count,
    faces,
    holds,
    present,
    size,
    total,
)
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.house.answers import Opening
from rummyvariants.melds import Played, Terms
from rummyvariants.melds._meld import OWN_PLACE, place, played
from rummyvariants.melds.shapes._track import codes_along
from rummyvariants.rules import Ruleset


Lack = Callable[[int, int], float]
"""What it costs to lack so many of the cards of a mask; 0 for none."""
Group = tuple[str, int]
"""The kind of a meld and the least number of its cards."""
_TIE: Final = 1e-4
"""What a point that a plan uses counts, where plans lack the same."""
_NEVER: Final = float("inf")

# Found by trial over some hundreds of deals of the library's presets.
_LOOKS: Final = 2.0
"""About how many cards a seat may choose from in a turn, upcards among them."""
_PLANNED: Final = 100.0
"""What it costs in points to discard a card of the plan, or one that fits the table."""
_GIFT: Final = 12.0
"""The same for a card that the next player is sure to want."""


# -------------------------------------------------------------------------------- plans


@attrs.frozen(eq=False)
class Part:
    """
    A meld that a group may become.

    Attributes:
        places: The codes of a run, low to high, or of all cards of a set's rank.
        length: How many cards it has.
        wilds: How many of them are wilds.
        low: Where a run begins on the track; -1 for a set.
        used: The natural cards of the hand in it.
        cost: What it lacks.
    """

    places: tuple[int, ...]
    length: int
    wilds: int
    low: int
    used: int
    cost: float

    def meets(self, other: Part) -> bool:
        """
        Whether two parts are contiguous runs of one suit.
        """
        if self.low < 0 or other.low < 0 or self.places[0] >> 4 != other.places[0] >> 4:
            return False
        ends = self.low + self.length, other.low + other.length
        return ends[0] == other.low or ends[1] == self.low


@attrs.frozen(eq=False)
class Plan:
    """
    The best assignment of a hand to the groups.

    Attributes:
        missing: How many cards are missing.
        cost: What it costs to lack them.
        used: The cards of the hand in the plan.
        parts: The melds.
    """

    missing: int
    cost: float
    used: int
    parts: tuple[Part, ...]


def plan_of(
    state: AnyState,
    seat: int,
    hand: int,
    *,
    more: int = 0,
    lack: Lack = lambda _, number: number,
) -> Plan | None:
    """
    The best plan for the groups that are asked of a seat.

    Args:
        state: A state after the deal.
        seat: The seat, which has no meld yet.
        hand: Its hand, or what the hand may become.
        more: How many cards are drawn before it can go down.
        lack: What it costs to lack cards; a card more never makes it cheaper.

    Returns:
        None if no groups are asked for, or the deck cannot make them.
    """
    groups, wanted = asking.first_groups(state, seat)
    if not groups:
        return None
    terms = state.dealt.terms
    shortest = {"run": terms.least_run, "set": terms.least_set}
    # Runs come first and take all they can: a card moved to a set changes nothing.
    groups = sorted([(kind, max(least, shortest[kind])) for kind, least in groups])
    rest = size(hand) + more - sum([least for _, least in groups])
    longer = 0 if wanted.leaves is None else max(0, rest)
    shorter = 0 if wanted.leaves is None else min(longer, wanted.leaves)
    search = _Search(state.match.rules, terms, hand, groups, longer, lack, wanted)
    return search.best(shorter)


class _Search:
    """
    The search for a plan whose melds have at most so many cards more than the groups.
    """

    def __init__(
        self,
        rules: Ruleset,
        terms: Terms,
        hand: int,
        groups: list[Group],
        longer: int,
        lack: Lack,
        wanted: Opening,
    ) -> None:
        self._once = rules.meld.one_of_a_rank
        self._between = rules.wild.between
        self._terms = terms
        self._wanted = wanted
        self._wilds = codes(hand & terms.wild_mask)[: wanted.wilds]
        self._naturals = hand & terms.natural_mask
        self._groups = groups
        self._longer = longer
        self._lack = functools.cache(lack)
        self._parts = {
            group: sorted(self._parts_of(*group), key=lambda part: part.cost)
            for group in {*groups}
        }

    def best(self, shorter: int) -> Plan | None:
        """
        The best plan, whose melds may lack so many of the cards more.
        """
        groups, apart = self._groups, self._wanted.apart
        cheapest: dict[Group, dict[tuple[int, int], float]] = {}
        for group, parts in self._parts.items():
            costs = cheapest[group] = {}
            for part in parts:
                costs.setdefault((part.wilds, part.length - group[1]), part.cost)

        @functools.cache
        def bound(at: int, wilds: int, longer: int) -> float:
            if at == len(groups):
                return 0.0 if longer <= shorter else _NEVER
            ways = [
                cost + bound(at + 1, wilds - spent, longer - more)
                for (spent, more), cost in cheapest[groups[at]].items()
                if spent <= wilds and more <= longer
            ]
            return min(ways, default=_NEVER)

        @functools.cache
        def floor(at: int, wilds: int, longer: int) -> float:
            return min([bound(at, wilds, more) for more in range(longer + 1)])

        top = _NEVER
        chosen: tuple[Part, ...] = ()

        def look(
            made: tuple[Part, ...], cost: float, wilds: int, longer: int, first: int
        ) -> None:
            nonlocal top, chosen
            at = len(made)
            if at == len(groups):
                top, chosen = cost, made
                return
            group = groups[at]
            again = groups[at + 1 : at + 2] == [group]
            left = self._naturals - sum([part.used for part in made])
            lowest = cost + floor(at + 1, wilds, longer)
            for number, known in enumerate(self._parts[group][first:], first):
                if lowest + known.cost >= top:
                    break  # the others cost no less
                if known.wilds > wilds or known.length - group[1] > longer:
                    continue
                spare, more = wilds - known.wilds, longer - known.length + group[1]
                before = cost + bound(at + 1, spare, more)
                if before + known.cost >= top:
                    continue
                part = known
                if not holds(left, known.used):
                    part = self._part(
                        known.places, known.length, known.wilds, known.low, left
                    )
                if before + part.cost >= top:
                    continue
                if apart and any(part.meets(other) for other in made):
                    continue
                if (
                    self._once
                    and part.low < 0
                    and part.places in [one.places for one in made]
                ):
                    continue
                look((*made, part), cost + part.cost, spare, more, number * again)

        look((), 0.0, len(self._wilds), self._longer, 0)
        if top == _NEVER:
            return None
        spent = self._wilds[: sum([part.wilds for part in chosen])]
        used = sum([part.used for part in chosen]) + sum([UNIT[code] for code in spent])
        missing = sum([part.length for part in chosen]) - size(used)
        return Plan(missing, top, used, chosen)

    def _parts_of(self, kind: str, least: int) -> Iterator[Part]:
        """
        What a group may become.
        """
        terms, most = self._terms, self._terms.most_wilds(kind)
        each = self._wanted.wilds_each
        spare = len(self._wilds) if each is None else min(each, len(self._wilds))
        for length in range(least, least + self._longer + 1):
            shapes: list[tuple[tuple[int, ...], int]] = []
            if kind == "run":
                windows = terms.runs_along.by_length.get(length, ())
                for row, window in itertools.product(terms.rows, windows):
                    shapes.append((codes_along(row, window), window.low))
            elif not terms.distinct or length <= len(terms.suits):
                for rank in terms.ranks:
                    mask = terms.rank_masks[rank] & terms.natural_mask
                    shapes += [(faces(mask), -1)] if mask else []
            for places, low in shapes:
                for wilds in range(min(spare, length - 1) + 1):
                    part = self._part(places, length, wilds, low, self._naturals)
                    allowed = wilds <= most[length - wilds]
                    if not allowed or size(part.used) + wilds > length:
                        break
                    yield part

    def _part(
        self, places: tuple[int, ...], length: int, wilds: int, low: int, hand: int
    ) -> Part:
        """
        A part with the natural cards that a hand has for it.
        """
        mask = sum([FIELD[code] for code in places])
        if low >= 0:
            used = present(hand & mask)
            lacking = [code for code in places if not used & FIELD[code]]
            costs = sorted([self._lack(FIELD[code], 1) for code in lacking])
            cost = sum(costs[: len(costs) - wilds])
            if len(lacking) == wilds and self._are_close(places, lacking):
                cost = _NEVER
        else:
            held = codes(hand & mask)
            if not self._terms.twins:
                # Of two copies one is left for another set.
                held = tuple(sorted({*held}, key=lambda code: -count(hand, code)))
            used = sum([UNIT[code] for code in held[:length]])
            missing = length - size(used) - wilds
            cost = self._lack(mask & ~used, missing) if missing > 0 else 0.0
        cost -= _TIE * total(self._terms.worth, used)
        return Part(places, length, wilds, low, used, cost)

    def _are_close(self, places: tuple[int, ...], wild: list[int]) -> bool:
        """
        Whether too few cards lie between wilds that stand for some cards of a run.
        """
        at = [places.index(code) for code in wild]
        return any(two - one <= self._between for one, two in itertools.pairwise(at))


def laid(state: AnyState, seat: int, plan: Plan) -> NewMelds | NewMeld:
    """
    The melds of a plan that lacks no card, as an action.
    """
    terms = state.dealt.terms
    wilds = iter(codes(plan.used & terms.wild_mask))
    melds: list[tuple[Played, ...]] = []
    for part in plan.parts:
        held = codes(part.used)
        if part.low >= 0:
            cards = [
                played(code) if code in held else played(next(wilds), OWN_PLACE[code])
                for code in part.places
            ]
        else:
            cards = [played(code) for code in held]
            rank = place(CARDS[part.places[0]].rank)
            free = [code for code in part.places if code not in held]
            for at in range(part.length - len(held)):
                meant = OWN_PLACE[free[at]] if terms.distinct else rank
                cards.append(played(next(wilds), meant))
        melds.append(tuple(cards))
    return NewMeld(melds[0], seat) if len(melds) == 1 else NewMelds(tuple(melds), seat)


# ------------------------------------------------------------------ what all bots share


def _takes(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The upcard if it can be laid off, or brings the first melds nearer; then at a price.
    """
    has_meld = bool(state._has_meld >> seat & 1)
    if state.phase == "buy":
        price = asking.answer_to(state, seat, "buys")
        if price is not None and not has_meld:
            if _brings_nearer(state, seat, price[1].penalty):
                yield Buy(seat)
    elif state._discards and state.phase != "stock":
        useful = fitting(state, seat) | state.dealt.terms.wild_mask
        if (
            useful & FIELD[state._discards[-1]]
            if has_meld
            else _brings_nearer(state, seat, -1)
        ):
            yield Take(1, seat)


def _brings_nearer(state: AnyState, seat: int, price: int) -> bool:
    """
    Whether fewer cards are missing with the upcard, and it costs at most two each.

    Args:
        state: A state with an upcard.
        seat: A seat without a meld.
        price: How many cards from the stock it costs; -1 if it is taken in turn.
    """
    if price > 2:
        return False
    hand = state._hands[seat]
    before = plan_of(state, seat, hand, more=1)
    after = plan_of(state, seat, hand + UNIT[state._discards[-1]], more=price + 1)
    return bool(before and after and after.missing < before.missing)


def _plays(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The first melds, if no card of them is missing; later what else can be played.
    """
    if state._has_meld >> seat & 1:
        yield from plays(state, seat)
    elif state.phase == "play":
        plan = plan_of(state, seat, state._hands[seat])
        if plan is not None and not plan.missing:
            yield laid(state, seat, plan)


def _unplanned(state: AnyState, seat: int) -> list[int]:
    """
    The dearest cards first, those that the plan uses last.
    """
    hand, found = state._hands[seat], dearest(state, state._hands[seat])
    plan = None if state._has_meld >> seat & 1 else plan_of(state, seat, hand)
    free = hand - plan.used if plan is not None else hand
    return sorted(found, key=lambda code: not free & FIELD[code])


# ---------------------------------------------------------------------- the careful bot


def _lack(state: AnyState, outlook: Outlook) -> Lack:
    """
    What it costs to lack cards: the logarithm of the chance that they do not come.
    """
    hidden = outlook.hidden
    wilds = size(hidden & state.dealt.terms.wild_mask) / 4
    coming = _LOOKS * outlook.turns / max(1, size(hidden))

    def lack(mask: int, number: int) -> float:
        expected = coming * (size(hidden & mask) + wilds)
        chance, term = 1.0, math.exp(-expected)
        for fewer in range(number):
            chance -= term
            term *= expected / (fewer + 1)
        return -math.log(max(chance, 1e-4))

    return lack


def _closest(state: AnyState, seat: int) -> int:
    """
    The fewest cards in the hand of another player who has a meld.
    """
    return min(
        [
            size(hand)
            for other, hand in enumerate(state._hands)
            if other != seat and state._has_meld >> other & 1
        ],
        default=99,
    )


def _spare(state: AnyState, seat: int) -> list[int]:
    """
    The cards of the hand, the most expendable first.
    """
    terms, hand = state.dealt.terms, state._hands[seat]
    outlook, closest = Outlook(state, seat), _closest(state, seat)
    keep = dict.fromkeys(faces(hand), 0.0)
    if state._has_meld >> seat & 1:
        for code in faces(hand & (outlook.fitting | terms.wild_mask)):
            keep[code] = _PLANNED
    elif plan := plan_of(state, seat, hand, lack=_lack(state, outlook)):
        free = hand - plan.used
        for code in faces(hand):
            keep[code] = 0.0 if free & FIELD[code] else _PLANNED
    risk = 1 / (1 + min(closest, outlook.turns) / 4)

    def cost(code: int) -> tuple[float, int]:
        gift = _GIFT * outlook.serves_next(code)
        return keep[code] + gift - risk * terms.worth[code], code

    return sorted(keep, key=cost)


GREEDY: Final = Style(_takes, _plays, _unplanned)
CAREFUL: Final = Style(_takes, _plays, _spare)
