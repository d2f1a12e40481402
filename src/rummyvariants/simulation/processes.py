"""
Processes of this machine that play games, and end with whoever started them.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor


@contextlib.contextmanager
def processes(number: int) -> Iterator[ProcessPoolExecutor]:
    """
    An executor with so many processes.

    An interrupt from the keyboard goes by them: who started them sees to it. Where an
    error ends the block, they end with what they are at.
    """
    pool = ProcessPoolExecutor(
        number,
        # Copies of a process that has threads, as the one with a progress bar has, may
        # hang; and this way is there on every platform.
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_ready,
    )
    with _deaf():
        for _ in range(number):
            pool.submit(os.getpid)
    broken = True
    try:
        yield pool
        broken = False
    finally:
        if broken:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in multiprocessing.active_children():
                child.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


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
    Wait for the process that started this one; if it was killed, nobody else will tell.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
