"""
The sheet says what the library plays: its sentences are held against games.

Each probe reads sentences of a sheet by a pattern, and never a policy value. Tables
have a preset, options, a few values and house rules of the examples at random.
"""

from __future__ import annotations

import itertools
import random
import re
import runpy

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Final

import attrs
import pytest

import rummyvariants as rv

from places import EXAMPLES
from rummyvariants._support.words import number
from rummyvariants.house import rules as house
from rummyvariants.house.facts import Turn
from rummyvariants.rules.sheet import sheet


EXAMPLES: Final = EXAMPLES / "rules"
BEYOND: Final = {"dealers_choice", "forcing", "mixed_runs", "thirteen_wins"}
"""Rules that change a deal or end a match, or do not go with all these tables."""
NUMBERS: Final = {number(value): value for value in range(13)}
N: Final = rf"({'|'.join(NUMBERS)}|\d+)"
RANKS: Final = {
    name: letter
    for letters, names in (
        ("23456789T", "two three four five six seven eight nine ten"),
        ("JQKA*", "jack queen king ace joker"),
    )
    for letter, name in zip(letters, names.split(), strict=True)
}


def registered() -> dict[Any, Any]:
    """
    The house rules of the examples, as a registry of their own.
    """
    kept, house._RULES = house._RULES, {}
    try:
        for path in sorted(EXAMPLES.glob("*.py")):
            runpy.run_path(str(path), run_name=path.stem)
        return house._RULES
    finally:
        house._RULES = kept


EVERY: Final = registered()
HOUSE: Final = {at: one for at, one in EVERY.items() if one.__module__ not in BEYOND}
EVERY.update(house._RULES)


@pytest.fixture(autouse=True)
def _house(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "_RULES", EVERY)


PHASES: Final = {"offer", "draw", "play"}
"""The phases of a turn."""


def figure(word: str) -> int:
    return NUMBERS[word] if word in NUMBERS else int(word)


# ----------------------------------------------------------------------- the tables


@attrs.frozen
class Change:
    """
    An action with the states around it.
    """

    before: rv.State
    action: rv.Action
    after: rv.State

    @property
    def seat(self) -> int:
        found = self.action.seat
        return self.before.turn if found is None else found


@attrs.frozen(slots=False)
class Played:
    """
    A table, what its sheet says, and a game by its rules.

    Attributes:
        rules: The rules.
        players: How many play.
        seed: What the deals and the choices depend on.
        length: How many actions are played.
        said: The rules whose sheet is read.
    """

    rules: rv.Ruleset
    players: int
    seed: int
    length: int
    said: rv.Ruleset = attrs.field(
        default=attrs.Factory(lambda it: it.rules, takes_self=True)
    )

    @cached_property
    def sections(self) -> dict[str, str]:
        return {
            part.title: " ".join(one.text for one in part.paragraphs)
            for part in sheet(self.said)
        }

    @cached_property
    def text(self) -> str:
        return " ".join(self.sections.values())

    @cached_property
    def rows(self) -> list[tuple[str, str]]:
        return [
            (row.label, row.value)
            for part in sheet(self.said)
            for one in part.paragraphs
            for row in one.rows
            if one.columns == ("card", "points")
        ]

    @cached_property
    def dealt(self) -> rv.State:
        state = rv.game.begin(self.rules, self.players, seed=self.seed)
        state = rv.game.deal(state)
        while state.to_act and isinstance(
            rv.legal_actions(state)[0], rv.actions.Choose
        ):
            state = rv.apply(state, rv.legal_actions(state)[0])
        return state

    @cached_property
    def changes(self) -> list[Change]:
        chance = random.Random(self.seed)
        state, found = self.dealt, []
        while len(found) < self.length and not state.is_over:
            if state.phase == "deal":
                action: rv.Action = rv.game.next_deal(state)
            else:
                action = rv.legal_actions(state).sample(chance)
            found.append(Change(state, action, rv.apply(state, action)))
            state = found[-1].after
        return found

    def of(self, *kinds: type) -> Iterator[Change]:
        return (one for one in self.changes if isinstance(one.action, kinds))

    @cached_property
    def turns(self) -> list[list[Change]]:
        """
        The changes of each turn that began in the game.
        """
        found = itertools.groupby(
            (one for one in self.changes if one.before.phase in PHASES),
            key=lambda one: (one.before.round_number, one.before.turns, one.seat),
        )
        return [[*some] for (*_, seat), some in found if seat >= 0]

    def find(self, pattern: str, where: str = "") -> re.Match[str] | None:
        return re.search(pattern, self.sections.get(where, "") if where else self.text)


def tables(seed: int) -> rv.Ruleset:
    """
    A table at random.
    """
    chance = random.Random(seed)
    names = [one for one in rv.presets() if one != "canasta" or chance.random() < 0.2]
    rules = rv.preset(names[seed % len(names)])
    changes: list[Callable[[rv.Ruleset], rv.Ruleset]] = []
    options = [one for one in rv.options().values() if one.set or one.argument]
    for option in chance.sample(options, 12):
        changes.append(lambda one, text=option.example: one.with_options(text))
    for values in (
        {"deal.hand_size": chance.randrange(3, 9)},
        {"draw.from_stock": {2: 2}},
        {"meld.a_turn": chance.randrange(1, 3)},
        {"match.target": chance.randrange(10, 60)},
        {"meld.least_run": 4},
        {"match.ends": "after the rounds", "match.rounds": chance.randrange(1, 4)},
        {"draw.take": chance.choice(["the top card", "the whole pile"])},
        {"layoff.onto": "own melds"},
        {"wild.limit": "one"},
        {"discard.keep": ["*", "2c"]},
    ):
        if chance.random() < 0.25:
            changes.append(lambda one, values=values: one.with_values(values))
    for section, name in chance.sample([*HOUSE], chance.randrange(4)):
        rule = {f"{section}.rules": [name]}
        changes.append(lambda one, rule=rule: one.with_values(rule))
    chance.shuffle(changes)
    for change in changes:
        try:
            after = change(rules)
            rv.game.deal(rv.game.begin(after, after.match.players[0], seed=1))
        except rv.errors.RulesError:
            continue
        rules = after
    return rules


# ----------------------------------------------------------------------- the probes


Probe = Callable[[Played], object]
"""What holds sentences against a game; its answer is true if there was a sentence."""
PROBES: dict[str, Probe] = {}


def probe(function: Probe) -> Probe:
    PROBES[function.__name__] = function
    return function


def spans(text: str) -> dict[int, str]:
    """
    What a sentence says for each number of players: ``ten to each of two players and``.
    """
    found = {}
    for many, low, high in re.findall(
        rf"{N}(?: \w+)? (?:\(\d+ cards\) for|to each of|with) {N}(?: (?:or|to) {N})?",
        text,
    ):
        for players in range(figure(low), figure(high or low) + 1):
            found[players] = many
    return found


@probe
def how_many_play(game: Played) -> bool:
    said = game.find(rf"(?i)(?:game is for {N}|^{N})(?: (?:or|to) {N})? players", "")
    if said is None:
        return False
    one, other, last = said.groups()
    low = figure((one or other).lower())
    high = figure(last) if last else low
    allowed = {*range(low, high + 1)}
    few = game.find(r"The deck has enough cards only for ([^.]*) of them")
    if few:
        allowed = set()
        for low, high in re.findall(rf"{N}(?: (?:or|to) {N})?", few[1]):
            allowed |= {*range(figure(low), figure(high or low) + 1)}
    if "The number of players is even" in game.text:
        allowed -= {*range(1, 99, 2)}
    for players in range(1, 10):
        try:
            rv.game.begin(game.rules, players, seed=1)
        except rv.errors.RulesError:
            assert players not in allowed, players
        else:
            assert players in allowed
    return True


def cards_of(state: rv.State) -> Counter[str]:
    found = [*itertools.chain(*state.hands), *state.stock, *state.discards]
    found += [slot.card for meld in state.table for slot in meld.slots]
    found += [card for zone in state.zones for card in zone.cards]
    if state.dealer_wild:
        found += [slot.card for slot in state.dealer_wild.slots]
    if state.dealt.indicator is not None and game_shows(state):
        found.append(state.dealt.indicator)
    return Counter(map(str, found))


def game_shows(state: rv.State) -> bool:
    """
    Whether a card lies under the stock, which is not of it.
    """
    texts = [one.text for part in sheet(state.rules) for one in part.paragraphs]
    return any("put under the stock" in text for text in texts)


@probe
def how_many_cards(game: Played) -> bool:
    cards = cards_of(game.dealt)
    said = game.find(r"The deck is .*?, (\d+) cards in all", "The deck")
    if said:
        assert cards.total() == int(said[1])
    else:
        sizes = {
            players: int(size)
            for size, low, high in re.findall(
                rf"\((\d+) cards\) for {N}(?: (?:or|to) {N})? players",
                game.sections["The deck"],
            )
            for players in range(figure(low), figure(high or low) + 1)
        }
        assert cards.total() == sizes[game.players]
    return True


@probe
def how_many_jokers(game: Played) -> bool:
    cards, text = cards_of(game.dealt), game.sections["The deck"]
    if "There are no jokers." in text or "They are all left out." in text:
        assert not cards["*"]
        return True
    said = re.search(rf"There (?:is|are) {N} jokers? in the deck", text)
    if said:
        assert cards["*"] == figure(said[1])
    return bool(said)


@probe
def which_ranks_are_out(game: Played) -> bool:
    cards, text = cards_of(game.dealt), game.sections["The deck"]
    said = re.search(r"All (\w+?)(?:es|s) are taken out", text)
    letter = RANKS.get(said[1].removesuffix("e") if said else "") or RANKS.get(
        said[1] if said else "", ""
    )
    if letter:
        assert not any(card[0] == letter for card in cards)
    return bool(letter)


def sizes_of(state: rv.State, text: str) -> list[int]:
    """
    The sizes of hands after a deal, without cards that come to them besides.

    Returns:
        Nothing where the sheet does not tell them.
    """
    hands = [*map(len, state.hands)]
    if "face up in front of the dealer" in text or "in addition to the hand" in text:
        return []
    if "begins without a draw" in text:
        hands[state.turn] -= 1
    if "the dealer is dealt one more card" in text:
        hands[state.dealer] -= 1
    return [one for seat, one in enumerate(hands) if seat not in state.eliminated]


@probe
def how_many_are_dealt(game: Played) -> bool:
    text, hands = game.sections["The deal"], sizes_of(game.dealt, game.text)
    if not hands:
        return False
    rule = re.search(rf"At this table: The hands of the first round have {N}", text)
    plain = re.search(rf"face down[,:] {N} to each player", text)
    by_players = re.search(r"singly and face down, ([^.]*\bof\b[^.]*)\.", text)
    if rule:
        wanted = figure(rule[1])
        assert plain is None
        assert by_players is None
    elif plain:
        wanted = figure(plain[1])
    elif by_players:
        wanted = figure(spans(by_players[1])[game.players])
    else:
        return False
    assert {*hands} == {wanted}
    return True


@probe
def hands_grow_by_the_round(game: Played) -> bool:
    rule = game.find(rf"hands of the first round have {N} cards, and each round adds")
    plain = game.find(rf"{N} to each player in the first round, and one more in each")
    said = rule or plain
    most = game.find(rf"up to {N} in the \w+ and all later")
    for one in game.of(rv.actions.Deal) if said else ():
        sizes = {*sizes_of(one.after, game.text)}
        thrown_in = one.after.phase == "deal"
        grown = figure(said[1]) + one.after.round_number - 1
        grown = min(grown, figure(most[1])) if most else grown
        assert not sizes or thrown_in or sizes == {grown}
    return bool(said)


@probe
def whether_a_card_is_turned_up(game: Played) -> bool:
    text, state = game.sections["The deal"], game.dealt
    if "its top card is turned up to begin" in text:
        assert state.discards
    else:
        assert "No card is turned up" in text
        assert not state.discards
        assert state.phase in {"draw", "play"}
    return True


@probe
def who_starts(game: Played) -> bool:
    text, dealt = game.sections["Drawing"], game.dealt
    # Seats are numbered as the turns go.
    by_side = re.search(r"player on the dealer's (left|right) starts", text)
    assert by_side or "The player who did not deal starts" in text
    assert dealt.turn == (dealt.dealer + 1) % game.players
    return True


@probe
def whether_the_upcard_is_offered(game: Played) -> bool:
    legal = {*map(str, rv.legal_actions(game.dealt))}
    if game.find("begins the discard pile is offered to", "Drawing"):
        assert "draw" not in legal
        assert "pass" in legal
    elif game.dealt.phase == "draw":
        first = "Before the first draw each player" in game.text
        assert first or "draw" in legal or "declines it" in game.text
    return True


@probe
def whether_cards_are_wild(game: Played) -> bool:
    text, state = game.sections["Wild cards"], game.dealt
    turn = Turn(state, 0)
    wild = {card for card in cards_of(state) if turn.is_wild(rv.Card(card))}
    if text.startswith("No cards are wild."):
        assert not wild
        return True
    said = re.match(
        r"([^.]*?) (?:is|are) wild in every deal(, and no other card is)?", text
    )
    if said:
        named = re.split(r", | and ", said[1].lower().removeprefix("the "))
        named = [name.removeprefix("the ").partition(" of ")[0] for name in named]
        singular = [name.removesuffix("es").removesuffix("s") for name in named]
        letters = {RANKS[one] for one in singular if one in RANKS}
        if "one-eyed" not in text:
            assert letters
            assert letters <= {card[0] for card in wild} | ({*"*2T"} - {*_faces(state)})
            if said[2]:
                assert {card[0] for card in wild} <= letters
    return bool(said)


def _faces(state: rv.State) -> str:
    return "".join({card[0] for card in cards_of(state)})


@probe
def how_many_are_drawn(game: Played) -> bool:
    text = game.sections["Drawing"]
    rule = re.search(rf"draws from the stock draws {N} cards", text)
    several = re.search(r"A draw from the stock takes ([^.]*)\.", text)
    wanted = 1
    if rule:
        wanted = figure(rule[1])
        assert several is None
    elif several:
        many = re.match(rf"{N} cards?$", several[1])
        more = re.findall(
            rf"{N}(?: cards?)? with {N}(?: (?:or|to) {N})? players", several[1]
        )
        by = {
            players: figure(some)
            for some, low, high in more
            for players in range(figure(low), figure(high or low) + 1)
        }
        wanted = figure(many[1]) if many else by[game.players]
    dead = game.find(rf"The last(?: {N})? cards? of the stock (?:is|are) never drawn")
    left = figure(dead[1] or "one") if dead else 0
    for one in game.of(rv.actions.Draw):
        after, stock = one.after, len(one.before.stock) - left
        if (
            stock > 0
            and one.before.phase == "draw"
            and len(after.history) == (len(one.before.history) + 1)
        ):
            more_cards = len(after.hands[one.seat]) - len(one.before.hands[one.seat])
            floats = bool(one.before.floating and one.seat in one.before.floating)
            ended = after.is_round_over or after.turn != one.seat
            if not floats and not ended:
                aside = len(cards_aside(after)) - len(cards_aside(one.before))
                assert more_cards == min(wanted, stock) or aside, one.action
    return True


def cards_aside(state: rv.State) -> list[rv.Card]:
    return [card for zone in state.zones for card in zone.cards]


@probe
def how_many_are_taken(game: Played) -> bool:
    said = game.find(
        r"takes the top card of the stock, or else (one card or more|the top card|the "
        "whole discard pile)",
        "Drawing",
    )
    for one in game.of(
        rv.actions.Take, rv.actions.TakeAndMeld, rv.actions.TakeAndLayOff
    ):
        count = getattr(one.action, "count", None)
        if said and count is not None and said[1] != "one card or more":
            pile = len(one.before.discards)
            assert count == (1 if said[1] == "the top card" else pile)
    return said is not None


@probe
def how_many_new_melds(game: Played) -> bool:
    rule = game.find(rf"new melds that a player may make in a turn: {N}", "Melds")
    plain = game.find(rf"may make at most {N} new melds? in a turn", "Melds")
    assert not (rule and plain)
    said = rule or plain
    if said:
        for turn in game.turns:
            # Cards laid with wilds that lie alone, or on the dealer's, make no new one.
            assert sum(_made(one) for one in turn) <= figure(said[1])
    return bool(said)


def _made(one: Change) -> int:
    if not isinstance(
        one.action, (rv.actions.NewMeld, rv.actions.NewMelds, rv.actions.TakeAndMeld)
    ):
        return 0
    return sum(meld.kind != "wild" for meld in one.after.table) - sum(
        meld.kind != "wild" for meld in one.before.table
    )


@probe
def how_long_melds_are(game: Played) -> bool:
    text = game.sections["Melds"]
    a_set = re.search(rf"(?:a set,|Only sets are melded:) {N} or more", text)
    a_run = re.search(rf"(?:a run,|Only runs are melded:) {N} or more", text)
    for kind, said in (("set", a_set), ("run", a_run)):
        for state in game.changes[-1:] if game.changes else []:
            sizes = [len(one) for one in state.after.table if str(one.kind) == kind]
            assert said or not sizes
            assert not said or not sizes or min(sizes) >= figure(said[1])
    return bool(a_set or a_run)


@probe
def which_kinds_of_melds_there_are(game: Played) -> bool:
    """
    Melds of wild cards, of identical ones and beside the dealer's wild are left out.
    """
    text = game.sections["Melds"]
    said = re.search(r"(?:A meld is|Only \w+ are melded:) [^.]*", text)
    if not said:
        return False
    more = re.search(r"by a rule of this table, ([^.]*)", said[0])
    named = [one[2:] for one in re.split(", | or ", more[1])] if more else []
    known = {"set", "run", "wild", "wilds", "alike", *named}
    natural = "holds no wild card" in text
    for one in game.changes[-1:]:
        turn = Turn(one.after, 0)
        for meld in one.after.table:
            assert str(meld.kind) in known
            wild = any(turn.is_wild(slot.card) for slot in meld.slots)
            assert not (wild and natural and meld.kind in named)
    return True


@probe
def who_is_out(game: Played) -> bool:
    said = game.find(
        r"out when no card is left in the hand, whether[^.]*\. That ends the round\."
        "(?! At this table)",
        "Going out",
    )
    for one in game.changes if said else ():
        if isinstance(
            one.action, (rv.actions.NewMeld, rv.actions.LayOff, rv.actions.Discard)
        ):
            card = getattr(one.action, "card", None)
            played = 1 if card else len(one.action.cards)
            last = played == len(one.before.hands[one.seat])
            assert not last or one.after.is_round_over, one.action
    return bool(said)


@probe
def how_many_wilds_a_meld_holds(game: Played) -> bool:
    one_only = "A meld never holds more than one wild card." in game.text
    even = "A meld holds no more wilds than natural cards." in game.text
    assert not (one_only and even)
    if "stands for itself" in game.text or "wild cards alone are" in game.text:
        return False
    for change in game.changes[-1:]:
        turn = Turn(change.after, 0)
        for meld in change.after.table:
            wilds = sum(turn.is_wild(slot.card) for slot in meld.slots)
            assert not one_only or wilds <= 1
            assert not even or wilds <= len(meld) - wilds
    return one_only or even


@probe
def whose_melds_are_laid_off_on(game: Played) -> bool:
    text = game.sections.get("Laying off", "")
    own = "only on their own melds" in text
    left = "on the melds of the left neighbour alone" in text
    assert not (own and left)
    for one in game.of(rv.actions.LayOff):
        if not one.action.meld:
            continue  # it is the dealer's wild
        maker = one.before.table[one.action.meld - 1].maker
        if own:
            assert maker == one.seat
        if left:
            assert maker == (one.seat + 1) % game.players
        if "Once a player has made a meld, they may lay" in text:
            side = next((some for some in one.before.sides if one.seat in some), ())
            assert any(map(one.before.has_meld, [one.seat, *side]))
    return own or left or "any meld on the table, whoever made it" in text


@probe
def whether_rummy_is_called(game: Played) -> bool:
    if "Nobody may call rummy" in game.text:
        assert not [*game.of(rv.actions.CallRummy)]
        return True
    return False


@probe
def how_many_discards_end_a_turn(game: Played) -> bool:
    text = game.sections["Discarding"]
    rule = re.search(
        rf"took from the discard pile ends the turn with {N} discards", text
    )
    for turn in game.turns:
        made = sum(isinstance(one.action, rv.actions.Discard) for one in turn)
        took = any(
            isinstance(one.action, (rv.actions.Take, rv.actions.TakeAndMeld))
            for one in turn
        )
        assert made <= (figure(rule[1]) if rule and took else 1)
    return True


@probe
def what_is_never_discarded(game: Played) -> bool:
    jokers = re.search(r"A joker and the two of clubs are never discarded", game.text)
    aces = "No ace is discarded while other cards are left" in game.text
    if "leaves no way to finish it, any card may be discarded" in game.text and (
        re.search(r"drawn from the stock must be \w+, laid", game.text)
    ):
        return False
    for one in game.of(rv.actions.Discard):
        hand, card = one.before.hands[one.seat], str(one.action.card)
        forced = all(
            str(legal).startswith("discard") for legal in rv.legal_actions(one.before)
        )
        if aces and card[0] == "A" and not forced:
            assert {str(other)[0] for other in hand} == {"A"}
        if jokers and card in {"*", "2c"} and not forced:
            assert len(hand) == 1
    return aces or bool(jokers)


@probe
def what_stays_in_the_stock(game: Played) -> bool:
    said = game.find(rf"The last {N} cards of the stock are never drawn")
    if said:
        for one in game.changes:
            assert len(one.after.stock) >= figure(said[1]) or one.after.result is None
    return bool(said)


@probe
def what_cards_left_in_a_hand_count(game: Played) -> bool:
    worth: dict[str, set[int]] = {}
    for label, value in game.rows:
        for letter in _labelled(label):
            points = _face(letter) if value == "face value" else int(value)
            worth.setdefault(letter, set()).add(points)
    special = "Left in a hand," in game.text or any(
        " of " in label or "wild" in label.lower() for label, _ in game.rows
    )
    if special or not worth:
        return False
    for one in game.changes:
        for item in one.after.result.items if one.after.result else ():
            if item.card is not None and item.reason.startswith("left in the hand"):
                assert abs(item.points) in worth.get(str(item.card)[0], {0}), item
    return True


def _labelled(label: str) -> str:
    """
    The ranks of a row: ``Two to nine and king``.
    """
    if "low" in label.lower():
        return ""
    order, found = "23456789TJQKA*", ""
    for part in re.split(r", | and ", label.lower()):
        low, _, high = part.partition(" to ")
        if low not in RANKS:
            return ""
        at = order.index(RANKS[low])
        found += order[at : order.index(RANKS[high or low]) + 1]
    return found


def _face(letter: str) -> int:
    return "23456789T".index(letter) + 2


@probe
def when_the_match_is_over(game: Played) -> bool:
    text = game.sections["The match"]
    target = re.search(r"^When a round is over and somebody has (\d+) points or", text)
    rounds = re.search(rf"The match is over after {N} rounds?, and no sooner", text)
    single = "The match is over after one round." in text
    tie = "more rounds are played until" in text
    left = re.search(r"A player above (\d+) points is out of the match", text)
    assert not (left and (target or rounds or single))
    for one in game.changes:
        after = one.after
        if not after.is_round_over or after.result is None or after.phase == "rejoin":
            continue
        if target and "no more than" not in game.text and not tie:
            assert bool(after.winners) == (max(after.scores) >= int(target[1]))
        if (rounds or single) and not (tie or "The last one left wins" in text):
            played = figure(rounds[1]) if rounds else 1
            ends = any(after.result.points) or "If nobody scores in" not in text
            last = after.round_number >= played and ends
            assert bool(after.winners) == last
        if left:
            out = {at for at, had in enumerate(after.scores) if had > int(left[1])}
            assert out <= {*after.eliminated}
    return bool(target or rounds or single or left)


@probe
def who_deals_next(game: Played) -> bool:
    said = r"After every round the deal passes to the left\.(?! At this table)"
    if not game.find(said):
        return False
    for one in game.of(rv.actions.Deal):
        again = one.before.round_number == one.after.round_number
        if not (one.before.eliminated or again):
            assert one.after.dealer == (one.before.dealer + 1) % game.players
    return True


@probe
def what_a_house_rule_says_is_said_once(game: Played) -> bool:
    table = [
        rule
        for path, rule in game.rules.house
        if ".rules." in path and rule.id not in rv.rules.catalogue()
    ]
    for rule in table:
        assert game.text.count(f"At this table: {rule.describe()}") == 1
    assert game.text.count("At this table: ") == len(table)
    return bool(table)


# ----------------------------------------------------------------------- the sweeps


RARE: Final = {
    *("hands_grow_by_the_round", "how_many_wilds_a_meld_holds", "who_deals_next")
}
"""Probes whose sentences may be on none of a hundred sheets."""
QUICK: Final = 40
LONG: Final = 1_240


def look(seed: int, length: int) -> dict[str, bool]:
    """
    Hold one table against its sheet.

    Returns:
        By the name of each probe, whether the sheet has a sentence for it.
    """
    rules = tables(seed)
    low, high = rules.match.players
    allowed = [
        players for players in range(low, high + 1) if rules.match.makes_sides(players)
    ]
    game = Played(rules, random.Random(seed).choice(allowed), seed, length)
    try:
        if not game.dealt.to_act:
            return {}  # the deal alone has ended the match
    except rv.errors.RulesError as error:
        assert "RV-02" in error.rules or "hand_size" in str(error)
        return {}
    return {name: bool(one(game)) for name, one in PROBES.items()}


@pytest.mark.parametrize("part", range(4))
def test_what_the_sheet_says_is_played(part: int) -> None:
    for seed in range(part, QUICK, 4):
        look(seed, 60)


@pytest.mark.long
@pytest.mark.parametrize("part", range(12))
def test_what_the_sheet_says_is_played_at_many_tables(part: int) -> None:
    found: Counter[str] = Counter()
    for seed in range(QUICK + part, LONG, 12):
        found.update({name: said for name, said in look(seed, 200).items() if said})
    assert {*PROBES} - {*found} <= RARE


@pytest.mark.parametrize(
    ("name", "values", "base"),
    [
        ("how_many_play", {"match.players": [2, 5]}, "rummy-500"),
        ("how_many_cards", {"deck.packs": {2: 2}}, "rummy-500"),
        ("how_many_jokers", {"deck.jokers": 0}, "rummy-500"),
        ("which_ranks_are_out", {"deck.ranks": "A3456789TJQK"}, "rummy-500"),
        ("how_many_are_dealt", {"deal.hand_size": 6}, "rummy-500"),
        ("how_many_are_dealt", {"deal.rules": ["growing hands"]}, "rummy-500"),
        ("hands_grow_by_the_round", {"deal.by_round": {1: 4, 2: 5, 3: 6, 4: 7}}, ""),
        (
            "whether_a_card_is_turned_up",
            {"deal.first_discard": "by the first player"},
            "rummy-500",
        ),
        ("whether_the_upcard_is_offered", {"draw.first_upcard": "offered"}, ""),
        ("whether_cards_are_wild", {"wild.twos": True}, "rummy-500"),
        ("how_many_are_drawn", {"draw.from_stock": 2}, "rummy-500"),
        ("how_many_are_drawn", {"draw.rules": ["two from the stock"]}, "rummy-500"),
        ("how_many_are_taken", {"draw.take": "the top card"}, "rummy-500"),
        ("how_many_new_melds", {"meld.a_turn": 1}, "rummy-500"),
        ("how_many_new_melds", {"meld.rules": ["new melds a turn"]}, "rummy-500"),
        ("how_long_melds_are", {"meld.least_set": 4}, "rummy-500"),
        ("which_kinds_of_melds_there_are", {"meld.rules": []}, "mixed runs"),
        ("who_is_out", {"out.rules": []}, "second hand"),
        ("how_many_wilds_a_meld_holds", {"wild.limit": "one"}, "rummy-500"),
        ("whose_melds_are_laid_off_on", {"layoff.onto": "own melds"}, "rummy-500"),
        ("whether_rummy_is_called", {"call.calls": "none"}, "rummy-500"),
        ("what_is_never_discarded", {"discard.keep": ["*", "2c"]}, "rummy-500"),
        ("what_is_never_discarded", {"discard.rules": ["aces are kept"]}, "rummy-500"),
        ("what_stays_in_the_stock", {"stock.dead": 9}, "rummy-500"),
        ("what_cards_left_in_a_hand_count", {"score.points": {"K": 99}}, "rummy-500"),
        ("when_the_match_is_over", {"match.target": 5}, "rummy-500"),
        ("who_deals_next", {"match.rotation": "left"}, "oklahoma-rummy"),
    ],
)
def test_a_probe_notices_a_sheet_that_is_wrong(
    name: str, values: dict[str, Any], base: str
) -> None:
    """
    The sheet of other rules does not pass for that of the rules played.
    """
    section, added = next(((at, one) for at, one in EVERY if one == base), ("", ""))
    game = "rummy-500" if added else base or "three-thirteen"
    rules = rv.preset(game).with_values({"wild.jokers": True})
    if added:
        small = {"deck.packs": {2: 2}, "deal.hand_size": 4, "deal.for_two": 4}
        rules = rules.with_values({f"{section}.rules": [added], **small})
    said = rules.with_values(values)
    for seed in range(30):
        for players in (2, 3, 4):
            PROBES[name](Played(rules, players, seed, 150))
            try:
                PROBES[name](Played(rules, players, seed, 150, said))
            except AssertionError:
                return
    pytest.fail(f"{name} notices nothing")
