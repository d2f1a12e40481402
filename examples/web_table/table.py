"""
One table: its people, its game, and what each seat is told.

Nothing here awaits, so each method is done before another message is looked at, and no
other lock is needed. What changes is stored before anybody is told.
"""

from __future__ import annotations

import hashlib
import itertools
import secrets

from collections import Counter, deque
from collections.abc import Container, Iterator
from typing import Any, Final

import rummyvariants as rv

from rummyvariants.files.json import to_data

from .messages import BadMessageError, Message
from .store import Person, Room, Row, Store


PAGE: Final = 60
"""How many legal actions are sent at once."""
_LOOKED_AT: Final = 2_000
"""How many legal actions are looked at for those with certain cards."""
_KEPT: Final = 60
"""How many steps are kept for a client that comes back."""
_BOTS: Final = ("Robin", "Kim", "Sasha", "Alex", "Toni", "Charlie", "Jo", "Sam")
"""Names of bots, as many as there may be seats."""


class Table:
    """
    A table, which the store keeps.

    Attributes:
        room: What it was made with.
        rules: Its rules.
        people: Who has a seat, by seat.
        state: The game; None before it begins.
    """

    def __init__(self, store: Store, room: Room, people: list[Person]) -> None:
        self._store = store
        self.room = room
        self.rules = rules_of(room)
        self.people = {one.seat: one for one in people}
        self.state: rv.State | None = None
        self._results: list[rv.game.RoundResult] = []
        self._steps: deque[tuple[int, rv.Step]] = deque(maxlen=_KEPT)
        self._done: deque[tuple[int, int, str]] = deque(maxlen=_KEPT)

    # ------------------------------------------------------------------ made and found

    @classmethod
    def new(cls, store: Store, given: Message) -> tuple[Table, str]:
        """
        Make a table.

        Args:
            store: What keeps it.
            given: A message with the keys of `messages.NEW`.

        Returns:
            The table, and the secret of the seat of whoever made it.

        Raises:
            RulesError: If there are no such rules, or not for so many.
            BadMessageError: If the name will not do.
        """
        watch = secrets.token_urlsafe(12) if given["watch"] else None
        room = Room(
            secrets.token_urlsafe(9),
            given["game"],
            tuple(given["options"]),
            given["players"],
            given["bot"],
            secrets.token_urlsafe(12),
            watch,
        )
        if not 1 < room.seats <= len(_BOTS):
            msg = f"'players' is a number from 2 to {len(_BOTS)}"
            raise BadMessageError(msg)
        table = cls(store, room, [])
        secret, person = table._newcomer(given["name"])
        table._begun([person.name, *table._bots({person.name})[1:]])
        store.add(room, person)
        table.people[person.seat] = person
        return table, secret

    @classmethod
    def kept(cls, store: Store, room: str) -> Table | None:
        """
        A table as the store has it; None if it has none of that name.

        Raises:
            RummyError: If this version of the library cannot go on with it.
        """
        found = store.room(room)
        if found is None:
            return None
        made, people, rows = found
        table = cls(store, made, people)
        if made.head is not None:
            record = rv.files.Record.parse(made.head)
            table.state = rv.game.begin(record.rules, record.players, seed=record.seed)
            for seat, text in rows:
                table._take(rv.step(table.state, rv.game.parse_action(text, seat=seat)))
        return table

    # -------------------------------------------------------------------------- people

    @property
    def names(self) -> tuple[str, ...]:
        """
        Who plays, by seat; before the game begins, the people.
        """
        if self.state is not None:
            return self.state.players
        return tuple(one.name for one in self.people.values())

    def seat_of(self, secret: str) -> int | None:
        """
        The seat of a secret; None for the secret of spectators.

        Raises:
            BadMessageError: If it is neither.
        """
        digest = digest_of(secret)
        for seat, person in self.people.items():
            if secrets.compare_digest(person.digest, digest):
                return seat
        if self.room.watch is not None:
            if secrets.compare_digest(digest_of(self.room.watch), digest):
                return None
        msg = "this link belongs to no seat of the table"
        raise BadMessageError(msg)

    def join(self, invitation: str, name: str) -> str:
        """
        Give a seat to somebody who was invited.

        Returns:
            The secret of the seat.

        Raises:
            BadMessageError: If there is no seat for them.
        """
        known = digest_of(self.room.invitation)
        if not secrets.compare_digest(known, digest_of(invitation)):
            msg = "this is no invitation to the table"
            raise BadMessageError(msg)
        if self.state is not None:
            msg = "the game has begun: ask for the link of a seat, or for a new table"
            raise BadMessageError(msg)
        if len(self.people) == self.room.seats:
            msg = "all seats are taken"
            raise BadMessageError(msg)
        secret, person = self._newcomer(name)
        self._store.join(self.room.id, person)
        self.people[person.seat] = person
        return secret

    def start(self, seat: int | None) -> None:
        """
        Begin the game; bots take the empty seats.

        Raises:
            BadMessageError: If it has begun, or somebody else made the table.
        """
        if self.state is not None:
            msg = "the game has begun already"
            raise BadMessageError(msg)
        if seat != 0:
            msg = f"{self.people[0].name} made the table, and starts the game"
            raise BadMessageError(msg)
        taken = {one.name for one in self.people.values()}
        names = [*self.names, *self._bots(taken)[len(self.people) :]]
        state = self._begun(names)
        steps = dealt_again(rv.step(state, rv.game.next_deal(state)))
        rows = [row_of(step) for step in steps]
        self._store.begin(self.room.id, str(rv.record(state)), rows)
        for step in steps:
            self._take(step)

    def _newcomer(self, name: str) -> tuple[str, Person]:
        """
        A person for the next seat, and their secret.
        """
        name = " ".join(name.split())
        if not name or not name.isprintable():
            msg = "a name is not blank, and is written in letters and signs"
            raise BadMessageError(msg)
        if name in {one.name for one in self.people.values()}:
            msg = f"somebody at the table is called {name}: take another name"
            raise BadMessageError(msg)
        secret = secrets.token_urlsafe(18)
        return secret, Person(len(self.people), name, digest_of(secret))

    def _bots(self, taken: set[str]) -> list[str]:
        """
        Names for all seats that nobody among those taken has.
        """
        every = itertools.chain(_BOTS, (f"{one} the bot" for one in _BOTS))
        return [one for one in every if one not in taken][: self.room.seats]

    def _begun(self, names: list[str]) -> rv.State:
        """
        A game that these play.
        """
        return rv.game.begin(self.rules, names, seed=secrets.randbits(60))

    # -------------------------------------------------------------------- what is done

    @property
    def number(self) -> int:
        """
        How many actions have been done, deals included.
        """
        return 0 if self.state is None else len(self.state.history)

    def do(self, seat: int | None, number: int, text: str) -> bool:
        """
        Do an action of a seat.

        Args:
            seat: The seat, by the secret of whoever sent the action.
            number: How many actions had been done when it was sent.
            text: The action, in the notation.

        Returns:
            Whether it was done now; a repetition counts once.

        Raises:
            IllegalAction: If the rules refuse it.
            ParseError: If it is no action.
            BadMessageError: If it is stale, or in the name of another seat.
        """
        state = self._playing()
        if seat is None:
            msg = "you are watching: only players may act"
            raise BadMessageError(msg)
        if number != self.number:
            if (number, seat, text) in self._done:
                return False
            msg = "somebody else acted first: look at the table again"
            raise BadMessageError(msg)
        named = rv.game.parse_action(text).seat
        if named not in {None, seat}:
            msg = f"you have seat {seat}, not {named}"
            raise BadMessageError(msg)
        self._keep(rv.step(state, rv.game.parse_action(text, seat=seat), seat))
        self._done.append((number, seat, text))
        return True

    def deal(self, seat: int | None, number: int) -> bool:
        """
        Deal the next round, for somebody at the table.

        Returns:
            Whether it was done now: two may ask at once.

        Raises:
            BadMessageError: If no deal is due.
        """
        state = self._playing()
        if seat is None:
            msg = "you are watching: only players may deal"
            raise BadMessageError(msg)
        if state.phase != "deal":
            if number < self.number:
                return False
            msg = "the round is not over"
            raise BadMessageError(msg)
        self._keep(rv.step(state, rv.game.next_deal(state)))
        return True

    def bot_due(self) -> int | None:
        """
        The seat of a bot that has to decide; None if there is none.
        """
        if self.state is None or self.state.is_over:
            return None
        bots = (seat for seat in self.state.to_act if seat not in self.people)
        return next(bots, None)

    def _playing(self) -> rv.State:
        """
        The game, which must have begun.
        """
        if self.state is None:
            msg = "the game has not begun"
            raise BadMessageError(msg)
        return self.state

    def _keep(self, step: rv.Step) -> None:
        """
        Store a step, and then take it.
        """
        steps = dealt_again(step)
        rows = [row_of(one) for one in steps]
        self._store.append(self.room.id, self.number, rows)
        for one in steps:
            self._take(one)

    def _take(self, step: rv.Step) -> None:
        """
        Go on to the state after a step.
        """
        self.state = step.after
        self._steps.append((self.number, step))
        if step.result is not None:
            self._results.append(step.result)

    # -------------------------------------------------------------------- what is told

    def lobby(self, seat: int | None, here: Container[int | None]) -> Message:
        """
        Who is at the table, and how to invite others.

        Args:
            seat: The seat; None for spectators.
            here: The seats that have a window open.
        """
        return {
            "type": "lobby",
            "table": self.room.id,
            "title": self.rules.title,
            "options": list(self.rules.options),
            "seats": self.room.seats,
            "players": list(self.names),
            "people": sorted(self.people),
            "away": [one for one in sorted(self.people) if one not in here],
            "you": seat,
            "invitation": None if seat is None else self.room.invitation,
            "watch": self.room.watch,
            "begun": self.state is not None,
        }

    def view(self, seat: int | None, since: int) -> Message:
        """
        Where everything is, as far as a seat may know.

        Args:
            seat: The seat; None for spectators.
            since: Events after so many actions are told.
        """
        state = self._playing()
        can = ["sheet"] if self._results else []
        over = None
        if state.is_over:
            over = "match"
            can.append("save")
        elif state.phase == "deal":
            over = "round"
            can += [] if seat is None else ["deal"]
        elif seat in state.to_act:
            can.append("hint")
        return {
            "type": "table",
            "number": self.number,
            "players": list(state.players),
            "view": to_data(rv.view(state, seat), legal=0),
            "first_melds": [
                str(one) for one in ([] if seat is None else state.first_melds(seat))
            ],
            "actions": None if seat is None else to_data(self._page(seat, [], 0)),
            "events": [*self._events(seat, since)],
            "can": can,
            "over": over,
        }

    def _events(self, seat: int | None, since: int) -> Iterator[dict[str, Any]]:
        """
        What happened after so many actions, as a seat saw it.
        """
        for number, step in self._steps:
            if number > since:
                for seen in step.seen_by(seat):
                    cards = [str(one.card or "??") for one in seen.moves]
                    yield {"sentence": seen.text, "cards": cards[:20]}

    def actions(self, seat: int | None, cards: list[str], start: int) -> Message:
        """
        A page of the legal actions that involve some cards.

        Raises:
            ParseError: If one is not a card.
            BadMessageError: If a spectator asks.
        """
        if seat is None:
            msg = "you are watching: only players may act"
            raise BadMessageError(msg)
        page = to_data(self._page(seat, cards, start))
        return {"type": "actions", "number": self.number, "cards": cards, "page": page}

    def _page(self, seat: int, cards: list[str], start: int) -> rv.game.ActionPage:
        """
        A page of a seat's legal actions, found by looking at no more than some.
        """
        legal = rv.legal_actions(self._playing(), seat)
        if not cards:
            return legal.page(start, PAGE)
        wanted = Counter(map(rv.Card, cards))
        looked_at = itertools.islice(legal.details(), _LOOKED_AT)
        fits = (one for one in looked_at if wanted <= _involved(one))
        found = tuple(itertools.islice(fits, start, start + PAGE + 1))
        more = start + PAGE if len(found) > PAGE else None
        return rv.game.ActionPage(seat, None, start, found[:PAGE], more)

    def sheet(self) -> Message:
        """
        The scores so far.
        """
        sheet = rv.game.score_sheet(self._playing(), self._results)
        return {"type": "sheet", "sheet": to_data(sheet)}

    def record(self) -> Message:
        """
        The whole game, for a match that is over.

        Raises:
            BadMessageError: If it goes on: a record holds every hand.
        """
        state = self._playing()
        if not state.is_over:
            msg = "the match goes on, and its record would show every hand"
            raise BadMessageError(msg)
        return {"type": "record", "text": str(rv.record(state)), "name": "game.toml"}


def _involved(action: rv.game.LegalAction) -> Counter[rv.Card]:
    """
    The cards that an action names, takes, or shows.
    """
    touched = Counter((*action.cards, *action.takes))
    shown = Counter(one.card for meld in action.melds for one in meld)
    return touched if shown <= touched else touched + shown


def rules_of(room: Room) -> rv.Ruleset:
    """
    The rules of a table.

    Raises:
        RulesError: If there are no such rules.
    """
    return rv.preset(room.game).with_options(*room.options)


def dealt_again(step: rv.Step) -> list[rv.Step]:
    """
    A step, and the deals that follow at once if the cards were thrown in.
    """
    steps = [step]
    while (after := steps[-1].after).phase == "deal" and not after.is_round_over:
        steps.append(rv.step(after, rv.game.next_deal(after)))
    return steps


def row_of(step: rv.Step) -> Row:
    """
    A step as it is stored.
    """
    return step.action.seat, str(step.action)


def digest_of(secret: str) -> str:
    """
    What is kept of a secret.
    """
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
