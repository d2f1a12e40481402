"""
Matches played at random, and what must hold of them and of their rules.
"""

from __future__ import annotations

import copy
import pickle

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from rummyvariants import State, record, replay
from rummyvariants._support.arguments import explained
from rummyvariants.actions import Action, Deal
from rummyvariants.cards import CARDS, COPIES
from rummyvariants.files import Record
from rummyvariants.game import begin
from rummyvariants.game._chance import Chance
from rummyvariants.rules import Ruleset, preset
from rummyvariants.testing.ends import Pace, check_end, next_action
from rummyvariants.testing.holding import BrokenInvariantError, hold
from rummyvariants.testing.legality import check_legality
from rummyvariants.testing.secrecy import check_secrecy
from rummyvariants.testing.states import check_state_knowing, melds_of
from rummyvariants.testing.steps import do
from rummyvariants.testing.watching import Watch, check_claims


_ACTIONS: Final = 2_000
"""After how many actions a match is stopped."""


@explained
def check_record(state: State) -> None:
    """
    Assert that a game can be recorded and replayed.

    Raises:
        AssertionError: If a check fails.

    >>> rv.testing.check_record(rv.apply(rv.new_game("rummy-500", 2), "draw"))
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
    limit: int = _ACTIONS,
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

    >>> rv.testing.play_match("rummy-500", ["Ann", "Ben"], limit=10)
    <State of rummy-500, round 1, draw: Ann, scores (0, 0)>
    """
    if isinstance(rules, str):
        rules = preset(rules)
    state = begin(rules, players, seed=seed)
    # Two streams, so that the match is the same however often it is checked.
    randrange = Chance(str(seed), "random players").below
    looks = Chance(str(seed), "looks").below
    action: Action | None = None
    before = state
    pace = Pace()
    try:
        for number in range(limit):
            if state.is_over:
                break
            before, action = state, None
            action = next_action(state, randrange)
            if action is None:
                break
            state = do(state, action)
            check_state_knowing(state, melds_of(before))
            pace.check(state)
            if number % every == 0 or not state.to_act:
                check_legality(state, randrange=looks)
                check_secrecy(state, randrange=looks)
            if look is not None:
                look(state, number)
        before, action = state, None
        check_record(state)
    except Exception as error:
        raise _broken(before, action, seed, error) from error
    return state


def _broken(
    before: State, action: Action | None, seed: int | str, error: Exception
) -> BrokenInvariantError:
    """
    The error of a match, which says how to play it again.
    """
    last = "" if action is None else f", then seat {action.seat}: {_short(action)}"
    msg = (
        f"{_match(before, seed)}, after {len(before.history)} actions"
        f"{last}: {type(error).__name__}: {error}"
    )
    return BrokenInvariantError(msg, before, action)


def _match(state: State, seed: int | str) -> str:
    rules = state.rules.of_table
    options = ", ".join(rules.options) or "no options"
    return f"{rules.name} with {options}, {len(state.players)} players, seed {seed!r}"


def _short(action: Action) -> str:
    return "deal" if isinstance(action, Deal) else str(action)


@explained
def check_rules(rules: Ruleset) -> None:
    """
    Assert what must hold of a ruleset by itself, before any play.

    Raises:
        AssertionError: If a check fails.

    >>> rv.testing.check_rules(rv.preset("rummy-500").with_options("PGV-P4"))
    """
    hold(hash(rules) == hash(rules), "the hash of the rules changes")
    same = rules.with_options()
    hold(same == rules, "the rules built again are different")
    hold(not rules.diff(same), "the rules differ from themselves")
    hold(copy.deepcopy(rules) == rules, "a copy of the rules is different")
    for path in rules.values():
        hold(rules.origin(path).rule, f"no rule is named for {path}")
    hold(rules.describe().strip(), "the rule sheet says nothing")
    check_claims(rules)
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

    What need not be a fault is a warning in the log ``rummyvariants.testing``, once for
    all matches: an action that a house rule never offered, or an ending that it never
    brought about. So is how long the matches will take, if that is long.

    Args:
        rules: The rules, or the name of a preset.
        players: The number of players, or several numbers to try; by default the fewest
            and the most that the rules allow.
        matches: How many matches to play with each number of players.
        seed: The first seed; the others follow from it.

    Raises:
        RulesError: If there is no such game for so many players.
        AssertionError: If a check fails.

    >>> rules = rv.preset("rummy-500").with_values({"match.target": 1})
    >>> rv.testing.check_ruleset(rules, players=2, matches=1)
    """
    if isinstance(rules, str):
        rules = preset(rules)
    check_rules(rules)
    if players is None:
        players = tuple(dict.fromkeys(rules.match.players))
    numbers = (players,) if isinstance(players, int) else tuple(players)
    watch = Watch(rules, len(numbers) * matches, _ACTIONS)
    for number in numbers:
        for one in range(seed, seed + matches):
            state = play_match(rules, number, one, _ACTIONS, look=watch.look)
            try:
                notice = check_end(state, one)
            except Exception as error:
                raise _broken(state, None, one, error) from error
            watch.played(notice and f"{_match(state, one)}: {notice}")
    watch.say()
