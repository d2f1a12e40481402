"""Random games to look at step by step, and cards exchanged that a seat cannot see."""

from __future__ import annotations

import random

from collections.abc import Iterator

import attrs

import composition
import rummyvariants as rv

from rummyvariants.cards import codes, pack, size


OPTIONS = (
    ("2500-house", ("PGV-C5",)),
    ("rummy-500", ("BNV-01",)),
    ("rummy-500", ("PGV-P4", "PGV-P10")),
    ("rummy-5000", ("PGV-P8",)),
    ("rummy-5000", ("PGV-D3e", "PGV-C2a")),
    ("rummy-5000", ("PGV-E2", "PGV-P4")),
    ("rummy-5000", ("PGV-P2b", "PGV-P7")),
    ("george", ()),
    ("gin-rummy", ()),
    ("gin-rummy", ("GRV-03", "GRV-05a")),
    ("three-thirteen", ()),
)


def games() -> Iterator[tuple[rv.Ruleset, int, int]]:
    """
    Rulesets, numbers of players, seeds.
    """
    for number, (base, names) in enumerate(OPTIONS):
        rules = rv.preset(base).with_options(*names)
        yield rules, min(3 + number % 2, rules.match.players[1]), number
    for seed in range(60):
        game = composition.sample(600_000 + seed)
        try:
            rv.game.begin(game.rules(), game.players, seed=seed)
        except rv.errors.RulesError:
            continue
        yield game.rules(), game.players, seed


def walk(rules: rv.Ruleset, players: int, seed: int, most: int) -> Iterator[rv.Step]:
    """
    The steps of a random game, deals included.
    """
    randrange = random.Random(seed).randrange
    state = rv.game.begin(rules, players, seed=seed)
    for _ in range(most):
        if state.is_over:
            return
        action: rv.Action
        if state.phase == "deal":
            try:
                action = rv.game.next_deal(state)
            except rv.errors.RulesError:
                return
        else:
            action = rv.legal_actions(state).sample(randrange)
        done = rv.step(state, action)
        yield done
        state = done.after


def states(game: composition.Sample, steps: int) -> Iterator[rv.State]:
    """
    The states of a game of random players.
    """
    chance = random.Random(game.seed)
    try:
        state = rv.game.begin(game.rules(), game.players, seed=game.seed)
        for _ in range(steps):
            if state.phase == "deal":
                state = rv.game.deal(state)
            if state.is_over:
                return
            yield state
            state = rv.apply(state, rv.legal_actions(state).sample(chance.randrange))
    except rv.errors.RulesError:
        return


GAMES = list(games())
IDS = [f"{number} {players}" for number, (_, players, _) in enumerate(GAMES)]


def exchanged(state: rv.State, seat: int | None, rng: random.Random) -> rv.State:
    """
    A state in which cards that a seat cannot see are exchanged, by the plain facts.
    """
    shown = [cards.bits for cards in state.seen_in_hands]
    if seat is not None:
        shown[seat] = state.hands[seat].bits
    pool = list(codes(sum(hand.bits for hand in state.hands) - sum(shown)))
    pool += [card.code for card in state.stock]
    rng.shuffle(pool)
    hands = []
    for hand, mine in zip(state.hands, shown, strict=True):
        number = len(hand) - size(mine)
        hands.append(mine + pack(pool[:number]))
        del pool[:number]
    changed = attrs.evolve(
        state, hands=tuple(hands), stock=bytes(pool), seen=state._seen
    )
    drawn = state.drawn
    if not drawn.source or seat == state.turn:
        return changed
    if drawn.source in {"discards", "rule"}:
        held = drawn.held - state._hands[state.turn] + hands[state.turn]
        return attrs.evolve(changed, drawn=attrs.evolve(drawn, held=held))
    since = drawn.held + pack(drawn._cards) - state._hands[state.turn]
    fresh = list(codes(hands[state.turn] - shown[state.turn]))
    if not fresh or since:
        return state
    code = rng.choice(fresh)
    drawn = attrs.evolve(
        drawn,
        cards=bytes([code]),
        held=hands[state.turn] - pack([code]),
        duties=state.rules.draw.stock_duties(code),
    )
    return attrs.evolve(changed, drawn=drawn)
