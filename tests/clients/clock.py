"""The timing of an engine: by how much moves exceed their time, and how soon it reacts to stop.

Usage: clock.py PROGRAM MOVES SECONDS HASH_IN_MB
"""

import subprocess
import sys
import time

FENS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 b - - 0 9",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 1",
]


class Engine:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, begin):
        for line in self.process.stdout:
            if line.startswith(begin):
                return line
        raise SystemExit("the engine has exited")

    def settle(self):
        self.say("isready")
        self.until("readyok")


def show(name, seconds):
    seconds = sorted(1e3 * second for second in seconds)
    tail = seconds[max(0, len(seconds) * 99 // 100 - 1)]
    print(f"{name:<28}{seconds[len(seconds) // 2]:8.1f} ms median {tail:8.1f} ms 99th percentile {seconds[-1]:8.1f} ms maximum")


def main():
    program, moves, allowed, hash_size = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
    engine = Engine([program, "engine", "chess"])
    engine.say(f"setoption name Hash value {hash_size}")
    engine.settle()
    late, stops, hits = [], [], []
    for at in range(moves):
        if at % 20 == 0:
            engine.say("ucinewgame")
        engine.say(f"position fen {FENS[at % len(FENS)]}")
        engine.settle()
        began = time.perf_counter()
        engine.say(f"go movetime {round(1e3 * allowed)}")
        engine.until("bestmove")
        late.append(time.perf_counter() - began - allowed)
        engine.say("go infinite")
        time.sleep(allowed)
        began = time.perf_counter()
        engine.say("stop")
        engine.until("bestmove")
        stops.append(time.perf_counter() - began)
        engine.say(f"go ponder movetime {round(1e3 * allowed)}")
        time.sleep(allowed)
        began = time.perf_counter()
        engine.say("ponderhit")
        engine.until("bestmove")
        hits.append(time.perf_counter() - began - allowed)
    engine.say("quit")
    print(f"{moves} moves, {1e3 * allowed:.0f} ms per move, a table of {hash_size} MB")
    show("beyond a move time", late)
    show("beyond it after ponderhit", hits)
    show("from stop to the answer", stops)


main()
