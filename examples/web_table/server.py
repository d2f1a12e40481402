"""
The server: pages, links, and WebSockets between tables and browsers.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

import rummyvariants as rv

from rummyvariants import svg
from rummyvariants.bots.names import BOT_NAMES
from rummyvariants.errors import RummyError
from rummyvariants.files.json import to_data

from . import messages
from .hub import LOG, Hub, Line
from .messages import BadMessageError, Message
from .store import Store
from .table import Table
from .worker import Worker, WorkError


STATIC: Final = Path(__file__).with_name("static")
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self' ws: wss:; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}
_FIRST: Final = 20
"""Seconds in which a connection has to say whose it is."""
_AT_ONCE: Final = 40
"""How many messages a connection may send at once."""
_A_SECOND: Final = 20
"""How many it may send a second in the long run."""
Answer = Callable[[Request], Awaitable[Response]]


def app(database: Path | str, pause: float = 0.8) -> Starlette:
    """
    The application, for any server of ASGI.

    Args:
        database: The file with the tables; it is made if it is not there.
        pause: Seconds between the actions of bots.
    """

    @contextlib.asynccontextmanager
    async def lifespan(made: Starlette) -> AsyncIterator[None]:
        hub = Hub(Store(database), Worker(), pause)
        made.state.hub = hub
        try:
            yield
        finally:
            await hub.close()

    return Starlette(
        routes=[
            Route("/api/games", games),
            Route("/api/games/{game}", options),
            Route("/api/tables", create, methods=["POST"]),
            Route("/api/join", join, methods=["POST"]),
            Route("/api/rules/{table}", rules),
            Route("/cards.svg", cards),
            WebSocketRoute("/api/play", play),
            Mount("/", StaticFiles(directory=STATIC, html=True)),
        ],
        middleware=[Middleware(BaseHTTPMiddleware, dispatch=_with_headers)],
        lifespan=lifespan,
    )


async def _with_headers(request: Request, call_next: Answer) -> Response:
    """
    Every answer over HTTP, with what it asks of browsers.
    """
    response = await call_next(request)
    response.headers.update(_HEADERS)
    return response


# ---------------------------------------------------------------------------- over HTTP


def answering(answer: Answer) -> Answer:
    """
    A function that answers a bad request with one error.
    """

    @functools.wraps(answer)
    async def wrapped(request: Request) -> Response:
        try:
            return await answer(request)
        except RummyError as error:
            return JSONResponse({"error": str(error)}, 400)

    return wrapped


async def body(request: Request, keys: messages.Keys) -> Message:
    """
    The object that a request holds; no more of a long one is read than is needed.
    """
    read = b""
    async for part in request.stream():
        read += part
        if len(read) > messages.LONGEST:
            break
    return messages.read(read, keys)


@functools.cache
def _games() -> list[dict[str, Any]]:
    """
    The games, with how many may play them.
    """
    found = []
    for name in rv.presets():
        players = []
        for number in range(2, 9):
            with contextlib.suppress(RummyError):
                rv.game.begin(name, number, seed=0)
                players.append(number)
        title = rv.preset(name).title
        found.append({"name": name, "title": title, "players": players})
    return found


@answering
async def games(_: Request) -> Response:
    """
    The games there are, and the bots.
    """
    return JSONResponse({"games": _games(), "bots": list(BOT_NAMES)})


_OPTIONS: Final[dict[str, Any]] = {}
"""The options of each game that was asked about."""


@answering
async def options(request: Request) -> Response:
    """
    The house rules that go with a game.
    """
    game = rv.preset(request.path_params["game"]).name
    if game not in _OPTIONS:
        try:
            _OPTIONS[game] = await _hub(request).worker.do("options", game)
        except WorkError:
            LOG.exception("the options of %s could not be listed", game)
            return JSONResponse({"error": "the options cannot be listed now"}, 503)
    return JSONResponse({"options": _OPTIONS[game]})


@answering
async def create(request: Request) -> Response:
    """
    Make a table.
    """
    given = await body(request, messages.NEW)
    if given["bot"] not in BOT_NAMES:
        msg = f"'bot' is one of {', '.join(BOT_NAMES)}"
        raise BadMessageError(msg)
    table, secret = Table.new(_hub(request).store, given)
    room = table.room
    found = {"table": room.id, "seat": secret, "join": room.invitation}
    return JSONResponse(found, 201)


@answering
async def join(request: Request) -> Response:
    """
    Take a seat at a table.
    """
    given = await body(request, messages.JOIN)
    hub = _hub(request)
    table = hub.table(given["table"])
    secret = table.join(given["invitation"], given["name"])
    hub.tell(table, lobby=True)
    return JSONResponse({"table": table.room.id, "seat": secret}, 201)


@answering
async def rules(request: Request) -> Response:
    """
    The rule sheet of a table.
    """
    table = _hub(request).table(request.path_params["table"])
    return PlainTextResponse(table.rules.describe())


async def cards(_: Request) -> Response:
    """
    The pictures of all cards.
    """
    return Response(svg.sprite(), media_type="image/svg+xml")


def _hub(request: Request | WebSocket) -> Hub:
    """
    The tables of the server.
    """
    hub = request.app.state.hub
    assert isinstance(hub, Hub)
    return hub


# ---------------------------------------------------------------------- over WebSockets


async def play(socket: WebSocket) -> None:
    """
    One window of somebody at a table, from its first message to its last.
    """
    await socket.accept()
    hub = _hub(socket)
    with contextlib.suppress(WebSocketDisconnect, TimeoutError):
        try:
            async with asyncio.timeout(_FIRST):
                hello = messages.read(await received(socket), messages.HELLO)
            table = hub.table(hello["table"])
            line = Line(table.seat_of(hello["secret"]), hello["number"])
        except BadMessageError as error:
            await socket.send_json({"type": "error", "message": str(error)})
            await socket.close(1008)
            return
        hub.enter(table, line)
        sending = asyncio.create_task(_send(socket, line))
        try:
            await _follow_all(socket, hub, table, line)
        finally:
            hub.leave(table, line)
            sending.cancel()


async def _follow_all(socket: WebSocket, hub: Hub, table: Table, line: Line) -> None:
    """
    Follow the messages of a connection, no faster than a person could send them.
    """
    clock = asyncio.get_running_loop().time
    earliest = clock()
    while True:
        text = await received(socket)
        earliest = max(earliest, clock() - _AT_ONCE / _A_SECOND) + 1 / _A_SECOND
        await asyncio.sleep(earliest - clock())
        await follow(hub, table, line, text)


async def received(socket: WebSocket) -> str:
    """
    The next message, as text; bytes are none.
    """
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    return message.get("text") or ""


async def _send(socket: WebSocket, line: Line) -> None:
    """
    Send what waits for a connection, until it ends.
    """
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (text := await line.waiting.get()) is not None:
            await socket.send_text(text)
        await socket.close(1013)


async def follow(hub: Hub, table: Table, line: Line, text: str) -> None:
    """
    Do what a message asks; whatever is wrong with it is one message to its sender.
    """
    given: Message = {}
    try:
        given = messages.read_typed(text, messages.PLAY)
        await _FOLLOWED[given["type"]](hub, table, line, given)
    except rv.IllegalAction as error:
        ruling = to_data(error.ruling)
        line.send({"type": "ruling", "action": given["action"], "ruling": ruling})
    except RummyError as error:
        line.send({"type": "error", "message": str(error)})
    except WorkError:
        LOG.exception("no hint")
        line.send({"type": "error", "message": "there is no hint now"})
    except Exception:  # noqa: BLE001 -- a fault of ours ends no game
        LOG.exception("a message of type %r", given.get("type"))
        line.send({"type": "error", "message": "the server could not do this"})


async def _do(hub: Hub, table: Table, line: Line, given: Message) -> None:
    if table.do(line.seat, given["number"], given["action"]):
        hub.tell(table)
    else:
        line.send(table.view(line.seat, table.number))


async def _deal(hub: Hub, table: Table, line: Line, given: Message) -> None:
    if table.deal(line.seat, given["number"]):
        hub.tell(table)


async def _start(hub: Hub, table: Table, line: Line, _: Message) -> None:
    table.start(line.seat)
    hub.tell(table, lobby=True)


async def _actions(_: Hub, table: Table, line: Line, given: Message) -> None:
    line.send(table.actions(line.seat, given["cards"], given["start"]))


async def _sheet(_: Hub, table: Table, line: Line, __: Message) -> None:
    line.send(table.sheet())


async def _save(_: Hub, table: Table, line: Line, __: Message) -> None:
    line.send(table.record())


async def _hint(hub: Hub, table: Table, line: Line, _: Message) -> None:
    if table.state is None or line.seat not in table.state.to_act:
        msg = "there is nothing for you to do now"
        raise BadMessageError(msg)
    number, view = table.number, rv.view(table.state, line.seat)
    action = await hub.decide(table, line.seat)
    if table.number == number:
        why = rv.check(view.world, action, line.seat).reason
        line.send({"type": "hint", "action": action, "why": why})


_FOLLOWED: Final[dict[str, Callable[[Hub, Table, Line, Message], Awaitable[None]]]] = {
    "do": _do,
    "actions": _actions,
    "deal": _deal,
    "start": _start,
    "hint": _hint,
    "sheet": _sheet,
    "save": _save,
}
