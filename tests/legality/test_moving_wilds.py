"""Wilds that move in their runs, and the card of a pile that is not thrown back."""

from __future__ import annotations

import pytest

import rummyvariants as rv


VALUES = {
    "deck.packs": 2,
    "deck.jokers": 1,
    "wild.jokers": True,
    "wild.twos": True,
    "wild.limit": "one",
    "wild.own_place": "natural",
    "wild.real_card": "moves the wild",
    "meld.set_suits": "free",
    "call.calls": "none",
}


def table(*melds: str, hand: str, **values: object) -> rv.State:
    """
    A player's turn with some melds of their own on the table.
    """
    paths = {name.replace("__", "."): one for name, one in values.items()}
    return rv.position(
        rv.preset("rummy-500").with_values({**VALUES, **paths}),
        hands={"N": hand, "E": "Qd Qh"},
        table=[f"N: {meld}" for meld in melds],
        turn="N",
        phase="play",
        drawn=f"stock {hand.rsplit(maxsplit=1)[-1]}",
        fill=True,
    )


MOVES = [
    ("2c=4c 5c 6c", "8c", "5c 6c 2c=7c 8c"),
    ("6c *=7c 8c", "7c Tc", "6c 7c 8c *=9c Tc"),
    ("6c *=7c 8c", "7c", "6c 7c 8c *=9c"),
    ("Qc *=Kc Ac", "Kc", "*=Jc Qc Kc Ac"),
    ("4c 5c *=6c", "2c=2c", "2c=2c *=3c 4c 5c"),
    # Where it need not move it stays.
    ("*=4c 5c 6c", "7c", "*=4c 5c 6c 7c"),
    # A two goes home, even if it need not.
    ("4c 5c 2c=6c", "3c", "2c=2c 3c 4c 5c"),
    ("4c 5c 2d=6c", "3c", "3c 4c 5c 2d=6c"),
    ("3c 2c=4c 5c", "Ac 4c", "Ac 2c=2c 3c 4c 5c"),
]


@pytest.mark.parametrize(("meld", "cards", "after"), MOVES)
def test_a_wild_goes_to_where_it_is_needed(meld: str, cards: str, after: str) -> None:
    state = table(meld, hand=f"{cards.partition('=')[0]} 9d 4s")
    assert f"lay {cards} on 1" in map(str, rv.legal_actions(state))
    assert str(rv.apply(state, f"lay {cards} on 1").table[0]) == after


def test_a_wild_that_is_shut_in_moves_for_its_real_card_alone() -> None:
    state = table("6c *=7c 8c", hand="Tc 2d 9d 4s")
    for cards in ("Tc", "2d=7c"):
        ruling = rv.check(state, f"lay {cards} on 1")
        assert not ruling.legal
    ruling = rv.check(state, "lay Tc on 1")
    assert "* is shut in, and moves only with the 7c" in ruling.reason
    assert str(ruling).endswith("[set here]")


def test_a_full_run_leaves_a_wild_no_place() -> None:
    run = "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc *=Kc"
    state = table(run, hand="Kc 9d 4s")
    assert not rv.check(state, "lay Kc on 1").legal


@pytest.mark.parametrize(
    "values",
    [
        {"wild.limit": "none"},
        {"wild.by_naturals": {2: 3}},
        {"meld.ace": "round the corner"},
        {"meld.runs": False},
    ],
    ids=str,
)
def test_wilds_move_one_to_a_run_that_has_ends(values: dict[str, object]) -> None:
    with pytest.raises(rv.errors.RulesError, match=r'real_card = "moves the wild"'):
        rv.preset("rummy-500").with_values({**VALUES, **values})
    runs = {"wild.in_runs": 1, "wild.limit": "none"}
    rv.preset("rummy-500").with_values({**VALUES, **runs})


def test_the_sheet_says_how_wilds_move() -> None:
    sheet = " ".join(rv.preset("rummy-500").with_values(VALUES).describe().split())
    assert "A wild at an end of a run is free" in sheet
    assert "Where it can become natural as it moves, it does." in sheet
    assert "neither traded" not in sheet


@pytest.mark.parametrize(("hand", "legal"), [("3c 4d", False), ("3c 9h", True)])
def test_only_a_twin_of_the_card_taken_is_thrown(hand: str, *, legal: bool) -> None:
    rules = rv.preset("rummy-500").with_values(
        {"deck.packs": 2, "discard.throw_back": "only a twin", "draw.duty": "none"}
    )
    state = rv.position(
        rules,
        hands={"N": hand, "E": "Qd Qh"},
        discards="9h",
        turn="N",
        phase="draw",
        fill=True,
    )
    state = rv.apply(state, "take 1")
    assert rv.check(state, "discard 9h").legal == legal
    assert ("discard 9h" in map(str, rv.legal_actions(state))) == legal
