"""
Work counted in calls of Python functions, which is the same on every machine.
"""

from __future__ import annotations

import sys

from collections.abc import Callable
from inspect import CO_GENERATOR
from types import FrameType
from typing import TypeVar


T = TypeVar("T")


class TooMuchError(AssertionError):
    """
    Something took more calls than it may.
    """


def counted(limit: int, ask: Callable[[], T]) -> tuple[int, T]:
    """
    How many calls of Python functions an answer takes, and what it is.

    Raises:
        TooMuchError: If it takes more than the limit.
    """
    calls = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls
        del arg
        calls += event == "call"
        # What is raised in a generator that is being closed is lost.
        if calls > limit and not frame.f_code.co_flags & CO_GENERATOR:
            raise TooMuchError(f"more than {limit} calls")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        answer = ask()
    finally:
        sys.setprofile(before)
    if calls > limit:
        raise TooMuchError(f"more than {limit} calls")
    return calls, answer


def within(limit: int, ask: Callable[[], T]) -> T:
    """
    What is answered, with so many calls of Python functions at most.

    Raises:
        TooMuchError: If it takes more.
    """
    return counted(limit, ask)[1]
