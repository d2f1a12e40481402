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
state = rv.game.deal(state)
state = rv.replay(rv.record(state))

try:
    rv.apply(state, "discard Kc")
except rv.IllegalAction as error:
    refused: rv.Ruling = error.ruling

text: str = rv.files.to_json(rv.view(state, 0), indent=2, legal=0)
view: rv.View = rv.files.from_json(text, rv.View)
view = rv.files.from_json(text, rv.View, at=state)
state = rv.files.from_json(rv.files.to_json(state), rv.State)
rules = rv.files.from_json(rv.files.to_json(rules), rv.Ruleset)
chosen: rv.game.Chooser = rv.files.from_json(
    '{"seat": 0, "taken": []}', rv.game.Chooser, at=view
)
page: rv.game.ActionPage = view.legal_actions.page(size=5, card="Kc")
named: tuple[rv.Card, ...] = page.actions[0].cards
told: tuple[rv.game.SeenEvent, ...] = step.seen_by(0)
sentence: str = step.events[0].describe(state.players, 0)
scores: rv.game.ScoreSheet = rv.game.score_sheet(view)
answer: rv.Action = rv.files.from_json('{"seat": 0, "action": "draw"}', rv.Action)
acting: int | None = answer.by(1).seat
drawing: rv.actions.Draw = rv.actions.Draw().by(1)
match answer:
    case rv.actions.NewMeld(cards=cards):
        first: rv.melds.Played = cards[0]
    case rv.actions.Deal():
        dealer: int = answer.dealer
