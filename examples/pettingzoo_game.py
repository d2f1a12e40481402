"""
Let a program learn Oklahoma Rummy in an environment of PettingZoo.

It needs ``pip install 'rummyvariants[pettingzoo]'``. Run it with
``python examples/pettingzoo_game.py``.
"""

import numpy as np

from rummyvariants.envs import aec_env


ROUNDS = 400
MEASURED = range(1_000, 1_120)


def at_random(_observation, mask, rng):
    """
    Choose any index that the mask allows.
    """
    return rng.choice(np.flatnonzero(mask))


# [policy: begin]
class Preferences:
    """
    A policy with a number for each index, which prefers those that did well.

    It does not look at the observation. A network would compute the numbers from it.
    """

    def __init__(self, size):
        self.numbers = np.zeros(size)
        self.baseline = 0.0
        self.chosen = []

    def __call__(self, _observation, mask, rng):
        """
        Choose an index that the mask allows, the likelier the higher its number.
        """
        allowed = np.flatnonzero(mask)
        likely = np.exp(self.numbers[allowed] - self.numbers[allowed].max())
        likely /= likely.sum()
        index = rng.choice(allowed, p=likely)
        self.chosen.append((index, allowed, likely))
        return index

    def learn(self, reward, rate=0.004):
        """
        Prefer what was chosen in a round that went better than most.
        """
        better = reward - self.baseline
        self.baseline += 0.02 * better
        for index, allowed, likely in self.chosen:
            self.numbers[allowed] -= rate * better * likely
            self.numbers[index] += rate * better
        self.chosen.clear()


# [policy: end]


# [play: begin]
def play(env, policies, seed):
    """
    Play a round, and return the rewards of the agents.
    """
    rng = np.random.default_rng(seed)
    rewards = dict.fromkeys(policies, 0.0)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        found, reward, terminated, truncated, _ = env.last()
        rewards[agent] += reward
        index = None
        if not (terminated or truncated):
            index = policies[agent](found["observation"], found["action_mask"], rng)
        env.step(index)
    return rewards


# [play: end]


def mean(env, policies):
    """
    What the first agent wins in a round on average, with deals that it did not see.
    """
    return np.mean([play(env, policies, seed)["player_0"] for seed in MEASURED])


def main():
    """
    Measure a policy, let it learn, and measure it again.
    """
    # [training: begin]
    env = aec_env("oklahoma-rummy", until="round")
    learner = Preferences(env.encoding.size)
    policies = {"player_0": learner, "player_1": at_random}
    before = mean(env, policies)
    learner.chosen.clear()
    for seed in range(ROUNDS):
        rewards = play(env, policies, seed)
        learner.learn(rewards["player_0"])
    after = mean(env, policies)
    # [training: end]

    labels = np.array(env.encoding.labels)
    best = labels[np.argsort(-learner.numbers)]
    print(f"{env.encoding.size} indices, {env.observation_spec.size:,} numbers to see")
    print(f"before: {before:+6.2f} points a round against a random player")
    print(f"after:  {after:+6.2f}, when {ROUNDS:,} rounds were played")
    print("preferred most: ", ", ".join(best[:6]))
    print("preferred least:", ", ".join(best[-6:]))
    assert after > before + 10


if __name__ == "__main__":
    main()
