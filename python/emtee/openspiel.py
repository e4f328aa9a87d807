"""OpenSpiel's games, by an adapter: any game of its list that two players play in turn, seeing everything, without chance.

>>> import pyspiel
>>> import emtee, emtee.openspiel
>>> game = pyspiel.load_game("tic_tac_toe")
>>> emtee.Player().think(emtee.openspiel.Position(game)).value
0
>>> bot = emtee.openspiel.Bot(game, depth=4)
>>> bot.step(game.new_initial_state()) in range(9)
True
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pyspiel

from ._emtee import Error, Found, Player

__all__ = ["Bot", "KEYS", "Position", "key_for", "why_not"]

Key = Callable[[Any], Any]


def why_not(game: Any) -> str | None:
    """Why a game cannot be searched, or None if it can.

    >>> import pyspiel
    >>> why_not(pyspiel.load_game("kuhn_poker"))
    'kuhn_poker has chance, and emtee searches games without'
    >>> why_not(pyspiel.load_game("breakthrough"))
    """
    kind = game.get_type()
    name = kind.short_name
    if game.num_players() != 2:
        return f"{name} has {game.num_players()} players, and emtee searches games of two"
    if kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC:
        return f"{name} has chance, and emtee searches games without"
    if kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION:
        return f"{name} hides something from its players, and emtee searches games where all is seen"
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        return f"the players of {name} move at the same time, and emtee searches games where they take turns"
    if kind.utility not in (pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.CONSTANT_SUM):
        return f"what one player of {name} wins the other need not lose, and emtee searches games where it does"
    return None


def _fields(count: int) -> Key:
    """The text without its last words: the counters of a FEN."""
    return lambda state: str(state).rsplit(" ", count)[0]


def _lines(*wanted: str) -> Key:
    """The text without the lines that begin so: counters too."""
    return lambda state: "\n".join(line for line in str(state).splitlines() if not line.startswith(wanted))


def _with_moves(key: Key) -> Key:
    """For games whose text does not tell what a move that has begun may still become."""
    return lambda state: (key(state), tuple(state.legal_actions()))


def _unmarked(state: Any) -> str:
    """The text without brackets around the last move."""
    return str(state).replace("[", " ").replace("]", " ")


#: How positions of each game are told apart: a function of a state, or None for not at all, and so without a table. Games that are
#: not listed here are told apart by their text, `str(state)`. Go forbids it; in the other games with None lines hardly ever meet, and
#: writing a state down takes longer than it saves.
KEYS: dict[str, Key | None] = {
    "amazons": None,
    "antichess": _fields(2),
    "checkers": _with_moves(str),
    "chess": _fields(2),
    "chinese_checkers": _with_moves(str),
    "crazyhouse": _with_moves(_fields(2)),
    "cursor_go": None,
    "go": None,
    "havannah": _unmarked,
    "mancala": None,
    "nine_mens_morris": _with_moves(_lines("Turn number")),
    "oware": None,
    "shogi": _fields(1),
    "ultimate_tic_tac_toe": None,
    "y": _unmarked,
}


def key_for(game: Any) -> Key | None:
    """How positions of a game are told apart; None where the past matters, as in Go with superko.

    >>> import pyspiel
    >>> key_for(pyspiel.load_game("go")) is None
    True
    """
    return KEYS.get(game.get_type().short_name, str)


class Position:
    """A state of an OpenSpiel game, for `Player.think`. The state itself is never changed.

    state: a state, or a game, which is taken at its start.
    value_function: a function from a state to a number for the side to move: the evaluation of states that are not at an end.
    key: a function from a state to a str, an int or a tuple that tells it from others; None for no key. Unless you say
    otherwise, what `key_for` says of the game.
    scale: what numbers are multiplied with before they are rounded, for returns and evaluations that are not whole.

    Where all that can be won is 1 and all that can be lost is 1, a game ends with "won", "lost" or "drawn", and nearer wins are
    better. Elsewhere it ends with points.
    """

    __slots__ = ("state", "how")

    #: Searches ask the state itself, in the words of OpenSpiel: the methods below say what they ask.
    _emtee_face = "openspiel"

    #: Actions are numbers, the same in all states of a game.
    moves_are_codes = True

    def __init__(
        self,
        state: Any,
        value_function: Callable[[Any], float] | None = None,
        *,
        key: Key | None | str = "default",
        scale: float = 1,
    ) -> None:
        if isinstance(state, pyspiel.Game):
            state = state.new_initial_state()
        game = state.get_game()
        reason = why_not(game)
        if reason is not None:
            raise Error(reason)
        by_points = not (game.max_utility() == 1 and game.min_utility() == -1)
        told_apart: Any = key_for(game) if key == "default" else key
        self.state, self.how = state, _How(value_function, scale, by_points, told_apart, str(game))

    def turn(self) -> int:
        """Whose turn it is; at the end of the game, player 0 looks at it."""
        return max(int(self.state.current_player()), 0)

    def moves(self) -> list[int]:
        """The legal actions."""
        return list(self.state.legal_actions())

    def play(self, m: int) -> Position:
        """The state after an action."""
        after = Position.__new__(Position)
        after.state, after.how = self.state.child(m), self.how
        return after

    def outcome(self) -> int | str | None:
        """None while the game goes on, then what player `turn()` has made of it."""
        if not self.state.is_terminal():
            return None
        won = self.state.returns()[0]
        if self.how.by_points:
            return self._whole(won)
        return "won" if won > 0 else "lost" if won < 0 else "drawn"

    def evaluate(self) -> int:
        """What the value function says; 0 without one."""
        return 0 if self.how.value_function is None else self._whole(self.how.value_function(self.state))

    def _whole(self, number: float) -> int:
        whole = round(number * self.how.scale)
        if abs(whole - number * self.how.scale) > 1e-9:
            raise Error(f"{number} is not whole; give scale=100 or so, which counts in hundredths")
        return whole

    def __getattr__(self, name: str) -> Any:
        # A method key() is there where states can be told apart.
        if name == "key" and self.how.key is not None:
            return partial(self.how.key, self.state)
        raise AttributeError(name)

    def __str__(self) -> str:
        return str(self.state)


class _How(NamedTuple):
    """What all states of a search have in common."""

    value_function: Callable[[Any], float] | None
    scale: float
    by_points: bool
    key: Key | None
    game: str


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """A `pyspiel.Bot` that plays a game with one of emtee's algorithms.

    It thinks for a depth, a number of nodes or a number of seconds; half a second if nobody says. The rest goes to
    `emtee.Player`, but for `value_function`, `key` and `scale`, which go to `Position`.

    >>> import pyspiel, emtee.openspiel
    >>> game = pyspiel.load_game("connect_four")
    >>> bots = [emtee.openspiel.Bot(game, depth=3), emtee.openspiel.Bot(game, depth=2)]
    >>> state = game.new_initial_state()
    >>> while not state.is_terminal():
    ...     state.apply_action(bots[state.current_player()].step(state))
    >>> bots[0].found.depth <= 3
    True
    """

    def __init__(
        self,
        game: Any,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        value_function: Callable[[Any], float] | None = None,
        key: Key | None | str = "default",
        scale: float = 1,
        **options: Any,
    ) -> None:
        super().__init__()
        reason = why_not(game)
        if reason is not None:
            raise Error(reason)
        if depth is None and nodes is None and seconds is None:
            seconds = 0.5
        self._budget: dict[str, Any] = {"depth": depth, "nodes": nodes, "seconds": seconds}
        self._position: dict[str, Any] = {"value_function": value_function, "key": key, "scale": scale}
        self.player = Player(**{"principal_variation": False, **options})
        #: What the last search found.
        self.found: Found[Any] | None = None

    def step(self, state: Any) -> int:
        """The action it chooses."""
        self.found = self.player.think(Position(state, **self._position), **self._budget)
        action = self.found.best_move
        assert isinstance(action, int)
        return action

    def restart(self) -> None:
        """Forgets what it has learned."""
        self.player.clear()

    def restart_at(self, state: Any) -> None:
        """The same: what is learned is no part of a game."""
        self.player.clear()

    def provides_force_action(self) -> bool:
        """Any action may be played in its place."""
        return True

    def force_action(self, state: Any, action: int) -> None:
        """Another action is played in its place."""

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Another player has played."""

    def player_id(self) -> int:
        """It plays whichever side is to move."""
        return 0

    def provides_policy(self) -> bool:
        """It plays one action, not a distribution."""
        return False
