"""Contracts, purchases and traded wilds, in whole matches and where rules meet."""

from __future__ import annotations

import random

from collections import Counter
from typing import Any

import attrs
import pytest

import rummyvariants as rv

from choosing import path_to
from naive import Lying
from naive_turns import Judge
from rummyvariants.cards import size
from rummyvariants.game._engine import plays
from rummyvariants.game._meanings import meaning
from rummyvariants.melds._looks import melds_in
from rummyvariants.testing import play_match


PRESET = rv.preset("contract-rummy")


def position(rules: rv.Ruleset = PRESET, **given: Any) -> rv.State:
    """
    A position of three players; unless it is said otherwise, in the middle of N's turn.
    """
    keys: dict[str, Any] = {
        "seats": ["N", "E", "S"],
        "turn": "N",
        "stock": "2c 3d 4h",
        "discards": "9d",
        "partial": True,
    }
    return rv.position(rules, **{**keys, **given})


# ------------------------------------------------------------------ where rules meet


def test_con_11_each_of_two_traded_jokers_is_laid_off() -> None:
    state = position(
        phase="play",
        drawn="stock 2s",
        hands={"N": "4c 5h 2s 9c", "E": "Kc", "S": "Qc"},
        table=["N: 3c *=4c 5c 6c", "N: 9s 9h 9c", "E: 3h 4h *=5h 6h"],
    )
    for action in ("swap 4c on 1", "swap 5h on 3", "lay *=7c on 1"):
        state = rv.apply(state, action)
    assert rv.check(state, "discard 2s").rule == "CON-11"
    assert rv.check(rv.apply(state, "lay *=7h on 3"), "discard 2s")


MOVING = {
    "phase": "play",
    "drawn": "stock 2s",
    "hands": {"N": "4c 2s 9c 7c", "E": "Kc", "S": "Qc"},
    "table": ["N: 9s 9h 9c", "E: 3c *=4c 5c 6c"],
}


@pytest.mark.parametrize(
    ("end", "table", "moves"),
    [
        ("low", "*=2c 3c 4c 5c 6c", [("table", 1, 0), ("hand", -1, 2)]),
        ("high", "3c 4c 5c 6c *=7c", [("table", 1, 3), ("hand", -1, 1)]),
    ],
)
def test_cov_03_a_joker_moves_within_its_run(
    end: str, table: str, moves: list[tuple[str, int, int]]
) -> None:
    state = position(PRESET.with_options("COV-03"), **MOVING)
    done = rv.step(state, f"swap 4c {end} on 2")
    run = done.after.table[1]
    assert str(run) == table
    assert [slot.seat for slot in run.slots if slot.card.is_joker] == [1]
    assert [slot.seat for slot in run.slots if str(slot) == "4c"] == [0]
    (seen,) = done.seen_by(0)
    found = []
    for move in seen.moves:
        source = -1 if move.source.place == "hand" else move.source.index
        found.append((move.source.place, source, move.target.index))
    assert found == moves
    assert seen.text.endswith(f"move the wild card to the {end} end.")


def test_cov_03_what_is_no_move_is_refused_for_its_reason() -> None:
    rules = PRESET.with_options("COV-03")
    state = position(rules, **MOVING)
    wrong = rv.check(state, "swap 4c on 2")
    assert (wrong.rule, wrong.reason) == (
        "COV-03",
        "say whether the wild card moves to the low or the high end",
    )
    assert rv.check(state, "swap 7c low on 2").rule == "COV-03"
    wrong = rv.check(position(**MOVING), "swap 4c low on 2")
    assert (wrong.rule, wrong.reason) == (
        "CON-11",
        "the wild card comes to the hand: no end of a run is named",
    )
    whole = "Ac 2c 3c *=4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"
    state = position(rules, **{**MOVING, "table": ["N: 9s 9h 9d", f"E: {whole}"]})
    for end in ("low", "high"):
        wrong = rv.check(state, f"swap 4c {end} on 2")
        assert wrong.rule == "COV-03"
        assert wrong.reason.endswith("has no end for the wild card to move to")
    assert not [
        one for one in rv.legal_actions(state) if isinstance(one, rv.actions.Swap)
    ]


def test_cov_03_a_set_keeps_its_joker_where_trades_are_free() -> None:
    rules = PRESET.with_options("COV-03").with_values({"wild.swap_in": "any meld"})
    hands = {"N": "9d 2s", "E": "Kc", "S": "Qc"}
    state = position(rules, **{**MOVING, "table": ["N: 9s 9h *=9"], "hands": hands})
    wrong = rv.check(state, "swap 9d high on 1")
    assert wrong.rule == "COV-03"
    assert wrong.reason == "the set 9s 9h *=9 has no end for the wild card to move to"


@pytest.mark.parametrize("ace", ["high or low", "round the corner"])
@pytest.mark.parametrize("end", ["low", "high"])
def test_cov_03_a_joker_may_become_the_ace_at_either_end(ace: str, end: str) -> None:
    rules = PRESET.with_options("COV-03").with_values({"meld.ace": ace})
    run = "2c 3c *=4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"
    table = ["N: 9s 9h 9d", f"E: {run}"]
    done = rv.step(position(rules, **{**MOVING, "table": table}), f"swap 4c {end} on 2")
    after = done.after.table[1]
    assert [str(one) for one in after.slots if one.stands_for] == ["*=Ac"]
    assert sorted(map(str, after.cards)) == sorted(
        ["4c", *run.replace("=4c", "").split()]
    )
    row = run.split()
    for move in done.seen_by(1)[0].moves:
        if move.source.place == "table":
            del row[move.source.index]
        row.insert(move.target.index, str(move.card))
    assert row == [str(card) for card in after.cards]


def test_cov_03_the_longer_run_takes_more_of_the_hand() -> None:
    state = position(PRESET.with_options("COV-03"), **MOVING)
    found = rv.arrange(state, goal="least points left")
    assert found.exact
    texts = list(map(str, found.actions))
    for text in texts:
        state = rv.apply(state, text)
    assert texts[0].startswith("swap 4c ")
    assert str(state.hands[0]) == "2s"


def test_con_11_a_card_owed_may_be_traded() -> None:
    """
    The joker that it brings is owed in its place, which is no reason to refuse it.
    """
    state = position(
        PRESET.with_options("PGV-P7"),
        discards="9d 4c",
        turns_taken={"N": 1, "E": 1, "S": 1},
        hands={"N": "2s 9c", "E": "Kc", "S": "Qc"},
        table=["N: 3c *=4c 5c 6c", "N: 9s 9h 9c"],
    )
    assert rv.check(rv.apply(state, "take 1"), "swap 4c on 1")


def test_con_09_runs_round_the_corner_are_contiguous_too() -> None:
    state = position(
        PRESET.with_values({"meld.ace": "round the corner"}),
        phase="play",
        drawn="stock 8c",
        round=3,
        hands={"N": "Qh Kh Ah 2h 3h 4h 5h 6h 7h 8c", "E": "Kc", "S": "Qc"},
    )
    assert rv.check(state, "meld Qh Kh Ah 2h / 3h 4h 5h 6h").rule == "CON-09"
    assert rv.check(state, "meld Qh Kh Ah 2h / 4h 5h 6h 7h")


@pytest.mark.parametrize("further", [False, True])
def test_con_07_no_new_meld_is_called_after_the_contract(*, further: bool) -> None:
    state = position(
        PRESET.with_values(
            {"call.calls": "pile", "call.melds": True, "meld.further": further}
        ),
        phase="call",
        discards="9d 9c 9h",
        hands={"N": "2s 9c", "E": "Kc", "S": "Qc"},
        table=["N: 3c 4c 5c 6c", "N: 8s 8d 8h"],
    )
    assert state.phase == ("call" if further else "draw")
    assert bool(rv.check(state, "rummy 9d 9c 9h", 0)) == further


def test_hr_11_first_melds_laid_together_hold_no_wild() -> None:
    state = position(
        PRESET.with_values({"meld.first_natural": True}),
        phase="play",
        drawn="stock 8c",
        hands={"N": "7c 7d 7h 9c 9d 9h * 8c", "E": "Kc", "S": "Qc"},
    )
    assert rv.check(state, "meld 7c 7d 7h / 9c 9d 9h")
    assert not rv.check(state, "meld 7c 7d *=7 / 9c 9d 9h")


def test_con_06_the_melds_of_a_contract_are_named_in_any_order() -> None:
    state = position(
        phase="play",
        drawn="stock 8c",
        hands={"N": "7c 7d 7h 9c 9d 9h 8c", "E": "Kc", "S": "Qc"},
    )
    one, other = (
        meaning(state, rv.game.parse_action(f"meld {text}", 0))
        for text in ("7c 7d 7h / 9c 9d 9h", "9h 9d 9c / 7c 7h 7d")
    )
    assert one == other is not None


# ------------------------------------------------------------- the list of contracts


def contracts(state: rv.State) -> set[tuple[object, ...] | None]:
    """
    What the melds mean that the naive twin lets a player lay as a contract.
    """
    judge, (seat,) = Judge(state), state.to_act
    found: set[tuple[object, ...] | None] = set()

    def more(laid: tuple[Any, ...], melds: tuple[Lying, ...], left: int) -> None:
        if len(laid) > 1 and judge.may_open(melds, size(left), melded=False):
            found.add(meaning(state, rv.actions.NewMelds(laid, seat)))
        if len(laid) < 3:
            for cards, used, _ in melds_in(state.dealt.terms, left):
                meld = judge.new_meld(cards, seat)
                assert meld is not None
                more((*laid, cards), (*melds, meld), left - used)

    more((), (), state._hands[seat])
    return found


HANDS = {
    1: "* * 5h 5d 5c 7c 7d 8h 9s 2c",
    2: "* * 5h 6h 8h 7c 7d 9s 9c Ts 2c",
    3: "* 5h 6h 7h 8h 9c Tc Qc Kc 2c",
    5: "* * 5h 6h 8h 7c 7d 9s 9c Ts 2c",
    7: "* 5h 6h 7h 8h 9c Tc Jc 2s 3s 4s 5s 6s",
}


@pytest.mark.parametrize("number", HANDS)
@pytest.mark.parametrize("options", [(), ("COV-17",), ("COV-16",)])
def test_con_05_all_contracts_are_listed_and_chosen(
    number: int, options: tuple[str, ...]
) -> None:
    state = position(
        PRESET.with_options(*options),
        phase="play",
        drawn="stock 2c" if "2c" in HANDS[number] else "stock 2s",
        round=number,
        hands={"N": HANDS[number], "E": "Kd", "S": "Qc"},
        stock="2h 3d 4h",
    )
    moves = [
        one for one in rv.legal_actions(state) if isinstance(one, rv.actions.NewMelds)
    ]
    means = [meaning(state, one) for one in moves]
    assert len(set(means)) == len(means)
    assert set(means) == contracts(state)
    start = rv.chooser(state)
    for action in random.Random(number).sample(moves, min(len(moves), 12)):
        assert path_to(start, action) is not None, f"{action} cannot be chosen"


@pytest.mark.parametrize("number", range(1, 8))
def test_a_contract_with_four_jokers_is_found_at_once(number: int) -> None:
    """
    Few melds are looked at until the first contract, however many there are in all.
    """
    looks, read = 0, plays.read_meld

    def counted(*given: Any) -> Any:
        nonlocal looks
        looks += 1
        return read(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plays, "read_meld", counted)
        state = position(
            phase="play",
            drawn="stock 2s",
            round=number,
            hands={"N": "* * * * 5h 6h 7c 7d 8h 9s 9c Ts Jh Qh 2s Ac"},
            stock="2h 3d 4h",
        )
        moves = rv.legal_actions(state)
        assert moves
        assert moves.sample(random.Random(number).randrange) in moves
        assert looks < 100


# ------------------------------------------------------------------- whole matches


@pytest.mark.parametrize("players", range(3, 9))
def test_con_01_random_players_end_every_match(players: int) -> None:
    state = rv.new_game(PRESET, players, seed=players)
    end = rv.playout(state, random.Random(players).randrange, until="match")
    assert end.is_over
    assert end.round_number >= 7


@pytest.mark.long
@pytest.mark.parametrize("players", range(3, 9))
@pytest.mark.parametrize(
    "options",
    [
        (),
        ("COV-02", "COV-05=2:2", "COV-06", "COV-17"),
        ("COV-02", "COV-03", "COV-07", "COV-05=2:2"),
        ("COV-08", "COV-10", "COV-12", "COV-20"),
    ],
)
def test_con_01_matches_of_all_numbers_of_players(
    players: int, options: tuple[str, ...]
) -> None:
    """
    In each phase a position and a document say all, and a view makes worlds like it.
    """
    met: Counter[str] = Counter()
    chance = random.Random(players)

    def look(state: rv.State, number: int) -> None:
        if not state.to_act or (number % 25 and met[state.phase] > 9):
            return
        met[state.phase] += 1
        text = rv.files.scenario_text(state)
        document = rv.files.from_json(rv.files.to_json(state), rv.State)
        for again in (rv.files.parse_scenario(text).start, document):
            assert again is not None
            assert rv.files.scenario_text(again) == text
            assert again.drawn.duties == state.drawn.duties
            assert again.frames == state.frames
            assert again._memory == state._memory
        for seat in range(players):
            seen = rv.view(state, seat)
            world = rv.determinize(seen, chance)
            assert rv.view(world, seat) == seen
            assert world.to_act == state.to_act

    rules = PRESET.with_options(*options).with_values({"match.rounds": 1})
    end = play_match(rules, players, players, 3_000, every=40, look=look)
    assert end.is_over
    assert {"draw", "buy", "stock", "play"} <= set(met)


def test_a_contract_of_sets_of_two_sizes_may_begin_with_either() -> None:
    values = {
        "meld.least_set": 2,
        "meld.contracts": ["set 2, set 3"],
        "meld.last_contract": "like the others",
    }
    state = rv.position(
        rv.preset("contract-rummy").with_values(values),
        seats=["N", "E", "S"],
        dealer="S",
        turn="N",
        phase="play",
        stock="2c 3c",
        discards="6d",
        drawn="stock 5s",
        hands={"N": "4c 4h 4s 5h 5s", "E": "7c 8c 9c", "S": "7d 8d 9d"},
    )
    listed = [str(one) for one in rv.legal_actions(state)]
    assert "meld 4c 4h 4s / 5h 5s" in listed


# ---------------------------------------------------------------------- the cut


CUT = PRESET.with_options("COV-10")


def dealt(rules: rv.Ruleset, seed: int) -> rv.actions.Deal:
    state = rv.new_game(rules, players=4, seed=seed)
    action = state.history[-1]
    assert isinstance(action, rv.actions.Deal)
    return action


def test_cov_10_a_cut_is_drawn_after_the_order_and_may_be_any() -> None:
    cuts = Counter(dealt(CUT, seed).cut for seed in range(2_000))
    assert min(cuts) == 1
    assert max(cuts) == 107
    assert len(cuts) == 107
    assert max(cuts.values()) < 45
    for seed in range(5):
        plain, cut = dealt(PRESET, seed), dealt(CUT, seed)
        assert plain.cut == 0
        assert (plain.cards, plain.dealer, plain.shuffle) == (
            cut.cards,
            cut.dealer,
            cut.shuffle,
        )


def test_cov_10_a_deal_with_a_cut_is_written_and_replayed() -> None:
    made = rv.actions.Deal(dealt(CUT, 1).cards, 2, (4,), 7, cut=41)
    assert str(made).startswith("deal 2 back 4 shuffle 7 cut 41 : ")
    assert rv.game.parse_action(str(made)) == made
    seed = next(seed for seed in range(999) if dealt(CUT, seed).cut in {40, 41})
    state = rv.new_game(CUT, players=4, seed=seed)
    again = rv.replay(rv.record(state))
    assert again == state
    cutter = (state.dealer - 1) % 4
    assert dict(again.memory) == {"score.exact cut": cutter}
    document = rv.files.from_json(rv.files.to_json(state), rv.State)
    assert document == state


@pytest.mark.parametrize("cut", [-1, 108, 500])
def test_cov_10_nobody_cuts_off_the_whole_deck(cut: int) -> None:
    state = rv.game.begin(CUT, 4, seed=1)
    made = dealt(CUT, 1)
    ruling = rv.check(state, attrs.evolve(made, cut=cut))
    assert not ruling
    assert ruling.rule == "COV-10"
    assert rv.check(state, attrs.evolve(made, cut=107))
    text = '[deal]\nseats = ["N", "E", "S"]\ndealer = "S"\ncut = 108'
    with pytest.raises(
        rv.errors.PositionError, match="cut: at most 107 cards can be cut"
    ):
        rv.files.parse_scenario(f'title = "A"\nrules = "contract-rummy"\n{text}')


def test_first_melds_are_said_until_a_player_has_them() -> None:
    laid = position(
        phase="play", hands={"N": "3c 3d 3h 9c 9d 9h Kc", "E": "5c", "S": "6c"}
    )
    assert [str(one) for one in laid.first_melds(0)] == ["two sets of three", ""]
    laid = rv.apply(laid, "meld 3c 3d 3h / 9c 9d 9h")
    assert laid.first_melds(0) == ()
    assert laid.first_melds(1)
    canasta = rv.new_game("canasta", 4, seed=1)
    assert [str(one) for one in canasta.first_melds(2)] == ["melds worth 50 points"]
    assert rv.new_game("rummy-500", 4, seed=1).first_melds(0) == ()


# --------------------------------------------------- where wilds lie, and who buys back


LAID = {
    "phase": "play",
    "drawn": "stock 2s",
    "hands": {"N": "* * 5c 6c 8c 9c 2s 2h", "E": "Kc", "S": "Qc"},
    "round": 1,
}


def first_melds(rules: rv.Ruleset, **given: Any) -> list[str]:
    """
    The first melds that N may lay, each of which is legal.
    """
    state = position(rules, **{**LAID, **given})
    found = [one for one in rv.legal_actions(state) if str(one).startswith("meld")]
    assert all(rv.check(state, str(one)) for one in found)
    return [str(one) for one in found]


@pytest.mark.parametrize("between", [0, 1, 2, 3])
def test_other_cards_lie_between_two_wilds_of_a_run(between: int) -> None:
    """
    Also after lay-offs; the contracts that are listed are those that keep to it.
    """
    rules = PRESET.with_values(
        {"wild.between": between, "meld.contracts": ["run 5"] * 2}
    )
    loose = first_melds(rules.with_values({"wild.between": 0}))
    apart = [
        one
        for one in loose
        if "*" not in one.partition("*")[2]
        or one[: one.rfind("*")].count(" ") - one[: one.find("*")].count(" ") > between
    ]
    assert first_melds(rules) == apart
    assert len(loose) > len(apart) or not between
    state = position(
        rules,
        phase="play",
        drawn="stock 2s",
        hands={"N": "* 2s 9c", "E": "Kc", "S": "Qc"},
        table=["N: 9s 9h 9c", "E: *=3c 4c 5c 6c"],
    )
    assert bool(rv.check(state, "lay *=7c on 2")) == (between < 4)
    assert bool(rv.check(state, "lay *=2c on 2")) == (between < 1)


@rv.house.register_rule("meld", "few wilds first")
@attrs.frozen
class FewWildsFirst(rv.house.HouseRule):
    """
    The first melds hold few wilds.
    """

    reads = frozenset[str]()

    wilds: int | None = None
    each: int | None = None

    def opening(self, turn: rv.house.Turn) -> rv.house.Opening:
        del turn
        return rv.house.Opening(wilds=self.wilds, wilds_each=self.each)


@pytest.mark.parametrize(("wilds", "each"), [(None, 1), (1, None), (2, 1), (3, 2)])
def test_an_opening_may_limit_its_wilds(wilds: int | None, each: int | None) -> None:
    """
    In all melds together and in each, in the list as at the prompt.
    """
    given: dict[str, Any] = {
        "hands": {"N": "* * * 5c 6c 7c 8c 9d 9h 9s 2s 2h", "E": "Kc", "S": "Qc"},
        "round": 2,
    }

    def within(action: str) -> bool:
        melds = [one.count("*") for one in action.split("/")]
        return (wilds is None or sum(melds) <= wilds) and (
            each is None or max(melds) <= each
        )

    loose = first_melds(PRESET, **given)
    strict = PRESET.with_values({"meld.rules": [FewWildsFirst(wilds, each)]})
    assert first_melds(strict, **given) == [one for one in loose if within(one)]
    given["hands"] = {"N": "* * * 5c 7c 8c 9d 9h 2s 3h", "E": "Kc", "S": "Qc"}
    for name in ("greedy", "careful"):
        state = position(strict, **{**LAID, **given})
        chosen = rv.bots.bot(name).choose(rv.view(state, "N"), random.Random(1))
        assert str(chosen).startswith("meld") == bool(first_melds(strict, **given))


def test_a_discard_is_bought_back() -> None:
    """
    By the player who made it, after all others; of two players by nobody else.
    """
    hands = {"N": "4c 5h", "E": "Kc Kd", "S": "Qc Qd"}
    rules = PRESET.with_values({"call.own_discard": True})
    asked = {"turn": "N", "phase": "draw", "hands": hands}
    for table, seats in ((PRESET, [1]), (rules, [1, 2])):
        state = rv.apply(position(table, **asked), "pass")
        found = []
        while state.phase == "buy":
            found.append(state.to_act[0])
            state = rv.apply(state, "pass")
        assert found == seats
