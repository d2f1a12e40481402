"""
The first half of a rule sheet: the players, the cards and the deal.
"""

from __future__ import annotations

from collections.abc import Iterator

from rummyvariants._support.words import (
    a,
    capital,
    cards,
    counted,
    listed,
    number,
    ordinal,
    rank,
    rank_list,
    ranks,
    span,
    stretches,
    suit,
)
from rummyvariants.cards import RANKS
from rummyvariants.rules.sheet.model import Facts, Paragraph


# ----------------------------------------------------------------- players and aim


def players(facts: Facts) -> Iterator[Paragraph]:
    """
    The players and the aim.
    """
    low, high = facts.rules.match.players
    sides = facts.rules.match.sides != "none"
    if high == 1:
        text = "One player plays alone."
    elif low == high or sides:
        text = f"The game is for {span(low, high)} players."
    else:
        text = f"{capital(span(low, high))} players can play, each for themselves."
    yield facts.say(text, "match.players")
    if 0 < len(facts.seated) < len(facts.players):
        seated = {count: count in facts.seated for count in facts.players}
        spans = [span(low, high) for low, high, enough in stretches(seated) if enough]
        yield facts.say(
            f"The deck has enough cards only for {listed(spans, 'or')} of them.",
            "match.players",
            "deal.hand_size",
        )
    if sides:
        yield from _sides(facts)
    if facts.rules.score.hands == "the difference":
        if facts.gin_only:
            text = (
                "The aim of a round is to arrange the whole hand in melds. The first "
                "to do so scores the other player's unmatched cards."
            )
        else:
            text = (
                "The aim of a round is to arrange the hand in melds, so that the "
                "unmatched cards are worth few points. After a knock the player with "
                "fewer points scores the difference."
            )
        yield facts.say(text, "score.hands", "out.knock")
    elif facts.declares:
        yield facts.say(
            "The aim of a round is to arrange the whole hand in melds. Once somebody "
            f"has done so, the {facts.left} count against the others.",
            "out.declare",
            "score.hands",
            "score.counted",
        )
    else:
        yield facts.say(_aim(facts), "score.down", "score.hands")
    yield facts.say(*_until(facts))


def _sides(facts: Facts) -> Iterator[Paragraph]:
    """
    The partners.
    """
    low, high = facts.rules.match.players
    if facts.rules.match.sides == "partners opposite if four":
        yield facts.say(
            "Four players form two sides: those who sit opposite each other are "
            "partners, and their points count as one score. Otherwise everybody plays "
            "alone.",
            "match.sides",
        )
    else:
        odd = " The number of players is even, and four at least." * (low != high)
        yield facts.say(
            "Players who sit opposite each other are partners and form a side: their "
            f"points count as one score.{odd}",
            "match.sides",
        )
    rules = facts.rules
    layoff = rules.layoff
    own = layoff.onto == "own melds"
    asked = own or layoff.needs_own_meld or layoff.single_wilds
    calls = rules.call.calls != "none" and rules.call.needs_own_meld
    if asked or calls or rules.meld.first_natural:
        yield facts.say(
            "Wherever a rule asks for a meld of one's own, one of the partner's will "
            "do.",
            "RV-20",
        )


def _aim(facts: Facts) -> str:
    score = facts.rules.score
    if score.down == "add":
        return (
            "The aim of a round is to put cards down in melds: each card on the table "
            "counts for the player who laid it"
        ) + {
            "subtract": ", and each card left in a hand against its holder.",
            "to the one who is out": f", and the player who {facts.out[0]} scores "
            "what the others still hold.",
            "nothing": ".",
            "add": ", and each card left in a hand adds to the score of its holder.",
        }[score.hands]
    return (
        "The aim of a round is to get rid of one's cards, above all by putting them "
        "down in melds. Cards on the table count for nobody"
    ) + {
        "subtract": "; each card left in a hand counts against its holder.",
        "to the one who is out": f"; the player who {facts.out[0]} scores what the "
        "others still hold.",
        "nothing": ".",
        "add": "; each card left in a hand adds to the score of its holder.",
    }[score.hands]


def _until(facts: Facts) -> tuple[str, ...]:
    match = facts.rules.match
    if match.ends == "after the kings":
        rounds = len(facts.rules.deck.ranks)
        if 0 < facts.most_rounds < rounds:
            text = f"A match lasts {counted(facts.most_rounds, 'round')}."
            return text, "match.ends", "match.rounds"
        text = f"A match lasts {counted(rounds, 'round')}, one for each wild rank."
        return text, "match.ends"
    if match.ends == "after the rounds":
        text = f"A match lasts {counted(facts.most_rounds, 'round')}."
        return text, "match.ends", "match.rounds"
    if match.ends == "when one is left":
        text = "Rounds are played until all players but one are out of the match"
        paths = ["match.ends"]
        if facts.most_rounds:
            text += f", but no more than {counted(facts.most_rounds, 'round')}"
            paths.append("match.rounds")
        return f"{text}.", *paths
    who = "somebody" if match.sides == "none" else "a side"
    goes = f"{facts.out[0]} and " if match.winner == "only who is out" else ""
    text = f"Rounds are played until {who} {goes}has {match.target} points"
    paths = ["match.target"]
    if match.columns > 1:
        text += f" in each of the {counted(match.columns, 'column')} of the score"
        paths.append("match.columns")
    if facts.most_rounds:
        text += f", but no more than {counted(facts.most_rounds, 'round')}"
        paths.append("match.rounds")
    return f"{text}.", *paths


# ---------------------------------------------------------------------------- deck


def deck(facts: Facts) -> Iterator[Paragraph]:
    """
    The cards of the deck.
    """
    policy = facts.rules.deck
    paths = ["deck.packs"]
    if any(policy.least_packs > packs for _, packs in policy.packs):
        paths.append("deck.least_packs")
    if policy.more_packs:
        paths.append("deck.more_packs")
    yield facts.say(_packs(facts), *paths)
    yield from _left_out(facts)
    paths = ["deck.jokers"]
    if isinstance(policy.jokers_in_all, int):
        paths = ["deck.jokers_in_all"]
        verb = "is" if policy.jokers_in_all == 1 else "are"
        jokers = counted(policy.jokers_in_all, "joker")
        text = f"There {verb} {jokers} in the deck."
    elif policy.jokers:
        verb = "comes" if policy.jokers == 1 else "come"
        text = f"{capital(counted(policy.jokers, 'joker'))} {verb} with each pack."
    else:
        text = "There are no jokers."
    yield facts.say(text, *paths)
    most = policy.most_jokers
    if not isinstance(most, int) or isinstance(policy.jokers_in_all, int):
        return
    if most < max(facts.packs.values()) * policy.jokers:
        verb = "is" if most == 1 else "are"
        yield facts.say(
            f"However many packs there are, no more than {counted(most, 'joker')} "
            f"{verb} used."
            if most
            else "They are all left out.",
            "deck.most_jokers",
        )


def _packs(facts: Facts) -> str:
    groups = stretches(facts.packs)
    sizes = [len(facts.rules.deck.cards_for(low)) for low, _, _ in groups]
    if len(groups) == 1:
        however = ", however many play" if len(facts.players) > 1 else ""
        packs = counted(groups[0][2], "pack")
        return f"The deck is {packs}, {sizes[0]} cards in all{however}."
    first, *others = (
        f"{counted(packs, 'pack')} ({size} cards) for {span(low, high)} players"
        for (low, high, packs), size in zip(groups, sizes, strict=True)
    )
    return f"The deck is {listed([first, *others])}."


def _left_out(facts: Facts) -> Iterator[Paragraph]:
    policy = facts.rules.deck
    out = [letter for letter in RANKS if letter not in policy.ranks]
    if len(out) > len(RANKS) // 2:
        yield facts.say(
            f"Of the ranks only {rank_list(policy.ranks)} are used.", "deck.ranks"
        )
    elif out:
        yield facts.say(
            f"All {listed([ranks(letter) for letter in out])} are taken out.",
            "deck.ranks",
        )
    suits = [letter for letter in "cdhs" if letter not in policy.suits]
    if suits:
        yield facts.say(
            f"All {listed([suit(letter) for letter in suits])} are taken out.",
            "deck.suits",
        )


# ---------------------------------------------------------------------------- deal


def dealing(facts: Facts) -> Iterator[Paragraph]:
    """
    How the cards are dealt.
    """
    policy = facts.rules.deal
    yield _dealer(facts)
    if policy.method == "fixed":
        yield _hands_of_one_size(facts)
    else:
        yield from _whole_hands(facts)
    if policy.first_discard == "turned up":
        yield facts.say(
            "The remaining cards form the stock, face down, and its top card is turned "
            "up to begin the discard pile.",
            "deal.first_discard",
        )
        yield from _turned_again(facts)
    else:
        yield facts.say(
            "The remaining cards form the stock, face down. No card is turned up: the "
            "first player is dealt one card more than the others, begins without a "
            "draw, and makes the first discard.",
            "deal.first_discard",
        )
    yield from _cards_aside(facts)
    if not facts.deal_suffices:
        yield _too_few(facts)


def _dealer(facts: Facts) -> Paragraph:
    """
    Who deals.
    """
    if facts.single_round:
        text = "Chance decides who deals, for instance by drawing cards."
        return facts.say(text, "deal.dealer")
    alone = "" if facts.only_two else " alone"
    next_dealer = f"the player on the dealer's {facts.side}"
    if facts.only_two:
        next_dealer = "the player who did not deal"
    return facts.say(
        "Chance decides who deals first, for instance by drawing cards. "
        + {
            "left": "The two players then take turns to deal."
            if facts.only_two
            else f"After every round the deal passes to the {facts.side}.",
            "left after a score": (
                "The two players take turns to deal"
                if facts.only_two
                else f"After every round the deal passes to the {facts.side}"
            )
            + ", but after a round in which nobody scores the same player deals again.",
            "the loser": "The loser of a round deals the next one; after a round that "
            f"nobody lost{alone} the same player deals again.",
            "the winner": "The winner of a round deals the next one; after a round "
            f"that nobody won{alone} the same player deals again.",
            "to who is out": f"The player who {facts.out[1]} deals the next round; if "
            f"nobody did, {next_dealer} deals it.",
        }[facts.rules.match.rotation],
        "deal.dealer",
        "match.rotation",
    )


def _turned_again(facts: Facts) -> Iterator[Paragraph]:
    """
    First upcards on which another card is turned up.
    """
    policy = facts.rules.deal
    kinds = ["a wild card"] * (policy.first_upcard_again and facts.wilds)
    aside = policy.laid_aside * policy.first_upcard_again
    if aside or policy.turned_again:
        kinds.append(cards((*aside, *policy.turned_again)))
    if kinds:
        yield facts.say(
            f"If it is {listed(kinds, 'or')}, another card is turned up on it, until "
            "one shows that may stay. The cards below stay too.",
            *["deal.first_upcard_again"] * policy.first_upcard_again,
            *["deal.turned_again"] * bool(policy.turned_again),
        )


def _cards_aside(facts: Facts) -> Iterator[Paragraph]:
    """
    The cards that no hand keeps.
    """
    aside = facts.rules.deal.laid_aside
    if not aside:
        return
    yield facts.say(
        f"No hand keeps {cards(aside)}: such a card is laid out face up at once "
        "and replaced from the stock. Those that are dealt are replaced before the "
        "first card is turned up, and those taken from the discard pile are not "
        "replaced.",
        "deal.laid_aside",
        "RV-51",
    )
    if facts.rules.stock.last_laid_aside:
        yield facts.say(
            "If the last card of the stock is such a card, the round is over at once "
            "when it is drawn.",
            "stock.last_laid_aside",
        )


def _hands_of_one_size(facts: Facts) -> Paragraph:
    policy = facts.rules.deal
    groups = stretches({count: policy.fixed_size(count, 1) for count in facts.players})
    if facts.sized_by_rule:
        return facts.say(
            f"Beginning on the dealer's {facts.side}, the cards are dealt singly and "
            "face down.",
            "deal.method",
        )
    if policy.by_round:
        return facts.say(
            f"Beginning on the dealer's {facts.side}, the cards are dealt singly and "
            f"face down: {_by_rounds(policy.by_round, facts.rules.match.most_rounds)}.",
            "deal.method",
            "deal.by_round",
        )
    if len(groups) == 1:
        each = f"{number(groups[0][2])} to each player"
    else:
        hands = [f"{number(n)} to each of {span(low, high)}" for low, high, n in groups]
        each = listed([f"{hands[0]} players", *hands[1:]])
    two = ["deal.for_two"] if isinstance(policy.for_two, int) else []
    return facts.say(
        f"Beginning on the dealer's {facts.side}, the cards are dealt singly and face "
        f"down, {each}.",
        "deal.method",
        "deal.hand_size",
        *(two if 2 in facts.players else []),
    )


def _by_rounds(sizes: tuple[tuple[int, int], ...], rounds: int | None) -> str:
    """
    The sizes of hands from round to round, in words.

    Args:
        sizes: The sizes, each by the round from which it holds.
        rounds: How many rounds a match has; None for any number.
    """
    (_, first), *later = [one for one in sizes if one[0] <= (rounds or one[0])]
    grows = [size - first == at - sizes[0][0] for at, size in later]
    if len(later) > 2 and all(grows):
        last, most = later[-1]
        on = "" if last == rounds else " and all later ones"
        return (
            f"{number(first)} to each player in the first round, and one more in each "
            f"round after it, up to {number(most)} in the {ordinal(last)}{on}"
        )
    texts = [f"{number(size)} from the {ordinal(at)} round on" for at, size in later]
    return listed([f"{number(first)} to each player", *texts])


def _whole_hands(facts: Facts) -> Iterator[Paragraph]:
    named = {
        "additional": "how many more cards follow it face down",
        "total": "how many cards the whole hand has, including itself",
    }[facts.rules.deal.upcard_means]
    yield facts.say(
        f"Beginning on the dealer's {facts.side} and ending with the dealer, each "
        "player is dealt a whole hand before the next is served. The first card of a "
        "hand, the upcard, comes face up, and its number says "
        f"{named}{_example(facts)}.",
        "deal.method",
        "deal.upcard_means",
    )
    counts, paths = facts.upcard_numbers("counts")
    yield facts.say(f"As an upcard, {counts}.", *paths)
    yield from _odd_upcards(facts)
    stays = facts.face_up_wild and facts.rules.wild.indicator == "upcard"
    but = ", except for the dealer's upcard" if stays else ""
    yield facts.say(
        f"All players then pick up their cards, including the upcard{but}.",
        "deal.method",
        "wild.indicator_stays",
    )


def _example(facts: Facts) -> str:
    policy = facts.rules.deal
    for letter in "76985":
        if facts.has(letter) and letter not in policy.put_back_ranks:
            count = policy.upcard_number(letter)
            if policy.upcard_means == "additional":
                return f": {a(rank(letter))} makes a hand of {number(count + 1)}"
            if count > 1:
                return f": {a(rank(letter))} is followed by {number(count - 1)} more"
    return ""


def _odd_upcards(facts: Facts) -> Iterator[Paragraph]:
    """
    Upcards that are put back, and those that are wild in every deal.
    """
    policy, wild = facts.rules.deal, facts.rules.wild
    back = [letter for letter in policy.put_back_ranks if facts.has(letter)]
    if back:
        yield facts.say(
            f"{capital(a(rank_list(back, 'or')))} dealt as an upcard goes back into "
            "the deck at a random place, and another card is turned up instead.",
            "deal.put_back_ranks",
        )
    names = [
        name
        for path, name in facts.permanent.items()
        if path != "wild.cards"
        if not (name == "two" and "2" in back) and not (name == "ten" and "T" in back)
        if not (name == "one-eyed jack" and "J" in back)
    ]
    # The dealer's own upcard may name the wild rank, and is treated elsewhere.
    who = "player"
    if wild.indicator == "upcard" and not wild.shows_wilds:
        who = "player other than the dealer"
    if "two" in names and policy.two_upcard != "as wild":
        names.remove("two")
        yield _sized(facts, ["two"], policy.two_upcard, who, "deal.two_upcard")
    if names or facts.wild_cards:
        yield _sized(
            facts,
            [*names, *facts.wild_cards],
            policy.wild_upcard,
            who,
            "deal.wild_upcard",
        )


def _sized(
    facts: Facts, names: list[str], size: str | int, who: str, path: str
) -> Paragraph:
    """
    The effect of a permanent wild as an upcard.
    """
    named = [one if one.startswith("the ") else a(one) for one in names]
    cards = listed(named, "or")
    if size == "choose":
        low, high = facts.rules.deal.choices()
        text = (
            f"A {who} whose upcard is {cards} chooses whether the whole hand has "
            f"{number(low)} cards or {number(high)}; the deal waits for the answer."
        )
    elif size == "bury":
        text = (
            f"{capital(cards)} dealt as an upcard is buried at a random place in the "
            "deck, and another card is turned up instead."
        )
    else:
        hand = {
            "additional": f"is dealt {size} more cards",
            "total": f"has {size} cards, including itself",
        }[facts.rules.deal.upcard_means]
        if facts.rules.deal.upcard_means == "additional":
            text = f"A {who} whose upcard is {cards} {hand}."
        else:
            text = f"The hand of a {who} whose upcard is {cards} {hand}."
    return facts.say(text, path)


def _too_few(facts: Facts) -> Paragraph:
    apart = facts.rules.wild.indicator in {"separate", "extra card"}
    if facts.rules.deal.too_few == "redeal":
        shown = ", the card that shows the wild rank" if apart else ""
        dead = facts.rules.stock.dead
        stock = "one card of stock" if not dead else f"{number(dead + 1)} of stock"
        return facts.say(
            f"If there are not enough cards for the hands{shown}, the first discard "
            f"and {stock}, they are shuffled and dealt again.",
            "deal.too_few",
        )
    kept = ["a card for the discard pile", "one for the stock"]
    if apart:
        kept.append("one to show the wild rank")
    if facts.rules.deal.method == "upcard":
        kept.append("an upcard for everyone still to be served")
    return facts.say(
        "If there are not enough cards, the hands dealt last are smaller: "
        f"{listed(kept)} are kept back. Failing that, the cards are dealt again.",
        "deal.too_few",
    )


# --------------------------------------------------------------------------- wilds


def wild(facts: Facts) -> Iterator[Paragraph]:
    """
    The wild cards, and what they stand for.
    """
    policy = facts.rules.wild
    odd_jokers = facts.has("*") and not policy.jokers
    if not facts.wilds and not odd_jokers:
        yield facts.say("No cards are wild.", "wild.indicator")
    if facts.permanent:
        cards = [
            "the joker" if one == "jokers" and facts.jokers == 1 else one
            for one in facts.always_wild
        ]
        verb = "is" if len(cards) == 1 and cards[0].startswith("the ") else "are"
        text = f"{capital(listed(cards))} {verb} wild in every deal"
        if not facts.names_wilds:
            yield facts.say(
                f"{text}, and no other card is.", *facts.permanent, "wild.indicator"
            )
        else:
            yield facts.say(f"{text}.", *facts.permanent)
        if "wild.one_eyed_jacks" in facts.permanent:
            yield facts.say(
                "The one-eyed jacks are those of spades and hearts; the others are "
                "natural cards.",
                "wild.one_eyed_jacks",
            )
    if odd_jokers:
        least = facts.rules.meld.least_set
        fits = facts.rules.meld.sets and facts.jokers >= least
        use = "are melded only as a set of jokers" if fits else "fit no meld"
        yield facts.say(
            f"Jokers are not wild, and {use}."
            if facts.wilds
            else f"No cards are wild. Jokers {use}.",
            "wild.jokers",
            *([] if facts.wilds else ["wild.indicator"]),
        )
    if policy.indicator == "by round":
        yield _by_round(facts)
    elif policy.indicator == "hand size":
        yield _by_hand_size(facts)
    elif policy.indicator != "none":
        yield from _shown(facts)
    if facts.wilds:
        yield from _stands_for(facts)


def _by_round(facts: Facts) -> Paragraph:
    order = [letter for letter in RANKS if facts.has(letter)]
    if len(order) > 3:
        text = (
            f"{ranks(order[0])} are wild in the first round, {ranks(order[1])} in the "
            f"second, and so on up to {ranks(order[-1])} in the {ordinal(len(order))}"
        )
    else:
        text = listed(
            f"{ranks(letter)} are wild in the {ordinal(at)} round"
            for at, letter in enumerate(order, 1)
        )
    stated = ["wild.indicator"]
    if facts.rules.match.ends != "after the kings":
        text += " and in all later ones"
    elif facts.rules.match.tie == "play on":
        text += " and in any that are played to break a tie"
    return facts.say(f"{capital(text)}.", *stated)


def _by_hand_size(facts: Facts) -> Paragraph:
    first, *later = facts.sizes
    deck, wild = facts.rules.deck.ranks, facts.rules.wild
    named = {size: wild.rank_of_size(size, deck) for size in facts.sizes}
    examples = [first, *[size for size in later if named[size] in {*"JQKA"}]]
    texts = [f"{ranks(named[one])} for {number(one)}" for one in examples if named[one]]
    if facts.sized_by_rule:
        texts = []
    such = f": {listed(texts)}" if texts else ""
    return facts.say(
        "The rank that equals the number of cards dealt to each player is wild in that "
        f"round{such}.",
        "wild.indicator",
    )


def _shown(facts: Facts) -> Iterator[Paragraph]:
    """
    The card that names the wild rank of a deal, and where it goes.
    """
    policy = facts.rules.wild
    fixed = facts.rules.deal.method == "fixed"
    when, turned = "When all hands are dealt, ", list[str]()
    if facts.rules.deal.first_discard == "turned up" and policy.turned_late:
        when = "After the card that begins the discard pile, "
        turned = ["wild.indicator_turned"]
    text = {
        "upcard": "The first card that the dealer is dealt is shown to all, and its "
        "rank"
        if fixed
        else "The rank of the dealer's upcard",
        "last card": "The last card that the dealer is dealt is turned face up, and "
        "its rank",
        "extra card": "When the dealer's hand is complete, the dealer is dealt one "
        "more card, face up, and its rank",
        "separate": f"{when}a card is turned face up and put under the stock, where "
        "all can see it, and its rank",
    }[policy.indicator]
    yield facts.say(f"{text} is wild for the deal.", "wild.indicator", *turned)
    if policy.indicator == "separate":
        yield facts.say(
            "That card belongs to no hand, and nobody ever draws it.", "wild.indicator"
        )
    elif policy.indicator_stays:
        yield _face_up(facts)
    elif not (policy.indicator == "upcard" and not fixed):
        yield facts.say("The dealer then picks up that card.", "wild.indicator")
    yield from _not_shown(facts)
    if policy.above:
        joker = facts.permanent and policy.shows_wilds
        none = " No card is above a joker." if joker else ""
        yield facts.say(
            "The card above the one shown, in the same suit, is wild as well; above a "
            f"king that is the ace.{none}",
            "wild.above",
        )


def _face_up(facts: Facts) -> Paragraph:
    rules = facts.rules
    text = (
        "That card stays on the table, face up in front of the dealer, and is not part "
        "of the hand"
    )
    if (
        rules.wild.indicator == "upcard"
        and rules.deal.method == "upcard"
        and rules.deal.upcard_means == "total"
    ):
        text += ", though it counts towards its size"
    if rules.meld.sets:
        own = (
            "Once the dealer has made a meld, the"
            if rules.layoff.needs_own_meld
            else "The"
        )
        least = number(max(rules.meld.least_set - 1, 1))
        text += (
            f". {own} dealer, and nobody else, can build on it: {least} or more "
            "natural cards of one rank, laid off on it together, make a set with it"
        )
        if rules.layoff.onto == "any meld":
            text += ", to which all can then add"
    return facts.say(f"{text}.", "wild.indicator_stays")


def _not_shown(facts: Facts) -> Iterator[Paragraph]:
    """
    Cards that cannot name the wild rank.
    """
    policy = facts.rules.wild
    if facts.permanent:
        if policy.shows_wilds:
            what = "a joker" if {*facts.permanent} == {"wild.jokers"} else ""
            wild = {"aces": "aces are wild", "no rank": "no rank is wild"}
            text = (
                f"If that card is {what or 'wild in every deal anyway'}, "
                f"{wild[policy.indicator_is_wild]} for the deal."
            )
        elif policy.indicator_is_wild == "more cards" and policy.by_dealers_card:
            text = (
                "If that card is wild in every deal anyway, the dealer keeps it in "
                "addition to the hand, and is dealt another until an ordinary card "
                "comes."
            )
        else:
            text = (
                "If that card is wild in every deal anyway, it is buried at a random "
                "place in the deck, and another card is turned up instead."
            )
        yield facts.say(text, "wild.indicator_is_wild")
    if not policy.aces and facts.has("A"):
        yield facts.say(
            "Aces are never wild: an ace that would name the wild rank is buried at a "
            "random place in the deck, and another card is turned up instead.",
            "wild.aces",
        )


def _stands_for(facts: Facts) -> Iterator[Paragraph]:
    rules = facts.rules
    itself = "be played as itself, or " if facts.wild_homes else ""
    lacks = set(RANKS) - set(rules.deck.ranks)
    but = ", but not of a rank that the deck does not have" if lacks else ""
    yield facts.say(
        f"A wild card may {itself}take the place of any card that a meld lacks, even "
        f"of one that is in play elsewhere{but}.",
        "wild.stands_for",
    )
    suits = facts.suits_of_wilds if rules.meld.sets else "always"
    if rules.meld.runs or suits != "never":
        lasts = ", and that never changes"
        if facts.real_card == "swap":
            lasts = ", and that does not change until it is traded for the real card"
        if facts.declares:
            lasts = ""
        yield facts.say(
            "Where there is a choice, the player of a wild card says which card it "
            f"stands for, including the suit{lasts}.",
            "wild.stands_for",
        )
    if suits != "always":
        where = " of several packs" if suits == "with one pack" else ""
        yield facts.say(
            f"In a set{where} it stands only for the rank.", "wild.stands_for"
        )
