"""
What a step asks of the policies, answered once for a ruleset.
"""

from __future__ import annotations

from typing import Final

import attrs

from rummyvariants._support.values import Value
from rummyvariants.cards import ALL_CODES
from rummyvariants.house.answers import GoOn, Leave
from rummyvariants.house.rules import OF_NEW_MELDS, OF_PLAYS, answered_by
from rummyvariants.rules._claims import of_the_table
from rummyvariants.rules._origins import Rules


@attrs.frozen(eq=False, repr=False)
class Settled(Value):
    """
    What the values of the policies say, where no house rule says more.

    Attributes:
        asks_number: Whether the policies must be asked about a number of discards.
        owes_by_values: Whether the duties for discards follow from the values alone.
        plays_by_values: Whether nothing but the values decides what is laid and
            discarded.
        offers_plays: Whether rules may offer actions after the draw.
        alters_turns: Whether rules may have effects on a turn after its draw.
        tells_uses: Whether the shapes of cards tell how a card owed may be used, but
            for what house rules forbid.
        vetoes_plays: Whether rules may forbid plays or discards that all else allows.
        first_matters: Whether a first meld may allow its player more than before.
        stock_owes: Whether a card from the stock may bring a duty.
        lays_off: Whether all players may lay off at any time.
        leaves: Whether a player may leave the round.
        shuffles: Whether cards may be shuffled after the deal.
        only_sets: Whether melds are sets, and nothing allows to lay or discard more
            than the values do.
        forbids_plays: Whether rules of the table may forbid some of that.
        sets_alone: Whether besides a side has only one set of each rank.
    """

    asks_number: bool
    owes_by_values: bool
    plays_by_values: bool
    offers_plays: bool
    alters_turns: bool
    tells_uses: bool
    vetoes_plays: bool
    first_matters: bool
    stock_owes: bool
    lays_off: bool
    leaves: bool
    shuffles: bool
    only_sets: bool
    forbids_plays: bool
    sets_alone: bool


def settled(rules: Rules) -> Settled:
    """
    Answer for some rules what a step asks of them.
    """
    draw, stock, asked = rules.draw, rules.stock, rules.asked
    vetoes_plays = not _PLAYED.isdisjoint(rules.vetoed)
    offers_plays = any("play" in times for times in rules.actions.values())
    return Settled(
        asks_number="takes" in asked or draw.asks_for_deepest,
        owes_by_values="owes" not in asked,
        # A hand that is filled again is empty: until then nothing depends on it.
        plays_by_values=(
            (OF_PLAYS - {"refills"}).isdisjoint(asked) and not offers_plays
        ),
        offers_plays=offers_plays,
        alters_turns=(
            not {"follows", "lays_aside", "refills"}.isdisjoint(asked)
            or offers_plays
            or GoOn in rules.effects
        ),
        tells_uses=(
            not (rules.meld.limits_new or rules.meld.limits_sets)
            and not rules.meld.concealed
            and not vetoes_plays
        ),
        vetoes_plays=vetoes_plays,
        first_matters=(
            rules.layoff.needs_own_meld
            or rules.meld.first_natural
            or "may_lay_off" in asked
            or not OF_NEW_MELDS.isdisjoint(asked)
        ),
        stock_owes=any(map(draw.stock_duties, ALL_CODES)),
        lays_off=not rules.layoff.needs_own_meld and "may_lay_off" not in asked,
        leaves=rules.out.wrong_points is not None or Leave in rules.effects,
        shuffles=(
            (stock.turns_over and stock.shuffles)
            or rules.out.under_stock
            or (Leave in rules.effects and not _LEAVING.isdisjoint(_added(rules)))
        ),
        only_sets=_only_sets(rules),
        forbids_plays=not OF_PLAYS.isdisjoint(_added(rules)),
        sets_alone=_sets_alone(rules),
    )


_PLAYED: Final = frozenset(
    {"take", "meld", "lay", "put", "swap", "split", "arrange", "discard"}
)
"""The words that rules may forbid by which cards are taken, played and discarded."""
_LEAVING: Final = frozenset({"follows", "offers"})
"""Questions by which a rule may let a player leave, the hand under the stock."""


def _added(rules: Rules) -> frozenset[str]:
    """
    The questions that house rules of the table answer.
    """
    table = of_the_table(rules.house)
    return frozenset().union(*[answered_by(rule) for _, rule in table])


def _only_sets(rules: Rules) -> bool:
    """
    Whether natural cards are laid only in sets of their rank, as the values say.
    """
    return (
        rules.meld.sets
        and not rules.meld.runs
        and not rules.kinds
        and not rules.wild.indicator_stays
    )


def _sets_alone(rules: Rules) -> bool:
    """
    Whether a hand goes down in sets alone, each side's own, as the values say.
    """
    meld, wild, layoff = rules.meld, rules.wild, rules.layoff
    return (
        _only_sets(rules)
        and meld.one_of_a_rank
        and len(meld.last_ranks) < 2
        and not meld.contracts
        and meld.further
        and not (meld.limits_new or meld.first_natural or meld.concealed)
        and not (wild.swaps or wild.split or wild.lies_beside or wild.indicator_stays)
        and not layoff.single_wilds
        and layoff.refuse_onto(own=False) is not None
        and not rules.out.keeps_playable
    )
