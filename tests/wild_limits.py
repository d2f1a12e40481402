"""Limits on wilds that no value gives, as house rules may set them."""

from __future__ import annotations

import attrs

import rummyvariants as rv


@rv.house.register_rule("wild", "as many wilds as naturals")
@attrs.frozen
class AsMany(rv.house.HouseRule):
    """
    No more wilds than natural cards.
    """

    def most_wilds(self, naturals: int, kind: str = "") -> int:
        del kind
        return naturals


@rv.house.register_rule("wild", "two wilds at most")
@attrs.frozen
class TwoAtMost(rv.house.HouseRule):
    """
    Two wilds, whatever the natural cards.
    """

    def most_wilds(self, naturals: int, kind: str = "") -> int:
        del naturals, kind
        return 2


@rv.house.register_rule("wild", "one wild beside four")
@attrs.frozen
class OneBesideFour(rv.house.HouseRule):
    """
    One wild, and it stands beside four natural cards or more.
    """

    def most_wilds(self, naturals: int, kind: str = "") -> int:
        del kind
        return int(naturals > 3)


@rv.house.register_rule("wild", "three wilds at most")
@attrs.frozen
class ThreeAtMost(rv.house.HouseRule):
    """
    Three wilds, one of which may stand for itself and have no other card beside it.
    """

    def most_wilds(self, naturals: int, kind: str = "") -> int:
        del naturals, kind
        return 3


@rv.house.register_rule("wild", "one wild in runs, three in sets")
@attrs.frozen
class ByKind(rv.house.HouseRule):
    """
    One wild in a run, and three in a set.
    """

    def most_wilds(self, naturals: int, kind: str = "") -> int:
        del naturals
        return 1 if kind == "run" else 3


NAMES = (
    "as many wilds as naturals",
    "two wilds at most",
    "one wild beside four",
    "three wilds at most",
    "one wild in runs, three in sets",
)
