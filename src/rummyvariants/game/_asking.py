"""
The answers of house rules: asked for, combined and remembered.

`ROWS` says what an answer to each question may be, and what comes of several.
"""

from __future__ import annotations

import functools
import itertools

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from rummyvariants._support.words import counted
from rummyvariants.cards import Card, common, size
from rummyvariants.game._round import ScoreItem
from rummyvariants.house.answers import (
    EndMatch,
    EndRound,
    GoOn,
    Leave,
    Move,
    Offer,
    Opening,
    Points,
    Remember,
)
from rummyvariants.house.facts import (
    AWARDED,
    DROPPED,
    DealFacts,
    Engine,
    MatchFacts,
    RoundFacts,
    Turn,
    as_deck,
    readers,
)
from rummyvariants.house.rules import HouseRule, no_sense, times_of
from rummyvariants.melds._meld import Meld, Played, Slot
from rummyvariants.policies._duties import Duty, duty
from rummyvariants.policies._questions import (
    ROWS,
    Answer,
    Groups,
    answers_of,
    ask,
    zones_of,
)
from rummyvariants.policies.draw import NOT_WITH_A_MELD
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


_ANSWERS_AT_MOST: Final = 8_192
_NOT_ASKED: Final = object()


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
    state: Any, seat: int, question: str, more: tuple[object, ...], *, once: bool = True
) -> Iterator[Answer]:
    """
    The same for a question that some rule answers.
    """
    rules: Ruleset = state.match.rules
    for at, (path, rule) in enumerate(rules.asked[question]):
        memory = None if rule.memory is None else remembered(state, rule)
        key: tuple[object, ...] | None = None
        # To hash a meld takes longer than to ask about it.
        if once and rule.reads is not None and question != "may_lay":
            # What an answer means may depend on how many players there are.
            facts = [read(state, seat) for read in readers(rule.reads)]
            key = (question, at, len(state.match.players), memory, *more, *facts)
        answer = _NOT_ASKED if key is None else rules.answers.get(key, _NOT_ASKED)
        if answer is _NOT_ASKED:
            answer = ask(rule, question, state.match, Turn(state, seat, memory), *more)
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


def refusal(
    state: Any, seat: int, question: str, about: object = None, *more: object
) -> Objection | None:
    """
    Why the rules in force refuse what they are asked about; None if none does.

    Args:
        state: A state or a draft.
        seat: Who is asked, or about whom.
        question: The name of the question.
        about: What the answers have to allow.
        more: What the question is given.
    """
    rules: Ruleset = state.match.rules
    if question not in rules.asked:
        return None
    answers = _answers(state, seat, question, more)
    return ROWS[question].refusal(rules, about, answers)


def answer_to(state: Any, seat: int, question: str) -> tuple[str, Any] | None:
    """
    What the rules in force answer together, with what it cites; None for nothing.
    """
    return ROWS[question].together(_asked(state, seat, question))


def _of(match: Any, question: str, *about: object) -> Iterator[Answer]:
    """
    What the rules in force say to a question about a deal or a match.
    """
    return answers_of(match.rules, question, match, *about)


# -------------------------------------------------------------------------- the deal


def deal_facts(match: Any, dealer: int, cut: int = 0, dealt: int = 0) -> DealFacts:
    """
    What rules may know of a deal; of one that is done, also the cut and its cards.

    Args:
        match: The match, or a document of it.
        dealer: Who deals.
        cut: How many cards were cut off.
        dealt: How many were dealt to the hands.
    """
    players, number = len(match.players), match.round_number
    gone = eliminated(match)
    deck = as_deck(match.rules.deck.cards_for(players))
    seats = [(dealer + step) % players for step in range(1, players + 1)]
    order = tuple([seat for seat in seats if seat not in gone])
    return DealFacts(players, number, dealer, match.scores, deck, order, cut, dealt)


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
    The names of the zones that the rules use.
    """
    names = {*zones_of(rules)}
    if rules.settled.leaves:
        names.add(DROPPED)
    return tuple(sorted(names))


def never_held(state: Any) -> int:
    """
    The faces of the cards that no hand ever holds.
    """
    found = 0
    for _, faces in laid_aside(state.match, state.dealt.dealer):
        found |= faces
    return found


# ----------------------------------------------------------------------------- draws


def refuse_take_with(state: Any, seat: int, count: int, meld: Meld) -> Objection | None:
    """
    Why so many discards may not be taken whose top card is laid at once.

    Args:
        state: The state.
        seat: Who would take them.
        count: How many.
        meld: The meld as it would be, the top card in it.
    """
    rules = state.match.rules
    said = [*_asked(state, seat, "takes_with", count, meld)]
    refused = ROWS["takes_with"].refusal(rules, meld, said)
    if not said and not rules.draw.melds_top:
        refused = NOT_WITH_A_MELD
    if refused is not None:
        return refused
    # A rule that has answered about the take is not asked about its number as well.
    heard = [rule for _, rule, _ in said]
    asked = [one for one in _asked(state, seat, "takes") if one[1] not in heard]
    return ROWS["takes"].refusal(rules, count, asked)


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


# ----------------------------------------------------------------------------- melds


def refuse_lay(state: Any, seat: int, *melds: Meld) -> Objection | None:
    """
    Why a player may not lay one or more melds, shown as they would be then.
    """
    for meld in melds if "may_lay" in state.match.rules.asked else ():
        wrong = refusal(state, seat, "may_lay", meld, meld)
        if wrong is not None:
            return wrong
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


def first_groups(state: Any, seat: int) -> tuple[list[tuple[str, int]], Opening]:
    """
    The groups that a player's first melds must be, where rules ask for groups.

    Returns:
        Each group as the kind of a meld and the least number of its cards, of the first
        rule that names some; and what else all rules together ask for: whether runs
        must be apart, how many cards may be left, and how many wilds there may be.
    """
    groups: list[tuple[str, int]] = []
    found = Opening()
    for *_, (answer, named) in _asked(state, seat, "opening"):
        groups = groups or [*named]
        found = Opening(
            apart=found.apart or answer.apart,
            leaves=_lower(found.leaves, answer.leaves),
            wilds=_lower(found.wilds, answer.wilds),
            wilds_each=_lower(found.wilds_each, answer.wilds_each),
        )
    return groups, found


def _lower(one: int | None, other: int | None) -> int | None:
    """
    The lower of two limits, each of which may be None for none.
    """
    return min([most for most in (one, other) if most is not None], default=None)


def _not_first(
    answer: Opening, groups: Groups, melds: tuple[Meld, ...], circle: int
) -> str:
    """
    Why melds may not be a player's first, by their kinds; empty if they may.

    Runs go round a circle of so many ranks; 0 if they do not.
    """
    laid = [(one.kind, len(one)) for one in melds]
    if lacking(groups, laid, exact=answer.exact)[0]:
        return f"the first melds must be {answer}, laid together{_example(groups)}"
    if answer.only and len(melds) > len(groups):
        return f"the first melds must be {answer} and nothing else"
    wrong = wilds_beyond(answer, [one.slots for one in melds])
    if wrong:
        return wrong
    if answer.apart:
        for one, other in itertools.permutations(melds, 2):
            if _continues(one, other, circle):
                return f"{one} and {other} are contiguous: together they would be a run"
    return ""


def wilds_beyond(answer: Opening, melds: Iterable[Sequence[Slot | Played]]) -> str:
    """
    Why melds hold too many wilds to be a player's first; empty if they do not.
    """
    wilds = [len([one for one in meld if one.substitutes]) for meld in melds]
    if answer.wilds_each is not None and max(wilds, default=0) > answer.wilds_each:
        most = counted(answer.wilds_each, "wild card")
        return f"each of the first melds may hold at most {most}"
    if answer.wilds is not None and sum(wilds) > answer.wilds:
        most = counted(answer.wilds, "wild card")
        return f"the first melds may hold at most {most} together"
    return ""


def _example(groups: Groups) -> str:
    """
    How melds of such groups are written; empty if one of them is no set and no run.
    """
    melds = []
    for at, (kind, least) in enumerate(groups):
        number = range(least or 3)
        if kind == "set":
            melds.append(" ".join("KQJT9"[at % 5] + "hdcs"[one % 4] for one in number))
        elif kind == "run" and len(number) < 8:
            melds.append(" ".join(f"{one + 2}{'hsdc'[at % 4]}" for one in number))
        else:
            return ""
    return f", as in 'meld {' / '.join(melds)}'"


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


def lets_lay_off(state: Any, seat: int) -> bool:
    """
    Whether house rules certainly let a seat lay off in the whole turn.
    """
    known = lasts(state, "may_lay_off")
    return known and refusal(state, seat, "may_lay_off") is None


def says(state: Any, seat: int, question: str) -> bool:
    """
    Whether house rules now say something to a question about a turn.
    """
    for _ in _asked(state, seat, question):
        return True
    return False


def is_silent(state: Any, seat: int, question: str, *lasting: str) -> bool:
    """
    Whether house rules certainly say nothing to a question in the whole turn.

    Args:
        state: The state.
        seat: Who is asked.
        question: A question about a turn alone.
        lasting: Facts that do not change any more in the turn.
    """
    if question not in state.match.rules.asked:
        return True
    return lasts(state, question, *lasting) and not says(state, seat, question)


def lasts(state: Any, question: str, *lasting: str) -> bool:
    """
    Whether the answers to a question certainly stay as they are for the turn.

    Args:
        state: The state.
        question: A question about a turn alone.
        lasting: Facts that do not change any more in the turn.
    """
    reads = state.match.rules.reads[question]
    return reads is not None and reads <= _IN_A_TURN.union(lasting)


_IN_A_TURN: Final = frozenset(
    {"canasta_size", "dealer", "players", "round_number", "scores", "seat", "side"}
    | {"turns_taken", "wild_rank"}
)
"""Facts that change in no turn."""


def makers_allowed(state: Any, seat: int) -> int:
    """
    Mask of the seats on whose melds house rules let a seat lay cards.
    """
    makers = (1 << len(state.match.players)) - 1
    for *_, found in _asked(state, seat, "lays_off_on"):
        makers &= found
    return makers


# -------------------------------------------------------------- discards and the end


def cards_allowed(state: Any, seat: int) -> int:
    """
    Mask of the cards that house rules let a seat discard.
    """
    allowed = -1
    for *_, found in _asked(state, seat, "discards"):
        allowed &= found
    return allowed


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


# ----------------------------------------------------------------- points and match


def points(
    state: Any, question: str, how: str, total: Sequence[int]
) -> Iterator[ScoreItem]:
    """
    What house rules give, or let players pay, at the end of a round.

    Args:
        state: The round, its cards as they lie.
        question: ``score`` or ``pays``.
        how: How it ended.
        total: By seat, the points so far, to which the caller may add those of a rule.
    """
    rules: Ruleset = state.match.rules
    for path, rule in rules.asked.get(question, ()):
        cited = rules.rule_of(path)
        end = RoundFacts(state, how, (*total,), remembered(state, rule))
        for one in ask(rule, question, state.match, end) or ():
            yield ScoreItem(one.seat, one.card, one.points, one.reason, cited)


def eliminated(match: Any) -> frozenset[int]:
    """
    The seats that do not play on.
    """
    rules: Ruleset = match.rules
    if "eliminated" not in rules.asked:
        return frozenset()
    key = ("eliminated", match.scores, match.round_number)
    found: frozenset[int] | None = rules.answers.get(key)
    if found is None:
        players = len(match.players)
        facts = MatchFacts(
            players,
            match.scores,
            match.round_number - 1,
            lowest_wins=rules.match.lowest_wins,
        )
        seats = [some for *_, some in _of(match, "eliminated", facts)]
        found = _kept(rules, key, frozenset[int]().union(*seats))
    return found


def coming_back(state: Any, seat: int) -> tuple[str, int] | None:
    """
    The rule by which an eliminated seat may come back, and the total it goes on with.

    Args:
        state: The state after a round.
        seat: The seat.

    Returns:
        None if it may not.
    """
    if seat not in eliminated(state.match):
        return None
    return ROWS["rejoins"].together(_after_round(state, "rejoins", seat))


def winners(state: Any) -> tuple[int, ...] | None:
    """
    Who has won by a house rule after a round; None if no rule answers.

    If only one side is left in the match, it has won.
    """
    match = state.match
    rules: Ruleset = match.rules
    found = ROWS["winners"].together(_after_round(state, "winners"))
    if found is not None:
        return tuple(sorted({*found[1]}))
    gone = eliminated(match)
    if gone:
        sides = rules.match.sides_of(len(match.players))
        left = [side for side in sides if not gone.issuperset(side)]
        if not left:
            return rules.match.best(match.scores)
        if len(left) == 1:
            return tuple(left[0])
    return None


def dealer_named(state: Any) -> int | None:
    """
    Who deals after a round by a house rule; None if no rule answers.
    """
    found = ROWS["deals_next"].together(_after_round(state, "deals_next"))
    return None if found is None else found[1]


def _after_round(state: Any, question: str, *more: object) -> Iterator[Answer]:
    """
    What the rules in force say to a question about the match after a round.
    """
    return _told(state, question, functools.partial(_match_facts, state), *more)


def _of_deal(state: Any, question: str, deal: DealFacts) -> Iterator[Answer]:
    """
    What the rules in force say to a question about a deal.
    """

    def facts(rule: HouseRule) -> DealFacts:
        return attrs.evolve(deal, memory=remembered(state, rule))

    return _told(state, question, facts)


def _told(
    state: Any, question: str, facts: Callable[[HouseRule], object], *more: object
) -> Iterator[Answer]:
    """
    What the rules in force say to a question, given the facts that each may know.
    """
    for path, rule in state.match.rules.asked.get(question, ()):
        answer = ask(rule, question, state.match, facts(rule), *more)
        if answer is not None:
            yield path, rule, answer


def _match_facts(state: Any, rule: HouseRule) -> MatchFacts:
    match, result = state.match, state.result
    return MatchFacts(
        len(match.players),
        match.scores,
        match.round_number - 1,
        result.out if result else None,
        eliminated(match),
        state.dealt.dealer,
        result.points if result else (),
        result.how if result else "",
        match.paid,
        remembered(state, rule),
        match.rules.match.lowest_wins,
    )


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


def remember_now(draft: Any, rule: HouseRule, value: object) -> None:
    """
    Let a rule remember a value from now on.

    Raises:
        RulesError: If it has no memory.
    """
    if rule.memory is None:
        wanted = f"{type(rule).__qualname__}.memory = Memory(...) as well"
        raise no_sense(rule, "follows", Remember(value), wanted)
    news = {**dict(draft._memory), f"{rule.section}.{rule.name}": value}
    draft._memory = only_news(draft.match.rules, news)


def award(draft: Any, path: str, points: Points) -> None:
    """
    Award points by a rule, which count at the end of the round.
    """
    memory = dict(draft._memory)
    card = "" if points.card is None else str(points.card)
    one = (points.seat, points.points, points.reason, card, path)
    memory[AWARDED] = (*memory.get(AWARDED, ()), one)
    draft._memory = only_news(draft.match.rules, memory)


def awarded(state: Any) -> Iterator[ScoreItem]:
    """
    The points that rules have awarded in the round.
    """
    for seat, points, reason, card, path in dict(state._memory).get(AWARDED, ()):
        rule = state.match.rules.rule_of(path)
        yield ScoreItem(seat, Card(card) if card else None, points, reason, rule)


def remember_deal(draft: Any, deal: DealFacts) -> None:
    """
    Let all rules remember what they need of a deal.
    """
    answers = _of_deal(draft, "remembers_deal", deal)
    now = {f"{rule.section}.{rule.name}": said for _, rule, said in answers}
    draft._memory = only_news(draft.match.rules, {**dict(draft._memory), **now})


def wild_rank(state: Any, dealer: int) -> str | None:
    """
    The rank that a house rule makes wild in a deal; None if none says.
    """
    deal = deal_facts(state.match, dealer)
    found = ROWS["wild_rank"].together(_of_deal(state, "wild_rank", deal))
    return None if found is None else found[1]


def memory_kept(
    rules: Ruleset, memory: tuple[tuple[str, Any], ...], *ended: str
) -> tuple[tuple[str, Any], ...]:
    """
    What is still remembered when a turn or a round has ended.
    """
    known = rules.memories
    return tuple(
        [
            (name, value)
            for name, value in memory
            # What the engine itself remembers lasts for the round.
            if (known[name].scope if name in known else "round") not in ended
        ]
    )


def only_news(rules: Ruleset, found: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """
    What is remembered, in order, without what has not changed since the start.
    """
    known = rules.memories
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


def refilling(state: Any, seat: int) -> Iterator[Sequence[Move]]:
    """
    The moves by which each rule fills an empty hand again.
    """
    for *_, moves in _asked(state, seat, "refills", once=False):
        yield moves


def offers_to(state: Any, seat: int) -> list[tuple[str, HouseRule, Offer]]:
    """
    The actions that rules offer a seat: what is cited, the rule, and the offer.

    Raises:
        RulesError: If a rule has not declared one of them, or not for the phase.
    """
    found, rules = [], state.match.rules
    phase, notes = state.frames[-1].phase, state.frames[-1].notes
    asks = rules.house[notes[0]][0] if phase == "asked" else ""
    # What an offer asks about does not depend on what is offered.
    with silencing("offers"):
        offered = [*_asked(state, seat, "offers")]
    for path, rule, offers in offered:
        names = [name for name in rule.actions if phase in times_of(rule, name)]
        if not names or (asks and asks != path):
            continue  # nothing of it is heard in the phase, or another rule asks
        for one in offers:
            if one.name not in names:
                what = f"{type(rule).__qualname__}.actions"
                wanted = f"an offer that {what} has for the phase {phase!r}"
                raise no_sense(rule, "offers", one, wanted)
            if one.cards and one.name in rule.cardless:
                raise no_sense(rule, "offers", one, "no cards, since it is cardless")
            found.append((path, rule, one))
    return found


def ends_by_offer(state: Any, seat: int) -> bool:
    """
    Whether a rule offers a seat an action that ends its turn.
    """
    if not state.match.rules.settled.offers_plays or "offers" in ANSWERING:
        return False
    effects = [
        effect
        for *_, offer in offers_to(state, seat)
        if not offer.refused
        for effect in offer.effects
    ]
    return any(
        isinstance(one, EndRound | EndMatch | Leave)
        or (isinstance(one, GoOn) and one.to == "next turn")
        for one in effects
    )


def forbidden(state: Any, action: Any, plan: Any) -> Objection | None:
    """
    Why a rule forbids an action that all others allow; None if none does.

    Args:
        state: A state or a draft.
        action: The action, which names its seat.
        plan: What it would do.
    """
    rules, seat = state.match.rules, action.seat
    word = action.word
    for path, rule in rules.asked.get("forbids", ()):
        if word not in rule.vetoes or not ANSWERING.isdisjoint({path, "forbids"}):
            continue
        turn = Turn(state, seat, rule.memory and remembered(state, rule))
        after = functools.partial(_turn_after, state, (action, plan), rule)
        ANSWERING.add(path)  # not by `silencing`, which costs a tenth of the pace here
        try:
            no = ask(rule, "forbids", state.match, turn, action, after)
        finally:
            ANSWERING.discard(path)
        if no:
            return Objection(path, rule.because(f"'{action}' is refused"))
    return None


ANSWERING: Final[set[str]] = set()
"""What is being answered by rules that may ask what is legal, and is not asked then."""


class silencing:  # noqa: N801 -- it is used like a function
    """
    Let a question, or all that a rule forbids, be silent for a while.
    """

    def __init__(self, what: str) -> None:
        self._new = {what} - ANSWERING

    def __enter__(self) -> None:
        ANSWERING.update(self._new)

    def __exit__(self, *_: object) -> None:
        ANSWERING.difference_update(self._new)


def _turn_after(state: Any, leaf: tuple[Any, Any], rule: HouseRule) -> Turn:
    """
    A turn after an action, for a rule.
    """
    done = Engine.after(state, *leaf)
    return Turn(done, leaf[0].seat, remembered(done, rule))
