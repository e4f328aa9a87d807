"""Checks of the laws that every game must satisfy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from ._emtee import check_laws

__all__ = ["Checked", "check"]


class Checked(NamedTuple):
    """What a check covered."""

    #: Random games played.
    games: int
    #: Positions in them.
    positions: int
    #: Different keys among them.
    keys: int
    #: Methods that the game does without, although a search would use them.
    notes: list[str]


def check(
    game: Any,
    *,
    games: int = 20,
    seed: int = 1,
    depth: int = 3,
    seconds: float | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Checked:
    """Checks the laws of a game: of a start position, or of a class that creates one without arguments.

    Plays random games and tests every law. Violations are, for example: a second call of `moves` returns a different list, `play`
    changes the position it is called on, two different positions have the same key, an evaluation is out of range. Then every
    algorithm is compared with plain minimax, to the given depth. A violation is an `emtee.Error` that names the law; an exception
    of the game is passed on unchanged.

    `progress` is called with the numbers of finished steps and of all steps; a step is a game, or a position at which the
    algorithms are compared. By default a line on a terminal shows them. After `seconds` no further step begins, and
    `Checked.games` is the number of games that were played.

    >>> import emtee
    >>> emtee.check(emtee.kalah(), games=5).games
    5
    >>> class Forgetful:
    ...     counter = 0
    ...     def turn(self):
    ...         return 0
    ...     def moves(self):
    ...         Forgetful.counter += 1
    ...         return [Forgetful.counter, 0]
    ...     def play(self, m):
    ...         return self
    ...     def outcome(self):
    ...         return None
    ...     def evaluate(self):
    ...         Forgetful.counter += 1
    ...         return Forgetful.counter
    >>> emtee.check(Forgetful)
    Traceback (most recent call last):
    _emtee.Error: outcome and evaluation depend only on the position: two calls return different results
    """
    start = game() if isinstance(game, type) else game
    on_terminal = progress is None and sys.stderr.isatty()
    shown = _show if on_terminal else progress
    try:
        return Checked(*check_laws(start, games=games, seed=seed, depth=depth, seconds=seconds, progress=shown))
    finally:
        if on_terminal:
            print("\r\x1b[K", end="", file=sys.stderr)


def _show(done: int, of: int) -> None:
    print(f"\rchecking: {done} of {of}", end="", file=sys.stderr, flush=True)
