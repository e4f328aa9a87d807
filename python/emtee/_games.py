"""The built-in games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Union

from ._emtee import Error, Position, position, position_set

if TYPE_CHECKING:
    import chess as python_chess

__all__ = ["checkers", "chess", "connect4", "kalah", "othello", "positions", "synthetic", "tictactoe", "to_board", "tree"]

#: A tree as nested lists of leaf values.
Nested = Union[int, Sequence["Nested"]]

_PAPER = "((((41 5) (12 90)) ((101 80) (20 30))) (((34 80) (36 35)) ((50 36) (25 3))))"


def _move_list(moves: Iterable[Any]) -> list[Any]:
    if isinstance(moves, str):
        raise TypeError('moves must be a list of moves, like ["e4", "e5"]')
    return list(moves)


def chess(text: str | python_chess.Board | None = None, moves: Iterable[Any] = ()) -> Position:
    """Chess: a FEN, or a `chess.Board` of python-chess with the moves played on it; by default the start position.

    Moves are written in UCI notation, and read in UCI and SAN notation.

    >>> import emtee
    >>> position = emtee.chess(moves=["e4", "e5", "Nf3"])
    >>> position.line
    ['e2e4', 'e7e5', 'g1f3']
    >>> position.written("b8c6")
    'Nc6'

    >>> import chess  # python-chess
    >>> board = chess.Board()
    >>> board.push_san("d4")
    Move.from_uci('d2d4')
    >>> emtee.chess(board).line
    ['d2d4']
    """
    if text is None or isinstance(text, str):
        return position("chess", text, _move_list(moves))
    if text.chess960:
        raise Error("a board of Chess960 cannot be converted; give its FEN")
    if text.uci_variant not in ("chess", None):
        raise Error(f"emtee plays chess, not {text.uci_variant}")
    start = text.root()
    if any(not move for move in text.move_stack):  # A null move is not a legal move.
        return position("chess", text.fen(), _move_list(moves))
    played = [move.uci() for move in text.move_stack]
    return position("chess", start.fen(), played + [str(move) for move in moves])


def to_board(of: Position) -> python_chess.Board:
    """A position of chess as a `chess.Board` of python-chess, with the moves that led to it.

    >>> import emtee
    >>> emtee._games.to_board(emtee.chess(moves=["e4"])).fen()
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
    """
    import chess as python_chess

    if of.game != "chess":
        raise Error(f"a chess.Board is for chess, not {of.game}")
    _, (_, start, line) = of.__reduce__()
    board = python_chess.Board(start)
    for move in line:
        board.push_uci(move)
    return board


def othello(text: str | None = None, moves: Iterable[str] = ()) -> Position:
    """Othello: 64 characters of ``X``, ``O`` and ``-`` and the side to move; by default the start position.

    >>> import emtee
    >>> emtee.othello(moves=["f5d6c3"]).line
    ['f5', 'd6', 'c3']
    """
    return position("othello", text, _move_list(moves))


def checkers(text: str | None = None, moves: Iterable[str] = ()) -> Position:
    """Checkers (English draughts): a FEN as in PDN; by default the start position.

    >>> import emtee
    >>> emtee.checkers("B:W21:B1").moves()
    ['1-5', '1-6']
    """
    return position("checkers", text, _move_list(moves))


def connect4(text: str | None = None, moves: Iterable[str] = ()) -> Position:
    """Connect Four: the columns played, 1 to 7, as in ``"4455"``; by default the start position.

    >>> import emtee
    >>> emtee.connect4("4455").turn()
    0
    """
    return position("connect4", text, _move_list(moves))


def kalah(text: str | None = None, moves: Iterable[str] = ()) -> Position:
    """Kalah with six pits and four seeds in each; by default the start position.

    >>> import emtee
    >>> emtee.kalah().moves()
    ['6', '5', '4', '3', '2', '1']
    """
    return position("kalah", text, _move_list(moves))


def tictactoe(text: str | None = None, moves: Iterable[str] = ()) -> Position:
    """Tic-tac-toe: nine characters, as in ``"X-O-X----"``; by default the empty board.

    >>> import emtee
    >>> emtee.Player().think(emtee.tictactoe()).value
    0
    """
    return position("tictactoe", text, _move_list(moves))


def tree(tree: str | Nested) -> Position:
    """An explicit tree: leaf values from the side of MAX, who moves at the root. ``"paper"`` is the paper's example.

    >>> import emtee
    >>> emtee.Player().think(emtee.tree("((41 5) (12 90))"), depth=2).value
    12
    >>> emtee.tree([[41, 5], [12, 90]]) == emtee.tree("((41 5) (12 90))")
    True

    A list may begin with ``max`` or ``min``, the side to move there. A leaf is an integer within ±31000, or ``win``, ``loss``
    or ``draw`` for MAX.
    """
    return position("tree", _PAPER if tree == "paper" else tree if isinstance(tree, str) else _written(tree))


def _written(tree: Nested) -> str:
    if isinstance(tree, int):
        return str(tree)
    if isinstance(tree, str):
        return tree
    return "(" + " ".join(_written(child) for child in tree) + ")"


def synthetic(text: str | None = None) -> Position:
    """A synthetic tree of any size, generated from its parameters: ``"seed=1 width=4 depth=8"``.

    >>> import emtee
    >>> found = emtee.Player().think(emtee.synthetic("seed=1 width=4 depth=8"), depth=4)
    >>> found.depth
    4
    """
    return position("synthetic", text)


def positions(game: str, name: str = "paper") -> list[Position]:
    """A set of positions of a game: "paper", those of the paper's experiments; "tuning", those on which settings were chosen; and for
    chess, Othello and checkers "tune" and "held-out", hundreds of positions for choosing settings and for evaluating them.

    >>> import emtee
    >>> len(emtee.positions("othello")), len(emtee.positions("othello", "held-out"))
    (20, 240)
    """
    return [position(game, text) for text in position_set(game, name)]
