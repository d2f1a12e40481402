"""
States of Canasta as its twin has them, for tests that walk through decks.
"""

from __future__ import annotations

import random

from collections import Counter

import attrs

import naive_canasta as twin
import rummyvariants as rv


RANK = {"wilds": "*"}
"""The rank that the twin gives to a meld of a kind, where it is not its own."""


def game_of(rules: rv.Ruleset, players: int) -> twin.Game:
    """
    What is agreed.
    """
    deck = rules.deck.cards_for(players)
    black = [rv.Card(one).code for one in twin.RED_THREES]
    naturals = dict(rules.wild.by_naturals)
    return twin.Game(
        players=players,
        hand=_for(dict(rules.deal.hand_size), players),
        draws=_for(dict(rules.draw.from_stock), players),
        to_go_out=_for(dict(rules.out.canastas), players),
        canasta=rules.out.canasta,
        minimums=tuple(rules.meld.minimum),
        target=rules.match.target,
        deals=rules.match.rounds if rules.match.ends == "after the rounds" else 0,
        all_red=sum(code in black for code in deck),
        one_by_one=False,
        asking=rules.out.ask,
        turn_black=bool(rules.deal.turned_again),
        always_frozen=rules.draw.frozen == "always",
        closed=not rules.draw.onto_canasta,
        no_pile=rules.score.concealed_from != "any draw",
        nothing_down=rules.score.concealed_alone,
        fewer_wilds=naturals[2] < 2,
        wild_melds=rules.wild.wild_melds,
    )


def _for(table: dict[int, int], players: int) -> int:
    """
    The entry of a table by the number of players.
    """
    return table[max(number for number in table if number <= players)]


def as_twin(state: rv.State, game: twin.Game) -> twin.State:
    """
    The state of the twin for one in which a turn begins, or play after the draw.
    """
    assert state.phase in {"draw", "play"}
    red: list[twin.Cards] = [(), (), (), ()]
    for zone in state.zones:
        red[zone.seat] = tuple(map(str, zone.cards))
    return twin.State(
        game,
        hands=tuple(twin.in_order(map(str, hand)) for hand in state.hands),
        stock=tuple(map(str, state.stock)),
        pile=tuple(map(str, state.discards)),
        table=tuple(
            twin.Spread(
                meld.maker % game.sides,
                RANK.get(meld.kind, meld.rank),
                twin.in_order(map(str, meld.cards)),
            )
            for meld in state.table
        ),
        red=tuple(red),
        scores=tuple(
            sum(state.scores[side :: game.sides]) for side in range(game.sides)
        ),
        seat=state.turn,
        phase=state.phase,
        melders=frozenset(one.seat for meld in state.table for one in meld.laid),
        lay_before=len(state.table),
    )


def match_beside(rules: rv.Ruleset, players: int, seed: int, most: int) -> Counter[str]:
    """
    Play a match at random, and compare every deal, all that may be done, and scores.

    Args:
        rules: Rules that the twin knows.
        players: How many play.
        seed: What deals and choices come from.
        most: After how many actions to stop.

    Returns:
        How often each kind of action was done, and how often a deal ended in which way.
    """
    chance = random.Random(f"canasta beside its twin {seed}")
    game = game_of(rules, players)
    state = rv.game.begin(rules, players, seed=seed)
    found: Counter[str] = Counter()
    for _ in range(most):
        if state.is_over:
            break
        if state.phase == "deal":
            before = state
            try:
                state = rv.game.deal(state)
            except rv.errors.RulesError as error:
                assert "needed more cards than the deck has" in str(error)
                break
            other = dealt_by_twin(game, before, state)
        else:
            listed = list(rv.legal_actions(state))
            here = {twin.plain(str(one)) for one in listed}
            there = {twin.plain(one) for one in twin.legal(other)}
            assert here == there, (other, here ^ there)
            assert state.to_act == (other.to_act,)
            action = _chosen(listed, chance)
            found[type(action).__name__] += 1
            state, other = rv.apply(state, action), twin.do(other, str(action))
        if state.is_round_over:
            look_at_end(state, other)
            found[other.how] += 1
    return found


def _chosen(listed: list[rv.Action], chance: random.Random) -> rv.Action:
    """
    A random action, every kind as likely as another half of the time.
    """
    if chance.random() < 0.5:
        return chance.choice(listed)
    kind = chance.choice(sorted({type(one).__name__ for one in listed}))
    return chance.choice([one for one in listed if type(one).__name__ == kind])


def dealt_by_twin(game: twin.Game, before: rv.State, state: rv.State) -> twin.State:
    """
    What the twin makes of a deal, which has to be the same.
    """
    deal = state.history[-1]
    assert isinstance(deal, rv.actions.Deal)
    scores = [sum(before.scores[side :: game.sides]) for side in range(game.sides)]
    other = twin.deal(game, list(map(str, deal.cards)), deal.dealer, scores)
    if other.phase != "over":
        start = as_twin(state, game)
        assert start.scores == other.scores
        red = (*other.red, (), ())[:4]
        assert [*map(sorted, start.red)] == [*map(sorted, red)]
        assert start == attrs.evolve(other, red=start.red)
    return other


class Beside:
    """
    The twin of all states that come of one in which a turn begins.
    """

    def __init__(self, start: rv.State) -> None:
        self.game = game_of(start.rules, len(start.players))
        self._start = as_twin(start, self.game)
        self._since = len(start.history)

    def twin_of(self, state: rv.State) -> twin.State:
        """
        The twin of a state, by what was done since the start.
        """
        found = self._start
        for action in state.history[self._since :]:
            found = twin.do(found, str(action))
        return found

    def look(self, state: rv.State) -> None:
        """
        Assert that the twin lets the same be done, or counts the same.
        """
        other = self.twin_of(state)
        if state.is_round_over:
            look_at_end(state, other)
            return
        assert state.to_act == (other.to_act,)
        here = {twin.plain(str(one)) for one in rv.legal_actions(state)}
        there = {twin.plain(one) for one in twin.legal(other)}
        assert here == there, (other, here ^ there)


def look_at_end(state: rv.State, other: twin.State) -> None:
    """
    Assert that a deal ended in the same way, and brings and decides the same.
    """
    result = state.result
    assert result is not None
    assert (other.phase, other.how) == ("over", result.how)
    game = other.game
    for side in range(game.sides):
        points = result.points[side :: game.sides]
        assert sum(points) == twin.points(other, side)
    ahead = twin.winner(game, state.side_scores, state.round_number)
    assert state.winners == (() if ahead is None else state.sides[ahead])
