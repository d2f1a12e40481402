"""
Contract Rummy beside the second engine; see docs/explanation/lockstep.md.
"""

from __future__ import annotations

import pytest

import lockstep_contract


@pytest.mark.long
@pytest.mark.parametrize("number", range(6))
def test_whole_matches_are_the_same_on_both_sides(number: int) -> None:
    _, seen, differs = lockstep_contract.run(number)
    assert not differs
    assert seen["deals"] == 7


@pytest.mark.parametrize("number", range(6))
def test_rounds_from_positions_are_the_same_on_both_sides(number: int) -> None:
    _, seen, differs = lockstep_contract.run(number, positions=5)
    assert not differs
    assert seen["positions"] == 5
