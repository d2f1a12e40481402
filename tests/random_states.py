"""
States of random games, each compared with everything that a person could write down.

``python tests/random_states.py --states 20000 --seed 0 --processes 2`` plays small
games of all presets with options put on at random, compares what is legal in their
states with the plain twin of `naive`, and reports how many states of which kind it
compared, and of each failure the smallest game that shows it.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import itertools
import math
import random
import sys
import time

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

import composition
import rummyvariants as rv

from composition import for_contracts, for_lives, look_closely, reason_of
from naive import MeldRules, opens_together


STEPS = 90
"""After how many actions a game is left; a match that is over before is begun anew."""

MOST_WRITTEN = 4_000
"""How much a person may be able to write for a state to be compared."""


@attrs.frozen
class Game:
    """
    A small game of random players.

    Attributes:
        base: The preset.
        options: The options put on it.
        values: Single policy values on top, which keep hands and deck small.
        players: How many play.
        seed: What deals and choices come from.
    """

    base: str
    options: tuple[str, ...] = ()
    values: Mapping[str, Any] = attrs.field(factory=dict)
    players: int = 2
    seed: int = 0

    def rules(self) -> rv.Ruleset:
        """
        The rules of the game.

        Raises:
            RulesError: If the options or values do not go together.
        """
        return rv.preset(self.base).with_options(*self.options).with_values(self.values)

    def states(self) -> Iterator[rv.State]:
        """
        The states that it comes to, as far as somebody may act in them.

        Raises:
            RulesError: If there is no such game for so many players.
        """
        return states_of(self.rules(), self.players, self.seed)


def states_of(rules: rv.Ruleset, players: int, seed: int) -> Iterator[rv.State]:
    """
    The states that a random game comes to, as far as somebody may act in them.
    """
    chance = random.Random(f"random states {seed}")
    matches = 0
    state = rv.game.begin(rules, players, seed=seed)
    for _ in range(STEPS):
        if state.is_over or state.match.thrown_in > 20:
            matches += 1
            state = rv.game.begin(rules, players, seed=f"{seed} {matches}")
        if state.phase == "deal":
            state = rv.game.deal(state)
            continue
        yield state
        state = rv.apply(state, _chosen(state, chance))


def _chosen(state: rv.State, chance: random.Random) -> rv.Action:
    """
    A random action; every kind as likely as another half of the time.
    """
    moves = rv.legal_actions(state)
    if chance.random() < 0.5:
        return moves.sample(chance.randrange)
    some = list(itertools.islice(moves, 60))
    kind = chance.choice(sorted({type(one).__name__ for one in some}))
    return chance.choice([one for one in some if type(one).__name__ == kind])


def game(seed: int) -> Game:
    """
    A random game, which may be impossible.
    """
    chance = random.Random(f"a game {seed}")
    base = composition.GAMES[seed % len(composition.GAMES)]
    names = list(composition.OPTIONS)
    chosen = chance.sample(names, chance.randint(0, 4))
    if chance.random() < 0.25:
        # What a game seldom comes to by itself: a hand size to choose, calls.
        chosen = [*chance.choice(_SELDOM), *chosen][:4]
    players = chance.randint(2, 6)
    for_two = rv.preset(base).match.players == (2, 2)
    if for_two:
        players = 2
    elif rv.preset(base).match.sides != "none" or "R5V-47" in chosen:
        players = 4
    hand = chance.randint(1, 4)
    low, high = (3, 5) if players < 5 else (4, 6)
    ranks = set(chance.sample("A23456789TJQK", chance.randint(low, high)))
    if chance.random() < 0.6:
        # Neighbours, for the sake of runs; the ace at either end.
        at = chance.randrange(13)
        ranks = set(("A23456789TJQK" * 2)[at : at + len(ranks)])
    twos = {"PGV-D3a", "PGV-D3b", "PGV-D3e", "PGV-C2a", "PGV-C2b"} & set(chosen)
    wild = rv.preset(base).wild
    if twos or wild.twos:
        ranks.add("2")
    if wild.indicator_is_wild == "aces":
        ranks.add("A")
    suits = chance.sample("cdhs", chance.randint(2, 4)) + ["x"] * (seed % 4 == 3)
    values: dict[str, Any] = {
        "match.target": chance.randint(60, 300),
        "stock.idle_rounds": chance.randint(1, 3),
        "deck.ranks": "".join(one for one in "A23456789TJQK" if one in ranks),
        "deck.suits": "".join(one for one in "cdhsx" if one in suits),
        "deal.hand_size": hand,
        "deal.upcard_counts": {
            rank: max(1, hand + chance.randint(-1, 1)) for rank in "A23456789TJQK"
        },
        "match.players": [2, 8],
    }
    cards = len(ranks) * len(suits)
    values["deck.packs"] = max(
        math.ceil(players * (hand + 2) / cards), chance.choice([1, 1, 2])
    )
    if for_two:
        del values["match.players"]
    if rv.preset(base).meld.contracts:
        values |= for_contracts(chance)
    if rv.preset(base).out.declares:
        values |= _for_declarations(chance, values)
    if rv.preset(base).out.runs:
        values |= for_lives(chance)
    if chance.random() < 0.3:
        values["wild.limit"] = chance.choice(["none", "one", "more naturals"])
    for path in ("meld.set_ranks", "meld.natural_ranks"):
        if chance.random() < 0.2:
            kept = chance.sample(sorted(ranks), chance.randint(1, len(ranks)))
            values[path] = "".join(one for one in "A23456789TJQK" if one in kept)
    if chance.random() < 0.3:
        values["meld.missing_ranks"] = "are passed over"
    if chance.random() < 0.3:
        values["layoff.rearranging"] = "own melds"
    return Game(
        base,
        tuple(dict.fromkeys(_with_argument(chance, one) for one in chosen)),
        values,
        players,
        seed,
    )


_SELDOM = (("PGV-D3e", "PGV-C2a"), ("PGV-D3e", "PGV-C2b"), ("PGV-P11",), ("BNV-01",))


def _for_declarations(
    chance: random.Random, values: Mapping[str, Any]
) -> dict[str, Any]:
    """
    Hands that melds use up now and then, and a deck that often has the wild rank.
    """
    first = chance.randint(1, 3)
    goes_on = chance.random() < 0.8
    found: dict[str, Any] = {
        "deal.by_round": {1: first, 2: chance.randint(1, 3), 4: 2},
        "meld.least_set": 2,
        "meld.least_run": chance.choice([2, 3]),
        "out.declare": chance.choice(["with a discard", "with or without a discard"]),
        "out.last_turn": goes_on,
        "layoff.last_turns": goes_on and chance.random() < 0.5,
        "score.wild": chance.choice(["as the card", 15]),
        "out.runs": chance.choice([0, 0, 1, 2]),
        "out.pure_runs": chance.choice([0, 0, 1]),
        "out.long_run": chance.choice([0, 0, 3]),
        "score.lives": chance.choice(["none", "all or nothing", "graded"]),
    }
    if chance.random() < 0.7:
        ranks = {*values["deck.ranks"], "A23456789TJQK"[first - 1]}
        found["deck.ranks"] = "".join(one for one in "A23456789TJQK" if one in ranks)
    return found


def _with_argument(chance: random.Random, name: str) -> str:
    option = rv.options()[name]
    if option.argument == "score.special":
        return f"{name}=Qs:40"
    if option.default and not option.default.isdecimal():
        return option.example  # two numbers, or a word
    if option.argument == "call.buys":
        return f"{name}={chance.randint(1, 3)}:{chance.randint(1, 2)}"
    return f"{name}={chance.randint(1, 300)}" if option.argument else name


# ----------------------------------------------------------------- what is compared

_GROUPED = (1, 1, 2, 5, 15, 52, 203, 877, 4140)
"""In how many ways so many cards are put into groups, or left out of them."""


def _grouped(cards: int) -> float:
    """
    In how many ways so many cards are put into groups or left out, if not too many.
    """
    return _GROUPED[cards] if cards < len(_GROUPED) else math.inf


def written(state: rv.State) -> float:
    """
    How much a person could write in a state, without writing it down.
    """
    if state.phase not in {"draw", "play", "call", "layoff"}:
        return 1
    rules = MeldRules.of(state)
    places = len(rules.ranks) * (len(rules.suits) + 1) + 1
    melds = 1 + 3 * (len(state.table) + 2)
    total = 0.0
    for seat in state.to_act:
        cards = Counter(state.hands[seat])
        if state.phase != "play":
            cards += Counter(state.discards)
        ways = 1.0
        for card, number in cards.items():
            ways *= sum(
                math.comb(places + many - 1, many) if rules.is_wild(card) else 1
                for many in range(number + 1)
            )
        total += ways * melds
        if state.phase == "play" and opens_together(state, seat):
            held = min(len(state.hands[seat]), len(_GROUPED) - 1)
            total += 2 * ways * _GROUPED[held]
        if state.rules.layoff.rearranges and state.phase == "play" and state.table:
            lying = sum(len(meld.cards) for meld in state.table)
            total += 2 * ways * _grouped(len(state.hands[seat]) + lying)
        if state.rules.meld.concealed and state.phase == "play":
            held = min(len(state.hands[seat]), len(_GROUPED) - 1)
            total += ways * (_GROUPED[held] + held * _GROUPED[held - 1])
    return total


def key_of(played: Game, state: rv.State) -> str:
    """
    What two states share that are the same for all that may be done next.
    """
    parts = (
        played.base,
        sorted(played.options),
        sorted(map(repr, played.values.items())),
        state.phase,
        state.to_act,
        state._hands,
        [(str(one), one.maker, str(one.beside), one.laid) for one in state.table],
        str(state.dealer_wild),
        state.discards,
        len(state.stock) > state.rules.stock.dead,
        str(state.drawn),
        state.floating,
        state.dropped,
        [turns > 0 for turns in state.turns],
        [state.has_meld(seat) for seat in range(len(state.players))],
        state.wild_rank,
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:20]


@attrs.frozen
class Compared:
    """
    What came of a game.

    Attributes:
        game: The game.
        refused: Why it cannot be, if it cannot.
        failed: What did not hold, if anything did not.
        at: How many actions had been played then.
        position: The state in which it did not hold, as a scenario.
        states: What was compared: the keys of the states, and their phases.
        big: How many states were left out for being too big.
    """

    game: Game
    refused: str = ""
    failed: str = ""
    at: int = 0
    position: str = ""
    states: Mapping[str, str] = attrs.field(factory=dict)
    big: int = 0


def compare(played: Game, most: int = MOST_WRITTEN) -> Compared:
    """
    Compare the states of a game, until one of them fails.

    Args:
        played: The game.
        most: How much a person may be able to write for a state to be compared.
    """
    states: dict[str, str] = {}
    big = 0
    try:
        for state in played.states():
            if written(state) > most:
                big += 1
                continue
            key = key_of(played, state)
            if key in states:
                continue
            states[key] = state.phase
            try:
                look_closely(state)
            except (AssertionError, rv.RummyError) as error:
                message = f"{type(error).__name__}: {error}"
                return Compared(
                    played,
                    failed=message,
                    at=len(state.history),
                    position=rv.files.scenario_text(state),
                    states=states,
                )
    except rv.errors.RulesError as error:
        return Compared(played, refused=reason_of(error))
    return Compared(played, states=states, big=big)


def smallest(played: Game) -> Compared:
    """
    What came of the smallest game that fails like a given one.
    """
    found = compare(played)
    smaller = True
    while smaller:
        smaller = False
        for other in _smaller(found.game):
            now = compare(other)
            if now.failed:
                found, smaller = now, True
                break
    return found


def _smaller(played: Game) -> Iterator[Game]:
    for at in range(len(played.options)):
        rest = (*played.options[:at], *played.options[at + 1 :])
        yield attrs.evolve(played, options=rest)
    for path in ("wild.limit", "match.target", "stock.idle_rounds"):
        if path in played.values:
            values = {key: one for key, one in played.values.items() if key != path}
            yield attrs.evolve(played, values=values)
    for players in range(2, played.players):
        yield attrs.evolve(played, players=players)


@attrs.define
class Tally:
    """
    What was compared so far.
    """

    keys: set[str] = attrs.field(factory=set)
    phases: Counter[str] = attrs.field(factory=Counter)
    bases: Counter[str] = attrs.field(factory=Counter)
    players: Counter[int] = attrs.field(factory=Counter)
    options: Counter[int] = attrs.field(factory=Counter)
    named: Counter[str] = attrs.field(factory=Counter)
    refused: Counter[str] = attrs.field(factory=Counter)
    failures: list[Compared] = attrs.field(factory=list)
    games: int = 0
    big: int = 0

    def add(self, found: Compared) -> None:
        """
        Count what came of a game, each state once.
        """
        if found.refused:
            self.refused[found.refused] += 1
            return
        self.games += 1
        self.big += found.big
        self.named.update(one.partition("=")[0] for one in found.game.options)
        for key, phase in found.states.items():
            if key not in self.keys:
                self.keys.add(key)
                self.phases[phase] += 1
                self.bases[found.game.base] += 1
                self.players[found.game.players] += 1
                self.options[len(found.game.options)] += 1
        if found.failed:
            self.failures.append(found)

    def __str__(self) -> str:
        lines = [f"{len(self.keys)} states of {self.games} games"]
        for name in ("phases", "bases", "players", "options"):
            counts = sorted(getattr(self, name).items())
            lines.append(f"  {name}: " + ", ".join(f"{k} {n}" for k, n in counts))
        lines.append(
            f"  {len(self.named)} different options, {self.big} states too big, "
            f"{self.refused.total()} games impossible"
        )
        return "\n".join(lines)


def compare_games(
    states: int, first: int = 0, processes: int = 1, most: int = MOST_WRITTEN
) -> Iterator[Tally]:
    """
    Compare the states of one game after another.

    Args:
        states: After how many different states to stop.
        first: The seed of the first game; the others follow it.
        processes: How many games are looked at together.
        most: As for `compare`.

    Yields:
        After each game, the one tally, which grows.
    """
    tally = Tally()
    games = map(game, itertools.count(first))
    if processes == 1:
        for played in games:
            tally.add(compare(played, most))
            yield tally
            if len(tally.keys) >= states:
                return
    with concurrent.futures.ProcessPoolExecutor(processes) as pool:
        try:
            while len(tally.keys) < states:
                batch = list(itertools.islice(games, 64 * processes))
                for found in pool.map(
                    compare, batch, itertools.repeat(most), chunksize=4
                ):
                    tally.add(found)
                    yield tally
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def main() -> int:
    """
    Compare so many states.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--states", type=int, default=2_000, help="how many states")
    parser.add_argument("--seed", type=int, default=0, help="where the seeds begin")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument(
        "--most-written",
        type=int,
        default=MOST_WRITTEN,
        help="how much a person may be able to write in a state that is compared",
    )
    parser.add_argument("--most-failures", type=int, default=10)
    given = parser.parse_args()
    started = time.perf_counter()
    thousands = failed = 0
    tally = Tally()
    for tally in compare_games(
        given.states, given.seed, given.processes, given.most_written
    ):
        if len(tally.failures) > failed:
            failed = len(tally.failures)
            found = tally.failures[-1]
            print(f"FAILED {found.game} after {found.at} actions\n  {found.failed}")
        if len(tally.keys) // 1_000 > thousands:
            thousands = len(tally.keys) // 1_000
            took = time.perf_counter() - started
            print(f"{len(tally.keys)} states, {failed} failures, {took:.0f} s")
        sys.stdout.flush()
        if failed >= given.most_failures:
            break
    print(tally)
    for found in tally.failures[:5]:
        small = smallest(found.game)
        print(f"as small as it gets: {small.game} after {small.at} actions")
        print(f"  {small.failed}\n{small.position}", flush=True)
    print(f"{failed} failures, {time.perf_counter() - started:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
