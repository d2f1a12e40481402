"""Questions as players write them, answered by the rules that say so."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import attrs
import pytest

import rummyvariants as rv

from rummyvariants._support.packaged import packaged_table
from rummyvariants._support.ranking import Document, Ranking, spelled
from rummyvariants._support.stems import stem, stems
from rummyvariants.rules.sheet import statements


QUESTIONS = Path(__file__).with_name("questions.txt")


@attrs.frozen
class Asked:
    """
    A question about a game, and what the sentence that answers it cites and says.
    """

    game: str
    question: str
    rules: frozenset[str]
    words: str

    def place(self) -> int:
        """
        The place of the answer among the findings, from 0; a large number for none.
        """
        for place, one in enumerate(rv.search(self.question, self.game)):
            text = one.text.casefold()
            if self.rules & {*one.rules} and self.words.casefold() in text:
                return place
        return 99


def asked() -> list[Asked]:
    lines = QUESTIONS.read_text("utf-8").splitlines()
    found = []
    for line in lines:
        if not line.startswith("#"):
            game, question, rules, words = (one.strip() for one in line.split("|"))
            found.append(Asked(game, question, frozenset(rules.split()), words))
    return found


EVERY = asked()


def right(questions: Iterable[Asked], most: int = 1) -> int:
    return sum(one.place() < most for one in questions)


def test_questions_find_the_sentence_that_answers_them() -> None:
    # The floors are what was reached.
    assert len(EVERY) == 66
    assert right(EVERY[::2]) >= 32
    assert right(EVERY[1::2]) >= 26
    assert right(EVERY[1::2], 3) >= 30


def test_what_seems_certain_is_mostly_right() -> None:
    certain = [one for one in EVERY if rv.search(one.question, one.game).certain]
    assert len(certain) > 61
    assert right(certain) / len(certain) > 0.9


@pytest.mark.parametrize(
    ("question", "game"),
    [
        ("may I buy", "gin-rummy"),
        ("when is the pile frozen", "rummy-500"),
        ("may I knock", "canasta"),
        ("does the bishop move diagonally", "rummy-500"),
        ("who pays for the drinks", "canasta"),
        ("how do I castle", None),
    ],
)
def test_what_no_rule_answers_is_not_certain(question: str, game: str | None) -> None:
    found = rv.search(question, game)
    assert not found.certain
    first = repr(found).splitlines()[0]
    assert first.startswith("Nothing certain" if found else "Nothing is found about")
    assert all(one.kind != "in force" for one in found) or game == "rummy-500"


def test_rules_of_other_games_come_where_a_game_says_nothing() -> None:
    found = rv.search("may I buy", "gin-rummy")
    assert {one.kind for one in found} == {"elsewhere"}
    assert found[0].id == "CON-13"


SAME = [
    ("rummy-500", "drawing from the discard pile", "picking up from the heap"),
    ("gin-rummy", "lay off on the knocker's melds", "hit the knocker's melds"),
    ("rummy-5000", "the last discard", "the last sluff"),
    ("rummy-500", "any number of wild cards", "any number of jokers"),
    ("canasta", "do I need a canasta to go out", "do I need a canasta to close out"),
    ("contract-rummy", "buy a card", "may-I a card"),
    ("gin-rummy", "an unmatched card is worth", "what is deadwood worth"),
    ("contract-rummy", "trade for the wild", "exchange for the wild"),
    ("gin-rummy", "a run of three", "a sequence of 3"),
    ("rummy-500", "turns the corner", "wrap around"),
    ("gin-rummy", "undercut", "undrecut"),
    ("rummy-500", "is QKA a run", "is Q K A a straight"),
    ("canasta", "when is the pile frozen", "when do you freeze the heap"),
]


@pytest.mark.parametrize(("game", "words", "other"), SAME)
def test_players_words_for_the_same_find_the_same(
    game: str, words: str, other: str
) -> None:
    assert rv.search(words, game)[0] == rv.search(other, game)[0]


def test_what_is_in_force_comes_first_then_what_would_change_it() -> None:
    rules = rv.preset("rummy-500")
    found = rv.search("is K A 2 a run", rules)
    kinds = [one.kind for one in found]
    assert kinds == sorted(kinds)  # in force, option
    assert {*kinds} == {"in force", "option"}
    for one in found:
        if one.kind == "option":
            changed = rules.with_options(rv.options()[one.id].example)
            assert statements(changed) != statements(rules)
    assert "R5V-18" in {one.id for one in found}
    cornered = rv.search("is K A 2 a run", rules.with_options("R5V-18"))
    assert cornered[0].rules == ("R5V-18",)
    assert "R5V-18" not in {one.id for one in cornered if one.kind == "option"}


def test_a_row_of_a_table_answers_for_the_ranks_that_it_spans() -> None:
    for rank in ("four", "sevens", "7"):
        found = rv.search(f"what is a {rank} worth", "canasta")
        assert found[0].text == "Three to seven: 5 points."
    assert rv.search("what is a wild ace worth", "rummy-5000")[0].text.endswith(
        " 200."
    ) or ("200 points" in rv.search("what is a wild ace worth", "rummy-5000")[0].text)


@pytest.mark.parametrize(
    ("game", "question"),
    [
        ("rummy-500", "if somebody else has a run can I add to it and who gets points"),
        ("contract-rummy", "can I put down another set after I have my contract"),
        ("gin-rummy", "we both have 5 points after a knock, who wins"),
    ],
)
def test_part_of_a_question_is_no_answer_if_others_have_as_much(
    game: str, question: str
) -> None:
    found = rv.search(question, game)
    assert found
    assert not found.certain


@pytest.mark.parametrize(
    ("game", "question", "says"),
    [
        ("rummy-500", "what is an ace worth?", "Ace: 15 points. Low ace in a run: 1 p"),
        ("rummy-500", "is an ace in A-2-3 worth 1 or 15", "Low ace in a run: 1 point."),
        ("rummy-500", "how many points is 10h", "Two to ten: face value."),
        ("contract-rummy", "when may I lay down", "First round: two sets of three."),
        ("contract-rummy", "contract of the second deal", "Second round: "),
        ("contract-rummy", "can I add on?", "they may lay cards off on any meld"),
        ("gin-rummy", "I knock with 8 and he has 8 too, who scores", "an undercut"),
        ("gin-rummy", "may I go round the corner", "never above the king"),
        ("canasta", "we have two red threes and no melds at the end", "Each red three"),
        ("rummy-5000", "a wild card left in my hand at the end", "others still hold"),
        ("oklahoma-gin", "how high may I knock with an 8 up", "its face value"),
        ("oklahoma-gin", "what if the first card is a spade", "counts twice"),
        ("liverpool-rummy", "how many hands do we play", "A match lasts seven rounds"),
        ("gin-rummy", "nobody knocked and the deck is nearly gone", "last two"),
        ("canasta", "can I put a card on the other team's melds", "only on melds that"),
        ("shanghai-rummy", "how many jokers may be in a set", "holds at most one wild"),
        ("three-thirteen", "can a meld be all wild cards", "wild cards alone are a"),
        ("basic-rummy", "I put down all my cards at once, any bonus?", "going rummy"),
    ],
)
def test_a_case_finds_the_rule_that_decides_it(
    game: str, question: str, says: str
) -> None:
    assert says in rv.search(question, game)[0].text


def test_rules_of_games_come_before_options_and_say_whose_they_are() -> None:
    found = rv.search("calling rummy")
    assert [one.kind for one in found] == ["rule", "rule", "rule", "option"]
    assert str(found[0]).startswith("Calling rummy on the pile [BN-15], a rule of rum")
    assert "No calling of rummy [PGV-P10], an option\n" in str(found)
    for vague in ("sluff", "play something nice"):
        found = rv.search(vague)
        assert not found.certain
        assert len(found) < 7


@pytest.mark.parametrize(
    ("question", "game"),
    [
        ("how many jokers in canasta", "canasta"),
        ("undercut in gin", "gin-rummy"),
        ("500 rummy: going out", "rummy-500"),
        ("going out at Rummy 5000", "rummy-5000"),
        ("may I knock in oklahoma gin?", "oklahoma-gin"),
        ("Oklahoma gin, gin only with an ace", ""),
        ("going out", ""),
    ],
)
def test_a_game_that_a_question_names_is_asked_about(question: str, game: str) -> None:
    assert rv.search(question).game == game


def test_the_name_of_a_game_may_be_a_word_of_the_question() -> None:
    assert rv.search("gin", "gin-rummy").certain
    assert rv.search("canasta", "canasta")[0].kind == "in force"


@pytest.mark.parametrize("rule_id", ["PG-14", "pg-14"])
def test_an_id_finds_what_the_sheet_says_by_it_and_the_rule(rule_id: str) -> None:
    found = rv.search(rule_id, "rummy-5000")
    assert found.certain
    assert found[0].kind == "in force"
    assert "PG-14" in found[0].rules
    assert found[-1].text == rv.rule("PG-14").text
    assert [one.id for one in rv.search(rule_id, "rummy-500")] == ["PG-14"]
    assert [one.id for one in rv.search(rule_id)] == ["PG-14"]


@pytest.mark.parametrize("question", ["big gin", "is there big gin?", "GR-08"])
def test_a_rule_that_the_game_does_not_play_is_said_to_be_elsewhere(
    question: str,
) -> None:
    found = rv.search(question, "gin-rummy-classic")
    assert found.certain
    assert (found[0].kind, found[0].id) == ("elsewhere", "GR-08")
    said = "Not played in gin-rummy-classic:\n\nBig gin [GR-08], a rule of gin-rummy\n"
    assert str(found).startswith(said)
    assert rv.search(question, "gin-rummy")[0].kind == "in force"


@pytest.mark.parametrize(
    ("rule_id", "game"),
    [("BN-06", "rummy-500"), ("RV-07", "rummy-500"), ("GR-02", "gin-rummy-classic")],
)
def test_a_rule_of_the_game_or_of_every_game_is_not(rule_id: str, game: str) -> None:
    assert "elsewhere" not in {one.kind for one in rv.search(rule_id, game)}


@pytest.mark.parametrize("words", ["joker", "trade joker", "swap the joker", "wild"])
def test_an_option_about_wilds_is_found_by_other_words_for_them(words: str) -> None:
    assert "PGV-P4" in rv.options(words)
    assert "PGV-P4" in rv.options(words, "rummy-500")


def test_a_title_is_found_first_without_a_game() -> None:
    for rule_id in ("PGV-P4", "BR-07", "GRV-02", "CON-13"):
        assert rv.search(rv.rule(rule_id).title)[0].id == rule_id


WRONG = [
    ("", None, "give a question of 1 to 200 characters"),
    ("  ", "rummy-500", "give a question of 1 to 200 characters"),
    ("x" * 201, None, "give a question of 1 to 200 characters"),
    ("gin-rummy", "undercut", "arguments are swapped: write the words first"),
    ("gin-rummy", None, "ask something about it, as in rv.search('going out', 'gin-r"),
    ("PGV-P44", None, "no rule 'PGV-P44'; did you mean 'PGV-P4'?"),
    ("pile", "rumy-500", "no preset 'rumy-500'; did you mean 'rummy-500'?"),
]


@pytest.mark.parametrize(("words", "game", "message"), WRONG)
def test_a_question_that_is_none_is_refused(
    words: str, game: str | None, message: str
) -> None:
    with pytest.raises(rv.errors.RulesError) as caught:
        rv.search(words, game)
    assert message in str(caught.value)


@pytest.mark.parametrize(("words", "game"), [(7, None), ("pile", 7), (None, "george")])
def test_an_argument_of_a_wrong_type_is_named(words: object, game: object) -> None:
    with pytest.raises(TypeError, match="has to be"):
        rv.search(words, game)  # type: ignore[arg-type]


def test_findings_print_as_an_answer_and_are_a_sequence() -> None:
    found = rv.search("may I pick up the whole pile?", "oklahoma-rummy")
    assert repr(found) == str(found) == found.told()
    head, _, first = str(found).split("\n")[:3]
    assert (head, first) == ("In oklahoma-rummy:", "Drawing [OK-02]")
    assert [*found] == list(found[:])
    assert found[-1] in found
    assert found.question == "may I pick up the whole pile?"
    narrow = found.told(44).splitlines()
    assert max(map(len, narrow)) <= 44
    assert " ".join(" ".join(narrow).split()) == " ".join(str(found).split())


# ------------------------------------------------------------------------------ options


def test_options_about_something_are_a_mapping_that_prints_them() -> None:
    found = rv.options("joker")
    about = [one for one in rv.options() if "joker" in rv.rule(one).title.lower()]
    assert {*about} <= {*found} < {*rv.options()}
    assert found["R5V-01"] is rv.options()["R5V-01"]
    assert "No jokers [R5V-01]" in repr(found).splitlines()
    assert next(iter(rv.options("sluff the queen of spades"))) == "OKV-02"


def test_options_for_a_game_are_those_that_go_with_it() -> None:
    goes = {
        one.option.id
        for one in rv.rules.options_for("gin-rummy")
        if one.status == "goes"
    }
    for found in (rv.options("gin-rummy"), rv.options(game=rv.preset("gin-rummy"))):
        assert {*found} == goes
    about = rv.options("undercut", "gin-rummy")
    assert {"GRV-02"} <= {*about} <= goes & {*rv.options("undercut")}
    with pytest.raises(rv.errors.RulesError, match="arguments are swapped"):
        rv.options("gin-rummy", "undercut")
    with pytest.raises(TypeError, match="game is 7, but has to be"):
        rv.options(game=7)  # type: ignore[arg-type]


def test_options_about_nothing_are_none() -> None:
    assert dict(rv.options("xqzxq")) == {}
    assert repr(rv.options("xqzxq")) == "nothing"


# ------------------------------------------------------------------------ the machinery


def test_every_phrase_of_the_table_is_one_that_can_be_found() -> None:
    groups = packaged_table("data", "synonyms.toml")["same"]
    for group in groups:
        assert len({tuple(stems(one)) for one in group}) > 1, group
        assert all(stems(one) for one in group), group


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("trade", "trades traded trading"),
        ("drop", "drops dropped dropping"),
        ("lay", "lays laid laying"),
        ("carry", "carries carried"),
        ("ace", "aces"),
        ("six", "sixes 6"),
        ("king", "kings"),
        ("go", "goes going gone went"),
    ],
)
def test_forms_of_a_word_have_one_stem(word: str, forms: str) -> None:
    assert {stem(one) for one in forms.split()} == {stem(word)}


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("is K A 2 a run", "is king ace 2 a run"),
        ("is QKA a run", "is queen king ace a run"),
        ("A run of K", "A run of king"),
        ("may I lay 7h 8h 10c", "may I lay"),
        ("a may-I", "a buying"),
        ("what is Qs worth", "what is queen worth"),
        ("can I add on", "can I lay off"),
        ("the contract of the 2nd deal", "the contract of the second round"),
        ("an ace in A-2-3", "an ace in low ace 3"),
        ("is K-A-2 a run", "is king ace 2 a run"),
    ],
)
def test_ranks_and_cards_are_read(question: str, read: str) -> None:
    assert spelled(question) == read


def test_rare_words_and_short_texts_weigh_more() -> None:
    texts = ["a red rose", "a red house", "a red house " + "with many windows " * 20]
    ranking = Ranking([Document(((one, 1.0),)) for one in texts])
    assert ranking.best("red rose")[0].place == 0
    assert [one.place for one in ranking.best("house")] == [1, 2]
    assert ranking.best("xqzxq") == []
    assert ranking.best("the") == []
