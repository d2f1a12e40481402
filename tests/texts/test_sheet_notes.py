"""
What a rule sheet says to players holds for the game in hand, in words for players.
"""

from __future__ import annotations

import contextlib
import functools
import re

from typing import Any

import attrs
import pytest

from hypothesis import given
from hypothesis import strategies as st

import rummyvariants as rv

from amounts import every_third
from rummyvariants._support.packaged import packaged_table
from rummyvariants.house import rules as house
from rummyvariants.rules._rows import rows_of
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rules.sheet import Section, sheet
from rummyvariants.rules.sheet.forms import notes


@attrs.frozen
class Page:
    """
    A sheet as players read it.
    """

    rules: Ruleset
    sections: tuple[Section, ...]
    readings: dict[str, str]

    @property
    def lines(self) -> list[str]:
        """
        Everything in sentences or tables: no headings, ids, sources.
        """
        paragraphs = [one for section in self.sections for one in section.paragraphs]
        rows = [f"{row.label}: {row.value}" for one in paragraphs for row in one.rows]
        return [*[one.text for one in paragraphs], *rows, *self.readings.values()]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def stated(self) -> set[str]:
        return {
            path
            for section in self.sections
            for one in section.paragraphs
            for path in one.values
        }

    @property
    def titles(self) -> list[str]:
        return [section.title for section in self.sections]


def page(rules: Ruleset) -> Page:
    sections = sheet(rules)
    return Page(rules, sections, dict(notes(rules, sections).readings))


def of(name: str, *options: str, **values: Any) -> Page:
    rules = rv.preset(name).with_options(*options)
    return page(
        rules.with_values({k.replace("_", ".", 1): v for k, v in values.items()})
    )


COMBINED: tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...] = (
    ("rummy-500", ("R5V-47", "BAS-15"), {}),
    ("rummy-5000", ("PGV-C4b", "PGV-D5a"), {}),
    ("basic-rummy", ("R5V-12",), {"layoff.single_wilds": True}),
    ("rummy-500", ("PGV-C7b=*:50", "R5V-04"), {}),
    ("gin-rummy", ("BAS-08a",), {"stock.dead": 0}),
    ("rummy-500", ("OKV-02", "R5V-47"), {}),
)
"""Games that take more than one option, or values, for something to come up."""


@functools.cache
def pages(name: str) -> tuple[Page, ...]:
    """
    A preset, the preset with each option that it goes with, and what is combined.
    """
    found = [page(rv.preset(name))]
    for option in rv.options().values():
        needs_value = option.argument and option.default is None
        chosen = f"{option.id}=1234" if needs_value else option.id
        try:
            found.append(page(rv.preset(name).with_options(chosen)))
        except rv.errors.RulesError:
            continue
    for base, options, values in COMBINED:
        if base == name:
            found.append(
                page(rv.preset(base).with_options(*options).with_values(values))
            )
    return tuple(found)


# --------------------------------------------------------------------------- notes


RAW: dict[str, list[dict[str, Any]]] = {
    entry["id"]: entry["notes"]
    for entry in packaged_table("data", "catalogue.toml")["rule"]
    if "notes" in entry
}
"""The notes of the catalogue as the file has them."""


def on_the_sheet(one: Page, fact: str) -> bool:
    """
    What the sheet itself says about a fact that notes ask for.
    """
    return {
        "wilds": "No cards are wild" not in one.text,
        "wild_selves": "may be played as itself" in one.text,
        "face_up_wild": "wild card face up in front of the dealer" in one.text,
        "low_aces_count": "Low ace in a run:" in one.text,
    }[fact]


def in_force(one: Page, rule: str, note: dict[str, Any]) -> bool:
    """
    Whether a note belongs on a sheet.
    """
    values = one.rules.values()
    for name, wanted in {**note["about"], **note.get("when", {})}.items():
        found = values[name] if "." in name else on_the_sheet(one, name)
        if found not in (wanted if isinstance(wanted, list) else [wanted]):
            return False
    return any(
        path in one.stated and one.rules.rule_of(path) == rule for path in note["about"]
    )


def check_notes(one: Page) -> None:
    wanted = {
        rule: " ".join(note["text"] for note in found if in_force(one, rule, note))
        for rule, found in RAW.items()
    }
    assert one.readings == {rule: text for rule, text in wanted.items() if text}


@pytest.mark.parametrize("name", every_third(rv.presets()))
def test_a_note_is_printed_exactly_where_it_is_in_force(name: str) -> None:
    for one in pages(name):
        check_notes(one)


@pytest.mark.long
def test_every_note_is_printed_somewhere() -> None:
    printed = {
        (rule, text)
        for name in rv.presets()
        for one in pages(name)
        for rule, text in one.readings.items()
    }
    for rule, found in RAW.items():
        for note in found:
            assert any(
                rule == cited and note["text"] in text for cited, text in printed
            ), note


def test_notes_ask_for_what_there_is() -> None:
    values = rv.preset("rummy-500").values()
    known = {*rows_of("words")[0]}
    for found in RAW.values():
        for note in found:
            assert {*note} <= {"text", "about", "when"}
            assert note["about"]
            assert all(path in values for path in note["about"])
            for name in note.get("when", {}):
                assert name in (values if "." in name else known)


@pytest.mark.parametrize(
    ("name", "options", "rule"),
    [
        ("rummy-500-pagat", (), "BN-14"),
        ("rummy-500-pagat", (), "BN-16"),
        ("rummy-500-pagat", (), "BN-18"),
        ("persian-rummy", (), "BN-09"),
        ("george", (), "PG-10"),
        ("2500-house", (), "PG-18"),
        ("2500-house", (), "PG-19"),
        ("rummy-500", ("BNV-02",), "BN-18"),
        ("rummy-500", ("BNV-03",), "BN-14"),
        ("rummy-500", ("R5V-39",), "BN-16"),
    ],
)
def test_a_rule_that_is_overruled_has_no_note(
    name: str, options: tuple[str, ...], rule: str
) -> None:
    assert rule not in of(name, *options).readings


@pytest.mark.parametrize("rule", ["BN-14", "BN-16", "BN-18"])
def test_a_rule_that_is_in_force_has_its_note(rule: str) -> None:
    assert rule in of("rummy-500").readings


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("rummy-500-pagat", "win jointly"),
        ("rummy-500-pagat", "does not forbid throwing back"),
        ("rummy-500-pagat", "last card of the stock"),
        ("persian-rummy", "limit"),
        ("persian-rummy", "never counts twice"),
        ("persian-rummy", "both get the 50"),
        ("george", "any number of wild"),
        ("2500-house", "float"),
    ],
)
def test_nothing_is_said_of_rules_that_do_not_hold(name: str, words: str) -> None:
    assert words not in of(name).text


# ---------------------------------------------------------------- words for players


NO_WORDS = re.compile(
    r"meld 0|PGV-|\brefus|\bcites?\b|\bnotation\b|\blibrary\b|\bprogram\b|\boption\b"
    r"|\bpreset\b|\bdefault\b|\bpolicy\b|\bseats?\b|\bsame face\b|\bparted\b|[`_]"
)


IDS = re.compile("|".join(rf"\b{re.escape(one)}\b" for one in rv.rules.catalogue()))


def check_words(one: Page) -> None:
    for line in one.lines:
        assert not NO_WORDS.search(line), line
        assert not IDS.search(line), line


@pytest.mark.parametrize("name", every_third(rv.presets()))
def test_what_players_read_is_no_library_talk(name: str) -> None:
    for one in pages(name):
        check_words(one)


def check_twins(one: Page) -> None:
    low, high = one.rules.match.players
    decks = [one.rules.deck.cards_for(count) for count in range(low, high + 1)]
    alike = {code for deck in decks for code in deck if deck.count(code) > 1}
    if not alike - {rv.Card("*").code}:
        assert not re.search(r"identical|quite alike|another of", one.text)
    if not alike:
        assert "for another" not in one.text
        assert "all jokers count as one card" not in one.text


@pytest.mark.parametrize("name", every_third(rv.presets()))
def test_only_with_twins_there_is_word_of_them(name: str) -> None:
    for one in pages(name):
        check_twins(one)


def check_matter(one: Page) -> None:
    if one.rules.score.down != "add":
        assert "low ace in a run" not in one.text.lower()
        assert "is not a low one" not in one.text
    if one.rules.meld.concealed:
        assert "Calling rummy" not in one.titles
        assert "need not be used" not in one.text
        assert "went out" not in one.text
    if one.rules.out.knock == 0:
        assert "Laying off" not in one.titles
        assert not re.search(r"scores the difference|undercut|knocks|knocker", one.text)


@pytest.mark.parametrize("name", every_third(rv.presets()))
def test_nothing_is_said_that_cannot_come_up(name: str) -> None:
    for one in pages(name):
        check_matter(one)


@given(
    st.sampled_from(rv.presets()),
    st.lists(st.sampled_from([*rv.options()]), max_size=8, unique=True),
)
def test_any_options_together_leave_a_sheet_for_players(
    name: str, chosen: list[str]
) -> None:
    rules = rv.preset(name)
    for one in chosen:
        with contextlib.suppress(rv.errors.RulesError):
            rules = rules.with_options(one)
    found = page(rules)
    check_notes(found)
    check_words(found)
    check_twins(found)
    check_matter(found)


@pytest.mark.parametrize("name", every_third(rv.presets()))
def test_no_word_of_a_deal_that_does_not_suffice_where_it_always_does(
    name: str,
) -> None:
    for one in pages(name):
        if "not enough cards" in one.text or any(
            rule.piles for _, rule in one.rules.house
        ):
            continue  # of what a rule lays aside in the deal the sentence knows nothing
        low, high = one.rules.match.players
        for count in range(low, high + 1):
            if one.rules.match.makes_sides(count):
                names = [f"P{at}" for at in range(count)]
                state = rv.new_game(one.rules, names, seed=count)
                assert not state.match.thrown_in


# ------------------------------------------------------------- the smallest examples


def test_straight_gin_has_no_lay_offs_and_no_difference() -> None:
    one = of("straight-gin")
    assert one.titles == [
        "Players and aim",
        "The deck",
        "The deal",
        "Wild cards",
        "Melds",
        "Drawing",
        "Discarding",
        "Going gin",
        "When nobody goes gin",
        "Scoring",
        "The match",
    ]
    assert "the other player's unmatched cards" in one.text


def test_an_upcard_that_allows_no_point_allows_gin_only() -> None:
    assert "an ace gin only" in of("gin-rummy", "GRV-05b").text
    assert "an ace 1:" not in of("gin-rummy", "GRV-05b").text
    assert "an ace 1." in of("gin-rummy", "GRV-05a").text


@pytest.mark.parametrize("name", ["basic-rummy", "gin-rummy"])
def test_one_pack_has_no_other_card_of_the_same_face(name: str) -> None:
    assert (
        "A player who took the top discard may not discard that card in the same turn."
        in of(name).text
    )
    assert "in the same turn, or an identical one." in of(name, "PGV-C5").text


def test_basic_rummy_has_no_worth_of_a_low_ace() -> None:
    assert "low ace in a run" not in of("basic-rummy").text.lower()
    assert "low ace in a run" in of("rummy-5000").text.lower()
    assert "low ace in a run" not in of("rummy-500", "BAS-09").text.lower()


def test_a_hand_that_nobody_ends_counts_in_gin_as_an_option_says() -> None:
    """
    Where an option lets the hands of a dead round count, the sheet of gin says so.
    """
    assert "If nobody knocks, nobody scores." in of("gin-rummy").text
    for option in ("BAS-07", "BAS-13"):
        text = of("gin-rummy", option).text
        assert "nobody scores" not in text
        assert "If nobody knocked, the " in text


def test_a_stock_with_dead_cards_is_never_made_anew() -> None:
    assert "to be the new stock" not in of("gin-rummy", "BAS-08a").text
    text = of("gin-rummy", "BAS-08a", stock_dead=0).text
    assert "to be the new stock" in text
    assert "The pile is not turned over again in the same round." in text


def test_a_floating_player_has_to_play_a_card_that_can_be_played() -> None:
    assert (
        "If the card drawn can be played, it must be"
        in of("basic-rummy", "BAS-05").text
    )


@pytest.mark.parametrize(("size", "noted"), [(13, False), (14, True)])
def test_a_deal_that_can_fall_short_is_spoken_of(size: int, *, noted: bool) -> None:
    one = of("rummy-500", deal_hand_size={2: 7, 8: size})
    assert ("not enough cards" in one.text) is noted


def test_a_joker_has_one_row_and_one_worth() -> None:
    rows = [one for one in of("rummy-500", "R5V-03").lines if one.startswith("Joker:")]
    assert rows == ["Joker: 20"]


def test_a_card_that_is_never_wild_is_not_said_to_be_wild_or_not() -> None:
    assert "Queen of spades: 45" in of("rummy-500", "PGV-C7b").lines
    assert "Queen of spades, wild or not: 45" in of("rummy-5000", "PGV-C7b").lines


def test_who_wins_only_by_going_out_is_said_at_once() -> None:
    text = of("rummy-500", "R5V-44").text
    assert "a player who goes out and then has 500 points or more" in text
    assert "the match is over" not in text
    assert "win together" not in text


# -------------------------------------------------------------- beside house rules


@pytest.mark.parametrize(
    ("said", "no_more", "instead"),
    [
        (
            {"refills": lambda *_: ()},
            "is out when no card is left in the hand,",
            "is out when no card is left in a hand that is not filled again,",
        ),
        (
            {"must_go_out": lambda *_: False},
            "has to be used. Melds lie",
            "has to be used or the player has to go out. Melds lie",
        ),
        (
            {"worth": lambda *_: 5},
            "whatever it stands for. ",
            "whatever it stands for, unless a rule of this table says otherwise.",
        ),
        (
            {"kinds": (rv.house.Kind("royal", lambda *_: True),)},
            "one rank, or a run,",
            "in unbroken order, or, by a rule of this table, a royal.",
        ),
    ],
)
def test_general_sentences_heed_house_rules(
    said: dict[str, Any], no_more: str, instead: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "_RULES", {})
    cls = attrs.frozen(
        type("ARule", (rv.house.HouseRule,), {"__doc__": "So it is.", **said})
    )
    rv.house.register_rule("out", "a rule")(cls)
    plain = rv.preset("rummy-500")
    before, after = [
        " ".join(
            text
            for section in sheet(one)
            for text in [p.text for p in section.paragraphs]
        )
        for one in (plain, plain.with_values({"out.rules": ["a rule"]}))
    ]
    assert no_more in before
    assert no_more not in after
    assert instead in after
    assert instead not in before
