"""
Rulesets put together: a preset, then options, then single values.
"""

from __future__ import annotations

import functools

from collections.abc import Iterable
from typing import Any, Final

import attrs

from rummyvariants.errors import RulesError, nearest
from rummyvariants.policies import REGISTRY, Policy
from rummyvariants.rules._contradictions import contradictions
from rummyvariants.rules._ruleset import FALLBACK_RULE, Origin, Ruleset
from rummyvariants.rules._variants import (
    ROOMS,
    Problem,
    argument_of,
    conflicts,
    known_rule,
    no_preset,
    options,
    pick,
    policy_class,
    preset_values,
    presets,
)


def preset(name: str) -> Ruleset:
    """
    The rules of a game as its document states them.

    Raises:
        RulesError: If there is no such preset; the message suggests the nearest.
    """
    if name not in presets():
        raise RulesError(no_preset(name))
    return _preset(name)


@functools.cache
def _preset(name: str) -> Ruleset:
    return build(name, (), ())


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
    heading, _ = preset_values(base)
    changes = tuple(changes)
    if any(path.endswith(".policy") for path, _ in changes):
        builder = _Builder()
        builder.use_classes(changes)
        builder.put_preset(base)
    else:
        builder = _begun(base).copy()
    picked = pick(chosen, builder.problems)
    for option_id, argument in picked:
        option = options()[option_id]
        patch = dict(option.set)
        if option.argument:
            patch.update(argument_of(option, argument, builder.problems))
        for path, value in patch.items():
            if path not in option.leaves or builder.get(path) != option.leaves[path]:
                builder.put(path, value, option_id, option_id)
    for path, (value, rule, set_by) in changes:
        builder.put(path, value, rule, set_by)
    rules = Ruleset(
        name=name or (like.name if like else base),
        title=title or (like.title if like else str(heading["title"])),
        version=int(heading["version"] or 1),
        source=str(heading["source"]),
        base=base,
        options=tuple(
            one if argument is None else f"{one}={argument}" for one, argument in picked
        ),
        origins=tuple(sorted(builder.origins.items())),
        changes=changes,
        files=like.files if like else (),
        **builder.policies(),
    )
    problems = [
        *builder.problems,
        *conflicts([one for one, _ in picked], base),
        *contradictions(rules),
    ]
    if problems:
        told = dict.fromkeys(problem for problem, _ in problems)
        broken = dict.fromkeys(rule for _, ids in problems for rule in ids)
        raise RulesError(told, broken, where=where)
    return rules


_TABLES: Final = frozenset(
    {"points", "upcard_counts", "special", "in_hand", "knock_counts"}
)
"""Policy values of which a patch changes entries, not the whole."""


@attrs.define
class _Builder:
    """
    A ruleset in the making: values, where they came from, and what is wrong.
    """

    problems: list[Problem] = attrs.field(factory=list)
    origins: dict[str, Origin] = attrs.field(factory=dict)
    _made: dict[str, dict[str, Any]] = attrs.field(
        init=False, factory=lambda: {room: {} for room in ROOMS}
    )
    _classes: dict[str, type[Policy]] = attrs.field(
        init=False, factory=lambda: dict(ROOMS)
    )

    def copy(self) -> _Builder:
        """
        Another one that stands where this one does.
        """
        other = _Builder(list(self.problems), dict(self.origins))
        other._made = {room: dict(made) for room, made in self._made.items()}
        other._classes = dict(self._classes)
        return other

    def put_preset(self, name: str) -> None:
        """
        Set the values of a preset.
        """
        for path, (value, rule, set_by) in preset_values(name)[1].items():
            self.put(path, value, rule, set_by)

    def use_classes(self, changes: Iterable[tuple[str, Any]]) -> None:
        """
        Put registered policies of third parties in the place of the library's.
        """
        for path, (value, *_) in changes:
            room, _, key = path.partition(".")
            if key != "policy" or room not in ROOMS:
                continue
            cls = REGISTRY.get((room, value)) if isinstance(value, str) else None
            if cls is None:
                known = [one for at, one in REGISTRY if at == room]
                hint = nearest(value, known)
                self.problems.append(
                    (f"{path}: no policy {value!r} is registered{hint}", ())
                )
            else:
                self._classes[room] = cls

    def get(self, path: str) -> Any:
        """
        A policy value as it stands so far.
        """
        room, _, key = path.partition(".")
        default = self._classes[room].values()[key].default
        return self._made[room].get(key, default)

    def put(self, path: str, value: Any, rule: str | None, set_by: str) -> None:
        """
        Set a policy value; what is wrong with it is noted.
        """
        room, _, key = path.partition(".")
        if key == "policy":
            self.origins[path] = Origin(rule or FALLBACK_RULE, set_by)
            return
        try:
            told = len(self.problems)
            cls = policy_class(room, key, self._classes.get(room), told)
            new = cls.read(key, value)
        except RulesError as error:
            self.problems.extend((problem, ()) for problem in error.problems)
            return
        except ValueError as error:
            self.problems.append((f"{path}: {error}", (rule,) if rule else ()))
            return
        old = self.get(path)
        before = self.origins.get(path)
        cite = (
            rule or known_rule(path, new) or (before.rule if before else FALLBACK_RULE)
        )
        if key in _TABLES and key in self._made[room]:
            for part, number in new:
                if dict(old).get(part) != number:
                    self.origins[f"{path}.{part}"] = Origin(cite, set_by)
            new = self._classes[room].read(key, {**dict(old), **dict(new)})
        else:
            self.origins[path] = Origin(cite, set_by)
        self._made[room][key] = new

    def policies(self) -> dict[str, Any]:
        """
        The policies by room.
        """
        return {room: self._classes[room](**self._made[room]) for room in ROOMS}


@functools.cache
def _begun(base: str) -> _Builder:
    """
    A builder with the values of a preset, to be copied: most rulesets begin with one.
    """
    builder = _Builder()
    builder.put_preset(base)
    return builder
