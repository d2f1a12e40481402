"""
The rules of a game as one value: a bundle of policies that knows where each came from.

A preset is a data file; an option is a named patch of policy values; a rules file
builds on a preset with options and single values.
"""

from __future__ import annotations

import functools

from collections.abc import Iterable, Iterator, Mapping
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
from rummyvariants.variants import (
    ROOMS,
    Problem,
    argument_of,
    conflicts,
    known_rule,
    options,
    pick,
    policy_class,
    preset_files,
    preset_values,
    presets,
)


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

    def __str__(self) -> str:
        if self.set_by == self.rule:
            return self.rule
        return f"{self.rule}, from {self.set_by}"


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
            f"{self.value}: {show_value(self.here)} ({self.here_from}) | "
            f"{show_value(self.there)} ({self.there_from})"
        )


class _Memo(dict[Any, Any]):
    """
    Things worked out once; not worth carrying along in a pickle.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _Memo, ()


@attrs.frozen(cache_hash=True, repr=False)
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
    _memo: dict[Any, Any] = attrs.field(init=False, repr=False, eq=False, factory=_Memo)

    def __repr__(self) -> str:
        based = f" on {self.base}" if self.name != self.base else ""
        options = f" with {', '.join(self.options)}" if self.options else ""
        single = f" and {len(self.changes)} values" if self.changes else ""
        return f"<Ruleset {self.name}{based}{options}{single}>"

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
        room, _, name = value.partition(".")
        default = getattr(getattr(self, room, None), name, None)
        return Origin(known_rule(value, default) or FALLBACK_RULE, "the library")

    def rule_of(self, question: str) -> str:
        """
        The id of the rule behind a policy value; a rule's id stands for itself.
        """
        if "." not in question:
            return question
        found: str | None = self._memo.get(question)
        if found is None:
            found = self._memo[question] = self.origin(question).rule
        return found

    def scored_by(self, code: int, *, wild: bool, low_ace: bool) -> tuple[str, str]:
        """
        The policy value that gives a card its points, and the rule behind it.
        """
        key = (code, wild, low_ace)
        found: tuple[str, str] | None = self._memo.get(key)
        if found is None:
            question = self.score.question(code, wild=wild, low_ace=low_ace)
            found = self._memo[key] = question, self.rule_of(question)
        return found

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

    def _own_policies(self) -> dict[str, str]:
        """
        The policies that are not the library's, by the names that rules files use.
        """
        names = {cls: name for (_, name), cls in REGISTRY.items()}
        own = {room: type(getattr(self, room)) for room in ROOMS}
        return {
            f"{room}.policy": names.get(cls, cls.__qualname__)
            for room, cls in own.items()
            if cls is not ROOMS[room]
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

    def with_values(
        self, values: Mapping[str, Any], set_by: str = "set here"
    ) -> Ruleset:
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
        mine = {**self._own_policies(), **self.values()}
        theirs = {**other._own_policies(), **other.values()}
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

    @property
    def asks_for_upcard(self) -> bool:
        """
        Whether a rule asks in the round which card began the discard pile.
        """
        return self.out.knock == "the upcard"

    @property
    def notices(self) -> tuple[str, ...]:
        """
        A sentence for each option that changes nothing here.

        That is one without which the rule sheet would say the same.
        """
        if "notices" not in self._memo:
            self._memo["notices"] = tuple(_notices(self))
        found: tuple[str, ...] = self._memo["notices"]
        return found

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
        number=tuple(
            [rules.deal.upcard_number(card.rank) if card.suit else 0 for card in CARDS]
        ),
        extra=rules.meld.objection if own else None,
    )


def show_value(value: Any) -> str:
    """
    A policy value as a person would write it.
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple):
            return ", ".join(f"{key}: {one}" for key, one in value)
        return ", ".join(map(str, value)) or "none"
    return str(value) or "none"


# ------------------------------------------------------------------------- loading


def preset(name: str) -> Ruleset:
    """
    The rules of a game as its document states them.

    Raises:
        RulesError: If there is no such preset; the message suggests the nearest.
    """
    if name not in preset_files():
        msg = f"there is no preset {name!r}{nearest(str(name), presets())}"
        raise RulesError(msg)
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
    heading, values = preset_values(base)
    changes = tuple(changes)
    builder = _Builder()
    builder.use_classes(changes)
    for path, (value, rule, set_by) in values.items():
        builder.put(path, value, rule, set_by)
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
        **builder.policies(),
    )
    problems = [
        *builder.problems,
        *conflicts(
            [one for one, _ in picked], [rule for _, rule, _ in values.values()]
        ),
        *_impossible(rules),
    ]
    if problems:
        told = dict.fromkeys(problem for problem, _ in problems)
        broken = dict.fromkeys(rule for _, ids in problems for rule in ids)
        raise RulesError(told, broken, where=where)
    return rules


def _notices(rules: Ruleset) -> Iterator[str]:
    from rummyvariants.sheet import statements  # noqa: PLC0415 -- a room below

    for one in rules.options:
        others = [option for option in rules.options if option != one]
        try:
            without = build(rules.base, others, rules.changes, rules)
        except RulesError:
            continue  # another option needs it
        if statements(without) == statements(rules):
            so_already = without.values() == rules.values()
            why = "it is so already" if so_already else "it does not come up"
            yield f"{one} changes nothing here: {why}"


_TABLES: Final = frozenset({"points", "upcard_counts", "special", "knock_counts"})
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

    def use_classes(self, changes: Iterable[tuple[str, Any]]) -> None:
        """
        Put registered policies of third parties in the place of the library's.
        """
        for path, (value, *_) in changes:
            room, _, key = path.partition(".")
            if key != "policy" or room not in ROOMS:
                continue
            cls = REGISTRY.get((room, str(value)))
            if cls is None:
                known = [one for at, one in REGISTRY if at == room]
                hint = nearest(str(value), known)
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
            policy_class(room)
            policy_class(room, key, self._classes[room])
            new = self._classes[room].read(key, value)
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


def _remedy(sides: Iterable[Origin]) -> str:
    """
    What to do about values that cannot all be in force.
    """
    chosen = dict.fromkeys(one.set_by for one in sides if one.set_by in options())
    needed = [need for one in chosen for need in catalogue()[one].needs]
    ways = []
    if needed:
        ways.append(f"put {' or '.join(needed)} on")
    if chosen:
        ways.append(f"take {' or '.join(chosen)} out")
    return " or ".join(ways) or "change one of them"


def _beside_knocks(rules: Ruleset) -> Iterator[tuple[str, ...]]:
    """
    What cannot be where melds stay in the hand, or where somebody knocks.

    Yields:
        The reason, and the policy values that are at odds.
    """
    knocks = rules.out.knock != "never"
    if knocks != rules.meld.concealed:
        yield (
            "melds stay in the hand where players knock, and only there",
            "out.knock",
            "meld.shown",
        )
    if knocks and rules.match.players != (2, 2):
        yield "only two players can knock", "out.knock", "match.players"
    if rules.deal.first_discard != "turned up":
        for path in ("draw.first_upcard", "out.knock"):
            if rules.value(path) in {"offered", "the upcard"}:
                yield "no card is turned up after the deal", path, "deal.first_discard"
    if rules.score.spade_upcard and rules.out.knock != "the upcard":
        yield (
            "a spade doubles a hand only where the upcard sets the limit for knocks",
            "score.spade_upcard",
            "out.knock",
        )
    if not rules.meld.concealed:
        if rules.score.hands == "the difference":
            yield (
                "hands are compared only where players knock",
                "score.hands",
                "out.knock",
            )
        if rules.stock.when_empty == "a knock with the last discard":
            yield "players do not knock", "stock.when_empty", "out.knock"
        return
    for path, wanted in _CONCEALED.items():
        if rules.value(path) != wanted:
            yield "melds stay in the hand until the knock", path, "meld.shown"


_CONCEALED: Final[Mapping[str, Any]] = {
    "wild.indicator_stays": False,
    "meld.first_natural": False,
    "draw.duty": "none",
    "draw.with_naturals": False,
    "draw.stock_card": "free",
    "layoff.needs_own_meld": False,
    "layoff.single_wilds": False,
    "call.calls": "none",
    "out.grace": False,
    "out.last_turn": False,
}
"""What policy values have to be where melds stay in the hand."""


def _impossible(rules: Ruleset) -> list[Problem]:
    """
    Why these policy values cannot all be in force.
    """
    problems: list[Problem] = []

    def clash(reason: str, *paths: str) -> None:
        sides = [rules.origin(path) for path in paths]
        told = " and ".join(
            f"{path} = {show_value(rules.value(path))!r} ({one})"
            for path, one in zip(paths, sides, strict=True)
        )
        problems.append(
            (f"{reason}: {told}; {_remedy(sides)}", tuple(one.rule for one in sides))
        )

    if not (rules.meld.sets or rules.meld.runs):
        clash("neither sets nor runs could be melded", "meld.sets", "meld.runs")
    if rules.wild.twos and "2" not in rules.deck.ranks:
        clash("twos are wild, but the deck has none", "wild.twos", "deck.ranks")
    if rules.wild.tens and "T" not in rules.deck.ranks:
        clash("tens are wild, but the deck has none", "wild.tens", "deck.ranks")
    if rules.wild.one_eyed_jacks and "J" not in rules.deck.ranks:
        clash(
            "jacks are wild, but the deck has none", "wild.one_eyed_jacks", "deck.ranks"
        )
    if rules.deal.two_upcard == "choose" and not rules.wild.twos:
        clash("a choice for twos needs twos to be wild", "deal.two_upcard", "wild.twos")
    # Where nothing but the hands counts, a bonus goes with what they bring.
    only_hands = rules.score.down == "nothing" and rules.score.hands != "add"
    if rules.score.out_bonus and rules.score.hands != "subtract" and not only_hands:
        clash(
            "the bonus for going out needs hand cards to be subtracted",
            "score.out_bonus",
            "score.hands",
        )
    if rules.match.winner == "lowest" and isinstance(rules.score.rummy, int):
        clash("a bonus helps nobody to a low score", "match.winner", "score.rummy")
    if rules.match.ends == "after the kings" and rules.wild.indicator != "by round":
        clash("rounds by wild rank need wilds by round", "match.ends", "wild.indicator")
    low, high = rules.match.players
    if not any(rules.match.makes_sides(number) for number in range(low, high + 1)):
        clash("no sides can be made of the players", "match.sides", "match.players")
    if rules.match.ends == "after the rounds" and rules.match.rounds == "any number":
        clash("no number of rounds is set", "match.ends", "match.rounds")
    for reason, *paths in _beside_knocks(rules):
        clash(reason, *paths)
    for players in (rules.match.players[0], rules.match.players[1]):
        packs = rules.deck.packs_for(players)
        if packs > COPIES or rules.deck.jokers_for(packs) > COPIES:
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
