"""
Positions made by hand: read and validated, with all their problems at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from rummyvariants._support.words import ranks
from rummyvariants.cards import CARDS, COPIES, RANKS, Card, common, count, pack, size
from rummyvariants.files._position_melds import TableReader
from rummyvariants.files._position_reader import MATCH_KEYS, Reader, read_match
from rummyvariants.files._position_text import DRAWN, PHASES, seats_down
from rummyvariants.game._engine.beginning import largest_hand
from rummyvariants.game._engine.calls import callers, may_discard
from rummyvariants.game._engine.draws import refuse_draw
from rummyvariants.game._engine.endings import can_finish, knock_limit, why_stuck
from rummyvariants.game._engine.phases import start_turn
from rummyvariants.game._round import Dealt, Drawn, Frame, turn_frame
from rummyvariants.game._state import (
    Draft,
    State,
    freeze,
    side_of,
    stock_left,
    thaw,
    upcard_offered,
)
from rummyvariants.melds._deadwood import worth_of
from rummyvariants.policies.deck import refuse_number
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


KEYS: Final = (
    "seats",
    "dealer",
    "turn",
    "phase",
    "wild",
    "stock",
    "discards",
    "table",
    "hands",
    *MATCH_KEYS,
    "turns_taken",
    "idle_turns",
    "dealer_wild",
    "indicator",
    "caller",
    "floating",
    "drawn",
    "discarder",
    "owed",
    "laid",
    "passed",
    "out",
    "melds_made",
    "laid_before",
    "doubled",
    "had_last_turn",
    "turned",
    "fresh",
    "shuffle",
    "upcard",
)


def read_position(
    given: Mapping[str, Any], rules: Ruleset, where: str = "", *, fill: bool = False
) -> State:
    """
    The state that a hand-made position describes.

    Args:
        given: The ``[position]`` table.
        rules: The rules of the game.
        where: The file's name for error messages.
        fill: Whether the cards that it does not place lie below its stock, in the
            order of their codes.

    Raises:
        PositionError: If the position cannot be; with all its problems.
    """
    reader = Reader(given, rules, KEYS)
    if not reader.names:
        reader.done(where)
    return _Position(reader).state(where, fill=fill)


class _Position:
    """
    A position on its way from a table to a state.
    """

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.given = reader.given
        self.rules = reader.rules
        self.problems = reader.problems
        self.names = reader.names
        self.melds = TableReader(reader)
        self.in_hands: Counter[int] = Counter()

    # ----------------------------------------------------------------- the pieces

    def wild(self) -> str:
        wild = self.given.get("wild", "")
        rank = str(wild).upper().replace("10", "T")
        if rank == "":
            return ""
        if len(rank) != 1 or rank not in RANKS:
            self.problems.add(f"wild: {wild!r} is no rank: ranks are {' '.join(RANKS)}")
            return ""
        rule = self.rules.rule_of("wild.indicator")
        if self.rules.wild.indicator == "none":
            self.problems.add(f"wild: no rank is made wild in {self.rules.name}", rule)
        if rank not in self.rules.deck.ranks:
            self.problems.add(
                f"wild: the deck has no {ranks(rank)}",
                self.rules.rule_of("deck.ranks"),
                rule,
            )
        if rank == "A" and not self.rules.wild.aces:
            self.problems.add(
                "wild: aces may not be wild", self.rules.rule_of("wild.aces")
            )
        return rank

    def upcard(self) -> Card | None:
        """
        The card that began the discard pile, where a rule asks for it.
        """
        given = self.given.get("upcard", "")
        asked = self.rules.asks_for_upcard
        cards = self.reader.cards(given, "upcard") if given != "" else ()
        if (given != "" and (len(cards) != 1 or not asked)) or (asked and not cards):
            told = "name the one card" if asked else "no rule of this game asks for it"
            question = "out.knock" if asked else "draw.first_upcard"
            self.problems.add(f"upcard: {told}", self.rules.rule_of(question))
        return cards[0] if len(cards) == 1 else None

    def hands(self) -> list[int]:
        hands = [0] * len(self.names)
        for seat, value in self.reader.by_seat("hands"):
            cards = self.reader.cards(value, f"hands.{self.names[seat]}")
            there = Counter(card.code for card in cards)
            self.in_hands += there
            # What is too much for a hand is too much for the deck, and noted there.
            most = Counter(dict.fromkeys(there, COPIES))
            hands[seat] = pack((there & most).elements())
        return hands

    def seats(self, key: str) -> list[int]:
        names = self.given.get(key, [])
        if not isinstance(names, list):
            self.problems.add(f"{key}: give a list of seats")
            return []
        return [self.reader.seat(name, key) for name in names]

    def count_cards(self, draft: Draft) -> bytes:
        """
        Note every card that lies there more often than the deck holds it.

        Returns:
            The codes of the cards that lie nowhere, lowest first.
        """
        placed = self.in_hands + self.melds.misplaced
        placed.update((*draft._stock, *draft._discards))
        melds = [*draft._table, *([draft.dealer_wild] if draft.dealer_wild else [])]
        for meld in melds:
            placed.update(card.code for card in meld.cards)
        if draft.dealt.indicator is not None:
            placed[draft.dealt.indicator.code] += 1
        self.note_excess(placed)
        deck = Counter(self.rules.deck.cards_for(len(self.names)))
        return bytes(sorted((deck - placed).elements()))

    def note_excess(self, placed: Counter[int]) -> None:
        terms = self.rules.terms(len(self.names))
        for code, number in sorted(placed.items()):
            wrong = refuse_number(self.rules.deck, terms, code, number)
            if wrong is not None:
                self.problems.add(wrong.reason, self.rules.rule_of(wrong.question))

    # ----------------------------------------------------------------- the whole

    def state(self, where: str, *, fill: bool) -> State:
        reader, rules, names = self.reader, self.rules, self.names
        given = self.given
        phase = given.get("phase", "draw")
        if phase not in PHASES:
            self.problems.add(
                f"phase: there is no phase {phase!r}{reader.nearest(phase, PHASES)}",
                "RV-07",
            )
            phase = "draw"
        dealer = reader.seat(given.get("dealer", names[-1]), "dealer")
        turn = reader.seat(given.get("turn", names[(dealer + 1) % len(names)]), "turn")
        terms = rules.terms(len(names), self.wild())
        indicator = None
        if given.get("indicator", "") != "":
            cards = reader.cards(given["indicator"], "indicator")
            indicator = cards[0] if len(cards) == 1 else None
            if indicator is None or rules.wild.indicator != "separate":
                self.problems.add(
                    "indicator: one card, and only where a separate card names the "
                    "wild rank",
                    rules.rule_of("wild.indicator"),
                )
        if phase == "choose":
            self.problems.add("phase: a deal that waits is written as [deal]")
        match = read_match(reader, dealer)
        draft = thaw(
            State(
                match,
                Dealt(
                    dealer,
                    terms,
                    ((),) * len(names),
                    indicator,
                    upcard=self.upcard(),
                ),
                _begun(phase, turn),
                tuple(self.hands()),
                bytes(
                    one.code for one in reader.cards(given.get("stock", ""), "stock")
                ),
                bytes(
                    one.code
                    for one in reader.cards(given.get("discards", ""), "discards")
                ),
                turns=reader.numbers("turns_taken", int(phase != "offer"), 0),
                idle=reader.number("idle_turns", 0),
                turned=reader.number("turned", 0),
                fresh=self.given.get("fresh", True) is not False,
                shuffle=reader.number("shuffle", 0),
                from_position=True,
                seen=(0,) * len(names),
            )
        )
        draft._table = tuple(self.melds.table(terms))
        draft.dealer_wild = self.melds.dealers_wild(terms, dealer)
        unplaced = self.count_cards(draft)
        if fill:
            draft._stock += unplaced
        for meld in (*draft._table, draft.dealer_wild):
            if meld is not None and meld.kind != "wild":
                draft._has_meld |= side_of(draft, meld.maker)
        self.laid_before(draft)
        self.doubled(draft)
        self.empty_hands(draft)
        if not self.problems.told:
            self.phase(draft)
        reader.done(where)
        return freeze(draft)

    def laid_before(self, draft: Draft) -> None:
        """
        Who had laid a card before this turn: whoever has some there, if it is not said.
        """
        if "laid_before" in self.given:
            for seat in self.seats("laid_before"):
                draft._down |= 1 << seat
        else:
            draft._down = seats_down(draft)

    def doubled(self, draft: Draft) -> None:
        """
        The melds of which four cards were put down in one play and count twice (RV-40).
        """
        rule = self.rules.rule_of("score.four_at_once")
        given = self.given.get("doubled", [])
        if "doubled" in self.given and self.rules.score.four_at_once == "once":
            self.problems.add("doubled: no meld counts twice in this game", rule)
            return
        table = list(draft._table)
        for number in given if isinstance(given, list) else [given]:
            meld = None
            if isinstance(number, int):
                meld = self.melds.counting_twice(draft._table, number)
            if meld is None:
                self.problems.add(
                    f"doubled: {number!r} names no meld of four or more "
                    "cards with the four that count twice written first",
                    rule,
                )
            else:
                table[number - 1] = meld
        draft._table = tuple(table)

    def empty_hands(self, draft: Draft) -> None:
        """
        Who floats, and who is out already in a first round of turns (HR-08).
        """
        rules = self.rules
        draft.out = tuple(self.seats("out"))
        for seat in self.seats("had_last_turn"):
            draft._had_last |= 1 << seat
        if draft._had_last and not (rules.out.last_turn and draft.out):
            self.problems.add(
                "had_last_turn: nobody has a last turn, or nobody is out",
                rules.rule_of("out.last_turn"),
            )
        listed = self.seats("floating")
        for seat in listed:
            name = self.names[seat]
            playing = draft.phase == "play" and seat == draft.turn
            if draft._hands[seat] and not playing:
                self.problems.add(
                    f"floating: {name} holds cards", rules.rule_of("out.floating")
                )
            draft._floating |= 1 << seat
        if rules.out.empty_hand == "float":
            for seat, hand in enumerate(draft._hands):
                if not hand:
                    draft._floating |= 1 << seat
            return
        if listed:
            self.problems.add(
                "floating: nobody floats in this game", rules.rule_of("out.empty_hand")
            )
        written = self.given.get("hands", {})
        for seat, name in enumerate(self.names):
            if draft._hands[seat] or not isinstance(written, Mapping):
                continue
            if written.get(name) != "" or seat in draft.out:
                continue
            if rules.out.grace and 0 in draft.turns and draft.turns[seat]:
                draft.out = (*draft.out, seat)
            else:
                self.problems.add(
                    f"hands: {name} has no card left, so the round would be over",
                    rules.rule_of("out.empty_hand"),
                )

    def phase(self, draft: Draft) -> None:
        """
        What the phase needs: a draw, a window, a caller.
        """
        stock_rule = self.rules.rule_of("stock.when_empty")
        if self.rules.meld.concealed:
            self.concealed(draft)
        elif draft.phase == "layoff":
            self.problems.add(
                "phase: nobody knocks in this game", self.rules.rule_of("out.knock")
            )
        if draft.phase == "offer":
            self.offer(draft)
        if stock_left(draft) < 1 and draft.phase not in {"play", "layoff"}:
            nothing = refuse_draw(draft)
            if self.rules.stock.when_empty == "after the turn":
                wrong = nothing or Objection("stock.when_empty", "it is empty")
                self.problems.add(
                    f"stock: {wrong.reason}, so the round would be over",
                    *map(self.rules.rule_of, (wrong.question, *wrong.also)),
                )
            elif draft.phase == "draw" and (
                (
                    not draft._discards
                    or (
                        draft._floating >> draft.turn & 1
                        and self.rules.out.floats_on_stock
                    )
                )
                and nothing is not None
            ):
                self.problems.add(
                    "stock: nothing is left to draw, so the round would be over",
                    stock_rule,
                )
        for key, phase in (
            ("drawn", "play"),
            ("melds_made", "play"),
            ("discarder", "call"),
            ("caller", "discard"),
        ):
            if key in self.given and draft.phase != phase:
                self.problems.add(f"{key}: it belongs to the phase {phase!r}")
        if draft.phase == "play":
            if not draft._hands[draft.turn]:
                self.problems.add(
                    f"hands: {self.names[draft.turn]} has drawn, and holds no card",
                    self.rules.rule_of("out.empty_hand"),
                )
            self.drawn(draft)
        elif draft.phase == "call":
            self.window(draft)
        elif draft.phase == "discard":
            self.caller(draft)

    def offer(self, draft: Draft) -> None:
        """
        The first upcard is offered before the first turn, and lies there alone.
        """
        rule = self.rules.rule_of("draw.first_upcard")
        if not self.rules.draw.offers_upcard:
            self.problems.add("phase: no upcard is offered in this game", rule)
        elif any(draft.turns) or len(draft._discards) != 1:
            self.problems.add(
                "phase: the first upcard is offered while it lies alone, before "
                "anybody has had a turn",
                rule,
            )

    def concealed(self, draft: Draft) -> None:
        """
        Melds that stay in the hand until somebody has knocked.
        """
        knocked = draft.phase == "layoff"
        if draft._table and not knocked:
            self.problems.add(
                "table: melds stay in the hand until somebody knocks",
                self.rules.rule_of("meld.shown"),
            )
        most = largest_hand(self.rules, len(self.names))
        for name, hand in zip(self.names, draft._hands, strict=True):
            if most is not None and size(hand) > most:
                self.problems.add(
                    f"hands: {name} holds {size(hand)} cards, and a hand has {most} "
                    "at most",
                    self.rules.rule_of("deal.hand_size"),
                )
                return
        others = [seat for seat in range(len(self.names)) if seat != draft.turn]
        if knocked and (draft.out != tuple(others) or len(others) != 1):
            self.problems.add(
                "out: say who has knocked; turn is who lays off then",
                self.rules.rule_of("out.knock"),
            )
        elif not knocked and draft.out:
            self.problems.add(
                "out: who has knocked belongs to the phase 'layoff'",
                self.rules.rule_of("out.knock"),
            )
        elif knocked:
            self.knocked(draft, draft.out[0])

    def knocked(self, draft: Draft, knocker: int) -> None:
        """
        What a knocker has left, which everybody sees.
        """
        left = draft._hands[knocker]
        rule = self.rules.rule_of("out.knock")
        points = worth_of(draft.dealt.terms, left)
        if not left:
            self.problems.add(
                "hands: after gin the round is over", self.rules.rule_of("layoff.onto")
            )
        elif points > knock_limit(draft):
            self.problems.add(f"hands: nobody knocks with {points} points left", rule)
        if not draft._hands[draft.turn]:
            self.problems.add("hands: nothing is left to lay off", rule)
        seen = [0] * len(self.names)
        seen[knocker] = left
        draft._seen = tuple(seen)

    def drawn(self, draft: Draft) -> None:
        seat = draft.turn
        hand = draft._hands[seat]
        text = self.given.get("drawn")
        made = self.reader.number("melds_made", 0)
        if text is None:
            draft.drawn = Drawn("stock", b"", hand, melds=made)
            return
        source, _, words = str(text).strip().partition(" ")
        cards = bytes(card.code for card in self.reader.cards(words, "drawn"))
        if (
            source not in DRAWN.values()
            or not cards
            or (source == "stock" and len(cards) != 1)
        ):
            self.problems.add(
                "drawn: write 'stock 5h', 'take 5h 6h', the oldest card first, or "
                "'rummy 5h 6h' for a turn that a call began",
                "RV-07",
            )
            return
        self.note_excess(Counter(cards))
        if self.problems.told:
            return
        if source == "rummy":
            self.after_call(draft, cards)
            return
        for code in set(cards):
            # Some may have been laid already, where it is said what is still owed.
            if count(hand, code) < cards.count(code) and "owed" not in self.given:
                self.problems.add(
                    f"drawn: {CARDS[code]} is not in the hand of {self.names[seat]}",
                    "RV-07",
                )
                return
        draw = self.rules.draw
        held = hand - common(hand, pack(cards))
        duties = (
            draw.stock_duties(cards[0])
            if source == "stock"
            else draw.duties(cards, first=upcard_offered(draft))
        )
        if "owed" in self.given:
            owed = [card.code for card in self.reader.cards(self.given["owed"], "owed")]
            duties = tuple(duty for duty in duties if duty.code in owed)
        draft.laid = bool(self.given.get("laid", False))
        if source == "stock":
            draft.drawn = Drawn("stock", cards, held, duties, made)
            return
        draft.drawn = Drawn("discards", cards, held, duties, made)
        self.must_finish(draft)

    def after_call(self, draft: Draft, cards: bytes) -> None:
        """
        A turn that a call has begun; some of its cards lie on the table.
        """
        seat = draft.turn
        if self.rules.call.next != "the caller":
            self.problems.add(
                "drawn: no call begins a turn in this game",
                self.rules.rule_of("call.next"),
            )
            return
        held = draft._hands[seat] - common(draft._hands[seat], pack(cards))
        draft.laid = True
        draft.drawn = Drawn(
            "call", cards, held, melds=self.reader.number("melds_made", 0)
        )
        self.must_finish(draft)

    def must_finish(self, draft: Draft) -> None:
        """
        Note it if nothing would allow the turn to be finished.
        """
        if not can_finish(draft, draft.turn):
            wrong = why_stuck(draft, draft.turn)
            self.problems.add(
                f"drawn: the turn could not be finished: {wrong.reason}",
                self.rules.rule_of(wrong.question),
            )

    def window(self, draft: Draft) -> None:
        players = len(self.names)
        finisher = (draft.turn - 1) % players
        if "discarder" in self.given:
            finisher = self.reader.seat(self.given["discarder"], "discarder")
        rule = self.rules.rule_of("call.calls")
        if self.rules.call.calls == "none":
            self.problems.add("phase: there are no calls in this game", rule)
        elif not draft._discards:
            self.problems.add("phase: a call needs a discard", rule)
        else:
            waiting = callers(draft, finisher)
            for seat in self.seats("passed"):
                waiting &= ~(1 << seat)
            if waiting:
                draft.frames = (draft.frames[0], Frame("call", finisher, waiting))
            else:
                # A window in which nobody has a call closes at once (RV-04).
                start_turn(draft, draft.turn, None)

    def caller(self, draft: Draft) -> None:
        rule = self.rules.rule_of("call.then_discard")
        if "caller" not in self.given:
            self.problems.add("caller: say who owes the discard", rule)
            return
        caller = self.reader.seat(self.given["caller"], "caller")
        if not self.rules.call.owes_discard:
            what = "discards nothing"
            if self.rules.call.then_discard:
                what = "goes on in the phase 'play'"
            self.problems.add(f"phase: a caller {what} in this game", rule)
            return
        draft.frames = (draft.frames[0], turn_frame("discard", caller))
        if next(may_discard(draft, caller), None) is None:
            # Where nothing can be discarded play goes on by itself (RV-07).
            start_turn(draft, draft.turn, None)


def _begun(phase: str, turn: int) -> tuple[Frame, ...]:
    """
    What goes on in a phase; who is asked in a window, or called, is not known yet.
    """
    if phase in {"call", "discard"}:
        return turn_frame("draw", turn), Frame(phase, turn)
    return (turn_frame(phase, turn),)
