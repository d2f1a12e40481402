"""The corpus is what its manifest says, and results that are wrong earn nothing."""

from __future__ import annotations

import copy
import functools
import json
import runpy
import subprocess
import sys
import tempfile
import zipfile

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import corpus
import rummyvariants as rv

from conform import (
    WHOLE,
    ResultsError,
    _finding_differs,
    judge,
    read_results,
    report,
)


RUNNER = corpus.ROOT.parent / "examples" / "conformance_runner.py"
runner = runpy.run_path(str(RUNNER))
FOLDER = tempfile.TemporaryDirectory()
PRESETS = ["basic-rummy", "gin-rummy", "straight-gin"]
OPTIONS = ["BAS-01", "BAS-04b", "GRV-04"]

Line = dict[str, Any]


@functools.cache
def built() -> Path:
    return corpus.build(Path(FOLDER.name))


@functools.cache
def all_cases() -> dict[str, Any]:
    """
    Every case by its name, as the runner reads it.
    """
    manifest, found = runner["read_corpus"](built())
    assert manifest == corpus.manifest()
    return found


def head_of(**changes: Any) -> Line:
    claim = {"presets": PRESETS, "options": OPTIONS, "values": False}
    there = {key: corpus.manifest()[key] for key in ("corpus", "version", "digest")}
    return {**there, "engine": "an engine 1.0", **claim, **changes}


def asked(case: Line) -> bool:
    return (
        case["preset"] in PRESETS
        and set(case["options"]) <= set(OPTIONS)
        and not case["values"]
    )


@functools.cache
def right() -> dict[str, Line]:
    """
    Right results by case: what the runner finds, but for perft, which takes long.
    """
    names = [case["case"] for case in corpus.manifest()["cases"] if asked(case)]
    return {
        name: {"case": name, "counts": all_cases()[name]["counts"]}
        if name.startswith(corpus.PERFT)
        else {"case": name, **runner["run_case"](all_cases()[name])}
        for name in names
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
    cases = copy.deepcopy(right())
    change(cases[name])
    return cases


# --------------------------------------------------------------------------- corpus


def test_nothing_in_it_is_written_in_python() -> None:
    assert {Path(entry["file"]).suffix for entry in corpus.manifest()["files"]} == {
        ".json",
        ".toml",
    }


def test_every_case_has_a_name_of_its_own_and_rules_that_are_there() -> None:
    names = [case["case"] for case in corpus.manifest()["cases"]]
    assert len(set(names)) == len(names)
    assert set(all_cases()) == set(names)
    presets = json.loads((built() / corpus.PRESETS).read_text(encoding="utf-8"))
    for case in corpus.manifest()["cases"]:
        values = presets[case["preset"]]
        assert set(case["changes"] or {}) <= set(values)
        if case["changes"] is None:
            assert "invalid" in all_cases()[case["case"]]


def test_zip_has_the_same_bytes_each_time_and_all_files(tmp_path: Path) -> None:
    again = Path(f"{corpus.build(tmp_path)}.zip")
    assert again.name == "rummyvariants-conformance-1.zip"
    assert again.read_bytes() == Path(f"{built()}.zip").read_bytes()
    with zipfile.ZipFile(again) as packed:
        inside = {name: packed.read(name) for name in packed.namelist()}
    assert inside == {
        path.relative_to(built().parent).as_posix(): path.read_bytes()
        for path in built().rglob("*.*")
    } | {f"{built().name}/about/LICENSE": (built() / "about/LICENSE").read_bytes()}


def test_runner_reads_it() -> None:
    words = [sys.executable, RUNNER, "--presets", "straight-gin", "--corpus", built()]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    first, *lines = map(json.loads, done.stdout.splitlines())
    assert first["digest"] == corpus.manifest()["digest"]
    assert len(lines) == 3
    assert all(line == right()[line["case"]] for line in lines)


def test_a_changed_corpus_is_noticed(tmp_path: Path) -> None:
    copied = corpus.build(tmp_path)
    with (copied / corpus.PERFT).open("a") as file:
        file.write("\n")
    with pytest.raises(AssertionError, match="has changed"):
        runner["read_corpus"](copied)


def test_digest_is_that_of_the_lines_of_sha256sum() -> None:
    hashes = {one["file"]: one["sha256"] for one in corpus.manifest()["files"]}
    listed = "".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes))
    assert corpus.hash_of(listed.encode()) == corpus.manifest()["digest"]


# -------------------------------------------------------------------------- results


def test_right_results_earn_what_they_claim() -> None:
    results = read_results(text_of(right()))
    verdict = judge(results)
    assert not verdict.wrong
    assert verdict.earned == results.claim
    assert list(report(results, verdict))[-1] == (
        "an engine 1.0 has earned: rummyvariants-conformant, version 1: "
        "presets basic-rummy, gin-rummy, straight-gin; options BAS-01, BAS-04b, GRV-04"
    )


def test_results_beyond_the_claim_are_not_looked_at() -> None:
    verdict = verdict_of(right(), presets=["basic-rummy"], options=[])
    assert not verdict.wrong
    assert verdict.earned.presets == {"basic-rummy"}
    assert not verdict.earned.options


def test_a_missing_case_is_named_and_costs_its_preset() -> None:
    cases = copy.deepcopy(right())
    del cases[ON_A_PRESET]
    results = read_results(text_of(cases))
    verdict = judge(results)
    assert verdict.wrong == {ON_A_PRESET: ["there is no result"]}
    assert verdict.earned.presets == {"basic-rummy"}
    assert verdict.earned.options == {"BAS-01", "BAS-04b"}
    said = list(report(results, verdict))
    assert said[0] == f"{ON_A_PRESET}: there is no result"
    assert said[-2] == "straight-gin: 3 of 3 cases are right: not earned"


def test_a_wrong_case_of_an_option_costs_the_option_alone() -> None:
    (name,) = (one for one in right() if one.endswith("two-melds-in-a-turn.toml"))
    verdict = verdict_of(changed(name, lambda line: line["steps"].pop()))
    assert list(verdict.wrong) == [name]
    assert verdict.earned.presets == set(PRESETS)
    assert verdict.earned.options == {"BAS-04b", "GRV-04"}


def test_an_option_or_values_that_no_case_shows_are_not_earned() -> None:
    verdict = verdict_of(
        right(), presets=["basic-rummy"], options=["GRV-04"], values=True
    )
    assert not verdict.earned.options
    assert not verdict.earned.values


def test_many_wrong_cases_are_counted() -> None:
    results = read_results(text_of({}))
    said = list(report(results, judge(results), most=2))
    assert said[2] == f"... and {len(right()) - 2} more cases"
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
    for name, line in right().items():
        if name.startswith("scenarios/"):
            yield name, line


def test_every_wrong_ruling_is_caught() -> None:
    """
    Each alone, in one file of results: a legal step refused, a refusal let through.
    """
    places = 0
    wrong: set[tuple[str, int]] = set()
    for said in ("legal", ["RV-99"], [], None, "refused", [7]):
        cases = copy.deepcopy(right())
        expected = set()
        for name, line in scenarios():
            if "refused" in line:
                cases[name]["refused"] = said
                expected.add(name)
                continue
            for at, there in enumerate(line["steps"]):
                text = all_cases()[name]
                free = 'refused = "*"' in text or "refused = '*'" in text
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
    (said,) = verdict_of(changed(name, lambda line: line.update(steps=change))).wrong[
        name
    ]
    assert said.startswith("steps: ")


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
    if key in WHOLE and isinstance(other, list | dict | str):
        return sorted(one) == sorted([other] if isinstance(other, str) else other)
    return one == other


def test_every_wrong_finding_is_caught() -> None:
    """
    Whatever is said in place of a finding, it is not taken for right, nor a fault.
    """
    tried = 0
    for name, line in scenarios():
        if "found" not in line:
            continue
        scenario = rv.files.parse_scenario(all_cases()[name])
        state = rv.files.run(scenario).state
        for key, wanted in scenario.expect.items():
            there = line["found"][key]
            assert not list(_finding_differs(state, key, wanted, there))
            if isinstance(wanted, dict):
                there = {one: there[one] for one in wanted}
            for other in others(there):
                if not says_the_same(key, there, other):
                    tried += 1
                    lines = list(_finding_differs(state, key, wanted, other))
                    assert lines, f"{name}: {key} = {other!r} is taken for right"
    assert tried > 1000


# ------------------------------------------------------------------- no results at all


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"corpus": "another"}, "corpus: this must be 'rummyvariants-conformance'"),
        ({"version": 2}, "version: this must be 1"),
        ({"version": None}, "version: this must be 1"),
        ({"digest": "0" * 64}, "digest: these are results for another corpus"),
        ({"engine": " "}, "engine: give its name and version"),
        ({"engine": 7}, "engine: give its name and version"),
        ({"presets": ["rummy-501"]}, "presets: the corpus has no 'rummy-501'"),
        ({"presets": "rummy-500"}, "presets: give a list of names, or 'all'"),
        ({"presets": None}, "presets: give a list of names, or 'all'"),
        ({"presets": ["straight-gin"]}, "straight-gin extends gin-rummy: claim both"),
        ({"options": ["PGV-X"]}, "options: the corpus has no 'PGV-X'"),
        ({"options": [7]}, "options: give a list of names, or 'all'"),
        ({"values": "yes"}, "values: give true or false"),
        ({"author": "Ann"}, "unknown key 'author'"),
    ],
)
def test_a_first_line_that_will_not_do(change: Line, message: str) -> None:
    with pytest.raises(ResultsError) as caught:
        read_results(text_of(right(), **change))
    assert str(caught.value) == f"line 1: {message}".replace(
        "1: straight", "1: presets: straight"
    )


HEAD = json.dumps(head_of())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: this is not a JSON object"),
        ("title = 'x'", "line 1: this is not a JSON object"),
        ("[1]", "line 1: this is not a JSON object"),
        ("[" * 100_000, "line 1: this is not a JSON object"),
        (f"{HEAD}\n\n", "line 2: this is not a JSON object"),
        (f"{HEAD}\n7", "line 2: this is not a JSON object"),
        (f"{HEAD}\n{'9' * 5000}", "line 2: this is not a JSON object"),
        (f"{HEAD}\n{{}}", "line 2: there is no case None"),
        (f'{HEAD}\n{{"case": []}}', "line 2: there is no case []"),
        (f'{HEAD}\n{{"case": "x.toml"}}', "line 2: there is no case 'x.toml'"),
        (
            f'{HEAD}\n{{"case": "{ON_A_PRESET}"}}\n{{"case": "{ON_A_PRESET}"}}',
            f"line 3: {ON_A_PRESET} has a line already",
        ),
        (
            f'{HEAD}\n{{"case": "{A_PERFT}", "steps": []}}',
            "line 2: unknown key 'steps'",
        ),
    ],
)
def test_a_file_that_holds_no_results(text: str, message: str) -> None:
    with pytest.raises(ResultsError) as caught:
        read_results(text)
    assert message in str(caught.value).splitlines()


def test_all_problems_are_listed() -> None:
    with pytest.raises(ResultsError) as caught:
        read_results(f"{json.dumps(head_of(version=2, values=None))}\n7\n{{}}")
    assert len(str(caught.value).splitlines()) == 4


def run_conform(path: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, corpus.ROOT / "conform.py", path]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_command_says_by_its_status_what_came_of_it(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    missing = run_conform(path)
    assert (missing.returncode, missing.stderr) == (2, "")
    path.write_bytes(b"\xff")
    assert run_conform(path).returncode == 2
    path.write_text(HEAD)
    assert run_conform(path).returncode == 1
    path.write_text(text_of(right()))
    done = run_conform(path)
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "basic-rummy: 32 of 32 cases are right"


@pytest.mark.slow
def test_reference_runner_earns_everything(tmp_path: Path) -> None:
    words = ["--presets", "all", "--options", "all", "--values"]
    path = tmp_path / "results.jsonl"
    with path.open("w") as file:
        subprocess.run([sys.executable, RUNNER, *words], stdout=file, check=True)
    done = run_conform(path)
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith(": all presets; all options; values\n")
