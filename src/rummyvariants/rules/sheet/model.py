"""
The parts of a rule sheet, and the facts about the rules that its sentences need.
"""

from __future__ import annotations

import itertools
import re

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import attrs

from rummyvariants._support.words import a, capital, card, cards, counted, listed, number, rank, rank_list, ranks, span, stretches
from rummyvariants.cards import CARDS, Card, code_of
from rummyvariants.melds.shapes._track import GAP
from rummyvariants.policies.answers import Leave
from rummyvariants.policies.base import from_table
from rummyvariants.policies.deal import sizes_of
from rummyvariants.policies.house import HouseRule
from rummyvariants.rules._claims import of_the_table
from rummyvariants.rules._origins import Rules, telling
from rummyvariants.rules.sheet.assembling import Teller, rows_of
from rummyvariants.rulings import Conditions, catalogue


@attrs.frozen
class Row:
    """
    A line of a table.

    Attributes:
        label: Its label.
        value: Its value.
        rules: Ids of the rules behind it.
        values: The policy values that it states.
    """

    label: str
    value: str
    rules: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


@attrs.frozen
class Paragraph:
    """
    One or a few sentences that cite the same rules.

    Attributes:
        text: The sentences.
        rules: Ids of the rules behind them, the most specific first.
        sources: The documents that these rules come from.
        set_by: The presets, options and files that set what the sentences state.
        values: The policy values that they state.
        rows: A table below the sentences.
        columns: The headings of that table.
    """

    text: str
    rules: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    set_by: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    columns: tuple[str, str] = ("card", "points")


@attrs.frozen
class Section:
    """
    A part of the sheet.

    Attributes:
        title: Its heading.
        paragraphs: Its paragraphs.
    """

    title: str
    paragraphs: tuple[Paragraph, ...]


Prose = Callable[["Facts"], Iterator[Paragraph]]
"""A function that writes one section."""


@attrs.frozen
class Facts:
    """
    Facts about the rules in force that the sentences of several sections need.

    Attributes:
        rules: The rules.
    """

    rules: Rules
    _known: dict[str, Any] = attrs.field(init=False, factory=dict)
    words: Teller = attrs.field(init=False)

    @words.default
    def _words(self) -> Teller:
        return Teller(self, rows_of("words")[0], self)

    # --------------------------------------------------------------------- writing

    def say(
        self,
        text: str,
        *stated: str,
        rows: Iterable[Row] = (),
        columns: tuple[str, str] = ("card", "points"),
    ) -> Paragraph:
        """
        A paragraph with its provenance.

        Args:
            text: The sentences.
            stated: The policy values that they state, and ids of rules that hold
                whatever the ruleset.
            rows: A table below the sentences.
            columns: The headings of that table.
        """
        rows = tuple(rows)
        ids = self.ids(*stated)
        cited = _unique([*ids, *(one for row in rows for one in row.rules)])
        values = _unique(
            path
            for path in [*stated, *(one for row in rows for one in row.values)]
            if "." in path
        )
        return Paragraph(
            text,
            ids,
            _unique(rule.source for one in cited if (rule := catalogue().get(one))),
            _unique(self.rules.origin(path).set_by for path in values),
            values,
            rows,
            columns,
        )

    def row(self, label: str, value: object, *stated: str) -> Row:
        """
        A line of a table with the policy values that it states.
        """
        return Row(label, str(value), self.ids(*stated), stated)

    def ids(self, *stated: str) -> tuple[str, ...]:
        """
        What is cited for policy values.

        The rule for a default value is left out if another one says more.
        """
        return telling(map(self.rules.rule_of, stated))

    def is_set(self, path: str) -> bool:
        """
        Whether the game, an option or a file says what a policy value is.
        """
        return self.rules.origin(path).set_by != "the library"

    def hold(self, conditions: Conditions) -> bool:
        """
        Whether conditions are met, be they policy values or facts by their names.
        """
        return all(
            self.words.named(name)[0] in values
            for name, values in conditions
        )

    def named(self, name: str) -> tuple[Any, list[str]]:
        """
        A fact or a policy value by its name, and that nothing is cited for it.

        Names such as ``house.owes``, ``asked.owes``, ``replaced.meld.ace`` and
        ``said.meld.ace`` tell whether a rule of the table or any rule answers a
        question, a rule takes a value over, and anybody says what a value is.
        """
        if name not in self._known:
            self._known[name] = self._found(name)
        found = self._known[name]
        cited = isinstance(found, tuple) and "." not in name
        return found if cited else (found, [])

    def _found(self, name: str) -> Any:
        kind, dot, rest = name.partition(".")
        if kind == "house":
            return self.answering(rest)
        if kind in {"asked", "replaced"}:
            return rest in getattr(self.rules, kind)
        if kind == "said":
            return self.is_set(rest)
        return getattr(getattr(self.rules, kind), rest) if dot else getattr(self, name)

    def answering(self, question: str) -> list[tuple[str, HouseRule]]:
        """
        The house rules of the table that answer a question, with their paths.
        """
        return of_the_table(self.rules.asked.get(question, ()))

    @property
    def refills(self) -> bool:
        """
        Whether house rules of the table fill an empty hand again.
        """
        return bool(self.answering("refills"))

    @property
    def last_hand(self) -> str:
        """
        The hand without which a player is out.
        """
        return "a hand that is not filled again" if self.refills else "the hand"

    @property
    def kinds(self) -> list[str]:
        """
        The kinds of melds that house rules of the table declare, such as ``a royal``.
        """
        return [a(kind.name) for kind in self.rules.kinds]

    # ------------------------------------------------------------------------ deck

    @property
    def side(self) -> str:
        """
        The side on which the next player sits.
        """
        return "left" if self.rules.match.direction == "clockwise" else "right"

    @property
    def other_side(self) -> str:
        """
        The side on which the player before sits.
        """
        return "right" if self.side == "left" else "left"

    @property
    def players(self) -> range:
        """
        The numbers of players that the rules allow.
        """
        low, high = self.rules.match.players
        return range(low, high + 1)

    @property
    def seated(self) -> list[int]:
        """
        Those numbers of players whose hands the deck has enough cards for.
        """
        deal, deck = self.rules.deal, self.rules.deck
        if not deal.is_fixed or deal.may_be_short or self.sized_by_rule:
            return [*self.players]
        beside = self.rules.kept_back
        return [
            count
            for count in self.players
            if count * max(sizes_of(deal, count)) + beside <= len(deck.cards_for(count))
        ]

    @property
    def packs(self) -> dict[int, int]:
        """
        The number of packs by the number of players.
        """
        return {count: self.rules.deck.packs_for(count) for count in self.players}

    @property
    def several_packs(self) -> bool:
        """
        Whether there is ever more than one pack.
        """
        return max(self.packs.values()) > 1

    @property
    def jokers(self) -> int:
        """
        The number of jokers in the largest deck.
        """
        return max(map(self.rules.deck.jokers_for, self.packs.values()))

    @property
    def twins(self) -> str:
        """
        Which cards may have an identical one: any card, only jokers, or none.
        """
        if self.several_packs:
            return "any"
        return "jokers" if self.jokers > 1 else "none"

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
        more = self.rules.kept_back
        kept = wild.by_dealers_card and wild.indicator_is_wild == "more cards"
        permanent = wild.permanent()
        for count in self.players:
            cards = deck.cards_for(count)
            more_wilds = sum(permanent[code] for code in cards) if kept else 0
            if len(cards) < count * max(sizes_of(deal, count)) + more + more_wilds:
                return False
        return True

    @property
    def sized_by_rule(self) -> bool:
        """
        Whether a house rule says how many cards a hand has, and the values do not.
        """
        return "deal.hand_size" in self.rules.replaced

    @property
    def only_two(self) -> bool:
        """
        Whether the rules are only for two players.
        """
        return [*self.players] == [2]

    def has(self, letter: str) -> bool:
        """
        Whether the deck has cards of a rank.
        """
        if letter == "*":
            return self.rules.deck.jokers_for(1) > 0
        return letter in self.rules.deck.ranks

    # ----------------------------------------------------------------------- wilds

    @property
    def permanent(self) -> dict[str, str]:
        """
        The cards that are wild in every deal, by the policy value that makes them so.
        """
        wild, deck = self.rules.wild, self.rules.deck
        found = {
            "wild.jokers": "joker" if wild.jokers and self.has("*") else "",
            "wild.twos": "two" if wild.twos and self.has("2") else "",
            "wild.tens": "ten" if wild.tens and self.has("T") else "",
            "wild.one_eyed_jacks": "one-eyed jack"
            if wild.one_eyed_jacks and self.has("J") and {*deck.suits} & {*"sh"}
            else "",
            "wild.cards": listed(self.wild_cards) if self.wild_cards else "",
        }
        return {path: name for path, name in found.items() if name}

    @property
    def wild_cards(self) -> list[str]:
        """
        The single cards that are wild in every deal.
        """
        return [f"the {card(one)}" for one in self.rules.wild.cards]

    @property
    def always_wild(self) -> list[str]:
        """
        All cards that are wild in every deal, kinds of them in the plural.
        """
        kinds = [
            f"{name}s" for path, name in self.permanent.items() if path != "wild.cards"
        ]
        return kinds + self.wild_cards

    @property
    def shown(self) -> bool:
        """
        Whether a card that is turned up names the wild rank.
        """
        return (
            self.rules.wild.by_dealers_card or self.rules.wild.indicator == "separate"
        )

    @property
    def wilds(self) -> bool:
        """
        Whether any card is ever wild.
        """
        return bool(self.permanent) or self.names_wilds

    @property
    def names_wilds(self) -> bool:
        """
        Whether a deal may have a wild rank.
        """
        return self.rules.wild.indicator != "none" or "wild_rank" in self.rules.asked

    @property
    def wild_selves(self) -> bool:
        """
        Whether a wild card can be played as itself, as all but jokers can.
        """
        return self.names_wilds or bool({*self.permanent} - {"wild.jokers"})

    @property
    def wild_homes(self) -> bool:
        """
        Whether some meld has a place for a wild card as itself.
        """
        meld, twos = self.rules.meld, {*self.permanent} == {"wild.jokers", "wild.twos"}
        only_twos = twos and not self.names_wilds
        if only_twos and not meld.runs and "2" not in meld.set_ranks:
            return False
        return self.wild_selves

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
        return self.has("A") and (any_rank or (self.shown and self.rules.wild.aces))

    @property
    def face_up_wild(self) -> bool:
        """
        Whether the card that names the wild rank stays in front of the dealer.
        """
        return self.rules.wild.by_dealers_card and self.rules.wild.indicator_stays

    # ----------------------------------------------------------------------- melds

    @property
    def suits_matter(self) -> str:
        """
        Whether a set holds at most one card a suit: always, with one pack, or never.
        """
        distinct = {self.rules.meld.distinct(packs) for packs in self.packs.values()}
        if len(distinct) > 1:
            return "with one pack"
        return "always" if distinct == {True} else "never"

    @property
    def suits_of_wilds(self) -> str:
        """
        Whether a wild in a set takes the place of a suit, likewise.
        """
        return self.suits_matter if self.rules.meld.wilds_take_suits else "never"

    @property
    def ace_low(self) -> bool:
        """
        Whether an ace can be below another card of a run.
        """
        return any(
            first == "A" and self.has(second) for first, second in self._neighbours
        )

    @property
    def ace_high(self) -> bool:
        """
        Whether an ace can be above another card of a run.
        """
        return any(
            second == "A" and self.has(first) for first, second in self._neighbours
        )

    @property
    def _neighbours(self) -> Iterator[tuple[str, str]]:
        meld = self.rules.meld
        if not meld.runs:
            return iter(())
        track = meld.track(self.rules.deck.ranks)
        return itertools.pairwise(track)

    @property
    def gap(self) -> tuple[str, str] | None:
        """
        Two ranks that a run would join if the deck had the ranks between them.
        """
        track = self.rules.meld.track(self.rules.deck.ranks)
        # An ace without a neighbour does not end a gap.
        track = track.removeprefix(f"A{GAP}").removesuffix(f"{GAP}A").strip(GAP)
        below, gap, above = track.partition(GAP)
        return (below[-1], above.lstrip(GAP)[0]) if gap else None

    @property
    def contracts(self) -> tuple[str, ...]:
        """
        The contracts of the rounds that can be played.
        """
        contracts = self.rules.meld.contracts
        return contracts[: self.most_rounds or None]

    @property
    def begun(self) -> str:
        """
        What a player has done whose first melds are on the table, in words.
        """
        return "laid the contract" if self.contracts else "made a meld"

    @property
    def buys(self) -> bool:
        """
        Whether an upcard may be bought.
        """
        return self.rules.call.buying != "none"

    @property
    def duty(self) -> bool:
        """
        Whether taking from the discard pile ever imposes a duty.
        """
        draw = self.rules.draw
        several = draw.take != "the top card"
        if draw.duty in {"none", "deepest of several"}:
            strict = draw.with_naturals or draw.new_meld
            return several and (draw.duty != "none" or strict)
        return True

    @property
    def real_card(self) -> str:
        """
        What can be done with the real card of a wild: nothing, beside, or swap.
        """
        use = self.rules.wild.real_card
        if not self.wilds or self.gin_only:
            return "nothing"
        if self.declares and (use == "swap" or not self.rules.layoff.last_turns):
            return "nothing"
        if self.rules.wild.moves_swapped and not self.rules.meld.runs:
            return "nothing"
        if (
            use == "beside"
            and not self.rules.meld.runs
            and self.suits_of_wilds == "never"
        ):
            return "nothing"
        return use

    @property
    def gin_only(self) -> bool:
        """
        Whether melds stay in the hand, and only a hand of melds ends a round.
        """
        return self.rules.meld.concealed and self.rules.out.knock == 0

    @property
    def sizes(self) -> list[int]:
        """
        The sizes of hands, where they are fixed, from the smallest.
        """
        deal = self.rules.deal
        return sorted(
            {size for count in self.players for size in sizes_of(deal, count)}
        )

    @property
    def left(self) -> str:
        """
        The cards that are left when a round is over and count, in words.
        """
        only = self.rules.score.counted == "unmatched cards"
        return "unmatched cards" if only else "cards left in a hand"

    @property
    def keeps_wilds(self) -> bool:
        """
        Whether the discard pile keeps its wild cards.
        """
        return self.wilds and self.rules.draw.wilds != "free"

    @property
    def leaves(self) -> bool:
        """
        Whether a player may leave a round.
        """
        out = self.rules.out
        wrong = self.declares and out.wrong_declaration != "refused"
        return wrong or any(
            Leave in (rule.effects or ()) for _, rule in self.rules.house
        )

    @property
    def hands_count(self) -> bool:
        """
        Whether cards left in a hand ever count, apart from knocks.
        """
        score = self.rules.score
        nothing = {"nothing", "the difference", "as ever"}
        return not {score.hands, score.blocked} <= nothing

    @property
    def declares(self) -> bool:
        """
        Whether a player goes out by showing the whole hand in melds.
        """
        return self.rules.out.declare != "never"

    @property
    def out(self) -> tuple[str, str]:
        """
        What the player who ends a round does, such as ``goes out`` and ``went out``.
        """
        if self.gin_only:
            return "goes gin", "went gin"
        if self.declares:
            return "declares", "declared"
        if self.rules.meld.concealed:
            return "knocks", "knocked"
        return "goes out", "went out"

    @property
    def low_aces_count(self) -> bool:
        """
        Whether a low ace on the table has a score of its own.
        """
        score = self.rules.score
        counts = score.down == "add" and not self.rules.meld.concealed
        return counts and self.ace_low and isinstance(score.low_ace, int)

    def may_be_wild(self, name: str) -> bool:
        """
        Whether a card other than a joker can be wild.
        """
        wild = self.rules.wild
        if self.names_wilds:
            return name[0] != "A" or self.wild_aces
        return wild.permanent()[Card(name).code]

    @property
    def natural_rummy(self) -> bool:
        """
        Whether going rummy without a wild card scores a bonus of its own.
        """
        score = self.rules.score
        return isinstance(score.rummy, int) and isinstance(score.natural_rummy, int)

    @property
    def one_scores(self) -> bool:
        """
        Whether at most one player scores in a round.
        """
        score = self.rules.score
        alone = not (score.out_bonus or score.exact_cut)
        return score.hands == "the difference" and alone

    @property
    def most_rounds(self) -> int:
        """
        The most rounds of a match; 0 if there is no limit.
        """
        rounds = self.rules.match.rounds
        return rounds if isinstance(rounds, int) else 0

    @property
    def single_round(self) -> bool:
        """
        Whether a match is just one round.
        """
        match = self.rules.match
        over = match.ends == "after the rounds" and self.most_rounds == 1
        return over and match.tie != "play on"

    @property
    def stuck(self) -> str:
        """
        What could leave a player no card to discard: nothing, a move, or a draw too.

        Duties for discards are left out: they have a sentence of their own.
        """
        discard, out = self.rules.discard, self.rules.out
        if self.rules.meld.concealed:
            return "nothing"
        last = out.last_discard == "unplayable" or out.empty_hand == "refused"
        kept = discard.keep and (self.several_packs or len(discard.keep) > 1)
        draw, asked = self.rules.draw, self.rules.asked
        several = draw.from_stock or "cards_drawn" in asked
        owed = draw.stock_card != "free" and several  # one discard is not enough
        barred = "discards" in asked or self.answering("may_go_out")
        if last or kept or owed or self.floats or barred:
            return "a draw"
        return "a move" if discard.throw_back == "refused" else "nothing"

    @property
    def floats(self) -> bool:
        """
        Whether a player may play on without cards and draw only from the stock.
        """
        out = self.rules.out
        floats = out.empty_hand == "float" and out.floats_on_stock
        return floats and not self.declares

    # ------------------------------------------------------------------ new

    @property
    def most_packs(self) -> int:
        """
        The most packs that are ever used.
        """
        return max(self.packs.values())

    @property
    def most_jokers(self) -> int:
        return self.jokers

    @property
    def has_jokers(self) -> bool:
        return self.has("*")

    @property
    def may_leave(self) -> bool:
        return self.leaves

    @property
    def special(self) -> dict[str, int]:
        return dict(self.rules.score.special)

    @property
    def aces_as_wilds(self) -> bool:
        return self.rules.score.wild == self.rules.score.wild_ace

    @property
    def in_hand(self) -> list[str]:
        one = a if self.several_packs else "the {}".format
        return [
            f"{a(card(name)) if name == '*' else one(card(name))} counts {points}"
            for name, points in self.rules.score.in_hand
            if self.has(name[0])
        ]

    @property
    def each_laid_aside(self) -> str:
        return re.sub("^a ", "each ", cards(self.rules.deal.laid_aside))

    @property
    def last_wild_rank(self) -> str:
        return ranks(next(one for one in "KQJT98765432A" if self.has(one)))

    @property
    def paid_above(self) -> list[str]:
        return [
            f"{points} for {'one such card' if held == 1 else number(held)}"
            for held, points in self.rules.score.above
        ]

    @property
    def points(self) -> Iterator[Row]:
        """
        The points of the cards that are not wild, with equal ones together.
        """
        points = dict(self.rules.score.points)
        always = {"wild_twos": "2", "wild_tens": "T", "wild_jokers": "*"}
        wild = {one for name, one in always.items() if self.words.holds(name)}
        if self.rules.score.wild == "as the card":
            wild.clear()
        wild |= {*self.special} & {"*"}
        groups: dict[int | str, list[str]] = {}
        face = [one for one in _FACES if points.get(one) == _FACES.index(one) + 2 and self.has(one) and one not in wild]
        for letter in _FACES + "JQKA*":
            if self.has(letter) and letter not in wild:
                value: int | str = points.get(letter, 0)
                if letter in face and len(face) > 2:
                    value = "face value"
                groups.setdefault(value, []).append(letter)
        for value, group in sorted(groups.items(), key=lambda one: one[0] != "face value"):
            paths = [f"score.points.{letter}" for letter in group]
            yield self.row(capital(rank_list(group)), value, *paths)

    @property
    def special_points(self) -> Iterator[Row]:
        """
        The points of single cards.
        """
        for name, value in self.rules.score.special:
            if self.has(name[0]):
                either = name != "*" and self.may_be_wild(name)
                label = f"{capital(card(name))}{', wild or not' if either else ''}"
                yield self.row(label, value, f"score.special.{name}")

    def by_players(self, table: tuple[tuple[int, int], ...], noun: str) -> str:
        """
        A number of things by the number of players.

        The things are named once.
        """
        groups = stretches({count: from_table(table, count) for count in self.players})
        parts: list[str] = []
        for low, high, many in groups:
            things = number(many)
            if not parts:
                things = counted(many, noun)
            for_some = f" with {span(low, high)} players" if len(groups) > 1 else ""
            parts.append(things + for_some)
        return listed(parts)

    def upcard_numbers(self, verb: str) -> tuple[str, tuple[str, ...]]:
        """
        The value of each rank as an upcard.

        Args:
            verb: The verb of the sentence, such as ``counts``.

        Returns:
            The sentence without its end, and the policy values behind it.
        """
        number = self.rules.deal.upcard_number
        return self._numbers(verb, number, "deal.upcard_counts", str)

    @property
    def knock_counts(self) -> tuple[str, tuple[str, ...]]:
        """
        The limit that each rank sets for a knock, and the policy values behind it.
        """

        def limit(letter: str) -> int:
            return self.rules.out.limit(CARDS[code_of(letter, "c")])

        def points(limit: int) -> str:
            return str(limit) if limit else "gin only"

        return self._numbers("allows", limit, "out.knock_counts", points)

    def _numbers(
        self,
        verb: str,
        number: Callable[[str], int],
        path: str,
        said: Callable[[int], str],
    ) -> tuple[str, tuple[str, ...]]:
        """
        A sentence about a number for each rank, and the policy values behind it.
        """
        ranks = [letter for letter in _FACES + "JQKA" if self.has(letter)]
        plain = {
            letter
            for letter in ranks
            if letter in _FACES and number(letter) == _FACES.index(letter) + 2
        }
        groups: dict[int, list[str]] = {}
        for letter in ranks:
            if letter not in plain:
                groups.setdefault(number(letter), []).append(rank(letter))
        pairs = [("a number card", "its face value")] if plain else []
        pairs += [
            (a(listed(names, "or")), said(count)) for count, names in groups.items()
        ]
        (subject, value), *others = pairs
        text = listed([f"{subject} {verb} {value}", *map(" ".join, others)])
        paths = [f"{path}.{one}" for one in ranks if one not in plain]
        return text, (path, *paths)


_FACES: Final = "23456789T"


def _unique(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in items if one))
