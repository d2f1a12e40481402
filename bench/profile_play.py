"""
Show where the time of random play goes.

``python bench/profile_play.py rummy-5000 --players 4`` prints the functions that took
most time, by themselves or, with ``--sort cumulative``, with everything they call.
"""

from __future__ import annotations

import argparse
import cProfile
import itertools
import pstats

from players import WAYS, matches


def main() -> None:
    """
    Play, and print the profile.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("rules", nargs="?", default="rummy-5000", help="a preset")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--actions", type=int, default=5_000, help="how many to play")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--all", action="store_true", help="choose from the whole list of legal actions"
    )
    parser.add_argument("--sort", choices=("tottime", "cumulative"), default="tottime")
    parser.add_argument("--lines", type=int, default=30, help="how many functions")
    given = parser.parse_args()
    _, choose = WAYS[0 if given.all else 1]
    run = matches(given.rules, given.players, given.seed, choose)
    next(run)  # leaves out what is computed only once
    with cProfile.Profile() as profile:
        for _ in itertools.islice(run, given.actions):
            pass
    pstats.Stats(profile).sort_stats(given.sort).print_stats(given.lines)


if __name__ == "__main__":
    main()
