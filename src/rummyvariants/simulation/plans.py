"""
The plan of a simulation: rules, seats, and the deals of each game.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rummyvariants.bots.base import Bot
from rummyvariants.bots.names import bot, bot_name, checked
from rummyvariants.bots.timed import TimedBot
from rummyvariants.errors import ProblemsError
from rummyvariants.game import begin
from rummyvariants.rules import Ruleset, preset
from rummyvariants.simulation.games import Game, Unit, play_game
from rummyvariants.simulation.rows import GameRow


class SimulationError(ProblemsError):
    """
    A simulation that cannot be played, or whose rows cannot be read or written.
    """


def seatings(names: tuple[str, ...]) -> int:
    """
    The number of different seatings when all bots move on by the same number.
    """
    return len({names[at:] + names[:at] for at in range(len(names))})


@attrs.frozen
class Simulation:
    """
    Any number of games, each determined by its number.

    Attributes:
        rules: The rules.
        bots: The bots, by seat in the first game.
        names: The bots' names, by seat in the first game.
        seed: The seed of the deals and of the bots' random decisions.
        unit: Whether to play whole matches or their first rounds.
        limit: The most actions of players in a game.
    """

    rules: Ruleset
    bots: tuple[Bot, ...]
    names: tuple[str, ...]
    seed: int | str
    unit: Unit
    limit: int

    @property
    def rotations(self) -> int:
        """
        How often each deal is played: once in each seating.
        """
        return seatings(self.names)

    def game(self, number: int) -> Game:
        """
        A game by its number, from 0.
        """
        deal, moved = divmod(number, self.rotations)
        return Game(
            number,
            deal,
            f"{self.seed}/{deal}",
            self.rules,
            self.bots[moved:] + self.bots[:moved],
            self.names[moved:] + self.names[:moved],
            self.unit,
            self.limit,
        )

    def row(self, number: int) -> GameRow:
        """
        Play a game, and return its row whatever a bot does.
        """
        return play_game(self.game(number))


def planned(
    rules: Ruleset | str,
    bots: Sequence[Bot | str] | str,
    *,
    players: int | None = None,
    seed: int | str = 0,
    unit: Unit = "match",
    limit: int = 20_000,
) -> Simulation:
    """
    A simulation. Arguments and errors are those of `simulate`.
    """
    if isinstance(rules, str):
        rules = preset(rules)
    given = (bots,) if isinstance(bots, str) else tuple(bots)
    if not given:
        msg = "name at least one bot"
        raise SimulationError(msg)
    found = [bot(one) if isinstance(one, str) else checked(one) for one in given]
    if players is None:
        players = max(len(found), rules.match.players[0])
    # Raises an error for a wrong number of players or a wrong seed.
    begin(rules, players, seed=seed)
    if len(found) > players:
        msg = f"{len(found)} bots do not fit at a table of {players}"
        raise SimulationError(msg)
    if unit not in {"match", "round"}:
        msg = f"a game is a 'match' or a 'round', not {unit!r}"
        raise SimulationError(msg)
    if limit < 1:
        msg = f"the limit of actions is {limit}, but must be positive"
        raise SimulationError(msg)
    names = [bot_name(one) for one in found]
    for at, name in enumerate(names):
        first = found[names.index(name)]
        if not _alike(first, found[at]):
            msg = (
                f"two different bots are called {name!r}: "
                "give each an attribute `name` of its own"
            )
            raise SimulationError(msg)
    return Simulation(
        rules,
        tuple(found[seat % len(found)] for seat in range(players)),
        tuple(names[seat % len(found)] for seat in range(players)),
        seed,
        unit,
        limit,
    )


def _alike(one: Bot, other: Bot) -> bool:
    """
    Whether two bots of one name are interchangeable.
    """
    if one is other or one == other:
        return True
    if isinstance(one, TimedBot) and isinstance(other, TimedBot):
        return one.seconds == other.seconds and _alike(one.bot, other.bot)
    if type(one) is not type(other):
        return False
    # What they hold, in a dictionary and in slots.
    return bool(object.__getstate__(one) == object.__getstate__(other))
