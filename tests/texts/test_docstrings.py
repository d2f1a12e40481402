"""Each public function and class shows in its docstring how to use it."""

from __future__ import annotations

import doctest
import inspect

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

import rummyvariants as rv

from rummyvariants.actions import Action
from rummyvariants.events import Event


PACKAGES = (
    "bots",
    "files",
    "game",
    "house",
    "learning",
    "melds",
    "rules",
    "simulation",
    "solver",
    "svg",
    "testing",
    "vector",
)
"""The public modules that say in ``__all__`` what is public."""


def public() -> Iterator[tuple[str, Any]]:
    """
    Public functions and classes by where they are found.

    Errors are raised by the library alone, and kinds of events are made by it.
    """
    yield "cards.parse_cards", rv.cards.parse_cards
    for kind in Action.__subclasses__():
        if kind.__module__ == Action.__subclasses__()[0].__module__:
            yield f"actions.{kind.__name__}", kind
    yield "events.Event", Event
    for name in rv.__all__:
        yield name, getattr(rv, name)
    for package in PACKAGES:
        module = import_module(f"rummyvariants.{package}")
        for name in module.__all__:
            yield f"{package}.{name}", getattr(module, name)


def is_shown(value: object) -> bool:
    if inspect.isclass(value):
        return not issubclass(value, Exception)
    return callable(value)


PUBLIC = {name: value for name, value in public() if is_shown(value)}


def documented(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """
    A public value and its own public members, each with its docstring.
    """
    yield name, value.__doc__ or ""
    if inspect.isclass(value):
        for member, one in vars(value).items():
            function = getattr(one, "__func__", one)
            if not member.startswith("_") and function.__doc__:
                yield f"{name}.{member}", function.__doc__


@pytest.mark.parametrize("name", PUBLIC)
def test_a_docstring_has_examples_that_run(name: str) -> None:
    if name.startswith("vector."):
        pytest.importorskip("numpy")
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    said: list[str] = []
    for place, text in documented(name, PUBLIC[name]):
        test = parser.get_doctest(text, {"rv": rv}, place, None, 0)
        assert test.examples or place != name, f"{name} has no example"
        runner.run(test, out=said.append)
    assert not said, "".join(said)
