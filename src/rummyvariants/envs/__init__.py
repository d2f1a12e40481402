"""
The games as environments of other libraries, for programs that learn.

Each adapter needs its extra: ``rummyvariants[pettingzoo]`` or
``rummyvariants[gymnasium]``. With ``rummyvariants[openspiel]``, importing
`rummyvariants.envs.openspiel` registers the games in OpenSpiel.
"""

from __future__ import annotations

import os

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from rummyvariants._support.arguments import explained
from rummyvariants.bots.base import Bot
from rummyvariants.envs._table import EnvError
from rummyvariants.errors import Seat
from rummyvariants.learning.encodings import Form
from rummyvariants.learning.observations import LENGTH
from rummyvariants.learning.observations import Form as Observation
from rummyvariants.learning.rewards import MAX_STEPS, Rewards, Until
from rummyvariants.rules import Ruleset


if TYPE_CHECKING:
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    from rummyvariants.envs._shared import Index, Mode, Observed
    from rummyvariants.envs.gymnasium import RummyEnv
    from rummyvariants.envs.vectors import RummyVectorEnv


__all__ = ["EnvError", "aec_env", "gym_env", "vector_env"]


@explained
def aec_env(
    rules: Ruleset | str | os.PathLike[str],
    players: int | None = None,
    *,
    form: Form = "stepwise",
    observation: Observation = "markov",
    length: int = LENGTH,
    fields: Collection[str] | None = None,
    normalized: bool = False,
    until: Until = "match",
    rewards: Rewards = "round",
    scale: float | None = None,
    max_steps: int | None = MAX_STEPS,
    render_mode: Mode | None = None,
) -> OrderEnforcingWrapper[str, Observed, Index]:
    """
    A game as an environment of PettingZoo, in which each player is an agent.

    Args:
        rules: The rules, the name of a preset, or the path of a file of rules.
        players: The number of players; by default the fewest that the rules allow.
        form: The form of the actions, as for `rummyvariants.learning.encoding`.
        observation: The form of the observations, as for
            `rummyvariants.learning.observation_spec`.
        length: How many words of the past there is room for, with perfect recall.
        fields: The names of the only fields of observations that are wanted; None for
            all of them.
        normalized: Whether observations are 32-bit floats from 0 to 1, as networks take
            them, and not whole numbers.
        until: Where a game ends: after a ``match``, or after its first ``round``.
        rewards: ``round`` for points after each round: those of the own side, less the
            mean of the other sides, or the reverse where the lowest total wins. Or
            ``match`` for the match alone: 1 for a side that wins it and -1 for one that
            loses it, shared if there are several. Or a function that is called when a
            round is over, with its `rummyvariants.game.RoundResult` and the
            `rummyvariants.game.Match` after it; it gives a number for each seat.
        scale: How many points are worth 1, for rewards that have bounds: what a player
            has received in a game is then never more than 1 or less than -1. None for
            points as they are.
        max_steps: After how many steps of all agents a game is truncated; None for
            never.
        render_mode: ``ansi`` for a text, ``svg`` for a picture as SVG, ``human`` to
            print the text after each step; None to show nothing. All hands are shown.

    Returns:
        The environment, in the wrapper of PettingZoo that enforces the order of calls;
        `unwrapped` is the one inside.

    Raises:
        ModuleNotFoundError: If the extra is not installed.
        EnvError: If an argument is not as described.
        RulesError: If there is no such preset, the file cannot be read, or the rules
            are not for so many players.
        EncodingError: If the rules have no encoding of this form.
        ObservationError: If the form of the observations, the length or a field is
            none, or the form cannot be normalized.
    """
    given = locals()
    from rummyvariants.envs.pettingzoo import env

    return env(**given)


@explained
def gym_env(
    rules: Ruleset | str | os.PathLike[str],
    players: int | None = None,
    *,
    opponents: Sequence[Bot | str] | Bot | str = "greedy",
    seat: Seat = 0,
    form: Form = "stepwise",
    observation: Observation = "markov",
    length: int = LENGTH,
    fields: Collection[str] | None = None,
    normalized: bool = False,
    until: Until = "match",
    rewards: Rewards = "round",
    scale: float | None = None,
    max_steps: int | None = MAX_STEPS,
    illegal: float | None = None,
    render_mode: Mode | None = None,
) -> RummyEnv:
    """
    A game as an environment of Gymnasium: one seat learns, bots have the others.

    Args:
        rules: As for `aec_env`.
        players: The number of players; by default the fewest that the rules allow, or
            as many as there are bots and one more.
        opponents: The bots of the other seats, in the order of seats, or one bot for
            all of them; each a bot or its name, as for `rummyvariants.bots.bot`.
        seat: The seat that learns, or its name, such as ``player 0``.
        form: As for `aec_env`.
        observation: As for `aec_env`.
        length: As for `aec_env`.
        fields: As for `aec_env`.
        normalized: As for `aec_env`.
        until: As for `aec_env`.
        rewards: As for `aec_env`; those of the seat that learns.
        scale: As for `aec_env`.
        max_steps: After how many steps of the seat that learns a game is truncated;
            None for never.
        illegal: The reward for an index that is masked out, which then changes nothing
            else; by default it is an error.
        render_mode: As for `aec_env`.

    Raises:
        ModuleNotFoundError: If the extra is not installed.
        BotError: If there is no such bot.
        EnvError: If an argument is not as described.
        RulesError: As for `aec_env`.
        EncodingError: As for `aec_env`.
        ObservationError: As for `aec_env`.
    """
    given = locals()
    from rummyvariants.envs.gymnasium import RummyEnv

    return RummyEnv(**given)


@explained
def vector_env(
    rules: Ruleset | str | os.PathLike[str],
    players: int | None = None,
    num_envs: int = 1,
    *,
    opponents: Sequence[Bot | str] | Bot | str | None = "greedy",
    seat: Seat = 0,
    form: Form = "stepwise",
    observation: Observation = "markov",
    length: int = LENGTH,
    fields: Collection[str] | None = None,
    normalized: bool = False,
    until: Until = "match",
    rewards: Rewards = "round",
    scale: float | None = None,
    max_steps: int | None = MAX_STEPS,
    illegal: float | None = None,
    processes: int | None = None,
) -> RummyVectorEnv:
    """
    Many games as one environment of Gymnasium, stepped together.

    Each of them is as in `gym_env`. When one has ended, the next begins in the same
    step (`gymnasium.vector.AutoresetMode.SAME_STEP`), and ``final_obs`` in the
    dictionary of the step has its last observation.

    Args:
        rules: As for `aec_env`.
        players: As for `gym_env`.
        num_envs: How many games there are.
        opponents: As for `gym_env`. With None, all seats learn: each step is one of
            whoever has to choose. Then ``seat`` in the dictionary of a step or of
            `reset` has the seats that have to choose next. A step has the rewards of
            the seats that chose, and ``rewards`` those of all seats, by game.
        seat: As for `gym_env`. It has no meaning if all seats learn.
        form: As for `aec_env`.
        observation: As for `aec_env`.
        length: As for `aec_env`.
        fields: As for `aec_env`.
        normalized: As for `aec_env`.
        until: As for `aec_env`.
        rewards: As for `gym_env`.
        scale: As for `aec_env`.
        max_steps: As for `gym_env`.
        illegal: As for `gym_env`.
        processes: Among how many other processes the games are divided; None for this
            one. The games are the same. Bots and functions are sent there, so they must
            be such that can be pickled.

    Raises:
        ModuleNotFoundError: If the extra is not installed.
        BotError: If there is no such bot.
        EnvError: If an argument is not as described.
        RulesError: As for `aec_env`.
        EncodingError: As for `aec_env`.
        ObservationError: As for `aec_env`.
    """
    given = locals()
    from rummyvariants.envs.vectors import RummyVectorEnv

    return RummyVectorEnv(**given)
