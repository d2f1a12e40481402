"""
What the rules keep true in play, and so of positions and views as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rummyvariants._support.words import figure, ranks
from rummyvariants.cards import CARDS, FIELD, faces, show, size
from rummyvariants.files._checks import Checks
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.beginning import usual_hand
from rummyvariants.game._engine.dealing import rank_that_follows
from rummyvariants.game._engine.plays import rank_of
from rummyvariants.game._engine.rounds import column_of, is_last
from rummyvariants.game._state import State, absent


def odd_hands(
    state: State, sizes: Sequence[int], *, has_drawn: bool
) -> Iterator[tuple[int, int]]:
    """
    The hands of a size that no play leads to, where melds stay in the hand.

    A hand without cards counts as one that nothing was said of.

    Args:
        state: The state; of its hands and of what was drawn nothing is asked.
        sizes: How many cards each hand has.
        has_drawn: Whether the player in turn has drawn.

    Yields:
        The seat, and how many cards it must hold.
    """
    usual = usual_hand(state.rules, len(state.players), state.round_number)
    if usual is None:
        return
    passed = {*state.out, *absent(state)} if state.rules.out.declares else set()
    shown = state.table if state.out else ()
    laid = [one.seat for meld in shown for one in meld.laid]
    for seat, cards in enumerate(sizes):
        wanted = usual + (has_drawn and seat == state.turn) - laid.count(seat)
        if cards and seat not in passed and cards != wanted:
            yield seat, wanted


def odd_contracts(state: State) -> Iterator[tuple[int, int, str]]:
    """
    The melds of players that are not those of the round's contract.

    Args:
        state: The state; only its table and its rules are asked.

    Yields:
        The place of the last of them on the table, the seat, and the contract.
    """
    rules = state.rules
    if not rules.meld.contracts or rules.call.is_made or rules.wild.split:
        return
    for side in state.sides:
        melds = [
            (at, meld)
            for at, meld in enumerate(state.table)
            if meld.maker in side and meld.kind != "wild"
        ]
        if melds:
            at, last = melds[-1]
            groups, _, _ = asking.first_groups(state, last.maker)
            laid = [(meld.kind, len(meld)) for _, meld in melds]
            left, others = asking.lacking(tuple(groups), laid, exact=False)
            if left or (others and not rules.meld.further):
                yield (
                    at,
                    last.maker,
                    ", ".join([f"{one} {size}" for one, size in groups]),
                )


def is_partial(state: State, sizes: Sequence[int], *, has_drawn: bool) -> bool:
    """
    Whether a state shows only a part of what play would lead to.

    The arguments are those of `odd_hands`.
    """
    if state.is_round_over or state.phase == "deal":
        return False
    odd = any(True for _ in odd_hands(state, sizes, has_drawn=has_drawn))
    return odd or any(True for _ in odd_contracts(state))


@attrs.frozen
class Invariants:
    """
    Notes what no play of a round leads to.

    Attributes:
        checks: The document, and its problems.
        state: What is open to all of it as a state.
        hands: What is known of each hand, as multisets.
        sizes: How many cards each hand has.
    """

    checks: Checks
    state: State
    hands: Sequence[int]
    sizes: Sequence[int]

    def check(self) -> None:
        """
        Check all of them.
        """
        self._match()
        self._round()
        self._hand_sizes()
        self._cards_aside()
        self._sets()
        self._contracts()
        self._turn()

    def _match(self) -> None:
        """
        Note a round after the last, and a wild rank that is not the round's.
        """
        checks, match = self.checks, self.state.match
        if not match.columns and is_last(match) and column_of(self.state).winners:
            message = f"the match would be over after round {match.round_number - 1}"
            checks.wrong("round_number", message, "match.ends")
        rank = rank_that_follows(match)
        if rank is not None and rank != checks.given.wild_rank:
            named = ranks(rank) if rank else "no cards"
            message = f"in round {match.round_number} {named} are wild"
            checks.wrong("wild_rank", message, "wild.indicator")

    def _round(self) -> None:
        """
        Note counts that the round cannot have come to.
        """
        checks, given, stock = self.checks, self.checks.given, self.state.rules.stock
        idle = stock.idle_rounds * checks.number
        if given.idle_turns > idle - (given.phase == "draw"):
            message = f"after {figure(idle, 'idle turn')} in a row the round is over"
            self.checks.wrong("idle_turns", message, "RV-01")
        if given.turned and not stock.turns_over:
            message = "the discard pile is not turned over in this game"
            checks.wrong("turned", message, "stock.when_empty")
        elif given.turned:
            # The last time there were enough discards, and cards had been played.
            last = stock.refuse_turning(len(CARDS), given.turned - 1, fresh=True)
            if last:
                checks.wrong("turned", last.reason, last.path)
        if not given.fresh and not given.turned:
            message = "the discard pile has not been turned over"
            checks.wrong("fresh", message, "stock.when_empty")
        makers = {meld.maker for meld in given.melds if meld.kind != "wild"}
        having = {one for side in self.state.sides if makers & {*side} for one in side}
        have = tuple([seat in having for seat in range(checks.number)])
        checks.same("has_meld", given.has_meld, have)

    def _hand_sizes(self) -> None:
        """
        Note hands of a size that no play leads to, unless the document says so.
        """
        checks, given = self.checks, self.checks.given
        if given.partial:
            return
        by_round = self.state.rules.deal.by_round
        has_drawn = given.drawn is not None
        for seat, wanted in odd_hands(self.state, self.sizes, has_drawn=has_drawn):
            name, cards = given.players[seat], figure(self.sizes[seat], "card")
            after = has_drawn and seat == given.turn
            when = "after" if after else "before"
            message = f"{name} holds {cards}, but a hand has {wanted} {when} the draw"
            path = "deal.by_round" if by_round else "deal.hand_size"
            checks.wrong(f"hands[{seat}]", f"{message}; {_IN_PART}", path)

    def _cards_aside(self) -> None:
        """
        Note cards in hands and melds that the rules lay aside, and others laid aside.
        """
        checks, state = self.checks, self.state
        never = asking.never_held(state)
        path = next(iter(state.rules.asked.get("lays_aside", ())), ("deal.laid_aside",))
        for seat, hand in enumerate(self.hands):
            if hand & never:
                message = f"no hand holds {show(faces(hand & never))}: it is laid out"
                checks.wrong(f"hands[{seat}]", message, path[0])
        for at, meld in enumerate(state.table):
            for code in {one.card.code for one in meld.laid}:
                if never & FIELD[code]:
                    message = f"{CARDS[code]} is laid out, and not melded"
                    checks.wrong(f"table[{at}]", message, path[0])
        zones = dict(asking.laid_aside(state.match, state.dealt.dealer))
        for at, zone in enumerate(checks.given.zones):
            for card in {*(zone.cards or ())} if zone.name in zones else ():
                if not zones[zone.name] & FIELD[card.code]:
                    message = f"{card} is not laid out in this game"
                    checks.wrong(f"zones[{at}]", message, path[0])

    def _sets(self) -> None:
        """
        Note sets that a side has twice, or that end a hand which goes on.
        """
        checks, state, rules = self.checks, self.state, self.state.rules.meld
        there: dict[tuple[tuple[int, ...], str], int] = {}
        for at, meld in enumerate(state.table):
            rank = rank_of(meld)
            side = next(one for one in state.sides if meld.maker in one)
            if rank and rules.one_of_a_rank:
                first = there.setdefault((side, rank), at)
                if first != at:
                    message = f"the side has a meld of that rank, meld {first + 1}"
                    checks.wrong(f"table[{at}]", message, "meld.one_of_a_rank")
            last = meld.maker == state.turn and checks.given.drawn is not None
            if rank and rank in rules.last_ranks:
                if not last or self.sizes[state.turn] > 1:
                    message = f"{ranks(rank)} are only the last meld of a hand"
                    checks.wrong(f"table[{at}]", message, "meld.last_ranks")

    def _contracts(self) -> None:
        """
        Note melds that are not those of a contract, unless the document says so.
        """
        checks = self.checks
        for at, seat, contract in (
            () if checks.given.partial else odd_contracts(self.state)
        ):
            name = self.state.players[seat]
            message = (
                f"the melds of {name} are not the contract of the round, {contract}"
            )
            checks.wrong(f"table[{at}]", f"{message}; {_IN_PART}", "meld.contracts")

    def _turn(self) -> None:
        """
        Note what the player in turn cannot have done or owe.
        """
        checks, drawn, state = self.checks, self.checks.given.drawn, self.state
        if drawn is None:
            return
        hand = self.hands[state.turn]
        for at, duty in enumerate(drawn.duties):
            seen = size(hand) == self.sizes[state.turn]
            if seen and not hand & FIELD[duty.card.code]:
                message = f"{duty.card} must be used, but is not in the hand"
                checks.wrong(f"drawn.duties[{at}]", message, duty.value)
        made = sum([meld.maker == state.turn for meld in state.table])
        last = state.rules.meld.refuse_another(drawn.melds - 1)
        if last:
            checks.wrong("drawn.melds", last.reason, last.path)
        elif drawn.melds > made:
            message = f"of the table, {figure(made, 'meld')} began with that player"
            checks.wrong("drawn.melds", message)


_IN_PART = "say partial = true if not everything is shown"
