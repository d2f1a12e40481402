"""
The built pages in a real browser: what is seen first, and what a search finds first.

`SITE` names a folder with the pages; without it, or without Chromium, this is left out.
"""

from __future__ import annotations

import os

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from browser import chromium, served


SITE = os.environ.get("SITE")

pytestmark = pytest.mark.skipif(SITE is None, reason="SITE names no built pages")


@pytest.fixture(name="browser", scope="module")
def _browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


@pytest.fixture(name="address", scope="module")
def _address() -> Iterator[str]:
    with served(Path(SITE or "")) as address:
        yield address


@pytest.mark.parametrize(("width", "height"), [(1300, 800), (400, 850)])
def test_picture_question_and_answer_are_seen_without_scrolling(
    browser: Any, address: str, width: int, height: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": height})
    with closing(page):
        page.goto(f"{address}/index.html")
        for what in ("img[src*=question]", "text=Ann asks", "text=refused:"):
            box = page.locator(f"article >> {what}").first.bounding_box()
            assert box["y"] >= 0, what
            assert box["y"] + box["height"] <= height, what
            assert box["x"] + box["width"] <= width, what


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("install", "index"),
        ("save game", "how-to/keep-games"),
        ("mcts", "how-to/write-a-bot"),
        ("take three cards", "how-to/settle-a-dispute"),
        ("undo", "how-to/drive-a-game"),
        ("simulate", "how-to/simulate"),
        ("PGV-P4", "reference/options"),
    ],
)
def test_a_search_finds_the_guide_first(
    browser: Any, address: str, typed: str, found: str
) -> None:
    with closing(browser.new_page()) as page:
        page.goto(f"{address}/search.html?q={quote(typed)}")
        page.wait_for_selector("ul.search li")
        first = page.locator("ul.search li a").first.get_attribute("href")
        assert first.partition(".html")[0] == found
