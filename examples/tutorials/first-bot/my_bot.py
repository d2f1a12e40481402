"""
Two bots: one that lays what it can, and one that thinks about its discards as well.
"""

from __future__ import annotations

import random

import rummyvariants as rv


class Eager:
    """
    Lays cards down whenever it can, and does anything else at random.
    """

    def choose(self, view: rv.View, rng: random.Random) -> rv.Action:
        """
        A legal action: a meld, a lay-off or a call if there is one.
        """
        actions = list(view.legal_actions)
        plays = [
            one
            for one in actions
            if isinstance(
                one, rv.actions.NewMeld | rv.actions.LayOff | rv.actions.CallRummy
            )
        ]
        return rng.choice(plays or actions)


class Tidy(Eager):
    """
    Lays like Eager, and discards a card that goes with few others.
    """

    def choose(self, view: rv.View, rng: random.Random) -> rv.Action:
        """
        A legal action: if Eager wants to discard, the loneliest card that may go.
        """
        action = super().choose(view, rng)
        if not isinstance(action, rv.actions.Discard):
            return action
        discards = [
            one for one in view.legal_actions if isinstance(one, rv.actions.Discard)
        ]
        return min(discards, key=lambda one: friends(one.card, view.hand))


def friends(card: rv.Card, hand: rv.Cards) -> int:
    """
    How many cards of a hand have the rank of a card, or its suit and a rank nearby.
    """
    if card.is_joker:
        return len(hand)
    ranks = "A23456789TJQK"
    return sum(
        other.is_joker
        or other.rank == card.rank
        or (
            other.suit == card.suit
            and abs(ranks.index(other.rank) - ranks.index(card.rank)) <= 2
        )
        for other in hand
        if other != card
    )
