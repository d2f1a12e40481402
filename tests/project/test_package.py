"""What is said of a version agrees wherever it is said, and links lead somewhere."""

from __future__ import annotations

import importlib.util
import re
import tomllib

from types import ModuleType

import pytest

from places import ROOT


ADDRESS = "https://forge.example/someone/rummyvariants"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        name, ROOT / ".package" / f"{name}.py"
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(name="hook")
def _hook() -> ModuleType:
    pytest.importorskip("hatchling", reason="hatchling runs the hook")
    return script("metadata")


def project() -> dict[str, object]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def metadata(hook: ModuleType, repository: str, documentation: str = "") -> dict:
    given = {"repository": repository, "documentation": documentation}
    found = {"version": "1.2.3"}
    hook.Addresses(str(ROOT), given).update(found)
    return found


def test_changelog_and_citation_name_the_version_of_the_project():
    texts = [
        (ROOT / name).read_text("utf-8") for name in ("CHANGELOG.md", "CITATION.cff")
    ]
    assert not script("ready").disagreements(project(), *texts)


def test_another_version_in_a_file_is_reported():
    changelog = "## [Unreleased]\n\n\n## [0.9.0] - 2026-01-02\n"
    citation = 'version: 1.0.0\ndate-released: "2026-01-03"\n'
    found = script("ready").disagreements({"version": "1.0.0"}, changelog, citation)
    assert found == [
        "CHANGELOG.md: the latest version is 0.9.0, in pyproject.toml 1.0.0",
        "CITATION.cff: date-released is to be 2026-01-02",
    ]


def test_a_release_needs_the_tag_of_the_version_and_all_files():
    ready = script("ready")
    stem = f"rummyvariants-{project()['version']}"
    whole = [f"{stem}.tar.gz", f"{stem}-py3-none-any.whl"] + [
        f"{stem}-cp3{minor}-cp3{minor}-{platform}"
        for minor in (11, 12, 13, 14)
        for platform in (
            "manylinux_2_28_x86_64.whl",
            "manylinux_2_28_aarch64.whl",
            "macosx_10_9_x86_64.whl",
            "macosx_11_0_arm64.whl",
            "win_amd64.whl",
        )
    ]
    before = set(ready.problems(None, []))
    assert set(ready.problems(f"v{project()['version']}", whole)) == before
    assert set(ready.problems("v99", [*whole[1:-1], "other.whl"])) - before == {
        f"the tag is v99, and the version is {project()['version']}",
        f"{stem}.tar.gz is missing",
        f"{stem}-cp314-cp314-win_amd64.whl is missing",
        "other.whl is not expected",
    }


@pytest.mark.parametrize(
    "platform", ["manylinux*_x86_64", "manylinux*_aarch64", "macosx*_arm64"]
)
def test_each_wheel_that_the_guide_promises_is_wanted(platform):
    ready = script("ready")
    stem = f"rummyvariants-{project()['version']}"
    others = [one for one in ready.PLATFORMS if one != platform]
    files = [f"{stem}-cp312-cp312-{one.replace('*', '_1_2')}.whl" for one in others]
    found = [*ready.problems(None, files)]
    assert f"{stem}-cp312-cp312-{platform}.whl is missing" in found
    assert not [one for one in found if "not expected" in one]


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
    assert "workflow_call:" in (workflows / "ci.yml").read_text("utf-8")
    assert "-m slow" in (workflows / "nightly.yml").read_text("utf-8")


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
