"""
Rules of one's own: values and classes that answer the questions of the engine.

A rule stands beside the values of a section. It says something about a few questions
and nothing about the others, so that several hold together; each question says how
their answers are combined. A rule sees the game through facts in public types alone.
"""

from __future__ import annotations

import inspect

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

import attrs

from rummyvariants._support.words import listed
from rummyvariants.cards import Card, Cards
from rummyvariants.errors import RulesError, nearest, shown


if TYPE_CHECKING:
    from rummyvariants.melds._meld import Meld
    from rummyvariants.policies.facts import DealFacts, MatchFacts, RoundFacts, Turn


# ------------------------------------------------------------------------- answers


def _texts(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(given)


@attrs.frozen
class Opening:
    """
    What the first melds of a player have to be, laid as one action.

    Attributes:
        groups: The kinds of the melds, ``set`` or ``run``, in any order; with
            ``set 4`` a set of four cards or more. Empty if any melds will do.
        points: The least points that they come to together.
        only: Whether there may be no melds beyond the groups.
        whole_hand: Whether no more than one card may be left in the hand.
    """

    groups: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    points: int = 0
    only: bool = False
    whole_hand: bool = False


@attrs.frozen
class Owed:
    """
    A card that was drawn on condition.

    Attributes:
        card: The card, which is among those drawn.
        new_meld: Whether it has to go into a new meld, not onto one on the table.
        with_pair: Whether that meld has to hold two natural cards that were in the hand
            before the draw.
        at_once: Whether that comes before any other play of the turn.
        or_discard: Whether it may be the discard as well; then the others are false.
    """

    card: Card
    new_meld: bool = False
    with_pair: bool = False
    at_once: bool = False
    or_discard: bool = False

    @property
    def how(self) -> str:
        """
        What has to be done with it, in the words of `rummyvariants.policies.Duty`.
        """
        if self.or_discard:
            return "play or discard"
        how = "new meld" if self.new_meld else "play"
        if self.with_pair:
            how = "two naturals from hand"
        return f"{how} at once" if self.at_once else how


@attrs.frozen
class Price:
    """
    What it costs to take a discard out of turn.

    Attributes:
        penalty: How many cards of the stock come with it.
        priority: Who has more is asked first; of equals the next on the left of the
            player whose turn it is.
    """

    penalty: int = 1
    priority: int = 0


@attrs.frozen
class Points:
    """
    Points that a rule gives at the end of a round.

    Attributes:
        seat: Whose they are.
        points: How many, less than nothing where they are taken off.
        reason: What for, in a few words.
        card: The card that they are for, if it is one.
    """

    seat: int
    points: int
    reason: str
    card: Card | None = None


@attrs.frozen
class Move:
    """
    Cards that an action sends somewhere, beside what it does itself.

    Attributes:
        source: ``stock``, ``discards`` or ``hand``, or the name of a zone.
        target: The same.
        number: How many cards of the stock or the discard pile, from the top; as many
            as there are, if they are fewer.
        cards: The cards of a hand or a zone; those that are not there stay behind.
        source_seat: Whose hand or zone it is; -1 for nobody's.
        target_seat: The same.
        shown: Whether everybody sees them; the discard pile is open in any case.
    """

    source: str
    target: str
    number: int = 1
    cards: Cards = attrs.field(factory=Cards, converter=Cards)
    source_seat: int = -1
    target_seat: int = -1
    shown: bool = False


@attrs.frozen
class Memory:
    """
    What a rule remembers between the actions of a game. It is no secret.

    Attributes:
        start: What it is at first: None, a truth value, a number, a text, or a tuple of
            such values.
        scope: How long it is kept: for a ``turn``, a ``round`` or the ``match``.
    """

    start: Any = None
    scope: str = "round"

    def __attrs_post_init__(self) -> None:
        if self.scope not in SCOPES:
            hint = nearest(self.scope, SCOPES)
            msg = f"a memory is kept for a turn, a round or the match{hint}"
            raise RulesError(msg)


SCOPES: Final = ("turn", "round", "match")


# ------------------------------------------------------------------------ questions


@attrs.frozen
class HouseRule:
    """
    Base of all rules of one's own: every question that the engine asks of them.

    A rule overrides those about which it has something to say. To the others it gives
    no answer, and costs nothing. Where an answer may be None, None is no answer too.
    What is answered depends on the arguments and the values of the rule alone.

    A rule's docstring is its line on the rule sheet. Its values are fields of an attrs
    class, given in a rules file as ``{rule = "its name", points = 40}``.

    Attributes:
        name: The name under which it is registered.
        section: The section of rules files in which it stands.
        id: The id of the rule that refusals and points cite; where it is empty, that of
            whoever put the rule into force.
        reads: The facts of a `Turn` on which its answers depend. They are remembered by
            these facts, and the test kit compares them with what is really read. None
            where that is left open: then every question is asked anew.
        memory: What it remembers, if anything.
    """

    name: ClassVar[str] = ""
    section: ClassVar[str] = ""
    id: ClassVar[str] = ""
    reads: ClassVar[frozenset[str] | None] = None
    memory: ClassVar[Memory | None] = None

    def describe(self) -> str:
        """
        The rule in words: its docstring, with ``{points}`` for a value of that name.
        """
        values = attrs.asdict(self, recurse=False)
        return " ".join((inspect.getdoc(type(self)) or "").format_map(values).split())

    def because(self, text: str) -> str:
        """
        A refusal in words: what is refused, then the rule.
        """
        said = self.describe().rstrip(".")
        return f"{text}: {said[:1].lower()}{said[1:]}" if said else text

    # -------------------------------------------------------------------- the deal

    def hand_size(self, deal: DealFacts) -> int | None:
        """
        How many cards each player is dealt, where hands are of one size.

        Asked once a deal. The first rule that answers decides.
        """
        raise NotImplementedError

    def wild_rank(self, deal: DealFacts) -> str | None:
        """
        The rank that is wild in this deal, such as ``3``; empty for none.

        Asked once a deal, in which no card names one. The first rule that answers
        decides.
        """
        raise NotImplementedError

    def lays_aside(self, deal: DealFacts) -> Iterable[Card]:
        """
        The cards that no hand keeps: laid aside face up at once, and replaced.

        They come to lie in a zone that has the name of the rule, and the stock replaces
        them as far as it has cards. Asked once a deal; each rule has a zone of its own.
        """
        raise NotImplementedError

    # ------------------------------------------------------------------------ melds

    def most_wilds(self, naturals: int) -> int | None:
        """
        How many wilds a meld holds at most beside so many natural cards.

        Asked for a table once. The least answer holds, that of ``wild.limit`` among
        them.
        """
        raise NotImplementedError

    def allows_meld(self, meld: Meld) -> bool:
        """
        Whether a meld that is one by all other rules may lie on the table.

        Asked of new melds, and of melds as they would lie after a lay-off, so that a
        meld can be closed. All have to allow it.
        """
        raise NotImplementedError

    def opening(self, turn: Turn) -> Opening | None:
        """
        What the first melds of a player have to be.

        Asked of a player who has no meld on the table, of new melds, taken cards and
        calls. All openings have to be met by one action. The search for a way to finish
        a turn tries melds together as far as an opening asks for several.
        """
        raise NotImplementedError

    def most_melds(self, turn: Turn) -> int | None:
        """
        How many new melds a player may make in a turn; calls are not counted.

        The least answer holds, that of ``meld.a_turn`` among them.
        """
        raise NotImplementedError

    # ------------------------------------------------------------------------- draw

    def cards_drawn(self, turn: Turn) -> int | None:
        """
        How many cards are drawn from the stock, as far as it has them; one at least.

        The first rule that answers decides.
        """
        raise NotImplementedError

    def takes(self, turn: Turn) -> Iterable[int] | None:
        """
        The numbers of cards that may be taken from the discard pile.

        Asked once a draw. A number has to be allowed by all, and by the values.
        """
        raise NotImplementedError

    def takes_with(self, turn: Turn, count: int, meld: Meld) -> bool | None:
        """
        Whether so many discards may be taken together with a meld of the top card.

        The meld is laid with cards of the hand before the others join it. There is such
        a take where some rule allows it and none refuses it; the values have no say.
        """
        raise NotImplementedError

    def owes(self, turn: Turn) -> Iterable[Owed]:
        """
        What drawing obliges to, beside what the values of ``draw`` ask for.

        Asked after the draw: ``turn.source`` and ``turn.drawn`` say what it was. All
        that is owed has to be done; a take that does not allow it is refused.
        """
        raise NotImplementedError

    def peeks(self, turn: Turn) -> int | None:
        """
        How many cards of the stock a player may look at before drawing, once a turn.

        The most that a rule allows.
        """
        raise NotImplementedError

    # ------------------------------------------------------------------ out of turn

    def buys(self, turn: Turn) -> Price | None:
        """
        Whether a player out of turn may take the discard just made, and at which price.

        Asked of each seat but for the one that discarded and the one whose turn it is.
        What is answered must not depend on a hand, since others see who is asked. The
        first rule that answers decides.
        """
        raise NotImplementedError

    # -------------------------------------------------------------------- lay-offs

    def may_lay_off(self, turn: Turn) -> bool:
        """
        Whether a player may lay off at all. All have to allow it.
        """
        raise NotImplementedError

    def lays_off_on(self, turn: Turn) -> Iterable[int] | None:
        """
        The seats on whose melds a player may lay cards, be it a lay-off or a call.

        A seat has to be among the answers of all, and allowed by ``layoff.onto``.
        """
        raise NotImplementedError

    # --------------------------------------------------------------------- discards

    def discards(self, turn: Turn) -> Iterable[Card] | None:
        """
        The cards of a hand that may be discarded.

        A card has to be among the answers of all. A player who can neither discard nor
        go on may discard any card (RV-03).
        """
        raise NotImplementedError

    def discards_owed(self, turn: Turn) -> int | None:
        """
        How many discards end a turn, as long as there are cards to discard.

        The most that a rule asks for.
        """
        raise NotImplementedError

    # ------------------------------------------------------------------------- ends

    def may_knock(self, turn: Turn) -> bool:
        """
        Whether a player may knock, where knocks are known. All have to allow it.
        """
        raise NotImplementedError

    def may_go_out(self, turn: Turn) -> bool:
        """
        Whether a player may play or discard the last card. All have to allow it.

        Asked of the turn as it is before that card goes.
        """
        raise NotImplementedError

    def next_seat(self, turn: Turn) -> int | None:
        """
        Who plays after a turn that is finished, if it is not the player on the left.

        A seat that is out is passed over. The first rule that answers decides.
        """
        raise NotImplementedError

    # ------------------------------------------------------------------------ points

    def score(self, end: RoundFacts) -> Iterable[Points]:
        """
        What a round brings beside what the values of ``score`` give.

        All are added, in the order of the rules.
        """
        raise NotImplementedError

    # ------------------------------------------------------------------------- match

    def eliminated(self, match: MatchFacts) -> Iterable[int]:
        """
        The seats that do not play on.

        Asked before each round. They are dealt no cards and have no turn. Whoever one
        rule names is out of the match.
        """
        raise NotImplementedError

    def winners(self, match: MatchFacts) -> Iterable[int] | None:
        """
        Who has won after a round; nobody for a match that goes on.

        The first rule that answers decides, in place of the values of ``match``.
        """
        raise NotImplementedError

    # ------------------------------------------------------------ memory and effects

    def remembers(self, turn: Turn, action: Any) -> Any:
        """
        What is remembered after an action, in place of ``turn.memory``.

        Asked of every action of a player once it is done, with the turn as it was
        before. Plays that the search looks ahead to are not remembered.
        """
        raise NotImplementedError

    def follows(self, turn: Turn, action: Any) -> Iterable[Move]:
        """
        What an action does to others beside what it does itself.

        Asked of every action of a player, with the turn as it was before. The moves are
        made one after another once the action is done, unless that ended the round.
        """
        raise NotImplementedError


_NO_QUESTIONS: Final = frozenset({"because", "describe"})
QUESTIONS: Final = tuple(
    name
    for name, value in vars(HouseRule).items()
    if name not in _NO_QUESTIONS and inspect.isfunction(value)
)
"""The names of all questions."""
IN_WINDOWS: Final = frozenset({"buys"})
"""Questions of which all see how they are answered, and that no hand may decide."""


# ------------------------------------------------------------------------- registering


R = TypeVar("R", bound=HouseRule)
_RULES: Final[dict[tuple[str, str], type[HouseRule]]] = {}
"""The rules that are registered, by section and name."""
_SECTIONS: Final = (
    *("deck", "deal", "wild", "meld", "draw", "layoff", "call", "discard", "out"),
    *("stock", "score", "match"),
)


def register_rule(section: str, name: str) -> Callable[[type[R]], type[R]]:
    """
    Make a rule known under a name that rules files can use: ``rules = ["its name"]``.

    Args:
        section: The section of a rules file in which it stands, such as ``meld``. It
            may answer questions of other sections as well.
        name: Its name, unique in the section.

    Raises:
        RulesError: If there is no such section, another class has the name, the class
            is not an attrs class derived from `HouseRule`, or one of its questions is
            none, or does not take what is asked.
    """

    def register(cls: type[R]) -> type[R]:
        problems = [*_wrong_with(section, name, cls)]
        if problems:
            raise RulesError(problems)
        cls.section, cls.name = section, name
        _RULES[section, name] = cls
        return cls

    return register


def _wrong_with(section: str, name: str, cls: type[HouseRule]) -> Iterable[str]:
    if section not in _SECTIONS:
        yield f"there is no section {section!r}{nearest(section, _SECTIONS)}"
    what = cls.__qualname__
    if not issubclass(cls, HouseRule):
        yield f"{what} is no rule: derive it from HouseRule"
        return
    known = _RULES.get((section, name))
    if known and (known.__module__, known.__qualname__) != (cls.__module__, what):
        yield f"the name {name!r} is taken in {section} by {known.__qualname__}"
    if "__attrs_attrs__" not in vars(cls):
        yield f"{what} has no values to compare: put @attrs.frozen above it"
    reads: Any = cls.reads
    if not (reads is None or isinstance(reads, set | frozenset)):
        yield f"{what}.reads is {reads!r}: give a set of names of facts, or None"
    elif reads is not None:
        for one in reads:
            if one not in FACTS:
                yield f"{what}.reads: there is no fact {one!r}{nearest(one, FACTS)}"
        cls.reads = frozenset(reads)
    if not (cls.memory is None or isinstance(cls.memory, Memory)):
        yield f"{what}.memory is {cls.memory!r}: give a Memory"
    for one, value in vars(cls).items():
        if one[0] == "_" or one in _NO_QUESTIONS or not inspect.isfunction(value):
            continue
        if one not in QUESTIONS:
            yield f"{what}.{one} is no question{nearest(one, QUESTIONS)}"
            continue
        asked = [*inspect.signature(getattr(HouseRule, one)).parameters]
        taken = [*inspect.signature(value).parameters]
        if len(asked) != len(taken):
            given = listed([f"'{each}'" for each in asked[1:]])
            yield f"{what}.{one} has to take {given}"


FACTS: Final = frozenset(
    {
        *("discards", "drawn", "floating", "has_melded", "hand", "made", "memory"),
        *("out", "players", "round_number", "scores", "seat", "sizes", "source"),
        *("stock_size", "table", "turns_taken", "wild_rank", "zones"),
    }
)
"""What a rule may read of a turn."""


def rule_given(section: str, given: object) -> HouseRule:
    """
    A rule as a rules file gives it: a name, or a table of a name and values.

    Raises:
        ValueError: If there is none, or a value will not do.
    """
    if isinstance(given, HouseRule):
        return given
    values: dict[str, Any] = {}
    name = given
    if isinstance(given, Mapping):
        values = {str(key): value for key, value in given.items()}
        name = values.pop("rule", None)
    known = [one for at, one in _RULES if at == section]
    if not isinstance(name, str):
        msg = f"{given!r} is no rule: give a name, or {{rule = name, ...}}"
        raise ValueError(msg)  # noqa: TRY004 -- as every other value that will not do
    cls = _RULES.get((section, name))
    if cls is None:
        msg = f"no rule {name!r} is registered in {section}{nearest(name, known)}"
        raise ValueError(msg)
    fields = attrs.fields_dict(cls)
    for key in values:
        if key not in fields:
            msg = f"the rule {name!r} has no value {key!r}{nearest(key, fields)}"
            raise ValueError(msg)
        wanted = type(fields[key].default)
        if isinstance(values[key], list):
            values[key] = tuple(values[key])
        if wanted is not type(attrs.NOTHING) and type(values[key]) is not wanted:
            msg = (
                f"{key} of the rule {name!r} is {values[key]!r}: give {_KINDS[wanted]}"
            )
            raise ValueError(msg)
    try:
        return cls(**values)
    except (TypeError, ValueError) as error:
        msg = f"the rule {name!r} cannot be made: {error}"
        raise ValueError(msg) from None


def no_sense(rule: HouseRule, question: str, answer: object, wanted: str) -> RulesError:
    """
    The error of an answer that is none, which names the rule and the question.
    """
    msg = (
        f"the rule {rule.name!r} answers {question!r} with {shown(answer)}: "
        f"give {wanted}"
    )
    return RulesError(msg, [rule.id] if rule.id else [])


class _Kinds(dict[type, str]):
    def __missing__(self, kind: type) -> str:
        return f"a {kind.__name__}"


_KINDS: Final = _Kinds(
    {
        int: "a whole number",
        str: "a text",
        bool: "true or false",
        tuple: "a list",
    }
)


def rule_spelled(rule: HouseRule) -> str | dict[str, Any]:
    """
    A rule as a rules file has it: its name, with values that are not the default ones.
    """
    values = {
        field.name: getattr(rule, field.name)
        for field in attrs.fields(type(rule))
        if getattr(rule, field.name) != field.default
    }
    plain = {
        key: list(one) if isinstance(one, tuple) else one for key, one in values.items()
    }
    return {"rule": rule.name, **plain} if plain else rule.name
