"""What is a meld."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import ClassVar, Final

import attrs

from rummyvariants.cards import CARDS, FIELD, RANKS
from rummyvariants.house.rules import HouseRule
from rummyvariants.melds.shapes._track import GAP, stretches
from rummyvariants.policies import cases
from rummyvariants.policies.base import (
    Policy,
    by_total,
    choice,
    contracts,
    flag,
    number,
    number_in,
    number_or,
    ranks,
    unless,
    when,
)
from rummyvariants.rulings import Objection


ONE_BY_ONE: Final = Objection("RV-07", "melds are put down one by one in this game")
"""The refusal of several new melds as one action, where no rule allows it."""


@attrs.frozen(eq=False, repr=False)
class MeldPolicy(Policy):
    """
    What is a meld.
    """

    section: ClassVar[str] = "meld"

    sets: bool = flag(True, "Whether cards of one rank make a meld.")
    runs: bool = flag(True, "Whether cards of one suit in sequence make a meld.")
    least_set: int = number(3, "The fewest cards that make a set.", least=2)
    least_run: int = number(3, "The fewest cards that make a run.", least=2)
    set_suits: str = choice(
        "distinct",
        "distinct with one pack",
        "free",
        doc="Whether the cards of a set must differ in suit: always, with one pack "
        "only, or never.",
    )
    set_wilds: str = choice(
        "for a suit",
        "for any suit",
        "for an open suit",
        doc="What a wild in a set stands for where its cards must differ in suit: the "
        "card of a suit that the set lacks; or any card of its rank, so that only "
        "its natural cards must differ, and wilds make it longer than there are suits; "
        "or one of the cards that it lacks, none in particular.",
    )
    wilds_take_suits = when("set_wilds", "for a suit")
    leaves_suits_open = when("set_wilds", "for an open suit")
    ace: str = choice(
        "high or low",
        "high",
        "low",
        "round the corner",
        doc="Where an ace lies in a run: next to the king, next to the two, or either "
        "but not both; or a run may go round the corner, from the king to the ace "
        "to the two.",
    )
    missing_ranks: str = choice(
        "end a run",
        "are passed over",
        doc="What ranks that the deck lacks are to runs: no run crosses them; or their "
        "neighbours follow one another, such as seven and jack in a deck without "
        "eights, nines and tens.",
    )
    passes_over = when("missing_ranks", "are passed over")
    alike: bool = flag(
        False,
        "Whether three identical cards are a meld that counts as a pure run; jokers "
        "are none.",
    )
    first_natural: bool = flag(
        False, "Whether a player's first meld must hold no wild card."
    )
    a_turn: str | int = number_or(
        "any number",
        doc="How many new melds a player may make in a turn; calls are not counted.",
    )
    limits_new = unless("a_turn", "any number")
    melding: str = choice(
        "optional",
        doc="Whether players must meld: no, unless cards that they have taken oblige "
        "them to.",
    )
    shown: str = choice(
        "in turn",
        "at the knock",
        "at the declaration",
        doc="When melds are shown: players put them down in their turns, or keep them "
        "in the hand until somebody knocks or declares.",
    )
    concealed = unless("shown", "in turn")

    contracts: tuple[str, ...] = contracts(
        "The melds that a player lays first, as one action and with nothing beside "
        "them, by round: each a list of sets and runs with their sizes. The last one "
        "holds for further rounds. Empty for any first melds."
    )
    contract_size: str = choice(
        "exactly",
        "at least",
        doc="Whether the melds of a contract have exactly so many cards, or at least.",
    )
    last_contract: str = choice(
        "like the others",
        "the whole hand",
        "all but a discard",
        doc="How the last contract is laid: like the others; or with all cards of the "
        "hand, or all but one, in melds that may be longer than it says.",
    )
    runs_apart: bool = flag(
        False,
        "Whether two runs of one suit in a contract must not be contiguous, so that "
        "they could be one run.",
    )
    further: bool = flag(
        True, "Whether a player who has melded may make new melds in later actions."
    )
    minimum: tuple[tuple[int, int], ...] = by_total(
        "The fewest points of a side's first melds, which are laid as one action, by "
        "the total of the side; below the lowest total the first entry holds. Empty "
        "for any points."
    )
    minimum_waived: bool = flag(
        False,
        "Whether first melds of any points will do for a player who drew from the "
        "stock and melds the whole hand, or all but the discard, with a canasta where "
        "there are canastas.",
    )
    set_ranks: str = ranks(RANKS, "The ranks of which sets are made.")
    natural_ranks: str = ranks("", "The ranks of which sets hold no wild card.")
    last_ranks: str = ranks(
        "",
        "The ranks of which sets are made only as the last meld of a hand: no card, or "
        "only the last discard, is left.",
    )
    one_of_a_rank: bool = flag(
        False,
        "Whether a side has at most one set of each rank: other cards of the rank are "
        "laid off on it.",
    )

    closed_at: str | int = number_or(
        "never",
        doc="The number of cards with which a set or a meld of wild cards is closed: "
        "it takes no more, and a side that has one of each rank may begin another.",
        least=3,
    )
    closes = unless("closed_at", "never")
    closes_with = number_in("closed_at")

    def by_rules(self) -> Iterator[tuple[str, HouseRule]]:
        """
        The contracts, and what follows them.
        """
        whole = self.last_contract != "like the others"
        if self.contracts:
            by_round = tuple([tuple(one.split(", ")) for one in self.contracts])
            exact = self.contract_size == "exactly"
            path = "meld.contract_size" if exact else "meld.contracts"
            yield path, cases.openings.Contract(by_round, exact, whole)
            if whole:
                left = int(self.last_contract == "all but a discard")
                rule = cases.openings.WholeHand(len(by_round), left)
                yield "meld.last_contract", rule
        if self.runs_apart:
            yield "meld.runs_apart", cases.openings.RunsApart()
        if self.minimum:
            least = cases.openings.Minimum(self.minimum, self.minimum_waived)
            yield "meld.minimum", least
        if not self.further:
            yield "meld.further", cases.openings.OnlyFirst()

    @cached_property
    def shown_by(self) -> str:
        """
        What a player does who shows melds that stayed in the hand; empty for none.
        """
        does = {"at the knock": "knocks", "at the declaration": "declares"}
        return does.get(self.shown, "")

    @property
    def whole_hand(self) -> str:
        """
        What players call it to lay the whole hand in one turn.
        """
        return "going out blind" if self.contracts else "going rummy"

    @cached_property
    def largest(self) -> Mapping[str, tuple[int, str]]:
        """
        By kind of meld, the most cards and the value that says so.
        """
        if self.closes_with is None:
            return {}
        closed = self.closes_with, "meld.closed_at"
        return dict.fromkeys(("set", "wilds"), closed)

    @cached_property
    def limits_sets(self) -> bool:
        """
        Whether a new set may be refused because of the table or the hand.
        """
        return self.one_of_a_rank or bool(self.last_ranks)

    @cached_property
    def by_rank(self) -> bool:
        """
        Whether all melds are sets, of which a side has one of each rank.
        """
        return self.sets and not self.runs and self.one_of_a_rank

    @cached_property
    def last_mask(self) -> int:
        """
        The cards of which sets are made only as the last meld of a hand.
        """
        return sum([FIELD[one.code] for one in CARDS if one.rank in self.last_ranks])

    def distinct(self, packs: int) -> bool:
        """
        Whether the cards of a set must differ in suit, with so many packs.
        """
        if self.set_suits == "distinct with one pack":
            return packs == 1
        return self.set_suits == "distinct"

    def track(self, deck_ranks: str) -> str:
        """
        The order of ranks along which runs lie, a full stop for a rank that ends them.

        A run is a stretch of it in which no rank comes twice.

        Args:
            deck_ranks: The ranks of the deck.
        """
        order = {
            "high or low": RANKS + "A",
            "high": RANKS[1:] + "A",
            "low": RANKS,
            # Every run round the corner lies on it, whichever rank it begins with.
            "round the corner": RANKS + RANKS[:-1],
        }[self.ace]
        gap = "" if self.passes_over else GAP
        return "".join(rank if rank in deck_ranks else gap for rank in order)

    def stretches(self, deck_ranks: str) -> tuple[tuple[int, ...], ...]:
        """
        The places of all runs on the track, those too short for new ones included.

        Args:
            deck_ranks: The ranks of the deck.
        """
        return stretches(self.track(deck_ranks))

    def refuse_another(self, made: int) -> Objection | None:
        """
        Why a player may not make one more new meld in a turn; calls are not counted.

        Args:
            made: How many the player has made in this turn.
        """
        if isinstance(self.a_turn, int) and made >= self.a_turn:
            number = "one new meld" if self.a_turn == 1 else f"{self.a_turn} new melds"
            return Objection("meld.a_turn", f"only {number} may be made in a turn")
        return None

    def refuse_first(self, *, has_meld: bool, natural: bool) -> Objection | None:
        """
        Why a player may not begin with a meld.

        Args:
            has_meld: Whether the player has begun a meld before.
            natural: Whether the new one holds no wild card.
        """
        if self.first_natural and not has_meld and not natural:
            return Objection(
                "meld.first_natural", "a player's first meld may not hold a wild card"
            )
        return None
