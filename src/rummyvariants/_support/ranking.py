"""
Texts ranked by how well they answer a question.

Words are compared by their stems, rare words weigh more than common ones, and what card
players call the same thing is found as well, for a little less.
"""

from __future__ import annotations

import functools
import itertools
import math
import re

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

import attrs

from rummyvariants._support.packaged import packaged_table
from rummyvariants._support.stems import stems
from rummyvariants._support.words import ordinal, rank


_ASKING: Final = frozenset(
    stems(
        "how many much what when where which who whose whom why can could may might "
        "must should will would have has had get gets am was were we us me our so but "
        "about want need this that these those any anyone anybody someone somebody "
        "something card player game allowed happen let else no not never nothing "
        "nobody without now just here too also still really ever exactly he she him "
        "her his they them their mean tell know explain rule possible legal please "
        "been being did done than into while same like up "
        "instead"
    )
)
"""Words with which a question is asked; they say nothing about what is asked."""
ANSWERS: Final = 0.8
"""How much of a question a text must have to answer it."""
_NEARLY: Final = 0.35
"""What part of the best score is enough to be listed with it."""
_ALIKE: Final = 0.8
"""What a word counts that means the same as the one asked for."""
_SAME: Final = 1.2
"""What a word counts that means the same as a phrase of several words."""
_MISSPELT: Final = 0.7
"""What a word counts that is spelt much like the one asked for."""
_SATED: Final = 1.2
"""How slowly the second and third time that a text has a word count less."""
_LENGTH: Final = 0.4
"""How far a word counts less in a long text."""
_USUAL: Final = 30
"""How much the words of a text of usual length count together."""
_OF_LABEL: Final = 1.2
"""What a word counts in the label of a row."""
_ROW: Final = 2.5
"""What a row counts that is asked for, as against a sentence."""
_OPENING: Final = 1.3
"""What the first sentence counts under a title that is asked for."""
_OTHER_ROW: Final = 0.3
"""What a row of a table counts that is about something else."""
_FIGURE: Final = 0.3
"""What a number weighs in a question, as against a word; it is often a mere case."""
_RANK: Final = 0.6
"""What a number counts that is asked for."""
_PHRASE: Final = 2.0
"""What a phrase of card players counts that is there as it was asked for."""
_PART: Final = 0.4
"""What its first word counts alone."""


@functools.cache
def _synonyms() -> Mapping[str, Any]:
    """
    What card players call the same thing, and how they write what has another name.
    """
    return packaged_table("data", "synonyms.toml")


@functools.cache
def _phrases() -> Mapping[str, Mapping[tuple[str, ...], frozenset[str]]]:
    """
    The groups that a word or a phrase belongs to, by its first word.
    """
    found: dict[str, dict[tuple[str, ...], set[str]]] = {}
    for at, group in enumerate(_synonyms()["same"]):
        for phrase in group:
            words = tuple(stems(phrase))
            found.setdefault(words[0], {}).setdefault(words, set()).add(f"#{at}")
    return {
        first: {words: frozenset(groups) for words, groups in ways.items()}
        for first, ways in found.items()
    }


def _read(words: Sequence[str]) -> Iterator[tuple[int, int, frozenset[str]]]:
    """
    The phrases in a text: where each begins and ends, and its groups.
    """
    for at, word in enumerate(words):
        for phrase, groups in _phrases().get(word, {}).items():
            if tuple(words[at : at + len(phrase)]) == phrase:
                yield at, at + len(phrase), groups


def _tokens(text: str) -> list[str]:
    """
    The stems of a text, the phrases in it and their groups, and what it counts.
    """
    words = stems(text)
    found = [*words]
    for first, last, groups in _read(words):
        found += groups
        if last - first > 1:
            found.append(" ".join(words[first:last]))
    for one, noun in itertools.pairwise(words):
        if one == "many" or (one.isdecimal() and noun != "card"):
            # Ten to each of the players is ten cards.
            found.append(f"many {'card' if noun == 'each' else noun}")
    return found


def spelled(question: str) -> str:
    """
    A question with its ranks as words, also that of a card that is written short.

    Several cards are a case of what is asked about, and left out.

    >>> spelled("Is K A 2 a run?")
    'Is king ace 2 a run ?'
    >>> spelled("the 4th deal with 10h")
    'the fourth round with 10'
    """
    for short, long in _synonyms()["written"].items():
        question = re.sub(rf"(?i)\b{short}\b", long, question)
    question = _NUMBERED.sub(_ordinal, question)
    words = re.findall(r"[\w']+|[^\w\s]", question)
    words = [one for word in words for one in _split(word)]
    parts = [one for one in words if one != "-"]
    cards = [one for one in parts if re.fullmatch("(10|[2-9TJQKA])[cdhsx]", one)]
    told = []
    for at, word in enumerate(parts):
        beside = [*parts[max(at - 1, 0) : at], *parts[at + 1 : at + 2]]
        ranks = [one for one in beside if re.fullmatch("[AKQJT]|[2-9]|10", one)]
        if re.fullmatch("[KQJT]", word) or (word == "A" and ranks):
            told.append(rank(word))
        elif word in cards:
            if len(cards) == 1:
                told.append(rank(word[:-1]) if word[0].isalpha() else word[:-1])
        else:
            told.append(word)
    return " ".join(told)


_NUMBERED: Final = re.compile(
    r"(?i)\b(?:(round|contract) ([1-9])|([1-9])(?:st|[nr]d|th))\b"
)
"""A round by its number, or the number of anything, as in ``the 4th round``."""


def _ordinal(found: re.Match[str]) -> str:
    """
    A number of rounds in words.
    """
    noun, *numbers = found.groups()
    (number,) = filter(None, numbers)
    return " ".join(filter(None, [ordinal(int(number)), noun]))


def _split(word: str) -> Iterable[str]:
    """
    Ranks that are written together, as in ``QKA``, one by one.
    """
    together = re.fullmatch("[AKQJT2-9]{3,}", word) and re.search("[AKQJT]", word)
    return word if together else (word,)


def _in_full(label: str) -> str:
    """
    The label of a row, such as ``Two to ten``, with the ranks between.
    """
    words = stems(label)
    if len(words) == 2 and " to " in label and {*words} <= {*_ORDER}:
        first, last = map(_ORDER.index, words)
        return " ".join(_ORDER[first : last + 1])
    return label


_ORDER: Final = [*map(str, range(2, 11)), *stems("jack queen king ace")]


def label_stems(label: str) -> AbstractSet[str]:
    """
    The words and ranks that the label of a row is about, not those that it leaves out.

    >>> sorted(label_stems("Two to four")), sorted(label_stems("Wild card, not an ace"))
    (['2', '3', '4'], ['card', 'wild'])
    """
    return {*stems(_in_full(label.partition(", not ")[0]))}


@attrs.frozen
class Document:
    """
    A text to be found, or the row of a table.

    Attributes:
        parts: Texts, each with how much its words count.
        label: The label of a row.
        columns: What a row is about; only a question about this asks for it.
        weight: A factor for its score.
        title: The title of what it opens; a question with these words asks for it.
    """

    parts: tuple[tuple[str, float], ...]
    label: str = ""
    columns: str = ""
    weight: float = 1.0
    title: str = ""

    @property
    def tokens(self) -> Iterator[tuple[str, float]]:
        """
        Its words and groups of words, each with how much it counts.
        """
        for text, weight in (*self.parts, (_in_full(self.label), _OF_LABEL)):
            for token in _tokens(text):
                yield token, weight

    def suits(self, asked: AbstractSet[str]) -> float:
        """
        How far a question asks for a row: a factor for its score.
        """
        if not self.label:
            titled = {*stems(self.title)} - _ASKING
            return self.weight * (_OPENING if titled and titled <= asked else 1.0)
        about = {*_tokens(self.columns)} - _ASKING
        words = {one for one in asked if one.isalpha()} - _ASKING
        whole = {*_tokens(self.label)}
        if not about & asked:
            return 1.0 if len(words) > 1 and words <= whole else _OTHER_ROW
        others = [one for one in stems(self.label) if one not in {*_ORDER, *_ASKING}]
        meant = all(asked & {*_tokens(one)} for one in others)
        return _ROW if meant and asked & {*_tokens(_in_full(self.label))} else 1.0


@attrs.frozen
class Match:
    """
    A text that answers a question more or less well.

    Attributes:
        place: Which one it is.
        score: How well; only scores for one question can be compared.
        share: How much of what the question says it has, from 0 to 1.
    """

    place: int
    score: float
    share: float


class Ranking:
    """
    Texts among which to search.

    Args:
        documents: The texts.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self._documents = tuple(documents)
        self._counts: list[dict[str, float]] = []
        there: dict[str, float] = defaultdict(float)
        for one in self._documents:
            counts: dict[str, float] = {}
            for token, weight in one.tokens:
                counts[token] = counts.get(token, 0.0) + weight
            for token, count in counts.items():
                # What only stands beside a text does not make its words common.
                there[token] += min(count, 1.0)
            longer = 1 - _LENGTH + _LENGTH * sum(counts.values()) / _USUAL
            self._counts.append({one: n / longer for one, n in counts.items()})
        every = len(self._counts)
        self._rare = {
            token: math.log(1 + (every - n + 0.5) / (n + 0.5))
            for token, n in there.items()
        }
        self._unknown = math.log(1 + every)

    def best(self, question: str) -> list[Match]:
        """
        The texts that have anything of a question, the best first.
        """
        asked = [*self._asked(question)]
        every = {one for ways, _ in asked for one in ways}
        every |= {*stems(spelled(question))}
        whole = sum(weight for _, weight in asked)
        found = []
        for place, counts in enumerate(self._counts):
            score = had = 0.0
            for ways, weight in asked:
                best = max(
                    (
                        worth * self._rare[one] * counts[one] / (_SATED + counts[one])
                        for one, worth in ways.items()
                        if one in counts
                    ),
                    default=0.0,
                )
                score += best
                had += weight if best else 0.0
            if score:
                share = had / whole
                suits = self._documents[place].suits(every)
                # A row that has only some of what is asked is no better than a text.
                score *= (0.4 + share) * (
                    suits if share >= ANSWERS else min(suits, 1.0)
                )
                found.append(Match(place, score, share))
        return sorted(found, key=lambda one: (-one.score, one.place))

    def covers(self, question: str, text: str) -> float:
        """
        How much of a question a text has, from 0 to 1; other words for it count half.
        """
        asked = [*self._asked(question)]
        has = {*_tokens(text)}
        had = 0.0
        for ways, weight in asked:
            there = [one for one in ways if one in has]
            exact = any(ways[one] >= 1 and one[0] != "#" for one in there)
            had += weight * (1.0 if exact else 0.5 if there else 0.0)
        return had / sum(weight for _, weight in asked) if asked else 0.0

    def most(self, question: str) -> list[Match]:
        """
        The texts that have nearly all of a question, and nearly as much as the best.
        """
        every = [one for one in self.best(question) if one.share >= ANSWERS]
        return [one for one in every if one.score >= _NEARLY * every[0].score]

    def _asked(self, question: str) -> Iterator[tuple[Mapping[str, float], float]]:
        """
        What a question asks for: tokens with their worth, and what it weighs.
        """
        words = stems(spelled(question))
        ways: list[dict[str, float]] = [
            {word: _RANK if word.isdecimal() else 1.0}
            if word not in {*_ASKING, *words[:at]}
            else {}
            for at, word in enumerate(words)
        ]
        inside = set()
        for at, last, groups in _read(words):
            phrase = " ".join(words[at:last])
            if phrase in _ASKING or self._rare.keys().isdisjoint({phrase, *groups}):
                continue  # its words may still be there one by one
            ways[at] |= dict.fromkeys(groups, _ALIKE)
            if last - at > 1:
                if words[at] in ways[at]:
                    ways[at][words[at]] = _PART
                    ways[at] |= dict.fromkeys(groups, _SAME)
                ways[at][phrase] = _PHRASE
                inside |= {*range(at + 1, last)}
        for at, word in enumerate(words):
            if words[at - 1 : at] == ["many"]:
                ways[at][f"many {word}"] = _PART if word == "card" else _PHRASE
                for group in [one for one in ways[at] if one.startswith("#")]:
                    ways[at] |= dict.fromkeys(self._many(group), _ALIKE)
        for at, word in enumerate(words):
            if not ways[at] or at in inside:
                continue
            known = {one: worth for one, worth in ways[at].items() if one in self._rare}
            if not known:
                known = self._like(word)
            told = [self._rare[one] * min(worth, 1.0) for one, worth in known.items()]
            weight = max(told, default=self._unknown)
            yield known, weight * (_FIGURE if word.isdecimal() else 1.0)

    def _many(self, group: str) -> Iterator[str]:
        """
        How a text counts what the words of a group stand for.
        """
        for ways in _phrases().values():
            for phrase, groups in ways.items():
                if len(phrase) == 1 and group in groups:
                    yield f"many {phrase[0]}"

    def _like(self, word: str) -> dict[str, float]:
        """
        The word that is spelt most like an unknown one.
        """
        import difflib  # slow, and only misspelt words need it

        near = difflib.get_close_matches(word, self._rare, n=1, cutoff=0.8)
        return dict.fromkeys(near, _MISSPELT) if len(word) > 3 else {}
