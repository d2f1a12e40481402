"""
A bot that has only so much time for a choice.
"""

from __future__ import annotations

import math
import random

from typing import Any

import attrs

from rummyvariants import View
from rummyvariants._support.arguments import explained
from rummyvariants._support.stopping import OutOfTimeError, within
from rummyvariants.actions import Action
from rummyvariants.bots.base import Bot
from rummyvariants.bots.names import BotError, bot, bot_name, checked
from rummyvariants.errors import RummyError


class BotTimeoutError(RummyError, TimeoutError):
    """
    A bot has taken longer for a choice than it may.
    """


def _bot_of(given: Bot | str) -> Bot:
    return bot(given) if isinstance(given, str) else checked(given)


def _check_seconds(timed: TimedBot, field: object, value: Any) -> None:
    del timed, field
    if not (isinstance(value, int | float) and math.isfinite(value) and value > 0):
        msg = f"a bot has {value!r} seconds for a choice, but must have more than none"
        raise BotError(msg)


@attrs.frozen
class TimedBot:
    """
    A bot that is stopped if a choice takes too long, wherever a bot may play.

    The bot chooses in a thread of its own, and the game gets an error in its place when
    the time is over. A bot that loops in Python is ended then. One that waits inside of
    a function written in C goes on in the background until that function returns; and
    if the function keeps all threads waiting, as a power of huge numbers does, the
    error comes only after it.

    Time is the clock's, not the processor's: a choice may take longer on a busy
    machine, so only games without a timeout are the same each time.

    Attributes:
        bot: The bot, or its name.
        seconds: How long a choice may take.

    Raises:
        BotError: If there is no such bot, or it has no time.

    >>> rv.bots.TimedBot("greedy", seconds=0.5).name
    'greedy'
    """

    bot: Bot = attrs.field(converter=_bot_of)
    seconds: float = attrs.field(validator=_check_seconds)

    @property
    def name(self) -> str:
        """
        The name of the bot.
        """
        return bot_name(self.bot)

    @explained
    def choose(self, view: View, rng: random.Random) -> Action | str:
        """
        The bot's choice.

        Raises:
            BotTimeoutError: If it takes too long.
        """
        try:
            return within(self.seconds, lambda: self.bot.choose(view, rng))
        except OutOfTimeError:
            many = f"{self.seconds:g} second{'' if self.seconds == 1 else 's'}"
            msg = f"the bot {self.name} made no choice within {many}"
            raise BotTimeoutError(msg) from None
