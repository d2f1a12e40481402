"""
The best play from a situation: what a search finds, as actions that can be played.
"""

from __future__ import annotations

import functools
import itertools

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

import attrs

from rummyvariants.cards import CARDS, RANKS, UNIT, count, lowest, size
from rummyvariants.game.actions import LayDown, LayOff, PutDown
from rummyvariants.melds._combos import melds_in
from rummyvariants.melds._meld import Played, played
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.dividing._growths import EMPTY, table_of
from rummyvariants.melds.dividing._layouts import Laid, Layout, layout
from rummyvariants.melds.dividing._prices import FIRST, Prices
from rummyvariants.melds.dividing._runs import NEVER
from rummyvariants.melds.dividing._searcher import Searcher
from rummyvariants.melds.dividing._wilds import grown, wild_choices
from rummyvariants.solver._fours import (
    fours_in,
    is_unsure,
    may_count_otherwise,
    more_of,
)
from rummyvariants.solver._goals import low_aces, searcher
from rummyvariants.solver._situations import Action, Situation


BONUS = FIRST << 24
"""The worth of using a card that must be used, beyond everything else."""


@attrs.frozen(eq=False)
class Best:
    """
    The best that was found from a situation.

    Attributes:
        value: Its value for the goal.
        actions: The plays, in an order in which they can be made.
        left: The cards that are left.
        points: The points of what is laid down.
    """

    value: int
    actions: tuple[Action, ...]
    left: int
    points: int


T = TypeVar("T")
_TRIES: Final = 16
"""How many ways to add cards to runs are as much work as one node."""
_START: Final = 10
"""The work of beginning a search, in nodes."""
_ASKED: Final = {
    "meld": frozenset({"refuse_first"}),
    "layoff": frozenset({"refuse", "refuse_single"}),
}
"""The questions to policies that the search itself answers by the values."""
BARE: Final = frozenset({"follows", "may_lay"})
"""The questions to house rules whose answers a search cannot foresee."""
UNSEEN: Final = BARE.union(
    ("may_go_out", "may_lay_off", "most_melds", "must_go_out", "opening")
)
"""All that may change what can be done, for a hand without a turn."""


class Finder:
    """
    The search for the best play for one goal.

    Args:
        goal: The goal.
        limit: How many nodes may be looked at; None for all.
        unseen: The questions to house rules that leave the search unsure.

    Attributes:
        work: How many nodes were looked at, and other work counted as nodes.
        exact: Whether every search came to its end.
    """

    __slots__ = (
        "_goal",
        "_limit",
        "_made",
        "_owed",
        "_searchers",
        "_unseen",
        "exact",
        "work",
    )

    def __init__(
        self, goal: str, limit: int | None, unseen: frozenset[str] = UNSEEN
    ) -> None:
        self._goal = goal
        self._limit = limit
        self._unseen = unseen
        self._owed: tuple[int, ...] = ()
        self._searchers: dict[object, Searcher] = {}
        # For which searchers and numbers of wilds tables of runs were made.
        self._made: set[tuple[Searcher, int]] = set()
        self.work = 0
        self.exact = True

    @property
    def is_over(self) -> bool:
        """
        Whether the limit of nodes is reached, so that nothing is certain.
        """
        if self._limit is None or self.work < self._limit:
            return False
        self.exact = False
        return True

    def spoils(self, here: Situation) -> bool:
        """
        Whether a wild of the hand may cost more on a set than it is worth.
        """
        size, natural, mixed = self._searcher(here).prices.canasta
        return bool(size and natural > mixed and here.hand & here.terms.wild_mask)

    def best(self, here: Situation, above: int = NEVER, owed: int = -1) -> Best | None:
        """
        The best play, with what has to come first put first.

        Args:
            here: The situation, before any play.
            above: Only plays worth more than this are looked for.
            owed: The code of a card whose use comes before everything else; -1 for
                none.
        """
        self._owed = () if owed < 0 else (owed,)
        found = self._best_of(here, above if here.spare is None else NEVER)
        count = any(self._searcher(here).prices.canasta[1:])
        if (here.long or count) and _has_other_canastas(here, count=count):
            self.exact = False
        if self._goal == "most points" and may_count_otherwise(here):
            found = self._with_fours(here, found)
        if here.spare is None or found is None:
            return found
        if size(found.left) > here.spare:
            return None
        cards = size(here.hand) - size(found.left)
        each = self._searcher(here).prices.each
        return attrs.evolve(found, value=found.value - each * cards)

    def _with_fours(self, here: Situation, found: Best | None) -> Best | None:
        """
        The best play where four cards may count for more together.

        Args:
            here: The situation.
            found: The best play if they do not.
        """
        self.exact = self.exact and not is_unsure(here)
        fours = sorted(self.counted(fours_in(here)), key=lambda one: -one.more)
        best: Best | None = None

        def look(there: Situation, plain: Best | None, first: int) -> None:
            nonlocal best
            if plain is None:
                return
            more = more_of(there, plain.actions)
            if best is None or plain.value + more * FIRST > best.value:
                value, points = plain.value + more * FIRST, plain.points + more
                best = attrs.evolve(plain, value=value, points=points)
            before = more_of(there, there.actions)
            for at in self.counted(range(first, len(fours))):
                # No later play brings more, and each takes a card at least.
                most = before + fours[at].more * size(there.hand)
                if plain.value + most * FIRST <= best.value:
                    return
                after = fours[at].played(there)
                if after is not None:
                    look(after, self._best_of(after, NEVER), at)

        look(here, found, 0)
        return best

    def _best_of(self, here: Situation, above: int) -> Best | None:
        """
        The best play, with four cards counted one by one.
        """
        rules = here.rules
        answered = [getattr(rules, one).overridden & _ASKED[one] for one in _ASKED]
        if any(answered) or not self._unseen.isdisjoint(rules.asked):
            self.exact = False
        melds = here.melds_left
        if melds is not None:
            return self._of_a_few(here, melds, above)
        if here.terms.extra is not None:
            return self._meld_by_meld(here)
        free = self._freely(here, above)
        found = free if free is None or may_begin(here, free.actions) else None
        if found is free and not _builds_later(here):
            return free
        for other in self.counted(openings(here)):
            floor = above if found is None else found.value
            one = self._freely(other, floor)
            if one is not None:
                found = one
        return found

    def _of_a_few(self, here: Situation, melds: int, above: int) -> Best | None:
        """
        The best play with at most so many new melds, each tried in turn.
        """
        terms = here.terms
        # Single wilds built on are new melds as well, and other rules may interfere.
        if terms.extra is not None or (
            here.rules.layoff.single_wilds
            and (
                here.hand & terms.wild_mask
                or any(one.kind == "wild" for one in here.melds.values())
            )
        ):
            self.exact = False
        bare = attrs.evolve(here, new_melds=False)
        if not here.has_meld:
            plain = here.rules.with_values({"layoff.single_wilds": False})
            own = here.rules.layoff.needs_own_meld
            bare = attrs.evolve(bare, rules=plain, layoffs=here.layoffs and not own)
        found = self._freely(bare, above)
        if melds < 1:
            return found
        first = here.rules.meld.first_natural and not here.has_meld
        for there in self.counted(_before_melds(here)):
            left = melds - (there.made - here.made)
            hand = there.hand & terms.natural_mask if first else there.hand
            for cards, _ in self.counted(melds_in(terms, hand)) if left > 0 else ():
                if not _is_shortest(terms, cards):
                    continue
                begun = there.begun(cards)
                if begun is not None:
                    floor = above if found is None else found.value
                    one = self._of_a_few(begun, left - 1, floor)
                    found = found if one is None else one
        return found

    def _freely(self, here: Situation, above: int) -> Best | None:
        """
        The best play, whatever is laid down first.
        """
        found: Best | None = None
        for variant in self.counted(here.variants()):
            one = self._search(variant, above)
            if one is not None and not _meets(variant, one):
                one = self._with_gained(variant, above)
            if one is not None:
                found, above = one, one.value
        return found

    def _with_gained(self, here: Situation, above: int) -> Best | None:
        """
        The best play that uses the wilds that were traded for.
        """
        before = self._owed
        self._owed = (*before, *here.owed)
        one = self._search(here, NEVER)
        self._owed = before
        if one is None:
            return None
        used = [count(here.hand, code) - count(one.left, code) for code in here.owed]
        if not _meets(here, one):
            # With wilds of one face, no play uses more of them.
            self.exact = self.exact and len(used) == 1
            return None
        # With fewer wilds of a face than this play uses, others might do better.
        self.exact = self.exact and used == [*here.owed.values()]
        value = one.value - BONUS * sum(used)
        return attrs.evolve(one, value=value) if value > above else None

    def _meld_by_meld(self, here: Situation) -> Best:
        """
        The best new melds where rules of third parties apply to each of them.

        Every meld is tried for every card; nothing is added to melds.
        """
        terms = here.terms
        price = self._searcher(here).prices
        known: dict[int, dict[bool, tuple[int, tuple[tuple[Played, ...], ...]]]] = {}

        def best(bits: int) -> dict[bool, tuple[int, tuple[tuple[Played, ...], ...]]]:
            # By whether one of the melds may come first.
            found = known.get(bits)
            if found is not None:
                return found
            if not bits or self.is_over:
                return {not first: (0, ())}
            code = lowest(bits & terms.natural_mask or bits)
            found = dict(best(bits - UNIT[code]))
            for cards, used in self.counted(melds_in(terms, bits, code)):
                begun = empty.begun(cards)
                if begun is None:
                    continue
                value = begun.value(price, self._goal)
                natural = not used & terms.wild_mask
                for opened, (more, melds) in best(bits - used).items():
                    total = value + more
                    key = opened or natural
                    if key not in found or total > found[key][0]:
                        found[key] = (total, (cards, *melds))
            known[bits] = found
            return found

        first = here.rules.meld.first_natural and not here.has_meld
        empty = attrs.evolve(here, actions=(), down=(), gained=())
        _, chosen = best(here.hand).get(True, (0, ()))
        self.exact = self.exact and not (here.melds and here.layoffs)
        after = here
        for cards in sorted(
            chosen, key=lambda cards: any(terms.wild[one.card.code] for one in cards)
        ):
            after = after.begun(cards) or after
        value = after.value(price, self._goal)
        return _best(after, Layout([], (), after.hand), value, price)

    def counted(self, things: Iterable[T], a_node: int = 1) -> Iterator[T]:
        """
        Things to look at, until the limit of nodes is reached.

        Args:
            things: The things.
            a_node: How many of them are as much work as one node.
        """
        for number, one in enumerate(things):
            if self.is_over:
                return
            self.work += number % a_node == 0
            yield one

    def _searcher(self, here: Situation) -> Searcher:
        whole = here.spare is not None
        key = here.new_melds, here.last, whole, self._owed
        found = self._searchers.get(key)
        if found is None:
            found = searcher(here.terms, here.rules, self._goal)
            ends = here.rules.meld.last_ranks
            terms, prices = here.terms, found.prices
            if ends and not here.last:
                kept = [one for one in terms.set_ranks if one not in ends]
                terms = terms.changed(set_ranks="".join(kept))
            if not here.new_melds:
                terms = without_new_melds(terms)
            if whole:
                prices = _by_cards(prices)
            if terms is not here.terms or whole:
                found = Searcher(terms, prices)
            if self._owed:
                prices = functools.reduce(_with_bonus, self._owed, found.prices)
                found = Searcher(found.terms, prices)
            self._searchers[key] = found
        return found

    @property
    def left(self) -> int | None:
        return None if self._limit is None else max(0, self._limit - self.work)

    def _may_make(self, search: Searcher, own: int, wilds: int) -> bool:
        """
        Whether complete tables of runs are not too much work, which is counted once.
        """
        if (search, wilds) not in self._made:
            effort = search.effort(own, wilds)
            if self._limit is not None and self.work + effort > self._limit:
                return False
            self.work += effort
            self._made.add((search, wilds))
        return True

    def _search(self, here: Situation, above: int) -> Best | None:
        search = self._searcher(here)
        terms = search.terms
        worth = here.value(search.prices, self._goal) if here.actions else 0
        any_number = here.rules.layoff.single_wilds
        found: Best | None = None
        for own, pool in self.counted(wild_choices(terms, here.hand)):
            if above > NEVER and not here.melds and not search.prices.canasta[0]:
                if above - worth >= search.prices.of(here.hand):
                    break  # all is used
            self.work += _START
            wilds = len(pool)
            whole = self._may_make(search, own, wilds)
            table = EMPTY
            if here.layoffs and here.melds:
                left = self.left
                most = None if left is None else left * _TRIES // 2
                seat = here.seat or 0
                table = table_of(
                    terms, search.prices, here.melds, seat, own, wilds, most
                )
                self.work += table.tries // _TRIES
                any_number = any_number or table.takes_wilds
            if here.closed and terms.one_of_a_rank:
                table = attrs.evolve(table, closed=here.closed)
            for long in self.counted(_canastas(here, terms, own, wilds, table.wilds)):
                least = long.pop(_WILDS, 0)
                tails = search.tails(
                    pool, any_number=any_number, lying=table.wilds, least=least
                )
                one = search.search(
                    own,
                    tails,
                    table,
                    above=above - worth,
                    limit=self.left,
                    whole=whole,
                    long=long,
                )
                self.work += one.work
                self.exact = self.exact and one.exact
                if one.value <= max(above - worth, NEVER // 2):
                    continue
                laid = layout(
                    search,
                    one,
                    own,
                    pool,
                    tails,
                    table,
                    any_number=any_number,
                    least=least,
                )
                if laid is None:
                    # The one wild that is left would stand for itself.
                    self.exact = False
                    continue
                above = one.value + worth
                found = _best(here, laid, above, search.prices)
        return found


def all_used(hand: int) -> int:
    """
    What, where cards count, only a play that uses all cards of a hand is worth.
    """
    return size(hand) * FIRST - FIRST // 2


def _meets(here: Situation, found: Best) -> bool:
    """
    Whether a play uses as many of the wilds that were traded for as it must.
    """
    return all(
        count(here.hand, code) - count(found.left, code) >= number
        for code, number in here.owed.items()
    )


_WILDS: Final = -1
"""In place of the number of a rank, melds of wilds alone."""


def _canastas(
    here: Situation, terms: Terms, own: int, wilds: int, wild: int
) -> Iterator[dict[int, int]]:
    """
    The ways to choose the ranks of the canastas that there must be.

    Args:
        here: The situation.
        terms: The terms of the deal.
        own: The cards that stand for themselves.
        wilds: How many other wilds there are.
        wild: How many lie in a meld of wilds alone.

    Yields:
        By rank number, how many cards the set of the rank must have; for wilds alone,
        how many must be laid.
    """
    least = here.rules.out.canasta
    lying = {meld.rank: len(meld) for meld in here.melds.values()}
    able = {}
    if here.long and terms.wild_melds and wild < least <= wild + wilds:
        able[_WILDS] = least - wild
    for rank in terms.set_ranks if here.long else "":
        there = lying.get(rank, 0) if rank in here.closed else 0
        if there < least <= there + size(own & terms.rank_masks[rank]) + wilds:
            able[RANKS.index(rank)] = least
    for chosen in itertools.combinations(able.items(), here.long):
        yield dict(chosen)


def _has_other_canastas(here: Situation, *, count: bool) -> bool:
    """
    Whether there may be canastas that the search does not know of.

    Args:
        here: The situation.
        count: Whether they count for the goal.
    """
    rules, terms = here.rules, here.terms
    if terms.runs or not terms.one_of_a_rank:
        return True
    if rules.opens_all_melds or rules.layoff.single_wilds:
        return True
    return count and (
        terms.own_place_is_natural
        or terms.lies_beside
        or terms.swaps
        or here.melds_left not in {None, 0}
        or rules.meld.first_natural
        or [one.kind for one in here.melds.values()].count("wilds") > 1
    )


def _with_bonus(before: Prices, owed: int) -> Prices:
    cards = list(before.cards)
    cards[owed] += BONUS
    low = list(before.low_aces)
    if CARDS[owed].rank == "A":
        low[owed >> 4] += BONUS
    return attrs.evolve(before, cards=tuple(cards), low_aces=tuple(low))


def _by_cards(before: Prices) -> Prices:
    """
    Prices by which the number of cards comes before everything else.
    """
    return Prices(
        tuple([_EACH + price for price in before.cards]),
        tuple([_EACH + price for price in before.low_aces]),
        before.canasta,
        _EACH,
    )


_EACH: Final = BONUS << 10


def without_new_melds(terms: Terms) -> Terms:
    """
    Terms under which melds on the table may grow, and no new one is made.
    """
    return terms.changed(runs=False, least_set=99, wild_melds=False)


# --------------------------------------------------------------------- what comes first


def may_begin(here: Situation, actions: tuple[Action, ...]) -> bool:
    """
    Whether plays can be made by a player who may have no meld yet.
    """
    has_meld = here.has_meld
    first_natural = here.rules.meld.first_natural
    needs_own = here.rules.layoff.needs_own_meld
    for action in actions:
        if has_meld:
            return True
        if isinstance(action, LayDown):
            wild = any(here.terms.wild[one.card.code] for one in action.cards)
            if first_natural and wild:
                return False
            has_meld = True
        elif needs_own or isinstance(action, PutDown):
            return False
        elif isinstance(action, LayOff):
            # Building on the own wild begins a meld, which is not natural.
            has_meld = here.melds[action.meld].kind == "wild"
            if has_meld and first_natural:
                return False
    return True


def openings(here: Situation) -> Iterator[Situation]:
    """
    What a player without a meld may do at most, and each plain first meld.
    """
    rules, terms = here.rules, here.terms
    first = rules.meld.first_natural
    layoff = rules.layoff
    # Only players with a meld of their own may put single wilds down.
    bare = attrs.evolve(here, new_melds=not first)
    if layoff.single_wilds:
        plain = rules.with_values({"layoff.single_wilds": False})
        bare = attrs.evolve(bare, rules=plain)
    if layoff.needs_own_meld:
        bare = attrs.evolve(bare, layoffs=False)
    yield bare
    if here.layoffs and not layoff.needs_own_meld:
        yield from here.built_on()
    hand = here.hand & terms.natural_mask if first else here.hand
    for cards, _ in melds_in(terms, hand):
        if _is_shortest(terms, cards):
            opened = here.begun(cards)
            if opened is not None:
                yield opened


def _before_melds(here: Situation) -> Iterator[Situation]:
    """
    A situation, and those after trades that may come before a meld.
    """
    if here.has_meld or not here.rules.layoff.needs_own_meld:
        yield from here.variants()
    else:
        yield here


def _builds_later(here: Situation) -> bool:
    """
    Whether a wild may be built on once a natural meld has been laid down.
    """
    if here.has_meld or not here.rules.meld.first_natural or not here.layoffs:
        return False
    melds = here.melds.values()
    return any(one.kind == "wild" and one.maker == here.seat for one in melds)


def _is_shortest(terms: Terms, cards: tuple[Played, ...]) -> bool:
    """
    Whether a new meld is short, or no shorter part of it is certainly enough.

    A shortest part of each meld is enough, since the rest can be added; but where
    naturals allow wilds, a shorter part may hold too few of them.
    """
    shortest = terms.least_set if kind_of(cards) == "set" else terms.least_run
    return len(cards) <= shortest or (
        terms.rising and any(terms.wild[one.card.code] for one in cards)
    )


def kind_of(cards: tuple[Played, ...]) -> str:
    """
    Whether a new meld is a ``run`` or a ``set``, wilds alone among them.
    """
    ranks = {(one.stands_for or one.card).rank for one in cards}
    return "set" if len(ranks) == 1 else "run"


# ------------------------------------------------------------------------------ actions


def _best(here: Situation, laid: Layout, value: int, prices: Prices) -> Best:
    terms, worth = here.terms, here.terms.worth
    low = None
    points = sum([_more(here, one, prices) for one in laid.melds]) // FIRST
    for one in laid.melds:
        for _, code in one.places:
            points += worth[code]
        for code in one.beside:
            points += worth[code]
        if one.low_aces:
            low = low or low_aces(here.rules, terms)
            points += one.low_aces * (low[one.suit] - worth[16 * one.suit + 1])
    onto = here.melds.get(_takes_wilds(here))
    if laid.singles and onto is not None:
        points += grown(prices, len(onto), len(laid.singles)) // FIRST
    for code in laid.singles:
        points += worth[code]
    for code, is_low in here.down:
        low = low or low_aces(here.rules, terms)
        points += low[code >> 4] if is_low else worth[code]
    for code, own in here.gained:
        points -= worth[code] if own else 0
    return Best(value, (*here.actions, *_actions(here, laid)), laid.left, points)


def _more(here: Situation, laid: Laid, prices: Prices) -> int:
    """
    What a meld is worth besides its cards, less what it was worth before.
    """
    if not prices.canasta[0]:
        return 0
    wild = here.terms.wild
    old = here.melds.get(laid.onto)
    before = [wild[one.code] for one in old.cards] if old else []
    after = [*before, *[wild[code] for _, code in laid.places]]
    counts = [(one.count(False), one.count(True)) for one in (after, before)]
    return prices.of_set(*counts[0]) - prices.of_set(*counts[1])


def _actions(here: Situation, laid: Layout) -> list[Action]:
    terms, seat = here.terms, here.seat
    number = here.next_number
    ends = [*here.rules.meld.last_ranks]
    new = [one for one in laid.melds if one.onto < 0]
    last = [one for one in new if _rank(one) in ends]
    new = [one for one in new if one not in last]
    later: list[Action] = []
    actions: list[Action] = []
    if here.rules.meld.first_natural and not here.has_meld:
        new.sort(key=lambda one: -_natural_core(terms, one)[1])
        if new:
            low, length = _natural_core(terms, new[0])
            cards = new[0].cards(terms)
            if 0 < length < len(cards):
                # The natural part goes down first, and wilds are added to it.
                core = cards[low : low + length]
                rest = (*cards[:low], *cards[low + length :])
                actions.append(LayDown(core, seat))
                later.append(LayOff(rest, number, None, seat))
                if new[0].beside:
                    later.append(LayOff(new[0].beside_cards(terms), number, None, seat))
                number += 1
                new = new[1:]
    for one in new:
        actions.append(LayDown(one.cards(terms), seat))
        if one.beside:
            later.append(LayOff(one.beside_cards(terms), number, None, seat))
        number += 1
    actions += later
    for one in laid.melds:
        if one.onto < 0:
            continue
        if one.places:
            end = None
            meld = here.melds[one.onto]
            if meld.kind == "run":
                above = len(one.places) - one.below
                end = terms.runs_along.end_to_say(meld.low, len(meld), one.below, above)
            actions.append(LayOff(one.cards(terms), one.onto, end, seat))  # type: ignore[arg-type]
        if one.beside:
            actions.append(LayOff(one.beside_cards(terms), one.onto, None, seat))
    if laid.singles:
        onto = _takes_wilds(here)
        if onto >= 0:
            cards = tuple(map(played, laid.singles))
            actions.append(LayOff(cards, onto, None, seat))
        else:
            actions += [PutDown(CARDS[code], seat) for code in laid.singles]
    actions += [LayDown(one.cards(terms), seat) for one in last]
    return actions


def _rank(laid: Laid) -> str:
    """
    The rank of a set; empty for other melds.
    """
    at = laid.places[0][0] if laid.kind == "set" else ""
    return at if isinstance(at, str) else CARDS[at].rank


def _takes_wilds(here: Situation) -> int:
    if here.layoffs:
        for number, meld in here.melds.items():
            if meld.kind == "wilds":
                return number
    return -1


def _natural_core(terms: Terms, laid: Laid) -> tuple[int, int]:
    """
    Where the natural cards of a new meld that are a meld lie: their place and number.
    """
    wild = [terms.wild[code] for _, code in laid.places]
    if laid.kind == "wilds":
        return 0, 0
    if laid.kind == "set":
        natural = wild.count(False)
        if natural < terms.least_set:
            return 0, 0
        laid.places.sort(key=lambda one: terms.wild[one[1]])
        return 0, natural
    best = (0, 0)
    low = 0
    for at, is_wild in enumerate([*wild, True]):
        if is_wild:
            if at - low >= terms.least_run and at - low > best[1]:
                best = (low, at - low)
            low = at + 1
    return best
