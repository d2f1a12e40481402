"""
What players ask about the rules of a game before they deal, answered in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rummyvariants._support.words import card as card_named
from rummyvariants._support.words import figure, from_to, listed, rank, ranks
from rummyvariants.cards import ALL_CODES, CARDS, CODES, RANKS, Card, Cards
from rummyvariants.errors import ParseError, RulesError
from rummyvariants.rules._origins import Rules, telling


_LEFT: Final[Mapping[str, str]] = {
    "subtract": "against its holder",
    "to the one who is out": "for the player who went out",
    "to the lowest hand": "for the player with the fewest points in hand",
    "nothing": "for nobody",
    "add": "for its holder, and the lowest score wins",
    "the difference": "towards the difference, which whoever has fewer points scores",
}
"""For whom a card left in a hand counts, by what the rules say of it."""
_NAMES: Final = {rank(one): one for one in f"{RANKS}*"} | {"10": "T", "jk": "*"}
"""The ranks by their names, and by other ways to write them."""


def hands_dealt(rules: Rules, players: int) -> str:
    """
    How many cards each of so many players is dealt, with the rule.

    Raises:
        RulesError: If the game is not for so many.
    """
    low, high = rules.match.players
    if not low <= players <= high:
        msg = f"{rules.name} is for {from_to(low, high, 'player')}, not {players}"
        raise RulesError(msg, [rules.rule_of("match.players")])
    deal = rules.deal
    paths = ["deal.hand_size"]
    if not deal.is_fixed:
        paths = ["deal.method", "deal.upcard_counts"]
        named = [one for one in rules.deck.ranks if one not in deal.put_back_ranks]
        sizes = {deal.whole_hand(deal.upcard_number(one)) for one in named}
        said = f"{min(sizes)} to {figure(max(sizes), 'card')}, as many as the first "
        said += "card of the hand, the upcard, names"
    elif deal.by_round:
        paths = ["deal.by_round"]
        last = rules.match.most_rounds or max(at for at, _ in deal.by_round)
        rounds = [one for one in deal.by_round if one[0] <= last]
        said = _by_round(rounds)
    else:
        if players == 2 and isinstance(deal.for_two, int):
            paths = ["deal.for_two"]
        said = figure(deal.fixed_size(players, 1), "card")
    if deal.deals_one_more:
        paths.append("deal.first_discard")
        said += ", and the player who begins one more"
    return f"{said}{_unless(rules, 'values')} {_cited(rules, paths)}"


def _by_round(rounds: list[tuple[int, int]]) -> str:
    """
    The sizes of hands by the round from which they hold.
    """
    (start, first), *later = rounds
    if len(later) > 2 and all(size - first == at - start for at, size in later):
        last, most = later[-1]
        return (
            f"{figure(first, 'card')} in round {start}, and one more in each round "
            f"up to {most} in round {last}"
        )
    more = [f"from round {at} on {figure(size, 'card')}" for at, size in later]
    return ", ".join([figure(first, "card"), *more])


def worth_told(rules: Rules, given: Card | str) -> str:
    """
    What a card, or the cards of a rank, count, where, and for whom, with the rules.

    Raises:
        ParseError: If it is neither a card nor a rank.
        RulesError: If no deck of the game has it.
    """
    found = _faces(given)
    deck = {*rules.deck.cards_for(rules.match.players[1])}
    there = [one for one in found if one.code in deck]
    if not there:
        msg = f"the deck of {rules.name} holds no {given}"
        raise RulesError(msg, [rules.rule_of("deck.ranks")])
    paths: dict[str, None] = {}
    said: dict[str, list[Card]] = {}
    for one in there:
        said.setdefault(", ".join(_points(rules, one, paths)), []).append(one)
    parts = [
        text if len(said) == 1 else f"{Cards(some)}: {text}"
        for text, some in said.items()
    ]
    score = rules.score
    laid = "for the player who laid it" if score.counts_table else "for nobody"
    parts.append(f"on the table it counts {laid}")
    arranged = score.counts_unmatched or score.counts_difference
    unmatched = ", in no meld," if arranged else ""
    parts.append(f"left in a hand{unmatched} it counts {_LEFT[score.hands]}")
    paths |= dict.fromkeys(["score.down", "score.hands"])
    if score.blocked in _LEFT:
        parts.append(f"when nobody is out, {_LEFT[score.blocked]}")
        paths["score.blocked"] = None
    return f"{'; '.join(parts)}{_unless(rules, 'worth')} {_cited(rules, [*paths])}"


def _faces(given: Card | str) -> list[Card]:
    """
    The cards that are meant: one, or all of a rank.
    """
    if isinstance(given, str):
        name = given.strip().casefold()
        name = _NAMES.get(name, name.upper())
        for letter in f"{RANKS}*":
            if name in {letter, ranks(letter).upper()}:
                return [CARDS[one] for one in ALL_CODES if CARDS[one].rank == letter]
        for one in ALL_CODES:
            if name == card_named(str(CARDS[one])).upper():
                return [CARDS[one]]
    try:
        return [given if isinstance(given, Card) else Card(given)]
    except ParseError:
        msg = (
            f"{given!r} is neither a card such as 'Qs' nor a rank such as 'A' or 'ace'"
        )
        raise ParseError(msg) from None


def _points(rules: Rules, card: Card, paths: dict[str, None]) -> Iterator[str]:
    """
    What a card counts, by where it lies and as what.

    Args:
        rules: The rules.
        card: The card.
        paths: Takes the policy values that say so.
    """
    score, code, face = rules.score, card.code, str(card)
    if face in rules.deal.laid_aside and score.laid_aside:
        paths["score.laid_aside"] = None
        yield f"{figure(score.laid_aside, 'point')}, laid out at once"
        return
    always = rules.wild.permanent()[code]
    plain = score.worth((always,) * CODES)[code]
    paths[score.question(code, wild=always)] = None
    yield f"{figure(plain, 'point')}{', being wild' if always else ''}"
    wild = score.worth((True,) * CODES)[code]
    if rules.wild.is_named and not always and wild != plain:
        paths[score.question(code, wild=True)] = None
        yield f"{wild} when it is wild"
    if card.rank == "A" and not always:
        low = score.low_ace_points()
        may_be_low = rules.meld.runs and rules.meld.track(rules.deck.ranks)[0] == "A"
        if may_be_low and low != plain and face not in dict(score.special):
            paths["score.low_ace"] = None
            yield f"{low} when low in a run"
        if score.four_ace_points is not None:
            paths["score.four_aces"] = None
            yield f"{score.four_ace_points} when one player lays four in a set"
    if score.doubles_fours:
        paths["score.four_at_once"] = None
        yield "twice as many in four put down at once"
    if face in dict(score.in_hand):
        paths[f"score.in_hand.{face}"] = None
        yield f"{dict(score.in_hand)[face]} when left in a hand"


def _unless(rules: Rules, question: str) -> str:
    """
    Which house rules may say otherwise.
    """
    names = [f"{rule.name!r}" for _, rule in rules.asked.get(question, ())]
    return f", unless {listed(names, 'or')} says otherwise" if names else ""


def _cited(rules: Rules, paths: list[str]) -> str:
    return f"[{', '.join(telling(map(rules.rule_of, paths)))}]"
