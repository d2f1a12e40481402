"""
The values of a ruleset that is being built.
"""

from __future__ import annotations

import functools

from collections.abc import Collection, Mapping
from typing import Any

import attrs

from rummyvariants.errors import RulesError, nearest
from rummyvariants.house import HouseRule
from rummyvariants.house.rules import rule_spelled
from rummyvariants.policies import Policy
from rummyvariants.rules._claims import given_up
from rummyvariants.rules._origins import Origin
from rummyvariants.rules._variants import (
    PATCHED,
    SECTIONS,
    Problem,
    known_policy,
    preset_values,
)


@attrs.define(eq=False, repr=False)
class Builder:
    """
    A ruleset being built: values, where they came from, and what is wrong.
    """

    problems: list[Problem] = attrs.field(factory=list)
    origins: dict[str, Origin] = attrs.field(factory=dict)
    unread: set[str] = attrs.field(init=False, factory=set)
    _made: dict[str, dict[str, Any]] = attrs.field(
        init=False, factory=lambda: {section: {} for section in SECTIONS}
    )
    _policies: dict[str, Policy] = attrs.field(init=False, factory=dict)

    def copy(self) -> Builder:
        """
        A copy.
        """
        other = Builder(list(self.problems), dict(self.origins))
        other._made = {section: dict(made) for section, made in self._made.items()}
        other._policies = dict(self._policies)
        return other

    def get(self, path: str) -> Any:
        """
        A policy value as it is so far.
        """
        section, _, key = path.partition(".")
        default = SECTIONS[section].values()[key].default
        return self._made[section].get(key, default)

    def set_by(self, path: str) -> str | None:
        """
        What has set a policy value so far; None for a default.
        """
        found = self.origins.get(path)
        return found.set_by if found else None

    def put(self, path: str, value: Any, rule: str | None, set_by: str) -> None:
        """
        Set a policy value; what is wrong with it is noted.
        """
        section, _, key = path.partition(".")
        removed: Collection[str] = ()
        try:
            policy = known_policy(section, key, len(self.problems))
            if key == "rules":
                value, removed = self._beside(path, value)
            new = policy.read(key, value)
        except RulesError as error:
            self.problems.extend((problem, ()) for problem in error.problems)
            return
        except ValueError as error:
            by_option = key == "rules" and rule == set_by
            out = f"; take {rule} out" if by_option else ""
            self.problems.append((f"{path}: {error}{out}", (rule,) if rule else ()))
            self.unread.add(path)
            return
        old = self.get(path)
        before = self.origins.get(path)
        if key == "rules":
            new = self._with_rules(path, new, removed, rule, set_by)
        elif (
            key in PATCHED
            and key in self._made[section]
            and not dict(old).keys() <= dict(new).keys()
        ):
            for part, number in new:
                if dict(old).get(part) != number:
                    self.origins[f"{path}.{part}"] = Origin(rule or set_by, set_by)
            new = policy.read(key, {**dict(old), **dict(new)})
        else:
            cite = rule or set_by
            if key in PATCHED:
                # A table that names every entry states the whole, what it repeats too.
                self._forget_parts(path)
            elif rule is None and before and old == new:
                cite = before.rule  # it says just this
            self.origins[path] = Origin(cite, set_by)
        self._made[section][key] = new
        self._policies.pop(section, None)

    def _beside(self, path: str, given: Any) -> tuple[Any, Collection[str]]:
        """
        House rules as they are given, those to ``change`` with the values that stay.

        Returns:
            The rules, and the names of those among them that are to ``remove``.

        Raises:
            ValueError: If one to change or to remove is not in force.
        """
        given = [given] if isinstance(given, Mapping) else given
        if not isinstance(given, list | tuple):
            return given, ()
        there = {one.name: rule_spelled(one) for one in self.get(path)}
        found, removed = list[Any](), list[str]()
        for one in given:
            words = one if isinstance(one, Mapping) else ()
            verb = next((verb for verb in ("change", "remove") if verb in words), "")
            if not verb:
                found.append(one)
                continue
            values = dict(one)
            was = there.get(name := str(values.pop(verb)))
            if was is None:
                msg = f"there is no rule {name!r} to {verb}"
                raise ValueError(msg + (nearest(name, there) if there else ""))
            if verb == "remove":
                if values:
                    msg = f"a rule to remove has no values: give {{remove = {name!r}}}"
                    raise ValueError(msg)
                removed.append(name)
            found.append({**({"name": was} if isinstance(was, str) else was), **values})
        return found, removed

    def _with_rules(
        self,
        path: str,
        new: tuple[HouseRule, ...],
        removed: Collection[str],
        rule: str | None,
        set_by: str,
    ) -> tuple[HouseRule, ...]:
        """
        House rules added to those already there; an empty list removes them all.
        """
        if not new:
            self._forget_parts(path)
            self.origins[path] = Origin(rule or set_by, set_by)
            return ()
        for one in new:
            # An option that changes a rule of a game is what is played then.
            cite = (one.id if rule != set_by else "") or rule or one.name
            self.origins[path] = Origin(cite, set_by)
            self.origins[f"{path}.{one.name}"] = Origin(cite, set_by)
        both = {one.name: one for one in (*self.get(path), *new)}
        for name in removed:
            del both[name], self.origins[f"{path}.{name}"]
        return tuple(both.values())

    def _forget_parts(self, path: str) -> None:
        """
        Forget where single entries of a table, or house rules, came from.
        """
        for part in [one for one in self.origins if one.startswith(f"{path}.")]:
            del self.origins[part]

    def give_way(self, stay: Collection[str]) -> None:
        """
        Set the policy values that house rules take over to what they are by default.

        Args:
            stay: Those that the rules give themselves, for one deal.
        """
        rules = {
            f"{section}.rules.{one.name}": one
            for section, made in self._made.items()
            for one in made.get("rules", ())
        }
        for path, by in given_up(rules, self.get):
            section, _, key = path.partition(".")
            if path not in stay and self._made[section].pop(key, None) is not None:
                self._forget_parts(path)
                self.origins[path] = self.origins[by]
                self._policies.pop(section, None)

    def policies(self) -> dict[str, Any]:
        """
        The policies by section; those of which no value changed are not made again.
        """
        for section, cls in SECTIONS.items():
            if section not in self._policies:
                self._policies[section] = cls(**self._made[section])
        return dict(self._policies)


@functools.cache
def begun(base: str) -> Builder:
    """
    A builder with the values of a preset, to be copied; most rulesets begin with one.
    """
    builder = Builder()
    for path, (value, rule, set_by) in preset_values(base)[1].items():
        builder.put(path, value, rule, set_by)
    builder.policies()
    return builder
