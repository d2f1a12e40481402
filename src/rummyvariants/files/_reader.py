"""
The reader of documents: checks a position, or the table of a view.

It notes all problems, each with the path of its key, and makes a state of the rest.
JSON and the notation of scenario files fill the documents that it reads.
"""

from __future__ import annotations

import itertools

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final

import attrs

from rummyvariants._support.words import ranks
from rummyvariants.cards import CARDS, RANKS, Card, faces, holds, pack
from rummyvariants.errors import PositionError, RulesError, RummyError
from rummyvariants.files._checks import Checks, check_players
from rummyvariants.files._documents import PositionDocument, TableMeld
from rummyvariants.files._invariants import Invariants
from rummyvariants.files._problems import Problems
from rummyvariants.files._slots import (
    cards_bits,
    drawn_of,
    open_state,
    over_and_lacking,
    whole_state,
)
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.beginning import check_seed, largest_hand
from rummyvariants.game._engine.dealing import turns_another
from rummyvariants.game._engine.draws import refuse_draw
from rummyvariants.game._engine.endings import knock_limit
from rummyvariants.game._engine.offers import asks_takers_alone, can_take
from rummyvariants.game._round import NOTHING_DRAWN, Dealt, Drawn
from rummyvariants.game._state import State, stock_left
from rummyvariants.melds._deadwood import (
    worth_of,
)
from rummyvariants.melds._meld import Beside, Meld, Slot, built, played
from rummyvariants.melds._reading import read_meld
from rummyvariants.melds._tables import Terms
from rummyvariants.policies import Duty, GoOn, Move, Owed
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
    reader = Reader(given, problems)
    reader.check()
    reader.secrets(given)
    problems.done()
    reader.hand_sizes("hands", [len(cards) for cards in given.hands])
    drawn = reader.drawn(cards_bits(given.hands[given.turn]), own=True)
    problems.done()
    state = whole_state(reader.state(), given, drawn)
    if state.phase in PHASES:
        reader.round(state)
        reader.invariants(state, state._hands, [len(cards) for cards in given.hands])
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


@attrs.define
class Reader(Checks):
    """
    Reads what is open to all, and notes every problem.

    Attributes:
        terms: The terms of its deal.
        table: Its valid melds.
        dealer_wild: Its meld 0.
    """

    terms: Terms = attrs.field(init=False)
    table: list[Meld] = attrs.field(factory=list, init=False)
    dealer_wild: Meld | None = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        given = self.given
        if given.dealer is None or given.is_round_over:
            return
        with suppress(RummyError, LookupError, TypeError, ValueError):
            # What is wrong with these is noted when they are checked.
            rules = given.rules.in_deal(asking.deal_facts(given, given.dealer))
            self.given = attrs.evolve(given, rules=rules)

    # ----------------------------------------------------------------- what lies open

    def check(self) -> None:
        """
        Check everything that is open to all.

        Raises:
            RummyError: If the players are wrong, so that nothing can be read.
        """
        given = self.given
        check_players(given.rules, given.players, self.problems)
        self.seats_and_numbers(given)
        if given.dealer is not None and not given.turns_taken:
            self.wrong("turns_taken", "give each player's number of finished turns")
        if given.sides:
            self.same("sides", given.sides, self.rules.match.sides_of(self.number))
        if given.had_last_turn and not (self.rules.out.last_turn and given.out):
            message = "nobody has a last turn, or nobody is out"
            self.wrong("had_last_turn", message, "out.last_turn")
        self.dropped()
        floats = self.rules.out.floats
        empties = Move in self.rules.effects or "lays_aside" in self.rules.asked
        if given.floating and not (floats or empties):
            self.wrong("floating", "nobody floats in this game", "out.empty_hand")
        self.score()
        self.memory()
        self.zones()
        self.actions()
        self.phase()
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
        rank = given.wild_rank
        if given.dealer is None:
            for name in ("wild_rank", "indicator", "redeals", "upcard"):
                if getattr(given, name):
                    self.wrong(name, "there was no deal")
        elif rank and (len(rank) != 1 or rank not in RANKS):
            message = f"{rank!r} is not a rank: ranks are {' '.join(RANKS)}"
            self.wrong("wild_rank", message)
            rank = ""
        elif rank and not (not wild.is_named and self.asks("wild_rank")):
            if not wild.is_named:
                message = f"no rank is made wild in {self.rules.name}"
                self.wrong("wild_rank", message, "wild.indicator")
            if rank not in self.rules.deck.ranks:
                message = f"the deck has no {ranks(rank)}"
                self.wrong("wild_rank", message, "deck.ranks", "wild.indicator")
            if rank == "A" and not wild.aces:
                self.wrong("wild_rank", "aces may not be wild", "wild.aces")
        shown = given.indicator if wild.by_separate_card else None
        self.terms = self.rules.terms(self.number, rank, shown)
        if given.dealer is None:
            return
        if given.indicator is not None and not wild.by_separate_card:
            message = "only a game with a separate card for the wild rank has it"
            self.wrong("indicator", message, "wild.indicator")
        elif given.indicator is not None:
            self.shown(given.indicator, rank)
        if (given.upcard is not None) != self.rules.asks_for_upcard:
            if given.upcard is None:
                self.wrong("upcard", "name the card", "out.knock")
            else:
                message = "no rule of this game asks for it"
                self.wrong("upcard", message, "draw.first_upcard")

    def shown(self, card: Card, rank: str) -> None:
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
        most = largest_hand(self.rules, self.number, given.round_number)
        path_of_most = "deal.by_round" if self.rules.deal.by_round else "deal.hand_size"
        dropped = {one.seat for one in given.dropped}
        for seat, (name, cards) in enumerate(zip(given.players, sizes, strict=False)):
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
        Invariants(self, state, hands, sizes).check()

    def dropped(self) -> None:
        """
        Note players who cannot have left the round.
        """
        given, rules = self.given, self.rules
        if not given.dropped:
            return
        if not rules.settled.leaves:
            self.wrong(
                "dropped", "nobody leaves a round in this game", "out.first_drop"
            )
        seats = [one.seat for one in given.dropped]
        if len({*seats}) < len(seats):
            self.wrong("dropped", "nobody leaves a round twice", "out.dropped_hand")
        for one in given.dropped:
            if one.points < 0:
                message = f"give 0 points or more, not {one.points}"
                self.wrong("dropped", message, one.by)
        if given.is_round_over:
            return
        for seat in {*seats} & {*range(self.number)}:
            message = f"{given.players[seat]} has left the round"
            if seat in {given.turn, *given.out, *given.floating}:
                self.wrong("dropped", f"{message} and plays", "out.dropped_hand")
        if len({*range(self.number)} - {*seats}) < 2:
            message = "the round is over when all players but one have left it"
            self.wrong("dropped", message, "out.dropped_hand")

    def eliminated(self, path: str, sizes: Sequence[int]) -> None:
        """
        Note players who are out of the match but take part in the round.
        """
        given = self.given
        by, _ = self.rules.asked["eliminated"][0]
        for seat in sorted(asking.eliminated(self.state().match)):
            message = f"{given.players[seat]} is out of the match"
            for at, seats in (
                ("dealer", (given.dealer,)),
                ("turn", (given.turn,)),
                ("floating", given.floating),
                ("out", given.out),
            ):
                if seat in seats:
                    self.wrong(at, message, by)
            for number, frame in enumerate(given.frames):
                turns = number == 0  # already noted
                if frame.phase != "call" and seat in frame.waiting and not turns:
                    self.wrong(f"frames[{number}].waiting", message, by)
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
        slots = tuple(
            Slot(one.card, one.stands_for, one.seat, at in entry.doubled)
            for at, one in enumerate(entry.cards)
        )
        if entry.doubled:
            self.doubled(f"{path}.doubled", entry, number)
        if not number and not self.is_dealers_wild(path, slots):
            return None
        found = self.low(entry, slots, number)
        if isinstance(found, Objection):
            text = " ".join(map(str, slots)) or "nothing"
            reason = found.reason
            if not reason.startswith(f"{text} "):
                reason = f"{text} is not a meld: {reason}"
            self.wrong(f"{path}.cards", reason, found.path, *found.also)
            return None
        for at, slot in enumerate(slots):
            if slot.stands_for is not None and not self.terms.wild[slot.card.code]:
                message = f"{slot.card} is not wild"
                self.wrong(f"{path}.cards[{at}].stands_for", message)
                return None
        beside: list[Beside] = []
        for at, other in enumerate(entry.beside):
            fits = 0 <= other.index < len(slots)
            if not fits or slots[other.index].code != other.card.code:
                self.wrong(f"{path}.beside[{at}]", "no wild there represents the card")
                return None
            beside.append(Beside(other.index, other.card, other.seat))
        return built(self.terms, entry.kind, slots, entry.maker, found, tuple(beside))

    def is_dealers_wild(self, path: str, slots: Sequence[Slot]) -> bool:
        """
        Whether meld 0 begins with a card that the dealer may have there.
        """
        rank = self.terms.wild_rank
        message = ""
        if not self.rules.wild.indicator_stays:
            message = "in this game no card of the dealer stays on the table"
        elif slots and slots[0].card.rank != rank:
            named = rank or "none"
            message = f"{slots[0].card} is not of the wild rank, which is {named}"
        if message:
            self.wrong(path, message, "wild.indicator_stays")
        return not message

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
            wrong: Objection | None = None
            if number:
                wrong = self.rules.layoff.refuse_single(has_meld=True, wild=True)
            return -1 if wrong is None else wrong
        cards = [played(one.card.code, one.stands_for) for one in slots]
        found = read_meld(self.terms, cards, entry.maker)
        if isinstance(found, Objection):
            if len(slots) == 1:
                also = (*found.also, "layoff.single_wilds", "meld.sets")
                found = attrs.evolve(found, also=also)
            return found
        ways = [[one.code for one in made] for made in (found.slots, slots)]
        if found.kind != entry.kind or (found.kind == "run" and ways[0] != ways[1]):
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
        elif not all(0 <= at < len(entry.cards) for at in entry.doubled):
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
            places.append((path, [one.card for one in meld.cards]))
            places.append((path, [one.card for one in meld.beside]))
        if given.indicator is not None and not given.no_cards:
            places.append(("indicator", [given.indicator]))
        if given.upcard_asked is not None:
            places.append(("frames[1].notes", [given.upcard_asked]))
        for at, zone in enumerate(given.zones):
            places.append((f"zones[{at}].cards", zone.cards or ()))
        deck: Counter[int] = Counter()
        if not given.no_cards:
            deck.update(self.rules.deck.cards_for(self.number))
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
        else:
            self.wrong(path, wrong.reason, wrong.path)

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
        try:
            check_seed(given.seed)
        except RulesError as error:
            self.problems.add("seed", str(error))
        self.unplaced(given)
        for at, zone in enumerate(given.zones):
            if zone.cards is None:
                self.wrong(f"zones[{at}].cards", "name the cards")
        if len(given.stock_seen_by) > len(given.stock):
            self.wrong("stock_seen_by", "it lists more cards than the stock holds")
        pairs = zip(given.hands, given.shown, strict=False)
        for at, (cards, shown) in enumerate(pairs):
            if not Counter(shown) <= Counter(cards):
                self.wrong(f"shown[{at}]", "a card is not in the hand")

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
        if given.source == "stock":
            several = own and self.asks("cards_drawn")
            if len(given.cards) > own and not several:
                message = "one card comes from the stock, and only its player sees it"
                self.wrong("drawn.cards", message)
                return NOTHING_DRAWN
        elif given.source == "rule":
            if given.cards or GoOn not in self.rules.effects:
                self.wrong("drawn.source", "no rule lets a turn begin with such a draw")
        elif not given.cards:
            self.wrong("drawn.cards", "name the cards taken")
            return NOTHING_DRAWN
        elif given.source == "call" and not self.rules.call.caller_plays:
            message = "no call begins a turn in this game"
            self.wrong("drawn.source", message, "call.next")
        hidden = given.source == "stock" and not own and self.asks("cards_drawn")
        if given.number is not None and not (hidden and given.number >= 0):
            message = "how many were drawn is said only of several cards not shown"
            self.wrong("drawn.number", message)
            return NOTHING_DRAWN
        drawn = drawn_of(given, hand)
        allowed = asked_duties(
            self.rules, given.source, drawn._cards, self.given.turns_taken
        )
        if self.rules.wild.uses_swapped:
            allowed += tuple(map(swapped, faces(self.terms.wild_mask)))
        for at, duty in enumerate(drawn.duties):
            if duty not in allowed and not self.is_owed(drawn, duty):
                self.wrong(f"drawn.duties[{at}]", "the rules impose no such duty")
        deck = pack(self.rules.deck.cards_for(self.number))
        if own and _is_short(drawn.held):
            message = "a card drawn or gained is neither in the hand nor spent"
            self.wrong("drawn", message)
        elif not holds(deck, drawn.held if own else cards_bits(given.spent)):
            message = "the hand before the draw would hold more cards than the deck"
            self.wrong("drawn", message)
        return drawn

    def is_owed(self, drawn: Drawn, duty: Duty) -> bool:
        """
        Whether a house rule may have asked for a duty when cards were drawn.
        """
        by = [path for path, _ in self.rules.asked.get("owes", ())]
        return duty.path in by and duty.code in drawn._cards and duty.how in _HOW

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
        if phase == "layoff" and (rules.out.declares or not rules.meld.concealed):
            self.wrong("phase", "nobody knocks in this game", "out.knock")
        elif rules.meld.concealed:
            self.concealed(state)
        if phase == "offer":
            if not rules.draw.offers_upcard:
                message = "no upcard is offered in this game"
                self.wrong("phase", message, "draw.first_upcard")
            elif any(state.turns) or not self.is_first_upcard(state):
                message = "the first upcard is offered while it is the only discard"
                if rules.deal.first_upcard_again or rules.deal.turned_again:
                    message += " but for those on which another is turned up"
                message += ", before anybody has had a turn"
                self.wrong("phase", message, "draw.first_upcard")
        elif phase == "call":
            if not rules.call.is_made:
                message = "there are no calls in this game"
                self.wrong("phase", message, "call.calls")
            elif not state.discards:
                self.wrong("phase", "a call needs a discard", "call.calls")
        elif phase == "buy":
            if not self.asks("buys"):
                self.wrong("phase", "no discard is for sale in this game")
            elif not state.discards:
                self.wrong("phase", "there is no discard to buy")
        elif phase == "answer":
            self.question(state)
        elif phase == "stock" and not self.asks("buys"):
            self.wrong("phase", "no upcard is declined in this game", "call.buying")
        elif phase == "discard" and not rules.call.owes_discard:
            what = "discards nothing"
            if rules.call.then_discard:
                what = "goes on in the phase 'play'"
            message = f"a caller {what} in this game"
            self.wrong("phase", message, "call.then_discard")
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
        others = [seat for seat in range(self.number) if seat != state.turn]
        if state.phase != "layoff":
            if any(meld.maker not in state.out for meld in state.table):
                shown_by = self.rules.meld.shown_by
                message = f"melds stay in the hand until somebody {shown_by}"
                self.wrong("table", message, "meld.shown")
            if self.rules.out.declares:
                self.declared(state)
            elif state.out:
                message = "only the phase 'layoff' has a player who has knocked"
                self.wrong("out", message, "out.knock")
        elif len(others) != 1 or state.out != tuple(others):
            message = "name the player who has knocked; the other is in turn to lay off"
            self.wrong("out", message, "out.knock")
        else:
            (knocker,) = state.out
            left = state._hands[knocker]
            points = worth_of(self.terms, left)
            if not left:
                message = "after gin the round is over"
                self.wrong(f"hands[{knocker}]", message, "layoff.onto")
            elif points > knock_limit(state):
                message = f"nobody knocks with {points} points left"
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
