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


def nothing(state: Any) -> float:
    """Every state that is not at its end is worth the same: the best that can happen to a search without memory."""
    return 0


def mobility(state: Any) -> float:
    """How many actions the player to move has."""
    return 0 if state.is_terminal() else len(state.legal_actions())


def theirs(game: Any, depth: int, value_function: Any) -> tuple[float, float]:
    first = game.new_initial_state().current_player()
    # Theirs is for the player who begins, ours for the player to move; a win is worth more than any number of actions.
    seen = lambda state: (value_function(state) if state.current_player() == first else -value_function(state)) / 10_000  # noqa: E731
    began = time.perf_counter()
    value, _ = minimax.alpha_beta_search(game, value_function=seen, maximum_depth=depth)
    return time.perf_counter() - began, value


def ours(game: Any, depth: int, value_function: Any) -> tuple[float, Any]:
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
        for value_function in (nothing, mobility):
            depth = 1
            # The deepest that they search in the time.
            while depth < 14 and depth < game.max_game_length() and theirs(game, depth, value_function)[0] < at_most / 8:
                depth += 1
            pairs = [(theirs(game, depth, value_function), ours(game, depth, value_function)) for _ in range(3)]
            (them, value), (us, found) = min(pair[0] for pair in pairs), min((pair[1] for pair in pairs), key=lambda pair: pair[0])
            expected = (value > 0) - (value < 0) if found.value.is_proven else round(value * 10_000)
            agree = expected == ((found.value > 0) - (found.value < 0) if found.value.is_proven else found.value)
            print(
                f"{name}, {value_function.__name__}, depth {depth}: emtee {us:.3f} s, alpha_beta_search {them:.3f} s: "
                f"{them / us:.2f} times as fast{'' if agree else f'; VALUES DIFFER: {value} and {found.value}'}",
                flush=True,
            )


if __name__ == "__main__":
    main()
