"""
The arrangement that users get, and the best one of a hand on an empty table.
"""

from __future__ import annotations

import functools

from collections.abc import Iterable, Iterator

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants.cards import (
    RANKS,
    UNIT,
    Card,
    Cards,
    as_cards,
    faces,
    lowest,
    present,
    size,
)
from rummyvariants.errors import CopiesError
from rummyvariants.game.actions import Declare, Discard, Knock, LayDown
from rummyvariants.melds._combos import melds_in
from rummyvariants.melds._deadwood import (
    beside,
    by_number,
    can_leave,
    effort,
    first_partition,
    surely_fewest,
    worth_of,
)
from rummyvariants.melds._meld import Meld, playable
from rummyvariants.melds._tables import Terms
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.solver._concealed import End, best_partition, counted
from rummyvariants.solver._finder import Best, Finder, all_used, may_begin
from rummyvariants.solver._goals import (
    LIMIT,
    ArrangeError,
    check_goal,
    check_limit,
)
from rummyvariants.solver._situations import Action, Situation, melds_after, most_melds


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
        points_left: The points of the cards left.
        goes_out: Whether the player can go out now: with no card left, if that is
            enough, by discarding the last card, or by a knock.
        exact: Whether it is certain that nothing is better. If not, there may be a
            better arrangement.
        work: How many nodes the search looked at, and other work counted as nodes.
    """

    goal: str
    actions: tuple[Action | End, ...]
    left: Cards
    points: int
    points_left: int
    goes_out: bool
    exact: bool
    work: int
    _terms: Terms = attrs.field(eq=False, repr=False, alias="terms")
    _table: tuple[tuple[int, Meld], ...] = attrs.field(
        default=(), eq=False, repr=False, alias="table"
    )
    _partition: tuple[LayDown, ...] = attrs.field(
        default=(), eq=False, repr=False, alias="partition"
    )

    def __repr__(self) -> str:
        plays = "; ".join(map(str, self.actions)) or "nothing"
        bound = "" if self.exact else ", perhaps not the best"
        left = f"{self.left or 'nothing'} left"
        return f"<Arrangement for {self.goal}: {plays}; {left}{bound}>"

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

        Raises:
            ArrangeError: If the plays cannot be made, because they are of another hand.
        """
        before = dict(self._table)
        plays = [
            one
            for one in self.actions
            if not isinstance(one, Knock | Declare | Discard)
        ]
        after = melds_after(self._terms, before, [*plays, *self._partition])
        return {
            number: meld for number, meld in after.items() if before.get(number) != meld
        }


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
    """
    check_goal(goal)
    check_limit(limit)
    if isinstance(rules, str):
        rules = preset(rules)
    low, high = rules.match.players
    number = low if players is None else players
    if not low <= number <= high:
        msg = f"{rules.name} is for {low} to {high} players, not {number}"
        raise ArrangeError(msg)
    if wild_rank and (len(wild_rank) > 1 or wild_rank not in RANKS):
        msg = f"{wild_rank!r} is not a rank: ranks are {' '.join(RANKS)}"
        raise ArrangeError(msg)
    terms = rules.terms(number, wild_rank)
    bits = _bits(hand)
    most = most_melds(rules.meld.refuse_another, size(bits))
    here = Situation(rules, terms, bits, None, most=most)
    if any(terms.lives):
        return _with_lives(here, goal)
    finder = Finder(goal, limit)
    best = _looked_up(here, goal) or finder.best(here)
    if best is None:
        best = Best(0, (), here.hand, 0)
    goes_out = _goes_out(here, best)
    exact = finder.exact
    if goal == "out" and not goes_out:
        found, sure = _out(here, finder)
        exact = exact and (found is not None or (sure and finder.exact))
        if found is not None:
            best, goes_out = found, True
    return Arrangement(
        goal,
        best.actions,
        as_cards(best.left),
        best.points,
        worth_of(terms, best.left),
        goes_out,
        exact,
        finder.work,
        terms=terms,
    )


def _with_lives(here: Situation, goal: str) -> Arrangement:
    """
    The best arrangement of a hand that needs certain runs for a declaration.
    """
    terms, hand = here.terms, here.hand
    needed = by_number(terms)
    shown, exact = None, True
    if goal == "out":
        for last in _last_cards(here):
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
        tuple([LayDown(cards) for cards in melds]),
        as_cards(left),
        worth_of(terms, hand - left),
        worth_of(terms, left),
        left in _last_cards(here) and not lacking.has_lives,
        exact,
        effort(terms, hand),
        terms=terms,
    )


def _last_cards(here: Situation) -> list[int]:
    """
    What may be left of a hand for a declaration, those of the most points first.
    """
    worth = here.terms.worth
    thrown = sorted(faces(here.hand), key=lambda code: -worth[code])
    none = [0] if here.rules.out.shows_all else []
    return none + [UNIT[code] for code in thrown]


def _looked_up(here: Situation, goal: str) -> Best | None:
    """
    The best of a hand whose melds stay in it, from tables; None if they lack it.
    """
    hand = here.hand
    if goal != "least points left" or not here.rules.meld.concealed:
        return None
    if hand & here.terms.wild_mask or present(hand) != hand or size(hand) > _QUICKLY:
        return None
    melds, left = best_partition(here.terms, hand, goal)
    points = worth_of(here.terms, hand - left)
    return Best(points, tuple([LayDown(cards) for cards in melds]), left, points)


_QUICKLY = 13
"""The most cards of a hand that is looked up rather than searched."""


def _bits(hand: Cards | str | Iterable[Card | str]) -> int:
    try:
        return (hand if isinstance(hand, Cards) else Cards(hand)).bits
    except CopiesError as error:
        raise ArrangeError(str(error)) from None


# -------------------------------------------------------------------------------- out


def _goes_out(here: Situation, best: Best) -> bool:
    """
    Whether a player is out after plays on an empty table, and perhaps a discard.
    """
    out = here.rules.out
    cards = size(best.left)
    if cards == 0:
        return out.by_empty_hand and here.hand != 0
    if cards > 1:
        return False
    if not out.keeps_playable:
        return True
    (code,) = faces(best.left)
    melds = melds_after(here.terms, {}, best.actions)
    return not any(playable(here.terms, meld, code) for meld in melds.values())


def _out(here: Situation, finder: Finder) -> tuple[Best | None, bool]:
    """
    A way to go out with a discard; each card is tried as the discard in turn.

    Returns:
        The way or None, and for None whether it is certain that there is no way.
    """
    most = here.melds_left
    sure = most is None
    for code in finder.counted(faces(here.hand)):
        kept = attrs.evolve(here, hand=here.hand - UNIT[code])
        one = finder.best(kept, all_used(kept.hand))
        if one is None or one.left:
            continue
        left = attrs.evolve(one, left=UNIT[code])
        if _goes_out(here, left):
            return left, True
        # Other arrangements of the same cards may leave the last one no place.
        for tries, actions in enumerate(_covers(finder, kept, kept.hand), 1):
            if most is not None and len(actions) > most:
                continue
            other = attrs.evolve(left, actions=actions)
            if may_begin(here, actions) and _goes_out(here, other):
                points = sum(
                    [
                        worth_of(here.terms, UNIT[played.card.code])
                        for action in actions
                        for played in action.cards
                    ]
                )
                return attrs.evolve(other, points=points), True
            if tries >= _COVERS:
                sure = False
                break
        more_ways = (
            here.terms.lies_beside
            or here.terms.swaps
            or here.rules.layoff.single_wilds
            or here.rules.meld.first_natural
        )
        sure = sure and not more_ways
    return None, sure


_COVERS = 2_000
"""How many ways to meld all other cards are tried for a discard."""


def _covers(
    finder: Finder, here: Situation, bits: int
) -> Iterator[tuple[LayDown, ...]]:
    """
    Every way to put all of some cards into melds, within the limit of a finder.
    """
    if not bits:
        yield ()
        return
    code = lowest(bits & here.terms.natural_mask or bits)
    for cards, used in finder.counted(melds_in(here.terms, bits, code)):
        for rest in _covers(finder, here, bits - used):
            yield (LayDown(cards, here.seat), *rest)
