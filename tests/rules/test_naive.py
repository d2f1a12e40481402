"""The twin judges by its own means: it reads values and asks the engine nothing."""

from __future__ import annotations

import ast
import inspect
import types

from pathlib import Path
from typing import Any

import attrs
import pytest

from places import TESTS
from rummyvariants.rules._ruleset import SECTIONS, Ruleset


MODULES = sorted(TESTS.glob("naive*.py"))
VALUES = {
    "rummyvariants.cards": {"CARDS", "Card", "as_cards"},
    "rummyvariants.game._state": {"State"},
    "rummyvariants.melds._meld": {"Meld", "Place", "Played", "Slot", "played"},
    "rummyvariants.rules._ruleset": {"Ruleset"},
}
"""What the twin may import of the library, beside the actions."""


def is_worked_out(owner: type[Any], what: object) -> bool:
    """
    Whether something is a property, or a slot for the answer of one, and no field.
    """
    if isinstance(what, types.MemberDescriptorType):
        return what.__name__ not in attrs.fields_dict(owner)
    return isinstance(what, property)


QUESTIONS = {
    name
    for policy in (*SECTIONS.values(), Ruleset)
    for name, what in inspect.getmembers(policy)
    if not name.startswith("_") and (callable(what) or is_worked_out(policy, what))
    if name != "values"  # which is that of a mapping
} | {"terms", "grows", "real", "kin", "takes_wild"}
"""What policies, tables and melds answer, beside the values that they are made of."""
NAMESAKES = {
    "drawn.duties",
    "deal.by_round",
    "deal.hand_size",
    "rules.limit",
    "rules.most_beside",
    "rule.most_wilds",
    "rules.wild.limit",
    "self.limit",
    "state.winners",
    "turn.floats",
}
"""What is called like a question and is none, or asks what a house rule says."""


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def test_there_is_a_twin() -> None:
    assert {path.stem for path in MODULES} == {
        "naive",
        "naive_canasta",
        "naive_rounds",
        "naive_turns",
    }
    assert {"refuse_take", "duties", "concealed", "refusal"} <= QUESTIONS


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_the_twin_imports_values_alone(path: Path) -> None:
    """
    No module of the engine, nothing that plans, and nothing that reads melds.
    """
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            assert not [one for one in node.names if "rummyvariants" in one.name]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = {one.name for one in node.names}
            if node.module == "rummyvariants.actions":
                assert all(name[0].isupper() for name in names)
            elif node.module.startswith("rummyvariants"):
                assert names <= VALUES[node.module], f"{path.name} imports {names}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_the_twin_asks_nobody(path: Path) -> None:
    """
    It looks at `rules.draw.duty`, and does not call `rules.draw.duties`.
    """
    asked = [
        ast.unparse(node)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and is_question(node)
    ]
    assert not asked, f"{path.name} asks {asked}"


def is_question(node: ast.Attribute) -> bool:
    """
    Whether an attribute is what the engine or a policy answers, or is private.
    """
    if ast.unparse(node) in NAMESAKES:
        return False
    private = node.attr.startswith("_") and not node.attr.startswith("__")
    return node.attr in QUESTIONS or (private and ast.unparse(node.value) != "self")


@pytest.mark.parametrize(
    "text",
    [
        "rules.draw.duties",
        "state.rules.meld.concealed",
        "draw.refuse_take",
        "self.rules.refusal",
        "rules.out.limit",
        "state._table",
        "state.dealt.terms",
        "meld.grows",
    ],
)
def test_a_question_is_known(text: str) -> None:
    node = ast.parse(text, mode="eval").body
    assert isinstance(node, ast.Attribute)
    assert is_question(node)
