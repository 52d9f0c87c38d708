"""The kept figures of the benchmarks: the page is written from them, and the README states them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.figures import Figure
from benchmarks.results import PAGE, Run, keep, page, read, shown

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
# Cells of the README's table of figures: command and name of the figure, and the unit of the cell.
STATED = [
    ("| {} s of CPU time |", "pentago_solver", "all values, 18 marbles, 1 thread", 1),
    ("| {} s with 16 marbles |", "pentago_solver", "all values, 16 marbles, 1 thread", 1),
    ("| {} million moves per second |", "batch", "random games, pentago", 1e6),
    ("| {} times as many as OpenSpiel", "batch", "random games, pentago, against OpenSpiel through Python", 1),
    ("| {} million times per second |", "pentagame", "reach, kernels", 1e6),
    ("| {} by networkx |", "pentagame", "reach, networkx", 1),
    ("| {} million states per second |", "grammar --big", "6×6 to depth 9, compiled, rate", 1e6),
    ("| {} by the general engine |", "grammar --big", "6×6 to depth 9, general, rate", 1),
    ("| {} ms (median) |", "web", "500 games of pentago, to the other's screen, median", 1),
    ("| {} ms (99th percentile) |", "web", "500 games of pentago, to the other's screen, 99th percentile", 1),
]


@pytest.mark.parametrize(("sentence", "command", "name", "unit"), STATED, ids=[row[2] for row in STATED])
def test_the_readme_states_the_data(sentence: str, command: str, name: str, unit: float) -> None:
    (figure,) = (
        each for run in read() if run.command.endswith(f" {command}") for each in run.figures if each.name == name
    )
    values = figure.value if isinstance(figure.value, tuple) else (figure.value,)
    value = shown(Figure(name, (values[0] / unit, values[-1] / unit) if values[1:] else values[0] / unit, "")).strip()
    assert sentence.format(value) in README


def test_the_page_is_that_of_the_data() -> None:
    """After a change of the data by hand, `python -m benchmarks.results` writes it again."""
    assert PAGE.read_text(encoding="utf-8") == page(read()), "run python -m benchmarks.results"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.04912, "0.0491"),
        (7, "7"),
        (1234.5, "1,230"),
        (38_021.4, "38,000"),
        ((3_312_000.0, 3.6e6), "3,310,000 to 3,600,000"),
    ],
)
def test_a_figure_is_rounded(value: float | tuple[float, float], text: str) -> None:
    assert shown(Figure("a move", value, "ms")) == f"{text} ms"


def test_a_run_replaces_the_one_of_the_same_command(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    file.write_text("[]", encoding="utf-8")
    first, second = Figure("moves", 12.0, "per second"), Figure("moves", (11.0, 13.0), "per second", "10 of another")
    old, new = (Run("rules", "", "a machine", "2026-01-01", "abc", (each,)) for each in (first, second))
    short = Run("rules", "--seconds 1", "a machine", "2026-01-01", "abc", (first,))
    for each in (old, short, new):
        keep(each, file)
    assert read(file) == [new, short]


def test_the_page_shows_what_a_figure_is_compared_with() -> None:
    plain, compared = Figure("a move", 0.25, "ms"), Figure("a game", (10.0, 20.0), "ms", "30 ms")
    text = page([Run("rules", "", "a machine", "2026-01-01", "abc", (plain, compared))])
    assert "- a move: 0.25 ms\n- a game: 10 to 20 ms; against 30 ms\n" in text
    assert "A machine; 2026-01-01, commit `abc`." in text
