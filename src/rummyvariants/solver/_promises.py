"""
What a position promises: the best use of a hand, as plays.

The cover finds the best use of the cards as if nothing had to come first and any turn
could be finished. So no turn is worth more than what a position promises, and a turn
that is worth as much is the best.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterator, Mapping
from typing import Final

import attrs

from rummyvariants.actions import LayOff, NewMeld, NewMelds, PutWild
from rummyvariants.cards import CARDS, RANKS, UNIT, count, holds, size
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.candidates import plans, to_lay, to_swap
from rummyvariants.game._engine.plays import (
    melds_by_number,
    perform,
    sets_of,
)
from rummyvariants.game._state import Draft, fits_of, thaw
from rummyvariants.house.answers import Move
from rummyvariants.melds._meld import Meld, played, window_of
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.cover._laying import LaidMeld, Layout, layout
from rummyvariants.melds.cover._prices import FIRST
from rummyvariants.melds.cover._runs import NEVER
from rummyvariants.melds.cover._search import ALONE, Work
from rummyvariants.melds.cover._table import Table
from rummyvariants.solver._fours import most_more
from rummyvariants.solver._goals import ANY, EACH, OWED, WHOLE, cover, prices
from rummyvariants.solver._playing import Playing, TurnPlay


A_SEARCH: Final = 10
"""The work of beginning a search, in nodes."""
NO_BOUND: Final = 1 << 80
"""More than any turn is worth."""


@attrs.frozen
class Aim:
    """
    What turns are looked for.

    Attributes:
        turn: `ANY`, `STAYS` or `WHOLE`.
        kept: The cards that stay in the hand.
        melds: Whether new melds may be made.
    """

    turn: str = ANY
    kept: int = 0
    melds: bool = True


@attrs.frozen(eq=False)
class Promise:
    """
    The best that may be hoped for.

    Attributes:
        value: No turn is worth more.
        actions: Plays that would be worth it, if they can be made; None if it is not
            known which.
        left: The cards that they leave.
        together: Whether cards may count more together than one by one.
    """

    value: int
    actions: tuple[TurnPlay, ...] | None
    left: int
    together: bool = False


class Promises:
    """
    What the positions of a turn promise.

    Args:
        playing: The turn.
        work: How much may be looked at.
    """

    __slots__ = ("_bounded", "_playing", "_work")

    def __init__(self, playing: Playing, work: Work) -> None:
        self._playing = playing
        self._work = work
        self._bounded = not _is_unforeseen(playing)

    def of(self, draft: Draft, aim: Aim, above: int) -> Promise | None:
        """
        What a position promises.

        Args:
            draft: The position.
            aim: What turns are looked for.
            above: What a turn must be worth more than.

        Returns:
            None if no turn is worth so much.
        """
        best: Promise | None = None
        above = above if self._bounded else NEVER
        opens = aim.melds and not draft._has_meld >> self._playing.seat & 1
        start = self._playing.as_if_melded(draft) if opens else draft
        for there, before in self._traded(start):
            one = self._of(there, aim, above, draft if opens else None)
            if one is not None:
                above = one.value
                actions = one.actions
                if before and actions is not None:
                    actions = (*before, *actions)
                best = attrs.evolve(one, actions=actions)
        if best is not None and not self._bounded:
            return attrs.evolve(best, value=best.value + NO_BOUND)
        return best

    def has_openings(self, draft: Draft) -> bool:
        """
        Whether rules say what the first melds must be, and they are still to come.
        """
        return bool(asking.asked_openings(draft, self._playing.seat))

    # ------------------------------------------------------------------------ trades

    def _traded(self, start: Draft) -> Iterator[tuple[Draft, tuple[TurnPlay, ...]]]:
        """
        A position, and those that trades and single wilds built on lead to.

        These change what may follow, so that the rest is looked for behind each.
        """
        yield start, ()
        seat = self._playing.seat
        swaps = start.dealt.terms.swaps
        builds = fits_of(start).single
        if not (swaps or builds):
            return
        branches = (*[to_swap] * swaps, *[to_lay] * builds)
        waiting: list[tuple[Draft, tuple[TurnPlay, ...]]] = [(start, ())]
        seen = {_table_key(start, seat)}
        while waiting:
            draft, actions = waiting.pop()
            melds = self._playing.open_to(draft)
            # What has to be laid at once comes before, whatever it is.
            free = thaw(draft)
            free.drawn = attrs.evolve(draft.drawn, duties=())
            for action, play in plans(free, seat, -1, branches=branches):
                if play.number not in melds:
                    continue
                if play.how != "swap" and melds[play.number].kind != "wild":
                    continue
                after = thaw(draft)
                perform(after, seat, play)
                key = _table_key(after, seat)
                if key in seen:
                    continue
                if not self._work.spend(A_SEARCH):
                    return
                seen.add(key)
                found = after, (*actions, action)
                waiting.append(found)  # type: ignore[arg-type]
                yield found  # type: ignore[misc]

    # ---------------------------------------------------------------------- searches

    def _of(
        self, draft: Draft, aim: Aim, above: int, closed: Draft | None
    ) -> Promise | None:
        """
        What a position promises without trades.

        Args:
            draft: The position.
            aim: What turns are looked for.
            above: What a turn must be worth more than.
            closed: If the position is looked at as if first melds lay there, the one
                without them.
        """
        hand = draft._hands[self._playing.seat]
        owed = self._playing.owed(draft)
        if owed is None or not holds(hand, aim.kept):
            return None
        melds = aim.melds and (closed is not None or self._playing.makes_melds(draft))
        free = hand - aim.kept
        best = self._best(draft, aim, free, above, (), closed, melds=melds)
        if best is None or all(
            count(hand, code) - count(best.left, code) >= number
            for code, number in owed.items()
        ):
            return best
        # The best of those that play what must be played. More copies of a card may be
        # better in the hand.
        best = None
        codes = tuple(owed)
        spare = [(code, count(free, code) - owed[code]) for code in codes]
        for some in itertools.product(*[range(most + 1) for _, most in spare]):
            rest = sum([UNIT[code] * n for code, n in zip(codes, some, strict=True)])
            one = self._best(draft, aim, free - rest, above, codes, closed, melds=melds)
            if one is None:
                continue
            left = one.left + rest
            if all(count(hand, at) - count(left, at) >= n for at, n in owed.items()):
                above = one.value
                best = attrs.evolve(one, left=left)
        return best

    def _best(
        self,
        draft: Draft,
        aim: Aim,
        free: int,
        above: int,
        owed: tuple[int, ...],
        closed: Draft | None,
        *,
        melds: bool,
    ) -> Promise | None:
        """
        The best use of some cards of the hand.

        Args:
            draft: The position.
            aim: What turns are looked for.
            free: The cards that may be used.
            above: What a turn must be worth more than.
            owed: The codes of cards whose use comes before everything else.
            closed: The position without first melds, as for `_of`.
            melds: Whether new melds may be made.
        """
        playing = self._playing
        rules, seat = draft.match.rules, playing.seat
        goal = playing.goal
        search = cover(draft.dealt.terms, rules, goal, aim.turn, owed, melds)
        terms = search.terms
        has_meld = bool(draft._has_meld >> seat & 1)
        open_to = playing.open_to(draft)
        if closed is not None:
            # Before the first melds, others may be open.
            before_them = playing.open_to(closed)
            open_to = {
                number: meld
                for number, meld in melds_by_number(draft)
                if number in open_to or number in before_them
            }
        table = Table(
            open_to,
            seat,
            "".join(sets_of(draft, seat)) if terms.one_of_a_rank else "",
            rules.layoff.single_wilds and has_meld,
        )
        before, more = playing.value(draft), 0
        if playing.goal == "most points":
            more = most_more(rules, terms, free, table.melds, seat)
            before += more * FIRST
        # With cards that must be played, only some of the bonus may be reached.
        least = max(above - before, NEVER // 2) if not owed else NEVER // 2
        spare = 1 - size(aim.kept)
        if aim.turn == WHOLE:
            least = max(least, 0) + (size(free) - spare) * EACH - (EACH >> 1)
        found: Promise | None = None
        for long in self._canastas(draft, aim, terms, table):
            if not self._work.spend(A_SEARCH):
                break
            use = search.best(free, table, above=least, work=self._work, long=long)
            if use is None:
                continue
            least = use.value
            laid = layout(search, use, table)
            if laid is None:
                # The one wild that is left would stand for itself.
                most = prices(draft.dealt.terms, rules, goal).of(free)
                found = Promise(before + most, None, -1, together=more > 0)
                continue
            value = use.value
            if aim.turn == WHOLE:
                if size(laid.left) > spare:
                    continue
                value -= EACH * (size(free) - size(laid.left))
            value -= sum([OWED * (count(free, c) - count(laid.left, c)) for c in owed])
            joins = closed is not None and self.has_openings(closed)
            actions = _actions(draft, seat, laid, table.melds, joins=joins)
            left = laid.left + aim.kept
            found = Promise(before + value, actions, left, together=more > 0)
        return found

    def _canastas(
        self, draft: Draft, aim: Aim, terms: Terms, table: Table
    ) -> Iterator[dict[int, int]]:
        """
        The ways to choose the ranks of the canastas that there must be to go out.

        Yields:
            By rank number, how many cards the set of the rank must have; for wilds
            alone, how many must be laid.
        """
        needed = aim.turn == WHOLE and self._playing.canastas_needed(draft)
        if not needed:
            yield {}
            return
        hand = draft._hands[self._playing.seat]
        least = draft.match.rules.out.canasta
        wilds = size(hand & terms.wild_mask)
        # By rank, the longest meld that is no canasta yet.
        lying: dict[str, int] = {}
        for meld in table.melds.values():
            if len(meld) < least:
                lying[meld.rank] = max(lying.get(meld.rank, 0), len(meld))
        wild = len(table.melds[table.wilds]) if table.wilds >= 0 else 0
        able = {}
        if terms.wild_melds and wild < least <= wild + wilds:
            able[ALONE] = least - wild
        for rank in terms.set_ranks:
            natural = size(hand & terms.rank_masks[rank] & terms.natural_mask)
            if lying.get(rank, 0) + natural + wilds >= least:
                able[RANKS.index(rank)] = least
        for chosen in itertools.combinations(able.items(), needed):
            yield dict(chosen)


def _is_unforeseen(playing: Playing) -> bool:
    """
    Whether rules may allow what no search foresees, so that every play is tried.
    """
    rules = playing.start.match.rules
    if Move in rules.effects or rules.kinds or rules.wild.moves:
        return True
    if rules.layoff.single_wilds and rules.out.canasta:
        return True  # a wild that is put down may become another canasta
    goal, canastas = playing.goal, any(rules.score.canastas)
    if goal != "most points" or not canastas or not rules.out.canasta:
        return False
    # The search counts the canastas of one set of each rank, made of wilds and others.
    return (
        playing.start.dealt.terms.runs
        or not rules.meld.one_of_a_rank
        or rules.opens_all_melds
        or playing.start.dealt.terms.own_place_is_natural
        or playing.start.dealt.terms.lies_beside
    )


def _table_key(draft: Draft, seat: int) -> object:
    melds = [(meld.kind, meld.slots) for meld in draft._table]
    return draft._hands[seat], tuple(melds), draft.dealer_wild


# ----------------------------------------------------------------------------- actions


def _actions(
    draft: Draft, seat: int, laid: Layout, melds: Mapping[int, Meld], *, joins: bool
) -> tuple[TurnPlay, ...]:
    """
    The plays behind what a search has found, in an order in which they can be made.

    Args:
        draft: The position.
        seat: Who plays.
        laid: What was found.
        melds: The melds to which cards may be added, by number.
        joins: Whether all new melds are laid as one action.
    """
    terms, last = draft.dealt.terms, draft.match.rules.meld.last_ranks
    new = [one for one in laid.melds if one.onto < 0]
    # Natural melds come first, and those that end a hand come last.
    new.sort(key=lambda one: (_rank(one) in {*last}, _has_wilds(terms, one)))
    before: list[TurnPlay] = [NewMeld(one.cards(terms), seat) for one in new]
    after: list[TurnPlay] = []
    if joins and len(new) > 1:
        before = [NewMelds(tuple([one.cards(terms) for one in new]), seat)]
    elif not joins:
        first = [number for number, one in enumerate(new) if _rank(one) in {*last}]
        at = first[0] if first else len(new)
        before, after = before[:at], before[at:]
    for number, one in enumerate(new, len(draft._table) + 1):
        if one.beside:
            before.append(LayOff(one.beside_cards(terms), number, None, seat))
    for one in laid.melds:
        if one.onto < 0:
            continue
        if one.places:
            end = None
            if one.window is not None:
                held = window_of(melds[one.onto]).ranks
                end = terms.runs_along.side(one.window, held)
            before.append(LayOff(one.cards(terms), one.onto, end, seat))
        if one.beside:
            before.append(LayOff(one.beside_cards(terms), one.onto, None, seat))
    if laid.singles:
        alone = next((at for at, one in melds.items() if one.kind == "wilds"), -1)
        if alone >= 0:
            cards = tuple(map(played, laid.singles))
            before.append(LayOff(cards, alone, None, seat))
        else:
            before += [PutWild(CARDS[code], seat) for code in laid.singles]
    return (*before, *after)


def _has_wilds(terms: Terms, laid: LaidMeld) -> bool:
    return any(terms.wild[code] for _, code in laid.places)


def _rank(laid: LaidMeld) -> str:
    """
    The rank of a set; empty for other melds.
    """
    at = laid.places[0][0] if laid.kind == "set" else ""
    return at if isinstance(at, str) else CARDS[at].rank
