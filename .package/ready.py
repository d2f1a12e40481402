"""
Whether a version is ready to be published, and the notes of its release.

``python .package/ready.py VERSION [--notes FILE] [FILE ...]`` prints what is missing,
and fails if anything is. The files are those that would be published.
"""

from __future__ import annotations

import argparse
import fnmatch
import re
import sys
import tomllib

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final


ROOT: Final = Path(__file__).parents[1]
CHANGELOG: Final = ROOT / "CHANGELOG.md"
PLATFORMS: Final = (
    "manylinux*_x86_64",
    "manylinux*_aarch64",
    "macosx*_x86_64",
    "macosx*_arm64",
    "win_amd64",
)
"""For each of them, and each version of Python, there is a compiled wheel."""
BROWSER: Final = "cp3*-cp3*-pyemscripten_*_wasm32"
"""There may be a compiled wheel for Pyodide."""


def section(changelog: str, name: str) -> str:
    """
    What a changelog says below the heading of a version, or of what is unreleased.
    """
    heading = rf"^## \[{re.escape(name)}\].*?$"
    found = re.search(rf"(?ms){heading}(.*?)(?=^## \[|\Z)", changelog)
    return found[1].strip() if found else ""


def problems(
    version: str, changelog: str, files: Collection[str] = ()
) -> Iterator[str]:
    """
    What keeps a version from being published.

    Args:
        version: The version.
        changelog: The text of the changelog.
        files: The names of the built files, if these are checked.
    """
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    if not section(changelog, version):
        yield f"CHANGELOG.md: there is no section [{version}]"
    if section(changelog, "Unreleased"):
        yield "CHANGELOG.md: there are unreleased changes"
    if not pyproject["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"]:
        yield (
            "pyproject.toml: the address of the repository is unknown: "
            "set `repository` below [tool.hatch.metadata.hooks.custom]"
        )
    if files:
        yield from _missing(pyproject["project"], version, files)


def _missing(
    project: dict[str, Any], version: str, files: Collection[str]
) -> Iterator[str]:
    stem = f"{project['name']}-{version}"
    wanted = [f"{stem}.tar.gz", f"{stem}-py3-none-any.whl"]
    for classifier in project["classifiers"]:
        if found := re.fullmatch(r"Programming Language :: .* 3\.(\d+)", classifier):
            python = f"cp3{found[1]}-cp3{found[1]}"
            wanted += [f"{stem}-{python}-{platform}.whl" for platform in PLATFORMS]
    for name in wanted:
        if not fnmatch.filter(files, name):
            yield f"{name} is missing"
    wanted.append(f"{stem}-{BROWSER}.whl")
    for name in files:
        if not any(fnmatch.fnmatch(name, one) for one in wanted):
            yield f"{name} is not expected"


def main() -> int:
    """
    Print what is missing, a line each, and write the notes.
    """
    parser = argparse.ArgumentParser(description="Is the version ready?")
    parser.add_argument("version", help="the version, or the tag: 1.2.3 or v1.2.3")
    parser.add_argument("--notes", type=Path, help="where to write the release's notes")
    parser.add_argument("files", nargs="*", type=Path, help="the built files")
    given = parser.parse_args()
    version = given.version.removeprefix("v")
    changelog = CHANGELOG.read_text("utf-8")
    if given.notes:
        given.notes.write_text(section(changelog, version), "utf-8")
    found = list(problems(version, changelog, [file.name for file in given.files]))
    print(*(found or ["ready"]), sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
