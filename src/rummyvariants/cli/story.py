"""The story of a game as it goes: one line for each player's turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rummyvariants._support.words import counted, listed
from rummyvariants.cli.show import cards_text
from rummyvariants.game._engine.steps import Step
from rummyvariants.game._round import RoundResult
from rummyvariants.game._state import State, absent
from rummyvariants.game.actions import Buy, CallRummy, Declare, LayOff, Split, Swap
from rummyvariants.game.events import (
    Answered,
    Asked,
    Called,
    CardBuried,
    DealStarted,
    DealThrownIn,
    Discarded,
    Drew,
    Dropped,
    Event,
    FirstDiscard,
    Floated,
    HandDealt,
    HandSizeChosen,
    Knocked,
    Laid,
    Moved,
    Passed,
    Rejoined,
    RoundEnded,
    Shown,
    Took,
    TurnedOver,
    UpcardShown,
    WentOut,
    WildNamed,
)
from rummyvariants.policies.facts import DROPPED


class Story:
    """
    Turns steps into lines, holding a line back until its player is done.

    Args:
        names: The players.
        viewer: The seat that reads it and learns only what it may see; None for
            a reader who sees everything.
    """

    def __init__(self, names: Sequence[str], viewer: int | None = None) -> None:
        self._names = tuple(names)
        self._viewer = viewer
        self._seat = -1
        self._doings: list[str] = []
        self.hang: Final = max([3, *map(len, self._names)]) + 2

    def tell(self, step: Step) -> Iterator[str]:
        """
        The lines that a step completes.
        """
        for event in step.events:
            seen = event if self._viewer is None else event.seen_by(self._viewer)
            yield from self._tell(seen, step)

    def rest(self) -> Iterator[str]:
        """
        The line held back.
        """
        if self._doings:
            name = "You" if self._seat == self._viewer else self._names[self._seat]
            yield f"{name:<{self.hang}}{', '.join(self._doings)}"
            self._doings.clear()

    def _tell(self, event: Event, step: Step) -> Iterator[str]:
        seat = getattr(event, "seat", None)
        doing = self._doing(event, step)
        if doing and seat is not None:
            if seat != self._seat:
                yield from self.rest()
            self._seat = seat
            self._doings.append(doing)
            return
        line = self._line(event, step)
        if line:
            yield from self.rest()
            yield line

    def _says(self, seat: int, verb: str) -> str:
        if seat == self._viewer:
            return verb
        return f"{verb}es" if verb.endswith("s") else f"{verb}s"

    def _doing(self, event: Event, step: Step) -> str:
        """
        What a player does, as a part of a sentence; empty for anything else.
        """
        match event:
            case Drew(seat=seat, card=card):
                return f"{self._says(seat, 'draw')} {card or 'a card'}"
            case TurnedOver(seat=seat, shuffled=shuffled):
                mixed = f"{self._says(seat, 'shuffle')} the pile and " * shuffled
                it = "it" if shuffled else "the pile"
                return f"{mixed}{self._says(seat, 'turn')} {it} over"
            case Took(seat=seat, cards=cards):
                verb = "buy" if isinstance(step.action, Buy) else "take"
                return f"{self._says(seat, verb)} {cards_text(cards)}"
            case Laid():
                return self._laid(event, step)
            case Discarded(seat=seat, card=card):
                return f"{self._says(seat, 'discard')} {card}"
            case Called():
                return self._called(event, step)
            case Passed(seat=seat) if step.before.phase != "call":
                # Only calls that were made are mentioned.
                return self._says(seat, "pass")
            case Asked(seat=seat, asked=asked):
                whom = "you" if asked == self._viewer else self._names[asked]
                return f"{self._says(seat, 'ask')} {whom} whether to go out"
            case Answered(seat=seat, agrees=agrees):
                return f"{self._says(seat, 'answer')} {'yes' if agrees else 'no'}"
            case Floated(seat=seat):
                return f"{self._says(seat, 'float')} without cards"
            case Knocked(seat=seat, how="knock", left=left):
                return f"{self._says(seat, 'knock')} with {cards_text(left)} left"
            case Knocked(seat=seat, how=how):
                return f"{'go' if seat == self._viewer else 'goes'} {how}"
            case Dropped(seat=seat, points=points):
                return f"{self._says(seat, 'leave')} the round for {points}"
            case Rejoined(seat=seat, total=total):
                return f"{self._says(seat, 'come')} back with {total}"
            case WentOut(seat=seat):
                return "are out" if seat == self._viewer else "is out"
        return self._deals(event)

    def _deals(self, event: Event) -> str:
        """
        What a player gets in the deal.
        """
        match event:
            case UpcardShown(seat=seat, card=card):
                return f"{self._says(seat, 'turn')} up {card}"
            case HandDealt(seat=seat, size=size, cards=cards):
                got = "are" if seat == self._viewer else "is"
                shown = f" ({cards_text(sorted(cards))})" if cards else ""
                return f"{got} dealt {size} card{'' if size == 1 else 's'}{shown}"
            case HandSizeChosen(seat=seat, size=size):
                return f"{self._says(seat, 'choose')} {size} cards"
        return ""

    def _called(self, event: Called, step: Step) -> str:
        called = str(step.action).removeprefix("rummy ")
        taken = list(event.cards)
        if isinstance(step.action, CallRummy):
            for one in step.action.cards:
                if one.card in taken:
                    taken.remove(one.card)
        doing = f"{self._says(event.seat, 'call')} rummy: {called}"
        if taken:
            doing += f" and {self._says(event.seat, 'take')} {cards_text(taken)}"
        return doing

    def _laid(self, event: Laid, step: Step) -> str:
        cards = " ".join(event.cards)
        match event.how:
            case "meld" if isinstance(step.action, Declare):
                if event.meld > len(step.before.table) + 1:
                    return ""  # all are in the line of the first
                melds = str(step.action).partition(": ")[2]
                return f"{self._says(event.seat, 'declare')} {melds}"
            case "meld":
                return f"{self._says(event.seat, 'meld')} {cards} as {event.meld}"
            case "put":
                return f"{self._says(event.seat, 'put')} {cards} down as {event.meld}"
            case "swap" if isinstance(step.action, Swap):
                gives = f"{cards} for {event.gained} on {event.meld}"
                return f"{self._says(event.seat, 'swap')} {gives}"
            case "split" if isinstance(step.action, Split):
                after = step.action.after
                return f"{self._says(event.seat, 'split')} {event.meld} after {after}"
            case "call":
                return ""
        low_or_high = ""
        if isinstance(step.action, LayOff) and step.action.end:
            low_or_high = f" {step.action.end}"
        said = self._says(event.seat, "lay")
        return f"{said} {cards}{low_or_high} on {event.meld}"

    def _line(self, event: Event, step: Step) -> str:
        """
        A line about an event without a player; empty if it needs no mention.
        """
        match event:
            case DealStarted(round_number=number, dealer=dealer):
                who = (
                    "You deal"
                    if dealer == self._viewer
                    else f"{self._names[dealer]} deals"
                )
                return f"Round {number}. {who}."
            case CardBuried(card=card):
                return f"{card} goes back into the deck."
            case WildNamed(rank=rank, card=card):
                if not rank:
                    return f"{card} makes no rank wild."
                by = f"{card} makes" if card else "This round makes"
                return f"{by} every {rank} wild."
            case FirstDiscard(card=card):
                return f"{card} starts the discard pile."
            case DealThrownIn():
                return "The deck has too few cards: the deal is thrown in."
            case Moved(source=source, target=target, size=size, cards=cards):
                what = cards_text(cards) if cards else counted(size, "card")
                if target.name == DROPPED:
                    return f"{what}: set aside."
                return f"{what}: from the {source} to the {target}."
            case Shown(location=location, size=size, cards=cards):
                what = cards_text(cards) if cards else counted(size, "card")
                return f"{what}: shown in the {location}."
            case RoundEnded() if (result := step.after.result) is not None:
                how = how_it_ended(step.after, result, self._viewer)
                return f"The round is over: {how}."
        return ""


def how_it_ended(state: State, result: RoundResult, viewer: int | None = None) -> str:
    """
    How the last round ended, and by which rule: ``Ann is out (PG-19)``.

    Args:
        state: A state in which a round is over.
        result: The result of the round.
        viewer: The seat of the reader; None for anybody else.
    """
    why = ""
    if result.out is not None:
        you = result.out == viewer
        name = "you" if you else state.players[result.out]
        is_, has = ("are", "have") if you else ("is", "has")
        why = {
            "knock": f"{name} {has} knocked",
            "gin": f"{name} {has} gone gin",
            "big gin": f"{name} {has} gone big gin",
            "dealt hand": f"{name} {has} declared the hand as it was dealt",
        }.get(result.how, f"{name} {is_} out")
    elif result.how == "drop":
        gone = absent(state)
        last = [seat for seat in range(len(state.players)) if seat not in gone]
        names = ["you" if seat == viewer else state.players[seat] for seat in last]
        verb = "is" if len(last) == 1 and last[0] != viewer else "are"
        why = f"{listed(names)} {verb} the last left" if last else "nobody is left"
    elif result.how == "idle":
        why = "no progress"
    elif len(state.stock):
        left = len(state.stock)
        cards = f"{counted(left, 'card')} {'is' if left == 1 else 'are'}"
        why = f"only {cards} left in the stock"
    else:
        why = "the stock is empty"
    return f"{why} ({result.rule})"
