"""
The public steps of a game: begin, deal, ask, act.

Every action goes one way: it is planned, which may end in an objection, and then it is
performed on a draft. `check` stops after the first half.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import attrs

from rummyvariants.actions import (
    Action,
    CallRummy,
    Choose,
    Deal,
    Discard,
    Draw,
    LayDown,
    LayOff,
    Pass,
    PutDown,
    Split,
    Swap,
    Take,
    parse_action,
)
from rummyvariants.cards import CARDS, FIELD, UNIT, Card, codes, pack, parse_cards, size
from rummyvariants.chance import Chance
from rummyvariants.engine.calls import (
    Call,
    may_discard,
    open_window,
    perform_call,
    plan_call,
)
from rummyvariants.engine.dealing import choose_size, refuse_deal, start_deal
from rummyvariants.engine.flow import (
    Log,
    end_round,
    finish_turn,
    float_on,
    go_out,
    start_turn,
)
from rummyvariants.engine.plays import (
    AnyState,
    Glance,
    Play,
    can_finish,
    perform,
    plan,
    refuse_dead_end,
    refuse_discard,
    why_stuck,
)
from rummyvariants.errors import IllegalAction, PositionError, RulesError
from rummyvariants.events import (
    Called,
    Discarded,
    Drew,
    Event,
    Laid,
    Passed,
    Took,
)
from rummyvariants.ruleset import Ruleset, preset
from rummyvariants.rulings import Objection, Ruling, allow
from rummyvariants.state import (
    Draft,
    Drawn,
    History,
    Match,
    State,
    Window,
    freeze,
    thaw,
    to_act,
)


Plan = Play | Call | None


@attrs.frozen
class Step:
    """
    An action done.

    Attributes:
        before: The state that it was done in.
        action: The action, its seat filled in.
        after: The state that it led to.
        events: What happened, in order.
    """

    before: State
    action: Action
    after: State
    events: tuple[Event, ...]


# --------------------------------------------------------------------------- asking


def _as_action(state: AnyState, action: Action | str, seat: int | None) -> Action:
    """
    An action as an object, its seat filled in where one seat alone may act.
    """
    if isinstance(action, str):
        action = parse_action(action, seat)
    elif seat is not None and not isinstance(action, Deal) and action.seat != seat:
        action = attrs.evolve(action, seat=seat)
    if action.seat is None and not isinstance(action, Deal):
        acting = to_act(state)
        if len(acting) == 1:
            action = attrs.evolve(action, seat=acting[0])
    return action


def _refuse_turn(state: AnyState, action: Action) -> Objection | None:
    """
    Whether the seat may act, and the phase allows such an action (RV-07).
    """
    names = state.match.players
    seat = action.seat
    phase = state.phase
    if phase == "over":
        return Objection("RV-07", "the match is over")
    if isinstance(action, Deal):
        if phase != "deal":
            return Objection("RV-07", "the round is not over")
        return None
    if phase == "deal":
        return Objection(
            "RV-07", "the round is over, and the next one is not dealt yet"
        )
    also = _instead(state, action)
    if seat is None:
        told = " and ".join(names[one] for one in to_act(state))
        return Objection("RV-07", f"{told} may act: say which seat does", also)
    if not 0 <= seat < len(names):
        return Objection(
            "RV-07", f"there is no seat {seat}; seats go from 0 to {len(names) - 1}"
        )
    acting = to_act(state)
    if seat not in acting:
        told = " and ".join(names[one] for one in acting)
        return Objection(
            "RV-07", f"it is {told}'s turn to act, not {names[seat]}'s", also
        )
    if not isinstance(action, _ALLOWED[phase]):
        return Objection(
            "RV-07", f"{_PHASE_TELLS[phase]}, so '{action}' has to wait", also
        )
    return None


def _instead(state: AnyState, action: Action) -> tuple[str, ...]:
    """
    The rules that say no as well where the turn or the phase does.
    """
    match action:
        case CallRummy():
            return ("call.calls",)
        case Pass():
            if state.phase == "call":
                return ("call.calls",)
            return ("stock.when_empty",)
        case Draw() | Take():
            return ("draw.take",)
        case Discard():
            return ("discard.ends_turn",)
        case _:
            return ()


_ALLOWED: Final[dict[str, tuple[type[Any], ...]]] = {
    "choose": (Choose,),
    "draw": (Draw, Take, Pass),
    "play": (LayDown, LayOff, PutDown, Swap, Split, Discard),
    "call": (CallRummy, Pass),
    "discard": (Discard,),
}
_PHASE_TELLS: Final = {
    "choose": "a hand size has to be chosen",
    "draw": "a turn starts with a draw",
    "play": "a card was drawn already",
    "call": "a call may be made or passed",
    "discard": "the caller has to discard",
}


def _plan(state: AnyState, action: Action) -> Plan | Objection:
    """
    What an action would do, or why it is refused.
    """
    wrong = _refuse_turn(state, action)
    if wrong is not None:
        return wrong
    match action:
        case Deal():
            return refuse_deal(state, action)
        case Draw():
            return _plan_draw(state)
        case Take():
            return refuse_take(state, action.seat or 0, action.count)
        case Pass():
            return _plan_pass(state)
        case Discard():
            return _refuse_discard(state, action.seat or 0, action.card)
        case CallRummy():
            return plan_call(state, action.seat or 0, action)
        case Choose():
            return _plan_choose(state, action)
        case _:
            seat = action.seat or 0
            play = plan(state, seat, action)
            if isinstance(play, Objection):
                return play
            return refuse_dead_end(state, seat, play) or play


def _plan_draw(state: AnyState) -> Objection | None:
    if state._stock:
        return None
    return Objection("stock.when_empty", "the stock is empty", ("RV-07",))


def _plan_pass(state: AnyState) -> Objection | None:
    if state.phase == "call" or not state._stock:
        return None
    return Objection(
        "RV-07",
        "a turn starts with a draw; only with an empty stock can it be declined",
        ("stock.when_empty", "draw.take"),
    )


def _plan_choose(state: AnyState, action: Choose) -> Objection | None:
    sizes = state.match.rules.deal.choices()
    if action.cards in sizes:
        return None
    told = " or ".join(map(str, sizes))
    return Objection(
        "deal.two_upcard", f"the hand holds {told} cards, not {action.cards}"
    )


def _top_number(state: AnyState) -> int:
    """
    The number that the top discard would name as an upcard; 0 for none.
    """
    pile = state._discards
    rank = CARDS[pile[-1]].rank if pile else "*"
    return 0 if rank == "*" else state.match.rules.deal.upcard_number(rank)


def legal_takes(state: AnyState, seat: int) -> Iterator[int]:
    """
    How many discards may be taken.
    """
    if state._floating >> seat & 1:
        return
    assert state.dealt is not None  # noqa: S101 -- for the type checker
    glance = Glance(state, seat)
    for count in state.match.rules.draw.counts(
        state.dealt.terms, state._hands[seat], state._discards, _top_number(state)
    ):
        if refuse_take(state, seat, count, glance) is None:
            yield count


def random_draw(
    state: AnyState, seat: int, randrange: Callable[[int], int]
) -> Draw | Take | Pass:
    """
    A legal way to start a turn at random: the stock as likely as the discard pile.
    """
    if not state._floating >> seat & 1 and (not state._stock or randrange(2)):
        assert state.dealt is not None  # noqa: S101 -- for the type checker
        draw = state.match.rules.draw
        counts = list(
            draw.counts(
                state.dealt.terms,
                state._hands[seat],
                state._discards,
                _top_number(state),
            )
        )
        while counts:
            count = counts.pop(randrange(len(counts)))
            if refuse_take(state, seat, count) is None:
                return Take(count, seat)
    return Draw(seat) if state._stock else Pass(seat)


def refuse_take(
    state: AnyState, seat: int, count: int, glance: Glance | None = None
) -> Objection | None:
    """
    Why so many discards may not be taken.

    Args:
        state: The state.
        seat: Who would take them.
        count: How many.
        glance: A glance at the table, if one was made already.
    """
    rules = state.match.rules
    if state._floating >> seat & 1:
        return Objection(
            "out.floating", "who floats draws from the stock, not from the discard pile"
        )
    if count < 1:
        return Objection("RV-07", "at least one card is taken")
    pile = state._discards
    assert state.dealt is not None  # noqa: S101 -- for the type checker
    wrong: Objection | None = rules.draw.refuse_take(
        state.dealt.terms, state._hands[seat], pile, count, _top_number(state)
    )
    if wrong is not None:
        return wrong
    taken = pile[-count:]
    duties = rules.draw.duties(taken)
    hand = state._hands[seat] + pack(taken)
    if not duties and not rules.discard.keep:
        # Two other cards are left to discard, whatever may not be thrown back.
        if size(hand & ~FIELD[taken[0]]) > 1:
            return None
    plainly = None
    if len(duties) == 1 and duties[0].how == "play" and count > 1:
        plainly = (glance or Glance(state, seat)).tells(hand, duties[0].code)
    if plainly is None:
        after = thaw(state)
        take(after, seat, count)
        plainly = can_finish(after, seat)
        if not plainly and not duties:
            return why_stuck(after, seat)
    if plainly:
        return None
    also: tuple[str, ...] = ("RV-03",)
    if not state._has_meld >> seat & 1 and rules.layoff.needs_own_meld:
        also = ("layoff.needs_own_meld", "RV-03")
    return Objection(
        duties[0].question,
        f"{CARDS[duties[0].code]} {duties[0]}, and nothing would allow it",
        also,
    )


def _refuse_discard(state: AnyState, seat: int, card: Card) -> Objection | None:
    """
    Why a card may not be discarded, dead ends looked at (RV-03).
    """
    code = card.code
    if not state._hands[seat] & FIELD[code]:
        wild = state.dealer_wild
        assert state.dealt is not None  # noqa: S101 -- for the type checker
        if wild is not None and seat == state.dealt.dealer:
            if wild.slots[0].card == card:
                return Objection(
                    "discard.face_up_wild",
                    f"{card} lies face up on the table and is no hand card",
                    ("RV-07",),
                )
        return Objection("RV-07", f"{card} is not in the hand")
    wrong = refuse_discard(state, seat, code)
    if wrong is None:
        return None
    drawn = state.drawn
    if drawn is not None and drawn.source == "stock" and not can_finish(state, seat):
        return None
    return wrong


def check(state: State, action: Action | str, seat: int | None = None) -> Ruling:
    """
    Whether an action is legal, and by which rule.

    Args:
        state: The state that it would be done in.
        action: An action, or its text in the notation.
        seat: Who would do it; may be left out where one seat alone may act.

    Returns:
        A ruling, true if the action is legal. No action raises.

    Raises:
        ParseError: If a text cannot be read as an action.
    """
    done = _as_action(state, action, seat)
    found = _plan(state, done)
    if isinstance(found, Objection):
        return state.match.rules.refusal(found)
    return _permission(state, done, found)


def planned(state: State, action: Action) -> Plan | Objection:
    """
    What an action would do, worked out but not done; an objection if it is refused.

    The action names its seat.
    """
    return _plan(state, action)


def _permission(state: State, action: Action, found: Plan) -> Ruling:
    rules = state.match.rules
    match action:
        case Draw() | Take():
            question, reason = "draw.take", "a turn starts with a draw"
        case LayDown():
            assert isinstance(found, Play)  # noqa: S101 -- for the type checker
            kind = found.after.kind
            question = "wild.wild_melds" if kind == "wilds" else f"meld.{kind}s"
            reason = f"the cards make a {'meld' if kind == 'wilds' else kind}"
        case LayOff():
            assert isinstance(found, Play)  # noqa: S101 -- for the type checker
            question, reason = "layoff.onto", "the cards fit the meld"
            if len(found.after.beside) and not found.is_meld:
                old = _meld_before(state, found.number)
                if len(found.after) == old:
                    question, reason = (
                        "wild.real_card",
                        "the real card goes beside the wild that stands for it",
                    )
        case PutDown():
            question, reason = "layoff.single_wilds", "a single wild may be put down"
        case Swap():
            question, reason = "wild.real_card", "the real card takes the wild's place"
        case Split():
            question, reason = "wild.split", "both parts are melds"
        case Discard():
            question, reason = "discard.ends_turn", "a discard ends the turn"
            if state.phase == "discard":
                question, reason = "call.then_discard", "a caller discards a card"
        case CallRummy():
            question, reason = "call.calls", "the cards can be called"
        case Pass():
            question, reason = "call.calls", "a call may be declined"
            if state.phase == "draw":
                question, reason = "stock.when_empty", "the stock is empty"
        case Choose():
            question, reason = "deal.two_upcard", "the size is one of the choices"
        case Deal():
            question, reason = "deal.method", "the deck is whole"
    return allow(rules.rule_of(question), reason)


def _meld_before(state: State, number: int) -> int:
    meld = state.dealer_wild if number == 0 else state._table[number - 1]
    return 0 if meld is None else len(meld)


# --------------------------------------------------------------------------- acting


def apply(state: State, action: Action | str, seat: int | None = None) -> State:
    """
    The state after an action. The given state stays as it is.

    Args:
        state: The state that the action is done in.
        action: An action, or its text in the notation.
        seat: Who does it; may be left out where one seat alone may act.

    Raises:
        IllegalAction: If the rules refuse it; the error carries the ruling.
        ParseError: If a text cannot be read as an action.
    """
    return _act(state, _as_action(state, action, seat), None)


def step(state: State, action: Action | str, seat: int | None = None) -> Step:
    """
    An action done, with the events that it brought.

    Arguments and errors are those of `apply`.
    """
    done = _as_action(state, action, seat)
    log: list[Event] = []
    after = _act(state, done, log)
    return Step(state, done, after, tuple(log))


def _act(state: State, action: Action, log: Log) -> State:
    found = _plan(state, action)
    if isinstance(found, Objection):
        raise IllegalAction(state.match.rules.refusal(found))
    draft = thaw(state)
    _perform(draft, action, found, log)
    starts_round = isinstance(action, Deal) and not state.match.thrown_in
    draft._history = History(state._history, action, starts_round=starts_round)
    return freeze(draft)


def _perform(draft: Draft, action: Action, found: Plan, log: Log) -> None:
    seat = action.seat or 0
    match action:
        case Deal():
            start_deal(draft, action, log)
        case Choose():
            choose_size(draft, action.cards, log)
        case Draw():
            _draw(draft, seat, log)
        case Take():
            cards = take(draft, seat, action.count)
            if log is not None:
                log.append(Took(seat, tuple(CARDS[code] for code in cards)))
        case Pass():
            _pass(draft, seat, log)
        case Discard():
            _discard(draft, seat, action.card, log)
        case CallRummy():
            assert isinstance(found, Call)  # noqa: S101 -- for the type checker
            _call(draft, seat, action, found, log)
        case _:
            assert isinstance(found, Play)  # noqa: S101 -- for the type checker
            perform(draft, seat, found)
            if log is not None:
                log.append(_laid(seat, action, found))
            if not draft._hands[seat]:
                finish_turn(draft, seat, discarded=False, log=log)


def _laid(seat: int, action: Action, play: Play) -> Laid:
    cards: tuple[str, ...] = ()
    if isinstance(action, (LayDown, LayOff)):
        cards = tuple(map(str, action.cards))
    elif isinstance(action, (PutDown, Swap)):
        cards = (str(action.card),)
    gained = CARDS[play.gained] if play.gained >= 0 else None
    return Laid(seat, cards, play.number, play.how, gained)


def _change_hand(draft: Draft, seat: int, by: int) -> None:
    hands = list(draft._hands)
    hands[seat] += by
    draft._hands = tuple(hands)


def _draw(draft: Draft, seat: int, log: Log) -> None:
    code = draft._stock[0]
    draft._stock = draft._stock[1:]
    duties = draft.match.rules.draw.stock_duties(code)
    draft.drawn = Drawn("stock", bytes([code]), draft._hands[seat], duties)
    _change_hand(draft, seat, UNIT[code])
    draft.phase = "play"
    if log is not None:
        log.append(Drew(seat, CARDS[code]))


def take(draft: Draft, seat: int, count: int) -> bytes:
    """
    Take discards into the hand, with the duties that they bring; nothing is checked.

    Returns:
        The codes of the cards, the deepest first.
    """
    cards = draft._discards[-count:]
    draft._discards = draft._discards[:-count]
    duties = draft.match.rules.draw.duties(cards)
    draft.drawn = Drawn("discards", cards, draft._hands[seat], duties)
    _change_hand(draft, seat, pack(cards))
    draft.phase = "play"
    return cards


def _pass(draft: Draft, seat: int, log: Log) -> None:
    if log is not None:
        log.append(Passed(seat))
    if draft.phase == "draw":
        end_round(draft, "stock", log)
        return
    window = draft.window
    assert window is not None  # noqa: S101 -- for the type checker
    waiting = window.waiting & ~(1 << seat)
    if waiting:
        draft.window = attrs.evolve(window, waiting=waiting)
    else:
        start_turn(draft, draft.turn, log)


def _discard(draft: Draft, seat: int, card: Card, log: Log) -> None:
    _change_hand(draft, seat, -UNIT[card.code])
    draft._discards += bytes([card.code])
    if log is not None:
        log.append(Discarded(seat, card))
    if draft.phase == "play":
        finish_turn(draft, seat, discarded=True, log=log)
        return
    # A caller's discard: the turn is still that of the seat that was to play next.
    draft.window = None
    if not draft._hands[seat] and go_out(draft, seat, log):
        return
    if not open_window(draft, seat, log):
        start_turn(draft, draft.turn, log)


def _call(draft: Draft, seat: int, action: CallRummy, call: Call, log: Log) -> None:
    rules = draft.match.rules
    window = draft.window
    assert window is not None  # noqa: S101 -- for the type checker
    perform_call(draft, seat, call)
    if log is not None:
        taken = codes(call.from_pile + call.taken)
        log.append(Called(seat, tuple(CARDS[code] for code in taken)))
        log.append(Laid(seat, tuple(map(str, action.cards)), call.play.number, "call"))
    if draft._hands[seat]:
        draft._floating &= ~(1 << seat)
        if rules.call.then_discard and next(may_discard(draft, seat), None) is not None:
            draft.phase = "discard"
            draft.window = Window(window.finisher, 0, seat)
            return
    elif not draft._floating >> seat & 1:
        if rules.out.empty_hand == "out":
            if go_out(draft, seat, log):
                return
        else:
            float_on(draft, seat, log)
    if rules.call.then_discard or not open_window(draft, window.finisher, log):
        start_turn(draft, draft.turn, log)


# ------------------------------------------------------------------------ beginning


def new_game(
    rules: Ruleset | str,
    players: int | Sequence[str],
    *,
    seed: int | str | None = 0,
    deck: str | Sequence[Card] | None = None,
    dealer: int | None = None,
) -> State:
    """
    A game, dealt and ready.

    Args:
        rules: The rules, or the name of a preset.
        players: How many play, or their names.
        seed: What the shuffles come from: the same seed, the same game.
        deck: The next cards of the first deal by hand; those that it does not name lie
            below.
        dealer: The first dealer; by default chance decides.

    Raises:
        RulesError: If there is no such preset, or the number of players will not do.
        PositionError: If the deck given by hand is none.
    """
    state = begin(rules, players, seed=seed, dealer=dealer)
    return deal(state, deck=deck)


def begin(
    rules: Ruleset | str,
    players: int | Sequence[str],
    *,
    seed: int | str | None = 0,
    dealer: int | None = None,
) -> State:
    """
    A game before its first deal. Arguments and errors are those of `new_game`.
    """
    if isinstance(rules, str):
        rules = preset(rules)
    names = player_names(players)
    low, high = rules.match.players
    if not low <= len(names) <= high:
        msg = f"{rules.name} is for {low} to {high} players, not {len(names)}"
        raise RulesError(msg, [rules.rule_of("match.players")])
    problem = too_small(rules, len(names))
    if problem:
        raise RulesError(problem, ["RV-02"])
    if dealer is not None and not 0 <= dealer < len(names):
        msg = f"there is no seat {dealer} to deal: seats go from 0 to {len(names) - 1}"
        raise RulesError(msg, ["RV-07"])
    match = Match(
        rules,
        names,
        seed,
        (0,) * len(names),
        next_dealer=-1 if dealer is None else dealer,
    )
    return State(match, None, "deal", 0, (0,) * len(names), b"", b"")


def player_names(players: int | Sequence[str]) -> tuple[str, ...]:
    """
    The names of players, made up where only their number is given.

    Raises:
        RulesError: If two have one name, or one has none.
    """
    if isinstance(players, int):
        if players < 1:
            msg = f"a game needs players, not {players}"
            raise RulesError(msg, ["RV-07"])
        return tuple(f"player {seat}" for seat in range(players))
    names = tuple(map(str, players))
    if len(set(names)) != len(names) or not all(name.strip() for name in names):
        msg = f"every player needs a name of her own, not {', '.join(map(repr, names))}"
        raise RulesError(msg, ["RV-07"])
    return names


def too_small(rules: Ruleset, players: int) -> str:
    """
    Why no deal at all could succeed for so many players; empty if one can.
    """
    deck = rules.deck.cards_for(players)
    if rules.deal.method == "fixed":
        least = rules.deal.fixed_size(players)
    else:
        ranks = [
            rank for rank in rules.deck.ranks if rank not in rules.deal.put_back_ranks
        ]
        extra = 1 if rules.deal.upcard_means == "additional" else 0
        least = min(
            (rules.deal.upcard_number(rank) + extra for rank in ranks), default=99
        )
        if rules.deal.upcard_means == "total":
            least = max(least, 1)
    if rules.deal.too_few == "short":
        least = 1
    needed = least * players + 2 + (rules.wild.indicator in {"separate", "extra card"})
    if needed > len(deck):
        return (
            f"{players} players need {needed} cards at least, "
            f"and the deck has {len(deck)}"
        )
    return ""


def deal(
    state: State,
    *,
    deck: str | Sequence[Card] | None = None,
    put_back: Sequence[int] = (),
) -> State:
    """
    Deal the next round.

    Args:
        state: A state in which a deal is due.
        deck: The next cards by hand; those that it does not name lie below. By default
            the deck is shuffled from the game's own seed, again if a deal is thrown in.
        put_back: With a deck by hand: the places of cards that are put back.

    Raises:
        IllegalAction: If no deal is due.
        PositionError: If the deck given by hand is none.
    """
    if deck is not None:
        cards = whole_deck(state.match.rules, len(state.players), deck)
        dealer = next_dealer(state)
        return apply(state, Deal(cards, dealer, tuple(put_back)))
    for _ in range(_DEALS_AT_MOST):
        state = apply(state, next_deal(state))
        if state.phase != "deal" or state.result is not None:
            return state
    msg = (
        f"{_DEALS_AT_MOST} deals in a row needed more cards than the deck has; "
        "set deal.too_few to 'short', or use more packs"
    )
    raise RulesError(msg, ["RV-02"])


_DEALS_AT_MOST: Final = 10_000
_PLACES: Final = 32
"""How many places for cards put back a deal from a seed holds."""


def next_dealer(state: State) -> int:
    """
    Who deals next, by chance where no rule says it.
    """
    match = state.match
    if match.next_dealer >= 0:
        return match.next_dealer
    return Chance(str(match.seed), "dealer").below(len(match.players))


def next_deal(state: State) -> Deal:
    """
    The next deal that the game's own seed makes.
    """
    match = state.match
    if match.seed is None:
        msg = "this game has no seed: give the deck by hand"
        raise PositionError(msg, ["RV-07"])
    chance = Chance(str(match.seed), match.round_number, match.thrown_in)
    deck = match.rules.deck.cards_for(len(match.players))
    order = tuple(CARDS[code] for code in chance.shuffled(deck))
    places: tuple[int, ...] = ()
    if may_put_back(match.rules):
        places = tuple(chance.below(1 << 30) for _ in range(_PLACES))
    return Deal(order, next_dealer(state), places)


def may_put_back(rules: Ruleset) -> bool:
    """
    Whether a card may be buried or put back in a deal of these rules.
    """
    wild = rules.wild
    return bool(
        rules.deal.put_back_ranks
        or any(wild.permanent())
        or (not wild.aces and wild.indicator not in {"none", "by round"})
    )


def whole_deck(
    rules: Ruleset, players: int, given: str | Sequence[Card]
) -> tuple[Card, ...]:
    """
    A whole deck from its first cards.

    Raises:
        ParseError: If a text names no cards.
        PositionError: If the deck does not hold the cards that are named; with all of
            them.
    """
    named = parse_cards(given) if isinstance(given, str) else tuple(given)
    left = list(rules.deck.cards_for(players))
    problems = []
    for card in named:
        if card.code in left:
            left.remove(card.code)
        else:
            total = rules.deck.cards_for(players).count(card.code)
            problems.append(f"the deck holds {card} {_times(total)}, not that often")
    if problems:
        raise PositionError(dict.fromkeys(problems), [rules.rule_of("deck.packs")])
    return (*named, *(CARDS[code] for code in left))


def _times(number: int) -> str:
    return {0: "not at all", 1: "once", 2: "twice"}.get(number, f"{number} times")
