"""
Let a network learn gin by masked PPO, and measure it: a baseline for you to beat.

``python examples/learn_gin.py`` learns a tiny gin from nothing but rounds against
itself. ``python examples/learn_gin.py gin-rummy --imitate 1500 --decisions 700000``
learns gin rummy, and imitates ``careful`` first. With ``--quick`` both only run.

It needs ``pip install 'rummyvariants[learning]' torch``.
"""

import argparse
import json
import time

from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import numpy as np
import torch

from solve_a_tiny_game import RULES
from torch import nn
from torch.nn.functional import cross_entropy, mse_loss

import rummyvariants as rv

from rummyvariants.bots import bot
from rummyvariants.learning.encodings import EncodingError
from rummyvariants.learning.exact import lay_out
from rummyvariants.simulation.summary import summarize
from rummyvariants.vector import Games


CARDS = ("drawn", "hands", "unseen", "discards", "top", "melds")
BOTS = ("greedy", "careful")
FIELDS = ("seats", "phase", "drawn_from", *CARDS)
WIDTH = 128
GAMES, STEPS = 64, 64  # games side by side, and steps of each from update to update
PASSES, BATCH, CLIP = 2, 256, 0.2
SMOOTHING = 0.95
RATE, ENTROPY = 7e-4, 0.03  # from nothing; both fall to nothing
RATE_AFTER_LESSONS, ENTROPY_AFTER_LESSONS = 4e-4, 0.01  # of these, the rate
POINTS = 20  # that count as 1, so that what the network predicts is small


# [network: begin]
class Network(nn.Module):
    """
    What each index is worth, and how the round will end, from observations.

    No suit is better than another in gin. So all suits are seen through the same
    weights, each of them beside the sum of all.
    """

    def __init__(self, rules):
        super().__init__()
        self.encoding = rv.learning.encoding(rules, 2, "flat")
        self.spec = rv.learning.observation_spec(
            rules, 2, fields=FIELDS, normalized=True
        )
        faces = self.spec["hands"].axes[1].labels  # suit by suit
        self.suits = len({face[1] for face in faces})
        self.ranks = len(faces) // self.suits
        self.first = self.spec["drawn"].start  # of the fields of cards, the last ones
        planes = (self.spec.size - self.first) // len(faces)
        # "discard 7h" is worth what "discard" is, and what it is for that card.
        verbs, places = {}, []
        for label in self.encoding.labels:
            card = next((word for word in label.split() if word in faces), None)
            verb = verbs.setdefault(label.replace(card or " ", ""), len(verbs))
            suit, rank = divmod(faces.index(card), self.ranks) if card else (0, 0)
            places.append((suit, verb, rank, card is not None))
        *self.places, self.has_card = torch.tensor(places).T

        self.own = nn.Linear(planes * self.ranks, WIDTH)
        self.all = nn.Linear(planes * self.ranks, WIDTH)
        self.rest = nn.Linear(self.first, WIDTH)
        self.own_again = nn.Linear(WIDTH, WIDTH)
        self.all_again = nn.Linear(WIDTH, WIDTH)
        self.cards = nn.Linear(WIDTH, len(verbs) * self.ranks)
        self.verbs = nn.Linear(WIDTH, len(verbs))
        self.value = nn.Sequential(
            nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1)
        )
        for last in (self.cards, self.verbs, self.value[-1]):
            nn.init.uniform_(last.weight, -0.003, 0.003)  # so all begin alike

    def forward(self, seen, masks):
        """
        The logarithms of the chances of all indices, and the expected rewards.
        """
        number = len(seen)
        by_suit = seen[:, self.first :].view(number, -1, self.suits, self.ranks)
        by_suit = by_suit.transpose(1, 2).flatten(2)
        rest = self.all(by_suit.sum(1)) + self.rest(seen[:, : self.first])
        found = torch.relu(self.own(by_suit) + rest[:, None])
        rest = self.all_again(found.mean(1))
        found = torch.relu(self.own_again(found) + rest[:, None])
        together = found.mean(1)

        suit, verb, rank = self.places
        cards = self.cards(found).view(number, self.suits, -1, self.ranks)
        worth = self.has_card * cards[:, suit, verb, rank]
        worth = (worth + self.verbs(together)[:, verb]).masked_fill(~masks, -1e9)
        return worth.log_softmax(1), self.value(together)[:, 0]


# [network: end]


# [bot: begin]
class Learned:
    """
    The bot that chooses what its network likes best.
    """

    name = "learned"

    def __init__(self, network):
        self.network = network

    @torch.no_grad()
    def choose(self, view, _rng):
        """
        Choose a legal action; chance plays no part.
        """
        encoding = self.network.encoding
        selection = encoding.begin(view)
        seen = torch.from_numpy(self.network.spec.vector(view))
        mask = torch.tensor(list(encoding.mask(selection)), dtype=torch.bool)
        chances, _ = self.network(seen[None], mask[None])
        return encoding.decode(int(chances.argmax()), selection)


def lead(network, against, deals):
    """
    Points a round over a bot, and half the 95 % interval: each deal from both seats.
    """
    bots = [Learned(network), against]
    rules = network.encoding.rules
    rows = rv.simulate(rules, bots, games=2 * deals, unit="round", seed="measured")
    found = summarize(rows).differences[0].figures.round_points
    return round(found.mean, 3), round(found.half, 3)


# [bot: end]


class Teacher:
    """
    A bot that keeps what it saw and did.
    """

    def __init__(self, name, network):
        self.bot, self.network = bot(name), network
        self.seen, self.masks, self.seats, self.indices = [], [], [], []

    def choose(self, view, rng):
        """
        Choose as the bot of that name does.
        """
        action = self.bot.choose(view, rng)
        encoding = self.network.encoding
        with suppress(EncodingError):  # an index lays off one card, a bot many at once
            self.indices += encoding.encode(action, view)
            self.seen.append(self.network.spec.vector(view))
            self.masks.append(np.frombuffer(encoding.mask(view), bool))
            self.seats.append(view.seat)
        return action


def imitate(network, rounds, seed, passes=16):
    """
    Learn what ``careful`` does in rounds against itself, and how they end.
    """
    teacher, rewards = Teacher("careful", network), []
    bots, rules = [teacher, teacher], network.encoding.rules
    for row in rv.simulate(rules, bots, games=rounds, unit="round", seed=f"{seed}"):
        lead = (row.scores[0] - row.scores[1]) / POINTS
        new = teacher.seats[len(rewards) :]
        rewards += [-lead if seat else lead for seat in new]
    seen = torch.from_numpy(np.array(teacher.seen))
    masks = torch.from_numpy(np.array(teacher.masks))
    indices, rewards = torch.tensor(teacher.indices), torch.tensor(rewards)
    optimizer = torch.optim.Adam(network.parameters(), 1e-3)
    for rate in np.linspace(1e-3, 1e-4, passes):
        optimizer.param_groups[0]["lr"] = rate
        for some in batches(len(seen), 1):
            chances, values = network(seen[some], masks[some])
            loss = cross_entropy(chances, indices[some])
            descend(optimizer, loss + mse_loss(values, rewards[some]) / 2)
    return len(seen)


# [ppo: begin]
def play(network, games):
    """
    Let the network play itself for some steps.

    Returns:
        By step and game: what was seen, the masks, the indices with the logarithms of
        their chances, and for each how much better it went than expected, and how well.
    """
    shape = (STEPS + 1, GAMES)
    seen = np.zeros((*shape, games.spec.size), np.float32)
    masks = np.zeros((*shape, games.encoding.size), bool)
    seats, values, chances = np.zeros(shape, int), np.zeros(shape), np.zeros(shape)
    indices = np.zeros(shape, int)
    rewards, ended = np.zeros((STEPS, GAMES, 2)), np.zeros((STEPS, GAMES), bool)
    for step in range(STEPS + 1):
        games.observe(seen[step], masks[step])
        seats[step] = games.seats
        with torch.no_grad():
            found, values[step] = network(
                torch.from_numpy(seen[step]), torch.from_numpy(masks[step])
            )
        indices[step] = torch.multinomial(found.exp(), 1)[:, 0]
        chances[step] = found.numpy()[np.arange(GAMES), indices[step]]
        if step < STEPS:
            games.step(indices[step], rewards[step], ended[step])

    # Backwards, for each player on their own: what came until they chose again.
    better = np.zeros((STEPS, GAMES))
    rows, last = np.arange(GAMES), seats[STEPS]
    later, ahead, came = np.zeros((3, GAMES, 2))
    later[rows, last], later[rows, 1 - last] = values[STEPS], -values[STEPS]
    for step in reversed(range(STEPS)):
        later[ended[step]] = ahead[ended[step]] = came[ended[step]] = 0
        came += rewards[step] / POINTS
        one = rows, seats[step]
        surprise = came[one] + later[one] - values[step]
        better[step] = ahead[one] = surprise + SMOOTHING * ahead[one]
        later[one], came[one] = values[step], 0
    kept = seen, masks, indices, chances, better, better + values[:STEPS]
    return [torch.from_numpy(one[:STEPS]).flatten(0, 1) for one in kept]


def improve(network, optimizer, bonus, seen, masks, indices, before, better, rewards):
    """
    Make likelier what went better than expected, but not by too much at once.
    """
    for some in batches(len(seen), PASSES):
        chances, values = network(seen[some], masks[some])
        chosen = chances.gather(1, indices[some, None])[:, 0]
        ratio = (chosen - before[some]).exp()
        gain = (better[some] - better[some].mean()) / (better[some].std() + 1e-6)
        clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
        policy_loss = -torch.min(ratio * gain, clipped * gain).mean()
        entropy = -(chances.exp() * chances).sum(1).mean()
        value_loss = mse_loss(values, rewards[some].float())
        descend(optimizer, policy_loss + value_loss / 2 - bonus * entropy)


def batches(number, passes):
    """
    All numbers below a number in random order, in batches; anew in each pass.
    """
    return (some for _ in range(passes) for some in torch.randperm(number).split(BATCH))


def descend(optimizer, loss):
    """
    Change the weights a little, so that the loss falls.
    """
    optimizer.zero_grad()
    loss.backward()
    for group in optimizer.param_groups:
        nn.utils.clip_grad_norm_(group["params"], 0.5)
    optimizer.step()


# [ppo: end]


def learn(network, decisions, lessons, seed):
    """
    Learn from so many decisions, those in the rounds to imitate included.

    Yields:
        Now and then, how many decisions that were, and the seconds of a core.
    """
    start, away, done, due = time.process_time(), 0.0, 0, 0.0
    if lessons:
        done = imitate(network, lessons, seed)
    optimizer = torch.optim.Adam(network.parameters(), eps=1e-5)
    games = Games(
        network.encoding.rules,
        players=2,
        number=GAMES,
        form="flat",
        fields=FIELDS,
        normalized=True,
        until="round",
        seed=seed,
    )
    while True:
        if done >= due:
            before = time.process_time()
            yield done, before - start - away
            away += time.process_time() - before
            due = min(done + decisions / 8, decisions)
        if done >= decisions:
            return
        left = 1 - done / decisions
        rate, bonus = RATE * left, ENTROPY * left
        if lessons:
            rate, bonus = RATE_AFTER_LESSONS * left, ENTROPY_AFTER_LESSONS
        optimizer.param_groups[0]["lr"] = rate
        improve(network, optimizer, bonus, *play(network, games))
        done += GAMES * STEPS


def main():
    """
    Learn, and tell now and then how far the network is.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="tiny", help="a preset of gin")
    parser.add_argument("--decisions", type=int, default=60_000)
    parser.add_argument("--imitate", type=int, default=0, help="rounds of careful")
    parser.add_argument("--deals", type=int, default=200, help="for each measurement")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="only show that it runs")
    parser.add_argument("--write", type=Path, help="a file of JSON for the figures")
    chosen = parser.parse_args()
    if chosen.quick:
        chosen.decisions, chosen.deals = 2 * GAMES * STEPS, 4
        chosen.imitate = min(chosen.imitate, 10)

    torch.manual_seed(chosen.seed)
    torch.set_num_threads(1)
    name = chosen.game
    network = Network(RULES if name == "tiny" else rv.preset(name))
    versions = {one: version(one) for one in ("rummyvariants", "torch", "numpy")}
    print(", ".join(" ".join(one) for one in versions.items()))
    print("decisions  seconds  points a round over greedy, over careful")
    curve = []
    found = {"versions": versions, "curve": curve}
    course = learn(network, chosen.decisions, chosen.imitate, chosen.seed)
    for decisions, seconds in course:
        deals = chosen.deals * (10 if decisions >= chosen.decisions else 1)
        leads = [lead(network, against, deals) for against in BOTS]
        curve.append([decisions, round(seconds), *leads])
        shown = "   ".join(f"{points:+6.2f} ± {half:.2f}" for points, half in leads)
        print(f"{decisions:9,}  {seconds:7.0f}  {shown}", flush=True)
    if name == "tiny":
        tree = lay_out(RULES)
        lost = tree.exploitability(tree.policy(Learned(network).choose))
        print(f"a perfect opponent wins {lost:.2f} points a round")
        found["lost"] = round(lost, 2)
    if chosen.write:
        kept = json.loads(chosen.write.read_text()) if chosen.write.exists() else {}
        kept[name] = found
        chosen.write.write_text(json.dumps(kept, indent=1) + "\n")
    assert chosen.quick or curve[-1][2] > curve[0][2], "it has not learned"


if __name__ == "__main__":
    main()
