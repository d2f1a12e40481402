"""Rules and options by their names: one way to find them, wherever one is taken."""

from __future__ import annotations

import pickle

from collections.abc import Callable

import pytest

import rummyvariants as rv


EVERY = [*rv.rules.catalogue().values()]


def test_every_entry_has_a_name_of_its_own() -> None:
    names = {one.name for one in EVERY}
    assert len(names) == len(EVERY)
    ids = {one.id.casefold() for one in EVERY}
    assert not names & ids
    assert rv.rule("PGV-P4").name == "trading-the-real-card-for-a-wild"


@pytest.mark.parametrize("one", EVERY, ids=[one.id for one in EVERY])
def test_a_rule_is_found_by_its_id_its_name_and_its_title_in_any_case(
    one: rv.rules.Rule,
) -> None:
    for text in (one.id, one.name, one.title, f" {one.title} "):
        for written in (text, text.upper(), text.lower()):
            assert rv.rule(written) is one
            if one.kind == "option":
                assert rv.options()[written].id == one.id


ONE_OPTION = {
    "trade the real card": "PGV-P4",
    "trading the real cards": "PGV-P4",
    "another target score=1000": "PGV-E5=1000",
    "Another-Target-Score = 1000": "PGV-E5=1000",
    "pgv-e5=1000": "PGV-E5=1000",
    "calling rummy on no card": "",
    "no calling of rummy": "PGV-P10",
    "calling of rummy": "",
    "without a discard": "PGV-E1",
}


@pytest.mark.parametrize("text", ONE_OPTION)
def test_an_option_that_is_named_is_kept_by_its_id(text: str) -> None:
    rules = rv.preset("rummy-5000")
    if not ONE_OPTION[text]:
        with pytest.raises(rv.errors.RulesError, match=r"\[PGV-P10\]"):
            rules.with_options(text)
        return
    named = rules.with_options(text)
    assert named.options == (ONE_OPTION[text],)
    assert named is rules.with_options(ONE_OPTION[text])
    assert named.without(text) is rules
    assert named.without(text.partition("=")[0]) is rules
    read = rv.rules.read_rules({"extends": "rummy-5000", "with": [text]})
    assert read.options == (ONE_OPTION[text],)


WRONG: dict[str, tuple[Callable[[], object], list[str]]] = {
    "several options": (
        lambda: rv.preset("gin-rummy").with_options("the winner deals"),
        [
            "options are called 'the winner deals': ",
            "[GRV-08] and ",
            "[R5V-16]",
        ],
    ),
    "many options": (
        lambda: rv.options()["jokers"],
        ["several options are called 'jokers': ", " and 11 more"],
    ),
    "several rules": (
        lambda: rv.rule("ace high or low in"),
        ["several rules are called", "in runs [BN-07], ", "in runs [PG-09], "],
    ),
    "the opposite": (
        lambda: rv.options()["undercut"],
        ["no option 'undercut'; the nearest is Equal hands are no undercut [GRV-02]"],
    ),
    "a slip": (
        lambda: rv.rule("undrecut"),
        ["no rule 'undrecut'; the nearest are The undercut [GR-10] and "],
    ),
    "a slip in an id": (lambda: rv.rule("PGV-P44"), ["did you mean 'PGV-P4'?"]),
    "a rule": (
        lambda: rv.preset("rummy-500").with_options("big gin for me", "buying"),
        ["'buying' [CON-13] is a rule of contract-rummy, not an option"],
    ),
    "an option not played": (
        lambda: rv.preset("rummy-500").with_options("the 21-card game"),
        ["[INV-16] is not played here; `rummyvariants explain INV-16` says why"],
    ),
    "nothing": (lambda: rv.rule(""), ["`rummyvariants explain WORD` searches them"]),
    "small words": (lambda: rv.options()["of the"], ["no option 'of the'"]),
    "no text": (lambda: rv.options()[4], ["no option 4"]),
    "to take out": (
        lambda: rv.preset("rummy-500").without("xqzxq"),
        ["`rummyvariants options` lists them"],
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_ambiguous_or_unknown_is_an_error_with_the_nearest(case: str) -> None:
    attempt, said = WRONG[case]
    with pytest.raises(rv.errors.RulesError) as caught:
        attempt()
    for words in said:
        assert words in str(caught.value)
    assert max(map(len, str(caught.value).splitlines())) < 250


def test_every_unknown_name_is_a_problem_of_its_own() -> None:
    unknown = ["xqzxq", "jokers", "undercutt", *(f"xq{at}" for at in range(30))]
    with pytest.raises(rv.errors.RulesError) as caught:
        rv.preset("rummy-500").with_options(*unknown)
    assert len(caught.value.problems) == len(unknown)


def test_options_are_a_mapping_of_their_ids() -> None:
    found = rv.options()
    assert [*found] == [one.id for one in EVERY if one.kind == "option"]
    assert "PGV-P4" in found
    assert "deuces wild" not in found
    assert found.get("deuces wild") is None
    with pytest.raises(KeyError):
        found["xqzxq"]
    again = pickle.loads(pickle.dumps(found))  # noqa: S301 -- ours
    assert dict(again) == dict(found)


def test_an_option_prints_its_name_and_its_id() -> None:
    lines = repr(rv.options()).splitlines()
    assert len(lines) == len(rv.options())
    assert "Deuces wild [R5V-12]" in lines
    assert "Another target score [PGV-E5], which takes the points" in repr(rv.options())
