"""Compares the extracted model with `emtee tree --json` on random trees.

Usage: compare.py MODEL EMTEE TREES [SEED]
"""

import itertools
import json
import random
import subprocess
import sys

# Algorithms with a step or a width get a random one.
ALGORITHMS = ["mtd-f", "mtd-f-figure8", "mtd-gallop", "sss", "dual", "mtd-bi", "mtd-step", "mtd-best",
              "mtd-best-disprove-rest", "bns", "aspiration-negascout", "aspiration-negascout double", "negascout",
              "alpha-beta", "stockman-sss", "stockman-dual"]
BEST = ["mtd-best", "mtd-best-disprove-rest", "bns"]
WITH_STEP = ["mtd-gallop", "mtd-step", "aspiration-negascout"]
WITH_GUESS = ["mtd-f", "mtd-f-figure8", "mtd-gallop", "aspiration-negascout", *BEST]
# A size of the model's memory at which no entry is overwritten.
LARGE_MEMORY = 1_000_003


def tree(rng, depth, most, ends, turns):
    """A tree of irregular shape, with ties (few different values), ends of the game, and sides that move again."""
    if depth == 0 or rng.random() < 0.12:
        if ends and rng.random() < 0.15:
            return rng.choice(["win", "loss", "draw"])
        return str(rng.randint(-most, most))
    word = rng.choice(["max ", "min "]) if turns and rng.random() < 0.2 else ""
    return "(" + word + " ".join(tree(rng, depth - 1, most, ends, turns) for _ in range(rng.randint(1, 4))) + ")"


def pairs(rng):
    """Yields pairs of algorithms: all of them in a random order, then again."""
    while True:
        some = rng.sample(ALGORITHMS, len(ALGORITHMS))
        for name, other in zip(some[::2], some[1::2]):
            yield [with_step(rng, name), with_step(rng, other)]


def with_step(rng, name):
    base, _, rule = name.partition(" ")
    step = f":{rng.choice([1, 2, 3, 7, 16, 40])}" if base in WITH_STEP else ""
    return base + step + (f":{rule}" if rule else "")


def plain(name):
    return name.partition(":")[0]


class Model:
    """A process that runs the extracted model."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, algorithm, places, first, infinity, text):
        self.process.stdin.write(f"{algorithm} {places} {first} {infinity} {text}\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if not answer:
            sys.exit(f"{algorithm} of {text}: the model finds nothing")
        return answer


def checked(algorithm, row, text, value, worths):
    """Checks the value (for MTD-best, the bounds), and the best move if there is one."""
    right = row["value"] == value or plain(algorithm) in BEST and row["lower"] <= value <= row["upper"]
    if not right or "best_move" in row and worths[int(row["best_move"])] != value:
        sys.exit(f"{algorithm} of {text}: {row}, and the value is {value}")


def main():
    emtee, trees = sys.argv[2], int(sys.argv[3])
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    model = Model(sys.argv[1])
    seen = {"ends": 0, "repeated turns": 0, "first guesses": 0, "infinities": 0}
    for pair in itertools.islice(pairs(rng), trees):
        ends, turns = rng.random() < 0.5, rng.random() < 0.5
        most, text = rng.choice([2, 5, 100]), ""
        while not text.startswith("("):
            text = tree(rng, rng.randint(1, 5), most, ends, turns)
        has_ends = "win" in text or "loss" in text
        options, first, infinity = [], 0, 0
        if any(plain(name) in WITH_GUESS for name in pair) and rng.random() < 0.8:
            first = rng.randint(-most - 2, most + 2)
            options += ["--first", str(first)]
        if not has_ends and rng.random() < 0.3:
            infinity = most + rng.randint(1, 3)
            options += ["--infinity", str(infinity)]
        for what, there in zip(seen, [has_ends, "m" in text, "--first" in options, "--infinity" in options]):
            seen[what] += there
        command = [emtee, "tree", "-", "--json", "--compare", ",".join(pair), *options]
        # The oracles have no table.
        small = [*command, "--entries", str(rng.randint(1, 8))]
        running = [subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, close_fds=False)
                   for line in ([command] if all(name.startswith("stockman") for name in pair) else [command, small])]
        for process in running:
            process.stdin.write(text)
            process.stdin.close()
        whole, *rest = [[json.loads(row) for row in process.stdout] for process in running]
        if any(process.wait() for process in running):
            sys.exit(f"{command} fails on {text}")
        right = model.run("minimax", 1, 0, 0, text)
        value, worths = right["value"], right["worths"]
        for algorithm, row in zip(pair, whole):
            row["trace"] = [passed["g"] for passed in row["trace"]]
            mine = model.run(algorithm, LARGE_MEMORY, first, infinity, text)
            for field, what in mine.items():
                if row[field] != what:
                    sys.exit(f"{algorithm} {options} of {text}: {field} is {row[field]}, and {what} in the model")
            checked(algorithm, row, text, value, worths)
            if not algorithm.startswith("stockman"):
                mine = model.run(algorithm, rng.randint(1, 8), first, infinity, text)
                checked(algorithm, mine, text, value, worths)
        for algorithm, row in itertools.chain.from_iterable(zip(pair, rows) for rows in rest):
            checked(algorithm, row, text, value, worths)
    each = 2 * trees // len(ALGORITHMS)
    special = ", ".join(f"{number} with {what}" for what, number in seen.items())
    print(f"{trees} trees ({special}), two of {len(ALGORITHMS)} algorithms on each, at least {each} trees for every "
          "one: the model and the program agree")


main()
