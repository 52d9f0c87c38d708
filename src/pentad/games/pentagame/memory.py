"""Memory estimates: how much the search tree takes in each job of a server."""

from __future__ import annotations

from pentad.games.pentagame.rules import PentagamePosition

TREE_A_SECOND, LARGEST_TREE = 40, 240  # MB of a search tree


def megabytes(job: str, position: PentagamePosition, who: str | None, seconds: float) -> int:
    """The megabytes for a job beyond those of any worker process."""
    return min(LARGEST_TREE, int(TREE_A_SECOND * max(seconds, 1)))
