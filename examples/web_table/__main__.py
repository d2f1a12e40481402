"""
Start the server.
"""

from __future__ import annotations

import argparse

from pathlib import Path

import uvicorn

from .messages import LONGEST
from .server import app


def main() -> None:
    """
    Serve tables until it is interrupted.
    """
    parser = argparse.ArgumentParser(prog="web_table", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 for the home net")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--database", type=Path, default=Path("tables.sqlite"))
    parser.add_argument(
        "--pause", type=float, default=0.8, help="seconds between bots' actions"
    )
    given = parser.parse_args()
    uvicorn.run(
        app(given.database, given.pause),
        host=given.host,
        port=given.port,
        ws_max_size=8 * LONGEST,  # up to here a long message is answered
        log_level="warning",
    )


if __name__ == "__main__":
    main()
