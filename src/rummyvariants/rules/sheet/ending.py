"""
The last part of a rule sheet: the end of a round, scores, and the match.
"""

from __future__ import annotations

from collections.abc import Iterator

from rummyvariants._support.words import (
    a,
    capital,
    card,
    cards,
    counted,
    listed,
    number,
    rank_list,
    ranks,
)
from rummyvariants.rules.sheet.model import Facts, Paragraph, Row


# ----------------------------------------------------------------------- going out


def going_out(facts: Facts) -> Iterator[Paragraph]:
    """
    How a player goes out, and what follows.
    """
    if facts.declares:
        yield from _declaring(facts)
    elif facts.rules.meld.concealed:
        yield from _knocking(facts)
    else:
        yield from _playing_out(facts)
    if facts.leaves:
        yield from _leaving(facts)


def _playing_out(facts: Facts) -> Iterator[Paragraph]:
    """
    How a player goes out where melds are laid in turn.
    """
    policy = facts.rules.out
    hand = facts.last_hand
    yield facts.say(
        {
            "out": f"A player is out when no card is left in {hand}, whether the last "
            "one was melded, laid off or discarded.",
            "float": f"A player goes out by discarding the last card of {hand}.",
            "refused": f"A player goes out by discarding the last card of {hand}; it "
            "may not be melded or laid off.",
        }[policy.empty_hand]
        + ("" if policy.play_goes_on else " That ends the round."),
        "out.empty_hand",
    )
    yield from _canastas(facts)
    if policy.ask and facts.rules.match.sides != "none":
        yield facts.say(
            "Once a turn, after the draw and before laying a card, a player may ask "
            "their partner whether to go out, but only if they can. The answer binds: "
            "after a yes they have to go out in that turn, and after a no they may "
            "not.",
            "out.ask",
        )
    yield _last_discard(facts)
    if policy.empty_hand == "float":
        yield from _floating(facts)
    yield from _play_goes_on(facts)
    if policy.empty_hand == "float" and policy.floaters_draw:
        yield facts.say(
            "As soon as somebody goes out, each floating player, in order from that "
            f"player's {facts.side}, draws a card from the stock. It is not played, "
            "and counts as left in the hand.",
            "out.floaters_draw",
        )


def _canastas(facts: Facts) -> Iterator[Paragraph]:
    """
    How many canastas a side needs to go out.
    """
    policy = facts.rules.out
    needed = facts.by_players(policy.canastas)
    if policy.canasta and needed:
        one = "player" if facts.rules.match.sides == "none" else "side"
        yield facts.say(
            f"To go out, a {one} needs {needed.format('canasta')}. The last of them "
            "may be made in that turn. A player who may not go out keeps at least one "
            "card after the discard.",
            "out.canastas",
        )


def _play_goes_on(facts: Facts) -> Iterator[Paragraph]:
    """
    The turns that others have after somebody went out.
    """
    rules = facts.rules
    if not rules.out.play_goes_on:
        return
    text = (
        f"When somebody {facts.out[0]}, the round ends, but not before everyone has "
        "had a turn: those still waiting for their first turn take it."
    )
    if rules.out.last_turn:
        text = (
            f"When somebody {facts.out[0]}, all others take one more turn each, and "
            "then the round ends."
        )
    if facts.declares:
        text += " Nobody declares in such a turn: it ends with a discard."
    elif (
        rules.score.hands == "to the one who is out"
        or rules.score.out_bonus
        or rules.match.winner in {"who is out", "only who is out"}
        or rules.match.rotation == "to who is out"
        or rules.score.rummy != "nothing"
    ):
        text += " The first to go out counts as the one who did."
    yield facts.say(text, "out.last_turn" if rules.out.last_turn else "out.grace")


def _declaring(facts: Facts) -> Iterator[Paragraph]:
    """
    How a round ends by a declaration.
    """
    goes_on = facts.rules.out.play_goes_on
    yield facts.say(
        "A player goes out by a declaration: after the draw they discard a card and "
        "lay all others down in melds." + ("" if goes_on else " That ends the round."),
        "out.declare",
    )
    if facts.rules.out.shows_all:
        yield facts.say(
            "If all cards are in melds, including the one just drawn, no discard is "
            "needed.",
            "out.declare",
        )
    if facts.rules.out.dealt_hand:
        yield facts.say(
            "Instead of the draw of their first turn, a player may declare the hand as "
            "it was dealt, without a discard.",
            "out.dealt_hand",
        )
    yield from _runs_declared(facts)
    yield from _play_goes_on(facts)
    if not facts.rules.layoff.last_turns:
        yield facts.say("Nobody lays off on the melds shown.", "layoff.onto")


def _runs_declared(facts: Facts) -> Iterator[Paragraph]:
    """
    The runs that a declaration needs, and what a declaration without them costs.
    """
    out = facts.rules.out
    if out.runs:
        long = out.long_run > facts.rules.meld.least_run
        runs, paths = counted(out.runs, "run"), ["out.runs"]
        length = "" if long else " of any length"
        if out.pure_runs and facts.wilds:
            if out.pure_runs == out.runs:
                runs = counted(out.runs, "pure run") + length
            else:
                runs += f"{length}, at least {number(out.pure_runs)} of them pure"
            runs += ". A run is pure if no wild card in it stands for another card"
            paths.append("out.pure_runs")
        else:
            runs += length
        if not long:
            paths.append("out.long_run")
        yield facts.say(f"The melds must include at least {runs}.", *paths)
        if long:
            one = "This run" if out.runs == 1 else "One of these runs"
            yield facts.say(
                f"{one} must have {number(out.long_run)} cards or more.", "out.long_run"
            )
    if out.wrong_declaration != "refused":
        yield facts.say(
            "A player whose declaration does not meet these conditions leaves the "
            f"round. That costs {out.wrong_declaration} points, and the others play "
            "on.",
            "out.wrong_declaration",
        )
    elif out.runs:
        yield facts.say(
            "A hand that does not meet these conditions may not be declared.",
            "out.wrong_declaration",
        )


def _leaving(facts: Facts) -> Iterator[Paragraph]:
    """
    How a player leaves a round, and what becomes of their cards.
    """
    out = facts.rules.out
    first, later = out.first_drop, out.later_drop
    if later == "never":
        when, cost = "Instead of the draw of their first turn", f"{first} points"
    elif first == "never":
        when, cost = "Instead of a draw after their first turn", f"{later} points"
    else:
        when, cost = "Instead of drawing", f"{first} points"
        if first != later:
            cost += f" on a first turn, and {later} on a later one"
    if first != "never" or later != "never":
        yield facts.say(
            f"{when}, a player may drop, that is, leave the round. That costs {cost}.",
            "out.first_drop",
            "out.later_drop",
        )
    where = "The cards of a player who leaves the round lie aside until the next deal"
    if out.dropped_hand == "under the stock" and first != "never":
        where += "; after a drop on a first turn they go under the stock"
    stay = "" if facts.rules.meld.concealed else " Melds that they have laid stay."
    yield facts.say(f"{where}.{stay}", "out.dropped_hand")
    one, hand = "one player", "their hand does"
    if facts.rules.match.sides != "none":
        one, hand = "one side", "their hands do"
    yield facts.say(
        f"If only {one} is left, the round is over, and {hand} not count.",
        "out.dropped_hand",
        "RV-48",
    )


def _knocking(facts: Facts) -> Iterator[Paragraph]:
    """
    How a round ends where melds stay in the hand.
    """
    policy = facts.rules.out
    if facts.gin_only:
        yield facts.say(
            "Nobody may knock with unmatched cards. After the draw, a player who has "
            "one unmatched card and all others in melds may discard that card and lay "
            "the melds down: that is gin.",
            "out.knock",
        )
    elif policy.knock == "the upcard":
        counts, paths = facts.knock_counts()
        yield facts.say(
            "A player may knock after the draw: discard a card, and lay the hand down, "
            "sorted into melds and unmatched cards, if these are worth few enough "
            "points. The card that began the discard pile sets the limit for the whole "
            f"round, even when it has been taken: {counts}. A knock with no unmatched "
            "card is gin.",
            "out.knock",
            *paths,
        )
    else:
        yield facts.say(
            "A player may knock after the draw: discard a card, and lay the hand down, "
            "sorted into melds and unmatched cards, if these are worth "
            f"{policy.knock} points or fewer. A knock with no unmatched card is gin.",
            "out.knock",
        )
    if not facts.gin_only:
        yield facts.say(
            "The knocker chooses the melds, which need not be the best ones.",
            "out.knock",
            "meld.shown",
        )
    if policy.big_gin:
        yield facts.say(
            "If all cards of the hand are in melds after the draw, the player may lay "
            "them down without a discard: that is big gin.",
            "out.big_gin",
        )


def _last_discard(facts: Facts) -> Paragraph:
    if facts.rules.out.last_discard == "any card":
        if facts.rules.discard.throw_back != "refused":
            return facts.say("The last discard may be any card.", "out.last_discard")
        return facts.say(
            "The last discard may be any card that a player may discard, even one that "
            "fits a meld on the table.",
            "out.last_discard",
        )
    text = "it may not be a card that could be laid off on a meld on the table"
    if facts.wilds:
        text += ", as itself or as a wild"
        text += {
            "nothing": "",
            "beside": ", or be laid beside a wild",
            "swap": ", or be traded for a wild",
        }[facts.real_card]
    if facts.rules.layoff.onto == "own melds":
        text += "; melds of other players count for this too"
    return facts.say(
        f"The last discard must be unplayable: {text}.", "out.last_discard"
    )


def _floating(facts: Facts) -> Iterator[Paragraph]:
    rules = facts.rules
    of = f" of {facts.last_hand}" * facts.refills
    yield facts.say(
        f"A player who melds or lays off the last card{of} is not out but floats: "
        "they stay in the game without cards.",
        "out.empty_hand",
    )
    if not rules.out.floats_on_stock:
        yield facts.say(
            "In later turns a floating player draws, plays and discards like any "
            "other, and is out by discarding the last card.",
            "out.floating",
        )
    else:
        yield facts.say(
            "In later turns a floating player draws only from the stock, never from "
            "the discard pile. If the card drawn can be played, it must be, and the "
            "player floats on; if not, it is discarded, and the player is out.",
            "out.floating",
        )
    if rules.call.calls == "none":
        return
    text = "A floating player may call like any other"
    if rules.call.calls == "pile" and rules.call.takes == "down to the deepest":
        text += ", and no longer floats if that puts cards into the hand."
    elif rules.call.owes_discard:
        text += ", but then has nothing to discard."
    else:
        text += "."
    yield facts.say(text, "out.floating")


# --------------------------------------------------------------------------- stock


def empty_stock(facts: Facts) -> Iterator[Paragraph]:
    """
    When a round ends without a player out.
    """
    policy = facts.rules.stock
    # With cards that are never drawn, the stock does not run out: no turning over.
    if policy.when_empty == "turn over" and not policy.dead:
        yield from _turning_over(facts)
        yield _idle(facts)
        return
    empty = "the stock is empty"
    drawn = "the last card of the stock is drawn"
    if policy.dead:
        left = f"{counted(policy.dead, 'card')} of the stock"
        empty = f"only {left} {'is' if policy.dead == 1 else 'are'} left"
        drawn = f"{empty}"
        last = "card" if policy.dead == 1 else f"{number(policy.dead)} cards"
        yield facts.say(
            f"The last {last} of the stock {'is' if policy.dead == 1 else 'are'} never "
            "drawn.",
            "stock.dead",
        )
    if policy.when_empty == "after the turn":
        text = f"When {drawn}, the turn is played out, and then the round is over."
    elif policy.when_empty == "a knock with the last discard":
        ends = "go gin" if facts.gin_only else "knock"
        text = (
            f"When {drawn}, the turn is played out. The next player may then take "
            f"the last discard, but only to {ends} with it; otherwise the round is "
            "over."
        )
    else:
        text = (
            f"When {empty}, play goes on while each player takes from the "
            "discard pile. The round is over as soon as the player who is to draw "
            "cannot or does not want to"
        )
        text += "; a floating player cannot." if facts.floats else "."
    yield facts.say(text, "stock.when_empty")
    yield _idle(facts)


def _turning_over(facts: Facts) -> Iterator[Paragraph]:
    policy = facts.rules.stock
    stays = policy.turned_top == "stays"
    yield facts.say(
        "When the stock is empty, a player who is to draw and does not take from the "
        "discard pile turns "
        + ("all but its top card over" if stays else "it over, with its top card,")
        + " to be the new stock, and draws from it.",
        "stock.when_empty",
        "stock.turned_top",
    )
    yield facts.say(
        "The pile is shuffled first."
        if policy.turned == "shuffled"
        else "The pile is not shuffled, so that the oldest discard is drawn first.",
        "stock.turned",
    )
    if isinstance(policy.times, int):
        times = {1: "once", 2: "twice"}.get(
            policy.times, f"{number(policy.times)} times"
        )
        yield facts.say(f"This is done at most {times} a round.", "stock.times")
    floats = "; a floating player cannot" if facts.floats else ""
    until = "until another card has reached the table"
    if facts.rules.meld.concealed:
        until = "in the same round"
    if facts.declares and facts.rules.out.play_goes_on:
        until = "until somebody has declared"
    again, pile = f"The pile is not turned over again {until}. ", "it"
    if policy.times == 1:
        again, pile = "", "the pile"
    yield facts.say(
        f"{again}If {pile} cannot be turned over, the round is over as soon as "
        f"the player who is to draw cannot or does not want to take from it{floats}.",
        "RV-08",
    )


def _idle(facts: Facts) -> Paragraph:
    policy = facts.rules.stock
    in_a_row = " in a row" if policy.idle_rounds > 1 else ""
    table = "" if facts.rules.meld.concealed else " or put on the table"
    counts: tuple[str, ...] = ()
    void = ""
    if not policy.idle_counts:
        counts, void = (
            ("stock.idle_counts",),
            " Nobody scores or pays for such a round.",
        )
    return facts.say(
        f"The round also ends if {'both' if facts.only_two else 'all'} players have "
        f"had {counted(policy.idle_rounds, 'turn')}{in_a_row} without a card being "
        f"drawn from the stock{table}.{void}",
        "stock.idle_rounds",
        *counts,
    )


# ------------------------------------------------------------------------- scoring


def scoring(facts: Facts) -> Iterator[Paragraph]:
    """
    What cards are worth, and who scores them.
    """
    score = facts.rules.score
    if score.hands == "the difference" or score.counted == "unmatched cards":
        yield from _unmatched(facts)
        return
    if score.down == "add":
        text = (
            "When the round is over, each card on the table scores for the player who "
            "laid it, on whichever meld it lies:"
        )
    else:
        text = (
            "When the round is over, cards on the table score for nobody. Those left "
            "in the hands are worth:"
        )
    yield facts.say(text, "score.down", rows=card_points(facts))
    if not isinstance(score.low_ace, int) and facts.ace_low and score.down == "add":
        yield facts.say(
            "A low ace in a run is worth as much as any other ace.",
            "score.low_ace",
        )
    if facts.wilds and score.down == "add":
        itself = "itself" if score.wild == "as the card" else "a wild"
        but = ", unless a rule of this table says otherwise"
        but *= bool(facts.answering("worth"))
        yield facts.say(
            f"A wild card scores as {itself}, whatever it stands for{but}.",
            "score.wild",
        )
    if facts.face_up_wild:
        yield facts.say(
            "The wild card face up in front of the dealer counts for the dealer if "
            "they have made a meld in the round, and otherwise against them.",
            "score.face_up_wild",
        )
    yield _hands(facts)
    yield from _adjusted(facts)
    if score.four_at_once == "twice" and score.down == "add":
        yield facts.say(
            "A meld of exactly four cards that is put down in one play counts twice. "
            "Cards laid off on a meld count once, and so do three to which a fourth is "
            "added.",
            "score.four_at_once",
            "RV-40",
        )
    if score.four_ace_points is not None and score.down == "add" and facts.has("A"):
        yield facts.say(
            "If one player has laid four natural aces of a set, each of them counts "
            f"{score.four_aces}.",
            "score.four_aces",
        )
    apart = [one for one in score.in_hand if facts.has(one[0][0])]
    if apart and {score.hands, score.blocked} - {"nothing", "as ever"}:
        one = a if facts.several_packs else "the {}".format
        counts = listed(
            f"{a(card(name)) if name == '*' else one(card(name))} counts {points}"
            for name, points in apart
        )
        yield facts.say(f"Left in a hand, {counts}.", "score.in_hand")
    yield from _blocked(facts)
    if score.rummy != "nothing":
        text = "A player may go out by laying the whole hand in one turn, with no card "
        text += f"on the table before. This is called {facts.rules.meld.whole_hand}"
        if score.rummy == "double":
            text += ": the cards left in the hands count twice."
        else:
            does = "takes {} points off the player's score"
            if facts.rules.match.winner != "lowest":
                does = "scores a bonus of {}"
            text += f", and {does.format(score.rummy)}"
            if isinstance(score.natural_rummy, int):
                text += f", or {score.natural_rummy} if no card that they laid is wild"
            text += "."
        natural = ["score.natural_rummy"] if facts.natural_rummy else []
        yield facts.say(text, "score.rummy", *natural)
    yield from _out_bonus(facts)
    yield from _canasta_bonuses(facts)
    yield from _paid(facts)
    yield from _knocks(facts)


def _blocked(facts: Facts) -> Iterator[Paragraph]:
    """
    What the hands count for when nobody has gone out, if that differs.
    """
    blocked = facts.rules.score.blocked
    if blocked != "as ever":
        yield facts.say(
            f"If nobody {facts.out[1]}, "
            + {
                "nothing": "the cards left in the hands count for nothing"
                + (", and leaving the round costs nothing." if facts.leaves else "."),
                "subtract": "the cards left in the hands are subtracted from the "
                "scores of their holders.",
                "to the lowest hand": "the player with the fewest points in the hand "
                "scores all cards that the others still hold; if several are equal, "
                "the hands count for nobody.",
            }[blocked],
            "score.blocked",
        )


def _canasta_bonuses(facts: Facts) -> Iterator[Paragraph]:
    """
    What canastas, going out concealed and cards laid aside count.
    """
    score, canastas = facts.rules.score, facts.rules.out.canasta
    for points, kind, path in (
        (
            score.natural_canasta,
            "natural canasta, one without",
            "score.natural_canasta",
        ),
        (score.mixed_canasta, "mixed canasta, one with", "score.mixed_canasta"),
    ):
        if points and canastas:
            text = f"A {kind} a wild card, scores a bonus of {points}."
            yield facts.say(text, path)
    if score.concealed and canastas:
        draw = " after a draw from the stock" * (score.concealed_from == "the stock")
        shown = "on the table before the turn, none laid on melds of a partner"
        if score.concealed_alone:
            shown = "of theirs or of their partner on the table before the turn"
        yield facts.say(
            f"A player who goes out concealed{draw} scores {score.concealed} more: "
            f"with no card {shown}, and a canasta of their own.",
            "score.concealed",
            *["score.concealed_from"] * bool(draw),
            *["score.concealed_alone"] * score.concealed_alone,
        )
    if score.laid_aside and facts.rules.deal.laid_aside:
        side = "player" if facts.rules.match.sides == "none" else "side"
        every = ""
        if score.all_laid_aside:
            every = f", and all of them together {score.all_laid_aside}"
        names = cards(facts.rules.deal.laid_aside)
        if names.startswith("a "):
            names = f"each {names[2:]}"
        yield facts.say(
            f"{capital(names)} laid out scores {score.laid_aside}{every}. They count "
            f"against a {side} that has not melded.",
            "score.laid_aside",
            *["score.all_laid_aside"] * bool(every),
        )


def _out_bonus(facts: Facts) -> Iterator[Paragraph]:
    """
    What a player scores for going out, and what for a cut.
    """
    bonus = facts.rules.score.out_bonus
    if bonus:
        first = " first" if facts.rules.out.play_goes_on else ""
        yield facts.say(
            f"The player who {facts.out[1]}{first} scores a bonus of {bonus}.",
            "score.out_bonus",
        )
    cut = facts.rules.score.exact_cut
    if cut:
        who = f"the player on the dealer's {facts.other_side}"
        if facts.only_two:
            who = "the player who does not deal"
        does = f"scores {cut} points"
        if facts.rules.match.winner == "lowest":
            does = f"takes {cut} points off their score"
        yield facts.say(
            f"Before each deal {who} cuts the cards. A player who cuts off exactly as "
            f"many as the deal needs, or one more, {does}.",
            "score.exact_cut",
        )


def _unmatched(facts: Facts) -> Iterator[Paragraph]:
    """
    What cards are worth where cards on the table are worth nothing.
    """
    yield facts.say(
        "An unmatched card is worth:", "score.down", rows=card_points(facts)
    )
    yield _hands(facts)
    yield from _lives(facts)
    yield from _adjusted(facts)
    yield from _blocked(facts)
    yield from _out_bonus(facts)
    yield from _paid(facts)
    yield from _knocks(facts)


def _lives(facts: Facts) -> Iterator[Paragraph]:
    """
    What a hand counts that lacks the runs of a declaration.
    """
    lives = facts.rules.score.lives
    if not facts.rules.out.runs or lives == "none":
        return
    text = "A hand without the runs that a declaration needs counts in full, melds too"
    if lives == "graded":
        text = (
            "A hand without a pure run counts in full, melds too. One with a pure run, "
            "but without all the runs that a declaration needs, counts all cards but "
            "those of a pure run"
        )
    yield facts.say(f"{text}.", "score.lives")


def _adjusted(facts: Facts) -> Iterator[Paragraph]:
    """
    What the points of the cards left in a hand become.
    """
    score = facts.rules.score
    if not facts.hands_count:
        return
    rounds, caps = score.rounded_to > 1, isinstance(score.most_in_hand, int)
    if rounds:
        yield facts.say(
            "The points of each hand are rounded to the nearest multiple of "
            f"{number(score.rounded_to)}.",
            "score.rounded_to",
        )
    if caps:
        then = "After that, a" if rounds else "A"
        yield facts.say(
            f"{then} hand counts {score.most_in_hand} points at most.",
            "score.most_in_hand",
        )
    if score.no_turn == "in full":
        if facts.declares and not facts.rules.out.play_goes_on:
            yield facts.say(
                "The hand of a player who has had no turn counts like any other.",
                "score.no_turn",
            )
    else:
        order = ["RV-49"] if rounds or caps else []
        yield facts.say(
            "The hand of a player who has had no turn counts half of "
            f"{'this' if order else 'its points'}, rounded down.",
            "score.no_turn",
            *order,
        )
    if score.dealt_hand == "double":
        twice = "twice as much" if rounds or caps else "double"
        yield facts.say(
            "When a hand is declared as it was dealt, the hand of a player who has had "
            f"a turn counts {twice}.",
            "score.dealt_hand",
            *["RV-49"] * (rounds or caps),
        )


def _paid(facts: Facts) -> Iterator[Paragraph]:
    """
    What is paid for the card above the one shown.
    """
    table = facts.rules.score.above
    if not table:
        return
    parts = [f"{points} for {_this_many(held)}" for held, points in table]
    parts[-1] += " or more"
    yield facts.say(
        "When somebody has gone out, each player who holds the wild card above the one "
        "shown, or has it in melds, is paid by every other player still in the round: "
        f"{listed(parts)}. That is paid beside the points.",
        "score.above",
    )


def _this_many(held: int) -> str:
    return "one such card" if held == 1 else f"{number(held)}"


def _knocks(facts: Facts) -> Iterator[Paragraph]:
    """
    Bonuses for knocks, and rounds that count twice.
    """
    rules = facts.rules
    score = rules.score
    if rules.meld.concealed and not facts.declares:
        if score.gin_bonus:
            yield facts.say(
                f"Gin brings a bonus of {score.gin_bonus}.", "score.gin_bonus"
            )
        if score.big_gin_bonus and rules.out.big_gin:
            yield facts.say(
                f"Big gin brings a bonus of {score.big_gin_bonus}"
                f"{' instead' if score.gin_bonus else ''}.",
                "score.big_gin_bonus",
            )
    if score.hands == "the difference" and rules.out.knock != 0:
        bonus = ""
        if score.undercut_bonus:
            bonus = f" and a bonus of {score.undercut_bonus}"
        no_more = {
            "undercut": "no more points than the knocker",
            "nobody": "fewer points than the knocker",
        }[score.equal_hands]
        equal = (
            ""
            if score.equal_hands == "undercut"
            else " If both have the same, nobody scores."
        )
        yield facts.say(
            f"If the knocker did not go gin and the other player has {no_more}, that "
            f"is an undercut: the other player scores the difference{bonus}.{equal}",
            "score.undercut_bonus",
            "score.equal_hands",
        )
    if score.spade_upcard:
        boxes = ", and brings two boxes" if rules.match.counts_boxes else ""
        yield facts.say(
            "If the card that began the discard pile is a spade, the round counts "
            f"twice, including bonuses{boxes}.",
            "score.spade_upcard",
        )


def _hands(facts: Facts) -> Paragraph:
    score = facts.rules.score
    first = " first" if facts.rules.out.play_goes_on else ""
    went, as_ever = facts.out[1], score.blocked == "as ever"
    only = score.counted == "unmatched cards"
    left = facts.left
    text = {
        "subtract": f"The {left} are subtracted from the score of their "
        "holder, so a score may be negative.",
        "to the one who is out": f"The player who {went}{first} also scores all "
        "cards that the others still hold; these lose nothing."
        + (f" If nobody {went}, the hands count for nobody." if as_ever else ""),
        "add": f"The {left} are added to the score of their holder, so "
        "low scores are good.",
        "nothing": "The cards left in the hands count for nothing.",
        "the difference": "The player who went gin scores the unmatched cards of the "
        "other player, whose hand is sorted into the best melds."
        if facts.gin_only
        else "After a knock the unmatched cards of both hands are counted; the other "
        "player's hand is sorted into the best melds. The player with fewer points in "
        "them scores the difference.",
    }[score.hands]
    if as_ever and score.hands == "the difference":
        text += f" If nobody {facts.out[0]}, nobody scores."
    if only:
        text += (
            " Every hand is arranged in melds so that it comes to the fewest points."
        )
    gains = {"to the one who is out", "to the lowest hand"}
    if facts.rules.match.sides != "none" and gains & {score.hands, score.blocked}:
        text += " Nobody gains the hand of a partner."
    if facts.low_aces_count and score.hands != "nothing":
        text += " An ace left in a hand does not count as low."
    return facts.say(text, "score.hands", *(["score.counted"] if only else []))


def card_points(facts: Facts) -> Iterator[Row]:
    """
    The points of the cards, with equal ones together.
    """
    score = facts.rules.score
    points = dict(score.points)
    always = {"wild.twos": "2", "wild.tens": "T", "wild.jokers": "*"}
    wild = {always[path] for path in facts.permanent if path in always}
    if score.wild == "as the card":
        wild.clear()
    special = dict(score.special)
    letters = [
        one
        for one in "23456789TJQKA*"
        if facts.has(one) and one not in wild and not (one == "*" and one in special)
    ]
    face = [
        letter
        for at, letter in enumerate("23456789T", 2)
        if letter in letters and points.get(letter) == at
    ]
    if len(face) > 2:
        yield _row(facts, capital(rank_list(face)), "face value", face)
        letters = [letter for letter in letters if letter not in face]
    groups: dict[int, list[str]] = {}
    for letter in letters:
        groups.setdefault(points.get(letter, 0), []).append(letter)
    for value, group in groups.items():
        yield _row(facts, capital(rank_list(group)), value, group)
    if facts.low_aces_count:
        yield facts.row("Low ace in a run", score.low_ace, "score.low_ace")
    if facts.wilds and (facts.wild_selves or "*" not in special):
        yield from _wild_rows(facts)
    for name, value in score.special:
        if facts.has(name[0]):
            either = name != "*" and facts.may_be_wild(name)
            label = f"{capital(card(name))}{', wild or not' if either else ''}"
            yield facts.row(label, value, f"score.special.{name}")


def _row(facts: Facts, label: str, value: object, letters: list[str]) -> Row:
    return facts.row(label, value, *(f"score.points.{letter}" for letter in letters))


def _wild_rows(facts: Facts) -> Iterator[Row]:
    score = facts.rules.score
    wild, ace = (
        "as if it were not wild" if points == "as the card" else points
        for points in (score.wild, score.wild_ace)
    )
    if not facts.wild_selves:
        if wild == score.wild:
            yield facts.row("Joker", wild, "score.wild")
    elif not facts.wild_aces:
        # Where each wild is listed under its own name, and said to score as itself.
        if facts.shown or wild == score.wild or score.down != "add":
            yield facts.row("Wild card", wild, "score.wild")
    elif ace == wild:
        yield facts.row("Wild card, even an ace", wild, "score.wild", "score.wild_ace")
    else:
        yield facts.row("Wild card, not an ace", wild, "score.wild")
        yield facts.row("Wild ace", ace, "score.wild_ace")


# --------------------------------------------------------------------------- match


def match(facts: Facts) -> Iterator[Paragraph]:
    """
    How the match is won.
    """
    policy = facts.rules.match
    by_round = policy.ends == "after the kings"
    best = "lowest" if policy.winner == "lowest" else "highest"
    who, one, several, winner = "somebody", "player", "Players", "a player who"
    if policy.sides != "none":
        who, one, several, winner = "a side", "side", "Sides", "a side that"
    one_wins = False
    if policy.columns > 1:
        yield _columns(facts)
    if by_round:
        last = next(one for one in "KQJT98765432A" if facts.has(one))
        yield facts.say(
            f"The match is over after the round in which {ranks(last)} are wild, and "
            f"no sooner. The {best} score wins.",
            "match.ends",
            "match.winner",
        )
    elif policy.ends == "after the rounds":
        yield facts.say(
            f"The match is over after {counted(facts.most_rounds, 'round')}"
            + (", and no sooner" if facts.most_rounds > 1 else "")
            + f". The {best} score wins.",
            "match.ends",
            "match.rounds",
            "match.winner",
        )
    elif policy.ends == "when one is left":
        one_wins = True
        if policy.eliminated_at == "never":
            yield facts.say(
                "The match is over when all players but one are out of it, and the "
                "last one left wins.",
                "match.ends",
            )
    else:
        one_wins = (
            facts.one_scores
            and policy.columns == 1
            and policy.decided_by == "the totals"
            and policy.winner in {"highest", "who is out"}
        )
        reached = f"{who} has {policy.target} points or more"
        if policy.winner == "only who is out":
            text = (
                f"The match is won by {winner} {facts.out[0]} and then has "
                f"{policy.target} points or more; until then more rounds are played."
            )
        elif policy.columns > 1:
            wins = (
                "that player wins the column"
                if facts.one_scores
                else "the column is won"
            )
            text = (
                f"When a round is over and {reached} in a column, {wins}; the match is "
                "over with the last column."
            )
        else:
            text = (
                f"When a round is over and {reached}, "
                f"the match is over{', and that player wins' if one_wins else ''}."
            )
        one_wins = one_wins or policy.winner == "only who is out"
        yield facts.say(
            text,
            "match.target",
            "match.ends",
            *(["match.winner"] if one_wins else []),
        )
        if not (one_wins or (policy.columns > 1 and facts.one_scores)):
            yield _winner(facts)
    yield from _eliminated(facts)
    if facts.most_rounds and policy.ends != "after the rounds":
        yield facts.say(
            f"After {counted(facts.most_rounds, 'round')} the match is over in any "
            f"case, and the {best} score wins.",
            "match.rounds",
        )
    if not one_wins or facts.most_rounds:
        yield facts.say(
            {
                "joint": f"{several} with equal "
                f"{'sums' if policy.columns > 1 else f'{best} scores'} win together.",
                "play on": f"If the {best} scores are equal, more rounds are played "
                f"until one {one} is ahead.",
                "to who is out": f"If several {several.lower()} have the {best} score, "
                f"the one who {facts.out[1]}"
                + ("" if facts.single_round else " in the last round")
                + " wins; if none of them did, they win together.",
            }[policy.tie],
            "match.tie",
        )
    yield from _bonuses(facts)
    if policy.settlement != "none":
        yield facts.say(
            f"After the match, each losing {one} pays each winning {one} the "
            "difference of their scores.",
            "match.settlement",
        )


def _eliminated(facts: Facts) -> Iterator[Paragraph]:
    """
    Who is out of the match before it ends, and who comes back.
    """
    policy = facts.rules.match
    if policy.eliminated_at == "never":
        return
    decides = policy.ends == "when one is left"
    yield facts.say(
        f"A player whose total is {policy.eliminated_at} points or more after a round "
        "is out of the match. They are dealt no more cards, and the deal passes over "
        "them.",
        "match.eliminated_at",
    )
    yield facts.say(
        "The last one left wins. If all who were left are out after the same round, "
        "the lowest total wins, and players with equal lowest totals win together.",
        "match.eliminated_at",
        *(["match.ends", "match.winner"] if decides else []),
    )
    if policy.rejoin != "never":
        yield facts.say(
            "Before the next deal, a player who has just gone out in this way may come "
            f"back if nobody still in the match has more than {policy.rejoin} points. "
            "They go on with one point more than the highest total of those players.",
            "match.rejoin",
        )


def _columns(facts: Facts) -> Paragraph:
    number = counted(facts.rules.match.columns, "column")
    return facts.say(
        f"The score is kept in {number}, each with winners and bonuses of its own. "
        "The first round that a player wins counts in the "
        "first column, the second one in the first two, and so on. A column that is "
        "won takes no more points; a player who has not scored in it begins in the "
        "next one. When all are won, the columns are added up, and the best sum wins.",
        "match.columns",
    )


def _bonuses(facts: Facts) -> Iterator[Paragraph]:
    """
    What the end of the match, or of a column of its score, adds to the totals.
    """
    policy = facts.rules.match
    columns = policy.columns > 1
    game = "column" if columns else "match"
    if policy.game_bonus:
        who = f"winner of the {game}" if policy.sides == "none" else "winning side"
        shared, paths = "", ["match.game_bonus"]
        if policy.shared_bonus == "to nobody":
            shared = " If several win together, nobody gets it."
            paths.append("match.shared_bonus")
        yield facts.say(
            f"The {who} gets a bonus of {policy.game_bonus} points.{shared}", *paths
        )
    if policy.box_bonus:
        one = "player" if policy.sides == "none" else "side"
        most = f" by scoring more than any other {one}"
        most = "" if facts.one_scores else most
        when = {
            "at the end": "brings {} points at the end"
            + (" of each column that it counts in." if columns else "."),
            "at once": "brings {} more points at once, which count for the target.",
        }[policy.box_counts].format(policy.box_bonus)
        yield facts.say(
            f"A round won{most} {when}", "match.box_bonus", "match.box_counts"
        )
    if policy.shutout:
        more = (
            f"all points of the {game} are doubled, including those at its end."
            if policy.shutout == "double"
            else f"the winner gets {policy.shutout} more points."
        )
        in_it = " in it" if columns else ""
        yield facts.say(
            f"If nobody but the winner has won a round{in_it}, {more}", "match.shutout"
        )
    if policy.box_bonus and policy.box_counts == "at the end":
        best = "lowest" if policy.winner == "lowest" else "highest"
        yield facts.say(
            {
                "the totals": "The winner is settled before these points are added, "
                "even if another player has more in the end.",
                "the final totals": f"When these points are added, the {best} total "
                "wins, whoever had the target.",
            }[policy.decided_by],
            "match.decided_by",
        )


def _winner(facts: Facts) -> Paragraph:
    players = "players" if facts.rules.match.sides == "none" else "sides"
    went = facts.out[1]
    if facts.rules.match.winner == "who is out":
        text = (
            f"If several {players} have that many, the one who {went} in that round "
            f"wins; if none of them {went}, the highest score wins."
        )
    elif facts.rules.match.winner == "lowest":
        text = "The lowest score of all wins."
    else:
        text = f"If several {players} have that many, the highest score wins."
    return facts.say(text, "match.winner")
