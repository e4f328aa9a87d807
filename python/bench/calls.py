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


class Coins:
    """A row of coins; take one from either end. Every call is counted, and can be made again."""

    __slots__ = ("row", "lead", "side")

    def __init__(self, row: tuple[int, ...], lead: int = 0, side: int = 0) -> None:
        self.row, self.lead, self.side = row, lead, side

    def turn(self) -> int:
        return self.side

    def moves(self) -> list[int]:
        return [0, -1] if len(self.row) > 1 else [0]

    def play(self, m: int) -> Coins:
        return Coins(self.row[1:] if m == 0 else self.row[:-1], -(self.lead + self.row[m]), 1 - self.side)

    def outcome(self) -> int | None:
        return None if self.row else self.lead

    def evaluate(self) -> int:
        return self.lead


class Logged(Coins):
    """The same, and notes each call."""

    __slots__ = ()
    log: list[tuple[str, Any, Any]] = []

    def turn(self) -> int:
        Logged.log.append(("turn", self, None))
        return super().turn()

    def moves(self) -> list[int]:
        Logged.log.append(("moves", self, None))
        return super().moves()

    def play(self, m: int) -> Coins:
        Logged.log.append(("play", self, m))
        after = super().play(m)
        return Logged(after.row, after.lead, after.side)

    def outcome(self) -> int | None:
        Logged.log.append(("outcome", self, None))
        return super().outcome()

    def evaluate(self) -> int:
        Logged.log.append(("evaluate", self, None))
        return super().evaluate()


def a_node() -> None:
    """The same calls that a search made, made by the bare interpreter."""
    row = tuple((7 * n * n) % 31 for n in range(40))
    depth = 11
    Logged.log = []
    found = Player(principal_variation=False).think(Logged(row), depth=depth)
    calls = [(name, Coins(at.row, at.lead, at.side), m) for name, at, m in Logged.log]
    Logged.log = []
    by_name = {name: [(at, m) for called, at, m in calls if called == name] for name in ("turn", "moves", "outcome", "evaluate", "play")}

    def bare() -> float:
        began = time.perf_counter()
        for at, _ in by_name["turn"]:
            at.turn()
        for at, _ in by_name["moves"]:
            at.moves()
        for at, _ in by_name["outcome"]:
            at.outcome()
        for at, _ in by_name["evaluate"]:
            at.evaluate()
        for at, m in by_name["play"]:
            at.play(m)
        return time.perf_counter() - began

    def search() -> float:
        player, start = Player(principal_variation=False), Coins(row)
        began = time.perf_counter()
        player.think(start, depth=depth)
        return time.perf_counter() - began

    pairs = [(bare(), search()) for _ in range(15)]
    calls_only, whole = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    nodes = found.counts.nodes
    print(
        f"a game in Python: {nodes} nodes, {len(calls)} calls; bare calls {calls_only / nodes * 1e6:.2f} µs a node, "
        f"the search {whole / nodes * 1e6:.2f} µs a node: {100 * calls_only / whole:.0f} % of what the bare calls cost"
    )


def two_threads() -> None:
    def search() -> None:
        Player().think(emtee.othello(), depth=9)

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

    pairs = [(alone(), together()) for _ in range(7)]
    one, two = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
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
