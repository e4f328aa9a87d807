"""The oracles and Alpha-Beta: for teaching, and as references in tests."""

from __future__ import annotations

from typing import Any

from ._emtee import Found, Player

__all__ = ["alpha_beta", "minimax", "stockman_dual", "stockman_sss"]


def _run(algorithm: str, position: Any, depth: int, **options: Any) -> Found[Any]:
    return Player(algorithm=algorithm, fixed_depth=True, **options).think(position, depth=depth)


def minimax(position: Any, depth: int) -> Found[Any]:
    """Minimax by its definition: visits every node, without a table.

    >>> import emtee
    >>> found = emtee.minimax(emtee.tree("paper"), 4)
    >>> found.value, found.counts.nbp
    (35, 16)
    """
    return _run("minimax", position, depth)


def alpha_beta(position: Any, depth: int, *, alpha: int | None = None, beta: int | None = None) -> Found[Any]:
    """Alpha-Beta at a fixed depth, with the same table and move ordering as MT. `Player.window` searches a given window.

    >>> import emtee
    >>> found = emtee.alpha_beta(emtee.tree("paper"), 4)
    >>> found.value, found.counts.nbp
    (35, 12)
    """
    window = {} if alpha is None and beta is None else {"range": (-32767 if alpha is None else alpha, 32767 if beta is None else beta)}
    return _run("alpha-beta", position, depth, **window)


def stockman_sss(position: Any, depth: int) -> Found[Any]:
    """SSS* as Stockman wrote it, with its OPEN list. It expands the leaves that MTD+∞ expands, in the same order.

    >>> import emtee
    >>> emtee.stockman_sss(emtee.tree("paper"), 4).counts.nbp
    8
    >>> emtee.Player(algorithm="sss", fixed_depth=True).think(emtee.tree("paper"), depth=4).counts.nbp
    8
    """
    return _run("stockman-sss", position, depth)


def stockman_dual(position: Any, depth: int) -> Found[Any]:
    """DUAL* with its OPEN list.

    >>> import emtee
    >>> emtee.stockman_dual(emtee.tree("paper"), 4).value
    35
    """
    return _run("stockman-dual", position, depth)
