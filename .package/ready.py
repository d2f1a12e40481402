"""
Whether a version is ready to be published.

``python .package/ready.py [--tag v1.2.3] [FILE ...]`` prints what is missing, and fails
if anything is. The files are those that would be published.
"""

from __future__ import annotations

import argparse
import fnmatch
import re
import sys
import tomllib

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final


ROOT: Final = Path(__file__).parents[1]
PLATFORMS: Final = (
    "manylinux*_x86_64",
    "manylinux*_aarch64",
    "macosx*_x86_64",
    "macosx*_arm64",
    "win_amd64",
)
"""For each of them, and each version of Python, there is a compiled wheel."""
_SECTION: Final = re.compile(
    r"(?m)^## \[Unreleased\]\n(?P<waiting>(?s:.*?))"
    r"^## \[(?P<version>[^]]+)\] - (?P<date>\d{4}-\d\d-\d\d)$"
)


def disagreements(project: dict[str, Any], changelog: str, citation: str) -> list[str]:
    """
    Where the changelog and the citation file name another version than the project.

    Args:
        project: The table ``project`` of ``pyproject.toml``.
        changelog: The text of ``CHANGELOG.md``.
        citation: The text of ``CITATION.cff``.
    """
    section = _SECTION.search(changelog)
    if section is None:
        return ["CHANGELOG.md: Unreleased and a version with its date are wanted"]
    found = []
    if section["version"] != project["version"]:
        found.append(
            f"CHANGELOG.md: the latest version is {section['version']}, "
            f"in pyproject.toml {project['version']}"
        )
    for key, wanted in (
        ("version", project["version"]),
        ("date-released", section["date"]),
    ):
        if not re.search(rf'(?m)^{key}: "?{re.escape(wanted)}"?$', citation):
            found.append(f"CITATION.cff: {key} is to be {wanted}")
    return found


def problems(tag: str | None, files: Sequence[str]) -> Iterator[str]:
    """
    What keeps the version from being published.

    Args:
        tag: The tag that it is published from, if that is checked.
        files: The names of the built files, if these are checked.
    """
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project = pyproject["project"]
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    yield from disagreements(project, changelog, citation)
    section = _SECTION.search(changelog)
    if section and section["waiting"].strip():
        yield "CHANGELOG.md: there are unreleased changes"
    if not pyproject["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"]:
        yield (
            "pyproject.toml: the address of the repository is unknown: "
            "set `repository` below [tool.hatch.metadata.hooks.custom]"
        )
    if tag is not None and tag != f"v{project['version']}":
        yield f"the tag is {tag}, and the version is {project['version']}"
    if files:
        yield from _missing(project, files)


def _missing(project: dict[str, Any], files: Sequence[str]) -> Iterator[str]:
    stem = f"{project['name']}-{project['version']}"
    left = set(files) - {f"{stem}.tar.gz", f"{stem}-py3-none-any.whl"}
    for name in sorted({f"{stem}.tar.gz", f"{stem}-py3-none-any.whl"} - set(files)):
        yield f"{name} is missing"
    for classifier in project["classifiers"]:
        if found := re.fullmatch(r"Programming Language :: .* 3\.(\d+)", classifier):
            for platform in PLATFORMS:
                wheel = f"{stem}-cp3{found[1]}-cp3{found[1]}-{platform}.whl"
                fitting = fnmatch.filter(left, wheel)
                left -= {*fitting}
                if not fitting:
                    yield f"{wheel} is missing"
    for name in sorted(left):
        yield f"{name} is not expected"


def main() -> int:
    """
    Print what is missing, a line each.
    """
    parser = argparse.ArgumentParser(description="Is the version ready?")
    parser.add_argument("--tag", help="the tag that it is published from")
    parser.add_argument("files", nargs="*", type=Path, help="the built files")
    given = parser.parse_args()
    found = list(problems(given.tag, [file.name for file in given.files]))
    print(*(found or ["ready"]), sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
