"""Cards move and are shown in one way, and what the seats know follows from it."""

from __future__ import annotations

import pickle
import random

from collections import Counter

import attrs
import pytest

from hypothesis import given
from hypothesis import strategies as st

import rummyvariants as rv

from rummyvariants.cards import codes, pack
from rummyvariants.events import Drew, Moved, Shown, Took
from rummyvariants.game._card_moves import StepLog
from rummyvariants.game._locations import (
    DISCARDS,
    HANDS,
    TABLE,
    move,
    move_top,
    recycle,
    reveal,
    zone_of,
)
from rummyvariants.game._round import EVERYBODY, STOCK, History
from rummyvariants.game._state import Draft, State, fits_of, freeze, thaw
from rummyvariants.house.facts import Location
from rummyvariants.melds._meld import Fits


SEATS = 3
ASIDE = Location("set aside", 1)


@rv.house.register_rule("discard", "set aside")
@attrs.frozen
class SetsAside(rv.house.HouseRule):
    """
    Cards may be set aside, though nothing here does it.
    """

    piles = (rv.house.Pile("set aside", of="seat"),)

    def follows(self, turn: rv.house.Turn, event: object) -> tuple[rv.house.Move, ...]:  # noqa: ARG002
        return ()


def begun() -> Draft:
    """
    A draft in which a round has just been dealt, by rules that keep a zone.
    """
    rules = rv.preset("rummy-500").with_values({"discard.rules": ["set aside"]})
    draft = thaw(rv.new_game(rules, SEATS, seed=5))
    draft._history = History(draft._history, rv.actions.Draw(0))
    return draft


def some_of(rng: random.Random, draft: Draft, source: Location) -> int:
    """
    Some cards that may leave a place.
    """
    match source.name:
        case "stock":
            return pack(draft._stock[: rng.randint(1, 3)])
        case "discards":
            pile = list(draft._discards)
        case "hand":
            pile = list(codes(draft._hands[source.seat]))
        case _:
            pile = list(zone_of(draft, source)._cards)
    return pack(rng.sample(pile, min(len(pile), rng.randint(1, 3))))


def counted(state: State | Draft) -> Counter[int]:
    """
    All the cards, wherever they lie; the table is left out.
    """
    cards = Counter([*state._stock, *state._discards])
    for hand in state._hands:
        cards.update(codes(hand))
    for zone in state._zones:
        cards.update(zone._cards)
    return cards


@pytest.mark.long
@given(st.randoms(use_true_random=False))
def test_whatever_is_moved_and_shown_nobody_knows_more_than_they_saw(
    rng: random.Random,
) -> None:
    """
    What a seat takes for known is there, and worlds of its view agree with all of it.
    """
    draft = begun()
    places = [
        STOCK,
        DISCARDS,
        ASIDE,
        Location("set aside"),
        *HANDS[:SEATS],
    ]
    before = counted(draft)
    for _ in range(12):
        source, target = rng.sample(places, 2)
        to = rng.choice([EVERYBODY, 0, *range(1, 1 << SEATS)])
        if rng.randrange(4) == 0 and source != DISCARDS:
            reveal(draft, source, to, 2)
        elif cards := some_of(rng, draft, source):
            move(draft, cards, source, target, to)
    assert counted(draft) == before
    state = freeze(draft)
    for seat in (None, *range(SEATS)):
        view = rv.view(state, seat)
        for known, hand in zip(view.known, state.hands, strict=True):
            assert Counter(known) <= Counter(hand)
        for card, there in zip(view.known_stock, state.stock, strict=False):
            assert card in {None, there}
        world = rv.determinize(view, rng)
        assert rv.view(world, seat) == view
        assert counted(world) == before
        assert rv.view(world, seat).information_state() == view.information_state()
        again = rv.files.from_json(rv.files.to_json(view), rv.View)
        assert again == view
        assert again.information_state() == view.information_state()
        same = rv.files.from_json(
            rv.files.to_json(attrs.evolve(state, from_position=True)), rv.State
        )
        assert same == state
        assert rv.view(same, seat) == view


def test_two_who_saw_a_hand_at_different_times_stand_in_json() -> None:
    draft = begun()
    reveal(draft, HANDS[0], 1 << 1)
    reveal(draft, HANDS[0], 1 << 2)
    state = attrs.evolve(freeze(draft), from_position=True)
    assert rv.files.from_json(rv.files.to_json(state), rv.State) == state


def test_cards_keep_their_order_and_of_equal_ones_the_upper_goes() -> None:
    draft = begun()
    draft._discards = bytes(rv.Card(one).code for one in ["7h", "2c", "7h", "9s", "2c"])
    move(draft, rv.Cards("7h 2c").bits, DISCARDS, TABLE)
    assert freeze(draft).discards == tuple(map(rv.Card, ["7h", "2c", "9s"]))


def test_a_peek_is_known_to_those_who_had_it_until_the_card_is_drawn() -> None:
    draft = begun()
    log = StepLog()
    reveal(draft, STOCK, 1 << 1, 2, log)
    state = freeze(draft)
    first, second = state.stock[:2]
    assert rv.view(state, 1).known_stock == (first, second)
    assert rv.view(state, 0).known_stock == rv.view(state).known_stock == ()
    assert rv.view(state, 1) != rv.view(state, 0)
    assert first not in rv.view(state, 1).unseen
    for seed in range(20):
        world = rv.determinize(rv.view(state, 1), random.Random(seed))
        assert world.stock[:2] == (first, second)
    assert log.events == [Shown(STOCK, 2, (first, second), (1,))]
    assert log.events[0].seen_by(0) == Shown(STOCK, 2, None, (1,))
    state = rv.apply(state, rv.actions.Draw(0))
    assert first in rv.view(state, 1).known[0]
    assert first not in rv.view(state, 2).known[0]
    assert rv.view(state, 1).known_stock == (second,)
    state = rv.apply(state, rv.actions.Discard(first, 0))
    assert first not in rv.view(state, 1).known[0]


def test_no_card_of_a_stock_that_is_known_may_be_moved() -> None:
    draft = begun()
    reveal(draft, STOCK, 1 << 0, 2)
    before = draft._stock, draft._stock_seen, draft._hands
    move_top(draft, 0, HANDS[1], shown_to=1 << 1)
    move(draft, 0, STOCK, HANDS[1], shown_to=1 << 1)
    assert (draft._stock, draft._stock_seen, draft._hands) == before


def test_a_hand_shown_to_one_is_known_to_that_one() -> None:
    draft = begun()
    reveal(draft, HANDS[0], 1 << 2)
    state = freeze(draft)
    assert rv.view(state, 2).known[0] == state.hands[0]
    assert not rv.view(state, 1).known[0]
    assert not rv.view(state).known[0]


def test_cards_passed_face_down_end_what_others_knew() -> None:
    draft = begun()
    reveal(draft, HANDS[0], EVERYBODY)
    cards = pack([*codes(draft._hands[0])][:2])
    move(draft, cards, HANDS[0], HANDS[1], 0)
    state = freeze(draft)
    assert not rv.view(state, 2).known[0]
    assert not rv.view(state, 2).known[1]
    assert rv.view(state, 0).known[1].bits == cards


def test_a_zone_is_seen_by_those_who_saw_what_went_there() -> None:
    draft = begun()
    cards = pack([*codes(draft._hands[1])][:2])
    move(draft, cards, HANDS[1], ASIDE, 1 << 1)
    state = freeze(draft)
    (zone,) = state.zones
    assert (zone.name, zone.seat, len(zone._cards)) == ("set aside", 1, 2)
    assert rv.view(state, 1).world.zones == state.zones
    both = [len(rv.view(state, seat).unseen) for seat in (0, 1)]
    assert both[0] - len(state.hands[1]) - 2 == both[1] - len(state.hands[0])
    hidden = {
        rv.determinize(rv.view(state, 0), random.Random(seed)).zones[0]._cards
        for seed in range(9)
    }
    assert len(hidden) > 1
    back = thaw(state)
    move(back, cards, ASIDE, STOCK, 0)
    assert not back._zones
    assert len(rv.view(freeze(back), 1).known_stock) == 2


def test_a_shuffle_ends_what_was_known() -> None:
    draft = begun()
    reveal(draft, STOCK, EVERYBODY, 3)
    discards = draft._stock
    draft._stock, draft._discards = b"", discards
    recycle(draft, discards[::-1])
    state = freeze(draft)
    assert rv.view(state, 0).known_stock == ()
    assert not state.discards


def test_events_follow_from_moves() -> None:
    draft = begun()
    log = StepLog()
    before = freeze(thaw(draft))
    top, upcard = before.stock[0], before.discards[-1]
    move(draft, pack([top.code]), STOCK, HANDS[2], 1 << 2, log)
    move(draft, pack([upcard.code]), DISCARDS, HANDS[2], log=log)
    move(draft, pack([top.code]), HANDS[2], ASIDE, 1 << 2, log)
    assert log.events == [
        Drew(2, top),
        Took(2, (upcard,)),
        Moved(HANDS[2], ASIDE, 1, (top,), (2,)),
    ]
    aside = log.events[2]
    assert aside.seen_by(None) == attrs.evolve(aside, cards=None)


@pytest.mark.parametrize("name", ["rummy-500", "gin-rummy", "george", "2500-house"])
def test_a_seat_remembers_in_order_what_it_saw(name: str) -> None:
    """
    The history of a view is that of the events that the seat may see, folded here.
    """
    rng = random.Random(name)
    state = rv.new_game(name, rv.preset(name).match.players[0], seed=3)
    dealt = [len(hand) for hand in state.hands]
    drawn: list[list[rv.Card]] = [[] for _ in state.players]
    actions: list[rv.Action] = []
    for _ in range(60):
        if state.phase in {"deal", "over"}:
            break
        seat = state.to_act[0]
        action = rv.legal_actions(state, seat).sample(rng.randrange)
        done = rv.step(state, action, seat)
        actions.append(done.action)
        for event in done.events:
            if isinstance(event, Drew) and event.card is not None:
                drawn[event.seat].append(event.card)
        state = done.after
        for other in range(len(state.players)):
            seen = rv.view(state, other).history
            assert [one.action for one in seen] == [None, *actions]
            own = [card for cards, place in seen[0].shown for card in cards]
            assert len(own) >= dealt[other] - 2
            later = [
                card for one in seen[1:] for cards, _ in one.shown for card in cards
            ]
            assert later == drawn[other]
        assert not any(one.shown for one in rv.view(state).history[1:])


def test_two_pasts_of_one_position_are_two_information_states() -> None:
    state = rv.new_game("gin-rummy", 2, seed=1)
    view = rv.view(state, 0)
    again = pickle.loads(pickle.dumps(view))  # noqa: S301
    assert again.information_state() == view.information_state()
    assert hash(again.information_state()) == hash(view.information_state())
    other = rv.view(rv.new_game("gin-rummy", 2, seed=2), 0)
    assert other.information_state() != view.information_state()


def test_what_fits_a_table_is_that_of_the_table_asked_about() -> None:
    found = []
    for seed in (1, 2):
        state = rv.new_game("rummy-5000", 3, seed=seed)
        chance = random.Random(seed)
        while len(found) < 120 * seed and not state.is_over:
            if state.phase == "deal":
                state = rv.game.deal(state)
                continue
            found.append(state)
            action = rv.legal_actions(state).sample(chance.randrange)
            state = rv.apply(state, action)
    # Of two games in turn, each table once more when many others came between.
    for state in [*found, *found[::7], *found[::-1]]:
        anew = Fits.of(state.dealt.terms, state.table, state.dealer_wild)
        found_now = fits_of(state)
        assert state.dealt.terms.fits[id(state._table)] is found_now
        for what in ("table", "dealer_wild", "grows", "real", "kin", "single"):
            assert getattr(found_now, what) == getattr(anew, what)
    assert fits_of(found[-1]) is fits_of(found[-1])
