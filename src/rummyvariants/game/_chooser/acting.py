"""
A seat that is to act: which of its cards come first, and where its actions end.
"""

from __future__ import annotations

import attrs

from rummyvariants.cards import FIELD, faces, pack
from rummyvariants.game._chooser.filling import Finish
from rummyvariants.game._chooser.growths import FinishAt, Growths
from rummyvariants.game._chooser.new_melds import NewMelds
from rummyvariants.game._chooser.tree import Node
from rummyvariants.game._engine.plays import terms_of
from rummyvariants.game._state import State
from rummyvariants.game.actions import Action
from rummyvariants.melds._meld import Meld


@attrs.frozen
class Acting:
    """
    A seat that is to act, and what its branches have in common.
    """

    state: State
    seat: int

    def end(self, action: Action, *, legal: bool = False) -> Node:
        """
        An action at an end; what is known to be legal is not looked at again.
        """
        return Node(action=action, state=None if legal else self.state)

    def new_melds(self, bits: int, need: int, end: Finish) -> Node:
        """
        The new melds that some cards make, with one of those needed.
        """
        return NewMelds(terms_of(self.state), bits, need, self.owed(), end).shapes()

    def owed(self) -> int:
        """
        Mask of the cards to try first: those owed, or in a call those that are called.
        """
        state = self.state
        if state.phase == "call":
            return mask_of(pack(state._discards))
        return sum({FIELD[duty.code] for duty in state.drawn.duties})

    def at_once(self) -> int:
        """
        Mask of the card that has to be laid before anything else; 0 for none.
        """
        code = self.must()
        return FIELD[code] if code >= 0 else 0

    def must(self) -> int:
        """
        The code of the card that has to be laid at once; -1 for none.
        """
        return self.state.drawn.at_once

    def growths(
        self, meld: Meld, bits: int, need: int, end: FinishAt, *, beside: bool
    ) -> Node | None:
        """
        What may be laid off on a meld, with one of the cards needed.
        """
        terms = terms_of(self.state)
        return Growths(terms, meld, bits, need, self.owed(), end, beside).start()


def mask_of(bits: int) -> int:
    """
    Mask of the faces of a multiset.
    """
    return sum([FIELD[code] for code in faces(bits)])
