"""emtee compared with easyAI's algorithms, on unmodified games of easyAI. Interleaved runs; the least CPU time of several each.

    python bench/easyai.py [SECONDS_AT_MOST]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from easyAI import DUAL, SSS, Negamax, TranspositionTable
from easyAI.games.ConnectFour import ConnectFour
from easyAI.games.TicTacToe import TicTacToe

import emtee
from emtee.easyai import MTDf


def connect_four(columns: str) -> ConnectFour:
    game = ConnectFour([None, None])
    for column in columns:
        game.make_move(int(column) - 1)
        game.switch_player()
    return game


def tic_tac_toe(places: str = "") -> TicTacToe:
    game = TicTacToe([None, None])
    for place in places:
        game.make_move(int(place))
        game.switch_player()
    return game


class Tabled(ConnectFour):
    """With the method that easyAI's transposition table calls."""

    def ttentry(self) -> Any:
        return (self.board.tobytes(), self.current_player)


class TabledTicTacToe(TicTacToe):
    def ttentry(self) -> Any:
        return (tuple(self.board), self.current_player)


def tabled(game: Any) -> Any:
    copy = emtee._emtee.copy_game(game)
    copy.__class__ = Tabled if isinstance(game, ConnectFour) else TabledTicTacToe
    return copy


def best_of(runs: dict[str, Callable[[], Any]], rounds: int, at_most: float) -> dict[str, float]:
    """The least time of each. An algorithm that takes longer than `at_most` seconds is run once."""
    times: dict[str, float] = {}
    for round in range(rounds):
        for name, run in runs.items() if round % 2 == 0 else reversed(list(runs.items())):
            if times.get(name, 0) > at_most:
                continue
            began = time.process_time()
            run()
            took = time.process_time() - began
            times[name] = min(took, times.get(name, took))
    return times


def main() -> None:
    at_most = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    # easyAI's tables need a method that its games do not have. Games with this method, also for emtee, have rows of their own.
    cases = [("connect four, 4455 334", connect_four("4455334"), (2, 4, 6)), ("tic-tac-toe", tic_tac_toe(), (6, 7, 8, 9))]
    # A position with few open columns, so that easyAI too reaches depths at which a table matters.
    late = connect_four("444442222266666333331117")
    cases.append(("connect four, late", late, (6, 8, 10, 12, 14)))
    slower: list[str] = []
    for title, game, depths in cases:
        for with_table in (False, True):
            start = tabled(game) if with_table else game
            for depth in depths:
                table = (lambda: {"tt": TranspositionTable()}) if with_table else dict
                runs: dict[str, Callable[[], Any]] = {
                    "emtee": lambda: MTDf(depth)(emtee._emtee.copy_game(start)),
                    "negamax": lambda: Negamax(depth, **table())(emtee._emtee.copy_game(start)),
                    "sss": lambda: SSS(depth, **table())(emtee._emtee.copy_game(start)),
                    "dual": lambda: DUAL(depth, **table())(emtee._emtee.copy_game(start)),
                }
                times = best_of(runs, 5, at_most)
                peers = {name: took for name, took in times.items() if name != "emtee"}
                best = min(peers, key=peers.__getitem__)
                kind = "with ttentry" if with_table else "untouched"
                if depth >= 6 and peers[best] < times["emtee"]:
                    slower.append(f"{title}, {kind}, depth {depth}: {peers[best] / times['emtee']:.2f}")
                print(
                    f"{title}, {kind}, depth {depth}: emtee {times['emtee']:.4f} s, "
                    + ", ".join(f"{name} {took:.4f}" for name, took in peers.items())
                    + f"; {peers[best] / times['emtee']:.2f}x as fast as {best}",
                    flush=True,
                )
    print(f"slower from depth 6 on: {'; '.join(slower) or 'nowhere'}")


if __name__ == "__main__":
    main()
