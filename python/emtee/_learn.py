"""Evaluations from self-play."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Literal

from ._emtee import Error, Learned, learn_evaluation
from ._types import Generation

__all__ = ["learn"]


def learn(
    game: Any,
    *,
    minutes: float = 10,
    work: int | None = None,
    seed: int = 1,
    progress: Callable[[Generation], object] | None = None,
    interrupt: Literal["raise", "return"] = "raise",
) -> Learned:
    """Learns an evaluation of a game by self-play, from the rules alone: for `Player(evaluate=…)`.

    `game` is the start position of a built-in game or of a game in Python, or a class that creates it without arguments. A game in
    Python shows its positions by a method `features(f)`, which lists them in an `emtee.Features`; without it they are derived
    from `__str__`, which must then draw the board, one cell per character.

    `minutes` of CPU time are converted to an amount of work by a short test of speed. With `work` instead, equal seeds and
    amounts give equal evaluations. `progress` is called with each finished `Generation`; by default a line on a terminal shows them.
    Ctrl-C raises KeyboardInterrupt; with `interrupt="return"` the result is the best evaluation so far.

    >>> import emtee
    >>> evaluation = emtee.learn(emtee.tictactoe(), work=2_000_000)
    >>> evaluation.game, evaluation(emtee.tictactoe("X-O-X----")) < 0
    ('tictactoe', True)
    >>> emtee.Player(evaluate=evaluation).think(emtee.tictactoe(), depth=9).value
    0
    """
    if interrupt not in ("raise", "return"):
        raise Error(f"'{interrupt}' is not a choice for interrupt; choose raise or return")
    start = game() if isinstance(game, type) else game
    on_terminal = progress is None and sys.stderr.isatty()
    shown = _show if on_terminal else progress
    try:
        return learn_evaluation(start, minutes, work, seed, shown, interrupt == "return")
    finally:
        if on_terminal:
            print("\r\x1b[K", end="", file=sys.stderr)


def _show(row: Generation) -> None:
    text = f"learning: generation {row.number}, {row.games} games, {row.total_elo:+.0f} Elo, {100 * row.done:.0f} %"
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
