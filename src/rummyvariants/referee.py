"""
Questions about the rules, as a person at the table asks them.

They need no game: the name of one, and the few facts that matter, make a position. What
the facts leave out is made up, and never decides an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rummyvariants._support.arguments import explained
from rummyvariants.actions import Action
from rummyvariants.errors import (
    ParseError,
    PositionError,
    RequestError,
    RulesError,
    Seat,
    seat_number,
)
from rummyvariants.files._situations import ruled, situation
from rummyvariants.game._engine import game as engine
from rummyvariants.game._moves import LegalActions
from rummyvariants.game._scoring import round_result
from rummyvariants.game._state import State
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.rules._variants import Option, options, presets
from rummyvariants.rulings import Ruling, catalogue


@explained
def check(
    game: State | Ruleset | str,
    action: Action | str,
    seat: Seat | None = None,
    **facts: Any,
) -> Ruling:
    """
    Ask whether an action is legal, and by which rule.

        >>> import rummyvariants as rv
        >>> print(rv.check("rummy-500", "meld Qc Kc Ac"))
        legal: ...
        >>> print(rv.check("rummy-500", "take 9h", hand="7h 8h 2c", pile="9h 4d"))
        legal: ...

    Args:
        game: A state; or rules or the name of a game, for a question of a few facts.
        action: An action, or its text in the notation.
        seat: The seat that would act, from 0 or by the player's name, in place of any
            seat that the action names. It may be left out if the action names a seat or
            only one seat may act. A server should always give it with what a player
            sends. No seat deals, so with a seat a deal is refused.
        facts: With a game in place of a state, what is known of the table: ``hand``,
            ``pile``, ``melds``, ``players`` and all other keys of `position`. Cards
            that the action names are in the hand if that is left out.

    Returns:
        A ruling, which is true if the action is legal. An action never raises an error,
        even if its values have wrong types: it is refused.

    Raises:
        ParseError: If a text cannot be read as an action.
        PositionError: If the position is impossible, or if what the facts leave out
            decides the answer.
        RequestError: If there is no such seat, or facts are given beside a state.
        RulesError: If there is no such game.
    """
    if isinstance(game, State):
        _no_facts(facts)
        return engine.check(game, action, seat)
    rules = _rules(game)
    _, ruling = ruled(rules, action, **_seated(facts, seat))
    return ruling.about(rules, action, seat, facts)


@explained
def legal_actions(
    game: State | Ruleset | str, seat: Seat | None = None, **facts: Any
) -> LegalActions:
    """
    Everything that may be done.

        >>> import rummyvariants as rv
        >>> rv.legal_actions("gin-rummy", hand="7h 8h 9h 2c", pile="4d", partial=True)
        <LegalActions: draw, take 1>

    Args:
        game: A state; or rules or the name of a game, with a few facts.
        seat: Only what this seat may do, from 0 or by the player's name; by default all
            seats that may act.
        facts: As for `check`.

    Raises:
        PositionError: If the position is impossible.
        RequestError: If there is no such seat, or facts are given beside a state.
        RulesError: If there is no such game.
    """
    if isinstance(game, State):
        _no_facts(facts)
        return LegalActions(game, seat)
    return LegalActions(situation(_rules(game), **_seated(facts, seat)), None)


def _rules(game: Ruleset | str) -> Ruleset:
    return preset(game) if isinstance(game, str) else game


def _no_facts(facts: Mapping[str, Any]) -> None:
    if facts:
        msg = (
            f"{next(iter(facts))}: a state has its own; give facts with the name of a "
            "game, as in check('rummy-500', 'take 9s', hand='7s 8s', pile='9s 4d')"
        )
        raise RequestError(msg)


def _seated(facts: Mapping[str, Any], seat: Seat | None) -> Mapping[str, Any]:
    """
    Facts in which a seat is in turn, unless they say whose turn it is.
    """
    if seat is None or "turn" in facts or not isinstance(seat, str):
        return facts
    return {**facts, "turn": seat}


# ------------------------------------------------------- what a ruling says of itself


def under(case: Sequence[Any], rules: Ruleset | str) -> Ruling:
    """
    The ruling on what was asked, under other rules.

    Raises:
        PositionError: If the position is impossible under these rules.
        RequestError: If it is not known what was asked.
        RulesError: If there is no such preset.
    """
    game, action, seat, *facts = _known(case)
    rules = _rules(rules)
    if facts:
        return check(rules, action, seat, **facts[0])
    return engine.check(game.under(rules), action, seat)


def allowed_by(case: Sequence[Any]) -> tuple[Option, ...]:
    """
    The options with which it is legal, each tried with what it needs.
    """
    game = _known(case)[0]
    rules: Ruleset = game if isinstance(game, Ruleset) else game.rules
    return tuple(one for one in options().values() if _allows(case, rules, one))


def _allows(case: Sequence[Any], rules: Ruleset, option: Option) -> bool:
    """
    Whether an option makes it legal, if need be with another that does not by itself.
    """
    if _is_legal(case, rules, [option.example]):
        return True
    needed = [options()[one].example for one in catalogue()[option.id].needs]
    return any(
        _is_legal(case, rules, [one, option.example])
        and not _is_legal(case, rules, [one])
        for one in needed
    )


def _is_legal(case: Sequence[Any], rules: Ruleset, more: Sequence[str]) -> bool:
    try:
        return bool(under(case, rules.with_options(*more)))
    except (ParseError, PositionError, RulesError):
        return False


def legal_in(case: Sequence[Any]) -> tuple[str, ...]:
    """
    The games in which it is legal.
    """
    return tuple(name for name in presets() if _is_legal(case, preset(name), ()))


def points(case: Sequence[Any]) -> int:
    """
    What the cards that it lays count for its player.

    Raises:
        RequestError: If it is not known what was asked, or the action is refused.
    """
    game, action, seat, *facts = _known(case)
    if facts:
        game = situation(game, action, **_seated(facts[0], seat))
    if not engine.check(game, action, seat):
        msg = "the action is refused, so it counts nothing"
        raise RequestError(msg)
    after = engine.apply(game, action, seat)
    player = seat_number(after.history[-1].seat, game.players)
    new = _counted(after, player) - _counted(game, player)
    return sum(one.points * number for one, number in new.items() if one.points > 0)


def _counted(state: State, seat: int) -> Counter[Any]:
    """
    What counts for a player if the round ends.
    """
    result = state.result or round_result(state, "stock")
    return Counter(one for one in result.items if one.seat == seat)


def _known(case: Sequence[Any]) -> Sequence[Any]:
    if not case:
        msg = "this ruling does not know what was asked: ask `check` for it"
        raise RequestError(msg)
    return case
