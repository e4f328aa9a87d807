"""easyAI's games, untouched: algorithms of ours in the place of its own.

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

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple

from ._emtee import Error, Found, Player, copy_game, state_key

__all__ = ["MTDf", "Position"]


class Position:
    """A position of an easyAI game (`TwoPlayerGame`), for `Player.think`. The game itself is never changed.

    Where the game is over, its score says who has won: less than 0 is a loss for the player to move, more than 0 a win, and a
    nearer win is better. With ``points=True`` the score itself is the value, as in a game of most points. Elsewhere the score is
    the evaluation. `scale` multiplies scores that are not whole.

    Positions are told apart by ``ttentry`` where the game has it, else by all that the game holds. A game that holds what cannot
    be looked into is searched without transpositions.

    >>> from easyAI.games.Nim import Nim
    >>> import emtee, emtee.easyai
    >>> game = Nim(players=[None, None], piles=(1, 3, 2))
    >>> emtee.Player().think(emtee.easyai.Position(game), depth=6).value
    loss in 5
    """

    __slots__ = ("game", "how")

    #: Searches ask the game itself, in the words of easyAI: the methods below say what they ask.
    _emtee_face = "easyai"

    def __init__(
        self, game: Any, scoring: Callable[[Any], float] | None = None, *, points: bool = False, scale: int = 1
    ) -> None:
        shared = _algorithms()
        key: Literal["ttentry", "state"] | None = "ttentry"
        if not hasattr(game, "ttentry"):
            key = "state"
            try:
                state_key(game, shared)
            except TypeError:
                key = None
        self.game, self.how = game, _How(scoring, points, scale, shared, key, type(game))

    def __getattr__(self, name: str) -> Any:
        # A method key() is there where positions can be told apart.
        if name == "key" and self.how.key is not None:
            return self.game.ttentry if self.how.key == "ttentry" else partial(state_key, self.game, self.how.shared)
        raise AttributeError(name)

    def turn(self) -> int:
        """0 for player 1, 1 for player 2."""
        return int(self.game.current_player) - 1

    def moves(self) -> list[Any]:
        """The moves, as the game lists them."""
        return list(self.game.possible_moves())

    def play(self, m: Any) -> Position:
        """The position after a move: a copy of the game with the move made and the turn changed."""
        game = copy_game(self.game, self.how.shared)
        game.make_move(m)
        game.switch_player()
        after = Position.__new__(Position)
        after.game, after.how = game, self.how
        return after

    def outcome(self) -> int | str | None:
        """None while the game goes on, then what its score makes of it."""
        if not self.game.is_over():
            return None
        score = self.evaluate()
        if self.how.points:
            return score
        return "lost" if score < 0 else "won" if score > 0 else "drawn"

    def evaluate(self) -> int:
        """The score for the player to move."""
        how = self.how
        score = (self.game.scoring() if how.scoring is None else how.scoring(self.game)) * how.scale
        whole = round(score)
        if whole != score:
            raise Error(f"a score of {score / how.scale} is not whole; give scale=100 or so, which counts in hundredths")
        return whole


class _How(NamedTuple):
    """What all positions of a search have in common."""

    scoring: Callable[[Any], float] | None
    points: bool
    scale: int
    shared: tuple[type, ...]
    key: Literal["ttentry", "state"] | None
    kind: type


def _algorithms() -> tuple[type, ...]:
    """What players hold and games never change: the algorithms. They are not copied with a game."""
    from easyAI import DUAL, SSS, Negamax, NonRecursiveNegamax, TranspositionTable  # noqa: F401

    return (MTDf, Negamax, NonRecursiveNegamax, SSS, DUAL, TranspositionTable)


class MTDf:
    """A drop-in algorithm for easyAI's `AI_Player`: MTD-f, or any other of emtee's, in the place of `Negamax`.

    depth: how many moves to look ahead, or None with `seconds` or `nodes`.
    scoring: a function of the game, instead of its method `scoring`.
    win_score: accepted where easyAI's algorithms have it; wins need no score here, a game that is over says who has won.
    points, scale: see `Position`. Everything else goes to `emtee.Player`.

    After a move `found` is what the search found, and `alpha` its value.

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
        # easyAI asks for a move alone.
        self.player = Player(**{"principal_variation": False, **options})
        self.found: Found[Any] | None = None
        self.alpha: int | None = None

    def __call__(self, game: Any) -> Any:
        """The best move in the game as it stands."""
        position = Position(game, self.scoring, points=self.points, scale=self.scale)
        self.found = self.player.think(position, depth=self.depth, seconds=self.seconds, nodes=self.nodes)
        self.alpha = None if self.found.value is None else int(self.found.value)
        return self.found.best_move

    def __deepcopy__(self, memo: dict[int, Any]) -> MTDf:
        return self  # easyAI copies games with their players; what a player remembers is no part of a game.
