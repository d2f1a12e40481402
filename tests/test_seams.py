"""
Rules that the library does not know, written as a third party would write them.

A contract of two groups in one action, the pile with a natural pair, two discards, a
buy by priority, a peek: each is made of policies, verbs and phases of this file alone.
"""

from __future__ import annotations

import itertools
import random

from collections import deque
from collections.abc import Iterator
from typing import Any, ClassVar

import attrs
import pytest

import naive
import observing
import rummyvariants as rv

from rummyvariants import testing
from rummyvariants.cards import UNIT
from rummyvariants.errors import RulesError
from rummyvariants.game._engine.phases import PHASES, Phase, close_frame
from rummyvariants.game._locations import DISCARDS, HANDS, STOCK, move, reveal
from rummyvariants.game._patterns import Pattern
from rummyvariants.game._round import Frame
from rummyvariants.game._state import Draft, stock_left
from rummyvariants.game.actions import GoDown, TakeWith
from rummyvariants.game.events import Event
from rummyvariants.game.verbs import _known as verbs
from rummyvariants.game.verbs._known import (
    parse_action,
    register_phase,
    register_verb,
    verbs_of,
)
from rummyvariants.game.verbs._verb import Verb
from rummyvariants.melds._meld import is_natural
from rummyvariants.policies import register_policy
from rummyvariants.policies.call import CallPolicy
from rummyvariants.policies.discard import DiscardPolicy
from rummyvariants.policies.draw import DrawPolicy
from rummyvariants.policies.meld import MeldPolicy
from rummyvariants.rulings import Objection
from test_events import Board, after_moves
from test_views import walk


# --------------------------------------------------------------------- the policies


@register_policy("seams: two sets")
@attrs.frozen
class TwoSets(MeldPolicy):
    """
    A player's first lay is a contract of two sets, in one action.
    """

    def refuse_first(self, *, has_meld: bool, natural: bool) -> Objection | None:
        del natural
        return None if has_meld else Objection("meld.policy", "two sets come first")

    def refuse_together(self, melds: Any, *, has_meld: bool) -> Objection | None:
        if has_meld or [meld.kind for meld in melds] != ["set", "set"]:
            return Objection("meld.policy", "two sets are laid as the first lay alone")
        return None


@register_policy("seams: a set and a run")
@attrs.frozen
class SetAndRun(TwoSets):
    """
    The same, with a set and a run.
    """

    def refuse_together(self, melds: Any, *, has_meld: bool) -> Objection | None:
        if has_meld or sorted(meld.kind for meld in melds) != ["run", "set"]:
            return Objection("meld.policy", "a set and a run are the first lay alone")
        return None


@register_policy("seams: with a pair")
@attrs.frozen
class WithPair(DrawPolicy):
    """
    The whole pile is taken, and only with a natural pair from the hand.
    """

    def refuse_take(self, *given: Any) -> Objection | None:
        del given
        return Objection("draw.policy", "the pile is taken with a pair alone")

    def counts(self, *given: Any) -> tuple[int, ...]:
        del given
        return ()

    def refuse_take_with(
        self, terms: Any, hand: int, pile: bytes, count: int, meld: Any
    ) -> Objection | None:
        del terms, hand
        natural = meld.kind == "set" and is_natural(meld.slots)
        if natural and len(meld) == 3 and count == len(pile):
            return None
        return Objection("draw.policy", "the pile is taken with a natural pair")


@register_policy("seams: two discards")
@attrs.frozen
class TwoDiscards(DiscardPolicy):
    """
    Who took the pile owes two discards.
    """

    def discards_owed(self, *, taken: bytes) -> int:
        return 2 if taken else 1


@register_policy("seams: a buy")
@attrs.frozen
class Buys(CallPolicy):
    """
    Seats out of turn may buy a discard.
    """


@register_policy("seams: a peek")
@attrs.frozen
class Peeks(DrawPolicy):
    """
    A player may look at the top of the stock before drawing, once a turn.
    """


# -------------------------------------------------------------------- verbs and phases


@attrs.frozen(eq=False, repr=False)
class Buy(rv.Action):
    """
    Take the upcard out of turn, and a card of the stock for it.
    """

    patterns: ClassVar = (Pattern("acquire"),)

    seat: int | None = None


def buyers(draft: Draft, finisher: int, after: int) -> Iterator[int]:
    """
    The seats that may still buy, from the left of the player in turn.
    """
    seats = len(draft._hands)
    order = [(finisher + step) % seats for step in range(1, seats)]
    order.remove(draft.turn)
    for seat in order[order.index(after) + 1 :] if after in order else order:
        if seat not in draft.out:
            yield seat


def ask_to_buy(draft: Draft, finisher: int, after: int) -> bool:
    for seat in buyers(draft, finisher, after):
        draft.frames += (Frame("acquire", finisher, 1 << seat),)
        return True
    return False


def open_buy(draft: Draft, seat: int, log: Any) -> bool:
    del log
    if not isinstance(draft.match.rules.call, Buys) or stock_left(draft) < 1:
        return False
    return ask_to_buy(draft, seat, -1)


def decline_buy(draft: Draft, seat: int, log: Any) -> None:
    finisher = draft.frames[-1].seat
    below = draft.frames[:-1]
    draft.frames = below
    if not ask_to_buy(draft, finisher, seat):
        PHASES[draft.phase].resume(draft, log)


class BuyVerb(Verb):
    """
    The purchase of a discard.
    """

    kind = Buy
    phases = ("acquire",)
    permitted_by = ("call.policy", "a discard may be bought")

    def exists(self, rules: rv.Ruleset) -> bool:
        return isinstance(rules.call, Buys)

    def perform(self, draft: Draft, action: Buy, plan: None, log: Any) -> None:
        del plan
        seat = action.seat or 0
        move(draft, UNIT[draft._discards[-1]], DISCARDS, HANDS[seat], log=log)
        penalty = UNIT[draft._stock[0]]
        move(draft, penalty, STOCK, HANDS[seat], shown_to=1 << seat, log=log)
        draft._floating &= ~(1 << seat)
        close_frame(draft, log)


BUYING = Phase(
    "acquire",
    "the discard is bought or declined",
    permit_pass=lambda _: ("call.policy", "nobody has to buy"),
    passed=decline_buy,
    passes=lambda rules: isinstance(rules.call, Buys),
    opens=open_buy,
)


@attrs.frozen(eq=False, repr=False)
class Peek(rv.Action):
    """
    Look at the top of the stock.
    """

    patterns: ClassVar = (Pattern("glance"),)

    seat: int | None = None


class PeekVerb(Verb):
    """
    A look at the top of the stock.
    """

    kind = Peek
    phases = ("draw",)
    permitted_by = ("draw.policy", "the top of the stock may be looked at")

    def exists(self, rules: rv.Ruleset) -> bool:
        return isinstance(rules.draw, Peeks)

    def plan(self, state: Any, action: Peek) -> Objection | None:
        del action
        if state.frames[-1].notes or stock_left(state) < 1:
            return Objection("draw.policy", "a player looks once, and at a card")
        return None

    def perform(self, draft: Draft, action: Peek, plan: None, log: Any) -> None:
        del plan
        reveal(draft, STOCK, 1 << (action.seat or 0), 1, log)
        draft.frames = (attrs.evolve(draft.frames[-1], notes=(1,)),)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """
    The verbs and phases of this file, for its tests alone.
    """
    places = (verbs.VERBS, PHASES)
    before = [dict(one) for one in places]
    register_verb(BuyVerb())
    register_verb(PeekVerb())
    register_phase(BUYING)
    yield
    for place, kept in zip(places, before, strict=True):
        place.clear()
        place.update(kept)
    register_phase(kept["call"])


# --------------------------------------------------------------------------- the games


TINY = {
    "deck.ranks": "A2345",
    "deck.suits": "cdh",
    "deck.jokers": 0,
    "deal.hand_size": 4,
    "match.rounds": 2,
    "meld.least_set": 2,
}
GAMES = {
    "a contract of two sets": (2, {"meld.policy": "seams: two sets"}),
    "a contract of a set and a run": (
        2,
        {
            "meld.policy": "seams: a set and a run",
            "meld.least_run": 2,
            "deal.hand_size": 5,
        },
    ),
    "the contract, with duties": (
        2,
        {"meld.policy": "seams: two sets", "draw.duty": "deepest"},
    ),
    "the contract, the top card used at once": (
        2,
        {
            "meld.policy": "seams: two sets",
            "draw.duty": "natural set of the top card",
        },
    ),
    "the contract, with wilds": (
        2,
        {"meld.policy": "seams: two sets", "deck.jokers": 2, "wild.twos": True},
    ),
    "a pile with a pair": (
        2,
        {
            "draw.policy": "seams: with a pair",
            "draw.duty": "none",
            "meld.least_set": 3,
        },
    ),
    "the pile into a contract": (
        2,
        {
            "draw.policy": "seams: with a pair",
            "draw.duty": "none",
            "meld.policy": "seams: two sets",
            "deal.hand_size": 5,
        },
    ),
    "two discards": (2, {"discard.policy": "seams: two discards"}),
    "two discards, some kept": (
        2,
        {"discard.policy": "seams: two discards", "discard.keep": "Ac Ad 2c 3h"},
    ),
    "a buy": (3, {"call.policy": "seams: a buy", "deal.hand_size": 3}),
    "a peek": (2, {"draw.policy": "seams: a peek"}),
    "a pair and two discards": (
        2,
        {
            "draw.policy": "seams: with a pair",
            "draw.duty": "none",
            "discard.policy": "seams: two discards",
        },
    ),
    "a buy beside calls": (
        3,
        {
            "call.policy": "seams: a buy",
            "call.calls": "pile",
            "deal.hand_size": 3,
        },
    ),
}
NEW = {
    "a contract of two sets": GoDown,
    "a contract of a set and a run": GoDown,
    "a pile with a pair": TakeWith,
    "the pile into a contract": TakeWith,
    "a pair and two discards": TakeWith,
    "a buy": Buy,
    "a buy beside calls": Buy,
    "a peek": Peek,
}
"""The actions that a game brings."""


def rules_of(name: str) -> rv.Ruleset:
    return rv.preset("rummy-500").with_values({**TINY, **GAMES[name][1]})


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_games_at_random_end_and_pass_the_kit(name: str) -> None:
    done: set[type[Any]] = set()
    for seed in itertools.count():
        end = testing.play_match(rules_of(name), GAMES[name][0], seed, every=4)
        assert end.is_over
        done.update(map(type, end.history))
        if seed > 3 and NEW.get(name, rv.Draw) in done:
            break
        assert seed < 40, done


@pytest.mark.parametrize("name", GAMES)
def test_their_positions_are_observed(name: str) -> None:
    players, _ = GAMES[name]
    for number, state in enumerate(observing.played(rules_of(name), players, 4, 160)):
        if number % 5 == 0 or len(state.frames) > 1 or state.is_round_over:
            observing.look(state, seats=range(players))


@pytest.mark.parametrize("name", GAMES)
def test_the_moves_of_cards_are_told(name: str) -> None:
    players, rules = GAMES[name][0], rules_of(name)
    for done in walk(rules, players, 3, 150):
        wanted = Board.of(done.after).all()
        for seat in (None, *range(players)):
            told = done.seen_by(seat)
            assert after_moves(done, told).all() == wanted
            assert all(one.text for one in told)


@attrs.frozen
class Winked(Event):
    """
    An event of a third party, with a secret.
    """

    seat: int
    card: rv.Card | None

    def seen_by(self, seat: int | None) -> Winked:
        return self if seat == self.seat else Winked(self.seat, None)


@pytest.mark.parametrize("name", GAMES)
def test_actions_and_views_go_through_json(name: str) -> None:
    players, rules = GAMES[name][0], rules_of(name)
    kinds = set()
    for done in walk(rules, players, 3, 120):
        if not isinstance(done.action, rv.Deal):
            text = rv.to_json(done.action)
            assert rv.from_json(text, type(done.action)) == done.action
            assert rv.from_json(text, "action") == done.action
            kinds.add(type(done.action))
        for seat in (None, *done.after.to_act):
            view = rv.view(done.after, seat)
            assert rv.from_json(rv.to_json(view, legal=5), rv.View) == view
            page = view.legal_actions.page(size=9)
            assert rv.from_json(rv.to_json(page), rv.ActionPage) == page
        for told in done.seen_by(0):
            assert rv.from_json(rv.to_json(told), rv.SeenEvent) == told
    assert NEW.get(name, rv.Draw) in kinds | {GoDown, TakeWith}


def test_events_of_third_parties_go_through_json() -> None:
    event = Winked(1, rv.Card("Kc"))
    for seat in (0, 1):
        text = rv.to_json(event.seen_by(seat))
        assert rv.from_json(text, "event") == event.seen_by(seat)
        assert ('"Kc"' in text) == (seat == 1)
    assert event.describe(["Ann", "Ben"], 0) == "Ben: winked."


def meaning(action: Any, state: rv.State) -> tuple[Any, ...]:
    """
    What an action does, however its cards and melds were ordered.
    """
    match action:
        case GoDown(melds=melds):
            lots = sorted(sorted(map(str, one)) for one in melds)
            return "go down", str(lots)
        case TakeWith(count=count, melds=(first, *melds)):
            lots = sorted(sorted(map(str, one)) for one in melds)
            every = len(state.discards) if count is None else count
            return "take with", every, str(sorted(map(str, first))), str(lots)
        case rv.LayDown() | rv.LayOff() | rv.CallRummy():
            cards = str(sorted(map(str, action.cards)))
            return type(action), cards, getattr(action, "meld", 0)
    return (str(action),)


def lots(cards: list[rv.Card], least: int) -> Iterator[tuple[tuple[rv.Card, ...], ...]]:
    """
    All ways to take so many groups of two cards or more out of some.
    """
    if not least:
        yield ()
    if len(cards) < 2:
        return
    first, *others = cards
    yield from lots(others, least) if least else ()
    for number in (1, 2, 3):
        for some in itertools.combinations(others, number):
            left = [card for card in others if card not in some]
            for more in lots(left, max(0, least - 1)):
                yield ((first, *some), *more)


def everything(state: rv.State) -> Iterator[str | rv.Action]:
    """
    All that could be written, and some that could not.
    """
    yield from ("acquire", "glance", "pass", "draw")
    yield from naive.everything(state)
    hand = list(state.hands[state.to_act[0]])
    groups = {*lots(hand, 2), *lots(hand, 1)}
    texts = [[" ".join(map(str, one)) for one in lot] for lot in groups]
    for text in texts:
        if len(text) > 1:
            yield f"meld {' / '.join(text)}"
    for count in range(len(state.discards) + 2):
        for text in texts:
            for at, first in enumerate(text):
                others = text[:at] + text[at + 1 :]
                yield f"take {count} with {' / '.join((first, *others))}"
        for first, more in itertools.product(map(str, hand), texts):
            if first not in " ".join(more):
                yield f"take {count} with {' / '.join((first, *more))}"


def steps(chooser: rv.Chooser) -> Iterator[rv.Action]:
    if chooser.action is not None:
        yield chooser.action
    else:
        for choice in chooser.choices:
            yield from steps(chooser.choose(choice))


def near(state: rv.State, depth: int) -> Iterator[rv.State]:
    """
    The states that so many actions lead to, each once.
    """
    seen, waiting = {state}, deque([(state, 0)])
    while waiting:
        state, deep = waiting.popleft()
        yield state
        if deep < depth:
            for action in rv.legal_actions(state):
                after = rv.apply(state, action)
                if after not in seen and after.to_act:
                    seen.add(after)
                    waiting.append((after, deep + 1))


def compare(state: rv.State) -> set[str]:
    """
    Compare the list with all that is legal, and with what a chooser leads to.
    """
    legal = rv.legal_actions(state)
    listed = list(legal)
    meant = [meaning(one, state) for one in listed]
    assert len({*meant}) == len(meant), "listed twice"
    seat = state.to_act[0]
    found = set()
    for one in everything(state):
        try:
            action = parse_action(one, seat) if isinstance(one, str) else one
        except rv.ParseError:
            continue
        ruling = rv.check(state, action)
        assert bool(ruling) == (action in legal)
        if ruling:
            found.add(meaning(action, state))
    assert found == {*meant}
    assert [*steps(rv.chooser(state))] == listed
    for action in listed:
        assert parse_action(str(action), action.seat) == action
    return set(legal.count_by_kind())


@pytest.mark.long
@pytest.mark.parametrize("name", [one for one in GAMES if "wilds" not in one])
def test_what_is_listed_is_what_is_legal(name: str) -> None:
    kinds: set[str] = set()
    looked = 0
    for seed in itertools.count():
        state = rv.new_game(rules_of(name), GAMES[name][0], seed=seed)
        chance = random.Random(seed)
        for number in range(60):
            if not state.to_act:
                break
            if max(len(state.hands[seat]) for seat in state.to_act) <= 6:
                if number < 2:
                    for one in itertools.islice(near(state, 2), 6):
                        if len(one.to_act) == 1:
                            kinds |= compare(one)
                elif number % 3 == 0 and len(state.to_act) == 1:
                    kinds |= compare(state)
                    looked += 1
            state = rv.apply(state, rv.legal_actions(state).sample(chance.randrange))
        wanted = NEW.get(name)
        if looked > 10 and (wanted is None or verbs.VERBS[wanted].name in kinds):
            break
        assert seed < 30, kinds


# ----------------------------------------------------------------------- single seams


def test_a_peek_is_known_to_its_seat_alone_and_comes_once_a_turn() -> None:
    state = rv.new_game(rules_of("a peek"), 2, seed=3)
    seat, top = state.turn, state.stock[0]
    peeked = rv.step(state, "glance")
    state = peeked.after
    assert rv.view(state, seat).known_stock == (top,)
    for other in (1 - seat, None):
        assert rv.view(state, other).known_stock == ()
        seen = [event.seen_by(other) for event in peeked.events]
        assert str(top) not in str(seen)
    assert not rv.check(state, "glance")
    for number in range(9):
        world = rv.determinize(rv.view(state, seat), random.Random(number))
        assert world.stock[0] == top
    state = rv.apply(state, "draw")
    state = rv.apply(state, f"discard {next(iter(state.hands[seat]))}")
    assert rv.check(state, "glance")


def test_a_buy_goes_to_the_left_and_costs_a_card() -> None:
    state = rv.new_game(rules_of("a buy"), 3, seed=2)
    finisher = state.turn
    state = rv.apply(state, "draw")
    card = next(iter(state.hands[finisher]))
    state = rv.apply(state, rv.Discard(card, finisher))
    buyer = (finisher + 2) % 3
    assert (state.phase, state.to_act) == ("acquire", (buyer,))
    assert {*map(str, rv.legal_actions(state))} == {"acquire", "pass"}
    passed = rv.apply(state, "pass")
    assert (passed.phase, passed.turn) == ("draw", (finisher + 1) % 3)
    bought = rv.apply(state, "acquire")
    assert (bought.phase, bought.turn) == ("draw", (finisher + 1) % 3)
    assert len(bought.hands[buyer]) == len(state.hands[buyer]) + 2
    assert card in bought.hands[buyer]
    assert len(bought.stock) == len(state.stock) - 1
    assert card in rv.view(bought, finisher).known[buyer]
    assert "may act" in rv.view(state, 0)._repr_html_()


class OtherBuy(Buy):
    """
    Another class of actions with the same word.
    """


class OtherDraw(Buy):
    """
    Actions with a word of the library's own.
    """

    patterns: ClassVar = (Pattern("draw"),)


class Wink(Buy):
    """
    An action that is registered late.
    """

    patterns: ClassVar = (Pattern("wink"),)


class SameWord(BuyVerb):
    """
    A verb with the word of another.
    """

    kind = OtherBuy


class SameKind(BuyVerb):
    """
    A verb with the actions of another.
    """


class OldWord(BuyVerb):
    """
    A verb with a word of the library's own.
    """

    kind = OtherDraw


class OldName(BuyVerb):
    """
    A verb with a name of the library's own.
    """

    kind = Wink
    called = "go down"


def test_a_word_a_name_and_a_class_are_one_verb_s() -> None:
    register_verb(BuyVerb())
    register_phase(BUYING)
    for other in (SameWord, SameKind, OldWord, OldName):
        with pytest.raises(RulesError, match="is taken by the verb"):
            register_verb(other())
    for phase in ("acquire", "play"):
        with pytest.raises(RulesError, match="there is already a phase"):
            register_phase(Phase(phase, "something else is due"))


class WinkVerb(PeekVerb):
    """
    Another way to look.
    """

    kind = Wink


def test_what_is_registered_late_is_known_at_once() -> None:
    state = rv.new_game(rules_of("a peek"), 2, seed=3)
    other = rv.new_game("rummy-500", 2, seed=3)
    assert "wink" not in verbs_of(state.rules)
    before = [*rv.legal_actions(state)]
    register_verb(WinkVerb())
    assert "wink" in verbs_of(state.rules)
    assert "wink" not in verbs_of(other.rules)
    with pytest.raises(rv.ParseError, match="unknown verb"):
        parse_action("winkle")
    assert [*rv.legal_actions(state)] == [*before, Wink(state.turn)]
    assert rv.check(state, "wink")
    assert rv.chooser(state).choose("wink").action == Wink(state.turn)
    ruling = rv.check(other, "wink")
    assert not ruling
    assert "this game has no 'wink'" in ruling.reason


def test_kinds_that_begin_with_one_word_are_counted_apart() -> None:
    for seed in itertools.count():
        state = rv.new_game(rules_of("a contract of two sets"), 2, seed=seed)
        state = rv.apply(state, "draw")
        counts = rv.legal_actions(state).count_by_kind()
        if "go down" in counts:
            break
    kinds = [type(one) for one in rv.legal_actions(state)]
    assert counts["go down"] == kinds.count(GoDown)
    assert sum(counts.values()) == len(kinds)


def test_without_a_policy_that_allows_it_nothing_is_laid_together() -> None:
    state = rv.new_game("rummy-500", 2, seed=1)
    assert not rv.check(state, "take all with 9c 9h / Kc Kd Kh")
    hand = rv.apply(state, "draw").hands[state.turn]
    first, second, third, fourth, *_ = map(str, hand)
    text = f"meld {first} {second} / {third} {fourth}"
    assert not rv.check(rv.apply(state, "draw"), text)
