"""
Options put together at random, each set played to the end of a match.

``python tests/composition.py --sets 10000 --seed 1 --processes 2`` plays so many sets
and reports what it found: how many were played, how many refused and why, and each
failure as small as it could be made.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import itertools
import random
import re
import sys
import time

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs

import choosing
import invariants
import keeping
import naive
import naive_turns
import rummyvariants as rv

from rummyvariants.rules._variants import SECTIONS
from rummyvariants.testing import check_rules, play_match


GAMES = tuple(
    one
    for one in rv.presets()
    if not (rv.preset(one).draw.melds_top or rv.preset(one).settled.forbids_plays)
)
OPTIONS = tuple(one for one in rv.options() if not one.startswith("CAV-"))
"""What the general twins know; Canasta has a twin of its own, in `naive_canasta`, and
house rules of a game that judge plays have none."""

CANASTA = tuple(one for one in rv.options() if one not in OPTIONS)
"""The options of Canasta, which the general twins do not know."""


LIMIT = 400
"""After how many actions a match of the suite is left as it is."""


@attrs.frozen
class Sample:
    """
    A game to be played.

    Attributes:
        base: The preset.
        options: The options put on it.
        values: Single policy values put on top: short matches, small decks, and some
            that no option sets.
        players: How many play.
        seed: What deals and choices come from.
        limit: After how many actions a match is left as it is: players who choose at
            random may sink for ever.
    """

    base: str
    options: tuple[str, ...] = ()
    values: Mapping[str, Any] = attrs.field(factory=dict)
    players: int = 3
    seed: int = 0
    limit: int = LIMIT

    def rules(self) -> rv.Ruleset:
        """
        The rules of the game.

        Raises:
            RulesError: If the options or values do not go together.
        """
        return rv.preset(self.base).with_options(*self.options).with_values(self.values)

    def play(self) -> rv.State:
        """
        Play a match, every invariant checked.
        """
        return play_match(
            self.rules(), self.players, self.seed, self.limit, every=20, look=look
        )


def look(state: rv.State, number: int) -> None:
    """
    What the plain twins of the tests say of a state, as far as they know its rules.
    """
    if not is_known(state.rules):
        look_alone(state, number)
        return
    if number % 5 == 0 or state.is_round_over:
        invariants.look_at(state)
    if number % 15 == 0 and state.to_act and is_small(state):
        look_closely(state)


def is_known(rules: rv.Ruleset) -> bool:
    """
    Whether the general twins know all the rules of a game.
    """
    return not rules.draw.melds_top and not {
        one.partition("=")[0] for one in rules.options
    }.intersection(CANASTA)


def look_alone(state: rv.State, number: int) -> None:
    """
    What can be said of a state without a twin, beside what the test kit says.

    It reads back as JSON and as a record, its views lead to worlds that look the same,
    and what is listed can be chosen.
    """
    chance = random.Random(number)
    if number % 20 == 3 or state.is_over:
        keeping.keeps(state, chance, phases=())
        for seat in range(len(state.players)):
            view = rv.view(state, seat)
            assert rv.view(rv.determinize(view, chance), seat) == view
    if number % 20 == 13 and state.to_act:
        choosing.look_at_some(state, chance)
    if state.result is not None and state.is_round_over:
        assert sum(state.side_scores) == sum(state.final_scores)
        assert sum(state.payments) == 0


def is_small(state: rv.State) -> bool:
    """
    Whether there is so little at hand that everything can be tried.
    """
    terms = state.dealt.terms
    for seat in state.to_act:
        cards = list(state.hands[seat])
        if state.phase in {"draw", "call"}:
            cards += state.discards
        wilds = sum(terms.wild[card.code] for card in cards)
        if len(cards) > 5 - 2 * wilds or wilds > 1:
            return False
    return len(state.table) <= 3


def look_closely(state: rv.State) -> None:
    """
    Compare what is legal with all that could be written, tried by brute force.
    """
    listed = {outcome(rv.apply(state, one)) for one in rv.legal_actions(state)}
    found = {
        outcome(rv.apply(state, action))
        for action, ruling in invariants.ruled(state, naive_turns.Judge(state))
        if ruling
    }
    assert found == listed, f"listed is one thing, legal another: {found ^ listed}"


def outcome(state: rv.State) -> tuple[object, ...]:
    """
    What a state is, but for two wilds exchanged and the order of a set.

    Melds that are laid or shown together may be named in any order.
    """
    rules = naive.MeldRules.of(state) if state.dealer is not None else None
    melds = [one for one in (*state.table, state.dealer_wild) if one is not None]
    found = [
        (
            one.kind,
            one.kind == "wild" or naive.meaning_of(rules, one),
            tuple(sorted((str(card.card), card.seat) for card in one.laid)),
        )
        for one in melds
    ]
    meld = state.rules.meld
    if meld.contracts or meld.runs_apart or meld.concealed:
        found.sort(key=str)
    return (
        state.phase,
        state.to_act,
        state.turn,
        state.hands,
        state.discards,
        len(state.stock),
        state.drawn,
        state.floating,
        state.scores,
        *state.dropped.items(),
        *found,
    )


# ------------------------------------------------------------------- random games


def sample(seed: int, limit: int = LIMIT) -> Sample:
    """
    A random game, which may be impossible.
    """
    chance = random.Random(f"composition {seed}")
    names = list(OPTIONS)
    chosen = chance.sample(names, chance.randint(0, 8))
    base = chance.choice(GAMES)
    if chance.random() < 0.04:
        # The choice between two cards and twelve needs much to come together.
        chosen = ["PGV-D3e", "PGV-C2a", *chosen[:2]]
        chosen = list(dict.fromkeys(chosen))
        base = "rummy-5000"
    values: dict[str, Any] = {"match.target": chance.randint(5, 200)}
    players = chance.randint(2, 8)
    for_two = rv.preset(base).match.players == (2, 2)
    if for_two and chance.random() < 0.9:
        players = 2
    if rv.preset(base).match.sides != "none" or "R5V-47" in chosen:
        players = chance.choice([4, 4, players])
    if chance.random() < 0.6:
        values |= _small(chance, players)
        if for_two:
            values.pop("match.players", None)
    if chance.random() < 0.3:
        for _ in range(chance.randint(1, 3)):
            values |= _any_value(chance)
    if rv.preset(base).meld.contracts and chance.random() < 0.6:
        values |= for_contracts(chance)
    if rv.preset(base).out.runs and chance.random() < 0.6:
        values |= for_lives(chance)
        if chance.random() < 0.5:
            values |= {"out.first_drop": "never", "out.later_drop": "never"}
    if "PGV-D7" in chosen:
        values.setdefault("deal.hand_size", 3)
        values.setdefault("deal.upcard_counts", dict.fromkeys("3456789TJQKA", 2))
    return Sample(
        base,
        tuple(_with_argument(chance, one) for one in chosen),
        values,
        players,
        seed,
        limit,
    )


def with_canasta(seed: int, limit: int = LIMIT) -> Sample:
    """
    A random game of Canasta or, now and then, another one with options of Canasta.

    It may be impossible.
    """
    chance = random.Random(f"composition with canasta {seed}")
    names = chance.sample(CANASTA, chance.randint(1, 6))
    chosen = [of_canasta(chance, one) for one in names]
    if chance.random() < 0.25:
        other = sample(seed, limit)
        return attrs.evolve(other, options=(*other.options, *chosen))
    players = chance.randint(2, 4)
    general = chance.sample(OPTIONS, chance.choice([0, 0, 1, 2, 3]))
    values = small_canasta(chance)
    if chance.random() < 0.5:
        for _ in range(chance.randint(1, 3)):
            values |= _any_value(chance)
    return Sample(
        "canasta",
        (*chosen, *(_with_argument(chance, one) for one in general)),
        values,
        players,
        seed,
        limit,
    )


def of_canasta(chance: random.Random, name: str) -> str:
    return f"{name}={chance.randint(1, 3)}" if rv.options()[name].argument else name


def small_canasta(chance: random.Random) -> dict[str, Any]:
    """
    Canasta with few cards, of which few make a canasta.

    All of it is what `naive_canasta` knows.
    """
    ranks = chance.sample("456789TJQKA", chance.randint(2, 5))
    threes = chance.random() < 0.5
    values: dict[str, Any] = {
        "deck.ranks": "".join(["23" if threes else "2", *ranks]),
        "deck.packs": chance.choice([1, 2, 2, 3]),
        "deck.jokers": chance.randint(0, 2),
        "deal.hand_size": chance.randint(2, 6),
        # Whether four black threes might be a canasta is left open.
        "out.canasta": chance.randint(5 if threes else 3, 6),
        "out.canastas": chance.choice([1, 1, 2]),
        "match.target": chance.choice([200, 600, 1500]),
        "meld.minimum": chance.choice(
            [{-100_000: 15}, {0: 15, 300: 40}, {-100_000: 15, 0: 50}]
        ),
    }
    if chance.random() < 0.3:
        values["deck.suits"] = "".join(chance.sample("cdhs", 3))
    if chance.random() < 0.2:
        values["out.ask"] = False
    if chance.random() < 0.2:
        values["draw.from_stock"] = chance.randint(1, 3)
    return values


def for_contracts(chance: random.Random) -> dict[str, Any]:
    """
    Contracts of few cards, and all that may be said about them.
    """
    groups = ["set 2", "run 2", "set 3", "run 3"]
    return {
        "deal.by_round": {1: chance.randint(3, 4), 2: chance.randint(2, 5)},
        "match.rounds": 3,
        "meld.least_set": 2,
        "meld.least_run": 2,
        "meld.contracts": [
            ", ".join(chance.choices(groups, weights=[4, 4, 1, 1], k=number))
            for number in chance.choices([1, 2, 2, 2, 3], k=2)
        ],
        "meld.contract_size": chance.choice(["exactly", "at least"]),
        "meld.last_contract": chance.choice(
            ["like the others", "the whole hand", "all but a discard"]
        ),
        "meld.runs_apart": chance.random() < 0.6,
        "meld.further": chance.random() < 0.3,
        "meld.ace": chance.choice(["high or low", "high", "low", "round the corner"]),
        "layoff.since": chance.choice(["the same turn", "the next turn"]),
        "wild.swap_in": chance.choice(["any meld", "runs"]),
        "wild.swapped": chance.choice(
            ["kept", "used at once", "used at once", "moved to an end"]
        ),
        "call.buy_price": chance.randint(1, 2),
        "call.buys": chance.choice([{}, {1: 1}, {1: 2, 2: 1}]),
        "wild.by_naturals": chance.choice([{}, {}, {1: 1, 2: 2}, {2: 1, 3: 3}]),
        "wild.between": chance.choice([0, 0, 1, 2]),
        "call.own_discard": chance.random() < 0.3,
        "call.buys_again": chance.random() < 0.4,
        "call.buy_order": chance.choice(["in turn", "first to speak"]),
        "call.melded_buys": chance.random() < 0.5,
    }


def for_lives(chance: random.Random) -> dict[str, Any]:
    """
    Runs that a declaration of a few cards may have, at prices that end a small pool.
    """
    runs = chance.randint(0, 2)
    return {
        "deal.by_round": {1: chance.choice([2, 2, 3, 4])},
        "meld.least_run": 2,
        "out.runs": runs,
        "out.pure_runs": chance.randint(0, runs),
        "out.long_run": chance.choice([0, 0, 3]),
        "out.wrong_declaration": chance.choice(["refused", "refused", 80]),
        "out.last_turn": chance.random() < 0.2,
        "match.rounds": 2,
    }


def _with_argument(chance: random.Random, name: str) -> str:
    option = rv.options()[name]
    if option.argument == "score.special":
        card = chance.choice(["Qs", "2c", "Ah", "Js", "Td", "*"])
        return f"{name}={card}:{chance.choice([45, 0, 150])}"
    if option.default and not option.default.isdecimal():
        return option.example  # two numbers, or a word
    if option.argument == "call.buys":
        return f"{name}={chance.randint(0, 3)}:{chance.randint(0, 3)}"
    if option.argument:
        return f"{name}={chance.randint(1, 300)}"
    return name


def _small(chance: random.Random, players: int) -> dict[str, Any]:
    """
    Small decks and hands, so that redeals, empty stocks and idle rounds come up.
    """
    values: dict[str, Any] = {"stock.idle_rounds": chance.randint(1, 3)}
    hand = chance.randint(2, 6)
    values["deal.hand_size"] = hand
    values["deal.upcard_counts"] = {
        rank: max(1, hand + chance.randint(-2, 2)) for rank in "A23456789TJQK"
    }
    if chance.random() < 0.5:
        values["deal.by_round"] = {1: chance.randint(2, 3), 2: hand}
    if chance.random() < 0.5:
        ranks = chance.sample("A23456789TJQK", chance.randint(5, 11))
        values["deck.ranks"] = "".join(ranks)
    if chance.random() < 0.3:
        values["deck.suits"] = "".join(chance.sample("cdhs", chance.randint(2, 3)))
    if chance.random() < 0.4:
        values["deck.packs"] = 1 + players * (hand + 2) // 60 + chance.randint(0, 1)
    if chance.random() < 0.3:
        values["match.players"] = [2, 8]
    return values


def _any_value(chance: random.Random) -> dict[str, Any]:
    """
    A policy value at random, whether an option sets it or not.
    """
    section = chance.choice(list(SECTIONS))
    name = chance.choice(list(SECTIONS[section].values()))
    field = SECTIONS[section].values()[name]
    given: Any
    if isinstance(field.default, bool):
        given = chance.random() < 0.5
    elif (section, name) == ("meld", "contracts"):
        given = ["set 3", "run 3, set 2"][: chance.randint(1, 2)]
    elif (section, name) == ("discard", "keep"):
        given = ["Qs", "*"]
    else:
        words = re.findall(r"'([^']+)'", field.metadata["takes"])
        if not words or name in {"suits", "ranks"}:
            return {}
        given = chance.choice(words)
    return {f"{section}.{name}": given}


# ------------------------------------------------------------------------ playing


@attrs.frozen
class Found:
    """
    What came of a game.

    Attributes:
        sample: The game.
        refused: Why it cannot be, if it cannot.
        failed: What did not hold, if anything.
        actions: How many actions were played.
        marks: What came up in it.
        seconds: How long it took.
    """

    sample: Sample
    refused: str = ""
    failed: str = ""
    actions: int = 0
    marks: tuple[str, ...] = ()
    seconds: float = 0.0


def try_out(game: Sample) -> Found:
    """
    Play a game, and report what came of it.
    """
    started = time.perf_counter()
    try:
        rules = game.rules()
        rv.game.begin(rules, game.players, seed=game.seed)
    except rv.errors.RulesError as error:
        return Found(game, refused=reason_of(error))
    try:
        if game.seed % 10 == 0:
            check_rules(rules)
        state = game.play()
    except AssertionError as error:
        return Found(game, failed=str(error), seconds=time.perf_counter() - started)
    return Found(
        game,
        actions=len(state.history),
        marks=tuple(marks_of(state)),
        seconds=time.perf_counter() - started,
    )


def marks_of(state: rv.State) -> Iterator[str]:
    """
    What came up in a match, to know that a run has met all of it.
    """
    yield "over" if state.is_over else "cut off"
    kinds = {type(action).__name__ for action in state.history}
    yield from (f"action {kind}" for kind in sorted(kinds))
    if state.match.thrown_in >= 200:
        yield "no deal came about"
    deals = sum(isinstance(action, rv.actions.Deal) for action in state.history)
    if deals > state.round_number:
        yield "deal thrown in"
    if state.result is not None:
        yield f"ended {state.result.how}"
    if len(state.winners) > 1:
        yield "joint winners"


def reason_of(error: rv.errors.RulesError) -> str:
    """
    A refusal, the names and numbers in it left out.
    """
    text = error.problems[0].partition(": ")[0]
    text = re.sub(r"\b[A-Z][A-Z0-9]{2}-[A-Z]?\d+[a-e]?(=\S+)?", "...", text)
    return re.sub(r"\d+", "N", text)


def shrink(game: Sample) -> Sample:
    """
    The smallest game that fails like a given one.
    """

    def fails(other: Sample) -> bool:
        return bool(try_out(other).failed)

    smaller = True
    while smaller:
        smaller = False
        for other in _smaller(game):
            if fails(other):
                game, smaller = other, True
                break
    for seed in range(20):
        if seed >= game.seed >= 0:
            break
        other = attrs.evolve(game, seed=seed)
        if fails(other):
            game = other
            break
    return game


def _smaller(game: Sample) -> Iterator[Sample]:
    for at in range(len(game.options)):
        rest = (*game.options[:at], *game.options[at + 1 :])
        yield attrs.evolve(game, options=rest)
    for path in game.values:
        values = {key: one for key, one in game.values.items() if key != path}
        yield attrs.evolve(game, values=values)
    for players in range(2, game.players):
        yield attrs.evolve(game, players=players)


# --------------------------------------------------------------------- the command


def main() -> int:
    """
    Play so many sets.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--sets", type=int, default=300, help="how many are played")
    parser.add_argument("--seed", type=int, default=0, help="where the seeds begin")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--limit", type=int, default=1500, help="actions in a match")
    parser.add_argument("--most-failures", type=int, default=20)
    parser.add_argument("--canasta", action="store_true", help="of Canasta alone")
    given = parser.parse_args()
    sampler = with_canasta if given.canasta else sample
    played = 0
    refused: Counter[str] = Counter()
    marks: Counter[str] = Counter()
    failures: list[Found] = []
    slowest: list[tuple[float, int]] = []
    started = time.perf_counter()
    for found in _all(sampler, given.seed, given.limit, given.processes):
        if found.refused:
            refused[found.refused] += 1
            continue
        played += 1
        marks.update(found.marks)
        slowest = sorted([*slowest, (found.seconds, found.sample.seed)])[-5:]
        if found.failed:
            failures.append(found)
            print(f"FAILED {found.sample}\n  {found.failed}", flush=True)
        if played % 500 == 0:
            took = time.perf_counter() - started
            print(f"{played} played, {len(failures)} failed, {took:.0f} s", flush=True)
        if played >= given.sets or len(failures) >= given.most_failures:
            break
    print(f"{played} sets played, {len(failures)} failed")
    print(f"{refused.total()} sets refused:")
    for reason, number in refused.most_common():
        print(f"  {number:6} {reason}")
    print("what came up:")
    for mark, number in sorted(marks.items()):
        print(f"  {number:6} {mark}")
    print("slowest:", ", ".join(f"{took:.1f} s ({seed})" for took, seed in slowest))
    for found in failures[:5]:
        print(f"as small as it gets: {shrink(found.sample)}", flush=True)
    return 1 if failures else 0


def _all(
    sampler: Callable[[int, int], Sample], seed: int, limit: int, processes: int
) -> Iterator[Found]:
    """
    What came of one game after another, in any order.
    """
    games = (sampler(one, limit) for one in itertools.count(seed))
    if processes == 1:
        yield from map(try_out, games)
        return
    with concurrent.futures.ProcessPoolExecutor(processes) as pool:
        try:
            while True:
                batch = list(itertools.islice(games, 256 * processes))
                yield from pool.map(try_out, batch, chunksize=8)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


if __name__ == "__main__":
    sys.exit(main())
