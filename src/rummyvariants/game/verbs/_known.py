"""
The verbs of a game: actions read, refused at a wrong time, planned.
"""

from __future__ import annotations

import functools
import re

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final, SupportsIndex

from rummyvariants._patterns import Pattern, number_of
from rummyvariants._support.arguments import explained
from rummyvariants._support.limits import ACTION
from rummyvariants._support.memos import remembered
from rummyvariants._support.words import a, listed
from rummyvariants.actions import Action, Deal, HouseAction
from rummyvariants.cards import Card, Cards, card_of
from rummyvariants.errors import (
    CopiesError,
    ParseError,
    RulesError,
    nearest,
    seat_number,
    shown,
)
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine import phases
from rummyvariants.game._engine.offers import Branch, Verbs
from rummyvariants.game._engine.phases import PHASES, nothing
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._state import remember, seats_of, to_act
from rummyvariants.game.verbs import _buying as buying
from rummyvariants.game.verbs import _calling as calling
from rummyvariants.game.verbs import _drawing as drawing
from rummyvariants.game.verbs import _ending as ending
from rummyvariants.game.verbs import _house as house
from rummyvariants.game.verbs import _knocking as knocking
from rummyvariants.game.verbs import _laying as laying
from rummyvariants.game.verbs import _leaving as leaving
from rummyvariants.game.verbs import _permission as permission
from rummyvariants.game.verbs._synonyms import ELSEWHERE, in_our_words
from rummyvariants.game.verbs._verb import Plan, Verb
from rummyvariants.game.verbs._vetoes import obeying_vetoes
from rummyvariants.house.facts import left_round
from rummyvariants.house.rules import action_names
from rummyvariants.melds._meld import read_played
from rummyvariants.melds._tree import Fork, leaves
from rummyvariants.policies import cases
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


_IN_ORDER: Final[tuple[Verb, ...]] = (
    buying.DrawOrDeclineVerb(),
    drawing.TakeVerb(),
    drawing.TakeWithVerb(),
    drawing.TakeOnVerb(),
    laying.MeldVerb(),
    laying.GoDownVerb(),
    laying.LayVerb(),
    laying.PutVerb(),
    laying.SwapVerb(),
    laying.SplitVerb(),
    laying.ArrangeVerb(),
    ending.DiscardVerb(),
    permission.AskVerb(),
    permission.YesVerb(),
    permission.NoVerb(),
    calling.RummyVerb(),
    buying.BuyVerb(),
    house.HouseVerb(),
    leaving.RejoinVerb(),
    buying.PassOrDeclineVerb(),
    ending.ChooseVerb(),
    knocking.KnockVerb(),
    knocking.DeclareVerb(),
    ending.DealVerb(),
)
VERBS: Final[dict[type[Any], Verb]] = {verb.kind: verb for verb in _IN_ORDER}
"""Every verb by the class of its actions, in the order of legal actions."""
NUMBERED_PHASES: Final = (
    phases.DEAL,
    phases.CHOOSE,
    phases.OFFER,
    buying.DRAW_OR_DECLINE,
    buying.DECLINED,
    phases.PLAY,
    permission.ANSWER,
    buying.BUY,
    calling.CALL,
    calling.DISCARD,
    knocking.LAYOFF,
    leaving.REJOIN,
    phases.OVER,
)
"""Phases in the order of their numbers in encodings."""
# The last has no number: few games have it.
PHASES.update((phase.name, phase) for phase in (*NUMBERED_PHASES, house.ASKED))
# Passes and discards belong to the phases that say what follows them.
for _verb in VERBS.values():
    if _verb.follows:
        _verb.phases = tuple(
            [
                name
                for name, phase in PHASES.items()
                if getattr(phase, _verb.follows) is not nothing
            ]
        )


@remembered(1)
def verbs_of(rules: Ruleset) -> frozenset[str]:
    """
    The first words of the actions that players have under some rules.
    """
    words = [
        word for verb in VERBS.values() if verb.exists(rules) for word in verb.words
    ]
    return frozenset([*words, *rules.actions])


def check_actions(rules: Ruleset) -> None:
    """
    Check that the actions which house rules offer have names of their own.

    Raises:
        RulesError: If one is named like an action of any game of the library.
    """
    ways = _ways()
    for name in rules.actions:
        taken = name in ways
        # A text that begins otherwise is none, and to say so takes long.
        if name.partition(" ")[0].partition(":")[0] in ways:
            with suppress(ParseError):
                taken = taken or bool(_of_game(name, None, None))
        if taken:
            also = "give that of the rule another name"
            msg = f"the library has an action {name!r}: {also}"
            raise RulesError(msg)


def _offered(
    rules: Ruleset, phase: str, *, free: bool
) -> tuple[tuple[str, Branch], ...]:
    """
    What the verbs of some rules offer in a phase, by their names.
    """
    words = {word for verb in VERBS.values() for word in verb.words}
    for word in rules.vetoed - words - {*rules.actions}:
        hint = nearest(word, words)
        msg = f"no action begins with {word!r}, which a rule forbids{hint}"
        raise RulesError(msg)
    found: list[tuple[str, Branch]] = []
    for verb in VERBS.values():
        if phase not in verb.phases:
            continue
        vetoed = frozenset() if free or verb.asks_vetoes else rules.vetoed
        for name, offer in verb.branches(rules, phase):
            asked = not vetoed.isdisjoint({name, name.partition(" ")[0]})
            found.append((name, partial(obeying_vetoes, offer) if asked else offer))
    return tuple(found)


def offers_in(state: AnyState) -> tuple[tuple[str, Branch], ...]:
    """
    What grows the branches of the verbs of a state, by their names.
    """
    return offers_with(state, free=gives_way(state))


def offers_with(
    state: AnyState, *, free: bool = False
) -> tuple[tuple[str, Branch], ...]:
    """
    The same, with what house rules forbid or without it.
    """
    rules = state.match.rules
    phase = state.frames[-1].phase
    # Kept with the rules: to look for equal ones would compare all their values.
    key = ("offers", phase, free)
    found: tuple[tuple[str, Branch], ...] | None = rules._memo.get(key)
    if found is None:
        found = rules._memo[key] = _offered(rules, phase, free=free)
    return found


def gives_way(state: AnyState) -> bool:
    """
    Whether nothing is left to do but what rules forbid, which is then allowed (RV-43).
    """
    if not state.match.rules.vetoed:
        return False
    offers = offers_with(state)
    if all(getattr(offer, "func", None) is not obeying_vetoes for _, offer in offers):
        return False  # where their plans ask, nothing is left out
    trees = [Verbs(offers, state, seat) for seat in seats_of(state.frames[-1].waiting)]
    return all(next(leaves(tree), None) is None for tree in trees)


def tree_of(state: AnyState, seat: int) -> Fork:
    """
    The tree of what a seat that may act may do: first the verb.
    """
    return Verbs(offers_in(state), state, seat)


@explained
def parse_action(
    text: str, seat: SupportsIndex | None = None, verbs: Collection[str] | None = None
) -> Action:
    """
    Read an action: ``draw``, ``take 3``, ``meld 7h *=8h 9h``, ``discard Kc`` ...

    Short forms that depend on the state, such as ``take 9s``, are read by what is given
    a state: `check`, `apply` and `step`.

    Args:
        text: The action in the notation, with or without a seat in front (``2: draw``),
            or in other words of card players; at most 10,000 characters.
        seat: The number of the seat that acts; None to leave it open.
        verbs: The verbs of the game, see `verbs_of`; an error suggests no others.
            Actions with other verbs are read all the same.

    Raises:
        ParseError: If the text is not an action; the message says what to write.
        RequestError: If the seat is not a number from 0.

    >>> rv.game.parse_action("take 2")
    Take(count=2, seat=None)
    >>> action = rv.game.parse_action("1: lay off 10h on meld 2")
    >>> str(action), action.seat
    ('lay Th on 2', 1)
    """
    if seat is not None:
        seat = seat_number(seat, None)
    if len(text) > ACTION:
        msg = (
            f"{text[:20]!r} ... is not an action: it has more than {ACTION} characters"
        )
        raise ParseError(msg)
    try:
        return _parsed(" ".join(text.split()), seat, verbs)
    except ParseError as error:
        msg = f"{text!r} is not an action: {error}"
        raise ParseError(msg) from None


def _parsed(words: str, seat: int | None, verbs: Collection[str] | None) -> Action:
    if named := re.match(SEAT, words):
        given = number_of(named[1], "the seat in front as in '2: draw'")
        seat = given if seat is None else seat
        words = words[named.end() :]
    try:
        return _of_game(words, seat, verbs)
    except ParseError:
        ours = in_our_words(words)
        for name in sorted({*action_names(), *cases.names_of_actions()}, reverse=True):
            if f"{words.casefold()} ".startswith(f"{name} "):
                rest = words[len(name) :]
                # A word of players is that of a house rule only where it is in force.
                in_force = verbs is None or name in verbs
                if ours == words or (in_force and (not rest or are_cards(rest))):
                    return HouseAction(name, Cards(rest), seat)
        if ours == words:
            raise
    return _of_game(ours, seat, verbs)


def _of_game(words: str, seat: int | None, verbs: Collection[str] | None) -> Action:
    """
    The action of a game, and of no house rule, that words are.
    """
    verb = words.partition(" ")[0].partition(":")[0]
    word = verb.casefold()
    ways = _ways()
    known = ways if verbs is None else verbs
    if word not in ways:
        if elsewhere := ELSEWHERE.get(words.casefold()):
            msg = f"it is a question; {elsewhere}"
            raise ParseError(msg)
        if are_cards(words):
            msg = f"write what you do with them, such as 'meld {words}'"
            raise ParseError(msg)
        patterns = [one for each in VERBS.values() for one in each.kind.patterns]
        names = {one.word: one.name for one in patterns}
        meant = [names.get(one, one) for one in known]
        msg = f"unknown verb {verb!r}{nearest(verb, meant)}"
        raise ParseError(msg)
    try:
        return _read(words, seat, *ways[word])
    except ParseError:
        if word in known or word in VERBS[Deal].words:
            raise
        msg = f"this game has no {word!r}"
        raise ParseError(msg) from None


KnownPattern = tuple[type[Any], Pattern]
"""A kind of action with a pattern of its text."""


def _read(
    words: str, seat: int | None, ways: Iterable[KnownPattern], hint: str
) -> Action:
    """
    The action that words are by the first pattern that fits.
    """
    for kind, pattern in ways:
        values = pattern.read(words)
        if values is not None:
            made: Action = kind(**values, seat=seat)
            return made
    raise ParseError(hint)


SEAT: Final = r"(\d+) ?: ?"
"""The number of a seat in front of an action."""


def are_cards(text: str) -> bool:
    """
    Whether a text names cards and nothing else, wilds with what they stand for or not.
    """
    words = text.replace(",", " ").split()
    # An error about a word that is no card takes long to make.
    if not words or None in [card_of(one.partition("=")[0]) for one in words]:
        return False
    try:
        return bool([read_played(one) for one in words])
    except ParseError:
        return False


@functools.cache
def _ways() -> Mapping[str, tuple[list[KnownPattern], str]]:
    """
    By word, the patterns that begin with it, and what to write if none fits.
    """
    found: dict[str, tuple[list[KnownPattern], str]] = {}
    for verb in VERBS.values():
        for pattern in verb.kind.patterns:
            entry = found.setdefault(pattern.word, ([], f"write {pattern.hint}"))
            entry[0].append((verb.kind, pattern))
        for word, hint in verb.hints.items():
            found[word] = [], hint
    return found


def instead_of(given: object) -> str:
    """
    What to write in place of cards that were given as an action.
    """
    if isinstance(given, Card):
        return f"; write 'discard {given}'"
    several = isinstance(given, Iterable) and not isinstance(given, str | bytes)
    words = " ".join(map(str, given)) if several else ""  # type: ignore[call-overload]
    return f"; write 'meld {words}'" if are_cards(words) else ""


def wrong_value(action: Any) -> str:
    """
    Which value of an action made in Python has a wrong type.

    Returns:
        A sentence; empty if there is none.
    """
    kind = type(action)
    verb = VERBS.get(kind)
    if verb is None:
        return f"{shown(action)} is not an action{instead_of(action)}"
    wrong = "seat" if type(action.seat) not in _SEATS else verb.wrong(action)
    if not wrong:
        return ""
    given = getattr(action, wrong)
    what = f"{shown(given)} cannot be the {wrong} of {a(kind.__name__)}"
    as_text = isinstance(given, str) and wrong != "seat" and kind.patterns
    return (
        f"{what}; write the action as a text: {kind.patterns[0].hint}" * bool(as_text)
        or what
    )


_SEATS: Final = frozenset({int, type(None)})


# ------------------------------------------------------------------------- planning


def planned(state: AnyState, action: Action) -> Plan | Objection:
    """
    What an action would do, worked out but not done; an objection if it is refused.

    The action names its seat.
    """
    frame = state.frames[-1]
    verb = VERBS[type(action)]
    # Nobody is awaited where chance is to act, whose seat is None.
    seats = seats_of(frame.waiting) or _CHANCE
    rules = state.match.rules
    if frame.phase not in verb.times(rules, action) or action.seat not in seats:
        return _wrong_time(state, action)
    try:
        found = verb.plan(state, action)
    except CopiesError as error:
        # Whatever the verb, no hand and no pile holds that many.
        return Objection("RV-07", str(error))
    if rules.vetoed and not (verb.asks_vetoes or isinstance(found, Objection)):
        wrong = asking.forbidden(state, action, found)
        if wrong is not None and not gives_way(state):
            return wrong
    return found


def plan_kept(state: AnyState, action: Action) -> Plan | Objection:
    """
    The same; the plan of a legal action is remembered, since it is often done next.
    """
    found = planned(state, action)
    if not isinstance(found, Objection):
        remember(state, (action, found))
    return found


_CHANCE: Final = (None,)


def _wrong_time(state: AnyState, action: Action) -> Objection:
    """
    Why a seat may not act now, or the phase does not allow such an action (RV-07).
    """
    names = state.match.players
    seat = action.seat
    phase = state.phase
    acting = to_act(state)
    if isinstance(action, Deal) and phase != "over":
        if seat is not None:
            return Objection("RV-07", "a deal is an action of chance and has no seat")
        return Objection("RV-07", "the round is not over")
    due, write = PHASES[phase].due, PHASES[phase].write
    write = f": write {write}" if write else ""
    if not acting:
        return Objection("RV-07", f"{due}{write}")
    verb = VERBS[type(action)]
    rules = state.match.rules
    path = verb.refused_by(state, action)
    exists = verb.exists(rules) and bool(verb.times(rules, action))
    # Of a verb that a game does not have, only what the game itself says is cited.
    also = (path,) if path and (exists or path in rules.origins) else ()
    if seat is None:
        several = listed([names[one] for one in acting])
        return Objection("RV-07", f"{several} may act: say which seat does", also)
    if not 0 <= seat < len(names):
        return Objection(
            "RV-07",
            f"there is no seat {shown(seat)}; seats go from 0 to {len(names) - 1}",
        )
    if seat in acting and not exists:
        return Objection("RV-07", f"'{action}' is no action of this game", also)
    early = verb.early(state, seat) if exists else None
    if early is not None:
        return early
    if seat in acting:
        return Objection("RV-07", f"{due}, so '{action}' has to wait{write}", also)
    if gone := _gone(state, seat):
        reason = f"{names[seat]} {gone}"
    elif len(acting) == 1:
        reason = f"it is {names[acting[0]]}'s turn to act, not {names[seat]}'s"
    else:
        several = listed([names[one] for one in acting])
        reason = f"{several} are to act now, not {names[seat]}"
    return Objection("RV-07", reason, also)


def _gone(state: AnyState, seat: int) -> str:
    """
    Why a seat has no turn any more; empty if it may still have one.
    """
    if seat in asking.eliminated(state.match):
        return "is out of the match"
    if seat in [one for one, *_ in left_round(state)]:
        return "has left the round"
    return "is out and has no further turn in this round" if seat in state.out else ""
