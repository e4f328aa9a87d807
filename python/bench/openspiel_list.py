"""Writes openspiel.md: every game of OpenSpiel's list, with its key, or the reason why emtee cannot search it.

    python bench/openspiel_list.py > openspiel.md
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyspiel

import emtee
from emtee.openspiel import KEYS, Position, why_not

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

HEAD = """# OpenSpiel's games

Written by `python bench/openspiel_list.py`, with open_spiel 2.0.2. All {fit} sequential two-player games of its
list with perfect information and without chance can be searched through `emtee.openspiel.Position`. Tests check
that different states have different keys in each of them, and that values on small boards equal those of
OpenSpiel's own `alpha_beta_search`.

The key of a state is its **text**; its text without **counters** of moves, which would hide transpositions; its
text **and actions**, if a move consists of several steps that the text does not show; or **none**, and so no
table, if superko depends on earlier positions (Go) or if transpositions are rare. `key=` overrides it. Writing
the text of a state takes as long as creating several states, so only states with at least two plies below them
are looked up. The last column is the result of 3,000 nodes from the start, without an evaluation, so a value
other than 0 is proven.

| game | key | utility | 3,000 nodes |
|---|---|---|---|"""

WITHOUT_COUNTERS = {"antichess", "chess", "crazyhouse", "nine_mens_morris", "shogi"}
WITH_ACTIONS = {"checkers", "chinese_checkers", "crazyhouse", "nine_mens_morris"}


def main() -> None:
    fit, refused = [], []
    for kind in sorted(pyspiel.registered_games(), key=lambda kind: kind.short_name):
        try:
            game = pyspiel.load_game(kind.short_name)
        except Exception:
            refused.append((kind.short_name, "it needs parameters or a file to be loaded"))
            continue
        reason = why_not(game)
        if reason is None:
            fit.append(game)
        else:
            refused.append((kind.short_name, reason))
    print(HEAD.format(fit=len(fit)))
    for game in fit:
        name = game.get_type().short_name
        key = "text"
        if name in KEYS and KEYS[name] is None:
            key = "none"
        elif name in WITHOUT_COUNTERS | WITH_ACTIONS:
            key = ("text without counters" if name in WITHOUT_COUNTERS else "text") + (" and actions" if name in WITH_ACTIONS else "")
        elif name in KEYS:
            key = "text without the mark of the last move"
        found = emtee.Player().think(Position(game), nodes=3000)
        value = "solved, " if found.complete else ""
        print(f"| {name} | {key} | {game.min_utility():g} to {game.max_utility():g} | {value}depth {found.depth}, value {found.value} |")
    print("\n## Refused\n\nBy the reason that `emtee.openspiel.why_not(game)` returns. A search of such a game raises it as an `emtee.Error`.\n")
    reasons: dict[str, list[str]] = {}
    for name, reason in refused:
        for word in ("has chance", "hidden information", "move at the same time", "players;", "constant-sum", "parameters or a file"):
            if word in reason:
                reasons.setdefault(word, []).append(name)
                break
        else:
            reasons.setdefault(reason, []).append(name)
    titles = {
        "has chance": "chance",
        "hidden information": "hidden information",
        "move at the same time": "simultaneous moves",
        "players;": "not two players",
        "constant-sum": "not constant-sum",
        "parameters or a file": "not loadable without parameters or a file",
    }
    for word, names in reasons.items():
        print(f"* **{titles.get(word, word)}**: {', '.join(names)}")


if __name__ == "__main__":
    main()
