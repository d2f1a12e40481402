"""
Names that people guess, and what to write for them.
"""

from __future__ import annotations

import difflib
import inspect
import re

from importlib import import_module
from typing import Any, Final

from rummyvariants._support.arguments import example


_PACKAGES: Final = (
    *("game", "files", "house", "rules", "melds", "bots", "simulation"),
)
"""The public packages whose names are looked for on the whole library."""
OF_STATES: Final = {
    "cards": "hands",
    "current": "players[state.turn]",
    "current_player": "players[state.turn]",
    "deck": "stock",
    "discard_pile": "discards",
    "drawn_card": "drawn",
    "finished": "is_over",
    "game_over": "is_over",
    "hand": "hands[state.turn]",
    "melds": "table",
    "names": "players",
    "over": "is_over",
    "pile": "discards",
    "player": "players[state.turn]",
    "player_hands": "hands",
    "points": "scores",
    "round": "round_number",
    "round_over": "is_round_over",
    "score": "scores",
    "seat": "turn",
    "stage": "phase",
    "talon": "stock",
    "totals": "scores",
    "top": "discards[-1]",
    "top_discard": "discards[-1]",
    "upcard": "discards[-1]",
    "whose_turn": "players[state.turn]",
    "wild": "wild_rank",
    "winner": "winners",
}
"""What states are asked for, and what has it; keys of files are guessed alike."""
_VIEW: Final = {
    "cards": "hand",
    "deck": "stock_size",
    "hands": "known",
    "player_hands": "known",
    "round_over": "phase",
    "is_round_over": "phase",
    "stock": "stock_size",
    "talon": "stock_size",
}
_WORTH: Final = "rv.preset('rummy-500').worth('Ks')"
_BEST: Final = "rv.arrange('gin-rummy', '7h 8h 9h Kd')"
_CALLS: Final = {
    "advise": "rv.arrange(state)",
    "ask": "rv.search('may I take the whole pile', 'rummy-500')",
    "best": _BEST,
    "best_melds": f"{_BEST}.melds",
    "best_move": "rv.arrange(state)",
    "card_points": _WORTH,
    "card_value": _WORTH,
    "deadwood": f"{_BEST}.points_left",
    "deal": "rv.new_game('rummy-500', ['Ann', 'Ben'], seed=7)",
    "diff": "rv.preset('rummy-500').diff('rummy-5000')",
    "do": "rv.apply(state, 'draw')",
    "explain": "rv.search('may I take the whole pile', 'rummy-500')",
    "find_melds": f"{_BEST}.melds",
    "game": "rv.new_game('rummy-500', ['Ann', 'Ben'])",
    "games": "rv.presets()",
    "legal": "rv.check(state, 'draw')",
    "legal_moves": "rv.legal_actions(state)",
    "list_games": "rv.presets()",
    "load": "rv.replay(rv.files.load_record('game.toml'))",
    "load_game": "rv.replay(rv.files.load_record('game.toml'))",
    "move": "rv.apply(state, 'draw')",
    "moves": "rv.legal_actions(state)",
    "new_round": "rv.apply(state, 'deal')",
    "next_round": "rv.apply(state, 'deal')",
    "play": "rv.apply(state, 'draw')",
    "print": "print(state)",
    "render": "print(state)",
    "save_game": "str(rv.record(state))",
    "show": "print(state)",
    "shuffle": "rv.new_game('rummy-500', ['Ann', 'Ben'], seed=7)",
    "start": "rv.new_game('rummy-500', ['Ann', 'Ben'])",
    "tournament": "rv.simulate('rummy-500', ['random', 'greedy'], games=100)",
    "valid_moves": "rv.legal_actions(state)",
    "value": _WORTH,
    "variants": "rv.presets() or rv.options()",
    "worth": _WORTH,
}
"""What to write for what is guessed to be a function."""
_OF_CLASSES: Final = {
    "State": {**OF_STATES, "with_options": "under", "with_rules": "under"},
    "View": OF_STATES | _VIEW,
    "Arrangement": {
        "cards": "left",
        "deadwood": "points_left",
        "deadwood_points": "points_left",
        "discard": "actions",
        "plays": "actions",
        "score": "points",
        "unmatched": "left",
        "unmelded": "left",
    },
    "Ruling": {
        "allowed": "legal",
        "citations": "cites",
        "explanation": "reason",
        "games": "legal_in",
        "options": "allowed_by",
        "ok": "legal",
        "rule_id": "rule",
        "why": "reason",
    },
    "Step": {
        "event": "events",
        "new_state": "after",
        "next": "after",
        "old_state": "before",
        "state": "after",
    },
}


def guess(owner: str | type, name: str) -> str:
    """
    The end of an error about a name that is not there: what to write for it.

    Args:
        owner: The package that lacks it, or the class.
        name: The name.
    """
    if isinstance(owner, type):
        meant, there = _of_class(owner, name.casefold()), dir(owner)
    else:
        library = import_module(owner)
        meant = _of_package(owner, name)
        there = [one for one in dir(library) if callable(getattr(library, one, None))]
    if meant:
        return f"; {meant}"
    known = [one for one in there if not one.startswith("_")]
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.7)
    if close:
        return f"; did you mean {close[0]!r}?"
    if owner != "rummyvariants":
        return ""
    words = name.replace("_", " ").strip().casefold()
    return f"; rv.search('{words}') searches the rules, dir(rv) lists the names"


def _of_class(owner: type, word: str) -> str:
    kind = owner.__name__
    one, meant = kind.casefold(), _OF_CLASSES.get(kind, {})
    bare = re.sub("^(is|get)_", "", word)
    found = meant.get(word) or meant.get(bare) or (bare if bare in dir(owner) else "")
    if found:
        return f"write {one}.{found}".replace("state.turn", f"{one}.turn")
    if kind == "Card" and word in {"points", "score", "value", "worth"}:
        return f"write {_WORTH}"
    if kind not in {"State", "View"}:
        return ""
    if word == "deadwood":
        return "write rv.arrange(state).points_left"
    called = getattr(import_module("rummyvariants"), word, None)
    if callable(called):
        return f"write {_with_state(called)}"
    return _of_action(word) or _of_call(word)


def _of_call(word: str) -> str:
    """
    What a function is called that people expect.
    """
    if found := _CALLS.get(word):
        return f"write {found}"
    return str(_inner("game.verbs._synonyms").ELSEWHERE.get(word, ""))


def _with_state(called: Any) -> str:
    """
    The call of a function of the library in which it is given a state.
    """
    parameters = inspect.signature(called).parameters.values()
    needed = [one.name for one in parameters if one.default is one.empty]
    if not {"state", "game"}.intersection(needed[:1]):
        return example(called) or f"rv.{called.__name__}"
    given = {"action": "'draw'", "facts": ""}
    rest = [given.get(one, one) for one in needed[1:]]
    return f"rv.{called.__name__}({', '.join(['state', *filter(None, rest)])})"


def _of_package(owner: str, name: str) -> str:
    library = import_module("rummyvariants")
    if owner != library.__name__:
        return f"it is rv.{name}" if name in library.__all__ else ""
    word = re.sub("^get_", "", name.casefold())
    if found := _of_call(word):
        return found
    for package in _PACKAGES:
        if name in _inner(package).__all__:
            return f"it is rv.{package}.{name}"
    if word in OF_STATES or hasattr(library.State, word):
        return f"write state.{OF_STATES.get(word, word)}"
    return _of_action(word)


def _of_action(word: str) -> str:
    """
    The call for what is named like an action, or asks whether one is legal.
    """
    first, _, rest = word.partition("_")
    asks = first in {"can", "is", "may"}
    spoken = (rest if asks else word).replace("_", " ")
    said = _inner("game.verbs._synonyms").in_our_words(spoken)
    for verb in _inner("game.verbs._known").VERBS.values():
        for pattern in verb.kind.patterns:
            if pattern.word == said:
                text = re.findall("'(.+?)'", pattern.hint)[0]
                call = "check" if asks else "apply"
                return f"write rv.{call}(state, '{text}')"
    return ""


def _inner(name: str) -> Any:
    return import_module(f"rummyvariants.{name}")
