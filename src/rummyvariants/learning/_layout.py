"""
The fields of an observation, for some rules and a number of players.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, final

from rummyvariants.cards import CARDS, CODES, MOST_COPIES, RANKS
from rummyvariants.game import _asking as asking
from rummyvariants.game._round import BY_RULE, DEALT_HAND
from rummyvariants.game.verbs._known import NUMBERED_PHASES
from rummyvariants.house.answers import EndMatch, EndRound, GoOn, Points
from rummyvariants.learning._fields import MOST, Axis, Field, axis
from rummyvariants.learning._packing import SUMMARY
from rummyvariants.learning._vocabulary import most_melds
from rummyvariants.policies._duties import HOWS
from rummyvariants.rules import Ruleset


FRAMES: Final = 4
"""The most frames that there is room for."""
WIDTH: Final = 16
"""How many numbers there are for a value that a rule or a phase remembers."""
CHOSEN: Final = 64
"""How many indices of an action that is being chosen there is room for."""
_KINDS: Final = ("set", "run", "wilds", "wild")
SOURCES: Final = ("stock", "discards", "call")
_ENDS: Final = ("out", "stock", "idle", "drop", "knock", "gin", "big gin")
FREE_PLACES: Final = CODES + 1
"""The number of a wild that stands for an ace of any suit; other ranks follow."""

_TOTALS: Final = ("total", "boxes", "points of the last round", "bonuses of the match")
_COLUMNS: Final = ("points", "boxes", "is won", "bonuses")
_DEAL: Final = (
    "round",
    "deals of the next round thrown in",
    "deals of this round thrown in",
    "card that names the wild rank",
    "card that began the discard pile",
)
_SEATS: Final = (
    "is seat 0",
    "has dealt",
    "deals next",
    "is on the observer's side",
    "is out of the match",
    "has won the match",
    "went out first in the last round",
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


@final
class Layout:
    """
    What the shapes of an observation follow from.

    Args:
        rules: The rules.
        players: The number of players.
        indices: How many indices the encoding of actions has.

    Attributes:
        rules: The rules.
        players: The number of players.
        faces: The codes of the faces of the deck, lowest first.
        cards: How many cards the deck has.
        melds: How many melds there is room for, the dealer's wild among them.
        zones: The names of zones that the rules are known to use.
        memories: What the rules remember at first, by their names.
        columns: How many columns the score has; 0 if it is in one.
        indices: How many indices the encoding of actions has.
        pays: Whether players pay each other after rounds.
        awards: What rules award in rounds, if they may award points.
        kinds: The kinds of melds.
        ends: How a round may end.
        sources: Where a draw may come from.
    """

    def __init__(self, rules: Ruleset, players: int, indices: int) -> None:
        deck = rules.deck.cards_for(players)
        self.rules = rules
        self.players = players
        self.faces = tuple(sorted({*deck}))
        self.cards = len(deck)
        self.melds = most_melds(rules, players) + 1
        self.zones = asking.zone_names(rules)
        self.secrets = rules.secrets
        self.memories = {name: one.start for name, one in rules.memories.items()}
        columns: int = rules.match.columns
        self.columns = columns if columns > 1 else 0
        # What few games have takes no room in the others.
        self.pays = "pays" in rules.asked
        self.awards = ["points awarded"] if Points in rules.effects else []
        alike = ["alike"] if rules.meld.alike else []
        self.kinds = (*_KINDS, *alike, *[one.name for one in rules.kinds])
        by_rule = [] if rules.effects.isdisjoint({EndRound, EndMatch}) else [BY_RULE]
        dealt_hand = [DEALT_HAND] if rules.out.dealt_hand else []
        self.ends = (*_ENDS, *dealt_hand, *by_rule)
        self.sources = (*SOURCES, *([BY_RULE] if GoOn in rules.effects else []))
        self.indices = indices

    def fields(self) -> Iterator[Field]:
        """
        The fields of the Markov form, in the order of their numbers.
        """
        others = [f"{one} to the left" for one in range(1, self.players)]
        seat = axis("seat", ["the observer", *others])
        card = axis("card", [str(CARDS[code]) for code in self.faces])
        place = Axis("place", self.cards)
        totals = (*_TOTALS, *(["payments after rounds"] if self.pays else []))
        column = axis("column", map(str, range(1, self.columns + 1)))
        waiting = [f"waits for {one}" for one in seat.labels]
        notes = [f"note {one}" for one in range(1, WIDTH + 1)]
        phases = [*[phase.name for phase in NUMBERED_PHASES], "another"]
        meld = axis("meld", map(str, range(self.melds)))
        shape = [*self.kinds, "begins at", *[f"made by {one}" for one in seat.labels]]
        laid = max(self.melds, FREE_PLACES + len(RANKS), self.cards)
        zone = axis("zone", [*self.zones, "others"])
        owner = axis("owner", [*seat.labels, "nobody"])
        flag, count, points = (0, 1), (0, MOST), (-MOST, MOST)
        copies, face = (0, MOST_COPIES), (0, len(self.faces))
        yield _field("scores", points, axis("score", totals), seat)
        yield _field("columns", points, column, axis("score", _COLUMNS), seat)
        yield _field("last_round", flag, axis("end", self.ends))
        yield _field("deal", count, axis("fact", _DEAL))
        yield _field("wild_rank", flag, axis("rank", RANKS))
        yield _field("wild", flag, card)
        yield _field("seats", flag, axis("fact", _SEATS), seat)
        yield _field("counts", count, axis("count", COUNTS), seat)
        yield _field("progress", count, axis("count", PROGRESS))
        yield _field("phase", flag, axis("phase", phases))
        facts = axis("fact", [*_FRAME, *waiting, *notes])
        yield _field("frames", points, Axis("frame", FRAMES), facts)
        yield _field("drawn_from", flag, axis("source", self.sources))
        yield _field("drawn", copies, card)
        yield _field("spent", (-MOST_COPIES, MOST_COPIES), card)
        yield _field("owed", copies, axis("duty", HOWS), card)
        yield _field("hands", copies, seat, card)
        yield _field("unseen", copies, card)
        yield _field("stock", face, place)
        yield _field("pile", face, place)
        yield _field("discards", copies, card)
        yield _field("top", flag, card)
        yield _field("melds", copies, meld, card)
        yield _field("shapes", count, meld, axis("fact", shape))
        yield _field("table", (0, laid), place, axis("fact", LYING))
        yield _field("laid", copies, seat, card)
        yield _field("zones", copies, zone, owner, card)
        yield _field("zone_sizes", (0, self.cards), zone, owner)
        number = Axis("number", WIDTH)
        yield _field("memory", points, axis("rule", self.memories), number)
        yield _field("awarded", points, axis("award", self.awards), seat)
        yield _field("others", (0, (1 << 16) - 1), Axis("number", SUMMARY))
        yield _field("chosen", (0, self.indices), Axis("index", CHOSEN))


def _field(name: str, bounds: tuple[int, int], *axes: Axis) -> Field:
    return Field(name, axes, *bounds, _DOCS[name])


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
    "melds": "The cards of each meld by its number; 0 is the dealer's wild.",
    "shapes": (
        "The kind of each meld, where a run begins on the track of ranks, from 1, and "
        "who made it."
    ),
    "table": (
        "Every card on the table, meld by meld, from low to high in runs, those "
        "beside wilds last: its meld plus one, the number of its face, what it stands "
        "for if it is wild (a code plus one; from 66 on a rank of any suit), the "
        "place of the seat plus one, whether it counts twice, and the place of the "
        "wild that it lies beside, from 1."
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
