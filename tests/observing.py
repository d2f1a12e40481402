"""
What an observation holds, worked out anew from what a view shows.

It is slow and plain, and finds the place of each number by the label of its axis.
"""

from __future__ import annotations

import hashlib
import itertools
import random
import struct

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import rummyvariants as rv

from rummyvariants.cards import CARDS
from rummyvariants.files._documents import over_and_lacking
from rummyvariants.game._state import LAID_BEFORE, LAST_TURN
from rummyvariants.house.facts import DROPPED


Nested = Any
RECALL = "perfect recall"
EVERY = (
    *("columns", "last_round", "wild_rank", "spent", "owed", "stock", "zones"),
    *("zone_sizes", "memory", "awarded", "others"),
)
"""The fields that not all rules need."""
LONG = 3_000
"""More words than a round of the tests has."""


def labels(
    spec: rv.learning.ObservationSpec, name: str, axis: int = 0
) -> tuple[str, ...]:
    """
    The labels of an axis of a field.
    """
    known = {field.name: field for field in spec.fields}
    return known[name].axes[axis].labels if name in known else ()


def is_nothing(value: Any) -> bool:
    """
    Whether all numbers of a value are zeros.
    """
    return all(map(is_nothing, value)) if isinstance(value, list) else not value


def summed(value: Any) -> list[int]:
    """
    The summary of a value.
    """

    def words(value: Any) -> Iterator[object]:
        if isinstance(value, str):
            yield from (3, len(value), *map(ord, value))
        elif isinstance(value, tuple):
            yield from (4, len(value))
            for one in value:
                yield from words(one)
        else:
            yield from (2,) if value is None else (1, int(value))

    digest = hashlib.sha256(" ".join(map(str, words(value))).encode()).hexdigest()
    return [int(digest[at : at + 4], 16) for at in range(0, 32, 4)]


def folded(value: Any, width: int) -> list[int]:
    """
    A value that is remembered, as numbers.
    """

    def numbers(value: Any) -> list[int]:
        if value is None:
            return [2]
        if isinstance(value, str):
            return [3, len(value), *map(ord, value)]
        if isinstance(value, tuple):
            return [4, len(value), *(one for part in value for one in numbers(part))]
        return [1, int(value)]

    found = numbers(value)
    if len(found) > width or any(abs(one) >= 1 << 24 for one in found):
        found = [5, *summed(value)]
    return found + [0] * (width - len(found))


class Seen:
    """
    The fields of a view's observation, each as nested lists.

    Args:
        view: The view of a seat.
        spec: What the observation consists of.
    """

    def __init__(self, view: rv.View, spec: rv.learning.ObservationSpec) -> None:
        assert view.seat is not None
        self.view = view
        self.spec = spec
        self.state = view.world
        number = len(view.players)
        self.seats = [(view.seat + one) % number for one in range(number)]
        self.faces = labels(spec, "hands", 1)

    def fields(self) -> dict[str, Nested]:
        """
        All fields by name.

        A field that the rules never need holds nothing, but for what follows from them
        or from other fields.
        """
        names = [one.name for one in self.spec.fields]
        for name in {*EVERY} - {*names}:
            assert is_nothing(getattr(self, f"of_{name}")()), name
        return {name: getattr(self, f"of_{name}")() for name in names}

    def rows(self, name: str, said: dict[str, Any], axis: int = 0) -> list[Any]:
        """
        What is said of each label of an axis, in the order of the labels.
        """
        known = labels(self.spec, name, axis)
        assert {*known} <= {*said}
        for label in {*said} - {*known}:
            assert is_nothing(said[label]), label
        return [said[label] for label in known]

    def only(self, name: str, label: str, axis: int = 0) -> list[int]:
        """
        One for a label of an axis, and zeros.
        """
        known = labels(self.spec, name, axis)
        assert label in {"", *known}
        return [int(one == label) for one in known]

    def cards(self, cards: Iterable[rv.Card]) -> list[int]:
        """
        How often each face is among some cards.
        """
        found = Counter(map(str, cards))
        assert {*found} <= {*self.faces}
        return [found[face] for face in self.faces]

    def number(self, card: rv.Card | None) -> int:
        return 0 if card is None else 1 + self.faces.index(str(card))

    def place(self, seat: int) -> int:
        return self.seats.index(seat)

    def said(self, seats: Iterable[int | None]) -> list[int]:
        """
        One for each seat that is among some.
        """
        found = {*seats}
        return [int(seat in found) for seat in self.seats]

    def turned(self, numbers: Iterable[int]) -> list[int]:
        """
        Numbers by seat, that of the observer first.
        """
        found = [*numbers] or [0] * len(self.seats)
        return [found[seat] for seat in self.seats]

    def filled(self, rows: list[Any], name: str) -> list[Any]:
        """
        Rows, and rows of zeros up to the size of a field.
        """
        if name not in {field.name for field in self.spec.fields}:
            return rows
        shape = self.spec[name].shape
        left = shape[0] - len(rows)
        assert left >= 0
        empty: Any = 0 if len(shape) == 1 else [0] * shape[1]
        return rows + [empty] * left

    # ------------------------------------------------------------------- the match

    def of_scores(self) -> Nested:
        view = self.view
        bonuses = Counter()
        for item in view.bonuses:
            bonuses[item.seat] += item.points
        said = {
            "total": self.turned(view.scores),
            "boxes": self.turned(view.boxes),
            "points of the last round": self.turned(
                view.result.points if view.result else ()
            ),
            "bonuses of the match": [bonuses[seat] for seat in self.seats],
            "payments after rounds": self.turned(view.paid),
        }
        return self.rows("scores", said)

    def of_columns(self) -> Nested:
        found = []
        for column in self.view.columns:
            final = column.final_scores
            more = [one - two for one, two in zip(final, column.scores, strict=True)]
            said = {
                "points": self.turned(column.scores),
                "boxes": self.turned(column.boxes),
                "is won": self.said(column.winners),
                "bonuses": self.turned(more),
            }
            found.append(self.rows("columns", said, 1))
        if "columns" not in {field.name for field in self.spec.fields}:
            return found
        number, kinds, seats = self.spec["columns"].shape
        return found or [[[0] * seats] * kinds] * number

    def of_last_round(self) -> Nested:
        result = self.view.result
        return self.only("last_round", result.how if result else "")

    def of_deal(self) -> Nested:
        match, dealt = self.state.match, self.state.dealt
        said = {
            "round": match.round_number,
            "deals of the next round thrown in": match.thrown_in,
            "deals of this round thrown in": dealt.redeals,
            "card that names the wild rank": self.number(dealt.indicator),
            "card that began the discard pile": self.number(dealt.upcard),
        }
        return self.rows("deal", said)

    def of_wild_rank(self) -> Nested:
        return self.only("wild_rank", self.view.wild_rank or "")

    def of_wild(self) -> Nested:
        # Those of the deal, whose rules may have values of their own.
        wild = self.state.dealt.terms.wild
        return [int(wild[rv.Card(face).code]) for face in self.faces]

    # -------------------------------------------------------------------- the turn

    def of_seats(self) -> Nested:
        view, state = self.view, self.state
        everybody = range(len(view.players))
        next_dealer = state.match.next_dealer
        last = view.result.out if view.result else None
        memory = dict(state._memory)
        left = memory.get(DROPPED, ())
        wrong = [seat for seat, _, path in left if path == "out.wrong_declaration"]
        said = {
            "is seat 0": self.said([0]),
            "has dealt": self.said([view.dealer]),
            "deals next": self.said([next_dealer]),
            "is on the observer's side": self.said(
                next(side for side in view.sides if view.seat in side)
                if "is on the observer's side" in labels(self.spec, "seats")
                else ()
            ),
            "is out of the match": self.said(state.eliminated),
            "has won the match": self.said(view.winners),
            "went out first in the last round": self.said([last]),
            "is in turn": self.said([view.turn]),
            "may act": self.said(view.to_act),
            "has a meld, or a partner has": self.said(
                one for one in everybody if view.has_meld(one)
            ),
            "floats": self.said(view.floating),
            "had laid a card before this turn": self.said(
                one for one in everybody if state.had_laid(one)
            ),
            "has had a last turn": self.said(state.had_last_turn),
            "has left the round": self.said(state.dropped),
            "has left it by a wrong declaration": self.said(wrong),
        }
        return self.rows("seats", said)

    def of_counts(self) -> Nested:
        out, dropped = self.state.out, self.state.dropped
        said = {
            "cards in the hand": self.turned(self.view.hand_sizes),
            "turns finished": self.turned(self.state.turns),
            "place in the order of going out": [
                1 + out.index(seat) if seat in out else 0 for seat in self.seats
            ],
            "points for leaving the round": [dropped.get(one, 0) for one in self.seats],
        }
        return self.rows("counts", said)

    def of_progress(self) -> Nested:
        view, state = self.view, self.state
        turns = "whether a card has reached the table since" in labels(
            self.spec, "progress"
        )
        assert state.fresh or turns
        said = {
            "cards in the stock": view.stock_size,
            "cards in the discard pile": view.discards_size,
            "idle turns in a row": state.idle,
            "times that the pile was turned over": state.turned,
            "whether a card has reached the table since": int(state.fresh and turns),
            "whether a card was laid in this turn": int(state.laid),
            "new melds of this turn": state.drawn.melds,
        }
        return self.rows("progress", said)

    def of_phase(self) -> Nested:
        name = self.view.phase
        known = labels(self.spec, "phase")
        return self.only("phase", name if name in known else "another")

    def of_frames(self) -> Nested:
        known = labels(self.spec, "phase")
        found = []
        self.notes_there = "note 1" in labels(self.spec, "frames", 1)
        for frame in self.state.frames:
            own = frame.phase in known
            number = known.index(frame.phase if own else "another") + 1
            notes = frame.notes if own else (frame.phase, *frame.notes)
            waiting = [one for one in range(99) if frame.waiting >> one & 1]
            noted = folded(notes, 16) if notes or self.notes_there else []
            said = {
                "phase": number,
                "seat": self.place(frame.seat) + 1,
                **{
                    f"waits for {name}": one
                    for name, one in zip(
                        labels(self.spec, "seats", 1), self.said(waiting), strict=True
                    )
                },
                **{f"note {at}": one for at, one in enumerate(noted, 1)},
            }
            found.append(self.rows("frames", said, 1))
        return self.filled(found, "frames")

    def of_drawn_from(self) -> Nested:
        return self.only("drawn_from", self.state.drawn.source)

    def of_drawn(self) -> Nested:
        return self.cards(self.view.drawn)

    def of_spent(self) -> Nested:
        drawn = self.state.drawn
        if not drawn.source:
            return self.cards([])
        own = self.view.hand.bits if self.view.seat == self.view.turn else 0
        before = drawn.held + rv.Cards(drawn.cards).bits
        spent, gained = over_and_lacking(before - own)
        pairs = zip(self.cards(spent), self.cards(gained), strict=True)
        return [one - two for one, two in pairs]

    def of_owed(self) -> Nested:
        duties = self.state.drawn.duties
        said = {
            how: self.cards([CARDS[one.code] for one in duties if one.how == how])
            for how in {*labels(self.spec, "owed"), *[one.how for one in duties]}
        }
        return self.rows("owed", said)

    # ------------------------------------------------------------------- the cards

    def of_hands(self) -> Nested:
        return [self.cards(self.view.known[seat]) for seat in self.seats]

    def of_unseen(self) -> Nested:
        return self.cards(self.view.unseen)

    def of_stock(self) -> Nested:
        return self.filled([self.number(one) for one in self.view.known_stock], "stock")

    def of_pile(self) -> Nested:
        lying = reversed(self.state.discards)
        return self.filled([self.number(one) for one in lying], "pile")

    def of_discards(self) -> Nested:
        return self.cards(self.state.discards)

    def of_top(self) -> Nested:
        return self.cards(self.state.discards[-1:])

    # ------------------------------------------------------------------- the table

    def _numbered(self) -> list[tuple[int, rv.melds.Meld]]:
        """
        The melds, each with its place among those of the observation.
        """
        dealers = self.view.dealer_wild
        first = [] if dealers is None else [(0, dealers)]
        has_first = labels(self.spec, "melds")[0] == "0"
        return [*first, *enumerate(self.view.table, int(has_first))]

    def of_melds(self) -> Nested:
        found = {number: self.cards(meld.cards) for number, meld in self._numbered()}
        empty = self.cards([])
        assert {*found} <= {*range(self.spec["melds"].shape[0])}
        return [
            found.get(number, empty) for number in range(self.spec["melds"].shape[0])
        ]

    def of_shapes(self) -> Nested:
        number, width = self.spec["shapes"].shape
        found = [[0] * width] * number
        for at, meld in self._numbered():
            said: dict[str, int] = dict.fromkeys(labels(self.spec, "shapes", 1), 0)
            said[meld.kind] = 1
            said["begins at"] = meld.low + 1
            name = labels(self.spec, "seats", 1)[self.place(meld.maker)]
            said[f"made by {name}"] = 1
            found[at] = self.rows("shapes", said, 1)
        return found

    def of_table(self) -> Nested:
        found = []
        for number, meld in self._numbered():
            for one in meld.laid:
                said = {
                    "meld": number + 1,
                    "card": self.number(one.card),
                    "stands for": 0,
                    "laid by": self.place(one.seat) + 1,
                    "counts twice": 0,
                    "beside": 0,
                }
                if isinstance(one, rv.melds.Slot):
                    where = one.stands_for
                    if where is not None and where.suit:
                        said["stands for"] = where.code + 1
                    elif where is not None:
                        said["stands for"] = 66 + "A23456789TJQK".index(where.rank)
                    said["counts twice"] = int(one.twice)
                else:
                    said["beside"] = one.index + 1
                found.append(self.rows("table", said, 1))
        return self.filled(found, "table")

    def of_laid(self) -> Nested:
        melds = [meld for _, meld in self._numbered()]
        return [
            self.cards([card for meld in melds for card in meld.laid_by(seat)])
            for seat in self.seats
        ]

    # ------------------------------------------------------------------- the rules

    def _zones(self) -> dict[tuple[str, int], list[Any]]:
        """
        The zones by the label of their name and the place of their owner.
        """
        known = labels(self.spec, "zones")
        found: dict[tuple[str, int], list[Any]] = {}
        for zone in self.state.zones:
            name = zone.name if zone.name in known else "others"
            owner = len(self.seats) if zone.seat < 0 else self.place(zone.seat)
            found.setdefault((name, owner), []).append(zone)
        return found

    def _is_seen(self, zone: Any) -> bool:
        return zone._seen < 0 or bool(zone._seen >> (self.view.seat or 0) & 1)

    def of_zones(self) -> Nested:
        found = self._zones()
        return [
            [
                self.cards(
                    [
                        card
                        for zone in found.get((name, owner), [])
                        if self._is_seen(zone)
                        for card in zone.cards
                    ]
                )
                for owner in range(len(self.seats) + 1)
            ]
            for name in {
                **dict.fromkeys(labels(self.spec, "zones")),
                **{at: 0 for at, _ in found},
            }
        ]

    def of_zone_sizes(self) -> Nested:
        found = self._zones()
        return [
            [
                sum(len(zone.cards) for zone in found.get((name, owner), []))
                for owner in range(len(self.seats) + 1)
            ]
            for name in {
                **dict.fromkeys(labels(self.spec, "zones")),
                **{at: 0 for at, _ in found},
            }
        ]

    def of_memory(self) -> Nested:
        starts = {
            f"{rule.section}.{rule.name}": rule.memory.start
            for _, rule in self.view.rules.house
            if rule.memory is not None
        }
        said = {
            name: folded(self.state.memory.get(name, start), 16)
            for name, start in starts.items()
        }
        return self.rows("memory", said)

    def of_awarded(self) -> Nested:
        total = [0] * len(self.seats)
        for seat, points, *_ in self.state.memory.get("points", ()):
            total[self.seats.index(seat)] += points
        return self.rows("awarded", {"points awarded": total})

    def of_others(self) -> Nested:
        names = labels(self.spec, "zones")
        remembered = {LAID_BEFORE, LAST_TURN, DROPPED}
        if "memory" in {one.name for one in self.spec.fields}:
            remembered |= {*labels(self.spec, "memory")}
        strange = [
            (
                zone.name,
                zone.seat,
                len(zone.cards),
                rv.Cards(zone.cards).bits if self._is_seen(zone) else None,
            )
            for zone in self.state.zones
            if zone.name not in names
        ]
        notes = [one for one in self.state._memory if one[0] not in remembered]
        return summed((*strange, *notes)) if strange or notes else [0] * 8

    def of_chosen(self) -> Nested:
        return [0] * self.spec["chosen"].size

    # -------------------------------------------------------------------- the past

    def of_history(self) -> Nested:
        names = labels(self.spec, "seats", 1)

        def name(seat: int | None) -> str:
            known = seat is not None and seat >= 0
            return names[self.place(seat)] if known else "nobody"

        told: list[str] = []
        for sight in self.view.history:
            action = sight.action
            if action is None:
                told.append("the deal")
            else:
                told.append(f"{name(action.seat)} acts")
                told += self.words(str(action).replace(":", " :"))
            for cards, there in sight.shown:
                told += ["sees", *map(str, cards)]
                told += self.words(f"to {there.name}", whole=True)
                told.append(f"of {name(there.seat)}")
        return self.filled([self.spec.words.index(one) for one in told], "history")

    def words(self, text: str, *, whole: bool = False) -> list[str]:
        """
        The words of a text, or its letters if it has others.
        """
        known = {*self.spec.words}
        found = []
        if text in self.view.rules.actions:
            return [text]
        for part in [text] if whole else text.split(" "):
            card, stands, where = part.partition("=")
            found += [card, "=", where] if stands else [card]
        if {*found} <= known:
            return found
        names = {" ": "space"}
        return [f"letter {names.get(one, one)}" for one in text]

    def of_details(self) -> Nested:
        state, view = self.state, self.view
        match, dealt, result, drawn = (
            state.match,
            state.dealt,
            state.result,
            state.drawn,
        )

        def items(lines: Iterable[rv.game.ScoreItem]) -> tuple[Any, ...]:
            return tuple(
                (
                    one.seat,
                    None if one.card is None else str(one.card),
                    one.points,
                    one.reason,
                    one.rule,
                )
                for one in lines
            )

        of_match = (
            tuple(tuple(map(str, cards)) for cards in dealt.upcards if cards),
            (result.rule, items(result.items)) if result else (),
            items(match.bonuses),
            tuple(items(one.bonuses) for one in match.columns if one.bonuses),
        )
        of_turn = (
            tuple((one.code, one.path) for one in drawn.duties),
            tuple(card.code for card in view.drawn) if len(view.drawn) > 1 else (),
            tuple(path for *_, path in dict(state._memory).get(DROPPED, ())),
            tuple(
                tuple(card.code for card in zone.cards)
                for zone in state.zones
                if self._is_seen(zone)
            ),
        )
        return [summed(one) if any(one) else [0] * 8 for one in (of_match, of_turn)]


def expected(view: rv.View, spec: rv.learning.ObservationSpec) -> dict[str, Nested]:
    """
    The fields of a view's observation as nested lists.
    """
    return Seen(view, spec).fields()


def as_lists(found: dict[str, Any]) -> dict[str, Any]:
    """
    Fields as nested lists, whatever they are.
    """
    return {
        name: one if isinstance(one, list) else one.tolist()
        for name, one in found.items()
    }


def played(rules: rv.Ruleset, players: int, seed: int, most: int) -> Iterator[rv.State]:
    """
    The states of a random game, deals and ends of rounds among them.
    """
    chance = random.Random(seed)
    state = rv.game.begin(rules, players, seed=seed)
    for _ in range(most):
        yield state
        if state.is_over:
            return
        if state.phase == "deal":
            try:
                state = rv.game.deal(state)
            except rv.errors.RulesError:
                return
        else:
            state = rv.apply(state, rv.legal_actions(state).sample(chance.randrange))


def look(state: rv.State, *, seats: Iterator[int] | range | None = None) -> None:
    """
    Assert that observations of a state are what its views show, and within bounds.
    """
    players = len(state.players)
    spec = rv.learning.observation_spec(state.rules, players, RECALL, length=LONG)
    markov = rv.learning.observation_spec(state.rules, players)
    for seat in range(players) if seats is None else seats:
        view = rv.view(state, seat)
        vector = spec.vector(state, seat)
        found = spec.named(vector)
        assert as_lists(found) == expected(view, spec)
        assert list(spec.vector(view)) == list(vector)
        assert list(markov.vector(state, seat)) == list(vector)[: markov.size]
        for field in spec.fields:
            part = vector[field.start : field.stop]
            for number, one in zip(part, field.measures, strict=True):
                assert one.low <= number <= one.high, field.name
        past = vector[spec["history"].start : spec["history"].stop]
        assert spec.tokens(state, seat) == [one for one in past if one]


def normalized(spec: rv.learning.ObservationSpec, vector: Any) -> list[float]:
    """
    What the normalized form of a vector in whole numbers should be.

    Args:
        spec: The specification of the whole numbers.
        vector: The vector.
    """
    found: list[float] = []
    for field in spec.fields:
        numbers = [int(one) for one in vector[field.start : field.stop]]
        if field.name == "chosen":
            found += _many_hot([one for one in numbers if one], field)
            continue
        labels = field.axes[-1].labels
        for number, measure, at in zip(
            numbers, field.measures, itertools.count(), strict=False
        ):
            label = labels[at % len(labels)] if labels else ""
            if field.name in {"stock", "pile"} or label.startswith("card that"):
                row = [0.0] * spec["unseen"].size
            elif field.name == "frames" and label == "phase":
                row = [0.0] * spec["phase"].size
            elif field.name == "frames" and label == "seat":
                row = [0.0] * spec.players
            elif measure.usual:
                part = number / (abs(number) + measure.usual)
                found.append((1 + part) / 2 if measure.low else part)
                continue
            else:
                whole = measure.high - measure.low
                found.append((number - measure.low) / whole)
                continue
            if number:
                row[number - 1] = 1.0
            found += row
    return found


def _many_hot(chosen: list[int], field: rv.learning.Field) -> list[float]:
    """
    A place for each index: 1 for the one chosen last, less for those before.
    """
    row = [0.0] * field.high
    for ago, one in enumerate(reversed(chosen)):
        row[one - 1] = max(row[one - 1], 1 - ago / field.size)
    return row


# ------------------------------------------------------------------------- digests


SEEDS = (1, 2)
STEPS = 70


def digest(name: str, players: int, seed: int, form: str) -> str:
    """
    The SHA-256 of the observations of every seat in a game that is always the same.

    Args:
        name: The name of the preset.
        players: How many play.
        seed: The seed of the deals, and what the actions follow from.
        form: The form of the observations.
    """
    found = hashlib.sha256()
    spec = rv.learning.observation_spec(name, players, form, length=LONG)
    state = rv.new_game(name, players, seed=seed)
    for number in range(STEPS):
        if state.is_over:
            break
        if state.phase == "deal":
            state = rv.game.deal(state)
            continue
        for seat in range(players):
            vector = list(spec.vector(state, seat))
            found.update(struct.pack(f"<{spec.size}i", *vector))
        # Whatever order they are listed in.
        actions = sorted(itertools.islice(rv.legal_actions(state), 300), key=str)
        state = rv.apply(state, actions[(number * 7 + seed) % len(actions)])
    return found.hexdigest()


def kept_games() -> dict[str, tuple[str, int, int, str]]:
    """
    The games of which digests are kept, by what they are called in the file.
    """
    return {
        f"{name}, {players} players, seed {seed}, {form}": (name, players, seed, form)
        for name in rv.presets()
        for players in [max(2, rv.preset(name).match.players[0])]
        for seed, form in itertools.product(SEEDS, ("markov", RECALL))
    }
