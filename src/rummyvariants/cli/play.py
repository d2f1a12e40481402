"""A game played at the terminal, by one person or by several who share it."""

from __future__ import annotations

import contextlib
import functools
import os
import shlex
import signal
import sys

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Final

import attrs
import click

import rummyvariants as rv

from rummyvariants._support.words import listed
from rummyvariants.bots import Bot, next_to_decide, sources_of
from rummyvariants.cards import card_of
from rummyvariants.cli import advising, prompting, show
from rummyvariants.cli.explaining import explain
from rummyvariants.cli.files import Interruption, keep, write_new, write_whole
from rummyvariants.cli.resuming import Game, kept_text, position_text
from rummyvariants.cli.screen import Screen
from rummyvariants.cli.telling import Story
from rummyvariants.files._score_text import match_blocks
from rummyvariants.files._table_text import game_title, table_blocks
from rummyvariants.game._engine.game import as_action
from rummyvariants.rules._modules import modules_of


_GOES_ON: Final = frozenset({"play", "answer", "discard"})
"""The phases in which a turn that a player has begun goes on."""
_CLOSING: Final = [getattr(signal, "SIGHUP", signal.SIGTERM)]
"""The signal that comes when a terminal closes, where there is one."""


def play_game(
    screen: Screen, game: Game, persons: int, bots: Sequence[Bot], file: Path | None
) -> int:
    """
    Play a game to its end, or until somebody leaves.

    Args:
        screen: The terminal.
        game: The game to continue.
        persons: How many people play, in the first seats.
        bots: The bots in the other seats.
        file: The file of its record.

    Returns:
        The exit status.
    """
    session = Session(screen, game, persons, bots, file)
    stop = Interruption(at_once=True)
    try:
        with stop.heard(*_CLOSING):
            session.keep()
            prompting.complete_with(session.candidates)
            return session.play()
        # If the terminal was closed, nobody reads this.
        with contextlib.suppress(OSError):
            screen.line()
            session.leave()
        return stop.status
    finally:
        session.keep()


class _Left(Exception):  # noqa: N818 -- not an error, and it never leaves this module
    """
    Somebody left the game.
    """


@attrs.define
class Session:
    """
    A game at a terminal.

    Every person reads the story of the game as their seat may see it; with several,
    what one has not read yet waits until the screen is handed over.
    """

    _screen: Screen
    _game: Game
    _persons: int
    _bots: Sequence[Bot]
    _file: Path | None
    _sources: Sequence[Random] = attrs.field(init=False)
    _kept: rv.State | None = None
    _before: list[Game] = attrs.field(factory=list)
    _refused_by: tuple[str, ...] = ()
    _written: str = ""
    _asked: int = -1
    _looking: int = -1
    _fresh: bool = True
    _stories: list[Story] = attrs.field(init=False)
    _unseen: list[list[str]] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        seed = str(self._state.match.seed)
        self._sources = sources_of(seed, len(self._state.players))
        self._forget()

    @property
    def _state(self) -> rv.State:
        return self._game.state

    # --------------------------------------------------------------------- the course

    def play(self) -> int:
        """
        Play to the end.

        Returns:
            The exit status.
        """
        state = self._state
        game = f"{game_title(state.rules)}, {len(state.players)} players"
        self._say(f"{game}, seed {state.match.seed}")
        here = listed(state.players[: self._persons])
        who = "" if here == "You" else f"You are {here}. "
        self._say(f"{who}Write 'help' to see what you can write.")
        try:
            while not self._state.is_over:
                self._go_on()
        except _Left:
            self.leave()
            return 0
        if self._state.bonuses or self._state.columns:
            self._screen.blocks(match_blocks(self._state))
            self._screen.line()
        self._screen.line(show.winners_line(self._state))
        return 0

    def _go_on(self) -> None:
        state = self._state
        if state.phase == "deal":
            self._do(rv.game.next_deal(state))
            return
        seat = next_to_decide(state)
        legal = rv.legal_actions(state, seat)
        if seat >= self._persons:
            bot = self._bots[seat - self._persons]
            chosen = bot.choose(rv.view(state, seat), self._sources[seat])
            self._do(chosen, seat)
        elif state.phase == "call" and isinstance(
            next(iter(legal), None), rv.actions.Pass
        ):
            self._do(rv.actions.Pass(seat), seat)
        else:
            self._ask(seat)

    def _do(self, action: rv.Action | str, seat: int | None = None) -> None:
        done = rv.step(self._state, action, seat)
        self._game = self._game.after(done)
        self._fresh = self._fresh or done.after.phase != "play"
        for person, story in enumerate(self._stories):
            self._unseen[person] += story.tell(done)
            if person == seat and done.after.phase in _GOES_ON:
                self._unseen[person] += story.rest()
        if self._persons == 1:
            self._tell(0)
        if done.before.result is None and done.after.result is not None:
            self._round_over(done.after.result)

    def _round_over(self, result: rv.game.RoundResult) -> None:
        """
        Show the score of the round to every player.
        """
        state = self._state
        if self._persons > 1:
            # All but its last line is for one seat only.
            last = self._unseen[0][-1:]
            self._forget()
            self._looking = -1
            self._screen.clear()
            for line in last:
                self._say(line)
        else:
            self._tell(0, rest=True)
        ended = (state.round_number, result)
        show.standing(self._screen, state, self._game.rounds, ended)
        self._screen.line()
        if not state.is_over:
            self._wait("Press Enter for the next round.")

    def keep(self) -> None:
        """
        Write the record, if one is kept and the game has moved on.
        """
        if self._kept is not self._state:
            keep(self._file, self._state)
            self._kept = self._state

    def leave(self) -> None:
        """
        Save the game, in a new file if it has none, and say how to resume it.

        Without a file and without any play, nothing is saved.
        """
        self.keep()
        file = self._file
        if file is None and self._before and not self._state.is_over:
            file = write_new(f"{self._state.rules.name}-game", kept_text(self._state))
            self._say(f"The match is saved in {file}.")
        if file is not None:
            several = f" --humans {self._persons}" if self._persons > 1 else ""
            name = shlex.quote(str(file))
            modules = [
                f" --rules-module {shlex.quote(one)}"
                for one in modules_of(self._state.rules)
            ]
            words = "".join([name, several, *modules])
            self._say(f"Resume with: rummyvariants play --resume {words}")

    # -------------------------------------------------------------------- the stories

    def _forget(self) -> None:
        names = self._state.players
        self._stories = [Story(names, seat) for seat in range(self._persons)]
        self._unseen = [[] for _ in range(self._persons)]

    def _tell(self, seat: int, *, rest: bool = False) -> None:
        if rest:
            self._unseen[seat] += self._stories[seat].rest()
        for line in self._unseen[seat]:
            self._say(line)
        self._unseen[seat].clear()

    def _say(self, line: str = "", hang: int | None = None) -> None:
        story = self._stories[0].hang
        self._screen.line(line, story if hang is None else hang)

    # --------------------------------------------------------------------- the prompt

    def candidates(self, line: str) -> list[str]:
        """
        What the last word of a line may be, for the person writing it.
        """
        if self._asked < 0:
            return []
        return prompting.candidates(self._state, self._asked, line)

    def _read(self, prompt: str, seat: int = -1) -> str:
        """
        What a person writes; all earlier actions are on disk before they are asked.

        Args:
            prompt: The prompt.
            seat: The seat that is to act; -1 if the prompt asks for no action.
        """
        self._asked = seat
        if self._written:
            line, self._written = self._written, ""
            return line
        try:
            self.keep()
        except rv.errors.RecordError as error:
            # A person can fix this and play on.
            click.echo(f"Error: {error}", err=True)
        try:
            return input(prompt).strip()
        except EOFError:
            self._screen.line()
            raise _Left from None

    def _wait(self, prompt: str) -> None:
        """
        Wait for Enter; anything written instead answers the next prompt.
        """
        self._written = self._read(f"{prompt} ")

    def _ask(self, seat: int) -> None:
        """
        Ask a person for an action until a legal one is done or undone.
        """
        name = self._state.players[seat]
        if self._persons > 1 and self._looking != seat:
            self._screen.clear()
            self._wait(f"{name} is next: press Enter when only {name} sees the screen.")
            self._looking = seat
            self._fresh = True
        self._tell(seat, rest=True)
        if self._fresh:
            self._fresh = False
            self._screen.line()
            self._table(seat)
        state = self._state
        self._say(f"Your hand: {state.hands[seat]}", 11)
        if state.rules.meld.concealed:
            self._say(advising.deadwood_line(state, seat), 11)
        for about in (advising.opening_line, advising.phase_line):
            if line := about(state, seat):
                self._say(line)
        asked = {"call", "offer", "answer", "layoff"}
        if state.out and state.rules.out.last_turn and state.phase not in asked:
            out = state.players[state.out[0]]
            self._say(f"{out} is out: this is your last turn in the round.")
        while self._state is state:
            words = self._read(f"{name}, {state.phase}> ", seat).split(maxsplit=1)
            if words:
                self._obey(seat, words[0], words[1] if len(words) > 1 else "")

    def _obey(self, seat: int, verb: str, rest: str) -> None:
        state = self._state
        say, screen = self._say, self._screen
        commands: dict[str, Callable[[], None]] = {
            "?": lambda: self._legal(seat, rest),
            "legal": lambda: self._legal(seat, rest),
            "hint": lambda: say(advising.hint(state, seat), 6),
            "hand": lambda: screen.each(show.hand_lines(state, seat)),
            "table": lambda: self._table(seat),
            "scores": self._scores,
            "undo": self._undo,
            "save": lambda: self._save(rest),
            "clear": screen.clear,
            "rules": self._rules,
            "why": lambda: self._why(rest),
            "help": lambda: screen.lines(prompting.help_text(state)),
            "quit": self._quit,
            "exit": self._quit,
        }
        act = functools.partial(self._act, seat, f"{verb} {rest}".strip())
        try:
            commands.get(verb.casefold(), act)()
        except rv.errors.ParseError as error:
            said = f"{error}." if str(error)[-1] not in ".?" else str(error)
            self._say(f"{said} Write 'help' to see what you can write.", 2)
        except rv.RummyError as error:
            for line in str(error).splitlines():
                self._say(line, 2)

    def _act(self, seat: int, written: str) -> None:
        ruling = rv.check(self._state, written, seat)
        if not ruling:
            self._refused_by = ruling.cites
            for line in show.ruling_lines(ruling):
                self._say(line, 4)
            return
        self._before.append(self._game)
        self._do(as_action(self._state, written, seat), seat)

    # ------------------------------------------------------------------ the commands

    def _legal(self, seat: int, which: str) -> None:
        """
        List what is legal, by card or with one card.
        """
        words = which.split()
        card = card_of(words[0]) if words else None
        page = words[-1] if words else ""
        number = int(page) if page.isdecimal() and len(page) < 6 else 1
        first = (max(number, 1) - 1) * advising.LISTED
        lines, is_all, again = [], True, "legal"
        if card is None:
            width = (self._screen.width or advising.WIDTH) - 2
            lines += advising.by_card(self._state, seat, width)
        else:
            found, is_all = advising.entries(self._state, seat, card)
            lines += map(str, found)
            again = f"? {card}"
        nothing = "nothing more" if first else "nothing"
        self._screen.each(lines[first : first + advising.LISTED] or [nothing], 6)
        if more := len(lines[first + advising.LISTED :]):
            at_least = "" if is_all else "at least "
            self._say(f"  ... and {at_least}{more} more: {again} {number + 1}")

    def _table(self, seat: int) -> None:
        self._screen.blocks(table_blocks(self._state, seat))

    def _scores(self) -> None:
        show.standing(self._screen, self._state, self._game.rounds)
        self._screen.line()

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
            self._say(f"{path} exists already: name another file.")
            return
        write_whole(path, position_text(self._state))
        self._say(f"The position, with all hands, is in {path}.")

    def _rules(self) -> None:
        sheet = show.sheet(self._screen, self._state.rules)
        if self._screen.plain or not sys.stdin.isatty():
            self._screen.lines(sheet)
        else:
            click.echo_via_pager(sheet)

    def _why(self, rule_id: str) -> None:
        ids = [rule_id] if rule_id else self._refused_by
        if not ids:
            self._say("Name a rule: why PG-15")
        for one in ids:
            explain(self._screen, one, self._state.rules)
        self._screen.line()

    def _quit(self) -> None:
        raise _Left
