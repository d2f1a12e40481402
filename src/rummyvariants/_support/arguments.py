"""
Calls with a wrong argument, explained.

Arguments are looked at only once a call has failed, so calls that succeed cost no more.
"""

from __future__ import annotations

import builtins
import collections.abc
import contextlib
import functools
import importlib
import inspect
import re
import sys
import types
import typing

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final, SupportsIndex, TypeVar

from rummyvariants.errors import (
    RummyError,
    UnfitError,
    nearest,
    shown,
    type_name,
    unfit,
)


F = TypeVar("F", bound=Callable[..., Any])


def explained(function: F) -> F:
    """
    Let a public function say which argument is missing or of a wrong type.

    What it says follows from the annotations, and from the first call in the docstring.
    Errors that the library raises itself, and those of calls whose arguments all fit,
    stay as they are. Where an iterator is returned the arguments are looked at as well,
    since it fails only when it is used.

    Args:
        function: The function or method.

    Returns:
        A function that raises `TypeError`, with one sentence, in such a case.
    """
    hints = getattr(function, "__annotations__", {})
    returned = str(hints.get("return"))
    fails_later = "Iterator" in returned or "Generator" in returned

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            found = function(*args, **kwargs)
        except (RummyError, UnfitError):
            raise
        except Exception as error:
            if wrong := _misfit(function, args, kwargs, error):
                raise wrong from None
            raise
        if fails_later and (wrong := _misfit(function, args, kwargs)):
            raise wrong
        return found

    return typing.cast("F", called)


def _misfit(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    error: Exception | None = None,
) -> UnfitError | None:
    """
    What is wrong with the arguments of a call; None if all fit their annotations.
    """
    signature, hints = inspect.signature(function), hints_of(function)
    kinds = [one.kind for one in signature.parameters.values()]
    takes_any = inspect.Parameter.VAR_KEYWORD in kinds
    for name, value in kwargs.items():
        if name not in signature.parameters and not takes_any:
            return _unknown(function, signature, name, value)
    try:
        given = signature.bind_partial(*args, **kwargs).arguments
    except TypeError:
        given = {}
    for name, value in given.items():
        kind = signature.parameters[name].kind
        several: Iterable[Any] = (value,)
        if kind is inspect.Parameter.VAR_POSITIONAL:
            several = value
        elif kind is inspect.Parameter.VAR_KEYWORD:
            continue
        for one in several:
            if name in hints and not _fits(one, hints[name]):
                swapped = any(
                    _fits(other, hints[name]) and _fits(one, hints[its_name])
                    for its_name, other in given.items()
                    if its_name in hints and its_name != name
                )
                wanted = in_words(hints[name]) + _instead(function, name, one)
                return unfit(one, name, wanted, swapped=swapped)
    try:
        signature.bind(*args, **kwargs)
    except TypeError:
        call = example(function)
        return UnfitError(f"{error}{f', as in {call}' if call else ''}")
    return None


def _instead(function: Callable[..., Any], name: str, given: object) -> str:
    """
    What to write in place of an argument of a wrong type, where that can be guessed.
    """
    if name == "action":
        known = importlib.import_module("rummyvariants.game.verbs._known")
        return str(known.instead_of(given))
    return _INSTEAD.get((function.__name__, name), "")


_INSTEAD: Final = {
    ("compare", "b"): (
        "; rules are compared here, and bots by what they win: "
        "rv.simulate('rummy-500', ['random', 'greedy'], games=100)"
    ),
    ("register_rule", "section"): (
        "; write it above the class: @rv.house.register_rule('discard', 'its name')"
    ),
}
"""What may be meant by some arguments of a wrong type, by function and argument."""


def example(function: object) -> str:
    """
    The first call of a function in its docstring; empty if it shows none.
    """
    lines = re.sub(r"\s+\.\.\.\s*", " ", inspect.getdoc(function) or "")
    lines = lines.replace("( ", "(").replace(" )", ")")
    name = getattr(function, "__name__", "")
    called = rf"(?m)^ *>>> .*?((?:[\w.]+(?:\(\S*\))?\.)?\b{name}\()"
    start = re.search(called, lines)
    if start is None:
        return ""
    end, depth = start.end(), 1
    while depth and end < len(lines):
        depth += {"(": 1, ")": -1}.get(lines[end], 0)
        end += 1
    return lines[start.start(1) : end]


def _unknown(
    function: Callable[..., Any], signature: inspect.Signature, name: str, value: object
) -> UnfitError:
    """
    The error about a keyword that a function does not know: what was probably meant.
    """
    variants = importlib.import_module("rummyvariants.rules._variants")
    values = [f"{{{one!r}: {shown(value)}}}" for one in variants.values_called(name)]
    hint = nearest(name, [*signature.parameters])
    if values:
        meant = " or ".join([f"rules.with_values({one})" for one in values])
        hint = f"; it is a policy value: write {meant}"
    return UnfitError(f"{function.__name__}() has no argument {name!r}{hint}")


class _Names(dict[str, Any]):
    """
    What the names in an annotation mean, also those that only a type checker imports.
    """

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name):
            return getattr(builtins, name)
        return getattr(importlib.import_module("rummyvariants"), name, Any)


def hints_of(owner: Callable[..., Any]) -> dict[str, Any]:
    """
    What the annotations of a function or a class mean, where that can be found out.
    """
    found: dict[str, Any] = {}
    bases = getattr(owner, "__mro__", (owner,))
    for one in [part for kind in reversed(bases) for part in _annotated(kind)]:
        names = _Names(vars(sys.modules.get(one.__module__, builtins)))
        names |= getattr(one, "__globals__", {})
        for name, text in inspect.get_annotations(one).items():
            told = types.SimpleNamespace(__annotations__={name: text})
            found.pop(name, None)  # that of a class above
            with contextlib.suppress(Exception):
                found |= typing.get_type_hints(told, globalns={}, localns=names)
    return found


def _annotated(owner: Any) -> Iterator[Any]:
    """
    What has the annotations of a function, or those of a class and its fields.
    """
    # A compiled function has no dictionary.
    made_by = getattr(owner, "__dict__", {}).get("__init__")
    if isinstance(made_by, types.FunctionType):
        yield made_by
    yield owner


def members_of(hint: Any) -> tuple[Any, ...]:
    """
    The types of which an annotation asks for one; a single one if it is no union.
    """
    is_union = typing.get_origin(hint) in {typing.Union, types.UnionType}
    return typing.get_args(hint) if is_union else (hint,)


_CONTAINERS: Final = (Mapping, Iterable)


def _fits(value: Any, hint: Any) -> bool:
    """
    Whether a value is of the type that an annotation asks for.
    """
    if len(members := members_of(hint)) > 1:
        return any(_fits(value, one) for one in members)
    origin, parts = typing.get_origin(hint) or hint, typing.get_args(hint)
    if hint is None:
        return value is None
    if origin is typing.Literal:
        return type(value) in {type(one) for one in parts}
    if origin is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if origin is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if not isinstance(origin, type) or origin is Any:
        return True
    if getattr(origin, "_is_protocol", False) and origin is not SupportsIndex:
        asked = [one for one in vars(origin) if not one.startswith("_")]
        plain = not isinstance(value, type)
        return plain and all(hasattr(value, one) for one in asked)
    if not isinstance(value, origin):
        return False
    if origin is tuple or not issubclass(origin, _CONTAINERS) or not parts:
        return True
    if isinstance(value, Mapping):
        pairs = zip((value, value.values()), parts, strict=False)
        return all(_fits(one, part) for several, part in pairs for one in several)
    if isinstance(value, str | bytes):
        return False
    several = value if isinstance(value, Collection) else ()
    return all(_fits(one, parts[0]) for one in several)


def in_words(hint: Any) -> str:
    """
    What an annotation asks for, in words.
    """
    if len(members := members_of(hint)) > 1:
        return " or ".join(dict.fromkeys(map(in_words, members)))
    origin, parts = typing.get_origin(hint) or hint, typing.get_args(hint)
    if origin is typing.Literal:
        return " or ".join(map(repr, parts))
    if origin is collections.abc.Callable:
        return "a function"
    if hint is None:
        return "None"
    if origin is SupportsIndex:
        return "an int"
    if origin is type:
        return "a class"
    if not isinstance(origin, type):
        return "of another type"
    if issubclass(origin, Mapping):
        return "a dict"
    if issubclass(origin, Iterable) and parts:
        return f"a list of which each is {in_words(parts[0])}"
    return type_name(origin)
