"""Games written in Python."""

from __future__ import annotations

import gc
import random
import resource
import subprocess
import sys
from typing import Any

import pytest

import emtee
from emtee import Player
from games import KeyedNim, Nim, Unkeyed, Wild, minimax

ALGORITHMS = ["mtd-f", "sss", "dual", "mtd-bi", "mtd-step", "negascout", "aspiration-negascout", "alpha-beta", "scout", "minimax"]


def test_a_game_with_the_required_methods() -> None:
    for game in (Nim, KeyedNim):
        found = Player().think(game(10), depth=10)
        assert (found.best_move, str(found.value), found.pv[:1]) == (2, "win in 5", [2])
    assert Player().think(Nim(8)).value.loses_in == 4
    assert Player().rank(KeyedNim(10), 3, depth=10)[0].m == 2
    assert Player().choose(KeyedNim(10), level=10).m == 2
    assert Player().worth(KeyedNim(10), 1, depth=10) < 0
    assert Player().think(Nim(10), depth=10, among=[1, 3]).best_move in (1, 3)
    player = Player()
    player.start(KeyedNim(30), depth=20)
    while (poll := player.poll(nodes=50)).state == "thinking":
        pass
    assert poll.found is not None and poll.found.best_move == 2
    assert Player().mt(KeyedNim(10), 10, 0.5) > 0


def test_ten_thousand_searches_agree_with_minimax() -> None:
    """Games with keys and without, all algorithms, every kind of deepening; no finished positions."""
    dice = random.Random(1)
    with_keys = Player()
    done = seed = 0
    while done < 10_000:
        seed += 1
        position = (Wild if seed % 2 else Unkeyed)(seed)
        if position.outcome() is not None or not position.moves():
            continue
        done += 1
        depth = dice.randint(1, 4)
        expected = minimax(position, depth)
        if seed % 4:
            deepening = dice.choice([{}, {"deepen_by": 1}, {"deepen_by": 3}, {"fixed_depth": True}])
            player = Player(algorithm=dice.choice(ALGORITHMS), **deepening)
        else:
            player = with_keys
            player.clear()  # Games of different seeds share keys.
        found = player.think(position, depth=depth)
        assert found.value == expected, (seed, depth, player)
        line, at = found.pv, position
        assert line[0] == found.best_move in position.moves()
        for m in line:
            at = at.play(m)


def test_counts_repeat_in_another_process() -> None:
    script = "import sys; sys.path.insert(0, 'tests'); import emtee; from games import *\n"
    script += "for g in (Wild, Unkeyed):\n print([emtee.Player().think(g(seed), depth=4).counts.nodes for seed in range(40) if g(seed).moves()])"
    runs = set()
    for seed in ("0", "1", "77"):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed, **_environment()})
        runs.add(done.stdout)
    assert len(runs) == 1


def _environment() -> dict[str, str]:
    import os

    return {name: value for name, value in os.environ.items() if name != "PYTHONHASHSEED"}


def test_the_table_is_used_only_with_keys() -> None:
    without, with_keys = (Player().think(game(25), depth=14) for game in (Nim, KeyedNim))
    assert without.value == with_keys.value and with_keys.counts.nodes < without.counts.nodes / 10
    # With keys the table is kept from one search to the next.
    player = Player()
    first = player.think(KeyedNim(25), depth=14)
    assert player.think(KeyedNim(25), depth=14).counts.nodes < first.counts.nodes
    player = Player()
    first = player.think(Nim(15), depth=10)
    assert player.think(Nim(15), depth=10).counts == first.counts


@pytest.mark.parametrize(
    "key", [7, -1, 1 << 200, "text", b"bytes", (1, ("a", None), [2.5, True]), frozenset({"x", "y", 3})], ids=str
)
def test_keys_may_be_any_plain_value(key: Any) -> None:
    class Game(Nim):
        def key(self) -> Any:
            return (key, self.matches)

    assert Player().think(Game(10), depth=10).best_move == 2


def test_keys_of_different_values_differ() -> None:
    # Each child has one of these keys. If two keys were equal, their positions would share an entry, and the value would be wrong.
    values: list[Any] = [1, "1", (1,), [1, 1], (None,), 1.5, b"1", frozenset({1}), -1, 1 << 70, (), "", ((),), 0]

    class Two:
        def __init__(self, place: int | None = None) -> None:
            self.place = place

        def turn(self) -> int:
            return 0 if self.place is None else 1

        def moves(self) -> list[int]:
            return list(range(len(values)))

        def play(self, m: int) -> Two:
            return Two(m)

        def outcome(self) -> int | None:
            return None if self.place is None else -self.place

        def key(self) -> Any:
            return "root" if self.place is None else values[self.place]

    assert Player().think(Two(), depth=1).value == len(values) - 1


def test_other_types_of_keys_are_refused() -> None:
    class Game(Nim):
        def key(self) -> Any:
            return object()

    with pytest.raises(TypeError, match="key\\(\\) returned a object; return an int, a str, bytes"):
        Player().think(Game(5), depth=3)


def test_wrong_results_of_methods_are_errors() -> None:
    def game(**methods: Any) -> Any:
        return type("Game", (Nim,), {name: (lambda value: lambda self, *m: value)(value) for name, value in methods.items()})(5)

    for methods, error, message in [
        ({"turn": 2}, ValueError, "turn() returned 2; return 0 or 1"),
        ({"outcome": "won!"}, ValueError, "outcome() returned 'won!'; return None while the game goes on"),
        ({"outcome": 0.5}, TypeError, "outcome() returned 0.5; return None"),
        ({"evaluate": None}, TypeError, "evaluate() returned None; return an int"),
        ({"evaluate": 40_000}, emtee.Error, "an evaluation of 40000 is outside ±31000"),
        ({"evaluate": 1 << 80}, TypeError, "evaluate() returned"),
        ({"moves": None}, TypeError, "'NoneType' object is not iterable"),
        ({"hint": "high"}, TypeError, "hint(move) returns an int from -32768 to 32767"),
        ({"code": 65_535}, TypeError, "a code is an int from 0 to 65534"),
        ({"noisy_moves": ["x"]}, TypeError, "noisy_moves() returns None if the position is quiet"),
    ]:
        with pytest.raises(error) as raised:
            Player().think(game(**methods), depth=3)
        assert str(raised.value).startswith(message), raised.value


def test_old_method_names_give_a_warning() -> None:
    class Old(Nim):
        def passed(self) -> Any:
            return None

    with pytest.warns(FutureWarning, match=r"passed\(\) is now called null_move\(\)"):
        Player().think(Old(5), depth=3)


def test_without_keys_there_is_no_table() -> None:
    for options in ({}, {"algorithm": "mtd-f"}, {"algorithm": "sss"}, {"algorithm": "alpha-beta"}, {"deepen_by": 1}):
        player = Player(**options)
        found = player.think(Nim(14), depth=8)
        assert player.table_entries == 0 and found.counts.table_answers == 0
        again = player.think(Nim(14), depth=8)
        assert again.counts == found.counts, "the second search starts from nothing"
        assert found.value == Player().think(KeyedNim(14), depth=8).value
    for table in ({"hash": "1MB"}, {"entries": 64}, {"keep": "one"}, {"reuse": "equal-depth"}, {"store_leaves": True}, {"etc": 2}):
        with pytest.raises(emtee.Error, match="a game without key\\(\\) is searched without a table"):
            Player(**table).think(Nim(5), depth=3)
    # One player searches a game with keys, then one without.
    player = Player()
    assert player.think(Wild(3), depth=3).value == minimax(Wild(3), 3)
    assert player.think(Unkeyed(3), depth=3).value == minimax(Unkeyed(3), 3) and player.table_entries == 0


def test_the_deepening_depends_on_the_methods_of_the_game() -> None:
    class Worth(KeyedNim):
        def evaluate(self) -> int:
            return self.matches % 5

    def depths(game: Any, **options: Any) -> list[int]:
        return [one.depth for one in Player(**options).think(game, depth=6).iterations]

    assert depths(KeyedNim(20)) == depths(Worth(20)) == [2, 4, 6] and depths(Nim(20)) == [6]
    # If positions are not cached, each iteration calls all methods again.
    assert depths(KeyedNim(20), keep_positions=0) == [3, 6] and depths(Worth(20), keep_positions=0) == [2, 4, 6]
    assert depths(Worth(20), keep_positions=0, evaluate=lambda position: 3) == [3, 6]
    assert depths(KeyedNim(20), deepen_by=1) == [1, 2, 3, 4, 5, 6] and depths(Worth(20), fixed_depth=True) == [6]
    # Each search of a player chooses its own deepening.
    player = Player(keep_positions=0)
    assert len(player.think(KeyedNim(20), depth=6).iterations) == 2
    assert len(player.think(KeyedNim(9), seconds=1).iterations) > 1
    assert player.choose(KeyedNim(10), level=10).m == 2
    assert len(player.think(KeyedNim(20), depth=6).iterations) == 2


def test_threads_are_refused() -> None:
    with pytest.raises(emtee.Error, match="a game in Python is searched on one thread"):
        Player(threads=2).think(Nim(5), depth=3)
    with pytest.raises(emtee.Error, match="in_play needs keys to detect repetitions"):
        Player(in_play=True).think(Nim(5), depth=3)


def test_hints_codes_and_noisy_positions() -> None:
    class Hinted(KeyedNim):
        def hint(self, m: int) -> int:
            return 100 if self.matches % 4 == m else -m

    assert Player(principal_variation=False).think(Hinted(30), depth=12).counts.first_move_cuts > 0
    assert Player().think(Hinted(30), depth=12).counts.nodes < Player().think(KeyedNim(30), depth=12).counts.nodes

    class Coded(KeyedNim):
        def code(self, m: int) -> int:
            return m

    class Plain(KeyedNim):
        moves_are_codes = True

    assert Player().think(Coded(30), depth=12).counts == Player().think(Plain(30), depth=12).counts

    class Noisy(KeyedNim):
        """With one match left, the position is noisy: quiescence search plays the last move."""

        def evaluate(self) -> int:
            assert self.matches != 1
            return self.matches

        def noisy_moves(self) -> Any:
            return ("forced", self.moves()) if self.matches == 1 else None

    assert Player().think(Noisy(3), depth=1).value == 31_999 and Player().think(Noisy(4), depth=1).value.wins_in is None

    class Endless(KeyedNim):
        def play(self, n: int) -> Any:
            return Endless(self.matches, 1 - self.side)

        def noisy_moves(self) -> Any:
            return ("forced", self.moves())

    with pytest.raises(emtee.Error, match="a line of noisy moves is longer than 256 plies"):
        Player().think(Endless(5), depth=3)

    class Stuck(Nim):
        def outcome(self) -> None:
            return None

        def stuck(self) -> str:
            return "lost"

    assert Player().think(Stuck(10), depth=10).best_move == 2


def test_repetitions_in_play() -> None:
    class Round:
        """A cycle of four positions, which a side can leave only by losing."""

        def __init__(self, at: int = 0, side: int = 0) -> None:
            self.at, self.side = at, side

        def turn(self) -> int:
            return self.side

        def moves(self) -> list[str]:
            return ["sit", "walk"]

        def play(self, m: str) -> Round:
            return Round(9 if m == "sit" else (self.at + 1) % 4, 1 - self.side)

        def outcome(self) -> str | None:
            return "won" if self.at == 9 else None

        def evaluate(self) -> int:
            return 50 if self.side == 0 else -50

        def key(self) -> int:
            return self.at

        def halfmove_clock(self) -> int:
            return 100

    assert Player().think(Round(), depth=8).value == 50
    assert Player(in_play=True).think(Round(), depth=8).value == 0
    assert Player(in_play=True).think(Round(1, 1), depth=2, before=[Round()]).value == -50


class Boom(Exception):
    pass


class Fragile(Wild):
    """Raises at one of its calls."""

    left = -1

    def _count(self) -> None:
        Fragile.left -= 1
        if Fragile.left == 0:
            raise Boom(f"at {self.plies}")

    def turn(self) -> int:
        self._count()
        return super().turn()

    def moves(self) -> list[str]:
        self._count()
        return super().moves()

    def play(self, m: str) -> Wild:
        self._count()
        return super().play(m)

    def outcome(self) -> Any:
        self._count()
        return super().outcome()

    def evaluate(self) -> int:
        self._count()
        return super().evaluate()

    def key(self) -> Any:
        self._count()
        return super().key()


def test_exceptions_are_raised_unchanged_and_leave_the_search_intact() -> None:
    dice = random.Random(3)
    raised = 0
    player = Player()
    seed = 0
    while raised < 1_000:
        seed += 1
        position = Fragile(seed)
        Fragile.left = -1
        if position.outcome() is not None or not position.moves():
            continue
        Fragile.left = dice.randint(1, 60)
        try:
            player.think(position, depth=4)
        except Boom as error:
            raised += 1
            assert str(error).startswith("at ")
        # Games of different seeds share keys, so the table is cleared.
        player.clear()
        Fragile.left = dice.randint(1, 60)
        try:
            player.think(position, depth=4)
        except Boom:
            raised += 1
        # The entries stored before the exception are valid: the next search of the same player uses them.
        Fragile.left = -1
        expected = minimax(position, 4)
        assert player.think(position, depth=4).value == expected
        player.clear()


def _searches_that_raise(count: int) -> None:
    player = Player()
    done = 0
    seed = 0
    while done < count:
        seed += 1
        position = Fragile(seed % 500)
        Fragile.left = 5 + seed % 50
        try:
            player.think(position, depth=5)
        except Boom:
            done += 1


def test_searches_that_raise_do_not_leak_memory() -> None:
    _searches_that_raise(300)
    gc.collect()
    before, objects = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, len(gc.get_objects())
    _searches_that_raise(1_000)
    gc.collect()
    Fragile.left = -1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4_000, "kilobytes"
    assert len(gc.get_objects()) - objects < 500


def test_positions_are_freed_after_a_search() -> None:
    import weakref

    class Weak(KeyedNim):
        pass

    root = Weak(12)
    alive: list[Any] = []

    class Spy(KeyedNim):
        def play(self, n: int) -> Any:
            child = super().play(n)
            alive.append(weakref.ref(child))
            return child

    found = Player().think(Spy(12), depth=8)
    assert found.pv
    gc.collect()
    assert sum(ref() is not None for ref in alive) == 0, "a result refers to its root only"
    none, many = (Player(deepen_by=2, keep_positions=count).think(root, depth=8) for count in (0, 65_536))
    assert none.counts == many.counts


def test_no_method_is_called_twice() -> None:
    calls: dict[Any, int] = {}

    class Counted(Nim):
        def moves(self) -> list[int]:
            calls[id(self)] = calls.get(id(self), 0) + 1
            everything.append(self)
            return super().moves()

    everything: list[Any] = []
    Player().think(Counted(12), depth=8)
    assert max(calls.values()) == 1


def test_searches_inside_an_evaluation() -> None:
    player = Player()

    class Nested(Nim):
        def evaluate(self) -> int:
            return int(inner.think(emtee.tictactoe("X-O-X----"), depth=2).value)

    inner = Player()
    assert player.think(Nested(6), depth=2).depth == 2

    class Reentrant(Nim):
        def evaluate(self) -> int:
            return int(player.think(emtee.tictactoe(), depth=1).value)

    with pytest.raises(RuntimeError, match="this player is already in use"):
        player.think(Reentrant(6), depth=2)
    assert player.think(Nim(6), depth=6).best_move == 2


def test_check_runs_the_laws() -> None:
    assert emtee.check(KeyedNim(12)).keys > 10
    assert emtee.check(type("Start", (KeyedNim,), {"__init__": lambda self, n=9, side=0: Nim.__init__(self, n, side)})).games == 20
    for name in ("chess", "othello", "checkers", "connect4", "kalah", "tictactoe"):
        assert emtee.check(emtee.position(name), games=3, depth=2).games == 3

    class SharesKeys(Nim):
        def key(self) -> int:
            return self.matches // 2

    with pytest.raises(emtee.Error, match="different positions have different keys"):
        emtee.check(SharesKeys(12))

    class Changes(Nim):
        def play(self, n: int) -> Any:
            self.matches -= n
            return type(self)(self.matches, 1 - self.side)

    with pytest.raises(ValueError):
        emtee.check(Changes(12))

    class Random(Nim):
        def evaluate(self) -> int:
            return random.randrange(1000)

    with pytest.raises(emtee.Error, match="depend only on the position"):
        emtee.check(Random(12))

    class Raises(Nim):
        def moves(self) -> list[int]:
            raise Boom("mine")

    with pytest.raises(Boom, match="mine"):
        emtee.check(Raises(12))
