"""The adapter for OpenSpiel."""

from __future__ import annotations

import random
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms import minimax

import emtee
import emtee.openspiel
from emtee.openspiel import Bot, Position, key_for, why_not

#: Every sequential two-player game of the list with perfect information and without chance.
SUPPORTED = [
    "amazons", "antichess", "breakthrough", "checkers", "chess", "chinese_checkers", "clobber", "connect_four", "crazyhouse",
    "cursor_go", "dots_and_boxes", "go", "gomoku", "havannah", "hex", "hive", "lines_of_action", "mancala", "mnk", "nim",
    "nine_mens_morris", "othello", "oware", "pentago", "quoridor", "shogi", "tic_tac_toe", "twixt", "ultimate_tic_tac_toe",
    "xiangqi", "y",
]  # fmt: skip


def test_the_list_is_complete() -> None:
    kind = pyspiel.GameType
    fit = {
        game.short_name
        for game in pyspiel.registered_games()
        if game.default_loadable
        and game.min_num_players <= 2 <= game.max_num_players
        and (game.chance_mode, game.information, game.dynamics, game.utility)
        == (kind.ChanceMode.DETERMINISTIC, kind.Information.PERFECT_INFORMATION, kind.Dynamics.SEQUENTIAL, kind.Utility.ZERO_SUM)
    }
    assert set(SUPPORTED) <= fit
    if pyspiel.__dict__.get("__version__", "2.0.2") == "2.0.2":
        assert fit == set(SUPPORTED), fit ^ set(SUPPORTED)


@pytest.mark.parametrize("name", SUPPORTED)
def test_each_is_searched(name: str) -> None:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    found = emtee.Player().think(Position(game), nodes=800)
    assert found.best_move in state.legal_actions() and found.depth >= 1
    # The same search without keys: values agree at a depth that both reach.
    depth = min(found.depth, 2)
    values = {emtee.Player().think(Position(game, key=key), depth=depth).value for key in (None, "default")}
    assert len(values) == 1
    bot = Bot(game, nodes=100)
    state.apply_action(bot.step(state))


@pytest.mark.parametrize("name", SUPPORTED)
def test_different_states_have_different_keys(name: str) -> None:
    """States that share a key have the same legal actions, and their children share keys too."""
    key = key_for(pyspiel.load_game(name))
    if key is None:
        return
    game = pyspiel.load_game(name)
    dice = random.Random(5)
    seen: dict[Any, Any] = {}
    for _ in range(12):
        state = game.new_initial_state()
        for _ in range(14):
            if state.is_terminal():
                break
            actions = state.legal_actions()
            state_key = (key(state), state.current_player())
            first = seen.setdefault(state_key, state.clone())
            assert first.legal_actions() == actions, str(state)
            action = actions[dice.randrange(min(len(actions), 3))]  # Few actions, so that there are transpositions.
            one, two = first.child(action), state.child(action)
            assert one.is_terminal() == two.is_terminal()
            assert one.is_terminal() or (key(one), one.current_player()) == (key(two), two.current_player()), str(state)
            state.apply_action(action)


SMALL = [
    ("tic_tac_toe", None),
    ("connect_four(rows=4,columns=4,x_in_row=3)", None),
    ("nim(pile_sizes=2;3;2)", None),
    ("dots_and_boxes(num_rows=1,num_cols=2)", None),
    ("dots_and_boxes(num_rows=2,num_cols=2)", 6),
    ("breakthrough(rows=4,columns=3)", 6),
    ("mancala", 5),
    ("oware(num_houses_per_player=3)", 6),
    ("clobber(rows=3,columns=4)", None),
    ("hex(board_size=3)", None),
    ("y(board_size=3)", None),
    ("go(board_size=2)", 6),
    ("othello", 5),
    ("amazons", 2),
    ("checkers", 5),
    ("gomoku(size=4,connect=3)", 5),
    ("ultimate_tic_tac_toe", 4),
    ("lines_of_action", 2),
    ("chess", 3),
    ("quoridor(board_size=3)", 3),
]


@pytest.mark.parametrize(("name", "depth"), SMALL)
def test_values_are_those_of_alpha_beta(name: str, depth: int | None) -> None:
    game = pyspiel.load_game(name)

    first = game.new_initial_state().current_player()  # White is player 1 in chess.

    def heuristic(state: Any) -> float:
        """A value that differs from state to state, for the first player."""
        return len(str(state).replace(" ", "")) % 3 + len(state.legal_actions()) % 5 - 3

    def for_side_to_move(state: Any) -> float:
        return heuristic(state) if state.current_player() == first else -heuristic(state)

    # Utilities outweigh any heuristic value: ±1 becomes ±1000.
    theirs, _ = minimax.alpha_beta_search(
        game,
        value_function=None if depth is None else lambda state: heuristic(state) / 1000,
        maximum_depth=10_000 if depth is None else depth,
    )
    key = None if depth else "default"  # The heuristic may depend on what a key leaves out.
    position = Position(game, for_side_to_move, key=key)
    found = emtee.Player().think(position, depth=depth)
    assert found.value is not None
    ours = 1000 * ((found.value > 0) - (found.value < 0)) if found.value.is_proven or depth is None else found.value
    assert round(1000 * theirs) == ours


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("kuhn_poker", "kuhn_poker has chance; emtee searches only deterministic games"),
        ("backgammon", "backgammon has chance; emtee searches only deterministic games"),
        ("phantom_ttt", "phantom_ttt has hidden information; emtee searches only games with perfect information"),
        ("matrix_rps", "matrix_rps has hidden information; emtee searches only games with perfect information"),
        ("goofspiel", "goofspiel has chance"),
        ("nfg_game", ""),
        ("chinese_checkers(players=3)", "chinese_checkers has 3 players; emtee searches only two-player games"),
    ],
)
def test_other_games_are_errors_with_a_reason(name: str, reason: str) -> None:
    try:
        game = pyspiel.load_game(name)
    except Exception:
        assert reason == ""  # It needs a file.
        return
    found = why_not(game)
    assert found is not None and (found.startswith(reason) or "same time" in found)
    for make in (Position, Bot):
        with pytest.raises(emtee.Error) as error:
            make(game)
        assert str(error.value) == found


def test_bots_play_each_other() -> None:
    game = pyspiel.load_game("tic_tac_toe")
    bots = [Bot(game, depth=9), pyspiel.make_uniform_random_bot(1, 7)]
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert state.returns()[0] >= 0
    bots[0].restart()


def test_numbers_that_are_not_integers() -> None:
    game = pyspiel.load_game("tic_tac_toe")
    with pytest.raises(emtee.Error, match="0.5 is not an integer; give a scale, for example scale=100"):
        emtee.Player().think(Position(game, lambda state: 0.5), depth=2)
    assert emtee.Player().think(Position(game, lambda state: 0.5, scale=10), depth=2).value == 5
