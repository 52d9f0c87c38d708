"""Speed of the rules in plain Python: random moves per second, with the legal moves counted at each.

python benchmarks/rules.py [--seconds 2]
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import time
from pathlib import Path

import pentad
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


def machine() -> str:
    """A description of the machine."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), model)
    except OSError:
        pass
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds for each game")
    seconds = parser.parse_args().seconds
    print(machine())
    for name, options in SETUPS:
        terms = " ".join(f"{key}={value}" for key, value in options.items())
        print(f"{name} {terms}".ljust(40), f"{moves_a_second(name, options, seconds):>10,.0f} random moves per second")


if __name__ == "__main__":
    main()
