"""What Pente's and Pentago's own searches gain over the search of `pentad.search.kernels`, which serves any game.

python -m benchmarks search_layer [--rounds 5]

The common search copies the state for each child and evaluates it from nothing. Pentago's own one evaluates all the
children of a board by differences of sums. Pente's makes and takes back moves on one board, which keeps its shapes,
lists of threats and value up to date. Both columns do the same work for the same children, in the same process,
alternately.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import pentad
from benchmarks.figures import Figure, machine
from pentad.games.pentago.engine import board_kernels, net_kernels
from pentad.games.pentago.engine import constants as k
from pentad.games.pentago.engine.search import arrays_of, table_of
from pentad.games.pentago.engine.search_kernels import expand
from pentad.games.pentago.engine.state import key_of, net, tables
from pentad.games.pente.engine.constants import BOARD, STATE
from pentad.games.pente.engine.state import kernels as pente_kernels
from pentad.games.pente.engine.state import state_of
from pentad.kernels.buffers import zeros
from pentad.kernels.decorator import kernel

BOARDS, MARBLES, STONES = 40, 12, 20


@kernel
def by_differences(keys: Any, marbles: int, arrays: k.SearchArrays) -> int:
    """Evaluates the children of boards as Pentago's search does; returns their number."""
    total = 0
    for key in keys:
        board_kernels.unpack(key, arrays.boards[0])
        total += expand(0, marbles, k.WON + 1, arrays)
    return total


@kernel
def from_nothing(keys: Any, marbles: int, arrays: k.SearchArrays) -> int:
    """Evaluates the same children, each one from its board alone."""
    total, boards, lists, rules = 0, arrays.boards, arrays.lists, arrays.rules
    for key in keys:
        board_kernels.unpack(key, boards[0])
        count = board_kernels.results(boards[0], rules, lists[0, 0], lists[0, 1], lists[0, 3])
        for i in range(count):
            child = boards[1]
            board_kernels.unpack(lists[0, 0, i], child)
            score = 0
            if board_kernels.fives(child, rules) == 0 and not board_kernels.can_win(
                child[0], child[1], child[2], child[3], arrays.control.placement, rules
            ):
                score = net_kernels.evaluate(child, marbles + 1, arrays.net, arrays.parts, arrays.units)
            lists[0, 2, i] = score
        total += count
    return total


def seconds(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def alternately(first: Callable[[], object], second: Callable[[], object], rounds: int) -> tuple[float, float]:
    """The best CPU seconds of each of two functions, which run alternately."""
    first(), second()
    times = [(seconds(first), seconds(second)) for _ in range(rounds)]
    return min(a for a, _ in times), min(b for _, b in times)


def played(name: str, plies: int, seed: int, **options: Any) -> Any:
    """A position of a random game that is not over."""
    chance = random.Random(seed)
    while True:
        here = pentad.new(name, **options)
        for _ in range(plies):
            if not here.outcome:
                here = here.play(chance.choice(here.legal_moves))
        if not here.outcome:
            return here


def pentago(rounds: int) -> Figure:
    keys = np.array([key_of(played("pentago", MARBLES, seed)) for seed in range(BOARDS)])
    arrays = arrays_of(tables().rules, net(), table_of(1))
    arguments = keys, MARBLES, arrays
    children = by_differences(*arguments)
    assert children == from_nothing(*arguments)
    own, common = alternately(lambda: by_differences(*arguments), lambda: from_nothing(*arguments), rounds)
    return report("Pentago: a child by differences of sums, and from nothing", own, common, children)


def pente(rounds: int) -> Figure:
    states = [state_of(played("pente", STONES, seed)) for seed in range(BOARDS)]
    points = [zeros(361, "int32") for _ in states]
    counts = [pente_kernels()("points_free", *each.position, out) for each, out in zip(states, points, strict=True)]
    whole = [(np.asarray(each.board), np.asarray(each.numbers)) for each in states]
    board, numbers = np.zeros(BOARD, np.int32), np.zeros(STATE, np.int64)

    def by_make() -> None:
        for state, out, count in zip(states, points, counts, strict=True):
            pente_kernels()("make_and_unmake", state.parts, out[:count], 1)

    @kernel
    def copies(target: Any, source: Any, numbers: Any, source_numbers: Any, times: int) -> None:
        for _ in range(times):
            for i in range(len(source)):
                target[i] = source[i]
            for i in range(len(source_numbers)):
                numbers[i] = source_numbers[i]

    def by_copy() -> None:
        for (from_board, from_numbers), count in zip(whole, counts, strict=True):
            copies(board, from_board, numbers, from_numbers, count)

    own, common = alternately(by_make, by_copy, rounds)
    return report("Pente: a move made and taken back, and a copy of the state", own, common, sum(counts))


def report(what: str, own: float, common: float, children: int) -> Figure:
    print(f"{what}: {own / children * 1e6:.2f} and {common / children * 1e6:.2f} µs, ratio {common / own:.2f}")
    return Figure(what, own / children * 1e6, "µs", f"{common / children * 1e6:.2f} µs")


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args(words).rounds
    print(machine())
    return [pentago(rounds), pente(rounds)]


if __name__ == "__main__":
    main()
