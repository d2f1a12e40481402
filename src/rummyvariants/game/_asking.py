"""
The answers of house rules: asked for, combined and remembered.

There is one function for each question; `_questions` reads and checks its answers.
"""

from __future__ import annotations

import itertools

from collections.abc import (
    Collection,
    Iterable,
    Iterator,
    Mapping,
)
from typing import Any, Final

from rummyvariants._support.words import counted
from rummyvariants.cards import CARDS, FIELD, Card, common, size
from rummyvariants.game._questions import Groups, read_answer
from rummyvariants.melds._meld import Meld
from rummyvariants.policies._duties import Duty, duty
from rummyvariants.policies.answers import (
    Memory,
    Move,
    Opening,
    Points,
    Price,
)
from rummyvariants.policies.facts import (
    DROPPED,
    DealFacts,
    MatchFacts,
    RoundFacts,
    Turn,
    as_deck,
    readers,
)
from rummyvariants.policies.house import HouseRule, no_sense
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


Answer = tuple[str, HouseRule, Any]
"""What a refusal cites, the rule, and what it says."""
_ANSWERS_AT_MOST: Final = 8_192


# -------------------------------------------------------------------------- asking


def _asked(
    state: Any, seat: int, question: str, *more: object, once: bool = True
) -> Iterable[Answer]:
    """
    What the rules in force say to a question about a turn.

    Args:
        state: A state or a draft.
        seat: Who is asked, or about whom.
        question: The name of the question.
        more: What else it is about.
        once: Whether answers are remembered by what they read.
    """
    silent = question not in state.match.rules.asked
    return () if silent else _answers(state, seat, question, more, once=once)


def _answers(
    state: Any, seat: int, question: str, more: tuple[object, ...], *, once: bool
) -> Iterator[Answer]:
    """
    The same for a question that some rule answers.
    """
    rules: Ruleset = state.match.rules
    for at, (path, rule) in enumerate(rules.asked[question]):
        memory = None if rule.memory is None else remembered(state, rule)
        key = None
        if once and rule.reads is not None:
            read = [one(state, seat) for one in readers(rule.reads)]
            # What an answer means may depend on how many players there are.
            players = len(state.match.players)
            key = (question, at, players, memory, *more, *read)
            if key in rules.answers:
                answer = rules.answers[key]
                if answer is not None:
                    yield path, rule, answer
                continue
        said = getattr(rule, question)(Turn(state, seat, memory), *more)
        answer = read_answer(rule, question, said, state.match)
        if key is not None:
            _kept(rules, key, answer)
        if answer is not None:
            yield path, rule, answer


def _kept(rules: Ruleset, key: tuple[object, ...], answer: Any) -> Any:
    """
    An answer, which is remembered by what it depends on.
    """
    if len(rules.answers) >= _ANSWERS_AT_MOST:
        rules.answers.clear()
    rules.answers[key] = answer
    return answer


def _of(match: Any, question: str, *about: object) -> Iterator[Answer]:
    """
    What the rules in force say to a question about a deal or a match.
    """
    for path, rule in match.rules.asked.get(question, ()):
        answer = read_answer(rule, question, getattr(rule, question)(*about), match)
        if answer is not None:
            yield path, rule, answer


def read_by(rules: Ruleset, question: str) -> frozenset[str] | None:
    """
    The facts on which the answers to a question depend; None if that is not known.
    """
    reads = [rule.reads for _, rule in rules.asked.get(question, ())]
    known = [one for one in reads if one is not None]
    return frozenset().union(*known) if len(known) == len(reads) else None


# -------------------------------------------------------------------------- the deal


def deal_facts(match: Any, dealer: int, cut: int = 0, dealt: int = 0) -> DealFacts:
    """
    What rules may know of a deal; of one that is done, also the cut and its cards.
    """
    players, gone = len(match.players), eliminated(match)
    deck = as_deck(match.rules.deck.cards_for(players))
    seats = [(dealer + step) % players for step in range(1, players + 1)]
    order = tuple([seat for seat in seats if seat not in gone])
    number = match.round_number
    return DealFacts(players, number, dealer, match.scores, deck, order, cut, dealt)


def hand_size(match: Any, dealer: int, seats: int) -> int:
    """
    The size of a hand where it is fixed.

    Args:
        match: The match.
        dealer: Who deals.
        seats: How many are dealt cards.

    Raises:
        RulesError: If the deck does not hold so many cards.
    """
    rules: Ruleset = match.rules
    deal = deal_facts(match, dealer)
    for _, rule, found in _of(match, "hand_size", deal):
        if found * seats + 2 + rules.stock.dead > len(deal.deck):
            most = (len(deal.deck) - 2 - rules.stock.dead) // seats
            wanted = f"{most} at most in round {deal.round_number}"
            raise no_sense(rule, "hand_size", found, wanted)
        break
    else:
        found = rules.deal.fixed_size(deal.players, deal.round_number)
    size: int = found
    return size


def wild_rank(match: Any, dealer: int) -> str | None:
    """
    The rank that a rule makes wild in a deal; empty for none, None if no rule answers.
    """
    if "wild_rank" not in match.rules.asked:
        return None
    found = _of(match, "wild_rank", deal_facts(match, dealer))
    return next((rank for _, _, rank in found), None)


def laid_aside(match: Any, dealer: int) -> tuple[tuple[str, int], ...]:
    """
    The zones of cards that no hand keeps, each with the faces of those cards.
    """
    rules: Ruleset = match.rules
    if "lays_aside" not in rules.asked:
        return ()
    players = len(match.players)
    key = ("lays_aside", players, match.round_number, dealer, match.scores)
    found: tuple[tuple[str, int], ...] | None = rules.answers.get(key)
    if found is None:
        asked = _of(match, "lays_aside", deal_facts(match, dealer))
        zones = tuple([(rule.name, cards) for _, rule, cards in asked])
        found = _kept(rules, key, zones)
    return found


def zone_names(rules: Ruleset) -> tuple[str, ...]:
    """
    The names of zones that the rules are known to use; `follows` may make up others.
    """
    asked = (*rules.asked.get("lays_aside", ()), *rules.asked.get("follows", ()))
    names = {rule.name for _, rule in asked}
    if rules.settled.leaves:
        names.add(DROPPED)
    return tuple(sorted(names))


def never_held(state: Any) -> int:
    """
    The faces of the cards that no hand ever holds.
    """
    found: int = state.match.rules.deal.never_held(state.dealt.terms)
    for _, faces in laid_aside(state.match, state.dealt.dealer):
        found |= faces
    return found


# ----------------------------------------------------------------------------- draws


def cards_drawn(state: Any, seat: int) -> int:
    """
    How many cards a seat draws from the stock.
    """
    return next((found for *_, found in _asked(state, seat, "cards_drawn")), 1)


def peeks(state: Any, seat: int) -> tuple[str, int]:
    """
    The rule by which a seat may look at the stock, and at how many cards.
    """
    found = [(path, number) for path, _, number in _asked(state, seat, "peeks")]
    return max(found, key=lambda one: one[1], default=("RV-07", 0))


def refuse_take(
    state: Any, seat: int, count: int, heard: Collection[HouseRule] = ()
) -> Objection | None:
    """
    Why house rules refuse to let so many discards be taken.

    Args:
        state: The state.
        seat: Who would take them.
        count: How many.
        heard: Rules that have answered about the take already.
    """
    for path, rule, allowed in _asked(state, seat, "takes"):
        if rule not in heard and count not in allowed:
            cards = counted(count, "discard")
            return Objection(path, rule.because(f"{cards} may not be taken"))
    return None


def refuse_take_with(
    state: Any, seat: int, count: int, meld: Meld, otherwise: Objection | None
) -> Objection | None:
    """
    Why house rules refuse to let so many discards be taken whose top card is laid.

    Args:
        state: The state.
        seat: Who would take them.
        count: How many.
        meld: The meld as it would be, the top card in it.
        otherwise: The refusal if no rule answers.
    """
    refused, heard = otherwise, []
    for path, rule, may in _asked(state, seat, "takes_with", count, meld):
        if not may:
            return Objection(path, rule.because(f"the pile is not taken with {meld}"))
        refused = None
        heard.append(rule)
    return refused or refuse_take(state, seat, count, heard)


def owed(state: Any, seat: int) -> tuple[Duty, ...]:
    """
    The duties that a draw brings by house rules, in the order of the rules.
    """
    found = []
    drawn = state.drawn._cards
    for path, rule, cards in _asked(state, seat, "owes"):
        for one in cards:
            if not isinstance(one.card, Card) or one.card.code not in drawn:
                raise no_sense(rule, "owes", one, "a card that was drawn")
            found.append(duty(one.card.code, one.how, path))
    return tuple(found)


def price(state: Any, seat: int) -> tuple[str, Price] | None:
    """
    The rule by which a seat may buy the discard just made, and the price.

    Returns:
        None if it is not for sale.
    """
    found = _asked(state, seat, "buys")
    return next(((path, price) for path, _, price in found), None)


def refuse_buy(state: Any, seat: int) -> Objection | None:
    """
    Why the rules by which discards are bought let a seat buy none; None if none says.
    """
    for _, rule in state.match.rules.asked.get("buys", ()):
        wrong: Objection | None = rule.refuse_buy(
            Turn(state, seat, remembered(state, rule))
        )
        if wrong is not None:
            return wrong
    return None


def drop_price(state: Any, seat: int) -> tuple[str, int] | None:
    """
    The rule by which a seat may leave the round before the draw, and the points.

    Returns:
        None if it may not.
    """
    found = _asked(state, seat, "drops")
    return next(((path, points) for path, _, points in found), None)


# ----------------------------------------------------------------------------- melds


def refuse_another(state: Any, seat: int, made: int) -> Objection | None:
    """
    Why a seat may make no more new melds in a turn with so many.
    """
    for path, rule, most in _asked(state, seat, "most_melds"):
        if made >= most:
            return Objection(path, rule.because("no more melds may be made this turn"))
    return None


def refuse_lay(state: Any, seat: int, *melds: Meld) -> Objection | None:
    """
    Why a player may not lay one or more melds, shown as they would be then.
    """
    for meld in melds:
        for path, rule, may in _asked(state, seat, "may_lay", meld):
            if not may:
                return Objection(path, rule.because(f"{meld} may not be laid now"))
    return None


def asked_openings(
    state: Any, seat: int
) -> list[tuple[str, HouseRule, Opening, Groups]]:
    """
    What a seat's first melds must be: what a refusal cites, the rule, and its answer.

    Returns:
        Nothing if the seat has melded.
    """
    if "opening" not in state.match.rules.asked or state._has_meld >> seat & 1:
        return []
    return [
        (path, rule, *answer) for path, rule, answer in _asked(state, seat, "opening")
    ]


def refuse_opening(
    state: Any, seat: int, melds: tuple[Meld, ...], used: int
) -> Objection | None:
    """
    Why a player's first melds are refused; None if they are allowed, or not the first.

    Args:
        state: The state.
        seat: Who lays them.
        melds: The melds as they would be.
        used: Their cards, as a multiset.
    """
    hand = state._hands[seat]
    for path, rule, answer, groups in asked_openings(state, seat):
        circle = state.dealt.terms.runs_along.circle
        wrong = _not_first(answer, groups, melds, circle)
        left = size(hand - common(hand, used))
        points = sum(map(Turn(state, seat).points, melds)) if answer.points else 0
        if points < answer.points and not _is_waived(state, answer, melds, left):
            text = f"the first melds are worth only {counted(points, 'point')}"
            wrong = f"{text}, and {answer.points} are needed"
        if answer.leaves is not None and left > answer.leaves:
            most = "but the first melds must take the whole hand"
            if answer.leaves:
                most = f"and the first melds may leave {counted(answer.leaves, 'card')}"
            wrong = f"{counted(left, 'card')} would be left in the hand, {most}"
        if wrong:
            return Objection(path, rule.because(wrong))
    return None


def _is_waived(state: Any, answer: Opening, melds: tuple[Meld, ...], left: int) -> bool:
    """
    Whether first melds need no points that leave so many cards in the hand.
    """
    if not answer.waived_at or left > 1 or state.drawn.source != "stock":
        return False
    return any(len(meld) >= answer.waived_at for meld in melds)


def openings(state: Any, seat: int) -> tuple[Opening, ...]:
    """
    What a player's first melds must be; nothing if they have melded.
    """
    return tuple([answer for _, _, answer, _ in asked_openings(state, seat)])


def first_groups(
    state: Any, seat: int
) -> tuple[list[tuple[str, int]], bool, int | None]:
    """
    The groups that a player's first melds must be, where rules ask for groups.

    Returns:
        Each group as the kind of a meld and the least number of its cards, of the first
        rule that names some; whether runs must be apart; and how many cards may be left
        in the hand, None for any number.
    """
    groups: list[tuple[str, int]] = []
    apart, leaves = False, None
    for *_, (answer, named) in _asked(state, seat, "opening"):
        groups = groups or [*named]
        apart = apart or answer.apart
        if leaves is None or (answer.leaves is not None and answer.leaves < leaves):
            leaves = answer.leaves
    return groups, apart, leaves


def _not_first(
    answer: Opening, groups: Groups, melds: tuple[Meld, ...], circle: int
) -> str:
    """
    Why melds may not be a player's first, by their kinds; empty if they may.

    Runs go round a circle of so many ranks; 0 if they do not.
    """
    laid = [(one.kind, len(one)) for one in melds]
    if lacking(groups, laid, exact=answer.exact)[0]:
        return f"the first melds must be {answer}, laid together"
    if answer.only and len(melds) > len(groups):
        return f"the first melds must be {answer} and nothing else"
    if answer.apart:
        for one, other in itertools.permutations(melds, 2):
            if _continues(one, other, circle):
                return f"{one} and {other} are contiguous: together they would be a run"
    return ""


def _continues(one: Meld, other: Meld, circle: int) -> bool:
    """
    Whether a run goes on where another of its suit ends.
    """
    if one.kind != "run" or other.kind != "run":
        return False
    gap = other.low - one.low - len(one)
    return one.suit == other.suit and not (gap % circle if circle else gap)


def lacking(
    groups: Groups, laid: Iterable[tuple[str, int]], *, exact: bool
) -> tuple[Groups, int]:
    """
    The groups of an opening that still lack a meld, and how many melds fit none.

    Args:
        groups: The groups.
        laid: The melds, by kind and size.
        exact: Whether a meld may have no more cards than its group.
    """
    left, others = list(groups), 0
    # Each meld takes the biggest group that it fits, short melds first.
    for kind, number in sorted(laid):
        fit = [
            size
            for one, size in left
            if one == kind
            and (not size or size == number or (size < number and not exact))
        ]
        if fit:
            left.remove((kind, max(fit)))
        else:
            others += 1
    return tuple(left), others


# -------------------------------------------------------------------------- lay-offs


def refuse_layoff(state: Any, seat: int) -> Objection | None:
    """
    Why house rules let a seat not lay off at all.
    """
    for path, rule, may in _asked(state, seat, "may_lay_off"):
        if not may:
            return Objection(path, rule.because("no card may be laid off"))
    return None


def lets_lay_off(state: Any, seat: int) -> bool:
    """
    Whether house rules certainly let a seat lay off, now and later.
    """
    asked = state.match.rules.asked.get("may_lay_off", ())
    lasts = [rule.reads is not None and rule.reads <= _LASTING for _, rule in asked]
    return all(lasts) and refuse_layoff(state, seat) is None


_LASTING: Final = frozenset({"players", "seat", "side"})
"""Facts that stay the same whenever the same rules are played."""


def makers_open_to(state: Any, seat: int) -> int:
    """
    Mask of the seats on whose melds house rules let a seat lay cards.
    """
    makers = (1 << len(state.match.players)) - 1
    for *_, found in _asked(state, seat, "lays_off_on"):
        makers &= found
    return makers


def refuse_onto(state: Any, seat: int, maker: int) -> Objection | None:
    """
    Why house rules let a seat lay no card on the melds of another.
    """
    for path, rule, found in _asked(state, seat, "lays_off_on"):
        if not found >> maker & 1:
            return Objection(path, rule.because("no card may be laid on that meld"))
    return None


# -------------------------------------------------------------- discards and the end


def refuse_discard(state: Any, seat: int, code: int) -> Objection | None:
    """
    Why house rules refuse a discard.
    """
    for path, rule, allowed in _asked(state, seat, "discards"):
        if not allowed & FIELD[code]:
            return Objection(path, rule.because(f"{CARDS[code]} may not be discarded"))
    return None


def discards_owed(state: Any, seat: int) -> int:
    """
    How many discards end a turn by house rules.
    """
    found = [number for *_, number in _asked(state, seat, "discards_owed")]
    return max(found, default=1)


def refuse_knock(state: Any, seat: int) -> Objection | None:
    """
    Why house rules refuse a knock or a declaration.
    """
    for path, rule, may in _asked(state, seat, "may_knock"):
        if not may:
            verb = "declare" if state.match.rules.out.declares else "knock"
            return Objection(path, rule.because(f"nobody may {verb} now"))
    return None


def refuse_out(state: Any, seat: int) -> Objection | None:
    """
    Why house rules keep a seat's last card in its hand.
    """
    if "may_go_out" in state.match.rules.asked:
        for path, rule, may in _asked(state, seat, "may_go_out"):
            if not may:
                return Objection(path, rule.because("the last card may not be played"))
    return None


def asked_partner(state: Any, seat: int) -> tuple[str, int] | None:
    """
    The rule by which a seat may ask another whether to go out, and whom it asks.

    Returns:
        None if it may ask nobody.
    """
    for path, rule, partner in _asked(state, seat, "asks"):
        if partner == seat:
            raise no_sense(rule, "asks", partner, "another seat, or None")
        return path, partner
    return None


def must_go_out(state: Any, seat: int) -> Objection | None:
    """
    Why house rules let a seat finish its turn only by going out; None if none does.
    """
    if "must_go_out" in state.match.rules.asked:
        for path, rule, must in _asked(state, seat, "must_go_out"):
            if must:
                return Objection(path, rule.because("the player has to go out now"))
    return None


def refused_for_good(
    state: Any, seat: int, question: str, changing: frozenset[str]
) -> bool:
    """
    Whether a rule says no to a question, and reads nothing that might change.

    Args:
        state: The state.
        seat: Who is asked.
        question: A question with yes or no for an answer.
        changing: The facts that might change.
    """
    return any(
        rule.reads is not None and rule.reads.isdisjoint(changing) and not may
        for _, rule, may in _asked(state, seat, question)
    )


def next_seat(state: Any, seat: int) -> int | None:
    """
    Who plays next by a house rule; None if no rule answers.
    """
    return next((found for *_, found in _asked(state, seat, "next_seat")), None)


# ----------------------------------------------------------------- points and match


def points(state: Any, how: str, total: list[int]) -> Iterator[tuple[str, Points]]:
    """
    The points that house rules give at the end of a round, with what they cite.

    Args:
        state: The round, its cards as they lie.
        how: How it ended.
        total: By seat, the points from the values; those from the rules are added to
            it.
    """
    for path, rule in state.match.rules.asked["score"]:
        end = RoundFacts(state, how, (*total,), remembered(state, rule))
        for one in read_answer(rule, "score", rule.score(end), state.match) or ():
            total[one.seat] += one.points
            yield path, one


def payments(
    state: Any, how: str, total: tuple[int, ...]
) -> Iterator[tuple[str, Points]]:
    """
    What players pay each other at the end of a round, with what it cites.

    Args:
        state: The round, its cards as they lie.
        how: How it ended.
        total: By seat, the points of the round.
    """
    for path, rule in state.match.rules.asked["pays"]:
        said = rule.pays(RoundFacts(state, how, total, remembered(state, rule)))
        for one in read_answer(rule, "pays", said, state.match) or ():
            yield path, one


def eliminated(match: Any) -> frozenset[int]:
    """
    The seats that do not play on.
    """
    rules: Ruleset = match.rules
    if "eliminated" not in rules.asked:
        return frozenset()
    key = ("eliminated", match.scores, match.round_number)
    if key not in rules.answers:
        players = len(match.players)
        facts = MatchFacts(players, match.scores, match.round_number - 1)
        found = [seats for *_, seats in _of(match, "eliminated", facts)]
        rules.answers[key] = frozenset[int]().union(*found)
    known: frozenset[int] = rules.answers[key]
    return known


def coming_back(match: Any, seat: int) -> tuple[str, int] | None:
    """
    The rule by which an eliminated seat may come back, and the total it goes on with.

    Returns:
        None if it may not.
    """
    players, gone = len(match.players), eliminated(match)
    if seat not in gone:
        return None
    rounds = match.round_number - 1
    facts = MatchFacts(players, match.scores, rounds, eliminated=gone)
    found = _of(match, "rejoins", facts, seat)
    return next(((path, total) for path, _, total in found), None)


def winners(match: Any, out: int | None) -> tuple[int, ...] | None:
    """
    Who has won by a house rule; None if no rule answers.

    If only one side is left in the match, it has won.

    Args:
        match: The match after the round.
        out: Who went out first, if anybody did.
    """
    rules: Ruleset = match.rules
    players = len(match.players)
    gone = eliminated(match)
    facts = MatchFacts(players, match.scores, match.round_number - 1, out, gone)
    for *_, found in _of(match, "winners", facts):
        return tuple(sorted({*found}))
    if gone:
        left = [
            side for side in rules.match.sides_of(players) if not gone.issuperset(side)
        ]
        if not left:
            best: tuple[int, ...] = rules.match.best(match.scores)
            return best
        if len(left) == 1:
            return tuple(left[0])
    return None


# -------------------------------------------------------------- memory and effects


def remembered(state: Any, rule: HouseRule) -> Any:
    """
    What a rule remembers.
    """
    if rule.memory is None:
        return None
    name = f"{rule.section}.{rule.name}"
    for known, value in state._memory:
        if known == name:
            return value
    return rule.memory.start


def memory_after(
    state: Any, seat: int, action: object, kept: tuple[tuple[str, Any], ...]
) -> tuple[tuple[str, Any], ...]:
    """
    What all rules remember after an action.

    Args:
        state: The state before.
        seat: Who acted.
        action: The action.
        kept: What was remembered before, without what the action ends.
    """
    found = dict(kept)
    for _, rule, answer in _asked(state, seat, "remembers", action, once=False):
        found[f"{rule.section}.{rule.name}"] = answer
    return only_news(state.match.rules, found)


def memory_of_deal(
    match: Any, kept: tuple[tuple[str, Any], ...], deal: DealFacts
) -> tuple[tuple[str, Any], ...]:
    """
    What all rules remember after a deal.

    Args:
        match: The match.
        kept: What was remembered before.
        deal: The deal.
    """
    found = dict(kept)
    for _, rule, answer in _of(match, "remembers_deal", deal):
        found[f"{rule.section}.{rule.name}"] = answer
    return only_news(match.rules, found)


def memory_kept(
    rules: Ruleset, memory: tuple[tuple[str, Any], ...], *ended: str
) -> tuple[tuple[str, Any], ...]:
    """
    What is still remembered when a turn or a round has ended.
    """
    scopes = {name: one.scope for name, one in memories(rules).items()}
    # What the engine itself remembers lasts for the round.
    return tuple([one for one in memory if scopes.get(one[0], "round") not in ended])


def memories(rules: Ruleset) -> dict[str, Memory]:
    """
    What the rules in force remember, by section and name.
    """
    return {
        f"{rule.section}.{rule.name}": rule.memory
        for _, rule in rules.house
        if rule.memory is not None
    }


def only_news(rules: Ruleset, found: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """
    What is remembered, in order, without what has not changed since the start.
    """
    known = memories(rules)
    return tuple(
        sorted(
            [
                (name, value)
                for name, value in found.items()
                if name not in known or value != known[name].start
            ],
            key=lambda pair: pair[0],
        )
    )


def followed(state: Any, seat: int, action: object) -> list[Move]:
    """
    The additional effects of an action.
    """
    moves = [some for *_, some in _asked(state, seat, "follows", action, once=False)]
    return [*itertools.chain(*moves)]
