"""
Judge the results that an engine reports for the conformance corpus.

``python tests/conform.py RESULTS`` reads a file of results, one JSON object per line,
and prints what differs, how many cases of each preset are right, and the claim that
is earned. `docs/conformance.md` describes the file. The exit status is 0 if the whole
claim is earned, 1 if not, and 2 if the file is not a results file.
"""

from __future__ import annotations

import argparse
import json
import sys

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

import rummyvariants as rv

from corpus import NAME, PERFT, ROOT, VERSION, kind_of, manifest
from perft import entries as perft_entries
from rummyvariants.files._expectations import differences
from tiny_decks import tiny_decks
from tiny_options import tiny_options


KEYS: Final = {
    "scenario": {"steps", "found", "refused"},
    "perft": {"counts"},
    "tiny decks": {"sequences"},
}
"""What a line may say of a case of each kind."""

HEAD: Final = ("corpus", "version", "digest", "engine", "presets", "options", "values")
LEGAL: Final = "legal"
WHOLE: Final = {"acting", "floating", "winners"}
"""Lists that are compared whole, however they are written."""


class ResultsError(Exception):
    """
    A file that holds no results, with every problem.
    """


@attrs.frozen
class Claim:
    """
    What an engine claims.

    Attributes:
        presets: The presets that it plays.
        options: The options that it plays, wherever they go on one of the presets.
        values: Whether policy values may be set one by one.
    """

    presets: frozenset[str]
    options: frozenset[str]
    values: bool

    def asks_for(self, case: Mapping[str, Any]) -> bool:
        """
        Whether a case of the manifest belongs to the claim.
        """
        return (
            case["preset"] in self.presets
            and self.options.issuperset(case["options"])
            and (self.values or not case["values"])
        )

    def __str__(self) -> str:
        if not self.presets:
            return "nothing"
        parts = [f"rummyvariants-conformant, version {VERSION}: "]
        for key, known in names_in(manifest()).items():
            named = getattr(self, key)
            text = (
                f"all {key}" if named == known else f"{key} {', '.join(sorted(named))}"
            )
            parts += [text, "; "] if named else []
        return "".join([*parts, "values"] if self.values else parts[:-1])


@attrs.frozen
class Results:
    """
    What an engine has found.

    Attributes:
        engine: Its name and version.
        claim: What it claims.
        cases: By case, the line of the file.
    """

    engine: str
    claim: Claim
    cases: Mapping[str, Mapping[str, Any]]


@attrs.frozen
class Verdict:
    """
    What results are worth.

    Attributes:
        wrong: By case of the claim, what differs.
        right: The cases of the claim that are right.
        earned: The part of the claim that no wrong case contradicts.
    """

    wrong: Mapping[str, Sequence[str]]
    right: tuple[str, ...]
    earned: Claim


# -------------------------------------------------------------------------- reading


def read_results(text: str) -> Results:
    """
    Read a file of results.

    Raises:
        ResultsError: If it is none, with every problem.
    """
    problems: list[str] = []
    lines = dict(_objects(text, problems))
    given = manifest()
    head = lines.pop(1, {})
    _unknown(head, HEAD, 1, problems)
    claim = _claim(head, given, problems)
    engine = head.get("engine")
    if not isinstance(engine, str) or not engine.strip():
        problems.append("line 1: engine: give its name and version")
    known = {case["case"] for case in given["cases"]}
    cases: dict[str, Mapping[str, Any]] = {}
    for number, line in lines.items():
        name = line.get("case")
        if not isinstance(name, str) or name not in known:
            problems.append(f"line {number}: there is no case {name!r}")
            continue
        if name in cases:
            problems.append(f"line {number}: {name} has a line already")
        _unknown(line, {"case", *KEYS[_kind(name)]}, number, problems)
        cases[name] = line
    if problems:
        raise ResultsError("\n".join(problems))
    return Results(str(engine), claim, cases)


def _objects(text: str, problems: list[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """
    The objects of a file, by the number of the line.
    """
    for number, line in enumerate(text.splitlines() or [""], 1):
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            yield number, found
        else:
            problems.append(f"line {number}: this is not a JSON object")


def _unknown(
    line: Mapping[str, Any], known: Collection[str], number: int, problems: list[str]
) -> None:
    for key in line:
        if key not in known:
            problems.append(f"line {number}: unknown key {key!r}")


def _claim(
    head: Mapping[str, Any], given: Mapping[str, Any], problems: list[str]
) -> Claim:
    """
    The claim of a first line, and what is wrong with that line.
    """
    for key, wanted in {"corpus": NAME, "version": VERSION}.items():
        if head.get(key) != wanted:
            problems.append(f"line 1: {key}: this must be {wanted!r}")
    if head.get("digest") != given["digest"]:
        problems.append("line 1: digest: these are results for another corpus")
    chosen = {}
    for key, known in names_in(given).items():
        names = head.get(key)
        if names == "all":
            names = sorted(known)
        if not isinstance(names, list) or not all(isinstance(x, str) for x in names):
            problems.append(f"line 1: {key}: give a list of names, or 'all'")
            names = []
        for one in sorted({*names} - known):
            problems.append(f"line 1: {key}: the corpus has no {one!r}")
        chosen[key] = frozenset(names)
    for entry in given["presets"]:
        name, parent = entry["preset"], entry["extends"]
        if name in chosen["presets"] and parent and parent not in chosen["presets"]:
            problems.append(f"line 1: presets: {name} extends {parent}: claim both")
    values = head.get("values")
    if not isinstance(values, bool):
        problems.append("line 1: values: give true or false")
    return Claim(chosen["presets"], chosen["options"], values is True)


def names_in(given: Mapping[str, Any]) -> dict[str, set[str]]:
    """
    The presets of a manifest and its options.
    """
    return {
        "presets": {entry["preset"] for entry in given["presets"]},
        "options": {one for case in given["cases"] for one in case["options"]},
    }


def _kind(case: str) -> str:
    return kind_of(case.partition("#")[0])


# -------------------------------------------------------------------------- judging


def judge(results: Results) -> Verdict:
    """
    Compare results with what is right.
    """
    given = manifest()
    wanted = [case for case in given["cases"] if results.claim.asks_for(case)]
    expected = _counts()
    wrong: dict[str, list[str]] = {}
    for case in wanted:
        name = case["case"]
        line = results.cases.get(name)
        if line is None:
            wrong[name] = ["there is no result"]
        elif name in expected:
            wrong[name] = list(_counts_differ(line, *expected[name]))
        else:
            wrong[name] = list(_scenario_differs(line, name))
    parents = {one["preset"]: one["extends"] for one in given["presets"]}
    failed = {name: lines for name, lines in wrong.items() if lines}
    return Verdict(
        failed,
        tuple(name for name in wrong if name not in failed),
        _earned(results.claim, wanted, failed, parents),
    )


def _earned(
    claim: Claim,
    wanted: Sequence[Mapping[str, Any]],
    failed: Collection[str],
    parents: Mapping[str, str],
) -> Claim:
    """
    What is left of a claim: first presets fall, then options and values on the others.
    """
    bad = [case for case in wanted if case["case"] in failed]
    lost = {one["preset"] for one in bad if not one["options"] and not one["values"]}
    kept = claim.presets - lost
    while any(parents[one] and parents[one] not in kept for one in kept):
        kept = frozenset(one for one in kept if parents[one] in {"", *kept})
    claim = attrs.evolve(claim, presets=kept)
    shown = [case for case in wanted if claim.asks_for(case)]
    bad = [case for case in shown if case["case"] in failed]
    options = {option for case in shown for option in case["options"]}
    options -= {option for case in bad for option in case["options"]}
    return attrs.evolve(
        claim,
        options=claim.options & options,
        values=any(case["values"] for case in shown)
        and not any(case["values"] for case in bad),
    )


def _counts() -> dict[str, tuple[str, Any]]:
    """
    By case, the key of a result and what it has to be.
    """
    found: dict[str, tuple[str, Any]] = {
        f"{PERFT}#{one.name}": ("counts", list(one.counts)) for one in perft_entries()
    }
    decks = {
        "data/tiny_decks.toml": tiny_decks(),
        "data/tiny_options.toml": tiny_options(),
    }
    for file, several in decks.items():
        for one in several:
            found[f"{file}#{one.name}"] = ("sequences", dict(one.sequences))
    return found


def _counts_differ(line: Mapping[str, Any], key: str, wanted: Any) -> Iterator[str]:
    if line.get(key) != wanted:
        yield f"{key}: {line.get(key)}, expected {wanted}"


# ------------------------------------------------------------------------ scenarios


def _scenario_differs(line: Mapping[str, Any], name: str) -> Iterator[str]:
    scenario = rv.files.load_scenario(ROOT / name)
    refused = line.get("refused", [])
    if scenario.invalid:
        if not _cites(refused, scenario.invalid):
            wanted = " or ".join(scenario.invalid)
            yield f"refused: {refused!r}, expected {wanted}"
        return
    if refused:
        yield f"refused: {refused!r}, but it must not be refused"
        return
    steps = line.get("steps")
    if not isinstance(steps, list) or len(steps) != len(scenario.step):
        yield f"steps: {steps!r}, expected a list of {len(scenario.step)}"
        return
    for number, (step, said) in enumerate(zip(scenario.step, steps, strict=True), 1):
        if step.refused is None and said != LEGAL:
            yield f"step {number} '{step.do}': {said!r}, expected 'legal'"
        elif step.refused is not None and not _cites(said, step.refused):
            wanted = " or ".join(step.refused)
            yield f"step {number} '{step.do}': {said!r}, expected {wanted}"
    found = line.get("found")
    if not isinstance(found, dict):
        yield "found: give an object with the keys of [expect]"
        return
    state = rv.files.run(scenario).state
    for key, wanted_value in scenario.expect.items():
        if key not in found:
            yield f"found: {key} is missing"
            continue
        yield from _finding_differs(state, key, wanted_value, found[key])


def _cites(said: object, wanted: Sequence[str]) -> bool:
    """
    Whether a refusal cites one of the rules that it may; any will do for ``*``.
    """
    if not isinstance(said, list) or not all(isinstance(one, str) for one in said):
        return False
    return bool(said) and ("*" in wanted or not {*said}.isdisjoint(wanted))


def _finding_differs(
    state: rv.State | None, key: str, wanted: Any, found: Any
) -> Iterator[str]:
    """
    Compare a finding with the state that the steps lead to.
    """
    assert state is not None, "every scenario of the corpus holds"
    if key == "view":
        for seat, claims in wanted.items():
            for claim, value in claims.items():
                said = found.get(seat) if isinstance(found, dict) else None
                at = f"view.{seat}.{claim}"
                if not isinstance(said, dict) or claim not in said:
                    yield f"found: {at} is missing"
                    continue
                expect = {"view": {seat: {claim: said[claim]}}}
                yield from _said_differs(state, at, value, said[claim], expect)
        return
    yield from _said_differs(state, key, wanted, found, {key: found})


def _said_differs(
    state: rv.State, at: str, wanted: Any, found: Any, expect: Mapping[str, Any]
) -> Iterator[str]:
    key = at.rpartition(".")[2]
    if key in {"legal_includes", "legal_excludes"}:
        nothing = {seat: [] for seat in wanted} if isinstance(wanted, dict) else []
        due = wanted if key == "legal_includes" else nothing
        if found != due:
            yield f"{at}: {found!r}, expected {due!r}"
        return
    if not _covers(wanted, found, key):
        yield f"{at}: {found!r} leaves out part of {wanted!r}"
        return
    try:
        yield from differences(state, expect)
    except rv.errors.RecordError as error:
        yield from error.problems


def _covers(wanted: Any, found: Any, key: str) -> bool:
    """
    Whether a finding says all that is asked for: each seat, each wild, each column.
    """
    if key in WHOLE:
        return isinstance(found, list) and all(
            isinstance(one, str) and one for one in found
        )
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(
            one in found and _covers(value, found[one], key)
            for one, value in wanted.items()
        )
    if isinstance(wanted, list) and isinstance(found, list) and key != LEGAL:
        return len(found) >= len(wanted) and all(
            _covers(one, said, key) for one, said in zip(wanted, found, strict=False)
        )
    if isinstance(wanted, str) and isinstance(found, str):
        if key == "stock_top" and len(found.split()) < len(wanted.split()):
            return False
        return found.count("=") >= wanted.count("=")
    return isinstance(found, type(wanted))


# ----------------------------------------------------------------------- the command


def report(results: Results, verdict: Verdict, most: int = 10) -> Iterator[str]:
    """
    A verdict in words, a line at a time.

    Args:
        results: What was judged.
        verdict: What it is worth.
        most: How many wrong cases to describe.
    """
    for name in list(verdict.wrong)[:most]:
        for line in verdict.wrong[name]:
            yield f"{name}: {line}"
    if len(verdict.wrong) > most:
        yield f"... and {len(verdict.wrong) - most} more cases"
    preset_of = {case["case"]: case["preset"] for case in manifest()["cases"]}
    right = Counter(preset_of[name] for name in verdict.right)
    wrong = Counter(preset_of[name] for name in verdict.wrong)
    for preset in sorted(results.claim.presets):
        number = right[preset] + wrong[preset]
        lost = "" if preset in verdict.earned.presets else ": not earned"
        yield f"{preset}: {right[preset]} of {number} cases are right{lost}"
    yield f"{results.engine} has earned: {verdict.earned}"


def main() -> int:
    """
    Judge a file of results.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument(
        "results", type=Path, help="a file with one JSON object per line"
    )
    parser.add_argument(
        "--most", type=int, default=10, help="how many wrong cases to show (10)"
    )
    given = parser.parse_args()
    try:
        results = read_results(given.results.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ResultsError) as error:
        print(f"{given.results} is not a results file:\n{error}")
        return 2
    verdict = judge(results)
    print("\n".join(report(results, verdict, given.most)))
    return 0 if verdict.earned == results.claim else 1


if __name__ == "__main__":
    sys.exit(main())
