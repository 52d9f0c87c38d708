"""Positions with proved wins and losses, for tests of assessments and warnings."""

from __future__ import annotations

from pentad.game import Position, load, new

SECONDS = 0.5
PENTAGO = load("pentago bbwwbb/w.w.wb/.wb.ww/bw.bbw/b.wwbb/.wwb.b")  # black wins at once by b1; b3 1C lets white win


def pente(moves: str) -> Position:
    position = new("pente", rules="freestyle")
    for move in moves.split():
        position = position.play(move)
    return position


MUST_BLOCK = pente("K10 H10 L12 H11 M3 H12 H14 H13")  # white at H9, or black has five
HOPELESS = pente("K10 H10 L12 H11 M3 H12 A1 H13")  # black's four is open
CAN_WIN = pente("K10 A1 K11 A3 K12 A5 K13 C7")
