"""
Events are told in sentences and as moves of cards, and no seat learns a secret.
"""

from __future__ import annotations

import functools
import random
import runpy

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

import rummyvariants as rv

from amounts import every_third
from places import EXAMPLES
from rummyvariants import events
from rummyvariants.cards import size
from rummyvariants.game._card_moves import CardMove, SeenEvent, Spot, StepLog
from rummyvariants.game._engine.plays import melds_by_number
from rummyvariants.game._locations import DISCARDS, HANDS, move
from rummyvariants.game._state import thaw
from rummyvariants.house import rules as house
from rummyvariants.house.facts import Location
from test_json import GAMES
from walks import exchanged, walk


NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Flo", "Gus", "Hal")


def every_game() -> Iterator[tuple[rv.Ruleset, int, int]]:
    """
    The games of the JSON tests, and each preset.
    """
    yield from GAMES
    for seed, name in enumerate(rv.presets()):
        low, high = rv.preset(name).match.players
        yield rv.preset(name), max(low, min(3, high)), seed


TABLES = list(every_game())
IDS = [f"{number} {rules.name}" for number, (rules, _, _) in enumerate(TABLES)]


@functools.cache
def walked(number: int) -> tuple[rv.Step, ...]:
    rules, players, seed = TABLES[number]
    return tuple(walk(rules, players, seed, 300))


def seats(state: rv.State) -> tuple[int | None, ...]:
    return (None, *range(len(state.players)))


# --------------------------------------------------------------------- moves of cards


@attrs.define
class Board:
    """
    A table on which the moves of a step are made, as a client would make them.

    Attributes:
        pile: The discard pile.
        melds: The cards of each meld by its number.
        beside: By meld, the cards beside its wilds: the place of the wild, the card.
        sizes: How many cards lie in the stock and in each hand and zone.
        hands: By seat, the cards of the hands, as far as they are known.
    """

    pile: list[rv.Card]
    melds: dict[int, list[rv.Card]]
    beside: dict[int, list[tuple[int, rv.Card]]]
    sizes: Counter[tuple[str, int | None]]
    hands: dict[int | None, Counter[rv.Card]]

    @classmethod
    def of(cls, state: rv.State) -> Board:
        melds = dict(melds_by_number(state))
        sizes: Counter[tuple[str, int | None]] = Counter(stock=0)
        sizes["stock", None] = len(state.stock)
        for seat, hand in enumerate(state.hands):
            sizes["hand", seat] = len(hand)
        for zone in state.zones:
            sizes[zone.name, None if zone.seat < 0 else zone.seat] = len(zone.cards)
        sizes["indicator", None] = state.dealt.indicator is not None
        if state.phase == "choose":
            (asked,) = state.to_act
            sizes["upcard", asked] = len(state.dealt.upcards[asked])
        return cls(
            list(state.discards),
            {at: [slot.card for slot in one.slots] for at, one in melds.items()},
            {
                at: [(each.index, each.card) for each in one.beside]
                for at, one in melds.items()
            },
            +sizes,
            {seat: Counter(hand) for seat, hand in enumerate(state.hands)},
        )

    def all(self) -> object:
        """
        What everybody can see or count.
        """
        beside = {at: sorted(some) for at, some in self.beside.items() if some}
        return self.pile, self.melds, beside, +self.sizes

    def make(self, move: CardMove) -> None:
        card = self.leave(move.source, move.card)
        self.arrive(move.target, card or move.card)
        assert move.card in {None, card or move.card}

    def leave(self, spot: Spot, card: rv.Card | None) -> rv.Card | None:
        if spot.place == "discards":
            assert spot.index is not None
            return self.pile.pop(spot.index)
        if spot.place == "table":
            return self.leave_meld(spot, card)
        self.sizes[spot.place, spot.seat] -= 1
        assert self.sizes[spot.place, spot.seat] >= 0, spot
        if spot.place == "hand" and card is not None:
            self.hands[spot.seat][card] -= 1
        return None

    def leave_meld(self, spot: Spot, card: rv.Card | None) -> rv.Card:
        assert spot.meld is not None
        assert spot.index is not None
        if spot.beside:
            assert card is not None
            self.beside[spot.meld].remove((spot.index, card))
            return card
        return self.melds[spot.meld].pop(spot.index)

    def arrive(self, spot: Spot, card: rv.Card | None) -> None:
        if spot.place == "discards":
            assert spot.index == len(self.pile)
            assert card is not None
            self.pile.append(card)
        elif spot.place == "table":
            assert spot.meld is not None
            assert spot.index is not None
            assert card is not None
            beside = self.beside.setdefault(spot.meld, [])
            if spot.beside:
                beside.append((spot.index, card))
                return
            self.melds.setdefault(spot.meld, []).insert(spot.index, card)
            if spot.index < len(self.melds[spot.meld]) - 1:
                beside[:] = [(at + (at >= spot.index), one) for at, one in beside]
        else:
            self.sizes[spot.place, spot.seat] += 1
            if spot.place == "hand" and card is not None:
                self.hands[spot.seat][card] += 1


def after_moves(done: rv.Step, told: tuple[SeenEvent, ...]) -> Board:
    """
    The table before a step with its moves made.
    """
    board = Board.of(done.before)
    for one in told:
        if isinstance(one.event, events.DealStarted | events.DealThrownIn):
            board = Board([], {}, {}, Counter(), {at: Counter() for at in range(9)})
            if isinstance(one.event, events.DealStarted):
                rules = done.after.rules
                deck = rules.deck.cards_for(len(done.after.players))
                board.sizes["stock", None] = len(deck)
        for each in one.moves:
            board.make(each)
        if isinstance(one.event, events.Arranged):
            left = filter(None, board.melds.values())
            board.melds = dict(enumerate(left, int(0 not in board.melds)))
    return board


@pytest.mark.parametrize("number", every_third(range(len(TABLES))), ids=IDS)
def test_the_moves_of_a_step_lead_to_the_table_after_it(number: int) -> None:
    """
    Every card that is moved is told, by each seat, and lies where it is said to.
    """
    for done in walked(number):
        wanted = Board.of(done.after)
        for seat in seats(done.after):
            board = after_moves(done, done.seen_by(seat))
            when = f"after {str(done.action)[:40]} for {seat}"
            assert board.all() == wanted.all(), when
            if seat is not None:
                assert +board.hands[seat] == +wanted.hands[seat], when


def told_board(done: rv.Step) -> Board:
    return after_moves(done, done.seen_by(None))


def test_a_run_that_closes_a_circle_is_turned_by_moves() -> None:
    rules = rv.preset("rummy-500").with_options("R5V-18")
    state = rv.position(
        rules,
        hands={"Ann": "2h Kc", "Ben": "3d"},
        table=["Ben: 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"],
        turn="Ann",
        phase="play",
        drawn="stock Kc",
        stock="4c",
        discards="Jd",
    )
    done = rv.step(state, "lay 2h on 1")
    assert str(done.after.table[0]).startswith("7h 8h 9h")
    (laid,) = done.seen_by(None)
    turned = [one for one in laid.moves if one.source.place == "table"]
    assert len(turned) > 3
    assert told_board(done).all() == Board.of(done.after).all()


def before_a_call(discards: str) -> rv.State:
    """
    Ann may call cards of a pile of two packs, to which the two of diamonds was added.
    """
    rules = rv.preset("rummy-5000").with_options("PGV-P11")
    state = rv.position(
        rules.with_values({"deck.packs": 2}),
        hands={"Ann": "4d 9s", "Ben": "3c 3d 2d", "Cleo": "As Kh"},
        table=["Ann: 5h 6h 7h"],
        turn="Ben",
        phase="play",
        drawn="stock 2d",
        discards=discards,
        stock="2s 6c",
    )
    return rv.apply(state, "discard 2d")


def test_a_call_takes_the_upper_of_equal_cards() -> None:
    done = rv.step(before_a_call("8h 2c 8h 2c"), "rummy 8h on 1", seat=0)
    found = [
        (str(one.card), one.source, one.target)
        for told in done.seen_by(1)
        for one in told.moves
    ]
    table = Spot("table", meld=1, index=3)
    assert ("8h", Spot("discards", index=2), table) in found
    assert told_board(done).all() == Board.of(done.after).all()
    text = done.seen_by(1)[0].text
    assert text.startswith("Ann calls rummy: 8h on 1")


def test_cards_that_a_call_takes_go_before_it_is_laid() -> None:
    """
    They go in the order in which they lay, the upper of equal cards among them.
    """
    done = rv.step(before_a_call("8h 4c 9h 3s 9h"), "rummy 8h 9h on 1", seat=0)
    called, laid = done.seen_by(1)[:2]
    found = [(str(one.card), one.source.index) for one in (*called.moves, *laid.moves)]
    assert found[:4] == [("4c", 1), ("3s", 2), ("9h", 2), ("2d", 2)]
    assert found[4:] == [("8h", 0), ("9h", 0)]
    assert told_board(done).all() == Board.of(done.after).all()


def test_a_hand_under_the_stock_keeps_its_order_to_itself() -> None:
    rules = rv.preset("indian-rummy").with_values(
        {"out.dropped_hand": "under the stock"}
    )
    state = rv.game.deal(rv.game.begin(rules, 3, seed=4))
    done = rv.step(state, "drop")
    moved = next(one for one in done.events if isinstance(one, events.Moved))
    hand = state.hands[state.turn]
    assert moved.cards == tuple(sorted(hand, key=lambda card: card.code))
    assert done.after.stock[-len(hand) :] != moved.cards


def test_several_discards_on_an_empty_pile_lie_one_on_another() -> None:
    draft = thaw(rv.new_game("rummy-500", 2, seed=1))
    draft._discards = b""
    cards = draft._hands[0]
    log = StepLog()
    move(draft, cards, HANDS[0], DISCARDS, log=log)
    targets = [one.target.index for moves in log.moves for one in moves]
    assert targets == [*range(size(cards))]


def test_an_upcard_that_is_the_last_card_too_is_turned_up_again() -> None:
    counts = dict.fromkeys("23456789TJQKA", 1)
    values = {"wild.indicator": "last card", "deal.upcard_counts": counts}
    rules = rv.preset("george").with_values(values)
    dealt = rv.game.begin(rules, 4, seed=0)
    done = rv.step(dealt, rv.game.next_deal(dealt))
    shown = [one.card for one in done.events if isinstance(one, events.UpcardShown)]
    assert shown[-1] == shown[-2]
    assert told_board(done).all() == Board.of(done.after).all()


HOUSE = sorted((EXAMPLES / "rules").glob("*.py"))


@pytest.mark.parametrize("path", HOUSE, ids=[path.stem for path in HOUSE])
def test_house_rules_have_their_moves_told(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "_RULES", {})
    rules = rv.files.parse_scenario(runpy.run_path(str(path))["SCENARIO"]).rules
    assert rules is not None
    for done in walk(rules, max(2, rules.match.players[0]), 3, 120):
        assert told_board(done).all() == Board.of(done.after).all()


# ------------------------------------------------------------------------------ secrets


@pytest.mark.long
@pytest.mark.parametrize("number", range(0, len(TABLES), 2), ids=IDS[::2])
def test_hidden_cards_change_nothing_that_a_seat_is_told(number: int) -> None:
    """
    If a seat cannot tell two games apart before and after, it is told the same.
    """
    rng = random.Random(number)
    compared = 0
    for done in walked(number):
        state = done.before
        if state.dealer is None or state.is_round_over:
            continue
        for seat in seats(state):
            other = exchanged(state, seat, rng)
            if other == state or not rv.check(other, done.action):
                continue
            twin = rv.step(other, done.action)
            views = {
                rv.view(one.after, seat).information_state() for one in (done, twin)
            }
            if len(views) == 1 and not done.after.is_round_over:
                assert done.seen_by(seat) == twin.seen_by(seat)
                compared += 1
    assert compared > 20


def test_a_seat_is_told_its_own_cards_and_no_others() -> None:
    state = rv.new_game("gin-rummy", ["Ann", "Ben"], seed=2)
    while state.phase == "offer":
        state = rv.apply(state, "pass")
    done = rv.step(state, "draw")
    (mine,), (other,) = done.seen_by(state.turn), done.seen_by(1 - state.turn)
    card = done.after.drawn.cards[0]
    assert mine.text == f"You draw {card}."
    assert mine.moves == (
        CardMove(card, Spot("stock", index=0), Spot("hand", state.turn)),
    )
    assert other.text == f"{state.players[state.turn]} draws a card."
    assert other.moves == (attrs.evolve(mine.moves[0], card=None),)
    assert str(card) not in repr(other)
    with pytest.raises(ValueError, match="there is no seat 2; seats go from 0 to 1"):
        done.seen_by(2)


# ---------------------------------------------------------------------------- sentences


KH = rv.Card("Kh")
SENTENCES: list[tuple[events.Event, str, str]] = [
    (events.DealStarted(2, 0), "Round 2. You deal.", "Round 2. Ann deals."),
    (events.UpcardShown(0, KH), "You turn up Kh.", "Ann turns up Kh."),
    (events.CardBuried(KH), *["Kh goes back into the deck."] * 2),
    (
        events.HandDealt(0, 2, (KH, rv.Card("2c"))),
        "You are dealt 2 cards (2c Kh).",
        "Ann is dealt 2 cards.",
    ),
    (
        events.HandSizeAsked(0),
        "You have to choose the size of your hand.",
        "Ann has to choose the size of their hand.",
    ),
    (events.HandSizeChosen(0, 12), "You choose 12 cards.", "Ann chooses 12 cards."),
    (events.WildNamed("K", KH), *["Kh makes every king wild."] * 2),
    (events.WildNamed("4", None), *["This round makes every four wild."] * 2),
    (events.WildNamed("", KH), *["Kh makes no rank wild."] * 2),
    (events.FirstDiscard(KH), *["Kh starts the discard pile."] * 2),
    (
        events.DealThrownIn(),
        *["The deck has too few cards: the deal is thrown in."] * 2,
    ),
    (events.TurnStarted(0), "You are next to play.", "Ann is next to play."),
    (events.Drew(0, KH), "You draw Kh.", "Ann draws a card."),
    (
        events.TurnedOver(0, 9, shuffled=True),
        "You shuffle the pile and turn it over.",
        "Ann shuffles the pile and turns it over.",
    ),
    (
        events.TurnedOver(0, 9, shuffled=False),
        "You turn the pile over.",
        "Ann turns the pile over.",
    ),
    (events.Took(0, (KH,)), "You take Kh.", "Ann takes Kh."),
    (events.Took(0, (KH,), "buy"), "You buy Kh.", "Ann buys Kh."),
    (
        events.Laid(0, ("7h", "*=8h", "9h"), 3, "meld"),
        "You meld 7h *=8h 9h as 3.",
        "Ann melds 7h *=8h 9h as 3.",
    ),
    (
        events.Laid(0, ("Ah",), 3, "lay-off", end="low"),
        "You lay Ah low on 3.",
        "Ann lays Ah low on 3.",
    ),
    (
        events.Laid(0, ("7c",), 3, "put"),
        "You put 7c down as 3.",
        "Ann puts 7c down as 3.",
    ),
    (
        events.Laid(0, ("8h",), 3, "swap", rv.Card("*")),
        "You swap 8h for * on 3.",
        "Ann swaps 8h for * on 3.",
    ),
    (
        events.Laid(0, ("8h",), 3, "swap", end="low"),
        "You swap 8h in on 3 and move the wild card to the low end.",
        "Ann swaps 8h in on 3 and moves the wild card to the low end.",
    ),
    (
        events.Laid(0, ("Ts",), 3, "call"),
        "You lay Ts on 3.",
        "Ann lays Ts on 3.",
    ),
    (
        events.Laid(0, ("9s", "Ts", "Js"), 3, "call", begun=True),
        "You meld 9s Ts Js as 3.",
        "Ann melds 9s Ts Js as 3.",
    ),
    (
        events.Laid(0, (), 3, "split", after=4),
        "You split 3 after 4.",
        "Ann splits 3 after 4.",
    ),
    (
        events.Laid(0, ("3c", "3d", "3h"), 1, "meld", declared=True),
        "You declare 3c 3d 3h.",
        "Ann declares 3c 3d 3h.",
    ),
    (
        events.Moved(Location("hand", 1), Location("stock"), 2, (KH, KH), (1,)),
        "Two cards go from Ben's hand to the stock.",
        "Kh Kh go from your hand to the stock.",
    ),
    (
        events.Moved(Location("discards"), Location("laid aside", 0), 1, (KH,), None),
        *["Kh is laid aside from the discard pile."] * 2,
    ),
    (
        events.Moved(Location("hand", 0), Location("dropped", 0), 1, (KH,), ()),
        *["One card is set aside."] * 2,
    ),
    (
        events.Shown(Location("stock"), 1, (KH,), (0,)),
        "Kh is shown in the stock.",
        "One card is shown in the stock.",
    ),
    (events.Discarded(0, KH), "You discard Kh.", "Ann discards Kh."),
    (
        events.CallsOpened((0, 1)),
        "You and Ben may call rummy.",
        "You and Ann may call rummy.",
    ),
    (
        events.Called(0, (KH, rv.Card("2c")), ("Kh",), 4, "high"),
        "You call rummy: Kh high on 4 and take 2c.",
        "Ann calls rummy: Kh high on 4 and takes 2c.",
    ),
    (events.Called(0, (KH,)), "You call rummy: Kh.", "Ann calls rummy: Kh."),
    (events.Passed(0), "You pass.", "Ann passes."),
    (
        events.Acted(0, "pass the draw"),
        "You choose to pass the draw.",
        "Ann chooses to pass the draw.",
    ),
    (
        events.Acted(0, "give away", (KH,)),
        "You choose to give away Kh.",
        "Ann chooses to give away Kh.",
    ),
    (
        events.Asked(0, 1),
        "You ask Ben whether to go out.",
        "Ann asks you whether to go out.",
    ),
    (events.Answered(0, agrees=True), "You answer yes.", "Ann answers yes."),
    (events.Floated(0), "You float without cards.", "Ann floats without cards."),
    (
        events.Dropped(0, 20),
        "You leave the round for 20 points.",
        "Ann leaves the round for 20 points.",
    ),
    (
        events.Dropped(0, 80, wrong=True),
        "You make a wrong declaration and leave the round for 80 points.",
        "Ann makes a wrong declaration and leaves the round for 80 points.",
    ),
    (
        events.Rejoined(0, 76),
        "You come back with 76 points.",
        "Ann comes back with 76 points.",
    ),
    (
        events.Arranged(0, (("4c", "4d", "4h"), ("5s", "6s", "7s"))),
        "You regroup melds as 4c 4d 4h / 5s 6s 7s.",
        "Ann regroups melds as 4c 4d 4h / 5s 6s 7s.",
    ),
    (events.WentOut(0), "You are out.", "Ann is out."),
    (
        events.Knocked(0, "knock", (KH,)),
        "You knock with Kh left.",
        "Ann knocks with Kh left.",
    ),
    (events.Knocked(0, "gin", ()), "You go gin.", "Ann goes gin."),
    (
        events.RoundEnded("out", (5, 0), (5, 0), 0, "PG-17"),
        "The round is over: you are out (PG-17).",
        "The round is over: Ann is out (PG-17).",
    ),
    (
        events.RoundEnded("big gin", (5, 0), (5, 0), 0, "GR-10"),
        "The round is over: you have gone big gin (GR-10).",
        "The round is over: Ann has gone big gin (GR-10).",
    ),
    (
        events.RoundEnded("drop", (5, 0), (5, 0), None, "IND-18", left=(0,)),
        "The round is over: you are the last left (IND-18).",
        "The round is over: Ann is the last left (IND-18).",
    ),
    (
        events.RoundEnded("stock", (5, 0), (5, 0), None, "GR-11", 2),
        *["The round is over: only two cards are left in the stock (GR-11)."] * 2,
    ),
    (
        events.RoundEnded("rule", (5, 0), (5, 0), None, "OUR-1"),
        *["The round is over: a rule ends it (OUR-1)."] * 2,
    ),
    (
        events.RoundEnded("idle", (5, 0), (5, 0), None, "RV-01"),
        *["The round is over: no progress (RV-01)."] * 2,
    ),
    (events.MatchEnded((0,)), "You win the match.", "Ann wins the match."),
    (
        events.MatchEnded((0, 1)),
        "You and Ben win the match.",
        "You and Ann win the match.",
    ),
]


@pytest.mark.parametrize(
    ("event", "mine", "bens"),
    SENTENCES,
    ids=[f"{at} {type(one).__name__}" for at, (one, _, _) in enumerate(SENTENCES)],
)
def test_each_reader_has_a_sentence_of_their_own(
    event: events.Event, mine: str, bens: str
) -> None:
    names = ["Ann", "Ben"]
    assert event.describe(names, 0) == mine
    assert event.describe(names, 1) == bens
    if "you" not in bens.casefold():
        assert event.describe(names) == bens


def test_a_player_named_you_is_no_reader() -> None:
    moved = events.Moved(Location("hand", 0), Location("stock"), 1, (KH,), None)
    assert moved.describe(["you", "Ben"]) == "Kh goes from you's hand to the stock."


def test_every_event_has_a_sentence() -> None:
    kinds = {
        one
        for one in vars(events).values()
        if isinstance(one, type) and issubclass(one, events.Event)
    }
    assert {type(event) for event, _, _ in SENTENCES} == kinds - {events.Event}


@attrs.frozen
class StockKissed(events.Event):
    """
    An event of a third party that says nothing about itself.
    """

    seat: int


@attrs.frozen
class LightsOut(events.Event):
    """
    The same without a player.
    """


@attrs.frozen
class Cheered(StockKissed):
    """
    One that says what its player does.
    """

    def doing(self, *, you: bool = False) -> str:
        return "cheer" if you else "cheers"


def test_events_of_third_parties_are_told_by_their_names() -> None:
    assert StockKissed(1).describe(["Ann", "Ben"]) == "Ben: stock kissed."
    assert LightsOut().describe(["Ann", "Ben"], 0) == "Lights out."
    assert Cheered(1).describe(["Ann", "Ben"], 1) == "You cheer."
    assert Cheered(1).describe(["Ann", "Ben"], 0) == "Ben cheers."


def test_an_event_about_somebody_else_s_table_is_refused() -> None:
    with pytest.raises(ValueError, match="about seat 2, and only 2 names are given"):
        events.Passed(2).describe(["Ann", "Ben"])
    with pytest.raises(ValueError, match="about seat 1, and only 1 name is given"):
        events.DealStarted(1, 1).describe(["Ann"])
