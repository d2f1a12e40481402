"""
Positions made by hand, in a scenario file or in Python.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Literal

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants.cards import CARDS, RANKS, Card, Cards
from rummyvariants.errors import PositionError
from rummyvariants.files._documents import (
    DrawnCards,
    OpenFrame,
    OwedCard,
    PositionDocument,
    TableMeld,
)
from rummyvariants.files._position_melds import MeldReader
from rummyvariants.files._position_text import DRAWN, FOR_ALL, laid_on
from rummyvariants.files._position_values import MATCH_KEYS, ValueReader
from rummyvariants.files._reader import PHASES, Reader, asked_duties, read_document
from rummyvariants.files._slots import codes_of
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.draws import add_duties
from rummyvariants.game._engine.endings import may_discard
from rummyvariants.game._engine.finish import can_finish, why_stuck
from rummyvariants.game._engine.phases import start_turn
from rummyvariants.game._round import ANSWERS
from rummyvariants.game._state import Draft, State, freeze, seats_of, thaw
from rummyvariants.game.verbs._buying import decline_upcard, open_sale, sale
from rummyvariants.game.verbs._calling import callers
from rummyvariants.game.verbs._permission import allowed
from rummyvariants.policies._duties import swapped
from rummyvariants.policies.answers import GoOn
from rummyvariants.rules._files import read_rules
from rummyvariants.rules._ruleset import Ruleset


KEYS: Final = (
    *("seats", "dealer", "turn", "phase", "wild", "indicator", "dealer_wild", "upcard"),
    *("stock", "discards", "table", "hands", *MATCH_KEYS, "turns_taken", "idle_turns"),
    *("caller", "discarder", "passed", "floating", "out", "drawn", "owed", "laid"),
    *("melds_made", "laid_before", "doubled", "had_last_turn", "turned", "fresh"),
    *("shuffle", "zones", "memory", "asked", "discards_made"),
    *("stock_seen_by", "last_buyer", "dropped", "red_threes", "answered", "partial"),
)
"""The keys of a position."""
_OF_PHASE: Final = {
    "drawn": ("play", "answer"),
    "melds_made": ("play",),
    "discards_made": ("play",),
    "answered": ("play",),
    "discarder": ("call", "buy"),
    "caller": ("discard",),
    "asked": ("buy", "answer"),
}
_SOURCES: Final[Mapping[str, Literal["stock", "discards", "call", "rule"]]] = {
    word: source for source, word in DRAWN.items()
}


@explained
def position(
    rules: Ruleset | str | Mapping[str, Any],
    *,
    hands: Mapping[str, str | Cards | Sequence[Card]] | None = None,
    table: Sequence[str] = (),
    seats: Sequence[str] | None = None,
    fill: bool = False,
    **keys: Any,
) -> State:
    """
    A position as a state: to settle a dispute, or to begin in the middle of a round.

    Args:
        rules: The rules, the name of a preset, or a table as in a rules file.
        hands: The cards of each seat by name, as a text or as values. A seat that is
            left out holds none, and this is not checked.
        table: The melds, each with who laid what: ``"Ben: 6h 7h 8h | Ann: 9h"``.
        seats: The names clockwise; by default those in ``hands`` and then those in
            ``table``, in order of appearance.
        fill: Put every card of the deck that is nowhere else below the given stock:
            clubs, diamonds, hearts, spades, each from the ace up to the king, jokers
            last.
        keys: ``turn``, ``phase``, ``discards``, ``stock``, ``wild``, ``drawn`` and all
            other keys of ``[position]`` in a scenario file.

    Raises:
        RulesError: If the rules are not valid.
        PositionError: If the position is impossible; with all its problems.
    """
    if not isinstance(rules, Ruleset):
        rules = read_rules(rules)
    hands = {} if hands is None else hands
    if not isinstance(hands, Mapping):
        msg = "hands: give cards by seat, such as {'Ann': '7h 8h'}"
        raise PositionError(msg)
    if seats is None:
        seats = _named(hands, table)
    given = {"seats": seats, "hands": hands, "table": table, **keys}
    return read_position(given, rules, fill=fill)


def _named(hands: Mapping[str, object], table: object) -> list[str]:
    """
    The seats named by hands and melds, each once.
    """
    names = list(hands)
    for meld in table if isinstance(table, Sequence) else ():
        parts = meld.split("|") if isinstance(meld, str) else ()
        names += [part.partition(":")[0].strip() for part in parts if ":" in part]
    return list(dict.fromkeys(names))


def read_position(
    given: Mapping[str, Any], rules: Ruleset, where: str = "", *, fill: bool = False
) -> State:
    """
    The state that a hand-made position describes.

    Args:
        given: The ``[position]`` table.
        rules: The rules of the game.
        where: The file's name for error messages.
        fill: Whether to put the cards that it does not place below its stock, in the
            order of their codes.

    Raises:
        PositionError: If the position is impossible; with all its problems.
    """
    return _Position(given, rules, KEYS, where).state(fill=fill)


class _Position(ValueReader):
    """
    A position on its way to a state.
    """

    def state(self, *, fill: bool) -> State:
        """
        The state, after everything that happens automatically.
        """
        document = self.position()
        if fill:
            left = Reader(document, self.problems).unplaced(document)
            document = attrs.evolve(document, stock=(*document.stock, *left))
        return self._settled(read_document(document, self.problems))

    def position(self) -> PositionDocument:
        """
        The document: the keys written, and defaults that follow from them.
        """
        given, rules, names = self.given, self.rules, self.names
        phase = given.get("phase", "draw")
        if not isinstance(phase, str) or phase not in PHASES:
            message = f"there is no phase {phase!r}{self.nearest(phase, PHASES)}"
            self.problems.add("phase", message, "RV-07")
            phase = "draw"
        for key, wanted in _OF_PHASE.items():
            if key in given and phase not in wanted:
                phases = " or ".join(map(repr, wanted))
                self.problems.add(key, f"it belongs only to the phase {phases}")
        dealer = self.dealer()
        turn = self.seat("turn", given.get("turn", names[(dealer + 1) % len(names)]))
        wild = str(given.get("wild", "")).upper().replace("10", "T")
        is_rank = len(wild) == 1 and wild in RANKS
        terms = rules.terms(
            len(names),
            wild if is_rank else "",
            self.one_card("indicator") if rules.wild.above else None,
        )
        melds = MeldReader(self, terms)
        table, dealer_wild = melds.table(), melds.dealers_wild(dealer)
        turns = given.get("turns_taken", {})
        turns_taken = self.numbers("turns_taken", turns, int(phase != "offer"))
        hands = self._hands()
        stock = self.pile("stock")
        gone = self.eliminated(dealer)
        floating = set(self.seats("floating"))
        dropped = self.dropped()
        left = {one.seat for one in dropped}
        # All cards may be laid off in a last turn, which does not go out.
        ended = set(self.seats("had_last_turn") if rules.layoff.last_turns else ())
        out = self._out(hands, turns_taken, gone | floating | left | ended)
        if rules.out.floats and not rules.out.declares:
            empty = {seat for seat, hand in enumerate(hands) if not hand}
            floating |= empty - gone - left
        shown: list[tuple[Card, ...]] = [()] * len(names)
        if phase == "layoff":
            for seat in out:  # every player sees the knocker's deadwood
                shown[seat] = hands[seat]
        drawn = None
        if phase in {"play", "answer"}:
            drawn = self._drawn(turn, hands[turn], turns_taken, terms.wild)
        laid = drawn is not None and (
            drawn.source == "call" or bool(drawn.cards and given.get("laid", False))
        )
        return self.document(
            phase=phase,
            turn=turn,
            dealer=dealer,
            wild_rank=wild,
            indicator=self.one_card("indicator"),
            upcard=self.one_card("upcard"),
            shown=tuple(shown),
            hands=tuple(hands),
            stock=stock,
            stock_seen_by=self._stock_seen_by(),
            zones=self.zones(),
            memory=self.memory(),
            discards=self.pile("discards"),
            table=table,
            dealer_wild=dealer_wild,
            has_meld=self._has_meld((*table, dealer_wild)),
            had_laid=self._had_laid(table, dealer_wild),
            floating=tuple(sorted(floating)),
            out=out,
            drawn=drawn,
            laid=laid,
            idle_turns=self.number("idle_turns"),
            turns_taken=turns_taken,
            frames=self._frames(phase, turn),
            turned=self.number("turned"),
            fresh=given.get("fresh", True) is not False,
            had_last_turn=self.seats("had_last_turn"),
            dropped=dropped,
            partial=self.flag("partial"),
            shuffle=self.number("shuffle"),
        )

    # --------------------------------------------------------------------- the pieces

    def _hands(self) -> list[tuple[Card, ...]]:
        """
        The hands by seat.
        """
        hands: list[tuple[Card, ...]] = [()] * len(self.names)
        for seat, value in self.by_seat("hands", self.given.get("hands", {})):
            hands[seat] = self.cards(f"hands.{self.names[seat]}", value)
        return hands

    def _stock_seen_by(self) -> tuple[tuple[int, ...] | None, ...]:
        """
        The seats that know each card of the stock, from its top; None for all.
        """
        key = "stock_seen_by"
        given = self.given.get(key, [])
        if not isinstance(given, list | tuple):
            self.problems.add(key, "give the seats by card, such as [['N', 'S']]")
            return ()
        return tuple(
            None if seats == FOR_ALL else self.seats(key, seats) for seats in given
        )

    def _out(
        self,
        hands: Sequence[tuple[Card, ...]],
        turns: Sequence[int],
        bare: Collection[int],
    ) -> tuple[int, ...]:
        """
        The seats that are out, also without cards in a first round of turns (HR-08).

        Args:
            hands: The hands, by seat.
            turns: By seat, the turns finished in the round.
            bare: The seats that hold no card for another reason.
        """
        out, rules = self.seats("out"), self.rules.out
        given = self.given.get("hands", {})
        if rules.floats or not isinstance(given, Mapping):
            return out
        for seat, name in enumerate(self.names):
            said = name in given and not str(given[name])
            if hands[seat] or not said or seat in out or seat in bare:
                continue
            if rules.grace and 0 in turns and turns[seat]:
                out = (*out, seat)
            else:
                message = f"{name} has no card left, so the round would be over"
                rule = self.rules.rule_of("out.empty_hand")
                self.problems.add("hands", message, rule)
        return out

    def _has_meld(self, melds: Sequence[TableMeld | None]) -> tuple[bool, ...]:
        """
        For each seat, whether its side has begun a meld.
        """
        makers = {one.maker for one in melds if one is not None and one.kind != "wild"}
        sides = self.rules.match.sides_of(len(self.names))
        having = {seat for side in sides if makers & set(side) for seat in side}
        return tuple(seat in having for seat in range(len(self.names)))

    def _had_laid(
        self, table: Sequence[TableMeld], dealer_wild: TableMeld | None
    ) -> tuple[bool, ...]:
        """
        The seats that had laid before this turn; by default those with cards laid.
        """
        if "laid_before" in self.given:
            seats = set(self.seats("laid_before"))
        else:
            seats = laid_on(self.rules, table, dealer_wild)
        return tuple(seat in seats for seat in range(len(self.names)))

    def _drawn(
        self,
        turn: int,
        hand: tuple[Card, ...],
        turns: Sequence[int],
        wilds: Sequence[bool],
    ) -> DrawnCards:
        """
        What was drawn; by default an unknown card of the stock.

        Args:
            turn: The player in turn.
            hand: Their hand.
            turns: By seat, the turns finished in the round.
            wilds: By code, which cards are wild: one owed was traded for, if it must be
                used then.
        """
        given = self.given
        word, _, words = str(given.get("drawn", "stock")).strip().partition(" ")
        cards = self.cards("drawn", words)
        source = _SOURCES.get(word, "stock")
        several = word == "stock" and "cards_drawn" not in self.rules.asked
        if "drawn" in given and (
            word not in _SOURCES
            or (not cards) != (word == "rule")
            or (several and len(cards) != 1)
        ):
            message = "write 'stock 5h', 'take 5h 6h', the oldest card first, or "
            message += "'rummy 5h 6h' for a turn that a call began"
            if GoOn in self.rules.effects:
                message += ", or 'rule' where a rule lets it go on without a draw"
            self.problems.add("drawn", message, "RV-07")
        spent = tuple((Counter(cards) - Counter(hand)).elements())
        known = not self.problems.found
        if known and spent and source != "call" and "owed" not in given:
            # If `owed` is given, some of the cards may have been laid already.
            message = f"{spent[0]} is not in the hand of {self.names[turn]}"
            self.problems.add("drawn", message, "RV-07")
        duties = asked_duties(self.rules, source, codes_of(cards), turns)
        if "owed" in given:
            owed = [card.code for card in self.pile("owed")]
            duties = tuple(duty for duty in duties if duty.code in owed)
            if self.rules.wild.uses_swapped:
                duties += tuple(swapped(code) for code in owed if wilds[code])
        return DrawnCards(
            source=source,
            cards=cards,
            spent=spent,
            gained=(),
            duties=tuple(
                OwedCard(card=CARDS[one.code], how=one.how, value=one.path)
                for one in duties
            ),
            melds=self.number("melds_made"),
        )

    def _frames(self, phase: str, turn: int) -> tuple[OpenFrame, ...]:
        """
        The frames: who is asked, or owes a discard after a call.
        """
        if phase == "call":
            finisher = (turn - 1) % len(self.names)
            if "discarder" in self.given:
                finisher = self.seat("discarder", self.given["discarder"])
            others = [seat for seat in range(len(self.names)) if seat != finisher]
            window = OpenFrame(phase=phase, seat=finisher, waiting=tuple(others))
            return _alone("draw", turn), window
        if phase == "buy":
            return _alone("draw", turn), self._sale(turn)
        if phase == "answer":
            return _alone("play", turn), _alone(phase, self._partner(turn))
        if phase == "discard":
            caller = 0
            if "caller" in self.given:
                caller = self.seat("caller", self.given["caller"])
            else:
                rule = self.rules.rule_of("call.then_discard")
                self.problems.add("caller", "say who owes the discard", rule)
            return _alone("draw", turn), _alone(phase, caller)
        made = self.number("discards_made")
        notes: tuple[int, ...] = (made,) if made else ()
        if "answered" in self.given:
            notes = (made, self._answered())
        return (attrs.evolve(_alone(phase, turn), notes=notes),)

    def _answered(self) -> int:
        """
        The number of the answer to a question whether to go out.
        """
        answer = self.given["answered"]
        if isinstance(answer, str) and answer in ANSWERS[1:]:
            return ANSWERS.index(answer)
        self.problems.add("answered", f"give 'yes' or 'no', not {answer!r}")
        return 0

    def _partner(self, turn: int) -> int:
        """
        The seat that is asked whether the player in turn goes out.
        """
        asked = self.seats("asked")
        if len(asked) == 1:
            return asked[0]
        if asked:
            self.problems.add("asked", "name one seat")
        seats = len(self.names)
        after = [(turn + step) % seats for step in range(1, seats)]
        sides = self.rules.match.sides_of(seats)
        side = next(one for one in sides if turn in one)
        return next((seat for seat in after if seat in side), after[0])

    def _sale(self, turn: int) -> OpenFrame:
        """
        The sale of a discard: the seats to ask, in order, if given.
        """
        seats = len(self.names)
        finisher = (turn - 1) % seats
        if "discarder" in self.given:
            finisher = self.seat("discarder", self.given["discarder"])
        elif not any(self.numbers("turns_taken", self.given.get("turns_taken", {}), 1)):
            finisher = turn
        asked = self.seats("asked")
        if "asked" in self.given and (not asked or {finisher, turn} & {*asked}):
            message = "name the seats asked, not the one that discarded or is in turn"
            self.problems.add("asked", message)
        first, *others = asked or ((finisher + 1) % seats,)
        return OpenFrame(
            phase="buy", seat=finisher, waiting=(first,), notes=tuple(others)
        )

    # --------------------------------------------------------------------- what follows

    def _settled(self, state: State) -> State:
        """
        A state after everything that happens automatically.
        """
        draft = thaw(state)
        if "owes" in state.rules.asked and state.drawn._cards:
            self._add_duties(draft)
        frame = state.frames[-1]
        goes_on = False
        if frame.phase == "call":
            # A window in which nobody has a call closes at once (RV-04).
            waiting = callers(draft, frame.seat)
            for seat in self.seats("passed"):
                waiting &= ~(1 << seat)
            open_sale(draft, frame.seat, None)
            window = attrs.evolve(frame, waiting=waiting)
            sale = draft.frames[len(state.frames) :]
            draft.frames = (state.frames[0], *sale, *([window] if waiting else ()))
            goes_on = len(draft.frames) == 1
        elif frame.phase == "buy":
            self._open_sale(draft)
            goes_on = len(draft.frames) == 1
        elif frame.phase == "discard":
            # Where nothing can be discarded, play goes on automatically (RV-07).
            goes_on = next(may_discard(draft, frame.seat), None) is None
        elif frame.phase == "answer":
            if not can_finish(allowed(draft), draft.turn):
                self._cannot_go_out("phase", draft)
        elif asking.refusal(draft, draft.turn, "must_go_out") is not None:
            if not can_finish(draft, draft.turn):
                self._cannot_go_out("answered", draft)
        elif state.drawn.source not in {"", "stock"}:
            if not can_finish(draft, draft.turn):
                wrong = why_stuck(draft, draft.turn)
                message = f"the turn could not be finished: {wrong.reason}"
                self.problems.add("drawn", message, self.rules.rule_of(wrong.path))
        self.problems.done()
        if goes_on:
            start_turn(draft, draft.turn, None)
        return freeze(draft)

    def _cannot_go_out(self, key: str, draft: Draft) -> None:
        """
        Note that a player cannot go out who must, or has asked whether to.
        """
        message = f"{self.names[draft.turn]} cannot go out in this turn"
        self.problems.add(key, message, self.rules.rule_of("out.ask"))

    def _open_sale(self, draft: Draft) -> None:
        """
        Ask the seats that may buy, unless the position says who is asked.

        Where only an upcard that was declined is for sale, it has been declined.
        """
        turn, given = draft.frames
        if "asked" not in self.given:
            draft.frames = (turn,)
            if not open_sale(draft, given.seat, None):
                decline_upcard(draft, draft.turn)
            return
        asked = next(iter(seats_of(given.waiting)))
        seat = given.seat
        found = asking.answer_to(draft, asked, "buys")
        if found is not None and found[1].if_declined:
            turn, seat = attrs.evolve(turn, phase="stock"), draft.turn
        draft.frames = (turn, sale(draft, seat, (asked, *given.notes)))

    def _add_duties(self, draft: Draft) -> None:
        """
        Add the duties of house rules that are still open.
        """
        if draft.drawn.source == "call":
            return
        add_duties(draft, draft.turn)
        if "owed" in self.given:
            owed = {card.code for card in self.pile("owed")}
            duties = [one for one in draft.drawn.duties if one.code in owed]
            draft.drawn = attrs.evolve(draft.drawn, duties=tuple(duties))


def _alone(phase: str, seat: int) -> OpenFrame:
    """
    A frame in which one seat may act.
    """
    return OpenFrame(phase=phase, seat=seat, waiting=(seat,))
