"""
Documents of the previous format, read as those of this one.

In that format, phases in progress had keys of their own. A `window` with a `caller` is
now the frame `discard` of the caller, any other the frame `call` of its `finisher`,
both on the turn of the next player. `choosing` is the frame `choose` on a deal, with
the code of its card in `notes`, and the places of `put_back` in `secrets`. Without
either there is one frame, of `phase` and `turn`. Nothing else has moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rummyvariants.cards import Card
from rummyvariants.errors import ParseError
from rummyvariants.files._documents import FORMAT


def of_this_format(given: Any) -> Any:
    """
    A document in today's format; one of an unknown format is left as it is.
    """
    if not isinstance(given, Mapping) or given.get("format") != 1:
        return given
    position = given.get("position")
    if isinstance(position, Mapping):
        return {**given, "format": FORMAT, "position": _framed(position)}
    return {**_framed(given), "format": FORMAT}


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
