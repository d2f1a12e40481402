"""Which cards are played with."""

from __future__ import annotations

import functools

from typing import ClassVar

import attrs

from rummyvariants._support.words import counted, times
from rummyvariants._support.words import number as word
from rummyvariants.cards import CARDS, COPIES, JOKER, RANKS, ROW_OF, SUITS, code_of
from rummyvariants.melds._tables import Terms
from rummyvariants.policies.base import (
    Policy,
    by_players,
    flag,
    from_table,
    letters,
    number,
    number_or,
    ranks,
)
from rummyvariants.rulings import Objection


@attrs.frozen(eq=False, repr=False)
class DeckPolicy(Policy):
    """
    Which cards are played with.
    """

    section: ClassVar[str] = "deck"

    packs: tuple[tuple[int, int], ...] = by_players(
        {2: 1}, "How many packs are used, by the number of players."
    )
    least_packs: int = number(
        1,
        "The fewest packs that are used, whatever the game says.",
        least=1,
        most=COPIES[0],
    )
    more_packs: bool = flag(
        False,
        "Whether more packs are used than the game says: two for three or four "
        "players, three for more, and one more than usual for two.",
    )
    ranks: str = ranks(RANKS, "The ranks of a pack.")
    suits: str = letters(
        SUITS,
        "".join(ROW_OF),
        "The suits of a pack; ``x`` is a fifth suit, stars.",
    )
    jokers: int = number(0, "How many jokers come with each pack.", most=COPIES[JOKER])

    most_jokers: str | int = number_or(
        "any number",
        doc="The most jokers that are used, however many packs there are.",
        least=0,
    )
    jokers_in_all: str | int = number_or(
        "by pack",
        doc="How many jokers there are in all, where they are not counted by pack.",
        least=0,
    )

    def jokers_for(self, packs: int) -> int:
        """
        How many jokers come with so many packs.
        """
        if isinstance(self.jokers_in_all, int):
            return self.jokers_in_all
        jokers = packs * self.jokers
        most = self.most_jokers
        return min(jokers, most) if isinstance(most, int) else jokers

    def packs_for(self, players: int) -> int:
        """
        The number of packs for so many players.
        """
        usual = from_table(self.packs, players)
        if self.more_packs:
            if players <= 2:
                usual += 1
            else:
                usual = max(usual, 2 if players <= 4 else 3)
        return max(usual, self.least_packs)

    def cards_for(self, players: int) -> tuple[int, ...]:
        """
        The codes of all cards for so many players, in the order of their codes.
        """
        packs = self.packs_for(players)
        return _cards(self.suits, self.ranks, packs, self.jokers_for(packs))


def refuse_number(
    deck: DeckPolicy, terms: Terms, code: int, number: int
) -> Objection | None:
    """
    Why a card cannot be there so often; None if the deck holds it as often.

    Args:
        deck: The policy.
        terms: The terms of a deal with that deck.
        code: The card.
        number: How often it would be there.
    """
    held = terms.copies[code]
    if number <= held:
        return None
    card = CARDS[code]
    path = "deck.packs"
    if card.is_joker:
        by_pack = deck.jokers_in_all == "by pack"
        path = "deck.jokers" if by_pack else "deck.jokers_in_all"
        if by_pack and held == deck.most_jokers:
            path = "deck.most_jokers"
    elif card.rank not in terms.ranks:
        path = "deck.ranks"
    elif card.suit not in terms.suits:
        path = "deck.suits"
    if not held:
        lacking = terms.lacks(card.rank, card.suit)
        return Objection(path, f"there is no {card}: the deck has no {lacking}")
    if card.is_joker:
        jokers = counted(held, "joker")
        return Objection(path, f"the deck has {jokers}, not {word(number)}")
    return Objection(path, f"the deck holds {card} {times(held)}, not {times(number)}")


@functools.lru_cache(maxsize=256)
def _cards(suits: str, ranks: str, packs: int, jokers: int) -> tuple[int, ...]:
    faces = [code_of(rank, suit) for suit in suits for rank in ranks]
    return tuple(sorted([*faces * packs, *[JOKER] * jokers]))
