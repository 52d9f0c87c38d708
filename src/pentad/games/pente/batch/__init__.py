"""Many games of Pente at once by kernels, for every rule set and opening."""

from __future__ import annotations

from pentad.games.parts import BatchKernels
from pentad.games.pente import rules as r
from pentad.games.pente.batch import constants as k
from pentad.games.pente.rules import PentePosition, opening_points
from pentad.games.pente.rulesets import AT_ONCE, FIVES, SWAP2
from pentad.kernels.buffers import array

KERNELS = "pentad.games.pente.batch.step_kernels"


def kernels(here: PentePosition) -> BatchKernels:
    """The kernels for the rules of a position."""
    given, board, stride = here.rules, here.board, here.board.size + 2
    opening = [
        sum(1 << i for i in range(3) if opening_points(given, board, i) >> point & 1) for point in range(board.size**2)
    ]
    switches = (
        *(given.size, given.line, given.overline, given.captures, given.capture_win, [*FIVES].index(given.five)),
        *(given.poof, given.double_three, given.blocked_tie, given.opening == SWAP2),
    )
    cells = [k.RIM] * stride**2
    for point in range(board.size**2):
        row, column = divmod(point, board.size)
        cells[(row + 1) * stride + column + 1] = next(
            (k.WHITE + colour for colour, stones in enumerate(here.stones) if stones >> point & 1), k.EMPTY
        )
    stands = given.five != AT_ONCE and board.has_line(here.stones[1 - here.colour], overline=given.overline)
    start = (
        *(here.turn, here.ply, here.players, -1, here.placed, *here.taken, stands, r.STAGES.index(here.stage)),
        *(here.swapped, here.empty.bit_count(), *cells),
    )
    return BatchKernels(KERNELS, array([*switches, *opening], "int64"), array(start, "int64"), k.GONE)
