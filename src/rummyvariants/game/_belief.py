"""
Hidden hands as players would have developed them.

Another seat's hand starts with hidden cards at random, and goes through the round as
the seat's view tells it: at each turn it draws a hidden card, and a bot is asked what
it would discard. The hand sheds that card, whatever the seat really discarded, so that
it becomes as good as a player's hand. What the bot would have done and the seat did not
do (take a discard, lay cards, knock) leads to other cards in place of those that allow
it. In the last turn it also has to be natural to discard what was discarded.
"""

from __future__ import annotations

import functools
import random

from collections.abc import Callable, Sequence
from typing import Final

import attrs

from rummyvariants.actions import Action, Declare, Discard, Knock
from rummyvariants.cards import (
    CARDS,
    FIELD,
    RANKS,
    ROW_OF,
    UNIT,
    code_of,
    codes,
    common,
    pack,
    size,
)
from rummyvariants.game import _asking as asking
from rummyvariants.game._moves import leaves_of
from rummyvariants.game._past import (
    TAKES,
    Decision,
    Past,
    Unlike,
    exchange,
    named_in,
    past_of,
)
from rummyvariants.game._state import Draft, State, thaw


Asker = Callable[[Draft, int], Action]
"""What a bot would do in a position, by what a seat sees that may act."""

_DEVELOPMENTS: Final = 8
"""How often a world is developed before the best one is good enough."""
_EXCHANGES: Final = 4
"""How often cards are exchanged so that a draw or a last discard becomes natural."""
_RECENT: Final = 3
"""In how many turns a declined discard counts."""
_DRAWS: Final = 8
"""How often a hand draws anew so that nothing is left that would have been laid."""


def believed(
    world: State,
    seat: int | None,
    known: Sequence[int],
    hidden: Sequence[int],
    rng: random.Random,
    ask: Asker,
) -> list[int] | None:
    """
    The hidden cards in an order in which the other hands are natural.

    Args:
        world: The world of a view.
        seat: Whose view; None for a spectator.
        known: By seat, the cards known to be in a hand, as multisets.
        hidden: The codes of the hidden cards.
        rng: The source of chance.
        ask: Who is asked for the other seats.

    Returns:
        First the cards of the hands, as in `world_with`; None if the round cannot be
        played again.
    """
    past = _remembered(world, seat, known)
    if past is None:
        return None
    never = asking.never_held(world)
    best: _Development | None = None
    for _ in range(_DEVELOPMENTS):
        new = _Development(past, hidden, never, rng, ask)
        new.run()
        if best is None or new.missed < best.missed:
            best = new
        if not best.missed:
            break
    assert best is not None  # noqa: S101 -- there is at least one
    return best.order()


def _remembered(world: State, seat: int | None, known: Sequence[int]) -> Past | None:
    """
    The past of a view, worked out once for many worlds of it.
    """
    # An entry keeps its world, so that no other one gets the same id meanwhile.
    found = _PASTS.get(id(world))
    if found is None or found[0] is not world:
        if len(_PASTS) >= _PASTS_AT_MOST:
            _PASTS.clear()
        found = _PASTS[id(world)] = (world, past_of(world, seat, known))
    return found[1]


_PASTS: Final[dict[int, tuple[State, Past | None]]] = {}
_PASTS_AT_MOST: Final = 8


class _Development:
    """
    One way in which the hidden hands may have come about.
    """

    def __init__(
        self,
        past: Past,
        hidden: Sequence[int],
        never: int,
        rng: random.Random,
        ask: Asker,
    ) -> None:
        self.past = past
        self.rng = rng
        self.ask = ask
        self.missed = 0
        # The next card comes last; cards that are shed come first.
        self.pool = [code for code in hidden if not never & FIELD[code]]
        self.apart = [code for code in hidden if never & FIELD[code]]
        rng.shuffle(self.pool)
        self.free: dict[int, list[int]] = {seat: [] for seat in past.tracks}
        self._fill_all()

    def run(self) -> None:
        """
        Go through the round.
        """
        turns: dict[int, list[int]] = {seat: [] for seat in self.free}
        for one in self.past.decisions:
            if _sheds(one):
                turns[one.seat].append(one.number)
        for one in self.past.decisions:
            recent = turns[one.seat][-_RECENT:]
            if _declines(one) and recent and one.number < recent[0]:
                continue
            base = self._begin(one)
            if base is None:
                continue
            if not _sheds(one):
                self._draw(one, base)
            else:
                self._shed(one, base)
                if recent[-1] == one.number:
                    self._check(one)
        self._fill_all()

    def order(self) -> list[int]:
        """
        All hidden cards, those of the hands first.
        """
        rest = self.pool + self.apart
        self.rng.shuffle(rest)
        return [code for seat in sorted(self.free) for code in self.free[seat]] + rest

    # --------------------------------------------------------------------- the cards

    def _fill_all(self) -> None:
        for seat, track in self.past.tracks.items():
            self._fill(self.free[seat], track.missing)

    def _fill(self, free: list[int], number: int) -> None:
        """
        Give a hand so many hidden cards, if there are enough.
        """
        while len(free) > number:
            card = free.pop(self.rng.randrange(len(free)))
            self.pool.insert(self.rng.randrange(len(self.pool) + 1), card)
        while len(free) < number and self.pool:
            free.append(self.pool.pop())

    def _renew(self, free: list[int], places: Sequence[int]) -> None:
        """
        Exchange some cards of a hand for the next ones of the pool.
        """
        for at in places:
            if self.pool:
                free[at], new = self.pool.pop(), free[at]
                self.pool.insert(0, new)

    def _begin(self, one: Decision) -> int | None:
        """
        Give a hand its hidden cards for a decision.

        Returns:
            The other cards of the hand, as a multiset; None if the decision says
            nothing of hidden cards.
        """
        track = self.past.tracks[one.seat]
        base = track.known(one.number) + one.due
        number = size(one.before._hands[one.seat])
        free = self.free[one.seat]
        self._fill(free, max(0, number - size(base)))
        short = number - size(base) - len(free)
        if short > 0:
            # Late in a round, what has been played since is all that is left.
            due = list(codes(one.due))
            others = [code for code in track.played_from(one.number) if code not in due]
            base += pack(others[:short])
        return base if free and size(base) + len(free) == number else None

    # ----------------------------------------------------------------- the decisions

    def _draw(self, one: Decision, base: int) -> None:
        """
        Make it natural to take discards, or to decline them.
        """
        free, rng = self.free[one.seat], self.rng
        taken = isinstance(one.action, TAKES)
        wild = one.before.dealt.terms.wild
        for _ in range(_EXCHANGES + 1):
            answer = self._answer(one, base)
            if answer is None or isinstance(answer, TAKES) == taken:
                return
            which = one.action if taken else answer
            pile = one.before._discards
            near = _near(pile[-min(getattr(which, "count", 0) or len(pile), len(pile))])
            close = [near & FIELD[code] or wild[code] for code in free]
            if not taken:
                places = [at for at, useful in enumerate(close) if useful]
                if not places:
                    return
                self._renew(free, [rng.choice(places)])
                continue
            places = [at for at, useful in enumerate(close) if not useful]
            better = [at for at, code in enumerate(self.pool) if near & FIELD[code]]
            if not places or not better:
                return
            at, to = rng.choice(places), rng.choice(better)
            free[at], self.pool[to] = self.pool[to], free[at]

    def _shed(self, one: Decision, base: int) -> None:
        """
        Discard what the bot would discard, after it has nothing else to do.
        """
        free = self.free[one.seat]
        at = len(free) - 1  # the card that was drawn
        for _ in range(_DRAWS):
            answer = self._answer(one, base)
            if answer is None:
                return
            places = _places(free, answer)
            if isinstance(answer, Discard):
                at = places[0] if places else at
                break
            if isinstance(answer, (Knock, Declare)):
                places = [at]
            if not places:
                break
            self._renew(free, places)
        self.pool.insert(0, free.pop(at))

    def _check(self, one: Decision) -> None:
        """
        Make it natural to discard what the seat discarded last.
        """
        free, track = self.free[one.seat], self.past.tracks[one.seat]
        base = track.known(one.number)
        card = named_in(one.action)
        if common(base, card):
            return
        base += card
        if size(base) + len(free) != size(one.before._hands[one.seat]):
            return
        for _ in range(_EXCHANGES):
            answer = self._answer(one, base, pack_of=card)
            if answer is None or answer == one.action:
                return
            places = _places(free, answer)
            if isinstance(answer, (Knock, Declare)):
                places = [self.rng.randrange(len(free))] if free else []
            if not places:
                break
            self._renew(free, places)
        self.missed += 1

    def _answer(self, one: Decision, base: int, pack_of: int = 0) -> Action | None:
        """
        What the bot would do with the hand as it is.

        Returns:
            Its action; None if there can be no such hand, or nothing to do with it.
        """
        seat, free = one.seat, self.free[one.seat]
        draft = thaw(one.before)
        before = draft._hands[seat]
        now = base + pack(free)
        both = common(before, now)
        try:
            pairs = zip(codes(before - both), codes(now - both), strict=True)
            for given, wanted in pairs:
                exchange(draft, seat, given, wanted)
        except Unlike:
            return None
        drawn = draft.drawn
        if drawn.source and draft.turn == seat:
            cards = drawn._cards
            if drawn.source == "stock":
                new = codes(pack_of) or free[-len(cards) :]
                if len(new) == len(cards):
                    cards = bytes(new)
            held = drawn.held + pack(drawn._cards) - before + now - pack(cards)
            draft.drawn = attrs.evolve(drawn, cards=cards, held=held)
        try:
            return self.ask(draft, seat)
        except Exception:
            if next(leaves_of(draft, seat), None) is None:
                return None
            raise


def _sheds(one: Decision) -> bool:
    return isinstance(one.action, Discard)


def _declines(one: Decision) -> bool:
    return not isinstance(one.action, (Discard, *TAKES))


def _places(free: Sequence[int], answer: Action) -> list[int]:
    """
    Where the cards of a hand are that an action names.
    """
    named = named_in(answer)
    found = []
    for at, code in enumerate(free):
        if named & FIELD[code]:
            named -= UNIT[code]
            found.append(at)
    return found


@functools.cache
def _near(code: int) -> int:
    """
    The cards that may share a small meld with a card, as a mask of fields.
    """
    card = CARDS[code]
    if card.is_joker:
        return 0
    at = RANKS.index(card.rank)
    found = 0
    for other, rank in enumerate(RANKS):
        apart = abs(other - at)
        close = min(apart, len(RANKS) - apart) <= _CLOSE
        for suit in ROW_OF:
            if rank == card.rank or (close and suit == card.suit):
                found |= FIELD[code_of(rank, suit)]
    return found


_CLOSE: Final = 2
"""How far apart the ranks of two cards in a run of three are at most."""
