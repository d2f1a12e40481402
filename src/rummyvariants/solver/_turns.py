"""
The best that a seat of a game can do with its hand and the table.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rummyvariants.cards import CARDS, UNIT, as_cards, count, faces, size
from rummyvariants.game._engine.candidates import plans
from rummyvariants.game._engine.endings import can_finish, refuse_discard
from rummyvariants.game._engine.plays import (
    Play,
    melds_by_number,
    melds_open_to,
    perform,
    plan,
    terms_of,
)
from rummyvariants.game._round import NOTHING_DRAWN, turn_frames
from rummyvariants.game._state import Draft, State, thaw
from rummyvariants.game.actions import Declare, Knock, LayDown, LayOff
from rummyvariants.melds._combos import melds_in
from rummyvariants.melds._deadwood import worth_of
from rummyvariants.melds._meld import Beside, Slot, is_low_ace, is_natural
from rummyvariants.melds._reading import read_meld
from rummyvariants.melds.dividing._prices import FIRST
from rummyvariants.policies import Duty
from rummyvariants.rulings import Objection
from rummyvariants.solver._arrangements import Arrangement
from rummyvariants.solver._concealed import Concealed
from rummyvariants.solver._finder import Best, Finder
from rummyvariants.solver._fours import more_in
from rummyvariants.solver._goals import (
    LIMIT,
    ArrangeError,
    check_goal,
    check_limit,
    low_aces,
)
from rummyvariants.solver._situations import Action, Situation


def arrange(
    state: State,
    seat: int | None = None,
    goal: str = "most points",
    *,
    layoffs: bool = True,
    limit: int | None = LIMIT,
) -> Arrangement:
    """
    The best that a seat can do with its hand in this turn.

    It considers new melds, lay-offs, real cards beside wilds, trades for wilds and
    single wilds, with what has to come first and the duties for cards taken. `apply`
    accepts the plays, and the turn can be finished after them. Melds on the table are
    not split.

    Where melds stay in the hand until somebody knocks, `melds` are those in the hand
    and `left` is the rest. After a draw the action is the best knock or else the best
    discard; before the first draw it is the declaration of a hand as it was dealt, if
    that is possible; after a knock the actions are lay-offs; otherwise there are none.

    Args:
        state: The game. If the seat cannot play now, the result is for a turn that it
            had now, without duties.
        seat: The seat; it may be left out if only one seat may act.
        goal: ``most points`` (laid down), ``least points left``, ``least cards left``,
            or ``out`` (go out, or else leave as few cards as possible).
        layoffs: Whether cards may be laid off on the melds on the table.
        limit: How many nodes the search may look at; None for no limit. The default is
            far more than an ordinary hand needs.

    Raises:
        ArrangeError: If the goal or the seat does not exist, or no cards are dealt.
    """
    check_goal(goal)
    check_limit(limit)
    if seat is None:
        if len(state.to_act) != 1:
            msg = "give a seat: there is not just one seat that may act"
            raise ArrangeError(msg)
        (seat,) = state.to_act
    if not 0 <= seat < len(state.players):
        msg = f"there is no seat {seat}: seats are 0 to {len(state.players) - 1}"
        raise ArrangeError(msg)
    if state.phase in {"deal", "choose", "over"}:
        msg = "no cards are dealt: there is no hand to arrange"
        raise ArrangeError(msg)
    if state.rules.meld.concealed:
        return _concealed(state, seat, goal, layoffs=layoffs, limit=limit)
    return _Turn(state, seat, goal, layoffs=layoffs, limit=limit).arrangement()


def _concealed(
    state: State, seat: int, goal: str, *, layoffs: bool, limit: int | None
) -> Arrangement:
    """
    `arrange` where melds stay in the hand until somebody knocks.
    """
    found = Concealed(state, seat, goal, layoffs=layoffs, limit=limit).found()
    terms = terms_of(state)
    return Arrangement(
        goal,
        found.actions,
        as_cards(found.left),
        found.points,
        worth_of(terms, found.left),
        any(isinstance(action, Knock | Declare) for action in found.actions),
        found.exact,
        found.work,
        terms=terms,
        table=tuple(melds_by_number(state)),
        partition=tuple([LayDown(cards, seat) for cards in found.melds]),
    )


@attrs.frozen(eq=False)
class _Done:
    """
    Plays that can be made.
    """

    value: int
    actions: tuple[Action, ...]
    after: Draft
    goes_out: bool


class _Turn:
    """
    The turn of a seat.
    """

    def __init__(
        self, state: State, seat: int, goal: str, *, layoffs: bool, limit: int | None
    ) -> None:
        draft = thaw(state)
        if state.phase != "play" or state.turn != seat:
            draft.frames, draft.drawn = turn_frames("play", seat), NOTHING_DRAWN
        self._start = draft
        self._seat = seat
        self._goal = goal
        self._finder = Finder(goal, limit)
        self._layoffs = layoffs
        self._terms = terms_of(state)
        self._low_aces = low_aces(state.rules, self._terms)
        self._points = self._down(draft)
        drawn = draft.drawn
        self._duties: tuple[Duty, ...] = drawn.duties
        # A card drawn from the stock may leave no way to finish; play goes on all the
        # same.
        self._stuck = drawn.source == "stock" and not can_finish(draft, seat)
        self._here = Situation(
            state.rules,
            self._terms,
            draft._hands[seat],
            seat,
            dict(melds_open_to(draft, seat, melded=True)),
            len(draft._table) + 1,
            bool(draft._has_meld >> seat & 1),
            layoffs,
            made=drawn.melds,
            start=dict(melds_open_to(draft, seat, melded=True)),
        )

    def arrangement(self) -> Arrangement:
        done = self._best()
        left = done.after._hands[self._seat]
        return Arrangement(
            self._goal,
            done.actions,
            as_cards(left),
            self._down(done.after) - self._points,
            worth_of(self._terms, left),
            done.goes_out,
            self._finder.exact,
            self._finder.work,
            terms=self._terms,
            table=tuple(melds_by_number(self._start)),
        )

    def _best(self) -> _Done:
        # The best of the first level that can be played reaches any bound on what can
        # be done.
        best: _Done | None = None
        bound = None
        for level in (self._free(), self._kept(1), self._kept(2)):
            for one in level:
                value = one.value
                actions = self._in_order(one.actions)
                done = self._played(actions)
                if done is None:
                    bound = value if bound is None else max(bound, value)
                    if self._finder.is_over:
                        done = self._begun_at_least(actions)
                if done is None:
                    continue
                if best is None or done.value > best.value:
                    best = done
            if best is not None and (bound is None or best.value >= bound):
                break
        unsure = self._terms.extra is not None
        if unsure or best is None or (bound is not None and best.value < bound):
            best, sure = self._tried(best)
            self._finder.exact = sure and (unsure or self._finder.exact)
        if self._goal == "out" and not best.goes_out:
            best = self._way_out(best)
        return best

    def _begun_at_least(self, actions: tuple[Action, ...]) -> _Done | None:
        """
        As many of some plays in a row as can be made and the turn then finished.
        """
        for end in range(len(actions) - 1, 0, -1):
            done = self._played(actions[:end])
            if done is not None:
                return done
        return None

    # ------------------------------------------------------------------- searches

    def _free(self) -> Iterator[Best]:
        """
        The best plays that meet the duties; a bound for all that can be played.
        """
        owed = [duty for duty in self._duties if duty.is_binding]
        strict = [duty for duty in owed if duty.needs_meld]
        if not strict:
            found = self._find(self._here)
            if found is None:
                return
            if owed and not self._uses(found, owed[0].code):
                found = self._find(self._here, owed[0].code)
            if found is not None:
                yield found
            return
        best: Best | None = None
        for here in self._begun(strict[0]):
            one = self._find(here)
            if one is not None and (best is None or one.value > best.value):
                best = one
        if best is not None:
            yield best

    def _find(self, here: Situation, owed: int = -1) -> Best | None:
        found = self._finder.best(here, owed=owed)
        if owed >= 0 and found is not None:
            copies = count(here.hand, owed) - count(found.left, owed)
            # Of two copies one might do better in the hand.
            self._finder.exact = self._finder.exact and copies == 1
            found = attrs.evolve(found, value=self._value_of(found))
        return found

    def _value_of(self, found: Best) -> int:
        used = self._here.hand
        return self._value(found.points, used, found.left)

    def _uses(self, found: Best, code: int) -> bool:
        return count(found.left, code) < count(self._here.hand, code)

    def _begun(self, duty: Duty) -> Iterator[Situation]:
        """
        The melds that meet a duty which only a new meld meets.
        """
        drawn = self._start.drawn
        terms, here = self._terms, self._here
        shortest = max(terms.least_set, 3)
        melds = melds_in(terms, here.hand, duty.code)
        for cards, used in self._finder.counted(melds):
            meld = read_meld(terms, cards, self._seat)
            if isinstance(meld, Objection):
                continue
            natural = meld.kind == "set" and is_natural(meld.slots)
            if not duty.met_by(terms, used, drawn.held, meld=True, natural=natural):
                continue
            if duty.is_natural_set and len(cards) > shortest:
                continue  # more cards can be added later
            if here.rules.meld.first_natural and not here.has_meld:
                if not is_natural(meld.slots):
                    self._finder.exact = False
                    continue
            begun = here.begun(cards)
            if begun is not None:
                yield begun

    def _kept(self, number: int) -> Iterator[Best]:
        """
        The best plays that keep so many cards for the discard, for each choice of them.
        """
        hand = self._here.hand
        seen = set()
        for code in faces(hand):
            for other in faces(hand - UNIT[code]) if number > 1 else (-1,):
                kept = UNIT[code] + (UNIT[other] if other >= 0 else 0)
                if kept in seen:
                    continue
                if self._finder.is_over:
                    return
                seen.add(kept)
                whole = self._here
                self._here = attrs.evolve(whole, hand=hand - kept)
                for one in self._free():
                    yield attrs.evolve(one, left=one.left + kept)
                self._here = whole

    def _way_out(self, best: _Done) -> _Done:
        """
        Plays that leave one card which may be discarded, if there are any.
        """
        unsure = False
        for one in self._kept(1):
            if size(one.left) == 1:
                done = self._played(self._in_order(one.actions))
                if done is not None and done.goes_out:
                    return done
                unsure = True
        if unsure:
            out, sure = self._tried(best, out=True)
            exact = self._finder.exact and (sure or out.goes_out)
            self._finder.exact = exact
            if out.goes_out:
                return out
        return best

    # ---------------------------------------------------------------------- playing

    def _in_order(self, actions: tuple[Action, ...]) -> tuple[Action, ...]:
        """
        Plays, with what has to be laid at once put first.
        """
        if not (self._duties and self._duties[0].at_once):
            return actions
        owed = CARDS[self._duties[0].code]
        first = [
            one
            for one in actions
            if isinstance(one, (LayDown, LayOff))
            and any(played.card == owed for played in one.cards)
        ][:1]
        return (*first, *(one for one in actions if one not in first))

    def _played(self, actions: tuple[Action, ...]) -> _Done | None:
        """
        What plays lead to; None if they cannot be made, or the turn cannot be finished.
        """
        draft = thaw(self._start)
        for action in actions:
            play = plan(draft, self._seat, action)
            if not isinstance(play, Play):
                return None
            perform(draft, self._seat, play)
        if not self._may_end(draft):
            return None
        return self._done(draft, actions)

    def _may_end(self, draft: Draft) -> bool:
        """
        Whether no duty is left and the turn can be finished.
        """
        drawn = draft.drawn
        if any(duty.is_binding for duty in drawn.duties):
            return False
        return self._stuck or can_finish(draft, self._seat)

    def _done(self, draft: Draft, actions: tuple[Action, ...]) -> _Done:
        left = draft._hands[self._seat]
        points = self._down(draft) - self._points
        value = self._value(points, self._start._hands[self._seat], left)
        out = False
        if size(left) == 1:
            (code,) = faces(left)
            out = refuse_discard(draft, self._seat, code) is None
        elif not left and actions:
            out = draft.match.rules.out.by_empty_hand
        return _Done(value, actions, draft, out)

    def _value(self, points: int, before: int, left: int) -> int:
        cards = size(before) - size(left)
        if self._goal == "most points":
            return points * FIRST + cards
        worth = worth_of(self._terms, before) - worth_of(self._terms, left)
        if self._goal == "least points left":
            return worth * FIRST + cards
        return cards * FIRST + points

    def _down(self, draft: Draft) -> int:
        """
        The points of the cards on the table that are the seat's.
        """
        terms = self._terms
        rules = draft.match.rules
        total = 0
        for _, meld in melds_by_number(draft):
            if self._goal == "most points":
                total += more_in(rules, terms, meld, self._seat)
            laid: list[tuple[int, Slot | Beside]] = [*enumerate(meld.slots)]
            laid += [(beside.index, beside) for beside in meld.beside]
            for index, one in laid:
                if one.seat != self._seat:
                    continue
                code = one.card.code
                if is_low_ace(terms, meld, index, one.card):
                    total += self._low_aces[code >> 4]
                else:
                    total += terms.worth[code]
        return total

    def _tried(self, best: _Done | None, *, out: bool = False) -> tuple[_Done, bool]:
        """
        The best found by trying every play, as far as that is not too much work.

        Returns:
            The best, and whether all was tried.
        """
        top = best or self._done(thaw(self._start), ())
        seen = set()
        waiting: list[tuple[Draft, tuple[Action, ...]]] = [(thaw(self._start), ())]
        while waiting:
            draft, actions = waiting.pop()
            key = (
                draft._hands[self._seat],
                tuple([(meld.kind, meld.slots, meld.beside) for meld in draft._table]),
                draft.dealer_wild,
                draft.drawn,
            )
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > _TRIES:
                return top, False
            done = self._done(draft, actions)
            if out and done.goes_out:
                return done, True
            if done.value > top.value and self._may_end(draft):
                top = done
            for action, play in self._finder.counted(plans(draft, self._seat, -1)):
                if play.second is not None:
                    continue
                if not self._layoffs and play.number <= len(self._start._table):
                    continue
                after = thaw(draft)
                perform(after, self._seat, play)
                waiting.append((after, (*actions, action)))  # type: ignore[arg-type]
        return top, not self._finder.is_over


_TRIES = 400
"""How many positions are tried where nothing simpler is certain."""
