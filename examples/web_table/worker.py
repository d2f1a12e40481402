"""
Work that takes time, in a process of its own: bots decide, options are looked through.

The process reads jobs from its standard input and writes their results. When the server
ends, however it ends, the input does, and with it the process.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import random
import signal
import sys

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

import rummyvariants as rv

from rummyvariants.bots import TimedBot


_SIZE: Final = 4
"""The bytes that say how long a job or a result is."""
_PATIENCE: Final = 10
"""How many seconds a bot may think."""


def choose(name: str, view: rv.View, seed: int, seconds: float = _PATIENCE) -> str:
    """
    What a bot does.

    Args:
        name: The bot.
        view: What it sees.
        seed: The seed of its random decisions.
        seconds: How long it may think.

    Raises:
        BotTimeoutError: If it thinks longer.
    """
    return str(TimedBot(name, seconds).choose(view, random.Random(seed)))


def options(game: str) -> list[dict[str, Any]]:
    """
    The options that change a game, each with a sentence.
    """
    found = []
    for fit in rv.rules.options_for(game):
        if fit.status == "goes":
            rule = rv.rule(fit.option.id)
            found.append(
                {
                    "id": fit.option.id,
                    "title": rule.title,
                    "text": rule.text,
                    "needs": list(fit.needs),
                    "takes": fit.option.takes,
                }
            )
    return found


JOBS: Final[Mapping[str, Callable[..., Any]]] = {"choose": choose, "options": options}
"""What the process does, by name."""


class WorkError(RuntimeError):
    """
    A job failed.
    """


class Worker:
    """
    The process, seen from the server: one job after another.
    """

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._has_ended = False

    async def do(self, job: str, *args: Any, seconds: float = 20) -> Any:
        """
        Have a job done.

        Args:
            job: Its name.
            args: What it is about.
            seconds: How long it may take.

        Raises:
            WorkError: If it raised an error, took too long, or ended the process.
        """
        # A client that leaves must not stop the reading of a result half-way.
        is_well, found = await asyncio.shield(self._do(job, args, seconds))
        if not is_well:
            raise WorkError(found)
        return found

    async def _do(
        self, job: str, args: tuple[Any, ...], seconds: float
    ) -> tuple[bool, Any]:
        """
        Write a job and read whether it is done, and its result or what went wrong.
        """
        async with self._lock:
            if self._has_ended:
                return False, "no more jobs are done"
            try:
                async with asyncio.timeout(seconds):
                    return await self._answer(pickle.dumps((job, args)))
            except (TimeoutError, OSError, EOFError):
                await self._drop()
                return False, f"{job} was given up"

    async def _answer(self, sent: bytes) -> tuple[bool, Any]:
        """
        The process's answer; it is started at the first job.
        """
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", str(Path(__file__))),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(len(sent).to_bytes(_SIZE) + sent)
        await self._process.stdin.drain()
        size = int.from_bytes(await self._process.stdout.readexactly(_SIZE))
        answer = await self._process.stdout.readexactly(size)
        found: tuple[bool, Any] = pickle.loads(answer)  # noqa: S301 -- our own process wrote it
        return found

    async def end(self) -> None:
        """
        Do no more jobs: end the process, and with it what it is at.
        """
        self._has_ended = True
        if self._process is not None:
            _kill(self._process)
        async with self._lock:
            await self._drop()

    async def _drop(self) -> None:
        """
        End the process, which nobody is reading from.
        """
        process, self._process = self._process, None
        if process is not None:
            _kill(process)
            with contextlib.suppress(OSError):
                await process.communicate()


def _kill(process: asyncio.subprocess.Process) -> None:
    """
    Kill a process, unless it has ended.

    `Process.kill` may take the exit status away from asyncio, which then complains.
    """
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


def work(jobs: BinaryIO, results: BinaryIO) -> None:
    """
    Do jobs until there are no more.
    """
    while size := jobs.read(_SIZE):
        name, args = pickle.loads(jobs.read(int.from_bytes(size)))  # noqa: S301 -- the server wrote it
        try:
            found = (True, JOBS[name](*args))
        except Exception as error:  # noqa: BLE001 -- the server is told, and goes on
            found = (False, f"{type(error).__name__}: {error}")
        sent = pickle.dumps(found)
        results.write(len(sent).to_bytes(_SIZE) + sent)
        results.flush()


if __name__ == "__main__":
    os.nice(5)  # people come first
    work(sys.stdin.buffer, sys.stdout.buffer)
