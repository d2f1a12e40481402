"""
House rules of Conquian: one play with the exposed card, forcing, stakes, given cards.
"""

from __future__ import annotations

import itertools

from collections.abc import Callable, Iterator
from typing import ClassVar

import attrs

import rummyvariants as rv


@rv.house.register_rule("meld", "one play a turn")
@attrs.frozen
class OnePlay(rv.house.HouseRule):
    """
    A player melds or lays off once in a turn, with the exposed card.
    """

    id = "CQN-08"
    replaces = ("meld.a_turn",)
    reads = frozenset({"drawn", "hand"})

    def may_lay(self, turn: rv.house.Turn, meld: rv.melds.Meld) -> bool | None:
        """
        Whether the exposed card is not used yet.
        """
        del meld
        return not turn.drawn or turn.drawn[-1] in turn.hand


@rv.house.register_rule("draw", "forcing a card")
@attrs.frozen
class Forcing(rv.house.HouseRule):
    """
    A player who leaves a card that their melds could take by themselves says so first.

    The other player may then force them to use it.
    """

    id = "CQN-10"
    actions = {"refuse": ("draw", "play"), "force": ("asked",)}  # noqa: RUF012
    cardless = ("refuse", "force")
    vetoes = ("draw", "pass")
    memory = rv.house.Memory(start="", scope="turn")
    effects = frozenset({rv.house.AskOthers, rv.house.Remember})
    reads = frozenset({"discards", "drawn", "hand", "memory", "phase", "players"}) | {
        "seat",
        "table",
    }

    def because(self, text: str) -> str:
        """
        What is refused or allowed, and what is said when.
        """
        return (
            f"{text}: a player who leaves a card that their melds could take by "
            "themselves says 'refuse', and the other may say 'force'"
        )

    def offers(self, turn: rv.house.Turn) -> list[rv.house.Offer] | None:
        """
        The refusal of a card that may be forced, and then the force.
        """
        if turn.phase == "asked":
            return [rv.house.Offer("force", [rv.house.Remember("forced")])]
        if turn.memory or not _may_be_forced(turn):
            return None
        ask = rv.house.AskOthers([(turn.seat - 1) % turn.players])
        return [rv.house.Offer("refuse", [rv.house.Remember("refused"), ask])]

    def forbids(
        self, turn: rv.house.Turn, action: rv.Action, after: Callable[[], rv.house.Turn]
    ) -> bool:
        """
        The next card of the stock, before this one is refused or when it is forced.
        """
        del action, after
        waits = turn.phase == "draw" and turn.memory != "refused"
        return waits and _may_be_forced(turn)

    def discards(self, turn: rv.house.Turn) -> rv.Cards | None:
        """
        Not a card of the stock before it is refused, or when it is forced.
        """
        if turn.memory == "refused" or not _may_be_forced(turn):
            return None
        return rv.Cards([card for card in turn.hand if card != turn.drawn[-1]])


def _may_be_forced(turn: rv.house.Turn) -> bool:
    """
    Whether the exposed card fits the melds of the player whose turn it is.
    """
    exposed = turn.drawn[-1:] or turn.discards[-1:]
    own = [meld.cards for meld in turn.table if meld.maker == turn.seat]
    if not (own and exposed) or (turn.drawn and exposed[0] not in turn.hand):
        return False
    return not turn.unmatched(rv.Cards(itertools.chain(exposed, *own)))


@rv.house.register_rule("match", "the stake")
@attrs.frozen
class Stake(rv.house.HouseRule):
    """
    The winner is paid one stake, and one more for each drawn hand before.

    After a drawn hand another one is dealt.
    """

    id = "CQN-12"
    replaces = (
        "match.ends",
        "match.rounds",
        "match.target",
        "match.winner",
        "match.tie",
    )

    def pays(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        What the loser pays: all hands before were drawn.
        """
        for seat in end.out:
            others = [one for one in range(end.players) if one != seat]
            won = end.round_number * len(others)
            yield rv.house.Points(seat, won, "the stake")
            for one in others:
                yield rv.house.Points(one, -end.round_number, "the stake")

    def winners(self, match: rv.house.MatchFacts) -> list[int]:
        """
        Who was out in the last hand; nobody if it was drawn.
        """
        return [] if match.out is None else [match.out]


_GIVEN = "given"
"""The cards that players have given and that nobody holds yet."""


@rv.house.register_rule("deal", "a card to the right")
@attrs.frozen
class ToTheRight(rv.house.HouseRule):
    """
    Before the first draw each player gives a card of the hand to the one on the right.

    They say 'give' and the card, one after another. Nobody sees a card before all have
    given one.
    """

    id = "CQV-04"
    actions: ClassVar = {"give": ("draw", "asked")}
    secrets = ("give",)
    vetoes = ("draw", "take")
    piles = (rv.house.Pile(_GIVEN, of="seat", shown="owner"),)
    needs: ClassVar = {
        "draw.first_upcard": "part of the pile",
        "deal.first_discard": {"turned up", "after a draw"},
        "match.direction": "clockwise",
    }
    memory = rv.house.Memory(start=True)
    effects = frozenset({rv.house.Move, rv.house.Remember, rv.house.AskOthers})

    def remembers_deal(self, deal: rv.house.DealFacts) -> bool:
        """
        That not all have given a card yet.
        """
        del deal
        return False

    def offers(self, turn: rv.house.Turn) -> Iterator[rv.house.Offer]:
        """
        Each card of the hand, until the player has given one.
        """
        if turn.memory or turn.zone_size(_GIVEN, turn.seat):
            return
        there = [seat for seat, size in enumerate(turn.sizes) if size]
        at = there.index(turn.seat)
        around = there[at + 1 :] + there[:at]
        missing = [one for one in around if not turn.zone_size(_GIVEN, one)]
        for card in set(turn.hand):
            effects: list[rv.house.Effect] = [
                rv.house.Move(
                    "hand",
                    _GIVEN,
                    cards=rv.Cards([card]),
                    source_seat=turn.seat,
                    target_seat=turn.seat,
                )
            ]
            if not missing:
                effects += [
                    rv.house.Move(
                        _GIVEN,
                        "hand",
                        None,
                        source_seat=seat,
                        target_seat=there[place - 1],
                    )
                    for place, seat in enumerate(there)
                ]
                effects.append(rv.house.Remember(True))
            elif turn.phase == "draw":
                effects.append(rv.house.AskOthers(missing, all=True, may_pass=False))
            yield rv.house.Offer("give", effects, cards=rv.Cards([card]))

    def forbids(
        self, turn: rv.house.Turn, action: rv.Action, after: Callable[[], rv.house.Turn]
    ) -> bool:
        """
        Whether cards have to be given first.
        """
        del action, after
        return not turn.memory
