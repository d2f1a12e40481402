"""
One legal action at random without a list of all: a card, then where it goes.

Not every legal action comes as often as any other. Of the lay-offs of a hand on one
meld, and of the calls, only the first 64 come at all.
"""

from __future__ import annotations

import itertools

from typing import Final, TypeVar

from rummyvariants.cards import CARDS, FIELD, UNIT, face_at, faces, lowest, present
from rummyvariants.game._engine.calls import calls_of
from rummyvariants.game._engine.candidates import actions_using, knocked_on, splits
from rummyvariants.game._engine.choices import PlayCheck, may_discard_any
from rummyvariants.game._engine.draws import numbers_to_take, refuse_draw, refuse_take
from rummyvariants.game._engine.endings import knock_limit, must_knock, refuse_discard
from rummyvariants.game._engine.knocks import melds_without
from rummyvariants.game._engine.plays import (
    AnyState,
    PlayAction,
    melds_open_to,
    refuse_layoff,
    terms_of,
)
from rummyvariants.game._state import fits_of, remember
from rummyvariants.game.actions import (
    Action,
    CallRummy,
    Discard,
    Draw,
    Knock,
    LayDown,
    LayOff,
    Pass,
    PutDown,
    Swap,
    Take,
    discard,
    draw,
)
from rummyvariants.melds._deadwood import Melds, fewest_points, least_unmatched
from rummyvariants.melds._layoffs import layoffs_on
from rummyvariants.melds._meld import Meld, Played
from rummyvariants.melds._shapes import RandRange, one_of_shape, shapes_with
from rummyvariants.melds._tables import Shape, Terms


_DRAWS: Final = 8
"""How many cards are drawn before a list is asked for."""
_LOOKED_AT: Final = 64
"""How many ways to use a card are looked at."""

A = TypeVar("A", bound=Action)
Use = Shape | tuple[int, Meld] | PutDown | Swap
"""What a card may be for: a new meld, a meld on the table, or just one play."""


def random_draw(state: AnyState, seat: int, randrange: RandRange) -> Draw | Take | Pass:
    """
    A legal way to start a turn: the stock as likely as the discard pile.

    From the pile two numbers of cards are tried, and if the rules refuse them the stock
    is drawn from.
    """
    stock = refuse_draw(state) is None
    if stock and randrange(2):
        return _known(state, draw(seat))
    floats = state._floating >> seat & 1
    if not (floats and state.match.rules.out.floats_on_stock):
        counts = list(numbers_to_take(state, seat))
        tries = 2 if stock else len(counts)
        while counts and tries:
            tries -= 1
            number = counts.pop(randrange(len(counts)))
            if refuse_take(state, seat, number) is None:
                return _known(state, Take(number, seat))
    return _known(state, draw(seat) if stock else Pass(seat))


def _known(state: AnyState, action: A) -> A:
    """
    Remember that an action which needs no plan is legal.
    """
    remember(state, action, None)
    return action


def random_call(state: AnyState, seat: int, randrange: RandRange) -> CallRummy | Pass:
    """
    A legal answer where calls may be made: to pass is as likely as to call.
    """
    if randrange(2):
        calls = list(itertools.islice(calls_of(state, seat), _LOOKED_AT))
        if calls:
            return calls[randrange(len(calls))]
    return _known(state, Pass(seat))


def random_play(
    state: AnyState, seat: int, randrange: RandRange
) -> PlayAction | Discard | None:
    """
    A legal play or discard: of a card's uses and the discard pile each is as likely.

    Returns:
        None if a few draws found none.
    """
    duties = state.drawn.duties
    if duties and (duties[0].at_once or randrange(16)):
        duty = duties[0]
        natural = duty.use == "natural set"
        owed = _with_card_owed(state, seat, duty.code, randrange, natural=natural)
        if owed is not None:
            return owed
    if state.match.rules.wild.split and not randrange(8):
        parts = list(splits(state, seat))
        if parts:
            action, used = parts[randrange(len(parts))]
            split_check = PlayCheck(state, seat)
            if split_check.allows(action, used):
                return _planned(state, action, split_check)
    terms = terms_of(state)
    hand = state._hands[seat]
    number = present(hand).bit_count()
    may_discard = not duties or duties[0].how == "play or discard"
    check: PlayCheck | None = None
    for _ in range(_DRAWS if number else 0):
        code = face_at(hand, randrange(number))
        uses = _uses(state, seat, code)
        at = randrange(len(uses) + 1) if uses else 0
        if at == len(uses):
            if may_discard_any(state, seat) or (
                may_discard and refuse_discard(state, seat, code) is None
            ):
                return _known(state, discard(code, seat))
            continue
        play = _one_of_use(terms, hand, seat, code, uses[at], randrange)
        if play is not None:
            check = check or PlayCheck(state, seat)
            if check.allows(*play):
                return _planned(state, play[0], check)
    return None


def _with_card_owed(
    state: AnyState, seat: int, code: int, randrange: RandRange, *, natural: bool
) -> PlayAction | None:
    """
    A legal play of a card owed; `natural` if only a natural set will do.
    """
    check = PlayCheck(state, seat)
    terms = terms_of(state)
    hand = state._hands[seat]
    if natural:
        hand &= terms.rank_masks[CARDS[code].rank] & terms.natural_mask
        uses: list[Use] = [*shapes_with(terms, hand, code)]
    else:
        uses = _uses(state, seat, code)
    while uses:
        use = uses.pop(randrange(len(uses)))
        play = _one_of_use(terms, hand, seat, code, use, randrange)
        if play is not None and play[1] & FIELD[code] and check.allows(*play):
            return _planned(state, play[0], check)
    # A card may fit a meld only together with others.
    plays = list(itertools.islice(actions_using(state, seat, code), _LOOKED_AT))
    while plays:
        action, used = plays.pop(randrange(len(plays)))
        if check.allows(action, used):
            return _planned(state, action, check)
    return None


def _planned(state: AnyState, action: PlayAction, check: PlayCheck) -> PlayAction:
    """
    Remember that a play is legal, and what it would do if that had to be worked out.
    """
    remember(state, action, check.plan)
    return action


def _uses(state: AnyState, seat: int, code: int) -> list[Use]:
    """
    What a card of the hand might be used for, beside the discard pile.
    """
    terms = terms_of(state)
    uses: list[Use] = [*shapes_with(terms, state._hands[seat], code)]
    wild = terms.wild[code]
    rules = state.match.rules
    if wild and (
        rules.layoff.single_wilds or "layoff.refuse_single" in rules.overridden
    ):
        uses.append(PutDown(CARDS[code], seat))
    fits = fits_of(state, seat)
    field = FIELD[code]
    if not (fits.single or (fits.grows | fits.real) & field):
        return uses
    if refuse_layoff(state, seat) is not None:
        return uses
    swaps = terms.real_card == "swap"
    for number, meld in melds_open_to(state, seat):
        if meld.real & field and swaps:
            uses.append(Swap(CARDS[code], number, seat))
        if (
            (meld.grows | meld.real) & field
            or (wild and meld.takes_wild)
            or (meld.kind == "wild" and meld.maker == seat)
        ):
            uses.append((number, meld))
    return uses


def _one_of_use(
    terms: Terms, hand: int, seat: int, code: int, use: Use, randrange: RandRange
) -> tuple[PlayAction, int] | None:
    """
    A play at random out of those that a use stands for, and the cards that it takes.
    """
    if isinstance(use, (PutDown, Swap)):
        return use, UNIT[code]
    number, rest = use
    if isinstance(number, str):
        choice = one_of_shape(terms, use, hand, randrange)  # type: ignore[arg-type]
        return None if choice is None else (LayDown(choice[0], seat), choice[1])
    assert isinstance(rest, Meld)  # noqa: S101 -- for the type checker
    some: list[tuple[tuple[Played, ...], int, str | None]] = []
    if randrange(3):
        some += layoffs_on(terms, rest, UNIT[code])
    if not some:
        some += itertools.islice(layoffs_on(terms, rest, hand), _LOOKED_AT)
    if not some:
        return None
    cards, used, end = some[randrange(len(some))]
    return LayOff(cards, number, end, seat), used  # type: ignore[arg-type]


def random_concealed(
    state: AnyState, seat: int, randrange: RandRange
) -> Knock | Discard | None:
    """
    A legal end of a turn in which melds stay in the hand: a knock or a discard.

    A player who may knock does so as often as not. Every other discard is the dearest
    card of those unmatched, or rounds would hardly ever come to a knock.

    Returns:
        None if a few draws found none.
    """
    terms = terms_of(state)
    hand = state._hands[seat]
    number = present(hand).bit_count()
    chosen = face_at(hand, randrange(number))
    coins = randrange(4)
    if coins & 1:
        chosen = _spared(terms, hand, chosen)
    must = must_knock(state)
    tried: tuple[int, ...] = ()
    if must:
        tried = (chosen, *[code for code in faces(hand) if code != chosen], -1)
    elif coins & 2 and (
        # A discard takes no more from what is unmatched than it is worth.
        fewest_points(terms, hand) <= knock_limit(state) + terms.worth[chosen]
    ):
        tried = (chosen, -1)
    for code in tried:
        found: Melds | None = None
        for melds in melds_without(state, seat, code):
            found = melds
            # Each way to show melds is as likely as all after it.
            if randrange(2):
                break
        if found is not None:
            return Knock(None if code < 0 else CARDS[code], found, seat)
    if must:
        return None
    for _ in range(_DRAWS):
        if may_discard_any(state, seat) or refuse_discard(state, seat, chosen) is None:
            return _known(state, discard(chosen, seat))
        chosen = face_at(hand, randrange(number))
    return None


def _spared(terms: Terms, hand: int, chosen: int) -> int:
    """
    The card of most points of those that stay unmatched; the chosen one of equals.
    """
    left = least_unmatched(terms, hand)
    for mask in terms.by_worth:
        dearest = left & mask
        if dearest:
            return chosen if dearest & FIELD[chosen] else lowest(dearest)
    return chosen


def random_layoff(
    state: AnyState, seat: int, randrange: RandRange
) -> LayOff | Pass | None:
    """
    A lay-off on a knocker's melds, three times as likely as to leave it at that.
    """
    if randrange(4):
        found = list(itertools.islice(knocked_on(state, seat), _LOOKED_AT))
        if found:
            return found[randrange(len(found))]
    return _known(state, Pass(seat))


def random_answer(state: AnyState, seat: int, randrange: RandRange) -> Take | Pass:
    """
    The first upcard taken or declined, as likely as not.
    """
    if randrange(2) and refuse_take(state, seat, 1) is None:
        return _known(state, Take(1, seat))
    return _known(state, Pass(seat))


def random_action(state: AnyState, seat: int, randrange: RandRange) -> Action | None:
    """
    A legal action of a seat that may act, in any phase; None if a few draws found none.
    """
    if state.phase == "play":
        if state.match.rules.meld.concealed:
            return random_concealed(state, seat, randrange)
        return random_play(state, seat, randrange)
    if state.phase == "draw":
        return random_draw(state, seat, randrange)
    if state.phase == "call":
        return random_call(state, seat, randrange)
    if state.phase == "layoff":
        return random_layoff(state, seat, randrange)
    if state.phase == "offer":
        return random_answer(state, seat, randrange)
    return None
