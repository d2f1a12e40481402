"""
The page on actions as numbers, with the words and sizes.
"""

from __future__ import annotations

import contextlib

from collections.abc import Iterator
from typing import Final

import rummyvariants as rv

from rummyvariants.learning._vocabulary import words_of
from rummyvariants.learning.encodings import MOST_INDICES


EXAMPLES: Final = (("gin-rummy", 2), ("rummy-500", 2), ("canasta", 4))
"""The games whose indices the table of words shows."""
MEANINGS: Final = {
    "what is done": "the verb of an action, always asked first",
    "a seat": "for an action that names one",
    "how many": "a number of cards; `all` for the whole discard pile",
    "a card": "a card that is laid, put, traded or discarded; also in a text of cards",
    "a meld": "a meld of the table by its number, or a new one",
    "the shape of a meld": "a set of a rank, a run of a suit, wilds alone",
    "the ends of a run": "its lowest card, then its highest",
    "no more": "no further cards, or no further melds",
    "a place of a meld": "the place is taken by a wild",
    "beside a wild": "the card goes beside its wild; `grow` for cards after that",
    "the discard of a knock": "none, or one that would break a meld",
    "the melds of a hand": "in a wrong declaration no melds; a card that is in no meld",
    "what a wild stands for": "in a text of cards: what the wild before it stands for",
    "the end of a text": "only where another text begins with the same words",
    "letters": "for names that house rules give, in observations",
}
"""What the words are for, by their groups."""

PAGE: Final = """\
# Actions as numbers

A program that learns chooses a number from a fixed range, and wants a mask that says which numbers are allowed now.
`rv.learning.encoding(rules, players)` gives every action of a game such numbers.
This page says what the numbers mean and what you can rely on; the [API](api.md#actions-as-numbers) has the signatures.

```pycon
>>> import rummyvariants as rv
>>> encoding = rv.learning.encoding("rummy-500", 2)
>>> encoding.size
@SIZE@
>>> state = rv.position(
...     "rummy-500",
...     hands={"Ann": "7h 7d 7s * Kc", "Ben": "8c"},
...     table=["Ben: 4h *=5h 6h"],
...     discards="5c",
...     phase="play",
...     drawn="stock Kc",
...     fill=True,
... )
>>> view = rv.view(state, 0)
>>> [encoding.labels[index] for index in encoding.legal(view)]
['meld', 'lay', 'discard']
>>> sum(encoding.mask(view))
3
```

There are two forms:

| form | an action is | for |
|---|---|---|
| `stepwise`, the default | a sequence of indices | every game, with house rules too |
| `flat` | one index | games in which every action is a verb and no more than a card: gin and its kin, Three Thirteen, Indian Rummy |


## Choose an action

`decode` takes an index, and the view in which it is chosen.
Its result is the action, or a `Selection` if there is more to choose.
A selection takes the place of the view in the next call:

```pycon
>>> selection = encoding.decode(encoding.labels.index("lay"), view)
>>> selection
<Selection of seat 0: lay>
>>> [encoding.labels[index] for index in encoding.legal(selection)]
['from 3h', 'from 4h']
>>> encoding.decode(encoding.labels.index("from 4h"), selection)
<Selection of seat 0: lay, from 4h>
```

`encode` goes the other way.
Cards and melds may be written in any order:

```pycon
>>> path = encoding.encode("lay *=8h 7h on 1", view)
>>> [encoding.labels[index] for index in path]
['lay', 'from 4h', 'to 8h']
```

The first question is always asked, even if it has a single answer.
After that, a question with a single answer is not asked, like the number of the only meld above.

A program that plays at random with masks:

```pycon
>>> import random
>>> def choose(view, rng):
...     at = view
...     while isinstance(at, rv.View | rv.learning.Selection):
...         at = encoding.decode(rng.choice(encoding.legal(at)), at)
...     return at
>>> state = rv.new_game("rummy-500", 2, seed=4)
>>> rng = random.Random(1)
>>> for _ in range(6):
...     seat = state.to_act[0]
...     action = choose(rv.view(state, seat), rng)
...     state = rv.apply(state, action)
>>> print(*state.history[1:], sep=", ")
draw, meld *=Tc Jc Qc, discard Ks, take 1, discard 2h, draw
```

`mask` returns a byte for each index, 1 or 0.
`numpy.frombuffer(mask, numpy.int8)` makes an array of it without a copy.
`legal` returns the same as a tuple of indices, lowest first.


## The stepwise form

The questions are those of a {doc}`chooser <choosing>`, with three differences:

* There are no ranges of numbers; all numbers are offered at once.
* The melds of a knock or a declaration are asked for one after another: the meld that the lowest card is in, or `left over`, and so on.
* A question with a single answer is not asked, whatever it is about.

An index is a *word*, and means the same in every question.
Most choices are a word; the others are texts of several words, such as the melds `9c 9d *=9h`.
A text is chosen word by word, and a word that must follow is not asked for.
`=9h` says what the wild before it stands for.
Where a text could end, and a longer one goes on, `(end)` ends it.

No action needs the letters.
Observations spell with them what house rules have named, such as a place of cards; letters outside of ASCII are spelled as Python escapes them.

### The words

The words follow from the rules and the number of players.
They are in this order.
A game has no indices for words that it has no use for.

@WORDS@

How many there are follows from these:

* *What is done*: the verbs that can ever be used under the rules.
* *How many*: as far as there are cards in the deck; up to 13 where one discard at most may be taken and no meld is split.
* *A card* and all groups that name cards: the faces of the deck, not the copies.
* *A meld*: as many as the cards of the deck can make, each of the fewest cards that a meld may have; as many as there are cards where single wilds may lie on the table; and 0, the dealer's wild.
* *A place of a meld*, *beside a wild*, *what a wild stands for*: only if some card may be wild.
* *The discard of a knock*, *the melds of a hand*: only if players knock or declare.

### Sizes

The number of indices in the stepwise form, by the number of players:

@SIZES@


## The flat form

`rv.learning.encoding(rules, players, "flat")` gives each action one index.
A label is the text of the action in the {doc}`notation`:

```pycon
>>> flat = rv.learning.encoding("gin-rummy", 2, "flat")
>>> state = rv.position(
...     "gin-rummy",
...     hands={"Ann": "4h 5h 6h 7h 7d 7s 2c 2d 2h Ac Kc", "Ben": "8h 9h"},
...     discards="5c",
...     phase="play",
...     drawn="stock Kc",
...     fill=True,
...     partial=True,
... )
>>> view = rv.view(state, 0)
>>> [flat.labels[index] for index in flat.legal(view) if "K" in flat.labels[index]]
['discard Kc', 'knock Kc']
>>> str(flat.decode(flat.labels.index("knock Kc"), view))
'knock Kc: 2c 2d 2h / 7d 7h 7s / 4h 5h 6h'
```

A knock or a declaration means its best melds: those that leave the fewest points, and of several the first in the order of the list.
Where the hand makes no right declaration, and a wrong one may be made, it means that one.
Cards are laid off one by one.
`encode` refuses a knock with other melds, and a lay-off of several cards, because these have no index.

A game has a flat form if melds stay in the hand and no action names more than a card.
Actions of house rules may name any, unless the rules declare them as `cardless`.
With wild cards there is none for games in which cards are laid off after a knock, since a lay-off must then say what a wild stands for.
The error names the kind of action that is in the way:

```pycon
>>> rv.learning.encoding("rummy-500", 2, "flat")
Traceback (most recent call last):
    ...
rummyvariants.learning.encodings.EncodingError: rummy-500 has no flat form: an action of the kind 'meld' names more than a card; use the form 'stepwise'
```

The indices are, verb by verb, all actions for all cards of the deck.
Lay-offs are on as many melds as the largest hand that is dealt can make.

@FLAT@


## What you can rely on

* The size and the labels depend on the rules, the number of players and the form, and on nothing else.
* Every index that the mask allows leads to a legal action.
* Every action that {py:func}`legal_actions <rummyvariants.legal_actions>` lists is at the end of one path of indices, in the stepwise form; in the flat form, if it has an index.
* `encode` gives that path, and `decode` follows it.
* All labels are different.
* An index keeps its meaning as long as `encoding.version` is the same.
  Save the rules, the number of players, the form and the version with what a program has learned.
* An encoding has at most @MOST@ indices; a ruleset that would need more is refused.
* The mask of a view shows nothing about hidden cards.

The third point has a limit, which it shares with the [chooser](choosing.md#what-you-can-rely-on): within one shape of a meld, a legal action is looked for at no more than 250 points.


## Views, states and selections

A selection is a value: it is never changed, and selections at the same point of the same choice are equal.
It holds the view that it was begun from and the indices so far, as `view` and `indices`, and can be pickled.

A view takes time to make.
A program that runs a game may begin from the state, with the seat that acts:

```pycon
>>> encoding = rv.learning.encoding("rummy-500", 2)
>>> state = rv.new_game("rummy-500", 2, seed=4)
>>> selection = encoding.begin(state, state.turn)
>>> [encoding.labels[index] for index in encoding.legal(selection)]
['draw', 'take']
>>> action = encoding.decode(encoding.labels.index("draw"), selection)
>>> state = rv.apply(state, action)
```

The indices are the same as from a view.
Such a selection holds the state, so do not hand it to a player.
`apply` does not check the action again if it is the next thing done with that state.

For a seat that may not act, nothing is allowed and the mask has no 1.
An index that is not allowed, a view of another game or of a spectator, and a form that there is not are refused with an `EncodingError`; an action that is not legal with an `IllegalAction`.
"""  # noqa: E501 -- one sentence a line


def page() -> str:
    """
    The page.
    """
    parts = {
        "SIZE": str(rv.learning.encoding("rummy-500", 2).size),
        "WORDS": "\n".join(_words()),
        "SIZES": "\n".join(_sizes("stepwise")),
        "FLAT": "\n".join(_sizes("flat")),
        "MOST": f"{MOST_INDICES:,}",
    }
    text = PAGE
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    return text


def _words() -> Iterator[str]:
    """
    The table of words, with their indices in some games.
    """
    groups = [_groups(*one) for one in EXAMPLES]
    names = " | ".join(f"`{name}`, {players}" for name, players in EXAMPLES)
    yield f"| for | words | meaning | {names} |"
    yield "| :--- | :--- | :--- |" + " ---: |" * len(EXAMPLES)
    for name, meaning in MEANINGS.items():
        widest = max([one.get(name, []) for one in groups], key=len)
        spans = [_span(one, name) for one in groups]
        yield f"| {name} | {_shown(widest)} | {meaning} | {' | '.join(spans)} |"


def _groups(name: str, players: int) -> dict[str, list[str]]:
    """
    All labels of a game, by what they are for.
    """
    rules = rv.preset(name)
    found = words_of(rules, players)
    others = rv.learning.encoding(rules, players).labels[
        sum(map(len, found.values())) :
    ]
    found["what a wild stands for"] = [one for one in others if one[0] == "="]
    found["the end of a text"] = [one for one in others if one[0] == "("]
    found["letters"] = [one for one in others if one[0] not in "=("]
    return found


def _span(groups: dict[str, list[str]], name: str) -> str:
    """
    The first and the last index of a group.
    """
    if not groups.get(name):
        return ""
    before = [*groups][: [*groups].index(name)]
    first = sum([len(groups[one]) for one in before])
    last = first + len(groups[name]) - 1
    return f"{first}" if first == last else f"{first} to {last}"


def _shown(words: list[str]) -> str:
    """
    Words, the middle of many left out.
    """
    marked = [f"`{word}`" for word in words]
    if len(marked) > 12:
        marked = [*marked[:2], "...", *marked[-2:]]
    return ", ".join(marked)


def _sizes(form: str) -> Iterator[str]:
    """
    The sizes of all presets that have a form, by the number of players.
    """
    found = {name: _by_players(name, form) for name in rv.presets()}
    numbers = sorted({number for sizes in found.values() for number in sizes})
    yield f"| game | {' | '.join(map(str, numbers))} |"
    yield "| :--- |" + " ---: |" * len(numbers)
    for name, sizes in found.items():
        if sizes:
            row = [str(sizes.get(number, "")) for number in numbers]
            yield f"| `{name}` | {' | '.join(row)} |"


def _by_players(name: str, form: str) -> dict[int, int]:
    """
    The sizes of a game by the number of players.
    """
    found = {}
    for players in range(1, 13):
        with contextlib.suppress(rv.errors.RulesError, rv.learning.EncodingError):
            found[players] = rv.learning.encoding(name, players, form).size
    return found
