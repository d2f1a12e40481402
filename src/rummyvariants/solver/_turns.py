"""
The best that a seat of a game can do with its hand and the table.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants.cards import CARDS, UNIT, as_cards, count, faces, size
from rummyvariants.errors import Seat, seat_number
from rummyvariants.game._engine.candidates import plans
from rummyvariants.game._engine.plays import melds_by_number, perform, terms_of
from rummyvariants.game._state import Draft, State, thaw
from rummyvariants.game.actions import Declare, Knock, LayDown, LayOff
from rummyvariants.melds._combos import melds_in
from rummyvariants.melds._deadwood import worth_of
from rummyvariants.melds._meld import is_natural
from rummyvariants.melds._reading import read_meld
from rummyvariants.melds.dividing._runs import NEVER
from rummyvariants.policies import Duty
from rummyvariants.rulings import Objection
from rummyvariants.solver._arrangements import Arrangement
from rummyvariants.solver._concealed import Concealed
from rummyvariants.solver._finder import BARE, Best, Finder, all_used
from rummyvariants.solver._first_melds import FirstMelds
from rummyvariants.solver._goals import LIMIT, ArrangeError, check_goal, check_limit
from rummyvariants.solver._playing import Done, Playing
from rummyvariants.solver._situations import Action, Situation


@explained
def arrange(
    state: State,
    seat: Seat | None = None,
    goal: str = "most points",
    *,
    layoffs: bool = True,
    limit: int | None = LIMIT,
) -> Arrangement:
    """
    The best that a seat can do with its hand in this turn.

    It considers new melds, lay-offs, real cards beside wilds, trades for wilds and
    single wilds, with what has to come first (a contract, or melds of enough points,
    are one action), what it takes to go out, and the duties for cards taken. `apply`
    accepts the plays, and the turn can be finished after them; where the player has to
    go out, it is. Melds on the table are not split.

    Where melds stay in the hand until somebody knocks, `melds` are those in the hand
    and `left` is the rest. After a draw the action is the best knock or else the best
    discard; before the first draw it is the declaration of a hand as it was dealt, if
    that is possible; after a knock the actions are lay-offs; otherwise there are none.

    Args:
        state: The game. If the seat cannot play now, the result is for a turn that it
            had now, without duties.
        seat: The seat, from 0 or by the player's name; it may be left out if only one
            seat may act.
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
    seat = seat_number(seat, state.players, ArrangeError)
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


class _Turn:
    """
    The search for the best turn of a seat.
    """

    def __init__(
        self, state: State, seat: int, goal: str, *, layoffs: bool, limit: int | None
    ) -> None:
        playing = self._playing = Playing(state, seat, goal, layoffs=layoffs)
        start = playing.start
        self._goal = goal
        self._finder = Finder(goal, limit, BARE)
        self._terms = terms_of(state)
        self._duties: tuple[Duty, ...] = start.drawn.duties
        self._here = playing.situation(start, start._hands[seat])
        self._first = FirstMelds(playing, self._finder)
        self._top: Done | None = None

    def arrangement(self) -> Arrangement:
        done = self._best()
        left = done.after._hands[self._playing.seat]
        return Arrangement(
            self._goal,
            done.actions,
            as_cards(left),
            self._playing.points(done.after),
            worth_of(self._terms, left),
            done.goes_out,
            self._finder.exact,
            self._finder.work,
            terms=self._terms,
            table=tuple(melds_by_number(self._playing.start)),
        )

    def _best(self) -> Done:
        # The best of the first level that can be played reaches any bound on what can
        # be done.
        bound = None
        if self._playing.ends_matter:
            bound = self._by_ends()
        else:
            for level in (self._free(), self._kept(1), self._kept(2)):
                bound = _higher(bound, self._look(level))
                if self._reaches(bound):
                    break
        best = self._top
        unsure = self._terms.extra is not None
        if best is None or unsure or not self._reaches(bound):
            best, sure = self._tried(best)
            self._finder.exact = sure and (unsure or self._finder.exact)
        if self._goal == "out" and not best.goes_out:
            # No way out leaves more cards than the play that leaves the fewest.
            left = size(best.after._hands[self._playing.seat])
            if left < 2 or not self._finder.exact:
                best = self._way_out(best)
        return best

    def _by_ends(self) -> int | None:
        """
        Look at turns that go out, under the conditions for it, and at all others.

        Returns:
            A bound on what was refused.
        """
        whole, playing, bound = self._here, self._playing, None
        if playing.may_go_out:
            self._here = attrs.evolve(whole, spare=1, long=playing.canastas_needed())
            refused = self._look(self._free())
            if refused is not None or (self._top and self._finder.spoils(whole)):
                # With another card for the discard it may do, or do better.
                self._here = attrs.evolve(self._here, spare=0)
                kept = self._look(self._kept(1))
                at_least_one = playing.start.match.rules.out.keeps_a_card
                bound = kept if at_least_one else _higher(refused, kept)
        if playing.may_stay:
            self._here = attrs.evolve(whole, last=False)
            if not self._reaches(self._look(self._free())):
                bound = _higher(bound, self._look(self._kept(2)))
        self._here = whole
        return bound

    def _look(self, level: Iterator[Best]) -> int | None:
        """
        Play what is found, and keep the best.

        Returns:
            A bound on what was refused; None if nothing was.
        """
        bound = None
        for one in level:
            actions = self._in_order(one.actions)
            done = self._playing.played(actions)
            if done is None:
                bound = _higher(bound, one.value)
                if self._finder.is_over:
                    done = self._begun_at_least(actions)
            if done and (self._top is None or done.value > self._top.value):
                self._top = done
        return bound

    def _reaches(self, bound: int | None) -> bool:
        """
        Whether the best so far is worth as much as anything that was refused.
        """
        top = self._top
        return top is not None and (bound is None or top.value >= bound)

    def _begun_at_least(self, actions: tuple[Action, ...]) -> Done | None:
        """
        As many of some plays in a row as can be made and the turn then finished.
        """
        for end in range(len(actions) - 1, 0, -1):
            done = self._playing.played(actions[:end])
            if done is not None:
                return done
        return None

    # ------------------------------------------------------------------- searches

    def _free(self, above: int = NEVER) -> Iterator[Best]:
        """
        The best plays that meet the duties; a bound for all that can be played.

        Args:
            above: Only plays worth more than this are looked for.
        """
        owed = [duty for duty in self._duties if duty.is_binding]
        strict = [duty for duty in owed if duty.needs_meld]
        if not strict or self._first.are_asked:
            found = self._find(self._here, above)
            if found is None:
                return
            if owed and not self._uses(found, owed[0].code):
                found = self._find(self._here, owed=owed[0].code)
            if found is not None:
                yield found
            return
        best: Best | None = None
        for here in self._begun(strict[0]):
            one = self._find(here, above)
            if one is not None and (best is None or one.value > best.value):
                best = one
        if best is not None:
            yield best

    def _find(self, here: Situation, above: int = NEVER, owed: int = -1) -> Best | None:
        search = self._first if self._first.are_asked else self._finder
        found = search.best(here, above, owed)
        if owed >= 0 and found is not None:
            copies = count(here.hand, owed) - count(found.left, owed)
            # Of two copies one might do better in the hand.
            self._finder.exact = self._finder.exact and copies == 1
            found = attrs.evolve(found, value=self._value_of(found))
        return found

    def _value_of(self, found: Best) -> int:
        return self._playing.value(found.points, self._here.hand, found.left)

    def _uses(self, found: Best, code: int) -> bool:
        return count(found.left, code) < count(self._here.hand, code)

    def _begun(self, duty: Duty) -> Iterator[Situation]:
        """
        The melds that meet a duty which only a new meld meets.
        """
        drawn = self._playing.start.drawn
        terms, here = self._terms, self._here
        shortest = max(terms.least_set, 3)
        melds = melds_in(terms, here.hand, duty.code)
        for cards, used in self._finder.counted(melds):
            meld = read_meld(terms, cards, self._playing.seat)
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

    def _kept(self, number: int, *, no_more: bool = False) -> Iterator[Best]:
        """
        The best plays that keep so many cards for the discard, for each choice of them.

        Args:
            number: How many cards are kept.
            no_more: Whether all others have to be used.
        """
        hand = self._here.hand
        seen = set()
        for code in faces(hand):
            for other in faces(hand - UNIT[code]) if number > 1 else (-1,):
                kept = UNIT[code] + (UNIT[other] if other >= 0 else 0)
                if kept in seen:
                    continue
                if self._here.spare == 0 and not self._playing.may_throw_last(code):
                    continue
                if self._finder.is_over:
                    return
                seen.add(kept)
                whole = self._here
                here = self._here = attrs.evolve(whole, hand=hand - kept)
                above = all_used(here.hand) if no_more else NEVER
                for one in self._free(above):
                    yield attrs.evolve(one, left=one.left + kept)
                self._here = whole

    def _way_out(self, best: Done) -> Done:
        """
        Plays that leave one card which may be discarded, if there are any.
        """
        unsure = False
        for one in self._kept(1, no_more=True):
            done = self._playing.played(self._in_order(one.actions))
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

    def _tried(self, best: Done | None, *, out: bool = False) -> tuple[Done, bool]:
        """
        The best found by trying every play, as far as that is not too much work.

        Returns:
            The best, and whether all was tried.
        """
        playing, seat = self._playing, self._playing.seat
        start, old = playing.start, len(playing.start._table)
        top = best or playing.done(thaw(start), ())
        seen = set()
        waiting: list[tuple[Draft, tuple[Action, ...]]] = [(thaw(start), ())]
        while waiting:
            draft, actions = waiting.pop()
            key = (
                draft._hands[seat],
                tuple([(meld.kind, meld.slots, meld.beside) for meld in draft._table]),
                draft.dealer_wild,
                draft.drawn,
            )
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > _TRIES:
                return top, False
            done = playing.done(draft, actions)
            if out and done.goes_out:
                return done, True
            if done.value > top.value and playing.may_end(draft):
                top = done
            for action, play in self._finder.counted(plans(draft, seat, -1)):
                if play.second is not None:
                    continue
                if not playing.layoffs and play.number <= old:
                    continue
                after = thaw(draft)
                perform(after, seat, play)
                waiting.append((after, (*actions, action)))  # type: ignore[arg-type]
        return top, not self._finder.is_over


def _higher(one: int | None, other: int | None) -> int | None:
    """
    The higher of two bounds; None bounds nothing.
    """
    return max([bound for bound in (one, other) if bound is not None], default=None)


_TRIES = 400
"""How many positions are tried where nothing simpler is certain."""
