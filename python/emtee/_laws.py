"""Checks of the laws that every game must satisfy."""

from __future__ import annotations

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


def check(game: Any, *, games: int = 20, seed: int = 1, depth: int = 3) -> Checked:
    """Checks the laws of a game: of a start position, or of a class that creates one without arguments.

    Plays random games and tests every law. Violations are, for example: a second call of `moves` returns a different list, `play`
    changes the position it is called on, two different positions have the same key, an evaluation is out of range. Then every
    algorithm is compared with plain minimax, to the given depth. A violation is an `emtee.Error` that names the law; an exception
    of the game is passed on unchanged.

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
    return Checked(*check_laws(game() if isinstance(game, type) else game, games=games, seed=seed, depth=depth))
