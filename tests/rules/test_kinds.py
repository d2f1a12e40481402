"""
Melds of kinds that house rules declare: everything agrees with the words of the rule.

The twin tries every part of a hand. Sets and runs are what they are without the rules,
so that the rules without them are its oracle for these.
"""

from __future__ import annotations

import itertools
import pickle
import random
import zlib

from collections import Counter
from collections.abc import Iterator

import attrs
import pytest

import arranging
import rummyvariants as rv

from amounts import every_third
from rummyvariants import testing
from rummyvariants.files._positions import read_position, write_position
from rummyvariants.melds._meld import Meld, played
from rummyvariants.melds._reading import read_meld
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.shapes._numbers import (
    IN_ORDER,
    KIND_AT_MOST,
    SHAPE,
    by_rank_and_suit,
    cards_to_number,
    number_to_cards,
)


RANKS = "A23456789TJQK"


def follow(cards: rv.Cards) -> bool:
    places = sorted(RANKS.find(one.rank) for one in cards)
    return places == [*range(places[0], places[0] + len(places))]


@rv.house.register_rule("meld", "test mixed runs")
@attrs.frozen
class MixedRuns(rv.house.HouseRule):
    """
    Cards in sequence, {shortest} at least, are a meld, whatever their suits.
    """

    shortest: int = 3

    def _fits(self, cards: rv.Cards) -> bool:
        return follow(cards)

    kinds = (rv.house.Kind("mixed run", _fits, least="shortest", most=6),)


@rv.house.register_rule("meld", "test odd fours")
@attrs.frozen
class OddFours(rv.house.HouseRule):
    """
    Four cards of four suits whose ranks are odd are a meld, and so are court pairs.
    """

    def _odd(self, cards: rv.Cards) -> bool:
        suits = {one.suit for one in cards}
        return len(suits) == 4 and all(one.rank in "A3579" for one in cards)

    def _court(self, cards: rv.Cards) -> bool:
        return all(one.rank in "JQK" for one in cards)

    kinds = (
        rv.house.Kind("odd four", _odd, least=4, most=4),
        rv.house.Kind("court", _court, least=2, most=3),
    )


@rv.house.register_rule("meld", "test whims")
@attrs.frozen
class Whims(rv.house.HouseRule):
    """
    A third of all cards together, two or more, are a meld for no reason ({seed}).
    """

    seed: int = 0

    def _fits(self, cards: rv.Cards) -> bool:
        text = " ".join([str(self.seed), *map(str, cards)])
        return zlib.crc32(text.encode()) % 3 == 0

    kinds = (rv.house.Kind("whim", _fits, least=2, most=5),)


@rv.house.register_rule("meld", "test led melds")
@attrs.frozen
class Led(rv.house.HouseRule):
    """
    Some two cards lead a meld, to which any higher cards can be added ({seed}).
    """

    seed: int = 0

    def _fits(self, cards: rv.Cards) -> bool:
        text = " ".join([str(self.seed), *map(str, [*cards][:2])])
        return zlib.crc32(text.encode()) % 20 == 0

    kinds = (rv.house.Kind("led meld", _fits, least=2, most=5),)


HOUSES = (
    {"deck.jokers": 0},
    {"deck.jokers": 2, "wild.jokers": True},
    {"deck.jokers": 3, "wild.jokers": False},
    {"deck.packs": 2, "meld.set_suits": "free", "wild.twos": True},
    {"deck.packs": 2, "meld.set_suits": "distinct", "meld.ace": "low"},
    {"meld.runs": False, "deck.jokers": 0},
    {"meld.sets": False, "meld.least_run": 4, "deck.jokers": 1, "wild.jokers": True},
    {"wild.wild_melds": True, "wild.jokers": True, "deck.jokers": 4},
)


def houses(
    seed: str, number: int, whim: type[rv.house.HouseRule] = Whims
) -> Iterator[tuple[random.Random, rv.Ruleset]]:
    """
    Rules of a table with kinds of melds.
    """
    chance = random.Random(seed)
    for _ in range(number):
        rules = [MixedRuns(chance.choice([3, 3, 4])), OddFours()]
        rules.append(whim(chance.randrange(1000)))
        chance.shuffle(rules)
        values = {**chance.choice(HOUSES), "layoff.single_wilds": False}
        base = rv.preset("rummy-500-pagat").with_values(values)
        kept = rules[: chance.randint(1, 3)]
        yield chance, base.with_values({"meld.rules": kept})


def position(
    rules: rv.Ruleset, hand: str, table: tuple[str, ...] = (), **more: object
) -> rv.State:
    """
    A turn in which a hand may be melded.
    """
    deck = Counter(map(str, arranging.Table(rules, 3).deck()))
    words = [word for meld in table for word in meld.split()[1:]]
    deck.subtract([*hand.split(), *[word.partition("=")[0] for word in words]])
    assert min(deck.values()) >= 0, (hand, table)
    rest = sorted((+deck).elements())
    given = {
        "seats": ["N", "E", "S"],
        "turn": "N",
        "phase": "play",
        "drawn": f"stock {hand.split(maxsplit=1)[0]}",
        "stock": " ".join(rest[3:6]),
        "discards": rest[2],
        "table": [*table],
        "hands": {"N": hand, "E": rest[0], "S": rest[1]},
        **more,
    }
    return read_position(
        {key: one for key, one in given.items() if one is not None}, rules
    )


class Twin:
    """
    The kind of meld that cards make, by the words of `Kind` alone.
    """

    def __init__(self, rules: rv.Ruleset) -> None:
        self.rules = rules
        self.bare = rules.with_values({"meld.rules": []})
        self.terms: Terms = self.bare.terms(3)
        self.known: dict[tuple[str, str], bool] = {}

    def kind(self, cards: tuple[rv.Card, ...]) -> str:
        """
        The name of the kind, empty for none.
        """
        named = tuple(map(played, [one.code for one in cards]))
        other = read_meld(self.terms, named, 0)
        if isinstance(other, Meld) or any(self.terms.wild[one.code] for one in cards):
            return ""
        for rule in self.rules.meld.rules:
            for kind in rule.kinds:
                if self.makes(rule, kind, cards):
                    return kind.name
        return ""

    def makes(
        self, rule: rv.house.HouseRule, kind: rv.house.Kind, cards: tuple
    ) -> bool:
        """
        Whether cards fit, and grow card by card.
        """
        key = kind.name, " ".join(sorted(map(str, cards)))
        if key not in self.known:
            least, most = kind.sizes(rule)
            number = len(cards)
            self.known[key] = (
                least <= number <= most
                and kind.fits(rule, rv.Cards(cards))
                and (
                    number == least
                    or any(
                        self.makes(rule, kind, cards[:at] + cards[at + 1 :])
                        for at in range(number)
                    )
                )
            )
        return self.known[key]

    def joins(self, kind: str, lying: tuple, more: tuple) -> bool:
        """
        Whether cards may be laid off one after another.
        """
        if self.kind((*lying, *more)) != kind:
            return False
        return len(more) == 1 or any(
            self.joins(kind, lying, more[:at] + more[at + 1 :])
            for at in range(len(more))
        )


def parts(hand: str, least: int, most: int) -> set[tuple[rv.Card, ...]]:
    cards = sorted(map(rv.Card, hand.split()), key=lambda one: one.code)
    sizes = range(least, min(most, len(cards)) + 1)
    return {one for size in sizes for one in itertools.combinations(cards, size)}


def chosen(at: rv.game.Chooser) -> Iterator[str]:
    """
    The actions that all ways of choosing lead to.
    """
    if at.action is not None:
        yield str(at.action)
    for choice in at.choices:
        yield from chosen(at.choose(choice))


def cards_of(action: rv.actions.NewMeld | rv.actions.LayOff) -> str:
    return " ".join(sorted(str(one.card) for one in action.cards))


def kinds_in(rules: rv.Ruleset) -> set[str]:
    return {one.name for rule in rules.meld.rules for one in rule.kinds}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_new_melds_are_those_that_the_rules_describe(seed: int) -> None:
    seen: Counter[str] = Counter()
    for chance, rules in houses(f"new {seed}", 8):
        twin = Twin(rules)
        table = arranging.Table(rules, 3)
        for _ in range(3):
            hand = " ".join(map(str, arranging.random_hand(table, chance, 7, 5)))
            state = position(rules, hand)
            every = rv.legal_actions(state)
            found: Counter[tuple[str, str]] = Counter()
            for action in every:
                if isinstance(action, rv.actions.NewMeld):
                    kind = rv.apply(state, action).table[-1].kind
                    if kind in kinds_in(rules):
                        found[kind, cards_of(action)] += 1
            expected = {}
            for some in parts(hand, 2, 6):
                kind = twin.kind(some)
                if kind:
                    expected[kind, " ".join(sorted(map(str, some)))] = 1
                    seen[kind] += 1
                    text = [*map(str, some)]
                    chance.shuffle(text)
                    ruling = rv.check(state, f"meld {' '.join(text)}")
                    assert ruling.legal, (hand, text, ruling)
                    assert ruling.rule in {one.name for one in rules.meld.rules}
                elif not any(twin.terms.wild[one.code] for one in some):
                    text = f"meld {' '.join(map(str, some))}"
                    legal = rv.check(position(twin.bare, hand), text).legal
                    assert rv.check(state, text).legal == legal, (hand, text)
            assert found == expected, hand
            texts = [*map(str, every)]
            assert len({*texts}) == len(texts)
            assert sorted(chosen(rv.chooser(state))) == sorted(texts)
            for _ in range(10):
                assert str(every.sample(chance)) in texts
            for action in every:
                assert action in every
                assert rv.check(state, str(action))
    assert min(seen[one] for one in ("mixed run", "odd four", "court", "whim")) > 0


@pytest.mark.parametrize("seed", range(3))
def test_lay_offs_are_those_that_the_rules_describe(seed: int) -> None:
    laid: Counter[int] = Counter()
    for chance, rules in houses(f"on {seed}", 12):
        twin = Twin(rules)
        table = arranging.Table(rules, 3)
        held = [*map(str, arranging.random_hand(table, chance, 12, 5))]
        chance.shuffle(held)
        hand, rest = " ".join(held[:7]), " ".join(held[7:])
        lying = [one for one in parts(rest, 2, 5) if twin.kind(one)]
        for meld in lying[:3]:
            kind = twin.kind(meld)
            there = " ".join(map(str, meld))
            state = position(rules, hand, (f"E: {there}",))
            assert state.table[0].kind == kind
            listed = Counter(
                cards_of(one)
                for one in rv.legal_actions(state)
                if isinstance(one, rv.actions.LayOff)
            )
            expected = {}
            for more in parts(hand, 1, 4):
                text = " ".join(map(str, more))
                legal = twin.joins(kind, meld, more)
                ruling = rv.check(state, f"lay {text} on 1")
                assert ruling.legal == legal, (there, text, ruling)
                if legal:
                    laid[len(more)] += 1
                    expected[" ".join(sorted(map(str, more)))] = 1
                    after = rv.apply(state, f"lay {text} on 1").table[0]
                    codes = [one.code for one in after.cards]
                    assert codes == by_rank_and_suit(codes)
            assert listed == expected, (there, hand)
            assert {*chosen(rv.chooser(state))} == {*map(str, rv.legal_actions(state))}
            for one in {*map(rv.Card, hand.split())}:
                alone = bool(state.table[0].grows >> 4 * one.code & 15)
                assert alone == twin.joins(kind, meld, (one,))
    assert laid[1] > 10
    assert laid[2] > 5


def test_numbers_of_cards_are_in_their_order() -> None:
    chance = random.Random(7)
    hands = [()]
    for _ in range(2000):
        size = chance.randint(1, KIND_AT_MOST)
        hands.append(tuple(by_rank_and_suit(chance.choices(IN_ORDER, k=size))))
    places = {code: at for at, code in enumerate(IN_ORDER)}
    by_place = sorted({*hands}, key=lambda one: [places[code] for code in one])
    numbers = [cards_to_number(one) for one in by_place]
    assert numbers == sorted({*numbers})
    assert [number_to_cards(one) for one in numbers] == by_place
    most = cards_to_number([IN_ORDER[-1]] * KIND_AT_MOST)
    assert number_to_cards(most) == (IN_ORDER[-1],) * KIND_AT_MOST
    assert most < 1 << SHAPE


@pytest.mark.parametrize("seed", every_third(range(2)))
def test_games_are_played_as_the_kit_demands(seed: int) -> None:
    for _, rules in houses(f"games {seed}", 4, Led):
        testing.play_match(rules, 3, seed, 60)


# ---------------------------------------------------------------- where melds appear


@rv.house.register_rule("meld", "test first a court")
@attrs.frozen
class FirstACourt(rv.house.HouseRule):
    """
    First melds are a court and a mixed run.
    """

    reads = frozenset()

    def opening(self, turn: rv.house.Turn) -> rv.house.Opening:
        del turn
        return rv.house.Opening(groups=("court 3", "mixed run"), only=True)


def rummy(*rules: rv.house.HouseRule, **values: object) -> rv.Ruleset:
    named = {key.replace("__", "."): one for key, one in values.items()}
    base = {"layoff.single_wilds": False, "deck.jokers": 0, **named}
    rummy_500 = rv.preset("rummy-500-pagat").with_values(base)
    return rummy_500.with_values({"meld.rules": rules})


def test_first_melds_of_declared_kinds() -> None:
    rules = rummy(OddFours(), MixedRuns(), FirstACourt())
    state = position(rules, "Jc Qd Kh 4c 5d 6h 7s 2c 9c")
    down = "meld 4c 5d 6h / Jc Qd Kh"
    assert rv.check(state, down)
    refused = rv.check(state, "meld 4c 5d 6h")
    assert "a court of three or more and a mixed run" in refused.reason
    listed = [
        one for one in rv.legal_actions(state) if isinstance(one, rv.actions.NewMelds)
    ]
    runs = [some for some in parts("4c 5d 6h 7s", 3, 4) if follow(rv.Cards(some))]
    court = frozenset(map(rv.Card, ["Jc", "Qd", "Kh"]))
    made = [
        {frozenset(one.card for one in meld) for meld in done.melds} for done in listed
    ]
    assert len(made) == len(runs)
    assert all({court, frozenset(some)} in made for some in runs)
    for one in listed:
        assert rv.check(state, one)
    assert sorted(chosen(rv.chooser(state))) == sorted(
        map(str, rv.legal_actions(state))
    )


def test_wrong_groups_are_refused() -> None:
    rules = rummy(OddFours(), FirstACourt())
    with pytest.raises(
        rv.errors.RulesError, match="'mixed run': give groups such as 'set'"
    ):
        [*rv.legal_actions(position(rules, "Jc Qd Kh 4c 5d 6h"))]


def test_a_card_that_must_be_melded() -> None:
    rules = rummy(MixedRuns(), draw__take="any number", draw__duty="deepest")
    chance, may, may_not = random.Random(3), 0, 0
    table = arranging.Table(rules, 3)
    for _ in range(60):
        hand = " ".join(map(str, arranging.random_hand(table, chance, 4, 2)))
        if {"5d", "9c"} & {*hand.split()}:
            continue
        state = position(rules, hand, phase="draw", drawn=None, discards="5d 9c")
        twin = Twin(rules)
        whole = f"{hand} 5d 9c"
        melds = [
            some
            for some in parts(whole, 3, 6)
            if rv.Card("5d") in some and len(some) < 6
            if twin.kind(some)
            or isinstance(
                read_meld(twin.terms, [played(one.code) for one in some], 0), Meld
            )
        ]
        legal = rv.check(state, "take 2").legal
        assert legal == bool(melds), whole
        may += legal
        may_not += not legal
        assert (rv.game.parse_action("take 2") in rv.legal_actions(state)) == legal
    assert min(may, may_not) > 3


def test_positions_documents_and_records_hold_them() -> None:
    rules = rummy(MixedRuns(), OddFours(), Whims(4))
    for seed in range(3):
        state = rv.new_game(rules, 3, seed=seed)
        chance, seen = random.Random(seed), 0
        for _ in range(150):
            actions = rv.legal_actions(state)
            if not actions:
                break
            melds = [
                one
                for one in actions
                if isinstance(one, rv.actions.NewMeld | rv.actions.LayOff)
            ]
            action = chance.choice(melds) if melds else actions.sample(chance)
            state = rv.apply(state, action)
            if any(meld.kind in kinds_in(rules) for meld in state.table):
                seen += 1
                if seen % 7 == 1:
                    again = rv.files.from_json(rv.files.to_json(state), rv.State)
                    assert again == state
                    for seat in range(3):
                        view = rv.view(state, seat)
                        assert (
                            rv.files.from_json(rv.files.to_json(view), rv.View) == view
                        )
                        assert rv.view(rv.determinize(view, chance), seat) == view
                    written = read_position(write_position(state), rules)
                    assert written.table == state.table
        assert seen
        record = rv.record(state)
        assert (
            rv.replay(rv.files.from_json(rv.files.to_json(record), rv.files.Record))
            == state
        )


def test_rules_with_kinds_are_values() -> None:
    rules = rummy(MixedRuns(4), OddFours())
    again = pickle.loads(pickle.dumps(rules))  # noqa: S301 -- our own
    assert again == rules
    assert again.meld.rules == (MixedRuns(4), OddFours())
    assert [one.least for one in rules.kinds] == [4, 4, 2]
    state = position(again, "4c 5d 6h 7s 9c")
    assert not rv.check(state, "meld 4c 5d 6h")
    assert rv.check(state, "meld 4c 5d 6h 7s")
    assert "Cards in sequence, 4 at least, are a meld" in rules.describe()


def test_the_encodings_have_words_for_them() -> None:
    rules = rummy(MixedRuns(), Led(2))
    coded = rv.learning.encoding(rules, 3)
    assert {"mixed run", "led meld"} <= {*coded.labels}
    for seed in range(2):
        testing.play_match(rules, 3, seed, 60)


# ------------------------------------------------------------------------ refusals


def test_refusals_say_which_kinds_there_are() -> None:
    rules = rummy(MixedRuns(), OddFours())
    state = position(rules, "4c 5d 8h 6h 7s 9c", ("E: 9d Th Js",))
    ruling = rv.check(state, "meld 4c 5d 8h")
    assert ruling.reason == (
        "4c 5d 8h is not a run: its suits differ; nor is it a mixed run of 3 to 6 "
        "cards, an odd four of 4 cards or a court of 2 to 3 cards"
    )
    assert {"test mixed runs", "test odd fours"} <= {ruling.rule, *ruling.also}
    ruling = rv.check(state, "lay 7s on 1")
    assert ruling.reason == "7s does not fit the mixed run 9d Th Js"
    assert "test mixed runs" in ruling.also
    assert rv.check(state, "lay 8h 7s on 1")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"name": "run"}, "which is another meld"),
        ({"name": "Mixed"}, "which is no lower-case words"),
        ({"name": "run of c"}, "which is no lower-case words"),
        ({"fits": 3}, "fits of the kind 'mixed' is 3: give a method"),
    ],
)
def test_wrong_kinds_are_refused(given: dict, message: str) -> None:
    with pytest.raises(rv.errors.RulesError, match=message):
        rv.house.Kind(
            **{"name": "mixed", "fits": lambda _, cards: bool(cards), **given}
        )


def test_a_size_is_a_number_or_a_value() -> None:
    fits = rv.house.Kind("mixed", lambda _, cards: bool(cards), least="shortest")
    made = attrs.frozen(
        type("Rule", (rv.house.HouseRule,), {"kinds": (fits,), "__doc__": "A rule."})
    )
    with pytest.raises(rv.errors.RulesError, match="there is no value 'shortest'"):
        rv.house.register_rule("meld", "test wrong size")(made)
    made.kinds = [fits]
    with pytest.raises(rv.errors.RulesError, match="give a tuple of Kind"):
        rv.house.register_rule("meld", "test wrong size")(made)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (MixedRuns(6), "declares a mixed run of 6 cards: give 2 to 5 at least"),
        (MixedRuns(7), "declares a mixed run of 7 to 6 cards: give 2 to 5 at least"),
        (MixedRuns(1), "declares a mixed run of 1 to 6 cards: give 2 to 5 at least"),
    ],
)
def test_sizes_have_bounds(rule: rv.house.HouseRule, message: str) -> None:
    with pytest.raises(rv.errors.RulesError, match=message):
        rummy(rule)


def test_an_answer_that_is_neither_yes_nor_no() -> None:
    @rv.house.register_rule("meld", "test shrugs")
    @attrs.frozen
    class Shrugs(rv.house.HouseRule):
        """
        Cards are a meld, or are not.
        """

        kinds = (rv.house.Kind("shrug", lambda _, cards: len(cards)),)

    state = position(rummy(Shrugs()), "4c 5d 8h 6h 7s 9c")
    with pytest.raises(
        rv.errors.RulesError, match=r"fits of shrug.*give True or False"
    ):
        [*rv.legal_actions(state)]


@rv.house.register_rule("meld", "test all or nothing")
@attrs.frozen
class AllOrNothing(rv.house.HouseRule):
    """
    A red card and two black ones, or four red ones, are a meld.
    """

    def _fits(self, cards: rv.Cards) -> bool:
        red = sum(one.suit in {*"dh"} for one in cards)
        return (len(cards), red) in {(3, 1), (4, 4)}

    kinds = (rv.house.Kind("flag", _fits, most=4),)


def test_the_kit_finds_melds_that_do_not_grow() -> None:
    with pytest.raises(AssertionError, match="but no part of it with one card less"):
        testing.play_match(rummy(AllOrNothing()), 3, 1, 60)


@rv.house.register_rule("meld", "test moods")
@attrs.frozen
class Moods(rv.house.HouseRule):
    """
    Three cards are a meld now and then.
    """

    def _fits(self, cards: rv.Cards) -> bool:
        return next(_MOODS) and len(cards) == 3

    kinds = (rv.house.Kind("mood", _fits, most=3),)


_MOODS = itertools.cycle([True, False, True])


def test_the_kit_finds_answers_that_change() -> None:
    with pytest.raises(AssertionError, match="once yes, once no"):
        testing.play_match(rummy(Moods()), 3, 1, 60)


def test_kinds_of_one_name_and_too_many_kinds() -> None:
    @rv.house.register_rule("score", "test another court")
    @attrs.frozen
    class Another(rv.house.HouseRule):
        """
        Three aces and a king are a court.
        """

        kinds = (rv.house.Kind("court", lambda _, cards: len(cards) == 4),)

    rules = rummy(OddFours())
    with pytest.raises(
        rv.errors.RulesError, match="both declare a court: leave one of them"
    ):
        rules.with_values({"score.rules": [Another()]})

    @rv.house.register_rule("meld", "test seven kinds")
    @attrs.frozen
    class Seven(rv.house.HouseRule):
        """
        There are seven kinds of melds.
        """

        kinds = tuple(
            rv.house.Kind(f"kind {one * 2}", lambda _, cards: len(cards) > 2)
            for one in "abcdefg"
        )

    with pytest.raises(
        rv.errors.RulesError, match="7 kinds of melds, but the library tells 6"
    ):
        rummy(Seven())


def test_every_kind_is_laid_in_hands_that_stay_concealed() -> None:
    gin = rv.preset("gin-rummy").with_values({"meld.rules": [MixedRuns(), OddFours()]})
    found = rv.solver.arrange_hand(
        gin, "4c 5d 6h Jc Qc Ks Kd 2h 9s Td", "least points left"
    )
    assert sorted(map(len, found.melds)) == [3, 3, 3]
    assert found.points_left == 2
    hand = "4c 5d 6h Jc Qc Ks Kd 7h 9s Td 8c"
    assert rv.solver.arrange_hand(gin, hand, "out").goes_out


@pytest.mark.parametrize("hand", ["4d 5d 6d 3h 6h 7s 9s *", "4c 6h 7h 8h 5h 5s 9s *"])
def test_declarations_show_the_runs_that_they_need(hand: str) -> None:
    """
    A wild in such a run made the declaration one of an empty meld.
    """
    values = {"deck.ranks": "A23456789", "deal.hand_size": 7}
    rules = rv.preset("indian-rummy-deals").with_values(values)
    rules = rules.with_values({"meld.rules": [MixedRuns()]})
    state = rv.position(
        rules,
        hands={"Ann": hand, "Ben": "Ac As"},
        turn="Ann",
        phase="play",
        wild="9",
        drawn="stock *",
        partial=True,
    )
    found = [
        one for one in rv.legal_actions(state) if isinstance(one, rv.actions.Declare)
    ]
    assert found
    assert all(rv.check(state, one) for one in found)
    assert all(all(one.melds) for one in found)


def test_hands_are_arranged_with_them() -> None:
    rules = rummy(MixedRuns(), OddFours())
    exact = 0
    for seed in range(12):
        chance = random.Random(f"arranged {seed}")
        hand = arranging.random_hand(arranging.Table(rules, 3), chance, 7)
        text = " ".join(map(str, hand))
        twin = Twin(rules)
        melds = [
            Counter(some)
            for some in parts(text, 2, 7)
            if twin.kind(some)
            or isinstance(
                read_meld(twin.terms, [played(one.code) for one in some], 0), Meld
            )
        ]

        def fewest(cards: Counter, melds: list[Counter]) -> int:
            left = [fewest(cards - one, melds) for one in melds if one <= cards]
            return min([cards.total(), *left])

        found = rv.solver.arrange_hand(rules, text, "least cards left", players=3)
        best = fewest(Counter(hand), melds)
        exact += found.exact
        assert found.cards_left == best or not found.exact, text
    assert exact > 6


def test_no_kinds_are_declared_in_a_deck_with_stars() -> None:
    rules = rv.preset("rummy-500").with_values({"meld.rules": ["test odd fours"]})
    with pytest.raises(rv.errors.RulesError, match="has stars: leave one of them out"):
        rules.with_values({"deck.suits": "cdhsx"})
