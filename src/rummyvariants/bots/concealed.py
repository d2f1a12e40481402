"""
How bots play where melds stay in the hand until somebody knocks or declares (GR-02).

The greedy bot tries to keep deadwood low: it takes the upcard if that makes the hand
better, discards the card that leaves the best hand, and knocks as soon as it may.

The careful bot judges a hand by its deadwood, less what unseen cards are likely to
match before the hand is over. A discard costs what it may give the other player. A low
hand that may still become gin is better kept than knocked with, since it may undercut
the player who knocks first. In the last turn after a declaration only the points left
count.

Where a declaration needs certain runs, its lives, all cards of a hand may count without
them, whatever else it holds. So a hand that lacks them is weighed by how near it is:
the cards missing for its nearest runs have a price, and besides them only cards count
that are in no meld.
"""

from __future__ import annotations

import math

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import attrs

from rummyvariants._support.memos import remembered
from rummyvariants.actions import Action, Discard, HouseAction, Take
from rummyvariants.bots.outlook import (
    LIKELY,
    Company,
    chance_of_lowest,
    companies,
    next_opponent,
    one_or_two,
    unseen,
)
from rummyvariants.bots.plays import Style
from rummyvariants.cards import (
    CARDS,
    FIELD,
    UNIT,
    codes,
    count,
    faces,
    pack,
    ranks_held,
    size,
)
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.candidates import to_lay, unplanned
from rummyvariants.game._engine.draws import refuse_draw
from rummyvariants.game._engine.endings import (
    knock_limit,
    may_knock_with,
    may_show_dealt,
    points_allow_knock,
    refuse_thrown,
)
from rummyvariants.game._engine.plays import AnyState, keeps_melds
from rummyvariants.game._state import absent, fits_of, stock_left
from rummyvariants.game.verbs._knocking import named, shown_without
from rummyvariants.house import Leave
from rummyvariants.melds import Terms
from rummyvariants.melds._deadwood import (
    fewest_after_discard,
    fewest_points,
    least_unmatched,
    worth_of,
)
from rummyvariants.melds._meld import IDENTICAL, bits_of
from rummyvariants.melds._tables import Lives, needing
from rummyvariants.melds.cover._lives import NO_WAY
from rummyvariants.melds.shapes._shapes import shapes_of
from rummyvariants.melds.shapes._track import as_lane
from rummyvariants.rules import Ruleset


# Found by trial over some hundreds of thousands of hands of gin; the table of strengths
# uses other deals.
_COMING: Final = 1.3
"""How many cards a turn offers: one from the stock, and now and then a discard."""
_BOTH: Final = 0.6
"""How likely two missing cards are to come, compared with a simple count."""
_BOUND: Final = 0.4
"""What a card of a meld counts for as a partner of another card."""
_GIFT: Final = 3.0
_GIFT_POINTS: Final = 0.285
"""What a discard costs if the other player wants it: this and a share of its points."""
_DECLINED: Final = 0.5
"""How likely a player is still to hold cards that an open discard would have melded."""
_COLLECTED: Final = 1.5
"""How much likelier the player who took a card is to hold its partners."""
_KNOCK: Final = 14.0
_KNOCK_A_TURN: Final = 0.93
_KNOCK_AT_LEAST: Final = 2.0
"""The most points to knock with: at first, how many fewer each turn, and always."""
_WAITING: Final = 3
"""In the first turns other hands are high, so a knock does not wait."""
_AT_ONCE: Final = 1.0
"""What it is worth that taking a discard lets the seat knock."""
_LOW_LIMIT: Final = 10
"""Where the knock limit is lower than this, each unmatched card costs the difference
more: then the number of such cards counts more than their points.
"""
_WILD: Final = 100.0
"""What it costs to discard a wild before the last turn: more than anything else."""
_LOSS: Final = 0.55
_HARMLESS: Final = 35.0
_DUEL: Final = 30.0
"""What a hand loses as it is weighed: a share of the points above so many, and above
more the fewer others there are.
"""

# Found by trial over some thousands of deals for two players.
_MISSING: Final = 30
"""What a card costs that is missing for a life, in points."""
_SPARE_WILD: Final = 8
"""What a wild that no life needs saves, in points."""
_TRIED: Final = 6
"""How many runs are tried for each life."""


# ----------------------------------------------------------------- what a hand is worth


@attrs.frozen
class Weight:
    """
    What a hand is worth.

    Attributes:
        missing: How many cards are missing for the lives.
        points: The points of the cards in no meld, and the price of what is missing.
        left: The cards that are neither in a meld nor kept for a life.
    """

    missing: int
    points: int
    left: int

    @property
    def price(self) -> int:
        """
        What it costs that cards are missing, in points.
        """
        return _MISSING * self.missing


def weigh(state: AnyState, hand: int) -> Weight:
    """
    What a hand is worth in a state.
    """
    terms = state.dealt.terms
    if terms.has_lives and not state.out:
        return _weighed(terms, hand)
    # Nobody declares any more, or whatever is melded counts.
    return Weight(0, fewest_points(terms, hand), least_unmatched(terms, hand))


def points_of(state: AnyState, hand: int) -> int:
    """
    The points of `weigh`.
    """
    terms = state.dealt.terms
    if terms.has_lives and not state.out:
        return _weighed(terms, hand).points
    return fewest_points(terms, hand)


@remembered(1 << 12)
def _weighed(terms: Terms, hand: int) -> Weight:
    with_lives = needing(terms, terms.lives)
    points = fewest_points(with_lives, hand)
    if points < NO_WAY:
        return Weight(0, points, least_unmatched(with_lives, hand))
    natural = hand & terms.natural_mask
    wilds = size(hand & terms.wild_mask)
    found = _nearest(terms, natural, wilds, terms.lives)
    # Lives of which no card is missing may want the same wild.
    return found if found.missing else attrs.evolve(found, missing=1)


def _nearest(terms: Terms, natural: int, wilds: int, lives: Lives) -> Weight:
    """
    The best plan for the lives that a hand still needs.

    Args:
        terms: The terms of the deal.
        natural: The natural cards that no life has taken yet.
        wilds: How many wilds none has taken.
        lives: What is needed.
    """
    if not any(lives):
        left = natural & ~shapes_of(terms).reach(natural)
        return Weight(0, worth_of(terms, left) - _SPARE_WILD * wilds, left)
    pure = lives.pure > 0
    best: Weight | None = None
    for used, length in _runs(terms, natural, 0 if pure else wilds, lives.longest):
        missing = length - size(used)
        filled = 0 if pure else min(missing, wilds)
        rest = lives.beside(length, pure=pure)
        found = _nearest(terms, natural - used, wilds - filled, rest)
        missing += found.missing - filled
        points = found.points + _MISSING * (missing - found.missing)
        if best is None or points < best.points:
            best = Weight(missing, points, found.left)
    if best is None:
        left = natural & ~shapes_of(terms).reach(natural)
        missing = terms.least_run * max(lives.runs, 1)
        best = Weight(missing, worth_of(terms, left) + _MISSING * missing, left)
    return best


def _runs(terms: Terms, natural: int, wilds: int, least: int) -> list[tuple[int, int]]:
    """
    The runs that some cards come nearest to: the cards, and the length of the run.
    """
    found = []
    for row in terms.rows if terms.runs else ():
        own = ranks_held(natural >> 64 * row)
        lengths = {max(least, terms.least_run)}
        for window in terms.runs_along.near(own, max(lengths) - 1):
            held, length = window.ranks & own, window.length
            missing = length - held.bit_count()
            if length in lengths or (length > least and not missing):
                used = as_lane(held) << 64 * row
                key = max(missing - wilds, 0), missing, -worth_of(terms, used)
                found.append((key, used, length))
    for code in faces(natural) if terms.alike and least <= IDENTICAL else ():
        copies = min(count(natural, code), IDENTICAL)
        if copies == IDENTICAL or (copies == IDENTICAL - 1 and not wilds):
            used, missing = copies * UNIT[code], IDENTICAL - copies
            found.append(((missing, missing, -worth_of(terms, used)), used, IDENTICAL))
    return [(used, length) for _, used, length in sorted(found)[:_TRIED]]


# ------------------------------------------------------------------ what all bots share


def _style(
    wants: Callable[[AnyState, int], bool],
    ends: Callable[[AnyState, int], Iterator[Action]],
) -> Style:
    """
    A style.

    Args:
        wants: Whether to take the upcard rather than draw from the stock.
        ends: How to end a turn after the draw: knocks and discards, best first.
    """

    def takes(state: AnyState, seat: int) -> Iterator[Action]:
        if may_show_dealt(state, seat):
            yield from at_best(state, seat, [-1])
        if not state._discards:
            return
        rules = state.match.rules
        due = rules.stock.last_is_to_knock and refuse_draw(state) is not None
        if (
            due
            or _fits_shown(state, seat)
            or (wants(state, seat) and not _ends_idle(state, seat))
        ):
            yield Take(1, seat)

    def plays(state: AnyState, seat: int) -> Iterator[Action]:
        if state.phase == "layoff":
            yield from _layoffs(state, seat, fewest_points)
            return
        if not keeps_melds(state):
            yield from _layoffs(state, seat, _after_discard)
        yield from ends(state, seat)

    return Style(takes, plays, lambda state, seat: faces(state._hands[seat]))


def _ends_idle(state: AnyState, seat: int) -> bool:
    """
    Whether a turn without a card from the stock ends the round in nothing (RV-01).

    A hand that the upcard completes is shown before that.
    """
    most = state.match.rules.stock.idle_rounds * len(state.turns)
    if state.idle + 1 < most:
        return False
    hand = state._hands[seat] + UNIT[state._discards[-1]]
    return bool(fewest_after_discard(state.dealt.terms, hand))


def shown(state: AnyState, seat: int, code: int) -> Action:
    """
    The knock or declaration with a discard, or without one if its code is negative.
    """
    return named(state, shown_without(state, seat, code, None))


def at_best(state: AnyState, seat: int, thrown: Iterable[int]) -> Iterator[Action]:
    """
    The knocks or declarations with some discards that the rules accept.

    Args:
        state: A state in which the seat has drawn.
        seat: Who acts.
        thrown: The codes of the discards in the order wanted; -1 for none.
    """
    if points_allow_knock(state, seat):
        for code in thrown:
            if may_knock_with(state, seat, code):
                yield shown(state, seat, code)


def _fits_shown(state: AnyState, seat: int) -> bool:
    """
    Whether the upcard can be laid off, so that the turn leaves one card fewer.
    """
    if state.phase != "draw" or keeps_melds(state):
        return False
    return bool(fits_of(state, seat).grows & FIELD[state._discards[-1]])


def _after_discard(terms: Terms, hand: int) -> int:
    """
    The fewest points that a hand leaves after a discard, if it holds a card.
    """
    return fewest_after_discard(terms, hand) if hand else 0


def _layoffs(
    state: AnyState, seat: int, leaves: Callable[[Terms, int], int]
) -> Iterator[Action]:
    """
    The lay-off that leaves the fewest points, if any helps.

    Args:
        state: A state in which the seat may lay off.
        seat: Who lays off.
        leaves: The points that a hand leaves at the end of the turn.
    """
    terms = state.dealt.terms
    hand = state._hands[seat]
    before = leaves(terms, hand)
    rated = [
        (leaves(terms, hand - bits_of(action.cards)), number, action)
        for number, action in enumerate(unplanned(to_lay, state, seat))
    ]
    if rated:
        after, _, action = min(rated)
        if after < before:
            yield action


# ----------------------------------------------------------------------- the greedy bot


def _betters(state: AnyState, seat: int) -> bool:
    """
    Whether the upcard makes the hand better and stays in it as part of a meld.
    """
    hand = state._hands[seat]
    top = state._discards[-1]
    more = hand + UNIT[top]
    # A low card that would stay unmatched is not worth a draw while play goes on.
    if not state.out and weigh(state, more).left & UNIT[top]:
        return False
    *_, thrown = min(_costs(state, more))
    return thrown != top and points_of(state, more - UNIT[thrown]) < points_of(
        state, hand
    )


def _costs(state: AnyState, hand: int) -> Iterator[tuple[bool, int, int, int]]:
    """
    What it costs to discard each card of a hand, with its code.
    """
    terms = state.dealt.terms
    for code in faces(hand):
        left = points_of(state, hand - UNIT[code])
        # A wild is worth more than its points until the last turn.
        yield terms.wild[code] and not state.out, left, -terms.worth[code], code


def _lowest(state: AnyState, seat: int) -> Iterator[Action]:
    """
    Big gin, the best knock, then discards, the one that leaves the best hand first.
    """
    yield from at_best(state, seat, [-1])
    costs = sorted(_costs(state, state._hands[seat]))
    rated = [code for *_, code in costs]
    least = costs[0][1]
    free = least and state.match.rules.out.knocks_freely
    if not free or chance_of_lowest(state, seat, least) > LIKELY:
        yield from at_best(state, seat, rated)
    for code in rated:
        yield Discard(CARDS[code], seat)


# ---------------------------------------------------------------------- the careful bot


@attrs.frozen
class Aims:
    """
    What depends on whether one hand wins the points of the others, or all hands count.

    Attributes:
        turns: How many turns ahead a card is kept for, at most.
        hope: How much the chance of a meld takes off the points of a card.
        taking: How many points taking a discard has to bring, since the stock might
            bring more.
        low: The limit below which each unmatched card costs more, see `_LOW_LIMIT`.
        whole: Whether all hands count, and nobody may go out with a card left over.
        likely: How likely a hand is to be the lowest with which the bot knocks, where
            any number of points allows it.
    """

    turns: float
    hope: float
    taking: float
    low: int
    whole: bool = False
    likely: float = 1.0


_TO_WIN: Final = Aims(turns=6.4, hope=0.66, taking=3.2, low=_LOW_LIMIT)
# Found by trial over some thousands of rounds for two players, with other deals than
# those of the table. Where any number of points may knock, somebody soon does; somebody
# declares after four to seven turns.
_FREELY: Final = Aims(turns=6.4, hope=0.66, taking=8.0, low=_LOW_LIMIT, likely=0.4)
_ALL_COUNT: Final = Aims(turns=3.0, hope=0.9, taking=6.0, low=0, whole=True)


def _aims_of(rules: Ruleset) -> Aims:
    """
    What to aim at by the rules of the game.
    """
    if rules.out.declares:
        return _ALL_COUNT
    return _FREELY if rules.out.knocks_freely else _TO_WIN


def _given_up(state: AnyState, seat: int) -> Iterator[HouseAction]:
    """
    The actions by which a player leaves the round with a hand that is hopeless.
    """
    for *_, offer in () if state.out else asking.offers_to(state, seat):
        prices = [one.points for one in offer.effects if isinstance(one, Leave)]
        if prices and not offer.refused and _is_hopeless(state, seat, prices[0]):
            yield HouseAction(offer.name, offer.cards, seat)


def _is_hopeless(state: AnyState, seat: int, price: int) -> bool:
    """
    Whether a hand is likely to cost more than it costs to leave the round.
    """
    others = len(state._hands) - len(absent(state)) - 1
    points = points_of(state, state._hands[seat])
    loss = _LOSS * (points - _HARMLESS - _DUEL / max(1, others))
    limit, total = state.match.rules.match.limit, state.match.scores[seat]
    if limit is not None:
        if total + price >= limit:
            return False
        if total + points >= limit:
            loss += price / 2
    return loss > price


def _brings_enough(state: AnyState, seat: int) -> bool:
    """
    Whether the upcard improves the hand enough to take it rather than draw.
    """
    prospects, taken = Prospects(state, seat), state._discards[-1]
    if state.out:
        return prospects.lowers()
    more = prospects.hand + UNIT[taken]
    with_it = weigh(state, more)
    least, whole = with_it.left, prospects.aims.whole
    if not with_it.missing and size(least) <= 1 and not least & UNIT[taken]:
        return True  # gin
    if whole and not fewest_after_discard(prospects.terms, more):
        return True
    before, after = prospects.costs_of_taking()
    if after + prospects.aims.taking >= before:
        return False
    if not (whole and least & FIELD[taken]):
        return True
    # A card that would be thrown back is not worth a turn.
    costs = {
        code: prospects.cost_of_throwing(more, least, code) for code in faces(least)
    }
    return min(costs, key=costs.__getitem__) != taken


def _ends(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The knock before the discards if it is time to knock, otherwise after them.
    """
    yield from at_best(state, seat, [-1])
    prospects = Prospects(state, seat)
    rated, knocks = prospects.endings()
    if knocks and prospects.knocks_now(knocks[0]):
        yield shown(state, seat, knocks[0][2])
    for _, _, code in rated:
        yield Discard(CARDS[code], seat)
    for _, _, code in knocks:
        yield shown(state, seat, code)


End = tuple[float, int, int]
"""A discard by its code, after two numbers by which it is ordered."""


class Prospects:
    """
    What a seat can expect of the cards that it does not see.

    These are estimates, made only from what the seat may see: every unseen card is
    taken to be equally likely to lie anywhere in the other hands and the stock.

    Attributes:
        state: The state.
        seat: The seat.
        terms: The terms of the deal.
        aims: What to aim at by the rules of the game.
        hand: The hand of the seat.
        limit: The most points to knock with.
        hidden: The cards that it has not seen.
        known: Those that it has seen in the hand of the next opponent.
    """

    def __init__(self, state: AnyState, seat: int) -> None:
        self.state, self.seat = state, seat
        self.terms = state.dealt.terms
        self._company = companies(self.terms)
        hands = state._hands
        self.hand, self.limit = hands[seat], knock_limit(state)
        following = next_opponent(state, seat)
        self.known = state._seen[following]
        self.hidden = unseen(state, seat)
        self._pile = pack(state._discards)
        hidden = max(1, size(self.hidden))
        rules = state.match.rules
        self.aims = aims = _aims_of(rules)
        turns = max(1.0, min(aims.turns, stock_left(state) / len(hands)))
        self._each = max(0, aims.low - self.limit)
        # Without an undercut there is no reason to wait.
        self._knock_up_to: float = self.limit
        self._waits = rules.score.counts_difference
        if self._waits:
            knock = _KNOCK - _KNOCK_A_TURN * state.turns[seat]
            self._knock_up_to = max(_KNOCK_AT_LEAST, knock)
        self._matched: dict[tuple[int, int, int], float] = {}
        self._coming = _COMING * turns / hidden
        self._share = size(hands[following] - self.known) / hidden

    def costs_of_taking(self) -> tuple[float, float]:
        """
        What the hand costs as it is, and after taking the upcard and the best discard.
        """
        top = UNIT[self.state._discards[-1]]
        more = self.hand + top
        now, with_it = weigh(self.state, self.hand), weigh(self.state, more)
        before = self.cost(self.hand, now.left) + now.price
        after = math.inf
        for code in faces(with_it.left - (with_it.left & top)):
            left = with_it.left - UNIT[code]
            cost = self.cost(more - UNIT[code], left) + with_it.price
            if not self.aims.whole and worth_of(self.terms, left) <= self._knock_up_to:
                cost -= _AT_ONCE
            after = min(after, cost)
        return before, after

    def lowers(self) -> bool:
        """
        Whether the upcard leaves no more points than the stock on average.
        """

        def left(code: int) -> int:
            return fewest_after_discard(self.terms, self.hand + UNIT[code])

        drawn = [count(self.hidden, code) * left(code) for code in faces(self.hidden)]
        return left(self.state._discards[-1]) * size(self.hidden) <= sum(drawn)

    def endings(self) -> tuple[list[End], list[End]]:
        """
        The discards by their cost, and those to knock with by the points they leave.
        """
        rated = sorted(self._rated())
        knocks: list[End] = sorted(
            (points, -self.terms.worth[code], code)
            for _, points, code in rated
            if points <= self.limit and may_knock_with(self.state, self.seat, code)
        )
        return rated, knocks

    def _rated(self) -> Iterator[End]:
        """
        The cards that may be discarded, each with its cost and the points it leaves.

        Cards of melds count only if there are no others, or if all hands count and the
        hand is shown after the discard: another partition may leave a dearer card.
        """
        state, terms, hand = self.state, self.terms, self.hand
        held = weigh(state, hand)
        least = held.left
        whole = self.aims.whole and (
            bool(state.out) or not fewest_after_discard(terms, hand)
        )
        for part in (hand,) if whole else (least, hand - least):
            throwable = [
                code
                for code in faces(part)
                if refuse_thrown(state, self.seat, code) is None
            ]
            for code in throwable:
                # A card that is unmatched in the best arrangement needs no other check.
                kept, left = held, least - UNIT[code]
                if part is not least:
                    kept = weigh(state, hand - UNIT[code])
                    left = kept.left
                points = worth_of(terms, left)
                cost: float = points
                if not state.out:
                    cost = self.cost_of_throwing(hand, left + UNIT[code], code)
                yield cost + kept.price, points + kept.price, code
            if throwable:
                return

    def knocks_now(self, knock: End) -> bool:
        """
        Whether the best knock is better than waiting.
        """
        points, _, code = knock
        if points and self.state.match.rules.out.knocks_freely:
            chance = chance_of_lowest(self.state, self.seat, points)
            return chance > self.aims.likely
        if not points or points > self._knock_up_to:
            return not points
        if not self._waits:
            return True
        if self.state.turns[self.seat] < _WAITING or stock_left(self.state) <= 1:
            return True
        rest = self.hand - UNIT[code]
        # One more card may leave nothing unmatched.
        return not any(
            size(least_unmatched(self.terms, rest + UNIT[one])) <= 1
            for one in faces(self.hidden)
        )

    def cost(self, hand: int, left: int) -> float:
        """
        The deadwood points, less what is likely to be matched.

        Args:
            hand: The hand.
            left: Its deadwood in the best arrangement.
        """
        worth, each, hope = self.terms.worth, self._each, self.aims.hope
        return sum(
            [
                (worth[code] + each) * (1 - hope * self.matches(hand, left, code))
                for code in codes(left)
            ]
        )

    def cost_of_throwing(self, hand: int, left: int, code: int) -> float:
        """
        What it costs to discard a card: the rest of the hand, and what it may give.

        Args:
            hand: The hand, with the card.
            left: Its deadwood in the best arrangement, with the card.
            code: The card.
        """
        card = UNIT[code]
        cost = self.cost(hand - card, left - card) + self.gift(code)
        return cost + _WILD * self.terms.wild[code]

    def matches(self, hand: int, left: int, code: int) -> float:
        """
        About how likely an unmatched card is to be in a meld soon.
        """
        near = self._company[code]
        # Cards that share no meld with it make no difference.
        key = code, hand & near.all, left & near.all
        found = self._matched.get(key)
        if found is None:
            found = self._matched[key] = self._matches(*key, near)
        return found

    def _matches(self, code: int, hand: int, left: int, near: Company) -> float:
        if self.terms.wild[code]:
            return 1.0
        hidden, coming = self.hidden, self._coming
        misses, wanted = 1.0, 0.0
        held = size(hand & near.mates) - 1
        partners = size(hidden & near.mates)
        if held > 0:
            free = size(left & near.mates) - 1
            wanted += partners * min(1.0, free + _BOUND * (held - free))
        elif partners > 1:
            misses *= 1 - min(1.0, _BOTH * (coming * partners) ** 2 / 2)
        for one, other, _ in near.pairs:
            if hand & one:
                if not hand & other and hidden & other:
                    wanted += 1.0 if left & one else _BOUND
            elif hand & other:
                if hidden & one:
                    wanted += 1.0 if left & other else _BOUND
            elif hidden & one and hidden & other:
                misses *= 1 - min(1.0, _BOTH * coming * coming)
        return 1 - misses * math.exp(-coming * wanted)

    def gift(self, code: int) -> float:
        """
        About how many points a discard is worth to the player who may take it.
        """
        terms = self.terms
        price = _GIFT + _GIFT_POINTS * terms.worth[code]
        if terms.wild[code]:
            return price
        near = self._company[code]
        known, hidden, share = self.known, self.hidden, self._share
        useless = 1 - self._holds_two(near.mates)
        for one, other, thirds in near.pairs:
            seen = bool(known & one) + bool(known & other)
            if seen == 2:
                return price
            if seen:
                if hidden & (other if known & one else one):
                    useless *= 1 - min(1.0, share * _COLLECTED)
            elif hidden & one and hidden & other:
                declined = self._pile & thirds & ~FIELD[code]
                useless *= 1 - share * share * (_DECLINED if declined else 1)
        return price * (1 - useless)

    def _holds_two(self, mates: int) -> float:
        """
        About how likely the other player is to hold two cards of a rank.

        Args:
            mates: The cards of the rank.
        """
        known, share = size(self.known & mates), self._share
        if known:
            share = min(1.0, share * _COLLECTED)
        _, two = one_or_two(known, size(self.hidden & mates), share)
        return two if known or not self._pile & mates else two * _DECLINED


GREEDY: Final = _style(_betters, _lowest)
_WAITING_STYLE: Final = _style(_brings_enough, _ends)


def _takes(state: AnyState, seat: int) -> Iterator[Action]:
    """
    To leave the round, or to take the upcard.
    """
    if state.phase == "draw":
        yield from _given_up(state, seat)
    yield from _WAITING_STYLE.takes(state, seat)


CAREFUL: Final = attrs.evolve(_WAITING_STYLE, takes=_takes)
