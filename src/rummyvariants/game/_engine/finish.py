"""
The one question behind RV-03: can the turn be finished, with every duty met?

With nothing owed, a card that may be discarded is enough. What a card owed takes is
known from the shapes of the hand and of the table, where values alone decide (`Uses`).
Where a play changes what is possible, or rules of third parties may refuse one, plays
are searched for an end.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

import attrs

from rummyvariants.actions import NewMeld
from rummyvariants.cards import (
    CARDS,
    FIELD,
    UNIT,
    common,
    faces,
    holds,
    pack,
    present,
    show,
    size,
)
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.candidates import (
    NEW_MELDS,
    PLAYS,
    Ends,
    SpentError,
    Tried,
    longer_runs,
    plans,
    to_go_down,
    to_split,
    to_swap,
)
from rummyvariants.game._engine.endings import (
    can_knock,
    discardable,
    has_to_throw,
    must_knock,
    refuse_discard,
    refuse_empty_hand,
    throwable,
)
from rummyvariants.game._engine.outs import goes_out
from rummyvariants.game._engine.plays import (
    AnyState,
    Play,
    keeps_melds,
    melds_to_regroup,
    perform,
    plan,
    unmet,
)
from rummyvariants.game._state import Draft, fits_of, side_of, thaw
from rummyvariants.melds._meld import Meld
from rummyvariants.melds.shapes._shapes import shapes_of
from rummyvariants.policies import Duty
from rummyvariants.rulings import Objection


# ------------------------------------------------------------------------ cards owed


class Uses:
    """
    What it takes to use a card owed, as far as the shapes of cards tell.

    Made once for a table and a seat, asked about many hands and cards.

    Args:
        state: A state with the table.
        seat: The seat.
        free: Whether house rules forbid nothing that the shapes allow.

    Attributes:
        tells_at_all: Whether they tell anything under these rules.
    """

    def __init__(self, state: AnyState, seat: int, *, free: bool) -> None:
        rules = state.match.rules
        terms = self._terms = state.dealt.terms
        self._shapes, self._seat = shapes_of(terms), seat
        has_meld = bool(state._has_meld >> seat & 1)
        self._keeps = max(rules.few, 1)
        self.tells_at_all = rules.settled.tells_uses
        self._yes = True if free else None
        self._any_first = has_meld or not rules.meld.first_natural
        self._melded = has_meld or not rules.layoff.needs_own_meld
        self._own_open = "lays_off_on" not in rules.asked
        fits = fits_of(state, seat)
        # A wild that waits to be built on may be no first meld.
        first = fits.single and not self._any_first
        regrouped = melds_to_regroup(state, seat)
        lying = [slot.card.code for _, meld in regrouped for slot in meld.slots]
        self._regroups, self._lying = bool(regrouped), pack(lying)
        # A wild that a first meld lays for one card may then stand for another.
        regroups = self._regroups or (rules.layoff.rearranges and terms.wild_mask > 0)
        self._loose = (
            terms.swaps or terms.moves or rules.wild.split or first or regroups
        )
        wild = () if fits.dealer_wild is None else (fits.dealer_wild,)
        self._melds = (*wild, *fits.table)
        self._near = fits.kin
        self._fits_now = fits.grows | fits.real * terms.lies_beside

    def tells(
        self,
        hand: int,
        duties: tuple[Duty, ...],
        held: int,
        goes: int,
        number: int = -1,
        onto: Meld | None = None,
    ) -> bool | None:
        """
        Whether all duties can be met and the turn then finished; None if unknown.

        Args:
            hand: The hand, which includes the cards owed.
            duties: The duties, one at least.
            held: The hand before the draw.
            goes: Mask of the cards that may be discarded.
            number: The number of a play of other cards that comes first; -1 for none.
            onto: The meld on which this lays cards; None for a new meld.
        """
        if not self.tells_at_all:
            return None
        if len(duties) > 1:
            each = [
                self.tells(hand, (one,), held, goes, number, onto) for one in duties
            ]
            return False if False in each else None
        owed, code = duties[0], duties[0].code
        if not owed.is_binding:
            return None
        # With two cards left, one can be discarded, unless rules bar more.
        spare = size((hand - UNIT[code]) & goes) - self._keeps
        lays = not owed.needs_meld and (self._melded or number >= 0)
        if lays and spare > 0 and onto is None and self._fits_now & FIELD[code]:
            return self._yes
        free = self._any_first or number >= 0
        cards = hand if free else hand & self._terms.natural_mask
        melded = 0
        if cards & FIELD[code]:
            melded = self.fewest(cards, owed, held)
        if 0 < melded <= spare:
            return self._yes
        laid = 0
        if not owed.needs_meld:
            laid = self._fewest_laid(hand, code, number, onto)
            if lays and 0 < laid <= spare:
                return self._yes
        if melded or (lays and laid):
            return None
        if owed.at_once:
            # Melds are regrouped for a card only if it makes one with their cards.
            if not self._regroups or owed.needs_meld:
                return False
            return None if self.fewest(hand + self._lying, owed, held) else False
        wild = self._terms.wild[code] and not owed.needs_meld
        if wild or (self._loose and self.may_trade(hand, owed, held, number)):
            return None
        if number >= 0 and not self._own_open:
            return None
        if not free and hand & self._terms.wild_mask:
            # A natural meld first, and then this one.
            return None if laid or self.fewest(hand, owed, held) else False
        if laid:
            # A meld of one's own first, and then the card.
            first = self._shapes.fewest_of(self._shapes.new(cards - UNIT[code]))
            if not first:
                return False
            alone = self._fits_now & FIELD[code] and first + 1 <= spare
            return self._yes if alone else None
        return False

    def reach(self, hand: int, pile: bytes) -> int:
        """
        Mask of the cards of a pile that some play might use if all of it were taken.
        """
        if self._loose or not self.tells_at_all:
            return -1
        cards, wild = hand + pack(pile), self._terms.wild_mask
        found = self._shapes.reach(cards) | self._fits_now
        for meld in self._melds:
            # A run grows far only if something lies at an end of it.
            if meld.kind != "set" and cards & (meld.grows | wild):
                found |= meld.kin
        return found

    def fewest(self, cards: int, owed: Duty, held: int, more: int = 0) -> int:
        """
        The fewest cards of a new meld that meets a duty; 0 if there is none.

        Args:
            cards: The cards.
            owed: The duty.
            held: The hand before the draw.
            more: How many more wilds might come to the hand.
        """
        code, natural = owed.code, self._terms.natural_mask
        if not (owed.is_natural_set or owed.joins_naturals):
            return self._shapes.fewest(cards, code)
        if owed.is_natural_set:
            cards &= natural & self._terms.rank_masks[CARDS[code].rank]
        mates = common(cards - UNIT[code], held) & natural
        return self._shapes.joining(cards, code, mates, more)

    def may_trade(self, hand: int, owed: Duty, held: int, number: int = -1) -> bool:
        """
        Whether trades for wilds, or parts of melds, might help to meet a duty.
        """
        if not owed.joins_naturals:
            return number >= 0 or bool(self._melds)
        real = present(hand)
        trades = sum([(real & meld.real).bit_count() for meld in self._melds])
        if number >= 0:
            trades += len(self._shapes.play(number).cards)
        return self.fewest(hand, owed, held, trades) > 0

    def _fewest_laid(self, hand: int, code: int, number: int, onto: Meld | None) -> int:
        """
        The fewest cards of a lay-off that uses a card; 0 if there is none.

        A single play can do to a meld on the table whatever several can, so it is
        enough to look at the melds as they are.
        """
        shapes, own, anywhere = self._shapes, FIELD[code], self._terms.wild[code]
        sizes = [
            shapes.fewest_onto(one, hand, code)
            for one in (self._melds if anywhere or self._near & own else ())
            if (anywhere or one.kin & own) and one is not onto and self._builds_on(one)
        ]
        if number >= 0 and self._own_open and (anywhere or not onto or onto.kin & own):
            if onto is None:
                meld = shapes.meld(number, self._seat)
            else:
                meld = shapes.enlarged(onto, number, self._seat)
            sizes.append(shapes.fewest_onto(meld, hand, code))
        return min(filter(None, sizes), default=0)

    def _builds_on(self, meld: Meld) -> bool:
        """
        Whether a meld is no single wild, or one of the player's own to build on.
        """
        own = meld.maker == self._seat and self._any_first
        return own or meld.kind != "wild"


def uses_of(state: AnyState, seat: int) -> Uses:
    """
    What it takes a seat to use a card at a table; made once for a table.
    """
    known = fits_of(state, seat).known
    asked = state.match.rules.asked
    free = state.dealt.terms.extra is None and "may_lay" not in asked
    melded = state._has_meld >> seat & 1
    for question in _ON_MELDS.intersection(asked) if free else ():
        # Only first melds have to be an opening.
        later = question == "opening" and bool(melded)
        free = free and (later or asking.is_silent(state, seat, question))
    if free and "may_lay_off" in asked:
        free = asking.lets_lay_off(state, seat)
    key = (seat, melded, free)
    found: Uses | None = known.get(key)
    if found is None:
        found = known[key] = Uses(state, seat, free=free)
    return found


_ON_MELDS: Final = frozenset({"most_melds", "opening"})
"""The questions about a turn by which house rules may forbid new melds."""


# -------------------------------------------------------------------------- the search


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
    if not has_to_throw(rules, left & discardable(state)):
        return False
    if size(left) > 1:
        return True
    if "may_go_out" in rules.asked:
        return False
    if not (state._floating or rules.out.keeps_playable):
        return True
    # A last card is laid off if it fits, and discarded if it does not.
    opens = rules.opens_all_melds and not state.dealt.terms.swaps
    plainly = opens and rules.settled.plays_by_values
    return laid and plainly and not rules.out.keeps_a_card


_ENDS: Final = frozenset({"may_go_out", "must_go_out"})
"""The questions about whether a turn ends by going out."""


def is_released(state: AnyState, seat: int) -> bool:
    """
    Whether a player who cannot finish the turn may discard any card (RV-03, RV-43).
    """
    settled = state.match.rules.settled
    searched = settled.plays_by_values and not settled.alters_turns
    if searched and state.drawn.source != "stock":
        return False  # else the take was refused
    if state.phase == "discard":
        hand = faces(state._hands[seat])
        return all(refuse_discard(state, seat, code) is not None for code in hand)
    known = _finishes(state, seat)
    if known is None:
        # Then each play that no rule refuses is legal, if there is one.
        return next(plans(state, seat, state.drawn.at_once), None) is None
    return not known


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
        if size(hand) > 1 and asking.refusal(state, seat, "must_go_out") is not None:
            plainly = goes_out(state, seat)
            if plainly is not None:
                return plainly
        for code in faces(throwable(hand, drawn)):
            if refuse_discard(state, seat, code) is None:
                return True
        if asking.ends_by_offer(state, seat):
            return True
        if not hand:
            return refuse_empty_hand(state, seat) is None
    known = tried.ends if tried else _known_ends(state, seat)
    key = (hand, state._table, state.dealer_wild, drawn)
    if key not in known:
        try:
            known[key] = _can_play_on(state, seat, tried or Tried(state, known))
        except SpentError:
            if tried:
                raise
            known[key] = None
    return known[key]


def _known_ends(state: AnyState, seat: int) -> Ends:
    """
    What searches from the same state have found, whatever was played first.
    """
    history, known, ends = _TURN[0]
    at = (state.frames, seat, frozenset(asking.ANSWERING))
    if history is not state._history or known != at:
        ends = {}
        _TURN[0] = state._history, at, ends
    return ends


_TURN: Final[list[tuple[object, object, Ends]]] = [(None, None, {})]


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
    uses = uses_of(state, seat)
    plainly = uses.tells(hand, drawn.duties, drawn.held, discardable(state))
    if plainly is not None:
        return plainly
    if _can_lay(state, seat, owed, tried):
        return True
    if owed.at_once:
        return False
    if owed.joins_naturals and not uses.may_trade(hand, owed, drawn.held):
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
        plays = _with_two_naturals(state, seat, owed, tried)
    else:
        # With no other duty, a play that cannot meet this one is of no use.
        alone = owed.needs_meld and len(drawn.duties) == 1
        branches = NEW_MELDS if alone else PLAYS
        found = plans(state, seat, owed.code, tried, branches)
        plays = (play for _, play in found)
    plain = not (drawn.duties[1:] or must_knock(state))
    plain = plain and "must_go_out" not in state.match.rules.asked
    hand = state._hands[seat]
    for play in plays:
        if plain and play.gained < 0 and not (play.then or unmet(state, play)):
            if surely_ends(state, hand - play.used):
                return True
        after = _after(state, seat, play)
        if after.drawn.duties.count(owed) < drawn.duties.count(owed):
            if can_finish(after, seat, tried):
                return True
    return False


def _with_two_naturals(
    state: AnyState, seat: int, owed: Duty, tried: Tried
) -> Iterator[Play]:
    """
    New melds of a card with two naturals that were held before, with few wilds first.
    """
    shapes = shapes_of(state.dealt.terms)
    joins = partial(owed.joins, state.dealt.terms, held=state.drawn.held)
    lots = shapes.new(state._hands[seat], FIELD[owed.code])
    for lot in sorted(lots, key=lambda one: len(shapes.taken(one.wilds[0])[0])):
        for number in shapes.numbers(shapes.kept([lot], joins)):
            tried.count()
            play = plan(state, seat, NewMeld(shapes.play(number).cards, seat), number)
            if isinstance(play, Play):
                yield play
    for _, play in plans(state, seat, owed.code, tried, (to_go_down,)):
        yield play


def _openings(state: AnyState, seat: int, owed: Duty, tried: Tried) -> Iterator[Play]:
    """
    Plays that do not use a card owed but may make it usable.
    """
    code, rules = owed.code, state.match.rules
    loose = rules.wild.swaps or rules.wild.split
    if not state._has_meld >> seat & 1 and rules.settled.first_matters:
        opened = thaw(state)
        opened._has_meld |= side_of(state, seat)
        if loose or next(plans(opened, seat, code), None) is not None:
            spare = state._hands[seat] - UNIT[code]
            for _, play in plans(state, seat, -1, tried, NEW_MELDS):
                if holds(spare, play.used):
                    yield play
    if rules.layoff.rearranges and state.dealt.terms.wild_mask:
        for _, play in plans(state, seat, -1):
            if not play.used & FIELD[code]:
                yield play
    if loose:
        branches = (to_swap, to_split) if owed.any_play else (to_swap,)
        for _, play in plans(state, seat, -1, None, branches):
            if not play.used & FIELD[code]:
                yield play
        if owed.any_play and rules.wild.split:
            yield from longer_runs(state, seat, code)


def refuse_dead_end(state: AnyState, seat: int, play: Play) -> Objection | None:
    """
    Why a planned play would leave no way to finish the turn (RV-03).
    """
    drawn = state.drawn
    if not drawn.duties and play.gained < 0 and play.used and not play.then:
        if surely_ends(state, state._hands[seat] - play.used):
            return None
    # What the whole turn does not lead to, no play does.
    before = _finishes(state, seat)
    # Discards are taken only if the turn can be finished.
    if before is None or (not before and drawn.source == "stock"):
        return None
    after = _after(state, seat, play)
    if before and can_finish(after, seat):
        return None
    return why_stuck(after, seat)


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
    bound = asking.refusal(state, seat, "must_go_out")
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
