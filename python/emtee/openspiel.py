"""An adapter for OpenSpiel: any of its sequential two-player games with perfect information and without chance.

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

import math
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
    'kuhn_poker has chance; emtee searches only deterministic games'
    >>> why_not(pyspiel.load_game("breakthrough"))
    """
    kind = game.get_type()
    name = kind.short_name
    if game.num_players() != 2:
        return f"{name} has {game.num_players()} players; emtee searches only two-player games"
    if kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC:
        return f"{name} has chance; emtee searches only deterministic games"
    if kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION:
        return f"{name} has hidden information; emtee searches only games with perfect information"
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        return f"the players of {name} move at the same time; emtee searches only sequential games"
    if kind.utility not in (pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.CONSTANT_SUM):
        return f"{name} is not a constant-sum game; emtee searches only zero-sum and constant-sum games"
    return None


def _without_counters(count: int) -> Key:
    """The text without its last `count` words: the counters of a FEN."""
    return lambda state: str(state).rsplit(" ", count)[0]


def _without_lines(*beginnings: str) -> Key:
    """The text without the lines that begin with these words: counters."""
    return lambda state: "\n".join(line for line in str(state).splitlines() if not line.startswith(beginnings))


def _with_moves(key: Key) -> Key:
    """The key and the legal actions, for games whose text does not show the started part of a move."""
    return lambda state: (key(state), tuple(state.legal_actions()))


def _without_brackets(state: Any) -> str:
    """The text without brackets around the last move."""
    return str(state).replace("[", " ").replace("]", " ")


#: The key of each game: a function of a state, or None for no key, and so no table. The key of games that are not listed here is the
#: text, `str(state)`. In Go superko rules out keys; in the other games with None transpositions are rare, and writing the text of a
#: state takes longer than it saves.
KEYS: dict[str, Key | None] = {
    "amazons": None,
    "antichess": _without_counters(2),
    "checkers": _with_moves(str),
    "chess": _without_counters(2),
    "chinese_checkers": _with_moves(str),
    "crazyhouse": _with_moves(_without_counters(2)),
    "cursor_go": None,
    "go": None,
    "havannah": _without_brackets,
    "mancala": None,
    "nine_mens_morris": _with_moves(_without_lines("Turn number")),
    "oware": None,
    "shogi": _without_counters(1),
    "ultimate_tic_tac_toe": None,
    "y": _without_brackets,
}


def key_for(game: Any) -> Key | None:
    """The key of positions of a game; None if there is none, as in Go, where superko depends on earlier positions.

    >>> import pyspiel
    >>> key_for(pyspiel.load_game("go")) is None
    True
    """
    return KEYS.get(game.get_type().short_name, str)


class Position:
    """A state of an OpenSpiel game, for `Player.think`. The state itself is never changed.

    state: a state, or a game for its initial state.
    value_function: a function from a state to a number for the side to move, the evaluation of states that are not terminal.
    key: a function from a state to a str, an int or a tuple, the key of the state; None for no key. The default is `key_for` of the
    game.
    scale: returns and evaluations are multiplied by it before they are rounded, for those that are not integers.

    If the maximum utility of a game is 1 and the minimum -1, its outcomes are "won", "lost" and "drawn", and nearer wins are better.
    Otherwise its outcomes are points.
    """

    __slots__ = ("state", "settings")

    #: Searches call the methods of the state itself; the methods below are equivalent.
    _emtee_interface = "openspiel"

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
        if not (math.isfinite(scale) and scale):
            raise Error(f"a scale of {scale} is not possible; choose a finite number other than 0")
        game = state.get_game()
        reason = why_not(game)
        if reason is not None:
            raise Error(reason)
        by_points = not (game.max_utility() == 1 and game.min_utility() == -1)
        chosen_key: Any = key_for(game) if key == "default" else key
        self.state, self.settings = state, _Settings(value_function, scale, by_points, chosen_key, str(game))

    def turn(self) -> int:
        """The side to move; 0 at the end of the game."""
        return max(int(self.state.current_player()), 0)

    def moves(self) -> list[int]:
        """The legal actions."""
        return list(self.state.legal_actions())

    def play(self, m: int) -> Position:
        """The state after an action."""
        after = Position.__new__(Position)
        after.state, after.settings = self.state.child(m), self.settings
        return after

    def outcome(self) -> int | str | None:
        """None while the game goes on, then the outcome for player `turn()`."""
        if not self.state.is_terminal():
            return None
        won = self.state.returns()[0]
        if self.settings.by_points:
            return self._to_int(won)
        return "won" if won > 0 else "lost" if won < 0 else "drawn"

    def evaluate(self) -> int:
        """The value function of the state; 0 without one."""
        return 0 if self.settings.value_function is None else self._to_int(self.settings.value_function(self.state))

    def _to_int(self, number: float) -> int:
        rounded = round(number * self.settings.scale)
        if abs(rounded - number * self.settings.scale) > 1e-9:
            raise Error(f"{number} is not an integer; give a scale, for example scale=100 to count in hundredths")
        return rounded

    def __getattr__(self, name: str) -> Any:
        # The method key() exists only if states have keys.
        if name == "key" and self.settings.key is not None:
            return partial(self.settings.key, self.state)
        raise AttributeError(name)

    def __str__(self) -> str:
        return str(self.state)


class _Settings(NamedTuple):
    """The settings that all states of a search share."""

    value_function: Callable[[Any], float] | None
    scale: float
    by_points: bool
    key: Key | None
    game: str


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """A `pyspiel.Bot` that plays a game with one of emtee's algorithms.

    A search is limited by a depth, a number of nodes or a number of seconds; the default is half a second. `value_function`, `key` and
    `scale` are passed to `Position`, all other options to `emtee.Player`.

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
        #: The result of the last search.
        self.found: Found[Any] | None = None

    def step(self, state: Any) -> int:
        """The action that the bot chooses."""
        self.found = self.player.think(Position(state, **self._position), **self._budget)
        action = self.found.best_move
        assert isinstance(action, int)
        return action

    def restart(self) -> None:
        """Clears the table."""
        self.player.clear()

    def restart_at(self, state: Any) -> None:
        """Clears the table, whatever the state."""
        self.player.clear()

    def provides_force_action(self) -> bool:
        """True: any action may be played instead of that of the bot."""
        return True

    def force_action(self, state: Any, action: int) -> None:
        """Accepts another action instead of its own; nothing to do."""

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Accepts the action of another player; nothing to do."""

    def player_id(self) -> int:
        """0; the bot plays for whichever side is to move."""
        return 0

    def provides_policy(self) -> bool:
        """False: the bot chooses one action, not a distribution."""
        return False
