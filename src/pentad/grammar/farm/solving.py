"""A game solved with its states in files: explored level by level, and then valued backwards over the same levels.

The game is for two players, and each move leads to a state that is one level further, as where stones are only added.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pentad.game import GameError
from pentad.grammar.compiled.grounding import CannotCompile
from pentad.grammar.farm import backward, partition
from pentad.grammar.farm.exploration import Partitioned, Run, compiled_for, farm_for, memory_of, opened
from pentad.grammar.farm.partition import PartitionTables, pack
from pentad.grammar.limits import Progress
from pentad.grammar.solving import Referee, SolvingProgress, Tally, game_of
from pentad.grammar.states.state_space import State
from pentad.grammar.system import System
from pentad.jobs.executors import Farm
from pentad.kernels import cache


@dataclass(frozen=True, slots=True)
class Solved:
    """The value of a game's start for the player to move, and how many states are won, drawn and lost for theirs.

    If the exploration or the solution was stopped, the value is None and the tally counts what was solved.
    """

    explored: Partitioned
    mover: str
    value: int | None
    tally: Tally
    seconds: float


def solve(
    system: System,
    scratch: Path,
    *,
    workers: int = 1,
    farm: Farm | None = None,
    memory: int | None = None,
    players: str | None = None,
    turn: str | None = None,
    won: str | None = None,
    stuck: str | None = None,
    progress: Progress | None = None,
    solving: SolvingProgress | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Solved:
    """Solves the game of a prepared grammar, with files in a folder of its own in `scratch`.

    `players`, `turn`, `won` and `stuck` replace the grammar's properties. A farm is one for the jobs of
    `pentad.grammar.farm.backward`. `solving` is called with the number of states that are solved and the number of all.
    """
    game = game_of(system.grammar, players=players, turn=turn, won=won, stuck=stuck)
    referee = Referee(system, game)
    if len(referee.players) != 2:
        raise GameError("Only games for two players can be solved with --scratch.")
    compiled, memory = compiled_for(system, False), memory_of(memory, workers)
    try:
        tables = backward.arrays_of(compiled, referee, game)
    except CannotCompile as why:
        raise GameError("The compiled engine cannot say whose turn it is or who has won. {why}", why=why) from None
    bits = referee.reader(referee.turn)(State(system.nodes, system.edges, system.control.start()))
    if bits not in (1, 2):
        raise GameError("In the start graph gameTurn does not select exactly one player.")
    files = {partition.TABLES: pack(PartitionTables.of(compiled)), backward.GAME: pack(tables)}
    with opened(scratch, "solve", files) as folder, farm_for(farm, backward.__name__, workers) as ready:
        cache.ensure_compiled(partition.EXPANDING, partition.MERGING, backward.KERNELS)
        run = Run(folder, memory, None, progress, stop, keeps_levels=True)
        run.explore(ready)
        found, began = run.found, time.perf_counter()
        value, tally = None, Tally(0, 0, 0, found.states)
        try:
            if not found.stopped:
                value, tally = _backwards(run, ready, solving)
        except KeyboardInterrupt:
            found.stopped = "interrupted"
        seconds = time.perf_counter() - began
    if not found.stopped:
        shutil.rmtree(folder, ignore_errors=True)
        found.folder = None
    return Solved(found, system.world.text(referee.players[bits - 1]), value, tally, seconds)


def _backwards(run: Run, farm: Farm, solving: SolvingProgress | None) -> tuple[int, Tally]:
    """Values all levels, the last one first; returns the value of the start, and the tally of all states."""
    states, won, drawn, lost, following, value = run.found.states, 0, 0, 0, list[str](), 0
    for number in reversed(range(len(run.levels))):
        files = run.levels[number]
        units = {f"{number}-value-{Path(each).stem}": {"file": each, "following": following} for each in files}
        before = won, lost
        for answer in run.answers(farm, "value", units):
            won, drawn, lost = won + answer["won"], drawn + answer["drawn"], lost + answer["lost"]
            if solving is not None:
                solving(won + drawn + lost, states)
        value = (won - before[0]) - (lost - before[1])
        following = sorted(files)
    return value, Tally(won, drawn, lost, 0)
