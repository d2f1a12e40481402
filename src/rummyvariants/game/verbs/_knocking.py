"""
Knocks and declarations: which discards and melds they show, and what they do.

A declaration is a knock that leaves no card unmatched; it does not end the round while
others have a turn left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, Final, final

import attrs

from rummyvariants._support.values import Value
from rummyvariants._support.words import counted, figure, number
from rummyvariants.actions import Declare, Knock
from rummyvariants.cards import CARDS, UNIT, Card, codes, faces, holds, replaced, show
from rummyvariants.game import _asking as asking
from rummyvariants.game import _events as events
from rummyvariants.game._engine.candidates import PlayEnd, to_lay
from rummyvariants.game._engine.endings import (
    knock_limit,
    may_be_wrong,
    may_knock_with,
    may_show_dealt,
    most_left,
    points_allow_knock,
    refuse_thrown,
    shows_all,
    terms_of_rest,
)
from rummyvariants.game._engine.naming import cards_added, discard_named
from rummyvariants.game._engine.phases import (
    Phase,
    finish_turn,
    give_turn,
    permitted_by,
)
from rummyvariants.game._engine.plays import (
    LATER,
    AnyState,
    Play,
    PlayAction,
    missing,
    plan,
)
from rummyvariants.game._engine.rounds import end_round
from rummyvariants.game._events import Log
from rummyvariants.game._locations import DISCARDS, HANDS, TABLE, move, reveal
from rummyvariants.game._round import EVERYBODY, NOTHING_DRAWN
from rummyvariants.game._state import Draft, Leaf, State, side_of
from rummyvariants.game.verbs._leaving import leave_for_wrong
from rummyvariants.game.verbs._verb import Verb
from rummyvariants.melds._by_meld import ByMeld
from rummyvariants.melds._choices import Choice, for_card
from rummyvariants.melds._deadwood import (
    division,
    worth_of,
)
from rummyvariants.melds._meld import Meld, Played, bits_of, is_pure
from rummyvariants.melds._partitions import (
    LOOKS,
    Undivided,
    can_leave,
    first_partition,
    partitions,
    undivided,
)
from rummyvariants.melds._reading import read_meld, read_shown
from rummyvariants.melds._tables import Lives, plain
from rummyvariants.melds._tree import Fork, Known, Lazily, Node
from rummyvariants.melds.cover._divisions import Melds
from rummyvariants.melds.shapes._filling import ANY_NUMBER
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection, Unclear


Showing = Knock | Declare
"""An action that shows the whole hand."""


@attrs.frozen(eq=False, repr=False)
class KnockPlan(Value):
    """
    What a knock would do.

    Attributes:
        how: ``knock``, ``gin``, ``big gin``, or ``wrong`` for a declaration that costs
            points, since the melds are not what it needs.
        melds: The melds as they would be, in the order in which they are named.
        left: The unmatched cards of the hand.
        wrong: What is wrong with a wrong declaration.
    """

    how: str
    melds: tuple[Meld, ...]
    left: int
    wrong: str = ""


def plan_knock(state: AnyState, seat: int, action: Showing) -> KnockPlan | Objection:
    """
    What a knock would do, or why it is refused.

    Args:
        state: A state in which the seat has drawn, or may declare before that.
        seat: Who knocks.
        action: The knock, its melds named.
    """
    limit = knock_limit(state)
    card = action.card
    wrong = _refuse_kind(state, seat, action, limit) or asking.refusal(
        state, seat, "may_knock"
    )
    if wrong is not None:
        return wrong
    if action.melds is None:
        return Objection("RV-07", "name the melds that are shown")
    named = [one for cards in action.melds for one in cards]
    thrown = UNIT[card.code] if card is not None else 0
    hand = state._hands[seat]
    used = bits_of(named)
    lacking = missing(state, hand, used) or missing(state, hand, thrown)
    if lacking is not None:
        return lacking
    # Not asked together, since the two may be more copies than fit.
    if card is not None and not holds(hand - used, thrown):
        return Objection(
            "RV-07", f"{card} is in a meld and cannot be discarded as well"
        )
    if card is not None:
        wrong = refuse_thrown(state, seat, card.code)
        if wrong is not None:
            return wrong
    left = hand - used - thrown
    plan = _plan_shown(state, seat, action, action.melds, left)
    pays = (
        isinstance(action, Declare) and state.match.rules.out.wrong_points is not None
    )
    if pays and isinstance(plan, Objection) and not isinstance(plan, Unclear):
        return KnockPlan("wrong", (), hand - thrown, plan.reason)
    return plan


def _plan_shown(
    state: AnyState, seat: int, action: Showing, shown: Melds, left: int
) -> KnockPlan | Objection:
    """
    What a knock with melds and cards left over would do, or why it may not show them.
    """
    limit = knock_limit(state)
    card = action.card
    terms = state.dealt.terms
    laid_off_on = left > 0 and state.match.rules.layoff.after_knock
    if isinstance(action, Declare):
        laid_off_on = state.match.rules.layoff.last_turns
    read = read_meld if laid_off_on else read_shown
    found = [read(terms, cards, seat) for cards in shown]
    no_melds = [one for one in found if isinstance(one, Objection)]
    unclear = [one for one in no_melds if isinstance(one, Unclear)]
    if no_melds:
        first = (unclear or no_melds)[0]
        fewest = min(terms.least_set, terms.least_run)
        if len(shown) == 1 and len(shown[0]) >= 2 * fewest and not unclear:
            reason = f"{first.reason}; melds are separated by '/'"
            return attrs.evolve(first, reason=reason)
        return first
    melds = [one for one in found if isinstance(one, Meld)]
    if isinstance(action, Declare):
        wrong = _refuse_declared(terms.lives, melds, left)
    else:
        wrong = _refuse_left(left, worth_of(terms, left), limit, card)
    if wrong is not None:
        return wrong
    how = "knock" if left else "big gin" if card is None else "gin"
    return KnockPlan(how, tuple(melds), left)


def _refuse_left(
    left: int, points: int, limit: int, card: Card | None
) -> Objection | None:
    """
    Why a knock may not leave some cards, of so many points.
    """
    if left and card is None:
        reason = f"{show(codes(left))} would be left, and big gin leaves none"
        return Objection("out.big_gin", reason)
    if points <= limit:
        return None
    allowed = f"{limit} at most" if limit else "none: here only gin ends the round"
    return Objection(
        "out.knock",
        f"{show(codes(left))} would be left, {figure(points, 'point')}, "
        f"and a knock leaves {allowed}",
    )


def _refuse_declared(
    lives: Lives, melds: Sequence[Meld], left: int
) -> Objection | None:
    """
    Why a declaration may not show a hand.

    Args:
        lives: The runs that it has to show.
        melds: The melds that it shows.
        left: The cards that are in none of them.
    """
    if left:
        reason = f"{show(codes(left))} would be left, and a declaration leaves none"
        return Objection("out.declare", reason)
    runs = [meld for meld in melds if meld.is_life]
    pure = sum([is_pure(meld.slots) for meld in runs])
    longest = max([len(meld) for meld in runs], default=0)
    lacking: dict[str, str] = {}
    if len(runs) < lives.runs:
        wanted = number(lives.runs)
        if lives.pure:
            wanted += f", {number(lives.pure)} of them pure"
        shown = counted(len(runs), "run") if runs else "no run"
        lacking["out.runs"] = _not_enough(shown, wanted)
    if pure < lives.pure:
        wanted = number(lives.pure)
        shown = counted(pure, "pure run") if pure else "no pure run"
        lacking["out.pure_runs"] = _not_enough(shown, wanted)
    if longest < lives.longest:
        shown = f"no run of {counted(lives.longest, 'card')}"
        lacking["out.long_run"] = _not_enough(shown, "one")
    paths = tuple(lacking)
    return Objection(paths[0], lacking[paths[0]], paths[1:]) if paths else None


def _not_enough(shown: str, wanted: str) -> str:
    return f"the hand shows {shown}, and a declaration needs {wanted}"


def _refuse_kind(
    state: AnyState, seat: int, action: Showing, limit: int
) -> Objection | None:
    """
    Why nobody may knock so, or declare so, whatever the hand.
    """
    out = state.match.rules.out
    if not isinstance(action, Declare):
        if limit < 0 or out.declares:
            reason = "nobody knocks in this game"
            if out.declares:
                reason += ": a player goes out with 'declare'"
            return Objection("out.knock", reason, ("RV-07",))
        if action.card is None and not out.shows_all:
            return Objection("out.big_gin", "a knock needs a discard, even with gin")
    elif not out.declares:
        return Objection("out.declare", "nobody declares in this game", ("RV-07",))
    elif limit < 0:
        name = state.match.players[state.out[0]]
        reason = f"{name} has declared: this last turn ends with a discard"
        return Objection("out.last_turn", reason, ("out.declare",))
    elif state.phase == "draw":
        if action.card is not None:
            reason = "a hand is declared as it was dealt, without a discard"
            return Objection("out.dealt_hand", reason, ("out.declare",))
    elif action.card is None and not shows_all(state, seat):
        return Objection("out.declare", "a declaration needs a discard")
    return None


def plan_dealt(state: AnyState, action: Declare) -> KnockPlan | Objection:
    """
    What a declaration before the draw would do, or why it is refused.

    Args:
        state: A state in which the seat has not drawn.
        action: The declaration, its melds named.
    """
    seat = action.seat or 0
    if may_show_dealt(state, seat):
        return plan_knock(state, seat, action)
    rules = state.match.rules
    if rules.out.dealt_hand and not state.out:
        reason = "only a hand as it was dealt is declared before the draw: draw first"
        return Objection("out.dealt_hand", reason, ("RV-07", "out.declare"))
    if not rules.out.declares:
        reason = f"'{action}' is no action of this game"
        return Objection("RV-07", reason, ("out.declare",))
    reason = f"a turn starts with a draw, so '{action}' has to wait"
    return Objection("RV-07", reason, ("out.declare",))


def shown_without(
    state: AnyState, seat: int, code: int, melds: Melds | None
) -> Showing:
    """
    The action that shows melds, with a discard, or without one if its code is negative.

    Args:
        state: The state.
        seat: Who knocks or declares.
        code: The discard.
        melds: The melds; None for the best ones.
    """
    kind: type[Showing] = Declare if state.match.rules.out.declares else Knock
    return kind(CARDS[code] if code >= 0 else None, melds, seat)


def melds_without(
    state: AnyState, seat: int, code: int, looks: list[int] | None = None
) -> Iterator[Melds]:
    """
    The melds that may be shown in a knock with a discard; with -1, without one.

    Args:
        state: A state in which the seat may knock so, see `may_knock_with`.
        seat: Who knocks.
        code: The discard.
        looks: As for `partitions`. The best melds are included in any case.
    """
    limit = knock_limit(state) if code >= 0 else 0
    terms = terms_of_rest(state)
    hand = _rest(state, seat, code)
    found = False
    for melds, left in partitions(terms, hand, limit, looks):
        if code >= 0 or not left:
            found = True
            yield melds
    if not found:
        yield division(terms, hand, limit).laid()[0]


def undivided_without(state: AnyState, seat: int, code: int) -> Undivided:
    """
    The hand that is divided for a knock with a discard; with -1, without one.
    """
    limit = knock_limit(state) if code >= 0 else 0
    return undivided(terms_of_rest(state), _rest(state, seat, code), limit)


def _rest(state: AnyState, seat: int, code: int) -> int:
    return state._hands[seat] - (UNIT[code] if code >= 0 else 0)


def named(state: AnyState, action: Showing) -> Showing:
    """
    A knock with the best melds named, if it names none.

    They leave the fewest points; among equals, the first listed is taken. If the hand
    lacks runs that it must show, they are the best without these, to be refused.
    """
    if action.melds is not None or action.seat is None:
        return action
    if not 0 <= action.seat < len(state._hands):
        return action
    fits = state.phase == "play" or may_show_dealt(state, action.seat)
    if not fits or knock_limit(state) < 0:
        return action  # it will be refused, whatever it shows
    terms = terms_of_rest(state)
    hand, limit = state._hands[action.seat], 0
    if action.card is not None:
        limit = knock_limit(state)
        if not holds(hand, UNIT[action.card.code]):
            return attrs.evolve(action, melds=())
        hand -= UNIT[action.card.code]
    if not can_leave(terms, hand, limit):
        terms = plain(terms)
    return attrs.evolve(action, melds=first_partition(terms, hand, limit)[0])


def show_melds(
    draft: Draft, seat: int, action: Showing, plan: KnockPlan, log: Log
) -> None:
    """
    Lay the discard of a knock on the pile and its melds on the table.
    """
    if action.card is not None:
        move(draft, UNIT[action.card.code], HANDS[seat], DISCARDS, log=log)
    move(draft, draft._hands[seat] - plan.left, HANDS[seat], TABLE)
    first = len(draft._table) + 1
    draft._table = (*draft._table, *plan.melds)
    if plan.melds:
        draft._has_meld |= side_of(draft, seat)
    if log is not None:
        declared = isinstance(action, Declare)
        for number, cards in enumerate(action.melds or (), first):
            log.lay(seat, number, None, draft._table[number - 1])
            named = tuple(map(str, cards))
            log.append(events.Laid(seat, named, number, "meld", declared=declared))


class _Showing(Verb):
    """
    Base of the ways to show the melds of a hand.
    """

    phases: tuple[str, ...] = ("play",)

    def offer(self, state: AnyState, seat: int) -> Node:
        """
        The discards, and the melds for each.
        """
        return of_knocks(state, seat)

    def plan(self, state: AnyState, action: Any) -> KnockPlan | Objection:
        """
        What is left of the hand, and whether that is little enough.
        """
        return plan_knock(state, action.seat or 0, action)

    def meant(self, state: AnyState, action: Any) -> Showing:
        """
        The action with the best melds named, if it names none.
        """
        return named(state, action)

    def meaning(self, state: State, action: Any, plan: KnockPlan) -> tuple[object, ...]:
        """
        The discard and the melds, in whatever order they are named.
        """
        number = len(state.table) + 1
        plays = [Play(0, number, meld, how="meld") for meld in plan.melds]
        each = sorted([cards_added(state, play, 0) for play in plays])
        return ("Knock", action.card, *each)

    def named(self, action: Any) -> Iterable[Played]:
        """
        The discard alone: the melds stay where they are.
        """
        return discard_named(action)


@final
class KnockVerb(_Showing):
    """
    The knock of gin, which ends the round.
    """

    kind = Knock
    hints: ClassVar = {
        "gin": "write 'gin' alone, 'knock Kc: 7h 8h 9h ...' to name the melds, or 'big "
        "gin: ...' where there is no discard"
    }
    also = "out.knock"

    def exists(self, rules: Ruleset) -> bool:
        return rules.out.knocks

    def perform(self, draft: Draft, action: Knock, plan: KnockPlan, log: Log) -> None:
        seat = action.seat or 0
        show_melds(draft, seat, action, plan, log)
        reveal(draft, HANDS[seat], EVERYBODY)
        draft.out = (*draft.out, seat)
        draft.drawn = NOTHING_DRAWN
        draft.laid = False
        draft.idle = 0
        draft.turns = replaced(draft.turns, seat, draft.turns[seat] + 1)
        if log is not None:
            left = tuple(CARDS[code] for code in codes(plan.left))
            log.append(events.Knocked(seat, plan.how, left))
        if plan.how == "knock" and draft.match.rules.layoff.after_knock:
            _ask_next(draft, seat, log)
        else:
            end_round(draft, plan.how, log)

    def permit(self, state: State, action: Knock, plan: KnockPlan) -> tuple[str, str]:
        points = figure(worth_of(state.dealt.terms, plan.left), "point")
        cards = show(codes(plan.left))
        left = f"without {action.card}, {cards} would be left, {points}"
        return {
            "knock": ("out.knock", f"{left}, and a knock leaves {most_left(state)}"),
            "gin": ("out.knock", "all cards but the discard are in melds"),
            "big gin": ("out.big_gin", "all cards are in melds"),
        }[plan.how]


@final
class DeclareVerb(_Showing):
    """
    The declaration of a whole hand in melds.
    """

    kind = Declare
    phases: tuple[str, ...] = ("draw", "play")
    also = "out.declare"

    def exists(self, rules: Ruleset) -> bool:
        return rules.out.declares

    def offer(self, state: AnyState, seat: int) -> Node:
        dealt = state.phase == "draw"
        return of_dealt(state, seat) if dealt else of_knocks(state, seat)

    def plan(self, state: AnyState, action: Declare) -> KnockPlan | Objection:
        if state.phase == "draw":
            return plan_dealt(state, action)
        return plan_knock(state, action.seat or 0, action)

    def perform(self, draft: Draft, action: Declare, plan: KnockPlan, log: Log) -> None:
        seat = action.seat or 0
        if plan.how == "wrong":
            leave_for_wrong(draft, seat, action, log)
            return
        show_melds(draft, seat, action, plan, log)
        draft.laid = draft.fresh = True
        finish_turn(draft, seat, discarded=action.card is not None, log=log)

    def permit(self, state: State, action: Declare, plan: KnockPlan) -> tuple[str, str]:
        if plan.how == "wrong":
            points = figure(state.rules.out.wrong_points or 0, "point")
            reason = f"a wrong declaration, which costs {points}: {plan.wrong}"
            return "out.wrong_declaration", reason
        if state.phase == "draw":
            return "out.dealt_hand", "all cards are in melds as they were dealt"
        but = "" if action.card is None else " but the discard"
        return "out.declare", f"all cards{but} are in melds"


def _ask_next(draft: Draft, seat: int, log: Log) -> None:
    """
    Let the next player after a seat lay off, or end the round if all have had the turn.
    """
    (knocker,), seats = draft.out, len(draft._hands)
    following = (seat + 1) % seats
    while following != knocker and not draft._hands[following]:
        following = (following + 1) % seats
    if following == knocker:
        end_round(draft, "knock", log)
    else:
        give_turn(draft, "layoff", following, log)


def of_knocks(state: AnyState, seat: int) -> Node:
    """
    Which card is discarded with a knock, if any, and which melds are shown.
    """
    wrong = state.match.rules.out.wrong_points is not None
    if not (wrong or points_allow_knock(state, seat)):
        return None
    return _Knocks(state, seat)


def of_dealt(state: AnyState, seat: int) -> Node:
    """
    The declaration of a hand as it was dealt: which melds are shown.
    """
    if not may_show_dealt(state, seat):
        return None
    return _Knocks(state, seat).go(_NO_DISCARD)


_NO_DISCARD: Final = -1
"""The discard of a knock without one."""


@final
class _Knocks(Fork):
    """
    Which card is discarded with a knock.
    """

    __slots__ = ("_seat", "_state")

    _wide = True

    def __init__(self, state: AnyState, seat: int) -> None:
        self._options = (*faces(state._hands[seat]), _NO_DISCARD)
        self._state = state
        self._seat = seat

    def go(self, code: int) -> Node:
        state, seat = self._state, self._seat
        right = may_knock_with(state, seat, code)
        costs = state.match.rules.out.wrong_points is not None
        wrong = costs and may_be_wrong(state, seat, code)
        if not (right or wrong):
            return None
        return _MeldsShown(state, seat, code, right=right, wrong=wrong)

    def name(self, code: int) -> Choice:
        if code == _NO_DISCARD:
            return Choice("no discard", "verb")
        return for_card(code)


@final
class _MeldsShown(Known):
    """
    Which melds are shown in a knock with a discard; none in a wrong declaration.

    One wrong declaration stands for all that do the same, whichever melds they name.
    """

    __slots__ = ("_best", "_code", "_right", "_state", "_wrong")

    _wide = True

    def __init__(
        self, state: AnyState, seat: int, code: int, *, right: bool, wrong: bool
    ) -> None:
        few = partial(_few_melds, state, seat, code, right=right, wrong=wrong)
        self._options = Lazily(few)
        self._right = right
        self._wrong = wrong
        self._state = state
        self._best = shown_without(state, seat, code, None)
        self._code = code

    def go(self, option: tuple[int, Melds]) -> Leaf:
        return _shown(self._best, option[1])

    @property
    def summary(self) -> Showing:
        """
        The knock without its melds, which means the best ones.
        """
        return self._best

    def best(self) -> Leaf:
        if self._right:
            return named(self._state, self._best), LATER
        return attrs.evolve(self._best, melds=()), LATER

    def in_parts(self) -> Fork:
        """
        The melds one after another, found without a limit on the work for all.
        """
        cards = undivided_without(self._state, self._best.seat or 0, self._code)
        if not (cards.bits and self._right):
            return self
        right = ByMeld(cards, partial(_shown, self._best), whole=self._code < 0)
        return _RightOrWrong(right, self._best) if self._wrong else right

    def name(self, option: tuple[int, Melds]) -> Choice:
        action, _ = self.go(option)
        return Choice(str(action).partition(": ")[2], "melds", number=option[0])

    def every(self) -> Iterator[Leaf]:
        best, seat = self._best, self._best.seat or 0
        kind, card = type(best), best.card
        if self._right:
            for melds in melds_without(self._state, seat, self._code):
                yield kind(card, melds, seat), LATER
        if self._wrong:
            yield kind(card, (), seat), LATER


def _shown(best: Showing, melds: Melds) -> Leaf:
    """
    The leaf of a knock that shows some melds.
    """
    return type(best)(best.card, melds, best.seat), LATER


@final
class _RightOrWrong(Fork):
    """
    The first meld of a declaration, or none in a wrong one.
    """

    __slots__ = ("_best", "_right")

    _wide = True

    def __init__(self, right: Fork, best: Showing) -> None:
        self._options = (None, *right.options)
        self._right = right
        self._best = best

    def go(self, option: Any) -> Node:
        return self._right.go(option) if option else _shown(self._best, ())

    def name(self, option: Any) -> Choice:
        return self._right.name(option) if option else Choice("none", "melds")


def _few_melds(
    state: AnyState, seat: int, code: int, *, right: bool, wrong: bool
) -> Iterator[tuple[int, Melds]]:
    """
    Melds that may be shown, by number, as many as a limit on the work allows.
    """
    if wrong:
        yield 0, ()
    if right:
        yield from enumerate(melds_without(state, seat, code, [LOOKS]), 1)


def of_layoffs(state: AnyState, seat: int) -> Node:
    """
    What may be laid off on the melds of a player who has knocked.
    """
    return to_lay(state, seat, 0, _AfterKnock(state, seat))


@final
class _AfterKnock(PlayEnd):
    """
    Leaves of what is laid off after a knock.
    """

    __slots__ = ("_seat", "_state")

    def __init__(self, state: AnyState, seat: int) -> None:
        self._state = state
        self._seat = seat

    def leaf(self, action: PlayAction, used: int, number: int = -1) -> Leaf | None:
        del used, number
        state = self._state
        if "may_lay" not in state.match.rules.asked:
            return action, LATER
        play = plan(state, self._seat, action)
        return (action, play) if isinstance(play, Play) else None

    def sure(self) -> int:
        return 0 if "may_lay" in self._state.match.rules.asked else ANY_NUMBER


LAYOFF: Final[Phase] = Phase(
    "layoff",
    "after a knock cards are laid off",
    "'lay Th on 2' or 'pass'",
    permit_pass=permitted_by("layoff.knocked", "nobody has to lay off"),
    passed=_ask_next,
    passes=lambda rules: rules.out.knocks and rules.layoff.after_knock,
    emptied=_ask_next,
)
