"""
What a rival of a base choice gains, as learned from rounds played both ways.

A *family* is a kind of game, recognised by what its rules answer. It names rivals of
the base choice, each with a few *features*: numbers that the seat can work out from
what it sees. A *term* is a feature, or the product of two, such as ``points * early``.
The gain of a rival is a weighted sum of terms. ``data/advantages.json`` says which
terms count, and ``bench/train.py`` learns their weights.
"""

from __future__ import annotations

import functools
import json

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, Protocol

import attrs

from rummyvariants._support.packaged import packaged_text
from rummyvariants.actions import Action
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.rules import Ruleset


FILE: Final = "advantages.json"
Features = Mapping[str, float]
"""Features by name; one that is not named is 0."""


@attrs.frozen
class Rival:
    """
    A choice that may be better than the base choice.

    Attributes:
        action: The choice.
        kind: The kind of deviation, which has weights of its own.
        features: Its features.
        usual: Those of the base choice.
    """

    action: Action
    kind: str
    features: Features
    usual: Features = attrs.field(factory=dict)

    def more(self, terms: Iterable[str]) -> list[float]:
        """
        By how much each term is larger than for the base choice.
        """
        mine, its = self.features.get, self.usual.get
        return [
            mine(one, 0.0) * mine(other, 0.0) - its(one, 0.0) * its(other, 0.0)
            for one, other in map(_factors, terms)
        ]


@functools.cache
def _factors(term: str) -> tuple[str, str]:
    """
    The two features of a term; one alone is multiplied by a feature that is 1.
    """
    one, _, other = term.partition(" * ")
    return one, other or "one"


class Family(Protocol):
    """
    A kind of game, with the deviations from the base choice that may pay in it.
    """

    @property
    def name(self) -> str:
        """
        Its name in the data file.
        """

    def conditions(self, rules: Ruleset, players: int) -> str | None:
        """
        What the worth of a deviation depends on; None for a game of another kind.

        Weights are used only under conditions that they were learned under.
        """

    def rivals(
        self, state: AnyState, seat: int, base: Action, kinds: Collection[str]
    ) -> Iterator[Rival]:
        """
        The rivals of a base choice; some may be illegal.

        Args:
            state: A state in which the seat may act; only what it may see is used.
            seat: Who acts.
            base: What the base player would do.
            kinds: The kinds of deviation that are wanted; others may be left out.
        """


@attrs.frozen
class Kind:
    """
    What has been learned of a kind of deviation.

    Attributes:
        weights: The points that each term is worth.
        margin: The least predicted gain with which the deviation is chosen.
        spread: By how many points gains differ from the predicted ones (a standard
            deviation), if playouts are to find out more; None if they are not.
    """

    weights: Mapping[str, float]
    margin: float
    spread: float | None = None

    def gain(self, rival: Rival) -> float:
        """
        The predicted gain in points of the round.
        """
        pairs = zip(self.weights.values(), rival.more(self.weights), strict=True)
        return sum([weight * more for weight, more in pairs])


@attrs.frozen
class Learned:
    """
    What has been learned of a family.

    Attributes:
        family: The family.
        kinds: By kind of deviation, what has been learned; other kinds are not chosen.
        conditions: The conditions that it was learned under.
        playouts: How many rounds a decision may play out, at most; none if what was
            learned decides alone.
        believes: Whether these rounds are played with hands such as the careful bot
            would hold, and not with hands at random.
        whole_turns: Whether the seat that decides lays whole turns in these rounds,
            where it holds a wild; otherwise every seat plays as the careful bot does.
        turns: How many turns a seat has had in a round before it plays rounds out.
    """

    family: Family
    kinds: Mapping[str, Kind]
    conditions: tuple[str, ...]
    playouts: int = 0
    believes: bool = False
    whole_turns: bool = False
    turns: int = 0

    def holds(self, rules: Ruleset, players: int) -> bool:
        """
        Whether it was learned under the conditions of a game.
        """
        found = self.family.conditions(rules, players)
        return found is not None and found in self.conditions

    def rated(self, state: AnyState, seat: int, base: Action) -> list[Rated]:
        """
        The rivals of a base choice with their predicted gains, the best first.

        Some may be illegal.
        """
        found = []
        for rival in self.family.rivals(state, seat, base, self.kinds):
            kind = self.kinds.get(rival.kind)
            if kind is not None:
                found.append(Rated(rival.action, kind.gain(rival), kind))
        return sorted(found, key=lambda one: one.kind.margin - one.gain)


@attrs.frozen
class Rated:
    """
    A rival with its predicted gain.

    Attributes:
        action: The choice.
        gain: The predicted gain in points of the round.
        kind: What has been learned of its kind.
    """

    action: Action
    gain: float
    kind: Kind

    @property
    def is_better(self) -> bool:
        """
        Whether the gain is above the margin.
        """
        return self.gain > self.kind.margin


@functools.cache
def packaged(families: tuple[Family, ...]) -> tuple[Learned, ...]:
    """
    What the library's data file says has been learned of some families.

    It has an object for each family, with the attributes of `Learned` and of `Kind`.
    """
    known = {family.name: family for family in families}
    return tuple(
        [
            Learned(
                known[name],
                **{
                    **given,
                    "conditions": tuple(given["conditions"]),
                    "kinds": {
                        kind: Kind(**has) for kind, has in given["kinds"].items()
                    },
                },
            )
            for name, given in json.loads(packaged_text("data", FILE)).items()
        ]
    )
