"""
What a type checker must accept of the public interface. Nothing here is ever run.
"""

from __future__ import annotations

import rummyvariants as rv


rules: rv.Ruleset = rv.preset("rummy-5000")
sheet: str = rules.describe()
same: bool = rules == rv.preset("rummy-5000")

state = rv.new_game(rules, players=4, seed=7)
state = rv.new_game(rules, players=["Ann", "Ben", "Cleo"], seed=7)
seat: int = next(iter(state.to_act))
over: bool = state.is_over

ruling: rv.Ruling = rv.check(state, "discard Kc")
ruling = rv.check(state, "discard Kc", seat=seat)
reason: str = ruling.reason

for action in rv.legal_actions(state):
    allowed: bool = action in rv.legal_actions(state)
    state = rv.apply(state, action)
    step = rv.step(state, action)
    state = step.after

state = rv.apply(state, "draw", seat=0)
state = rv.deal(state)
state = rv.replay(rv.record(state))

try:
    rv.apply(state, "discard Kc")
except rv.IllegalAction as error:
    refused: rv.Ruling = error.ruling

text: str = rv.to_json(rv.view(state, 0), indent=2, legal=0)
view: rv.View = rv.from_json(text, rv.View)
view = rv.from_json(text, rv.View, at=state)
state = rv.from_json(rv.to_json(state), rv.State)
rules = rv.from_json(rv.to_json(rules), rv.Ruleset)
chosen: rv.Chooser = rv.from_json('{"seat": 0, "taken": []}', rv.Chooser, at=view)
page: rv.ActionPage = view.legal_actions.page(size=5, card="Kc")
named: tuple[rv.Card, ...] = page.actions[0].cards
told: tuple[rv.SeenEvent, ...] = step.seen_by(0)
sentence: str = step.events[0].describe(state.players, 0)
scores: rv.ScoreSheet = rv.score_sheet(view)
answer: rv.Action = rv.from_json('{"seat": 0, "action": "draw"}', rv.Action)
acting: int | None = answer.by(1).seat
drawing: rv.Draw = rv.Draw().by(1)
match answer:
    case rv.LayDown(cards=cards):
        first: rv.Played = cards[0]
    case rv.Deal():
        dealer: int = answer.dealer
