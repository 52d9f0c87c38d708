"""Conversion between Pentago's rules and its engine's kernels: keys and turns; the lookup tables and learned weights.

The tables have the patterns of sub-boards, their quarter turns, their lines and their symmetries. Lines of five are 32
bits. For each sub-board and pattern there are six sets of lines (`board_kernels`): a few look-ups and `and`s find
every five.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pentad.game import Move, Position
from pentad.games.pentago.board import Twist, board, symmetries
from pentad.games.pentago.engine.constants import (
    BITS,
    BUCKETS,
    CELLS,
    DEEP,
    LEVELS_OF_UNIT,
    PATTERN,
    PATTERNS,
    ROW,
    SETS,
    SYMMETRIES,
    WHOLE_HEAD,
    WIDTH,
    Images,
    Net,
    Rules,
)
from pentad.games.pentago.rules import PentagoPosition, Setup, position
from pentad.kernels.buffers import array, flat, zeros
from pentad.kernels.npz import read_npz
from pentad.kernels.packing import Argument
from pentad.kernels.program import Program, program
from pentad.kernels.types import Int16s, Int32s, Int64s, Rows, UInt32s, UInt64s

KERNELS = "pentad.games.pentago.engine.search_kernels"
CLASSIC = board(2, 2, 3, 5)
POWERS = [3**i for i in range(CELLS)]
TERNARY = [sum(POWERS[i] for i in range(CELLS) if bits >> i & 1) for bits in range(512)]
# The space of each cell of each sub-board.
SPACES = [
    [CLASSIC.space(r + i // 3, c + i % 3) for i in range(CELLS)] for r, c in map(CLASSIC.corner, CLASSIC.sub_boards)
]
CELL_OF = {space: (q, i) for q in range(4) for i, space in enumerate(SPACES[q])}
# For each symmetry the image of each sub-board, and of each cell of the first one; the identity first.
_IMAGES = [[[CELL_OF[each.spaces[space]] for space in row] for row in SPACES] for each in symmetries(CLASSIC)]
CORNERS: list[list[int]] = [[row[0][0] for row in images] for images in _IMAGES]
CELL_IMAGES = [[cell for _, cell in images[0]] for images in _IMAGES]


def kernels() -> Program:
    """The kernels of the engine."""
    return program(KERNELS)


@dataclass(frozen=True, slots=True)
class EngineTables:
    """The tables as records of arrays."""

    rules: Rules
    symmetries: Images


def empty_tables() -> EngineTables:
    """The arrays of the tables."""
    rules = Rules(
        lines=zeros(4 * PATTERNS * SETS, Rows[Rows[UInt32s]]),
        turn=zeros(2 * PATTERNS, Rows[Int16s]),
        exchange=zeros(PATTERNS, Int16s),
        powers=array(POWERS, Int64s),
    )
    symmetries = Images(
        images=zeros(SYMMETRIES * PATTERNS, Rows[Int16s]),
        corners=array([corner for row in CORNERS for corner in row], Rows[Int64s]),
    )
    return EngineTables(rules, symmetries)


def filling(made: EngineTables) -> tuple[Argument, ...]:
    """The arguments of the kernel that fills the tables."""
    spaces, cells = ([each for row in rows for each in row] for rows in (SPACES, CELL_IMAGES))
    lines = array(CLASSIC.lines, UInt64s)
    return array(spaces, Int64s), lines, array(cells, Int64s), made.rules, made.symmetries, zeros(CELLS, Int64s)


@lru_cache(maxsize=1)
def tables() -> EngineTables:
    """The tables, which every engine of a process shares."""
    made = empty_tables()
    kernels()("fill_tables", *filling(made))
    return made


# ── learned weights ──────────────────────────────────────────────────────────────────────────────

# A page begins with the first part: the tables of sub-boards with few marbles, and all other weights.
PARTS = ((0, 3), (4, CELLS))  # the least and most marbles of a sub-board
FILE = Path(__file__).with_name("weights.npz")


def files_of(file: Path = FILE) -> tuple[Path, ...]:
    """The file of each part."""
    return file, file.with_name(f"full_{file.name}")


def empty_net() -> Net:
    """The arrays of a net."""
    return Net(
        rows=zeros(4 * PATTERNS * ROW, Rows[Rows[Int16s]]),
        layer=zeros(WIDTH * DEEP, Rows[Int16s]),
        heads=zeros(BUCKETS * WHOLE_HEAD, Rows[Int32s]),
        direct=zeros(BUCKETS * WIDTH, Rows[Int16s]),
    )


def read(file: Path = FILE) -> Net:
    """Reads the evaluation from its files; each unit of its tables has its own step."""
    made, levels, patterns = empty_net(), zeros(WIDTH * LEVELS_OF_UNIT, Int16s), zeros(PATTERNS, Int16s)
    parts = [read_npz(each) for each in files_of(file)]
    step, layer, heads = (parts[0][name].values for name in ("step", "layer", "heads"))
    for part, (least, most) in zip(parts, PARTS, strict=True):
        tables_of = part["tables"].values
        kernels()("fill_rows", tables_of, step, tables().symmetries, levels, patterns, made.rows, least, most)
    kernels()("fill_heads", layer, heads, made.layer, made.heads, made.direct)
    return made


@lru_cache(maxsize=1)
def net() -> Net:
    """The package's evaluation."""
    return read()


# ── positions and moves ──────────────────────────────────────────────────────────────────────────


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
    images: Int16s = flat(tables().symmetries.images)
    return min(
        sum(images[PATTERNS * g + patterns[q]] << (BITS * CORNERS[g][q]) for q in range(4)) for g in range(SYMMETRIES)
    )


def move_of(turn: int) -> Move:
    """Converts a turn of the kernels to a move."""
    cell, twist = divmod(turn, 9)
    place = CLASSIC.places[SPACES[cell // 9][cell % 9]]
    return Move((place, Twist((twist + 1) // 2, "CA"[(twist - 1) % 2]) if twist else place)[: 2 if twist else 1])
