"""
Programs run at a terminal of their own.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import time

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest


WIDTH: Final = 60
"""How many columns the terminal has."""
SILENCE: Final = 120
"""After how many seconds without a word a program is given up."""


@contextlib.contextmanager
def at_a_terminal(
    *words: object,
    python: tuple[str, ...] = ("-m", "rummyvariants"),
    cwd: Path | None = None,
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """
    A command at a narrow terminal of its own, and the file number of the other end.

    It does not outlive the test.
    """
    pty = pytest.importorskip("pty")
    import fcntl  # noqa: PLC0415
    import struct  # noqa: PLC0415
    import termios  # noqa: PLC0415

    def on_start() -> None:
        # What runs in the background may have been started with interrupts ignored.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        # So that Ctrl-C at this terminal is an interrupt.
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, WIDTH, 0, 0))
    unset = {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"}
    env = {name: value for name, value in os.environ.items() if name not in unset}
    with subprocess.Popen(
        [sys.executable, *python, *map(str, words)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**env, "INPUTRC": os.devnull},
        cwd=cwd,
        start_new_session=True,
        preexec_fn=on_start,  # noqa: PLW1509
    ) as process:
        os.close(theirs)
        try:
            yield process, ours
        finally:
            process.kill()
            os.close(ours)


def interrupt(number: int) -> None:
    """
    Press Ctrl-C at a terminal where a prompt was shown.
    """
    # Readline misses an interrupt that comes before it waits for what is written.
    time.sleep(0.5)
    os.write(number, b"\x03")


def read_to(number: int, end: str = "", *, escapes: bool = False) -> str:
    """
    What comes from a terminal.

    Args:
        number: The file number of its other end.
        end: The words after which nothing more is read; if empty, all is read.
        escapes: Whether colours and the like are left in.
    """
    text = b""
    while not (end and end.encode() in text):
        if not select.select([number], [], [], SILENCE)[0]:
            pytest.fail(f"nothing more is written after {text[-200:]!r}")
        try:
            some = os.read(number, 65536)
        except OSError:
            # So Linux says that the program has ended.
            break
        if not some:
            break
        text += some
    found = text.decode().replace("\r\n", "\n")
    return found if escapes else re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", found)
