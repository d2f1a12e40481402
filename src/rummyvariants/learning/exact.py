"""
Exact values of small games for two: equilibria and best responses.

The round is laid out once as a tree, chance card by card. CFR+ then approaches an
equilibrium, and a best response says how far from one a way to play is. A deck of some
eight cards gives trees of ten to a hundred thousand nodes.

CFR+ is that of Tammelin, "Solving Large Imperfect Information Games Using CFR+", 2014,
with alternating updates and linear averages.
"""

from __future__ import annotations

import functools
import operator
import random

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import attrs

from rummyvariants import State, View, legal_actions, view
from rummyvariants.actions import Action
from rummyvariants.errors import RummyError, shown
from rummyvariants.game._round import BETWEEN_ROUNDS
from rummyvariants.learning.chance import Moment, begin_open
from rummyvariants.policies.base import is_whole
from rummyvariants.rules import Ruleset, preset


MOST_NODES: Final = 1_000_000
"""The most nodes of a tree, if nothing else is said."""

CHANCE: Final = -1
"""In place of a seat: chance decides."""
END: Final = -2
"""In place of a seat: the round is over."""

Policy = Sequence[Sequence[float]]
"""How somebody plays: by information set, how likely each of its actions is."""


class TreeError(RummyError, ValueError):
    """
    A game that cannot be laid out as a tree.
    """


@attrs.frozen(eq=False)
class InformationSet:
    """
    What a seat has seen where it decides; it cannot tell apart states that agree in it.

    Attributes:
        seat: The seat.
        view: What it sees, in one of these states.
        actions: What it may do in each of them.
        nodes: The nodes of the tree that belong to it.
    """

    seat: int
    view: View = attrs.field(repr=False)
    actions: tuple[Action, ...]
    nodes: list[int] = attrs.field(factory=list, repr=False)


@attrs.frozen(eq=False, repr=False)
class Tree:
    """
    A round for two as a tree; each node comes before those that it leads to.

    Attributes:
        seats: By node, who decides: a seat, `CHANCE`, or `END`.
        children: By node, the nodes that it leads to, one for each action or outcome.
        odds: By node of chance, how likely each outcome is; empty for other nodes.
        points: By node, the points by which seat 0 leads at the end; 0 for other nodes.
        sets: The information sets.
        belongs: By node, the number of its information set; -1 where no seat decides.
    """

    seats: list[int]
    children: list[list[int]]
    odds: list[tuple[float, ...]]
    points: list[float]
    sets: list[InformationSet]
    belongs: list[int]

    def uniform(self) -> list[tuple[float, ...]]:
        """
        The policy by which all actions are equally likely.
        """
        return [(1 / len(one.actions),) * len(one.actions) for one in self.sets]

    def policy(
        self,
        choose: Callable[[View, random.Random], Action | str],
        seed: int = 0,
        times: int = 1,
    ) -> list[tuple[float, ...]]:
        """
        The policy of a bot: how often it chooses what in each information set.

        Args:
            choose: Its method ``choose``.
            seed: The seed of its random decisions.
            times: How often it is asked in each information set. Once is enough unless
                it leaves something to chance.

        Raises:
            TreeError: If it chooses an action that is not legal, or is never asked.
        """
        if not is_whole(times, 1):
            msg = f"a bot cannot be asked {shown(times)} times: give a whole number"
            raise TreeError(msg)
        found = []
        for number, one in enumerate(self.sets):
            rng = random.Random(f"{seed}/{number}")
            chosen = Counter(str(choose(one.view, rng)) for _ in range(times))
            texts = [str(action) for action in one.actions]
            for text in chosen:
                if text not in texts:
                    msg = f"'{text}' is not legal: one of {', '.join(texts)} is"
                    raise TreeError(msg)
            found.append(tuple([chosen[text] / times for text in texts]))
        return found

    def value(self, policy: Policy) -> float:
        """
        The points by which seat 0 leads on average if both seats play so.
        """
        reach = self._reach(policy, 0, 1, CHANCE)
        return float(sum(map(operator.mul, reach, self.points)))

    def best_response(self, seat: int, policy: Policy) -> float:
        """
        The most points by which a seat can lead on average.

        Args:
            seat: The seat.
            policy: How the other seat plays.
        """
        reach = self._reach(policy, 1 - seat, CHANCE)
        sign = 1 - 2 * seat

        @functools.cache
        def best(number: int) -> int:
            one = self.sets[number]
            totals = [0.0] * len(one.actions)
            for node in one.nodes:
                for at, child in enumerate(self.children[node]):
                    totals[at] += reach[node] * value(child)
            return totals.index(max(totals))

        @functools.cache
        def value(node: int) -> float:
            children = self.children[node]
            if not children:
                return sign * self.points[node]
            if self.seats[node] == seat:
                return value(children[best(self.belongs[node])])
            odds = self.odds[node] or policy[self.belongs[node]]
            return float(sum(map(operator.mul, odds, map(value, children))))

        return value(0)

    def exploitability(self, policy: Policy) -> float:
        """
        How many points a best response wins against a policy, on average over seats.

        It is 0 in an equilibrium, and OpenSpiel's ``exploitability`` is the same.
        """
        return (self.best_response(0, policy) + self.best_response(1, policy)) / 2

    def solve(self, iterations: int) -> list[tuple[float, ...]]:
        """
        Approach an equilibrium.

        Args:
            iterations: How often both seats improve; the exploitability falls about
                with their number, or faster.

        Returns:
            The average policy.
        """
        regrets = [[0.0] * len(one.actions) for one in self.sets]
        totals = [[0.0] * len(one.actions) for one in self.sets]
        current = self.uniform()
        for iteration in range(1, iterations + 1):
            for seat in (0, 1):
                self._improve(seat, iteration, current, regrets, totals)
        return [_shares(one) for one in totals]

    def _improve(
        self,
        seat: int,
        weight: int,
        current: list[tuple[float, ...]],
        regrets: list[list[float]],
        totals: list[list[float]],
    ) -> None:
        """
        Let one seat improve its part of the current policy.
        """
        reach = self._reach(current, 1 - seat, CHANCE)
        own = self._reach(current, seat)
        sign = 1 - 2 * seat
        values = [sign * points for points in self.points]
        met = set()
        for node in range(len(values) - 1, -1, -1):
            children = self.children[node]
            if not children:
                continue
            below = [values[child] for child in children]
            number = self.belongs[node]
            odds = self.odds[node] or current[number]
            value = values[node] = sum(map(operator.mul, odds, below))
            if self.seats[node] == seat:
                met.add(number)
                counts, regret = totals[number], regrets[number]
                for at, one in enumerate(below):
                    regret[at] += reach[node] * (one - value)
                    counts[at] += weight * own[node] * odds[at]
        for number in met:
            regrets[number] = [max(0.0, one) for one in regrets[number]]
            current[number] = _shares(regrets[number])

    def _reach(self, policy: Policy, *counted: int) -> list[float]:
        """
        By node, the product of what is likely on the way, where certain others decide.

        Args:
            policy: How the seats play.
            counted: The seats that count, or `CHANCE`.
        """
        reach = [1.0] * len(self.points)
        for node, children in enumerate(self.children):
            odds: Sequence[float] = (1.0,) * len(children)
            if self.seats[node] in counted:
                odds = self.odds[node] or policy[self.belongs[node]]
            for child, odd in zip(children, odds, strict=True):
                reach[child] = reach[node] * odd
        return reach


def lay_out(
    rules: Ruleset | str,
    *,
    dealer: int | None = 0,
    most: int = MOST_NODES,
) -> Tree:
    """
    Lay out the first round of a game for two as a tree.

    Seats that may act at the same time decide one after the other, and the later one
    sees what the earlier one did only as far as the game shows it.

    Args:
        rules: The rules, or the name of a preset; the deck has to be tiny.
        dealer: The seat that deals; None if chance decides.
        most: The most nodes.

    Raises:
        RulesError: If two cannot play by these rules.
        TreeError: If there are more nodes; or if a seat that cannot tell two states
            apart may do different things in them, which no rules should allow.
    """
    if isinstance(rules, str):
        rules = preset(rules)
    tree = Tree([], [], [], [], [], [])
    numbers: dict[object, int] = {}
    sign = -1 if rules.match.lowest_wins else 1
    waiting = [(begin_open(rules, 2, dealer=dealer), -1)]
    while waiting:
        moment, before = waiting.pop()
        node = len(tree.points)
        if node >= most:
            msg = f"the tree has more than {most:,} nodes; a smaller deck is needed"
            raise TreeError(msg)
        if before >= 0:
            tree.children[before].append(node)
        state = moment.state
        after: list[Moment] = []
        number, seat, points = -1, END, 0.0
        odds: tuple[float, ...] = ()
        if moment.is_chance and not _is_end(moment):
            seat = CHANCE
            odds = tuple([float(one.probability) for one in moment.outcomes])
            after = [moment.after(one) for one in moment.outcomes]
        elif not _is_end(moment):
            seat = min(state.to_act, key=lambda one: (one - state.turn) % 2)
            number = _set_of(tree, numbers, state, seat)
            tree.sets[number].nodes.append(node)
            after = [moment.act(action) for action in tree.sets[number].actions]
        elif state.result is not None:
            first, second = state.result.points
            points = float(sign * (first - second))
        tree.seats.append(seat)
        tree.children.append([])
        tree.odds.append(odds)
        tree.points.append(points)
        tree.belongs.append(number)
        waiting += [(one, node) for one in reversed(after)]
    return tree


def _is_end(moment: Moment) -> bool:
    """
    Whether the round is over: scored, or thrown in since the deck was too small.
    """
    state = moment.state
    if moment.waiting is not None:
        return False
    if state.phase == "deal":
        return state.result is not None or state.match.thrown_in > 0
    return state.phase in BETWEEN_ROUNDS


def _set_of(tree: Tree, numbers: dict[object, int], state: State, seat: int) -> int:
    """
    The number of the information set of a state.
    """
    seen = view(state, seat)
    number = numbers.setdefault((seat, seen.information_state()), len(tree.sets))
    actions = tuple(legal_actions(state, seat))
    if number == len(tree.sets):
        tree.sets.append(InformationSet(seat, seen, actions))
    elif tree.sets[number].actions != actions:
        both = tree.sets[number].actions, actions
        may = " or ".join([", ".join(map(str, one)) for one in both])
        msg = f"seat {seat} sees the same and may do either {may}"
        raise TreeError(msg)
    return number


def _shares(amounts: Sequence[float]) -> tuple[float, ...]:
    """
    Amounts as shares of their sum; equal shares of nothing.
    """
    total = sum(amounts)
    if total <= 0:
        return (1 / len(amounts),) * len(amounts)
    return tuple([one / total for one in amounts])
