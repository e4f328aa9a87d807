"""emtee's adapter beside OpenSpiel's own `alpha_beta_search`, same depth and value function, interleaved.

    python bench/openspiel.py [SECONDS_A_GAME]
"""

from __future__ import annotations

import sys
import time
from typing import Any

import pyspiel
from open_spiel.python.algorithms import minimax

import emtee
import emtee.openspiel


def value_function(state: Any) -> float:
    """The same for both: nothing is known of a state that is not at its end."""
    return 0


def theirs(game: Any, depth: int) -> tuple[float, float]:
    began = time.perf_counter()
    value, _ = minimax.alpha_beta_search(game, value_function=value_function, maximum_depth=depth)
    return time.perf_counter() - began, value


def ours(game: Any, depth: int) -> tuple[float, Any]:
    bot, state = emtee.openspiel.Bot(game, depth=depth, value_function=value_function), game.new_initial_state()
    began = time.perf_counter()
    bot.step(state)
    return time.perf_counter() - began, bot.found


GAMES = [
    "tic_tac_toe", "connect_four", "clobber(rows=4,columns=4)", "breakthrough(rows=5,columns=4)", "dots_and_boxes(num_rows=2,num_cols=2)",
    "nim", "mancala", "oware", "othello", "hex(board_size=4)", "y(board_size=4)", "checkers", "chess", "go(board_size=4)", "amazons",
    "gomoku(size=5)", "pentago", "lines_of_action", "nine_mens_morris", "ultimate_tic_tac_toe", "quoridor(board_size=5)", "xiangqi",
]  # fmt: skip


def main() -> None:
    at_most = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    for name in GAMES:
        game = pyspiel.load_game(name)
        depth, slowest = 1, 0.0
        # The deepest that they search in the time.
        while depth < 14:
            slowest, _ = theirs(game, depth)
            if slowest > at_most / 8 or depth >= game.max_game_length():
                break
            depth += 1
        pairs = [(theirs(game, depth), ours(game, depth)) for _ in range(3)]
        (them, value), (us, found) = min(pair[0] for pair in pairs), min((pair[1] for pair in pairs), key=lambda pair: pair[0])
        # Their value is for player 0, who begins.
        agree = (value > 0) - (value < 0) == (found.value > 0) - (found.value < 0)
        print(
            f"{name}, depth {depth}: emtee {us:.3f} s, alpha_beta_search {them:.3f} s: {them / us:.2f} times as fast"
            f"{'' if agree else f'; VALUES DIFFER: {value} and {found.value}'}",
            flush=True,
        )


if __name__ == "__main__":
    main()
