"""
What can be written at the prompt of a game: short forms, completion, and help.
"""

from __future__ import annotations

import itertools
import sys
import textwrap

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import attrs

import rummyvariants as rv

from rummyvariants.game.verbs._known import VERBS, verbs_of
from rummyvariants.learning._vocabulary import has_wilds


COMMANDS: Final = (
    *("?", "legal", "hint", "hand", "table", "scores", "undo", "save", "clear"),
    *("rules", "why", "help", "quit"),
)
"""What can be written besides actions."""
LOOKED_AT: Final = 2000
"""How many legal actions to examine for what can follow a word."""

_Forms = Iterator[tuple[str, str]]

_SOME: Final = {
    "rummy 9h on 2, pass": ("rummy", "call a discard, or let it pass"),
    "buy, pass": ("buy", "buy the upcard, or let it pass"),
    "put 7c": ("put", "a single wild, to be built on"),
    "swap 8h on 2": ("swap", "8h for the wild that stands for it"),
    "split 2 after 3": ("split", "make two melds of meld 2"),
    "arrange 4c 4d 4h / 3s 4s 5s": ("arrange", "regroup your melds, with cards added"),
    "ask": ("ask", "ask your partner whether to go out, before you lay a card"),
    "yes, no": ("ask", "your answer when your partner asks"),
    "drop": ("drop", "leave the round before the draw, at its price"),
    "rejoin, pass": ("rejoin", "come back into the match, or stay out"),
    "choose 12": ("choose", "be dealt 12 cards"),
}
"""Actions of some games only: how they are written, their verbs, and what they do."""
_WORDS: Final = {
    "? or legal": "what you may do now, card by card",
    "? 7h": "everything you may do with 7h",
    "hint": "what a simple player would do",
    "hand": "your cards, by suit and by rank",
    "table": "players, melds and discards",
    "scores": "the points by round",
    "undo": "take your last action back",
    "save FILE": "write the position to a scenario file",
    "clear": "clear the screen",
    "rules": "the rule sheet of this game",
    "why [RULE-ID]": "a rule; without an id, the one that last refused you",
    "quit": "leave; the game is saved in a file, and the command that continues it "
    "is shown",
}


def help_text(state: rv.State) -> str:
    """
    What can be written in a game, in lines of at most 60 columns.
    """
    some = {**_SOME}
    if state.rules.wild.moves_swapped:
        meaning = (
            "8h for the wild that stands for it, which moves to the low or high end"
        )
        some["swap 8h low on 2"] = ("swap", meaning)
        del some["swap 8h on 2"]
    verbs = verbs_of(state.rules)
    forms = [(form, meaning) for form, (verb, meaning) in some.items() if verb in verbs]
    lines = ["Write an action as", *_laid_out([*_actions(state), *forms])]
    lines += ["Other things to write", *_laid_out(_WORDS.items())]
    return "\n".join([*lines, "On a terminal the Tab key completes what you write."])


def _laid_out(forms: Iterable[tuple[str, str]]) -> Iterator[str]:
    for form, meaning in forms:
        head = f"  {form:<21}"
        if len(head) > 23:
            yield head
            head = ""
        for line in textwrap.wrap(meaning, 37):
            yield f"{head:23}{line}"
            head = ""


def _actions(state: rv.State) -> _Forms:
    """
    How the actions of a turn are written, and what they do.
    """
    rules, out = state.rules, state.rules.out
    melds = "the same with melds that you choose, a / between them"
    yield "draw", "the top card of the stock"
    if out.declares:
        yield "take", "the top discard"
        yield "discard Kc", "end the turn; just Kc will do"
        yield "declare Kc", "go out: discard Kc and show your best melds"
        yield "declare Kc: 7h 8h 9h", melds
        if out.shows_all:
            yield "declare", "go out with all cards in melds and no discard"
        if out.dealt_hand:
            dealt = "go out with the hand as you were dealt it"
            yield "declare", f"before your first draw: {dealt}"
        if rules.layoff.last_turns:
            yield (
                "lay Th on 2",
                "lay cards off on the melds declared, in your last turn",
            )
    elif rules.meld.concealed:
        yield "take, pass", "take the upcard, or refuse an offer"
        yield "discard Kc", "end the turn; just Kc will do"
        yield "knock Kc", "end the round: discard Kc and show your best melds"
        yield "knock Kc: 7h 8h 9h", melds
        yield "big gin", "end the round with all cards in melds and no discard"
        yield "lay Th on 2, pass", "lay off on the knocker's melds, or stop laying off"
    else:
        yield from _takes(rules)
        meld = "7h 8h 9h" if rules.meld.runs else "7h 7s 7d"
        yield f"meld {meld}", "a new meld"
        if rules.meld.runs and has_wilds(rules, len(state.players)):
            yield "meld 7h 4c=8h 9h", "a new meld in which 4c stands for 8h"
        yield "lay Th on 2", "lay cards off on meld 2"
        yield "discard Kc", "end the turn; just Kc will do"
        if "opening" in rules.asked:
            yield f"meld {meld} / Kc Kd Ks", "several new melds together"


def _takes(rules: rv.Ruleset) -> _Forms:
    draw = rules.draw
    if draw.melds_top:
        many = draw.many
        with_it = "the top one melded at once with these cards of your hand"
        yield f"take {many} with 9c 9h", f"discards, {with_it}"
        yield f"take {many} on 2", "discards, the top one laid on meld 2"
    elif draw.takes_all:
        yield "take all", "the whole discard pile"
    elif draw.takes_top:
        yield "take", "the top discard"
    else:
        yield "take 3", "the top three discards"
        yield "take 9d, take all", "the discards down to 9d, or all"


# -------------------------------------------------------------------------- completion


def candidates(state: rv.State, seat: int, line: str) -> list[str]:
    """
    What the last word of a line may be, from what the seat may do.

    Args:
        state: The state.
        seat: The seat, which may act.
        line: What is written so far; a space starts a new word.

    Returns:
        Each word once: verbs, cards or the numbers of melds.
    """
    words = line.casefold().split()
    begun = words.pop() if words and not line[-1].isspace() else ""
    found = (
        _following(state, seat, words[0], words[1:]) if words else _first(state, seat)
    )
    return [one for one in dict.fromkeys(found) if one.casefold().startswith(begun)]


def _first(state: rv.State, seat: int) -> Iterator[str]:
    verbs = {verb.name: verb for verb in VERBS.values()}
    for choice in rv.chooser(state, seat).choices:
        yield verbs[choice.text].kind.patterns[0].word
    yield from discards(state, seat)
    yield from COMMANDS


def discards(state: rv.State, seat: int) -> Iterator[str]:
    """
    The cards that a seat may discard.
    """
    for card in dict.fromkeys(state.hands[seat]):
        if rv.check(state, rv.actions.Discard(card, seat)):
            yield str(card)


def _following(
    state: rv.State, seat: int, verb: str, written: Sequence[str]
) -> Iterator[str]:
    """
    What may follow a verb and some words.
    """
    if verb in {"?", "legal"}:
        yield from [] if written else map(str, state.hands[seat])
        return
    if verb == "discard":
        yield from [] if written else discards(state, seat)
        return
    for action in itertools.islice(rv.legal_actions(state, seat), LOOKED_AT):
        first, *rest = str(without_melds(action)).split()
        if first != verb:
            continue
        yield from _next_word(rest, written)
        if isinstance(action, rv.actions.Take) and not written:
            yield str(state.discards[-action.count])
            if action.count == len(state.discards):
                yield "all"


def without_melds(action: rv.Action) -> rv.Action:
    """
    A knock or declaration without its melds, so with the best ones; else the action.
    """
    if isinstance(action, rv.actions.Knock | rv.actions.Declare):
        return attrs.evolve(action, melds=None)
    return action


def _next_word(words: Sequence[str], written: Sequence[str]) -> Iterator[str]:
    """
    What may come next in an action whose cards may be written in any order.

    Args:
        words: The action without its verb.
        written: The words written so far, in lower case; nothing follows if the action
            does not have them.
    """
    parts: list[list[str]] = [[]]
    for word in words:
        # Cards are not written in small letters alone.
        if word.isalpha() and word.islower():
            parts += [word], []
        else:
            parts[-1].append(word)
    for one in written:
        part = next(filter(None, parts), [])
        # A wild may be written without the card it represents.
        same = [word for word in part if word.casefold() == one]
        same += [word for word in part if word.casefold().partition("=")[0] == one]
        if not same:
            return
        part.remove(same[0])
    yield from next(filter(None, parts), [])


def complete_with(find: Callable[[str], Sequence[str]]) -> None:
    """
    Let the Tab key complete words, if there are a terminal and readline.

    Args:
        find: Gives the words that the last word of a line may be.
    """
    # Even importing it may write to the output, which must not happen to a pipe.
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    try:
        import readline
    except ImportError:
        return
    found: list[str] = []

    def complete(_: str, number: int) -> str | None:
        if not number:
            found[:] = find(readline.get_line_buffer()[: readline.get_endidx()])
            if len(found) == 1:
                # A complete word needs a space after it.
                found[0] += " "
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
