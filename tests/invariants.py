"""What must hold of every state, and of every step from one to the next."""

from __future__ import annotations

from collections import Counter

import attrs

import naive

from rummyvariants import IllegalAction, State, apply, check, legal_actions, step
from rummyvariants.cards import CARDS, CODES, count, size
from rummyvariants.game._scoring import round_result
from rummyvariants.game.actions import Action
from rummyvariants.melds._meld import Meld, built


ACTING = {"choose", "draw", "play", "call", "discard", "offer", "layoff"}


def cards_of(state: State) -> Counter[int]:
    """
    The codes of all the cards of a state, wherever they lie.
    """
    found: Counter[int] = Counter()
    for hand in state.hands:
        found.update(card.code for card in hand)
    found.update(card.code for card in state.stock)
    found.update(card.code for card in state.discards)
    for meld in (*state.table, state.dealer_wild):
        if meld is not None:
            found.update(card.code for card in meld.cards)
    if state.dealt is not None and state.dealt.indicator is not None:
        found[state.dealt.indicator.code] += 1
    if state.dealing is not None:
        found[state.dealing.upcard] += 1
    return found


def deck_of(state: State) -> Counter[int]:
    """
    The codes of the cards that the rules ask for.
    """
    return Counter(state.rules.deck.cards_for(len(state.players)))


def is_gathered(state: State) -> bool:
    """
    Whether the cards are gathered up: before the first deal, or after one thrown in.
    """
    return state.phase == "deal" and state.result is None


def look_at(state: State, deck: Counter[int] | None = None) -> None:
    """
    Assert what must hold of a state.

    Args:
        state: The state.
        deck: The cards that it has to hold; by default those of a whole deck.
    """
    if is_gathered(state):
        assert not cards_of(state)
        assert not state.to_act
        return
    assert cards_of(state) == (deck_of(state) if deck is None else deck)
    _look_at_hands(state)
    _look_at_turn(state)
    _look_at_table(state)
    if state.is_round_over:
        _look_at_result(state)


def _look_at_hands(state: State) -> None:
    for bits in state._hands:
        assert sum(count(bits, code) << 4 * code for code in range(CODES)) == bits
        assert size(bits) == sum(count(bits, code) for code in range(CODES))
        assert all(CARDS[code].rank for code in range(CODES) if count(bits, code))
    if state.phase == "choose":
        return
    for seat in state.floating:
        playing = state.phase == "play" and state.turn == seat
        assert playing or not state._hands[seat], f"seat {seat} floats with cards"
    for seat, hand in enumerate(state._hands):
        if not hand and not state.is_round_over:
            assert seat in state.floating or seat in state.out


def _look_at_turn(state: State) -> None:
    players = len(state.players)
    assert bool(state.to_act) == (state.phase in ACTING)
    assert all(0 <= seat < players for seat in state.to_act)
    assert len(set(state.to_act)) == len(state.to_act)
    assert bool(state.winners) == state.is_over
    assert (state.window is not None) == (state.phase in {"call", "discard"})
    assert (state.drawn is not None) == (state.phase == "play")
    assert (state.dealing is not None) == (state.phase == "choose")
    assert len(state.turns) == players
    if state.phase in ACTING:
        assert state.idle <= state.rules.stock.idle_rounds * players
    if state.drawn is not None:
        for duty in state.drawn.duties:
            assert count(state._hands[state.turn], duty.code), "a card owed is gone"
        owed = naive.owed_by_a_take(state)
        if owed is not None:
            assert [CARDS[duty.code] for duty in state.drawn.duties] == owed


def _look_at_table(state: State) -> None:
    assert state.dealt is not None
    terms = state.dealt.terms
    rules = naive.MeldRules.of(state)
    makers = set()
    for meld in (*state.table, state.dealer_wild):
        if meld is None:
            continue
        assert naive.is_standing(rules, meld), f"{meld} is no {meld.kind}"
        fresh = built(terms, meld.kind, meld.slots, meld.maker, meld.low, meld.beside)
        assert _fits(meld) == _fits(fresh), f"what fits {meld} is not up to date"
        if meld.kind != "wild":
            makers.add(meld.maker)
    if state.rules.match.sides != "none":
        half = len(state.players) // 2
        makers = {one for seat in makers for one in (seat % half, seat % half + half)}
    if not state.from_position:
        fours = naive.fours_at_once(state)
        if fours is not None:
            assert state.doubled == tuple(fours)
            for number, laid in fours.items():
                slots = state.table[number - 1].slots
                assert laid == Counter((s.card, s.seat) for s in slots if s.twice)
        assert makers == {s for s in range(len(state.players)) if state.has_meld(s)}


def _fits(meld: Meld) -> tuple[int, int, bool]:
    return meld.grows, meld.real, meld.takes_wild


def _look_at_result(state: State) -> None:
    result = state.result
    assert result is not None
    assert result.items == round_result(state, result.how).items
    twice = [one for one in result.items if "going rummy" in one.reason]
    if twice and not state.from_position:
        assert naive.went_rummy(state)
    more = [one for one in result.items if "once more, as one of four" in one.reason]
    assert Counter((one.card, one.seat) for one in more) == Counter(
        (slot.card, slot.seat)
        for meld in state.table
        for slot in meld.slots
        if slot.twice and state.rules.score.down == "add"
    )
    assert all(
        any(
            (one.card, one.seat, one.points) == (two.card, two.seat, two.points)
            for two in result.items
            if two not in more
        )
        for one in more
    )
    if state.out and isinstance(state.rules.score.rummy, int):
        assert state.from_position or bool(twice) == naive.went_rummy(state)
    half = len(state.players) // 2
    if state.rules.match.sides != "none":
        assert state.sides == tuple((seat, seat + half) for seat in range(half))
        assert {seat % half for seat in state.winners} == {
            seat - half for seat in state.winners if seat >= half
        }
    assert sum(state.side_scores) == sum(state.final_scores)
    match = state.rules.match
    if state.is_over and not match.counts_boxes and match.columns == 1:
        won = [
            after - before
            for after, before in zip(
                state.side_scores, state.by_side(state.scores), strict=True
            )
        ]
        assert won == naive.won_with_the_match(state)
    assert sum(state.payments) == 0
    for seat, points in enumerate(result.points):
        assert points == sum(one.points for one in result.items if one.seat == seat)
    assert all(item.rule and item.reason for item in result.items)


def fingerprint(state: State) -> tuple[str, ...]:
    """
    Everything that a state holds, as text, so that a change of any part would show.

    Rules, terms and what was worked out about the state are left out.
    """
    match = state.match
    melds = [*state.table, state.dealer_wild]
    return (
        *(
            f"{name}={getattr(state, name)!r}"
            for name in attrs.fields_dict(type(state))
            if name not in {"match", "_history", "_fits", "_known"}
        ),
        *(f"{one}" for one in attrs.astuple(match, recurse=False)[1:]),
        *(f"{meld!r} {_fits(meld)}" for meld in melds if meld is not None),
        f"{id(state._history)} {id(state._history.before)} {state._history.action!r}",
    )


def look_at_step(before: State, action: Action) -> State:
    """
    Do an action that should be legal, and assert what must hold of such a step.

    Returns:
        The state after it.
    """
    kept = fingerprint(before)
    number = hash(before)
    assert check(before, action), f"{action} is listed, but {check(before, action)}"
    done = step(before, action)
    after = apply(before, action)
    assert hash(before) == number
    assert fingerprint(before) == kept
    assert after == done.after
    assert hash(after) == hash(done.after)
    assert done.before is before
    assert after.history[-1] == done.action
    if not is_gathered(before):
        if not is_gathered(after) and before.phase not in {"deal", "over"}:
            assert cards_of(after) == cards_of(before)
    return after


def look_at_refusal(state: State, action: Action) -> None:
    """
    Assert what must hold where an action is refused.
    """
    kept = fingerprint(state)
    ruling = check(state, action)
    assert not ruling
    assert ruling.reason
    assert ruling.rule
    try:
        apply(state, action)
    except IllegalAction as error:
        assert error.ruling == ruling
        assert f"refused: {error}" == str(ruling)
    else:
        raise AssertionError(f"{action} is refused, but done")
    assert fingerprint(state) == kept


def look_at_liveliness(state: State) -> None:
    """
    Assert that somebody can act, a deal is due, or the match is over.
    """
    if state.phase in {"deal", "over"}:
        assert not legal_actions(state)
        assert not list(legal_actions(state))
        return
    assert legal_actions(state)
    for seat in state.to_act:
        assert next(iter(legal_actions(state, seat)), None) is not None
