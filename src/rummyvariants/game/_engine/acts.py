"""
Every kind of action: when it may be done, what it does, how, and by which rule.

There is one entry for each kind. The engine needs nothing else about an action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import attrs

from rummyvariants._support.words import figure
from rummyvariants.cards import CARDS, FIELD, UNIT
from rummyvariants.game import _asking as asking
from rummyvariants.game import _events as events
from rummyvariants.game import _notation as notation
from rummyvariants.game._engine.buys import (
    may_decline,
    perform_buy,
    permit_buy,
    plan_buy,
    refuse_early_buy,
    sold_by,
    to_buy,
)
from rummyvariants.game._engine.calls import Call, called_away, plan_call, to_call
from rummyvariants.game._engine.candidates import (
    to_go_down,
    to_lay,
    to_meld,
    to_put,
    to_split,
    to_swap,
)
from rummyvariants.game._engine.dealing import choose_size, refuse_deal, start_deal
from rummyvariants.game._engine.draws import (
    TakePlan,
    Takes,
    plan_take_on,
    plan_take_with,
    refuse_draw,
    take,
    turn_over,
)
from rummyvariants.game._engine.endings import refuse_discard
from rummyvariants.game._engine.finish import is_released, refuse_dead_end
from rummyvariants.game._engine.knocks import (
    KnockPlan,
    Showing,
    perform_knock,
    plan_dealt,
    plan_knock,
    show_melds,
)
from rummyvariants.game._engine.leaving import (
    Leaving,
    come_back,
    drop,
    leave_for_wrong,
    permit_drop,
    permit_rejoin,
    plan_drop,
    plan_rejoin,
    to_drop,
    to_rejoin,
)
from rummyvariants.game._engine.naming import cards_named, discard_named
from rummyvariants.game._engine.offers import (
    Offer,
    of_dealt,
    of_discards,
    of_draws,
    of_knocks,
    of_layoffs,
    of_passes,
    of_plays,
    of_sizes,
    of_takes,
    of_takes_on,
    of_takes_with,
)
from rummyvariants.game._engine.permission import (
    Permission,
    perform_answer,
    perform_ask,
    permit_answer,
    permit_ask,
    plan_answer,
    plan_ask,
    to_ask,
    to_say_no,
    to_say_yes,
)
from rummyvariants.game._engine.phases import (
    PHASES,
    after_knock,
    do_call,
    draw_card,
    finish_turn,
)
from rummyvariants.game._engine.plays import (
    AnyState,
    Play,
    PlayAction,
    forget_lost,
    keeps_melds,
    not_there,
    perform,
    plan,
)
from rummyvariants.game._events import Log
from rummyvariants.game._locations import (
    DISCARDS,
    STOCK,
    hand_of,
    move,
    reveal,
)
from rummyvariants.game._state import Draft, State, stock_left
from rummyvariants.game.actions import (
    Action,
    Ask,
    Buy,
    CallRummy,
    Choose,
    Deal,
    Declare,
    Discard,
    Draw,
    Drop,
    GoDown,
    Knock,
    LayDown,
    LayOff,
    No,
    Pass,
    Peek,
    PutDown,
    Rejoin,
    Split,
    Swap,
    Take,
    TakeOn,
    TakeWith,
    Yes,
)
from rummyvariants.melds._meld import Played, played
from rummyvariants.melds._tree import Node
from rummyvariants.policies.answers import Price
from rummyvariants.policies.draw import NOT_WITH_A_MELD
from rummyvariants.policies.meld import ONE_BY_ONE
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


Plan = Play | TakePlan | Call | KnockPlan | Price | Leaving | Permission | int | None
"""What is worked out before an action is done; None for simple actions."""


def _takes_none(state: AnyState, action: Action) -> bytes:
    del state, action
    return b""


@attrs.frozen(eq=False, repr=False)
class Verb:
    """
    A kind of action, with all that the engine asks about it.

    Attributes:
        words: The words that it begins with in the notation, each with a function that
            reads the rest, given a seat.
        kind: The class of the actions.
        fields: The fields of an action besides its seat, each with a function that
            checks a value.
        exists: Whether players can ever do it under some rules.
        plans: By phase in which it may be done, a function that plans it, given a state
            and the action; it returns an objection if the action is refused.
        offers: By phase, a function that grows its branch of the tree of choices, given
            a state and a seat that may act. A leaf is a legal action with its plan, or
            `LATER`.
        perform: A function that does it, given draft, action, plan and log.
        permit: A function that gives the policy value that allows it, the reason, and
            the values that gave way, given state, action and plan.
        also: By phase, or under an empty text for all others, the policy value that
            also refuses it at the wrong time.
        early: A function that says why a seat may not do it in such a phase, given
            state and seat. The words that hold for all kinds are used if it is None,
            or if its answer is.
        called: Its name; by default the first of its words.
        named: A function that gives the cards that a player touches to do it; by
            default all cards that the action names.
        takes: A function that gives the codes of the cards that a legal action takes
            from the discard pile, the deepest first, given state and action.
    """

    words: Mapping[str, Callable[[str, int | None], Action]]
    kind: type[Any]
    fields: Mapping[str, Callable[[object], bool]]
    exists: Callable[[Ruleset], bool]
    plans: Mapping[str, Callable[..., Plan | Objection]]
    offers: Mapping[str, Offer]
    perform: Callable[..., None]
    permit: Callable[..., tuple[str, ...]]
    also: Mapping[str, str] = attrs.field(factory=dict)
    early: Callable[[AnyState, int], Objection | None] | None = None
    called: str = ""
    named: Callable[[Any], Iterable[Played]] = cards_named
    takes: Callable[[AnyState, Any], bytes] = _takes_none

    @property
    def name(self) -> str:
        """
        The name of the kind in counts and as a choice.
        """
        return self.called or next(iter(self.words))


# ------------------------------------------------------------------------- planning


def plan_play(state: AnyState, action: PlayAction) -> Play | Objection:
    """
    What a play in the middle of a turn would do; refused where melds stay in the hand.
    """
    seat = action.seat or 0
    if state.match.rules.meld.concealed:
        if keeps_melds(state) or not isinstance(action, LayOff):
            return _refuse_shown(state)
    play = plan(state, seat, action)
    if isinstance(play, Objection):
        return play
    return refuse_dead_end(state, seat, play) or play


def _refuse_shown(state: AnyState) -> Objection:
    """
    The objection that cards stay in the hand.
    """
    rules = state.match.rules
    reason = f"melds stay in the hand until somebody {rules.meld.shown_by}"
    if state.out:
        name = state.match.players[state.out[0]]
        plays = "makes melds" if rules.layoff.last_turns else "melds or lays off"
        reason = f"{name} has declared: nobody {plays} in a last turn"
    return Objection("meld.shown", reason, ("RV-07",))


def _plan_down(state: AnyState, action: GoDown) -> Play | Objection:
    rules = state.match.rules
    if not (rules.lays_together or rules.meld.concealed):
        return ONE_BY_ONE
    return plan_play(state, action)


def _plan_knock(state: AnyState, action: Showing) -> KnockPlan | Objection:
    return plan_knock(state, action.seat or 0, action)


def _plan_layoff(state: AnyState, action: LayOff) -> Play | Objection:
    return plan(state, action.seat or 0, action)


def _plan_draw(state: AnyState, action: Draw) -> Objection | None:
    asked = may_decline(state) if state.phase == "draw" else ()
    if asked:
        taken = Takes(state, action.seat or 0).refuse(1) is None
        take = "take it, or decline it" if taken else "decline it"
        reason = f"others may buy the upcard: {take} with 'pass'"
        also = ("draw.take", "RV-07")
        return Objection(sold_by(state, asked[0]), reason, also)
    return refuse_draw(state)


def _plan_take(state: AnyState, action: Take) -> Objection | None:
    return Takes(state, action.seat or 0).refuse(action.count)


def _plan_declined(state: AnyState, action: Take) -> Objection:
    del state, action
    reason = "the upcard was declined: draw from the stock"
    return Objection("draw.take", reason, ("RV-07",))


def _plan_take_with(state: AnyState, action: TakeWith) -> TakePlan | Objection:
    if not _takes_with(state.match.rules):
        return NOT_WITH_A_MELD
    return plan_take_with(state, action.seat or 0, action)


def _plan_take_on(state: AnyState, action: TakeOn) -> TakePlan | Objection:
    if not state.match.rules.draw.melds_top:
        return NOT_WITH_A_MELD
    return plan_take_on(state, action.seat or 0, action)


def _plan_call(state: AnyState, action: CallRummy) -> Call | Objection:
    return plan_call(state, action.seat or 0, action)


def _plan_peek(state: AnyState, action: Peek) -> int | Objection:
    """
    How many cards of the stock may be looked at, or why none.
    """
    if state.frames[-1].notes:
        return Objection("RV-07", "a player may look at the stock only once a turn")
    path, number = asking.peeks(state, action.seat or 0)
    if not number or stock_left(state) < 1:
        return Objection(path, "nobody may look at the stock now", ("RV-07",))
    return min(number, stock_left(state))


def _offer_peek(state: AnyState, seat: int) -> Node:
    peek = Peek(seat)
    found = _plan_peek(state, peek)
    return None if isinstance(found, Objection) else (peek, found)


def _plan_pass(state: AnyState, action: Pass) -> Objection | None:
    del action
    return PHASES[state.phase].refuse_pass(state)


def _plan_buy(state: AnyState, action: Buy) -> Price | Objection:
    return plan_buy(state, action.seat or 0)


def _plan_choose(state: AnyState, action: Choose) -> Objection | None:
    sizes = state.match.rules.deal.choices()
    if action.cards in sizes:
        return None
    allowed = " or ".join(map(str, sizes))
    return Objection(
        "deal.two_upcard", f"the hand holds {allowed} cards, not {action.cards}"
    )


def _plan_discard(state: AnyState, action: Discard) -> Objection | None:
    """
    Why a card may not be discarded, dead ends included (RV-03).
    """
    card = action.card
    seat = action.seat or 0
    code = card.code
    if not state._hands[seat] & FIELD[code]:
        wild = state.dealer_wild
        if wild is not None and seat == state.dealt.dealer:
            if wild.slots[0].card == card:
                return Objection(
                    "discard.face_up_wild",
                    f"{card} lies face up on the table and is not in the hand",
                    ("RV-07",),
                )
        return not_there(state, state._hands[seat], UNIT[code], "the hand")
    wrong = refuse_discard(state, seat, code)
    if wrong is None:
        return None
    return None if is_released(state, seat) else wrong


# -------------------------------------------------------------------------- the pile


def _takes(state: AnyState, action: Take | TakeWith | TakeOn) -> bytes:
    pile = state._discards
    return pile if action.count is None else pile[len(pile) - action.count :]


def _takes_top(state: AnyState, action: Buy) -> bytes:
    del action
    return state._discards[-1:]


# ----------------------------------------------------------------------- performing


def _deal(draft: Draft, action: Deal, found: None, log: Log) -> None:
    del found
    start_deal(draft, action, log)


def _choose(draft: Draft, action: Choose, found: None, log: Log) -> None:
    del found
    choose_size(draft, action.cards, log)


def _take(draft: Draft, action: Take, found: None, log: Log) -> None:
    del found
    seat = action.seat or 0
    take(draft, seat, action.count, log)


def _take_with(
    draft: Draft, action: TakeWith | TakeOn, plan: TakePlan, log: Log
) -> None:
    seat = action.seat or 0
    take(draft, seat, plan.count, log, plan.play)
    _after_play(draft, seat, action, plan.play, log)


def _play(draft: Draft, action: PlayAction, play: Play, log: Log) -> None:
    seat = action.seat or 0
    perform(draft, seat, play)
    _after_play(draft, seat, action, play, log)


def _after_play(draft: Draft, seat: int, action: Action, play: Play, log: Log) -> None:
    if log is not None:
        log.append(_laid(seat, action, play))
        log += [_laid(seat, action, one) for one in play.then]
    forget_lost(draft)
    if not draft._hands[seat]:
        PHASES[draft.phase].emptied(draft, seat, log)


def _knock(draft: Draft, action: Knock, plan: KnockPlan, log: Log) -> None:
    seat = action.seat or 0
    perform_knock(draft, seat, action, plan, log)
    after_knock(draft, seat, plan.how, log)


def _declare(draft: Draft, action: Declare, plan: KnockPlan, log: Log) -> None:
    seat = action.seat or 0
    if plan.how == "wrong":
        leave_for_wrong(draft, seat, action, log)
        return
    show_melds(draft, seat, action, plan, log)
    draft.laid = draft.fresh = True
    finish_turn(draft, seat, discarded=action.card is not None, log=log)


def _laid(seat: int, action: Action, play: Play) -> events.Laid:
    cards: tuple[str, ...] = ()
    if isinstance(action, (LayDown, LayOff)):
        cards = tuple(map(str, action.cards))
    elif isinstance(action, (PutDown, Swap)):
        cards = (str(action.card),)
    elif isinstance(action, (GoDown, TakeWith)):
        cards = tuple(
            str(played(one.card.code, one.stands_for)) for one in play.after.slots
        )
    gained = CARDS[play.gained] if play.gained >= 0 else None
    end = action.end if isinstance(action, LayOff | Swap) else None
    after = action.after if isinstance(action, Split) else None
    return events.Laid(seat, cards, play.number, play.how, gained, end, after)


def _draw(draft: Draft, action: Draw, found: None, log: Log) -> None:
    del found
    seat = action.seat or 0
    if not draft._stock:
        number = turn_over(draft)
        if log is not None:
            shuffled = draft.match.rules.stock.shuffles
            log.append(events.TurnedOver(seat, number, shuffled))
    draw_card(draft, seat, log)


def _peek(draft: Draft, action: Peek, found: int, log: Log) -> None:
    reveal(draft, STOCK, 1 << (action.seat or 0), found, log)
    frame = attrs.evolve(draft.frames[-1], notes=(found,))
    draft.frames = (*draft.frames[:-1], frame)


def _buy(draft: Draft, action: Buy, found: Price, log: Log) -> None:
    perform_buy(draft, action.seat or 0, found, log)
    PHASES[draft.phase].resume(draft, log)


def _pass(draft: Draft, action: Pass, found: None, log: Log) -> None:
    del found
    seat = action.seat or 0
    if log is not None:
        log.append(events.Passed(seat))
    PHASES[draft.phase].passed(draft, seat, log)


def _discard(draft: Draft, action: Discard, found: None, log: Log) -> None:
    del found
    seat, card = action.seat or 0, action.card
    move(draft, UNIT[card.code], hand_of(seat), DISCARDS, log=log)
    PHASES[draft.phase].discarded(draft, seat, log)


# ------------------------------------------------------------------------- permitting


def _permit(path: str, reason: str) -> Callable[..., tuple[str, str]]:
    def permitted(state: State, action: Action, found: Plan) -> tuple[str, str]:
        del state, action, found
        return path, reason

    return permitted


def _permit_draw(state: State, action: Draw | Take, found: None) -> tuple[str, str]:
    del found
    if state.phase == "offer":
        return "draw.first_upcard", "the first upcard is offered"
    if isinstance(action, Take) and action.count > 1:
        taken = state._discards[-action.count :]
        if not state.rules.draw.duties(taken):
            return "draw.duty", "cards may be taken, and none of them has to be used"
    return "draw.take", "a turn starts with a draw"


def _permit_peek(state: State, action: Peek, found: int) -> tuple[str, str]:
    del found
    path, _ = asking.peeks(state, action.seat or 0)
    return path, "the top of the stock may be looked at"


def _permit_together(state: State, action: Action, found: Play) -> tuple[str, str]:
    path, _ = _permit_meld(state, action, found)
    if not state._has_meld >> (action.seat or 0) & 1:
        path = next(iter(state.rules.asked.get("opening", ())), (path,))[0]
    return path, "the melds may be put down together"


def _permit_take_with(
    state: State, action: TakeWith, found: TakePlan
) -> tuple[str, str]:
    del state, action, found
    return "draw.take", "cards are taken together with a meld of the top one"


def _permit_take_on(state: State, action: TakeOn, found: TakePlan) -> tuple[str, str]:
    del state, action, found
    return "draw.take", "the top card of the pile fits the meld"


def _permit_meld(state: State, action: Action, found: Play) -> tuple[str, str]:
    del state, action
    kind = found.after.kind
    if kind == "wilds":
        return "wild.wild_melds", "the cards make a meld"
    return f"meld.{kind}s", f"the cards make a {kind}"


def _permit_layoff(state: State, action: LayOff, found: Play) -> tuple[str, str]:
    del action
    if len(found.after.beside) and not found.is_meld:
        wild, number = state.dealer_wild, found.number
        before = wild if number == 0 else state._table[number - 1]
        if before is not None and len(found.after) == len(before):
            return (
                "wild.real_card",
                "the real card goes beside the wild that stands for it",
            )
    path = "layoff.knocked" if state.phase == "layoff" else "layoff.onto"
    if state.rules.meld.concealed and state.phase == "play":
        path = "layoff.last_turns"
    return path, "the cards fit the meld"


def _permit_discard(state: State, action: Discard, found: None) -> tuple[str, ...]:
    del found
    gave_way = refuse_discard(state, action.seat or 0, action.card.code)
    if gave_way is not None:
        rule = "RV-03"
        if state.rules.house or state.rules.overridden:
            rule = "RV-43"
        reason = f"{gave_way.reason}, but the turn cannot be finished otherwise"
        return rule, reason, gave_way.path
    if state.phase == "discard":
        return "call.then_discard", "a caller discards a card"
    return "discard.ends_turn", "a discard ends the turn"


def _permit_pass(state: State, action: Pass, found: None) -> tuple[str, str]:
    del action, found
    return PHASES[state.phase].permit_pass(state)


def _permit_knock(state: State, action: Knock, found: KnockPlan) -> tuple[str, str]:
    del state, action
    return {
        "knock": ("out.knock", "few enough points are left"),
        "gin": ("out.knock", "all cards but the discard are in melds"),
        "big gin": ("out.big_gin", "all cards are in melds"),
    }[found.how]


def _permit_declaration(
    state: State, action: Declare, found: KnockPlan
) -> tuple[str, str]:
    if found.how == "wrong":
        points = figure(state.rules.out.wrong_points or 0, "point")
        reason = f"a wrong declaration, which costs {points}: {found.wrong}"
        return "out.wrong_declaration", reason
    if state.phase == "draw":
        return "out.dealt_hand", "all cards are in melds as they were dealt"
    but = "" if action.card is None else " but the discard"
    return "out.declare", f"all cards{but} are in melds"


# ---------------------------------------------------------------------------- all


def _always(rules: Ruleset) -> bool:
    del rules
    return True


def _by_chance(rules: Ruleset) -> bool:
    del rules
    return False


def _open(rules: Ruleset) -> bool:
    """
    Whether melds are on the table before somebody knocks.
    """
    return not rules.meld.concealed


def _lays(rules: Ruleset) -> bool:
    """
    Whether cards are ever laid off: in a turn, or after a knock or a declaration.
    """
    if rules.layoff.last_turns:
        return True
    return not (rules.meld.concealed and rules.out.declares)


def _single(rules: Ruleset) -> bool:
    single = rules.layoff.single_wilds or "layoff.refuse_single" in rules.overridden
    return single and not rules.meld.concealed


def _swaps(rules: Ruleset) -> bool:
    return rules.wild.swaps and not rules.meld.concealed


def _splits(rules: Ruleset) -> bool:
    return rules.wild.split and not rules.meld.concealed


def _together(rules: Ruleset) -> bool:
    return rules.lays_together and not rules.meld.concealed


def _takes_with(rules: Ruleset) -> bool:
    with_meld = "draw.refuse_take_with" in rules.overridden or rules.draw.melds_top
    return with_meld and not rules.meld.concealed


def _takes_on(rules: Ruleset) -> bool:
    return rules.draw.melds_top and not rules.meld.concealed


def _calls(rules: Ruleset) -> bool:
    return rules.call.is_made


def _passes(rules: Ruleset) -> bool:
    return any(phase.passes(rules) for phase in PHASES.values())


def _knocks(rules: Ruleset) -> bool:
    return rules.out.knocks or "out.limit" in rules.overridden


def _declares(rules: Ruleset) -> bool:
    return rules.out.declares


def _peeks(rules: Ruleset) -> bool:
    return "peeks" in rules.asked


def _asks(rules: Ruleset) -> bool:
    return "asks" in rules.asked


def _drops(rules: Ruleset) -> bool:
    return "drops" in rules.asked


def _rejoins(rules: Ruleset) -> bool:
    return "rejoins" in rules.asked


def _buys(rules: Ruleset) -> bool:
    return "buys" in rules.asked


def _chooses(rules: Ruleset) -> bool:
    return any(map(rules.deal.lets_choose, rules.deck.ranks))


ACTS: Final = (
    Verb(
        words={"draw": notation.read_draw},
        kind=Draw,
        fields={},
        exists=_always,
        plans={"draw": _plan_draw, "stock": _plan_draw},
        offers={"draw": of_draws, "stock": of_draws},
        perform=_draw,
        permit=_permit_draw,
        also={"": "draw.take"},
    ),
    Verb(
        words={"peek": notation.read_peek},
        kind=Peek,
        fields={},
        exists=_peeks,
        plans={"draw": _plan_peek},
        offers={"draw": _offer_peek},
        perform=_peek,
        permit=_permit_peek,
    ),
    Verb(
        words={"take": notation.read_take},
        kind=Take,
        fields={"count": notation.is_number},
        exists=_always,
        plans={"draw": _plan_take, "offer": _plan_take, "stock": _plan_declined},
        offers={"draw": of_takes, "offer": of_takes},
        perform=_take,
        permit=_permit_draw,
        also={"": "draw.take"},
        takes=_takes,
    ),
    Verb(
        words={},  # read as a take
        called="take with",
        kind=TakeWith,
        fields={
            "count": notation.is_number_or_none,
            "melds": notation.are_some_melds,
        },
        exists=_takes_with,
        plans={"draw": _plan_take_with},
        offers={"draw": of_takes_with},
        perform=_take_with,
        permit=_permit_take_with,
        also={"": "draw.take"},
        takes=_takes,
    ),
    Verb(
        words={},  # read as a take
        called="take on",
        kind=TakeOn,
        fields={
            "count": notation.is_number_or_none,
            "meld": notation.is_number,
        },
        exists=_takes_on,
        plans={"draw": _plan_take_on},
        offers={"draw": of_takes_on},
        perform=_take_with,
        permit=_permit_take_on,
        also={"": "draw.take"},
        takes=_takes,
    ),
    Verb(
        words={"meld": notation.read_meld},
        kind=LayDown,
        fields={"cards": notation.are_played},
        exists=_open,
        plans={"play": plan_play},
        offers={"play": of_plays(to_meld)},
        perform=_play,
        permit=_permit_meld,
    ),
    Verb(
        words={},  # read as a meld
        called="go down",
        kind=GoDown,
        fields={"melds": notation.are_several_melds},
        exists=_together,
        plans={"play": _plan_down},
        offers={"play": of_plays(to_go_down)},
        perform=_play,
        permit=_permit_together,
    ),
    Verb(
        words={"lay": notation.read_lay},
        kind=LayOff,
        fields={
            "cards": notation.are_played,
            "meld": notation.is_number,
            "end": notation.is_end,
        },
        exists=_lays,
        plans={"play": plan_play, "layoff": _plan_layoff},
        offers={"play": of_plays(to_lay), "layoff": of_layoffs},
        perform=_play,
        permit=_permit_layoff,
    ),
    Verb(
        words={"put": notation.read_put},
        kind=PutDown,
        fields={"card": notation.is_card},
        exists=_single,
        plans={"play": plan_play},
        offers={"play": of_plays(to_put)},
        perform=_play,
        permit=_permit("layoff.single_wilds", "a single wild may be put down"),
    ),
    Verb(
        words={"swap": notation.read_swap},
        kind=Swap,
        fields={
            "card": notation.is_card,
            "meld": notation.is_number,
            "end": notation.is_end,
        },
        exists=_swaps,
        plans={"play": plan_play},
        offers={"play": of_plays(to_swap)},
        perform=_play,
        permit=_permit("wild.real_card", "the real card takes the wild's place"),
    ),
    Verb(
        words={"split": notation.read_split},
        kind=Split,
        fields={"meld": notation.is_number, "after": notation.is_number},
        exists=_splits,
        plans={"play": plan_play},
        offers={"play": of_plays(to_split)},
        perform=_play,
        permit=_permit("wild.split", "both parts are melds"),
    ),
    Verb(
        words={"discard": notation.read_discard},
        kind=Discard,
        fields={"card": notation.is_card},
        exists=_always,
        plans={},  # see `BY_PHASE`
        offers={},
        perform=_discard,
        permit=_permit_discard,
        also={"": "discard.ends_turn"},
    ),
    Verb(
        words={"ask": notation.read_ask},
        kind=Ask,
        fields={},
        exists=_asks,
        plans={"play": plan_ask},
        offers={"play": to_ask},
        perform=perform_ask,
        permit=permit_ask,
        also={"": "out.ask"},
    ),
    Verb(
        words={"yes": notation.read_yes},
        kind=Yes,
        fields={},
        exists=_asks,
        plans={"answer": plan_answer},
        offers={"answer": to_say_yes},
        perform=perform_answer,
        permit=permit_answer,
        also={"": "out.ask"},
    ),
    Verb(
        words={"no": notation.read_no},
        kind=No,
        fields={},
        exists=_asks,
        plans={"answer": plan_answer},
        offers={"answer": to_say_no},
        perform=perform_answer,
        permit=permit_answer,
        also={"": "out.ask"},
    ),
    Verb(
        words={"rummy": notation.read_rummy},
        kind=CallRummy,
        fields={
            "cards": notation.are_played,
            "meld": notation.is_number_or_none,
            "end": notation.is_end,
        },
        exists=_calls,
        plans={"call": _plan_call},
        offers={"call": to_call},
        perform=do_call,
        permit=_permit("call.calls", "the cards can be called"),
        also={"": "call.calls"},
        takes=called_away,
    ),
    Verb(
        words={"buy": notation.read_buy},
        kind=Buy,
        fields={},
        exists=_buys,
        plans={"buy": _plan_buy},
        offers={"buy": to_buy},
        perform=_buy,
        permit=permit_buy,
        early=refuse_early_buy,
        takes=_takes_top,
    ),
    Verb(
        words={"drop": notation.read_drop},
        kind=Drop,
        fields={},
        exists=_drops,
        plans={"draw": plan_drop},
        offers={"draw": to_drop},
        perform=drop,
        permit=permit_drop,
        also={"": "out.later_drop"},
    ),
    Verb(
        words={"rejoin": notation.read_rejoin},
        kind=Rejoin,
        fields={},
        exists=_rejoins,
        plans={"rejoin": plan_rejoin},
        offers={"rejoin": to_rejoin},
        perform=come_back,
        permit=permit_rejoin,
        also={"": "match.rejoin"},
    ),
    Verb(
        words={"pass": notation.read_pass},
        kind=Pass,
        fields={},
        exists=_passes,
        plans={},  # see `BY_PHASE`
        offers={},
        perform=_pass,
        permit=_permit_pass,
        also={"": "stock.when_empty", "call": "call.calls"},
    ),
    Verb(
        words={"choose": notation.read_choose},
        kind=Choose,
        fields={"cards": notation.is_number},
        exists=_chooses,
        plans={"choose": _plan_choose},
        offers={"choose": of_sizes},
        perform=_choose,
        permit=_permit("deal.two_upcard", "the size is one of the choices"),
    ),
    Verb(
        words={
            "knock": notation.read_knock,
            "big": notation.read_big,
            "gin": notation.read_gin,
        },
        kind=Knock,
        fields={"card": notation.is_card_or_none, "melds": notation.are_melds},
        exists=_knocks,
        plans={"play": _plan_knock},
        offers={"play": of_knocks},
        perform=_knock,
        permit=_permit_knock,
        also={"": "out.knock"},
        named=discard_named,
    ),
    Verb(
        words={"declare": notation.read_declare},
        kind=Declare,
        fields={"card": notation.is_card_or_none, "melds": notation.are_melds},
        exists=_declares,
        plans={"draw": plan_dealt, "play": _plan_knock},
        offers={"draw": of_dealt, "play": of_knocks},
        perform=_declare,
        permit=_permit_declaration,
        also={"": "out.declare"},
        named=discard_named,
    ),
    Verb(
        words={"deal": notation.read_deal},
        kind=Deal,
        fields={
            "cards": notation.are_cards,
            "dealer": notation.is_number,
            "put_back": notation.are_numbers,
            "shuffle": notation.is_number,
            "cut": notation.is_number,
        },
        exists=_by_chance,
        plans={"deal": refuse_deal},
        offers={},
        perform=_deal,
        permit=_permit("deal.method", "the deck is whole"),
    ),
)
"""All kinds of action of the library."""
BY_PHASE: Final[
    Mapping[type[Any], tuple[str, Callable[..., Plan | Objection], Offer]]
] = {
    Pass: ("passed", _plan_pass, of_passes),
    Discard: ("discarded", _plan_discard, of_discards),
}
"""Kinds that are there in each phase that says what follows them, by that word."""
