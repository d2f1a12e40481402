"""
Random players of this library and of others, a batch of actions at a time.

Each contestant continues where its last batch ended, from one game to the next, so that
every phase of a game is measured.
"""

from __future__ import annotations

import importlib.util
import random

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs

import rummyvariants as rv


Choose = Callable[[rv.State, Callable[[int], int]], rv.Action]
"""How our random player finds its action."""

PLAYED_ON = 30
"""After how many rounds to stop a match: random players may never reach its target."""

PLIES = 300
"""After how many plies to stop a game of chess."""


@attrs.frozen
class Contestant:
    """
    A random player that can be timed.

    Attributes:
        name: The game and the library.
        way: How an action is chosen.
        needs: The module that has to be installed.
        plays: Starts play from a seed; it returns a function that plays on for a number
            of player actions, deals not counted.
    """

    name: str
    way: str
    needs: str
    plays: Callable[[int], Callable[[int], None]]

    @property
    def is_there(self) -> bool:
        """
        Whether what it needs is installed.
        """
        return importlib.util.find_spec(self.needs) is not None


# ------------------------------------------------------------------------- our own


def from_all(state: rv.State, randrange: Callable[[int], int]) -> rv.Action:
    """
    One of all legal actions, each equally likely.
    """
    found = list(rv.legal_actions(state))
    return found[randrange(len(found))]


def by_sample(state: rv.State, randrange: Callable[[int], int]) -> rv.Action:
    """
    A legal action at random, without listing all of them.
    """
    return rv.legal_actions(state).sample(randrange)


def is_left(state: rv.State) -> bool:
    """
    Whether a match is over, or has been played for long enough.
    """
    return state.phase == "over" or (
        state.phase == "deal" and state.match.round_number > PLAYED_ON
    )


def matches(
    rules: rv.Ruleset | str, players: int, seed: int, choose: Choose = by_sample
) -> Iterator[rv.State]:
    """
    Endless matches of random players: the state after each of their actions.
    """
    source = random.Random(seed)
    randrange = source.randrange
    while True:
        state = rv.new_game(rules, players, seed=randrange(1 << 30))
        while not is_left(state):
            if state.phase == "deal":
                state = rv.game.deal(state)
                continue
            state = rv.apply(state, choose(state, randrange))
            yield state


def _ours(rules: str, players: int, choose: Choose) -> Callable[[int], Any]:
    def plays(seed: int) -> Callable[[int], None]:
        randrange = random.Random(seed).randrange
        state = rv.new_game(rules, players, seed=randrange(1 << 30))

        def batch(actions: int) -> None:
            nonlocal state
            done = 0
            at = state
            while done < actions:
                if at.phase in {"deal", "over"}:
                    if is_left(at):
                        at = rv.new_game(rules, players, seed=randrange(1 << 30))
                    else:
                        at = rv.game.deal(at)
                    continue
                at = rv.apply(at, choose(at, randrange))
                done += 1
            state = at

        return batch

    return plays


def _playouts(rules: str, players: int) -> Callable[[int], Any]:
    def plays(seed: int) -> Callable[[int], None]:
        randrange = random.Random(seed).randrange
        state = rv.new_game(rules, players, seed=randrange(1 << 30))

        def batch(actions: int) -> None:
            nonlocal state
            at = state
            done = 0
            while done < actions:
                if is_left(at) or at.match.round_number > PLAYED_ON:
                    at = rv.new_game(rules, players, seed=randrange(1 << 30))
                before = at._history
                at = rv.playout(at, randrange, until="match", actions=actions - done)
                node = at._history
                while node is not before:
                    done += not isinstance(node.action, rv.actions.Deal)
                    node = node.before
            state = at

        return batch

    return plays


# -------------------------------------------------------------------------- others


def open_spiel(
    name: str, legal: Callable[[Any], Sequence[int]] | None = None
) -> Callable[[int], Any]:
    """
    Random players of a game of OpenSpiel.

    Args:
        name: The name of the game.
        legal: What gives the legal actions of a state; by default the state itself.
    """

    def plays(seed: int) -> Callable[[int], None]:
        import pyspiel

        randrange = random.Random(seed).randrange
        game = pyspiel.load_game(name)
        state = game.new_initial_state()

        def batch(actions: int) -> None:
            nonlocal state
            done = 0
            at = state
            while done < actions:
                if at.is_chance_node():
                    # The outcomes of these games are equally likely.
                    outcomes = at.chance_outcomes()
                    at.apply_action(outcomes[randrange(len(outcomes))][0])
                elif at.is_terminal():
                    at = game.new_initial_state()
                else:
                    found = at.legal_actions() if legal is None else legal(at)
                    at.apply_action(found[randrange(len(found))])
                    done += 1
            state = at

        return batch

    return plays


def _open_spiel_kept(seed: int) -> Callable[[int], None]:
    import pyspiel

    randrange = random.Random(seed).randrange
    game = pyspiel.load_game("gin_rummy")
    state = game.new_initial_state()

    def batch(actions: int) -> None:
        nonlocal state
        done = 0
        at = state
        while done < actions:
            if at.is_chance_node():
                outcomes = at.chance_outcomes()
                at = at.child(outcomes[randrange(len(outcomes))][0])
            elif at.is_terminal():
                at = game.new_initial_state()
            else:
                found = at.legal_actions()
                at = at.child(found[randrange(len(found))])
                done += 1
        state = at

    return batch


def _rlcard(seed: int) -> Callable[[int], None]:
    from rlcard.games.gin_rummy.game import GinRummyGame

    randrange = random.Random(seed).randrange
    game = GinRummyGame()
    game.np_random.seed(seed)
    game.init_game()

    def batch(actions: int) -> None:
        for _ in range(actions):
            if game.is_over():
                game.init_game()
            found = game.judge.get_legal_actions()
            game.step(found[randrange(len(found))])

    return batch


def _chess(seed: int) -> Callable[[int], None]:
    import chess

    randrange = random.Random(seed).randrange
    board = chess.Board()

    def batch(actions: int) -> None:
        nonlocal board
        done = 0
        at = board
        while done < actions:
            found = list(at.legal_moves)
            if not found or len(at.move_stack) >= PLIES:
                at = chess.Board()
                continue
            at.push(found[randrange(len(found))])
            done += 1
        board = at

    return batch


# -------------------------------------------------------------------------- all


OURS = (("gin-rummy", 2), ("rummy-5000", 4), ("rummy-500", 2), ("2500-house", 4))
"""Our games that are measured, each with its number of players."""

WAYS: tuple[tuple[str, Choose], ...] = (
    ("from the whole list", from_all),
    ("by `sample`", by_sample),
)
"""How our random players find an action."""

REFERENCE = "OpenSpiel gin_rummy"
"""The library that the others are compared with."""

CONTESTANTS = (
    *(
        Contestant(f"{rules}, {players} players", way, "rummyvariants", run)
        for rules, players in OURS
        for way, choose in WAYS
        for run in [_ours(rules, players, choose)]
    ),
    *(
        Contestant(f"{rules}, {players} players", "by `playout`", "rummyvariants", run)
        for rules, players in OURS
        for run in [_playouts(rules, players)]
    ),
    *(
        Contestant(f"OpenSpiel {game}", "from the whole list", "pyspiel", run)
        for game in ("gin_rummy", "hearts", "crazy_eights")
        for run in [open_spiel(game)]
    ),
    Contestant(
        REFERENCE, "from the whole list, by `child`", "pyspiel", _open_spiel_kept
    ),
    Contestant("RLCard gin rummy", "from the whole list", "rlcard", _rlcard),
    Contestant("python-chess", "from the whole list", "chess", _chess),
)
"""All contestants."""
