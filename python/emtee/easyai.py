"""An adapter for easyAI: emtee's algorithms on unmodified easyAI games, in place of easyAI's own.

>>> from easyAI import AI_Player, Human_Player
>>> from easyAI.games.TicTacToe import TicTacToe
>>> from emtee.easyai import MTDf
>>> game = TicTacToe([AI_Player(MTDf(9)), Human_Player()])
>>> game.get_move()
1
>>> ai = MTDf(9)
>>> ai(game) in game.possible_moves(), str(ai.found.value)
(True, '0')
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple

from ._emtee import Error, Found, Player, copy_game, state_key

__all__ = ["MTDf", "Position"]


class Position:
    """A position of an easyAI game (`TwoPlayerGame`), for `Player.think`. The game itself is never changed.

    If the game is over, its score decides the outcome: less than 0 is a loss for the player to move, more than 0 a win, and a
    nearer win is better. With ``points=True`` the score itself is the value, as in a game that is won on points. If the game is
    not over, the score is the evaluation. Scores are multiplied by `scale`, for scores that are not integers.

    The key of a position is ``ttentry`` if the game has it, else a hash of the whole state of the game. If the state of the game
    cannot be read, the game is searched without a table.

    >>> from easyAI.games.Nim import Nim
    >>> import emtee, emtee.easyai
    >>> game = Nim(players=[None, None], piles=(1, 3, 2))
    >>> emtee.Player().think(emtee.easyai.Position(game), depth=6).value
    loss in 5
    """

    __slots__ = ("game", "settings")

    #: Searches call the methods of the game itself; the methods below are equivalent.
    _emtee_interface = "easyai"

    def __init__(
        self, game: Any, scoring: Callable[[Any], float] | None = None, *, points: bool = False, scale: int = 1
    ) -> None:
        if not (math.isfinite(scale) and scale):
            raise Error(f"a scale of {scale} is not possible; choose a finite number other than 0")
        shared = _algorithms()
        key: Literal["ttentry", "state"] | None = "ttentry"
        if not hasattr(game, "ttentry"):
            key = "state"
            try:
                state_key(game, shared)
            except TypeError:
                key = None
        self.game, self.settings = game, _Settings(scoring, points, scale, shared, key, type(game))

    def __getattr__(self, name: str) -> Any:
        # The method key() exists only if positions have keys.
        if name == "key" and self.settings.key is not None:
            return self.game.ttentry if self.settings.key == "ttentry" else partial(state_key, self.game, self.settings.shared)
        raise AttributeError(name)

    def turn(self) -> int:
        """0 for player 1, 1 for player 2."""
        return int(self.game.current_player) - 1

    def moves(self) -> list[Any]:
        """The moves, in the order of the game."""
        return list(self.game.possible_moves())

    def play(self, m: Any) -> Position:
        """The position after a move: a copy of the game with the move made and the turn changed."""
        game = copy_game(self.game, self.settings.shared)
        game.make_move(m)
        game.switch_player()
        after = Position.__new__(Position)
        after.game, after.settings = game, self.settings
        return after

    def outcome(self) -> int | str | None:
        """None while the game goes on, then the outcome by its score."""
        if not self.game.is_over():
            return None
        score = self.evaluate()
        if self.settings.points:
            return score
        return "lost" if score < 0 else "won" if score > 0 else "drawn"

    def evaluate(self) -> int:
        """The score for the player to move."""
        settings = self.settings
        score = (self.game.scoring() if settings.scoring is None else settings.scoring(self.game)) * settings.scale
        rounded = round(score)
        if rounded != score:
            raise Error(f"a score of {score / settings.scale} is not an integer; give a scale, for example scale=100 to count in hundredths")
        return rounded


class _Settings(NamedTuple):
    """The settings that all positions of a search share."""

    scoring: Callable[[Any], float] | None
    points: bool
    scale: int
    shared: tuple[type, ...]
    key: Literal["ttentry", "state"] | None
    kind: type


def _algorithms() -> tuple[type, ...]:
    """The classes of algorithms: players refer to them and games never change them, so they are not copied with a game."""
    from easyAI import DUAL, SSS, Negamax, NonRecursiveNegamax, TranspositionTable  # noqa: F401

    return (MTDf, Negamax, NonRecursiveNegamax, SSS, DUAL, TranspositionTable)


class MTDf:
    """A drop-in algorithm for easyAI's `AI_Player`: MTD-f, or any other algorithm of emtee, in place of `Negamax`.

    depth: the search depth in moves, or None with `seconds` or `nodes`.
    scoring: a function of the game, instead of its method `scoring`.
    Wins need no `win_score`: if the game is over, the sign of its score decides the outcome.
    points, scale: see `Position`. Everything else goes to `emtee.Player`.

    After a move, `found` is the result of the search, and `alpha` its value.

    >>> from easyAI.games.ConnectFour import ConnectFour
    >>> from emtee.easyai import MTDf
    >>> MTDf(4)(ConnectFour([None, None])) in range(7)
    True
    """

    def __init__(
        self,
        depth: int | None = None,
        scoring: Callable[[Any], float] | None = None,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        points: bool = False,
        scale: int = 1,
        **options: Any,
    ) -> None:
        if depth is None and seconds is None and nodes is None:
            raise Error("give a depth, a number of seconds or a number of nodes")
        self.depth, self.scoring, self.seconds, self.nodes = depth, scoring, seconds, nodes
        self.points, self.scale = points, scale
        # easyAI needs only the move.
        self.player = Player(**{"principal_variation": False, **options})
        self.found: Found[Any] | None = None
        self.alpha: int | None = None

    def __call__(self, game: Any) -> Any:
        """The best move in the current position of the game."""
        position = Position(game, self.scoring, points=self.points, scale=self.scale)
        self.found = self.player.think(position, depth=self.depth, seconds=self.seconds, nodes=self.nodes)
        self.alpha = None if self.found.value is None else int(self.found.value)
        return self.found.best_move

    def __deepcopy__(self, memo: dict[int, Any]) -> MTDf:
        return self  # easyAI copies games with their players; the table of a player is not part of a game.
