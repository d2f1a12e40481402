"""
A turn played from JSON alone, as a bot in another language would play it.

The bot gets the text of a view and gives back that of an action. It knows nothing of
this library: it looks at keys, which the published schema describes. Run with the extra
``json`` installed.
"""

from __future__ import annotations

import json

import rummyvariants as rv


LIKED = ("meld", "lay", "rummy", "draw", "discard", "pass")
"""What the bot likes best comes first."""
RANKS = "A23456789TJQK*"


def bot(text: str) -> str:
    """
    The bot: a view as JSON in, an action as JSON out.
    """
    view = json.loads(text)
    legal = view["legal_actions"]
    known = {verb for verb in LIKED if any(one.startswith(verb) for one in legal)}
    verb = next(verb for verb in LIKED if verb in known)
    choices = [one for one in legal if one.startswith(verb)]
    if verb == "discard":
        choices.sort(key=lambda one: loneliness(one.split()[1], view["hand"]))
    return json.dumps({"seat": view["seat"], "action": choices[-1]})


def loneliness(card: str, hand: list[str]) -> tuple[int, int]:
    """
    How little a card goes with the others of a hand; of equals the dearer one goes.
    """
    friends = sum(
        other[0] == card[0]
        or (
            other[-1] == card[-1]
            and abs(RANKS.index(other[0]) - RANKS.index(card[0])) < 3
        )
        for other in hand
        if other != card
    )
    return -friends, RANKS.index(card[0])


def main() -> None:
    """
    Let bots play a round, and show what one of them is sent.
    """
    state = rv.new_game("rummy-500", ["Ann", "Ben"], seed=8)
    first = json.loads(rv.to_json(rv.view(state, state.to_act[0])))
    for key in ("phase", "to_act", "hand", "hand_sizes", "discards", "legal_actions"):
        print(f"{key}: {json.dumps(first[key])}")

    answers = []
    while not state.is_round_over:
        seat = state.to_act[0]
        # Nothing but text goes over: no seed, and no card that the seat has not seen.
        text = rv.to_json(rv.view(state, seat), legal=1000)
        assert "seed" not in json.loads(text)
        answers.append(bot(text))
        state = rv.apply(state, rv.from_json(answers[-1], rv.Action))
    print(*answers[:6], sep="\n")
    print(f"... and so on, {len(answers)} actions in all")

    # The whole game can be kept as JSON as well, for whoever may see every card.
    assert rv.from_json(rv.to_json(state), rv.State) == state
    assert state.result is not None
    print("points:", state.result.points)


if __name__ == "__main__":
    main()
