"""
Questions about the rules, answered with the rules that say most about them.
"""

from __future__ import annotations

import functools
import re
import textwrap

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, overload

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants._support.limits import LINE
from rummyvariants._support.memos import remembered
from rummyvariants._support.ranking import ANSWERS, Document, Match, Ranking
from rummyvariants._support.words import capital
from rummyvariants.errors import RulesError, need
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.rules._variants import SECTIONS, options, rule_document
from rummyvariants.rules.sheet import sheet, statements
from rummyvariants.rules.sheet.fitting import fit
from rummyvariants.rules.sheet.model import Paragraph, Row
from rummyvariants.rulings import Rule, catalogue, rule_names


_ABOUT: Final = 0.5
"""How much of a question an option must have that changes the answer."""
_NEAR: Final = 0.6
"""The part of the best score that another finding must have."""
_SAID: Final = 3
"""The most sentences of a rule sheet that are found."""
_CHANGES: Final = 5
"""The most options that are found for a game."""
_OUTSIDE: Final = 2
"""The most rules that are found for a game that says nothing certain."""
_TRIED: Final = 12
"""How many options are tried with a game."""
_FEW: Final = 10
"""The most findings without a game."""
_WIDTH: Final = 79
_ID: Final = re.compile(r"[A-Za-z][A-Za-z0-9]{1,2}-[A-Za-z]?\d+\w?")
"""The pattern of a rule id."""
_SECTION: Final = 0.5
"""What a word counts in the title of a section of the sheet."""
_AROUND: Final = 0.2
"""What a word counts in the sentences beside one."""
_OVER_ROWS: Final = 0.5
"""What the sentences over a table count, as against others."""
_TITLES: Final = 0.8
"""What a word counts in the titles of the rules behind a sentence."""

_Kind = Literal["in force", "option", "rule", "value"]


@attrs.frozen
class Finding:
    """
    Something that answers a question.

    Attributes:
        kind: ``in force`` for what a game's rule sheet says, ``option`` for an option,
            ``rule`` for a rule of the catalogue, ``value`` for a policy value.
        id: The id of the rule or option, or the path of the policy value.
        title: Its title.
        text: What it says.
        rules: The ids of all rules behind it.

    >>> one = rv.search("wild twos")[0]
    >>> one.kind, one.id, one.title
    ('option', 'COV-08', 'Wild twos that stay')
    """

    kind: _Kind
    id: str
    title: str
    text: str
    rules: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.told(_WIDTH)

    def told(self, width: int) -> str:
        """
        Its title with its ids, and below it what it says, in lines of some width.
        """
        head = f"{self.title} [{', '.join(self.rules or (self.id,))}]"
        return "\n".join([*_lines(head, width), *_lines(self.text, width, "  ")])


@attrs.frozen(repr=False)
class Findings(Sequence[Finding]):
    """
    What a search found, the best first; it prints as an answer.

    Attributes:
        question: What was asked.
        game: The name of the rules that it was asked about; empty for none.
        certain: Whether the first finding answers the question. If not, what is found
            is only near.
        found: The findings.

    >>> found = rv.search("how heavy is a card", "rummy-500")
    >>> found.certain, len(found)
    (False, 0)
    """

    question: str
    game: str
    certain: bool
    found: tuple[Finding, ...]

    @overload
    def __getitem__(self, at: int) -> Finding: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Finding, ...]: ...
    def __getitem__(self, at: int | slice) -> Finding | tuple[Finding, ...]:
        return self.found[at]

    def __len__(self) -> int:
        return len(self.found)

    def __str__(self) -> str:
        return self.told(_WIDTH)

    def told(self, width: int | None = None) -> str:
        """
        The findings one below the other, in lines of at most some width.
        """
        if not self.found:
            return f"Nothing is found about {self.question!r}."
        width = min(width or _WIDTH, _WIDTH)
        parts = [] if self.certain else ["Nothing certain; the nearest:"]
        last: _Kind | None = None
        for one in self.found:
            if one.kind != last and self.game:
                parts.append(_HEADS[one.kind].format(self.game))
            last = one.kind
            parts.append(one.told(width))
        return "\n\n".join(parts)

    __repr__ = __str__


_HEADS: Final[dict[_Kind, str]] = {
    "in force": "In {}:",
    "option": "Options about it:",
    "rule": "Rules of other games:",
    "value": "Policy values:",
}


def _lines(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent="  ",
        break_on_hyphens=False,
        break_long_words=False,
    )


@explained
def search(words: str, game: Ruleset | str | None = None) -> Findings:
    """
    What the rules say about a question, in the words of card players.

    >>> found = rv.search("may I pick up the whole pile?", "oklahoma-rummy")
    >>> found[0].id, found[0].text
    ('OK-02', 'To draw, a player takes the top card of the stock, or else the whole \
discard pile.')

    Args:
        words: A question, a few words, or the id or the title of a rule.
        game: The rules of a game, or the name of a preset. What its rule sheet says is
            found first, then the options that would change it. Without a game, the
            rules of all games, the options and the policy values are searched.

    Returns:
        The findings, the best first. If they do not answer the question, `certain` is
        false.

    Raises:
        RulesError: If there are no words, or too many, or no such rule or preset.
    """
    need("words", words, str)
    text = " ".join(words.split())
    if not text or len(text) > LINE:
        msg = (
            f"give a question of 1 to {LINE} characters, such as 'two jokers in a set'"
        )
        raise RulesError(msg)
    if _ID.fullmatch(text) and not rule_names().id_of(text):
        raise RulesError(rule_names().problem(text))
    rules = preset(game) if isinstance(game, str) else game
    if rules is None:
        certain, found = _anywhere(text)
        return Findings(text, "", certain, tuple(found[:_FEW]))
    need("game", rules, Ruleset, str)
    certain, found = _in_game(text, rules)
    return Findings(text, rules.name, certain, tuple(found))


# ------------------------------------------------------------------- in all the rules


@functools.cache
def _everything() -> tuple[Ranking, tuple[Finding, ...]]:
    """
    The catalogue and the policy values.
    """
    found = []
    parts = []
    for one in catalogue().values():
        found.append(_of_rule(one))
        parts.append(rule_document(one))
    for section, cls in SECTIONS.items():
        for name, field in cls.values().items():
            doc = field.metadata["doc"]
            path = f"{section}.{name}"
            title = capital(name.replace("_", " "))
            found.append(Finding("value", path, title, doc))
            # What a value decides helps only where no rule says it.
            spoken = path.replace(".", " ").replace("_", " ")
            parts.append(Document(((spoken, 1.0), (doc, 0.5))))
    return Ranking(parts), tuple(found)


def _of_rule(one: Rule) -> Finding:
    kind: _Kind = "option" if one.kind == "option" else "rule"
    return Finding(kind, one.id, one.title, one.text, (one.id,))


def _anywhere(text: str) -> tuple[bool, list[Finding]]:
    named = rule_names().matches(text)
    ranking, every = _everything()
    matches = ranking.best(text)
    found = [every[one.place] for one in _near(matches)]
    if len(named) == 1:
        entry = catalogue()[named[0]]
        first = _of_rule(entry)
        return True, [first, *(one for one in found if one != first)]
    return _answers(matches), found


def _near(matches: Sequence[Match]) -> Iterator[Match]:
    """
    The matches that are nearly as good as the best.
    """
    for one in matches:
        if one.score >= _NEAR * matches[0].score:
            yield one


def _answers(matches: Sequence[Match]) -> bool:
    return bool(matches) and matches[0].share >= ANSWERS


# -------------------------------------------------------------------------- in a game


@remembered(1)
def _of_game(rules: Ruleset) -> tuple[Ranking, tuple[tuple[Finding, Paragraph], ...]]:
    """
    The sentences of a game's rule sheet, and the rows of its tables.
    """
    found = []
    parts = []
    for section in sheet(rules):
        for one in section.paragraphs:
            titles = " ".join(rule.title for rule in _known(one.rules))
            beside = ((section.title, _SECTION), (titles, _TITLES))
            for said in re.split(r"(?<=[.:]) (?=[A-Z])", one.text):
                found.append((_of_paragraph(section.title, one), one))
                own = ((said, 1.0), (one.text, _AROUND))
                weight = _OVER_ROWS if "points" in one.columns and one.rows else 1.0
                opens = section.title if one is section.paragraphs[0] else ""
                parts.append(Document((*own, *beside), weight=weight, title=opens))
            for row in one.rows:
                found.append((_of_row(section.title, one, row), one))
                columns = " ".join(one.columns)
                cells = ((row.value, 1.2), (one.text, 0.15), (columns, 0.5), beside[0])
                parts.append(Document(cells, row.label, columns))
    return Ranking(parts), tuple(found)


def _known(ids: Iterable[str]) -> Iterator[Rule]:
    return (catalogue()[one] for one in ids if one in catalogue())


def _of_paragraph(title: str, one: Paragraph) -> Finding:
    first = one.rules[0] if one.rules else ""
    return Finding("in force", first, title, one.text, one.rules)


def _of_row(title: str, one: Paragraph, row: Row) -> Finding:
    ids = row.rules or one.rules
    unit = " points" if "points" in one.columns and row.value.isdecimal() else ""
    said = f"{row.label}: {row.value}{unit}."
    return Finding("in force", ids[0] if ids else "", title, said, ids)


def _in_game(text: str, rules: Ruleset) -> tuple[bool, list[Finding]]:
    ranking, every = _of_game(rules)
    cited = rule_names().id_of(text)
    if cited:
        where = [one for one, _ in every if cited in one.rules]
        return True, [*dict.fromkeys(where), _of_rule(catalogue()[cited])]
    matches = ranking.best(text)
    near = [*{every[one.place][0]: one for one in _near(matches)}.values()][:_SAID]
    said = [every[one.place][0] for one in near]
    stated = {path for one in near[:1] for path in every[one.place][1].values}
    others, entries = _everything()
    elsewhere = others.best(text)
    found = [*said, *_changes(rules, stated, elsewhere, entries)]
    if not _answers(matches):
        outside = [entries[one.place] for one in others.most(text)]
        found += [one for one in outside if one.kind == "rule"][:_OUTSIDE]
    return _answers(matches), found


def _changes(
    rules: Ruleset,
    stated: set[str],
    others: Sequence[Match],
    entries: Sequence[Finding],
) -> Iterator[Finding]:
    """
    The options that would change what a game says about a question.

    Args:
        rules: The rules.
        stated: The policy values behind what they say.
        others: What matches the question anywhere.
        entries: What that is.
    """
    scored = []
    for one in others:
        option = options().get(entries[one.place].id)
        if option is None:
            continue
        touches = not stated.isdisjoint((*option.set, *option.arguments))
        if one.share >= (_ABOUT if touches else ANSWERS):
            scored.append((-one.score * (1.5 if touches else 1.0), one.place))
    left = _CHANGES
    for _, place in sorted(scored)[:_TRIED]:
        if left and _goes(rules, entries[place].id):
            left -= 1
            yield entries[place]


@remembered(256)
def _goes(rules: Ruleset, option_id: str) -> bool:
    return fit(rules, _said(rules), options()[option_id]).status == "goes"


_said: Final = remembered(1)(statements)
