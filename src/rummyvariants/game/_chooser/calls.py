"""
Calls: what the discards make, as a new meld or on one of the table.
"""

from __future__ import annotations

from rummyvariants.cards import UNIT, pack
from rummyvariants.game._chooser.acting import Acting, mask_of
from rummyvariants.game._chooser.choices import NEW_MELD, on_meld
from rummyvariants.game._chooser.tree import Branch, Node, fork
from rummyvariants.game._engine.plays import melds_open_to
from rummyvariants.game.actions import CallRummy, End
from rummyvariants.melds._meld import Meld, Played


def to_call(acting: Acting) -> Node:
    """
    Where the called cards go, and then which they are.
    """
    state, seat = acting.state, acting.seat
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
                NEW_MELD,
                lambda: acting.new_melds(
                    all_cards,
                    mask_of(pile),
                    lambda cards: acting.end(CallRummy(cards, seat=seat)),
                ),
            )
        )
    for number, meld in melds_open_to(state, seat):
        if meld.kind == "wild" and meld.maker != seat:
            continue

        def grow(number: int = number, meld: Meld = meld) -> Node | None:
            def end(cards: tuple[Played, ...], side: End | None) -> Node:
                return acting.end(CallRummy(cards, number, side, seat))

            return acting.growths(meld, bits, mask_of(pile), end, beside=False)

        branches.append((on_meld(number), grow))
    return fork(branches)
