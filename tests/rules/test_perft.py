"""The sequences of actions from fixed deals are as many as the file says."""

from __future__ import annotations

import pytest

import rummyvariants as rv

from conftest import Update
from perft import (
    FILE,
    Entry,
    as_text,
    counted,
    counted_deeper,
    counts_of,
    entries,
    with_entry,
)


VERBS = {
    "arrange",
    "refuse",
    "draw",
    "take",
    "meld",
    "lay",
    "put",
    "swap",
    "split",
    "discard",
    "rummy",
    "pass",
    "choose",
    "knock",
    "declare",
    "buy",
    "drop",
    "rejoin",
    "ask",
    "yes",
    "no",
}

ENTRIES = [pytest.param(entry, id=entry.name) for entry in entries()]
DEEPER = [
    pytest.param(entry, id=entry.name)
    for entry in entries()
    if len(entry.counts) > entry.quick
]


def test_file_is_as_it_is_written() -> None:
    assert as_text(entries()) == FILE.read_text(encoding="utf-8")


def test_names_are_unique() -> None:
    names = [entry.name for entry in entries()]
    assert len(set(names)) == len(names)


def test_every_kind_of_action_is_first_somewhere() -> None:
    firsts = {first for entry in entries() for first in entry.divided}
    assert {first.split()[1] for first in firsts} == VERBS


def test_every_preset_has_an_entry() -> None:
    assert {entry.rules for entry in entries() if isinstance(entry.rules, str)} == {
        *rv.presets()
    }


@pytest.mark.parametrize("entry", ENTRIES)
def test_parts_come_to_the_counts(entry: Entry) -> None:
    assert counts_of(entry.divided) == entry.counts[: entry.quick]


@pytest.mark.parametrize("entry", ENTRIES)
def test_sequences(entry: Entry, update: Update) -> None:
    """
    Divided first: what differs is named by its first action.
    """
    if not update(FILE, lambda text: with_entry(text, counted, entry.name)):
        now = counted(entry)
        assert now.divided == entry.divided
        assert now.counts == entry.counts


@pytest.mark.slow
@pytest.mark.parametrize("entry", DEEPER)
def test_longer_sequences(entry: Entry, update: Update) -> None:
    if not update(FILE, lambda text: with_entry(text, counted_deeper, entry.name)):
        assert counted_deeper(entry).counts == entry.counts
