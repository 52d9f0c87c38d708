"""Memory estimates: how much the search tree takes in each job of a server."""

from __future__ import annotations

from pentad.games.pentagame.rules import PentagamePosition

TREE_MEGABYTES_PER_SECOND, MAX_TREE_MEGABYTES = 40, 240


def megabytes(job: str, position: PentagamePosition, who: str | None, seconds: float) -> int:
    """The megabytes for a job beyond those of any worker process."""
    return min(MAX_TREE_MEGABYTES, int(TREE_MEGABYTES_PER_SECOND * max(seconds, 1)))
