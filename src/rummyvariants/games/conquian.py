"""
House rules of Conquian: the exposed card, one play with it, forcing, and the stake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

import rummyvariants as rv

from rummyvariants import events


@rv.house.register_rule("draw", "the exposed card")
@attrs.frozen
class ExposedCard(rv.house.HouseRule):
    """
    A card turned from the stock is seen by both players.
    """

    id = "CQN-06"
    effects = frozenset({rv.house.Show})

    def follows(self, turn: rv.house.Turn, event: object) -> Iterator[rv.house.Effect]:
        """
        The card is shown.
        """
        if isinstance(event, events.Drew) and event.card is not None:
            yield rv.house.Show("hand", source_seat=event.seat, cards=[event.card])


@rv.house.register_rule("meld", "one play a turn")
@attrs.frozen
class OnePlay(rv.house.HouseRule):
    """
    A player melds or lays off once in a turn, with the exposed card.
    """

    id = "CQN-08"
    reads = frozenset({"drawn", "hand"})

    def may_lay(self, turn: rv.house.Turn, meld: rv.melds.Meld) -> bool | None:
        """
        Whether the exposed card is not used yet.
        """
        return not turn.drawn or turn.drawn[-1] in turn.hand


@rv.house.register_rule("draw", "forcing a card")
@attrs.frozen
class Forcing(rv.house.HouseRule):
    """
    A player who refuses a card that could join their own melds without a card of the
    hand says so first ("refuse"), and the other player may force them to use it.
    """

    id = "CQN-10"
    actions = {"refuse": ("draw", "play"), "force": ("asked",)}  # noqa: RUF012
    cardless = ("refuse", "force")
    vetoes = ("draw", "pass", "discard")
    memory = rv.house.Memory(start="", scope="turn")
    effects = frozenset({rv.house.AskOthers, rv.house.Remember})

    def offers(self, turn: rv.house.Turn) -> Iterator[rv.house.Offer]:
        """
        The refusal of a card that may be forced, and then the force.
        """
        if turn.phase == "asked":
            yield rv.house.Offer("force", [rv.house.Remember("forced")])
        elif not turn.memory and _may_be_forced(turn):
            ask = rv.house.AskOthers([1 - turn.seat])
            yield rv.house.Offer("refuse", [rv.house.Remember("refused"), ask])

    def forbids(
        self, turn: rv.house.Turn, action: rv.Action, after: Callable[[], rv.house.Turn]
    ) -> bool:
        """
        Another card, before this one is refused or when it is forced.
        """
        if turn.memory == "refused" or turn.phase == "asked":
            return False
        return _may_be_forced(turn)


def _may_be_forced(turn: rv.house.Turn) -> bool:
    """
    Whether the exposed card fits the melds of the player whose turn it is.
    """
    if turn.phase == "draw":
        exposed = turn.discards[-1:]
    else:
        exposed = tuple([card for card in turn.drawn if card in turn.hand])
    lying = [card for meld in turn.table if meld.maker == turn.seat for card in meld.cards]
    return bool(exposed and lying) and not turn.unmatched(rv.Cards([*lying, *exposed]))


@rv.house.register_rule("match", "the stake")
@attrs.frozen
class Stake(rv.house.HouseRule):
    """
    The winner is paid one stake, and one more for each drawn hand before. After a drawn
    hand another one is dealt.
    """

    id = "CQN-12"
    memory = rv.house.Memory(start=0, scope="match")
    effects = frozenset({rv.house.Remember})

    def follows(self, turn: rv.house.Turn, event: object) -> Iterator[rv.house.Effect]:
        """
        One more hand that is drawn.
        """
        if isinstance(event, events.RoundEnded) and not turn.out:
            yield rv.house.Remember(turn.memory + 1)

    def pays(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        What the loser pays.
        """
        for seat in end.out:
            yield rv.house.Points(seat, 1 + end.memory, "the stake")
            yield rv.house.Points(1 - seat, -1 - end.memory, "the stake")

    def winners(self, match: rv.house.MatchFacts) -> list[int]:
        """
        Who was out in the last hand; nobody if it was drawn.
        """
        return [] if match.out is None else [match.out]
