"""
A bot that tries out its choices in worlds that agree with what it knows.

The method is that of perfect-information Monte Carlo sampling, as in Ginsberg, "GIB:
Imperfect Information in a Computationally Challenging Game", Journal of Artificial
Intelligence Research 14 (2001): deal the unseen cards at random, see what each choice
leads to, and take the one that does best on average. A world is not solved: the careful
bot plays it to the end of the round, as in Tesauro and Galperin, "On-line Policy
Improvement using Monte-Carlo Search" (1996). Sequential halving (Karnin, Koren and
Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", 2013) decides how many
worlds each choice gets: all get some, then the better half gets more, until one is
left.
"""

from __future__ import annotations

import itertools
import math
import random
import statistics

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import attrs

from rummyvariants import State, View, determinize
from rummyvariants._support.arguments import explained
from rummyvariants.actions import Action, Take
from rummyvariants.bots.base import deciding
from rummyvariants.bots.heuristic import careful, preferred
from rummyvariants.bots.names import at_least
from rummyvariants.game._engine.draws import Takes
from rummyvariants.game._engine.game import do_known, is_legal
from rummyvariants.game._engine.plays import AnyState, PlayAction
from rummyvariants.game._moves import leaves_of
from rummyvariants.game._round import BETWEEN_ROUNDS
from rummyvariants.game._state import Draft, seats_of, side_of, sides_of, thaw, to_act


_CHOICES: Final = 6
"""How many choices are compared."""
_LOOKED_AT: Final = 40
"""How many actions are tried in order to find that many legal ones."""


Player = Callable[[AnyState, int], Action]
"""What a seat does in a state, or a draft of one, in which it may act."""


@attrs.frozen
class SearchBot:
    """
    Plays out its choices in random worlds and takes the one that does best.

    It maximizes its points for the round less the mean of the others' points. It lays
    what the careful bot lays, and tries out what to draw, what to discard and whether
    to call. Where melds stay in the hand it plays as the careful bot does.

    Attributes:
        playouts: How many rounds it plays out for a decision.

    >>> import random
    >>> view = rv.view(rv.apply(rv.new_game("rummy-500", 2, seed=3), "draw"), 0)
    >>> str(rv.bots.SearchBot(playouts=4).choose(view, random.Random(1)))
    'discard 4d'
    """

    playouts: int = attrs.field(default=150, validator=at_least(1))

    @explained
    def choose(self, view: View, rng: random.Random) -> Action:
        """
        Choose the action that does best; see `Bot`.
        """
        choices = _choices(view.world, deciding(view.world, view.seat))
        return _best_of(view, choices, self.playouts, rng)


def _choices(world: State, seat: int) -> list[Action]:
    """
    Some legal actions, the careful bot's own choice first.
    """
    found: list[Action] = []
    # Where melds stay in the hand, a hand dealt at random is far worse than one that a
    # player has collected, so playouts against it mislead.
    alone = world.rules.meld.concealed or world.phase in {"rejoin", "answer"}
    most = 1 if alone else _CHOICES
    for action in itertools.islice(_likely(world, seat), _LOOKED_AT):
        if action not in found and is_legal(world, action):
            found.append(action)
            if len(found) == most or isinstance(action, PlayAction):
                break  # lay without a trial
    return found or [next(leaves_of(world, seat))[0]]


def _likely(world: State, seat: int) -> Iterator[Action]:
    """
    Actions that may be worth trying, the careful bot's own choice first.
    """
    yield from preferred(world, seat)
    if world.phase == "draw":
        for count in Takes(world, seat).numbers():
            yield Take(count, seat)


def _best_of(
    view: View, choices: Sequence[Action], playouts: int, rng: random.Random
) -> Action:
    """
    The choice that does best, by sequential halving.

    The first choice stays to the end, and loses only to one that does better by more
    than the standard error: where choices differ little, chance would decide.

    Args:
        view: What the seat knows.
        choices: The choices.
        playouts: How many rounds may be played out.
        rng: The source of chance.
    """
    seat, first = view.seat or 0, choices[0]
    leads: dict[Action, list[float]] = {one: [] for one in choices[1:]}
    stages = len(leads).bit_length()
    for _ in range(stages):
        # All remaining choices are tried in the same worlds, so that luck cancels.
        for _ in range(max(2, playouts // (stages * (len(leads) + 1)))):
            world = determinize(view, rng)
            usual = lead_after(world, first, seat)
            for rival, found in leads.items():
                found.append(lead_after(world, rival, seat) - usual)
        best_first = sorted(leads.items(), key=lambda one: -statistics.fmean(one[1]))
        leads = dict(best_first[: (len(leads) + 1) // 2])
    for rival, found in leads.items():
        error = statistics.stdev(found) / math.sqrt(len(found))
        if statistics.fmean(found) > error:
            return rival
    return first


def lead_after(
    world: AnyState, action: Action, seat: int, player: Player = careful
) -> float:
    """
    By how much a seat does better than the others in the round after an action.
    """
    draft = thaw(world)
    do_known(draft, action)
    play_round(draft, player)
    return margin(draft, seat)


def margin(draft: Draft, seat: int) -> float:
    """
    By how much a seat did better than the others in a round that is over.
    """
    if draft.match.thrown_in or draft.result is None:
        return 0.0  # the deck was too small for the chosen hand size
    points = draft.result.points
    own = sum(points[one] for one in seats_of(side_of(draft, seat)))
    lead = own - (sum(points) - own) / (len(sides_of(draft)) - 1)
    return -lead if draft.match.rules.match.lowest_wins else lead


def play_round(draft: Draft, player: Player = careful) -> None:
    """
    Play on until the round is over, as the careful bot does or as another player.
    """
    while draft.phase not in BETWEEN_ROUNDS:
        seat = to_act(draft)[0]
        do_known(draft, player(draft, seat))
