"""
Answers to players as documents: rulings, legal actions, choosers, arrangements, scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import attrs

from rummyvariants.cards import Cards
from rummyvariants.errors import ParseError, RequestError, nearest
from rummyvariants.files._documents import ActionDocument
from rummyvariants.files._problems import Problems
from rummyvariants.files._slots import meld_slots
from rummyvariants.files.json._problems import JsonError
from rummyvariants.files.json._shapes import (
    ArrangementDocument,
    CardActions,
    ChoiceDocument,
    ChooserDocument,
    LegalActionDocument,
    PageDocument,
    ResultDocument,
    RulingDocument,
    SheetDocument,
    SheetRoundDocument,
)
from rummyvariants.game._chooser import ChoiceError, Chooser, chooser
from rummyvariants.game._listing import ActionPage, LegalAction
from rummyvariants.game._round import RoundResult, ScoreItem
from rummyvariants.game._sheets import ScoreSheet, SheetRound
from rummyvariants.game._views import View
from rummyvariants.game.verbs._known import parse_action
from rummyvariants.melds._choices import Choice
from rummyvariants.melds._meld import played
from rummyvariants.rulings import Ruling
from rummyvariants.solver import GOALS, ArrangeError, Arrangement
from rummyvariants.solver._arrangements import melds_after


# --------------------------------------------------------------------------- rulings


def ruling_document(ruling: Ruling) -> RulingDocument:
    """
    The document of a ruling.
    """
    return RulingDocument(
        legal=ruling.legal,
        rule=ruling.rule,
        reason=ruling.reason,
        source=ruling.source,
        also=ruling.also,
    )


def ruling_of(given: RulingDocument) -> Ruling:
    """
    The ruling of a document; its source follows from the rule.
    """
    return Ruling(given.legal, given.rule, given.reason, given.also)


# --------------------------------------------------------------------- legal actions


def page_document(page: ActionPage) -> PageDocument:
    """
    The document of a page of legal actions.
    """
    numbers = {id(one): at for at, one in enumerate(page.actions)}
    return PageDocument(
        seat=page.seat,
        card=page.card,
        start=page.start,
        actions=tuple(map(legal_action_document, page.actions)),
        next=page.next,
        by_card=tuple(
            CardActions(card=card, actions=tuple([numbers[id(one)] for one in some]))
            for card, some in page.by_card.items()
        ),
    )


def legal_action_document(one: LegalAction) -> LegalActionDocument:
    """
    The document of a legal action.
    """
    return LegalActionDocument(
        text=one.text,
        seat=one.seat,
        verb=one.verb,
        cards=one.cards,
        stands_for=one.stands_for,
        takes=one.takes,
        melds=one.melds,
        meld=one.meld,
        end=one.end,
        number=one.number,
    )


def page_of(given: PageDocument) -> ActionPage:
    """
    The page that a document describes; whether its actions are legal is not checked.

    Raises:
        JsonError: With every problem, if there is no such page.
    """
    problems = Problems(JsonError)
    for key in ("seat", "start"):
        value = getattr(given, key)
        if value is not None and value < 0:
            problems.add(key, f"give a whole number from 0, not {value}")
    actions = []
    for at, one in enumerate(given.actions):
        try:
            action = parse_action(one.text, one.seat)
        except RequestError as error:
            problems.add(f"actions[{at}].seat", str(error))
            continue
        except ParseError as error:
            problems.add(f"actions[{at}].text", str(error))
            continue
        found = LegalAction(action, one.takes)
        _same(problems, f"actions[{at}].", one, legal_action_document(found))
        actions.append(found)
    problems.done()
    page = ActionPage(given.seat, given.card, given.start, tuple(actions), given.next)
    after = given.start + len(actions)
    if given.next is not None and (given.next != after or not actions):
        problems.add("next", f"the next page starts at {after}, not {given.next}")
    if given.card is not None:
        for at, found in enumerate(actions):
            if not found.involves(given.card):
                problems.add(f"actions[{at}]", f"it does not involve {given.card}")
    if given.by_card != page_document(page).by_card:
        problems.add("by_card", "it does not agree with the actions")
    problems.done()
    return page


def _same(
    problems: Problems,
    path: str,
    said: LegalActionDocument,
    true: LegalActionDocument,
) -> None:
    """
    Note keys of an object that do not agree with what follows from others.
    """
    for field in attrs.fields(LegalActionDocument):
        mine, its = getattr(said, field.name), getattr(true, field.name)
        if mine != its:
            message = f"{_shown(mine)} does not agree with the text, which gives "
            problems.add(f"{path}{field.name}", message + _shown(its))


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_shown, value))}]"
    return "null" if value is None else str(value)


# -------------------------------------------------------------------------- choosers


def chooser_document(given: Chooser) -> ChooserDocument:
    """
    The document of a chooser; its state is not part of it.
    """
    action = given.action
    return ChooserDocument(
        seat=given.seat,
        taken=tuple(map(_choice_document, given.taken)),
        choices=tuple(map(_choice_document, given.choices)),
        action=(
            None
            if action is None
            else ActionDocument(seat=action.seat, action=str(action))
        ),
    )


def _choice_document(one: Choice) -> ChoiceDocument:
    return ChoiceDocument(
        text=one.text, kind=one.kind, card=one.card, number=one.number
    )


def chooser_of(given: ChooserDocument, at: View) -> Chooser:
    """
    The chooser that a document describes, for the seat of a view.

    Args:
        given: The document.
        at: What the seat knows.

    Raises:
        JsonError: If it is another seat's, or something in it is not offered.
    """
    if at.seat is None:
        raise JsonError([("seat", "a spectator chooses nothing")])
    if given.seat not in {None, at.seat}:
        message = f"it is {_whose(given.seat)}, but the view is {_whose(at.seat)}"
        raise JsonError([("seat", message)])
    found = chooser(at.world, at.seat)
    for number, one in enumerate(given.taken):
        try:
            found = found.choose(one.text)
        except ChoiceError as error:
            raise JsonError([(f"taken[{number}]", str(error))]) from None
        _check_choice(f"taken[{number}]", one, found.taken[-1])
    true = chooser_document(found)
    problems = Problems(JsonError)
    for key in ("choices", "action"):
        said = getattr(given, key)
        if said is not None and said != getattr(true, key):
            message = "it does not follow from the choices taken; leave it out"
            problems.add(key, message)
    problems.done()
    return found


def _check_choice(path: str, said: ChoiceDocument, true: Choice) -> None:
    """
    Refuse a choice whose text means something else.

    Raises:
        JsonError: If its kind, card or number are given and are others.
    """
    for key in ("kind", "card", "number"):
        value, its = getattr(said, key), getattr(true, key)
        if value is not None and value != its:
            message = f"{value} does not agree with {true.text!r}"
            raise JsonError([(f"{path}.{key}", message)])


# ---------------------------------------------------------------------- arrangements


def arrangement_document(given: Arrangement) -> ArrangementDocument:
    """
    The document of an arrangement.
    """
    return ArrangementDocument(
        goal=given.goal,
        actions=given.actions,
        left=tuple(given.left),
        points=given.points,
        points_left=given.points_left,
        goes_out=given.goes_out,
        exact=given.exact,
        melds=tuple(
            meld_slots(meld, number) for number, meld in given.melds_by_number.items()
        ),
    )


def arrangement_of(given: ArrangementDocument, at: View) -> Arrangement:
    """
    The arrangement that a document describes, of the hand of a view.

    That it is the best is not checked.

    Args:
        given: The document.
        at: What the seat knows.

    Raises:
        JsonError: With every problem, if it cannot be one of this hand.
    """
    problems = Problems(JsonError)
    if given.goal not in GOALS:
        hint = nearest(given.goal, GOALS)
        problems.add("goal", f"there is no goal {given.goal!r}{hint}")
    for number, action in enumerate(given.actions):
        if action.seat != at.seat:
            message = f"it is {_whose(action.seat)}, but the view is {_whose(at.seat)}"
            problems.add(f"actions[{number}].seat", message)
    there = [*at.hand, *(card for meld in at.table for card in meld.cards)]
    if Counter(given.left) - Counter(there):
        problems.add("left", f"some of them are not in the hand, which is {at.hand}")
    problems.done()
    try:
        found = _arranged(given, at)
        same = arrangement_document(found).melds == given.melds
    except ArrangeError as error:
        raise JsonError([("actions", str(error))]) from None
    if not same:
        problems.add("melds", "these are not the melds that the actions lead to")
    problems.done()
    return found


def _whose(seat: int | None) -> str:
    return "nobody's" if seat is None else f"seat {seat}'s"


def _arranged(given: ArrangementDocument, at: View) -> Arrangement:
    world, seat = at.world, at.seat or 0
    made = melds_after(world, seat, given.actions)
    # Melds that stay in the hand are made by no action.
    numbers = {number for number, _ in made}
    kept = [
        tuple([played(one.card.code, one.stands_for) for one in meld.cards])
        for meld in given.melds
        if meld.number not in numbers
    ]
    return Arrangement(
        given.goal,
        given.actions,  # type: ignore[arg-type]
        Cards(given.left),
        given.points,
        given.points_left,
        given.goes_out,
        given.exact,
        melds_after(world, seat, given.actions, tuple(kept)),
    )


# ---------------------------------------------------------------------------- scores


def result_document(result: RoundResult) -> ResultDocument:
    """
    The document of a round's result.
    """
    return ResultDocument(
        players=result.players,
        points=result.points,
        items=result.items,
        out=result.out,
        how=result.how,
        rule=result.rule,
    )


def result_of(given: ResultDocument) -> RoundResult:
    """
    The result that a document describes.

    Raises:
        JsonError: With every problem, if there is no such result.
    """
    problems = Problems(JsonError)
    found = RoundResult(
        given.points, given.items, given.out, given.how, given.rule, given.players
    )
    number = len(given.players) or len(given.points)
    _result(problems, "", found, number)
    problems.done()
    return found


def _result(problems: Problems, path: str, given: RoundResult, number: int) -> None:
    """
    Note seats that do not exist, and points that do not add up.
    """
    _by_seat(problems, f"{path}points", given.points, number)
    if given.out is not None:
        _seats(problems, f"{path}out", (given.out,), number)
    _items(problems, f"{path}items", given.items, number)
    if problems.found:
        return
    for seat, points in enumerate(given.points):
        total = sum(one.points for one in given.items if one.seat == seat)
        if total != points:
            message = f"the items of seat {seat} add up to {total}, not {points}"
            problems.add(f"{path}points[{seat}]", message)


def _by_seat(
    problems: Problems, path: str, values: Sequence[object], number: int
) -> None:
    if len(values) != number:
        message = f"give one entry for each player, {number} in all, not {len(values)}"
        problems.add(path, message)


def _boxes(problems: Problems, path: str, boxes: Sequence[int], number: int) -> None:
    """
    Note boxes that nobody can have won; the list is empty where they do not count.
    """
    if boxes:
        _by_seat(problems, path, boxes, number)
    for at, won in enumerate(boxes):
        if won < 0:
            problems.add(f"{path}[{at}]", f"give a whole number from 0, not {won}")


def _seats(problems: Problems, path: str, seats: Sequence[int], number: int) -> None:
    for seat in seats:
        if not 0 <= seat < number:
            message = f"there is no seat {seat}; seats go from 0 to {number - 1}"
            problems.add(path, message)


def _items(
    problems: Problems, path: str, items: Sequence[ScoreItem], number: int
) -> None:
    for at, one in enumerate(items):
        _seats(problems, f"{path}[{at}].seat", (one.seat,), number)


def sheet_document(sheet: ScoreSheet) -> SheetDocument:
    """
    The document of a score sheet.
    """
    slots = attrs.asdict(sheet, recurse=False)
    slots["rounds"] = tuple(
        SheetRoundDocument(number=one.number, result=one.result) for one in sheet.rounds
    )
    return SheetDocument(**slots)


def sheet_of(given: SheetDocument) -> ScoreSheet:
    """
    The score sheet that a document describes.

    Raises:
        JsonError: With every problem, if there is no such sheet.
    """
    problems = Problems(JsonError)
    number = len(given.players)
    for key in ("scores", "final_scores"):
        _by_seat(problems, key, getattr(given, key), number)
    _boxes(problems, "boxes", given.boxes, number)
    if sorted(seat for side in given.sides for seat in side) != [*range(number)]:
        problems.add("sides", f"give each seat from 0 to {number - 1} once")
    for key in ("side_scores", "payments"):
        if len(getattr(given, key)) != len(given.sides):
            problems.add(
                key, f"give one entry for each side, {len(given.sides)} in all"
            )
    _seats(problems, "winners", given.winners, number)
    _items(problems, "bonuses", given.bonuses, number)
    for at, column in enumerate(given.columns):
        path = f"columns[{at}]"
        _by_seat(problems, f"{path}.scores", column.scores, number)
        _boxes(problems, f"{path}.boxes", column.boxes, number)
        _seats(problems, f"{path}.winners", column.winners, number)
        _items(problems, f"{path}.bonuses", column.bonuses, number)
    for at, one in enumerate(given.rounds):
        if one.number < 1:
            problems.add(f"rounds[{at}].number", "give a whole number from 1")
        _result(problems, f"rounds[{at}].result.", one.result, number)
    problems.done()
    slots = {
        field.name: getattr(given, field.name) for field in attrs.fields(ScoreSheet)
    }
    slots["rounds"] = tuple(
        SheetRound(one.number, attrs.evolve(one.result, players=given.players))
        for one in given.rounds
    )
    return ScoreSheet(**slots)
