from __future__ import annotations

import subprocess
import sys

import pytest

import respell


SELECTION = (
    "rules/test_policies.py",
    "rules/test_scenarios.py::test_scenario",
    "rules/test_perft.py",
    "legality/test_random_games.py::test_random_matches_come_to_an_end_or_go_on",
)


@pytest.mark.slow
@pytest.mark.skipif(
    not (respell.ROOT / ".git").exists(), reason="git lists the files to respell"
)
def test_a_selection_passes_however_words_are_spelled():
    tests = [f"tests/{one}" for one in SELECTION]
    command = [sys.executable, respell.__file__, "-q", *tests]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4_000:]


def test_what_is_left_out_is_there():
    for name in respell.LEFT_OUT:
        file, *_ = name.split("::")
        assert (respell.ROOT / file).exists(), name


WORDS = {"take": {"the top card": "zq1", "any number": "zq2"}, "ace": {"low": "zq3"}}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('rules.draw.take == "the top card"', "rules.draw.take == 'zq1'"),
        ('{"low": 1, "high": 2}[self.ace]', "{'zq3': 1, \"high\": 2}[self.ace]"),
        ('at = self.ace\nat in {"low"}', "at = self.ace\nat in {'zq3'}"),
        ('is_low = when("ace", "low")', "is_low = when(\"ace\", 'zq3')"),
        ('MeldPolicy(ace="low")', "MeldPolicy(ace='zq3')"),
        ('f({"meld.ace": "low"})', "f({\"meld.ace\": 'zq3'})"),
        ("read(\"[meld]\\nace = 'low'\")", "read(\"[meld]\\nace = 'zq3'\")"),
        ('match = re.match("low", ace)', 'match = re.match("low", ace)'),
        ('end == "low"', 'end == "low"'),
    ],
)
def test_words_are_told_from_other_texts_by_what_they_stand_beside(code, expected):
    assert respell.respell(code, "tests/any.py", WORDS) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[draw]\ntake = "the top card"', '[draw]\ntake = "zq1"'),
        (
            'ace = { value = "low", rule = "X-1" }',
            'ace = { value = "zq3", rule = "X-1" }',
        ),
        ('"draw.take" = ["any number", "low"]', '"draw.take" = ["zq2", "low"]'),
        ('{"rules": "take = \\"the top card\\""}', '{"rules": "take = \\"zq1\\""}'),
        ("--set draw.take=any number", "--set draw.take=zq2"),
    ],
)
def test_words_are_found_in_files_of_rules(text, expected):
    assert respell.inside(text, WORDS) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('when = "wilds, draw.take is not low | any number"', "low | zq2"),
        ('"meld.ace is low; wilds" = "low"', '"meld.ace is zq3; wilds" = "low"'),
        ('by = "meld.ace"\nlow = "low"\n', '"zq3" = "low"'),
        ('by = "draw.take"\n"any number" = "any number"\n', '"zq2" = "any number"'),
    ],
)
def test_words_are_found_in_rows_of_the_sheet(text, expected):
    assert expected in respell.in_rows(text, WORDS)
