"""Writes openspiel.md: every game of OpenSpiel's list, and what becomes of it here.

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

Written by `python bench/openspiel_list.py`, with open_spiel 2.0.2. All {fit} games of its list that two players play in turn, seeing everything,
without chance, are searched through `emtee.openspiel.Position`. Tests check that keys tell states apart in each of them, and that values on
small boards are those of OpenSpiel's own `alpha_beta_search`.

How states are told apart: by their **text**; by their text without **counters** of moves, which would keep lines from meeting; by their
text **and actions**, where a move is made in several steps and the text does not show them; **not at all**, and so without a table, where
superko makes the past matter (Go) or where lines hardly ever meet. `key=` says otherwise. Writing a state down takes as long as making
several, so only states with at least two plies below them are looked up. The last column is what 3,000 nodes from the start come to: no
evaluation, so a value other than 0 is a proof.

| game | told apart by | utility | 3,000 nodes |
|---|---|---|---|"""

WITHOUT_COUNTERS = {"antichess", "chess", "crazyhouse", "nine_mens_morris", "shogi"}
WITH_ACTIONS = {"checkers", "chinese_checkers", "crazyhouse", "nine_mens_morris"}


def main() -> None:
    fit, refused = [], []
    for kind in sorted(pyspiel.registered_games(), key=lambda kind: kind.short_name):
        try:
            game = pyspiel.load_game(kind.short_name)
        except Exception:
            refused.append((kind.short_name, "it takes parameters or a file to be loaded; what it then is decides"))
            continue
        reason = why_not(game)
        if reason is None:
            fit.append(game)
        else:
            refused.append((kind.short_name, reason))
    print(HEAD.format(fit=len(fit)))
    for game in fit:
        name = game.get_type().short_name
        told = "text"
        if name in KEYS and KEYS[name] is None:
            told = "not at all"
        elif name in WITHOUT_COUNTERS | WITH_ACTIONS:
            told = ("text without counters" if name in WITHOUT_COUNTERS else "text") + (" and actions" if name in WITH_ACTIONS else "")
        elif name in KEYS:
            told = "text without the mark of the last move"
        found = emtee.Player().think(Position(game), nodes=3000)
        value = "solved, " if found.complete else ""
        print(f"| {name} | {told} | {game.min_utility():g} to {game.max_utility():g} | {value}depth {found.depth}, value {found.value} |")
    print("\n## Refused\n\nEach with the reason that `emtee.openspiel.why_not(game)` gives, as an `emtee.Error` where it is searched all the same.\n")
    reasons: dict[str, list[str]] = {}
    for name, reason in refused:
        for word in ("has chance", "hides something", "move at the same time", "players, and", "need not lose", "parameters or a file"):
            if word in reason:
                reasons.setdefault(word, []).append(name)
                break
        else:
            reasons.setdefault(reason, []).append(name)
    titles = {
        "has chance": "chance",
        "hides something": "something is hidden from the players",
        "move at the same time": "the players move at the same time",
        "players, and": "not two players",
        "need not lose": "what one wins the other need not lose",
        "parameters or a file": "nothing to load without parameters or a file",
    }
    for word, names in reasons.items():
        print(f"* **{titles.get(word, word)}**: {', '.join(names)}")


if __name__ == "__main__":
    main()
