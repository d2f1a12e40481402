"""
What comes of the actions, by brute force and without the engine: turns, ends, points.
"""

from __future__ import annotations

import functools
import math

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import attrs

from naive import (
    CIRCLE,
    Lying,
    MeldRules,
    card_above,
    is_pure,
    lives_beside,
    lives_of,
    possible_melds,
    sub_multisets,
)
from naive_turns import (
    Judge,
    Owed,
    Turn,
    buyers,
    eliminated,
    gone,
    has_partners,
    out_before,
    owed_for,
    worth_of,
)
from rummyvariants.actions import (
    Action,
    Buy,
    CallRummy,
    Deal,
    Declare,
    Discard,
    Draw,
    HouseAction,
    Knock,
    LayOff,
    NewMeld,
    NewMelds,
    Pass,
    PutWild,
    Rejoin,
    Split,
    Swap,
    Take,
)
from rummyvariants.cards import Card
from rummyvariants.game._state import State
from rummyvariants.melds._meld import played
from rummyvariants.rules._ruleset import Ruleset


# ---------------------------------------------------------------------- what is dealt


def size_dealt(state: State) -> int:
    """
    How many cards everybody is dealt in a round where all hands are of one size.
    """
    deal, players = state.rules.deal, len(state.players)
    if deal.by_round:
        table, number = deal.by_round, state.round_number
    elif players == 2 and deal.for_two != "as others":
        return int(deal.for_two)
    else:
        table, number = deal.hand_size, players
    begun = [size for least, size in table if least <= number]
    return begun[-1] if begun else table[0][1]


def rank_of_size(state: State) -> str:
    """
    The rank that the size of the hands makes wild; none if the deck does not have it.
    """
    rank = {11: "J", 12: "Q", 13: "K", 14: "A"}.get(size_dealt(state), "")
    rank = rank or CIRCLE[size_dealt(state) - 1]
    return rank if rank in state.rules.deck.ranks else ""


def cut_points(state: State) -> list[int]:
    """
    By seat, what the cut before the deal brings, the deal being one of cards alone.
    """
    players, score = len(state.players), state.rules.score
    found = [0] * players
    deals = [one for one in state.history if isinstance(one, Deal)]
    if not score.exact_cut or not deals:
        return found
    served = [seat for seat in range(players) if seat not in out_before(state)]
    needed = size_dealt(state) * len(served)
    if deals[-1].cut in {needed, needed + 1}:
        seat = (deals[-1].dealer - 1) % players
        while seat not in served:
            seat = (seat - 1) % players
        lowest = state.rules.match.winner == "lowest"
        found[seat] = -score.exact_cut if lowest else score.exact_cut
    return found


# ---------------------------------------------------------- what the round has brought


def _round_of(state: State) -> list[Action]:
    """
    What was done in the round, the deal left out.
    """
    done: list[Action] = []
    for action in state.history:
        if isinstance(action, Deal):
            done = []
        else:
            done.append(action)
    return done


def begins_turn(state: State, done: Sequence[Action], at: int) -> bool:
    """
    Whether a turn began with what was done: with a draw, or with a call (PF-07).

    Args:
        state: The state after it all.
        done: What was done in the round.
        at: Which of it.
    """
    action = done[at]
    if isinstance(action, Draw | Take | HouseAction):
        return True
    if isinstance(action, Pass):
        # With the stock empty; where passes may be answers to others, none counts.
        call = state.rules.call
        return call.calls == "none" and call.buying == "none"
    if not isinstance(action, CallRummy) or state.rules.call.next != "the caller":
        return False
    if at + 1 == len(done):
        return state.phase == "play"
    in_play = (NewMeld, NewMelds, LayOff, PutWild, Swap, Split, Discard)
    return done[at + 1].seat == action.seat and isinstance(done[at + 1], in_play)


def fours_at_once(state: State) -> dict[int, Counter[tuple[Card, int]]] | None:
    """
    The melds of just four cards in one play, known by what was done in the round.

    Returns:
        By their numbers, the cards with who laid them; None where cards were traded or
        melds split, since what that changes does not follow from actions alone.
    """
    found: dict[int, Counter[tuple[Card, int]]] = {}
    number = 0
    for action in _round_of(state):
        match action:
            case NewMeld() | CallRummy(meld=None):
                number += 1
                if len(action.cards) == 4:
                    laid = [(one.card, action.seat or 0) for one in action.cards]
                    found[number] = Counter(laid)
            case NewMelds():
                for cards in action.melds:
                    number += 1
                    if len(cards) == 4:
                        laid = [(one.card, action.seat or 0) for one in cards]
                        found[number] = Counter(laid)
            case PutWild():
                number += 1
            case Swap() | Split():
                return None
    return found if state.rules.score.four_at_once == "twice" else {}


def went_rummy(state: State) -> bool:
    """
    Whether who went out first laid cards in the last turn alone, by what was done.
    """
    out = state.out[0]
    if len(state.hands[out]):
        return False
    done = _round_of(state)
    laying = (NewMeld, NewMelds, LayOff, PutWild, Swap, CallRummy, Knock)
    drew = [
        at
        for at, one in enumerate(done)
        if one.seat == out and isinstance(one, Draw | Take)
    ]
    last = drew[-1] if drew else 0
    before = [one for one in done[:last] if one.seat == out and isinstance(one, laying)]
    after = [one for one in done[last:] if one.seat == out and isinstance(one, laying)]
    calls = [one for one in after if isinstance(one, CallRummy)]
    return not before and not calls and bool(after)


def owed_by_a_take(state: State) -> tuple[Owed, ...] | None:
    """
    What has to be done with discards that were taken, and nothing done since.

    Returns:
        That which goes first in front; None after anything else.
    """
    done = _round_of(state)
    if not done or not isinstance(done[-1], Take) or state.phase != "play":
        return None
    cards = list(state.drawn.cards)
    offered = state.rules.draw.first_upcard != "part of the pile"
    return owed_for(state.rules, cards, first=offered and not any(state.turns))


def penalty(before: State, call: CallRummy) -> tuple[int, Counter[Card]] | None:
    """
    Who pays for what was called from the pile alone, and with which cards (BAS-15).

    Returns:
        The seat and the cards; None if nobody does, or the game began after the
        discard.
    """
    discards = [one for one in _round_of(before) if isinstance(one, Discard)]
    if before.rules.call.penalty == "none" or not discards:
        return None
    seat = discards[-1].seat
    if seat is None or seat in before.out:
        return None
    if before.rules.call.penalty == "two cards":
        left = max(0, len(before.stock) - before.rules.stock.dead)
        return seat, Counter(list(before.stock)[: min(2, left)])
    pile = Counter(before.discards)
    pile.subtract(one.card for one in call.cards)
    return seat, +pile


def turns_since_out(state: State) -> list[int] | None:
    """
    By seat, how many turns were begun since the first went out, by what was done.

    Returns:
        The numbers; None if nobody is out, or was before the game began.
    """
    done = _round_of(state)
    mine = [at for at, one in enumerate(done) if state.out and one.seat == state.out[0]]
    if not mine:
        return None
    begun = [
        done[at].seat
        for at in range(mine[-1], len(done))
        if begins_turn(state, done, at)
    ]
    return [begun.count(seat) for seat in range(len(state.players))]


def declared_by(state: State) -> tuple[int, ...]:
    """
    Who has declared in the round, by what was done; not who did so wrongly.
    """
    return tuple(
        one.seat or 0
        for one in _round_of(state)
        if isinstance(one, Declare) and one.seat not in state.dropped
    )


def declared_as_dealt(state: State) -> bool:
    """
    Whether the round has ended with a hand declared as it was dealt, by what was done.
    """
    *before, last = _round_of(state)
    if not isinstance(last, Declare) or last.seat not in state.out:
        return False
    return not any(
        one.seat == last.seat for one in before if isinstance(one, Draw | Take)
    )


def laid_off_by(state: State, seat: int) -> int:
    """
    How many cards a seat has laid off in the round, by what was done.
    """
    return sum(
        len(one.cards)
        for one in _round_of(state)
        if isinstance(one, LayOff) and one.seat == seat
    )


def left_round(state: State) -> dict[int, int]:
    """
    Who has left the round, and the price, by what was done (IND-17, INV-05).

    A declaration of a seat that is not out was a wrong one.
    """
    out = state.rules.out
    found: dict[int, int] = {}
    done = _round_of(state)
    for at, one in enumerate(done):
        seat = one.seat or 0
        if isinstance(one, HouseAction):
            late = any(other.seat == seat for other in done[:at] if _plays(other))
            price = out.later_drop if late else out.first_drop
            if price != "never":
                found[seat] = int(price)
        elif isinstance(one, Declare) and seat not in state.out:
            found[seat] = int(out.wrong_declaration)
    return found


def _plays(action: Action) -> bool:
    """
    Whether an action is done in a turn alone.
    """
    return isinstance(action, Draw | Take | NewMeld | NewMelds | PutWild | Discard)


def had_turn(state: State, seat: int) -> bool:
    """
    Whether a seat has had a turn in the round that is over, by what was done.
    """
    if state.from_position:
        return state.turns[seat] > 0
    return any(one.seat == seat and _plays(one) for one in _round_of(state))


def may_be_over(state: State) -> bool:
    """
    Whether a round that is over, or is not, may be so after somebody went out (R5V-37).
    """
    turns = turns_since_out(state)
    if turns is None or not state.rules.out.last_turn:
        return True
    if max(turns) > 1:
        return False
    passed = {*state.out} | gone(state)
    waiting = [s for s, many in enumerate(turns) if not many and s not in passed]
    if state.result is None:
        playing = state.phase != "draw" and state.turn not in state.out
        return playing or bool(waiting)
    empty = len(state.stock) <= state.rules.stock.dead
    return empty or not (state.result.how == "out" and waiting)


def turn_of_a_caller(
    before: State, call: CallRummy, after: State, judge: Judge
) -> Turn | None:
    """
    The turn in which a caller goes on, while the round does (PF-07); None for none.
    """
    rules, seat = before.rules, call.seat
    if seat is None or rules.call.next != "the caller" or not len(after.hands[seat]):
        return None
    limited = call.meld is None and judge.counts_melds
    turn = attrs.evolve(
        judge.turn(after, seat), floats=False, taken=(), held=(), owed=(), made=limited
    )
    return turn if _may_have_turn(before, seat) and judge.finishes(turn) else None


def who_is_next(before: State, action: Action, after: State) -> int | None:
    """
    Whose turn it is after the discard of a turn, or after a call that begins none.

    Returns:
        The seat; None if this does not say.
    """
    seat = action.seat
    as_it_was = isinstance(action, CallRummy) and before.rules.call.next == "as it was"
    if seat is None or as_it_was or before.phase == "discard":
        return None
    if after.phase == "call":
        return None if after.out else (seat + 1) % len(before.players)
    if after.out and len(after.stock) <= after.rules.stock.dead:
        return None  # who passed is not known
    return _next_with_a_turn(after, seat)


def _next_with_a_turn(state: State, seat: int) -> int | None:
    seats = len(state.players)
    order = [(seat + step) % seats for step in range(1, seats + 1)]
    return next((one for one in order if _may_have_turn(state, one)), None)


def _may_have_turn(state: State, seat: int) -> bool:
    """
    Whether a seat may have a turn, once somebody is out too.
    """
    if seat in gone(state):
        return False
    if not state.out:
        return True
    turns: Sequence[int] | None = state.turns
    if state.rules.out.last_turn:
        turns = turns_since_out(state)
    return seat not in state.out and (turns is None or not turns[seat])


def sides_of(state: State) -> list[list[int]]:
    """
    Who plays together: those opposite each other, or nobody.
    """
    seats = range(len(state.players))
    if not has_partners(state.rules, len(seats)):
        return [[seat] for seat in seats]
    half = len(state.players) // 2
    return [[seat for seat in seats if seat % half == at] for at in range(half)]


def ahead(state: State) -> tuple[int, ...]:
    """
    Who has the match by the totals, where the highest at the target does.
    """
    match = state.rules.match
    assert match.winner == "highest"
    sides = sides_of(state)
    totals = [sum(state.scores[seat] for seat in side) for side in sides]
    if max(totals) < match.target:
        return ()
    if match.decided_by == "the final totals":
        totals = with_extras(state)
    won = [
        side for side, total in zip(sides, totals, strict=True) if total == max(totals)
    ]
    return tuple(sorted(seat for side in won for seat in side))


def with_extras(state: State) -> list[int]:
    """
    The totals of two players with what the end of a match adds, the target reached.
    """
    match = state.rules.match
    totals = list(state.scores)
    first = totals.index(max(totals))
    for seat, boxes in enumerate(state.boxes):
        if match.box_counts == "at the end":
            totals[seat] += boxes * match.box_bonus
    totals[first] += match.game_bonus
    if state.boxes[first] and not state.boxes[1 - first]:
        double = match.shutout == "double"
        totals[first] += totals[first] if double else int(match.shutout)
    return totals


def won_with_the_match(state: State) -> list[int]:
    """
    By side, the points for winning the match, where boxes and shutouts bring nothing.
    """
    match = state.rules.match
    won = [any(seat in state.winners for seat in side) for side in sides_of(state)]
    if sum(won) > 1 and match.shared_bonus == "to nobody":
        return [0 for _ in won]
    return [one * match.game_bonus for one in won]


def paid(state: State) -> tuple[int, ...]:
    """
    What each side gets after the match, where the higher total wins.
    """
    sides = sides_of(state)
    rounds = paid_in_round(state) if state.is_round_over else (0,) * len(state.players)
    after_round = tuple([sum(rounds[seat] for seat in side) for side in sides])
    if state.rules.match.settlement == "none" or not state.winners:
        return after_round
    totals = [sum(state.final_scores[seat] for seat in side) for side in sides]
    if state.rules.match.winner == "lowest":
        totals = [-total for total in totals]
    got = [0] * len(sides)
    for one, mine in enumerate(sides):
        for other, theirs in enumerate(sides):
            if mine[0] in state.winners and theirs[0] not in state.winners:
                got[one] += totals[one] - totals[other]
                got[other] -= totals[one] - totals[other]
    return tuple(map(sum, zip(got, after_round, strict=True)))


def paid_in_round(state: State) -> tuple[int, ...]:
    """
    By seat, what is paid after a round, by the cards that everybody holds (INV-11).
    """
    rules = state.rules
    card = card_above(rules, state.dealt.indicator)
    found = [0] * len(state.players)
    if not rules.score.above or card is None or not state.out:
        return tuple(found)
    owners = {one.seat for meld in state.table for one in meld.laid}
    there = [
        seat
        for seat, hand in enumerate(state.hands)
        if seat not in state.dropped and (len(hand) or seat in owners)
    ]
    for seat in there:
        held = list(state.hands[seat]).count(card) + sum(
            one.card == card and one.seat == seat
            for meld in state.table
            for one in meld.laid
        )
        each = [0, *[paid for since, paid in rules.score.above if since <= held]][-1]
        for other in there:
            found[seat] += each
            found[other] -= each
    return tuple(found)


def won_after_the_rounds(state: State) -> tuple[int, ...] | None:
    """
    Who has won a match of so many rounds, where the lowest total does (IND-24).

    Returns:
        The seats; nobody while the match goes on, and None where more decides it.
    """
    match = state.rules.match
    plain = (
        match.sides == "none"
        and match.columns == 1
        and not (match.box_bonus or match.shutout)
    )
    if match.ends != "after the rounds" or match.winner != "lowest" or not plain:
        return None
    if match.eliminated_at != "never" or state.rules.house:
        return None
    if state.round_number < int(match.rounds):
        return ()
    if match.last_scores and not (state.result and any(state.result.points)):
        return ()
    best = [
        seat for seat, total in enumerate(state.scores) if total == min(state.scores)
    ]
    if len(best) > 1 and match.tie == "play on":
        return ()
    if len(best) > 1 and match.tie == "to who is out":
        return tuple(set(best) & {*state.out[:1]}) or tuple(best)
    if match.tie == "to who won more rounds":
        most = max(state.boxes[seat] for seat in best)
        return tuple(seat for seat in best if state.boxes[seat] == most)
    return tuple(best)


def after_elimination(
    before: State, action: Action, after: State
) -> tuple[str, tuple[int, ...], tuple[int, ...]] | None:
    """
    What follows a round in which totals that are too high end the match for players.

    Args:
        before: The state before an action that ends the round, or after it, when
            somebody is asked to come back.
        action: The action.
        after: The state that it leads to.

    Returns:
        The phase, and who is asked or has won, and the totals; None if nobody is ever
        eliminated, or more than that decides the match.
    """
    rules, match = before.rules, before.rules.match
    plain = match.sides == "none" and match.columns == 1 and not rules.house
    if match.eliminated_at == "never" or not plain:
        return None
    assert after.result is not None
    points = after.result.points
    totals = list(before.scores)
    asked = -1
    if before.phase == "rejoin":
        asked = action.seat or 0
        if isinstance(action, Rejoin):
            others = {*range(len(totals))} - eliminated(rules, totals)
            totals[asked] = 1 + max(totals[seat] for seat in others)
    else:
        totals = [total + more for total, more in zip(totals, points, strict=True)]
    there = [
        seat for seat in range(len(totals)) if seat not in eliminated(rules, totals)
    ]
    highest = max([totals[seat] for seat in there], default=None)
    for seat in range(asked + 1, len(totals)):
        fresh = totals[seat] - points[seat] < int(match.eliminated_at)
        if seat in there or not fresh or highest is None or match.rejoin == "never":
            continue
        if highest <= int(match.rejoin):
            return "rejoin", (seat,), tuple(totals)
    if len(there) > 1:
        if match.ends != "when one is left":
            return None
        return "deal", (), tuple(totals)
    least = [seat for seat, total in enumerate(totals) if total == min(totals)]
    return "over", tuple(there or least), tuple(totals)


# ------------------------------------------------------------------------- buying


def after_a_sale(
    before: State, action: Action, after: State
) -> tuple[str | int | None, ...]:
    """
    What is due after an upcard was declined or bought, and from whom.

    By CON-13 and CON-14, or by COV-07. With the stock empty, each of those who have a
    turn left once somebody is out is asked (HR-08).
    """
    if isinstance(action, Buy):
        return "stock", before.turn
    asked = buyers(before)
    if not asked and before.phase == "draw" and before.out:
        return "draw", _next_with_a_turn(after, before.turn)
    if before.rules.call.buy_order == "first to speak":
        if before.phase == "buy":
            asked = [seat for seat in before.to_act if seat != action.seat]
        return ("buy", *sorted(asked)) if asked else ("stock", before.turn)
    if before.phase == "buy":
        asked = asked[asked.index(action.seat or 0) + 1 :]
    return ("buy", asked[0]) if asked else ("stock", before.turn)


def hands_after(before: State, buy: Buy) -> list[Counter[Card]]:
    """
    The hands after a purchase: the upcard, and its price from the stock.
    """
    hands = [Counter(hand) for hand in before.hands]
    price = before.rules.call.buy_price
    hands[buy.seat or 0].update([before.discards[-1], *list(before.stock)[:price]])
    return hands


def left_points(state: State) -> tuple[int, ...] | None:
    """
    What a round brings in which the cards left in the hands count, and nothing else.

    Returns:
        By seat; None where more than that counts.
    """
    score = state.rules.score
    nothing = score.down == "nothing" and score.rummy == "nothing"
    nothing &= score.counted == "all cards" and score.natural_rummy == "as any rummy"
    if not nothing or score.hands != "add" or score.out_bonus:
        return None
    if not state.out and score.blocked not in {"as ever", "nothing"}:
        return None
    if state.rules.match.box_counts == "at once":
        return None
    named = dict(score.in_hand)  # by card or by rank, as far as they are left
    return _with_prices(
        state,
        [
            sum(
                named.get(str(one), named.get(one.rank, points_of(state, one)))
                for one in hand
            )
            for hand in state.hands
        ],
    )


def _with_prices(state: State, hands: Sequence[int]) -> tuple[int, ...]:
    """
    The points of a round that adds those left in the hands, and what leaving it costs.

    Args:
        state: The state after it.
        hands: By seat, what the cards in the hand count.
    """
    score, result = state.rules.score, state.result
    assert result is not None
    prices, cuts = state.dropped, cut_points(state)
    found = [adjusted(state, seat, points) for seat, points in enumerate(hands)]
    if result.how == "drop":
        found = [0] * len(hands)
    elif not state.out and score.blocked == "nothing":
        return tuple(cuts)  # the round is void
    lowest = state.rules.match.winner == "lowest"
    return tuple(
        points + cut + (prices.get(seat, 0) if lowest else -prices.get(seat, 0))
        for seat, (points, cut) in enumerate(zip(found, cuts, strict=True))
    )


def adjusted(state: State, seat: int, points: int) -> int:
    """
    What a hand counts: rounded, limited, halved, doubled (INV-01, IND-22, INV-04, -07).
    """
    score = state.rules.score
    multiples = range(0, points + score.rounded_to + 1, score.rounded_to)
    points = min(multiples, key=lambda one: (abs(one - points), -one))
    if score.most_in_hand != "any number":
        points = min(points, int(score.most_in_hand))
    if score.no_turn == "half" and not had_turn(state, seat):
        return points // 2
    double = score.dealt_hand == "double" and had_turn(state, seat)
    return 2 * points if double and declared_as_dealt(state) else points


# ------------------------------------------------------------------- what it counts


def knocked_points(state: State) -> tuple[int, ...]:
    """
    What a round of two players is worth that a knock has ended, or nobody.
    """
    result = state.result
    assert result is not None
    score, match = state.rules.score, state.rules.match
    wanted = [0, 0]
    if result.how not in {"knock", "gin", "big gin"}:
        return tuple(wanted)
    knocker = result.out
    assert knocker is not None
    # What a knocker has left is not partitioned again.
    left = [fewest_points(state, hand) for hand in state.hands]
    left[knocker] = sum(points_of(state, one) for one in state.hands[knocker])
    more = left[1 - knocker] - left[knocker]
    if result.how != "knock":
        gin = score.big_gin_bonus if result.how == "big gin" else score.gin_bonus
        wanted[knocker] = more + gin
    elif more > 0:
        wanted[knocker] = more
    elif more < 0 or score.equal_hands == "undercut":
        wanted[1 - knocker] = score.undercut_bonus - more
    if match.box_counts == "at once" and max(wanted) > 0:
        wanted[wanted.index(max(wanted))] += match.box_bonus
    upcard = state.dealt.upcard
    if score.spade_upcard and upcard is not None and upcard.suit == "s":
        wanted = [2 * points for points in wanted]
    return tuple(wanted)


def declared_points(state: State) -> tuple[int, ...] | None:
    """
    What a round brings in which only unmatched cards count against their holders.

    Returns:
        By seat; None where more than that counts.
    """
    score = state.rules.score
    more = score.out_bonus or score.down != "nothing" or score.rummy != "nothing"
    more = more or state.rules.match.box_counts == "at once"
    counts = state.rules.stock.idle_counts
    if state.result is not None and state.result.how == "idle" and not counts:
        return (0,) * len(state.players)
    other = score.hands if state.out or score.blocked == "as ever" else score.blocked
    if score.counted != "unmatched cards" or other not in {"add", "nothing"} or more:
        return None
    hands = [fewest_points(state, hand) for hand in state.hands]
    if state.rules.out.knock != "never" and state.out:
        (knocker,) = state.out
        hands[knocker] = sum(points_of(state, one) for one in state.hands[knocker])
        bonus = {"gin": score.gin_bonus, "big gin": score.big_gin_bonus}
        how = "" if state.result is None else state.result.how
        sign = -1 if state.rules.match.winner == "lowest" else 1
        hands[knocker] += sign * bonus.get(how, 0)
    return _with_prices(state, hands)


def points_of(state: State, card: Card) -> int:
    """
    What a card in the hand is worth.
    """
    return worth_of(state.rules, MeldRules.of(state), card)


def fewest_points(state: State, cards: Iterable[Card]) -> int:
    """
    What a hand comes to when it is put into melds as well as it can be.
    """
    return fewest_counted(state.rules, MeldRules.of(state), cards)


def fewest_counted(rules: Ruleset, melds: MeldRules, cards: Iterable[Card]) -> int:
    """
    The fewest points that a hand counts, with or without the runs that it needs.
    """
    hand = tuple(sorted(cards))
    worth = {card: worth_of(rules, melds, card) for card in hand}
    lives = lives_of(rules)
    lacking = rules.score.lives
    if lacking == "none" or not any(lives):
        return int(fewest_with(melds, worth, hand, (0, 0, 0)))
    everything = sum(worth[card] for card in hand)
    found = min(everything, fewest_with(melds, worth, hand, lives))
    if lacking == "graded":
        for part in sub_multisets(hand):
            if any(map(is_pure, melds_of(melds, part))):
                found = min(found, everything - sum(worth[card] for card in part))
    return int(found)


def fewest_with(
    rules: MeldRules,
    worth: Mapping[Card, int],
    cards: tuple[Card, ...],
    lives: tuple[int, int, int],
) -> float:
    """
    The fewest points left by melds among which are certain runs; infinite without them.
    """

    @functools.cache
    def fewest(hand: tuple[Card, ...], lives: tuple[int, int, int]) -> float:
        if not hand:
            return math.inf if any(lives) else 0
        first, *rest = hand
        found = worth[first] + fewest(tuple(rest), lives)
        for part in sub_multisets(rest):
            after = {
                lives_beside(lives, [meld]) for meld in melds_of(rules, (first, *part))
            }
            if after:
                left = Counter(rest)
                left.subtract(part)
                others = tuple(left.elements())
                found = min(found, *[fewest(others, more) for more in after])
        return found

    return fewest(cards, lives)


@functools.cache
def melds_of(rules: MeldRules, cards: tuple[Card, ...]) -> list[Lying]:
    """
    Every meld that some cards may be, whatever their wilds stand for.
    """
    written = [played(card.code) for card in cards]
    return possible_melds(rules, written, settled=False)
