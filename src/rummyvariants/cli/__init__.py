"""The command line. It needs the packages of the extra ``cli``."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys

from types import FrameType
from typing import NoReturn

from rummyvariants.cli.statuses import BY_SIGNAL, INTERRUPTED, WRONG


_NEEDS = frozenset({"click", "rich"})


def main() -> None:
    """
    Run the command line, and exit with its status.

    Whatever prevents every command is reported in one line: a missing extra, an
    interrupt while modules are imported, a standard stream that cannot be written.
    """
    _fill_closed_streams()
    hears = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if hears:
        signal.signal(signal.SIGINT, _leave)
    try:
        from rummyvariants.cli.commands import commands
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _NEEDS:
            raise
        _refuse(
            "rummyvariants: the command line needs click and rich: "
            "pip install 'rummyvariants[cli]'"
        )
    if hears:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # A terminal that cannot show a character shows a question mark.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        commands(prog_name="rummyvariants")
    except OSError as error:
        # Errors of other files are reported where the file is known.
        where = error.filename or ("standard output" if _fails(1) else "")
        _refuse(f"Error: {where and f'{where}: '}{error.strerror or error}")
    except SystemExit as ending:
        if isinstance(ending.code, int) and ending.code > BY_SIGNAL:
            # The terminal may be gone.
            _drop_what_cannot_be_written()
        raise
    finally:
        if hears:
            # All is done; from here on an interrupt would only print a traceback.
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def _refuse(line: str) -> NoReturn:
    with contextlib.suppress(OSError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    _drop_what_cannot_be_written()
    sys.exit(WRONG)


def _leave(number: int, frame: FrameType | None) -> None:
    """
    Exit at once: nothing has started, and some imports swallow exceptions.
    """
    del number, frame
    with contextlib.suppress(OSError):
        os.write(2, b"Interrupted.\n")
    os._exit(INTERRUPTED)


def _fill_closed_streams() -> None:
    """
    Open standard streams that are closed, or a file would get the number of one.

    Nothing can be reported on a closed standard error. A closed standard output is an
    error, since every command writes to it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stdout is None:
        _refuse("Error: standard output is closed")


def _fails(number: int) -> bool:
    """
    Whether a standard stream cannot be written, as far as can be found out.
    """
    stream = sys.stdout if number == 1 else sys.stderr
    try:
        if stream is not None:
            stream.flush()
        os.write(number, b"")
    except OSError:
        return True
    return False


def _drop_what_cannot_be_written() -> None:
    """
    Drop what a stream still holds if it cannot be written.

    Otherwise Python would try again at exit, and complain.
    """
    for number in (1, 2):
        if _fails(number):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, number)
            os.close(nowhere)
