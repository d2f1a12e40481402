"""
Words by their stems, so that *trade* and *trading* are one word.
"""

from __future__ import annotations

import functools
import re

from typing import Final

from rummyvariants._support.words import number


NEGATIONS: Final = frozenset(("no", "not", "never", "nothing", "nobody", "without"))
"""Words that turn a sentence round; no text loses them."""
_SMALL: Final = frozenset(
    (
        *("a", "an", "and", "are", "as", "at", "be", "by", "do", "does", "for", "from"),
        *("i", "if", "in", "is", "it", "its", "my", "of", "on", "or", "the", "then"),
        *("there", "to", "with", "you", "your"),
    )
)
_IRREGULAR: Final = {
    "began": "begin",
    "bought": "buy",
    "came": "come",
    "dealt": "deal",
    "drawn": "draw",
    "drew": "draw",
    "gone": "go",
    "held": "hold",
    "kept": "keep",
    "laid": "lay",
    "lain": "lay",
    "lies": "lie",
    "lying": "lie",
    "lost": "lose",
    "paid": "pay",
    "said": "say",
    "shown": "show",
    "taken": "take",
    "thrown": "throw",
    "threw": "throw",
    "took": "take",
    "went": "go",
    "won": "win",
}
_NUMBERS: Final = {
    **{number(value): str(value) for value in range(1, 13)},
    "thirteen": "13",
    "fourteen": "14",
    "fifteen": "15",
}
_ENDINGS: Final = re.compile(r"(?<=[a-z]{2})(ings?|ied|ies|ed|es|e|(?<![su])s)$")


@functools.cache
def stem(word: str) -> str:
    """
    The stem of a word in small letters; a number is written in figures.

    >>> stem("trading") == stem("trades") == stem("trade")
    True
    >>> stem("fives")
    '5'
    """
    word = _IRREGULAR.get(word, word)
    plain = re.sub(r"(?<=x)es$|s$", "", word)
    if plain in _NUMBERS:
        return _NUMBERS[plain]
    found = _ENDINGS.search(word)
    if found is None or not re.search("[aeiouy]", word[: found.start()]):
        return word
    short = word[: found.start()]
    if found[0] in {"ied", "ies"}:
        return f"{short}y"
    # A consonant is doubled before an ending: dropping, dropped.
    doubled = re.search(r"([bdgmnprt])\1$", short)
    return short[:-1] if doubled and found[0] not in {"e", "s"} else short


def words_of(text: str) -> list[str]:
    """
    The words of a text in small letters, without marks.
    """
    plain = text.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return re.findall(r"[^\W_]+", re.sub(r"'s?\b", "", plain))


def stems(text: str) -> list[str]:
    """
    The stems of the words of a text, without the words that say little.

    >>> stems("Trading the real card for a wild")
    ['trad', 'real', 'card', 'wild']
    """
    return [stem(one) for one in words_of(text) if one not in _SMALL]


def slug(title: str) -> str:
    """
    A title as a name: its words in small letters, joined by hyphens.

    >>> slug("Dealer's last card is wild")
    'dealers-last-card-is-wild'
    """
    plain = title.casefold().replace("'", "")
    return "-".join(re.findall(r"[^\W_]+", plain))
