"""The built-in games."""

import pickle
import xml.dom.minidom

import pytest

import emtee

PERFT = {
    "chess": [20, 400, 8902],
    "othello": [4, 12, 56, 244, 1396],
    "checkers": [7, 49, 302, 1469],
    "connect4": [7, 49, 343, 2401],
}


@pytest.mark.parametrize("game", emtee.games())
def test_every_game_plays_draws_prints_and_pickles(game: str) -> None:
    position = emtee.position(game)
    for ply in range(6):
        xml.dom.minidom.parseString(position._repr_svg_())
        assert str(position) and repr(position).startswith(f"emtee.{game}(")
        assert emtee.position(game, position.text).moves() == position.moves()
        again = pickle.loads(pickle.dumps(position))
        assert again == position and again.line == position.line and hash(again) == hash(position)
        moves = position.moves()
        after = position.play(moves[ply % len(moves)])
        assert after != position and after.line[:-1] == position.line
        position = after
    assert position.after(*position.moves()[:1]) == position.play(position.moves()[0])


@pytest.mark.parametrize("game", PERFT)
def test_perft(game: str) -> None:
    assert [emtee.position(game).perft(depth + 1) for depth in range(len(PERFT[game]))] == PERFT[game]


def test_bad_names_positions_and_moves_are_errors() -> None:
    with pytest.raises(emtee.Error, match="did you mean 'chess'"):
        emtee.position("chees")
    with pytest.raises(emtee.Error, match="9"):
        emtee.connect4("49")
    with pytest.raises(emtee.Error, match="e2e5"):
        emtee.chess().play("e2e5")
    with pytest.raises(emtee.Error, match="'7' is not a legal move; choose one of 0 1"):
        emtee.tree("(1 2)").play("7")
    with pytest.raises(TypeError):
        emtee.chess(moves="e4")


def test_chess_and_python_chess() -> None:
    import chess

    board = chess.Board()
    for san in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"][:6]:
        board.push_san(san)
    position = emtee.chess(board)
    assert position.line == [move.uci() for move in board.move_stack]
    assert sorted(position.moves()) == sorted(move.uci() for move in board.legal_moves)
    assert emtee._games.to_board(position).fen() == board.fen()
    assert emtee._games.to_board(position).move_stack == board.move_stack
    found = emtee.Player().think(board, depth=3)
    assert chess.Move.from_uci(found.best_move) in board.legal_moves
    assert found.value == emtee.Player().think(position, depth=3).value
    # Moves of python-chess are accepted.
    assert position.play(chess.Move.from_uci("e1g1")).line[-1] == "e1g1"
    # Castling and promotion have the same notation.
    for fen in ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "8/P6k/8/8/8/8/7K/8 w - - 0 1"]:
        assert sorted(emtee.chess(fen).moves()) == sorted(move.uci() for move in chess.Board(fen).legal_moves)
    with pytest.raises(emtee.Error, match="Chess960"):
        emtee.chess(chess.Board(chess960=True))


def test_repetitions_are_detected_if_the_moves_are_known() -> None:
    position = emtee.chess(moves=["Nf3", "Nf6", "Ng1", "Ng8"] * 2)
    assert position.ending() == {"winner": None, "points": None, "why": "repetition"}
    assert position.outcome() is None
    assert pickle.loads(pickle.dumps(position)).ending() == position.ending()
    mate = emtee.chess(moves=["f3", "e5", "g4", "Qh4"])
    assert mate.ending() == {"winner": 1, "points": None, "why": "position"} and mate.outcome() == "lost"
    # In play, White has perpetual check; otherwise White is mated.
    fen = "6k1/6p1/8/7Q/8/8/rq4PP/7K w - - 0 1"
    assert emtee.Player(in_play=True).think(emtee.chess(fen), depth=6).value == 0
    assert emtee.Player().think(emtee.chess(fen), depth=6).value != 0


def test_trees() -> None:
    tree = emtee.tree([[41, 5], [12, 90]])
    assert tree.text == "((41 5) (12 90))" and tree.play("1").outcome() is None
    assert tree.after("1", "0").outcome() == 12
    assert emtee.Player().think(emtee.tree("((max 3 4) 5)"), depth=2).value == 5
    with pytest.raises(emtee.Error, match="empty"):
        emtee.tree("(())")
    # Two trees of the same shape do not share table entries.
    player = emtee.Player()
    assert [player.think(emtee.tree(text), depth=2).value for text in ("((1 2) (3 4))", "((9 8) (7 6))")] == [3, 8]


def test_solving() -> None:
    solved = emtee.connect4("4455").solve()
    assert (solved["outcome"], solved["win_in"]) == ("win", 3)
    assert emtee.othello().solve(seconds=0.05)["value"] is None


def test_sets() -> None:
    assert len({position.text for position in emtee.positions("chess")}) == 20
    with pytest.raises(emtee.Error):
        emtee.positions("tictactoe")
