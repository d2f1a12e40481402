"""
A legal action chosen step by step, with few choices at each step.

First what to do, then with which cards, then where they go. What is offered makes a
tree: a branch for each choice, an action at each end. The tree is grown only where
somebody looks, and a branch is offered once one legal action is found on it.

To find one, a branch is tried with the cards that are owed and with few cards first. So
that a big hand is no more work than a small one, not more than `LOOKS` points of one
shape's branch are looked at; if no legal action is among them it is not offered.
"""

from __future__ import annotations

import functools

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal

import attrs

from rummyvariants import layoffs
from rummyvariants.actions import (
    Action,
    CallRummy,
    Choose,
    Draw,
    End,
    LayDown,
    LayOff,
    Pass,
    Take,
    discard,
)
from rummyvariants.cards import (
    CARDS,
    FIELD,
    JOKER,
    SUITS,
    UNIT,
    Card,
    count,
    faces,
    pack,
    size,
)
from rummyvariants.combos import (
    arranged,
    ranks_held,
    wild_room,
)
from rummyvariants.engine.calls import may_discard
from rummyvariants.engine.candidates import onto, puts, splits, swaps
from rummyvariants.engine.choices import legal_discards
from rummyvariants.engine.draws import legal_takes
from rummyvariants.engine.game import planned
from rummyvariants.engine.plays import melds_by_number, terms_of
from rummyvariants.errors import RummyError, nearest
from rummyvariants.layoff_reading import uncovered
from rummyvariants.melds import (
    OWN_PLACE,
    Meld,
    Played,
    counted_wilds,
    place,
    played,
)
from rummyvariants.rulings import Objection
from rummyvariants.state import State
from rummyvariants.terms import Terms


MOST_CHOICES: Final = 64
"""More choices than this are never offered at once."""

LOOKS: Final = 250
"""At how many points of one shape's branch a legal action is looked for."""

Kind = Literal[
    "seat",
    "verb",
    "numbers",
    "number",
    "on",
    "shape",
    "low",
    "high",
    "card",
    "wild",
    "beside",
    "done",
]


@attrs.frozen(repr=False)
class Choice:
    """
    One of the choices at a step.

    Attributes:
        text: What it is called: one text for one thing, at every step and in every
            game.
        kind: What is chosen: a seat, a verb, a range of ``numbers`` or a ``number``,
            the meld that cards go ``on``, the ``shape`` of a new meld, the ``low`` or
            ``high`` end of a run, a ``card``, a ``wild`` for a place, a card to go
            ``beside`` its wild, or that one is ``done``.
        card: The card that is chosen, or whose place a wild takes.
        number: The number that is chosen, of whatever is counted.
    """

    text: str
    kind: Kind
    card: Card | None = None
    number: int | None = None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Choice({self.text!r})"


class ChoiceError(RummyError, ValueError):
    """
    A choice that is not offered.
    """


@attrs.frozen(repr=False)
class Chooser:
    """
    An action in the making: what was chosen so far, and what may be chosen next.

    Attributes:
        state: The state that the action is for.
        taken: The choices so far.
    """

    state: State
    taken: tuple[Choice, ...]
    _node: _Node = attrs.field(eq=False)

    @functools.cached_property
    def choices(self) -> tuple[Choice, ...]:
        """
        What may be chosen next, `MOST_CHOICES` at most; each leads to a legal action.
        """
        return tuple(choice for choice, _ in self._open())

    def _open(self) -> list[tuple[Choice, _Node]]:
        return [(choice, node) for choice, node in self._node.branches if leads(node)]

    @property
    def action(self) -> Action | None:
        """
        The action, once it is complete.
        """
        return self._node.action

    @property
    def is_complete(self) -> bool:
        """
        Whether there is nothing left to choose, and the action is there.
        """
        return self._node.action is not None

    def choose(self, *choices: Choice | str) -> Chooser:
        """
        Go on by one choice, or by several.

        Args:
            choices: Choices, or their texts.

        Returns:
            Another chooser; this one stays as it is.

        Raises:
            ChoiceError: If one of them is not offered.
        """
        chooser = self
        for choice in choices:
            chooser = chooser._chosen(str(choice))
        return chooser

    def _chosen(self, text: str) -> Chooser:
        if self.is_complete:
            msg = f"{text!r} comes too late: '{self.action}' is complete"
            raise ChoiceError(msg)
        wanted = text.strip().casefold()
        for choice, node in self._node.branches:
            if choice.text.casefold() == wanted and leads(node):
                return Chooser(self.state, (*self.taken, choice), node)
        if not self.choices:
            msg = f"{text!r} cannot be chosen: nobody may act"
            raise ChoiceError(msg)
        known = [choice.text for choice in self.choices]
        msg = f"{text!r} cannot be chosen here{nearest(text, known)}"
        raise ChoiceError(msg)

    def __repr__(self) -> str:
        so_far = " / ".join(map(str, self.taken)) or "nothing yet"
        if self.is_complete:
            return f"<Chooser: {so_far}: {self.action}>"
        return f"<Chooser: {so_far}; {', '.join(map(str, self.choices)) or 'none'}>"


def chooser(state: State, seat: int | None = None) -> Chooser:
    """
    Begin to choose an action.

    Args:
        state: The state that it is for.
        seat: Who is to act; if it is left out and several may, that is chosen first.

    Returns:
        A chooser, without choices if the seat may not act, or nobody.
    """
    acting = [one for one in state.to_act if seat in {None, one}]
    if len(acting) == 1:
        return Chooser(state, (), _Branches(state, acting[0]).root())
    seats = _fork(
        [
            (Choice(f"seat {one}", "seat", number=one), _Branches(state, one).root)
            for one in acting
        ]
    )
    return Chooser(state, (), seats)


# ------------------------------------------------------------------------- the tree


Branch = tuple[Choice, Callable[[], "_Node | None"]]


class _Node:
    """
    A point of the tree: an action at an end, or the branches from there.

    Private to the choosers, and changed only in what it remembers of itself.

    Attributes:
        action: The action of an end.
        state: The state that an action is for, unless it is known to be legal.
        wide: Whether each branch is searched by itself, since they are few.
        wanted: Mask of the cards that are tried first.
        leads: Whether a legal action is found on it; None if nobody looked.
    """

    __slots__ = ("_branches", "_grow", "action", "leads", "state", "wanted", "wide")

    def __init__(
        self,
        grow: Callable[[], Iterable[Branch]] | None = None,
        *,
        action: Action | None = None,
        state: State | None = None,
        wide: bool = True,
        wanted: int = 0,
    ) -> None:
        self.action = action
        self.state = state
        self.wide = wide
        self.wanted = wanted
        self.leads: bool | None = None
        self._grow = grow
        self._branches: list[tuple[Choice, _Node]] | None = None

    @property
    def branches(self) -> list[tuple[Choice, _Node]]:
        """
        The branches, legal or not, those left out that the cards do not fill.
        """
        if self._branches is None:
            self._branches = []
            for choice, grow in self._grow() if self._grow else ():
                node = grow()
                if node is not None:
                    self._branches.append((choice, node))
        return self._branches

    def in_order(self) -> list[_Node]:
        """
        The nodes of the branches in the order in which they are tried.
        """
        if self.wide:
            return [node for _, node in self.branches]
        ranked = sorted(self.branches, key=lambda branch: self._rank(branch[0]))
        return [node for _, node in ranked]

    def _rank(self, choice: Choice) -> int:
        if choice.kind == "done":
            return 1
        if choice.kind == "card" and choice.card is not None:
            return 0 if self.wanted & FIELD[choice.card.code] else 2
        return 2


def leads(node: _Node) -> bool:
    """
    Whether a branch leads to a legal action, as far as that is looked for.
    """
    return _search(node, [LOOKS])


def _search(node: _Node, looks: list[int]) -> bool:
    """
    Whether a legal action is found on a branch, before so many looks are used up.
    """
    if node.leads is None:
        looks[0] -= 1
        if node.action is not None:
            node.leads = _is_legal(node)
        else:
            whole = True
            for branch in node.in_order():
                own = [LOOKS] if node.wide else looks
                if _search(branch, own):
                    node.leads = True
                    break
                whole = whole and own[0] > 0
                if looks[0] <= 0:
                    break
            if whole and node.leads is None:
                node.leads = False
    return bool(node.leads)


def _is_legal(node: _Node) -> bool:
    assert node.action is not None  # noqa: S101 -- for the type checker
    if node.state is None:
        return True
    return not isinstance(planned(node.state, node.action), Objection)


def _fork(branches: Sequence[Branch], *, wide: bool = True, wanted: int = 0) -> _Node:
    """
    Some branches; where there are too many to be offered at once, a range comes first.
    """
    if len(branches) > MOST_CHOICES:
        branches = [
            (
                Choice(f"{some[0][0].number} to {some[-1][0].number}", "numbers"),
                functools.partial(_fork, some, wide=wide, wanted=wanted),
            )
            for some in (
                branches[at : at + MOST_CHOICES]
                for at in range(0, len(branches), MOST_CHOICES)
            )
        ]
    return _Node(lambda: branches, wide=wide, wanted=wanted)


def _asked(branches: Sequence[Branch], wanted: int) -> _Node | None:
    """
    Some branches inside of a shape; what is the only one is not asked for.
    """
    if len(branches) == 1:
        return branches[0][1]()
    return _fork(branches, wide=False, wanted=wanted) if branches else None


# --------------------------------------------------------------------- what is chosen


def _card(code: int) -> Choice:
    return Choice(str(CARDS[code]), "card", CARDS[code])


def _number(number: int) -> Choice:
    return Choice(str(number), "number", number=number)


def _verb(text: str) -> Choice:
    return Choice(text, "verb")


_DONE: Final = Choice("done", "done")
_NEW: Final = Choice("new meld", "on")


@attrs.frozen
class _Branches:
    """
    The tree of what a seat may do.
    """

    state: State
    seat: int

    def root(self) -> _Node:
        """
        The verbs.
        """
        return _Node(self._verbs)

    def _end(self, action: Action, *, legal: bool = False) -> _Node:
        return _Node(action=action, state=None if legal else self.state)

    def _verbs(self) -> Iterator[Branch]:
        state, seat = self.state, self.seat
        match state.phase:
            case "draw":
                if state._stock:
                    yield _verb("draw"), lambda: self._end(Draw(seat))
                yield _verb("take"), lambda: _Node(self._takes)
                if not state._stock:
                    yield _verb("pass"), lambda: self._end(Pass(seat))
            case "play":
                yield _verb("meld"), self._melds
                yield _verb("lay"), self._layoffs
                yield _verb("put"), self._puts
                yield _verb("swap"), self._swaps
                yield _verb("split"), self._splits
                yield _verb("discard"), lambda: self._discards(legal_discards)
            case "call":
                yield _verb("rummy"), self._calls
                yield _verb("pass"), lambda: self._end(Pass(seat))
            case "discard":
                yield _verb("discard"), lambda: self._discards(may_discard)
            case "choose":
                yield _verb("choose"), self._sizes

    # ------------------------------------------------------------- draws and discards

    def _takes(self) -> Iterator[Branch]:
        ends: list[Branch] = [
            (
                _number(number),
                functools.partial(self._end, Take(number, self.seat), legal=True),
            )
            for number in legal_takes(self.state, self.seat)
        ]
        if len(ends) <= MOST_CHOICES:
            yield from ends
        else:
            for choice, node in _fork(ends).branches:
                yield choice, functools.partial(_given, node)

    def _discards(self, ways: Callable[[State, int], Iterator[int]]) -> _Node:
        state, seat = self.state, self.seat
        return _Node(
            lambda: [
                (
                    _card(code),
                    functools.partial(self._end, discard(code, seat), legal=True),
                )
                for code in ways(state, seat)
            ]
        )

    def _sizes(self) -> _Node:
        return _fork(
            [
                (_number(one), functools.partial(self._end, Choose(one, self.seat)))
                for one in self.state.rules.deal.choices()
            ]
        )

    # ------------------------------------------------------------------------- plays

    def _melds(self) -> _Node:
        state, seat = self.state, self.seat
        bits = state._hands[seat]
        only_natural = state.rules.meld.refuse_first(
            has_meld=state.has_meld(seat), natural=False
        )
        if only_natural is not None:
            bits &= terms_of(state).natural_mask | FIELD[JOKER]
            if terms_of(state).wild[JOKER]:
                bits &= ~FIELD[JOKER]
        return self._shapes(
            bits, self._at_once(), lambda cards: self._end(LayDown(cards, seat))
        )

    def _shapes(self, bits: int, need: int, end: _Finish) -> _Node:
        return _NewMelds(terms_of(self.state), bits, need, self._owed(), end).shapes()

    def _owed(self) -> int:
        """
        Mask of the cards to try first: those owed, or in a call those that are called.
        """
        state = self.state
        if state.phase == "call":
            return _mask(pack(state._discards))
        if state.drawn is None:
            return 0
        return sum({FIELD[duty.code] for duty in state.drawn.duties})

    def _at_once(self) -> int:
        """
        Mask of the card that has to be laid before anything else; 0 for none.
        """
        drawn = self.state.drawn
        if drawn is not None:
            for duty in drawn.duties:
                if duty.at_once:
                    return FIELD[duty.code]
        return 0

    def _must(self) -> int:
        need = self._at_once()
        return next(faces(need)) if need else -1

    def _layoffs(self) -> _Node:
        state, seat = self.state, self.seat
        bits = state._hands[seat]
        branches: list[Branch] = []
        for number, meld in onto(state, seat, self._must()):

            def grow(number: int = number, meld: Meld = meld) -> _Node | None:
                def end(cards: tuple[Played, ...], side: End | None) -> _Node:
                    return self._end(LayOff(cards, number, side, seat))

                return self._growths(meld, bits, self._at_once(), end, beside=True)

            branches.append((_on(number), grow))
        return _fork(branches)

    def _growths(
        self, meld: Meld, bits: int, need: int, end: _FinishAt, *, beside: bool
    ) -> _Node | None:
        terms = terms_of(self.state)
        return _Growths(terms, meld, bits, need, self._owed(), end, beside).start()

    def _puts(self) -> _Node:
        return _fork(
            [
                (_card(put.card.code), functools.partial(self._end, put))
                for put, _ in puts(self.state, self.seat)
            ]
        )

    def _swaps(self) -> _Node:
        by_card: dict[int, list[Branch]] = {}
        for swap, _ in swaps(self.state, self.seat, self._must()):
            by_card.setdefault(swap.card.code, []).append(
                (_on(swap.meld), functools.partial(self._end, swap))
            )
        return _fork(
            [
                (_card(code), functools.partial(_fork, by_card[code]))
                for code in sorted(by_card)
            ]
        )

    def _splits(self) -> _Node:
        by_meld: dict[int, list[Branch]] = {}
        for split, _ in splits(self.state, self.seat):
            by_meld.setdefault(split.meld, []).append(
                (_number(split.after), functools.partial(self._end, split))
            )
        return _fork(
            [
                (_on(number), functools.partial(_fork, found))
                for number, found in by_meld.items()
            ]
        )

    # ------------------------------------------------------------------------- calls

    def _calls(self) -> _Node:
        state, seat = self.state, self.seat
        call = state.rules.call
        pile = pack(state._discards)
        if call.calls == "discard":
            pile = UNIT[state._discards[-1]]
        bits = pile
        whole_pile = call.calls == "pile"
        if whole_pile and call.with_hand and call.takes != "those cards":
            bits += state._hands[seat]
        branches: list[Branch] = []
        if whole_pile and call.melds:
            all_cards = pile + (state._hands[seat] if call.with_hand else 0)
            branches.append(
                (
                    _NEW,
                    lambda: self._shapes(
                        all_cards,
                        _mask(pile),
                        lambda cards: self._end(CallRummy(cards, seat=seat)),
                    ),
                )
            )
        for number, meld in melds_by_number(state):
            if meld.kind == "wild" and meld.maker != seat:
                continue

            def grow(number: int = number, meld: Meld = meld) -> _Node | None:
                def end(cards: tuple[Played, ...], side: End | None) -> _Node:
                    return self._end(CallRummy(cards, number, side, seat))

                return self._growths(meld, bits, _mask(pile), end, beside=False)

            branches.append((_on(number), grow))
        return _fork(branches)


def _given(node: _Node) -> _Node:
    return node


def _on(number: int) -> Choice:
    return Choice(f"on {number}", "on", number=number)


def _mask(bits: int) -> int:
    """
    Mask of the faces of a multiset.
    """
    return sum([FIELD[code] for code in faces(bits)])


# ----------------------------------------------------------------- cards of a shape


_Finish = Callable[[tuple[Played, ...]], "_Node | None"]
_FinishAt = Callable[[tuple[Played, ...], "End | None"], "_Node | None"]


@attrs.frozen
class _Filling:
    """
    Cards for the places of a shape, place after place, and then the wilds for the rest.

    Attributes:
        terms: The terms of the deal.
        bits: The cards at hand.
        need: Mask of cards of which one has to be used; 0 for none.
        wanted: Mask of the cards that are tried first.
        naturals: Natural cards that the meld holds already; -1 for a new meld.
        wilds: Wilds that it holds already and that count for the limit.
    """

    terms: Terms
    bits: int
    need: int
    wanted: int
    naturals: int
    wilds: int

    def all_of(
        self,
        places: tuple[int, ...],
        finish: _Finish,
        own: int = 0,
        holes: tuple[int, ...] = (),
        at: int = 0,
    ) -> _Node | None:
        """
        Every place filled, by its own card or by a wild.

        Args:
            places: The codes of the cards that the places stand for.
            finish: What makes a node of the cards.
            own: The cards that are in their own places so far.
            holes: The numbers of the places left to wilds so far.
            at: How many places are decided.
        """
        for now in range(at, len(places)):
            unit = UNIT[places[now]]
            as_own = self.bits & FIELD[places[now]] and self._fillable(
                places, own + unit, holes, now + 1
            )
            as_hole = self._fillable(places, own, (*holes, now), now + 1)
            if as_own and as_hole:
                return _asked(
                    [
                        (
                            _card(places[now]),
                            functools.partial(
                                self.all_of, places, finish, own + unit, holes, now + 1
                            ),
                        ),
                        (
                            _wild_for(places[now]),
                            functools.partial(
                                self.all_of,
                                places,
                                finish,
                                own,
                                (*holes, now),
                                now + 1,
                            ),
                        ),
                    ],
                    self.wanted,
                )
            if as_own:
                own += unit
            elif as_hole:
                holes = (*holes, now)
            else:
                return None
        return self.wilds_for(places, own, holes, finish)

    def _fillable(
        self, places: tuple[int, ...], own: int, holes: tuple[int, ...], at: int
    ) -> bool:
        """
        Whether the places not decided can be filled, the limits on wilds kept.
        """
        terms, bits = self.terms, self.bits
        gone = homes = 0
        any_own = own
        for code in places[at:]:
            if not bits & FIELD[code]:
                gone += 1
                continue
            any_own = 1
            if terms.wild[code]:
                homes += 1
        homes += size(own & terms.wild_mask)
        gone += len(holes)
        if gone + homes > size(bits & terms.wild_mask):
            return False
        if self.naturals < 0 and not any_own:
            return False
        return self.within_limit(len(places), gone, homes)

    def within_limit(self, length: int, holes: int, homes: int) -> bool:
        """
        Whether so many wilds among so many new cards keep the limit.

        Args:
            length: How many cards are new.
            holes: How many of them are wilds that do not stand for themselves.
            homes: How many are wilds that do.
        """
        terms = self.terms
        counted = holes if terms.own_place_is_natural else holes + homes
        naturals = max(self.naturals, 0) + length - counted
        return not counted or counted <= wild_room(terms, naturals, self.wilds)

    def wilds_for(
        self,
        places: tuple[int, ...],
        own: int,
        holes: tuple[int, ...],
        finish: _Finish,
        chosen: tuple[int, ...] = (),
    ) -> _Node | None:
        """
        Which wilds go to the holes, lowest first; where each goes follows from that.
        """
        targets = tuple(places[at] for at in holes)
        pool = self.bits & self.terms.wild_mask
        for code in faces(own & self.terms.wild_mask):
            pool -= own & FIELD[code]
        while len(chosen) < len(holes):
            left = pool - pack(chosen)
            some: list[int] = []
            rest = len(holes) - len(chosen)
            kinds = [code for code in faces(left) if not chosen or code >= chosen[-1]]
            for number, code in enumerate(kinds):
                if sum(count(left, one) for one in kinds[number:]) < rest:
                    break
                if rest > 1 or arranged((*chosen, code), targets) is not None:
                    some.append(code)
            if len(some) > 1:
                return _asked(
                    [
                        (
                            _card(code),
                            functools.partial(
                                self.wilds_for,
                                places,
                                own,
                                holes,
                                finish,
                                (*chosen, code),
                            ),
                        )
                        for code in some
                    ],
                    self.wanted,
                )
            if not some:
                return None
            chosen = (*chosen, some[0])
        wilds = arranged(chosen, targets)
        if wilds is None or (self.need and not (own + pack(wilds)) & self.need):
            return None
        named = [
            played(code, OWN_PLACE[code] if self.terms.wild[code] else None)
            for code in places
        ]
        for at, wild in zip(holes, wilds, strict=True):
            named[at] = played(wild, OWN_PLACE[places[at]])
        return finish(tuple(named))

    def some_of(
        self,
        places: tuple[int, ...],
        least: int,
        finish: _Finish,
        chosen: tuple[int, ...] = (),
        own: int = 0,
        holes: tuple[int, ...] = (),
        at: int = 0,
    ) -> _Node | None:
        """
        Some of the places filled, so many at least; arguments as for `all_of`.
        """
        terms = self.terms
        branches: list[Branch] = []
        pool = size(self.bits & terms.wild_mask) - size(own & terms.wild_mask)
        for now in range(at, len(places)):
            if len(chosen) + len(places) - now < least:
                break
            code = places[now]
            if self.bits & FIELD[code]:
                branches.append(
                    (
                        _card(code),
                        functools.partial(
                            self.some_of,
                            places,
                            least,
                            finish,
                            (*chosen, code),
                            own + UNIT[code],
                            holes,
                            now + 1,
                        ),
                    )
                )
            if len(holes) < pool:
                branches.append(
                    (
                        _wild_for(code),
                        functools.partial(
                            self.some_of,
                            places,
                            least,
                            finish,
                            (*chosen, code),
                            own,
                            (*holes, len(chosen)),
                            now + 1,
                        ),
                    )
                )
        if (
            len(chosen) >= least
            and (own or self.naturals >= 0)
            and len(holes) <= pool
            and self.within_limit(len(chosen), len(holes), size(own & terms.wild_mask))
        ):
            branches.append(
                (
                    _DONE,
                    functools.partial(self.wilds_for, chosen, own, holes, finish),
                )
            )
        return _asked(branches, self.wanted)

    def free_set(self, rank: str, finish: _Finish) -> _Node | None:
        """
        Cards of a set whose suits do not matter: naturals first, then wilds.
        """
        terms = self.terms
        mask = terms.rank_masks[rank]
        new = self.naturals < 0
        least = terms.least_set if new else 1

        def within(chosen: int, more: int) -> bool:
            # What may still come counts as far as it helps.
            wild = chosen & terms.wild_mask
            at_home = size(wild & mask)
            naturals = size((chosen + more) & mask & terms.natural_mask)
            counted = size(wild)
            if terms.own_place_is_natural:
                counted -= at_home
                naturals += size((chosen + more) & terms.wild_mask & mask)
            if new and not (chosen + more) & mask:
                return False
            return not counted or counted <= wild_room(
                terms, max(self.naturals, 0) + naturals, self.wilds
            )

        def end(chosen: int) -> _Node | None:
            natural = _codes(chosen & terms.natural_mask)
            wild = _codes(chosen & terms.wild_mask)
            return finish(
                (
                    *map(played, natural),
                    *(
                        played(
                            code,
                            OWN_PLACE[code] if FIELD[code] & mask else place(rank),
                        )
                        for code in wild
                    ),
                )
            )

        order = (
            *faces(self.bits & mask & terms.natural_mask),
            *faces(self.bits & terms.wild_mask),
        )
        return self.part_of(order, least, end, within)

    def part_of(
        self,
        order: tuple[int, ...],
        least: int,
        finish: Callable[[int], _Node | None],
        within: Callable[[int, int], bool] | None = None,
        most: int = 99,
        chosen: int = 0,
        at: int = 0,
    ) -> _Node | None:
        """
        Some cards, one after another, and none that comes before the last one.

        Args:
            order: The faces to choose from, in their order.
            least: How many cards at least.
            finish: What makes a node of the cards.
            within: Whether some cards keep the limits, others perhaps added to them.
            most: How many cards at most.
            chosen: The cards chosen so far.
            at: The place of the last one in the order.
        """
        branches: list[Branch] = []
        more = sum([self.bits & FIELD[code] for code in order[at:]])
        if at < len(order):
            more -= chosen & FIELD[order[at]]
        number = size(chosen)
        for now in range(at, len(order) if number < most else 0):
            if now > at:
                more &= ~FIELD[order[now - 1]]
            unit = UNIT[order[now]]
            if not more & FIELD[order[now]]:
                continue
            if number + size(more) < least:
                break
            if self.need and not (chosen + more) & self.need:
                break
            if within is not None and not within(chosen + unit, more - unit):
                continue
            branches.append(
                (
                    _card(order[now]),
                    functools.partial(
                        self.part_of,
                        order,
                        least,
                        finish,
                        within,
                        most,
                        chosen + unit,
                        now,
                    ),
                )
            )
        if (
            number >= least
            and (not self.need or chosen & self.need)
            and (within is None or within(chosen, 0))
        ):
            branches.append((_DONE, functools.partial(finish, chosen)))
        return _asked(branches, self.wanted)


def _wild_for(code: int) -> Choice:
    return Choice(f"wild for {CARDS[code]}", "wild", CARDS[code])


def _codes(bits: int) -> tuple[int, ...]:
    return tuple(code for code in faces(bits) for _ in range(count(bits, code)))


@attrs.frozen
class _NewMelds:
    """
    The tree of the new melds that some cards make.
    """

    terms: Terms
    bits: int
    need: int
    wanted: int
    end: _Finish

    def _filling(self) -> _Filling:
        return _Filling(self.terms, self.bits, self.need, self.wanted, -1, 0)

    def shapes(self) -> _Node:
        """
        Sets by rank, runs by suit, wilds alone.
        """
        return _Node(self._shapes)

    def _shapes(self) -> Iterator[Branch]:
        terms, bits = self.terms, self.bits
        filling = self._filling()
        near = bits & terms.natural_mask
        wilds = bits & terms.wild_mask
        if terms.sets:
            for rank in terms.ranks:
                mask = terms.rank_masks[rank]
                if not bits & mask or self._useless((bits & mask) | wilds):
                    continue
                held = size(near & mask)
                if held + size(wilds) < terms.least_set:
                    continue
                if terms.distinct:
                    grow = functools.partial(
                        filling.some_of, terms.set_codes[rank], terms.least_set
                    )
                else:
                    grow = functools.partial(filling.free_set, rank)
                yield (
                    Choice(f"set of {rank}", "shape"),
                    functools.partial(grow, finish=self.end),
                )
            if not terms.wild[JOKER] and count(bits, JOKER) >= terms.least_set:
                yield Choice("set of *", "shape"), lambda: self._alone((JOKER,))
        if terms.runs:
            usable = min(size(wilds), wild_room(terms, 99, 0))
            for suit in terms.suits:
                windows = self._windows(suit, usable)
                if windows:
                    yield (
                        Choice(f"run of {suit}", "shape"),
                        functools.partial(self._runs, windows),
                    )
        if terms.wild_melds and size(wilds) >= terms.least_set:
            yield (
                Choice("wilds", "shape"),
                lambda: self._alone(tuple(faces(wilds))),
            )

    def _useless(self, cards: int) -> bool:
        return bool(self.need) and not cards & self.need

    def _alone(self, order: tuple[int, ...]) -> _Node | None:
        return self._filling().part_of(
            order,
            self.terms.least_set,
            lambda chosen: self.end(tuple(map(played, _codes(chosen)))),
        )

    def _windows(self, suit: str, usable: int) -> list[tuple[int, ...]]:
        """
        The runs of a suit that the cards come near to, as codes from low to high.
        """
        along = self.terms.run_codes[suit]
        held = ranks_held(self.bits >> 64 * SUITS.index(suit))
        return [
            along[low : low + length]
            for low, length, _ in self.terms.runs_along.near(held, usable)
        ]

    def _runs(self, windows: list[tuple[int, ...]]) -> _Node:
        return _by_ends(
            windows,
            lambda window: self._filling().all_of(window, self.end),
        )


def _by_ends(
    windows: Sequence[tuple[int, ...]],
    grow: Callable[[tuple[int, ...]], _Node | None],
) -> _Node:
    """
    Runs by their lowest and then by their highest card.
    """
    by_low: dict[int, list[tuple[int, ...]]] = {}
    for window in windows:
        by_low.setdefault(window[0], []).append(window)
    return _fork(
        [
            (
                _end_of("low", low),
                functools.partial(
                    _fork,
                    [
                        (_end_of("high", one[-1]), functools.partial(grow, one))
                        for one in found
                    ],
                ),
            )
            for low, found in by_low.items()
        ]
    )


def _end_of(kind: Literal["low", "high"], code: int) -> Choice:
    word = {"low": "from", "high": "to"}[kind]
    return Choice(f"{word} {CARDS[code]}", kind, CARDS[code])


@attrs.frozen
class _Growths:
    """
    The tree of what may be laid off on a meld, or beside wilds of it.
    """

    terms: Terms
    meld: Meld
    bits: int
    need: int
    wanted: int
    end: _FinishAt
    beside: bool

    def start(self) -> _Node | None:
        """
        Cards to go beside wilds, and then cards by which the meld grows.
        """
        terms, meld = self.terms, self.meld
        if meld.kind == "wild":
            return self._on_single()
        if meld.kind == "wilds":
            order = tuple(faces(self.bits & terms.wild_mask))
            return self._part(order, 1)
        return self._go_on((), 0)

    def _filling(self, bits: int, need: int, naturals: int, wilds: int) -> _Filling:
        return _Filling(self.terms, bits, need, self.wanted, naturals, wilds)

    def _part(self, order: tuple[int, ...], least: int, most: int = 99) -> _Node | None:
        filling = self._filling(self.bits, self.need, 0, 0)
        return filling.part_of(
            order,
            least,
            lambda chosen: self.end(tuple(map(played, _codes(chosen))), None),
            most=most,
        )

    def _on_single(self) -> _Node | None:
        terms = self.terms
        if not terms.sets:
            return None
        least = terms.least_set - 1
        branches: list[Branch] = []
        for rank in terms.ranks:
            order = tuple(
                faces(self.bits & terms.rank_masks[rank] & terms.natural_mask)
            )
            if not order:
                continue
            branches.append(
                (
                    Choice(f"set of {rank}", "shape"),
                    functools.partial(self._naturals, order, least),
                )
            )
        return _fork(branches)

    def _naturals(self, order: tuple[int, ...], least: int) -> _Node | None:
        terms = self.terms
        if not terms.distinct:
            return self._part(order, least)
        once = _Growths(
            terms,
            self.meld,
            pack(order),
            self.need,
            self.wanted,
            self.end,
            self.beside,
        )
        return once._part(order, least, len(terms.suits) - 1)

    def _go_on(self, lying: tuple[int, ...], at: int) -> _Node | None:
        """
        More cards beside wilds, or the growth after those that were chosen.
        """
        terms, bits = self.terms, self.bits
        places = []
        if self.beside:
            found = uncovered(terms, self.meld)
            places = [code for code in found if bits & FIELD[code]]
        if not places:
            return self._grown(lying)
        branches: list[Branch] = [
            (
                Choice(f"{CARDS[places[now]]} beside", "beside", CARDS[places[now]]),
                functools.partial(self._go_on, (*lying, places[now]), now + 1),
            )
            for now in range(at, len(places))
        ]
        branches.append((Choice("grow", "on"), lambda: self._grown(lying)))
        if lying and (not self.need or pack(lying) & self.need):
            named = tuple(self._as_itself(code) for code in lying)
            branches.append((_DONE, lambda: self.end(named, None)))
        return _fork(branches, wide=False, wanted=self.wanted)

    def _as_itself(self, code: int) -> Played:
        return played(code, OWN_PLACE[code] if self.terms.wild[code] else None)

    def _grown(self, lying: tuple[int, ...]) -> _Node | None:
        terms, meld = self.terms, self.meld
        bits = self.bits - pack(lying)
        if not (meld.grows & bits or bits & terms.wild_mask):
            return None
        counted = counted_wilds(terms, meld.slots)
        need = 0 if pack(lying) & self.need else self.need
        filling = self._filling(bits, need, len(meld) - counted, counted)
        named = tuple(self._as_itself(code) for code in lying)
        if meld.kind == "run":
            return self._run(filling, named)

        def finish(cards: tuple[Played, ...]) -> _Node | None:
            return self.end(named + cards, None)

        if meld.rank == "*":
            return filling.part_of(
                (JOKER,),
                1,
                lambda chosen: finish(tuple(map(played, _codes(chosen)))),
            )
        if not terms.distinct:
            return filling.free_set(meld.rank, finish)
        taken = {slot.code for slot in meld.slots}
        free = tuple(c for c in terms.set_codes[meld.rank] if c not in taken)
        return filling.some_of(free, 1, finish)

    def _run(self, filling: _Filling, named: tuple[Played, ...]) -> _Node | None:
        terms, meld = self.terms, self.meld
        along = terms.run_codes[meld.suit]
        by_low: dict[int, list[Branch]] = {}
        for below, above in self._reaches(filling.bits):
            low, top = meld.low - below, meld.low + len(meld) + above
            places = along[low : meld.low] + along[top - above : top]
            side = layoffs.end_to_say(terms, meld, below, above)

            def grow(
                places: tuple[int, ...] = places,
                side: End | None = side,  # type: ignore[assignment]
            ) -> _Node | None:
                return filling.all_of(
                    places, lambda cards: self.end(named + cards, side)
                )

            by_low.setdefault(along[low], []).append(
                (_end_of("high", along[top - 1]), grow)
            )
        return _fork(
            [
                (_end_of("low", low), functools.partial(_fork, found))
                for low, found in by_low.items()
            ]
        )

    def _reaches(self, bits: int) -> Iterator[tuple[int, int]]:
        """
        By how many cards the run may grow below and above.
        """
        terms, meld = self.terms, self.meld
        wilds = size(bits & terms.wild_mask)
        along = terms.run_codes[meld.suit]
        top = meld.low + len(meld)
        for below in range(len(terms.track)):
            for above in range(len(terms.track)):
                low, total = meld.low - below, len(meld) + below + above
                if not below + above:
                    continue
                if below + above > size(bits) or not terms.fits_track(low, total):
                    break
                places = along[low : meld.low] + along[top : top + above]
                if sum(not bits & FIELD[code] for code in places) > wilds:
                    break
                if not layoffs._closed_above(terms, meld, below, total):
                    yield below, above
