"""
The verbs of a game: actions read, refused at a wrong time, planned.
"""

from __future__ import annotations

import functools

from collections.abc import Collection
from typing import Any, Final

from rummyvariants._support.limits import ACTION
from rummyvariants._support.words import listed
from rummyvariants.errors import CopiesError, ParseError, nearest, shown
from rummyvariants.game._engine.acts import ACTS, Plan, Verb
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._notation import SEAT, number_of, read_deal
from rummyvariants.game._state import to_act
from rummyvariants.game.actions import Action, Deal
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


VERBS: Final[dict[type[Any], Verb]] = {verb.kind: verb for verb in ACTS}
"""Every verb by the class of its actions."""
_READERS: Final = {word: one for verb in ACTS for word, one in verb.words.items()}


@functools.lru_cache(maxsize=256)
def verbs_of(rules: Ruleset) -> frozenset[str]:
    """
    The words with which the actions of players begin under some rules.
    """
    return frozenset(
        word for verb in VERBS.values() if verb.exists(rules) for word in verb.words
    )


def parse_action(
    text: str, seat: int | None = None, verbs: Collection[str] | None = None
) -> Action:
    """
    Read an action: ``draw``, ``take 3``, ``meld 7h *=8h 9h``, ``discard Kc`` ...

    Args:
        text: The action in the notation, a seat in front allowed (``2: draw``); at most
            10,000 characters.
        seat: Whose action it is; None to leave that open.
        verbs: The verbs of the game, see `verbs_of`: an error suggests no others.
            An action that can be read is read whatever its verb.

    Raises:
        ParseError: If the text is no action; the message says what would be.
    """
    if len(text) > ACTION:
        msg = f"{text[:20]!r} ... is no action: it has more than {ACTION} characters"
        raise ParseError(msg)
    try:
        return _parsed(" ".join(text.split()), seat, verbs)
    except ParseError as error:
        msg = f"{text!r} is no action: {error}"
        raise ParseError(msg) from None


def _parsed(words: str, seat: int | None, verbs: Collection[str] | None) -> Action:
    if named := SEAT.match(words):
        given = number_of(named[1], "the seat in front as in '2: draw'")
        seat = given if seat is None else seat
        words = words[named.end() :]
    verb, _, rest = words.partition(" ")
    known = _READERS if verbs is None else verbs
    reader = _READERS.get(verb.casefold())
    if reader is None:
        meant = ["big gin" if one == "big" else one for one in known]
        msg = f"unknown verb {verb!r}{nearest(verb, meant)}"
        raise ParseError(msg)
    try:
        return reader(rest, seat)
    except ParseError:
        if reader is read_deal or verb.casefold() in known:
            raise
        msg = f"this game has no {verb.casefold()!r}"
        raise ParseError(msg) from None


def wrong_value(action: Any) -> str:
    """
    What of an action made in Python is of a type that it may not be.

    Returns:
        A sentence; empty if the action is one.
    """
    kind = type(action)
    verb = VERBS.get(kind)
    if verb is None:
        return f"{shown(action)} is no action"
    wrong = "seat" if type(action.seat) not in _SEATS else ""
    for name, fits in verb.fields.items():
        if not fits(getattr(action, name)):
            wrong = name
    if not wrong:
        return ""
    return f"{shown(getattr(action, wrong))} cannot be the {wrong} of a {kind.__name__}"


_SEATS: Final = frozenset({int, type(None)})


# ------------------------------------------------------------------------- planning


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
        if seat is not None:
            return Objection("RV-07", "a deal is an action of chance, and of no seat")
        if phase != "deal":
            return Objection("RV-07", "the round is not over")
        return None
    if phase == "deal":
        return Objection(
            "RV-07", "the round is over, and the next one is not dealt yet"
        )
    verb = VERBS[type(action)]
    question = verb.also.get(phase) or verb.also.get("")
    also = (question,) if question else ()
    if seat is None:
        told = listed([names[one] for one in to_act(state)])
        return Objection("RV-07", f"{told} may act: say which seat does", also)
    if not 0 <= seat < len(names):
        return Objection(
            "RV-07",
            f"there is no seat {shown(seat)}; seats go from 0 to {len(names) - 1}",
        )
    acting = to_act(state)
    if seat not in acting:
        told = f"it is {names[acting[0]]}'s turn to act, not {names[seat]}'s"
        if len(acting) > 1:
            several = listed([names[one] for one in acting])
            told = f"{several} are to act now, not {names[seat]}"
        return Objection("RV-07", told, also)
    if phase not in verb.plans:
        return Objection(
            "RV-07", f"{_PHASE_TELLS[phase]}, so '{action}' has to wait", also
        )
    return None


_PHASE_TELLS: Final = {
    "choose": "a hand size has to be chosen",
    "draw": "a turn starts with a draw",
    "play": "a card has been drawn already",
    "call": "a call may be made or passed",
    "discard": "the caller has to discard",
    "offer": "the first upcard is taken or declined",
    "layoff": "after a knock cards are laid off",
}


def planned(state: AnyState, action: Action) -> Plan | Objection:
    """
    What an action would do, worked out but not done; an objection if it is refused.

    The action names its seat.
    """
    phase = state.phase
    planner = VERBS[type(action)].plans.get(phase)
    in_turn = phase in {"draw", "play"} and action.seat == state.turn
    if planner is None or not in_turn:
        wrong = _refuse_turn(state, action)
        if wrong is not None:
            return wrong
        assert planner is not None  # noqa: S101 -- for the type checker
    try:
        return planner(state, action)
    except CopiesError as error:
        # Whatever the verb, no hand and no pile holds that many.
        return Objection("RV-07", str(error))
