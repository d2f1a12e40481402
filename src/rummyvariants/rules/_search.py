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
from rummyvariants._support.names import Named
from rummyvariants._support.ranking import (
    ANSWERS,
    Document,
    Match,
    Ranking,
    label_stems,
    spelled,
)
from rummyvariants._support.stems import NEGATIONS, stems
from rummyvariants._support.words import capital, figure
from rummyvariants.errors import RulesError, need
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.rules._variants import (
    SECTIONS,
    Option,
    every_option,
    option_names,
    presets,
)
from rummyvariants.rules.sheet import sheet, statements
from rummyvariants.rules.sheet.fitting import fit
from rummyvariants.rules.sheet.model import Paragraph, Row
from rummyvariants.rulings import Rule, catalogue, rule, rule_names


_CERTAIN: Final = 0.85
"""How much of a question a sentence of a game's sheet must have to answer it."""
_DISTINCT: Final = 0.7
"""How much will do if what is found next has at most this part of its score."""
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
_FEW: Final = 6
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

_WEIGHTS: Final = {"option": 0.8, "value": 0.7}
"""What counts less than the rules that games have."""
_DENIED: Final = 0.7
"""What a rule counts that says *no* to a question without it."""
_TITLED: Final = 0.6
"""How much of a question the title of a rule of any game must have to answer it."""

_Kind = Literal["in force", "option", "rule", "elsewhere", "value"]


@attrs.frozen
class Finding:
    """
    Something that answers a question.

    Attributes:
        kind: ``in force`` for what a game's rule sheet says, ``option`` for an option,
            ``rule`` for a rule of the catalogue, ``elsewhere`` for one that the game
            asked about does not play, ``value`` for a policy value.
        id: The id of the rule or option, or the path of the policy value.
        title: Its title.
        text: What it says.
        rules: The ids of all rules behind it.
        game: The game that a rule of the catalogue is of; empty for anything else.

    >>> one = rv.search("deuces wild")[0]
    >>> one.kind, one.id, one.title
    ('option', 'R5V-12', 'Deuces wild')
    """

    kind: _Kind
    id: str
    title: str
    text: str
    rules: tuple[str, ...] = ()
    game: str = ""

    def __str__(self) -> str:
        return self.told(_WIDTH)

    def told(self, width: int, *, kind: bool = True) -> str:
        """
        Its title with its ids, and below it what it says, in lines of some width.

        Args:
            width: The width.
            kind: Whether to say what it is, such as a rule of some game.
        """
        head = f"{self.title} [{', '.join(self.rules or (self.id,))}]"
        if kind and self.kind != "in force":
            head += f", {self._kind_in_words}"
        return "\n".join([*_lines(head, width), *_lines(self.text, width, "  ")])

    @property
    def _kind_in_words(self) -> str:
        if self.kind in {"option", "value"}:
            return {"option": "an option"}.get(self.kind, "a policy value")
        others = {
            "library": "a reading of this library",
            "options": "a rule that is not played here",
        }
        return others.get(self.game, f"a rule of {self.game}")


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
            kind = not self.game or one.kind in {"rule", "elsewhere"}
            parts.append(one.told(width, kind=kind))
        return "\n\n".join(parts)

    __repr__ = __str__


_HEADS: Final[dict[_Kind, str]] = {
    "in force": "In {}:",
    "option": "Options about it:",
    "rule": "Other rules:",
    "elsewhere": "Not played in {}:",
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
            found first, then the options that would change it. Without a game, that
            which the words name, or else the rules of all games, the options and the
            policy values are searched.

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
    rules = _rules_of(text, game)
    asked = text
    if not rule_names().exactly(text):
        rest, named = _without_game(text)
        if rules is None and named and not rest:
            msg = (
                f"{text!r} is a game: ask something about it, as in "
                f"rv.search('going out', {named!r})"
            )
            raise RulesError(msg)
        if rules is None and named:
            rules = preset(named)
        if rules is not None and named == rules.name and rest:
            asked = rest
    if rules is None:
        certain, found = _anywhere(asked)
        return Findings(text, "", certain, tuple(found[:_FEW]))
    certain, found = _in_game(asked, rules)
    return Findings(text, rules.name, certain, tuple(found))


@explained
def options(words: str = "", game: Ruleset | str | None = None) -> Named[Option]:
    """
    All options by id, in the order of the catalogue, or some of them.

    They print one a line. In square brackets they are also found by a name; see
    `Ruleset.with_options`.

    >>> rv.options("deuces")
    Deuces wild [R5V-12]
    >>> rv.options("undercut", "gin-rummy")
    Equal hands are no undercut [GRV-02]
    Bonuses of 20 and 10 [GRV-01]
    Boxes that count at once [GRV-10]
    >>> rv.options()["deuces wild"].id
    'R5V-12'

    Args:
        words: What the options are about, in the words of card players; the best come
            first. The name of a preset stands for the game.
        game: The rules of a game, or the name of a preset: only options that go with
            it, as `options_for` says.

    Raises:
        RulesError: If there is no such preset.
    """
    need("words", words, str)
    if game is None and words in presets():
        words, game = "", words
    rules = _rules_of(words, game)
    if rules is None and not words:
        return every_option()
    found = [*every_option().values()]
    if words:
        found = [found[one.place] for one in _ranked_options().most(words)]
    named = {one.id: one for one in found if rules is None or _goes(rules, one.id)}
    return Named(named, option_names())


def _rules_of(words: str, game: Ruleset | str | None) -> Ruleset | None:
    """
    The rules of a game that is asked about; None for no game.
    """
    if isinstance(game, str) and words in presets() and game not in presets():
        msg = f"{words!r} is a game; arguments are swapped: write the words first"
        raise RulesError(msg)
    if game is not None:
        need("game", game, Ruleset, str)
    return preset(game) if isinstance(game, str) else game


@functools.cache
def _game_names() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """
    How players write the name of each game in a question, the longest names first.
    """
    found = []
    for name in sorted(presets(), key=len, reverse=True):
        words = name.split("-")
        short = " ".join(one for one in words if one != "rummy")
        ways = [*{" ".join(words), f"{short} rummy"}] if len(words) > 1 else []
        full = "|".join(ways).replace(" ", "[ -]")
        alone = rf"(?:in|at|playing) {short}(?=\s*(?:$|[?.,:;!]))|^{short}(?=:)"
        whole = rf"|(?:\b(?:in|at|playing) )?\b(?:{full})\b" if full else ""
        found.append((name, re.compile(rf"(?i){alone}{whole}|^{short}$")))
    return tuple(found)


def _without_game(text: str) -> tuple[str, str]:
    """
    A question without the name of a game, and the game; empty for none.
    """
    for name, written in _game_names():
        rest, times = written.subn(" ", text)
        if times:
            return " ".join(rest.strip(" ,:;?").split()), name
    return text, next((one for one in presets() if one in text.casefold().split()), "")


@functools.cache
def _ranked_options() -> Ranking:
    return Ranking(_document(rule(one)) for one in every_option())


def _document(one: Rule) -> Document:
    """
    The texts in which a rule is searched for.
    """
    return Document(
        ((one.title, 2.0), (one.text, 1.0), (one.reading, 0.2), (one.game, 0.5))
    )


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
        parts.append(_document(one))
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


def _of_rule(one: Rule, rules: Ruleset | None = None) -> Finding:
    kind: _Kind = "option" if one.kind == "option" else "rule"
    if kind == "rule" and rules is not None and not is_played(rules, one):
        kind = "elsewhere"
    game = "" if kind == "option" else one.game
    return Finding(kind, one.id, one.title, one.text, (one.id,), game)


def _anywhere(text: str) -> tuple[bool, list[Finding]]:
    names = rule_names()
    if names.id_of(text):
        return True, [_of_rule(rule(text))]
    named = names.matches(text)
    ranking, every = _everything()
    found = _base_first(text, ranking.best(text), every)
    if len(named) == 1:
        first = _of_rule(catalogue()[named[0]])
        return True, [first, *(one for one in found if one != first)]
    # Of a rule of any game, the title has to say what is asked.
    certain = bool(found) and ranking.covers(text, found[0].title) > _TITLED
    return certain, found


def _base_first(
    text: str, matches: Sequence[Match], every: Sequence[Finding]
) -> list[Finding]:
    """
    What nearly matches a question best, with rules that games have before options.

    A title that says *no* comes later where the question does not.
    """

    def weighed(one: Match) -> float:
        finding = every[one.place]
        denied = NEGATIONS.intersection(stems(finding.title))
        plain = denied <= {*stems(text)}
        return (
            -one.score * _WEIGHTS.get(finding.kind, 1.0) * (1.0 if plain else _DENIED)
        )

    return [every[one.place] for one in sorted(_near(matches), key=weighed)]


def _near(matches: Sequence[Match]) -> Iterator[Match]:
    """
    The matches that are nearly as good as the best.
    """
    for one in matches:
        if one.score >= _NEAR * matches[0].score:
            yield one


def _answers(
    matches: Sequence[Match], every: Sequence[tuple[Finding, Paragraph, str]]
) -> bool:
    """
    Whether the best sentence answers a question: it has all of it, or no other does.
    """
    if not matches:
        return False
    best, here = matches[0], every[matches[0].place][1]
    others = (one.score for one in matches if every[one.place][1] is not here)
    distinct = next(others, 0.0) <= _DISTINCT * best.score
    return best.share >= (_DISTINCT if distinct else _CERTAIN)


# -------------------------------------------------------------------------- in a game


@remembered(1)
def _of_game(
    rules: Ruleset,
) -> tuple[Ranking, tuple[tuple[Finding, Paragraph, str], ...]]:
    """
    The sentences of a game's rule sheet, and the rows of its tables with their labels.
    """
    found = []
    parts = []
    for section in sheet(rules):
        for one in section.paragraphs:
            titles = " ".join(rule.title for rule in _known(one.rules))
            beside = ((section.title, _SECTION), (titles, _TITLES))
            for said in re.split(r"(?<=[.:]) (?=[A-Z])", one.text):
                found.append((_of_paragraph(section.title, one), one, ""))
                own = ((said, 1.0), (one.text, _AROUND))
                weight = _OVER_ROWS if "points" in one.columns and one.rows else 1.0
                opens = section.title if one is section.paragraphs[0] else ""
                parts.append(Document((*own, *beside), weight=weight, title=opens))
            for row in one.rows:
                found.append((_of_row(section.title, one, row), one, row.label))
                columns = " ".join(one.columns)
                cells = ((row.value, 1.2), (one.text, 0.15), (columns, 0.5), beside[0])
                parts.append(Document(cells, row.label, columns))
    return Ranking(parts), tuple(found)


def _known(ids: Iterable[str]) -> Iterator[Rule]:
    return (catalogue()[one] for one in ids if one in catalogue())


def _of_paragraph(title: str, one: Paragraph) -> Finding:
    first = one.rules[0] if one.rules else ""
    rows = [_of_row(title, one, row).text for row in one.rows]
    return Finding("in force", first, title, " ".join([one.text, *rows]), one.rules)


def _of_row(title: str, one: Paragraph, row: Row) -> Finding:
    ids = row.rules or one.rules
    said = row.value
    if "points" in one.columns and said.isdecimal():
        said = figure(int(said), "point")
    said = f"{row.label}: {said}."
    return Finding("in force", ids[0] if ids else "", title, said, ids)


def _in_game(text: str, rules: Ruleset) -> tuple[bool, list[Finding]]:
    ranking, every = _of_game(rules)
    cited = rule_names().id_of(text)
    if cited:
        where = [one for one, *_ in every if cited in one.rules]
        return True, [*dict.fromkeys(where), _of_rule(catalogue()[cited], rules)]
    matches = ranking.best(text)
    near = [every[one.place] for one in _near(matches)]
    together = [_with_other_rows(text, one, every) for one in near]
    said = [*dict.fromkeys(together)][:_SAID]
    stated = {path for _, paragraph, _ in near[:1] for path in paragraph.values}
    ranked, entries = _everything()
    changes = [*_changes(rules, stated, ranked.best(text), entries)]
    if _answers(matches, every):
        return True, [*said, *changes]
    here = {rule for one, *_ in every for rule in one.rules}
    outside = [entries[one.place] for one in ranked.most(text)]
    outside = [one for one in outside if one.kind == "rule"][:_OUTSIDE]
    others = [
        _of_rule(catalogue()[one.id], rules) for one in outside if one.id not in here
    ]
    for one in others:
        if one.kind == "elsewhere" and {*stems(one.title)} == {*stems(text)}:
            return True, [one, *changes]
    # The best rule may say in its own words what the sheet says in others.
    cites = [every[one.place][0] for one in matches]
    cites = [one for one in cites if {*one.rules} & {rule.id for rule in outside[:1]}]
    said = [*dict.fromkeys([*cites[:1], *said])][:_SAID]
    return False, [*said, *changes, *others]


def is_played(rules: Ruleset, one: Rule) -> bool:
    """
    Whether a rule is in force in a game: its sheet cites it, or it is of no one game.
    """
    if one.game == "library" or one.policy == "strategy":
        return True
    return any(one.id in found.rules for found, *_ in _of_game(rules)[1])


def _with_other_rows(
    text: str,
    one: tuple[Finding, Paragraph, str],
    every: Sequence[tuple[Finding, Paragraph, str]],
) -> Finding:
    """
    A row with the other rows of its table that say as much about a question.
    """
    first, paragraph, label = one
    if not label:
        return first
    wanted = {*stems(spelled(text))}.intersection(label_stems(label))
    rows = [
        row
        for row, around, other in every
        if around is paragraph and other and wanted <= label_stems(other)
    ]
    ids = dict.fromkeys(rule for row in rows for rule in row.rules)
    said = " ".join(row.text for row in rows)
    return attrs.evolve(first, id=rows[0].id, text=said, rules=tuple(ids))


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
        option = every_option().get(entries[one.place].id)
        if option is None:
            continue
        touches = not stated.isdisjoint((*option.set, *option.arguments))
        if one.share >= (_ABOUT if touches else ANSWERS):
            scored.append((-one.score * (1.5 if touches else 1.0), one.place))
    shown: list[float] = []
    for score, place in sorted(scored)[:_TRIED]:
        if len(shown) == _CHANGES or (shown and score > _NEAR * shown[0]):
            return
        if _goes(rules, entries[place].id):
            shown.append(score)
            yield entries[place]


@remembered(256)
def _goes(rules: Ruleset, option_id: str) -> bool:
    return fit(rules, _said(rules), every_option()[option_id]).status == "goes"


_said: Final = remembered(1)(statements)
