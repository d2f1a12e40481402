"""
The arrangement that users get, and the best one of a hand on an empty table.
"""

from __future__ import annotations

import functools

from collections.abc import Iterable, Iterator

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants._support.lazy import guessing
from rummyvariants._support.words import figure, from_to
from rummyvariants.actions import Declare, Discard, Knock, NewMeld
from rummyvariants.cards import RANKS, UNIT, Card, Cards, as_cards, faces
from rummyvariants.errors import CopiesError
from rummyvariants.game._engine.plays import (
    AnyState,
    Play,
    melds_by_number,
    perform,
    plan,
)
from rummyvariants.game._round import Dealt, Drawn, Match, turn_frames
from rummyvariants.game._state import State, thaw
from rummyvariants.melds._deadwood import by_number, surely_fewest, worth_of
from rummyvariants.melds._meld import Meld
from rummyvariants.melds._partitions import beside, can_leave, first_partition
from rummyvariants.melds._reading import read_meld
from rummyvariants.melds.cover._divisions import Melds
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.solver._concealed import Closing, best_partition, counted
from rummyvariants.solver._goals import (
    GOALS,
    LIMIT,
    ArrangeError,
    check_goal,
    check_limit,
)
from rummyvariants.solver._playing import TURN_PLAYS, Playing, TurnPlay
from rummyvariants.solver._search import TurnSearch


NumberedMelds = tuple[tuple[int, Meld], ...]
"""Melds with their numbers."""


@attrs.frozen(repr=False)
class Arrangement:
    """
    The best that can be done with a hand.

    Attributes:
        goal: The goal.
        actions: The plays, in an order in which they can be made. A new meld gets the
            next number on the table, 1 on an empty one. Where melds stay in the hand,
            the actions are the knock or the discard, or lay-offs after a knock.
        left: The cards that stay in the hand; where melds stay there too, the cards in
            no meld.
        points: The points of the cards laid down, less those of the seat's own wilds
            that are traded back. For ``most points`` this includes what four cards
            score together, and the canastas that the seat's side has more than before.
        points_left: The points of the cards left: the deadwood, in gin.
        goes_out: Whether the player can go out now: with no card left, if that is
            enough, by discarding the last card, or by a knock.
        exact: Whether it is certain that nothing is better. If not, there may be a
            better arrangement.

    >>> from rummyvariants.solver import arrange_hand
    >>> best = arrange_hand("rummy-500", "7h 8h 9h Kc Kd 2c")
    >>> best
    <Arrangement for most points: meld 7h 8h 9h; 2c Kc Kd left>
    >>> best.points, best.left, best.goes_out
    (24, Cards('2c Kc Kd'), False)
    """

    goal: str
    actions: tuple[TurnPlay | Closing, ...]
    left: Cards
    points: int
    points_left: int
    goes_out: bool
    exact: bool
    _melds: NumberedMelds = attrs.field(default=(), eq=False, repr=False)

    def __repr__(self) -> str:
        plays = "; ".join(self._told()) or "nothing"
        bound = "" if self.exact else ", perhaps not the best"
        left = f"{self.left or 'nothing'} left"
        return f"<Arrangement for {self.goal}: {plays}; {left}{bound}>"

    def __str__(self) -> str:
        where = "laid down" if self._lays or not self._melds else "in melds"
        lines = [f"{self.goal}: {figure(self.points, 'point')} {where}"]
        lines += [f"  {one}" for one in self._told()]
        left = f"{self.left} ({figure(self.points_left, 'point')})"
        lines.append(f"left: {left if self.left else 'nothing'}")
        if self.goes_out or self.goal == "out":
            can = "can" if self.goes_out else "cannot"
            lines.append(f"The player {can} go out.")
        if not self.exact:
            lines.append("There may be a better one.")
        return "\n".join(lines)

    @property
    def _lays(self) -> bool:
        """
        Whether an action lays cards down.
        """
        return any(isinstance(one, TURN_PLAYS) for one in self.actions)

    def _told(self) -> Iterator[str]:
        """
        The actions in words, after the melds if no action names them.
        """
        if not (self._lays or any(getattr(one, "melds", ()) for one in self.actions)):
            yield from map(str, self.melds)
        yield from map(str, self.actions)

    @property
    def cards_left(self) -> int:
        """
        How many cards stay in the hand.
        """
        return len(self.left)

    @property
    def melds(self) -> tuple[Meld, ...]:
        """
        The melds that the plays make or change, as they are afterwards.

        Where melds stay in the hand, they come last.
        """
        return tuple(self.melds_by_number.values())

    @property
    def melds_by_number(self) -> dict[int, Meld]:
        """
        The same melds by the numbers that they have on the table then.
        """
        return dict(self._melds)


guessing(Arrangement)


def melds_made(
    before: AnyState, after: AnyState, kept: Melds = (), seat: int = 0
) -> NumberedMelds:
    """
    The melds that plays make or change.

    Args:
        before: The state before the plays.
        after: The state after them.
        kept: Melds that stay in the hand; they come last.
        seat: Whose these are.
    """
    old = dict(melds_by_number(before))
    found = [one for one in melds_by_number(after) if old.get(one[0]) != one[1]]
    for number, cards in enumerate(kept, len(after._table) + 1):
        meld = read_meld(before.dealt.terms, cards, seat)
        if isinstance(meld, Meld):
            found.append((number, meld))
    return tuple(found)


def melds_after(
    state: State, seat: int, actions: Iterable[object], kept: Melds = ()
) -> NumberedMelds:
    """
    The melds that the actions of an arrangement make or change.

    Args:
        state: The game.
        seat: Whose actions they are.
        actions: The actions.
        kept: Melds that stay in the hand.

    Raises:
        ArrangeError: If they cannot be played.
    """
    start = draft = Playing(state, seat, GOALS[0]).start
    for action in actions:
        if isinstance(action, Knock | Declare | Discard):
            continue
        if not isinstance(action, TURN_PLAYS):
            msg = f"'{action}' puts no cards on the table"
            raise ArrangeError(msg)
        play = plan(draft, seat, action)
        if not isinstance(play, Play):
            msg = f"'{action}' cannot be played: {play.reason}"
            raise ArrangeError(msg)
        draft = thaw(draft)
        perform(draft, seat, play)
    return melds_made(start, draft, kept, seat)


@explained
def arrange_hand(
    rules: Ruleset | str,
    hand: Cards | str | Iterable[Card | str],
    goal: str = "most points",
    *,
    players: int | None = None,
    wild_rank: str = "",
    limit: int | None = LIMIT,
) -> Arrangement:
    """
    The best arrangement of a hand on an empty table.

    It considers everything that a player could do with these cards in one turn: new
    melds, real cards beside their own wilds, single wilds, and plays that come first.
    Where melds stay in the hand, it considers these melds alone.

    Args:
        rules: The rules, or the name of a preset.
        hand: The cards, or their text.
        goal: ``most points`` (laid down), ``least points left``, ``least cards left``,
            or ``out`` (go out, or else leave as few cards as possible).
        players: The number of players; by default the fewest that the rules allow. It
            decides the number of packs, and in some games which sets are possible.
        wild_rank: The rank that is wild in this deal; empty if there is none.
        limit: How many nodes the search may look at; None for no limit. The default is
            far more than an ordinary hand needs.

    Raises:
        ArrangeError: If the goal, the number of players or the wild rank is impossible,
            or the hand holds more cards of one face than the library counts.
        ParseError: If a text does not name cards.

    >>> from rummyvariants.solver import arrange_hand
    >>> hand = arrange_hand("gin-rummy", "7h 8h 9h 5c 5d 5s Kc 2d 3d 4d")
    >>> [str(meld) for meld in hand.melds], hand.left
    (['5c 5d 5s', '2d 3d 4d', '7h 8h 9h'], Cards('Kc'))
    """
    check_goal(goal)
    check_limit(limit)
    if isinstance(rules, str):
        rules = preset(rules)
    low, high = rules.match.players
    number = low if players is None else players
    if not low <= number <= high:
        msg = f"{rules.name} is for {from_to(low, high, 'player')}, not {number}"
        raise ArrangeError(msg)
    if wild_rank and (len(wild_rank) > 1 or wild_rank not in RANKS):
        msg = f"{wild_rank!r} is not a rank: ranks are {' '.join(RANKS)}"
        raise ArrangeError(msg)
    state = _with_hand(rules, number, wild_rank, _bits(hand))
    if rules.meld.concealed:
        return _in_hand(state, goal)
    return arranged(Playing(state, 0, goal, ends=False), limit)


def arranged(playing: Playing, limit: int | None) -> Arrangement:
    """
    The best turn, as users get it.

    Args:
        playing: The turn.
        limit: How many nodes the search may look at; None for no limit.
    """
    search = TurnSearch(playing, limit)
    done = search.best()
    left = done.after._hands[playing.seat]
    return Arrangement(
        playing.goal,
        done.actions,
        as_cards(left),
        playing.points(done.after),
        worth_of(done.after.dealt.terms, left),
        done.goes_out,
        search.work.exact,
        melds_made(playing.start, done.after),
    )


def _with_hand(rules: Ruleset, players: int, wild_rank: str, hand: int) -> State:
    """
    A turn with a hand and nothing on the table.
    """
    names = tuple(map(str, range(players)))
    scores = (0,) * players
    return State(
        Match(rules.bare(), names, None, scores),
        Dealt(0, rules.terms(players, wild_rank), ((),) * players),
        turn_frames("play", 0),
        (hand, *scores[1:]),
        b"",
        b"",
        drawn=Drawn("stock", b"", hand),
        turns=scores,
        seen=scores,
    )


def _in_hand(state: State, goal: str) -> Arrangement:
    """
    The best melds of a hand that stay in it until somebody knocks.
    """
    terms, hand = state.dealt.terms, state._hands[0]
    needed = by_number(terms)
    shown, exact = None, True
    if goal == "out":
        for last in _last_cards(state):
            if can_leave(needed, hand - last, 0):
                shown = first_partition(needed, hand - last, 0)[0], last
                exact = True
                break
            exact = exact and surely_fewest(needed, hand - last)
    if shown is None:
        wanted = "least cards left" if goal == "out" else goal
        shown = best_partition(terms, hand, wanted)
        exact = exact and surely_fewest(counted(terms, wanted), hand)
    melds, left = shown
    lacking = functools.reduce(beside, melds, needed)
    return Arrangement(
        goal,
        tuple([NewMeld(cards, 0) for cards in melds]),
        as_cards(left),
        worth_of(terms, hand - left),
        worth_of(terms, left),
        left in _last_cards(state) and not lacking.has_lives,
        exact,
        melds_made(state, state, melds),
    )


def _last_cards(state: State) -> list[int]:
    """
    What may be left of a hand for a declaration, those of the most points first.
    """
    worth, hand = state.dealt.terms.worth, state._hands[0]
    thrown = sorted(faces(hand), key=lambda code: -worth[code])
    none = [0] if state.match.rules.out.shows_all else []
    return none + [UNIT[code] for code in thrown]


def _bits(hand: Cards | str | Iterable[Card | str]) -> int:
    try:
        return (hand if isinstance(hand, Cards) else Cards(hand)).bits
    except CopiesError as error:
        raise ArrangeError(str(error)) from None
