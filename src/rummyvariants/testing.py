"""
The test kit: what must hold of every game, as functions that take a ruleset.

They are for policies and rules of your own; `check_ruleset` is the one call that does
all. Nothing but the library is needed: whatever does not hold is an `AssertionError`
with a sentence that says what, and a test runner of any kind shows it.
"""

from __future__ import annotations

import copy
import itertools
import pickle

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, NoReturn

import attrs

from rummyvariants.actions import (
    Action,
    CallRummy,
    Choose,
    Deal,
    Discard,
    Draw,
    Knock,
    LayDown,
    LayOff,
    Pass,
    PutDown,
    Split,
    Swap,
    Take,
    parse_action,
)
from rummyvariants.cards import CARDS, UNIT, Card, codes, pack, show, size
from rummyvariants.chance import Chance
from rummyvariants.engine.beginning import begin, next_deal
from rummyvariants.engine.game import apply, check, step
from rummyvariants.melds import Meld, Played, built
from rummyvariants.moves import legal_actions
from rummyvariants.reading import read_meld
from rummyvariants.records import Record, record, replay
from rummyvariants.ruleset import Ruleset, preset
from rummyvariants.rulings import IllegalAction, Objection, Ruling, catalogue
from rummyvariants.scoring import round_result
from rummyvariants.shapes import RandRange
from rummyvariants.state import State
from rummyvariants.terms import Terms


__all__ = [
    "BrokenInvariantError",
    "check_legality",
    "check_record",
    "check_rules",
    "check_ruleset",
    "check_secrecy",
    "check_state",
    "check_step",
    "do",
    "play_match",
]

_ACTING: Final = frozenset(
    {"choose", "draw", "play", "call", "discard", "offer", "layoff"}
)
_DEALS_AT_MOST: Final = 200
_NONSENSE: Final = 1_000
"""A number of cards, or of a meld, that no game comes to."""


class BrokenInvariantError(AssertionError):
    """
    Something that must hold of every game did not.

    Attributes:
        state: The last state in which all was well; None if there was none.
        action: What was done in it; None if nothing was.
    """

    def __init__(
        self, message: str, state: State | None = None, action: Action | None = None
    ) -> None:
        super().__init__(message)
        self.state = state
        self.action = action


def _hold(condition: object, *told: object) -> None:
    """
    Raise an error that tells what does not hold, unless the condition does.
    """
    if not condition:
        _fail(" ".join(map(str, told)))


def _fail(message: str) -> NoReturn:
    raise BrokenInvariantError(message)


# --------------------------------------------------------------------------- states


def check_state(state: State) -> None:
    """
    Assert what must hold of a state.

    No card is lost or made, somebody can act or a deal is due, every meld on the table
    is one by the rules, and every point of a round has its reason and its rule. Where a
    game began from a position made by hand, cards may be out of play.

    Raises:
        AssertionError: If something does not hold.
    """
    _check_state(state, ())


def _check_state(state: State, known: Collection[Meld]) -> None:
    """
    As `check_state`, but for melds that are known to be some.
    """
    if state.phase == "deal" and state.result is None:
        _hold(not _cards_of(state), "cards are about while a deal is due")
        _hold(not state.to_act, "somebody is to act while a deal is due")
        return
    deck = pack(state.rules.deck.cards_for(len(state.players)))
    found = _cards_of(state)
    if found != deck:
        there, wanted = Counter(codes(found)), Counter(codes(deck))
        more = show((there - wanted).elements())
        less = show((wanted - there).elements())
        if more or not state.from_position:
            told = f"{more or 'no card'} too many, {less or 'no card'} is missing"
            _fail(f"the deck is not whole: {told}")
    _check_turn(state)
    _check_hands(state)
    _check_table(state, known)
    if state.is_round_over:
        _check_result(state)


def _cards_of(state: State) -> int:
    """
    All the cards of a state, wherever they lie, as a multiset.
    """
    cards = sum(state._hands) + pack(state._stock) + pack(state._discards)
    for meld in _melds(state):
        for one in meld.laid:
            cards += UNIT[one.card.code]
    if state.dealt is not None and state.dealt.indicator is not None and cards:
        cards += UNIT[state.dealt.indicator.code]
    if state.dealing is not None:
        cards += UNIT[state.dealing.upcard]
    return cards


def _melds(state: State) -> tuple[Meld, ...]:
    if state.dealer_wild is None:
        return state.table
    return (*state.table, state.dealer_wild)


def _check_turn(state: State) -> None:
    players = len(state.players)
    acting = state.to_act
    _hold(
        bool(acting) == (state.phase in _ACTING),
        f"seats {acting} are to act in the phase {state.phase}",
    )
    _hold(
        all(0 <= seat < players for seat in acting) and len({*acting}) == len(acting),
        f"seats {acting} are to act, of {players} players",
    )
    _hold(
        bool(state.winners) == state.is_over,
        f"{state.winners} have won in the phase {state.phase}",
    )
    if state.rules.meld.concealed:
        _check_concealed(state)
    for name, present, phases in (
        ("a window for calls", state.window, {"call", "discard"}),
        ("a card drawn", state.drawn, {"play"}),
        ("a hand size to choose", state.dealing, {"choose"}),
    ):
        _hold(
            (present is not None) == (state.phase in phases),
            f"{name} and the phase {state.phase} do not go together",
        )
    if state.phase in _ACTING:
        _hold(
            state.idle <= state.rules.stock.idle_rounds * players,
            f"{state.idle} turns in a row moved nothing, and the round goes on",
        )
    if state.drawn is not None:
        for duty in state.drawn.duties:
            _hold(
                CARDS[duty.code] in state.hands[state.turn],
                f"{CARDS[duty.code]} is owed, and no longer in the hand",
            )


def _check_concealed(state: State) -> None:
    """
    Assert that melds stay in the hand until somebody knocks, and what a knock shows.
    """
    if state.is_round_over:
        return
    knocked = state.phase == "layoff"
    _hold(
        knocked == bool(state.out),
        f"seats {state.out} have knocked in the phase {state.phase}",
    )
    if not knocked:
        _hold(not state.table, "melds lie on the table before a knock")
        return
    knocker = state.out[0]
    _hold(state.turn != knocker, "who knocked would have to lay off")
    _hold(
        len(state.hands[knocker]) and all(len(hand) for hand in state.hands),
        "a hand without a card is to be laid off on, or from",
    )
    _hold(
        state.seen_in_hands[knocker] == state.hands[knocker],
        "what a knocker has left is not seen by all",
    )


def _check_hands(state: State) -> None:
    if state.phase == "choose" or state.is_round_over:
        return
    for seat, hand in enumerate(state.hands):
        floats = seat in state.floating
        playing = state.phase == "play" and state.turn == seat
        _hold(not (floats and len(hand)) or playing, f"seat {seat} floats with {hand}")
        # A dealer whose one card stays on the table begins with an empty hand.
        bare = state.dealer_wild is not None and not state.turns[seat]
        _hold(
            len(hand) or floats or seat in state.out or bare,
            f"seat {seat} has no card, and neither floats nor is out",
        )


def _check_table(state: State, known: Collection[Meld]) -> None:
    if state.dealt is None:
        return
    sure = {id(meld) for meld in known}
    melds = _melds(state)
    for meld in melds:
        if id(meld) not in sure:
            _check_meld(state.dealt.terms, meld, len(state.players))
    makers = {meld.maker for meld in melds if meld.kind != "wild"}
    if state.rules.match.sides != "none":
        makers = {one for side in state.sides if makers & {*side} for one in side}
    have = {seat for seat in range(len(state.players)) if state.has_meld(seat)}
    _hold(
        state.from_position or makers == have,
        f"seats {sorted(makers)} made the melds on the table, {sorted(have)} have one",
    )


def _check_meld(terms: Terms, meld: Meld, players: int) -> None:
    """
    Assert that a meld is one, as if it were put down now as it lies.
    """
    _hold(
        all(0 <= one.seat < players for one in meld.laid),
        f"a card of the meld {meld} was laid by nobody at the table",
    )
    fresh = built(terms, meld.kind, meld.slots, meld.maker, meld.low, meld.beside)
    _hold(
        (fresh.grows, fresh.real, fresh.takes_wild)
        == (meld.grows, meld.real, meld.takes_wild),
        f"what fits the meld {meld} is not what should fit it",
    )
    if meld.kind == "wild":
        _hold(len(meld) == 1, f"a single wild of {len(meld)} cards")
        return
    written = tuple(Played(slot.card, slot.stands_for) for slot in meld.slots)
    again = read_meld(terms, written, meld.maker)
    if isinstance(again, Objection):
        _fail(f"the meld {meld} is none: {again.reason}")
    _hold(
        (again.kind, again.low, Counter(map(str, again.slots)))
        == (meld.kind, meld.low, Counter(map(str, meld.slots))),
        f"the {meld.kind} {meld} reads back as the {again.kind} {again}",
    )


def _check_result(state: State) -> None:
    result = state.result
    if result is None:
        return
    _hold(
        result == round_result(state, result.how), "the round comes to another result"
    )
    _hold(result.rule, "no rule ended the round")
    points = [0] * len(state.players)
    for item in result.items:
        points[item.seat] += item.points
        _hold(item.rule and item.reason, f"{item} has no rule or no reason")
        _check_rule(state.rules, item.rule, f"the points for {item}")
    _hold(
        result.points == tuple(points),
        f"the points {result.points} are not the sum of their items, {points}",
    )
    if state.rules.score.down == "add":
        itemised = Counter((item.seat, item.card) for item in result.items)
        laid: Counter[tuple[int, Card | None]] = Counter(
            (one.seat, one.card) for meld in _melds(state) for one in meld.laid
        )
        _hold(
            laid <= itemised,
            f"cards on the table are not scored: {[*(laid - itemised)]}",
        )


def _check_rule(rules: Ruleset, rule: str, what: str) -> None:
    """
    Assert that a rule is one of the catalogue, or one that these rules name.
    """
    _hold(
        rule
        and (
            rule in catalogue() or rule in {one.rule for one in rules.origins.values()}
        ),
        f"{what} cites {rule!r}, which is no rule",
    )


# ---------------------------------------------------------------------------- steps


def do(before: State, action: Action | str) -> State:
    """
    Do an action, and assert what must hold of the step; else as `apply`.

    Raises:
        AssertionError: If something does not hold.
    """
    number = hash(before)
    done = step(before, action)
    again = apply(before, action)
    _hold(done.before is before, "a step begins in another state")
    _hold(done.after == again, f"{action} done twice comes to different states")
    _hold(hash(done.after) == hash(again), "equal states have different hashes")
    _hold(hash(before) == number, f"{action} changed the state that it was done in")
    for event in done.events:
        for seat in (None, *range(len(before.players))):
            event.seen_by(seat)
    check_step(before, done.action, done.after)
    return done.after


def check_step(before: State, action: Action, after: State) -> None:
    """
    Assert what must hold between a state and the one that a legal action led to.

    Cards go where the action says and nowhere else, who laid a card is kept, the stock
    is drawn from above, and totals change with the end of a round alone.

    Raises:
        AssertionError: If something does not hold.
    """
    _hold(after._history.action == action, f"{action} is not written down")
    _hold(after.rules == before.rules, f"{action} changed the rules")
    _hold(after.players == before.players, f"{action} changed the players")
    _check_totals(before, action, after)
    if isinstance(action, Deal | Choose):
        return
    _hold(
        _cards_of(before) == _cards_of(after),
        f"{action} lost or made cards",
    )
    if after.turned == before.turned or after.is_round_over:
        _hold(
            before._stock.endswith(after._stock),
            f"{action} changed the order of the stock",
        )
    else:
        _hold(
            not before._stock and after.turned == before.turned + 1,
            f"{action} turned the discard pile over while there was a stock",
        )
    paying = -1
    if isinstance(action, CallRummy) and before.rules.call.penalty != "none":
        paying = before.window.finisher if before.window else -1
    for seat in range(len(before.players)):
        _hold(
            after.has_meld(seat) or not before.has_meld(seat),
            f"{action} took the meld of seat {seat} away",
        )
        old, new = before._hands[seat], after._hands[seat]
        drew = seat in before.floating and size(new) == 1
        _hold(
            old == new or drew or seat in {action.seat, paying},
            f"{action} changed the hand of seat {seat}",
        )
    # Melds that were not touched are the same objects.
    same = {id(meld) for meld in _melds(before)} & {id(meld) for meld in _melds(after)}
    gone = _laid(before, same) - _laid(after, same)
    _hold(
        gone.total() == isinstance(action, Swap),
        f"{action} took {[*gone] or 'nothing'} from the table",
    )


def _laid(state: State, known: Collection[int]) -> Counter[tuple[str, int]]:
    """
    The cards on the table with who laid them, but for melds that are known.
    """
    return Counter(
        (str(one.card), one.seat)
        for meld in _melds(state)
        if id(meld) not in known
        for one in meld.laid
    )


def _check_totals(before: State, action: Action, after: State) -> None:
    ended = after.match.round_number - before.match.round_number
    gained = tuple(
        new - old for old, new in zip(before.scores, after.scores, strict=True)
    )
    if not ended:
        _hold(not any(gained), f"{action} gave points before the round was over")
        return
    _hold(ended == 1, f"{action} ended {ended} rounds")
    _hold(after.is_round_over, f"{action} ended the round, and it goes on")
    _hold(
        after.result is not None and after.result.points == gained,
        f"the totals changed by {gained}, not by the points of the round",
    )


# -------------------------------------------------------------------------- legality


def check_legality(
    state: State, limit: int = 40, *, randrange: RandRange | None = None
) -> None:
    """
    Assert that all ways to ask what is legal agree.

    What is listed is legal one by one, by ``in``, and as text; actions at random are
    legal; nonsense is refused by a rule, and `apply` refuses with the same ruling.

    Args:
        state: The state.
        limit: How many legal actions are looked at.
        randrange: A source of chance; the same each time by default.

    Raises:
        AssertionError: If something does not hold.
    """
    randrange = randrange or Chance("legality", state.match.round_number).below
    legal = legal_actions(state)
    if not state.to_act:
        _hold(not legal and not list(legal), "nobody may act, and something is legal")
        return
    listed = list(itertools.islice(legal, limit))
    _hold(legal, "somebody is to act, and nothing is legal")
    _hold(len(set(listed)) == len(listed), f"an action is listed twice: {listed}")
    for seat in state.to_act:
        _hold(legal_actions(state, seat), f"seat {seat} is to act, and cannot")
    for action in listed:
        _check_permission(state, action, "is listed")
    for _ in range(min(limit, 6)):
        action = legal.sample(randrange)
        _check_permission(state, action, "comes at random")
        if len(listed) < limit and not _has_wilds(state, action):
            _hold(
                _meaning(action) in map(_meaning, listed),
                f"{action} comes at random, and is not listed",
            )
    for action in _nonsense(state, randrange):
        ruling = check(state, action)
        _hold(
            (action in legal) == bool(ruling),
            f"whether {action} is legal depends on how one asks",
        )
        if not ruling:
            _check_refusal(state, action, ruling)
        elif len(listed) < limit and not _has_wilds(state, action):
            _hold(
                _meaning(action) in map(_meaning, listed),
                f"{action} is legal, and not listed",
            )


def _check_permission(state: State, action: Action, how: str) -> None:
    ruling = check(state, action)
    _hold(ruling, f"{action} {how}, but refused: {ruling}")
    _hold(action in legal_actions(state), f"{action} {how}, but not legal by 'in'")
    _check_rule(state.rules, ruling.rule, f"leave for {action}")
    text = str(action)
    _hold(
        parse_action(text, action.seat) == action,
        f"{action} reads back as {parse_action(text, action.seat)}",
    )
    _hold(check(state, text, action.seat), f"{action} {how}, but not legal as text")


def _check_refusal(state: State, action: Action, ruling: Ruling) -> None:
    _hold(ruling.reason, f"{action} is refused without a reason")
    for rule in ruling.cites:
        _check_rule(state.rules, rule, f"the refusal of {action}")
    try:
        apply(state, action)
    except IllegalAction as error:
        _hold(
            error.ruling == ruling,
            f"{action} is refused twice over: {ruling}, and {error.ruling}",
        )
    else:
        _fail(f"{action} is refused, and done: {ruling}")


def _has_wilds(state: State, action: Action) -> bool:
    """
    Whether an action names a wild: there are many ways to write what those mean.
    """
    if state.dealt is None:
        return False
    wild = state.dealt.terms.wild
    if isinstance(action, Knock):
        return any(wild[one.card.code] for cards in action.melds or () for one in cards)
    if not isinstance(action, LayDown | LayOff | CallRummy):
        return False
    return any(wild[one.card.code] for one in action.cards)


def _meaning(action: Action) -> tuple[object, ...]:
    """
    What an action does, however its cards were ordered; the end of a run is left out.
    """
    if isinstance(action, LayDown | LayOff | CallRummy):
        cards = tuple(sorted(str(one.card) for one in action.cards))
        meld = None if isinstance(action, LayDown) else action.meld
        return type(action), cards, meld, action.seat
    if isinstance(action, Knock):
        melds = [tuple(sorted(map(str, one))) for one in action.melds or ()]
        return type(action), action.card, tuple(sorted(melds)), action.seat
    return (action,)


def _nonsense(state: State, randrange: RandRange) -> Iterator[Action]:
    """
    Actions of which most make no sense, and a few of which may.
    """
    players = len(state.players)
    seats = dict.fromkeys((state.to_act[0], randrange(players), players, -1))
    for seat in seats:
        yield Draw(seat)
        yield Pass(seat)
        yield Take(0, seat)
        yield Take(1 + randrange(len(state.discards) + 1), seat)
        yield Take(_NONSENSE, seat)
        yield Choose(_NONSENSE, seat)
        yield Split(1, 3, seat)
        yield Split(_NONSENSE, 3, seat)
        hand = list(state.hands[seat]) if 0 <= seat < players else []
        pile = list(state.discards)
        any_card = CARDS[randrange(len(CARDS))]
        some = hand or pile or [any_card]
        for card in (some[randrange(len(some))], any_card):
            if card.rank:
                yield Discard(card, seat)
                yield PutDown(card, seat)
                yield Swap(card, randrange(len(state.table) + 2), seat)
        yield Knock(some[0], (), seat)
        yield Knock(None, (), seat)
        for cards in (hand, pile, hand + pile):
            chosen = _some(cards, randrange)
            if chosen:
                number = randrange(len(state.table) + 2)
                yield LayDown(chosen, seat)
                yield LayOff(chosen[:1], number, seat=seat)
                yield LayOff(chosen, number, "low", seat)
                yield LayOff(chosen, _NONSENSE, seat=seat)
                yield CallRummy(chosen, seat=seat)
                yield CallRummy(chosen[:1], number, seat=seat)
                yield Knock(some[0], (chosen,), seat)
                yield Knock(None, (chosen, chosen), seat)
    yield Deal((), 0)
    yield Deal(tuple(map(CARDS.__getitem__, (0, 1))), players)


def _some(cards: Sequence[Card], randrange: RandRange) -> tuple[Played, ...]:
    """
    A few of some cards, those of one rank or suit rather than others.
    """
    if not cards:
        return ()
    first = cards[randrange(len(cards))]
    if randrange(2):
        kin = [card for card in cards if card.rank == first.rank]
    else:
        kin = [card for card in cards if card.suit == first.suit]
        kin = sorted(dict.fromkeys(kin), key=lambda card: card.code)
        at = randrange(len(kin))
        kin = kin[at : at + 3 + randrange(2)]
    return tuple(Played(card) for card in kin[: 3 + randrange(3)])


# --------------------------------------------------------------------------- secrets


def check_secrecy(
    state: State, limit: int = 40, *, randrange: RandRange | None = None
) -> None:
    """
    Assert that what a seat may do does not depend on cards that it cannot see.

    Raises:
        AssertionError: If something does not hold.
    """
    randrange = randrange or Chance("secrecy", state.match.round_number).below
    for seat in state.to_act:
        other = _mixed(state, seat, randrange)
        here = list(itertools.islice(legal_actions(state, seat), limit))
        there = list(itertools.islice(legal_actions(other, seat), limit))
        _hold(
            here == there,
            f"what seat {seat} may do depends on hidden cards:",
            [str(one) for one in here if one not in there],
            "or",
            [str(one) for one in there if one not in here],
        )
        for action in here:
            if isinstance(action, Discard | Pass) and other.phase != "discard":
                after, elsewhere = apply(state, action), apply(other, action)
                if after.is_round_over and elsewhere.is_round_over:
                    continue
                _hold(
                    (after.phase, after.to_act) == (elsewhere.phase, elsewhere.to_act),
                    f"what follows {action} of seat {seat} depends on hidden cards:",
                    f"{after.phase} of {after.to_act},",
                    f"or {elsewhere.phase} of {elsewhere.to_act}",
                )


def _mixed(state: State, seat: int, randrange: RandRange) -> State:
    """
    A state that looks the same to a seat: the cards it cannot see exchanged.
    """
    hidden = list(state.stock)
    for other, hand in enumerate(state.hands):
        if other != seat:
            hidden += hand
    for last in range(len(hidden) - 1, 0, -1):
        at = randrange(last + 1)
        hidden[last], hidden[at] = hidden[at], hidden[last]
    hands = []
    for other, hand in enumerate(state.hands):
        if other == seat:
            hands.append(hand.bits)
        else:
            hands.append(type(hand).of(hidden[: len(hand)]).bits)
            del hidden[: len(hand)]
    stock = bytes(card.code for card in hidden)
    return attrs.evolve(state, hands=tuple(hands), stock=stock)


# ---------------------------------------------------------------------------- records


def check_record(state: State) -> None:
    """
    Assert that a game can be written down and played again.

    Raises:
        AssertionError: If something does not hold.
    """
    written = record(state)
    text = str(written)
    read = Record.parse(text)
    _hold(read == written, "the record reads back as another one")
    again = replay(read)
    _hold(again == state, "the record leads to another state")
    _hold(again.scores == state.scores, "the record leads to other totals")
    _hold(str(record(again)) == text, "the game played again has another record")
    _hold(
        pickle.loads(pickle.dumps(state)) == state,  # noqa: S301 -- of our own making
        "the state comes out of a pickle as another one",
    )


# ---------------------------------------------------------------------------- matches


Look = Callable[[State, int], None]


def play_match(
    rules: Ruleset | str,
    players: int | Sequence[str],
    seed: int | str = 0,
    limit: int = 2_000,
    *,
    every: int = 8,
    look: Look | None = None,
) -> State:
    """
    Let random players play a match, and assert what must hold of all of it.

    Every state and every step is looked at, legality and secrecy now and then, the
    record at the end.

    Args:
        rules: The rules, or the name of a preset.
        players: How many play, or their names.
        seed: What the shuffles and the choices come from.
        limit: After how many actions the match is left as it is.
        every: Of how many states one is looked at for all that is legal in it.
        look: Further checks: told each state, and its number from 0.

    Returns:
        The last state.

    Raises:
        RulesError: If there is no such game for so many players.
        AssertionError: If something does not hold; with the state before.
    """
    if isinstance(rules, str):
        rules = preset(rules)
    state = begin(rules, players, seed=seed)
    # Two streams, so that the match is the same however closely it is looked at.
    randrange = Chance(str(seed), "random players").below
    looks = Chance(str(seed), "looks").below
    action: Action | None = None
    before = state
    try:
        for number in range(limit):
            if state.is_over:
                break
            before, action = state, None
            action = _next_action(state, randrange)
            if action is None:
                break
            state = do(state, action)
            _check_state(state, _melds(before))
            _check_pace(state)
            if number % every == 0 or not state.to_act:
                check_legality(state, randrange=looks)
                check_secrecy(state, randrange=looks)
            if look is not None:
                look(state, number)
        before, action = state, None
        check_record(state)
    except Exception as error:
        done = len(before.history)
        last = "" if action is None else f", then seat {action.seat}: {_short(action)}"
        msg = (
            f"{rules.name} with {', '.join(rules.options) or 'no options'}, "
            f"{len(before.players)} players, seed {seed!r}, after {done} actions"
            f"{last}: {type(error).__name__}: {error}"
        )
        raise BrokenInvariantError(msg, before, action) from error
    return state


def _next_action(state: State, randrange: RandRange) -> Action | None:
    """
    The next deal, or what a random player does; None if no deal could succeed.
    """
    if state.phase == "deal":
        if state.match.thrown_in >= _DEALS_AT_MOST:
            return None
        return next_deal(state)
    return legal_actions(state).sample(randrange)


def _short(action: Action) -> str:
    return "deal" if isinstance(action, Deal) else str(action)


def _check_pace(state: State) -> None:
    """
    Assert that a round comes to its end: so many cards, so many turns (RV-01).
    """
    if state.phase not in _ACTING:
        return
    players = len(state.players)
    cards = len(state.rules.deck.cards_for(players))
    most = (2 * cards + 2) * (state.rules.stock.idle_rounds * players + 1)
    # Between two turnings a card reaches the table, and each card of it is followed by
    # one turning at most; a wild that is traded for reaches it again.
    _hold(
        state.turned <= 2 * cards + 1,
        f"the discard pile was turned over {state.turned} times",
    )
    most *= 1 + state.turned
    _hold(sum(state.turns) <= most, f"the round is in its turn {sum(state.turns)}")


def check_rules(rules: Ruleset) -> None:
    """
    Assert what must hold of a ruleset by itself, before anything is played.

    Raises:
        AssertionError: If something does not hold.
    """
    _hold(hash(rules) == hash(rules), "a ruleset has to have one hash")
    same = rules.with_options()
    _hold(same == rules, "the rules put together again are others")
    _hold(not rules.diff(same), "the rules differ from themselves")
    _hold(
        copy.deepcopy(rules) == rules,
        "a copy of the rules is another",
    )
    for path in rules.values():
        _hold(rules.origin(path).rule, f"no rule stands behind {path}")
    _hold(rules.describe().strip(), "the rule sheet says nothing")


def check_ruleset(
    rules: Ruleset | str,
    players: int | Sequence[int] | None = None,
    matches: int = 3,
    seed: int = 0,
) -> None:
    """
    Assert all that must hold of a game, by random matches.

    Args:
        rules: The rules, or the name of a preset.
        players: How many play, or several numbers to try; by default the least and the
            most that the rules allow.
        matches: How many matches are played with each number of players.
        seed: The first seed; the others follow it.

    Raises:
        RulesError: If there is no such game for so many players.
        AssertionError: If something does not hold.
    """
    if isinstance(rules, str):
        rules = preset(rules)
    check_rules(rules)
    if players is None:
        players = tuple(dict.fromkeys(rules.match.players))
    numbers = (players,) if isinstance(players, int) else tuple(players)
    for number in numbers:
        for match in range(matches):
            play_match(rules, number, seed + match)
