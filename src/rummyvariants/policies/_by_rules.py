"""
Policy values that are played by house rules of the library's own.

What such a value says depends on the turn, so it is put into force as a house rule: the
engine asks it the same questions, and there is no second way to answer them.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Final

import attrs

from rummyvariants._support.words import counted, figure, number
from rummyvariants.cards import Card
from rummyvariants.melds.shapes._filling import ANY_NUMBER
from rummyvariants.policies.answers import (
    Leave,
    Memory,
    Offer,
    Opening,
    Points,
    Price,
    Remember,
)
from rummyvariants.policies.base import from_table
from rummyvariants.policies.facts import ASIDE, DealFacts, MatchFacts, RoundFacts, Turn
from rummyvariants.policies.house import HouseRule
from rummyvariants.rulings import Objection


class _Opening(HouseRule):
    """
    Base of rules about first melds, whose refusals say all that is needed.
    """

    section = "meld"

    def because(self, text: str) -> str:
        """
        The text alone.
        """
        return text


class _Stated(HouseRule):
    """
    Base of rules whose refusals state the rule itself.

    Attributes:
        statement: The rule, as a refusal states it.
    """

    statement: ClassVar[str]

    def because(self, text: str) -> str:
        """
        The rule alone.
        """
        del text
        return self.statement


@attrs.frozen(eq=False, repr=False)
class Contract(_Opening):
    """
    The round says which melds a player lays first.

    Attributes:
        contracts: By round, the groups of the contract; the last one holds for further
            rounds.
        exact: Whether a meld may have no more cards than its group.
        whole: Whether the last contract takes the whole hand, so that its melds may be
            longer.
    """

    name = "contracts"
    reads = frozenset({"round_number"})

    contracts: tuple[tuple[str, ...], ...]
    exact: bool
    whole: bool

    def opening(self, turn: Turn) -> Opening:
        """
        The contract of the round, with no further meld.
        """
        last = turn.round_number >= len(self.contracts)
        groups = self.contracts[-1 if last else turn.round_number - 1]
        return Opening(
            groups, only=True, exact=self.exact and not (last and self.whole)
        )


@attrs.frozen(eq=False, repr=False)
class Minimum(_Opening):
    """
    The first melds of a side are worth so many points, by its total.

    Attributes:
        points: The points, from a total on.
        waived: Whether a whole hand with a canasta needs no points.
    """

    name = "minimum"
    reads = frozenset({"canasta_size", "scores", "side"})

    points: tuple[tuple[int, int], ...]
    waived: bool

    def opening(self, turn: Turn) -> Opening:
        """
        Melds of so many points together.
        """
        total = sum([turn.scores[seat] for seat in turn.side])
        points = from_table(self.points, total)
        return Opening(points=points, waived_at=turn.canasta_size * self.waived)


@attrs.frozen(eq=False, repr=False)
class NeedsCanastas(HouseRule):
    """
    A side goes out only with so many canastas.

    Attributes:
        needed: How many, by the number of players.
    """

    section = "out"
    name = "canastas"
    reads = frozenset({"canasta_size", "players", "side", "table"})

    needed: tuple[tuple[int, int], ...]

    def may_go_out(self, turn: Turn) -> bool:
        """
        Whether the side has the canastas.
        """
        sizes = [len(meld) for meld in turn.table if meld.maker in turn.side]
        made = sum([size >= turn.canasta_size for size in sizes])
        return made >= from_table(self.needed, turn.players)

    def because(self, text: str) -> str:
        """
        The rule itself.
        """
        del text
        least = min([number for _, number in self.needed])
        if least < max([number for _, number in self.needed]):
            return "the side has too few canastas to go out"
        canastas = "a canasta" if least == 1 else f"{number(least)} canastas"
        return f"a side goes out only with {canastas}"


@attrs.frozen(eq=False, repr=False)
class AsksPartner(HouseRule):
    """
    A player may ask the partner whether to go out.
    """

    section = "out"
    name = "asking"
    reads = frozenset({"answer", "players", "seat", "side"})

    def asks(self, turn: Turn) -> int | None:
        """
        The next seat of the side.
        """
        after = [(turn.seat + step) % turn.players for step in range(1, turn.players)]
        return next((seat for seat in after if seat in turn.side), None)

    def may_go_out(self, turn: Turn) -> bool:
        """
        Not if the partner has said no.
        """
        return turn.answer != "no"

    def must_go_out(self, turn: Turn) -> bool:
        """
        Only if the partner has said yes.
        """
        return turn.answer == "yes"

    def because(self, text: str) -> str:
        """
        What is refused, and that the answer is the reason.
        """
        return f"{text}: the partner's answer binds"


@attrs.frozen(eq=False, repr=False)
class Canastas(HouseRule):
    """
    A canasta counts extra, either with a wild card or without.

    Attributes:
        points: What it counts.
        natural: Whether it must have no wild card.
    """

    section = "score"
    name = "canastas"

    points: int
    natural: bool

    def score(self, end: RoundFacts) -> Iterator[Points]:
        """
        The points of each, for the seat that began it.
        """
        least = end.canasta_size or ANY_NUMBER
        reason = "natural canasta" if self.natural else "mixed canasta"
        for meld in end.table:
            natural = not any(end.is_wild(slot.card) for slot in meld.slots)
            if len(meld) >= least and natural == self.natural:
                yield Points(meld.maker, self.points, reason)


@attrs.frozen(eq=False, repr=False)
class CardAbove(HouseRule):
    """
    A player who holds the card above the one shown is paid by each other player.

    Attributes:
        payments: What each pays, by how many such cards the player holds.
    """

    section = "score"
    name = "card above"

    payments: tuple[tuple[int, int], ...]

    def pays(self, end: RoundFacts) -> Iterator[Points]:
        """
        The payments among those still in the round, once somebody has gone out.
        """
        card = end.card_above
        if card is None or not end.out:
            return
        held = [end.hands[seat].count(card) for seat in range(end.players)]
        there = {seat for seat, hand in enumerate(end.hands) if hand}
        for meld in end.table:
            for one in meld.laid:
                there.add(one.seat)
                held[one.seat] += one.card == card
        there -= end.dropped
        for seat in sorted(there):
            if held[seat]:
                each = from_table(self.payments, held[seat])
                what = f"{number(held[seat])} {card}"
                yield Points(seat, each * (len(there) - 1), f"for holding {what}")
                for other in sorted(there - {seat}):
                    yield Points(other, -each, f"for {what} of another player")


@attrs.frozen(eq=False, repr=False)
class Concealed(HouseRule):
    """
    Going out concealed counts extra: all cards are laid in one turn.

    It takes a canasta of the player's own, and no card laid on melds of the partner.

    Attributes:
        points: What it counts.
        from_stock: Whether the player must have drawn from the stock.
        alone: Whether the partner may have no cards on the table.
    """

    section = "score"
    name = "concealed"

    points: int
    from_stock: bool
    alone: bool

    def score(self, end: RoundFacts) -> Iterator[Points]:
        """
        The points for the seat that went out, if it was concealed.
        """
        if end.how != "out" or not end.out:
            return
        seat = end.out[0]
        if self.from_stock and end.source != "stock":
            return
        if seat in end.laid_before:
            return
        mine = [
            meld for meld in end.table if any(one.seat == seat for one in meld.slots)
        ]
        if any(meld.maker != seat for meld in mine):
            return
        partners = end.side_of(seat) - {seat}
        if self.alone and any(meld.maker in partners for meld in end.table):
            return
        if any(len(meld) >= end.canasta_size for meld in mine):
            yield Points(seat, self.points, "out concealed")


@attrs.frozen(eq=False, repr=False)
class ExactCut(HouseRule):
    """
    Cutting exactly the cards of the deal counts, to the good of the player who cut.

    With or without the card that is turned up will do.

    Attributes:
        points: What it counts.
    """

    section = "score"
    name = "exact cut"
    memory = Memory(-1)

    points: int

    def remembers_deal(self, deal: DealFacts) -> int | None:
        """
        The seat before the dealer, if so many cards were cut off.
        """
        if not 0 <= deal.cut - deal.dealt <= 1:
            return None
        return deal.order[-2:][0]

    def could_remember(self, value: Any, players: int) -> bool:
        """
        Whether it is a seat, or -1 for none.
        """
        return type(value) is int and -1 <= value < players

    def score(self, end: RoundFacts) -> Iterator[Points]:
        """
        The points of the player who cut, if the cut was exact.
        """
        if end.memory >= 0:
            points = -self.points if end.lowest_wins else self.points
            yield Points(end.memory, points, "cut exactly the cards of the deal")


@attrs.frozen(eq=False, repr=False)
class LaidAside(HouseRule):
    """
    Some cards are laid out face up and replaced.

    Attributes:
        cards: The cards.
    """

    section = "deal"
    name = ASIDE

    cards: tuple[str, ...]

    def lays_aside(self, deal: DealFacts) -> list[Card]:
        """
        These cards.
        """
        del deal
        return [Card(one) for one in self.cards]


@attrs.frozen(eq=False, repr=False)
class CardsAside(HouseRule):
    """
    Cards laid aside count for a side that has melded, and against one that has not.

    Attributes:
        points: What each counts.
        together: What all of the deck count together; 0 for the same as one by one.
    """

    section = "score"
    name = "cards laid aside"

    points: int
    together: int

    def score(self, end: RoundFacts) -> Iterator[Points]:
        """
        The points of the cards that each seat has laid out.
        """
        lying = {seat: cards for name, seat, cards in end.zones if name == ASIDE}
        whole = sum([end.copies(card) for card in end.laid_aside])
        for seat, cards in lying.items():
            side = end.side_of(seat)
            points = len(cards) * self.points
            laid = sum([len(lying.get(one, ())) for one in side])
            if self.together and laid == whole:
                # The shares of partners make up the whole, whatever it divides into.
                before = sum([len(lying.get(one, ())) for one in side if one < seat])
                points = self.together * (before + len(cards)) // whole
                points -= self.together * before // whole
            melded = any(meld.maker in side for meld in end.table)
            named = " ".join(map(str, cards))
            yield Points(seat, points if melded else -points, f"{named} laid out")


@attrs.frozen(eq=False, repr=False)
class DrawsSeveral(HouseRule):
    """
    Several cards are drawn from the stock at once.

    Attributes:
        number: How many, by the number of players.
    """

    section = "draw"
    name = "several"
    reads = frozenset({"players"})

    number: tuple[tuple[int, int], ...]

    def cards_drawn(self, turn: Turn) -> int:
        """
        The number for so many players.
        """
        return from_table(self.number, turn.players)


@attrs.frozen(eq=False, repr=False)
class WholeHand(_Opening):
    """
    From a round on, the first melds take the whole hand.

    Attributes:
        since: The round.
        left: How many cards may be left.
    """

    name = "last contract"
    reads = frozenset({"round_number"})

    since: int
    left: int

    def opening(self, turn: Turn) -> Opening | None:
        """
        No card, or one for the discard, may be left.
        """
        late = turn.round_number >= self.since
        return Opening(leaves=self.left) if late else None


@attrs.frozen(eq=False, repr=False)
class RunsApart(_Opening):
    """
    Runs of one suit among the first melds are not contiguous.
    """

    name = "runs apart"
    reads = frozenset[str]()

    def opening(self, turn: Turn) -> Opening:
        """
        Any melds whose runs could not be one run.
        """
        del turn
        return Opening(apart=True)


@attrs.frozen(eq=False, repr=False)
class OnlyFirst(_Stated):
    """
    A player who has melded makes no further melds.
    """

    section = "meld"
    name = "only the first"
    reads = frozenset({"has_melded"})
    statement = "a player who has melded makes no further melds"

    def most_melds(self, turn: Turn) -> int | None:
        """
        None once the player has a meld.
        """
        return 0 if turn.has_melded else None


@attrs.frozen(eq=False, repr=False)
class NextTurn(_Stated):
    """
    A player lays cards off only in a turn after that of their first melds.
    """

    section = "layoff"
    name = "later"
    reads = frozenset({"melds_made"})
    statement = "a player lays cards off only in a turn after that of their first melds"

    def may_lay_off(self, turn: Turn) -> bool:
        """
        Not in a turn in which melds were made.
        """
        return not turn.melds_made


@attrs.frozen(eq=False, repr=False)
class Dropping(HouseRule):
    """
    A player may leave the round before the draw, on first turns or on later ones.

    Attributes:
        points: What it costs, or ``never`` if nobody leaves on such a turn.
        later: Whether it is about later turns.
        under_stock: Whether the cards then go under the stock.
    """

    section = "out"
    name = "dropping"
    reads = frozenset({"seat", "turns_taken"})
    effects = frozenset({Leave})
    actions: ClassVar = {"drop": ("draw",)}
    bare = ("drop",)

    points: int | str
    later: bool = False
    under_stock: bool = False

    def offers(self, turn: Turn) -> Iterator[Offer]:
        """
        To leave, if this is such a turn.
        """
        if (turn.turns_taken[turn.seat] > 0) == self.later:
            if isinstance(self.points, int):
                yield Offer("drop", [Leave(self.points, self.under_stock)])
            else:
                yield Offer("drop", refused="nobody leaves the round on such a turn")

    def describe(self) -> str:
        """
        The rule with its price, if it has one.
        """
        whole = isinstance(self.points, int)
        price = f" for {figure(int(self.points), 'point')}" if whole else ""
        return f"A player may leave the round before the draw{price}"


@attrs.frozen(eq=False, repr=False)
class Elimination(HouseRule):
    """
    A player whose total is too high is out of the match.

    Attributes:
        at: The total.
    """

    section = "match"
    name = "elimination"

    at: int

    def eliminated(self, match: MatchFacts) -> Iterator[int]:
        """
        All seats with so many points or more.
        """
        totals = enumerate(match.scores)
        return (seat for seat, total in totals if total >= self.at)


@attrs.frozen(eq=False, repr=False)
class ComingBack(HouseRule):
    """
    A player may come back after the round in which they were eliminated.

    Attributes:
        most: The highest total of the others with which that is possible.
    """

    section = "match"
    name = "coming back"

    most: int

    def rejoins(self, match: MatchFacts, seat: int) -> int | None:
        """
        One point more than the highest total of those who are in the match.
        """
        del seat
        totals = enumerate(match.scores)
        others = [total for at, total in totals if at not in match.eliminated]
        highest = max(others, default=self.most + 1)
        return None if highest > self.most else highest + 1


@attrs.frozen(eq=False, repr=False)
class WildsStay(_Stated):
    """
    A wild card is taken from the discard pile only as the first upcard.
    """

    section = "draw"
    name = "wilds"
    reads = frozenset({"discards", "have_drawn", "wild_rank"})
    statement = (
        "a wild card is taken from the discard pile only as the first upcard, by the "
        "first player"
    )

    def takes(self, turn: Turn) -> Iterable[int] | None:
        """
        As many cards as lie above the topmost wild; any number while nobody has drawn.
        """
        if not turn.have_drawn:
            return None
        pile = turn.discards
        above = itertools.takewhile(lambda one: not turn.is_wild(one), pile[::-1])
        return range(1, len(list(above)) + 1)


@attrs.frozen(eq=False, repr=False)
class StockAfterMelds(_Stated):
    """
    A player who has melded takes no card from the discard pile.
    """

    section = "draw"
    name = "stock after melds"
    reads = frozenset({"has_melded"})
    statement = "a player who has melded takes no card from the discard pile"

    def takes(self, turn: Turn) -> Iterable[int] | None:
        """
        None once the player has a meld.
        """
        return () if turn.has_melded else None


Bought = tuple[int, ...]
"""The last buyer of a round, and how often each seat has bought if that is limited."""
NOBODY: Final = -1
"""The last buyer of a round in which nobody has bought."""


@attrs.frozen(eq=False, repr=False)
class Buying(HouseRule):
    """
    A player out of turn may buy the upcard that the player in turn declines.

    Attributes:
        price: How many cards from the stock come with it.
        most: How often a player may buy, from a round on; empty for any number.
        again: Whether a player may buy twice in succession.
        melded: Whether a player who has melded may buy.
    """

    section = "call"
    name = "buying"
    reads = frozenset({"seat", "round_number", "stock_size", "has_melded", "memory"})
    memory = Memory((NOBODY,))
    effects = frozenset({Remember})

    price: int
    most: tuple[tuple[int, int], ...]
    again: bool
    melded: bool

    def buys(self, turn: Turn) -> Price | None:
        """
        The price, unless the player may not buy now.
        """
        if self.refuse_buy(turn) is not None:
            return None
        return Price(self.price, if_declined=True)

    def refuse_buy(self, turn: Turn) -> Objection | None:
        """
        Why a player may not buy: an empty stock, or too many upcards bought.
        """
        last, *bought = turn.memory
        if not turn.stock_size:
            return Objection("call.buying", "nobody buys while the stock is empty")
        if turn.has_melded and not self.melded:
            reason = "a player who has melded buys no more upcards"
            return Objection("call.melded_buys", reason)
        times = bought[turn.seat] if bought else 0
        most = from_table(self.most, turn.round_number) if self.most else times + 1
        if times >= most:
            reason = f"a player buys at most {counted(most, 'upcard')} in a round"
            return Objection("call.buys", reason)
        if last == turn.seat and not self.again:
            reason = "a player who bought the last upcard sold may not buy the next"
            return Objection("call.buys_again", reason)
        return None

    def follows(self, turn: Turn, event: object) -> Iterator[Remember]:
        """
        Remember who bought last, and how often each seat has bought if it is limited.
        """
        # The engine's events come after the policies.
        if getattr(event, "how", "") == "buy":
            yield Remember(self.after(turn.memory, turn.seat, turn.players))

    def could_remember(self, value: Any, players: int) -> bool:
        """
        Whether it is a seat, and a number of purchases for each seat or none.
        """
        whole = (
            isinstance(value, tuple)
            and value
            and all(type(one) is int for one in value)
        )
        if not whole or not NOBODY <= value[0] < players:
            return False
        times = value[1:]
        return not times or (len(times) == players and min(times) >= 0)

    def after(self, memory: Bought, seat: int, players: int) -> Bought:
        """
        What is remembered after a seat has bought.
        """
        _, *bought = memory
        if not self.most:
            return (seat,)
        times = bought or [0] * players
        times[seat] += 1
        return (seat, *times)
