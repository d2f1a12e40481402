"""
A game in play as lines of text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rummyvariants._support.phases import whose_turn
from rummyvariants._support.tables import Block, Grid, as_text
from rummyvariants._support.words import figure, listed
from rummyvariants.cards import Card
from rummyvariants.files._melds import dealers_wild_text, meld_document, meld_text
from rummyvariants.game._engine.plays import melds_by_number
from rummyvariants.game._round import Zone, knows
from rummyvariants.game._state import State
from rummyvariants.game._views import View
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import catalogue


def state_text(state: State) -> str:
    """
    A game with everything that it holds, all hands included.
    """
    hands = [f"holds {hand or 'no cards'}" for hand in state.hands]
    return as_text(_game_blocks(state, None, hands, openly=True))


def view_text(view: View) -> str:
    """
    A game as a seat, or a spectator, sees it.
    """
    hands = []
    for known, size in zip(view.known, view.hand_sizes, strict=True):
        held = f"holds {known or 'no cards'}"
        if len(known) < size:
            among = f", among them {known}" if known else ""
            held = f"holds {figure(size, 'card')}{among}"
        hands.append(held)
    return as_text(_game_blocks(view.world, view.seat, hands))


def _game_blocks(
    state: State, seat: int | None, hands: Iterable[str], *, openly: bool = False
) -> Iterator[Block]:
    """
    A game: the title, whose turn it is, the table, and what each player holds.
    """
    yield game_title(state.rules)
    yield f"{whose_turn(state.phase, state.players, state.to_act, state.winners)}."
    yield from table_blocks(state, seat, openly=openly)
    if state.is_round_over and state.result is not None:
        points = zip(state.players, state.result.points, strict=True)
        said = listed([f"{name} {one:+d}" for name, one in points])
        yield f"points of round {state.round_number}: {said}"
    for name, held in zip(state.players, hands, strict=True):
        yield f"{name} {held}"


def game_title(rules: Ruleset) -> str:
    """
    The title of a game, with its options.
    """
    if not rules.options:
        return rules.title
    return f"{rules.title} with {listed(rules.options)}"


def full_title(rules: Ruleset) -> str:
    """
    The title of a game, with its options by title, and whether it has house rules.
    """
    known = catalogue()
    more = [
        f"{known[one.partition('=')[0]].title} ({one})"
        for one in rules.options
        if one.partition("=")[0] in known
    ]
    if rules != rules.preset.with_options(*rules.options):
        more.append("house rules")
    return f"{rules.title} with {listed(more)}" if more else rules.title


def table_blocks(
    state: State, seat: int | None = None, *, openly: bool = False
) -> Iterator[Block]:
    """
    The table: the round, the players, the melds and the discards.

    Arguments are those of `table_lines`.
    """
    yield heading(state)
    head = ("player", "cards", "points", "")
    yield Grid([head, *seat_rows(state, seat)], right=(1, 2))
    yield from table_lines(state, seat, openly=openly)
    yield pile_line(state, openly=openly)


def cards_text(cards: Iterable[Card]) -> str:
    """
    Cards in the notation.
    """
    return " ".join(map(str, cards))


def table_lines(
    state: State, seat: int | None = None, *, openly: bool = False
) -> Iterator[str]:
    """
    The melds on the table by number, with who laid each card, and what lies apart.

    Args:
        state: The state.
        seat: The seat that looks; None for a spectator.
        openly: Whether cards are shown that it does not know.
    """
    found = False
    for number, meld in melds_by_number(state):
        found = True
        document = meld_document(meld, number)
        if number:
            text = meld_text(document, state.players)
        else:
            text = f"{dealers_wild_text(document, state.players)} (the dealer's wild)"
        yield f"{number:>3}  {text}"
    if not found:
        yield "     no meld yet"
    for line in zone_lines(state, seat, openly=openly):
        yield f"     {line}"


def zone_lines(
    state: State, seat: int | None, *, openly: bool = False
) -> Iterator[str]:
    """
    The cards that lie apart by some rule. Arguments are those of `table_lines`.
    """
    for zone in state.zones:
        cards = cards_text(zone.cards)
        if not (openly or knows(zone._seen, seat)):
            cards = " ".join(["??"] * len(zone.cards))
        yield f"{zone_title(zone, state.players)}: {cards}"


def zone_title(zone: Zone, players: Sequence[str]) -> str:
    """
    What cards are called that lie apart, after their owner if there is one.
    """
    return zone.name if zone.seat < 0 else f"{players[zone.seat]}, {zone.name}"


def pile_line(state: State, *, openly: bool = False) -> str:
    """
    The discard pile, the top card last; only the top card if it is not spread.

    Args:
        state: The state.
        openly: Whether all of it is shown anyway.
    """
    pile = state.discards
    if not pile:
        return "discards: none"
    if not (openly or state.rules.draw.open_pile):
        covered = len(pile) - 1
        more = f" on {figure(covered, 'other card')}" if covered else ""
        return f"discards: {cards_text(pile[-1:])}{more}"
    return f"discards, the top last: {cards_text(pile)}"


def heading(state: State) -> str:
    """
    A round in one line.
    """
    parts = [f"Round {state.round_number}"]
    if state.dealer is not None:
        parts.append(f"{state.players[state.dealer]} deals")
    if state.wild_rank:
        parts.append(f"wild: {state.wild_rank}")
    parts.append(f"stock: {len(state.stock)}")
    match = state.rules.match
    if match.by_rounds:
        parts.append(f"of {match.most_rounds}")
    elif match.until_one:
        if match.limit is not None:
            parts.append(f"out at {match.limit}")
    elif match.target:
        parts.append(f"played to {match.target}")
    return ", ".join(parts)


def seat_rows(state: State, own: int | None = None) -> Iterator[tuple[str, ...]]:
    """
    A row for each player: name, cards in hand, points, and notes.
    """
    for seat, name in enumerate(state.players):
        notes = []
        if seat == own:
            notes.append("you")
        if seat == state.dealer:
            notes.append("dealer")
        if seat in state.to_act:
            notes.append("to act")
        partners = [one for side in state.sides if seat in side for one in side]
        notes += [f"with {state.players[one]}" for one in partners if one != seat]
        if state.has_meld(seat):
            notes.append("has a meld")
        if seat in state.floating:
            notes.append("floats")
        if seat in state.out:
            notes.append("is out")
        if seat in state.dropped:
            notes.append("has left the round")
        yield (
            name,
            str(len(state.hands[seat])),
            str(state.scores[seat]),
            ", ".join(notes),
        )
