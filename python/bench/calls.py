"""Measures the cost of a call into a built-in search, the cost of a node of a game in Python compared with its bare method calls, two
threads on two cores, and built-in Connect Four compared with easyAI's.

    python bench/calls.py [nodes]
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import emtee
from emtee import Player


def least(run: Callable[[], float], times: int = 7) -> float:
    return min(run() for _ in range(times))


def call_overhead() -> None:
    """The time of a call minus the time of the search that it reports."""
    player, position = Player(principal_variation=False), emtee.connect4()

    def once() -> tuple[float, float]:
        count, inside = 3000, 0.0
        began = time.perf_counter()
        for _ in range(count):
            inside += player.think(position, depth=1).time
        return (time.perf_counter() - began) / count, inside / count

    whole, inside = min(once() for _ in range(7))
    print(f"a call of think(depth=1): {whole * 1e6:.1f} µs, of which the search reports {inside * 1e6:.1f} µs; the call {(whole - inside) * 1e6:.1f} µs")


class Four:
    """Connect Four optimized for speed in Python: a position is two numbers. The fastest of the games here."""

    __slots__ = ("own", "other", "side")

    def __init__(self, own: int = 0, other: int = 0, side: int = 0) -> None:
        self.own, self.other, self.side = own, other, side

    def turn(self) -> int:
        return self.side

    def moves(self) -> list[int]:
        taken = self.own | self.other
        return [column for column in (3, 2, 4, 1, 5, 0, 6) if not taken >> (7 * column + 5) & 1]

    def play(self, column: int) -> Four:
        taken = self.own | self.other
        stone = (taken + (1 << 7 * column)) & (0b111111 << 7 * column) & ~taken
        return Four(self.other, self.own | stone, 1 - self.side)

    def outcome(self) -> str | None:
        stones = self.other
        for step in (1, 6, 7, 8):
            pairs = stones & stones >> step
            if pairs & pairs >> 2 * step:
                return "lost"
        return "drawn" if (self.own | self.other) == 0b0111111_0111111_0111111_0111111_0111111_0111111_0111111 else None

    def evaluate(self) -> int:
        middle = 0b111111 << 21
        return (self.own & middle).bit_count() - (self.other & middle).bit_count()

    def key(self) -> tuple[int, int]:
        return (self.own, self.other)


class Squares:
    """Four in a row on 4 by 4 squares, not optimized: a tuple of squares."""

    ROWS = (
        *(tuple(range(4 * row, 4 * row + 4)) for row in range(4)),
        *(tuple(range(column, 16, 4)) for column in range(4)),
        (0, 5, 10, 15),
        (3, 6, 9, 12),
    )

    def __init__(self, squares: tuple[int, ...] = (0,) * 16, side: int = 0) -> None:
        self.squares, self.side = squares, side

    def turn(self) -> int:
        return self.side

    def moves(self) -> list[int]:
        return [square for square, taken in enumerate(self.squares) if not taken]

    def play(self, square: int) -> Squares:
        squares = list(self.squares)
        squares[square] = 1 + self.side
        return Squares(tuple(squares), 1 - self.side)

    def outcome(self) -> str | None:
        theirs = 2 - self.side
        for a, b, c, d in self.ROWS:
            if self.squares[a] == self.squares[b] == self.squares[c] == self.squares[d] == theirs:
                return "lost"
        return None if 0 in self.squares else "drawn"

    def evaluate(self) -> int:
        mine, theirs, score = 1 + self.side, 2 - self.side, 0
        for row in self.ROWS:
            squares = [self.squares[square] for square in row]
            if theirs not in squares:
                score += squares.count(mine)
            elif mine not in squares:
                score -= squares.count(theirs)
        return score

    def key(self) -> tuple[int, ...]:
        return self.squares


class Sowing:
    """A small game of sowing, with lists and dicts, in which the same side may move again."""

    def __init__(self, pits: list[int] | None = None, won: dict[int, int] | None = None, side: int = 0) -> None:
        self.pits, self.won, self.side = pits or [3] * 8, won or {0: 0, 1: 0}, side

    def turn(self) -> int:
        return self.side

    def moves(self) -> list[int]:
        return [pit for pit in range(4 * self.side, 4 * self.side + 4) if self.pits[pit]]

    def play(self, pit: int) -> Sowing:
        pits, won = list(self.pits), dict(self.won)
        seeds, pits[pit] = pits[pit], 0
        for _ in range(seeds):
            pit = (pit + 1) % 8
            pits[pit] += 1
        if pits[pit] in (2, 4):
            won[self.side] += pits[pit]
            pits[pit] = 0
        return Sowing(pits, won, self.side if seeds == 4 else 1 - self.side)

    def outcome(self) -> int | None:
        if sum(self.pits[4 * self.side : 4 * self.side + 4]):
            return None
        return self.won[self.side] - self.won[1 - self.side] - sum(self.pits)

    def evaluate(self) -> int:
        return self.won[self.side] - self.won[1 - self.side]

    def key(self) -> tuple[int, ...]:
        return (*self.pits, self.won[0])


METHODS = ("turn", "moves", "outcome", "evaluate", "key", "play")


def logged(game: type, log: list[Any]) -> type:
    """A subclass of the game that logs each call."""

    def noting(name: str) -> Any:
        plain = getattr(game, name)

        def method(self: Any, *m: Any) -> Any:
            log.append((self, name, m[0] if m else None))
            answer = plain(self, *m)
            if name == "play":
                answer.__class__ = noted
            return answer

        return method

    noted = type("Noted", (game,), {"__slots__": (), **{name: noting(name) for name in METHODS}})
    return noted


def a_node(game: type, depth: int) -> None:
    """The time of a node, and the share of it that is spent in the method calls: the same calls repeated without a search."""
    log: list[Any] = []
    found = Player(principal_variation=False).think(logged(game, log)(), depth=depth)
    for one, _, _ in log:
        one.__class__ = game
    made = {name: [(one, m) for one, called, m in log if called == name] for name in METHODS}
    in_order = [(getattr(game, name), one, m) for one, name, m in log]

    def replayed() -> float:
        """In the order in which the search made them."""
        began = time.process_time()
        for method, one, m in in_order:
            if m is None:
                method(one)
            else:
                method(one, m)
        return time.process_time() - began

    def by_kind() -> float:
        """The calls sorted by method, each method called in a loop in C: the interpreter at its fastest."""
        took = 0.0
        for name in METHODS:
            arguments = [[one for one, _ in made[name]]] + ([[m for _, m in made[name]]] if name == "play" else [])
            began = time.process_time()
            deque(map(getattr(game, name), *arguments), maxlen=0)
            took += time.process_time() - began
        return took

    def search() -> float:
        player, start = Player(principal_variation=False), game()
        began = time.process_time()
        player.think(start, depth=depth)
        return time.process_time() - began

    rounds = [(replayed(), search(), by_kind(), search()) for _ in range(15)]
    order, one, kind, two = (min(times) for times in zip(*rounds))
    whole, nodes = min(one, two), found.counts.nodes
    print(
        f"{game.__name__} to depth {depth}: {nodes} nodes, {len(log)} calls; the search {whole / nodes * 1e6:.2f} µs per node; its calls in their "
        f"order {order / nodes * 1e6:.2f} µs, {100 * order / whole:.0f} % of it; sorted by method {kind / nodes * 1e6:.2f} µs, {100 * kind / whole:.0f} %",
        flush=True,
    )


def two_threads() -> None:
    def search() -> None:
        Player().think(emtee.othello(), depth=11)

    def alone() -> float:
        began = time.perf_counter()
        search()
        search()
        return time.perf_counter() - began

    def together() -> float:
        threads = [threading.Thread(target=search) for _ in range(2)]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return time.perf_counter() - began

    # The best pair of many: on a busy machine, the second core is rarely free.
    one, two = max(((alone(), together()) for _ in range(15)), key=lambda pair: pair[0] / pair[1])
    print(f"two searches one after the other {one:.3f} s, on two Python threads {two:.3f} s: {one / two:.2f} times as fast")


def connect_four() -> None:
    try:
        from easyAI import Negamax
        from easyAI.games.ConnectFour import ConnectFour
    except ImportError:
        print("easyAI is not installed: no comparison with its Connect Four")
        return
    depth = 6

    def theirs() -> float:
        game = ConnectFour([None, None])
        began = time.perf_counter()
        Negamax(depth)(game)
        return time.perf_counter() - began

    def ours() -> float:
        player, position = Player(evaluate=None), emtee.connect4()
        began = time.perf_counter()
        player.think(position, depth=depth)
        return time.perf_counter() - began

    slow, fast = theirs(), least(ours)
    print(f"Connect Four to depth {depth}: easyAI {slow:.2f} s, emtee's own game {fast * 1000:.2f} ms: {slow / fast:.0f} times as fast")


if __name__ == "__main__":
    if sys.argv[1:] != ["nodes"]:
        call_overhead()
        two_threads()
        connect_four()
    for game, depth in ((Four, 9), (Squares, 5), (Sowing, 12)):
        a_node(game, depth)
