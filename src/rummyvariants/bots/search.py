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

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import attrs

from rummyvariants import State, View, determinize
from rummyvariants._support.arguments import explained
from rummyvariants.actions import Action, Take
from rummyvariants.bots.base import Bot, deciding
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
        others = map(Candidate, choices[1:])
        return best_of(view, choices[0], others, self.playouts, rng)


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


@attrs.frozen
class Candidate:
    """
    A choice, and what is known of it before it is tried out.

    Attributes:
        action: The choice.
        gain: By how many points it is expected to do better than the first choice.
        spread: The standard deviation of what it really gains about that; None if
            nothing is known.
    """

    action: Action
    gain: float = 0.0
    spread: float | None = None


def best_of(
    view: View,
    first: Action,
    others: Iterable[Candidate],
    playouts: int,
    rng: random.Random,
    believe: Bot | None = None,
    player: Player = careful,
) -> Action:
    """
    The choice that does best, by sequential halving.

    The first choice stays to the end, and loses only to one that does better by more
    than the standard error: where choices differ little, chance would decide.

    Args:
        view: What the seat knows.
        first: The first choice.
        others: The others.
        playouts: How many rounds may be played out.
        rng: The source of chance.
        believe: As whom the other seats are taken to have played; see `determinize`.
        player: Who plays the rounds out.
    """
    seat = view.seat or 0
    rivals = [Tried(one) for one in others]
    stages = len(rivals).bit_length()
    for _ in range(stages):
        # All remaining choices are tried in the same worlds, so that luck cancels.
        for _ in range(max(2, playouts // (stages * (len(rivals) + 1)))):
            world = determinize(view, rng, believe)
            usual = lead_after(world, first, seat, player)
            for rival in rivals:
                after = lead_after(world, rival.action, seat, player)
                rival.note(after - usual)
        rivals.sort(key=lambda rival: -rival.mean)
        del rivals[(len(rivals) + 1) // 2 :]
    if rivals and rivals[0].mean > rivals[0].error:
        return rivals[0].action
    return first


class Tried:
    """
    A choice, and by how much it did better than the first choice in some worlds.
    """

    def __init__(self, known: Candidate) -> None:
        self.action = known.action
        self._known = known
        self._leads: list[float] = []

    def note(self, lead: float) -> None:
        """
        Note by how much it did better in one more world.
        """
        self._leads.append(lead)

    @property
    def mean(self) -> float:
        """
        The mean lead, drawn towards the gain that was expected.
        """
        expected = self._known.gain
        return expected + self._trust * (statistics.fmean(self._leads) - expected)

    @property
    def error(self) -> float:
        """
        The standard error of the mean.
        """
        return self._sampling * math.sqrt(self._trust)

    @property
    def _trust(self) -> float:
        """
        What the playouts weigh, compared with all that is known.
        """
        if self._known.spread is None:
            return 1.0
        known = self._known.spread**2
        return known / (known + self._sampling**2)

    @property
    def _sampling(self) -> float:
        """
        The standard error of the playouts alone.
        """
        return statistics.stdev(self._leads) / math.sqrt(len(self._leads))


def lead_after(
    world: State, action: Action, seat: int, player: Player = careful
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
