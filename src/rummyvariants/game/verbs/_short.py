"""
The short forms of actions: what only a state can complete.

Every text that is to be an action in some state is read here.
"""

from __future__ import annotations

import itertools
import re

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

import attrs

from rummyvariants._support.limits import ACTION
from rummyvariants._support.words import figure, listed, times
from rummyvariants.actions import Action, Declare, Knock, Take
from rummyvariants.cards import CARDS, UNIT, Card, card_of, codes, faces, pack, show
from rummyvariants.errors import AmbiguousError, ParseError, PositionError, RulesError
from rummyvariants.game._engine.deals import next_deal
from rummyvariants.game._engine.endings import most_left, terms_of_rest
from rummyvariants.game._engine.plays import AnyState, melds_by_number, not_there
from rummyvariants.game.verbs._knocking import KnockPlan
from rummyvariants.game.verbs._known import (
    SEAT,
    VERBS,
    are_cards,
    parse_action,
    plan_kept,
    verbs_of,
)
from rummyvariants.game.verbs._synonyms import in_our_words
from rummyvariants.game.verbs._verb import Plan
from rummyvariants.melds._deadwood import fewest_after_discard
from rummyvariants.melds._meld import Meld, read_played
from rummyvariants.rulings import IllegalAction, Objection, Unclear


def read_action(state: AnyState, text: str, seat: int | None = None) -> Action:
    """
    An action from its text, in full or in a short form.

    Args:
        state: The state in which it would be done.
        text: What was written.
        seat: The seat that would act, in place of any that the text names.

    Returns:
        The action; its seat is None if neither names it.

    Raises:
        IllegalAction: If what a short form names is not there.
        ParseError: If the text is no action, or a short form may mean several.
    """
    head, colon, rest = text.partition(":")
    name, verbs = head.strip(), verbs_of(state.match.rules)
    if colon and name in state.match.players:
        # A player may be called "2" or "declare", but these have their own meaning.
        if not (name.isdecimal() or name.casefold().partition(" ")[0] in verbs):
            named = state.match.players.index(name)
            seat, text = named if seat is None else seat, rest
    full = in_full(state, text, seat)
    try:
        return parse_action(full, seat, verbs)
    except ParseError as error:
        if better := _meant(state, text, verbs):
            raise ParseError(better) from None
        draw = state.match.rules.draw
        if not (draw.melds_top and full.casefold().startswith("take")):
            raise
        msg = f"{error}; here {draw.how_melded}"
        raise ParseError(msg) from None


def _meant(state: AnyState, text: str, verbs: Collection[str]) -> str:
    """
    What to write in place of a text that is no action, where only the table says it.

    These are the name of a player in front, and the meld that cards go to.
    """
    if len(text) > ACTION:
        return ""
    head, colon, _ = text.partition(":")
    name, players = head.strip(), state.match.players
    is_name = colon and name not in players and not name.isdecimal()
    known = [*verbs, *[word for verb in VERBS.values() for word in verb.words]]
    first = in_our_words(name).casefold().partition(" ")[0]
    if is_name and first not in {one.partition(" ")[0] for one in known}:
        return f"there is no player {name!r}; the players are {listed(players)}"
    said = in_our_words(" ".join(text.replace(",", " ").split()))
    verb, *words = said.split() or [""]
    if verb not in _ON_MELDS or verb not in verbs:
        return ""
    cards = [str(read_played(one)) for one in itertools.takewhile(are_cards, words)]
    if not cards:
        return ""
    return (
        f"{text!r} is not an action: after '{verb} {' '.join(cards)} on' "
        f"{_melds_here(state)}"
    )


def in_full(state: AnyState, text: str, seat: int | None = None) -> str:
    """
    An action in the notation, from a short form. Anything else stays as it is.

    Args:
        state: The state.
        text: What was written.
        seat: The seat that would act; by default the one in turn.

    Raises:
        IllegalAction: If what it names is not there, or nothing can be meant.
        ParseError: If it may mean several actions.
    """
    short = short_form(text)
    if short is None:
        return text
    number, verb, words = short
    seat = number if seat is None else seat
    seat = state.turn if seat is None else seat
    rules = state.match.rules
    said = " ".join((verb, *words))
    if not 0 <= seat < len(state.match.players):
        return text
    if any(f"{said} ".startswith(f"{name} ") for name in rules.actions):
        return text  # the word of a house rule
    if verb not in {*verbs_of(rules), "go", "deal"}:
        # Where nothing is traded or laid off, a rule says so, whatever the meld.
        return f"{said.partition(' on ')[0]} on 1" if verb in _ON_MELDS else text
    found = _completed(state, seat, verb, words)
    head = "" if number is None else f"{number}: "
    return text if found is None else f"{head}{found}"


def short_form(text: str) -> tuple[int | None, str, tuple[str, ...]] | None:
    """
    The parts of a short form: the seat if it is named, the verb, and other words.

    Returns:
        None if the text is no short form.
    """
    if len(text) > ACTION:
        return None
    words, number = " ".join(text.split()), None
    if words[:1].isdecimal():
        if (named := re.match(SEAT, words)) and len(named[1]) < 6:
            number, words = int(named[1]), words[named.end() :]
    if card_of(words):
        return number, "discard", (words,)
    if words.partition(" ")[0] in _WHOLE or re.search(r" on (?:meld )?\d+$", words):
        return None  # most texts are whole actions, and are not looked at further
    said = in_our_words(words.replace(",", " ")).casefold()
    said, *meld = re.split(
        r" (?:on|onto|to|with|for) (?:the |meld )*", said, maxsplit=1
    )
    verb, *rest = said.split() or [""]
    if meld:
        cards = rest[:-1] if rest and rest[-1] in _ENDS else rest
        if verb in _ON_MELDS and are_cards(" ".join(cards)) and are_cards(meld[0]):
            return number, verb, (*rest, "on", *meld[0].split())
        return None
    cards = rest[:-1] if len(rest) > 1 and rest[-1] in _ENDS else rest
    match verb:
        case "take":
            fits = rest == ["all"] or (len(rest) == 1 and are_cards(" ".join(rest)))
        case "swap" | "lay":
            fits = are_cards(" ".join(cards))
        case "rummy":
            fits = len(cards) == 1 and are_cards(" ".join(cards))
        case "knock" | "deal":
            fits = not rest
        case "gin":
            fits = len(rest) < 2 and (not rest or are_cards(" ".join(rest)))
        case "go":
            fits = rest == ["out"]
        case _:
            fits = False
    return (number, verb, tuple(rest)) if fits else None


def _completed(
    state: AnyState, seat: int, verb: str, words: tuple[str, ...]
) -> Action | str | None:
    """
    The action that a short form means; None if nothing can be completed.
    """
    rules = state.match.rules
    said = " ".join((verb, *words))
    if verb == "discard":
        return f"discard {Card(words[0])}"
    if verb == "deal":
        try:
            return str(next_deal(state))
        except (PositionError, RulesError) as error:
            raise _refusal(state, "RV-07", str(error)) from None
    if verb == "take":
        if rules.draw.melds_top:
            return None  # such a take names what it is melded with
        if words == ("all",):
            return f"take {max(len(state._discards), 1)}"
        return f"take {_down_to(state, seat, Card(words[0]))}"
    if verb in _ON_MELDS:
        return _on_which(state, seat, verb, words)
    if verb == "go" and not (rules.out.declares or rules.out.knocks):
        msg = (
            "'go out' is not an action: write what becomes of your last cards, such as "
            "'discard Kc'; rv.arrange(state, goal='out') finds a way"
        )
        raise ParseError(msg)
    return _shown(
        state, seat, said, Card(words[0]) if verb == "gin" and words else None
    )


def _down_to(state: AnyState, seat: int, card: Card) -> int:
    """
    How many discards to take in order to get a card.
    """
    pile = state._discards
    if card.code not in pile:
        wrong = not_there(state, pack(pile), UNIT[card.code], "the discard pile")
        raise IllegalAction(state.match.rules.refusal(wrong))
    if state.match.rules.draw.takes_all:
        return len(pile)
    counts = [at for at, code in enumerate(pile[::-1], 1) if code == card.code]
    takes = [Take(number, seat) for number in counts]
    legal = [
        one.count for one in takes if not isinstance(plan_kept(state, one), Objection)
    ]
    if len(legal) > 1:
        forms = listed([f"'take {number}'" for number in legal], "or")
        msg = f"{card} is in the discard pile {times(len(counts))}: write {forms}"
        raise ParseError(msg)
    return (legal or counts)[0]


def _on_which(
    state: AnyState, seat: int, verb: str, words: tuple[str, ...]
) -> Action | None:
    """
    The one play on a meld that is meant where the meld is not named.
    """
    words, meld = _parted(words, "on")
    *_, end = words
    cards = [str(read_played(one)) for one in words if one not in _ENDS]
    said = " ".join((verb, *cards, *([end] if end in _ENDS else ())))
    numbers = [number for number, one in melds_by_number(state) if _has(one, meld)]
    if meld and not numbers:
        reason = f"no meld on the table has {listed(meld)}: {_melds_here(state)}"
        raise _refusal(state, "RV-07", reason)
    every = [parse_action(f"{said} on {number}", seat) for number in numbers]
    if not every:
        raise _refusal(state, "RV-07", f"there is no meld on the table for '{said}'")
    tried = [(one, plan_kept(state, one)) for one in every]
    if legal := [one for one, plan in tried if _may_be_meant(plan)]:
        return _only(said, legal)
    wrong = [one for _, one in tried if isinstance(one, Objection)]
    # A refusal that is not about the meld says more than those that are.
    path = "wild.real_card" if verb == "swap" else "layoff.onto"
    others = [at for at, one in enumerate(wrong) if one.path != path]
    if others:
        one = wrong[others[0]]
        reason = one.reason.replace(f"'{every[others[0]]}'", f"'{said}'")
        raise IllegalAction(state.match.rules.refusal(attrs.evolve(one, reason=reason)))
    if len(wrong) == 1:
        return every[0]
    reason = f"no meld on the table takes {listed(cards)}"
    if verb == "swap":
        reason = f"no wild on the table stands for {listed(cards)}"
    raise _refusal(state, path, reason, wrong)


def _parted(words: tuple[str, ...], by: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """
    The words before a word, and those after it.
    """
    at = words.index(by) if by in words else len(words)
    return words[:at], words[at + 1 :]


def _has(meld: Meld, cards: Iterable[str]) -> bool:
    """
    Whether a meld has some cards; what its wilds stand for may be named as well.
    """
    there = Counter(slot.card.code for slot in meld.slots)
    return Counter(read_played(one).card.code for one in cards) <= there


def _melds_here(state: AnyState) -> str:
    """
    The melds on the table as the end of an error: what may be written after ``on``.
    """
    melds = [f"{number} for {meld}" for number, meld in melds_by_number(state)]
    if not melds:
        return "comes a meld, and there is none"
    return f"write {listed(melds, 'or')}"


_WHOLE: Final = frozenset({"discard", "draw", "meld", "pass"})
"""The words of actions that have no short form."""
_ON_MELDS: Final = frozenset({"swap", "lay", "rummy"})
"""The words of actions that may leave out their meld."""
_ENDS: Final = frozenset({"low", "high"})


def _may_be_meant(plan: Plan | Objection) -> bool:
    return isinstance(plan, Unclear) or not isinstance(plan, Objection)


def _only(said: str, actions: Sequence[Action]) -> Action:
    """
    The only action of some; an error that names them if there are several.
    """
    if len(actions) > 1:
        raise AmbiguousError(said, [str(_without_melds(one)) for one in actions])
    return actions[0]


def _without_melds(action: Action) -> Action:
    if isinstance(action, Knock | Declare):
        return attrs.evolve(action, melds=None)
    return action


def _refusal(
    state: AnyState, path: str, reason: str, by: Iterable[Objection] = ()
) -> IllegalAction:
    """
    The refusal of a short form that nothing is meant by.

    Args:
        state: The state.
        path: What refuses it.
        reason: One sentence.
        by: Why each action that it might mean is refused.
    """
    also = tuple(dict.fromkeys(path for one in by for path in one.also))
    return IllegalAction(state.match.rules.refusal(Objection(path, reason, also)))


def _shown(state: AnyState, seat: int, said: str, card: Card | None) -> Action | None:
    """
    The one action that shows the hand with its best melds.

    Args:
        state: The state.
        seat: Who shows it.
        said: ``knock``, ``gin`` with or without a card, or ``go out``.
        card: The discard, if it is named.
    """
    declares = state.match.rules.out.declares
    kind = Declare if declares else Knock
    thrown = faces(state._hands[seat]) if card is None else (card.code,)
    every: list[Action] = [kind(CARDS[code], None, seat) for code in thrown]
    if card is None and said != "knock":
        every.append(kind(None, None, seat))
    every = [VERBS[kind].meant(state, one) for one in every]
    tried = [(one, plan_kept(state, one)) for one in every]
    shown = [(one, plan) for one, plan in tried if isinstance(plan, KnockPlan)]
    shown = [(one, plan) for one, plan in shown if plan.how != "wrong"]
    if said != "knock" and not declares:
        knocks, shown = shown, [(one, plan) for one, plan in shown if not plan.left]
        if knocks and not shown and card is not None:
            left = f"{show(codes(knocks[0][1].left))} would be left"
            raise _refusal(state, "out.knock", f"{left}, so it is 'knock {card}'")
    if shown:
        return _only(said, [one for one, _ in shown])
    wrong = [one for _, one in tried if isinstance(one, Objection)]
    if len(every) == 1 and wrong:
        return every[0]
    if wrong and all(one.path == "RV-07" for one in wrong):
        reason = wrong[0].reason.replace(f"'{every[0]}'", f"'{said}'")
        raise _refusal(state, "RV-07", reason, wrong[:1])
    path = "out.declare" if declares else "out.knock"
    reason = "whatever is discarded, cards are left that are in no meld"
    if said == "knock":
        least = fewest_after_discard(terms_of_rest(state), state._hands[seat])
        reason = (
            f"whatever is discarded, at least {figure(least, 'point')} would be left, "
            f"and a knock leaves {most_left(state)}"
        )
    raise _refusal(state, path, reason)
