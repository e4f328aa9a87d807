"""Value types of search results."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Bounds", "Cuts", "Generation", "ParallelStats", "Value", "Visit", "Window"]

_WON = 32_000
_FURTHEST = 999
_INFINITY = 32_767


class Value(int):
    """The minimax value of a position for the side to move: an integer that prints as ``win in 5`` if it is a win.

    Scores lie within ±31000. Proven wins and losses lie outside, and encode their distance in plies.

    >>> Value(17), Value(31995), Value(-31996)
    (17, win in 5, loss in 4)
    >>> Value.win_in(3) > Value.win_in(5) > Value(31000)
    True
    >>> -Value.win_in(3)
    loss in 3
    >>> Value.win_in(3).wins_in, Value(12).wins_in
    (3, None)
    """

    __slots__ = ()

    @classmethod
    def win_in(cls, plies: int) -> Value:
        """The value of a win in this number of plies."""
        return cls(_WON - min(plies, _FURTHEST))

    @classmethod
    def loss_in(cls, plies: int) -> Value:
        """The value of a loss in this number of plies."""
        return cls(-cls.win_in(plies))

    @property
    def wins_in(self) -> int | None:
        """The plies to a proven win, or None."""
        return _WON - int(self) if _WON - _FURTHEST <= self <= _WON else None

    @property
    def loses_in(self) -> int | None:
        """The plies to a proven loss, or None."""
        return _WON + int(self) if -_WON <= self <= _FURTHEST - _WON else None

    @property
    def is_proven(self) -> bool:
        """Whether this is a proven win or loss."""
        return self.wins_in is not None or self.loses_in is not None

    def __neg__(self) -> Value:
        return Value(-int(self))

    def __str__(self) -> str:
        if (plies := self.wins_in) is not None:
            return f"win in {plies}"
        if (plies := self.loses_in) is not None:
            return f"loss in {plies}"
        if abs(self) > _WON:
            return "+∞" if self > 0 else "-∞"
        return int.__repr__(self)

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return format(str(self), spec) if not spec or spec[-1] in "s<>^" or spec.isdigit() else format(int(self), spec)


class Bounds(NamedTuple):
    """Bounds on a value: f⁻ ≤ f ≤ f⁺.

    >>> f = Bounds(Value(3), Value(9))
    >>> str(f), f.exact, 4 in f
    ('[3, 9]', None, True)
    >>> Bounds(Value(3), Value(3)).exact
    3
    """

    lower: Value
    upper: Value

    @property
    def exact(self) -> Value | None:
        """The value, if the two bounds have met."""
        return self.lower if self.lower == self.upper else None

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.lower <= value <= self.upper

    def __str__(self) -> str:
        return str(self.lower) if self.lower == self.upper else f"[{self.lower}, {self.upper}]"


class Window(NamedTuple):
    """The open interval that a pass searches. A pass of MT searches a null window, around γ between two integers.

    >>> Window(Value(40), Value(41)).gamma
    40.5
    >>> Window(Value(40), Value(50)).gamma
    """

    alpha: Value
    beta: Value

    @property
    def is_null(self) -> bool:
        """Whether this is a null window."""
        return int(self.beta) - int(self.alpha) == 1

    @property
    def gamma(self) -> float | None:
        """The γ of a null window; None for a wide window."""
        return int(self.beta) - 0.5 if self.is_null else None


class Visit(NamedTuple):
    """A visit to a node."""

    #: Plies left to the horizon.
    depth: int
    #: The window searched.
    window: Window
    #: The value returned.
    g: Value
    #: The bounds on the value of the node after the visit.
    f: Bounds
    #: "expanded", "evaluated" or "answered" by the table.
    end: str


class Cuts(NamedTuple):
    """The quality of the move ordering at one height, the distance to the horizon."""

    #: Cut nodes at this height.
    cut_nodes: int
    #: Cut nodes at which the first move tried was the cutoff.
    first_move_cuts: int
    #: The moves tried at cut nodes.
    moves_tried: int


class ParallelStats(NamedTuple):
    """Statistics of a search on several threads."""

    #: The number of threads.
    threads: int
    #: The idle time, summed over all threads, in seconds.
    idle: float


class Generation(NamedTuple):
    """A generation of `emtee.learn`: games of self-play, a fit to their positions, and a match against the version before."""

    #: Its number, from 0. In generation 0 games are random.
    number: int
    #: The games of self-play so far.
    games: int
    #: The positions that the evaluation was fitted to.
    positions: int
    #: The error on games that were held out: the logarithmic loss, or the squared error of points.
    error: float
    #: The Elo gain over the version before: the least, the estimate and the greatest, of a 95 % interval. None: there was none.
    elo: tuple[float, float, float] | None
    #: Whether the new version was accepted.
    accepted: bool
    #: The gains of the accepted versions, added up.
    total_elo: float
    #: The share of the work that is done.
    done: float
