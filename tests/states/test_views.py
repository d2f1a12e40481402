"""Views hold what a seat has seen, and nothing else."""

from __future__ import annotations

import itertools
import pickle
import random

from collections import Counter

import attrs
import pytest

import rummyvariants as rv

from rummyvariants import events
from rummyvariants.cards import pack
from rummyvariants.game import _worlds
from walks import GAMES, IDS, OPTIONS, exchanged, walk


@attrs.define
class Fold:
    """
    What a seat can write down from the events that it may see.

    Attributes:
        seat: The seat; None for a spectator.
        hands: By seat, the cards known to be there.
        sizes: By seat, how many cards there are.
        discards: The discard pile.
        upcards: By seat, the cards that were dealt face up in this deal.
    """

    seat: int | None
    hands: list[Counter[rv.Card]]
    sizes: list[int]
    discards: list[rv.Card] = attrs.field(factory=list)
    upcards: list[list[rv.Card]] = attrs.field(factory=list)

    def give(self, seat: int, cards: tuple[rv.Card, ...]) -> None:
        self.hands[seat].update(cards)
        self.sizes[seat] += len(cards)

    def spend(self, seat: int, cards: Counter[rv.Card]) -> None:
        self.hands[seat] -= cards
        self.sizes[seat] -= cards.total()

    def see(self, event: events.Event, after: rv.State) -> None:
        """
        Take an event in, in the form in which the seat may see it.
        """
        match event.seen_by(self.seat):
            case events.DealStarted() | events.DealThrownIn():
                number = len(self.hands)
                self.hands = [Counter() for _ in range(number)]
                self.sizes = [0] * number
                self.discards = []
                self.upcards = [[] for _ in range(number)]
            case events.UpcardShown(seat, card):
                self.upcards[seat].append(card)
            case events.CardBuried(card):
                for shown in self.upcards:
                    if shown and shown[-1] == card:
                        shown.pop()
                        break
            case events.HandDealt(seat, size, cards):
                shown = list(self.upcards[seat])
                if after.dealer_wild is not None and seat == after.dealer:
                    shown.pop()
                self.sizes[seat] += size
                self.give(seat, tuple(shown))
                if cards is not None:
                    self.hands[seat].update(cards)
            case events.FirstDiscard(card):
                self.discards.append(card)
            case events.TurnedOver(_, size):
                del self.discards[:size]
            case events.Drew(seat, card):
                self.sizes[seat] += 1
                if card is not None:
                    self.hands[seat][card] += 1
            case events.Took(seat, cards):
                del self.discards[-len(cards) :]
                self.give(seat, cards)
            case events.Discarded(seat, card):
                self.spend(seat, Counter([card]))
                self.discards.append(card)
            case events.Laid(seat, cards, _, how, gained) if how != "split":
                self.spend(seat, Counter(rv.melds.Played(one).card for one in cards))
                if gained is not None:
                    self.give(seat, (gained,))
            case events.Knocked(seat, _, left):
                self.hands[seat] = Counter(left)
            case events.Called(seat, cards):
                # What is called goes through the hand to the table.
                for card in cards:
                    at = len(self.discards) - 1 - self.discards[::-1].index(card)
                    del self.discards[at]
                self.give(seat, cards)


@pytest.mark.parametrize(
    ("base", "names"),
    [
        ("2500-house", ()),
        ("rummy-500", ()),
        ("rummy-5000", ()),
        ("george", ()),
        ("rummy-500", ("BNV-01",)),
        ("rummy-5000", ("PGV-P4",)),
        ("rummy-5000", ("PGV-D4b", "PGV-C5")),
    ],
)
def test_a_view_is_the_fold_of_the_events_seen(
    base: str, names: tuple[str, ...]
) -> None:
    rules = rv.preset(base).with_options(*names)
    players = 3
    folds = [
        Fold(seat, [Counter() for _ in range(players)], [0] * players)
        for seat in (None, 0, 1, 2)
    ]
    for done in walk(rules, players, 3, 260):
        for fold in folds:
            for event in done.events:
                fold.see(event, done.after)
            if done.after.is_round_over or done.after.phase in {"deal", "choose"}:
                continue
            seen = rv.view(done.after, fold.seat)
            when = f"after {done.action} for {fold.seat}"
            assert [Counter(cards) for cards in seen.known] == fold.hands, when
            assert list(seen.hand_sizes) == fold.sizes, when
            spread = rules.draw.open_pile
            shown = fold.discards if spread else fold.discards[-1:]
            assert list(seen.discards) == shown, when
            assert seen.discards_size == len(fold.discards), when


@pytest.mark.parametrize(("rules", "players", "seed"), GAMES, ids=IDS)
def test_hidden_cards_change_no_view(
    rules: rv.Ruleset, players: int, seed: int
) -> None:
    """
    Nor what the seat may do; and a world that agrees with a view gives that view.
    """
    rng = random.Random(seed)
    for number, done in enumerate(walk(rules, players, seed, 160)):
        state = done.after
        if state.dealer is None or number % 5 or state.is_round_over:
            continue
        for seat in (None, *range(players)):
            seen = rv.view(state, seat)
            assert rv.view(exchanged(state, seat, rng), seat) == seen
            world = rv.determinize(seen, rng)
            assert rv.view(world, seat) == seen
            every = [
                sum(one._hands)
                + pack(one._stock)
                + sum(pack(zone._cards) for zone in one.zones)
                for one in (world, state)
            ]
            assert every[0] == every[1]
            assert world.to_act == state.to_act
            if seat in state.to_act:
                mine = list(itertools.islice(seen.legal_actions, 60))
                assert mine == list(itertools.islice(rv.legal_actions(state, seat), 60))
            else:
                assert not seen.legal_actions


@pytest.mark.long
def test_worlds_can_be_played_on() -> None:
    rng = random.Random(5)
    for name in rv.presets():
        low, high = rv.preset(name).match.players
        players = max(low, min(3, high))
        state = rv.new_game(name, players, seed=3)
        while not state.is_round_over:
            state = rv.playout(state, rng.randrange, actions=9)
            for seat in range(players):
                world = rv.determinize(rv.view(state, seat), rng)
                end = rv.playout(world, rng.randrange, until="match", actions=90)
                done = end.history[len(world.history) :]
                played = sum(not isinstance(one, rv.actions.Deal) for one in done)
                assert played == 90 or end.is_over


TINY = """
[rules]
extends = "rummy-500"
deck = { ranks = "345", suits = "cd", jokers = 0 }
deal = { hand_size = 2 }

[position]
seats = ["N", "S"]
turn = "N"
stock = "4d"
discards = "5d"
hands = { N = "3c 4c", S = "5c 3d" }
"""


def test_every_world_is_as_likely_as_any_other() -> None:
    """
    South holds two of three cards that North has not seen; the third is the stock.
    """
    state = rv.files.parse_scenario(TINY).start
    assert state is not None
    seen = rv.view(state, 0)
    assert str(seen.unseen) == "5c 3d 4d"
    rng = random.Random(1)
    worlds = Counter(
        (str(world.hands[1]), str(world.stock[0]))
        for world in (rv.determinize(seen, rng) for _ in range(6000))
    )
    assert len(worlds) == 3
    assert all(1850 < number < 2150 for number in worlds.values())


def test_what_was_taken_is_known_until_it_is_played() -> None:
    state = rv.files.parse_scenario(TINY.replace('turn = "N"', 'turn = "S"')).start
    assert state is not None
    state = rv.apply(state, "take 1")
    assert str(rv.view(state, 0).known[1]) == "5d"
    assert str(rv.view(state, 1).known[1]) == "5c 3d 5d"
    assert str(rv.view(state).known[1]) == "5d"
    assert "5d" not in str(rv.view(state, 0).unseen)
    state = rv.apply(state, "discard 5d")
    assert len(rv.view(state, 0).known[1]) == 0


def test_a_view_holds_no_secret() -> None:
    """
    No seed, no deal, no order of the stock; and it can be pickled.
    """
    state = rv.new_game("rummy-5000", 4, seed="secret words")
    state = rv.apply(state, "draw")
    assert state.turn == 3
    seen = rv.view(state, 2)
    data = pickle.dumps(seen)
    assert b"secret words" not in data
    assert pickle.loads(data) == seen  # noqa: S301 -- of our own making
    assert seen.world.match.seed is None
    assert seen.world.history == seen.actions == (rv.actions.Draw(3),)
    assert list(seen.world.stock) == sorted(seen.world.stock)
    assert hash(seen) == hash(pickle.loads(data))  # noqa: S301 -- the same
    assert repr(seen).startswith("<View of rummy-5000 for player 2, round 1, play, ")


def test_after_a_round_its_hands_are_known() -> None:
    """
    They have been counted, card by card, before everybody.
    """
    state = rv.playout(rv.new_game("rummy-500", 3, seed=4), random.Random(4).randrange)
    assert rv.view(state, 1).known == state.hands


def test_an_unknown_seat() -> None:
    state = rv.new_game("rummy-500", 3, seed=4)
    with pytest.raises(ValueError, match="there is no seat 3; seats go from 0 to 2"):
        rv.view(state, 3)
    assert not rv.view(state).legal_actions


def test_in_every_world_what_is_owed_can_be_given() -> None:
    """
    Whoever took a discard for a meld has that meld in every world of a spectator.
    """
    state = rv.files.parse_scenario(
        TINY.replace('turn = "N"', 'turn = "S"')
        .replace('discards = "5d"', 'discards = "5d 3c"')
        .replace('N = "3c 4c"', 'N = "4d"')
        .replace('stock = "4d"', 'stock = "3d"')
        .replace('S = "5c 3d"', 'S = "4c 5c"')
    ).start
    assert state is not None
    state = rv.apply(state, "take 1")
    rng = random.Random(2)
    for seat in (None, 0):
        for _ in range(40):
            world = rv.determinize(rv.view(state, seat), rng)
            assert rv.legal_actions(world)
            assert rv.playout(world, rng.randrange).is_round_over


def test_random_games_seen_by_a_spectator_can_be_played_on() -> None:
    rng = random.Random(6)
    owed = 0
    for seed in range(40):
        for done in walk(rv.preset("rummy-500"), 3, seed, 60):
            state = done.after
            if state.phase != "play" or not state.drawn.duties:
                continue
            world = rv.determinize(rv.view(state), rng)
            assert rv.legal_actions(world)
            owed += 1
    assert owed > 20


def branching(rules: rv.Ruleset, players: int, seed: int) -> list[rv.State]:
    """
    The states of two ways from the middle of a game, in any order.
    """
    chance = random.Random(seed)
    states = [done.after for done in walk(rules, players, seed, 60)]
    for start in states[::20]:
        state = start
        for _ in range(10):
            if not state.to_act:
                break
            state = rv.apply(state, rv.legal_actions(state).sample(chance))
            states.append(state)
    chance.shuffle(states)
    return states


@pytest.mark.parametrize(("rules", "players", "seed"), GAMES[: len(OPTIONS)])
def test_the_past_is_the_same_whatever_was_viewed_before(
    rules: rv.Ruleset, players: int, seed: int
) -> None:
    states = branching(rules, players, seed)
    seats = (None, *range(players))
    afresh = []
    for state in states:
        for seat in seats:
            _worlds._SEEN.clear()
            afresh.append(rv.view(state, seat).history)
    found = [rv.view(state, seat).history for state in states for seat in seats]
    assert found == afresh
