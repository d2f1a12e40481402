"""
The rules of a game as one value: a bundle of policies that knows where each came from.

A preset is a data file; an option is a named patch of policy values; a rules file
builds on a preset with options and single values.
"""

from __future__ import annotations

import functools
import os
import tomllib

from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import attrs

from rummyvariants.cards import CARDS, COPIES
from rummyvariants.errors import RulesError, nearest
from rummyvariants.policies import (
    REGISTRY,
    CallPolicy,
    DealPolicy,
    DeckPolicy,
    DiscardPolicy,
    DrawPolicy,
    LayoffPolicy,
    MatchPolicy,
    MeldPolicy,
    OutPolicy,
    Policy,
    ScorePolicy,
    StockPolicy,
    WildPolicy,
)
from rummyvariants.rulings import Objection, Ruling, catalogue, refuse
from rummyvariants.terms import Terms


ROOMS: Final[Mapping[str, type[Policy]]] = MappingProxyType(
    {
        cls.room: cls
        for cls in (
            DeckPolicy,
            DealPolicy,
            WildPolicy,
            MeldPolicy,
            DrawPolicy,
            LayoffPolicy,
            CallPolicy,
            DiscardPolicy,
            OutPolicy,
            StockPolicy,
            ScorePolicy,
            MatchPolicy,
        )
    }
)
"""The sections of a rules file, in the order of play, and the policies behind them."""

FALLBACK_RULE: Final = "RV-07"


@attrs.frozen
class Origin:
    """
    Where a policy value came from.

    Attributes:
        rule: The id of the rule that it states.
        set_by: The preset, the option or the file that set it.
    """

    rule: str
    set_by: str


@attrs.frozen
class Difference:
    """
    A policy value in which two rulesets differ.

    Attributes:
        value: Its name, such as ``match.target``.
        here: What it is in the first, and where that came from.
        there: What it is in the second, and where that came from.
    """

    value: str
    here: Any
    here_from: Origin
    there: Any
    there_from: Origin

    def __str__(self) -> str:
        return (
            f"{self.value}: {show_value(self.here)} "
            f"({self.here_from.set_by}, {self.here_from.rule}) | "
            f"{show_value(self.there)} ({self.there_from.set_by}, {self.there_from.rule})"
        )


@attrs.frozen
class Option:
    """
    A named patch of policy values.

    Attributes:
        id: The id of the rule that it turns on.
        set: The policy values that it sets.
        argument: The policy value that is given with it, as in ``PGV-E5=2500``.
        takes: What the argument has to be.
        default: The argument where none is given; None if one has to be.
    """

    id: str
    set: Mapping[str, Any] = attrs.field(factory=dict)
    argument: str = ""
    takes: str = ""
    default: str | None = None


class _Memo(dict[Any, Any]):
    """
    Things worked out once; not worth carrying along in a pickle.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _Memo, ()


@attrs.frozen(cache_hash=True)
class Ruleset:
    """
    The rules of a game: immutable, comparable, and the same for all who hold it.

    Two rulesets are equal if they play alike and cite the same rules.

    Attributes:
        name: The name of the preset or of the rules file.
        options: The options put on it, in the order of the catalogue.
        changes: Single values put on it: (value, rule or None, origin) by name.
    """

    name: str = attrs.field(eq=False)
    title: str = attrs.field(eq=False)
    version: int = attrs.field(eq=False)
    source: str = attrs.field(eq=False)
    base: str = attrs.field(eq=False)
    options: tuple[str, ...] = attrs.field(eq=False)
    deck: DeckPolicy
    deal: DealPolicy
    wild: WildPolicy
    meld: MeldPolicy
    draw: DrawPolicy
    layoff: LayoffPolicy
    call: CallPolicy
    discard: DiscardPolicy
    out: OutPolicy
    stock: StockPolicy
    score: ScorePolicy
    match: MatchPolicy
    _origins: tuple[tuple[str, Origin], ...] = attrs.field(
        repr=False, eq=lambda pairs: tuple((path, one.rule) for path, one in pairs)
    )
    changes: tuple[tuple[str, Any], ...] = attrs.field(repr=False, eq=False)
    _memo: dict[Any, Any] = attrs.field(
        init=False, repr=False, eq=False, factory=_Memo
    )

    # ---------------------------------------------------------------- provenance

    @property
    def origins(self) -> Mapping[str, Origin]:
        """
        Where each policy value came from, by its name.
        """
        if "origins" not in self._memo:
            self._memo["origins"] = MappingProxyType(dict(self._origins))
        found: Mapping[str, Origin] = self._memo["origins"]
        return found

    def origin(self, value: str) -> Origin:
        """
        Where a policy value, or a part such as ``score.points.K``, came from.
        """
        path = value
        while path:
            found = self.origins.get(path)
            if found is not None:
                return found
            path = path.rpartition(".")[0]
        return Origin(FALLBACK_RULE, "the library")

    def rule_of(self, question: str) -> str:
        """
        The id of the rule behind a policy value; a rule's id stands for itself.
        """
        if "." in question:
            return self.origin(question).rule
        return question

    def refusal(self, objection: Objection) -> Ruling:
        """
        The ruling that an objection comes to under these rules.
        """
        return refuse(
            self.rule_of(objection.question),
            objection.reason,
            *[self.rule_of(question) for question in objection.also],
        )

    def value(self, path: str) -> Any:
        """
        A policy value by its name, such as ``match.target``.

        Raises:
            RulesError: If there is none; the message suggests the nearest.
        """
        room, _, name = path.partition(".")
        policy_class(room, name)
        return getattr(getattr(self, room), name)

    def values(self) -> dict[str, Any]:
        """
        Every policy value by its name, in the order of play.
        """
        return {
            f"{room}.{name}": getattr(getattr(self, room), name)
            for room in ROOMS
            for name in type(getattr(self, room)).values()
        }

    # --------------------------------------------------------------------- patches

    def with_options(self, *options: str) -> Ruleset:
        """
        These rules with options of the catalogue put on.

        Args:
            options: Ids, those with a value as ``PGV-E5=2500``.

        Raises:
            RulesError: If an option is unknown, or conflicts with another or with the
                game; every problem is told.
        """
        return build(self.base, (*self.options, *options), self.changes, self)

    def with_values(self, values: Mapping[str, Any], set_by: str = "set here") -> Ruleset:
        """
        These rules with single policy values changed.

        Args:
            values: By name, such as ``{"match.target": 1000}``.
            set_by: What is remembered as their origin.

        Raises:
            RulesError: If a name is unknown or a value will not do.
        """
        changes = [(path, (value, None, set_by)) for path, value in values.items()]
        return build(self.base, self.options, (*self.changes, *changes), self)

    def diff(self, other: Ruleset) -> tuple[Difference, ...]:
        """
        The policy values in which another ruleset differs, with their origins.
        """
        mine, theirs = self.values(), other.values()
        return tuple(
            Difference(
                path,
                mine.get(path),
                self.origin(path),
                theirs.get(path),
                other.origin(path),
            )
            for path in dict.fromkeys([*mine, *theirs])
            if mine.get(path) != theirs.get(path)
        )

    def describe(self) -> str:
        """
        The rule sheet: the rules in force in plain sentences, with their ids.
        """
        from rummyvariants.sheet import rule_sheet  # noqa: PLC0415 -- a room below

        return rule_sheet(self)

    # ---------------------------------------------------------------------- tables

    def terms(self, players: int, wild_rank: str = "") -> Terms:
        """
        These rules as tables for one deal.

        Args:
            players: The number of players.
            wild_rank: The rank that is wild in this deal; empty for none.
        """
        found: Terms | None = self._memo.get((players, wild_rank))
        if found is None:
            found = self._memo[players, wild_rank] = _terms(self, players, wild_rank)
        return found


def _terms(rules: Ruleset, players: int, wild_rank: str) -> Terms:
    copies = [0] * len(CARDS)
    for code in rules.deck.cards_for(players):
        copies[code] += 1
    wild = rules.wild.in_deal(wild_rank)
    # Only a policy that overrides the question is asked it for every meld.
    own = type(rules.meld).objection is not MeldPolicy.objection
    return Terms(
        wild_rank=wild_rank,
        wild=wild,
        ranks=rules.deck.ranks,
        suits=rules.deck.suits,
        copies=tuple(copies),
        sets=rules.meld.sets,
        runs=rules.meld.runs,
        distinct=rules.meld.distinct(rules.deck.packs_for(players)),
        track=rules.meld.track(rules.deck.ranks),
        least_set=rules.meld.least_set,
        least_run=rules.meld.least_run,
        limit=rules.wild.limit,
        own_place_is_natural=rules.wild.own_place == "natural",
        wild_melds=rules.wild.wild_melds,
        real_card=rules.wild.real_card,
        worth=rules.score.worth(wild),
        low_ace=rules.score.low_ace_points(),
        extra=rules.meld.objection if own else None,
    )


def policy_class(room: str, name: str = "") -> type[Policy]:
    """
    The library's policy of a section, which has the given value.

    Raises:
        RulesError: If there is no such section or value.
    """
    cls = ROOMS.get(room)
    if cls is None:
        msg = f"there is no policy {room!r}{nearest(room, ROOMS)}"
        raise RulesError(msg)
    if name and name not in cls.values():
        msg = f"there is no policy value '{room}.{name}'{nearest(name, cls.values())}"
        raise RulesError(msg)
    return cls


def show_value(value: Any) -> str:
    """
    A policy value as a person would write it.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple):
            return ", ".join(f"{key}: {one}" for key, one in value)
        return ", ".join(map(str, value)) or "none"
    return str(value) or "none"


# ------------------------------------------------------------------------- loading


@functools.cache
def options() -> Mapping[str, Option]:
    """
    Every option by its id, in the order of the catalogue.
    """
    path = resources.files("rummyvariants") / "data" / "options.toml"
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["option"]
    return MappingProxyType({entry["id"]: Option(**entry) for entry in entries})


@functools.cache
def _preset_files() -> Mapping[str, Mapping[str, Any]]:
    folder = resources.files("rummyvariants") / "data" / "presets"
    return {
        path.name.removesuffix(".toml"): tomllib.loads(path.read_text(encoding="utf-8"))
        for path in sorted(folder.iterdir(), key=lambda one: one.name)
        if path.name.endswith(".toml")
    }


def presets() -> tuple[str, ...]:
    """
    The names of the games that come with the library.
    """
    return tuple(_preset_files())


def preset(name: str) -> Ruleset:
    """
    The rules of a game as its document states them.

    Raises:
        RulesError: If there is no such preset; the message suggests the nearest.
    """
    if name not in _preset_files():
        msg = f"there is no preset {name!r}{nearest(str(name), presets())}"
        raise RulesError(msg)
    return _preset(name)


@functools.cache
def _preset(name: str) -> Ruleset:
    return build(name, (), ())


def _preset_values(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """
    The heading and the values of a preset: (value, rule, set_by) by name.
    """
    file = _preset_files()[name]
    values: dict[str, Any] = {}
    if "extends" in file:
        _, values = _preset_values(file["extends"])
    for room, section in file.items():
        if isinstance(section, Mapping):
            for key, entry in section.items():
                values[f"{room}.{key}"] = (entry["value"], entry["rule"], name)
    return {key: file.get(key) for key in ("title", "version", "source")}, values


def build(
    base: str,
    chosen: Iterable[str],
    changes: Iterable[tuple[str, Any]],
    like: Ruleset | None = None,
    *,
    name: str = "",
    title: str = "",
    where: str = "",
) -> Ruleset:
    """
    Put a ruleset together: a preset, then options, then single values.

    Args:
        base: The name of the preset.
        chosen: Options as texts.
        changes: Names of policy values with (value, rule or None, origin).
        like: A ruleset to take the name and title from.
        name: A name for the result.
        title: A title for the result.
        where: A file name for the head of error messages.

    Raises:
        RulesError: With every problem found.
    """
    heading, values = _preset_values(base)
    problems: list[tuple[str, tuple[str, ...]]] = []
    made: dict[str, dict[str, Any]] = {room: {} for room in ROOMS}
    classes: dict[str, type[Policy]] = dict(ROOMS)
    origins: dict[str, Origin] = {}
    changes = tuple(changes)
    for path, (value, *_) in changes:
        room, _, key = path.partition(".")
        if key == "policy" and room in ROOMS:
            cls = REGISTRY.get((room, str(value)))
            if cls is None:
                known = [one for at, one in REGISTRY if at == room]
                problems.append(
                    (f"{path}: no policy {value!r} is registered{nearest(str(value), known)}", ())
                )
            else:
                classes[room] = cls

    def put(path: str, value: Any, rule: str | None, set_by: str) -> None:
        room, _, key = path.partition(".")
        if key == "policy":
            return
        try:
            policy_class(room)
            cls = classes[room]
            if key not in cls.values():
                msg = f"there is no policy value '{room}.{key}'{nearest(key, cls.values())}"
                raise RulesError(msg)
            new = cls.read(key, value)
        except RulesError as error:
            problems.extend((problem, ()) for problem in error.problems)
            return
        except ValueError as error:
            problems.append((f"{path}: {error}", (rule,) if rule else ()))
            return
        old = made[room].get(key)
        cite = rule or _known_rule(path, new) or _origin(origins, path).rule
        if key in {"points", "upcard_counts", "special"} and old is not None:
            for part, number in new:
                if dict(old).get(part) != number:
                    origins[f"{path}.{part}"] = Origin(cite, set_by)
            new = cls.read(key, {**dict(old), **dict(new)})
        else:
            origins[path] = Origin(cite, set_by)
        made[room][key] = new

    for path, (value, rule, set_by) in values.items():
        put(path, value, rule, set_by)
    picked = _pick(chosen, problems)
    for option_id, argument in picked:
        option = options()[option_id]
        patch = dict(option.set)
        if option.argument:
            patch.update(_argument(option, argument, problems))
        for path, value in patch.items():
            put(path, value, option_id, option_id)
    for path, (value, rule, set_by) in changes:
        put(path, value, rule, set_by)
    texts = tuple(
        one if argument is None else f"{one}={argument}" for one, argument in picked
    )
    problems += _conflicts([one for one, _ in picked])
    rules = Ruleset(
        name=name or (like.name if like else base),
        title=title or (like.title if like else str(heading["title"])),
        version=int(heading["version"] or 1),
        source=str(heading["source"]),
        base=base,
        options=texts,
        origins=tuple(sorted(origins.items())),
        changes=changes,
        **{room: classes[room](**made[room]) for room in ROOMS},  # type: ignore[arg-type]
    )
    problems += _impossible(rules)
    if problems:
        told = dict.fromkeys(problem for problem, _ in problems)
        broken = dict.fromkeys(rule for _, ids in problems for rule in ids)
        raise RulesError(told, broken, where=where)
    return rules


def _origin(origins: Mapping[str, Origin], path: str) -> Origin:
    return origins.get(path, Origin(FALLBACK_RULE, "the library"))


@functools.cache
def _rules_by_value() -> Mapping[str, tuple[tuple[Any, str], ...]]:
    """
    Which rule states which value of a policy value, options before presets.
    """
    known: dict[str, list[tuple[Any, str]]] = {}

    def note(path: str, value: Any, rule: str) -> None:
        room, _, key = path.partition(".")
        known.setdefault(path, []).append((ROOMS[room].read(key, value), rule))

    for option in options().values():
        for path, value in option.set.items():
            note(path, value, option.id)
    for name in presets():
        for path, (value, rule, _) in _preset_values(name)[1].items():
            note(path, value, rule)
    return {path: tuple(pairs) for path, pairs in known.items()}


def _known_rule(path: str, value: Any) -> str | None:
    """
    The rule that states just this value, where a file sets it without naming one.
    """
    for known, rule in _rules_by_value().get(path, ()):
        if known == value:
            return rule
    for option in options().values():
        if option.argument == path:
            return option.id
    return None


def _pick(
    chosen: Iterable[str], problems: list[tuple[str, tuple[str, ...]]]
) -> list[tuple[str, str | None]]:
    """
    Options read from their texts and put into the order of the catalogue.
    """
    picked: dict[tuple[str, str | None], None] = {}
    for text in chosen:
        one, equals, argument = (part.strip() for part in str(text).partition("="))
        known = {option.casefold(): option for option in options()}
        option = known.get(one.casefold())
        if option is None:
            entry = catalogue().get(one)
            if entry is not None and entry.kind == "base":
                problems.append(
                    (f"{one} is a rule of {entry.game}, not an option", (one,))
                )
            else:
                hint = nearest(one, options()) if len(one) > 2 else ""
                problems.append((f"there is no option {one!r}{_short(hint)}", ()))
            continue
        if equals and not options()[option].argument:
            problems.append((f"{option} takes no value, {text!r} gives one", (option,)))
            continue
        picked[option, argument if equals else None] = None
    order = list(options())
    seen: dict[str, str | None] = {}
    result = []
    for option, argument in sorted(picked, key=lambda one: order.index(one[0])):
        several = options()[option].argument == "score.special"
        if option in seen and not several:
            problems.append(
                (f"{option} is given twice: as {seen[option]} and as {argument}", (option,))
            )
        seen[option] = argument
        result.append((option, argument))
    return result


def _short(hint: str) -> str:
    return hint if "did you mean" in hint else "; the option pages list all"


def _argument(
    option: Option,
    argument: str | None,
    problems: list[tuple[str, tuple[str, ...]]],
) -> dict[str, Any]:
    text = option.default if argument is None else argument
    if text is None:
        problems.append(
            (f"{option.id} needs a value: {option.takes}, as in {option.id}=2500", (option.id,))
        )
        return {}
    try:
        if option.argument == "score.special":
            card, _, points = text.partition(":")
            return {option.argument: {card.strip(): int(points)}}
        return {option.argument: int(text)}
    except ValueError:
        problems.append(
            (f"{option.id}={text} will not do: give {option.takes}", (option.id,))
        )
        return {}


def _conflicts(chosen: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    problems = []
    for at, first in enumerate(chosen):
        for second in chosen[at + 1 :]:
            if second in catalogue()[first].excludes or first in catalogue()[second].excludes:
                problems.append(
                    (f"{first} and {second} exclude each other: take one out", (first, second))
                )
    return problems


def _impossible(rules: Ruleset) -> list[tuple[str, tuple[str, ...]]]:
    """
    Why these policy values cannot all be in force.
    """
    problems: list[tuple[str, tuple[str, ...]]] = []

    def clash(reason: str, *paths: str) -> None:
        sides = [rules.origin(path) for path in paths]
        told = " and ".join(
            f"{path} = {show_value(rules.value(path))!r} ({one.rule}, from {one.set_by})"
            for path, one in zip(paths, sides, strict=True)
        )
        problems.append((f"{reason}: {told}", tuple(one.rule for one in sides)))

    if not (rules.meld.sets or rules.meld.runs):
        clash("neither sets nor runs could be melded", "meld.sets", "meld.runs")
    if rules.wild.twos and "2" not in rules.deck.ranks:
        clash("twos are wild, but the deck has none", "wild.twos", "deck.ranks")
    if rules.wild.tens and "T" not in rules.deck.ranks:
        clash("tens are wild, but the deck has none", "wild.tens", "deck.ranks")
    if rules.wild.one_eyed_jacks and "J" not in rules.deck.ranks:
        clash("jacks are wild, but the deck has none", "wild.one_eyed_jacks", "deck.ranks")
    if rules.deal.two_upcard == "choose" and not rules.wild.twos:
        clash("a choice for twos needs twos to be wild", "deal.two_upcard", "wild.twos")
    if rules.score.out_bonus and rules.score.hands != "subtract":
        clash(
            "the bonus for going out needs hand cards to be subtracted",
            "score.out_bonus",
            "score.hands",
        )
    if rules.match.ends == "after the kings" and rules.wild.indicator != "by round":
        clash("rounds by wild rank need wilds by round", "match.ends", "wild.indicator")
    for players in (rules.match.players[0], rules.match.players[1]):
        packs = rules.deck.packs_for(players)
        if packs > COPIES or packs * rules.deck.jokers > COPIES:
            problems.append(
                (
                    f"deck: {packs} packs hold more than {COPIES} cards of one face",
                    (rules.rule_of("deck.packs"),),
                )
            )
            break
    if not rules.deck.ranks:
        problems.append(("deck.ranks: the deck has no cards", ()))
    return problems


# --------------------------------------------------------------------- rules files


_HEADING: Final = frozenset({"name", "title", "extends", "with", "notes"})


def read_rules(given: object, where: str = "") -> Ruleset:
    """
    A ruleset from what stands behind ``rules`` in a file: a name or a table.

    Args:
        given: The name of a preset, or a table with ``extends``, ``with`` and policy
            values.
        where: The file's name for error messages.

    Raises:
        RulesError: With every problem found.
    """
    if isinstance(given, str):
        try:
            return preset(given)
        except RulesError as error:
            raise RulesError(error.problems, where=where) from None
    if not isinstance(given, Mapping):
        msg = f"rules are the name of a preset or a table, not {given!r}"
        raise RulesError(msg, where=where)
    problems: list[str] = []
    base = given.get("extends")
    if base is None:
        problems.append(
            "'extends' is missing: name the preset that the rules build on, one of "
            + ", ".join(presets())
        )
    elif base not in _preset_files():
        problems.append(f"extends: there is no preset {base!r}{nearest(str(base), presets())}")
    chosen = given.get("with", [])
    if isinstance(chosen, str):
        chosen = [chosen]
    if not isinstance(chosen, list) or not all(isinstance(one, str) for one in chosen):
        problems.append("with: give a list of options, such as ['PGV-P4', 'PGV-E5=2500']")
        chosen = []
    set_by = str(given.get("name") or where or "the rules table")
    changes: list[tuple[str, Any]] = []
    known = {*_HEADING, *ROOMS}
    for key, section in given.items():
        if key in _HEADING:
            continue
        if key not in ROOMS:
            problems.append(f"there is no key {key!r}{nearest(key, known)}")
        elif not isinstance(section, Mapping):
            problems.append(f"{key} is a section: write [{key}] and values below it")
        else:
            for name, value in section.items():
                rule = None
                if isinstance(value, Mapping) and set(value) == {"value", "rule"}:
                    value, rule = value["value"], str(value["rule"])  # noqa: PLW2901
                changes.append((f"{key}.{name}", (value, rule, set_by)))
    for key in ("name", "title", "notes"):
        if key in given and not isinstance(given[key], str):
            problems.append(f"{key}: give a text, not {given[key]!r}")
    ids: tuple[str, ...] = ()
    rules = None
    try:
        rules = build(
            base if base in _preset_files() else presets()[0],
            chosen,
            changes,
            name=str(given.get("name") or ""),
            title=str(given.get("title") or ""),
        )
    except RulesError as error:
        problems += error.problems
        ids = error.rules
    if problems or rules is None:
        raise RulesError(dict.fromkeys(problems), ids, where=where)
    return rules


def load_rules(path: str | os.PathLike[str]) -> Ruleset:
    """
    The rules of a house-rules file.

    Args:
        path: A TOML file with ``extends``, ``with`` and single policy values.

    Raises:
        RulesError: If it cannot be read or does not hold; with every problem, and the
            line where the file is no TOML.
    """
    file = Path(path)
    try:
        given = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        msg = f"cannot be read: {error.strerror or error}"
        raise RulesError(msg, where=str(path)) from None
    except UnicodeDecodeError:
        msg = "is not a text file in UTF-8"
        raise RulesError(msg, where=str(path)) from None
    except tomllib.TOMLDecodeError as error:
        msg = f"is no TOML file: {error}"
        raise RulesError(msg, where=str(path)) from None
    given = given.get("rules", given) if set(given) == {"rules"} else given
    rules = read_rules(given, where=str(path))
    if "name" in given:
        return rules
    return attrs.evolve(rules, name=file.stem)

