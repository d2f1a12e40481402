"""What a round is worth: every point with its card, its reason and its rule."""

from __future__ import annotations

import functools

from collections.abc import Iterator
from typing import Final

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants.cards import CARDS, codes
from rummyvariants.errors import RequestError, nearest
from rummyvariants.game import _asking as asking
from rummyvariants.game._round import BY_RULE, DEALT_HAND, RoundResult, ScoreItem
from rummyvariants.game._state import Draft, State, absent, noted, side_of
from rummyvariants.house.facts import LAID_BEFORE, left_round, points_in_hand
from rummyvariants.melds._deadwood import least_unmatched, worth_of
from rummyvariants.melds._meld import Meld, is_low_ace


@explained
def round_result(state: State | Draft, how: str) -> RoundResult:
    """
    The result of a round that ends in a state.

    Args:
        state: The round, its cards as they lie.
        how: How it ends: ``out`` (somebody goes out), ``dealt hand`` (somebody declares
            the hand as it was dealt), ``stock`` (it is empty), ``idle`` (nobody has
            drawn from it or laid a card for too long), ``drop`` (all others have left
            it), ``knock``, ``gin``, ``big gin``, or ``rule`` (a house rule ends it).

    Raises:
        RequestError: If no round ends like this.
    """
    rules = state.match.rules
    out = "out.empty_hand" if rules.out.by_empty_hand else "out.last_discard"
    paths = {
        "out": "out.declare" if rules.out.declares else out,
        DEALT_HAND: "out.dealt_hand",
        "stock": "stock.when_empty",
        "idle": "stock.idle_rounds",
        "drop": "out.dropped_hand",
        "knock": "out.knock",
        "gin": "out.knock",
        "big gin": "out.big_gin",
        BY_RULE: "RV-07",
    }
    path = paths.get(how)
    if path is None:
        msg = f"no round ends by {how!r}{nearest(how, paths)}"
        raise RequestError(msg)
    counts = how != "idle" or rules.stock.idle_counts
    items = _items(state, how) if counts else []
    points = tuple(_by_seat(state, items))
    return RoundResult(
        points,
        tuple(items),
        state.out[0] if state.out else None,
        how,
        rules.rule_of(path),
        state.match.players,
        tuple(asking.points(state, "pays", how, points)) if counts else (),
    )


@functools.lru_cache(maxsize=8192)
def _item(seat: int, code: int, points: int, reason: str, rule: str) -> ScoreItem:
    """
    The points of a card; the same object in all results, since most cards count alike.
    """
    return ScoreItem(seat, CARDS[code], points, reason, rule)


def _by_seat(state: State | Draft, items: list[ScoreItem]) -> list[int]:
    """
    The sums of items by seat.
    """
    total = [0] * len(state.match.players)
    for item in items:
        total[item.seat] += item.points
    return total


def _items(state: State | Draft, how: str) -> list[ScoreItem]:
    rules = state.match.rules
    items = _with_house_rules(state, how)
    twice = counts_twice(state)
    winner = None
    if rules.match.box_at_once:
        winner = rules.match.round_winner(_by_seat(state, items))
    if winner is not None:
        points, rule = rules.match.box_bonus, rules.rule_of("match.box_counts")
        items.append(ScoreItem(winner, None, points, "for a box", rule))
    if twice:
        rule = rules.rule_of("score.spade_upcard")
        reason = "once more, for a spade upcard"
        items += [
            ScoreItem(seat, None, points, reason, rule)
            for seat, points in enumerate(_by_seat(state, items))
            if points
        ]
    return items


def _with_house_rules(state: State | Draft, how: str) -> list[ScoreItem]:
    """
    The items from the policy values, then those from house rules.
    """
    items = [*_plain_items(state, how), *asking.awarded(state)]
    total = _by_seat(state, items)
    for item in asking.points(state, "score", how, total):
        total[item.seat] += item.points
        items.append(item)
    return items


def counts_twice(state: State | Draft) -> bool:
    """
    Whether the round counts twice because a spade began the discard pile.
    """
    upcard = state.dealt.upcard
    spades = state.match.rules.score.spade_upcard
    return bool(spades) and upcard is not None and upcard.suit == "s"


def points_on_table(state: State | Draft, seat: int) -> int:
    """
    The points of the cards that a seat has on the table; 0 where they do not count.
    """
    return sum(item.points for item in _on_table(state) if item.seat == seat)


def _on_table(state: State | Draft) -> list[ScoreItem]:
    found: list[ScoreItem] = []
    if state.match.rules.score.counts_table:
        for meld in state._table:
            items = _down(state, meld)
            found += items
            found += _once_more(state, meld, items)
    if state.dealer_wild is not None:
        found += _dealers_wild(state, state.dealer_wild, state.dealt.dealer)
    return found


def _plain_items(state: State | Draft, how: str) -> list[ScoreItem]:
    rules = state.match.rules
    found = _on_table(state)
    # The last player left in a round has won it, whatever the hand holds.
    hands = [] if how == "drop" else _hands(state, how)
    found += hands
    void = not state.out and how != "drop" and rules.score.blocks_all
    for seat, points, path in () if void else left_round(state):
        reason = "for leaving the round"
        if path == "out.wrong_declaration":
            reason = "for a wrong declaration"
        signed = points if rules.match.lowest_wins else -points
        found.append(ScoreItem(seat, None, signed, reason, rules.rule_of(path)))
    if state.out and rules.score.counts_rummy and went_rummy(state):
        found += _rummy(state, hands)
    if state.out and rules.score.out_bonus:
        points, rule = rules.score.out_bonus, rules.rule_of("score.out_bonus")
        found.append(ScoreItem(state.out[0], None, points, "for going out", rule))
    if how in KNOCKS:
        found += _knocked(state, how)
    return found


KNOCKS: Final = frozenset({"knock", "gin", "big gin"})
"""The ways in which a knock ends a round."""


def _knocked(state: State | Draft, how: str) -> Iterator[ScoreItem]:
    """
    What a knock scores: the difference between the unmatched cards, and the bonuses.
    """
    rules = state.match.rules
    score = rules.score
    knocker = state.out[0]
    if how != "knock":
        name = "big_gin_bonus" if how == "big gin" else "gin_bonus"
        yield from _bonus(state, knocker, name, f"for {how}")
    if not score.counts_difference:
        return
    terms = state.dealt.terms
    other = next(seat for seat in range(len(state._hands)) if seat != knocker)
    mine = state._hands[knocker]
    theirs = least_unmatched(terms, state._hands[other])
    winner = "knocker"
    if how == "knock":
        winner = score.knock_winner(worth_of(terms, mine), worth_of(terms, theirs))
    if winner == "nobody":
        return
    seat, better, loser, worse = knocker, mine, other, theirs
    if winner == "other":
        seat, better, loser, worse = other, theirs, knocker, mine
        yield from _bonus(state, seat, "undercut_bonus", "for an undercut")
    rule = rules.rule_of("score.hands")
    reason = f"unmatched in the hand of {state.match.players[loser]}"
    for code in codes(worse):
        yield _item(seat, code, terms.worth[code], reason, rule)
    for code in codes(better):
        yield _item(seat, code, -terms.worth[code], "unmatched", rule)


def _bonus(
    state: State | Draft, seat: int, name: str, reason: str
) -> Iterator[ScoreItem]:
    rules = state.match.rules
    points = getattr(rules.score, name)
    if points:
        points = -points if rules.match.lowest_wins else points
        yield ScoreItem(seat, None, points, reason, rules.rule_of(f"score.{name}"))


def _once_more(
    state: State | Draft, meld: Meld, items: list[ScoreItem]
) -> list[ScoreItem]:
    """
    The points of four cards that were put down at once, counted a second time.

    Args:
        state: The round.
        meld: A meld of it.
        items: The points of its cards in their order, those beside its wilds last.
    """
    rule = state.match.rules.rule_of("score.four_at_once")
    reason = "once more, as one of four put down at once"
    return [
        attrs.evolve(item, reason=reason, rule=rule)
        for slot, item in zip(meld.slots, items, strict=False)
        if slot.twice
    ]


def _four_aces(meld: Meld) -> int:
    """
    Mask of the seats that have four or more natural aces in a set.
    """
    if meld.kind != "set" or meld.rank != "A":
        return 0
    seats = [slot.seat for slot in meld.slots if slot.stands_for is None]
    return sum(1 << seat for seat in set(seats) if seats.count(seat) > 3)


def _down(state: State | Draft, meld: Meld) -> list[ScoreItem]:
    """
    The points of a meld on the table, each for the player who laid the card.
    """
    rules = state.match.rules
    terms = state.dealt.terms
    raised = rules.score.four_ace_points
    aces = 0 if raised is None else _four_aces(meld)
    laid = [
        (index, slot.card, slot.seat, False) for index, slot in enumerate(meld.slots)
    ]
    laid += [(one.index, one.card, one.seat, True) for one in meld.beside]
    found = []
    for index, card, seat, beside in laid:
        code = card.code
        wild = terms.wild[code]
        low_ace = not index and is_low_ace(terms, meld, index, card)
        path, rule = rules.scored_by(code, wild=wild, low_ace=low_ace)
        points = terms.low_ace if path == "score.low_ace" else terms.worth[code]
        own = None if beside else rules.worth_in(meld.slots[index], meld, terms.worth)
        if own is not None:
            rule, points = rules.rule_of(own[0]), own[1]
        elif aces >> seat & 1 and path == "score.points.A" and not beside:
            rule, points = rules.rule_of("score.four_aces"), raised or 0
        if beside:
            reason = "beside a wild"
        elif meld.kind == "wild":
            reason = "put down"
        elif seat == meld.maker:
            reason = "melded"
        else:
            reason = "laid off"
        if low_ace:
            reason += " as a low ace"
        elif wild:
            reason += " as a wild"
        found.append(_item(seat, code, points, reason, rule))
    return found


def _dealers_wild(state: State | Draft, meld: Meld, dealer: int) -> list[ScoreItem]:
    """
    The dealer's wild on the table, for or against the dealer, and what was built on it.
    """
    rules = state.match.rules
    card = meld.slots[0].card
    points = state.dealt.terms.worth[card.code]
    for_dealer = bool(state._has_meld >> dealer & 1)
    found = [
        ScoreItem(
            dealer,
            card,
            points if for_dealer else -points,
            "face up before the dealer"
            if for_dealer
            else "face up, and no meld put down",
            rules.rule_of("score.face_up_wild"),
        )
    ]
    if rules.score.counts_table:
        found += _down(state, meld)[1:]
    return found


def went_rummy(state: State | Draft) -> bool:
    """
    Whether the first player out laid the whole hand in that turn and nothing before.
    """
    seat = state.out[0]
    melds = state._table
    if state.dealer_wild is not None:
        built_on = state.dealer_wild.slots[1:]
        melds = (*melds, attrs.evolve(state.dealer_wild, slots=built_on))
    return not noted(state, LAID_BEFORE) >> seat & 1 and any(
        one.seat == seat for meld in melds for one in meld.laid
    )


def _rummy(state: State | Draft, hands: list[ScoreItem]) -> list[ScoreItem]:
    """
    What going rummy scores: the hands once more, or a bonus.
    """
    rules = state.match.rules
    rule = rules.rule_of("score.rummy")
    points, reason = rules.score.rummy_bonus, f"for {rules.meld.whole_hand}"
    if points is not None:
        seat, natural = state.out[0], rules.score.natural_bonus
        wild = state.dealt.terms.wild
        laid = [
            one.card for meld in state._table for one in meld.laid if one.seat == seat
        ]
        if natural is not None and not any(wild[card.code] for card in laid):
            points, reason = natural, f"{reason} without a wild"
            rule = rules.rule_of("score.natural_rummy")
        points = -points if rules.match.lowest_wins else points
        return [ScoreItem(seat, None, points, reason, rule)]
    twice = f"twice for {rules.meld.whole_hand}"
    return [
        attrs.evolve(item, reason=f"{item.reason}, {twice}", rule=rule)
        for item in hands
    ]


def _hands(state: State | Draft, how: str) -> list[ScoreItem]:
    """
    The points of the cards left in the hands.
    """
    rules = state.match.rules
    left = rules.score.left_over(out=bool(state.out))
    rule = rules.rule_of(left.path)
    found = []
    cards = _left(state)
    if left.sign:
        for seat, code, worth in cards:
            found.append(_item(seat, code, left.sign * worth, "left in the hand", rule))
    winner = _lowest(state) if left.to_lowest else None
    if left.to_out:
        winner = state.out[0]
    adjusted = list(_adjusted(state, how, cards))
    if left.sign:
        for seat, points, reason, by in adjusted:
            found.append(ScoreItem(seat, None, left.sign * points, reason, by))
    if winner is not None:
        names = state.match.players
        side = side_of(state, winner)
        for seat, code, points in cards:
            if not side >> seat & 1:
                reason = f"left in the hand of {names[seat]}"
                found.append(_item(winner, code, points, reason, rule))
        for seat, points, reason, by in adjusted:
            if not side >> seat & 1:
                whose = f"the hand of {names[seat]}, {reason}"
                found.append(ScoreItem(winner, None, points, whose, by))
    return found


def _adjusted(
    state: State | Draft, how: str, cards: list[tuple[int, int, int]]
) -> Iterator[tuple[int, int, str, str]]:
    """
    What rounds, caps, halves or doubles the points of the cards left in each hand.

    Args:
        state: The round.
        how: How it ends.
        cards: The holder, the code and the points of each card.

    Yields:
        The holder, the points to be added, the reason, and the rule.
    """
    rules = state.match.rules
    score = rules.score
    totals = [0] * len(state._hands)
    for seat, _, points in cards:
        totals[seat] += points
    for seat, points in enumerate(totals):
        had_turn = state.turns[seat] > 0
        dealt = how == DEALT_HAND
        changes = score.adjusted(points, had_turn=had_turn, dealt_hand=dealt)
        for more, reason, path in changes:
            yield seat, more, reason, rules.rule_of(path)


def _left(state: State | Draft) -> list[tuple[int, int, int]]:
    """
    Every card left in a hand: its holder, its code, its points.
    """
    found = []
    unmatched = state.match.rules.score.counts_unmatched
    for seat, hand in enumerate(state._hands):
        # What a knocker has left is not divided again.
        if unmatched and not (state.out == (seat,) and state.match.rules.out.knocks):
            hand = least_unmatched(state.dealt.terms, hand)  # noqa: PLW2901
        for code in codes(hand):
            found.append((seat, code, points_in_hand(state, code)))
    return found


def _lowest(state: State | Draft) -> int | None:
    """
    The seat with the fewest points in hand; None if several have as few.

    Players who have left the round, or are out of the match, have no hand.
    """
    gone = absent(state)
    totals = {seat: 0 for seat in range(len(state._hands)) if seat not in gone}
    for seat, _, points in _left(state):
        totals[seat] += points
    least = min(totals.values())
    lowest = [seat for seat, points in totals.items() if points == least]
    return lowest[0] if len(lowest) == 1 else None
