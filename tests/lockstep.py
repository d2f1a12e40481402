"""
Gin in lock step with OpenSpiel: the same deals, and at every decision the same choices.

``python tests/lockstep.py --games 1000`` needs the dependency group ``lockstep``. It
plays random games on both sides at once, compares what is legal and what the hands come
to, and counts where the two are known to differ; anything else that differs is a
failure. ``--cases`` shows each known difference by a position.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

import attrs
import pyspiel

import rummyvariants as rv

from rummyvariants.bots import heuristic
from rummyvariants.melds._deadwood import (
    fewest_points,
    least_unmatched,
    worth_of,
)
from rummyvariants.melds._looks import melds_in
from rummyvariants.rules._ruleset import Ruleset


UPCARD: Final = pyspiel.gin_rummy.DRAW_UPCARD_ACTION
STOCK: Final = pyspiel.gin_rummy.DRAW_STOCK_ACTION
PASS: Final = pyspiel.gin_rummy.PASS_ACTION
KNOCK: Final = pyspiel.gin_rummy.KNOCK_ACTION
MELDS: Final = pyspiel.gin_rummy.MELD_ACTION_BASE
LONGEST: Final = 5
"""The most cards of a run that OpenSpiel names as one meld."""

KNOWN: Final = {
    "eleven cards": "OpenSpiel does not always find the least deadwood that a discard "
    "can leave, so it misses some knocks.",
    "long runs": "OpenSpiel does not treat a run of six or more cards as one meld.",
    "third lay-off": "OpenSpiel lays off at most two cards at one end of a run.",
    "two places": "In OpenSpiel a card that was laid off counts as part of every meld "
    "that it fits.",
    "equal hands": "In OpenSpiel equal hands are not an undercut, and nobody scores.",
    "draw by repetition": "OpenSpiel calls a hand off when both players in succession "
    "discard the card that they have just taken, and after fifty cards have been "
    "taken.",
    "who begins": "In OpenSpiel seat 0 begins every hand, and there is no dealer.",
    "a knock in steps": "In OpenSpiel the knock, the discard and each meld are "
    "separate actions, with the discard before the melds.",
}
"""The differences by name, in the words of the page about them."""

Meld = frozenset[int]
Group = frozenset[Meld]


class DifferError(AssertionError):
    """
    The two sides differ, and not in a known way.
    """


@attrs.frozen
class Setting:
    """
    Parameters of OpenSpiel, and the same as our rules.

    Attributes:
        name: What it is called in the report.
        parameters: For OpenSpiel.
        options: Options that we put on.
        values: Policy values that we set.
    """

    name: str
    parameters: dict[str, Any]
    options: tuple[str, ...] = ()
    values: dict[str, Any] = attrs.field(factory=dict)

    def rules(self) -> Ruleset:
        """
        Our rules: no big gin, the fiftieth card, cards thrown back.
        """
        values = {"out.big_gin": False, **self.values}
        options = ("GRV-03", "GRV-04", *self.options)
        return rv.preset("gin-rummy").with_options(*options).with_values(values)


SETTINGS: Final = (
    Setting("as it comes", {}),
    Setting("Oklahoma", {"oklahoma": True}, ("GRV-05b",)),
    Setting(
        "20 for gin, 10 for an undercut",
        {"gin_bonus": 20, "undercut_bonus": 10},
        (),
        {"score.gin_bonus": 20, "score.undercut_bonus": 10},
    ),
    Setting("straight gin", {"knock_card": 0}, ("GRV-06",)),
    Setting("a knock with five", {"knock_card": 5}, (), {"out.knock": 5}),
    Setting("hands of seven", {"hand_size": 7}, (), {"deal.hand_size": 7}),
)


# ------------------------------------------------------------------------- both sides


class Game:
    """
    A game on both sides at once.

    Args:
        setting: The parameters.
        rng: Where the deal comes from.
    """

    def __init__(self, setting: Setting, rng: random.Random) -> None:
        self.theirs = pyspiel.load_game("gin_rummy", setting.parameters)
        given = self.theirs.get_parameters()
        self.utils = pyspiel.gin_rummy.GinRummyUtils(
            given["num_ranks"], given["num_suits"], given["hand_size"]
        )
        self.rules = setting.rules()
        self.size = given["hand_size"]
        cards = [str(card) for card in self.rules_deck()]
        rng.shuffle(cards)
        self.start(cards)

    def rules_deck(self) -> list[rv.Card]:
        """
        The cards of the deck.
        """
        state = rv.game.begin(self.rules, 2, seed=0)
        return list(rv.game.next_deal(state).cards)

    def start(self, cards: list[str]) -> None:
        """
        Deal: first the hand of seat 0, then that of seat 1, the upcard, the stock.
        """
        self.deck = [self.utils.card_int(_theirs(card)) for card in cards]
        self.code = dict(zip(self.deck, cards, strict=True))
        self.next_card = 0
        self.state = self.theirs.new_initial_state()
        self.chance()
        hands = cards[: self.size], cards[self.size : 2 * self.size]
        dealt = [card for pair in zip(*hands, strict=True) for card in pair]
        order = " ".join([*dealt, *cards[2 * self.size :]])
        # Seat 0 begins on the other side, so here seat 1 deals.
        begun = rv.game.begin(self.rules, 2, seed=None, dealer=1)
        self.mine = rv.game.deal(begun, deck=order)

    def chance(self) -> None:
        """
        Let the other side draw what the deck says.
        """
        while self.state.is_chance_node():
            self.state.apply_action(self.deck[self.next_card])
            self.next_card += 1

    def card(self, card: rv.Card) -> int:
        """
        A card as the other side numbers it.
        """
        return int(self.utils.card_int(_theirs(str(card))))

    def meld(self, cards: Iterable[rv.Card]) -> Meld:
        """
        A meld by the numbers of its cards.
        """
        return frozenset(map(self.card, cards))

    def legal(self) -> list[int]:
        """
        What the other side offers.
        """
        return list(self.state.legal_actions())

    def do(self, action: int) -> None:
        """
        Do an action on the other side.
        """
        if action not in self.legal():
            text = self.state.action_to_string(self.state.current_player(), action)
            raise DifferError(f"OpenSpiel does not allow {text}")
        self.state.apply_action(action)
        self.chance()

    # ---------------------------------------------------------------- comparing

    def same_table(self) -> None:
        """
        Compare the hands, the pile and the stock, while a hand is played.
        """
        if self.state.is_terminal():
            return
        mine = [sorted(map(self.card, hand)) for hand in self.mine.hands]
        if self.mine.phase != "layoff":
            _same("hands", mine, [sorted(hand) for hand in self.state.hands()])
            _same("stock", len(self.mine.stock), self.state.stock_size())
        _same("player", self.mine.to_act[0], self.state.current_player())

    def their_knocks(self) -> set[tuple[int, Group]]:
        """
        Every discard with every group of melds that OpenSpiel lets a knocker lay.
        """
        found: set[tuple[int, Group]] = set()
        seen: set[tuple[int, Group]] = set()
        waiting = [(self.state.child(KNOCK), -1, frozenset[Meld]())]
        while waiting:
            state, thrown, laid = waiting.pop()
            if (thrown, laid) in seen:
                continue
            seen.add((thrown, laid))
            if state.current_phase() != pyspiel.gin_rummy.KNOCK:
                found.add((thrown, laid))
                continue
            for action in state.legal_actions():
                after = state.child(action)
                if action < UPCARD:
                    waiting.append((after, action, laid))
                elif action == PASS:
                    found.add((thrown, laid))
                else:
                    meld = frozenset(self.utils.int_to_meld[action - MELDS])
                    waiting.append((after, thrown, laid | {meld}))
        return found

    def my_knocks(self, state: rv.State) -> dict[tuple[int, Group], rv.actions.Knock]:
        """
        Our knocks by discard and melds.
        """
        found = {}
        for action in rv.legal_actions(state):
            if isinstance(action, rv.actions.Knock) and action.card is not None:
                melds = action.melds or ()
                group = frozenset(self.meld(one.card for one in m) for m in melds)
                found[self.card(action.card), group] = action
        return found


def _theirs(card: str) -> str:
    return card[0].upper() + card[1]


def _same(what: str, mine: object, theirs: object) -> None:
    if mine != theirs:
        raise DifferError(f"{what}: here {mine}, in OpenSpiel {theirs}")


# --------------------------------------------------------------------------- playing


def play(game: Game, rng: random.Random, known: Counter[str]) -> int:
    """
    Play a game on both sides, and compare all decisions.

    Args:
        game: The game.
        rng: Where the choices come from.
        known: Counts the known differences that were met.

    Returns:
        How many decisions were compared.
    """
    decisions = 0
    while not game.mine.is_round_over:
        if game.state.is_terminal():
            _called_off(game, known)
            return decisions
        game.same_table()
        _STEPS[game.mine.phase](game, rng, known)
        decisions += 1
    _results(game, known)
    return decisions


def _called_off(game: Game, known: Counter[str]) -> None:
    _same("points of a hand called off", [0.0, 0.0], list(game.state.returns()))
    nodes = [
        one
        for one in game.mine.history
        if isinstance(one, rv.actions.Take | rv.actions.Discard)
    ]
    takes = sum(isinstance(one, rv.actions.Take) for one in nodes)
    last = nodes[-4:]
    kinds = [type(one) for one in last]
    back = (
        kinds == [rv.actions.Take, rv.actions.Discard] * 2
        and last[1].card == last[3].card
    )
    if not back and takes < pyspiel.gin_rummy.MAX_NUM_DRAW_UPCARD_ACTIONS:
        raise DifferError("OpenSpiel is at the end, and nobody knows why")
    known["draw by repetition"] += 1


SENSIBLE: Final = 8
"""How many choices of ten are those of a bot, so that hands come to a knock."""


def _sensible(game: Game) -> rv.Action:
    """
    What a bot does; a discard where it would knock.
    """
    seat = game.mine.to_act[0]
    return next(
        action
        for action in heuristic.GREEDY.wishes(game.mine, seat)
        if not isinstance(action, rv.actions.Knock) and rv.check(game.mine, action)
    )


def _offer(game: Game, rng: random.Random, known: Counter[str]) -> None:
    del known
    _same("offer", [UPCARD, PASS], game.legal())
    taken = rng.randrange(2) == 0
    game.do(UPCARD if taken else PASS)
    game.mine = rv.apply(game.mine, "take" if taken else "pass")


def _draw(game: Game, rng: random.Random, known: Counter[str]) -> None:
    legal = {str(action) for action in rv.legal_actions(game.mine)}
    if game.state.current_phase() == pyspiel.gin_rummy.WALL:
        _wall(game, rng, known)
        return
    words = {"draw": STOCK, "take 1": UPCARD}
    _same("draw", sorted(words[one] for one in legal), sorted(game.legal()))
    chosen = "draw" if rng.randrange(4) else rng.choice(sorted(legal))
    if rng.randrange(10) < SENSIBLE:
        chosen = str(_sensible(game))
    game.do(words[chosen])
    game.mine = rv.apply(game.mine, chosen)


def _wall(game: Game, rng: random.Random, known: Counter[str]) -> None:
    """
    The last discard, which may be taken for a knock.
    """
    legal = {str(action) for action in rv.legal_actions(game.mine)}
    offered = KNOCK in game.legal()
    _same("wall", "pass" in legal, PASS in game.legal())
    if ("take 1" in legal) != offered:
        _eleven(game, [*game.mine.hands[game.mine.turn], game.mine.discards[-1]], known)
    if offered and rng.randrange(4):
        game.mine = rv.apply(game.mine, "take 1")
        _knock(game, rng, known)
        return
    game.do(PASS)
    game.mine = rv.apply(game.mine, "pass")


def _eleven(game: Game, cards: Iterable[rv.Card], known: Counter[str]) -> None:
    """
    A knock that OpenSpiel does not offer: it has to be for its count of eleven cards.
    """
    limit = game.state.knock_card()
    counted = game.utils.min_deadwood([game.card(card) for card in cards])
    if counted <= limit:
        raise DifferError(f"a knock is offered on one side, by {counted} of {limit}")
    known["eleven cards"] += 1


def _play(game: Game, rng: random.Random, known: Counter[str]) -> None:
    state = game.mine
    legal = list(rv.legal_actions(state))
    discards = sorted(
        game.card(a.card) for a in legal if isinstance(a, rv.actions.Discard)
    )
    knocks = any(isinstance(action, rv.actions.Knock) for action in legal)
    theirs = game.legal()
    _same("discards", discards, sorted(one for one in theirs if one < UPCARD))
    if knocks != (KNOCK in theirs):
        if not knocks:
            raise DifferError("OpenSpiel offers a knock, and we do not")
        _eleven(game, state.hands[state.turn], known)
    if KNOCK in theirs and rng.randrange(4):
        _knock(game, rng, known)
        return
    chosen = _sensible(game)
    if not isinstance(chosen, rv.actions.Discard) or rng.randrange(10) >= SENSIBLE:
        chosen = rng.choice(
            [one for one in legal if isinstance(one, rv.actions.Discard)]
        )
    game.do(game.card(chosen.card))
    game.mine = rv.apply(state, chosen)


def _knock(game: Game, rng: random.Random, known: Counter[str]) -> None:
    """
    Compare all knocks, and do one of them on both sides.
    """
    mine = game.my_knocks(game.mine)
    short = {key for key in mine if all(len(meld) <= LONGEST for meld in key[1])}
    known["long runs"] += len(short) < len(mine)
    theirs = game.their_knocks()
    if short != theirs:
        here, there = short - theirs, theirs - short
        raise DifferError(f"knocks: only here {here}, only in OpenSpiel {there}")
    key = rng.choice(sorted(short, key=repr))
    game.do(KNOCK)
    game.do(key[0])
    for meld in key[1]:
        game.do(MELDS + game.utils.meld_to_int(sorted(meld)))
    if game.state.current_phase() == pyspiel.gin_rummy.KNOCK:
        game.do(PASS)
    game.mine = rv.apply(game.mine, mine[key])
    if game.mine.is_round_over:
        _their_melds(game)


def _layoff(game: Game, rng: random.Random, known: Counter[str]) -> None:
    """
    Compare what can be laid off card by card, and lay one card off or pass.
    """
    singles: dict[int, list[rv.actions.LayOff]] = {}
    for action in rv.legal_actions(game.mine):
        if isinstance(action, rv.actions.LayOff) and len(action.cards) == 1:
            singles.setdefault(game.card(action.cards[0].card), []).append(action)
    theirs = set(game.legal()) - {PASS}
    _same("a pass", True, PASS in game.legal())
    mine = set(singles)
    both = mine & theirs
    for card in mine - theirs:
        if not all(_is_third(game, action) for action in singles[card]):
            raise DifferError(f"only here {game.code[card]} can be laid off")
        known["third lay-off"] += 1
    for card in theirs - mine:
        if not _lies_elsewhere(game, card):
            raise DifferError(f"only in OpenSpiel {game.code[card]} can be laid off")
        known["two places"] += 1
    if both and rng.randrange(4):
        card = rng.choice(sorted(both))
        game.do(card)
        table = game.mine.table
        ways = singles[card]
        # Where a card fits a set and a run, the run is what goes on from it.
        runs = [one for one in ways if table[one.meld - 1].kind == "run"]
        game.mine = rv.apply(game.mine, rng.choice(runs or ways))
        if game.mine.is_round_over:
            game.do(PASS)
            _their_melds(game)
        return
    game.do(PASS)
    _their_melds(game)
    game.mine = rv.apply(game.mine, "pass")


def _is_third(game: Game, action: rv.actions.LayOff) -> bool:
    """
    Whether two cards were laid on the same end of a run before.
    """
    meld = game.mine.table[action.meld - 1]
    if meld.kind != "run":
        return False
    laid = [slot.seat != meld.maker for slot in meld.slots]
    low = action.cards[0].card < meld.slots[0].card
    return all(laid[:2] if low else laid[-2:])


def _lies_elsewhere(game: Game, card: int) -> bool:
    """
    Whether its neighbour in the suit was laid off, so that it may go on from there.
    """
    laid = {
        game.card(slot.card)
        for meld in game.mine.table
        for slot in meld.slots
        if slot.seat != meld.maker and meld.kind == "set"
    }
    return bool(laid & {card - 1, card + 1})


def _their_melds(game: Game) -> None:
    """
    Lay the other player's melds on the other side, as well as they can be.
    """
    while not game.state.is_terminal():
        seat = game.state.current_player()
        hand = list(game.state.hands()[seat])
        terms = game.mine.dealt.terms
        bits = rv.Cards(rv.cards.parse_cards(" ".join(game.code[one] for one in hand)))
        mine = {
            game.meld(one.card for one in cards)
            for cards, _, _ in melds_in(terms, bits.bits)
            if len(cards) <= LONGEST
        }
        theirs = {
            frozenset(game.utils.int_to_meld[action - MELDS])
            for action in game.legal()
            if action >= MELDS
        }
        _same("melds of the other player", mine, theirs)
        left = worth_of(terms, least_unmatched(terms, bits.bits))
        _same("unmatched points", left, game.utils.min_deadwood(hand))
        _same("unmatched points by tables", fewest_points(terms, bits.bits), left)
        best = game.utils.best_meld_group(hand)
        game.do(MELDS + game.utils.meld_to_int(best[0]) if best else PASS)


_STEPS: Final = {
    "offer": _offer,
    "draw": _draw,
    "play": _play,
    "layoff": _layoff,
}


def _results(game: Game, known: Counter[str]) -> None:
    """
    Compare what the hand came to.
    """
    if not game.state.is_terminal():
        raise DifferError("the hand is over here, and not in OpenSpiel")
    result = game.mine.result
    assert result is not None
    points = result.points
    theirs = list(game.state.returns())
    bonus = game.rules.score.undercut_bonus
    assert result.out is not None or result.how not in {"knock", "gin"}
    undercut = result.how == "knock" and points[1 - result.out] == bonus
    if undercut and points[result.out] == 0 and theirs == [0.0, 0.0]:
        known["equal hands"] += 1
        return
    _same(
        "points", [float(points[0] - points[1]), float(points[1] - points[0])], theirs
    )


# ------------------------------------------------------------------------ the cases


def cases() -> Iterator[tuple[str, str]]:
    """
    Each known difference shown by as few cards as it takes.
    """
    utils = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)

    def numbers(text: str) -> list[int]:
        return [utils.card_int(card) for card in text.split()]

    def texts(found: Iterable[int]) -> str:
        return " ".join(sorted(utils.card_string(one) for one in found)) or "nothing"

    terms = rv.preset("gin-rummy").terms(2)
    bits = rv.Cards(rv.cards.parse_cards(ELEVEN)).bits
    least = min(
        worth_of(terms, least_unmatched(terms, bits - rv.Cards([card]).bits))
        for card in rv.cards.parse_cards(ELEVEN)
    )
    counted = utils.min_deadwood(numbers(ELEVEN))
    yield "eleven cards", f"{ELEVEN}: {least} points after a discard, not {counted}"
    six = [len(meld) for meld in utils.all_melds(numbers("4h 5h 6h 7h 8h 9h"))]
    yield "long runs", f"4h 5h 6h 7h 8h 9h: melds of {max(six)} cards at most"
    run = utils.meld_to_int(numbers("4h 5h 6h"))
    after = utils.all_layoffs([run], numbers("7h 8h"))
    yield "third lay-off", f"On 4h 5h 6h, after 7h and 8h: {texts(after)}, and not 9h"
    tens = utils.meld_to_int(numbers("Tc Td Ts"))
    high = utils.meld_to_int(numbers("7h 8h 9h"))
    after = utils.all_layoffs([tens, high], numbers("Th"))
    yield (
        "two places",
        f"On 7h 8h 9h and Tc Td Ts, after Th, wherever it lies: {texts(after)}",
    )
    yield "equal hands", _equal_hands()
    yield "draw by repetition", _repetition()
    yield "who begins", _who_begins()
    yield "a knock in steps", _in_steps()


ELEVEN: Final = "Ac Ah As 2c 2h 3c 3d 3h 4c 4h 4s"


def _dealt(first: str, second: str, upcard: str) -> Game:
    """
    The hands and the upcard of a case, and the rest of the deck in order.
    """
    named = f"{first} {second} {upcard}".split()
    game = Game(SETTINGS[0], random.Random(0))
    rest = sorted(str(card) for card in game.rules_deck() if str(card) not in named)
    game.start([*named, *rest])
    return game


def _equal_hands() -> str:
    game = _dealt(
        "7h 8h 9h 5c 5d 5s As 2c 3d 4c",
        "Tc Td Ts Qc Qd Qs 2d 2h 2s Jc",
        "Kd",
    )
    game.mine = rv.apply(rv.apply(game.mine, "take"), "knock Kd: 7h 8h 9h / 5c 5d 5s")
    game.do(UPCARD)
    game.do(KNOCK)
    game.do(game.card(rv.cards.parse_cards("Kd")[0]))
    for meld in ("7h 8h 9h", "5c 5d 5s"):
        game.do(
            MELDS
            + game.utils.meld_to_int(sorted(game.meld(rv.cards.parse_cards(meld))))
        )
    game.do(PASS)
    game.do(PASS)
    _their_melds(game)
    game.mine = rv.apply(game.mine, "pass")
    assert game.mine.result is not None
    mine, theirs = game.mine.result.points, game.state.returns()
    return f"Ten points each: {mine} here, {tuple(map(int, theirs))} there"


def _repetition() -> str:
    game = _dealt(
        "7h 8h 9h 5c 5d 5s As 2c 3d 4c", "Tc Td Ts Qc Qd Qs 2d 2h 2s Jc", "Kd"
    )
    king = game.card(rv.cards.parse_cards("Kd")[0])
    for done, action in enumerate((UPCARD, king) * 3, 1):
        game.do(action)
        if game.state.is_terminal():
            return f"Kd taken and thrown back {done // 2} times: the hand is over there"
    raise DifferError("nothing is called off")


def _who_begins() -> str:
    game = Game(SETTINGS[0], random.Random(0))
    theirs = game.state.current_player()
    begun = (rv.game.begin(game.rules, 2, seed=0, dealer=dealer) for dealer in (0, 1))
    mine = [rv.game.deal(state).to_act[0] for state in begun]
    return (
        f"Seat {theirs} there; here seat {mine[0]} or {mine[1]}, as seat 0 or 1 deals"
    )


def _in_steps() -> str:
    game = _dealt(
        "7h 8h 9h 5c 5d 5s As 2c 3d 4c", "Tc Td Ts Qc Qd Qs 2d 2h 2s Jc", "Kd"
    )
    game.do(UPCARD)
    done = []
    for action in (
        KNOCK,
        game.card(rv.cards.parse_cards("Kd")[0]),
        *(
            MELDS
            + game.utils.meld_to_int(sorted(game.meld(rv.cards.parse_cards(meld))))
            for meld in ("5c 5d 5s", "7h 8h 9h")
        ),
    ):
        text = game.state.action_to_string(0, action)
        done.append(text.removeprefix("Player: 0 Action: "))
        game.do(action)
    return f"knock Kd: 5c 5d 5s / 7h 8h 9h is {', '.join(done)} there"


# ---------------------------------------------------------------------- the command


def main() -> int:
    """
    Play so many games.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--games", type=int, default=1000, help="how many are played")
    parser.add_argument("--seed", type=int, default=0, help="where the seeds begin")
    parser.add_argument("--cases", action="store_true", help="show the differences")
    given = parser.parse_args()
    if given.cases:
        for name, text in cases():
            print(f"{name}: {KNOWN[name]}\n  {text}")
        return 0
    started = time.perf_counter()
    known: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    games: Counter[str] = Counter()
    decisions = failures = 0
    for number in range(given.seed, given.seed + given.games):
        setting = SETTINGS[number % len(SETTINGS)]
        rng = random.Random(f"lock step {number}")
        game = Game(setting, rng)
        try:
            decisions += play(game, rng, known)
        except DifferError as error:
            failures += 1
            print(f"FAILED {setting.name}, game {number}: {error}", flush=True)
        games[setting.name] += 1
        result = game.mine.result
        ends[result.how if result else "called off"] += 1
    print(f"{given.games} games, {decisions} decisions, {failures} failures")
    for title, counts in (
        ("settings", games),
        ("ends", ends),
        ("known differences met", +known),
    ):
        print(f"{title}:")
        for name, count in sorted(counts.items()):
            print(f"  {count:7} {name}")
    print(f"{time.perf_counter() - started:.0f} s", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
