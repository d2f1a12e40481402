"""Actions as numbers: all that is legal, nothing else, and each in one way."""

from __future__ import annotations

import contextlib
import copy
import hashlib
import itertools
import pickle
import random
import runpy
import time

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import attrs
import pytest

from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import composition
import random_states
import rummyvariants as rv

from amounts import big_is_slow, every_so_many
from places import EXAMPLES
from rummyvariants.bots import bot, next_to_decide
from rummyvariants.game._meanings import meaning
from rummyvariants.game._state import thaw
from rummyvariants.house import rules as house
from rummyvariants.learning._vocabulary import Vocabulary
from rummyvariants.learning.encodings import MOST_INDICES, VERSION
from tiny_decks import TinyDeck, tiny_decks, walk
from tiny_options import tiny_options
from walks import states


SPELLED = "letter "
"""What the labels of letters begin with."""


def players_of(name: str) -> int:
    """
    A number of players for a preset, the fewest that make a game.
    """
    match = rv.preset(name).match
    return next(
        one for one in range(match.players[0], 9) if one > 1 and match.makes_sides(one)
    )


def ends(
    encoding: rv.learning.Encoding,
    at: rv.View | rv.learning.Selection | rv.Action,
    taken: tuple[int, ...] = (),
) -> Iterator[tuple[tuple[int, ...], rv.Action]]:
    """
    All sequences of indices that go on from a place, each with its action.
    """
    if not isinstance(at, rv.View | rv.learning.Selection):
        yield taken, at
        return
    legal = encoding.legal(at)
    assert legal, "a dead end"
    assert [*legal] == sorted({*legal})
    assert len(legal) > 1 or not taken, "what is certain is not asked"
    assert encoding.mask(at) == bytes(one in legal for one in range(encoding.size))
    for index in legal:
        yield from ends(encoding, encoding.decode(index, at), (*taken, index))


def of_library(encoding: rv.learning.Encoding, taken: tuple[int, ...]) -> bool:
    """
    Whether a sequence of indices has no letters.
    """
    return not any(encoding.labels[one].startswith(SPELLED) for one in taken)


def look(encoding: rv.learning.Encoding, state: rv.State, seat: int) -> list[rv.Action]:
    """
    Assert that just what is listed for a seat can be chosen, each in one way.
    """
    listed = [*rv.legal_actions(state, seat)]
    view = rv.view(state, seat)
    found = [*ends(encoding, view)] if listed else []
    if encoding.form == "stepwise":
        assert Counter(one for _, one in found) == Counter(listed)
    else:
        look_flat(state, {one for _, one in found}, listed)
        assert all(len(taken) == 1 for taken, _ in found)
    assert all(of_library(encoding, taken) for taken, _ in found)
    assert len({taken for taken, _ in found}) == len(found)
    for taken, action in found:
        assert encoding.encode(action, view) == taken
    return [action for _, action in found]


def look_flat(state: rv.State, found: set[rv.Action], listed: list[rv.Action]) -> None:
    """
    Assert that an action without an index shows other melds, or can be done in parts.
    """
    assert found <= {*listed}
    for action in {*listed} - found:
        if isinstance(action, rv.actions.LayOff):
            assert after_parts(state, action) == rv.apply(state, action)
        else:
            assert isinstance(action, rv.actions.Knock | rv.actions.Declare)
            best = rv.legal_actions(state)
            plain = attrs.evolve(action, melds=None)
            assert plain in best
            assert any(
                one.card == action.card for one in found if same_kind(one, action)
            )


def same_kind(one: rv.Action, other: rv.Action) -> bool:
    return type(one) is type(other)


def after_parts(state: rv.State, action: rv.actions.LayOff) -> rv.State | None:
    """
    The state after the cards of a lay-off were laid one by one, in some order.
    """
    for cards in itertools.permutations(action.cards):
        after = state
        for card in cards:
            one = attrs.evolve(action, cards=(card,))
            if one not in rv.legal_actions(after):
                break
            after = rv.apply(after, one)
        else:
            return after
    return None


# ---------------------------------------------------------------------- tiny decks


def by_indices(state: rv.State) -> Iterator[rv.Action]:
    """
    What may be done in a state, found by indices alone.
    """
    encoding = rv.learning.encoding(state.rules, len(state.players))
    for seat in state.to_act:
        for _, action in ends(encoding, rv.view(state, seat), ()):
            yield action


@pytest.mark.long
@pytest.mark.parametrize("deck", big_is_slow(tiny_decks()))
def test_a_tiny_deck_is_walked_by_indices_alone(deck: TinyDeck) -> None:
    assert walk(deck, moves=by_indices) == (dict(deck.counts), dict(deck.sequences))


def forms_of(rules: rv.Ruleset, players: int) -> list[rv.learning.Encoding]:
    """
    The encodings that there are for some rules.
    """
    found = [rv.learning.encoding(rules, players)]
    with contextlib.suppress(rv.learning.EncodingError):
        found.append(rv.learning.encoding(rules, players, "flat"))
    return found


def look_at_all(state: rv.State, actions: list[rv.Action]) -> None:
    """
    Look at a state in all forms, for all seats.
    """
    for encoding in forms_of(state.rules, len(state.players)):
        found = [
            one
            for seat in range(len(state.players))
            for one in look(encoding, state, seat)
        ]
        assert {*found} <= {*actions}


DECKS = (*tiny_decks(), *tiny_options())


@pytest.mark.long
@pytest.mark.parametrize(("deck", "every"), every_so_many(DECKS, 15, big=False))
def test_states_of_tiny_decks(deck: TinyDeck, every: int) -> None:
    walk(
        deck,
        lambda at, state, actions: None if at % every else look_at_all(state, actions),
    )


@pytest.mark.slow
@pytest.mark.parametrize(("deck", "every"), every_so_many(DECKS, 2, big=True))
def test_more_states_of_tiny_decks(deck: TinyDeck, every: int) -> None:
    test_states_of_tiny_decks(deck, every)


@pytest.mark.long
def test_a_tiny_deck_is_walked_by_the_flat_form_alone() -> None:
    """
    Where every knock has one way to show its melds, and cards are laid off singly.
    """
    walked = 0
    for deck in tiny_decks():
        state = deck.start()
        if len(forms := forms_of(state.rules, len(state.players))) > 1:
            flat = forms[1]

            def moves(
                state: rv.State, flat: rv.learning.Encoding = flat
            ) -> list[rv.Action]:
                views = [rv.view(state, seat) for seat in state.to_act]
                return [flat.decode(at, one) for one in views for at in flat.legal(one)]

            counts, _ = walk(deck, moves=moves)
            assert {*counts} <= {*deck.counts}
            assert counts["states"] <= deck.counts["states"]
            walked += counts["states"] == deck.counts["states"]
    assert walked > 4


# ------------------------------------------------------------------------ bigger games


SOME = 12


def look_at_some(state: rv.State, chance: random.Random, most: int = 40) -> None:
    """
    Look at all of a state with few actions, and at some actions of a state with many.
    """
    for encoding in forms_of(state.rules, len(state.players)):
        for seat in state.to_act:
            moves = rv.legal_actions(state, seat)
            some = [*itertools.islice(moves, most + 1)]
            if len(some) <= most:
                look(encoding, state, seat)
                continue
            view = rv.view(state, seat)
            wanted = {*chance.sample(some, SOME)}
            wanted |= {moves.sample(chance.randrange) for _ in range(SOME)}
            for action in wanted:
                if encoding.form == "stepwise":
                    taken = encoding.encode(action, view)
                    assert followed(encoding, view, taken) == action
            for _ in range(3):
                taken, action = at_random(encoding, view, chance)
                assert action in moves
                assert of_library(encoding, taken)
                assert encoding.encode(action, view) == taken


def followed(
    encoding: rv.learning.Encoding, view: rv.View, taken: tuple[int, ...]
) -> rv.Action | rv.learning.Selection:
    """
    What indices lead to.
    """
    at: Any = view
    for index in taken:
        at = encoding.decode(index, at)
    return at


def at_random(
    encoding: rv.learning.Encoding, view: rv.View, chance: random.Random
) -> tuple[tuple[int, ...], rv.Action]:
    """
    An action chosen by indices at random.
    """
    at: Any = view
    taken: tuple[int, ...] = ()
    while isinstance(at, rv.View | rv.learning.Selection):
        index = chance.choice(encoding.legal(at))
        taken = (*taken, index)
        at = encoding.decode(index, at)
    return taken, at


@pytest.mark.parametrize("base", rv.presets())
@pytest.mark.parametrize("options", [(), ("PGV-P4", "PGV-C4b"), ("PGV-P6", "PGV-C2a")])
def test_presets(base: str, options: tuple[str, ...]) -> None:
    game = composition.Sample(base, options, players=players_of(base), seed=7)
    chance = random.Random(1)
    for number, state in enumerate(states(game, 200)):
        if number % 10 == 0:
            look_at_some(state, chance)


def _look_at_random_states(seeds: range, steps: int) -> Counter[str]:
    looked: Counter[str] = Counter()
    for seed in seeds:
        chance = random.Random(seed)
        game = random_states.game(seed)
        with contextlib.suppress(rv.errors.RulesError):
            for state in itertools.islice(game.states(), steps):
                look_at_some(state, chance)
                looked[state.phase] += 1
                looked[game.base] += 1
    return looked


def test_random_states() -> None:
    looked = _look_at_random_states(range(5_000_000, 5_000_045), 40)
    assert {"draw", "play", "call"} <= {*looked}


@pytest.mark.slow
def test_many_random_states() -> None:
    looked = _look_at_random_states(range(6_000_000, 6_001_500), 90)
    assert {"draw", "play", "call", "discard", "choose"} <= {*looked}
    assert {*composition.GAMES} <= {*looked}


def _look_at_random_games(seeds: range, steps: int) -> Counter[str]:
    looked: Counter[str] = Counter()
    for seed in seeds:
        chance = random.Random(seed)
        for state in states(composition.sample(seed), steps):
            look_at_some(state, chance, 25)
            looked[state.phase] += 1
    return looked


def test_random_games() -> None:
    looked = _look_at_random_games(range(7_000_000, 7_000_060), 40)
    assert looked.total() > 500


@pytest.mark.slow
def test_many_random_games() -> None:
    looked = _look_at_random_games(range(8_000_000, 8_001_000), 120)
    assert {"draw", "play", "call", "discard"} <= {*looked}


@pytest.mark.long
@pytest.mark.parametrize("base", rv.presets())
@pytest.mark.parametrize("name", ["greedy", "careful"])
def test_what_bots_do_is_encoded_however_they_write_it(base: str, name: str) -> None:
    state = rv.new_game(base, players_of(base), seed=11)
    encoding = rv.learning.encoding(base, len(state.players))
    player = bot(name)
    chance = random.Random(3)
    for _ in range(150):
        if state.is_over:
            break
        if state.phase == "deal":
            state = rv.game.deal(state)
            continue
        view = rv.view(state, next_to_decide(state))
        action = player.choose(view, chance)
        taken = encoding.encode(action, view)
        assert meaning(state, followed(encoding, view, taken)) == meaning(state, action)
        state = rv.apply(state, action)


# -------------------------------------------------------------------------- the labels


@pytest.mark.parametrize("name", rv.presets())
def test_indices_keep_their_meaning(name: str, snapshot: SnapshotAssertion) -> None:
    """
    If not, and the preset was released: raise `VERSION`.
    """
    found = [f"version {VERSION}"]
    for form in ("stepwise", "flat"):
        for players in range(1, 9):
            with contextlib.suppress(rv.errors.RulesError, rv.learning.EncodingError):
                labels = rv.learning.encoding(name, players, form).labels
                digest = hashlib.sha256("\n".join(labels).encode()).hexdigest()
                found.append(f"{form}, {players}: {len(labels)} {digest[:16]}")
    assert "\n".join(found) == snapshot


@pytest.mark.parametrize("name", rv.presets())
def test_labels_are_different_and_as_many_as_indices(name: str) -> None:
    rules = rv.preset(name)
    for players in range(1, 9):
        with contextlib.suppress(rv.errors.RulesError):
            for encoding in forms_of(rules, players):
                assert len({*encoding.labels}) == len(encoding.labels) == encoding.size
                assert encoding.size <= MOST_INDICES
                assert (encoding.rules, encoding.players) == (rules, players)
                assert encoding.version == VERSION


RUNS = ["run of c", "run of d", "run of h", "run of s", "from", "to"]


@pytest.mark.parametrize(
    ("values", "more", "fewer"),
    [
        ({"wild.wild_melds": True}, ["wilds"], []),
        ({"wild.real_card": "beside"}, ["beside", "grow"], []),
        ({"wild.jokers": False}, ["set of *"], ["wild", "for"]),
        ({"meld.runs": False}, [], RUNS),
        ({"meld.set_ranks": "23456789TJQK"}, [], ["set of A"]),
        ({"call.melds": False}, [], ["new meld"]),
        ({"call.calls": "none"}, [], ["rummy", "new meld", "pass"]),
    ],
    ids=" ".join,
)
def test_words_follow_from_the_rules(
    values: dict[str, Any], more: list[str], fewer: list[str]
) -> None:
    rules = rv.preset("rummy-500")
    usual = {*rv.learning.encoding(rules, 2).labels}
    found = {*rv.learning.encoding(rules.with_values(values), 2).labels}
    assert found - usual == {*more}
    assert usual - found == {*fewer}


def test_which_presets_have_a_flat_form() -> None:
    rules = [rv.preset(name) for name in rv.presets()]
    found = [one for one in rules if len(forms_of(one, players_of(one.name))) > 1]
    assert found == [one for one in rules if one.meld.concealed]


def test_labels_of_the_flat_form_are_texts_of_actions() -> None:
    encoding = rv.learning.encoding("gin-rummy", 2, "flat")
    assert {"draw", "take 1", "pass", "discard Kd", "knock Kd", "big gin"} <= {
        *encoding.labels
    }
    assert "lay Th on 3" in encoding.labels
    assert "lay Th on 4" not in encoding.labels
    for label in encoding.labels:
        assert str(rv.game.parse_action(label)) == label


POOL = ["7h", "8h", "*", "draw", "on 3", "done", "set of K", "wild for 7h", "/", "12"]


@given(
    st.lists(
        st.one_of(
            st.lists(
                st.sampled_from(
                    [*POOL, "7h=8h", "=8h", "*=8", "new", "a", "\\", "é", ""]
                )
            ).map(" ".join),
            st.text(max_size=4),
        ),
        unique=True,
        max_size=12,
    )
)
def test_different_texts_are_spelled_differently(texts: list[str]) -> None:
    vocabulary = Vocabulary([*POOL, "(end)", "letter a", "=", "8"], letters=True)
    assert len({*vocabulary.labels}) == len(vocabulary.labels)
    spelled = [vocabulary.spelled[text] for text in texts]
    assert len({*spelled}) == len(texts)
    for text, indices in zip(texts, spelled, strict=True):
        assert vocabulary.end not in indices
        if text in POOL:
            assert [vocabulary.labels[one] for one in indices] == [text]


# ----------------------------------------------------------------------- third parties


@pytest.mark.parametrize(
    "path", sorted(EXAMPLES.glob("rules/*.py")), ids=lambda one: one.stem
)
def test_house_rules_of_third_parties(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "_RULES", {})
    rules = rv.files.parse_scenario(runpy.run_path(str(path))["SCENARIO"]).rules
    assert rules is not None
    chance = random.Random(5)
    players = max(2, rules.match.players[0])
    for state in itertools.islice(random_states.states_of(rules, players, 4), 30):
        look_at_some(state, chance, 25)


def test_cards_that_a_rule_makes_wild_have_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(house, "_RULES", {**house._RULES})

    @rv.house.register_rule("deal", "threes are wild")
    @attrs.frozen
    class Threes(rv.house.HouseRule):
        """
        Threes are wild.
        """

        def wild_rank(self, deal: rv.house.DealFacts) -> str:
            del deal
            return "3"

    rules = rv.preset("basic-rummy").with_values({"deal.rules": [Threes()]})
    assert {"wild", "for"} <= {*rv.learning.encoding(rules, 2).labels}
    assert not {"wild", "for"} & {*rv.learning.encoding("basic-rummy", 2).labels}


@rv.house.register_rule("deal", "later")
@attrs.frozen
class Later(rv.house.HouseRule):
    """
    From the second deal on some values are others.
    """

    given: tuple[tuple[str, Any], ...] = (
        ("wild.real_card", "swap"),
        ("wild.split", True),
    )
    listed: bool = False
    first: int = 2

    def values(self, deal: rv.house.DealFacts) -> dict[str, object] | None:
        return dict(self.given) if deal.round_number >= self.first else None

    def possible_values(self) -> list[dict[str, object]] | None:
        return [dict(self.given)] if self.listed else None


@pytest.mark.parametrize("listed", [False, True])
def test_what_only_a_later_deal_allows_has_words(*, listed: bool) -> None:
    rules = rv.preset("rummy-500").with_values({"deal.rules": [Later(listed=listed)]})
    found = rv.learning.encoding(rules, 2)
    assert {"swap", "split"} <= {*found.labels}
    assert ("knock" in found.labels) != listed
    state = rv.position(
        rules,
        hands={"Ann": "5h Kc 2c", "Ben": "8c"},
        table=["Ben: 4h *=5h 6h"],
        phase="play",
        drawn="stock Kc",
        partial=True,
        round=2,
    )
    action = rv.game.parse_action("swap 5h on 1", 0)
    at: Any = state
    for index in found.encode(action, state):
        at = found.decode(index, at)
    assert at == action


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"out.first_drop": 20}, "drop"),
        ({"draw.unmelded_takes": "to meld it at once"}, "take"),
        ({"call.buying": "if declined"}, "buy"),
        ({"layoff.single_wilds": True}, "put"),
        ({"wild.twos": True}, "for"),
    ],
)
def test_a_round_with_listed_values_is_played(given: dict[str, Any], word: str) -> None:
    rule = Later(tuple(given.items()), listed=True, first=1)
    rules = rv.preset("basic-rummy").with_values({"deal.rules": [rule]})
    encoding = rv.learning.encoding(rules, 2)
    spec = rv.learning.observation_spec(rules, 2)
    assert word in encoding.labels
    for seed in range(3):
        state, chance = rv.new_game(rules, 2, seed=seed), random.Random(seed)
        while not state.is_round_over:
            at: Any = encoding.begin(state, state.to_act[0])
            while isinstance(at, rv.learning.Selection):
                assert len(spec.vector(at)) == spec.size
                at = encoding.decode(chance.choice(encoding.legal(at)), at)
            state = rv.apply(state, at)


@rv.house.register_rule("wild", "wild with long runs")
@attrs.frozen
class WildWithLongRuns(rv.house.HouseRule):
    """
    Sevens are wild where runs have four cards.
    """

    needs: ClassVar[dict[str, object]] = {"meld.least_run": 4}

    def wild_rank(self, deal: rv.house.DealFacts) -> str:
        del deal
        return "7"


def test_wilds_of_a_later_deal_alone_have_words() -> None:
    later = Later((("meld.least_run", 4),), listed=True)
    given = {"deal.rules": [later], "wild.rules": [WildWithLongRuns()]}
    rules = rv.preset("basic-rummy").with_values(given)
    assert "wild_rank" not in rules.asked
    assert {"wild", "for"} <= {*rv.learning.encoding(rules, 2).labels}


def test_a_deal_that_is_listed_adds_no_other_words() -> None:
    plain = rv.learning.encoding("carioca", 4)
    without = [
        one for one in rv.preset("carioca").meld.rules if one.name != "escala real"
    ]
    rules = rv.preset("carioca").with_values({"meld.rules": without})
    assert plain.labels == rv.learning.encoding(rules, 4).labels
    assert rv.learning.observation_spec("carioca", 4).size == (
        rv.learning.observation_spec(rules, 4).size
    )


# ------------------------------------------------------------------------ what is known


@pytest.mark.parametrize("name", rv.presets())
def test_views_states_and_other_worlds_are_asked_the_same(name: str) -> None:
    players = players_of(name)
    chance = random.Random(2)
    state = rv.new_game(name, players, seed=5)
    for _ in range(60):
        if state.phase == "deal" or state.is_over:
            break
        for encoding in forms_of(state.rules, players):
            for seat in range(players):
                view = rv.view(state, seat)
                other = rv.determinize(view, chance)
                legal = encoding.legal(view)
                assert legal == encoding.legal(encoding.begin(state, seat))
                assert legal == encoding.legal(encoding.begin(other, seat))
                assert bool(legal) == (seat in state.to_act)
        state = rv.apply(state, rv.legal_actions(state).sample(chance.randrange))


def play(encoding: rv.learning.Encoding, at: Any, *labels: str) -> Any:
    """
    What labels lead to.
    """
    for label in labels:
        at = encoding.decode(encoding.labels.index(label), at)
    return at


def table() -> rv.State:
    return rv.position(
        "rummy-500",
        hands={"Ann": "7h 7d 7s * Kc", "Ben": "8c"},
        table=["Ben: 4h *=5h 6h"],
        discards="5c",
        phase="play",
        drawn="stock Kc",
        fill=True,
    )


def test_an_action_is_chosen_word_by_word() -> None:
    state = table()
    view = rv.view(state, 0)
    encoding = rv.learning.encoding("rummy-500", 2)
    begun = encoding.begin(view)
    assert [encoding.labels[one] for one in encoding.legal(view)] == [
        *("meld", "lay", "discard")
    ]
    selection = play(encoding, view, "lay")
    assert selection.labels == ("lay",)
    assert (selection.view, selection.seat) == (view, 0)
    assert selection != begun
    assert repr(selection) == "<Selection of seat 0: lay>"
    assert repr(begun) == "<Selection of seat 0: nothing yet>"
    done = play(encoding, selection, "4h", "8h")
    assert str(done) == "lay 7h *=8h on 1", "the only meld is not asked for"
    taken = encoding.encode("lay *=8h 7h on 1", view)
    assert [encoding.labels[one] for one in taken] == ["lay", "4h", "8h"]
    assert encoding.encode(done, selection) == taken[1:]


def test_the_same_point_of_the_same_choice_is_an_equal_selection() -> None:
    state = table()
    encoding = rv.learning.encoding("rummy-500", 2)
    one = play(encoding, rv.view(state, 0), "lay")
    other = play(encoding, rv.view(table(), 0), "lay")
    assert one == other
    assert hash(one) == hash(other)
    assert one != play(encoding, rv.view(state, 0), "meld")
    own = play(encoding, encoding.begin(state), "lay")
    assert own != one
    assert own.view == one.view
    assert own.state is state


def pickled(one: Any) -> Any:
    return pickle.loads(pickle.dumps(one))  # noqa: S301 -- a pickle of our own


def test_encodings_and_selections_are_copied_and_pickled() -> None:
    encoding = rv.learning.encoding("rummy-500", 2)
    selection = play(encoding, rv.view(table(), 0), "lay", "4h")
    for again in (copy.deepcopy, pickled):
        assert again(encoding) == encoding
        found = again(selection)
        assert found == selection
        assert encoding.legal(found) == encoding.legal(selection)
    assert rv.learning.encoding(rv.preset("rummy-500"), 2) is encoding
    assert repr(encoding).startswith("<Encoding of rummy-500 for 2 players, stepwise, ")


def test_drafts_are_asked_the_same() -> None:
    state = rv.apply(rv.new_game("gin-rummy", 2, seed=3), "pass")
    state = rv.apply(rv.apply(state, "pass"), "draw")
    for form in ("stepwise", "flat"):
        encoding = rv.learning.encoding("gin-rummy", 2, form)
        question = encoding._ask(thaw(state), state.turn)
        assert question.indices == encoding.legal(state)
        assert encoding._ask(thaw(state), 1 - state.turn).indices == ()


def test_an_action_that_was_decoded_is_not_planned_again() -> None:
    state = table()
    encoding = rv.learning.encoding("rummy-500", 2)
    done = play(encoding, encoding.begin(state), "lay", "4h", "8h")
    assert state._known[0] is done
    assert rv.apply(state, done).table[0].cards[-1] == rv.Card("*")


# ---------------------------------------------------------------------------- bad input


def test_an_index_that_may_not_be_chosen() -> None:
    view = rv.view(table(), 0)
    encoding = rv.learning.encoding("rummy-500", 2)
    draw = encoding.labels.index("draw")
    discard = encoding.labels.index("discard")
    allowed = {
        view: "2 ('meld'), 3 ('lay') and 4 ('discard')",
        encoding.decode(discard, view): "19 ('Kc'), 26 ('7d'), 39 ('7h') and 2 others",
    }
    for at, instead in allowed.items():
        with pytest.raises(rv.learning.EncodingError) as refused:
            encoding.decode(draw, at)
        said = f"{draw} ('draw') cannot be chosen here: the mask allows {instead}"
        assert str(refused.value) == said
    for wrong in (-1, encoding.size, 1.0, "0", None, True, b"\0"):
        with pytest.raises(
            rv.learning.EncodingError, match="is not an index: give a whole"
        ):
            encoding.decode(wrong, view)  # type: ignore[arg-type]
    with pytest.raises(rv.learning.EncodingError, match="seat 1 may not act now"):
        encoding.decode(draw, rv.view(table(), 1))
    assert encoding.mask(rv.view(table(), 1)) == bytes(encoding.size)


def test_an_index_of_another_kind_of_whole_number() -> None:
    numpy = pytest.importorskip("numpy")
    encoding = rv.learning.encoding("rummy-500", 2)
    view = rv.view(table(), 0)
    mask = numpy.frombuffer(encoding.mask(view), numpy.int8)
    assert (*mask.nonzero()[0],) == encoding.legal(view)
    index = mask.nonzero()[0][0]
    assert encoding.decode(index, view) == encoding.decode(int(index), view)


def test_an_encoding_is_for_its_rules_and_players_alone() -> None:
    encoding = rv.learning.encoding("rummy-500", 2)
    three = rv.view(rv.new_game("rummy-500", 3, seed=1), 0)
    with pytest.raises(rv.learning.EncodingError, match="is for 2 players, not for 3"):
        encoding.mask(three)
    other = rv.view(rv.new_game("basic-rummy", 2, seed=1), 0)
    with pytest.raises(
        rv.learning.EncodingError, match="is for <Ruleset rummy-500>, and this"
    ):
        encoding.mask(other)
    same = rv.preset("rummy-500").with_values({})
    assert any(encoding.mask(rv.view(rv.new_game(same, 2, dealer=1), 0)))
    gin = rv.view(rv.new_game("gin-rummy", 2), 0)
    flat, stepwise = (
        rv.learning.encoding("gin-rummy", 2, one) for one in ("flat", "stepwise")
    )
    with pytest.raises(
        rv.learning.EncodingError, match="the selection is of <Encoding of gin"
    ):
        flat.mask(stepwise.begin(gin))


def test_a_view_of_nobody_and_a_seat_that_is_none() -> None:
    state = rv.new_game("rummy-500", 2, seed=1)
    encoding = rv.learning.encoding("rummy-500", 2)
    with pytest.raises(rv.learning.EncodingError, match="a spectator does not act"):
        encoding.mask(rv.view(state))
    with pytest.raises(
        rv.learning.EncodingError, match="there is no seat 2; seats go from 0 to"
    ):
        encoding.begin(state, 2)
    with pytest.raises(rv.learning.EncodingError, match="there is no seat True"):
        encoding.begin(state, True)
    with pytest.raises(
        rv.learning.EncodingError, match="the view of seat 0, not of seat 1"
    ):
        encoding.begin(rv.view(state, 0), 1)
    with pytest.raises(
        rv.learning.EncodingError, match="'draw' is not a view, a state or"
    ):
        encoding.mask("draw")  # type: ignore[arg-type]
    over = rv.game.begin("rummy-500", 2)
    with pytest.raises(
        rv.learning.EncodingError, match="say which seat acts: none may"
    ):
        encoding.mask(over)
    calling = rv.position(
        "rummy-500",
        hands={"Ann": "7d Kc", "Ben": "8c", "Cleo": "8d"},
        table=["Ben: 4h 5h 6h"],
        discards="5c 7h",
        turn="Cleo",
        phase="call",
        stock="9d 9c",
    )
    three = rv.learning.encoding("rummy-500", 3)
    with pytest.raises(
        rv.learning.EncodingError, match=r"acts: seats 0(, 1)? and \d may"
    ):
        three.mask(calling)
    assert any(three.mask(three.begin(calling, 0)))


def test_an_action_that_is_not_legal_or_not_here() -> None:
    encoding = rv.learning.encoding("rummy-500", 2)
    view = rv.view(table(), 0)
    with pytest.raises(rv.IllegalAction, match="RV-07"):
        encoding.encode("discard 2c", view)
    with pytest.raises(rv.errors.ParseError, match="did you mean 'discard'"):
        encoding.encode("discrad Kc", view)
    with pytest.raises(
        rv.learning.EncodingError, match="is an action of seat 1, not of seat 0"
    ):
        encoding.encode(rv.actions.Discard(rv.Card("Kc"), 1), view)
    lay = play(encoding, view, "lay")
    with pytest.raises(
        rv.learning.EncodingError, match="no index leads to 'discard Kc' here"
    ):
        encoding.encode("discard Kc", lay)
    with pytest.raises(rv.IllegalAction):
        encoding.encode(3, view)  # type: ignore[arg-type]


def test_a_flat_form_that_there_is_not() -> None:
    with pytest.raises(
        rv.learning.EncodingError, match="kind 'meld' names more than a card"
    ):
        rv.learning.encoding("rummy-500", 2, "flat")
    wild = rv.preset("gin-rummy").with_options("PGV-C2a")
    with pytest.raises(
        rv.learning.EncodingError, match="kind 'lay' says what wild cards stand"
    ):
        rv.learning.encoding(wild, 2, "flat")
    for wrong in ("", "Flat", None):
        with pytest.raises(
            rv.learning.EncodingError, match="is not a form: it is 'stepwise' or"
        ):
            rv.learning.encoding("gin-rummy", 2, wrong)  # type: ignore[arg-type]


def test_a_number_of_players_that_there_is_not() -> None:
    with pytest.raises(rv.errors.RulesError, match="for 2 players, not 3"):
        rv.learning.encoding("gin-rummy", 3)
    with pytest.raises(rv.errors.RulesError, match="no preset"):
        rv.learning.encoding("gin", 2)
    for wrong in ("2", 2.0, True, None):
        with pytest.raises(
            rv.learning.EncodingError, match="is not a number of players"
        ):
            rv.learning.encoding("gin-rummy", wrong)  # type: ignore[arg-type]


def test_an_encoding_has_at_most_so_many_indices() -> None:
    values = {"deck.packs": 7, "deal.hand_size": 120, "meld.least_set": 2}
    big = rv.preset("gin-rummy").with_values(values)
    with pytest.raises(rv.learning.EncodingError, match="more than 2,048 indices"):
        rv.learning.encoding(big, 2, "flat")
    assert rv.learning.encoding(big, 2).size < MOST_INDICES


KNOCK = """
rules = "gin-rummy"

[position]
seats = ["N", "S"]
dealer = "S"
turn = "N"
phase = "play"
drawn = "stock Kc"
stock = "9d 9c 8c 8d"
discards = "5c"
hands = { N = "4h 5h 6h 7h 7d 7s 2c 2d 2h Ac Kc", S = "8h 9h Td Qd Ks Qc Jd 3d 4d Jh" }
"""


def test_a_knock_of_the_flat_form_shows_the_best_melds() -> None:
    state = rv.files.parse_scenario(KNOCK).start
    assert state is not None
    view = rv.view(state, 0)
    encoding = rv.learning.encoding("gin-rummy", 2, "flat")
    (index,) = encoding.encode("knock Kc", view)
    assert encoding.labels[index] == "knock Kc"
    done = encoding.decode(index, view)
    assert str(done) == "knock Kc: 2c 2d 2h / 7d 7h 7s / 4h 5h 6h"
    assert encoding.encode("knock Kc: 7h 7d 7s / 6h 5h 4h / 2d 2c 2h", view) == (index,)
    with pytest.raises(
        rv.learning.EncodingError, match="in the flat form the best melds are"
    ):
        encoding.encode("knock Kc: 4h 5h 6h / 7h 7d 7s", view)


def test_every_way_to_show_a_hand_is_reached() -> None:
    """
    More than a chooser offers, which looks at a few ways only.
    """
    state = rv.position(
        "indian-rummy-pool",
        hands={"Ann": "7c 8c 9c 9c Tc 6d 9d Td 3h 5h Th Ac As 9s", "Ben": "2c 4s"},
        wild="9",
        phase="play",
        drawn="stock 6d",
        discards="Jd",
        fill=True,
        partial=True,
    )
    encoding = rv.learning.encoding(state.rules, 2)
    view = rv.view(state, 0)
    right = [
        one
        for one in rv.legal_actions(state)
        if isinstance(one, rv.actions.Declare) and one.melds and str(one.card) == "6d"
    ]
    chooser = rv.chooser(state).choose("declare", "6d")
    assert len(right) > 40 > len(chooser.choices)
    taken = {encoding.encode(one, view): one for one in right}
    assert len(taken) == len(right)
    for indices, action in taken.items():
        assert followed(encoding, view, indices) == action


LAY = """
rules = "gin-rummy"

[position]
seats = ["N", "S"]
dealer = "N"
turn = "N"
out = ["S"]
phase = "layoff"
stock = "9d 9c"
discards = "5c Kc"
partial = true
table = ["S: 5h 6h 7h", "S: 2c 2d 2h"]
hands = { N = "8h 9h Td Qd Ks", S = "7d" }
"""


def test_cards_are_laid_off_one_by_one_in_the_flat_form() -> None:
    state = rv.files.parse_scenario(LAY).start
    assert state is not None
    view = rv.view(state, 0)
    encoding = rv.learning.encoding("gin-rummy", 2, "flat")
    assert [encoding.labels[one] for one in encoding.legal(view)] == [
        *("lay 8h on 1", "pass")
    ]
    with pytest.raises(
        rv.learning.EncodingError, match="the flat form lays one card at a time"
    ):
        encoding.encode("lay 8h 9h on 1", view)


def test_an_ace_that_fits_both_ends_is_named_with_its_end() -> None:
    values = {"meld.ace": "high or low", "deck.ranks": "A23456", "deal.hand_size": 6}
    rules = rv.preset("gin-rummy").with_values(values)
    encoding = rv.learning.encoding(rules, 2, "flat")
    ends_named = {one for one in encoding.labels if "low" in one or "high" in one}
    assert ends_named == {
        f"lay A{suit} {end} on {number}"
        for suit in "cdhs"
        for end in ("low", "high")
        for number in (1, 2)
    }


def test_questions_about_big_hands_are_quick() -> None:
    """
    A hand of a pack with all wilds.
    """
    state = rv.position(
        rv.preset("rummy-500").with_options("PGV-C2a", "PGV-C4b"),
        hands={
            "Ann": "2c 2d 2h 2s * * 3c 4c 5c 6c 7c 8c 9c Tc Jc 3d 4d Kh",
            "Ben": "8s",
        },
        phase="play",
        drawn="stock Kh",
        stock="9d",
        discards="5h",
    )
    encoding = rv.learning.encoding(state.rules, 2)
    began = time.process_time()
    chance = random.Random(1)
    for _ in range(20):
        taken, action = at_random(encoding, rv.view(state, 0), chance)
        assert len(taken) < 30
        assert rv.check(state, action)
    assert time.process_time() - began < 10
