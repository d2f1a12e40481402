"""
Measure our bots at gin against the strategy of OpenSpiel's simple bot.

``python bench/gin_duel.py --processes 2 --write`` plays hands of ``gin-rummy``, each
deal twice, with the seats exchanged, and puts each bot's lead in points a hand, with a
95 % interval over the deals, into ``docs/gin-duel.json``.

``python bench/gin_duel.py --check 300`` needs the dependency group ``lockstep``: it
plays 300 hands in lock step with OpenSpiel and asks their bot and ours for every
decision. They may differ only where one card or partition is as good as another.
"""

from __future__ import annotations

import argparse
import json
import random
import sys

from collections import Counter
from pathlib import Path

import rummyvariants as rv

from rummyvariants.cards import CARDS, UNIT, faces
from rummyvariants.melds._deadwood import (
    least_unmatched,
    worth_of,
)
from rummyvariants.melds._partitions import (
    partitions,
)
from simple_gin import SimpleGin
from strength import DOCS, measure, table


GAME = "gin-rummy"
OTHER = "simple_gin:SimpleGin"
DEALS = {"greedy": 2000, "careful": 2000}
"""How many deals each of our bots plays by default."""
DATA = DOCS / "gin-duel.json"
BLOCK = "gin-duel"


def write(lines: list[dict]) -> None:
    """
    Update the lines, keeping those of other bots.
    """
    known = json.loads(DATA.read_text("utf-8")) if DATA.exists() else []
    found = {line["bot"]: line for line in [*known, *lines]}
    kept = [found[bot] for bot in DEALS if bot in found]
    DATA.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


def own_table(lines: list[dict]) -> str:
    """
    The lines as a table.
    """
    rows = [line | {"against": "OpenSpiel's simple way"} for line in lines]
    return table(rows).replace("`OpenSpiel's simple way`", "OpenSpiel's way")


# ------------------------------------------------------------- theirs beside ours


def check(deals: int, seed: int) -> int:
    """
    Ask their bot and ours for the same decisions; return how often they differ.
    """
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    import pyspiel

    import lockstep

    found: Counter[str] = Counter()
    for number in range(seed, seed + deals):
        game = lockstep.Game(lockstep.SETTINGS[0], random.Random(f"duel {number}"))
        while not (game.mine.is_round_over or game.state.is_terminal()):
            seat = game.state.current_player()
            action = SimpleGin().choose(rv.view(game.mine, seat), random.Random(0))
            bot = pyspiel.make_simple_gin_rummy_bot(game.theirs.get_parameters(), seat)
            theirs = bot.step(game.state)
            knocks = theirs == lockstep.KNOCK
            taken = knocks and game.mine.phase == "draw"  # the last discard, to knock
            said = _word(game, bot.step(game.state.child(theirs)) if knocks else theirs)
            mine = (
                "discard " + str(action.card)
                if isinstance(action, rv.actions.Knock)
                else str(action)
            )
            kind = f"{game.mine.phase}: {'Knock' if knocks else type(action).__name__}"
            if taken:
                mine, said = str(action), "take 1"
            how = "the same" if said == mine else "as good"
            if said != mine and said not in _as_good(game.mine, seat):
                how = "DIFFERS"
            if knocks != (taken or isinstance(action, rv.actions.Knock)):
                cards = [game.card(card) for card in game.mine.hands[seat]]
                missed = game.utils.min_deadwood(cards) > game.state.knock_card()
                how = "eleven cards" if missed and not knocks else "DIFFERS"
            found[f"{how}, {kind}"] += 1
            if how == "DIFFERS":
                print(f"{number}: {said}, here {action}: {game.mine.hands[seat]}")
            if knocks or game.mine.phase == "layoff":
                break  # the rest is counting
            game.do(theirs)
            game.mine = rv.apply(game.mine, said)
    for name, count in sorted(found.items()):
        print(f"{count:7} {name}")
    return sum(count for name, count in found.items() if name.startswith("DIFFERS"))


def _as_good(state: rv.State, seat: int) -> set[str]:
    """
    The choices of its strategy with any of the best partitions.
    """
    terms = state.dealt.terms
    hand = state.hands[seat].bits
    draws = state.phase in {"draw", "offer"}
    upcard = UNIT[state.discards[-1].code] if draws else 0
    hand += upcard
    least = worth_of(terms, least_unmatched(terms, hand))
    found = set()
    for _, left in partitions(terms, hand, least):
        if draws:
            found |= {"draw", "pass"} if left & upcard else {"take 1"}
        else:
            highest = max((code & 15 for code in faces(left)), default=0)
            found |= {
                f"discard {CARDS[code]}"
                for code in faces(left or hand)
                if code & 15 == highest or not left
            }
    return found


def _word(game: object, action: int) -> str:
    """
    An OpenSpiel action in our notation.
    """
    import lockstep

    words = {lockstep.UPCARD: "take 1", lockstep.STOCK: "draw", lockstep.PASS: "pass"}
    return words.get(action) or f"discard {game.code[action]}"


def main() -> int:
    """
    Measure, or check.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--bot", action="append", choices=DEALS)
    parser.add_argument("--deals", type=int, help="the number of deals for every bot")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", default="gin duel")
    parser.add_argument("--write", action="store_true", help="keep what is found")
    parser.add_argument("--check", type=int, metavar="DEALS", help="ask both bots")
    asked = parser.parse_args()
    if asked.check:
        return 1 if check(asked.check, 0) else 0
    lines = []
    for bot in asked.bot or DEALS:
        line = measure(GAME, bot, OTHER, asked.deals or DEALS[bot], asked)
        print(table([line]).splitlines()[-1], f"{line['seconds']} s", flush=True)
        lines.append(line)
        if asked.write:
            write([line])
    return 0 if all(line["lead"] > line["half"] for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
