"""A game played at the terminal, by one person or by several who share it."""

from __future__ import annotations

import contextlib
import os
import signal
import sys

from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Final

import attrs
import click

from rummyvariants import tomltext
from rummyvariants.actions import Action, Pass, parse_action
from rummyvariants.bots import Bot, next_to_decide, sources_of
from rummyvariants.cli import INTERRUPTED
from rummyvariants.cli.explaining import explain
from rummyvariants.cli.files import seed_of, write_whole
from rummyvariants.cli.screen import Screen
from rummyvariants.cli.show import (
    SEAT_COLUMNS,
    columns,
    hand_lines,
    heading,
    joined,
    legal_lines,
    match_sheet,
    pile_line,
    ruling_lines,
    score_sheet,
    seat_rows,
    table_lines,
    totals,
    winners_line,
)
from rummyvariants.cli.story import Story
from rummyvariants.engine.beginning import next_deal
from rummyvariants.engine.game import check, step
from rummyvariants.errors import ParseError, RecordError, RummyError
from rummyvariants.events import RoundEnded
from rummyvariants.moves import legal_actions
from rummyvariants.pieces import RoundResult
from rummyvariants.records import load_record, read_text, record, replay_steps
from rummyvariants.scenarios import load_scenario, run, scenario_text
from rummyvariants.sheet import rule_sheet
from rummyvariants.state import State
from rummyvariants.views import view


TERMINATED: Final = 128 + signal.SIGTERM
LISTED: Final = 20
"""How many legal actions are listed at a time."""

_ACTIONS: Final = """\
An action is written as
  draw                 the top card of the stock
  take 3               the top three discards
  meld 7h 8h 9h        a new meld; a wild says what it is: meld 7h 4c=8h 9h
  lay Th on 2          lay cards off on meld 2
  discard Kc           end the turn
  rummy 9h on 2, pass  call a discard, or let it go by
"""
_CONCEALED: Final = """\
An action is written as
  draw                 the top card of the stock
  take, pass           the top discard; no to what is offered
  discard Kc           end the turn
  knock Kc             end the round: throw Kc, show your best melds
  knock Kc: 7h 8h 9h   the same with melds of your choice, parted by /
  big gin              end it with all cards in melds, none thrown
  lay Th on 2, pass    lay cards off on the knocker's melds; no more
"""
_WORDS: Final = """\
Other things to write
  ? or legal [PAGE]    what you may do now
  hand                 your cards, by suit and by rank
  table                players, melds and discards
  scores               the points by round
  undo                 take your last action back
  save FILE            write the position to a scenario file
  rules                the rule sheet of this game
  why [RULE-ID]        a rule; without an id the one that last refused you
  quit                 leave; with --record the game can be resumed"""


@attrs.frozen
class Game:
    """
    A game with what happened in it so far.

    Attributes:
        state: Where it stands.
        rounds: The number of each round that is over, with its points.
        result: The result of the last of them.
    """

    state: State
    rounds: tuple[tuple[int, tuple[int, ...]], ...] = ()
    result: RoundResult | None = None

    def after(self, state: State, events: tuple[object, ...]) -> Game:
        """
        The game after a step.
        """
        for event in events:
            if isinstance(event, RoundEnded):
                ended = (state.round_number, event.points)
                return Game(state, (*self.rounds, ended), state.result)
        return attrs.evolve(self, state=state)


def resumed(path: Path, seed: str | None) -> Game:
    """
    The game of a record, or the one that a saved position begins.

    Args:
        path: A record or a scenario file.
        seed: What the deals after a saved position come from.

    Raises:
        RummyError: If the file is neither, or is not legal.
    """
    try:
        given = tomltext.read(read_text(path))
    except ValueError as error:
        raise RecordError(str(error), where=str(path)) from None
    if "position" in given or "deal" in given:
        state = run(load_scenario(path)).state
        if state is None:
            msg = "its position is one that must be refused, so it cannot be played"
            raise RecordError(msg, where=str(path))
        match = attrs.evolve(state.match, seed=seed_of(seed))
        return Game(attrs.evolve(state, match=match))
    if seed is not None:
        msg = "a record has its seed in it"
        raise click.UsageError(msg)
    found = load_record(path)
    game: Game | None = None
    for done in replay_steps(found):
        game = (game or Game(done.before)).after(done.after, done.events)
    if game is None:
        msg = "no round of this record was dealt"
        raise RecordError(msg, where=str(path))
    return game


def play_game(
    screen: Screen, game: Game, persons: int, bots: Sequence[Bot], file: Path | None
) -> int:
    """
    Play a game to its end, or until somebody leaves.

    Args:
        screen: The terminal.
        game: Where it begins.
        persons: How many persons play, from the first seat on.
        bots: Who plays on the other seats.
        file: Where its record is kept.

    Returns:
        The exit status.
    """
    session = Session(screen, game, persons, bots, file)
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 -- makes prompts remember what was written
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        session.keep()
        return session.play()
    except KeyboardInterrupt:
        screen.line()
        session.leave()
        return INTERRUPTED
    finally:
        signal.signal(signal.SIGTERM, before)
        session.keep()


def _terminate(number: int, frame: FrameType | None) -> None:
    del number, frame
    sys.exit(TERMINATED)


class _Left(Exception):  # noqa: N818 -- no error, and never leaves this module
    """
    Somebody left the game.
    """


class Session:
    """
    A game at a terminal.

    Every person is told the story of the game as that seat may see it; with several,
    what one has not seen yet waits until the screen is handed over.
    """

    def __init__(
        self,
        screen: Screen,
        game: Game,
        persons: int,
        bots: Sequence[Bot],
        file: Path | None,
    ) -> None:
        self._screen = screen
        self._game = game
        self._persons = persons
        self._file = file
        self._kept: State | None = None
        self._bots = bots
        names = game.state.players
        self._sources = sources_of(str(game.state.match.seed), len(names))
        self._before: list[Game] = []
        self._refused_by: tuple[str, ...] = ()
        self._written = ""
        self._looking = -1 if persons > 1 else 0
        self._fresh = True
        self._stories: list[Story] = []
        self._untold: list[list[str]] = []
        self._forget()

    @property
    def _state(self) -> State:
        return self._game.state

    # --------------------------------------------------------------------- the course

    def play(self) -> int:
        """
        Play to the end.

        Returns:
            The exit status.
        """
        state = self._state
        game = f"{state.rules.title}, {len(state.players)} players"
        self._say(f"{game}, seed {state.match.seed}")
        here = joined(state.players[: self._persons])
        self._say(f"You are {here}. Write 'help' for what can be written.")
        try:
            while not self._state.is_over:
                self._go_on()
        except _Left:
            self.leave()
            return 0
        if self._state.bonuses or self._state.columns:
            match_sheet(self._screen, self._state)
            self._screen.line()
        self._screen.line(winners_line(self._state))
        return 0

    def _go_on(self) -> None:
        state = self._state
        if state.phase == "deal":
            self._do(next_deal(state))
            return
        seat = next_to_decide(state)
        if seat >= self._persons:
            bot = self._bots[seat - self._persons]
            chosen = bot.choose(view(state, seat), self._sources[seat])
            self._do(chosen, seat)
        elif state.phase == "call" and _can_only_pass(state, seat):
            self._do(Pass(seat), seat)
        else:
            self._ask(seat)

    def _do(self, action: Action | str, seat: int | None = None) -> None:
        done = step(self._state, action, seat)
        self._game = self._game.after(done.after, done.events)
        self._fresh = self._fresh or done.after.phase != "play"
        for person, story in enumerate(self._stories):
            self._untold[person] += story.tell(done)
            if person == seat and done.after.phase in {"play", "discard"}:
                self._untold[person] += story.rest()
        if self._persons == 1:
            self._tell(0)
        if done.after.is_round_over:
            self._round_over()

    def _round_over(self) -> None:
        """
        Show the score of the round to everybody.
        """
        state = self._state
        if self._persons > 1:
            # All but the last line of it was private to some seat or other.
            last = self._untold[0][-1:]
            self._forget()
            self._looking = -1
            self._screen.clear()
            for line in last:
                self._say(line)
        else:
            self._tell(0, rest=True)
        assert state.result is not None  # noqa: S101 -- for the type checker
        self._screen.heading(f"Score sheet of round {state.round_number}")
        score_sheet(self._screen, state.result, state.players)
        self._scores()
        if not state.is_over:
            self._wait("Press Enter for the next round.")

    def keep(self) -> None:
        """
        Write the record, if one is kept and anything happened since.
        """
        if self._file is not None and self._kept is not self._state:
            write_whole(self._file, str(record(self._state)))
            self._kept = self._state

    def leave(self) -> None:
        """
        Keep the game, and say how it can be resumed.
        """
        self.keep()
        if self._file is not None:
            self._say(f"Go on with: rummyvariants play --resume {self._file}")

    # -------------------------------------------------------------------- the stories

    def _forget(self) -> None:
        names = self._state.players
        self._stories = [Story(names, seat) for seat in range(self._persons)]
        self._untold = [[] for _ in range(self._persons)]

    def _tell(self, seat: int, *, rest: bool = False) -> None:
        if rest:
            self._untold[seat] += self._stories[seat].rest()
        for line in self._untold[seat]:
            self._say(line)
        self._untold[seat].clear()

    def _say(self, line: str = "", hang: int | None = None) -> None:
        story = self._stories[0].hang
        self._screen.line(line, story if hang is None else hang)

    # --------------------------------------------------------------------- the prompt

    def _read(self, prompt: str) -> str:
        """
        What a person writes; what was done before is on disk when they are asked.
        """
        if self._written:
            line, self._written = self._written, ""
            return line
        try:
            self.keep()
        except RecordError as error:
            # A person can see to it and play on.
            click.echo(f"Error: {error}", err=True)
        try:
            return input(prompt).strip()
        except EOFError:
            self._screen.line()
            raise _Left from None

    def _wait(self, prompt: str) -> None:
        """
        Wait for Enter; what is written instead is the answer to the next prompt.
        """
        self._written = self._read(f"{prompt} ")

    def _ask(self, seat: int) -> None:
        """
        Ask a person for an action until a legal one is done, or it is taken back.
        """
        name = self._state.players[seat]
        if self._looking != seat:
            self._screen.clear()
            self._wait(f"{name} is next: press Enter when only {name} sees the screen.")
            self._looking = seat
            self._fresh = True
        self._tell(seat, rest=True)
        if self._fresh:
            self._fresh = False
            self._screen.line()
            self._table(seat)
        self._say(f"Your hand: {self._state.hands[seat]}", 11)
        if self._state.phase == "call":
            self._say("You may call rummy on the discards ('?' lists how), or 'pass'.")
        elif self._state.phase == "offer":
            self._say("You may take the first upcard ('take'), or 'pass'.")
        elif self._state.phase == "layoff":
            self._say("You may lay cards off on the knocker's melds, or 'pass'.")
        state = self._state
        while self._state is state:
            words = self._read(f"{name}, {state.phase}> ").split(maxsplit=1)
            if words:
                self._obey(seat, words[0], words[1] if len(words) > 1 else "")

    def _obey(self, seat: int, verb: str, rest: str) -> None:
        commands: dict[str, Callable[[int, str], None]] = {
            "?": self._legal,
            "legal": self._legal,
            "hand": self._hand,
            "table": lambda at, _: self._table(at),
            "scores": lambda _, __: self._scores(),
            "undo": lambda _, __: self._undo(),
            "save": lambda _, file: self._save(file),
            "rules": lambda _, __: self._rules(),
            "why": lambda _, rule_id: self._why(rule_id),
            "help": lambda _, __: self._help(),
            "quit": self._quit,
            "exit": self._quit,
        }
        try:
            command = commands.get(verb.casefold())
            if command is not None:
                command(seat, rest)
            else:
                self._act(seat, f"{verb} {rest}".strip())
        except ParseError as error:
            self._say(f"{error}. Write 'help' for what else can be written.", 2)
        except RummyError as error:
            self._screen.lines(str(error))

    def _act(self, seat: int, text: str) -> None:
        ruling = check(self._state, text, seat)
        if not ruling:
            self._refused_by = ruling.cites
            for line in ruling_lines(ruling):
                self._say(line, 4)
            return
        self._before.append(self._game)
        self._do(parse_action(text, seat), seat)

    # ------------------------------------------------------------------ the commands

    def _legal(self, seat: int, page: str) -> None:
        number = int(page) if page.isdecimal() and len(page) < 6 else 1
        first = (max(number, 1) - 1) * LISTED
        lines = list(legal_lines(self._state, seat, first=first, most=LISTED))
        for line in lines:
            more = f": legal {number + 1}" if line.startswith("...") else ""
            self._say(f"  {line}{more}", 4)

    def _hand(self, seat: int, _: str) -> None:
        for line in hand_lines(self._state, seat):
            self._say(f"  {line}", 4)

    def _table(self, seat: int) -> None:
        state = self._state
        self._say(heading(state))
        self._screen.table(SEAT_COLUMNS, seat_rows(state, seat), right=(1, 2))
        for line in table_lines(state):
            self._say(line, 5)
        self._say(pile_line(state), 5)

    def _scores(self) -> None:
        state = self._state
        self._screen.heading("Points by round")
        totals(self._screen, state.players, self._game.rounds, state.scores)
        self._screen.line()
        columns(self._screen, state)

    def _undo(self) -> None:
        if not self._before:
            self._say("There is nothing to take back.")
            return
        self._game = self._before.pop()
        self._forget()
        self._fresh = True
        self._say("Taken back.")

    def _save(self, file: str) -> None:
        path = Path(file.strip("'\""))
        if not file:
            self._say("Name the file: save position.toml")
            return
        if os.path.lexists(path):
            self._say(f"{path} is there already: name another file.")
            return
        names = ", ".join(self._state.players)
        title = (
            f"{self._state.rules.title}: {names} in round {self._state.round_number}"
        )
        write_whole(path, scenario_text(self._state, title=title))
        self._say(f"The position, with all hands, is in {path}.")

    def _help(self) -> None:
        concealed = self._state.rules.meld.concealed
        self._screen.lines((_CONCEALED if concealed else _ACTIONS) + _WORDS)

    def _rules(self) -> None:
        sheet = rule_sheet(self._state.rules, "text")
        if self._screen.plain or not sys.stdin.isatty():
            self._screen.lines(sheet)
        else:
            click.echo_via_pager(sheet)

    def _why(self, rule_id: str) -> None:
        ids = [rule_id] if rule_id else self._refused_by
        if not ids:
            self._say("Name a rule: why PG-15")
        for one in ids:
            explain(self._screen, one)
        self._screen.line()

    def _quit(self, _: int, __: str) -> None:
        raise _Left


def _can_only_pass(state: State, seat: int) -> bool:
    return isinstance(next(iter(legal_actions(state, seat)), None), Pass)
