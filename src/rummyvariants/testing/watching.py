"""
What is seen of house rules in random matches, and how long these take.
"""

from __future__ import annotations

import logging
import time

from collections.abc import Iterator
from typing import Final

from rummyvariants import State, check
from rummyvariants._support.words import listed, number
from rummyvariants.actions import HouseAction
from rummyvariants.game import _asking as asking
from rummyvariants.house import EndMatch, EndRound, HouseRule
from rummyvariants.house.rules import answered_by
from rummyvariants.rules import Ruleset
from rummyvariants.rules._claims import of_the_table
from rummyvariants.testing.holding import fail


_LOG: Final = logging.getLogger("rummyvariants.testing")
_SOON: Final = 5.0
"""How many seconds nobody minds to wait without a word."""
_ENDINGS: Final = {EndRound: "end a round", EndMatch: "end a match"}


def check_claims(rules: Ruleset) -> None:
    """
    Assert that house rules answer the questions that what they declare depends on.

    Raises:
        AssertionError: If a rule does not.
    """
    for _, rule in of_the_table(rules.house):
        said, what = {*answered_by(rule)}, f"{rule.name!r} declares"
        if rule.actions and "offers" not in said:
            names = listed(map(repr, rule.actions))
            fail(f"{what} {names} in `actions`, but does not answer 'offers'")
        if (ends := _endings(rule)) and said.isdisjoint({"follows", "offers"}):
            names = listed([one.__name__ for one in ends])
            answers = "answers neither 'follows' nor 'offers'"
            fail(f"{what} {names} in `effects`, but {answers}")


def _matches(many: int) -> str:
    return f"{number(many)} match{'es' * (many > 1)}"


def _endings(rule: HouseRule) -> list[type[EndRound | EndMatch]]:
    return [one for one in _ENDINGS if one in (rule.effects or ())]


class Watch:
    """
    What is not yet seen of the house rules of a table, in the matches that are played.

    Args:
        rules: The rules.
        matches: How many matches are played.
        limit: After how many actions a match is stopped.
    """

    def __init__(self, rules: Ruleset, matches: int, limit: int) -> None:
        table = of_the_table(rules.house)
        self._actions = {(path, name) for path, rule in table for name in rule.actions}
        self._refused: set[tuple[str, str]] = set()
        self._endings = {(path, one) for path, rule in table for one in _endings(rule)}
        self._rules, self._matches, self._limit = rules, matches, limit
        self._played = self._done = 0
        self._start = time.monotonic()
        self._told = False
        self._notice = ""

    def look(self, state: State, number: int) -> None:
        """
        Look at a state, after so many actions of its match.
        """
        self._done += 1
        if self._actions:
            self._look_at_offers(state)
        result = state.result
        if self._endings and result is not None:
            self._endings -= {
                (path, one)
                for path, one in self._endings
                if self._rules.rule_of(path) == result.rule
                and (one is EndRound or state.is_over)
            }
        if not self._played and self._passed > _SOON:
            left = self._matches * self._limit - number - 1
            self._tell("as much as ", self._passed / self._done * left)

    def _look_at_offers(self, state: State) -> None:
        for seat in state.to_act:
            for path, _, one in asking.offers_to(state, seat):
                offered = path, one.name
                if offered not in self._actions:
                    continue
                if check(state, HouseAction(one.name, one.cards, seat)):
                    self._actions.remove(offered)
                else:
                    self._refused.add(offered)

    @property
    def _passed(self) -> float:
        return time.monotonic() - self._start

    def played(self, notice: str) -> None:
        """
        Note that a match was played, and say how long the others will take.

        Args:
            notice: What there is to say about it; empty for nothing.
        """
        self._played += 1
        self._notice = self._notice or notice
        left = self._matches - self._played
        self._tell("about ", self._passed / self._played * left)

    def _tell(self, about: str, seconds: float) -> None:
        """
        Say once how long the rest will take, if that is long.
        """
        if self._told or seconds < _SOON:
            return
        self._told = True
        left = _matches(self._matches - self._played)
        _LOG.warning(
            "%s: %s will take %s%.0f s", self._rules.name, left, about, seconds
        )

    def say(self) -> None:
        """
        Say what was never seen, and if a match never ended.
        """
        if self._notice:
            _LOG.warning(self._notice)
        for text in self._unseen():
            _LOG.warning("%s: %s", self._rules.name, text)

    def _unseen(self) -> Iterator[str]:
        where = f"in {_matches(self._played)}"
        for path, rule in of_the_table(self._rules.house):
            for name in rule.actions:
                if (path, name) in self._actions:
                    only = " but to be refused" * ((path, name) in self._refused)
                    yield f"{rule.name!r} never offered {name!r}{only} {where}"
            for one in _endings(rule):
                if (path, one) in self._endings:
                    yield f"{rule.name!r} was not seen to {_ENDINGS[one]} {where}"
