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

from rummyvariants.simulation.measures import measure
from rummyvariants.simulation.rows import GameRow
from rummyvariants.simulation.runs import simulate
from rummyvariants.simulation.skill import _by_deal


SEED: Final = "control variates"
DEALS: Final = 300
GAMES: Final = (
    ("gin-rummy", 2, "GRV-06"),
    ("rummy-500", 2, "R5V-04"),
    ("rummy-500", 4, "R5V-04"),
    ("rummy-5000", 4, "PGV-C2a"),
)
"""Games, numbers of players, and the option that each is compared with."""
MEASURES: Final = ("points", "turns", "spread", "first_advantage", "dealer_advantage")
WORTH: Final = 0.2


def luck(rules: rv.Ruleset, players: int, deal: int) -> list[float]:
    """
    The covariates of a deal.

    For points and number of the unmatched cards, points of all cards and number of
    wilds: the sum over all seats, what the first to play has above the mean of the
    others, and the same of the dealer.
    """
    state = rv.new_game(rules, players, seed=f"{SEED}/{deal}")
    dealer = state.dealer or 0
    hands = []
    for seat in range(players):
        view = rv.view(state, seat)
        wild = state.dealt.terms.wild
        hands.append(
            (
                view.deadwood_points,
                len(view.deadwood),
                sum(view.points(card) for card in view.hand),
                sum(wild[card.code] for card in view.hand),
            )
        )
    found = []
    for values in zip(*hands, strict=True):
        found.append(float(sum(values)))
        for seat in ((dealer + 1) % players, dealer):
            others = [one for at, one in enumerate(values) if at != seat]
            found.append(values[seat] - statistics.fmean(others))
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
        dealt = [luck(rules, players, deal) for deal in range(DEALS)]
        found = {}
        mirrored = _by_deal(
            rows_of(rules, ("careful", "greedy"), players), "careful", "greedy"
        )
        found["lead of careful over greedy, seats exchanged"] = (
            [mirrored[deal][0] for deal in mirrored],
            [dealt[deal] for deal in mirrored],
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
