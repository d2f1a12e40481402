"""
Checks of the engine's legal actions against house rules, asked one by one.
"""

from __future__ import annotations

import itertools
import operator

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from rummyvariants import State, apply
from rummyvariants.actions import (
    Action,
    Ask,
    Buy,
    CallRummy,
    Declare,
    Discard,
    Draw,
    Knock,
    LayOff,
    NewMeld,
    NewMelds,
    Swap,
    Take,
    TakeAndLayOff,
    TakeAndMeld,
)
from rummyvariants.cards import UNIT, Card, Cards, as_cards, faces, sub_multisets
from rummyvariants.game._asking import remembered, wilds_beyond
from rummyvariants.game._engine.endings import discards_due
from rummyvariants.game._engine.finish import is_released
from rummyvariants.game._engine.transfers import refills
from rummyvariants.game._state import stock_left
from rummyvariants.game.verbs._known import gives_way
from rummyvariants.house import HouseRule, Opening, Turn
from rummyvariants.house.answers import group_read
from rummyvariants.house.facts import FACTS
from rummyvariants.melds import Meld
from rummyvariants.testing.holding import hold


class Recorder(Turn):
    """
    A turn that notes what a rule reads of it.
    """

    def __init__(self, state: State, seat: int, memory: Any, read: set[str]) -> None:
        super().__init__(state, seat, memory)
        self.read = read

    def __getattribute__(self, name: str) -> Any:
        # Which cards are wild, and so what cards are worth, depends on the wild rank.
        fact = "wild_rank" if name in {"is_wild", "points"} else name
        if fact in FACTS or fact == "may":
            super().__getattribute__("read").add(fact)
        return super().__getattribute__(name)


_HIDDEN: Final = frozenset({"hand", "drawn"})
"""What not every player sees."""


_BY_PHASE: Final[Mapping[str, tuple[str, ...]]] = {
    "draw": ("cards_drawn", "takes", "offers"),
    "asked": ("offers",),
    "offer": ("takes",),
    "buy": ("buys",),
    "play": (
        *("opening", "most_melds", "owes", "may_lay_off", "lays_off_on", "discards"),
        *("discards_owed", "may_knock", "may_go_out", "asks", "must_go_out"),
        *("next_seat", "offers"),
    ),
}
"""The questions that concern only a turn, by the phase in which to ask them."""


def check_reads(state: State) -> None:
    """
    Assert that house rules read and bar only what they declare, and read no secrets.

    Each is asked twice, to find answers that depend on anything else.

    Raises:
        AssertionError: If a check fails.
    """
    for question in _BY_PHASE.get(state.phase, ()):
        for _, rule in state.rules.asked.get(question, ()):
            for seat in state.to_act:
                if _is_asked(state, seat, question):
                    _check_reads(state, seat, rule, question)


def _is_asked(state: State, seat: int, question: str) -> bool:
    """
    Whether a question of the phase is about something in a state.
    """
    if question == "offers":
        return any(state.phase in times for times in state.rules.actions.values())
    if question == "takes":
        return bool(state.discards)
    if question == "opening" and state.has_meld(seat):
        return False
    if question == "owes" and state.drawn.source == "call":
        return False
    return state.phase != "play" or bool(state.hands[seat])


def _check_reads(state: State, seat: int, rule: HouseRule, question: str) -> None:
    read: set[str] = set()
    given = [
        getattr(rule, question)(Recorder(state, seat, remembered(state, rule), read))
        for _ in range(2)
    ]
    first, second = [tuple(one) if isinstance(one, Iterator) else one for one in given]
    hold(
        first == second,
        f"{rule.name!r} answers {question!r} with {first!r}, and then with {second!r}",
    )
    declared = read if rule.reads is None else rule.reads
    undeclared = read - declared
    hold(
        not undeclared,
        f"{rule.name!r} reads {sorted(undeclared)} for {question!r},",
        "but does not declare it",
    )
    if question == "discards" and rule.bars is not None and first is not None:
        _check_bars(state.hands[seat], rule, first)
    # Everybody sees who is asked whether to buy.
    hold(
        question != "buys" or not read & _HIDDEN,
        f"{rule.name!r} answers {question!r} from cards that others do not see",
    )


def _check_bars(hand: Cards, rule: HouseRule, allowed: Iterable[Card]) -> None:
    bars = rule.bars or Cards()
    others = [card for card in hand if card not in bars]
    barred = [card for card in others if card not in [*allowed]]
    hold(
        not barred or len(others) <= rule.few,
        f"{rule.name!r} bars {Cards(barred)} of {hand}, but declares {bars} as `bars`",
        f"and {rule.few} as `few`",
    )


_PARTS: Final = 200
"""How many parts of a hand are looked at for each kind of meld."""


def check_kinds(state: State) -> None:
    """
    Assert that melds of the kinds that house rules declare grow card by card.

    Each answer is asked for twice, to find those that depend on anything else.

    Raises:
        AssertionError: If a check fails.
    """
    for kind, seat in itertools.product(state.rules.kinds, state.to_act):
        hand = state._hands[seat] & state.dealt.terms.natural_mask
        for number in range(kind.least, min(kind.most, kind.least + 2) + 1):
            parts = sub_multisets(hand, number, number)
            for part in itertools.islice(parts, _PARTS):
                fits, text = kind.fits(part), f"{as_cards(part)} as {kind}"
                hold(kind.fits(part) == fits, f"{text}: once yes, once no")
                less = [part - UNIT[code] for code in faces(part)]
                hold(
                    not fits or number == kind.least or any(map(kind.fits, less)),
                    f"{kind.path} allows {text}, but no part of it with one card less",
                )


def check_house_answers(state: State, action: Action) -> None:
    """
    Assert that no house rule refuses a legal action.

    Args:
        state: A state in which a player may act.
        action: A legal action in it.

    Raises:
        AssertionError: If a rule refuses the action.
    """
    if not state.rules.house or action.seat is None:
        return
    said = [*_answers(state, action.seat, action)]
    if not gives_way(state):
        said += _of_vetoes(state, action.seat, action)
    for rule, question, allowed in said:
        hold(allowed, f"{action} is legal, but {rule.name!r} refuses it: {question!r}")


Said = tuple[HouseRule, str, bool]
"""A rule, what it was asked, and whether it allows the action."""


def _said(
    state: State, seat: int, question: str, fits: Callable[[Any], bool], *more: object
) -> Iterator[Said]:
    for _, rule in state.rules.asked.get(question, ()):
        turn = Turn(state, seat, remembered(state, rule))
        answer = getattr(rule, question)(turn, *more)
        if answer is not None:
            yield rule, question, fits(answer)


def _of_vetoes(state: State, seat: int, action: Action) -> Iterator[Said]:
    for _, rule in state.rules.asked.get("forbids", ()):
        if action.word in rule.vetoes:
            turn = Turn(state, seat, remembered(state, rule))
            answer = rule.forbids(turn, action, partial(_after, state, action, rule))
            yield rule, "forbids", not answer


def _after(state: State, action: Action, rule: HouseRule) -> Turn:
    done = apply(state, action)
    return Turn(done, action.seat or 0, remembered(done, rule))


def _of_melds(state: State, meld: Meld) -> Iterator[Said]:
    for _, rule in state.rules.asked.get("allows_meld", ()):
        answer = rule.allows_meld(meld)
        if answer is not None:
            yield rule, "allows_meld", answer


def _answers(state: State, seat: int, action: Action) -> Iterator[Said]:
    match action:
        case Take(count=count):
            yield from _said(state, seat, "takes", lambda said: count in said)
        case Draw():
            done = apply(state, action)
            drawn = len(done.drawn.cards)
            # A card that no hand keeps is replaced, as long as the stock lasts.
            aside = sum(len(one.cards) for one in done.zones)
            aside -= sum(len(one.cards) for one in state.zones)
            most = max(stock_left(state) - aside, 1)
            if state._stock and drawn:
                yield from _said(
                    state, seat, "cards_drawn", lambda said: drawn == min(said, most)
                )
        case Buy():
            yield from _said(state, seat, "buys", bool)
        case TakeAndMeld() | TakeAndLayOff():
            count = len(state.discards) if action.count is None else action.count
            before, table = state.table, apply(state, action).table
            laid = next(
                meld
                for at, meld in enumerate(table)
                if at >= len(before) or meld != before[at]
            )
            heard = [*_said(state, seat, "takes_with", bool, count, laid)]
            yield from heard
            for one in _said(state, seat, "takes", lambda said: count in said):
                if one[0] not in [rule for rule, *_ in heard]:
                    yield one
            if isinstance(action, TakeAndLayOff):
                yield from _of_layoff(state, seat, action)
            elif len(table) > len(before):
                yield from _of_new_melds(state, seat, action, len(action.melds))
        case NewMeld() | CallRummy(meld=None) | NewMelds():
            number = len(action.melds) if isinstance(action, NewMelds) else 1
            yield from _of_new_melds(state, seat, action, number)
        case LayOff() | Swap() | CallRummy():
            yield from _of_layoff(state, seat, action)
        case Discard() if not is_released(state, seat):
            yield from _said(state, seat, "discards", lambda said: action.card in said)
            if len(state.hands[seat]) == 1 and not refills(state, seat):
                yield from _said(state, seat, "may_go_out", bool)
            elif len(state.hands[seat]) > discards_due(state, seat):
                yield from _said(state, seat, "must_go_out", operator.not_)
        case Ask():
            yield from _said(state, seat, "asks", lambda said: said != seat)
        case Knock() | Declare():
            yield from _said(state, seat, "may_knock", bool)


def _of_new_melds(
    state: State, seat: int, action: Action, number: int
) -> Iterator[Said]:
    before, after = state.table, apply(state, action).table
    laid = after[len(before) :]
    for meld in laid:
        yield from _of_melds(state, meld)
        yield from _said(state, seat, "may_lay", bool, meld)
    if not isinstance(action, CallRummy):
        made = state.drawn.melds + number
        yield from _said(state, seat, "most_melds", lambda said: made <= said)
    if not state.has_meld(seat):
        left = len(apply(state, action).hands[seat])
        worth = sum(map(Turn(state, seat).points, laid))
        goes_out = left <= 1 and state.drawn.source == "stock"
        longest = max(map(len, laid), default=0) if goes_out else 0
        meets = partial(_meets, laid, worth, left, longest)
        yield from _said(state, seat, "opening", meets)


def _meets(
    melds: tuple[Meld, ...], worth: int, left: int, longest: int, opening: Opening
) -> bool:
    """
    Whether the first melds are those required: some order of them fits the groups.

    Args:
        melds: The melds.
        worth: Their points.
        left: How many cards are left in the hand.
        longest: The length of the longest one if they end a turn that began with a
            card of the stock, so that no points may be needed; otherwise 0.
        opening: What is required.
    """
    groups = [group_read(one) for one in opening.groups]
    waived = 0 < opening.waived_at <= longest
    return (
        (waived or worth >= opening.points)
        and not (opening.only and len(melds) > len(groups))
        and (opening.leaves is None or left <= opening.leaves)
        and not wilds_beyond(opening, [one.slots for one in melds])
        and any(
            all(
                one.kind == kind and len(one) >= least
                for one, (kind, least) in zip(order, groups, strict=False)
            )
            for order in itertools.permutations(melds, len(groups))
        )
    )


def _of_layoff(
    state: State, seat: int, action: LayOff | Swap | CallRummy | TakeAndLayOff
) -> Iterator[Said]:
    meld = state.table[action.meld - 1] if action.meld else state.dealer_wild
    if meld is None:
        return
    maker = meld.maker
    yield from _said(state, seat, "lays_off_on", lambda said: maker in said)
    if not isinstance(action, CallRummy):
        yield from _said(state, seat, "may_lay_off", bool)
    done = apply(state, action)
    if not done.is_round_over and action.meld:
        grown = done.table[action.meld - 1]
        yield from _said(state, seat, "may_lay", bool, grown)
        yield from _of_melds(state, grown)
