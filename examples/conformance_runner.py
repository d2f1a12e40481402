"""
Run the conformance corpus and print the results of this library.

This is the reference runner: it does what an engine in any language has to do. It reads
the corpus, plays its cases and prints one JSON object per line for ``tests/conform.py``
to judge. ``python tests/corpus.py`` makes the corpus in the folder where it looks for
it. Without arguments it runs `basic-rummy`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tomllib

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import rummyvariants as rv


CORPUS = Path("build/rummyvariants-conformance-1")
MODULUS = 1_000_000_007


# ------------------------------------------------------------------------- scenarios


def run_scenario(text: str) -> dict[str, Any]:
    """
    The ruling on each step, and what is true at the end for each key of ``[expect]``.
    """
    scenario = rv.files.parse_scenario(text)
    if scenario.problem is not None:
        return {"refused": list(scenario.problem.rules)}
    outcome = rv.files.run(scenario)
    steps = ["legal" if ruling else list(ruling.cites) for _, ruling in outcome.rulings]
    found = {}
    if outcome.state is not None:
        found = findings(outcome.state, scenario.expect)
    return {"steps": steps, "found": found}


def findings(state: rv.State, asked: dict[str, Any]) -> dict[str, Any]:
    """
    What is true of a state, for each key that is asked about.
    """
    found = {
        key: finding(state, key, wanted)
        for key, wanted in asked.items()
        if key != "view"
    }
    if "view" in asked:
        found["view"] = {
            name: seen_by(state, name, claims) for name, claims in asked["view"].items()
        }
    return found


def seen_by(state: rv.State, name: str, asked: dict[str, Any]) -> dict[str, Any]:
    """
    What a seat knows: its own cards, and those of others that it has seen.
    """
    seen = rv.view(state, state.players.index(name))
    found = findings(seen.world, asked)
    for key in asked.keys() & {"legal", "legal_includes", "legal_excludes"}:
        found[key] = finding(seen.world, key, {name: asked[key]})[name]
    if "hands" in asked:
        hands = {}
        for seat, known in enumerate(seen.known):
            hidden = ["??"] * (seen.hand_sizes[seat] - len(known))
            hands[state.players[seat]] = text_of([*known, *hidden])
        found["hands"] = hands
    return found


def finding(state: rv.State, key: str, asked: Any) -> Any:
    """
    What is true of a state for one key of ``[expect]``, written as it is there.
    """
    names = state.players

    def name(seat: int | None) -> str:
        return "" if seat is None else names[seat]

    def by_seat(values: Iterable[Any]) -> dict[str, Any]:
        return dict(zip(names, values, strict=True))

    match key:
        case "turn":
            return name(state.turn)
        case "phase":
            return state.phase
        case "acting":
            return [name(seat) for seat in state.to_act]
        case "hands":
            return by_seat(map(text_of, state.hands))
        case "hand_sizes":
            return by_seat(map(len, state.hands))
        case "laid":
            return by_seat(text_of(laid_by(state, at)) for at in range(len(names)))
        case "table":
            return [meld_text(meld, names) for meld in state.table]
        case "discards":
            return text_of(state.discards)
        case "stock":
            return text_of(state.stock)
        case "stock_top":
            return text_of(state.stock[: len(asked.split())])
        case "stock_size":
            return len(state.stock)
        case "wild":
            return state.wild_rank
        case "dealer":
            return name(state.dealer)
        case "dealer_wild":
            return dealers_wild(state)
        case "indicator":
            return str(state.dealt.indicator or "")
        case "upcards":
            return by_seat(map(text_of, state.dealt.upcards))
        case "redeals":
            due = state.phase == "deal"
            return state.match.thrown_in if due else state.dealt.redeals
        case "floating":
            return [name(seat) for seat in state.floating]
        case "dropped":
            return {name(seat): price for seat, price in state.dropped.items()}
        case "eliminated":
            return [name(seat) for seat in state.eliminated]
        case "red_threes":
            lying = {one.seat: one.cards for one in state.zones}
            return by_seat(text_of(lying.get(at, ())) for at in range(len(names)))
        case "out":
            return name(next(iter(state.out), None))
        case "over":
            return "match" if state.is_over else "round" if state.is_round_over else ""
        case "round_scores":
            return by_seat(state.result.points) if state.result else None
        case "scores":
            return by_seat(state.scores)
        case "winners":
            return [name(seat) for seat in state.winners]
        case "boxes":
            return by_seat(state.boxes or [0] * len(names))
        case "columns":
            return [
                {
                    "scores": by_seat(column.scores),
                    "boxes": by_seat(column.boxes),
                    "winners": [name(seat) for seat in column.winners],
                    "final_scores": by_seat(column.final_scores),
                }
                for column in state.columns
            ]
        case "final_scores":
            return by_seat(state.final_scores)
        case "side_scores":
            return list(state.side_scores)
        case "payments":
            return list(state.payments)
        case "next_dealer":
            return name(state.match.next_dealer)
    return legal(state, key, asked)


def legal(state: rv.State, key: str, asked: Any) -> Any:
    """
    The legal actions, or those of the actions named that are legal.
    """
    if isinstance(asked, dict):
        return {
            name: legal_for(state, key, texts, [state.players.index(name)])
            for name, texts in asked.items()
        }
    return legal_for(state, key, asked, state.to_act)


def legal_for(
    state: rv.State, key: str, texts: Sequence[str], seats: Sequence[int]
) -> list[str]:
    """
    The same for some seats.
    """
    if key == "legal":
        return [str(one) for one in rv.legal_actions(state) if one.seat in seats]
    return [one for one in texts if any(rv.check(state, one, seat) for seat in seats)]


# ---------------------------------------------------------------------------- texts


def text_of(cards: Iterable[object]) -> str:
    """
    Cards as a text.
    """
    return " ".join(map(str, cards))


def laid_by(state: rv.State, seat: int) -> list[object]:
    """
    The cards on the table that count for a seat.
    """
    melds = list(state.table)
    if state.dealer_wild is not None and state.dealer_wild.kind != "wild":
        melds.append(state.dealer_wild)
    slots = [slot for meld in melds for slot in meld.slots if slot.seat == seat]
    beside = [one.card for meld in melds for one in meld.beside if one.seat == seat]
    return [*slots, *beside]


def meld_text(meld: rv.melds.Meld, names: Sequence[str], after: int = 0) -> str:
    """
    A meld with who laid what, from its maker on; the first cards may be left out.
    """
    parts: dict[int, list[str]] = {} if after else {meld.maker: []}
    for slot in meld.slots[after:]:
        parts.setdefault(slot.seat, []).append(str(slot))
    for one in meld.beside:
        parts.setdefault(one.seat, []).append(str(one.card))
    return " | ".join(
        f"{names[seat]}: {text_of(cards)}" for seat, cards in parts.items()
    )


def dealers_wild(state: rv.State) -> str:
    """
    The dealer's wild on the table, with what was built on it.
    """
    meld = state.dealer_wild
    if meld is None:
        return ""
    if meld.kind == "wild":
        return str(meld.slots[0].card)
    rest = meld_text(meld, state.players, after=1)
    return f"{meld.slots[0]} | {rest}"


# --------------------------------------------------------------------------- counts


def run_perft(entry: dict[str, Any]) -> dict[str, Any]:
    """
    How many sequences there are of one action, of two, and so on.
    """
    rules = rv.rules.read_rules(entry["rules"])
    state = rv.apply(rv.game.begin(rules, entry["players"], seed=None), entry["deal"])
    for action in entry["actions"]:
        state = rv.apply(state, action)
    depths = range(1, len(entry["counts"]) + 1)
    return {"counts": [perft(state, depth) for depth in depths]}


def perft(state: rv.State, depth: int) -> int:
    """
    How many sequences of so many actions there are.
    """
    actions = rv.legal_actions(state)
    if depth == 1:
        return len(actions)
    return sum(perft(rv.apply(state, one), depth - 1) for one in actions)


def run_tiny_deck(entry: dict[str, Any]) -> dict[str, Any]:
    """
    How many sequences lead to the end of the round, and the points that they score.
    """
    rules = rv.rules.read_rules(entry["rules"])
    if "position" in entry:
        state = rv.position(rules, **entry["position"])
    else:
        players, dealer = entry.get("players", 2), entry.get("dealer", 0)
        state = rv.game.begin(rules, players, seed=None, dealer=dealer)
        state = rv.game.deal(state, deck=entry["deck"])
    sums = to_the_end(state, {})
    found: dict[str, Any] = {
        how: number % MODULUS for (key, how), number in sums.items() if key == "how"
    }
    for key in ("points", "won"):
        found[key] = [sums[key, at] % MODULUS for at in range(len(state.players))]
    return {"sequences": found}


def to_the_end(state: rv.State, known: dict[rv.State, Any]) -> Counter[Any]:
    """
    The sums over all sequences from a state. Equal states are counted once.
    """
    if state in known:
        return known[state]
    sums: Counter[Any] = Counter()
    if state.phase in {"deal", "over"}:
        result = state.result
        sums["how", result.how if result else "thrown in"] = 1
        for seat, points in enumerate(result.points if result else ()):
            sums["points", seat] = points
        for seat in state.winners:
            sums["won", seat] = 1
    else:
        for action in rv.legal_actions(state):
            sums.update(to_the_end(rv.apply(state, action), known))
    known[state] = sums
    return sums


# ---------------------------------------------------------------------- the corpus


def read_corpus(corpus: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """
    The manifest, and by case its text or its entry.
    """
    manifest = json.loads((corpus / "manifest.json").read_text(encoding="utf-8"))
    cases: dict[str, Any] = {}
    for entry in manifest["files"]:
        name, data = entry["file"], (corpus / entry["file"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == entry["sha256"], (
            f"{name} has changed"
        )
        text = data.decode()
        if entry["kind"] == "scenario":
            cases[name] = text
        elif entry["kind"] == "perft":
            entries = json.loads(text)["entries"]
            cases |= {f"{name}#{one['name']}": one for one in entries}
        elif entry["kind"] == "tiny decks":
            entries = tomllib.loads(text)["deck"]
            cases |= {f"{name}#{one['name']}": one for one in entries}
    return manifest, cases


def run_case(case: Any) -> dict[str, Any]:
    """
    What is found for a case of any kind.
    """
    if isinstance(case, str):
        return run_scenario(case)
    return run_perft(case) if "actions" in case else run_tiny_deck(case)


def main() -> None:
    """
    Run the cases of a claim and print the results.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--corpus", type=Path, default=CORPUS)
    parser.add_argument("--presets", nargs="*", default=["basic-rummy"])
    parser.add_argument("--options", nargs="*", default=[])
    parser.add_argument("--values", action="store_true")
    given = parser.parse_args()
    manifest, cases = read_corpus(given.corpus)
    presets, options = given.presets, given.options
    if presets == ["all"]:
        presets = [entry["preset"] for entry in manifest["presets"]]
    if options == ["all"]:
        options = sorted(
            {one for entry in manifest["cases"] for one in entry["options"]}
        )
    head = {key: manifest[key] for key in ("corpus", "version", "digest")}
    claim = {"presets": presets, "options": options, "values": given.values}
    print(json.dumps({**head, "engine": manifest["made_with"], **claim}))
    for entry in manifest["cases"]:
        if (
            entry["preset"] in presets
            and set(entry["options"]) <= set(options)
            and (given.values or not entry["values"])
        ):
            found = run_case(cases[entry["case"]])
            print(json.dumps({"case": entry["case"], **found}), flush=True)


if __name__ == "__main__":
    main()
