"""Pictures are well-formed, say what they show, and show no secret."""

from __future__ import annotations

import itertools
import random
import re

from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from hypothesis import given, settings
from hypothesis import strategies as st

import rummyvariants as rv

from rummyvariants import svg
from strategies import any_action, faces, few_played, games


SVG = "{http://www.w3.org/2000/svg}"
SUITS = {
    "c": "clubs",
    "d": "diamonds",
    "h": "hearts",
    "s": "spades",
    "x": "stars",
}
WORDS = "ace two three four five six seven eight nine ten jack queen king"
RANKS = dict(zip("A23456789TJQK", WORDS.split(), strict=True))
DECK = [*(rank + suit for suit in SUITS for rank in RANKS), "*"]


def said(card: str) -> str:
    """
    A card in words.
    """
    if card == "*":
        return "joker"
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}" if card[1:] else RANKS[card[0]]


def parsed(picture: str) -> ET.Element:
    """
    A picture as a tree; it fails if it is not well-formed.
    """
    root = ET.fromstring(picture)  # noqa: S314 -- our own
    assert root.tag == f"{SVG}svg"
    return root


def titles(root: ET.Element) -> list[str]:
    """
    What the groups of a picture are called, in order.
    """
    return [group.findtext(f"{SVG}title", "") for group in root.iter(f"{SVG}g")]


def cards_of(root: ET.Element) -> list[str]:
    """
    The names of the cards that are drawn.
    """
    return [one for one in titles(root) if one]


@pytest.mark.parametrize("card", DECK)
def test_a_card_says_its_name(card: str) -> None:
    root = parsed(svg.card(card))
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == said(card)
    assert svg.card(rv.Card(card)) == svg.card(card) == svg.hand([card])


def test_cards_differ_in_more_than_colours_and_names() -> None:
    shapes = {
        re.sub(r"<title>[^<]*</title>|class=\S+|color=\S+", "", svg.card(one))
        for one in DECK
    }
    assert len(shapes) == len(DECK)


def test_red_and_black_or_four_colours() -> None:
    def colours(*, four: bool) -> list[str]:
        cards = [svg.card(f"9{suit}", four_colours=four) for suit in SUITS]
        return [re.findall(r' color="([^"]+)"', one)[0] for one in cards]

    clubs, diamonds, hearts, spades, stars = colours(four=False)
    assert clubs == spades != hearts == diamonds
    assert stars not in {clubs, hearts}
    assert len({*colours(four=True)}) == 5


@given(few_played)
def test_a_meld_says_what_its_wilds_stand_for(
    cards: tuple[rv.melds.Played, ...],
) -> None:
    root = parsed(svg.meld(cards))
    drawn = cards_of(root)
    assert len(drawn) == len(cards)
    for name, one in zip(drawn, cards, strict=True):
        own = said(str(one.card))
        place = said(str(one.stands_for)) if one.stands_for else ""
        if place == own:
            assert name == f"{own}, wild"
        else:
            assert name == (f"{own} as {place}" if place else own)
        assert name in (root[0].text or "")
    assert parsed(svg.meld(" ".join(map(str, cards)))) is not None
    assert svg.meld(" ".join(map(str, cards))) == svg.meld(cards)


@given(faces, faces)
def test_what_a_wild_stands_for_is_seen_even_if_covered(
    wild: rv.Card, next_one: rv.Card
) -> None:
    def strip(text: str) -> str:
        return re.sub("<title>[^<]*</title>", "", svg.meld(text))

    seen = {strip(f"{wild}={place} {next_one}") for place in DECK[:-1]}
    assert len({*seen, strip(f"{wild} {next_one}")}) == len(DECK)


def test_hands_keep_their_order_and_hidden_cards_face_down() -> None:
    root = parsed(svg.hand("9h 2c, ??"))
    hidden = "a card face down"
    assert cards_of(root) == ["nine of hearts", "two of clubs", hidden]
    assert root[0].text == f"nine of hearts, two of clubs and {hidden}"
    assert cards_of(parsed(svg.hand(rv.Cards("9h 2c")))) == [
        "two of clubs",
        "nine of hearts",
    ]
    assert parsed(svg.back())[0].text == hidden
    assert svg.back() == svg.card("??")


def test_an_empty_hand_is_an_outline() -> None:
    root = parsed(svg.hand(""))
    assert root[0].text == "no cards"
    assert len(root) == 2


def test_a_card_beside_a_wild_follows_it_and_lies_lower() -> None:
    state = rv.position(
        "rummy-5000",
        hands={"Ann": "8h Kc Js", "Ben": "2c", "Cleo": "2d"},
        table=["Ann: 7h 4c=8h 9h"],
        wild="4",
        phase="play",
        turn="Ann",
        drawn="stock 8h",
    )
    (meld,) = rv.apply(state, "lay 8h on 1").table
    assert meld.beside
    root = parsed(svg.meld(meld))
    assert cards_of(root) == [
        *("seven of hearts", "four of clubs as eight of hearts"),
        *("eight of hearts", "nine of hearts"),
    ]
    _, _, wide, high = map(float, root.attrib["viewBox"].split())
    corners = dict(zip(cards_of(root), corners_of(root), strict=True))
    assert corners["eight of hearts"][1] > corners["nine of hearts"][1] == 0
    assert all(x + 100 <= wide and y + 140 <= high for x, y in corners.values())


def corners_of(root: ET.Element) -> Iterator[tuple[float, float]]:
    """
    Where the cards of a row are.
    """
    yield from map(place, root.findall(f"{SVG}g"))


def place(group: ET.Element) -> tuple[float, float]:
    """
    Where a group is moved to.
    """
    moved = group.get("transform", "translate(0 0)")
    ((x, y),) = re.findall(r"^translate\((\S+) (\S+)\)", moved)
    return float(x), float(y)


def test_heights() -> None:
    root = parsed(svg.card("9c", height=40))
    assert float(root.attrib["height"]) == 40
    assert float(root.attrib["width"]) == pytest.approx(40 * 5 / 7, abs=0.01)
    assert float(parsed(svg.hand("9c 8c", height=70)).attrib["height"]) == 70


def test_a_sprite_has_every_card_once() -> None:
    root = parsed(svg.sprite())
    assert root.get("aria-hidden") == "true"
    symbols = {one.attrib["id"]: one for one in root}
    assert {*symbols} == {f"card-{one}" for one in (*DECK, "back")}
    for name, symbol in symbols.items():
        assert symbol.attrib["viewBox"] == "0 0 100 140"
        text = name.removeprefix("card-")
        expected = "a card face down" if text == "back" else said(text)
        assert cards_of(symbol) == [expected]
    few = parsed(svg.sprite("9c 9c *"))
    assert [one.attrib["id"] for one in few] == ["card-9c", "card-*", "card-back"]


def test_pictures_hold_nothing_that_a_page_must_not_have_twice() -> None:
    state = rv.new_game("rummy-500", 2, seed=1)
    for one in (svg.card("*=8h"), svg.hand(state.hands[0]), svg.back()):
        assert not re.search(r"\bid=|href|url\(|<style|<script", one)


def test_a_notebook_shows_pictures() -> None:
    picture = svg.card("9c")
    assert isinstance(picture, str)
    assert type(picture._repr_svg_()) is str
    assert picture._repr_svg_() == picture


# ---------------------------------------------------------------------------- views


def drawn_face(name: str) -> str:
    """
    The face of a card from its name in a picture, without what it stands for.
    """
    return name.partition(" as ")[0].removesuffix(", wild")


def groups_of(picture: str) -> dict[str, list[str]]:
    """
    The cards of the picture of a view, by the title of their group.
    """
    return {
        group.findtext(f"{SVG}title", ""): [
            drawn_face(one) for one in cards_of(group)[1:]
        ]
        for group in parsed(picture).iter(f"{SVG}g")
        if group.get("role") == "img"
    }


@pytest.mark.parametrize("name", rv.presets())
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_a_view_shows_what_the_seat_knows_and_no_more(
    name: str, data: st.DataObject
) -> None:
    state = data.draw(games(st.just(rv.preset(name)))).play()
    for seat in (None, *range(len(state.players))):
        seen = rv.view(state, seat)
        groups = groups_of(svg.view(seen))
        drawn = Counter(itertools.chain(*groups.values()))
        hidden = "a card face down"
        apart = [one for _, _, cards in seen.apart for one in cards]
        known: Iterator[rv.Card | None] = itertools.chain(
            *seen.known,
            *(meld.cards for meld in seen.table),
            () if seen.dealer_wild is None else seen.dealer_wild.cards,
            seen.discards,
            seen.drawn,
            apart,
        )
        expected = Counter(said(str(one)) for one in known if one is not None)
        expected[hidden] = sum(seen.hand_sizes) - sum(map(len, seen.known))
        expected[hidden] += bool(state.stock) + apart.count(None)
        assert drawn == +expected
        if seat is not None and not state.is_round_over:
            mine = [said(str(one)) for one in state.hands[seat]]
            assert mine in groups.values()


@pytest.mark.parametrize("name", rv.presets())
def test_what_is_drawn_stays_in_the_picture(name: str) -> None:
    rules = rv.preset(name)
    state = rv.new_game(rules, max(rules.match.players[0], 2), seed=5)
    rng = random.Random(5)
    for _ in range(60):
        if state.phase == "deal":
            state = rv.game.deal(state)
        if state.is_over:
            break
        state = rv.apply(state, any_action(state, rng))
    root = parsed(svg.view(rv.view(state, 0)))
    _, _, wide, high = map(float, root.attrib["viewBox"].split())
    for group in root.iter(f"{SVG}g"):
        if group.get("role") != "img":
            continue
        left, top = place(group)
        inner = group.find(f"{SVG}g")
        assert inner is not None
        scale = float(re.findall(r"scale\((\S+)\)", inner.attrib["transform"])[0])
        for x, y in corners_of(inner):
            assert 0 <= left <= wide - (x + 100) * scale
            assert 0 <= top <= high - 20 - (y + 140) * scale


def test_a_huge_hand_and_long_names_are_broken_into_lines() -> None:
    names = ["W" * 199, "\N{CJK UNIFIED IDEOGRAPH-4E00}" * 150, "Cleo" * 20]
    state = rv.position(
        "rummy-500",
        hands=dict(zip(names, ("2c", "3c", "4c"), strict=True)),
        discards=" ".join(DECK[4:50]),
        stock="Qs Ks",
    )
    picture = svg.view(rv.view(state, 0))
    assert "…" in picture
    corners = {
        y
        for group in parsed(picture).iter(f"{SVG}g")
        if group.get("transform", "").startswith("translate(0 20)")
        for _, y in corners_of(group)
    }
    assert len(corners) > 1
    for line in parsed(picture).iter(f"{SVG}text"):
        assert len(line.text or "") < 130


def test_what_players_write_is_text() -> None:
    names = ["<script>&\"'", "a \ufffe b", "]]>"]
    state = rv.new_game("rummy-500", names, seed=3)
    picture = svg.view(rv.view(state, 0))
    root = parsed(picture)
    texts = [one.text or "" for one in root.iter(f"{SVG}text")]
    for name in (names[0], "a \ufffd b", names[2]):
        assert any(one.startswith(name) for one in texts)
    assert "seen by <script>&\"'" in (root[0].text or "")
    assert "<script" not in picture


def test_a_picture_of_a_view_is_said_and_drawn_the_same_each_time() -> None:
    state = rv.new_game("rummy-500", 3, seed=3)
    seen = rv.view(state, 1)
    root = parsed(svg.view(seen))
    assert root.get("role") == "group"
    assert root[0].text == "Rummy 500, round 1, seen by player 1"
    assert svg.view(seen) == svg.view(rv.view(state, 1)) == seen._repr_html_()
    assert "seen by a spectator" in svg.view(rv.view(state))
    assert not re.search(r"\bid=|href|url\(|<style|<script", svg.view(seen))


def test_how_many_legal_actions_are_listed() -> None:
    state = rv.new_game("rummy-500", 3, seed=3)
    seen = rv.view(state, state.to_act[0])
    assert "Legal: draw, take 1<" in svg.view(seen)
    assert "Legal: draw, and more<" in svg.view(seen, legal=1)
    assert "Legal" not in svg.view(seen, legal=0)
    waiting = next(one for one in range(3) if one not in state.to_act)
    assert "Legal" not in svg.view(rv.view(state, waiting))
    for wrong in (-1, None, "2", 1.5):
        with pytest.raises(svg.PictureError, match="is no number of legal actions"):
            svg.view(seen, legal=wrong)


def test_a_state_is_not_drawn() -> None:
    state: Any = rv.new_game("rummy-500", 3, seed=3)
    with pytest.raises(svg.PictureError, match="is not a view") as caught:
        svg.view(state)
    assert str(state.hands[0]) not in str(caught.value)


WRONG: dict[str, tuple[Any, Any, str]] = {
    "a card": (svg.card, "9y", "'9y' is not a card"),
    "a card of another type": (svg.card, 9, "9 is not a card"),
    "no card": (svg.card, "", "'' is not a card"),
    "two cards": (svg.card, "9c 9d", "'9c 9d' is not a card"),
    "a place": (svg.card, "*=zz", "cannot stand for 'zz'"),
    "a hand": (svg.hand, "9c 9y", "'9y' is not a card"),
    "a hand of another type": (svg.hand, None, "None is not a text with cards"),
    "a card of a hand": (svg.hand, ["9c", None], "None is not a card"),
    "a meld": (svg.meld, 3, "3 is not a text with cards"),
    "a sprite": (svg.sprite, ["*=8h"], "'*=8h' is not a card"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_card_is_named(name: str) -> None:
    draw, wrong, message = WRONG[name]
    with pytest.raises(rv.errors.ParseError, match=re.escape(message)):
        draw(wrong)


@pytest.mark.parametrize(
    "height", [0, -1, float("nan"), float("inf"), "40", True, None, 10**400]
)
def test_heights_that_make_no_sense_are_refused(height: Any) -> None:
    with pytest.raises(svg.PictureError, match="is no height for a card"):
        svg.back(height=height)
    with pytest.raises(svg.PictureError, match="is no height for a card"):
        svg.hand("9c", height=height)


def test_pictures_are_the_same_each_time() -> None:
    cards = itertools.cycle(DECK)
    text = " ".join(itertools.islice(cards, 80))
    assert svg.hand(text) == svg.hand(text)
    assert svg.sprite() == svg.sprite()
