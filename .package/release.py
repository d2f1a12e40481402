"""
The one step of a release, see ``docs/releasing.md``.

``python .package/release.py 1.2.3`` gives what is unreleased in the changelog to the
version, commits that, tags the commit, and pushes both.
"""

from __future__ import annotations

import argparse
import datetime as dt
import re
import subprocess
import sys

from typing import Final

from ready import CHANGELOG, ROOT, problems, section


WAITING: Final = "## [Unreleased]\n"


def dated(changelog: str, version: str, date: dt.date) -> str:
    """
    Give what is unreleased to a version, unless that has its section already.
    """
    if section(changelog, version):
        return changelog
    return changelog.replace(WAITING, f"{WAITING}\n\n## [{version}] - {date}\n", 1)


def git(*words: str) -> None:
    """
    Run a command of git.
    """
    subprocess.run(["git", *words], cwd=ROOT, check=True)


def git_says(*words: str) -> str:
    """
    What a command of git prints.
    """
    command = ["git", *words]
    return subprocess.run(
        command, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout


def main() -> int:
    """
    Release a version, or print what keeps it from being released.
    """
    parser = argparse.ArgumentParser(description="Release a version from main.")
    parser.add_argument("version", help="the version, as 1.2.3")
    version: str = parser.parse_args().version
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", version):
        parser.error(f"{version} is not a version as 1.2.3 or 1.2.3rc1")
    if git_says("status", "--porcelain"):
        print("there are changes that are not committed")
        return 1
    git("switch", "main")
    git("pull", "--ff-only", "origin", "main")
    before = CHANGELOG.read_text("utf-8")
    changelog = dated(before, version, dt.datetime.now(dt.UTC).date())
    if found := list(problems(version, changelog)):
        print(*found, sep="\n")
        return 1
    if changelog != before:
        CHANGELOG.write_text(changelog, "utf-8", newline="\n")
        git("commit", "--message", f"Release {version}", str(CHANGELOG))
    git("tag", "--annotate", f"v{version}", "--message", f"rummyvariants {version}")
    try:
        git("push", "--atomic", "origin", "main", f"v{version}")
    except subprocess.CalledProcessError:
        git("tag", "--delete", f"v{version}")
        git("reset", "--hard", "origin/main")
        print("the push was refused: nothing was released, and nothing has changed")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
