"""
The verbs: what a seat may do in a phase.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rummyvariants.game._chooser.acting import Acting
from rummyvariants.game._chooser.calls import to_call
from rummyvariants.game._chooser.choices import for_verb
from rummyvariants.game._chooser.knocks import to_knock, to_show
from rummyvariants.game._chooser.plays import to_lay, to_meld
from rummyvariants.game._chooser.simple import (
    to_choose,
    to_discard,
    to_put,
    to_split,
    to_swap,
    to_take,
)
from rummyvariants.game._chooser.tree import Branch, Node
from rummyvariants.game._engine.calls import may_discard
from rummyvariants.game._engine.choices import legal_discards
from rummyvariants.game._engine.draws import refuse_draw
from rummyvariants.game._state import State
from rummyvariants.game.actions import Draw, Pass


def verbs(state: State, seat: int) -> Node:
    """
    The tree of what a seat may do.
    """
    return Node(partial(_verbs, Acting(state, seat)))


def _verbs(acting: Acting) -> Iterator[Branch]:
    state, seat = acting.state, acting.seat
    match state.phase:
        case "draw":
            draws = refuse_draw(state) is None
            if draws:
                yield for_verb("draw"), lambda: acting.end(Draw(seat))
            yield for_verb("take"), lambda: Node(partial(to_take, acting))
            if not draws:
                yield for_verb("pass"), lambda: acting.end(Pass(seat))
        case "offer":
            yield for_verb("take"), lambda: Node(partial(to_take, acting))
            yield for_verb("pass"), lambda: acting.end(Pass(seat))
        case "layoff":
            yield for_verb("lay"), partial(to_lay, acting)
            yield for_verb("pass"), lambda: acting.end(Pass(seat))
        case "play" if state.rules.meld.concealed:
            yield for_verb("discard"), partial(to_discard, acting, legal_discards)
            yield for_verb("knock"), partial(to_knock, acting)
            yield for_verb("big gin"), partial(to_show, acting, -1)
        case "play":
            yield for_verb("meld"), partial(to_meld, acting)
            yield for_verb("lay"), partial(to_lay, acting)
            yield for_verb("put"), partial(to_put, acting)
            yield for_verb("swap"), partial(to_swap, acting)
            yield for_verb("split"), partial(to_split, acting)
            yield for_verb("discard"), partial(to_discard, acting, legal_discards)
        case "call":
            yield for_verb("rummy"), partial(to_call, acting)
            yield for_verb("pass"), lambda: acting.end(Pass(seat))
        case "discard":
            yield for_verb("discard"), partial(to_discard, acting, may_discard)
        case "choose":
            yield for_verb("choose"), partial(to_choose, acting)
