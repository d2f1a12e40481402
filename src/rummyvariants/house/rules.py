"""
House rules: values and classes that answer the questions of the engine.

A rule is added to the values of a section. It answers a few questions and leaves the
others alone, so several rules can be in force together; each question says how their
answers are combined. A rule sees the game only through facts in public types.
"""

from __future__ import annotations

import dis
import functools
import inspect
import sys

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants._support.limits import ONE_LINE, is_line
from rummyvariants._support.modules import home, is_again
from rummyvariants._support.values import Value
from rummyvariants._support.words import listed
from rummyvariants.cards import Card, Cards
from rummyvariants.errors import RulesError, nearest, shown
from rummyvariants.house._claims import wrong_claims
from rummyvariants.house.answers import (
    EFFECTS,
    KNOWN_PLACES,
    Effect,
    Kind,
    Memory,
    Move,
    Offer,
    Opening,
    Owed,
    Pile,
    Points,
    Price,
)
from rummyvariants.house.facts import FACTS


if TYPE_CHECKING:
    from rummyvariants.house.facts import DealFacts, MatchFacts, RoundFacts, Turn
    from rummyvariants.melds._meld import Meld, Place, Slot
    from rummyvariants.rulings import Objection


# ------------------------------------------------------------------------ questions


@attrs.frozen(eq=False, repr=False)
class HouseRule(Value):
    """
    Base of all house rules, with every question that the engine asks them.

    A rule overrides the questions that it answers. It is not asked the others, and they
    cost nothing. None as an answer means that the rule has nothing to say. Answers may
    depend only on the arguments and on the values of the rule.

    A rule's docstring is its line on the rule sheet. Its values are the fields of an
    attrs class; a rules file sets them with ``{name = "its name", points = 40}``.

    Attributes:
        name: The name under which it is registered.
        section: The section of rules files that it belongs to.
        id: The id that refusals and points cite; if empty, they cite the one given in
            the rules file, or else the name.
        reads: The facts of a `Turn` on which its answers depend. The engine remembers
            answers by these facts, and the testing kit checks that the rule reads no
            others. With None, every question is asked anew each time; so leave it out
            if an answer depends on `Turn.may`.
        memory: What it remembers, if anything.
        effects: The kinds of its effects, such as ``{Remember}``. Where no card can go
            anywhere by it, searches are shorter and views are checked more closely.
            With None, it may have any.
        piles: The places that it needs for cards, and what a deal lays there.
        kinds: The kinds of melds that there are because of it.
        actions: The names of the actions that it `offers`: words that no other action
            begins with. A mapping says for each when it may be offered, such as
            ``{"skip": ("draw",)}``: before the draw, after it (``play``) or to players
            who are ``asked``. Names alone may be offered at all these times.
        cardless: Those of the actions that name no cards, so that games with them may
            have a flat form for learners.
        secrets: Those of the actions whose cards only the player knows.
        vetoes: The first words of the actions that `forbids` is asked about, such as
            ``take`` and ``meld``.
        replaces: The policy values that it takes over, such as ``deal.hand_size``. They
            are not in force beside it, and the rule sheet does not state them.
        needs: The policy values with which it does something: by the name of a value,
            or of several one of which is enough, the value, a set of values, or ``...``
            for any but the default. Where they are others, it is not in force, and a
            notice says so.
        bars: The only cards that its answers to `discards` leave out as long as more
            than `few` others are in the hand. With None, it might leave out any, and
            after each play the engine asks anew whether a card can be discarded. The
            testing kit checks it.
        few: With no more than so many cards beside `bars` in the hand, its answers may
            leave out those too.

    >>> import attrs
    >>> @attrs.frozen
    ... class FewMelds(rv.house.HouseRule):
    ...     "A player makes at most {number} new melds a turn."
    ...     number: int = 1
    ...     def most_melds(self, turn):
    ...         return self.number
    >>> FewMelds(2).describe(), FewMelds(2).most_melds(None)
    ('A player makes at most 2 new melds a turn.', 2)
    """

    name: ClassVar[str] = ""
    section: ClassVar[str] = ""
    id: ClassVar[str] = ""
    reads: ClassVar[frozenset[str] | None] = None
    memory: ClassVar[Memory | None] = None
    effects: ClassVar[frozenset[type[Effect]] | None] = None
    piles: ClassVar[tuple[Pile, ...]] = ()
    kinds: ClassVar[tuple[Kind, ...]] = ()
    actions: ClassVar[tuple[str, ...] | Mapping[str, tuple[str, ...]]] = ()
    cardless: ClassVar[tuple[str, ...]] = ()
    secrets: ClassVar[tuple[str, ...]] = ()
    vetoes: ClassVar[Collection[str]] = ()
    replaces: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[Mapping[str | tuple[str, ...], object]] = {}
    bars: ClassVar[Cards | None] = None
    few: ClassVar[int] = 0

    def describe(self) -> str:
        """
        The rule in words: its docstring, with ``{points}`` for a value of that name.

        Without docstrings (``python -OO``) it is the name.
        """
        said = type(self).__doc__
        if said is None:  # Python leaves docstrings out with -OO
            return self.name
        return " ".join(said.format_map(attrs.asdict(self, recurse=False)).split())

    def because(self, text: str) -> str:
        """
        The text of a refusal: what is refused, then the first sentence of the rule.
        """
        said = self.describe().partition(". ")[0].rstrip(".")
        return f"{text}: {said[:1].lower()}{said[1:]}"

    def could_remember(self, value: Any, players: int) -> bool:
        """
        Whether its memory may be such in a game of so many players.

        A position or a document with another memory is refused.
        """
        del value, players
        return True

    def possible_values(self) -> Sequence[Mapping[str, Any]] | None:
        """
        All that it may answer to `values`, besides nothing; None if it has no list.

        Learners have words and numbers for what the listed values make possible. The
        testing kit checks that no deal has other values.
        """
        return None

    def refuse_buy(self, turn: Turn) -> Objection | None:
        """
        Why a player may not buy, where its answer to `buys` is None.
        """

    # -------------------------------------------------------------------- the deal

    def values(self, deal: DealFacts) -> Mapping[str, Any] | None:
        """
        Policy values for one deal, such as ``{"deal.hand_size": 4}``.

        Asked before each deal. The round is played by these values in place of those of
        the table; ``deck`` and ``match`` stay as they are. ``deal.memory`` is None.

        Raises:
            RulesError: In the deal, if two rules give one value, a value is none, or
                the deck does not hold hands of such a size.
        """

    def wild_rank(self, deal: DealFacts) -> str | None:
        """
        The rank that is wild in this deal, such as ``3``; empty for none.

        Asked once a deal, if no card names the wild rank. The first rule that answers
        decides.
        """

    def lays_aside(self, deal: DealFacts) -> Iterable[Card] | None:
        """
        The cards that no hand keeps: they are laid aside face up at once and replaced.

        They go to a zone of the player that has the rule's name, and are replaced from
        the stock as far as it has cards, unless they come with the discard pile. The
        answer holds for the whole deal.
        """

    # ------------------------------------------------------------------------ melds

    def most_wilds(self, naturals: int, kind: str = "") -> int | None:
        """
        The most wilds that a set or a run may hold beside so many natural cards.

        Asked in advance, once for each number and kind. The least answer applies, and
        so do the policy values. A method that takes no kind answers for both.
        """

    def allows_meld(self, meld: Meld) -> bool | None:
        """
        Whether a meld that all other rules allow may lie on the table.

        Asked about new melds, and about melds as they would be after a lay-off; so a
        rule can close a meld to further cards. All rules must allow it.
        """

    def may_lay(self, turn: Turn, meld: Meld) -> bool | None:
        """
        Whether a player may lay a meld now; it is shown as it would be then.

        Asked about new melds, and about melds as they would be after a lay-off, a trade
        or a call. All rules must allow it. Melds that may never lie on the table are a
        matter for `allows_meld`, which is asked only once about each.
        """

    def opening(self, turn: Turn) -> Opening | None:
        """
        What a player's first melds must be.

        Asked about new melds, takes with a meld, and calls of a player who has no meld
        on the table. One action must meet all openings. Where it may be necessary, the
        search for a way to finish the turn tries several melds together.
        """

    def most_melds(self, turn: Turn) -> int | None:
        """
        How many new melds a player may make in a turn; calls are not counted.

        The least answer applies, and so does ``meld.a_turn``.
        """

    # ------------------------------------------------------------------------- draw

    def cards_drawn(self, turn: Turn) -> int | None:
        """
        How many cards are drawn from the stock, as far as it has them; at least one.

        The first rule that answers decides.
        """

    def takes(self, turn: Turn) -> Iterable[int] | None:
        """
        The numbers of cards that may be taken from the discard pile.

        Asked before the draw, also about takes whose top card is laid at once, unless
        the rule itself answers `takes_with` about them. All rules and the policy values
        must allow a number.
        """

    def takes_with(self, turn: Turn, count: int, meld: Meld) -> bool | None:
        """
        Whether so many discards may be taken whose top card is laid at once.

        It is laid in a meld with cards from the hand, or on a meld on the table, before
        the other discards go to the hand; the meld is shown as it would be then. Where
        the policy values know no such take, it is legal if a rule allows it; no rule
        may forbid it, by this answer or by `takes`. ``draw.take`` and ``draw.duty``
        apply as to other takes.
        """

    def owes(self, turn: Turn) -> Iterable[Owed] | None:
        """
        What must be done with cards drawn, in addition to what ``draw`` requires.

        Asked after the draw: ``turn.source`` and ``turn.drawn`` say what it was. Every
        card owed must be used; a take is refused if that would not be possible.
        """

    # ------------------------------------------------------------------ out of turn

    def buys(self, turn: Turn) -> Price | None:
        """
        The price at which a player out of turn may take the discard just made.

        Asked about each seat except the one to play and, unless ``call.own_discard``
        lets it buy, the one that discarded. The answer must not depend on a hand, since
        everybody sees who is asked. The first rule that answers decides; if none does,
        the seat may not buy.
        """

    # -------------------------------------------------------------------- lay-offs

    def may_lay_off(self, turn: Turn) -> bool | None:
        """
        Whether a player may lay off at all. All rules must allow it.
        """

    def lays_off_on(self, turn: Turn) -> Iterable[int] | None:
        """
        The seats on whose melds a player may lay cards, by a lay-off or a call.

        A seat must be in the answers of all rules, and ``layoff.onto`` must allow it.
        """

    # --------------------------------------------------------------------- discards

    def discards(self, turn: Turn) -> Iterable[Card] | None:
        """
        The cards of a hand that may be discarded.

        A card must be in the answers of all rules. A player who can neither discard nor
        go on may discard any card (RV-03).
        """

    def discards_owed(self, turn: Turn) -> int | None:
        """
        How many discards end a turn, as long as there are cards to discard.

        The largest answer applies.
        """

    # ------------------------------------------------------------------------- ends

    def may_knock(self, turn: Turn) -> bool | None:
        """
        Whether a player may knock, or declare. All rules must allow it.
        """

    def may_go_out(self, turn: Turn) -> bool | None:
        """
        Whether a player may play or discard the last card. All rules must allow it.

        Asked about a discard with the turn as it is before, and about a play with the
        table as it would be afterwards.
        """

    def asks(self, turn: Turn) -> int | None:
        """
        The seat that a player may ask, after the draw, whether to go out.

        Asked about a player who has laid no card in the turn. The question is legal if
        the turn could be finished after the answer ``yes``. What follows from an answer
        is up to `follows`, `may_go_out` and `must_go_out`. The first rule that
        answers decides; if none does, nobody is asked.
        """

    def must_go_out(self, turn: Turn) -> bool | None:
        """
        Whether a player has to go out in this turn.

        Asked after the draw. If any rule says so, every action is refused after which
        the player could not go out.
        """

    def next_seat(self, turn: Turn) -> int | None:
        """
        The seat that plays after a finished turn, if not the player on the left.

        Asked about the turn that ends. A seat that is out is passed over. The first
        rule that answers decides.
        """

    # ------------------------------------------------------------------------ points

    def score(self, end: RoundFacts) -> Iterable[Points] | None:
        """
        The points of a round in addition to those of the ``score`` values.

        All are added, in the order of the rules.
        """

    def pays(self, end: RoundFacts) -> Iterable[Points] | None:
        """
        What players pay each other after a round, beside the points.

        `Points` are positive for who is paid and negative for who pays; those of a rule
        come to 0 together. All are added, in the order of the rules.
        """

    def worth(self, slot: Slot, meld: Meld) -> int | Card | Place | None:
        """
        The points of a card in a meld, or a card or place that counts as much.

        Asked about the cards of melds on the table when a round is scored, and of first
        melds that have to be worth something. The first rule that answers decides.
        """

    # ------------------------------------------------------------------------- match

    def deals_next(self, match: MatchFacts) -> int | None:
        """
        The seat that deals next, after a round. The first rule that answers decides.
        """

    def eliminated(self, match: MatchFacts) -> Iterable[int] | None:
        """
        The seats that are out of the match.

        Asked between rounds. They are dealt no cards and have no turns. A seat that any
        rule names is out.
        """

    def rejoins(self, match: MatchFacts, seat: int) -> int | None:
        """
        The total with which a player may come back into the match.

        Asked after a round about each player whom it eliminated, in the order of the
        seats. The first rule that answers decides; if none does, the player is out.
        """

    def winners(self, match: MatchFacts) -> Iterable[int] | None:
        """
        The seats that have won after a round; an empty answer lets the match go on.

        The first rule that answers decides, in place of the ``match`` values.
        """

    # ------------------------------------------------------------ memory and effects

    def remembers_deal(self, deal: DealFacts) -> Any | None:
        """
        What is remembered after a deal, in place of what the memory starts with.

        None leaves the memory as it is.
        """

    def follows(self, turn: Turn, event: Any) -> Iterable[Effect] | None:
        """
        What else an event causes, such as a `Move` of cards or something to `Remember`.

        Asked about every event of the round, just when it happens; ``turn.seat`` is the
        seat of the event, or else that of the player in turn. What is remembered, and
        points, count from then on. The other effects are done in order when the action
        is done, unless it has ended the round.
        """

    def refills(self, turn: Turn) -> Iterable[Move] | None:
        """
        The cards that a player gets whose hand is empty, and who is then not out.

        Asked when the last card is played or discarded, and before, to tell whether it
        may be. The first rule that answers with moves to that hand decides. After a
        play the player goes on, after a discard the turn ends as usual. A player who
        declares gets none.
        """

    # ------------------------------------------------------------- actions of its own

    def offers(self, turn: Turn) -> Iterable[Offer] | None:
        """
        The actions that a player has because of the rule.

        Asked about a player who may act before or after the draw, or who is asked
        because of an `AskOthers`: ``turn.phase`` says which. If `actions` names none
        for a phase, it is not asked then. They add to all others.
        """

    def forbids(
        self, turn: Turn, action: Any, after: Callable[[], Turn]
    ) -> bool | None:
        """
        Whether an action is refused that all other rules allow.

        Asked only about the verbs in `vetoes`. ``after()`` is the turn as it would be
        after the action, with all its effects; it takes longer than all other facts.
        """


_NO_QUESTIONS: Final = frozenset(
    {"because", "could_remember", "describe", "possible_values", "refuse_buy"}
)
QUESTIONS: Final[tuple[str, ...]] = tuple(
    name
    for name, value in vars(HouseRule).items()
    if name[0] != "_" and name not in _NO_QUESTIONS and inspect.isfunction(value)
)
"""The names of all questions."""
OF_TURNS: Final = frozenset(
    name
    for name in QUESTIONS
    if "turn" in inspect.signature(getattr(HouseRule, name)).parameters
)
"""Questions about a `Turn`."""
OF_NEW_MELDS: Final = frozenset({"forbids", "may_lay", "most_melds", "opening"})
"""Questions that decide which melds of those that are allowed a player may make."""
OF_PLAYS: Final = frozenset(
    {"allows_meld", "may_lay", "opening", "most_melds", "may_lay_off", "lays_off_on"}
    | {"owes", "discards", "discards_owed", "may_go_out", "must_go_out"}
    | {"refills", "forbids"}
)
"""Questions that decide what is laid and discarded, and so whether a turn can end."""


# ------------------------------------------------------------------------- registering


def answered_by(rule: HouseRule) -> list[str]:
    """
    The questions that a rule answers, in order.

    A method that does nothing but return None is as good as none.
    """
    return _answers(type(rule))


def _answers(cls: type[HouseRule]) -> list[str]:
    return [
        one
        for one in QUESTIONS
        if (method := getattr(cls, one)) is not getattr(HouseRule, one)
        and not _is_empty(method)
    ]


_IMPORT: Final = (
    "import the module that registers it first; commands do so with --rules-module"
)


@functools.cache
def _is_empty(method: Callable[..., Any]) -> bool:
    """
    Whether a method surely does nothing but return None.
    """
    return inspect.isfunction(method) and all(
        one.opname in _IDLE and (one.argval is None or not one.opname.endswith("CONST"))
        for one in dis.get_instructions(method)
    )


_IDLE: Final = frozenset(
    {"RESUME", "NOP", "DELETE_FAST", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE"}
)
"""What the code of a method does that does nothing: ``del`` of what it is given too."""


R = TypeVar("R", bound=HouseRule)
_RULES: Final[dict[tuple[str, str], type[HouseRule]]] = {}
"""The rules that are registered, by section and name."""
_SECTIONS: Final = (
    *("deck", "deal", "wild", "meld", "draw", "layoff", "call", "discard", "out"),
    *("stock", "score", "match"),
)


@explained
def register_rule(section: str, name: str) -> Callable[[type[R]], type[R]]:
    """
    Register a rule under a name that rules files can use: ``rules = ["its name"]``.

    Args:
        section: The section of rules files that it belongs to, such as ``meld``. It may
            answer questions of other sections as well.
        name: Its name, unique in the section.

    Raises:
        RulesError: If there is no such section, the name is not a line of text or names
            a place of cards, another class has it, the class is not an attrs class
            derived from `HouseRule`, it declares what there is not, or one of its
            methods is not a question or has the wrong parameters.

    >>> import attrs
    >>> @rv.house.register_rule("meld", "one new meld")
    ... @attrs.frozen
    ... class OneNewMeld(rv.house.HouseRule):
    ...     "A player makes one new meld a turn."
    ...     def most_melds(self, turn):
    ...         return 1
    >>> rules = rv.preset("rummy-500").with_values({"meld.rules": ["one new meld"]})
    >>> "one new meld" in rules.describe()
    True
    """

    def register(cls: type[R]) -> type[R]:
        problems = [*_wrong_with(section, name, cls)]
        if problems:
            raise RulesError(problems)
        cls.section, cls.name = section, name
        _RULES[section, name] = cls
        return cls

    return register


def how_to_use(given: object) -> str:
    """
    How a rule comes into a game: what to write for something that is one, or its class.
    """
    cls = given if isinstance(given, type) else type(given)
    if not issubclass(cls, HouseRule):
        return ""
    rule = f"{cls.__name__}()" if given is cls else shown(given)
    section = cls.section or "discard"
    use = f"; write rules.with_values({{'{section}.rules': [{rule}]}})"
    if cls.section:
        return use
    return f"{use}, and {_REGISTER} the class"


_REGISTER: Final = "@rv.house.register_rule('discard', 'its name') above"


def action_names() -> list[str]:
    """
    The names of the actions of all rules, those that begin like others last.
    """
    names = {name for rule in _RULES.values() for name in rule.actions}
    return sorted(names, reverse=True)


def times_of(rule: HouseRule | type[HouseRule], name: str) -> tuple[str, ...]:
    """
    The phases in which a rule may offer one of its actions.
    """
    given = rule.actions
    return given[name] if isinstance(given, Mapping) else OFFERED_IN


OFFERED_IN: Final = ("draw", "play", "asked")
"""The phases in which rules may offer actions."""


def known_rules() -> Iterable[type[HouseRule]]:
    """
    The classes of all rules that are registered.
    """
    return _RULES.values()


def _wrong_name(name: object) -> Iterable[str]:
    """
    Why a rule may not have a name, under which files and refusals speak of it.
    """
    if not isinstance(name, str) or not name.strip() or name != name.strip():
        yield f"no rule is named {shown(name)}: give words, with no blank at the ends"
    elif not is_line(name):
        yield f"no rule is named {shown(name)}: {ONE_LINE}"
    elif name in KNOWN_PLACES:
        yield f"no rule is named {name!r}, which is a place of cards"


def _wrong_with(section: str, name: str, cls: type[HouseRule]) -> Iterable[str]:
    if section not in _SECTIONS:
        yield f"there is no section {section!r}{nearest(section, _SECTIONS)}"
    yield from _wrong_name(name)
    given: object = cls
    if not (isinstance(given, type) and issubclass(given, HouseRule)):
        what = getattr(cls, "__qualname__", shown(cls))
        yield f"{what} is not a rule: derive it from HouseRule"
        return
    what = cls.__qualname__
    if not isinstance(name, str):
        return
    known = _RULES.get((section, name))
    if known and not is_again(cls, known):
        taken = f"{known.__qualname__} of {home(known)}"
        yield f"the name {name!r} in {section} is taken by {taken}"
    if "__attrs_attrs__" not in vars(cls):
        yield f"{what} is not an attrs class: put @attrs.frozen below @register_rule"
    reads: Any = cls.reads
    if not (reads is None or isinstance(reads, set | frozenset)):
        yield f"{what}.reads is {reads!r}: give a set of names of facts, or None"
    elif reads is not None:
        for one in reads:
            if one not in FACTS:
                yield f"{what}.reads: there is no fact {one!r}{nearest(one, FACTS)}"
        cls.reads = frozenset(reads)
    yield from _wrong_bars(what, cls)
    said = vars(cls).get("__doc__")
    if said:
        try:
            said.format_map(attrs.fields_dict(cls))
        except (KeyError, ValueError, IndexError) as error:
            yield (
                f"the docstring of {what} names {error}, which is not a value: write "
                "values as fields, such as points: int = 40"
            )
    elif sys.flags.optimize < 2:
        yield f"{what} needs a docstring: it is the rule's line on the rule sheet"
    if cls.memory is None and cls.remembers_deal is not HouseRule.remembers_deal:
        yield f"{what} remembers, but has no memory: give memory = Memory(...)"
    if not (cls.memory is None or isinstance(cls.memory, Memory)):
        yield f"{what}.memory is {cls.memory!r}: give a Memory"
    yield from _wrong_lists(cls)
    yield from wrong_claims(what, cls.replaces, cls.needs, _answers(cls))
    yield from _wrong_methods(cls)


def _wrong_methods(cls: type[HouseRule]) -> Iterable[str]:
    """
    What is wrong with the methods of a rule, each of which answers a question.
    """
    what = cls.__qualname__
    for one, value in vars(cls).items():
        if one[0] == "_" or one in _NO_QUESTIONS or not inspect.isfunction(value):
            continue
        if one not in QUESTIONS:
            hint = nearest(one, QUESTIONS)
            near = f"{hint} Or else " if "did you mean" in hint else ": "
            helper = "the name of a method of your own begins with an underscore"
            yield f"{what}.{one} is not a question{near}{helper}"
            continue
        parameters = inspect.signature(getattr(HouseRule, one)).parameters
        asked = [*parameters]
        # What a question is given in addition has a default, and may be left out.
        few = [
            name
            for name in asked
            if parameters[name].default is inspect.Parameter.empty
        ]
        if not (_binds(value, asked) or _binds(value, few)):
            given = listed(asked[1:])
            yield f"{what}.{one} has to take {given}, beside self, and nothing else"


_LISTS: Final[tuple[tuple[str, type[Any]], ...]] = (
    *(("piles", Pile), ("kinds", Kind)),
    *(("actions", str), ("cardless", str), ("secrets", str), ("vetoes", str)),
)


def _wrong_lists(cls: type[HouseRule]) -> Iterable[str]:
    """
    What is wrong with the lists that a rule declares.
    """
    effects: Any = cls.effects
    if effects is not None:
        if isinstance(effects, set | frozenset) and effects <= EFFECTS:
            cls.effects = frozenset(effects)
        else:
            what = f"{cls.__qualname__}.effects is {effects!r}"
            yield f"{what}: give a set of kinds of effects, such as Remember, or None"
    for name, kind in _LISTS:
        given: object = getattr(cls, name)
        what = f"{cls.__qualname__}.{name} is {given!r}"
        if name == "vetoes" and isinstance(given, set | frozenset):
            given = tuple(given)
        if name == "actions" and isinstance(given, Mapping):
            if not all(map(_are_times, given.values())):
                yield f"{what}: give with each name a tuple of {listed(OFFERED_IN)}"
            given = tuple(given)
        if not isinstance(given, tuple) or any(type(one) is not kind for one in given):
            of = "texts" if kind is str else kind.__name__
            yield f"{what}: give a tuple of {of}"
        elif kind in {Kind, Pile}:
            sizes = [getattr(one, "cards", 0) for one in given]
            sizes += [getattr(one, at, 0) for one in given for at in ("least", "most")]
            for size in sizes:
                if isinstance(size, str) and size not in attrs.fields_dict(cls):
                    hint = nearest(size, attrs.fields_dict(cls))
                    yield f"{what}: there is no value {size!r}{hint}"
        elif kind is str and any(
            one != " ".join(one.casefold().split()) for one in given
        ):
            yield f"{what}: write words in lower case"
    kinds: Any = cls.kinds
    for one in kinds if isinstance(kinds, tuple) else ():
        if isinstance(one, Kind) and not _binds(one.fits, ["rule", "cards"]):
            what = f"{cls.__qualname__}.kinds, {one.name!r}"
            yield f"{what}: fits has to take the rule and the cards"
    for name in ("cardless", "secrets"):
        for one in getattr(cls, name):
            if one not in cls.actions:
                hint = nearest(one, cls.actions)
                yield f"{cls.__qualname__}.{name}: there is no action {one!r}{hint}"
    if cls.offers is not HouseRule.offers and not cls.actions:
        yield f"{cls.__qualname__}.actions is empty: name what the rule offers"
    if cls.forbids is not HouseRule.forbids and not cls.vetoes:
        empty = f"{cls.__qualname__}.vetoes is empty"
        yield f"{empty}: name the verbs that it may forbid, as in vetoes = ('discard',)"


def _are_times(given: object) -> bool:
    known = isinstance(given, tuple) and all(one in OFFERED_IN for one in given)
    return known and given != ()


def _wrong_bars(what: str, cls: type[HouseRule]) -> Iterable[str]:
    """
    What is wrong with the cards that a rule says it may bar.
    """
    bars: Any = cls.bars
    few: Any = cls.few
    if not (bars is None or isinstance(bars, Cards)):
        yield f"{what}.bars is {shown(bars)}: give rv.Cards, or None"
    elif type(few) is not int or few < 0:
        yield f"{what}.few is {shown(few)}: give a whole number from 0"
    elif few and bars is None:
        yield f"{what}.few is about cards beside those in bars: give both"


def taken(method: Callable[..., Any], given: tuple[object, ...]) -> tuple[object, ...]:
    """
    What a method takes of what it is given, of which it may leave out the last.
    """
    return given[: _most_given(getattr(method, "__func__", method))]


@functools.cache
def _most_given(function: Callable[..., Any]) -> int | None:
    """
    How many arguments a function of a class takes, apart from the object.

    Returns:
        None if it takes any number.
    """
    parameters = inspect.signature(function).parameters.values()
    if any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return None
    return len(parameters) - 1


def _binds(method: Callable[..., Any], given: list[str]) -> bool:
    """
    Whether a method may be given so many arguments.
    """
    try:
        inspect.signature(method).bind(*given)
    except TypeError:
        return False
    return True


def rule_given(section: str, given: object) -> HouseRule:
    """
    A rule from a rules file: a name, or a table of a name and values.

    Raises:
        ValueError: If there is no such rule, or a value is not allowed.
    """
    if isinstance(given, HouseRule):
        if given.section != section:
            where = f"is a rule of {given.section}" if given.section else "has no name"
            msg = f"{type(given).__qualname__} {where}: register it in {section}"
            raise ValueError(msg)
        lists = {
            field.name: tuple(value)
            for field in attrs.fields(type(given))
            if isinstance(value := getattr(given, field.name), list)
        }
        return attrs.evolve(given, **lists)
    values: dict[str, Any] = {}
    name = given
    if isinstance(given, Mapping):
        values = {str(key): value for key, value in given.items()}
        name = values.pop("name", None)
    known = [one for at, one in _RULES if at == section]
    if not isinstance(name, str):
        msg = f"{given!r} is not a rule: give its name, or {{name = ..., points = 40}}"
        raise ValueError(msg)  # noqa: TRY004 -- like every other wrong value
    cls = _RULES.get((section, name))
    if not name:
        msg = f"the rule has no name: write {_REGISTER} its class"
        raise ValueError(msg)
    if cls is None:
        hint = nearest(name, known, listed=_IMPORT)
        elsewhere = [at for at, one in _RULES if one == name]
        if elsewhere:
            hint = f": it is a rule of {listed(elsewhere)}"
        msg = f"{name!r} is not a rule of {section}{hint}"
        raise ValueError(msg)
    fields = attrs.fields_dict(cls)
    for key in values:
        if key not in fields:
            msg = f"the rule {name!r} has no value {key!r}{nearest(key, fields)}"
            raise ValueError(msg)
        wanted = type(fields[key].default)
        if isinstance(values[key], list):
            values[key] = tuple(values[key])
        if wanted in _KINDS and type(values[key]) is not wanted:
            msg = (
                f"{key} of the rule {name!r} is {values[key]!r}: give {_KINDS[wanted]}"
            )
            raise ValueError(msg)
    try:
        return cls(**values)
    except (TypeError, ValueError) as error:
        msg = f"the rule {name!r} cannot be made: {error}"
        raise ValueError(msg) from None


def no_sense(
    rule: HouseRule, question: str, answer: object, wanted: str, *, more: bool = False
) -> RulesError:
    """
    The error about an answer that makes no sense; it names the rule and the question.

    Args:
        rule: The rule.
        question: What it was asked.
        answer: What it says.
        wanted: What would be right.
        more: Whether the answer is only the beginning of what it says.
    """
    msg = (
        f"the rule {rule.name!r} answers {question!r} with {shown(answer)}"
        f"{' and so on' * more}: give {wanted}"
    )
    return RulesError(msg, [rule.id] if rule.id else [])


def failure(rule: HouseRule, question: str, error: Exception) -> RulesError:
    """
    The error about a rule that fails at a question: what it raised, and where.
    """
    import traceback  # noqa: PLC0415 -- both are slow, and few rules fail

    from pathlib import Path  # noqa: PLC0415

    place = traceback.extract_tb(error.__traceback__)[-1]
    msg = (
        f"the rule {rule.name!r} fails at {question!r}: {type(error).__name__}: "
        f"{error} (line {place.lineno} of {Path(place.filename).name})"
    )
    return RulesError(msg, [rule.id] if rule.id else [])


_KINDS: Final = {
    int: "a whole number",
    str: "a text",
    bool: "true or false",
    tuple: "a list",
}
"""What a value has to be, by the type of its default."""


def rule_spelled(rule: HouseRule) -> str | dict[str, Any]:
    """
    A rule as a rules file has it: its name, with values that differ from the defaults.
    """
    values = {
        field.name: getattr(rule, field.name)
        for field in attrs.fields(type(rule))
        if getattr(rule, field.name) != field.default
    }
    plain = {
        key: list(one) if isinstance(one, tuple) else one for key, one in values.items()
    }
    return {"name": rule.name, **plain} if plain else rule.name


def rule_text(rule: HouseRule) -> str:
    """
    A rule as a person would write it in a rules file.
    """
    spelled = rule_spelled(rule)
    if isinstance(spelled, str):
        return spelled
    values = [f"{key} = {value}" for key, value in spelled.items() if key != "name"]
    return f"{rule.name} ({', '.join(values)})"
