"""What house rules say holds, and what they say wrongly is an error."""

from __future__ import annotations

import itertools
import pickle
import random

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs
import pytest

import rummyvariants as rv

from rummyvariants import events, testing
from rummyvariants.game._engine import candidates
from rummyvariants.house.rules import _SECTIONS, QUESTIONS
from rummyvariants.policies._questions import ROWS, Combined
from rummyvariants.rules._variants import SECTIONS
from rummyvariants.testing.house import check_reads
from rummyvariants.testing.states import fingerprint
from small_games import SHORT_MELDS, SMALL, TWOS_WILD


pytestmark = pytest.mark.long

GIN = {
    "deck.ranks": "A234",
    "deck.suits": "cdhs",
    "deal.hand_size": 3,
    "out.knock": 8,
    "stock.dead": 0,
}


ZONES = tuple([rv.house.Pile(name) for name in ("attic", "cellar", "plate")])


def made(
    name: str,
    section: str = "match",
    *,
    reads: frozenset[str] | None = None,
    memory: rv.house.Memory | None = None,
    doc: str = "A rule of our table.",
    **said: Any,
) -> type[rv.house.HouseRule]:
    """
    A rule that gives these answers, registered under a name.

    A name that stood for another class is given up by that one, which is renamed.
    """
    known = globals().get(name)
    given = {"__module__": __name__, "__doc__": doc, "reads": reads, "memory": memory}
    if not {"follows", "offers", "refills"}.isdisjoint(said):
        given["piles"] = ZONES
    cls = attrs.frozen(type(name, (rv.house.HouseRule,), {**given, **said}))
    assert known is None or known.section == section or section
    globals()[name] = cls  # where a pickle looks for it
    return rv.house.register_rule(section, name)(cls)


@attrs.frozen
class Case:
    """
    A question, a right answer to it, and a game in which that is seen.

    Attributes:
        answer: What is said; given what the question is given.
        shows: Where the answer is seen, in a state of the game.
        wrong: Answers that are none.
        base: The preset.
        values: What is changed of it.
        players: How many play.
        reads: What the rule declares.
        memory: What it remembers.
        more: What it says to other questions, and what it declares.
    """

    answer: Callable[..., Any]
    shows: Callable[[rv.State], bool]
    wrong: tuple[object, ...] = ()
    base: str = "rummy-500"
    values: Mapping[str, Any] = attrs.field(factory=dict)
    players: int = 2
    reads: frozenset[str] | None = None
    memory: rv.house.Memory | None = None
    more: Mapping[str, Any] = attrs.field(factory=dict)

    def rules(self, name: str, **said: Callable[..., Any]) -> rv.Ruleset:
        """
        The rules of the game with a rule that gives these answers.
        """
        made(name, reads=self.reads, memory=self.memory, **{**self.more, **said})
        small = {} if self.base == "gin-rummy" else SMALL
        values = {**small, **self.values, "match.rules": [name]}
        return rv.preset(self.base).with_values(values)


def in_debt(_: rv.house.HouseRule, match: rv.house.MatchFacts) -> list[int]:
    return [seat for seat, total in enumerate(match.scores) if total < 0]


def last(state: rv.State) -> rv.Action:
    return state.history[-1]


def said_no(state: rv.State, words: str) -> bool:
    """
    Whether something that a player might write is refused with such words.
    """
    if not state.to_act:
        return False
    return any(words in rv.check(state, text).reason for text in _written(state))


def _written(state: rv.State) -> Iterator[str]:
    if state.phase == "draw":
        yield from ("take 1", "take 2")
    if state.phase != "play":
        return
    hand = sorted(map(str, state.hands[state.turn]))
    for number in (2, 3, 4):
        for cards in itertools.combinations(hand, number):
            yield f"meld {' '.join(cards)}"
    for card in hand:
        yield f"discard {card}"
        yield f"knock {card}"
        for at in range(len(state.table)):
            yield f"lay {card} on {at + 1}"


def on(*kinds: type[events.Event]) -> Callable[[Any], Callable[..., Any]]:
    """
    What makes of an answer one that is given only to events of some kinds.
    """

    def only(answer: Callable[..., Any]) -> Callable[..., Any]:
        return lambda rule, turn, event: (
            answer(rule, turn, event) if isinstance(event, kinds) else None
        )

    return only


on_discard = on(events.Discarded)


def did(state: rv.State, name: str) -> bool:
    """
    Whether the last action was one that a house rule offers.
    """
    return isinstance(last(state), rv.actions.HouseAction) and last(state).name == name


def is_ace(card: rv.Card) -> bool:
    return card.rank == "A"


def dealers(state: rv.State) -> list[int]:
    """
    Who dealt the rounds, deals thrown in left out.
    """
    return [one.dealer for one in state.history if isinstance(one, rv.actions.Deal)]


def is_over(state: rv.State) -> bool:
    return state.is_round_over and state.result is not None


def reasons(state: rv.State) -> dict[str, int]:
    return (
        {one.reason: one.points for one in state.result.items} if state.result else {}
    )


def paid(state: rv.State) -> list[int]:
    """
    What each player received or paid at the end of a round, the least first.
    """
    assert state.result is not None
    return sorted(one.points for one in state.result.payments)


def zone(state: rv.State, name: str) -> tuple[rv.Card, ...]:
    return tuple(
        itertools.chain.from_iterable(z.cards for z in state.zones if z.name == name)
    )


THREES = (rv.Card("3h"), rv.Card("3d"))
NO_NUMBER = ("2", -1, 1.0, True, [1])
NO_SEAT = ("1", -1, True, [0])
NO_WORD = (0, "yes", "", [])


def nonsense(*what: object) -> Callable[[], Iterator[object]]:
    """
    Something that makes a new generator each time.
    """

    def go() -> Iterator[object]:
        yield from what

    return go


CASES = {
    "values": Case(
        lambda _, deal: {} if deal.round_number % 2 else {"draw.from_stock": 2},
        lambda state: state.round_number == 2 and len(state.drawn.cards) == 2,
        (
            *(3, "draw.from_stock", ["draw.from_stock"], {3: 4}),
            *({"draw.from_stock": 0}, {"draw.form_stock": 2}, {"deck.packs": 2}),
            *({"deal.hand_size": 0}, {"deal.hand_size": 10}, {"stock.dead": 50}),
        ),
        values={"match.target": 10_000},
    ),
    "wild_rank": Case(
        lambda _, deal: "3" if deal.round_number % 2 else "",
        lambda state: any(
            slot.stands_for and slot.card.rank == "3"
            for meld in state.table
            for slot in meld.slots
        ),
        (3, "33", "x", ["3"], b"3", rv.Card("3c")),
        reads=frozenset(),
    ),
    "lays_aside": Case(
        lambda *_: THREES,
        lambda state: bool(zone(state, "lays_aside_said")) and len(state.hands[0]) == 4,
        ("3h", ["3h"], 3, {None}, nonsense(*THREES, "3c")),
    ),
    "most_wilds": Case(
        lambda _, naturals: 1 if naturals < 3 else None,
        lambda state: said_no(state, "the meld holds too many wilds: a rule of our"),
        NO_NUMBER,
        values=TWOS_WILD,
    ),
    "allows_meld": Case(
        lambda _, meld: meld.kind == "set",
        lambda state: said_no(state, "may not lie on the table: a rule of our table"),
        NO_WORD,
    ),
    "may_lay": Case(
        lambda _, turn, meld: meld.kind == "set" or turn.turns_taken[turn.seat] > 1,
        lambda state: said_no(state, "may not be laid now: a rule of our table"),
        NO_WORD,
        reads=frozenset({"turns_taken", "seat"}),
    ),
    "opening": Case(
        lambda *_: rv.house.Opening(points=30),
        lambda state: said_no(state, "the first melds are worth only "),
        (
            *(
                "set",
                ["set"],
                40,
                rv.house.Opening(["sets"]),
                rv.house.Opening(["run x"]),
            ),
            *(
                rv.house.Opening(["run -4"]),
                rv.house.Opening(points="40"),
                rv.house.Opening([3]),
            ),
        ),
        reads=frozenset(),
    ),
    "most_melds": Case(
        lambda *_: 1,
        lambda state: said_no(state, "no more melds may be made this turn: a rule of"),
        NO_NUMBER,
        values=SHORT_MELDS,
        reads=frozenset(),
    ),
    "cards_drawn": Case(
        lambda *_: 2,
        lambda state: len(state.drawn.cards) == 2,
        (*NO_NUMBER, 0),
        reads=frozenset(),
    ),
    "takes": Case(
        lambda _, turn: () if is_ace(turn.discards[-1]) else None,
        lambda state: said_no(state, "one discard may not be taken: a rule of our"),
        ("1", 1, [0], ["1"], [True], [-1], nonsense(1, None)),
        reads=frozenset({"discards"}),
    ),
    "takes_with": Case(
        lambda _, turn, count, meld: count == len(turn.discards) and meld.kind == "set",
        lambda state: isinstance(last(state), rv.actions.TakeAndMeld),
        NO_WORD,
        reads=frozenset({"discards"}),
    ),
    "owes": Case(
        lambda _, turn: (
            [rv.house.Owed(turn.drawn[0], or_discard=True)]
            if turn.source == "stock"
            else []
        ),
        lambda state: bool(state.drawn.duties) and state.drawn.source == "stock",
        (
            *("Ac", [rv.Card("Ac")], rv.house.Owed(rv.Card("*")), nonsense(3)),
            *([rv.house.Owed(rv.Card("*"))], [rv.house.Owed("Ac")]),
        ),
        reads=frozenset({"drawn", "source"}),
    ),
    "buys": Case(
        lambda *_: rv.house.Price(2),
        lambda state: isinstance(last(state), rv.actions.Buy),
        (
            *(
                1,
                True,
                "1",
                rv.house.Price(-1),
                rv.house.Price("1"),
                rv.house.Price(1, "high"),
            ),
            *(rv.house.Price(1.5), [rv.house.Price()]),
        ),
        players=3,
        reads=frozenset(),
    ),
    "may_lay_off": Case(
        lambda _, turn: turn.has_melded,
        lambda state: said_no(state, "no card may be laid off: a rule of our table"),
        NO_WORD,
        reads=frozenset({"has_melded"}),
    ),
    "lays_off_on": Case(
        lambda _, turn: [turn.seat],
        lambda state: said_no(state, "no card may be laid on that meld: a rule of our"),
        ("0", 0, [2], [-1], [True], ["0"], nonsense(0, 7)),
        reads=frozenset({"seat"}),
    ),
    "discards": Case(
        lambda _, turn: [card for card in turn.hand if not is_ace(card)] or turn.hand,
        lambda state: said_no(state, "may not be discarded: a rule of our table"),
        ("Ac", 1, ["Ac"], nonsense(None), rv.Card("Ac")),
        reads=frozenset({"hand"}),
    ),
    "discards_owed": Case(
        lambda *_: 2,
        lambda state: (
            [type(one) for one in state.history[-2:]] == [rv.actions.Discard] * 2
            and state.history[-2].seat == last(state).seat
        ),
        NO_NUMBER,
        reads=frozenset(),
    ),
    "may_knock": Case(
        lambda _, turn: turn.turns_taken[turn.seat] > 1,
        lambda state: said_no(state, "nobody may knock now: a rule of our table"),
        NO_WORD,
        base="gin-rummy",
        values=GIN,
        reads=frozenset({"turns_taken", "seat"}),
    ),
    "may_go_out": Case(
        lambda _, turn: turn.turns_taken[turn.seat] > 1,
        lambda state: said_no(state, "the last card may not be played: a rule of our"),
        NO_WORD,
        values={"deal.hand_size": 3},
        reads=frozenset({"turns_taken", "seat"}),
    ),
    "asks": Case(
        lambda _, turn: (turn.seat + 1) % turn.players,
        lambda state: (
            state.phase == "play" and last(state) == rv.actions.No((state.turn + 1) % 3)
        ),
        (*NO_SEAT, 3),
        players=3,
        reads=frozenset({"seat", "players"}),
    ),
    "must_go_out": Case(
        lambda _, turn: turn.turns_taken[turn.seat] > 1,
        lambda state: said_no(state, "the player has to go out now: a rule of our"),
        NO_WORD,
        values={"deal.hand_size": 3},
        reads=frozenset({"turns_taken", "seat"}),
    ),
    "next_seat": Case(
        lambda _, turn: (turn.seat + 2) % turn.players,
        lambda state: state.phase == "draw" and state.turns in {(1, 0, 1), (1, 0, 0)},
        (*NO_SEAT, 3),
        players=3,
        reads=frozenset({"seat", "players"}),
    ),
    "score": Case(
        lambda _, end: (
            rv.house.Points(seat, 7, "for us") for seat in range(end.players)
        ),
        lambda state: reasons(state).get("for us") == 7,
        (
            *("7", 7, [7], [rv.house.Points(2, 7, "")], [rv.house.Points(-1, 7, "")]),
            *(
                [rv.house.Points(0, 7.5, "")],
                [rv.house.Points(0, "7", "")],
                nonsense("seven"),
            ),
            *([rv.house.Points(0, 7, 7)], [rv.house.Points(0, 7, "", "Ac")]),
        ),
    ),
    "pays": Case(
        lambda _, end: (
            rv.house.Points(
                seat, end.players - 1 if seat in end.out else -1, "for the round"
            )
            for seat in range(end.players)
            if end.out
        ),
        lambda state: (
            is_over(state) and sorted(state.payments) == [-1, -1, 2] == paid(state)
        ),
        (
            *("7", 7, [7], [rv.house.Points(2, 7, "")], [rv.house.Points(0, 7, "")]),
            *(
                [rv.house.Points(0, 7.5, "")],
                [rv.house.Points(0, 0, 7)],
                nonsense("seven"),
            ),
            (rv.house.Points(0, 7, ""), rv.house.Points(1, -6, "")),
            [rv.house.Points(0, 0, "", 3)],
        ),
        players=3,
    ),
    "rejoins": Case(
        lambda *_: 1,
        lambda state: isinstance(last(state), rv.actions.Rejoin) and 1 in state.scores,
        ("1", 7.5, True, nonsense("one")),
        players=3,
        values={"match.target": 10_000},
        more={"eliminated": in_debt},
    ),
    "eliminated": Case(
        lambda _, match: [2] if match.rounds else [],
        lambda state: (
            state.phase == "draw" and len(state.hands[2]) == 0 < len(state.hands[0])
        ),
        ("2", 2, [3], [-1], [True], nonsense("Ann")),
        players=3,
        values={"match.target": 10_000},
    ),
    "winners": Case(
        lambda _, match: [1] if match.rounds > 1 else (),
        lambda state: state.winners == (1,) and state.round_number == 2,
        ("1", 1, [2], [-1], [True], nonsense(0, "Ann")),
    ),
    "remembers_deal": Case(
        lambda _, deal: deal.round_number,
        lambda state: reasons(state).get("since the deal", 0) > 0,
        (1.5, rv.Card("Ac"), [1], {1: 2}, (1, [2]), nonsense([1]), {3}),
        memory=rv.house.Memory(0),
        more={
            "score": lambda _, end: [rv.house.Points(0, end.memory, "since the deal")],
        },
    ),
    "follows": Case(
        on_discard(lambda *_: [rv.house.Move("stock", "cellar", 1)]),
        lambda state: len(zone(state, "cellar")) == 2,
        (
            *("stock", 1, [1], [rv.house.Move("stock", "table")], nonsense("stock")),
            *(
                [rv.house.Move("hand", "stock")],
                [rv.house.Move("stock", "hand", target_seat=2)],
            ),
            *(
                [rv.house.Move("stock", "stock")],
                [rv.house.Move("stock", "cellar", -1)],
            ),
            *([rv.house.Move("stock", "cellar", "2")], [rv.house.Move(1, "cellar")]),
            *(
                [rv.house.Move("stock", "stock", source_seat=1)],
                [rv.house.Move("", "stock")],
            ),
            *(
                [rv.house.Move("discards", "discards", target_seat=0)],
                [rv.house.Remember(1)],
            ),
            *(
                [rv.house.Remember(1.5)],
                [rv.house.Remember([1])],
                [rv.house.Remember(rv.Card("Ac"))],
            ),
            *(
                [rv.house.Points(2, 7, "")],
                [rv.house.Points(0, 7.5, "")],
                [rv.house.Points(0, 7, 7)],
            ),
            *(
                [rv.house.AskOthers([2])],
                [rv.house.AskOthers(["1"])],
                [rv.house.EndRound([True])],
            ),
            *(
                [rv.house.EndMatch([])],
                [rv.house.EndMatch([2])],
                [rv.house.EndMatch([0], [-1])],
            ),
            *(
                [rv.house.GoOn("draw")],
                [rv.house.GoOn("play", 2)],
                [rv.house.Offer("go", [])],
            ),
        ),
    ),
    "refills": Case(
        lambda _, turn: [
            rv.house.Move(
                "the pot",
                "hand",
                None,
                source_seat=turn.seat,
                target_seat=turn.seat,
            )
        ],
        lambda state: len(zone(state, "the pot")) == 2,
        (
            *("stock", 1, [1], [rv.house.Move("stock", "table")], nonsense("stock")),
            *(
                [rv.house.Move("stock", "hand", target_seat=2)],
                [rv.house.Points(0, 7, "")],
            ),
        ),
        values={"deal.hand_size": 3},
        more={"piles": (rv.house.Pile("the pot", 2, of="seat"),)},
    ),
    "offers": Case(
        lambda _, turn: (
            [
                rv.house.Offer(
                    "pass the draw",
                    [
                        rv.house.Points(turn.seat, -10, "for passing"),
                        rv.house.GoOn("play"),
                    ],
                )
            ]
            if turn.phase == "draw"
            else None
        ),
        lambda state: reasons(state).get("for passing") == -10,
        (
            *("pass the draw", 1, [1], [rv.house.Points(0, 7, "")], nonsense("pass")),
            *([rv.house.Offer("pass", [])], [rv.house.Offer("", [])]),
        ),
        more={"actions": ("pass the draw",)},
    ),
    "forbids": Case(
        lambda _, __, action, after: (
            len(after().hand) > 6 if action.word == "take" else None
        ),
        lambda state: said_no(state, "'take 2' is refused: a rule of our table"),
        NO_WORD,
        values={"deal.hand_size": 5},
        more={"vetoes": ("take", "discard")},
    ),
    "deals_next": Case(
        lambda _, match: (match.dealer + 2) % match.players,
        lambda state: dealers(state)[:3] == [2, 1, 0],
        (*NO_SEAT, 3),
        players=3,
        values={"match.target": 10_000, "deal.hand_size": 3},
    ),
    "worth": Case(
        lambda _, slot, __: 50 if slot.card.rank == "3" else None,
        lambda state: (
            is_over(state)
            and any(one.points == 50 and one.rule for one in state.result.items)
        ),
        ("50", 7.5, True, [50]),
        values={"match.target": 10_000},
    ),
}
"""For each question an answer that is seen, and answers that are none."""


def test_every_question_is_answered_here() -> None:
    assert {*CASES} == {*QUESTIONS}


@pytest.mark.parametrize("question", CASES)
def test_an_answer_is_seen_in_a_game_that_passes_the_kit(question: str) -> None:
    case = CASES[question]
    rules = case.rules(f"{question}_said", **{question: case.answer})
    shown: list[rv.State] = []

    def look(state: rv.State, number: int) -> None:
        del number
        if case.shows(state):
            shown.append(state)

    testing.check_rules(rules)
    for seed in range(8):
        testing.play_match(rules, case.players, seed, 250, every=4, look=look)
        if shown and seed:
            return
    pytest.fail(f"{question} changes nothing")


FOLLOWING = {
    "points at once": Case(
        on_discard(lambda _, turn, __: [rv.house.Points(turn.seat, 3, "thrown")]),
        lambda state: reasons(state).get("thrown") == 3,
    ),
    "what is remembered counts at once": Case(
        on_discard(lambda _, turn, __: [rv.house.Remember(turn.memory + 1)]),
        lambda state: reasons(state).get("remembered", 0) > 1,
        memory=rv.house.Memory(0),
        more={
            "effects": frozenset({rv.house.Remember}),
            "score": lambda _, end: [rv.house.Points(0, end.memory, "remembered")],
        },
    ),
    "a whole pile": Case(
        on_discard(
            lambda _, turn, __: (
                [rv.house.Move("discards", "cellar", None)]
                if len(turn.discards) > 2
                else []
            )
        ),
        lambda state: len(zone(state, "cellar")) > 3 and not state.discards,
    ),
    "one of the others may answer": Case(
        on_discard(
            lambda _, turn, __: [
                rv.house.AskOthers(
                    [one for one in range(turn.players) if one != turn.seat]
                )
            ]
        ),
        lambda state: did(state, "challenge") and state.phase != "asked",
        players=3,
        more={
            "actions": ("challenge",),
            "offers": lambda _, turn: (
                [
                    rv.house.Offer(
                        "challenge", [rv.house.Points(turn.seat, 1, "for a challenge")]
                    )
                ]
                if turn.phase == "asked"
                else []
            ),
        },
    ),
    "all others have to answer": Case(
        on(events.Laid)(
            lambda _, turn, __: [
                rv.house.AskOthers(
                    [one for one in range(turn.players) if one != turn.seat],
                    all=True,
                    may_pass=False,
                )
            ]
        ),
        lambda state: (
            did(state, "give")
            and isinstance(state.history[-2], rv.actions.HouseAction)
            and state.phase == "play"
            and len(zone(state, "plate")) >= 2
        ),
        players=3,
        values={"deal.hand_size": 5},
        more={
            "actions": ("give",),
            "offers": lambda _, turn: (
                [
                    rv.house.Offer(
                        "give",
                        [
                            rv.house.Move(
                                "hand",
                                "plate",
                                cards=[card],
                                source_seat=turn.seat,
                                shown=True,
                            )
                        ],
                        [card],
                    )
                    for card in turn.hand
                ]
                if turn.phase == "asked"
                else []
            ),
        },
    ),
    "a play ends the turn": Case(
        on(events.Laid)(lambda *_: [rv.house.GoOn("next turn")]),
        lambda state: (
            isinstance(last(state), rv.actions.NewMeld) and state.phase == "draw"
        ),
    ),
    "a seat is next": Case(
        on(events.Laid)(lambda _, turn, __: [rv.house.GoOn("next turn", turn.seat)]),
        lambda state: (
            isinstance(last(state), rv.actions.NewMeld)
            and state.phase == "draw"
            and state.turn == last(state).seat
        ),
    ),
    "the round ends": Case(
        on_discard(
            lambda _, __, event: [rv.house.EndRound()] if is_ace(event.card) else []
        ),
        lambda state: is_over(state) and state.result.how == "rule",
    ),
    "somebody is out": Case(
        on_discard(
            lambda _, turn, event: (
                [rv.house.EndRound([turn.seat])] if is_ace(event.card) else []
            )
        ),
        lambda state: (
            is_over(state)
            and state.result.how == "out"
            and state.result.out == last(state).seat
            and bool(state.hands[last(state).seat])
        ),
    ),
    "the match ends": Case(
        on_discard(
            lambda _, turn, event: (
                [rv.house.EndMatch([(turn.seat + 1) % turn.players])]
                if is_ace(event.card)
                else []
            )
        ),
        lambda state: (
            state.is_over
            and state.round_number == 1
            and state.winners == ((last(state).seat + 1) % 2,)
        ),
        values={"match.target": 10_000},
    ),
    "a deal is followed": Case(
        on(events.HandDealt)(
            lambda _, __, event: [
                rv.house.Move("stock", "cellar", 1, target_seat=event.seat)
            ]
        ),
        lambda state: (
            isinstance(last(state), rv.actions.Deal) and len(zone(state, "cellar")) == 2
        ),
    ),
}
"""By what follows: an event with an effect that is seen."""


@pytest.mark.parametrize("what", FOLLOWING)
def test_an_effect_is_seen_in_a_game_that_passes_the_kit(what: str) -> None:
    case = FOLLOWING[what]
    rules = case.rules("following", follows=case.answer)
    shown: list[rv.State] = []

    def look(state: rv.State, number: int) -> None:
        del number
        if case.shows(state):
            shown.append(state)

    testing.check_rules(rules)
    for seed in range(8):
        testing.play_match(rules, case.players, seed, 250, every=4, look=look)
        if shown and seed:
            return
    pytest.fail(f"nothing is seen of {what!r}")


def test_a_rule_has_only_the_effects_that_it_declares() -> None:
    rules = CASES["follows"].rules(
        "states it",
        effects=frozenset({rv.house.Remember}),
        follows=lambda *_: [rv.house.Move("stock", "cellar")],
    )
    with pytest.raises(
        rv.errors.RulesError, match=r"a kind named in states it\.effects"
    ):
        _play(rules, 2, [])


def test_effects_that_cause_each_other_for_ever_are_an_error() -> None:
    rules = CASES["follows"].rules(
        "circles",
        follows=lambda _, turn, __: [
            rv.house.Move("hand", "attic", None, source_seat=turn.seat),
            rv.house.Move("attic", "hand", None, target_seat=turn.seat),
        ],
    )
    with pytest.raises(rv.errors.RulesError, match=r"effects .* without an end"):
        _play(rules, 2, [])


def test_what_a_player_is_asked_has_to_be_answered() -> None:
    case = FOLLOWING["all others have to answer"]
    rules = case.rules("answering", follows=case.answer)
    state = next(
        state
        for seed in range(20)
        for state in states_of(rules, 3, seed)
        if state.phase == "asked"
    )
    (seat,) = state.to_act
    ruling = rv.check(state, "pass", seat)
    assert not ruling
    assert "has to choose one of the actions offered" in ruling.reason
    card, *_ = state.hands[seat]
    assert rv.check(state, f"give {card}", seat)
    other = next(one for one in EVERYTHING if one not in state.hands[seat])
    assert "is not offered now" in rv.check(state, f"give {other}", seat).reason
    assert {*rv.legal_actions(state)} == {
        rv.actions.HouseAction("give", rv.Cards([one]), seat)
        for one in state.hands[seat]
    }
    assert rv.legal_actions(state).count_by_kind() == {
        "give": len({*state.hands[seat]})
    }


def test_what_is_forbidden_gives_way_where_nothing_else_is_left() -> None:
    made(
        "forbidding",
        vetoes=("draw", "take"),
        forbids=lambda _, __, action, ___: action.word == "draw" or action.count == 1,
    )
    rules = rv.preset("rummy-500").with_values({**SMALL, "match.rules": ["forbidding"]})
    state = rv.game.deal(rv.game.begin(rules, 2, seed=1))
    assert rv.check(state, "draw"), "one card lies on the discard pile"
    assert rv.check(state, "take 1")
    testing.check_state(state)
    made("forbidding", vetoes=("draw",), forbids=lambda *_: True)
    rules = rv.preset("rummy-500").with_values({**SMALL, "match.rules": ["forbidding"]})
    state = rv.game.deal(rv.game.begin(rules, 2, seed=1))
    assert str(rv.check(state, "draw")).startswith(
        "refused: 'draw' is refused: a rule of our table"
    )
    assert [*map(str, rv.legal_actions(state))] == ["take 1"]


def test_two_rules_may_offer_the_same_action() -> None:
    names = ("sits out", "sits out too")
    for name in names:
        made(
            name,
            actions=("sit out",),
            offers=lambda _, turn: (
                [rv.house.Offer("sit out", [rv.house.GoOn("next turn")])]
                if turn.phase == "draw"
                else []
            ),
        )
    rules = rv.preset("rummy-500").with_values({**SMALL, "match.rules": [*names]})
    state = rv.game.deal(rv.game.begin(rules, 2, seed=1))
    assert [*map(str, rv.legal_actions(state))].count("sit out") == 1
    after = rv.apply(state, "sit out")
    assert after.turn != state.turn
    assert rv.check(state, "sit out").rule == "sits out"


def test_the_cards_of_a_pile_are_seen_by_whom_it_says() -> None:
    shown = {"nobody": (), "owner": (1,), "everybody": (0, 1, 2)}
    for who, seats in shown.items():
        made("piling", piles=(rv.house.Pile("foot", 2, of="seat", shown=who),))
        rules = rv.preset("rummy-500").with_values({**SMALL, "match.rules": ["piling"]})
        state = rv.game.deal(rv.game.begin(rules, 3, seed=1))
        testing.check_state(state)
        assert len(zone(state, "foot")) == 6
        for seat in range(3):
            (foot,) = [
                cards
                for name, owner, cards in rv.view(state, seat).apart
                if (name, owner) == ("foot", 1)
            ]
            assert (None not in foot) == (seat in seats)


def test_players_may_pass_where_a_rule_has_emptied_the_stock() -> None:
    """
    In a game in which the round would have ended with the stock.
    """
    rules = CASES["follows"].rules(
        "emptied",
        follows=on_discard(lambda *_: [rv.house.Move("stock", "cellar", 60)]),
    )
    state = rv.apply(rv.new_game(rules, 2, seed=1), "draw")
    thrown = next(
        one for one in rv.legal_actions(state) if isinstance(one, rv.actions.Discard)
    )
    state = rv.apply(state, thrown)
    while state.phase == "call":
        state = rv.apply(state, "pass", state.to_act[0])
    assert (state.phase, len(state.stock)) == ("draw", 0)
    assert rv.check(state, "pass")
    assert rv.actions.Pass(state.turn) in list(rv.legal_actions(state))


def test_rules_hear_of_a_card_laid_aside_that_nothing_replaces() -> None:
    heard = made(
        "drawn so far",
        memory=rv.house.Memory(0),
        follows=lambda _, turn, event: (
            [rv.house.Remember(turn.memory + 1)]
            if isinstance(event, events.Drew)
            else []
        ),
    )
    state = rv.position(
        rv.preset("canasta").with_values({"match.rules": [heard()]}),
        hands={"Ann": "4c 5c", "Ben": "7h 8h"},
        turn="Ann",
        stock="3h",
        discards="9c",
        partial=True,
    )
    assert rv.apply(state, "draw").memory == {"match.drawn so far": 1}


WRONG = [(question, one) for question, case in CASES.items() for one in case.wrong]


@pytest.mark.parametrize(
    ("question", "wrong"),
    WRONG,
    ids=[f"{question}-{number}" for number, (question, _) in enumerate(WRONG)],
)
def test_a_wrong_answer_is_an_error_and_changes_nothing(
    question: str, wrong: object
) -> None:
    case = CASES[question]
    errs = [True]

    def answer(*given: Any) -> object:
        if not errs:
            return case.answer(*given)
        return wrong() if callable(wrong) else wrong

    name = f"{question}_wrongly"
    rules = case.rules(name, **{question: answer})
    seen: list[tuple[rv.State, tuple[str, ...]]] = []
    with pytest.raises(rv.errors.RulesError) as raised:
        _play(rules, case.players, seen)
    message = str(raised.value)
    assert f"the rule {name!r} answers {question!r} with " in message
    assert " 0x" not in message
    if not callable(wrong):
        core = wrong[0] if isinstance(wrong, list) and len(wrong) == 1 else wrong
        assert repr(core) in message or "groups" in message
    if not seen:
        return  # it is asked of the match before anything is dealt
    state, kept = seen[-1]
    assert fingerprint(state) == kept
    errs.clear()
    rules._memo.clear()
    rules.answers.clear()
    for after in itertools.islice(states_of(rules, 0, 0, state), 25):
        testing.check_state(after)


def _play(
    rules: rv.Ruleset, players: int, seen: list[tuple[rv.State, tuple[str, ...]]]
) -> None:
    for seed in range(20):
        for state in states_of(rules, players, seed):
            seen.append((state, fingerprint(state)))


def states_of(
    rules: rv.Ruleset, players: int, seed: int, state: rv.State | None = None
) -> Iterator[rv.State]:
    """
    The states of a random game, be it from its beginning or from one of them.
    """
    chance = random.Random(seed)
    state = state or rv.game.begin(rules, players, seed=seed)
    for _ in range(150):
        yield state
        if state.is_over:
            return
        if state.phase == "deal":
            state = rv.game.deal(state)
            continue
        legal = rv.legal_actions(state)
        assert legal, f"nothing is legal in the phase {state.phase}"
        state = rv.apply(state, legal.sample(chance.randrange))


# ---------------------------------------------------------------- several rules


@attrs.frozen
class Two:
    """
    What two rules say to one question, and what comes of it.

    Attributes:
        first: What the first rule says.
        second: What the second one says.
        seen: What has to be seen, each in some state.
        never: What no state may show.
        players: How many play.
        base: The preset.
        values: What is changed of it.
        more: What both say to other questions.
    """

    first: Callable[..., Any]
    second: Callable[..., Any]
    seen: tuple[Callable[[rv.State], object], ...]
    never: Callable[[rv.State], object] = lambda _: False
    players: int = 2
    base: str = "rummy-500"
    values: Mapping[str, Any] = attrs.field(factory=dict)
    more: Mapping[str, Callable[..., Any]] = attrs.field(factory=dict)


def both_refuse(words: str) -> tuple[Callable[[rv.State], bool], ...]:
    return (
        lambda state: said_no(state, f"{words}: the first"),
        lambda state: said_no(state, f"{words}: the second"),
    )


def laid_points(state: rv.State) -> set[int]:
    """
    What cards on the table have counted at the end of a round.
    """
    items = state.result.items if is_over(state) else ()
    return {one.points for one in items if one.points > 0 and one.card}


TOGETHER = {
    "values": Two(
        lambda *_: {"draw.from_stock": 2},
        lambda _, deal: {"deal.hand_size": 3 + deal.round_number},
        (
            lambda state: len(state.drawn.cards) == 2,
            lambda state: (
                isinstance(last(state), rv.actions.Deal) and len(state.hands[0]) == 4
            ),
        ),
    ),
    "lays_aside": Two(
        lambda *_: THREES[:1],
        lambda *_: [rv.Card("4d")],
        (
            lambda state: zone(state, "one") == THREES[:1],
            lambda state: zone(state, "two") == (rv.Card("4d"),),
        ),
    ),
    "most_wilds": Two(
        lambda *_: 2,
        lambda *_: 1,
        (lambda state: state.rules.most_wilds(3) == 1,),
        lambda state: said_no(state, "the meld holds too many wilds: the first"),
        values=TWOS_WILD,
    ),
    "allows_meld": Two(
        lambda _, meld: meld.kind == "set",
        lambda _, meld: meld.rank != "3",
        both_refuse("may not lie on the table"),
    ),
    "may_lay": Two(
        lambda _, turn, meld: meld.kind == "set" or turn.has_melded,
        lambda _, turn, meld: meld.rank != "3" or len(turn.hand) < 4,
        both_refuse("may not be laid now"),
    ),
    "opening": Two(
        lambda *_: rv.house.Opening(["set"]),
        lambda *_: rv.house.Opening(points=20),
        (
            lambda state: said_no(
                state, "must be a set, laid together, as in 'meld Kh Kd Kc': the first"
            ),
            lambda state: said_no(state, "points, and 20 are needed: the second"),
        ),
    ),
    "most_melds": Two(
        lambda *_: 5,
        lambda *_: 1,
        (
            lambda state: said_no(
                state, "no more melds may be made this turn: the second"
            ),
        ),
        lambda state: said_no(state, "no more melds may be made this turn: the first"),
        values=SHORT_MELDS,
    ),
    "takes": Two(
        lambda *_: (1, 2),
        lambda *_: (2, 3),
        (lambda state: isinstance(last(state), rv.actions.Take),),
        lambda state: (
            isinstance(last(state), rv.actions.Take) and last(state).count != 2
        ),
    ),
    "takes_with": Two(
        lambda *_: True,
        lambda *given: given[-1].kind == "set",
        (lambda state: isinstance(last(state), rv.actions.TakeAndMeld),),
        lambda state: (
            isinstance(last(state), rv.actions.TakeAndMeld)
            and state.table[-1].kind != "set"
        ),
    ),
    "owes": Two(
        lambda _, turn: [rv.house.Owed(turn.drawn[0], or_discard=True)],
        lambda _, turn: [rv.house.Owed(turn.drawn[-1], or_discard=True)],
        (
            lambda state: (
                state.drawn.source == "stock"
                and [state.rules.rule_of(one.path) for one in state.drawn.duties] == WHO
            ),
        ),
    ),
    "may_lay_off": Two(
        lambda _, turn: turn.has_melded,
        lambda _, turn: len(turn.hand) < 4,
        both_refuse("no card may be laid off"),
    ),
    "lays_off_on": Two(
        lambda *_: [0, 1],
        lambda *_: [1, 2],
        both_refuse("no card may be laid on that meld"),
        players=3,
    ),
    "discards": Two(
        lambda _, turn: [one for one in turn.hand if one.rank != "A"],
        lambda _, turn: [one for one in turn.hand if one.rank != "3"],
        both_refuse("may not be discarded"),
    ),
    "discards_owed": Two(
        lambda *_: 1,
        lambda *_: 2,
        (CASES["discards_owed"].shows,),
    ),
    "may_knock": Two(
        lambda _, turn: turn.turns_taken[turn.seat] > 1,
        lambda _, turn: turn.seat == 0,
        both_refuse("nobody may knock now"),
        base="gin-rummy",
        values=GIN,
    ),
    "may_go_out": Two(
        lambda _, turn: turn.seat == 0,
        lambda _, turn: turn.turns_taken[turn.seat] > 2,
        both_refuse("the last card may not be played"),
        values={"deal.hand_size": 3},
    ),
    "must_go_out": Two(
        lambda _, turn: turn.seat == 0,
        lambda _, turn: turn.turns_taken[turn.seat] > 2,
        both_refuse("the player has to go out now"),
        values={"deal.hand_size": 3},
    ),
    "score": Two(
        lambda *_: [rv.house.Points(0, 7, "first")],
        lambda _, end: [rv.house.Points(1, end.so_far[0], "so far")],
        (
            lambda state: (
                is_over(state)
                and [one.reason for one in state.result.items][-2:]
                == ["first", "so far"]
                and state.result.items[-1].points == state.result.points[0]
            ),
        ),
        lambda state: (
            is_over(state) and state.result.items[-1].points != state.result.points[0]
        ),
    ),
    "pays": Two(
        lambda *_: [rv.house.Points(0, 7, "first"), rv.house.Points(1, -7, "first")],
        lambda *_: [rv.house.Points(1, 2, "second"), rv.house.Points(0, -2, "second")],
        (lambda state: is_over(state) and state.payments == (5, -5),),
    ),
    "eliminated": Two(
        lambda _, match: [0] if match.rounds else [],
        lambda _, match: [3] if match.rounds else [],
        (lambda state: state.eliminated == (0, 3) and state.phase == "play",),
        players=4,
        values={"match.target": 10_000},
    ),
    "remembers_deal": Two(
        lambda _, deal: deal.round_number,
        lambda _, deal: -deal.dealt,
        (
            lambda state: (
                isinstance(last(state), rv.actions.Deal)
                and [*dict(state.memory).values()]
                == [state.round_number, -sum(map(len, state.hands))]
            ),
        ),
    ),
    "follows": Two(
        on_discard(
            lambda _, turn, __: [
                rv.house.Remember(turn.memory + 1),
                rv.house.Move("stock", "cellar"),
            ]
        ),
        on_discard(
            lambda _, turn, __: [
                rv.house.Remember(turn.memory - 1),
                rv.house.Move("stock", "attic"),
            ]
        ),
        (
            lambda state: len(zone(state, "cellar")) == len(zone(state, "attic")) == 1,
            lambda state: [*dict(state.memory).values()] == [3, -3],
        ),
    ),
    "offers": Two(
        lambda *_: [rv.house.Offer("one way", [rv.house.GoOn("next turn")])],
        lambda *_: [rv.house.Offer("two ways", [rv.house.GoOn("next turn")])],
        (
            lambda state: did(state, "one way") and state.phase == "draw",
            lambda state: did(state, "two ways") and state.phase == "draw",
        ),
        more={"actions": ("one way", "two ways")},
    ),
    "forbids": Two(
        lambda _, turn, *__: turn.seat == 0,
        lambda _, turn, *__: turn.turns_taken[turn.seat] > 1,
        both_refuse("'take 1' is refused"),
        more={"vetoes": ("take",)},
    ),
}
"""For each question whose answers are combined two answers, and what they come to."""
WHO = ["OUR-1", "OUR-2"]


SINGLE = [one for one in QUESTIONS if ROWS[one].combined == Combined.FIRST]


def test_every_question_is_answered_twice() -> None:
    assert {*TOGETHER} == {*QUESTIONS} - {*SINGLE}


@pytest.mark.parametrize("sections", [("match", "match"), ("deck", "meld")])
@pytest.mark.parametrize("question", SINGLE)
def test_two_rules_do_not_answer_what_one_decides(
    question: str, sections: tuple[str, str]
) -> None:
    said = {question: CASES[question].answer}
    for name, section, rule_id in zip(("one", "two"), sections, WHO, strict=True):
        made(name, section, id=rule_id, **said)
    rules = rv.preset("rummy-500").with_values({f"{sections[0]}.rules": ["one"]})
    with pytest.raises(rv.errors.RulesError) as caught:
        rules.with_values({f"{sections[1]}.rules": ["two"]})
    words = (
        f"the rules 'one' and 'two' both answer {question!r}, and one answer decides"
    )
    assert words in str(caught.value)
    assert {*caught.value.rules} == {*WHO}


@pytest.mark.parametrize("sections", [("match", "match"), ("deck", "meld")])
@pytest.mark.parametrize("question", TOGETHER)
def test_two_rules_answer_one_question(
    question: str, sections: tuple[str, str]
) -> None:
    two = TOGETHER[question]
    keeps = question in {"follows", "remembers_deal"}
    memory = rv.house.Memory(0) if keeps else None
    first, _ = (
        made(
            name,
            section,
            memory=memory,
            doc=doc,
            id=rule_id,
            **{**two.more, question: answer},
        )
        for name, section, doc, rule_id, answer in (
            ("one", sections[0], "The first.", "OUR-1", two.first),
            ("two", sections[1], "The second.", "OUR-2", two.second),
        )
    )
    rules = rv.preset(two.base).with_values(
        {
            **({} if two.base == "gin-rummy" else SMALL),
            **two.values,
            f"{sections[0]}.rules": [first()],
        }
    )
    rules = rules.with_values({f"{sections[1]}.rules": ["two"]})
    assert [rules.rule_of(path) for path, _ in rules.house] == WHO
    left = [*two.seen]
    for seed in range(12):
        for state in states_of(rules, two.players, seed):
            if len(state.history) == 0:
                continue
            assert not two.never(state)
            left = [shows for shows in left if not shows(state)]
        if not left:
            return
    pytest.fail(f"{question} does not come to what it should")


def test_a_limit_on_wilds_may_go_by_the_kind_of_the_meld() -> None:
    rule = made(
        "by kind", most_wilds=lambda _, found, kind: min(found, 2 - (kind == "run"))
    )
    rules = rv.preset("rummy-500").with_values({"match.rules": [rule()]})
    state = rv.position(
        rules.with_values({"wild.twos": True}),
        hands={"Ann": "7h 2s 2d 9h 9c Kc", "Ben": "3c"},
        turn="Ann",
        phase="play",
        drawn="stock Kc",
        stock="4c 5c",
        discards="Jd",
    )
    assert not rv.check(state, "meld 7h 2s=8h 9h 2d=Th")
    assert rv.check(state, "meld 7h 2s=8h 9h")
    assert rv.check(state, "meld 9h 9c 2s=9s 2d=9d")


# ----------------------------------------------------------------- declarations


@pytest.mark.parametrize(
    ("question", "reads", "answer", "message"),
    [
        (
            "discards",
            frozenset({"seat"}),
            lambda _, turn: turn.hand,
            "reads ['hand'] for 'discards', but does not declare it",
        ),
        (
            "takes",
            frozenset({"discards"}),
            lambda _, turn: () if any(map(turn.is_wild, turn.discards)) else None,
            "reads ['wild_rank'] for 'takes', but does not declare it",
        ),
        (
            "buys",
            None,
            lambda _, turn: rv.house.Price() if any(map(is_ace, turn.hand)) else None,
            "depends on hidden cards: ",
        ),
        (
            "most_melds",
            None,
            lambda *_, told=itertools.count(1): next(told),
            "'declared' answers 'most_melds' with ",
        ),
        (
            "score",
            None,
            lambda *_, told=itertools.count(1): [rv.house.Points(0, next(told), "")],
            "done twice leads to different states",
        ),
    ],
)
def test_the_kit_finds_a_rule_that_declares_or_remembers_wrongly(
    question: str,
    reads: frozenset[str] | None,
    answer: Callable[..., Any],
    message: str,
) -> None:
    made("declared", reads=reads, **{question: answer})
    rules = rv.preset("rummy-500").with_values({**SMALL, "match.rules": ["declared"]})
    with pytest.raises(testing.BrokenInvariantError) as raised:
        testing.check_ruleset(rules, 3)
    assert message in str(raised.value)


def keeps_aces(
    few: int,
) -> Callable[[rv.house.HouseRule, rv.house.Turn], list[rv.Card]]:
    """
    Aces are kept, and of so few other cards all but one.
    """

    def answer(_: rv.house.HouseRule, turn: rv.house.Turn) -> list[rv.Card]:
        others = [card for card in turn.hand if not is_ace(card)]
        return others if len(others) > few else others[:1] or [*turn.hand]

    return answer


def keeps_hearts(_: rv.house.HouseRule, turn: rv.house.Turn) -> list[rv.Card] | None:
    return [card for card in turn.hand if card.suit != "h"] or None


ACES = rv.Cards("Ac Ad Ah As")
HEARTS = rv.Cards(" ".join(f"{rank}h" for rank in "A23456789TJQK"))


def test_the_kit_finds_a_rule_that_bars_more_than_it_declares() -> None:
    for bars, few in ((ACES, 2), (ACES - "Ah", 2), (ACES, 1)):
        made("barring", bars=bars, few=few, discards=keeps_aces(2))
        values = {**SMALL, "match.rules": ["barring"]}
        rules = rv.preset("rummy-500").with_values(values)
        if (bars, few) == (ACES, 2):
            testing.check_ruleset(rules, 3, matches=2)
            continue
        with pytest.raises(testing.BrokenInvariantError, match="as `bars` and"):
            testing.check_ruleset(rules, 3, matches=2)


@pytest.mark.parametrize("few", [0, 2])
def test_declared_bars_change_nothing(few: int) -> None:
    """Of two rules the cards of both may be barred, and the greater number holds."""
    both: list[rv.State] = []
    for declares in (True, False):
        aces = {"bars": ACES, "few": few} if declares else {}
        hearts = {"bars": HEARTS} if declares else {}
        made("aces stay", discards=keeps_aces(few), **aces)
        made("hearts stay", discards=keeps_hearts, **hearts)
        values = {"match.rules": ["aces stay", "hearts stay"], "match.target": 300}
        rules = rv.preset("rummy-5000").with_values(values)
        assert (rules.few, rules.discardable != 0) == (few * declares, declares)
        both.append(rv.game.begin(rules, 3, seed=few))
    chance = random.Random(few)
    for _ in range(400):
        if both[0].is_over:
            break
        if both[0].phase == "deal":
            both = [rv.game.deal(one) for one in both]
            continue
        here, there = (sorted(map(str, rv.legal_actions(one))) for one in both)
        assert here == there
        text = chance.choice(here)
        both = [rv.apply(one, text, one.to_act[0]) for one in both]


@pytest.mark.parametrize("reads", [None, frozenset({"hand"})])
@pytest.mark.parametrize("game", ["rummy-500", "2500-house"])
def test_a_hand_that_has_to_go_out_after_a_play_can(
    game: str, reads: frozenset[str] | None
) -> None:
    """A play that brought the call about left nothing legal."""
    made("call", reads=reads, must_go_out=lambda _, turn: len(turn.hand) < 4)
    rules = rv.preset(game).with_values({"match.rules": ["call"]})
    chance = random.Random(8)
    for seed in range(12):
        state = rv.game.deal(rv.game.begin(rules, 3, seed=seed))
        while not state.is_round_over:
            listed = [*rv.legal_actions(state)]
            assert listed, state
            plays = [
                one
                for one in listed
                if isinstance(one, rv.actions.NewMeld | rv.actions.LayOff)
            ]
            state = rv.apply(state, chance.choice(plays or listed))
            if state.turns[0] > 20:
                break


def test_who_may_buy_is_no_secret() -> None:
    buys = Case(lambda _, turn: rv.house.Price(len(turn.hand)), bool, players=3)
    rules = buys.rules("declared", buys=buys.answer)
    state = next(one for one in states_of(rules, 3, 1) if one.phase == "buy")
    with pytest.raises(AssertionError, match="'buys' from cards that others"):
        check_reads(state)


def test_what_a_rule_reads_is_looked_at_without_an_action() -> None:
    made("declared", reads=frozenset(), most_melds=lambda _, turn: len(turn.hand))
    rules = rv.preset("rummy-500").with_values({**SMALL, "match.rules": ["declared"]})
    state = rv.apply(rv.game.deal(rv.game.begin(rules, 2, seed=1)), "draw")
    with pytest.raises(AssertionError, match="does not declare it"):
        check_reads(state)


class NoAttrs(rv.house.HouseRule):
    """A rule without values."""


@pytest.mark.parametrize(
    ("section", "given", "message"),
    [
        ("melds", {}, "there is no section 'melds'; did you mean 'meld'?"),
        ("rules", {}, "there is no section 'rules'; "),
        (
            "match",
            {"discard": lambda *_: 1},
            "faulty.discard is not a question; did you",
        ),
        (
            "match",
            {"discards": lambda _: 1},
            "faulty.discards has to take turn, beside",
        ),
        (
            "match",
            {"takes_with": lambda _, __, ___: 1},
            "faulty.takes_with has to take turn, count and meld, beside",
        ),
        ("match", {"reads": frozenset({"hands"})}, "there is no fact 'hands'; did you"),
        ("match", {"reads": "hand"}, "faulty.reads is 'hand': give a set of names"),
        ("match", {"memory": 3}, "faulty.memory is 3: give a Memory"),
        ("match", {"effects": {int}}, "give a set of kinds of effects, such as Rem"),
        ("match", {"effects": [rv.house.Move]}, "faulty.effects is [<class"),
        ("match", {"piles": [rv.house.Pile("x", 1)]}, "give a tuple of Pile"),
        ("match", {"piles": ("x",)}, "faulty.piles is ('x',): give a tuple of Pile"),
        ("match", {"actions": "go"}, "faulty.actions is 'go': give a tuple of texts"),
        ("match", {"actions": ("Go ",)}, "write words in lower case"),
        ("match", {"actions": {"Go ": ("draw",)}}, "write words in lower case"),
        ("match", {"actions": {"go": "draw"}}, "a tuple of draw, play and asked"),
        ("match", {"actions": {"go": ()}}, "a tuple of draw, play and asked"),
        ("match", {"actions": {"go": ("call",)}}, "a tuple of draw, play and asked"),
        ("match", {"cardless": ("go",)}, "faulty.cardless: there is no action 'go'"),
        ("match", {"vetoes": ("TAKE",)}, "write words in lower case"),
        ("match", {"vetoes": {"TAKE"}}, "write words in lower case"),
        ("match", {"vetoes": "take"}, "faulty.vetoes is 'take': give a tuple of texts"),
        ("match", {"offers": lambda *_: ()}, "faulty.actions is empty: name what"),
        (
            "match",
            {"forbids": lambda *_: True},
            "faulty.vetoes is empty: name the verbs that it may forbid, as in vetoes",
        ),
        (
            "match",
            {"forbids": lambda _, __, ___: True, "vetoes": ("take",)},
            "faulty.forbids has to take turn, action and after, beside",
        ),
        ("match", {"bars": "Ac"}, "faulty.bars is 'Ac': give rv.Cards, or None"),
        ("match", {"few": 2}, "faulty.few is about cards beside those in bars"),
        (
            "match",
            {"bars": rv.Cards("Ac"), "few": -1},
            "faulty.few is -1: give a whole",
        ),
    ],
)
def test_a_faulty_rule_is_not_registered(
    section: str, given: Mapping[str, Any], message: str
) -> None:
    with pytest.raises(rv.errors.RulesError) as raised:
        made("faulty", section, **given)
    assert message in str(raised.value)
    with pytest.raises(rv.errors.RulesError, match="'faulty' is not a rule of match"):
        rv.preset("gin-rummy").with_values({"match.rules": ["faulty"]})


def test_a_rule_is_an_attrs_class_of_its_own_name() -> None:
    made("taken")
    made("taken")  # the module was loaded again
    with pytest.raises(
        rv.errors.RulesError, match="the name 'taken' in match is taken by ta"
    ):
        rv.house.register_rule("match", "taken")(attrs.frozen(NoAttrs))
    rv.house.register_rule("meld", "taken")(attrs.frozen(NoAttrs))

    class Plain(rv.house.HouseRule):
        pass

    with pytest.raises(rv.errors.RulesError, match="put @attrs"):
        rv.house.register_rule("match", "plain")(Plain)
    with pytest.raises(rv.errors.RulesError, match="is not a rule: derive it"):
        rv.house.register_rule("match", "plain")(int)  # type: ignore[type-var]


@pytest.mark.parametrize("scope", ["turns", "game", ""])
def test_a_memory_is_kept_for_something(scope: str) -> None:
    with pytest.raises(
        rv.errors.RulesError, match="kept for a turn, a round or the match"
    ):
        rv.house.Memory(0, scope)


def test_none_leaves_a_memory_as_it_is() -> None:
    made("forgets", memory=rv.house.Memory("x", "match"), follows=lambda *_: None)
    rules = rv.preset("rummy-500").with_values({**SMALL, "match.rules": ["forgets"]})
    state = rv.apply(rv.game.deal(rv.game.begin(rules, 2, seed=1)), "draw")
    assert not state.memory


# ------------------------------------------------------------------ rules files


@rv.house.register_rule("score", "for going out")
@attrs.frozen
class ForGoingOut(rv.house.HouseRule):
    """Whoever goes out gets {points} points, for {cards}."""

    points: int = 25
    cards: tuple[str, ...] = ()
    twice: bool = False

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        for seat in end.out:
            yield rv.house.Points(seat, self.points * (1 + self.twice), "for going out")


@rv.house.register_rule("score", "for staying in")
@attrs.frozen
class ForStayingIn(rv.house.HouseRule):
    """Whoever stays in loses {points} points."""

    id = "OUR-7"
    points: int = 5

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        for seat in {*range(end.players)} - {*end.out}:
            yield rv.house.Points(seat, -self.points, "for staying in")


def of_file(rules: object, **score: object) -> rv.Ruleset:
    return rv.rules.read_rules(
        {"extends": "rummy-500", "score": {"rules": rules, **score}}
    )


@pytest.mark.parametrize(
    "given",
    [
        ["for going out"],
        "for going out",
        [{"name": "for going out"}],
        {"name": "for going out", "points": 25},
        [ForGoingOut()],
        ForGoingOut(25, (), twice=False),
    ],
)
def test_a_rule_is_given_by_its_name_or_as_a_table(given: object) -> None:
    rules = of_file(given)
    assert [one for _, one in rules.house] == [ForGoingOut()]
    assert rules == rv.preset("rummy-500").with_values({"score.rules": given})
    assert rules != rv.preset("rummy-500")
    assert hash(rules) == hash(of_file(["for going out"]))
    assert pickle.loads(pickle.dumps(rules)) == rules  # noqa: S301 -- of our own making


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            ["for going"],
            "'for going' is not a rule of score; did you mean 'for",
        ),
        (3, "3 is not allowed: give a list of rules"),
        ([3], "3 is not a rule: give its name, or {name = "),
        ([{"points": 3}], "is not a rule: give its name, or {name = "),
        ([{"rule": 3}], "is not a rule: give its name, or {name = "),
        ([["for going out"]], "is not a rule: give its name"),
        (["for going out"] * 2, "is not allowed: give each rule once"),
        (
            ["for going out", {"name": "for going out", "points": 3}],
            "is not allowed: give each rule once",
        ),
        (
            {"name": "for going out", "point": 3},
            "the rule 'for going out' has no value 'point'; did you mean 'points'?",
        ),
        (
            {"name": "for going out", "points": "3"},
            "points of the rule 'for going out' is '3': give a whole number",
        ),
        (
            {"name": "for going out", "points": True},
            "points of the rule 'for going out' is True: give a whole number",
        ),
        (
            {"name": "for going out", "twice": 1},
            "twice of the rule 'for going out' is 1: give true or false",
        ),
        (
            {"name": "for going out", "cards": "Qs"},
            "cards of the rule 'for going out' is 'Qs': give a list",
        ),
    ],
)
def test_rules_that_cannot_be_read(given: object, message: str) -> None:
    with pytest.raises(rv.errors.RulesError) as raised:
        of_file(given)
    assert str(raised.value).startswith("score.rules: ")
    assert message in str(raised.value)


def test_a_file_gives_rules_with_an_id(tmp_path: Any) -> None:
    file = tmp_path / "table.toml"
    file.write_text(
        'extends = "rummy-500"\n[score]\nrules = {value = ["for going out", '
        '{name = "for staying in", points = 40}], rule = "OUR-1"}\n'
    )
    rules = rv.load_rules(file)
    assert rules.origin("score.rules.for going out").rule == "OUR-1"
    assert [rules.rule_of(path) for path, _ in rules.house] == ["OUR-1", "OUR-7"]
    over = (
        state.result
        for seed in itertools.count()
        for state in states_of(rules.with_values(SMALL), 2, seed)
        if state.result is not None and state.out
    )
    cited = {one.reason: one.rule for one in next(over).items}
    assert cited["for going out"] == "OUR-1"
    assert cited["for staying in"] == "OUR-7"
    sheet = rules.describe()
    assert "Whoever stays in loses 40 points." in sheet
    assert "Whoever goes out gets 25 points" in sheet
    assert "OUR-1" in sheet
    assert "OUR-7" in sheet


def test_rules_join_by_name_until_an_empty_list_takes_them_out() -> None:
    base = rv.preset("rummy-500")
    once = base.with_values({"score.rules": ["for going out"]}, "the first file")
    other = once.with_values({"score.rules": [ForStayingIn(9)]}, "the second file")
    assert [one for _, one in other.house] == [ForGoingOut(), ForStayingIn(9)]
    assert other.origin("score.rules.for going out").set_by == "the first file"
    assert other.origin("score.rules.for staying in").set_by == "the second file"
    more = other.with_options("PGV-P4").with_values(
        {"score.rules": {"name": "for going out", "points": 40}}
    )
    assert [one for _, one in more.house] == [ForGoingOut(40), ForStayingIn(9)]
    (difference,) = base.diff(once)
    assert (difference.here, difference.there) == ((), (ForGoingOut(),))
    assert "score.rules: [] (" in str(difference)
    assert '| ["for going out"] (' in str(difference)
    none = more.with_values({"score.rules": []})
    assert not none.house
    assert none.with_values({"score.rules": ["for staying in"]}).score.rules == (
        ForStayingIn(),
    )


def test_a_rule_in_force_is_changed_or_removed_alone() -> None:
    both = [{"name": "for staying in", "points": 9}, ForGoingOut(40)]
    rules = rv.preset("rummy-500").with_values({"score.rules": both}, "one file")
    change = {"change": "for staying in", "points": 7}
    changed = rules.with_values({"score.rules": change}, "another")
    assert changed.score.rules == (ForStayingIn(7), ForGoingOut(40))
    same = rules.with_values({"score.rules": [{"change": "for going out"}]})
    assert same.score.rules == (ForStayingIn(9), ForGoingOut(40))
    remove = [{"remove": "for staying in"}, {"change": "for going out", "points": 1}]
    removed = rules.with_values({"score.rules": remove}, "another")
    assert removed.score.rules == (ForGoingOut(1),)
    assert removed.origin("score.rules").set_by == "another"
    for one in (changed, removed):
        assert rv.files.from_json(rv.files.to_json(one)).fingerprint == one.fingerprint


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"change": "for staying in"}, "there is no rule 'for staying in' to change; "),
        ({"remove": "going out"}, "to remove; did you mean 'for going out'?"),
        ({"remove": ["for going out"]}, "there is no rule "),
        (
            {"remove": "for going out", "points": 4},
            "a rule to remove has no values: give {remove = 'for going out'}",
        ),
        (
            [{"change": "for going out"}, {"remove": "for going out"}],
            "give each rule once",
        ),
        (["for going out", "for going out"], "give each rule once"),
        (["for goings out"], "did you mean 'for going out'?"),
        ({"change": "for going out", "point": 4}, "did you mean 'points'?"),
        ({"change": "for going out", "points": "4"}, "give a whole number"),
        ({"change": "for going out", "remove": "for going out"}, "no value 'remove'"),
        ([5], "5 is not a rule: give its name"),
        (5, "5 is not allowed: give a list of rules"),
    ],
)
def test_a_rule_that_cannot_be_changed_or_removed_is_named(
    given: object, message: str
) -> None:
    rules = rv.preset("rummy-500").with_values({"score.rules": ["for going out"]})
    with pytest.raises(rv.errors.RulesError) as caught:
        rules.with_values({"score.rules": given})
    (problem,) = caught.value.problems
    assert problem.startswith("score.rules: ")
    assert message in problem


def test_an_option_changes_a_rule_of_a_game() -> None:
    rules = rv.preset("knock-rummy").with_options("KNV-01")
    base, more = rules.preset.score.rules, rules.score.rules
    assert [one.name for one in more] == [one.name for one in base]
    assert base != more
    assert rules.rule_of("score.rules.higher knock") == "KNV-01"
    assert rules.rule_of("score.rules.lowest hand") == "KNK-04"
    with pytest.raises(rv.errors.RulesError) as caught:
        rv.preset("rummy-500").with_options("KNV-01")
    message = "there is no rule 'higher knock' to change; take KNV-01 out"
    assert caught.value.problems == (f"score.rules: {message}",)
    assert caught.value.rules == ("KNV-01",)


def test_a_refusal_cites_the_rule_and_says_it() -> None:
    made("no aces", "discard", doc="Aces stay.", discards=CASES["discards"].answer)
    rules = rv.rules.read_rules(
        {
            "extends": "rummy-500",
            "deck": {"ranks": "A23456"},
            "deal": {"hand_size": 4},
            "discard": {"rules": {"value": ["no aces"], "rule": "OUR-3"}},
        }
    )
    for state in states_of(rules, 2, 1):
        if state.phase == "play" and rv.Card("As") in state.hands[state.turn]:
            ruling = rv.check(state, "discard As")
            assert str(ruling) == "refused: As may not be discarded: aces stay [OUR-3]"
            return
    pytest.fail("nobody has the ace")


def test_a_game_with_rules_by_values_is_recorded_and_played_again() -> None:
    rules = rv.preset("rummy-500").with_values(
        {**SMALL, "score.rules": [ForGoingOut(40, ("Qs",), twice=True)]}
    )
    *_, state = states_of(rules, 2, 2)
    record = rv.record(state)
    text = str(record)
    assert 'name = "for going out"' in text
    assert rv.files.Record.parse(text) == record
    assert rv.replay(text) == state
    assert rv.files.from_json(rv.files.to_json(record), rv.files.Record) == record
    assert (
        rv.replay(rv.files.from_json(rv.files.to_json(record), rv.files.Record))
        == state
    )


# ----------------------------------------------------- nobody is left without a move


def in_turn(**given: Any) -> rv.house.Move:
    return rv.house.Move(**{"source": "hand", "target": "cellar", **given})


EVERYTHING = [rv.Card(rank + suit) for rank in "A23456" for suit in "cdhs"]
STUCK = {
    "nothing is discarded": {"discards": lambda *_: []},
    "nobody goes out": {
        "discards": lambda *_: [],
        "may_go_out": lambda *_: False,
        "discards_owed": lambda *_: 2,
    },
    "melds of an odd number": {
        "allows_meld": lambda _, meld: len(meld) % 2 == 0,
        "discards": lambda *_: [],
    },
    "all is owed and nothing melded": {
        "allows_meld": lambda *_: False,
        "owes": lambda _, turn: map(rv.house.Owed, turn.drawn),
    },
    "all is owed at once": {
        "owes": lambda _, turn: [
            rv.house.Owed(card, new_meld=True, with_pair=True, at_once=True)
            for card in turn.drawn
        ],
    },
    "what is drawn is owed": {
        "cards_drawn": lambda *_: 2,
        "owes": lambda _, turn: [rv.house.Owed(turn.drawn[-1], new_meld=True)],
        "takes_with": lambda *_: True,
    },
    "the hand goes after a play": {
        "follows": on(events.Laid, events.Called, events.Drew)(
            lambda _, turn, __: [in_turn(cards=turn.hand, source_seat=turn.seat)]
        ),
    },
    "the others' hands go back": {
        "follows": on(events.Discarded, events.Took)(
            lambda _, turn, __: [
                in_turn(cards=EVERYTHING, target="stock", source_seat=seat)
                for seat in range(turn.players)
                if seat != turn.seat
            ]
        ),
    },
    "the hand goes to the left": {
        "follows": on(events.Drew, events.Took)(
            lambda _, turn, __: [
                in_turn(
                    cards=turn.hand,
                    target="hand",
                    source_seat=turn.seat,
                    target_seat=(turn.seat + 1) % turn.players,
                )
            ]
        ),
    },
    "both piles go": {
        "buys": lambda *_: rv.house.Price(),
        "follows": on_discard(
            lambda *_: [
                rv.house.Move(pile, "cellar", 99) for pile in ("stock", "discards")
            ]
        ),
    },
    "threes are laid aside, and owed": {
        "lays_aside": lambda *_: THREES,
        "owes": lambda _, turn: map(rv.house.Owed, turn.drawn),
    },
    "most cards are laid aside": {
        "lays_aside": lambda *_: [one for one in EVERYTHING if one.rank in "3456"],
    },
    "one player alone": {"next_seat": lambda _, turn: turn.seat},
}
"""What might leave somebody without a move."""
GAMES = {
    "plain": {},
    "swaps": {**TWOS_WILD, "wild.real_card": "swap", "wild.split": True},
    "calls": {
        "call.calls": "pile",
        "call.melds": True,
        "call.with_hand": True,
        "call.then_discard": True,
    },
    "called discards": {"call.calls": "discard"},
    "an empty stock ends it": {"stock.when_empty": "after the turn"},
    "floating": {"out.empty_hand": "float"},
    "a first discard": {"deal.first_discard": "by the first player"},
    "gin": GIN,
}


@pytest.mark.parametrize("name", STUCK)
@pytest.mark.parametrize("kind", GAMES)
def test_nobody_is_left_without_a_move(
    name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "_LOOKS", 60)
    made("stuck", **STUCK[name])
    small = {**SMALL, "deck.suits": "cdhs"}
    rules = rv.preset("gin-rummy" if kind == "gin" else "rummy-500").with_values(
        {**(small if kind != "gin" else {}), **GAMES[kind], "match.rules": ["stuck"]}
    )
    testing.play_match(rules, 2 if kind == "gin" else 3, 1, 60, every=12)


def test_what_is_not_known_counts_as_legal_until_a_player_is_stuck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """
    One who cannot know that the turn cannot be finished may lay cards, and is released.
    """
    made("stuck", discards=lambda *_: [])
    text = """
        [rules]
        extends = "rummy-500"
        [rules.match]
        rules = ["stuck"]
        [position]
        seats = ["Ann", "Ben"]
        turn = "Ann"
        phase = "play"
        hands = { Ann = "Ac Ad Ah 4c 5c 6c Jd 9s", Ben = "3c 5d" }
        drawn = "stock Jd"
        discards = "Qd"
        stock = "2c 9h"
    """
    state = rv.files.parse_scenario(text).start
    assert state is not None
    # It is known that nothing leads to an end: any card may go, or be laid.
    assert len([one for one in rv.legal_actions(state) if "discard" in str(one)]) == 8
    assert rv.check(state, "meld Ac Ad Ah")
    for looks in range(1, 8):
        monkeypatch.setattr(candidates, "_LOOKS", looks)
        after = rv.files.parse_scenario(text).start
        assert after is not None
        while after.phase == "play":
            legal = [*map(str, rv.legal_actions(after))]
            assert legal, f"{looks} looks leave no move"
            after = rv.apply(after, legal[0])
        testing.check_state(after)


STUCK_DUTY = """
[rules]
extends = "rummy-500"
[rules.match]
rules = ["stuck"]
[position]
seats = ["Ann", "Ben"]
turn = "Ann"
phase = "play"
hands = { Ann = "3c 3h 3s 5d Ah 4s 5s 6s", Ben = "3d Kd" }
drawn = "stock 5d 4s"
owed = "5d"
discards = "Qd"
stock = "2c 9h"
"""


def test_what_is_legal_is_listed_where_a_card_of_the_stock_cannot_be_used() -> None:
    made(
        "stuck",
        cards_drawn=lambda *_: 2,
        owes=lambda _, turn: [rv.house.Owed(turn.drawn[0])] if turn.drawn else [],
    )
    state = rv.files.parse_scenario(STUCK_DUTY).start
    assert state is not None
    assert rv.check(state, "meld 3c 3h 3s")
    listed = [*map(str, rv.legal_actions(state))]
    assert "meld 3c 3h 3s" in listed
    assert "discard 5d" in listed
    testing.check_legality(state)


def test_no_window_is_open_for_a_pile_that_is_gone() -> None:
    made(
        "gone",
        buys=lambda *_: rv.house.Price(),
        follows=on_discard(lambda *_: [rv.house.Move("discards", "cellar", 99)]),
    )
    rules = rv.preset("rummy-500").with_values({**SMALL, "match.rules": ["gone"]})
    state = next(one for one in states_of(rules, 3, 1) if zone(one, "cellar"))
    assert state.phase == "draw"
    assert not state.discards


AT_ONCE = """
[rules]
extends = "rummy-500"
[rules.match]
rules = ["once"]
[position]
seats = ["Ann", "Ben"]
turn = "Ann"
phase = "draw"
hands = { Ann = "7c 7d Kc Kd Ks 2c 3s", Ben = "Qh 3d" }
discards = "5d 7h Jd"
stock = "4c 5c"
"""


def test_what_is_owed_at_once_is_so_beside_another_duty() -> None:
    made(
        "once",
        owes=lambda _, turn: (
            [rv.house.Owed(turn.drawn[0], new_meld=True, at_once=True)]
            if turn.source == "discards"
            else []
        ),
    )
    state = rv.files.parse_scenario(AT_ONCE).start
    assert state is not None
    taken = rv.apply(state, "take 2")
    assert [*map(str, rv.legal_actions(taken))] == ["meld 7c 7d 7h"]
    assert not rv.check(taken, "meld Kc Kd Ks")


@rv.house.register_rule("score", "by list")
@attrs.frozen
class ByList(rv.house.HouseRule):
    """
    Each of some seats that does not go out gets a point.
    """

    seats: tuple[int, ...] = attrs.field(factory=tuple)

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        for seat in {*self.seats} - {*end.out}:
            yield rv.house.Points(seat, 1, "a seat of the list")


def test_a_value_may_have_a_default_that_is_made() -> None:
    given = [{"name": "by list", "seats": [0, 1]}]
    rules = rv.preset("rummy-500").with_values({"score.rules": given})
    assert rules.score.rules == (ByList((0, 1)),)


def test_rules_stand_in_the_sections_that_there_are() -> None:
    assert {*_SECTIONS} == {*SECTIONS}


def test_an_answer_that_four_may_give_makes_no_sense_with_two() -> None:
    """
    What is remembered of an answer is not what it means for other players.
    """
    made(
        "the fourth is next",
        reads=frozenset[str](),
        next_seat=lambda *_: 3,
    )
    rules = rv.preset("rummy-500").with_values({"match.rules": ["the fourth is next"]})
    for players in (4, 2):
        state = rv.apply(rv.new_game(rules, players, seed=1), "draw")
        card = next(iter(state.hands[state.turn]))
        if players == 4:
            assert rv.apply(state, f"discard {card}").phase in {"draw", "call"}
            continue
        with pytest.raises(rv.errors.RulesError, match="give a seat"):
            rv.apply(state, f"discard {card}")
