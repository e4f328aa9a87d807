"""The lab: tables, experiments, pictures."""

from __future__ import annotations

import sys
import xml.dom.minidom
from pathlib import Path
from typing import Any

import pytest

import emtee
from games import KeyedNim

TOML = """
title = "Small"
figures = [9, 11, 12, "ordering"]
[[game]]
name = "kalah"
depth = 4
positions = { random = 2, plies = 6 }
"""


def test_comparing() -> None:
    frame = emtee.compare([emtee.connect4(), emtee.connect4("44")], 6)
    assert len(frame) == 14 and set(frame.groupby("position")["value"].nunique()) == {1}
    base = frame[frame["algorithm"] == "aspiration-negascout"]
    assert list(base["nbp_pct"]) == [100.0, 100.0] and (frame["seconds"] > 0).all()
    polars = emtee.compare(KeyedNim(20), 8, ["mtd-f", "minimax"], frame="polars")
    assert polars["value"].n_unique() == 1 and polars["game"][0] == "KeyedNim"
    rows = emtee.compare(emtee.kalah(), 4, emtee.algorithms(), frame="rows", repeat=1)
    assert len(rows) == len(emtee.algorithms()) and list(rows[0]) == list(frame.columns)
    with pytest.raises(emtee.Error, match="'excel' is not a kind of table; choose pandas, polars or rows"):
        emtee.compare(emtee.kalah(), 2, frame="excel")  # type: ignore[arg-type]


def test_comparing_reports_different_values() -> None:
    class Fickle(KeyedNim):
        calls = 0

        def evaluate(self) -> int:
            Fickle.calls += 1
            return Fickle.calls % 100

    with pytest.raises(emtee.Error, match="a value must depend only on the position and the depth"):
        emtee.compare(Fickle(40), 4)


def test_tables_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match='tables need pandas: pip install pandas, or choose frame="rows"'):
        emtee.compare(emtee.kalah(), 2)


def test_experiments(tmp_path: Path) -> None:
    seen: list[Any] = []
    out = tmp_path / "out"
    made = emtee.experiment(TOML, out, progress=lambda done, of: seen.append((done, of)))
    assert seen[-1][0] == seen[-1][1] > 0 and (out / "report.html").is_file()
    assert made.figures and not made.claims
    for figure in made.figures:
        xml.dom.minidom.parseString(figure["svg"])
    assert made._repr_html_().startswith("<figure>")
    iterations = emtee.results(out)
    assert {"game", "position", "algorithm", "depth", "value", "nbp", "nodes", "passes", "seconds"} <= set(iterations.columns)
    assert set(iterations["depth"]) == {1, 2, 3, 4} and iterations.columns.is_unique
    for table in ("runs", "passes", "heights", "minimal", "evaluations", "times"):
        assert len(emtee.results(out, table, frame="polars").columns) > 5
    assert len(made.table("passes")) > len(iterations)
    # Finished runs are not repeated, and a file works as well as its text.
    (tmp_path / "small.toml").write_text(TOML)
    again: list[Any] = []
    emtee.experiment(tmp_path / "small.toml", out, progress=lambda done, of: again.append(done))
    assert len(again) < len(seen)
    # The paper's claims are tested on request.
    claimed = emtee.experiment("claims = true\n" + TOML, tmp_path / "claimed")
    assert {"section", "claim", "paper", "here", "verdict"} <= set(claimed.claims[0])
    with pytest.raises(emtee.Error, match="'iteration' is not a table of results"):
        emtee.results(out, "iteration")
    with pytest.raises(FileNotFoundError):
        emtee.results(tmp_path / "nowhere")
    (tmp_path / "results.sqlite").write_text("this is no database, but it is long enough to look like one " * 20)
    with pytest.raises(emtee.Error, match="is not an emtee results database"):
        emtee.results(tmp_path)
    with pytest.raises(emtee.Error):
        emtee.experiment("title = 3\n", tmp_path / "bad")

    def fails(done: int, of: int) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError):
        emtee.experiment(TOML, tmp_path / "other", progress=fails)


def test_pictures() -> None:
    for algorithm in (None, "sss", "dual", "mtd-f", "alpha-beta", "negascout", "minimax", "stockman-sss"):
        picture = emtee.draw.tree("paper", algorithm)
        xml.dom.minidom.parseString(picture)
        assert picture._repr_svg_() == picture
    # SSS* evaluates eight leaves of the paper's tree.
    assert emtee.draw.tree("paper", "sss").count("orange") == 8
    assert emtee.draw.tree("paper", "minimax").count("orange") == 16
    assert emtee.tree("(1 2)")._repr_svg_().count("<circle") == 2
    with pytest.raises(emtee.Error, match="not chess"):
        emtee.draw.tree(emtee.chess())
    found = emtee.Player(algorithm="sss").think(emtee.connect4("44"), depth=5)
    for iteration in found.iterations:
        xml.dom.minidom.parseString(emtee.draw.passes(iteration))
    xml.dom.minidom.parseString(emtee.draw.passes(emtee.Player().think(emtee.tictactoe("XXXOO----"))))


def test_oracles() -> None:
    tree = emtee.tree("paper")
    oracles = [emtee.minimax, emtee.stockman_sss, emtee.stockman_dual, emtee.alpha_beta]
    assert [int(oracle(tree, 4).value) for oracle in oracles] == [35] * 4
    assert [oracle(KeyedNim(10), 10).best_move for oracle in oracles] == [2] * 4
