"""Puzzles of Pentagame: how they are made, and notes on their rules."""

from __future__ import annotations

from pentad.games.parts import MOST, WIN, PuzzleSource

SOURCE = PuzzleSource(
    ({}, {"first_to_three": True}),
    levels=(1, 2),
    first_ply=12,
    last_ply=120,
    bounds=(3, 4, 6, 8),
    wanted={(WIN, 1): 20, (WIN, 2): 40},
    seconds=0.3,
    first_moves=MOST,
)

NOTES = {("first_to_three", True): "The first player with three pieces home wins immediately."}
