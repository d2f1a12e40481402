"""
Positions of games whose melds stay in the hand, with other melds and other wilds.
"""

from __future__ import annotations

import functools
import itertools
import random

from collections.abc import Callable, Sequence
from typing import Any

import rummyvariants as rv

from naive import MeldRules, lives_beside, lives_of, possible_melds, sub_multisets
from naive_turns import limit_of, worth_of
from rummyvariants.bots import CarefulBot, GreedyBot, play_on


GAMES = [name for name in rv.presets() if rv.preset(name).meld.concealed]
RANKS = "A23456789TJQK"
MOST = 300
"""How many actions of a position are looked at in their order."""


# ----------------------------------------------------------------------- positions


def _some(chance: random.Random, least: int, most: int) -> str:
    """
    So many of the ranks.
    """
    kept = chance.sample(RANKS, chance.randint(least, most))
    return "".join([rank for rank in RANKS if rank in kept])


def values(chance: random.Random) -> dict[str, Any]:
    """
    One to three values, other than usual, of what is a meld and which cards are wild.
    """
    every: dict[str, Callable[[], object]] = {
        "meld.set_ranks": lambda: _some(chance, 5, 12),
        "meld.natural_ranks": lambda: _some(chance, 1, 8),
        "meld.sets": lambda: False,
        "meld.runs": lambda: False,
        "meld.least_set": lambda: chance.choice([2, 4]),
        "meld.least_run": lambda: chance.choice([2, 4]),
        "meld.set_suits": lambda: chance.choice(["distinct", "free"]),
        "meld.set_wilds": lambda: "for any suit",
        "meld.ace": lambda: chance.choice(
            ["high or low", "high", "low", "round the corner"]
        ),
        "meld.alike": lambda: True,
        "wild.jokers": lambda: True,
        "wild.twos": lambda: True,
        "wild.tens": lambda: True,
        "wild.one_eyed_jacks": lambda: True,
        "wild.cards": lambda: chance.choice(["Ac", "3d 4h"]),
        "wild.limit": lambda: chance.choice(["none", "one", "more naturals"]),
        "wild.by_naturals": lambda: chance.choice([{1: 1, 2: 2}, {2: 1, 3: 3}]),
        "wild.in_runs": lambda: chance.randint(0, 2),
        "wild.own_place": lambda: chance.choice(["wild", "natural"]),
        "wild.wild_melds": lambda: chance.random() < 0.5,
    }
    often = [3 if path.endswith("_ranks") else 1 for path in every]
    some = chance.sample(list(every), chance.randint(1, 3), counts=often)
    return {path: every[path]() for path in some}


def _rich(chance: random.Random, deck: Sequence[rv.Card], number: int) -> list[rv.Card]:
    """
    Cards of a deck, most of which are melds, or would be with what may be wild.
    """
    rest = list(deck)
    held: list[rv.Card] = []
    while len(held) < number:
        at, size = chance.randrange(13), chance.randint(2, 4)
        if chance.random() < 0.5:
            meld = [RANKS[at] + suit for suit in chance.sample("cdhs", size)]
        else:
            suit = chance.choice("cdhs")
            meld = [rank + suit for rank in (RANKS * 2)[at : at + size]]
        if chance.random() < 0.5:
            meld.append(chance.choice(["2c", "2d", "2h", "Td", "Js", "*", "*"]))
        for text in meld:
            card = rv.Card(text)
            if card in rest and len(held) < number:
                rest.remove(card)
                held.append(card)
    if chance.random() < 0.7:
        held[-1] = chance.choice(rest)
    return held


def position(seed: int, number: int) -> rv.State:
    """
    A player about to discard or to show a hand, who was dealt so many cards.

    Raises:
        RulesError: If there is no such game.
    """
    chance = random.Random(f"hands kept {seed}")
    base = rv.preset(GAMES[seed % len(GAMES)])
    changed = values(chance) | {"deal.hand_size": number}
    if base.deal.by_round:
        del changed["deal.hand_size"]
        changed["deal.by_round"] = {1: number}
    if "wild.jokers" in changed:
        changed["deck.jokers"] = 2
    if base.out.runs:
        changed |= {"out.runs": chance.randint(0, 1), "out.pure_runs": 0}
    rules = base.with_values(changed)
    deck = rv.new_game(rules, 2, seed=seed)
    cards = [*deck.stock, *deck.discards, *itertools.chain.from_iterable(deck.hands)]
    held = _rich(chance, cards, number + 1)
    for one in held:
        cards.remove(one)
    others = _rich(chance, cards, number)
    for one in others:
        cards.remove(one)
    given: dict[str, Any] = {}
    if rules.out.knock == "the upcard":
        given["upcard"] = str(cards[0])
    if deck.wild_rank:
        given["wild"] = deck.wild_rank
    return rv.position(
        rules,
        hands={"N": held, "S": others},
        turn="N",
        dealer="S",
        phase="play",
        drawn=f"stock {chance.choice(held)}",
        discards=str(cards[0]),
        fill=True,
        **given,
    )


# ------------------------------------------------------------------- what must hold


def look(state: rv.State) -> None:
    """
    Assert that what is listed is legal, and that bots play the round to its end.
    """
    moves = rv.legal_actions(state)
    listed = list(itertools.islice(moves, MOST))  # with many wilds there are far more
    for seed in range(16):
        listed.append(moves.sample(random.Random(seed).randrange))
    for one in dict.fromkeys(listed):
        for action in (one, rv.game.parse_action(str(one), one.seat)):
            ruling = rv.check(state, action)
            assert ruling, f"{action} is listed, but {ruling}"
    best = rv.arrange(state, goal="least points left")
    for action in best.actions:
        assert rv.check(state, action), str(action)
    for bot in (GreedyBot(), CarefulBot()):
        for done in itertools.islice(play_on(state, [bot] * 2, 0), 12):
            if done.after.is_round_over:
                break


def look_closely(state: rv.State) -> None:
    """
    Assert which discards show a hand, and what they leave, by brute force.
    """
    showing = [
        one
        for one in rv.legal_actions(state)
        if isinstance(one, rv.actions.Knock | rv.actions.Declare)
    ]
    shown: dict[rv.Card | None, int] = {}
    hand = list(state.hands[0])
    melds, rules = MeldRules.of(state), state.rules
    for one in showing:
        left = list(hand) if one.card is None else without(hand, [one.card])
        left = without(left, [card.card for meld in one.melds or () for card in meld])
        points = sum([worth_of(rules, melds, card) for card in left])
        shown[one.card] = min(points, shown.get(one.card, points))
    least: dict[rv.Card | None, int] = {}
    best = Divided(state)
    for thrown in (None, *sorted(set(hand))):
        rest = hand if thrown is None else without(hand, [thrown])
        points = best.fewest(rest)
        whole = rules.out.declares or thrown is None
        if thrown is None and not (
            rules.out.declare == "with or without a discard"
            if rules.out.declares
            else rules.out.big_gin
        ):
            continue
        if whole:
            if best.shows_all(rest):
                least[thrown] = 0
        elif points <= limit_of(state):
            least[thrown] = points
    assert shown == least
    arranged = rv.arrange(state, goal="least points left")
    if not rules.out.runs:
        after = [best.fewest(without(hand, [one])) for one in set(hand)]
        if None in least:
            after.append(0)
        assert arranged.points_left == min(after)


def without(cards: Sequence[rv.Card], some: Sequence[rv.Card]) -> list[rv.Card]:
    """
    Cards that remain when some are taken away.
    """
    left = list(cards)
    for one in some:
        left.remove(one)
    return left


class Divided:
    """
    Hands of a deal divided in every way.
    """

    def __init__(self, state: rv.State) -> None:
        self.rules = state.rules
        self.melds = MeldRules.of(state)
        self.kinds = functools.cache(self._kinds)
        self.fewest_of = functools.cache(self._fewest)
        self.all_of = functools.cache(self._shows)

    def fewest(self, cards: Sequence[rv.Card]) -> int:
        """
        The fewest points that cards leave.
        """
        return self.fewest_of(tuple(sorted(cards)))

    def shows_all(self, cards: Sequence[rv.Card]) -> bool:
        """
        Whether melds take all cards, with the runs that a declaration needs.
        """
        return self.all_of(tuple(sorted(cards)), lives_of(self.rules))

    def _kinds(self, cards: tuple[rv.Card, ...]) -> list[Any]:
        return possible_melds(self.melds, [rv.melds.Played(str(one)) for one in cards])

    def _fewest(self, cards: tuple[rv.Card, ...]) -> int:
        if not cards:
            return 0
        first, *rest = cards
        found = worth_of(self.rules, self.melds, first) + self.fewest(rest)
        for part in sub_multisets(rest):
            if self.kinds((first, *part)):
                found = min(found, self.fewest(without(rest, part)))
        return found

    def _shows(self, cards: tuple[rv.Card, ...], lives: tuple[int, int, int]) -> bool:
        if not cards:
            return not any(lives)
        first, *rest = cards
        return any(
            self.all_of(tuple(without(rest, part)), lives_beside(lives, [meld]))
            for part in sub_multisets(rest)
            for meld in self.kinds((first, *part))
        )
