"""What the engine keeps to while house rules have effects, offers and places."""

from __future__ import annotations

import itertools
import random
import re

from collections.abc import Iterator
from typing import Any, ClassVar

import attrs
import pytest

import rummyvariants as rv

from rummyvariants import events, testing
from rummyvariants.house import rules as house
from rummyvariants.learning.encodings import EncodingError, encoding
from rummyvariants.learning.observations import observation, observation_spec
from rummyvariants.testing.house import check_reads


@pytest.fixture(autouse=True)
def _no_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "_RULES", {})


def _table(
    base: str, *rules: type[rv.house.HouseRule], **sections: object
) -> rv.Ruleset:
    given: dict[str, dict[str, object]] = {
        name: dict(values)  # type: ignore[call-overload]
        for name, values in sections.items()
    }
    for rule in rules:
        given.setdefault(rule.section, {})["rules"] = [rule.name]
    return rv.rules.read_rules({"extends": base, **given})


def test_one_meld_a_turn_holds_in_a_turn_without_a_draw() -> None:
    @rv.house.register_rule("draw", "no draw")
    @attrs.frozen
    class NoDraw(rv.house.HouseRule):
        """A turn may go on without a draw."""

        actions = ("skip",)

        def offers(self, turn: rv.house.Turn) -> list[rv.house.Offer]:
            before = turn.phase == "draw"
            return [rv.house.Offer("skip", [rv.house.GoOn("play")])] if before else []

    hands = {"Ann": "7h 8h 9h Kc Kd Ks 2c", "Ben": "Qh 3d"}
    rules = _table("basic-rummy", NoDraw)
    piles = {"stock": "4c 5c", "discards": "Jd"}
    state = rv.position(rules, hands=hands, turn="Ann", partial=True, **piles)
    state = rv.apply(rv.apply(state, "skip"), "meld 7h 8h 9h")
    assert rv.check(state, "meld Kc Kd Ks").rule == "BR-05"
    assert rv.files.from_json(rv.files.to_json(state), rv.State) == state
    # The count is that of the turn.
    state = rv.apply(rv.apply(state, "discard 2c"), "draw")
    state = rv.apply(rv.apply(state, "discard 4c"), "skip")
    assert rv.check(state, "meld Kc Kd Ks")


@pytest.mark.parametrize(
    ("shown", "seen"),
    [("nobody", (0, 0)), ("owner", (2, 0)), ("everybody", (2, 2))],
)
def test_a_zone_of_a_position_is_seen_by_those_who_see_its_pile(
    shown: str, seen: tuple[int, int]
) -> None:
    @rv.house.register_rule("out", "foot")
    @attrs.frozen
    class Foot(rv.house.HouseRule):
        """Each player has two cards apart."""

        piles = (rv.house.Pile("foot", 2, of="seat", shown=shown),)

    hands = {"Ann": "7h 8h", "Ben": "Qh 3d"}
    state = rv.position(
        _table("rummy-500", Foot),
        hands=hands,
        turn="Ann",
        stock="4c 5c 6c",
        discards="Jd",
        zones={"foot": {"Ann": "Kc Kd"}},
    )
    (zone,) = state._zones
    assert [2 * (zone._seen >> seat & 1) for seat in (0, 1)] == [*seen]


def test_a_hand_that_is_declared_is_not_filled_again() -> None:
    @rv.house.register_rule("out", "second hand")
    @attrs.frozen
    class Second(rv.house.HouseRule):
        """An empty hand is filled with two cards."""

        def refills(self, turn: rv.house.Turn) -> list[rv.house.Move]:
            return [rv.house.Move("stock", "hand", 2, target_seat=turn.seat)]

    values = {"last_turn": False}
    state = rv.position(
        _table("three-thirteen", Second, out=values),
        hands={"Ann": "7h 7c 7d Kc", "Ben": "Qh 8d 2c"},
        turn="Ann",
        phase="play",
        drawn="stock Kc",
        stock="4c 5c 6c",
        discards="Jd",
        wild="3",
    )
    state = rv.apply(state, "declare Kc: 7h 7c 7d")
    assert state.result is not None
    assert state.result.out == 0


@pytest.mark.parametrize("base", ["basic-rummy", "three-thirteen"])
def test_rules_know_in_turns_and_between_rounds_who_wins(base: str) -> None:
    told = []

    @rv.house.register_rule("match", "told")
    @attrs.frozen
    class Told(rv.house.HouseRule):
        """Nothing is said, and all is heard."""

        def takes(self, turn: rv.house.Turn) -> None:
            told.append(("turn", turn.lowest_wins))

        def deals_next(self, match: rv.house.MatchFacts) -> None:
            told.append(("match", match.lowest_wins))

        def eliminated(self, match: rv.house.MatchFacts) -> None:
            told.append(("eliminated", match.lowest_wins))

    state = rv.new_game(_table(base, Told), 2, seed=1)
    chance = random.Random(3)
    while state.phase not in {"deal", "over"}:
        state = rv.apply(state, rv.legal_actions(state).sample(chance.randrange))
    lowest = base == "three-thirteen"
    assert {*told} == {("turn", lowest), ("match", lowest), ("eliminated", lowest)}


def test_a_rule_that_fails_is_named_with_the_line() -> None:
    @rv.house.register_rule("out", "fails")
    @attrs.frozen
    class Fails(rv.house.HouseRule):
        """A rule with a slip."""

        actions = ("stop",)

        def offers(self, turn: rv.house.Turn) -> list[rv.house.Offer]:
            return [rv.house.Offer("stop", [], [turn.hand[0]])]  # type: ignore[index]

    state = rv.new_game(_table("rummy-500", Fails), 2, seed=1)
    said = r"the rule 'fails' fails at 'offers': TypeError: .* \(line \d+ of test_rules"
    with pytest.raises(rv.errors.RulesError, match=said):
        list(rv.legal_actions(state))


@pytest.mark.parametrize("base", ["indian-rummy", "rummy-500"])
@pytest.mark.parametrize("name", ["draw", "take 2", "pass"])
def test_an_action_has_no_name_that_the_library_has(base: str, name: str) -> None:
    @rv.house.register_rule("out", "another drop")
    @attrs.frozen
    class Drops(rv.house.HouseRule):
        """A player may drop."""

        actions = (name,)

        def offers(self, turn: rv.house.Turn) -> list[rv.house.Offer]:
            return (
                [rv.house.Offer(name, [rv.house.Leave(5)])]
                if turn.phase == "draw"
                else []
            )

    with pytest.raises(
        rv.errors.RulesError, match=f"the library has an action '{name}'"
    ):
        rv.game.begin(_table(base, Drops), 2)


@pytest.mark.parametrize("times", [("draw",), ("asked",), ("draw", "asked")])
def test_what_is_offered_before_the_draw_leaves_the_shortcuts_on(
    times: tuple[str, ...],
) -> None:
    @rv.house.register_rule("out", "folding")
    @attrs.frozen
    class Folds(rv.house.HouseRule):
        """A player may fold."""

        actions: ClassVar = {"fold": times}

        def offers(self, turn: rv.house.Turn) -> list[rv.house.Offer]:
            assert turn.phase in times
            return [rv.house.Offer("fold", [rv.house.Leave(5)])]

    rules = _table("rummy-500", Folds)
    assert rules.settled.plays_by_values
    state = rv.new_game(rules, 2, seed=1)
    assert bool(rv.check(state, "fold")) == ("draw" in times)
    ruling = rv.check(rv.apply(state, "draw"), "fold")
    said = "a card has been drawn already, so 'fold' has to wait"
    assert ruling.reason == said


def test_an_offer_at_another_time_than_declared_is_an_error() -> None:
    @rv.house.register_rule("out", "hasty")
    @attrs.frozen
    class Hasty(rv.house.HouseRule):
        """A player may rush before the draw, and stop after it."""

        actions: ClassVar = {"rush": ("draw",), "stop": ("play",)}

        def offers(self, turn: rv.house.Turn) -> list[rv.house.Offer]:
            del turn
            return [rv.house.Offer("rush")]

    rules = _table("rummy-500", Hasty)
    assert not rules.settled.plays_by_values
    state = rv.new_game(rules, 2, seed=1)
    assert rv.check(state, "rush")
    said = r"'hasty' answers 'offers' with <?Offer.*Hasty\.actions has for .* 'play'"
    with pytest.raises(rv.errors.RulesError, match=said):
        list(rv.legal_actions(rv.apply(state, "draw")))


def test_a_bare_action_that_names_cards_is_an_error() -> None:
    @rv.house.register_rule("out", "bares")
    @attrs.frozen
    class Bares(rv.house.HouseRule):
        """A player may bare a card."""

        actions = cardless = ("bare",)

        def offers(self, turn: rv.house.Turn) -> list[rv.house.Offer]:
            return [rv.house.Offer("bare", [], [card]) for card in turn.hand]

    state = rv.new_game(_table("rummy-500", Bares), 2, seed=1)
    with pytest.raises(
        rv.errors.RulesError, match="give no cards, since it is cardless"
    ):
        list(rv.legal_actions(state))


def test_a_game_with_bare_actions_has_a_flat_form() -> None:
    @rv.house.register_rule("out", "folding")
    @attrs.frozen
    class Folds(rv.house.HouseRule):
        """A player may fold."""

        actions = ("fold", "give up")
        cardless = ("fold", "give up")

        def offers(self, turn: rv.house.Turn) -> list[rv.house.Offer]:
            del turn
            return [rv.house.Offer(name, [rv.house.Leave(5)]) for name in self.actions]

    state = rv.new_game(_table("gin-rummy", Folds), 2, seed=1)
    flat = encoding(state.rules, 2, form="flat")
    assert {"fold", "give up"} < {*flat.labels}


def test_the_kit_finds_offers_that_ask_what_is_legal_and_are_remembered() -> None:
    @rv.house.register_rule("out", "folding")
    @attrs.frozen
    class Folds(rv.house.HouseRule):
        """A player who may draw may fold."""

        actions = ("fold",)
        reads = frozenset({"seat"})

        def offers(self, turn: rv.house.Turn) -> list[rv.house.Offer]:
            return (
                [rv.house.Offer("fold", [rv.house.Leave(5)])]
                if turn.may("draw")
                else []
            )

    state = rv.new_game(_table("rummy-500", Folds), 2, seed=1)
    with pytest.raises(AssertionError, match=r"reads \['may'\] for 'offers'"):
        check_reads(state)


def test_a_player_leaves_by_an_action_of_a_rule() -> None:
    @rv.house.register_rule("out", "folding")
    @attrs.frozen
    class Folds(rv.house.HouseRule):
        """A player may fold."""

        actions = ("fold",)

        def offers(self, turn: rv.house.Turn) -> list[rv.house.Offer]:
            return (
                [rv.house.Offer("fold", [rv.house.Leave(5)])]
                if turn.phase == "draw"
                else []
            )

    state = rv.new_game(_table("rummy-500", Folds), 2, seed=1)
    state = rv.apply(state, "fold")
    assert state.result is not None
    assert state.result.points[1] == -5


def test_an_offer_may_ask_for_a_discard_that_only_a_dead_end_allows() -> None:
    @rv.house.register_rule("discard", "face down")
    @attrs.frozen
    class FaceDown(rv.house.HouseRule):
        """Cards are put down face down."""

        piles = (rv.house.Pile("face down"),)
        actions = ("put down",)
        vetoes = frozenset({"discard"})

        def offers(self, turn: rv.house.Turn) -> Iterator[rv.house.Offer]:
            for card in turn.hand:
                if turn.phase == "play" and turn.may(f"discard {card}"):
                    goes = rv.house.Move(
                        "hand", "face down", cards=[card], source_seat=turn.seat
                    )
                    yield rv.house.Offer(
                        "put down", [goes, rv.house.GoOn("next turn")], [card]
                    )

        def forbids(self, *_: object) -> bool:
            return True

    rules = _table("rummy-500", FaceDown, discard={"keep": ["Qs", "Qh"]})
    state = rv.position(
        rules,
        hands={"Ann": "Qs Qh", "Ben": "3c 5d"},
        turn="Ann",
        phase="play",
        drawn="stock Qs",
        stock="4c 5c",
        discards="Jd",
    )
    assert [*map(str, rv.legal_actions(state))] == ["put down Qh", "put down Qs"]
    assert rv.check(state, "put down Qs")
    assert not rv.check(state, "discard Qs")


def test_a_round_that_ends_with_the_deal_is_in_the_row_of_its_game() -> None:
    @rv.house.register_rule("out", "spades win")
    @attrs.frozen
    class SpadesWin(rv.house.HouseRule):
        """Who is dealt the two of spades has won the round."""

        def follows(self, turn: rv.house.Turn, event: object) -> list[rv.house.Effect]:
            won = isinstance(event, events.HandDealt) and "2s" in turn.hand
            return [rv.house.EndRound((turn.seat,))] if won else []

    rules = _table("basic-rummy", SpadesWin, match={"rounds": 5})
    (row,) = rv.simulate(rules, ["random"] * 6, games=1, seed=3)
    assert row.status == "finished"
    assert any(not one.actions for one in row.rounds)
    assert sum(one.points[0] for one in row.rounds) == row.scores[0]


def test_cards_put_down_in_secret_are_not_in_what_others_see() -> None:
    @rv.house.register_rule("discard", "hides")
    @attrs.frozen
    class Hides(rv.house.HouseRule):
        """A card may be put away."""

        piles = (rv.house.Pile("away", of="seat"),)
        actions = ("put away",)
        secrets = ("put away",)

        def offers(self, turn: rv.house.Turn) -> list[rv.house.Offer]:
            if turn.phase != "play":
                return []
            seat = {"source_seat": turn.seat, "target_seat": turn.seat}
            return [
                rv.house.Offer(
                    "put away",
                    [rv.house.Move("hand", "away", cards=[one], **seat)],
                    [one],
                )
                for one in {*turn.hand}
            ]

    state = rv.new_game(_table("rummy-500", Hides), 3, seed=4)
    state = rv.apply(state, "draw")
    seat = state.turn
    card = min(state.hands[seat], key=lambda one: one.code)
    step = rv.step(state, f"put away {card}")
    other = (seat + 1) % 3
    for told in step.seen_by(other):
        assert str(card) not in told.text
        assert str(card) not in str(told.event)
    for viewer in (other, None):
        assert str(rv.view(step.after, viewer).actions[-1]) == "put away"
        dealt = [
            rv.determinize(rv.view(step.after, viewer), random.Random(n))
            for n in range(9)
        ]
        assert len({one.zones for one in dealt}) > 1
    assert str(rv.view(step.after, seat).actions[-1]) == f"put away {card}"
    again = rv.files.from_json(rv.files.to_json(rv.view(step.after, other)), rv.View)
    assert again == rv.view(step.after, other)


def test_a_deal_is_played_by_the_values_that_a_rule_gives_it() -> None:
    @rv.house.register_rule("deal", "turns")
    @attrs.frozen
    class Turns(rv.house.HouseRule):
        """In every second round runs have four cards."""

        def values(self, deal: rv.house.DealFacts) -> dict[str, object]:
            return {} if deal.round_number % 2 else {"meld.least_run": 4}

    rules = _table("rummy-500", Turns)
    actions = encoding(rules, 2)
    observed = observation_spec(rules, 2)
    hands = {"Ann": "5h 6h 7h 2c", "Ben": "3d"}
    for number in (1, 2, 3):
        state = rv.position(
            rules, hands=hands, phase="play", partial=True, round=number
        )
        legal = bool(rv.check(state, "meld 5h 6h 7h"))
        assert legal == (number != 2)
        assert state.rules.of_table == rules
        assert rv.files.from_json(rv.files.to_json(state), rv.State) == state
        assert (
            rv.files.run(rv.files.parse_scenario(rv.files.scenario_text(state))).state
            == state
        )
        assert encoding(state.rules, 2) is actions
        assert actions.legal(state)
        assert [*observed.observe(state, 0)] == [*observation(state, 0)]
    with pytest.raises(EncodingError, match="what may be done depends on the deal"):
        encoding(rules, 2, "flat")
    state = rv.new_game(rules, 2, seed=1)
    while state.round_number < 3:
        if state.phase == "deal":
            assert state.rules == rules
            state = rv.game.deal(state)
            continue
        state = _to_the_deal(state)
    record = rv.record(state)
    assert record.rules == rules
    assert rv.replay(record) == state


def _longer(listed: Any) -> rv.Ruleset:
    """
    A table at which runs have four cards, by a rule that lists what it gives.
    """

    @rv.house.register_rule("deal", "longer")
    @attrs.frozen
    class Longer(rv.house.HouseRule):
        """Runs have four cards."""

        def values(self, deal: rv.house.DealFacts) -> dict[str, object]:
            del deal
            return {"meld.least_run": 4}

        def possible_values(self) -> Any:
            return listed() if callable(listed) else listed

    return _table("rummy-500", Longer)


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ([{"deck.jokers": 1}], "not deck.jokers"),
        ([{"meld.lest_run": 4}], "did you mean 'meld.least_run'?"),
        ([{"meld.least_run": "many"}], "meld.least_run"),
        ([4], "give a list of policy values"),
        (4, "give a list of policy values"),
        ({"meld.least_run": 4}, "give a list of policy values"),
        ({}, "give a list of policy values"),
        (lambda: 1 // 0, "'possible_values'"),
        (lambda: itertools.repeat({}), "10,000 at most"),
    ],
)
def test_a_wrong_list_of_values_is_an_error(listed: Any, said: str) -> None:
    with pytest.raises(rv.errors.RulesError, match=re.escape(said)):
        encoding(_longer(listed), 2)


@pytest.mark.parametrize("listed", [[], [{"meld.least_run": 5}]])
def test_the_testing_kit_finds_values_that_are_not_listed(listed: Any) -> None:
    with pytest.raises(AssertionError, match="`possible_values` does not list"):
        testing.check_ruleset(_longer(listed), players=2, matches=1)


def test_a_long_list_of_values_is_not_looked_at() -> None:
    assert not _longer([{"meld.least_run": 4}] * 100).by_deal
    assert len(_longer([{"meld.least_run": 4}] * 99).by_deal) == 100


def test_the_deals_of_several_rules_are_listed_together() -> None:
    def rule(name: str, path: str, *values: object) -> type[rv.house.HouseRule]:
        @rv.house.register_rule("deal", name)
        @attrs.frozen
        class Given(rv.house.HouseRule):
            """Something holds."""

            def possible_values(self) -> list[dict[str, object]]:
                return [{path: one} for one in values]

            def values(self, deal: rv.house.DealFacts) -> dict[str, object]:
                return self.possible_values()[deal.round_number % len(values)]

        return Given

    runs = rule("runs", "meld.least_run", 4, 5)
    sets = rule("sets", "meld.least_set", 4)
    both = {"rules": [runs.name, sets.name]}
    found = _table("rummy-500", deal=both).by_deal
    least = [(one.meld.least_run, one.meld.least_set) for one in found]
    assert least == [(3, 3), (3, 4), (4, 3), (4, 4), (5, 3), (5, 4)]
    assert rv.preset("rummy-500").by_deal == (rv.preset("rummy-500"),)


def _to_the_deal(state: rv.State) -> rv.State:
    """
    A round played at random to its end.
    """
    chance = random.Random(5)
    while not state.is_round_over:
        state = rv.apply(state, rv.legal_actions(state).sample(chance))
    return state


def test_what_an_offer_does_comes_before_what_others_do_because_of_it() -> None:
    @rv.house.register_rule("out", "passes by")
    @attrs.frozen
    class PassesBy(rv.house.HouseRule):
        """A card is put by, and goes to the next hand at once."""

        piles = (rv.house.Pile("by"),)
        actions = ("put by",)

        def offers(self, turn: rv.house.Turn) -> list[rv.house.Offer]:
            if turn.phase != "play":
                return []
            card = min(turn.hand, key=lambda one: one.code)
            goes = rv.house.Move("hand", "by", cards=[card], source_seat=turn.seat)
            return [rv.house.Offer("put by", [goes])]

        def follows(self, turn: rv.house.Turn, event: object) -> list[rv.house.Effect]:
            to = (turn.seat + 1) % turn.players
            done = isinstance(event, events.Acted)
            return [rv.house.Move("by", "hand", None, target_seat=to)] if done else []

    state = rv.new_game(_table("rummy-500", PassesBy), 2, seed=1)
    state = rv.apply(rv.apply(state, "draw"), "put by")
    assert not state.zones
    assert len(state.hands[1 - state.turn]) == len(state.hands[state.turn]) + 1


@pytest.mark.parametrize("name", ["stock", "hand", "", 3])
def test_a_pile_has_a_name_of_its_own(name: str) -> None:
    with pytest.raises(rv.errors.RulesError, match="no pile is named"):
        rv.house.Pile(name)


@attrs.frozen
class ShowAndTell(rv.house.HouseRule):
    """Whoever discards shows the lowest card of the hand."""

    effects = frozenset({rv.house.Show})

    to_next: bool = False

    def follows(self, turn: rv.house.Turn, event: object) -> Iterator[rv.house.Show]:
        """Show it to all, or to the next player."""
        if isinstance(event, events.Discarded) and turn.hand:
            seats = ((turn.seat + 1) % turn.players,) if self.to_next else None
            cards = [next(iter(turn.hand))]
            yield rv.house.Show("hand", seats, source_seat=turn.seat, cards=cards)


@pytest.mark.long
@pytest.mark.parametrize("to_next", [False, True])
def test_single_cards_of_a_hand_are_shown(*, to_next: bool) -> None:
    rv.house.register_rule("discard", "show and tell")(ShowAndTell)
    rules = rv.preset("basic-rummy").with_values(
        {"discard.rules": [ShowAndTell(to_next)], "match.target": 20}
    )
    hands = {"Ann": "7h 7h 8h 9c", "Ben": "Qh 3d 4s 5s", "Cleo": "2s 4d 6d Kc"}
    piles = {"stock": "4c 5c Jc Kd 2h", "discards": "Jd"}
    two_packs = rules.with_values({"deck.packs": 2})
    state = rv.position(two_packs, hands=hands, turn="Ann", partial=True, **piles)
    for text in ("draw", "discard 8h", "draw", "discard 5s", "draw", "discard Jc"):
        state = rv.apply(state, text)
    state = rv.apply(rv.apply(state, "draw"), "discard 9c")
    # A card that is shown twice may be the same one.
    assert rv.view(state, 1).known[0] == "4c"
    assert bool(rv.view(state, 2).known[0]) != to_next
    assert rv.files.from_json(rv.files.to_json(state), rv.State) == state
    testing.check_ruleset(rules, players=3, matches=2)


def test_only_cards_of_a_hand_are_shown_by_name() -> None:
    @rv.house.register_rule("discard", "show the stock")
    @attrs.frozen
    class ShowStock(rv.house.HouseRule):
        """A card of the stock is named."""

        effects = frozenset({rv.house.Show})

        def follows(
            self, turn: rv.house.Turn, event: object
        ) -> Iterator[rv.house.Show]:
            del turn, event
            yield rv.house.Show("stock", cards="7h")

    rules = _table("basic-rummy", ShowStock)
    with pytest.raises(rv.errors.RulesError, match="cards of a hand, or no cards"):
        rv.new_game(rules, 2, seed=1)


@pytest.mark.parametrize("effect", [rv.house.GoOn("next turn"), rv.house.Leave(5)])
def test_the_memory_of_a_turn_ends_with_it_however_it_ends(
    effect: rv.house.Effect,
) -> None:
    @rv.house.register_rule("draw", "once a turn")
    @attrs.frozen
    class Once(rv.house.HouseRule):
        """A player may sigh once a turn, and then end it."""

        memory = rv.house.Memory(0, "turn")
        actions = ("sigh", "end it")

        def offers(self, turn: rv.house.Turn) -> list[rv.house.Offer]:
            said = "" if turn.memory == 0 else "once a turn"
            return [
                rv.house.Offer("sigh", [rv.house.Remember(1)], refused=said),
                rv.house.Offer("end it", [rv.house.Remember(2), effect]),
            ]

    state = rv.new_game(_table("rummy-500", Once), 3, seed=1)
    state = rv.apply(state, "sigh")
    assert not rv.check(state, "sigh")
    state = rv.apply(state, "end it")
    assert rv.check(state, "sigh")
