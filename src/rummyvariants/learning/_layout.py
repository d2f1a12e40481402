"""
The fields of an observation, for some rules and a number of players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, final

from rummyvariants.actions import Ask, Buy, CallRummy, Choose, Knock, Rejoin
from rummyvariants.cards import CARDS, JOKER, RANKS
from rummyvariants.game import _asking as asking
from rummyvariants.game._round import BY_RULE, DEALT_HAND
from rummyvariants.game.verbs._known import NUMBERED_PHASES
from rummyvariants.house.answers import (
    AskOthers,
    EndMatch,
    EndRound,
    GoOn,
    Move,
    Points,
    Show,
)
from rummyvariants.learning._fields import MOST, Axis, Field, Measure, axis, named
from rummyvariants.learning._packing import SUMMARY
from rummyvariants.learning._vocabulary import (
    deals_of,
    ever,
    has_wilds,
    most_melds,
    shown_hand,
    verbs_under,
)
from rummyvariants.policies._duties import HOWS, swapped
from rummyvariants.policies.deal import sizes_of
from rummyvariants.rules import Ruleset


FRAMES: Final = 4
"""The most frames that there is room for."""
WIDTH: Final = 16
"""How many numbers there are for a value that a rule or a phase remembers."""
CHOSEN: Final = 64
"""How many indices of an action that is being chosen there is room for."""
FREE_PLACES: Final = JOKER + 2
"""The number of a wild that stands for an ace of any suit; other ranks follow, and
stars after them."""
_KINDS: Final = ("set", "run", "wilds", "wild")
_ENDS: Final = ("out", "stock", "idle", "drop", "knock", "gin", "big gin")
Labels = tuple[str, ...]

TOTALS: Final = (
    "total",
    "boxes",
    "points of the last round",
    "bonuses of the match",
    "payments after rounds",
)
_COLUMNS: Final = ("points", "boxes", "is won", "bonuses")
DEAL: Final = (
    "round",
    "deals of the next round thrown in",
    "deals of this round thrown in",
    "card that names the wild rank",
    "card that began the discard pile",
)
OF_MATCH: Final = (
    "is seat 0",
    "has dealt",
    "deals next",
    "is on the observer's side",
    "is out of the match",
    "has won the match",
    "went out first in the last round",
)
OF_ROUND: Final = (
    "is in turn",
    "may act",
    "has a meld, or a partner has",
    "floats",
    "had laid a card before this turn",
    "has had a last turn",
    "has left the round",
    "has left it by a wrong declaration",
)
COUNTS: Final = (
    "cards in the hand",
    "turns finished",
    "place in the order of going out",
    "points for leaving the round",
)
PROGRESS: Final = (
    "cards in the stock",
    "cards in the discard pile",
    "idle turns in a row",
    "times that the pile was turned over",
    "whether a card has reached the table since",
    "whether a card was laid in this turn",
    "new melds of this turn",
)
_FRAME: Final = ("phase", "seat")
LYING: Final = ("meld", "card", "stands for", "laid by", "counts twice", "beside")


def possible(rules: Ruleset, players: int) -> Mapping[str, bool]:
    """
    Whether something may ever be so under some rules; what has no entry always may.
    """
    deals = [_possible_in(one, players) for one in rules.by_deal]
    labels = deals[0] if deals else ()
    return {label: any(one[label] for one in deals) for label in labels}


def _possible_in(rules: Ruleset, players: int) -> dict[str, bool]:
    """
    The same in one deal.
    """
    wild, meld, draw, call = rules.wild, rules.meld, rules.draw, rules.call
    out, match, stock, asked = rules.out, rules.match, rules.stock, rules.asked
    kinds = {verb.kind for verb in verbs_under(rules)}
    is_wild = has_wilds(rules, players)
    moves = not rules.effects.isdisjoint({Move, Show})
    shows, leaves = Knock in kinds, rules.settled.leaves
    remembering = not kinds.isdisjoint({Choose, Buy, Ask, Rejoin})
    return {
        "boxes": match.counts_boxes,
        "payments after rounds": "pays" in asked,
        "idle": bool(stock.idle_rounds),
        "drop": leaves,
        **dict.fromkeys(("knock", "gin", "big gin"), shows),
        DEALT_HAND: bool(out.dealt_hand),
        "an end by rule": not rules.effects.isdisjoint({EndRound, EndMatch}),
        "a draw by rule": GoOn in rules.effects,
        "card that names the wild rank": wild.is_named,
        "card that began the discard pile": rules.asks_for_upcard,
        "is on the observer's side": match.has_sides,
        "is out of the match": "eliminated" in asked,
        "floats": out.may_float,
        "had laid a card before this turn": rules.score.asks_who_laid,
        "has had a last turn": bool(out.last_turn),
        "has left the round": leaves,
        "has left it by a wrong declaration": leaves,
        "points for leaving the round": leaves,
        "idle turns in a row": bool(stock.idle_rounds),
        "times that the pile was turned over": stock.turns_over,
        "whether a card has reached the table since": stock.turns_over,
        "new melds of this turn": rules.counts_melds,
        "phase choose": Choose in kinds,
        "phase offer": draw.offers_upcard,
        "phase stock": Buy in kinds,
        "phase buy": Buy in kinds,
        "phase answer": Ask in kinds,
        "call": call.is_made,
        "phase call": call.is_made,
        "phase discard": call.owes_discard,
        "phase layoff": rules.layoff.after_knock,
        "phase rejoin": Rejoin in kinds,
        "another": AskOthers in rules.effects,
        "interrupts": remembering or CallRummy in kinds,
        "notes": remembering or bool(rules.asked),
        "the wild rank": wild.is_named,
        "set": bool(meld.sets),
        "run": bool(meld.runs),
        "wilds": is_wild,
        "alike": meld.alike,
        "wild": rules.layoff.single_wilds or wild.indicator_stays,
        "stands for": is_wild,
        "counts twice": rules.score.doubles_fours,
        "beside": wild.lies_beside,
        "cards that leave the hand in a turn": not meld.concealed or moves,
        "cards of the stock that are known": moves,
        "cards laid in turns": not meld.concealed,
        "other zones": Move in rules.effects,
        "strange things": bool(rules.effects),
    }


def duties(rules: Ruleset) -> Labels:
    """
    What may have to be done with drawn cards under some rules, in the order of `HOWS`.
    """
    if ever(rules, lambda one: "owes" in one.asked):
        return tuple(HOWS)
    found = {one for deal in rules.by_deal for one in _duties_in(deal)}
    return tuple([one for one in HOWS if one in found])


def _duties_in(rules: Ruleset) -> set[str]:
    """
    The same in one deal.
    """
    draw = rules.draw
    taken = [
        draw.duties(some, first=one)
        for some in (b"\0", b"\0\0")
        for one in (True, False)
    ]
    found = {one.how for some in (*taken, draw.stock_duties(0)) for one in some}
    return found | ({swapped(0).how} if rules.wild.swaps else set())


@final
class Layout:
    """
    What the shapes of an observation follow from.

    Args:
        rules: The rules.
        players: The number of players.
        indices: How many indices the encoding of actions has.
        whole: Whether there is also room for what can never be under these rules.

    Attributes:
        rules: The rules.
        players: The number of players.
        faces: The codes of the faces of the deck, lowest first.
        cards: How many cards the deck has.
        melds: How many melds there is room for, the dealer's wild among them.
        lying: How many cards on the table there is room for.
        pile: How many discards there is room for.
        zones: The names of zones that the rules are known to use.
        memories: What the rules remember at first, by their names.
        columns: How many columns the score has; 0 if it is in one.
        indices: How many indices the encoding of actions has.
        chosen: How many of them there is room for in an action that is being chosen.
        awards: What rules award in rounds, if they may award points.
        kinds: The kinds of melds.
        duties: What may have to be done with cards that were drawn.
        ends: How a round may end.
        sources: Where a draw may come from.
        phases: The phases.
        frames: How many frames there is room for.
        notes: How many numbers there are for what a phase remembers.
        spends: Whether cards leave the hand in a turn before its end.
    """

    def __init__(
        self, rules: Ruleset, players: int, indices: int, *, whole: bool = False
    ) -> None:
        deck, deals = rules.deck.cards_for(players), deals_of(rules)
        self.rules = rules
        self.players = players
        self.faces = tuple(sorted({*deck}))
        self.cards = len(deck)
        self._copies = max(Counter(deck).values())
        self._points = Measure(-MOST, MOST, usual=rules.match.target)
        self._possible = {} if whole else possible(rules, players)
        self.melds = most_melds(rules, players) + self.may("wild")
        hand = None if whole else shown_hand(rules, players)
        self.lying = self.pile = self.cards
        self.chosen = CHOSEN
        if hand is not None:
            self.lying = min(
                self.cards, hand * (players if self.may("phase layoff") else 1)
            )
            dealt = [min(sizes_of(one.deal, players)) for one in deals]
            self.pile -= players * min(dealt)
            self.chosen = min(CHOSEN, 4 + 2 * hand + hand * has_wilds(rules, players))
        zones = {name for one in deals for name in asking.zone_names(one)}
        self.zones = tuple(sorted(zones))
        self.secrets = frozenset().union(*[one.secrets for one in deals])
        self.memories = {
            name: memory.start for one in deals for name, memory in one.memories.items()
        }
        columns: int = rules.match.columns
        self.columns = columns if columns > 1 else 0
        awards = any(Points in one.effects for one in deals)
        self.awards = ["points awarded"] * awards
        kinds = dict.fromkeys([kind.name for one in deals for kind in one.kinds])
        self.kinds = (*self.kept(_KINDS), *kinds)
        if self.may("alike"):
            self.kinds += ("alike",)
        self.duties = tuple(HOWS) if whole else duties(rules)
        by_rule = [BY_RULE] if self.may("an end by rule") else []
        self.ends = (*self.kept((*_ENDS, DEALT_HAND)), *by_rule)
        by_rule = [BY_RULE] if self.may("a draw by rule") else []
        self.sources = (*self.kept(("stock", "discards", "call")), *by_rule)
        phases = [one.name for one in NUMBERED_PHASES if self.may(f"phase {one.name}")]
        self.phases = (*phases, *self.kept(["another"]))
        asks_others = self.may("another")
        self.frames = FRAMES if asks_others or self.may("interrupts") else 1
        self.notes = WIDTH if asks_others or self.may("notes") else 0
        self.indices = indices
        self.spends = self.may("cards that leave the hand in a turn")

    def may(self, what: str) -> bool:
        """
        Whether something may ever be so under the rules.
        """
        return self._possible.get(what, True)

    def kept(self, labels: Iterable[str]) -> Labels:
        """
        Those of some labels that may ever hold under the rules.
        """
        return tuple([one for one in labels if self.may(one)])

    def fields(self) -> Iterator[Field]:
        """
        The fields of the Markov form, in the order of their numbers.
        """
        others = [f"{one} to the left" for one in range(1, self.players)]
        seat = axis("seat", ["the observer", *others])
        card = axis("card", [str(CARDS[code]) for code in self.faces])
        yield from self._of_progress(seat, card)
        yield from self._of_cards(seat, card)
        number, strange = Axis("number", WIDTH), self.may("strange things")
        yield _field("memory", _SPELLED, axis("rule", self.memories), number)
        yield _field("awarded", self._points, axis("award", self.awards), seat)
        yield _field("others", DIGEST, Axis("number", SUMMARY * strange))
        index = Axis("index", self.indices)
        yield _field("chosen", named(index, listed=True), Axis("place", self.chosen))

    def _of_progress(self, seat: Axis, card: Axis) -> Iterator[Field]:
        """
        The fields about the match, the round and the turn.
        """
        points, cards = self._points, Measure(0, self.cards)
        column = axis("column", map(str, range(1, self.columns + 1)))
        waiting = [f"waits for {one}" for one in seat.labels]
        notes = [f"note {one}" for one in range(1, self.notes + 1)]
        names_wild = self.may("the wild rank")
        yield _field("scores", points, axis("score", self.kept(TOTALS)), seat)
        of_column = dict.fromkeys(_COLUMNS, points) | {"is won": _FLAG}
        score = axis("score", _COLUMNS, of_column)
        yield _field("columns", points, column, score, seat)
        yield _field("last_round", _FLAG, axis("end", self.ends))
        of_deal = dict(
            zip(DEAL, (_TIMES, _TIMES, _TIMES, named(card), named(card)), strict=True)
        )
        yield _field("deal", _TIMES, axis("fact", self.kept(DEAL), of_deal))
        yield _field("wild_rank", _FLAG, axis("rank", RANKS if names_wild else ()))
        yield _field("wild", _FLAG, card if names_wild else _NO_CARDS)
        facts = self.kept((*OF_MATCH, *OF_ROUND))
        yield _field("seats", _FLAG, axis("fact", facts), seat)
        place = Measure(0, self.players)
        of_seat = dict(zip(COUNTS, (cards, _TIMES, place, points), strict=True))
        yield _field("counts", _TIMES, axis("count", self.kept(COUNTS), of_seat), seat)
        melds = Measure(0, self.melds)
        kinds = (cards, cards, _TIMES, _TIMES, _FLAG, _FLAG, melds)
        count = axis(
            "count", self.kept(PROGRESS), dict(zip(PROGRESS, kinds, strict=True))
        )
        yield _field("progress", _TIMES, count)
        phase = axis("phase", self.phases)
        yield _field("phase", _FLAG, phase)
        of_frame = {
            **dict(zip(_FRAME, (named(phase), named(seat)), strict=True)),
            **dict.fromkeys(waiting, _FLAG),
            **dict.fromkeys(notes, _SPELLED),
        }
        fact = axis("fact", of_frame, of_frame)
        yield _field("frames", _SPELLED, Axis("frame", self.frames), fact)
        yield _field("drawn_from", _FLAG, axis("source", self.sources))

    def _of_cards(self, seat: Axis, card: Axis) -> Iterator[Field]:
        """
        The fields about what lies where.
        """
        most, cards, flag = self._copies, Measure(0, self.cards), _FLAG
        copies, face, places = Measure(0, most), named(card), Measure(0, self.melds)
        first = 0 if self.may("wild") else 1
        meld = axis("meld", map(str, range(first, first + self.melds)))
        made = [f"made by {one}" for one in seat.labels]
        shape = dict.fromkeys((*self.kinds, "begins at", *made), flag)
        shape["begins at"] = Measure(0, len(RANKS) + 1)
        stands_for = Measure(0, FREE_PLACES + len(RANKS))
        players = Measure(0, self.players)
        of_lying = (
            places,
            Measure(0, len(card.labels)),
            stands_for,
            players,
            flag,
            cards,
        )
        other_zones = ["others"] if self.may("other zones") else []
        zone = axis("zone", [*self.zones, *other_zones])
        owner = axis("owner", [*seat.labels, "nobody"])
        yield _field("drawn", copies, card)
        left = card if self.spends else _NO_CARDS
        yield _field("spent", Measure(-most, most), left)
        yield _field("owed", copies, axis("duty", self.duties), card)
        yield _field("hands", copies, seat, card)
        yield _field("unseen", copies, card)
        known = self.may("cards of the stock that are known")
        yield _field("stock", face, Axis("place", self.cards if known else 0))
        yield _field("pile", face, Axis("place", self.pile))
        yield _field("discards", copies, card)
        yield _field("top", flag, card)
        yield _field("melds", copies, meld, card)
        yield _field("shapes", flag, meld, axis("fact", shape, shape))
        lying = axis("fact", self.kept(LYING), dict(zip(LYING, of_lying, strict=True)))
        yield _field("table", cards, Axis("place", self.lying), lying)
        by_seat = card if self.may("cards laid in turns") else _NO_CARDS
        yield _field("laid", copies, seat, by_seat)
        yield _field("zones", copies, zone, owner, card)
        yield _field("zone_sizes", cards, zone, owner)


_FLAG: Final = Measure(0, 1)
_TIMES: Final = Measure(0, MOST, usual=10)
_SPELLED: Final = Measure(-MOST, MOST, usual=10)
DIGEST: Final = Measure(0, (1 << 16) - 1)
"""What a number of a summary can be."""
_NO_CARDS: Final = axis("card", ())


def _field(name: str, measure: Measure, *axes: Axis) -> Field:
    return Field(name, axes, measure, _DOCS[name])


_DOCS: Final = {
    "scores": "The points and boxes of each seat.",
    "columns": "The same of each column, where the score is kept in several.",
    "last_round": "How the last round ended.",
    "deal": "Numbers of rounds and deals, and cards as the numbers of their faces.",
    "wild_rank": "The rank that is wild in this deal; zeros for none.",
    "wild": "Which cards are wild in this deal.",
    "seats": "What is true of each seat.",
    "counts": "Numbers for each seat.",
    "progress": "Numbers for the round and the turn.",
    "phase": "What has to be done next.",
    "frames": (
        "What is in progress, the turn first, then what interrupts it: the number of "
        "the phase, the place of the seat plus one, the seats that may act, and what "
        "the phase remembers."
    ),
    "drawn_from": "What the player in turn has drawn from.",
    "drawn": "The cards drawn that the observer has seen.",
    "spent": "The cards that have left the hand since, less those that came to it.",
    "owed": "The cards drawn that have to be used, by how they have to be used.",
    "hands": "The cards known to be in each hand; the observer's own first.",
    "unseen": "The cards whose place the observer does not know.",
    "stock": "The stock from the top: the numbers of the faces that are known, else 0.",
    "pile": "The discard pile from the top: the numbers of the faces; then zeros.",
    "discards": "The cards of the discard pile.",
    "top": "The top card of the discard pile.",
    "melds": "The cards of each meld by its number; 0, if there, is the dealer's wild.",
    "shapes": (
        "The kind of each meld, where a run begins on the track of ranks, from 1, and "
        "who made it."
    ),
    "table": (
        "Every card on the table, meld by meld, from low to high in runs, those "
        "beside wilds last: the place of its meld, from 1, the number of its face, "
        "what it stands for if it is wild (a code plus one; from 66 on a rank of any "
        "suit), the place of the seat plus one, whether it counts twice, and the place "
        "of the wild that it lies beside, from 1."
    ),
    "laid": "The cards on the table by who laid them.",
    "zones": "The cards that lie apart by some rule and that the observer has seen.",
    "zone_sizes": "How many cards lie there, seen or not.",
    "memory": "What each rule remembers, spelled.",
    "awarded": "The points that rules have awarded so far, which the round counts.",
    "others": (
        "A summary of zones with names that rules make up, and of what unknown "
        "actions note; zeros where there are none."
    ),
    "chosen": (
        "The indices of the action being chosen so far, each plus one; then zeros."
    ),
}
"""What the numbers of each field mean."""
