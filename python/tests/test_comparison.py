"""The program, the explorer, the lab and this package give the same numbers for the same question."""

from __future__ import annotations

import json
import os
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import pytest

import emtee
from emtee._emtee import position_set

#: The program, from the same sources; `cargo xtask python` sets it.
PROGRAM = os.environ.get("EMTEE_PROGRAM", "")

GAMES = [("chess", 4), ("othello", 5), ("connect4", 7)]
ALGORITHMS = ["mtd-f", "sss", "negascout", "alpha-beta"]
BASELINE = "aspiration-negascout"

#: Per algorithm: leaves and nodes in percent of the baseline.
Percent = dict[str, tuple[float, float]]


def positions_of(game: str) -> list[str]:
    names = {"connect4": ["44", "4455", "1234"]}
    return names.get(game) or position_set(game, "tuning")[:3]


def run(*words: str) -> str:
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def by_program(game: str, depth: int, folder: Path) -> Percent:
    file = folder / "positions.txt"
    file.write_text("\n".join(positions_of(game)) + "\n")
    lines = run("compare", game, "--positions", str(file), "--depth", str(depth), "--algorithms", ",".join(ALGORITHMS), "--json")
    rows = [row for row in map(json.loads, lines.splitlines()) if row.get("summary") and row["depth"] == depth]
    return {row["algorithm"]: (row["nbp_pct"], row["nodes_pct"]) for row in rows}


def by_explorer(game: str, depth: int) -> Percent:
    """The race view runs a position at a time or a set; the means over the positions are taken here."""
    server = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--json"], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["address"].rstrip("/")

        def race(where: dict[str, Any]) -> dict[str, Any]:
            body = {"game": game, "algorithms": ALGORITHMS, "depth": depth, **where}
            request = urllib.request.Request(
                f"{address}/api/race", json.dumps(body).encode(), {"content-type": "application/json"}
            )
            with urllib.request.urlopen(request, timeout=300) as response:
                lines = [json.loads(line) for line in response.read().decode().splitlines()]
            return {row["algorithm"]: row for row in lines[-1]["summary"]}

        if game == "connect4":
            races = [race({"position": text}) for text in positions_of(game)]
            mean = lambda name, field: geometric([rows[name][field] for rows in races])  # noqa: E731
            return {name: (mean(name, "leaves_pct"), mean(name, "nodes_pct")) for name in races[0]}
        rows = race({"set": "tuning", "count": 3})
        return {name: (row["leaves_pct"], row["nodes_pct"]) for name, row in rows.items()}
    finally:
        server.terminate()
        server.wait()


def geometric(percents: list[float]) -> float:
    product = 1.0
    for percent in percents:
        product *= percent
    return float(product ** (1 / len(percents)))


def by_package(game: str, depth: int) -> Percent:
    positions = [emtee.position(game, text) for text in positions_of(game)]
    rows = emtee.compare(positions, depth, ALGORITHMS, frame="rows", repeat=1, summary=True)
    return {row["algorithm"]: (row["nbp_pct"], row["nodes_pct"]) for row in rows}


def by_lab(game: str, depth: int, folder: Path) -> Percent:
    listed = ", ".join(f'"{text}"' for text in positions_of(game))
    ratios = "".join(f'[[ratio]]\nname = "{name}"\nof = {{ algorithm = "{name}" }}\n' for name in [*ALGORITHMS, BASELINE])
    toml = f'title = "t"\nfigures = []\n[[game]]\nname = "{game}"\ndepth = {depth}\npositions = [{listed}]\n{ratios}'
    made = emtee.experiment(toml, folder / "lab")
    return {row["name"]: (100 * row["nbp"]["mean"], 100 * row["nodes"]["mean"]) for row in made.ratios}


@pytest.mark.skipif(not PROGRAM, reason="EMTEE_PROGRAM does not name the program")
@pytest.mark.parametrize(("game", "depth"), GAMES)
def test_the_same_question_has_the_same_answer(game: str, depth: int, tmp_path: Path) -> None:
    expected = by_program(game, depth, tmp_path)
    assert set(expected) == {*ALGORITHMS, BASELINE} and expected[BASELINE] == (100.0, 100.0)
    assert len(set(expected.values())) > 3
    for other in (by_explorer(game, depth), by_package(game, depth), by_lab(game, depth, tmp_path)):
        assert set(other) == set(expected)
        for name, percents in expected.items():
            assert other[name] == pytest.approx(percents, rel=1e-12), name
