"""
Matches played at random, and what must hold of them and of their rules.
"""

from __future__ import annotations

import copy
import pickle

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from rummyvariants._support.arguments import explained
from rummyvariants.cards import CARDS, COPIES
from rummyvariants.files._records import Record, record, replay
from rummyvariants.game._chance import Chance
from rummyvariants.game._engine.beginning import begin, next_deal
from rummyvariants.game._moves import legal_actions
from rummyvariants.game._state import State
from rummyvariants.game.actions import Action, Deal
from rummyvariants.melds._tree import RandRange
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.testing.holding import BrokenInvariantError, hold
from rummyvariants.testing.legality import check_legality
from rummyvariants.testing.secrecy import check_secrecy
from rummyvariants.testing.states import RESTING, check_state_knowing, melds_of
from rummyvariants.testing.steps import do


_DEALS_AT_MOST: Final = 200


@explained
def check_record(state: State) -> None:
    """
    Assert that a game can be recorded and replayed.

    Raises:
        AssertionError: If a check fails.
    """
    written = record(state)
    text = str(written)
    read = Record.parse(text)
    hold(read == written, "the record reads back as a different record")
    again = replay(read)
    hold(again == state, "the record leads to a different state")
    hold(again.scores == state.scores, "the record leads to different totals")
    hold(str(record(again)) == text, "the replayed game has a different record")
    hold(
        pickle.loads(pickle.dumps(state)) == state,  # noqa: S301 -- of our own making
        "the state comes out of a pickle as a different state",
    )


Look = Callable[[State, int], None]


@explained
def play_match(
    rules: Ruleset | str,
    players: int | Sequence[str],
    seed: int | str = 0,
    limit: int = 2_000,
    *,
    every: int = 8,
    look: Look | None = None,
) -> State:
    """
    Let random players play a match, and assert what must hold throughout.

    It checks every state and every step, legality and secrecy in some states, and the
    record at the end.

    Args:
        rules: The rules, or the name of a preset.
        players: The number of players, or their names.
        seed: The seed of the shuffles and of the choices.
        limit: After how many actions to stop the match.
        every: Check legality and secrecy in one state out of this many.
        look: Further checks: called with each state and its number, from 0.

    Returns:
        The last state.

    Raises:
        RulesError: If there is no such game for so many players.
        AssertionError: If a check fails; it holds the state before.
    """
    if isinstance(rules, str):
        rules = preset(rules)
    state = begin(rules, players, seed=seed)
    # Two streams, so that the match is the same however often it is checked.
    randrange = Chance(str(seed), "random players").below
    looks = Chance(str(seed), "looks").below
    action: Action | None = None
    before = state
    try:
        for number in range(limit):
            if state.is_over:
                break
            before, action = state, None
            action = _next_action(state, randrange)
            if action is None:
                break
            state = do(state, action)
            check_state_knowing(state, melds_of(before))
            _check_pace(state)
            if number % every == 0 or not state.to_act:
                check_legality(state, randrange=looks)
                check_secrecy(state, randrange=looks)
            if look is not None:
                look(state, number)
        before, action = state, None
        check_record(state)
    except Exception as error:
        done = len(before.history)
        last = "" if action is None else f", then seat {action.seat}: {_short(action)}"
        msg = (
            f"{rules.name} with {', '.join(rules.options) or 'no options'}, "
            f"{len(before.players)} players, seed {seed!r}, after {done} actions"
            f"{last}: {type(error).__name__}: {error}"
        )
        raise BrokenInvariantError(msg, before, action) from error
    return state


def _next_action(state: State, randrange: RandRange) -> Action | None:
    """
    The next deal, or a random player's action; None if no deal could succeed.
    """
    if state.phase == "deal":
        if state.match.thrown_in >= _DEALS_AT_MOST:
            return None
        return next_deal(state)
    return legal_actions(state).sample(randrange)


def _short(action: Action) -> str:
    return "deal" if isinstance(action, Deal) else str(action)


def _check_pace(state: State) -> None:
    """
    Assert that a round ends: the cards limit its turns (RV-01).
    """
    if state.phase in RESTING:
        return
    players = len(state.players)
    cards = len(state.rules.deck.cards_for(players))
    most = (2 * cards + 2) * (state.rules.stock.idle_rounds * players + 1)
    # Between two turnings of the pile a card reaches the table, so each card there
    # allows one turning at most; a wild taken in a trade may reach it again.
    hold(
        state.turned <= 2 * cards + 1,
        f"the discard pile was turned over {state.turned} times",
    )
    most *= 1 + state.turned
    hold(sum(state.turns) <= most, f"the round has reached turn {sum(state.turns)}")


@explained
def check_rules(rules: Ruleset) -> None:
    """
    Assert what must hold of a ruleset by itself, before any play.

    Raises:
        AssertionError: If a check fails.
    """
    hold(hash(rules) == hash(rules), "the hash of the rules changes")
    same = rules.with_options()
    hold(same == rules, "the rules built again are different")
    hold(not rules.diff(same), "the rules differ from themselves")
    hold(copy.deepcopy(rules) == rules, "a copy of the rules is different")
    for path in rules.values():
        hold(rules.origin(path).rule, f"no rule is named for {path}")
    hold(rules.describe().strip(), "the rule sheet says nothing")
    low, high = rules.match.players
    for number in range(low, high + 1):
        for code, times in Counter(rules.deck.cards_for(number)).items():
            hold(
                times <= COPIES[code],
                f"the deck for {number} players holds {CARDS[code]} {times} times",
            )


@explained
def check_ruleset(
    rules: Ruleset | str,
    players: int | Sequence[int] | None = None,
    matches: int = 3,
    seed: int = 0,
) -> None:
    """
    Assert all that must hold of a game, by random matches.

    Args:
        rules: The rules, or the name of a preset.
        players: The number of players, or several numbers to try; by default the fewest
            and the most that the rules allow.
        matches: How many matches to play with each number of players.
        seed: The first seed; the others follow from it.

    Raises:
        RulesError: If there is no such game for so many players.
        AssertionError: If a check fails.
    """
    if isinstance(rules, str):
        rules = preset(rules)
    check_rules(rules)
    if players is None:
        players = tuple(dict.fromkeys(rules.match.players))
    numbers = (players,) if isinstance(players, int) else tuple(players)
    for number in numbers:
        for match in range(matches):
            play_match(rules, number, seed + match)
