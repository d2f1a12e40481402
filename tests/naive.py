"""
Plain twins of the engine, slow on purpose: everything by brute force, nothing clever.

What a meld is stands here a second time, from the rules and not from the code. What a
player may do is found by writing down everything that a person could write and asking
about each. Whether a turn can be finished is found by trying all plays.
"""

from __future__ import annotations

import functools
import itertools

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import attrs

from rummyvariants.cards import CARDS, Card
from rummyvariants.game._engine.draws import take
from rummyvariants.game._engine.endings import refuse_discard
from rummyvariants.game._engine.game import check
from rummyvariants.game._engine.plays import Play, perform, plan
from rummyvariants.game._round import Drawn
from rummyvariants.game._state import Draft, State, freeze, thaw
from rummyvariants.game.actions import (
    Action,
    CallRummy,
    Choose,
    Deal,
    Discard,
    Draw,
    Knock,
    LayDown,
    LayOff,
    Pass,
    PutDown,
    Split,
    Swap,
    Take,
)
from rummyvariants.melds._meld import Meld, Place, Played, Slot, played
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


CIRCLE = "A23456789TJQK"

Standing = tuple[Card, str, str]
"""A card of a meld with the rank and the suit that it stands for."""

Meaning = tuple[object, ...]


# ------------------------------------------------------------------ what is a meld


@attrs.frozen
class MeldRules:
    """
    What the rules of one deal say about melds.
    """

    ranks: str
    suits: str
    wild_rank: str
    jokers_wild: bool
    twos_wild: bool
    tens_wild: bool
    jacks_wild: bool
    sets: bool
    runs: bool
    one_a_suit: bool
    ace: str
    least_set: int
    least_run: int
    limit: str
    own_place: str
    wild_melds: bool
    real_card: str

    @classmethod
    def of(cls, state: State) -> MeldRules:
        """
        The rules of the deal that is played.
        """
        return cls.under(state.rules, len(state.players), state.wild_rank)

    @classmethod
    def under(cls, rules: Ruleset, players: int, wild_rank: str) -> MeldRules:
        """
        The rules of a deal for so many players, with a rank made wild.
        """
        one_a_suit = {
            "distinct": True,
            "distinct with one pack": rules.deck.packs_for(players) == 1,
            "free": False,
        }[rules.meld.set_suits]
        return cls(
            ranks=rules.deck.ranks,
            suits=rules.deck.suits,
            wild_rank=wild_rank,
            jokers_wild=rules.wild.jokers,
            twos_wild=rules.wild.twos,
            tens_wild=rules.wild.tens,
            jacks_wild=rules.wild.one_eyed_jacks,
            sets=rules.meld.sets,
            runs=rules.meld.runs,
            one_a_suit=one_a_suit,
            ace=rules.meld.ace,
            least_set=rules.meld.least_set,
            least_run=rules.meld.least_run,
            limit=rules.wild.limit,
            own_place=rules.wild.own_place,
            wild_melds=rules.wild.wild_melds,
            real_card=rules.wild.real_card,
        )

    def is_wild(self, card: Card) -> bool:
        """
        Whether a card is wild.
        """
        return (
            (card.is_joker and self.jokers_wild)
            or (card.rank == self.wild_rank and self.wild_rank != "")
            or (card.rank == "2" and self.twos_wild)
            or (card.rank == "T" and self.tens_wild)
            or (str(card) in {"Js", "Jh"} and self.jacks_wild)
        )

    def follows(self, first: str, second: str) -> bool:
        """
        Whether a rank comes right after another one in a run.
        """
        if first == "A" and self.ace == "high":
            return False
        if second == "A" and self.ace == "low":
            return False
        return (CIRCLE.index(first) + 1) % 13 == CIRCLE.index(second)


def stands_at_home(standing: Standing) -> bool:
    """
    Whether a card stands for itself.
    """
    card, rank, suit = standing
    return card.rank == rank and (not suit or card.suit == suit)


def keeps_limits(rules: MeldRules, cards: Sequence[Standing]) -> bool:
    """
    Whether the wilds among cards are few enough for one meld.
    """
    wilds = [one for one in cards if rules.is_wild(one[0])]
    away = [one for one in wilds if not stands_at_home(one)]
    if len(away) == len(cards):
        return False
    counted = len(away) if rules.own_place == "natural" else len(wilds)
    if rules.limit == "one":
        return counted <= 1
    if rules.limit == "more naturals":
        return len(cards) - counted > counted
    return True


def is_set(rules: MeldRules, cards: Sequence[Standing]) -> bool:
    """
    Whether cards are a set where they stand.
    """
    if not rules.sets or len(cards) < rules.least_set:
        return False
    if len({rank for _, rank, _ in cards}) > 1:
        return False
    if cards[0][1] == "*":
        return not rules.jokers_wild  # as many as there are: they have no suits
    if cards[0][1] not in rules.ranks:
        return False
    suits = [suit for _, _, suit in cards]
    if rules.one_a_suit and (len(set(suits)) < len(suits) or "" in suits):
        return False
    return keeps_limits(rules, cards)


def is_run(rules: MeldRules, cards: Sequence[Standing]) -> bool:
    """
    Whether cards, in this order, are a run where they stand.
    """
    if not rules.runs or len(cards) < rules.least_run:
        return False
    suits = {suit for _, _, suit in cards}
    ranks = [rank for _, rank, _ in cards]
    if len(suits) > 1 or "" in suits or len(set(ranks)) < len(ranks):
        return False
    if any(rank not in rules.ranks for rank in ranks):
        return False
    if not all(rules.follows(*pair) for pair in itertools.pairwise(ranks)):
        return False
    # Between king and two an ace stands only where runs go round the corner.
    if "A" in ranks[1:-1] and rules.ace != "round the corner":
        return False
    return keeps_limits(rules, cards)


def is_standing(rules: MeldRules, meld: Meld) -> bool:
    """
    Whether a meld on the table is one by the rules, cards beside its wilds and all.
    """
    slots = meld.slots
    if meld.kind == "wild":
        (slot,) = slots
        return rules.is_wild(slot.card) and slot.stands_for is None and not meld.beside
    if meld.kind == "wilds":
        return (
            rules.wild_melds
            and len(slots) >= rules.least_set
            and all(rules.is_wild(slot.card) for slot in slots)
            and not meld.beside
        )
    if any(rules.is_wild(one.card) == (one.stands_for is None) for one in slots):
        return False
    cards = [_standing(slot) for slot in slots]
    lying = [one.index for one in meld.beside]
    if len(set(lying)) < len(lying) or (lying and rules.real_card != "beside"):
        return False
    for one in meld.beside:
        place = cards[one.index]
        if stands_at_home(place) or (one.card.rank, one.card.suit) != place[1:]:
            return False
    if meld.kind == "set":
        return is_set(rules, cards)
    start = {"A": 0 if rules.ace != "high" and cards[1][1] == "2" else 13}.get(
        cards[0][1], CIRCLE.index(cards[0][1])
    )
    if rules.ace == "round the corner":
        ring = CIRCLE + CIRCLE[:-1]
        ranks = "".join(rank for _, rank, _ in cards)
        return is_run(rules, cards) and ring[meld.low : meld.low + len(cards)] == ranks
    shift = 1 if rules.ace == "high" else 0
    return is_run(rules, cards) and meld.low == start - shift


def _standing(slot: Slot) -> Standing:
    if slot.stands_for is None:
        return slot.card, slot.card.rank, slot.card.suit
    return slot.card, slot.stands_for.rank, slot.stands_for.suit


def _meaning(rules: MeldRules, kind: str, cards: Sequence[Standing]) -> Meaning:
    """
    A meld such that two wilds exchanged, and the order in a set, make no difference.
    """
    wild = [one for one in cards if rules.is_wild(one[0])]
    home = sorted(str(one[0]) for one in wild if stands_at_home(one))
    away = [one for one in wild if not stands_at_home(one)]
    first: object = cards[0][1:] if kind == "run" else cards[0][1]
    if kind == "run" and len(cards) == len(CIRCLE):
        if rules.ace == "round the corner":
            first = cards[0][2]  # a full circle has no beginning
    return (
        kind,
        first,
        len(cards),
        tuple(sorted(str(one[0]) for one in cards if one not in wild)),
        tuple(home),
        tuple(sorted(str(one[0]) for one in away)),
        tuple(sorted(rank + suit for _, rank, suit in away)),
    )


def meaning_of(rules: MeldRules, meld: Meld) -> Meaning:
    """
    What a meld on the table is, in the form that `readings` gives.
    """
    if meld.kind == "wilds":
        return ("wilds", *sorted(str(slot.card) for slot in meld.slots))
    cards = [_standing(slot) for slot in meld.slots]
    if meld.kind == "set" and not rules.one_a_suit:
        cards = [(card, rank, "") for card, rank, _ in cards]
    return _meaning(rules, meld.kind, cards)


def _targets(rules: MeldRules, one: Played) -> list[tuple[str, str]]:
    """
    The ranks and suits that a card may stand for as it was written.
    """
    card, said = one.card, one.stands_for
    if not rules.is_wild(card):
        if said is not None and (said.rank, said.suit) != (card.rank, card.suit):
            return []
        return [(card.rank, card.suit)]
    return [
        (rank, suit)
        for rank in rules.ranks
        for suit in rules.suits
        if said is None or (said.rank == rank and said.suit in {"", suit})
    ]


def readings(rules: MeldRules, written: Sequence[Played]) -> set[Meaning]:
    """
    Every meld that written cards may mean, those left with the most wilds at home.

    Which of two the ace decides by where it is written is looked at as well.
    """
    if (
        rules.wild_melds
        and len(written) >= rules.least_set
        and all(rules.is_wild(one.card) and not one.stands_for for one in written)
    ):
        return {("wilds", *sorted(str(one.card) for one in written))}
    found: dict[Meaning, tuple[int, Sequence[Standing]]] = {}
    for targets in itertools.product(*[_targets(rules, one) for one in written]):
        cards = [
            (one.card, *target) for one, target in zip(written, targets, strict=True)
        ]
        as_set = cards
        if not rules.one_a_suit:
            as_set = [(card, rank, "") for card, rank, _ in cards]
        if is_set(rules, as_set):
            found[_meaning(rules, "set", as_set)] = (_at_home(rules, as_set), as_set)
        for run in _in_order(rules, cards):
            if is_run(rules, run):
                found[_meaning(rules, "run", run)] = (_at_home(rules, run), run)
    most = max((home for home, _ in found.values()), default=0)
    best = {means: cards for means, (home, cards) in found.items() if home == most}
    return _by_ace(best, written) if len(best) == 2 else set(best)


def _at_home(rules: MeldRules, cards: Sequence[Standing]) -> int:
    return sum(rules.is_wild(one[0]) and stands_at_home(one) for one in cards)


def _in_order(rules: MeldRules, cards: Sequence[Standing]) -> Iterator[list[Standing]]:
    """
    Cards from low to high, an ace at either end; round the corner from any of them on.
    """
    if rules.ace == "round the corner":
        order = sorted(cards, key=lambda one: CIRCLE.find(one[1]))
        for at in range(max(len(order), 1)):
            yield [*order[at:], *order[:at]]
        return
    for place in (0, 13):
        yield sorted(
            cards, key=lambda one: place if one[1] == "A" else CIRCLE.find(one[1])
        )


def _by_ace(
    best: dict[Meaning, Sequence[Standing]], written: Sequence[Played]
) -> set[Meaning]:
    """
    Of two runs that differ in the end of one ace alone, the one that the order means.
    """
    (one, first), (other, second) = best.items()
    if one[0] != "run" or other[0] != "run":
        return set(best)
    if first[0][1] != "A":
        (one, first), (other, second) = (other, second), (one, first)
    if first[0][1] != "A" or list(first) != [second[-1], *second[:-1]]:
        return set(best)
    ace = first[0][0]
    if written[0].card == ace:
        return {one}
    if written[-1].card == ace:
        return {other}
    return set(best)


def layoff_readings(
    rules: MeldRules, meld: Meld, written: Sequence[Played], end: str | None
) -> set[Meaning]:
    """
    Every way to lay written cards off on a set or run, the most wilds at home.
    """
    old = [_standing(slot) for slot in meld.slots]
    covered = {one.index for one in meld.beside}
    free_set = meld.kind == "set" and not rules.one_a_suit
    found: dict[Meaning, int] = {}
    options: list[list[tuple[str, int, str, str]]] = []
    met: set[int] = set()
    for one in written:
        ways = [("grow", -1, rank, suit) for rank, suit in _targets(rules, one)]
        for at, (_, rank, suit) in enumerate(old):
            beside = (
                rules.real_card == "beside"
                and not free_set
                and at not in covered
                and rules.is_wild(old[at][0])
                and not stands_at_home(old[at])
                and (one.card.rank, one.card.suit) == (rank, suit)
                and (one.stands_for is None or str(one.stands_for) == str(one.card))
            )
            if beside:
                # The real card goes beside its wild, and only a second one elsewhere.
                ways = [*ways, ("beside", at, rank, suit)]
                met.add(at)
        options.append(ways)
    for chosen in itertools.product(*options):
        beside_at = [at for how, at, _, _ in chosen if how == "beside"]
        if sorted(beside_at) != sorted(met):
            continue
        new = [
            (one.card, rank, "" if free_set else suit)
            for one, (how, _, rank, suit) in zip(written, chosen, strict=True)
            if how == "grow"
        ]
        lying = tuple(sorted(str(old[at][1]) + old[at][2] for at in beside_at))
        for below, whole in _grown(rules, meld.kind, old, new):
            if end is not None and not (
                meld.kind == "run"
                and end in _ends_meant(whole, below, len(old), beside_at)
            ):
                continue
            means = (*_meaning(rules, meld.kind, whole), lying)
            found[means] = _at_home(rules, new)
    most = max(found.values(), default=0)
    return {means for means, home in found.items() if home == most}


def _grown(
    rules: MeldRules,
    kind: str,
    old: list[Standing],
    new: list[Standing],
) -> Iterator[tuple[int, list[Standing]]]:
    """
    How a meld may look with new cards, and how many of them lie below it.
    """
    if not new:
        yield 0, old
        return
    if kind == "set":
        if not rules.one_a_suit:
            old = [(card, rank, "") for card, rank, _ in old]
        if is_set(rules, [*old, *new]):
            yield 0, [*old, *new]
        return
    for number in range(len(new) + 1):
        for low in itertools.combinations(range(len(new)), number):
            below = [new[at] for at in low]
            above = [one for at, one in enumerate(new) if at not in low]
            for under in _in_order(rules, below):
                for over in _in_order(rules, above):
                    whole = [*under, *old, *over]
                    if is_run(rules, whole):
                        yield number, whole


def _ends_meant(
    whole: list[Standing], below: int, old: int, beside_at: list[int]
) -> set[str]:
    """
    The ends of a run at which cards were laid, as a player would name them.

    An ace goes before all other cards, and cards that make it longer before those that
    lie beside a wild (RV-31).

    Args:
        whole: The run with the new cards, from low to high.
        below: How many of those lie below what was there.
        old: How many cards were there.
        beside_at: Which of those have a new card beside them.
    """
    longer: list[tuple[str, set[str]]] = []
    for at, (_, rank, _) in enumerate(whole):
        if at < below:
            longer.append((rank, {"low"}))
        elif at >= below + old:
            longer.append((rank, {"high"}))
    lying = []
    for at in beside_at:
        ends = {"low"} if below + at == 0 else set()
        if below + at == len(whole) - 1:
            ends.add("high")
        lying.append((whole[below + at][1], ends))
    of_aces = [ends for rank, ends in longer + lying if rank == "A"]
    of_others = [ends for _, ends in longer or lying]
    return set.intersection(*(of_aces or of_others))


# ----------------------------------------------------- everything one could write


def sub_multisets(cards: Iterable[Card]) -> Iterator[tuple[Card, ...]]:
    """
    Every part of some cards, the empty one too, equal cards taken as equal.
    """
    counts = sorted(Counter(cards).items())
    for numbers in itertools.product(*[range(many + 1) for _, many in counts]):
        yield tuple(
            card
            for (card, _), number in zip(counts, numbers, strict=True)
            for _ in range(number)
        )


def declared(rules: MeldRules, cards: Sequence[Card]) -> Iterator[tuple[Played, ...]]:
    """
    Cards with every declaration of every wild among them, left out ones too.
    """
    places: list[Place | None] = [None]
    places += [Place(rank + suit) for rank in rules.ranks for suit in rules.suits]
    places += [Place(rank) for rank in rules.ranks]
    counts = Counter(cards)
    ways = []
    for card, number in sorted(counts.items()):
        said = places if rules.is_wild(card) else [None]
        ways.append(
            [
                tuple(played(card.code, place) for place in chosen)
                for chosen in itertools.combinations_with_replacement(said, number)
            ]
        )
    for parts in itertools.product(*ways):
        yield tuple(itertools.chain.from_iterable(parts))


def orders(written: tuple[Played, ...]) -> Iterator[tuple[Played, ...]]:
    """
    The orders that may matter: as given, and each ace in front or at the back.
    """
    seen = {written}
    yield written
    for at, one in enumerate(written):
        if "A" in {one.card.rank, one.stands_for.rank if one.stands_for else ""}:
            rest = written[:at] + written[at + 1 :]
            for order in ((one, *rest), (*rest, one)):
                if order not in seen:
                    seen.add(order)
                    yield order


def written_melds(
    rules: MeldRules, cards: Iterable[Card]
) -> Iterator[tuple[Played, ...]]:
    """
    Everything that can be written as a meld of some of the cards.
    """
    for part in sub_multisets(cards):
        if part:
            for written in declared(rules, part):
                yield from orders(written)


def plays(state: State | Draft, seat: int) -> Iterator[Action]:
    """
    Everything that can be written between the draw and the discard.
    """
    shown = _shown(state)
    rules = MeldRules.of(shown)
    hand = tuple(shown.hands[seat])
    numbers = range(len(state._table) + 2)
    for written in written_melds(rules, hand):
        yield LayDown(written, seat)
        for number in numbers:
            for end in (None, "low", "high"):
                yield LayOff(written, number, end, seat)  # type: ignore[arg-type]
    for card in sorted(set(hand)):
        yield PutDown(card, seat)
        for number in numbers:
            yield Swap(card, number, seat)
    for number, meld in enumerate((state.dealer_wild, *state._table)):
        for after in range((len(meld) if meld else 0) + 1):
            yield Split(number, after, seat)


def _shown(state: State | Draft) -> State:
    """
    A state or draft with the properties of a state.
    """
    if isinstance(state, State):
        return state
    return freeze(thaw(state))


def calls(state: State, seat: int) -> Iterator[Action]:
    """
    Everything that can be written as a call.
    """
    rules = MeldRules.of(state)
    cards = [*state.discards]
    if state.rules.call.with_hand:
        cards += list(state.hands[seat])
    if state.rules.call.calls == "discard":
        cards = [*state.discards[-1:], *state.hands[seat]]
    for written in written_melds(rules, cards):
        yield CallRummy(written, seat=seat)
        for number in range(len(state.table) + 2):
            for end in (None, "low", "high"):
                yield CallRummy(written, number, end, seat)  # type: ignore[arg-type]


def grouped(cards: Sequence[Card]) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """
    Every way to put some of the cards into groups of two or more.
    """
    if not cards:
        yield ()
        return
    first, rest = cards[0], list(cards[1:])
    yield from grouped(rest)
    for number in range(1, len(rest) + 1):
        for places in itertools.combinations(range(len(rest)), number):
            group = (first, *(rest[at] for at in places))
            others = [one for at, one in enumerate(rest) if at not in places]
            for groups in grouped(others):
                yield (group, *groups)


def knocks(state: State, seat: int) -> Iterator[Knock]:
    """
    Everything that can be written as a knock.
    """
    rules = MeldRules.of(state)
    hand = list(state.hands[seat])
    for card in (None, *sorted(set(hand))):
        rest = list(hand)
        if card is not None:
            rest.remove(card)
        for groups in set(grouped(rest)):
            ways = [
                [order for said in declared(rules, group) for order in orders(said)]
                for group in groups
            ]
            for melds in itertools.product(*ways):
                yield Knock(card, melds, seat)


def may_knock(state: State, action: Knock) -> bool:
    """
    Whether a knock is allowed, by the rules as a person would tell them.
    """
    rules, cards = state.rules, state.hands[action.seat or 0]
    if rules.out.knock == "never" or (action.card is None and not rules.out.big_gin):
        return False
    used = [one.card for group in action.melds or () for one in group]
    thrown = [] if action.card is None else [action.card]
    left = Counter(cards)
    left.subtract([*used, *thrown])
    if any(number < 0 for number in left.values()):
        return False
    drawn = state.drawn
    back = drawn.source == "discards" and len(drawn._cards) == 1
    for card in thrown:
        taken = back and CARDS[drawn._cards[0]] == card
        if taken and rules.discard.throw_back == "refused":
            return False
        if str(card) in rules.discard.keep and len(cards) > 1:
            return False
    melds = MeldRules.of(state)
    if any(len(readings(melds, group)) != 1 for group in action.melds or ()):
        return False
    if action.card is None:
        return not +left
    return sum(points_of(state, card) for card in left.elements()) <= limit_of(state)


def may_lay_off(state: State, action: Action) -> bool:
    """
    Whether the other player may do something after a knock, as a person would tell it.
    """
    if isinstance(action, Pass):
        return action.seat == state.turn
    if not isinstance(action, LayOff) or action.seat != state.turn:
        return False
    if not 1 <= action.meld <= len(state.table) or not action.cards:
        return False
    left = Counter(state.hands[action.seat])
    left.subtract(one.card for one in action.cards)
    if any(number < 0 for number in left.values()):
        return False
    meld = state.table[action.meld - 1]
    rules = MeldRules.of(state)
    return len(layoff_readings(rules, meld, action.cards, action.end)) == 1


def knocked_points(state: State) -> tuple[int, ...]:
    """
    What a round of two players is worth that a knock has ended, or nobody.
    """
    result = state.result
    assert result is not None
    score, match = state.rules.score, state.rules.match
    wanted = [0, 0]
    if result.how not in {"knock", "gin", "big gin"}:
        return tuple(wanted)
    knocker = result.out
    assert knocker is not None
    # What a knocker has left is not parted again.
    left = [fewest_points(state, hand) for hand in state.hands]
    left[knocker] = sum(points_of(state, one) for one in state.hands[knocker])
    more = left[1 - knocker] - left[knocker]
    if result.how != "knock":
        gin = score.big_gin_bonus if result.how == "big gin" else score.gin_bonus
        wanted[knocker] = more + gin
    elif more > 0:
        wanted[knocker] = more
    elif more < 0 or score.equal_hands == "undercut":
        wanted[1 - knocker] = score.undercut_bonus - more
    if match.box_counts == "at once" and max(wanted) > 0:
        wanted[wanted.index(max(wanted))] += match.box_bonus
    upcard = state.dealt.upcard
    if score.spade_upcard and upcard is not None and upcard.suit == "s":
        wanted = [2 * points for points in wanted]
    return tuple(wanted)


def limit_of(state: State) -> int:
    """
    With how many points in unmatched cards one may knock.
    """
    out = state.rules.out
    if out.knock != "the upcard":
        return int(out.knock)
    rank = state.dealt.upcard.rank
    if rank == "*":
        return -1
    return dict(out.knock_counts).get(rank, CIRCLE.index(rank) + 1)


def points_of(state: State, card: Card) -> int:
    """
    What a card in the hand is worth.
    """
    score = state.rules.score
    if str(card) in dict(score.special):
        return dict(score.special)[str(card)]
    if MeldRules.of(state).is_wild(card):
        return score.wild_ace if card.rank == "A" else score.wild
    return dict(score.points).get(card.rank, 0)


def fewest_points(state: State, cards: Iterable[Card]) -> int:
    """
    What a hand comes to when it is put into melds as well as it can be.
    """
    rules = MeldRules.of(state)
    best = None
    for groups in set(grouped(list(cards))):
        if all(_is_some_meld(rules, group) for group in groups):
            left = Counter(cards)
            left.subtract(card for group in groups for card in group)
            points = sum(points_of(state, card) for card in left.elements())
            best = points if best is None else min(best, points)
    assert best is not None
    return best


def _is_some_meld(rules: MeldRules, cards: Sequence[Card]) -> bool:
    return any(readings(rules, written) for written in declared(rules, cards))


def everything(state: State) -> Iterator[Action]:
    """
    Everything that a person who may act could write down, sense or nonsense.
    """
    for seat in state.to_act:
        yield Draw(seat)
        yield Pass(seat)
        for count in range(len(state.discards) + 2):
            yield Take(count, seat)
        for cards in range(14):
            yield Choose(cards, seat)
        for card in sorted(set(state.hands[seat])):
            yield Discard(card, seat)
        if state.phase in {"play", "layoff"}:
            yield from plays(state, seat)
        else:
            yield from itertools.islice(plays(state, seat), 5)
        if state.phase == "play" and state.rules.meld.concealed:
            yield from knocks(state, seat)
        else:
            yield from (Knock(card, (), seat) for card in (None, *state.hands[seat]))
        if state.phase == "call":
            yield from calls(state, seat)
        else:
            yield from itertools.islice(calls(state, seat), 5)


# ------------------------------------------------------------ what a turn has brought


def _round_of(state: State) -> list[Action]:
    """
    What was done in the round, the deal left out.
    """
    done: list[Action] = []
    for action in state.history:
        if isinstance(action, Deal):
            done = []
        else:
            done.append(action)
    return done


def may_add_to(state: State | Draft, action: Action) -> bool:
    """
    Whether a meld that an action adds to is one that the seat may lay cards on.
    """
    if state.match.rules.layoff.onto != "own melds":
        return True
    if not isinstance(action, LayOff | Swap | CallRummy) or action.meld is None:
        return True
    melds = dict(enumerate(state._table, 1))
    if state.dealer_wild is not None:
        melds[0] = state.dealer_wild
    if action.meld not in melds:
        return True
    apart = abs(melds[action.meld].maker - (action.seat or 0))
    # Partners have half of the table between them.
    partners = state.match.rules.match.sides != "none"
    return apart == 0 or (partners and 2 * apart == len(state.match.players))


def with_all_melds_open(state: State | Draft) -> State | Draft:
    """
    The same where cards may be laid on all melds, whoever made them.
    """
    rules = state.match.rules
    if rules.layoff.onto != "own melds":
        return state
    draft = thaw(state)
    draft.match = attrs.evolve(draft.match, rules=_with_all_melds_open(rules))
    return draft if isinstance(state, Draft) else freeze(draft)


@functools.cache
def _with_all_melds_open(rules: Ruleset) -> Ruleset:
    return rules.with_values({"layoff.onto": "any meld"})


def planned(state: State | Draft, seat: int, action: Action) -> Play | None:
    """
    What a play would do; None if the cards or the rules of melds are against it.

    Who may lay on which meld is told here, and all else is asked of the engine.
    """
    if not may_add_to(state, action):
        return None
    play = plan(with_all_melds_open(state), seat, action)  # type: ignore[arg-type]
    return None if isinstance(play, Objection) else play


def may_call(state: State, action: CallRummy) -> bool:
    """
    Whether a call is legal, told as `planned` tells plays.
    """
    open_to_all = with_all_melds_open(state)
    assert isinstance(open_to_all, State)
    return may_add_to(state, action) and bool(check(open_to_all, action))


def may_still_meld(state: State) -> bool:
    """
    Whether the turn has room for a new meld, by what was done since the draw.
    """
    most = state.rules.meld.a_turn
    if isinstance(most, str):
        return True
    made = 0
    done = _round_of(state)
    for at in reversed(range(len(done))):
        action = done[at]
        if isinstance(action, Draw | Take):
            break
        if begins_turn(state, done, at):
            made += isinstance(action, CallRummy) and action.meld is None
            break
        made += isinstance(action, LayDown)
    return made < most


def begins_turn(state: State, done: Sequence[Action], at: int) -> bool:
    """
    Whether a turn began with what was done: with a draw, or with a call (PF-07).

    Args:
        state: The state after it all.
        done: What was done in the round.
        at: Which of it.
    """
    action = done[at]
    if isinstance(action, Draw | Take):
        return True
    if not isinstance(action, CallRummy) or state.rules.call.next != "the caller":
        return False
    if at + 1 == len(done):
        return state.phase == "play"
    in_play = (LayDown, LayOff, PutDown, Swap, Split, Discard)
    return done[at + 1].seat == action.seat and isinstance(done[at + 1], in_play)


def fours_at_once(state: State) -> dict[int, Counter[tuple[Card, int]]] | None:
    """
    The melds of just four cards in one play, told by what was done in the round.

    Returns:
        By their numbers, the cards with who laid them; None where cards were traded or
        melds split, since what that changes is not told by actions alone.
    """
    found: dict[int, Counter[tuple[Card, int]]] = {}
    number = 0
    for action in _round_of(state):
        match action:
            case LayDown() | CallRummy(meld=None):
                number += 1
                if len(action.cards) == 4:
                    laid = [(one.card, action.seat or 0) for one in action.cards]
                    found[number] = Counter(laid)
            case PutDown():
                number += 1
            case Swap() | Split():
                return None
    return found if state.rules.score.four_at_once == "twice" else {}


def may_draw(state: State) -> bool:
    """
    Whether there is a stock, or a pile that may be turned over to be one.
    """
    rules = state.rules.stock
    if len(state.stock) > rules.dead:
        return True
    if state.stock:
        return False
    pile = list(state.discards)
    if rules.turned_top == "stays":
        pile = pile[:-1]
    if rules.when_empty != "turn over" or not pile:
        return False
    if isinstance(rules.times, int) and state.turned >= rules.times:
        return False
    return state.turned == 0 or state.fresh


def went_rummy(state: State) -> bool:
    """
    Whether who went out first laid cards in the last turn alone, by what was done.
    """
    out = state.out[0]
    if len(state.hands[out]):
        return False
    done = _round_of(state)
    laying = (LayDown, LayOff, PutDown, Swap, CallRummy, Knock)
    drew = [
        at
        for at, one in enumerate(done)
        if one.seat == out and isinstance(one, Draw | Take)
    ]
    last = drew[-1] if drew else 0
    before = [one for one in done[:last] if one.seat == out and isinstance(one, laying)]
    after = [one for one in done[last:] if one.seat == out and isinstance(one, laying)]
    calls = [one for one in after if isinstance(one, CallRummy)]
    return not before and not calls and bool(after)


# ------------------------------------------------------ what follows for the others


def keeps_at_once(state: State, action: Action) -> bool:
    """
    Whether a play uses a card taken that is owed, where that goes down before all else.

    What the rules ask of every turn is not looked at; which card is owed is told by
    what was done.
    """
    owed = owed_by_a_take(state)
    if not state.rules.draw.at_once or not owed or _took_the_offer(state):
        return True
    if isinstance(action, Swap):
        return action.card == owed[0]
    if not isinstance(action, LayDown | LayOff):
        return False
    return any(one.card == owed[0] for one in action.cards)


def _took_the_offer(state: State) -> bool:
    """
    Whether the discard taken in this turn was offered to whoever would meld it.
    """
    offered = state.rules.draw.first_upcard == "offered to be melded"
    return offered and not any(state.turns)


def owed_by_a_take(state: State) -> list[Card] | None:
    """
    The cards that have to be used after discards were taken, and nothing done since.

    Returns:
        Those that go first in front; None after anything else.
    """
    done = _round_of(state)
    if not done or not isinstance(done[-1], Take) or state.phase != "play":
        return None
    cards = [CARDS[code] for code in state.drawn._cards]
    draw = state.rules.draw
    if _took_the_offer(state):
        return cards
    owed = []
    if draw.duty in {"top", "natural set of the top card"}:
        owed.append(cards[-1])
    least = {"deepest of several": 2, "deepest": 1}.get(draw.duty, len(cards) + 1)
    if draw.with_naturals or draw.new_meld:
        least = min(least, 2)
    if len(cards) >= least:
        owed.append(cards[0])
    return owed


def penalty(before: State, call: CallRummy) -> tuple[int, Counter[Card]] | None:
    """
    Who pays for what was called from the pile alone, and with which cards (BAS-15).

    Returns:
        The seat and the cards; None if nobody does, or the game began after the
        discard.
    """
    discards = [one for one in _round_of(before) if isinstance(one, Discard)]
    if before.rules.call.penalty == "none" or not discards:
        return None
    seat = discards[-1].seat
    if seat is None or seat in before.out:
        return None
    if before.rules.call.penalty == "two cards":
        left = max(0, len(before.stock) - before.rules.stock.dead)
        return seat, Counter(list(before.stock)[: min(2, left)])
    pile = Counter(before.discards)
    pile.subtract(one.card for one in call.cards)
    return seat, +pile


def turns_since_out(state: State) -> list[int] | None:
    """
    By seat, how many turns were begun since the first went out, by what was done.

    Returns:
        The numbers; None if nobody is out, or was before the game began.
    """
    done = _round_of(state)
    mine = [at for at, one in enumerate(done) if state.out and one.seat == state.out[0]]
    if not mine:
        return None
    begun = [
        done[at].seat
        for at in range(mine[-1], len(done))
        if begins_turn(state, done, at)
    ]
    return [begun.count(seat) for seat in range(len(state.players))]


def may_be_over(state: State) -> bool:
    """
    Whether a round that is over, or is not, may be so after somebody went out (R5V-37).
    """
    turns = turns_since_out(state)
    if turns is None or not state.rules.out.last_turn:
        return True
    if max(turns) > 1:
        return False
    waiting = [s for s, many in enumerate(turns) if not many and s not in state.out]
    if state.result is None:
        playing = state.phase != "draw" and state.turn not in state.out
        return playing or bool(waiting)
    return not (state.result.how == "out" and waiting)


def plays_on(before: State, call: CallRummy, after: State, finisher: Finisher) -> bool:
    """
    Whether a caller goes on as in a turn, while the round does (PF-07).
    """
    rules, seat = before.rules, call.seat
    if seat is None or rules.call.next != "the caller" or not len(after.hands[seat]):
        return False
    draft = thaw(after)
    new = call.meld is None and rules.meld.a_turn != "any number"
    draft.drawn = Drawn("call", b"", 0, melds=int(new))
    return _may_have_turn(before, seat) and finisher.finishes(draft, seat)


def who_is_next(before: State, action: Action, after: State) -> int | None:
    """
    Whose turn it is after the discard of a turn, or after a call that begins none.

    Returns:
        The seat; None if this does not say.
    """
    seat = action.seat
    as_it_was = isinstance(action, CallRummy) and before.rules.call.next == "as it was"
    if seat is None or as_it_was or before.phase == "discard":
        return None
    seats = len(before.players)
    order = [(seat + step) % seats for step in range(1, seats + 1)]
    if after.phase == "call":
        return None if after.out else order[0]
    return next((one for one in order if _may_have_turn(after, one)), None)


def _may_have_turn(state: State, seat: int) -> bool:
    """
    Whether a seat may have a turn, once somebody is out too.
    """
    if not state.out:
        return True
    turns: Sequence[int] | None = state.turns
    if state.rules.out.last_turn:
        turns = turns_since_out(state)
    return seat not in state.out and (turns is None or not turns[seat])


def sides_of(state: State) -> list[list[int]]:
    """
    Who plays together: those opposite each other, or nobody.
    """
    seats = range(len(state.players))
    if state.rules.match.sides == "none":
        return [[seat] for seat in seats]
    half = len(state.players) // 2
    return [[seat for seat in seats if seat % half == at] for at in range(half)]


def ahead(state: State) -> tuple[int, ...]:
    """
    Who has the match by the totals, where the highest at the target does.
    """
    match = state.rules.match
    assert match.winner == "highest"
    sides = sides_of(state)
    totals = [sum(state.scores[seat] for seat in side) for side in sides]
    if max(totals) < match.target:
        return ()
    if match.decided_by == "the final totals":
        totals = with_extras(state)
    won = [
        side for side, total in zip(sides, totals, strict=True) if total == max(totals)
    ]
    return tuple(sorted(seat for side in won for seat in side))


def with_extras(state: State) -> list[int]:
    """
    The totals of two players with what the end of a match adds, the target reached.
    """
    match = state.rules.match
    totals = list(state.scores)
    first = totals.index(max(totals))
    for seat, boxes in enumerate(state.boxes):
        if match.box_counts == "at the end":
            totals[seat] += boxes * match.box_bonus
    totals[first] += match.game_bonus
    if state.boxes[first] and not state.boxes[1 - first]:
        double = match.shutout == "double"
        totals[first] += totals[first] if double else int(match.shutout)
    return totals


def won_with_the_match(state: State) -> list[int]:
    """
    By side, the points for winning the match, where boxes and shutouts bring nothing.
    """
    match = state.rules.match
    won = [any(seat in state.winners for seat in side) for side in sides_of(state)]
    if sum(won) > 1 and match.shared_bonus == "to nobody":
        return [0 for _ in won]
    return [one * match.game_bonus for one in won]


def paid(state: State) -> tuple[int, ...]:
    """
    What each side gets after the match, where the higher total wins.
    """
    sides = sides_of(state)
    if state.rules.match.settlement == "none" or not state.winners:
        return (0,) * len(sides)
    totals = [sum(state.final_scores[seat] for seat in side) for side in sides]
    got = [0] * len(sides)
    for one, mine in enumerate(sides):
        for other, theirs in enumerate(sides):
            if mine[0] in state.winners and theirs[0] not in state.winners:
                got[one] += totals[one] - totals[other]
                got[other] -= totals[one] - totals[other]
    return tuple(got)


# --------------------------------------------------------------- ends of a turn


class Finisher:
    """
    Whether a turn can be finished, by trying every play; answers are kept.
    """

    def __init__(self) -> None:
        self._known: dict[object, bool] = {}

    def finishes(self, state: State | Draft, seat: int) -> bool:
        """
        Whether some plays lead to a discard, or to a last card laid, that is allowed.
        """
        key = (
            seat,
            state._hands[seat],
            state._table,
            state.dealer_wild,
            state._has_meld,
            state._floating,
            state.drawn,
            state.match.rules,
            len(state.match.players),
            state.dealt,
        )
        if key not in self._known:
            self._known[key] = False  # plays that lead back here are of no help
            self._known[key] = self._search(state, seat)
        return self._known[key]

    def _search(self, state: State | Draft, seat: int) -> bool:
        hand = _shown(state).hands[seat]
        if state.match.rules.meld.concealed and _must_knock(state):
            shown = _shown(state)
            return any(may_knock(shown, one) for one in knocks(shown, seat))
        duties = state.drawn.duties
        if not len(hand):
            return not duties and state.match.rules.out.empty_hand != "refused"
        if any(refuse_discard(state, seat, card.code) is None for card in set(hand)):
            return True
        if state.match.rules.meld.concealed:
            return False
        tried = set()
        for action in plays(state, seat):
            play = planned(state, seat, action)
            if play is None or play in tried:
                continue
            tried.add(play)
            draft = thaw(state)
            perform(draft, seat, play)
            if self.finishes(draft, seat):
                return True
        return False

    def allows(self, state: State, action: Action) -> bool:
        """
        Whether an action of a player in turn leaves a way to end the turn (RV-03).

        What the cards and the phase say is asked of the engine, one play deep; all
        that comes after it is tried here.
        """
        seat = action.seat
        assert seat is not None
        match action:
            case Take(count):
                return self._allows_take(state, seat, count)
            case Discard(card):
                return self._allows_discard(state, seat, card)
            case LayDown() | LayOff() | PutDown() | Swap() | Split():
                if state.rules.meld.concealed:
                    return False
                play = planned(state, seat, action)
                if play is None:
                    return False
                draft = thaw(state)
                perform(draft, seat, play)
                return self.finishes(draft, seat) or self._lost(state, seat)
            case _:
                raise TypeError(action)

    def _lost(self, state: State, seat: int) -> bool:
        """
        Whether a card from the stock left no legal end of the turn at all.
        """
        drawn = state.drawn
        return drawn.source == "stock" and not self.finishes(state, seat)

    def _allows_take(self, state: State, seat: int, count: int) -> bool:
        pile = state._discards
        if count < 1 or count > len(pile):
            return False
        offered = state.rules.draw.first_upcard != "part of the pile"
        if offered and state.phase == "draw" and not any(state.turns):
            return False
        rules = state.rules
        if seat in state.floating and rules.out.floating == "draws from the stock":
            return False
        hand = [card for card in state.hands[seat] if not _is_wild(state, card)]
        top, deepest = CARDS[pile[-1]], CARDS[pile[-count]]
        match rules.draw.take:
            case "the top card" if count > 1:
                return False
            case "the whole pile" if count < len(pile):
                return False
            case "up to the top card's number":
                named = dict(rules.deal.upcard_counts)
                value = named.get(top.rank, CIRCLE.index(top.rank) + 1)
                if count > value:
                    return False
        wanted = {"top": top, "deepest": deepest}.get(rules.draw.pair)
        if wanted is not None and (
            _is_wild(state, wanted)
            or sum(card.rank == wanted.rank for card in hand) < 2
        ):
            return False
        draft = thaw(state)
        take(draft, seat, count)
        return self.finishes(draft, seat)

    def _allows_discard(self, state: State, seat: int, card: Card) -> bool:
        if card not in state.hands[seat]:
            return False
        if refuse_discard(state, seat, card.code) is None:
            return True
        return state.phase == "play" and self._lost(state, seat)


def _is_wild(state: State, card: Card) -> bool:
    return MeldRules.of(state).is_wild(card)


def _must_knock(state: State | Draft) -> bool:
    """
    Whether a discard was taken when the stock had run out, only to knock with it.
    """
    stock = state.match.rules.stock
    drawn = state.drawn
    return (
        stock.when_empty == "a knock with the last discard"
        and len(state._stock) <= stock.dead
        and drawn.source == "discards"
    )
