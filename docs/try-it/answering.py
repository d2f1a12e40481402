"""
The questions of the page "Try it", and what answers each.

The page sends texts of JSON to a worker, and the worker hands them to `answer`.
"""

from __future__ import annotations

import json
import platform

from collections.abc import Callable, Mapping
from importlib import metadata
from typing import Any, Final

import asking

from rummyvariants.errors import ProblemsError, RummyError


Answer = dict[str, Any]


def answer(text: str) -> str:
    """
    Answer a question of the page.

    Args:
        text: JSON: ``ask`` is the name of the question, the other keys what it is
            about.

    Returns:
        JSON: ``answer``, or ``error`` with a ``message`` and all ``problems``.
    """
    given = json.loads(text)
    try:
        found: Answer = {"answer": QUESTIONS[given.pop("ask")](**given)}
    except ProblemsError as error:
        found = {"error": {"message": str(error), "problems": [*error.problems]}}
    except RummyError as error:
        found = {"error": {"message": str(error), "problems": str(error).split("\n")}}
    return json.dumps(found)


def about() -> Answer:
    """
    What runs here.
    """
    return {
        "python": platform.python_version(),
        "version": metadata.version("rummyvariants"),
    }


QUESTIONS: Final[Mapping[str, Callable[..., Answer]]] = {
    "about": about,
    "ask.text": asking.of_text,
}
"""What answers each question."""
