"""
Claims about house rules, and the games that test them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import attrs

import rummyvariants as rv


@attrs.frozen
class Case:
    """
    Two rulesets, and what the second should have more of (1) or less of (-1).
    """

    a: rv.Ruleset
    b: rv.Ruleset
    expected: Mapping[str, int]
    players: int = 4
    unit: Literal["match", "round"] = "round"
    name: str = ""


@attrs.frozen
class Claim:
    """
    What is said of a rule.

    Attributes:
        key: What it is called in the figures.
        words: The claim.
        rules: The ids of the rules that it is about.
        cases: How it is tried; none if it is about hands within one game.
        remark: What has to be known beside the figures.
        certain: Whether it follows from the rules, whoever plays; then nothing is
            tested, and the figures say by how much.
    """

    key: str
    words: str
    rules: tuple[str, ...]
    cases: tuple[Case, ...] = ()
    remark: str = ""
    certain: bool = False


BASE: Final = rv.preset("rummy-5000")
HOUSE: Final = rv.preset("2500-house")
FIVE_HUNDRED: Final = rv.preset("rummy-500")
WITHOUT_STOCK: Final = {"ends_stock": -1, "thrown_in": -1}
MORE_POINTS: Final = {"points": 1}
LONGER: Final = {"rounds": 1, "match_actions": 1}
TO_WHO_IS_OUT: Final = {"score.hands": "to the one who is out"}
TARGETS: Final = tuple(
    BASE.with_options(f"PGV-E5={points}") for points in (1000, 2500, 5000, 10000)
)
CLAIMS: Final = (
    Claim(
        "more packs",
        "With more packs the cards run out less often.",
        ("PGV-C5",),
        (
            *(
                Case(BASE, BASE.with_options("PGV-C5"), WITHOUT_STOCK, players)
                for players in (4, 6, 8)
            ),
            Case(
                BASE.with_options("PGV-C2b"),
                BASE.with_options("PGV-C2b", "PGV-C5"),
                WITHOUT_STOCK,
            ),
        ),
        "The cards run out during a round when the stock is empty before anybody goes "
        "out, and during the deal when there are too few for all hands and the cards "
        "are dealt again. Twos that bring twenty cards (PGV-C2b) cause that at times.",
    ),
    Claim(
        "wilds",
        "Cards that are wild in every deal make scores higher.",
        ("PGV-C2a", "PGV-C2b", "PGV-C4a", "PGV-C4b", "PGV-C4c", "PGV-E5"),
        (
            *(
                Case(BASE, BASE.with_options(option), MORE_POINTS)
                for option in ("PGV-C2a", "PGV-C2b", "PGV-C4a", "PGV-C4b", "PGV-C4c")
            ),
            Case(
                BASE,
                BASE.with_values({"wild.twos": True, "deal.two_upcard": 2}),
                MORE_POINTS,
                name="rummy-5000 with twos wild, which bring two cards as before",
            ),
            Case(
                FIVE_HUNDRED.with_values({"deck.jokers": 0, "wild.jokers": False}),
                FIVE_HUNDRED,
                MORE_POINTS,
                name="rummy-500 with its jokers, rather than without them",
            ),
        ),
        "PGV-C2a and PGV-C2b also make hands larger, so wild twos are tested without "
        "that as well. Part of the difference is arithmetic: in rummy-5000 a wild card "
        "counts 100, and the same card 5 or 10 where it is not wild.",
    ),
    Claim(
        "hands",
        "Scores are higher if the player who goes out gets the points of the hands "
        "than if they are subtracted.",
        ("PGV-E4a", "PGV-E4b", "PGV-E5"),
        (
            Case(BASE.with_options("PGV-E4a"), BASE, MORE_POINTS),
            Case(BASE.with_options("PGV-E4a", "PGV-E4b"), BASE, MORE_POINTS),
            Case(
                HOUSE,
                HOUSE.with_values(TO_WHO_IS_OUT),
                MORE_POINTS,
                name="2500-house with hands to the player who is out, not subtracted",
            ),
        ),
        "Part of the difference is arithmetic: the same cards count for one player "
        "instead of against another.",
    ),
    Claim(
        "twos out",
        "Removing the twos, or more of the low cards, makes small hands rarer.",
        ("PGV-C1a", "PGV-C1b", "PGV-C1c"),
        tuple(
            Case(BASE, BASE.with_options(option), {"small_hands": -1})
            for option in ("PGV-C1a", "PGV-C1b", "PGV-C1c")
        ),
        "The upcard says how many more cards are dealt, so only twos and threes make "
        "hands of four cards or fewer: two ranks of thirteen, one without the "
        "twos, none without the cards below the four. The deal alone decides, so "
        "both bots have the same hands.",
        certain=True,
    ),
    Claim(
        "target",
        "A larger target makes a longer game.",
        ("PGV-E5",),
        (
            *(
                Case(TARGETS[at], TARGETS[at + 1], LONGER, unit="match")
                for at in range(len(TARGETS) - 1)
            ),
            Case(HOUSE.with_options("PGV-E5=1000"), HOUSE, LONGER, unit="match"),
        ),
        "The same match goes on: the cards are the same, and neither bot looks at the "
        "target, so no match to a larger target is shorter.",
        certain=True,
    ),
    Claim(
        "big hands",
        "A big hand is an advantage, and dealing oneself a three or a four is not.",
        ("HR-19",),
        remark="The upcard says how many cards a hand has. Each hand is compared with "
        "the others of the same round, which cancels what all of them have in common.",
    ),
)
