"""
What house rules declare about policy values: those they take over, and those they need.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from rummyvariants.errors import nearest, shown


POLICIES: Final[dict[str, Any]] = {}
"""The policies of the library by section, which know what values there are."""
IN_PLACE: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "values": ("deal.hand_size", "deal.for_two", "deal.by_round"),
        "wild_rank": ("wild.indicator",),
        "winners": (
            *("match.target", "match.ends", "match.winner", "match.rounds"),
            "match.tie",
        ),
    }
)
"""Questions whose answers come in place of policy values of the engine's own."""
ASKED_WITH: Final[Mapping[str, Mapping[str, object]]] = MappingProxyType(
    {
        "may_knock": {"meld.shown": {"at the knock", "at the declaration"}},
        "most_melds": {"meld.shown": "in turn"},
    }
)
"""What a rule needs that answers no other question than these."""
_STAND: Final = frozenset({"match.players", "score.points"})
"""Values that no answer of a rule takes the place of, beside those of the deck."""
_TUPLE: Final = "give a tuple of policy values, such as ('deal.hand_size',)"
_MAPPING: Final = (
    "give policy values with what they must be: {'draw.take': 'any number'}"
)


def wrong_claims(
    what: str, replaces: object, needs: object, questions: Collection[str]
) -> Iterator[str]:
    """
    Why a class of house rules may not declare what it does.

    Args:
        what: The name of the class.
        replaces: The policy values that it says to take over.
        needs: The policy values that it says to need.
        questions: The questions that it answers.
    """
    if not isinstance(replaces, tuple):
        yield f"{what}.replaces is {shown(replaces)}: {_TUPLE}"
        replaces = ()
    for path in replaces:
        if wrong := _wrong_path(path):
            yield f"{what}.replaces: {wrong}"
        elif path in _STAND or path.startswith("deck."):
            yield f"{what}.replaces: no answer of a rule takes the place of {path}"
        for question, paths in IN_PLACE.items():
            if path in paths and question not in questions:
                yield f"{what} replaces {path}, so it has to answer {question!r}"
    if not isinstance(needs, Mapping):
        yield f"{what}.needs is {shown(needs)}: {_MAPPING}"
        return
    for paths, wanted in needs.items():
        for path in one_or_more(paths):
            if wrong := _wrong_path(path):
                yield f"{what}.needs: {wrong}"
            elif path in replaces:
                yield f"{what} replaces {path}, so it cannot need it"
            else:
                try:
                    wanted_of(path, wanted)
                except ValueError as error:
                    yield f"{what}.needs: {path}: {error}"


def _wrong_path(path: object) -> str:
    """
    Why something names no policy value; empty if it names one.
    """
    known = [
        f"{section}.{name}"
        for section, policy in POLICIES.items()
        for name in policy.values()
        if name != "rules"
    ]
    if path in known:
        return ""
    return f"there is no policy value {shown(path)}{nearest(path, known)}"


def one_or_more(given: object) -> tuple[Any, ...]:
    """
    What is given in a tuple or a set, or else the one thing that is given.
    """
    if isinstance(given, tuple | set | frozenset):
        return tuple(given)
    return (given,)


def default_of(path: str) -> Any:
    """
    A policy value as it is by default.
    """
    section, _, name = path.partition(".")
    return POLICIES[section].values()[name].default


def wanted_of(path: str, wanted: object) -> tuple[Any, ...] | None:
    """
    The values with which a need is met; None for all but the default.

    Raises:
        ValueError: If the policy value does not accept one of them.
    """
    if wanted is ...:
        return None
    section, _, name = path.partition(".")
    return tuple([POLICIES[section].read(name, one) for one in one_or_more(wanted)])
