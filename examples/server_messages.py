"""
The messages of a server and its clients: views, structured actions, rulings, scores.

`Server` answers one text of JSON with another, so any transport can carry them. Three
clients, which know only the protocol, play a match with it. At the end the program
compares every message with those of games whose hidden cards are others, and finds no
difference.
"""

from __future__ import annotations

import json
import random

from collections.abc import Callable
from typing import Any, Final

import rummyvariants as rv

from rummyvariants.files.json import JsonError, from_data, loads, schema, to_data


RULES = rv.preset("rummy-500").with_options("PGV-P4", "PGV-E5=100")
PLAYERS = ("Ann", "Ben", "Cleo")
LONGEST: Final = 20_000
"""The most characters of a message from a client."""
PAGE: Final = 25
"""How many legal actions are sent at once."""


# [server: begin]
class Server:
    """
    One game, and what each token may do and see.
    """

    def __init__(self, rules: rv.Ruleset, players: tuple[str, ...], seed: int) -> None:
        self.state = rv.new_game(rules, players, seed=seed)
        self.seats = {f"secret of {name}": seat for seat, name in enumerate(players)}
        self.results: list[rv.game.RoundResult] = []
        self.happened: dict[int, list[dict[str, Any]]] = {}
        self.asked: dict[str, Callable[[int, dict[str, Any]], dict[str, Any]]] = {
            "view": lambda seat, _: self.view(seat),
            "rules": lambda *_: {"rules": to_data(self.state.rules)},
            "scores": lambda *_: {
                "scores": to_data(rv.game.score_sheet(self.state, self.results))
            },
            "actions": self.actions,
            "choose": self.choose,
            "may": lambda seat, given: {
                "ruling": to_data(rv.check(self.state, action_of(given), seat))
            },
            "do": self.do,
        }

    def answer(self, token: str, text: str) -> str:
        """
        The answer to a message; one that cannot be read changes nothing.
        """
        try:
            found = self.answered(token, text)
        except rv.IllegalAction as error:
            found = {"error": error.ruling.reason, "ruling": to_data(error.ruling)}
        except rv.RummyError as error:
            found = {"error": str(error)}
        return json.dumps({"number": len(self.state.history), **found})

    def answered(self, token: str, text: str) -> dict[str, Any]:
        """
        What is asked, from whoever has the token.
        """
        need(token in self.seats, "who are you? No player has this token")
        need(len(text) <= LONGEST, f"a message has at most {LONGEST} characters")
        given = loads(text)
        ask = given.get("ask") if isinstance(given, dict) else None
        known = [*self.asked]
        need(ask in known, f"send an object in which 'ask' is one of {known}")
        seat = self.seats[token]
        # A document may name a seat; only the token says who sends.
        if isinstance(given.get("action"), dict):
            named = given["action"].get("seat", seat)
            need(named in (None, seat), f"you have seat {seat}, not {named!r}")
        return self.asked[ask](seat, given)

    def view(self, seat: int) -> dict[str, Any]:
        """
        Where everything is, with no more than the number of the hidden cards.
        """
        return {
            "view": to_data(rv.view(self.state, seat), legal=PAGE),
            "events": self.happened.get(seat, []),
        }

    def actions(self, seat: int, given: dict[str, Any]) -> dict[str, Any]:
        """
        A page of legal actions, all of them or those with a card.
        """
        legal = rv.legal_actions(self.state, seat)
        page = legal.page(given.get("start", 0), PAGE, given.get("card"))
        return {"actions": to_data(page)}

    def choose(self, seat: int, given: dict[str, Any]) -> dict[str, Any]:
        """
        What may be chosen after the choices that the client sends; nothing is kept.
        """
        at = rv.view(self.state, seat)
        begun = {"seat": seat, "taken": []}
        found = from_data(given.get("chooser", begun), rv.game.Chooser, at)
        return {"chooser": to_data(found)}

    def do(self, seat: int, given: dict[str, Any]) -> dict[str, Any]:
        """
        Do an action, and deal if that ends a round.
        """
        is_new = given.get("number") == len(self.state.history)
        need(is_new, "somebody else acted first: look at the view again")
        steps = [rv.step(self.state, action_of(given), seat)]
        while steps[-1].after.phase == "deal":
            steps.append(rv.step(steps[-1].after, rv.game.next_deal(steps[-1].after)))
        self.state = steps[-1].after
        self.results += [step.result for step in steps if step.result]
        for other in self.seats.values():
            self.happened[other] = [
                to_data(seen) for step in steps for seen in step.seen_by(other)
            ]
        return self.view(seat)


def need(condition: bool, message: str) -> None:  # noqa: FBT001 -- what is needed
    """
    Refuse a message that lacks something.
    """
    if not condition:
        raise JsonError(message)


def action_of(given: dict[str, Any]) -> rv.Action:
    """
    The action that a message names.
    """
    return from_data(given.get("action"), "action")


# [server: end]


# [client: begin]
class Client:
    """
    A player's program: it knows the protocol, and no Python of the library.
    """

    def __init__(self, ask: Callable[..., dict[str, Any]], seat: int) -> None:
        self.ask = ask
        self.seat = seat
        self.rng = random.Random(seat)

    def play(self) -> None:
        """
        Touch cards until one may be laid, else choose step by step.
        """
        message = self.ask("view")
        view, number = message["view"], message["number"]
        if self.seat not in view["to_act"]:
            return
        for card in dict.fromkeys(view["hand"]):
            page = self.ask("actions", card=card)["actions"]
            lays = [one for one in page["actions"] if one["verb"] in {"meld", "lay"}]
            if lays:
                self.do(lays[0]["text"], number)
                return
        chooser = self.ask("choose")["chooser"]
        while chooser["action"] is None:
            one = self.rng.choice(chooser["choices"])
            taken = [*chooser["taken"], {"text": one["text"]}]
            chooser = self.ask("choose", chooser={"seat": self.seat, "taken": taken})[
                "chooser"
            ]
        self.do(chooser["action"]["action"], number)

    def do(self, text: str, number: int) -> None:
        """
        Ask whether an action is legal, and do it.
        """
        action = {"seat": self.seat, "action": text}
        assert self.ask("may", action=action)["ruling"]["legal"]
        assert "error" not in self.ask("do", action=action, number=number)


# [client: end]


# [check: begin]
Log = list[tuple[rv.State, int, str, str]]
"""The state, the seat that asked, its message and the answer."""


def look_for_secrets(log: Log) -> int:
    """
    Answer each message again in a game whose hidden cards are others.

    Returns:
        How many answers were compared.
    """
    rng = random.Random(1)
    compared = 0
    for state, seat, asked, answer in log:
        if json.loads(asked)["ask"] in {"do", "scores", "rules"}:
            continue  # these depend on other cards, or on none
        other = Server(RULES, PLAYERS, seed=0)
        other.state = rv.determinize(rv.view(state, seat), rng)
        again = json.loads(other.answer(f"secret of {PLAYERS[seat]}", asked))
        before = json.loads(answer)
        for key in ("view", "actions", "chooser", "ruling"):
            assert again.get(key) == before.get(key), (asked, key)
        compared += 1
    return compared


def assert_keeps_secrets(events: list[dict[str, Any]], seat: int) -> None:
    """
    What a seat is told names no card that another was dealt or drew.
    """
    for event in events:
        for move in event["moves"]:
            source, target = move["source"], move["target"]
            if source["place"] == "stock" and target["place"] == "hand":
                assert (move["card"] is None) == (target["seat"] != seat), event
                if move["card"] is None:
                    assert event.get("card") is event.get("cards") is None, event


# [check: end]

BAD: Final = (
    ("Ben", {"ask": "do", "action": {"seat": 1, "action": "draw"}, "number": 1}),
    ("Ben", {"ask": "do", "action": {"seat": 0, "action": "draw"}, "number": 1}),
    ("Ann", {"ask": "do", "action": {"seat": 0, "action": "draw"}, "number": 0}),
    ("Ann", {"ask": "do", "action": {"seat": 0, "action": "discard Kc"}, "number": 1}),
    ("Ann", {"ask": "do", "action": {"seat": 0, "action": "drag"}, "number": 1}),
    ("Ann", {"ask": "do", "action": {"seat": 0}, "number": 1}),
    ("Ann", {"ask": "do", "action": "draw", "number": 1}),
    (
        "Ann",
        {"ask": "do", "action": {"seat": None, "action": "deal 0 : Kc"}, "number": 1},
    ),
    ("Ann", {"ask": "everything"}),
    ("Ann", {"ask": "actions", "start": -1}),
    ("Ann", {"ask": "actions", "card": "Ky"}),
    ("Ann", {"ask": "choose", "chooser": {"seat": 1, "taken": []}}),
    ("Ann", {"ask": "choose", "chooser": {"seat": 0, "taken": [{"text": "fly"}]}}),
    ("Dan", {"ask": "view"}),
)
"""Messages that are forged, stale or malformed."""


def main() -> None:
    """
    Try to cheat, play a match, and check what was sent.
    """
    server = Server(RULES, PLAYERS, seed=5)
    start = server.state
    for text in (
        *("{", "[]", '{"ask": ["view"]}', "9" * 30_000, "[" * 10_000),
        '{"ask": "do", "number": 1, "action": {"seat": [0], "action": "draw"}}',
        '{"ask": "actions", "card": 7}',
        '{"ask": "view", "ask": "do"}',
        '{"ask": "choose", "chooser": 7}',
    ):
        answer = json.loads(server.answer("secret of Ann", text))
        assert set(answer) == {"number", "error"}, answer
    for name, message in BAD:
        answer = json.loads(server.answer(f"secret of {name}", json.dumps(message)))
        said = answer["error"].partition("\n")[0]
        print(f"{name}, {json.dumps(message)[:58]}\n    {said[:76]}")
        assert server.state is start

    log: Log = []

    def asking(seat: int) -> Callable[..., dict[str, Any]]:
        def ask(what: str, **rest: Any) -> dict[str, Any]:
            text = json.dumps({"ask": what, **rest})
            before = server.state
            answer = server.answer(f"secret of {PLAYERS[seat]}", text)
            log.append((before, seat, text, answer))
            return json.loads(answer)  # type: ignore[no-any-return]

        return ask

    clients = [Client(asking(seat), seat) for seat in range(len(PLAYERS))]
    told: list[str] = []
    while not server.state.is_over:
        for client in clients:
            before = server.state
            client.play()
            if server.state is not before:
                for seat, events in server.happened.items():
                    assert_keeps_secrets(events, seat)
                told += [event["text"] for event in server.happened[0]]
    print(*told[:8], sep="\n")

    sheet = clients[0].ask("scores")["scores"]
    print("points by round:", [one["result"]["points"] for one in sheet["rounds"]])
    assert from_data(sheet, rv.game.ScoreSheet).scores == server.state.scores
    assert sheet["winners"] == list(server.state.winners) != []
    again = rv.files.replay_steps(rv.record(server.state))
    assert server.results == [step.result for step in again if step.result]
    rules = clients[0].ask("rules")["rules"]
    assert from_data(rules, rv.Ruleset) == RULES
    print("real_card:", rules["values"]["wild.real_card"])
    assert "score_sheet" in schema()["$defs"]
    compared = look_for_secrets(log)
    assert compared > 500
    print(f"{compared} answers do not depend on a hidden card")


if __name__ == "__main__":
    main()
