"""Compares emtee's solver of Connect Four with BitBully (PyPI), both without a book and with an empty table per position.

Usage: against_bitbully.py SOLVER [STONES:COUNT ...]

SOLVER is the example `solve_connect4`. Both solve random positions with this many stones in turn, so that other load on
the machine affects both. Measured is the processor time of the search, without clearing the table. A last line has the
empty board if `0:1` is given. Positions with the same seed are the same.
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


def main() -> None:
    solver = subprocess.Popen(
        [sys.argv[1], str(MEGABYTES)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert solver.stdin and solver.stdout
    rival = bitbully.BitBullyCore()
    print(f"BitBully {version('bitbully')} without a book; emtee with a table of {MEGABYTES} MB. Processor time, interleaved")
    print("| stones | positions | BitBully | nodes | emtee | nodes | ratio |\n|---|---|---|---|---|---|---|")
    failed = False
    for group in sys.argv[2:] or ["8:200", "10:200", "12:200"]:
        stones, count = map(int, group.split(":"))
        chance = random.Random(stones)
        ours = theirs = 0.0
        nodes, before = 0, rival.getNodeCounter()
        for _ in range(count):
            position = random_position(stones, chance)
            board = bitbully.BoardCore()
            assert not position or board.play([int(column) - 1 for column in position])
            rival.resetTranspositionTable()
            start = time.process_time()
            value = rival.mtdf(board, first_guess=0)
            theirs += time.process_time() - start
            solver.stdin.write(position + "\n")
            points, seconds, visited = solver.stdout.readline().split()
            ours, nodes = ours + float(seconds), nodes + int(visited)
            if int(points) != value:
                print(f"error: {position or 'the empty board'} has {points} points, {value} in BitBully")
                failed = True
        visits = rival.getNodeCounter() - before
        print(f"| {stones} | {count} | {theirs:.2f} s | {visits:,} | {ours:.2f} s | {nodes:,} | {ours / theirs:.2f} |", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
