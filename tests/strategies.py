"""
What hypothesis draws: cards, actions, rulesets with options, and games in the middle.
"""

from __future__ import annotations

import functools
import itertools
import random

from collections.abc import Callable, Sequence

import attrs

from hypothesis import assume
from hypothesis import strategies as st

import rummyvariants as rv

from rummyvariants.actions import Action
from rummyvariants.cards import ALL_CODES, CARDS, COPIES, RANKS, SUITS
from rummyvariants.game._engine.beginning import too_small


faces = st.sampled_from([CARDS[code] for code in ALL_CODES])
places = st.builds(
    lambda rank, suit: rv.melds.Place(rank + suit),
    st.sampled_from(RANKS),
    st.sampled_from(["", *SUITS]),
)
played = st.builds(
    lambda card, place: rv.melds.Played(f"{card}={place}" if place else str(card)),
    faces,
    st.one_of(st.none(), places),
)
seats = st.integers(0, 7)
ends = st.sampled_from([None, "low", "high"])
crowds = st.builds(lambda one, number: (one,) * number, played, st.integers(8, 40))
"""A card named more often than a hand can hold it."""
few_played = st.one_of(st.lists(played, min_size=1, max_size=6).map(tuple), crowds)
meld_numbers = st.integers(0, 12)

multisets = st.lists(
    st.sampled_from(ALL_CODES).flatmap(
        lambda code: st.tuples(st.just(code), st.integers(1, COPIES[code]))
    ),
    max_size=12,
).map(dict)
"""Cards by their codes, and how many there are of each."""


def actions(seat: st.SearchStrategy[int | None] = seats) -> st.SearchStrategy[Action]:
    """
    Actions of all kinds, most of them nonsense wherever they are tried.
    """
    return st.one_of(
        st.builds(rv.actions.Draw, seat),
        st.builds(rv.actions.Pass, seat),
        st.builds(rv.actions.Take, st.integers(0, 99), seat),
        st.builds(rv.actions.Choose, st.integers(0, 99), seat),
        st.builds(rv.actions.NewMeld, few_played, seat),
        st.builds(rv.actions.LayOff, few_played, meld_numbers, ends, seat),
        st.builds(rv.actions.PutWild, faces, seat),
        st.builds(rv.actions.Swap, faces, meld_numbers, seat, ends),
        st.builds(rv.actions.Split, meld_numbers, st.integers(0, 20), seat),
        st.builds(rv.actions.Discard, faces, seat),
        st.builds(
            rv.actions.Knock,
            st.one_of(st.none(), faces),
            st.one_of(st.none(), st.lists(few_played, max_size=3).map(tuple)),
            seat,
        ),
        st.builds(rv.actions.CallRummy, few_played, st.none(), st.none(), seat),
        st.builds(rv.actions.CallRummy, few_played, meld_numbers, ends, seat),
        st.builds(
            rv.actions.Deal,
            st.lists(faces, min_size=1, max_size=20).map(tuple),
            st.integers(0, 7),
            st.lists(st.integers(0, 1 << 30), max_size=4).map(tuple),
        ),
    )


# ------------------------------------------------------------------------- rulesets


@functools.cache
def _with_options(base: str, wanted: tuple[str, ...]) -> rv.Ruleset:
    """
    A preset with those of some options put on that go together, in the order given.
    """
    rules = rv.preset(base)
    if any(rule.piles for _, rule in rules.house):
        # With other packs or more players, what lies aside may leave too few cards.
        return rules
    for one in wanted:
        argument = {"PGV-E5": "=1200"}.get(one, "")
        try:
            rules = rules.with_options(one + argument)
        except rv.errors.RulesError:
            continue
    return rules


def rulesets(most: int = 4) -> st.SearchStrategy[rv.Ruleset]:
    """
    Presets, plain or with some options.
    """
    return st.builds(
        _with_options,
        st.sampled_from(rv.presets()),
        st.lists(st.sampled_from(tuple(rv.options())), max_size=most, unique=True).map(
            tuple
        ),
    )


# ---------------------------------------------------------------------------- games


@attrs.frozen
class Game:
    """
    A game on its way: what it is played by, and how far it has come.

    Attributes:
        rules: The rules.
        players: How many play.
        seed: What deals and choices come from.
        steps: How many actions were played, those of chance left out.
    """

    rules: rv.Ruleset
    players: int
    seed: int
    steps: int

    def play(self, look: Callable[[rv.State], None] | None = None) -> rv.State:
        """
        The state that it has come to.

        Args:
            look: Given each state on the way, in which somebody may act.
        """
        rng = random.Random(self.seed)
        state = rv.new_game(self.rules, self.players, seed=self.seed)
        for _ in range(self.steps):
            if state.phase == "deal":
                state = rv.game.deal(state)
            if state.is_over:
                break
            if look is not None:
                look(state)
            state = rv.apply(state, any_action(state, rng))
        return state


def any_action(state: rv.State, rng: random.Random) -> Action:
    """
    A legal action: by the library's own sample, one of the first, or a kind first.
    """
    moves = rv.legal_actions(state)
    style = rng.randrange(3)
    if style == 0:
        return moves.sample(rng.randrange)
    some = list(itertools.islice(rv.legal_actions(state, rng.choice(state.to_act)), 60))
    if style == 1:
        return rng.choice(some)
    kinds = sorted({type(one).__name__ for one in some})
    kind = rng.choice(kinds)
    return rng.choice([one for one in some if type(one).__name__ == kind])


@st.composite
def games(
    draw: st.DrawFn,
    rules: st.SearchStrategy[rv.Ruleset] | None = None,
    most_steps: int = 120,
) -> Game:
    """
    Games that were played for some steps by random players.
    """
    chosen = draw(rulesets() if rules is None else rules)
    low, high = chosen.match.players
    numbers = [
        one
        for one in range(low, high + 1)
        if chosen.match.makes_sides(one) and not too_small(chosen, one)
    ]
    assume(numbers)
    return Game(
        chosen,
        draw(st.sampled_from(numbers)),
        draw(st.integers(0, 10_000)),
        draw(st.integers(0, most_steps)),
    )


# ------------------------------------------------------------------------ mutations


def mutated(action: Action, rng: random.Random, hand: Sequence[rv.Card]) -> Action:
    """
    An action like another one, with one thing changed.
    """
    fields = [one.name for one in attrs.fields(type(action)) if one.init]
    name = rng.choice(fields)
    value = getattr(action, name)
    card = rng.choice([*hand, CARDS[rng.choice(ALL_CODES)]])
    match name:
        case "seat":
            new: object = rng.choice([None, 0, 1, 2, 9])
        case "count" | "after" | "meld" | "dealer":
            new = max(0, (value or 0) + rng.choice([-1, 1, 2]))
        case "end":
            new = rng.choice([None, "low", "high"])
        case "card":
            new = card
        case "cards" if isinstance(value, int):
            new = value + 1
        case "cards" if isinstance(value, rv.Cards):
            new = rv.Cards([*value, card])
        case "cards":
            new = _other_cards(value, card, rng)
        case _:
            new = value
    return attrs.evolve(action, **{name: new})


def _other_cards(
    cards: tuple[rv.melds.Played, ...], card: rv.Card, rng: random.Random
) -> tuple[rv.melds.Played, ...]:
    if not isinstance(cards[0], rv.melds.Played):
        return cards[1:]
    at = rng.randrange(len(cards))
    one = cards[at]
    place = rng.choice(RANKS) + rng.choice(["", *SUITS])
    new: list[list[rv.melds.Played]] = [
        [rv.melds.Played(str(card))],
        [rv.melds.Played(str(one.card))],
        [rv.melds.Played(f"{one.card}={place}")],
        [one, rv.melds.Played(str(card))],
        [one, one],
        [],
    ]
    changed = (*cards[:at], *rng.choice(new), *cards[at + 1 :])
    if rng.random() < 0.2:
        changed = tuple(rng.sample(changed, len(changed)))
    return changed or cards
