"""emtee (pronounced "MT"): minimax search by memory-enhanced test, after *A New Paradigm for Minimax Search*.

One short procedure, MT, one table, and a family of drivers that turn it into SSS*, DUAL*, C*, MTD-f and more. It is for two-player
games with perfect information: no chance, no hidden information, no simultaneous moves.

A built-in game, at full speed:

>>> import emtee
>>> player = emtee.Player()
>>> player.think(emtee.connect4("4455"))
Found(best_move='3', value=win in 3, depth=3)

Your own game needs four methods. `Game` lists the optional ones:

>>> class Nim:
...     '''Take one, two or three matches; who takes the last one wins.'''
...     def __init__(self, matches, side=0):
...         self.matches, self.side = matches, side
...     def turn(self):
...         return self.side
...     def moves(self):
...         return [n for n in (1, 2, 3) if n <= self.matches]
...     def play(self, n):
...         return Nim(self.matches - n, 1 - self.side)
...     def outcome(self):
...         return "lost" if self.matches == 0 else None
>>> found = emtee.Player().think(Nim(10), depth=10)
>>> found.best_move, found.value
(2, win in 5)
"""

from __future__ import annotations

from . import draw, notebook
from ._emtee import (
    Chosen,
    Counts,
    Error,
    Features,
    Found,
    Iteration,
    Learned,
    Pass,
    Player,
    Poll,
    Position,
    Progress,
    RankedMove,
    Verdict,
    __version__,
    algorithms,
    games,
    position,
)
from ._games import checkers, chess, connect4, kalah, othello, positions, synthetic, tictactoe, tree
from ._lab import Experiment, compare, experiment, reproduce, results
from ._laws import Checked, check
from ._learn import learn
from ._oracles import alpha_beta, minimax, stockman_dual, stockman_sss
from ._types import Bounds, Cuts, Generation, ParallelStats, Value, Visit, Window
from .game import Game, Observer

__all__ = [
    "Bounds",
    "Checked",
    "Chosen",
    "Counts",
    "Cuts",
    "Error",
    "Experiment",
    "Features",
    "Found",
    "Game",
    "Generation",
    "Iteration",
    "Learned",
    "Observer",
    "Pass",
    "Player",
    "Poll",
    "Position",
    "Progress",
    "RankedMove",
    "ParallelStats",
    "Value",
    "Verdict",
    "Visit",
    "Window",
    "__version__",
    "algorithms",
    "alpha_beta",
    "check",
    "checkers",
    "chess",
    "compare",
    "connect4",
    "draw",
    "experiment",
    "games",
    "kalah",
    "learn",
    "minimax",
    "notebook",
    "othello",
    "position",
    "positions",
    "reproduce",
    "results",
    "stockman_dual",
    "stockman_sss",
    "synthetic",
    "tictactoe",
    "tree",
]
