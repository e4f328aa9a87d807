"""What a game in Python is, for those who like types. Nobody has to inherit from anything here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, Union, runtime_checkable

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._emtee import Iteration, Pass
    from ._types import Visit, Window

__all__ = ["Game", "Observer", "Outcome"]

M = TypeVar("M")

#: How a game ended for the side to move, or None while it goes on. An int is a score, the same whenever it comes about.
Outcome = Union[Literal["won", "lost", "drawn"], int, None]


@runtime_checkable
class Game(Protocol[M]):
    """A position of a game. It is never changed: `play` gives a new one.

    **One convention**: outcomes, points and evaluations are all seen from the side to move. The same side may move again, and a
    pass is a move like any other.

    These four make a game. It may also have, and a search then uses:

    ======================  ============================================================================================
    ``evaluate()``          how good the position is, an int within ±31000 for the side to move; 0 without it
    ``key()``               tells the position from others: an int, a str, bytes, or a tuple, list or frozenset of such.
                            Positions with equal keys must be the same but for the side to move, which is added. Without
                            it there is no table: nothing is taken to be the same as anything else, and nothing is
                            remembered.
    ``hint(m)``             an int from -32768 to 32767: moves with a greater hint are tried first
    ``code(m)``             an int from 0 to 65534 that names the same move in other positions too: killers and history help then
    ``moves_are_codes``     not a method: True in a class whose moves are such ints themselves
    ``stuck()``             what having no move means, where there is no outcome: "drawn" without it
    ``noisy_moves()``       for quiescence search: None if the position is quiet; else ("optional", moves) or
                            ("forced", moves), which are searched before the position is evaluated
    ``halfmove_clock()``    plies since the last irreversible move, or None: with ``in_play`` positions may repeat
    ``repeated()``          what it means that this position has occurred before: "drawn" without it
    ``forced()``            for selective search: whether the side to move has no free choice, as in check
    ``null_move()``         for selective search: the position after a null move, or None
    ``tactical_gain(m)``    for selective search: the most a capture or promotion gains at once, or None for a quiet move
    ======================  ============================================================================================

    All of them depend on the position alone. `emtee.check` plays random games and looks for broken promises.

    >>> import emtee
    >>> isinstance(emtee.kalah(), emtee.Game)
    True
    """

    def turn(self) -> int:
        """Whose turn it is, 0 or 1."""

    def moves(self) -> Sequence[M]:
        """The legal moves, anything that can be compared, in an order that depends on the position alone."""

    def play(self, m: M, /) -> Self:
        """The position after a move."""

    def outcome(self) -> Any:
        """How the game ended, for the side to move: None while it goes on, then "won", "lost", "drawn", or points as an int."""


class Observer(Protocol):
    """Sees every node of a search. Any of these methods may be left out.

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
        """A node is about to be visited."""

    def leave(self, position: Any, visit: Visit) -> None:
        """A node has been visited."""

    def passed(self, done: Pass[Any]) -> None:
        """A pass is finished."""

    def iteration(self, done: Iteration[Any]) -> None:
        """An iteration is finished."""
