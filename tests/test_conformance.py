"""The corpus is what its manifest says, and results that are wrong earn nothing."""

from __future__ import annotations

import copy
import json
import runpy
import shutil
import subprocess
import sys
import zipfile

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import corpus

from conform import (
    WHOLE,
    ResultsError,
    _scenario_differs,
    judge,
    read_results,
    report,
)


RUNNER = corpus.ROOT.parent / "examples" / "conformance_runner.py"
runner = runpy.run_path(str(RUNNER))
MANIFEST, CASES = runner["read_corpus"](corpus.ROOT)
PRESETS = ["basic-rummy", "gin-rummy", "straight-gin"]
OPTIONS = ["BAS-01", "BAS-04b", "GRV-04"]

Line = dict[str, Any]


def head_of(**changes: Any) -> Line:
    claim = {"presets": PRESETS, "options": OPTIONS, "values": False}
    there = {key: MANIFEST[key] for key in ("corpus", "version", "digest")}
    return {**there, "engine": "an engine 1.0", **claim, **changes}


def asked(case: Line) -> bool:
    return (
        case["preset"] in PRESETS
        and set(case["options"]) <= set(OPTIONS)
        and not case["values"]
    )


FOUND = {
    case["case"]: {"case": case["case"], **runner["run_case"](CASES[case["case"]])}
    for case in MANIFEST["cases"]
    if asked(case) and not case["case"].startswith(corpus.PERFT)
}
# What the file says, since counting takes long: `test_perft.py` counts.
FOUND |= {
    name: {"case": name, "counts": CASES[name]["counts"]}
    for name in (case["case"] for case in MANIFEST["cases"] if asked(case))
    if name.startswith(corpus.PERFT)
}
A_TINY_DECK = "data/tiny_decks.toml#gin-rummy, melds of two and lay-offs"
A_PERFT = "data/perft.json#gin-rummy, a knock and lay-offs"
ON_A_PRESET = "scenarios/gin-rummy/gr-01-ten-cards-each-and-one-turned-up.toml"


def text_of(cases: dict[str, Line], **changes: Any) -> str:
    return "\n".join(map(json.dumps, [head_of(**changes), *cases.values()]))


def verdict_of(cases: dict[str, Line], **changes: Any) -> Any:
    return judge(read_results(text_of(cases, **changes)))


def changed(name: str, change: Callable[[Line], object]) -> dict[str, Line]:
    """
    The right results, but for a change in one of them.
    """
    cases = copy.deepcopy(FOUND)
    change(cases[name])
    return cases


# --------------------------------------------------------------------------- corpus


def test_manifest_and_presets_are_true() -> None:
    """
    If not: ``python tests/corpus.py --write``, and see whether the version moves.
    """
    presets = (corpus.ROOT / corpus.PRESETS).read_text(encoding="utf-8")
    assert presets == corpus.presets_text()
    written = (corpus.ROOT / corpus.MANIFEST).read_text(encoding="utf-8")
    assert written == corpus.manifest_text()
    assert not corpus.changed()


def test_nothing_in_it_is_written_in_python() -> None:
    assert {Path(entry["file"]).suffix for entry in MANIFEST["files"]} == {
        ".json",
        ".toml",
    }


def test_every_case_has_a_name_of_its_own_and_rules_that_are_there() -> None:
    names = [case["case"] for case in MANIFEST["cases"]]
    assert len(set(names)) == len(names)
    assert set(CASES) == set(names)
    presets = json.loads((corpus.ROOT / corpus.PRESETS).read_text(encoding="utf-8"))
    for case in MANIFEST["cases"]:
        values = presets[case["preset"]]
        assert set(case["changes"] or {}) <= set(values)
        if case["changes"] is None:
            assert "invalid" in CASES[case["case"]]


def test_zip_has_the_same_bytes_each_time_and_all_files(tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    first = corpus.pack(tmp_path)
    second = corpus.pack(tmp_path / "again")
    assert first.name == "rummyvariants-conformance-1.zip"
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as packed:
        packed.extractall(tmp_path)
    assert not corpus.changed(tmp_path / "rummyvariants-conformance-1")


def test_runner_reads_the_zip(tmp_path: Path) -> None:
    with zipfile.ZipFile(corpus.pack(tmp_path)) as packed:
        packed.extractall(tmp_path)
    root = tmp_path / "rummyvariants-conformance-1"
    words = [sys.executable, RUNNER, "--presets", "straight-gin", "--corpus", root]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    first, line = done.stdout.splitlines()
    assert json.loads(first)["digest"] == MANIFEST["digest"]
    assert json.loads(line) in FOUND.values()


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    for entry in [corpus.MANIFEST, *(one["file"] for one in MANIFEST["files"])]:
        (tmp_path / entry).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(corpus.ROOT / entry, tmp_path / entry)
    return tmp_path


def test_a_changed_corpus_is_noticed(copied: Path) -> None:
    assert not corpus.changed(copied)
    with (copied / corpus.PERFT).open("a") as file:
        file.write("\n")
    (copied / ON_A_PRESET).unlink()
    manifest = copied / corpus.MANIFEST
    manifest.write_text(manifest.read_text().replace(MANIFEST["digest"], "0" * 64))
    assert corpus.changed(copied) == [
        "data/perft.json is not the file that the manifest names",
        f"{ON_A_PRESET} is missing",
        "the digest in the manifest is not that of the hashes in it",
    ]
    with pytest.raises(AssertionError, match="has changed"):
        runner["read_corpus"](copied)


def test_digest_is_that_of_the_lines_of_sha256sum(copied: Path) -> None:
    hashes = {one["file"]: one["sha256"] for one in MANIFEST["files"]}
    listed = "".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes))
    (copied / "list").write_text(listed)
    assert corpus.hash_of(copied / "list") == MANIFEST["digest"]


# -------------------------------------------------------------------------- results


def test_right_results_earn_what_they_claim() -> None:
    results = read_results(text_of(FOUND))
    verdict = judge(results)
    assert not verdict.wrong
    assert verdict.earned == results.claim
    assert list(report(results, verdict))[-1] == (
        "an engine 1.0 has earned: rummyvariants-conformant, version 1: "
        "presets basic-rummy, gin-rummy, straight-gin; options BAS-01, BAS-04b, GRV-04"
    )


def test_results_beyond_the_claim_are_not_looked_at() -> None:
    verdict = verdict_of(FOUND, presets=["basic-rummy"], options=[])
    assert not verdict.wrong
    assert verdict.earned.presets == {"basic-rummy"}
    assert not verdict.earned.options


def test_a_missing_case_is_named_and_costs_its_preset_and_those_that_extend_it() -> None:
    cases = copy.deepcopy(FOUND)
    del cases[ON_A_PRESET]
    results = read_results(text_of(cases))
    verdict = judge(results)
    assert verdict.wrong == {ON_A_PRESET: ["there is no result"]}
    assert verdict.earned.presets == {"basic-rummy"}
    assert verdict.earned.options == {"BAS-01", "BAS-04b"}
    said = list(report(results, verdict))
    assert said[0] == f"{ON_A_PRESET}: there is no result"
    assert said[-2] == "straight-gin: 1 of 1 cases are right: not earned"


def test_a_wrong_case_of_an_option_costs_the_option_alone() -> None:
    (name,) = (one for one in FOUND if one.endswith("two-melds-in-a-turn.toml"))
    verdict = verdict_of(changed(name, lambda line: line["steps"].pop()))
    assert list(verdict.wrong) == [name]
    assert verdict.earned.presets == set(PRESETS)
    assert verdict.earned.options == {"BAS-04b", "GRV-04"}


def test_an_option_or_values_that_no_case_shows_are_not_earned() -> None:
    verdict = verdict_of(FOUND, presets=["basic-rummy"], options=["GRV-04"], values=True)
    assert not verdict.earned.options
    assert not verdict.earned.values


def test_many_wrong_cases_are_counted() -> None:
    results = read_results(text_of({}))
    said = list(report(results, judge(results), most=2))
    assert said[2] == f"... and {len(FOUND) - 2} cases more"
    assert said[-1] == "an engine 1.0 has earned: nothing"


@pytest.mark.parametrize(
    ("name", "key", "said"),
    [
        (A_TINY_DECK, "knock", 31),
        (A_TINY_DECK, "knock", "30"),
        (A_TINY_DECK, "points", [52, 586]),
        (A_TINY_DECK, "more", 0),
    ],
)
def test_a_wrong_number_of_sequences(name: str, key: str, said: object) -> None:
    cases = changed(name, lambda line: line["sequences"].update({key: said}))
    assert list(verdict_of(cases).wrong) == [name]


def test_a_wrong_count_of_perft() -> None:
    def one_more(line: Line) -> None:
        line["counts"][-1] += 1

    (line,) = verdict_of(changed(A_PERFT, one_more)).wrong[A_PERFT]
    assert line.startswith("counts: [")
    cases = changed(A_PERFT, lambda line: line["counts"].pop())
    assert list(verdict_of(cases).wrong) == [A_PERFT]


def scenarios() -> Iterator[tuple[str, Line]]:
    for name, line in FOUND.items():
        if name.startswith("scenarios/"):
            yield name, line


def test_every_wrong_ruling_is_caught() -> None:
    """
    Each alone, in one file of results: a legal step refused, a refusal let through.
    """
    places = 0
    wrong: set[tuple[str, int]] = set()
    for said in ("legal", ["RV-99"], [], None, "refused", [7]):
        cases = copy.deepcopy(FOUND)
        expected = set()
        for name, line in scenarios():
            if "refused" in line:
                cases[name]["refused"] = said
                expected.add(name)
                continue
            for at, there in enumerate(line["steps"]):
                free = 'refused = "*"' in CASES[name] or "refused = '*'" in CASES[name]
                if said == there or (free and said == ["RV-99"]):
                    continue
                cases[name]["steps"][at] = said
                wrong.add((name, at))
                expected.add(name)
        assert set(verdict_of(cases).wrong) == expected
        places = len(wrong)
    assert places > 100


@pytest.mark.parametrize("change", [[], ["legal"] * 99, None, {}, "legal"])
def test_another_number_of_steps(change: object) -> None:
    name = next(name for name, line in scenarios() if line.get("steps"))
    (said,) = verdict_of(changed(name, lambda line: line.update(steps=change))).wrong[name]
    assert said.startswith("steps: there are ")


NONSENSE = (None, True, 7, 1.5, "", "x", "7h 7h", [], ["x"], [7], {}, {"N": None}, [{}])


def others(value: Any) -> Iterator[Any]:
    """
    Values that say something else than a given one.
    """
    match value:
        case int():
            yield value + 1
            yield str(value)
        case str():
            yield value + " 2c"
            yield value.rpartition(" ")[0] if value else "N"
        case list():
            yield value[:-1] if value else ["draw"]
            yield [*value, "discard 2c"]
        case dict():
            for key in value:
                yield {one: said for one, said in value.items() if one != key}
                yield from ({**value, key: other} for other in others(value[key]))
    yield from NONSENSE


def says_the_same(key: str, one: Any, other: Any) -> bool:
    """
    Whether two findings may both be right, by what the page on conformance says.
    """
    if one == other or (key in WHOLE and {*one} == {*(other or ())}):
        return True
    return key == "over" and not one and not other


def asked_of(name: str) -> Line:
    return corpus.tomllib.loads(CASES[name])["expect"]


def test_every_wrong_finding_is_caught() -> None:
    """
    Whatever is said in place of a finding, it is not taken for right, nor a fault.
    """
    tried = 0
    for name, line in scenarios():
        wanted = asked_of(name) if "found" in line else {}
        for key in wanted:
            if key == "view":
                continue
            there = line["found"][key]
            if isinstance(wanted[key], dict):
                there = {one: there[one] for one in wanted[key]}
            for other in others(there):
                if says_the_same(key, there, other):
                    continue
                tried += 1
                found = {**line["found"], key: other}
                text = text_of({name: {**line, "found": found}}, presets=[], options=[])
                lines = list(judge_one(name, json.loads(text.splitlines()[1])))
                assert lines, f"{name}: {key} = {other!r} is taken for right"
    assert tried > 1000


def judge_one(name: str, line: Line) -> Iterator[str]:
    return _scenario_differs(line, corpus.ROOT / name)
