"""
How quickly the web table of the examples answers: many tables at once, on one core.

The server and its bots run on one core, the players here on the others. At each table
two players, connected by WebSockets like browsers, think for a while and do something
legal at random; bots of the server play the other two seats. An action is answered when
its player has the new view.

    python bench/web_table.py                    # 100 tables for 30 seconds
    python bench/web_table.py --think 0          # as fast as the server can
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import contextlib
import json
import os
import platform
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect


ROOT: Final = Path(__file__).parents[1]
GAMES: Final = ("rummy-500", "canasta", "contract-rummy", "basic-rummy")


def main() -> None:
    """
    Measure, and print what was found.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--think", type=float, default=1, help="seconds, on average")
    parser.add_argument("--pause", type=float, default=0.8, help="of the server's bots")
    given = parser.parse_args()
    with served(given.pause) as (address, server):
        tables = [made(address, GAMES[at % len(GAMES)]) for at in range(given.tables)]
        found = asyncio.run(
            measured(address, server, tables, given.seconds, given.think)
        )
    print(
        f"{platform.python_implementation()} {platform.python_version()}, {machine()}"
    )
    print(
        f"{given.tables} tables, {given.seconds:g} s, players think {given.think:g} s, "
        f"bots {given.pause:g} s"
    )
    for line in report(found, given.seconds):
        print(line)


@contextlib.contextmanager
def served(pause: float) -> Iterator[tuple[str, int]]:
    """
    The address and the process of a server on one core; players have the others.
    """
    cores = sorted(os.sched_getaffinity(0))
    with socket.socket() as free, tempfile.TemporaryDirectory() as folder:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        os.sched_setaffinity(0, cores[:1])  # the server inherits it, and so do its bots
        server = subprocess.Popen(
            [
                *(sys.executable, "-m", "examples.web_table"),
                *("--port", str(port), "--pause", str(pause)),
                *("--database", str(Path(folder, "tables.sqlite"))),
            ],
            cwd=ROOT,
        )
        os.sched_setaffinity(0, cores[1:] or cores)
        try:
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    time.sleep(0.1)
            yield f"127.0.0.1:{port}", server.pid
        finally:
            server.terminate()
            server.wait()


def made(address: str, game: str) -> list[dict[str, str]]:
    """
    A new table: the seats of its people.
    """
    new = {"game": game, "options": [], "players": 4, "bot": "careful", "watch": False}
    first = posted(address, "tables", {**new, "name": "Ann"})
    came = {"table": first["table"], "invitation": first["join"]}
    return [first, posted(address, "join", {**came, "name": "Ben"})]


def posted(address: str, path: str, body: dict[str, Any]) -> dict[str, str]:
    """
    What the server answers to a request.
    """
    request = urllib.request.Request(
        f"http://{address}/api/{path}", json.dumps(body).encode()
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310 -- our own server
        found: dict[str, str] = json.load(answer)
    return found


class Player:
    """
    Somebody at a table, who plays at random.
    """

    def __init__(self, think: float, found: dict[str, list[float]], rng: int) -> None:
        self.think = think
        self.found = found
        self.rng = random.Random(rng)
        self.table: dict[str, Any] = {}
        self.sent = 0.0

    async def play(self, line: ClientConnection) -> None:
        """
        Act whenever it is one's turn.
        """
        async with asyncio.TaskGroup() as thoughts:
            thinking: asyncio.Task[None] | None = None
            async for text in line:
                message = json.loads(text)
                if message["type"] == "lobby":
                    continue
                if self.sent:
                    refused = message["type"] != "table"
                    kept = self.found["refusals" if refused else "answers"]
                    kept.append(time.perf_counter() - self.sent)
                    self.sent = 0.0
                if message["type"] == "table":
                    self.found["views"].append(len(text))
                    self.table = message
                    if thinking is None or thinking.done():
                        thinking = thoughts.create_task(self.act(line))

    async def act(self, line: ClientConnection) -> None:
        """
        Think, and do something that is legal.
        """
        await asyncio.sleep(self.think * self.rng.uniform(0.5, 1.5))
        table = self.table
        view = table["view"]
        if table["over"] == "round":
            await self.send(line, {"type": "deal", "number": table["number"]})
        elif view["seat"] in view["to_act"]:
            action = self.rng.choice(table["actions"]["actions"])["text"]
            message = {"type": "do", "number": table["number"], "action": action}
            await self.send(line, message)

    async def send(self, line: ClientConnection, message: dict[str, Any]) -> None:
        """
        Send a message, from which on the time runs.
        """
        self.sent = time.perf_counter()
        await line.send(json.dumps(message))


async def measured(
    address: str,
    server: int,
    tables: list[list[dict[str, str]]],
    seconds: float,
    think: float,
) -> dict[str, list[float]]:
    """
    What the players found within some seconds, and how long the server's core worked.
    """
    found: dict[str, list[float]] = collections.defaultdict(list)
    async with contextlib.AsyncExitStack() as lines:
        playing = []
        for at, seats in enumerate(tables):
            for person, seat in reversed([*enumerate(seats)]):
                line = await lines.enter_async_context(
                    connect(f"ws://{address}/api/play", max_size=None)
                )
                hello = {"table": seat["table"], "secret": seat["seat"], "number": 0}
                await line.send(json.dumps(hello))
                player = Player(think, found, 100 * at + person)
                playing.append(asyncio.create_task(player.play(line)))
            await line.send(json.dumps({"type": "start"}))
        await asyncio.sleep(2)
        found.clear()
        before = worked(server)
        await asyncio.sleep(seconds)
        found["worked"].append(worked(server) - before)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    return found


def report(found: dict[str, list[float]], seconds: float) -> Iterator[str]:
    """
    The figures, as lines.
    """
    answers = sorted(found["answers"])
    cuts = statistics.quantiles(answers, n=100)
    yield f"{len(answers) / seconds:,.0f} actions of players a second, answered within"
    yield (
        f"{1e3 * cuts[49]:.1f} ms (half of them), {1e3 * cuts[94]:.1f} ms (95 %), "
        f"{1e3 * cuts[98]:.1f} ms (99 %), {1e3 * answers[-1]:.1f} ms (all)"
    )
    yield (
        f"{len(found['views']) / seconds:,.0f} views a second, "
        f"{statistics.mean(found['views']) / 1e3:.1f} kB each"
    )
    busy = found["worked"][0] / seconds
    yield f"the core of the server worked {busy:.0%} of the time"
    yield f"{len(found['refusals'])} actions came too late: somebody else was first"


def worked(process: int) -> float:
    """
    Seconds of a core that a process and those that it started have used.
    """
    with contextlib.suppress(OSError):
        task = Path(f"/proc/{process}/task/{process}/children").read_text("utf-8")
        stat = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2]
        ticks = sum(map(int, stat.split()[11:13]))
        own = ticks / os.sysconf("SC_CLK_TCK")
        return own + sum(map(worked, map(int, task.split())))
    return 0.0


def machine() -> str:
    """
    The processor, if the system names it.
    """
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


if __name__ == "__main__":
    main()
