"""Every preset can be played to its end by each number of players that it admits."""

from __future__ import annotations

import math

from collections.abc import Iterator
from typing import Any

import pytest

import rummyvariants as rv

from amounts import every_third
from rummyvariants.simulation.runs import simulate


def admitted() -> Iterator[tuple[str, int]]:
    """
    Each preset with each number of players.
    """
    for name in rv.presets():
        low, high = rv.preset(name).match.players
        for players in range(low, high + 1):
            yield name, players


def most_held(rules: rv.Ruleset, players: int, deal: int) -> float:
    """
    The most cards of a hand after a draw, by the values of the rules.
    """
    values = rules.values()

    def at(path: str, number: int) -> int:
        table = dict(values[path])
        return int(table[max(one for one in table if one <= number)])

    assert values["draw.take"] == "the top card"
    assert values["call.calls"] == "none"
    bought: float = math.inf if values["call.buying"] == "if declined" else 0
    if values["call.buys"]:
        bought = min(bought, at("call.buys", deal))
    if players == 2:  # the other player makes all discards but the first upcard
        bought = min(bought, 1)
    held = at("deal.by_round", deal) + 1
    return held + bought * (1 + int(values["call.buy_price"]))


def contracts(rules: rv.Ruleset) -> list[int]:
    """
    How many cards each contract takes.
    """
    texts: Any = rules.values()["meld.contracts"]
    return [sum(int(group.split()[1]) for group in text.split(", ")) for text in texts]


@pytest.mark.parametrize(
    "name", ["contract-rummy", "liverpool-rummy", "shanghai-rummy"]
)
@pytest.mark.parametrize("option", ["", "COV-18", "COV-19", "COV-20"])
def test_a_hand_can_hold_every_contract(name: str, option: str) -> None:
    rules = rv.preset(name).with_options(*[option] * bool(option))
    low, high = rules.match.players
    needed = contracts(rules)
    assert needed
    for players in range(low, high + 1):
        for deal, cards in enumerate(needed, 1):
            assert cards <= most_held(rules, players, deal)


def test_a_contract_that_no_hand_can_hold_is_refused() -> None:
    shanghai = rv.preset("shanghai-rummy")
    two = {"match.players": [2, 6], "deck.packs": {2: 2, 5: 3}}
    with pytest.raises(
        rv.errors.RulesError,
        match="contract of deal 10 needs 15 cards, and of 2 players nobody ever holds "
        "more than 14",
    ) as refused:
        shanghai.with_values(two)
    assert "SHA-03" in refused.value.rules
    with pytest.raises(
        rv.errors.RulesError, match="deal 7 needs 12 cards, and of 3 players"
    ):
        rv.preset("contract-rummy").with_values(
            {"deal.by_round": {1: 10}, "call.buying": "none"}
        )
    shanghai.with_values({**two, "deal.by_round": {1: 11, 10: 12}})


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), every_third(admitted(), pytest.mark.slow))
def test_a_match_is_played_to_its_end(name: str, players: int) -> None:
    rules = rv.preset(name)
    (row,) = simulate(rules, "greedy", games=1, players=players, seed=5, unit="match")
    assert (row.status, row.problem) == ("finished", "")
    assert row.winners
    assert all(len(one.hand_sizes) == players for one in row.rounds)
    if rules.match.ends == "after the rounds":
        assert len(row.rounds) >= int(rules.match.rounds)
    ends = {one.how for one in row.rounds}
    assert ends - {"stock", "idle"}
    if contracts(rules):
        assert ends == {"out"}
