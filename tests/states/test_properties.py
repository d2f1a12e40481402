"""
What holds of every value, every state and every step, shown on examples at random.
"""

from __future__ import annotations

import copy
import itertools
import pickle
import random
import tomllib

from collections import Counter

import pytest

from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rummyvariants as rv
import strategies

from invariants import look_at
from rummyvariants import cards as kernel
from rummyvariants._support import toml
from rummyvariants.cards import sub_multisets
from rummyvariants.files._records import rules_table
from rummyvariants.game._meanings import meaning
from rummyvariants.game.verbs._known import wrong_value
from rummyvariants.rules._files import read_rules
from rummyvariants.testing import do
from rummyvariants.testing.legality import check_refusal
from rummyvariants.testing.states import cards_of, fingerprint


MANY = 400
"""More legal actions than this are not compared one by one."""


def some_of(state: rv.State, most: int = MANY) -> list[rv.Action]:
    return list(itertools.islice(rv.legal_actions(state), most))


# ------------------------------------------------------------- multisets of cards


def bits_of(counts: dict[int, int]) -> int:
    return kernel.pack(Counter(counts).elements())


@given(strategies.multisets)
def test_a_multiset_counts_like_a_counter(counts: dict[int, int]) -> None:
    """
    Size, counts, faces and cards are those of a counter.
    """
    bits = bits_of(counts)
    assert kernel.size(bits) == sum(counts.values())
    assert list(kernel.faces(bits)) == sorted(counts)
    assert list(kernel.codes(bits)) == sorted(Counter(counts).elements())
    assert kernel.present(bits) == kernel.pack(counts)
    often = [code for code, number in counts.items() if number >= 3]
    assert kernel.thrice(bits) == kernel.pack(often)
    assert not counts or kernel.lowest(bits) == min(counts)
    worth = tuple(range(1, kernel.CODES + 1))
    points = sum(worth[code] * number for code, number in counts.items())
    assert kernel.total(worth, bits) == points
    for code in kernel.ALL_CODES:
        assert kernel.count(bits, code) == counts.get(code, 0)


@given(strategies.multisets, strategies.multisets)
def test_two_multisets_compare_like_counters(
    first: dict[int, int], second: dict[int, int]
) -> None:
    """
    What is held and what is shared is what counters say.
    """
    one, other = bits_of(first), bits_of(second)
    assert kernel.holds(one, other) == (Counter(second) <= Counter(first))
    shared = Counter(first) & Counter(second)
    assert kernel.common(one, other) == kernel.common(other, one) == bits_of(shared)
    assert kernel.holds(one, kernel.common(one, other))
    union = Counter(first) | Counter(second)
    both = kernel.as_cards(bits_of(union)), kernel.as_cards(one)
    assert both[1] <= both[0]
    assert (both[0] - both[1]) + both[1] == both[0]
    lead = Counter(first)
    lead.subtract(second)
    apart = {code: number for code, number in lead.items() if number}
    assert dict(kernel.differences(one - other)) == apart


@given(strategies.multisets)
def test_cards_come_back_from_their_text(counts: dict[int, int]) -> None:
    """
    A hand is read back from its text, whatever the order of the cards.
    """
    hand = kernel.as_cards(bits_of(counts))
    assert rv.Cards(str(hand)) == hand
    assert rv.Cards(reversed(list(hand))) == hand
    assert hash(rv.Cards(str(hand))) == hash(hand)
    assert len(hand) == len(list(hand)) == len(rv.cards.parse_cards(str(hand)))
    for card in hand:
        assert card in hand
        assert hand.count(card) == counts[card.code]


@given(strategies.multisets)
@settings(max_examples=30)
def test_parts_of_a_multiset_are_all_there_once(counts: dict[int, int]) -> None:
    """
    Every part comes once, and with bounds just those within them.
    """
    few = dict(sorted((code, min(n, 3)) for code, n in counts.items())[:5])
    bits = bits_of(few)
    parts = list(sub_multisets(bits))
    wanted = 1
    for number in few.values():
        wanted *= number + 1
    assert len(parts) == len(set(parts)) == wanted
    assert all(kernel.holds(bits, part) for part in parts)
    within = [part for part in parts if 2 <= kernel.size(part) <= 4]
    assert sorted(sub_multisets(bits, 2, 4)) == sorted(within)


# ----------------------------------------------------------------------- notation


@given(strategies.faces)
def test_a_card_comes_back_from_its_text(card: rv.Card) -> None:
    """
    A card is read back from its text, in any case.
    """
    for text in (str(card), str(card).upper(), str(card).lower(), f" {card} "):
        assert rv.Card(text) == card
    if card.rank == "T":
        assert rv.Card(f"10{card.suit}") == card


@given(strategies.places)
def test_a_place_comes_back_from_its_text(place: rv.melds.Place) -> None:
    """
    What a wild stands for is read back from its text.
    """
    assert rv.melds.Place(str(place)) == place
    assert rv.melds.Place(str(place).lower()) == place


@given(strategies.played)
def test_a_played_card_comes_back_from_its_text(one: rv.melds.Played) -> None:
    """
    A card as it is played is read back from its text.
    """
    assert rv.melds.Played(str(one)) == one


@given(strategies.actions(), strategies.seats)
def test_an_action_comes_back_from_its_text(action: rv.Action, other: int) -> None:
    """
    An action of any kind is read back from its text, with or without its seat.
    """
    assert rv.game.parse_action(str(action), seat=action.seat) == action
    assert str(rv.game.parse_action(str(action))) == str(action)
    if action.seat is not None:
        assert rv.game.parse_action(f"{action.seat}: {action}") == action
    assert rv.game.parse_action(str(action), seat=other).seat == other
    verb, _, rest = str(action).partition(" ")
    assert rv.game.parse_action(f"  {verb.upper()}  {rest} ", action.seat) == action


@given(st.text(max_size=40))
def test_text_that_is_no_action_is_a_parse_error(text: str) -> None:
    """
    Whatever is written, it is an action or a ParseError with a sentence.
    """
    try:
        action = rv.game.parse_action(text)
    except rv.errors.ParseError as error:
        assert "is not an action" in str(error)
    else:
        assert rv.game.parse_action(str(action), action.seat) == action


@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                [
                    "draw",
                    "take",
                    "meld",
                    "lay",
                    "put",
                    "swap",
                    "split",
                    "discard",
                    "rummy",
                    "pass",
                    "choose",
                    "deal",
                    "on",
                    "after",
                    "low",
                    "high",
                    "=",
                    "*",
                    ":",
                    "0",
                    "1",
                    "12",
                    "9h",
                    "*=8h",
                    "4c=4c",
                    "??",
                    "-1",
                    "1.5",
                    "²",
                ]
            ),
            strategies.faces.map(str),
        ),
        min_size=1,
        max_size=8,
    ).map(" ".join)
)
def test_words_of_the_notation_in_any_order_do_no_harm(text: str) -> None:
    """
    Words of the notation thrown together are an action or a ParseError.
    """
    try:
        action = rv.game.parse_action(text)
    except rv.errors.ParseError:
        return
    assert rv.game.parse_action(str(action), action.seat) == action
    assert not wrong_value(action)


# -------------------------------------------------------------- rulesets as tables


@given(strategies.rulesets(6))
def test_rules_come_back_from_their_table(rules: rv.Ruleset) -> None:
    """
    What a file says of rules is read back as the same rules.
    """
    text = toml.table({"rules": rules_table(rules)})
    again = read_rules(tomllib.loads(text)["rules"])
    assert again == rules
    assert hash(again) == hash(rules)
    assert not rules.diff(again)
    assert again.options == rules.options
    assert pickle.loads(pickle.dumps(rules)) == rules  # noqa: S301 -- our own
    assert {one.rule for one in rules.origins.values()} <= set(rv.rules.catalogue())


# ------------------------------------------------------------------ states and steps


def look_at_liveliness(state: rv.State) -> None:
    """
    Assert that somebody can act, a deal is due, or the match is over.
    """
    if state.phase in {"deal", "over"}:
        assert not rv.legal_actions(state)
        assert not list(rv.legal_actions(state))
        return
    assert rv.legal_actions(state)
    for seat in state.to_act:
        assert next(iter(rv.legal_actions(state, seat)), None) is not None


@given(strategies.games())
def test_every_state_on_the_way_is_sound(game: strategies.Game) -> None:
    """
    No card is lost or doubled, melds are melds, and somebody can act.
    """

    def look(state: rv.State) -> None:
        look_at(state)
        look_at_liveliness(state)

    state = game.play(look)
    look_at(state)
    look_at_liveliness(state)


@given(strategies.games(), st.randoms(use_true_random=False))
def test_a_step_leaves_the_state_before_it_alone(
    game: strategies.Game, rng: random.Random
) -> None:
    """
    `apply` gives what `step` gives, keeps every card, and changes nothing it was given.
    """
    state = game.play()
    assume(state.to_act)
    before = copy.deepcopy(state)
    action = strategies.any_action(state, rng)
    after = do(state, action)
    assert state == before
    assert fingerprint(state)[:-1] == fingerprint(before)[:-1]
    assert rv.apply(before, action) == after
    assert rv.apply(state, str(action), seat=action.seat) == after


@given(strategies.games(), st.randoms(use_true_random=False))
def test_membership_is_what_check_says(
    game: strategies.Game, rng: random.Random
) -> None:
    """
    Legal, mutated and nonsense actions: legal ones are listed, others change nothing.
    """
    state = game.play()
    assume(state.to_act)
    listed = some_of(state)
    means = {(meaning(state, one), one.seat) for one in listed}
    complete = len(listed) < MANY
    hand = list(state.hands[state.to_act[0]]) + list(state.discards[-3:])
    tried = [strategies.mutated(rng.choice(listed), rng, hand) for _ in range(25)]
    tried += rng.sample(listed, min(5, len(listed)))
    for action in tried:
        ruling = rv.check(state, action)
        assert (action in rv.legal_actions(state)) == bool(ruling)
        if action.seat is None or action.seat in range(len(state.players)):
            assert rv.check(state, str(action), action.seat) == ruling
        else:
            with pytest.raises(rv.errors.RequestError, match="there is no seat"):
                rv.check(state, str(action), action.seat)
        assert ruling.rule in rv.rules.catalogue()
        assert set(ruling.also) <= set(rv.rules.catalogue())
        if not ruling:
            check_refusal(state, action, ruling)
        elif complete:
            acting = state.to_act[0] if action.seat is None else action.seat
            known = attrs_seat(action, acting)
            assert (meaning(state, known), acting) in means, f"{action} is not listed"


def attrs_seat(action: rv.Action, seat: int) -> rv.Action:
    return rv.game.parse_action(str(action), seat)


@given(strategies.games(), strategies.actions())
def test_nonsense_is_refused_or_listed(
    game: strategies.Game, action: rv.Action
) -> None:
    """
    An action out of the blue gets a ruling, is no worse than refused, and as `in` says.
    """
    state = game.play()
    ruling = rv.check(state, action)
    assert (action in rv.legal_actions(state)) == bool(ruling)
    if ruling:
        rv.apply(state, action)
    else:
        check_refusal(state, action, ruling)


@given(strategies.games())
def test_legal_actions_are_legal_and_mean_different_things(
    game: strategies.Game,
) -> None:
    """
    Everything listed is accepted, fully declared, and no two mean the same.
    """
    state = game.play()
    listed = some_of(state)
    moves = rv.legal_actions(state)
    assert bool(moves) == bool(listed)
    seen = set()
    for action in listed:
        assert action.seat in state.to_act
        assert rv.check(state, action), str(action)
        means = (meaning(state, action), action.seat)
        assert means not in seen, f"{action} is listed twice"
        seen.add(means)
    if 0 < len(listed) < 60:
        assert len(moves) == len(listed)
        for seat in state.to_act:
            own = list(rv.legal_actions(state, seat))
            assert own == [one for one in listed if one.seat == seat]
    for seat in set(range(game.players)) - set(state.to_act):
        assert not rv.legal_actions(state, seat)


@given(strategies.games(), st.randoms(use_true_random=False))
def test_a_sample_is_a_legal_action(game: strategies.Game, rng: random.Random) -> None:
    """
    What is sampled is legal, and among those listed where all can be listed.
    """
    state = game.play()
    assume(state.to_act)
    listed = some_of(state)
    means = {(meaning(state, one), one.seat) for one in listed}
    for _ in range(10):
        action = rv.legal_actions(state).sample(rng.randrange)
        assert rv.check(state, action), str(action)
        if len(listed) < MANY:
            assert (meaning(state, action), action.seat) in means


# ------------------------------------------------------------- copies and records


@given(strategies.games())
def test_a_record_replays_to_the_state(game: strategies.Game) -> None:
    """
    A record gives the state back, and its text gives the record back byte for byte.
    """
    state = game.play()
    record = rv.record(state, notes="a game")
    text = str(record)
    again = rv.files.Record.parse(text)
    assert again == record
    assert str(again) == text
    replayed = rv.replay(text)
    assert replayed == state
    assert hash(replayed) == hash(state)
    assert replayed.history == state.history
    assert [str(one) for one in some_of(replayed, 50)] == [
        str(one) for one in some_of(state, 50)
    ]


@given(strategies.games())
@settings(max_examples=25)
def test_copies_and_pickles_are_equal(game: strategies.Game) -> None:
    """
    A copied or pickled state is equal, hashes alike and plays on alike.
    """
    state = game.play()
    for other in (
        copy.copy(state),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),  # noqa: S301 -- of our own making
    ):
        assert other == state
        assert hash(other) == hash(state)
        assert cards_of(other) == cards_of(state)
        assert some_of(other, 30) == some_of(state, 30)


@pytest.mark.parametrize("suit", "cs")
def test_the_suit_of_the_dealers_wild_is_kept_where_suits_matter(suit: str) -> None:
    entry = f'dealer_wild = "Kh=6{suit} | N: 6d 6h"'
    scenario = rv.files.parse_scenario(DEALERS_WILD + entry)
    assert scenario.start is not None
    assert entry in rv.files.scenario_text(scenario.start)


DEALERS_WILD = """
[rules]
extends = "2500-house"
with = ["R5V-22a"]

[position]
seats = ["N", "S"]
dealer = "S"
turn = "N"
wild = "K"
stock = "9d"
discards = "5c"
table = ["N: Qc Qd Qs"]
hands = { N = "7d", S = "8c" }
"""


@given(strategies.games())
def test_a_position_written_out_is_the_same_position(game: strategies.Game) -> None:
    """
    A running game as a scenario reads back with the same cards and the same choices.
    """
    state = game.play()
    assume(state.phase in {"draw", "play", "call", "discard"})
    text = rv.files.scenario_text(state)
    scenario = rv.files.parse_scenario(text)
    assert rv.files.run(scenario).differences == ()
    again = scenario.start
    assert again is not None
    assert again.hands == state.hands
    assert again.stock == state.stock
    assert again.discards == state.discards
    assert again.phase == state.phase
    assert again.turn == state.turn
    assert again.to_act == state.to_act
    assert again.scores == state.scores
    assert again.wild_rank == state.wild_rank
    for mine, there in zip(state.table, again.table, strict=True):
        assert Counter(map(str, mine.slots)) == Counter(map(str, there.slots))
        assert Counter((one.card, one.seat) for one in mine.slots) == Counter(
            (one.card, one.seat) for one in there.slots
        )
        assert mine.maker == there.maker
        assert Counter(one.card for one in mine.beside) == Counter(
            one.card for one in there.beside
        )
    mine, there = some_of(state), some_of(again)
    assert {meaning(state, one) for one in mine} == {
        meaning(again, one) for one in there
    }
    # And it writes the same text again.
    assert rv.files.scenario_text(again) == text


@given(strategies.games(most_steps=60))
@settings(max_examples=25)
def test_a_deck_is_whole_after_each_deal(game: strategies.Game) -> None:
    """
    The same seed gives the same game, and each deal uses the whole deck.
    """
    state = game.play()
    again = game.play()
    assert state == again
    assert state.history == again.history
    for action in state.history:
        if isinstance(action, rv.actions.Deal):
            assert Counter(card.code for card in action.cards) == Counter(
                state.rules.deck.cards_for(len(state.players))
            )


SPLIT_OFF = """
[rules]
extends = "rummy-5000"
with = ["PGV-C5", "PGV-P2b"]

[position]
seats = ["N", "E", "S"]
turn = "E"
phase = "play"
drawn = "stock 2c"
table = ["N: 8s 8h 8d | E: 8c 8s 8h"]
hands = { N = "Kc Kd", E = "2c 5d 9h", S = "Jc Jd" }
"""


def test_a_part_split_off_from_its_maker_is_the_same_position() -> None:
    """
    None of the maker's cards are in the second part, which is N's meld all the same.
    """
    start = rv.files.parse_scenario(SPLIT_OFF).start
    assert start is not None
    state = rv.apply(start, "split 1 after 3")
    assert state.table[1].maker == 0
    again = rv.files.parse_scenario(rv.files.scenario_text(state)).start
    assert again is not None
    assert again.table == state.table
    assert [one.maker for one in again.table] == [0, 0]
