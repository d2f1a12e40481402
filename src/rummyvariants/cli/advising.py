"""
The choices shown to a person at the prompt, and what a bot would do there.
"""

from __future__ import annotations

import itertools
import random

from typing import Final

import attrs

import rummyvariants as rv

from rummyvariants._support.words import capital, counted, figure, listed
from rummyvariants.bots import CarefulBot
from rummyvariants.cards import UNIT, as_cards, faces
from rummyvariants.cli.prompting import discards, without_melds
from rummyvariants.cli.show import COUNTED
from rummyvariants.game._asking import answer_to, coming_back, openings
from rummyvariants.game._engine.draws import refuse_pile
from rummyvariants.game._scoring import points_on_table
from rummyvariants.game.verbs._buying import may_decline
from rummyvariants.melds._deadwood import fewest_points, worth_of
from rummyvariants.solver._concealed import best_partition


LISTED: Final = 18
"""How many lines of legal actions to show at a time."""
WIDTH: Final = 60
"""How long a line of legal actions may be without a terminal."""
MOST: Final = 50_000
"""How many legal actions to examine; most are not listed."""
_SHORTEST: Final = 6
"""The least length of an action's text."""
_TRIED: Final = 5000
"""How many nodes the search for the value of a take may visit."""
_PLAYS: Final = (
    *(
        rv.actions.NewMeld,
        rv.actions.LayOff,
        rv.actions.NewMelds,
        rv.actions.PutWild,
        rv.actions.Swap,
        rv.actions.CallRummy,
    ),
)
"""Actions that may score on the table at once."""


# ----------------------------------------------------------------------- legal actions


@attrs.frozen
class Entry:
    """
    A legal action as it is listed.

    Attributes:
        action: The action.
        cards: The cards that it names or takes, each once.
        points: The points that it scores at once.
    """

    action: rv.Action
    cards: tuple[rv.Card, ...]
    points: int

    def __str__(self) -> str:
        return f"{self.action}{f' {self.points:+d}' if self.points else ''}"


def _entry(state: rv.State, seat: int, action: rv.Action) -> Entry:
    one = rv.game.LegalAction.of(state, action)
    cards = tuple(dict.fromkeys((*one.cards, *one.takes)))
    return Entry(action, cards, points_of(state, seat, action))


def entries(
    state: rv.State, seat: int, card: rv.Card | None = None
) -> tuple[list[Entry], bool]:
    """
    What a seat may do, the highest scores first, and whether that is all.

    Args:
        state: The state.
        seat: The seat.
        card: Only actions with this card; by default all.
    """
    every = rv.legal_actions(state, seat).details()
    found = itertools.islice(every, MOST)
    about = (one.action for one in found if card is None or one.involves(card))
    some = list(itertools.islice(about, COUNTED + 1))
    once = dict.fromkeys(map(without_melds, some[:COUNTED]))
    rated = [_entry(state, seat, one) for one in once]
    is_all = len(some) <= COUNTED and next(every, None) is None
    return sorted(rated, key=lambda one: -one.points), is_all


def points_of(state: rv.State, seat: int, action: rv.Action) -> int:
    """
    The points that an action scores on the table at once.
    """
    if not isinstance(action, _PLAYS):
        return 0
    after = rv.apply(state, action, seat)
    return points_on_table(after, seat) - points_on_table(state, seat)


def by_card(state: rv.State, seat: int, width: int = WIDTH) -> list[str]:
    """
    What a seat may do: a line for each card that has other uses than a discard.

    Args:
        state: The state.
        seat: The seat.
        width: The greatest length of a line.
    """
    found, is_all = entries(state, seat)
    cards: dict[rv.Card, list[str]] = {}
    verbs: dict[str, list[str]] = {}
    for one in found:
        verb, _, rest = str(one.action).partition(" ")
        match one.action:
            case rv.actions.Discard():
                continue
            case action if isinstance(action, _PLAYS):
                for card in one.cards:
                    cards.setdefault(card, []).append(str(one))
                continue
            case rv.actions.Take(count=count):
                rest = f"{count} ({one.cards[0]})"
            case rv.actions.Declare(card=None):
                rest = "(no discard)"
            case rv.actions.Knock(card=rv.Card() as card):
                rest += f" ({_fewest_without(state, seat, card)} left)"
        verbs.setdefault(verb, []).append(rest)
    lines = [
        _fitting(card, cards[card], width, is_all=is_all) for card in sorted(cards)
    ]
    if thrown := list(discards(state, seat)):
        verbs["discard"] = thrown
    return lines + [f"{verb} {', '.join(rest)}".strip() for verb, rest in verbs.items()]


def _fitting(card: rv.Card, actions: list[str], width: int, *, is_all: bool) -> str:
    """
    As many actions as fit on a line, at least one, and how to see the others.
    """
    for shown in range(min(len(actions), width // _SHORTEST), 0, -1):
        line = f"{card!s:<3} {', '.join(actions[:shown])}"
        if more := len(actions) - shown:
            line += f"; {'' if is_all else 'at least '}{more} more: ? {card}"
        if len(line) <= width:
            break
    return line


# ------------------------------------------------------------------------------- hands


def _fewest_without(state: rv.State, seat: int, card: rv.Card) -> int:
    bits = state.hands[seat].bits - UNIT[card.code]
    return fewest_points(state.dealt.terms, bits)


def deadwood_line(state: rv.State, seat: int) -> str:
    """
    The best melds of a hand that keeps its melds, and its deadwood.
    """
    terms = state.dealt.terms
    melds, left = best_partition(terms, state.hands[seat].bits, "least points left")
    points = f"deadwood {worth_of(terms, left)}"
    if not melds:
        return f"Melds:     none; {points}"
    shown = " / ".join(" ".join(map(str, meld)) for meld in melds)
    return f"Melds:     {shown}; {points}{f': {as_cards(left)}' if left else ''}"


# --------------------------------------------------------------- before the prompt


def phase_line(state: rv.State, seat: int) -> str:
    """
    What a seat is asked or offered, or why it may not simply take a pile.

    Returns:
        A sentence; empty if there is nothing to say.
    """
    upcard = state.discards[-1] if state.discards else None
    match state.phase:
        case "call":
            return _call_line(state, seat)
        case "answer":
            asker = state.players[state.turn]
            return f"{asker} asks whether to go out: 'yes' or 'no'. It binds."
        case "layoff":
            return "You may lay cards off on the knocker's melds, or 'pass'."
        case "offer":
            return f"You may take the first upcard, {upcard} ('take'), or 'pass'."
        case "stock":
            return "You declined the upcard: 'draw' from the stock."
        case "draw" if upcard and (wrong := refuse_pile(state, seat, 0)):
            return f"{capital(wrong.reason)}."
        case "draw" if may_decline(state):
            return (
                f"You may take the upcard, {upcard} ('take'), or decline it "
                "('pass'): then the others may buy it."
            )
        case "buy" if found := answer_to(state, seat, "buys"):
            cost = found[1].penalty
            with_it = f", with {counted(cost, 'card')} from the stock" if cost else ""
            return f"You may buy {upcard}{with_it} ('buy'), or 'pass'."
        case "rejoin" if back := coming_back(state, seat):
            return f"You may come back with {back[1]} ('rejoin'), or stay out ('pass')."
    return ""


def _call_line(state: rv.State, seat: int) -> str:
    """
    Which cards a seat may call, and after which discard.
    """
    every = itertools.islice(rv.legal_actions(state, seat).details(), COUNTED)
    calls = [one for one in every if isinstance(one.action, rv.actions.CallRummy)]
    thrown = next(
        (
            one.card
            for one in reversed(state.history)
            if isinstance(one, rv.actions.Discard)
        ),
        state.discards[-1],
    )
    name = state.players[state.frames[-1].seat]
    used = sorted({card for one in calls for card in one.cards})
    cards = listed([str(card) for card in used if card in state.discards], "or")
    return f"{name} discarded {thrown}: you may call {cards} ('{calls[0]}'), or 'pass'."


def opening_line(state: rv.State, seat: int) -> str:
    """
    The melds that a seat has to lay first; empty if it has, or if any will do.
    """
    wanted = []
    for one in openings(state, seat):
        worth = f" worth at least {figure(one.points, 'point')}" if one.points else ""
        if one.groups or worth:
            wanted.append(f"{one if one.groups else 'melds'}{worth}")
    return f"First lay {'; '.join(wanted)}, together." if wanted else ""


# -------------------------------------------------------------------------------- hints


def hint(state: rv.State, seat: int) -> str:
    """
    What the careful bot would do, with the points in its favour.
    """
    action = CarefulBot().choose(rv.view(state, seat), random.Random(0))
    why = _why(state, seat, action)
    return f"Hint: {without_melds(action)}{f' ({why})' if why else ''}"


def _why(state: rv.State, seat: int, action: rv.Action) -> str:
    concealed = state.rules.meld.concealed
    hand = state.hands[seat].bits
    match action:
        case (
            rv.actions.Discard(card=card) | rv.actions.Knock(card=rv.Card() as card)
        ) if concealed:
            return f"deadwood {_fewest_without(state, seat, card)}"
        case rv.actions.Discard(card=card):
            worth = state.dealt.terms.worth[card.code]
            return f"{figure(worth, 'point')} fewer in the hand"
        case rv.actions.Take() if concealed:
            terms = state.dealt.terms
            with_it = hand + UNIT[state.discards[-1].code]
            after = min(
                fewest_points(terms, with_it - UNIT[code]) for code in faces(with_it)
            )
            return f"deadwood {after} rather than {fewest_points(terms, hand)}"
        case rv.actions.Take():
            best = rv.arrange(rv.apply(state, action, seat), seat, limit=_TRIED).points
            return f"{figure(best, 'point')} can go down then" if best else ""
    points = points_of(state, seat, action)
    return f"{points:+d} points" if points else ""
