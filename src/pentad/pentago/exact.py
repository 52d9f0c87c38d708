"""Exact values, by the solver."""

from __future__ import annotations

from collections.abc import Iterator

from pentad.pentago.memory import whole as megabytes
from pentad.pentago.solver import Solution, solve
from pentad.search.analysis import Report

__all__ = ["megabytes", "reports", "solve"]


def reports(found: Solution, lines: int, memory: int) -> Iterator[Report]:
    """Reports of an analysis with the best lines."""
    from pentad.pentago.engine.analysis import solved  # loads the engine

    return solved(found, lines, memory)
