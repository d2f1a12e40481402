"""
Sentences as rows of data: when they stand, their text, and what they cite.

A row says when its sentence stands, its text, and what it cites. Any other key is a
word of the text: a text itself, or a table of conditions, of which the first that holds
gives the word (``else`` always does), or ``list`` joins all; ``by`` names what the
conditions are values of, and ``each`` a list whose items have a word each. A text has
places such as ``{stock.dead:number}`` for words, facts and policy values. What a word
cites, its sentence cites as well.
"""

from __future__ import annotations

import functools
import re

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from typing import Any, Final

from rummyvariants._support.packaged import packaged_table
from rummyvariants._support.words import (
    card,
    cards,
    counted,
    listed,
    number,
    ordinal,
    rank_list,
    span,
    times,
)
from rummyvariants.rules._claims import of_the_table
from rummyvariants.rules._origins import Rules


_ATOM: Final = re.compile(r"(not )?([\w.]+)(?: (is not|is|over|has) (.+))?")
_PLACE: Final = re.compile(r"\{([\w.]+)(?::(\w+) ?([^}]*))?\}")
_NO_WORDS: Final = frozenset({"when", "text", "cite", "rows", "columns"})
"""The keys of a row that are no words of its text."""
NO_CONDITIONS: Final = frozenset({"by", "each", "list"})
"""The keys of a word that are no conditions."""
OF_ITEMS: Final = ("at", "many", "size")
"""The names for the parts of an item of a list."""


def _size(value: Any) -> int:
    return len(value) if isinstance(value, Sized) else value


def _several(numbers: Sequence[int], noun: str) -> str:
    """
    One number of things, or the first and the last of some.
    """
    if len(numbers) == 1:
        return counted(numbers[0], noun)
    to = "or" if len(numbers) == 2 else "to"
    return f"{number(numbers[0])} {to} {number(numbers[-1])} {noun}s"


_HOW: Final[Mapping[str, Callable[..., str]]] = {
    "cards": cards,
    "count": lambda value, noun: counted(_size(value), noun),
    "listed": listed,
    "names": lambda given: listed(map(card, given)),
    "more": lambda value, by: number(value + int(by)),
    "number": lambda value: number(_size(value)),
    "ordinal": lambda value: ordinal(_size(value)),
    "rank_list": rank_list,
    "rule": lambda rule: repr(rule.name),
    "several": _several,
    "span": lambda pair: span(*pair),
    "times": times,
    "without": lambda names: "".join([f", no {one}" for one in names]),
}
"""How a place puts a value into words."""

Condition = Callable[["Teller"], bool]


@functools.cache
def rows_of(name: str) -> tuple[Mapping[str, Any], tuple[Mapping[str, Any], ...]]:
    """
    The rows of a section of the sheet, or of ``words``, which all sections share.

    Returns:
        Its words, with facts as lists of one condition, and its sentences.
    """
    found = packaged_table("data", "sheet", f"{name}.toml")
    facts = {name: [condition] for name, condition in found.pop("facts", {}).items()}
    words = {**found.pop("words", {}), **facts}
    rows = [sorted_out(row) for row in found.pop("say", ())]
    return {**words, **found}, tuple(rows)


def sorted_out(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """
    A row with its words apart.
    """
    words = {key: row[key] for key in row if key not in _NO_WORDS}
    others = {key: row[key] for key in row if key in _NO_WORDS}
    return {"when": "else", "cite": "", "rows": (), **others, "words": words}


@functools.cache
def conditions(text: str) -> tuple[tuple[Condition, ...], ...]:
    """
    A condition such as ``wilds, stock.dead over 1; draw.take is the top card | none``.

    A comma joins what has to hold together, a semicolon what suffices, and a bar the
    values of which one is enough. A name alone asks for what is true, or not empty. A
    name in braces is a value. A list is over a number if it is longer.
    """
    return tuple(
        [tuple([_atom(one) for one in some.split(", ")]) for some in text.split("; ")]
    )


def _atom(text: str) -> Condition:
    found = _ATOM.fullmatch(text)
    if found is None:
        msg = f"{text!r} is not a condition"
        raise ValueError(msg)
    negated, name, how, given = found.groups()
    yes = bool(negated) == (how == "is not")
    if name == "else":
        return lambda _: True
    if how is None:
        return lambda teller: bool(teller.named(name)[0]) == yes
    if how == "has":
        return lambda teller: (given in teller.named(name)[0]) == yes
    values = [int(one) if one.isdecimal() else one for one in given.split(" | ")]
    if how != "over" and "{" not in given:
        return lambda teller: (teller.named(name)[0] in values) == yes

    def stands(teller: Teller) -> bool:
        value, other = teller.named(name)[0], values[0]
        if isinstance(other, str):
            other = teller.named(other.strip("{}"))[0]
        return (_size(value) > _size(other) if how == "over" else value == other) == yes

    return stands


class Teller:
    """
    What rows say of a ruleset.

    Attributes:
        rules: The rules.
        words: Words by their names, and facts as lists of one condition.
        outer: What tells the names without a dot that are not among them; without it,
            the rules have them.
        rows: The sentences.
    """

    def __init__(
        self,
        rules: Rules,
        words: Mapping[str, Any],
        outer: Any = None,
        rows: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        self.rules, self.words, self.outer, self.rows = rules, words, outer, rows
        self._known: dict[str, tuple[Any, Iterable[str]]] = {}

    def holds(self, condition: str) -> bool:
        """
        Whether a condition is met.
        """
        for some in conditions(condition):
            for stands in some:
                if not stands(self):
                    break
            else:
                return True
        return False

    def named(self, name: str) -> tuple[Any, Iterable[str]]:
        """
        A word, a fact or a policy value by its name, and what is cited for it.
        """
        found = self._known.get(name)
        if found is None:
            row = self.words.get(name)
            if row is None and "." in name:
                found = self._stated(name), ()
            elif row is None and self.outer:
                found = self.outer.named(name)
            elif row is None:
                found = getattr(self.rules, name), ()
            elif isinstance(row, str):
                found = self.filled(row)
            elif isinstance(row, list):
                found = self.holds(row[0]), ()
            else:
                found = self._chosen(row)
            self._known[name] = found
        return found

    def _stated(self, path: str) -> Any:
        """
        A policy value, or who says what of one.

        ``house.owes`` and ``asked.owes`` tell whether a rule of the table or any rule
        answers a question, ``replaced.meld.ace`` which rule takes a value over, and
        ``said.meld.ace`` whether anybody says what a value is.
        """
        kind, _, rest = path.partition(".")
        if kind in {"house", "asked"}:
            asked = [*self.rules.asked.get(rest, ())]
            asked = of_the_table(asked) if kind == "house" else asked
            return asked[0][1] if asked else None
        if kind == "replaced":
            return self.rules.replaced.get(rest)
        if kind == "said":
            return self.rules.origin(rest).set_by != "the library"
        return getattr(getattr(self.rules, kind), rest)

    def _chosen(self, row: Mapping[str, Any]) -> tuple[str, Iterable[str]]:
        """
        The first word of a table that stands, for each item if it has some, or a list.
        """
        by = f"{row['by']} is " if "by" in row else ""
        said, cited = list[str](), list[str]()
        for told in self._items(row["each"]) if "each" in row else [self]:
            for condition, one in row.items():
                stated = condition if condition == "else" else by + condition
                if condition in NO_CONDITIONS or not told.holds(stated):
                    continue
                text, *paths = [one] if isinstance(one, str) else one
                if text[:1] == "*":
                    said += self.named(text[1:])[0]
                    continue
                text, more = told.filled(text)
                said += [text] * bool(text)
                cited += [*more, *paths]
                if "each" in row or "list" not in row:
                    break
        mark = row.get("list", "")
        in_words = said and mark.isalpha()
        return listed(said, mark) if in_words else f"{mark} ".join(said), cited

    def _items(self, name: str) -> Iterator[Teller]:
        """
        What tells the parts of each item of a list, and its place.
        """
        items = [dict(zip(OF_ITEMS, one, strict=False)) for one in self.named(name)[0]]
        for at, item in enumerate(items, 1):
            after = items[at]["at"] if items[at:] else None
            item |= {"first": at == 1, "last": after is None, "next": after}
            own = Teller(self.rules, {}, self)
            own._known = {key: (value, ()) for key, value in item.items()}
            yield own

    def filled(self, text: str) -> tuple[str, Iterable[str]]:
        """
        A text with its places filled, and what is cited for them.
        """
        cited = list[str]()

        def put(place: re.Match[str]) -> str:
            name, how, given = place.groups()
            value, paths = self.named(name)
            cited.extend(paths)
            if not how:
                return str(value)
            write = _HOW.get(how) or self.named(how)[0]
            return write(value, *[given] * bool(given))

        return _PLACE.sub(put, text), cited

    def cited(self, text: str) -> Iterator[str]:
        """
        What a row cites: policy values, ids of rules, and facts that name some.
        """
        for one in text.split("; ") if text else ():
            path, _, condition = one.partition(" if ")
            if not condition or self.holds(condition):
                known = "." in path or "-" in path
                yield from [path] if known else self.named(path)[0]

    @property
    def said(self) -> Iterator[tuple[Mapping[str, Any], Teller, str, Iterable[str]]]:
        """
        The sentences that stand: the row, what tells its words, text, what these cite.
        """
        for one in self.rows:
            if self.holds(one["when"]):
                words = one["words"]
                own = Teller(self.rules, words, self) if words else self
                yield one, own, *own.filled(one["text"])
