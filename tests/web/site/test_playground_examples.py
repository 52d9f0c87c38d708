"""The examples of the docs run in a page: with the package for browsers, and without what Python in a page lacks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pentad.web.site.build import package_files
from tests.web.site import playground_examples
from tests.web.site.playground_examples import ROOT

FEWEST_EXAMPLES = 60


def test_every_example_runs_without_what_a_page_lacks() -> None:
    command = [sys.executable, "-m", playground_examples.__name__]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["wrong"] == []
    assert found["count"] > FEWEST_EXAMPLES
    packed = package_files()
    paths = {each: each.removeprefix("pentad.").replace(".", "/") for each in found["imported"]}
    assert [name for name, path in paths.items() if not {f"{path}.py", f"{path}/__init__.py"} & packed.keys()] == []


@pytest.mark.parametrize("module", ["numpy", "starlette.responses", "sqlite3"])
def test_a_module_that_a_page_lacks_is_refused(module: str) -> None:
    with pytest.raises(ModuleNotFoundError, match=f"Python in a page has no {module}"):
        playground_examples.Absent().find_spec(module)


def test_only_examples_with_a_button_are_run(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    kinds = ("pycon", "{ .pycon .no-run }", "{ .python .no-run }", "console", "python")
    blocks = [f"  ```{kind}\n  {number}\n  ```\n" for number, kind in enumerate(kinds)]
    page.write_text("\n".join(blocks), encoding="utf-8")
    assert [*playground_examples.of_page(page)] == ["0\n", "4\n"]


ERROR = """>>> shift(5)
Traceback (most recent call last):
...
InvalidMove: Unknown figure 5. It
names none.
"""


@pytest.mark.parametrize(
    ("text", "shown", "wrong"),
    [
        (">>> 1\n1\n>>> 2\n2\n", "1\n2", None),
        (">>> 1\n1\n", "2\n", "expected '1\\n'"),
        (ERROR, "Traceback\nInvalidMove: Unknown figure 5. It names none.", None),
        (
            ERROR,
            "Traceback\nInvalidMove: Unknown figure 5.",
            "no InvalidMove: Unknown figure 5. It names none.",
        ),
    ],
)
def test_what_is_wrong_with_what_a_page_shows(text: str, shown: str, wrong: str | None) -> None:
    assert playground_examples.complaint(text, shown) == wrong
