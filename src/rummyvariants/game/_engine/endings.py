"""
The end of a turn: which cards may be discarded, and with which a player may knock.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rummyvariants.actions import discard
from rummyvariants.cards import (
    CARDS,
    FIELD,
    UNIT,
    count,
    faces,
    lowest,
    size,
)
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import (
    AnyState,
    is_playable,
)
from rummyvariants.game._engine.transfers import refills
from rummyvariants.game._round import Drawn
from rummyvariants.game._state import stock_left
from rummyvariants.melds._deadwood import (
    by_number,
    fewest_after_discard,
    fewest_points,
    least_unmatched,
    surely_leaves,
)
from rummyvariants.melds._partitions import (
    can_leave,
)
from rummyvariants.melds._tables import Terms, plain
from rummyvariants.policies.out import NO_LIMIT
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


def refuse_discard(state: AnyState, seat: int, code: int) -> Objection | None:
    """
    Why a card of the hand may not be discarded, apart from dead ends.
    """
    if must_knock(state):
        return Objection(
            "stock.when_empty", "the last discard may be taken only to knock with it"
        )
    return refuse_thrown(state, seat, code)


def discards_of(state: AnyState, seat: int) -> int:
    """
    The cards of a hand that may be discarded, apart from dead ends, as a multiset.
    """
    hand, drawn = state._hands[seat], state.drawn
    if size(hand) > 1 and not drawn.duties:
        goes = discardable(state, holder=seat)
        if goes:
            return 0 if must_knock(state) else hand & goes
    if any(duty.is_binding for duty in drawn.duties):
        return 0
    allowed = hand = throwable(hand, drawn)
    for code in faces(hand):
        if refuse_discard(state, seat, code) is not None:
            allowed &= ~FIELD[code]
    return allowed


def discardable(state: AnyState, holder: int | None = None) -> int:
    """
    Mask of the cards that certainly may be discarded, except as the last of a hand.

    Args:
        state: The state.
        holder: Whose hand it is about, as it is now; None for a hand that holds more
            than ``rules.few`` of these cards.
    """
    rules, drawn = state.match.rules, state.drawn
    if "must_go_out" in rules.asked:
        if asking.refusal(state, state.frames[0].seat, "must_go_out") is not None:
            return 0
        if holder is None and not asking.lasts(state, "must_go_out", *_AFTER_DRAW):
            return 0
    goes = rules.discardable
    if holder is not None and "discards" in rules.asked:
        goes = asking.cards_allowed(state, holder) & rules.discard.sure_mask
    if rules.discard.keeps_taken and drawn.source == "discards":
        if len(drawn._cards) == 1:
            code = drawn._cards[0]
            twins = 0 if holder is None else count(state._hands[holder], code)
            if not (rules.discard.throws_twin and twins > 1):
                return goes & ~FIELD[code]
    return goes


_AFTER_DRAW: Final = ("answer", "drawn", "source")
"""Facts that change no more in a turn once a card is laid or discarded."""


def goes_later(state: AnyState, seat: int) -> int:
    """
    As `discardable`, of the turn that begins with a draw that is still to be made.
    """
    rules = state.match.rules
    if "must_go_out" in rules.asked:
        if not asking.is_silent(state, seat, "must_go_out"):
            return 0
    return rules.discardable


def has_to_throw(rules: Ruleset, goes: int) -> bool:
    """
    Whether cards of `discardable` are enough for one of them to be discarded surely.
    """
    return bool(goes) and (not rules.few or size(goes) > rules.few)


def throwable(hand: int, drawn: Drawn) -> int:
    """
    The cards that may be discarded if those owed need not be played.
    """
    for duty in drawn.duties:
        hand &= FIELD[duty.code]
    return hand


def must_knock(state: AnyState) -> bool:
    """
    Whether the player in turn took the last discard, and so has to knock.
    """
    return (
        state.match.rules.stock.last_is_to_knock
        and state.drawn.source == "discards"
        and stock_left(state) < 1
    )


def knock_limit(state: AnyState) -> int:
    """
    The most points of unmatched cards that a knock or declaration leaves; -1 for none.
    """
    rules = state.match.rules
    if state.out and rules.out.declares:
        return -1
    limit: int = rules.out.fixed_limit
    return limit if limit >= -1 else rules.out.limit(state.dealt.upcard)


def most_left(state: AnyState) -> str:
    """
    How many points of unmatched cards a knock leaves, in words.
    """
    limit = knock_limit(state)
    return "any number" if limit == NO_LIMIT else f"{limit} at most"


def terms_of_rest(state: AnyState) -> Terms:
    """
    The terms by which the cards count that a knock or declaration leaves.

    A declaration leaves none, not even a card that is worth nothing or less.
    """
    terms = state.dealt.terms
    return by_number(terms) if state.match.rules.out.declares else terms


def can_knock(state: AnyState, seat: int) -> bool:
    """
    Whether a hand after the draw allows some knock.
    """
    return points_allow_knock(state, seat) and any(
        may_knock_with(state, seat, code) for code in (*faces(state._hands[seat]), -1)
    )


def _may_knock(state: AnyState, seat: int) -> bool:
    """
    Whether no house rule forbids to knock.
    """
    return asking.refusal(state, seat, "may_knock") is None


def points_allow_knock(state: AnyState, seat: int) -> bool:
    """
    Whether some discard, allowed or not, would leave few enough points.
    """
    limit = knock_limit(state)
    if limit < 0 or not _may_knock(state, seat):
        return False
    needed = terms_of_rest(state)
    terms = plain(needed)
    hand = state._hands[seat]
    if needed is not state.dealt.terms and surely_leaves(needed, hand) > limit + 1:
        return False
    dearest = next((hand & cards for cards in terms.by_worth if hand & cards), 0)
    # A discard reduces unmatched points by no more than it is worth.
    most = limit + terms.worth[lowest(dearest)]
    least = fewest_points(terms, hand, most)
    if least > most:
        return False
    if least and fewest_after_discard(terms, hand) > limit:
        return False
    if not needed.has_lives:
        return True
    rests = (hand, *[hand - UNIT[code] for code in faces(hand)])
    return any(
        surely_leaves(needed, one) <= limit and can_leave(needed, one, limit)
        for one in rests
    )


def may_knock_with(state: AnyState, seat: int, code: int) -> bool:
    """
    Whether a knock with a discard is possible; with -1, whether one without it is.
    """
    limit = knock_limit(state)
    if limit < 0 or not _may_knock(state, seat):
        return False
    terms = terms_of_rest(state)
    hand = state._hands[seat]
    if code < 0:
        if not shows_all(state, seat):
            return False
        if terms.has_lives and not can_leave(terms, hand, 0):
            return False
        return not least_unmatched(terms, hand)
    rest = hand - UNIT[code]
    if terms.has_lives and not can_leave(terms, rest, limit):
        return False
    if not terms.has_lives and fewest_points(terms, rest, limit) > limit:
        return False
    return refuse_thrown(state, seat, code) is None


def may_be_wrong(state: AnyState, seat: int, code: int) -> bool:
    """
    Whether a hand may be declared wrongly with a discard; with -1, without one.
    """
    out = state.match.rules.out
    if out.wrong_points is None or knock_limit(state) < 0:
        return False
    if not _may_knock(state, seat):
        return False
    if code < 0:
        return shows_all(state, seat)
    return refuse_thrown(state, seat, code) is None


def shows_all(state: AnyState, seat: int) -> bool:
    """
    Whether a seat may show the whole hand in melds now, without a discard.
    """
    if state.phase == "draw":
        return may_show_dealt(state, seat)
    return bool(state.match.rules.out.shows_all)


def may_show_dealt(state: AnyState, seat: int) -> bool:
    """
    Whether a seat may declare the hand as it was dealt, if the hand is fit for it.
    """
    first = state.phase == "draw" and not (state.turns[seat] or state.out)
    return first and bool(state.match.rules.out.dealt_hand)


def refuse_thrown(state: AnyState, seat: int, code: int) -> Objection | None:
    """
    Why a card of the hand may not be thrown away, in a knock or without one.
    """
    rules = state.match.rules
    drawn = state.drawn
    taken = b""
    for duty in drawn.duties:
        if duty.is_binding:
            return Objection(duty.path, f"{CARDS[duty.code]} {duty}")
        if duty.code != code:
            return Objection(
                duty.path,
                f"{CARDS[duty.code]} {duty}, so it must be the discard",
            )
    if drawn.source == "discards":
        taken = drawn._cards
    hand = state._hands[seat]
    wrong: Objection | None = rules.discard.refuse(
        code, taken=taken, left=size(hand), copies=count(hand, code)
    )
    asked = rules.asked
    if wrong is None and (not rules.settled.plays_by_values or "refills" in asked):
        if "discards" in asked:
            wrong = asking.refusal(state, seat, "discards", CARDS[code])
        if wrong is None and hand == UNIT[code]:
            if "refills" in asked and refills(state, seat):
                wrong = asking.refusal(state, seat, "must_go_out")
                return wrong or asking.forbidden(state, discard(code, seat), None)
            wrong = asking.refusal(state, seat, "may_go_out")
        elif wrong is None and "must_go_out" in asked:
            if size(hand) > discards_due(state, seat):
                wrong = asking.refusal(state, seat, "must_go_out")
        if wrong is None and "forbids" in asked:
            wrong = asking.forbidden(state, discard(code, seat), None)
    if wrong is not None:
        return wrong
    floats = bool(state._floating >> seat & 1) and rules.out.floats_on_stock
    if (
        (floats or rules.out.keeps_playable)
        and hand == UNIT[code]
        and is_playable(state, code)
    ):
        reason = (
            f"{CARDS[code]} fits a meld on the table, so it cannot be the last discard"
        )
        if floats:
            return Objection("out.floating", reason, ("out.last_discard",))
        return Objection("out.last_discard", reason)
    return None


def discards_due(state: AnyState, seat: int) -> int:
    """
    How many discards the turn still ends with, as long as the hand has cards.
    """
    _, owed = asking.answer_to(state, seat, "discards_owed") or ("", 1)
    return max(owed - state.frames[0].discards_made, 1)


def refuse_empty_hand(state: AnyState, seat: int) -> Objection | None:
    """
    Why a seat may not play its last card.
    """
    if "refills" in state.match.rules.asked and refills(state, seat):
        # Nobody knows yet whether the hand that comes could go out.
        return asking.refusal(state, seat, "must_go_out")
    if state.match.rules.out.keeps_a_card:
        return Objection("out.empty_hand", "the last card has to be discarded")
    wrong = asking.refusal(state, seat, "may_go_out")
    if wrong is None and not state.match.rules.out.by_empty_hand:
        wrong = asking.refusal(state, seat, "must_go_out")
    return wrong


def may_discard(state: AnyState, seat: int) -> Iterator[int]:
    """
    The codes of the cards that a seat may discard now.
    """
    for code in faces(state._hands[seat]):
        if refuse_discard(state, seat, code) is None:
            yield code
