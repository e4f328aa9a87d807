"""Whole games through Hub, driven by pydraughts, which checks that moves are legal.

Usage: hub.py PROGRAM GAMES SECONDS
"""

import random
import re
import sys
import time
import warnings

import draughts
import draughts.engine
from draughts.engines.hub import HubEngine

from watch import Watch

PLIES = 120  # Longer games are ended.


class English(HubEngine):
    """pydraughts sends positions of English draughts turned by half a turn and with the colours exchanged, moves as they
    are. Here the positions are turned back. The time of pydraughts itself, which is as long, is not counted."""

    SWAP = str.maketrans("wbWB", "bwBW")

    def send(self, line):
        if line.startswith("pos "):
            pos = re.search(r"pos=(\S+)", line).group(1)
            turned = pos.translate(self.SWAP)
            line = line.replace(pos, turned[0] + turned[:0:-1])
        super().send(line)
        if line.startswith("go "):
            self.began = time.perf_counter()

    def recv(self):
        line = super().recv()
        if line.startswith("done"):
            self.took = time.perf_counter() - self.began
        if line.startswith("error"):
            raise SystemExit(line)
        return line


def game(engine, number, seconds, watch):
    """One game. The first moves are random, so that all games differ."""
    board = draughts.Board(variant="english")
    rng = random.Random(number)
    for _ in range(4):
        board.push(rng.choice(list(board.legal_moves())))
    engine.send("new-game")
    plies = 4
    clock = number % 2 == 1
    left = [20 * seconds, 20 * seconds]
    while plies < PLIES and not board.is_over() and list(board.legal_moves()):
        side = plies % 2
        if clock:
            limit = draughts.engine.Limit(time=round(left[side], 3), inc=seconds)
            allowed = left[side]
        else:
            limit = draughts.engine.Limit(movetime=seconds)
            allowed = seconds
        result = engine.play(board, limit, False)
        took = watch.note(engine.took, allowed)
        if clock:
            left[side] = watch.press(left[side] - took) + seconds
        # An illegal move is not in the list.
        board.push(result.move)
        plies += 1
    return plies


def main():
    program, games, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    watch = Watch()
    engine = English([program, "engine", "checkers"])
    engine.setoption("hash", 16)
    engine.setoption("variant", "english")
    engine.init()
    engine.ping()
    for number in range(games):
        plies = game(engine, number, seconds, watch)
        print(f"checkers game {number}: {plies} plies")
    engine.quit()
    if engine.p.wait(timeout=60) != 0:
        raise SystemExit("the engine exited with an error")
    watch.report("checkers")


warnings.simplefilter("ignore")  # pydraughts leaves its pipes open.
main()
