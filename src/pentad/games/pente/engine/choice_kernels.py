"""The engine's move on the state of many games (`batch`), for pages: the search of `search_kernels` at a level."""

from __future__ import annotations

from pentad.games.pente.batch import constants as b
from pentad.games.pente.batch.step_kernels import row_of
from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.constants import ChoiceArrays, SearchArrays, Words
from pentad.games.pente.engine.position_kernels import CLEARER, any_line, overlook, place, set_up
from pentad.games.pente.engine.search_kernels import pick, prepare_roots, search_depth
from pentad.kernels.decorator import kernel


@kernel
def set_position(rules: Words, state: Words, choice: ChoiceArrays) -> None:
    """Sets up the engine's position, as `state_of` of `pentad.games.pente.engine.state` does."""
    position = choice.search.position
    board, numbers, size = position.board, position.state, rules[b.SIZE]
    for i in range(len(board)):
        board[i] = 0
    for i in range(len(numbers)):
        numbers[i] = choice.blank[i]
    set_up(position)
    for colour in range(2):
        for row in range(size):
            first = row_of(rules, row)
            for column in range(size):
                if state[first + column] == b.WHITE + colour:
                    place(position, (row + k.EDGE) * k.STRIDE + column, colour)
    mover = state[b.PLACED] % 2
    numbers[k.MOVER], numbers[k.PLACED] = mover, state[b.PLACED]
    numbers[k.STONES_TAKEN], numbers[k.STONES_TAKEN + 1] = state[b.TAKEN], state[b.TAKEN + 1]
    if numbers[k.STANDS] and any_line(board, numbers, 1 - mover, numbers[k.OVERLINE]):
        numbers[k.STANDING] = 2 - mover


@kernel
def begin(choice: ChoiceArrays, effort: int) -> None:
    """Forgets the last search; of the game's earlier ones the transposition table stays."""
    run, generation = choice.search, choice.generation
    if generation[0] == 0:
        for i in range(len(run.table)):
            run.table[i] = 0
    forget(run, generation[0])
    generation[0], run.control.effort = run.control.generation, effort


@kernel
def forget(run: SearchArrays, generation: int) -> None:
    """Begins a search with an age of the transposition table that follows the last one's."""
    for i in range(len(run.refuted)):
        run.refuted[i] = 0
    for i in range(len(run.work)):
        run.work[i] = 0
    control = run.control
    control.nodes = control.attack_nodes = control.attack_limit = control.truncated = 0
    control.selective = control.count = control.depth = control.wins_in = 0
    control.generation = generation % k.GENERATIONS + 1


@kernel
def deepen(run: SearchArrays, nodes: int, depth: int, lines: int) -> None:
    """Searches deeper and deeper, as far as so many more nodes, until the winner is known."""
    control = run.control
    control.stop, control.node_limit = 0, control.nodes + control.attack_nodes + nodes
    if control.count == 0:
        prepare_roots(run)
    while control.depth < depth and abs(run.scores[0]) <= k.WON_FROM:
        search_depth(run, control.depth + 1, lines)
        if control.stop:
            return


@kernel
def choose(
    rules: Words, state: Words, chosen: Words, choice: ChoiceArrays, nodes: int, noise: float, effort: int, bound: float
) -> int:  # fmt: skip
    """Writes the action of the engine's move at a level; returns how many there are."""
    run, normal = choice.search, choice.normal
    set_position(rules, state, choice)
    begin(choice, effort)
    overlook(run.position, run.lists[0], bound, normal)
    deepen(run, nodes, 1, k.COMPARED_MOVES)
    if run.control.count > 1:
        deepen(run, nodes, k.DEEPEST, k.COMPARED_MOVES)
    point = run.roots[pick(run, k.COMPARED_MOVES, noise, normal[len(CLEARER) :], choice.points)]
    chosen[0] = (point // k.STRIDE - k.EDGE) * rules[b.SIZE] + point % k.STRIDE
    return 1
