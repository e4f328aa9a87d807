"""What a call into a built-in search costs, what a node of a game in Python costs beside the bare calls, two threads on two cores, and
built-in Connect Four beside easyAI's.

    python bench/calls.py
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import emtee
from emtee import Player


def least(run: Callable[[], float], times: int = 7) -> float:
    return min(run() for _ in range(times))


def a_call() -> None:
    """The whole of a call less what the search itself says it took."""
    player, position = Player(principal_variation=False), emtee.connect4()

    def once() -> tuple[float, float]:
        count, inside = 3000, 0.0
        began = time.perf_counter()
        for _ in range(count):
            inside += player.think(position, depth=1).time
        return (time.perf_counter() - began) / count, inside / count

    whole, inside = min(once() for _ in range(7))
    print(f"a call of think(depth=1): {whole * 1e6:.1f} µs, of which the search says {inside * 1e6:.1f} µs; the call {(whole - inside) * 1e6:.1f} µs")


class Four:
    """Connect Four as one would write it for speed in Python: two numbers."""

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


METHODS = ("turn", "moves", "outcome", "evaluate", "key", "play")


def logged(log: dict[str, list[Any]]) -> type:
    """The same game, which notes each call."""

    class Logged(Four):
        __slots__ = ()

    def noting(name: str) -> Any:
        plain = getattr(Four, name)

        def method(self: Any, *m: Any) -> Any:
            log[name].append((Four(self.own, self.other, self.side), *m))
            answer = plain(self, *m)
            return Logged(answer.own, answer.other, answer.side) if name == "play" else answer

        return method

    for name in METHODS:
        setattr(Logged, name, noting(name))
    return Logged


def a_node() -> None:
    """The calls that a search made, made again by the bare interpreter: how much of the search are they?"""
    depth = 9
    log: dict[str, list[Any]] = {name: [] for name in METHODS}
    found = Player(principal_variation=False).think(logged(log)(), depth=depth)

    def bare() -> float:
        began = time.perf_counter()
        for (at,) in log["turn"]:
            at.turn()
        for (at,) in log["moves"]:
            at.moves()
        for (at,) in log["outcome"]:
            at.outcome()
        for (at,) in log["evaluate"]:
            at.evaluate()
        for (at,) in log["key"]:
            at.key()
        for at, m in log["play"]:
            at.play(m)
        return time.perf_counter() - began

    def search() -> float:
        player, start = Player(principal_variation=False), Four()
        began = time.perf_counter()
        player.think(start, depth=depth)
        return time.perf_counter() - began

    pairs = [(bare(), search()) for _ in range(15)]
    calls, whole = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    nodes, count = found.counts.nodes, sum(len(made) for made in log.values())
    print(
        f"a game in Python: {nodes} nodes, {count} calls; bare calls {calls / nodes * 1e6:.2f} µs a node, the search "
        f"{whole / nodes * 1e6:.2f} µs a node: the calls are {100 * calls / whole:.0f} % of it"
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

    # The best pair of many: a machine that does other things has no second core to give most of the time.
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
    a_call()
    a_node()
    two_threads()
    connect_four()
