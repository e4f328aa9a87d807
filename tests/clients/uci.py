"""Whole games through UCI, driven by python-chess, which checks that moves are legal.

Usage: uci.py PROGRAM GAMES SECONDS
"""

import random
import sys
import time

import chess
import chess.engine

from watch import Watch

PLIES = 120  # Longer games are ended.


def game(engine, number, seconds, watch):
    """One game. The first moves are random, so that all games differ."""
    chess960 = number % 5 == 4
    board = chess.Board.from_chess960_pos(number * 97 % 960) if chess960 else chess.Board()
    rng = random.Random(number)
    for _ in range(4):
        board.push(rng.choice(list(board.legal_moves)))
    # Every other game is played on a clock, and every fourth with pondering, against moves that are often the expected ones.
    clock, pondering = number % 2 == 1, number % 4 == 1
    left = {chess.WHITE: 20 * seconds, chess.BLACK: 20 * seconds}
    ours, expected = board.turn, None
    while board.ply() < PLIES and not board.is_game_over(claim_draw=True):
        if pondering and board.turn != ours:
            moves = list(board.legal_moves)
            time.sleep(seconds / 4)
            board.push(expected if expected in moves and rng.random() < 0.7 else rng.choice(moves))
            continue
        if clock:
            limit = chess.engine.Limit(
                white_clock=left[chess.WHITE],
                black_clock=left[chess.BLACK],
                white_inc=seconds,
                black_inc=seconds,
            )
            allowed = left[board.turn]
        else:
            limit = chess.engine.Limit(time=seconds)
            allowed = seconds
        # python-chess raises if the move is not legal, or if the engine has exited.
        result, took = watch.time(lambda: engine.play(board, limit, game=number, ponder=pondering), allowed)
        if result.move is None:
            raise SystemExit(f"game {number}: no move in {board.fen()}")
        if clock:
            left[board.turn] = watch.press(left[board.turn] - took) + seconds
        expected = result.ponder
        board.push(result.move)
    return board.result(claim_draw=True), board.ply()


def main():
    program, games, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    watch = Watch()
    with chess.engine.SimpleEngine.popen_uci([program, "engine", "chess"], timeout=60) as engine:
        engine.configure({"Hash": 16, "Move Overhead": 40})
        results = [game(engine, number, seconds, watch) for number in range(games)]
        engine.analyse(chess.Board(), chess.engine.Limit(depth=6), multipv=3)
    for number, (result, plies) in enumerate(results):
        print(f"chess game {number}: {result} after {plies} plies")
    watch.report("chess")


main()
