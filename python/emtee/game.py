"""The protocols of games and observers, for type checkers. A game need not inherit from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, Union, runtime_checkable

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._emtee import Iteration, Pass
    from ._types import Visit, Window

__all__ = ["Game", "Observer", "Outcome"]

M = TypeVar("M")

#: The outcome for the side to move, or None while the game goes on. An int is a score, independent of the ply at which the game ends.
Outcome = Union[Literal["won", "lost", "drawn"], int, None]


@runtime_checkable
class Game(Protocol[M]):
    """A position of a game. It is immutable: `play` returns a new one.

    **One convention**: outcomes, points and evaluations are all from the side to move. The same side may move again, and a pass is
    a move like any other.

    These four methods are required. A search also uses these optional ones:

    ======================  ============================================================================================
    ``evaluate()``          the evaluation, an int within ±31000 for the side to move; 0 without it
    ``key()``               the key of the position: an int, a str, bytes, or a tuple, list or frozenset of these. Positions
                            with equal keys must be equal except for the side to move, which is added to the key.
                            Without it there is no table: transpositions are not detected, and nothing is kept from one
                            search to the next.
    ``features(f)``         for `emtee.learn`: lists what is on each cell, and counters, in an `emtee.Features`
    ``hint(m)``             an int from -32768 to 32767: moves with a greater hint are tried first
    ``code(m)``             an int from 0 to 65534 that means the same move in all positions; enables killers and history
    ``moves_are_codes``     not a method: True in a class whose moves are such ints themselves
    ``stuck()``             the outcome of a position without moves that has no outcome: "drawn" without it
    ``noisy_moves()``       for quiescence search: None if the position is quiet; else ("optional", moves) or
                            ("forced", moves), which are searched before the position is evaluated
    ``halfmove_clock()``    plies since the last irreversible move, or None: with ``in_play`` positions may repeat
    ``repeated()``          the outcome if this position has occurred before: "drawn" without it
    ``forced()``            for selective search: whether the side to move has no free choice, as in check
    ``null_move()``         for selective search: the position after a null move, or None
    ``tactical_gain(m)``    for selective search: the most a capture or promotion gains at once, or None for a quiet move
    ======================  ============================================================================================

    All of them depend only on the position. `emtee.check` plays random games and tests this and the other laws.

    >>> import emtee
    >>> isinstance(emtee.kalah(), emtee.Game)
    True
    """

    def turn(self) -> int:
        """The side to move, 0 or 1."""

    def moves(self) -> Sequence[M]:
        """The legal moves, objects that can be compared with ==, in an order that depends only on the position."""

    def play(self, m: M, /) -> Self:
        """The position after a move."""

    def outcome(self) -> Any:
        """The outcome for the side to move: None while the game goes on, then "won", "lost", "drawn", or points as an int."""


class Observer(Protocol):
    """Is called for every node of a search. All methods are optional.

    >>> import emtee
    >>> class Leaves:
    ...     def __init__(self):
    ...         self.values = []
    ...     def leave(self, position, visit):
    ...         if visit.end == "evaluated":
    ...             self.values.append(int(visit.g))
    >>> leaves = Leaves()
    >>> found = emtee.Player(algorithm="sss", fixed_depth=True).think(emtee.tree("paper"), depth=4, observer=leaves)
    >>> leaves.values
    [41, 12, 34, 36, 5, 35, 50, 36]
    """

    def enter(self, position: Any, depth: int, window: Window) -> None:
        """Called before a node is visited."""

    def leave(self, position: Any, visit: Visit) -> None:
        """Called after a node is visited."""

    def passed(self, done: Pass[Any]) -> None:
        """Called after each pass."""

    def iteration(self, done: Iteration[Any]) -> None:
        """Called after each iteration."""
