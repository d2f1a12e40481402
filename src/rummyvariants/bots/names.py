"""
Bots by name, for command lines, files and tables.
"""

from __future__ import annotations

import importlib
import inspect
import typing

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import attrs

from rummyvariants._support.arguments import (
    explained,
    hints_of,
    in_words,
    members_of,
)
from rummyvariants.bots.base import Bot, in_a_line, raised
from rummyvariants.errors import RummyError, nearest, unfit
from rummyvariants.policies.base import is_whole


class BotError(RummyError, ValueError):
    """
    There is no bot of this name, or an object is not a bot.
    """


_BOTS: Final = {
    "careful": "rummyvariants.bots.heuristic:CarefulBot",
    "greedy": "rummyvariants.bots.heuristic:GreedyBot",
    "random": "rummyvariants.bots.random_bot:RandomBot",
    "search": "rummyvariants.bots.search:SearchBot",
    "strong": "rummyvariants.bots.strong:StrongBot",
}
"""Where the library's bots are; a module is imported only when its bot is needed."""
BOT_NAMES: Final = tuple(_BOTS)
"""The names of the library's bots."""


@explained
def bot(name: str) -> Bot:
    """
    The bot with a given name.

    Args:
        name: ``careful``, ``greedy``, ``random``, ``search`` or ``strong``; or the path
            of your own bot, such as ``my_module:MyBot``, a class or an instance.
            Parameters follow a colon: ``search:playouts=40``,
            ``my_module:MyBot:depth=2``.

    Raises:
        BotError: If there is no such bot, or it takes no such parameters.

    >>> rv.bots.bot("search:playouts=40")
    SearchBot(playouts=40)
    """
    head, _, rest = name.strip().partition(":")
    if head in _BOTS:
        found = _imported(_BOTS[head])
    elif rest and "=" not in rest.partition(":")[0]:
        path, _, rest = rest.partition(":")
        found = _imported(f"{head}:{path}")
        head = f"{head}:{path}"
    else:
        msg = (
            f"there is no bot {head!r}{nearest(head, _BOTS)} "
            "(your own bot is written like 'my_module:MyBot')"
        )
        raise BotError(msg)
    if isinstance(found, type):
        return checked(_made(found, head, rest), name)
    if rest:
        msg = f"{head} is an instance and takes no parameters: leave out {rest!r}"
        raise BotError(msg)
    return checked(found, name)


def checked(found: object, name: str = "") -> Bot:
    """
    The same object, checked to be a bot.

    Args:
        found: What should be a bot.
        name: The name it was asked for by.

    Raises:
        BotError: If it is not a bot.
    """
    if isinstance(found, type) or not callable(getattr(found, "choose", None)):
        msg = f"{name or repr(found)} is not a bot: it has no method choose(view, rng)"
        if isinstance(found, type) and hasattr(found, "choose"):
            msg = f"{name or repr(found)} is a class: give an instance of it"
        raise BotError(msg)
    return typing.cast("Bot", found)


@explained
def at_least(least: int) -> Callable[[object, attrs.Attribute[int], object], None]:
    """
    A check that a parameter of a bot is a whole number from so many.
    """

    def check(made: object, field: attrs.Attribute[int], value: object) -> None:
        del made
        if not is_whole(value, least):
            wanted = f"a whole number from {least}"
            raise BotError(str(unfit(value, field.name, wanted)))

    return check


def bot_name(bot: Bot) -> str:
    """
    The name of a bot, for the rows of a simulation.

    `bot` makes the bot from it again if its parameters are plain values. A bot with an
    attribute ``name`` goes by that.

    >>> rv.bots.bot_name(rv.bots.SearchBot(playouts=40))
    'search:playouts=40'
    """
    own_name = getattr(bot, "name", None)
    if isinstance(own_name, str) and own_name.strip():
        return " ".join(own_name.split())
    kind = type(bot)
    path = f"{kind.__module__}:{kind.__qualname__}"
    names = {where: name for name, where in _BOTS.items()}
    given = ",".join(f"{name}={value}" for name, value in _given(bot))
    return " ".join(f"{names.get(path, path)}{':' if given else ''}{given}".split())


def _given(bot: Bot) -> list[tuple[str, object]]:
    """
    The parameters of a bot that differ from their defaults.
    """
    found = []
    for name, parameter in _parameters(type(bot)).items():
        value = getattr(bot, name, getattr(bot, f"_{name}", parameter.default))
        # Other values cannot be read back, nor shown briefly.
        plain = isinstance(value, bool | int | float | str | None)
        if plain and value != parameter.default:
            found.append((name, value))
    return found


def _imported(path: str) -> Any:
    """
    The object at a path such as ``my_module:MyBot``.
    """
    module, _, name = path.partition(":")
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError as error:
        msg = f"there is no module {error.name} for the bot {path!r}"
        if error.name == module and "." not in module:
            msg += nearest(module, _BOTS).replace("; known are", "; bots by name are")
        raise BotError(msg) from error
    except (Exception, SystemExit) as error:
        msg = f"{module!r} cannot be imported for the bot {path!r}: {raised(error)}"
        raise BotError(msg) from error
    for part in name.split("."):
        if not hasattr(found, part):
            known = [one for one in dir(found) if not one.startswith("_")]
            msg = f"there is no {part!r} in {module}{nearest(part, known)}"
            raise BotError(msg)
        found = getattr(found, part)
    return found


def _made(kind: type, name: str, given: str) -> object:
    """
    A bot of a class, with parameters such as ``playouts=40,depth=2``.
    """
    known = _parameters(kind)
    hints = hints_of(kind)
    values = {}
    for part in given.split(",") if given else ():
        key, equals, text = (one.strip() for one in part.partition("="))
        if not equals:
            msg = f"a parameter of {name} is written 'name=value', not {part!r}"
            raise BotError(msg)
        if key not in known:
            tail = nearest(key, known) if known else ": it has none"
            msg = f"{name} has no parameter {key!r}{tail}"
            raise BotError(msg)
        if key in values:
            msg = f"{name} is given the parameter {key!r} twice"
            raise BotError(msg)
        hint = hints.get(key, hints.get(f"_{key}", str))
        try:
            values[key] = _read(text, hint)
        except ValueError as error:
            msg = f"{name} cannot take {key}={text}: {error}"
            raise BotError(msg) from None
    try:
        return kind(**values)
    except (TypeError, ValueError) as error:
        # Its parameters are wrong.
        msg = f"{name} cannot be made: {in_a_line(error)}"
        raise BotError(msg) from error
    except (Exception, SystemExit) as error:
        msg = f"{name} cannot be made: {raised(error)}"
        raise BotError(msg) from error


def _parameters(kind: type) -> dict[str, inspect.Parameter]:
    """
    The parameters that a class accepts by name.
    """
    try:
        found = inspect.signature(kind).parameters
    except ValueError:
        return {}
    named = {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}
    return {name: one for name, one in found.items() if one.kind in named}


_WORDS: Final = {"true": True, "yes": True, "false": False, "no": False}


def _read(text: str, hint: Any) -> object:
    """
    A parameter's value from its text.

    Raises:
        ValueError: If it is not of the type.
    """
    parts = members_of(hint)
    named: Mapping[str, object] = {}
    if len(parts) > 1:
        for one in parts:
            with suppress(ValueError):
                return _read(text, one)
    elif typing.get_origin(hint) is typing.Literal:
        named = {str(one): one for one in typing.get_args(hint)}
    elif hint is bool:
        text, named = text.lower(), _WORDS
    elif hint in {None, type(None)}:
        named = {"None": None}
    else:
        return typing.cast("object", hint(text)) if hint in {int, float} else text
    if text in named:
        return named[text]
    msg = f"{text!r} is not {in_words(hint)}"
    raise ValueError(msg)
