"""Exact values, by the solver."""

from __future__ import annotations

from pentad.pentago.memory import whole as megabytes
from pentad.pentago.solver import solve
from pentad.search.bot import deferred

__all__ = ["megabytes", "reports", "solve"]

reports = deferred("pentad.pentago.engine.analysis:solved")  # loads the engine when it is called
