"""
Results that are remembered on what they are about, and go when it goes.

A cache of a module that is keyed by a ruleset, or by the tables of one, would keep both
alive for as long as the program runs.
"""

from __future__ import annotations

import functools

from collections.abc import Callable
from typing import Any, TypeVar, cast


F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def kept(memo: dict[Any, T], key: object, value: T, most: int) -> T:
    """
    Remember a value, and return it; a memo of so many values starts anew.
    """
    if len(memo) >= most:
        memo.clear()
    memo[key] = value
    return value


def remembered(most: int) -> Callable[[F], F]:
    """
    Remember what a function returns on its first argument, in the dict ``_memo`` there.

    Args:
        most: How many results to remember there; when there are more, it starts anew.
    """

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def asked(about: Any, *more: Any) -> Any:
            known = about._memo.get(function)
            if known is None:
                known = about._memo[function] = {}
            found = known.get(more, known)
            if found is known:
                found = function(about, *more)
                kept(known, more, found, most)
            return found

        return cast("F", asked)

    return decorate
