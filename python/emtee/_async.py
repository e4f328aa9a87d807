"""Awaitable searches."""

from __future__ import annotations

import asyncio
from typing import Any

from ._emtee import Found, Player


async def think(player: Player, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Found[Any]:
    """Runs `Player.think` on another thread. Cancelling stops the search, and waits until it has stopped."""
    work = asyncio.ensure_future(asyncio.to_thread(player.think, *args, **kwargs))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        while not work.done():
            player.stop()
            await asyncio.wait([work], timeout=0.02)
        # The result is in player.found. An exception of the game is retrieved and ignored.
        if not work.cancelled():
            work.exception()
        raise
