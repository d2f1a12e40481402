"""
The tables of observations: fields, axes and shapes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import rummyvariants as rv

from rummyvariants.learning import Axis, Field
from rummyvariants.learning._layout import Layout


FIELDS: Final = (
    "| field | axes | from | to | meaning |",
    "| :--- | :--- | ---: | ---: | :--- |",
)
AXES: Final = ("| field | axis | places |", "| :--- | :--- | :--- |")
SHOWN: Final[Mapping[str, int]] = {
    "gin-rummy": 2,
    "rummy-500": 2,
    "rummy-5000": 3,
    "contract-rummy": 3,
    "canasta": 2,
    "indian-rummy": 2,
}
"""The games whose shapes are shown, and their players."""
_OWN: Final = frozenset({"card", "seat", "meld", "place", "frame"})
"""The axes whose places need no names."""
_BY_SEAT: Final = ("waits for", "made by", "note ")
"""How labels begin of which there are as many as seats, or more than enough."""


def parts() -> dict[str, str]:
    """
    The tables, by their names.
    """
    hollywood = rv.preset("hollywood-gin")
    recall = rv.learning.observation_spec(hollywood, 2, "perfect recall")
    whole = Layout(hollywood, 2, 0, whole=True).fields()
    fields = {one.name: one for one in whole if one.size}
    fields |= {one.name: one for one in recall.fields if one.name not in fields}
    found = {
        name: rv.learning.observation_spec(name, players, "perfect recall")
        for name, players in SHOWN.items()
    }
    bought = found["contract-rummy"]["memory"]
    # One game has columns, another rules that remember something.
    every = [*fields.values()]
    every.insert([*fields].index("others"), bought)
    names = [one.name for one in every]
    games = [f"| field | {' | '.join(f'`{one}`, {SHOWN[one]}' for one in SHOWN)} |"]
    games += [f"| :--- | {' | '.join('---:' for _ in SHOWN)} |"]
    return {
        "fields": "\n".join([*FIELDS, *map(_row, every)]),
        "axes": "\n".join([*AXES, *_axes(every)]),
        "shapes": "\n".join([*games, *_shapes(names, [*found.values()])]),
    }


def _row(field: Field) -> str:
    axes = TIMES.join(one.name for one in field.axes)
    doc = field.doc.removesuffix(".")
    ends = [f"{one:,}" for one in (field.low, field.high)]
    if field.name in _GROWS:
        ends = ["…" if one != "0" else one for one in ends]
    return f"| `{field.name}` | {axes} | {' | '.join(ends)} | {doc} |"


TIMES: Final = " \N{MULTIPLICATION SIGN} "
_COPIES: Final = "drawn spent owed hands unseen discards melds laid zones"
_GROWS: Final = frozenset(
    {*_COPIES.split(), "table", "stock", "pile", "zone_sizes", "chosen", "history"}
)
"""The fields whose bounds depend on the game."""


def _axes(fields: Sequence[Field]) -> Iterator[str]:
    seen: set[Axis] = set()
    for field in fields:
        for one in field.axes:
            if one.labels and one.name not in _OWN and one not in seen:
                seen.add(one)
                yield f"| `{field.name}` | {one.name} | {_places(one)} |"


def _places(axis: Axis) -> str:
    """
    The labels of an axis, those that only repeat left out.
    """
    names: list[str] = []
    for label in axis.labels:
        begins = next((one for one in _BY_SEAT if label.startswith(one)), "")
        short = f"{begins.strip()} …" if begins else label
        if short not in names:
            names.append(short)
    return "; ".join(names)


def _shapes(
    names: Sequence[str], found: Sequence[rv.learning.ObservationSpec]
) -> Iterator[str]:
    for name in names:
        cells = []
        for spec in found:
            field = next((one for one in spec.fields if one.name == name), None)
            cells.append(TIMES.join(map(str, field.shape)) if field else "")
        yield f"| `{name}` | {' | '.join(cells)} |"
    for form, less in (("Markov form, in all", True), ("with recall, in all", False)):
        sizes = [spec["history"].start if less else spec.size for spec in found]
        yield f"| {form} | {' | '.join(f'{size:,}' for size in sizes)} |"
    sizes = [
        rv.learning.observation_spec(one.rules, one.players, normalized=True).size
        for one in found
    ]
    yield f"| normalized, in all | {' | '.join(f'{size:,}' for size in sizes)} |"
