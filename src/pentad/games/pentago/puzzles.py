"""Puzzles of Pentago: how they are made."""

from __future__ import annotations

from pentad.games.parts import DRAW, WIN, PuzzleSource

SOURCE = PuzzleSource(
    ({},),
    levels=(2, 2, 3),
    first_ply=10,
    last_ply=26,
    bounds=(4, 6, 8, 10),
    wanted={(WIN, 1): 25, (WIN, 2): 55, (WIN, 3): 45, (WIN, 4): 15, (DRAW, 1): 30},
)
