"""Each public function and class shows in its docstring how to use it."""

from __future__ import annotations

import doctest
import inspect

from collections.abc import Iterator
from typing import Any

import pytest

import rummyvariants as rv

from rummyvariants import actions, cards, errors, events, solver, svg, vector


NAMED = [getattr(rv, name) for name in rv.__all__]
MODULES = [*filter(inspect.ismodule, NAMED), solver, svg, vector]
"""The public modules."""
MADE_BY_THE_LIBRARY = (Exception, events.Event)
"""The classes of values that are caught or read: an example of each says no more."""


def public() -> Iterator[tuple[str, Any]]:
    """
    The public functions and classes, by where they are found.
    """
    for module in (rv, *MODULES):
        prefix = module.__name__.removeprefix("rummyvariants").lstrip(".")
        for name in getattr(module, "__all__", ()):
            yield f"{prefix}.{name}".lstrip("."), getattr(module, name)
    bases = ((actions, rv.Action), (errors, rv.RummyError), (events, events.Event))
    for module, base in bases:
        for name, value in vars(module).items():
            if inspect.isclass(value) and issubclass(value, base):
                yield f"{module.__name__.rpartition('.')[2]}.{name}", value
    yield "cards.parse_cards", cards.parse_cards


PUBLIC = {name: value for name, value in public() if callable(value)}


def documented(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """
    A public value and its own public methods and properties, each with its docstring.
    """
    yield name, value.__doc__ or ""
    if inspect.isclass(value):
        for member, one in vars(value).items():
            method = getattr(one, "__func__", one)
            if member[0] != "_" and (
                inspect.isroutine(method) or isinstance(method, property)
            ):
                yield f"{name}.{member}", method.__doc__ or ""


@pytest.mark.parametrize("name", PUBLIC)
def test_a_docstring_has_examples_that_run(name: str) -> None:
    value = PUBLIC[name]
    if value is vector.Games:
        pytest.importorskip("numpy")
    if not (inspect.isclass(value) and issubclass(value, MADE_BY_THE_LIBRARY)):
        assert ">>> " in (value.__doc__ or ""), "it has no example"
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    said: list[str] = []
    for place, text in documented(name, value):
        runner.run(
            parser.get_doctest(text, {"rv": rv}, place, None, 0), out=said.append
        )
    assert not said, "".join(said)
