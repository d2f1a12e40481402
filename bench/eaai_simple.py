"""
The simple strategy that the EAAI gin challenge publishes, as a bot of ours.

It is written from what the challenge says of its ``SimpleGinRummyPlayer``, and from
reading that player for what the description leaves open:

1. It ignores what the opponent does, and which cards are out of play.
2. It draws the upcard if it would then be in a meld, otherwise a card of the stock.
3. It discards a highest unmatched card, whatever pairs that breaks up.
4. It knocks as early as it can.

Left open, and as the published player does it: in 2 any meld counts, even one that the
hand makes better use of its cards without; in 3 the discard is a card that leaves the
fewest points, at random if there are several, but never one that it discarded in this
round when it drew the same card, nor one that it drew when it discarded the card drawn
now; in 4 the melds shown are any best ones, at random. Its program lays off for it.

Here a seat lays off card by card, and looks for its best melds anew each time. That
changes nothing but which of several equally good divisions is laid off from.

The bot of `simple_gin` is another: OpenSpiel's also takes a card to knock with, takes
none that its best division leaves out, breaks ties by suit, and never lays off.
"""

from __future__ import annotations

import random

from collections.abc import Iterator

import attrs

import rummyvariants as rv

from eaai_hands import (
    Hand,
    beside,
    hand_of,
    lay_off,
    legal,
    mates,
    upcard,
)
from rummyvariants.cards import CARDS, UNIT
from rummyvariants.game._engine.endings import knock_limit


@attrs.frozen
class Simple:
    """
    The challenge's simple player.
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
    hand = hand_of(view)
    seat = hand.seat
    if view.phase == "layoff":
        yield lay_off(view, rng.choice(hand.best())[1])
    elif view.phase in {"draw", "offer"}:
        if melds_with(hand, upcard(view)):
            yield rv.Take(1, seat)
        yield rv.Draw(seat)
        yield rv.Pass(seat)
    else:
        code = rng.choice(discards(hand))
        kept = hand.minus(code)
        if kept.points <= knock_limit(view.world):
            yield rv.Knock(CARDS[code], rng.choice(kept.best())[0], seat)
        yield rv.Discard(CARDS[code], seat)


def melds_with(hand: Hand, code: int) -> bool:
    """
    Whether a card makes a meld with cards of a hand.
    """

    def holds(*steps: int) -> bool:
        near = [beside(code, step) for step in steps]
        return all(one >= 0 and hand.bits & UNIT[one] for one in near)

    if sum(bool(hand.bits & UNIT[one]) for one in mates(code)) >= 2:
        return True
    return holds(-2, -1) or holds(-1, 1) or holds(1, 2)


def discards(hand: Hand) -> list[int]:
    """
    The discards that leave the fewest points, of those that it may make.
    """
    drawn = hand.view.drawn[0].code
    done = turns(hand.view)
    held = [code for code in hand.codes if code != hand.taken()]
    # Should all be barred, the published player would have none at all.
    allowed = [code for code in held if {drawn, code} not in done] or held
    points = {code: hand.minus(code).points for code in allowed}
    return [code for code in allowed if points[code] == min(points.values())]


def turns(view: rv.View) -> list[set[int]]:
    """
    What the seat drew and discarded in each of its finished turns of the round.

    No action names the first upcard: if the seat took it, it is the card that it has
    held without having been dealt or drawn it, and without having taken a discard.
    """
    found: list[tuple[int, int]] = []
    dealt: set[int] = set()
    top = drawn = -1
    for sight in view.history:
        shown = [card.code for cards, _ in sight.shown for card in cards]
        match sight.action:
            case None:
                dealt = set(shown)
            case rv.Draw(seat=view.seat):
                (drawn,) = shown
            case rv.Take(seat=view.seat):
                drawn = top
            case rv.Discard(card=card, seat=seat):
                top = card.code
                if seat == view.seat:
                    found.append((drawn, top))
    held = {card.code for card in view.hand} | {code for _, code in found}
    others = dealt | {code for code, _ in found} | {card.code for card in view.drawn}
    first = next(iter(held - others), -1)
    return [{first if one < 0 else one, other} for one, other in found]
