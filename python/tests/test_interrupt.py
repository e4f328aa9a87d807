"""Ctrl-C stops a search, which keeps its result so far."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

import emtee
from emtee import Player
from games import Nim


class Slow(Nim):
    """A game that never ends."""

    def moves(self) -> list[int]:
        return list(range(1, 8))

    def play(self, n: int) -> Slow:
        return Slow(self.matches + n, 1 - self.side)

    def outcome(self) -> None:
        return None

    def evaluate(self) -> int:
        return sum(i * i for i in range(self.matches % 20))


@contextmanager
def ctrl_c(after: float) -> Iterator[None]:
    """Sends SIGINT after some seconds."""
    timer = threading.Timer(after, signal.raise_signal, [signal.SIGINT])
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, previous)


@pytest.mark.parametrize("start", [emtee.chess, lambda: Slow(0)], ids=["built-in", "python"])
def test_the_result_so_far_is_kept(start: Callable[[], emtee.Game[str]]) -> None:
    player = Player()
    began = time.perf_counter()
    with ctrl_c(0.3), pytest.raises(KeyboardInterrupt):
        player.think(start(), seconds=60)
    assert time.perf_counter() - began < 20
    assert player.found is not None and not player.found.complete and player.found.depth > 0
    assert player.found.best_move is not None
    # The same player still finds correct values.
    assert player.think(start(), depth=2).value == Player().think(start(), depth=2).value


@pytest.mark.parametrize("start", [emtee.chess, lambda: Slow(0)], ids=["built-in", "python"])
def test_the_result_so_far_is_returned_on_request(start: Callable[[], emtee.Game[str]]) -> None:
    with ctrl_c(0.3):
        found = Player(interrupt="return").think(start(), seconds=60)
    assert not found.complete and found.depth > 0 and found.best_move is not None
    assert found.value == Player().think(start(), depth=found.depth).value


def test_threads_stop_too() -> None:
    with ctrl_c(0.3):
        found = Player(interrupt="return", threads=2).think(emtee.chess(), seconds=60)
    assert not found.complete and found.depth > 0


@pytest.mark.parametrize("start", [emtee.chess, lambda: Slow(0)], ids=["built-in", "python"])
def test_single_passes_stop_too(start: Callable[[], emtee.Game[str]]) -> None:
    passes: list[Callable[[Player], object]] = [
        lambda player: player.mt(start(), 40, 0.5),
        lambda player: player.one_pass(start(), 40, 0.5),
        lambda player: player.window(start(), 40, -5, 5),
    ]
    for one in passes:
        for interrupt in ("raise", "return"):
            player = Player(interrupt=interrupt)  # type: ignore[arg-type]
            with ctrl_c(0.2), pytest.raises(KeyboardInterrupt):
                one(player)
            # The same player still finds correct values.
            assert player.mt(start(), 2, 0.5) == Player().mt(start(), 2, 0.5)


def test_exceptions_of_other_signals_are_raised() -> None:
    class Alarmed(Exception):
        pass

    def handler(*_: object) -> None:
        raise Alarmed

    previous = signal.signal(signal.SIGALRM, handler)
    try:
        for position in (emtee.chess(), Slow(0)):
            player = Player(interrupt="return")
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(Alarmed):
                player.think(position, seconds=60)  # type: ignore[call-overload]
            assert player.think(position, depth=2).depth == 2  # type: ignore[call-overload]
    finally:
        signal.signal(signal.SIGALRM, previous)


def test_a_game_may_raise_keyboard_interrupt_itself() -> None:
    class Stubborn(Nim):
        def evaluate(self) -> int:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Player().think(Stubborn(10), depth=4)


def test_solving_and_experiments_stop(tmp_path: object) -> None:
    with ctrl_c(0.2), pytest.raises(KeyboardInterrupt):
        emtee.othello().solve()
    text = 'title = "long"\nfigures = [11]\n[[game]]\nname = "othello"\ndepth = 30\n'
    with ctrl_c(0.5), pytest.raises(KeyboardInterrupt):
        emtee.experiment(text, f"{tmp_path}/out")
