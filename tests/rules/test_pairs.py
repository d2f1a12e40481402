"""Every two options go together, or are refused with a reason."""

from __future__ import annotations

import contextlib
import functools
import itertools

from collections import Counter
from collections.abc import Mapping

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.testing import play_match


# In one process, which goes through the pairs once.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pairs")]


SWITCHES = [one for one in rv.options().values() if one.set or one.argument]
SHORT = 120
LONG = 150
MOST = 14
"""How many options come together in a game."""
PARTS = 8


@attrs.frozen
class Pair:
    """
    Two options put on games together.

    Attributes:
        first: The id of one.
        second: The id of the other.
        games: Each game that takes both, and the options to put on it: what they need,
            and the two. Rulesets are made when they are asked for, since to keep all of
            them costs more time than to make them.
        errors: What the other games say.
    """

    first: str
    second: str
    games: Mapping[str, tuple[str, ...]]
    errors: Mapping[str, rv.errors.RulesError]


def pair(first: rv.rules.Option, second: rv.rules.Option) -> Pair:
    """
    Put two options on every game.
    """
    games: dict[str, tuple[str, ...]] = {}
    errors: dict[str, rv.errors.RulesError] = {}
    needs = [rv.rule(one.id).needs for one in (first, second)]
    for name in rv.presets():
        for before in ((), *itertools.product(*[one for one in needs if one])):
            texts = (*before, first.example, second.example)
            texts = tuple(dict.fromkeys(texts))
            try:
                rv.preset(name).with_options(*texts)
            except rv.errors.RulesError as error:
                errors[name] = error.with_traceback(None)
            else:
                games[name] = texts
                errors.pop(name, None)
                break
    return Pair(first.id, second.id, games, errors)


@functools.cache
def pairs() -> tuple[Pair, ...]:
    """
    Every two options that turn something on.
    """
    return tuple(pair(*two) for two in itertools.combinations(SWITCHES, 2))


@functools.cache
def takes(game: str, name: str) -> bool:
    """
    Whether a game takes an option, with what it needs.
    """
    needs = rv.rule(name).needs
    for before in ((), *((one,) for one in needs)):
        with contextlib.suppress(rv.errors.RulesError):
            rv.preset(game).with_options(*before, rv.options()[name].example)
            return True
    return False


def excluded(first: str, second: str) -> bool:
    return second in rv.rule(first).excludes or first in rv.rule(second).excludes


@attrs.frozen
class Together:
    """
    A game with several options on it.

    Attributes:
        game: The name of the game.
        options: The options, each going with each other one.
        texts: How they are written, with what some of them need.
    """

    game: str
    options: tuple[str, ...]
    texts: tuple[str, ...]

    def play(self, number: int, limit: int, every: int) -> None:
        """
        Play so many actions of a match and look at all that must hold.
        """
        rules = rv.preset(self.game).with_options(*self.texts)
        low, high = rules.match.players
        for players in (low + number % (high - low + 1), low):
            try:
                play_match(rules, players, number, limit, every=every)
            except rv.errors.RulesError as error:
                assert "RV-02" in error.rules, self
            else:
                return
        pytest.fail(f"no deal comes about: {self}")


def in_force(game: str, texts: tuple[str, ...]) -> set[str]:
    """
    The options of which some value holds; nothing if the game refuses them together.
    """
    try:
        rules = rv.preset(game).with_options(*texts)
        rv.game.begin(rules, rules.match.players[0])
    except rv.errors.RulesError:
        return set()
    return {origin.set_by for origin in rules.origins.values()} - {*rv.presets()}


@functools.cache
def covering() -> tuple[Together, ...]:
    """
    Few games in which every two options that go together are in force together.

    Each begins with a pair that no game before had. Then options join it that go with
    all of its options, bring further new pairs, and override none of them.
    """
    good = {(two.first, two.second): two.games for two in pairs() if two.games}
    good |= {(second, first): games for (first, second), games in good.items()}
    left = dict.fromkeys(pair for pair in good if pair[0] < pair[1])
    found = []
    while left:
        pair = next(iter(left))
        fresh = [game for game in good[pair] if in_force(game, good[pair][game])]
        game = (fresh or [*good[pair]])[len(found) % len(fresh or good[pair])]
        chosen, texts = list(pair), good[pair][game]
        held = in_force(game, texts)
        joining = Counter(
            {
                one.id: sum(tuple(sorted((one.id, two))) in left for two in chosen)
                for one in SWITCHES
                if one.id not in chosen
            }
        )
        while joining and len(chosen) < MOST:
            name, new = joining.most_common(1)[0]
            del joining[name]
            if not new:
                break
            if not all(game in good.get((name, two), ()) for two in chosen):
                continue
            more = (*texts, *good[name, chosen[0]][game])
            more = tuple(dict.fromkeys(more))
            holds = in_force(game, more)
            if held | {name} <= holds:
                chosen, texts, held = [*chosen, name], more, holds
                for other in joining:
                    joining[other] += tuple(sorted((other, name))) in left
        for two in itertools.combinations(sorted(chosen), 2):
            left.pop(two, None)
        found.append(Together(game, tuple(chosen), texts))
    return tuple(found)


def test_every_pair_is_in_some_game() -> None:
    covered = {
        two
        for one in covering()
        for two in itertools.combinations(sorted(one.options), 2)
    }
    wanted = {tuple(sorted((p.first, p.second))) for p in pairs() if p.games}
    assert covered == wanted


@pytest.mark.parametrize("part", range(PARTS))
def test_pairs_that_go_together_are_played(part: int) -> None:
    """
    Every pair is played, many of them in one game.

    With each pair in a game of its own the number of games grows with the square of
    the number of options. A fault that two options make together shows beside others
    as well, unless one of those hides it: therefore no option joins a game that would
    override another one's value. Alone, and for long, pairs are played below.
    """
    for number, together in enumerate(covering()):
        if number % PARTS == part:
            together.play(number, SHORT, SHORT - 10)


@pytest.mark.parametrize("option", [one.id for one in SWITCHES])
def test_pairs_that_go_together_are_played_for_long(option: str) -> None:
    for number, two in enumerate(pairs()):
        if two.first == option and two.games:
            game, texts = sorted(two.games.items())[number % len(two.games)]
            together = Together(game, (two.first, two.second), texts)
            together.play(number, LONG, LONG - 5)


def out_of_reach(first: str, second: str) -> bool:
    """
    Whether one of two options needs what the other one excludes.
    """
    return any(
        rv.rule(one).needs and all(excluded(need, other) for need in rv.rule(one).needs)
        for one, other in ((first, second), (second, first))
    )


def apart(first: str, second: str) -> bool:
    """
    Whether no game takes both of two options even by themselves.
    """
    return not any(takes(game, first) and takes(game, second) for game in rv.presets())


def test_refused_pairs_are_those_of_the_catalogue() -> None:
    for two in pairs():
        names = (two.first, two.second)
        if two.games:
            assert not excluded(*names), names
            assert not apart(*names), names
            # What an option needs may be a rule of the game anyway.
            if out_of_reach(*names):
                assert all(on == names for on in two.games.values()), names
        else:
            assert excluded(*names) or out_of_reach(*names) or apart(*names), names


def test_a_refusal_names_both_sides() -> None:
    for two in pairs():
        if not excluded(two.first, two.second):
            continue
        for name, error in two.errors.items():
            assert {two.first, two.second} <= {*error.rules}, (name, two)
            message = f"{two.first} and {two.second} exclude each other: take one out"
            assert message in error.problems, (name, error.problems)


def test_what_an_option_needs_is_named_with_what_has_it() -> None:
    for option in SWITCHES:
        needs = rv.rule(option.id).needs
        for name in rv.presets() if needs else ():
            try:
                rv.preset(name).with_options(option.example)
            except rv.errors.RulesError as error:
                assert option.id in error.rules
                message = f"put {' or '.join(needs)} on or take {option.id} out"
                assert error.problems[0].endswith(message)


@pytest.mark.parametrize(
    ("game", "option", "other"),
    [
        ("george", "PGV-C2a", "PGV-P12"),
        ("2500-house", "PGV-C2b", "HR-02"),
        ("george", "PGV-P13", "PGV-P12"),
        ("rummy-5000", "PGV-E4b", "PG-21"),
    ],
)
def test_a_game_that_makes_an_option_impossible_is_named(
    game: str, option: str, other: str
) -> None:
    with pytest.raises(rv.errors.RulesError) as caught:
        rv.preset(game).with_options(option)
    assert {option, other} <= {*caught.value.rules}
    assert f"take {option} out" in caught.value.problems[0]


def test_two_values_of_a_file_that_do_not_go_together() -> None:
    with pytest.raises(rv.errors.RulesError) as caught:
        rv.preset("rummy-500").with_values({"meld.sets": False, "meld.runs": False})
    assert caught.value.problems[0].endswith("; change one of them")


@pytest.mark.parametrize(
    ("game", "option", "why"),
    [
        ("rummy-500", "PGV-C4a", "these rules already say so"),
        ("rummy-500", "PGV-E4a", "these rules already say so"),
        ("2500-house", "PGV-C1a", "it does not come up"),
        ("2500-house", "PGV-P10", "these rules already say so"),
        ("rummy-500", "PGV-D1", "it does not come up"),
        ("rummy-500", "PGV-E2", "it does not come up"),
        ("rummy-5000", "PGV-D5b", "these rules already say so"),
        ("rummy-5000", "PGV-P2c", "these rules already say so"),
        ("george", "PGV-D1", "these rules already say so"),
    ],
)
def test_an_option_that_changes_nothing_is_pointed_out(
    game: str, option: str, why: str
) -> None:
    rules = rv.preset(game).with_options(option)
    assert rules.notices == (f"{option} changes nothing: {why}",)


def test_an_option_that_changes_something_is_not_pointed_out() -> None:
    assert rv.preset("rummy-5000").with_options("PGV-P4", "PGV-E4a").notices == ()


def test_what_another_option_takes_away_is_pointed_out() -> None:
    rules = rv.preset("rummy-500").with_options("PGV-P10", "BNV-01")
    assert rules.notices == ("BNV-01 changes nothing: it does not come up",)


def test_what_another_option_sets_otherwise_is_pointed_out() -> None:
    rules = rv.preset("rummy-500").with_options("PGV-P3", "THV-02a")
    why = "what it sets is set otherwise (THV-02a)"
    assert f"PGV-P3 changes nothing: {why}" in rules.notices
    changed = rv.preset("rummy-500").with_options("GRV-08")
    changed = changed.with_values({"match.rotation": "left"}, "table.toml, line 3")
    why = "what it sets is set otherwise (table.toml, line 3)"
    assert changed.notices == (f"GRV-08 changes nothing: {why}",)


def test_what_another_option_needs_is_not_pointed_out() -> None:
    rules = rv.preset("rummy-5000").with_options("PGV-C2a", "PGV-D3e")
    assert rules.notices == ()
