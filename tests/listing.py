"""
The list of legal actions against what a player could write down, in hard positions.

A hard position is one that is made to be: a hand of black threes, of wilds, of half a
contract, with a card that is owed, with one card left. What could be written there is
put together from the cards alone, without the library; what `check` allows of it has to
be listed, and what is listed has to be allowed, drawn at random and chosen step by
step.

``python tests/listing.py --positions 2000 --seed 0`` looks at more of them than the
tests do, at those of some games with ``--games canasta gin-rummy``, and prints of each
failure the position.
"""

from __future__ import annotations

import argparse
import itertools
import random
import re
import sys
import time

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs

import rummyvariants as rv

from naive import CIRCLE, MeldRules
from rummyvariants.cards import CARDS


LISTED = 1_500
"""The most actions that a list may have to be compared as a whole."""
WRITTEN = 250
"""The most actions of several melds that are written in a position, for each verb."""
TRIES = 200
"""How many positions of a game in a row may be impossible."""
MADE = 1_000
"""The most ways to write a single meld."""
STEPS = 3
"""How many actions are played on from a position, each compared like the first."""


# ----------------------------------------------------------------- hard positions


def positions(rules: rv.Ruleset, chance: random.Random) -> Iterator[rv.State]:
    """
    Hard positions of a game, without end, each followed by some that come of it.
    """
    failures = 0
    while True:
        try:
            state = _Dealer(rules, chance).position()
        except rv.errors.PositionError:
            failures += 1
            if failures > TRIES:
                raise
            continue
        failures = 0
        yield state
        for _ in range(STEPS):
            if state.is_round_over or not rv.legal_actions(state):
                break
            state = rv.apply(state, _played_on(state, chance))
            if state.to_act:
                yield state


def _played_on(state: rv.State, chance: random.Random) -> rv.Action:
    """
    An action at random, each kind as likely as another.
    """
    some = list(itertools.islice(rv.legal_actions(state), 200))
    kind = chance.choice(sorted({type(one).__name__ for one in some}))
    return chance.choice([one for one in some if type(one).__name__ == kind])


class _Dealer:
    """
    Who deals a hard position, from the cards of the deck that are left.
    """

    def __init__(self, rules: rv.Ruleset, chance: random.Random) -> None:
        self.rules, self.chance = rules, chance
        low, high = rules.match.players
        self.players = chance.randint(low, min(high, 4))
        self.round = chance.randint(1, rules.match.most_rounds or 1)
        self.left = Counter(
            [str(CARDS[code]) for code in rules.deck.cards_for(self.players)]
        )
        for card in rules.deal.laid_aside:
            del self.left[card]  # no hand keeps them
        self.wild = chance.choice(["", *rules.deck.ranks])
        self.wilds = [
            card
            for card in self.left
            if card == "*"
            or card[0] == self.wild
            or (card[0] == "2" and rules.wild.twos)
        ]

    def position(self) -> rv.State:
        """
        A position of whoever is to draw, or has drawn.

        Raises:
            PositionError: If the game has no such position.
        """
        rules, chance = self.rules, self.chance
        seats = [*"NESW"][: self.players]
        phase = chance.choice(["play", "play", "draw"])
        table = []
        if not rules.meld.concealed:
            table = [*filter(None, (self._meld(seats) for _ in range(self._few())))]
        hand = self._hand(self._size(phase))
        pile = self._some(chance.choice([0, 0, 1, 3]))
        near = {card[0] for card in hand}
        pile += self._take([card for card in self.left if card[0] in near], 1)
        keys: dict[str, Any] = {
            "seats": seats,
            "dealer": seats[-1],
            "turn": "N",
            "phase": phase,
            "round": self.round,
            "partial": bool(rules.meld.contracts),  # any melds may lie there
            "scores": self._scores(seats),
            "table": table,
            "discards": " ".join(pile),
            "stock": " ".join(self._some(chance.choice([0, 1, 4, 12]))),
        }
        if phase == "play":
            keys["drawn"] = f"stock {chance.choice(hand)}"
            if chance.random() < 0.4:
                number = min(chance.choice([1, 1, 2, 3]), len(hand))
                keys["drawn"] = f"take {' '.join(chance.sample(hand, k=number))}"
        if self.wild and chance.random() < 0.8:
            keys["wild"] = self.wild
        if chance.random() < 0.2:
            keys["upcard"] = chance.choice([*self.left])
        others = self._size("draw") if rules.meld.concealed else 2
        hands = {seat: " ".join(self._some(others)) for seat in seats[1:]}
        keys["hands"] = {"N": " ".join(hand), **hands}
        return rv.position(rules, **keys)

    def _scores(self, seats: Sequence[str]) -> dict[str, int]:
        """
        Totals for which different minimums may hold, the same for partners.
        """
        chance = self.chance
        totals = [chance.choice([0, 0, -5, 1500, 3000]) for _ in seats]
        if self.rules.match.sides != "none" and len(seats) == 4:
            totals[2:] = totals[:2]
        return dict(zip(seats, totals, strict=True))

    def _few(self) -> int:
        return self.chance.choice([0, 0, 0, 1, 2, 3])

    def _size(self, phase: str) -> int:
        """
        How many cards a hand holds: what was dealt where its melds stay in it.
        """
        if not self.rules.meld.concealed:
            return self.chance.choice([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 10, 11, 12])
        dealt = self.rules.deal.fixed_size(self.players, self.round)
        return dealt + (phase == "play")

    def _meld(self, seats: Sequence[str]) -> str:
        """
        A meld on the table as a text; empty if its cards are not there.
        """
        maker = self.chance.choice([*seats, "N"])
        number = self.chance.choice([3, 3, 4, 5, 6])
        cards = self._take(self._kin(run=self.chance.random() < 0.5), number)
        return f"{maker}: {' '.join(cards)}" if len(cards) > 2 else ""

    def _hand(self, number: int) -> list[str]:
        """
        So many cards, most of them together in a few ranks and suits.
        """
        chance = self.chance
        hand: list[str] = []
        if self.rules.meld.contracts and chance.random() < 0.6:
            for kind, least in re.findall(r"(set|run) (\d+)", self._contract()):
                cards = self._take(self._kin(run=kind == "run"), int(least))
                joker = self._take(self.wilds, 1) if chance.random() < 0.3 else []
                hand += joker + cards[len(joker) :]
            number = len(hand) + chance.choice([0, 0, 1, 1, 2, 4])
        last = [card for card in self.left if card[0] in self.rules.meld.last_ranks] * 3
        if last and chance.random() < 0.4:
            hand += self._take(last, chance.choice([3, 3, 4]))
            while len(hand) < number:
                hand += self._take(self._kin(run=False), chance.choice([3, 4, 6, 7]))
            return hand + self._take(self.wilds, chance.choice([0, 0, 1, 2]))
        while len(hand) < number:
            want = min(number - len(hand), chance.choice([1, 2, 3, 3, 4, 7]))
            kind = chance.choice(["set", "set", "run", "wild", "last", "any"])
            if kind == "wild":
                kin, want = self.wilds, min(want, chance.choice([1, 1, 2, 3]))
            elif kind == "last":
                kin = last
            elif kind == "any":
                kin, want = [*self.left], 1
            else:
                kin = self._kin(run=kind == "run")
            hand += self._take(kin, want)
        return hand

    def _contract(self) -> str:
        """
        What the first melds of the round have to be.
        """
        contracts = self.rules.meld.contracts
        return str(contracts[min(self.round, len(contracts)) - 1])

    def _kin(self, *, run: bool) -> list[str]:
        """
        Cards of a rank, or neighbours of a suit in their order.
        """
        if not run or not self.rules.meld.runs:
            rank = self.chance.choice(self.rules.deck.ranks)
            kin = [card for card in self.left if card[0] == rank]
            return kin * 3
        at = self.chance.randrange(13)
        suit = self.chance.choice(self.rules.deck.suits)
        return [rank + suit for rank in (CIRCLE * 2)[at : at + 7]]

    def _take(self, kin: Sequence[str], number: int) -> list[str]:
        """
        So many of some cards, as far as they are left.
        """
        found = []
        for card in kin:
            if self.left[card] and len(found) < number:
                self.left[card] -= 1
                found.append(card)
        return found

    def _some(self, number: int) -> list[str]:
        """
        So many cards at random.
        """
        left = [*self.left.elements()]
        return self._take(self.chance.sample(left, k=min(number, len(left))), number)


# ------------------------------------------------------------- what may be written

Cards = tuple[str, ...]
Melds = tuple[Cards, ...]


def face(word: str) -> str:
    """
    The card of a word, without what it stands for.
    """
    return word.partition("=")[0]


class Writer:
    """
    What a seat could write in a state, most of it illegal.

    Put together from the cards alone: what the rules allow is not asked, only which
    cards are wild.

    Args:
        state: The state.
        seat: Who writes.
        chance: What chooses where there is too much to write.
    """

    def __init__(self, state: rv.State, seat: int, chance: random.Random) -> None:
        self.state, self.seat, self.chance = state, seat, chance
        rules = MeldRules.of(state)
        self.ranks, self.suits = rules.ranks, rules.suits
        self.hand = Counter(map(str, state.hands[seat]))
        self.pile = [*map(str, state.discards)]
        # Where melds are laid one by one, a few that are refused are enough.
        conceals = state.rules.meld.concealed
        self.lays_together = conceals or "opening" in state.rules.asked
        every = {*self.hand, *self.pile}
        self.wild = {card for card in every if rules.is_wild(rv.Card(card))}

    def texts(self) -> Iterator[str]:
        """
        The actions, as far as they are written.
        """
        yield from ("draw", "pass", "yes", "no", "ask", "drop", "rejoin", "buy")
        for number in range(1, len(self.pile) + 1):
            yield f"take {number}"
        melds = range(len(self.state.table) + 1)
        for card in self.hand:
            yield f"discard {card}"
            yield f"put {card}"
            for meld, end in itertools.product(melds, ("", " low", " high")):
                yield f"swap {card}{end} on {meld}"
        for meld, after in itertools.product(melds, range(2, 8)):
            yield f"split {meld} after {after}"
        phase = self.state.phase
        if phase in {"play", "layoff"}:
            yield from self._melds()
            yield from self._arrangements()
            yield from self._layoffs(self.hand, "lay")
        if phase == "draw":
            yield from self._takes()
        if phase in {"play", "draw"}:
            yield from self._showings()
        if phase == "call":
            there = self.hand + Counter(self.pile)
            for cards in self._made(there):
                yield f"rummy {' '.join(cards)}"
            yield from self._layoffs(there, "rummy")

    def _melds(self) -> Iterator[str]:
        made = self._made(self.hand)
        for cards in made:
            yield f"meld {' '.join(cards)}"
        for several in self._several(made, self.hand):
            yield f"meld {_together(several)}"

    def _arrangements(self) -> Iterator[str]:
        """
        Melds of the table regrouped, or a few where no rule allows it.
        """
        for makers in ({self.seat}, {*range(len(self.state.players))}):
            melds = [one for one in self.state.table if one.maker in makers]
            lying = Counter(str(card) for one in melds for card in one.cards)
            there = lying + self.hand
            made = self._made(there) if lying else ()
            several = [(one,) for one in made] + [*self._several(made, there)]
            most = WRITTEN if self.state.rules.layoff.rearranges else 3
            for layout in self._few(several, most):
                yield f"arrange {_together(layout)}"

    def _takes(self) -> Iterator[str]:
        """
        The discard pile taken together with what its top card goes into.
        """
        if not self.pile:
            return
        top = self.pile[-1]
        counts = ["all", *map(str, range(1, len(self.pile) + 1))]
        for meld in range(len(self.state.table) + 1):
            for count in counts:
                yield f"take {count} on {meld}"
        made = self._made(self.hand + Counter([top]))
        for whole in made:
            if top not in whole:
                continue
            at = whole.index(top)
            first = (*whole[:at], *whole[at + 1 :])
            for count in counts if len(counts) < 4 else counts[:2]:
                yield f"take {count} with {' '.join(first)}"
        tops = [
            one
            for one in made
            if top in one and Counter(map(face, one)) - Counter([top]) <= self.hand
        ]
        for whole in self.chance.sample(tops, k=min(8, len(tops))):
            at = whole.index(top)
            first = (*whole[:at], *whole[at + 1 :])
            left = self.hand - Counter(map(face, first))
            others = self._made(left)
            more = [(one,) for one in others] + [*self._several(others, left)]
            for several in self._few(more, 30):
                yield f"take all with {_together((first, *several))}"

    def _showings(self) -> Iterator[str]:
        """
        Knocks and declarations, bare and with melds.
        """
        for card in (*self.hand, ""):
            yield f"knock {card}" if card else "big gin"
            yield f"declare {card}".strip()
        if not self.state.rules.meld.concealed:
            return
        made = self._made(self.hand)
        shown = [(one,) for one in made] + [*self._several(made, self.hand)]
        declares = self.state.rules.out.declares
        verb, whole = ("declare", "declare") if declares else ("knock", "big gin")
        for several in self._few(shown, WRITTEN // 2):
            left = self.hand - Counter(map(face, itertools.chain(*several)))
            for card in self._few([*left], 3):
                yield f"{verb} {card}: {_together(several)}"
            if not left:
                yield f"{whole}: {_together(several)}"

    def _layoffs(self, there: Counter[str], verb: str) -> Iterator[str]:
        """
        Cards laid on melds: any few that are wild or of the rank or suit of the meld.
        """
        for number, meld in enumerate(self.state.table, 1):
            words = [*map(str, meld.slots)]
            ranks = {face(word)[0] for word in words} | {
                word.partition("=")[2][:1] for word in words
            }
            suits = {face(word)[-1] for word in words} | {
                word[-1] for word in words if "=" in word
            }
            kin = Counter(
                {
                    card: many
                    for card, many in there.items()
                    if card in self.wild or card[0] in ranks or card[-1] in suits
                }
            )
            for some in self._few([*_parts(kin, 3)], WRITTEN):
                cards = " ".join(some)
                yield f"{verb} {cards} on {number}"
                if any(card[0] == "A" or card in self.wild for card in some):
                    yield f"{verb} {cards} low on {number}"
                    yield f"{verb} {cards} high on {number}"
                for declared in self._declared(some, ranks - {"", "*"}, suits):
                    yield f"{verb} {' '.join(declared)} on {number}"
        if self.state.dealer_wild is not None:
            for some in _parts(there, 3):
                yield f"{verb} {' '.join(some)} on 0"

    def _declared(
        self, cards: Cards, ranks: Iterable[str], suits: Iterable[str]
    ) -> Iterator[Cards]:
        """
        Cards with one or two wilds among them that stand for something.
        """
        wild = [at for at, card in enumerate(cards) if card in self.wild]
        if not 0 < len(wild) < 3:
            return
        places = [
            *sorted(ranks),
            *(r + s for r in self.ranks for s in self.suits if s in suits),
        ]
        ways = [*itertools.product(places, repeat=len(wild))]
        for way in self._few(ways, 60):
            words = [*cards]
            for at, place in zip(wild, way, strict=True):
                words[at] = f"{cards[at]}={place}"
            yield tuple(words)

    def _made(self, there: Counter[str]) -> Sequence[Cards]:
        """
        Cards that look like a set, a run, or wilds alone, in many ways to write them.
        """
        return self._few([*self._every(there)], MADE)

    def _every(self, there: Counter[str]) -> Iterator[Cards]:
        wilds = Counter({card: n for card, n in there.items() if card in self.wild})
        some_wilds = [(), *_parts(wilds, 3)]
        for rank in self.ranks:
            kin = Counter({card: n for card, n in there.items() if card[0] == rank})
            for cards in [(), *_parts(kin, 8)]:
                for more in some_wilds:
                    if len(cards) + len(more) < 2 or Counter(cards + more) - there:
                        continue
                    yield cards + more
                    if more:
                        yield cards + tuple(f"{one}={rank}" for one in more)
                        yield from self._by_suits(cards, more, rank)
        for suit in self.suits:
            yield from self._runs(there, wilds, suit)

    def _by_suits(self, cards: Cards, wilds: Cards, rank: str) -> Iterator[Cards]:
        """
        A set whose wilds stand for cards of suits.
        """
        if len(cards) + len(wilds) > 4:
            return
        for suits in itertools.combinations(self.suits, len(wilds)):
            yield cards + tuple(
                f"{one}={rank}{suit}" for one, suit in zip(wilds, suits, strict=True)
            )

    def _runs(
        self, there: Counter[str], wilds: Counter[str], suit: str
    ) -> Iterator[Cards]:
        """
        Runs of a suit, with up to three wilds in the places of other cards.
        """
        track = CIRCLE + CIRCLE[:2]
        longest = 13 if wilds.total() < 3 else 5
        for low in range(13):
            for high in range(low + 2, min(low + longest, len(track)) + 1):
                ranks = track[low:high]
                held = [rank + suit for rank in ranks if there[rank + suit]]
                if len(ranks) - len(held) > min(3, wilds.total()):
                    continue
                yield from self._run([rank + suit for rank in ranks], there, wilds)

    def _run(
        self, places: Sequence[str], there: Counter[str], wilds: Counter[str]
    ) -> Iterator[Cards]:
        most = min(3, wilds.total())
        for number in range(most + 1):
            for gone in itertools.combinations(range(len(places)), number):
                rest = [one for at, one in enumerate(places) if at not in gone]
                if Counter(rest) - there:
                    continue
                for some in _orders(wilds, number):
                    if Counter([*rest, *some]) - there:
                        continue
                    words = [*places]
                    for at, card in zip(gone, some, strict=True):
                        words[at] = f"{card}={places[at]}"
                    yield tuple(words)
                    if number == 1:
                        yield tuple(map(face, words))

    def _several(self, made: Sequence[Cards], there: Counter[str]) -> Iterator[Melds]:
        """
        Several melds that use no card twice, up to four of them.
        """
        known = [(one, Counter(map(face, one))) for one in made if len(one) > 2]
        self.chance.shuffle(known)
        # Many cards first: what the hand is made for.
        known.sort(key=lambda one: -len(one[0]) - self.chance.random())
        budget = [WRITTEN if self.lays_together else 5]
        looks = [40 * WRITTEN]

        def rest(at: int, left: Counter[str], so_far: Melds) -> Iterator[Melds]:
            for number in range(at, len(known)):
                cards, used = known[number]
                looks[0] -= 1
                if budget[0] <= 0 or looks[0] <= 0:
                    return
                if used <= left:
                    now = (*so_far, cards)
                    if len(now) > 1:
                        budget[0] -= 1
                        yield now
                    if len(now) < 4:
                        yield from rest(number, left - used, now)

        yield from rest(0, there, ())

    def _few(self, options: Sequence[Any], most: int) -> Sequence[Any]:
        """
        The options, or as many at random as are not too many.
        """
        if len(options) <= most:
            return options
        return self.chance.sample(options, k=most)


def _parts(cards: Counter[str], most: int) -> Iterator[Cards]:
    """
    The multisets of so many cards at most, one card at least.
    """
    faces = [*cards]

    def rest(at: int, left: int) -> Iterator[Cards]:
        if at == len(faces) or not left:
            yield ()
            return
        for number in range(min(cards[faces[at]], left) + 1):
            for others in rest(at + 1, left - number):
                yield (faces[at],) * number + others

    return (one for one in rest(0, most) if one)


def _orders(cards: Counter[str], number: int) -> Iterator[Cards]:
    """
    So many of some cards, of the orders in which they may stand only a few.
    """
    for some in _parts(cards, number):
        if len(some) == number:
            yield some
    if not number:
        yield ()


def _together(melds: Melds) -> str:
    return " / ".join(" ".join(cards) for cards in melds)


# ------------------------------------------------------------------- what is the same


def named(state: rv.State, text: str) -> tuple[tuple[str, ...], ...]:
    """
    What an action names, however it is written: the verb, numbers, cards by meld.
    """
    if text == "take":
        text = "take 1"
    text = text.replace("take all", f"take {len(state.discards)}")
    text = re.sub(" low| high|=[^ ]*", "", text).replace(": none", "")
    verb, *melds = re.split("[:/]| with ", text)
    first = verb.split()
    if first[0] in {"meld", "rummy"} and "on" not in first:
        # The cards after these verbs are a meld themselves.
        first, melds = first[:1], [" ".join(first[1:]), *melds]
    return (tuple(sorted(first)), *sorted(tuple(sorted(one.split())) for one in melds))


def outcome(state: rv.State, action: rv.Action) -> tuple[object, ...]:
    """
    What comes of an action; two wilds that change places make no difference.
    """
    after = rv.apply(state, action)
    return (
        after.phase,
        after.to_act,
        after.hands,
        # The order of melds laid as one action makes no difference.
        sorted(map(_lying, after.table)),
        after.dealer_wild and _lying(after.dealer_wild),
        after.discards,
        len(after.stock),
        after.scores,
        after.is_round_over,
    )


def _lying(meld: rv.melds.Meld) -> tuple[object, ...]:
    away = [one for one in meld.slots if one.stands_for is not None]
    return (
        meld.kind,
        meld.maker,
        sorted(str(one.card) for one in meld.slots if one.stands_for is None),
        sorted(str(one.card) for one in away),
        sorted(str(one.stands_for) for one in away),
        sorted(str(one.card) for one in meld.beside),
        sorted((one.seat, one.card) for one in meld.laid),
    )


# --------------------------------------------------------------------- the comparison


Known = dict[tuple[tuple[str, ...], ...], list[rv.Action]]
"""Actions by what they name."""


@attrs.define
class Tally:
    """
    What was compared.

    Attributes:
        positions: Positions, by game.
        listed: Actions that were listed, by verb.
        written: Actions that were written and allowed, by verb.
        refused: Actions that were written and refused.
        long: Positions whose list was too long to be compared as a whole.
    """

    positions: Counter[str] = attrs.field(factory=Counter)
    listed: Counter[str] = attrs.field(factory=Counter)
    written: Counter[str] = attrs.field(factory=Counter)
    refused: int = 0
    long: int = 0


def faults(state: rv.State, chance: random.Random, tally: Tally) -> Iterator[str]:
    """
    Where the list of a state and `check` do not agree, as sentences.
    """
    tally.positions[state.rules.name] += 1
    for seat in state.to_act:
        moves = rv.legal_actions(state, seat)
        listed = list(itertools.islice(moves, LISTED + 1))
        complete = len(listed) <= LISTED
        tally.long += not complete
        known: Known = {}
        for action in listed if complete else chance.sample(listed, k=100):
            tally.listed[type(action).__name__] += 1
            ruling = rv.check(state, action)
            if not ruling:
                yield f"{action} is listed, but {ruling}"
        for action in listed:
            known.setdefault(named(state, str(action)), []).append(action)
        if not listed:
            yield f"{state.players[seat]} is to act, but nothing is listed"
            continue
        yield from _unlisted_at_random(
            state, seat, chance, {*listed} if complete else None
        )
        for text in dict.fromkeys(Writer(state, seat, chance).texts()):
            action = rv.game.parse_action(text, seat)
            if not rv.check(state, action):
                tally.refused += 1
                continue
            tally.written[text.partition(" ")[0]] += 1
            if complete and not _is_listed(state, text, action, known):
                yield f"{text} is legal, but not listed"


def _is_listed(
    state: rv.State,
    text: str,
    action: rv.Action,
    known: Known,
) -> bool:
    there = known.get(named(state, text), [])
    if isinstance(action, rv.actions.Knock | rv.actions.Declare) and not action.melds:
        return any(named(state, text)[0] == one[0] for one in known)
    if action in there:
        return True
    if not there:
        return False
    comes = outcome(state, action)
    return any(outcome(state, one) == comes for one in there)


def _unlisted_at_random(
    state: rv.State, seat: int, chance: random.Random, listed: set[rv.Action] | None
) -> Iterator[str]:
    """
    Actions drawn at random, or chosen step by step, that are refused or not listed.
    """
    moves = rv.legal_actions(state, seat)
    found = [moves.sample(chance.randrange) for _ in range(4)]
    making = rv.chooser(state, seat)
    while making.action is None:
        if not making.choices:
            yield f"no choice is left after {making.taken}"
            return
        making = making.choose(chance.choice(making.choices))
    found.append(making.action)
    for action in found:
        if not rv.check(state, action):
            yield f"{action} was found at random, but {rv.check(state, action)}"
        elif listed is not None and action not in listed:
            if not isinstance(action, rv.actions.Knock | rv.actions.Declare):
                yield f"{action} was found at random, but is not listed"


def compare(
    rules: rv.Ruleset, seed: object, count: int, tally: Tally
) -> Iterator[tuple[rv.State, list[str]]]:
    """
    Compare so many positions of a game.

    Yields:
        Those where something does not agree, with what it is.
    """
    chance = random.Random(f"{rules.name} {seed}")
    for state in itertools.islice(positions(rules, chance), count):
        try:
            found = [*faults(state, chance, tally)]
        except Exception as error:  # noqa: BLE001 -- shown with the position
            found = [f"{type(error).__name__}: {error}"]
        if found:
            yield state, found


def main() -> int:
    """
    Compare so many positions of each game.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--positions", type=int, default=200, help="of each game")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--games", nargs="*", default=list(rv.presets()))
    parser.add_argument("--with", nargs="*", default=[], dest="options")
    parser.add_argument("--most", type=int, default=3, help="failures of each game")
    given = parser.parse_args()
    tally, failed = Tally(), 0
    for name in given.games:
        started = time.process_time()
        rules = rv.preset(name).with_options(*given.options)
        found = compare(rules, given.seed, given.positions, tally)
        for state, lines in itertools.islice(found, given.most):
            failed += 1
            print(rv.files.scenario_text(state), *lines[:5], "", sep="\n")
        print(f"{name}: {time.process_time() - started:.1f} s", flush=True)
    print(tally)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
