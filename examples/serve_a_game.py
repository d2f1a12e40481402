"""
A server that plays a game with three clients over sockets, and keeps every secret.

Only the server holds the state. A client gets one line of JSON at a time: what has
happened as its seat saw it, and its view. It answers with a line that names an action.
At the end the program checks every line that went out, and finds no hidden card.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import secrets

from typing import Any

import rummyvariants as rv

from rummyvariants.events import Event
from rummyvariants.files.json import to_data


# In Rummy 5000 several players may call the same discard.
RULES = rv.preset("rummy-5000").with_options("PGV-E5=1000")
PLAYERS = ("Ann", "Ben", "Cleo")
LONGEST = 1 << 20
"""The longest line that a client reads, in bytes; the server reads 64 KiB."""
LEGAL = 500
"""The most legal actions that a view lists."""


# [table: begin]
class Table:
    """
    One game, its players' tokens, and their connections while they have one.
    """

    def __init__(self, rules: rv.Ruleset, players: tuple[str, ...], seed: int) -> None:
        self.state = rv.new_game(rules, players, seed=seed)
        self.tokens = {secrets.token_hex(16): seat for seat in range(len(players))}
        self.writers: dict[int, asyncio.StreamWriter] = {}
        self.done: list[tuple[int, int, str]] = []

    @property
    def number(self) -> int:
        """
        How many actions have been done, deals included.
        """
        return len(self.state.history)

    def message(self, seat: int, events: tuple[Event, ...] = ()) -> dict[str, Any]:
        """
        The message for a seat: never the state, and events only as the seat sees them.
        """
        return {
            "number": self.number,
            "events": [to_data(event.seen_by(seat)) for event in events],
            "view": to_data(rv.view(self.state, seat), legal=LEGAL),
        }

    def act(self, seat: int, line: bytes) -> dict[str, Any] | tuple[Event, ...]:
        """
        Do a player's action, and deal if that ends a round.

        Nothing is awaited here, so no other action can come in between.

        Returns:
            An answer for this player only, or what happened, for all players.
        """
        try:
            sent = json.loads(line)
            number, text = sent["number"], str(sent["action"])
        except (ValueError, TypeError, KeyError, RecursionError):
            return {"refused": "send an object with a number and an action"}
        if number != self.number:
            if (number, seat, text) in self.done:
                return {"done": number}  # sent twice: it counts once
            return {"refused": "somebody else acted first", "number": self.number}
        try:
            step = rv.step(self.state, text, seat)
        except rv.IllegalAction as error:
            return {"refused": error.ruling.reason, "rule": error.ruling.rule}
        except rv.errors.ParseError as error:
            return {"refused": str(error)}
        self.done.append((number, seat, text))
        self.state, events = step.after, step.events
        while self.state.phase == "deal":
            step = rv.step(self.state, rv.game.next_deal(self.state))
            self.state, events = step.after, events + step.events
        return events


# [table: end]


# [connection: begin]
async def serve(
    table: Table, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """
    One connection, from its token to its last line.
    """
    with contextlib.suppress(ConnectionError, ValueError):
        token = (await reader.readline()).decode().strip()
        seat = table.tokens.get(token)
        if seat is not None:
            table.writers[seat] = writer  # a new connection takes the old one's place
            send(writer, table.message(seat))
            while line := await reader.readline():
                answer = table.act(seat, line)
                if isinstance(answer, dict):
                    send(writer, answer)
                    continue
                for other, theirs in table.writers.items():
                    send(theirs, table.message(other, answer))
    writer.close()


def send(writer: asyncio.StreamWriter, message: dict[str, Any]) -> None:
    """
    Send a message as a line; a player who is disconnected gets a view on return.
    """
    if not writer.is_closing():
        writer.write(json.dumps(message).encode() + b"\n")


# [connection: end]


# [client: begin]
async def play(port: int, token: str, name: str, log: list[dict[str, Any]]) -> None:
    """
    A client, which knows only the protocol, not the library.

    Args:
        port: Where the server listens.
        token: The secret that gives it its seat.
        name: The seed of its random choices.
        log: Collects every message that it gets.
    """
    rng = random.Random(name)
    over = False
    while not over:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=LONGEST)
        writer.write(token.encode() + b"\n")
        while line := await reader.readline():
            log.append(message := json.loads(line))
            view = message.get("view")
            over = view is not None and view["phase"] == "over"
            if over or rng.random() < 0.02:
                break  # the match is over, or the connection is lost
            if view and view["legal_actions"]:
                legal = view["legal_actions"]
                lays = [one for one in legal if one.startswith(("meld", "lay"))]
                text = rng.choice(lays or legal)
                answer = json.dumps({"number": message["number"], "action": text})
                times = 2 if rng.random() < 0.1 else 1  # sometimes sent twice
                writer.write((answer + "\n").encode() * times)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


# [client: end]


async def run(table: Table) -> list[list[dict[str, Any]]]:
    """
    Serve a table on a free port until its match is over.

    Returns:
        Every message that each client got, by seat.
    """
    logs: list[list[dict[str, Any]]] = [[] for _ in table.tokens]
    server = await asyncio.start_server(
        lambda reader, writer: serve(table, reader, writer), "127.0.0.1", 0
    )
    port = server.sockets[0].getsockname()[1]
    clients = [
        play(port, token, PLAYERS[seat], logs[seat])
        for token, seat in table.tokens.items()
    ]
    async with server:
        await asyncio.wait_for(asyncio.gather(*clients), timeout=50)
    return logs


# [secrets: begin]
def look_for_secrets(table: Table, logs: list[list[dict[str, Any]]]) -> int:
    """
    Compare each view sent with one of a game whose hidden cards differ.

    If the two are equal, the view does not depend on what its seat has not seen.

    Returns:
        How many views were compared.
    """
    rng = random.Random(1)
    steps = rv.files.replay_steps(rv.record(table.state))
    states = {number: step.after for number, step in enumerate(steps, 1)}
    compared = 0
    for seat, log in enumerate(logs):
        for message in log:
            for event in message.get("events", ()):
                if event["event"] in {"drew", "hand-dealt"} and event["seat"] != seat:
                    assert event.get("card") is event.get("cards") is None, event
            if "view" in message:
                seen = rv.view(states[message["number"]], seat)
                other = rv.view(rv.determinize(seen, rng), seat)
                assert message["view"] == to_data(other, legal=LEGAL)
                compared += 1
    return compared


# [secrets: end]


def main() -> None:
    """
    Play a match, try to cheat, and check what went over the wire.
    """
    table = Table(RULES, PLAYERS, seed=1)
    start, number = table.state, table.number
    (turn,) = start.to_act
    for seat, at, text in (
        ((turn + 1) % 3, number, "draw"),  # for another player
        (turn, number, "discard Kc"),  # before drawing
        (turn, number, str(start.history[0])),  # a deal, with a deck of their own
        (turn, number, "rob the bank"),
        (turn, number - 1, "draw"),  # in an earlier state
    ):
        refused = table.act(seat, json.dumps({"number": at, "action": text}).encode())
        assert isinstance(refused, dict)
        print(f"{PLAYERS[seat]}, {text[:20]}: {refused['refused'][:60]}")
    assert table.state is start

    logs = asyncio.run(run(table))
    assert table.state.is_over
    messages = [message for log in logs for message in log]
    late = sum("refused" in message for message in messages)
    twice = sum("done" in message for message in messages)
    print(f"{table.state.round_number} rounds, {table.number} actions")
    print(f"{late} came too late, {twice} came twice and counted once")
    compared = look_for_secrets(table, logs)
    assert compared > table.number
    print(f"{compared} views went out, and none depends on a hidden card")
    print(*zip(PLAYERS, table.state.scores, strict=True))


if __name__ == "__main__":
    main()
