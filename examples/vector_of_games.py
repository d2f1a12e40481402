"""
Step a hundred games of gin together, and see how many rounds random players win.

It needs ``pip install 'rummyvariants[learning]'``. Run it with
``python examples/vector_of_games.py``.
"""

import numpy as np

from rummyvariants.vector import Games


GAMES = 100
STEPS = 600


def main():
    """
    Play at random, so many steps in each game.
    """
    games = Games(
        "gin-rummy",
        players=2,
        number=GAMES,
        form="flat",
        fields=("hands", "top"),
        until="round",
        seed=7,
    )
    seen = np.zeros((GAMES, games.spec.size), np.float32)
    masks = np.zeros((GAMES, games.encoding.size), bool)
    rewards = np.zeros((GAMES, 2))
    ended = np.zeros(GAMES, bool)
    rng = np.random.default_rng(1)
    rounds = won = 0
    for _ in range(STEPS):
        games.observe(seen, masks)
        # A network would look at `seen` here, and prefer some indices to others.
        indices = (rng.random(masks.shape) * masks).argmax(axis=1)
        games.step(indices, rewards, ended)
        rounds += ended.sum()
        won += rewards[ended].any(axis=1).sum()

    for field in games.spec.fields:
        print(f"{field.name}, {field.shape}: {field.doc}")
    print(f"{games.encoding.size} indices, {games.spec.size} numbers to see")
    print(f"{GAMES * STEPS:,} steps in {GAMES} games")
    print(f"{rounds} rounds, of which somebody won {won}")
    own = games.spec.named(seen)["hands"][:, 0]
    assert set(own.sum(axis=1)) <= {10, 11}
    assert rounds > won > 0


if __name__ == "__main__":
    main()
