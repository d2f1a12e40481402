"""
A second engine of Contract Rummy, written from the rules alone, as plainly as possible.

It shares no code with the library, and its author had not read the library's code.
Cards are texts, hands are lists, and legal actions are found by trying everything.
`lockstep_contract.py` plays it beside the library.

Where the rules leave a choice, this engine reads them so:

* If nobody may buy the upcard, nobody is asked: the player in turn takes it or draws.
* The player who bought last in the deal does not buy until somebody else has bought.
* A card taken from the pile, or an identical one, is not discarded in that turn.
* A move is refused if the turn could not be ended by the rules after it.
* After `=` may stand less than usual (`*=8` in a run) or more (`*=8h` in a set), if it
  is true and leaves nothing open. Each meld of a contract has to be clear by itself,
  even if the rest of the contract rules out all readings but one.
* The word `low` or `high` has to be true of the ace that is laid off, or without an ace
  of all cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, islice, product


RANKS = "A23456789TJQKA"
"""The rank at each place of a run, from the low ace to the high one."""
SUITS = "cdhs"
JOKER = "*"
LONGEST = 13
CONTRACTS = {
    1: (2, 0),
    2: (1, 1),
    3: (0, 2),
    4: (3, 0),
    5: (2, 1),
    6: (1, 2),
    7: (0, 3),
}
"""How many sets of three and runs of four, by the deal."""
DEALS = 7
IDLE = 3

Set = tuple[str, str, tuple[str, ...]]
"""``("set", rank, cards)``, the cards in order, natural ones before jokers."""
Run = tuple[str, str, int, str]
"""``("run", suit, lowest place from 1 to 14, which are jokers: "." or "*" each)``."""
Meld = Set | Run


class IllegalError(Exception):
    """
    An action that the rules do not allow.
    """


def points(card: str) -> int:
    """
    What a card left in a hand costs.
    """
    if card == JOKER or card[0] == "A":
        return 15
    return 10 if card[0] in "TJQK" else int(card[0])


def deck(players: int) -> list[str]:
    """
    All cards for so many players: two jokers a pack.
    """
    packs = {3: 2, 4: 2, 5: 3, 6: 3, 7: 4, 8: 4}[players]
    plain = [rank + suit for rank in RANKS[1:] for suit in SUITS]
    return plain * packs + [JOKER] * 2 * packs


def hand_size(number: int) -> int:
    """
    How many cards a player is dealt.
    """
    return 10 if number <= 3 else 12


# ----------------------------------------------------------------------------- melds


def face(suit: str, place: int) -> str:
    """
    The card at a place of a run.
    """
    return RANKS[place - 1] + suit


def run_cards(run: Meld) -> list[tuple[str, str]]:
    """
    The cards of a run from low to high: what is there, and what it stands for.
    """
    _, suit, low, jokers = run
    faces = [face(suit, low + number) for number in range(len(jokers))]
    return [
        (JOKER if mark == "*" else card, card)
        for card, mark in zip(faces, jokers, strict=True)
    ]


def text_of(meld: Meld) -> str:
    """
    A meld in full, each joker with what it stands for.
    """
    if meld[0] == "set":
        return " ".join(f"*={meld[1]}" if card == JOKER else card for card in meld[2])
    return " ".join(
        f"*={stands}" if card == JOKER else card for card, stands in run_cards(meld)
    )


def held(meld: Meld) -> list[str]:
    """
    The cards that a meld is made of.
    """
    if meld[0] == "set":
        return list(meld[2])
    return [card for card, _ in run_cards(meld)]


def as_set(cards: Iterable[str]) -> set[Meld]:
    """
    The set that these cards are, if they are one; jokers may say their rank.
    """
    cards = list(cards)
    natural = sorted(card for card in cards if card[0] != JOKER)
    ranks = {card[0] for card in natural}
    if len(ranks) != 1 or len(cards) < 3:
        return set()
    rank = ranks.pop()
    jokers = len(cards) - len(natural)
    if any(card != JOKER and card[2] != rank for card in cards if card[0] == JOKER):
        return set()
    return {("set", rank, (*natural, *[JOKER] * jokers))}


def as_runs(cards: Iterable[str]) -> set[Meld]:
    """
    Every run that these cards can be.
    """
    cards = list(cards)
    length = len(cards)
    if not 4 <= length <= LONGEST or all(card[0] == JOKER for card in cards):
        return set()
    return {
        run
        for suit in SUITS
        for low in range(1, 16 - length)
        if (run := _fill(cards, suit, range(low, low + length), low)) is not None
    }


def _fill(
    cards: Sequence[str], suit: str, places: Iterable[int], low: int
) -> Run | None:
    """
    A run with the cards at just these places, or None if they do not fit.
    """
    places = list(places)
    marks = dict.fromkeys(places, "")
    free = 0
    for card in cards:
        if card == JOKER:
            free += 1
            continue
        stands = card.removeprefix("*=")
        mark = "*" if card[0] == JOKER else "."
        fits = [
            place
            for place in places
            if not marks[place] and stands in {face(suit, place), RANKS[place - 1]}
        ]
        if not fits:
            return None
        marks[fits[0]] = mark
    empty = [place for place in places if not marks[place]]
    if len(empty) != free:
        return None
    return ("run", suit, low, "".join(marks[place] or "*" for place in places))


def laid_on(meld: Meld, cards: Sequence[str]) -> set[Meld]:
    """
    Every meld that lay-offs of all these cards can make of one on the table.
    """
    if meld[0] == "set":
        return as_set([*held(meld), *cards])
    _, suit, low, jokers = meld
    length = len(jokers) + len(cards)
    found: set[Meld] = set()
    if length > LONGEST:
        return found
    high = low + len(jokers)
    for below in range(len(cards) + 1):
        start, end = low - below, low - below + length
        if start < 1 or end > 15:
            continue
        places = [*range(start, low), *range(high, end)]
        new = _fill(cards, suit, places, start)
        if new is not None:
            marks = new[3]
            found.add(("run", suit, start, marks[:below] + jokers + marks[below:]))
    return found


def contiguous(first: Meld, second: Meld) -> bool:
    """
    Whether one run begins where the other ends.
    """
    if first[0] != "run" or second[0] != "run" or first[1] != second[1]:
        return False
    ends = (first[2] + len(first[3]), second[2] + len(second[3]))
    return ends[0] == second[2] or ends[1] == first[2]


def is_contract(melds: Sequence[Meld], number: int) -> bool:
    """
    Whether these melds are what the deal asks for, apart from the rest of the hand.
    """
    sets, runs = CONTRACTS[number]
    kinds = Counter(meld[0] for meld in melds)
    if (kinds["set"], kinds["run"]) != (sets, runs):
        return False
    exact = {"set": 3, "run": 4}
    if number != DEALS and any(len(held(one)) != exact[one[0]] for one in melds):
        return False
    return not any(contiguous(*pair) for pair in combinations(melds, 2))


# ---------------------------------------------------------------------------- a match


class Match:
    """
    A match of seven deals.

    Args:
        players: Three to eight.
        dealer: Who deals first. Seats are numbered in the order of play.
    """

    def __init__(self, players: int, dealer: int) -> None:
        self.players = players
        self.dealer = dealer
        self.number = 0
        self.totals = [0] * players
        self.deal_over = True

    @property
    def over(self) -> bool:
        """
        Whether all seven deals are played.
        """
        return self.deal_over and self.number == DEALS

    def winners(self) -> set[int]:
        """
        The seats with the lowest total, when the match is over.
        """
        if not self.over:
            return set()
        return {
            seat for seat, total in enumerate(self.totals) if total == min(self.totals)
        }

    def deal(self, order: Sequence[str]) -> None:
        """
        Deal the next round from this order, next card first.
        """
        assert self.deal_over
        assert not self.over
        assert sorted(order) == sorted(deck(self.players))
        if self.number:
            self.dealer = self.left_of(self.dealer)
        self.number += 1
        cards = list(order)
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        seat = self.dealer
        for _ in range(hand_size(self.number) * self.players):
            seat = self.left_of(seat)
            self.hands[seat].append(cards.pop(0))
        self.pile = [cards.pop(0)]
        self.stock = cards
        self.table: list[Meld] = []
        self.down = [False] * self.players
        self.discarder: int | None = None
        self.last_buyer: int | None = None
        self.turned = False
        self.idle = 0
        self.deal_over = False
        self.round_scores: list[int] = []
        self.turn = self.dealer
        self.next_turn()

    def left_of(self, seat: int) -> int:
        """
        The next seat.
        """
        return (seat + 1) % self.players

    # ------------------------------------------------------------------- the turn

    def next_turn(self) -> None:
        """
        Begin the turn of the next player, unless the deal has come to a standstill.
        """
        if self.idle == IDLE * self.players:
            self.end("idle")
            return
        self.turn = self.left_of(self.turn)
        self.taken = ""
        self.freed = 0
        self.laid = False
        self.drew = False
        self.may_lay = self.down[self.turn]
        self.asked = self.buyers()
        self.phase = "upcard" if self.asked else "draw"
        self.may_take = True

    def buyers(self) -> list[int]:
        """
        Who may buy the upcard, in the order in which they are asked.
        """
        if not self.stock:
            return []
        seats = [(self.turn + step) % self.players for step in range(1, self.players)]
        return [one for one in seats if one not in {self.discarder, self.last_buyer}]

    def can_draw(self) -> bool:
        """
        Whether the stock has a card, or the pile can be turned over.
        """
        return bool(self.stock) or (not self.turned and len(self.pile) > 1)

    def after_sale(self) -> None:
        """
        The player in turn has to draw from the stock now.
        """
        self.phase = "draw"
        self.may_take = False
        if not self.can_draw():
            self.end("stock")

    def end(self, how: str) -> None:
        """
        Score the deal, and say how it came to its end.
        """
        self.deal_over = True
        self.how = how
        self.round_scores = [sum(map(points, hand)) for hand in self.hands]
        self.totals = [
            total + score
            for total, score in zip(self.totals, self.round_scores, strict=True)
        ]

    def out(self) -> int | None:
        """
        Who has no cards left, if the deal ended so.
        """
        return self.hands.index([]) if self.how == "out" else None

    def score_items(self) -> list[tuple[int, str, int]]:
        """
        Seat, card and points of each card left in a hand.
        """
        return [
            (seat, card, points(card))
            for seat, hand in enumerate(self.hands)
            for card in hand
        ]

    def sizes(self) -> tuple[int, int]:
        """
        How many cards are in the stock and in the pile.
        """
        return len(self.stock), len(self.pile)

    def to_act(self) -> int | None:
        """
        Whose decision it is, or None when the deal is over.
        """
        if self.deal_over:
            return None
        return self.asked[0] if self.phase == "sale" else self.turn

    # -------------------------------------------------------------- what is legal

    def can_finish(
        self, hand: Sequence[str], table: Sequence[Meld], freed: int
    ) -> bool:
        """
        Whether a turn can be ended by the rules with these cards.
        """
        banned, may_lay = self.taken, self.may_lay

        @cache
        def search(hand: tuple[str, ...], table: tuple[Meld, ...], freed: int) -> bool:
            if not hand:
                return True
            if not freed and any(card != banned for card in hand):
                return True
            if not may_lay:
                return False
            for card in sorted(set(hand)):
                rest = list(hand)
                rest.remove(card)
                for place, meld in enumerate(table):
                    for new in laid_on(meld, [card]):
                        left = max(0, freed - 1) if card == JOKER else freed
                        after = (*table[:place], new, *table[place + 1 :])
                        if search(tuple(sorted(rest)), after, left):
                            return True
                    for new in self.swapped(meld, card):
                        after = (*table[:place], new, *table[place + 1 :])
                        if search(tuple(sorted([*rest, JOKER])), after, freed + 1):
                            return True
            return False

        return search(tuple(sorted(hand)), tuple(table), freed)

    @staticmethod
    def swapped(meld: Meld, card: str) -> set[Meld]:
        """
        The run after the real card took the place of the joker that stands for it.
        """
        if meld[0] != "run":
            return set()
        _, suit, low, jokers = meld
        return {
            ("run", suit, low, f"{jokers[:place]}.{jokers[place + 1 :]}")
            for place, (there, stands) in enumerate(run_cards(meld))
            if there == JOKER and stands == card
        }

    def take_is_legal(self) -> bool:
        """
        Whether the player in turn can end a turn that begins with the upcard.
        """
        before, self.taken = self.taken, self.pile[-1]
        hand = [*self.hands[self.turn], self.pile[-1]]
        found = self.can_finish(hand, self.table, 0) or self.may_meld(hand)
        self.taken = before
        return found

    def may_meld(self, hand: Sequence[str]) -> bool:
        """
        Whether some contract can be laid from this hand by a player who has none.
        """
        if self.down[self.turn]:
            return False
        return next(self.contracts(hand), None) is not None

    def legal(self) -> Iterator[str]:
        """
        Every legal action as a text in full, lay-offs and contracts last.
        """
        if self.deal_over:
            return
        if self.phase == "sale":
            yield from ("buy", "pass")
        elif self.phase == "upcard":
            if self.take_is_legal():
                yield "take"
            yield "pass"
        elif self.phase == "draw":
            if self.may_take and self.take_is_legal():
                yield "take"
            yield "draw" if self.can_draw() else "pass"
        else:
            yield from self.legal_in_play()

    def legal_in_play(self) -> Iterator[str]:
        """
        The same for a player who has drawn.
        """
        hand = self.hands[self.turn]
        for card in sorted(set(hand)):
            if not self.freed and card != self.taken:
                yield f"discard {card}"
        if self.may_lay:
            for number, meld in enumerate(self.table, 1):
                for card in sorted(set(hand)):
                    if self.is_legal(text := f"swap {card} on {number}"):
                        yield text
                for cards in self.layoffs(meld, hand):
                    text = self.layoff_text(cards, number)
                    if self.is_legal(text):
                        yield text
        if not self.down[self.turn]:
            for melds in self.contracts(hand):
                yield "meld " + " / ".join(map(text_of, melds))

    def layoff_text(self, cards: tuple[tuple[str, ...], str], number: int) -> str:
        """
        A lay-off; which end an ace goes to is added where both would do.
        """
        words = " ".join(cards[0])
        if len(laid_on(self.table[number - 1], cards[0])) > 1:
            return f"lay {words} {cards[1]} on {number}"
        return f"lay {words} on {number}"

    def layoffs(
        self, meld: Meld, hand: Sequence[str]
    ) -> Iterator[tuple[tuple[str, ...], str]]:
        """
        All that can be laid on a meld at once, and at which end a new ace then lies.
        """
        have = Counter(hand)
        if meld[0] == "set":
            usable = sorted(card for card in hand if card[0] in (JOKER, meld[1]))
            chosen = {
                some
                for size in range(1, len(usable) + 1)
                for some in combinations(usable, size)
            }
            for some in sorted(chosen):
                yield tuple(f"*={meld[1]}" if c == JOKER else c for c in some), ""
            return
        _, suit, low, jokers = meld
        high = low + len(jokers)
        for start in range(1, low + 1):
            for end in range(high, 16):
                places = [*range(start, low), *range(high, end)]
                if not places or end - start > LONGEST:
                    continue
                faces = [face(suit, place) for place in places]
                for marks in fillings(faces, have):
                    cards = tuple(
                        f"*={card}" if mark == "*" else card
                        for card, mark in zip(faces, marks, strict=True)
                    )
                    yield cards, "low" if start == 1 < low else "high"

    def contracts(self, hand: Sequence[str]) -> Iterator[tuple[Meld, ...]]:
        """
        Every contract of the deal that this hand can lay, each once.
        """
        have = Counter(hand)
        if self.number == DEALS:
            yield from self.covers(have)
            return
        sets, runs = CONTRACTS[self.number]
        pools = {
            kind: [
                (meld, Counter(held(meld)))
                for meld in sorted(melds_of(kind, have, (length,)))
            ]
            for kind, length in (("set", 3), ("run", 4))
        }
        kinds = ["set"] * sets + ["run"] * runs

        def more(chosen: tuple[Meld, ...], start: int) -> Iterator[tuple[Meld, ...]]:
            done = len(chosen)
            if done == len(kinds):
                if is_contract(chosen, self.number) and self.leaves_well(have):
                    yield chosen
                return
            if done and kinds[done] != kinds[done - 1]:
                start = 0
            for place, (meld, need) in islice(
                enumerate(pools[kinds[done]]), start, None
            ):
                if all(have[card] >= number for card, number in need.items()):
                    have.subtract(need)
                    yield from more((*chosen, meld), place)
                    have.update(need)

        yield from more((), 0)

    def covers(self, have: Counter[str]) -> Iterator[tuple[Meld, ...]]:
        """
        The contracts of the last deal, which take the whole hand.
        """
        runs = [
            (meld, Counter(held(meld)))
            for meld in melds_of("run", have, range(4, LONGEST + 1))
        ]
        found = set()

        def more(chosen: tuple[Meld, ...]) -> None:
            left = have.total()
            if len(chosen) == CONTRACTS[DEALS][1]:
                if not left and is_contract(chosen, DEALS):
                    found.add(tuple(sorted(chosen)))
                return
            natural = [card for card in have if have[card] and card != JOKER]
            if not natural or left < 4:
                return
            for meld, need in runs:
                # Every natural card has to be in some run, so look for one with this.
                if need[natural[0]] and all(have[one] >= need[one] for one in need):
                    have.subtract(need)
                    more((*chosen, meld))
                    have.update(need)

        more(())
        yield from sorted(found)

    def leaves_well(self, left: Counter[str]) -> bool:
        """
        Whether the cards left by a contract allow an end of the turn.
        """
        if self.number == DEALS or not left.total():
            return not left.total()
        return any(card != self.taken for card in left.elements())

    def is_legal(self, text: str) -> bool:
        """
        Whether an action is legal, however it is written.
        """
        try:
            self.read(text)
        except IllegalError:
            return False
        return True

    def read(self, text: str) -> tuple[list[str], list[Meld], int]:
        """
        The hand and the table after a play, and how many freed jokers are to be laid.

        Raises:
            IllegalError: If the action is not legal.
        """
        word, _, rest = text.partition(" ")
        if self.deal_over:
            raise IllegalError("the deal is over")
        if self.phase != "play":
            if text not in self.legal():
                raise IllegalError("not now")
            return [], [], 0
        hand = list(self.hands[self.turn])
        table = list(self.table)
        if word == "discard":
            if self.freed or rest == self.taken or rest not in hand:
                raise IllegalError("not this card")
            hand.remove(rest)
            return hand, table, 0
        if word == "meld":
            return self.read_contract(hand, table, rest)
        if word not in {"lay", "swap"} or not self.may_lay:
            raise IllegalError("not a play, or the contract comes first")
        what, _, on = rest.partition(" on ")
        if not on.isdigit() or not 1 <= int(on) <= len(table):
            raise IllegalError("no such meld")
        place = int(on) - 1
        freed = self.freed
        if word == "swap":
            if what == JOKER or what not in hand:
                raise IllegalError("not held")
            made = self.swapped(table[place], what)
            cards = [what]
            freed += 1
        else:
            cards = what.split()
            end = cards.pop() if cards[-1] in {"low", "high"} else ""
            made = laid_on(table[place], cards)
            if end:
                made = {one for one in made if self.end_of(table[place], one) == end}
        if len(made) != 1 or not cards:
            raise IllegalError("does not fit, or fits in several ways")
        table[place] = made.pop()
        for card in cards:
            plain = JOKER if card[0] == JOKER else card
            if plain not in hand:
                raise IllegalError("not held")
            hand.remove(plain)
            freed -= word == "lay" and plain == JOKER and freed > 0
        if word == "swap":
            hand.append(JOKER)
        if not self.can_finish(hand, table, freed):
            raise IllegalError("the turn could not be ended")
        return hand, table, freed

    @staticmethod
    def end_of(before: Meld, after: Meld) -> str:
        """
        At which end a lay-off lies: that of its ace, else that where all of it lies.
        """
        if before[0] != "run":
            return ""
        low = after[2] < before[2]
        high = after[2] + len(after[3]) > before[2] + len(before[3])
        if low and (after[2] == 1 or not high):
            return "low"
        if high and (after[2] + len(after[3]) == 15 or not low):
            return "high"
        return ""

    def read_contract(
        self, hand: list[str], table: list[Meld], words: str
    ) -> tuple[list[str], list[Meld], int]:
        """
        `read` for a contract.
        """
        if self.down[self.turn]:
            raise IllegalError("the contract is down")
        melds = []
        for part in words.split(" / "):
            cards = part.split()
            for card in cards:
                plain = JOKER if card[0] == JOKER else card
                if plain not in hand:
                    raise IllegalError("not held")
                hand.remove(plain)
            readings = as_set(cards) | as_runs(cards)
            if len(readings) != 1:
                raise IllegalError("no meld, or several")
            melds.append(readings.pop())
        if not is_contract(melds, self.number) or not self.leaves_well(Counter(hand)):
            raise IllegalError("not the contract, or the turn could not be ended")
        return hand, [*table, *melds], 0

    # -------------------------------------------------------------------- actions

    def apply(self, text: str, new_stock: Sequence[str] | None = None) -> None:
        """
        Do an action.

        Args:
            text: The action.
            new_stock: The order of the pile turned over by this, next card first.

        Raises:
            IllegalError: If the action is not legal.
        """
        hand, table, freed = self.read(text)
        turns_over = text == "draw" and not self.stock
        if turns_over:
            assert new_stock is not None
            assert sorted(new_stock) == sorted(self.pile[:-1])
            self.stock = list(new_stock)
            self.pile = self.pile[-1:]
            self.turned = True
        else:
            assert new_stock is None
        mine = self.hands[self.turn]
        word = text.split(" ", 1)[0]
        if self.phase == "sale":
            self.sale(word)
        elif word == "take":
            self.taken = self.pile.pop()
            mine.append(self.taken)
            self.phase = "play"
        elif word == "draw":
            mine.append(self.stock.pop(0))
            self.drew = True
            self.phase = "play"
        elif word == "pass" and self.phase == "upcard":
            self.phase = "sale"
        elif word == "pass":
            self.end("stock")
        else:
            self.hands[self.turn] = hand
            self.table = table
            self.freed = freed
            if word == "discard":
                self.discard(text.split()[1])
                return
            self.laid = True
            if word == "meld":
                self.down[self.turn] = True
            if not hand:
                self.end("out")

    def sale(self, word: str) -> None:
        """
        The first of those asked buys or declines.
        """
        seat = self.asked.pop(0)
        if word == "buy":
            self.hands[seat] += [self.pile.pop(), self.stock.pop(0)]
            self.last_buyer = seat
            self.after_sale()
        elif not self.asked:
            self.after_sale()

    def discard(self, card: str) -> None:
        """
        End the turn.
        """
        self.pile.append(card)
        self.discarder = self.turn
        self.idle = 0 if self.drew or self.laid else self.idle + 1
        if self.hands[self.turn]:
            self.next_turn()
        else:
            self.end("out")


def fillings(faces: Sequence[str], have: Counter[str]) -> Iterator[str]:
    """
    The ways to fill these places of a run: "." for the card itself, "*" for a joker.
    """
    if not faces:
        yield ""
        return
    for mark, card in ((".", faces[0]), ("*", JOKER)):
        if have[card]:
            have[card] -= 1
            for rest in fillings(faces[1:], have):
                yield mark + rest
            have[card] += 1


def melds_of(kind: str, have: Counter[str], lengths: Iterable[int]) -> set[Meld]:
    """
    All sets of three, or all runs of these lengths, among these cards.
    """
    found: set[Meld] = set()
    if kind == "set":
        for rank in RANKS[1:]:
            usable = [card for card in have.elements() if card[0] in (rank, JOKER)]
            for cards in combinations(usable, 3):
                found |= as_set(cards)
        return found
    for length, suit in product(lengths, SUITS):
        for low in range(1, 16 - length):
            faces = [face(suit, low + step) for step in range(length)]
            found |= {
                ("run", suit, low, marks)
                for marks in fillings(faces, have)
                if "." in marks
            }
    return found
