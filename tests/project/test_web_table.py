"""
The web table of the examples: a server that people play over, and its page.

Left out where the dependency group `browser` is missing, and in part where Chromium is;
`.ci/run` has both.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rummyvariants as rv

from places import ROOT
from rummyvariants.bots import bot
from rummyvariants.files.json import to_data


for needed in ("starlette", "uvicorn", "websockets.sync.client", "playwright"):
    pytest.importorskip(needed, reason="the dependency group `browser` is not there")

from websockets.exceptions import ConnectionClosed  # noqa: E402 -- where it is there
from websockets.sync.client import ClientConnection, connect  # noqa: E402

from browser import chromium, opened, served  # noqa: E402


sys.path.insert(0, str(ROOT))

from examples.web_table import messages  # noqa: E402 -- from the folder above
from examples.web_table.messages import BadMessageError  # noqa: E402
from examples.web_table.store import Person, Room, Row, Store  # noqa: E402
from examples.web_table.table import Table  # noqa: E402
from examples.web_table.worker import Worker, WorkError  # noqa: E402


NEW: Final = {
    "game": "rummy-500",
    "options": [],
    "players": 3,
    "name": "Ann",
    "bot": "careful",
    "watch": True,
}
FACE: Final = re.compile(r"(?<![\w=])[A2-9TJQK][cdhs](?!\w)")
"""A card, but not what a wild stands for."""
PLACES: Final = re.compile(r'"stands_for": (\[.*?\]|".*?")')
"""What wilds stand for, which may be any card."""


# -------------------------------------------------------------------- without a network


@pytest.fixture(name="seed", autouse=True)
def _seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The same games in every run.
    """
    monkeypatch.setattr("secrets.randbits", lambda _: 7)


def begun(store: Store, names: str = "Ann Ben", **changes: object) -> Table:
    """
    A table with some people, whose game has begun.
    """
    first, *others = names.split()
    table, _ = Table.new(store, {**NEW, **changes, "name": first})
    for name in others:
        table.join(table.room.invitation, name)
    table.start(0)
    return table


def seats_of(table: Table) -> range:
    return range(table.room.seats)


def is_over(table: Table) -> bool:
    return table.state is not None and table.state.is_over


def go_on(table: Table, rng: random.Random, greedy: Any = bot("greedy")) -> None:
    """
    Do something at a table for whoever may act.
    """
    state = table.state
    assert state is not None
    if state.phase == "deal":
        table.deal(0, table.number)
        return
    seat = rng.choice(state.to_act)
    action = greedy.choose(rv.view(state, seat), rng)
    assert table.do(seat, table.number, str(action))


@pytest.fixture(name="store")
def _store(tmp_path: Path) -> Iterator[Store]:
    with contextlib.closing(Store(tmp_path / "tables.sqlite")) as store:
        yield store


def players_for(game: str) -> int:
    """
    The most players of a game, up to four.
    """
    for number in (4, 3, 2):
        with contextlib.suppress(rv.errors.RulesError):
            rv.game.begin(game, number, seed=0)
            return number
    raise AssertionError(game)


def answers(table: Table, seat: int | None) -> list[Any]:
    """
    What a seat is sent, and what it can ask for.
    """
    sent = [table.view(seat, since=10**6)]
    if seat is not None:
        sent += [table.actions(seat, cards, 0) for cards in (["9c"], ["9c", "9d"])]
    # A world that is made up has no past, so its actions are counted anew.
    return [{**one, "number": 0} for one in sent]


@pytest.mark.parametrize("game", rv.presets())
def test_no_message_depends_on_a_hidden_card(game: str, store: Store) -> None:
    """
    Were the hidden cards others, each seat would have been sent the same.
    """
    rng = random.Random(game)
    table = begun(store, game=game, players=players_for(game))
    compared = 0
    for _ in range(60):
        state = table.state
        assert state is not None
        if state.is_over:
            break
        if state.phase != "deal":
            for seat in (*seats_of(table), None):
                sent = answers(table, seat)
                table.state = rv.determinize(rv.view(state, seat), rng)
                assert answers(table, seat) == sent
                table.state = state
                compared += 1
        go_on(table, rng)
    assert compared > 20


class Known:
    """
    What each seat of a game with one pack may have seen, read off the full states.
    """

    def __init__(self, players: int) -> None:
        self.faces: list[set[str]] = [set() for _ in range(players + 1)]

    def look(self, state: rv.State) -> None:
        """
        See what lies open, and each player their own hand.
        """
        on_table = [
            one.card
            for meld in state.table
            for one in (*meld.slots, *getattr(meld, "beside", ()))
        ]
        public = {str(one) for one in (*state.discards, *on_table)}
        if state.phase == "layoff" or state.result is not None:
            # A knock shows a hand, and the end of a round counts all of them.
            public |= {str(card) for hand in state.hands for card in hand}
        hands = [{str(card) for card in hand} for hand in state.hands]
        for seen, hand in zip(self.faces, [*hands, set()], strict=True):
            seen.update(public, hand)


@pytest.mark.parametrize(
    "game", ["rummy-500", "gin-rummy", "basic-rummy", "oklahoma-gin"]
)
def test_no_seat_is_sent_a_face_that_it_has_not_seen(game: str, store: Store) -> None:
    """
    The words of all messages are searched for cards, whatever key they stand under.
    """
    rng = random.Random(game)
    table = begun(store, game=game, players=2)
    known = Known(2)
    told = Counter[int]()
    while table.number < 150 and not is_over(table):
        assert table.state is not None
        known.look(table.state)
        for at, seat in enumerate((0, 1, None)):
            texts = [json.dumps(table.view(seat, table.number - 1))]
            with contextlib.suppress(BadMessageError):
                texts.append(json.dumps(table.actions(seat, [], 0)))
            for text in texts:
                faces = set(FACE.findall(PLACES.sub("", text)))
                assert faces <= known.faces[at], (seat, faces - known.faces[at])
                told[at] += len(faces)
        if table.state.phase == "deal":
            known = Known(2)
        go_on(table, rng)
    assert min(told.values()) > 100


@pytest.mark.parametrize("game", rv.presets())
def test_table_plays_any_game_and_keeps_its_scores(game: str, store: Store) -> None:
    rng = random.Random(3)
    table = begun(store, game=game, players=players_for(game))
    while table.number < 400 and not is_over(table):
        go_on(table, rng)
    kept = Table.kept(store, table.room.id)
    assert kept is not None
    assert kept.state == table.state
    assert kept.names == table.names
    if "sheet" in table.view(0, table.number)["can"]:
        assert kept.sheet() == table.sheet()
        rounds = table.sheet()["sheet"]["rounds"]
        assert [one["number"] for one in rounds] == sorted(
            one["number"] for one in rounds
        )
    if is_over(table):
        assert rv.replay(kept.record()["text"]) == table.state
    else:
        with pytest.raises(BadMessageError, match="every hand"):
            table.record()


# --------------------------------------------------------------- killed at any moment


class Photographed(Store):
    """
    A store of whose files there is a copy from within each write and from after it.
    """

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.file = file
        self.within: list[Path] = []
        self.after: list[Path] = []

    def copied(self) -> Path:
        """
        The files as a process that is killed now leaves them.
        """
        number = len(self.within) + len(self.after)
        folder = self.file.parent / f"copy-{number}"
        folder.mkdir()
        for one in self.file.parent.glob(f"{self.file.name}*"):
            shutil.copy(one, folder)
        return folder / self.file.name

    def _seat(self, room: str, person: Person) -> None:
        super()._seat(room, person)
        self.within.append(self.copied())

    def _append(self, room: str, number: int, rows: list[Row]) -> None:
        super()._append(room, number, rows)
        self.within.append(self.copied())

    def add(self, room: Room, first: Person) -> None:
        super().add(room, first)
        self.after.append(self.copied())

    def join(self, room: str, person: Person) -> None:
        super().join(room, person)
        self.after.append(self.copied())

    def begin(self, room: str, head: str, rows: list[Row]) -> None:
        super().begin(room, head, rows)
        self.after.append(self.copied())

    def append(self, room: str, number: int, rows: list[Row]) -> None:
        super().append(room, number, rows)
        self.after.append(self.copied())


Found = tuple[Any, ...]


def found_in(file: Path, room: str) -> Found | None:
    """
    What a new server finds of a table.
    """
    with contextlib.closing(Store(file)) as store:
        table = Table.kept(store, room)
        return None if table is None else facts(table)


def facts(table: Table) -> Found:
    """
    All that makes a table.
    """
    scores = table.sheet()["sheet"] if table.state and table._results else None
    return table.room.id, {**table.people}, table.state, table.names, scores


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    game=st.sampled_from(rv.presets()),
    names=st.sampled_from(["Ann", "Ann Ben"]),
    seed=st.integers(0, 2**32),
    length=st.integers(0, 12),
)
def test_server_killed_at_any_moment_goes_on_where_it_was(
    tmp_path_factory: pytest.TempPathFactory,
    game: str,
    names: str,
    seed: int,
    length: int,
) -> None:
    """
    A kill within a write leaves what was before it; one after it, what was written.
    """
    store = Photographed(tmp_path_factory.mktemp("killed") / "tables.sqlite")
    rng = random.Random(seed)
    been: list[Found | None] = [None]
    with contextlib.closing(store):
        table, _ = Table.new(store, {**NEW, "game": game, "players": players_for(game)})
        been.append(facts(table))
        for name in names.split()[1:]:
            table.join(table.room.invitation, name)
            been.append(facts(table))
        table.start(0)
        been.append(facts(table))
        for _ in range(length):
            if not is_over(table):
                go_on(table, rng)
                been.append(facts(table))
        room = table.room.id
    assert len(store.within) == len(store.after) == len(been) - 1
    for at, (within, after) in enumerate(zip(store.within, store.after, strict=True)):
        assert found_in(within, room) == been[at]
        assert found_in(after, room) == been[at + 1]


def test_second_server_on_the_same_file_is_refused(store: Store) -> None:
    table = begun(store)
    file = store._db.execute("PRAGMA database_list").fetchone()[2]
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        Store(file)
    assert Table.kept(store, table.room.id) is not None


# -------------------------------------------------------------------- what comes in


HOSTILE: Final = (
    "",
    "{",
    "[]",
    "7",
    "null",
    "NaN",
    "[" * 5_000,
    "9" * 5_000,
    '{"type": 1e999}',
    '{"type": ["do"]}',
    '{"type": "everything"}',
    '{"type": "do"}',
    '{"type": "do", "type": "save"}',
    '{"type": "do", "number": 1}',
    '{"type": "do", "number": true, "action": "draw"}',
    '{"type": "do", "number": -1, "action": "draw"}',
    '{"type": "do", "number": 1.0, "action": "draw"}',
    '{"type": "do", "number": 1, "action": ["draw"]}',
    '{"type": "do", "number": 1, "action": "draw", "seat": 0}',
    json.dumps({"type": "do", "number": 1, "action": "draw " * 500}),
    '{"type": "actions", "cards": "9c", "start": 0}',
    '{"type": "actions", "cards": [], "start": -1}',
    '{"type": "actions", "cards": [], "start": 1000000000}',
    '{"type": "actions", "cards": [9], "start": 0}',
    json.dumps({"type": "actions", "cards": ["9c"] * 50, "start": 0}),
    '{"type": "hint", "please": true}',
    json.dumps({"type": "do", "number": 1, "action": "x" * 20_000}),
)
"""Messages that are refused before anybody looks at the game."""


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_malformed_message_is_refused_in_words(text: str) -> None:
    with pytest.raises(BadMessageError) as caught:
        messages.read_typed(text, messages.PLAY)
    assert 10 < len(str(caught.value)) < 300


JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["type", "number", "action", "cards", "start", "seat"]),
            inner | st.sampled_from([*messages.PLAY, "draw", "9c", 0, 1]),
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(JSON.map(json.dumps) | st.text(max_size=200) | st.binary(max_size=200))
def test_any_message_is_read_or_refused(text: str | bytes) -> None:
    with contextlib.suppress(BadMessageError):
        given = messages.read_typed(text, messages.PLAY)
        assert given["type"] in messages.PLAY


# ------------------------------------------------------------------- over real sockets


@attrs.define
class Server:
    """
    A server in a process of its own.
    """

    file: Path
    port: int
    process: subprocess.Popen[bytes]

    @classmethod
    def started(cls, file: Path, *, pause: float = 0.0, port: int = 0) -> Server:
        """
        A server on a file, once it listens.
        """
        if not port:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
        command = [sys.executable, "-W", "error", "-m", "examples.web_table"]
        command += ["--port", str(port), "--pause", str(pause)]
        command += ["--database", str(file)]
        process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE)
        until = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                return cls(file, port, process)
            assert process.poll() is None
            assert time.monotonic() < until
            time.sleep(0.05)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def socket(self) -> str:
        return f"ws://127.0.0.1:{self.port}/api/play"

    def get(self, path: str) -> str:
        """
        What is at a path.
        """
        with urllib.request.urlopen(f"{self.address}/{path}") as answer:  # noqa: S310 -- our own server
            found: bytes = answer.read()
        return found.decode()

    def post(self, path: str, body: object) -> dict[str, Any]:
        """
        The answer to a request, whatever its status is.
        """
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}/api/{path}", sent)  # noqa: S310 -- our own server
        try:
            with urllib.request.urlopen(request) as answer:  # noqa: S310 -- the same
                return {"status": answer.status, **json.load(answer)}
        except urllib.error.HTTPError as error:
            return {"status": error.code, **json.load(error)}

    def new(self, **changes: object) -> dict[str, Any]:
        """
        A new table.
        """
        return self.post("tables", {**NEW, **changes})

    def kill(self) -> None:
        """
        Kill the process, as nothing can prepare for.
        """
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def stop(self) -> str:
        """
        End the process; what it complained about.
        """
        self.process.terminate()
        return self.process.communicate()[1].decode()


@pytest.fixture(name="server", scope="module")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server.started(tmp_path_factory.mktemp("served") / "tables.sqlite")
    try:
        yield server
    finally:
        assert server.stop() == ""


class Window:
    """
    A connection of somebody at a table, and all that came over it.
    """

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.log: list[dict[str, Any]] = []

    def send(self, message: object) -> None:
        self.line.send(message if isinstance(message, str) else json.dumps(message))

    def next(self, *types: str) -> dict[str, Any]:
        """
        The next message, or the next of some types.
        """
        while True:
            message: dict[str, Any] = json.loads(self.line.recv(timeout=20))
            self.log.append(message)
            if not types or message["type"] in types:
                return message

    def answers(self, message: object) -> list[dict[str, Any]]:
        """
        All that a message is answered with, while nobody else does anything.
        """
        self.send(message)
        self.send({"type": "actions", "cards": [], "start": 0})
        found: list[dict[str, Any]] = []
        while True:
            one = self.next()
            if one["type"] == "actions":
                return found
            found.append(one)

    def do(self, action: str) -> dict[str, Any]:
        """
        The table after an action.
        """
        number = last(self)["number"]
        self.send({"type": "do", "number": number, "action": action})
        return self.next("table")


@contextlib.contextmanager
def windows(
    server: Server, *places: tuple[str, str], number: int = 0
) -> Iterator[list[Window]]:
    """
    Windows at tables, each given by the table and a secret.
    """
    with contextlib.ExitStack() as stack:
        found = []
        for table, secret in places:
            line = stack.enter_context(connect(server.socket, max_size=None))
            found.append(Window(line))
            found[-1].send({"table": table, "secret": secret, "number": number})
        yield found


@pytest.fixture(name="pair")
def _pair(server: Server) -> Iterator[tuple[Window, Window]]:
    """
    Ann and Ben at a table of two, whose game has begun.
    """
    made = server.new(players=2)
    came = {"table": made["table"], "invitation": made["join"], "name": "Ben"}
    other = server.post("join", came)
    places = ((made["table"], made["seat"]), (made["table"], other["seat"]))
    with windows(server, *places) as (ann, ben):
        ben.next("lobby")
        ann.send({"type": "start"})
        for one in (ann, ben):
            one.next("table")
        yield ann, ben


def acting(*windows: Window) -> tuple[Window, Window]:
    """
    The window whose turn it is, and another.
    """
    (seat,) = windows[0].log[-1]["view"]["to_act"]
    return windows[seat], windows[1 - seat]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_message_gets_one_error(pair: tuple[Window, Window], text: str) -> None:
    ann, ben = acting(*pair)
    before = ann.log[-1]["view"]
    (answer,) = ann.answers(text)
    assert answer["type"] == "error"
    assert len(answer["message"]) < 300
    assert ann.answers({"type": "do", "number": 9, "action": "draw"})  # it goes on
    table = ann.do("draw")
    assert table["number"] == 2
    assert len(table["view"]["hand"]) == len(before["hand"]) + 1
    assert ben.next("table")["number"] == 2


def test_forged_and_stale_actions_change_nothing(pair: tuple[Window, Window]) -> None:
    ann, ben = acting(*pair)
    seat, other = ann.log[-1]["view"]["seat"], ben.log[-1]["view"]["seat"]
    view = ann.log[-1]["view"]
    secret = ben.log[-1]["view"]["hand"][0]
    for who, action, kind in (
        (ben, "draw", "ruling"),
        (ben, f"{seat}: draw", "error"),
        (ann, f"{other}: draw", "error"),
        (ann, "deal 0 : 9c", "ruling"),
        (ann, "discard 9c", "ruling"),
        (ann, f"discard {secret}", "ruling"),
        (ann, "rob the bank", "error"),
        (ann, "\ud800", "error"),
        (ann, "draw\u0000", "error"),
    ):
        (answer,) = who.answers({"type": "do", "number": 1, "action": action})
        assert answer["type"] == kind, action
    for number in (0, 2, 1_000_000):
        (answer,) = ann.answers({"type": "do", "number": number, "action": "draw"})
        assert "somebody else acted first" in answer["message"]
    for message, said in (
        ({"type": "deal", "number": 1}, "the round is not over"),
        ({"type": "start"}, "begun already"),
        ({"type": "save"}, "every hand"),
        ({"type": "actions", "cards": ["9y"], "start": 0}, "9y"),
    ):
        (answer,) = ann.answers(message)
        assert answer["type"] == "error"
        assert said in answer["message"]
    table = ann.do("draw")
    assert table["number"] == 2
    assert set(view["hand"]) < set(table["view"]["hand"])


def test_action_sent_twice_counts_once(pair: tuple[Window, Window]) -> None:
    ann, ben = acting(*pair)
    draw = {"type": "do", "number": 1, "action": "draw"}
    assert ann.answers(draw)[0]["number"] == 2
    (again,) = ann.answers(draw)
    assert (again["type"], again["number"], again["events"]) == ("table", 2, [])
    assert ben.next("table")["number"] == 2


def test_seat_may_have_several_windows_and_come_back(server: Server) -> None:
    made = server.new(players=2, bot="greedy")
    place = (made["table"], made["seat"])
    with windows(server, place, place) as (one, two):
        one.send({"type": "start"})
        before = [one.next("table"), two.next("table")]
        while 0 not in before[0]["view"]["to_act"]:
            before = [one.next("table"), two.next("table")]
        assert before[0] == before[1]
        number = before[0]["number"]
        assert one.do("draw") == two.next("table")
    with windows(server, place, number=number) as (again,):
        table = again.next("table")
        assert table["number"] == number + 1
        assert [event["sentence"][:8] for event in table["events"]] == ["You draw"]


def test_table_says_who_is_away(server: Server) -> None:
    made = server.new(players=2)
    came = {"table": made["table"], "invitation": made["join"], "name": "Ben"}
    theirs = (made["table"], server.post("join", came)["seat"])
    with windows(server, (made["table"], made["seat"])) as (ann,):
        assert ann.next("lobby")["away"] == [1]
        with windows(server, theirs) as (one,):
            assert ann.next("lobby")["away"] == []
            with windows(server, theirs) as (other,):
                assert other.next("lobby")["away"] == []
                ann.next("lobby")
            assert ann.next("lobby")["away"] == []
            one.send({"type": "start"})
        assert ann.next("lobby")["away"] == [1]


def test_wrong_secrets_open_nothing(server: Server) -> None:
    made = server.new(watch=False)
    for hello in (
        {"table": made["table"], "secret": made["seat"][:-1], "number": 0},
        {"table": made["table"], "secret": made["join"], "number": 0},
        {"table": made["table"], "secret": "", "number": 0},
        {"table": made["table"], "secret": "\ud800", "number": 0},
        {"table": "nowhere", "secret": made["seat"], "number": 0},
        {"table": made["table"], "secret": made["seat"]},
        {"type": "start"},
        [],
    ):
        with connect(server.socket) as line:
            line.send(json.dumps(hello))
            assert json.loads(line.recv(timeout=20))["type"] == "error"
            with pytest.raises(ConnectionClosed):
                line.recv(timeout=20)


def test_spectator_sees_no_hand_and_does_nothing(server: Server) -> None:
    made = server.new(players=2)
    # A bot might take a card that all can see before the spectator comes.
    came = {"table": made["table"], "invitation": made["join"], "name": "Ben"}
    server.post("join", came)
    with windows(server, (made["table"], made["seat"])) as (ann,):
        watch = ann.next("lobby")["watch"]
        ann.send({"type": "start"})
        ann.next("table")
        with windows(server, (made["table"], watch)) as (other,):
            lobby, table = other.next(), other.next()
            assert lobby["invitation"] is None
            assert table["view"]["hand"] == []
            assert table["view"]["known"] == [[], []]
            assert table["actions"] is None
            for message in (
                {"type": "do", "number": table["number"], "action": "draw"},
                {"type": "deal", "number": table["number"]},
                {"type": "actions", "cards": [], "start": 0},
                {"type": "hint"},
                {"type": "start"},
            ):
                other.send(message)
                answer = other.next("error", "ruling", "actions", "hint")
                assert answer["type"] == "error"


def test_bad_requests_for_tables_get_one_error(server: Server) -> None:
    for change in (
        {"game": "poker"},
        {"options": ["PGV-C1a", "PGV-C1b"]},
        {"options": ["nothing"]},
        {"options": ["PGV-E5=" + "9" * 50]},
        {"options": "PGV-C1a"},
        {"players": 0},
        {"players": 99},
        {"players": 2.5},
        {"name": " "},
        {"name": "\ud800"},
        {"name": "A\u0007B"},
        {"name": "x" * 100},
        {"bot": "os:system"},
        {"bot": "search:playouts=9"},
        {"watch": 1},
        {"more": 1},
    ):
        answer = server.new(**change)
        assert answer["status"] == 400, change
        assert answer.keys() == {"status", "error"}
    for body in (b"", b"{", b"\xff", b"x" * 50_000, b"[" * 5_000):
        assert server.post("tables", body)["status"] == 400
    made = server.new(players=2)
    came = {"table": made["table"], "invitation": made["join"], "name": "Ben"}
    for change in ({"table": "x"}, {"invitation": "x"}, {"name": "Ann"}, {"name": ""}):
        assert server.post("join", {**came, **change})["status"] == 400
    assert server.post("join", came)["status"] == 201
    assert "all seats" in server.post("join", {**came, "name": "Cleo"})["error"]


def test_house_rules_are_listed_and_hold(server: Server) -> None:
    found = json.loads(server.get("api/games/gin-rummy"))["options"]
    options = {one["id"]: one for one in found}
    assert len(options) > 10
    assert all(one["title"] and one["text"] for one in options.values())
    chosen = "PGV-E5=30"
    made = server.new(game="gin-rummy", players=2, options=[chosen])
    with windows(server, (made["table"], made["seat"])) as (ann,):
        assert ann.next("lobby")["options"] == [chosen]
    assert "PGV-E5" in server.get(f"api/rules/{made['table']}")


def test_hint_is_legal_and_says_why(server: Server) -> None:
    made = server.new(players=2)
    with windows(server, (made["table"], made["seat"])) as (ann,):
        ann.send({"type": "start"})
        table = ann.next("table")
        while "hint" not in table["can"]:
            table = ann.next("table")
        ann.send({"type": "hint"})
        hint = ann.next("hint")
        assert hint["why"]
        assert ann.do(hint["action"])["number"] == table["number"] + 1


def offspring(process: int) -> set[int]:
    """
    The processes that a process has started.
    """
    found = Path(f"/proc/{process}/task/{process}/children").read_text("utf-8")
    return {int(one) for one in found.split()}


@pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc")
def test_killed_server_goes_on_with_every_table(tmp_path: Path) -> None:
    """
    Nothing that anybody was told is lost, and the old links are good.
    """
    server = Server.started(tmp_path / "tables.sqlite")
    games = ("rummy-500", "gin-rummy", "canasta", "contract-rummy")
    places: list[tuple[str, str]] = []
    seen: list[dict[str, Any]] = []
    rng = random.Random(5)
    try:
        for game in games:
            made = server.new(game=game, players=3 if game[:2] == "co" else 2)
            places.append((made["table"], made["seat"]))
        for _ in range(3):
            with windows(server, *places) as lines:
                for line in lines if not seen else ():
                    line.send({"type": "start"})
                for line in lines:
                    for _ in range(rng.randrange(6)):
                        play_once(line, rng)
                seen = [last(line) for line in lines]
                workers = offspring(server.process.pid)
                server.kill()
                until = time.monotonic() + 10
                while any(map(is_running, workers)):  # nothing of it stays behind
                    assert time.monotonic() < until
                    time.sleep(0.05)
            server = Server.started(tmp_path / "tables.sqlite")
            with windows(server, *places) as lines:
                for line, before in zip(lines, seen, strict=True):
                    table = line.next("table")
                    assert table["number"] >= before["number"]
                    if table["number"] == before["number"]:
                        assert table["view"] == before["view"]
                    play_once(line, rng)
    finally:
        assert server.stop() == ""
    with contextlib.closing(Store(tmp_path / "tables.sqlite")) as store:
        assert sorted(store.rooms()) == sorted(table for table, _ in places)


def last(window: Window) -> dict[str, Any]:
    """
    The last table that a window was told of.
    """
    told = (one for one in window.log[::-1] if one["type"] == "table")
    return next(told, None) or window.next("table")


def play_once(window: Window, rng: random.Random) -> None:
    """
    Do something at random, as soon as it is one's turn.
    """
    table = last(window)
    while not (table["over"] or table["view"]["seat"] in table["view"]["to_act"]):
        table = window.next("table")
    if table["over"] == "match":
        return
    if table["over"] == "round":
        window.send({"type": "deal", "number": table["number"]})
    else:
        action = rng.choice(table["actions"]["actions"])["text"]
        window.send({"type": "do", "number": table["number"], "action": action})
    while window.next("table")["number"] <= table["number"]:
        pass


def is_running(process: int) -> bool:
    """
    Whether a process has not ended.
    """
    try:
        state = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2]
    except OSError:
        return False
    return state.split()[0] != "Z"


# --------------------------------------------------------------------- slow work


def test_work_is_done_in_another_process_and_survives_its_end() -> None:
    async def work() -> None:
        worker = Worker()
        try:
            state = rv.new_game("rummy-500", 2, seed=1)
            view = rv.view(state, state.turn)
            assert await worker.do("choose", "careful", view, 1) in {"draw", "take 1"}
            assert worker._process is not None
            assert worker._process.pid != os.getpid()
            with pytest.raises(WorkError, match="KeyError"):
                await worker.do("fly")
            with pytest.raises(WorkError, match="BotError"):
                await worker.do("choose", "nobody", view, 1)
            worker._process.kill()
            with contextlib.suppress(WorkError):  # the one that it was killed in
                await worker.do("choose", "careful", view, 1)
            assert await worker.do("choose", "careful", view, 1) in {"draw", "take 1"}
            with pytest.raises(WorkError, match="given up"):
                await worker.do("choose", "careful", view, 1, seconds=0)
            # One who asks and leaves does not disturb the next.
            task = asyncio.create_task(worker.do("choose", "greedy", view, 1))
            await asyncio.sleep(0)
            task.cancel()
            assert len(await worker.do("options", "gin-rummy")) > 10
        finally:
            await worker.end()

    asyncio.run(work())


def test_ending_amid_a_job_is_quiet(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        for _ in range(5):
            worker = Worker()
            with pytest.raises(WorkError, match="KeyError"):
                await worker.do("fly")  # the process runs
            job = asyncio.create_task(worker.do("options", "gin-rummy"))
            await asyncio.sleep(0.01)
            await worker.end()
            with pytest.raises(WorkError, match="given up"):
                await job

    asyncio.run(work())
    assert caplog.messages == []


def test_a_bot_that_thinks_for_ever_is_stopped_and_its_process_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "endless.py").write_text(
        "class Bot:\n"
        "    def choose(self, view, rng):\n"
        "        while True:\n"
        "            pass\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    async def work() -> None:
        worker = Worker()
        try:
            state = rv.new_game("rummy-500", 2, seed=1)
            view = rv.view(state, state.turn)
            said = (
                r"BotTimeoutError: the bot endless:Bot made no choice within 0\.2 sec"
            )
            with pytest.raises(WorkError, match=said):
                await worker.do("choose", "endless:Bot", view, 1, 0.2)
            process = worker._process
            assert await worker.do("choose", "careful", view, 1) in {"draw", "take 1"}
            assert process is not None
            assert worker._process is process
        finally:
            await worker.end()

    asyncio.run(work())


# ------------------------------------------------------------------------- in a browser


@pytest.fixture(name="browser", scope="module")
def _browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


@pytest.fixture(name="component", scope="module")
def _component(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """
    The address of a page that has a table and no host: the test is its host.
    """
    folder = tmp_path_factory.mktemp("component") / "page"
    shutil.copytree(ROOT / "examples" / "web_table" / "static", folder)
    (folder / "alone.html").write_text(
        """<!doctype html><html lang="en"><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <link rel="icon" href="data:,"><link rel="stylesheet" href="table.css">
        <title>A table</title><div id="here"></div><script type="module">
        import { Table } from "./table.js";
        window.sent = [];
        const here = document.querySelector("#here");
        window.table = new Table(here, (message) => sent.push(message));
        </script>""",
        encoding="utf-8",
    )
    with served(folder) as address:
        yield f"{address}/alone.html"


SELECT: Final = """(cards) => {
  table.clear();
  window.sent.length = 0;
  for (const card of cards) {
    const one = [...document.querySelectorAll(".rv-held[aria-selected='false']")]
      .find((held) => held.dataset.card === card);
    one?.click();
  }
  return window.sent.filter(({ type }) => type === "actions");
}"""
SHOWN: Final = """(text) => {
  for (const one of document.querySelectorAll(".rv-choices button"))
    if (/^\\d+ more$/.test(one.textContent)) one.click();
  return [...document.querySelectorAll("[data-action]:enabled")]
    .some((one) => one.dataset.action === text && one.getAttribute("aria-label"));
}"""


TOUCH: Final = """(number) => {
  window.sent.length = 0;
  document.querySelector(`[data-focus="meld-${number}"]`).click();
  const done = window.sent.find(({ type }) => type === "do");
  return done && done.action.endsWith(` on ${number}`) ? done.action : null;
}"""


@pytest.mark.parametrize("game", rv.presets())
def test_every_action_of_every_game_is_offered_by_its_cards(
    browser: Any, component: str, store: Store, game: str
) -> None:
    """
    Select one or all cards of a legal action: there is a button for it, on a phone too.

    Where the cards go onto a meld, a touch of the meld does it, or shows the buttons of
    what it may mean.
    """
    rng = random.Random(game)
    table = begun(store, game=game, players=players_for(game))
    offered = Counter[str]()
    phone = {"width": 360, "height": 740}
    with opened(browser, component, viewport=phone) as page:
        page.wait_for_function("window.table")
        while table.number < 250 and not is_over(table) and offered.total() < 60:
            assert table.state is not None
            for seat in table.state.to_act:
                legal = [*rv.legal_actions(table.state, seat).details()]
                by_verb = {one.verb: one for one in rng.sample(legal, len(legal))}
                new = [one for one in by_verb.values() if offered[one.verb] < 6]
                if not new:
                    continue
                told = table.view(seat, 10**6)
                for one in new:
                    page.evaluate("(told) => table.receive(told)", told)
                    shown = [card.card for meld in one.melds for card in meld]
                    cards = shown if len(shown) > len(one.cards) else one.cards
                    if one.verb in {"knock", "declare"}:
                        cards = [*one.cards, *shown]
                    texts = [str(card) for card in cards]
                    for chosen in (texts[:1], texts):
                        is_all = chosen == texts
                        for asked in page.evaluate(SELECT, chosen):
                            found = table.actions(seat, asked["cards"], asked["start"])
                            is_all = is_all or found["page"]["next"] is None
                            page.evaluate("(told) => table.receive(told)", found)
                        if is_all:
                            assert page.evaluate(SHOWN, one.text), one.text
                    if one.verb in {"lay", "swap"}:
                        done = page.evaluate(TOUCH, one.meld)
                        assert [done] == [
                            each.text for each in legal if each.text == done
                        ] or page.evaluate(SHOWN, one.text)
                    offered[one.verb] += 1
                wide = page.evaluate("document.documentElement.scrollWidth")
                assert wide <= 360
            go_on(table, rng)
    assert offered.total() > 12
    assert len(offered) > 2


def test_table_says_what_it_shows_and_refuses_with_the_rule(
    browser: Any, component: str, store: Store
) -> None:
    """
    By keyboard alone: a card that may not go, and the ruling that says so.
    """
    table = begun(store, players=2, game="rummy-500")
    table.do(0, 1, "draw") if 0 in table.view(0, 0)["view"]["to_act"] else None
    seat = table.view(0, 0)["view"]["to_act"][0]
    if table.view(seat, 0)["view"]["phase"] == "draw":
        table.do(seat, table.number, "draw")
    told = table.view(seat, 0)
    with opened(browser, component) as page:
        page.wait_for_function("window.table")
        page.evaluate("(told) => table.receive(told)", told)
        hand = page.get_by_role("listbox", name="Your hand")
        options = hand.get_by_role("option")
        assert options.count() == len(told["view"]["hand"])
        names = [one.get_attribute("aria-label") for one in options.all()]
        assert all(" of " in name or "joker" in name for name in names)
        page.keyboard.press("Tab")
        for _ in range(12):
            if page.evaluate("document.activeElement.role") == "option":
                break
            page.keyboard.press("Tab")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
        page.keyboard.press("End")
        page.keyboard.press("Space")
        assert page.locator("[aria-selected=true]").count() == 2
        page.keyboard.press("Escape")
        assert page.locator("[aria-selected=true]").count() == 0
        page.keyboard.press("Home")
        page.keyboard.press("Enter")
        (sent,) = page.evaluate("sent")
        assert sent["number"] == told["number"]
        assert sent["action"].startswith("discard ")
        with pytest.raises(rv.IllegalAction) as refused:
            table.do(seat, table.number, "lay 9c on 1")
        ruling = to_data(refused.value.ruling)
        page.evaluate(
            "(told) => table.receive(told)",
            {"type": "ruling", "action": "lay 9c on 1", "ruling": ruling},
        )
        alert = page.get_by_role("alert").inner_text()
        assert ruling["rule"] in alert
        assert "Not allowed" in alert


class Frames:
    """
    All that a page was sent over WebSockets.
    """

    def __init__(self, page: Any) -> None:
        self.told: list[str] = []
        page.on("websocket", self._follow)

    def _follow(self, line: Any) -> None:
        line.on("framereceived", lambda frame: self.told.append(str(frame)))


def act_in(page: Any) -> None:
    """
    Do something at a page whose turn it is: what the hint says.
    """
    page.get_by_role("button", name="Hint").click()
    page.locator(".rv-hint").get_by_role("button", name="Do it").click()
    page.locator(".rv-hint").wait_for(state="detached")


def test_two_browsers_play_a_round(browser: Any, server: Server) -> None:
    """
    From the form for a new table to the score sheet, watched by a third window.

    What each window was sent is compared with the states of the game as the database
    has it: no window was sent a card that its seat had not seen.
    """
    phone = {"viewport": {"width": 360, "height": 740}}
    with contextlib.ExitStack() as stack:
        ann, ben, cleo = (
            stack.enter_context(opened(browser, "about:blank", **phone))
            for _ in range(3)
        )
        frames = [Frames(one) for one in (ann, ben, cleo)]
        ann.goto(server.address)
        ann.locator("#new").get_by_label("Your name").fill("Ann")
        ann.get_by_label("Game").select_option("gin-rummy")
        ann.get_by_label("Others may watch").check()
        ann.get_by_role("button", name="Make the table").click()
        ann.locator("#lobby").wait_for()
        ben.goto(ann.get_by_label("For friends who want to play").input_value())
        ben.locator("#join").get_by_label("Your name").fill("Ben")
        ben.get_by_role("button", name="Take a seat").click()
        cleo.goto(ann.get_by_label("For friends who want to watch").input_value())
        ann.get_by_text("Ben").wait_for()
        ann.get_by_role("button", name="Start the game").click()
        for turn in range(200):
            for page in (ann, ben):
                page.locator(".rv-status").wait_for()
            acts = next((p for p in (ann, ben) if p.locator(".rv-turn").count()), None)
            if acts is not None:
                act_in(acts)
            elif ann.get_by_role("button", name="Deal the next round").count():
                break
            assert turn < 199
        ann.get_by_role("button", name="Score sheet").click()
        sheet = ann.get_by_role("dialog").inner_text()
        assert "Round 1" in sheet
        assert "Total" in sheet
        assert ann.evaluate("document.documentElement.scrollWidth") <= 360
        assert cleo.locator(".rv-status").inner_text() == "The round is over"
        assert cleo.locator(".rv-held").count() == 0
        drawn = (
            "[...document.querySelectorAll('.rv-card use')].every((one) => "
            "document.getElementById(one.getAttribute('href').slice(1)))"
        )
        assert all(page.evaluate(drawn) for page in (ann, ben, cleo))
        address = ann.evaluate("location.hash")
        # A page that is loaded anew is at the table again.
        ben.reload()
        ben.get_by_role("button", name="Deal the next round").click()
        ann.get_by_text("Round 2").first.wait_for()
    compare_with_states(server, address, frames)


def compare_with_states(server: Server, address: str, frames: list[Frames]) -> None:
    """
    Look for cards in all messages that a seat was sent, in the order of the game.
    """
    room = urllib.parse.parse_qs(address.lstrip("#"))["table"][0]
    secrets = [urllib.parse.parse_qs(address.lstrip("#"))["seat"][0]]
    copied = server.file.with_name("copied.sqlite")
    shutil.copy(server.file, copied)
    shutil.copy(f"{server.file}-wal", f"{copied}-wal")
    with contextlib.closing(Store(copied)) as store:
        found = store.room(room)
    assert found is not None
    made, people, rows = found
    assert [one.name for one in people] == ["Ann", "Ben"]
    assert made.head is not None
    begun_as = rv.files.Record.parse(made.head)
    state = rv.game.begin(begun_as.rules, begun_as.players, seed=begun_as.seed)
    by_number: dict[int, list[set[str]]] = {}
    known = Known(2)
    for number, (seat, text) in enumerate(rows, 1):
        if seat is None:
            known = Known(2)
        state = rv.apply(state, rv.game.parse_action(text, seat=seat))
        known.look(state)
        by_number[number] = [set(one) for one in known.faces]
    for at, window in enumerate(frames):
        told = [json.loads(one) for one in window.told]
        tables = [one for one in told if one["type"] == "table"]
        assert len(tables) > 10
        assert {one["type"] for one in told} <= {
            *("lobby", "table", "actions", "hint", "sheet")
        }
        for one in tables:
            faces = set(FACE.findall(PLACES.sub("", json.dumps(one))))
            assert faces <= by_number[one["number"]][at]
        if at != 0:
            assert not any(secrets[0] in one for one in window.told)
        assert not any('"seed"' in one or '"deal ' in one for one in window.told)


def test_page_comes_back_when_the_server_does(browser: Any, tmp_path: Path) -> None:
    server = Server.started(tmp_path / "tables.sqlite")
    made = server.new(players=2, game="gin-rummy")
    place = urllib.parse.urlencode({"table": made["table"], "seat": made["seat"]})
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(f"{server.address}/#{place}")
        page.get_by_role("button", name="Start the game").click()
        page.locator(".rv-turn").wait_for()
        server.kill()
        page.get_by_text("The connection is lost").wait_for()
        server = Server.started(server.file, port=server.port)
        page.get_by_text("The connection is lost").wait_for(state="detached")
        act_in(page)
    finally:
        context.close()
        assert server.stop() == ""
