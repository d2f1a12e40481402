"""
Dealing a round from a given order of the deck.

The deal runs until it is done, until a player has to choose a hand size, or until the
deck turns out to be too small. Then it is thrown in and another deal is due (RV-02).
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rummyvariants._support.words import figure
from rummyvariants.actions import Deal
from rummyvariants.cards import CARDS, FIELD, UNIT, Card, pack, size
from rummyvariants.game import _asking as asking
from rummyvariants.game import _events as events
from rummyvariants.game._engine.asides import lay_aside
from rummyvariants.game._engine.phases import begin_play, draw_card, next_seat
from rummyvariants.game._events import Log
from rummyvariants.game._locations import DISCARDS, HANDS, TABLE, put, see
from rummyvariants.game._round import (
    EVERYBODY,
    INDICATOR,
    NOTHING_DRAWN,
    STOCK,
    UPCARD,
    Dealt,
    Frame,
    Match,
)
from rummyvariants.game._state import Draft, State
from rummyvariants.house.answers import Pile
from rummyvariants.house.facts import Location
from rummyvariants.melds._meld import Slot, built
from rummyvariants.melds._tables import Terms
from rummyvariants.rulings import Objection


class _TooFewCards(Exception):  # noqa: N818 -- never leaves this module
    pass


def refuse_deal(state: State | Draft, action: Deal) -> Objection | None:
    """
    Why a deal is not the next one.
    """
    match = state.match
    players = len(match.players)
    wanted = match.rules.deck.cards_for(players)
    given = sorted([card.code for card in action.cards])
    if given != list(wanted):
        return Objection(
            "deck.packs",
            f"the deck must hold all its {len(wanted)} cards and no others",
            ("RV-07",),
        )
    if not 0 <= action.dealer < players:
        return Objection("match.rotation", f"there is no seat {action.dealer}")
    if match.next_dealer not in {-1, action.dealer}:
        return Objection(
            "match.rotation",
            f"the deal is {match.players[match.next_dealer]}'s, "
            f"not {match.players[action.dealer]}'s",
        )
    if any(place < 0 for place in action.put_back):
        return Objection("deal.method", "a card cannot be put back above the deck")
    if action.shuffle < 0:
        return Objection("stock.turned", "the number of a shuffle cannot be negative")
    if not 0 <= action.cut < len(wanted):
        cards = figure(len(wanted), "card")
        reason = f"of {cards} some are cut off, but not all: not {action.cut}"
        return Objection("score.exact_cut", reason, ("RV-07",))
    return None


def rank_that_follows(match: Match) -> str | None:
    """
    The wild rank that the round or the size of the hands names; None if neither does.
    """
    rules = match.rules
    if rules.wild.by_round:
        ranks = rules.wild.in_rounds(rules.deck.ranks)
        return ranks[min(match.round_number, len(ranks)) - 1]
    if rules.wild.by_hand_size:
        size = rules.deal.fixed_size(len(match.players), match.round_number)
        return rules.wild.rank_of_size(size, rules.deck.ranks)
    return None


def piles_of(match: Match) -> Iterator[tuple[Pile, int, int]]:
    """
    The piles in which a deal lays cards, with their seats, or -1, and their sizes.
    """
    rules, players = match.rules, len(match.players)
    masks = rules.side_masks(players)
    for _, rule in rules.house:
        for pile in rule.piles:
            number = pile.size(rule)
            if number and pile.of == "table":
                yield pile, -1, number
            for seat in range(players) if number and pile.of != "table" else ():
                first = pile.of == "seat" or not masks[seat] & ((1 << seat) - 1)
                if first and seat not in asking.eliminated(match):
                    yield pile, seat, number


def turns_another(state: State | Draft, terms: Terms, code: int) -> bool:
    """
    Whether another card is turned up on a first upcard.
    """
    deal = state.match.rules.deal
    if str(CARDS[code]) in deal.turned_again:
        return True
    if not deal.first_upcard_again:
        return False
    return terms.wild[code] or bool(asking.never_held(state) & FIELD[code])


class _Dealer:
    """
    The dealer at work on a draft, with a deck and what has been dealt so far.
    """

    def __init__(self, draft: Draft, log: Log) -> None:
        self.draft = draft
        self.log = log
        self.rules = draft.match.rules
        self.players = len(draft.match.players)
        self.gone = asking.eliminated(draft.match)
        self.dealer = draft.dealt.dealer
        self.terms = draft.dealt.terms
        self.permanent = self.rules.wild.permanent()
        self.deck = list(draft._stock)
        self.put_back: list[int] = []
        self.cut = 0
        self.upcards = [list(cards) for cards in draft.dealt.upcards]
        self.indicator: Card | None = None
        self.upcard: Card | None = None
        self.stays = -1
        self.pile: list[int] = []
        self.shown = STOCK  # where the card lies that was turned up last

    # -------------------------------------------------------------------- cards

    def next_card(self) -> int:
        if not self.deck:
            raise _TooFewCards
        return self.deck.pop(0)

    def next_cards(self, number: int) -> list[int]:
        """
        So many cards; the deck is known to have them.
        """
        cards = self.deck[:number]
        del self.deck[:number]
        return cards

    def show(self, seat: int, code: int) -> None:
        if self.log is not None:
            dealt = self.draft._hands[seat] > 0
            self.shown = Location(INDICATOR) if dealt else Location(UPCARD, seat)
            self.log.carry([code], STOCK, self.shown)
            self.log.append(events.UpcardShown(seat, CARDS[code]))

    def bury(self, code: int) -> None:
        """
        Put a card back where the deal says; at the bottom if it says nothing.
        """
        if self.put_back:
            place = self.put_back.pop(0) % (len(self.deck) + 1)
            self.deck.insert(place, code)
        else:
            self.deck.append(code)
        see(self.draft, EVERYBODY, bytes([code]), STOCK)
        if self.log is not None:
            self.log.carry([code], self.shown, STOCK)
            self.log.append(events.CardBuried(CARDS[code]))

    def may_name(self, code: int) -> bool:
        card = CARDS[code]
        if self.permanent[code]:
            return self.rules.wild.shows_wilds
        if card.is_joker:
            return False
        return self.rules.wild.aces or card.rank != "A"

    def turn_up(self, seat: int, kept: list[int], *, upcard: bool, names: bool) -> int:
        """
        Turn cards up until one may stay.

        Args:
            seat: Whose card it is.
            kept: A list to which wilds that the dealer keeps on the way are added.
            upcard: Whether the card gives the size of a hand.
            names: Whether it names the wild rank.
        """
        rules = self.rules
        for _ in range(2 * len(self.deck) + 2):
            code = self.next_card()
            self.show(seat, code)
            if upcard and CARDS[code].rank in rules.deal.put_back_ranks:
                self.bury(code)
            elif names and not self.may_name(code):
                if self.keeps(code):
                    kept.append(code)
                else:
                    self.bury(code)
            elif upcard and self.buries(code):
                self.bury(code)
            else:
                return code
        # Every card that is left would be buried again and again.
        raise _TooFewCards

    def keeps(self, code: int) -> bool:
        """
        Whether the dealer keeps a wild that cannot name the wild rank (PGV-D5a).
        """
        return self.rules.wild.keeps_wilds and self.permanent[code]

    def buries(self, code: int) -> bool:
        """
        Whether a card that should name the size of a hand is buried.
        """
        if self.permanent[code]:
            return self.rules.deal.buries(CARDS[code].rank)
        return CARDS[code].is_joker

    # ---------------------------------------------------------------- whole hands

    def serve(self, seat: int) -> bool:
        """
        Deal a whole hand by its upcard; False if the player has to choose its size.
        """
        rules = self.rules
        kept: list[int] = []
        names = seat == self.dealer and rules.wild.by_upcard
        code = self.turn_up(seat, kept, upcard=True, names=names)
        rank = CARDS[code].rank
        if names:
            self.name_wild(rules.wild.rank_shown(code), CARDS[code])
        self.upcards[seat] = [CARDS[one] for one in (*kept, code)]
        if self.permanent[code]:
            if rules.deal.lets_choose(rank):
                places = tuple(self.put_back)
                choice = Frame("choose", seat, 1 << seat, (code,), places)
                self.draft.frames += (choice,)
                if self.log is not None:
                    self.log.append(events.HandSizeAsked(seat))
                return False
            number = rules.deal.wild_number(rank)
        else:
            number = rules.deal.upcard_number(rank)
        self.serve_rest(seat, code, rules.deal.whole_hand(number) - 1, kept)
        return True

    def serve_rest(
        self, seat: int, upcard: int, rest: int, kept: list[int] | None = None
    ) -> None:
        """
        Deal the face-down cards that follow an upcard.
        """
        rules = self.rules
        is_dealer = seat == self.dealer
        hidden = self.next_cards(self.affordable(seat, max(rest, 0)))
        open_cards = [*(kept or ()), upcard]
        if is_dealer and rules.wild.by_upcard and rules.wild.indicator_stays:
            self.stays = open_cards.pop()
        if is_dealer and rules.wild.by_last_card:
            self.last_card(seat, hidden, open_cards)
        if is_dealer and rules.wild.by_extra_card:
            self.extra_card(seat, open_cards)
        self.give(seat, open_cards, hidden)

    def last_card(self, seat: int, hidden: list[int], open_cards: list[int]) -> None:
        """
        Let the dealer's last card name the wild rank (PGV-D4a).
        """
        kept: list[int] = []
        if hidden:
            self.deck.insert(0, hidden.pop())
        else:
            # The upcard is the last card too, and may be buried now.
            upcard = open_cards.pop()
            self.deck.insert(0, upcard)
            self.upcards[seat].pop()
            if self.log is not None:
                self.log.carry([upcard], self.shown, STOCK, first=0)
        last = self.turn_up(seat, kept, upcard=False, names=True)
        self.upcards[seat] += [CARDS[one] for one in (*kept, last)]
        open_cards += kept
        self.keep_or_table(last, open_cards)

    def extra_card(self, seat: int, open_cards: list[int]) -> None:
        """
        Let an extra card of the dealer's name the wild rank (PGV-D4b).
        """
        kept: list[int] = []
        code = self.turn_up(seat, kept, upcard=False, names=True)
        self.upcards[seat] += [CARDS[one] for one in (*kept, code)]
        open_cards += kept
        self.keep_or_table(code, open_cards)

    def keep_or_table(self, code: int, open_cards: list[int]) -> None:
        self.name_wild(self.rules.wild.rank_shown(code), CARDS[code])
        if self.rules.wild.indicator_stays:
            self.stays = code
        else:
            open_cards.append(code)

    def affordable(self, seat: int, wanted: int) -> int:
        """
        How many face-down cards can be dealt; fewer than wanted only if allowed.
        """
        if not self.rules.deal.may_be_short:
            if wanted > len(self.deck):
                raise _TooFewCards
            return wanted
        waiting = (self.dealer - seat) % self.players
        kept_back = 2 + self.rules.stock.dead + waiting
        kept_back += self.rules.wild.by_card_beyond
        return max(0, min(wanted, len(self.deck) - kept_back))

    def give(self, seat: int, open_cards: list[int], hidden: list[int]) -> None:
        hand = HANDS[seat]
        if open_cards:
            put(self.draft, pack(open_cards), bytes(open_cards), hand)
        put(self.draft, pack(hidden), bytes(hidden), hand, 1 << seat)
        if self.log is not None:
            self.log.carry(open_cards, Location(UPCARD, seat), hand)
            self.log.carry(hidden, STOCK, hand)
            cards = tuple(CARDS[code] for code in hidden)
            self.log.append(events.HandDealt(seat, len(hidden), cards))

    # --------------------------------------------------------------- other hands

    def deal_round(self) -> None:
        """
        Deal hands of one size, a card at a time from the dealer's left.
        """
        rules = self.rules
        order = [
            seat
            for step in range(1, self.players + 1)
            if (seat := (self.dealer + step) % self.players) not in self.gone
        ]
        number = self.draft.match.round_number
        wanted = rules.deal.fixed_size(self.players, number) * len(order)
        if rules.deal.may_be_short:
            wanted = min(wanted, len(self.deck) - rules.kept_back)
        elif wanted > len(self.deck):
            raise _TooFewCards
        if wanted < len(order):
            raise _TooFewCards
        given = self.next_cards(wanted)
        for at, seat in enumerate(order):
            hidden = given[at :: len(order)]
            open_cards: list[int] = []
            if seat == self.dealer and rules.wild.by_dealers_card:
                if rules.wild.by_extra_card:
                    self.extra_card(seat, open_cards)
                else:
                    if rules.wild.by_upcard:
                        hidden = [*hidden[1:], hidden[0]]
                    self.last_card(seat, hidden, open_cards)
            self.give(seat, open_cards, hidden)

    def name_wild(self, rank: str, card: Card | None) -> None:
        self.terms = self.rules.terms(self.players, rank, self.indicator)
        if self.log is not None:
            stays = self.rules.wild.indicator_stays and self.shown.name == UPCARD
            if stays and card is not None:
                self.log.carry([card.code], self.shown, TABLE, first=0)
            self.log.append(events.WildNamed(rank, card))

    # -------------------------------------------------------------------- the end

    def remember(self) -> None:
        """
        Let house rules remember what they need of the deal.
        """
        draft = self.draft
        if "remembers_deal" in self.rules.asked:
            dealt = sum(map(size, draft._hands)) + (self.stays >= 0)
            deal = asking.deal_facts(draft.match, self.dealer, self.cut, dealt)
            asking.remember_deal(draft, deal)

    def lay_aside(self) -> None:
        """
        Replace the cards that no hand keeps, from the dealer's left.
        """
        draft = self.draft
        if "lays_aside" in self.rules.asked:
            draft._stock = bytes(self.deck)
            for step in range(1, self.players + 1):
                lay_aside(draft, (self.dealer + step) % self.players, self.log)
            self.deck = list(draft._stock)

    def first_card(self) -> int:
        """
        The card that begins the discard pile, or that the first player is dealt.
        """
        code = self.next_card()
        if self.rules.deal.turns_up and self.log is not None:
            self.log.carry([code], STOCK, DISCARDS, first=len(self.pile))
            self.log.append(events.FirstDiscard(CARDS[code]))
        self.pile.append(code)
        return code

    def finish(self) -> None:
        """
        What follows the hands: the indicator, the first discard, the first turn.
        """
        rules = self.rules
        self.remember()
        self.lay_aside()
        has_first = rules.deal.turns_up or rules.deal.deals_one_more
        first = self.first_card() if has_first and rules.wild.turned_late else -1
        if rules.wild.by_separate_card:
            code = self.turn_up(self.dealer, [], upcard=False, names=True)
            self.indicator = CARDS[code]
            self.name_wild(rules.wild.rank_shown(code), self.indicator)
        following = rank_that_follows(self.draft.match)
        if following is not None:
            self.name_wild(following, None)
        if "wild_rank" in rules.asked:
            found = asking.wild_rank(self.draft, self.dealer)
            if found is not None and not self.terms.wild_rank:
                self.name_wild(found, None)
        if has_first and first < 0:
            first = self.first_card()
        while rules.deal.turns_up and turns_another(self.draft, self.terms, first):
            first = self.first_card()
        piles = self.piles()
        if len(self.deck) <= rules.stock.dead:
            raise _TooFewCards
        if rules.asks_for_upcard:
            self.upcard = CARDS[first]
        self.store()
        draft = self.draft
        draft._discards = bytes(self.pile) if rules.deal.turns_up else b""
        if self.stays >= 0:
            slot = Slot(CARDS[self.stays], None, self.dealer)
            draft.dealer_wild = built(self.terms, "wild", (slot,), self.dealer)
        for where, cards, shown_to in piles:
            put(draft, pack(cards), bytes(cards), where, shown_to)
            if self.log is not None:
                self.log.dealt(bytes(cards), where, shown_to)
        begin_play(draft, next_seat(draft, self.dealer), self.log)
        if rules.deal.deals_one_more:
            put(draft, UNIT[first], bytes([first]), STOCK, 0)
            draw_card(draft, draft.turn, self.log, dealt=True)

    def piles(self) -> list[tuple[Location, list[int], int]]:
        """
        The cards that are laid apart: where, which, and who sees them.
        """
        found = []
        for pile, seat, number in piles_of(self.draft.match):
            if number > len(self.deck):
                raise _TooFewCards
            owner = 1 << seat if seat >= 0 else 0
            seen = {"nobody": 0, "owner": owner, "everybody": EVERYBODY}
            cards = self.next_cards(number)
            found.append((Location(pile.name, seat), cards, seen[pile.shown]))
        return found

    def store(self) -> None:
        draft = self.draft
        draft._stock = bytes(self.deck)
        draft.dealt = Dealt(
            self.dealer,
            self.terms,
            tuple([tuple(cards) for cards in self.upcards]),
            self.indicator,
            draft.dealt.redeals,
            self.upcard,
        )

    def run(self, first: int) -> None:
        """
        Serve the seats from one of them to the dealer, then finish; or wait.
        """
        if self.rules.deal.is_fixed:
            self.deal_round()
        else:
            last = (self.dealer - first) % self.players
            for step in range(last + 1):
                seat = (first + step) % self.players
                if seat not in self.gone and not self.serve(seat):
                    self.store()
                    return
        self.finish()


def start_deal(draft: Draft, action: Deal, log: Log) -> None:
    """
    Deal a round by a deal that is known to be the next one.
    """
    players = len(draft.match.players)
    _bind(draft, action.dealer)
    if draft._memory:
        draft._memory = asking.memory_kept(
            draft.match.rules, draft._memory, "turn", "round"
        )
    draft.dealt = Dealt(
        dealer=action.dealer,
        terms=draft.match.rules.terms(players),
        upcards=((),) * players,
        redeals=draft.match.thrown_in,
    )
    if draft.match.next_dealer != action.dealer:
        draft.match = attrs.evolve(draft.match, next_dealer=action.dealer)
    draft.frames = (Frame("deal", (action.dealer + 1) % players),)
    draft._hands = (0,) * players
    draft._seen = (0,) * players
    draft._seen_by_some = ()
    draft._stock_seen = ()
    draft._zones = ()
    draft._stock = bytes([card.code for card in action.cards])
    draft._discards = b""
    draft._table = ()
    draft.dealer_wild = None
    draft._has_meld = 0
    draft.drawn = NOTHING_DRAWN
    draft.laid = False
    draft.idle = 0
    draft.turns = (0,) * players
    draft._floating = 0
    draft.out = ()
    draft.result = None
    draft.turned = 0
    draft.fresh = True
    draft._shuffle = action.shuffle
    if log is not None:
        log.append(events.DealStarted(draft.match.round_number, action.dealer))
    dealer = _Dealer(draft, log)
    dealer.put_back = list(action.put_back)
    dealer.cut = action.cut
    _run(dealer, (action.dealer + 1) % players)


def _bind(draft: Draft, dealer: int) -> None:
    """
    Put the rules in force that house rules give a deal.
    """
    agreed = draft.match.rules.of_table
    if "values" in agreed.asked:
        match = attrs.evolve(draft.match, rules=agreed)
        rules = agreed.in_deal(asking.deal_facts(match, dealer))
        draft.match = attrs.evolve(match, rules=rules)


def choose_size(draft: Draft, size: int, log: Log) -> None:
    """
    Go on with a deal after a player has chosen the size of the hand (PGV-D3e).
    """
    choice = draft.frames[-1]
    seat, upcard = choice.seat, choice.notes[0]
    draft.frames = draft.frames[:-1]
    if log is not None:
        log.append(events.HandSizeChosen(seat, size))
    dealer = _Dealer(draft, log)
    dealer.put_back = list(choice.secrets)
    try:
        dealer.serve_rest(seat, upcard, size - 1)
    except _TooFewCards:
        _throw_in(draft, log)
        return
    if seat == dealer.dealer:
        _run(dealer, None)
    else:
        _run(dealer, (seat + 1) % dealer.players)


def _run(dealer: _Dealer, first: int | None) -> None:
    try:
        if first is None:
            dealer.finish()
        else:
            dealer.run(first)
    except _TooFewCards:
        _throw_in(dealer.draft, dealer.log)


def _throw_in(draft: Draft, log: Log) -> None:
    """
    Gather the cards of a deal for which the deck has too few (RV-02).
    """
    draft.match = attrs.evolve(draft.match, thrown_in=draft.match.thrown_in + 1)
    draft.frames = draft.frames[:1]
    draft._hands = (0,) * len(draft.match.players)
    draft._seen = (0,) * len(draft.match.players)
    draft._seen_by_some = ()
    draft._stock = b""
    draft._discards = b""
    draft._zones = ()
    draft.dealer_wild = None
    if log is not None:
        log.append(events.DealThrownIn())
