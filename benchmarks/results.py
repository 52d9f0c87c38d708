"""The kept figures of the benchmarks, and the page of the docs with them.

`results.json` has the runs of the benchmarks, with the machine, the date and the commit of each. `python -m
benchmarks.results` writes the page; a test compares it with the data.
"""

from __future__ import annotations

import ast
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure

HERE = Path(__file__).parent
DATA = HERE / "results.json"
PAGE = HERE.parent / "docs" / "reference" / "benchmarks.md"
DIGITS_OF_FIGURE = 3


@dataclass(frozen=True, slots=True)
class Run:
    """A run of a benchmark with its options, where and when it was, and what it measured."""

    benchmark: str
    options: str
    machine: str
    date: str
    commit: str
    figures: tuple[Figure, ...]
    note: str = ""

    @property
    def command(self) -> str:
        return f"python -m benchmarks {self.benchmark} {self.options}".rstrip()


def read(file: Path = DATA) -> list[Run]:
    """The kept runs, in the order of their commands."""
    return [_run(each) for each in json.loads(file.read_text(encoding="utf-8"))]


def _run(data: dict[str, Any]) -> Run:
    return Run(**{**data, "figures": tuple(Figure(**_pair(each)) for each in data["figures"])})


def _pair(figure: dict[str, Any]) -> dict[str, Any]:
    value = figure["value"]
    return {**figure, "value": tuple(value) if isinstance(value, list) else value}


def keep(run: Run, file: Path = DATA) -> None:
    """Adds a run to the file, in place of an earlier one with the same command."""
    others = [each for each in read(file) if each.command != run.command]
    runs = sorted([*others, run], key=lambda each: each.command)
    file.write_text(json.dumps([asdict(each) for each in runs], indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def summary(benchmark: str) -> str:
    """The first line of a benchmark's docstring."""
    module = ast.parse((HERE / f"{benchmark}.py").read_text(encoding="utf-8"))
    return (ast.get_docstring(module) or "").partition("\n")[0]


def page(runs: list[Run]) -> str:
    """The text of the page."""
    lines = [
        "# Benchmarks",
        "",
        "Measure again with `python -m benchmarks` and the words of a heading. Two numbers are the least and the",
        "greatest of several runs.",
    ]
    for run in runs:
        lines += ["", f"## {run.benchmark} {run.options}".rstrip(), "", summary(run.benchmark), ""]
        lines += [f"{run.machine[:1].upper()}{run.machine[1:]}; {run.date}, commit `{run.commit}`."]
        lines += ["", *(_item(each) for each in run.figures)]
    return "\n".join([*lines, ""])


def _item(figure: Figure) -> str:
    return f"- {figure.name}: {shown(figure)}{f'; against {figure.against}' if figure.against else ''}"


def shown(figure: Figure) -> str:
    """A figure as text, rounded."""
    values = figure.value if isinstance(figure.value, tuple) else (figure.value,)
    return f"{' to '.join(_rounded(each) for each in values)} {figure.unit}"


def _rounded(value: float) -> str:
    number = float(f"{value:.{DIGITS_OF_FIGURE}g}")
    return f"{number:,.0f}" if number == int(number) else f"{number:g}"


if __name__ == "__main__":
    PAGE.write_text(page(read()), encoding="utf-8")
