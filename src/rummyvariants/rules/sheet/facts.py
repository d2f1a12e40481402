"""
The facts about the rules in force that are computed, for the rows of the rule sheet.
"""

from __future__ import annotations

import itertools
import re

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import attrs

from rummyvariants._support.words import (
    a,
    capital,
    card,
    cards,
    counted,
    listed,
    number,
    ordinal,
    rank,
    rank_list,
    ranks,
    span,
    stretches,
    suit,
)
from rummyvariants.cards import CARDS, RANKS, SUITS, Card, code_of
from rummyvariants.house.answers import Leave, Opening
from rummyvariants.house.rules import HouseRule
from rummyvariants.melds.shapes._track import GAP
from rummyvariants.policies.base import from_table
from rummyvariants.policies.deal import sizes_of
from rummyvariants.rules._claims import of_the_table
from rummyvariants.rules._origins import Rules
from rummyvariants.rules._rows import Teller, rows_of
from rummyvariants.rules.sheet.model import Row, row
from rummyvariants.rulings import Conditions


Counts = tuple[str, tuple[str, ...]]
"""A text, and the policy values that it states."""

_FACES: Final = {"T": "10", **{one: one for one in "23456789"}}
_ORDER: Final = "23456789TJQKA*"


@attrs.frozen
class Facts:
    """
    What rows can say of a ruleset beside words and policy values.

    Attributes:
        rules: The rules.
        words: The words and facts that all sections share.
    """

    rules: Rules
    words: Teller = attrs.field(init=False)

    @words.default
    def _words(self) -> Teller:
        return Teller(self.rules, rows_of("words")[0], self)

    def section(self, name: str) -> Teller:
        """
        What the rows of a section say.
        """
        words, rows = rows_of(name)
        return Teller(self.rules, words, self.words, rows)

    def named(self, name: str) -> tuple[Any, Iterable[str]]:
        """
        A fact by its name, and what is cited for it.
        """
        found = getattr(self, name)
        return found if isinstance(found, tuple) else (found, ())

    def hold(self, conditions: Conditions) -> bool:
        """
        Whether conditions are met, be they policy values or facts by their names.
        """
        return all(self.words.named(name)[0] in values for name, values in conditions)

    def answering(self, question: str) -> list[tuple[str, HouseRule]]:
        """
        The house rules of the table that answer a question, with their paths.
        """
        return of_the_table(self.rules.asked.get(question, ()))

    def by_players(self, table: tuple[tuple[int, int], ...], noun: str) -> str:
        """
        A number of things by the number of players, the things named once.
        """
        groups = stretches({one: from_table(table, one) for one in self._players})
        return listed(
            (number(many) if at else counted(many, noun))
            + f" with {span(low, high)} players" * (len(groups) > 1)
            for at, (low, high, many) in enumerate(groups)
        )

    # --------------------------------------------------------------------- players

    @property
    def least_players(self) -> int:
        """
        The fewest players.
        """
        return self.rules.match.players[0]

    @property
    def most_players(self) -> int:
        """
        The most players.
        """
        return self.rules.match.players[1]

    @property
    def _players(self) -> range:
        return range(self.least_players, self.most_players + 1)

    @property
    def too_many_players(self) -> str:
        """
        The numbers of players whose hands the deck has enough cards for, if not all.
        """
        deal, deck = self.rules.deal, self.rules.deck
        if not deal.is_fixed or deal.may_be_short or self.sized_by_rule:
            return ""
        beside = self.rules.kept_back
        seated = {
            count: count * max(sizes_of(deal, count)) + beside
            <= len(deck.cards_for(count))
            for count in self._players
        }
        spans = [span(low, high) for low, high, enough in stretches(seated) if enough]
        return "" if all(seated.values()) or not spans else listed(spans, "or")

    @property
    def sized_by_rule(self) -> bool:
        """
        Whether a house rule says how many cards a hand has, and the values do not.
        """
        return "deal.hand_size" in self.rules.replaced

    # ------------------------------------------------------------------------ deck

    @property
    def _packs(self) -> dict[int, int]:
        """
        The number of packs by the number of players.
        """
        return {count: self.rules.deck.packs_for(count) for count in self._players}

    @property
    def most_packs(self) -> int:
        """
        The most packs that are ever used.
        """
        return max(self._packs.values())

    @property
    def joker_range(self) -> range:
        """
        From the fewest jokers to the most.
        """
        jokers = [*map(self.rules.deck.jokers_for, self._packs.values())]
        return range(min(jokers), max(jokers) + 1)

    @property
    def always_as_many(self) -> bool:
        """
        Whether there are as many packs however many play.
        """
        return len({*self._packs.values()}) == 1

    @property
    def asks_least_packs(self) -> bool:
        """
        Whether the least number of packs is more than there would be.
        """
        deck = self.rules.deck
        return any(deck.least_packs > packs for _, packs in deck.packs)

    @property
    def cards_in_all(self) -> int:
        """
        How many cards the deck of the fewest players has.
        """
        return len(self.rules.deck.cards_for(self.least_players))

    @property
    def packs_by_players(self) -> list[tuple[str, int, int]]:
        """
        The packs by the number of players, and how many cards they have.
        """
        return [
            (span(low, high), packs, len(self.rules.deck.cards_for(low)))
            for low, high, packs in stretches(self._packs)
        ]

    @property
    def most_jokers(self) -> int:
        """
        The number of jokers in the largest deck.
        """
        return self.joker_range[-1]

    @property
    def jokers_of_packs(self) -> int:
        """
        How many jokers the largest deck would have if none were left out.
        """
        return self.most_packs * self.rules.deck.jokers

    @property
    def has_jokers(self) -> bool:
        """
        Whether the deck has jokers.
        """
        return self.rules.deck.jokers_for(1) > 0

    @property
    def ranks_out(self) -> list[str]:
        """
        The ranks that are not in the deck.
        """
        return [ranks(one) for one in RANKS if one not in self.rules.deck.ranks]

    @property
    def suits_out(self) -> list[str]:
        """
        The suits that are not in the deck.
        """
        return [suit(one) for one in SUITS if one not in self.rules.deck.suits]

    @property
    def more_suits(self) -> list[str]:
        """
        The suits of the deck that an ordinary pack lacks.
        """
        return [suit(one) for one in self.rules.deck.suits if one not in SUITS]

    def _has(self, letter: str) -> bool:
        return self.has_jokers if letter == "*" else letter in self.rules.deck.ranks

    # ------------------------------------------------------------------------ deal

    @property
    def sizes(self) -> list[int]:
        """
        The sizes of hands, where they are fixed, from the smallest.
        """
        deal = self.rules.deal
        sizes = {size for count in self._players for size in sizes_of(deal, count)}
        return sorted(sizes)

    @property
    def deal_suffices(self) -> bool:
        """
        Whether the deck always has enough cards for the deal.
        """
        deal, wild, deck = self.rules.deal, self.rules.wild, self.rules.deck
        if self.sized_by_rule:
            return True  # or else the rule gives an answer that is refused
        if deal.method != "fixed":
            return False
        kept = wild.by_dealers_card and wild.indicator_is_wild == "more cards"
        permanent = wild.permanent()
        for count in self._players:
            held = deck.cards_for(count)
            more = sum(permanent[code] for code in held) if kept else 0
            more += count * max(sizes_of(deal, count)) + self.rules.kept_back
            if len(held) < more:
                return False
        return True

    @property
    def hands_by_players(self) -> list[tuple[str, int]]:
        """
        The sizes of hands by the number of players.
        """
        sizes = {one: self.rules.deal.fixed_size(one, 1) for one in self._players}
        return [(span(low, high), size) for low, high, size in stretches(sizes)]

    @property
    def hands_by_round(self) -> list[tuple[int, int]]:
        """
        The sizes of hands by the round from which they hold, in rounds that are played.
        """
        rounds = self.rules.match.most_rounds
        return [one for one in self.rules.deal.by_round if one[0] <= (rounds or one[0])]

    @property
    def hands_grow(self) -> bool:
        """
        Whether hands grow by a card in each of more than three rounds.
        """
        (start, first), *later = self.hands_by_round
        grows = [size - first == at - start for at, size in later]
        return len(later) > 2 and all(grows)

    @property
    def example_of_upcard(self) -> str:
        """
        An upcard, and the size of the hand that it makes.
        """
        deal = self.rules.deal
        for letter in "76985":
            if self._has(letter) and letter not in deal.put_back_ranks:
                count = deal.upcard_number(letter)
                if deal.upcard_means == "additional":
                    return f": {a(rank(letter))} makes a hand of {number(count + 1)}"
                if count > 1:
                    return (
                        f": {a(rank(letter))} is followed by {number(count - 1)} more"
                    )
        return ""

    @property
    def put_back(self) -> str:
        """
        The upcards that are put back.
        """
        back = [*filter(self._has, self.rules.deal.put_back_ranks)]
        return a(rank_list(back, "or")) if back else ""

    @property
    def cards_turned_again(self) -> list[str]:
        """
        The single cards that do not begin the discard pile.
        """
        deal = self.rules.deal
        return [*deal.laid_aside * deal.first_upcard_again, *deal.turned_again]

    @property
    def each_laid_aside(self) -> str:
        """
        The cards that no hand keeps, each of them.
        """
        return re.sub("^a ", "each ", cards(self.rules.deal.laid_aside))

    @property
    def upcard_counts(self) -> Counts:
        """
        What each rank counts as an upcard of a hand.
        """
        return self._numbers("counts", "deal.upcard_counts", self._upcard)

    @property
    def top_card_allows(self) -> Counts:
        """
        How many discards each rank allows to be taken.
        """
        return self._numbers("allows", "deal.upcard_counts", self._upcard)

    def _upcard(self, letter: str) -> str:
        return str(self.rules.deal.upcard_number(letter))

    @property
    def knock_counts(self) -> Counts:
        """
        The limit that each rank sets for a knock.
        """

        def limit(letter: str) -> str:
            return str(self.rules.out.limit(CARDS[code_of(letter, "c")]) or "gin only")

        return self._numbers("allows", "out.knock_counts", limit)

    def _numbers(self, verb: str, path: str, said: Callable[[str], str]) -> Counts:
        """
        A text about a number for each rank, and the policy values behind it.
        """
        letters = [one for one in _ORDER if one in self.rules.deck.ranks]
        plain = [one for one in letters if _FACES.get(one) == said(one)]
        groups = {"its face value": ["number card"]} if plain else {}
        for letter in letters:
            if letter not in plain:
                groups.setdefault(said(letter), []).append(rank(letter))
        parts = [
            f"{a(listed(names, 'or'))} {'' if at else f'{verb} '}{value}"
            for at, (value, names) in enumerate(groups.items())
        ]
        paths = [f"{path}.{one}" for one in letters if one not in plain]
        return listed(parts), (path, *paths)

    # ----------------------------------------------------------------------- wilds

    @property
    def wild_cards(self) -> list[str]:
        """
        The single cards that are wild in every deal.
        """
        return [f"the {card(one)}" for one in self.rules.wild.cards]

    @property
    def wild_aces(self) -> bool:
        """
        Whether an ace is ever wild.
        """
        wild, deck = self.rules.wild, self.rules.deck.ranks
        if wild.indicator == "hand size" and not self.sized_by_rule:
            return any(wild.rank_of_size(one, deck) == "A" for one in self.sizes)
        any_rank = wild.indicator in {"by round", "hand size"}
        any_rank = any_rank or "wild_rank" in self.rules.asked
        return "A" in deck and (any_rank or (self.words.holds("shown") and wild.aces))

    @property
    def ranks_by_round(self) -> list[tuple[str, int]]:
        """
        The ranks of the deck, each with the round in which it is wild.
        """
        order = [ranks(one) for one in RANKS if self._has(one)]
        return [(name, at) for at, name in enumerate(order, 1)]

    @property
    def wild_by_size(self) -> list[str]:
        """
        Examples of ranks that are wild with hands of a size.
        """
        deck, wild = self.rules.deck.ranks, self.rules.wild
        named = {size: wild.rank_of_size(size, deck) for size in self.sizes}
        return [
            f"{ranks(letter)} for {number(size)}"
            for at, (size, letter) in enumerate(named.items())
            if letter and (not at or letter in "JQKA")
        ]

    @property
    def last_wild_rank(self) -> str:
        """
        The rank that is wild in the last round.
        """
        return ranks(next(filter(self._has, "KQJT98765432A")))

    @property
    def wild_lengths(self) -> list[tuple[str, int]]:
        """
        The most wild cards by the length of a meld, as players know it.
        """
        most, meld = self.rules.wild.by_naturals, self.rules.meld
        kinds = [meld.least_set] * meld.sets + [meld.least_run] * meld.runs
        lengths: dict[int, int] = {}
        for wilds in range(1, most[-1][1] + 1):
            needed = min(naturals for naturals, held in most if held >= wilds)
            lengths[max(needed + wilds, min(kinds, default=3))] = wilds
        spans = [
            f"{number(length)} or more" if end is None else span(length, end - 1)
            for length, end in itertools.zip_longest(lengths, [*lengths][1:])
        ]
        return [*zip(spans, lengths.values(), strict=True)]

    # ----------------------------------------------------------------------- melds

    @property
    def kinds(self) -> list[str]:
        """
        The kinds of melds that house rules of the table declare, such as ``a royal``.
        """
        return [a(kind.name) for kind in self.rules.kinds]

    @property
    def kind_paths(self) -> list[str]:
        """
        The house rules that declare them.
        """
        return [kind.path for kind in self.rules.kinds]

    @property
    def suits_matter(self) -> str:
        """
        Whether a set holds at most one card a suit: always, with one pack, or never.
        """
        distinct = {self.rules.meld.distinct(packs) for packs in self._packs.values()}
        if len(distinct) > 1:
            return "with one pack"
        return "always" if distinct == {True} else "never"

    @property
    def twins_in_set(self) -> str:
        """
        Two identical cards.
        """
        deck = self.rules.deck
        letter = "5" if self._has("5") else deck.ranks[-1]
        return f"two {ranks(letter)} of {suit(deck.suits[-1])}"

    @property
    def no_sets(self) -> list[str]:
        """
        The ranks of which no sets are made.
        """
        meld, deck = self.rules.meld, self.rules.deck
        return [ranks(one) for one in deck.ranks if one not in meld.set_ranks]

    @property
    def natural_sets(self) -> list[str]:
        """
        The ranks of which sets hold no wild card.
        """
        return self._kept(self.rules.meld.natural_ranks)

    @property
    def last_sets(self) -> list[str]:
        """
        The ranks of which sets are only the last meld of a hand.
        """
        return self._kept(self.rules.meld.last_ranks)

    def _kept(self, letters: str) -> list[str]:
        """
        The cards of ranks that a hand can hold: ``threes``, or ``black threes``.
        """
        aside = {*self.rules.deal.laid_aside}
        found = []
        for one in filter(self._has, letters):
            colour = "black " * ({one + "d", one + "h"} <= aside)
            colour = colour or "red " * ({one + "c", one + "s"} <= aside)
            found.append(colour + ranks(one))
        return found

    @property
    def first_rank(self) -> str:
        """
        The lowest rank of the deck but the ace.
        """
        return rank(next(filter(self._has, _ORDER)))

    @property
    def last_rank(self) -> str:
        """
        The highest rank of the deck but the ace.
        """
        return rank(next(filter(self._has, "KQJT98765432")))

    @property
    def ace_low(self) -> bool:
        """
        Whether an ace can be below another card of a run.
        """
        return any(one == "A" and self._has(after) for one, after in self._neighbours)

    @property
    def ace_high(self) -> bool:
        """
        Whether an ace can be above another card of a run.
        """
        return any(one == "A" and self._has(before) for before, one in self._neighbours)

    @property
    def _track(self) -> str:
        return self.rules.meld.track(self.rules.deck.ranks)

    @property
    def joined(self) -> list[str]:
        """
        The ranks that follow each other although the deck lacks those between, by two.
        """
        pairs = self._neighbours if self.rules.meld.passes_over else ()
        apart = dict.fromkeys([two for two in pairs if "".join(two) not in f"{RANKS}A"])
        return [f"{rank(below)} and {rank(above)}" for below, above in apart]

    @property
    def _neighbours(self) -> Iterable[tuple[str, str]]:
        return itertools.pairwise(self._track if self.rules.meld.runs else "")

    @property
    def gap(self) -> list[str]:
        """
        Two ranks that a run would join if the deck had the ranks between them.
        """
        # An ace without a neighbour does not end a gap.
        track = self._track.removeprefix(f"A{GAP}").removesuffix(f"{GAP}A").strip(GAP)
        below, gap, above = track.partition(GAP)
        return [rank(below[-1]), rank(above.lstrip(GAP)[0])] if gap else []

    # ------------------------------------------------------------------- contracts

    @property
    def contracts(self) -> list[str]:
        """
        The contracts of the rounds that can be played.
        """
        return [*self.rules.meld.contracts[: self.rules.match.most_rounds]]

    @property
    def contract_rows(self) -> Iterator[Row]:
        """
        The contracts by round.
        """
        contracts, rounds = self.contracts, self.rules.match.most_rounds
        for at, one in enumerate(contracts, 1):
            last = at == len(contracts) != rounds
            label = f"{capital(ordinal(at))} round{' and later' * last}"
            contract = Opening(one.split(", "), exact=True)
            yield row(self.rules, label, contract, "meld.contracts")

    @property
    def out_of_reach(self) -> list[tuple[list[str], int]]:
        """
        The rounds whose contracts take upcards, and how many must have been bought.
        """
        rules = self.rules
        found: dict[int, list[str]] = {}
        for at, one in enumerate(self.contracts, 1):
            most = max(rules.deal.fixed_size(count, at) for count in self._players)
            lacks = sum(map(int, re.findall("[0-9]+", one))) - most - 1
            need = -(-lacks // (1 + rules.call.buy_price))
            if need > 0:
                found.setdefault(need, []).append(ordinal(at))
        return [(rounds, need) for need, rounds in found.items()]

    # ---------------------------------------------------------------------- scores

    @property
    def may_leave(self) -> bool:
        """
        Whether a player may leave a round.
        """
        out = self.rules.out
        wrong = out.declares and out.wrong_declaration != "refused"
        return wrong or any(
            Leave in (rule.effects or ()) for _, rule in self.rules.house
        )

    @property
    def special(self) -> list[str]:
        """
        The cards that have points of their own.
        """
        return [*dict(self.rules.score.special)]

    @property
    def points(self) -> Iterator[Row]:
        """
        The points of the cards that are not wild, with equal ones together.
        """
        points = {one: str(many) for one, many in self.rules.score.points}
        always = {"wild_twos": "2", "wild_tens": "T", "wild_jokers": "*"}
        apart = {one for name, one in always.items() if self.words.holds(name)}
        if self.rules.score.wild == "as the card":
            apart.clear()
        apart |= {*self.special} & {"*"}
        letters = [one for one in _ORDER if self._has(one) and one not in apart]
        face = [one for one in letters if _FACES.get(one, "") == points.get(one)]
        groups = {"face value": face} if len(face) > 2 else {}
        for letter in letters:
            if letter not in groups.get("face value", ()):
                groups.setdefault(points.get(letter, "0"), []).append(letter)
        for value, group in groups.items():
            paths = [f"score.points.{letter}" for letter in group]
            yield row(self.rules, capital(rank_list(group)), value, *paths)

    @property
    def special_points(self) -> Iterator[Row]:
        """
        The points of single cards.
        """
        for name, value in self.rules.score.special:
            if self._has(name[0]):
                either = name != "*" and self._may_be_wild(name)
                label = f"{capital(card(name))}{', wild or not' * either}"
                yield row(self.rules, label, value, f"score.special.{name}")

    def _may_be_wild(self, name: str) -> bool:
        """
        Whether a card other than a joker can be wild.
        """
        if self.words.holds("names_wilds"):
            return name[0] != "A" or self.wild_aces
        return self.rules.wild.permanent()[Card(name).code]

    @property
    def in_hand(self) -> list[str]:
        """
        The cards that count more when they are left in a hand.
        """
        one = a if self.most_packs > 1 else "the {}".format
        return [
            f"{a(card(name)) if name == '*' else one(card(name))} counts {points}"
            for name, points in self.rules.score.in_hand
            if self._has(name[0])
        ]
