"""
Plain twins of the engine, slow on purpose: everything by brute force, nothing clever.

What a meld is stands here a second time, from the rules and not from the code, and so
does what a person may write. `naive_turns` judges what of that is allowed,
`naive_rounds` what comes of it.
"""

from __future__ import annotations

import functools
import itertools

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from rummyvariants.actions import (
    Action,
    Arrange,
    Buy,
    CallRummy,
    Choose,
    Declare,
    Discard,
    Draw,
    HouseAction,
    Knock,
    LayOff,
    NewMeld,
    NewMelds,
    Pass,
    PutWild,
    Rejoin,
    Split,
    Swap,
    Take,
)
from rummyvariants.cards import Card
from rummyvariants.game._state import State
from rummyvariants.melds._meld import Meld, Place, Played, Slot, played
from rummyvariants.rules._ruleset import Ruleset


CIRCLE = "A23456789TJQK"

Standing = tuple[Card, str, str]
"""A card of a meld with the rank and the suit that it stands for."""

Meaning = tuple[object, ...]


# ------------------------------------------------------------------ what is a meld


@attrs.frozen(cache_hash=True)
class MeldRules:
    """
    What the rules of one deal say about melds.
    """

    ranks: str
    suits: str
    wild_rank: str
    above: Card | None
    jokers_wild: bool
    twos_wild: bool
    tens_wild: bool
    jacks_wild: bool
    sets: bool
    runs: bool
    one_a_suit: bool
    twins: bool
    alike: bool
    ace: str
    circle: str
    least_set: int
    least_run: int
    limit: str
    own_place: str
    wild_melds: bool
    real_card: str
    swap_in: str = "any meld"
    swap_for: str = "any wild"
    swapped: str = "kept"
    by_naturals: tuple[tuple[int, int], ...] = ()
    cards_wild: tuple[str, ...] = ()
    in_runs: str | int = "any number"
    between: int = 0
    most_beside: tuple[Callable[..., int | None], ...] = ()
    set_ranks: str = CIRCLE
    natural_ranks: str = ""
    stands_alone: bool = False
    most_set: int = 99
    swap_with: str = "one card"

    @classmethod
    def of(cls, state: State) -> MeldRules:
        """
        The rules of the deal that is played.
        """
        rules, shown = state.rules, state.dealt.indicator
        above = card_above(rules, shown) if rules.wild.above else None
        return cls.under(rules, len(state.players), state.wild_rank, above)

    @classmethod
    def under(
        cls, rules: Ruleset, players: int, wild_rank: str, above: Card | None = None
    ) -> MeldRules:
        """
        The rules of a deal for so many players, with a rank and a card made wild.
        """
        differ = {
            "distinct": True,
            "distinct with one pack": packs_for(rules, players) == 1,
            "free": False,
        }[rules.meld.set_suits]
        return cls(
            ranks=rules.deck.ranks,
            suits=rules.deck.suits,
            wild_rank=wild_rank,
            above=above,
            jokers_wild=rules.wild.jokers,
            twos_wild=rules.wild.twos,
            tens_wild=rules.wild.tens,
            jacks_wild=rules.wild.one_eyed_jacks,
            cards_wild=rules.wild.cards,
            sets=rules.meld.sets,
            runs=rules.meld.runs,
            one_a_suit=differ and rules.meld.set_wilds == "for a suit",
            twins=not differ,
            alike=rules.meld.alike,
            ace=rules.meld.ace,
            circle="".join(
                rank
                for rank in CIRCLE
                if rank in rules.deck.ranks or rules.meld.missing_ranks == "end a run"
            ),
            least_set=rules.meld.least_set,
            least_run=rules.meld.least_run,
            limit=rules.wild.limit,
            own_place=rules.wild.own_place,
            wild_melds=rules.wild.wild_melds,
            real_card=rules.wild.real_card,
            swap_in=rules.wild.swap_in,
            swap_for=rules.wild.swap_for,
            swapped=rules.wild.swapped,
            by_naturals=rules.wild.by_naturals,
            in_runs=rules.wild.in_runs,
            between=rules.wild.between,
            most_beside=tuple(
                [rule.most_wilds for _, rule in rules.asked.get("most_wilds", ())]
            ),
            set_ranks=rules.meld.set_ranks,
            natural_ranks=rules.meld.natural_ranks,
            most_set=len(rules.deck.suits)
            if differ and rules.meld.set_wilds == "for an open suit"
            else 99,
            swap_with=rules.wild.swap_with,
        )

    def is_wild(self, card: Card) -> bool:
        """
        Whether a card is wild.
        """
        return (
            (card.is_joker and self.jokers_wild)
            or card == self.above
            or (card.rank == self.wild_rank and self.wild_rank != "")
            or (card.rank == "2" and self.twos_wild)
            or (card.rank == "T" and self.tens_wild)
            or (str(card) in {"Js", "Jh"} and self.jacks_wild)
            or str(card) in self.cards_wild
        )

    def follows(self, first: str, second: str) -> bool:
        """
        Whether a rank comes right after another one in a run.
        """
        if first == "A" and self.ace == "high":
            return False
        if second == "A" and self.ace == "low":
            return False
        ring = self.circle
        if "A" in ring or self.ace == "round the corner":
            ring += ring[0]
        return first + second in ring


def card_above(rules: Ruleset, shown: Card | None) -> Card | None:
    """
    The card above the one that is shown (INV-11).
    """
    if shown is None or shown.is_joker:
        return None
    for rank in "A23456789TJQKA".partition(shown.rank)[2]:
        if rank in rules.deck.ranks:
            return Card(rank + shown.suit)
    return None


def packs_for(rules: Ruleset, players: int) -> int:
    """
    How many packs so many players use.
    """
    entries = [packs for least, packs in rules.deck.packs if least <= players]
    packs = entries[-1] if entries else rules.deck.packs[0][1]
    if rules.deck.more_packs and players < 3:
        packs += 1
    elif rules.deck.more_packs:
        packs = max(packs, 2 if players < 5 else 3)
    return max(packs, rules.deck.least_packs)


def stands_at_home(standing: Standing) -> bool:
    """
    Whether a card stands for itself.
    """
    card, rank, suit = standing
    return card.rank == rank and (not suit or card.suit == suit)


def keeps_limits(rules: MeldRules, cards: Sequence[Standing], kind: str) -> bool:
    """
    Whether the wilds among cards are few enough for one meld.
    """
    wilds = [one for one in cards if rules.is_wild(one[0])]
    away = [one for one in wilds if not stands_at_home(one)]
    if len(away) == len(cards):
        return rules.stands_alone
    counted = len(away) if rules.own_place == "natural" else len(wilds)
    said = [most(len(cards) - counted, kind) for most in rules.most_beside]
    if any(most is not None and counted > most for most in said):
        return False
    if kind == "run" and rules.in_runs != "any number":
        if counted > int(rules.in_runs):
            return False
    if rules.by_naturals:
        most = [
            0,
            *(n for since, n in rules.by_naturals if since <= len(cards) - counted),
        ]
        return counted <= most[-1]
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
    if cards[0][1] not in rules.ranks or cards[0][1] not in rules.set_ranks:
        return False
    if cards[0][1] in rules.natural_ranks and any(
        rules.is_wild(card) for card, _, _ in cards
    ):
        return False
    if len(cards) > rules.most_set:
        return False
    suits = [suit for _, _, suit in cards]
    if rules.one_a_suit and (len(set(suits)) < len(suits) or "" in suits):
        return False
    natural = [card for card, _, _ in cards if not rules.is_wild(card)]
    if not rules.twins and len(set(natural)) < len(natural):
        return False
    return keeps_limits(rules, cards, "set")


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
    if rules.between:
        away = [rules.is_wild(one[0]) and not stands_at_home(one) for one in cards]
        # No stretch of two cards, up to that many and the wilds around, has two wilds.
        for length in range(2, rules.between + 2):
            for at in range(len(cards) - length + 1):
                if sum(away[at : at + length]) > 1:
                    return False
    return keeps_limits(rules, cards, "run")


def is_alike(rules: MeldRules, cards: Sequence[Standing]) -> bool:
    """
    Whether cards are three identical ones that are a meld by themselves (INV-10).
    """
    if not rules.alike or len(cards) != 3 or cards[0][0].is_joker:
        return False
    one = len({card for card, _, _ in cards}) == 1
    limits = keeps_limits(rules, cards, "alike")
    return one and limits and all(map(stands_at_home, cards))


def is_pure(meld: Lying) -> bool:
    """
    Whether a meld counts as a run in which all cards stand for themselves.
    """
    return meld.kind in {"run", "alike"} and all(map(stands_at_home, meld.cards))


def lives_of(rules: Ruleset) -> tuple[int, int, int]:
    """
    How many runs a declaration shows, how many pure ones, and how long the longest is.
    """
    out = rules.out
    return (
        (0, 0, 0) if out.declare == "never" else (out.runs, out.pure_runs, out.long_run)
    )


def lives_beside(
    lives: tuple[int, int, int], melds: Iterable[Lying]
) -> tuple[int, int, int]:
    """
    Which of them still lack when some melds are shown.
    """
    runs, pure, longest = lives
    for meld in melds:
        if meld.kind in {"run", "alike"}:
            runs, pure = max(0, runs - 1), max(0, pure - is_pure(meld))
            longest = 0 if len(meld.cards) >= longest else longest
    return runs, pure, longest


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
    if meld.kind == "alike":
        return is_alike(rules, cards) and not meld.beside
    circle = rules.circle
    start = circle.index(cards[0][1])
    if cards[0][1] == "A" and (rules.ace == "high" or cards[1][1] != circle[1]):
        start = len(circle)
    if rules.ace == "round the corner":
        ring = circle + circle[:-1]
        ranks = "".join(rank for _, rank, _ in cards)
        return is_run(rules, cards) and ring[meld.low : meld.low + len(cards)] == ranks
    shift = 1 if rules.ace == "high" and circle[0] == "A" else 0
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
    first: object = cards[0][1] if kind == "set" else cards[0][1:]
    if kind == "run" and len(cards) == len(rules.circle):
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


@attrs.frozen(cache_hash=True)
class Lying:
    """
    A meld on the table.

    Attributes:
        kind: ``set``, ``run``, ``alike``, ``wilds`` or ``wild``.
        cards: Its cards with what they stand for: those of a run from low to high, all
            others in the order in which they came.
        seats: Who laid each of them.
        maker: Who began it.
        beside: The real cards that lie beside its wilds, each with the place of its
            wild and who laid it.
    """

    kind: str
    cards: tuple[Standing, ...]
    seats: tuple[int, ...] = ()
    maker: int = 0
    beside: tuple[tuple[int, Card, int], ...] = ()

    @classmethod
    def of(cls, rules: MeldRules, meld: Meld) -> Lying:
        """
        A meld of the engine's, looked at.
        """
        cards = [_standing(slot) for slot in meld.slots]
        if meld.kind in {"wild", "wilds"}:
            cards = [(card, "", "") for card, _, _ in cards]
        elif meld.kind == "alike":
            cards = [(card, card.rank, card.suit) for card, _, _ in cards]
        elif meld.kind == "set" and not rules.one_a_suit:
            cards = [(card, rank, "") for card, rank, _ in cards]
        return cls(
            meld.kind,
            tuple(cards),
            tuple(slot.seat for slot in meld.slots),
            meld.maker,
            tuple((one.index, one.card, one.seat) for one in meld.beside),
        )

    @property
    def rank(self) -> str:
        """
        The rank of a set.
        """
        return self.cards[0][1]

    def __len__(self) -> int:
        return len(self.cards)


Allows = Callable[[Lying], bool]
"""What a third party may say of a meld that is one by the rules."""


def anything(meld: Lying) -> bool:
    """
    What is said where no third party has a say.
    """
    del meld
    return True


def meaning_of(rules: MeldRules, meld: Meld) -> Meaning:
    """
    What a meld on the table is, in the form that `readings` gives.
    """
    lying = Lying.of(rules, meld)
    if meld.kind == "wilds":
        return ("wilds", *sorted(str(slot.card) for slot in meld.slots))
    return _meaning(rules, lying.kind, lying.cards)


def may_stand_for(rules: MeldRules, one: Played, rank: str, suit: str) -> bool:
    """
    Whether a card, as it was written, may stand for a rank and a suit, or any suit.
    """
    card, said = one.card, one.stands_for
    if not rules.is_wild(card):
        itself = said is None or (said.rank, said.suit) == (card.rank, card.suit)
        return itself and card.rank == rank and suit in {"", card.suit}
    if rank not in rules.ranks:
        return False
    if said is None:
        return True
    return said.rank == rank and (
        said.suit == "" or (suit in {"", said.suit} and said.suit in rules.suits)
    )


@functools.cache
def rows(rules: MeldRules, number: int) -> list[tuple[str, list[tuple[str, str]]]]:
    """
    Every row of so many places that a set or a run may fill.
    """
    found: list[tuple[str, list[tuple[str, str]]]] = [("set", [("*", "")] * number)]
    for rank in rules.ranks:
        if rules.one_a_suit:
            for suits in itertools.combinations(rules.suits, number):
                found.append(("set", [(rank, suit) for suit in suits]))
        else:
            found.append(("set", [(rank, "")] * number))
        ranks = _upwards(rules.circle, rank, min(number, len(rules.circle)))
        if len(ranks) == number and set(ranks) <= set(rules.ranks):
            found += [("run", [(one, suit) for one in ranks]) for suit in rules.suits]
    return found


@functools.cache
def rows_with(
    rules: MeldRules, number: int, card: Card
) -> list[tuple[str, list[tuple[str, str]]]]:
    """
    Those rows that have a place for a card as itself.
    """
    places = {(card.rank, card.suit), (card.rank, "")}
    return [one for one in rows(rules, number) if not places.isdisjoint(one[1])]


def _upwards(circle: str, rank: str, number: int) -> str:
    """
    So many ranks round a circle, the given one first.
    """
    at = circle.index(rank)
    return (circle * 2)[at : at + number]


def _filled(
    rules: MeldRules, places: Sequence[tuple[str, str]], written: Sequence[Played]
) -> set[tuple[Standing, ...]]:
    """
    Every way to put written cards on as many places, in the order of the cards.
    """
    if not written:
        return {()}
    first, rest = written[0], written[1:]
    found = set()
    for place in set(places):
        if may_stand_for(rules, first, *place):
            others = list(places)
            others.remove(place)
            for filled in _filled(rules, others, rest):
                found.add(((first.card, *place), *filled))
    return found


def _in_row(
    cards: Iterable[Standing], row: Sequence[tuple[str, str]]
) -> list[Standing]:
    return sorted(cards, key=lambda one: row.index(one[1:]))


def possible_melds(
    rules: MeldRules, written: Sequence[Played], *, settled: bool = True
) -> list[Lying]:
    """
    Every meld that written cards may be, whatever is left open about their wilds.

    Args:
        rules: The rules of melds.
        written: The cards.
        settled: Whether what was written is all that is said: wilds of which nothing is
            said are a meld of wilds where there are such, and no set or run.
    """
    found = []
    if all(rules.is_wild(one.card) and not one.stands_for for one in written):
        if rules.wild_melds and len(written) >= rules.least_set:
            found = [Lying("wilds", tuple((one.card, "", "") for one in written))]
            if settled:
                return found
    place = (written[0].card.rank, written[0].card.suit) if written else ("", "")
    if written and all(may_stand_for(rules, one, *place) for one in written):
        alike = tuple((one.card, *place) for one in written)
        if is_alike(rules, alike):
            found.append(Lying("alike", alike))
            if settled:
                return found
    fitting = rows(rules, len(written))
    natural = [one.card for one in written if not rules.is_wild(one.card)]
    if natural:
        fitting = rows_with(rules, len(written), natural[0])
    for kind, row in fitting:
        for cards in _filled(rules, row, written):
            if kind == "set" and is_set(rules, cards) and not is_alike(rules, cards):
                found.append(Lying(kind, cards))
            elif kind == "run" and is_run(rules, run := _in_row(cards, row)):
                found.append(Lying(kind, tuple(run)))
    return found


def read(
    rules: MeldRules, written: Sequence[Played], allows: Allows = anything
) -> dict[Meaning, Lying]:
    """
    Every meld that written cards may mean, those left with the most wilds at home.

    Which of two the ace decides by where it is written is looked at as well.
    """
    found = [meld for meld in possible_melds(rules, written) if allows(meld)]
    if found and found[0].kind == "wilds":
        return {("wilds", *sorted(str(one.card) for one in written)): found[0]}
    best = _best(rules, [(meld, meld.cards) for meld in found])
    return _by_ace(best, written) if len(best) == 2 else best


def read_shown(
    rules: MeldRules, written: Sequence[Played], allows: Allows = anything
) -> Lying | None:
    """
    A meld that written cards may be where nobody lays off on it; a run if there is one.

    Wilds alone may be said to stand for cards of a set or run then.
    """
    found = [*read(rules, written, allows).values()]
    if not found and rules.wild_melds and all(rules.is_wild(o.card) for o in written):
        standing = attrs.evolve(rules, stands_alone=True)
        if possible_melds(standing, written):
            bare = [played(one.card.code) for one in written]
            found = [*read(rules, bare, allows).values()]
    return max(found, key=lambda one: one.kind == "run", default=None)


def readings(rules: MeldRules, written: Sequence[Played]) -> set[Meaning]:
    """
    What the melds are that written cards may mean.
    """
    return set(read(rules, written))


def _best(
    rules: MeldRules, found: Iterable[tuple[Lying, Sequence[Standing]]]
) -> dict[Meaning, Lying]:
    """
    Of some melds, each with its new cards, those with the most of these wilds at home.

    Of those that mean the same it is the one whose wilds ascend with their places.
    """
    best: dict[Meaning, Lying] = {}
    most = -1
    for meld, new in found:
        home = sum(rules.is_wild(one[0]) and stands_at_home(one) for one in new)
        if home > most:
            best, most = {}, home
        if home == most:
            lying = sorted(str(card) for _, card, _ in meld.beside)
            means = (*_meaning(rules, meld.kind, meld.cards), *lying)
            if means not in best or _ascent(meld) < _ascent(best[means]):
                best[means] = meld
    return best


def _ascent(meld: Lying) -> tuple[list[Card], list[str]]:
    """
    The cards by their places, and in a set the places by their cards.
    """
    if meld.kind == "run":
        return [card for card, _, _ in meld.cards], []
    by_suit = sorted(meld.cards, key=lambda one: one[2])
    return [card for card, _, _ in by_suit], [suit for _, _, suit in meld.cards]


def _by_ace(
    best: dict[Meaning, Lying], written: Sequence[Played]
) -> dict[Meaning, Lying]:
    """
    Of two runs that differ in the end of one ace alone, the one that the order means.
    """
    low, high = sorted(best, key=lambda means: best[means].cards[0][1] != "A")
    first, second = best[low].cards, best[high].cards
    if low[0] != "run" or first != (second[-1], *second[:-1]):
        return best
    if written[0].card == first[0][0]:
        return {low: best[low]}
    if written[-1].card == first[0][0]:
        return {high: best[high]}
    return best


@attrs.frozen
class Growth:
    """
    A meld with cards laid off on it.

    Attributes:
        after: The meld as it lies then.
        new: The cards by which it has grown.
        below: How many of them lie below what was there.
        beside: The places, as they were before, beside whose wilds the others lie.
        moved: Where the wild of a run lies that has moved; then `below` says nothing.
    """

    after: Lying
    new: tuple[Standing, ...]
    below: int
    beside: tuple[int, ...]
    moved: int = -1


def possible_growths(
    rules: MeldRules,
    meld: Lying,
    written: Sequence[Played],
    seat: int,
    *,
    grow: bool = False,
    settled: bool = True,
) -> Iterator[Growth]:
    """
    Every way in which written cards may be laid off on a set or run.

    A real card goes beside the wild that stands for it; only a second one may not.

    Args:
        rules: The rules of melds.
        meld: The set or run.
        written: The cards.
        seat: Who lays them.
        grow: Whether the meld has to grow with all of them, so that none lies beside.
        settled: Whether what was written is all that is said; if not, real cards that
            are wild may stand elsewhere as well, as if that had been said of them.
    """
    waiting = {} if grow else _without_real_card(rules, meld)
    growing: list[Played] = []
    lying: list[tuple[int, Played]] = []
    for one in written:
        place = (one.card.rank, one.card.suit)
        if place in waiting and (one.stands_for is None or _is_itself(one)):
            lying.append((waiting.pop(place), one))
        else:
            growing.append(one)
    choices = [lying]
    if not settled:
        natural = [one for one in lying if not rules.is_wild(one[1].card)]
        wild = [one for one in lying if rules.is_wild(one[1].card)]
        choices = [
            [*natural, *part]
            for number in range(len(wild) + 1)
            for part in itertools.combinations(wild, number)
        ]
    for chosen in choices:
        others = [one for at, one in lying if (at, one) not in chosen]
        yield from _grown(rules, meld, [*growing, *others], chosen, seat)


def _is_itself(one: Played) -> bool:
    return str(one.stands_for) == str(one.card)


def _without_real_card(rules: MeldRules, meld: Lying) -> dict[tuple[str, str], int]:
    """
    The wilds of a meld beside which the real card may still be laid.
    """
    covered = {at for at, _, _ in meld.beside}
    if rules.real_card != "beside":
        return {}
    return {
        place[1:]: at
        for at, place in enumerate(meld.cards)
        if place[2] and at not in covered
        if rules.is_wild(place[0]) and not stands_at_home(place)
    }


def _grown(
    rules: MeldRules,
    meld: Lying,
    new: Sequence[Played],
    lying: Sequence[tuple[int, Played]],
    seat: int,
) -> Iterator[Growth]:
    """
    A meld with new cards in every way, and given ones beside the wilds at their places.
    """
    for one in (*new, *(card for _, card in lying)):
        if not rules.is_wild(one.card) and one.stands_for and not _is_itself(one):
            return
    beside = tuple((at, one.card, seat) for at, one in lying)
    at_places = tuple(at for at, _ in lying)
    old = meld.cards
    seats = (seat,) * len(new)
    if not new:
        yield Growth(
            attrs.evolve(meld, beside=(*meld.beside, *beside)), (), 0, at_places
        )
    elif meld.kind == "set":
        for row in _more_of_a_set(rules, meld, len(new)):
            for cards in _filled(rules, row, new):
                if is_set(rules, [*old, *cards]):
                    after = attrs.evolve(
                        meld,
                        cards=(*old, *cards),
                        seats=(*meld.seats, *seats),
                        beside=(*meld.beside, *beside),
                    )
                    yield Growth(after, cards, 0, at_places)
    else:
        shifted = [*_shifted(rules, meld, new, seat)]
        home = [one for one in shifted if _is_natural(rules, one)]
        longer = [] if home else [*_longer(rules, meld, new, lying, seat)]
        yield from home or longer or _first_shifted(rules.circle, shifted)


def _longer(
    rules: MeldRules,
    meld: Lying,
    new: Sequence[Played],
    lying: Sequence[tuple[int, Played]],
    seat: int,
) -> Iterator[Growth]:
    """
    A run with new cards at its ends, and given ones beside the wilds at their places.
    """
    seats = (seat,) * len(new)
    beside = tuple((at, one.card, seat) for at, one in lying)
    for below, row in _more_of_a_run(rules.circle, meld, len(new)):
        for cards in _filled(rules, row, new):
            run = _in_row(cards, row)
            whole = (*run[:below], *meld.cards, *run[below:])
            if is_run(rules, whole):
                after = attrs.evolve(
                    meld,
                    cards=whole,
                    seats=(*seats[:below], *meld.seats, *seats[below:]),
                    beside=tuple(
                        (at + below, card, who)
                        for at, card, who in (*meld.beside, *beside)
                    ),
                )
                yield Growth(after, cards, below, tuple(at for at, _ in lying))


def _shifted(
    rules: MeldRules, meld: Lying, new: Sequence[Played], seat: int
) -> Iterator[Growth]:
    """
    A run with new cards whose one wild has moved.

    A wild at an end is free; one between two cards moves only for its real card.
    """
    at = next(
        (
            at
            for at, one in enumerate(meld.cards)
            if rules.is_wild(one[0])
            if rules.own_place == "wild" or not stands_at_home(one)
        ),
        -1,
    )
    if rules.real_card != "moves the wild" or at < 0:
        return
    wild, old_place = meld.cards[at][0], meld.cards[at][1:]
    suit, free = old_place[1], at in {0, len(meld) - 1}
    total = len(meld) + len(new)
    lowest = rules.circle.index(meld.cards[0][1])
    for below in range(-1, len(new) + 2) if total <= len(rules.circle) else ():
        # A run that its wild leaves at an end may begin or stop one card nearer.
        ranks = _upwards(rules.circle, rules.circle[lowest - below], total)
        old = {number + below: one for number, one in enumerate(meld.cards)}
        was = old.pop(at + below)
        if min(old) < 0 or max(old) >= total:
            continue
        for now in range(total):
            if now in old or now == at + below:
                continue
            places = [(one, suit) for step, one in enumerate(ranks) if step not in old]
            places.remove((ranks[now], suit))
            if not (free or was[1:] in places):
                continue
            for cards in _filled(rules, places, new):
                if any(rules.is_wild(c[0]) and not stands_at_home(c) for c in cards):
                    continue
                lie = {ranks.index(one[1]): one for one in cards}
                lie |= {**old, now: (wild, ranks[now], suit)}
                whole = tuple(one for _, one in sorted(lie.items()))
                if is_run(rules, whole):
                    seats = {step: meld.seats[step - below] for step in old}
                    seats[now] = meld.seats[at]
                    who = tuple(seats.get(step, seat) for step in range(total))
                    after = attrs.evolve(meld, cards=whole, seats=who)
                    yield Growth(after, cards, 0, (), now)


def _is_natural(rules: MeldRules, one: Growth) -> bool:
    """
    Whether the wild of a run that has moved is natural where it lies.
    """
    return rules.own_place == "natural" and stands_at_home(one.after.cards[one.moved])


def _first_shifted(circle: str, shifted: Sequence[Growth]) -> list[Growth]:
    """
    Of the ways in which a wild may move for some cards, the one that begins highest.

    Two are left only if an ace that is laid off fits both ends.
    """
    if not shifted:
        return []
    first = max(shifted, key=lambda one: circle.index(one.after.cards[0][1]))
    return [
        one
        for one in shifted
        if one is first
        or (
            {rank for _, rank, _ in one.after.cards}
            == {rank for _, rank, _ in first.after.cards}
            and any(rank == "A" for _, rank, _ in one.new)
            and one.after.cards[one.moved][1] == first.after.cards[first.moved][1]
        )
    ]


def _more_of_a_set(
    rules: MeldRules, meld: Lying, number: int
) -> Iterator[list[tuple[str, str]]]:
    if not rules.one_a_suit or meld.rank == "*":
        yield [(meld.rank, "")] * number
        return
    used = {suit for _, _, suit in meld.cards}
    free = [suit for suit in rules.suits if suit not in used]
    for suits in itertools.combinations(free, number):
        yield [(meld.rank, suit) for suit in suits]


def _more_of_a_run(
    circle: str, meld: Lying, number: int
) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """
    How many cards may lie below a run, and all the places that new ones fill then.
    """
    _, lowest, suit = meld.cards[0]
    total = len(meld) + number
    if total > len(circle):
        return
    for below in range(number + 1):
        ranks = _upwards(circle, circle[circle.index(lowest) - below], total)
        free = ranks[:below] + ranks[below + len(meld) :]
        yield below, [(rank, suit) for rank in free]


def read_layoff(
    rules: MeldRules,
    meld: Lying,
    written: Sequence[Played],
    seat: int,
    end: str | None = None,
    *,
    grow: bool = False,
    allows: Allows = anything,
) -> dict[Meaning, Lying]:
    """
    Every way to lay written cards off on a meld, the most wilds at home.

    Args:
        rules: The rules of melds.
        meld: The meld.
        written: The cards.
        seat: Who lays them.
        end: The end of the run that is named.
        grow: As for `possible_growths`.
        allows: What a third party says.
    """
    if end is not None and meld.kind != "run":
        return {}
    if meld.kind == "wilds":
        after = _more_wilds(rules, meld, [one.card for one in written], seat)
        if after is None or any(one.stands_for for one in written):
            return {}
        return {("wilds",): after}
    if meld.kind == "wild":
        after = _built(rules, meld, written, seat)
        return {} if after is None or not allows(after) else {("built",): after}
    found = []
    for one in possible_growths(rules, meld, written, seat, grow=grow):
        named = end is None or end in _ends_meant(one, len(meld))
        if named and allows(one.after):
            found.append((one.after, one.new))
    return _best(rules, found)


def layoff_readings(
    rules: MeldRules, meld: Meld, written: Sequence[Played], end: str | None
) -> set[Meaning]:
    """
    What a set or run becomes in every way to lay written cards off on it.
    """
    before = Lying.of(rules, meld)
    known = len(before.beside)
    return {
        (
            *_meaning(rules, after.kind, after.cards),
            tuple(sorted(str(card) for _, card, _ in after.beside[known:])),
        )
        for after in read_layoff(rules, before, written, 0, end).values()
    }


def _more_wilds(
    rules: MeldRules, meld: Lying, cards: Sequence[Card], seat: int
) -> Lying | None:
    """
    A meld of wilds with more of them; None if some of the cards are not wild.
    """
    if not all(map(rules.is_wild, cards)):
        return None
    return attrs.evolve(
        meld,
        cards=(*meld.cards, *((card, "", "") for card in cards)),
        seats=(*meld.seats, *[seat] * len(cards)),
    )


def _built(
    rules: MeldRules, meld: Lying, written: Sequence[Played], seat: int
) -> Lying | None:
    """
    The set that natural cards make with a single wild, for its owner alone (HR-12).

    The wild stands for itself if it can, or else for the first suit that is free.
    """
    if seat != meld.maker or any(rules.is_wild(one.card) for one in written):
        return None
    wild = played(meld.cards[0][0].code)
    sets = [one for one in possible_melds(rules, [wild, *written]) if one.kind == "set"]
    if not sets:
        return None
    sets.sort(key=lambda one: (not stands_at_home(one.cards[0]), one.cards[0][2]))
    first = sets[0]
    return attrs.evolve(
        first, seats=(meld.seats[0], *[seat] * len(written)), maker=meld.maker
    )


def traded(
    rules: MeldRules,
    meld: Lying,
    card: Card,
    seat: int,
    end: str | None = None,
    *,
    more: tuple[Card, ...] = (),
    locked: bool,
) -> tuple[Lying, tuple[Card, ...]] | None:
    """
    A meld with a real card traded for a wild of it, and the wild (PGV-P4, COV-03).

    Args:
        rules: The rules of melds.
        meld: The meld.
        card: The real card.
        seat: Who trades.
        end: The end of the run that the wild moves to, named only where it does.
        more: The cards that are traded together with it (KAL-08).
        locked: Whether the first card is the dealer's wild, which is not traded.

    Returns:
        Nothing if there is no such wild.
    """
    if meld.kind not in {"set", "run"}:
        return None
    if meld.kind == "set" and rules.swap_in == "runs":
        return None
    if not _trades_as_many(rules, meld, (card, *more)):
        return None
    moves = rules.swapped == "moved to an end"
    if moves != (end is not None) or (moves and meld.kind == "set"):
        return None
    for at, (wild, rank, suit) in enumerate(meld.cards):
        away = rules.is_wild(wild) and not stands_at_home((wild, rank, suit))
        real = card.rank == rank and suit in {"", card.suit}
        if not away or not real or (locked and not at):
            continue
        if rules.swap_for == "jokers" and not wild.is_joker:
            continue
        if not suit and rules.is_wild(card):
            continue
        cards, seats = list(meld.cards), list(meld.seats)
        cards[at], seats[at] = (card, rank, suit), seat
        cards += [(one, rank, suit) for one in more]
        seats += [seat] * len(more)
        whole = attrs.evolve(meld, cards=tuple(cards), seats=tuple(seats))
        if end is None:
            return whole, (wild,)
        longer = _with_wild(rules, whole, (wild, meld.seats[at]), end)
        return None if longer is None else (longer, ())
    return None


def _trades_as_many(rules: MeldRules, meld: Lying, cards: tuple[Card, ...]) -> bool:
    """
    Whether cards are as many as a wild of a meld is traded for, of the suits it lacks.
    """
    if meld.kind == "set" and not meld.cards[0][2]:
        natural = {card for card, _, _ in meld.cards if not rules.is_wild(card)}
        if not rules.twins and not natural.isdisjoint(cards):
            return False
        wilds = [
            card
            for card, rank, suit in meld.cards
            if rules.is_wild(card) and not stands_at_home((card, rank, suit))
            if rules.swap_for == "any wild" or card.is_joker
        ]
        if rules.swap_with == "all missing suits" and len(wilds) == 1:
            lacking = {
                Card(meld.rank + suit)
                for suit in rules.suits
                if Card(meld.rank + suit) not in natural
                and not rules.is_wild(Card(meld.rank + suit))
            }
            return 1 < len(cards) == len(lacking) and lacking == {*cards}
    return len(cards) == 1


def _with_wild(
    rules: MeldRules, run: Lying, wild: tuple[Card, int], end: str
) -> Lying | None:
    """
    A run with a wild, given with who laid it, at an end; None if it cannot lie there.
    """
    card, owner = wild
    for rank in rules.ranks:
        place = (card, rank, run.cards[0][2])
        cards, seats = (*run.cards, place), (*run.seats, owner)
        beside = run.beside
        if end == "low":
            cards, seats = (place, *run.cards), (owner, *run.seats)
            beside = tuple((at + 1, *rest) for at, *rest in beside)
        if is_run(rules, cards):
            return attrs.evolve(run, cards=cards, seats=seats, beside=beside)
    return None


def halves(rules: MeldRules, meld: Lying, after: int) -> tuple[Lying, Lying] | None:
    """
    The two melds into which a meld of six or more is split; None if both are not melds.
    """
    good = {"set": is_set, "run": is_run}.get(meld.kind)
    cards, seats = meld.cards, meld.seats
    if good is None or len(cards) < 6 or not 0 < after < len(cards):
        return None
    if not good(rules, cards[:after]) or not good(rules, cards[after:]):
        return None
    low = [one for one in meld.beside if one[0] < after]
    high = [(at - after, *one) for at, *one in meld.beside if at >= after]
    return (
        attrs.evolve(meld, cards=cards[:after], seats=seats[:after], beside=tuple(low)),
        attrs.evolve(
            meld, cards=cards[after:], seats=seats[after:], beside=tuple(high)
        ),
    )


def _ends_meant(one: Growth, old: int) -> set[str]:
    """
    The ends of a run at which cards were laid, as a player would name them.

    An ace goes before all other cards, and cards that make it longer before those that
    lie beside a wild (RV-31).

    Args:
        one: The run as it has grown.
        old: How many cards were there.
    """
    whole, below = one.after.cards, one.below
    if one.moved >= 0:
        stays = [
            at
            for at, place in enumerate(whole)
            if place not in one.new and at != one.moved
        ]
        ends_of = [
            (rank, {"low"} if at < stays[0] else {"high"} if at > stays[-1] else set())
            for at, (_, rank, _) in enumerate(whole)
            if at not in stays
        ]
        aces = [ends for rank, ends in ends_of if rank == "A"]
        return set.intersection(*(aces or [ends for _, ends in ends_of]))
    longer: list[tuple[str, set[str]]] = []
    for at, (_, rank, _) in enumerate(whole):
        if at < below:
            longer.append((rank, {"low"}))
        elif at >= below + old:
            longer.append((rank, {"high"}))
    lying = []
    for at in one.beside:
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


def mates_above(hand: Iterable[Card], card: Card) -> Iterator[tuple[Card, ...]]:
    """
    Every choice of the other suits of a card's rank that a hand holds, from it on.
    """
    mates = [one for one in sorted({*hand}) if one.rank == card.rank and one > card]
    for number in range(1, len(mates) + 1):
        yield from itertools.combinations(mates, number)


def plays(state: State, seat: int) -> Iterator[Action]:
    """
    Everything that can be written between the draw and the discard.
    """
    rules = MeldRules.of(state)
    hand = tuple(state.hands[seat])
    numbers = range(len(state.table) + 2)
    for written in written_melds(rules, hand):
        yield NewMeld(written, seat)
        for number in numbers:
            for end in (None, "low", "high"):
                yield LayOff(written, number, end, seat)  # type: ignore[arg-type]
    for card in sorted(set(hand)):
        yield PutWild(card, seat)
        for number in numbers:
            for end in (None, "low", "high"):
                yield Swap(card, number, seat, end)  # type: ignore[arg-type]
            for more in mates_above(hand, card):
                yield Swap(card, number, seat, more=more)
    for number, meld in enumerate((state.dealer_wild, *state.table)):
        for after in range((len(meld) if meld else 0) + 1):
            yield Split(number, after, seat)


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


def downs(rules: MeldRules, hand: Sequence[Card], seat: int) -> Iterator[NewMelds]:
    """
    Everything that can be written as several new melds at once.
    """
    for groups in set(grouped(hand)):
        if len(groups) > 1:
            ways = [
                [order for said in declared(rules, group) for order in orders(said)]
                for group in groups
            ]
            for melds in itertools.product(*ways):
                yield NewMelds(melds, seat)


def arrangements(state: State, seat: int) -> Iterator[Arrange]:
    """
    Everything that can be written as a new layout of some melds of the table.
    """
    rules = MeldRules.of(state)
    lying = Counter(card for meld in state.table for card in meld.cards)
    if state.rules.layoff.rearranging == "never" or not lying:
        return
    for groups in set(grouped(sorted([*lying.elements(), *state.hands[seat]]))):
        ways = [
            [order for said in declared(rules, group) for order in orders(said)]
            for group in groups
        ]
        for melds in itertools.product(*ways) if groups else ():
            yield Arrange(melds, seat)


def opens_together(state: State, seat: int) -> bool:
    """
    Whether a seat has first melds to make that the rules let it lay as one action.
    """
    meld = state.rules.meld
    return not state.has_meld(seat) and bool(meld.contracts or meld.runs_apart)


def knocks(state: State, seat: int) -> Iterator[Knock]:
    """
    Everything that can be written as a knock, or as a declaration.
    """
    kind = Knock if state.rules.out.declare == "never" else Declare
    for one in written_knocks(MeldRules.of(state), state.hands[seat], seat):
        yield kind(one.card, one.melds, seat)


def written_knocks(
    rules: MeldRules, hand: Iterable[Card], seat: int
) -> Iterator[Knock]:
    """
    Everything that can be written as a knock with a hand.
    """
    hand = list(hand)
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


def everything(state: State) -> Iterator[Action]:
    """
    Everything that a person who may act could write down, sense or nonsense.
    """
    for seat in state.to_act:
        yield Draw(seat)
        yield Pass(seat)
        yield HouseAction("drop", seat=seat)
        yield Rejoin(seat)
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
        together = state.phase == "play" and opens_together(state, seat)
        held = list(state.hands[seat])
        if state.phase == "play":
            yield from arrangements(state, seat)
        yield from downs(MeldRules.of(state), held if together else held[:4], seat)
        yield Buy(seat)
        dealt = state.phase == "draw" and state.rules.out.dealt_hand
        shown = state.rules.meld.shown != "in turn"
        if dealt or (state.phase == "play" and shown):
            yield from knocks(state, seat)
        else:
            yield from (Knock(card, (), seat) for card in (None, *state.hands[seat]))
        yield from (Declare(card, (), seat) for card in (None, *state.hands[seat]))
        yield Knock(None, (), seat)
        if state.phase == "call":
            yield from calls(state, seat)
        else:
            yield from itertools.islice(calls(state, seat), 5)
