"""Rulesets: presets, options, single values, files, and where each value came from."""

from __future__ import annotations

import itertools
import pickle

import pytest

import rummyvariants as rv

from rummyvariants.files._positions import read_position
from rummyvariants.rules._variants import SECTIONS
from rummyvariants.rulings import catalogue


PLAIN = rv.preset("rummy-5000")


@pytest.mark.parametrize("name", rv.presets())
def test_a_preset_is_one_value(name):
    rules = rv.preset(name)
    assert rules == rv.preset(name)
    assert hash(rules) == hash(rv.preset(name))
    assert pickle.loads(pickle.dumps(rules)) == rules  # noqa: S301 -- of our own making
    assert rules.with_options() == rules
    assert rules.name == name
    for path in rules.values():
        assert rules.origin(path).rule in catalogue()


def test_presets_differ():
    # Liverpool rummy is another name for contract rummy, where it has no options.
    rulesets = [rv.preset(name) for name in rv.presets() if name != "liverpool-rummy"]
    for first, second in itertools.combinations(rulesets, 2):
        assert first != second
        assert first.diff(second)


def test_the_order_of_options_does_not_matter():
    ids = ["PGV-P4", "PGV-E5=2500", "PGV-C2a", "PGV-D3e", "PGV-C7b=Qs:45"]
    wanted = PLAIN.with_options(*ids)
    for order in itertools.permutations(ids):
        assert PLAIN.with_options(*order) == wanted
    one_by_one = PLAIN
    for one in ids:
        one_by_one = one_by_one.with_options(one)
    assert one_by_one == wanted
    assert wanted.deal.two_upcard == "choose"


def test_options_are_found_in_any_case():
    assert PLAIN.with_options("pgv-p4") == PLAIN.with_options("PGV-P4")


def test_a_special_value_may_be_given_for_several_cards():
    rules = PLAIN.with_options("PGV-C7b", "PGV-C7b=Ks:60")
    assert dict(rules.score.special) == {"Qs": 45, "Ks": 60}


def _with_option(rules, option):
    try:
        return rules.with_options(option)
    except rv.errors.RulesError:
        return None


def _price_of_four_aces(rules):
    given = {
        "seats": ["N", "E", "S"],
        "turn": "N",
        "phase": "draw",
        "hands": {"N": "Kc", "E": "Kd", "S": "Kh"},
        "table": ["N: Ac Ad Ah As"],
        "discards": "9c",
        "stock": "9d 8d 7d 6d",
    }
    items = rv.round_result(read_position(given, rules), "stock").items
    return sum(one.points for one in items if one.reason.startswith("melded"))


@pytest.mark.parametrize(
    "name", [one for one in rv.presets() if rv.preset(one).score.down == "add"]
)
def test_r5v_10_lowers_four_aces_under_no_option(name):
    base = rv.preset(name)
    values = {} if base.match.players[0] < 4 else {"match.sides": "none"}
    base = base.with_values({**values, "match.players": [2, 8]})
    compared = 0
    for option in rv.options():
        scores = catalogue()[option].policy == "score"
        rules = _with_option(base, option) if scores else None
        more = rules and _with_option(rules, "R5V-10")
        if more:
            prices = _price_of_four_aces(rules), _price_of_four_aces(more)
            assert prices[0] <= prices[1], option
            compared += 1
    assert compared > 10


@pytest.mark.parametrize("name", rv.presets())
def test_rv_37_a_pile_is_spread_where_cards_come_from_its_depth(name):
    rules = rv.preset(name)
    from_its_depth = rules.call.calls == "pile" or rules.draw.take in {
        "any number",
        "up to the top card's number",
    }
    assert rules.draw.open_pile == from_its_depth


def test_rv_37_rummy_in_the_pile_spreads_it():
    assert rv.preset("basic-rummy").with_options("PGV-P11").draw.open_pile


def test_an_option_is_the_origin_of_what_it_sets():
    rules = PLAIN.with_options("PGV-C7a")
    assert rules.origin("score.points.8").set_by == "PGV-C7a"
    assert rules.origin("score.points.8").rule == "PGV-C7a"
    assert rules.origin("score.points.K").rule == "PG-20"
    assert rules.origin("meld.ace").set_by == "rummy-5000"


def test_a_value_set_alone_is_cited_as_set():
    rules = PLAIN.with_values({"wild.real_card": "beside", "match.target": 777})
    assert rules.origin("wild.real_card").rule == "PG-15"
    assert rules.origin("match.target").rule == "set here"
    assert rules.origin("match.target").set_by == "set here"
    assert rules.match.target == 777


def test_a_difference_names_both_origins():
    (found,) = PLAIN.diff(PLAIN.with_options("PGV-P5"))
    assert (found.value, found.here, found.there) == (
        "wild.real_card",
        "beside",
        "nothing",
    )
    assert (found.here_from.rule, found.there_from.rule) == ("PG-15", "PGV-P5")
    assert "PGV-P5" in str(found)


def test_an_option_that_changes_nothing_is_pointed_out():
    rules = rv.preset("rummy-500").with_options("PGV-C4a", "PGV-P4")
    assert len(rules.notices) == 1
    assert "PGV-C4a" in rules.notices[0]
    assert rules.wild.real_card == "swap"


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("rummy-5000", ["PGV-P44"], "did you mean 'PGV-P4'?"),
        ("rummy-5000", ["nonsense"], "there is no option 'nonsense'"),
        ("rummy-5000", ["PG-15"], "PG-15 is a rule of rummy-5000, not an option"),
        ("liverpool-rummy", ["COV-14"], "COV-14 is not played here; `rummyvariants "),
        ("rummy-5000", ["PGV-E5"], "needs a value"),
        ("rummy-5000", ["PGV-E5=many"], "PGV-E5=many is not allowed"),
        ("rummy-5000", ["PGV-E5=0"], "match.target: 0 is not allowed"),
        ("rummy-5000", ["PGV-P4=3"], "takes no value"),
        ("rummy-5000", ["PGV-E5=1", "PGV-E5=2"], "given twice"),
        ("rummy-5000", ["PGV-P4", "PGV-P5"], "PGV-P4 and PGV-P5 exclude each other"),
        ("rummy-5000", ["PGV-C7b=Zs:3"], "is not a card"),
        ("rummy-5000", ["PGV-D3e"], "PGV-D3e"),
        ("rummy-5000", ["PGV-E4b=200"], "PGV-E4b"),
        ("2500-house", ["PGV-C2a"], "HR-02"),
        ("george", ["PGV-P13"], "PGV-P13"),
        ("gin-rummy", ["BAS-06b"], "take BAS-06b out"),
    ],
)
def test_options_that_will_not_do_are_reported(game, options, message):
    with pytest.raises(rv.errors.RulesError) as caught:
        rv.preset(game).with_options(*options)
    assert message in str(caught.value)


def test_all_problems_are_reported_at_once():
    with pytest.raises(rv.errors.RulesError) as caught:
        PLAIN.with_options("PGV-P4", "PGV-P5", "PGV-E5=x", "PGV-Q1")
    assert len(caught.value.problems) == 3
    assert {"PGV-P4", "PGV-P5", "PGV-E5"} <= set(caught.value.rules)


def test_a_bonus_is_met_by_a_game_that_subtracts_anyway():
    assert rv.preset("rummy-500").with_options("PGV-E4b").score.out_bonus == 200
    both = PLAIN.with_options("PGV-E4a", "PGV-E4b=150")
    assert both.score.out_bonus == 150


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("match.targte", "did you mean 'match.target'?"),
        ("mach.target", "did you mean 'match.target'?"),
        ("target", "there is no policy 'target'; did you mean 'match.target'?"),
        ("score.target", "did you mean 'match.target'?"),
    ],
)
def test_unknown_values_suggest_the_nearest(path, message):
    with pytest.raises(rv.errors.RulesError) as caught:
        PLAIN.with_values({path: 1})
    assert message in str(caught.value)
    with pytest.raises(rv.errors.RulesError):
        PLAIN.value(path)


@pytest.mark.parametrize("value", ["deal.hand_size", "meld.minimum"])
def test_a_table_does_not_give_one_number_twice(value):
    with pytest.raises(rv.errors.RulesError, match=f"{value}: .* is not allowed"):
        PLAIN.with_values({value: {"2": 50, "02": 90}})


def test_unknown_presets_and_rules_suggest_the_nearest():
    with pytest.raises(rv.errors.RulesError, match="did you mean 'rummy-500'"):
        rv.preset("rumy-500")
    with pytest.raises(rv.errors.RulesError, match="did you mean 'PG-14'"):
        rv.rule("PG-144")
    assert rv.rule("pg-14") is catalogue()["PG-14"]


VALUES = [(section, name) for section, cls in SECTIONS.items() for name in cls.values()]


@pytest.mark.parametrize(("section", "name"), VALUES)
def test_every_value_reads_its_own_default_and_refuses_nonsense(section, name):
    cls = SECTIONS[section]
    default = getattr(cls(), name)
    assert cls.read(name, default) == default
    assert cls.values()[name].metadata["doc"]
    for nonsense in (object(), "no such word", -7, [[]], None, 1.5):
        with pytest.raises(ValueError, match=r"is not "):
            cls.read(name, nonsense)


RULES_FILE = """
extends = "rummy-5000"
with = ["PGV-P4", "PGV-E5=2500"]

[stock]
idle_rounds = 2

[score]
points = { 8 = 8, T = 12 }
special = { Qs = 45 }
"""


def test_a_rules_file_builds_on_a_preset(tmp_path):
    path = tmp_path / "our-table.toml"
    path.write_text(RULES_FILE, encoding="utf-8")
    rules = rv.load_rules(path)
    assert rules.name == "our-table"
    assert rules.match.target == 2500
    assert rules.stock.idle_rounds == 2
    points = dict(rules.score.points)
    assert (points["8"], points["T"], points["K"]) == (8, 12, 10)
    assert rules.origin("stock.idle_rounds").set_by == "our-table.toml, line 6"
    assert rv.load_rules(path) == rules


def test_all_problems_of_a_rules_file_are_reported_with_their_keys(tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(
        'extends = "rummy-50000"\nwith = ["PGV-P4", "PGV-P5"]\nextnds = 1\n'
        "[match]\ntarget = -5\nplayers = [4, 2]\n[meld]\nace = 'hi'\nacee = 'low'\n",
        encoding="utf-8",
    )
    with pytest.raises(rv.errors.RulesError) as caught:
        rv.load_rules(path)
    message = str(caught.value)
    for part in (
        "'rummy-50000'; did you mean 'rummy-5000'?",
        "'extnds'; did you mean 'extends'?",
        "PGV-P4 and PGV-P5 exclude each other",
        "match.target: -5",
        "match.players: [4, 2]",
        "meld.ace: 'hi'",
        "'meld.acee'; did you mean 'meld.ace'?",
    ):
        assert part in message
    assert all(line.startswith(str(path)) for line in message.splitlines())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("extends = ", "line 1"),
        ("[match\n", "line 1"),
        ("[match]\ntarget = 100\n", "'extends' is missing"),
        ("base = 'rummy-500'\n", "no key 'base'; did you mean 'extends'?"),
        ('extends = "rummy-500"\nmatch = 3\n', "match is a section"),
        ('extends = "rummy-500"\nwith = 3\n', "with: give a list"),
    ],
)
def test_a_file_that_is_none_is_reported(tmp_path, text, message):
    path = tmp_path / "broken.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(rv.errors.RulesError) as caught:
        rv.load_rules(path)
    assert message in str(caught.value)


def test_the_number_of_players_is_held():
    with pytest.raises(rv.errors.RulesError, match="3 to 8 players, not 2") as caught:
        rv.new_game("rummy-5000", 2)
    assert caught.value.rules == ("PG-01",)
    with pytest.raises(rv.errors.RulesError, match="2 to 8 players, not 9"):
        rv.new_game("rummy-500", 9)
    with pytest.raises(rv.errors.RulesError, match="2 to 8 players, not -1"):
        rv.new_game("rummy-500", -1)
    with pytest.raises(rv.errors.RulesError, match="name of their own"):
        rv.new_game("rummy-500", ["Ann", "Ann"])
    with pytest.raises(rv.errors.RulesError, match="no seat 5"):
        rv.new_game("rummy-500", 2, dealer=5)


def test_a_deck_that_can_never_suffice_is_reported_before_it_is_dealt():
    rules = rv.preset("rummy-500").with_values({"deal.hand_size": 40})
    with pytest.raises(rv.errors.RulesError, match="at least 82 cards"):
        rv.new_game(rules, 2)


def test_a_deck_by_hand_is_held_to_the_pack():
    with pytest.raises(rv.errors.PositionError) as caught:
        rv.new_game("rummy-500", 2, deck="Ah Ah 2c * * *")
    assert len(caught.value.problems) == 2
    with pytest.raises(rv.errors.ParseError, match="'1h' is not a card"):
        rv.new_game("rummy-500", 2, deck="Ah 1h")
    with pytest.raises(rv.IllegalAction):
        rv.game.deal(rv.new_game("rummy-500", 2))


def test_a_table_that_an_option_states_in_full_is_cited_in_full():
    rules = rv.preset("gin-rummy-classic").with_options("GRV-05b", "GRV-05c")
    oklahoma = rv.preset("oklahoma-gin")
    assert rules == oklahoma
    assert rules.diff(oklahoma) == ()
    assert rules.rule_of("out.knock_counts.J") == "GRV-05b"
    # An entry that was changed before is stated anew.
    ours = rv.preset("gin-rummy").with_values({"out.knock_counts": {"J": 5}}, "ours")
    again = ours.with_values({"out.knock_counts": {"A": 0, "J": 5, "Q": 9, "K": 9}})
    assert again.origin("out.knock_counts.J").set_by == "set here"
