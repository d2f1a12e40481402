"""
Melds regrouped together with cards of the hand, and what else is new with them.
"""

from __future__ import annotations

import itertools
import random

from collections import Counter

import pytest

import rummyvariants as rv

from rummyvariants import events


REGROUP = rv.preset("basic-rummy").with_values(
    {"layoff.rearranging": "own melds", "meld.a_turn": "any number"}
)
TABLE = ["Ann: 4c 4d 4h 4s", "Ben: 9c 9s 9h", "Ann: 5s 6s 7s"]


def position(
    hand: str, table: list[str] = TABLE, rules: rv.Ruleset = REGROUP, **more: str
) -> rv.State:
    return rv.position(
        rules,
        hands={"Ann": hand, "Ben": "Qc"},
        table=table,
        turn="Ann",
        phase="play",
        drawn=f"stock {hand.split(maxsplit=1)[0]}",
        fill=True,
        **more,  # type: ignore[arg-type]
    )


def arrangements(state: rv.State) -> list[str]:
    return [str(one) for one in rv.legal_actions(state) if one.kind == "arrange"]


def test_a_card_goes_over_to_another_meld() -> None:
    state = position("3s Kc 8d")
    assert arrangements(state) == ["arrange 4c 4d 4h / 3s 4s 5s 6s 7s"]
    done = rv.step(state, "arrange 4c 4d 4h / 3s 4s 5s 6s 7s")
    (told,) = done.events
    assert isinstance(told, events.Arranged)
    assert (
        told.line(["Ann", "Ben"]) == "Ann regroups melds as 4c 4d 4h / 3s 4s 5s 6s 7s."
    )
    assert [str(one) for one in done.after.table] == [
        "4c 4d 4h",
        "9c 9s 9h",
        "3s 4s 5s 6s 7s",
    ]
    assert rv.files.from_json(rv.files.to_json(told)) == told


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("4d 4h 4s / 5s 6s 7s", "4c stays on the table"),
        ("4c 4d 4h / 4s 5s 6s 7s", "a card of the hand has to join"),
        ("4c 4d 4h 4s / 3s 5s 6s 7s", "not a run"),
        ("4c 4d 4h 4s / 5s 6s 7s / 8d Kc Kd", "not in the hand"),
        ("4c 4d 4h 4s / 5s 6s 7s 8s", "each meld stays together"),
        ("4c 4d 4h / 4s 5s 6s 7s / Kc Kd Kh", "has no card of the table"),
        ("4c 4d 4h / 3s 4s 5s 6s 7s / 9c 9s 9h", "9c, 9h and 9s are not in the hand"),
    ],
)
def test_what_is_no_layout(action: str, why: str) -> None:
    hand = "8s Kc 3s Kh Kd 8d" if "Kc Kd Kh" in action else "8s Kc 3s 8d"
    ruling = rv.check(position(hand), f"arrange {action}")
    assert not ruling
    assert why in ruling.reason


def test_nothing_is_regrouped_where_no_rule_says_so() -> None:
    state = position("3s Kc 8d", rules=rv.preset("basic-rummy"))
    ruling = rv.check(state, "arrange 4c 4d 4h / 3s 4s 5s 6s 7s")
    assert ruling.reason == "melds on the table are not regrouped in this game"


def test_two_runs_become_one() -> None:
    table = ["Ann: Ac 2c 3c", "Ben: 9c 9s 9h", "Ann: 5c 6c 7c"]
    state = position("4c Kd 8d", table)
    assert arrangements(state) == ["arrange Ac 2c 3c 4c 5c 6c 7c"]
    done = rv.apply(state, arrangements(state)[0])
    assert [str(one) for one in done.table] == ["Ac 2c 3c 4c 5c 6c 7c", "9c 9s 9h"]


def test_each_card_keeps_the_seat_that_laid_it() -> None:
    table = ["Ann: 4c 4d 4h | Ben: 4s", "Ann: 5s 6s 7s"]
    done = rv.apply(position("3s Kc 8d", table), "arrange 4c 4d 4h / 3s 4s 5s 6s 7s")
    assert done.table[1].laid_by(1) == (rv.Card("4s"),)
    assert done.table[1].maker == 0


def test_a_run_of_nine_gives_cards_to_sets() -> None:
    table = ["Ann: Ac 2c 3c 4c 5c 6c 7c 8c 9c"]
    found = arrangements(position("5d 5h Kd 9d 9h", table))
    assert "arrange Ac 2c 3c 4c / 5c 5d 5h / 6c 7c 8c 9c" in found
    assert "arrange Ac 2c 3c 4c 5c 6c 7c 8c / 9c 9d 9h" in found
    assert len(found) == 6


def layouts(state: rv.State) -> set[frozenset[tuple[tuple[str, ...], int]]]:
    """
    All divisions of the melds and some of the hand that `check` allows, tried out.
    """
    lying = [
        str(card) for meld in state.table if meld.maker == 0 for card in meld.cards
    ]
    hand = [str(card) for card in state.hands[0]]
    cards = sorted(lying + hand, key=rv.Card)
    melds = [
        part
        for size in range(3, len(cards) + 1)
        for part in set(itertools.combinations(cards, size))
        if len({card[0] for card in part}) == 1 or len({card[1] for card in part}) == 1
    ]
    found = set()

    def more(at: int, left: Counter[str], made: tuple[tuple[str, ...], ...]) -> None:
        if made and not Counter(lying) - Counter(itertools.chain(*made)):
            if rv.check(state, "arrange " + " / ".join(map(" ".join, made))):
                found.add(frozenset(Counter(made).items()))
        for number in range(at, len(melds)):
            used = Counter(melds[number])
            if used <= left:
                more(number, left - used, (*made, melds[number]))

    more(0, Counter(cards), ())
    return found


@pytest.mark.parametrize("packs", [1, 2])
def test_the_list_has_what_is_allowed(packs: int) -> None:
    """
    Every layout that `check` allows is listed once, twins of two packs too.
    """
    rules = REGROUP.with_values({"deck.packs": packs, "meld.set_suits": "free"})
    chance = random.Random(packs)
    listed = 0
    for _ in range(20):
        suit = chance.choice("cdhs")
        rank = chance.choice("3456")
        table = [f"Ann: {rank}c {rank}d {rank}h {rank}s"]
        if packs == 2:
            table.append(f"Ann: 3{suit} 4{suit} 5{suit} 6{suit}")
            rest = [f"{one}{s}" for one in "3456" for s in "cdhs"]
            rest.remove(f"{rank}{suit}")
        else:
            table.append(f"Ann: 7{suit} 8{suit} 9{suit} T{suit}")
            rest = [f"{one}{s}" for one in "3456" for s in "cdhs" if one != rank]
        hand = chance.sample(rest, 4)
        state = position(" ".join(hand), table, rules)
        found = [
            frozenset(
                Counter(
                    tuple(sorted(map(str, meld), key=rv.Card)) for meld in one.melds
                ).items()
            )
            for one in rv.legal_actions(state)
            if isinstance(one, rv.actions.Arrange)
        ]
        assert len(found) == len(set(found))
        assert set(found) == layouts(state)
        listed += len(found)
    assert listed > 8


def test_a_card_owed_is_played_by_regrouping_alone() -> None:
    values = {"draw.duty": "top", "draw.at_once": True}
    rules = REGROUP.with_values(values)
    state = rv.position(
        rules,
        hands={"Ann": "Kc 8d", "Ben": "Qc"},
        table=TABLE,
        turn="Ann",
        discards="2d 3s",
        fill=True,
    )
    taken = rv.apply(state, "take 1")
    assert list(map(str, rv.legal_actions(taken))) == [
        "arrange 4c 4d 4h / 3s 4s 5s 6s 7s"
    ]


def test_the_first_player_draws_where_nothing_is_turned_up() -> None:
    rules = rv.preset("basic-rummy").with_values({"deal.first_discard": "after a draw"})
    state = rv.new_game(rules, 2, seed=1)
    assert (state.phase, state.discards, len(state.stock)) == ("draw", (), 32)
    assert list(map(str, rv.legal_actions(state))) == ["draw"]


def test_a_card_of_the_stock_is_shown_to_everybody() -> None:
    rules = rv.preset("basic-rummy").with_values({"draw.shown": True})
    state = rv.new_game(rules, 2, seed=1)
    done = rv.step(state, "draw")
    (card,) = [one.card for one in done.events if isinstance(one, events.Drew)]
    assert card in rv.view(done.after, 1 - state.turn).known[state.turn]


def test_a_card_of_the_stock_is_played_first_or_discarded() -> None:
    rules = REGROUP.with_values({"draw.stock_card": "play or discard at once"})
    state = position("8d Kc Kd Kh 8s", rules=rules)
    assert rv.check(state, "meld Kc Kd Kh").rule == "set here"
    assert not rv.check(state, "discard Kc")
    assert rv.check(state, "discard 8d")


def test_a_player_with_few_cards_on_the_table_plays_on() -> None:
    rules = REGROUP.with_values(
        {"out.cards_melded": 8, "out.floating": "draws like any other"}
    )
    state = rv.apply(position("Kd Kc Kh", ["Ann: 5s 6s 7s"], rules), "meld Kc Kd Kh")
    assert (state.out, state.floating) == ((), (0,))
    state = rv.apply(
        position("Kd Kc Kh", ["Ann: 5s 6s 7s 8s 9s"], rules), "meld Kc Kd Kh"
    )
    assert state.is_round_over
