"""
Processes of this machine that play games, and end with whoever started them.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.process import BaseProcess
from typing import Final

from rummyvariants.simulation.plans import SimulationError


_GRACE: Final = 2.0
"""How many seconds processes have to finish what they are at."""


@contextlib.contextmanager
def processes(number: int) -> Iterator[ProcessPoolExecutor | None]:
    """
    An executor with so many processes; None for one, since this one will do.

    An interrupt from the keyboard goes by them: who started them sees to it. Where an
    error ends the block, they get a little time for what they are at.

    Raises:
        SimulationError: If there cannot be so many.
    """
    if number == 1:
        yield None
        return
    try:
        pool = ProcessPoolExecutor(
            number,
            # Copies of a process that has threads, as the one with a progress bar has,
            # may hang; and this way is there on every platform.
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_ready,
        )
    except ValueError as error:
        # Windows waits for so many at most.
        msg = f"games cannot be played in {number} processes: {error}"
        raise SimulationError(msg) from None
    broken = True
    try:
        with _deaf():
            for _ in range(number):
                pool.submit(os.getpid)
        yield pool
        broken = False
    finally:
        with _ended_soon() if broken else contextlib.nullcontext():
            pool.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def _ended_soon() -> Iterator[None]:
    """
    Leave processes a little time to finish what they are at, then end them.

    A pool whose processes are ended in the middle of something may report it in
    tracebacks of its own threads, so that is the last resort.
    """
    timer = threading.Timer(_GRACE, _end, [multiprocessing.active_children()])
    timer.start()
    try:
        with _quiet():
            yield
    finally:
        timer.cancel()


def _end(children: Sequence[BaseProcess]) -> None:
    for child in children:
        child.terminate()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """
    Leave out what the threads of a broken pool complain of.
    """
    before = threading.excepthook
    threading.excepthook = lambda _: None
    try:
        yield
    finally:
        threading.excepthook = before


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """
    Ignore interrupts: a process that is started meanwhile does so from the beginning.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heard)


def _ready() -> None:
    """
    What a process does first.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """
    Wait for the process that started this one; if it was killed, nobody else reports.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
