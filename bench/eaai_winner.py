"""
A reconstruction of the strategy of the team that won the EAAI gin challenge of 2021.

The team (MARJJ: Ahmed, Leppo, Lesniewski, Patel and Perez, with Blum) describes it in
"A Heuristic Evaluation Function for Hand Strength Estimation in Gin Rummy" (AAAI 2021),
and has published a player, ``MARJJ_v5``, since. In our own words:

1. It draws the upcard if its best melds would have that card, and its hand would have
   fewer unmatched points after a discard than now. Otherwise it draws from the stock.
2. It considers discarding the cards that a best division leaves unmatched, but none
   that is worth over 5 points less than the dearest of them; all cards if there are
   none. The card just taken stays.
3. If one of these discards leaves nothing unmatched, it makes that one.
4. Of the others it makes the one with the lowest sum of three numbers, at random if
   there are several: the points left; what is to come; and the danger.
5. What is to come is the mean of the points left after the seven best next draws among
   the cards not seen, each with its best discard. It counts 18 times in the first turn
   and 0.9 times as much from turn to turn.
6. The danger is the sum of these: what neighbours are out of reach, in the hand or
   discarded; which of them the opponent is known to hold; and the same of its rank.
   Neighbours are the cards one and two ranks away, in its suit.

   * Out of reach: -10 if no run is left, otherwise -5 for each next card and -3 for
     each second one. No card is beyond the ace, and none beyond the king; but where
     there is no second card above, the next one counts as out of reach in its place.
   * Held: 20 if it holds both next cards, or a next card and the second one on the
     other side; otherwise 5 for a next card and 3 for a second one.
   * Of the other three of its rank, out of reach: -10 for two or more, -4 for one, +4
     for none. If the opponent holds two or more, 20.
7. It knocks with ten points or fewer in its first three turns. From then on it goes gin
   or nothing.
8. Of several best divisions it shows the one on which the opponent could lay off the
   fewest points. Each end of a run that can grow by a card not seen, or held by the
   opponent, costs the points of its last card; a set that can grow, those of its rank.

What differs from the published player:

* There a card that the opponent took still counts as held when it has been discarded
  again. Here it is out of reach, like any discard.
* There the first upcard counts as not seen if the opponent takes it before the seat is
  asked. Here it counts as held.
* Among equals, 3 and 8 take the first in another order there.
* There the program lays off for its players, from one division. Here the seat does, and
  looks for its division anew after each card, which leaves the same points.

What is guessed: that this is close to the player that won, which is not published. The
paper gives 20, 0.9 and six for the numbers in 5, and knocks by tables found by
counterfactual regret minimization, which are not published either; here 5 and 7 are
those of the published player. Some of its numbers look like slips and are kept: the
king beside a queen in 6; the 20 for two cards held that make no run with the discard,
and not for two on one side, which do; and the +4, which its comments give to a card
that the opponent holds.
"""

from __future__ import annotations

import random
import statistics

from collections.abc import Iterator

import attrs

import rummyvariants as rv

from eaai_hands import (
    Hand,
    Shown,
    beside,
    hand_of,
    lay_off,
    legal,
    mates,
    upcard,
)
from rummyvariants.bots.outlook import unseen
from rummyvariants.cards import CARDS, UNIT, faces
from rummyvariants.game._engine.endings import knock_limit
from rummyvariants.melds._meld import bits_of


SPREAD = 5
"""How many points less than the dearest candidate another one may have."""
DRAWS = 7
WEIGHT = 18.0
DECAY = 0.9
"""How many of the next draws count, how much at first, and by how much less later."""
EARLY = 3
"""In how many turns it knocks with unmatched cards."""

SAFE_RUN, NEXT_GONE, SECOND_GONE = -10, -5, -3
RUN, NEXT_HELD, SECOND_HELD = 20, 5, 3
MATES_GONE = (4, -4, -10, -10)
SET = 20
"""The parts of the danger; for the rank by how many others are out of reach."""


@attrs.frozen
class Winner:
    """
    The strategy of the winning team.
    """

    def choose(self, view: rv.View, rng: random.Random) -> rv.Action:
        """
        Choose its action; see `rummyvariants.bots.Bot`.
        """
        return legal(view, _wishes(view, rng))


def _wishes(view: rv.View, rng: random.Random) -> Iterator[rv.Action]:
    """
    Its candidates, best first; some may be illegal.
    """
    hand, sight = hand_of(view), Sight(view)
    seat = hand.seat
    if view.phase == "layoff":
        yield lay_off(view, sight.to_show(hand)[1])
    elif view.phase in {"draw", "offer"}:
        if wants(hand, sight, upcard(view)):
            yield rv.Take(1, seat)
        yield rv.Draw(seat)
        yield rv.Pass(seat)
    else:
        turn = 1 + view.world.turns[seat]
        costs = discards(hand, sight, turn)
        code = rng.choice([one for one in costs if costs[one] == min(costs.values())])
        kept = hand.minus(code)
        if kept.points <= (knock_limit(view.world) if turn <= EARLY else 0):
            yield rv.Knock(CARDS[code], sight.to_show(kept)[0], seat)
        yield rv.Discard(CARDS[code], seat)


class Sight:
    """
    What a seat can tell of the cards that it does not hold.

    Attributes:
        hidden: The cards not seen, which the opponent or the stock may have.
        known: The cards known to be in the opponent's hand.
    """

    def __init__(self, view: rv.View) -> None:
        seat = view.seat or 0
        self.hidden = unseen(view.world, seat)
        self.known = view.known[1 - seat].bits

    def may_hold(self, code: int) -> bool:
        """
        Whether the opponent may have a card, or draw it; no if its code is negative.
        """
        return code >= 0 and bool((self.hidden | self.known) & UNIT[code])

    def holds(self, code: int) -> bool:
        """
        Whether the opponent is known to hold a card.
        """
        return code >= 0 and bool(self.known & UNIT[code])

    def to_show(self, hand: Hand) -> Shown:
        """
        The best division of a hand on which the opponent may lay off the fewest points.
        """
        return min(hand.best(), key=lambda shown: self._room(hand, shown))

    def _room(self, hand: Hand, shown: Shown) -> int:
        """
        The points that the opponent may be able to lay off on melds.
        """
        worth = hand.view.world.dealt.terms.worth
        found = 0
        for meld in shown[0]:
            codes = sorted(faces(bits_of(meld)))
            low, high = codes[0], codes[-1]
            if CARDS[low].suit == CARDS[high].suit:
                found += worth[low] * self.may_hold(beside(low, -1))
                found += worth[high] * self.may_hold(beside(high, 1))
            else:
                found += worth[low] * any(map(self.may_hold, mates(low)))
        return found


def wants(hand: Hand, sight: Sight, code: int) -> bool:
    """
    Whether the upcard would be in its melds, and lower the points of the hand.
    """
    more = hand.plus(code)
    if sight.to_show(more)[1] & UNIT[code]:
        return False
    return more.points_after_discard < hand.points


def candidates(hand: Hand) -> list[int]:
    """
    The cards whose discard it considers.
    """
    worth = hand.view.world.dealt.terms.worth
    held = [code for code in hand.codes if code != hand.taken()]
    left = [code for _, unmatched in hand.best() for code in faces(unmatched)]
    found = [code for code in held if code in left]
    dearest = max([worth[code] for code in found], default=0)
    return [code for code in found if worth[code] >= dearest - SPREAD] or held


def discards(hand: Hand, sight: Sight, turn: int) -> dict[int, float]:
    """
    The discards that it considers, each with its sum; the lowest is the best.
    """
    found = candidates(hand)
    points = {code: hand.minus(code).points for code in found}
    if 0 in points.values():
        return {next(code for code in found if not points[code]): 0.0}
    weight = WEIGHT * DECAY ** (turn - 1)
    return {
        code: points[code]
        + weight * to_come(hand.minus(code), sight)
        + danger(sight, code)
        for code in found
    }


def to_come(hand: Hand, sight: Sight) -> float:
    """
    The mean of the points left after the best next draws.
    """
    after = [hand.plus(code).points_after_discard for code in faces(sight.hidden)]
    return statistics.fmean(sorted(after)[:DRAWS]) if after else 0.0


def danger(sight: Sight, code: int) -> int:
    """
    How much a discard may help the opponent.
    """
    near = {step: beside(code, step) for step in (-2, -1, 1, 2)}
    gone = {step: not sight.may_hold(one) for step, one in near.items()}
    if near[2] < 0:
        gone |= {1: True, 2: False}
    held = {step: sight.holds(one) for step, one in near.items()}
    others = mates(code)
    return (
        _of_runs(gone, SAFE_RUN, NEXT_GONE, SECOND_GONE)
        + _of_runs(held, RUN, NEXT_HELD, SECOND_HELD)
        + MATES_GONE[sum(not sight.may_hold(one) for one in others)]
        + SET * (sum(map(sight.holds, others)) >= 2)
    )


def _of_runs(near: dict[int, bool], settled: int, following: int, second: int) -> int:
    """
    The part of the danger that the neighbours make for which something is true.
    """
    if (near[1] and (near[-1] or near[-2])) or (near[-1] and near[2]):
        return settled
    return following * (near[-1] + near[1]) + second * (near[-2] + near[2])
