"""
Documents of the previous formats, read as those of this one.

In format 2, `legal_actions` of a view was null if there were too many to list; now the
first ones are listed, and `legal_next` says where the others begin.

In format 1, phases in progress had keys of their own. A `window` with a `caller` is
now the frame `discard` of the caller, any other the frame `call` of its `finisher`,
both on the turn of the next player. `choosing` is the frame `choose` on a deal, with
the code of its card in `notes`, and the places of `put_back` in `secrets`. Without
either there is one frame, of `phase` and `turn`. Nothing else has moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rummyvariants.cards import Card
from rummyvariants.errors import ParseError
from rummyvariants.files._documents import FORMAT


def of_this_format(given: Any) -> Any:
    """
    A document in today's format; one of an unknown format is left as it is.
    """
    if not isinstance(given, Mapping) or given.get("format") not in _BEFORE:
        return given
    if isinstance(given["format"], bool):
        return given  # which Python takes for a number
    found = dict(given)
    if given["format"] == 1:
        position = given.get("position")
        if isinstance(position, Mapping):
            found["position"] = _framed(position)
        else:
            found = dict(_framed(given))
    return {**_paged(found), "format": FORMAT}


_BEFORE: Final = (1, 2)


def _paged(given: dict[str, Any]) -> dict[str, Any]:
    """
    A document with its legal actions as a page.
    """
    if "legal_actions" not in given or "legal_next" in given:
        return given
    listed = given["legal_actions"]
    if listed is None:
        return {**given, "legal_actions": [], "legal_next": 0}
    return {**given, "legal_next": None}


def _framed(given: Mapping[str, Any]) -> Mapping[str, Any]:
    if "frames" in given or not {"phase", "turn", "window", "choosing"} <= {*given}:
        return given
    try:
        frames = _frames(given)
    except (AttributeError, KeyError, TypeError, ParseError):
        return given  # the reader notes its problems
    left_out = {"window", "choosing", "put_back"}
    rest = {key: value for key, value in given.items() if key not in left_out}
    return {**rest, "frames": frames}


def _frames(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """
    The frames, from the keys that they had.
    """
    phase, turn = given["phase"], given["turn"]
    window, choosing = given["window"], given["choosing"]
    if choosing is not None:
        seat = choosing["seat"]
        choice = _frame(phase, seat, [seat])
        choice["notes"] = [Card(choosing["upcard"]).code]
        choice["secrets"] = given.get("put_back", [])
        return [_frame("deal", turn, []), choice]
    if window is None:
        return [_frame(phase, turn, [] if phase in {"deal", "over"} else [turn])]
    following = _frame("draw", turn, [turn])
    if window["caller"] is None:
        return [following, _frame(phase, window["finisher"], window["waiting"])]
    return [following, _frame(phase, window["caller"], [window["caller"]])]


def _frame(phase: Any, seat: Any, waiting: Any) -> dict[str, Any]:
    return {"phase": phase, "seat": seat, "waiting": waiting}
