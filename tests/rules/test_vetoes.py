"""What a house rule refuses is refused everywhere, whichever question it answers."""

from __future__ import annotations

import itertools
import random

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs
import pytest

import naive_turns
import rummyvariants as rv

from composition import outcome
from invariants import ruled
from random_states import states_of, written
from rummyvariants import bots, testing
from rummyvariants.cards import CARDS
from small_games import SHORT_MELDS, SMALL, TWOS_WILD


pytestmark = pytest.mark.long

GIN = {"deck.ranks": "A234", "deal.hand_size": 3, "out.knock": 8, "stock.dead": 0}
SINGLE = {**TWOS_WILD, "layoff.single_wilds": True}
LOOKED = 15
MOST_WRITTEN = 1_500


@attrs.frozen
class Veto:
    """
    An answer of a house rule, and what it refuses, as the twin is told.

    Attributes:
        question: The question that the rule answers.
        answer: Its answer.
        twin: The question of the twin.
        refuses: Whether the rule refuses what the twin asks about.
        base: The preset.
        values: What is changed of it.
    """

    question: str
    answer: Callable[..., Any]
    twin: str
    refuses: Callable[..., bool]
    base: str = "rummy-500"
    values: Mapping[str, Any] = attrs.field(factory=dict)

    def rules(self, name: str) -> rv.Ruleset:
        """
        The rules with a house rule that gives this answer, registered under a name.
        """
        given = {
            "__module__": __name__,
            "__doc__": "Not at our table.",
            self.question: lambda _, *asked: self.answer(*asked),
        }
        title = "".join(filter(str.isalpha, name))
        made = attrs.frozen(type(title, (rv.house.HouseRule,), given))
        globals()[title] = made  # where a pickle looks for it
        rv.house.register_rule("match", name)(made)
        values = {**SMALL, **self.values, "match.rules": [name]}
        return rv.preset(self.base).with_values(values)


def is_ace(code: int) -> bool:
    return CARDS[code].rank == "A"


def all_but(refused: Callable[[rv.house.Turn, rv.Card], bool]) -> Callable[..., Any]:
    return lambda turn: [card for card in turn.hand if not refused(turn, card)]


def aces_are_kept(**given: Any) -> Veto:
    return Veto(
        "discards",
        all_but(lambda turn, card: card.rank == "A" and len(turn.hand) > 1),
        "discard.refuse",
        lambda code, left, **_: is_ace(code) and left > 1,
        **given,
    )


def one_meld(**values: Any) -> Veto:
    return Veto(
        "most_melds",
        lambda _: 1,
        "meld.refuse_another",
        lambda made: made > 0,
        values={**SHORT_MELDS, **values},
    )


def own_melds(**values: Any) -> Veto:
    return Veto(
        "lays_off_on",
        lambda turn: turn.side,
        "layoff.refuse_onto",
        lambda own: not own,
        values=values,
    )


def no_meld(refused: Callable[[Any], bool], **values: Any) -> Veto:
    return Veto(
        "allows_meld",
        lambda meld: not refused(meld),
        "meld.objection",
        refused,
        values=values,
    )


def no_lay_offs(**values: Any) -> Veto:
    return Veto(
        "may_lay_off",
        lambda turn: turn.has_melded,
        "layoff.refuse",
        lambda has_meld: not has_meld,
        values=values,
    )


VETOES = {
    "aces are kept": aces_are_kept(),
    "aces are kept, wilds about": aces_are_kept(values=TWOS_WILD),
    "gin keeps its aces": aces_are_kept(base="gin-rummy", values=GIN),
    "a caller keeps aces": aces_are_kept(
        values={"call.calls": "pile", "call.then_discard": True}
    ),
    "aces are never discarded": Veto(
        "discards",
        all_but(lambda _, card: card.rank == "A"),
        "discard.refuse",
        lambda code, **_: is_ace(code),
    ),
    "a full hand keeps its clubs": Veto(
        "discards",
        all_but(lambda turn, card: len(turn.hand) > 2 and card.suit == "c"),
        "discard.refuse",
        lambda code, left, **_: left > 2 and CARDS[code].suit == "c",
        base="basic-rummy",
    ),
    "one meld a turn": one_meld(),
    "one meld a turn, wilds about": one_meld(**SINGLE),
    "no sets of aces": no_meld(
        lambda meld: meld.kind == "set" and meld.rank == "A", **SHORT_MELDS
    ),
    "no long runs": no_meld(lambda meld: len(meld) > 3, **TWOS_WILD),
    "a meld before lay-offs": no_lay_offs(),
    "no lay-offs, wilds traded": no_lay_offs(**TWOS_WILD, **{"wild.real_card": "swap"}),
    "own melds alone": own_melds(),
    "own melds alone, calls too": own_melds(
        **{"call.calls": "pile", "call.melds": True}
    ),
    "own melds alone, the discard called": own_melds(**{"call.calls": "discard"}),
    "two cards at most": Veto(
        "takes",
        lambda _: (1, 2),
        "draw.refuse_take",
        lambda count, **_: count > 2,
        values={"draw.take": "any number"},
    ),
    "no aces taken": Veto(
        "takes",
        lambda turn: [
            count
            for count in range(1, len(turn.discards) + 1)
            if turn.discards[-count].rank != "A"
        ],
        "draw.refuse_take",
        lambda pile, count: count <= len(pile) and is_ace(pile[-count]),
    ),
}
BOTS = [bots.bot(name) for name in ("careful", "greedy", "random")]
SEARCH = bots.bot("search:playouts=2")


def look(
    state: rv.State, others: Mapping[str, Callable[..., bool]]
) -> Iterator[rv.Action]:
    """
    Compare all that could be written with the list and the twin.

    Yields:
        What the house rule refused.
    """
    listed = {outcome(rv.apply(state, one)) for one in rv.legal_actions(state)}
    found = set()
    for action, ruling in ruled(state, naive_turns.Judge(state, others)):
        assert (action in rv.legal_actions(state)) == bool(ruling)
        if ruling:
            found.add(outcome(rv.apply(state, action)))
        elif "not at our table" in ruling.reason:
            yield action
    assert found == listed, f"listed is one thing, legal another: {found ^ listed}"


@pytest.mark.parametrize("name", VETOES)
def test_a_veto_holds_everywhere(name: str) -> None:
    """
    In the list, in `check`, at random, step by step, for bots and to finish a turn.
    """
    veto = VETOES[name]
    rules = veto.rules(name)
    refused = looked = 0
    for seed in itertools.count():
        for number, state in enumerate(states_of(rules, 2, seed)):
            if number % 7 == seed % 7:
                testing.check_legality(state)
                _let_choose(state, number, *BOTS, *[SEARCH] * (number < 7))
            if number % 3 == seed % 3 and written(state) <= MOST_WRITTEN:
                looked += 1
                refused += sum(1 for _ in look(state, {veto.twin: veto.refuses}))
        if refused and looked >= LOOKED:
            break
        assert seed < 20, f"{name}: {refused} refused in {looked} states"


def _let_choose(state: rv.State, seed: int, *players: bots.Bot) -> None:
    if state.phase == "play":
        after = state
        for action in rv.arrange(state).actions:
            assert rv.check(after, action), action
            after = rv.apply(after, action)
    view = rv.view(state, state.to_act[0])
    for bot in players:
        action = bot.choose(view, random.Random(seed))
        assert rv.check(state, action), action
