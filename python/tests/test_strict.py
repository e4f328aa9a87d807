"""What a game or an argument may not be, and what results can do."""

from __future__ import annotations

import copy
import enum
import gc
import math
import pickle
import weakref
from typing import Any

import pytest

import emtee
from emtee import Player
from games import KeyedNim, Nim


def test_sizes_have_a_unit_in_all_apis() -> None:
    for size in (64, "64", 64.0):
        with pytest.raises(emtee.Error, match="is not a size; write it like 64MB, 2GB or 512KB"):
            Player(hash=size)  # type: ignore[arg-type]
    player = Player(hash="1MB")
    player.think(emtee.kalah(), depth=4)
    assert player.table_entries == 1 << 16


def test_algorithms_have_the_names_of_the_literature() -> None:
    for name, algorithm in [("MTD(f)", "mtd-f"), ("MTDf", "mtd-f"), ("SSS*", "sss"), ("C*", "mtd-bi"), ("mtd(F)", "mtd-f")]:
        assert Player(algorithm=name).algorithm == algorithm


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_numbers_are_finite(bad: float) -> None:
    board = emtee.connect4()
    with pytest.raises(ValueError, match="gamma lies between two integers"):
        Player().mt(board, 3, bad)
    with pytest.raises(ValueError, match="gamma lies between two integers"):
        Player().one_pass(board, 3, bad)
    with pytest.raises(emtee.Error, match="not a valid time limit"):
        Player().think(board, seconds=bad)
    with pytest.raises(emtee.Error, match="not a valid time limit"):
        emtee.check(KeyedNim(5), seconds=bad)

    class Vague(KeyedNim):
        def evaluate(self) -> Any:
            return bad

    with pytest.raises(TypeError, match="return an int"):
        Player().think(Vague(20), depth=3)


def test_a_found_can_be_pickled_and_copied() -> None:
    class Move(enum.Enum):
        ONE = 1

    searches = [
        Player(threads=2).think(emtee.othello(), depth=5),
        Player(algorithm="mtd-best").think(emtee.connect4("44"), depth=6),
        Player(algorithm="negascout").think(emtee.chess(), nodes=3000),
        Player().think(KeyedNim(12), depth=12, lines=3),
        Player().think(Nim(12), depth=6),
        Player().think(KeyedNim(0), depth=3),
    ]
    for found in searches:
        for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
            assert repr(again) == repr(found)
            for name in ("depth", "value", "f", "best_move", "pv", "time", "complete", "passes", "heights", "parallel"):
                assert getattr(again, name) == getattr(found, name), name
            assert again.counts.as_dict() == found.counts.as_dict()
            assert [repr(ranked) for ranked in again.ranked] == [repr(ranked) for ranked in found.ranked]
            assert len(again.iterations) == len(found.iterations)
            for one, other in zip(again.iterations, found.iterations):
                assert repr(one.passes) == repr(other.passes) and one.pv == other.pv and one.exact == other.exact
                assert [p.counts for p in one.passes] == [p.counts for p in other.passes]
            assert (again.unfinished is None) == (found.unfinished is None)
        # A picture needs the passes.
        assert emtee.draw.passes(pickle.loads(pickle.dumps(found))).startswith("<svg")


def test_a_game_that_holds_a_player_is_collected() -> None:
    class Holder(KeyedNim):
        def __init__(self, matches: int, side: int = 0, player: Player | None = None) -> None:
            super().__init__(matches, side)
            self.player = player or Player(evaluate=self.points)
            self.seen: list[Any] = []

        def points(self, position: Any) -> int:
            return int(position.matches)

        def play(self, n: int) -> Holder:
            return Holder(self.matches - n, 1 - self.side, self.player)

    game = Holder(9)
    found = game.player.think(game, depth=5, progress=game.seen.append)
    game.seen += [found, found.iterations[0], found.ranked, game.player.choose(game, level=3)]
    assert found.best_move in game.moves() and game.seen[0].pv
    dead = weakref.ref(game)
    del game, found
    gc.collect()
    assert dead() is None
    # A live one survives, and its results still know their moves.
    game = Holder(9)
    found = game.player.think(game, depth=5)
    gc.collect()
    assert found.pv[0] == found.best_move == game.player.found.best_move


class Coded(KeyedNim):
    def code(self, n: int) -> int:
        return n // 2


def test_equal_codes_are_detected() -> None:
    with pytest.raises(ValueError, match="the moves 2 and 3 have the same code 1"):
        Player().think(Coded(10), depth=4)


def test_keys_are_values() -> None:
    class Keyless(Nim):
        def key(self) -> None:
            return None

    with pytest.raises(TypeError, match=r"key\(\) returned None; return an int"):
        Player().think(Keyless(10), depth=4)

    class Circular(Nim):
        def key(self) -> Any:
            circle: list[Any] = [self.matches]
            circle.append(circle)
            return circle

    class Deep(Nim):
        def key(self) -> Any:
            key: Any = self.matches
            for _ in range(100_000):
                key = (key,)
            return key

    for game in (Circular(10), Deep(10)):
        with pytest.raises(ValueError, match="contains itself, or is nested more than 100 levels deep"):
            Player().think(game, depth=4)

    class Nested(Nim):
        def key(self) -> Any:
            key: Any = (self.matches, None)
            for _ in range(50):
                key = [key]
            return key

    assert Player().think(Nested(10), depth=10).best_move == 2


def test_a_position_has_at_most_65534_moves() -> None:
    class Broad(Nim):
        count = 65_535

        def moves(self) -> list[int]:
            return list(range(self.count)) if self.matches == 10 else [1]

        def play(self, n: int) -> Broad:
            after = Broad(self.matches - 1, 1 - self.side)
            after.last = n
            return after

        def outcome(self) -> str | None:
            return ("lost" if self.last == 65_533 else "drawn") if self.matches < 10 else None

        last = 0

    with pytest.raises(ValueError, match="lists 65535 moves; a position can have 65534"):
        Player().think(Broad(10), depth=1)
    Broad.count = 65_534
    assert Player().think(Broad(10), depth=1).best_move == 65_533


def test_games_without_a_text_have_a_label() -> None:
    class Slotted:
        __slots__ = ("left",)

        def __init__(self, left: int) -> None:
            self.left = left

        def turn(self) -> int:
            return self.left % 2

        def moves(self) -> list[int]:
            return [1]

        def play(self, n: int) -> Slotted:
            return Slotted(self.left - n)

        def outcome(self) -> str | None:
            return "lost" if self.left == 0 else None

    class Named(Slotted):
        __slots__ = ()

        def __str__(self) -> str:
            return f"{self.left} left"

    for game, label in [(KeyedNim(5), "KeyedNim(matches=5, side=0)"), (Slotted(4), "Slotted(left=4)"), (Named(4), "4 left")]:
        rows = emtee.compare(game, 3, ["mtd-f"], frame="rows", repeat=1)
        assert {row["position"] for row in rows} == {label}


def test_check_reports_its_progress_and_respects_a_time_limit(capsys: pytest.CaptureFixture[str]) -> None:
    for game in (KeyedNim(9), emtee.tictactoe()):
        steps: list[tuple[int, int]] = []
        done = emtee.check(game, games=5, progress=lambda done, of: steps.append((done, of)))
        assert done.games == 5 and steps == sorted(steps) and steps[0][0] == 0 and steps[-1][0] == steps[-1][1]
        short = emtee.check(game, games=100_000, seconds=0.0)
        assert short.games == 0

    class Stop(Exception):
        pass

    def stop(done: int, of: int) -> None:
        if done == 2:
            raise Stop

    for game in (KeyedNim(9), emtee.tictactoe()):
        with pytest.raises(Stop):
            emtee.check(game, games=5, progress=stop)
    assert capsys.readouterr().err == ""


class Direction(enum.Enum):
    LEFT = -1
    RIGHT = 1


class Walk:
    """A walk to and fro on a short line: positions repeat."""

    def __init__(self, place: int = 0, side: int = 0, left: int = 30) -> None:
        self.place, self.side, self.left = place, side, left

    def turn(self) -> int:
        return self.side

    def moves(self) -> list[Direction]:
        return list(Direction)

    def play(self, m: Direction) -> Walk:
        return Walk(max(-2, min(2, self.place + m.value)), 1 - self.side, self.left - 1)

    def outcome(self) -> str | None:
        return "drawn" if self.left == 0 else None

    def key(self) -> Any:
        return self.place, self.left // 40


class Scattered(KeyedNim):
    """Many moves in a bad order."""

    def moves(self) -> list[int]:
        return list(range(1, 13)) if self.matches > 12 else list(range(1, self.matches + 1))

    def evaluate(self) -> int:
        return (self.matches * 2_654_435_761 >> 7) % 2001 - 1000


def test_check_names_methods_that_are_missing() -> None:
    class Constant(Walk):
        def key(self) -> Any:
            return self.place, self.left

        def play(self, m: Direction) -> Constant:
            return Constant(max(-2, min(2, self.place + m.value)), 1 - self.side, self.left - 1)

    notes = emtee.check(Constant, games=3).notes
    assert len(notes) == 1 and "the enum Direction, which have no codes" in notes[0] and "code(m)" in notes[0]

    class Repeating(Constant):
        def key(self) -> Any:
            return self.place

        def outcome(self) -> None:
            return None

        def evaluate(self) -> int:
            return self.place if self.side == 0 else -self.place

        def play(self, m: Direction) -> Repeating:
            return Repeating(max(-2, min(2, self.place + m.value)), 1 - self.side)

        def code(self, m: Direction) -> int:
            return m.value + 1

    notes = emtee.check(Repeating, games=3).notes
    assert len(notes) == 1 and "positions repeat, but there is no halfmove_clock()" in notes[0]

    class Clocked(Repeating):
        def play(self, m: Direction) -> Clocked:
            return Clocked(max(-2, min(2, self.place + m.value)), 1 - self.side)

        def halfmove_clock(self) -> int:
            return 1000

    assert emtee.check(Clocked, games=3).notes == []
    notes = emtee.check(Scattered(300), games=3, depth=2).notes
    assert len(notes) == 1 and "there is no hint(m)" in notes[0] and "cutoffs come from the first move" in notes[0]

    class Hinted(Scattered):
        def hint(self, m: int) -> int:
            return m

    assert emtee.check(Hinted(300), games=3, depth=2).notes == []


def test_a_long_game_in_san_takes_linear_time() -> None:
    position = emtee.chess()
    moves = ["Nf3", "Nf6", "Ng1", "Ng8"]
    for ply in range(1000):
        position = position.play(moves[ply % 4])
    ending = position.ending()
    assert ending is not None and ending["why"] == "repetition" and len(position.line) == 1000
    assert pickle.loads(pickle.dumps(position)) == position
