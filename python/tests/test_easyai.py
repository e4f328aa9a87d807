"""Unmodified games of easyAI."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from easyAI import AI_Player, Negamax
from easyAI.games.ConnectFour import ConnectFour
from easyAI.games.Cram import Cram
from easyAI.games.Hexapawn import Hexapawn
from easyAI.games.Knights import Knights
from easyAI.games.Nim import Nim
from easyAI.games.TicTacToe import TicTacToe

import emtee
from emtee._emtee import copy_game, state_key
from emtee.easyai import MTDf, Position

PLAYERS = [None, None]


class PlainPlayer:
    """A player object on which a game may set attributes."""


def loses(game: Any) -> int:
    return -100 if game.lose() else 0


class Scored(Hexapawn):  # type: ignore[misc]
    """Hexapawn has no method `scoring`."""

    def scoring(self) -> int:
        return loses(self)


STARTS: list[tuple[Any, int]] = [
    (lambda: TicTacToe(PLAYERS), 9),
    (lambda: TicTacToe(PLAYERS), 5),
    (lambda: ConnectFour(PLAYERS), 4),
    (lambda: Nim(PLAYERS, piles=(2, 3, 1)), 6),
    (lambda: Scored([PlainPlayer(), PlainPlayer()]), 5),
    (lambda: Cram(PLAYERS, board_size=(3, 3)), 5),
]


@pytest.mark.parametrize(("start", "depth"), STARTS)
def test_values_are_those_of_negamax(start: Any, depth: int) -> None:
    """easyAI's value is the score times 1 + depth left / 1000: the distance to the end can be computed from it."""
    negamax = Negamax(depth)
    negamax(start())
    for options in ({}, {"algorithm": "sss"}, {"algorithm": "alpha-beta"}, {"keep_positions": 0}, {"entries": 16}):
        mine = MTDf(depth, **options)
        move = mine(start())
        assert move in start().possible_moves() and mine.found is not None and mine.found.value is not None
        value = mine.found.value
        score, left = abs(negamax.alpha), 0
        if score:
            left = round((score / round(score, -1 if score >= 10 else 0) - 1) * 1000)
        if not negamax.alpha:
            assert value == 0
        elif negamax.alpha > 0:
            assert value.wins_in == depth - left
        else:
            assert value.loses_in == depth - left


def test_the_game_is_not_changed() -> None:
    game = ConnectFour([AI_Player(MTDf(3)), AI_Player(Negamax(2))])
    before = (game.board.copy(), game.current_player)
    game.get_move()
    assert (game.board == before[0]).all() and game.current_player == before[1] and not hasattr(game, "ai_move")


class Copied(TicTacToe):  # type: ignore[misc]
    """Without the method `unmake_move`, so that every position is a copy."""

    @property
    def unmake_move(self) -> Any:
        raise AttributeError("unmake_move")


@pytest.mark.parametrize("depth", [3, 6, 9])
def test_unmaking_moves_gives_the_same_result_as_copying(depth: int) -> None:
    one, two = MTDf(depth), MTDf(depth)
    game = TicTacToe(PLAYERS)
    assert one(game) == two(Copied(PLAYERS)) and one.found is not None and two.found is not None
    assert one.found.counts == two.found.counts and one.found.value == two.found.value
    assert game.board == [0] * 9 and game.current_player == 1


class Breaks(TicTacToe):  # type: ignore[misc]
    """Raises in the middle of a given move."""

    left = 0

    def make_move(self, move: int) -> None:
        super().make_move(move)
        Breaks.left -= 1
        if not Breaks.left:
            raise KeyError("broken")


def test_an_exception_in_a_move_does_not_change_the_game() -> None:
    usual = MTDf(6)
    usual(TicTacToe(PLAYERS))
    game, mine = Breaks(PLAYERS), MTDf(6)
    for Breaks.left in (1, 20, 300):
        with pytest.raises(KeyError, match="broken"):
            mine(game)
        assert game.board == [0] * 9 and game.current_player == 1
    mine(game)
    assert mine.found is not None and usual.found is not None and mine.found.value == usual.found.value


def test_observers_may_keep_positions() -> None:
    class Watch:
        seen: list[list[int]] = []
        kept: list[Any] = []

        def enter(self, game: Any, depth: int, window: Any) -> None:
            self.seen.append(list(game.board))
            self.kept.append(game)

    emtee.Player(algorithm="alpha-beta").think(Position(TicTacToe(PLAYERS)), depth=3, observer=Watch())
    assert len(Watch.seen) > 20 and [game.board for game in Watch.kept] == Watch.seen


def test_whole_games() -> None:
    game = TicTacToe([AI_Player(MTDf(9)), AI_Player(Negamax(9))])
    game.play(verbose=False)
    assert not game.lose()
    copy.deepcopy(game)
    game = ConnectFour([AI_Player(MTDf(seconds=0.02)), AI_Player(MTDf(2, algorithm="sss"))])
    game.play(verbose=False)
    assert game.is_over()


def test_state_in_players_is_copied() -> None:
    """The players of Knights store the squares of their knights."""

    game = Knights([PlainPlayer(), PlainPlayer()], board_size=(4, 4))
    assert MTDf(4)(game) in game.possible_moves()
    assert [player.pos.tolist() for player in game.players] == [[0, 0], [3, 3]]


def test_points_and_scales() -> None:
    game = Nim(PLAYERS, piles=(2, 2))
    half = Position(game, scoring=lambda g: 0.5)
    with pytest.raises(emtee.Error, match="a score of 0.5 is not an integer; give a scale, for example scale=100"):
        emtee.Player().think(half, depth=1)
    assert emtee.Player().think(Position(game, scoring=lambda g: 0.5, scale=100), depth=1).value == -50
    points = Position(Nim(PLAYERS, piles=(1,)), scoring=lambda g: 7, points=True)
    assert emtee.Player().think(points, depth=3).value == -7
    with pytest.raises(emtee.Error, match="give a depth, a number of seconds or a number of nodes"):
        MTDf()


class AllTypes:
    """An object with a field of every type."""

    def __init__(self) -> None:
        import numpy

        self.list, self.dict, self.set, self.tuple = [1, [2]], {"a": [3]}, {4, 5}, (6, [7])
        self.array = numpy.arange(6).reshape(2, 3)
        self.text, self.none, self.same = "t", None, self.list
        self.other = Inner(self)


class Inner:
    def __init__(self, outer: AllTypes) -> None:
        self.values = [outer.list]


def test_copies_are_deep_and_keys_depend_on_the_whole_state() -> None:
    one = AllTypes()
    two = copy_game(one)
    assert state_key(one) == state_key(two) == state_key(copy.deepcopy(one))
    assert two.same is two.list and two.other.values[0] is two.list and two.list is not one.list
    for change in ("two.list[1].append(9)", "two.dict['a'][0] = 9", "two.set.add(9)", "two.tuple[1].append(9)", "two.array[1, 2] = 9", "two.text = 'u'"):
        two = copy_game(one)
        exec(change)
        assert state_key(one) != state_key(two), change
    assert one.list == [1, [2]] and one.tuple == (6, [7]) and one.array[1, 2] == 5
    with pytest.raises(TypeError, match="the state of a generator cannot be read"):
        state_key((n for n in range(3)))


def test_a_game_whose_state_cannot_be_read_is_searched_without_keys() -> None:
    class Unreadable(TicTacToe):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(PLAYERS)
            self.log = open  # A built-in function.

    assert not hasattr(Position(Unreadable()), "key") and hasattr(Position(TicTacToe(PLAYERS)), "key")
    assert MTDf(5)(Unreadable()) in range(1, 10)
