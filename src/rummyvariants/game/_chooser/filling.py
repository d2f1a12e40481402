"""
Which cards fill a shape, asked for place after place or card after card.
"""

from __future__ import annotations

import functools

from collections.abc import Callable

import attrs

from rummyvariants.cards import FIELD, UNIT, codes, count, faces, pack, size
from rummyvariants.game._chooser.choices import DONE, for_card, wild_for
from rummyvariants.game._chooser.tree import Branch, Node, asked
from rummyvariants.melds._combos import arranged, wild_room
from rummyvariants.melds._meld import OWN_PLACE, Played, place, played
from rummyvariants.melds._tables import Terms


Finish = Callable[[tuple[Played, ...]], Node | None]


@attrs.frozen
class Filling:
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
        finish: Finish,
        own: int = 0,
        holes: tuple[int, ...] = (),
        at: int = 0,
    ) -> Node | None:
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
                return asked(
                    [
                        (
                            for_card(places[now]),
                            functools.partial(
                                self.all_of, places, finish, own + unit, holes, now + 1
                            ),
                        ),
                        (
                            wild_for(places[now]),
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
        if not self._may_meet(own, places[at:]):
            return False
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

    def _may_meet(self, own: int, places: tuple[int, ...]) -> bool:
        """
        Whether the card that has to be used may be among some cards and those to come.

        A wild one may go anywhere, so that it is not looked for.
        """
        return (
            not self.need
            or bool(self.need & (own | self.terms.wild_mask))
            or any(self.need & FIELD[code] for code in places)
        )

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
        finish: Finish,
        chosen: tuple[int, ...] = (),
    ) -> Node | None:
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
                return asked(
                    [
                        (
                            for_card(code),
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
        finish: Finish,
        chosen: tuple[int, ...] = (),
        own: int = 0,
        holes: tuple[int, ...] = (),
        at: int = 0,
    ) -> Node | None:
        """
        Some of the places filled, so many at least; arguments as for `all_of`.
        """
        terms = self.terms
        branches: list[Branch] = []
        pool = size(self.bits & terms.wild_mask) - size(own & terms.wild_mask)
        for now in range(at, len(places)):
            if len(chosen) + len(places) - now < least:
                break
            if not self._may_meet(own, places[now:]):
                break
            code = places[now]
            if self.bits & FIELD[code]:
                branches.append(
                    (
                        for_card(code),
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
                        wild_for(code),
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
            and self._may_meet(own, ())
            and (own or self.naturals >= 0)
            and len(holes) <= pool
            and self.within_limit(len(chosen), len(holes), size(own & terms.wild_mask))
        ):
            branches.append(
                (
                    DONE,
                    functools.partial(self.wilds_for, chosen, own, holes, finish),
                )
            )
        return asked(branches, self.wanted)

    def free_set(self, rank: str, finish: Finish) -> Node | None:
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

        def end(chosen: int) -> Node | None:
            natural = codes(chosen & terms.natural_mask)
            wild = codes(chosen & terms.wild_mask)
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
        finish: Callable[[int], Node | None],
        within: Callable[[int, int], bool] | None = None,
        most: int = 99,
        chosen: int = 0,
        at: int = 0,
    ) -> Node | None:
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
                    for_card(order[now]),
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
            branches.append((DONE, functools.partial(finish, chosen)))
        return asked(branches, self.wanted)
