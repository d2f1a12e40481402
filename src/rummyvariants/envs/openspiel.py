"""
The games as games of OpenSpiel. Importing this module registers them.

Every preset is a game called ``rummyvariants_`` and its name with underscores, such as
``rummyvariants_gin_rummy``. The game ``rummyvariants`` takes its rules from a file, and
`register` adds rulesets that a program has made. An action of OpenSpiel is an index of
`rummyvariants.learning.encoding`. Chance decides card by card, when a card is first
needed; in the sampled form a deal is one event.

A game has these parameters, all of which may be left out:

- ``players``: the number of players; by default the fewest that the rules allow.
- ``options``: ids of options with ``+`` between them, and with ``:`` where an id has an
  equals sign, such as ``PGV-P4+PGV-E5:2500``; only for presets.
- ``values``: policy values, as ``deal.hand_size:7;stock.dead:2``; only for presets.
- ``rules``: the path of a file of rules or the name of a preset; only for the game
  ``rummyvariants``.
- ``form``: ``stepwise`` or ``flat``, as for `rummyvariants.learning.encoding`.
- ``until``: where a game ends: after the first ``round``, or after the ``match``.
- ``rewards``: ``round`` for points, ``match`` for 1 to the side that wins the match and
  -1 to the others; as for `rummyvariants.envs.aec_env`.
- ``scale``: how many points are worth 1, by default 10,000; utilities are then between
  -1 and 1. With 0 they are points, without bounds.
- ``max_steps``: after how many decisions of players a game ends in any case.
- ``length``: how many words of the past an information state tensor has room for.
- ``dealer``: the seat that deals first; by default the rules or chance decide.
- ``sampled``: whether chance is sampled: a deal is then one event, and games are played
  about twice as fast.
- ``seed``: what the sampled deals of a game follow from; by default they differ.

It needs the extra ``openspiel``.
"""

from __future__ import annotations

import math
import random
import re

from typing import Any, Final

from rummyvariants.envs import _accounts as accounts
from rummyvariants.envs._extras import extra
from rummyvariants.envs._parameters import CHANGES, COMMON, FILE, setup_of
from rummyvariants.envs._plays import CHANCE, Play, Setup
from rummyvariants.envs._table import EnvError
from rummyvariants.errors import shown
from rummyvariants.rules import Ruleset, preset, presets


with extra("openspiel"):
    import numpy as np
    import pyspiel


__all__ = ["RummyGame", "RummyObserver", "RummyState", "register"]


PREFIX: Final = "rummyvariants"
"""How the names of the games begin, and the name of the one with rules in a file."""
_RULES: Final[dict[str, Ruleset]] = {}
"""The rules of the registered games by their names."""
_SEEDS: Final = 1 << 62


class RummyGame(pyspiel.Game):  # type: ignore[misc]
    """
    A game of OpenSpiel; `pyspiel.load_game` makes one of a subclass.

    Args:
        parameters: Those that were given; the module describes them.

    Attributes:
        name: The name by which it is registered.
        setup: The rules, the encoding and the observations.

    Raises:
        EnvError: If a parameter is not as described.
        RulesError: If there are no such rules, or they are not for so many players.
        EncodingError: If the rules have no encoding of the form.
        ObservationError: If the length is none.
    """

    name = PREFIX

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        defaults = {**COMMON, **CHANGES, **FILE}
        # OpenSpiel adds those that are left out; the text of a game need not have them.
        given = {
            key: value
            for key, value in (parameters or {}).items()
            if key not in defaults or value != defaults[key]
        }
        self.setup: Setup = setup_of(self.name, _RULES.get(self.name), given)
        seed = given.get("seed", -1)
        self.source_of_deals = random.Random(None if seed < 0 else seed)
        self._start = self.setup.begin()
        # Nothing in the rules of a game says how many points a round may bring.
        least, most = self.setup.stakes.utilities or (-math.inf, math.inf)
        encoding = self.setup.encoding
        info = pyspiel.GameInfo(
            num_distinct_actions=encoding.size,
            max_chance_outcomes=self.setup.outcomes,
            num_players=encoding.players,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.setup.max_steps,
        )
        rules = encoding.rules if self.name in _RULES else None
        super().__init__(_game_type(self.name, rules, self.setup), info, given)

    def max_chance_nodes_in_history(self) -> int:
        """
        The most decisions of chance in a game.
        """
        return self.setup.max_events

    def new_initial_state(self, *given: object) -> RummyState:
        """
        A game before its first deal.

        Raises:
            EnvError: If a position is given: games begin with a deal.
        """
        if given:
            msg = f"a game cannot begin from {shown(given[0])}: it begins with a deal"
            raise EnvError(msg)
        return RummyState(self, self._start)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Any = None
    ) -> RummyObserver | None:
        """
        What writes observations; None where nothing is written.

        Args:
            iig_obs_type: Which of the public, the private and the past are observed. A
                seat may observe what it knows itself, not what all others know.
            params: None may be given.

        Raises:
            EnvError: If there are parameters.
        """
        if isinstance(iig_obs_type, dict):  # without a type, these come first
            iig_obs_type, params = None, iig_obs_type
        if params:
            msg = f"an observer takes no parameters, but was given {shown(params)}"
            raise EnvError(msg)
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return None
        return RummyObserver(self.setup, kind)


class RummyState(pyspiel.State):  # type: ignore[misc]
    """
    A state of a game of OpenSpiel.

    Args:
        game: The game.
        play: Where it stands.

    Attributes:
        play: The game as the library runs it, with the state, and the action that is
            being chosen.
    """

    def __init__(self, game: RummyGame, play: Play) -> None:
        super().__init__(game)
        self.play = play

    def current_player(self) -> Any:
        """
        The seat that decides, chance, or the end.
        """
        if self.play.is_over:
            return pyspiel.PlayerId.TERMINAL
        seat = self.play.seat
        return pyspiel.PlayerId.CHANCE if seat == CHANCE else seat

    def _legal_actions(self, player: int) -> list[int]:
        selection = self.play.selection
        if selection is None or selection.seat != player:
            return []
        return list(self.play.setup.encoding.legal(selection))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """
        What chance may decide, each with how likely it is.
        """
        if self.play.setup.sampled:
            return [(0, 1.0)]
        found = self.play.outcomes
        return [(number, float(one.probability)) for number, one in found.items()]

    def _apply_action(self, action: int) -> None:
        play = self.play
        if play.selection is not None:
            self.play = play.choose(action)
            return
        if play.setup.sampled:
            action = self.get_game().source_of_deals.randrange(_SEEDS)
        self.play = play.decide(action)

    def _action_to_string(self, player: int, action: int) -> str:
        setup = self.play.setup
        if player >= 0:
            return setup.encoding.labels[action]
        return "the deal" if setup.sampled else str(self.play.outcomes[action])

    def is_terminal(self) -> bool:
        """
        Whether the game is over.
        """
        return self.play.is_over

    def returns(self) -> list[float]:
        """
        By seat, all rewards so far.
        """
        return list(self.play.returns)

    def rewards(self) -> list[float]:
        """
        By seat, the rewards since a player decided last.
        """
        return list(self.play.rewards)

    def __str__(self) -> str:
        return accounts.everything(self.play)


class RummyObserver:
    """
    What writes an observation as a tensor or as a text.

    Args:
        setup: What the game is played by.
        kind: Which of the public, the private and the past are observed.

    Attributes:
        tensor: The observation; None where only the text is written.
        dict: Its parts by name.
    """

    def __init__(self, setup: Setup, kind: Any) -> None:
        self._public: bool = kind.public_info
        self._own: bool = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recalls: bool = kind.perfect_recall
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not (self._public and self._own):
            return
        players = setup.encoding.players
        self._spec = setup.recall if self._recalls else setup.markov
        self.tensor = np.zeros(players + self._spec.size, np.float32)
        self._seats, self._rest = np.split(self.tensor, [players])
        self.dict = {"observer": self._seats, **self._spec.named(self._rest)}

    def set_from(self, state: RummyState, player: int) -> None:
        """
        Write the tensor.

        Args:
            state: The state.
            player: The seat that observes.

        Raises:
            ObservationError: If there is no room for the past: see ``length``.
        """
        if self.tensor is None:
            return
        play = state.play
        self._seats.fill(0)
        self._seats[player] = 1
        selection = play.selection
        if selection is not None and selection.seat == player:
            self._rest[:] = self._spec.vector(selection)
        else:
            self._rest[:] = self._spec.vector(play.state, player)

    def string_from(self, state: RummyState, player: int) -> str:
        """
        The observation as a text.

        Arguments are those of `set_from`.
        """
        play = state.play
        if self._public:
            tell = accounts.recalled if self._recalls else accounts.observed
            return tell(play, player if self._own else None)
        return accounts.private(play, player) if self._own else ""


def _game_type(name: str, rules: Ruleset | None, setup: Setup | None = None) -> Any:
    """
    The type of a game.

    Args:
        name: Its name.
        rules: Its rules; None if a parameter names them.
        setup: What it is played by; None for what holds if nothing else is said.
    """
    kind = pyspiel.GameType
    fewest, most = (1, 8) if rules is None else rules.match.players
    sampled = setup is not None and setup.sampled
    at_the_end = setup is None or setup.stakes.until == "round"
    chance = kind.ChanceMode
    rewards = kind.RewardModel
    return kind(
        short_name=name,
        long_name=rules.title if rules else "Rummy by the rules of a file",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=chance.SAMPLED_STOCHASTIC
        if sampled
        else chance.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=rewards.TERMINAL if at_the_end else rewards.REWARDS,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={**COMMON, **(FILE if rules is None else CHANGES)},
    )


def _add(name: str, rules: Ruleset | None) -> None:
    """
    Register a game by its name.
    """
    # OpenSpiel keeps what makes a game until Python has ended. A class is safe there; a
    # function would be freed too late.
    made = type(RummyGame.__name__, (RummyGame,), {"name": name})
    pyspiel.register_game(_game_type(name, rules), made)


def register(rules: Ruleset, name: str | None = None) -> str:
    """
    Register a ruleset as a game of OpenSpiel.

    Args:
        rules: The rules.
        name: The name of the game after ``rummyvariants_``; by default that of the
            rules. It becomes one of lower-case letters, digits and underscores.

    Returns:
        The whole name of the game, which `pyspiel.load_game` takes.

    Raises:
        EnvError: If the name is none, or it is that of a game with other rules.
    """
    given = rules.name if name is None else name
    word = "_".join(re.findall("[a-z0-9]+", given.lower()))
    if not word:
        msg = f"{shown(given)} is no name of a game: it needs a letter or a digit"
        raise EnvError(msg)
    whole = f"{PREFIX}_{word}"
    if _RULES.setdefault(whole, rules) != rules:
        msg = f"there is a game {whole!r} with other rules: give another name"
        raise EnvError(msg)
    _add(whole, rules)
    return whole


for _name in presets():
    register(preset(_name))
_add(PREFIX, None)
