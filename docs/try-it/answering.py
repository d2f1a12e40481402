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
import desk
import lines
import playing

from rummyvariants import svg
from rummyvariants.errors import ProblemsError, RummyError


Answer = dict[str, Any]


def answer(text: str) -> str:
    """
    Answer a question of the page.

    Args:
        text: JSON: ``ask`` is the name of the question, the other keys what it is
            about.

    Returns:
        JSON: ``answer``, or ``error`` with all ``problems``, each with its ``text`` and
        the ``line`` of the text that was sent, where there is one.
    """
    given = json.loads(text)
    try:
        found: Answer = {"answer": QUESTIONS[given.pop("ask")](**given)}
    except RummyError as error:
        problems = (
            [*error.problems] if isinstance(error, ProblemsError) else [str(error)]
        )
        sent = given.get("text", "")
        found = {"error": {"problems": lines.located(problems, sent)}}
    return json.dumps(found)


def about() -> Answer:
    """
    What runs here.
    """
    return {
        "python": platform.python_version(),
        "version": metadata.version("rummyvariants"),
        "sprite": svg.sprite(),
        **desk.games(),
    }


QUESTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "about": about,
    "rules": desk.rules,
    "rules.fits": desk.fits,
    "rules.file": desk.read_file,
    "rules.link": desk.read_link,
    "ask": asking.ask,
    "ask.allowed_by": asking.allowed_by,
    "ask.cards": asking.cards,
    "ask.paste": asking.paste,
    "ask.example": asking.example,
    "play.start": playing.start,
    "play.open": playing.open_record,
    "play.go_on": playing.go_on,
    "play.do": playing.do,
    "play.deal": playing.deal,
    "play.actions": playing.actions,
    "play.undo": playing.undo,
    "play.hint": playing.hint,
    "play.sheet": playing.score_sheet,
    "play.save": playing.save,
}
"""What answers each question."""
