"""
Beginning a game, and dealing its rounds from its seed or from a deck by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from rummyvariants._support.arguments import explained
from rummyvariants._support.limits import SEED, excesses, wrong_name
from rummyvariants._support.seats import names_in
from rummyvariants._support.words import figure, from_to
from rummyvariants.actions import Deal
from rummyvariants.cards import CARDS, Card, parse_cards
from rummyvariants.errors import (
    PositionError,
    RequestError,
    RulesError,
    Seat,
    seat_number,
    shown,
)
from rummyvariants.game._engine.deals import next_deal, next_dealer
from rummyvariants.game._engine.game import apply, do_known
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._round import Column, Dealt, Frame, Match
from rummyvariants.game._state import Draft, State, remember
from rummyvariants.game.verbs._known import check_actions
from rummyvariants.house.answers import Move
from rummyvariants.policies.deal import sizes_of
from rummyvariants.policies.deck import refuse_number
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.rulings import Objection


@explained
def new_game(
    rules: Ruleset | str,
    players: int | Sequence[str],
    *,
    seed: int | str | None = 0,
    deck: str | Sequence[Card] | None = None,
    dealer: Seat | None = None,
) -> State:
    """
    A new game, with its first round dealt.

    Args:
        rules: The rules, or the name of a preset.
        players: The number of players, or their names, as a list or in one text such
            as ``Ann, Ben``: lines without control characters, ``:`` and ``|``.
        seed: The seed of the shuffles. The same seed gives the same deals, so the same
            call deals the same game; give another number or text for another game, and
            None only to give every deck by hand.
        deck: The top cards of the deck for the first deal; the others follow below.
        dealer: The seat that deals first, or the name of its player; by default chance
            decides.

    Raises:
        RulesError: If there is no such preset, or the number of players, a name or the
            seed is not allowed.
        PositionError: If the given deck is impossible.

    >>> state = rv.new_game("gin-rummy", ["Ann", "Ben"], seed=7, dealer="Ben")
    >>> state.hands[0]
    Cards('4c 6c 7c 8c Qc Kc 6d 3h Th Ks')
    >>> state.discards
    (Card('5c'),)
    """
    state = begin(rules, players, seed=seed, dealer=dealer)
    return deal(state, deck=deck)


@explained
def begin(
    rules: Ruleset | str,
    players: int | Sequence[str],
    *,
    seed: int | str | None = 0,
    dealer: Seat | None = None,
) -> State:
    """
    A new game before its first deal. Arguments and errors are those of `new_game`.

    >>> rv.game.begin("rummy-500", ["Ann", "Ben"]).phase
    'deal'
    """
    if isinstance(rules, str):
        rules = preset(rules)
    if isinstance(players, int):
        check_number_of_players(rules, players)
    names = player_names(players)
    check_number_of_players(rules, len(names))
    check_actions(rules)
    check_seed(seed)
    problem = too_small(rules, len(names))
    if problem:
        raise RulesError(problem, ["RV-02"])
    deals = -1
    if dealer is not None:
        try:
            deals = seat_number(dealer, names)
        except RequestError as error:
            msg = f"the dealer: {error}"
            raise RulesError(msg, ["RV-07"]) from None
    match = new_match(rules, names, seed, deals)
    return undealt(match)


def undealt(match: Match, *, from_position: bool = False) -> State:
    """
    A match before its first deal.
    """
    number = len(match.players)
    dealt = Dealt(-1, match.rules.terms(number), ((),) * number)
    deal_due = (Frame("deal", 0),)
    hands = (0,) * number
    return State(
        match,
        dealt,
        deal_due,
        hands,
        b"",
        b"",
        from_position=from_position,
        seen=(0,) * number,
    )


def check_number_of_players(rules: Ruleset, players: int) -> None:
    """
    Refuse a number of players that is none for a game.

    Raises:
        RulesError: If the game cannot be played by so many.
    """
    wrong = refuse_number_of_players(rules, players)
    if wrong is not None:
        raise RulesError(wrong.reason, [rules.rule_of(wrong.path)])


def refuse_number_of_players(rules: Ruleset, players: int) -> Objection | None:
    """
    Why a game cannot be played by so many players; None if it can.
    """
    low, high = rules.match.players
    if not low <= players <= high:
        wanted = from_to(low, high, "player")
        return Objection(
            "match.players", f"{rules.name} is for {wanted}, not {shown(players)}"
        )
    if not rules.match.makes_sides(players):
        return Objection(
            "match.sides",
            f"sides need an even number of players, 4 or more, not {players}",
        )
    return None


def new_match(
    rules: Ruleset, names: tuple[str, ...], seed: int | str | None, dealer: int
) -> Match:
    """
    A match before its first round, with everything that its rules count.

    Args:
        rules: The rules.
        names: The players' names, by seat.
        seed: The seed of the shuffles; None if every deck is given by hand.
        dealer: Who deals first; -1 where chance decides.
    """
    nothing = (0,) * len(names)
    columns = rules.match.columns
    return Match(
        rules,
        names,
        seed,
        nothing,
        next_dealer=dealer,
        boxes=nothing if rules.match.counts_boxes else (),
        columns=(Column(nothing, nothing),) * columns if columns > 1 else (),
    )


_NAMES: Final = "as in ['Ann', 'Ben'] or 'Ann, Ben'"


def player_names(players: int | Sequence[str]) -> tuple[str, ...]:
    """
    The names of the players, made up if only their number is given.

    Raises:
        RulesError: If two names are equal, or one is not allowed.
    """
    if isinstance(players, int):
        return tuple(f"player {seat}" for seat in range(players))
    if isinstance(players, Mapping):
        msg = f"players: give names, {_NAMES}; rv.position(rules, hands=...) has hands"
        raise RulesError(msg, ["RV-07"])
    if isinstance(players, str) and len(players := names_in(players)) < 2:
        msg = f"players: give a name to each, {_NAMES}, or their number"
        raise RulesError(msg, ["RV-07"])
    for name in players:
        if reason := wrong_name(name):
            msg = f"every player needs a name of their own, not {shown(name)}: {reason}"
            raise RulesError(msg, ["RV-07"])
    names = tuple(players)
    if len(set(names)) != len(names):
        given = ", ".join(map(repr, names))
        msg = f"every player needs a name of their own, not {given}"
        raise RulesError(msg, ["RV-07"])
    return names


def check_seed(seed: object) -> None:
    """
    Refuse a seed that no record can hold.

    Raises:
        RulesError: If it is neither a whole number nor a text, or too long.
    """
    fits = isinstance(seed, int | str | None) and not isinstance(seed, bool)
    if not fits or (isinstance(seed, str) and len(seed) > SEED):
        msg = f"a seed is a whole number, or a text of at most {SEED} characters"
        raise RulesError(msg, ["RV-07"])
    for _, reason in excesses(seed):
        msg = f"the seed cannot be kept: {reason}"
        raise RulesError(msg, ["RV-07"])


def too_small(rules: Ruleset, players: int) -> str:
    """
    Why no deal for so many players can succeed; empty if one can.
    """
    deck = rules.deck.cards_for(players)
    if rules.deal.is_fixed:
        least = max(sizes_of(rules.deal, players))
    else:
        ranks = [
            rank for rank in rules.deck.ranks if rank not in rules.deal.put_back_ranks
        ]
        numbers = map(rules.deal.upcard_number, ranks)
        least = min(map(rules.deal.whole_hand, numbers), default=99)
    if rules.deal.may_be_short or "deal.hand_size" in rules.replaced:
        least = 1
    needed = least * players + rules.kept_back
    if needed > len(deck):
        return (
            f"{figure(players, 'player')} need at least {needed} cards, "
            f"and the deck has {len(deck)}"
        )
    return ""


def largest_hand(rules: Ruleset, players: int, round_number: int) -> int | None:
    """
    The most cards that a hand can hold where melds stay in it; None for any number.

    The partitions of hands are worked out for hands of that size, which takes long for
    hands of half a deck.
    """
    bounded = rules.meld.concealed and rules.deal.is_fixed
    bounded &= _LARGER.isdisjoint(rules.asked) and Move not in rules.effects
    if not bounded or not rules.draw.takes_top:
        return None
    size = rules.deal.fixed_size(players, round_number)
    return size + 1 + rules.wild.by_extra_card


def usual_hand(rules: Ruleset, players: int, round_number: int) -> int | None:
    """
    How many cards a hand has before the draw where melds stay in it; None if it varies.
    """
    most = largest_hand(rules, players, round_number)
    varies = rules.wild.by_extra_card or rules.deal.may_be_short
    if most is None or varies or not _OTHER.isdisjoint(rules.asked):
        return None
    return most - 1


_LARGER: Final = frozenset({"cards_drawn", "buys"})
"""The questions by which house rules make hands larger."""
_OTHER: Final = frozenset({"discards_owed", "lays_aside"})
"""Others by which they make hands smaller."""


@explained
def deal(
    state: State,
    *,
    deck: str | Sequence[Card] | None = None,
    put_back: Sequence[int] = (),
    shuffle: int = 0,
    cut: int = 0,
) -> State:
    """
    Deal the next round.

    Args:
        state: A state in which a deal is due.
        deck: The top cards of the deck; the others follow below. By default the deck is
            shuffled from the game's seed, anew if a deal is thrown in.
        put_back: With a deck by hand: the places of cards that are put back, as in
            `Deal`.
        shuffle: With a deck by hand: the number that decides the order of a discard
            pile that is shuffled and turned over.
        cut: With a deck by hand: how many cards were cut off before the deal; 0 if
            nobody cut.

    Raises:
        IllegalAction: If no deal is due.
        PositionError: If the given deck is impossible.
        RulesError: If a thousand deals in a row had to be thrown in.

    >>> state = rv.game.begin("rummy-500", 2, seed=3)
    >>> rv.game.deal(state, deck="7h 8h 9h").hands
    (Cards('2c 4c 6c 8c Tc Qc Ad 3d 7h 9h'), Cards('Ac 3c 5c 7c 9c Jc Kc 2d 4d 8h'))
    """
    if deck is not None:
        cards = whole_deck(state.match.rules, len(state.players), deck)
        dealer = next_dealer(state)
        made = Deal(cards, dealer, tuple(put_back), shuffle, cut=cut)
        return apply(state, made)
    while True:
        made = next_deal(state)
        if state.phase == "deal":
            _remember_deal(state, made)
        state = apply(state, made)
        if state.phase != "deal" or not state.match.thrown_in:
            return state


def deal_known(draft: Draft) -> None:
    """
    Deal from the game's seed on a draft in which a deal is due.

    The deal may be thrown in, and then another one is due.

    Raises:
        RulesError: As for `deal`.
    """
    made = next_deal(draft)
    _remember_deal(draft, made)
    do_known(draft, made)


def _remember_deal(state: AnyState, made: Deal) -> None:
    """
    Keep a deal from the seed: its deck is whole, so it need not be checked again.
    """
    if 0 <= made.dealer < len(state.match.players):
        remember(state, (made, None))


def whole_deck(
    rules: Ruleset, players: int, given: str | Sequence[Card]
) -> tuple[Card, ...]:
    """
    A whole deck from its first cards.

    Raises:
        ParseError: If a text names no cards.
        PositionError: If the deck does not hold the cards that are named; with all of
            them.
    """
    named = parse_cards(given) if isinstance(given, str) else tuple(given)
    terms = rules.terms(players)
    there = Counter(card.code for card in named)
    wrong = [
        objection
        for code, number in there.items()
        if (objection := refuse_number(rules.deck, terms, code, number)) is not None
    ]
    if wrong:
        cited = dict.fromkeys(rules.rule_of(one.path) for one in wrong)
        raise PositionError([one.reason for one in wrong], cited)
    left = Counter(rules.deck.cards_for(players)) - there
    return (*named, *(CARDS[code] for code in sorted(left.elements())))
