"""
How bots play: what they do in each phase, and how they lay melds as these are made.

A *style* is how one bot plays one kind of game. The frame asks it for candidates, best
first, and takes the first that the rules allow.
"""

from __future__ import annotations

import itertools

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import attrs

from rummyvariants.actions import (
    Action,
    Ask,
    Choose,
    Discard,
    Draw,
    HouseAction,
    LayOff,
    NewMeld,
    NewMelds,
    No,
    Pass,
    Rejoin,
    Swap,
    Take,
    Yes,
)
from rummyvariants.bots.outlook import (
    LIKELY,
    Outlook,
    chance_of_lowest,
    fitting,
    sets_take_twins,
    wilds_fill_sets,
)
from rummyvariants.cards import (
    CARDS,
    CODES,
    FIELD,
    JOKER,
    UNIT,
    codes,
    faces,
    holds,
    pack,
    present,
    ranks_held,
    ranks_with,
    size,
    total,
)
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.candidates import to_put, to_swap, unplanned
from rummyvariants.game._engine.plays import AnyState, melds_open_to
from rummyvariants.game.verbs._calling import calls_of
from rummyvariants.house import EndRound
from rummyvariants.melds import Terms
from rummyvariants.melds._looks import layoffs_on, melds_in
from rummyvariants.melds._meld import playable
from rummyvariants.melds.shapes._shapes import shapes_of
from rummyvariants.melds.shapes._track import codes_along


LOOK: Final = 16
"""How many actions of a kind are considered."""
TRIES: Final = 4
"""How many places for a card are considered."""
_DEPTH: Final = 10
"""How many top discards are considered: below them, most cards are of no use."""
_FOUR: Final = 4
"""How many cards may count twice when they are put down as one meld."""
_FEW: Final = 4
"""How many cards of a partner are few enough to go out without a question."""
_CHEAP: Final = 60
"""How many points of one's own hand are few enough to let a partner go out."""

# Found by trial over some thousands of deals of the library's presets.
_JUNK: Final = 3
"""A card that is taken and cannot be laid costs its points divided by this."""
_LEFT_OVER: Final = 0.3
_LEFT_TO_HOLDER: Final = 1.2
"""What a card left in the hand costs, as a share of its points: where these count for
the winner at most, and where they are added to the score of the holder."""
_GIFT: Final = 4.0
"""What it costs to discard a card the next player wants, as a share of its points."""
_LAID: Final = 20.0
_GIVEN: Final = 4.0
"""Where cards on the table score nothing, a card that is laid brings the end of the
round nearer, whatever its points: what that is worth, and what it costs to give the
next player such a card.
"""


Wishes = Callable[[AnyState, int], Iterator[Action]]
"""A seat's candidates, best first; some may be illegal."""


@attrs.frozen
class Style:
    """
    How a bot plays one kind of game.

    Attributes:
        takes: What to do instead of a draw.
        plays: What to do before the discard, or instead of passing.
        spare: The cards of the hand as codes, the preferred discard first.
    """

    takes: Wishes
    plays: Wishes
    spare: Callable[[AnyState, int], Iterable[int]]


@attrs.frozen
class Styles:
    """
    How a bot plays.

    Attributes:
        open: Its style where melds are laid on the table as they are made.
        concealed: Its style where melds stay in the hand.
        contracted: Its style where the first melds must be certain groups.
        ranked: Its style where melds are one set of each rank.
    """

    open: Style
    concealed: Style
    contracted: Style
    ranked: Style

    def of(self, state: AnyState, seat: int) -> Style:
        """
        The style for a seat in a state.
        """
        rules = state.match.rules
        if rules.meld.concealed:
            return self.concealed
        if "opening" in rules.asked and asking.first_groups(state, seat)[0]:
            return self.contracted
        plays = state.phase == "play" or (
            state.phase == "draw" and rules.draw.melds_top
        )
        return self.ranked if rules.meld.by_rank and plays else self.open

    def wishes(self, state: AnyState, seat: int) -> Iterator[Action]:
        """
        Actions that may be worth doing, best first; some may be illegal.

        Args:
            state: A state in which the seat may act; only what it may see is used.
            seat: Who acts.
        """
        hand, worth = state._hands[seat], state.dealt.terms.worth
        match state.phase:
            case "rejoin":
                yield Rejoin(seat)
            case "answer":
                yield Yes(seat) if total(worth, hand) <= _CHEAP else No(seat)
            case "choose":
                # A big hand is an advantage (HR-19).
                for cards in reversed([*state.match.rules.deal.choices()]):
                    yield Choose(cards, seat)
            case "draw" | "offer" | "stock" | "buy":
                yield from _ended(state, seat)
                yield from self.of(state, seat).takes(state, seat)
                yield Draw(seat)
                yield Pass(seat)
            case "call" | "layoff":
                yield from self.of(state, seat).plays(state, seat)
                yield Pass(seat)
            case _:
                asked = asking.asked_partner(state, seat)
                if asked is not None and (
                    size(state._hands[asked[1]]) > _FEW
                    or asking.refusal(state, seat, "may_go_out") is not None
                ):
                    yield Ask(seat)
                style = self.of(state, seat)
                yield from style.plays(state, seat)
                for code in style.spare(state, seat):
                    yield Discard(CARDS[code], seat)


def _ended(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The actions of rules that end the round before the draw, for a hand that is low.
    """
    if state.phase != "draw" or not state.match.rules.actions:
        return
    for *_, offer in asking.offers_to(state, seat):
        ends = any(isinstance(one, EndRound) for one in offer.effects)
        if ends and not offer.refused:
            points = total(state.dealt.terms.worth, state._hands[seat])
            if chance_of_lowest(state, seat, points) > LIKELY:
                yield HouseAction(offer.name, offer.cards, seat)


# ----------------------------------------------------------------- taking from the pile


def _takes(state: AnyState, seat: int, junk: int) -> Iterator[Action]:
    """
    The takes that gain most, if any gains.

    Args:
        state: The state.
        seat: Who draws.
        junk: A card taken that cannot be laid costs its points divided by this.
    """
    terms = state.dealt.terms
    worth, shapes = terms.worth, shapes_of(terms)
    useful = fitting(state, seat) | terms.wild_mask
    hand = state._hands[seat]
    before: int | None = None
    taken = gained = 0
    takes = []
    whole = state.match.rules.draw.takes_all
    top_first = itertools.islice(reversed(state._discards), None if whole else _DEPTH)
    for count, code in enumerate(top_first, 1):
        taken += UNIT[code]
        gained += worth[code]
        if whole:
            if count < len(state._discards):
                continue
        elif not (useful & FIELD[code] or shapes.fewest(hand + taken, code)):
            continue  # without a use for the deepest card, take fewer
        if before is None:
            before = can_lay(state, seat, hand)
        more = can_lay(state, seat, hand + taken) - before
        value = more - max(gained - more, 0) // junk
        if more > 0 and value > 0:
            takes.append((-value, count))
    for _, count in itertools.islice(sorted(takes), TRIES):
        yield Take(count, seat)


# ------------------------------------------------------------------------------ playing


def plays(state: AnyState, seat: int) -> Iterator[Action]:
    """
    Calls of rummy, or plays from the hand that may be worth making before the discard.
    """
    if state.phase == "call":
        yield from _best_first(state, calls_of(state, seat))
    if state.phase != "play":
        return
    terms = state.dealt.terms
    hand = state._hands[seat]
    for duty in state.drawn.duties:
        yield from _best_first(state, _using(state, seat, duty.code))
    yield from _together(state, seat)
    for action in unplanned(to_swap, state, seat):
        # No wild for a wild.
        if isinstance(action, Swap) and not terms.wild[action.card.code]:
            yield action
    for melds in (_naturals(terms, hand), _with_a_wild(terms, hand)):
        worth = [(_points_of(state, cards), cards) for cards in melds]
        worth.sort(reverse=True)
        for _, cards in worth[:LOOK]:
            yield from _declared(terms, cards, seat)
    yield from _small_layoffs(state, seat, hand)
    if state._has_meld >> seat & 1:
        yield from unplanned(to_put, state, seat)


def _best_first(state: AnyState, actions: Iterable[Action]) -> Iterator[Action]:
    """
    Some plays or calls, those that put down the most points first.
    """

    def points(action: Action) -> int:
        cards = getattr(action, "cards", ())
        return _points_of(state, [one.card.code for one in cards])

    return iter(sorted(itertools.islice(actions, LOOK), key=points, reverse=True))


def _using(state: AnyState, seat: int, code: int) -> Iterator[Action]:
    """
    Plays of a card that has to be played, lay-offs first.
    """
    terms = state.dealt.terms
    hand = state._hands[seat]
    for number, meld in melds_open_to(state, seat):
        for cards, _, end in itertools.islice(layoffs_on(terms, meld, hand, code), 1):
            yield LayOff(cards, number, end, seat)
    for cards, _, _ in melds_in(terms, hand, code):
        yield NewMeld(cards, seat)


def _opens_by_points(state: AnyState, seat: int) -> bool:
    """
    Whether a seat's first melds are still to come and have to be worth something.
    """
    return any(one.points for one in asking.openings(state, seat))


def _together(state: AnyState, seat: int) -> Iterator[Action]:
    """
    First melds that have to be worth something, those that put down most points first.
    """
    if not _opens_by_points(state, seat):
        return
    terms, hand = state.dealt.terms, state._hands[seat]
    melds = [*_naturals(terms, hand), *_with_a_wild(terms, hand)]
    melds.sort(key=lambda cards: _points_of(state, cards), reverse=True)
    bits = [pack(cards) for cards in melds[:LOOK]]
    found: list[tuple[int, tuple[int, ...]]] = []

    def add(chosen: tuple[int, ...], points: int, left: int) -> None:
        if len(chosen) > 1:
            found.append((points, chosen))
        for at in range(chosen[-1] + 1 if chosen else 0, len(bits)):
            if holds(left, bits[at]):
                more = points + _points_of(state, melds[at])
                add((*chosen, at), more, left - bits[at])

    add((), 0, hand)
    found.sort(reverse=True)
    for _, chosen in found[:LOOK]:
        made = [one for at in chosen for one in _declared(terms, melds[at], seat)]
        named = tuple([one.cards for one in made])
        yield NewMelds(named, seat)


def _small_layoffs(state: AnyState, seat: int, hand: int) -> Iterator[Action]:
    """
    Lay-offs card by card, natural cards first, and cards that build on wilds put down.
    """
    if not state._has_meld >> seat & 1 and state.match.rules.layoff.needs_own_meld:
        return
    terms = state.dealt.terms
    melds = [*melds_open_to(state, seat)]
    for number, meld in melds:
        if meld.kind == "wild" and meld.maker == seat:
            found = layoffs_on(terms, meld, hand & terms.natural_mask)
            for cards, _, end in itertools.islice(found, TRIES):
                yield LayOff(cards, number, end, seat)
    for code in dearest(state, hand & fitting(state, seat)):
        open_ = [
            (number, meld)
            for number, meld in melds
            if meld.kind != "wild" and playable(terms, meld, code)
        ]
        for number, meld in open_[:TRIES]:
            for cards, _, end in itertools.islice(
                layoffs_on(terms, meld, UNIT[code]), 1
            ):
                yield LayOff(cards, number, end, seat)


# ----------------------------------------------------------- what a hand could put down


def can_lay(state: AnyState, seat: int, hand: int) -> int:
    """
    About how many points of a hand could be put on the table.
    """
    terms = state.dealt.terms
    points = 0
    opened = state._has_meld >> seat & 1 or not state.match.rules.layoff.needs_own_meld
    for value, bits in sorted(_as_bits(state, _naturals(terms, hand)), reverse=True):
        if holds(hand, bits):
            points += value
            hand -= bits
            opened = True
    while hand & terms.wild_mask:
        with_one = _as_bits(state, _with_a_wild(terms, hand))
        value, bits = max(with_one, default=(0, 0))
        if not bits:
            break
        points += value
        hand -= bits
        opened = True
    if opened:
        fit = hand & fitting(state, seat) & terms.natural_mask
        points += sum([terms.worth[code] for code in faces(fit)])
    return points


def _as_bits(state: AnyState, melds: Iterable[list[int]]) -> list[tuple[int, int]]:
    """
    Melds as their points and their cards.
    """
    return [(_points_of(state, cards), pack(cards)) for cards in melds]


def _points_of(state: AnyState, cards: list[int]) -> int:
    """
    About how many points the cards of a new meld are worth.
    """
    worth = state.dealt.terms.worth
    twice = len(cards) == _FOUR and state.match.rules.score.doubles_fours
    return sum([worth[code] for code in cards]) << twice


# Melds without a long search: all natural cards of each rank and of each run, or one
# wild where a single card is missing.


def _naturals(terms: Terms, hand: int) -> Iterator[list[int]]:
    """
    New melds of natural cards, by their codes.
    """
    held = hand & terms.natural_mask
    if terms.sets:
        for cards in _of_ranks(terms, held, terms.least_set):
            yield [*codes(cards)]
        jokers = held & FIELD[JOKER]
        if jokers and size(jokers) >= terms.least_set:
            yield [*codes(jokers)]
    if terms.runs:
        yield from map(list, _runs(terms, held, 0))


def _with_a_wild(terms: Terms, hand: int) -> Iterator[list[int]]:
    """
    New melds with one wild card, by their codes, the wild last.
    """
    wilds = faces(hand & terms.wild_mask)
    held = hand & terms.natural_mask
    if not wilds:
        return
    if terms.sets and wilds_fill_sets(terms):
        # Where no suit may repeat, a set of all suits has no place for a wild.
        most = len(terms.suits) if terms.distinct else terms.least_set
        lacking = terms.least_set - 1
        for cards in _of_ranks(terms, held, lacking):
            if size(cards) == lacking < most:
                yield [*codes(cards), wilds[0]]
    if terms.runs:
        for run in _runs(terms, held, 1):
            there = [code for code in run if held & FIELD[code]]
            if len(there) < len(run):
                yield [*there, wilds[0]]


def _of_ranks(terms: Terms, held: int, least: int) -> Iterator[int]:
    """
    For each rank of which there are enough cards, those that could form one set.
    """
    if not sets_take_twins(terms):
        held = present(held)
    for rank in ranks_with(held, least):
        yield held & terms.rank_masks[rank]


def _runs(terms: Terms, held: int, holes: int) -> Iterator[tuple[int, ...]]:
    """
    The codes of the runs that some cards make if so many gaps are filled.
    """
    for row in terms.rows:
        for window in terms.runs_along.near(ranks_held(held >> 64 * row), holes):
            yield codes_along(row, window)


def _declared(terms: Terms, cards: list[int], seat: int) -> Iterator[NewMeld]:
    """
    The meld of some codes, with a wild declared as a card that it can represent.

    There is none where a rule allows fewer wilds in one kind of meld.
    """
    found = [named for named, *_ in melds_in(terms, pack(cards))]
    if found:
        yield NewMeld(max(found, key=len), seat)


# ------------------------------------------------------------------------ what to throw


def dearest(state: AnyState, cards: int) -> list[int]:
    """
    The different cards among some, the highest points first, wilds last.
    """
    terms = state.dealt.terms

    def keep(code: int) -> tuple[bool, int, int]:
        return terms.wild[code], -terms.worth[code], code

    return sorted(faces(cards), key=keep)


def _greedy_spare(state: AnyState, seat: int) -> list[int]:
    """
    The dearest cards first; of a hand that still has to open with points, lone ones.
    """
    cards = dearest(state, state._hands[seat])
    if not _opens_by_points(state, seat):
        return cards
    terms, hand = state.dealt.terms, state._hands[seat]

    def has_mates(code: int) -> bool:
        near = range(code - 2, min(code + 3, CODES))
        mates = sum([FIELD[one] for one in near if one >> 4 == code >> 4])
        return bool(hand & (terms.mates[code] | mates) & ~FIELD[code])

    return sorted(cards, key=has_mates)


def _careful_spare(state: AnyState, seat: int) -> list[int]:
    """
    The cards of the hand, the most expendable first.
    """
    worth = state.dealt.terms.worth
    hand = state._hands[seat]
    outlook = Outlook(state, seat)
    score = state.match.rules.score
    scores = score.counts_table
    share = _LEFT_TO_HOLDER if score.adds_hands else _LEFT_OVER

    def cost(code: int) -> tuple[float, int, int]:
        melds, wanted = outlook.melds(hand, code), outlook.serves_next(code)
        left = share * (1 - melds)
        if scores:
            price = worth[code] * (melds - left + _GIFT * wanted)
        else:
            price = _LAID * melds - worth[code] * left + _GIVEN * wanted
        return price, -worth[code], code

    return sorted(faces(hand), key=cost)


GREEDY: Final = Style(lambda state, seat: _takes(state, seat, 1), plays, _greedy_spare)
CAREFUL: Final = Style(
    lambda state, seat: _takes(state, seat, _JUNK), plays, _careful_spare
)
