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
    A command at a narrow terminal, and the file number of the other end.

    It does not outlive the test.
    """
    pty = pytest.importorskip("pty")
    import fcntl  # noqa: PLC0415
    import struct  # noqa: PLC0415
    import termios  # noqa: PLC0415

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, WIDTH, 0, 0))
    unset = {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"}
    env = {name: value for name, value in os.environ.items() if name not in unset}
    with subprocess.Popen(
        [sys.executable, *python, *map(str, words)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**env, "TERM": "xterm-256color"},
        cwd=cwd,
        start_new_session=True,
        # What runs in the background may have been started with interrupts ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        os.close(theirs)
        try:
            yield process, ours
        finally:
            process.kill()
            os.close(ours)


def read_to(number: int, end: str = "") -> str:
    """
    What comes from a terminal, without colour.

    Args:
        number: The file number of its other end.
        end: The words after which nothing more is read; if empty, all is read.
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
    return re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", found)
