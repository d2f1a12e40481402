"""More cards of a face than there are: named, placed, written, put together."""

from __future__ import annotations

import random

from collections.abc import Iterator

import attrs
import pytest

import rummyvariants as rv

from rummyvariants._support import words
from rummyvariants.actions import Action
from rummyvariants.cards import CARDS, COPIES, JOKER, pack
from rummyvariants.errors import CopiesError
from rummyvariants.files.json import JsonError, from_data, to_data


TOO_MANY = (8, 9, 12, 15, 16, 17, 24, 32, 48)
"""Counts that spill out of the four bits of a face, in all ways in which they can."""


# ------------------------------------------------------------------------- named


def crowds(state: rv.State, seat: int) -> Iterator[tuple[rv.melds.Played, ...]]:
    """
    A face too often: each that lies there, and those whose bits lie beside it.
    """
    held = {card.code for card in (*state.hands[seat], *state.discards)}
    near = {code - 1 for code in held} | held | {code + 1 for code in held} | {JOKER}
    for code in sorted(near):
        if code < len(CARDS) and CARDS[code].rank:
            for number in TOO_MANY:
                yield (rv.melds.Played(str(CARDS[code])),) * number


def verbs(
    cards: tuple[rv.melds.Played, ...], seat: int, melds: int
) -> Iterator[Action]:
    """
    Every action that can name so many cards.
    """
    yield rv.actions.NewMeld(cards, seat)
    yield rv.actions.CallRummy(cards, seat=seat)
    yield rv.actions.Knock(cards[0].card, (cards,), seat)
    yield rv.actions.Knock(cards[0].card, (cards[:7], cards[7:]), seat)
    yield rv.actions.Knock(None, (cards,), seat)
    yield rv.actions.Deal(tuple(one.card for one in cards), 0)
    for number in range(melds + 1):
        yield rv.actions.LayOff(cards, number, seat=seat)
        yield rv.actions.LayOff(cards, number, "low", seat)
        yield rv.actions.CallRummy(cards, number, seat=seat)


def look_at(state: rv.State) -> int:
    """
    Assert that no crowd can be played; how many were tried.
    """
    tried = 0
    for seat in state.to_act:
        for cards in crowds(state, seat):
            for action in verbs(cards, seat, min(len(state.table), 2)):
                ruling = rv.check(state, action)
                assert not ruling, f"{action} is legal"
                assert ruling.reason
                tried += 1
            with pytest.raises(rv.IllegalAction):
                rv.apply(state, str(rv.actions.NewMeld(cards)), seat)
    return tried


OPTIONS = ((), ("PGV-P3",), ("PGV-P11",), ("PGV-P3", "PGV-P11", "PGV-C4a"))


def games() -> Iterator[tuple[str, tuple[str, ...]]]:
    for name in rv.presets():
        for options in OPTIONS:
            try:
                rv.preset(name).with_options(*options)
            except rv.errors.RulesError:
                continue
            yield name, options


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), list(games()))
def test_rv_07_no_card_is_named_more_often_than_a_hand_holds_it(
    name: str, options: tuple[str, ...]
) -> None:
    """
    In no phase of any game, with no verb.
    """
    rules = rv.preset(name).with_options(*options)
    chance = random.Random(f"{name} {options}")
    state = rv.new_game(rules, rules.match.players[0], seed=3)
    tried = 0
    seen: dict[str, int] = {}
    for _ in range(60):
        if state.phase in {"deal", "over"}:
            break
        if seen.setdefault(state.phase, 0) < 2:
            seen[state.phase] += 1
            tried += look_at(state)
        state = rv.apply(state, rv.legal_actions(state).sample(chance.randrange))
    assert tried > 1_000


MELDING = """
    title = "Ann has drawn"
    cites = ["RV-07"]
    rules = {{ extends = "{rules}", with = [{options}] }}
    [position]
    seats = ["Ann", "Ben"]
    phase = "{phase}"
    stock = "Kd Qd"
    discards = "{discards}"
    table = ["Ann: 5c 5d 5h", "Ben: 9s Ts Js"]
    hands = {{ Ann = "6d 6h 7c 9d", Ben = "Kc Qc" }}
"""


def melding(
    rules: str, *options: str, phase: str = "play", discards: str = "3d"
) -> rv.State:
    names = ", ".join(f'"{one}"' for one in options)
    text = MELDING.format(rules=rules, options=names, phase=phase, discards=discards)
    start = rv.files.parse_scenario(text).start
    assert start is not None
    return start


@pytest.mark.parametrize("number", TOO_MANY)
@pytest.mark.parametrize(
    ("rules", "options", "verb"),
    [
        ("rummy-500-pagat", (), "meld {} 6d 6h"),
        ("rummy-500", ("PGV-P3", "PGV-C4a"), "meld {}"),
        ("rummy-500", (), "lay {} on 1"),
        ("rummy-500", (), "lay {} low on 2"),
    ],
)
def test_rv_07_the_refusal_says_which_card_comes_too_often(
    rules: str, options: tuple[str, ...], verb: str, number: int
) -> None:
    state = melding(rules, *options)
    for card in ("6c", "7c", "*"):
        ruling = rv.check(state, verb.format(" ".join([card] * number)))
        assert not ruling
        if number > COPIES[rv.Card(card).code]:
            assert ruling.rule == "RV-07"
            assert ruling.reason.startswith(f"{card} comes too often")


@pytest.mark.parametrize("number", TOO_MANY)
@pytest.mark.parametrize("with_hand", ["PGV-P11", "BNV-01"])
def test_rv_07_nor_is_a_pile_called_for_more_than_it_holds(
    with_hand: str, number: int
) -> None:
    state = melding("rummy-500", with_hand)
    state = rv.apply(state, "discard 7c")
    assert state.phase == "call"
    for text in ("rummy {}", "rummy {} 6d 6h", "rummy {} on 1"):
        for card in ("6c", "7c", "2d"):
            ruling = rv.check(state, text.format(" ".join([card] * number)), 1)
            assert not ruling
            assert ruling.rule == "RV-07"


# -------------------------------------------------------------------- put together


@pytest.mark.parametrize("number", TOO_MANY)
def test_cards_put_together_are_refused_where_they_do_not_fit(number: int) -> None:
    for face in ("6c", "*", "Ks", "Ac"):
        card = rv.Card(face)
        most = COPIES[card.code]
        if number <= most:
            assert rv.Cards([card] * number).count(card) == number
            continue
        with pytest.raises(CopiesError, match=f"the library counts {most} of one"):
            pack([card.code] * number)
        with pytest.raises(ValueError, match="comes too often"):
            rv.Cards([card] * number)
        with pytest.raises(rv.errors.ParseError, match="comes too often"):
            rv.Cards(" ".join([face] * number))
        many = rv.Cards([card] * most)
        with pytest.raises(ValueError, match="comes too often"):
            many + rv.Cards([card] * min(number - most, most))
        assert (many + rv.Cards("2d")).count(card) == most
        with pytest.raises(ValueError, match="of one face"):
            rv.solver.arrange_hand("rummy-500", " ".join([face] * number))


@pytest.mark.parametrize(
    ("values", "face"),
    [
        ({"deck.packs": 8}, "8 of Ac, but the library counts 7"),
        ({"deck.packs": {2: 1, 3: 9, 4: 1}}, "9 of Ac"),
        ({"deck.packs": 10**6, "deck.ranks": "78"}, "1000000 of 7c"),
        ({"deck.jokers_in_all": 16}, "16 jokers, but the library counts 15"),
        ({"deck.packs": 2, "deck.jokers": 8}, "16 jokers"),
        ({"deck.packs": {2: 7}, "deck.more_packs": True, "deck.jokers": 0}, "8 of Ac"),
    ],
)
def test_a_deck_of_more_than_the_library_counts_is_refused_as_its_limit(
    values: dict[str, object], face: str
) -> None:
    with pytest.raises(rv.errors.RulesError, match=face) as found:
        rv.preset("rummy-500").with_values(values)
    assert "limit, not a rule" in str(found.value)
    assert not found.value.rules


# ----------------------------------------------------------------------- written


@pytest.mark.parametrize("number", TOO_MANY)
@pytest.mark.parametrize(
    ("key", "text", "card"),
    [
        ("stock", 'stock = "{}"', "5c"),
        ("discards", 'stock = "Kd"\ndiscards = "{}"', "5c"),
        ("hands", 'hands = {{ Ann = "{}", Ben = "2c" }}', "5c"),
        ("hands", 'hands = {{ Ann = "2c", Ben = "{}" }}', "*"),
        ("table", 'table = ["Ann: {} 6c"]', "6c"),
        ("drawn", 'phase = "play"\nowed = ""\ndrawn = "take {}"', "5c"),
    ],
)
def test_a_position_counts_its_cards_however_many_there_are(
    key: str, text: str, card: str, number: int
) -> None:
    lines = text.format(" ".join([card] * number))
    scenario = rv.files.parse_scenario(
        f"""
        title = "Too many"
        cites = ["BN-01"]
        rules = "rummy-500"
        invalid = "*"
        [position]
        seats = ["Ann", "Ben"]
        {lines}
        """
    )
    placed = number + (key == "table")
    assert scenario.problem is not None
    message = f"the deck holds {card} once, not {words.times(placed)}"
    if card == "*":
        message = f"the deck has two jokers, not {words.number(placed)}"
    assert message in str(scenario.problem)


def test_cards_of_all_places_are_counted_together() -> None:
    """
    Five copies in each of several places are not two.
    """
    five = " ".join(["5c"] * 5)
    scenario = rv.files.parse_scenario(
        f"""
        title = "Too many"
        cites = ["BN-01"]
        rules = "rummy-500"
        invalid = "*"
        [position]
        seats = ["Ann", "Ben", "Cy"]
        stock = "{five}"
        discards = "{five}"
        hands = {{ Ann = "{five}", Ben = "{five} 2d", Cy = "{five}" }}
        """
    )
    assert "the deck holds 5c once, not 25 times" in str(scenario.problem)


@pytest.mark.parametrize("number", TOO_MANY)
def test_a_record_that_names_too_many_is_not_replayed(number: int) -> None:
    state = rv.apply(rv.new_game("2500-house", 2, seed=1), "draw")
    record = rv.record(state)
    (entry,) = record.rounds
    meld = rv.game.parse_action("meld " + "6c " * number, state.turn)
    longer = attrs.evolve(entry, actions=(*entry.actions, meld))
    text = str(attrs.evolve(record, rounds=(longer,)))
    with pytest.raises(rv.files.ReplayError, match="6c comes too often"):
        rv.replay(text)


@pytest.mark.parametrize("number", TOO_MANY)
def test_a_document_with_too_many_of_a_face_is_refused(number: int) -> None:
    state = melding("rummy-500")
    data = to_data(rv.view(state, 0))
    crowd = ["6c"] * number
    for key, value in (
        ("known", [crowd, []]),
        ("shown", [crowd, []]),
        ("hand", crowd),
        ("discards", crowd),
        ("left_out", crowd),
    ):
        with pytest.raises(JsonError, match=rf"{key}.*6c comes too often"):
            from_data({**data, key: value}, "view")
    data = to_data(state)
    spent = {**data["drawn"], "spent": crowd}
    for key, value in (
        ("hands", [crowd, []]),
        ("stock", crowd),
        ("shown", [crowd, []]),
        ("drawn", spent),
    ):
        with pytest.raises(JsonError, match=rf"{key}.*6c comes too often"):
            from_data({**data, key: value}, "state")
    action = from_data({"seat": 0, "action": "meld " + " ".join(crowd)}, "action")
    assert rv.check(state, action).rule == "RV-07"
    assert action not in rv.legal_actions(state)


def test_a_document_counts_the_hand_before_the_draw() -> None:
    data = to_data(melding("rummy-500"))
    data["drawn"]["spent"] = ["6c", "6c"]
    with pytest.raises(JsonError, match="more cards than the deck"):
        from_data(data, "state")


# --------------------------------------------------------------------- many jokers


@pytest.mark.parametrize("number", range(7, COPIES[JOKER] + 1))
def test_up_to_fifteen_jokers_are_counted_wherever_cards_are(number: int) -> None:
    """
    In a hand, a view, an observation, documents, melds and the score.
    """
    rules = rv.preset("rummy-500").with_values(
        {"deck.jokers_in_all": number, "wild.jokers": True, "wild.wild_melds": True}
    )
    jokers = " ".join(["*"] * number)
    state = rv.position(rules, hands={"Ann": jokers, "Ben": "2c"}, fill=True)
    hand = state.hands[0]
    assert len(hand) == hand.count(rv.Card("*")) == number
    assert str(hand) == jokers
    assert from_data(to_data(state), "state") == state
    for seat, known in ((0, number), (1, 0)):
        view = rv.view(state, seat)
        assert from_data(to_data(view), "view") == view
        row = rv.learning.observation(view)
        assert list(row["hands"][0])[-1] == known
        assert list(row["unseen"])[-1] == number - known
        assert len(rv.determinize(view, random.Random(1)).hands[0]) == number
    drawn = rv.apply(state, "draw")
    laid = rv.apply(drawn, f"meld {jokers}")
    assert [str(slot.card) for slot in laid.table[0].slots] == ["*"] * number
    row = rv.learning.observation(rv.view(laid, 1))
    assert list(row["laid"][1])[-1] == number
    assert list(row["spent"])[-1] == number
    assert from_data(to_data(laid), "state") == laid
