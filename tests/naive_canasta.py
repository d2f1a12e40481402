"""
Canasta a second time, from the rules and not from the code, by brute force.

Cards are texts (``9c``, ``*``), and so are actions. `could` lists what the rules of the
cards leave open, `do` does it without judging, and `legal` keeps that of it after which
the turn can still be finished. Nothing here knows the engine.
"""

from __future__ import annotations

import functools
import itertools
import re

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import attrs


Cards = tuple[str, ...]

RANKS = "456789TJQKA"
"""The ranks that melds are made of. Threes and wilds are apart."""

RED_THREES = ("3d", "3h")
BLACK_THREES = ("3c", "3s")


@attrs.frozen(cache_hash=True)
class Game:
    """
    What is agreed before the deal. The options CAV stand at the end.

    Attributes:
        players: How many play: two and three alone, four in two sides.
        hand: How many cards each is dealt.
        draws: How many cards a draw brings (CAV-03).
        to_go_out: How many canastas a side needs to go out (CAV-02).
        canasta: How many cards are a canasta.
        minimums: From which score on a side's first melds need how many points.
        target: What ends the match.
        deals: How many deals are the match instead, if not 0 (CAV-10).
        all_red: How many red threes are all.
        spare: Whether first melds may hold more melds than the minimum needs.
        one_by_one: Whether an action lays off one card, not several on a meld.
        asking: Whether "may I go out?" may be asked, where there is a partner.
        turn_black: A black three as the upcard is turned over too (CAV-01).
        always_frozen: The pile always is (CAV-04).
        closed: The top card may not go onto a canasta (CAV-05).
        no_pile: Concealed only without the pile (CAV-06).
        nothing_down: Concealed only if the side has nothing down (CAV-07).
        fewer_wilds: A meld has fewer wilds than naturals (CAV-08).
        wild_melds: Wilds alone are a meld too (CAV-09).
        wild_canasta: What a canasta of wilds alone counts; the facts do not say.
    """

    players: int = 4
    hand: int = 11
    draws: int = 1
    to_go_out: int = 1
    canasta: int = 7
    minimums: tuple[tuple[int, int], ...] = (
        (-1_000_000, 15),
        (0, 50),
        (1500, 90),
        (3000, 120),
    )
    target: int = 5000
    deals: int = 0
    all_red: int = 4
    spare: bool = True
    one_by_one: bool = True
    asking: bool = True
    turn_black: bool = False
    always_frozen: bool = False
    closed: bool = False
    no_pile: bool = False
    nothing_down: bool = False
    fewer_wilds: bool = False
    wild_melds: bool = False
    wild_canasta: int = 300

    @property
    def sides(self) -> int:
        """
        How many sides there are. Seat ``n`` is of side ``n % sides``.
        """
        return 3 if self.players == 3 else 2


FOR_TWO = Game(players=2, hand=15, draws=2, to_go_out=2)
FOR_THREE = Game(players=3, hand=13)
FOR_FOUR = Game()


@attrs.frozen(cache_hash=True)
class Spread:
    """
    A meld on the table.

    Attributes:
        side: Whose it is.
        rank: Its rank; ``3`` of black threes, ``*`` of wilds alone.
        cards: Its cards, sorted.
    """

    side: int
    rank: str
    cards: Cards


@attrs.frozen(cache_hash=True)
class State:
    """
    A deal at one moment, with everything that decides how it may go on.

    Attributes:
        game: What is agreed.
        hands: By seat, sorted.
        stock: The next card first.
        pile: The discards, the oldest first.
        table: The melds of all sides in the order in which they were laid.
        red: The red threes that lie out, by seat.
        scores: By side, as the deal began.
        seat: Whose turn it is.
        phase: ``draw``, ``play`` (has drawn), ``answer`` (the partner's) or ``over``.
        melders: Who has laid anything in an earlier turn.
        lay_before: How many melds there were when the turn began.
        took: Whether the pile was taken in this turn.
        acted: Whether anything was laid in this turn.
        added: Whether anything of that was laid on a meld of an earlier turn.
        asked: Whether the question was asked in this turn.
        answer: What the answer to it was.
        how: How the deal ended: ``out``, by whose turn it was, or ``stock``.
    """

    game: Game
    hands: tuple[Cards, ...]
    stock: Cards
    pile: Cards
    table: tuple[Spread, ...] = ()
    red: tuple[Cards, ...] = ((), (), (), ())
    scores: tuple[int, ...] = (0, 0, 0)
    seat: int = 0
    phase: str = "draw"
    melders: frozenset[int] = frozenset()
    lay_before: int = 0
    took: bool = False
    acted: bool = False
    added: bool = False
    asked: bool = False
    answer: str = ""
    how: str = ""

    @property
    def side(self) -> int:
        """
        Whose side's turn it is.
        """
        return self.seat % self.game.sides

    @property
    def hand(self) -> Cards:
        """
        The hand of the player whose turn it is.
        """
        return self.hands[self.seat]

    @property
    def to_act(self) -> int | None:
        """
        Who does something next.
        """
        if self.phase == "over":
            return None
        return (self.seat + 2) % 4 if self.phase == "answer" else self.seat


# ---------------------------------------------------------------------- cards and melds


def is_wild(card: str) -> bool:
    """
    Whether a card is wild (CAN-02).
    """
    return card[0] in "*2"


def worth(cards: Iterable[str]) -> int:
    """
    What cards count (CAN-03).
    """
    points = {"*": 50, "2": 20, "A": 20} | dict.fromkeys("89TJQK", 10)
    return sum(points.get(card[0], 5) for card in cards)


def in_order(cards: Iterable[str]) -> Cards:
    """
    Cards by rank and suit, wilds last.
    """
    return tuple(sorted(cards, key=lambda card: (f"3{RANKS}2*".index(card[0]), card)))


def without(cards: Sequence[str], gone: Iterable[str]) -> Cards:
    """
    What is left of cards.
    """
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


def parts(cards: Sequence[str]) -> list[Cards]:
    """
    Every choice of some of the cards, twins exchanged counted once.
    """
    sizes = range(1, len(cards) + 1)
    found = (itertools.combinations(in_order(cards), size) for size in sizes)
    return sorted(set(itertools.chain.from_iterable(found)))


def rank_of(game: Game, cards: Sequence[str]) -> str:
    """
    The rank of a meld; empty if the cards are none (CAN-11, CAN-12).
    """
    naturals = [card for card in cards if not is_wild(card)]
    wilds = len(cards) - len(naturals)
    if len(cards) < 3:
        return ""
    if not naturals:
        return "*" if game.wild_melds else ""
    if all(card in BLACK_THREES for card in cards):
        return "3" if len(cards) <= 4 else ""
    if len({card[0] for card in naturals}) > 1 or naturals[0][0] not in RANKS:
        return ""
    if len(naturals) < 2 or wilds > 3:
        return ""
    if game.fewer_wilds and wilds >= len(naturals):
        return ""
    return naturals[0][0]


def melds_in(game: Game, cards: Sequence[str], rank: str) -> list[Cards]:
    """
    Every meld of a rank that some of the cards make.
    """
    fitting = [card for card in cards if card[0] == rank or is_wild(card)]
    return [one for one in parts(fitting) if rank_of(game, one) == rank]


def several(game: Game, cards: Cards, ranks: str) -> Iterator[tuple[Cards, ...]]:
    """
    Every way to make melds of different ranks at once, none among them.
    """
    if not ranks:
        yield ()
        return
    yield from several(game, cards, ranks[1:])
    for meld in melds_in(game, cards, ranks[0]):
        for others in several(game, without(cards, meld), ranks[1:]):
            yield (meld, *others)


def is_canasta(game: Game, meld: Spread) -> bool:
    """
    Whether a meld is a canasta (CAN-15). Black threes are none, however few it takes.
    """
    return len(meld.cards) >= game.canasta and meld.rank != "3"


# --------------------------------------------------------------------------- what it is


def own(state: State) -> dict[int, Spread]:
    """
    The melds of the side in turn, by number.
    """
    numbered = enumerate(state.table, 1)
    return {number: meld for number, meld in numbered if meld.side == state.side}


def held_ranks(state: State) -> dict[str, int]:
    """
    The numbers of the melds of the side in turn, by rank.
    """
    return {meld.rank: number for number, meld in own(state).items()}


def minimum(state: State) -> int:
    """
    What the first melds of the side in turn have to count (CAN-13).
    """
    score = state.scores[state.side]
    table = state.game.minimums
    return [table[0][1], *(least for since, least in table if since <= score)][-1]


def is_frozen(state: State) -> bool:
    """
    Whether the pile is frozen for the side in turn (CAN-08).
    """
    for_all = any(is_wild(card) or card in RED_THREES for card in state.pile)
    return state.game.always_frozen or for_all or not own(state)


def may_go_out(state: State) -> bool:
    """
    Whether the side in turn has the canastas, and nobody said no (CAN-17, CAN-18).
    """
    canastas = [meld for meld in own(state).values() if is_canasta(state.game, meld)]
    return len(canastas) >= state.game.to_go_out and state.answer != "no"


def opens(state: State, laid: Sequence[Cards], top: str = "") -> bool:
    """
    Whether melds laid at once are enough for the first ones of a side.

    Args:
        state: Where.
        laid: What is laid of the hand; the first with the top card, if that is taken.
        top: The top card of the pile, if it is taken.
    """
    least = minimum(state)
    whole = worth(itertools.chain(*laid)) + worth([top] if top else [])
    if whole >= least:
        spared = laid[1 if top else 0 :]
        return state.game.spare or all(whole - worth(m) < least for m in spared)
    # CAN-14: the whole hand with a canasta, after a draw from the stock.
    left = len(state.hand) - sum(map(len, laid))
    big = any(len(m) >= state.game.canasta for m in laid if m[0] not in BLACK_THREES)
    return not top and left <= 1 and big


def is_concealed(state: State) -> bool:
    """
    Whether the player who went out did so concealed (CAN-19).
    """
    game, new = state.game, state.table[state.lay_before :]
    if state.seat in state.melders or state.added:
        return False
    if game.no_pile and state.took:
        return False
    if game.nothing_down and min(own(state), default=0) <= state.lay_before:
        return False
    return any(is_canasta(game, meld) for meld in new)


# -------------------------------------------------------------------------- what may be


def said(verb: str, melds: Iterable[Cards]) -> str:
    """
    An action with melds as a text.
    """
    return f"{verb} {' / '.join(' '.join(in_order(meld)) for meld in melds)}"


def spelled(text: str) -> str:
    """
    A text as this module reads it: without what wilds are said to stand for.
    """
    return re.sub(r"=\w+", "", text).replace("lay off ", "lay ")


def plain(text: str) -> str:
    """
    A text of an action such that the order of cards and of melds makes no difference.
    """
    text = spelled(text)
    verb = next((v for v in ("take all with", "meld") if text.startswith(v)), "")
    if verb:
        melds = [in_order(one.split()) for one in text[len(verb) :].split("/")]
        fixed = 1 if verb == "take all with" else 0
        return said(verb, [*melds[:fixed], *sorted(melds[fixed:])])
    if text.startswith("lay "):
        cards, _, number = text[4:].partition(" on ")
        return f"lay {' '.join(in_order(cards.split()))} on {number}"
    return text


def takes(state: State) -> Iterator[str]:
    """
    The ways to take the pile (CAN-07 to CAN-10).
    """
    game, hand = state.game, state.hand
    if not state.pile or (len(hand) == 1 and len(state.pile) == 1):
        return
    top = state.pile[-1]
    if top[0] not in RANKS:
        return
    number = held_ranks(state).get(top[0])
    if number and game.closed and is_canasta(game, state.table[number - 1]):
        return
    if number and not is_frozen(state):
        yield f"take all on {number}"
    for cards in parts([card for card in hand if card[0] == top[0] or is_wild(card)]):
        if not rank_of(game, (top, *cards)):
            continue
        naturals = sum(not is_wild(card) for card in cards)
        if naturals < 2 and is_frozen(state):
            continue
        if own(state):
            if number:
                joined = (*state.table[number - 1].cards, top, *cards)
                if not rank_of(game, joined):
                    continue
            yield said("take all with", [cards])
            continue
        ranks = "".join(rank for rank in ranks_of(game) if rank != top[0])
        for others in several(game, without(hand, cards), ranks):
            if opens(state, [cards, *others], top):
                yield said("take all with", [cards, *others])


def ranks_of(game: Game) -> str:
    """
    The ranks of all melds; black threes last.
    """
    return f"{RANKS}{'*' if game.wild_melds else ''}3"


def plays(state: State) -> Iterator[str]:
    """
    What may be laid after the draw.
    """
    game, hand, held = state.game, state.hand, held_ranks(state)
    if "3" in held:  # after black threes comes the last discard or nothing
        return
    if not held:
        for melds in several(game, hand, ranks_of(game)):
            if melds and opens(state, melds):
                yield said("meld", melds)
        return
    for rank in ranks_of(game):
        for meld in melds_in(game, hand, rank):
            if rank not in held:
                yield said("meld", [meld])
    for number, lying in own(state).items():
        fitting = [card for card in hand if card[0] == lying.rank or is_wild(card)]
        for cards in parts(fitting):
            if len(cards) == 1 or not game.one_by_one:
                if rank_of(game, (*lying.cards, *cards)) == lying.rank:
                    yield f"lay off {' '.join(cards)} on {number}"


def could(state: State) -> Iterator[str]:
    """
    What may be done, but for the question whether the turn can be finished then.
    """
    if state.phase == "draw":
        if state.stock:
            yield "draw"
        yield from takes(state)
    elif state.phase == "play":
        yield from plays(state)
        if state.answer != "yes" or len(state.hand) == 1:
            yield from (f"discard {card}" for card in sorted(set(state.hand)))
    elif state.phase == "answer":
        yield from ("yes", "no")


def is_hopeless(state: State) -> bool:
    """
    Whether the hand certainly cannot go out: so many hands need not be played through.

    A card that finds no meld is stuck, and only one can be discarded. A pair needs a
    wild, and a canasta needs the cards for it.
    """
    game, hand, held = state.game, state.hand, held_ranks(state)
    wilds = sum(map(is_wild, hand))
    number = Counter(card[0] for card in hand if not is_wild(card))
    stuck = sum(
        cards
        for rank, cards in number.items()
        if rank not in held and cards < (3 if rank == "3" else 2)
    )
    pairs = [rank for rank in number if rank not in held and number[rank] == 2]
    if stuck > 1 or len({*pairs} - {"3"}) > wilds:
        return True
    big = 0
    for rank in ranks_of(game):
        lying = state.table[held[rank] - 1].cards if rank in held else ()
        here = wilds if rank == "*" else min(wilds, 3 - sum(map(is_wild, lying)))
        big += rank != "3" and len(lying) + number[rank] + here >= game.canasta
    return big < game.to_go_out


@functools.lru_cache(maxsize=200_000)
def is_fine(state: State) -> bool:
    """
    Whether the turn is finished by the rules, or can still be (RV-03).
    """
    if state.phase == "over":
        return state.how == "stock" or may_go_out(state)
    if state.phase != "play":
        return True
    if len(state.hand) > 1 and "3" in held_ranks(state):
        return False  # black threes are the last act of a hand (CAN-12)
    if len(state.hand) > 1 and state.answer != "yes":
        return True
    if is_hopeless(state):
        return False
    return any(is_fine(do(state, text)) for text in could(state))


def legal(state: State) -> list[str]:
    """
    All legal actions.
    """
    found = [text for text in could(state) if is_fine(do(state, text))]
    if state.phase == "draw" and not state.stock:
        if found and not any(text.startswith("take all on") for text in found):
            found.append("pass")
    if state.phase == "play" and state.game.asking and state.game.players == 4:
        if not state.acted and not state.asked:
            if is_fine(attrs.evolve(state, answer="yes")):
                found.append("ask")
    return found


# --------------------------------------------------------------------- what comes of it


def apply(state: State, text: str) -> State:
    """
    The state after a legal action.
    """
    if plain(text) not in map(plain, legal(state)):
        raise ValueError(f"not legal: {text}")
    return do(state, text)


def do(state: State, text: str) -> State:
    """
    The state after an action that nobody judges.
    """
    verb, _, rest = spelled(text).partition(" ")
    if verb == "draw":
        return draw(state)
    if verb == "pass":
        return attrs.evolve(state, phase="over", how="stock")
    if verb == "ask":
        return attrs.evolve(state, phase="answer", asked=True)
    if verb in {"yes", "no"}:
        return attrs.evolve(state, phase="play", answer=verb)
    if verb == "discard":
        after = with_hand(state, without(state.hand, [rest]))
        return end_turn(attrs.evolve(after, pile=(*state.pile, rest)))
    if verb == "lay":
        cards, _, number = rest.partition(" on ")
        return or_out(lay(state, tuple(cards.split()), int(number)))
    melds = rest.removeprefix("all with ").split(" / ")
    if verb == "meld":
        for meld in melds:
            state = lay(state, tuple(meld.split()))
        return or_out(state)
    *under, top = state.pile
    state = with_hand(attrs.evolve(state, pile=(), took=True), (*state.hand, top))
    if rest.startswith("all on "):
        state = lay(state, (top,), int(rest.removeprefix("all on ")))
    else:
        first = (top, *melds[0].split())
        state = lay(state, first, held_ranks(state).get(top[0]))
        for meld in melds[1:]:
            state = lay(state, tuple(meld.split()))
    reds = tuple(card for card in under if card in RED_THREES)
    state = with_hand(state, (*state.hand, *without(under, reds)))
    return or_out(attrs.evolve(with_red(state, reds), phase="play"))


def with_hand(state: State, hand: Iterable[str]) -> State:
    """
    The state with another hand for the player in turn.
    """
    hands = list(state.hands)
    hands[state.seat] = in_order(hand)
    return attrs.evolve(state, hands=tuple(hands))


def with_red(state: State, cards: Iterable[str]) -> State:
    """
    The state with more red threes laid out by the player in turn.
    """
    red = list(state.red)
    red[state.seat] = (*red[state.seat], *cards)
    return attrs.evolve(state, red=tuple(red))


def lay(state: State, cards: Cards, number: int | None = None) -> State:
    """
    Lay cards of the hand as a new meld, or onto one.
    """
    table = list(state.table)
    if number is None:
        rank = rank_of(state.game, cards)
        table.append(Spread(state.side, rank, in_order(cards)))
    else:
        lying = table[number - 1]
        more = in_order((*lying.cards, *cards))
        table[number - 1] = attrs.evolve(lying, cards=more)
    return attrs.evolve(
        with_hand(state, without(state.hand, cards)),
        table=tuple(table),
        acted=True,
        added=state.added or (number is not None and number <= state.lay_before),
    )


def or_out(state: State) -> State:
    """
    The state, or the end of the deal if the hand is empty.
    """
    return state if state.hand else attrs.evolve(state, phase="over", how="out")


def draw(state: State) -> State:
    """
    Draw from the stock; red threes are replaced, and the last card ends play (CAN-20).
    """
    drawn = 0
    while drawn < state.game.draws and state.stock:
        card, stock = state.stock[0], state.stock[1:]
        state = attrs.evolve(state, stock=stock)
        if card not in RED_THREES:
            state, drawn = with_hand(state, (*state.hand, card)), drawn + 1
        else:
            state = with_red(state, [card])
            if not stock:
                return attrs.evolve(state, phase="over", how="stock")
    return attrs.evolve(state, phase="play")


def end_turn(state: State) -> State:
    """
    The state after a discard: the next turn, or the end of the deal.
    """
    if not state.hand:
        return or_out(state)
    done = {state.seat} if state.acted else set()
    return begin_turn(
        attrs.evolve(
            state,
            seat=(state.seat + 1) % state.game.players,
            melders=state.melders | done,
        )
    )


def begin_turn(state: State) -> State:
    """
    The state as a turn begins; without a stock and a take the deal is over (CAN-20).
    """
    state = attrs.evolve(
        state,
        phase="draw",
        lay_before=len(state.table),
        took=False,
        acted=False,
        added=False,
        asked=False,
        answer="",
    )
    if state.stock or any(is_fine(do(state, text)) for text in takes(state)):
        return state
    return attrs.evolve(state, phase="over", how="stock")


def deal(
    game: Game, cards: Sequence[str], dealer: int = 0, scores: Sequence[int] = (0, 0, 0)
) -> State:
    """
    The state after a deal (CAN-04, CAN-05).

    Args:
        game: What is agreed.
        cards: The whole deck, the card dealt first in front.
        dealer: Who deals; the seat after that is dealt the first card, and begins.
        scores: By side.
    """
    seats = [(dealer + 1 + n) % game.players for n in range(game.players)]
    hands: list[list[str]] = [[] for _ in seats]
    red: list[Cards] = [() for _ in seats]
    stock = list(cards)
    for _ in range(game.hand):
        for seat in seats:
            hands[seat].append(stock.pop(0))
    for seat in seats:
        while threes := [card for card in hands[seat] if card in RED_THREES]:
            hands[seat].remove(threes[0])
            red[seat] = (*red[seat], threes[0])
            hands[seat].append(stock.pop(0))
    pile = [stock.pop(0)]
    while is_wild(pile[-1]) or (
        pile[-1] in (RED_THREES + BLACK_THREES if game.turn_black else RED_THREES)
    ):
        pile.append(stock.pop(0))
    return begin_turn(
        State(
            game,
            hands=tuple(in_order(hand) for hand in hands),
            stock=tuple(stock),
            pile=tuple(pile),
            red=tuple(red),
            scores=tuple(scores),
            seat=seats[0],
        )
    )


# ----------------------------------------------------------------------- what it brings


def points(state: State, side: int) -> int:
    """
    What a deal that is over brings a side (CAN-22).
    """
    game = state.game
    melds = [meld for meld in state.table if meld.side == side]
    total = 0
    for meld in melds:
        total += worth(meld.cards)
        if is_canasta(game, meld):
            natural = not any(map(is_wild, meld.cards))
            total += 500 if natural else 300 if meld.rank != "*" else game.wild_canasta
    if state.how == "out" and state.side == side:
        total += 200 if is_concealed(state) else 100
    seats = range(side, game.players, game.sides)
    reds = sum(len(state.red[seat]) for seat in seats)
    bonus = 800 if reds and reds == game.all_red else 100 * reds
    total += bonus if melds else -bonus
    return total - sum(worth(state.hands[seat]) for seat in seats)


def winner(game: Game, totals: Sequence[int], deals: int) -> int | None:
    """
    The side that has won the match after so many deals, if one has (CAN-23, CAV-10).
    """
    best = max(totals)
    if deals < game.deals if game.deals else best < game.target:
        return None
    first = [side for side, total in enumerate(totals) if total == best]
    return first[0] if len(first) == 1 else None
