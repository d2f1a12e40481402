"""
Games kept in a database: each action is a row, appended in a transaction.

The program plays a match, dies in the middle of an action, continues after the last
complete action, and asks the database for the scores.
"""

from __future__ import annotations

import random
import sqlite3
import tempfile

from collections.abc import Iterator
from contextlib import closing
from importlib import metadata
from pathlib import Path

import rummyvariants as rv


# [tables: begin]
TABLES = """
CREATE TABLE game (
  id      INTEGER PRIMARY KEY,
  head    TEXT NOT NULL,  -- a record without rounds: rules, version, players, seed
  library TEXT NOT NULL,  -- the version that began the game
  over    INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE action (
  game    INTEGER NOT NULL REFERENCES game,
  number  INTEGER NOT NULL,  -- from 0
  seat    INTEGER,           -- null for a deal
  text    TEXT NOT NULL,
  PRIMARY KEY (game, number)
);
CREATE TABLE points (
  game    INTEGER NOT NULL REFERENCES game,
  round   INTEGER NOT NULL,
  player  TEXT NOT NULL,
  points  INTEGER NOT NULL,
  PRIMARY KEY (game, round, player)
);
"""
# [tables: end]


# [keep: begin]
def new_game(
    db: sqlite3.Connection, rules: rv.Ruleset, players: list[str], seed: int
) -> int:
    """
    Begin a game and store it; return its number in the database.
    """
    state = rv.game.begin(rules, players, seed=seed)
    with db:
        added = db.execute(
            "INSERT INTO game (head, library) VALUES (?, ?)",
            (
                str(rv.record(state)),
                metadata.version("rummyvariants"),
            ),
        )
    assert added.lastrowid is not None
    return added.lastrowid


def append(
    db: sqlite3.Connection, game: int, state: rv.State, action: rv.Action | str
) -> rv.State:
    """
    Do an action in a game and store it: both, or neither.

    Raises:
        IllegalAction: If the rules refuse it; nothing is stored.
        IntegrityError: If another process has stored an action with this number.
    """
    step = rv.step(state, action)
    after = step.after
    with db:  # a transaction: all or nothing
        db.execute(
            "INSERT INTO action VALUES (?, ?, ?, ?)",
            (game, len(state.history), step.action.seat, str(step.action)),
        )
        db.executemany("INSERT INTO points VALUES (?, ?, ?, ?)", points(game, after))
        if after.is_over:
            db.execute("UPDATE game SET over = 1 WHERE id = ?", (game,))
    return after


def points(game: int, state: rv.State) -> list[tuple[int, int, str, int]]:
    """
    The rows of a round that has just ended; none in the middle of a round.
    """
    if not state.is_round_over or state.result is None:
        return []
    scored = zip(state.players, state.result.points, strict=True)
    return [(game, state.round_number, *one) for one in scored]


def states(db: sqlite3.Connection, game: int) -> Iterator[rv.State]:
    """
    A game replayed from its actions: every state, up to the current one.

    Raises:
        ReplayError: If the rules of this version refuse a stored action.
    """
    (head,) = db.execute("SELECT head FROM game WHERE id = ?", (game,)).fetchone()
    begun = rv.files.Record.parse(head)
    state = rv.game.begin(begun.rules, begun.players, seed=begun.seed)
    yield state
    for number, seat, text in db.execute(
        "SELECT number, seat, text FROM action WHERE game = ? ORDER BY number", (game,)
    ):
        action = rv.game.parse_action(text, seat=seat)
        ruling = rv.check(state, action)
        if not ruling:
            raise rv.files.ReplayError(state, ruling, number + 1, action)
        state = rv.apply(state, action)
        yield state


def resume(db: sqlite3.Connection, game: int) -> rv.State:
    """
    The current state of a game; errors are those of `states`.
    """
    *_, last = states(db, game)
    return last


# [keep: end]


# [audit: begin]
def audit(db: sqlite3.Connection) -> list[str]:
    """
    What this version of the library changes in the stored games.

    An empty list means that none of them changes.
    """
    found = []
    for (game,) in db.execute("SELECT id FROM game").fetchall():
        try:
            scored = [row for state in states(db, game) for row in points(game, state)]
        except (rv.errors.RecordError, rv.files.ReplayError) as error:
            found.append(f"game {game}: {error}")
            continue
        rows = db.execute("SELECT * FROM points WHERE game = ?", (game,)).fetchall()
        if sorted(scored) != sorted(rows):
            found.append(f"game {game}: it would score different points")
    return found


# [audit: end]


# [scores: begin]
SCORES = """
SELECT player, count(DISTINCT game) AS games, sum(points) AS points,
       max(points) AS best_round
FROM points JOIN game ON game.id = points.game
WHERE game.over
GROUP BY player ORDER BY points DESC
"""
# [scores: end]


def play_on(db: sqlite3.Connection, game: int, actions: int) -> rv.State:
    """
    Continue a game for some actions, chosen at random, or to its end.
    """
    state = resume(db, game)
    rng = random.Random(actions)
    for _ in range(actions):
        if state.is_over:
            break
        due = state.phase == "deal"
        action = (
            rv.game.next_deal(state)
            if due
            else rv.legal_actions(state).sample(rng.randrange)
        )
        state = append(db, game, state, action)
    return state


def main() -> None:
    """
    Play, crash, resume, and count.
    """
    rules = rv.preset("rummy-500").with_options("PGV-E5=200")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "games.sqlite")
        with closing(sqlite3.connect(file)) as db:
            db.executescript(TABLES)
            game = new_game(db, rules, ["Ann", "Ben", "Cleo"], seed=3)
            last = play_on(db, game, 25)
            # The process dies after writing an action, before the commit.
            db.execute("BEGIN")
            db.execute(
                "INSERT INTO action VALUES (?, ?, 0, 'draw')", (game, len(last.history))
            )
        print("The process died in the middle of a transaction.")

        with closing(sqlite3.connect(file)) as db:
            state = resume(db, game)
            assert state == last
            print(f"Resumed after {len(state.history)} actions:\n{state}")

            # Two processes cannot both store an action with the same number.
            choice = rv.legal_actions(state).sample(random.Random(1).randrange)
            append(db, game, state, choice)
            try:
                append(db, game, state, choice)
            except sqlite3.IntegrityError as error:
                print(f"Kept once: {error}")

            over = play_on(db, game, 10_000)
            assert over.is_over
            assert resume(db, game) == over
            assert audit(db) == []
            total = 0
            for player, games, scored, best in db.execute(SCORES):
                print(f"{player}: {games} game, {scored} points, best round {best}")
                total += scored
            assert total == sum(over.scores)

            # A game stored under other rules is noticed.
            with db:
                other = "replace(head, 'version = \"', 'version = \"other ')"
                db.execute(f"UPDATE game SET head = {other}")  # noqa: S608 -- no input
            print(*audit(db), sep="\n")
            assert len(audit(db)) == 1


if __name__ == "__main__":
    main()
