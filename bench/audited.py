"""
What an audit compares a bot's choices with: choices of all kinds, in any game.
"""

from __future__ import annotations

import itertools
import random

from collections.abc import Collection, Iterator
from typing import ClassVar

import attrs

import rummyvariants as rv

from rummyvariants.bots import bot
from rummyvariants.bots.advantages import Rival
from rummyvariants.bots.heuristic import preferred
from rummyvariants.bots.outlook import Outlook
from rummyvariants.bots.search import Player
from rummyvariants.cards import size
from rummyvariants.game._engine.game import is_legal
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._moves import sample
from rummyvariants.game._state import freeze, stock_left, thaw


LIKELY = 6
"""How many choices that the careful bot considers are rivals."""
LOOKED_AT = 40
"""How many of its candidates are tried in order to find them."""
RANDOM = 2
"""How many rivals are chosen at random."""


def by_views(name: str) -> Player:
    """
    A bot as a player of states and drafts; its chance comes from the turn.
    """
    found = bot(name)

    def player(state: AnyState, seat: int) -> rv.Action:
        before = freeze(thaw(state))
        seen = rv.view(before, seat)
        rng = random.Random(f"{seat}/{state.turns}/{seen.hand}")
        chosen = found.choose(seen, rng)
        return (
            rv.game.parse_action(chosen, before, seat)
            if isinstance(chosen, str)
            else chosen
        )

    return player


@attrs.frozen
class Anything:
    """
    Any game, and rivals of all kinds: likely ones, and some at random.
    """

    name: ClassVar[str] = "anything"

    def conditions(self, rules: rv.Ruleset, players: int) -> str | None:
        """
        Any game will do.
        """
        del rules, players
        return ""

    def rivals(
        self, state: AnyState, seat: int, base: rv.Action, kinds: Collection[str]
    ) -> Iterator[Rival]:
        """
        Other choices than the base one.
        """
        del kinds
        likely = itertools.islice(preferred(state, seat), LOOKED_AT)
        found: list[rv.Action] = []
        for action in likely:
            if action != base and action not in found and is_legal(state, action):
                found.append(action)
                if len(found) == LIKELY:
                    break
        rng = random.Random(f"{seat}/{state.turns}/{state._hands[seat]}")
        for _ in range(RANDOM):
            action = sample(state, (seat,), rng.randrange)
            if action != base and action not in found:
                found.append(action)
        turn = min(12, state.turns[seat]) / 10
        features = {
            "one": 1.0,
            "turn": turn,
            "stock": stock_left(state) / 10,
            "fewest": _fewest(state, seat) / 10,
        }
        known = _of(state, seat, base) if found else {}
        for action in found:
            for name, value in _of(state, seat, action).items():
                features[name] = value - known[name]
                features[f"late {name}"] = features[name] * turn
            yield Rival(action, _kind(state, seat, base, action), {**features})


def _kind(state: AnyState, seat: int, base: rv.Action, rival: rv.Action) -> str:
    """
    What a deviation is called.
    """
    names = type(base).__name__.lower(), type(rival).__name__.lower()
    turn = state.turns[seat]
    when = "1 to 3" if turn < 3 else "4 to 6" if turn < 6 else "7 and later"
    what = (
        f"another {names[0]}" if names[0] == names[1] else f"{names[1]}, not {names[0]}"
    )
    return f"{what}, turns {when}"


def _of(state: AnyState, seat: int, action: rv.Action) -> dict[str, float]:
    """
    What an action does, as far as the seat sees it: the cards laid, discarded, taken.
    """
    worth = state.dealt.terms.worth
    outlook = Outlook(state, seat)
    hand = state._hands[seat]
    laid = taken = points = kept = gift = thrown = 0.0
    match action:
        case rv.actions.NewMeld() | rv.actions.LayOff() | rv.actions.CallRummy():
            laid = sum(worth[one.card.code] for one in action.cards)
        case rv.actions.NewMelds():
            laid = sum(worth[one.card.code] for meld in action.melds for one in meld)
        case rv.actions.Take(count=count):
            top = state._discards[-count:]
            taken, points = float(len(top)), float(sum(worth[code] for code in top))
        case rv.actions.Discard(card=card):
            thrown = float(worth[card.code])
            kept = outlook.melds(hand, card.code) * thrown
            gift = outlook.serves_next(card.code) * thrown
        case _:
            pass
    return {
        "laid": laid / 10,
        "taken": taken,
        "points": points / 10,
        "thrown": thrown / 10,
        "kept": kept / 10,
        "gift": gift / 10,
    }


def _fewest(state: AnyState, seat: int) -> int:
    """
    The fewest cards of another hand.
    """
    hands = state._hands
    return min(size(hand) for other, hand in enumerate(hands) if other != seat)
