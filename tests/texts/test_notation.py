"""What is written is read alike everywhere, and what is wrong says what to write."""

from __future__ import annotations

import random
import re

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

import rummyvariants as rv

from rummyvariants import svg
from rummyvariants.game.verbs._synonyms import ELSEWHERE, SYNONYMS


NOTATION = Path(__file__).parents[2] / "docs" / "reference" / "notation.md"
TABLE = ["Ben: 7h *=8h 9h", "Ben: Kc Kd Ks", "Ben: 6d 7d 8d", "Ben: 9c 9s *=9h"]


def position(rules: rv.Ruleset | str = "rummy-500", **keys: Any) -> rv.State:
    """A position of Ann and Ben in which Ann has drawn, unless it says otherwise."""
    given = {"turn": "Ann", "phase": "play", "fill": True, **keys}
    return rv.position(rules, **given)


def table(hand: str = "8h Th 9d 7c 2c Kh", **keys: Any) -> rv.State:
    """Such a position with melds on the table, in which wilds are traded for."""
    rules = rv.preset("rummy-500").with_options("PGV-P4")
    given = {"table": TABLE[:3], "discards": "Js 4d 5c Qd", **keys}
    return position(rules, hands={"Ann": hand, "Ben": "Qh 3d"}, **given)


def gin(hand: str, **keys: Any) -> rv.State:
    """A hand of gin after the draw."""
    hands = {"Ann": hand, "Ben": "Qh 3s"}
    return position("gin-rummy", hands=hands, discards="8s", partial=True, **keys)


DRAW = {"phase": "draw", "hand": "Qc Qs 3c 4c"}
NEAR_GIN = "3c 3d 3h 5s 6s 7s 9c 9d 9h Qc Kd"
GIN = "3c 3d 3h 5s 6s 7s 9c 9d 9h 9s Kd"

SHORT = [
    (table(), "7c", "discard 7c"),
    (table(), "7♣", "discard 7c"),
    (table(), "0: 7C", "discard 7c"),
    (table(), "Ann: 7c", "discard 7c"),
    (table(), "throw away 7c", "discard 7c"),
    (table(), "lay Th", "lay Th on 1"),
    (table(), "lay off 10h", "lay Th on 1"),
    (table(), "lay off Th on meld 1", "lay Th on 1"),
    (table(), "lay Th to 1", "lay Th on 1"),
    (table(), "add Kh", "lay Kh on 2"),
    (table(), "lay 9d", "lay 9d on 3"),
    (table(), "swap 8h", "swap 8h on 1"),
    (table(), "swap 8h on 7h * 9h", "swap 8h on 1"),
    (table(), "lay off Th on 7h *=8h 9h", "lay Th on 1"),
    (table(), "lay Th onto the 9h 7h", "lay Th on 1"),
    (table(), "trade 8h for 1", "swap 8h on 1"),
    (table("Jh Jd Js 2c", discards="4d"), "lay down Jh, Jd, Js", "meld Jh Jd Js"),
    (table("Jh Jd Js 2c", discards="4d"), "put down Jh Jd Js", "meld Jh Jd Js"),
    (table(**DRAW), "take Qd", "take 1"),
    (table(**DRAW), "take 5C", "take 2"),
    (table(**DRAW), "pick up 5c", "take 2"),
    (table(**DRAW), "take down to 5c", "take 2"),
    (table(**DRAW), "take two cards", "take 2"),
    (table(**DRAW), "take all", "take 4"),
    (table(**DRAW), "take the pile", "take 4"),
    (table(**DRAW), "draw from the stock", "draw"),
    (gin(GIN), "gin", "knock Kd: 3c 3d 3h / 9c 9d 9h 9s / 5s 6s 7s"),
    (gin(GIN), "gin Kd", "knock Kd: 3c 3d 3h / 9c 9d 9h 9s / 5s 6s 7s"),
    (gin(GIN), "go out", "knock Kd: 3c 3d 3h / 9c 9d 9h 9s / 5s 6s 7s"),
]


@pytest.mark.parametrize(("state", "short", "full"), SHORT)
def test_a_short_form_means_the_same_as_the_whole_action(
    state: rv.State, short: str, full: str
) -> None:
    assert rv.check(state, short) == rv.check(state, full)
    if not rv.check(state, full):
        assert short not in rv.legal_actions(state)
        return
    assert short in rv.legal_actions(state)
    assert str(rv.step(state, short).action) == full
    assert rv.apply(state, short) == rv.apply(state, full)


@pytest.mark.parametrize(("state", "short", "full"), SHORT)
def test_a_scenario_reads_short_forms(state: rv.State, short: str, full: str) -> None:
    if short.startswith("Ann"):
        return  # a step names the seat in a key of its own
    text = rv.files.scenario_text(state)
    step = '[[step]]\ndo = "{}"\n' + (
        "" if rv.check(state, full) else 'refused = "*"\n'
    )
    found, wanted = (
        rv.files.run(rv.files.parse_scenario(f"{text}\n{step.format(one)}"))
        for one in (short, full)
    )
    assert found.rulings[0][1] == wanted.rulings[0][1]
    assert found.state == wanted.state


@pytest.mark.parametrize(
    ("state", "short", "listed"),
    [
        (table(table=TABLE), "lay 9d", "'lay 9d on 3' or 'lay 9d on 4'"),
        (gin(NEAR_GIN), "knock", "'knock Qc' or 'knock Kd'"),
    ],
)
def test_what_may_mean_several_actions_is_legal_and_not_done(
    state: rv.State, short: str, listed: str
) -> None:
    with pytest.raises(rv.errors.ParseError, match=re.escape(listed)) as error:
        rv.apply(state, short)
    assert isinstance(error.value, rv.errors.AmbiguousError)
    ruling = rv.check(state, short)
    assert ruling
    assert ruling.reason.startswith(f"write {listed}: ")
    assert ruling.under(state.rules)


@pytest.mark.parametrize(
    ("state", "short", "reason"),
    [
        (table(), "lay 2c", "no meld on the table takes 2c"),
        (table(), "lay 7c 2c", "no meld on the table takes 7c and 2c"),
        (table(), "lay 8h", "*=8h already holds the place of 8h in this meld"),
        (table(), "swap 2c", "no wild on the table stands for 2c"),
        (table(), "swap 7s", "7s is not in the hand"),
        (
            table(),
            "lay Th on 2h 3h 4h",
            "no meld on the table has 2h, 3h and 4h: write 1",
        ),
        (table(), "lay Th on Kc Kd Ks", "Th does not fit the set"),
        (table(table=[]), "lay Th", "there is no meld on the table for 'lay Th'"),
        (table(**DRAW), "take 9d", "9d is not in the discard pile"),
        (table(**DRAW), "lay 4c", "a turn starts with a draw, so 'lay 4c' has to wait"),
        (gin(NEAR_GIN), "gin", "whatever is discarded, cards are left that are in no"),
        (gin(NEAR_GIN), "gin Kd", "Qc would be left, so it is 'knock Kd'"),
        (
            gin("3c 4d 6h Th Ts Qc Ad 5s 2s 7h Jd"),
            "knock",
            "would be left, and a knock leaves 10 at most",
        ),
    ],
)
def test_a_short_form_of_nothing_legal_is_refused_with_the_reason(
    state: rv.State, short: str, reason: str
) -> None:
    ruling = rv.check(state, short)
    assert not ruling
    assert reason in ruling.reason
    assert short not in rv.legal_actions(state)
    with pytest.raises(rv.IllegalAction):
        rv.apply(state, short)


def test_records_are_read_in_short_and_written_in_full():
    state = rv.new_game("rummy-500", ["Ann", "Ben"], seed=3)
    for action in ("take 1", "discard 6c"):
        state = rv.apply(state, action)
    full = str(rv.record(state))
    short = full.replace("0: take 1", "0: pick up all").replace("discard 6c", "6C")
    assert short.count("6C") == 1
    assert str(rv.files.Record.parse(short)) == full
    assert rv.replay(short) == state
    for wrong, said in (
        (
            short.replace("0: 6C", "0: Kc"),
            "action 3: 'discard Kc' cannot be done: Kc is",
        ),
        (short.replace("0: 6C", "6C"), "'6C' names no seat: write '0: 6C'"),
        (short.replace("0: 6C", "7: 6C"), "there is no seat 7"),
        (short.replace("0: 6C", "0: lay 6c"), "no meld on the table"),
    ):
        with pytest.raises(rv.errors.RecordError, match=re.escape(said)):
            rv.files.Record.parse(wrong)


@pytest.mark.parametrize(("phrase", "verb"), SYNONYMS.items())
def test_players_words_are_read_and_documented(phrase: str, verb: str) -> None:
    hints = {
        "take": "3",
        "discard": "Kc",
        "meld": "7h 8h 9h",
        "put": "7c",
        "lay": "Th on 2",
        "swap": "8h on 2",
        "rummy": "9h on 2",
        "declare": "Kd: 3c 3d 3h",
        "knock": "Kd: 3c 3d 3h",
    }
    rest = f" {hints[verb]}" if verb in hints else ""
    for said in (phrase, phrase.upper()):
        verbs = {"take", "discard", "meld"}
        assert str(rv.game.parse_action(said + rest, verbs=verbs)) == verb + rest
    assert f"`{phrase}" in NOTATION.read_text("utf-8").replace("may I", "may i")


@rv.house.register_rule("draw", "throw a party")
@attrs.frozen
class Party(rv.house.HouseRule):
    """An action whose name begins with a word of card players."""

    actions = ("throw",)

    def offers(self, turn: rv.house.Turn) -> Iterator[rv.house.Offer]:
        """Offer it in every turn."""
        del turn
        yield rv.house.Offer("throw")


def test_a_word_is_that_of_a_house_rule_where_it_is_in_force():
    table = {"extends": "rummy-500", "draw": {"rules": ["throw a party"]}}
    hands = {"Ann": "7c 8c", "Ben": "2c"}
    party = position(rv.rules.read_rules(table), hands=hands)
    assert isinstance(rv.step(party, "throw").action, rv.actions.HouseAction)
    usual = position(hands=hands)
    assert str(rv.step(usual, "throw 7c").action) == "discard 7c"


def test_a_lay_off_without_its_meld_is_that_of_the_only_meld():
    rng = random.Random(4)
    state = rv.new_game("rummy-500", ["Ann", "Ben", "Cleo"], seed=4)
    seen = 0
    for _ in range(400):
        if state.phase == "deal":
            state = rv.apply(state, rv.game.next_deal(state))
        legal = [*rv.legal_actions(state)]
        lays = {str(one) for one in legal if isinstance(one, rv.actions.LayOff)}
        for text in lays:
            short = text.partition(" on ")[0]
            same = {one for one in lays if one.partition(" on ")[0] == short}
            if len(same) == 1:
                assert str(rv.step(state, short).action) == text
                seen += 1
            else:
                with pytest.raises(rv.errors.ParseError, match="may mean several"):
                    rv.apply(state, short)
                assert rv.check(state, short).reason.startswith("write 'lay")
        plays = [one for one in legal if isinstance(one, rv.actions.NewMeld)]
        state = rv.apply(state, rng.choice(plays or legal))
    assert seen > 20


def test_a_player_called_like_a_seat_or_a_verb_is_no_seat_in_front():
    state = rv.new_game("gin-rummy", ["1", "knock Kd"], seed=1)
    seat = state.to_act[0]
    assert rv.check(state, f"{seat}: pass") == rv.check(state, rv.actions.Pass(seat))
    assert "has to wait" in rv.check(state, "knock Kd: none").reason


# ------------------------------------------------------------------------------ texts


STATE = rv.new_game("rummy-500", ["Ann", "Ben"], seed=3)
LEGAL = rv.legal_actions(STATE)
TEXTS: Mapping[str, Callable[[], tuple[object, object]]] = {
    "hands": lambda: (STATE.hands["Ben"], STATE.hands[1]),
    "scores": lambda: (STATE.scores["Ben"], STATE.scores[1]),
    "card in hand": lambda: ("Kh" in rv.Cards("2c Kh"), True),
    "count": lambda: (rv.Cards("2c Kh").count("Kh"), 1),
    "view": lambda: (rv.view(STATE, "Ben"), rv.view(STATE, 1)),
    "legal": lambda: ([*rv.legal_actions(STATE, "Ann")], [*LEGAL]),
    "legal with a card": lambda: (
        [*LEGAL.details("Tc")],
        [*LEGAL.details(rv.Card("Tc"))],
    ),
    "page": lambda: (LEGAL.page(card="Tc"), LEGAL.page(card=rv.Card("Tc"))),
    "chooser": lambda: (
        repr(rv.chooser(STATE, "Ann").choose("draw")),
        repr(rv.chooser(STATE, 0).choose("draw")),
    ),
    "check": lambda: (
        rv.check(STATE, "draw", "Ann"),
        rv.check(STATE, rv.actions.Draw(0)),
    ),
    "apply": lambda: (
        rv.apply(STATE, "draw", "Ann"),
        rv.apply(STATE, rv.actions.Draw(0)),
    ),
    "seen by": lambda: (
        rv.step(STATE, "draw").seen_by("Ben"),
        rv.step(STATE, rv.actions.Draw(0)).seen_by(1),
    ),
    "has meld": lambda: (STATE.has_meld("Ann"), STATE.has_meld(0)),
    "first melds": lambda: (STATE.first_melds("Ann"), STATE.first_melds(0)),
    "arrange": lambda: (rv.arrange(STATE, "Ann"), rv.arrange(STATE, 0)),
    "arrange a hand": lambda: (
        rv.solver.arrange_hand("rummy-500", "7h 8h 9h"),
        rv.solver.arrange_hand(rv.preset("rummy-500"), rv.Cards("7h 8h 9h")),
    ),
    "dealer": lambda: (
        rv.new_game("gin-rummy", ["A", "B"], seed=1, dealer="B"),
        rv.new_game(rv.preset("gin-rummy"), ["A", "B"], seed=1, dealer=1),
    ),
    "picture of a hand": lambda: (svg.hand("7h 8h"), svg.hand(rv.Cards("7h 8h"))),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_do_for_cards_hands_seats_and_actions(name: str) -> None:
    with_text, with_value = TEXTS[name]()
    assert with_text == with_value


def test_hands_by_name_are_a_tuple_by_seat():
    assert STATE.hands == tuple(STATE.hands)
    assert type(STATE.hands[:1]) is tuple
    with pytest.raises(rv.errors.RequestError, match="did you mean 'Ann'"):
        STATE.hands["Anne"]
    with pytest.raises(IndexError):
        STATE.hands[2]


def test_names_in_a_text_are_read_alike_in_games_and_positions():
    for text in ("Ann, Ben", "Ann Ben", " Ann ,Ben,"):
        assert rv.new_game("rummy-500", text).players == ("Ann", "Ben")
        assert rv.position("rummy-500", players=text).players == ("Ann", "Ben")
    assert rv.new_game("rummy-500", "Ann B, Ben").players == ("Ann B", "Ben")


def test_deal_is_the_next_deal_from_the_seed():
    state = rv.game.begin("rummy-500", 2, seed=3)
    assert "rv.apply(state, 'deal')" in repr(rv.legal_actions(state))
    assert rv.check(state, "draw").reason.endswith("write 'deal'")
    assert rv.apply(state, "deal") == rv.game.deal(state)
    assert not rv.check(state, "deal", seat=0)


# ----------------------------------------------------------------------------- errors


RULES = rv.preset("rummy-500")


@attrs.frozen
class NoKings(rv.house.HouseRule):
    """
    No king is discarded.
    """


def _call(function: Any, *args: Any, **kwargs: Any) -> Callable[[], object]:
    return lambda: function(*args, **kwargs)


ERRORS = [
    (_call(rv.legal_actions, STATE, "Anne"), "did you mean 'Ann'?"),
    (_call(rv.check, "take 3", STATE), "swapped: write the state first"),
    (_call(rv.apply, "draw", STATE), "swapped: write the state first"),
    (_call(rv.step, "draw", STATE), "swapped: write the state first"),
    (_call(rv.view, 0, STATE), "swapped: write the state first"),
    (_call(rv.legal_actions, "Ann", STATE), "swapped: write the state first"),
    (_call(rv.chooser, "Ann", STATE), "swapped: write the state first"),
    (_call(rv.new_game, "rummy-500", ["A", "B"], sed=2), "did you mean 'seed'?"),
    (_call(rv.new_game, "rummy-500", "Ben"), "give a name to each, as in ['Ann', "),
    (_call(rv.new_game, "rummy-500", {"Ann": "7h"}), "rv.position(rules, hands=...)"),
    (_call(rv.new_game, "rummy-500", 2, seed=None), "such as seed=7, or give the deck"),
    (_call(rv.apply, rv.game.begin("canasta", 4, seed=None), "deal"), "has no seed"),
    (_call(rv.apply, STATE, "deal"), "the round is not over"),
    (_call(rv.replay, "games/g.toml"), "'games/g.toml' looks like a file name: rv.fi"),
    (_call(rv.replay, [*STATE.history] * 9), " ..."),
    (
        _call(rv.apply, table(), "lay 10h on the run"),
        "after 'lay Th on' write 1 for 7h",
    ),
    (
        _call(rv.apply, table(), "Cleo: lay Th on 1"),
        "there is no player 'Cleo'; the pl",
    ),
    (_call(rv.apply, table(), "Ben: fly"), "unknown verb 'fly'"),
    (_call(rv.apply, rv.new_game("gin-rummy", 2), "draw"), "write 'take 1' or 'pass'"),
    (_call(rv.legal_actions(STATE).__getitem__, "draw"), "if one.kind == 'draw']"),
    (_call(RULES.with_options, NoKings()), "'discard.rules': [NoKings()]}), and @rv."),
    (_call(RULES.with_options, NoKings), "[NoKings()]}), and @rv.house.register_rule"),
    (_call(RULES.with_values, {"discard.rules": [NoKings()]}), "the rule has no name"),
    (_call(rv.house.register_rule, NoKings()), "@rv.house.register_rule('discard', "),
    (_call(rv.new_game, "rummy-500", ["A", "B"], jokers=2), "{'deck.jokers': 2}"),
    (_call(RULES.with_values, jokers=2), "rules.with_values({'deck.jokers': 2})"),
    (_call(RULES.with_values, {"jokers": 2}), "did you mean 'deck.jokers' or"),
    (_call(rv.preset, "rummy-500", jokers=2), "rules.with_values({'deck.jokers': 2})"),
    (
        _call(rv.position, "rummy-500", hands={"Ann": "7h"}, jokers=2),
        "the rules have such a value, deck.jokers or wild.jokers",
    ),
    (_call(rv.preset, "rumy-500"), "did you mean 'rummy-500'?"),
    (_call(rv.preset, "conquian.toml"), "rv.load_rules() reads a file"),
    (
        _call(rv.load_rules, "panguingue.toml"),
        "`rummyvariants presets` lists the games",
    ),
    (_call(rv.load_rules, "cannasta.toml"), "did you mean 'canasta'?"),
    (
        _call(rv.rules.read_rules, {"extends": "canasta", "jokers": 2}),
        "section [deck] or",
    ),
    (_call(rv.Card, "1h"), "write Ah"),
    (_call(rv.Card, "11H"), "write Jh"),
    (_call(rv.Card, "h10"), "write Th"),
    (_call(rv.Card, "Queen of hearts"), "write Qh"),
    (_call(rv.Card, "queen"), "write its suit too: Qc, Qd, Qh, Qs"),
    (_call(rv.Card, "7h8h9h"), "as in '7h 8h 9h'"),
    (_call(rv.Card, "x"), "or * for a joker"),
    (_call(rv.check, table(), "meld 7h8h9h"), "as in '7h 8h 9h'"),
    (_call(rv.check, table(), "swap"), "write 'swap 8h on 2'"),
    (_call(rv.check, table(), "7c 2c"), "such as 'meld 7c 2c'"),
    (_call(rv.check, table(), "go out"), "rv.arrange(state, goal='out')"),
    (_call(rv.check, table(), "knock"), "this game has no 'knock'"),
    (_call(rv.check, STATE, "draw", "Bn"), "did you mean 'Ben'?"),
    *[(_call(rv.check, STATE, word), said) for word, said in ELSEWHERE.items()],
]


@pytest.mark.parametrize(("wrong", "said"), ERRORS, ids=range(len(ERRORS)))
def test_an_error_says_what_to_write(wrong: Callable[[], object], said: str) -> None:
    with pytest.raises((rv.RummyError, TypeError), match=re.escape(said)):
        wrong()


@pytest.mark.parametrize(
    ("text", "card"),
    [("7♥️", "7h"), ("10♠️", "Ts"), ("tH", "Th"), ("JOKER", "*"), ("Jk", "*")],
)
def test_signs_in_colour_and_both_cases_are_read(text: str, card: str) -> None:
    assert rv.Card(text) == rv.Card(card)


def test_an_action_with_a_text_in_it_is_refused_with_the_text_to_write():
    refused = rv.check(STATE, rv.actions.Discard("Kc"))  # type: ignore[arg-type]
    assert "write the action as a text: 'discard Kc'" in refused.reason


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[steps]]\ndo = 'draw'", "did you mean [[step]]?"),
        ("fill = true", "fill: there is no such key; it stands in [position]"),
        ("jokers = 2", "the rules have such a value, deck.jokers or wild.jokers"),
        ("[[step]]\ndo = 'score'", "rv.game.score_sheet(state) has the points"),
        ("[[step]]\ndo = 'draw'\nfill = true", "it stands in [position]"),
    ],
)
def test_a_file_says_where_a_key_belongs(text: str, said: str) -> None:
    position = "[position]\nfill = true\nhands = {Ann = '7h', Ben = '8h'}\n"
    head, tail = (text, "") if text[0] != "[" else ("", text)
    with pytest.raises(rv.errors.RecordError, match=re.escape(said)):
        rv.files.parse_scenario(f"rules = 'rummy-500'\n{head}\n{position}{tail}")


# ---------------------------------------------------------------------------- reasons


@pytest.mark.parametrize(
    ("state", "action", "reason"),
    [
        (
            table("7s * 9s 2c"),
            "meld 7s *=8s 9s",
            "the cards make a run of spades from seven to nine with * as 8s",
        ),
        (table("Jh Jd Jc 2c"), "meld Jh Jd Jc", "the cards make a set of three jacks"),
        (
            table(),
            "lay Th on 1",
            "7h *=8h 9h, which becomes a run of hearts from seven to ten with * as 8h",
        ),
        (
            table(),
            "lay Kh on 2",
            "Kh fits the set Kc Kd Ks, which becomes a set of four kings",
        ),
        (
            table(),
            "swap 8h on 1",
            "takes the place of the wild that stands for it, and * comes to the hand",
        ),
        (
            table(phase="draw", hand="Jh Jd 3c 4c"),
            "take 4",
            "Js has to be melded or laid off this turn, as in 'meld Jd Jh Js'",
        ),
        (
            table(phase="draw", hand="Jh Jd 3c 4c"),
            "take 1",
            "a turn starts with a draw, and the top discard may be taken",
        ),
        (
            gin("3c 3d 3h 5s 6s 7s 9c 9d 9h 2c Kd"),
            "knock Kd",
            "2c would be left, 2 points, and a knock leaves 10 at most",
        ),
    ],
)
def test_a_legal_ruling_says_what_makes_it_legal(
    state: rv.State, action: str, reason: str
) -> None:
    ruling = rv.check(state, action)
    assert ruling
    assert ruling.reason.endswith(reason)


@pytest.mark.parametrize("game", rv.presets())
def test_a_play_that_a_ruling_names_is_legal_after_the_take(game: str) -> None:
    players = ["Ann", "Ben", "Cleo", "Dan"]
    try:
        state = rv.new_game(game, players, seed=2)
    except rv.errors.RulesError:
        state = rv.new_game(game, players[:2], seed=2)
    rng = random.Random(2)
    for _ in range(60):
        if state.phase in {"deal", "over"}:
            break
        for action in rv.legal_actions(state):
            reason = rv.check(state, action).reason
            assert reason
            if isinstance(action, rv.actions.Take) and " as in " in reason:
                after = rv.apply(state, action)
                named = re.findall(r"'([^']+)'", reason.partition(" as in ")[2])
                assert named
                assert all(rv.check(after, one) for one in named)
            if not isinstance(action, rv.actions.Take):
                break
        state = rv.apply(state, rv.legal_actions(state).sample(rng))
