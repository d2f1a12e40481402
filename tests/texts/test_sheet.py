"""
The rule sheet says what the rules in force are, all of it, and in every form.
"""

from __future__ import annotations

import functools
import itertools
import re

from contextlib import suppress
from html.parser import HTMLParser
from typing import Any, ClassVar

import attrs
import pytest

from hypothesis import given
from hypothesis import strategies as st

import rummyvariants as rv

from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rules._variants import SECTIONS
from rummyvariants.rules.sheet import Paragraph, rule_sheet, sheet
from rummyvariants.rules.sheet.forms import cited_rules


Values = dict[str, Any]


def paragraphs(rules: Ruleset) -> list[Paragraph]:
    return [one for section in sheet(rules) for one in section.paragraphs]


def sentences(rules: Ruleset) -> list[str]:
    """
    What a sheet says, however it is cut into paragraphs and whatever it cites.
    """
    lines = []
    for section in sheet(rules):
        lines.append(
            f"{section.title}: " + " ".join(p.text for p in section.paragraphs)
        )
        lines += [
            f"{row.label}: {row.value}" for p in section.paragraphs for row in p.rows
        ]
    return lines


def prose(rules: Ruleset) -> str:
    return "\n".join(sentences(rules))


# ------------------------------------------------------------------- policy values


R5, R500, BASIC, GIN = "rummy-5000", "rummy-500", "basic-rummy", "gin-rummy"
THR = "three-thirteen"
CON = "contract-rummy"
IND = "indian-rummy"
ROUNDS: Values = {"wild.indicator": "by round"}
PILE: Values = {"call.calls": "pile", "call.melds": True}
CANASTA = "canasta"
CASES: dict[str, tuple[str, Values, list[Any]]] = {
    "deal.laid_aside": (CANASTA, {}, [[], ["3d"], ["3d", "3h"]]),
    "deal.turned_again": (CANASTA, {}, [[], ["3c"], ["3c", "3s"]]),
    "meld.minimum": (CANASTA, {}, [{}, {0: 30}, {0: 50, 500: 90}]),
    "meld.set_ranks": (CANASTA, {}, ["A23456789TJQK", "A3456789TJQK", "A456789TJQK"]),
    "meld.natural_ranks": (CANASTA, {}, ["", "3", "34"]),
    "meld.last_ranks": (CANASTA, {}, ["", "3", "34"]),
    "draw.from_stock": (CANASTA, {}, [{}, 2, {2: 2, 3: 1}]),
    "draw.frozen": (CANASTA, {}, ["never", "by a wild card", "always"]),
    "draw.blocked": (CANASTA, {}, [[], ["3c"], ["3c", "3s"]]),
    "out.canasta": (CANASTA, {}, [0, 6, 7]),
    "out.canastas": (CANASTA, {}, [{}, 1, {2: 2, 3: 1}]),
    "out.cards_melded": ("conquian", {}, [0, 10, 11]),
    "score.laid_aside": (CANASTA, {}, [0, 50, 100]),
    "score.all_laid_aside": (CANASTA, {}, [0, 600, 800]),
    "score.natural_canasta": (CANASTA, {}, [0, 400, 500]),
    "score.mixed_canasta": (CANASTA, {}, [0, 200, 300]),
    "score.concealed": (CANASTA, {}, [0, 100, 200]),
    "deck.packs": (R500, {}, [1, 2, {2: 1, 4: 2}]),
    "deck.least_packs": (R500, {}, [1, 2, 3]),
    "deck.ranks": (R500, {}, ["A23456789TJQK", "A3456789TJQK", "2345", "A2346789TJQK"]),
    "deck.suits": (R500, {}, ["cdhs", "cd", "hs"]),
    "deck.jokers": (R500, {}, [0, 1, 2]),
    "deck.jokers_in_all": (R500, {}, ["by pack", 0, 1, 3]),
    "deck.most_jokers": (R500, {"deck.packs": 2}, ["any number", 3, 1, 0]),
    "deal.method": (R5, {}, ["fixed", "upcard"]),
    "deal.hand_size": (R500, {}, [7, {2: 10, 3: 7}, {2: 13, 3: 7, 5: 6}]),
    "deal.by_round": (R500, {}, [{}, {1: 3, 2: 5}, {1: 3, 2: 4, 3: 5, 4: 6}]),
    "deal.for_two": (R500, {}, ["as others", 7, 13]),
    "deal.upcard_counts": (R5, {}, [{"A": 11}, {"A": 15}, {"7": 8}]),
    "deal.put_back_ranks": (R5, {}, ["", "2", "23"]),
    "deal.wild_upcard": (R5, {"wild.tens": True}, ["bury", 15, 20]),
    "deal.two_upcard": (R5, {"wild.twos": True}, ["as wild", "choose", 15]),
    "wild.cards": (R500, {}, [[], ["Ac"], ["Ac", "Ad"], ["5h", "9d", "Ks"]]),
    "wild.indicator": (
        R500,
        {},
        [
            "none",
            "upcard",
            "last card",
            "extra card",
            "separate",
            "by round",
            "hand size",
        ],
    ),
    "wild.indicator_is_wild": (
        R5,
        {"wild.tens": True},
        ["bury", "more cards", "aces", "no rank"],
    ),
    "wild.indicator_turned": (IND, {}, ["before the upcard", "after the upcard"]),
    "score.above": (IND, {"wild.above": True}, [{}, {1: 10}, {1: 10, 2: 25}]),
    "wild.by_naturals": (R500, {}, [{}, {2: 1}, {2: 1, 3: 2}]),
    "wild.in_runs": (R500, {}, ["any number", 0, 1, 2]),
    "wild.between": (R500, {}, [0, 1, 3]),
    "wild.own_place": (R5, {"wild.limit": "one"}, ["wild", "natural"]),
    "wild.swap_in": (R500, {"wild.real_card": "swap"}, ["any meld", "runs"]),
    "wild.swap_for": (
        R500,
        {"wild.real_card": "swap", "wild.twos": True},
        ["any wild", "jokers"],
    ),
    "wild.swapped": (
        R500,
        {"wild.real_card": "swap"},
        ["kept", "used at once", "moved to an end"],
    ),
    "meld.least_set": (R500, {}, [2, 3, 4]),
    "meld.least_run": (R500, {}, [2, 3, 4]),
    "meld.alike": (IND, {"deck.packs": 3}, [False, True]),
    "meld.a_turn": (R500, {}, ["any number", 1, 2]),
    "meld.contracts": (R500, {}, [[], ["set 3, run 4"], ["run 3", "set 3, set 3"]]),
    "meld.last_contract": (
        CON,
        {},
        ["like the others", "the whole hand", "all but a discard"],
    ),
    "draw.take": (
        R500,
        {},
        ["any number", "up to the top card's number", "the top card", "the whole pile"],
    ),
    "draw.wilds": (IND, {}, ["free", "only the first upcard"]),
    "draw.duty": (
        R500,
        {},
        [
            "none",
            "deepest of several",
            "deepest",
            "top",
            "natural set of the top card",
        ],
    ),
    "draw.stock_card": (
        R500,
        {},
        ["free", "play or discard", "play or discard at once"],
    ),
    "call.calls": (R500, {}, ["none", "discard", "pile"]),
    "call.takes": (R500, {}, ["those cards", "down to the deepest"]),
    "call.buy_price": (CON, {}, [0, 1, 2]),
    "call.buys": (CON, {}, [{}, 1, {1: 3, 5: 4}]),
    "discard.keep": (R500, {}, [[], ["Qs"], ["Qs", "2c"]]),
    "out.last_discard": (R500, {}, ["any card", "unplayable"]),
    "out.runs": (IND, {"out.pure_runs": 0}, [0, 1, 2]),
    "out.pure_runs": (IND, {}, [0, 1, 2]),
    "out.long_run": (IND, {}, [0, 4, 5]),
    "score.dealt_hand": (IND, {"out.dealt_hand": True}, ["as any other", "double"]),
    "out.wrong_declaration": (IND, {}, ["refused", 80, 40]),
    "out.first_drop": (R500, {}, ["never", 20, 30]),
    "out.later_drop": (R500, {}, ["never", 20, 30]),
    "out.dropped_hand": (R500, {"out.first_drop": 20}, ["aside", "under the stock"]),
    "stock.when_empty": (
        GIN,
        {"stock.dead": 0},
        [
            "until nobody takes",
            "after the turn",
            "turn over",
            "a knock with the last discard",
        ],
    ),
    "stock.times": (BASIC, {}, ["any number", 1, 2]),
    "stock.idle_rounds": (R500, {}, [1, 2, 3]),
    "score.points": (R500, {}, [{"K": 10}, {"K": 13}, {"2": 5}]),
    "score.low_ace": (R500, {}, ["as any ace", 1, 5]),
    "score.wild": (R5, {}, [15, 20, "as the card"]),
    "score.wild_ace": (R5, {}, [100, 200, "as the card"]),
    "score.special": (R500, {}, [{}, {"Qs": 45}, {"Qs": 45, "Jd": 20}]),
    "score.in_hand": (R500, {}, [{}, {"Qs": 100}, {"Qs": 90, "Jd": 20}]),
    "score.counted": (THR, {}, ["unmatched cards", "all cards"]),
    "score.rounded_to": (R500, {}, [1, 5, 10]),
    "score.most_in_hand": (R500, {}, ["any number", 80, 40]),
    "score.natural_rummy": (R500, {"score.rummy": 10}, ["as any rummy", 10, 20]),
    "score.rummy": (R500, {}, ["nothing", "double", 10]),
    "score.out_bonus": (R500, {}, [0, 25, 200]),
    "match.players": (R500, {}, [[2, 8], [3, 8], [2, 2], [1, 1]]),
    "match.target": (R500, {}, [500, 501]),
    "match.ends": (
        R500,
        {**ROUNDS, "match.rounds": 3},
        ["at the target", "after the kings", "after the rounds", "when one is left"],
    ),
    "call.penalty": (R500, {}, ["none", "two cards", "the whole pile"]),
    "match.eliminated_at": (R500, {"match.winner": "lowest"}, ["never", 101, 201]),
    "match.rejoin": (
        R500,
        {"match.winner": "lowest", "match.eliminated_at": 101},
        ["never", 79, 174],
    ),
    "score.four_aces": (R500, {}, ["as any aces", 25, 20]),
    "match.rounds": (R500, {}, ["any number", 1, 5]),
    "out.knock": (GIN, {}, [10, 5, 0, "the upcard", "any number", "never"]),
    "out.knock_counts": (
        GIN,
        {"out.knock": "the upcard"},
        [{"A": 1}, {"A": 0}, {"K": 13}],
    ),
    "out.declare": (
        THR,
        {},
        ["with or without a discard", "with a discard", "never"],
    ),
    "stock.dead": (GIN, {}, [2, 0, 1]),
    "score.gin_bonus": (GIN, {}, [25, 20, 0]),
    "score.big_gin_bonus": (GIN, {}, [31, 50, 0]),
    "score.undercut_bonus": (GIN, {}, [25, 10, 0]),
    "score.exact_cut": (CON, {}, [0, 25, 50]),
    "score.spade_upcard": (GIN, {"out.knock": "the upcard"}, [False, True]),
    "match.box_bonus": (R500, {}, [0, 25, 20]),
    "match.columns": (GIN, {}, [1, 2, 3]),
    "match.game_bonus": (R500, {}, [0, 100]),
    "match.shutout": (R500, {}, [0, 100, "double"]),
}
"""For a policy value: a game in which it matters, and what it can be there.

For one that is true or false, or one of a few words, `case_of` finds the game.
"""
PATHS = [path for path in rv.preset(R5).values() if not path.endswith(".rules")]


OPENLY: Values = {"score.hands": "nothing"}
DECLARED: Values = {"score.hands": "nothing", "out.knock": "never"}
TOGETHER: dict[tuple[str, Any], Values] = {
    ("meld.shown", "in turn"): {**OPENLY, "out.knock": "never"},
    ("meld.shown", "at the declaration"): {**DECLARED, "out.declare": "with a discard"},
    ("out.declare", "never"): {"meld.shown": "in turn"},
    ("match.ends", "when one is left"): {
        "match.winner": "lowest",
        "match.eliminated_at": 101,
    },
    ("out.knock", "never"): {**OPENLY, "meld.shown": "in turn"},
}
"""What has to change as well with a value."""


def with_value(rules: Ruleset, path: str, one: Any, set_by: str = "here") -> Ruleset:
    more = TOGETHER.get((path, one), {}) if isinstance(one, str) else {}
    return rules.with_values({path: one, **more}, set_by)


def taken_by(path: str) -> str:
    section, _, name = path.partition(".")
    takes: str = SECTIONS[section].values()[name].metadata["takes"]
    return takes


def words_of(path: str) -> list[str]:
    found = re.findall(r"""'([^']*)'|"([^"]*)\"""", taken_by(path))
    return [one or other for one, other in found]


def sheets(rules: Ruleset, path: str, choices: list[Any]) -> set[str]:
    """
    The sheets with each choice; fewer where one cannot be.
    """
    with suppress(rv.errors.RulesError):
        return {prose(with_value(rules, path, one)) for one in choices}
    return set()


@functools.cache
@functools.cache
def case_of(path: str) -> tuple[str, Values, list[Any]]:
    """
    A game in which a policy value matters, what else is set there, and what it can be.
    """
    if path in CASES:
        return CASES[path]
    flag = taken_by(path) == "true or false"
    choices: list[Any] = [False, True] if flag else words_of(path)
    for name in (R500, CON, GIN, IND, CANASTA, *rv.presets()):
        if len(sheets(rv.preset(name), path, choices)) == len(choices) > 0:
            return name, {}, choices
    pytest.fail(f"the sheet of no game says all of {path}: if one can, enter it above")


@pytest.mark.parametrize("path", PATHS)
def test_another_value_makes_another_sheet(path: str) -> None:
    name, others, choices = case_of(path)
    rules = rv.preset(name).with_values(others)
    assert len(sheets(rules, path, choices)) == len(choices)


@pytest.mark.parametrize("path", CASES)
def test_all_words_of_a_choice_are_tried(path: str) -> None:
    if not taken_by(path).startswith(("ranks", "letters")):
        assert {*words_of(path)} <= {*map(str, CASES[path][2])}


@pytest.mark.parametrize("path", PATHS)
def test_one_choice_at_most_goes_without_saying(path: str) -> None:
    name, others, choices = case_of(path)
    rules = rv.preset(name).with_values(others)
    silent = []
    for one in choices:
        changed = with_value(rules, path, one, "our table")
        saying = [
            paragraph
            for paragraph in paragraphs(changed)
            if any(f"{value}.".startswith(f"{path}.") for value in paragraph.values)
        ]
        if not saying:
            silent.append(one)
        elif changed.value(path) != rules.value(path):
            assert any("our table" in paragraph.set_by for paragraph in saying)
    assert len(silent) <= 1


def test_no_two_games_have_one_sheet() -> None:
    sheets = {name: prose(rv.preset(name)) for name in rv.presets()}
    for one, other in itertools.combinations(sheets, 2):
        alike = rv.preset(one) == rv.preset(other)
        assert (sheets[one] == sheets[other]) == alike, f"{one} and {other}"


def is_table(path: str) -> bool:
    return taken_by(path).startswith("numbers by")


@pytest.mark.parametrize(
    ("one", "other"), [*itertools.pairwise([*rv.presets(), *rv.presets()[:1]])]
)
def test_the_values_make_the_sheet_and_not_the_name(one: str, other: str) -> None:
    theirs = rv.preset(other)
    changes = {
        path: dict(value) if is_table(path) else value
        for path, value in theirs.values().items()
    }
    same = attrs.evolve(rv.preset(one), name="anything", title="At all")
    try:
        made = same.with_values(changes)
    except rv.errors.RulesError as error:
        # Rules of both games are in force then, and may contradict each other.
        assert "one answer decides" in str(error)
    else:
        assert prose(made) == prose(theirs)


# ------------------------------------------------------------------------- options


COMPANIONS = (
    (),
    ("PGV-C4b",),
    ("PGV-C2a",),
    ("PGV-P2a",),
    ("PGV-E4a",),
    ("GRV-05a",),
)
"""What may have to be on for an option to have something to do."""


def as_text(option_id: str) -> str:
    option = rv.options()[option_id]
    needs_value = option.argument and option.default is None
    return f"{option_id}=1234" if needs_value else option_id


def contexts(option_id: str) -> list[tuple[Ruleset, Ruleset]]:
    """
    Games without and with an option, as far as it can be put on them.
    """
    found = []
    for name, others in itertools.product(rv.presets(), COMPANIONS):
        try:
            before = rv.preset(name).with_options(*others)
            found.append((before, before.with_options(as_text(option_id))))
        except rv.errors.RulesError:
            continue
    return found


@pytest.mark.long
@pytest.mark.parametrize("option_id", rv.options())
def test_an_option_changes_the_sheet_or_no_value(option_id: str) -> None:
    pairs = contexts(option_id)
    assert pairs
    for before, after in pairs:
        if not before.diff(after):
            assert prose(before) == prose(after)
    if any(before.diff(after) for before, after in pairs):
        assert any(prose(before) != prose(after) for before, after in pairs)


@pytest.mark.long
@pytest.mark.parametrize("option_id", [one for one in rv.options() if one != "PGV-P1"])
def test_an_option_that_matters_is_cited(option_id: str) -> None:
    pairs = contexts(option_id)
    if option_id == "PGV-D3e":
        pairs = [(rv.preset(R5), rv.preset(R5).with_options("PGV-C2a", option_id))]
    assert any(option_id in cited_rules(sheet(after)) for _, after in pairs)
    for before, after in pairs:
        if prose(before) != prose(after):
            assert option_id in cited_rules(sheet(after))


def test_an_option_without_anything_to_do_is_not_spoken_of() -> None:
    rules = rv.preset(R500).with_options("PGV-D5a", "PGV-C3")
    assert prose(rules) == prose(rv.preset(R500))


def test_combinations_read_right() -> None:
    rules = rv.preset(R5).with_options("PGV-E1", "PGV-P10", "PGV-P6", "PGV-P7")
    text = prose(rules)
    assert "float" not in text
    assert "Nobody may call rummy" in text
    assert "A player who takes a single discard must use it" in text
    assert "more than one discard must, in the same turn, put down a new meld" in text


def test_no_wild_cards_no_word_of_them() -> None:
    text = prose(rv.preset(R500).with_values({"deck.jokers": 0}))
    assert "No cards are wild." in text
    assert re.search(r"\bwilds?\b", text.replace("No cards are wild.", "")) is None
    assert "Wild" not in text.replace("Wild cards:", "")


# ----------------------------------------------------------------- well-formedness


def check_prose(rules: Ruleset) -> None:
    for section in sheet(rules):
        assert section.paragraphs, section.title
        for one in section.paragraphs:
            assert one.text[-1] == (":" if one.rows else ".")
            assert one.text[0].isupper()
            assert not re.search(
                r"[{}]|  |\.\.|\bNone\b|\bTrue\b|\bFalse\b| [.,;]", one.text
            )
            for sentence in re.split(r"(?<=[.:]) ", one.text):
                assert sentence[0].isupper() or ": " in one.text
            assert one.rules
            rules_of_rows = {rule for row in one.rows for rule in row.rules}
            assert {*one.rules, *rules_of_rows} <= {*rv.rules.catalogue(), *one.set_by}
            assert one.values or one.rules
            assert all(row.label[0].isupper() and row.value for row in one.rows)
            known = {*one.rules} & {*rv.rules.catalogue()}
            assert all(rv.rule(name).source in one.sources for name in known)


@given(
    st.sampled_from(rv.presets()),
    st.lists(st.sampled_from([*rv.options()]), max_size=8, unique=True),
)
def test_any_options_together_give_whole_sentences(
    name: str, chosen: list[str]
) -> None:
    rules = rv.preset(name)
    for one in chosen:
        try:
            rules = rules.with_options(as_text(one))
        except rv.errors.RulesError:
            continue
    check_prose(rules)
    for form in ("text", "markdown", "html"):
        assert rule_sheet(rules, form)


@pytest.mark.parametrize("path", PATHS)
def test_any_value_gives_whole_sentences(path: str) -> None:
    name, others, choices = case_of(path)
    for one in choices:
        rules = with_value(rv.preset(name).with_values(others), path, one)
        check_prose(rules)


def test_a_table_of_contracts_has_its_own_headings() -> None:
    found = rule_sheet(rv.preset(CON), "markdown")
    assert found.count("| round | contract | rule |") == 1
    assert found.count("| card | points | rule |") == 1


def test_the_order_of_play() -> None:
    titles = [section.title for section in sheet(rv.preset(R5))]
    assert titles == [
        "Players and aim",
        "The deck",
        "The deal",
        "Wild cards",
        "Melds",
        "Drawing",
        "Laying off",
        "Calling rummy",
        "Discarding",
        "Going out and floating",
        "When nobody goes out",
        "Scoring",
        "The match",
    ]


@pytest.mark.parametrize("name", rv.presets())
def test_the_rules_of_a_game_are_on_its_sheet(name: str) -> None:
    cited = cited_rules(sheet(rv.preset(name)))
    own = [
        one.id
        for one in rv.rules.catalogue().values()
        if one.game == name and one.kind == "base" and one.policy != "strategy"
    ]
    assert {*own} <= {*cited}


# --------------------------------------------------------------------------- points


def points(rules: Ruleset) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {
        row.label: (row.value, row.rules)
        for one in paragraphs(rules)
        for row in one.rows
    }


def test_points_of_equal_cards_stand_together() -> None:
    rules = rv.preset(R5).with_options("PGV-C7a", "PGV-C6a", "PGV-C7b=Qs:45")
    assert points(rules) == {
        "Two to seven": ("5", ("PG-20",)),
        "Eight to king": ("10", ("PGV-C7a", "PG-20")),
        "Ace": ("50", ("PGV-C6a",)),
        "Wild card, not an ace": ("100", ("PG-20",)),
        "Wild ace": ("150", ("PGV-C6a",)),
        "Queen of spades, wild or not": ("45", ("PGV-C7b",)),
    }


def test_points_of_an_ace_that_may_be_low() -> None:
    assert points(rv.preset(R500)) == {
        "Two to ten": ("face value", ("BN-03",)),
        "Jack, queen and king": ("10", ("BN-03",)),
        "Ace": ("15", ("BN-03",)),
        "Low ace in a run": ("1", ("BN-08",)),
        "Joker": ("15", ("BN-03",)),
    }


def test_cards_that_are_always_wild_have_no_natural_points() -> None:
    found = points(rv.preset(R500).with_values({"wild.twos": True, "wild.tens": True}))
    assert found["Three to nine"][0] == "face value"
    assert "Ten" not in " ".join(found)


# ---------------------------------------------------------------------------- forms


class Page(HTMLParser):
    """
    A page read strictly: every element is closed in its turn.
    """

    EMPTY: ClassVar = {"meta"}

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.said: list[str] = []
        self.linked: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.linked += [name for name, _ in attrs if name in {"src", "href"}]
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.said.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.said).split())


@pytest.mark.parametrize("name", rv.presets())
def test_html_is_one_whole_page(name: str) -> None:
    rules = rv.preset(name)
    html = rule_sheet(rules, "html")
    page = Page(html)
    assert html.startswith("<!DOCTYPE html>\n")
    assert page.open == []
    assert page.seen.count("h1") == 1
    assert page.seen.count("section") == len(sheet(rules))
    for one in paragraphs(rules):
        assert one.text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}") in page.text
        assert all(rule_id in page.text for rule_id in one.rules)


def test_html_needs_nothing_from_elsewhere() -> None:
    html = rule_sheet(rv.preset(R5), "html")
    page = Page(html)
    assert page.linked == []
    assert not {"script", "link", "img", "iframe"} & {*page.seen}
    assert "url(" not in html
    assert "@import" not in html
    assert "size: A4" in html


def test_html_takes_any_title() -> None:
    rules = attrs.evolve(rv.preset(R5), name="<ours>", title='Tom & "Ann" <b>{x}')
    page = Page(rule_sheet(rules, "html"))
    assert 'Tom & "Ann" <b>{x}' in page.text
    assert "b" not in page.seen


@pytest.mark.parametrize("name", rv.presets())
def test_text_has_the_ids_in_its_right_margin(name: str) -> None:
    rules = rv.preset(name)
    text = rule_sheet(rules)
    lines = text.partition("\nNotes\n-----")[0].splitlines()
    assert max(map(len, text.splitlines())) < 80
    margin = [line[67:] for line in lines if len(line) > 64]
    assert all(re.fullmatch(r"\[[A-Z][A-Z0-9]+-\w+\]", one) for one in margin)
    cited = {one for paragraph in paragraphs(rules) for one in paragraph.rules}
    assert cited <= {one.strip("[]") for one in margin}
    body = " ".join(line[:66].strip() for line in lines)
    for one in paragraphs(rules):
        assert one.text in body


@pytest.mark.parametrize("name", rv.presets())
def test_markdown_has_every_sentence_with_its_ids(name: str) -> None:
    rules = rv.preset(name)
    page = rule_sheet(rules, "markdown")
    assert page.startswith(f"# {rules.title}\n")
    for one in paragraphs(rules):
        ids = " ".join(f"`{rule_id}`" for rule_id in one.rules)
        assert f"{one.text} {ids}\n" in page
    for label, (value, _) in points(rules).items():
        assert f"| {label} | {value} |" in page


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_notes_name_sources_and_readings(form: str) -> None:
    page = " ".join(rule_sheet(rv.preset(R500), form).split())
    assert "Barnes &amp; Noble" in page or "Barnes & Noble" in page
    assert "Players who tie for the lead win together" in page


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_notes_tell_what_a_table_has_changed(form: str, tmp_path: Any) -> None:
    file = tmp_path / "kitchen.toml"
    file.write_text(
        'name = "kitchen"\nextends = "rummy-5000"\nwith = ["PGV-P4", "PGV-E5=2500"]\n'
        "[stock]\nidle_rounds = 4\n",
        encoding="utf-8",
    )
    page = rule_sheet(rv.load_rules(file), form)
    named = "Trading the real card for a wild [PGV-P4] and Another target score [PGV-E5"
    based = f"Based on Rummy 5000, with {named}=2500]"
    assert based in " ".join(page.split())
    assert "Another target score [PGV-E5=2500].\n" in page.replace("</li>", "\n")
    assert "stock.idle_rounds is 4 instead of 3, set by kitchen." in page
    assert "match.target is" not in page


def test_describe_is_the_sheet_as_text() -> None:
    rules = rv.preset(R5).with_options("PGV-P4")
    assert rules.describe() == rule_sheet(rules, "text")


def test_an_unknown_form_is_an_error_that_helps() -> None:
    with pytest.raises(
        rv.errors.RulesError, match="no form 'htm'; did you mean 'html'"
    ):
        rule_sheet(rv.preset(R5), "htm")


# -------------------------------------------------------------------- third parties


@pytest.mark.parametrize("name", rv.presets())
def test_a_sheet_promises_no_last_discard_that_is_refused(name: str) -> None:
    rules = rv.preset(name)
    if rules.discard.throw_back == "refused":
        assert "The last discard may be any card." not in prose(rules)


def test_the_sheet_of_canasta_speaks_as_its_players_do() -> None:
    said = " ".join(one.text for one in paragraphs(rv.preset("canasta")))
    for words in (
        "the initial meld",
        "No hand keeps a red three",
        "Black threes are melded only",
        "with a wild card or a black three on top",
        "natural canasta",
        "mixed canasta",
        "Wild cards and the top card of a pile that is taken count towards this",
        "but not the cards below it, the bonus for a canasta or a red three.",
    ):
        assert words in said


def test_the_sheet_of_shanghai_says_what_its_contracts_take() -> None:
    rules = rv.preset("shanghai-rummy")
    said = " ".join(one.text for one in paragraphs(rules))
    assert "called going out blind" in said
    assert (
        "In the eighth and ninth rounds only a player who has bought at least one "
        "upcard can lay the contract, and in the tenth round only one who has bought "
        "at least two upcards."
    ) in said
    # Eleven cards, one drawn, and two with each upcard that is bought.
    assert [
        sum(map(int, re.findall("[0-9]+", one))) - 12 for one in rules.meld.contracts
    ][6:] == [0, 1, 2, 3]
    assert (
        "A meld of three or four cards holds at most one wild card; one of five or "
        "six, two; one of seven to nine, three; one of ten or more, four."
    ) in said
    most = {
        size: max(w for w in range(size) if w <= rules.most_wilds(size - w))
        for size in range(3, 14)
    }
    assert [*most.values()] == [1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4]


def test_a_table_is_led_in_by_a_sentence_about_it() -> None:
    rules = rv.preset("contract-rummy").with_options("COV-20")
    leads = [one.text for one in paragraphs(rules) if one.rows]
    assert leads[0].startswith("The first melds of a player in a round")
