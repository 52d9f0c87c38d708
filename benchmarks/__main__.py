"""Runs benchmarks by name, and keeps their figures for the page docs/reference/benchmarks.md.

python -m benchmarks                          lists the benchmarks
python -m benchmarks rules drawing            runs some of them
python -m benchmarks batch --games 10000      runs one with its options

What a benchmark prints stays what it is. Its figures take the place of those that the same command measured before.
"""

from __future__ import annotations

import datetime
import importlib
import shlex
import subprocess
import sys
from itertools import takewhile

from benchmarks.figures import machine
from benchmarks.results import HERE, PAGE, Run, keep, page, read, summary

NO_BENCHMARKS = ("__init__", "__main__", "figures", "new_game", "results")


def benchmarks() -> list[str]:
    """The names of all benchmarks."""
    return sorted(path.stem for path in HERE.glob("*.py") if path.stem not in NO_BENCHMARKS)


def commit() -> str:
    """The commit of this checkout, with a plus if programs have changed since."""

    def said(*words: str) -> str:
        """What git says."""
        done = subprocess.run(["git", *words], cwd=HERE.parent, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    return said("rev-parse", "--short", "HEAD") + "+" * bool(said("status", "--porcelain", "src", "benchmarks/*.py"))


def run(name: str, options: list[str]) -> Run | None:
    """Runs a benchmark; nothing if it returns no figures, but prints or writes what it finds."""
    figures = importlib.import_module(f"benchmarks.{name}").main(options)
    if not isinstance(figures, list):
        return None
    date = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    return Run(name, shlex.join(options), machine(), date, commit(), tuple(figures))


def main(words: list[str]) -> None:
    known = benchmarks()
    names = [*takewhile(known.__contains__, words)]
    if not names:
        if words:
            raise SystemExit(f"There is no benchmark {words[0]!r}. The benchmarks are: {', '.join(known)}.")
        for name in known:
            print(f"{name:16}{summary(name)}")
    for name in names:
        if done := run(name, words[len(names) :]):
            keep(done)
            PAGE.write_text(page(read()), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
