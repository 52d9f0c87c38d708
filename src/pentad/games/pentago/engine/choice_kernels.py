"""The engine's turn on the state of many games (`batch`), for pages: the search of `search_kernels` at a level."""

from __future__ import annotations

from pentad.games.pentago.batch import constants as b
from pentad.games.pentago.batch.step_kernels import rules_of
from pentad.games.pentago.engine import constants as k
from pentad.games.pentago.engine.constants import ChoiceArrays, SearchArrays
from pentad.games.pentago.engine.search_kernels import deepen, list_roots, pick
from pentad.kernels.decorator import kernel
from pentad.kernels.numbers import np
from pentad.kernels.types import Int64s
from pentad.search.constants import PLY, SEAT


@kernel
def space_of(cell: int) -> int:
    """The space of a cell of the engine's, nine for each sub-board."""
    q, i = cell // 9, cell % 9
    return int((q // 2 * 3 + i // 3) * 6 + q % 2 * 3 + i % 3)


@kernel
def key_of(rules: Int64s, state: Int64s) -> int:
    """The engine's key of a position."""
    cells, key = rules_of(rules).cells, np.int64(0)
    for q in range(4):
        pattern, power = np.int64(0), np.int64(1)
        for i in range(k.CELLS):
            owner = state[b.CELLS + cells[space_of(k.CELLS * q + i)]] - 1
            if owner >= 0:
                pattern += power * (1 if owner == state[SEAT] else 2)
            power *= 3
        key |= pattern << k.BITS * q
    return int(key)


@kernel
def begin(rules: Int64s, run: SearchArrays, ply: int) -> None:
    """Forgets the last search."""
    for slot in range(len(run.table)):
        run.table[slot, 0] = run.table[slot, 1] = 0
    for level in range(k.LEVELS):
        for rank in range(k.KILLERS):
            run.lists[level, 4, rank] = 0
    control = run.control
    control.stop = control.selective = control.visited = control.evaluated = 0
    control.extended, control.broad = k.MOST_FORCED, k.MOST_TURNS
    control.placement, control.generation = rules[b.PLACEMENT_WINS], ply


@kernel
def choose(
    rules: Int64s, state: Int64s, chosen: Int64s, choice: ChoiceArrays, depth: int, among: int, noise: float
) -> int:  # fmt: skip
    """Writes the actions of the engine's turn at a level, or of the rest of one; returns their number."""
    run, ply, count = choice.search, state[PLY], 0
    begin(rules, run, ply)
    list_roots(run, choice.symmetries, key_of(rules, state), ply, state[b.PLACED])
    deepen(run, ply, depth, among)
    turn = run.roots[k.ROOT_TURN, pick(run, among, noise, choice.normal)]
    if not state[b.PLACED]:
        chosen[0] = space_of(turn // 9)
        count = 1
    if turn % 9:
        chosen[count] = k.SPACES + turn % 9 - 1
        count += 1
    return count
