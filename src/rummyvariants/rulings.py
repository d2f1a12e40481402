"""The catalogue of rules, and the ruling that cites one."""

from __future__ import annotations

import functools

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants._support.lazy import guessing
from rummyvariants._support.names import Names
from rummyvariants._support.packaged import packaged_names, packaged_table
from rummyvariants._support.stems import slug
from rummyvariants._support.values import Fixed, Value
from rummyvariants.errors import RummyError


Conditions = tuple[tuple[str, tuple[Any, ...]], ...]
"""What must be in force: names, each with the values of which one suffices."""


@attrs.frozen(eq=False, repr=False)
class Note(Value):
    """
    How the library reads something that a rule leaves open, in words for players.

    Attributes:
        text: Full sentences.
        about: The policy values that it explains. It applies where one of these values
            comes from the rule.
        when: What else must be in force, whatever rule it comes from: policy values, or
            facts that the rule sheet knows by a name without a dot.
    """

    text: str
    about: Conditions
    when: Conditions = ()


@attrs.frozen(eq=False, repr=False)
class Rule(Value):
    """
    One rule of the catalogue.

    Attributes:
        id: Its stable name, such as ``PG-14``.
        game: The game, or the list of rules, that it belongs to.
        policy: The policy that it belongs to.
        kind: ``base`` for a rule of a game as written, ``option`` for a choice, and
            ``declined`` for a published rule that is not played here; its reading says
            why.
        title: A few words, which no other rule has.
        text: The rule in full sentences.
        source: The document that it comes from.
        trust: How reliable the source is if we have not read it ourselves: ``audited``,
            ``second-hand``, ``weak``, ``implementation`` or ``memory``; ``read`` if its
            own page was read, and empty for the documents that the games rest on.
        reading: How the library reads what the source leaves open.
        notes: The readings that a rule sheet explains to players.
        trap: A common mistake about the rule.
        needs: Ids of options; at least one of them must be on.
        excludes: Ids of options that cannot be on together with it.

    >>> rule = rv.rule("PG-14")
    >>> rule
    <Rule PG-14, No throwing back the top card: One discard ends the turn. ...>
    >>> rule.game, rule.policy, rule.kind
    ('rummy-5000', 'discard', 'base')
    """

    id: str
    game: str
    policy: str
    kind: str
    title: str
    text: str
    source: str
    reading: str = ""
    trap: str = ""
    needs: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    trust: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def name(self) -> str:
        """
        The title in small letters, joined by hyphens: ``no-throwing-back``.
        """
        return slug(self.title)

    def __repr__(self) -> str:
        return f"<Rule {self.id}, {self.title}: {self.text}>"

    def __str__(self) -> str:
        lines = [f"{self.id}, {self.title}", self.text]
        if self.reading:
            lines.append(f"Reading: {self.reading}")
        if self.source:
            lines.append(f"Source: {self.source}")
        return "\n".join(lines)


def catalogue() -> Mapping[str, Rule]:
    """
    All rules that the library knows, by id, in the order of the catalogue.

    >>> rules = rv.rules.catalogue()
    >>> [one.id for one in rules.values() if "joker" in one.title.lower()][:3]
    ['BN-02', 'BN-09', 'PF-03']
    """
    return _catalogue()


@functools.cache
def _catalogue() -> Mapping[str, Rule]:
    apart: dict[str, list[str]] = {one["id"]: [] for one in entries()}
    for entry in entries():
        for earlier in entry.get("excludes", ()):
            apart[entry["id"]].append(earlier)
            apart[earlier].append(entry["id"])
    kind: Any = Rule  # compiled, it is no attrs class to the type checker
    own = attrs.fields_dict(kind).keys() - {"needs", "excludes", "notes"}
    return Fixed(
        {
            entry["id"]: Rule(
                needs=tuple(entry.get("needs", ())),
                excludes=tuple(apart[entry["id"]]),
                notes=tuple(_note(**one) for one in entry.get("notes", ())),
                **{key: one for key, one in entry.items() if key in own},
            )
            for entry in entries()
        }
    )


@functools.cache
def entries() -> Sequence[Mapping[str, Any]]:
    """
    The entries of the catalogue and of the files of games, as written there.

    Each has what it sets if chosen, and one of a game's own file what holds for all of
    them.
    """
    found = [*packaged_table("data", "catalogue.toml")["rule"]]
    for name in packaged_names("games"):
        file = packaged_table("games", f"{name}.toml")
        for entry in file.get("rule", ()):
            shared = {"game": name, "kind": "base", "source": file["source"]}
            if entry.get("kind") == "option":
                shared |= {"game": "options", "modules": file.get("modules", ())}
            found.append(shared | entry)
    return found


def _note(text: str, about: Mapping[str, Any], when: Mapping[str, Any] = {}) -> Note:
    return Note(text, _conditions(about), _conditions(when))


def _conditions(given: Mapping[str, Any]) -> Conditions:
    return tuple(
        (name, tuple(one) if isinstance(one, list) else (one,))
        for name, one in given.items()
    )


@functools.cache
def rule_names() -> Names:
    """
    The ids and titles of all rules.
    """
    where = "`rummyvariants explain WORD` searches them"
    titles = {one["id"]: one["title"] for one in entries()}
    return Names("rule", titles, where)


@explained
def rule(name: str) -> Rule:
    """
    The rule with an id or a name.

    >>> rv.rule("no throwing back").id
    'BR-07'

    Args:
        name: An id in any case, a title, or words of a title that no other rule has.

    Raises:
        RulesError: If no rule, or more than one, is called so; the message names the
            nearest.
    """
    return catalogue()[rule_names().find(name)]


def _referee() -> Any:
    return import_module("rummyvariants.referee")


@attrs.frozen(eq=False, repr=False)
class Ruling(Value):
    """
    The answer to "may I do this?"; it is true if the action is legal.

    Attributes:
        legal: Whether the action is legal.
        rule: The id of the rule that decides.
        reason: One sentence.
        also: Ids of further rules that give the same answer; where a rule gave way so
            that a player can move at all, its id.
        case: What was asked, for the questions that a ruling answers about itself: the
            state, the action and the seat. It holds all secrets of the game, and
            `as_dict` leaves it out.

    >>> state = rv.position("rummy-500", hand="7h 8h 2c", pile="9h 9s", players=2)
    >>> rv.check(state, "take 9h")
    Ruling(...)
    """

    legal: bool
    rule: str
    reason: str
    also: tuple[str, ...] = ()
    case: tuple[Any, ...] = attrs.field(default=(), eq=False, repr=False)

    def about(self, *case: Any) -> Ruling:
        """
        The same ruling with what was asked.
        """
        return Ruling(self.legal, self.rule, self.reason, self.also, case)

    def under(self, rules: Any) -> Ruling:
        """
        The ruling on the same action at the same table under other rules.

        Args:
            rules: A ruleset, the name of a preset, or an option to add.

        Raises:
            RulesError: If there is no such preset or option.
            PositionError: If the position is impossible under these rules.
            RequestError: If it is not known what was asked.
        """
        ruling: Ruling = _referee().under(self.case, rules)
        return ruling

    def allowed_by(self) -> Mapping[str, Any]:
        """
        The options with which a refused action is legal, by id; they print one a line.

        Each is tried by itself, or with what it needs; one that takes a value is tried
        with the value of its example. It takes a second or two.

        Raises:
            RequestError: If it is not known what was asked.
        """
        options: Mapping[str, Any] = _referee().allowed_by(self.case)
        return options

    def legal_in(self) -> tuple[str, ...]:
        """
        The games in which the action is legal at the same table.

        They print one a line, and then those that cannot have such a table, with why.

        Raises:
            RequestError: If it is not known what was asked.
        """
        names: tuple[str, ...] = _referee().legal_in(self.case)
        return names

    @property
    def points(self) -> int:
        """
        What the cards that the action lays count for its player when the round ends.

        Raises:
            RequestError: If it is not known what was asked, or the action is refused.
        """
        points: int = _referee().points(self.case)
        return points

    @property
    def source(self) -> str:
        """
        The document that the rule comes from; empty for a third party's rule.
        """
        entry = catalogue().get(self.rule)
        return entry.source if entry else ""

    @property
    def cites(self) -> tuple[str, ...]:
        """
        All rule ids that the ruling cites, beginning with `rule`.
        """
        return (self.rule, *self.also)

    @property
    def words(self) -> str:
        """
        The reason with the rule ids, without the verdict.
        """
        return f"{self.reason} [{', '.join(self.cites)}]"

    def as_dict(self) -> dict[str, Any]:
        """
        The ruling as plain values, ready for `json.dumps`; `from_json` reads it back.

        >>> rv.check("rummy-500", "meld Qc Kc Ac").as_dict()["legal"]
        True
        """
        found: dict[str, Any] = import_module("rummyvariants.files.json").to_data(self)
        return found

    def __bool__(self) -> bool:
        return self.legal

    def __str__(self) -> str:
        return f"{'legal' if self.legal else 'refused'}: {self.words}"


guessing(Ruling)


class IllegalAction(RummyError):  # noqa: N818 -- the contract's name
    """
    An action that the rules refuse.

    Attributes:
        ruling: The refusal, with its rule, its reason and its source.

    >>> try:
    ...     rv.apply(rv.new_game("rummy-500", 2), "discard Kc")
    ... except rv.IllegalAction as error:
    ...     print(error.ruling.rule)
    RV-07
    """

    def __init__(self, ruling: Ruling) -> None:
        super().__init__(ruling.words)
        self.ruling = ruling

    def about(self, *case: Any) -> IllegalAction:
        """
        The same error with what was asked.
        """
        self.ruling = self.ruling.about(*case)
        return self


def refuse(rule_id: str, reason: str, *also: str) -> Ruling:
    """
    A refusal that cites a rule, and others that refuse the same.
    """
    further = tuple(dict.fromkeys(name for name in also if name and name != rule_id))
    return Ruling(legal=False, rule=rule_id, reason=reason, also=further)


def allow(rule_id: str, reason: str, *also: str) -> Ruling:
    """
    A permission that cites a rule, and others that have to do with it.
    """
    return Ruling(legal=True, rule=rule_id, reason=reason, also=also)


@attrs.frozen(eq=False, repr=False)
class Objection(Value):
    """
    A refusal before it is known which rule is behind it.

    Attributes:
        path: The policy value that refuses, such as ``meld.ace``, or the id of a rule
            that applies in every ruleset.
        reason: One sentence.
        also: Further policy values or rules that refuse it as well.
        readings: The melds that what was written may mean, if a choice of wilds
            decides it; see `Unclear`.
    """

    path: str
    reason: str
    also: tuple[str, ...] = ()
    readings: tuple[Any, ...] = ()


class Unclear(Objection):
    """
    A refusal because what was written has several meanings.
    """

    __slots__ = ()
