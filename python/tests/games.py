"""Games in Python for the tests, and minimax by its definition."""

from __future__ import annotations

from typing import Any

from emtee import Value


class Nim:
    """Take one, two or three matches; who takes the last one wins."""

    def __init__(self, matches: int, side: int = 0) -> None:
        self.matches, self.side = matches, side

    def turn(self) -> int:
        return self.side

    def moves(self) -> list[int]:
        return [n for n in (1, 2, 3) if n <= self.matches]

    def play(self, n: int) -> Nim:
        return type(self)(self.matches - n, 1 - self.side)

    def outcome(self) -> str | None:
        return "lost" if self.matches == 0 else None


class KeyedNim(Nim):
    def key(self) -> int:
        return self.matches


class Wild:
    """A pseudo-random game, determined by a seed: extra moves, wins, points, transpositions, positions without moves."""

    keyed = True

    def __init__(self, seed: int, state: int = 0, plies: int = 0, side: int = 0) -> None:
        self.seed, self.state, self.plies, self.side = seed, state, plies, side

    def _roll(self, what: int, sides: int) -> int:
        bits = self.seed * 1_000_003 + self.state * 7919 + self.plies * 104_729 + self.side * 31 + what
        for _ in range(2):
            bits = (bits ^ bits >> 29) * 0xD1342543DE82EF95 & 0xFFFFFFFFFFFFFFFF
        return (bits >> 32) % sides

    def turn(self) -> int:
        return self.side

    def moves(self) -> list[str]:
        return ["abcd"[n] for n in range(self._roll(1, 4))] if self._roll(5, 6) else []

    def play(self, m: str) -> Wild:
        again = self._roll(2 + ord(m), 5) == 0
        state = (self.state * 2 + ord(m)) % 5  # Few states, so that there are transpositions.
        return type(self)(self.seed, state, self.plies + 1, self.side if again else 1 - self.side)

    def outcome(self) -> Any:
        roll = self._roll(3, 12)
        if self.plies == 0 or roll > 3:
            return None
        return ["won", "lost", "drawn", self._roll(4, 21) - 10][roll]

    def evaluate(self) -> int:
        return self._roll(6, 11) - 5

    def key(self) -> Any:
        return (self.state, self.plies)


class Unkeyed(Wild):
    """`Wild` without a key."""

    key = property()  # type: ignore[assignment]  # hasattr() returns False.


def age(value: int) -> int:
    """The value one ply further from the end."""
    if 31_001 < abs(value) <= 32_000:
        return value - (1 if value > 0 else -1)
    return value


def minimax(position: Any, depth: int) -> int:
    """Minimax by its definition."""
    outcome = position.outcome()
    moves = [] if outcome is not None else position.moves()
    if outcome is None and depth > 0 and not moves:
        outcome = "drawn"
    if outcome is not None:
        return {"won": 32_000, "lost": -32_000, "drawn": 0}.get(outcome, outcome) if isinstance(outcome, str) else outcome
    if depth == 0:
        return position.evaluate() if hasattr(position, "evaluate") else 0
    best = -40_000
    for m in moves:
        child = position.play(m)
        value = age(minimax(child, depth - 1))
        best = max(best, value if child.turn() == position.turn() else -value)
    return best


def shown(value: int) -> str:
    return str(Value(value))
