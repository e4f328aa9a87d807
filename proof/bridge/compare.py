"""Compares the extracted model with `emtee tree --json` on random trees.

Usage: compare.py MODEL EMTEE TREES [SEED]
"""

import json
import random
import subprocess
import sys

PAIRS = [("sss", "stockman-sss"), ("dual", "stockman-dual"), ("mtd-f", "mtd-f-figure8"), ("mtd-bi", "alpha-beta"),
         ("sss", "negascout"), ("mtd-f", "dual")]
PLENTY = 1_000_003


def tree(rng, depth, few, ends, turns):
    """Irregular shapes, few different values so that there are ties, ends of the game, sides that move again."""
    if depth == 0 or rng.random() < 0.12:
        if ends and rng.random() < 0.15:
            return rng.choice(["win", "loss", "draw"])
        return str(rng.randint(-few, few))
    word = rng.choice(["max ", "min "]) if turns and rng.random() < 0.2 else ""
    return "(" + word + " ".join(tree(rng, depth - 1, few, ends, turns) for _ in range(rng.randint(1, 4))) + ")"


def main():
    model, emtee, trees = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    ours = subprocess.Popen([model], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(algorithm, places, text):
        ours.stdin.write(f"{algorithm} {places} {text}\n")
        ours.stdin.flush()
        words = ours.stdout.readline().rstrip("\n").split(" ")
        value, passes, leaves, interior, nodes = map(int, words[:5])
        return value, passes, leaves, interior, nodes, [int(v) for v in words[5].split(",") if v]

    for n in range(trees):
        text = ""
        while not text.startswith("("):
            text = tree(rng, rng.randint(1, 5), rng.choice([2, 5, 100]), rng.random() < 0.5, rng.random() < 0.5)
        pair = PAIRS[n % len(PAIRS)]
        # Stockman's proof is about sides that take turns, but the oracle plays repeated turns too.
        command = [emtee, "tree", "-", "--json", "--compare", ",".join(pair)]
        rows = subprocess.run(command, input=text, text=True, capture_output=True, check=True).stdout.splitlines()
        for algorithm, row in zip(pair, map(json.loads, rows)):
            value, passes, leaves, interior, nodes, order = ask(algorithm, PLENTY, text)
            same = [("value", value), ("nbp", leaves), ("leaves", order)]
            if not algorithm.startswith("stockman"):
                same += [("passes", passes), ("interior", interior), ("nodes", nodes)]
            for field, mine in same:
                if row[field] != mine:
                    sys.exit(f"{algorithm} of {text}: {field} is {row[field]}, and {mine} in the model")
            if not algorithm.startswith("stockman"):
                small = ask(algorithm, rng.randint(1, 8), text)[0]
                if small != value:
                    sys.exit(f"{algorithm} of {text}: {small} with a small memory, not {value}")
        if ask("minimax", 1, text)[0] != value:
            sys.exit(f"minimax of {text} is not {value}")
    print(f"{trees} trees: the model and the program agree")


main()
