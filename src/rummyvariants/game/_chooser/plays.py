"""
Cards put on the table from the hand: new melds and lay-offs.
"""

from __future__ import annotations

from rummyvariants.cards import FIELD, JOKER
from rummyvariants.game._chooser.acting import Acting
from rummyvariants.game._chooser.choices import on_meld
from rummyvariants.game._chooser.tree import Branch, Node, fork
from rummyvariants.game._engine.candidates import onto
from rummyvariants.game._engine.plays import refuse_another, terms_of
from rummyvariants.game.actions import End, LayDown, LayOff
from rummyvariants.melds._meld import Meld, Played


def to_meld(acting: Acting) -> Node | None:
    """
    New melds of the hand, those left out that may not be the first.
    """
    state, seat = acting.state, acting.seat
    if refuse_another(state) is not None:
        return None
    bits = state._hands[seat]
    only_natural = state.rules.meld.refuse_first(
        has_meld=state.has_meld(seat), natural=False
    )
    if only_natural is not None:
        bits &= terms_of(state).natural_mask | FIELD[JOKER]
        if terms_of(state).wild[JOKER]:
            bits &= ~FIELD[JOKER]
    return acting.new_melds(
        bits, acting.at_once(), lambda cards: acting.end(LayDown(cards, seat))
    )


def to_lay(acting: Acting) -> Node:
    """
    Which meld is laid on, and then what.
    """
    state, seat = acting.state, acting.seat
    bits = state._hands[seat]
    branches: list[Branch] = []
    for number, meld in onto(state, seat, acting.must()):

        def grow(number: int = number, meld: Meld = meld) -> Node | None:
            def end(cards: tuple[Played, ...], side: End | None) -> Node:
                return acting.end(LayOff(cards, number, side, seat))

            return acting.growths(meld, bits, acting.at_once(), end, beside=True)

        branches.append((on_meld(number), grow))
    return fork(branches)
