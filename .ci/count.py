"""
Count what `.ci/run` has run: tests one by one, each other session as one check.
"""

from __future__ import annotations

import json
import re
import sys

from pathlib import Path
from xml.etree import ElementTree as ET


def tests_of(report: Path) -> tuple[int, int]:
    """
    How many tests of a session have passed, and how many failed.
    """
    if not report.exists():
        return 0, 0
    suites = [one.attrib for one in ET.parse(report).iter("testsuite")]
    failed = sum(int(one["failures"]) + int(one["errors"]) for one in suites)
    left_out = sum(int(one["skipped"]) for one in suites)
    return sum(int(one["tests"]) for one in suites) - failed - left_out, failed


def main(folder: Path) -> int:
    """
    Print what came of each session, and the numbers; the status says if all is well.
    """
    total = {True: 0, False: 0}
    for report in sorted(folder.glob("*.json")):
        for one in json.loads(report.read_text("utf-8"))["sessions"]:
            name = re.sub(r"\W+", "-", one["name"])
            passed, failed = tests_of(folder / f"{name}.xml")
            good = one["result"] in {"success", "skipped"}
            print(f"{one['result']:8} {one['name']}: {passed} tests, {failed} failed")
            total[True] += passed or good
            total[False] += failed or not good
    print(f"{total[True]} passed, {total[False]} failed")
    return total[False] > 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
