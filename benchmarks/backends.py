"""Speed of the same kernels in two installations, in alternating runs: prebuilt machine code against numba's, say.

python -m benchmarks backends PYTHON OTHER_PYTHON [--rounds 5]

Each Python has pentad installed: one from a wheel, the other from a checkout. Every round runs all kinds of work in a
process of each, by CPU time without the loading of kernels. A ratio is that of the medians.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
from collections.abc import Iterator, Sequence

from benchmarks.figures import Figure, machine

WORK = """
import json, time
import pentad
from pentad.grammar import explore
from pentad.grammar.models import new
from pentad.kernels import prebuilt
from pentad.games.pentago import from_number, solve
from pentad.games.pente.engine.search import RootSearch

def played(game, moves, **options):
    here = pentad.new(game, **options)
    for move in moves:
        here = here.play(move)
    return here

boards = [from_number(n) for n in (4312211864716913874, 372956848884024991, 3357433788814595341, 295835123421167186)]
pente = played("pente", "K10 L11 G8 K8 N9".split(), rules="pente", size=19)
freestyle = played("pente", "K10 L11 G8 K8 N9".split(), rules="freestyle", size=19)
small, large = (new("pentago", rows=rows, cols=2, block=2, line=2, iso=False) for rows in (1, 2))
early = played("pentago", ["a2 1C", "d4 2A"])
race = pentad.new("pentagame")

def bot(game, name, level, here):
    return lambda: pentad.bot(game, name, level=level, seed=1).choose(here)

def deepen(here, depth):
    return lambda: RootSearch(here, threads=1).deepen(depth=depth)

# What loads the kernels, and what is measured.
works = {
    "Pentago's solver, 22 marbles": (lambda: solve(boards[0]), lambda: [solve(board) for board in boards]),
    "Pentago's tree search": (bot("pentago", "tree", 1, early), bot("pentago", "tree", 5, early)),
    "Pente's search": (deepen(pente, 1), deepen(pente, 8)),
    "freestyle": (deepen(freestyle, 1), deepen(freestyle, 8)),
    "Pentagame's alpha-beta": (bot("pentagame", "alphabeta", 1, race), bot("pentagame", "alphabeta", 4, race)),
    "Pentagame's tree search": (bot("pentagame", "tree", 1, race), bot("pentagame", "tree", 4, race)),
    "grammars, compiled": (lambda: explore(small), lambda: explore(large)),
}
times = {}
for name, (load, work) in works.items():
    load()
    began = time.process_time()
    work()
    times[name] = time.process_time() - began
print(json.dumps({"prebuilt": prebuilt.has("pentad.games.pente.engine.search_kernels"), "times": times}))
"""


def compared(pythons: list[str], rounds: int) -> Iterator[tuple[str, list[Figure]]]:
    """Measures both installations: lines, each with its figures."""
    found: dict[str, list[dict[str, float]]] = {python: [] for python in pythons}
    kinds = {}
    for number in range(rounds + 1):  # the first round compiles what is not compiled yet
        for python in pythons:
            output = subprocess.run([python, "-c", WORK], check=True, capture_output=True, text=True).stdout
            answer = json.loads(output)
            kinds[python] = "prebuilt" if answer["prebuilt"] else "numba"
            found[python] += [answer["times"]] if number else []
    yield f"{'':30} {' '.join(f'{kinds[python]:>10}' for python in pythons)}      ratio", []
    for work in found[pythons[0]][0]:
        medians = [statistics.median(times[work] for times in found[python]) for python in pythons]
        line = f"{work:30} {' '.join(f'{median:>8.3f} s' for median in medians)} {medians[0] / medians[1]:>10.2f}"
        against = f"{medians[1]:.3f} s, {kinds[pythons[1]]}"
        yield line, [Figure(f"{work}, {kinds[pythons[0]]}", medians[0], "s of CPU time", against)]


def main(words: Sequence[str] | None = None) -> list[Figure]:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pythons", nargs=2, metavar="PYTHON")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args(words)
    print(machine())
    figures = []
    for line, found in compared(given.pythons, given.rounds):
        print(line, flush=True)
        figures += found
    return figures


if __name__ == "__main__":
    main()
