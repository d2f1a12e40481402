"""
The twin of Canasta by itself: the worked examples, and every state of tiny decks.

At the end the engine beside it, with sets of options and few cards at random.
"""

from __future__ import annotations

import random

from collections import Counter, deque

import attrs
import pytest

import composition
import rummyvariants as rv

from amounts import every_third
from canasta_twin import match_beside
from naive_canasta import (
    FOR_FOUR,
    FOR_THREE,
    FOR_TWO,
    Cards,
    Game,
    Spread,
    State,
    apply,
    deal,
    do,
    in_order,
    is_canasta,
    is_concealed,
    legal,
    minimum,
    own,
    plain,
    points,
    winner,
)


REST = "4d 5d 6s 8h"
"""A hand of somebody who is not asked."""

CANASTA = "Kc Kd Kh Ks Kc Kd Kh"


def cards(text: str) -> Cards:
    return in_order(text.split())


def state(
    hand: str,
    *table: str,
    game: Game = FOR_FOUR,
    pile: str = "7c",
    stock: str = "4c 5c 6c 7d",
    phase: str = "play",
    score: int = 0,
    **more: object,
) -> State:
    """
    Seat 0 is in turn; melds are those of side 0, or ``1: 9c 9d 9h`` of the other.
    """
    spreads = []
    for text in table:
        side, _, lying = text.rpartition(":")
        meld = cards(lying)
        spreads.append(Spread(int(side or 0), meld[0][0], meld))
    start = State(
        game,
        hands=(cards(hand), *(cards(REST) for _ in range(game.players - 1))),
        stock=tuple(stock.split()),
        pile=tuple(pile.split()),
        table=tuple(spreads),
        lay_before=len(spreads),
        scores=(score, 0, 0),
        phase=phase,
    )
    return attrs.evolve(start, **more)  # type: ignore[arg-type]


def may(where: State, text: str) -> bool:
    return plain(text) in map(plain, legal(where))


# ------------------------------------------------------------------------- the examples


def test_example_1_the_minimum() -> None:
    hand = "Kc Kd Kh Ac Ad Ah 4s 5s 6d 9c 9h Jc"
    where = state(hand, score=1620)
    assert may(where, "meld Kc Kd Kh / Ac Ad Ah")
    assert not may(where, "meld Kc Kd Kh")
    assert not may(state(hand, score=3000), "meld Kc Kd Kh / Ac Ad Ah")
    assert not may(state(hand, score=3000), "meld Kc Kd Kh")
    scores = (-5, 0, 1495, 1500, 2995, 3000)
    assert [minimum(state(hand, score=n)) for n in scores] == [15, 50, 50, 90, 90, 120]


def test_example_2_a_frozen_pile() -> None:
    pile = "4h 5h 6h 2c 7h 8c Jd 9s"
    one = state("9c 2d 4c 5c", "9c 9d 9h", pile=pile, phase="draw")
    assert legal(one) == ["draw"]
    two = state("9c 9h 4c 5c", "9c 9d 9h", pile=pile, phase="draw")
    assert legal(two) == ["draw", "take all with 9c 9h"]
    after = apply(two, "take all with 9h 9c")
    assert [len(meld.cards) for meld in after.table] == [6]
    assert after.hand == cards("4c 5c 4h 5h 6h 2c 7h 8c Jd")


def test_example_3_a_score() -> None:
    red = (("3d",), ("3d", "3h"), ("3h",), ())
    melds = ("Kc Kd Kh Ks Kc Kd Kh", "5c 5d 5h 5s 5c 2c 2d", "Ac Ad Ah")
    end = state("", *melds, phase="over", how="out", red=red, melders=frozenset({0}))
    hands = ((), cards("* Ac Ad"), cards("* 4c"), cards("2s 4c 5c"))
    end = attrs.evolve(end, hands=hands)
    assert points(end, 0) == 1240
    assert points(end, 1) == -320


# ----------------------------------------------------------------------------- the pile


def test_the_ways_to_take() -> None:
    meld = "9c 9d 9h"
    where = state("8c 8d 2c 4c", meld, pile="7c 8s", phase="draw")
    assert set(legal(where)) == {
        "draw",
        "take all with 8c 8d",
        "take all with 8c 2c",
        "take all with 8d 2c",
        "take all with 8c 8d 2c",
    }
    where = state("9c 4s 4c", meld, pile="7c 9s", phase="draw")
    assert legal(where) == ["draw", "take all on 1"]
    other = state("9c 4s 4c", f"1: {meld}", pile="7c 9s", phase="draw")
    assert legal(other) == ["draw"]
    for top in ("2c", "*", "3c"):
        where = state("3s 3c 2d * 4c", meld, pile=f"7c {top}", phase="draw")
        assert legal(where) == ["draw"]


def test_a_black_three_freezes_nothing() -> None:
    where = state("9c 4s 4c", "9c 9d 9h", pile="3c 9s", phase="draw")
    assert may(where, "take all on 1")


def test_one_card_and_a_pile_of_one() -> None:
    meld = " ".join(["9c 9d 9h"] * 3)
    assert legal(state("9c", meld, pile="9s", phase="draw")) == ["draw"]
    assert may(state("9c", meld, pile="4c 9s", phase="draw"), "take all on 1")
    assert may(state("9c 4c", meld, pile="9s", phase="draw"), "take all on 1")


def test_the_minimum_counts_the_top_card_alone() -> None:
    where = state("9c 9h 7d 7h 2c 4c", pile="7c 7s Ac 9s", phase="draw")
    assert not may(where, "take all with 9c 9h")
    assert may(where, "take all with 9c 9h 2c")
    assert may(where, "take all with 9c 9h / 7d 7h 2c")
    assert not may(where, "take all with 9c 2c / 7d 7h 9h")
    after = apply(where, "take all with 9c 9h / 7h 7d 2c")
    assert after.hand == cards("4c 7c 7s Ac")
    assert [meld.rank for meld in after.table] == ["9", "7"]


def test_a_red_three_in_the_pile() -> None:
    where = state("9c 9h Ac Ad Ah 4c 4d", pile="3d 9s", phase="draw")
    assert not may(where, "take all on 1")
    after = apply(where, "take all with 9c 9h / Ac Ad Ah")
    assert after.red[0] == ("3d",)
    assert after.hand == ("4c", "4d")
    kept = state("9c 9h Ac Ad Ah 4c", pile="3d 9s", phase="draw")
    assert legal(kept) == ["draw"]


# ---------------------------------------------------------------------------- the melds


def test_what_a_meld_is() -> None:
    where = state("4c 4d 4h 4s 2c 2d 2h * 5c 7d 9h", "9c 9d 9h")
    assert may(where, "meld 4c 4d 2c 2d 2h")
    assert not may(where, "meld 4c 4d 2c 2d 2h *")
    assert not may(where, "meld 4c 2c 2d")
    assert not may(where, "meld 2c 2d 2h")
    assert not may(where, "meld 9h 2c 2d")
    assert may(where, "lay off 9h on 1")
    assert may(where, "lay off 2c on 1")
    after = where
    for wild in ("2c", "2d", "2h"):
        after = apply(after, f"lay off {wild} on 1")
    assert not may(after, "lay off * on 1")
    few = state("4c 4d 2c 2d 5c", "9c 9d 9h", game=Game(fewer_wilds=True))
    assert may(few, "meld 4c 4d 2c")
    assert not may(few, "meld 4c 4d 2c 2d")
    alone = state("2c 2d * 5c 6d", "9c 9d 9h", game=Game(wild_melds=True))
    assert may(alone, "meld 2c 2d *")


def test_the_ways_to_write_it() -> None:
    assert plain("meld Kh Kc 2c=K / Ad Ac Ah") == plain("meld Ac Ad Ah / Kc Kh 2c")
    assert plain("lay 2c=9 on 1") == plain("lay off 2c on 1")
    assert plain("take all with 9h 9c / Ad Ac Ah") == "take all with 9c 9h / Ac Ad Ah"
    # New melds are numbered in the order in which they are written.
    where = state("Kc Kd Kh Ac Ad Ah 4c 5c")
    after = apply(where, "meld Kc Kd Kh / Ac Ad Ah")
    assert [meld.rank for meld in after.table] == ["K", "A"]
    after = apply(where, "meld Ac Ad Ah / Kc Kd Kh")
    assert [meld.rank for meld in after.table] == ["A", "K"]


def test_several_cards_laid_off_at_once() -> None:
    where = state("9c 9s 2c 4c", "9c 9d 9h")
    assert not may(where, "lay off 9c 9s on 1")
    at_once = attrs.evolve(where, game=Game(one_by_one=False))
    assert may(at_once, "lay off 9c 9s on 1")
    assert not may(at_once, "lay off 9c 9s 2c on 1")
    assert len(apply(at_once, "lay 9s 2c=9 on 1").table[0].cards) == 5


def test_a_rank_lies_once() -> None:
    where = state("9c 9d 9s 4c 5c", "9c 9d 9h")
    assert not may(where, "meld 9c 9d 9s")
    assert may(where, "lay off 9s on 1")


def test_the_whole_hand_needs_no_minimum() -> None:
    where = state("4c 4d 4h 4s 4c 4d 4h 5c")
    assert may(where, "meld 4c 4d 4h 4s 4c 4d 4h")
    after = apply(where, "meld 4c 4d 4h 4s 4c 4d 4h")
    end = apply(after, "discard 5c")
    assert is_concealed(end)
    partner = worth_of_rest = 5 + 5 + 5 + 10
    assert points(end, 0) == 35 + 500 + 200 - partner
    assert points(end, 1) == -2 * worth_of_rest
    more = state("4c 4d 4h 4s 4c 4d 4h 5c 6c")
    assert not may(more, "meld 4c 4d 4h 4s 4c 4d 4h")


def test_black_threes_go_down_last() -> None:
    assert not may(state("3c 3s 3c 4c", "9c 9d 9h"), "meld 3c 3s 3c")
    assert not may(state("3c 3s 3c 4c 5d", CANASTA), "meld 3c 3s 3c")
    assert not may(state("3c 3s 2c 4c", CANASTA), "meld 3c 3s 2c")
    where = state("3c 3s 3c Ks", CANASTA)
    after = apply(where, "meld 3c 3s 3c")
    assert legal(after) == ["discard Ks"]
    assert apply(state("3c 3s 3c", CANASTA), "meld 3c 3s 3c").how == "out"


# -------------------------------------------------------------------------- the way out


def test_a_card_is_kept_without_a_canasta() -> None:
    where = state("4c 4d 4h 5c", "9c 9d 9h")
    assert not may(where, "meld 4c 4d 4h")
    assert may(state("4c 4d 4h 5c 6c", "9c 9d 9h"), "meld 4c 4d 4h")
    assert may(state("4c 4d 4h 5c", CANASTA), "meld 4c 4d 4h")
    # The last card makes the canasta, so nothing need be kept.
    six = state("Kh 2c", "Kc Kd Kh Ks Kc Kd")
    assert may(six, "lay off 2c on 1")
    assert apply(apply(six, "lay off 2c on 1"), "lay off Kh on 1").how == "out"
    assert not may(state("4c 2c", "Kc Kd Kh Ks Kc"), "lay off 2c on 1")
    assert may(state("Kc Kd", "Kc Kd Kh Ks Kc"), "lay off Kc on 1")


def test_the_question() -> None:
    where = state("4c 4d 4h 5c", CANASTA)
    assert may(where, "ask")
    asked = apply(where, "ask")
    assert asked.to_act == 2
    assert legal(asked) == ["yes", "no"]
    bound = apply(asked, "yes")
    assert legal(bound) == ["meld 4c 4d 4h"]
    free = apply(asked, "no")
    assert set(legal(free)) == {f"discard {card}" for card in ("4c", "4d", "4h", "5c")}
    assert not may(state("4c 4d 4h 5c", "9c 9d 9h"), "ask")
    assert not may(apply(where, "meld 4c 4d 4h"), "ask")
    assert not may(state("4c 4d 4h 5c", CANASTA, game=FOR_TWO), "ask")


@pytest.mark.parametrize(
    ("more", "concealed"),
    [
        ({}, True),
        ({"melders": frozenset({0})}, False),
        ({"added": True}, False),
        ({"took": True}, True),
        ({"took": True, "game": Game(no_pile=True)}, False),
        ({"game": Game(nothing_down=True)}, False),
    ],
    ids=str,
)
def test_concealed(more: dict[str, object], *, concealed: bool) -> None:
    hand = f"5c {CANASTA}"
    where = apply(state(hand, "9c 9d 9h"), f"meld {CANASTA}")
    end = attrs.evolve(apply(where, "discard 5c"), **more)  # type: ignore[arg-type]
    assert is_concealed(end) == concealed


# ------------------------------------------------------------------------ the options


def test_options_of_the_pile() -> None:
    where = state("9c 9h 4s 4c", "9c 9d 9h", pile="7c 9s", phase="draw")
    assert set(legal(where)) == {"draw", "take all on 1", "take all with 9c 9h"}
    frozen = attrs.evolve(where, game=Game(always_frozen=True))
    assert legal(frozen) == ["draw", "take all with 9c 9h"]
    canasta = state("9c 9h 4s 4c", "9c 9d 9h " * 3, pile="7c 9s", phase="draw")
    assert may(canasta, "take all on 1")
    assert legal(attrs.evolve(canasta, game=Game(closed=True))) == ["draw"]


def test_options_of_the_deal_and_the_draw() -> None:
    deck = cards("3s 4c 4d 5c 5d 6c 6d 6h")
    game = attrs.evolve(FOR_TWO, hand=2)
    deck = (*deck[1:5], deck[0], *deck[5:])
    assert deal(game, deck).pile == ("3s",)
    start = deal(attrs.evolve(game, turn_black=True), deck)
    assert start.pile == ("3s", "6c")
    assert apply(start, "draw").hand == ("4c", "5c", "6d", "6h")


def test_first_melds_with_more_than_is_needed() -> None:
    where = state("Kc Kd Kh Ac Ad Ah 4c 5c")
    both = "meld Kc Kd Kh / Ac Ad Ah"
    assert may(where, both)
    assert may(where, "meld Ac Ad Ah")
    bare = attrs.evolve(where, game=Game(spare=False))
    assert not may(bare, both)
    assert may(bare, "meld Ac Ad Ah")


# ----------------------------------------------------------------- the end of the stock


def test_the_stock_is_empty() -> None:
    before = state("9s 4c", "1: 9c 9d 9h", stock="")
    forced = apply(before, "discard 9s")
    assert (forced.seat, legal(forced)) == (1, ["take all on 1"])
    hands = (cards("4c 9s"), cards("9c 9d 4d"), *before.hands[2:])
    free = apply(
        attrs.evolve(before, hands=hands, table=(Spread(1, "8", cards("8c 8d 8h")),)),
        "discard 9s",
    )
    assert legal(free) == ["take all with 9c 9d", "pass"]
    assert apply(free, "pass").how == "stock"
    assert apply(before, "discard 4c").how == "stock"


def test_a_red_three_is_the_last_card() -> None:
    where = state("4c 5c", stock="3d", phase="draw")
    end = apply(where, "draw")
    assert (end.how, end.red[0]) == ("stock", ("3d",))
    two = attrs.evolve(where, stock=("3d", "9c"))
    assert apply(two, "draw").hand == cards("4c 5c 9c")


def test_the_deal() -> None:
    deck = "4c 4d 4h 4s 3d 5d 5h 5s 3h 6c 2c 3h 6d 7c 7d"
    start = deal(attrs.evolve(FOR_FOUR, hand=2), deck.split(), dealer=3)
    assert start.hands[0] == ("4c", "6c")
    assert start.red[0] == ("3d", "3h")
    assert start.pile == ("2c", "3h", "6d")
    assert start.stock == ("7c", "7d")


def test_the_match() -> None:
    assert winner(FOR_FOUR, (4995, 4000), 9) is None
    assert winner(FOR_FOUR, (5000, 5200), 9) == 1
    assert winner(FOR_FOUR, (5100, 5100), 9) is None
    assert winner(Game(deals=3), (5100, 200), 2) is None
    assert winner(Game(deals=3), (100, 200), 3) == 1


# --------------------------------------------------------------------------- tiny decks


def all_cards(where: State) -> Counter[str]:
    lying = [meld.cards for meld in where.table]
    return Counter(
        card
        for zone in (*where.hands, *where.red, where.stock, where.pile, *lying)
        for card in zone
    )


def look_at(where: State, actions: list[str]) -> None:
    """
    Assert what holds in every state.
    """
    assert bool(actions) == (where.phase != "over")
    assert len(set(map(plain, actions))) == len(actions)
    ranks = Counter((meld.side, meld.rank) for meld in where.table)
    assert max(ranks.values(), default=1) == 1
    for meld in where.table:
        wilds = sum(card[0] in "*2" for card in meld.cards)
        assert len(meld.cards) - wilds >= 2
        assert wilds <= 3
    assert not any(card in {"3d", "3h"} for hand in where.hands for card in hand)
    if where.how == "out":
        canastas = [
            meld for meld in own(where).values() if is_canasta(where.game, meld)
        ]
        assert len(canastas) >= where.game.to_go_out
        assert where.answer != "no"
    elif where.phase != "over":
        assert all(where.hands)


def walk(start: State) -> dict[str, int]:
    """
    How many states a deal can lead to, how many steps, and how it ends.
    """
    known = {start}
    waiting = deque([start])
    found: Counter[str] = Counter()
    deck = all_cards(start)
    while waiting:
        where = waiting.popleft()
        actions = legal(where)
        look_at(where, actions)
        assert all_cards(where) == deck
        found["states"] += 1
        found["steps"] += len(actions)
        if where.phase == "over":
            found[where.how] += 1
            found["points"] += points(where, 0)
        for text in actions:
            after = do(where, text)
            if after not in known:
                known.add(after)
                waiting.append(after)
    return dict(found)


LOW = ((-1_000_000, 15),)
"""A minimum that three low cards meet."""

TWO = Game(players=2, hand=3, canasta=3, minimums=LOW)
BLACK = attrs.evolve(TWO, hand=4)
FOUR = attrs.evolve(TWO, players=4)
THREE = attrs.evolve(TWO, players=3, canasta=4)
HIGH = attrs.evolve(TWO, hand=4, canasta=4, minimums=((-1_000_000, 40),))
OUT_WITH_TWO = attrs.evolve(TWO, hand=4, draws=2, to_go_out=2)
FEW = "4c 5c 4d 5d 4h 5h 6c 4s 2c 5s 4c 3d 6d"
THREES = "4c 3c 4d 3s 4h 5d 3c 5c 5h 3s 4s 2c 5s"
MORE = "6h 2d 3c 3c 2c * 5c 4d 6s 5c 5s 6c 4h 4d 5d 4c 5d"
RED = "4c 5c 2d 4s 5h 5c 3c * 3h 6h 4d 4c 3c 3s 4d 5d 5s"
ALONE = "4h 5c 4c 5s 5d 6s 4c 4d 4s 4d 5h 6h 2d 6d"
LONG = "5h 5c 5c 5d 3c 4s 5s 6s 3h 4h 3c 3s 6c 6d 4c 4c"
WILD = "4d 4h 3s 5d 4d 5s 5h 5c 3c * 5c 3c 2c 6d"
OPTIONS: dict[str, object] = {
    "turn_black": True,
    "always_frozen": True,
    "closed": True,
    "no_pile": True,
    "nothing_down": True,
    "fewer_wilds": True,
    "spare": False,
    "asking": False,
    "one_by_one": False,
    "draws": 2,
}


@pytest.mark.parametrize(
    ("game", "deck", "counts"),
    every_third(
        [
            (TWO, FEW, (11082, 14907, 1471, 4410, 2006370)),
            (BLACK, THREES, (4485, 5484, 144, 2378, 432890)),
            (FOUR, MORE, (5578, 7184, 948, 2078, 241340)),
            (FOUR, RED, (1236, 1416, 74, 622, 323350)),
            (THREE, ALONE, (3207, 3520, 120, 1676, 209465)),
            (OUT_WITH_TWO, LONG, (3532, 4127, 304, 1603, 1239250)),
            (HIGH, WILD, (3764, 4132, 223, 1963, 131035)),
        ]
    ),
    ids=["two", "black", "four", "red", "three", "two canastas", "minimum"],
)
def test_every_state_of_a_tiny_deck(
    game: Game, deck: str, counts: tuple[int, ...]
) -> None:
    found = walk(deal(game, deck.split()))
    keys = ("states", "steps", "out", "stock", "points")
    assert tuple(found[key] for key in keys) == counts


@pytest.mark.parametrize("name", every_third(OPTIONS))
def test_every_state_with_an_option(name: str) -> None:
    for game, deck in ((BLACK, THREES), (FOUR, RED)):
        with_it = attrs.evolve(game, **{name: OPTIONS[name]})  # type: ignore[arg-type]
        walk(deal(with_it, deck.split()))


PACK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


@pytest.mark.parametrize("game", [FOR_TWO, FOR_THREE, FOR_FOUR], ids=["2", "3", "4"])
@pytest.mark.parametrize("seed", range(5))
def test_a_whole_deal(game: Game, seed: int) -> None:
    chance = random.Random(seed)
    deck = [*PACK, *PACK, *["*"] * 4]
    chance.shuffle(deck)
    where = deal(game, deck, scores=[1600, -20, 100])
    while where.phase != "over":
        actions = legal(where)
        look_at(where, actions)
        assert all_cards(where) == Counter(deck)
        others = [one for one in actions if not one.startswith("discard")]
        where = do(where, chance.choice(others or actions))
    look_at(where, [])


# ------------------------------------------------------ sets of options and the engine

SETS = 40
MANY_SETS = 300
"""How many small matches are played beside the twin."""
ACTIONS = 120


def played_beside(seeds: range) -> Counter[str]:
    """
    Play matches with few cards and options of Canasta at random, beside the twin.

    Returns:
        What came up, and which options were put on.
    """
    found: Counter[str] = Counter()
    for seed in seeds:
        chance = random.Random(f"sets of canasta {seed}")
        values = composition.small_canasta(chance)
        if "3" in values["deck.ranks"]:
            # The twin knows the black threes of two packs: a set of four at most.
            values["deck.packs"] = min(values["deck.packs"], 2)
        rules = rv.preset("canasta").with_values(values)
        names = chance.sample(composition.CANASTA, chance.randint(2, 7))
        rules = rules.with_options(*(composition.of_canasta(chance, o) for o in names))
        players = chance.randint(2, 4)
        try:
            rv.game.begin(rules, players, seed=seed)
        except rv.errors.RulesError as error:
            assert "cards, and the deck has" in str(error)
            found["too few cards"] += 1
            continue
        found += match_beside(rules, players, seed, ACTIONS)
        found += Counter(names)
    return found


@pytest.mark.long
def test_sets_of_options_beside_the_engine() -> None:
    found = played_beside(range(SETS))
    assert {*composition.CANASTA, "out", "stock"} <= {*found}


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(MANY_SETS // 2, marks=pytest.mark.long),
        pytest.param(MANY_SETS, marks=pytest.mark.slow),
    ],
)
def test_many_sets_of_options_beside_the_engine(number: int) -> None:
    found = played_beside(range(1_000, 1_000 + number))
    acts = {
        "Ask",
        "Yes",
        "No",
        "TakeAndMeld",
        "TakeAndLayOff",
        "NewMeld",
        "NewMelds",
        "LayOff",
    }
    assert {*composition.CANASTA, "out", "stock", *acts} <= {*found}
