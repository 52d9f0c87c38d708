"""Memory estimates: how much a request takes, so that concurrent requests stay within a budget."""

from __future__ import annotations

from typing import cast

from pentad.game import Position, game_of
from pentad.parts import Exact, Memory

MB = 1 << 20
PROCESS = 250  # MB of a worker that has loaded the engines


def megabytes(job: str, position: Position, *, who: str | None = None, seconds: float | None = None) -> int:
    """The megabytes of a worker while it handles a request."""
    kind = game_of(position)
    if not kind.has("memory"):
        return PROCESS
    return PROCESS + cast(Memory, kind.module("memory")).megabytes(
        job, position, who, 1.0 if seconds is None else seconds
    )


def exact(position: Position, most: int) -> int:
    """The megabytes for every move's exact value by a full search; more than `most` bytes if that does not fit.

    It is 0 where no search is needed, or the game has no exact values.
    """
    kind = game_of(position)
    return cast(Exact, kind.module("exact")).megabytes(position, most) if kind.has("exact") else 0
