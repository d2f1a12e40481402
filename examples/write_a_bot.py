"""
Two bots of your own, the first in five lines, against one of the library's.

A bot is anything with a method `choose`. It gets a view, which holds only what its seat
has seen, and returns a legal action.
"""

from __future__ import annotations

import random

import attrs

import rummyvariants as rv

from rummyvariants.bots import Bot
from rummyvariants.simulation.summary import summarize


GAMES = 40


class Eager:
    """
    Puts cards on the table whenever it can, and otherwise acts at random.
    """

    def choose(self, view: rv.View, rng: random.Random) -> rv.Action:
        """
        Choose a new meld or a lay-off if there is one.
        """
        lays = (rv.actions.NewMeld, rv.actions.LayOff)
        actions = list(view.legal_actions)
        return max(actions, key=lambda one: (isinstance(one, lays), rng.random()))


@attrs.frozen
class Tidy:
    """
    Lays what it can, keeps cards that go together, and discards high-value ones.

    Attributes:
        depth: The most discards that it takes.
    """

    depth: int = 4

    def choose(self, view: rv.View, rng: random.Random) -> rv.Action:
        """
        Choose the legal action with the highest score; chance plays no part.
        """
        del rng
        return max(view.legal_actions, key=lambda one: self.liking(view, one))

    def liking(self, view: rv.View, action: rv.Action) -> int:
        """
        The bot's score of an action.
        """
        match action:
            case rv.actions.NewMeld() | rv.actions.LayOff() | rv.actions.CallRummy():
                return 1000 + sum(worth(view, one.card) for one in action.cards)
            case rv.actions.Take():
                return 900 if 1 < action.count <= self.depth else 0
            case rv.actions.Draw():
                return 500
            case rv.actions.Discard():
                return worth(view, action.card) - 10 * friends(view.hand, action.card)
            case _:
                return -1000


def worth(view: rv.View, card: rv.Card) -> int:
    """
    The points of a card under the rules of the game.
    """
    return view.world.dealt.terms.worth[card.code]


def friends(hand: rv.Cards, card: rv.Card) -> int:
    """
    How many other cards of a hand may share a meld with a card.
    """
    ranks = "A23456789TJQK"
    if card.is_joker:
        return 9
    return sum(
        other.rank == card.rank
        or (
            other.suit == card.suit
            and abs(ranks.index(other.rank) - ranks.index(card.rank)) <= 2
        )
        for other in hand
        if other != card and not other.is_joker
    )


def main() -> None:
    """
    Play each of them against a random bot, on the same deals from either seat.
    """
    bots: list[Bot] = [Eager(), Tidy()]
    for bot in bots:
        rows = list(
            rv.simulate("rummy-500", [bot, "random"], games=GAMES, seed=1, unit="round")
        )
        assert all(row.status == "finished" for row in rows)
        summary = summarize(rows)
        print(str(summary).partition("\n\nseat")[0], end="\n\n")
        (difference,) = summary.differences
        points = difference.figures.round_points
        assert points is not None
        assert points.mean > 0

    # The same bots also play any other game, and whole matches.
    (row,) = rv.simulate("rummy-5000", [Tidy(), Tidy(2), "random"], games=1)
    assert max(row.scores) >= rv.preset("rummy-5000").match.target
    print(*zip(row.bots, row.scores, strict=True), sep="\n")


if __name__ == "__main__":
    main()
