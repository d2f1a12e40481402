"""
Two other ways to arrange a hand, to hold the arranger against.

One tries everything, the other is a model for a solver of constraints.

``python tests/arranging.py --hands 300 --seed 0`` compares large hands with OR-tools
CP-SAT, which is needed for nothing else. What is a meld is taken from `naive`.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import random
import sys
import time

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

import naive
import rummyvariants as rv

from rummyvariants.cards import CARDS, Card, as_cards
from rummyvariants.game._engine.candidates import plans
from rummyvariants.game._engine.finish import can_finish
from rummyvariants.game._engine.plays import perform
from rummyvariants.game._state import side_of, thaw


Value = tuple[int, int]
"""What a goal counts, and what decides between equals."""

Standing = naive.Standing


@attrs.frozen
class Table:
    """
    The rules of one deal, for the twin and the model.
    """

    rules: rv.Ruleset
    players: int
    wild_rank: str = ""

    @functools.cached_property
    def melds(self) -> naive.MeldRules:
        return naive.MeldRules.under(self.rules, self.players, self.wild_rank)

    @functools.cached_property
    def worth(self) -> tuple[int, ...]:
        return self.rules.score.worth(self.rules.wild.in_deal(self.wild_rank))

    def points(self, card: rv.Card, *, low: bool) -> int:
        """
        The points of a card on the table.
        """
        score = self.rules.score
        if low and not self.melds.is_wild(card):
            if score.question(card.code, wild=False, low_ace=True) == "score.low_ace":
                return score.low_ace_points()
        return self.worth[card.code]

    def deck(self) -> list[rv.Card]:
        return [CARDS[code] for code in self.rules.deck.cards_for(self.players)]


def value_of(goal: str, points: int, worth: int, cards: int) -> Value:
    """
    What the use of cards is worth for a goal.
    """
    return {
        "most points": (points, cards),
        "least points left": (worth, cards),
    }.get(goal, (cards, points))


def plus(first: Value, second: Value) -> Value:
    return first[0] + second[0], first[1] + second[1]


# ------------------------------------------------------------------ trying everything


def _shapes(rules: naive.MeldRules, size: int) -> Iterator[list[tuple[str, str]]]:
    """
    The ranks and suits of every set and run of so many cards.
    """
    if rules.sets:
        for rank in rules.ranks:
            if rules.one_a_suit:
                for suits in itertools.combinations(rules.suits, size):
                    yield [(rank, suit) for suit in suits]
            else:
                yield [(rank, "")] * size
    if rules.runs:
        for suit in rules.suits:
            circle, last = rules.circle + "A", len(rules.circle) + 1 - size
            if rules.ace == "round the corner":
                circle, last = rules.circle * 2, len(rules.circle) - 1
            for low in range(last + 1):
                yield [(rank, suit) for rank in circle[low : low + size]]


def _put(
    rules: naive.MeldRules, places: list[tuple[str, str]], cards: list[rv.Card]
) -> Iterator[list[Standing]]:
    """
    Every way to put cards on places, all different.
    """
    if not places:
        yield []
        return
    rank, suit = places[0]
    for card in dict.fromkeys(cards):
        if rules.is_wild(card) or (card.rank == rank and suit in {"", card.suit}):
            rest = list(cards)
            rest.remove(card)
            for more in _put(rules, places[1:], rest):
                yield [(card, rank, suit), *more]


def one_meld(table: Table, cards: list[rv.Card]) -> Iterator[tuple[int, int | None]]:
    """
    The points of cards as one meld, real cards beside wilds of it among them.

    Yields:
        The points, and those if the natural part is laid first and the rest added to
        it; None if that part is no meld.
    """
    rules = table.melds
    wilds = [card for card in cards if rules.is_wild(card)]
    natural = [card for card in cards if not rules.is_wild(card)]
    plain = sum(table.worth[card.code] for card in cards)
    alike = _with_fours(table, [(one, "*", "") for one in cards], plain, is_run=False)
    if rules.wild_melds and not natural and len(cards) >= rules.least_set:
        yield alike, None
    if not wilds and all(card.is_joker for card in cards):
        if rules.sets and len(cards) >= rules.least_set:
            yield alike, alike
        return
    if len({card.rank for card in natural}) > 1 and len({c.suit for c in natural}) > 1:
        return
    # In a hand, no card lies beside another.
    lies = rules.real_card == "beside" and not table.rules.meld.concealed
    most = len(wilds) if lies else 0
    for number in range(most + 1):
        for at in itertools.combinations(range(len(cards)), number):
            lying = [cards[index] for index in at]
            inside = [card for index, card in enumerate(cards) if index not in at]
            for places in _shapes(rules, len(inside)):
                for standing in _put(rules, places, inside):
                    if _is_meld(rules, standing) and _lie_beside(
                        rules, standing, lying
                    ):
                        opening = None
                        if _has_core(rules, standing):
                            opening = _points(table, standing, lying, natural=True)
                        yield _points(table, standing, lying), opening


def _is_meld(rules: naive.MeldRules, standing: list[Standing]) -> bool:
    return naive.is_set(rules, standing) or naive.is_run(rules, standing)


def _lie_beside(
    rules: naive.MeldRules, standing: list[Standing], lying: list[rv.Card]
) -> bool:
    free = [
        rank + suit
        for card, rank, suit in standing
        if rules.is_wild(card) and not naive.stands_at_home((card, rank, suit))
    ]
    for card in lying:
        if str(card) not in free:
            return False
        free.remove(str(card))
    return True


def _points(
    table: Table,
    standing: list[Standing],
    lying: list[rv.Card],
    *,
    natural: bool = False,
) -> int:
    is_run = len(standing) > 1 and standing[0][1] != standing[1][1]
    low = is_run and standing[0][1] == "A" and standing[1][1] == "2"
    points = 0
    for index, (card, _, _) in enumerate(standing):
        points += table.points(card, low=low and index == 0)
    for card in lying:
        points += table.points(card, low=low and card.rank == "A")
    return _with_fours(table, standing, points, is_run=is_run, natural=natural)


def _with_fours(
    table: Table,
    standing: list[Standing],
    points: int,
    *,
    is_run: bool,
    natural: bool = False,
) -> int:
    """
    The points of a set or run, four cards put down at once and four aces looked at.

    Wilds are not put down at once where only natural cards may be.
    """
    score, rules = table.rules.score, table.melds
    able = [not (natural and rules.is_wild(card)) for card, _, _ in standing]
    worth = [table.worth[card.code] for card, _, _ in standing]
    if is_run:
        if standing[0][1] == "A" and standing[1][1] == "2":
            worth[0] = table.points(standing[0][0], low=True)
        if score.four_at_once == "twice":
            # Four in a row, to which the others are laid off.
            fours = [
                sum(worth[at : at + 4])
                for at in range(len(worth) - 3)
                if all(able[at : at + 4]) and naive.is_run(rules, standing[at : at + 4])
            ]
            points += max([0, *fours])
        return points
    aces = [
        at
        for at, (card, rank, _) in enumerate(standing)
        if rank == "A" and not rules.is_wild(card)
    ]
    if isinstance(score.four_aces, int) and len(aces) > 3:
        for at in aces:
            # They are never worth less than one by one.
            more = max(0, score.four_aces - worth[at])
            points += more
            worth[at] += more
    if score.four_at_once == "twice" and len(worth) > 3:
        # With three at first they count once, which is better for less than nothing.
        fours = [
            sum([worth[at] for at in four])
            for four in itertools.combinations(
                itertools.compress(range(len(worth)), able), 4
            )
            # Jokers, and wilds alone, have no limits.
            if standing[0][1] == "*"
            or naive.is_set(rules, [standing[at] for at in four])
        ]
        points += max([0, *fours])
    return points


def counts_fours(rules: rv.Ruleset) -> bool:
    """
    Whether four cards of a meld may count more than each does by itself.
    """
    score = rules.score
    return score.four_at_once != "once" or isinstance(score.four_aces, int)


def _has_core(rules: naive.MeldRules, standing: list[Standing]) -> bool:
    """
    Whether natural cards of a meld, next to one another in a run, are a meld.
    """
    natural = [not rules.is_wild(card) for card, _, _ in standing]
    if len({rank for _, rank, _ in standing}) == 1:
        return sum(natural) >= rules.least_set
    runs = [
        len(list(group))
        for is_natural, group in itertools.groupby(natural)
        if is_natural
    ]
    return max(runs, default=0) >= rules.least_run


def best_by_trying(table: Table, cards: Sequence[rv.Card], goal: str) -> Value:
    """
    The best that can be done with few cards, every partition of them tried.
    """
    size = len(cards)
    melds: dict[int, dict[bool, Value]] = {}
    known: dict[tuple[rv.Card, ...], dict[bool, Value]] = {}
    for mask in range(1, 1 << size):
        part = tuple(sorted(cards[at] for at in range(size) if mask >> at & 1))
        if len(part) < 2:
            continue
        if part not in known:
            worth = sum(table.worth[card.code] for card in part)
            found: dict[bool, Value] = {}
            for points, opening in one_meld(table, list(part)):
                value = value_of(goal, points, worth, len(part))
                found[False] = max(found.get(False, value), value)
                if opening is not None:
                    value = value_of(goal, opening, worth, len(part))
                    found[True] = max(found.get(True, value), value)
            known[part] = found
        if known[part]:
            melds[mask] = known[part]

    @functools.cache
    def best(mask: int) -> dict[tuple[int, bool], Value]:
        """
        By how many melds there are, and whether one of them may come first.
        """
        if not mask:
            return {(0, False): (0, 0)}
        low = mask & -mask
        found = dict(best(mask ^ low))
        rest = mask ^ low
        part = rest
        while True:
            for opens, value in melds.get(part | low, {}).items():
                for (number, before), more in best(rest ^ part).items():
                    key = (number + 1, before or opens)
                    found[key] = max(found.get(key, (-99_999, 0)), plus(value, more))
            if not part:
                return found
            part = part - 1 & rest

    # Wilds that go down on their own are in no meld.
    rules = table.rules
    results = [(0, 0)]
    singles = [at for at in range(size) if table.melds.is_wild(cards[at])]
    for number in range(len(singles) + 1 if rules.layoff.single_wilds else 1):
        for put in itertools.combinations(singles, number):
            mask = (1 << size) - 1 - sum(1 << at for at in put)
            worth = sum(table.worth[cards[at].code] for at in put)
            more = value_of(goal, worth, worth, len(put))
            most = rules.meld.a_turn
            for (made, opens), value in best(mask).items():
                if isinstance(most, int) and made > most:
                    continue
                if not made or (rules.meld.first_natural and not opens):
                    continue
                results.append(plus(value, more))
    return max(results)


def value_found(table: Table, cards: Sequence[rv.Card], found: Any) -> Value:
    """
    The value of what the arranger found.
    """
    worth = sum(table.worth[card.code] for card in cards) - found.points_left
    return value_of(found.goal, found.points, worth, len(cards) - found.cards_left)


# ------------------------------------------------------------------------ random hands


OPTIONS: dict[str, tuple[Any, ...]] = {
    "wild.limit": ("none", "one", "more naturals"),
    "wild.own_place": ("wild", "natural"),
    "wild.wild_melds": (False, True),
    "wild.real_card": ("nothing", "beside", "swap"),
    "wild.jokers": (True, False),
    "wild.one_eyed_jacks": (False, True),
    "wild.cards": ("", "", "Ac 5d"),
    "meld.ace": ("high", "low", "high or low", "round the corner"),
    "meld.missing_ranks": ("end a run", "are passed over"),
    "meld.set_suits": ("distinct", "free"),
    "meld.a_turn": ("any number", 1, 2),
    "meld.runs": (True, False),
    "meld.sets": (True, True, False),
    "meld.least_set": (2, 3, 4),
    "meld.least_run": (2, 3, 4),
    "meld.first_natural": (True, False),
    "layoff.single_wilds": (True, False),
    "layoff.needs_own_meld": (True, False),
    "score.low_ace": (1, "as any ace"),
    "score.special": ({"Qs": 45}, {"Qs": -20, "As": 3}),
    "deck.jokers": (0, 2),
}
GOALS = ("most points", "least points left", "least cards left")


GAMES = [
    rules
    for rules in map(rv.preset, rv.presets())
    # With contracts the arranger is never sure; declarations have a test of their own.
    if not (rules.house or rules.out.declares)
]


def random_table(chance: random.Random, **fixed: Any) -> Table:
    """
    A preset with some policy values changed, those that are given among them.
    """
    while True:
        rules = chance.choice(GAMES)
        values = {
            name: chance.choice(those)
            for name, those in OPTIONS.items()
            if chance.random() < 0.25
        }
        try:
            rules = rules.with_values({**values, **fixed})
        except rv.errors.RulesError:
            continue
        if rules.layoff.single_wilds and isinstance(rules.meld.a_turn, int):
            continue  # there the arranger is seldom sure
        low, high = rules.match.players
        ranks = ["", "", *rules.deck.ranks]
        return Table(rules, chance.randint(low, high), chance.choice(ranks))


def random_hand(
    table: Table, chance: random.Random, size: int, most_wilds: int = 4
) -> list[rv.Card]:
    """
    A hand of ranks that lie together, so that there is much to choose from.
    """
    rules = table.melds
    while True:
        ranks = table.rules.deck.ranks
        number = chance.choice([2, 3, 4, 5, 13])
        at = chance.randrange(len(ranks))
        near = {(ranks * 2)[at + more] for more in range(min(number, len(ranks)))}
        wilds = chance.random() < 0.6
        deck = [
            card
            for card in table.deck()
            if card.rank in near or (wilds and rules.is_wild(card))
        ]
        hand = chance.sample(deck, min(size, len(deck)))
        if sum(map(rules.is_wild, hand)) <= most_wilds:
            return hand


def compare(table: Table, hand: Sequence[rv.Card], goal: str) -> bool:
    """
    Hold the arranger against trying everything.

    Returns:
        Whether the arranger was sure of itself.
    """
    found = rv.solver.arrange_hand(
        table.rules, hand, goal, players=table.players, wild_rank=table.wild_rank
    )
    tried = table
    if goal != "most points" and counts_fours(table.rules):
        # There points decide between equals alone, and are those of single cards.
        single = {"score.four_at_once": "once", "score.four_aces": "as any aces"}
        tried = attrs.evolve(table, rules=table.rules.with_values(single))
    got, best = value_found(table, hand, found), best_by_trying(tried, hand, goal)
    assert got == best or (got < best and not found.exact), (
        f"{table} {' '.join(map(str, hand))}, {goal}: found {got}, there is {best}: "
        f"{'; '.join(map(str, found.actions))}"
    )
    return bool(found.exact)


# ------------------------------------------------------------------ turns of a game


def down(state: Any, seat: int, *, fours: bool = False) -> int:
    """
    The points of the cards on the table that are a seat's.

    Args:
        state: The state or draft.
        seat: The seat.
        fours: Whether four cards of a meld count as the rules say, or as any cards; and
            canastas of the seat's side.
    """
    reasons = (
        "melded",
        "laid off",
        "put down",
        "beside",
        "once more" if fours else "-",
    )
    counting, side = thaw(state), side_of(state, seat)
    rules = _with_cards_down(state.match.rules, fours=fours)
    counting.match = attrs.evolve(state.match, rules=rules)
    return sum(
        item.points
        for item in rv.round_result(counting, "stock").items
        if (item.seat == seat and item.reason.startswith(reasons))
        or (fours and side >> item.seat & 1 and item.reason.endswith("canasta"))
    )


@functools.cache
def _with_cards_down(rules: rv.Ruleset, *, fours: bool) -> rv.Ruleset:
    """
    Rules by which cards on the table count, whether they do in the game or not.
    """
    values: dict[str, Any] = {}
    if rules.score.down != "add":
        values["score.down"] = "add"
    if not fours and isinstance(rules.score.four_aces, int):
        values["score.four_aces"] = "as any aces"
    return rules.with_values(values) if values else rules


def best_turn(
    state: rv.State,
    seat: int,
    goal: str,
    *,
    layoffs: bool,
    tries: int = 400,
    fours: bool = False,
) -> Value | None:
    """
    The best of all that a seat in turn can play, found by playing it.

    With `fours`, four cards of a meld count as the rules say.

    Returns:
        None if there is too much to be tried.
    """
    terms = state.dealt.terms
    hand = state.hands[seat]
    worth = sum(terms.worth[card.code] for card in hand)
    before = down(state, seat, fours=fours)
    seen = set()
    best = None
    waiting = [thaw(state)]
    while waiting:
        draft = waiting.pop()
        table = tuple((one.kind, one.slots, one.beside) for one in draft._table)
        key = (draft._hands[seat], table, draft.dealer_wild, draft.drawn)
        if key in seen:
            continue
        seen.add(key)
        if len(seen) > tries:
            return None
        left = as_cards(draft._hands[seat])
        duties = draft.drawn.duties
        owes = any(duty.use != "play or discard" for duty in duties)
        if not owes and can_finish(draft, seat):
            used = worth - sum(terms.worth[card.code] for card in left)
            points = down(draft, seat, fours=fours) - before
            value = value_of(goal, points, used, len(hand) - len(left))
            best = value if best is None else max(best, value)
        for _, play in plans(draft, seat, -1):
            is_old = play.number <= len(state.table)
            if play.second is None and (layoffs or not is_old):
                after = thaw(draft)
                perform(after, seat, play)
                waiting.append(after)
    return best


@attrs.define
class Seen:
    """
    What a comparison of turns has come by.
    """

    turns: int = 0
    tried: int = 0
    unsure: int = 0


def compare_turns(
    chance: random.Random, seen: Seen, most_cards: int = 6, **fixed: Any
) -> None:
    """
    A random game, in which what is arranged is played, and small hands are tried out.

    Args:
        chance: What the game is made of.
        seen: What is counted.
        most_cards: How many cards a small hand has.
        fixed: Policy values of the game.
    """
    table = random_table(chance, **fixed)
    if table.rules.meld.concealed:
        return  # nothing is laid down in a turn
    try:
        state = rv.new_game(table.rules, table.players, seed=chance.randrange(10**6))
    except rv.RummyError:
        return
    play_turns(state, chance, seen, most_cards)


def play_turns(
    state: rv.State,
    chance: random.Random,
    seen: Seen,
    most_cards: int,
    goals: Sequence[str] = GOALS,
) -> None:
    """
    Go on with a game at random, and look at some of its turns.
    """
    for _ in range(chance.randint(5, 120)):
        if state.phase == "deal":
            state = rv.game.deal(state)
        if state.is_over:
            return
        if state.phase == "play" and chance.random() < 0.4:
            look_at_turn(state, chance, seen, most_cards, goals)
        moves = list(itertools.islice(rv.legal_actions(state, state.to_act[0]), 40))
        legal = [one for one in moves if rv.check(state, one)]
        if not legal:
            return
        state = rv.apply(state, chance.choice(legal))


def look_at_turn(
    state: rv.State,
    chance: random.Random,
    seen: Seen,
    most_cards: int,
    goals: Sequence[str] = GOALS,
) -> None:
    """
    Play what is arranged for the seat in turn, and hold it against all that can be.
    """
    seat, goal, layoffs = state.turn, chance.choice(goals), chance.random() < 0.8
    found = rv.arrange(state, goal=goal, layoffs=layoffs)
    fours = goal == "most points"
    seen.turns += 1
    seen.unsure += not found.exact
    about = f"{state!r}, {state.hands[seat]}, {goal}, {layoffs=}: {found}"
    after = state
    for action in found.actions:
        ruling = rv.check(after, action)
        assert ruling, f"{action} is {ruling}: {about}"
        after = rv.apply(after, action)
    if after.phase == "play" and after.turn == seat and not after.is_round_over:
        assert after.hands[seat] == found.left, about
        points = down(after, seat, fours=fours) - down(state, seat, fours=fours)
        assert points == found.points, about
    if len(state.hands[seat]) > most_cards:
        return
    best = best_turn(state, seat, goal, layoffs=layoffs, fours=fours)
    if best is None or (not found.actions and not found.exact):
        return
    seen.tried += 1
    worth = state.dealt.terms.worth
    before = sum(worth[card.code] for card in state.hands[seat])
    got = value_of(
        goal,
        found.points,
        before - found.points_left,
        len(state.hands[seat]) - found.cards_left,
    )
    assert got == best or (got < best and not found.exact), f"{best} is best: {about}"


# ------------------------------------------------------------ a solver of constraints


class Model:
    """
    Most points of a hand as a model for CP-SAT, built anew for each hand.

    Every wild may stand anywhere; so it is for rules under which a wild gains nothing
    by standing for itself, and for hands whose wilds are no meld of their own.
    """

    def __init__(self, table: Table, hand: Sequence[rv.Card]) -> None:
        from ortools.sat.python import cp_model  # noqa: PLC0415 -- for this alone

        self._cp = cp_model
        self._table = table
        self._model = cp_model.CpModel()
        rules = table.melds
        self._wilds = [card for card in hand if rules.is_wild(card)]
        self._held = Counter(card for card in hand if not rules.is_wild(card))
        self._worth: list[Any] = []
        self._uses: dict[rv.Card, list[Any]] = {card: [] for card in self._held}
        self._away: list[Any] = []
        self._melds()

    def _melds(self) -> None:
        rules = self._table.melds
        wilds = len(self._wilds)
        for size in range(2, 14):
            if rules.sets and size == rules.least_set:
                self._sets(size)
            if not rules.runs or size < rules.least_run:
                continue
            for suit in rules.suits:
                circle = rules.circle + "A"
                for low in range(len(circle) - size + 1):
                    places = [(rank, suit) for rank in circle[low : low + size]]
                    ranks = [rank for rank, _ in places]
                    if any(rank not in rules.ranks for rank in ranks):
                        continue
                    if not all(
                        rules.follows(*two) for two in itertools.pairwise(ranks)
                    ):
                        continue
                    there = [Card(rank + suit) for rank in ranks]
                    found = [self._held[card] for card in there if card in self._held]
                    if not found or size - len(found) > wilds:
                        continue
                    for _ in range(min(max(found), 2)):
                        self._run(there)

    def _run(self, cards: list[rv.Card]) -> None:
        model = self._model
        there = model.new_bool_var("")
        natural, away = [], []
        low = cards[0].rank == "A" and cards[1].rank == "2"
        for at, card in enumerate(cards):
            wild = model.new_bool_var("")
            away.append(wild)
            places = [wild]
            if card in self._held:
                one = model.new_bool_var("")
                natural.append(one)
                self._uses[card].append(one)
                points = self._table.points(card, low=low and at == 0)
                self._worth.append(points * one)
                places.append(one)
            model.add(sum(places) == there)
        self._limit(there, natural, away)

    def _sets(self, least: int) -> None:
        model, rules = self._model, self._table.melds
        for rank in rules.ranks:
            cards = [card for card in self._held if card.rank == rank]
            total = sum(self._held[card] for card in cards)
            if not cards or total + len(self._wilds) < least:
                continue
            copies = max(self._held[card] for card in cards)
            for _ in range(max(1, total // 2) if rules.twins else copies):
                there = model.new_bool_var("")
                most = total if rules.twins else 1
                natural = []
                for card in cards:
                    one = model.new_int_var(0, min(most, self._held[card]), "")
                    natural.append(one)
                    self._uses[card].append(one)
                    self._worth.append(self._table.points(card, low=False) * one)
                wild = model.new_int_var(0, len(self._wilds), "")
                size = sum(natural) + wild
                model.add(size >= least * there)
                room = len(rules.suits) if rules.one_a_suit else rules.most_set
                model.add(size <= room * there)
                self._limit(there, natural, [wild])

    def _limit(self, there: Any, natural: list[Any], away: list[Any]) -> None:
        self._away += away
        self._model.add(sum(natural) >= there)
        limit = self._table.melds.limit
        if limit == "one":
            self._model.add(sum(away) <= 1)
        elif limit == "more naturals":
            self._model.add(sum(natural) >= sum(away) + there)

    def solve(self) -> int:
        """
        The most points, by one worker.
        """
        model = self._model
        for card, uses in self._uses.items():
            model.add(sum(uses) <= self._held[card])
        if not self._wilds:
            model.add(sum(self._away) == 0)
        else:
            # The wilds of most worth are used first.
            worths = sorted(
                (self._table.worth[card.code] for card in self._wilds), reverse=True
            )
            steps = [model.new_bool_var("") for _ in worths]
            for one, other in itertools.pairwise(steps):
                model.add(one >= other)
            model.add(sum(self._away) == sum(steps))
            self._worth += [
                worth * step for worth, step in zip(worths, steps, strict=True)
            ]
        model.maximize(sum(self._worth))
        solver = self._cp.CpSolver()
        solver.parameters.num_workers = 1
        status = solver.solve(model)
        assert status == self._cp.OPTIMAL
        return round(solver.objective_value)


def _columns(
    table: Table, held: Counter[rv.Card], wilds: int
) -> dict[tuple[tuple[rv.Card, ...], int], int]:
    """
    The points of whole melds, by their cards and the number of their wilds.
    """
    rules = table.melds
    columns: dict[tuple[tuple[rv.Card, ...], int], int] = {}
    circle = rules.circle + "A"
    for size in range(rules.least_run, 14):
        for low in range(len(circle) - size + 1):
            ranks = circle[low : low + size]
            for suit in rules.suits:
                cards = [Card(rank + suit) for rank in ranks]
                there = tuple(card for card in cards if card in held)
                if there and size - len(there) <= wilds:
                    is_low = cards[0].rank == "A" and cards[0] in held
                    points = sum(table.worth[card.code] for card in there)
                    if is_low:
                        points += table.points(cards[0], low=True)
                        points -= table.worth[cards[0].code]
                    key = (there, size - len(there))
                    columns[key] = max(columns.get(key, points), points)
    for rank in rules.ranks:
        cards = [card for card in held if card.rank == rank]
        for number in range(1, len(cards) + 1):
            for chosen in itertools.combinations(cards, number):
                for away in range(min(wilds, len(rules.suits) - number) + 1):
                    if number + away >= rules.least_set:
                        columns[chosen, away] = sum(table.worth[c.code] for c in chosen)
    return columns


def packing(table: Table, hand: Sequence[rv.Card]) -> int:
    """
    Most points of a hand as a choice of whole melds, for rules without limits on wilds.

    A smaller model than `Model`, and the faster one; wilds take the place of a card at
    hand in sets alone.
    """
    from ortools.sat.python import cp_model  # noqa: PLC0415 -- for this alone

    rules = table.melds
    wilds = [card for card in hand if rules.is_wild(card)]
    held = Counter(card for card in hand if not rules.is_wild(card))
    columns = _columns(table, held, len(wilds))
    if not columns:
        return 0
    model = cp_model.CpModel()
    uses: dict[rv.Card, list[Any]] = {card: [] for card in held}
    taken, worth = [], []
    worths = [table.worth[card.code] for card in wilds]
    assert len(set(worths)) <= 1, "the wilds differ in worth"
    for (cards_used, away), points in columns.items():
        most = min(held[card] for card in cards_used)
        one = model.new_int_var(0, most, "")
        for card in cards_used:
            uses[card].append(one)
        if away:
            taken.append(away * one)
        worth.append((points + (worths[0] * away if away else 0)) * one)
    for card, those in uses.items():
        if len(those) > 1:
            model.add(sum(those) <= held[card])
    if taken:
        model.add(sum(taken) <= len(wilds))
    model.maximize(sum(worth))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value)


LARGE = (
    Table(rv.preset("rummy-500"), 5),
    Table(rv.preset("rummy-500").with_values({"wild.limit": "one"}), 5),
    Table(rv.preset("rummy-500").with_values({"wild.limit": "more naturals"}), 5),
    Table(rv.preset("rummy-500").with_values({"meld.set_suits": "free"}), 8),
    Table(rv.preset("rummy-5000").with_values({"wild.real_card": "nothing"}), 5, "6"),
    Table(rv.preset("george").with_values({"wild.real_card": "nothing"}), 4, "K"),
)
"""Rules under which large hands are compared."""


def main() -> int:
    """
    Compare large hands with CP-SAT, and report how it went.
    """
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--hands", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    ours = theirs = 0.0
    done = 0
    while done < asked.hands:
        table = chance.choice(LARGE)
        hand = chance.sample(table.deck(), chance.randint(12, 25))
        if sum(map(table.melds.is_wild, hand)) > (2 if table.wild_rank else 4):
            continue
        start = time.perf_counter()
        found = rv.solver.arrange_hand(
            table.rules, hand, players=table.players, wild_rank=table.wild_rank
        )
        middle = time.perf_counter()
        best = Model(table, hand).solve()
        if table is LARGE[0]:
            assert packing(table, hand) == best
        ours += middle - start
        theirs += time.perf_counter() - middle
        if found.points != best or not found.exact:
            cards = " ".join(map(str, hand))
            print(f"{table}: {cards}: {found.points}, CP-SAT {best}")
            return 1
        done += 1
    print(
        f"{done} hands agree: {ours / done * 1e3:.2f} ms a hand, CP-SAT "
        f"{theirs / done * 1e3:.2f} ms"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
