"""What a third party says holds everywhere, whichever question it overrides."""

from __future__ import annotations

import inspect
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
from rummyvariants.cards import CARDS, FIELD
from rummyvariants.game.actions import GoDown, TakeWith
from rummyvariants.policies import register_policy
from rummyvariants.policies._duties import duty
from rummyvariants.policies.base import Policy
from rummyvariants.policies.score import LeftOver
from rummyvariants.rules._ruleset import SECTIONS
from rummyvariants.rulings import Objection
from rummyvariants.testing.answers import check_answers
from small_games import SHORT_MELDS, SMALL, TWOS_WILD


pytestmark = pytest.mark.long


NO = "not at our table"
GIN = {"deck.ranks": "A234", "deal.hand_size": 3, "out.knock": 8, "stock.dead": 0}
NO_MELDS = {"deck.ranks": "A234", "deal.hand_size": 3, "meld.sets": False}
SINGLE = {**TWOS_WILD, "layoff.single_wilds": True}


@attrs.frozen
class Override:
    """
    A question of a policy with an answer of our own, and a game in which it matters.

    Attributes:
        question: The section and the method.
        answer: What is said now; given the arguments by name, and `usual`, which gives
            what the library says.
        base: The preset.
        values: What is changed of it.
        players: How many play.
        shows: Where the answer is seen, in a state of the game.
    """

    question: str
    answer: Callable[..., Any]
    base: str = "rummy-500"
    values: Mapping[str, Any] = attrs.field(factory=dict)
    players: int = 2
    shows: Callable[[rv.State], bool] = bool

    def rules(self, name: str) -> rv.Ruleset:
        """
        The rules with a policy that gives this answer, registered under a name.
        """
        section, _, method = self.question.partition(".")
        ours = getattr(SECTIONS[section], method)
        parameters = inspect.signature(ours)

        def answer(*args: Any, **kwargs: Any) -> object:
            bound = parameters.bind(*args, **kwargs)
            bound.apply_defaults()
            _, *named = bound.arguments.items()
            return self.answer(usual=lambda: ours(*args, **kwargs), **dict(named))

        answer.__name__ = method
        given = {method: answer, "__module__": __name__}
        title = "".join(filter(str.isalpha, name))
        made = attrs.frozen(type(title, (SECTIONS[section],), given))
        globals()[made.__qualname__] = made  # where a pickle looks for it
        register_policy(name)(made)
        return rv.preset(self.base).with_values(
            {**self.values, f"{section}.policy": name}
        )


def refusing(question: str, when: Callable[..., bool], **given: Any) -> Override:
    """
    An override that says no now and then, and else what the library says.
    """
    section, _, method = question.partition(".")
    wrong = NO if method == "objection" else Objection(f"{section}.policy", NO)

    def answer(*, usual: Callable[[], object], **args: Any) -> object:
        return wrong if when(**args) else usual()

    given["values"] = {**SMALL, **given.get("values", {})}
    return Override(question, answer, **given)


def is_ace(code: int) -> bool:
    return CARDS[code].rank == "A"


REFUSALS = {
    "aces are kept": refusing(
        "discard.refuse", lambda code, left, **_: is_ace(code) and left > 1
    ),
    "aces are kept, wilds about": refusing(
        "discard.refuse",
        lambda code, left, **_: is_ace(code) and left > 1,
        values=TWOS_WILD,
    ),
    "aces are never discarded": refusing(
        "discard.refuse", lambda code, **_: is_ace(code)
    ),
    "what was taken stays": refusing(
        "discard.refuse", lambda code, taken, **_: code in taken
    ),
    "a full hand keeps its clubs": refusing(
        "discard.refuse",
        lambda code, left, **_: left > 2 and CARDS[code].suit == "c",
        base="basic-rummy",
    ),
    "gin keeps its aces": refusing(
        "discard.refuse",
        lambda code, left, **_: is_ace(code) and left > 1,
        base="gin-rummy",
        values=GIN,
    ),
    "a caller keeps aces": refusing(
        "discard.refuse",
        lambda code, left, **_: is_ace(code) and left > 1,
        values={"call.calls": "pile", "call.then_discard": True},
    ),
    "one meld a turn": refusing(
        "meld.refuse_another", lambda made: made > 0, values=SHORT_MELDS
    ),
    "one meld a turn, wilds about": refusing(
        "meld.refuse_another",
        lambda made: made > 0,
        values={**SINGLE, **SHORT_MELDS},
    ),
    "no melds at all": refusing("meld.refuse_another", lambda **_: True),
    "the first meld is natural": refusing(
        "meld.refuse_first",
        lambda has_meld, natural: not (has_meld or natural),
        values=TWOS_WILD,
    ),
    "the first meld is natural, calls too": refusing(
        "meld.refuse_first",
        lambda has_meld, natural: not (has_meld or natural),
        values={**TWOS_WILD, "call.calls": "pile", "call.melds": True},
    ),
    "no meld holds a wild": refusing(
        "meld.refuse_first", lambda natural, **_: not natural, values=TWOS_WILD
    ),
    "the first meld holds a wild": refusing(
        "meld.refuse_first",
        lambda has_meld, natural: natural and not has_meld,
        values=TWOS_WILD,
    ),
    "no sets of aces": refusing(
        "meld.objection",
        lambda meld: meld.kind == "set" and meld.rank == "A",
        values=SHORT_MELDS,
    ),
    "no long runs": refusing(
        "meld.objection", lambda meld: len(meld) > 3, values=TWOS_WILD
    ),
    "a meld before lay-offs": refusing(
        "layoff.refuse", lambda has_meld, **_: not has_meld
    ),
    "no lay-offs": refusing("layoff.refuse", lambda **_: True),
    "no lay-offs, wilds traded": refusing(
        "layoff.refuse",
        lambda has_meld, **_: not has_meld,
        values={**TWOS_WILD, "wild.real_card": "swap"},
    ),
    "no lay-offs after a knock": refusing(
        "layoff.refuse",
        lambda **_: True,
        base="gin-rummy",
        values={**GIN, **SHORT_MELDS},
    ),
    "own melds alone": refusing("layoff.refuse_onto", lambda own: not own),
    "others' melds alone": refusing("layoff.refuse_onto", lambda own: own),
    "own melds alone, calls too": refusing(
        "layoff.refuse_onto",
        lambda own: not own,
        values={"call.calls": "pile", "call.melds": True},
    ),
    "own melds alone, the discard called": refusing(
        "layoff.refuse_onto", lambda own: not own, values={"call.calls": "discard"}
    ),
    "no single wilds": refusing(
        "layoff.refuse_single", lambda **_: True, values=SINGLE
    ),
    "no aces taken": refusing(
        "draw.refuse_take",
        lambda pile, count, **_: count <= len(pile) and is_ace(pile[-count]),
    ),
    "two cards at most": refusing(
        "draw.refuse_take",
        lambda count, **_: count > 2,
        values={"draw.take": "any number"},
    ),
    "turned over once": refusing(
        "stock.refuse_turning",
        lambda times, **_: times > 0,
        base="basic-rummy",
        values=NO_MELDS,
    ),
    "never turned over": refusing(
        "stock.refuse_turning",
        lambda **_: True,
        base="basic-rummy",
        values=NO_MELDS,
    ),
}
"""Policies that say no."""


def dealt(size: int) -> Callable[[rv.State], bool]:
    """
    Whether hands of a size have just been dealt.
    """
    return lambda state: (
        state.phase == "draw"
        and not any(state.turns)
        and {*map(len, state.hands)} == {size}
    )


def allowing(
    question: str, shows: Callable[[rv.State, rv.Action], bool], **values: Any
) -> Override:
    """
    An override that says yes to everything, where the values say no.

    Args:
        question: The question.
        shows: Whether an action is one that the values would refuse.
        values: The values.
    """
    return Override(
        question,
        lambda **_: None,
        values={**SMALL, **values},
        shows=lambda state: any(shows(state, one) for one in rv.legal_actions(state)),
    )


PERMISSIONS = {
    "any discard": allowing(
        "discard.refuse",
        lambda state, action: (
            isinstance(action, rv.Discard)
            and str(action.card) == "Ac"
            and len(state.hands[state.turn]) > 1
        ),
        **{"discard.keep": "Ac", "discard.throw_back": "refused"},
    ),
    "any number of melds": allowing(
        "meld.refuse_another",
        lambda state, action: (
            isinstance(action, rv.LayDown) and isinstance(state.history[-1], rv.LayDown)
        ),
        **{"meld.a_turn": 1, **SHORT_MELDS},
    ),
    "any first meld": allowing(
        "meld.refuse_first",
        lambda state, action: (
            isinstance(action, rv.LayDown)
            and not state.has_meld(state.turn)
            and any(is_wild(state, str(one.card)) for one in action.cards)
        ),
        **{**TWOS_WILD, "meld.first_natural": True},
    ),
    "lay-offs at any time": allowing(
        "layoff.refuse",
        lambda state, action: (
            isinstance(action, rv.LayOff) and not state.has_meld(state.turn)
        ),
        **{"layoff.needs_own_meld": True},
    ),
    "lay-offs anywhere": allowing(
        "layoff.refuse_onto",
        lambda state, action: (
            isinstance(action, rv.LayOff)
            and state.table[action.meld - 1].maker != state.turn
        ),
        **{"layoff.onto": "own melds"},
    ),
    "single wilds at any time": allowing(
        "layoff.refuse_single",
        lambda state, action: (
            isinstance(action, rv.PutDown) and not state.has_meld(state.turn)
        ),
        **TWOS_WILD,
    ),
    "any number taken": attrs.evolve(
        allowing(
            "draw.refuse_take",
            lambda _, action: isinstance(action, rv.Take) and action.count > 1,
            **{"draw.take": "the top card"},
        ),
        answer=lambda pile, count, **_: (
            Objection("RV-07", "too many") if count > len(pile) else None
        ),
    ),
}
"""Policies that say yes, whatever the values are."""


def look(
    state: rv.State, others: Mapping[str, Callable[..., object]]
) -> Iterator[rv.Action]:
    """
    Compare all that could be written with the list and the twin, and ask the policies.

    Args:
        state: A state with few cards.
        others: What the third party answers, for the twin.

    Yields:
        What was refused by a third party.
    """
    listed = {outcome(rv.apply(state, one)) for one in rv.legal_actions(state)}
    found = set()
    for action, ruling in ruled(state, naive_turns.Judge(state, others)):
        assert (action in rv.legal_actions(state)) == bool(ruling)
        if ruling:
            check_answers(state, action)
            found.add(outcome(rv.apply(state, action)))
        elif NO in ruling.reason:
            yield action
    assert found == listed, f"listed is one thing, legal another: {found ^ listed}"


BOTS = [bots.bot(name) for name in ("careful", "greedy", "random")]
SEARCH = bots.bot("search:playouts=2")


@pytest.mark.parametrize("name", REFUSALS)
def test_a_no_holds_everywhere(name: str) -> None:
    """
    In the list, in `check`, at random, step by step, for bots and to finish a turn.
    """
    override = REFUSALS[name]
    rules = override.rules(name)
    assert rules.overridden == {override.question}
    others = {override.question: override.answer}
    # Before a pile is turned over it holds much that could be written.
    most = 5_000 if override.question.startswith("stock") else MOST_WRITTEN
    refused: set[str] = set()
    looked = 0
    for seed in itertools.count():
        for number, state in enumerate(states_of(rules, override.players, seed)):
            if number % 7 == seed % 7:
                testing.check_legality(state)
                _let_choose(state, number, *BOTS, *[SEARCH] * (number < 7))
            if number % 3 == seed % 3 and written(state) <= most:
                looked += 1
                refused.update(type(one).__name__ for one in look(state, others))
        if refused and looked >= LOOKED:
            break
        assert seed < 20, f"{override.question} refused {refused} in {looked} states"


LOOKED = 15
MOST_WRITTEN = 1_500


@pytest.mark.parametrize("name", PERMISSIONS)
def test_a_yes_holds_everywhere(name: str) -> None:
    override = PERMISSIONS[name]
    rules = override.rules(name)
    others = {override.question: override.answer}
    looked = shown = 0
    for seed in itertools.count():
        for number, state in enumerate(states_of(rules, override.players, seed)):
            shown += override.shows(state)
            if number % 7 == seed % 7:
                testing.check_legality(state)
            if number % 3 == seed % 3 and written(state) <= MOST_WRITTEN:
                looked += 1
                assert not [*look(state, others)]
        if shown and looked >= LOOKED:
            break
        assert seed < 20, f"{override.question} is not seen in {looked} states"


def _let_choose(state: rv.State, seed: int, *players: bots.Bot) -> None:
    view = rv.view(state, state.to_act[0])
    if state.phase == "play":
        after = state
        for action in rv.arrange(state).actions:
            assert rv.check(after, action), action
            check_answers(after, action)
            after = rv.apply(after, action)
    for bot in players:
        action = bot.choose(view, random.Random(seed))
        assert rv.check(state, action), action
        check_answers(state, action)


# ----------------------------------------------------------------- other answers


def is_wild(state: rv.State, card: str) -> bool:
    return state.dealt.terms.wild[rv.Card(card).code]


def is_over(state: rv.State) -> bool:
    return state.is_round_over and state.result is not None


FOUR = {"match.sides": "partners opposite", "match.target": 40}
NEIGHBOURS = ((0, 1), (2, 3))
COLUMNS = {"match.columns": 2, "match.target": 10}

ANSWERS = {
    one.question: one
    for one in (
        Override(
            "score.adjusted",
            lambda points, **_: iter(
                [(7, "once more", "score.rounded_to")] * bool(points)
            ),
            shows=lambda state: (
                state.result is not None
                and any(one.reason == "once more" for one in state.result.items)
            ),
        ),
        Override(
            "wild.rank_shown",
            lambda **_: "3",
            base="indian-rummy",
            shows=lambda state: state.wild_rank == "3",
        ),
        Override(
            "deck.jokers_for",
            lambda **_: 3,
            shows=lambda state: _all_cards(state).count(rv.Card("*")) == 3,
        ),
        Override(
            "deck.packs_for",
            lambda **_: 2,
            shows=lambda state: len(state.stock) > 52,
        ),
        Override(
            "deck.cards_for",
            lambda usual, **_: usual()[1:],
            shows=lambda state: (
                is_over(state)
                and len(rv.legal_actions(state)) == 0
                and rv.Card("Ac") not in _all_cards(state)
            ),
        ),
        Override(
            "deal.fixed_size",
            lambda **_: 5,
            shows=dealt(5),
        ),
        Override(
            "deal.upcard_number",
            lambda **_: 4,
            base="rummy-5000",
            players=4,
            shows=dealt(5),
        ),
        Override(
            "deal.whole_hand",
            lambda **_: 6,
            base="rummy-5000",
            players=4,
            shows=dealt(6),
        ),
        Override(
            "deal.buries",
            lambda **_: True,
            base="rummy-5000",
            values={"wild.twos": True, "deal.two_upcard": 9},
            players=4,
            shows=lambda state: (
                state.phase == "draw"
                and not any(state.turns)
                and _deals(state)[-1].cards[0].rank == "2"
                and not any(cards[0].rank == "2" for cards in state.dealt.upcards)
            ),
        ),
        Override(
            "deal.lets_choose",
            lambda **_: True,
            base="rummy-5000",
            values={"wild.twos": True, "deal.two_upcard": 9},
            players=4,
            shows=lambda state: state.phase == "choose",
        ),
        Override(
            "deal.wild_number",
            lambda **_: 4,
            base="rummy-5000",
            values={"wild.twos": True, "deal.two_upcard": 9},
            players=4,
            shows=lambda state: (
                state.phase == "draw"
                and not any(state.turns)
                and any(
                    cards[0].rank == "2" and len(hand) == 5
                    for cards, hand in zip(
                        state.dealt.upcards, state.hands, strict=True
                    )
                )
            ),
        ),
        Override(
            "deal.choices",
            lambda **_: (3, 5),
            base="rummy-5000",
            values={"wild.twos": True, "deal.two_upcard": "choose"},
            players=4,
            shows=lambda state: (
                state.phase == "choose"
                and {one.cards for one in rv.legal_actions(state)} == {3, 5}
            ),
        ),
        Override(
            "deal.never_held",
            lambda **_: FIELD[rv.Card("2c").code],
            shows=lambda state: (
                state.phase == "draw"
                and rv.Card("2c") in rv.view(state).unseen
                and not any(
                    rv.Card("2c") in hand
                    for seed in range(9)
                    for hand in rv.determinize(
                        rv.view(state), random.Random(seed)
                    ).hands
                )
            ),
        ),
        Override(
            "wild.permanent",
            lambda **_: tuple(card.rank == "7" for card in CARDS),
            shows=lambda state: is_wild(state, "7h"),
        ),
        Override(
            "wild.in_deal",
            lambda usual, **_: tuple(at == 8 or one for at, one in enumerate(usual())),
            shows=lambda state: is_wild(state, "8c") and not is_wild(state, "8h"),
        ),
        Override(
            "wild.in_rounds",
            lambda **_: "K7",
            values={"wild.indicator": "by round", "match.target": 300},
            shows=lambda state: state.wild_rank == "K" and is_wild(state, "Kh"),
        ),
        Override(
            "wild.rank_of_size",
            lambda **_: "K",
            values={"wild.indicator": "hand size", "match.target": 300},
            shows=lambda state: state.wild_rank == "K" and is_wild(state, "Kh"),
        ),
        Override(
            "wild.most_beside",
            lambda **_: 0,
            values={**TWOS_WILD, **SHORT_MELDS},
            shows=lambda state: (
                "a meld with one natural card may hold no wild card" in _pairs(state)
            ),
        ),
        Override(
            "wild.too_many",
            lambda **_: NO,
            values={**TWOS_WILD, **SHORT_MELDS, "wild.limit": "more naturals"},
            shows=lambda state: NO in _pairs(state),
        ),
        Override(
            "wild.limited_by",
            lambda **_: "wild.policy",
            values={**TWOS_WILD, **SHORT_MELDS, "wild.limit": "more naturals"},
            shows=lambda state: any(
                one.reason == "a meld needs more natural cards than wild ones"
                and one.rule == state.rules.rule_of("wild.policy")
                for one in _pair_rulings(state)
            ),
        ),
        Override(
            "wild.traded",
            lambda usual, **_: (False,) * len(usual()),
            values={**TWOS_WILD, "wild.real_card": "swap"},
            shows=lambda state: any(
                "is a wild card that is not traded" in reason
                for reason in _trades(state)
            ),
        ),
        Override(
            "meld.distinct",
            lambda **_: True,
            values={"deck.packs": 3, "meld.set_suits": "free", "deck.ranks": "A23456"},
            shows=lambda state: any(
                not rv.check(state, f"meld {cards}", state.turn)
                and len({*cards.split()}) < 3
                for cards in _same_rank(state)
            ),
        ),
        Override(
            "meld.track",
            lambda **_: "A3579JK2468TQ",
            shows=lambda state: any(
                str(meld).startswith("3") and "5" in str(meld) for meld in state.table
            ),
        ),
        Override(
            "meld.stretches",
            lambda **_: tuple([(at, at + 2, at + 3) for at in range(11)]),
            shows=lambda state: any(
                str(meld).startswith("3") and "5" in str(meld) for meld in state.table
            ),
        ),
        Override(
            "meld.largest",
            lambda **_: {"run": (3, "meld.policy"), "set": (3, "meld.policy")},
            shows=lambda state: any("is too long" in one for one in _layoffs(state)),
        ),
        Override(
            "draw.counts",
            lambda pile, **_: range(1, len(pile) + 1),
            values={"draw.take": "the top card"},
            shows=lambda state: (
                state.phase == "draw"
                and len(state.discards) > 1
                and not rv.check(state, "take 2")
            ),
        ),
        Override(
            "draw.duties",
            lambda taken, **_: (duty(taken[-1], "new meld at once", "draw.policy"),),
            shows=lambda state: (
                len(state.drawn.duties) == 1
                and not rv.check(state, f"discard {max(state.hands[state.turn])}")
            ),
        ),
        Override(
            "draw.stock_duties",
            lambda code, **_: (
                (duty(code, "play or discard", "draw.policy"),) if is_ace(code) else ()
            ),
            shows=lambda state: (
                state.drawn.source == "stock"
                and len(state.drawn.duties) == 1
                and sum(isinstance(one, rv.Discard) for one in rv.legal_actions(state))
                < 2
            ),
        ),
        Override(
            "stock.to_turn",
            lambda pile, **_: pile // 2,
            base="basic-rummy",
            values=NO_MELDS,
            shows=lambda state: state.turned > 0 and len(state.discards) > 1,
        ),
        Override(
            "out.limit",
            lambda **_: 40,
            base="gin-rummy",
            shows=lambda state: (
                is_over(state)
                and state.result.how == "knock"
                and sum(map(state.dealt.terms.worth.__getitem__, _codes(state))) > 10
            ),
        ),
        Override(
            "score.left_over",
            lambda **_: LeftOver("score.hands", sign=1),
            shows=lambda state: (
                is_over(state)
                and any(
                    item.points > 0 and item.reason == "left in the hand"
                    for item in state.result.items
                )
            ),
        ),
        Override(
            "score.knock_winner",
            lambda **_: "other",
            base="gin-rummy",
            values={"score.undercut_bonus": 20},
            shows=lambda state: (
                is_over(state)
                and state.result.how == "knock"
                and state.result.points[state.out[0]] == 0
            ),
        ),
        Override(
            "score.question",
            lambda **_: "score.wild",
            shows=lambda state: (
                is_over(state)
                and state.rules.rule_of("score.wild")
                in {i.rule for i in state.result.items}
            ),
        ),
        Override(
            "score.worth",
            lambda usual, **_: tuple(7 for _ in usual()),
            shows=lambda state: (
                is_over(state)
                and {abs(item.points) for item in state.result.items} == {7}
            ),
        ),
        Override(
            "score.low_ace_points",
            lambda **_: 2,
            values={"score.low_ace": 1, "deck.ranks": "A23456"},
            shows=lambda state: (
                is_over(state)
                and any(
                    item.points == 2 and item.card.rank == "A"
                    for item in state.result.items
                    if item.card
                )
            ),
        ),
        Override(
            "match.sides_of",
            lambda **_: NEIGHBOURS,
            players=4,
            values={"layoff.onto": "own melds", "match.target": 40},
            shows=lambda state: (
                state.is_over
                and state.sides == NEIGHBOURS
                and state.winners in NEIGHBOURS
            ),
        ),
        Override(
            "match.makes_sides",
            lambda players, **_: players == 4,
            players=4,
            values={"match.sides": "partners opposite"},
            shows=lambda state: _cannot_begin(state.rules, 6),
        ),
        Override(
            "match.by_side",
            lambda **_: (1, 2),
            players=4,
            values=FOUR,
            shows=lambda state: state.side_scores == (1, 2),
        ),
        Override(
            "match.decided",
            lambda winners, **_: (0, 1) if winners else (),
            base="gin-rummy",
            values={"match.target": 10},
            shows=lambda state: state.is_over and state.winners == (0, 1),
        ),
        Override(
            "match.round_winner",
            lambda **_: 1,
            base="gin-rummy",
            shows=lambda state: (
                is_over(state) and state.match.boxes[0] == 0 < state.result.points[0]
            ),
        ),
        Override(
            "match.payments",
            lambda totals, **_: (5,) * len(totals),
            values={"match.target": 60},
            shows=lambda state: state.is_over and state.payments == (5, 5),
        ),
        Override(
            "match.next_dealer",
            lambda dealer, **_: dealer,
            shows=lambda state: (
                state.round_number > 1
                and len({one.dealer for one in _deals(state)}) == 1
            ),
        ),
        Override(
            "match.dealer_after",
            lambda dealer, **_: dealer,
            shows=lambda state: (
                state.round_number > 1
                and len({one.dealer for one in _deals(state)}) == 1
            ),
        ),
        Override(
            "match.columns_for",
            lambda open_columns, **_: tuple(open_columns),
            base="gin-rummy",
            values=COLUMNS,
            shows=lambda state: (
                len({one.scores for one in state.columns}) == 1 and any(state.scores)
            ),
        ),
        Override(
            "match.best",
            lambda **_: (0, 1),
            base="gin-rummy",
            values=COLUMNS,
            shows=lambda state: state.winners == (0, 1),
        ),
        Override(
            "match.bonuses",
            lambda **_: iter([(0, 77, "for the house", "match.policy")]),
            values={"match.target": 60},
            shows=lambda state: state.is_over and state.final_scores[0] > 70,
        ),
        Override(
            "match.winners",
            lambda **_: (1,),
            values={"match.target": 60},
            shows=lambda state: state.winners == (1,) and len(_deals(state)) == 1,
        ),
        Override(
            "meld.refuse_together",
            lambda **_: None,
            values={**SMALL, **SHORT_MELDS},
            shows=lambda state: isinstance(state.history[-1], GoDown),
        ),
        Override(
            "draw.refuse_take_with",
            lambda **_: None,
            values=SMALL,
            shows=lambda state: isinstance(state.history[-1], TakeWith),
        ),
        Override(
            "discard.discards_owed",
            lambda **_: 2,
            values=SMALL,
            shows=lambda state: (
                all(isinstance(one, rv.Discard) for one in state.history[-2:])
                and state.history[-2].seat == state.history[-1].seat
            ),
        ),
    )
}
"""Answers that change what is dealt, worth or won, one for each question."""


def _all_cards(state: rv.State) -> list[rv.Card]:
    laid = [one.card for meld in state.table for one in meld.laid]
    return [*laid, *state.stock, *state.discards, *itertools.chain(*state.hands)]


def _codes(state: rv.State) -> list[int]:
    return [card.code for card in state.hands[state.out[0]]]


def _pair_rulings(state: rv.State) -> list[rv.Ruling]:
    """
    The rulings on a wild and a natural card as a new meld, for the player in turn.
    """
    if state.phase != "play":
        return []
    hand = state.hands[state.turn]
    pairs = itertools.product(
        [card for card in hand if is_wild(state, str(card))],
        [card for card in hand if not is_wild(state, str(card))],
    )
    return [rv.check(state, f"meld {wild} {card}") for wild, card in pairs]


def _pairs(state: rv.State) -> set[str]:
    """
    What is said of a wild and a natural card as a new meld, for the player in turn.
    """
    return {one.reason for one in _pair_rulings(state)}


def _trades(state: rv.State) -> set[str]:
    """
    What is said of the trades that the player in turn could think of.
    """
    if state.phase != "play":
        return set()
    places = itertools.product(state.hands[state.turn], range(1, len(state.table) + 1))
    return {rv.check(state, f"swap {card} on {at}").reason for card, at in places}


def _layoffs(state: rv.State) -> set[str]:
    """
    What is said of laying single cards off, for the player in turn.
    """
    if state.phase != "play":
        return set()
    places = itertools.product(state.hands[state.turn], range(1, len(state.table) + 1))
    return {rv.check(state, f"lay {card} on {at}").reason for card, at in places}


def _same_rank(state: rv.State) -> list[str]:
    """
    Three cards of a rank in the hand of the player in turn, of two suits at most.
    """
    if state.phase != "play":
        return []
    hand = sorted(map(str, state.hands[state.turn]))
    threes = itertools.combinations(hand, 3)
    return [
        " ".join(three)
        for three in threes
        if len({one[0] for one in three}) == 1 and len({*three}) < 3
    ]


def _cannot_begin(rules: rv.Ruleset, players: int) -> bool:
    with pytest.raises(rv.RulesError, match="sides need an even number"):
        rv.begin(rules, players)
    return True


def _deals(state: rv.State) -> list[rv.Deal]:
    return [one for one in state.history if isinstance(one, rv.Deal)]


@pytest.mark.parametrize("question", ANSWERS)
def test_an_answer_is_seen_in_a_game_that_passes_the_kit(question: str) -> None:
    override = ANSWERS[question]
    rules = override.rules(question)
    shown: list[rv.State] = []

    def look(state: rv.State, number: int) -> None:
        del number
        if override.shows(state):
            shown.append(state)

    testing.check_rules(rules)
    for seed in range(8):
        testing.play_match(rules, override.players, seed, 400, look=look)
        if shown:
            return
    pytest.fail(f"{question} changes nothing")


def test_every_question_of_every_policy_is_overridden_here() -> None:
    questions = {
        f"{section}.{name}"
        for section, policy in SECTIONS.items()
        for name, found in vars(policy).items()
        if inspect.isfunction(found) and name[0] != "_" and not hasattr(Policy, name)
    }
    assert questions == {one.question for one in REFUSALS.values()} | {*ANSWERS}


ACES = """
[rules]
extends = "rummy-500"
[rules.discard]
policy = "aces are kept here"
[position]
seats = ["Ann", "Ben"]
turn = "Ann"
phase = "play"
hands = { Ann = "Ac Ad", Ben = "3c 5d" }
drawn = "stock Ad"
discards = "Qd"
stock = "2c 9s"
"""


def test_a_hand_of_which_nothing_may_be_discarded() -> None:
    """
    Any discard will do (RV-43); a take that leads there is refused.
    """
    REFUSALS["aces are kept"].rules("aces are kept here")
    state = rv.parse_scenario(ACES).start
    assert state is not None
    assert [*map(str, rv.legal_actions(state))] == ["discard Ac", "discard Ad"]
    testing.check_legality(state)
    with pytest.raises(rv.PositionError, match="only Ac Ad would be left, and not at"):
        rv.parse_scenario(ACES.replace("stock Ad", "take Ad"))
    stuck = attrs.evolve(state, drawn=attrs.evolve(state.drawn, source="discards"))
    assert [*map(str, rv.legal_actions(stuck))] == ["discard Ac", "discard Ad"]
