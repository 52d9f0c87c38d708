"""Speed of Pentagame's board, rules and kernels, compared with networkx on the same graph.

python -m benchmarks pentagame [--seconds 1]

Distances, reach queries (all fields where a piece can end, on boards of random games), counts of all whole turns of a
position, and random turns, each for a second of CPU time on one core.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

import pentad
from benchmarks.figures import Figure, machine
from pentad.games.pentagame import FIELDS, distance, reach
from pentad.games.pentagame.board import LINKS, NUMBER
from pentad.games.pentagame.engine import constants, position_kernels
from pentad.games.pentagame.engine.search import state_of
from pentad.games.pentagame.rules import PentagamePosition
from pentad.kernels.decorator import kernel
from pentad.kernels.types import Int64s
from tests.games.pentagame.turn_kernels import count_turns, random_turns

BOARDS = 200


@kernel
def many_reaches(lows: Any, highs: Any, starts: Any, rounds: int) -> int:
    """Runs reach queries; the sum prevents their elimination by the compiler."""
    total = 0
    for _ in range(rounds):
        for i in range(len(starts)):
            low, high = position_kernels.flood(lows[i], highs[i], starts[i])
            total += low ^ high
    return total


@kernel
def many_counts(states: Any, rounds: int, out: Any, copy: Any) -> int:
    """Counts all whole turns of the states."""
    total = 0
    for _ in range(rounds):
        for i in range(len(states)):
            total += count_turns(states[i], out, copy)
    return total


def rate(call: Callable[[int], object], seconds: float, batch: int) -> float:
    """Repetitions per second of `call(n)`, which repeats n times; batches grow until they fill the time."""
    call(1)
    while True:
        begin = time.process_time()
        call(batch)
        spent = time.process_time() - begin
        if spent >= seconds:
            return batch / spent
        batch = max(batch * 2, int(batch * seconds / max(spent, 1e-6) * 1.1))


def random_positions() -> list[PentagamePosition]:
    """Positions of random games after a random number of turns."""
    rng = random.Random(1)
    found: list[PentagamePosition] = []
    while len(found) < BOARDS:
        here = cast(PentagamePosition, pentad.new("pentagame"))
        for _ in range(rng.randrange(80)):
            if here.outcome:
                break
            steps: list[Any] = [rng.choice(here.piece_moves)]
            after = here.after(steps[0])
            while after.ply == here.ply and after.due:
                after = after.after(rng.choice(list(after.block_steps())))
            here = after
        if here.outcome is None:
            found.append(here)
    return found


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds for each figure")
    seconds = parser.parse_args(words).seconds
    print(machine())
    rng = random.Random(2)
    pairs = [(rng.choice(FIELDS), rng.choice(FIELDS)) for _ in range(1000)]
    positions = random_positions()
    queries = [(p.pieces[p.turn][i], p.taken) for p in positions for i in range(5) if p.pieces[p.turn][i] >= 0]
    states = np.array([np.asarray(state_of(p)) for p in positions])

    figures = []

    def row(what: str, call: Callable[[int], object], each: int = 1) -> None:
        figures.append(Figure(what, rate(call, seconds, 1) * each, "per second"))
        print(f"{what:<48}{figures[-1].value:>14,.0f} per second")

    row("distance, rules", lambda n: [[distance(a, b) for a, b in pairs] for _ in range(n)], len(pairs))
    row("reach, rules", lambda n: [[reach(f, taken) for f, taken in queries] for _ in range(n)], len(queries))
    lows = np.array([taken & ((1 << constants.SPLIT) - 1) for _, taken in queries])
    highs = np.array([taken >> constants.SPLIT for _, taken in queries])
    starts = np.array([field for field, _ in queries])
    row("reach, kernels", lambda n: many_reaches(lows, highs, starts, n), len(queries))
    row("all whole turns counted, rules", lambda n: [[len(p.legal_moves) for p in positions] for _ in range(n)], BOARDS)
    out, copy = np.zeros(constants.MAX_STEPS, dtype=np.int64), np.zeros(constants.SIZE, dtype=np.int64)
    row("all whole turns counted, kernels", lambda n: many_counts(states, n, out, copy), BOARDS)
    first = state_of(cast(PentagamePosition, pentad.new("pentagame")))
    state, seed, listed, start = (cast("Int64s", np.array(each)) for each in (first, [1], out, first))
    row("random turns, kernels", lambda n: random_turns(state, seed, n, listed, start))
    turns = sum(p.ply for p in positions)
    row("random turns, rules", lambda n: [random_positions() for _ in range(n)], turns)
    try:
        import networkx  # type: ignore[import-untyped]
    except ImportError:
        print("networkx is not installed, so there is no comparison.")
        return figures
    graph = networkx.Graph([(a, b) for a, linked in enumerate(LINKS) for b in linked])
    numbers = [(NUMBER[a], NUMBER[b]) for a, b in pairs]
    row(
        "distance, networkx",
        lambda n: [[networkx.shortest_path_length(graph, a, b) for a, b in numbers] for _ in range(n)],
        len(pairs),
    )

    def networkx_reach(field: int, taken: int) -> set[int]:
        """The component of the free graph, and one step further."""
        free = graph.subgraph(each for each in graph if each == field or not taken >> each & 1)
        inside: set[int] = networkx.node_connected_component(free, field)
        return {near for each in inside for near in graph[each]} | inside

    row("reach, networkx", lambda n: [[networkx_reach(*query) for query in queries] for _ in range(n)], len(queries))
    return figures


if __name__ == "__main__":
    main()
