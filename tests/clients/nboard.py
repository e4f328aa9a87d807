"""Whole games through NBoard, by a script with its own rules of Othello.

Usage: nboard.py PROGRAM GAMES SECONDS
"""

import random
import subprocess
import sys

from watch import Watch

START = "-" * 27 + "O*" + "-" * 6 + "*O" + "-" * 27
STEPS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


class Board:
    """A position: 64 characters of *, O and -, and the side to move."""

    def __init__(self, cells=START, turn="*"):
        self.cells, self.turn = cells, turn

    def flips(self, square):
        """The discs that a move turns over."""
        other = "O" if self.turn == "*" else "*"
        if self.cells[square] != "-":
            return []
        flipped = []
        for dx, dy in STEPS:
            line, x, y = [], square % 8 + dx, square // 8 + dy
            while 0 <= x < 8 and 0 <= y < 8 and self.cells[8 * y + x] == other:
                line.append(8 * y + x)
                x, y = x + dx, y + dy
            if line and 0 <= x < 8 and 0 <= y < 8 and self.cells[8 * y + x] == self.turn:
                flipped += line
        return flipped

    def moves(self):
        """The legal moves: only a pass if there is no other, none if the game is over."""
        placing = [name(square) for square in range(64) if self.flips(square)]
        if placing:
            return placing
        return ["PA"] if any(self.passed().flips(square) for square in range(64)) else []

    def passed(self):
        return Board(self.cells, "O" if self.turn == "*" else "*")

    def after(self, move):
        if move == "PA":
            return self.passed()
        square = "ABCDEFGH".index(move[0]) + 8 * (int(move[1]) - 1)
        cells = list(self.cells)
        for at in [square, *self.flips(square)]:
            cells[at] = self.turn
        return Board("".join(cells), self.passed().turn)


def name(square):
    return "ABCDEFGH"[square % 8] + str(square // 8 + 1)


class Engine:
    """An NBoard engine."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.pings = 0

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, begin):
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"the engine has exited; its output was {lines}")
            lines.append(line.rstrip("\n"))
            if lines[-1].startswith(begin):
                return lines

    def sync(self):
        self.pings += 1
        self.say(f"ping {self.pings}")
        self.until(f"pong {self.pings}")


def ggf(moves):
    played = "".join(f"{'BW'[at % 2]}[{move}]" for at, move in enumerate(moves))
    return f"(;GM[Othello]PC[here]PB[a]PW[b]RE[?]TI[5:00]TY[8]BO[8 {START} *]{played};)"


def game(engine, number, seconds, watch):
    """One game. The first moves are random, so that all games differ."""
    board, moves, rng = Board(), [], random.Random(number)
    for _ in range(4):
        moves.append(rng.choice(board.moves()))
        board = board.after(moves[-1])
    engine.say(f"set game {ggf(moves)}")
    while board.moves():
        engine.sync()
        engine.say("go")
        lines, _ = watch.time(lambda: engine.until("=== "), seconds)
        answer = lines[-1][4:]
        move = answer.split("/")[0]
        if move not in board.moves():
            raise SystemExit(f"game {number}: {move} is illegal; the legal moves are {board.moves()}")
        moves.append(move)
        board = board.after(move)
        engine.say(f"move {answer}")
        if len(moves) == 20:
            # A user requests hints, and the game continues.
            engine.say("hint 3")
            engine.until("search ")
    engine.sync()
    return board.cells.count("*"), board.cells.count("O")


def main():
    program, games, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    watch = Watch()
    engine = Engine([program, "engine", "othello", "--hash", "16MB", "--time", f"{seconds}s"])
    engine.say("nboard 2")
    engine.until("set myname")
    engine.say("set depth 60")
    for number in range(games):
        black, white = game(engine, number, seconds, watch)
        print(f"othello game {number}: {black} to {white}")
    engine.say("learn")
    engine.until("learned")
    engine.say("quit")
    if engine.process.wait(timeout=60) != 0:
        raise SystemExit("the engine exited with an error")
    watch.report("othello")


main()
