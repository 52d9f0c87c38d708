"""How fast transition systems are explored: states and transitions a second, bytes a state, compiled and general.

python benchmarks/grammar.py [--rounds 3] [--big]

The models are Pentago's as GROOVE is given them, in the style with flags. What comes before the first state, reading
and compiling, is told apart; the best round counts. Kernels are compiled once on a machine before anything is timed.
"""

from __future__ import annotations

import argparse
import time
from typing import NamedTuple

from rules import machine

from pentad.grammar.bounds import Acceptor, Limits, used_memory
from pentad.grammar.compiled import narrow_kernels as ground_kernels
from pentad.grammar.compiled import wide_kernels as ground_wide_kernels
from pentad.grammar.compiled.run import CompiledRun, compile_system
from pentad.grammar.matching.run import General
from pentad.grammar.models import new
from pentad.grammar.system import prepare
from pentad.kernel import prepare as prepare_kernels


class Case(NamedTuple):
    """A model, how deep it is explored, by which engine, and whether its transitions are kept."""

    name: str
    options: dict[str, object]
    depth: int | None
    engine: str
    keep: bool = True


SMALL: dict[str, object] = {"rows": 2, "cols": 2, "block": 2, "iso": False}
WHOLE: dict[str, object] = {"rows": 2, "cols": 2, "block": 3, "line": 5, "iso": False}
CASES = (
    Case("2×2 of 2×2, line 2", {**SMALL, "line": 2}, None, "compiled", keep=False),
    Case("2×2 of 2×2, line 2", {**SMALL, "line": 2}, None, "compiled"),
    Case("2×2 of 2×2, line 2, to depth 9", {**SMALL, "line": 2}, 9, "general"),
    Case("6×6 to depth 9", WHOLE, 9, "compiled"),
    Case("6×6 to depth 9", WHOLE, 9, "general"),
)
BIG = (Case("2×2 of 2×2, line 3", {**SMALL, "line": 3}, None, "compiled", keep=False),)


class Measured(NamedTuple):
    """What one round took."""

    states: int
    transitions: int
    seconds: float
    before: float  # seconds
    bytes: int


def measure(case: Case) -> Measured:
    """One round."""
    begun, memory = time.perf_counter(), used_memory()
    system = prepare(new("pentago", style="flags", **case.options))
    limits, acceptor = Limits(depth=case.depth), Acceptor(None, system.names)
    run: General | CompiledRun
    if case.engine == "compiled":
        run = CompiledRun(compile_system(system), limits, acceptor, None, case.keep)
    else:
        run = General(system, system.isomorphism, limits, acceptor, None)
    ready = time.perf_counter()
    run.run()
    seconds = time.perf_counter() - ready
    return Measured(run.states, run.transitions, seconds, ready - begun, max(used_memory() - memory, 0))


def row(case: Case, rounds: int) -> None:
    first = measure(case)
    best = min([first, *(measure(case) for _ in range(rounds - 1))], key=lambda each: each.seconds)
    what = f"{case.engine}{'' if case.keep else ', only counted'}"
    print(
        f"{case.name:<32}{what:<24}{best.states:>12,}{best.transitions:>13,}{best.seconds:>9.2f} s"
        f"{best.states / best.seconds:>13,.0f}{best.transitions / best.seconds:>13,.0f}"
        f"{first.bytes / first.states:>8,.0f}{best.before:>8.2f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=3, help="of which the best counts")
    parser.add_argument("--big", action="store_true", help="the model with 31 million states too")
    asked = parser.parse_args()
    for kernels in (ground_kernels, ground_wide_kernels):
        prepare_kernels(kernels.__name__)
    print(machine())
    heads = (
        ("states", 12),
        ("transitions", 13),
        ("", 11),
        ("states/s", 13),
        ("trans./s", 13),
        ("B/state", 8),
        ("before", 10),
    )
    print(f"{'':<56}" + "".join(f"{head:>{width}}" for head, width in heads))
    for case in (*CASES, *(BIG if asked.big else ())):
        row(case, asked.rounds if case.engine == "compiled" else 1)


if __name__ == "__main__":
    main()
