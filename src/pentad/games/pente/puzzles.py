"""Puzzles of Pente and its variants: how they are made, and notes on their rules."""

from __future__ import annotations

from pentad.games.parts import THREATS, WIN, PuzzleSource

SOURCE = PuzzleSource(
    ({}, {"rules": "keryo"}, {}, {"rules": "gomoku"}, {}, {"rules": "freestyle"}, {"rules": "g-pente"}),
    levels=(2, 3, 3),
    first_ply=8,
    last_ply=70,
    bounds=(6, 8, 10, 13),
    wanted={(WIN, 2): 40, (WIN, 3): 60, (THREATS, 4): 35, (THREATS, 5): 25, (THREATS, 6): 15, (THREATS, 7): 10},
    first_moves=3,
)

NOTES = {
    ("rules", "keryo"): "Keryo: three stones can be captured as well as two, and fifteen captured stones win.",
    ("rules", "g-pente"): "G-Pente: Pente with a stricter opening.",
    ("rules", "gomoku"): "Gomoku: there are no captures, and only exactly five in a row wins.",
    ("rules", "freestyle"): "Freestyle: there are no captures, and five or more in a row wins.",
}
