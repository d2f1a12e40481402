"""How a player goes out, and what happens then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import ClassVar, Final

import attrs

from rummyvariants.cards import RANKS, Card
from rummyvariants.house.rules import HouseRule
from rummyvariants.melds._tables import NO_LIVES, Lives
from rummyvariants.policies import cases
from rummyvariants.policies.base import (
    Policy,
    by_players,
    by_rank,
    choice,
    flag,
    from_table,
    number,
    number_in,
    number_or,
    unless,
    when,
)


NO_LIMIT: Final = 1 << 20
"""More points than any hand has."""


@attrs.frozen(eq=False, repr=False)
class OutPolicy(Policy):
    """
    How a player goes out, and what happens then.
    """

    section: ClassVar[str] = "out"

    empty_hand: str = choice(
        "out",
        "float",
        "refused",
        doc="What happens when a player melds or lays off the last card: the player "
        "is out, or floats without cards, or may not do it.",
    )
    by_empty_hand = when("empty_hand", "out")
    floats = when("empty_hand", "float")
    keeps_a_card = when("empty_hand", "refused")
    cards_melded: int = number(
        0,
        "How many cards players must have on the table to be out. With fewer and no "
        "card in the hand, they play on. With 0, an empty hand is enough.",
    )
    last_discard: str = choice(
        "any card",
        "unplayable",
        doc="Which card may be the last discard, by which a player goes out: any "
        "card, or only one that fits no meld on the table.",
    )
    keeps_playable = when("last_discard", "unplayable")
    floating: str = choice(
        "draws from the stock",
        "draws like any other",
        doc="How a floating player plays: they draw from the stock, must play the "
        "card if it fits, and otherwise discard it and are out; or they draw, "
        "play and discard like any other player.",
    )
    floats_on_stock = when("floating", "draws from the stock")

    @property
    def may_float(self) -> bool:
        """
        Whether players may ever play on without cards.
        """
        return bool(self.floats or self.cards_melded)

    grace: bool = flag(
        False,
        "Whether players who have had no turn yet take one before the round ends, "
        "when another goes out on their first turn.",
    )
    last_turn: bool = flag(
        False,
        "Whether all other players take one more turn each before the round ends, "
        "when a player goes out.",
    )
    floaters_draw: bool = flag(
        False, "Whether each floating player draws a card when another player goes out."
    )
    knock: str | int = number_or(
        "never",
        "the upcard",
        "any number",
        doc="The most points in unmatched cards with which a player may knock: this "
        "number, or as many as the first upcard of the deal allows, or any number, or "
        "never. With 0 only gin ends the round.",
        least=0,
    )
    knocks = unless("knock", "never")
    knocks_freely = when("knock", "any number")
    knock_counts: tuple[tuple[str, int], ...] = by_rank(
        {"A": 1, "J": 10, "Q": 10, "K": 10},
        "The limit that an upcard of each rank sets for a knock; ranks left out set "
        "their face value, and with 0 only gin ends the round.",
    )
    big_gin: bool = flag(
        False,
        "Whether a player may end the round without a discard when all cards of the "
        "hand are in melds, including the one just drawn.",
    )

    declare: str = choice(
        "never",
        "with a discard",
        "with or without a discard",
        doc="Whether a player may go out by a declaration, which shows the whole hand "
        "in melds: never, if one card is left to discard, or also if none is.",
    )
    declares = unless("declare", "never")
    dealt_hand: bool = flag(
        False,
        "Whether a player may declare the hand as it was dealt, instead of the first "
        "draw and without a discard.",
    )
    runs: int = number(0, "The fewest runs among the melds that a declaration shows.")
    pure_runs: int = number(
        0,
        "How many of these runs must be pure, with no wild that stands for another "
        "card.",
    )
    long_run: int = number(
        0, "The fewest cards in the longest of these runs; with 0 it may be any run."
    )
    wrong_declaration: str | int = number_or(
        "refused",
        doc="What happens when a declaration shows a hand that it may not show: it is "
        "refused, or the player leaves the round for this many points.",
        least=0,
    )
    wrong_points = number_in("wrong_declaration")
    first_drop: str | int = number_or(
        "never",
        doc="The points for which a player may leave the round before the draw of "
        "their first turn.",
        least=0,
    )
    later_drop: str | int = number_or(
        "never",
        doc="The points for which a player may leave the round before the draw of a "
        "later turn.",
        least=0,
    )
    dropped_hand: str = choice(
        "aside",
        "under the stock",
        doc="Where the cards of a player go who has left the round: aside until the "
        "next deal, or, after a drop on a first turn, under the stock.",
    )
    under_stock = when("dropped_hand", "under the stock")

    canasta: int = number(
        0, "The fewest cards of a canasta, a meld that counts extra; 0 for none."
    )
    canastas: tuple[tuple[int, int], ...] = by_players(
        {},
        "How many canastas a side needs to go out, by the number of players. Empty "
        "for none.",
    )
    ask: bool = flag(
        False,
        "Whether a player may ask the partner once a turn, after the draw and before "
        "laying a card, whether to go out in that turn. The answer binds.",
    )

    def by_rules(self) -> Iterator[tuple[str, HouseRule]]:
        """
        What it costs to leave the round, and what going out takes.
        """
        first, later = self.first_drop, self.later_drop
        if first != "never" or later != "never":
            yield "out.later_drop", cases.leaving.Dropping(later, later=True)
            yield (
                "out.first_drop",
                cases.leaving.Dropping(first, under_stock=self.under_stock),
            )
        if self.canasta and self.canastas:
            yield "out.canastas", cases.canastas.NeedsCanastas(self.canastas)
        if self.ask:
            yield "out.ask", cases.canastas.AsksPartner()

    @cached_property
    def leaving(self) -> Mapping[int, str]:
        """
        By points, the value by which a player has most likely left the round for them.
        """
        names = ("wrong_declaration", "later_drop", "first_drop")
        return {
            points: f"out.{name}"
            for name in names
            if isinstance(points := getattr(self, name), int)
        }

    @cached_property
    def shows_all(self) -> bool:
        """
        Whether the whole hand may be shown in melds, without a discard.
        """
        return self.big_gin or self.declare == "with or without a discard"

    @cached_property
    def runs_needed(self) -> Lives:
        """
        The runs that a declaration shows; none where nobody declares.
        """
        if not self.declares:
            return NO_LIVES
        return Lives(self.runs, self.pure_runs, self.long_run)

    @cached_property
    def fixed_limit(self) -> int:
        """
        What `limit` gives whatever the upcard is; -2 where that matters.
        """
        return -2 if self.knock == "the upcard" else self.limit(None)

    def limit(self, upcard: Card | None) -> int:
        """
        The most points of unmatched cards that a knock or declaration leaves.

        Args:
            upcard: The card that was turned up after the deal, where it is known.

        Returns:
            The points, `NO_LIMIT` for any number; -1 if nobody knocks or declares.
        """
        if isinstance(self.knock, int):
            return self.knock
        if self.knock == "any number":
            return NO_LIMIT
        if self.knock == "never":
            return 0 if self.declares else -1
        if upcard is None or upcard.is_joker:
            return -1
        named = dict(self.knock_counts).get(upcard.rank)
        return RANKS.index(upcard.rank) + 1 if named is None else named

    @cached_property
    def play_goes_on(self) -> bool:
        """
        Whether others may have a turn after somebody went out.
        """
        return self.grace or self.last_turn


def canastas_to_go_out(out: OutPolicy, players: int) -> int:
    """
    How many canastas a side needs to go out where so many play.
    """
    needs = out.canasta and out.canastas
    return from_table(out.canastas, players) if needs else 0
