"""Searches that can be awaited."""

from __future__ import annotations

import asyncio
from typing import Any

from ._emtee import Found, Player


async def think(player: Player, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Found[Any]:
    """Thinks on another thread. Whoever is cancelled stops the search, and waits until it has stopped."""
    work = asyncio.ensure_future(asyncio.to_thread(player.think, *args, **kwargs))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        while not work.done():
            player.stop()
            await asyncio.wait([work], timeout=0.02)
        # What it found is in player.found; an exception of the game's is of no interest any more.
        if not work.cancelled():
            work.exception()
        raise
