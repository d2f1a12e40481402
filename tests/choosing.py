"""
Whether what is legal can be chosen step by step.
"""

from __future__ import annotations

import itertools
import random

from collections import Counter

import rummyvariants as rv

from rummyvariants.game.verbs._known import VERBS


def path_to(chooser: rv.game.Chooser, action: rv.Action) -> rv.game.Chooser | None:
    """
    The chooser on which an action was chosen.
    """
    if chooser.is_complete:
        return chooser if chooser.action == action else None
    for choice in chooser.choices:
        if _may_lead(chooser, choice, action):
            found = path_to(chooser.choose(choice), action)
            if found is not None:
                return found
    return None


def _may_lead(
    chooser: rv.game.Chooser, choice: rv.game.Choice, action: rv.Action
) -> bool:
    laid = getattr(action, "cards", ())
    played = [] if isinstance(laid, int) else list(laid)
    match choice.kind:
        case "seat":
            return choice.number == action.seat
        case "verb":
            return choice.text == VERBS[type(action)].name_of(action)
        case "on" if choice.number is not None:
            return choice.number == getattr(action, "meld", None)
        case "on" if choice.text == "new meld":
            return getattr(action, "meld", -1) is None
        case "number":
            return choice.text in str(action).split()
        case "wild":
            return any(
                str(one.stands_for) == str(choice.card) and one.card != choice.card
                for one in played
            )
        case "card" | "beside" if played:
            cards = Counter(str(one.card) for one in played)
            taken = Counter(
                str(one.card)
                for one in (*chooser.taken, choice)
                if one.kind in {"card", "beside"}
            )
            return taken <= cards
        case "card":
            return choice.card == getattr(action, "card", None)
        case "melds" if isinstance(action, rv.actions.NewMelds):
            return choice.text in str(action)
    return True


SOME = 12
"""How many of the actions are looked for, of those listed and of those sampled."""


def look_at_some(state: rv.State, chance: random.Random) -> None:
    """
    Assert that some of what is legal can be chosen, and that any choice ends legal.
    """
    moves = rv.legal_actions(state)
    some = set(itertools.islice(moves, SOME))
    some |= {moves.sample(chance.randrange) for _ in range(SOME)}
    start = rv.chooser(state)
    for action in some:
        assert path_to(start, action) is not None, f"{action} cannot be chosen"
    for _ in range(3):
        chooser = start
        while not chooser.is_complete:
            assert 0 < len(chooser.choices) <= rv.game.MOST_CHOICES, (
                f"a dead end: {chooser}"
            )
            chooser = chooser.choose(chance.choice(chooser.choices))
        assert chooser.action in moves
