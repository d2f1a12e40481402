"""Legal actions: lazy, set-like, in a stable order."""

from __future__ import annotations

import functools
import itertools

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from rummyvariants._support.words import listed
from rummyvariants.actions import Action
from rummyvariants.cards import Card
from rummyvariants.errors import Seat, need, seat_number, unfit
from rummyvariants.game._engine.game import allows
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._state import Leaf, State, action_of, remember, seats_of
from rummyvariants.game.verbs._known import VERBS, offers_in, offers_with, tree_of
from rummyvariants.melds._tree import Fork, RandRange, descend, gather, leaves


if TYPE_CHECKING:
    import random

    from rummyvariants.game._listing import ActionPage, LegalAction


_SHOWN: Final = 12
_PRINTED: Final = 1000
"""How many actions are printed."""
_KEPT: Final = 4096
_TRIES: Final = 2
"""How many dead ends a sample meets below a verb before it tries another one."""
_ALL: Final = 1 << 60
"""The same, once all verbs were tried: as many as there are."""


class LegalActions:
    """
    Everything that may be done in a state.

    Iterating yields each action once, with wilds fully declared. Two cards of the
    same face, or two wilds that change places, make one action. ``in`` asks the rules
    about a single action and lists nothing. A deal is an action of chance: ``in``
    finds it if no seat was given, but iterating does not yield it.

    ``len`` and an index make no action but the one that is asked for where nothing but
    the cards decides what may be played; `count_by_kind` and a slice list all actions.
    Nothing is counted before. So ``random.choice(legal)`` works as `choice` does.

    A list prints line by line, and equals any other that has the same actions, as
    actions or as texts.

    >>> legal = rv.legal_actions(rv.new_game("rummy-500", ["Ann", "Ben"], seed=3))
    >>> print(legal)
    draw
    take 1
    >>> legal == ["draw", "take 1"]
    True

    The order depends on the state alone. For each seat it is that of the tree of
    choices: draw, takes from one card up, pass; or melds (sets by rank, runs by suit,
    wilds alone), lay-offs by the number of the meld, single wilds put down, swaps,
    splits, discards by suit and rank, knocks by their discards, big gin last; or
    calls on the melds by number, calls of new melds, pass; or the first upcard, pass;
    or lay-offs after a knock, pass.

    >>> state = rv.apply(rv.new_game("rummy-500", 2, seed=3), "draw")
    >>> legal = rv.legal_actions(state)
    >>> "discard Kd" in legal, "draw" in legal, len(legal)
    (True, False, 11)
    """

    __slots__ = ("_all", "_kept", "_length", "_seats", "_state")

    def __init__(self, state: State, seat: Seat | None = None) -> None:
        if type(state) is not State:
            need("state", state, State, others=(seat,))
        self._state = state
        self._kept: list[Sequence[Leaf]] | None = None
        self._length = -1
        self._all = seat is None
        self._seats = seats_of(state.frames[-1].waiting)
        if seat is not None:
            number = seat_number(seat, state.match.players)
            self._seats = (number,) if number in self._seats else ()

    @classmethod
    def _of_nobody(cls, state: State) -> LegalActions:
        """
        What somebody may do who has no seat: nothing.
        """
        found = cls(state)
        found._all, found._seats = False, ()
        return found

    def __iter__(self) -> Iterator[Action]:
        return itertools.chain.from_iterable(self._lots())

    def _lots(self) -> Iterator[Iterable[Action]]:
        # `list` asks for an iterator, then for the length, then for the items: what was
        # counted need not be found again.
        if self._kept is None or self._length > _KEPT:
            yield map(self._remembered, self._leaves())
        else:
            every = [*itertools.chain.from_iterable(self._kept)]
            remember(self._state, every)
            yield map(action_of, every)

    def _remembered(self, leaf: Leaf) -> Action:
        remember(self._state, leaf)
        return leaf[0]

    def _leaves(self) -> Iterator[Leaf]:
        if len(self._seats) == 1:
            return leaves_of(self._state, self._seats[0])
        return itertools.chain.from_iterable(
            leaves_of(self._state, seat) for seat in self._seats
        )

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, str) and type(action) not in VERBS:
            return False
        asked = cast("Action | str", action)
        if self._seats != self._state.to_act or not (self._seats or self._all):
            return any(allows(self._state, asked, seat) for seat in self._seats)
        return allows(self._state, asked)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __len__(self) -> int:
        if self._length < 0:
            state = self._state
            kept: list[Any] = [[]]
            offers = offers_in(state)
            found = [offer(state, seat) for seat in self._seats for _, offer in offers]
            if gather(found, _KEPT, kept) >= _KEPT:
                return sum(1 for _ in self._leaves())
            self._kept = kept
            self._length = sum(map(len, kept))
        return self._length

    def __getitem__(self, at: Any) -> Any:
        try:
            place = range(len(self))[at]
        except TypeError:
            wanted = "an int or a slice"
            if isinstance(at, str):
                wanted += f"; [one for one in legal if one.kind == {at!r}] picks a kind"
            raise unfit(at, "the index", wanted) from None
        if isinstance(place, range):
            return tuple(self)[at]
        for part in self._kept or ():
            if place < len(part):
                return self._remembered(part[place])
            place -= len(part)
        return next(itertools.islice(self, place, None))

    def count_by_kind(self) -> dict[str, int]:
        """
        How many actions there are of each kind, by verb: ``{"draw": 1, "take": 3}``.

        Kinds without an action are left out; the others are in the order of the list.

        >>> hands = {"Ann": "7h 8h 9h 2c", "Ben": "Kd"}
        >>> state = rv.position("rummy-500", hands=hands, phase="play", fill=True)
        >>> rv.legal_actions(state).count_by_kind()
        {'meld': 1, 'discard': 4}
        """
        return dict(Counter([VERBS[type(one)].name_of(one) for one in self]))

    def details(self, card: Card | str | None = None) -> Iterator[LegalAction]:
        """
        The actions as structures, found one after another.

        Args:
            card: Only those that involve this card: that name it, or take it from the
                discard pile. By default all.

        Raises:
            ParseError: If it is not a card.

        >>> hands = {"Ann": "7h 8h 9h 2c", "Ben": "Kd"}
        >>> state = rv.position("rummy-500", hands=hands, phase="play", fill=True)
        >>> [one.text for one in rv.legal_actions(state).details("7h")]
        ['meld 7h 8h 9h', 'discard 7h']
        """
        from rummyvariants.game._listing import (  # noqa: PLC0415 -- seldom needed
            LegalAction,
        )

        state = self._state
        wanted = _as_card(card)
        every = (LegalAction.of(state, action) for action in self)
        if wanted is None:
            return every
        return (one for one in every if one.involves(wanted))

    def page(
        self, start: int = 0, size: int = 200, card: Card | str | None = None
    ) -> ActionPage:
        """
        Some of the actions as structures, and where to go on.

        No action after the page is looked for, except one to see whether there is any.
        Those before it are found again.

        Args:
            start: How many actions to pass over: the `next` of the page before.
            size: The most actions to list.
            card: As for `details`; the actions that involve the card are counted.

        Raises:
            RequestError: If `start` is no number from 0, or `size` none from 1.
            ParseError: If it is not a card.

        >>> state = rv.apply(rv.new_game("rummy-500", 2, seed=3), "draw")
        >>> page = rv.legal_actions(state).page(size=8)
        >>> len(page.actions), len(rv.legal_actions(state).page(page.next).actions)
        (8, 3)
        """
        from rummyvariants.game._listing import (  # noqa: PLC0415 -- seldom needed
            page_of,
        )

        wanted = _as_card(card)
        seat = self._seats[0] if len(self._seats) == 1 else None
        return page_of(self.details(wanted), seat, wanted, start, size)

    def by_card(self) -> dict[Card, tuple[LegalAction, ...]]:
        """
        For each card, the actions that involve it; this lists all actions.

        Actions without a card, such as a draw, are in none of these groups.

        >>> state = rv.apply(rv.new_game("rummy-500", 2, seed=3), "draw")
        >>> rv.legal_actions(state).by_card()[rv.Card("2s")]
        (<LegalAction 'discard 2s'>,)
        """
        from rummyvariants.game._listing import (  # noqa: PLC0415 -- seldom needed
            grouped,
        )

        return grouped(self.details())

    def sample(self, randrange: random.Random | RandRange) -> Action:
        """
        A legal action at random, without listing all of them.

        It goes down the tree of choices: first the verb, then the rank, suit or meld,
        and so on down to the cards. At each step, every choice that leads to a legal
        action is equally likely, so the actions themselves are not. A verb below which
        the first attempts meet dead ends is put off until no other verb leads to an
        action.

        Args:
            randrange: The source of chance: a `random.Random`, or a function such as
                its ``randrange``, called with a number to give a smaller one.

        Raises:
            ValueError: If nothing may be done.

        >>> import random
        >>> legal = rv.legal_actions(rv.new_game("rummy-500", 2))
        >>> legal.sample(random.Random(1)) in legal
        True
        """
        if not self._seats:
            msg = "nobody may act"
            raise ValueError(msg)
        return sample(self._state, self._seats, randrange_of(randrange))

    def choice(self, randrange: random.Random | RandRange) -> Action:
        """
        A legal action at random, all equally likely; this counts all of them.

        Args:
            randrange: As for `sample`.

        Raises:
            ValueError: If nothing may be done.

        >>> import random
        >>> legal = rv.legal_actions(rv.new_game("gin-rummy", 2))
        >>> random.seed(1)
        >>> random.choice(legal) in legal, legal.choice(random) in legal
        (True, True)
        """
        if not len(self):
            msg = "nothing may be done"
            raise ValueError(msg)
        found: Action = self[randrange_of(randrange)(len(self))]
        return found

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LegalActions):
            if self._state is other._state and self._seats == other._seats:
                return True
        elif not isinstance(other, list | tuple):
            return NotImplemented
        for one, there in itertools.zip_longest(self, other):
            if one is None or (one != there and str(one) != there):
                return False
        return True

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        # What is kept are plans, which follow from the state.
        return _again, (self._state, self._seats, self._all)

    def __str__(self) -> str:
        lines: list[str] = []
        several, last = len(self._seats) > 1, -1
        for at, action in enumerate(self):
            if at == _PRINTED:
                lines.append("... and more")
                break
            seat = cast("int", action.seat)
            if several and seat != last:
                lines.append(f"{self._state.match.players[seat]} may")
                last = seat
            lines.append(f"  {action}" if several else str(action))
        return "\n".join(lines) or "nothing"

    def __repr__(self) -> str:
        first = list(itertools.islice(self, _SHOWN + 1))
        texts = [str(action) for action in first[:_SHOWN]]
        if len(first) > _SHOWN:
            texts.append("...")
        if not texts and self._state.phase == "deal":
            texts = ["none: a deal is due, rv.apply(state, 'deal')"]
        elif not texts and not {*self._seats} & {*self._state.to_act}:
            names = [self._state.players[seat] for seat in self._state.to_act]
            texts = [f"none: {listed(names)} may act"] if names else []
        return f"<LegalActions: {', '.join(texts) or 'none'}>"


def _again(state: State, *rest: Any) -> LegalActions:
    """
    Unpickle legal actions.
    """
    found = LegalActions(state)
    found._seats, found._all = rest
    return found


def _as_card(card: Card | str | None) -> Card | None:
    """
    A card from its text.

    Raises:
        ParseError: If it is not a card.
    """
    return card if card is None or isinstance(card, Card) else Card(card)


def randrange_of(given: Any) -> RandRange:
    """
    The function behind a source of chance.

    Raises:
        TypeError: If it is no such source.
    """
    if type(given).__module__ == "random":  # which not every game has to import
        return functools.partial(_below, given.getrandbits)
    found: Any = given if callable(given) else getattr(given, "randrange", None)
    if found is None or isinstance(given, type):
        raise unfit(given, "randrange", "a random.Random, or its randrange")
    return found  # type: ignore[no-any-return]


def _below(getrandbits: RandRange, number: int) -> int:
    """
    The number that ``randrange`` would give with the same bits, in fewer calls.
    """
    bits = number.bit_length()
    found = getrandbits(bits)
    while found >= number:
        found = getrandbits(bits)
    return found


_WAYS: Final = ((offers_with, _TRIES), (offers_with, _ALL), (offers_in, _ALL))
"""Where a sample looks, and how many dead ends it meets below a verb."""


def sample(state: AnyState, seats: tuple[int, ...], randrange: RandRange) -> Action:
    """
    A random action of one of some seats, as `LegalActions.sample` describes.
    """
    seat = seats[randrange(len(seats))] if len(seats) > 1 else seats[0]
    # What rules forbid is looked at last: only where nothing else is left.
    for offers, tries in _WAYS:
        verbs = list(offers(state))
        while verbs:
            _, offer = verbs.pop(randrange(len(verbs)))
            found = offer(state, seat)
            if isinstance(found, Fork):
                found = descend(found, randrange, [tries])
            if found is not None:
                remember(state, found)
                return found[0]  # type: ignore[no-any-return]
    msg = f"{state.match.players[seat]} is to act, and no action is legal"
    raise ValueError(msg)


def leaves_of(state: AnyState, seat: int) -> Iterator[Leaf]:
    """
    What a seat that may act may do, with its plan, in the order of `LegalActions`.
    """
    return leaves(tree_of(state, seat))
