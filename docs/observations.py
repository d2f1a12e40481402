"""
The page on observations, with their fields in tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import rummyvariants as rv

from rummyvariants.learning import Axis, Field


PAGE: Final = """\
# Observations

An observation is what a seat knows of a game, as arrays of whole numbers for programs that learn.
This page lists its fields and says what you can rely on.
The [API](api.md#observations) has the signatures.

With the extra `learning` the arrays are those of [numpy](https://numpy.org); without it they are nested lists with the same numbers.

```pycon
>>> import rummyvariants as rv
>>> state = rv.new_game("rummy-500", ["Ann", "Ben", "Cleo"], seed=3)
>>> found = rv.learning.observation(rv.view(state, 1))
>>> found["hands"].shape, found["hands"].dtype.name
((3, 53), 'int32')
>>> spec = rv.learning.observation_spec("rummy-500", players=3)
>>> spec
<ObservationSpec of rummy-500 for 3, markov, 3141 numbers>
>>> spec["hands"].axes[1].labels[:3]
('Ac', '2c', '3c')
```

The fields, their shapes and what each number means follow from the rules and the number of players alone.
`spec.version` is the version of observations, {version} today; it moves when a number changes its meaning.


## The two forms

The Markov form, `form="markov"`, holds what a seat knows of the position.
Nothing else that the seat has seen matters for what it may do.

The Markov form leaves out:

* what was done in the round, and what was seen then and is not known any more;
* the order of the cards that were dealt face up, of those that were drawn together, and of those in a zone;
* which rule a duty, the price of leaving the round, or the points of the last round come from;
* the names of the players.

The form with perfect recall, `form="perfect recall"`, adds `history`, the round as the seat saw it, and `details`, summaries of the rest.
Within a match it tells apart all that {{py:meth}}`View.information_state <rummyvariants.View.information_state>` tells apart.

```pycon
>>> spec = rv.learning.observation_spec("gin-rummy", 2, "perfect recall", length=256)
>>> state = rv.apply(rv.new_game("gin-rummy", 2, seed=3), "pass")
>>> told = spec.observe(state, seat=1)["history"]
>>> " ".join(spec.words[number] for number in told[14:] if number)
'1 to the left acts pass'
```

`length` is the number of words that there is room for, {length:,} if you do not give one.
Rounds of the presets between players who choose at random took up to {longest:,}.
A longer round is an error; nothing is cut off.
`spec.words` says what each number of the history means: who acts, the words of the action in the {{doc}}`notation </reference/notation>`, and with `sees` the cards that only some have seen and where they went.


## What the numbers mean

Seats
: They are relative: place 0 is the observer, place 1 the next player in turn, and so on.
  `seats` says which place is seat 0.

Cards
: A field with the axis `card` has a place for each face of the deck, clubs first, from the ace to the king, jokers last.
  It counts copies.
  Where cards have an order, they are listed by the numbers of their faces: 1 for the first face, and 0 for no card or one that is not known.

Melds
: They have the numbers of the notation; 0 is the dealer's wild.
  There is room for as many melds as the deck can make.

Values that rules remember
: They are spelled: 1 and a number; 2 for nothing; 3, the length and the letters of a text; 4, the length and the parts of a tuple.
  A value that is too long is a 5 and a summary.

Summaries
: Eight numbers from the SHA-256 of a value, for what is rare and has no fixed size.
  Different values have different summaries, as good as certainly.

Bounds
: No number is above {most:,} or below its negative, so an array of 32-bit floats holds all of them exactly.


## The fields

A vector holds them in this order.

| field | axes | from | to | meaning |
| :--- | :--- | ---: | ---: | :--- |
{fields}

`columns` is there only if the score is kept in several columns, and `memory` only if a rule remembers something.
`history` and `details` belong to the form with perfect recall.

These axes have names for their places.
Some have a last one more where the rules call for it: `score` has `payments after rounds` where a rule `pays`, `end` has `dealt hand` with `out.dealt_hand`, and the kinds of melds in `shapes` have `alike` with `meld.alike`.

| field | axis | places |
| :--- | :--- | :--- |
{axes}


## Shapes

The shapes in some games, each with the fewest players:

| field | {games} |
| :--- | {rule} |
{shapes}


## One vector

`spec.vector(at)` is an observation as one vector, and `spec.named(vector)` the fields of a vector, as parts of the same array.
A field lies from `spec[name].start` to `spec[name].stop`.

`at` may be a view, an action of it that is being chosen (a {{py:class}}`Selection <rummyvariants.learning.Selection>`, whose indices are in `chosen`), or a state with a seat.
The observation of a state is that of the seat's view; it holds no secret either, and takes a fraction of the time, because no view is made.

With `out` the numbers are written into an array of yours, such as a row for each of many games:

```pycon
>>> import numpy as np
>>> spec = rv.learning.observation_spec("rummy-500", players=3)
>>> rows = np.zeros((2, spec.size), np.float32)
>>> states = [rv.new_game("rummy-500", 3, seed=seed) for seed in (1, 2)]
>>> for state, row in zip(states, rows):
...     _ = spec.vector(state, seat=state.turn, out=row)
>>> spec.named(rows)["hands"].shape
(2, 3, 53)
>>> spec.named(rows)["hands"][:, 0].sum(axis=1)
array([7., 7.], dtype=float32)
```

`out` may hold `int32`, `int64`, `float32` or `float64`, and it need not be numpy's: `array.array("f", ...)` will do.

With `fields`, observations have only the fields that you name, and take less time:

```pycon
>>> few = rv.learning.observation_spec("rummy-500", players=3, fields=("hands", "top"))
>>> few
<ObservationSpec of rummy-500 for 3, markov, 212 numbers>
>>> [field.name for field in few.fields]
['hands', 'top']
```


## What you can rely on

* Equal views have equal observations, on every platform and with or without numpy.
* Two games that differ only in cards that are hidden from a seat have equal observations for it.
* Two observations with perfect recall are equal only if the information states are, and two in the Markov form only if the views agree in all but what the form leaves out.
  On small decks the tests compare every position of a round, by every way that leads to it, in many deals.
* Positions with equal observations have the same legal actions.
* What there is no room for is an `ObservationError`, never left out.
  In the games of the library that has been seen with `history` alone.
"""  # noqa: E501 -- one sentence a line
SHOWN: Final[Mapping[str, int]] = {
    "gin-rummy": 2,
    "rummy-500": 2,
    "rummy-5000": 3,
    "contract-rummy": 3,
    "canasta": 2,
    "indian-rummy": 2,
}
"""The games whose shapes are shown, and their players."""
_OWN: Final = frozenset({"card", "seat", "meld", "place", "frame", "index", "word"})
"""The axes whose places need no names."""
_BY_SEAT: Final = ("waits for", "made by", "note ")
"""How labels begin of which there are as many as seats, or more than enough."""


def page() -> str:
    """
    The page.
    """
    recall = rv.learning.observation_spec("hollywood-gin", 2, "perfect recall")
    fields = {field.name: field for field in recall.fields}
    found = {
        name: rv.learning.observation_spec(name, players, "perfect recall")
        for name, players in SHOWN.items()
    }
    bought = found["contract-rummy"]["memory"]
    # One game has columns, another rules that remember something.
    every = [*fields.values()]
    every.insert([*fields].index("others"), bought)
    return PAGE.format(
        version=recall.version,
        length=recall.length,
        longest=LONGEST,
        most=every[0].high,
        fields="\n".join(map(_row, every)),
        axes="\n".join(_axes(every)),
        games=" | ".join(f"`{name}`, {players}" for name, players in SHOWN.items()),
        rule=" | ".join("---:" for _ in SHOWN),
        shapes="\n".join(_shapes([one.name for one in every], [*found.values()])),
    )


def _row(field: Field) -> str:
    axes = TIMES.join(one.name for one in field.axes)
    doc = field.doc.removesuffix(".")
    high = f"{field.high:,}" if field.name not in _GROWS else "…"
    return f"| `{field.name}` | {axes} | {field.low:,} | {high} | {doc} |"


LONGEST: Final = 1_721
"""The most words in six rounds of each preset, with the fewest and the most players."""
TIMES: Final = " \N{MULTIPLICATION SIGN} "
_GROWS: Final = frozenset({"table", "stock", "pile", "zone_sizes", "chosen", "history"})
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
