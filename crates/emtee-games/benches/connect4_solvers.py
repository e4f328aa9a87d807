"""Compares emtee's solver of Connect Four with BitBully (PyPI) and the crate connect-four-ai, all without a book and with an
empty table per position.

Usage: connect4_solvers.py SOLVER RIVAL [STONES:COUNT ...]

SOLVER is the example `solve_connect4`, RIVAL the program in `connect_four_ai/`. All solve random positions with this many
stones in turn, so that other load on the machine affects all. Measured is the processor time of the search, without
clearing the table. A ratio is emtee's time divided by the rival's. `0:1` is the empty board. Positions with the same
seed are the same.
"""

import random
import subprocess
import sys
import time
from importlib.metadata import version

import bitbully.bitbully_core as bitbully

COLUMNS, ROWS = 7, 6
MEGABYTES = 64


def wins(stones: dict[tuple[int, int], int], side: int, column: int, row: int) -> bool:
    """Whether the stone just played completes four in a row."""
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            step = 1
            while stones.get((column + sign * step * right, row + sign * step * up)) == side:
                length, step = length + 1, step + 1
        if length >= 4:
            return True
    return False


def random_position(stones: int, chance: random.Random) -> str:
    """The columns of a random game that is not over after this many stones."""
    while True:
        board: dict[tuple[int, int], int] = {}
        heights, played = [0] * COLUMNS, ""
        for ply in range(stones):
            column = chance.choice([column for column in range(COLUMNS) if heights[column] < ROWS])
            board[column, heights[column]] = ply % 2
            if wins(board, ply % 2, column, heights[column]):
                break
            heights[column] += 1
            played += str(column + 1)
        else:
            return played


class Program:
    """A solver that reads a position per line and writes its points, seconds and nodes."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def solve(self, position: str) -> tuple[int, float, int]:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(position + "\n")
        points, seconds, nodes = self.process.stdout.readline().split()
        return int(points), float(seconds), int(nodes)


class BitBully:
    """BitBully in this process."""

    def __init__(self) -> None:
        self.core = bitbully.BitBullyCore()

    def solve(self, position: str) -> tuple[int, float, int]:
        board = bitbully.BoardCore()
        assert not position or board.play([int(column) - 1 for column in position])
        self.core.resetTranspositionTable()
        start, before = time.process_time(), self.core.getNodeCounter()
        value = self.core.mtdf(board, first_guess=0)
        return value, time.process_time() - start, self.core.getNodeCounter() - before


def main() -> None:
    solvers = {
        f"BitBully {version('bitbully')}, 96 MB": BitBully(),
        "connect-four-ai 1.0.0, 128 MB": Program(sys.argv[2]),
        f"emtee, at most {MEGABYTES} MB": Program(sys.argv[1], str(MEGABYTES)),
    }
    print("Connect Four, distance of the win: processor time, interleaved, no books")
    print("| stones | positions | solver | time | nodes | ratio |\n|---|---|---|---|---|---|")
    failed = False
    for group in sys.argv[3:] or ["8:200", "10:200", "12:200"]:
        stones, count = map(int, group.split(":"))
        chance = random.Random(stones)
        seconds, nodes = dict.fromkeys(solvers, 0.0), dict.fromkeys(solvers, 0)
        for _ in range(count):
            position = random_position(stones, chance)
            values = {}
            for name, solver in solvers.items():
                values[name], time_used, visited = solver.solve(position)
                seconds[name] += time_used
                nodes[name] += visited
            if len(set(values.values())) > 1:
                print(f"error: {position or 'the empty board'}: {values}")
                failed = True
        for name in solvers:
            ratio = list(seconds.values())[-1] / seconds[name]
            print(f"| {stones} | {count} | {name} | {seconds[name]:.2f} s | {nodes[name]:,} | {ratio:.2f} |", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
