"""
Questions of a few words: the situation in which an action is asked about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from rummyvariants.actions import (
    Action,
    CallRummy,
    Declare,
    Discard,
    Knock,
    Pass,
    Take,
    TakeAndLayOff,
    TakeAndMeld,
)
from rummyvariants.cards import Card, parse_cards
from rummyvariants.errors import PositionError
from rummyvariants.files._brief import OTHER_OWNER
from rummyvariants.files._documents import file_slots
from rummyvariants.files._positions import read_position
from rummyvariants.game._engine.game import check, short_form
from rummyvariants.game._engine.naming import cards_named, number_of_meld
from rummyvariants.game._engine.phases import PHASES
from rummyvariants.game._state import State
from rummyvariants.game.verbs._known import VERBS, parse_action
from rummyvariants.rules._files import read_rules
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Ruling


_ORDERS: Final = 4
"""How many ways to make up what is not given are compared."""
_TIMES: Final = ("draw", "play", "offer", "call", "buy", "answer", "stock", "layoff")
"""The phases from which one is chosen for an action, the first that fits."""


def situation(
    rules: Ruleset | str | Mapping[str, Any],
    action: str | Action | None = None,
    *,
    order: int = 0,
    **facts: Any,
) -> State:
    """
    A position of which a few facts are known, in which an action could be asked about.

    What the facts leave out follows from the action, as far as it can: its phase, the
    cards that it names in the hand, the card that it takes on the discard pile.

        >>> state = situation("rummy-5000", "meld Qc Kc Ac")
        >>> state.phase, Cards("Ac Kc Qc") in state.hands[0]
        ('play', True)

    Args:
        rules: The rules, the name of a preset, or a table as in a rules file.
        action: The action, or its text.
        order: The number that decides what else is made up.
        facts: The keys of `position`.

    Raises:
        RulesError: If the rules are not valid.
        PositionError: If the position is impossible, or lacks what the action needs.
        ParseError: If the text is not an action.
    """
    if not isinstance(rules, Ruleset):
        rules = read_rules(rules)
    facts = {key: value for key, value in facts.items() if value is not None}
    named: tuple[Card, ...] = ()
    if action is not None:
        named = _fit(facts, action, rules)
    return read_position(facts, rules, order=order, named=named)


def ruled(
    rules: Ruleset | str | Mapping[str, Any], action: str | Action, **facts: Any
) -> tuple[State, Ruling]:
    """
    A situation and the ruling on an action, which nothing that was made up decides.

    Raises:
        PositionError: Also if what is not given decides the ruling.
    """
    state = situation(rules, action, **facts)
    ruling = check(state, action, asker(state))
    for order in range(1, _ORDERS if state.assumed else 1):
        try:
            another = situation(rules, action, order=order, **facts)
        except PositionError:
            continue  # what is made up then is impossible
        other = check(another, action, asker(another))
        if (bool(other), other.rule) != (bool(ruling), ruling.rule):
            cards = [one for one in state.assumed if "hand" in one or "stock" in one]
            made_up = ", ".join(cards)
            msg = f"the answer depends on cards that you do not give: {made_up}"
            if order == OTHER_OWNER:
                msg = "melds: say who laid each, as in 'Ben: 7h 8h 9h'"
            raise PositionError([msg])
    return state, ruling


def asker(state: State) -> int | None:
    """
    The seat about whose action a question is: of several that may act, the one in turn.
    """
    return state.turn if len(state.to_act) > 1 and state.turn in state.to_act else None


def _fit(
    facts: dict[str, Any], action: str | Action, rules: Ruleset
) -> tuple[Card, ...]:
    """
    Add to the facts what an action needs.

    Returns:
        The cards that are in the hand of whoever does it, if no hand is given.

    Raises:
        PositionError: If the action needs something that only the facts can say.
        ParseError: If a text is not an action.
    """
    done, onto = _read(action)
    pile = "pile" in facts or "discards" in facts
    slots = [slot for key, (slot, _) in file_slots().items() if key in facts]
    if "phase" not in facts and not any(slot.phases for slot in slots):
        facts["phase"] = _time(done, rules, facts)
    takes = isinstance(done, Take | TakeAndMeld | TakeAndLayOff)
    if takes and not pile and onto is not None:
        facts["pile"] = str(onto)
    elif not pile and (takes or facts.get("phase") in {"call", "buy"}):
        _lacks("pile", "the discard pile, the top card last, such as '4d 9s'")
    number = number_of_meld(done)
    if number is not None and not {"melds", "table", "dealer_wild"} & {*facts}:
        _lacks("melds", "what lies on the table, such as '7h 8h 9h / Kc Kd Kh'")
    cards = Counter(one.card for one in cards_named(done))
    if isinstance(done, Knock | Declare) and not {"hand", "hands"} & {*facts}:
        if done.melds is None:
            _lacks("hand", "the whole hand, since all of it counts")
        facts["hand"] = tuple(cards.elements())
    if isinstance(done, CallRummy):
        given = facts.get("pile", facts.get("discards", ""))
        cards -= Counter(parse_cards(given) if isinstance(given, str) else given)
    return tuple(cards.elements())


def _lacks(key: str, what: str) -> None:
    msg = f"{key}: give {what}"
    raise PositionError([msg])


def _read(action: str | Action) -> tuple[Action, Card | None]:
    """
    An action, and the card down to which it takes the discards, if that is named.
    """
    if not isinstance(action, str):
        return action, None
    short = short_form(action)
    if short is None:
        return parse_action(action), None
    verb, card = short
    if verb == "discard" and card is not None:
        return Discard(card), None
    return Take(1 if card is not None else 0), card


def _time(action: Action, rules: Ruleset, facts: Mapping[str, Any]) -> str:
    """
    The phase in which an action could be done.

    Raises:
        PositionError: If that could be in several.
    """
    known = VERBS[type(action)].times(rules, action)
    times = [one for one in _TIMES if one in known]
    if isinstance(action, Pass):
        times = [one for one in times if PHASES[one].passes(rules)]
        if len(times) > 1:
            phases = " or ".join(map(repr, times))
            msg = f"phase: say when that is: {phases}"
            raise PositionError([msg])
    if "layoff" in times and facts.get("out"):
        return "layoff"
    if "play" in times and getattr(action, "card", None) is not None:
        return "play"
    return times[0] if times else "draw"
