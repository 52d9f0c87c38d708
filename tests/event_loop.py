"""Which thread runs an event loop."""

from __future__ import annotations

import asyncio


def is_running() -> bool:
    """Whether the caller's thread runs an event loop, which work would hold up."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
