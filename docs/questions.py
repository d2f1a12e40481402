"""
The page of the questions that a house rule can answer.

How a question is written and how its answers are combined come from the engine.
"""

from __future__ import annotations

import inspect
import re
import tomllib

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from rummyvariants.house.rules import QUESTIONS, HouseRule
from rummyvariants.policies._questions import ROWS


FACTS: Final[Mapping[str, Mapping[str, str]]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)
OTHERWISE: Final = frozenset({"takes_with"})
"""Questions whose answers are combined with those to others."""
PAGE: Final = """\
(every-question)=
# The questions a house rule can answer

A house rule is a class derived from `rv.house.HouseRule` that answers some of the questions below.
{doc}`/how-to/write-a-rule` shows how to write one.

None as an answer to any of them means that the rule has nothing to say this time.
An answer that is a list may also be a tuple, a set, a `range` or a generator; it has at most 10,000 entries, except a `range`.

A rule may forbid what the policy values allow, but it may not allow what they refuse.
Some questions open new ways to play: `takes_with`, `buys`, `asks`, `offers` with actions of the rule's own, `refills`, and `opening`, which lets several melds be laid as one action.

## How to read the tables

*Combined* says how the answers of several rules are combined:

all
: Every answer must allow it.

any
: One answer is enough.

least, most
: The smallest or the largest number applies.

first
: One answer decides, so only one rule of a table may answer.

added
: All answers apply.

*Ahead* says how the question takes part in the search that keeps players out of {term}`dead ends <dead end>` (RV-03).
Before it allows a play or a take, the library looks for a way to finish the turn afterwards.

asked
: The question is asked about each play that the search considers, as about one that is made.
  `turn.hand`, `turn.table` and the other facts are as they would be by then.
  `turn.memory` is not, because no action has been done.
  Nor are effects of the rules.

owed
: The answer is a promise, and the search looks for a way to keep it.

no
: The search does not consider it.

## The deal

These questions receive `DealFacts`, and so does `remembers_deal` [below](#memory-and-effects).

@TABLE values wild_rank lays_aside@

## Wilds and melds

@TABLE most_wilds allows_meld may_lay opening most_melds@

## The draw

@TABLE cards_drawn takes takes_with owes@

## Out of turn

@TABLE buys@

## Lay-offs

@TABLE may_lay_off lays_off_on@

## The discard

@TABLE discards discards_owed@

## The end of a turn or round

@TABLE may_knock may_go_out asks must_go_out refills next_seat@

## Points and the match

`score` and `pays` receive `RoundFacts`, and the questions about the match `MatchFacts`.

@TABLE worth score pays deals_next eliminated rejoins winners@

## Memory and effects

@TABLE remembers_deal follows@

The events are those that `rv.step` tells, such as `Drew`, `Laid`, `Discarded` and `RoundEnded`, in `rummyvariants.events`.
They come as they happened, with all cards; `turn.seat` is the seat of the event or, where it names none, that of the player in turn.
The facts of the turn are those after the event: the card of a `Discarded` already lies on the pile.
Events of the deal are among them; the effects of these follow when the deal is done.

| to follow | hear of |
| :--- | :--- |
| the deal, once | `DealStarted`; a `FirstDiscard` may come several times |
| a hand dealt, one after another | `HandDealt(seat, size, cards)` |
| the beginning of a turn | `TurnStarted(seat)` |
| a card drawn | `Drew(seat, card)`, also for a card that replaces one laid aside |
| discards taken or bought | `Took(seat, cards, how)` |
| cards laid, whether by a meld or a lay-off | `Laid(seat, cards, meld, how)`, the cards as texts such as `"2d=6c"` |
| a discard | `Discarded(seat, card)` |
| an action that a rule offers | `Acted(seat, name, cards)`; its own effects come before those that others have because of it |
| a player who is out, or leaves | `WentOut(seat)`, `Dropped(seat, points)` |
| the end of a round, after it is scored | `RoundEnded`; what is remembered then holds for later rounds |

(effects)=
### Effects

| effect | what happens | when |
| :--- | :--- | :--- |
| `Points(seat, points, reason)` | the seat gets the points when the round is scored | at once |
| `Remember(value)` | the value is the rule's memory from now on | at once |
| `Move(source, target)` | cards go from one place to another: `number` from the top, all of them with `number=None`, or `cards`; cards that go to the stock lie on top of it | when the action is done |
| `Show(source)` | cards are shown where they lie, to the seats `to` or to everybody: so many of the stock, or a whole hand or zone | when the action is done |
| `Leave(points)` | the player in turn leaves the round with all cards, at the cost of the points | when the action is done |
| `AskOthers(seats)` | the seats are asked, one after another, for one of the actions that the rule [offers](#actions-of-a-rule); with `all=True` also after somebody has answered; with `may_pass=False` nobody passes | when the action is done |
| `GoOn("play")` | the turn goes on as after a draw | when the action is done |
| `GoOn("next turn")` | the turn is over; with `seat` that seat is next | when the action is done |
| `EndRound()` | the round ends and is scored: with seats in `out` as if they had gone out, else as if the stock were empty | when the action is done |
| `EndMatch(winners)` | the round ends like that, and with it the match | when the action is done |

Effects that wait until the action is done come in the order in which they were caused; once the round is over they are dropped.
Effects have events as well, and so may cause others; more than 1,000 in a row are an error.

`effects` of a rule names the kinds of its effects, such as `frozenset({rv.house.Remember})`, where that is known.
A rule that says so and has no `Move` among them leaves the search and the checks of views as they are without it.

A memory lasts for a `round` unless it says otherwise.
A `turn` memory is cleared when the turn is finished: after its last discard, or when the last card is laid.
Passes by others, such as in a call window, belong to the turn that comes next.
The memory is in all facts: of turns, of deals, of the round and of the match.

A `Move` to a seat that is out does nothing; a move to a seat that floats ends its floating.
A hand that a move empties floats, whatever the game says about empty hands.
If it is the hand of the player in turn, the turn is over.

In a turn that goes on without a draw, `turn.source` is `rule`.
A round that a rule ends without a player who is out has `rule` as its `how`.

(actions-of-a-rule)=
## Actions of a rule, and vetoes

@TABLE offers forbids@

`turn.phase` tells the moments apart: it is `draw`, `play` or `asked`.
An offer may be taken as often as it is made; a rule that offers an action once has to remember that it was taken.

`after()` gives the turn as it would be after the action, with all effects.
It takes longer than any other fact, so ask for it last.
If nothing is left to do but what rules forbid, it is allowed (RV-43).
`turn.may("take 1")` says whether something is legal now, whatever rules forbid.

The names in `secrets` are those of actions whose cards only the player knows: a card put down face down, say.

## What a rule declares

These are attributes of the class.

| attribute | what it says |
| :--- | :--- |
| `id` | what refusals and points cite |
| `reads` | the facts on which its answers depend; see [below](#what-it-costs) |
| `memory` | what it remembers: a `Memory` |
| `effects` | the kinds of its effects; with None it may have any |
| `piles` | the cards that each deal lays apart after the hands: a tuple of `Pile`, each with its name, its size, whose it is (`of`: the `table`, a `seat` or a `side`), and who sees the cards (`shown`: `nobody`, the `owner` or `everybody`) |
| `actions` | the names of the actions that it offers, in lower case: names that no action of the game has; or a mapping that says for each when it may be offered, such as `{"skip": ("draw",)}`: `draw`, `play` or `asked` |
| `cardless` | those of the actions that name no cards; only with such has a game a flat form for learners ({ref}`actions-as-numbers`) |
| `secrets` | those of the actions whose cards only the player knows |
| `kinds` | the kinds of melds that there are because of it: a tuple of `Kind`, each with its name, a function of the rule and the cards that says whether they are such a meld, and its least and most cards |
| `bars`, `few` | what its answers to `discards` leave out at most; see [below](#what-it-costs) |
| `replaces` | the policy values that it takes over; the deck, `match.players` and `score.points` cannot be ({ref}`replaces-and-needs`) |
| `needs` | the policy values without which it does nothing |
| `vetoes` | the first words of the actions that `forbids` is asked about, such as `take`, or whole names of actions of rules |

A pile is a zone of its name: a `Move` takes its cards, and `turn.zone_size` counts them.

## Beside the questions

These methods have a usual answer, which a rule may replace.

| method | asked | answer | usually |
| :--- | :--- | :--- | :--- |
| `describe()` | for the rule sheet | the rule in words | its docstring; with `python -OO`, which leaves docstrings out, its name |
| `because(text)` | for a refusal | what is refused, with the reason | the text and the first sentence of the rule |
| `could_remember(value, players)` | when a position or a document gives the rule's memory | True if its memory may be such in a game of so many players; otherwise the position is refused | True |
| `possible_values()` | when the actions or observations of a learner are numbered | a list of all that it may answer to `values`, or None for no list. More than 100 combinations with the lists of other rules are as no list. The testing kit checks that no deal has other values | None |
| `refuse_buy(turn)` | about a seat that may not buy, because its answer to `buys` is None | an `Objection` that says why, with the value it cites; None if it has nothing to say | None |

## Questions in place of values

Some questions come in place of values.
A rule that replaces one of these has to answer the question, and all of them give way to it; what `values` gives for a deal holds in that deal:

| question | values |
| :--- | :--- |
| `values` | `deal.hand_size`, `deal.for_two`, `deal.by_round` |
| `wild_rank` | `wild.indicator` |
| `winners` | `match.target`, `match.ends`, `match.winner`, `match.rounds`, `match.tie` |

(what-it-costs)=
## Cost, `reads` and `bars`

A question that no rule answers costs nothing, because it is not asked; nor is a method that does nothing but return None.
A question about points, deals or the match costs next to nothing.
Those about plays and discards are asked most often, and turn off shortcuts: see {doc}`/explanation/performance`.
So does `offers`, unless `actions` says that nothing is offered in the phase `play`.

`reads` names the facts of `Turn` on which a rule's answers depend.
It covers all questions that receive a turn, except `follows`, `refills` and `forbids`, which are asked every time.
The engine remembers each answer by these facts, and asks again only when one of them has changed.
`turn.points()` and `turn.is_wild()` depend on `wild_rank`; `turn.may()` depends on everything, so a rule that uses it declares no `reads`.

If you declare too little, a stale answer is used.
The testing kit observes what a rule reads and names what it does not declare.

Without `reads` a question is asked every time.
During the search, that is at every play considered, for each card that might be discarded and each meld that might be made.

`bars` names the only cards that the answers to `discards` leave out, as long as there are more than `few` others in the hand (0 if you do not say).
With it the engine knows which plays leave a card to discard, and need not search for it.
"Aces are kept while there are other cards" is `bars = rv.Cards("Ac Ad Ah As")`; if the last two of the others may be kept as well, `few = 2`.
The testing kit finds a rule that bars more than it declares.

With rules of your own, the search stops after 2,000 plays.
Whatever it has not settled by then counts as legal; if that is the turn as a whole, so does each play that no rule refuses.
A player who is stuck in the end may discard any card (RV-43).
"""  # noqa: E501 -- one sentence a line


def page() -> str:
    """
    The page.
    """
    if FACTS.keys() != ROWS.keys() or FACTS.keys() != {*QUESTIONS}:
        msg = f"not in both: {FACTS.keys() ^ ROWS.keys() | FACTS.keys() ^ {*QUESTIONS}}"
        raise LookupError(msg)
    return re.sub(r"@TABLE (.*)@", lambda found: "\n".join(_table(found[1])), PAGE)


def _table(names: str) -> Iterator[str]:
    """
    The table of some questions.
    """
    yield "| question | asked | answer | combined | ahead |"
    yield "| :--- | :--- | :--- | :--- | :--- |"
    for name in names.split():
        said = FACTS[name]
        more = said.get("combined", "")
        _, *given = inspect.signature(getattr(HouseRule, name)).parameters
        combined = more if name in OTHERWISE else f"{ROWS[name].combined}{more}"
        question = f"`{name}({', '.join(given)})`"
        cells = (question, said["asked"], said["answer"], combined, said["ahead"])
        yield f"| {' | '.join(cells)} |"
