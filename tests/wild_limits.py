"""Limits on wilds that no value gives, as third parties may set them."""

from __future__ import annotations

import attrs

from rummyvariants.policies import register_policy
from rummyvariants.policies.wild import WildPolicy


@register_policy("as many wilds as naturals")
@attrs.frozen
class AsMany(WildPolicy):
    """
    No more wilds than natural cards.
    """

    def most_beside(self, naturals: int) -> int:
        return naturals


@register_policy("two wilds at most")
@attrs.frozen
class TwoAtMost(WildPolicy):
    """
    Two wilds, whatever the natural cards.
    """

    def most_beside(self, naturals: int) -> int:
        del naturals
        return 2


@register_policy("one wild beside four")
@attrs.frozen
class OneBesideFour(WildPolicy):
    """
    One wild, and it stands beside four natural cards or more.
    """

    def most_beside(self, naturals: int) -> int:
        return int(naturals > 3)


@register_policy("three wilds at most")
@attrs.frozen
class ThreeAtMost(WildPolicy):
    """
    Three wilds, one of which may stand for itself and have no other card beside it.
    """

    def most_beside(self, naturals: int) -> int:
        del naturals
        return 3


@register_policy("one wild in runs, three in sets")
@attrs.frozen
class ByKind(WildPolicy):
    """
    One wild in a run, and three in a set.
    """

    def most_beside(self, naturals: int, kind: str) -> int:
        del naturals
        return 1 if kind == "run" else 3


NAMES = (
    "as many wilds as naturals",
    "two wilds at most",
    "one wild beside four",
    "three wilds at most",
    "one wild in runs, three in sets",
)
