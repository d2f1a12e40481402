"""
A game in which chance is an event of its own, as OpenSpiel runs it.
"""

from __future__ import annotations

import functools

from collections.abc import Iterator
from typing import Any, Final

import attrs

from rummyvariants import State, apply
from rummyvariants.cards import CARDS
from rummyvariants.envs._table import EnvError
from rummyvariants.errors import shown
from rummyvariants.game import begin, deal
from rummyvariants.game._state import next_to_decide
from rummyvariants.learning.chance import Moment, Outcome
from rummyvariants.learning.encodings import Encoding, Selection
from rummyvariants.learning.observations import ObservationSpec
from rummyvariants.learning.rewards import BySeat, Stakes, added
from rummyvariants.policies.base import is_whole


CHANCE: Final = -1
"""In place of a seat: chance decides."""
MOST_STEPS: Final = 1_000_000
"""The highest limit of the decisions in a game."""

Past = tuple[Any, int, int] | None
"""What was decided so far: the past before, the seat or `CHANCE`, the number."""


@attrs.frozen(eq=False)
class Setup:
    """
    What a game is played by.

    Attributes:
        encoding: The actions as numbers, with the rules and the number of players.
        markov: What is observed of a position.
        recall: The same with the round as the seat saw it.
        stakes: Where the game ends, and what rewards are given for.
        max_steps: After how many decisions of players it ends in any case.
        sampled: Whether a deal is one event, which a seed decides.
        dealer: The seat that deals first; -1 where the rules or chance decide.
        source: The name of the game and its parameters, from which all this follows.
    """

    encoding: Encoding
    markov: ObservationSpec
    recall: ObservationSpec
    stakes: Stakes
    max_steps: int
    sampled: bool
    dealer: int
    source: tuple[str, tuple[tuple[str, Any], ...]]

    def __attrs_post_init__(self) -> None:
        if self.stakes.wrong:
            raise EnvError(self.stakes.wrong)
        if not is_whole(self.max_steps, 1, MOST_STEPS):
            msg = (
                f"max_steps cannot be {shown(self.max_steps)}: give a whole number "
                f"from 1 to {MOST_STEPS:,}"
            )
            raise EnvError(msg)
        last = self.encoding.players - 1
        if not -1 <= self.dealer <= last:
            msg = (
                f"dealer cannot be {self.dealer}: give a seat from 0 to {last}, or -1 "
                "for the rules to say"
            )
            raise EnvError(msg)

    @property
    def deck(self) -> int:
        """
        The number of cards in the deck.
        """
        return len(self.encoding.rules.deck.cards_for(self.encoding.players))

    @property
    def outcomes(self) -> int:
        """
        How many numbers there are for what chance may decide.
        """
        if self.sampled:
            return 1
        return len(CARDS) + self.encoding.players + self.deck + 1

    @property
    def max_events(self) -> int:
        """
        After how many decisions of chance a game ends in any case.

        More are possible only if deals are abandoned again and again: a step or a deal
        looks at each card of the deck once, and may put it back.
        """
        return (self.max_steps + 1) * (1 if self.sampled else 2 * self.deck + 1)

    def number(self, outcome: Outcome) -> int:
        """
        The number of something that chance may decide.
        """
        before = {"card": 0, "dealer": len(CARDS)}
        start = before.get(outcome.kind, len(CARDS) + self.encoding.players)
        return start + outcome.number

    def begin(self) -> Play:
        """
        A game before its first deal.
        """
        encoding = self.encoding
        dealer = None if self.dealer < 0 else self.dealer
        state = begin(encoding.rules, encoding.players, seed=None, dealer=dealer)
        nothing = (0.0,) * encoding.players
        return Play(self, Moment(state), None, False, *(nothing,) * 3)


@attrs.frozen(eq=False, repr=False)
class Play:
    """
    A game between two decisions, of a player or of chance. It never changes.

    Attributes:
        setup: What it is played by.
        moment: Where the match stands.
        selection: The action that a player is choosing; None if none is.
        is_over: Whether the game is over.
        returns: By seat, all rewards so far.
        rewards: By seat, the rewards since a player decided last.
        total: By seat, what was earned, without bounds.
        steps: How many decisions players have made.
        events: How many decisions chance has made.
        past: All of them.
        ended: The states at the ends of the rounds before this one.
    """

    setup: Setup
    moment: Moment
    selection: Selection | None
    is_over: bool
    returns: BySeat
    rewards: BySeat
    total: BySeat
    steps: int = 0
    events: int = 0
    past: Past = None
    ended: tuple[State, ...] = ()

    @property
    def state(self) -> State:
        """
        The state of the match, with all that is hidden.
        """
        return self.moment.state

    @property
    def seat(self) -> int:
        """
        The seat that decides, or `CHANCE`; it has no meaning once the game is over.
        """
        return CHANCE if self.selection is None else self.selection.seat

    @functools.cached_property
    def outcomes(self) -> dict[int, Outcome]:
        """
        By its number, what chance may decide, lowest first.
        """
        return {self.setup.number(one): one for one in self.moment.outcomes}

    def choose(self, index: int) -> Play:
        """
        The game after an index that a player chose.

        Raises:
            EncodingError: If it may not be chosen.
        """
        selection = self.selection
        assert selection is not None  # noqa: S101 -- the adapter asks whose turn it is
        found = self.setup.encoding.decode(index, selection)
        past = (self.past, selection.seat, index)
        none = (0.0,) * len(self.rewards)
        now = attrs.evolve(self, rewards=none, steps=self.steps + 1, past=past)
        if isinstance(found, Selection):
            over = now.steps >= self.setup.max_steps
            return attrs.evolve(now, selection=None if over else found, is_over=over)
        if self.setup.sampled:
            return now._at(Moment(apply(self.state, found)))
        return now._at(self.moment.act(found))

    def decide(self, number: int) -> Play:
        """
        The game after something that chance decided.

        Args:
            number: The number of the outcome; in the sampled form, the seed of a deal.
        """
        past = (self.past, CHANCE, number)
        now = attrs.evolve(self, events=self.events + 1, past=past)
        if not self.setup.sampled:
            return now._at(self.moment.after(self.outcomes[number]))
        state = self.state
        seeded = attrs.evolve(state, match=attrs.evolve(state.match, seed=number))
        return now._at(Moment(deal(seeded)))

    def _at(self, moment: Moment) -> Play:
        """
        The same game at another moment of the match.
        """
        before, after, setup = self.state, moment.state, self.setup
        returns, rewards, ended = self.returns, self.rewards, self.ended
        gained, total = setup.stakes.pay(before, after, self.total)
        returns, rewards = added(returns, gained), added(rewards, gained)
        if before.is_round_over and not after.is_round_over:
            ended = (*ended, before)
        is_over = self.steps >= setup.max_steps or self.events >= setup.max_events
        if moment.waiting is None:
            is_over |= setup.stakes.is_over(after)
        selection = None
        if not (is_over or moment.is_chance):
            selection = setup.encoding.begin(after, next_to_decide(after))
        return attrs.evolve(
            self,
            moment=moment,
            selection=selection,
            is_over=is_over,
            returns=returns,
            rewards=rewards,
            total=total,
            ended=ended,
        )

    def decisions(self) -> Iterator[tuple[int, int]]:
        """
        All that was decided, last first: a seat or `CHANCE`, and the number.
        """
        past = self.past
        while past is not None:
            past, seat, number = past
            yield seat, number

    def __deepcopy__(self, memo: object) -> Play:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _replayed, (self.setup, [*self.decisions()][::-1])


def _replayed(setup: Setup, decisions: list[tuple[int, int]]) -> Play:
    play = setup.begin()
    for seat, number in decisions:
        play = play.decide(number) if seat == CHANCE else play.choose(number)
    return play
