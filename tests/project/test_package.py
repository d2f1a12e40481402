"""What is said of a version agrees wherever it is said, and links lead somewhere."""

from __future__ import annotations

import ast
import datetime as dt
import fnmatch
import importlib
import json
import re
import runpy
import sys

from types import ModuleType

import pytest

from places import ROOT


ADDRESS = "https://forge.example/someone/rummyvariants"
CHANGELOG = """# Changelog


## [Unreleased]

- New.


## [0.9.0] - 2026-01-02

- Old.
"""


def script(name: str) -> ModuleType:
    """
    A script of `.package`, which imports others from there.
    """
    if (folder := str(ROOT / ".package")) not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(name)


@pytest.fixture(name="hook")
def _hook() -> ModuleType:
    pytest.importorskip("hatchling", reason="hatchling runs the hook")
    return script("metadata")


def metadata(
    hook: ModuleType, repository: str, documentation: str = "", version: str = "1.2.3"
) -> dict:
    given = {"repository": repository, "documentation": documentation}
    found = {"version": version}
    hook.Addresses(str(ROOT), given).update(found)
    return found


def test_what_is_unreleased_becomes_the_section_of_a_version():
    dated, section = script("release").dated, script("ready").section
    changelog = dated(CHANGELOG, "1.2.3", dt.date(2026, 2, 3))
    assert section(changelog, "Unreleased") == ""
    assert "\n\n\n## [1.2.3] - 2026-02-03\n\n- New.\n\n\n## [0.9.0]" in changelog
    assert section(changelog, "1.2.3") == "- New."
    assert section(changelog, "0.9.0") == "- Old."
    assert dated(changelog, "1.2.3", dt.date(2026, 2, 4)) == changelog


def test_each_version_of_the_changelog_has_its_section():
    ready = script("ready")
    changelog = ready.CHANGELOG.read_text("utf-8")
    names = re.findall(r"(?m)^## \[(.+)\]", changelog)
    assert names[0] == "Unreleased"
    assert script("release").WAITING in changelog
    assert all(ready.section(changelog, name) for name in names[1:])


@pytest.mark.parametrize(
    ("version", "missing"),
    [
        ("0.9.0", "CHANGELOG.md: there are unreleased changes"),
        ("1.2.3", "CHANGELOG.md: there is no section [1.2.3]"),
    ],
)
def test_a_release_needs_its_section_of_the_changelog(version, missing):
    assert missing in script("ready").problems(version, CHANGELOG)


def test_a_release_needs_all_files_of_its_version():
    problems = script("ready").problems
    whole = ["rummyvariants-1.2.3.tar.gz", "rummyvariants-1.2.3-py3-none-any.whl"] + [
        f"rummyvariants-1.2.3-cp3{minor}-cp3{minor}-{platform}.whl"
        for minor in (11, 12, 13, 14)
        for platform in (
            "manylinux_2_28_x86_64",
            "manylinux_2_28_aarch64",
            "macosx_10_9_x86_64",
            "macosx_11_0_arm64",
            "win_amd64",
        )
    ]
    before = set(problems("1.2.3", ""))
    browser = "rummyvariants-1.2.3-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
    assert set(problems("1.2.3", "", whole)) == before
    assert set(problems("1.2.3", "", [*whole, browser])) == before
    for name in whole:
        (found,) = set(problems("1.2.3", "", {*whole} - {name})) - before
        assert fnmatch.fnmatch(name, found.removesuffix(" is missing"))
    assert f"{browser} is not expected" in problems("1.2.4", "", [browser])


@pytest.mark.skipif(
    not (ROOT / ".github").exists(), reason="the sdist has no files of the forge"
)
def test_what_is_published_was_tested():
    workflows = ROOT / ".github" / "workflows"
    release = (workflows / "release.yml").read_text("utf-8")
    assert "uses: ./.github/workflows/ci.yml" in release
    needed = re.search(r"(?s)\n  publish:.*?\n    needs: \[([^]]*)\]", release)
    assert needed
    assert {*needed[1].split(", ")} == {"check", "ci", "uncompiled"}
    # It finds the address with sed.
    assert re.findall('(?m)^repository = "', (ROOT / "pyproject.toml").read_text())
    assert "workflow_call:" in (workflows / "ci.yml").read_text("utf-8")


@pytest.mark.skipif(
    not (ROOT / ".github").exists(), reason="the sdist has no files of the forge"
)
def test_every_check_runs_on_the_forge():
    checks: dict[bool, set[str]] = {True: set(), False: set()}
    for node in ast.parse((ROOT / ".ci" / "noxfile.py").read_text("utf-8")).body:
        for mark in getattr(node, "decorator_list", ()):
            said = ast.unparse(mark)
            if said.startswith("check"):
                checks["default=False" not in said].add(node.name)
    run = (ROOT / ".ci" / "run").read_text("utf-8")
    assert checks[True] == {*re.search(r"(?m)^checks=\((.*)\)$", run)[1].split()}
    for file, names in (
        ("ci.yml", checks[True] - {"versions"}),  # its matrix has the versions
        ("nightly.yml", checks[False]),
    ):
        text = (ROOT / ".github" / "workflows" / file).read_text("utf-8")
        found = re.search(r"session: *\[([^]]*)\]|session:\n((?: +- \w+\n)+)", text)
        assert {*re.findall(r"\w+", found[1] or found[2])} == names


def test_without_an_address_there_are_no_links(hook):
    found = metadata(hook, "")
    assert "urls" not in found
    assert found["readme"]["text"] == (ROOT / "README.md").read_text("utf-8")


def test_links_of_the_project_follow_from_its_address(hook):
    assert metadata(hook, ADDRESS)["urls"] == {
        "Documentation": f"{ADDRESS}/tree/v1.2.3/docs",
        "Source": ADDRESS,
        "Issues": f"{ADDRESS}/issues",
        "Changelog": f"{ADDRESS}/blob/v1.2.3/CHANGELOG.md",
    }
    pages = "https://pages.example"
    assert metadata(hook, ADDRESS, pages)["urls"]["Documentation"] == pages
    found = metadata(hook, ADDRESS, version="1.2.4.dev5")
    assert found["urls"]["Changelog"] == f"{ADDRESS}/blob/HEAD/CHANGELOG.md"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[a](docs/a.md#b)", "[a](A/blob/v1/docs/a.md#b)"),
        ("![a](docs/a.svg)", "![a](A/raw/v1/docs/a.svg)"),
        ("[![a](b.svg)](c.md)", "[![a](A/raw/v1/b.svg)](A/blob/v1/c.md)"),
        (
            '<a href="a.md"><img src="b.png">',
            '<a href="A/blob/v1/a.md"><img src="A/raw/v1/b.png">',
        ),
        ('<source srcset="b.svg">', '<source srcset="A/raw/v1/b.svg">'),
        ("[a](https://b.example)", "[a](https://b.example)"),
        ("[a](#b)", "[a](#b)"),
        ("```\n[a](b)\n```\n[a](b)", "```\n[a](b)\n```\n[a](A/blob/v1/b)"),
    ],
)
def test_relative_links_become_absolute(hook, before, after):
    assert hook.absolute(before, "A", "v1") == after


def test_every_relative_link_of_the_readme_leads_to_a_file(hook):
    text = metadata(hook, ADDRESS)["readme"]["text"]
    targets = re.findall(rf"{ADDRESS}/(?:blob|raw)/v1\.2\.3/([^)\"#\s]+)", text)
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


@pytest.mark.skipif(not (ROOT / ".ci").exists(), reason="the sdist has no checks")
def test_a_check_that_left_no_report_has_failed(tmp_path, capsys):
    count = runpy.run_path(str(ROOT / ".ci" / "count.py"))["main"]
    sessions = [
        {"name": "lint", "result": "success", "signatures": []},
        {"name": "test", "result": "success", "signatures": []},
        {"name": "versions", "result": "failed", "signatures": ["versions(v='3.12')"]},
    ]
    (tmp_path / "a.json").write_text(json.dumps({"sessions": sessions[:2]}))
    suite = '<testsuite tests="{}" failures="{}" errors="0" skipped="1"/>'
    (tmp_path / "test.xml").write_text(suite.format(8, 0))
    (tmp_path / "versions-v-3-12-.xml").write_text(suite.format(8, 2))
    assert count(tmp_path, ["lint", "test"]) == 0
    assert capsys.readouterr().out.endswith("8 passed, 0 failed\n")
    (tmp_path / "b.json").write_text(json.dumps({"sessions": sessions[2:]}))
    assert count(tmp_path, ["lint", "test", "versions", "docs"]) == 1
    assert capsys.readouterr().out.endswith("13 passed, 3 failed\n")
    (tmp_path / "test.xml").write_text(suite.format(1, 0))
    (tmp_path / "b.json").unlink()
    assert count(tmp_path, ["lint", "test"]) == 1  # no test has run
