"""
Questions of a few words: the situation in which an action is asked about.
"""

from __future__ import annotations

import re

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import attrs

from rummyvariants._support.words import listed
from rummyvariants.actions import (
    Action,
    CallRummy,
    Declare,
    Knock,
    LayOff,
    Pass,
    Take,
    TakeAndLayOff,
    TakeAndMeld,
)
from rummyvariants.cards import Card, card_of, parse_cards
from rummyvariants.errors import ParseError, PositionError, nearest
from rummyvariants.files._brief import OTHER_OWNER, SHORT, Assumed, melds_of, named_in
from rummyvariants.files._documents import file_slots
from rummyvariants.files._forms import FLAG, SEATS, BySeat, Form, Whole
from rummyvariants.files._positions import read_position
from rummyvariants.files._problems import in_file, said, spelled
from rummyvariants.files._scenarios import Scenario, StepLine
from rummyvariants.files._table_text import full_title
from rummyvariants.game._engine.game import check
from rummyvariants.game._engine.naming import cards_named, number_of_meld, values_of
from rummyvariants.game._engine.phases import PHASES
from rummyvariants.game._engine.plays import melds_by_number
from rummyvariants.game._state import State
from rummyvariants.game.verbs._known import VERBS, parse_action, plan_kept
from rummyvariants.game.verbs._short import short_form
from rummyvariants.melds._meld import Meld, Played, bits_of
from rummyvariants.rules._files import read_rules
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Ruling, Unclear


_ORDERS: Final = 10
"""How many ways to make up what is not given are compared."""
_TIMES: Final = ("draw", "play", "offer", "call", "buy", "answer", "stock", "layoff")
"""The phases from which one is chosen for an action, the first that fits."""


def situation(
    rules: Ruleset | str | Mapping[str, Any],
    action: str | Action | None = None,
    *,
    order: int = 0,
    **facts: Any,
) -> State:
    """
    A position of which a few facts are known, in which an action could be asked about.

    What the facts leave out follows from the action, as far as it can: its phase, the
    cards that it names in the hand, the card that it takes on the discard pile.

        >>> state = situation("rummy-5000", "meld Qc Kc Ac")
        >>> state.phase
        'play'

    Args:
        rules: The rules, the name of a preset, or a table as in a rules file.
        action: The action, or its text.
        order: The number that decides what else is made up.
        facts: The keys of `position`.

    Raises:
        RulesError: If the rules are not valid.
        PositionError: If the position is impossible, or lacks what the action needs.
        ParseError: If the text is not an action.
    """
    if not isinstance(rules, Ruleset):
        rules = read_rules(rules)
    facts = {key: value for key, value in facts.items() if value is not None}
    if "hands" in facts and "stock" not in facts:
        facts.setdefault("fill", True)
    named: tuple[Card, ...] = ()
    if action is not None:
        named = _fit(facts, action, rules)
    calls = action is not None and facts.get("phase") == "call"
    return read_position(facts, rules, order=order, named=named, calls=calls)


def ruled(
    rules: Ruleset | str | Mapping[str, Any], action: str | Action, **facts: Any
) -> tuple[State, Ruling]:
    """
    A situation and the ruling on an action, which nothing that was made up decides.

    Wild cards that it leaves open are declared in every way that makes a meld.

    Raises:
        PositionError: Also if what is not given decides the ruling.
    """
    state = situation(rules, action, **facts)
    ruling = _ruling(state, action)
    if not state.assumed:
        return state, ruling
    facts = {key: value for key, value in facts.items() if value is not None}
    if "upcard" in _made_up(state):
        facts["upcard"] = state.dealt.upcard
    case = _Case(rules, action, facts, state, ruling)
    for key, message, others in case.unknown():
        if any(case.differs({key: one}) for one in others):
            raise PositionError([f"{'melds' if key == 'order' else key}: {message}"])
    if case.depends(facts):
        made_up = ", ".join(case.deciding())
        msg = f"the answer depends on cards that you do not give: {made_up}"
        raise PositionError([msg])
    assumed = (*state.assumed, *case.of_match())
    return attrs.evolve(state, assumed=assumed), ruling


def _made_up(state: State) -> dict[str, str]:
    """
    What was made up, by the key that would have said it.
    """
    return {one.key: one for one in state.assumed if isinstance(one, Assumed)}


@attrs.frozen
class _Case:
    """
    What was asked, and what was answered in the situation that was made up.
    """

    rules: Ruleset | str | Mapping[str, Any]
    action: str | Action
    facts: Mapping[str, Any]
    state: State
    ruling: Ruling

    def differs(self, more: Mapping[str, Any]) -> bool:
        """
        Whether the answer is another, or has another reason, with these facts.
        """
        found = self._ruled({**self.facts, **more})
        return (found.rule, found.reason) != (self.ruling.rule, self.ruling.reason)

    def _ruled(self, facts: Mapping[str, Any]) -> Ruling:
        """
        The ruling in another situation; if that is impossible, the known one.
        """
        try:
            state = situation(self.rules, self.action, **facts)
        except PositionError:
            return self.ruling
        return _ruling(state, self.action)

    def unknown(self) -> Iterator[tuple[str, str, Iterable[Any]]]:
        """
        What only the asker knows: the key, what to write, and what else it may be.
        """
        state, made_up = self.state, _made_up(self.state)
        if "upcard" in made_up:
            cards = {one.rank: one for one in state.stock}
            message = "give the card that was turned up first, such as '8s'"
            yield "upcard", message, cards.values()
        if "wild" in made_up:
            done, _ = _read(self.action)
            plain = {one.rank for meld in state.table for one in meld.cards}
            if not isinstance(done, Knock | Declare):
                plain |= {one.card.rank for one in cards_named(done)}
            message = "give the rank that is wild, such as '8', or '' for none"
            yield "wild", message, {*state.rules.deck.ranks} - plain
        if "melds" in made_up:
            yield "order", "say who laid each, as in 'Ben: 7h 8h 9h'", (OTHER_OWNER,)
        if "turns_taken" not in self.facts and any(state.turns):
            none = dict.fromkeys(state.players, 0)
            message = "say how many turns each has finished in the round, as in "
            yield "turns_taken", f"{message}turns_taken = {in_file(none)}", (none,)

    def depends(self, facts: Mapping[str, Any]) -> bool:
        """
        Whether the answer depends on the cards that are made up beside these facts.
        """
        orders = range(OTHER_OWNER + 1, OTHER_OWNER + _ORDERS)
        others = [self._ruled({**facts, "order": order}) for order in orders]
        known = (bool(self.ruling), self.ruling.rule)
        return any((bool(one), one.rule) != known for one in others)

    def deciding(self) -> list[str]:
        """
        Of the cards that were made up, those that alone decide; all if none does.
        """
        names, hands = self.state.players, self.state.hands
        made_up = {
            key: one
            for key, one in _made_up(self.state).items()
            if key in {"stock", "fill"} or key.startswith("hands.")
        }
        facts = {**self.facts, "players": [*names], "fill": True}
        facts.pop("hand", None)
        found = []
        for key, one in made_up.items():
            given = {name: hands[name] for name in names if key != f"hands.{name}"}
            if len(given) < len(names) and self.depends({**facts, "hands": given}):
                found.append(one)
        return found or [*made_up.values()]

    def of_match(self) -> list[str]:
        """
        What was assumed of the match, where it decides.
        """
        target = self.state.rules.match.target
        others: dict[str, tuple[str, Any]] = {
            "round": ("that it is the first round", 2),
            "scores": (
                "that nobody has points yet",
                dict.fromkeys(self.state.players, target - 1),
            ),
        }
        return [
            Assumed(told, key)
            for key, (told, other) in others.items()
            if key not in self.facts and self.differs({key: other})
        ]


def _ruling(state: State, action: str | Action) -> Ruling:
    """
    The ruling on an action, or on the ways to declare its wild cards if it does not.
    """
    ruling = check(state, action, asker(state))
    rulings = [check(state, one) for one in _declared(ruling)]
    legal = [one for one in rulings if one]
    if not legal:
        return rulings[0] if rulings else ruling
    reason = f"if it is said what each wild card stands for: {_asked(legal)}"
    refused = [one for one in rulings if not one]
    if refused:
        reason += f"; not {_asked(refused)}: {refused[0].reason}"
    cited = (rule for one in (*legal, ruling, *refused) for rule in one.cites)
    first, *also = dict.fromkeys(cited)
    return attrs.evolve(legal[0], rule=first, reason=reason, also=tuple(also))


def _asked(rulings: Iterable[Ruling]) -> str:
    return listed([f"'{one.case[1]}'" for one in rulings], "or")


def _declared(ruling: Ruling) -> list[Action]:
    """
    The ways to declare the wild cards of an action that was refused as unclear.
    """
    state, action, _ = ruling.case
    found = plan_kept(state, action) if isinstance(action, Action) else None
    if not isinstance(found, Unclear):
        return []
    number = number_of_meld(action)
    melds = dict(melds_by_number(state))
    lying = Counter(_cards(melds[number])) if number is not None else Counter[str]()
    return [_as_read(action, one, lying) for one in found.readings]


def _as_read(action: Any, meld: Meld, lying: Counter[str]) -> Action:
    """
    An action that makes a meld of its cards and those that were lying there.
    """
    cards = tuple(map(Played, (Counter(_cards(meld)) - lying).elements()))

    def said(value: Any) -> Any:
        if not isinstance(value, tuple) or not value:
            return value
        if isinstance(value[0], Played):
            return cards if bits_of(value) == bits_of(cards) else value
        return tuple(map(said, value))

    fields = {key: said(value) for key, value in values_of(action)}
    declared: Action = attrs.evolve(action, **fields)
    return declared


def _cards(meld: Meld) -> list[str]:
    return [*map(str, meld.slots), *(str(one.card) for one in meld.beside)]


def asker(state: State) -> int | None:
    """
    The seat about whose action a question is: of several that may act, the one in turn.
    """
    return state.turn if len(state.to_act) > 1 and state.turn in state.to_act else None


# ------------------------------------------------------------------------- in words


@attrs.frozen
class Question:
    """
    Facts and actions, as somebody wrote them.

    Attributes:
        facts: The keys of `position`.
        actions: The actions, in order.
    """

    facts: Mapping[str, Any]
    actions: tuple[str, ...]


def read_question(text: str) -> Question:
    """
    Read facts and actions: ``hand 7h 8h; pile 9s 9h; take 9s``.

    A part that begins with a key of a position says a fact, any other is an action.
    What one player has may be a part of its own: ``hand Ben: 2c 3c``, or ``Ben's hand:
    2c 3c``; or all stand in one: ``scores Ann: 20 / Ben: 35``.

        >>> read_question("hand 7h 8h 2c; pile 9h; take 9h")
        Question(facts={'hand': '7h 8h 2c', 'pile': '9h'}, actions=('take 9h',))
        >>> read_question("Ann's hand: 7h 8h; hand Ben: 2c").facts
        {'hands': {'Ann': '7h 8h', 'Ben': '2c'}}

    Args:
        text: The parts, with ``;`` or line ends between them.

    Raises:
        PositionError: If a fact is given twice.
    """
    forms: dict[str, Form[Any] | None] = dict.fromkeys(SHORT)
    forms |= {key: slot.form for key, (slot, _) in file_slots().items()}
    forms["fill"] = FLAG
    facts: dict[str, Any] = {}
    actions: list[str] = []
    problems: list[str] = []
    for part in map(str.strip, re.split(r"[;\n]", text)):
        whose = _WHOSE.fullmatch(part)
        said = f"{whose[2]} {whose[1]}: {whose[3]}" if whose else part
        key, words = _KEY.fullmatch(said).groups()  # type: ignore[union-attr]
        key = _SINGULAR.get(key.casefold(), key.casefold())
        key = "hands" if key == "hand" and ":" in words else key
        if key not in forms:
            actions += [part] * bool(part)
            continue
        value, before = _fact(key, words, forms[key]), facts.get(key)
        if before is None:
            facts[key] = value
        elif isinstance(before, dict) and isinstance(value, dict):
            twice = [name for name in value if name in before]
            problems += [f"{key}, {name}: it is given twice" for name in twice]
            facts[key] = before | value
        elif key in {"melds", "table"}:
            facts[key] = f"{before} / {value}"
        else:
            problems.append(f"{key}: it is given twice")
    if problems:
        raise PositionError(problems)
    return Question(facts, tuple(actions))


_KEY: Final = re.compile(r"((?i:discard pile)|\w*)[ :=]*(.*)", re.DOTALL)
_WHOSE: Final = re.compile(r"(\w[\w ]*)['\u2019]s +(\w+)[ :=]*(.*)", re.DOTALL)
_SINGULAR: Final = {"score": "scores", "player": "players", "discard pile": "pile"}
"""How keys are said in a question, beside their names."""
_FACTS: Final = "hand, hands, pile, melds, players, turn, scores, wild and upcard"
_TWO: Final = "'hand Ann: 7h 8h 2c; hand Ben: 9h Kd; pile 4d'"
_ASKS: Final = re.compile(
    r"(?:are|can|could|do|does|how|if|is|may|must|should|wh\w+)\b", re.IGNORECASE
)
"""The first word of a sentence that asks."""


def is_sentence(text: str) -> bool:
    """
    Whether a question is a sentence, rather than facts or an action with a mistake.
    """
    words = text.split()
    if ";" in text:
        return False
    if text.rstrip().endswith("?") or _ASKS.match(text):
        return len(words) > 1
    return len(words) > 4 and not any(card_of(one.strip(",.")) for one in words)


def _fact(key: str, words: str, form: Form[Any] | None) -> Any:
    """
    The value of a fact that is given in words; what cannot be read stays as it is.
    """
    if isinstance(form, BySeat) and ":" in words:
        inner = form.form
        parts = [one.partition(":") for one in words.split("/")]
        return {name.strip(): _fact("", one.strip(), inner) for name, _, one in parts}
    if form is FLAG:
        return _FLAGS.get(words.casefold(), words)
    if (key == "players" or isinstance(form, Whole)) and _NUMBER.fullmatch(words):
        return int(words)
    if isinstance(form, BySeat) and _NUMBER.fullmatch(words):
        return int(words)
    if key == "hands":
        return [one.strip() for one in words.split("/")]
    if key == "seats" or isinstance(form, type(SEATS)):
        return [one for one in re.split(r"[,\s]+", words) if one]
    return words


_FLAGS: Final = {"": True, "yes": True, "true": True, "no": False, "false": False}
_NUMBER: Final = re.compile(r"-?\d{1,9}")


def scenario_of(rules: Ruleset, text: str) -> Scenario:
    """
    A question in words as a scenario, whose steps are its actions.

    The first action decides what the facts leave out.

    Raises:
        PositionError: As for `ruled` and `read_question`.
        ParseError: If a text is not an action.
    """
    with spelled("words"):
        return _scenario(rules, text)


def _scenario(rules: Ruleset, text: str) -> Scenario:
    asked = read_question(text)
    facts, steps = {**asked.facts}, [_step(one) for one in asked.actions]
    title = f"{full_title(rules)}: {text}"
    if not steps:
        start = situation(rules, **facts)
        return Scenario(title=title, rules=rules, start=start)
    first, *others = steps
    if first.seat and not {"turn", "asked", "caller"} & {*facts}:
        facts["turn"] = first.seat
    start, ruling = ruled(rules, first.do, **facts)
    for one in steps:
        if one.seat and one.seat not in start.players:
            msg = f"there is no {said(one.seat)}{nearest(one.seat, start.players)}"
            raise PositionError([msg])
    seat = asker(start)
    if _declared(check(start, first.do, seat)):
        first = attrs.evolve(first, do=str(ruling.case[1]))
        meant = f"that '{first.do}' is meant"
        start = attrs.evolve(start, assumed=(*start.assumed, meant))
    if seat is not None and not first.seat:
        first = attrs.evolve(first, seat=start.players[seat])
    return Scenario(title=title, rules=rules, start=start, step=(first, *others))


def _step(text: str) -> StepLine:
    """
    An action in words, perhaps with the name of who does it in front.

    Raises:
        ParseError: If it is not an action.
    """
    name, colon, words = text.partition(":")
    try:
        _read(text)
    except ParseError as error:
        if colon:  # there may be a name in front
            _read(words.strip())
            return StepLine(seat=name.strip(), do=words.strip())
        msg = f"{error}; facts begin with {_FACTS}, as in {_TWO}"
        raise ParseError(msg) from None
    return StepLine(do=text)


# ----------------------------------------------------------------- what an action needs


def _fit(
    facts: dict[str, Any], action: str | Action, rules: Ruleset
) -> tuple[Card, ...]:
    """
    Add to the facts what an action needs.

    Returns:
        The cards that are in the hand of whoever does it, if no hand is given.

    Raises:
        PositionError: If the action needs something that only the facts can say.
        ParseError: If a text is not an action.
    """
    done, onto = _read(action)
    pile = "pile" in facts or "discards" in facts
    number = number_of_meld(done)
    if number is not None and not {"melds", "table", "dealer_wild"} & {*facts}:
        _lacks("melds", "what lies on the table, such as '7h 8h 9h / Kc Kd Kh'")
    if isinstance(done, LayOff) and rules.out.knocks and "out" not in facts:
        owners = named_in({"table": melds_of(facts.get("melds", facts.get("table")))})
        if not owners:
            msg = "melds: say who has knocked and laid them, as in 'Ben: 7h 8h 9h'"
            raise PositionError([msg])
        facts["out"] = owners[:1]
    slots = [slot for key, (slot, _) in file_slots().items() if key in facts]
    if "phase" not in facts and not any(slot.phases for slot in slots):
        if phase := _time(done, rules, facts):
            facts["phase"] = phase
    takes = isinstance(done, Take | TakeAndMeld | TakeAndLayOff)
    if takes and not pile and onto is not None:
        facts["pile"] = str(onto)
    elif not pile and (takes or facts.get("phase") in {"call", "buy"}):
        _lacks("pile", "the discard pile, the top card last, such as '4d 9s'")
    cards = Counter(one.card for one in cards_named(done))
    if isinstance(done, Knock | Declare) and not {"hand", "hands"} & {*facts}:
        if done.melds is None:
            _lacks("hand", "the whole hand, since all of it counts")
        facts["hand"] = tuple(cards.elements())
    if isinstance(done, CallRummy):
        given = facts.get("pile", facts.get("discards", ""))
        cards -= Counter(parse_cards(given) if isinstance(given, str) else given)
    return tuple(cards.elements())


def _lacks(key: str, what: str) -> None:
    msg = f"{key}: give {what}"
    raise PositionError([msg])


def _read(action: str | Action) -> tuple[Action, Card | None]:
    """
    An action, and the card down to which it takes the discards, if that is named.

    A short form that leaves out the meld, or the discard, stands for some action of its
    kind: all that is needed here is what it names.
    """
    if not isinstance(action, str):
        return action, None
    short = short_form(action)
    if short is None:
        return parse_action(action), None
    _, verb, words = short
    said = " ".join((verb, *words))
    match verb:
        case "take":
            return (Take(0), None) if words == ("all",) else (Take(1), Card(words[0]))
        case "discard" | "knock" | "deal":
            return parse_action(said) if words or verb == "deal" else Knock(), None
        case "lay" | "swap" | "rummy":
            return parse_action(f"{said.partition(' on ')[0]} on 1"), None
        case "gin" if words:
            return Knock(Card(words[0])), None
    return Knock(), None


def _time(action: Action, rules: Ruleset, facts: Mapping[str, Any]) -> str:
    """
    The phase in which an action could be done; empty if the size of the hand tells it.

    Raises:
        PositionError: If that could be in several.
    """
    verb = VERBS[type(action)]
    known = verb.times(rules, action)
    times = [one for one in _TIMES if one in known]
    if not verb.exists(rules):  # which a ruling says in any phase
        times = [one for one in times if one in {"draw", "play"}]
    if isinstance(action, Pass):
        times = [one for one in times if PHASES[one].passes(rules)]
        if len(times) > 1:
            phases = " or ".join(map(repr, times))
            msg = f"phase: say when that is: {phases}"
            raise PositionError([msg])
    if "layoff" in times and facts.get("out"):
        return "layoff"
    if "play" in times and getattr(action, "card", None) is not None:
        return "play"
    if {"draw", "play"} <= {*times} and {"hand", "hands"} & {*facts}:
        return ""
    return times[0] if times else "draw"
