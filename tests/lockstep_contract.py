"""
Contract Rummy in lock step with a second engine, `contract_reference`.

``python tests/lockstep_contract.py --games 1000`` plays random matches on both sides at
once, with the same cards in the same order. After every action it compares the hands,
the table, the piles, the scores and whose turn it is. It compares the legal actions in
both directions, and the verdicts on actions changed at random. Any difference is a
failure. ``--positions 20`` plays twenty rounds from random positions in place of each
match.
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import random
import sys
import time

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any, Final

import attrs

import rummyvariants as rv

from contract_reference import (
    CONTRACTS,
    IDLE,
    JOKER,
    RANKS,
    SUITS,
    IllegalError,
    Match,
    Meld,
    as_set,
    contiguous,
    deck,
    face,
    hand_size,
    run_cards,
    text_of,
)


GAME: Final = "contract-rummy"
LISTED: Final = 300
"""Lists of legal actions are compared as wholes up to this length."""
FACES: Final = [*(rank + suit for rank in RANKS[1:] for suit in SUITS), JOKER]


class DifferError(AssertionError):
    """
    The two sides differ.
    """


@attrs.frozen
class Style:
    """
    How the players of a match choose.

    Attributes:
        rigged: How often a hand is dealt from melds.
        take: How often the upcard is taken.
        buy: How often it is bought.
        meld: How often a contract is laid once it can be.
        lay: How often a card is laid off.
        swap: How often a real card is swapped for a joker.
        sense: How often the card discarded is one that fits no other.
    """

    rigged: float
    take: float
    buy: float
    meld: float
    lay: float
    swap: float
    sense: float

    @classmethod
    def random(cls, rng: random.Random) -> Style:
        """
        A style of any kind, now and then an extreme one.
        """
        if rng.random() < 0.05:
            return cls(rng.random(), 0.999, 0.5, 0.3, 0.05, 0.1, 0.1)
        return cls(
            rigged=rng.choice([0.0, 0.5, 0.9]),
            take=rng.choice([0.1, 0.3, 0.6]),
            buy=rng.choice([0.0, 0.2, 0.6]),
            meld=rng.choice([0.3, 0.9]),
            lay=rng.choice([0.1, 0.5, 0.9]),
            swap=rng.choice([0.3, 0.9]),
            sense=rng.choice([0.3, 0.8, 1.0]),
        )


def same(what: str, ours: object, theirs: object) -> None:
    """
    Raise `DifferError` unless both sides have the same.
    """
    if ours != theirs:
        raise DifferError(f"{what}: {ours} here, {theirs} in the reference")


class Pair:
    """
    A match on both sides at once.

    Args:
        number: What everything random comes from.
        players: How many play.
    """

    def __init__(self, number: int, players: int) -> None:
        self.rng = random.Random(f"contract {number}")
        self.style = Style.random(self.rng)
        dealer = self.rng.randrange(players)
        self.ours = rv.begin(GAME, players, seed=number, dealer=dealer)
        self.theirs = Match(players, dealer)
        self.seen: Counter[str] = Counter()
        self.done: list[str] = []

    def play(self) -> None:
        """
        Play the match to its end, comparing all the way.
        """
        while not self.theirs.over:
            self.deal()
            while not self.theirs.deal_over:
                self.step()
            self.compare_result()
        same("over", self.ours.is_over, True)
        same("winners", set(self.ours.winners), self.theirs.winners())

    def play_from_position(self) -> None:
        """
        Play a round that begins in its middle, with long melds and short hands.
        """
        while not self.begin_in_the_middle():
            pass
        self.compare()
        while not self.theirs.deal_over:
            self.step()
        self.compare_result()

    # ------------------------------------------------------------ in the middle of it

    def begin_in_the_middle(self) -> bool:
        """
        Put a random position on both sides, unless the cards make none.
        """
        rng, theirs = self.rng, self.theirs
        players = theirs.players
        theirs.number = rng.randint(1, 6)
        left = Counter(deck(players))
        theirs.down = [rng.random() < 0.6 for _ in range(players)]
        table: list[Meld] = []
        makers = []
        for seat in range(players):
            if theirs.down[seat]:
                melds = some_contract(theirs.number, left, rng)
                if melds is None:
                    return False
                table += melds
                makers += [seat] * len(melds)
        theirs.table = table
        wanted = [card for meld in table for card in neighbours(meld)]
        jokers = [JOKER] * rng.choice([0, 0, 10])
        theirs.hands = [
            some_cards(left, rng.randint(1, 5), wanted, rng)
            if down
            else some_cards(left, rng.randint(10, 14), wanted + jokers, rng)
            for down in theirs.down
        ]
        theirs.turn = rng.randrange(players)
        mine = theirs.hands[theirs.left_of(theirs.turn)]
        theirs.pile = some_cards(left, rng.randint(0, 5), wanted, rng)
        theirs.pile += some_cards(left, 1, mine, rng)
        theirs.stock = some_cards(left, rng.choice([0, 0, 1, 2, 12]), wanted, rng)
        theirs.turned = rng.random() < 0.5
        theirs.discarder = theirs.turn
        theirs.last_buyer = rng.choice([None, rng.randrange(players)])
        theirs.idle = rng.choice([0, rng.randrange(IDLE * players)])
        theirs.totals = [rng.randrange(100) for _ in range(players)]
        theirs.deal_over = False
        theirs.next_turn()
        names = [f"P{seat}" for seat in range(players)]
        keys: dict[str, Any] = {
            "hands": {
                name: " ".join(hand)
                for name, hand in zip(names, theirs.hands, strict=True)
            },
            "table": [
                f"{names[maker]}: {text_of(meld)}"
                for maker, meld in zip(makers, table, strict=True)
            ],
            "seats": names,
            "dealer": names[theirs.dealer],
            "turn": names[theirs.turn],
            "round": theirs.number,
            "stock": " ".join(theirs.stock),
            "discards": " ".join(theirs.pile),
            "turned": int(theirs.turned),
            "idle_turns": theirs.idle,
            "scores": dict(zip(names, theirs.totals, strict=True)),
        }
        if theirs.last_buyer is not None:
            keys["last_buyer"] = names[theirs.last_buyer]
        self.done = [f"position {keys}"]
        self.ours = rv.position(GAME, **keys)
        return True

    # ---------------------------------------------------------------------- the deal

    def deal(self) -> None:
        """
        Deal the same cards on both sides.
        """
        same("phase", self.ours.phase, "deal")
        order = self.order()
        self.done = ["deal " + " ".join(order)]
        self.theirs.deal(order)
        self.ours = rv.deal(
            self.ours, deck=" ".join(order), shuffle=self.rng.randrange(1 << 30)
        )
        self.seen["deals"] += 1
        self.compare()

    def order(self) -> list[str]:
        """
        A shuffled deck; at times the hands are made of melds, as far as they go.
        """
        players = self.theirs.players
        cards = deck(players)
        self.rng.shuffle(cards)
        size = hand_size(self.theirs.number + 1)
        left = Counter(cards)
        hands: list[list[str]] = []
        for _ in range(players):
            hand: list[str] = []
            if self.rng.random() < self.style.rigged:
                while len(hand) < size and self.rng.random() < 0.95:
                    hand += self.some_meld(left, size - len(hand))
            hands.append(hand)
        rest = list(left.elements())
        self.rng.shuffle(rest)
        for hand in hands:
            while len(hand) < size:
                hand.append(rest.pop())
        return [card for cards in zip(*hands, strict=True) for card in cards] + rest

    def some_meld(self, left: Counter[str], most: int) -> list[str]:
        """
        Some cards of a set or a run, taken from those that are left.
        """
        number = self.theirs.number + 1
        if number in {3, 7} or (number > 1 and number != 4 and self.rng.random() < 0.6):
            suit = self.rng.choice(SUITS)
            low = self.rng.randint(1, 11)
            wanted = [face(suit, low + step) for step in range(4)]
        else:
            rank = self.rng.choice(RANKS)
            wanted = [rank + self.rng.choice(SUITS) for _ in range(3)]
        if self.rng.random() < 0.3:
            wanted[self.rng.randrange(len(wanted))] = JOKER
        found = []
        for card in wanted[:most]:
            if left[card]:
                left[card] -= 1
                found.append(card)
        return found

    # --------------------------------------------------------------------- comparing

    def compare(self) -> None:
        """
        Compare all that lies somewhere, and who is to act.
        """
        ours, theirs = self.ours, self.theirs
        seat = theirs.to_act()
        same("to act", ours.to_act, () if seat is None else (seat,))
        same("deal over", ours.is_round_over, theirs.deal_over)
        if seat is not None:
            same("turn", ours.turn, theirs.turn)
            same("last discards", texts(ours.discards), theirs.pile)
            same("stock", texts(ours.stock), theirs.stock)
        same("sizes", (len(ours.stock), len(ours.discards)), theirs.sizes())
        for number, hand in enumerate(ours.hands):
            same(f"hand {number}", sorted(texts(hand)), sorted(theirs.hands[number]))
        same(
            "table",
            [table_text(meld) for meld in ours.table],
            [text_of(meld) for meld in theirs.table],
        )

    def compare_result(self) -> None:
        """
        Compare the scores of a deal, card by card, and the totals.
        """
        result = self.ours.result
        if result is None:
            raise DifferError("no result here")
        theirs = self.theirs
        same("points", list(result.points), theirs.round_scores)
        same("totals", list(self.ours.scores), theirs.totals)
        same("how it ended", result.how, theirs.how)
        same("who is out", result.out, theirs.out())
        same(
            "cards that score",
            sorted((one.seat, str(one.card), one.points) for one in result.items),
            sorted(theirs.score_items()),
        )
        self.seen[f"ends: {result.how}"] += 1

    def key(self, text: str) -> Any:
        """
        What an action does, in which way ever it is written.
        """
        if self.theirs.phase != "play":
            return text
        hand, table, _ = self.theirs.read(text)
        new = table[len(self.theirs.table) :]
        old = table[: len(self.theirs.table)]
        return (
            text.split(maxsplit=1)[0],
            tuple(sorted(hand)),
            tuple(old),
            tuple(sorted(new)),
        )

    def compare_legal(self) -> tuple[list[str], list[str]]:
        """
        Compare the lists of legal actions, or as much of them as there is time for.

        Returns:
            Both lists, or their beginnings.
        """
        moves = rv.legal_actions(self.ours)
        mine = [plain(action) for action in islice(moves, LISTED + 1)]
        theirs = list(islice(self.theirs.legal(), LISTED + 1))
        if len(mine) > LISTED:
            mine += [plain(moves.sample(self.rng.randrange)) for _ in range(10)]
        for text in theirs if len(theirs) <= 40 else self.rng.sample(theirs, 40):
            self.compare_verdict(text)
        if self.theirs.may_take and self.theirs.phase in {"upcard", "draw"}:
            self.seen["takes refused"] += "take" not in mine
        keys = {}
        for text in mine:
            try:
                keys[text] = self.key(text)
            except IllegalError as error:
                raise DifferError(f"{text}: listed here, refused: {error}") from None
        if len(mine) <= LISTED or len(theirs) <= LISTED:
            same("number of legal actions", len(mine), len(theirs))
            other = {self.key(text): text for text in theirs}
            here = sorted(text for text, key in keys.items() if key not in other)
            same("only listed here", here, [])
            same("different actions", len(set(keys.values())), len(other))
            self.seen["whole lists compared"] += 1
        return mine, theirs

    def compare_verdict(self, text: str) -> None:
        """
        Compare whether an action is legal.
        """
        seat = self.theirs.to_act()
        try:
            ruling = rv.check(self.ours, text, seat)
            ours = bool(ruling)
            because = "" if ours else f" ({ruling})"
        except rv.ParseError as error:
            ours, because = False, f" ({error})"
        theirs = self.theirs.is_legal(text)
        if ours != theirs:
            words = {True: "legal", False: "refused"}
            raise DifferError(
                f"{text}: {words[ours]} here{because}, {words[theirs]} in the reference"
            )
        self.seen[f"verdicts: {'legal' if ours else 'refused'}"] += 1

    # ----------------------------------------------------------------------- a step

    def step(self) -> None:
        """
        Compare what is legal, do something on both sides, and compare the outcome.
        """
        mine, theirs = self.compare_legal()
        for text in self.changed([*mine, *theirs]):
            self.compare_verdict(text)
        text = self.choice(mine)
        seat = self.theirs.to_act()
        assert seat is not None
        before = Counter(texts(self.ours.hands[seat]))
        turned = self.ours.turned
        self.done.append(f"{seat}: {text}")
        self.ours = rv.apply(self.ours, text, seat)
        new_stock = None
        if self.ours.turned > turned:
            drawn = Counter(texts(self.ours.hands[seat])) - before
            new_stock = [*drawn, *texts(self.ours.stock)]
            same("turned over", sorted(new_stock), sorted(self.theirs.pile[:-1]))
            self.seen["piles turned over"] += 1
        try:
            self.theirs.apply(text, new_stock)
        except AssertionError:
            raise DifferError(f"{text}: only one side turned the pile over") from None
        self.note(text)
        self.compare()

    def note(self, text: str) -> None:
        """
        Count what was done, so that a report shows what the games came to.
        """
        theirs = self.theirs
        word = text.split(maxsplit=1)[0]
        if word == "meld":
            word = f"meld, in deal {theirs.number}"
        elif word == "lay" and {"low", "high"} & set(text.split()):
            word = "lay, with an ace for either end"
        self.seen[f"done: {word}"] += 1
        if not theirs.deal_over and theirs.phase == "play" and theirs.freed:
            self.seen["states with a joker to be laid"] += 1

    def choice(self, mine: list[str]) -> str:
        """
        What the player does, in the style of the match.
        """
        style, rng = self.style, self.rng
        kinds: dict[str, list[str]] = {}
        for text in mine:
            kinds.setdefault(text.split()[0], []).append(text)
        chances = (
            ("meld", style.meld),
            ("swap", style.swap),
            ("lay", style.lay),
            ("buy", style.buy),
            ("take", style.take),
        )
        for kind, chance in chances:
            if kind in kinds and rng.random() < chance:
                return rng.choice(kinds[kind])
        if "discard" in kinds and rng.random() < style.sense:
            hand = self.theirs.hands[self.theirs.turn]
            return min(kinds["discard"], key=lambda one: usefulness(one[8:], hand))
        rest = [text for text in mine if text.split()[0] not in {"take", "buy"}]
        return rng.choice(rest or mine)

    def changed(self, legal: list[str]) -> Iterator[str]:
        """
        Actions made of those that are legal, of the hand, or of nothing.
        """
        rng = self.rng
        seat = self.theirs.to_act()
        assert seat is not None
        hand = self.theirs.hands[seat]
        yield from rng.sample(["draw", "take", "pass", "buy"], 2)
        yield f"discard {rng.choice(FACES)}"
        yield f"discard {rng.choice(hand)}"
        number = rng.randint(1, len(self.theirs.table) + 1)
        yield f"swap {rng.choice(FACES)} on {number}"
        yield f"swap {rng.choice(hand)} on {number}"
        some = rng.sample(hand, min(len(hand), rng.randint(1, 3)))
        words = [assigned(card, rng) for card in some]
        yield f"lay {' '.join(words)} on {number}"
        plays = [text for text in legal if text.split()[0] in {"meld", "lay", "swap"}]
        for _ in range(4):
            if plays:
                yield mutated(rng.choice(plays), hand, rng)
        if self.theirs.phase == "play":
            yield self.made_up(hand)

    def made_up(self, hand: list[str]) -> str:
        """
        Some melds of a hand, most of them wrong.
        """
        cards = list(hand)
        self.rng.shuffle(cards)
        parts = []
        for _ in range(self.rng.randint(1, 3)):
            size = self.rng.randint(3, 5)
            first, cards = cards[:1], cards[1:]
            near = sorted(cards, key=lambda card: -fit(card, first[0] if first else ""))
            part = [*first, *near[: size - 1]]
            for card in part[1:]:
                cards.remove(card)
            if part:
                parts.append(" ".join(part))
        return "meld " + " / ".join(parts)


# -------------------------------------------------------------------------- positions


def some_contract(
    number: int, left: Counter[str], rng: random.Random
) -> list[Meld] | None:
    """
    The melds of a contract with lay-offs on them, or None where the cards are not left.
    """
    sets, runs = CONTRACTS[number]
    melds: list[Meld] = []
    for kind in ["set"] * sets + ["run"] * runs:
        if kind == "set":
            rank = rng.choice(RANKS[1:])
            wanted = [rank + rng.choice(SUITS) for _ in range(rng.randint(3, 5))]
        else:
            suit = rng.choice(SUITS)
            length = rng.choice([4, 5, 6, 9, 11, 12])
            low = rng.randint(1, 15 - length)
            wanted = [face(suit, low + step) for step in range(length)]
        cards = []
        for card in wanted:
            there = JOKER if rng.random() < 0.15 or not left[card] else card
            if not left[there]:
                return None
            left[there] -= 1
            cards.append(there)
        if all(card == JOKER for card in cards):
            return None
        if kind == "set":
            melds += as_set(cards)
        else:
            jokers = "".join("*" if card == JOKER else "." for card in cards)
            melds.append(("run", suit, low, jokers))
    return (
        melds if not any(contiguous(*two) for two in combinations(melds, 2)) else None
    )


def neighbours(meld: Meld) -> list[str]:
    """
    The cards that fit a meld, or a joker of it.
    """
    if meld[0] == "set":
        return [meld[1] + suit for suit in SUITS]
    _, suit, low, jokers = meld
    ends = [place for place in (low - 1, low + len(jokers)) if 1 <= place <= 14]
    stands = [stands for card, stands in run_cards(meld) if card == JOKER]
    return [*(face(suit, place) for place in ends), *stands * 2, JOKER]


def some_cards(
    left: Counter[str], size: int, wanted: list[str], rng: random.Random
) -> list[str]:
    """
    So many cards of those that are left, rather those that are wanted.
    """
    cards: list[str] = []
    while len(cards) < size:
        pool = wanted if wanted and rng.random() < 0.7 else FACES
        card = rng.choice(cards if cards and rng.random() < 0.2 else pool)
        if left[card]:
            left[card] -= 1
            cards.append(card)
        else:
            wanted = [one for one in wanted if left[one]]
    return cards


# ------------------------------------------------------------------------------ texts


def texts(cards: Any) -> list[str]:
    """
    Cards as texts.
    """
    return [str(card) for card in cards]


def plain(action: rv.Action) -> str:
    """
    An action without its seat, and in the reference's words.
    """
    text = str(action)
    text = text.partition(": ")[2] if text[0].isdigit() else text
    return "take" if text == "take 1" else text


def table_text(meld: rv.Meld) -> str:
    """
    A meld on the table: a set in the reference's order.
    """
    assert not meld.beside
    cards = [
        f"*={slot.stands_for}" if str(slot.card) == JOKER else str(slot.card)
        for slot in meld.slots
    ]
    if meld.kind == "set":
        cards.sort(key=lambda card: (card[0] == JOKER, card))
    return " ".join(cards)


def fit(card: str, other: str) -> int:
    """
    How well two cards go together.
    """
    if JOKER in {card, other}:
        return 3
    if not other:
        return 0
    if card[0] == other[0]:
        return 2
    if card[1] != other[1]:
        return 0
    apart = abs(RANKS.index(card[0]) - RANKS.index(other[0]))
    return max(0, 3 - min(apart, 13 - apart))


def usefulness(card: str, hand: list[str]) -> int:
    """
    How well a card goes with the others of a hand.
    """
    return sum(fit(card, other) for other in hand) + 20 * (card == JOKER)


def assigned(card: str, rng: random.Random) -> str:
    """
    A card; of a joker now and then what it stands for.
    """
    if card != JOKER or rng.random() < 0.3:
        return card
    return (
        f"*={rng.choice(FACES[:-1])}"
        if rng.random() < 0.5
        else "*=" + rng.choice(RANKS)
    )


def mutated(text: str, hand: list[str], rng: random.Random) -> str:
    """
    An action with one thing changed, so that it is legal or not.
    """
    word, *words = text.split()
    places = [place for place, one in enumerate(words) if one[0] in "*23456789TJQKA"]
    cards = [place for place in places if len(words[place]) > 1 or words[place] == "*"]
    if not cards:
        return text
    place = rng.choice(cards)
    way = rng.randrange(9)
    if way == 0:
        words[place] = rng.choice(FACES)
    elif way == 1:
        words[place] = rng.choice(hand)
    elif way == 2:
        words.insert(place, rng.choice(hand))
    elif way == 3 and len(cards) > 1:
        del words[place]
    elif way == 4:
        jokers = [one for one in cards if words[one][0] == "*"]
        if jokers:
            words[rng.choice(jokers)] = JOKER
    elif way == 5:
        other = rng.choice(cards)
        words[place], words[other] = words[other], words[place]
    elif way == 6:
        if words[-1].isdigit():
            words[-1] = str(int(words[-1]) + rng.choice([-1, 1]))
        elif "/" in words:
            cut = words.index("/")
            words = [*words[cut + 1 :], "/", *words[:cut]]
    elif way == 7 and word == "meld":
        parts = text.removeprefix("meld ").split(" / ")
        part = rng.randrange(len(parts))
        parts[part] = " ".join(
            f"*={one.removeprefix('*=')}" for one in parts[part].split()
        )
        words = [" / ".join(parts)]
    elif JOKER in hand:
        stands = words[place].removeprefix("*=")
        if stands != JOKER:
            words[place] = f"*={stands}"
    return " ".join([word, *words])


# ------------------------------------------------------------------------ the command


def run(number: int, positions: int = 0) -> tuple[int, Counter[str], str]:
    """
    Play one match, or so many rounds from positions.

    Returns:
        Its number, what was met, and what differed, if anything.
    """
    pair = Pair(number, 3 + number % 6)
    try:
        for _ in range(positions):
            pair.play_from_position()
            pair.seen["positions"] += 1
        if not positions:
            pair.play()
    except DifferError as error:
        shown = "\n    ".join(pair.done)
        return number, pair.seen, f"{error}\n    {shown}"
    return number, pair.seen, ""


def main() -> int:
    """
    Play so many matches.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--games", type=int, default=100, help="how many are played")
    parser.add_argument(
        "--positions",
        type=int,
        default=0,
        help="how many rounds from positions to play in place of each match",
    )
    parser.add_argument("--seed", type=int, default=0, help="where the numbers begin")
    parser.add_argument("--processes", type=int, default=1, help="how many at once")
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="when no more are begun"
    )
    given = parser.parse_args()
    started = time.perf_counter()
    seen: Counter[str] = Counter()
    games = failures = 0
    with multiprocessing.Pool(given.processes) as pool:
        numbers = range(given.seed, given.seed + given.games)
        for number, met, differs in pool.imap_unordered(
            functools.partial(run, positions=given.positions), numbers
        ):
            games += 1
            seen += met
            if differs:
                failures += 1
                print(f"FAILED game {number}: {differs}", flush=True)
            if time.perf_counter() - started > given.seconds:
                break
    print(f"{games} games, {failures} failures")
    for name, count in sorted(seen.items()):
        print(f"  {count:9} {name}")
    print(f"{time.perf_counter() - started:.0f} s", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
