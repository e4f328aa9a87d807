"""Evaluations from self-play, and Monte-Carlo tree search."""

from __future__ import annotations

import _thread
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

import emtee
from emtee import Player


class Three:
    """Connect three on a board of four columns and three rows: stones fall."""

    def __init__(self, cells: str = "." * 12, side: int = 0) -> None:
        self.cells, self.side = cells, side

    def turn(self) -> int:
        return self.side

    def moves(self) -> list[int]:
        return [column for column in range(4) if self.cells[column] == "."]

    def play(self, column: int) -> Three:
        cell = max(row * 4 + column for row in range(3) if self.cells[row * 4 + column] == ".")
        return type(self)(self.cells[:cell] + "xo"[self.side] + self.cells[cell + 1 :], 1 - self.side)

    def outcome(self) -> str | None:
        other = "ox"[self.side]
        for row in range(3):
            for column in range(4):
                for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                    ends = (row + 2 * down, column + 2 * right)
                    if ends[0] < 3 and 0 <= ends[1] < 4:
                        line = [(row + step * down) * 4 + column + step * right for step in range(3)]
                        if all(self.cells[cell] == other for cell in line):
                            return "lost"
        return None if "." in self.cells else "drawn"

    def key(self) -> str:
        return self.cells


class Drawn(Three):
    """Shows its positions by a drawing."""

    def __str__(self) -> str:
        return "\n".join(self.cells[row : row + 4] for row in (0, 4, 8))


class Listed(Three):
    """Shows its positions by a list of features."""

    def features(self, f: emtee.Features) -> None:
        f.board(3, 4)
        for cell, stone in enumerate(self.cells):
            if stone != ".":
                f.piece(cell, "xo".index(stone))
        f.count(0, self.side, 1)


def score_against_zero(game: Any, evaluation: emtee.Learned) -> float:
    """The score of the evaluation against one of 0, from all positions after two moves."""
    learned, zero = Player(evaluate=evaluation), Player(evaluate=lambda _: 0)
    points = played = 0.0
    for first in game.moves():
        for second in game.play(first).moves():
            for side in (0, 1):
                position = game.play(first).play(second)
                while (outcome := position.outcome()) is None and position.moves():
                    player = learned if position.turn() == side else zero
                    position = position.play(player.think(position, depth=1).best_move)
                if outcome in (None, "drawn"):
                    points += 0.5
                else:
                    points += (outcome == "won") == (position.turn() == side)
                played += 1
    return points / played


@pytest.mark.parametrize("game", [Drawn, Listed])
def test_a_game_in_python_is_learned(game: type[Three]) -> None:
    rows: list[emtee.Generation] = []
    evaluation = emtee.learn(game, work=3_000_000, progress=rows.append)
    assert evaluation.game == game.__name__
    assert [row.number for row in rows] == list(range(len(rows))) and rows == evaluation.generations
    assert rows[0].elo is None and rows[-1].done > 0.9
    # The same work gives the same evaluation.
    assert emtee.learn(game(), work=3_000_000).to_bytes() == evaluation.to_bytes()
    assert score_against_zero(game(), evaluation) > 0.5


def test_the_evaluation_of_a_built_in_game_is_a_file_and_a_function(tmp_path: Path) -> None:
    evaluation = emtee.learn(emtee.connect4(), work=3_000_000, seed=2)
    file = tmp_path / "connect4.learned"
    evaluation.save(file)
    read = emtee.Learned(file, emtee.connect4())
    assert read.to_bytes() == evaluation.to_bytes() == emtee.Learned(evaluation.to_bytes(), emtee.connect4()).to_bytes()
    assert read.generations == []
    for line in ["44", "4455", "1234567"]:
        position = emtee.connect4(line)
        # The search evaluates as a function in Python that calls it does, on one thread and on two.
        values = {
            int(Player(evaluate=evaluate, threads=threads).think(position, depth=4).value)  # type: ignore[arg-type]
            for evaluate, threads in [(evaluation, 1), (read, 2), (lambda n: read(n), 1)]
        }
        assert len(values) == 1
        mirrored = emtee.connect4("".join(str(8 - int(column)) for column in line))
        assert evaluation(position) == evaluation(mirrored)


def test_what_cannot_be_learned_or_used_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"Three does not show its positions: give it a method features\(f\), or __str__"):
        emtee.learn(Three, work=1000)
    with pytest.raises(emtee.Error, match="more than 0 minutes"):
        emtee.learn(Listed, minutes=0)
    with pytest.raises(emtee.Error, match="begins at the start of the game: emtee.connect4"):
        emtee.learn(emtee.connect4("44"), work=1000)
    with pytest.raises(emtee.Error, match="unknown game 'tree'|no game"):
        emtee.learn(emtee.tree("paper"), work=1000)
    with pytest.raises(emtee.Error, match="choose raise or return"):
        emtee.learn(Listed, work=1000, interrupt="stop")  # type: ignore[arg-type]

    class Faulty(Listed):
        def features(self, f: emtee.Features) -> None:
            if self.cells.count(".") < 6:
                raise ArithmeticError("mine")
            super().features(f)

    with pytest.raises(ArithmeticError, match="mine"):
        emtee.learn(Faulty, work=1000)

    class Changing(Listed):
        def features(self, f: emtee.Features) -> None:
            f.board(3, self.cells.count("."))

    with pytest.raises(emtee.Error, match="same size in all positions"):
        emtee.learn(Changing, work=1000)

    evaluation = emtee.learn(Listed, work=1000)
    with pytest.raises(emtee.Error, match="learned for another game, Listed"):
        Player(evaluate=evaluation).think(emtee.connect4(), depth=2)
    with pytest.raises(emtee.Error, match="learned for another game, Listed"):
        evaluation(Drawn())
    with pytest.raises(emtee.Error, match="learned for Listed, not for Drawn"):
        emtee.Learned(evaluation.to_bytes(), Drawn())
    with pytest.raises(emtee.Error, match="damaged"):
        emtee.Learned(evaluation.to_bytes()[:-1], Listed())
    with pytest.raises(emtee.Error, match="not a file of 'emtee learn'"):
        emtee.Learned(b"something else", Listed())
    with pytest.raises(FileNotFoundError):
        emtee.Learned(tmp_path / "missing", Listed())
    with pytest.raises(ValueError, match="2 is not a side"):
        emtee.Features(0).piece(1, 2)


def test_ctrl_c_ends_learning() -> None:
    def press(row: emtee.Generation) -> None:
        if row.number == 0:
            threading.Timer(0.1, _thread.interrupt_main).start()

    # A job in the background starts with the signal ignored.
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for game, work in [(emtee.connect4(), 10**9), (Listed(), 10**8)]:
            with pytest.raises(KeyboardInterrupt):
                emtee.learn(game, work=work, progress=press)
            evaluation = emtee.learn(game, work=work, progress=press, interrupt="return")
            assert evaluation.generations[0].number == 0 and evaluation.generations[-1].done < 1
    finally:
        signal.signal(signal.SIGINT, previous)


def test_monte_carlo_tree_search() -> None:
    for position, best in [(emtee.connect4("4455"), {"3", "6"}), (Listed("........x.x.", 0).play(1), None)]:
        found = Player(algorithm="mcts").think(position, nodes=2000)
        assert 0 < found.counts.nodes <= 2000
        if best:
            assert found.best_move in best and found.value.wins_in is not None
        again = Player(algorithm="mcts").think(position, nodes=2000)
        assert (again.best_move, again.value, again.pv) == (found.best_move, found.value, found.pv)
    # A game without key() and evaluate(): a win in one move is found.
    assert Player(algorithm="mcts").think(Listed("....xx..oo..", 0), nodes=200).best_move == 2
    with pytest.raises(emtee.Error, match="leave out etc"):
        Player(algorithm="mcts", etc=2)
