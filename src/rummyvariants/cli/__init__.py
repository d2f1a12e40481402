"""The command line. It needs what the extra ``cli`` installs."""

from __future__ import annotations

import io
import sys


_NEEDS = frozenset({"click", "rich"})


def main() -> None:
    """
    Run the command line, or say in a sentence what has to be installed for it.
    """
    try:
        from rummyvariants.cli.commands import commands
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _NEEDS:
            raise
        sys.stderr.write(
            "rummyvariants: the command line needs click and rich: "
            "pip install 'rummyvariants[cli]'\n"
        )
        sys.exit(2)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show some letter shows a question mark.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    commands(prog_name="rummyvariants")
