"""The pages are true: consoles show what is printed, and no name is left out."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import types

from pathlib import Path

import pytest

from places import ROOT


DOCS = ROOT / "docs"


def console_examples() -> list[tuple[str, str, str]]:
    """
    The page below `docs`, command and output of every fence that shows a terminal.
    """
    found = []
    for page in sorted(DOCS.rglob("*.md")):
        for fence in re.findall(
            r"(?ms)^```console\n(.*?)^```$", page.read_text("utf-8")
        ):
            command, _, output = fence.partition("\n")
            found.append(
                (str(page.relative_to(DOCS)), command.removeprefix("$ "), output)
            )
    return found


@pytest.mark.parametrize(("page", "command", "output"), console_examples())
def test_console_prints_what_the_page_shows(
    page: str, command: str, output: str, tmp_path: Path
) -> None:
    # A tutorial has its files in a folder, where its reader has written them.
    files = (ROOT / "examples" / page).with_suffix("")
    if files.is_dir():
        shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    words = shlex.split(command)
    assert words[0] == "rummyvariants", page
    typed = words[words.index("<<<") + 1] if "<<<" in words else ""
    if typed:
        words = words[: words.index("<<<")]
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=tmp_path if files.is_dir() else ROOT,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )
    checker = doctest.OutputChecker()
    # A prompt ends no line, but a fence does.
    printed = done.stdout if done.stdout.endswith("\n") else f"{done.stdout}\n"
    same = checker.check_output(output, printed, doctest.ELLIPSIS)
    assert same, done.stdout + done.stderr


@pytest.fixture(name="in_the_api", scope="module")
def _in_the_api() -> set[str]:
    """
    The names that the pages of the API describe.
    """
    pages = sorted((DOCS / "reference" / "api").glob("*.md"))
    page = "".join(one.read_text("utf-8") for one in pages)
    text = importlib.import_module("api_lists").expanded(page)
    directive = r"(?m)^\.\. (?:auto\w+|py:data):: (?:rummyvariants\.)?(\S+)$"
    return {*re.findall(directive, text)}


@pytest.mark.parametrize(
    "folder", ["", "files", "game", "house", "learning", "policies"]
)
def test_every_public_name_is_in_the_api(folder: str, in_the_api: set[str]) -> None:
    package = importlib.import_module(f"rummyvariants.{folder}".rstrip("."))
    missing = {
        name
        for name in package.__all__
        if not isinstance(getattr(package, name), types.ModuleType)
        and not {name, f"{folder}.{name}"} & in_the_api
    }
    assert not missing


def test_no_page_has_something_left_to_do() -> None:
    for page in (ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")):
        assert "TODO" not in page.read_text("utf-8"), page.name


def test_pages_are_written_only_if_they_say_something_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(DOCS)
    pages = importlib.import_module("pages")
    same, other = tmp_path / "made" / "same.md", tmp_path / "other.md"
    made = {same: "as before\n", other: "one\n"}
    monkeypatch.setattr(pages, "DOCS", tmp_path)
    monkeypatch.setattr(pages, "STAMP", tmp_path / "_build" / "pages.txt")
    monkeypatch.setattr(pages, "fingerprint", lambda: str(made))
    monkeypatch.setattr(pages, "pages", lambda: made)
    pages.make()
    os.utime(same, (1, 1))
    other.write_text("changed by hand\n", "utf-8")
    pages.make()
    assert other.read_text("utf-8") == "changed by hand\n"
    del made[other]
    pages.make()
    assert not other.exists()
    assert same.stat().st_mtime == 1
    same.unlink()
    pages.make()
    assert same.read_text("utf-8") == "as before\n"


def lines_of_code(text: str) -> int:
    """
    The lines of a file, without blank ones, comments and docstrings.
    """
    plain = re.sub(r'(?m)^ *"""(?s:.*?)"""$', "", text)
    return sum(
        bool(line.strip(" #")) and line.strip()[0] != "#" for line in plain.splitlines()
    )


def test_the_ledger_of_games_is_true() -> None:
    """
    What the design says of the length of each game of its own file.
    """
    games = ROOT / "src" / "rummyvariants" / "games"
    page = (ROOT / "docs" / "design.md").read_text("utf-8")
    rows = re.findall(r"(?m)^\| ([\w-]+) \| (\d+) \| (\d+) \| (\w+) \|", page)
    stated = {name: tuple(numbers) for name, *numbers in rows}
    found = {}
    for path in games.glob("*.toml"):
        text = path.read_text("utf-8")
        values, rule, facts = text.partition("[[rule]]")
        modules = tomllib.loads(text).get("modules", ())
        own = [(games / f"{one}.py").read_text("utf-8") for one in modules]
        if rule:
            module = sum(map(lines_of_code, own)) or "none"
            counted = (lines_of_code(values), lines_of_code(rule + facts), module)
            found[path.stem] = tuple(map(str, counted))
    assert stated == found
