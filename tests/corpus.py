"""
The conformance corpus, which engines in any language can be judged by.

The corpus is a set of files in TOML and JSON alone, and the file ``manifest.json``,
which names them with their hashes and lists the cases in them. Scenarios, perft counts
and tiny decks are those below ``tests``. ``python tests/corpus.py`` makes the corpus,
as a folder and as a zip file, which has the same bytes on every machine.
`docs/conformance.md` describes it.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import importlib
import json
import shutil
import sys
import tomllib
import zipfile

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import rummyvariants as rv

from rummyvariants.house.rules import rule_spelled
from rummyvariants.rules._variants import preset_file


NAME: Final = "rummyvariants-conformance"
VERSION: Final = 1
"""It goes up when a case is added, removed or answered differently."""

ROOT: Final = Path(__file__).parent
MANIFEST: Final = "manifest.json"
PRESETS: Final = "data/presets.json"
PERFT: Final = "data/perft.json"
TINY: Final = ("data/tiny_decks.toml", "data/tiny_options.toml")
PAGES: Final = (
    "LICENSE",
    "docs/conformance.md",
    "docs/design.md",
    "docs/how-to/port-the-engine.md",
    "docs/reference/notation.md",
    "examples/conformance_runner.py",
    "src/rummyvariants/data/catalogue.toml",
)
"""Pages to read and the runner, in the zip file only: no hash covers them."""
VALUES: Final = "policy-values.md"
"""One more page, which is made; see `docs/rule_pages.py`."""

SIZES: Final = frozenset(
    {
        "deal.hand_size",
        "deal.method",
        "deal.upcard_counts",
        "deck.jokers",
        "deck.packs",
        "deck.ranks",
        "deck.suits",
        "match.players",
        "match.target",
        "meld.least_run",
        "meld.least_set",
        "out.knock",
        "stock.dead",
        "stock.idle_rounds",
    }
)
"""Values that make a game smaller, which every engine has to accept."""


# ------------------------------------------------------------------------- the rules


def plain(value: Any) -> Any:
    """
    A policy value as JSON has it: tables as objects, lists as lists, rules by name.
    """
    if isinstance(value, rv.house.HouseRule):
        return rule_spelled(value)
    if not isinstance(value, tuple):
        return value
    if value and all(isinstance(one, tuple) and len(one) == 2 for one in value):
        return {str(key): plain(one) for key, one in value}
    return [plain(one) for one in value]


def values_of(rules: rv.Ruleset) -> dict[str, Any]:
    """
    Every policy value of some rules, with the rule that a refusal by it cites.
    """
    return {
        path: {"value": plain(value), "rule": rules.rule_of(path)}
        for path, value in rules.values().items()
    }


def rules_needed(given: str | Mapping[str, Any]) -> dict[str, Any]:
    """
    What an engine needs for some rules.

    Args:
        given: The rules as a file states them.

    Returns:
        The preset; the options, without their arguments; the values beyond `SIZES` that
        are set one by one; and all values in which the rules differ from the preset,
        None for rules that have to be refused.
    """
    table: Mapping[str, Any] = {"extends": given} if isinstance(given, str) else given
    chosen = {text.partition("=")[0] for text in table.get("with", [])}
    single = {
        f"{section}.{name}"
        for section, entries in table.items()
        if isinstance(entries, Mapping)
        for name in entries
    }
    before = values_of(rv.preset(table["extends"]))
    try:
        after = values_of(rv.rules.read_rules(given))
    except rv.errors.RulesError:
        changes = None
    else:
        changes = {path: one for path, one in after.items() if one != before[path]}
    return {
        "preset": table["extends"],
        "options": sorted(chosen),
        "values": sorted(single - SIZES),
        "changes": changes,
    }


def presets_text() -> str:
    """
    The file of the presets with all their values, a line a value.
    """
    parts = [
        f' "{name}": {{\n{_lines(values_of(rv.preset(name)), "  ")}\n }}'
        for name in rv.presets()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(table: Mapping[str, Any], indent: str) -> str:
    return ",\n".join(
        f"{indent}{json.dumps(key)}: {json.dumps(one)}" for key, one in table.items()
    )


# ---------------------------------------------------------------------- the manifest


def kind_of(name: str) -> str:
    """
    What kind of file a file of the corpus is, by its name.
    """
    kinds = {PRESETS: "presets", PERFT: "perft", **dict.fromkeys(TINY, "tiny decks")}
    return kinds.get(name, "scenario")


@functools.cache
def files() -> Mapping[str, str]:
    """
    The files of the corpus, by name.
    """
    scenarios = (ROOT / "scenarios").rglob("*.toml")
    names = [path.relative_to(ROOT).as_posix() for path in scenarios]
    texts = {name: (ROOT / name).read_text("utf-8") for name in (PERFT, *TINY, *names)}
    return dict(sorted({**texts, PRESETS: presets_text()}.items()))


def cases_of(name: str) -> Iterator[dict[str, Any]]:
    """
    The cases in a file: the whole file if it is a scenario, else its entries.
    """
    text = files()[name]
    kind = kind_of(name)
    if kind == "scenario":
        scenario = tomllib.loads(text)
        yield {
            "case": name,
            **rules_needed(scenario["rules"]),
            "cites": scenario["cites"],
        }
        return
    entries = []
    if kind == "perft":
        entries = json.loads(text)["entries"]
    elif kind == "tiny decks":
        entries = tomllib.loads(text)["deck"]
    for entry in entries:
        needed = rules_needed(entry["rules"])
        yield {"case": f"{name}#{entry['name']}", **needed, "cites": []}


def hash_of(data: bytes) -> str:
    """
    The SHA-256 of the bytes of a file.
    """
    return hashlib.sha256(data).hexdigest()


def digest_of(hashes: Mapping[str, str]) -> str:
    """
    One hash for all files: that of the list that ``sha256sum`` prints of them.
    """
    lines = [f"{one}  {name}\n" for name, one in sorted(hashes.items())]
    return hash_of("".join(lines).encode())


@functools.cache
def manifest_text() -> str:
    """
    The manifest, a line a file and a line a case.
    """
    hashes = {name: hash_of(text.encode()) for name, text in files().items()}
    head = {
        "corpus": NAME,
        "version": VERSION,
        "made_with": f"rummyvariants {rv.__version__}",
        "digest": digest_of(hashes),
    }
    named = [
        {"file": name, "kind": kind_of(name), "sha256": one}
        for name, one in hashes.items()
    ]
    presets = [
        {"preset": name, "extends": preset_file(name).get("extends", "")}
        for name in rv.presets()
    ]
    cases = [one for name in hashes for one in cases_of(name)]
    lists = {"presets": presets, "files": named, "cases": cases}
    parts = [
        f' "{key}": [\n' + ",\n".join(f"  {json.dumps(one)}" for one in found) + "\n ]"
        for key, found in lists.items()
    ]
    return "{\n" + ",\n".join([_lines(head, " "), *parts]) + "\n}\n"


@functools.cache
def manifest() -> dict[str, Any]:
    """
    The manifest as data.
    """
    found: dict[str, Any] = json.loads(manifest_text())
    return found


# ------------------------------------------------------------------- folder and zip


def build(directory: Path) -> Path:
    """
    Make the corpus.

    Args:
        directory: Where to put it.

    Returns:
        Its folder, whose name holds the version of the corpus; the zip file is beside.
    """
    folder = directory / f"{NAME}-{VERSION}"
    sys.path.append(str(ROOT.parent / "docs"))
    values: str = importlib.import_module("rule_pages").values_page()
    inside = {name: text.encode() for name, text in files().items()}
    inside |= {MANIFEST: manifest_text().encode(), f"about/{VALUES}": values.encode()}
    for page in PAGES:
        inside[f"about/{Path(page).name}"] = (ROOT.parent / page).read_bytes()
    shutil.rmtree(folder, ignore_errors=True)
    # Not compressed: another zlib makes other bytes.
    with zipfile.ZipFile(f"{folder}.zip", "w", zipfile.ZIP_STORED) as packed:
        for name, data in sorted(inside.items()):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            # Its date is in 1980, whatever the clock says.
            entry = zipfile.ZipInfo(f"{folder.name}/{name}")
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, data)
    return folder


def main() -> int:
    """
    Make the corpus.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument(
        "directory", type=Path, nargs="?", default=Path("build"), help="where to put it"
    )
    directory: Path = parser.parse_args().directory
    directory.mkdir(parents=True, exist_ok=True)
    path = Path(f"{build(directory)}.zip")
    print(f"{path}: {hash_of(path.read_bytes())}")
    return 0


if __name__ == "__main__":
    main()
