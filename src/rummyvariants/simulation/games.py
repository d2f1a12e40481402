"""
One game between bots, played to its end or to the first problem.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs

from rummyvariants import State, apply, view
from rummyvariants._support.words import figure
from rummyvariants.actions import Action
from rummyvariants.bots import next_to_decide
from rummyvariants.bots.base import (
    Bot,
    in_a_line,
    raised,
    sources_of,
)
from rummyvariants.errors import ParseError
from rummyvariants.game import RoundResult, begin, next_deal
from rummyvariants.rules import Ruleset
from rummyvariants.rulings import IllegalAction
from rummyvariants.simulation.rows import GameRow, RoundRow


Unit = Literal["match", "round"]
"""What a game is: a whole match or its first round."""


@attrs.frozen
class Game:
    """
    A game to be played.

    Attributes:
        number: Its number in the simulation, from 0.
        deal: The number of its deals.
        seed: The seed of the deals; the bots' random decisions depend on it and on the
            seat.
        rules: The rules.
        bots: The bots, by seat.
        names: The bots' names for the row, by seat.
        unit: Whether to play a whole match or its first round.
        limit: The most actions of players in a game.
    """

    number: int
    deal: int
    seed: str
    rules: Ruleset
    bots: Sequence[Bot]
    names: tuple[str, ...]
    unit: Unit = "match"
    limit: int = 20_000


def play_game(game: Game) -> GameRow:
    """
    Play a game, and return its row whatever a bot does.
    """
    return _Table(game).row()


def _side_numbers(state: State) -> tuple[int, ...]:
    """
    The number of the side of each seat; empty where everyone plays alone.
    """
    sides = state.sides
    if len(sides) == len(state.players):
        return ()
    return tuple(
        next(at for at, side in enumerate(sides) if seat in side)
        for seat in range(len(state.players))
    )


class _Table:
    """
    A game in play: its state, and the counts so far.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._state = begin(game.rules, len(game.bots), seed=game.seed)
        self._sources = sources_of(game.seed, len(game.bots))
        self._rounds: list[RoundRow] = []
        self._hand_sizes: tuple[int, ...] = ()
        self._actions = 0
        self._before_round = 0

    def row(self) -> GameRow:
        """
        Play on to the end, and report what happened.
        """
        status, problem, culprit = self._play()
        game = self._game
        return GameRow(
            game.number,
            game.deal,
            game.seed,
            game.names,
            status,
            problem,
            culprit,
            self._state.standing,
            self._state.winners,
            tuple(self._rounds),
            self._actions,
            _side_numbers(self._state),
            game.rules.match.lowest_wins,
        )

    def _play(self) -> tuple[str, str, int | None]:
        while not self._state.is_over:
            if self._state.phase == "deal":
                if self._rounds and self._game.unit == "round":
                    break
                self._state = apply(self._state, next_deal(self._state))
                self._hand_sizes = ()
                if self._state.result is not None:
                    # A house rule has ended the round with the deal.
                    self._hand_sizes = _hand_sizes(self._state)
                    self._end_round(self._state.result)
                continue
            if self._actions >= self._game.limit:
                done = figure(self._actions, "action")
                return "stopped", f"not over after {done}", None
            if not self._hand_sizes and self._state.phase != "choose":
                self._hand_sizes = _hand_sizes(self._state)
            before = self._state
            seat = next_to_decide(before)
            trouble = self._decide(seat)
            if trouble is not None:
                return (*trouble, seat)
            self._actions += 1
            # A result stays where players are asked whether they come back.
            if before.result is None and self._state.result is not None:
                self._end_round(self._state.result)
        return "finished", "", None

    def _decide(self, seat: int) -> tuple[str, str] | None:
        """
        Let a seat act; return what went wrong, if anything did.
        """
        state = self._state
        bot, source = self._game.bots[seat], self._sources[seat]
        try:
            action: object = bot.choose(view(state, seat), source)
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- bots raise anything
            return "failed", raised(error)
        if not isinstance(action, Action | str):
            return "refused", f"{type(action).__name__} is not an action"
        try:
            self._state = apply(state, action, seat)
        except (IllegalAction, ParseError) as error:
            return "refused", f"{in_a_line(action)!r}: {in_a_line(error)}"
        except Exception as error:  # noqa: BLE001 -- its action may hold anything
            return "refused", f"{type(action).__name__} of nonsense: {raised(error)}"
        return None

    def _end_round(self, result: RoundResult) -> None:
        state = self._state
        dealt = state.dealt
        wild = dealt.terms.wild
        melds = (*(state.table), *([state.dealer_wild] if state.dealer_wild else []))
        wilds = sum(wild[card.code] for meld in melds for card in meld.cards)
        self._rounds.append(
            RoundRow(
                dealt.dealer,
                self._hand_sizes,
                result.points,
                result.how,
                result.out,
                sum(state.turns),
                self._actions - self._before_round,
                dealt.redeals,
                wilds,
            )
        )
        self._before_round = self._actions


def _hand_sizes(state: State) -> tuple[int, ...]:
    """
    How many cards each seat was dealt, including the dealer's wild on the table.
    """
    sizes = [len(hand) for hand in state.hands]
    if state.dealer_wild is not None and state.dealer is not None:
        sizes[state.dealer] += len(state.dealer_wild)
    return tuple(sizes)
