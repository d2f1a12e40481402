"""
Processes of this machine that play games, and end with the process that started them.
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
"""How many seconds processes have to finish their work."""


@contextlib.contextmanager
def processes(number: int) -> Iterator[ProcessPoolExecutor | None]:
    """
    An executor with so many processes; None for one, since this process will do.

    They ignore an interrupt from the keyboard: their parent handles it. If an error
    ends the block, they get a little time to finish.

    Raises:
        SimulationError: If so many are not possible.
    """
    if number == 1:
        yield None
        return
    try:
        pool = ProcessPoolExecutor(
            number,
            # Forks of a process with threads, such as that of the progress bar, may
            # hang; and this method exists on every platform.
            mp_context=multiprocessing.get_context("spawn"),
            initializer=ready,
        )
    except ValueError as error:
        # Windows waits for a limited number.
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
    Give processes a little time to finish their work, then end them.

    A pool whose processes are killed may print tracebacks from its own threads, so that
    is the last resort.
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
    Suppress the complaints of the threads of a broken pool.
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
    Ignore interrupts; processes started meanwhile ignore them from the beginning.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heard)


def ready() -> None:
    """
    The first thing that a process does.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """
    Wait for the end of the parent process: if it is killed, nothing else reports it.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
