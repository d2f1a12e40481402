"""
Checks that turns, rounds and matches come to an end.
"""

from __future__ import annotations

from typing import Final

from rummyvariants import State, apply, legal_actions
from rummyvariants._support.words import listed
from rummyvariants.actions import Action
from rummyvariants.game import next_deal
from rummyvariants.game._chance import Chance
from rummyvariants.game._engine.rounds import is_last
from rummyvariants.house import HouseRule
from rummyvariants.house._claims import IN_PLACE
from rummyvariants.house.rules import answered_by
from rummyvariants.melds._tree import RandRange
from rummyvariants.rules import Ruleset
from rummyvariants.rules._claims import of_the_table
from rummyvariants.testing.holding import hold
from rummyvariants.testing.states import RESTING


ACTIONS_AT_MOST: Final = 20_000
"""How far a match is played on to see it end: much further than most of them go."""
_DEALS_AT_MOST: Final = 200
_BESIDE: Final = 300
"""How many actions a turn may have beside those that move a card."""
_OF_ROUNDS: Final = frozenset({"follows", "offers", "refills", "next_seat"})
_OF_MATCHES: Final = frozenset(
    {"follows", "offers", "score", "winners", "eliminated", "rejoins"}
)
"""The questions whose answers can keep a round or a match from ending."""


def next_action(state: State, randrange: RandRange) -> Action | None:
    """
    The next deal, or a random player's action; None if no deal could succeed.
    """
    if state.phase == "deal":
        if state.match.thrown_in >= _DEALS_AT_MOST:
            return None
        return next_deal(state)
    return legal_actions(state).sample(randrange)


class Pace:
    """
    How long the turn and the round of a match have been going on.
    """

    def __init__(self) -> None:
        self._turn: tuple[int, ...] = ()
        self._actions = 0

    def check(self, state: State) -> None:
        """
        Assert that a turn and a round end: the cards limit both (RV-01).

        Args:
            state: A state of the match; each is checked once, in order.
        """
        if state.phase in RESTING:
            return
        players = len(state.players)
        cards = len(state.rules.deck.cards_for(players))
        turn = state.round_number, *state.turns
        self._actions = self._actions + 1 if turn == self._turn else 0
        self._turn = turn
        hold(
            self._actions <= 4 * cards + _BESIDE,
            f"the turn has gone on for {self._actions} actions{_reasons(state)}",
        )
        most = (2 * cards + 2) * (state.rules.stock.idle_rounds * players + 1)
        # Between two turnings of the pile a card reaches the table, so each card there
        # allows one turning at most; a wild taken in a trade may reach it again.
        hold(
            state.turned <= 2 * cards + 1,
            f"the discard pile was turned over {state.turned} times{_reasons(state)}",
        )
        most *= 1 + state.turned
        turns = sum(state.turns)
        hold(turns <= most, f"the round has reached turn {turns}{_reasons(state)}")


def _reasons(state: State) -> str:
    return _could_be(_suspects(state.rules, _OF_ROUNDS))


def _suspects(rules: Ruleset, questions: frozenset[str]) -> list[HouseRule]:
    """
    The house rules of the table that answer one of some questions.
    """
    table = [rule for _, rule in of_the_table(rules.house)]
    return [rule for rule in table if not questions.isdisjoint(answered_by(rule))]


def _could_be(found: list[HouseRule]) -> str:
    if not found:
        return ""
    names = listed([repr(rule.name) for rule in found])
    return f"; the reason could be {names}"


def check_end(state: State, seed: int | str) -> str:
    """
    Play a match on at random, and assert that it ends when its values say so.

    Args:
        state: The state in which its players were stopped.
        seed: The seed of the match.

    Returns:
        A notice if it goes on for very long because nobody has won by the values
        either; empty otherwise.
    """
    rules = state.rules.of_table
    suspects = _suspects(rules, _OF_MATCHES)
    state = _played_on(state, seed)
    if state.is_over or len(state.history) < ACTIONS_AT_MOST or not suspects:
        return ""
    text = f"the match goes on after {ACTIONS_AT_MOST:,} actions{_could_be(suspects)}"
    replaced = not rules.replaced.keys().isdisjoint(IN_PLACE["winners"])
    if not (replaced or state.columns):
        last = is_last(state)
        won = rules.match.winners(state.scores, None, last_round=last)
        hold(not won, f"{text}; by the values of `match` it is over")
    return text


def _played_on(state: State, seed: int | str) -> State:
    """
    The state in which random players have ended a match, or done so many actions.
    """
    randrange = Chance(str(seed), "playing on").below
    pace = Pace()
    for _ in range(len(state.history), ACTIONS_AT_MOST):
        action = None if state.is_over else next_action(state, randrange)
        if action is None:
            break
        state = apply(state, action)
        pace.check(state)
    return state
