"""
Count what `.ci/run` has run: tests one by one, each other session as one check.

``python .ci/count.py REPORTS NAMES`` reads the reports of nox and pytest in a folder. A
session that was asked for and has left no report has failed, and so has one of tests
that ran none.
"""

from __future__ import annotations

import json
import re
import sys

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET


def tests_of(report: Path) -> tuple[int, int]:
    """
    How many tests of a session have passed, and how many failed.
    """
    if not report.exists():
        return 0, 0
    try:
        suites = [one.attrib for one in ET.parse(report).iter("testsuite")]
    except ET.ParseError:  # pytest was stopped
        return 0, 1
    failed = sum(int(one["failures"]) + int(one["errors"]) for one in suites)
    left_out = sum(int(one["skipped"]) for one in suites)
    return sum(int(one["tests"]) for one in suites) - failed - left_out, failed


def main(folder: Path, names: Iterable[str]) -> int:
    """
    Print what came of each session, and the numbers; the status says if all is well.
    """
    found: dict[str, list[dict[str, Any]]] = {one: [] for one in names}
    for report in folder.glob("*.json"):
        for one in json.loads(report.read_text("utf-8"))["sessions"]:
            found.setdefault(one["name"], []).append(one)
    total = {True: 0, False: 0}
    for name, sessions in found.items():
        for one in sessions or [{"result": "no report", "signatures": []}]:
            full, *_ = [*one["signatures"], name]
            slug = re.sub(r"\W+", "-", full)
            report = folder / f"{slug}.xml"
            passed, failed = tests_of(report)
            good = one["result"] in {"success", "skipped"}
            if one["result"] == "success" and report.exists():
                good = passed > 0
            print(f"{one['result']:9} {full}: {passed} tests passed, {failed} failed")
            total[True] += passed or good
            total[False] += failed or not good
    print(f"{total[True]} passed, {total[False]} failed")
    return total[False] > 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
