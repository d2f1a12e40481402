"""
What is wrong with a document: checks that a round in play could be like this.

All problems are noted, each with the path of its key. Forms have checked each value by
itself; here they are checked against the rules and against one another.
"""

from __future__ import annotations

import functools
import itertools

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

import attrs

from rummyvariants._support.words import figure, listed, ranks
from rummyvariants.cards import (
    CARDS,
    FIELD,
    RANKS,
    Card,
    faces,
    holds,
    pack,
    show,
    size,
)
from rummyvariants.errors import PositionError, RulesError, RummyError, nearest, shown
from rummyvariants.files._documents import (
    DRAWN,
    PositionDocument,
    TableDocument,
    over_and_lacking,
)
from rummyvariants.files._facts import OpenFrame
from rummyvariants.files._forms import SEAT, Reading
from rummyvariants.files._invariants import odd_contracts, odd_hands
from rummyvariants.files._melds import TableMeld
from rummyvariants.files._problems import Problems, joined, said
from rummyvariants.files._states import cards_bits, drawn_of, open_state, whole_state
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.beginning import (
    largest_hand,
    new_match,
    player_names,
    refuse_number_of_players,
)
from rummyvariants.game._engine.dealing import rank_that_follows, turns_another
from rummyvariants.game._engine.draws import refuse_draw
from rummyvariants.game._engine.endings import knock_limit
from rummyvariants.game._engine.offers import asks_takers_alone, can_take
from rummyvariants.game._engine.phases import PHASES as EVERY_PHASE
from rummyvariants.game._engine.plays import is_closed, rank_of
from rummyvariants.game._engine.rounds import column_of, is_last
from rummyvariants.game._round import NOTHING_DRAWN, Column, Dealt, Drawn, Match
from rummyvariants.game._state import State, stock_left
from rummyvariants.house import GoOn, Move, Owed
from rummyvariants.house.answers import KNOWN_PLACES, AskOthers, Points, can_be_kept
from rummyvariants.house.facts import AWARDED
from rummyvariants.melds._deadwood import worth_of
from rummyvariants.melds._meld import Beside, Meld, Slot, built, played
from rummyvariants.melds._reading import read_meld
from rummyvariants.melds._tables import Terms
from rummyvariants.policies import Duty
from rummyvariants.policies._duties import swapped
from rummyvariants.policies.deck import refuse_number
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


PHASES: Final = (
    *("draw", "stock", "play", "answer", "call", "buy", "discard", "offer", "layoff"),
)
"""The phases of a round in play."""


def read_document(given: PositionDocument, problems: Problems) -> State:
    """
    The state that a document describes.

    Args:
        given: The document.
        problems: Collects its problems, and may hold some already.

    Raises:
        RummyError: The error of the problems, with all of them, if there are any.
    """
    checks = Checks(given, problems)
    checks.check()
    checks.secrets(given)
    problems.done()
    sizes = [len(cards) for cards in given.hands]
    checks.hand_sizes("hands", sizes)
    drawn = checks.drawn(cards_bits(given.hands[given.turn]), own=True)
    problems.done()
    state = whole_state(checks.state(), given, drawn)
    if state.phase in PHASES:
        checks.round(state)
        checks.invariants(state, state._hands, sizes)
    problems.done()
    return state


def asked_duties(
    rules: Ruleset, source: str, cards: bytes, turns: Sequence[int]
) -> tuple[Duty, ...]:
    """
    What the policy values ask of a player who has drawn some cards.

    Args:
        rules: The rules.
        source: Where the cards came from.
        cards: Their codes.
        turns: By seat, the turns finished in the round.
    """
    draw = rules.draw
    if not cards or source == "call":
        return ()
    if source == "stock":
        return tuple(one for code in cards for one in draw.stock_duties(code))
    return tuple(draw.duties(cards, first=draw.offers_upcard and not any(turns)))


def no_phase(given: str, known: Iterable[str]) -> str:
    """
    What is wrong with a phase that is not one of those known.
    """
    return f"there is no phase {said(given)}{nearest(given, known)}"


def check_players(rules: Ruleset, names: Sequence[str], problems: Problems) -> None:
    """
    Note players with whom no game is possible.

    Raises:
        RummyError: The error of the problems, if nothing can be read with such players.
    """
    wrong = refuse_number_of_players(rules, len(names))
    if wrong is not None:
        problems.add("seats", wrong.reason, rules.rule_of(wrong.path))
        if rules.match.has_sides or not 0 < len(names) <= _READ:
            problems.done()
    try:
        player_names(names)
    except RulesError as error:
        problems.add("seats", str(error), *error.rules)
        problems.done()


_READ: Final = 99
"""The most seats to read, if there are too many anyway."""


def _empties(rules: Ruleset) -> bool:
    """
    Whether a hand may become empty by a rule.
    """
    return Move in rules.effects or "lays_aside" in rules.asked


@attrs.define
class Checks:
    """
    Checks a document, and notes every problem.

    Attributes:
        given: The document.
        problems: What is wrong with it.
        terms: The terms of its deal.
        table: Its valid melds.
        dealer_wild: Its meld 0.
    """

    given: TableDocument
    problems: Problems
    dealt_by: Ruleset = attrs.field(init=False)
    terms: Terms = attrs.field(init=False)
    table: list[Meld] = attrs.field(factory=list, init=False)
    dealer_wild: Meld | None = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        given = self.given
        self.dealt_by = given.rules
        if given.dealer is None:
            return
        scores = given.scores
        if given.is_round_over and given.result is not None:
            pairs = zip(scores, given.result.points, strict=True)
            scores = tuple([total - points for total, points in pairs])
        with suppress(RummyError, LookupError, TypeError, ValueError):
            # What is wrong with these is noted when they are checked.
            match = Match(given.rules, given.seats, None, scores, given.round)
            rules = given.rules.in_deal(asking.deal_facts(match, given.dealer))
            self.dealt_by = rules
            if not given.is_round_over:
                self.given = attrs.evolve(given, rules=rules)

    @property
    def rules(self) -> Ruleset:
        """
        The rules of the game.
        """
        return self.given.rules

    @property
    def number(self) -> int:
        """
        How many players there are.
        """
        return len(self.given.seats)

    # ---------------------------------------------------------------------- notes

    def wrong(self, path: str, message: str, *values: str) -> None:
        """
        Note a problem, with the rules behind some policy values.
        """
        self.problems.add(path, message, *map(self.rules.rule_of, values))

    def seat(self, path: str, seat: int) -> None:
        """
        Note a number that is no seat.
        """
        SEAT.read(seat, path, Reading(self.problems, seats=self.number))

    def same(self, path: str, given: object, true: object) -> None:
        """
        Note a value that does not follow from the others.
        """
        if given != true:
            message = f"{given!r} does not agree with the rest, which gives {true!r}"
            self.wrong(path, message)

    def refused(self, path: str, objection: Objection | None) -> None:
        """
        Note what a policy objects to, if it does.
        """
        if objection is not None:
            self.wrong(path, objection.reason, objection.path, *objection.also)

    # ----------------------------------------------------------------- what lies open

    def check(self) -> None:
        """
        Check everything that is open to all.

        Raises:
            RummyError: If the players are wrong, so that nothing can be read.
        """
        given = self.given
        check_players(given.rules, given.seats, self.problems)
        self.relations()
        self.columns()
        self.memory()
        self.zones()
        self.frames()
        self.dropped()
        self.deal()
        taken = () if given.drawn is None else given.drawn.cards
        for code, number in Counter(card.code for card in taken).items():
            if number > self.terms.copies[code]:
                self.too_many("drawn.cards", code, number)
        for at, entry in enumerate(given.table, 1):
            meld = self.meld(entry, f"table[{at - 1}]", at)
            if meld is not None:
                self.table.append(meld)
        if given.dealer_wild is not None:
            self.dealer_wild = self.meld(given.dealer_wild, "dealer_wild", 0)

    def relations(self) -> None:
        """
        Note values that do not go together, or for which the rules have no use.
        """
        given, rules, wrong = self.given, self.rules, self.wrong
        is_over, cards_out = given.phase == "over", bool(given.discards or given.melds)
        if given.dealer is not None and not given.turns_taken:
            wrong("turns_taken", "give each player's number of finished turns")
        if given.had_last_turn and not (rules.out.last_turn and given.out):
            message = "nobody has a last turn, or nobody is out"
            wrong("had_last_turn", message, "out.last_turn")
        if given.floating and not (rules.out.may_float or _empties(rules)):
            wrong("floating", "nobody floats in this game", "out.empty_hand")
        if given.boxes and not rules.match.counts_boxes:
            wrong("boxes", "rounds won do not count in this game", "match.box_bonus")
        if any(given.paid) and not self.asks("pays"):
            wrong("paid", "nothing is paid after a round here", "score.above")
        elif sum(given.paid) != 0:
            wrong("paid", "all payments together must add up to 0", "score.above")
        if given.bonuses and not is_over:
            wrong("bonuses", "the match is not over")
        if given.result is not None and not given.is_round_over:
            wrong("result", "the round is still in play")
        elif given.result is None and is_over:
            wrong("result", "a match that is over has a last round")
        if is_over != bool(given.winners):
            wrong("winners", "there are winners if and only if the match is over")
        if (given.drawn is None) == any(one.phase == "play" for one in given.frames):
            how = "is needed in" if given.drawn is None else "belongs only to"
            wrong("drawn", f"it {how} the phases {listed(map(repr, DRAWN))}")
        if given.dealer is None and (given.phase != "deal" or cards_out):
            wrong("dealer", "somebody has dealt")
        if cards_out and given.no_cards:
            wrong("phase", "cards are out, so a round was dealt")
        if given.sights and len(given.sights) != len(given.actions) + 1:
            message = "give what was seen of the deal and of each action"
            wrong("sights", f"{message}, one list more than actions")
        if any(one.seat is None for one in given.actions):
            wrong("actions", "say whose each action is, and leave out the deal")

    def state(self) -> State:
        """
        The state without its hands, its stock and the cards drawn.
        """
        given = self.given
        dealt = Dealt(-1, self.terms, ((),) * self.number)
        if given.dealer is not None:
            dealt = Dealt(
                given.dealer,
                self.terms,
                given.upcards,
                given.indicator,
                given.redeals,
                given.upcard,
            )
        columns = given.columns or self.new_columns()
        return open_state(given, columns, dealt, self.table, self.dealer_wild)

    def deal(self) -> None:
        """
        Check what the deal settled.
        """
        given, wild = self.given, self.rules.wild
        rank = given.wild
        if given.dealer is None:
            for name in ("wild", "indicator", "redeals", "upcard"):
                if getattr(given, name):
                    self.wrong(name, "there was no deal")
            if any(given.upcards):
                self.wrong("upcards", "there was no deal")
        elif rank and (len(rank) != 1 or rank not in RANKS):
            message = f"{said(rank)} is not a rank: ranks are {' '.join(RANKS)}"
            self.wrong("wild", message)
            rank = ""
        elif rank and (wild.is_named or not self.asks("wild_rank")):
            if not wild.is_named:
                message = f"no rank is made wild in {self.rules.name}"
                self.wrong("wild", message, "wild.indicator")
            if rank not in self.rules.deck.ranks:
                message = f"the deck has no {ranks(rank)}"
                self.wrong("wild", message, "deck.ranks", "wild.indicator")
            if rank == "A" and not wild.aces:
                self.wrong("wild", "aces may not be wild", "wild.aces")
        shown = given.indicator if wild.by_separate_card else None
        self.terms = self.dealt_by.terms(self.number, rank, shown)
        if given.dealer is None:
            return
        if given.indicator is not None and not wild.by_separate_card:
            message = "only a game with a separate card for the wild rank has it"
            self.wrong("indicator", message, "wild.indicator")
        elif given.indicator is not None:
            self.indicator_shown(given.indicator, rank)
        if given.upcard is None and self.rules.asks_for_upcard:
            self.wrong("upcard", "name the card", "out.knock")
        elif given.upcard is not None and not self.rules.asks_for_upcard:
            message = "no rule of this game asks for it"
            self.wrong("upcard", message, "draw.first_upcard")

    def indicator_shown(self, card: Card, rank: str) -> None:
        """
        Note a card that does not name the wild rank of the deal.
        """
        wild = self.rules.wild
        named = wild.rank_shown(card.code)
        if card.is_joker and not (wild.shows_wilds and wild.jokers):
            self.wrong("indicator", "a joker names no wild rank", "wild.indicator")
        elif rank != named:
            makes = f"makes {ranks(named)} wild" if named else "makes no rank wild"
            is_wild = f"{ranks(rank)} are" if rank else "no rank is"
            path = "wild.indicator_is_wild" if named != card.rank else "wild.indicator"
            self.wrong("indicator", f"{card} {makes}, but {is_wild} wild", path)

    def hand_sizes(self, path: str, sizes: Sequence[int]) -> None:
        """
        Note hands of impossible sizes.
        """
        given = self.given
        if self.asks("eliminated") and not (given.is_round_over or given.no_cards):
            self.eliminated(path, sizes)
        most = largest_hand(self.rules, self.number, given.round)
        path_of_most = "deal.by_round" if self.rules.deal.by_round else "deal.hand_size"
        dropped = {one.seat for one in given.dropped}
        for seat, (name, cards) in enumerate(zip(given.seats, sizes, strict=False)):
            at = f"{path}[{seat}]"
            if cards and seat in dropped:
                message = f"{name} has left the round and holds no card any more"
                self.wrong(at, message, "out.dropped_hand")
            if most is not None and cards > most:
                message = f"{name} holds {cards} cards, but a hand has {most} at most"
                self.wrong(at, message, path_of_most)
            if given.drawn is not None and seat == given.turn and not cards:
                message = f"{name} has drawn, but holds no card"
                self.wrong(at, message, "out.empty_hand")

    def invariants(
        self, state: State, hands: Sequence[int], sizes: Sequence[int]
    ) -> None:
        """
        Note what no play of a round leads to.

        Args:
            state: The state as far as it is open to all.
            hands: What is known of each hand, as multisets.
            sizes: How many cards each hand has.
        """
        self._match(state)
        self._counts(state)
        self._hand_sizes(state, sizes)
        self._cards_aside(state, hands)
        self._sets(state, sizes)
        self._contracts(state)
        self._owed(state, hands, sizes)

    def dropped(self) -> None:
        """
        Note players who cannot have left the round.
        """
        given, gone = self.given, {one.seat for one in self.given.dropped}
        if gone and not self.rules.settled.leaves:
            message = "nobody leaves a round in this game"
            self.wrong("dropped", message, "out.first_drop")
        if len(gone) < len(given.dropped):
            self.wrong("dropped", "nobody leaves a round twice", "out.dropped_hand")
        playing: set[int] = set()
        if not given.is_round_over:
            playing = {given.turn, *given.out, *given.floating}
            if gone and self.number - len(gone) < 2:
                message = "the round is over when all players but one have left it"
                self.wrong("dropped", message, "out.dropped_hand")
        for one in given.dropped:
            if one.points < 0:
                message = f"give 0 points or more, not {one.points}"
                self.wrong("dropped", message, one.by)
            if one.seat in playing:
                message = f"{given.seats[one.seat]} has left the round and plays"
                self.wrong("dropped", message, "out.dropped_hand")

    def eliminated(self, path: str, sizes: Sequence[int]) -> None:
        """
        Note players who are out of the match but take part in the round.
        """
        given, (by, _) = self.given, self.rules.asked["eliminated"][0]
        places: dict[str, tuple[int | None, ...]] = {
            "dealer": (given.dealer,),
            "turn": (given.turn,),
            "floating": given.floating,
            "out": given.out,
        }
        for at, frame in enumerate(given.frames):
            if at and frame.phase != "call":  # the first says whose turn it is
                places[f"frames[{at}].waiting"] = frame.waiting
        for seat in sorted(asking.eliminated(self.state().match)):
            message = f"{given.seats[seat]} is out of the match"
            for place, seats in places.items():
                if seat in seats:
                    self.wrong(place, message, by)
            if sizes[seat]:
                self.wrong(f"{path}[{seat}]", f"{message} but holds cards", by)

    def asks(self, question: str) -> bool:
        """
        Whether a house rule answers a question.
        """
        return question in self.rules.asked

    # ------------------------------------------------------------------------- melds

    def meld(self, entry: TableMeld, path: str, number: int) -> Meld | None:
        """
        A meld; None, with a note, if it is not one.
        """
        self.same(f"{path}.number", entry.number, number)
        doubled = {*entry.doubled}
        slots = tuple(
            Slot(one.card, one.stands_for, one.seat, at in doubled)
            for at, one in enumerate(entry.cards)
        )
        beside = tuple(Beside(one.index, one.card, one.seat) for one in entry.beside)
        if entry.doubled:
            self.doubled(f"{path}.doubled", entry, number)
        if not slots:
            self.wrong(f"{path}.cards", "it holds no card", "RV-07")
            return None
        if not number and not self.is_dealers_wild(path, slots[0].card):
            return None
        found = self.low(entry, slots, number)
        if isinstance(found, Objection):
            text, reason = " ".join(map(str, slots)), found.reason
            if not reason.startswith(f"{text} "):
                reason = f"{text} is not a meld: {reason}"
            self.wrong(f"{path}.cards", reason, found.path, *found.also)
            return None
        for at, slot in enumerate(slots):
            if slot.stands_for is not None and not self.terms.wild[slot.card.code]:
                message = f"{slot.card} is not wild"
                self.wrong(f"{path}.cards[{at}].stands_for", message)
                return None
        codes = dict(enumerate(slot.code for slot in slots))
        for at, other in enumerate(beside):
            if codes.get(other.index) != other.card.code:
                self.wrong(f"{path}.beside[{at}]", "no wild there represents the card")
                return None
        return built(self.terms, entry.kind, slots, entry.maker, found, beside)

    def is_dealers_wild(self, path: str, card: Card) -> bool:
        """
        Whether meld 0 may begin with a card.
        """
        rank = self.terms.wild_rank
        if not self.rules.wild.indicator_stays:
            message = "in this game no card of the dealer stays on the table"
        elif card.rank != rank:
            message = f"{card} is not of the wild rank, which is {rank or 'none'}"
        else:
            return True
        self.wrong(path, message, "wild.indicator_stays")
        return False

    def low(
        self, entry: TableMeld, slots: tuple[Slot, ...], number: int
    ) -> int | Objection:
        """
        Where a meld lies on the track, -1 for other melds; or why it is not a meld.
        """
        if entry.kind == "wild" and len(slots) == 1:
            (slot,) = slots
            if slot.stands_for is not None or not self.terms.wild[slot.card.code]:
                return Objection("layoff.single_wilds", "it is not a wild to build on")
            refuse = self.rules.layoff.refuse_single
            return (number and refuse(has_meld=True, wild=True)) or -1
        cards = [played(one.card.code, one.stands_for) for one in slots]
        found = read_meld(self.terms, cards, entry.maker)
        if isinstance(found, Objection):
            if len(slots) == 1:
                also = (*found.also, "layoff.single_wilds", "meld.sets")
                found = attrs.evolve(found, also=also)
            return found
        codes, said = ([one.code for one in made] for made in (found.slots, slots))
        same = codes == said if found.kind == "run" else Counter(codes) == Counter(said)
        if found.kind != entry.kind or not same:
            text = " ".join(map(str, slots))
            return Objection("meld.sets", f"{text} is not a {entry.kind}")
        return found.low

    def doubled(self, path: str, entry: TableMeld, number: int) -> None:
        """
        Check the four cards of a meld that count twice because they came down together.
        """
        if not self.rules.score.doubles_fours or not number:
            message = "no card of it counts twice in this game"
        elif len(set(entry.doubled)) != 4 or len(entry.doubled) != 4:
            message = "four cards count twice: name each once"
        elif max(entry.doubled) >= len(entry.cards):
            message = f"the cards of the meld are numbered to {len(entry.cards) - 1}"
        else:
            return
        self.wrong(path, message, "score.four_at_once")

    # ------------------------------------------------------------------------ counts

    def left(self, *others: tuple[str, Iterable[Card]]) -> Counter[int]:
        """
        The cards of the deck that are neither open nor among some others.

        A card that appears too often is noted where it is one too many.
        """
        given = self.given
        places: list[tuple[str, Iterable[Card]]] = [("discards", given.discards)]
        for meld in given.melds:
            path = f"table[{meld.number - 1}]" if meld.number else "dealer_wild"
            places.append((path, [one.card for one in meld.laid]))
        if given.indicator is not None and not given.no_cards:
            places.append(("indicator", [given.indicator]))
        if given.upcard_asked is not None:
            places.append(("frames[1].notes", [given.upcard_asked]))
        for at, zone in enumerate(given.zones):
            places.append((f"zones[{at}].cards", zone.cards or ()))
        dealt = () if given.no_cards else self.rules.deck.cards_for(self.number)
        deck = Counter(dealt)
        there: Counter[int] = Counter()
        over: dict[int, str] = {}
        for path, cards in (*places, *others):
            for card in cards:
                there[card.code] += 1
                if there[card.code] > deck[card.code]:
                    over.setdefault(card.code, path)
        for code, path in sorted(over.items()):
            self.too_many(path, code, there[code])
        return deck - there

    def too_many(self, path: str, code: int, number: int) -> None:
        """
        Note a card that appears more often than the deck holds it.
        """
        terms = self.rules.terms(self.number)
        wrong = refuse_number(self.rules.deck, terms, code, number)
        if wrong is None:
            self.wrong(path, "no cards are dealt yet")
        self.refused(path, wrong)

    def unplaced(self, given: PositionDocument) -> tuple[Card, ...]:
        """
        The cards of the deck that a position does not place.
        """
        hands = [(f"hands[{at}]", cards) for at, cards in enumerate(given.hands)]
        return sorted_cards(self.left(*hands, ("stock", given.stock)))

    def secrets(self, given: PositionDocument) -> None:
        """
        Check the hands and the stock.
        """
        self.unplaced(given)
        for at, zone in enumerate(given.zones):
            if zone.cards is None:
                self.wrong(f"zones[{at}].cards", "name the cards")
        if len(given.stock_seen_by) > len(given.stock):
            self.wrong("stock_seen_by", "it lists more cards than the stock holds")
        for at, (cards, seen) in enumerate(zip(given.hands, given.shown, strict=True)):
            some = [one for one in given.known_by_some if one.seat == at]
            # Several may know the same card, each from another time.
            for knower in range(self.number):
                told = [one.cards for one in some if knower in one.seen_by]
                if not Counter(itertools.chain(seen, *told)) <= Counter(cards):
                    self.wrong(f"shown[{at}]", "a card is not in the hand")
                    break

    # ---------------------------------------------------------------- what was drawn

    def drawn(self, hand: int, *, own: bool) -> Drawn:
        """
        What the player in turn drew.

        Args:
            hand: The hand of the player in turn as a multiset; 0 if it is not known.
            own: Whether the reader may see all of it.
        """
        given = self.given.drawn
        if given is None:
            return NOTHING_DRAWN
        several, noted = self.asks("cards_drawn"), len(self.problems.found)
        if given.source == "stock":
            if len(given.cards) > own and not (own and several):
                message = "one card comes from the stock, and only its player sees it"
                self.wrong("drawn.cards", message)
        elif given.source == "rule":
            if given.cards or GoOn not in self.rules.effects:
                self.wrong("drawn.source", "no rule lets a turn begin with such a draw")
        elif not given.cards:
            self.wrong("drawn.cards", "name the cards taken")
        elif given.source == "call" and not self.rules.call.caller_plays:
            message = "no call begins a turn in this game"
            self.wrong("drawn.source", message, "call.next")
        hidden = given.source == "stock" and several and not own
        if given.number is not None and not hidden:
            message = "how many were drawn is said only of several cards not shown"
            self.wrong("drawn.number", message)
        if len(self.problems.found) > noted:
            return NOTHING_DRAWN
        drawn = drawn_of(self.given, hand)
        allowed = asked_duties(
            self.rules, given.source, drawn._cards, self.given.turns_taken
        )
        if self.rules.wild.uses_swapped:
            allowed += tuple(map(swapped, faces(self.terms.wild_mask)))
        by = [path for path, _ in self.rules.asked.get("owes", ())]
        for at, duty in enumerate(drawn.duties):
            drew = duty.path in by and duty.code in drawn._cards
            if duty not in allowed and not (drew and duty.how in _HOW):
                self.wrong(f"owed[{at}]", "the rules impose no such duty")
        deck = pack(self.rules.deck.cards_for(self.number))
        if own and _is_short(drawn.held):
            message = "a card drawn or gained is neither in the hand nor spent"
            self.wrong("drawn", message)
        elif not holds(deck, drawn.held if own else cards_bits(given.spent)):
            message = "the hand before the draw would hold more cards than the deck"
            self.wrong("drawn", message)
        return drawn

    # --------------------------------------------------------------- what can go on

    def is_first_upcard(self, state: State) -> bool:
        """
        Whether only cards on which another is turned up lie below the top discard.
        """
        *below, top = [card.code for card in state.discards] or [-1]
        terms = state.dealt.terms
        return top >= 0 and all(turns_another(state, terms, one) for one in below)

    def round(self, state: State) -> None:
        """
        Note why a round in play could not reach such a state.
        """
        rules, phase = self.rules, state.phase
        for seat in state.floating:
            playing = bool(state.drawn.source) and seat == state.turn
            if state._hands[seat] and not playing:
                message = f"{state.players[seat]} holds cards"
                self.wrong("floating", message, "out.floating")
        if rules.meld.concealed and not (phase == "layoff" and rules.out.declares):
            self.concealed(state)
        wrong = functools.partial(self.wrong, "phase")
        if phase == "layoff" and (rules.out.declares or not rules.meld.concealed):
            wrong("nobody knocks in this game", "out.knock")
        elif phase == "layoff" and not rules.layoff.after_knock:
            wrong("nobody lays off after a knock in this game", "layoff.knocked")
        elif phase == "offer" and not rules.draw.offers_upcard:
            wrong("no upcard is offered in this game", "draw.first_upcard")
        elif phase == "offer" and (any(state.turns) or not self.is_first_upcard(state)):
            message = "the first upcard is offered while it is the only discard"
            if rules.deal.first_upcard_again or rules.deal.turned_again:
                message += " but for those on which another is turned up"
            wrong(f"{message}, before anybody has had a turn", "draw.first_upcard")
        elif phase == "call" and not rules.call.is_made:
            wrong("there are no calls in this game", "call.calls")
        elif phase == "call" and not state.discards:
            wrong("a call needs a discard", "call.calls")
        elif phase == "buy" and not self.asks("buys"):
            wrong("no discard is for sale in this game")
        elif phase == "buy" and not state.discards:
            wrong("there is no discard to buy")
        elif phase == "answer":
            self.question(state)
        elif phase == "stock" and not self.asks("buys"):
            wrong("no upcard is declined in this game", "call.buying")
        elif phase == "discard" and not rules.call.owes_discard:
            then = rules.call.then_discard
            what = "goes on in the phase 'play'" if then else "discards nothing"
            wrong(f"a caller {what} in this game", "call.then_discard")
        if stock_left(state) < 1 and phase not in {"play", "answer", "layoff"}:
            self.empty_stock(state)

    def question(self, state: State) -> None:
        """
        Note a question to a partner that cannot have been asked.
        """
        asked = asking.asked_partner(state, state.turn)
        if asked is None:
            message = "nobody is asked whether to go out, or it has been answered"
            self.wrong("phase", message, "out.ask")
        elif asked[1] != state.frames[-1].seat:
            message = f"{state.players[asked[1]]} is the one who is asked"
            self.wrong("frames[1].seat", message, asked[0])
        elif state.laid:
            message = "the partner is asked before any card is laid"
            self.wrong("laid", message, asked[0])

    def empty_stock(self, state: State) -> None:
        """
        Note that the round would be over, because nothing can be drawn.
        """
        rules, nothing = self.rules, refuse_draw(state)
        if rules.stock.ends_at_once:
            wrong = nothing or Objection("stock.when_empty", "it is empty")
            message = f"{wrong.reason}, so the round would be over"
            self.wrong("stock", message, wrong.path, *wrong.also)
        elif state.phase == "draw" and nothing is not None:
            floats = state.turn in state.floating and rules.out.floats_on_stock
            if floats or not state.discards:
                message = "nothing is left to draw, so the round would be over"
                self.wrong("stock", message, "stock.when_empty")
            elif asks_takers_alone(state) and not can_take(state, state.turn):
                message = "nothing can be drawn or taken, so the round would be over"
                self.wrong("stock", message, "stock.when_empty", "RV-54")

    def concealed(self, state: State) -> None:
        """
        Note what is impossible where melds stay in the hand until a knock.
        """
        if state.phase != "layoff":
            if any(meld.maker not in state.out for meld in state.table):
                shown_by = self.rules.meld.shown_by
                message = f"melds stay in the hand until somebody {shown_by}"
                if not self.rules.out.declares:
                    name = state.players[state.table[0].maker]
                    message += (
                        f"; say phase = 'layoff' and out = '{name}' if that is so"
                    )
                self.wrong("table", message, "meld.shown")
            if self.rules.out.declares:
                self.declared(state)
            elif state.out:
                message = "only the phase 'layoff' has a player who has knocked"
                self.wrong("out", message, "out.knock")
        elif len(state.out) != 1 or state.turn in state.out:
            message = "name the player who has knocked; another is in turn to lay off"
            self.wrong("out", message, "out.knock")
        else:
            (knocker,) = state.out
            left = state._hands[knocker]
            points = worth_of(self.terms, left)
            if not left:
                message = "after gin the round is over"
                self.wrong(f"hands[{knocker}]", message, "layoff.onto")
            elif points > knock_limit(state):
                message = f"nobody knocks with {figure(points, 'point')} left"
                self.wrong(f"hands[{knocker}]", message, "out.knock")
            if not state._hands[state.turn]:
                message = "nothing is left to lay off"
                self.wrong(f"hands[{state.turn}]", message, "out.knock")

    def declared(self, state: State) -> None:
        """
        Note what is impossible of a player who has declared.
        """
        if len(state.out) > 1:
            self.wrong("out", "only one player can have declared", "out.declare")
        for seat in state.out:
            name = state.players[seat]
            if state._hands[seat]:
                message = f"{name} has declared and holds no card any more"
                self.wrong(f"hands[{seat}]", message, "out.declare")
            if all(meld.maker != seat for meld in state.table):
                message = f"the melds that {name} has declared are missing"
                self.wrong("table", message, "out.declare")
        if state.turn in {*state.out, *state.had_last_turn}:
            message = f"{state.players[state.turn]} has no turn left in this round"
            self.wrong("turn", message, "out.last_turn")

    def columns(self) -> None:
        """
        Note columns of a score that the rules keep in another way.
        """
        given, there = self.given, len(self.new_columns())
        if given.columns and len(given.columns) != there:
            message = "there is only one"
            if there:
                message = f"the score is kept in {figure(there, 'column')}"
                message += f", not {len(given.columns)}"
            self.wrong("columns", message, "match.columns")
        are_won = all(column.winners for column in given.columns)
        if given.columns and are_won != (given.phase == "over"):
            message = "all columns are won if and only if the match is over"
            self.wrong("columns", message)
        for at, column in enumerate(given.columns):
            if column.bonuses and not column.winners:
                self.wrong(f"columns[{at}].bonuses", "nobody has won the column")

    def new_columns(self) -> tuple[Column, ...]:
        """
        The empty columns of a new score.
        """
        return new_match(self.rules, self.given.seats, None, -1).columns

    def frames(self) -> None:
        """
        Note frames that the phases do not allow.

        Raises:
            RummyError: If there is no frame, so that nothing more can be read.
        """
        given = self.given
        if not 0 < len(given.frames) <= len(EVERY_PHASE):
            self.wrong("frames", f"give at least one, and {len(EVERY_PHASE)} at most")
            self.problems.done()
        self.same("turn", given.turn, given.frames[0].seat)
        names = [frame.phase for frame in given.frames]
        for at, frame in enumerate(given.frames):
            path = f"frames[{at}]"
            if frame.phase not in EVERY_PHASE:
                self.wrong(f"{path}.phase", no_phase(frame.phase, EVERY_PHASE))
            elif frame.phase == "asked":
                self._asked(path, frame)
            else:
                self._frame(path, frame, names[:at])
        if given.phase not in EVERY_PHASE:
            self.wrong("phase", no_phase(given.phase, EVERY_PHASE))
        elif names[-1] in EVERY_PHASE:
            self.same("phase", given.phase, names[-1])

    def _frame(self, path: str, frame: OpenFrame, below: list[str]) -> None:
        """
        A frame of any other phase.
        """
        beneath, *others = _BENEATH[frame.phase]
        by_rule = beneath and "asked" in below
        if below not in (beneath, *others) and not by_rule:
            message = f"it interrupts no other phase, so not {below}"
            if beneath:
                message = f"{frame.phase!r} interrupts {beneath[0]!r}, not {below}"
            self.wrong(path, message)
        if frame.phase == "buy":
            self._sale(path, frame)
        elif frame.phase == "call":
            self._waiting(path, frame, together=True)
        elif frame.phase in {"deal", "over"}:
            self.same(f"{path}.waiting", frame.waiting, ())
        else:
            self.same(f"{path}.waiting", frame.waiting, (frame.seat,))
        if frame.phase == "rejoin":
            if not {*frame.notes} <= {*range(self.number)} - {frame.seat}:
                self.wrong(f"{path}.notes", "give the seats that are asked next")
        elif frame.phase == "play":
            self._turn(f"{path}.notes", frame.notes)
        elif frame.phase == "choose":
            (code, *more) = frame.notes or (-1,)
            if more or not 0 <= code < len(CARDS) or not CARDS[code].rank:
                self.wrong(f"{path}.notes", "give the code of the upcard")
        if frame.secrets and frame.phase != "choose":
            self.wrong(f"{path}.secrets", "there are none in this phase")

    def _waiting(self, path: str, frame: OpenFrame, *, together: bool = False) -> None:
        """
        Note that it is not said who is asked: one of them, or several together.
        """
        if together and not frame.waiting:
            self.wrong(f"{path}.waiting", "name the seats that are asked")
        elif not together and len(frame.waiting) != 1:
            self.wrong(f"{path}.waiting", "name one seat: they are asked one by one")

    def _asked(self, path: str, frame: OpenFrame) -> None:
        """
        Note what cannot be where a rule lets players be asked for an action.
        """
        if AskOthers not in self.rules.effects:
            self.wrong(f"{path}.phase", "no rule here lets players be asked")
        self._waiting(path, frame)
        notes = (*frame.notes, -1, -1, -1)[: max(len(frame.notes), 3)]
        rule, every, may_pass, *order = notes
        if not (0 <= rule < len(self.rules.house) and {every, may_pass} <= {0, 1}):
            message = "give the number of the rule that asks, 0 or 1 for whether all "
            message += "are asked and for whether one may pass, and the seats to come"
            self.wrong(f"{path}.notes", message)
        for at, seat in enumerate(order, 3):
            self.seat(f"{path}.notes[{at}]", seat)

    def _turn(self, path: str, notes: Sequence[int]) -> None:
        """
        Note what a turn after the draw cannot remember.
        """
        made, answer, *more = (*notes, 0, 0)[: max(len(notes), 2)]
        if more or made < 0 or answer not in {0, 1, 2}:
            message = "give how many discards were made, and an answer as 0, 1 or 2"
            self.wrong(path, message)
        elif answer and "asks" not in self.rules.asked:
            message = "nobody asks whether to go out in this game"
            self.wrong(path, message, "out.ask")

    def _sale(self, path: str, frame: OpenFrame) -> None:
        """
        Note wrong seats in a sale: one is asked whether it buys, then the others.
        """
        self._waiting(path, frame, together=self.rules.call.asks_buyers_together)
        asked = (*frame.waiting, *frame.notes)
        if len({*asked}) != len(asked) or frame.seat in asked:
            message = "each seat is asked once, and the one that discarded is not"
            self.wrong(f"{path}.notes", message)
        for at, seat in enumerate(frame.notes):
            self.seat(f"{path}.notes[{at}]", seat)

    # ---------------------------------------------------------- house rules

    def memory(self) -> None:
        """
        Note memory that no rule in force keeps.
        """
        known = self.rules.memories
        for name, value in self.given.memory.items():
            path = joined("memory", name)
            if name == AWARDED and Points in self.rules.effects:
                self._awarded(path, value)
            elif name not in known:
                hint = nearest(name, known, len(self.problems.found))
                self.wrong(path, f"no rule in force remembers {name!r}{hint}")
            for at, one in _not_kept(path, value):
                message = "give true or false, a whole number, a text, nothing, or a "
                self.wrong(at, f"{message}list of these, not {shown(one)}")
        for _, rule in self.rules.house:
            name = f"{rule.section}.{rule.name}"
            value = self.given.memory.get(name, rule.memory and rule.memory.start)
            kept = tuple(value) if isinstance(value, list) else value
            if not rule.could_remember(kept, len(self.given.seats)):
                message = f"{name!r} never remembers {shown(value)}"
                self.wrong(joined("memory", name), message)

    def _awarded(self, path: str, value: object) -> None:
        """
        Note points of the round that no rule can have awarded.
        """
        cited = [where for where, _ in self.rules.house]
        for at, one in enumerate(value if isinstance(value, list | tuple) else [value]):
            match one:
                case [int(seat), int(), str(), str(card), str(by)] if by in cited:
                    self.seat(f"{path}[{at}][0]", seat)
                    if card not in {"", *map(str, CARDS)}:
                        self.wrong(f"{path}[{at}][3]", f"{card!r} is not a card")
                case _:
                    message = "give a list of seat, points, reason, card or '', and the"
                    message += f" value by which a rule awards them, not {shown(one)}"
                    self.wrong(f"{path}[{at}]", message)

    def zones(self) -> None:
        """
        Note zones that are named twice, and names that no zone has.
        """
        there: set[tuple[str, int | None]] = set()
        known = asking.zone_names(self.rules)
        for at, zone in enumerate(self.given.zones):
            if zone.cards is not None:
                self.same(f"zones[{at}].size", zone.size, len(zone.cards))
            if (zone.name, zone.owner) in there or not zone.size:
                self.wrong(f"zones[{at}]", "give each zone once, with its cards")
            there.add((zone.name, zone.owner))
            message = f"there is no zone {zone.name!r}"
            if zone.name in KNOWN_PLACES:
                message = f"{zone.name!r} is not a zone"
            elif zone.name in known:
                continue
            elif known:
                message += nearest(zone.name, known, len(self.problems.found))
            else:
                message += ": no rule here keeps cards apart"
            self.wrong(f"zones[{at}].name", message)

    def _match(self, state: State) -> None:
        """
        Note a round after the last, and a wild rank that is not the round's.
        """
        match = state.match
        if not match.columns and is_last(state) and column_of(state).winners:
            message = f"the match would be over after round {match.round_number - 1}"
            self.wrong("round", message, "match.ends")
        rank = rank_that_follows(match)
        if rank is not None and rank != self.given.wild:
            named = ranks(rank) if rank else "no cards"
            message = f"in round {match.round_number} {named} are wild"
            self.wrong("wild", message, "wild.indicator")

    def _counts(self, state: State) -> None:
        """
        Note counts that the round cannot have come to.
        """
        given, stock = self.given, state.rules.stock
        idle = stock.idle_rounds * self.number
        if given.idle_turns > idle - (given.phase == "draw"):
            message = f"after {figure(idle, 'idle turn')} in a row the round is over"
            self.wrong("idle_turns", message, "RV-01")
        if given.turned and not stock.turns_over:
            message = "the discard pile is not turned over in this game"
            self.wrong("turned", message, "stock.when_empty")
        elif given.turned:
            # The last time there were enough discards, and cards had been played.
            last = stock.refuse_turning(len(CARDS), given.turned - 1, fresh=True)
            self.refused("turned", last)
        elif not given.fresh:
            message = "the discard pile has not been turned over"
            self.wrong("fresh", message, "stock.when_empty")

    def _hand_sizes(self, state: State, sizes: Sequence[int]) -> None:
        """
        Note hands of a size that no play leads to, unless the document says so.
        """
        given = self.given
        if given.partial:
            return
        by_round = state.rules.deal.by_round
        has_drawn = given.drawn is not None
        for seat, wanted in odd_hands(state, sizes, has_drawn=has_drawn):
            name, cards = given.seats[seat], figure(sizes[seat], "card")
            after = has_drawn and seat == given.turn
            when = "after" if after else "before"
            message = f"{name} holds {cards}, but a hand has {wanted} {when} the draw"
            path = "deal.by_round" if by_round else "deal.hand_size"
            if sizes[seat] == wanted + 1 and seat == given.turn and not has_drawn:
                message += f"; say phase = 'play' if {name} has drawn"
            self.wrong(f"hands[{seat}]", f"{message}; {_IN_PART}", path)

    def _cards_aside(self, state: State, hands: Sequence[int]) -> None:
        """
        Note cards in hands and melds that the rules lay aside, and others laid aside.
        """
        never = asking.never_held(state)
        path = next(iter(state.rules.asked.get("lays_aside", ())), ("deal.laid_aside",))
        for seat, hand in enumerate(hands):
            if hand & never:
                message = f"no hand holds {show(faces(hand & never))}: it is laid out"
                self.wrong(f"hands[{seat}]", message, path[0])
        for at, meld in enumerate(state.table):
            for code in {one.card.code for one in meld.laid}:
                if never & FIELD[code]:
                    message = f"{CARDS[code]} is laid out, and not melded"
                    self.wrong(f"table[{at}]", message, path[0])
        zones = dict(asking.laid_aside(state.match, state.dealt.dealer))
        for at, zone in enumerate(self.given.zones):
            for card in {*(zone.cards or ())} if zone.name in zones else ():
                if not zones[zone.name] & FIELD[card.code]:
                    message = f"{card} is not laid out in this game"
                    self.wrong(f"zones[{at}]", message, path[0])

    def _sets(self, state: State, sizes: Sequence[int]) -> None:
        """
        Note sets that a side has twice, or that end a hand which goes on.
        """
        rules, terms = state.rules.meld, state.dealt.terms
        gets_another = Move in state.rules.effects  # after its last meld
        there: dict[tuple[tuple[int, ...], str], int] = {}
        for at, meld in enumerate(state.table):
            rank = rank_of(meld)
            side = next(one for one in state.sides if meld.maker in one)
            if rank and rules.one_of_a_rank and not is_closed(terms, meld):
                first = there.setdefault((side, rank), at)
                if first != at:
                    message = f"the side has a meld of that rank, meld {first + 1}"
                    self.wrong(f"table[{at}]", message, "meld.one_of_a_rank")
            is_last = meld.maker == state.turn and self.given.drawn is not None
            if rank and rank in rules.last_ranks and not gets_another:
                if not is_last or sizes[state.turn] > 1:
                    message = f"{ranks(rank)} are only the last meld of a hand"
                    self.wrong(f"table[{at}]", message, "meld.last_ranks")

    def _contracts(self, state: State) -> None:
        """
        Note melds that are not those of a contract, unless the document says so.
        """
        for at, seat, contract in () if self.given.partial else odd_contracts(state):
            name = state.players[seat]
            message = (
                f"the melds of {name} are not the contract of the round, {contract}"
            )
            self.wrong(f"table[{at}]", f"{message}; {_IN_PART}", "meld.contracts")

    def _owed(self, state: State, hands: Sequence[int], sizes: Sequence[int]) -> None:
        """
        Note what the player in turn cannot have done or owe.
        """
        drawn = self.given.drawn
        if drawn is None:
            return
        hand = hands[state.turn]
        for at, duty in enumerate(self.given.owed):
            seen = size(hand) == sizes[state.turn]
            if seen and not hand & FIELD[duty.card.code]:
                message = f"{duty.card} must be used, but is not in the hand"
                self.wrong(f"owed[{at}]", message, duty.value)
        made = sum([meld.maker == state.turn for meld in state.table])
        last = state.rules.meld.refuse_another(self.given.melds_made - 1)
        self.refused("melds_made", last)
        if last is None and self.given.melds_made > made:
            message = f"of the table, {figure(made, 'meld')} began with that player"
            self.wrong("melds_made", message)


_IN_PART = "say partial = true if not everything is shown"


def _not_kept(path: str, value: object) -> Iterator[tuple[str, object]]:
    """
    The values within a value that cannot be kept, with their places.
    """
    if isinstance(value, list | tuple):
        for at, one in enumerate(value):
            yield from _not_kept(f"{path}[{at}]", one)
    elif not can_be_kept(value):
        yield path, value


_BENEATH: Final[Mapping[str, tuple[list[str], ...]]] = {
    **{
        name: ([],)
        for name in (
            *("deal", "offer", "draw", "stock", "play", "layoff", "rejoin", "over"),
        )
    },
    "choose": (["deal"],),
    "buy": (["draw"], ["stock"]),
    "call": (["draw"], ["draw", "buy"]),
    "discard": (["draw"],),
    "answer": (["play"],),
}
"""What each phase may interrupt, in every way allowed."""
_HOW: Final = frozenset(
    Owed(CARDS[0], new_meld=new, with_pair=pair, at_once=soon, or_discard=free).how
    for new, pair, soon, free in itertools.product((False, True), repeat=4)
)
"""What a house rule may require of a card."""


def _is_short(difference: int) -> bool:
    """
    Whether a difference of two multisets lacks some card.
    """
    try:
        return bool(over_and_lacking(difference)[1])
    except PositionError:
        return True


def sorted_cards(cards: Counter[int]) -> tuple[Card, ...]:
    """
    Counted cards in the order of their codes.
    """
    return tuple(CARDS[code] for code in sorted(cards.elements()))
