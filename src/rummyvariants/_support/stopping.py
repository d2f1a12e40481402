"""
Work that is stopped if it takes too long.
"""

from __future__ import annotations

import contextvars
import ctypes
import threading

from collections.abc import Callable
from typing import Final, Generic, TypeVar


_Result = TypeVar("_Result")
_TRIES: Final = 10
"""How often work is stopped, since it may catch what stops it."""
_PAUSE: Final = 0.05
"""How many seconds it has to stop after each time."""


class OutOfTimeError(Exception):
    """
    Work took longer than it was given.
    """


class _Stop(BaseException):
    """
    Ends work; code that catches every usual error does not catch it.
    """


def within(seconds: float, work: Callable[[], _Result]) -> _Result:
    """
    The result of some work, for which there is so much time.

    The work is done in a thread of its own, so whoever asks gets an answer whatever it
    does, in the main thread or another, in any process and on any platform. Work in
    Python is ended between two of its instructions. What waits inside of a function
    written in C, such as `time.sleep`, goes on in the background until that returns; if
    it also keeps all other threads waiting, nothing can stop it.

    Args:
        seconds: How many.
        work: The work. What it raises is raised here.

    Raises:
        OutOfTimeError: If it takes longer.
    """
    worker = _Worker(work)
    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(worker.run,), daemon=True)
    thread.start()
    try:
        thread.join(seconds)
    finally:
        # Also at an interrupt from the keyboard.
        worker.stop(thread)
    return worker.result()


class _Worker(Generic[_Result]):
    """
    Some work, and what came of it.
    """

    def __init__(self, work: Callable[[], _Result]) -> None:
        self._work = work
        self._results: list[_Result] = []
        self._error: BaseException | None = None
        self._is_over = False
        self._lock = threading.Lock()

    def run(self) -> None:
        """
        Do the work.
        """
        try:
            try:
                self._results.append(self._work())
            except _Stop:
                raise
            except BaseException as error:  # noqa: BLE001 -- raised by `result`
                self._error = error
            with self._lock:
                self._is_over = True
            for _ in range(2):
                # A stop that was sent before `_is_over` was set arrives here.
                pass
        except _Stop:
            pass

    def stop(self, thread: threading.Thread) -> None:
        """
        Let the work end as soon as it executes Python, if it does not catch everything.
        """
        send = ctypes.pythonapi.PyThreadState_SetAsyncExc
        for _ in range(_TRIES):
            with self._lock:
                if self._is_over or thread.ident is None:
                    return
                send(ctypes.c_ulong(thread.ident), ctypes.py_object(_Stop))
            thread.join(_PAUSE)
            if not thread.is_alive():
                return

    def result(self) -> _Result:
        """
        What came of the work so far.
        """
        if self._error is not None:
            raise self._error
        if not self._results:
            raise OutOfTimeError
        return self._results[0]
