"""
What a player may do, judged by brute force and without the engine.

A turn is a hand, some melds and what is owed, all as lists. Whether it can be finished
is found by trying all plays, and whether an action is legal by doing it and looking.
Of the engine's values only those that everybody sees are read: the rules' values, cards
and melds, and what was drawn on which duty.

Not judged here, for want of a judgement of its own:

* the deal, which is chance and no player's;
* where a run that goes all the way round begins, as far as splitting it goes;
* which melds are best in a knock that leaves them open: it counts as one without any.

Who is asked after a discard is judged here, and compared for short piles alone.
"""

from __future__ import annotations

import itertools

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from naive import (
    CIRCLE,
    Lying,
    Meaning,
    MeldRules,
    halves,
    lives_beside,
    lives_of,
    mates_above,
    possible_growths,
    possible_melds,
    read,
    read_layoff,
    read_shown,
    sub_multisets,
    traded,
    written_knocks,
)
from rummyvariants.actions import (
    Action,
    Arrange,
    Buy,
    CallRummy,
    Choose,
    Deal,
    Declare,
    Discard,
    Draw,
    HouseAction,
    Knock,
    LayOff,
    NewMeld,
    NewMelds,
    Pass,
    PutWild,
    Rejoin,
    Split,
    Swap,
    Take,
)
from rummyvariants.cards import CARDS, Card, as_cards
from rummyvariants.game._state import State
from rummyvariants.melds._meld import Played, played
from rummyvariants.rules._ruleset import Ruleset


Owed = tuple[Card, str]
"""A card that was drawn on condition, and what has to be done with it."""


def has_partners(rules: Ruleset, players: int) -> bool:
    """
    Whether so many play in sides of two.
    """
    sides = rules.match.sides
    return sides == "partners opposite" or (sides != "none" and players == 4)


@attrs.frozen
class Play:
    """
    What a play between the draw and the discard does.

    Attributes:
        kind: ``meld``, ``down``, ``layoff``, ``put``, ``swap``, ``split`` or
            ``arrange``.
        used: The cards that leave the hand.
        number: The number of the meld that is made or changed; of several, the first.
        melds: How that meld lies then, and the second part of one that is split; or all
            that are laid as one.
        gained: The wild that comes to the hand.
    """

    kind: str
    used: tuple[Card, ...]
    number: int
    melds: tuple[Lying, ...]
    gained: tuple[Card, ...] = ()


@attrs.frozen(cache_hash=True)
class Turn:
    """
    A turn after its draw, with all that decides how it may go on.

    Attributes:
        seat: Whose it is.
        hand: The hand, sorted.
        table: The melds by their numbers; number 0 is the dealer's wild, if it lies.
        melded: Whether the player, or a partner, has a meld.
        floats: Whether the player began it floating.
        taken: What was taken from the discard pile.
        held: The hand before the draw, as long as it matters for what is owed.
        owed: What is still owed.
        made: How many new melds it has brought, where they are limited.
        knock: Whether it has to end in a knock.
    """

    seat: int
    hand: tuple[Card, ...]
    table: tuple[tuple[int, Lying], ...]
    melded: bool
    floats: bool = False
    taken: tuple[Card, ...] = ()
    held: tuple[Card, ...] = ()
    owed: tuple[Owed, ...] = ()
    made: int = 0
    knock: bool = False


class Judges:
    """
    A judge for each deal that is met.

    Args:
        others: What a house rule refuses, as for `Judge`.
    """

    def __init__(self, others: Mapping[str, Callable[..., bool]] | None = None):
        self._others = others
        self._known: dict[object, Judge] = {}

    def __call__(self, state: State) -> Judge:
        key = (
            state.rules,
            len(state.players),
            state.wild_rank,
            limit_of(state),
            bool(state.rules.meld.contracts) and state.round_number,
        )
        if key not in self._known:
            self._known[key] = Judge(state, self._others)
        return self._known[key]


class Judge:
    """
    Judges the actions of one deal; what was found is kept.

    Args:
        state: A state of the deal, for its rules, its players and what it made wild.
        others: By question, what a house rule adds: whether it refuses what it is
            asked about.
    """

    def __init__(
        self, state: State, others: Mapping[str, Callable[..., bool]] | None = None
    ) -> None:
        self.rules: Ruleset = state.rules
        self.players = len(state.players)
        self.melds = MeldRules.of(state)
        self.limit = limit_of(state)
        self.round_number = state.round_number
        self._others = others or {}
        self._known: dict[tuple[object, ...], Any] = {}
        self._last: tuple[State, int, Turn] | None = None

    def _once(self, *key: object, found: Callable[[], Any]) -> Any:
        if key not in self._known:
            self._known[key] = found()
        return self._known[key]

    def agrees(self, question: str, *, ours: bool, **asked: object) -> bool:
        """
        Whether the rules allow something, and so does the house rule if there is one.
        """
        other = self._others.get(question)
        return ours and not (other is not None and other(**asked))

    def _is_meld(self, meld: Lying) -> bool:
        return self.agrees("meld.objection", ours=True, meld=meld)

    def owns(self, seat: int, meld: Lying) -> bool:
        """
        Whether a meld is a seat's own, or the partner's (RV-20).
        """
        apart = abs(meld.maker - seat)
        partners = has_partners(self.rules, self.players)
        return apart == 0 or (partners and 2 * apart == self.players)

    # ---------------------------------------------------------------- what is written

    def new_meld(self, cards: Sequence[Played], seat: int) -> Lying | None:
        """
        The one meld that written cards are; None if there is none, or are several.
        """
        found = self._read(cards)
        return _by(seat, *found.values()) if len(found) == 1 else None

    def _read(self, cards: Sequence[Played]) -> dict[Meaning, Lying]:
        """
        The melds that written cards may be.
        """
        found: dict[Meaning, Lying] = self._once(
            cards, found=lambda: read(self.melds, cards, self._is_meld)
        )
        return found

    def grown(
        self,
        meld: Lying,
        cards: Sequence[Played],
        seat: int,
        end: str | None,
        *,
        grow: bool = False,
    ) -> Lying | None:
        """
        The one thing that a meld becomes by a lay-off; None for nothing, or several.
        """
        found: dict[Meaning, Lying] = self._once(
            meld,
            cards,
            seat,
            end,
            grow,
            found=lambda: read_layoff(
                self.melds, meld, cards, seat, end, grow=grow, allows=self._is_meld
            ),
        )
        return next(iter(found.values())) if len(found) == 1 else None

    def play(self, turn: Turn, action: Action) -> Play | None:
        """
        What a play would do by the rules of melds; None if the cards are against it.
        """
        table = dict(turn.table)
        if isinstance(action, LayOff | Swap | Split) and action.meld not in table:
            return None
        seat = turn.seat
        match action:
            case NewMeld(cards):
                meld = self.new_meld(cards, seat) if cards else None
                used = tuple(one.card for one in cards)
                return meld and Play("meld", used, _next_number(turn), (meld,))
            case LayOff(cards, number, end):
                meld = self.grown(table[number], cards, seat, end) if cards else None
                used = tuple(one.card for one in cards)
                return meld and Play("layoff", used, number, (meld,))
            case NewMelds(groups):
                return self._down(turn, groups)
            case PutWild(card):
                return _put(turn, card)
            case Swap(card, number):
                return self._swap(turn, card, number, action.end, action.more or ())
            case Split(number, after):
                parts = halves(self.melds, table[number], after)
                return parts and Play("split", (), number, parts)
            case Arrange(groups):
                read = [self.new_meld(cards, seat) for cards in groups if cards]
                melds = tuple(meld for meld in read if meld is not None)
                return self._arranged(turn, melds) if len(melds) == len(read) else None
            case _:
                raise TypeError(action)

    def _down(self, turn: Turn, groups: Sequence[Sequence[Played]]) -> Play | None:
        melds = [self.new_meld(cards, turn.seat) if cards else None for cards in groups]
        found = tuple(meld for meld in melds if meld is not None)
        if len(found) < len(groups) or len(found) < 2:
            return None
        used = tuple(one.card for cards in groups for one in cards)
        return Play("down", used, _next_number(turn), found)

    def _regroups(self, turn: Turn) -> list[tuple[int, Lying]]:
        """
        The melds that a player may regroup.
        """
        layoff = self.rules.layoff
        waits = layoff.since == "the next turn" and turn.made > 0
        opened = turn.melded or not layoff.needs_own_meld
        if layoff.rearranging == "never" or waits or not opened:
            return []
        return [
            (number, meld)
            for number, meld in turn.table
            if number and self.owns(turn.seat, meld)
            if meld.kind != "wild" and not meld.beside
        ]

    def _arranged(self, turn: Turn, melds: tuple[Lying, ...]) -> Play | None:
        """
        The melds that a player may regroup as others, with cards of the hand.
        """
        old = [meld for _, meld in self._regroups(turn)]
        lying = Counter(card for meld in old for card in _cards_of(meld))
        laid = Counter(card for meld in melds for card in _cards_of(meld))
        used = laid - lying
        if not (lying and used) or lying - laid or used - Counter(turn.hand):
            return None
        if any(lying.keys().isdisjoint(_cards_of(meld)) for meld in melds):
            return None
        if len(melds) == len(old) and all(
            any(Counter(one.cards) <= Counter(meld.cards) for meld in melds)
            for one in old
        ):
            return None
        return Play("arrange", tuple(sorted(used.elements())), 0, melds)

    def _arrangements(self, turn: Turn) -> Iterator[Play]:
        """
        Every way to regroup melds.
        """
        lying = [card for _, one in self._regroups(turn) for card in _cards_of(one)]
        there = tuple(sorted([*lying, *turn.hand]))
        every = self._once(there, found=lambda: self._melds_of(there)) if lying else []

        def more(
            melds: tuple[Lying, ...], left: Counter[Card], at: int
        ) -> Iterator[Play]:
            play = self._arranged(turn, melds)
            if play is not None:
                yield play
            for number in range(at, len(every)):
                rest = left - Counter(_cards_of(every[number]))
                if rest.total() == left.total() - len(every[number]):
                    meld = _by(turn.seat, every[number])
                    yield from more((*melds, meld), rest, number)

        yield from more((), Counter(there), 0)

    def _swap(
        self,
        turn: Turn,
        card: Card,
        number: int,
        end: str | None,
        more: tuple[Card, ...] = (),
    ) -> Play | None:
        meld = dict(turn.table)[number]
        found = traded(
            self.melds, meld, card, turn.seat, end, more=more, locked=number == 0
        )
        if found is None:
            return None
        return Play("swap", (card, *more), number, (found[0],), found[1])

    def plays(self, turn: Turn) -> Iterator[Play]:
        """
        Every play that the cards allow, however it has to be written.
        """
        seat, hand = turn.seat, turn.hand
        for meld in self._once(hand, found=lambda: self._melds_of(hand)):
            used = _cards_of(meld)
            yield Play("meld", used, _next_number(turn), (_by(seat, meld),))
        if not turn.melded and self.opens_together:
            for melds in self._once("down", hand, found=lambda: self._downs_of(hand)):
                used = tuple(card for meld in melds for card in _cards_of(meld))
                laid = tuple(_by(seat, meld) for meld in melds)
                yield Play("down", used, _next_number(turn), laid)
        for number, meld in turn.table:
            for used, after in self._growths(meld, hand, seat):
                yield Play("layoff", used, number, (after,))
        for card in sorted(set(hand)):
            yield _put(turn, card)
            for number, _ in turn.table:
                for end in (None, "low", "high"):
                    swap = self._swap(turn, card, number, end)
                    if swap is not None:
                        yield swap
                for more in mates_above(hand, card):
                    swap = self._swap(turn, card, number, None, more)
                    if swap is not None:
                        yield swap
        for number, meld in turn.table:
            for after in range(1, len(meld)):
                parts = halves(self.melds, meld, after)
                if parts is not None:
                    yield Play("split", (), number, parts)
        yield from self._arrangements(turn)

    def _melds_of(self, hand: tuple[Card, ...]) -> list[Lying]:
        return [
            meld
            for part in sub_multisets(hand)
            if part
            for meld in possible_melds(self.melds, _plainly(part), settled=False)
            if self._is_meld(meld)
        ]

    def _downs_of(self, hand: tuple[Card, ...]) -> list[tuple[Lying, ...]]:
        """
        Every two or more melds that a hand holds beside each other.
        """
        every = self._melds_of(hand)
        found: list[tuple[Lying, ...]] = []

        def more(melds: tuple[Lying, ...], left: Counter[Card], at: int) -> None:
            if len(melds) > 1:
                found.append(melds)
            for number in range(at, len(every)):
                rest = left - Counter(_cards_of(every[number]))
                if rest.total() == left.total() - len(every[number]):
                    more((*melds, every[number]), rest, number)

        more((), Counter(hand), 0)
        return found

    def _growths(
        self, meld: Lying, hand: tuple[Card, ...], seat: int
    ) -> list[tuple[tuple[Card, ...], Lying]]:
        found: list[tuple[tuple[Card, ...], Lying]] = self._once(
            meld, hand, seat, found=lambda: self._growths_of(meld, hand, seat)
        )
        return found

    def _growths_of(
        self, meld: Lying, hand: tuple[Card, ...], seat: int
    ) -> list[tuple[tuple[Card, ...], Lying]]:
        found: dict[Lying, tuple[Card, ...]] = {}
        for part in sub_multisets(hand):
            if not part:
                continue
            if meld.kind in {"set", "run"}:
                growths = possible_growths(
                    self.melds, meld, _plainly(part), seat, settled=False
                )
                after = [one.after for one in growths if self._is_meld(one.after)]
            else:
                one = self.grown(meld, _plainly(part), seat, None)
                after = [] if one is None else [one]
            found.update(dict.fromkeys(after, part))
        return [(part, after) for after, part in found.items()]

    # ------------------------------------------------------------------ what is played

    def after(self, turn: Turn, play: Play) -> Turn | None:
        """
        The turn after a play, dead ends not looked at; None if a rule is against it.
        """
        rules = self.rules
        left = Counter(turn.hand)
        left.subtract(play.used)
        if any(number < 0 for number in left.values()):
            return None
        table = dict(turn.table)
        meld, before = play.melds[0], table.get(play.number)
        built = before is not None and before.kind == "wild"
        if play.kind in {"layoff", "swap"}:
            assert before is not None
            if not self._may_lay_on(turn, before):
                return None
        if play.kind == "meld" or built:
            if not self._may_meld(turn, (meld,), len(play.used)):
                return None
        if play.kind == "down" and not self._may_go_down(turn, play):
            return None
        if play.kind == "put" and not self._may_put(turn, meld):
            return None
        if play.kind == "swap" and rules.wild.real_card != "swap":
            return None
        if play.kind == "split":
            assert before is not None
            laid = {*before.seats, *(who for _, _, who in before.beside)}
            if not rules.wild.split or turn.seat not in laid:
                return None
        if play.kind in {"swap", "split"} and not all(map(self._is_meld, play.melds)):
            return None
        first = [one for one in turn.owed if one[1].endswith(" at once")][:1]
        owed = self._still_owed(turn, play)
        if first and first[0] in owed:
            return None
        if play.kind == "arrange":
            table = self._with_layout(turn, play.melds)
        else:
            table[play.number] = meld
        if play.kind in {"split", "down"}:
            for step, other in enumerate(play.melds[1:]):
                table[_next_number(turn) + step + (play.kind == "down")] = other
        new = len(play.melds) if play.kind == "down" else play.kind == "meld" or built
        if play.gained and rules.wild.swapped == "used at once":
            owed = (*owed, (play.gained[0], "play"))
        return attrs.evolve(
            turn,
            hand=tuple(sorted([*left.elements(), *play.gained])),
            table=tuple(sorted(table.items())),
            melded=turn.melded or bool(new),
            held=turn.held if asks_of_hand(owed) else (),
            owed=owed,
            made=turn.made + new * self.counts_melds,
        )

    def _with_layout(self, turn: Turn, melds: tuple[Lying, ...]) -> dict[int, Lying]:
        """
        The table with melds in the place of those that are regrouped.
        """
        places = [number for number, _ in self._regroups(turn)]
        new = [*melds]
        table = [
            new.pop(0) if number in places else meld
            for number, meld in turn.table
            if number not in places or new
        ]
        first = 0 if turn.table[0][0] == 0 else 1
        return dict(enumerate([*table, *new], first))

    @property
    def counts_melds(self) -> bool:
        """
        Whether it matters how many new melds a turn has brought.
        """
        rules = self.rules
        return (
            rules.meld.a_turn != "any number"
            # A house rule about turns may look at it.
            or not self._others.keys() <= {"meld.objection"}
            or not rules.meld.further
            or rules.layoff.since == "the next turn"
        )

    def _still_owed(self, turn: Turn, play: Play) -> tuple[Owed, ...]:
        """
        What is still owed after a play; a card that is owed twice is played twice.
        """
        parts = [play]
        if play.kind == "down":
            parts = [
                Play("meld", _cards_of(meld), play.number, (meld,))
                for meld in play.melds
            ]
        owed = list(turn.owed)
        for part in parts:
            for one in sorted(set(owed)):
                if self._meets(turn, part, one):
                    for _ in range(min(part.used.count(one[0]), owed.count(one))):
                        owed.remove(one)
        return tuple(owed)

    def _may_lay_on(self, turn: Turn, meld: Lying) -> bool:
        layoff = self.rules.layoff
        own = self.owns(turn.seat, meld)
        waits = layoff.since == "the next turn" and turn.made > 0
        return self.agrees(
            "layoff.refuse",
            ours=(turn.melded or not layoff.needs_own_meld) and not waits,
            has_meld=turn.melded,
        ) and self.agrees(
            "layoff.refuse_onto", ours=own or layoff.onto != "own melds", own=own
        )

    def _may_meld(self, turn: Turn, melds: Sequence[Lying], used: int) -> bool:
        left = len(turn.hand) - used
        if not self.may_open(melds, left, melded=turn.melded):
            return False
        if not all(self.may_begin(meld, melded=turn.melded) for meld in melds):
            return False
        most, made = self.rules.meld.a_turn, turn.made + len(melds) - 1
        another = most == "any number" or made < int(most)
        return self.agrees("meld.refuse_another", ours=another, made=made)

    @property
    def opens_together(self) -> bool:
        """
        Whether first melds are laid as one action.
        """
        return bool(self.rules.meld.contracts) or self.rules.meld.runs_apart

    def _may_go_down(self, turn: Turn, play: Play) -> bool:
        return (
            self.opens_together
            and not turn.melded
            and self._may_meld(turn, play.melds, len(play.used))
        )

    def may_open(self, melds: Sequence[Lying], left: int, *, melded: bool) -> bool:
        """
        Whether melds may be made by what the contract says (CON-05, 06, 07, 09, 17).

        Args:
            melds: The melds, laid as one action.
            left: How many cards they leave in the hand.
            melded: Whether the player has a meld.
        """
        rules = self.rules.meld
        if melded:
            return rules.further
        if rules.runs_apart and any(
            self._continues(*pair) for pair in itertools.permutations(melds, 2)
        ):
            return False
        if not rules.contracts:
            return True
        number = min(self.round_number, len(rules.contracts))
        whole = (
            number == len(rules.contracts) and rules.last_contract != "like the others"
        )
        groups = [one.split() for one in rules.contracts[number - 1].split(", ")]
        if whole and left > (rules.last_contract == "all but a discard"):
            return False
        exactly = rules.contract_size == "exactly" and not whole
        return len(groups) == len(melds) and any(
            all(
                meld.kind == kind
                and (len(meld) == int(size) or (not exactly and len(meld) > int(size)))
                for meld, (kind, size) in zip(order, groups, strict=True)
            )
            for order in itertools.permutations(melds)
        )

    def _continues(self, one: Lying, other: Lying) -> bool:
        """
        Whether a run begins where another of its suit ends.
        """
        if one.kind != "run" or other.kind != "run":
            return False
        circle = self.melds.circle
        end = circle.index(one.cards[0][1]) + len(one)
        start = circle.index(other.cards[0][1])
        if self.rules.meld.ace == "round the corner":
            end %= len(circle)
        return one.cards[0][2] == other.cards[0][2] and end == start

    def may_begin(self, meld: Lying, *, melded: bool) -> bool:
        """
        Whether a player may make a meld, if it is the first one (HR-11).
        """
        natural = not any(self.melds.is_wild(card) for card, _, _ in meld.cards)
        return self.agrees(
            "meld.refuse_first",
            ours=melded or natural or not self.rules.meld.first_natural,
            has_meld=melded,
            natural=natural,
        )

    def _may_put(self, turn: Turn, meld: Lying) -> bool:
        wild = self.melds.is_wild(meld.cards[0][0])
        may = self.rules.layoff.single_wilds and turn.melded
        return wild and self.agrees(
            "layoff.refuse_single", ours=may and wild, has_meld=turn.melded, wild=wild
        )

    def _meets(self, turn: Turn, play: Play, owed: Owed) -> bool:
        """
        Whether a play does with a card what has to be done with it, equal cards alike.
        """
        card, how = owed
        if card not in play.used:
            return False
        how = how.removesuffix(" at once")
        if how in {"play", "play or discard"}:
            return True
        if play.kind != "meld":
            return False
        if how == "new meld":
            return True
        (meld,) = play.melds
        others = Counter(play.used) - Counter([card])
        mates = [
            one
            for one in (others & Counter(turn.held)).elements()
            if not self.melds.is_wild(one)
        ]
        if how == "natural set":
            wild = any(self.melds.is_wild(one) for one in play.used)
            same = [one for one in mates if one.rank == card.rank]
            return meld.kind == "set" and not wild and len(same) >= 2
        assert how == "two naturals from hand"
        return len(mates) >= 2

    # --------------------------------------------------------------- how turns end

    def finishes(self, turn: Turn) -> bool:
        """
        Whether some plays lead to a discard, to a knock, or to a last card laid.
        """
        found: bool = self._once(turn, found=lambda: self._finishes(turn))
        return found

    def _finishes(self, turn: Turn) -> bool:
        if turn.knock:
            return self._has_knock(turn)
        if not turn.hand:
            return not turn.owed and self.rules.out.empty_hand != "refused"
        if any(self.may_throw(turn, card) for card in set(turn.hand)):
            return True
        kept = self.rules.meld.shown != "in turn"
        if kept and not (self.rules.layoff.last_turns and turn.table):
            return False
        tried = set()
        for play in self.plays(turn):
            if kept and play.kind != "layoff":
                continue
            after = self.after(turn, play)
            if after is not None and after not in tried:
                tried.add(after)
                if self.finishes(after):
                    return True
        return False

    def may_throw(self, turn: Turn, card: Card) -> bool:
        """
        Whether a card of the hand may be discarded, dead ends not looked at.
        """
        for owed, how in turn.owed:
            if not how.startswith("play or discard") or owed != card:
                return False
        rules, left = self.rules, len(turn.hand)
        back = rules.discard.throw_back != "allowed" and turn.taken == (card,)
        copies = list(turn.hand).count(card)
        if rules.discard.throw_back == "only a twin" and copies > 1:
            back = False
        kept = str(card) in rules.discard.keep and left > 1
        taken = bytes(one.code for one in turn.taken)
        if not self.agrees(
            "discard.refuse",
            ours=not back and not kept,
            code=card.code,
            taken=taken,
            left=left,
            copies=copies,
        ):
            return False
        on_stock = turn.floats and rules.out.floating == "draws from the stock"
        picky = on_stock or rules.out.last_discard == "unplayable"
        return not (picky and left == 1 and self._fits(turn, card))

    def _fits(self, turn: Turn, card: Card) -> bool:
        """
        Whether a card fits some meld of the table, whoever may lay it (PG-17).
        """
        for number, meld in turn.table:
            if meld.kind == "wild":
                continue
            if self._growths(meld, (card,), -1):
                return True
            if self.rules.wild.real_card == "swap":
                locked = number == 0
                for end in (None, "low", "high"):
                    if traded(self.melds, meld, card, -1, end, locked=locked):
                        return True
        return False

    # ------------------------------------------------------------------------- knocks

    def _has_knock(self, turn: Turn) -> bool:
        written = written_knocks(self.melds, turn.hand, turn.seat)
        return any(self.may_knock(turn, one) for one in written)

    def may_knock(self, turn: Turn, action: Knock) -> bool:
        """
        Whether a knock is allowed, its melds named.
        """
        if self.limit < 0 or (action.card is None and not self.rules.out.big_gin):
            return False
        left = self._unmatched(turn, action)
        if left is None or (action.card is None and left):
            return False
        return sum(worth_of(self.rules, self.melds, one) for one in left) <= self.limit

    def _is_declared_so(self, action: Declare, *, dealt: bool) -> bool:
        """
        Whether a declaration has a discard or none as it should (INV-07).
        """
        out = self.rules.out
        if dealt:
            return out.dealt_hand and action.card is None
        if out.declare == "never":
            return False
        return action.card is not None or out.declare != "with a discard"

    def may_declare(self, turn: Turn, action: Declare, *, dealt: bool) -> bool:
        """
        Whether a declaration is allowed where nobody is out yet, its melds named.
        """
        if not self._is_declared_so(action, dealt=dealt):
            return False
        if self._unmatched(turn, action) != []:
            return False
        shown = [meld for meld in self._shown(action, []) if meld is not None]
        return not any(lives_beside(lives_of(self.rules), shown))

    def may_declare_wrongly(self, turn: Turn, action: Declare, *, dealt: bool) -> bool:
        """
        Whether a hand may be declared at a price whatever its melds are (INV-05).
        """
        if self.rules.out.wrong_declaration == "refused":
            return False
        if not self._is_declared_so(action, dealt=dealt):
            return False
        for group in action.melds or ():
            # A player who is not clear is asked, and has not declared yet.
            laid_off_on = self.rules.layoff.last_turns
            if group and laid_off_on and len(self._read(group)) > 1:
                return False
        return self._left(turn, action) is not None

    def _unmatched(self, turn: Turn, action: Knock) -> list[Card] | None:
        """
        What the melds and the discard leave of a hand; None if they are not allowed.
        """
        left = self._left(turn, action)
        if left is None or None in self._shown(action, left):
            return None
        return left

    def _shown(self, action: Knock, left: Sequence[Card]) -> list[Lying | None]:
        """
        The melds that a knock shows; None for each that is no meld.
        """
        laid_off_on = bool(left) and self.rules.layoff.knocked != "never"
        if isinstance(action, Declare):
            laid_off_on = self.rules.layoff.last_turns
        return [
            None
            if not group
            else self.new_meld(group, 0)
            if laid_off_on
            else read_shown(self.melds, group, self._is_meld)
            for group in action.melds or ()
        ]

    def _left(self, turn: Turn, action: Knock) -> list[Card] | None:
        """
        What groups and the discard leave; None if the hand does not have the cards.
        """
        used = [one.card for group in action.melds or () for one in group]
        thrown = [] if action.card is None else [action.card]
        left = Counter(turn.hand)
        left.subtract([*used, *thrown])
        if any(number < 0 for number in left.values()):
            return None
        if not all(self.may_throw(turn, card) for card in thrown):
            return None
        return list(left.elements())

    # ------------------------------------------------------------------- a whole state

    def turn(self, state: State, seat: int) -> Turn:
        """
        The turn of a player who has drawn, or who called.
        """
        last = self._last
        if last is None or last[0] is not state or last[1] != seat:
            last = self._last = (state, seat, self._looked_at(state, seat))
        return last[2]

    def _looked_at(self, state: State, seat: int) -> Turn:
        drawn = state.drawn
        taken = drawn.source == "discards"
        duties = drawn.duties
        owed = tuple((CARDS[one.code], one.how) for one in duties)
        return Turn(
            seat=seat,
            hand=tuple(sorted(state.hands[seat])),
            table=self._table(state),
            melded=state.has_meld(seat),
            floats=seat in state.floating,
            taken=drawn.cards if taken else (),
            held=tuple(sorted(as_cards(drawn.held))) if asks_of_hand(owed) else (),
            owed=owed,
            made=drawn.melds,
            knock=taken and self._is_last_take(state),
        )

    def _table(self, state: State) -> tuple[tuple[int, Lying], ...]:
        melds = dict(enumerate(state.table, 1))
        if state.dealer_wild is not None:
            melds[0] = state.dealer_wild
        return tuple(
            (number, Lying.of(self.melds, melds[number])) for number in sorted(melds)
        )

    def _is_last_take(self, state: State) -> bool:
        stock = self.rules.stock
        last = stock.when_empty == "a knock with the last discard"
        return last and len(state.stock) <= stock.dead

    def goes_on(self, state: State, action: Action) -> Turn | None:
        """
        The turn as it goes on after an action of it, dead ends not looked at.

        Returns:
            Nothing if the action is refused, or is the last of a turn or no part of it.
        """
        seat = action.seat or 0
        if isinstance(action, Take):
            return self._taken(state, seat, action.count)
        plays = NewMeld | NewMelds | LayOff | PutWild | Swap | Split | Arrange
        if not isinstance(action, plays):
            return None
        turn = self.turn(state, seat)
        play = self.play(turn, action)
        return None if play is None else self.after(turn, play)

    def allows(self, state: State, action: Action) -> bool:
        """
        Whether an action is legal.

        Raises:
            TypeError: If it is no player's.
        """
        seat, phase = action.seat, state.phase
        if seat is None or seat not in state.to_act:
            return False
        match action:
            case Draw():
                free = phase == "stock" or (phase == "draw" and not buyers(state))
                return free and self.may_draw(state)
            case Buy():
                return phase == "buy"
            case Take(count) if phase in {"draw", "offer"}:
                turn = self._taken(state, seat, count)
                return turn is not None and self.finishes(turn)
            case Pass():
                if phase == "draw":
                    return bool(buyers(state)) or not self.may_draw(state)
                return phase in {"offer", "call", "layoff", "buy", "rejoin"}
            case Choose(cards):
                return phase == "choose" and cards in {2, 12}
            case Discard(card):
                return phase in {"play", "discard"} and self._may_discard(
                    state, seat, card
                )
            case Declare():
                turn = self.turn(state, seat)
                dealt = phase == "draw" and not state.turns[seat]
                return (
                    (dealt or phase == "play")
                    and not state.out
                    and (
                        self.may_declare(turn, action, dealt=dealt)
                        or self.may_declare_wrongly(turn, action, dealt=dealt)
                    )
                )
            case HouseAction("drop"):
                return phase == "draw" and drop_price(state, seat) is not None
            case Rejoin():
                return phase == "rejoin"
            case Knock():
                turn = self.turn(state, seat)
                return phase == "play" and self.may_knock(turn, action)
            case CallRummy():
                return phase == "call" and self.may_call(state, action)
            case LayOff() if phase == "layoff":
                return self.goes_on(state, action) is not None
            case (
                NewMeld()
                | NewMelds()
                | LayOff()
                | PutWild()
                | Swap()
                | Split()
                | Arrange()
            ):
                if phase != "play":
                    return False
                if self.rules.meld.shown != "in turn":
                    shown = state.out and self.rules.layoff.last_turns
                    if not (shown and isinstance(action, LayOff)):
                        return False
                after = self.goes_on(state, action)
                return after is not None and (
                    self.finishes(after) or self._is_lost(state, seat)
                )
            case Take():
                return False
            case _:
                raise TypeError(action)

    def _is_lost(self, state: State, seat: int) -> bool:
        """
        Whether a card from the stock left no legal end of the turn at all (RV-03).
        """
        drawn = state.drawn
        if drawn.source != "stock":
            return False
        return not self.finishes(self.turn(state, seat))

    def _may_discard(self, state: State, seat: int, card: Card) -> bool:
        if card not in state.hands[seat]:
            return False
        turn = self.turn(state, seat)
        if not turn.knock and self.may_throw(turn, card):
            return True
        return self._is_lost(state, seat)

    def may_draw(self, state: State) -> bool:
        """
        Whether there is a stock, or a pile that may be turned over to be one.
        """
        rules = self.rules.stock
        if len(state.stock) > rules.dead:
            return True
        if state.stock:
            return False
        pile = list(state.discards)
        going = len(pile) > (rules.turned_top == "stays")
        often = rules.times != "any number" and state.turned >= int(rules.times)
        fresh = state.turned == 0 or state.fresh or rules.without_progress
        return self.agrees(
            "stock.refuse_turning",
            ours=rules.when_empty == "turn over"
            and bool(going)
            and not often
            and fresh,
            pile=len(pile),
            times=state.turned,
            fresh=state.fresh,
        )

    def _taken(self, state: State, seat: int, count: int) -> Turn | None:
        """
        The turn that begins with so many discards; None if they may not be taken.
        """
        rules, pile = self.rules, state.discards
        floats = seat in state.floating
        if count < 1 or (floats and rules.out.floating == "draws from the stock"):
            return None
        offered = rules.draw.first_upcard != "part of the pile"
        first = offered and not any(state.turns)
        if first and state.phase == "draw":
            return None
        if not self.agrees(
            "draw.refuse_take",
            ours=self._is_enough(state, seat, count),
            count=count,
            pile=bytes(card.code for card in pile),
        ):
            return None
        cards = pile[-count:]
        owed = owed_for(rules, cards, first=first)
        if rules.draw.unmelded_takes == "to meld it at once":
            if not state.has_meld(seat):
                owed = (*owed, (cards[0], "play at once"))
        before = self.turn(state, seat)
        return attrs.evolve(
            before,
            hand=tuple(sorted([*before.hand, *cards])),
            taken=cards,
            held=before.hand if asks_of_hand(owed) else (),
            owed=owed,
            knock=self._is_last_take(state),
        )

    def _is_enough(self, state: State, seat: int, count: int) -> bool:
        """
        Whether so many discards may be taken, whatever becomes of them.
        """
        rules, pile = self.rules, state.discards
        if count > len(pile):
            return False
        top, deepest = pile[-1], pile[-count]
        if state.has_meld(seat) and not rules.draw.melded_takes:
            return False
        if rules.draw.unmelded_takes == "never" and not state.has_meld(seat):
            return False
        if rules.draw.wilds == "only the first upcard" and has_drawn(state):
            if any(self.melds.is_wild(card) for card in pile[-count:]):
                return False
        match rules.draw.take:
            case "the top card" if count > 1:
                return False
            case "the whole pile" if count < len(pile):
                return False
            case "up to the top card's number" if count > number_of(rules, top):
                return False
            case int(many) if count != min(many, len(pile)):
                return False
        wanted = {"top": top, "deepest": deepest}.get(rules.draw.pair)
        if wanted is None:
            return True
        mates = [
            card
            for card in state.hands[seat]
            if card.rank == wanted.rank and not self.melds.is_wild(card)
        ]
        return len(mates) >= 2 and not self.melds.is_wild(wanted)

    # -------------------------------------------------------------------------- calls

    def may_call(self, state: State, action: CallRummy) -> bool:
        """
        Whether a seat that is asked may call.
        """
        seat, cards = action.seat or 0, action.cards
        if not cards:
            return False
        if action.meld is None:
            before, after = None, self.new_meld(cards, seat)
        else:
            before = dict(self._table(state)).get(action.meld)
            if before is None:
                return False
            after = self.grown(before, cards, seat, action.end, grow=True)
        used = tuple(one.card for one in cards)
        return after is not None and self._is_call(state, seat, used, before, after)

    def _is_call(
        self,
        state: State,
        seat: int,
        used: tuple[Card, ...],
        before: Lying | None,
        after: Lying,
    ) -> bool:
        """
        Whether a seat may call with these cards, of which a meld is made or grows.
        """
        call = self.rules.call
        if call.calls == "discard" and used != state.discards[-1:]:
            return False
        if before is None:
            if call.calls == "discard" or not call.melds:
                return False
        else:
            own = self.owns(seat, before)
            onto = own or self.rules.layoff.onto != "own melds"
            if not self.agrees("layoff.refuse_onto", ours=onto, own=own):
                return False
        if before is None or before.kind == "wild":
            melded = state.has_meld(seat)
            left = len(state.hands[seat])
            if not self.may_open((after,), left, melded=melded):
                return False
            if not self.may_begin(after, melded=melded):
                return False
        return self._has_cards(state, seat, used, new=before is None)

    def _has_cards(
        self, state: State, seat: int, used: Sequence[Card], *, new: bool
    ) -> bool:
        """
        Whether the pile, and the hand where it may help, hold the cards of a call.
        """
        call = self.rules.call
        pile: list[Card | None] = list(state.discards)
        hand = list(state.hands[seat])
        called = []
        for card in used:
            if card in pile:
                # Of equal cards the upper one goes.
                at = len(pile) - 1 - pile[::-1].index(card)
                pile[at] = None
                called.append(at)
            elif card in hand:
                hand.remove(card)
            else:
                return False
        helped = len(called) < len(used)
        if not called or not helped:
            return bool(called)
        if not call.with_hand or (call.takes == "those cards" and not new):
            return False
        above = [card for card in pile[min(called) :] if card is not None]
        left = hand if call.takes == "those cards" else [*hand, *above]
        return bool(left) or self.rules.out.empty_hand != "refused"

    def asked(self, state: State, finisher: int) -> set[int]:
        """
        Who is asked for a call after a discard, or after a call that leaves cards.

        Args:
            state: The state; whose turn it is does not matter.
            finisher: Who made the discard.
        """
        call = self.rules.call
        if call.calls == "none" or not state.discards:
            return set()
        seats = {
            seat
            for seat in range(self.players)
            if seat != finisher and seat not in state.out and seat not in gone(state)
            if state.has_meld(seat) or not call.needs_own_meld
        }
        more = call.melds or call.takes != "those cards"
        if call.calls == "pile" and call.with_hand and more:
            return seats  # whether there is a call is their secret (RV-04)
        return {seat for seat in seats if self._has_call(state, seat)}

    def _has_call(self, state: State, seat: int) -> bool:
        """
        Whether a seat has a call with cards of the pile alone.
        """
        top = self.rules.call.calls == "discard"
        pile = state.discards[-1:] if top else tuple(sorted(state.discards))
        melds = self._once(pile, found=lambda: self._melds_of(pile))
        return any(
            self._is_call(state, seat, _cards_of(meld), None, meld) for meld in melds
        ) or any(
            self._is_call(state, seat, used, before, after)
            for _, before in self._table(state)
            for used, after in self._growths(before, pile, seat)
            if len(after) == len(before) + len(used)
        )


def buyers(state: State) -> list[int]:
    """
    Who is asked for the upcard if the player in turn declines it (CON-14, CON-15).

    Returns:
        The seats in the order in which they are asked.
    """
    call = state.rules.call
    if call.buying == "none" or not state.discards or not state.stock:
        return []
    bought: list[int] = []
    for action in state.history:
        if isinstance(action, Deal):
            bought = []
        elif isinstance(action, Buy):
            bought.append(action.seat or 0)
    seats = len(state.players)
    most = [number for since, number in call.buys if since <= state.round_number]
    most = most or [number for _, number in call.buys][:1]
    # Calls may dig up older discards: the player before counts as who made it.
    thrower = (state.turn - 1) % seats if any(state.turns) else None
    order = [(state.turn + step) % seats for step in range(1, seats)]
    return [
        seat
        for seat in order
        if (seat != thrower or call.own_discard)
        and seat not in state.out
        and seat not in gone(state)
        and (call.melded_buys or not state.has_meld(seat))
        and (call.buys_again or bought[-1:] != [seat])
        and (not most or bought.count(seat) < most[-1])
    ]


def eliminated(rules: Ruleset, totals: Sequence[int]) -> set[int]:
    """
    Who is out of the match by the totals (IND-24).
    """
    most = rules.match.eliminated_at
    if most == "never":
        return set()
    return {seat for seat, total in enumerate(totals) if total >= int(most)}


def gone(state: State) -> set[int]:
    """
    Who plays no further part in the round: has left it, or was out of the match.
    """
    return {*state.dropped} | out_before(state)


def out_before(state: State) -> set[int]:
    """
    Who was out of the match before the round.
    """
    result = state.result
    points = [0] * len(state.scores) if result is None else result.points
    before = [total - more for total, more in zip(state.scores, points, strict=True)]
    return eliminated(state.rules, before)


def has_drawn(state: State) -> bool:
    """
    Whether anybody has had a turn in the round that was no drop, by what was done.

    In a position a turn that nobody left counts as one with a draw.
    """
    if state.from_position and any(
        turns > (seat in state.dropped) for seat, turns in enumerate(state.turns)
    ):
        return True
    done: list[Action] = []
    for action in state.history:
        done = [] if isinstance(action, Deal) else [*done, action]
    return any(isinstance(one, Draw | Take | Discard | Declare) for one in done)


def drop_price(state: State, seat: int) -> int | None:
    """
    For what a player may leave the round before the draw; None for not at all.
    """
    out = state.rules.out
    price = out.later_drop if state.turns[seat] else out.first_drop
    return price if isinstance(price, int) else None


def asks_of_hand(owed: Iterable[Owed]) -> bool:
    """
    Whether some of what is owed depends on the hand before the draw.
    """
    return any(how.startswith(("natural set", "two naturals")) for _, how in owed)


def _cards_of(meld: Lying) -> tuple[Card, ...]:
    return tuple(card for card, _, _ in meld.cards)


def _by(seat: int, meld: Lying) -> Lying:
    return attrs.evolve(meld, seats=(seat,) * len(meld), maker=seat)


def _plainly(cards: Iterable[Card]) -> tuple[Played, ...]:
    return tuple(played(card.code) for card in cards)


def _next_number(turn: Turn) -> int:
    return max((number for number, _ in turn.table), default=0) + 1


def _put(turn: Turn, card: Card) -> Play:
    meld = _by(turn.seat, Lying("wild", ((card, "", ""),)))
    return Play("put", (card,), _next_number(turn), (meld,))


def owed_for(
    rules: Ruleset, cards: Sequence[Card], *, first: bool = False
) -> tuple[Owed, ...]:
    """
    What has to be done with discards that are taken; what goes first is in front.

    Args:
        rules: The rules.
        cards: The cards, the deepest first.
        first: Whether they are the first upcard, and it is offered.
    """
    draw = rules.draw
    if first and draw.first_upcard == "offered to be melded":
        return ((cards[0], "new meld"),)
    when = " at once" if draw.at_once else ""
    owed = []
    if draw.duty == "natural set of the top card":
        owed.append((cards[-1], "natural set at once"))
    if draw.duty == "top":
        owed.append((cards[-1], f"play{when}"))
    if len(cards) > 1 and draw.with_naturals:
        owed.append((cards[0], f"two naturals from hand{when}"))
    elif len(cards) > 1 and draw.new_meld:
        owed.append((cards[0], f"new meld{when}"))
    elif draw.duty == "deepest" or (
        len(cards) > 1 and draw.duty == "deepest of several"
    ):
        owed.append((cards[0], f"play{when}"))
    return tuple(owed)


def number_of(rules: Ruleset, card: Card) -> int:
    """
    How many discards a card on top of the pile allows; a joker names no number.
    """
    if card.is_joker:
        return 0
    face = CIRCLE.index(card.rank) + 1
    return dict(rules.deal.upcard_counts).get(card.rank, face)


def limit_of(state: State) -> int:
    """
    With how many points in unmatched cards one may knock; less than none for never.
    """
    out = state.rules.out
    if out.knock == "never":
        return -1
    if out.knock == "any number":
        return 10_000
    if out.knock != "the upcard":
        return int(out.knock)
    upcard = state.dealt.upcard
    if upcard is None or upcard.is_joker:
        return -1
    return dict(out.knock_counts).get(upcard.rank, CIRCLE.index(upcard.rank) + 1)


def worth_of(rules: Ruleset, melds: MeldRules, card: Card) -> int:
    """
    What a card in the hand is worth.
    """
    score = rules.score
    if str(card) in dict(score.special):
        return dict(score.special)[str(card)]
    points = score.wild_ace if card.rank == "A" else score.wild
    if melds.is_wild(card) and points != "as the card":
        return int(points)
    return dict(score.points).get(card.rank, 0)
