"""
What lies open in a game, told as a document.
"""

from __future__ import annotations

from typing import Any

from rummyvariants.cards import CARDS, Card, pack
from rummyvariants.files.json._documents import (
    BesideCard,
    CallWindow,
    DrawnCards,
    OwedCard,
    SizeChoice,
    TableCard,
    TableMeld,
)
from rummyvariants.files.json._problems import JsonError
from rummyvariants.game._round import Drawn, Frame
from rummyvariants.game._state import State, seats_of
from rummyvariants.game.actions import Action
from rummyvariants.melds._meld import Meld


def told_table(state: State, actions: tuple[Action, ...], hand: int) -> dict[str, Any]:
    """
    What a document tells of the table.

    Args:
        state: A state, or the world of a view.
        actions: What the players have done.
        hand: The hand of the player in turn as a multiset, if it may be told; else 0.

    Raises:
        JsonError: If a value cannot be told.
    """
    match, dealt, frame = state.match, state.dealt, state.frames[-1]
    return {
        "rules": match.rules,
        "players": match.players,
        "scores": match.scores,
        "sides": state.sides if len(state.sides) < len(match.players) else (),
        "boxes": match.boxes,
        "bonuses": match.bonuses,
        "columns": match.columns,
        "round_number": state.round_number,
        "winners": match.winners,
        "phase": state.phase,
        "turn": state.turn,
        "dealer": state.dealer,
        "next_dealer": None if match.next_dealer < 0 else match.next_dealer,
        "thrown_in": match.thrown_in,
        "redeals": dealt.redeals,
        "wild_rank": state.wild_rank,
        "indicator": dealt.indicator,
        "upcard": dealt.upcard,
        "upcards": dealt.upcards,
        "shown": tuple(tuple(cards) for cards in state.seen_in_hands),
        "discards": state.discards,
        "table": tuple(_told_meld(n, one) for n, one in enumerate(state.table, 1)),
        "dealer_wild": _told_meld(0, state.dealer_wild) if state.dealer_wild else None,
        "has_meld": tuple(state.has_meld(seat) for seat in range(len(match.players))),
        "floating": state.floating,
        "out": state.out,
        "drawn": _told_drawn(state.drawn, hand),
        "laid": state.laid,
        "idle_turns": state.idle,
        "turns_taken": state.turns,
        "window": _told_window(frame),
        "choosing": (
            SizeChoice(seat=frame.seat, upcard=CARDS[frame.notes[0]])
            if frame.phase == "choose"
            else None
        ),
        "turned": state.turned,
        "fresh": state.fresh,
        "had_laid": tuple(state.had_laid(seat) for seat in range(len(match.players))),
        "had_last_turn": state.had_last_turn,
        "actions": actions,
        "result": state.result,
    }


def _told_meld(number: int, meld: Meld) -> TableMeld:
    return TableMeld(
        number=number,
        kind=meld.kind,
        maker=meld.maker,
        cards=tuple(
            TableCard(card=one.card, stands_for=one.stands_for, seat=one.seat)
            for one in meld.slots
        ),
        beside=tuple(
            BesideCard(index=one.index, card=one.card, seat=one.seat)
            for one in meld.beside
        ),
        doubled=tuple(at for at, one in enumerate(meld.slots) if one.twice),
    )


def _told_window(frame: Frame) -> CallWindow | None:
    if frame.phase == "call":
        return CallWindow(
            finisher=frame.seat, waiting=seats_of(frame.waiting), caller=None
        )
    if frame.phase == "discard":
        return CallWindow(finisher=frame.seat, waiting=(), caller=frame.seat)
    return None


def _told_drawn(drawn: Drawn, hand: int) -> DrawnCards | None:
    if not drawn.source:
        return None
    spent, gained = parted(drawn.held + pack(drawn.cards) - hand)
    return DrawnCards(
        source=drawn.source,
        cards=tuple(CARDS[code] for code in drawn.cards),
        spent=spent,
        gained=gained,
        duties=tuple(
            OwedCard(card=CARDS[one.code], how=one.how, value=one.question)
            for one in drawn.duties
        ),
        melds=drawn.melds,
    )


def parted(difference: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """
    The cards of one multiset less another: those that are over, those that lack.

    Raises:
        JsonError: If it is no such difference.
    """
    over: list[Card] = []
    lack: list[Card] = []
    code = 0
    while difference:
        number = (difference + 8) % 16 - 8
        difference = (difference - number) >> 4
        if number and (code >= len(CARDS) or not CARDS[code].rank):
            told = "the hand before the draw cannot be told from the hand now"
            raise JsonError([("drawn", told)])
        (over if number > 0 else lack).extend([CARDS[code]] * abs(number))
        code += 1
    return tuple(over), tuple(lack)
