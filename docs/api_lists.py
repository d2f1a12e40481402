"""
The lists of names on the pages of the API, which `autodoc` describes one by one.

A line of a fence ``{api}`` has names, or one name with its members: ``Card: faces`` for
those named, ``*`` for all, ``**`` for the inherited ones as well, ``* -faces`` for all
others. Names are those of the package unless they have dots.
"""

from __future__ import annotations

import inspect
import pydoc
import re

from collections.abc import Iterator


def expanded(text: str) -> str:
    """
    A page with directives in place of its lists.
    """
    return re.sub(r"(?ms)^```\{api\}\n(.*?)^```$", _directives, text)


def _directives(fence: re.Match[str]) -> str:
    lines = ["```{eval-rst}", ".. currentmodule:: rummyvariants", ""]
    for line in fence[1].splitlines():
        name, colon, members = line.partition(":")
        if colon:
            lines += _described(name, members.split())
        else:
            for one in line.split():
                lines += _described(one, [])
    return "\n".join([*lines, "```"])


def _described(name: str, members: list[str]) -> Iterator[str]:
    thing = pydoc.locate(name if "." in name else f"rummyvariants.{name}")
    kind = "function"
    if inspect.ismodule(thing):
        kind = "module"
    elif inspect.isclass(thing):
        kind = "exception" if issubclass(thing, Exception) else "class"
    elif not callable(thing):
        msg = f"a page of the API lists {name}, which there is not"
        raise LookupError(msg)
    yield f".. auto{kind}:: {name}"
    named = [one for one in members if one[0] not in "*-"]
    left_out = [one.removeprefix("-") for one in members if one[0] == "-"]
    if members:
        yield f"   :members: {', '.join(named)}"
    if "**" in members:
        yield "   :inherited-members:"
    if left_out:
        yield f"   :exclude-members: {', '.join(left_out)}"
    if kind == "module":
        yield "   :member-order: bysource" if members else "   :no-members:"
        yield from ("", ".. currentmodule:: rummyvariants", "")
