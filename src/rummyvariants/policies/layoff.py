"""Who may add to the melds on the table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar

import attrs

from rummyvariants.house.rules import HouseRule
from rummyvariants.policies import cases
from rummyvariants.policies.base import Policy, choice, flag, unless
from rummyvariants.rulings import Objection


@attrs.frozen(eq=False, repr=False)
class LayoffPolicy(Policy):
    """
    Who may add to the melds on the table.
    """

    section: ClassVar[str] = "layoff"

    onto: str = choice(
        "any meld",
        "own melds",
        doc="On which melds players may lay off: on any, or only on their own and a "
        "partner's. They name the meld and keep the cards in front of themselves.",
    )
    needs_own_meld: bool = flag(
        False, "Whether players need a meld of their own before they may lay off."
    )
    since: str = choice(
        "the same turn",
        "the next turn",
        doc="When a player may begin to lay off: in the turn in which they make their "
        "first melds, or only in a later turn, and never in one with new melds.",
    )
    single_wilds: bool = flag(
        False,
        "Whether players with a meld of their own may put down single wilds, to be "
        "built on later.",
    )
    rearranging: str = choice(
        "never",
        "own melds",
        doc="Whether players may regroup melds on the table together with cards of the "
        "hand: never, or their own and a partner's, if all cards stay in melds there.",
    )
    rearranges = unless("rearranging", "never")
    knocked: str = choice(
        "unless gin",
        "never",
        doc="Whether the other players may lay off on the knocker's melds after a "
        "knock, each in turn: yes, unless the knocker went gin; or never.",
    )
    after_knock = unless("knocked", "never")
    last_turns: bool = flag(
        False,
        "Whether players may lay off on the melds of a declaration in the last turns "
        "that follow it.",
    )

    def by_rules(self) -> Iterator[tuple[str, HouseRule]]:
        """
        The wait for the next turn.
        """
        if self.since == "the next turn":
            yield "layoff.since", cases.layoffs.NextTurn()

    def refuse(self, *, has_meld: bool) -> Objection | None:
        """
        Why a player may not lay off at all; a call is not a lay-off.
        """
        if self.needs_own_meld and not has_meld:
            return Objection(
                "layoff.needs_own_meld", "a player needs a meld of their own to lay off"
            )
        return None

    def refuse_onto(self, *, own: bool) -> Objection | None:
        """
        Why cards may not be laid on a meld; `own` includes a partner's melds.

        This is asked about lay-offs, trades and calls.
        """
        if self.onto == "own melds" and not own:
            return Objection(
                "layoff.onto",
                "cards may be laid off only on one's own melds or a partner's",
            )
        return None

    @cached_property
    def opens_own(self) -> bool:
        """
        Whether cards may be laid on melds of the player's side.
        """
        return self.refuse_onto(own=True) is None

    @cached_property
    def opens_others(self) -> bool:
        """
        Whether cards may be laid on melds of the other sides.
        """
        return self.refuse_onto(own=False) is None

    def refuse_single(self, *, has_meld: bool, wild: bool) -> Objection | None:
        """
        Why a player may not put a card down alone; this is only for wilds.
        """
        if not self.single_wilds:
            return Objection(
                "layoff.single_wilds", "cards are not put down singly in this game"
            )
        if not wild:
            return Objection(
                "layoff.single_wilds", "only a wild card is put down singly"
            )
        if not has_meld:
            return Objection(
                "layoff.single_wilds",
                "a player needs a meld of their own to put a wild card down singly",
            )
        return None
