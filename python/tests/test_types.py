"""What type checkers see is what there is."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import emtee
from emtee import _emtee

STUB = Path(_emtee.__file__).parent / "_emtee.pyi"

TYPED = '''
import chess
import emtee

class Nim:
    def __init__(self, matches: int, side: int = 0) -> None:
        self.matches, self.side = matches, side
    def turn(self) -> int:
        return self.side
    def moves(self) -> list[int]:
        return [n for n in (1, 2, 3) if n <= self.matches]
    def play(self, n: int) -> "Nim":
        return Nim(self.matches - n, 1 - self.side)
    def outcome(self) -> str | None:
        return "lost" if self.matches == 0 else None

game: emtee.Game[int] = Nim(10)
mine: emtee.Found[int] = emtee.Player().think(Nim(10), depth=10)
theirs: emtee.Found[str] = emtee.Player(threads=0).think(emtee.chess(), seconds=0.1)
board: emtee.Found[str] = emtee.Player().think(chess.Board(), depth=2)
player = emtee.Player()
ranked: list[emtee.RankedMove[str]] = player.rank(chess.Board(), 2, depth=2)
worth: emtee.Value | None = player.worth(chess.Board(), chess.Move.from_uci("e2e4"), depth=2)
chosen: emtee.Chosen[str] = player.choose(chess.Board(), 3)
player.start(chess.Board(), depth=2)
g: emtee.Value = player.mt(chess.Board(), 2, 0.5)
one: emtee.Pass[str] = player.one_pass(chess.Board(), 2, 0.5)
window: emtee.Pass[str] = player.window(chess.Board(), 2, -5, 5)
best: int | None = mine.best_move
value: emtee.Value | None = theirs.value
'''

WRONG = '''
import emtee
emtee.Player(algorithm=3)
emtee.Player(hsh="1MB")
best: int = emtee.Player().think(emtee.chess(), depth=2).best_move
emtee.Player().think(object(), depth=2)
'''


def mypy(tmp_path: Path, text: str) -> tuple[int, str]:
    file = tmp_path / "user.py"
    file.write_text(text)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    return done.returncode, done.stdout


def test_users_are_checked_strictly(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    code, said = mypy(tmp_path, TYPED)
    assert code == 0, said
    code, said = mypy(tmp_path, WRONG)
    assert code == 1 and said.count("error:") == 4, said


def pyright(tmp_path: Path, text: str) -> tuple[int, str]:
    file = tmp_path / "user.py"
    file.write_text(text)
    # basedpyright is pyright in a package that needs no Node.
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "standard", "reportMissingImports": "error"}')
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    return done.returncode, done.stdout


def test_users_are_checked_by_pyright(tmp_path: Path) -> None:
    pytest.importorskip("basedpyright")
    code, said = pyright(tmp_path, TYPED)
    assert code == 0, said
    code, said = pyright(tmp_path, WRONG)
    lines = {line.split(":")[1] for line in said.splitlines() if " error: " in line}
    assert code == 1 and lines == {"3", "4", "5", "6"}, said


def test_the_stub_has_everything_and_nothing_else() -> None:
    tree = ast.parse(STUB.read_text())
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            there = {name for name in vars(getattr(_emtee, node.name)) if not name.startswith("_")}
            assert there <= methods, (node.name, there - methods)
            assert all(hasattr(getattr(_emtee, node.name), name) for name in methods), node.name
    written = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))} | {"__version__"}
    there = {name for name in vars(_emtee) if not name.startswith("__")} | {"__version__"}
    assert written == there


def test_results_are_generic_at_run_time_too() -> None:
    for cls in (emtee.Found, emtee.Iteration, emtee.Pass, emtee.RankedMove, emtee.Chosen, emtee.Poll):
        assert cls[int].__origin__ is cls  # type: ignore[attr-defined]
    names: dict[str, object] = {}
    exec(TYPED, names)
    assert names["best"] == 2


def test_all_is_all() -> None:
    assert set(emtee.__all__) <= set(vars(emtee)) and emtee.__version__.count(".") == 2


def test_every_option_is_in_the_stub() -> None:
    player = next(node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ClassDef) and node.name == "Player")
    init = next(part for part in player.body if isinstance(part, ast.FunctionDef) and part.name == "__init__")
    for argument in init.args.kwonlyargs:
        emtee.Player(**{argument.arg: None})
        assert argument.arg in (emtee.Player.__doc__ or ""), argument.arg
