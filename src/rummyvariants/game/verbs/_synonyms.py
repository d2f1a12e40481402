"""
What card players call the actions, in place of the words that the library writes.
"""

from __future__ import annotations

import re

from typing import Final


SYNONYMS: Final = {
    "pick up": "take",
    "pickup": "take",
    "throw away": "discard",
    "throw": "discard",
    "sluff": "discard",
    "lay down": "meld",
    "go down": "meld",
    "put down": "put",
    "lay off": "lay",
    "layoff": "lay",
    "add": "lay",
    "trade": "swap",
    "exchange": "swap",
    "call rummy": "rummy",
    "call": "rummy",
    "may i": "buy",
    "decline": "pass",
    "show": "declare",
    "close": "knock",
}
"""By what players say, the word for it in the notation."""
_PHRASES: Final = [
    (re.compile(pattern), by)
    for pattern, by in (
        (r"draw (?:a card|from (?:the )?stock)", "draw"),
        (r"take (?:the )?top(?: card)?", "take"),
        (r"take (?:the )?(?:whole |discard )?pile", "take all"),
        (r"take (?:down )?to (?:the )?(\S+)", r"take \1"),
        (r"take (\w+) cards?", r"take \1"),
        (r"((?:lay|rummy|swap) .+?) (?:onto|to|for|with) (\d+)", r"\1 on \2"),
        (
            r"((?:lay|rummy|swap) .+?)(?: (?:on|onto|to|for|with|in))? meld (\d+)",
            r"\1 on \2",
        ),
    )
]
"""Whole actions as players say them, and how they are written."""
_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven")
_VERBS: Final = re.compile(
    rf"(?:{'|'.join(sorted(SYNONYMS, key=len, reverse=True))})(?![^ ])"
)
_SCORE: Final = (
    "rv.game.score_sheet(state) has the points so far, rv.round_result(state) those of "
    "a round that ends now, and a ruling those of the cards that it lays: "
    "rv.check(state, 'meld 7h 8h 9h').points"
)
ELSEWHERE: Final = {
    "check": "ask about an action by its text: rv.check(state, 'draw')",
    "hand": "state.hands holds the hands",
    "help": "rv.legal_actions(state) lists what may be done",
    "hint": "rv.arrange(state) finds the best turn with a hand",
    "legal": "rv.legal_actions(state) lists what may be done",
    "rules": "state.rules has the rules",
    "save": "str(rv.record(state)) is a text to keep, which rv.replay(text) reads",
    "score": _SCORE,
    "scores": _SCORE,
    "table": "state.table holds the melds, and state.discards the discard pile",
    "undo": (
        "states never change, so go on from an earlier one; the one before is "
        "[*rv.files.replay_steps(rv.record(state))][-1].before"
    ),
    "why": "rv.check(state, 'draw') says by which rule 'draw' is legal or refused",
}
"""By the name of a question that is no action, what answers it."""


def in_our_words(words: str) -> str:
    """
    An action with the words of the notation in place of their synonyms.

    Args:
        words: What was written, with single blanks between the words.
    """
    said = words.casefold()
    if found := _VERBS.match(said):
        verb = SYNONYMS[found[0]]
        if verb == "meld" and re.search(r" on (?:meld )?\d+$", said):
            verb = "lay"
        elif verb == "put" and len(said[found.end() :].split()) > 1:
            verb = "meld"
        words = f"{verb}{words[found.end() :]}"
        said = words.casefold()
    if not said.startswith(("draw ", "take ", "lay ", "rummy ", "swap ")):
        return words
    for pattern, by in _PHRASES:
        if found := pattern.fullmatch(said):
            words = said = found.expand(by)
    verb, _, number = said.partition(" ")
    if verb == "take" and number in _NUMBERS:
        return f"take {_NUMBERS.index(number) + 1}"
    return words
