"""
Tables kept in SQLite: who sits there, and each action as a row.

Every method is one transaction, so a server that dies leaves a table as it was before
the method or as it is after it. The rows hold every secret of a game: no row ever goes
to a client.
"""

from __future__ import annotations

import json
import sqlite3

from pathlib import Path
from typing import Final

import attrs


_TABLES: Final = """
CREATE TABLE IF NOT EXISTS room (
  id         TEXT PRIMARY KEY,
  game       TEXT NOT NULL,     -- the name of a preset
  options    TEXT NOT NULL,     -- a list, as JSON
  seats      INTEGER NOT NULL,
  bot        TEXT NOT NULL,     -- what fills empty seats
  invitation TEXT NOT NULL,     -- the secret by which people take a seat
  watch      TEXT,              -- the secret of spectators, if there may be any
  head       TEXT               -- a record without rounds, once the game has begun
);
CREATE TABLE IF NOT EXISTS person (
  room   TEXT NOT NULL REFERENCES room,
  seat   INTEGER NOT NULL,
  name   TEXT NOT NULL,
  digest TEXT NOT NULL,         -- of the secret of the seat, which is not kept
  PRIMARY KEY (room, seat)
);
CREATE TABLE IF NOT EXISTS action (
  room   TEXT NOT NULL REFERENCES room,
  number INTEGER NOT NULL,      -- from 0
  seat   INTEGER,               -- null for a deal
  text   TEXT NOT NULL,
  PRIMARY KEY (room, number)
) WITHOUT ROWID;
"""


@attrs.frozen
class Room:
    """
    What a table was made with.

    Attributes:
        id: Its name in links.
        game: The name of a preset.
        options: The options put on it.
        seats: How many play.
        bot: The name of the bot for empty seats.
        invitation: The secret by which people take a seat.
        watch: The secret of spectators; None if nobody may watch.
        head: The game as a record without rounds; None before it begins.
    """

    id: str
    game: str
    options: tuple[str, ...]
    seats: int
    bot: str
    invitation: str
    watch: str | None
    head: str | None = None


@attrs.frozen
class Person:
    """
    Somebody who has a seat.

    Attributes:
        seat: Counted from 0.
        name: Their name.
        digest: The digest of the secret of the seat.
    """

    seat: int
    name: str
    digest: str


Row = tuple[int | None, str]
"""The seat and the text of an action."""


class Store:
    """
    The database.
    """

    def __init__(self, file: Path | str) -> None:
        self._db = sqlite3.connect(file, timeout=1)
        # A second server on the same file would play other games: it is refused.
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        # A killed process loses nothing so, nor does a power cut break the file; it may
        # take the last actions with it. `FULL` keeps those too, for a wait at each one.
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.executescript(_TABLES)

    def close(self) -> None:
        """
        Let another server have the file.
        """
        self._db.close()

    def add(self, room: Room, first: Person) -> None:
        """
        Keep a new table, with whoever made it.
        """
        with self._db:
            self._db.execute(
                "INSERT INTO room VALUES (?, ?, ?, ?, ?, ?, ?, NULL)",
                (
                    room.id,
                    room.game,
                    json.dumps(room.options),
                    room.seats,
                    room.bot,
                    room.invitation,
                    room.watch,
                ),
            )
            self._seat(room.id, first)

    def join(self, room: str, person: Person) -> None:
        """
        Keep that somebody has taken a seat.
        """
        with self._db:
            self._seat(room, person)

    def begin(self, room: str, head: str, rows: list[Row]) -> None:
        """
        Keep that the game of a table has begun, with its first deal.
        """
        with self._db:
            self._db.execute("UPDATE room SET head = ? WHERE id = ?", (head, room))
            self._append(room, 0, rows)

    def append(self, room: str, number: int, rows: list[Row]) -> None:
        """
        Keep actions of a game.

        Args:
            room: The table.
            number: How many actions were done before.
            rows: The actions.

        Raises:
            IntegrityError: If an action with this number is there already.
        """
        with self._db:
            self._append(room, number, rows)

    def room(self, room: str) -> tuple[Room, list[Person], list[Row]] | None:
        """
        A table with its people and its actions; None if there is none.
        """
        found = self._db.execute("SELECT * FROM room WHERE id = ?", (room,)).fetchone()
        if found is None:
            return None
        name, game, options, *rest = found
        people = self._db.execute(
            "SELECT seat, name, digest FROM person WHERE room = ? ORDER BY seat",
            (room,),
        )
        rows = self._db.execute(
            "SELECT seat, text FROM action WHERE room = ? ORDER BY number", (room,)
        )
        return (
            Room(name, game, tuple(json.loads(options)), *rest),
            [Person(*one) for one in people],
            rows.fetchall(),
        )

    def rooms(self) -> list[str]:
        """
        The tables, by their names in links.
        """
        return [room for (room,) in self._db.execute("SELECT id FROM room")]

    def _seat(self, room: str, person: Person) -> None:
        """
        Put somebody on a seat, within a transaction.
        """
        self._db.execute(
            "INSERT INTO person VALUES (?, ?, ?, ?)",
            (room, person.seat, person.name, person.digest),
        )

    def _append(self, room: str, number: int, rows: list[Row]) -> None:
        """
        Add actions, within a transaction.
        """
        self._db.executemany(
            "INSERT INTO action VALUES (?, ?, ?, ?)",
            [(room, at, *row) for at, row in enumerate(rows, number)],
        )
