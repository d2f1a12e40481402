"""
The tables that are in play, and the connections of those who look at them.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random

from typing import Final

import attrs

import rummyvariants as rv

from rummyvariants.errors import RummyError

from .messages import BadMessageError, Message
from .store import Store
from .table import Table
from .worker import Worker, WorkError


LOG: Final = logging.getLogger("web_table")
_BEHIND: Final = 200
"""How many messages may wait for a client before it is cut off."""


@attrs.define(eq=False)
class Line:
    """
    A connection: one window of somebody at a table.

    Attributes:
        seat: Their seat; None for a spectator.
        number: How many actions they have been told of.
        waiting: Messages to be sent, as texts; None ends the connection.
    """

    seat: int | None
    number: int
    waiting: asyncio.Queue[str | None] = attrs.field(
        factory=lambda: asyncio.Queue(_BEHIND)
    )

    def send(self, message: Message) -> None:
        """
        Have a message sent; a client that does not read is cut off.
        """
        if self.waiting.full():
            while not self.waiting.empty():
                self.waiting.get_nowait()
            self.waiting.put_nowait(None)
        else:
            self.waiting.put_nowait(json.dumps(message))


class Hub:
    """
    All tables in memory. A table that nobody looks at is only in the store.

    Attributes:
        store: Where the tables are kept.
        worker: What bots decide in.
        pause: Seconds between the actions of bots, so that people can follow.
    """

    def __init__(self, store: Store, worker: Worker, pause: float) -> None:
        self.store = store
        self.worker = worker
        self.pause = pause
        self._tables: dict[str, Table] = {}
        self._lines: dict[str, set[Line]] = {}
        self._bots: dict[str, asyncio.Task[None]] = {}

    def table(self, name: str) -> Table:
        """
        The table of a link.

        Raises:
            BadMessageError: If there is none, or the game cannot go on.
        """
        if name in self._tables:
            return self._tables[name]
        try:
            found = Table.kept(self.store, name)
        except RummyError:
            LOG.exception("table %s cannot go on", name)
            msg = "the game of this table cannot go on with this server's rules"
            raise BadMessageError(msg) from None
        if found is None:
            msg = "there is no such table"
            raise BadMessageError(msg)
        return found

    def enter(self, table: Table, line: Line) -> None:
        """
        Tell a new connection how things are.
        """
        name = table.room.id
        self._tables[name] = table
        self._lines.setdefault(name, set()).add(line)
        self._greet(table)
        if table.state is not None:
            self._show(table, line)
        self._wake(table)

    def leave(self, table: Table, line: Line) -> None:
        """
        Forget a connection, and the table with the last one.
        """
        name = table.room.id
        lines = self._lines.get(name, set())
        lines.discard(line)
        if lines:
            self._greet(table)
        else:
            self._lines.pop(name, None)
            self._tables.pop(name, None)
            if task := self._bots.pop(name, None):
                task.cancel()

    def tell(self, table: Table, *, lobby: bool = False) -> None:
        """
        Tell everybody at a table how things are now.

        Args:
            table: The table.
            lobby: Whether to say who sits there, too.
        """
        if lobby:
            self._greet(table)
        if table.state is not None:
            for line in self._lines.get(table.room.id, set()):
                self._show(table, line)
        self._wake(table)

    async def close(self) -> None:
        """
        End what is going on.
        """
        for task in self._bots.values():
            task.cancel()
        await self.worker.end()
        self.store.close()

    def _greet(self, table: Table) -> None:
        """
        Tell everybody at a table who sits there, and who has no window open.
        """
        lines = self._lines.get(table.room.id, set())
        here = {one.seat for one in lines}
        for line in lines:
            line.send(table.lobby(line.seat, here))

    def _show(self, table: Table, line: Line) -> None:
        """
        Send a connection its view, with what it has not been told.
        """
        line.send(table.view(line.seat, line.number))
        line.number = table.number

    def _wake(self, table: Table) -> None:
        """
        Let the bots of a table play, if it is their turn and they do not already.
        """
        name = table.room.id
        task = self._bots.get(name)
        if table.bot_due() is not None and (task is None or task.done()):
            self._bots[name] = asyncio.create_task(self._play(table))

    async def _play(self, table: Table) -> None:
        """
        Let bots play until it is the turn of people.
        """
        while True:
            await asyncio.sleep(self.pause)
            seat = table.bot_due()
            if seat is None or table.state is None:
                return
            number, state = table.number, table.state
            try:
                text = await self.decide(table, seat)
                if table.number == number:
                    table.do(seat, number, text)
            except (WorkError, RummyError):
                LOG.exception("a bot failed")
                if table.number == number:
                    legal = rv.legal_actions(state, seat)
                    table.do(seat, number, str(legal.sample(random.randrange)))
            # This task is not done yet, so it is not woken anew.
            self.tell(table)

    async def decide(self, table: Table, seat: int) -> str:
        """
        What the bot of a table would do.

        Raises:
            WorkError: If it fails.
        """
        assert table.state is not None
        view = rv.view(table.state, seat)
        seed = random.getrandbits(32)
        found = await self.worker.do("choose", table.room.bot, view, seed)
        return str(found)
