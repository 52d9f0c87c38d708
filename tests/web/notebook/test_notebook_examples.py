"""The example notebooks run, and show what they contain.

`python -m tests.web.notebook.test_notebook_examples` stores new outputs.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.waiting import TIMEOUT

FOLDER = Path(__file__).parents[3] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
VARIES = "varies"  # the tag of a cell whose output has times or plots


def run(path: Path) -> Any:
    """The notebook with the outputs of a run; it needs no display, and no server but its own kernel."""
    notebook = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(FOLDER)}}
    client = NotebookClient(notebook, timeout=None, startup_timeout=TIMEOUT, kernel_name="python3", resources=where)
    client.execute(env={**os.environ, "PYDEVD_DISABLE_FILE_VALIDATION": "1"})
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # the metadata have the times of execution
    return notebook


def shown(cell: Any) -> list[dict[str, Any]]:
    """The outputs of a cell, without their numbers."""
    return [{key: value for key, value in output.items() if key != "execution_count"} for output in cell.outputs]


def kinds(cell: Any) -> list[tuple[str, list[str]]]:
    return [(output["output_type"], sorted(output.get("data", ()))) for output in cell.outputs]


def test_there_are_notebooks() -> None:
    assert {"matches", "models", "positions"} <= {path.stem for path in NOTEBOOKS}


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_it_contains(path: Path) -> None:
    stored, now = nbformat.read(path, as_version=4), run(path)
    for before, after in zip(stored.cells, now.cells, strict=True):
        if before.cell_type == "code":
            varies = VARIES in before.metadata.get("tags", ())
            assert kinds(after) == kinds(before), before.source
            assert varies or shown(after) == shown(before), before.source


if __name__ == "__main__":
    for each in NOTEBOOKS:
        nbformat.write(run(each), each)
