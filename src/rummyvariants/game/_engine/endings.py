"""
Duties, dead ends, and the one question behind RV-03.

Can the turn still be finished, with every duty met? `can_finish` searches over plays
for a legal end; in most cases a `Glance` answers without a search.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterator
from typing import Final

import attrs

from rummyvariants.cards import (
    CARDS,
    FIELD,
    UNIT,
    codes,
    common,
    count,
    faces,
    lowest,
    pack,
    show,
    size,
)
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.candidates import (
    NEW_MELDS,
    PLAYS,
    PlayEnd,
    SpentError,
    Tried,
    longer_runs,
    plans,
    to_go_down,
    to_split,
    to_swap,
    unplanned,
)
from rummyvariants.game._engine.glances import ASKED, glance_at, plain_set
from rummyvariants.game._engine.outs import goes_out
from rummyvariants.game._engine.plays import (
    AnyState,
    Play,
    PlayAction,
    is_playable,
    keeps_melds,
    perform,
    plan,
    terms_of,
)
from rummyvariants.game._round import Drawn
from rummyvariants.game._state import Draft, State, side_of, stock_left, thaw
from rummyvariants.game.actions import LayDown
from rummyvariants.melds._combos import joining_two, melds_in
from rummyvariants.melds._deadwood import (
    by_number,
    can_leave,
    fewest_after_discard,
    fewest_points,
    least_unmatched,
    surely_leaves,
)
from rummyvariants.melds._parts import sub_multisets
from rummyvariants.melds._tables import Terms, plain
from rummyvariants.melds._tree import leaves
from rummyvariants.policies import Duty
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
    goes = discardable(state)
    if size(hand) < 2 or drawn.duties or not goes:
        if any(duty.is_binding for duty in drawn.duties):
            return 0
        allowed = hand = _throwable(hand, drawn)
        for code in faces(hand):
            if refuse_discard(state, seat, code) is not None:
                allowed &= ~FIELD[code]
        return allowed
    return 0 if must_knock(state) else hand & goes


def discardable(state: AnyState) -> int:
    """
    Mask of the cards that certainly may be discarded, except as the last of a hand.
    """
    rules, drawn = state.match.rules, state.drawn
    if asking.must_go_out(state, state.frames[0].seat) is not None:
        return 0
    if rules.settled.keeps_taken and drawn.source == "discards":
        if len(drawn._cards) == 1:
            return rules.discardable & ~FIELD[drawn._cards[0]]
    return rules.discardable


def _throwable(hand: int, drawn: Drawn) -> int:
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
        state.match.rules.settled.last_is_to_knock
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
    limit: int = rules.settled.knock_limit
    return limit if limit >= -1 else rules.out.limit(state.dealt.upcard)


def terms_of_rest(state: AnyState) -> Terms:
    """
    The terms by which the cards count that a knock or declaration leaves.

    A declaration leaves none, not even a card that is worth nothing or less.
    """
    terms = terms_of(state)
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
    silent = "may_knock" not in state.match.rules.asked
    return silent or asking.refuse_knock(state, seat) is None


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
    if needed is not terms_of(state) and surely_leaves(needed, hand) > limit + 1:
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
    wrong: Objection | None = rules.discard.refuse(code, taken=taken, left=size(hand))
    if wrong is None and not rules.settled.plays_by_values:
        wrong = asking.refuse_discard(state, seat, code)
        if wrong is None and hand == UNIT[code]:
            wrong = asking.refuse_out(state, seat)
        elif wrong is None and size(hand) > discards_due(state, seat):
            wrong = asking.must_go_out(state, seat)
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
    rules, drawn = state.match.rules, state.drawn
    if "discard.discards_owed" not in rules.overridden:
        return 1
    taken = drawn._cards if drawn.source == "discards" else b""
    owed = rules.discard.discards_owed(taken=taken)
    owed = max(owed, asking.discards_owed(state, seat))
    return max(owed - state.frames[0].discards_made, 1)


def surely_ends(state: AnyState, left: int, *, laid: bool = False) -> bool:
    """
    A quick look: whether a turn with a hand without duties can certainly be finished.

    Args:
        state: The state.
        left: The hand.
        laid: Whether its holder has already melded or laid off.
    """
    rules = state.match.rules
    if left == 0:
        return not rules.out.keeps_a_card and _ENDS.isdisjoint(rules.asked)
    if not left & discardable(state):
        return False
    if size(left) > 1:
        return True
    if not rules.settled.plays_by_values:
        return False
    if not (state._floating or rules.out.keeps_playable):
        return True
    # A last card is laid off if it fits, and discarded if it does not.
    opens = rules.opens_all_melds and not terms_of(state).swaps
    return laid and opens and not rules.out.keeps_a_card


_ENDS: Final = frozenset({"may_go_out", "must_go_out"})
"""The questions about whether a turn ends by going out."""


def is_released(state: AnyState, seat: int) -> bool:
    """
    Whether a player who cannot finish the turn may discard any card (RV-03, RV-43).
    """
    rules = state.match.rules
    searched = rules.settled.plays_by_values and not rules.has_effects
    if searched and state.drawn.source != "stock":
        return False  # else the take was refused
    if state.phase == "discard":
        hand = faces(state._hands[seat])
        return all(refuse_discard(state, seat, code) is not None for code in hand)
    known = _finishes_now(state, seat)
    if known is None:
        # Then each play that no rule refuses is legal, if there is one.
        return next(plans(state, seat, state.drawn.at_once), None) is None
    return not known


def refuse_empty_hand(state: AnyState, seat: int) -> Objection | None:
    """
    Why a seat may not play its last card.
    """
    if state.match.rules.out.keeps_a_card:
        return Objection("out.empty_hand", "the last card has to be discarded")
    wrong = asking.refuse_out(state, seat)
    if wrong is None and not state.match.rules.out.by_empty_hand:
        wrong = asking.must_go_out(state, seat)
    return wrong


def can_finish(state: AnyState, seat: int, tried: Tried | None = None) -> bool:
    """
    Whether the turn can be finished by some plays and a discard, all duties met.

    With rules of third parties the search is bounded, and what it does not settle
    counts as yes (RV-43).

    Args:
        state: A state in which the seat may play.
        seat: Who plays.
        tried: What is known not to lead to an end; other orders of the same plays need
            not be tried.
    """
    return _finishes(state, seat, tried) is not False


_LAST: Final[list[tuple[AnyState | None, int, bool | None]]] = [(None, -1, None)]
"""A state, a seat, and the answer of `_finishes`: it is needed for each play."""


def _finishes_now(state: AnyState, seat: int) -> bool | None:
    """
    As `_finishes`, about a state whose plays are looked at one by one.
    """
    is_known, found = _known_end(state, seat)
    if not is_known:
        found = _finishes(state, seat)
        if isinstance(state, State):
            _LAST[0] = state, seat, found
    return found


def _known_end(state: AnyState, seat: int) -> tuple[bool, bool | None]:
    """
    Whether `_finishes_now` has just been asked the same, and what it said.
    """
    of, whom, found = _LAST[0]
    return of is state and whom == seat, found


def _finishes(state: AnyState, seat: int, tried: Tried | None = None) -> bool | None:
    """
    As `can_finish`; None if a search of its own does not settle it.
    """
    if must_knock(state):
        return can_knock(state, seat)
    drawn = state.drawn
    hand = state._hands[seat]
    if any(duty.is_binding for duty in drawn.duties):
        if not any(hand & FIELD[duty.code] for duty in drawn.duties):
            return False
    else:
        if not drawn.duties and surely_ends(state, hand):
            return True
        if size(hand) > 1 and asking.must_go_out(state, seat) is not None:
            plainly = goes_out(state, seat)
            if plainly is not None:
                return plainly
        for code in faces(_throwable(hand, drawn)):
            if refuse_discard(state, seat, code) is None:
                return True
        if not hand:
            return refuse_empty_hand(state, seat) is None
    if tried is None:
        try:
            return _can_play_on(state, seat, Tried(state))
        except SpentError:
            return None
    key = (hand, state._table, state.dealer_wild, drawn.duties, drawn.melds)
    if key in tried.dead:
        return False
    if _can_play_on(state, seat, tried):
        return True
    tried.dead.add(key)
    return False


def _can_play_on(state: AnyState, seat: int, tried: Tried) -> bool:
    """
    Whether plays lead to the end of a turn that no discard ends yet.
    """
    if keeps_melds(state):
        return False
    drawn = state.drawn
    if any(duty.is_binding for duty in drawn.duties):
        return _can_meet(state, seat, tried)
    for _, play in plans(state, seat, -1, tried):
        after = _after(state, seat, play)
        # A split helps by what is laid on one of its parts next.
        looked = (
            _can_go_on(after, seat, tried)
            if play.second
            else can_finish(after, seat, tried)
        )
        if looked:
            return True
    return False


def _can_go_on(state: AnyState, seat: int, tried: Tried) -> bool:
    """
    Whether some play of a card leads to the end of the turn.
    """
    return any(
        can_finish(_after(state, seat, play), seat, tried)
        for _, play in plans(state, seat, -1, tried)
        if not play.second
    )


def _after(state: AnyState, seat: int, play: Play) -> Draft:
    draft = thaw(state)
    perform(draft, seat, play)
    return draft


def _can_meet(state: AnyState, seat: int, tried: Tried) -> bool:
    """
    Whether the first duty can be met and the turn then finished.

    Plays that use the card owed are tried first, then those that may make one possible:
    a first meld of the player's own, a trade for a wild, a split.
    """
    drawn = state.drawn
    binding = [duty for duty in drawn.duties if duty.is_binding]
    owed = next((duty for duty in binding if duty.at_once), binding[0])
    hand = state._hands[seat]
    if not hand & FIELD[owed.code]:
        return False
    if owed.at_once and len(drawn.duties) == 1 and plain_set(state, hand, drawn):
        return True
    goes = discardable(state)
    plainly = glance_at(state, seat).tells(hand, drawn.duties, drawn.held, goes)
    if plainly is not None:
        return plainly
    if _can_lay(state, seat, owed, tried):
        return True
    if owed.at_once:
        return False
    if owed.joins_naturals:
        # Only trades could help, and they bring only wilds.
        terms = terms_of(state)
        mates = common(hand - UNIT[owed.code], drawn.held) & terms.natural_mask
        trades = sum(1 for _ in unplanned(to_swap, state, seat))
        if not joining_two(terms, hand, mates, owed.code, trades):
            return False
    for play in _openings(state, seat, owed, tried):
        after = _after(state, seat, play)
        # A split helps only by what is laid on one of its parts next. Other plays may
        # meet the duty themselves, by another card of the same face.
        looked = (
            _can_lay(after, seat, owed, tried)
            if play.second
            else can_finish(after, seat, tried)
        )
        if looked:
            return True
    return False


def _can_lay(state: AnyState, seat: int, owed: Duty, tried: Tried) -> bool:
    """
    Whether some play of a card owed meets a duty and lets the turn be finished.
    """
    drawn = state.drawn
    if owed.joins_naturals:
        plays = _with_two_naturals(state, seat, owed.code, drawn.held, tried)
    else:
        # With no other duty, a play that cannot meet this one is of no use.
        alone = owed.needs_meld and len(drawn.duties) == 1
        branches = NEW_MELDS if alone else PLAYS
        found = plans(state, seat, owed.code, tried, branches)
        plays = (play for _, play in found)
    for play in plays:
        after = _after(state, seat, play)
        if after.drawn.duties.count(owed) < drawn.duties.count(owed):
            if can_finish(after, seat, tried):
                return True
    return False


def _with_two_naturals(
    state: AnyState, seat: int, code: int, held: int, tried: Tried
) -> Iterator[Play]:
    """
    New melds of a card with two naturals that were held before.

    Melds of only the cards that a set or run needs come first, shortest first; then all
    others, those with few wilds first.
    """
    terms = terms_of(state)
    hand = state._hands[seat]
    natural = hand & terms.natural_mask
    mates = common(hand - UNIT[code], held) & terms.natural_mask
    wilds = hand & terms.wild_mask
    parts = [
        natural & asked | _first_of(wilds, number, code)
        for asked, number in joining_two(terms, hand, mates, code)
    ]
    if not parts:
        return
    for bits in itertools.chain(parts, _with_wilds(natural, wilds)):
        if not bits & FIELD[code]:
            continue
        number = size(bits & terms.wild_mask)
        for cards, used in melds_in(terms, bits, code):
            if size(used & terms.wild_mask) == number:
                others = (used - UNIT[code]) & terms.natural_mask
                if size(common(others, held)) > 1:
                    tried.count()
                    play = plan(state, seat, LayDown(cards, seat))
                    if isinstance(play, Play):
                        yield play
    yield from _together(state, seat, FIELD[code], tried)


def _together(state: AnyState, seat: int, need: int, tried: Tried) -> Iterator[Play]:
    """
    The plays of several new melds as one that use one of some cards.
    """
    for action in leaves(to_go_down(state, seat, need, PlayEnd())):
        tried.count()
        play = plan(state, seat, action)
        if isinstance(play, Play):
            yield play


def _with_wilds(natural: int, wilds: int) -> Iterator[int]:
    """
    Natural cards with some of the wilds, few wilds first.
    """
    for number in range(size(wilds) + 1):
        for part in sub_multisets(wilds, number, number):
            yield natural | part


def _first_of(wilds: int, number: int, code: int) -> int:
    """
    So many of the wilds, including a given card first of all.
    """
    order = [one for one in codes(wilds) if one != code]
    if wilds & FIELD[code]:
        order = [code] * count(wilds, code) + order
    return pack(order[:number])


def _openings(state: AnyState, seat: int, owed: Duty, tried: Tried) -> Iterator[Play]:
    """
    Plays that do not use a card owed but may make it usable.
    """
    code = owed.code
    rules = state.match.rules
    wild = rules.wild
    hand = state._hands[seat]
    spare = hand - UNIT[code]
    loose = wild.swaps or wild.split
    if not state._has_meld >> seat & 1 and (
        rules.layoff.needs_own_meld
        or rules.meld.first_natural
        or rules.overridden & ASKED
    ):
        opened = thaw(state)
        opened._has_meld |= side_of(state, seat)
        if loose or next(plans(opened, seat, code), None) is not None:
            for cards, _ in melds_in(terms_of(state), spare):
                tried.count()
                play = plan(state, seat, LayDown(cards, seat))
                if isinstance(play, Play):
                    yield play
            yield from _together(state, seat, 0, tried)
    if loose:
        trades: list[PlayAction] = [*unplanned(to_swap, state, seat)]
        if owed.any_play:
            trades += unplanned(to_split, state, seat)
            if wild.split:
                trades += longer_runs(state, seat, code)
        for action in trades:
            play = plan(state, seat, action)
            if isinstance(play, Play) and not play.used & FIELD[code]:
                yield play


def refuse_dead_end(state: AnyState, seat: int, play: Play) -> Objection | None:
    """
    Why a planned play would leave no way to finish the turn (RV-03).
    """
    drawn = state.drawn
    if not drawn.duties and play.gained < 0 and play.used and not play.then:
        if surely_ends(state, state._hands[seat] - play.used):
            return None
    after = _after(state, seat, play)
    is_known, before = _known_end(state, seat)
    ends = None if is_known and not before else _finishes(after, seat)
    if ends:
        return None
    # What the whole turn does not lead to, no play does.
    before = _finishes_now(state, seat)
    if before is None or (before and ends is None):
        return None
    # Discards are taken only if the turn can be finished.
    stuck = not before and drawn.source == "stock"
    return None if stuck else why_stuck(after, seat)


def why_stuck(state: AnyState, seat: int) -> Objection:
    """
    The rule that a player who could not finish the turn would have to break.
    """
    drawn = state.drawn
    if drawn.duties:
        duty = drawn.duties[0]
        return Objection(
            duty.path,
            f"{CARDS[duty.code]} {duty}, which would then be impossible",
            ("RV-03",),
        )
    if must_knock(state):
        return Objection(
            "stock.when_empty",
            "the last discard may be taken only to knock with it, and the hand cannot",
            ("out.knock", "RV-03"),
        )
    bound = asking.must_go_out(state, seat)
    if bound is not None:
        return attrs.evolve(bound, also=("RV-03",))
    hand = state._hands[seat]
    if not hand:
        wrong = refuse_empty_hand(state, seat)
        if wrong is not None:
            return attrs.evolve(wrong, also=("RV-03",))
    for code in faces(hand):
        wrong = refuse_discard(state, seat, code)
        if wrong is not None:
            return Objection(
                wrong.path,
                f"only {show(faces(hand))} would be left, and {wrong.reason}",
                (*wrong.also, "RV-03"),
            )
    return Objection("RV-03", "the turn could not be finished")
