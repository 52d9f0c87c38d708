"""Speed of the rules in plain Python: random moves per second, with the legal moves counted at each.

python -m benchmarks rules [--seconds 2]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence

import pentad
from benchmarks.figures import Figure, machine
from pentad.games.pente.rulesets import RULE_SETS

SETUPS: tuple[tuple[str, dict[str, object]], ...] = (
    ("pentago", {}),
    ("pentago", {"rows": 3, "cols": 3, "players": 4}),
    *(("pente", {"rules": rules, "size": 19}) for rules in RULE_SETS),
)


def moves_a_second(name: str, options: dict[str, object], seconds: float) -> float:
    """Random moves per CPU second in whole games, with the number of legal moves at each."""
    rng = random.Random(1)
    begin = time.process_time()
    played = 0
    while (spent := time.process_time() - begin) < seconds:
        here = pentad.new(name, **options)
        while here.outcome is None:
            here = here.play(rng.choice(here.legal_moves))
            played += 1
    return played / spent


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds for each game")
    seconds = parser.parse_args(words).seconds
    print(machine())
    figures = []
    for name, options in SETUPS:
        label = " ".join([name, *(f"{key}={value}" for key, value in options.items())])
        figures.append(Figure(label, moves_a_second(name, options, seconds), "random moves per second"))
        print(f"{label:<40} {figures[-1].value:>10,.0f} random moves per second")
    return figures


if __name__ == "__main__":
    main()
