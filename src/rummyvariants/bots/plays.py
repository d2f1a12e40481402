"""
What may be worth laying on the table, best first.
"""

from __future__ import annotations

import itertools

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from rummyvariants.bots.hands import declared, naturals, with_a_wild
from rummyvariants.bots.partners import answer, question
from rummyvariants.cards import CARDS, FIELD, UNIT, faces, holds
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.draws import refuse_draw
from rummyvariants.game._engine.plays import AnyState, melds_open_to
from rummyvariants.game._state import fits_of
from rummyvariants.game.actions import (
    Action,
    CallRummy,
    Choose,
    Discard,
    Draw,
    LayDown,
    LayOff,
    Pass,
    PutDown,
    Rejoin,
    Swap,
    Take,
)
from rummyvariants.game.verbs._calling import calls_of
from rummyvariants.melds._looks import layoffs_on, melds_in
from rummyvariants.melds._meld import playable, trade_ends
from rummyvariants.melds.shapes._shapes import shapes_of


LOOK: Final = 16
"""How many actions of a kind are considered."""
TRIES: Final = 4
"""How many places for a card are considered."""
_DEPTH: Final = 10
"""How many top discards are considered: below them, most cards are of no use."""
_FOUR: Final = 4
"""How many cards may count twice when they are put down as one meld."""

Spare = Callable[[AnyState, int], Iterable[int]]
"""The cards of a hand as codes, the most expendable first."""


Wishes = Callable[[AnyState, int], Iterator[Action]]
"""A seat's candidates, best first; some may be illegal."""


def wishes(
    state: AnyState,
    seat: int,
    *,
    junk: int,
    spare: Spare,
    concealed: Wishes,
    contracted: Wishes,
    ranked: Wishes,
) -> Iterator[Action]:
    """
    Actions that may be worth doing, best first; some may be illegal.

    Args:
        state: A state in which the seat may act; only what it may see is used.
        seat: Who acts.
        junk: A card taken that cannot be laid costs its points divided by this.
        spare: The cards of the hand as codes, the preferred discard first.
        concealed: What to do instead where melds stay in the hand.
        contracted: What to do instead where the first melds must be certain groups.
        ranked: What to do instead where melds are one set of each rank.
    """
    if state.phase == "rejoin":
        yield Rejoin(seat)
        return
    if state.phase == "answer":
        yield answer(state, seat)
        return
    if state.phase == "play":
        yield from question(state, seat)
    if state.match.rules.meld.concealed and state.phase != "choose":
        yield from concealed(state, seat)
        return
    if state.phase != "choose" and asking.first_groups(state, seat)[0]:
        yield from contracted(state, seat)
        return
    rules = state.match.rules
    if rules.meld.by_rank and (
        state.phase == "play" or (state.phase == "draw" and rules.draw.melds_top)
    ):
        yield from ranked(state, seat)
        return
    match state.phase:
        case "draw" | "offer":
            yield from _draws(state, seat, junk)
        case "call":
            yield from calls(state, seat)
            yield Pass(seat)
        case "choose":
            # A big hand is an advantage (HR-19).
            yield from reversed(list(sizes(state, seat)))
        case phase:
            if phase == "play":
                yield from plays(state, seat)
            for code in spare(state, seat):
                yield Discard(CARDS[code], seat)


def dearest(state: AnyState, seat: int) -> list[int]:
    """
    The cards of the hand, the highest points first, wilds last.
    """
    terms = state.dealt.terms

    def keep(code: int) -> tuple[bool, int, int]:
        return terms.wild[code], -terms.worth[code], code

    return sorted(faces(state._hands[seat]), key=keep)


def _draws(state: AnyState, seat: int, junk: int) -> Iterator[Action]:
    """
    The take that gains most, if any gains; then the stock.
    """
    terms = state.dealt.terms
    worth, shapes = terms.worth, shapes_of(terms)
    fits = fits_of(state, seat)
    fitting = fits.grows | fits.real
    hand = state._hands[seat]
    before = can_lay(state, seat, hand)
    taken = gained = 0
    takes = []
    whole = state.match.rules.draw.takes_all
    top_first = itertools.islice(reversed(state._discards), None if whole else _DEPTH)
    for count, code in enumerate(top_first, 1):
        taken += UNIT[code]
        gained += worth[code]
        if whole:
            if count < len(state._discards):
                continue
        elif not (
            fitting & FIELD[code]
            or terms.wild[code]
            or shapes.fewest(hand + taken, code)
        ):
            continue  # without a use for the deepest card, take fewer
        more = can_lay(state, seat, hand + taken) - before
        value = more - max(gained - more, 0) // junk
        if more > 0 and value > 0:
            takes.append((-value, count))
    for _, count in itertools.islice(sorted(takes), TRIES):
        yield Take(count, seat)
    draws = state.phase == "draw" and refuse_draw(state) is None
    yield Draw(seat) if draws else Pass(seat)


def plays(state: AnyState, seat: int) -> Iterator[Action]:
    """
    Plays from the hand that may be worth making before the discard.
    """
    terms = state.dealt.terms
    hand = state._hands[seat]
    for duty in state.drawn.duties:
        owed = _using(state, seat, duty.code)
        yield from best_first(state, itertools.islice(owed, LOOK))
    yield from _natural_swaps(state, seat)
    for melds in (naturals(terms, hand), with_a_wild(terms, hand)):
        worth = [(_points_of(state, cards), cards) for cards in melds]
        worth.sort(reverse=True)
        for _, cards in worth[:LOOK]:
            yield declared(terms, cards, seat)
    yield from _small_layoffs(state, seat, hand)
    yield from puts(state, seat)


def calls(state: AnyState, seat: int) -> Iterator[Action]:
    """
    Calls of rummy, those that put down the most points first.
    """
    yield from best_first(state, itertools.islice(calls_of(state, seat), LOOK))


def sizes(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The sizes of a hand that may be chosen.
    """
    for cards in state.match.rules.deal.choices():
        yield Choose(cards, seat)


def best_first(state: AnyState, actions: Iterable[Action]) -> Iterator[Action]:
    """
    Plays and calls, those that put down the most points first.
    """
    worth = state.dealt.terms.worth

    def points(action: Action) -> int:
        if isinstance(action, LayDown):
            return _points_of(state, [one.card.code for one in action.cards])
        if isinstance(action, (LayOff, CallRummy)):
            return sum(worth[one.card.code] for one in action.cards)
        return 0

    return iter(sorted(actions, key=points, reverse=True))


def _using(state: AnyState, seat: int, code: int) -> Iterator[Action]:
    """
    Plays of a card that has to be played, lay-offs first.
    """
    terms = state.dealt.terms
    hand = state._hands[seat]
    for number, meld in melds_open_to(state, seat):
        for cards, _, end in itertools.islice(layoffs_on(terms, meld, hand, code), 1):
            yield LayOff(cards, number, end, seat)
    for cards, _, _ in melds_in(terms, hand, code):
        yield LayDown(cards, seat)


def _natural_swaps(state: AnyState, seat: int) -> Iterator[Action]:
    """
    Trades that do not give a wild for a wild.
    """
    wild = state.dealt.terms.wild
    for action in swaps(state, seat):
        if isinstance(action, Swap) and not wild[action.card.code]:
            yield action


def _small_layoffs(state: AnyState, seat: int, hand: int) -> Iterator[Action]:
    """
    Lay-offs card by card, natural cards first, and cards that build on wilds put down.
    """
    if not state._has_meld >> seat & 1 and state.match.rules.layoff.needs_own_meld:
        return
    terms = state.dealt.terms
    for number, meld in melds_open_to(state, seat):
        if meld.kind == "wild" and meld.maker == seat:
            for cards, used, end in itertools.islice(
                layoffs_on(terms, meld, hand & terms.natural_mask), TRIES
            ):
                del used
                yield LayOff(cards, number, end, seat)
    by_worth = sorted(
        faces(hand), key=lambda code: (terms.wild[code], -terms.worth[code], code)
    )
    for code in by_worth:
        tries = 0
        for number, meld in melds_open_to(state, seat):
            if meld.kind == "wild" or not playable(terms, meld, code):
                continue
            for cards, _, end in itertools.islice(
                layoffs_on(terms, meld, UNIT[code]), 1
            ):
                yield LayOff(cards, number, end, seat)
            tries += 1
            if tries == TRIES:
                break


def puts(state: AnyState, seat: int) -> Iterator[Action]:
    """
    Single wilds put down.
    """
    if state.match.rules.layoff.single_wilds and state._has_meld >> seat & 1:
        for code in faces(state._hands[seat] & state.dealt.terms.wild_mask):
            yield PutDown(CARDS[code], seat)


def swaps(state: AnyState, seat: int) -> Iterator[Action]:
    """
    Trades of real cards for wilds on the table.
    """
    terms = state.dealt.terms
    if terms.swaps:
        hand = state._hands[seat]
        for number, meld in melds_open_to(state, seat):
            for code in faces(hand & meld.real):
                for end in trade_ends(terms, meld):
                    yield Swap(CARDS[code], number, seat, end)


# What a hand could put down


def can_lay(state: AnyState, seat: int, hand: int) -> int:
    """
    About how many points of a hand could be put on the table.
    """
    terms = state.dealt.terms
    points = 0
    opened = state._has_meld >> seat & 1 or not state.match.rules.layoff.needs_own_meld
    for value, bits in sorted(_as_bits(state, naturals(terms, hand)), reverse=True):
        if holds(hand, bits):
            points += value
            hand -= bits
            opened = True
    while hand & terms.wild_mask:
        with_one = _as_bits(state, with_a_wild(terms, hand))
        value, bits = max(with_one, default=(0, 0))
        if not bits:
            break
        points += value
        hand -= bits
        opened = True
    if opened:
        fits = fits_of(state, seat)
        fitting = hand & (fits.grows | fits.real) & terms.natural_mask
        points += sum([terms.worth[code] for code in faces(fitting)])
    return points


def _as_bits(state: AnyState, melds: Iterable[list[int]]) -> list[tuple[int, int]]:
    """
    Melds as their points and their cards.
    """
    return [
        (_points_of(state, cards), sum([UNIT[code] for code in cards]))
        for cards in melds
    ]


def _points_of(state: AnyState, cards: list[int]) -> int:
    """
    About how many points the cards of a new meld are worth.
    """
    worth = state.dealt.terms.worth
    twice = len(cards) == _FOUR and state.match.rules.score.doubles_fours
    return sum([worth[code] for code in cards]) << twice
