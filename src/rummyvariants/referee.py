"""
Questions about the rules, as a person at the table asks them.

They need no game: the name of one, and the few facts that matter, make a position. What
the facts leave out is made up, in several ways, and there is no answer where these do
not agree. A program that plays games loads nothing of that.
"""

from __future__ import annotations

import re

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from rummyvariants._support.arguments import explained
from rummyvariants._support.names import Named
from rummyvariants.actions import Action
from rummyvariants.cards import Card, Cards
from rummyvariants.errors import (
    ParseError,
    PositionError,
    RequestError,
    RulesError,
    Seat,
    seat_number,
    unfit,
)
from rummyvariants.game._engine import game as engine
from rummyvariants.game._moves import LegalActions
from rummyvariants.game._round import RoundResult
from rummyvariants.game._scoring import round_result as engine_result
from rummyvariants.game._state import State, thaw
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.rules._variants import (
    Games,
    Option,
    every_option,
    option_names,
    presets,
)
from rummyvariants.rulings import Ruling, catalogue


if TYPE_CHECKING:
    from rummyvariants.solver import Arrangement


@explained
def check(
    game: State | Ruleset | str,
    action: Action | str,
    seat: Seat | None = None,
    **facts: Any,
) -> Ruling:
    """
    Ask whether an action is legal, and by which rule.

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
        even if its values have wrong types: it is refused. With facts, a wild card that
        could stand for several cards may be left so: the ruling says what to write.

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
    from rummyvariants.files._problems import spelled  # noqa: PLC0415 -- as below
    from rummyvariants.files._situations import ruled  # noqa: PLC0415 -- as below

    rules = _rules(game, action, seat)
    with spelled("Python"):
        return ruled(rules, action, **_seated(facts, seat))[1]


@explained
def legal_actions(
    game: State | Ruleset | str, seat: Seat | None = None, **facts: Any
) -> LegalActions:
    """
    Everything that may be done.

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
    from rummyvariants.files._problems import spelled  # noqa: PLC0415 -- as below
    from rummyvariants.files._situations import situation  # noqa: PLC0415 -- as below

    rules = _rules(game, seat)
    with spelled("Python"):
        return LegalActions(situation(rules, **_seated(facts, seat)), None)


@explained
def arrange(
    game: State | Ruleset | str,
    seat: Seat | Cards | Iterable[Card | str] | None = None,
    goal: str = "most points",
    **more: Any,
) -> Arrangement:
    """
    The best that can be done with a hand in a turn.

        >>> import rummyvariants as rv
        >>> found = rv.arrange("gin-rummy", "7h 8h 9h 2c 2d 2s Kd 4c 5c 6c")
        >>> found.left, found.points_left
        (Cards('Kd'), 10)

    Args:
        game: A state; or rules or the name of a game, for a hand and a few facts.
        seat: The seat, from 0 or by the player's name, which may be left out if only
            one seat may act; without a state, the cards, or their text.
        goal: ``most points`` (laid down), ``least points left``, ``least cards left``,
            or ``out`` (go out, or else leave as few cards as possible).
        more: ``layoffs`` and ``limit`` of `rummyvariants.solver.arrange`; without a
            state, the facts that `check` takes.

    Raises:
        ArrangeError: If the goal or the seat does not exist, or no cards are dealt.
        ParseError: If a text does not name cards.
        PositionError: If the position is impossible.
        RequestError: If facts are given beside a state.
        RulesError: If there is no such game.
    """
    from rummyvariants import solver  # noqa: PLC0415 -- as below

    its = {key: more.pop(key) for key in ("layoffs", "limit") if key in more}
    if isinstance(game, State):
        _no_facts(more)
        its_seat: Any = seat  # anything else is an error of the solver's
        return solver.arrange(game, its_seat, goal, **its)
    seat = more.pop("hand", seat)
    if seat is None or isinstance(seat, SupportsIndex):
        known = isinstance(game, Ruleset) or game in presets()
        hand = "7h 8h 9h 2c" if known else game
        msg = f"give a game and the cards, as in arrange('rummy-500', '{hand}')"
        raise solver.ArrangeError(msg)
    from rummyvariants.files._situations import situation  # noqa: PLC0415 -- as below

    rules = _rules(game, seat)
    if rules.meld.concealed:
        more = {"partial": True, **more}
    state = situation(rules, hand=seat, **more)
    return solver.arrange(state, state.turn, goal, **its)


@explained
def round_result(
    state: State, how: str | None = None, seat: Seat | None = None
) -> RoundResult:
    """
    The result if the round ended now.

        >>> import rummyvariants as rv
        >>> hands = {"Ann": "9s 2c", "Ben": "Qh"}
        >>> state = rv.position("rummy-500", hands=hands, fill=True)
        >>> rv.round_result(state, seat="Ben").points
        (-11, 0)

    Args:
        state: The round, its cards as they lie.
        how: How it ends: ``out`` (somebody goes out, by default if a seat is given),
            ``stock`` (it is empty, by default if none is), ``dealt hand`` (somebody
            declares the hand as it was dealt), ``idle`` (nobody has drawn from it or
            laid a card for too long), ``drop`` (all others have left it), ``knock``
            (by default after one), ``gin``, ``big gin``, or ``rule`` (a house rule ends
            it).
        seat: Who goes out, from 0 or by name, and has no card left then.

    Raises:
        RequestError: If no round ends like this, there is no such seat, nobody is said
            to go out, or it takes a knock or a declaration, which has to be played.
    """
    after_knock = state.phase == "layoff"
    if seat is None and how not in _BY_SOMEBODY:
        return engine_result(state, how or ("knock" if after_knock else "stock"))
    how = how or "out"
    if state.out and seat is None:
        return engine_result(state, how)
    if seat is None:
        msg = f"say who ends the round, as in seat={state.players[state.turn]!r}"
        raise RequestError(msg)
    seat = seat_number(seat, state.players)
    if how != "out" or state.rules.meld.concealed:
        if after_knock and seat in state.out:
            return engine_result(state, how if how != "out" else "knock")
        name, shows = state.players[seat], state.rules.meld.shown_by
        msg = (
            f"in this game a player {shows or 'shows the hand'} to end the round: play "
            f"that, and the result tells the score; rv.arrange(state, {name!r}) finds "
            "the melds"
        )
        raise RequestError(msg)
    draft = thaw(state)
    draft.out = (seat,)
    hands = [*draft._hands]
    hands[seat] = 0
    draft._hands = tuple(hands)
    return engine_result(draft, how)


_BY_SOMEBODY: Final = frozenset({"out", "dealt hand", "knock", "gin", "big gin"})
"""The endings that need somebody to go out."""


def _rules(game: Ruleset | str, *others: object) -> Ruleset:
    """
    The rules of a game; `others` are the arguments after it.

    Raises:
        RulesError: If there is no such game.
        TypeError: If one of the others is the state or the game.
    """
    if not isinstance(game, str):
        return game
    if game not in presets():
        for one in others:
            if isinstance(one, State):
                raise unfit(game, "state", "a State", swapped=True)
            if isinstance(one, Ruleset) or one in presets():
                raise unfit(game, "game", "the name of a game", swapped=True)
    return preset(game)


def _no_facts(facts: Mapping[str, Any]) -> None:
    if "rules" in facts:
        msg = "rules: a state has its own; state.under(rules) is the same table"
        raise RequestError(msg)
    if facts:
        msg = (
            f"{next(iter(facts))}: a state has its own; give facts with the name of a "
            "game, as in check('rummy-500', 'take 9s', hand='7s 8s', pile='9s 4d')"
        )
        raise RequestError(msg)


def _seated(facts: Mapping[str, Any], seat: Seat | None) -> Mapping[str, Any]:
    """
    Facts in which a seat is in turn.

    Raises:
        RequestError: If the seat is a number, or the facts name another one.
    """
    if seat is None:
        return facts
    if not isinstance(seat, str):
        msg = f"seat: without a state give the player's name, not {seat!r}"
        raise RequestError(msg)
    if facts.get("turn", seat) != seat:
        msg = f"it is said to be the turn of {facts['turn']}, so leave {seat} out"
        raise RequestError(msg)
    return {**facts, "turn": seat}


# ------------------------------------------------------- what a ruling says of itself


def under(case: Sequence[Any], rules: Ruleset | str) -> Ruling:
    """
    The ruling on what was asked, under other rules, as `State.under` takes them.

    Raises:
        PositionError: If the position is impossible under these rules.
        RequestError: If it is not known what was asked.
        RulesError: If there is no such preset or option.
    """
    state, action, seat = _known(case)
    return engine.check(state.under(rules), action, seat)


def allowed_by(case: Sequence[Any]) -> Named[Option]:
    """
    The options with which it is legal, each tried with what it needs.

    None if it is legal without any.
    """
    rules = _known(case)[0].rules
    every = {} if _is_legal(case, rules, ()) else every_option()
    found = {name: one for name, one in every.items() if _allows(case, rules, one)}
    return Named(found, option_names())


def _allows(case: Sequence[Any], rules: Ruleset, option: Option) -> bool:
    """
    Whether an option makes it legal, if need be with another that does not by itself.
    """
    if _is_legal(case, rules, [option.example]):
        return True
    needed = [every_option()[one].example for one in catalogue()[option.id].needs]
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
    The games in which it is legal, with those where the table cannot be set up.
    """
    found, others = [], {}
    for name in presets():
        try:
            if under(case, name):
                found.append(name)
        except (ParseError, PositionError, RulesError) as error:
            # The first problem is enough, without what would have to be changed.
            why = re.split("; |\n", str(error))[0]
            others[name] = why.replace(f"{name} is", "the game is")
    return Games(found, others)


def points(case: Sequence[Any]) -> int:
    """
    What the cards that it lays count for its player.

    Raises:
        RequestError: If it is not known what was asked, or the action is refused.
    """
    state, action, seat = _known(case)
    if not engine.check(state, action, seat):
        msg = "the action is refused, so it counts nothing"
        raise RequestError(msg)
    after = engine.apply(state, action, seat)
    player = seat_number(after.history[-1].seat, state.players)
    new = _counted(after, player) - _counted(state, player)
    return sum(one.points * number for one, number in new.items() if one.points > 0)


def _counted(state: State, seat: int) -> Counter[Any]:
    """
    What counts for a player if the round ends.
    """
    result = state.result or engine_result(state, "stock")
    return Counter(one for one in result.items if one.seat == seat)


def _known(case: Sequence[Any]) -> Sequence[Any]:
    if not case:
        msg = "this ruling does not know what was asked: ask `check` for it"
        raise RequestError(msg)
    return case
