"""
What must hold of the list of legal actions.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

import attrs

from rummyvariants import State, apply, check, chooser, legal_actions
from rummyvariants._support.arguments import explained
from rummyvariants.actions import (
    Action,
    CallRummy,
    Choose,
    Deal,
    Discard,
    Draw,
    Knock,
    LayOff,
    NewMeld,
    Pass,
    PutWild,
    Split,
    Swap,
    Take,
)
from rummyvariants.cards import CARDS, Card
from rummyvariants.game import parse_action
from rummyvariants.game._engine.deals import next_dealer
from rummyvariants.game._meanings import meaning
from rummyvariants.game.verbs._known import offers_in
from rummyvariants.melds import Played
from rummyvariants.melds._meld import played
from rummyvariants.melds._tree import RandRange, leaves
from rummyvariants.rulings import IllegalAction, Ruling
from rummyvariants.testing.answers import check_answers
from rummyvariants.testing.holding import fail, hold, source_of
from rummyvariants.testing.house import (
    check_house_answers,
    check_kinds,
    check_reads,
)
from rummyvariants.testing.states import check_rule, fingerprint


_NONSENSE: Final = 1_000
"""A number of cards, or of a meld, that no game reaches."""
_CROWD: Final = 16
"""A number of cards of one face that no hand can hold; as bits they are one card."""


@explained
def check_legality(
    state: State, limit: int = 40, *, randrange: Random | RandRange | None = None
) -> None:
    """
    Assert that all ways to ask what is legal agree.

    Each listed action is legal by itself, by ``in`` and as text; so are actions at
    random and actions chosen step by step. No policy or rule refuses any of them, and
    rules read only what they declare. The kinds of melds that they declare grow card by
    card. Every legal take and discard is listed. A rule
    refuses nonsense, and `apply` refuses it with the same ruling; the same goes for an
    action that names a card more often than a hand can hold it, and for a deal by a
    seat.

    Args:
        state: The state.
        limit: How many legal actions to check.
        randrange: A source of chance, as for `LegalActions.sample`; the same each time
            by default.

    Raises:
        AssertionError: If a check fails.

    >>> rv.testing.check_legality(rv.new_game("rummy-500", 2))
    """
    source = source_of("legality", state, limit, randrange)
    legal = legal_actions(state)
    if not state.to_act:
        hold(not legal and not list(legal), "nobody may act, but something is legal")
        for wrong in _wrong_deals(state, source):
            _check_never(state, wrong)
        return
    check_reads(state)
    check_kinds(state)
    listed = list(itertools.islice(legal, limit))
    hold(legal, "somebody may act, but nothing is legal")
    hold(len(set(listed)) == len(listed), f"an action is listed twice: {listed}")
    for seat in state.to_act:
        hold(legal_actions(state, seat), f"seat {seat} may act, but cannot")
    for action in listed:
        _check_permission(state, action, "is listed")
    meanings = {meaning(state, one) for one in listed}

    def hold_listed(action: Action, how: str) -> None:
        is_listed = len(listed) == limit or meaning(state, action) in meanings
        hold(is_listed, f"{action} {how}, but is not listed")

    for _ in range(min(limit, 6)):
        action = legal.sample(source)
        _check_permission(state, action, "was picked at random")
        hold_listed(action, "was picked at random")
    _check_permission(state, _chosen(state, source), "was chosen step by step")
    for seat in state.to_act:
        _check_takes_and_discards(state, seat)
    for action in _crowds(state, source):
        _check_never(state, action)
    for action in _nonsense(state, source):
        ruling = check(state, action)
        hold(
            (action in legal) == bool(ruling),
            f"whether {action} is legal depends on how it is asked",
        )
        if ruling:
            hold_listed(action, "is legal")
        else:
            check_refusal(state, action, ruling)


def _check_permission(state: State, action: Action, how: str) -> None:
    ruling = check(state, action)
    hold(ruling, f"{action} {how}, but {ruling}")
    hold(action in legal_actions(state), f"{action} {how}, but not legal by 'in'")
    check_rule(state.rules, ruling.rule, f"leave for {action}")
    check_answers(state, action)
    check_house_answers(state, action)
    text = str(action)
    hold(
        parse_action(text, action.seat) == action,
        f"{action} reads back as {parse_action(text, action.seat)}",
    )
    hold(check(state, text, action.seat), f"{action} {how}, but not legal as text")


def _chosen(state: State, randrange: RandRange) -> Action:
    """
    An action chosen step by step, at random.
    """
    making = chooser(state)
    while making.action is None:
        hold(making.choices, f"no choice is left after {making.taken}")
        making = making.choose(making.choices[randrange(len(making.choices))])
    return making.action


def _check_takes_and_discards(state: State, seat: int) -> None:
    """
    Assert that exactly the legal takes and discards are listed.
    """
    tried: list[Action] = []
    if state.phase in {"draw", "offer"}:
        tried += [Take(number + 1, seat) for number in range(len(state.discards))]
    if state.phase in {"play", "discard"}:
        tried += [Discard(card, seat) for card in sorted(set(state.hands[seat]))]
    listed = [
        action
        for name, offer in offers_in(state)
        if name in {"take", "discard"}
        for action, _ in leaves(offer(state, seat))
    ]
    for action in tried:
        hold(
            bool(check(state, action)) == (action in listed),
            f"{action} is {'' if action in listed else 'not '}listed, but",
            check(state, action),
        )


def check_refusal(state: State, action: Action, ruling: Ruling) -> None:
    """
    Assert that `apply` also refuses a refused action, and that nothing changes.
    """
    kept = fingerprint(state)
    hold(ruling.reason, f"{action} is refused without a reason")
    for rule in ruling.cites:
        check_rule(state.rules, rule, f"the refusal of {action}")
    try:
        apply(state, action)
    except IllegalAction as error:
        hold(
            error.ruling == ruling,
            f"{action} is refused in two ways: {ruling.words}, and {error}",
        )
    else:
        fail(f"{action} is refused, but done: {ruling.words}")
    hold(fingerprint(state) == kept, f"{action} is refused, but changed the state")


def _check_never(state: State, action: Action) -> None:
    """
    Assert that an action that no game allows is refused however it is asked.
    """
    ruling = check(state, action)
    hold(not ruling, f"{action} of seat {action.seat} is legal")
    hold(action not in legal_actions(state), f"{action} is refused, but legal by 'in'")
    hold(not check(state, str(action), action.seat), f"{action} is legal as text")
    check_refusal(state, action, ruling)


def _nonsense(state: State, randrange: RandRange) -> Iterator[Action]:
    """
    Actions most of which make no sense, though a few may.
    """
    players = len(state.players)
    seats = dict.fromkeys((state.to_act[0], randrange(players), players, -1))
    for seat in seats:
        yield Draw(seat)
        yield Pass(seat)
        yield Take(0, seat)
        yield Take(1 + randrange(len(state.discards) + 1), seat)
        yield Take(_NONSENSE, seat)
        yield Choose(_NONSENSE, seat)
        yield Split(1, 3, seat)
        yield Split(_NONSENSE, 3, seat)
        hand = list(state.hands[seat]) if 0 <= seat < players else []
        pile = list(state.discards)
        any_card = CARDS[randrange(len(CARDS))]
        some = hand or pile or [any_card]
        for card in (some[randrange(len(some))], any_card):
            if card.rank:
                yield Discard(card, seat)
                yield PutWild(card, seat)
                yield Swap(card, randrange(len(state.table) + 2), seat)
                yield Swap(card, randrange(len(state.table) + 2), seat, "low")
        yield Knock(some[0], (), seat)
        yield Knock(None, (), seat)
        for cards in (hand, pile, hand + pile):
            chosen = _some(cards, randrange)
            if chosen:
                number = randrange(len(state.table) + 2)
                yield NewMeld(chosen, seat)
                yield LayOff(chosen[:1], number, seat=seat)
                yield LayOff(chosen, number, "low", seat)
                yield LayOff(chosen, _NONSENSE, seat=seat)
                yield CallRummy(chosen, seat=seat)
                yield CallRummy(chosen[:1], number, seat=seat)
                yield Knock(some[0], (chosen,), seat)
                yield Knock(None, (chosen, chosen), seat)
    yield Deal((), 0)
    yield Deal(tuple(map(CARDS.__getitem__, (0, 1))), players)


def _crowds(state: State, randrange: RandRange) -> Iterator[Action]:
    """
    Actions that name a card more often than a hand can hold it.

    As bits such cards may look like fewer cards, another card, or a negative number.
    """
    seat = state.to_act[randrange(len(state.to_act))]
    held = [*state.hands[seat], *state.discards]
    number = randrange(len(state.table) + 2)
    for card in _neighbours(held, randrange):
        for times in (8 + randrange(8), _CROWD, 17 + randrange(32)):
            crowd = (played(card.code),) * times
            yield NewMeld(crowd, seat)
            yield LayOff(crowd, number, seat=seat)
            yield LayOff(crowd, number, "high", seat)
            yield CallRummy(crowd, seat=seat)
            yield CallRummy(crowd, number, seat=seat)
            yield Knock(card, (crowd,), seat)
            yield Knock(card, (crowd[:7], crowd[7:]), seat)
            yield Knock(None, (crowd,), seat)


def _neighbours(held: Sequence[Card], randrange: RandRange) -> list[Card]:
    """
    A card of the hand, the card whose bits lie below it, and a joker.
    """
    found = {CARDS[-1]}
    if held:
        code = held[randrange(len(held))].code
        found |= {CARDS[code], CARDS[code - 1]}
    return sorted(card for card in found if card.rank)


def _wrong_deals(state: State, randrange: RandRange) -> Iterator[Deal]:
    """
    Invalid deals: made by a seat, or with sixteen of a card in place of one.
    """
    if state.phase != "deal":
        return
    deck = [CARDS[code] for code in state.rules.deck.cards_for(len(state.players))]
    whole = Deal(tuple(deck), next_dealer(state))
    hold(check(state, whole), f"a deal of the complete deck is refused: {whole}")
    yield attrs.evolve(whole, seat=randrange(len(state.players)))
    at = randrange(len(deck))
    below = CARDS[deck[at].code - 1]
    if below.rank:
        deck[at : at + 1] = [below] * _CROWD
        yield attrs.evolve(whole, cards=tuple(deck))


def _some(cards: Sequence[Card], randrange: RandRange) -> tuple[Played, ...]:
    """
    A few of some cards, preferring those of one rank or suit.
    """
    if not cards:
        return ()
    first = cards[randrange(len(cards))]
    if randrange(2):
        kin = [card for card in cards if card.rank == first.rank]
    else:
        kin = [card for card in cards if card.suit == first.suit]
        kin = sorted(dict.fromkeys(kin), key=lambda card: card.code)
        at = randrange(len(kin))
        kin = kin[at : at + 3 + randrange(2)]
    return tuple(played(card.code) for card in kin[: 3 + randrange(3)])
