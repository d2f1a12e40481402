"""
What must hold of every state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Final

import attrs

from rummyvariants import State
from rummyvariants._support.arguments import explained
from rummyvariants.cards import CARDS, Card, codes, pack, show
from rummyvariants.game._scoring import round_result
from rummyvariants.game._state import thaw
from rummyvariants.house.answers import EndMatch, EndRound
from rummyvariants.melds import Meld, Terms
from rummyvariants.melds._meld import built, played
from rummyvariants.melds._reading import read_meld
from rummyvariants.rules import Ruleset
from rummyvariants.rulings import Objection, catalogue
from rummyvariants.testing.holding import fail, hold


RESTING: Final = frozenset({"deal", "over"})
"""The phases in which no player may act."""
BENEATH: Final = {
    **dict.fromkeys(
        ("deal", "offer", "draw", "stock", "play", "layoff", "rejoin", "over"), ((),)
    ),
    "choose": (("deal",),),
    "buy": (("draw",), ("stock",)),
    "call": (("draw",), ("draw", "buy")),
    "discard": (("draw",),),
    "answer": (("play",),),
}
"""What each phase of the library may interrupt, in every way allowed."""


@explained
def check_state(state: State) -> None:
    """
    Assert what must hold of a state.

    No card is lost or duplicated, a player may act or a deal is due, every meld on the
    table follows the rules, and every point of a round has its reason and its rule. If
    a game began from a position, cards may be out of play.

    Raises:
        AssertionError: If a check fails.

    >>> rv.testing.check_state(rv.new_game("canasta", 4))
    """
    check_state_knowing(state, ())


def check_state_knowing(state: State, known: Collection[Meld]) -> None:
    """
    As `check_state`, but without checking melds that are known to be good.
    """
    if state.phase == "deal" and state.result is None:
        hold(not cards_of(state), "cards are out while a deal is due")
        hold(not state.to_act, "somebody may act while a deal is due")
        return
    deck = Counter(state.rules.deck.cards_for(len(state.players)))
    found = cards_of(state)
    if found != deck:
        more = show((found - deck).elements())
        less = show((deck - found).elements())
        if more or not state.from_position:
            problem = f"{more or 'no card'} too many, {less or 'no card'} is missing"
            fail(f"the deck is not complete: {problem}")
    _check_turn(state)
    _check_hands(state)
    _check_table(state, known)
    if state.is_round_over:
        _check_result(state)


def cards_of(state: State) -> Counter[int]:
    """
    The codes of all the cards of a state, wherever they lie.

    They are counted: in a packed multiset, too many of a face would look like others.
    """
    cards = Counter([*state._stock, *state._discards])
    for hand in state._hands:
        cards.update(codes(hand))
    for meld in melds_of(state):
        cards.update([one.card.code for one in meld.laid])
    for zone in state.zones:
        cards.update(zone._cards)
    if state.dealt.indicator is not None and cards:
        cards[state.dealt.indicator.code] += 1
    if state.phase == "choose":
        cards[state.frames[-1].notes[0]] += 1
    return cards


def melds_of(state: State) -> tuple[Meld, ...]:
    """
    The melds on the table, the dealer's wild last.
    """
    if state.dealer_wild is None:
        return state.table
    return (*state.table, state.dealer_wild)


def _check_turn(state: State) -> None:
    players = len(state.players)
    acting = state.to_act
    hold(
        bool(acting) == (state.phase not in RESTING),
        f"seats {acting} may act in the phase {state.phase}",
    )
    hold(
        all(0 <= seat < players for seat in acting) and len({*acting}) == len(acting),
        f"seats {acting} may act, of {players} players",
    )
    hold(
        bool(state.winners) == state.is_over,
        f"{state.winners} have won in the phase {state.phase}",
    )
    if state.rules.meld.concealed:
        _check_concealed(state)
    hold(
        bool(state.drawn.source) == any(one.phase == "play" for one in state.frames),
        f"a card drawn and the phase {state.phase} do not go together",
    )
    *below, top = [frame.phase for frame in state.frames]
    hold(
        not {top, *below} <= {*BENEATH} or tuple(below) in BENEATH[top],
        f"{state.frames} do not interrupt one another",
    )
    hold(
        state.phase in RESTING or state.idle <= state.rules.stock.idle_rounds * players,
        f"{state.idle} turns in a row made no progress, but the round goes on",
    )
    for duty in state.drawn.duties:
        hold(
            CARDS[duty.code] in state.hands[state.turn],
            f"{CARDS[duty.code]} must be played, but is no longer in the hand",
        )


def _check_concealed(state: State) -> None:
    """
    Assert that melds stay in the hand until a knock or declaration, and what it shows.
    """
    if state.is_round_over:
        return
    if state.rules.out.declares:
        hold(len(state.out) < 2, f"seats {state.out} have declared")
        hold(
            all(meld.maker in state.out for meld in state.table),
            "melds lie on the table that nobody has declared",
        )
        hold(
            all(not state.hands[seat] for seat in state.out),
            "the player who declared holds cards",
        )
        return
    knocked = state.phase == "layoff"
    hold(
        knocked == bool(state.out),
        f"seats {state.out} have knocked in the phase {state.phase}",
    )
    if not knocked:
        hold(not state.table, "melds lie on the table before a knock")
        return
    (knocker,) = state.out
    hold(state.turn != knocker, "the player who knocked would have to lay off")
    hold(
        bool(state.hands[knocker] and state.hands[state.turn]),
        "a lay-off is due, but a hand has no card",
    )
    hold(
        state.seen_in_hands[knocker] == state.hands[knocker],
        "not every player sees the knocker's deadwood",
    )


def fingerprint(state: State) -> tuple[str, ...]:
    """
    Everything that a state holds, as text, so that any change would show.

    The rules, and values computed from the state, are left out.
    """
    history = state._history
    fields = [
        f"{name}={getattr(state, name)!r}"
        for name in attrs.fields_dict(State)
        if name not in {"match", "_history", "_fits", "_known"}
    ]
    match = [str(one) for one in attrs.astuple(state.match, recurse=False)[1:]]
    melds = [f"{one!r} {one.grows} {one.real}" for one in melds_of(state)]
    past = f"{id(history)} {id(history.before)} {history.action!r}"
    return (*fields, *match, *melds, past)


def _check_hands(state: State) -> None:
    for bits in state._hands:
        held = [*codes(bits)]
        hold(
            pack(held) == bits and all(CARDS[code].rank for code in held),
            f"{bits:#x} is not a multiset of cards",
        )
    if state.phase == "choose" or state.is_round_over:
        return
    gone = state.eliminated
    for seat, hand in enumerate(state.hands):
        if seat in state.eliminated:
            _check_eliminated(state, seat)
            continue
        floats = seat in state.floating
        playing = bool(state.drawn.source) and state.turn == seat
        hold(not (floats and len(hand)) or playing, f"seat {seat} floats with {hand}")
        # A dealer whose only card stays on the table starts with an empty hand.
        bare = state.dealer_wild is not None and not state.turns[seat]
        # In the last turns a hand may be laid off on the melds that were declared.
        laid_off = bool(state.out) and state.rules.layoff.last_turns
        if seat in state.dropped:
            hold(not len(hand), f"seat {seat} has left the round, but holds cards")
            hold(
                seat not in (state.turn, *state.to_act),
                f"seat {seat} has left the round, but plays",
            )
            continue
        hold(
            len(hand) or floats or seat in (*state.out, *gone) or bare or laid_off,
            f"seat {seat} has no card, but neither floats nor is out",
        )


def _check_eliminated(state: State, seat: int) -> None:
    """
    Assert that a player who is out of the match takes no part in a round.
    """
    hold(not state.hands[seat], f"seat {seat} is out of the match, but holds cards")
    hold(
        seat not in (state.turn, state.dealer, *state.to_act, *state.floating),
        f"seat {seat} is out of the match, but plays",
    )


def _check_table(state: State, known: Collection[Meld]) -> None:
    sure = {id(meld) for meld in known}
    melds = melds_of(state)
    for meld in melds:
        if id(meld) not in sure:
            _check_meld(state.dealt.terms, meld, len(state.players))
    made = {meld.maker for meld in melds if meld.kind != "wild"}
    makers = {one for side in state.sides if made & {*side} for one in side}
    have = {seat for seat in range(len(state.players)) if state.has_meld(seat)}
    hold(
        state.from_position or makers == have,
        f"seats {sorted(makers)} made the table's melds, but {sorted(have)} have melds",
    )


def _check_meld(terms: Terms, meld: Meld, players: int) -> None:
    """
    Assert that a meld is legal, as if it were put down now as it lies.
    """
    hold(
        all(0 <= one.seat < players for one in meld.laid),
        f"no player at the table laid a card of the meld {meld}",
    )
    fresh = built(terms, meld.kind, meld.slots, meld.maker, meld.low, meld.beside)
    hold(
        (fresh.grows, fresh.real, fresh.takes_wild)
        == (meld.grows, meld.real, meld.takes_wild),
        f"the cards recorded as fitting the meld {meld} are wrong",
    )
    if meld.kind == "wild":
        hold(len(meld) == 1, f"a single wild is {len(meld)} cards")
        return
    written = tuple(played(slot.card.code, slot.stands_for) for slot in meld.slots)
    again = read_meld(terms, written, meld.maker)
    if isinstance(again, Objection):
        fail(f"the meld {meld} is not legal: {again.reason}")
    hold(
        (again.kind, again.low, Counter(map(str, again.slots)))
        == (meld.kind, meld.low, Counter(map(str, meld.slots))),
        f"the {meld.kind} {meld} reads back as the {again.kind} {again}",
    )


def _check_result(state: State) -> None:
    result = state.result
    if result is None:
        return
    hears, scores, pays = [
        {path for path, rule in state.rules.asked.get(question, ()) if rule.memory}
        for question in ("follows", "score", "pays")
    ]
    if hears & (scores | pays):
        return  # what a rule has remembered since may change what it would say
    draft = thaw(state)  # its match counts on once the round is over
    draft.match = attrs.evolve(state.match, round_number=state.round_number)
    again = round_result(draft, result.how)
    if not state.rules.effects.isdisjoint({EndRound, EndMatch}):
        again = attrs.evolve(again, rule=result.rule)  # whichever rule ended it
    hold(result == again, "the result of the round is wrong")
    hold(result.rule, "no rule ended the round")
    points = [0] * len(state.players)
    for item in result.items:
        points[item.seat] += item.points
        hold(item.rule and item.reason, f"{item} has no rule or no reason")
        check_rule(state.rules, item.rule, f"the points for {item}")
    hold(
        result.points == tuple(points),
        f"the points {result.points} are not the sum of their items, {points}",
    )
    for side in state.sides:
        hold(
            {*side} <= {*state.winners} or not {*side} & {*state.winners},
            f"only {state.winners} of the side {side} have won",
        )
    if state.rules.score.counts_table:
        itemised = Counter((item.seat, item.card) for item in result.items)
        laid: Counter[tuple[int, Card | None]] = Counter(
            (one.seat, one.card) for meld in melds_of(state) for one in meld.laid
        )
        hold(
            laid <= itemised,
            f"cards on the table are not scored: {[*(laid - itemised)]}",
        )


def check_rule(rules: Ruleset, rule: str, what: str) -> None:
    """
    Assert that a rule is in the catalogue, or is one that these rules name.
    """
    known = rule in catalogue() or rule in {one.rule for one in rules.origins.values()}
    hold(rule and known, f"{what} cites {rule!r}, which is not a rule")
