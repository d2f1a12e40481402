"""
The best turn, found by playing every play with the twin's reading of the rules alone.

What is a meld, what may be laid first and how a turn ends is taken from `naive` and
`naive_turns`, and nothing from the library's engine or solver.
"""

from __future__ import annotations

import functools

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations

import rummyvariants as rv

from arranging import Value, value_of
from naive import Lying, possible_melds
from naive_turns import Judge, Play, Turn, _by, _cards_of, _next_number, _plainly
from naive_turns import worth_of as worth
from rummyvariants.cards import Card


class Twin(Judge):
    """
    The judge, which looks at no other first melds than those of the right sizes.
    """

    @functools.cached_property
    def groups(self) -> list[tuple[str, int]]:
        """
        The kinds and the least sizes of the first melds; empty for any.
        """
        contracts = self.rules.meld.contracts
        if not contracts:
            return []
        parts = contracts[min(self.round_number, len(contracts)) - 1].split(", ")
        return [(kind, int(size)) for kind, size in map(str.split, parts)]

    @functools.cached_property
    def longest(self) -> int:
        """
        The most cards of a first meld.
        """
        meld = self.rules.meld
        last = self.round_number >= len(meld.contracts)
        whole = last and meld.last_contract != "like the others"
        if not self.groups or whole or meld.further:
            return 99
        if meld.contract_size != "exactly":
            return 99
        return max(size for _, size in self.groups)

    def _melds_of(self, hand: tuple[Card, ...]) -> list[Lying]:
        sizes = range(1, min(self.longest, len(hand)) + 1)
        parts = {part for size in sizes for part in combinations(hand, size)}
        return [
            meld
            for part in sorted(filter(self._may_match, parts))
            for meld in possible_melds(self.melds, _plainly(part), settled=False)
            if self._is_meld(meld)
        ]

    def _may_match(self, cards: tuple[Card, ...]) -> bool:
        """
        Whether the naturals are of one rank or of one suit, as those of any meld are.
        """
        natural = [card for card in cards if not self.melds.is_wild(card)]
        ranks, suits = ({one[at] for one in map(str, natural)} for at in (0, -1))
        return len(ranks) < 2 or len(suits) < 2

    def _downs_of(self, hand: tuple[Card, ...]) -> list[tuple[Lying, ...]]:
        if not self.groups:
            return super()._downs_of(hand)
        every = [
            (meld, Counter(_cards_of(meld)))
            for meld in self._melds_of(hand)
            if any(
                kind == meld.kind and len(meld) >= size for kind, size in self.groups
            )
        ]
        found: list[tuple[Lying, ...]] = []

        def more(melds: tuple[Lying, ...], left: Counter[Card], at: int) -> None:
            if len(melds) == len(self.groups):
                found.append(melds)
                return
            for number in range(at, len(every)):
                meld, cards = every[number]
                if cards <= left:
                    more((*melds, meld), left - cards, number)

        more((), Counter(hand), 0)
        return found

    def plays(self, turn: Turn) -> Iterator[Play]:
        """
        Every play that the cards allow.
        """
        alone = self.rules.layoff.needs_own_meld and len(self.groups) > 1
        if turn.melded or not alone:
            yield from super().plays(turn)
            return
        hand = turn.hand
        for melds in self._once("down", hand, found=lambda: self._downs_of(hand)):
            used = tuple(chain(*map(_cards_of, melds)))
            laid = tuple(_by(turn.seat, meld) for meld in melds)
            yield Play("down", used, _next_number(turn), laid)


def best_turn(
    twin: Twin, state: rv.State, goal: str, *, layoffs: bool, most: int = 100_000
) -> Value | None:
    """
    The best that the seat in turn can do between its draw and its discard.

    Args:
        twin: The judge of the deal.
        state: The state, after the draw.
        goal: The goal, as for `rv.arrange`.
        layoffs: Whether cards may be laid off on the melds of the table.
        most: How many positions are looked at.

    Returns:
        None if there are more positions.
    """
    start = twin.turn(state, state.turn)
    hand = sum(worth(twin.rules, twin.melds, card) for card in start.hand)
    before = _down(twin, start)
    best: Value | None = None
    for turn in _turns(twin, state, layoffs=layoffs, most=most):
        if turn is None:
            return None
        owes = any(not how.startswith("play or discard") for _, how in turn.owed)
        if not owes and twin.finishes(turn):
            left = sum(worth(twin.rules, twin.melds, card) for card in turn.hand)
            points, cards = _down(twin, turn) - before, len(start.hand) - len(turn.hand)
            value = value_of(goal, points, hand - left, cards)
            best = value if best is None else max(best, value)
    return best


def goes_out(twin: Twin, state: rv.State, *, layoffs: bool) -> bool:
    """
    Whether the seat in turn can go out, by a discard or without one.
    """
    for turn in _turns(twin, state, layoffs=layoffs, most=100_000):
        assert turn is not None
        if len(turn.hand) == 1 and twin.may_throw(turn, turn.hand[0]):
            return True
        if not turn.hand and not turn.owed and twin.rules.out.by_empty_hand:
            return True
    return False


def _turns(
    twin: Twin, state: rv.State, *, layoffs: bool, most: int
) -> Iterator[Turn | None]:
    """
    How the turn may lie after some plays; None if there are more than so many ways.
    """
    start = twin.turn(state, state.turn)
    seen = {start}
    waiting = [start]
    while waiting:
        turn = waiting.pop()
        yield turn
        for play in twin.plays(turn):
            if play.kind == "split" or not (layoffs or play.number > len(state.table)):
                continue
            after = twin.after(turn, play)
            if after is not None and after not in seen:
                if len(seen) >= most:
                    yield None
                    return
                seen.add(after)
                waiting.append(after)


def _down(twin: Twin, turn: Turn) -> int:
    """
    The points of the cards on the table that the player has laid, low aces looked at.
    """
    total = 0
    for _, meld in turn.table:
        low = meld.kind == "run" and [one[1] for one in meld.cards[:2]] == ["A", "2"]
        laid = [
            (card, low and at == 0)
            for at, ((card, _, _), seat) in enumerate(
                zip(meld.cards, meld.seats, strict=True)
            )
            if seat == turn.seat
        ]
        laid += [
            (card, low and at == 0)
            for at, card, seat in meld.beside
            if seat == turn.seat
        ]
        for card, is_low in laid:
            score = twin.rules.score
            if is_low and not twin.melds.is_wild(card) and card.rank == "A":
                total += score.low_ace_points()
            else:
                total += worth(twin.rules, twin.melds, card)
    return total
