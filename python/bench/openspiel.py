"""emtee's adapter compared with OpenSpiel's own `alpha_beta_search`: same depth and value function, interleaved runs, the least CPU time of
several.

    python bench/openspiel.py [SECONDS_A_GAME [GAME ...]]
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
    """All states that are not terminal have the value 0: the best case for a search without a table."""
    return 0


def mobility(state: Any) -> float:
    """The number of actions of the player to move."""
    return 0 if state.is_terminal() else len(state.legal_actions())


def theirs(game: Any, depth: int, value_function: Any) -> tuple[float, float]:
    first = game.new_initial_state().current_player()
    # OpenSpiel evaluates for the first player, emtee for the player to move. A win is worth more than any number of actions.
    seen = lambda state: (value_function(state) if state.current_player() == first else -value_function(state)) / 10_000  # noqa: E731
    began = time.process_time()
    value, _ = minimax.alpha_beta_search(game, value_function=nothing if value_function is nothing else seen, maximum_depth=depth)
    return time.process_time() - began, value


def ours(game: Any, depth: int, value_function: Any) -> tuple[float, Any]:
    bot, state = emtee.openspiel.Bot(game, depth=depth, value_function=value_function), game.new_initial_state()
    began = time.process_time()
    bot.step(state)
    return time.process_time() - began, bot.found


#: The games on which the settings were chosen.
CHOSEN_ON = [
    "tic_tac_toe", "connect_four", "mancala", "go(board_size=4)", "othello", "chess", "clobber(rows=4,columns=4)", "checkers",
]  # fmt: skip

#: The games on which they are evaluated: the whole list.
ALL = [
    "amazons", "antichess", "breakthrough", "checkers", "chess", "chinese_checkers", "clobber", "connect_four", "crazyhouse",
    "cursor_go", "dots_and_boxes", "go", "gomoku", "havannah", "hex", "hive", "lines_of_action", "mancala", "mnk", "nim",
    "nine_mens_morris", "othello", "oware", "pentago", "quoridor", "shogi", "tic_tac_toe", "twixt", "ultimate_tic_tac_toe",
    "xiangqi", "y",
]  # fmt: skip


def main() -> None:
    at_most = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    names = sys.argv[2:] or ALL
    names = CHOSEN_ON if names == ["chosen-on"] else names
    slower: list[str] = []
    for name in names:
        game = pyspiel.load_game(name)
        for value_function in (nothing, mobility):
            depth = 1
            # The greatest depth that OpenSpiel searches within the time.
            while depth < 14 and depth < game.max_game_length() and theirs(game, depth, value_function)[0] < at_most / 8:
                depth += 1
            rounds = [(theirs(game, depth, value_function), ours(game, depth, value_function)) for _ in range(7)]
            (them, value), (us, found) = min(pair[0] for pair in rounds), min((pair[1] for pair in rounds), key=lambda pair: pair[0])
            expected = (value > 0) - (value < 0) if found.value.is_proven else round(value * 10_000)
            agree = expected == ((found.value > 0) - (found.value < 0) if found.value.is_proven else found.value)
            if them < us:
                slower.append(f"{name}, {value_function.__name__}: {them / us:.2f}")
            print(
                f"{name}, {value_function.__name__}, depth {depth}: emtee {us:.3f} s, alpha_beta_search {them:.3f} s: "
                f"{them / us:.2f} times as fast{'' if agree else f'; VALUES DIFFER: {value} and {found.value}'}",
                flush=True,
            )
    print(f"slower in {len(slower)} of {2 * len(names)}: {'; '.join(slower) or 'nowhere'}")


if __name__ == "__main__":
    main()
