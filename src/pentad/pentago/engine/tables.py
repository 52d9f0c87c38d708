"""The engine's lookup tables: patterns of sub-boards, their quarter turns, their lines and their symmetries.

Lines of five are 32 bits. For each sub-board and pattern there are four sets of lines (`table_kernels`): a few look-ups
and `and`s find every five.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pentad.jit.buffers import Buffer, array, zeros
from pentad.jit.program import Program, program
from pentad.pentago.board import board, symmetries
from pentad.pentago.engine.constants import CELLS, PATTERNS, SYMMETRIES

KERNELS = "pentad.pentago.engine.search_kernels"
CLASSIC = board(2, 2, 3, 5)
POWERS = [3**i for i in range(CELLS)]
# The space of each cell of each sub-board.
SPACES = [
    [CLASSIC.space(r + i // 3, c + i % 3) for i in range(CELLS)] for r, c in map(CLASSIC.corner, CLASSIC.sub_boards)
]
CELL_OF = {space: (q, i) for q in range(4) for i, space in enumerate(SPACES[q])}
# For each symmetry the image of each sub-board, and of each cell of the first one; the identity first.
_IMAGES = [[[CELL_OF[each.spaces[space]] for space in row] for row in SPACES] for each in symmetries(CLASSIC)]
CORNERS = [[row[0][0] for row in images] for images in _IMAGES]
CELL_IMAGES = [[cell for _, cell in images[0]] for images in _IMAGES]


def kernels() -> Program:
    """The kernels of the engine."""
    return program(KERNELS)


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables as arrays; `rules` are those that kernels take together."""

    lines: Buffer
    turn: Buffer
    exchange: Buffer
    powers: Buffer
    images: Buffer
    corners: Buffer

    @property
    def rules(self) -> tuple[Buffer, ...]:
        return self.lines, self.turn, self.exchange, self.powers


@lru_cache(maxsize=1)
def tables() -> Tables:
    """The tables, which every engine of a process shares."""
    made = Tables(
        lines=zeros(4 * PATTERNS * 4, "uint32"),
        turn=zeros(2 * PATTERNS, "int16"),
        exchange=zeros(PATTERNS, "int16"),
        powers=array(POWERS, "int64"),
        images=zeros(SYMMETRIES * PATTERNS, "int16"),
        corners=array([corner for row in CORNERS for corner in row], "int64"),
    )
    kernels()(
        "fill_tables",
        array([space for row in SPACES for space in row], "int64"),
        array(CLASSIC.lines, "uint64"),
        array([cell for row in CELL_IMAGES for cell in row], "int64"),
        made.lines, made.turn, made.exchange, made.images, zeros(CELLS, "int64"),
    )  # fmt: skip
    return made
