"""
Positions made by hand, in a scenario file or in Python, and written out again.
"""

from __future__ import annotations

import re

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants._support.limits import excesses
from rummyvariants._support.words import figure
from rummyvariants.cards import CARDS, RANKS, Card, Cards
from rummyvariants.errors import PositionError, need
from rummyvariants.files._brief import (
    SHORT,
    Assumed,
    Brief,
    Wanted,
    dealt_out,
    hand_size,
    named_in,
    never_held,
    written_out,
)
from rummyvariants.files._checks import (
    PHASES,
    Checks,
    asked_duties,
    check_players,
    no_phase,
    read_document,
)
from rummyvariants.files._documents import (
    PositionDocument,
    file_of,
    file_slots,
    position_of,
)
from rummyvariants.files._facts import (
    DrawnCards,
    DroppedSeat,
    OpenFrame,
    OwedCard,
    ZoneCards,
    zone_of,
)
from rummyvariants.files._forms import FLAG, BySeat, Form, Reading, unknown_keys
from rummyvariants.files._melds import MeldReader, laid_on
from rummyvariants.files._problems import Place, Problems, spelled
from rummyvariants.files._states import codes_of
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.beginning import new_match, undealt
from rummyvariants.game._engine.dealing import piles_of, rank_that_follows
from rummyvariants.game._engine.draws import add_duties
from rummyvariants.game._engine.endings import may_discard
from rummyvariants.game._engine.finish import can_finish, why_stuck
from rummyvariants.game._engine.phases import start_turn
from rummyvariants.game._engine.rounds import match_bonuses
from rummyvariants.game._round import ANSWERS, Column, Match
from rummyvariants.game._state import Draft, State, freeze, seats_of, thaw
from rummyvariants.game.verbs._buying import decline_upcard, open_sale, sale
from rummyvariants.game.verbs._calling import callers
from rummyvariants.game.verbs._permission import permitted
from rummyvariants.house.answers import Pile
from rummyvariants.house.facts import ASIDE, DROPPED
from rummyvariants.policies._duties import swapped
from rummyvariants.policies.cases.buying import NOBODY, Buying
from rummyvariants.rules._files import read_rules
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.rules._variants import presets


MATCH_KEYS: Final = ("scores", "round", "boxes", "paid", "columns")
"""The keys of a position or a deal for the match before its round."""
_AS_GIVEN: Final = (
    *("indicator", "upcard", "discards", "stock", "stock_seen_by", "turned", "wild"),
    *("idle_turns", "fresh", "had_last_turn", "partial", "shuffle"),
)
"""The keys of a position that go into its document unchanged."""
_OVER: Final = "so the round would be over"
_OR_FILL: Final = "; write its next cards, or fill = true for all that are left"
_OF_FRAMES: Final = {"play": "answered", "buy": "asked", "answer": "asked"}
"""The keys for what the frames of a phase remember."""


@explained
def position(
    rules: Ruleset | str | Mapping[str, Any],
    *,
    hand: str | Cards | Sequence[Card] | None = None,
    hands: (
        Mapping[str, str | Cards | Sequence[Card]]
        | Mapping[int, str | Cards | Sequence[Card]]
        | Sequence[str | Cards | Sequence[Card]]
        | None
    ) = None,
    pile: str | Cards | Sequence[Card] | None = None,
    melds: str | Sequence[str] | None = None,
    players: int | str | Sequence[str] | None = None,
    fill: bool | None = None,
    **keys: Any,
) -> State:
    """
    A position as a state: to settle a dispute, or to begin in the middle of a round.

    Give what matters; the rest is made up, and `State.assumed` says what was. Cards
    that you place nowhere lie in the other hands and in the stock.

        >>> state = rv.position("rummy-500", hand="7h 8h 2c", pile="9s 4d")
        >>> state
        <State of rummy-500, round 1, draw: Ann, scores (0, 0)>
        >>> state.assumed
        ('2 players', "Ben's hand", 'the stock')

    Args:
        rules: The rules, the name of a preset, or a table as in a rules file.
        hand: The cards of the player who acts.
        hands: The cards of each player: a table by name or seat, or a list in the
            order of `players`.
        pile: The discard pile, the top card last.
        melds: The melds on the table: a list, or one text with `` / `` between them;
            each with who laid what, ``"Ben: 6h 7h 8h | Ann: 9h"``, if that matters.
        players: The names of the players, clockwise, or their number; by default those
            that you name, or else as few as can play.
        fill: Whether all cards that you do not place are dealt to the hands left out
            and put below the stock: clubs, diamonds, hearts, spades, each from the ace
            up to the king, jokers last. By default they are, unless `hands` is a table.
        keys: ``turn``, ``phase``, ``stock``, ``wild``, ``drawn`` and all other keys of
            ``[position]`` in a scenario file. What each player has, such as ``scores``,
            is a table by name or seat, or a list; one number is of the player who acts.

    Raises:
        RulesError: If the rules are not valid.
        PositionError: If the position is impossible; with all its problems.
    """
    if not isinstance(rules, Ruleset):
        rules = read_rules(rules)
    if isinstance(hands, str):
        msg = "hands: give cards by seat, such as {'Ann': '7h 8h'}, or write hand"
        raise PositionError(msg)
    short = {
        "hand": hand,
        "hands": hands,
        "pile": pile,
        "melds": melds,
        "players": players,
    }
    given = {key: value for key, value in short.items() if value is not None}
    with spelled("Python"):
        return read_position(given | keys, rules, fill=fill)


def read_position(
    given: Mapping[str, Any],
    rules: Ruleset,
    where: str = "",
    *,
    fill: bool | None = None,
    order: int = 0,
    named: Sequence[Card] = (),
    calls: bool = False,
) -> State:
    """
    The state that a hand-made position describes.

    Args:
        given: The ``[position]`` table.
        rules: The rules of the game.
        where: The file's name for error messages.
        fill: Whether to deal the cards that it does not place to the hands that it
            leaves out, and to put the others below its stock, in the order of their
            codes; None to do what the table says.
        order: The number that decides what is made up.
        named: Cards to be in the hand of the player who acts, if it is made up.
        calls: Whether that player is asked for a call even if none is possible.

    Raises:
        PositionError: If the position is impossible; with all its problems.
    """
    forms = {key: slot.form for key, (slot, _) in file_slots().items()}
    forms["fill"] = FLAG
    if fill is not None:
        given = {**given, "fill": fill}
    brief = written_out(given, rules, where, order=order, named=named, calls=calls)
    return _Position(brief, rules, forms, where, given).state()


class FileReader:
    """
    Reads the table of a position or a deal.

    Args:
        given: The table.
        rules: The rules of the game.
        forms: The forms of the keys that it may have.
        where: The file's name for error messages.

    Attributes:
        short: The keys that were replaced, for error messages.
        names: The names of the players, clockwise.
        found: What the keys given say.
        at: What is known while it is read.
        problems: The problems found.

    Raises:
        PositionError: If the players are wrong, so that nothing can be read.
    """

    short: ClassVar[Collection[str]] = ()

    def __init__(
        self,
        given: Mapping[str, Any],
        rules: Ruleset,
        forms: Mapping[str, Form[Any]],
        where: str = "",
    ) -> None:
        self.given, self.rules, self.forms, self.where = given, rules, forms, where
        self.problems = Problems(self._error)
        self.names: tuple[str, ...] = ()
        self._melds: list[int] = []
        self._zones: list[str] = []
        for path, message in excesses(given):
            self.problems.add(path, message)
        self.problems.done()
        unknown_keys(given, [*forms, *self.short], "", Reading(self.problems))
        names = given.get("seats", named_in(given))
        if not isinstance(names, list | tuple) or not names:
            message = "give the names of the players, clockwise"
            self.problems.add("seats", message)
            self.problems.done()
        self.names = tuple(names)
        check_players(rules, self.names, self.problems)
        self.at = Reading(self.problems, self.names, len(self.names), rules)
        self.found = {
            key: forms[key].read(value, key, self.at)
            for key, value in given.items()
            if key in forms and key not in {"seats", "table", "dealer_wild"}
        }

    def _error(self, found: Iterable[Place], rules: Iterable[str]) -> PositionError:
        """
        The error that lists problems, with the keys of a file.
        """
        lines = []
        for path, message in found:
            more = _OR_FILL if path == "stock" and message.endswith(_OVER) else ""
            place = f"{self._place(path)}: " if path else ""
            lines.append(place + message + more)
        return PositionError(dict.fromkeys(lines), rules, where=self.where)

    def _place(self, path: str) -> str:
        """
        The place in a file for the path of a document.
        """
        parts = re.fullmatch(r"([^\[]*)\[(\d+)\](.*)", path)
        if path.startswith("memory.") or not parts:
            return "drawn" if path.startswith("drawn.") else path
        head, at = parts[1], int(parts[2])
        if head == "table":
            return f"table, meld {self._melds[at] if at < len(self._melds) else at + 1}"
        if head == "zones":
            return self._zones[at] if at < len(self._zones) else head
        if head == "frames":
            return _OF_FRAMES.get(self.given.get("phase", "draw"), head)
        if head == "columns":
            inner = re.sub(r"\[\d+\]", "", parts[3].removeprefix("."))
            return f"columns, {at + 1}" + (f", {inner}" if inner else "")
        if isinstance(self.forms.get(head), BySeat) and at < len(self.names):
            return f"{head}.{self.names[at]}"
        return head

    def document(self, **slots: Any) -> PositionDocument:
        """
        A document of a game before its first deal, with the values given.

        Args:
            slots: Further slots.
        """
        match = new_match(self.rules, self.names, 0, self.dealer())
        for key in MATCH_KEYS:
            if key in self.found:
                slots[key] = self.found[key]
        if "columns" in slots:
            slots["columns"] = tuple([self._column(one) for one in slots["columns"]])
        return attrs.evolve(position_of(undealt(match)), **slots)

    def dealer(self) -> int:
        """
        The dealer of the round; by default the last seat.
        """
        dealer = self.found.get("dealer")
        return len(self.names) - 1 if dealer is None else int(dealer)

    def _column(self, column: Column | None) -> Column:
        """
        A column of the score; its bonuses are computed again.
        """
        column = column or Column((0,) * len(self.names), (0,) * len(self.names))
        match = self.rules.match
        ahead = column.winners
        if ahead and match.compares_final:
            ahead = match.winners(column.scores, None, last_round=False) or ahead
        bonuses = match_bonuses(self.rules, attrs.evolve(column, winners=ahead))
        return attrs.evolve(column, bonuses=bonuses)


class _Position(FileReader):
    """
    A position on its way to a state.

    Args:
        brief: Its table, written out.
        rules: The rules of the game.
        forms: The forms of its keys.
        where: The file's name for error messages.
        told: The table as it was given.

    Attributes:
        assumed: What was made up.
    """

    short = SHORT

    def __init__(
        self,
        brief: Brief,
        rules: Ruleset,
        forms: Mapping[str, Form[Any]],
        where: str,
        told: Mapping[str, Any],
    ) -> None:
        self.brief = brief
        self.told = told
        self.assumed: list[Assumed] = []
        super().__init__(brief.keys, rules, forms, where)

    def _assume(self, text: str, key: str) -> None:
        """
        Note what is made up, and the key that would have said it.
        """
        self.assumed.append(Assumed(text, key))

    def _place(self, path: str) -> str:
        """
        The place, in the words of whoever wrote it.
        """
        place = super()._place(path)
        key = re.match(r"\w*", place)[0]  # type: ignore[index]
        said = self.brief.said.get(key, key)
        if said != "hand":
            return said + place.removeprefix(key)
        return said if place == f"hands.{self.brief.actor}" else place

    def state(self) -> State:
        """
        The state, after everything that happens automatically.
        """
        if self.brief.chosen:
            self._assume(figure(len(self.names), "player"), "players")
        state = read_document(self.position(), self.problems)
        settled = self._settled(state)
        told = (self.told, self.brief.named) if self.assumed else None
        return attrs.evolve(settled, assumed=tuple(self.assumed), told=told)

    def position(self) -> PositionDocument:
        """
        The document: the keys written, and defaults that follow from them.
        """
        names, found = self.names, self.found
        phase = self._phase()
        dealer = self.dealer()
        match = self._match(dealer)
        rules = self.rules.in_deal(asking.deal_facts(match, dealer))
        turn = found.get("turn", (dealer + 1) % len(names))
        fills = bool(found.get("fill"))
        if fills and "wild" not in found:
            self._name_wild(match)
        wild = found.get("wild", "")
        is_rank = len(wild) == 1 and wild in RANKS
        terms = rules.terms(
            len(names),
            wild if is_rank else "",
            found.get("indicator") if rules.wild.above else None,
        )
        twice = found.get("doubled", ())
        melds = MeldReader(self.given, self.at, terms, twice)
        table, dealer_wild = melds.table(), melds.dealers_wild(dealer)
        self._melds = melds.numbers
        none = (int(phase != "offer"),) * len(names)
        turns_taken = self._turns(none)
        hands = found.get("hands") or ((),) * len(names)
        found["zones"] = self._apart(found.get("dropped", ()))
        gone = asking.eliminated(match)
        floating = {*found.get("floating", ())}
        dropped = found.get("dropped", ())
        left = {one.seat for one in dropped}
        if fills:
            there = self.document(
                **{key: found[key] for key in _AS_GIVEN if key in found},
                phase=phase,
                turn=turn,
                hands=tuple(hands),
                zones=found["zones"],
                table=table,
                dealer_wild=dealer_wild,
            )
            idle = gone | floating | left | {*found.get("out", ())}
            hands = self._filled(there, rules, idle)
        # All cards may be laid off in a last turn, which does not go out.
        had_last = found.get("had_last_turn", ())
        ended = {*had_last} if rules.layoff.last_turns else set[int]()
        out = self._out(hands, turns_taken, gone | floating | left | ended)
        if rules.out.may_float and not rules.out.declares:
            empty = {seat for seat, hand in enumerate(hands) if not hand}
            floating |= empty - gone - left
        shown: list[tuple[Card, ...]] = [()] * len(names)
        if phase == "layoff":
            for seat in out:  # every player sees the knocker's deadwood
                shown[seat] = hands[seat]
        drawn: DrawnCards | None = None
        owed: tuple[OwedCard, ...] = ()
        if phase in {"play", "answer"}:
            drawn, owed = self._drawn(turn, hands[turn], turns_taken, terms.wild)
            if "drawn" not in self.given and (fills or "phase" not in self.given):
                self._assume(f"that {names[turn]} has drawn from the stock", "drawn")
        for number in self.brief.unowned:
            owner = self.given["table"][number - 1].partition(":")[0]
            self._assume(f"that {owner} laid meld {number}", "melds")
        laid = drawn is not None and (
            drawn.source == "call" or bool(drawn.cards and found.get("laid", False))
        )
        laid_before = found.get("laid_before")
        if laid_before is None:
            laid_before = tuple(sorted(laid_on(rules, table, dealer_wild)))
        return self.document(
            **{key: found[key] for key in _AS_GIVEN if key in found},
            phase=phase,
            turn=turn,
            dealer=dealer,
            shown=tuple(shown),
            hands=tuple(hands),
            zones=found["zones"],
            memory=self._memory(),
            table=table,
            dealer_wild=dealer_wild,
            laid_before=laid_before,
            floating=tuple(sorted(floating)),
            out=out,
            drawn=drawn,
            owed=owed,
            melds_made=found.get("melds_made", 0),
            laid=laid,
            turns_taken=turns_taken,
            frames=self._frames(phase, turn),
            dropped=dropped,
        )

    # ---------------------------------------------------------------- what is made up

    def _name_wild(self, match: Match) -> None:
        """
        Find the wild rank that the round names; where a card names it, no rank is wild.
        """
        rank = rank_that_follows(match)
        if rank is not None:
            self.found["wild"] = rank
        elif self.rules.wild.is_named:
            self._assume("that no rank is wild", "wild")

    def _filled(
        self, there: PositionDocument, rules: Ruleset, idle: Collection[int]
    ) -> tuple[tuple[Card, ...], ...]:
        """
        The hands, with those made up that are not given; the other cards are the stock.

        Args:
            there: What lies where.
            rules: The rules of the deal.
            idle: The seats that need no hand.
        """
        names, dealer = self.names, self.dealer()
        match, drawn = self._match(dealer), self.found.get("drawn")
        told = self.given.get("hands", {})
        if not isinstance(told, Mapping):
            return there.hands
        laid = [one.seat for meld in there.melds for one in meld.laid]
        size = hand_size(rules, match, max(map(len, there.hands)))
        wanted = []
        for seat, name in enumerate(names):
            if name in told or seat in idle:
                continue
            cards: tuple[Card, ...] = ()
            number = size if rules.meld.concealed else max(size - laid.count(seat), 1)
            if there.phase in {"play", "answer"} and seat == there.turn:
                cards = () if drawn is None else drawn.cards
                number += max(len(cards), 1)
            if name == self.brief.actor:
                cards = self.brief.named or cards
            wanted.append(Wanted(seat, cards, number))
            named = self.brief.named and name == self.brief.actor
            self._assume(
                f"{'the rest of ' * bool(named)}{name}'s hand", f"hands.{name}"
            )
        hands = [*there.hands]
        for one in wanted:
            hands[one.seat] = one.cards
        self._fill_knocker(there, hands)
        there = attrs.evolve(there, dealer=dealer, hands=tuple(hands))
        left = Checks(there, Problems(self._error)).unplaced(there)
        never = never_held(match, dealer)
        piles: list[tuple[Pile, int, int]] = []
        if "zones" not in self.given:
            piles = [*piles_of(attrs.evolve(match, rules=rules))]
        wanted += [Wanted(at, (), one[2]) for at, one in enumerate(piles, len(hands))]
        hands += [()] * len(piles)
        hands, left = dealt_out(left, hands, wanted, never, self.brief.order)
        lying = zip(piles, hands[len(names) :], strict=True)
        self.found["zones"] += tuple(
            [zone_of(pile.name, seat, cards, rules) for (pile, seat, _), cards in lying]
        )
        for pile in {pile.name: pile for pile, *_ in piles}.values():
            words = f"{'the' if pile.of == 'table' else 'every'} {pile.name}"
            self._assume(f"{words} as it was dealt", "zones")
        if rules.asks_for_upcard and "upcard" not in self.found and left:
            self.found["upcard"] = left[0]
            self._assume("the first upcard", "upcard")
        if left:
            given = bool(there.stock)
            words = f"{'the rest of ' * given}the stock"
            self._assume(words, "fill" if given else "stock")
        self.found["stock"] = (*there.stock, *left)
        return tuple(hands[: len(names)])

    def _fill_knocker(
        self, there: PositionDocument, hands: list[tuple[Card, ...]]
    ) -> None:
        """
        Leave whoever has knocked the card that counts least, where no hand is given.
        """
        told = self.given.get("hands", {})
        for seat in self.found.get("out", ()):
            if there.phase == "layoff" and self.names[seat] not in told:
                worth = self.rules.terms(len(self.names)).worth
                there = attrs.evolve(there, dealer=self.dealer(), hands=tuple(hands))
                left = Checks(there, Problems(self._error)).unplaced(there)
                least = sorted(left, key=lambda one: worth[one.code])
                hands[seat] = tuple(least[:1])
                name = self.names[seat]
                self._assume(f"that {name} has knocked", "out")
                self._assume(f"{name}'s hand", f"hands.{name}")
                self.found["partial"] = True

    # --------------------------------------------------------------------- the pieces

    def _phase(self) -> str:
        """
        The phase: if none is given, the one to which other keys belong, or the draw.
        """
        slots = file_slots()
        times = {key: slots[key][0].phases for key in self.given if key in slots}
        fills = bool(self.found.get("fill"))
        wanted = [one[0] for one in times.values() if one and fills]
        usual = "play" if self._has_drawn() else "draw"
        phase: str = self.found.get("phase") or (wanted or [usual])[0]
        if phase not in PHASES:
            self.problems.add("phase", no_phase(phase, PHASES), "RV-07")
            phase = "draw"
        for key, those in times.items():
            if those and phase not in those:
                phases = " or ".join(map(repr, those))
                self.problems.add(key, f"it belongs only to the phase {phases}")
        return phase

    def _has_drawn(self) -> bool:
        """
        Whether the hand of the player who acts has one card more than was dealt.
        """
        table = self.given.get("table")
        if not self.rules.deal.is_fixed or (isinstance(table, list | tuple) and table):
            return False
        seat = self.found.get("turn", (self.dealer() + 1) % len(self.names))
        if self.brief.said.get("hands") == "hand" and self.brief.actor:
            if not self.found.get("fill"):
                return False
            seat = self.names.index(self.brief.actor)
        elif not self.rules.meld.concealed or self.found.get("partial"):
            return False  # it may have grown in earlier turns
        hand = (self.found.get("hands") or ((),) * len(self.names))[seat]
        match = self._match(self.dealer())
        return len(hand) == hand_size(self.rules, match, 0) + 1

    def _turns(self, none: tuple[int, ...]) -> tuple[int, ...]:
        """
        By seat, the turns finished; by default as many as in the argument.
        """
        given = self.given.get("turns_taken")
        found: tuple[int, ...] = self.found.get("turns_taken") or none
        if not isinstance(given, Mapping):
            return none
        each = zip(self.names, found, none, strict=True)
        return tuple([one if name in given else other for name, one, other in each])

    def _apart(self, dropped: tuple[DroppedSeat, ...]) -> tuple[ZoneCards, ...]:
        """
        The zones, those of the key ``red_threes`` too.

        Others have seen a hand that has left the round only if it was declared.
        """
        declared = {one.seat for one in dropped if one.by == "out.wrong_declaration"}
        zones: tuple[ZoneCards, ...] = tuple(
            attrs.evolve(one, seen_by=(one.owner,))
            if one.name == DROPPED and one.owner not in {-1, *declared}
            else one
            for one in self.found.get("zones", ())
        )
        self._zones = [
            f"zones.{one.name}"
            + (f".{self.names[one.owner]}" if one.owner >= 0 else "")
            for one in zones
        ]
        aside = self.given.get("red_threes", {})
        for seat, cards in enumerate(self.found.get("red_threes", ())):
            if isinstance(aside, Mapping) and self.names[seat] in aside:
                self._zones.append(f"red_threes.{self.names[seat]}")
                zones = (*zones, zone_of(ASIDE, seat, cards, self.rules))
        return zones

    def _memory(self) -> Mapping[str, Any]:
        """
        What house rules remember, by section and name.
        """
        memory: dict[str, Any] = dict(self.found.get("memory", {}))
        if "last_buyer" not in self.given:
            return memory
        # The sale of upcards remembers that one seat has bought, once.
        sales = [rule for _, rule in self.rules.house if isinstance(rule, Buying)]
        if not sales:
            rule_id = self.rules.rule_of("call.buying")
            message = "no upcards are bought in this game"
            self.problems.add("last_buyer", message, rule_id)
            return memory
        (rule,) = sales
        bought = rule.after((NOBODY,), self.found["last_buyer"], len(self.names))
        return memory | {f"{rule.section}.{rule.name}": bought}

    def _match(self, dealer: int) -> Match:
        """
        The match before the round, as far as this can be read.
        """
        return attrs.evolve(
            new_match(self.rules, self.names, 0, dealer),
            scores=self.found.get("scores") or (0,) * len(self.names),
            round_number=self.found.get("round", 1),
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
        out: tuple[int, ...] = self.found.get("out", ())
        rules = self.rules.out
        given = self.given.get("hands", {})
        if rules.may_float or not isinstance(given, Mapping):
            return out
        for seat, name in enumerate(self.names):
            is_empty = name in given and not str(given[name])
            if hands[seat] or not is_empty or seat in out or seat in bare:
                continue
            if rules.grace and 0 in turns and turns[seat]:
                out = (*out, seat)
            else:
                message = f"{name} has no card left, so the round would be over"
                rule = self.rules.rule_of("out.empty_hand")
                self.problems.add("hands", message, rule)
        return out

    def _drawn(
        self,
        turn: int,
        hand: tuple[Card, ...],
        turns: Sequence[int],
        wilds: Sequence[bool],
    ) -> tuple[DrawnCards, tuple[OwedCard, ...]]:
        """
        What was drawn, and what is owed; by default an unknown card of the stock.

        Args:
            turn: The player in turn.
            hand: Their hand.
            turns: By seat, the turns finished in the round.
            wilds: By code, which cards are wild: one owed was traded for, if it must be
                used then.
        """
        drawn = self.found.get("drawn") or DrawnCards(source="stock", cards=())
        spent = tuple((Counter(drawn.cards) - Counter(hand)).elements())
        known = not self.problems.found
        if known and spent and drawn.source != "call" and "owed" not in self.given:
            # If `owed` is given, some of the cards may have been laid already.
            message = f"{spent[0]} is not in the hand of {self.names[turn]}"
            self.problems.add("drawn", message, "RV-07")
        cards = codes_of(drawn.cards)
        duties = asked_duties(self.rules, drawn.source, cards, turns)
        if "owed" in self.given:
            owed = [one.card.code for one in self.found["owed"]]
            duties = tuple(duty for duty in duties if duty.code in owed)
            if self.rules.wild.uses_swapped:
                duties += tuple(swapped(code) for code in owed if wilds[code])
        return attrs.evolve(drawn, spent=spent), tuple(
            OwedCard(card=CARDS[one.code], how=one.how, value=one.path)
            for one in duties
        )

    def _frames(self, phase: str, turn: int) -> tuple[OpenFrame, ...]:
        """
        The frames: who is asked, or owes a discard after a call.
        """
        if phase == "call":
            finisher = (turn - 1) % len(self.names)
            if self.found.get("discarder") is not None:
                finisher = self.found["discarder"]
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
                caller = self.found["caller"]
            else:
                rule = self.rules.rule_of("call.then_discard")
                self.problems.add("caller", "say who owes the discard", rule)
            return _alone("draw", turn), _alone(phase, caller)
        made = self.found.get("discards_made", 0)
        notes: tuple[int, ...] = (made,) if made else ()
        if "answered" in self.given:
            notes = (made, ANSWERS.index(self.found["answered"]))
        return (attrs.evolve(_alone(phase, turn), notes=notes),)

    def _partner(self, turn: int) -> int:
        """
        The seat that is asked whether the player in turn goes out.
        """
        asked: tuple[int, ...] = self.found.get("asked", ())
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
        if self.found.get("discarder") is not None:
            finisher = self.found["discarder"]
        elif not any(self._turns((1,) * seats)):
            finisher = turn
        asked = self.found.get("asked", ())
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
            if self.brief.calls and self.brief.actor:
                waiting |= 1 << self.names.index(self.brief.actor)
            for seat in self.found.get("passed", ()):
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
            if not can_finish(permitted(draft), draft.turn):
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
            owed = {one.card.code for one in self.found["owed"]}
            duties = [one for one in draft.drawn.duties if one.code in owed]
            draft.drawn = attrs.evolve(draft.drawn, duties=tuple(duties))


def _alone(phase: str, seat: int) -> OpenFrame:
    """
    A frame in which one seat may act.
    """
    return OpenFrame(phase=phase, seat=seat, waiting=(seat,))


def under(state: State, rules: Ruleset | str) -> State:
    """
    A state in mid-round under other rules: see `State.under`.
    """
    need("rules", rules, Ruleset, str)
    if isinstance(rules, str):
        known = rules in presets()
        rules = preset(rules) if known else state.rules.with_options(rules)
    if state._told is not None and not state.history:
        given, named = state._told
        return read_position(given, rules, named=named)
    given = write_position(state)
    players = len(state.players)
    fill = rules.deck.cards_for(players) != state.rules.deck.cards_for(players)
    if fill:
        given.pop("stock", None)
    return read_position(given, rules, fill=fill)


def write_position(state: State) -> dict[str, Any]:
    """
    A state in mid-round as a ``[position]`` table.

    Raises:
        PositionError: If no round is being played.
    """
    if state.phase not in PHASES:
        msg = "a position is written in the middle of a round"
        raise PositionError(msg)
    return file_of(state)
