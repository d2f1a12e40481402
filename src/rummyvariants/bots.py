"""
Players that are no persons: one that plays at random, and one that plays simply.

Both look only at their own hand and at what lies open, both do a bounded amount of work
for a decision, and neither keeps anything in mind from one decision to the next.
"""

from __future__ import annotations

import itertools

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Protocol

import attrs

from rummyvariants.actions import (
    Action,
    CallRummy,
    Choose,
    Discard,
    Draw,
    LayDown,
    LayOff,
    Pass,
    PutDown,
    Split,
    Swap,
    Take,
)
from rummyvariants.cards import (
    CARDS,
    FIELD,
    JOKER,
    RANKS,
    SUITS,
    UNIT,
    Card,
    code_of,
    codes,
    faces,
    present,
    size,
)
from rummyvariants.chance import Chance
from rummyvariants.combos import melds_in
from rummyvariants.engine.beginning import next_deal
from rummyvariants.engine.calls import calls_of
from rummyvariants.engine.game import Step, check, step
from rummyvariants.engine.plays import melds_by_number
from rummyvariants.layoffs import layoffs_on
from rummyvariants.melds import OWN_PLACE, place, playable, played, run_code
from rummyvariants.moves import legal_actions
from rummyvariants.state import State
from rummyvariants.terms import Terms


class Bot(Protocol):
    """
    What decides for a seat.
    """

    def choose(self, state: State, seat: int, chance: Chance) -> Action:
        """
        A legal action.

        Args:
            state: A state in which the seat may act; only what the seat may see of it
                is to be looked at.
            seat: The seat to decide for.
            chance: Where random decisions come from.
        """


def play_on(state: State, bots: Sequence[Bot], seed: int | str = 0) -> Iterator[Step]:
    """
    Let bots play a match to its end, deals included, one step at a time.

    Args:
        state: Where they begin.
        bots: By seat, who decides.
        seed: What their random decisions come from.
    """
    chances = chances_of(seed, len(bots))
    while not state.is_over:
        if state.phase == "deal":
            done = step(state, next_deal(state))
        else:
            seat = next_to_decide(state)
            done = step(state, bots[seat].choose(state, seat, chances[seat]), seat)
        yield done
        state = done.after


def chances_of(seed: int | str, seats: int) -> tuple[Chance, ...]:
    """
    A source of chance for each seat, apart from that of the deals.
    """
    return tuple(Chance(seed, "bot", seat) for seat in range(seats))


def next_to_decide(state: State) -> int:
    """
    Of the seats that may act, the one that is asked first: round from the next turn.
    """
    seats = len(state.players)
    return min(state.to_act, key=lambda seat: (seat - state.turn) % seats)


# -------------------------------------------------------------------------- at random


_LOOK: Final = 16
"""How many actions of a kind a bot looks at."""
_TRIES: Final = 4
"""How many of them the random bot tries out."""
_EAGER: Final = {"draw": 2, "play": 8}
"""By phase: once in so many times the plain kind need not come last."""


@attrs.frozen
class RandomBot:
    """
    Picks a kind of action at random, then one of that kind.

    Of kinds with many actions only the first few are looked at, so that a big hand is
    no more work than a small one. The plain kinds, to draw and to discard, mostly come
    last, and what has company in the hand is kept: among players who did not do that
    all might lose points round by round, and never end a match.
    """

    def choose(self, state: State, seat: int, chance: Chance) -> Action:
        """
        Some legal action; see `Bot`.
        """
        kinds = chance.shuffled(_KINDS[state.phase])
        if chance.below(_EAGER.get(state.phase, 1)):
            kinds.sort(key=_is_plain)
        for kind in kinds:
            found = list(itertools.islice(kind(state, seat), _LOOK))
            for _ in range(min(_TRIES, len(found))):
                action = found.pop(chance.below(len(found)))
                if check(state, action):
                    return action
        return _any_legal(state, seat)


def _any_legal(state: State, seat: int) -> Action:
    """
    The first of all legal actions, for the rare case in which no better one was found.
    """
    return next(iter(legal_actions(state, seat)))


def _is_plain(kind: object) -> bool:
    return kind in (_draw_or_pass, _any_discard)


def _draw_or_pass(state: State, seat: int) -> Iterator[Action]:
    yield Draw(seat) if state.stock else Pass(seat)


def _takes(state: State, seat: int) -> Iterator[Action]:
    """
    Takes of a few cards from the top, then of the whole pile.
    """
    pile = len(state.discards)
    for count in range(1, min(pile, _LOOK - 1) + 1):
        yield Take(count, seat)
    if pile >= _LOOK:
        yield Take(pile, seat)


def _new_melds(state: State, seat: int) -> Iterator[Action]:
    for cards, _ in melds_in(_terms(state), state.hands[seat].bits):
        yield LayDown(cards, seat)


def _layoffs(state: State, seat: int) -> Iterator[Action]:
    """
    Lay-offs, a few for each meld, so that no meld hides the others.
    """
    terms = _terms(state)
    hand = state.hands[seat].bits
    for number, meld in melds_by_number(state):
        for cards, _, end in itertools.islice(layoffs_on(terms, meld, hand), 3):
            yield LayOff(cards, number, end, seat)  # type: ignore[arg-type]


def _puts(state: State, seat: int) -> Iterator[Action]:
    if state.rules.layoff.single_wilds and state.has_meld(seat):
        for code in faces(state.hands[seat].bits & _terms(state).wild_mask):
            yield PutDown(CARDS[code], seat)


def _swaps(state: State, seat: int) -> Iterator[Action]:
    if _terms(state).real_card == "swap":
        hand = state.hands[seat].bits
        for number, meld in melds_by_number(state):
            for code in faces(hand & meld.real):
                yield Swap(CARDS[code], number, seat)


def _splits(state: State, seat: int) -> Iterator[Action]:
    if state.rules.wild.split:
        for number, meld in melds_by_number(state):
            for after in range(1, len(meld)):
                yield Split(number, after, seat)


def _any_discard(state: State, seat: int) -> Iterator[Action]:
    """
    Cards without company first, and others only where there are few of them.
    """
    terms = _terms(state)
    hand = state.hands[seat].bits
    held = list(faces(hand))
    alone = [code for code in held if not _has_company(terms, hand, code)]
    for code in alone if len(alone) > 1 else held:
        yield Discard(CARDS[code], seat)


def _pass(state: State, seat: int) -> Iterator[Action]:
    del state
    yield Pass(seat)


def _sizes(state: State, seat: int) -> Iterator[Action]:
    for cards in state.rules.deal.choices():
        yield Choose(cards, seat)


_KINDS: Final[dict[str, tuple[Callable[[State, int], Iterator[Action]], ...]]] = {
    "choose": (_sizes,),
    "draw": (_draw_or_pass, _takes),
    "play": (_new_melds, _layoffs, _puts, _swaps, _splits, _any_discard),
    "call": (calls_of, _pass),
    "discard": (_any_discard,),
}
"""By phase, what makes the actions that may be worth a try, a kind each."""


def _terms(state: State) -> Terms:
    assert state.dealt is not None  # noqa: S101 -- for the type checker
    return state.dealt.terms


# ------------------------------------------------------------------------------ simply


_DEPTH: Final = 10
"""How deep into the discard pile the simple bot looks."""
_JUNK: Final = 3
"""A card taken that makes no meld costs a third of its points."""


@attrs.frozen
class SimpleBot:
    """
    Puts on the table what it can, big points first, and discards what it can spare.

    It takes discards if that lets it put more points down than it gets useless cards,
    calls whenever it can, and keeps pairs and neighbours when it discards.
    """

    def choose(self, state: State, seat: int, chance: Chance) -> Action:
        """
        The legal action that looks best; see `Bot`.
        """
        del chance
        match state.phase:
            case "draw":
                wanted = _draws(state, seat)
            case "play":
                wanted = _plays(state, seat)
            case "call":
                calls = itertools.islice(calls_of(state, seat), _LOOK)
                wanted = itertools.chain(_best_first(state, calls), [Pass(seat)])
            case "choose":
                wanted = _sizes(state, seat)
            case _:
                wanted = _discards(state, seat)
        for action in wanted:
            if check(state, action):
                return action
        return _any_legal(state, seat)


def _best_first(state: State, actions: Iterable[Action]) -> Iterator[Action]:
    """
    Plays and calls, those that put the most points down in front.
    """
    worth = _terms(state).worth

    def points(action: Action) -> int:
        if isinstance(action, (LayDown, LayOff, CallRummy)):
            return sum(worth[one.card.code] for one in action.cards)
        return 0

    return iter(sorted(actions, key=points, reverse=True))


# The draw


def _draws(state: State, seat: int) -> Iterator[Action]:
    """
    The take that brings most, if one brings anything; then the stock.
    """
    terms = _terms(state)
    worth = terms.worth
    hand = state.hands[seat].bits
    before = _can_lay(state, seat, hand)
    taken = gained = 0
    takes = []
    for count, card in enumerate(itertools.islice(reversed(state.discards), _DEPTH), 1):
        taken += UNIT[card.code]
        gained += worth[card.code]
        more = _can_lay(state, seat, hand + taken) - before
        value = more - max(gained - more, 0) // _JUNK
        if more > 0 and value > 0:
            takes.append((-value, count))
    for _, count in itertools.islice(sorted(takes), _TRIES):
        yield Take(count, seat)
    yield Draw(seat) if state.stock else Pass(seat)


def _can_lay(state: State, seat: int, hand: int) -> int:
    """
    About how many points of a hand could be put on the table.
    """
    terms = _terms(state)
    points = 0
    opened = state.has_meld(seat) or not state.rules.layoff.needs_own_meld
    while True:
        best, used = 0, 0
        for value, bits in _candidate_bits(terms, hand):
            if value > best:
                best, used = value, bits
        if not used:
            break
        opened = True
        points += best
        hand -= used
    if opened:
        for code in faces(hand & terms.natural_mask):
            if any(playable(terms, meld, code) for meld in state.table):
                points += terms.worth[code]
    return points


# Melds without a long search: of each rank and of each run all natural cards, or one
# wild where a single card is wanting.


def _candidate_bits(terms: Terms, hand: int) -> Iterator[tuple[int, int]]:
    for melds in (_naturals(terms, hand), _with_a_wild(terms, hand)):
        for cards in melds:
            yield (
                sum([terms.worth[code] for code in cards]),
                sum([UNIT[code] for code in cards]),
            )


def _naturals(terms: Terms, hand: int) -> Iterator[list[int]]:
    """
    New melds of natural cards, by their codes.
    """
    held = hand & terms.natural_mask
    if terms.sets:
        for rank in terms.ranks:
            cards = _of_rank(terms, held, rank)
            if len(cards) >= terms.least_set:
                yield cards
    if terms.runs:
        for suit, low, length in _stretches(terms, held, 0):
            yield [run_code(terms, suit, at) for at in range(low, low + length)]


def _with_a_wild(terms: Terms, hand: int) -> Iterator[list[int]]:
    """
    New melds with one wild card, by their codes, the wild last.
    """
    wilds = list(faces(hand & terms.wild_mask))
    held = hand & terms.natural_mask
    if not wilds:
        return
    if terms.sets:
        for rank in terms.ranks:
            cards = _of_rank(terms, held, rank)
            if cards and len(cards) == terms.least_set - 1:
                yield [*cards, wilds[0]]
    if terms.runs:
        for suit, low, length in _stretches(terms, held, 1):
            run = [run_code(terms, suit, at) for at in range(low, low + length)]
            there = [code for code in run if held & FIELD[code]]
            if len(there) < length:
                yield [*there, wilds[0]]


def _of_rank(terms: Terms, held: int, rank: str) -> list[int]:
    cards = held & terms.rank_masks[rank]
    return list(codes(present(cards) if terms.distinct else cards))


def _stretches(terms: Terms, held: int, holes: int) -> Iterator[tuple[str, int, int]]:
    """
    The runs that some cards make but for so many holes: suit, place, length.
    """
    for suit in terms.suits:
        ranks = 0
        for code in faces(held & _SUIT_MASKS[suit]):
            ranks |= 1 << code % 16 - 1
        if ranks.bit_count() < terms.least_run - holes:
            continue
        for low, length, _ in terms.runs_along.near(ranks, holes):
            yield suit, low, length


_SUIT_MASKS: Final = {
    suit: sum(FIELD[code_of(rank, suit)] for rank in RANKS) for suit in SUITS
}


def _declared(terms: Terms, cards: list[int], seat: int) -> LayDown:
    """
    The meld of some codes, a wild among them declared where it stands.
    """
    natural = [code for code in cards if not terms.wild[code]]
    named = [played(code) for code in natural]
    for wild in (code for code in cards if terms.wild[code]):
        ranks = {CARDS[code].rank for code in natural}
        if len(ranks) > 1:
            named.append(played(wild, OWN_PLACE[_hole(terms, natural)]))
        elif terms.distinct:
            (rank,) = ranks
            free = [code_of(rank, suit) for suit in terms.suits]
            suits = [code for code in free if code not in natural]
            named.append(played(wild, OWN_PLACE[suits[0]]))
        else:
            named.append(played(wild, place(ranks.pop())))
    return LayDown(tuple(named), seat)


def _hole(terms: Terms, natural: list[int]) -> int:
    """
    The code of the card that a run lacks: between its cards, or at one of its ends.
    """
    ranks = sum(1 << code % 16 - 1 for code in natural)
    suit = CARDS[natural[0]].suit
    for low, length, _ in terms.runs_along.near(ranks, 1):
        places = [run_code(terms, suit, at) for at in range(low, low + length)]
        missing = [code for code in places if code not in natural]
        if length == len(natural) + 1 and len(missing) == 1:
            return missing[0]
    return natural[0]


# The middle of the turn


def _plays(state: State, seat: int) -> Iterator[Action]:
    """
    What may be worth doing with the hand, the best first; the discard last.
    """
    terms = _terms(state)
    hand = state.hands[seat].bits
    if state.drawn is not None:
        for duty in state.drawn.duties:
            owed = _using(state, seat, duty.code)
            yield from _best_first(state, itertools.islice(owed, _LOOK))
    yield from _natural_swaps(state, seat)
    for melds in (_naturals(terms, hand), _with_a_wild(terms, hand)):
        worth = [(sum(terms.worth[code] for code in cards), cards) for cards in melds]
        worth.sort(reverse=True)
        for _, cards in worth[:_LOOK]:
            yield _declared(terms, cards, seat)
    yield from _small_layoffs(state, seat, hand)
    yield from _puts(state, seat)
    yield from _discards(state, seat)


def _using(state: State, seat: int, code: int) -> Iterator[Action]:
    """
    Plays of a card that has to be played, lay-offs first.
    """
    terms = _terms(state)
    hand = state.hands[seat].bits
    for number, meld in melds_by_number(state):
        for cards, _, end in itertools.islice(layoffs_on(terms, meld, hand, code), 1):
            yield LayOff(cards, number, end, seat)  # type: ignore[arg-type]
    for cards, _ in melds_in(terms, hand, code):
        yield LayDown(cards, seat)


def _natural_swaps(state: State, seat: int) -> Iterator[Action]:
    """
    Trades that give no wild away for another one.
    """
    wild = _terms(state).wild
    for action in _swaps(state, seat):
        if isinstance(action, Swap) and not wild[action.card.code]:
            yield action


def _small_layoffs(state: State, seat: int, hand: int) -> Iterator[Action]:
    """
    Lay-offs card by card, natural cards first, and what builds on wilds put down.
    """
    if not state.has_meld(seat) and state.rules.layoff.needs_own_meld:
        return
    terms = _terms(state)
    for number, meld in melds_by_number(state):
        if meld.kind == "wild" and meld.maker == seat:
            for cards, used, end in itertools.islice(
                layoffs_on(terms, meld, hand & terms.natural_mask), _TRIES
            ):
                del used
                yield LayOff(cards, number, end, seat)  # type: ignore[arg-type]
    by_worth = sorted(
        faces(hand), key=lambda code: (terms.wild[code], -terms.worth[code], code)
    )
    for code in by_worth:
        tries = 0
        for number, meld in melds_by_number(state):
            if meld.kind == "wild" or not playable(terms, meld, code):
                continue
            for cards, _, end in itertools.islice(
                layoffs_on(terms, meld, UNIT[code]), 1
            ):
                yield LayOff(cards, number, end, seat)  # type: ignore[arg-type]
            tries += 1
            if tries == _TRIES:
                break


# The discard


def _discards(state: State, seat: int) -> Iterator[Action]:
    """
    The cards of the hand, the one that can best be spared in front.
    """
    terms = _terms(state)
    hand = state.hands[seat].bits

    def keep(code: int) -> tuple[bool, bool, bool, int, int]:
        return (
            terms.wild[code],
            any(playable(terms, meld, code) for _, meld in melds_by_number(state)),
            _has_company(terms, hand, code),
            -terms.worth[code],
            code,
        )

    for code in sorted(faces(hand), key=keep):
        yield Discard(CARDS[code], seat)


def _has_company(terms: Terms, hand: int, code: int) -> bool:
    """
    Whether a hand holds a card of the same rank, or a neighbour in the suit.
    """
    card = CARDS[code]
    others = hand - UNIT[code]
    if terms.sets and code != JOKER:
        mates = others & terms.rank_masks[card.rank] & terms.natural_mask
        if size(mates & ~FIELD[code] if terms.distinct else mates):
            return True
    return terms.runs and any(
        others & FIELD[near] & terms.natural_mask for near in _neighbours(terms, card)
    )


def _neighbours(terms: Terms, card: Card) -> Iterator[int]:
    for at, rank in enumerate(terms.track):
        if rank == card.rank:
            for near in terms.track[max(at - 2, 0) : at + 3]:
                if near in RANKS and near != rank:
                    yield code_of(near, card.suit)
