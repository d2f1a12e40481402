"""What house rules replace and need: on the sheet, in force, and in conflict."""

from __future__ import annotations

import pickle

from pathlib import Path
from typing import Any

import attrs
import pytest

import rummyvariants as rv

from places import EXAMPLES
from rummyvariants.policies._questions import ROWS, Combined
from rummyvariants.rules.sheet import sheet
from rummyvariants.rules.sheet.table import house_words


def named(name: str, section: str, **said: Any) -> type[rv.house.HouseRule]:
    """
    A rule of this module that declares and answers something.
    """
    given = {"__module__": __name__, "__doc__": f"{name.capitalize()}.", **said}
    cls = attrs.frozen(
        type(name.title().replace(" ", ""), (rv.house.HouseRule,), given)
    )
    globals()[cls.__name__] = cls  # where a pickle looks for it
    return rv.house.register_rule(section, name)(cls)


def always(answer: object) -> Any:
    return lambda *_: answer


named(
    "three each",
    "deal",
    values=always({"deal.hand_size": 3}),
    replaces=("deal.hand_size",),
)
named("two drawn", "draw", cards_drawn=always(2), replaces=("draw.from_stock",))
named("three drawn", "draw", cards_drawn=always(3))
named("two melds", "meld", most_melds=always(2), replaces=("meld.a_turn",))
named("three melds", "match", most_melds=always(3))
named("left only", "layoff", lays_off_on=always([1]), replaces=("layoff.onto",))
named("first wins", "match", winners=always([0]), replaces=("match.target",))
named("sevens", "wild", wild_rank=always("7"))
named("sixes", "wild", wild_rank=always("6"), replaces=("wild.indicator",))
named("a set first", "meld", opening=always(rv.house.Opening(["set"])))
named(
    "a run first",
    "meld",
    opening=always(rv.house.Opening(["run"])),
    replaces=("meld.contracts",),
)
named(
    "no pile",
    "draw",
    takes=always(()),
    replaces=("draw.duty",),
    needs={"draw.take": {"the top card", "the whole pile"}},
)
named("needs a limit", "score", score=always(()), needs={"meld.a_turn": ...})
named(
    "needs any wild",
    "score",
    score=always(()),
    needs={("wild.jokers", "wild.twos"): True, "match.players": [2, 8]},
)


def table(base: str = "rummy-500", **values: Any) -> rv.Ruleset:
    """
    A preset with values whose names have two underscores in place of the dot.
    """
    changed = {path.replace("__", "."): value for path, value in values.items()}
    return rv.preset(base).with_values(changed)


def said(rules: rv.Ruleset) -> str:
    return " ".join(one.text for part in sheet(rules) for one in part.paragraphs)


def problems(base: str = "rummy-500", **values: Any) -> tuple[str, ...]:
    with pytest.raises(rv.errors.RulesError) as caught:
        table(base, **values)
    return caught.value.problems


# ------------------------------------------------------------------- registration


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"replaces": ("deal.handsize",)}, "'deal.handsize'; did you mean 'deal.hand_"),
        ({"replaces": "deal.hand_size"}, "give a tuple of policy values, such as"),
        ({"replaces": (3,)}, "there is no policy value 3"),
        ({"replaces": ("meld.rules",)}, "there is no policy value 'meld.rules'"),
        ({"replaces": ("deck.packs",)}, "takes the place of deck.packs"),
        ({"replaces": ("score.points",)}, "takes the place of score.points"),
        ({"replaces": ("deal.by_round",)}, "so it has to answer 'values'"),
        ({"needs": {"draw.taek": "any number"}}, "did you mean 'draw.take'?"),
        ({"needs": {"draw.take": "any"}}, "draw.take: 'any' is not allowed: give "),
        ({"needs": {"draw.take": {"any number", "any"}}}, "'any' is not allowed"),
        ({"needs": {("draw.take", "draw.taek"): ...}}, "did you mean 'draw.take'?"),
        ({"needs": ["draw.take"]}, "give policy values with what they must be"),
        (
            {"needs": {"meld.a_turn": ...}, "replaces": ("meld.a_turn",)},
            "Wrong replaces meld.a_turn, so it cannot need it",
        ),
    ],
)
def test_a_wrong_declaration_is_an_error(
    declared: dict[str, Any], message: str
) -> None:
    with pytest.raises(rv.errors.RulesError, match=r"^Wrong") as caught:
        named("wrong", "meld", **declared)
    assert message in str(caught.value)


# ---------------------------------------------------------------------- the sheet


def test_a_sentence_about_a_replaced_value_is_struck() -> None:
    plain, ours = said(table()), said(table(deal__rules=["three each"]))
    assert "seven to each of three to eight." in plain
    assert "seven to each" not in ours
    assert "the cards are dealt singly and face down." in ours
    assert "At this table: Three each." in ours
    assert "takes precedence" not in ours


def test_a_value_that_a_rule_only_answers_stands_with_a_remark() -> None:
    ours = said(table(draw__rules=["three drawn"]))
    assert "At this table 'three drawn' takes precedence." in ours


def test_all_values_give_way_that_one_answer_comes_in_place_of() -> None:
    ours = table("three-thirteen", deal__rules=["three each"])
    assert "in the first round, and one more in each" not in said(ours)
    assert "twos for two" not in said(ours)
    assert "threes for three" not in said(ours)
    ours = table("contract-rummy", deal__rules=["three each"])
    assert {*map(len, rv.new_game(ours, 3, seed=1).hands)} == {3}


def test_a_rule_that_replaces_the_hands_has_to_say_how_large_they_are() -> None:
    named("none said", "deal", values=always({}), replaces=("deal.hand_size",))
    ours = table(deck__ranks="A2345", deck__jokers=0, deal__rules=["none said"])
    with pytest.raises(rv.errors.RulesError) as caught:
        rv.new_game(ours, 2)
    (problem,) = caught.value.problems
    assert problem == (
        "the rule 'none said' answers 'values' with {}: give hands of 9 cards at most "
        "in round 1"
    )


def test_a_sentence_about_other_values_too_says_what_takes_precedence() -> None:
    ours = said(table(layoff__onto="own melds", layoff__rules=["left only"]))
    assert "only on their own melds" not in ours
    remark = "any meld on the table, whoever made it. At this table 'left only' takes"
    assert remark in ours
    assert ours.count("takes precedence") == 1


def test_who_wins_by_a_rule_wins_by_no_target() -> None:
    plain, ours = table(), table(match__rules=["first wins"])
    assert "500 points" in said(plain)
    assert "500 points" not in said(ours)
    assert "equal highest scores" not in said(ours)


def test_a_wild_rank_of_a_rule_is_no_word_of_no_other_wilds() -> None:
    plain, ours = table(), table(wild__rules=["sevens"])
    assert "no other card is" in said(plain)
    assert "no other card is" not in said(ours)
    assert "Wild card" in {
        row.label.partition(",")[0]
        for part in sheet(ours)
        for one in part.paragraphs
        for row in one.rows
    }
    state = rv.new_game(ours, 2, seed=1)
    assert state.wild_rank == "7"


def test_the_notes_say_what_a_rule_comes_in_place_of() -> None:
    notes = " ".join(table(deal__rules=["three each"]).describe().split())
    assert "Added to the rules of deal: three each, in place of deal.hand_size." in (
        notes
    )
    ours = table(draw__from_stock={2: 4}, draw__rules=["two drawn"]).describe()
    assert "draw.from_stock is" not in ours


def test_a_turn_limited_by_a_rule_has_not_any_number_of_melds() -> None:
    assert "in any number and order" in said(table())
    assert "in any number and order" not in said(table(meld__rules=["two melds"]))


def test_nobody_is_said_not_to_drop_or_buy_where_a_rule_lets_them() -> None:
    named("sells", "call", buys=always(rv.house.Price()))
    going = [rv.house.Offer("go", [rv.house.Leave(10)])]
    goes = {"actions": ("go",), "effects": {rv.house.Leave}, "offers": always(going)}
    named("lets go", "out", **goes)
    plain = table(call__calls="none")
    ours = plain.with_values({"call.rules": ["sells"], "out.rules": ["lets go"]})
    assert "discards are for the player whose turn it is" in said(plain)
    assert "discards are for the player whose turn it is" not in said(ours)
    assert "The cards of a player who leaves the round" in said(ours)


# ------------------------------------------------------------------------ in force


def test_a_replaced_limit_does_not_hold() -> None:
    ours = table(meld__a_turn=1, meld__rules=["two melds"])
    assert ours.value("meld.a_turn") == "any number"
    assert ours.origin("meld.a_turn").rule == "two melds"
    cards = "7h 8h 9h Kc Kd Ks 3c 3d 3s 4d"
    state = rv.position(
        ours,
        hands={"Ann": cards, "Ben": "5d"},
        phase="play",
        stock="2c 9s",
        discards="Qd",
        partial=True,
    )
    for text in "meld 7h 8h 9h", "meld Kc Kd Ks":
        state = rv.apply(state, text)
    assert rv.check(state, "meld 3c 3d 3s").rule == "two melds"


def test_a_replaced_value_that_a_rule_gives_for_a_deal_holds_in_it() -> None:
    named(
        "two this time",
        "meld",
        values=always({"meld.a_turn": 2}),
        replaces=("meld.a_turn",),
    )
    ours = table(meld__a_turn=1, meld__rules=["two this time"])
    assert ours.value("meld.a_turn") == "any number"
    assert rv.new_game(ours, 2, seed=1).rules.value("meld.a_turn") == 2


def test_the_librarys_own_rule_for_a_replaced_value_is_not_in_force() -> None:
    ours = table(draw__from_stock={2: 4}, draw__rules=["two drawn"])
    assert [path for path, _ in ours.asked["cards_drawn"]] == ["draw.rules.two drawn"]
    before = rv.new_game(ours, 2, seed=1)
    after = rv.apply(before, "draw")
    assert len(after.hands[before.turn]) == len(before.hands[before.turn]) + 2
    contracts = table("contract-rummy", meld__rules=["a run first"])
    assert [path for path, _ in contracts.asked["opening"]] == [
        "meld.runs_apart",
        "meld.rules.a run first",
    ]
    assert "contract" not in said(contracts)


def test_what_was_replaced_is_back_without_the_rule() -> None:
    ours = table(meld__a_turn=1, meld__rules=["two melds"])
    assert ours.with_values({"meld.rules": []}).value("meld.a_turn") == 1
    assert ours.with_values({"meld.a_turn": 3}).value("meld.a_turn") == "any number"


def test_rules_that_replace_are_kept_in_pickles_and_files() -> None:
    ours = table(meld__a_turn=1, meld__rules=["two melds"], deal__rules=["three each"])
    again = pickle.loads(pickle.dumps(ours))  # noqa: S301 -- just written
    assert again == ours
    assert again.replaced == ours.replaced
    assert {*ours.replaced} == {
        *("deal.hand_size", "deal.for_two", "deal.by_round", "meld.a_turn")
    }
    given = {"extends": "rummy-500", "meld": {"a_turn": 1, "rules": ["two melds"]}}
    assert rv.rules.read_rules(given).value("meld.a_turn") == "any number"


# ------------------------------------------------------------------------- conflicts


def test_two_rules_that_replace_one_value_are_an_error() -> None:
    named("also two", "match", most_melds=always(2), replaces=("meld.a_turn",))
    (problem,) = problems(meld__rules=["two melds"], match__rules=["also two"])
    assert problem == (
        "the rules 'two melds' and 'also two' both replace meld.a_turn: take one of "
        "them out"
    )


def test_a_rule_and_a_value_that_answer_the_same_are_an_error() -> None:
    (problem,) = problems(draw__from_stock={2: 4}, draw__rules=["three drawn"])
    assert problem.startswith(
        "the rule 'three drawn' answers 'cards_drawn', and so does draw.from_stock = "
        "{ 2 = 4 } (set here): declare replaces = ('draw.from_stock',) in ThreeDrawn,"
    )
    assert table(draw__rules=["three drawn"])


def test_a_wild_rank_that_a_value_names_is_not_named_by_a_rule_as_well() -> None:
    (problem,) = problems("three-thirteen", wild__rules=["sevens"])
    assert "so does wild.indicator" in problem
    ours = table("three-thirteen", wild__rules=["sixes"])
    assert rv.new_game(ours, 2, seed=1).wild_rank == "6"
    assert "equals the number of cards" not in said(ours)


def test_a_rule_that_needs_what_another_replaces_is_an_error() -> None:
    (problem,) = problems(
        meld__a_turn=1, meld__rules=["two melds"], score__rules=["needs a limit"]
    )
    assert problem == (
        "the rule 'needs a limit' needs meld.a_turn, which 'two melds' replaces: take "
        "one of them out"
    )


def test_contracts_that_hands_of_a_rule_may_hold_are_no_contradiction() -> None:
    named("twelve each", "deal", values=always({"deal.hand_size": 12}))
    short = {"deal__hand_size": 3, "deal__for_two": "as others", "deal__by_round": {}}
    short |= {"call__buying": "none"}
    assert "nobody ever holds more" in problems("contract-rummy", **short)[0]
    assert table("contract-rummy", **short, deal__rules=["twelve each"])


# ------------------------------------------------------------------------ combined


def test_every_question_whose_answers_are_combined_has_words() -> None:
    apart = {Combined.FIRST, Combined.OWN}
    assert {*house_words()["combined"]} == {one.name for one in {*Combined} - apart}
    assert {*house_words()["beside"]} <= {*ROWS}
    assert {*house_words()["about"]} == {
        one for one, row in ROWS.items() if row.combined not in apart
    }


def test_the_sheet_says_how_two_answers_go_together() -> None:
    one = table(meld__rules=["two melds"])
    both = one.with_values({"match.rules": ["three melds"]})
    sentence = "The rules 'two melds' and 'three melds' both say how many new melds a "
    sentence += "turn may have: the lowest number applies."
    assert sentence not in said(one)
    assert said(both).count(sentence) == 1
    (match,) = [part for part in sheet(both) if part.title == "The match"]
    assert match.paragraphs[-1].text == sentence
    assert {*match.paragraphs[-1].rules} == {"two melds", "three melds"}
    firsts = table(meld__rules=["a set first", "a run first"])
    assert "both say what first melds must be: both must allow it." in said(firsts)


def test_three_rules_go_together_too() -> None:
    named("five melds", "meld", most_melds=always(5))
    ours = table(meld__rules=["two melds", "five melds"], match__rules=["three melds"])
    assert "'two melds', 'five melds' and 'three melds' all say how" in said(ours)


# ----------------------------------------------------------------------------- needs


def test_a_rule_that_lacks_what_it_needs_is_not_in_force() -> None:
    ours = table(draw__rules=["no pile"])
    needed = 'it needs draw.take = "the top card" or "the whole pile"'
    other = needed.replace('"the top card" or "the whole pile"', '"the whole pile" or')
    (notice,) = ours.notices
    assert notice.startswith("the rule 'no pile' changes nothing: it needs draw.take")
    assert "takes" not in ours.asked
    assert ours.value("draw.duty") == table().value("draw.duty")
    assert "At this table" not in said(ours)
    notes = " ".join(ours.describe().split())
    assert f"rules of draw: no pile, which changes nothing: {needed}." in notes or (
        other in notes
    )
    fits = table(draw__rules=["no pile"], draw__take="the top card")
    assert not fits.notices
    assert "takes" in fits.asked
    assert fits.value("draw.duty") == "none"
    assert "At this table: No pile." in said(fits)


def test_an_option_whose_place_a_rule_takes_changes_nothing() -> None:
    ours, why = table(draw__rules=["two drawn"]), "'two drawn' takes its place"
    (notice,) = ours.with_options("CAV-03").notices
    assert notice == f"CAV-03 changes nothing: {why}"
    assert {fit.option.id: fit.why for fit in rv.rules.options_for(ours)}[
        "CAV-03"
    ] == why


@pytest.mark.parametrize(
    ("rule", "values", "notice"),
    [
        ("needs a limit", {}, 'it needs meld.a_turn other than "any number"'),
        ("needs a limit", {"meld__a_turn": 2}, ""),
        (
            "needs any wild",
            {"wild__jokers": False},
            "it needs wild.jokers = true or wild.twos = true",
        ),
        ("needs any wild", {"wild__jokers": False, "wild__twos": True}, ""),
        (
            "needs any wild",
            {"match__players": [2, 4]},
            "it needs match.players = [2, 8]",
        ),
    ],
)
def test_what_a_rule_needs_is_named(
    rule: str, values: dict[str, Any], notice: str
) -> None:
    ours = table(score__rules=[rule], **values)
    whole = f"the rule {rule!r} changes nothing: {notice}"
    assert ours.notices == ((whole,) if notice else ())


def test_what_a_rule_of_a_file_needs_is_a_notice(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(
        'extends = "rummy-500"\n[score]\nrules = ["needs a limit"]\n', encoding="utf-8"
    )
    (notice,) = rv.load_rules(file).notices
    assert notice == (
        "table.toml, line 3: the rule 'needs a limit' changes nothing: it needs "
        'meld.a_turn other than "any number"'
    )


def test_the_examples_declare_what_they_replace() -> None:
    files = (EXAMPLES / "rules").glob("*.py")
    texts = [one.read_text(encoding="utf-8") for one in files]
    assert sum("    replaces = (" in text for text in texts) > 8
    assert sum("    needs = {" in text for text in texts) > 5
