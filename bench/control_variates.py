"""
Find out whether the luck of the deal, as control variates, would narrow our intervals.

The cards that are dealt before anybody decides have known means: what a seat has above
another is zero in the mean, since hands may be exchanged, and what all seats have
together follows from the deck. So a measure may be corrected by them. This prints for
each measure the share of its variance between deals that they explain (R², adjusted for
the number of covariates). It is worth having from 20 % on.

Games, measures, covariates, deals and that bound were fixed before the first run.
"""

from __future__ import annotations

import statistics

from collections.abc import Sequence
from typing import Final

import numpy as np

import rummyvariants as rv

from rummyvariants.bots import bot
from rummyvariants.bots.base import sources_of
from rummyvariants.simulation.measures import measure
from rummyvariants.simulation.rows import GameRow
from rummyvariants.simulation.runs import simulate
from rummyvariants.simulation.skill import leads_by_deal


SEED: Final = "control variates"
DEALS: Final = 300
MATCHES: Final = 200
GAMES: Final = (
    ("gin-rummy", 2, "GRV-06"),
    ("rummy-500", 2, "R5V-04"),
    ("rummy-500", 4, "R5V-04"),
    ("rummy-5000", 4, "PGV-C2a"),
)
"""Games, numbers of players, and the option that each is compared with."""
MEASURES: Final = ("points", "turns", "spread", "first_advantage", "dealer_advantage")
WORTH: Final = 0.2


def hands_of(state: rv.State) -> list[tuple[int, ...]]:
    """
    What each seat was dealt, in numbers; see `luck`.
    """
    wild = state.dealt.terms.wild
    views = [rv.view(state, seat) for seat in range(len(state.players))]
    return [
        (
            view.deadwood_points,
            len(view.deadwood),
            sum(view.points(card) for card in view.hand),
            sum(wild[card.code] for card in view.hand),
        )
        for view in views
    ]


def above(values: Sequence[float], seat: int) -> float:
    """
    What a seat has above the mean of the others.
    """
    others = [one for at, one in enumerate(values) if at != seat]
    return values[seat] - statistics.fmean(others)


def luck(state: rv.State) -> list[float]:
    """
    The covariates of a round that has just been dealt.

    For points and number of the unmatched cards, points of all cards and number of
    wilds: the sum over all seats, what the first to play has above the mean of the
    others, and the same of the dealer.
    """
    players = len(state.players)
    dealer = state.dealer or 0
    hands = hands_of(state)
    found = []
    for values in zip(*hands, strict=True):
        found.append(float(sum(values)))
        found += [above(values, seat) for seat in ((dealer + 1) % players, dealer)]
    return found


def explained(values: Sequence[float], covariates: Sequence[Sequence[float]]) -> float:
    """
    The share of the variance that covariates explain, adjusted for their number.
    """
    y = np.asarray(values, dtype=float)
    x = np.asarray(covariates, dtype=float)
    x = x[:, x.std(axis=0) > 0]
    x = np.column_stack([np.ones(len(y)), x])
    rank = int(np.linalg.matrix_rank(x))
    fit, *_ = np.linalg.lstsq(x, y, rcond=None)
    rest = float(((y - x @ fit) ** 2).sum()) / (len(y) - rank)
    return 1 - rest / float(y.var(ddof=1))


def won(rules: rv.Ruleset, players: int, deal: int) -> tuple[float, list[float]]:
    """
    Whether the first to play wins a match of equal bots, and the luck of its rounds.
    """
    seed = f"{SEED}/{deal}"
    player, sources = bot("greedy"), sources_of(seed, players)
    state = rv.new_game(rules, players, seed=seed)
    first = ((state.dealer or 0) + 1) % players
    total = [0.0] * len(hands_of(state)[0])
    dealt = 0
    while not state.is_over:
        if state.phase == "deal":
            state = rv.deal(state)
            continue
        if state.round_number != dealt:
            dealt = state.round_number
            for at, values in enumerate(zip(*hands_of(state), strict=True)):
                total[at] += above(values, first)
        seat = state.to_act[0]
        choice = player.choose(rv.view(state, seat), sources[seat])
        state = rv.apply(state, choice, seat)
    return float(state.winners == (first,)), total


def rows_of(rules: rv.Ruleset, bots: Sequence[str], players: int) -> list[GameRow]:
    """
    The first rounds of matches, each deal in every order of the bots' seats.
    """
    games = DEALS * len({*bots})
    return list(
        simulate(rules, bots, games=games, players=players, seed=SEED, unit="round")
    )


def main() -> None:
    """
    Print the shares.
    """
    for name, players, option in GAMES:
        rules = rv.preset(name)
        other = rules.with_options(option)
        dealt = [
            luck(rv.new_game(rules, players, seed=f"{SEED}/{deal}"))
            for deal in range(DEALS)
        ]
        found = {}
        mirrored = leads_by_deal(
            rows_of(rules, ("careful", "greedy"), players), "careful", "greedy"
        )
        found["lead of careful over greedy, seats exchanged"] = (
            [mirrored[deal][0] for deal in mirrored],
            [dealt[deal] for deal in mirrored],
        )
        matches = [won(rules, players, deal) for deal in range(MATCHES)]
        found["matches won by the first to play (greedy)"] = (
            [one for one, _ in matches],
            [total for _, total in matches],
        )
        equal = rows_of(rules, ("careful",), players)
        twins = rows_of(other, ("careful",), players)
        whole = [at for at, row in enumerate(equal) if row.rounds and twins[at].rounds]
        for key in MEASURES:
            of = measure(key).of
            found[key] = (
                [of(equal[at]) for at in whole],
                [dealt[at] for at in whole],
            )
            found[f"{key}, {option} less without"] = (
                [of(twins[at]) - of(equal[at]) for at in whole],
                [dealt[at] for at in whole],
            )
        print(f"{name}, {players} players")
        for what, (values, covariates) in found.items():
            share = explained(values, covariates)
            mark = " *" if share >= WORTH else ""
            print(f"  {what:55} {100 * share:6.1f} %{mark}", flush=True)


if __name__ == "__main__":
    main()
