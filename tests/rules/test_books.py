"""
Melds that close, takes of so many cards, and canastas of wild cards.
"""

from __future__ import annotations

import pytest

import rummyvariants as rv


WILD = {"wild.wild_melds": True}
HAND = {"Ann": "Kh Ks Kc 2h 5d 6d", "Ben": "4c 5c", "Cy": "6c", "Di": "7c"}


def _state(values: dict[str, object], **facts: object) -> rv.State:
    """
    A position of four players after Ann's draw.
    """
    given = {"hands": HAND, "turn": "Ann", "phase": "play"}
    if "discards" not in facts:
        given["drawn"] = "stock 5d"
    rules = rv.preset("canasta").with_values({"deck.packs": 5, **values})
    return rv.position(rules, partial=True, **{**given, **facts})


def _says(state: rv.State, action: str) -> str:
    return str(rv.check(state, action))


def test_a_closed_set_takes_no_card_and_another_is_begun() -> None:
    open_, full = "Ann: Kc Kd Kh Kc Kd Kh", "Ann: Kc Kd Kh Ks Kc Kd Kh"
    values: dict[str, object] = {"meld.closed_at": 7}
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
