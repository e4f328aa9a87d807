"""The notebooks run from their first cell to their last."""

from __future__ import annotations

from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    assert len(notebook.cells) > 10
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    # Most code cells have an output.
    shown = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.outputs]
    assert len(shown) >= 8


def test_there_are_two() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["the_paper_in_15_minutes", "your_own_game"]
