"""
The rules of a game as one value: policies, with the origin of each of their values.

A preset is a data file; an option is a named patch of policy values; a rules file
builds on a preset with options and single values.
"""

from __future__ import annotations

import functools
import itertools
import math

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

import attrs

from rummyvariants import policies
from rummyvariants._support.arguments import explained
from rummyvariants._support.limits import ONE_LINE, is_line
from rummyvariants._support.values import Fixed
from rummyvariants._support.words import figure
from rummyvariants.cards import CARDS, FIELD, RANKS, Card, as_cards
from rummyvariants.errors import RulesError, need, unfit
from rummyvariants.house._claims import IN_PLACE
from rummyvariants.house.answers import (
    EFFECTS,
    Effect,
    Kind,
    Memory,
    Move,
    Remember,
)
from rummyvariants.house.facts import DealFacts, mask_of
from rummyvariants.house.rules import (
    OF_TURNS,
    HouseRule,
    answered_by,
    how_to_use,
    no_sense,
    rule_spelled,
    times_of,
)
from rummyvariants.melds._meld import Meld, Slot
from rummyvariants.melds._tables import NATURALS, MeldKind, Terms
from rummyvariants.policies._questions import ROWS, Answer, answers_of, possible_values
from rummyvariants.policies.wild import face_above
from rummyvariants.rules._builder import begun
from rummyvariants.rules._claims import replaced, what_lacks
from rummyvariants.rules._contradictions import contradictions
from rummyvariants.rules._origins import (
    FALLBACK_RULE,
    Difference,
    Differences,
    Origin,
    show_value,
    telling,
)
from rummyvariants.rules._settled import Settled, settled
from rummyvariants.rules._variants import (
    PATCHED,
    SECTIONS,
    argument_of,
    conflicts,
    every_option,
    known_policy,
    no_preset,
    pick,
    preset_values,
    presets,
    register_rules_of,
)
from rummyvariants.rulings import Objection, Ruling, refuse


_T = TypeVar("_T")

_DEALS_AT_MOST: Final = 100
"""How many rulesets of deals are worked out beforehand."""
_Said = dict[str, tuple[str, HouseRule, Any]]
"""Values for a deal by their names, each with the rule that gives it."""


_FOR_USERS: Final = (
    *("name", "title", "version", "source", "base", "options", "preset"),
    *("value", "values", "origin", "origins", "fingerprint", "notices"),
    *("with_options", "with_values", "without", "diff", "describe"),
    *("hand_size", "worth"),
)
"""What completion shows of a ruleset, besides its sections."""


@attrs.frozen(cache_hash=True, repr=False)
class Ruleset:
    """
    The rules of a game: immutable, comparable and safe to share.

    It prints as its rule sheet. Two rulesets are equal if they play alike and cite the
    same rules. Each section of a rules file is an attribute, such as ``match``, and its
    policy values are attributes of that. What `dir` and completion leave out is for the
    engine.

    Attributes:
        name: The name of the preset or of the rules file.
        title: The name of the game as players write it.
        version: The version of the preset.
        source: Where its rules come from.
        base: The name of the preset on which the rules are built.
        options: The options added to the preset, in the order of the catalogue.

    >>> rules = rv.preset("rummy-500").with_options("PGV-E5=300")
    >>> rules.match.target, rules.origin("match.target").rule
    (300, 'PGV-E5')
    >>> rv.preset("rummy-500").diff(rules)
    match.target: The points that end the match
      rummy-500:                 500 (BN-18, rummy-500)
      rummy-500 with PGV-E5=300: 300 (PGV-E5)
    """

    name: str = attrs.field(eq=False)
    title: str = attrs.field(eq=False)
    version: int = attrs.field(eq=False)
    source: str = attrs.field(eq=False)
    base: str = attrs.field(eq=False)
    options: tuple[str, ...] = attrs.field(eq=False)
    deck: policies.DeckPolicy
    deal: policies.DealPolicy
    wild: policies.WildPolicy
    meld: policies.MeldPolicy
    draw: policies.DrawPolicy
    layoff: policies.LayoffPolicy
    call: policies.CallPolicy
    discard: policies.DiscardPolicy
    out: policies.OutPolicy
    stock: policies.StockPolicy
    score: policies.ScorePolicy
    match: policies.MatchPolicy
    _origins: tuple[tuple[str, Origin], ...] = attrs.field(
        repr=False, eq=lambda pairs: tuple((path, one.rule) for path, one in pairs)
    )
    # The single values changed, by name: (value, rule or None, origin). What a later
    # change replaces is left out.
    changes: tuple[tuple[str, Any], ...] = attrs.field(repr=False, eq=False)
    # The options that come from a rules file, each with that file.
    files: tuple[tuple[str, str], ...] = attrs.field(repr=False, eq=False, default=())
    # Whether no house rule is asked anything about a turn; see `bare`.
    silent: bool = attrs.field(repr=False, default=False)
    # For the rules of one deal, those from which they come; otherwise None.
    agreed: Ruleset | None = attrs.field(repr=False, eq=False, default=None)
    # The house rules in force, and those by which policy values are played, each with
    # the policy value that its refusals cite. Those that lack what they need are not in
    # force.
    house: tuple[tuple[str, HouseRule], ...] = attrs.field(
        init=False, repr=False, eq=False
    )
    # By the name of a question, the house rules that answer it; and their answers, by
    # what they depend on.
    asked: Mapping[str, tuple[tuple[str, HouseRule], ...]] = attrs.field(
        init=False, repr=False, eq=False
    )
    answers: dict[Any, Any] = attrs.field(
        init=False, repr=False, eq=False, factory=dict
    )
    # Mask of the cards that may certainly be discarded, except as the last card of a
    # hand or when just taken alone. Rules may bar these too from a hand that holds no
    # more than `few`.
    discardable: int = attrs.field(init=False, repr=False, eq=False)
    few: int = attrs.field(init=False, repr=False, eq=False)
    # Whether certainly all seats may lay cards on all melds.
    opens_all_melds: bool = attrs.field(init=False, repr=False, eq=False)
    # Whether it matters how many melds were made in a turn.
    counts_melds: bool = attrs.field(init=False, repr=False, eq=False)
    # Whether house rules may give actions additional effects, or remember something for
    # a turn.
    has_effects: bool = attrs.field(init=False, repr=False, eq=False)
    # What a step asks of the policies, answered once.
    settled: Settled = attrs.field(init=False, repr=False, eq=False)
    _memo: dict[Any, Any] = attrs.field(init=False, repr=False, eq=False, factory=dict)

    @house.default
    def _house(self) -> tuple[tuple[str, HouseRule], ...]:
        found: list[tuple[str, HouseRule]] = []
        for section in SECTIONS:
            policy = getattr(self, section)
            found += policy.by_rules()
            found += [
                (f"{section}.rules.{one.name}", one)
                for one in policy.rules
                if not what_lacks(one, self.value)
            ]
        return tuple(found)

    @asked.default
    def _asked(self) -> dict[str, tuple[tuple[str, HouseRule], ...]]:
        found: dict[str, tuple[tuple[str, HouseRule], ...]] = {}
        for path, rule in () if self.silent else self.house:
            for question in answered_by(rule):
                found[question] = (*found.get(question, ()), (path, rule))
        return found

    @discardable.default
    def _discardable(self) -> int:
        goes = self.discard.sure_mask
        for _, rule in self.asked.get("discards", ()):
            goes &= 0 if rule.bars is None else ~mask_of(rule.bars)
        return 0 if "discard" in self.vetoed else goes

    @few.default
    def _few(self) -> int:
        return max([rule.few for _, rule in self.asked.get("discards", ())], default=0)

    @opens_all_melds.default
    def _opens_all_melds(self) -> bool:
        return self.layoff.onto == "any meld" and "lays_off_on" not in self.asked

    @counts_melds.default
    def _counts_melds(self) -> bool:
        asked = [self.reads[one] for one in OF_TURNS.intersection(self.asked)]
        by_rule = any(one is None or "melds_made" in one for one in asked)
        return self.meld.limits_new or by_rule or "most_melds" in self.asked

    @has_effects.default
    def _has_effects(self) -> bool:
        offers = "offers" in self.asked and Remember in self.effects
        return offers or not {"follows", "lays_aside"}.isdisjoint(self.asked)

    @settled.default
    def _settled(self) -> Settled:
        return settled(self)

    @property
    def replaced(self) -> Mapping[str, HouseRule]:
        """
        The policy values that house rules take over, each with the rule.

        The rule sheet does not state them.
        """
        return self._once("replaced", lambda: Fixed(replaced(self.house)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, _given(self)

    def __dir__(self) -> list[str]:
        return [*_FOR_USERS, *SECTIONS]

    def __str__(self) -> str:
        return self.describe()

    def __repr__(self) -> str:
        based = f" on {self.base}" if self.name != self.base else ""
        options = f" with {', '.join(self.options)}" if self.options else ""
        number = len(dict(self.changes))
        single = f" and {figure(number, 'value')}" if self.changes else ""
        return f"<Ruleset {self.name}{based}{options}{single}>"

    def worth_in(
        self, slot: Slot, meld: Meld, worth: Sequence[int]
    ) -> tuple[str, int] | None:
        """
        What a card in a meld is worth by house rules, and what is cited for it.

        Args:
            slot: The place of the card.
            meld: The meld.
            worth: By code, what cards are worth alone.

        Returns:
            None if no rule says.
        """
        if "worth" not in self.asked:
            return None
        found = ROWS["worth"].together(answers_of(self, "worth", None, slot, meld))
        if found is None or not isinstance(found[1], Card):
            return found
        return found[0], worth[found[1].code]

    @functools.cached_property
    def vetoed(self) -> frozenset[str]:
        """
        The first words of the actions that house rules may forbid.
        """
        asked = self.asked.get("forbids", ())
        return frozenset([word for _, rule in asked for word in rule.vetoes])

    @functools.cached_property
    def secrets(self) -> frozenset[str]:
        """
        The names of the actions whose cards only the player knows.
        """
        offering = self.asked.get("offers", ())
        return frozenset([name for _, rule in offering for name in rule.secrets])

    @functools.cached_property
    def effects(self) -> frozenset[type[Effect]]:
        """
        The kinds of effects that house rules may have.
        """
        asked = [*self.asked.get("follows", ()), *self.asked.get("offers", ())]
        kinds = [EFFECTS if one.effects is None else one.effects for _, one in asked]
        return frozenset([Move] if "refills" in self.asked else []).union(*kinds)

    @functools.cached_property
    def reads(self) -> Mapping[str, frozenset[str] | None]:
        """
        By question asked, the facts that answers depend on; None if that is not known.
        """
        found: dict[str, frozenset[str] | None] = {}
        for question, rules in self.asked.items():
            reads = [rule.reads for _, rule in rules]
            known = [one for one in reads if one is not None]
            whole = len(known) == len(reads)
            found[question] = frozenset().union(*known) if whole else None
        return found

    @functools.cached_property
    def memories(self) -> Mapping[str, Memory]:
        """
        What the rules in force remember, by section and name.
        """
        return {
            f"{rule.section}.{rule.name}": rule.memory
            for _, rule in self.house
            if rule.memory is not None
        }

    @functools.cached_property
    def kinds(self) -> tuple[MeldKind, ...]:
        """
        The kinds of melds that house rules declare, in the order of the rules.
        """
        return tuple(
            [
                MeldKind(
                    kind.name,
                    functools.partial(_fits, rule, kind),
                    *kind.sizes(rule),
                    path,
                )
                for path, rule in self.house
                for kind in rule.kinds
            ]
        )

    @functools.cached_property
    def actions(self) -> Mapping[str, frozenset[str]]:
        """
        The names of the actions that house rules offer, each with the phases for it.
        """
        found: dict[str, frozenset[str]] = {}
        for _, rule in self.asked.get("offers", ()):
            for name in rule.actions:
                times = found.get(name, frozenset())
                found[name] = times.union(times_of(rule, name))
        return found

    @property
    def with_cards(self) -> list[str]:
        """
        The names of those actions that may name cards.
        """
        offering = [rule for _, rule in self.asked.get("offers", ())]
        return [
            one for rule in offering for one in rule.actions if one not in rule.cardless
        ]

    def in_deal(self, deal: DealFacts) -> Ruleset:
        """
        These rules with the values that house rules give them for a deal.

        Raises:
            RulesError: If two rules give one value, a value is not allowed, or the deck
                does not hold hands of such a size.
        """
        if "values" not in self.asked:
            return self
        said = self._said(answers_of(self, "values", None, deal))
        found = self._with_said(said)
        found._need_hands(deal, said)
        return found

    @functools.cached_property
    def by_deal(self) -> tuple[Ruleset, ...]:
        """
        These rules as they may be in a deal, unchanged first.

        Nothing if a rule does not list the values that it gives, or they are too many.

        Raises:
            RulesError: If a rule lists values that the game cannot have.
        """
        if self.agreed is not None:
            return (self,)
        each: list[list[Answer | None]] = []
        for by, rule in self.asked.get("values", ()):
            listed = possible_values(rule)
            if listed is None or len(listed) > _DEALS_AT_MOST:
                return ()
            answers = [(by, rule, values) for values in listed]
            for one in answers:
                self._with_said(self._said([one]))
            each.append([None, *answers])
        if math.prod(map(len, each)) > _DEALS_AT_MOST:
            return ()
        found: list[Ruleset] = []
        for some in itertools.product(*each):
            # Two rules that give one value do not do so in the same deal.
            with suppress(RulesError):
                found.append(self._with_said(self._said(filter(None, some))))
        return tuple(found)

    def _said(self, answers: Iterable[Answer]) -> _Said:
        """
        The values that house rules give for a deal, each with the rule.
        """
        said: _Said = {}
        for by, rule, values in answers:
            for path, value in values.items():
                if path in said:
                    msg = f"{by} and {said[path][0]} both give {path}: leave one out"
                    raise RulesError(msg, [self.rule_of(by)])
                said[path] = by, rule, value
        return said

    def _with_said(self, said: _Said) -> Ruleset:
        """
        These rules with values for a deal, made once.
        """
        key = {path: (by, value) for path, (by, _, value) in said.items()}
        return self._once(f"in deal {key!r}", lambda: self._changed(said))

    def _need_hands(self, deal: DealFacts, said: _Said) -> None:
        """
        Refuse values for a deal if the deck does not hold the hands.
        """
        size = self.deal.fixed_size(deal.players, deal.round_number)
        most = (len(deal.deck) - self.kept_back) // len(deal.order)
        if size <= most or not self.deal.is_fixed or self.deal.may_be_short:
            return
        given = [(path, rule, {path: value}) for path, (_, rule, value) in said.items()]
        named = [*given, *[(path, rule, {}) for path, rule in self.replaced.items()]]
        sizes = [one for one in named if one[0] in IN_PLACE["values"]]
        if not (sizes or given):
            return  # no rule is to blame
        _, rule, answer = (sizes or given)[0]
        wanted = f"hands of {most} cards at most in round {deal.round_number}"
        raise no_sense(rule, "values", answer, wanted)

    def _changed(self, said: _Said) -> Ruleset:
        """
        These rules with values for a deal, each with the rule that gives it.
        """
        found = self
        for path, (by, rule, value) in said.items():
            change = path, (_spelled(path, value), None, self.rule_of(by))
            changes = (*found.changes, change)
            try:
                found = build(found.base, found.options, changes, found, stay=said)
            except RulesError as error:
                wanted = f"values that the game can have; {error}"
                raise no_sense(rule, "values", {path: value}, wanted) from None
        return found if found is self else attrs.evolve(found, agreed=self)

    @property
    def kept_back(self) -> int:
        """
        How many cards of the deck are not dealt to hands of one size.

        They are the first discard, a card of stock, one that names the wild rank if it
        belongs to no hand, and those that are never drawn.
        """
        return 2 + self.wild.by_card_beyond + self.stock.dead

    @property
    def of_table(self) -> Ruleset:
        """
        The rules that were agreed, without what holds only for one deal.
        """
        return self.agreed or self

    def bare(self) -> Ruleset:
        """
        The same values without what house rules, or values played by such, say.
        """
        return self._once("bare", lambda: attrs.evolve(self, silent=True))

    def _once(self, key: str, find: Callable[[], _T]) -> _T:
        """
        A value that is worked out when it is first asked for.
        """
        if key not in self._memo:
            self._memo[key] = find()
        found: _T = self._memo[key]
        return found

    # ---------------------------------------------------------------- provenance

    @property
    def origins(self) -> Mapping[str, Origin]:
        """
        Where each policy value came from, by its name.

        >>> rules = rv.preset("rummy-500").with_values({"match.target": 300}, "us")
        >>> [name for name, one in rules.origins.items() if one.set_by == "us"]
        ['match.target']
        """
        return self._once("origins", lambda: Fixed(self._origins))

    def origin(self, value: str) -> Origin:
        """
        Where a policy value, or a part of one such as ``score.points.K``, came from.

        >>> print(rv.preset("rummy-5000").origin("match.target"))
        PG-22, from rummy-5000
        """
        need("value", value, str)
        path = value
        while path:
            found = self.origins.get(path)
            if found is not None:
                return found
            path = path.rpartition(".")[0]
        return Origin(FALLBACK_RULE, "the library")

    def rule_of(self, path: str) -> str:
        """
        What to cite for a policy value, as in `Origin`; a rule's id stays as it is.
        """
        if type(path) is not str:
            need("path", path, str)
        if "." not in path:
            return path
        found: str | None = self._memo.get(path)
        if found is None:
            found = self._memo[path] = self.origin(path).rule
        return found

    def scored_by(self, code: int, *, wild: bool, low_ace: bool) -> tuple[str, str]:
        """
        The policy value that gives a card its points, and the rule behind it.
        """
        need("code", code, int)
        key = (code, wild, low_ace)
        found: tuple[str, str] | None = self._memo.get(key)
        if found is None:
            path = self.score.question(code, wild=wild, low_ace=low_ace)
            found = self._memo[key] = path, self.rule_of(path)
        return found

    def refusal(self, objection: Objection) -> Ruling:
        """
        The ruling on an objection under these rules.
        """
        need("objection", objection, Objection)
        cited = map(self.rule_of, (objection.path, *objection.also))
        first, *also = telling(cited) or ("",)
        return refuse(first, objection.reason, *also)

    def most_wilds(self, naturals: int, kind: str = "set") -> int:
        """
        The most wilds that a set or a run may hold beside so many natural cards.

        Raises:
            RulesError: If a rule answers with something that is no answer.
        """
        need("naturals", naturals, int)
        need("kind", kind, str)
        return min(most for most, _ in self._wild_limits(naturals, kind))

    def refuse_wilds(self, kind: str, naturals: int, most: int) -> Objection:
        """
        Why a meld holds too many wilds.

        Args:
            kind: ``set`` or ``run``.
            naturals: How many natural cards count.
            most: How many wilds may be with them.
        """
        need("most", most, int)
        need("naturals", naturals, int)
        need("kind", kind, str)
        for limit, rule in self._wild_limits(naturals, kind):
            if rule is not None and limit <= most:
                path, said = rule
                return Objection(path, said.because("the meld holds too many wilds"))
        path = self.wild.limited_by(naturals, most, kind)
        return Objection(path, self.wild.too_many(naturals, most, kind))

    def _wild_limits(
        self, naturals: int, kind: str
    ) -> Iterator[tuple[int, tuple[str, HouseRule] | None]]:
        """
        The most wilds beside so many natural cards by the values, and by each rule.
        """
        yield self.wild.most_beside(naturals, kind), None
        for path, rule, most in answers_of(self, "most_wilds", None, naturals, kind):
            yield most, (path, rule)

    def refuse_meld(self, meld: Meld) -> Objection | None:
        """
        Why a meld that all values allow may not lie on the table.

        Raises:
            RulesError: If a rule answers with something that is no answer.
        """
        answers = answers_of(self, "allows_meld", None, meld)
        return ROWS["allows_meld"].refusal(self, meld, answers)

    def value(self, path: str) -> Any:
        """
        A policy value by its name, such as ``match.target``.

        Raises:
            RulesError: If there is no such value; the message suggests the nearest.

        >>> rv.preset("rummy-500").value("meld.ace")
        'high or low'
        """
        need("path", path, str)
        section, _, name = path.partition(".")
        known_policy(section, name)
        return getattr(getattr(self, section), name)

    def values(self) -> dict[str, Any]:
        """
        All policy values by their names, in the order of play.

        >>> values = rv.preset("gin-rummy").values()
        >>> [one for one in values if one.startswith("out.") and "hand" in one]
        ['out.empty_hand', 'out.dealt_hand', 'out.dropped_hand']
        """
        return {
            f"{section}.{name}": getattr(getattr(self, section), name)
            for section, policy in SECTIONS.items()
            for name in policy.values()
        }

    def _by_entry(self) -> dict[str, Any]:
        """
        All values, tables of entries by entry.
        """
        found: dict[str, Any] = {}
        for path, value in self.values().items():
            if path.partition(".")[2] in PATCHED:
                found.update((f"{path}.{entry}", one) for entry, one in value)
            else:
                found[path] = value
        return found

    @property
    def fingerprint(self) -> str:
        """
        The version of the preset, and a few characters for the values in force.

        Rules that agree in it play alike in every release of the library, corrections
        of the engine and the code of house rules aside. Values that are what they
        are by default do not count, so that a release may add some.

        >>> ours = rv.preset("rummy-500").with_values({"match.target": 300})
        >>> ours.fingerprint == rv.preset("rummy-500").fingerprint
        False
        """
        return self._once("fingerprint", self._fingerprint)

    def _fingerprint(self) -> str:
        import hashlib  # noqa: PLC0415 -- slow, and few ask

        stated = self.values()
        for section, policy in SECTIONS.items():
            for name, field in policy.values().items():
                if stated[f"{section}.{name}"] == field.default:
                    del stated[f"{section}.{name}"]
        lines = [f"{path} = {show_value(stated[path])}" for path in sorted(stated)]
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        return f"{self.version}-{digest[:8]}"

    # --------------------------------------------------------------------- patches

    @explained
    def with_options(self, *options: str) -> Ruleset:
        """
        These rules with options of the catalogue added.

        Args:
            options: Ids or names, with a value if the option takes one:
                ``PGV-E5=2500``. A name is a title, or words of a title that no other
                option has, in any case: ``deuces wild``, ``target score=2500``.

        Raises:
            RulesError: If an option is unknown, or conflicts with another or with the
                game; every problem is listed.

        >>> rv.preset("rummy-5000").with_options("trading the real card").options
        ('PGV-P4',)
        """
        for one in options:
            if not isinstance(one, str):
                raise unfit(one, "an option", f"a text{how_to_use(one)}")
        return build(self.base, (*self.options, *options), self.changes, self)

    @explained
    def with_values(
        self, values: Mapping[str, Any], set_by: str = "set here"
    ) -> Ruleset:
        """
        These rules with single policy values changed.

        Args:
            values: By name, such as ``{"match.target": 1000}``.
            set_by: What to record as their origin, and to cite where no rule of the
                game says the same.

        Raises:
            RulesError: If a name is unknown or a value is not allowed, or ``set_by`` is
                not one short line.

        >>> rv.preset("rummy-500").with_values({"match.target": 300}).match.target
        300
        """
        need("values", values, Mapping)
        given: object = set_by
        if not isinstance(given, str) or not given or not is_line(given):
            msg = f"set_by: {ONE_LINE}"
            raise RulesError(msg)
        changes = [
            (path, (_spelled(path, value), None, set_by))
            for path, value in values.items()
        ]
        return build(self.base, self.options, (*self.changes, *changes), self)

    def without(self, option: str) -> Ruleset:
        """
        These rules without one of their options.

        Args:
            option: The option, as in ``options`` or as `with_options` takes it.

        Raises:
            RulesError: If there is no such option, or another option needs it.

        >>> rules = rv.preset("rummy-5000").with_options("PGV-E5=2500", "PGV-P4")
        >>> rules.without("PGV-P4").options
        ('PGV-E5=2500',)
        """
        need("option", option, str)
        name, equals, argument = option.partition("=")
        out = every_option()[name.strip()].id + equals + argument.strip()
        others = [
            one for one in self.options if out not in {one, one.partition("=")[0]}
        ]
        return build(self.base, others, self.changes, self)

    @property
    def preset(self) -> Ruleset:
        """
        The preset on which these rules are built.

        >>> rv.preset("rummy-5000").with_options("PGV-P4").preset
        <Ruleset rummy-5000>
        """
        return preset(self.base)

    def diff(self, other: Ruleset | str) -> Differences:
        """
        The policy values in which another ruleset differs, with their origins.

        Tables such as ``score.points`` are compared entry by entry. The result is a
        tuple of `Difference`, which prints what each value is about.

        Args:
            other: The rules, or the name of a preset.

        Raises:
            RulesError: If there is no such preset.

        >>> for one in rv.preset("gin-rummy").diff("gin-rummy-classic"):
        ...     print(one.value, one.here, one.there)
        out.big_gin True False
        score.gin_bonus 25 20
        score.undercut_bonus 25 10
        match.box_bonus 25 20
        match.shutout double 100
        """
        if isinstance(other, str):
            other = preset(other)
        need("other", other, Ruleset, str)
        mine, theirs = self._by_entry(), other._by_entry()
        places = {path: at for at, path in enumerate(self.values())}

        def place(path: str) -> int:
            return places.get(".".join(path.split(".")[:2]), -1)

        found = [
            Difference(
                path,
                mine.get(path),
                self.origin(path),
                theirs.get(path),
                other.origin(path),
            )
            for path in sorted(dict.fromkeys([*mine, *theirs]), key=place)
            if mine.get(path) != theirs.get(path)
        ]
        names = (self.name, other.name)
        if self.name == other.name:
            names = (_with_options(self), _with_options(other))
        return Differences(found, names)

    @property
    def asks_for_upcard(self) -> bool:
        """
        Whether a rule depends on the card that began the discard pile.
        """
        return self.out.knock == "the upcard"

    @property
    def notices(self) -> tuple[str, ...]:
        """
        A sentence for each option and each house rule that changes nothing here.

        Without such an option the rule sheet would say the same, and such a rule lacks
        what it needs. If it comes from a rules file, the sentence names the file.

        >>> rv.preset("gin-rummy").notices
        ()
        """
        from rummyvariants.rules.sheet.notices import notices  # noqa: PLC0415 -- slow

        return self._once("notices", lambda: tuple(notices(self)))

    def describe(self) -> str:
        """
        The rule sheet: the rules in force, in plain sentences with rule ids.

        >>> print(rv.preset("rummy-500").describe())
        RUMMY 500
        =========
        ...
        """
        from rummyvariants.rules.sheet import rule_sheet  # noqa: PLC0415 -- slow

        return rule_sheet(self)

    def hand_size(self, players: int) -> str:
        """
        How many cards each player is dealt, in words, with the rule.

        Args:
            players: How many play.

        Raises:
            RulesError: If the game is not for so many.

        >>> rv.preset("rummy-500").hand_size(5)
        '7 cards [BN-10]'
        """
        from rummyvariants.rules._told import hands_dealt  # noqa: PLC0415 -- seldom

        need("players", players, int)
        return str(hands_dealt(self, players))

    def worth(self, card: Card | str) -> str:
        """
        What a card counts, where and for whom, in words, with the rules.

        Args:
            card: A card, such as ``Qs``, or a rank, such as ``A`` or ``ace``.

        Raises:
            ParseError: If it is neither.
            RulesError: If the deck has no such card.

        >>> print(rv.preset("rummy-5000").worth("A"))  # doctest: +NORMALIZE_WHITESPACE
        100 points, 200 when it is wild; on the table it counts for the player who laid
        it; left in a hand it counts for the player who went out [PG-20, PG-21]
        """
        from rummyvariants.rules._told import worth_told  # noqa: PLC0415 -- seldom

        need("card", card, Card, str)
        return str(worth_told(self, card))

    # ---------------------------------------------------------------------- tables

    def side_masks(self, players: int) -> tuple[int, ...]:
        """
        By seat, a mask of the seat and its partners.

        Args:
            players: The number of players.
        """
        if type(players) is not int:
            need("players", players, int)
        found: tuple[int, ...] | None = self._memo.get(("sides", players))
        if found is None:
            masks = [0] * players
            for side in self.match.sides_of(players):
                for seat in side:
                    masks[seat] = sum([1 << one for one in side])
            found = self._memo["sides", players] = tuple(masks)
        return found

    def terms(
        self, players: int, wild_rank: str = "", shown: Card | None = None
    ) -> Terms:
        """
        These rules as lookup tables for one deal.

        Args:
            players: The number of players.
            wild_rank: The rank that is wild in this deal; empty for none.
            shown: The card that names it, if that lies under the stock.

        Raises:
            RulesError: If there is no such rank.
        """
        need("players", players, int)
        need("wild_rank", wild_rank, str)
        above = -1
        if shown is not None:
            need("shown", shown, Card)
            above = face_above(self.wild, shown, self.deck.ranks)
        if wild_rank and wild_rank not in list(RANKS):
            msg = f"there is no rank {wild_rank!r}: ranks are {' '.join(RANKS)}"
            raise RulesError(msg)
        return _terms(self, players, wild_rank, above)


def _with_options(rules: Ruleset) -> str:
    """
    The name of a ruleset, with its options.
    """
    more = f" with {', '.join(rules.options)}" if rules.options else ""
    return f"{rules.name}{more}"


def _spelled(path: str, value: Any) -> Any:
    """
    A value in the form of a rules file, whatever form it was given in.
    """
    if path.endswith(".rules") and isinstance(value, HouseRule | list | tuple):
        given = [value] if isinstance(value, HouseRule) else value
        return [
            rule_spelled(one) if isinstance(one, HouseRule) else one for one in given
        ]
    return value


def _names() -> list[str]:
    """
    The fields of which a ruleset is made, in the order of its arguments.
    """
    kind: Any = Ruleset  # compiled, it is no attrs class to the type checker
    return [one.name for one in attrs.fields(kind) if one.init]


def _given(rules: Ruleset) -> tuple[Any, ...]:
    return tuple([getattr(rules, name) for name in _names()])


def _again(*given: Any) -> Ruleset:
    return _shared(given)


def shared(rules: Ruleset) -> Ruleset:
    """
    The same rules, as one object for all who have just these rules.

    Whatever is worked out about rules is kept with them, and so it is shared as well.
    Of the rulesets in use, the last ones are known.
    """
    return _shared(_given(rules), rules)


_KNOWN: Final[dict[tuple[Any, ...], Ruleset]] = {}
_KNOWN_AT_MOST: Final = 64


def _shared(given: tuple[Any, ...], made: Ruleset | None = None) -> Ruleset:
    # Only the changes hold tables, which have no hash; a text keeps 1 and True apart.
    at = _names().index("changes")
    key = (*given[:at], repr(given[at]), *given[at + 1 :])
    found = _KNOWN.pop(key, None) or made or Ruleset(*given)
    _KNOWN[key] = found
    if len(_KNOWN) > _KNOWN_AT_MOST:
        _KNOWN.pop(next(iter(_KNOWN)), None)
    return found


@functools.lru_cache(maxsize=64)
def _terms(rules: Ruleset, players: int, wild_rank: str, above: int) -> Terms:
    copies = [0] * len(CARDS)
    for code in rules.deck.cards_for(players):
        copies[code] += 1
    wild = rules.wild.in_deal(wild_rank, above)
    differ = rules.meld.distinct(rules.deck.packs_for(players))
    full = differ and rules.meld.leaves_suits_open
    track = rules.meld.track(rules.deck.ranks)
    return Terms(
        wild_rank=wild_rank,
        wild=wild,
        ranks=rules.deck.ranks,
        suits=rules.deck.suits,
        copies=tuple(copies),
        sets=rules.meld.sets,
        runs=rules.meld.runs,
        distinct=differ and rules.meld.wilds_take_suits,
        twins=not differ,
        alike=rules.meld.alike,
        above=above,
        track=track,
        stretches=rules.meld.stretches(rules.deck.ranks),
        least_set=rules.meld.least_set,
        least_run=rules.meld.least_run,
        largest={
            **rules.meld.largest,
            **({"set": (len(rules.deck.suits), "meld.set_wilds")} if full else {}),
            **{one.name: (one.most, one.path) for one in rules.kinds},
        },
        kinds=rules.kinds,
        most_in_sets=_most_wilds(rules, "set"),
        most_in_runs=_most_wilds(rules, "run"),
        too_many=rules.refuse_wilds,
        own_place_is_natural=rules.wild.own_place == "natural",
        wild_melds=rules.wild.wild_melds,
        lies_beside=rules.wild.lies_beside,
        swaps=rules.wild.swaps,
        swaps_sets=rules.wild.swaps and rules.wild.swap_in == "any meld",
        swaps_together=rules.wild.swaps_together,
        moves_swapped=rules.wild.moves_swapped,
        moves=rules.wild.moves,
        trade_mask=sum(itertools.compress(FIELD, rules.wild.traded())),
        worth=rules.score.worth(wild),
        low_ace=rules.score.low_ace_points(),
        number=tuple(
            [rules.deal.upcard_number(card.rank) if card.suit else 0 for card in CARDS]
        ),
        # Only rules that answer the question are asked about each meld.
        extra=rules.refuse_meld if "allows_meld" in rules.asked else None,
        set_ranks="".join(
            [one for one in rules.deck.ranks if one in rules.meld.set_ranks]
        ),
        natural_ranks=rules.meld.natural_ranks,
        one_of_a_rank=rules.meld.one_of_a_rank,
        lives=rules.out.runs_needed,
        without=rules.score.without_lives,
        again=(_terms, rules, players, wild_rank, above),
    )


def _fits(rule: HouseRule, kind: Kind, bits: int) -> bool:
    """
    Whether cards may be a meld of a kind that a rule declares.

    Raises:
        RulesError: If it says neither yes nor no.
    """
    said = kind.fits(rule, as_cards(bits))
    if not isinstance(said, bool):
        raise no_sense(rule, f"fits of {kind.name}", said, "True or False")
    return said


def _most_wilds(rules: Ruleset, kind: str) -> tuple[int, ...]:
    """
    The most wilds of melds of a kind, by the number of natural cards.
    """
    most = [rules.most_wilds(naturals, kind) for naturals in range(NATURALS + 1)]
    return tuple(itertools.accumulate(most, max))


# ----------------------------------------------------------------- put together


def _without_replaced(
    changes: Iterable[tuple[str, Any]],
) -> tuple[tuple[str, Any], ...]:
    """
    Changes without those that a later one replaces as a whole.
    """
    kept: list[tuple[str, Any]] = []
    replaced: set[str] = set()
    for path, change in list(changes)[::-1]:
        if path in replaced:
            continue
        kept.append((path, change))
        key = path.partition(".")[2]
        if not (key in PATCHED or (key == "rules" and change[0])):
            replaced.add(path)
    return tuple(reversed(kept))


@explained
def preset(name: str) -> Ruleset:
    """
    The rules of a game as its source states them.

    Raises:
        RulesError: If there is no such preset; the message suggests the nearest.

    >>> rv.preset("rummy-500").title
    'Rummy 500'
    """
    if name not in presets():
        raise RulesError(no_preset(name))
    return shared(_preset(name))


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
    stay: Collection[str] = (),
) -> Ruleset:
    """
    Build a ruleset: a preset, then options, then single values.

    Args:
        base: The name of the preset.
        chosen: Options as texts.
        changes: Names of policy values with (value, rule or None, origin).
        like: A ruleset to take the name and title from.
        name: A name for the result.
        title: A title for the result.
        stay: Values that do not give way to house rules, which give them for a deal.

    Raises:
        RulesError: With every problem found.
    """
    heading, _ = preset_values(base)
    changes = _without_replaced(changes)
    builder = begun(base).copy()
    picked = pick(chosen, builder.problems)
    for option_id, argument in picked:
        option = every_option()[option_id]
        register_rules_of(option.modules)
        patch = dict(option.set)
        if option.argument:
            patch.update(argument_of(option, argument, builder.problems))
        brought = option.brings.get(argument or option.default or "", {})
        # What an option brings along leaves what another one was chosen for.
        patch.update(
            (path, value)
            for path, value in brought.items()
            if builder.set_by(path) not in every_option()
        )
        for path, value in patch.items():
            if path not in option.leaves or builder.get(path) != option.leaves[path]:
                builder.put(path, value, option_id, option_id)
    for path, (value, rule, set_by) in changes:
        builder.put(path, value, rule, set_by)
    builder.give_way(stay)
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
        *contradictions(rules, builder.unread),
    ]
    if problems:
        messages = dict.fromkeys(problem for problem, _ in problems)
        broken = dict.fromkeys(rule for _, ids in problems for rule in ids)
        raise RulesError(messages, broken)
    return shared(rules)
