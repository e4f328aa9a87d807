"""Whole games through Hub, driven by pydraughts, which knows the rules and refuses an illegal move.

Usage: hub.py PROGRAM GAMES SECONDS
"""

import random
import re
import sys

import draughts
import draughts.engine
from draughts.engines.hub import HubEngine

from watch import Watch

PLIES = 120  # Then a game is called off.


class English(HubEngine):
    """pydraughts keeps English draughts as a board on which White begins and moves up: turned by half a turn, with the
    colours exchanged. Here it is turned back, on the way to the engine and from it."""

    SWAP = str.maketrans("wbWB", "bwBW")

    def turned(self, moves):
        return re.sub(r"\d+", lambda square: str(33 - int(square.group())), moves)

    def send(self, line):
        if line.startswith("pos "):
            pos = re.search(r"pos=(\S+)", line).group(1).translate(self.SWAP)
            moves = re.search(r'moves="([^"]*)"', line)
            line = f"pos pos={pos[0]}{pos[:0:-1]}"
            if moves:
                line += f' moves="{self.turned(moves.group(1))}"'
        super().send(line)

    def recv(self):
        line = super().recv()
        if line.startswith("done"):
            line = self.turned(line)
        elif line.startswith("info"):
            line = re.sub(r'pv="[^"]*"', lambda pv: self.turned(pv.group()), line)
        elif line.startswith("error"):
            raise SystemExit(line)
        return line


def game(engine, number, seconds, watch):
    """One game. The first moves are random, so that no two are alike."""
    board = draughts.Board(variant="english")
    rng = random.Random(number)
    for _ in range(4):
        board.push(rng.choice(list(board.legal_moves())))
    engine.send("new-game")
    plies = 4
    clock = number % 2 == 1
    left = [50 * seconds, 50 * seconds]
    while plies < PLIES and not board.is_over() and list(board.legal_moves()):
        side = plies % 2
        if clock:
            limit = draughts.engine.Limit(time=left[side], inc=seconds / 4)
            allowed = left[side]
        else:
            limit = draughts.engine.Limit(movetime=seconds)
            allowed = seconds
        result, took = watch.time(lambda: engine.play(board, limit, False), allowed)
        if clock:
            left[side] += seconds / 4 - took
            if left[side] <= 0:
                raise SystemExit(f"game {number}: lost on time after {plies} plies")
        # A move that is not legal is not found among those that are.
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
        raise SystemExit("the engine did not end well")
    watch.report("checkers")


main()
