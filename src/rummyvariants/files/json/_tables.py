"""
What lies open in a game, read from a document and checked as far as it goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import attrs

from rummyvariants._support.words import figure
from rummyvariants.cards import CARDS, RANKS, Card, holds, pack
from rummyvariants.errors import RulesError
from rummyvariants.files.json._documents import (
    TableDocument,
    TableMeld,
)
from rummyvariants.files.json._problems import JsonError, Problems
from rummyvariants.files.json._telling import parted
from rummyvariants.game._engine.beginning import begin, largest_hand
from rummyvariants.game._round import (
    NOTHING_DRAWN,
    Column,
    Dealt,
    Drawn,
    Frame,
    Match,
    turn_frame,
)
from rummyvariants.game._state import State
from rummyvariants.game.actions import Deal
from rummyvariants.melds._meld import Beside, Meld, Slot, built, run_code
from rummyvariants.melds._tables import Terms
from rummyvariants.policies import Duty
from rummyvariants.policies.deck import refuse_number


def cards_bits(cards: Iterable[Card]) -> int:
    """
    The multiset of some cards.
    """
    return pack(card.code for card in cards)


@attrs.define
class TableReader:
    """
    Reads what lies open; everything wrong is noted.

    Attributes:
        given: The document.
        problems: What is wrong with it.
    """

    given: TableDocument
    problems: Problems = attrs.field(factory=Problems)

    @property
    def number(self) -> int:
        """
        How many players there are.
        """
        return len(self.given.players)

    @property
    def is_round_over(self) -> bool:
        """
        Whether a round is over and the next one is not dealt yet.
        """
        return self.given.phase in {"deal", "over"} and self.given.result is not None

    @property
    def no_cards(self) -> bool:
        """
        Whether no cards are dealt: before the first deal, or where one is thrown in.
        """
        return self.given.phase == "deal" and self.given.result is None

    # ------------------------------------------------------------------ the pieces

    def seat(self, path: str, seat: int | None) -> None:
        """
        Note a seat that does not exist; None is none.
        """
        if seat is not None and not 0 <= seat < self.number:
            told = f"there is no seat {seat}; seats go from 0 to {self.number - 1}"
            self.problems.add(path, told)

    def seats(self, path: str, seats: Sequence[int]) -> None:
        """
        Note seats that do not exist or come twice.
        """
        for at, seat in enumerate(seats):
            self.seat(f"{path}[{at}]", seat)
        if len(set(seats)) != len(seats):
            self.problems.add(path, "a seat comes twice")

    def by_seat(self, path: str, values: Sequence[object]) -> None:
        """
        Note a list that does not have one entry a player.
        """
        if len(values) != self.number:
            told = f"give one entry a player, {self.number} in all, not {len(values)}"
            self.problems.add(path, told)

    def least(self, path: str, value: int, least: int) -> None:
        """
        Note a number that is too small.
        """
        if value < least:
            self.problems.add(path, f"give a whole number from {least}, not {value}")

    def same(self, path: str, said: object, true: object) -> None:
        """
        Note a value that does not follow from the others.
        """
        if said != true:
            told = f"{said!r} does not agree with the rest, which says {true!r}"
            self.problems.add(path, told)

    # ------------------------------------------------------------------- the whole

    def state(self, seed: int | str | None) -> State:
        """
        The state without its hands, its stock and what was drawn.

        Raises:
            JsonError: If it cannot be read at all; else problems are noted.
        """
        given = self.given
        try:
            fresh = begin(given.rules, given.players, seed=seed).match
        except RulesError as error:
            raise JsonError([("players", one) for one in error.problems]) from None
        for name in ("scores", "upcards", "shown", "has_meld", "had_laid"):
            self.by_seat(name, getattr(given, name))
        if given.dealer is not None or given.turns_taken:
            self.by_seat("turns_taken", given.turns_taken)
        for name in ("turn", "dealer", "next_dealer"):
            self.seat(name, getattr(given, name))
        for name in ("winners", "floating", "out", "had_last_turn"):
            self.seats(name, getattr(given, name))
        for name in ("thrown_in", "redeals", "idle_turns", "turned"):
            self.least(name, getattr(given, name), 0)
        self.least("round_number", given.round_number, 1)
        self.boxes()
        self.sides()
        self.last_turns()
        columns = self.columns(fresh.columns)
        for at, turns in enumerate(given.turns_taken):
            self.least(f"turns_taken[{at}]", turns, 0)
        self.actions()
        self.result()
        self.phase()
        self.problems.done()
        dealt = self.dealt()
        table = list(self.melds(dealt.terms))
        dealer_wild = None
        if given.dealer_wild is not None:
            dealer_wild = self.meld(dealt.terms, given.dealer_wild, "dealer_wild", 0)
        if given.dealer is None and (table or dealer_wild or given.discards):
            self.problems.add("dealer", "cards lie on the table, so somebody dealt")
        self.problems.done()
        return State(
            Match(
                given.rules,
                given.players,
                seed,
                given.scores,
                given.round_number + self.is_round_over,
                -1 if given.next_dealer is None else given.next_dealer,
                given.thrown_in,
                given.winners,
                given.boxes or fresh.boxes,
                given.bonuses,
                columns,
            ),
            dealt,
            self.frames(),
            (0,) * self.number,
            b"",
            bytes(card.code for card in given.discards),
            tuple(table),
            dealer_wild,
            sum(1 << seat for seat, one in enumerate(given.has_meld) if one),
            laid=given.laid,
            idle=given.idle_turns,
            turns=given.turns_taken,
            floating=sum(1 << seat for seat in given.floating),
            out=given.out,
            result=given.result
            and attrs.evolve(given.result, players=tuple(given.players)),
            turned=given.turned,
            fresh=given.fresh,
            down=sum(1 << seat for seat, one in enumerate(given.had_laid) if one),
            had_last=sum(1 << seat for seat in given.had_last_turn),
            from_position=True,
            seen=tuple(map(cards_bits, given.shown)),
        )

    def actions(self) -> None:
        """
        Every action has its seat.
        """
        for at, action in enumerate(self.given.actions):
            if action.seat is not None:
                self.seat(f"actions[{at}].seat", action.seat)
            elif not isinstance(action, Deal):
                self.problems.add(f"actions[{at}].seat", "say whose action it is")

    def boxes(self) -> None:
        """
        The rounds won, and what they brought at the end of the match.
        """
        given = self.given
        counted = given.rules.match.counts_boxes
        if given.boxes:
            self.by_seat("boxes", given.boxes)
            if not counted:
                self.problems.add("boxes", "rounds won do not count in this game")
        for at, won in enumerate(given.boxes):
            self.least(f"boxes[{at}]", won, 0)
        for at, item in enumerate(given.bonuses):
            self.seat(f"bonuses[{at}].seat", item.seat)
        if given.bonuses and given.phase != "over":
            self.problems.add("bonuses", "the match is not over")

    def sides(self) -> None:
        """
        Who plays together: nobody told, or what the rules say.
        """
        given = self.given
        sides = given.rules.match.sides_of(self.number)
        if given.sides:
            self.same("sides", given.sides, sides)

    def last_turns(self) -> None:
        """
        Who has had the last turn.
        """
        given = self.given
        if given.had_last_turn and not (given.rules.out.last_turn and given.out):
            told = "nobody has a last turn, or nobody is out"
            self.problems.add("had_last_turn", told)

    def columns(self, fresh: tuple[Column, ...]) -> tuple[Column, ...]:
        """
        The columns of the score; new ones where none are told.
        """
        given = self.given
        if given.columns and len(given.columns) != len(fresh):
            number = figure(len(fresh), "column")
            told = f"the score is kept in {number}, not {len(given.columns)}"
            self.problems.add("columns", told)
        for at, column in enumerate(given.columns):
            path = f"columns[{at}]"
            self.by_seat(f"{path}.scores", column.scores)
            self.by_seat(f"{path}.boxes", column.boxes)
            self.seats(f"{path}.winners", column.winners)
            for seat, won in enumerate(column.boxes):
                self.least(f"{path}.boxes[{seat}]", won, 0)
            for item_at, item in enumerate(column.bonuses):
                self.seat(f"{path}.bonuses[{item_at}].seat", item.seat)
            if column.bonuses and not column.winners:
                self.problems.add(f"{path}.bonuses", "nobody has won the column")
        columns = given.columns or fresh
        closed = [bool(column.winners) for column in columns]
        if closed and (given.phase == "over") != all(closed):
            told = "all columns are won if the match is over, and only then"
            self.problems.add("columns", told)
        return columns

    def result(self) -> None:
        """
        The result of the round that is over last.
        """
        result = self.given.result
        if result is None:
            return
        if not self.is_round_over:
            self.problems.add("result", "the round is still played")
        self.by_seat("result.points", result.points)
        self.seat("result.out", result.out)
        for at, item in enumerate(result.items):
            self.seat(f"result.items[{at}].seat", item.seat)

    def phase(self) -> None:
        """
        What belongs to one phase alone.
        """
        given = self.given
        phase, window = given.phase, given.window
        for name, needed in (
            ("drawn", phase == "play"),
            ("window", phase in {"call", "discard"}),
            ("choosing", phase == "choose"),
        ):
            if (getattr(given, name) is not None) != needed:
                word = "has to be told" if needed else "has no place"
                self.problems.add(name, f"it {word} in the phase {phase!r}")
        if phase != "deal" and given.dealer is None:
            self.problems.add("dealer", f"somebody dealt in the phase {phase!r}")
        if phase == "over" and given.result is None:
            self.problems.add("result", "a match that is over has a last round")
        if (phase == "over") != bool(given.winners):
            told = "there are winners if the match is over, and only then"
            self.problems.add("winners", told)
        if given.choosing is not None:
            self.seat("choosing.seat", given.choosing.seat)
        if window is not None:
            self.seat("window.finisher", window.finisher)
            self.seats("window.waiting", window.waiting)
            self.seat("window.caller", window.caller)
            if phase == "call" and (window.caller is not None or not window.waiting):
                self.problems.add("window", "a seat is asked, and nobody has called")
            if phase == "discard" and (window.caller is None or window.waiting):
                self.problems.add("window", "a caller owes a discard, nobody is asked")
        if self.no_cards and (given.discards or given.table or given.dealer_wild):
            self.problems.add("phase", "cards lie there, so a round was dealt")

    def dealt(self) -> Dealt:
        """
        What the deal settled.
        """
        given = self.given
        wild = given.wild_rank
        if given.dealer is None:
            for name in ("wild_rank", "indicator", "redeals", "upcard"):
                if getattr(given, name):
                    self.problems.add(name, "there was no deal")
            return Dealt(-1, given.rules.terms(self.number), ((),) * self.number)
        if given.upcard is not None and not given.rules.asks_for_upcard:
            self.problems.add("upcard", "no rule of this game asks for it")
        if wild and (len(wild) != 1 or wild not in RANKS):
            told = f"{wild!r} is no rank: ranks are {' '.join(RANKS)}"
            self.problems.add("wild_rank", told)
            wild = ""
        elif wild and given.rules.wild.indicator == "none":
            told = f"no rank is made wild in {given.rules.name}"
            self.problems.add("wild_rank", told)
        return Dealt(
            given.dealer,
            given.rules.terms(self.number, wild),
            given.upcards,
            given.indicator,
            given.redeals,
            given.upcard,
        )

    def hands(self, path: str, sizes: Sequence[int]) -> None:
        """
        Note hands of a size that none can have.
        """
        most = largest_hand(self.given.rules, self.number)
        for seat, number in enumerate(sizes):
            at = f"{path}[{seat}]"
            if most is not None and number > most:
                self.problems.add(at, f"a hand has {most} cards at most, not {number}")
            if self.given.phase == "play" and seat == self.given.turn and not number:
                self.problems.add(at, "who has drawn holds a card")

    def frames(self) -> tuple[Frame, ...]:
        """
        What goes on.
        """
        given = self.given
        phase, window, choosing = given.phase, given.window, given.choosing
        if choosing is not None:
            notes = (choosing.upcard.code,)
            choice = Frame("choose", choosing.seat, 1 << choosing.seat, notes)
            return Frame("deal", given.turn), choice
        if window is None:
            acts = phase not in {"deal", "over"}
            return (Frame(phase, given.turn, acts << given.turn),)
        following = turn_frame("draw", given.turn)
        if window.caller is not None:
            return following, turn_frame("discard", window.caller)
        waiting = sum(1 << seat for seat in window.waiting)
        return following, Frame("call", window.finisher, waiting)

    # -------------------------------------------------------------------- the melds

    def melds(self, terms: Terms) -> Iterator[Meld]:
        """
        The melds of the table, as far as they are melds.
        """
        for at, entry in enumerate(self.given.table):
            meld = self.meld(terms, entry, f"table[{at}]", at + 1)
            if meld is not None:
                yield meld

    def meld(
        self, terms: Terms, entry: TableMeld, path: str, number: int
    ) -> Meld | None:
        """
        A meld; None if it is none, which is noted.
        """
        self.same(f"{path}.number", entry.number, number)
        self.seat(f"{path}.maker", entry.maker)
        for at, one in enumerate(entry.cards):
            self.seat(f"{path}.cards[{at}].seat", one.seat)
        for at, other in enumerate(entry.beside):
            self.seat(f"{path}.beside[{at}].seat", other.seat)
        slots = tuple(
            Slot(one.card, one.stands_for, one.seat, at in entry.doubled)
            for at, one in enumerate(entry.cards)
        )
        if entry.doubled:
            self.doubled(f"{path}.doubled", entry, number)
        for at, slot in enumerate(slots):
            if slot.stands_for is not None and not terms.wild[slot.card.code]:
                told = f"{slot.card} is not wild"
                self.problems.add(f"{path}.cards[{at}].stands_for", told)
                return None
        beside: list[Beside] = []
        for at, other in enumerate(entry.beside):
            fits = 0 <= other.index < len(slots)
            if not fits or slots[other.index].code != other.card.code:
                told = "no wild there stands for the card"
                self.problems.add(f"{path}.beside[{at}]", told)
                return None
            beside.append(Beside(other.index, other.card, other.seat))
        low = _place_of(terms, entry.kind, slots, least=number > 0)
        if low is None:
            text = " ".join(map(str, slots)) or "nothing"
            self.problems.add(f"{path}.cards", f"{text} makes no {entry.kind}")
            return None
        return built(terms, entry.kind, slots, entry.maker, low, tuple(beside))

    def doubled(self, path: str, entry: TableMeld, number: int) -> None:
        """
        The four cards of a meld that count twice, since they were put down at once.
        """
        if self.given.rules.score.four_at_once == "once" or not number:
            self.problems.add(path, "no card of it counts twice in this game")
        elif len(set(entry.doubled)) != 4 or len(entry.doubled) != 4:
            self.problems.add(path, "four cards count twice: name each once")
        elif not all(0 <= at < len(entry.cards) for at in entry.doubled):
            last = len(entry.cards) - 1
            self.problems.add(path, f"the cards of the meld are numbered to {last}")

    # ------------------------------------------------------------------- the counts

    def left(self, *others: tuple[str, Iterable[Card]]) -> Counter[int]:
        """
        The cards of the deck that lie neither open nor among some others.

        Too many of a card are noted.
        """
        given = self.given
        deck = Counter(given.rules.deck.cards_for(self.number))
        if self.no_cards:
            deck.clear()
        melds = [*given.table, *([given.dealer_wild] if given.dealer_wild else [])]
        open_cards = [
            *given.discards,
            *(one.card for meld in melds for one in meld.cards),
            *(one.card for meld in melds for one in meld.beside),
        ]
        if given.indicator is not None and not self.no_cards:
            open_cards.append(given.indicator)
        if given.choosing is not None:
            open_cards.append(given.choosing.upcard)
        terms = given.rules.terms(self.number)
        left = deck - Counter()
        for path, cards in (("table", open_cards), *others):
            left.subtract(card.code for card in cards)
            for code in [code for code, number in left.items() if number < 0]:
                there = deck[code] - left[code]
                wrong = refuse_number(given.rules.deck, terms, code, there)
                told = wrong.reason if wrong else "no card is dealt yet"
                self.problems.add(path, told)
                left[code] = 0
        return +left

    # ------------------------------------------------------------------ what was drawn

    def drawn(self, hand: int, *, own: bool) -> Drawn:
        """
        What the player in turn drew.

        Args:
            hand: The hand of the player in turn as a multiset; 0 if it is not known.
            own: Whether all of it may be told.
        """
        given = self.given.drawn
        if given is None:
            return NOTHING_DRAWN
        cards = bytes(card.code for card in given.cards)
        allowed: tuple[Duty, ...] = ()
        if given.source == "stock":
            if len(cards) > own:
                told = "one card comes from the stock, and its player alone sees it"
                self.problems.add("drawn.cards", told)
                return NOTHING_DRAWN
            allowed = self.given.rules.draw.stock_duties(cards[0]) if cards else ()
        elif not cards:
            self.problems.add("drawn.cards", "cards were taken: say which")
            return NOTHING_DRAWN
        elif given.source == "discards":
            draw = self.given.rules.draw
            first = draw.offers_upcard and not any(self.given.turns_taken)
            allowed = draw.duties(cards, first=first)
        elif self.given.rules.call.next != "the caller":
            self.problems.add("drawn.source", "no call begins a turn in this game")
        duties = []
        for at, one in enumerate(given.duties):
            owed = Duty(one.card.code, one.how, one.value)
            if owed not in allowed:
                told = "the rules ask for no such duty"
                self.problems.add(f"drawn.duties[{at}]", told)
            duties.append(owed)
        spent = cards_bits(given.spent)
        held = spent - cards_bits(given.gained) - pack(cards) + hand
        deck = pack(self.given.rules.deck.cards_for(self.number))
        if own and _is_short(held):
            told = "the hand before the draw would hold less than no card"
            self.problems.add("drawn", told)
        elif not holds(deck, held if own else spent):
            told = "the hand before the draw would hold more than the deck"
            self.problems.add("drawn", told)
        self.least("drawn.melds", given.melds, 0)
        return Drawn(given.source, cards, held, tuple(duties), given.melds)


def _is_short(difference: int) -> bool:
    """
    Whether a difference of two multisets lacks some card.
    """
    try:
        return bool(parted(difference)[1])
    except JsonError:
        return True


def _place_of(
    terms: Terms, kind: str, slots: tuple[Slot, ...], *, least: bool
) -> int | None:
    """
    Where a meld lies on the track, -1 if it is no run; None if it is no meld.

    Args:
        terms: The terms of the deal.
        kind: What it is said to be.
        slots: Its cards.
        least: Whether it has to have as many cards as a meld has.
    """
    wilds = bool(slots) and all(terms.wild[one.card.code] for one in slots)
    if kind in {"wild", "wilds"}:
        plain = all(one.stands_for is None for one in slots)
        return -1 if wilds and plain and (kind == "wilds" or len(slots) == 1) else None
    if not slots or (
        least and len(slots) < (terms.least_set if kind == "set" else terms.least_run)
    ):
        return None
    if kind == "set":
        ranks = {(one.stands_for or one.card).rank for one in slots}
        places = [one.code for one in slots if one.code >= 0]
        twice = terms.distinct and len(set(places)) < len(places)
        return None if len(ranks) > 1 or (twice and ranks != {"*"}) else -1
    wanted = [one.code for one in slots]
    suit = CARDS[wanted[0]].suit if wanted[0] >= 0 else ""
    if suit not in terms.suits or not suit:
        return None
    length = len(slots)
    places = [
        low
        for low in range(len(terms.track) - length + 1)
        if terms.fits_track(low, length)
        and all(
            run_code(terms, suit, low + at) == code for at, code in enumerate(wanted)
        )
    ]
    # A round track repeats: of equal places the engine keeps one.
    elsewhere = terms.runs_along.elsewhere
    return next(
        (low for low in places if (low, length) not in elsewhere),
        places[0] if places else None,
    )


def sorted_cards(cards: Counter[int]) -> tuple[Card, ...]:
    """
    Counted cards in the order of their codes.
    """
    return tuple(CARDS[code] for code in sorted(cards.elements()))
