"""
Things with an id and a title, found by either or by a part of the title.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

from rummyvariants._support.stems import NEGATIONS, slug, stems
from rummyvariants._support.values import Fixed
from rummyvariants._support.words import listed
from rummyvariants.errors import RulesError, nearest


T = TypeVar("T")

_NAMED: Final = 4
"""The most entries that an error names."""
_SUGGESTED: Final = 20
"""After so many problems nothing is suggested, because it would take long."""


class UnknownNameError(RulesError, KeyError):
    """
    A name that nothing has, or several things.
    """

    __str__ = Exception.__str__


class Names:
    """
    The ids of some things, each with its title.

    Args:
        kind: What one of them is called, such as ``option``.
        titles: The titles, by id.
        listed: A clause that says where all of them can be seen.
    """

    def __init__(self, kind: str, titles: Mapping[str, str], listed: str) -> None:
        self._kind = kind
        self._titles = titles
        self._listed = listed
        self._ids = {one.casefold(): one for one in titles}
        self._slugs = {slug(title): one for one, title in titles.items()}
        self._stems = {one: stems(title) for one, title in titles.items()}

    def id_of(self, text: str) -> str:
        """
        The id that a text is, in any case; empty if it is none.
        """
        return self._ids.get(text.casefold(), "")

    def exactly(self, text: str) -> str:
        """
        The id of what has this id, title or slug; empty if nothing has.
        """
        plain = " ".join(text.split()).casefold()
        return self.id_of(plain) or self._slugs.get(slug(plain), "")

    def matches(self, text: str) -> tuple[str, ...]:
        """
        The ids of what a text names: one if it is clear, none if nothing has the name.

        Args:
            text: An id in any case, a title or its slug, or some words of a title. A
                title that says *no* is not meant by words without it.
        """
        plain = " ".join(text.split()).casefold()
        found = self.exactly(plain)
        if found:
            return (found,)
        wanted = {*stems(plain)}
        if not wanted:
            return ()
        return tuple(
            one
            for one, has in self._stems.items()
            if wanted.issubset(has) and NEGATIONS.intersection(has) <= wanted
        )

    def find(self, text: object) -> str:
        """
        The id of what a text names.

        Raises:
            UnknownNameError: If nothing has the name, or several things; it is also a
                `KeyError`.
        """
        found = self.matches(text) if isinstance(text, str) else ()
        if len(found) == 1:
            return found[0]
        raise UnknownNameError(self.problem(text))

    def problem(self, text: object, before: int = 0) -> str:
        """
        The error about a text that does not name one of them.

        Args:
            text: What was given.
            before: How many problems are listed before this one.
        """
        written = text if isinstance(text, str) else ""
        several = self.matches(written)
        if len(several) > 1:
            return f"several {self._kind}s are called {text!r}: {self._some(several)}"
        head = f"there is no {self._kind} {text!r}"
        near = self._near(written) if before < _SUGGESTED else []
        if near:
            are = "are" if len(near) > 1 else "is"
            return f"{head}; the nearest {are} {self._some(near)}"
        # Nothing is near a letter or two.
        known = self._titles if len(written) > 2 else ()
        return f"{head}{nearest(text, known, before, listed=self._listed)}"

    def _some(self, found: Iterable[str]) -> str:
        """
        The titles of some things with their ids, the first few of many.
        """
        every = [f"{self._titles[one]} [{one}]" for one in found]
        more = len(every) - _NAMED
        return listed([*every[:_NAMED], *([f"{more} more"] if more > 0 else [])])

    def _near(self, text: str) -> list[str]:
        """
        The ids whose titles have the most words of a text, or words much like them.
        """
        import difflib  # slow, and only errors need it

        if self._ids.keys() & {*difflib.get_close_matches(text.casefold(), self._ids)}:
            return []  # a slip in an id
        every = {word for has in self._stems.values() for word in has}
        wanted = {
            close
            for word in stems(text)
            for close in difflib.get_close_matches(word, every, n=1, cutoff=0.75)
        }
        shared = {
            one: len(wanted.intersection(has)) for one, has in self._stems.items()
        }
        most = max(shared.values(), default=0)
        near = [one for one, count in shared.items() if most and count == most]
        return sorted(near, key=lambda one: len(self._stems[one]))[:_NAMED]


class Named(Fixed[str, T]):
    """
    Things by id, of which ``[...]`` also takes a name; see `Names.matches`.

    Only ids are in it, and `get` takes only ids.
    """

    __slots__ = ("_names",)

    def __init__(self, things: Mapping[str, T], names: Names) -> None:
        super().__init__(things)
        self._names = names

    def __missing__(self, name: str) -> T:
        found = self._names.find(name)
        if found not in self:
            msg = f"{found} is not among these"
            raise UnknownNameError(msg)
        return self[found]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self), self._names)

    def __repr__(self) -> str:
        return "\n".join(map(str, self.values())) or "nothing"
