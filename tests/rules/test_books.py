"""
Melds that close, takes of so many cards, and canastas of wild cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
import pytest

import rummyvariants as rv


WILD = {"wild.wild_melds": True}
HAND = {"Ann": "Kh Ks Kc 2h 5d 6d", "Ben": "4c 5c", "Cy": "6c", "Di": "7c"}


def _state(values: dict[str, Any], **facts: Any) -> rv.State:
    """
    A position of four players after Ann's draw.
    """
    given: dict[str, Any] = {"hands": HAND, "turn": "Ann", "phase": "play"}
    if "discards" not in facts:
        given["drawn"] = "stock 5d"
    rules = rv.preset("canasta").with_values({"deck.packs": 5, **values})
    return rv.position(rules, partial=True, **{**given, **facts})


def _says(state: rv.State, action: str) -> str:
    return str(rv.check(state, action))


def test_a_closed_set_takes_no_card_and_another_is_begun() -> None:
    open_, full = "Ann: Kc Kd Kh Kc Kd Kh", "Ann: Kc Kd Kh Ks Kc Kd Kh"
    values: dict[str, Any] = {"meld.closed_at": 7}
    state = _state(values, table=[open_])
    assert "lay cards on meld 1" in _says(state, "meld Kh Ks Kc")
    assert "too long" in _says(state, "lay Kh Ks on 1")
    assert rv.check(state, "lay Kh on 1").legal
    state = _state(values, table=[full])
    assert "too long" in _says(state, "lay Kh on 1")
    assert rv.check(state, "meld Kh Ks Kc").legal
    with pytest.raises(rv.errors.PositionError, match="meld of that rank"):
        _state(values, table=[open_, "Cy: Ks Ks Ks"])
    listed = {str(one) for one in rv.legal_actions(state)}
    assert "meld Kc Kh Ks" in listed
    assert not any(one.endswith("on 1") for one in listed)


def test_wild_melds_close_too() -> None:
    state = _state({"meld.closed_at": 4, **WILD}, table=["Ann: 2c 2d 2s"])
    assert rv.check(state, "lay 2h on 1").legal
    state = _state({"meld.closed_at": 4, **WILD}, table=["Ann: 2c 2d 2s 2s"])
    assert not rv.check(state, "lay 2h on 1").legal


@pytest.mark.parametrize("pile", ["Td Jd", "9d Td Jd 7s 8s Kd", "9d Jd 7s 8s 9h Td Kd"])
def test_so_many_cards_are_taken_or_all(pile: str) -> None:
    top = pile.rsplit(maxsplit=1)[-1]
    hand = {**HAND, "Ann": f"{top} {top} 4c 4d 5h"}
    facts: dict[str, Any] = {"hands": hand, "discards": pile, "stock": "3c 4h 6h 7h"}
    state = _state({"draw.take": 5}, **facts, phase="draw", table=["Cy: Ac Ad Ah"])
    many = "all" if len(pile.split()) <= 5 else "5"
    listed = [one for one in map(str, rv.legal_actions(state)) if "take" in one]
    assert listed == [f"take {many} with {top} {top}"]
    after = rv.apply(state, listed[0])
    assert len(after.discards) == max(0, len(pile.split()) - 5)
    assert "or none of" in _says(state, f"take 1 with {top} {top}")


def test_a_wild_top_card_goes_with_two_of_its_kind() -> None:
    hand = {**HAND, "Ann": "2c 2d * 9c 9d"}
    facts: dict[str, Any] = {"hands": hand, "discards": "7d 2h", "stock": "3c"}
    facts |= {"phase": "draw", "table": ["Cy: Ac Ad Ah"]}
    state = _state(WILD, **facts)
    assert "blocks the discard pile" in _says(state, "take all with 2c 2d")
    state = _state({**WILD, "draw.wild_top": "with two of its kind"}, **facts)
    listed = {one for one in map(str, rv.legal_actions(state)) if "take" in one}
    assert listed == {"take all with 2c 2d", "take all with 2c 2d *"}
    assert "two twos" in _says(state, "take all with 2c *")
    assert not rv.check(state, "take all with 9c 9d").legal
    facts["discards"] = "7d *"
    facts["table"] = ["Cy: 2s 2s 2s"]
    facts["hands"] = {**hand, "Ann": "* * 9c 9d"}
    state = _state({**WILD, "draw.wild_top": "with two of its kind"}, **facts)
    after = rv.apply(state, "take all with * *")
    assert str(after.table[0]) == "2s 2s 2s * * *"


@pytest.mark.parametrize(("worth", "points"), [(1_500, 1_500), ("as a mixed one", 300)])
def test_a_canasta_of_wild_cards(worth: object, points: int) -> None:
    hands = {**HAND, "Ann": "Kh Ks Kc"}
    facts: dict[str, Any] = {
        "hands": hands,
        "drawn": "stock Kc",
        "table": ["Ann: 2c 2d 2s 2c 2d * *"],
    }
    state = rv.apply(
        _state({**WILD, "score.wild_canasta": worth}, **facts), "meld Kh Ks Kc"
    )
    assert state.result is not None
    counted = [one.points for one in state.result.items if "canasta" in one.reason]
    assert counted == [points]


@rv.house.register_rule("score", "a pot at the end")
@attrs.frozen
class PotAtTheEnd(rv.house.HouseRule):
    """
    Each card left in a pot of {cards} counts a point.
    """

    piles = (rv.house.Pile("pot", "cards", of="side"),)

    cards: int = 3

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        A point for each card that nobody has seen.
        """
        for seat in range(end.players):
            yield rv.house.Points(seat, len(end.lying("pot", seat)), "in the pot")
        assert end.lying("pot") == end.lying("no pot", 0) == ()


def test_a_rule_sees_what_lies_hidden_when_a_round_is_over() -> None:
    values = {"score.rules": ["a pot at the end"]}
    facts: dict[str, Any] = {"hands": {**HAND, "Ann": "Kh Ks Kc"}, "drawn": "stock Kc"}
    zones = {"pot": {"Ann": "4h 4s"}}
    table = ["Ann: Ac Ad Ah As Ac Ad Ah"]
    state = _state(values, **facts, zones=zones, table=table)
    state = rv.apply(state, "meld Kh Ks Kc")
    assert state.result is not None
    counted = [one.points for one in state.result.items if one.reason == "in the pot"]
    assert sum(counted) == 2


@rv.house.register_rule("out", "a pot to go on with")
@attrs.frozen
class PotToGoOnWith(rv.house.HouseRule):
    """
    Each side has a pot of {cards} cards for when a hand is empty.
    """

    piles = (rv.house.Pile("pot to go on with", "cards", of="side"),)

    cards: int = 3

    def refills(self, turn: rv.house.Turn) -> Iterator[rv.house.Move]:
        """
        The pot of the side.
        """
        yield rv.house.Move(
            "pot to go on with",
            "hand",
            None,
            source_seat=min(turn.side),
            target_seat=turn.seat,
        )


@pytest.mark.parametrize("there", [True, False])
def test_nobody_is_asked_while_a_hand_is_filled_again(there: bool) -> None:  # noqa: FBT001
    facts: dict[str, Any] = {
        "hands": {**HAND, "Ann": "Kh Ks Kc"},
        "drawn": "stock Kc",
        "table": ["Ann: Ac Ad Ah As Ac Ad Ah"],
        "zones": {"pot to go on with": {"Ann": "4h 4s"} if there else {"Ben": "4h"}},
    }
    state = _state({"out.rules": ["a pot to go on with"]}, **facts)
    assert rv.check(state, "ask").legal is not there
    assert rv.check(state, "meld Kh Ks Kc").legal
