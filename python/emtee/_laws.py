"""The laws that every game must keep."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._emtee import check_laws

__all__ = ["Checked", "check"]


class Checked(NamedTuple):
    """What was looked at."""

    #: Random games played.
    games: int
    #: Positions in them.
    positions: int
    #: Different keys among them.
    keys: int


def check(game: Any, *, games: int = 20, seed: int = 1, depth: int = 3) -> Checked:
    """Runs the laws on a game: a position to begin with, or a class that makes one without arguments.

    Plays random games and looks for broken promises: lists of moves that differ when asked twice, a `play` that changes the
    position it is called on, keys that two different positions share, evaluations out of range. Then every algorithm is run
    against plain minimax, to the depth given. A law that is broken is an `emtee.Error` that says which; an exception of the
    game's comes out as it is.

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
    _emtee.Error: an outcome and an evaluation depend on the position alone: they differ when asked twice
    """
    return Checked(*check_laws(game() if isinstance(game, type) else game, games=games, seed=seed, depth=depth))
