"""
The page "Try it" in a real browser.

Left out where the dependency group `browser` or Chromium is missing; `.ci/run` has
both. `TRY_IT` names a folder with the page, if it is built already.
"""

from __future__ import annotations

import importlib.util
import os

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import chromium, opened, served


ROOT = Path(__file__).parents[1]
POSITION = """\
title = "What may Ann discard?"
rules = "rummy-500"

[position]
seats = ["Ann", "Ben"]
dealer = "Ben"
turn = "Ann"
phase = "play"
hands = { Ann = "7h 9h Kc", Ben = "2c" }
discards = "5c"
stock = "6c 2d"

[expect]
"""


@pytest.fixture(name="browser", scope="module")
def _browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


@pytest.fixture(name="address", scope="module")
def _address(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    assert browser
    folder = os.environ.get("TRY_IT")
    if folder is None:
        # The name of the folder says nothing: the page works in any.
        folder = str(tmp_path_factory.mktemp("pages") / "any where")
        spec = importlib.util.spec_from_file_location(
            "try_it", ROOT / "docs" / "try_it.py"
        )
        assert spec
        assert spec.loader
        builder = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(builder)
        try:
            builder.make(Path(folder))
        except builder.LeftOut as why:
            pytest.skip(f"the page cannot be built: {why}")
    with served(Path(folder)) as address:
        yield f"{address}/index.html"


@pytest.fixture(name="page")
def _page(browser: Any, address: str) -> Iterator[Any]:
    with opened(browser, address) as page:
        page.get_by_text("Ready").wait_for(timeout=60_000)
        yield page


def test_python_runs_beside_the_page_and_answers_also_offline(page: Any) -> None:
    page.context.set_offline(True)
    ask = "given => python.ask('ask.text', given)"
    found = page.evaluate(ask, {"text": POSITION, "action": "discard Kc"})
    assert found["ruling"]["legal"]
    assert found["ruling"]["rule"] == "BN-14"
    found = page.evaluate(ask, {"text": POSITION, "action": "meld 7h 9h Kc"})
    assert not found["ruling"]["legal"]
    assert found["ruling"]["source"]
