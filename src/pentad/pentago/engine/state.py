"""Conversion between Pentago's rules and its engine's kernels: positions to keys, turns to moves."""

from __future__ import annotations

from pentad.game import Move, Position
from pentad.pentago.board import Twist
from pentad.pentago.engine.constants import BITS, CELLS, PATTERN, PATTERNS, SYMMETRIES
from pentad.pentago.engine.tables import CLASSIC, CORNERS, POWERS, SPACES, tables
from pentad.pentago.rules import PentagoPosition, Setup, position

TERNARY = [sum(POWERS[i] for i in range(CELLS) if bits >> i & 1) for bits in range(512)]


def is_supported(position: Position) -> bool:
    """Whether the engine can play the position: classic Pentago for two."""
    return isinstance(position, PentagoPosition) and position.board == CLASSIC and position.players == 2


def key_of(position: PentagoPosition) -> int:
    """The key of a position, seen by the player to move."""
    mine, theirs = position.marbles[position.turn], position.marbles[1 - position.turn]
    key = 0
    for q in range(4):
        top = SPACES[q][0]
        bits = [sum((m >> (top + 6 * r) & 7) << (3 * r) for r in range(3)) for m in (mine, theirs)]
        key |= (TERNARY[bits[0]] + 2 * TERNARY[bits[1]]) << (BITS * q)
    return key


def position_of(key: int, marbles: int) -> PentagoPosition:
    """The position of a key; the number of marbles gives the player to move."""
    sets = [0, 0]
    for q, pattern in enumerate(four(key)):
        for i in range(CELLS):
            if digit := pattern // POWERS[i] % 3:
                sets[digit - 1] |= 1 << SPACES[q][i]
    black, white = sets if marbles % 2 == 0 else sets[::-1]
    return position(Setup(CLASSIC), (black, white))


def four(key: int) -> tuple[int, int, int, int]:
    """The four patterns of a key."""
    return key & PATTERN, key >> BITS & PATTERN, key >> 2 * BITS & PATTERN, key >> 3 * BITS & PATTERN


def canonical_key(key: int) -> int:
    """The least key of all symmetric boards."""
    patterns = four(key)
    images = tables().images
    return min(
        sum(int(images[PATTERNS * g + patterns[q]]) << (BITS * CORNERS[g][q]) for q in range(4))
        for g in range(SYMMETRIES)
    )


def move_of(turn: int) -> Move:
    """Converts a turn of the kernels to a move."""
    cell, twist = divmod(turn, 9)
    place = CLASSIC.places[SPACES[cell // 9][cell % 9]]
    return Move((place, Twist((twist + 1) // 2, "CA"[(twist - 1) % 2]) if twist else place)[: 2 if twist else 1])
