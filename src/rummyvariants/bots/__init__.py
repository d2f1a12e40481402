"""
Computer players: what a bot is, and those of the library.
"""

from __future__ import annotations

from rummyvariants.bots.base import Bot, play_on, sources_of
from rummyvariants.bots.heuristic import CarefulBot, GreedyBot
from rummyvariants.bots.names import BotError, bot, bot_name
from rummyvariants.bots.random_bot import RandomBot
from rummyvariants.bots.search import SearchBot
from rummyvariants.bots.strong import StrongBot
from rummyvariants.bots.timed import BotTimeoutError, TimedBot
from rummyvariants.game._state import next_to_decide


__all__ = [
    "Bot",
    "BotError",
    "BotTimeoutError",
    "CarefulBot",
    "GreedyBot",
    "RandomBot",
    "SearchBot",
    "StrongBot",
    "TimedBot",
    "bot",
    "bot_name",
    "next_to_decide",
    "play_on",
    "sources_of",
]
