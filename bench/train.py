"""
Learn where rivals of the careful bot's choices gain points, and audit any bot.

``python bench/train.py knocking --write`` makes the family's entry of
``src/rummyvariants/data/advantages.json`` again, from its seed. It lets the careful bot
play itself and other bots, and at some of its decisions plays the *true* state on
twice: with its choice, and with a rival of it. The difference of the acting side's
margins over the others at the end of the round is the gain of the rival; ridge
regression explains it by features that the acting seat can work out from what it sees.
Cross-validation by deals chooses how strong the ridge is, and the margin that a
predicted gain has to exceed.

``python bench/train.py --audit careful --game rummy-500`` asks where a bot's choices
cost points. The rivals are other choices of all kinds. It prints, by kind of deviation,
what rivals gain on average, and what those gain that a regression learned on other
deals picks out. ``--json FILE`` writes it as data.

It needs numpy.
"""

from __future__ import annotations

import argparse
import functools
import json
import random
import sys
import time
import zlib

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import attrs
import numpy as np

import rummyvariants as rv

from audited import Anything, by_views
from rummyvariants._support.packaged import packaged_text
from rummyvariants.bots.advantages import FILE, Family, Kind, Learned, Rival
from rummyvariants.bots.heuristic import careful, greedy
from rummyvariants.bots.search import Player, margin, play_round
from rummyvariants.bots.strong import FAMILIES, improved, strong
from rummyvariants.game._engine.game import do_known, is_legal
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._round import BETWEEN_ROUNDS
from rummyvariants.game._state import Draft, thaw, to_act
from rummyvariants.simulation.processes import processes


HERE = Path(__file__).parent
DATA = HERE.parent / "src" / "rummyvariants" / "data" / FILE
FOLDS = 5
"""How many parts the deals are divided into for the cross-validation."""
RIDGES = (1e-4, 1e-3, 1e-2, 1e-1)
"""The strengths of the ridge that are tried, with features of size 1."""
MARGINS = (*np.arange(0, 6.01, 0.25), 7.0, 8.0, 10.0, 12.0, 15.0)
"""The margins that are tried, in points."""
TRIED = ("playouts", "believes", "whole_turns", "turns")
"""What the file may say of the playouts of a family, as attributes of `Learned`."""
BATCH = 50
"""How many deals a process plays at a time."""
QUICK = {"careful": careful, "greedy": greedy, "strong": strong}
"""Bots that need no view."""
DIGITS = 4
"""How many significant digits of a weight are kept."""


@attrs.frozen
class Table:
    """
    Who plays what.

    Attributes:
        game: The game or the file of its rules.
        players: How many play.
        other: The bot of all seats but one, whose choices have no rivals; if none, the
            player that is trained or audited has all seats.
    """

    game: str
    players: int
    other: str = ""


@attrs.frozen
class Plan:
    """
    How a family is trained.

    Attributes:
        tables: Who plays what.
        rounds: How many deals are played at each table in a pass.
        rates: For each pass, by kind of deviation that is learned in it, the share of
            the rivals that are played out. What was learned in the passes before plays,
            in the first one the careful bot.
        margins: By kind of deviation, the least predicted gain, where it is not the
            one that gains most on held-out deals.
        playouts: How many rounds a decision may play out, at most, where what was
            learned leaves it open.
        believes: Whether in worlds with believed hands.
        whole_turns: Whether the seat that decides lays whole turns in them.
        turns: After how many turns of a seat.
        spreads: By kind of deviation that is played out, by how many points the gains
            differ from the predicted ones.
    """

    tables: tuple[Table, ...]
    rounds: int
    rates: Sequence[Mapping[str, float]]
    margins: Mapping[str, float] = attrs.field(factory=dict)
    playouts: int = 0
    believes: bool = False
    whole_turns: bool = False
    turns: int = 0
    spreads: Mapping[str, float] = attrs.field(factory=dict)


EAAI = str(HERE / "eaai.toml")
PLANS = {
    "laying, rummy-500": Plan(
        (Table("rummy-500", 2),),
        10_000,
        ({"discard": 0.35}, {"take": 1.0}),
        playouts=150,
        turns=5,
        spreads={"discard": 4.0},
    ),
    "laying, rummy-5000": Plan(
        (Table("rummy-5000", 4),),
        12_000,
        ({"discard": 0.35, "take": 1.0},),
        margins={"discard": 10.0},
        playouts=200,
        believes=True,
        whole_turns=True,
        spreads={"discard": 15.0, "take": 55.0},
    ),
    "laying, 2500-house": Plan(
        (Table("2500-house", 4),),
        9000,
        ({"discard": 0.35, "take": 1.0},),
        margins={"discard": 3.75, "take": 15.0},
        playouts=200,
        believes=True,
        spreads={"discard": 20.0, "take": 35.0},
    ),
    "knocking": Plan(
        (Table("gin-rummy", 2), Table(EAAI, 2), Table(EAAI, 2, "greedy")),
        2000,
        ({"knock": 0.6, "take": 0.35, "discard": 0.35},),
    ),
}


@attrs.frozen
class Sample:
    """
    A rival that was played out.

    Attributes:
        deal: The deal, by a number.
        kind: The kind of deviation.
        features: By how much its terms are larger than those of the base choice.
        gain: By how many points the rival did better than the base choice.
    """

    deal: int
    kind: str
    features: Mapping[str, float]
    gain: float


@attrs.frozen
class Branching:
    """
    What is played out: rounds of a player with itself, and rivals of its choices.

    Attributes:
        table: Who plays what.
        seed: The seed of the deals and of the choice of rivals.
        family: Who names the rivals.
        rates: By kind of deviation, the share of the rivals that are played out; the
            share of the other kinds is the one at the empty name.
        player: Who plays: the name of a bot, or what has been learned so far.
    """

    table: Table
    seed: str
    family: Family
    rates: Mapping[str, float]
    player: str | Learned

    def samples(self, numbers: range) -> list[Sample]:
        """
        The samples of some deals.
        """
        table = self.table
        rules = rules_of(table.game)
        found = []
        for number in numbers:
            name = f"{self.seed}/{Path(table.game).stem}/{table.other}/{number}"
            start = rv.new_game(rules, table.players, seed=name)
            rng = random.Random(f"{name}/rivals")
            mine = {number % table.players} if table.other else {*range(table.players)}
            found += self._of(start, mine, zlib.crc32(name.encode()), rng)
        return found

    def _of(
        self, start: rv.State, mine: set[int], deal: int, rng: random.Random
    ) -> Iterator[Sample]:
        """
        The samples of a deal in which some seats have the player.
        """
        player, other = player_of(self.player), player_of(self.table.other or "careful")

        def one(state: AnyState, seat: int) -> rv.Action:
            return (player if seat in mine else other)(state, seat)

        draft = thaw(start)
        open_: list[tuple[Draft, int, Rival, rv.Action | None]] = []
        while draft.phase not in BETWEEN_ROUNDS:
            seat = to_act(draft)[0]
            chosen = one(draft, seat)
            if seat in mine:
                # What has been learned is compared with the careful bot's choice.
                known = isinstance(self.player, Learned)
                base = careful(draft, seat) if known else chosen
                for rival in self.family.rivals(draft, seat, base, self.rates):
                    rate = self.rates.get(rival.kind, self.rates.get("", 0.0))
                    if rng.random() < rate and is_legal(draft, rival.action):
                        against = None if base == chosen else base
                        open_.append((thaw(draft), seat, rival, against))
            do_known(draft, chosen)
        for before, seat, rival, against in open_:
            usual = draft if against is None else played(before, against, one)
            after = played(before, rival.action, one)
            gain = margin(after, seat) - margin(usual, seat)
            terms = terms_of(self.family, rival.kind) or tuple(rival.features)
            more = dict(zip(terms, rival.more(terms), strict=True))
            yield Sample(deal, rival.kind, more, gain)


@functools.cache
def terms_of(family: Family, kind: str) -> tuple[str, ...]:
    """
    The terms that the package's data file names; none if it has no such kind.
    """
    known = json.loads(packaged_text("data", FILE)).get(family.name, {"kinds": {}})
    return tuple(known["kinds"].get(kind, {"weights": ()})["weights"])


def played(before: Draft, action: rv.Action, player: Player) -> Draft:
    """
    A round played to its end after an action.
    """
    draft = thaw(before)
    do_known(draft, action)
    play_round(draft, player)
    return draft


@functools.cache
def rules_of(game: str) -> rv.Ruleset:
    """
    The rules of a game, or of a file.
    """
    return rv.load_rules(game) if game.endswith(".toml") else rv.preset(game)


def player_of(what: str | Learned) -> Player:
    """
    The player of a name, or of what has been learned.
    """
    if isinstance(what, Learned):
        return lambda state, seat: improved(state, seat, what, careful(state, seat))
    return QUICK.get(what) or by_views(what)


def branched(
    branching: Branching, rounds: int, executor: Executor | None, label: str
) -> list[Sample]:
    """
    The samples of so many deals, with the progress on the standard error.
    """
    parts = [range(at, min(at + BATCH, rounds)) for at in range(0, rounds, BATCH)]
    run = map if executor is None else executor.map
    found: list[Sample] = []
    begun = time.monotonic()
    for done, samples in enumerate(run(branching.samples, parts), 1):
        found += samples
        spent = time.monotonic() - begun
        deals = min(done * BATCH, rounds)
        said = f"\r{label}: {deals} of {rounds} deals, {len(found)} rivals"
        print(f"{said}, {spent:.0f} s ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


# ------------------------------------------------------------------------- learning


def ridge(features: np.ndarray, gains: np.ndarray, strength: float) -> np.ndarray:
    """
    The weights of a ridge regression without an intercept of its own.

    Args:
        features: A row for each sample.
        gains: What each gained.
        strength: The penalty on squared weights, for features of size 1 (the root of
            their mean square), in mean squared errors.
    """
    sizes = np.sqrt((features**2).mean(axis=0))
    sizes[sizes == 0] = 1.0
    scaled = features / sizes
    square = scaled.T @ scaled / len(scaled) + strength * np.eye(scaled.shape[1])
    return np.linalg.solve(square, scaled.T @ gains / len(scaled)) / sizes


@attrs.frozen
class Fit:
    """
    A regression, and how its predictions do on deals that it has not seen.

    Attributes:
        weights: The weights of the terms, learned from all deals.
        margin: The margin that gains most.
        samples: The number of samples.
        mean: The mean gain of all rivals.
        mean_half: Half of its 95 % interval over the deals.
        picked: The share of the rivals with a predicted gain above the margin.
        gain: The gain of the picked rivals as a mean over all, the others counting 0.
        gain_half: Half of its 95 % interval over the deals.
    """

    weights: Mapping[str, float]
    margin: float
    samples: int
    mean: float
    mean_half: float
    picked: float
    gain: float
    gain_half: float


def fit(samples: Sequence[Sample]) -> Fit:
    """
    Fit the gains of samples of one kind.

    The ridge with the least squared error on held-out deals is chosen, then the margin
    that gains most there.
    """
    features = np.array([[*one.features.values()] for one in samples])
    gains = np.array([one.gain for one in samples])
    deals = np.array([one.deal for one in samples])
    folds = deals % FOLDS
    tried = []
    for strength in RIDGES:
        held_out = np.zeros(len(gains))
        for fold in range(FOLDS):
            train = folds != fold
            if train.any() and not train.all():
                weights = ridge(features[train], gains[train], strength)
                held_out[~train] = features[~train] @ weights
        error = float(((gains - held_out) ** 2).mean())
        tried.append((error, strength, held_out))
    _, strength, held_out = min(tried, key=lambda one: one[:2])
    weights = ridge(features, gains, strength)
    gained = [float(gains[held_out > one].sum()) for one in MARGINS]
    limit = float(MARGINS[int(np.argmax(gained))])
    picked = held_out > limit
    mean, mean_half = over_deals(gains, deals)
    gain, gain_half = over_deals(gains * picked, deals)
    return Fit(
        dict(zip(samples[0].features, map(rounded, weights), strict=True)),
        limit,
        len(gains),
        mean,
        mean_half,
        float(picked.mean()),
        gain,
        gain_half,
    )


def over_deals(values: np.ndarray, deals: np.ndarray) -> tuple[float, float]:
    """
    The mean of some values, and half of its 95 % interval where deals are independent.
    """
    mean = float(values.mean())
    _, which = np.unique(deals, return_inverse=True)
    off = np.bincount(which, weights=values - mean)
    number = len(off)
    if number < 2:
        return mean, float("inf")
    spread = number / (number - 1) * float((off**2).sum())
    return mean, 1.96 * spread**0.5 / len(values)


def rounded(value: float) -> float:
    """
    A weight as it is written.
    """
    return float(f"{value:.{DIGITS}g}")


def by_kind(samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    """
    The samples by kind of deviation, in the order of the alphabet.
    """
    found = defaultdict(list)
    for one in samples:
        found[one.kind].append(one)
    return dict(sorted(found.items()))


def learn(
    family: Family, plan: Plan, seed: str, executor: Executor | None = None
) -> tuple[Learned, dict[str, Fit]]:
    """
    What a family's plan learns from a seed, and the fits of all passes.
    """
    conditions = []
    for table in plan.tables:
        found = family.conditions(rules_of(table.game), table.players)
        if found is None:
            msg = f"{table.game} is no game of the family {family.name}"
            raise ValueError(msg)
        if found not in conditions:
            conditions.append(found)
    player: str | Learned = "careful"
    fits: dict[str, Fit] = {}
    for number, rates in enumerate(plan.rates):
        samples = []
        for table in plan.tables:
            branching = Branching(table, f"{seed}/{number}", family, rates, player)
            label = f"pass {number + 1}, {Path(table.game).stem} {table.other}"
            samples += branched(branching, plan.rounds, executor, label)
        fits |= {kind: fit(some) for kind, some in by_kind(samples).items()}
        player = Learned(
            family,
            {
                kind: Kind(
                    one.weights,
                    plan.margins.get(kind, one.margin),
                    plan.spreads.get(kind),
                )
                for kind, one in fits.items()
                if one.gain > 0
            },
            tuple(conditions),
            **{name: getattr(plan, name) for name in TRIED},
        )
    assert isinstance(player, Learned)  # noqa: S101 -- there is a pass
    return player, fits


def document(learned: Learned) -> dict[str, Any]:
    """
    What was learned of a family, as the data file has it.
    """
    tried = {name: getattr(learned, name) for name in TRIED}
    return {
        "conditions": list(learned.conditions),
        **(tried if learned.playouts else {}),
        "kinds": {
            kind: {
                "margin": one.margin,
                **({} if one.spread is None else {"spread": one.spread}),
                "weights": one.weights,
            }
            for kind, one in learned.kinds.items()
        },
    }


def write(learned: Learned, path: Path = DATA) -> None:
    """
    Put what was learned of a family into the data file.
    """
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    known[learned.family.name] = document(learned)
    text = json.dumps(dict(sorted(known.items())), indent=1)
    path.write_text(text + "\n", "utf-8")


def tabular(fits: Mapping[str, Fit]) -> str:
    """
    Fits as a table in Markdown.
    """
    rows = [
        "| deviation | rivals | mean gain of all | picked | gain of the picked |",
        "| :-- | --: | :-- | --: | :-- |",
    ]
    rows += [
        f"| {kind} | {one.samples} | {one.mean:+.2f} ± {one.mean_half:.2f} "
        f"| {100 * one.picked:.1f} % | {one.gain:+.2f} ± {one.gain_half:.2f} |"
        for kind, one in fits.items()
    ]
    return "\n".join(rows)


def plain(fit: Fit) -> dict[str, Any]:
    """
    A fit as JSON has it; half an interval that cannot be worked out is null.
    """
    data = attrs.asdict(fit)
    return {name: None if one == float("inf") else one for name, one in data.items()}


# --------------------------------------------------------------------------- asking


def main() -> int:
    """
    Learn, or audit.
    """
    families = {family.name: family for family in FAMILIES}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("family", nargs="?", choices=PLANS, help="what to learn")
    parser.add_argument("--audit", metavar="BOT", help="a bot to audit instead")
    parser.add_argument("--game", default="rummy-500", help="the game of the audit")
    parser.add_argument("--players", type=int, default=2, help="how many play in it")
    parser.add_argument("--rounds", type=int, help="deals of each table")
    parser.add_argument("--rate", type=float, default=0.1, help="rivals audited, share")
    parser.add_argument("--seed", default="training")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="put it into the package")
    parser.add_argument("--json", type=Path, help="where to write an audit as data")
    asked = parser.parse_args()
    if (asked.family is None) == (asked.audit is None):
        parser.error("name a family to learn, or a bot with --audit")
    if asked.audit and asked.write:
        parser.error("an audit writes nothing into the package: use --json")
    if asked.rounds is not None and asked.rounds < 2:
        parser.error("--rounds has to be 2 at least")
    with processes(asked.processes) as executor:
        if asked.audit:
            branching = Branching(
                Table(asked.game, asked.players),
                asked.seed,
                Anything(),
                {"": asked.rate},
                asked.audit,
            )
            rounds = asked.rounds or 500
            samples = branched(branching, rounds, executor, asked.audit)
            fits = {kind: fit(some) for kind, some in by_kind(samples).items()}
        else:
            plan = PLANS[asked.family]
            plan = attrs.evolve(plan, rounds=asked.rounds or plan.rounds)
            learned, fits = learn(families[asked.family], plan, asked.seed, executor)
            if asked.write:
                write(learned)
    print(tabular(fits))
    if asked.json:
        data = {kind: plain(one) for kind, one in fits.items()}
        asked.json.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
