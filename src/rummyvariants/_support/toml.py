"""TOML: reading it, and writing what records, scenarios and rules tables need."""

from __future__ import annotations

import re

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rummyvariants._support import limits
from rummyvariants.errors import shown


def read(source: str) -> dict[str, Any]:
    """
    Read a TOML text.

    Raises:
        ValueError: If it is not a text of TOML, or holds more than `limits` allows; the
            message names the line or the key.
    """
    import tomllib  # needed only to read files

    if not isinstance(source, str):
        msg = f"give a text, not {shown(source)}"
        raise ValueError(msg)  # noqa: TRY004 -- as of any text that is not TOML
    for number, line in enumerate(source.split("\n"), 1):
        if line.count(".") > _DOTS:
            # The parser's time for a key grows with the square of its parts.
            msg = f"line {number} has more than {_DOTS} dots: write it as several"
            raise ValueError(msg)
    try:
        found = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        last = source.count("\n") + 1
        message = str(error).replace(
            "end of document", f"the end of the file, line {last}"
        )
        msg = f"is not a TOML file: {message}"
        if re.fullmatch(r"[^\n=]*\.\w+", source):
            loaders = "rv.files.load_record or rv.files.load_scenario"
            msg = f"{shown(source)} looks like a file name: {loaders} reads a file"
        raise ValueError(msg) from None
    except ValueError:
        # Python refuses numbers of thousands of digits, and does not say where they
        # are.
        longest = max(re.finditer(r"[0-9_]+", source), key=lambda one: len(one[0]))
        place = source.count("\n", 0, longest.start()) + 1
        msg = f"line {place}: {limits.LONG_NUMBER}"
        raise ValueError(msg) from None
    except RecursionError:
        raise ValueError(limits.TOO_DEEP) from None
    for path, problem in limits.excesses(found):
        msg = f"{path}: {problem}"
        raise ValueError(msg)
    return found


def lines(source: str) -> dict[str, int]:
    """
    The lines on which the keys of a TOML text stand, each with its dotted path.

    What comes after a very long value is left out.

    Args:
        source: A text that `read` accepts.
    """
    import tomllib  # needed only to read files

    found: dict[str, int] = {}
    heading: tuple[str, ...] = ()
    begun = ""
    first = 1
    for number, line in enumerate(source.split("\n"), 1):
        first = first if begun else number
        begun += f"{line}\n"
        try:
            given = tomllib.loads(begun)
        except tomllib.TOMLDecodeError:
            # The value goes on. Each of its lines is read again with the next.
            if number - first > _LINES:
                break
            continue
        paths = [*_paths(given)]
        above = heading
        if begun.lstrip().startswith("["):
            heading, above = paths[-1], ()
        for path in paths:
            found.setdefault(".".join((*above, *path)), first)
        begun = ""
    return found


def _paths(given: object) -> Iterator[tuple[str, ...]]:
    if isinstance(given, Mapping):
        for name, one in given.items():
            yield (name,)
            yield from ((name, *path) for path in _paths(one))


_LINES: Final = 100
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_WIDE: Final = 72
_DOTS: Final = 1_000


def text(value: str) -> str:
    """
    A string as TOML.
    """
    escaped = "".join(
        _ESCAPES.get(one)
        or (f"\\u{ord(one):04X}" if ord(one) < 32 or ord(one) == 127 else one)
        for one in value
    )
    return f'"{escaped}"'


def key(name: str) -> str:
    """
    A key as TOML, in quotes where it needs them.
    """
    return name if _BARE.fullmatch(name) else text(name)


def value(given: Any) -> str:
    """
    A value as TOML: text, number, truth, list or inline table.

    Raises:
        TypeError: If it is none of these.
    """
    match given:
        case bool():
            return "true" if given else "false"
        case int():
            return str(given)
        case str():
            return text(given)
        case Mapping():
            inside = ", ".join(f"{key(str(k))} = {value(v)}" for k, v in given.items())
            return f"{{ {inside} }}" if inside else "{}"
        case Sequence():
            flat = f"[{', '.join(map(value, given))}]"
            if len(flat) <= _WIDE:
                return flat
            return "[\n" + "".join(f"  {value(one)},\n" for one in given) + "]"
        case _:
            msg = f"{given!r} cannot be written as TOML"
            raise TypeError(msg)


def table(entries: Mapping[str, Any], heading: str = "") -> str:
    """
    A table as TOML, under a heading such as ``[position]`` if one is given.
    """
    lines = [f"{key(name)} = {value(one)}\n" for name, one in entries.items()]
    return (f"{heading}\n" if heading else "") + "".join(lines)
