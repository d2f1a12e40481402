"""What a round is worth: every point with its card, its reason and its rule."""

from __future__ import annotations

from collections.abc import Iterator

from rummyvariants.cards import CARDS, codes
from rummyvariants.melds import Meld, is_low_ace
from rummyvariants.state import Draft, RoundResult, ScoreItem, State


def round_result(state: State | Draft, how: str) -> RoundResult:
    """
    The result of a round if it ends here.

    Args:
        state: The round, its cards as they lie.
        how: ``out``, ``stock`` or ``idle``.
    """
    rules = state.match.rules
    question = {
        "out": "out.empty_hand"
        if rules.out.empty_hand == "out"
        else "out.last_discard",
        "stock": "stock.when_empty",
        "idle": "stock.idle_rounds",
    }[how]
    items = tuple(_items(state))
    points = [0] * len(state.match.players)
    for item in items:
        points[item.seat] += item.points
    return RoundResult(
        tuple(points),
        items,
        state.out[0] if state.out else None,
        how,
        rules.rule_of(question),
    )


def _items(state: State | Draft) -> Iterator[ScoreItem]:
    rules = state.match.rules
    assert state.dealt is not None  # noqa: S101 -- for the type checker
    for meld in state._table:
        yield from _down(state, meld)
    if state.dealer_wild is not None:
        yield from _dealers_wild(state, state.dealer_wild, state.dealt.dealer)
    yield from _hands(state)
    if state.out and rules.score.out_bonus:
        yield ScoreItem(
            state.out[0],
            None,
            rules.score.out_bonus,
            "for going out",
            rules.rule_of("score.out_bonus"),
        )


def _down(state: State | Draft, meld: Meld) -> Iterator[ScoreItem]:
    """
    The points of a meld on the table, each for the player who laid the card.
    """
    rules = state.match.rules
    assert state.dealt is not None  # noqa: S101 -- for the type checker
    terms = state.dealt.terms
    laid = [
        (index, slot.card, slot.seat, False) for index, slot in enumerate(meld.slots)
    ]
    laid += [(one.index, one.card, one.seat, True) for one in meld.beside]
    for index, card, seat, beside in laid:
        wild = terms.wild[card.code]
        low_ace = not beside and is_low_ace(terms, meld, index)
        question, rule = rules.scored_by(card.code, wild=wild, low_ace=low_ace)
        points = (
            terms.low_ace if question == "score.low_ace" else terms.worth[card.code]
        )
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
        yield ScoreItem(seat, card, points, reason, rule)


def _dealers_wild(state: State | Draft, meld: Meld, dealer: int) -> Iterator[ScoreItem]:
    """
    The dealer's wild on the table, for or against, and what was built on it.
    """
    rules = state.match.rules
    assert state.dealt is not None  # noqa: S101 -- for the type checker
    card = meld.slots[0].card
    points = state.dealt.terms.worth[card.code]
    for_dealer = bool(state._has_meld >> dealer & 1)
    yield ScoreItem(
        dealer,
        card,
        points if for_dealer else -points,
        "face up before the dealer" if for_dealer else "face up, and no meld put down",
        rules.rule_of("score.face_up_wild"),
    )
    yield from list(_down(state, meld))[1:]


def _hands(state: State | Draft) -> Iterator[ScoreItem]:
    rules = state.match.rules
    assert state.dealt is not None  # noqa: S101 -- for the type checker
    worth = state.dealt.terms.worth
    rule = rules.rule_of("score.hands")
    names = state.match.players
    for seat, hand in enumerate(state._hands):
        for code in codes(hand):
            if rules.score.hands == "subtract":
                yield ScoreItem(
                    seat, CARDS[code], -worth[code], "left in the hand", rule
                )
            elif rules.score.hands == "to the one who is out" and state.out:
                winner = state.out[0]
                if seat != winner:
                    yield ScoreItem(
                        winner,
                        CARDS[code],
                        worth[code],
                        f"left in the hand of {names[seat]}",
                        rule,
                    )
