"""
A game at the table of the page: one person, and bots in the other seats.

The messages are those of `table.js`, whose comment lists them.
"""

from __future__ import annotations

import itertools
import random

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import attrs

import desk
import rummyvariants as rv

from rummyvariants._support.words import figure
from rummyvariants.bots import Bot, bot, next_to_decide
from rummyvariants.errors import RummyError
from rummyvariants.files.json import to_data


Answer = dict[str, Any]

NAMES: Final = ("Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo", "Ida")
"""The names of bots."""
PAGE: Final = 60
"""How many legal actions are sent at once."""
_LOOKED_AT: Final = 2_000
"""How many legal actions are looked at for those with certain cards."""
CAN: Final = ("hint", "undo", "sheet", "save")
"""What the table may ask for beside actions."""
SEAT: Final = 0
"""The seat of the person."""


@attrs.frozen
class Moment:
    """
    A game and what was scored so far.

    Attributes:
        state: The current state.
        results: The results of the rounds that are over.
    """

    state: rv.State
    results: tuple[rv.game.RoundResult, ...] = ()

    def after(self, step: rv.Step) -> Moment:
        """
        The game after a step.
        """
        more = () if step.result is None else (step.result,)
        return Moment(step.after, (*self.results, *more))


@attrs.define
class Game:
    """
    The game that is played.

    Attributes:
        now: Where it stands.
        bots: The bots in the seats after the person's.
        before: Where it stood each time that the person has acted.
        events: What the person has not been told yet.
    """

    now: Moment
    bots: tuple[Bot, ...]
    before: list[Moment] = attrs.field(factory=list)
    events: list[Answer] = attrs.field(factory=list)

    @property
    def state(self) -> rv.State:
        """
        The current state.
        """
        return self.now.state

    def do(self, action: rv.Action | str, seat: int | None) -> None:
        """
        Do an action.

        Raises:
            RummyError: If it is no action, or is refused.
        """
        step = rv.step(self.state, action, seat)
        self.now = self.now.after(step)
        self.events += [
            {
                "sentence": told.text,
                "cards": [str(one.card) for one in told.moves if one.card is not None],
            }
            for told in step.seen_by(SEAT)
            if told.text
        ]


_games: dict[str, Game] = {}
"""The game that is on the table, if there is one."""


# ---------------------------------------------------------------------------- beginning


def start(
    table: desk.Table,
    others: int,
    strength: str = "careful",
    name: str = "Ann",
    seed: str = "",
) -> Answer:
    """
    Begin a match.

    Args:
        table: The rules.
        others: The number of bots.
        strength: The name of the bot that plays for them.
        name: The name of the person.
        seed: The seed of the deals; by default one is drawn.

    Raises:
        RummyError: If the rules are impossible or not for so many, or a name is wrong.
    """
    rules = desk.of(table)
    players = [name, *[one for one in NAMES if one != name][:others]]
    chosen: int | str = seed or random.SystemRandom().randrange(10**9)
    state = rv.game.begin(rules, players, seed=chosen)
    return _seated(Moment(state), strength)


def open_record(text: str, strength: str = "careful") -> Answer:
    """
    Go on with a game of a record; the person has its first seat.

    Raises:
        RummyError: If it is no record, or one of its actions is refused.
    """
    record = rv.files.Record.parse(text)
    now = Moment(rv.game.begin(record.rules, record.players, seed=record.seed))
    before = []
    for step in rv.files.replay_steps(record):
        passes = step.before.phase == "call" and isinstance(
            step.action, rv.actions.Pass
        )
        if step.action.seat == SEAT and not passes:
            before.append(now)
        now = now.after(step)
    return _seated(now, strength, before)


def _seated(now: Moment, strength: str, before: Iterable[Moment] = ()) -> Answer:
    player = bot(strength)
    seats = len(now.state.players)
    _games["table"] = Game(now, (player,) * (seats - 1), [*before])
    return {**told(), "title": now.state.rules.title, "players": [*now.state.players]}


# ------------------------------------------------------------------------------ playing


def told() -> Answer:
    """
    How the table stands, and whether `go_on` has something to do.

    Returns:
        ``messages`` for the table, and ``more``.
    """
    game = _games["table"]
    _hurry(game)
    state = game.state
    view = rv.view(state, SEAT)
    mine = SEAT in state.to_act
    page = rv.legal_actions(state, SEAT).page(size=PAGE) if mine else None
    over = None
    if state.is_over:
        over = "match"
    elif state.phase == "deal" and state.is_round_over:
        over = "round"
    can = [
        one for one in CAN if (one != "undo" or game.before) and (one != "hint" or mine)
    ]
    message = {
        "type": "table",
        "number": len(state.history),
        "players": [*state.players],
        "view": to_data(view, legal=0),
        "first_melds": [str(one) for one in state.first_melds(SEAT)],
        "actions": to_data(page) if page is not None else None,
        "events": game.events,
        "can": [*can, *(["deal"] if over == "round" else [])],
        "over": over,
    }
    game.events = []
    messages: list[Answer] = [message]
    if not mine and over is None and state.phase != "deal":
        messages.append({"type": "waiting", "for": [*state.to_act]})
    return {"messages": messages, "more": over is None and not _asks(state)}


def _asks(state: rv.State) -> bool:
    """
    Whether the person is to decide.
    """
    return state.phase != "deal" and next_to_decide(state) == SEAT


def _hurry(game: Game) -> None:
    """
    Decide at once what nobody waits for.

    Bots answer before the person where several may act, and a person who could only
    let a card pass is not asked.
    """
    while SEAT in game.state.to_act:
        state = game.state
        if not _asks(state):
            _bot_acts(game)
        elif state.phase == "call" and _only_passes(state):
            game.do("pass", SEAT)
        else:
            return


def _only_passes(state: rv.State) -> bool:
    return isinstance(next(iter(rv.legal_actions(state, SEAT)), None), rv.actions.Pass)


def _bot_acts(game: Game) -> None:
    """
    Let the bot act that decides next.
    """
    state = game.state
    seat = next_to_decide(state)
    # What a bot does depends on the game alone, also after an undo.
    source = random.Random(f"{state.match.seed}/{len(state.history)}")
    game.do(game.bots[seat - 1].choose(rv.view(state, seat), source), seat)


def go_on() -> Answer:
    """
    Do what needs no person: a deal, or the action of one bot.
    """
    game = _games["table"]
    state = game.state
    if state.phase == "deal" and not state.is_round_over:
        game.do(rv.game.next_deal(state), None)
    elif not state.is_over and state.phase != "deal" and not _asks(state):
        _bot_acts(game)
    return told()


def do(number: int, action: str) -> Answer:
    """
    Do the person's action, or say why it is refused, with the ``rules`` in full.

    Args:
        number: How many actions the table had seen.
        action: The action in the notation.

    Raises:
        RummyError: If it is no action.
    """
    game = _games["table"]
    if number != len(game.state.history):
        msg = "the table has moved on: look again"
        raise RummyError(msg)
    ruling = rv.check(game.state, action, SEAT)
    if not ruling:
        refused = {"type": "ruling", "action": action, "ruling": to_data(ruling)}
        rules = desk.cited(ruling)
        return {"messages": [refused], "rules": rules, "more": False}
    game.before.append(game.now)
    game.do(action, SEAT)
    return told()


def deal(number: int) -> Answer:
    """
    Deal the next round, unless that was done after so many actions.
    """
    game = _games["table"]
    if game.state.phase == "deal" and number == len(game.state.history):
        game.do(rv.game.next_deal(game.state), None)
    return told()


# -------------------------------------------------------------------------- beside play


def actions(cards: list[str], start: int) -> Answer:
    """
    A page of the person's legal actions that involve all of some cards.
    """
    state = _games["table"].state
    legal = rv.legal_actions(state, SEAT)
    page = legal.page(start, PAGE) if not cards else _with(legal, cards, start)
    message = {
        "type": "actions",
        "number": len(state.history),
        "cards": cards,
        "page": to_data(page),
    }
    return {"messages": [message], "more": False}


def _with(
    legal: rv.game.LegalActions, cards: list[str], start: int
) -> rv.game.ActionPage:
    """
    A page of the actions that name, take or show cards, among the first of all.
    """
    wanted = Counter(map(rv.Card, cards))
    looked_at = itertools.islice(legal.details(), _LOOKED_AT)
    fits = (one for one in looked_at if wanted <= _involved(one))
    found = tuple(itertools.islice(fits, start, start + PAGE + 1))
    more = start + PAGE if len(found) > PAGE else None
    return rv.game.ActionPage(SEAT, None, start, found[:PAGE], more)


def _involved(action: rv.game.LegalAction) -> Counter[rv.Card]:
    touched = Counter((*action.cards, *action.takes))
    shown = Counter(one.card for meld in action.melds for one in meld)
    return touched if shown <= touched else touched + shown


def undo() -> Answer:
    """
    Go back to where the person last acted.
    """
    game = _games["table"]
    if game.before:
        game.now = game.before.pop()
        game.events = [{"sentence": "Taken back.", "cards": []}]
    return told()


def hint() -> Answer:
    """
    What the careful bot would do in the place of the person, and what speaks for it.
    """
    state = _games["table"].state
    if SEAT not in state.to_act:
        return {"messages": [], "more": False}
    action = bot("careful").choose(rv.view(state, SEAT), random.Random(0))
    why = _why(state, action)
    message = {"type": "hint", "action": str(action), "why": why}
    return {"messages": [message], "more": False}


def _why(state: rv.State, action: rv.Action | str) -> str:
    """
    What an action is worth at once, by the rule that allows it.
    """
    ruling = rv.check(state, action, SEAT)
    after = rv.apply(state, action, SEAT)
    fewer = len(state.hands[SEAT]) - len(after.hands[SEAT])
    counts = f"; {figure(fewer, 'card')} fewer in the hand" if fewer > 1 else ""
    return f"{ruling.reason}{counts}"


def score_sheet() -> Answer:
    """
    The score sheet, with every point.
    """
    now = _games["table"].now
    sheet = to_data(rv.game.score_sheet(now.state, now.results))
    return {"messages": [{"type": "sheet", "sheet": sheet}], "more": False}


def save() -> Answer:
    """
    The game as a record.
    """
    state = _games["table"].state
    message = {
        "type": "record",
        "text": str(rv.record(state)),
        "name": f"{state.rules.base}.toml",
    }
    return {"messages": [message], "more": False}
