"""
Pages in a real browser: Debian's Chromium or Firefox, driven by Playwright.

A test file that needs it begins with ``pytest.importorskip("playwright")``; where the
browser is not installed, its tests are left out by name.
"""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import threading

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest


CHROMIUM: Final = shutil.which(os.environ.get("CHROMIUM", "chromium"))
FIREFOX: Final = shutil.which(os.environ.get("FIREFOX", "firefox-esr"))
"""The browsers, as far as they are on this machine."""
_QUIET: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium() -> Iterator[Any]:
    """
    Chromium, running: Playwright's `Browser`. The test is left out if there is none.
    """
    yield from _running("chromium", CHROMIUM, args=list(_QUIET))


@contextmanager
def firefox() -> Iterator[Any]:
    """
    Firefox, running, as `chromium`.
    """
    # The channel is for a Firefox as it is published, which speaks WebDriver BiDi.
    yield from _running("firefox", FIREFOX, channel="moz-firefox")


def _running(name: str, program: str | None, **options: Any) -> Iterator[Any]:
    api = pytest.importorskip(
        "playwright.sync_api", reason="the dependency group `browser` is not there"
    )
    if program is None:
        pytest.skip(f"{name.capitalize()} is not installed")
    with api.sync_playwright() as playwright:
        browser = getattr(playwright, name).launch(
            executable_path=program, headless=True, **options
        )
        try:
            yield browser
        finally:
            browser.close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """
    A server of files that prints nothing.
    """

    def log_message(self, *_: object) -> None:
        """
        Say nothing.
        """


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """
    The address of a folder, served over HTTP as any server of files would.
    """
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def opened(browser: Any, address: str, **options: Any) -> Iterator[Any]:
    """
    A page of its own, which fails the test if a script of it fails.

    Args:
        browser: The browser.
        address: What to open.
        options: What Playwright's `new_context` takes, such as ``viewport``.
    """
    context = browser.new_context(**options)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console",
        lambda said: errors.append(said.text) if said.type == "error" else None,
    )
    try:
        page.goto(address)
        yield page
        assert not errors, errors
    finally:
        context.close()
